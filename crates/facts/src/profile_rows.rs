//! Rows of the report's summary and of the statistics that Oracle keeps for the whole instance.

use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// Meaning of a load-profile line, whatever the release calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// `DB Time(s)`.
    DbTime,
    /// `DB CPU(s)`.
    DbCpu,
    /// `Background CPU(s)`.
    BackgroundCpu,
    /// `Redo size`, bytes.
    RedoSize,
    /// `Logical reads`, blocks.
    LogicalReads,
    /// `Block changes`.
    BlockChanges,
    /// `Physical reads`, blocks, not requests.
    PhysicalReads,
    /// `Physical writes`, blocks, not requests.
    PhysicalWrites,
    /// `Read IO requests`.
    ReadRequests,
    /// `Write IO requests`.
    WriteRequests,
    /// `Read IO (MB)`.
    ReadMb,
    /// `Write IO (MB)`.
    WriteMb,
    /// `Physical Read Total IO Requests Per Sec`: every process (AWR-miner).
    TotalReadRequests,
    /// `Physical Write Total IO Requests Per Sec`: every process, redo included (AWR-miner).
    TotalWriteRequests,
    /// `Physical Read Total Bytes Per Sec` in MB of 2^20 bytes (AWR-miner).
    TotalReadMb,
    /// `Physical Write Total Bytes Per Sec` in MB of 2^20 bytes (AWR-miner).
    TotalWriteMb,
    /// `User calls`.
    UserCalls,
    /// `Parses`.
    Parses,
    /// `Hard parses`.
    HardParses,
    /// `Sorts` (9i, 10g).
    Sorts,
    /// `W/A MB processed`, `SQL Work Area (MB)`.
    WorkAreaMb,
    /// `Logons`.
    Logons,
    /// `Executes`.
    Executes,
    /// `Rollbacks`.
    Rollbacks,
    /// `Transactions`.
    Transactions,
}

/// One line of the load profile.
///
/// Shape: one a printed line. Unit: that of the label, a second, a transaction, an execution, a
/// call. Missing: `None` where blank (snapshots that span a restart). Source: `Load Profile`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadProfileRow {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Label as printed, without the colon.
    pub metric: String,
    /// Its meaning over all releases; `None` for lines that we do not compute with.
    #[serde(rename = "meaning")]
    pub known: Option<Metric>,
    /// A second.
    pub per_second: Option<f64>,
    /// A transaction.
    pub per_transaction: Option<f64>,
    /// An execution.
    pub per_exec: Option<f64>,
    /// A user call.
    pub per_call: Option<f64>,
    /// Half of one unit of the last digit of `per_second`: what rounding hides.
    #[serde(skip)]
    pub per_second_half_unit: f64,
    /// Of the second period of a compare-period report: by how many percent its rate differs from that of the first,
    /// as printed (in tenths), which Oracle takes from the figures before it rounds them.
    #[serde(skip)]
    pub per_second_diff_pct: Option<f64>,
}

/// One line of the IO Profile (11.2.0.4 and later).
///
/// Shape: one a printed line. Unit: requests, MB (2^20 bytes) or blocks a second, as the label
/// says. Missing: `None`. Source: `IO Profile`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IoProfileRow {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Label as printed, without the colon.
    pub metric: String,
    /// Reads and writes a second.
    pub read_write_per_s: Option<f64>,
    /// Reads a second.
    pub reads_per_s: Option<f64>,
    /// Writes a second.
    pub writes_per_s: Option<f64>,
}

/// One statistic of the time model.
///
/// Shape: one a statistic. Unit: seconds; percent of DB time. Missing: `None` where blank.
/// Source: `Time Model Statistics`, `Time Model System Stats`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeModelRow {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Statistic.
    pub statistic: String,
    /// Time, seconds.
    pub time_s: Option<f64>,
    /// Least time that prints like this.
    pub time_s_low: Option<f64>,
    /// Most time that prints like this.
    pub time_s_high: Option<f64>,
    /// Share of DB time, percent.
    pub share_db_time_pct: Option<f64>,
}

/// One statistic of the operating system.
///
/// Shape: one a statistic. Unit: that of the statistic; `*_TIME` are centiseconds over the
/// interval, summed over CPUs. Missing: `None`. Source: `Operating System Statistics`,
/// `OS Statistics`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OsStat {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Statistic.
    pub statistic: String,
    /// Value (difference for `*_TIME`, value at the begin snapshot otherwise).
    pub value: Option<f64>,
    /// Value at the end snapshot, where it differs.
    pub end_value: Option<f64>,
}

/// The one-line `Host CPU` summary.
///
/// Shape: one a report (one an instance in RAC-global). Unit: percent; load average is a count of
/// processes. Missing: `None`. Source: `Host CPU`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HostCpu {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Load average at the begin snapshot.
    pub load_begin: Option<f64>,
    /// Load average at the end snapshot.
    pub load_end: Option<f64>,
    /// User mode.
    pub user_pct: Option<f64>,
    /// System mode.
    pub system_pct: Option<f64>,
    /// Idle while I/O was pending: a hint, never proof.
    pub io_wait_pct: Option<f64>,
    /// Idle.
    pub idle_pct: Option<f64>,
}

/// How busy the host was between two snapshots.
///
/// Shape: one row a snapshot: what lies between the one before and it. Unit: percent; load average is
/// a count of processes. Missing: `None` where blank: the first snapshot has no interval. Source:
/// `Operating System Statistics - Detail` (AWR), `OS Statistics - detail` (Statspack).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OsSnapshot {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Snapshot, where printed (Statspack).
    pub snap: Option<u64>,
    /// When it was taken, as printed: no year, in Statspack no month.
    pub printed_time: Option<String>,
    /// Load average.
    pub load: Option<f64>,
    /// Busy.
    pub busy_pct: Option<f64>,
    /// User mode.
    pub user_pct: Option<f64>,
    /// System mode.
    pub system_pct: Option<f64>,
    /// Idle.
    pub idle_pct: Option<f64>,
    /// Idle while I/O was pending: a hint, never proof.
    pub io_wait_pct: Option<f64>,
    /// Waiting for CPU (Statspack).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_wait_pct: Option<f64>,
}

/// How much of the host's CPU the instance used.
///
/// Shape: one row a report. Unit: percent, seconds. Missing: `None`: each release prints some of
/// them. Source: `Instance CPU`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct InstanceCpu {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// CPU time of the instance as a share of all CPU time that there was.
    pub total_cpu_pct: Option<f64>,
    /// CPU time of the instance as a share of what the host used.
    pub busy_cpu_pct: Option<f64>,
    /// DB time spent waiting for the resource manager to give CPU.
    pub resource_manager_wait_pct: Option<f64>,
    /// CPU time that the host had.
    pub host_total_s: Option<f64>,
    /// CPU time that the host used.
    pub host_busy_s: Option<f64>,
    /// The same in percent.
    pub host_busy_pct: Option<f64>,
    /// CPU time of the instance, background processes included.
    pub instance_cpu_s: Option<f64>,
    /// DB time, background processes included.
    pub instance_db_time_s: Option<f64>,
}

/// One statistic of `V$SYSSTAT`.
///
/// Shape: one a statistic; absolute values (`logons current`) have a begin and an end value
/// instead of a total. Unit: that of the statistic. Missing: `None` where blank or `####`; a total
/// or rate that overflowed is derived from the other where both are printed. Source: `Instance
/// Activity Stats`, `Key Instance Activity Stats`, `- Absolute Values`, `- Thread Activity`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceStat {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Statistic; in full where a clipped name can only stand for one.
    pub statistic: SmolStr,
    /// The name as printed, where it was clipped and completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed_as: Option<SmolStr>,
    /// Total over the interval.
    pub total: Option<f64>,
    /// A second.
    pub per_second: Option<f64>,
    /// A transaction.
    pub per_transaction: Option<f64>,
    /// Value at the begin snapshot (absolute values).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin_value: Option<f64>,
    /// Value at the end snapshot (absolute values).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_value: Option<f64>,
}

/// One metric of the instance over one interval: what an average hides, as the database measured it
/// every minute.
///
/// Shape: one a metric. Unit: `unit` as the database names it (`Requests Per Second`). Missing:
/// `None` where blank. Source: `DBA_HIST_SYSMETRIC_SUMMARY`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SysMetric {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Metric.
    pub metric: String,
    /// Its unit.
    pub unit: Option<String>,
    /// Average over the interval.
    pub average: Option<f64>,
    /// Largest of the minutes.
    pub maximum: Option<f64>,
}

/// One finding of ADDM, from its report or from the AWR summary.
///
/// Shape: one a finding. Unit: percent of DB time or of active sessions; seconds. Missing: `None`.
/// Source: ADDM report; `Top ADDM Findings by Average Active Sessions`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AddmFinding {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// Finding as printed.
    pub finding: String,
    /// Impact, percent of active sessions or DB time.
    pub impact_pct: Option<f64>,
    /// Impact as active sessions, where printed.
    pub impact_sessions: Option<f64>,
    /// Impact as seconds of DB time, as 10g prints it.
    pub impact_s: Option<f64>,
    /// What the finding says in words below its impact, as printed.
    pub description: Option<String>,
    /// Recommendation as printed; several, and the reasons given for them, are joined by line ends.
    pub recommendation: Option<String>,
}
