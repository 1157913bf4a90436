-- columns: con tablespace_name #segments #bytes
-- Segments under 1 MiB, summed by tablespace, without the recycle bin. Takes as long as the section before.
select {con:s} as con, s.tablespace_name as tablespace_name, s.segments as segments, s.bytes as bytes
from (
  select {root:z.con_id as con_id,} z.tablespace_name as tablespace_name, count(*) as segments,
    sum(z.bytes) as bytes
  from {d}_segments z
  where z.bytes < 1048576
    and z.segment_name not like 'BIN$%==$0'
  group by {root:z.con_id,} z.tablespace_name
) s
