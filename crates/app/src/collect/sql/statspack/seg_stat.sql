-- columns: #snap_id #instance_number con owner tablespace_name object_name subobject_name object_type #physical_reads #read_requests #direct_reads #physical_writes #write_requests #direct_writes #table_scans #logical_reads
-- I/O by segment between two snapshots of one start (differences made here). Snapshots of level 7 and above
-- only; segments over a threshold only. The first snapshot of a segment gives no row: what it did before is
-- unknown, not 0. A counter that went down gives none either. A row covers the time since the snapshot that
-- last listed the segment, which may be more than one interval. No requests. Licence: none. Takes 1-120 s.
select q.snap_id as snap_id, q.instance_number as instance_number, cast(null as varchar2(30)) as con,
  o.owner as owner, o.tablespace_name as tablespace_name, o.object_name as object_name,
  o.subobject_name as subobject_name, o.object_type as object_type, q.physical_reads as physical_reads,
  cast(null as number) as read_requests, q.direct_reads as direct_reads,
  q.physical_writes as physical_writes, cast(null as number) as write_requests,
  q.direct_writes as direct_writes, cast(null as number) as table_scans, q.logical_reads as logical_reads
from (
  select x.snap_id as snap_id, x.instance_number as instance_number, x.dbid as dbid,
    x.dataobj# as dataobj#, x.obj# as obj#, x.ts# as ts#,
    x.physical_reads - lag(x.physical_reads) over ({segment}) as physical_reads,
    x.direct_physical_reads - lag(x.direct_physical_reads) over ({segment}) as direct_reads,
    x.physical_writes - lag(x.physical_writes) over ({segment}) as physical_writes,
    x.direct_physical_writes - lag(x.direct_physical_writes) over ({segment}) as direct_writes,
    x.logical_reads - lag(x.logical_reads) over ({segment}) as logical_reads
  from {snaps}
  join perfstat.stats$seg_stat x on x.dbid = s.dbid and x.instance_number = s.instance_number
    and x.snap_id = s.snap_id
) q
left join perfstat.stats$seg_stat_obj o on o.dbid = q.dbid and o.dataobj# = q.dataobj#
  and o.obj# = q.obj# and o.ts# = q.ts#
where q.physical_reads >= 0
  and q.direct_reads >= 0
  and q.physical_writes >= 0
  and q.direct_writes >= 0
  and q.logical_reads >= 0
  and q.physical_reads + q.physical_writes > 0
order by q.instance_number, q.snap_id
