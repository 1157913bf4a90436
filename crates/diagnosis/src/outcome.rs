//! What a diagnosis says, in the shape that `spindle diagnose --json` promises.

use crate::bars::DeviceClass;
use crate::finding::Finding;
use serde::Serialize;
use spindle_facts::{Interval, Side};

/// Everything said about one report.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// One or two sentences with numbers.
    pub answer: String,
    /// Is storage to blame? `None` where the report cannot carry an answer.
    pub storage_is_the_problem: Option<bool>,
    /// CPU and waits, foreground and background apart.
    pub response_time: ResponseTime,
    /// Reads, writes, redo.
    pub io_profile: IoProfile,
    /// What the storage looks like.
    pub device_class: DeviceGuess,
    /// The commit path.
    pub commit: Commit,
    /// How few statements and segments make most of the reads.
    pub concentration: Concentration,
    /// The same quantity from its different accounts.
    pub accounts: Vec<Account>,
    /// Distribution of each I/O event.
    pub latency: Vec<Latency>,
    /// Causes found, largest first (see `Finding`).
    pub findings: Vec<Finding>,
    /// Rules that looked and found nothing.
    pub not_found: Vec<&'static str>,
    /// Rules that lack facts.
    pub cannot_tell: Vec<CannotTell>,
}

/// Response time = CPU + waits.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ResponseTime {
    /// DB time.
    pub foreground: ResponseSide,
    /// Background elapsed time; never part of DB time.
    pub background: ResponseSide,
}

/// One side of the response time.
///
/// Shape: one a side. Unit: seconds over the interval. Missing: `None` where the report does not
/// print it. Source: time model, wait events, top events. `classes` never add up to more than
/// `db_time_s - cpu_s` on the foreground side: what overlaps is cut and said in `remark`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ResponseSide {
    /// DB time (foreground), background elapsed time (background). Releases that print no DB time:
    /// CPU and foreground waits together, which `remark` says.
    pub db_time_s: Option<f64>,
    /// What `db_time_s` was derived from, where it is not printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub db_time_from: Option<&'static str>,
    /// Bounds of `db_time_s`, where it is a difference of rounded figures that they make inexact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub db_time_bounds: Option<Interval>,
    /// CPU.
    pub cpu_s: Option<f64>,
    /// Waits that are not idle; `None` also where waits are printed by class alone, both sides together.
    pub wait_s: Option<f64>,
    /// DB time that is neither CPU nor a printed wait: run queue, unprinted events, rounding; all of what
    /// was not read where CPU or waits are not printed.
    pub unexplained_s: Option<f64>,
    /// Foreground waits that the report prints by class or in sum, and in no row of an event that was
    /// read, seconds; `None` where there are none, or nothing tells. What is known by class is in `classes`, the
    /// rest in `unexplained_s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread_s: Option<f64>,
    /// Waits by class, largest first.
    pub classes: Vec<ClassTime>,
    /// Were the few events that lead all that was read of waits? A class that none of them is of is unknown then.
    #[serde(skip)]
    pub leaders_alone: bool,
    /// What the reader must know about these numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl ResponseSide {
    /// Waits of these classes that no event which was read holds, seconds.
    pub(crate) fn without_events_s(&self, of: impl Fn(&str) -> bool) -> f64 {
        let classes = self.classes.iter().filter(|c| of(&c.wait_class));
        classes.map(|c| (c.printed_s - c.events.iter().map(|e| e.time_s).sum::<f64>()).max(0.0)).sum()
    }

    /// Waits that the report prints in sum alone, of which not even the class is known, seconds.
    pub(crate) fn of_no_class_s(&self) -> f64 {
        self.unread_s.map_or(0.0, |s| (s - self.without_events_s(|_| true)).max(0.0))
    }
}

/// Waits of one class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassTime {
    /// Wait class.
    pub wait_class: String,
    /// What the response time counts, seconds: the `counted_s` of its events, and what the class is printed
    /// with beyond them.
    pub time_s: f64,
    /// Time as printed, seconds: the `time_s` of its events, or that of the class where events lack.
    pub printed_s: f64,
    /// Share of `time_s` in DB time (or background time), percent.
    pub share_pct: Option<f64>,
    /// Its events, largest first; none where waits are printed by class alone.
    pub events: Vec<EventTime>,
}

/// Waits for one event.
#[derive(Clone, Debug, Serialize)]
pub struct EventTime {
    /// Event.
    pub event: String,
    /// Waits.
    pub waits: Option<f64>,
    /// Time as printed, seconds.
    pub time_s: f64,
    /// What the response time counts of it, seconds: less than printed where CPU and waits exceed
    /// DB time and are cut in proportion, as the remark says. For adding up, never for quoting.
    pub counted_s: f64,
    /// Bounds of the time that rounding leaves.
    pub time_s_bounds: Interval,
    /// Mean wait.
    pub avg_us: Option<f64>,
    /// Bounds of the mean.
    pub avg_us_bounds: Option<Interval>,
    /// Median, as bounds. Where the histogram counts both sides they are as wide as it takes: which of its waits are
    /// of this side it does not say. Missing also where the other side has nearly all, or an unknown part.
    pub p50_us: Option<Interval>,
    /// 90th percentile, as bounds, likewise.
    pub p90_us: Option<Interval>,
    /// 99th percentile, as bounds, likewise; `high` is infinite (written null) in an open bucket.
    pub p99_us: Option<Interval>,
    /// Line in the source.
    pub line: u32,
    /// Section as printed.
    pub section: String,
}

/// A number and the account that it was read from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IoFigure {
    /// The number.
    pub value: f64,
    /// Bounds that rounding leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Interval>,
    /// Where it was read: section and row as printed.
    pub account: String,
    /// Line in the source.
    pub line: u32,
}

/// Reads, writes and redo.
///
/// Shape: one a report. Unit: requests a second; MB (10^6 bytes) a second; microseconds; percent.
/// Missing: `None` where no account prints it. `write_iops` counts all writes, redo included, unless its account says
/// that it is of data and temp files only.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IoProfile {
    /// Read requests a second.
    pub read_iops: Option<IoFigure>,
    /// Write requests a second, redo included.
    pub write_iops: Option<IoFigure>,
    /// Redo writes a second; each member of the log counted where its account says so.
    pub redo_write_iops: Option<IoFigure>,
    /// MB (10^6 bytes) read a second.
    pub read_mbps: Option<IoFigure>,
    /// MB (10^6 bytes) written a second, redo included.
    pub write_mbps: Option<IoFigure>,
    /// MB (10^6 bytes) of redo written a second, to one member of the log unless its account says every one.
    pub redo_write_mbps: Option<IoFigure>,
    /// Mean foreground single-block read.
    pub single_block_read_us: Option<IoFigure>,
    /// Mean foreground multi-block read.
    pub multi_block_read_us: Option<IoFigure>,
    /// Mean write of the log writer.
    pub log_write_us: Option<IoFigure>,
    /// Share of single-block requests among reads, percent.
    pub small_read_share_pct: Option<IoFigure>,
}

/// What the storage looks like.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceGuess {
    /// The class whose bars were applied.
    pub value: DeviceClass,
    /// Why.
    pub because: String,
}

/// The commit path.
///
/// Shape: one a report. Unit: microseconds. Missing: `None`. `explained_us` bounds what the log
/// writes can explain of a commit wait (where the interval's length is not printed, the log writer was
/// busy between never and always); `outcome` is one of `writes_explain_it`, `excess`,
/// `below_model`, `measured`, `no_commits`, `cannot_tell`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Commit {
    /// Mean `log file sync`.
    pub sync_us: Option<f64>,
    /// Mean `log file parallel write`.
    pub write_us: Option<f64>,
    /// What rounding leaves of the two means and of the measured wait: a mean printed as 0 took something.
    #[serde(skip)]
    pub bounds: CommitBounds,
    /// Bounds of the commit wait that the writes explain.
    pub explained_us: Option<Interval>,
    /// What follows.
    pub outcome: &'static str,
    /// How it was computed, in a sentence.
    pub because: String,
    /// Commit wait as the database itself measured it (`redo synch time (usec)`), a commit.
    pub measured_sync_us: Option<f64>,
    /// Part of it that is not the write (`redo synch time overhead (usec)`), a commit.
    pub measured_overhead_us: Option<f64>,
}

/// What rounding leaves of the means of a [`Commit`], microseconds; `None` where they are unknown or exact.
#[derive(Clone, Copy, Debug, Default)]
pub struct CommitBounds {
    /// Of `log file sync`.
    pub sync_us: Option<Interval>,
    /// Of `log file parallel write`.
    pub write_us: Option<Interval>,
    /// Of the wait that the database measured.
    pub measured_sync_us: Option<Interval>,
}

/// How few statements and segments make most of the reads.
///
/// Shape: one a report. Unit: counts; percent of all physical reads. Missing: `None` where the
/// sections lack or where all that is printed does not reach 80 %.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Concentration {
    /// Statements that make 80 % of physical reads.
    pub statements_for_80_pct: Option<u32>,
    /// Segments that make 80 % of physical reads.
    pub segments_for_80_pct: Option<u32>,
    /// Physical reads of no printed statement, percent.
    pub unseen_sql_pct: Option<f64>,
    /// Physical reads of no printed segment, percent.
    pub unseen_segment_pct: Option<f64>,
}

/// One quantity from its different accounts.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// Quantity with its unit, such as `read requests a second`.
    pub quantity: String,
    /// The accounts.
    pub by: Vec<AccountValue>,
    /// Do all agree within rounding?
    pub agree: bool,
    /// Largest distance of an account from the one used, percent of that; `None` for a single one.
    pub gap_pct: Option<f64>,
    /// Section that is used.
    pub used: Option<String>,
    /// Why that one.
    pub because: String,
}

/// One account of a quantity.
#[derive(Clone, Debug, Serialize)]
pub struct AccountValue {
    /// Section (and row) as printed.
    pub section: String,
    /// Value.
    pub value: f64,
    /// Bounds that rounding leaves.
    pub bounds: Interval,
    /// Line in the source.
    pub line: u32,
    /// Does it agree with the one used, within rounding?
    pub agrees: bool,
}

/// A rule that lacks facts.
#[derive(Clone, Debug, Serialize)]
pub struct CannotTell {
    /// Rule.
    pub rule: &'static str,
    /// What is missing, as a DBA would name it.
    pub missing: String,
}

/// Distribution of one I/O event, for the latency pictures.
#[derive(Clone, Debug, Serialize)]
pub struct Latency {
    /// Event.
    pub event: String,
    /// Whose waits: of one side where it has all that the histogram counts.
    pub side: Side,
    /// Mean of these waits; `None` where some of them are of no listed event.
    pub avg_us: Option<f64>,
    /// Median, as bounds.
    pub p50_us: Option<Interval>,
    /// 90th percentile, as bounds.
    pub p90_us: Option<Interval>,
    /// 99th percentile, as bounds.
    pub p99_us: Option<Interval>,
    /// Bar applied, where one is.
    pub bar_us: Option<f64>,
    /// Class the shape suggests, with the reason.
    pub shape: Option<String>,
    /// Buckets: low, high (`None` open), waits.
    pub buckets: Vec<(f64, Option<f64>, f64)>,
    /// Least and most waits of each bucket, as far as the rounding of its share leaves them open: `.0` of many waits
    /// may be none or a thousand.
    pub bucket_waits: Vec<(f64, f64)>,
    /// Line in the source.
    pub line: u32,
}
