-- columns: con sql_id #old_hash_value #plan_hash_value #children #executions #id #parent_id #depth operation options object_owner object_name object_type #cardinality #bytes #cost #io_cost #temp_space partition_start partition_stop #starts #disk_reads
-- Plans of the {top} statements with most blocks read, from snapshots of level 6 and above. EXECUTIONS are
-- given only where the statement had one plan: Statspack does not count them by plan. A plan is kept once a
-- plan hash, so where two schemas share text and plan the objects are those of the first.
-- Licence: none. Takes 1-120 s.
select cast(null as varchar2(30)) as con, a.sql_id as sql_id, a.old_hash_value as old_hash_value,
  p.plan_hash_value as plan_hash_value, cast(null as number) as children,
  case when u.plans = 1 then a.executions end as executions, p.id as id, p.parent_id as parent_id,
  p.depth as depth, p.operation as operation, p.options as options, p.object_owner as object_owner,
  p.object_name as object_name, p.object_type as object_type, p.cardinality as cardinality,
  p.bytes as bytes, p.cost as cost, p.io_cost as io_cost, p.temp_space as temp_space,
  p.partition_start as partition_start, p.partition_stop as partition_stop,
  cast(null as number) as starts, cast(null as number) as disk_reads
from (
  select q.sql_id as sql_id, q.old_hash_value as old_hash_value, sum(q.executions) as executions,
    row_number() over (order by sum(q.disk_reads) desc nulls last, q.sql_id) as place
  from {deltas}
  where q.executions >= 0
    and q.disk_reads >= 0
    and q.buffer_gets >= 0
    and q.elapsed_us >= 0
  group by q.sql_id, q.old_hash_value
) a
join (
  select g.old_hash_value as old_hash_value, g.plan_hash_value as plan_hash_value,
    count(*) over (partition by g.old_hash_value) as plans
  from (
    select distinct w.old_hash_value as old_hash_value, w.plan_hash_value as plan_hash_value
    from {snaps}
    join perfstat.stats$sql_plan_usage w on w.dbid = s.dbid and w.instance_number = s.instance_number
      and w.snap_id = s.snap_id
  ) g
) u on u.old_hash_value = a.old_hash_value
join perfstat.stats$sql_plan p on p.plan_hash_value = u.plan_hash_value
where a.place <= {top}
order by a.place, p.plan_hash_value, p.id
