-- columns: #snap_id #instance_number name #value
-- Statistics of I/O, redo and work, cumulative since the start of the instance.
-- Licence: Diagnostics Pack. Takes 10-120 s for 30 days.
select x.snap_id as snap_id, x.instance_number as instance_number, x.stat_name as name, x.value as value
from {snaps}
join dba_hist_sysstat x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
where x.stat_name like 'physical %'
  or x.stat_name like 'redo %'
  or x.stat_name like 'flash cache %'
  or x.stat_name like 'DBWR %checkpoint%'
  or x.stat_name like 'table scans (%'
  or x.stat_name like 'workarea executions - %'
  or x.stat_name like 'cell flash cache read hits%'
  or x.stat_name like 'cell physical IO %'
  or x.stat_name in ({stat_names})
order by x.instance_number, x.snap_id, x.stat_name
