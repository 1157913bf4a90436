//! Waits: by event, by class, and their distribution.

use crate::Interval;
use crate::ledger::SectionId;
use serde::Serialize;
use smol_str::SmolStr;

/// Whose waits a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Sessions that work for users: part of DB time.
    Foreground,
    /// Background processes: never part of DB time.
    Background,
    /// The section mixes both (Statspack 9i and 10g `Wait Events`, all wait histograms).
    All,
}

/// What a `share_pct` is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShareOf {
    /// `% DB time`.
    DbTime,
    /// `% bg time`.
    BackgroundTime,
    /// `%Total Call Time`, `% Total Ela Time` of Statspack and AWR 10.2: CPU and non-idle waits of all
    /// sides.
    TotalCallTime,
    /// `% Total Wt Time` of Statspack 8i: non-idle waits of all sides, without CPU.
    TotalWaitTime,
}

/// Waits for one event.
///
/// Shape: one row an event and side (and instance, in RAC-global reports). Unit: see the names;
/// `timeouts` is a count (9i), `timeouts_pct` a share of the waits. Missing: `None` where blank,
/// absent or overprinted. Source: `Foreground Wait Events`, `Background Wait Events`,
/// `Wait Events`; the average is total time over waits with the bounds of both roundings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitEvent {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row; `None` where it is for all or the report is of one.
    pub instance_number: Option<u32>,
    /// Event name; in full where a clipped name can only stand for one event.
    pub event: SmolStr,
    /// The name as printed, where it was clipped and completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed_as: Option<SmolStr>,
    /// Whose waits.
    pub side: Side,
    /// Wait class, printed or known of the event.
    pub wait_class: Option<SmolStr>,
    /// Is it a wait for work to do (class Idle), which is no part of response time?
    pub is_idle: bool,
    /// Waits.
    pub waits: Option<f64>,
    /// Fewest waits that print like this (`13K`).
    pub waits_low: Option<f64>,
    /// Most waits that print like this.
    pub waits_high: Option<f64>,
    /// Waits that ended by time-out.
    pub timeouts: Option<f64>,
    /// Share of the waits that ended by time-out, percent.
    pub timeouts_pct: Option<f64>,
    /// Time waited, seconds.
    pub time_s: Option<f64>,
    /// Least time that prints like this.
    pub time_s_low: Option<f64>,
    /// Most time that prints like this.
    pub time_s_high: Option<f64>,
    /// Mean wait: the printed one where it carries more digits than time over waits, else time
    /// over waits.
    pub avg_wait_us: Option<f64>,
    /// Bounds of the mean wait.
    pub avg_wait_us_low: Option<f64>,
    /// Bounds of the mean wait.
    pub avg_wait_us_high: Option<f64>,
    /// Waits a transaction.
    pub waits_per_txn: Option<f64>,
    /// Share printed beside the event, percent.
    pub share_pct: Option<f64>,
    /// What the share is of.
    pub share_of: Option<ShareOf>,
}

/// One row of the `Top 5` / `Top 10` events, `DB CPU` included.
///
/// Shape: as printed, in printed order. Unit: see the names. Missing: `None`. Source: `Top 5
/// Timed Events`, `Top 5 Timed Foreground Events`, `Top 10 Foreground Events by Total Wait Time`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TopEvent {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Event name, `DB CPU` or `CPU time`.
    pub event: String,
    /// Waits.
    pub waits: Option<f64>,
    /// Time, seconds.
    pub time_s: Option<f64>,
    /// Least time that prints like this.
    pub time_s_low: Option<f64>,
    /// Most time that prints like this.
    pub time_s_high: Option<f64>,
    /// Mean wait.
    pub avg_wait_us: Option<f64>,
    /// Share of DB time (AWR) or of call or elapsed time (Statspack), percent.
    pub share_pct: Option<f64>,
    /// What the share is of.
    pub share_of: Option<ShareOf>,
    /// Wait class, printed or known of the event; `None` for CPU and for events of unknown class.
    pub wait_class: Option<String>,
}

/// Waits by class.
///
/// Shape: one row a class and side. Unit: see the names. Missing: `None`. Source: `Foreground Wait
/// Class`, `Wait Classes by Total Wait Time` (side all: foreground and background together).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitClassRow {
    /// Line in the source.
    pub line: u32,
    /// Section it stands in.
    #[serde(skip)]
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Class, or `DB CPU`.
    pub wait_class: String,
    /// Whose waits.
    pub side: Side,
    /// Waits.
    pub waits: Option<f64>,
    /// Time, seconds.
    pub time_s: Option<f64>,
    /// Least time that prints like this.
    pub time_s_low: Option<f64>,
    /// Most time that prints like this.
    pub time_s_high: Option<f64>,
    /// Mean wait: the printed one where it carries more digits than time over waits, else time
    /// over waits.
    pub avg_wait_us: Option<f64>,
    /// Bounds of the mean wait.
    pub avg_wait_us_low: Option<f64>,
    /// Bounds of the mean wait.
    pub avg_wait_us_high: Option<f64>,
    /// Share of DB time, percent.
    pub share_pct: Option<f64>,
}

/// One bucket of a wait histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HistogramBucket {
    /// Lower bound, inclusive.
    pub low_us: f64,
    /// Upper bound, exclusive; `None` where open.
    pub high_us: Option<f64>,
    /// Waits in the bucket; the buckets of an event add up to its waits.
    pub waits: f64,
    /// Fewest waits that print like this.
    pub waits_low: f64,
    /// Most waits that print like this.
    pub waits_high: f64,
    /// Share as printed, percent; `None` where computed from counts or blank (truly zero).
    pub share_pct: Option<f64>,
    /// Bounds of the share of the event's waits, percent; `None` where only counts are known. How
    /// the total is rounded (`1M`) widens the counts, and not these.
    pub share_bounds_pct: Option<Interval>,
    /// Line of the table that resolved the bucket.
    pub line: u32,
}

/// Distribution of the waits for one event, merged over all resolutions that the report prints.
///
/// Shape: one an event and side (and instance); buckets ascending, without gaps, from 0. Unit:
/// microseconds; bounds are powers of two as Oracle counts. Missing: an event without histogram
/// has no row. Source: `Wait Event Histogram` and its `Detail` or `up to` tables; shares are
/// rounded to 0.1 %, so counts carry bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitHistogram {
    /// Line of the first row.
    pub line: u32,
    /// Section it stands in.
    pub section: SectionId,
    /// RAC: the instance of the row.
    pub instance_number: Option<u32>,
    /// Event name; in full where a clipped name can only stand for one event.
    pub event: SmolStr,
    /// Whose waits; mostly [`Side::All`].
    pub side: Side,
    /// Total waits as printed.
    pub waits: Option<f64>,
    /// Buckets, ascending.
    pub buckets: Vec<HistogramBucket>,
}
