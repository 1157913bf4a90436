-- columns: #snap_id #instance_number con owner tablespace_name object_name subobject_name object_type #physical_reads #read_requests #direct_reads #physical_writes #write_requests #direct_writes #table_scans #logical_reads
-- I/O by segment in each interval (differences). Only the top segments of each snapshot are kept, so sums
-- are lower bounds; a segment captured first may carry its total as difference (general knowledge).
-- Licence: none; DBA_HIST_SEG_STAT and DBA_HIST_SEG_STAT_OBJ are two of the six free views.
-- Takes 10-300 s.
select x.snap_id as snap_id, x.instance_number as instance_number, {con:x} as con, o.owner as owner,
  o.tablespace_name as tablespace_name, o.object_name as object_name, o.subobject_name as subobject_name,
  o.object_type as object_type, x.physical_reads_delta as physical_reads,
  x.physical_read_requests_delta as read_requests, x.physical_reads_direct_delta as direct_reads,
  x.physical_writes_delta as physical_writes, x.physical_write_requests_delta as write_requests,
  x.physical_writes_direct_delta as direct_writes, x.table_scans_delta as table_scans,
  x.logical_reads_delta as logical_reads
from {snaps}
join dba_hist_seg_stat x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
left join dba_hist_seg_stat_obj o on o.dbid = x.dbid and o.ts# = x.ts# and o.obj# = x.obj#
  and o.dataobj# = x.dataobj# {new:and o.con_dbid = x.con_dbid}
where nvl(x.physical_reads_delta, 0) <> 0
  or nvl(x.physical_writes_delta, 0) <> 0
  or nvl(x.physical_read_requests_delta, 0) <> 0
  or nvl(x.physical_write_requests_delta, 0) <> 0
order by x.instance_number, x.snap_id
