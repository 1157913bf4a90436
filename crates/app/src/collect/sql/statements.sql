-- columns: con sql_id #old_hash_value #plan_hash_value #executions #disk_reads #read_requests #read_bytes #direct_writes #buffer_gets #elapsed_us #cpu_us #user_io_wait_us sql_text
-- The {top} statements and plans with most blocks read, since each cursor was loaded. This instance only:
-- on RAC run the script in each instance. DISK_READS are blocks, times are microseconds.
-- Takes 1-60 s; minutes with a shared pool of 20 GiB and more, and library cache mutexes meanwhile.
-- That V$SQLSTATS_PLAN_HASH has the columns of V$SQLSTATS is general knowledge.
select {con:a} as con, a.sql_id as sql_id, cast(null as number) as old_hash_value,
  a.plan_hash_value as plan_hash_value, a.executions as executions, a.disk_reads as disk_reads,
  a.read_requests as read_requests, a.read_bytes as read_bytes, a.direct_writes as direct_writes,
  a.buffer_gets as buffer_gets, a.elapsed_us as elapsed_us, a.cpu_us as cpu_us,
  a.user_io_wait_us as user_io_wait_us, a.sql_text as sql_text
from (
  select {root:v.con_id as con_id,} v.sql_id as sql_id, v.plan_hash_value as plan_hash_value,
    sum(v.executions) as executions, sum(v.disk_reads) as disk_reads,
    sum(v.physical_read_requests) as read_requests, sum(v.physical_read_bytes) as read_bytes,
    sum(v.direct_writes) as direct_writes, sum(v.buffer_gets) as buffer_gets,
    sum(v.elapsed_time) as elapsed_us, sum(v.cpu_time) as cpu_us,
    sum(v.user_io_wait_time) as user_io_wait_us, max(substr(v.sql_text, 1, 500)) as sql_text,
    row_number() over (order by sum(v.disk_reads) desc nulls last, v.sql_id, v.plan_hash_value) as place
  from v$sqlstats_plan_hash v
  group by {root:v.con_id,} v.sql_id, v.plan_hash_value
) a
where a.place <= {top}
order by a.place
