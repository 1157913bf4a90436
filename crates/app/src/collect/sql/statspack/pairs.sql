select p.dbid as dbid, p.instance_number as instance_number, p.before_id as before_id, p.snap_id as snap_id
from (
  select z.dbid as dbid, z.instance_number as instance_number, z.snap_id as snap_id,
    z.snap_time as snap_time,
    lag(z.snap_id) over (
      partition by z.dbid, z.instance_number, z.startup_time order by z.snap_id) as before_id
  from perfstat.stats$snapshot z
  where z.dbid = (
      select y.dbid
      from (select w.dbid as dbid from perfstat.stats$snapshot w order by w.snap_time desc) y
      where rownum = 1)
) p
where p.before_id is not null
  and p.snap_time >= sysdate - {days}
