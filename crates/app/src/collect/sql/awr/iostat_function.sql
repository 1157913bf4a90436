-- columns: #snap_id #instance_number name #small_read_mb #small_write_mb #large_read_mb #large_write_mb #small_read_reqs #small_write_reqs #large_read_reqs #large_write_reqs #waits #wait_ms
-- I/O by function, cumulative; WAIT_MS of synchronous waits only. Licence: Diagnostics Pack. Takes 1-60 s.
select x.snap_id as snap_id, x.instance_number as instance_number, x.function_name as name,
  x.small_read_megabytes as small_read_mb, x.small_write_megabytes as small_write_mb,
  x.large_read_megabytes as large_read_mb, x.large_write_megabytes as large_write_mb,
  x.small_read_reqs as small_read_reqs, x.small_write_reqs as small_write_reqs,
  x.large_read_reqs as large_read_reqs, x.large_write_reqs as large_write_reqs,
  x.number_of_waits as waits, x.wait_time as wait_ms
from {snaps}
join dba_hist_iostat_function x on x.dbid = s.dbid and x.instance_number = s.instance_number
  and x.snap_id = s.snap_id
order by x.instance_number, x.snap_id, x.function_name
