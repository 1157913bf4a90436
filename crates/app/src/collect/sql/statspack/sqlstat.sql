-- columns: #snap_id #instance_number sql_id #plan_hash_value #executions #disk_reads #read_requests #buffer_gets #elapsed_us #cpu_us #user_io_wait_us module
-- Statements between two snapshots of one start (differences made here). Statements over a threshold
-- only; the first snapshot that lists one gives no row, and neither does a cursor loaded anew (a counter went
-- down), so sums are lower bounds. A row covers the time since the snapshot that last listed the statement.
-- No requests and no plan. Licence: none. Takes 1-120 s.
select q.snap_id as snap_id, q.instance_number as instance_number, q.sql_id as sql_id,
  cast(null as number) as plan_hash_value, q.executions as executions, q.disk_reads as disk_reads,
  cast(null as number) as read_requests, q.buffer_gets as buffer_gets, q.elapsed_us as elapsed_us,
  q.cpu_us as cpu_us, q.user_io_wait_us as user_io_wait_us, q.module as module
from {deltas}
where q.executions >= 0
  and q.disk_reads >= 0
  and q.buffer_gets >= 0
  and q.elapsed_us >= 0
  and q.disk_reads + q.elapsed_us > 0
order by q.instance_number, q.snap_id
