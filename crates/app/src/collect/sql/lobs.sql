-- columns: con owner table_name column_name segment_name index_name tablespace_name securefile partitioned
-- LOB columns and their segments. A column path of more than 1000 bytes is left empty, not cut.
-- Takes 1-30 s.
select {con:b} as con, b.owner as owner, b.table_name as table_name,
  case when lengthb(b.column_name) <= 1000 then b.column_name end as column_name,
  b.segment_name as segment_name, b.index_name as index_name, b.tablespace_name as tablespace_name,
  b.securefile as securefile, b.partitioned as partitioned
from {d}_lobs b
where b.table_name not like 'BIN$%==$0'
