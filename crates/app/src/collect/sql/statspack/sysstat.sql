-- columns: #snap_id #instance_number name #value
-- Statistics of I/O, redo and work, cumulative since the start of the instance. Licence: none. Takes 1-60 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.name as name, x.value as value
from {snaps}
join perfstat.stats$sysstat x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
where x.name like 'physical %'
  or x.name like 'redo %'
  or x.name like 'flash cache %'
  or x.name like 'DBWR %checkpoint%'
  or x.name like 'table scans (%'
  or x.name like 'workarea executions - %'
  or x.name like 'cell flash cache read hits%'
  or x.name like 'cell physical IO %'
  or x.name in ({stat_names})
order by x.instance_number, x.snap_id, x.name
