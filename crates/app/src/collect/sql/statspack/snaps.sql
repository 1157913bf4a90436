(
  select z.dbid as dbid, z.instance_number as instance_number, z.snap_id as snap_id,
    z.startup_time as startup_time, z.snap_time as snap_time
  from perfstat.stats$snapshot z
  where z.dbid = (
      select y.dbid
      from (select w.dbid as dbid from perfstat.stats$snapshot w order by w.snap_time desc) y
      where rownum = 1)
    and z.snap_time >= sysdate - {days}
) s
