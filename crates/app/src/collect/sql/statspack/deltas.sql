(
  select x.snap_id as snap_id, x.instance_number as instance_number, x.dbid as dbid,
    x.old_hash_value as old_hash_value, x.text_subset as text_subset, x.sql_id as sql_id,
    x.module as module, substr(x.sql_text, 1, 500) as sql_text,
    x.executions - lag(x.executions) over ({statement}) as executions,
    x.disk_reads - lag(x.disk_reads) over ({statement}) as disk_reads,
    x.direct_writes - lag(x.direct_writes) over ({statement}) as direct_writes,
    x.buffer_gets - lag(x.buffer_gets) over ({statement}) as buffer_gets,
    x.elapsed_time - lag(x.elapsed_time) over ({statement}) as elapsed_us,
    x.cpu_time - lag(x.cpu_time) over ({statement}) as cpu_us,
    x.user_io_wait_time - lag(x.user_io_wait_time) over ({statement}) as user_io_wait_us
  from {snaps}
  join perfstat.stats$sql_summary x on x.dbid = s.dbid and x.instance_number = s.instance_number
    and x.snap_id = s.snap_id
) q
