-- columns: #snap_id #instance_number event wait_class #waits #time_us #waits_fg #time_us_fg
-- Waits but those of class Idle, microseconds, cumulative. Statspack keeps no class: it is that of
-- V$EVENT_NAME of this release, empty for an event that the release no longer knows.
-- Licence: none. Takes 1-60 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.event as event,
  n.wait_class as wait_class, x.total_waits as waits, x.time_waited_micro as time_us,
  x.total_waits_fg as waits_fg, x.time_waited_micro_fg as time_us_fg
from {snaps}
join perfstat.stats$system_event x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
left join v$event_name n on n.name = x.event
where nvl(n.wait_class, 'Other') <> 'Idle'
order by x.instance_number, x.snap_id, x.event
