-- columns: con owner segment_name partition_name segment_type segment_subtype tablespace_name #bytes buffer_pool
-- Segments of 1 MiB and more, without the recycle bin. Sizes are bytes allocated.
-- Takes 1-60 s; 10 min where there are 10^6 segments or the statistics of the dictionary are stale.
-- SEGMENT_SUBTYPE words are from general knowledge; unknown ones are passed on.
select {con:s} as con, s.owner as owner, s.segment_name as segment_name, s.partition_name as partition_name,
  s.segment_type as segment_type, s.segment_subtype as segment_subtype, s.tablespace_name as tablespace_name,
  s.bytes as bytes, s.buffer_pool as buffer_pool
from {d}_segments s
where s.bytes >= 1048576
  and s.segment_name not like 'BIN$%==$0'
