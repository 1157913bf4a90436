//! Memory: advice on the pools of the SGA, what the SGA and the processes hold, resizes.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// One size in the advice on the shared pool or the Java pool.
///
/// Shape: one row a size. Unit: bytes; seconds and hits since the instance started. Missing: `None`
/// where blank or overprinted. Source: `Shared Pool Advisory`, `Java Pool Advisory` (9.2 and later,
/// end snapshot); hits are printed in thousands where the heading says `(K)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PoolAdvice {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Size of the pool.
    pub size_bytes: Option<f64>,
    /// Size as a share of the present one.
    pub size_factor: Option<f64>,
    /// Estimated size of the library cache in it.
    pub library_cache_bytes: Option<f64>,
    /// Estimated objects in the library cache.
    pub library_cache_objects: Option<f64>,
    /// Estimated parse time saved, seconds.
    pub time_saved_s: Option<f64>,
    /// The same as a share of the present one.
    pub time_saved_factor: Option<f64>,
    /// Estimated time to load objects, seconds.
    pub load_time_s: Option<f64>,
    /// The same as a share of the present one.
    pub load_time_factor: Option<f64>,
    /// Estimated times that an object was found.
    pub object_hits: Option<f64>,
}

/// One size in the advice on the streams pool.
///
/// Shape: one row a size. Unit: bytes; seconds. Missing: `None` where blank or overprinted. Source:
/// `Streams Pool Advisory` (10.2 and later).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StreamsPoolAdvice {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Size of the pool.
    pub size_bytes: Option<f64>,
    /// Size as a share of the present one.
    pub size_factor: Option<f64>,
    /// Estimated messages spilled to disk.
    pub spills: Option<f64>,
    /// Estimated time to spill, seconds.
    pub spill_time_s: Option<f64>,
    /// Estimated messages read back.
    pub unspills: Option<f64>,
    /// Estimated time to read back, seconds.
    pub unspill_time_s: Option<f64>,
}

/// One recovery time in the advice on checkpoints.
///
/// Shape: one row a target. Unit: seconds; blocks since the instance started; factors are shares of
/// the present value. Missing: `None` where blank. Source: `MTTR Advisory` (11.2 and later).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MttrAdvice {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// `fast_start_mttr_target`, seconds.
    pub target_s: Option<f64>,
    /// Dirty buffers allowed.
    pub dirty_limit: Option<f64>,
    /// Estimated writes from the cache.
    pub cache_writes: Option<f64>,
    /// The same as a share of the present ones.
    pub cache_write_factor: Option<f64>,
    /// Estimated writes in all.
    pub total_writes: Option<f64>,
    /// The same as a share of the present ones.
    pub total_write_factor: Option<f64>,
    /// Estimated reads and writes in all.
    pub total_ios: Option<f64>,
    /// The same as a share of the present ones.
    pub total_io_factor: Option<f64>,
}

/// One part of the SGA.
///
/// Shape: one row a region, one for all (`is_total`). Unit: bytes. Missing: `None`; a blank end is
/// the begin value, and stays `None` as printed. Source: `SGA Memory Summary`; OSPRep prints `M` and
/// `K` with one decimal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SgaRegion {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Region as printed: `Database Buffers`, `Redo Buffers`.
    pub region: SmolStr,
    /// The sum of the regions.
    pub is_total: bool,
    /// Size at the begin snapshot.
    pub begin_bytes: Option<f64>,
    /// Size at the end snapshot, where it differs.
    pub end_bytes: Option<f64>,
}

/// One component of the SGA's pools.
///
/// Shape: one row a pool and name. Unit: bytes. Missing: `None` where blank: not there at that
/// snapshot, or too small to be printed. Source: `SGA breakdown difference` (to 11.1 and in
/// Statspack of 10g in bytes, else MB).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SgaComponent {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Pool as printed, `None` for what stands in none (buffer cache, fixed SGA).
    pub pool: Option<SmolStr>,
    /// Component as printed; text layouts cut it.
    pub name: SmolStr,
    /// Size at the begin snapshot.
    pub begin_bytes: Option<f64>,
    /// Size at the end snapshot.
    pub end_bytes: Option<f64>,
    /// Change as printed, percent.
    pub diff_pct: Option<f64>,
}

/// Size of one component that Oracle resizes by itself.
///
/// Shape: one row a component. Unit: bytes. Missing: `None` where blank; a blank end of Statspack is
/// the begin value. Source: `Memory Dynamic Components` (11.1 and later); text layouts cut names.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MemoryComponent {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Component as printed.
    pub component: SmolStr,
    /// Size at the begin snapshot.
    pub begin_bytes: Option<f64>,
    /// Size at the end snapshot.
    pub end_bytes: Option<f64>,
    /// Least size since the instance started.
    pub min_bytes: Option<f64>,
    /// Greatest size since the instance started.
    pub max_bytes: Option<f64>,
    /// Resizes.
    pub operations: Option<f64>,
    /// The last one, as printed: `GROW/IMM`.
    pub last_operation: Option<String>,
}

/// Memory of processes at a snapshot, by category.
///
/// Shape: one row a snapshot and category; one for all categories (`is_total`), where printed; one a
/// process and category in `Top Process Memory`. Unit: bytes. Missing: `None` where blank or `N/A`.
/// Source: `Process Memory Summary` (10.2 and later; KB in compare-period reports, else MB),
/// `Process Memory Summary Stats`, `Top Process Memory (by component)` (Statspack).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProcessMemory {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Container, where printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// `begin` or `end`.
    pub snapshot: Option<&'static str>,
    /// Oracle's process number (Statspack).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<u64>,
    /// Name of a background process (Statspack).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_name: Option<SmolStr>,
    /// `SQL`, `PL/SQL`, `Freeable`, `Other`, `JAVA`, `OLAP`; `None` for all.
    pub category: Option<SmolStr>,
    /// The sum of the categories.
    pub is_total: bool,
    /// Allocated.
    pub allocated_bytes: Option<f64>,
    /// Used.
    pub used_bytes: Option<f64>,
    /// Could be given back.
    pub freeable_bytes: Option<f64>,
    /// Mean of the allocations.
    pub avg_allocated_bytes: Option<f64>,
    /// Standard deviation of the allocations.
    pub std_dev_bytes: Option<f64>,
    /// Greatest allocation at the snapshot.
    pub max_allocated_bytes: Option<f64>,
    /// Greatest allocation of processes that are still connected.
    pub hist_max_bytes: Option<f64>,
    /// Processes.
    pub processes: Option<f64>,
    /// Allocations.
    pub allocations: Option<f64>,
}
