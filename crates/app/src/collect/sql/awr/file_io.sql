-- columns: #snap_id #instance_number tablespace_name file_name #reads #read_cs #blocks_read #single_reads #single_read_cs #writes #write_cs #blocks_written
-- I/O by file, cumulative, times in centiseconds. Mostly empty from 12.2 on, where snapshots leave file
-- statistics out. Licence: Diagnostics Pack. Takes 1-120 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.tsname as tablespace_name,
  x.filename as file_name, x.phyrds as reads, x.readtim as read_cs, x.phyblkrd as blocks_read,
  x.singleblkrds as single_reads, x.singleblkrdtim as single_read_cs, x.phywrts as writes,
  x.writetim as write_cs, x.phyblkwrt as blocks_written
from {snaps}
join dba_hist_filestatxs x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
union all
select t.snap_id as snap_id, t.instance_number as instance_number, t.tsname as tablespace_name,
  t.filename as file_name, t.phyrds as reads, t.readtim as read_cs, t.phyblkrd as blocks_read,
  t.singleblkrds as single_reads, t.singleblkrdtim as single_read_cs, t.phywrts as writes,
  t.writetim as write_cs, t.phyblkwrt as blocks_written
from {snaps}
join dba_hist_tempstatxs t on t.dbid = s.dbid and t.instance_number = s.instance_number
  and t.snap_id = s.snap_id
