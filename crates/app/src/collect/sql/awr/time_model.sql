-- columns: #snap_id #instance_number name #value_us
-- The time model, microseconds, cumulative. Licence: Diagnostics Pack. Takes 1-60 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.stat_name as name,
  x.value as value_us
from {snaps}
join dba_hist_sys_time_model x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
order by x.instance_number, x.snap_id, x.stat_name
