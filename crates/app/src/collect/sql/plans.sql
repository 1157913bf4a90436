-- columns: con sql_id #old_hash_value #plan_hash_value #children #executions #id #parent_id #depth operation options object_owner object_name object_type #cardinality #bytes #cost #io_cost #temp_space partition_start partition_stop #starts #disk_reads
-- Plans of the {top} statements with most blocks read. Child cursors with one plan are one row: CHILDREN and
-- EXECUTIONS are those of the children whose plan has this very line, so that one text parsed in two
-- schemas keeps its objects apart. Estimates are the largest of the children. This instance only.
-- STARTS and DISK_READS are empty unless statistics_level was ALL or gather_plan_statistics was given.
-- Takes 1-60 s; minutes with a shared pool of 20 GiB and more, and library cache mutexes meanwhile.
-- Lines of an adaptive plan that were not used are listed too.
select {con:a} as con, a.sql_id as sql_id, cast(null as number) as old_hash_value,
  a.plan_hash_value as plan_hash_value, a.children as children, a.executions as executions, a.id as id,
  a.parent_id as parent_id, a.depth as depth, a.operation as operation, a.options as options,
  a.object_owner as object_owner, a.object_name as object_name, a.object_type as object_type,
  a.cardinality as cardinality, a.bytes as bytes, a.cost as cost, a.io_cost as io_cost,
  a.temp_space as temp_space, a.partition_start as partition_start, a.partition_stop as partition_stop,
  a.starts as starts, a.disk_reads as disk_reads
from (
  select {root:p.con_id as con_id,} p.sql_id as sql_id, p.plan_hash_value as plan_hash_value,
    count(*) as children, sum(c.executions) as executions, p.id as id, p.parent_id as parent_id,
    p.depth as depth, p.operation as operation, p.options as options, p.object_owner as object_owner,
    p.object_name as object_name, p.object_type as object_type, max(p.cardinality) as cardinality,
    max(p.bytes) as bytes, max(p.cost) as cost, max(p.io_cost) as io_cost, max(p.temp_space) as temp_space,
    p.partition_start as partition_start, p.partition_stop as partition_stop, sum(p.starts) as starts,
    sum(p.disk_reads) as disk_reads
  from (
    select {root:w.con_id as con_id,} w.sql_id as sql_id
    from (
      select {root:v.con_id as con_id,} v.sql_id as sql_id,
        row_number() over (order by sum(v.disk_reads) desc nulls last, v.sql_id) as place
      from v$sqlstats v
      group by {root:v.con_id,} v.sql_id
    ) w
    where w.place <= {top}
  ) t
  join v$sql c on c.sql_id = t.sql_id {root:and c.con_id = t.con_id}
  join v$sql_plan_statistics_all p on p.address = c.address and p.sql_id = c.sql_id
    and p.child_number = c.child_number and p.plan_hash_value = c.plan_hash_value
    {root:and p.con_id = c.con_id}
  group by {root:p.con_id,} p.sql_id, p.plan_hash_value, p.id, p.parent_id, p.depth, p.operation, p.options,
    p.object_owner, p.object_name, p.object_type, p.partition_start, p.partition_stop
) a
order by a.sql_id, a.plan_hash_value, a.id
