-- columns: con username tablespace_name #bytes #max_bytes
-- Quotas on tablespaces, -1 for unlimited; and who holds UNLIMITED TABLESPACE (no tablespace).
-- Takes seconds.
select {con:q} as con, q.username as username, q.tablespace_name as tablespace_name, q.bytes as bytes,
  q.max_bytes as max_bytes
from {d}_ts_quotas q
union all
select {con:p} as con, p.grantee as username, null as tablespace_name, null as bytes, -1 as max_bytes
from {d}_sys_privs p
where p.privilege = 'UNLIMITED TABLESPACE'
