-- columns: #snap_id #instance_number event #wait_time_milli #waits
-- Histograms of I/O and commit waits, cumulative; WAIT_TIME_MILLI is the upper bound of the bucket.
-- Names come from V$EVENT_NAME of this release. Licence: none. Takes 1-120 s.
select x.snap_id as snap_id, x.instance_number as instance_number, n.name as event,
  x.wait_time_milli as wait_time_milli, x.wait_count as waits
from {snaps}
join perfstat.stats$event_histogram x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
join v$event_name n on n.event_id = x.event_id
where n.wait_class in ('User I/O', 'System I/O', 'Commit')
  and x.wait_count > 0
  and (n.name like 'db file %'
    or n.name like 'direct path %'
    or n.name like 'log file %'
    or n.name like 'db flash cache %'
    or n.name like 'cell %'
    or n.name like 'control file %'
    or n.name = 'read by other session')
order by x.instance_number, x.snap_id, n.name, x.wait_time_milli
