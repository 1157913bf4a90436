//! Advice on memory, and parameters.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// One size in the buffer cache advice.
///
/// Shape: one row a pool and size. Unit: bytes; factors are shares of the present size or reads.
/// Missing: `None` where blank or overprinted. Source: `Buffer Pool Advisory`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DbCacheAdvice {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Pool: `D` default, `K` keep, `R` recycle; other block sizes as printed.
    pub pool: Option<String>,
    /// Size of the cache.
    pub size_bytes: Option<f64>,
    /// Size as a share of the present one.
    pub size_factor: Option<f64>,
    /// Buffers.
    pub buffers: Option<f64>,
    /// Estimated reads as a share of the present ones.
    pub read_factor: Option<f64>,
    /// Estimated reads since the instance started.
    pub estimated_reads: Option<f64>,
    /// Estimated read time, seconds, where printed.
    pub estimated_read_time_s: Option<f64>,
    /// Estimated read time as a share of DB time, percent, where printed.
    pub estimated_db_time_pct: Option<f64>,
}

/// One size in the PGA advice.
///
/// Shape: one row a target. Unit: bytes; percent. Missing: `None` where blank or overprinted.
/// Source: `PGA Memory Advisory`, `PGA Target Advisory`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PgaAdvice {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// PGA target.
    pub target_bytes: Option<f64>,
    /// Target as a share of the present one.
    pub size_factor: Option<f64>,
    /// Work-area bytes processed since start.
    pub processed_bytes: Option<f64>,
    /// Estimated extra bytes read and written to temp.
    pub extra_rw_bytes: Option<f64>,
    /// Estimated cache hit percentage.
    pub cache_hit_pct: Option<f64>,
    /// Estimated over-allocations.
    pub over_allocations: Option<f64>,
    /// Estimated time to process, seconds, where printed.
    pub estimated_time_s: Option<f64>,
}

/// One value of one parameter.
///
/// Shape: one row a value; a parameter with several values has one row each with `ordinal`.
/// Unit: as printed. Missing: `None` where blank. Source: `init.ora Parameters` and its kin; a
/// parameter that is not listed is at its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Parameter {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row; `None` where it is for all (`*`).
    pub instance_number: Option<u32>,
    /// Parameter.
    pub name: SmolStr,
    /// Value at the begin snapshot.
    pub begin_value: Option<SmolStr>,
    /// Value at the end snapshot, where it differs.
    pub end_value: Option<SmolStr>,
    /// Position among several values, from 1.
    pub ordinal: Option<u32>,
    /// Container that the value is set in, where printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<SmolStr>,
}
