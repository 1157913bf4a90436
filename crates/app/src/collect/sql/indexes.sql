-- columns: con owner index_name index_type table_owner table_name uniqueness tablespace_name status partitioned join_index degree logging buffer_pool
-- Attributes of indexes. STATUS is N/A where the partitions have their own. Takes 1-60 s.
-- DROPPED may be empty for what is partitioned (general knowledge): that counts as not dropped.
select {con:i} as con, i.owner as owner, i.index_name as index_name, i.index_type as index_type,
  i.table_owner as table_owner, i.table_name as table_name, i.uniqueness as uniqueness,
  i.tablespace_name as tablespace_name, i.status as status, i.partitioned as partitioned,
  i.join_index as join_index, trim(i.degree) as degree, i.logging as logging, i.buffer_pool as buffer_pool
from {d}_indexes i
where nvl(i.dropped, 'NO') = 'NO'
