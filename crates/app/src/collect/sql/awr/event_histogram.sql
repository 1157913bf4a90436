-- columns: #snap_id #instance_number event #wait_time_milli #waits
-- Histograms of I/O and commit waits, cumulative; WAIT_TIME_MILLI is the upper bound of the bucket.
-- Whether it holds fractions of a millisecond from 12.2 on is not settled: read it as a decimal.
-- Licence: Diagnostics Pack. Takes 10-300 s: rows are snapshots x events x buckets.
select x.snap_id as snap_id, x.instance_number as instance_number, x.event_name as event,
  x.wait_time_milli as wait_time_milli, x.wait_count as waits
from {snaps}
join dba_hist_event_histogram x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
where x.wait_class in ('User I/O', 'System I/O', 'Commit')
  and x.wait_count > 0
  and (x.event_name like 'db file %'
    or x.event_name like 'direct path %'
    or x.event_name like 'log file %'
    or x.event_name like 'db flash cache %'
    or x.event_name like 'cell %'
    or x.event_name like 'control file %'
    or x.event_name = 'read by other session')
order by x.instance_number, x.snap_id, x.event_name, x.wait_time_milli
