-- columns: con sql_id #old_hash_value #plan_hash_value #executions #disk_reads #read_requests #read_bytes #direct_writes #buffer_gets #elapsed_us #cpu_us #user_io_wait_us sql_text
-- The {top} statements with most blocks read in the last {days} days, over all instances with snapshots.
-- Statements over a threshold only; what a cursor did before its first snapshot or around a reload is left
-- out, so sums are lower bounds. Licence: none. Takes 1-120 s.
select cast(null as varchar2(30)) as con, a.sql_id as sql_id, a.old_hash_value as old_hash_value,
  cast(null as number) as plan_hash_value, a.executions as executions, a.disk_reads as disk_reads,
  cast(null as number) as read_requests, cast(null as number) as read_bytes,
  a.direct_writes as direct_writes, a.buffer_gets as buffer_gets, a.elapsed_us as elapsed_us,
  a.cpu_us as cpu_us, a.user_io_wait_us as user_io_wait_us, a.sql_text as sql_text
from (
  select q.sql_id as sql_id, q.old_hash_value as old_hash_value, sum(q.executions) as executions,
    sum(q.disk_reads) as disk_reads, sum(q.direct_writes) as direct_writes,
    sum(q.buffer_gets) as buffer_gets, sum(q.elapsed_us) as elapsed_us, sum(q.cpu_us) as cpu_us,
    sum(q.user_io_wait_us) as user_io_wait_us, max(q.sql_text) as sql_text,
    row_number() over (order by sum(q.disk_reads) desc nulls last, q.sql_id) as place
  from {deltas}
  where q.executions >= 0
    and q.disk_reads >= 0
    and q.buffer_gets >= 0
    and q.elapsed_us >= 0
  group by q.sql_id, q.old_hash_value
) a
where a.place <= {top}
order by a.place
