-- columns: #snap_id #instance_number name #value_us
-- The time model, microseconds, cumulative. Licence: none. Takes seconds.
select x.snap_id as snap_id, x.instance_number as instance_number, n.stat_name as name, x.value as value_us
from {snaps}
join perfstat.stats$sys_time_model x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
join perfstat.stats$time_model_statname n on n.stat_id = x.stat_id
order by x.instance_number, x.snap_id, n.stat_name
