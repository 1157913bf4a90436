//! Statements.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// One statement in one ranking.
///
/// Shape: one row a statement and ranking; a statement stands in several rankings. Unit: seconds,
/// blocks (`buffer_gets`, `physical_reads`), requests (`read_requests`), bytes (`read_bytes`), over the interval.
/// Missing: `None` where the ranking does not print the column. Source: `SQL ordered by ...`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SqlStat {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Ranking: elapsed_time, cpu_time, user_io_wait_time, buffer_gets, physical_reads,
    /// unoptimized_reads, executions, parse_calls, sharable_memory, version_count,
    /// cluster_wait_time.
    pub ranked_by: &'static str,
    /// SQL identifier (10g AWR and later).
    pub sql_id: Option<SmolStr>,
    /// Old hash value (Statspack).
    pub old_hash: Option<u64>,
    /// Plan hash value.
    pub plan_hash: Option<u64>,
    /// Executions.
    pub executions: Option<f64>,
    /// Elapsed time.
    pub elapsed_s: Option<f64>,
    /// CPU time.
    pub cpu_s: Option<f64>,
    /// User I/O wait time.
    pub io_wait_s: Option<f64>,
    /// Cluster wait time.
    pub cluster_wait_s: Option<f64>,
    /// Buffer gets.
    pub buffer_gets: Option<f64>,
    /// Physical reads, blocks.
    pub physical_reads: Option<f64>,
    /// Physical read requests.
    pub read_requests: Option<f64>,
    /// Physical reads, bytes: AWR-miner files print MB by statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<f64>,
    /// Unoptimized read requests (not served by flash cache or storage index).
    pub unoptimized_read_requests: Option<f64>,
    /// Rows processed.
    pub rows_processed: Option<f64>,
    /// Parse calls.
    pub parse_calls: Option<f64>,
    /// Sharable memory.
    pub sharable_memory_bytes: Option<f64>,
    /// Versions of the cursor.
    pub version_count: Option<f64>,
    /// Share of CPU in its elapsed time, percent.
    pub cpu_pct: Option<f64>,
    /// Share of User I/O in its elapsed time, percent.
    pub io_pct: Option<f64>,
    /// Share of the ranked quantity over the database, percent.
    pub share_pct: Option<f64>,
    /// Share of the quantity that all statements of the section account for, percent, as its
    /// header says; may exceed 100.
    pub captured_pct: Option<f64>,
    /// Total of the ranked quantity, as the section's header says.
    pub section_total: Option<f64>,
    /// Module.
    pub module: Option<SmolStr>,
    /// Kind of statement as AWR-miner files print it: `SELECT`, `PL/SQLEXECUTE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<SmolStr>,
    /// Container name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<SmolStr>,
}

impl SqlStat {
    /// What the report calls the statement: its SQL identifier, in old releases its hash.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.sql_id.as_ref().map(SmolStr::to_string).or_else(|| self.old_hash.map(|hash| hash.to_string()))
    }
}

/// Text of a statement.
///
/// Shape: one row a statement, the longest text that the report prints. Unit: none. Missing: no
/// row. Source: `Complete List of SQL Text`, else the clipped text beside the statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SqlText {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// SQL identifier.
    pub sql_id: Option<SmolStr>,
    /// Old hash value (Statspack).
    pub old_hash: Option<u64>,
    /// Text as printed; lines that the report wrapped are joined.
    pub text: String,
}
