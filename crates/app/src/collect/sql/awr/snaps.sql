(
  select z.dbid as dbid, z.instance_number as instance_number, z.snap_id as snap_id
  from dba_hist_snapshot z
  where z.dbid = (select y.dbid from v$database y)
    and z.end_interval_time >= sysdate - {days}
    and bitand(nvl(z.snap_flag, 0), 2) = 0
) s
