//! What `spindle collect` gathers beside the reports: sizes, plans, cached blocks.
//!
//! A [`Collected`] is one spool file. Names are as in the dictionary: case kept, unquoted.

use crate::{Note, Section};
use serde::Serialize;

/// One spool file of `spindle collect`, or a list of segments, plans or cached objects that somebody
/// made otherwise.
///
/// Shape: one a file; a file holds one or several of the tables. Missing: an empty table where the
/// file has no such section, or where the section broke off (a note says so).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collected {
    /// File (and member) that it was read from.
    pub source: String,
    /// Which database it was gathered from.
    pub origin: CollectedOrigin,
    /// Sections met: read, broken off, refused by the database (with its error).
    pub sections: Vec<Section>,
    /// Doubts.
    pub notes: Vec<Note>,
    /// Segments with their sizes.
    pub segments: Vec<CollectedSegment>,
    /// Segments too small to be listed, summed by tablespace.
    pub small_segments: Vec<SmallSegments>,
    /// Attributes of tables.
    pub tables: Vec<CollectedTable>,
    /// Attributes of indexes.
    pub indexes: Vec<CollectedIndex>,
    /// Columns that are LOBs.
    pub lobs: Vec<CollectedLob>,
    /// Data and temp files.
    pub files: Vec<CollectedFile>,
    /// Tablespaces.
    pub tablespaces: Vec<CollectedTablespace>,
    /// Groups of the online redo log.
    pub redo_groups: Vec<RedoGroup>,
    /// Control files.
    pub control_files: Vec<ControlFile>,
    /// Quotas on tablespaces.
    pub quotas: Vec<Quota>,
    /// Plan rows.
    pub plan_rows: Vec<PlanRow>,
    /// Totals of statements.
    pub statements: Vec<StatementTotals>,
    /// Plan rows of the history, kept apart: most of its statements are in `plan_rows` too.
    pub history_plan_rows: Vec<PlanRow>,
    /// Totals of statements over the days of the history; lower bounds, as only top statements are
    /// kept.
    pub history_statements: Vec<StatementTotals>,
    /// Blocks in the buffer cache and the flash cache, by object.
    pub cached: Vec<CachedObject>,
}

/// Which database a file was gathered from. Missing: `None` where the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CollectedOrigin {
    pub db_name: Option<String>,
    pub db_id: Option<u64>,
    pub container: Option<String>,
    pub version: Option<String>,
    pub host: Option<String>,
    pub platform: Option<String>,
    /// Instance that the script was connected to.
    pub instance_number: Option<u32>,
    /// Instances that were open.
    pub instances: Option<u32>,
    /// ISO 8601 without zone, time of the database's host.
    pub collected_at: Option<String>,
    pub block_size_bytes: Option<u64>,
}

/// One segment.
///
/// Shape: one row a segment (table, partition, index, LOB ...). Unit: bytes allocated. Missing:
/// `None` where the list does not say. Source: `DBA_SEGMENTS`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedSegment {
    pub line: u32,
    pub container: Option<String>,
    pub owner: Option<String>,
    pub segment: String,
    pub partition: Option<String>,
    /// As in the dictionary: `TABLE`, `INDEX PARTITION`, `LOBSEGMENT` ...
    pub segment_type: Option<String>,
    /// `ASSM`, `MSSM`, `SECUREFILE`.
    pub segment_subtype: Option<String>,
    pub tablespace: Option<String>,
    pub bytes: Option<f64>,
    pub buffer_pool: Option<String>,
}

/// Segments too small to be listed, of one tablespace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SmallSegments {
    pub line: u32,
    pub container: Option<String>,
    pub tablespace: String,
    pub segments: Option<f64>,
    pub bytes: Option<f64>,
}

/// Attributes of a table that decide how it moves.
///
/// Shape: one row a table. Missing: `None` where not listed. Source: `DBA_TABLES`, `DBA_TAB_COLS`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedTable {
    pub line: u32,
    pub container: Option<String>,
    pub owner: String,
    pub table: String,
    pub tablespace: Option<String>,
    pub partitioned: Option<bool>,
    /// `IOT`, `IOT_OVERFLOW`, `IOT_MAPPING`; `None` for a heap table.
    pub iot_type: Option<String>,
    pub cluster: Option<String>,
    pub temporary: Option<bool>,
    pub nested: Option<bool>,
    /// Has a LONG or LONG RAW column, which no move takes along.
    pub has_long: Option<bool>,
    pub degree: Option<String>,
    pub logging: Option<bool>,
    /// Kind of compression where the dictionary says (`BASIC`, `QUERY HIGH`), else `ENABLED`,
    /// `DISABLED`.
    pub compression: Option<String>,
    pub buffer_pool: Option<String>,
    pub rows: Option<f64>,
    pub blocks: Option<f64>,
}

/// Attributes of an index. Source: `DBA_INDEXES`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedIndex {
    pub line: u32,
    pub container: Option<String>,
    pub owner: String,
    pub index: String,
    /// `NORMAL`, `BITMAP`, `IOT - TOP`, `LOB`, `DOMAIN` ...
    pub index_type: Option<String>,
    pub table_owner: Option<String>,
    pub table: Option<String>,
    pub unique: Option<bool>,
    pub tablespace: Option<String>,
    /// `VALID`, `UNUSABLE`, `N/A` where partitioned.
    pub status: Option<String>,
    pub partitioned: Option<bool>,
    pub join_index: Option<bool>,
    pub degree: Option<String>,
    pub logging: Option<bool>,
    pub buffer_pool: Option<String>,
}

/// A LOB column and its segments. Source: `DBA_LOBS`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedLob {
    pub line: u32,
    pub container: Option<String>,
    pub owner: String,
    pub table: String,
    pub column: String,
    pub segment: String,
    pub index: Option<String>,
    pub tablespace: Option<String>,
    pub securefile: Option<bool>,
    pub partitioned: Option<bool>,
}

/// One data or temp file. Unit: bytes. Source: `DBA_DATA_FILES`, `DBA_TEMP_FILES`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedFile {
    pub line: u32,
    pub container: Option<String>,
    pub file_id: Option<u64>,
    pub tablespace: String,
    pub file: String,
    pub bytes: Option<f64>,
    pub max_bytes: Option<f64>,
    pub autoextensible: Option<bool>,
    pub is_temp: bool,
}

/// One tablespace. Source: `DBA_TABLESPACES`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct CollectedTablespace {
    pub line: u32,
    pub container: Option<String>,
    pub tablespace: String,
    pub block_size_bytes: Option<u64>,
    /// `PERMANENT`, `TEMPORARY`, `UNDO`.
    pub contents: Option<String>,
    pub bigfile: Option<bool>,
    /// `AUTO` or `MANUAL`.
    pub segment_space_management: Option<String>,
    pub encrypted: Option<bool>,
    pub logging: Option<bool>,
    pub force_logging: Option<bool>,
}

/// One group of the online redo log. Unit: bytes a member. Source: `V$LOG`, `V$LOGFILE`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct RedoGroup {
    pub line: u32,
    pub thread: Option<u32>,
    pub group: u32,
    pub bytes: Option<f64>,
    pub block_size_bytes: Option<u64>,
    pub status: Option<String>,
    /// Online redo, or standby redo?
    pub is_standby: bool,
    pub members: Vec<String>,
}

/// One control file. Unit: bytes. Source: `V$CONTROLFILE`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct ControlFile {
    pub line: u32,
    pub file: String,
    pub bytes: Option<f64>,
}

/// A user's quota on a tablespace. Unit: bytes; `max_bytes` `None` with `unlimited`. Source:
/// `DBA_TS_QUOTAS`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct Quota {
    pub line: u32,
    pub container: Option<String>,
    pub user: String,
    /// `None`: the system privilege UNLIMITED TABLESPACE.
    pub tablespace: Option<String>,
    pub bytes: Option<f64>,
    pub max_bytes: Option<f64>,
    pub unlimited: bool,
}

/// One row of one plan, child cursors with the same plan counted once.
///
/// Shape: one row a statement, plan and plan line. Unit: `bytes`, `temp_bytes` are the optimizer's
/// estimates for one execution; `cost` is in single-block reads and counts the rows below it.
/// Missing: `None` where blank; share of CPU, time and parallel steps come from what is printed only.
/// Source: `V$SQL_PLAN` with `V$SQL`, `DBA_HIST_SQL_PLAN`, `STATS$SQL_PLAN`, `DBMS_XPLAN` text, AWR and
/// Statspack SQL reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the dictionary's own words")]
pub struct PlanRow {
    pub line: u32,
    pub container: Option<String>,
    pub sql_id: Option<String>,
    pub old_hash: Option<u64>,
    pub plan_hash: Option<u64>,
    /// Executions of the statement with this plan, over what the source covers.
    pub executions: Option<f64>,
    /// Child cursors that share the plan.
    pub children: Option<f64>,
    pub id: Option<u32>,
    pub parent_id: Option<u32>,
    pub depth: Option<u32>,
    pub operation: String,
    pub options: Option<String>,
    pub object_owner: Option<String>,
    pub object: Option<String>,
    pub object_type: Option<String>,
    pub cardinality: Option<f64>,
    pub bytes: Option<f64>,
    pub cost: Option<f64>,
    pub io_cost: Option<f64>,
    pub temp_bytes: Option<f64>,
    pub partition_start: Option<String>,
    pub partition_stop: Option<String>,
    /// What was measured on this line (row-source statistics), where the source has it: blocks read.
    pub measured_reads: Option<f64>,
    /// Starts of this line, where measured.
    pub measured_starts: Option<f64>,
    /// Share of CPU in the cost, percent.
    pub cost_cpu_pct: Option<f64>,
    /// Seconds that the optimizer estimated.
    pub time_s: Option<f64>,
    /// Table queue of a parallel step, as printed.
    pub table_queue: Option<String>,
    /// How a parallel step passes rows on, as printed.
    pub in_out: Option<String>,
    /// Distribution of a parallel step, as printed.
    pub distribution: Option<String>,
}

/// Totals of one statement since its cursor was loaded, or over a history.
///
/// Unit: see the names; `disk_reads` are blocks. Source: `V$SQLSTATS`, `DBA_HIST_SQLSTAT`,
/// `STATS$SQL_SUMMARY`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StatementTotals {
    pub line: u32,
    pub container: Option<String>,
    pub sql_id: Option<String>,
    pub old_hash: Option<u64>,
    pub plan_hash: Option<u64>,
    pub executions: Option<f64>,
    pub disk_reads: Option<f64>,
    pub read_requests: Option<f64>,
    pub read_bytes: Option<f64>,
    pub direct_writes: Option<f64>,
    pub buffer_gets: Option<f64>,
    pub elapsed_s: Option<f64>,
    pub cpu_s: Option<f64>,
    pub user_io_wait_s: Option<f64>,
    /// First characters of the text.
    pub text: Option<String>,
}

/// Blocks of one object in the caches at one time.
///
/// Unit: buffers (blocks). Missing: `None` where the release has no flash cache columns. Source:
/// `V$BH` grouped by object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CachedObject {
    pub line: u32,
    pub container: Option<String>,
    pub instance_number: Option<u32>,
    pub owner: Option<String>,
    pub object: String,
    pub subobject: Option<String>,
    pub object_type: Option<String>,
    pub buffers: Option<f64>,
    pub dirty_buffers: Option<f64>,
    /// Copies (`cr`, `pi`), which `buffers` leaves out.
    pub copy_buffers: Option<f64>,
    pub flash_buffers: Option<f64>,
}
