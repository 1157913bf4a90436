select p.dbid as dbid, p.instance_number as instance_number, p.before_id as before_id, p.snap_id as snap_id
from (
  select z.dbid as dbid, z.instance_number as instance_number, z.snap_id as snap_id,
    z.error_count as error_count, z.snap_flag as snap_flag, z.end_interval_time as end_interval_time,
    lag(z.snap_id) over (
      partition by z.dbid, z.instance_number, z.startup_time order by z.snap_id) as before_id
  from dba_hist_snapshot z
  where z.dbid = (select y.dbid from v$database y)
) p
where p.before_id is not null
  and p.end_interval_time >= sysdate - {days}
  and nvl(p.error_count, 0) = 0
  and bitand(nvl(p.snap_flag, 0), 6) = 0
