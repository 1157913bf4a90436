-- columns: con tablespace_name #block_size contents bigfile segment_space_management encrypted logging force_logging
-- Tablespaces. Takes seconds.
select {con:t} as con, t.tablespace_name as tablespace_name, t.block_size as block_size,
  t.contents as contents, t.bigfile as bigfile, t.segment_space_management as segment_space_management,
  t.encrypted as encrypted, t.logging as logging, t.force_logging as force_logging
from {d}_tablespaces t
