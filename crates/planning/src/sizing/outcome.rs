//! What sizing finds: the document of `spindle size --json`.

use super::disk::Disk;
use super::load::{Cause, CauseLoad, Measures, RedoCount};
use super::timeline::Remark;
use serde::Serialize;
use std::collections::BTreeMap;

/// Sizes of storage for a history of load.
///
/// Shape: one a run. Unit: requests a second, MB (10^6 bytes) a second, whole disks, microseconds.
/// Missing: `None` where no report says. Source: the reports; models and assumptions are named where
/// they enter.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Sizing {
    pub answer: String,
    pub databases: Vec<String>,
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    /// Files that were read, whatever the intervals in each.
    pub reports: usize,
    /// Databases of whose reports none can be counted: their load is in no figure here.
    pub unmeasured: Vec<Unmeasured>,
    /// Seconds of the intervals that statistics are made of.
    pub measured_s: Option<f64>,
    pub intervals: Vec<IntervalRow>,
    /// Gaps, overlaps, restarts, files given twice.
    pub gaps: Vec<Remark>,
    pub percentile: f64,
    /// Intervals that statistics are made of.
    pub intervals_counted: usize,
    pub intervals_beyond_percentile: usize,
    pub workload: Workload,
    /// Name of the redundancy that histogram, drill and growth are of.
    pub sized_for: String,
    pub latency_target_us: Option<f64>,
    pub capacity_bytes: Option<f64>,
    pub disk: Disk,
    pub disks_per_cell: f64,
    /// Small requests a second, bare, and MB (10^6 bytes) a second, of such a cell of the first disk.
    pub cell_iops: f64,
    pub cell_mbps: Option<f64>,
    pub redundancy: Vec<RedundancyNeed>,
    pub racks: Vec<RackFit>,
    /// The same load on other devices of `--disk`.
    pub other_disks: Vec<DeviceNeed>,
    pub write_mix: WriteMix,
    /// Where storage cells answered reads from flash: what they leave for disks.
    pub flash: Option<FlashReads>,
    pub histogram: Vec<HistogramBin>,
    pub drill: Vec<Drill>,
    pub growth: Vec<GrowthYear>,
    /// Databases of which some instances are in no report: what they ask is in no figure here.
    pub instances_missing: Vec<InstancesMissing>,
    /// Where databases were never all measured together: bounds of what they need together.
    pub apart: Option<Apart>,
    pub consolidation: Vec<Tenant>,
    pub neighbours: Vec<Neighbour>,
    /// Ordered pairs of databases that could be looked at for that.
    pub neighbours_tested: usize,
    /// What a reader must know before buying, the gravest first.
    pub warnings: Vec<String>,
    /// How many of them no screen leaves out.
    #[serde(skip)]
    pub first_warnings: usize,
}

/// One slice of time.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct IntervalRow {
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    pub seconds: f64,
    pub instances: u32,
    /// Is every database and instance counted that ran, as far as the inputs say?
    pub complete: bool,
    /// Is it part of percentile, mean and highest?
    pub counted: bool,
    #[serde(flatten)]
    pub measures: Measures,
    pub hardware_iops: Option<f64>,
    pub disks: Option<f64>,
    /// What its redo writes are counted in.
    pub redo_counted_as: Option<RedoCount>,
    pub by_cause: BTreeMap<Cause, CauseLoad>,
    /// Databases that do not print who makes their requests: of the others is what stands in `by_cause`.
    pub causes_unknown_of: Vec<String>,
    /// Bytes are known of only reads or only writes, or of some of its instances or databases: MB/s are the least.
    pub mbps_is_least: bool,
    /// Bytes of its reads, or of its writes, are not believed, and in no figure.
    #[serde(skip)]
    pub bytes_doubted: bool,
}

/// The load in a few numbers. Each measure stands for itself: its percentile is its own.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Workload {
    pub mean: Measures,
    pub at_percentile: Measures,
    pub max: Measures,
    /// Bytes of reads, and of writes, are known in part: mean, percentile and highest are the least they can be.
    pub read_mbps_is_least: bool,
    pub write_mbps_is_least: bool,
    /// Reads and writes together: the percentile of their sum.
    pub total_iops_at_percentile: Option<f64>,
    /// The interval that stands at the percentile of hardware requests, as it was.
    pub percentile_interval: Option<PercentileInterval>,
    pub hidden_peak: HiddenPeak,
    pub peak_minute: PeakMinute,
    /// The interval that asked most of the disks.
    pub busiest: Option<BusiestInterval>,
}

/// The interval with most hardware requests, of those that are counted.
///
/// Unit: requests a second; seconds. Missing: `None` of a single interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct BusiestInterval {
    pub begin_time: Option<String>,
    pub seconds: f64,
    pub hardware_iops: f64,
    /// Time, over all intervals, in which the load was within a twentieth of that.
    pub near_s: f64,
}

/// An interval as it was: reads and writes of the same time.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PercentileInterval {
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    #[serde(flatten)]
    pub measures: Measures,
}

/// What the mean of an hour hides.
///
/// Unit: requests a second, read and write together. Missing: `None` with the reason in `because`.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct HiddenPeak {
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Highest mean over an hour.
    pub hour_iops: Option<f64>,
    /// Highest short interval over the mean of its hour: least and most seen.
    pub ratio_low: Option<f64>,
    pub ratio_high: Option<f64>,
    /// Hours that were seen in short intervals.
    pub hours: usize,
    pub shortest_s: Option<f64>,
    /// The peak was seen in an hour that is not the one of the highest mean.
    pub in_another_hour: bool,
    /// The same of the requests that the disks do, with the redundancy sized for.
    pub hardware_low: Option<f64>,
    pub hardware_high: Option<f64>,
    pub hardware_hour_iops: Option<f64>,
    pub because: String,
    #[serde(skip)]
    pub hardware_because: String,
    #[serde(skip)]
    pub hardware_in_another_hour: bool,
}

/// The highest minute that a collected history kept: between bounds, since instances, reads and
/// writes need not peak in the same minute.
///
/// Unit: requests a second, MB (10^6 bytes) a second. Missing: everything where no interval keeps one; the upper
/// bounds where `intervals_without` do not, whose means the lower ones hold.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PeakMinute {
    pub low_iops: Option<f64>,
    pub high_iops: Option<f64>,
    pub hardware_low: Option<f64>,
    pub hardware_high: Option<f64>,
    /// MB a second of the disks.
    pub hardware_mbps_low: Option<f64>,
    pub hardware_mbps_high: Option<f64>,
    /// Intervals, of those that count, of which an instance keeps none.
    pub intervals_without: usize,
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    /// A maximum that cannot be one, in a sentence; it is in none of the figures above.
    pub unbelievable: Option<String>,
    pub because: String,
}

/// A database of which nothing could be measured.
///
/// Source: its reports; `because` is what is wrong with the first of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Unmeasured {
    pub database: String,
    pub reports: usize,
    pub because: String,
}

/// Intervals in which a request alone takes longer than the latency to keep, so that no number of disks
/// keeps it, and the one in which it takes longest.
///
/// Unit: percent of the time counted; requests a second; bytes; microseconds. Missing: no such member
/// where every interval keeps it; `None` where no report says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NeverKept {
    pub intervals: usize,
    pub share_pct: f64,
    pub begin_time: Option<String>,
    pub hardware_iops: Option<f64>,
    pub request_bytes: Option<f64>,
    pub request_us: Option<f64>,
}

/// A database that ran more instances than were measured at the same time.
///
/// Unit: instances. Source: `RAC Statistics` of its reports, and the times of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct InstancesMissing {
    pub database: String,
    pub measured: u32,
    pub running: u32,
    /// It is among those that everything is sized for, and not only in bounds.
    #[serde(skip)]
    pub is_sized: bool,
}

/// What databases of different days need together: no less than the largest of those that ran at the same
/// time, no more than all of them at once at percentiles so high that what each may exceed them adds up to what
/// their sum may.
///
/// Unit: hardware requests a second; whole disks; seconds. Missing: `None` where no disk keeps the latency.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Apart {
    /// Databases that are measured.
    pub databases: usize,
    /// The databases, measured at the same time, that everything else here is sized for.
    pub largest: String,
    /// How many those are.
    pub together: usize,
    /// Time in which all databases were measured: none, or too little of it to have seen their peaks.
    pub measured_together_s: f64,
    pub hardware_low: f64,
    pub hardware_high: f64,
    /// MB (10^6 bytes) a second of the disks; `None` where one of them prints no bytes.
    pub mbps_low: Option<f64>,
    pub mbps_high: Option<f64>,
    pub disks_low: Option<f64>,
    pub disks_high: Option<f64>,
    /// Some count with intervals that lack an instance: the high bounds hold without what those ask.
    pub high_is_least: bool,
    /// Bytes are known, and not all of them: the high bounds of MB/s and disks hold without the others.
    pub bytes_high_is_least: bool,
}

/// What one redundancy needs, on the first disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RedundancyNeed {
    pub name: String,
    pub what: String,
    pub write_penalty: f64,
    /// Where whole stripes cost less.
    pub full_stripe_penalty: Option<f64>,
    /// Raw bytes for one of data; `None` where only a penalty was given.
    pub copies: Option<f64>,
    /// Disks that the interval at the percentile of the hardware IOPS needs itself: more than `disks` where
    /// its requests are of another kind than those of the intervals at the percentile of the disks.
    pub disks_at_percentile: Option<f64>,
    /// What can be built at all.
    pub least_disks: f64,
    pub disks_in_step: f64,
    pub hardware_iops: Option<f64>,
    /// Large writes filling whole stripes: the least it can be.
    pub hardware_iops_full_stripe: Option<f64>,
    pub hardware_iops_mean: Option<f64>,
    pub hardware_iops_max: Option<f64>,
    pub hardware_mbps: Option<f64>,
    /// The same, every write filling whole stripes: the least; `None` without parity.
    pub hardware_mbps_full_stripe: Option<f64>,
    /// Bytes are known of only reads or only writes, of some instances or databases, or in some intervals: the disks
    /// move no less than `hardware_mbps`.
    pub hardware_mbps_is_least: bool,
    /// Mean size of a hardware request of the interval at the percentile.
    pub request_bytes: Option<f64>,
    /// Such requests that one disk can do: fewer than its rating where they are large.
    pub iops_of_one: Option<f64>,
    /// Load of the interval at the percentile.
    pub read_iops: Option<f64>,
    pub write_iops: Option<f64>,
    pub disks_for_iops: Option<f64>,
    /// Hardware requests over what one disk can do, no room for queueing.
    pub disks_for_iops_bare: Option<f64>,
    pub disks_for_iops_bare_exact: Option<f64>,
    pub disks_for_mbps: Option<f64>,
    pub disks_for_capacity: Option<f64>,
    pub disks: Option<f64>,
    /// A capacity is asked for and that of one disk is not known, or the bytes are the least: no fewer than `disks`.
    pub disks_are_least: bool,
    pub decided_by: Option<&'static str>,
    /// Missing: `None` for volumes of a cloud, which are in no cell.
    pub cells: Option<f64>,
    /// Of them for requests, and for bytes, each alone.
    pub cells_for_iops: Option<f64>,
    pub cells_for_mbps: Option<f64>,
    pub cells_exact: Option<f64>,
    pub cells_bare: Option<f64>,
    pub cells_bare_exact: Option<f64>,
    /// Intervals in which no number of disks keeps the latency, within the percentile or beyond.
    pub never_kept: Option<NeverKept>,
    pub utilisation_limit: Option<f64>,
    pub utilisation: Option<f64>,
    /// A hardware request of the interval at the percentile alone: reads and writes as mixed, with what
    /// they move beyond a small request.
    pub request_us: Option<f64>,
    pub latency_us: Option<f64>,
}

/// How a rack's own figure compares with the hardware requests of a redundancy, and what its disks move
/// with the bytes.
///
/// Unit: requests a second; MB (10^6 bytes) a second, all disks of the rack together by the profile of one.
/// Missing: MB/s where no report says bytes, or no profile has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RackFit {
    pub rack: String,
    pub cells: f64,
    pub disks: f64,
    pub disk_iops: f64,
    pub disk_mbps: Option<f64>,
    pub redundancy: String,
    pub hardware_iops: f64,
    /// What is left; below zero it falls short.
    pub spare_iops: f64,
    pub hardware_mbps: Option<f64>,
    /// As of requests.
    pub spare_mbps: Option<f64>,
    /// For bytes alone; `None` too where they would do, but are the least they can be.
    pub enough_mbps: Option<bool>,
    /// For requests, and for bytes as far as they are known (`enough_mbps`). `None` where the figure would do, but
    /// is of small requests and these are far larger.
    pub enough: Option<bool>,
    /// What is left of the requests behind as much flash as the reports show, before destaging, and
    /// whether the rack's disks do that.
    pub hardware_iops_behind_flash: Option<f64>,
    pub enough_behind_flash: Option<bool>,
    pub origin: String,
    /// When it was sold.
    pub sold: String,
    /// The same at the end of the growth that was asked for.
    pub grown: Option<RackGrown>,
}

/// A rack against the load of the last year of growth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RackGrown {
    pub year: u32,
    pub hardware_iops: f64,
    pub spare_iops: f64,
    pub hardware_mbps: Option<f64>,
    pub spare_mbps: Option<f64>,
    /// As `enough` of today.
    pub enough: Option<bool>,
}

/// What another device needs, for the redundancy sized for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DeviceNeed {
    pub disk: Disk,
    pub redundancy: String,
    pub hardware_iops: Option<f64>,
    pub disks_for_iops: Option<f64>,
    pub disks_for_iops_bare: Option<f64>,
    pub disks_for_mbps: Option<f64>,
    pub disks_for_capacity: Option<f64>,
    pub disks: Option<f64>,
    /// As of [`RedundancyNeed`].
    pub disks_are_least: bool,
    pub decided_by: Option<&'static str>,
    pub utilisation: Option<f64>,
    /// As of [`RedundancyNeed`].
    pub request_us: Option<f64>,
    pub latency_us: Option<f64>,
}

/// Who writes at the percentile, and what could take it off the disks.
///
/// Unit: requests a second of the interval at the percentile. Missing: `None` where not printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct WriteMix {
    pub write_iops: Option<f64>,
    /// Part of them that is redo; at least so much where `redo_counted_as` is `redo_writes`.
    pub redo_write_iops: Option<f64>,
    pub redo_counted_as: Option<RedoCount>,
    /// Data and temp files; by function those of database writer and of sessions that write by themselves,
    /// where these are listed.
    pub data_write_iops: Option<f64>,
    /// What those are counted by.
    pub data_counted_as: Option<DataCount>,
    /// Of the database writer, where requests are printed by function.
    pub dbwr_write_iops: Option<f64>,
    /// What redo and data leave; `None` where these are more than all, as other accounts print it.
    pub other_write_iops: Option<f64>,
    pub redo_share_pct: Option<f64>,
    /// Hardware requests where redo has devices of its own.
    pub hardware_iops_without_redo: Option<f64>,
    /// Hardware requests behind a write-back cache: from every write absorbed to none.
    pub hardware_iops_behind_cache: Option<[f64; 2]>,
    pub because: String,
}

/// What writes to data and temp files are counted by.
///
/// Shape: one an interval with such writes, the account that says most of it first. Source: rows *Data File*
/// and *Temp File* of `IOStat by Filetype`; the statistic `physical write IO requests`; `IOStat by Function`;
/// the lists of tablespaces and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum DataCount {
    FileTypes,
    Statistic,
    Functions,
    /// No function but the database writer's writes data.
    DatabaseWriter,
    /// Tablespaces or files: temp files may not be among them.
    ListedFiles,
}

/// What the flash of storage cells answered, and took of the writes, in the interval at the percentile, and
/// what that left for disks. Everything else is of what the database asked.
///
/// Unit: requests a second, MB (10^6 bytes) a second, whole disks. Missing: no such member where no
/// flash hits are printed; `None` where bytes from flash are not, and writes to it are not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FlashReads {
    pub read_iops: f64,
    pub flash_read_iops: f64,
    pub flash_share_pct: f64,
    /// Reads that disks did.
    pub disk_read_iops: f64,
    pub disk_read_mbps: Option<f64>,
    pub write_iops: Option<f64>,
    /// Writes that flash took (write-back): they reach the disks when they are destaged.
    pub flash_write_iops: Option<f64>,
    pub flash_write_share_pct: Option<f64>,
    /// Writes that went to disks at once.
    pub disk_write_iops: Option<f64>,
    pub disk_write_mbps: Option<f64>,
    /// Writes into flash as the cells count them, and those that overwrote what was there.
    pub cell_write_iops: Option<f64>,
    pub cell_overwrite_iops: Option<f64>,
    /// Hardware requests behind as much flash, without what is destaged; every write is one of the disks
    /// where writes to flash are not printed.
    pub hardware_iops: Option<f64>,
    pub disks: Option<f64>,
    /// The same if every write that flash took were destaged by itself: the most it can be.
    pub hardware_iops_all_destaged: Option<f64>,
    pub disks_all_destaged: Option<f64>,
    /// What answered them, in words, and where that is counted.
    pub by: &'static str,
    pub account: String,
}

/// A bar of a histogram over intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct HistogramBin {
    /// `hardware_iops` or `disks`.
    pub measure: &'static str,
    pub low: f64,
    pub high: f64,
    pub intervals: usize,
    pub seconds: f64,
    pub share_pct: f64,
    /// Holds the percentile.
    pub is_percentile: bool,
}

/// One of the busiest intervals and who was behind it.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Drill {
    pub interval: DrillInterval,
    pub databases: Vec<DrillShare>,
    /// Who makes its requests, what asks most of the disks first; none where no report prints it.
    pub causes: Vec<DrillCause>,
    /// Its writes ask more of the disks than its reads: statements say nothing of them.
    pub writes_decide: bool,
    pub sql: Vec<DrillRow>,
    pub segments: Vec<DrillRow>,
    /// Its reports list statements or segments, though none of them need have read anything.
    pub listed: bool,
}

/// The interval of a drill.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DrillInterval {
    pub begin_time: Option<String>,
    pub end_time: Option<String>,
    pub read_iops: Option<f64>,
    pub write_iops: Option<f64>,
    pub hardware_iops: Option<f64>,
    pub hardware_mbps: Option<f64>,
    /// As of [`IntervalRow`].
    pub mbps_is_least: bool,
    pub disks: Option<f64>,
    pub sources: Vec<String>,
}

/// Share of one instance in an interval's hardware requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DrillShare {
    pub database: String,
    pub instance_number: Option<u32>,
    pub hardware_iops: Option<f64>,
    pub share_pct: Option<f64>,
}

/// One of those that make the requests of an interval.
///
/// Unit: requests, and MB (10^6 bytes), a second; of the disks each write as often as it is made. `share_pct` is of
/// what decides how many disks there are: requests, or bytes. Missing: `None` where not printed; of a database that
/// prints no functions nothing is in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DrillCause {
    pub cause: Cause,
    #[serde(skip)]
    pub name: &'static str,
    #[serde(flatten)]
    pub load: CauseLoad,
    pub hardware_iops: Option<f64>,
    pub hardware_mbps: Option<f64>,
    pub share_pct: Option<f64>,
}

/// A statement or segment.
///
/// Shape: those that read most first, of an interval whose writes ask more of the disks those that wrote most: by
/// requests where these decide how many disks there are, by MB or blocks where bytes do. What is known in another
/// unit comes after. Unit: requests, blocks or MB a second, as `unit` says. Missing: `None` where not listed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DrillRow {
    pub name: String,
    pub detail: Option<String>,
    pub database: String,
    /// `None` where several instances list it: rates are then those of all of them together.
    pub instance_number: Option<u32>,
    pub reads_per_s: Option<f64>,
    pub writes_per_s: Option<f64>,
    /// `blocks`, `requests` or `MB` (10^6 bytes).
    pub unit: &'static str,
    /// Time that a statement waited for I/O in the interval, seconds.
    pub io_wait_s: Option<f64>,
    /// Of the reads of its instance, or of all instances together where several list it, in its unit, percent.
    pub share_pct: Option<f64>,
    /// Of the write requests of its database, percent.
    pub write_share_pct: Option<f64>,
}

/// Need after some years of growth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct GrowthYear {
    pub year: u32,
    pub factor: f64,
    pub read_iops: Option<f64>,
    pub write_iops: Option<f64>,
    pub hardware_iops: Option<f64>,
    pub hardware_mbps: Option<f64>,
    pub capacity_bytes: Option<f64>,
    pub disks_bare: Option<f64>,
    pub disks: Option<f64>,
    /// As of [`RedundancyNeed`].
    pub hardware_mbps_is_least: bool,
    pub disks_are_least: bool,
    pub cells: Option<f64>,
}

/// One database among several on the same storage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tenant {
    pub database: String,
    /// Share of the hardware requests in the intervals beyond the percentile, percent.
    pub share_at_peak: Option<f64>,
    pub share_of_mean: Option<f64>,
    /// Its own hardware requests at the percentile of its own time; MB (10^6 bytes) a second and disks likewise.
    pub own_percentile_iops: Option<f64>,
    pub own_percentile_mbps: Option<f64>,
    pub own_disks: Option<f64>,
    /// These are of intervals of which some lack an instance: the least that it asks.
    pub own_is_least: bool,
    /// Bytes of it are known in part: MB/s are the least that it moves.
    pub own_mbps_is_least: bool,
    /// Fewer disks do for neither of the two, on a disk that bytes are held against: the least that it needs.
    pub own_disks_are_least: bool,
    pub own_max_iops: Option<f64>,
    /// Busiest intervals of all in which it made the largest part.
    pub loudest_at_peaks: usize,
    pub measured_s: f64,
    pub single_block_read_us: Option<f64>,
}

/// Whose reads get slower when another is busy.
///
/// Shape: one a pair, only where enough time was measured together. Missing: no row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Neighbour {
    pub suffers: String,
    pub from: String,
    /// Mean single-block read while the other is in its busiest tenth, and in its quieter half.
    pub busy_us: f64,
    pub quiet_us: f64,
    /// Rank correlation of the latency with the other's load; its own load, and that of the others that are
    /// named, held constant.
    pub correlation: f64,
    /// Probability of the correlation with its own load alone held constant, or of a stronger one, in any of the
    /// pairs tried where no load slows any reads; the likeness of consecutive intervals allowed for.
    pub p_value: f64,
    /// Databases whose load goes up and down with this one's and explains the latency as well.
    pub or: Vec<String>,
    pub intervals: usize,
}
