-- columns: #snap_id #instance_number @startup_time @begin_time @end_time
-- Snapshots of the last {days} days, imported ones left out. Times are those of the host, without zone.
-- Licence: none; DBA_HIST_SNAPSHOT is one of the six free views. Takes seconds.
-- In a database where PDBs take snapshots of their own (12.2+), those carry another DBID and are left out.
select s.snap_id as snap_id, s.instance_number as instance_number, s.startup_time as startup_time,
  s.begin_interval_time as begin_time, s.end_interval_time as end_time
from dba_hist_snapshot s
where s.dbid = (select d.dbid from v$database d)
  and s.end_interval_time >= sysdate - {days}
  and bitand(nvl(s.snap_flag, 0), 2) = 0
order by s.instance_number, s.snap_id
