-- columns: #snap_id #instance_number event wait_class #waits #time_us #waits_fg #time_us_fg
-- Waits of all classes but Idle, microseconds, cumulative; background is all without _FG.
-- Licence: Diagnostics Pack. Takes 10-120 s for 30 days.
select x.snap_id as snap_id, x.instance_number as instance_number, x.event_name as event,
  x.wait_class as wait_class, x.total_waits as waits, x.time_waited_micro as time_us,
  x.total_waits_fg as waits_fg, x.time_waited_micro_fg as time_us_fg
from {snaps}
join dba_hist_system_event x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
where x.wait_class <> 'Idle'
order by x.instance_number, x.snap_id, x.event_name
