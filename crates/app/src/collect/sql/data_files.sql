-- columns: con #file_id tablespace_name file_name #bytes #maxbytes autoextensible
-- Data files. BYTES is empty for a file that is offline (general knowledge). Takes seconds.
select {con:f} as con, f.file_id as file_id, f.tablespace_name as tablespace_name, f.file_name as file_name,
  f.bytes as bytes, f.maxbytes as maxbytes, f.autoextensible as autoextensible
from {d}_data_files f
