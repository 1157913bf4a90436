//! I/O by tablespace, file, function, file type and segment.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// I/O of one tablespace.
///
/// Shape: one row a tablespace (and instance, container). Unit: reads and writes are requests;
/// microseconds a request. Missing: `None` where blank, `N/A`, overprinted or known to be
/// misprinted. Source: `Tablespace IO Stats`; milliseconds to one digit, so +-50 us.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TablespaceIo {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Container name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Tablespace.
    pub tablespace: String,
    /// Read requests.
    pub reads: Option<f64>,
    /// Read requests a second.
    pub reads_per_s: Option<f64>,
    /// Mean read.
    pub avg_read_us: Option<f64>,
    /// Blocks a read.
    pub blocks_per_read: Option<f64>,
    /// Single-block reads a second.
    pub one_block_reads_per_s: Option<f64>,
    /// Mean single-block read.
    pub one_block_avg_us: Option<f64>,
    /// Write requests.
    pub writes: Option<f64>,
    /// Write requests a second.
    pub writes_per_s: Option<f64>,
    /// Mean write.
    pub avg_write_us: Option<f64>,
    /// Buffer waits.
    pub buffer_waits: Option<f64>,
    /// Mean buffer wait.
    pub avg_buffer_wait_us: Option<f64>,
    /// Share of reads served by flash cache or storage index, percent.
    pub optimized_reads_pct: Option<f64>,
}

/// I/O of one file.
///
/// Shape: one row a file (and instance). Unit, missing: as [`TablespaceIo`]. Source: `File IO
/// Stats`; several files can share one clipped name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FileIo {
    /// File name as printed.
    pub file: String,
    /// Its measures, and the tablespace it belongs to.
    #[serde(flatten)]
    pub io: TablespaceIo,
}

/// I/O by function, by file type, or by both.
///
/// Shape: one row a function, a file type or a pair; totals carry `is_total`. Unit: bytes, bytes
/// or requests a second, microseconds. Missing: `None` where blank or `N/A`. Source: `IOStat by
/// Function summary`, `IOStat by Filetype summary`, `IOStat by Function/Filetype summary`,
/// `IO Stat by Function`; data in multiples of 1024, requests and counts of 1000.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct IoActivity {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Function, in full (`Buffer Cache Reads`).
    pub function: Option<String>,
    /// File type.
    pub filetype: Option<String>,
    /// Sum over the other rows, as printed.
    pub is_total: bool,
    /// Bytes read.
    pub read_bytes: Option<f64>,
    /// Bytes written.
    pub write_bytes: Option<f64>,
    /// Read requests a second.
    pub reads_per_s: Option<f64>,
    /// Bytes read a second.
    pub read_bytes_per_s: Option<f64>,
    /// Write requests a second.
    pub writes_per_s: Option<f64>,
    /// Bytes written a second.
    pub write_bytes_per_s: Option<f64>,
    /// Waits.
    pub waits: Option<f64>,
    /// Mean wait.
    pub avg_wait_us: Option<f64>,
    /// Mean service time of small reads (file types).
    pub small_read_us: Option<f64>,
    /// Mean service time of large reads (file types).
    pub large_read_us: Option<f64>,
    /// Requests over the interval by size, where printed (Statspack detail).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small_read_requests: Option<f64>,
    /// Large read requests over the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub large_read_requests: Option<f64>,
    /// Small write requests over the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small_write_requests: Option<f64>,
    /// Large write requests over the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub large_write_requests: Option<f64>,
}

/// One segment in one ranking.
///
/// Shape: one row a segment and ranking. Unit: that of the ranking (blocks, requests, waits).
/// Missing: `None` where blank. Source: `Segments by ...`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SegmentStat {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Ranking: logical_reads, physical_reads, physical_read_requests, unoptimized_reads,
    /// optimized_reads, direct_reads, physical_writes, physical_write_requests, direct_writes,
    /// table_scans, block_changes, row_lock_waits, itl_waits, buffer_busy_waits, gc_*.
    pub ranked_by: &'static str,
    /// Owner.
    pub owner: Option<SmolStr>,
    /// Tablespace.
    pub tablespace: Option<SmolStr>,
    /// Object.
    pub object: Option<SmolStr>,
    /// Partition or subpartition.
    pub subobject: Option<SmolStr>,
    /// Type, as printed (`TABLE`, `INDEX`, `LOB`).
    pub object_type: Option<SmolStr>,
    /// Object number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_number: Option<u64>,
    /// Container name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<SmolStr>,
    /// Value of the ranking.
    pub value: Option<f64>,
    /// Share of the database's total, percent.
    pub share_pct: Option<f64>,
    /// Share of the total that all segments of the section account for, percent.
    pub captured_pct: Option<f64>,
    /// Total of the ranked quantity, as the section's header says.
    pub section_total: Option<f64>,
    /// Which names fill their columns.
    #[serde(skip)]
    pub filled: FilledNames,
}

/// Names of a row that are as long as their column in a text report, so what follows may be cut off.
///
/// Missing: `false` where the name is shorter, or where the layout cuts nothing off (HTML, histories).
/// Source: the dashes under the headings of `Segments by ...`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FilledNames {
    pub owner: bool,
    pub tablespace: bool,
    pub object: bool,
    pub subobject: bool,
}
