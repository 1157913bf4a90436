//! What a report says, once: typed rows with their units and the line they came from.
//!
//! A [`Report`] is one report (or one period of a compare-period report, or one interval of an
//! AWR-miner file). `evidence` fills it, `diagnosis` and `presentation` read it. Nothing here
//! reads a file, a clock or an option.
//!
//! Unknown is `None`, never zero. Units end the names: `_s` seconds, `_us` microseconds, `_pct`
//! percent (0-100), `_bytes` bytes.

mod cache_rows;
pub mod clock;
mod collected;
mod commit_model;
mod copies;
mod demand;
pub mod hidden;
mod identity;
mod interval;
mod io_rows;
mod ledger;
mod memory_rows;
mod percentiles;
mod pool_rows;
mod printed;
mod profile_rows;
mod raw_rows;
mod result_rows;
mod spans;
mod sql_rows;
mod tables;
mod wait_rows;

pub use cache_rows::{DictionaryCache, LibraryCache};
pub use collected::{
    CachedObject, Collected, CollectedFile, CollectedIndex, CollectedLob, CollectedOrigin, CollectedSegment,
    CollectedTable, CollectedTablespace, ControlFile, PlanRow, Quota, RedoGroup, SmallSegments,
    StatementTotals,
};
pub use commit_model::{CommitModel, expected_commit_wait, second_moment_us2};
pub use copies::{Seen, copies, other_host, other_instance};
pub use demand::{Quantity, Reading, Statistics, readings, readings_of, same_name, with_skew};
pub use identity::{Identity, Kind, Layout, Period, Scope, epoch_s};
pub use interval::Interval;
pub use io_rows::{FileIo, FilledNames, IoActivity, SegmentStat, TablespaceIo};
pub use ledger::{
    ADDM_FINDINGS, DB_TIME_DIFFERS, HEADER, MISSING_FROM_HISTORY, Note, ROWS_LEFT_OUT, RawTable,
    SAMPLES_MISSING, Section, SectionId, SectionStatus,
};
pub use memory_rows::{DbCacheAdvice, Parameter, PgaAdvice};
pub use percentiles::Peak;
pub use pool_rows::{
    MemoryComponent, MttrAdvice, PoolAdvice, ProcessMemory, SgaComponent, SgaRegion, StreamsPoolAdvice,
};
pub use printed::{Cells, Keys, PrintedRow, Value};
pub use profile_rows::{
    AddmFinding, HostCpu, InstanceCpu, InstanceStat, IoProfileRow, LoadProfileRow, Metric, OsSnapshot,
    OsStat, SysMetric, TimeModelRow,
};
pub use raw_rows::RawRows;
pub use result_rows::{IoCalibration, IoResult};
/// A name as kept: up to 23 bytes without memory of its own, a constant without a copy.
pub use smol_str::SmolStr;
pub use spans::{SNAPSHOTS_APART_S, Span, Spans, clash, counted_once};
pub use sql_rows::{SqlStat, SqlText};
pub use tables::{Beside, ClassSessions, Report, Tables};
pub use wait_rows::{HistogramBucket, ShareOf, Side, TopEvent, WaitClassRow, WaitEvent, WaitHistogram};
