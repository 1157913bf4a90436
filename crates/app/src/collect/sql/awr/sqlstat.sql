-- columns: #snap_id #instance_number sql_id #plan_hash_value #executions #disk_reads #read_requests #buffer_gets #elapsed_us #cpu_us #user_io_wait_us module
-- Statements in each interval (differences): the {top} with most blocks read and the {top} with most elapsed
-- time over the period. Only the top statements of each snapshot are kept, so sums are lower bounds.
-- Licence: Diagnostics Pack. Takes 10-300 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.sql_id as sql_id,
  x.plan_hash_value as plan_hash_value, x.executions_delta as executions,
  x.disk_reads_delta as disk_reads, x.physical_read_requests_delta as read_requests,
  x.buffer_gets_delta as buffer_gets, x.elapsed_time_delta as elapsed_us, x.cpu_time_delta as cpu_us,
  x.iowait_delta as user_io_wait_us, x.module as module
from {snaps}
join dba_hist_sqlstat x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
join (
  select w.sql_id as sql_id,
    row_number() over (order by sum(w.disk_reads_delta) desc nulls last, w.sql_id) as reads_place,
    row_number() over (order by sum(w.elapsed_time_delta) desc nulls last, w.sql_id) as time_place
  from {snaps}
  join dba_hist_sqlstat w on w.dbid = s.dbid and w.instance_number = s.instance_number
    and w.snap_id = s.snap_id
  group by w.sql_id
) t on t.sql_id = x.sql_id
where t.reads_place <= {top}
  or t.time_place <= {top}
order by x.instance_number, x.snap_id
