-- columns: name #bytes
-- Control files. Takes seconds.
select c.name as name, c.block_size * c.file_size_blks as bytes
from v$controlfile c
