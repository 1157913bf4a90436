-- columns: #thread #group_no type #bytes #blocksize status member
-- Online and standby redo, one row a member. BYTES is the size of each member. Takes seconds.
-- Columns of these views are from general knowledge.
select l.thread# as thread, l.group# as group_no, 'ONLINE' as type, l.bytes as bytes,
  l.blocksize as blocksize, l.status as status, f.member as member
from v$log l
left join v$logfile f on f.group# = l.group#
union all
select s.thread# as thread, s.group# as group_no, 'STANDBY' as type, s.bytes as bytes,
  s.blocksize as blocksize, s.status as status, g.member as member
from v$standby_log s
left join v$logfile g on g.group# = s.group#
