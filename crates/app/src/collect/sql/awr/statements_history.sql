-- columns: con sql_id #old_hash_value #plan_hash_value #executions #disk_reads #read_requests #read_bytes #direct_writes #buffer_gets #elapsed_us #cpu_us #user_io_wait_us sql_text
-- The {top} statements and plans with most blocks read in the last {days} days, over all instances.
-- Only the top statements of each snapshot are kept, so sums are lower bounds.
-- Licence: Diagnostics Pack. Takes 10-300 s.
select {con:a} as con, a.sql_id as sql_id, cast(null as number) as old_hash_value,
  a.plan_hash_value as plan_hash_value, a.executions as executions, a.disk_reads as disk_reads,
  a.read_requests as read_requests, a.read_bytes as read_bytes, a.direct_writes as direct_writes,
  a.buffer_gets as buffer_gets, a.elapsed_us as elapsed_us, a.cpu_us as cpu_us,
  a.user_io_wait_us as user_io_wait_us,
  (select to_char(substr(h.sql_text, 1, 500)) from dba_hist_sqltext h
    where h.dbid = a.dbid and h.sql_id = a.sql_id and rownum = 1) as sql_text
from (
  select {root:x.con_id as con_id,} x.dbid as dbid, x.sql_id as sql_id, x.plan_hash_value as plan_hash_value,
    sum(x.executions_delta) as executions, sum(x.disk_reads_delta) as disk_reads,
    sum(x.physical_read_requests_delta) as read_requests, sum(x.physical_read_bytes_delta) as read_bytes,
    sum(x.direct_writes_delta) as direct_writes, sum(x.buffer_gets_delta) as buffer_gets,
    sum(x.elapsed_time_delta) as elapsed_us, sum(x.cpu_time_delta) as cpu_us,
    sum(x.iowait_delta) as user_io_wait_us,
    row_number() over (order by sum(x.disk_reads_delta) desc nulls last, x.sql_id, x.plan_hash_value) as place
  from {snaps}
  join dba_hist_sqlstat x on x.dbid = s.dbid and x.instance_number = s.instance_number
    and x.snap_id = s.snap_id
  group by {root:x.con_id,} x.dbid, x.sql_id, x.plan_hash_value
) a
where a.place <= {top}
order by a.place
