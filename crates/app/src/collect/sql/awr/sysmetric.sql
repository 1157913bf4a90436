-- columns: #snap_id #instance_number name unit #average #maximum
-- Mean and highest minute of each snapshot: the only place that keeps the peak minute.
-- Licence: Diagnostics Pack. Takes 1-60 s. GROUP_ID 2 (one-minute metrics) is general knowledge.
select x.snap_id as snap_id, x.instance_number as instance_number, x.metric_name as name,
  x.metric_unit as unit, x.average as average, x.maxval as maximum
from {snaps}
join dba_hist_sysmetric_summary x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
where x.group_id = 2
  and (x.metric_name like 'Physical %Per Sec'
    or x.metric_name like 'Redo % Per Sec'
    or x.metric_name like 'I/O %per Second'
    or x.metric_name in (
      'Average Synchronous Single-Block Read Latency', 'Average Active Sessions',
      'Host CPU Utilization (%)', 'User Commits Per Sec', 'Executions Per Sec',
      'DB Block Changes Per Sec', 'Database Time Per Sec', 'Background Time Per Sec',
      'Temp Space Used'))
order by x.instance_number, x.snap_id, x.metric_name
