-- columns: #snap_id #instance_number @startup_time @begin_time @end_time
-- Snapshots of the last {days} days of the database that took the latest one. BEGIN_TIME is the snapshot
-- before, within one start of the instance. Times are those of the host. Licence: none. Takes seconds.
select s.snap_id as snap_id, s.instance_number as instance_number, s.startup_time as startup_time,
  lag(s.snap_time) over (partition by s.instance_number, s.startup_time order by s.snap_id) as begin_time,
  s.snap_time as end_time
from {snaps}
order by s.instance_number, s.snap_id
