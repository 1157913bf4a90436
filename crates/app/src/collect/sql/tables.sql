-- columns: con owner table_name tablespace_name partitioned iot_type cluster_name temporary nested has_long degree logging compression compress_for buffer_pool #num_rows #blocks
-- Attributes of tables that decide how they move. NUM_ROWS and BLOCKS are statistics of the optimizer.
-- Takes 1-60 s. Object tables and XMLType tables are not in DBA_TABLES, so they are missing here.
-- DROPPED may be empty for what is partitioned (general knowledge): that counts as not dropped.
select {con:t} as con, t.owner as owner, t.table_name as table_name, t.tablespace_name as tablespace_name,
  t.partitioned as partitioned, t.iot_type as iot_type, t.cluster_name as cluster_name,
  t.temporary as temporary, t.nested as nested,
  case when l.table_name is null then 'NO' else 'YES' end as has_long,
  trim(t.degree) as degree, t.logging as logging, t.compression as compression,
  t.compress_for as compress_for, t.buffer_pool as buffer_pool, t.num_rows as num_rows, t.blocks as blocks
from {d}_tables t
left join (
  select distinct {root:c.con_id as con_id,} c.owner as owner, c.table_name as table_name
  from {d}_tab_cols c
  where c.data_type in ('LONG', 'LONG RAW')
) l on l.owner = t.owner and l.table_name = t.table_name {root:and l.con_id = t.con_id}
where nvl(t.dropped, 'NO') = 'NO'
