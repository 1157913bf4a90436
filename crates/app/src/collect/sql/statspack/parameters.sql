-- columns: #instance_number name value
-- Parameters that storage depends on, as of the last snapshot of each instance. Licence: none. Takes seconds.
select x.instance_number as instance_number, x.name as name, x.value as value
from (
  select s.dbid as dbid, s.instance_number as instance_number, max(s.snap_id) as snap_id
  from {snaps}
  group by s.dbid, s.instance_number
) l
join perfstat.stats$parameter x on x.dbid = l.dbid and x.instance_number = l.instance_number
  and x.snap_id = l.snap_id
where x.name in ({parameters})
  or x.name like 'parallel%'
order by x.instance_number, x.name
