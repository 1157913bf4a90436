-- columns: #instance_number name value
-- Parameters that storage depends on, as of the last snapshot of each instance.
-- Licence: Diagnostics Pack. Takes seconds.
select x.instance_number as instance_number, x.parameter_name as name, x.value as value
from (
  select s.dbid as dbid, s.instance_number as instance_number, max(s.snap_id) as snap_id
  from {snaps}
  group by s.dbid, s.instance_number
) l
join dba_hist_parameter x on x.dbid = l.dbid and x.instance_number = l.instance_number
  and x.snap_id = l.snap_id
where x.parameter_name in ({parameters})
  or x.parameter_name like 'parallel%'
order by x.instance_number, x.parameter_name
