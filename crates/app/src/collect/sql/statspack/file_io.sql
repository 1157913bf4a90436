-- columns: #snap_id #instance_number tablespace_name file_name #reads #read_cs #blocks_read #single_reads #single_read_cs #writes #write_cs #blocks_written
-- I/O by file, cumulative, times in centiseconds. Licence: none. Takes 1-60 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.tsname as tablespace_name,
  x.filename as file_name, x.phyrds as reads, x.readtim as read_cs, x.phyblkrd as blocks_read,
  x.singleblkrds as single_reads, x.singleblkrdtim as single_read_cs, x.phywrts as writes,
  x.writetim as write_cs, x.phyblkwrt as blocks_written
from {snaps}
join perfstat.stats$filestatxs x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
union all
select x.snap_id as snap_id, x.instance_number as instance_number, x.tsname as tablespace_name,
  x.filename as file_name, x.phyrds as reads, x.readtim as read_cs, x.phyblkrd as blocks_read,
  x.singleblkrds as single_reads, x.singleblkrdtim as single_read_cs, x.phywrts as writes,
  x.writetim as write_cs, x.phyblkwrt as blocks_written
from {snaps}
join perfstat.stats$tempstatxs x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
