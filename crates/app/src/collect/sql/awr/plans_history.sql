-- columns: con sql_id #old_hash_value #plan_hash_value #children #executions #id #parent_id #depth operation options object_owner object_name object_type #cardinality #bytes #cost #io_cost #temp_space partition_start partition_stop #starts #disk_reads
-- Plans of those statements, as first captured. Predicates are not kept there. Row-source figures are not
-- kept either. Licence: Diagnostics Pack. Takes 10-300 s.
select {con:a} as con, a.sql_id as sql_id, cast(null as number) as old_hash_value,
  a.plan_hash_value as plan_hash_value, cast(null as number) as children, a.executions as executions,
  p.id as id, p.parent_id as parent_id, p.depth as depth, p.operation as operation, p.options as options,
  p.object_owner as object_owner, p.object_name as object_name, p.object_type as object_type,
  p.cardinality as cardinality, p.bytes as bytes, p.cost as cost, p.io_cost as io_cost,
  p.temp_space as temp_space, p.partition_start as partition_start, p.partition_stop as partition_stop,
  cast(null as number) as starts, cast(null as number) as disk_reads
from (
  select {root:x.con_id as con_id,} {new:x.con_dbid as con_dbid,} x.dbid as dbid, x.sql_id as sql_id,
    x.plan_hash_value as plan_hash_value, sum(x.executions_delta) as executions,
    row_number() over (order by sum(x.disk_reads_delta) desc nulls last, x.sql_id, x.plan_hash_value) as place
  from {snaps}
  join dba_hist_sqlstat x on x.dbid = s.dbid and x.instance_number = s.instance_number
    and x.snap_id = s.snap_id
  group by {root:x.con_id,} {new:x.con_dbid,} x.dbid, x.sql_id, x.plan_hash_value
) a
join dba_hist_sql_plan p on p.dbid = a.dbid and p.sql_id = a.sql_id
  and p.plan_hash_value = a.plan_hash_value {new:and p.con_dbid = a.con_dbid}
where a.place <= {top}
order by a.place, p.id
