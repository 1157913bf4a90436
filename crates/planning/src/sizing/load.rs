//! The load of one interval: what a report says of its I/O, in a row of a few hundred bytes.

use super::outcome::DataCount;
use serde::Serialize;
use spindle_diagnosis::Richness;
use std::ops::Range;
use std::sync::Arc;

/// Rates of one interval, or a sum of several at the same time.
///
/// Shape: one an interval. Unit: requests a second; MB (10^6 bytes) a second. Missing: `None` where
/// not printed; a sum is `None` where one of its parts is, but for MB/s of reads and of writes, which are then those
/// of the others. Source: the accounts that
/// `spindle diagnose` uses; small requests are all but the multi-block ones. `write_iops` holds redo;
/// `redo_write_iops` is the part of it that is redo, as [`RedoCount`] says; `redo_write_mbps` are the bytes of
/// these requests where they are printed, else `redo size`, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Measures {
    pub read_iops: Option<f64>,
    pub write_iops: Option<f64>,
    pub redo_write_iops: Option<f64>,
    pub read_mbps: Option<f64>,
    pub write_mbps: Option<f64>,
    pub redo_write_mbps: Option<f64>,
    pub small_read_iops: Option<f64>,
    pub large_read_iops: Option<f64>,
    pub small_write_iops: Option<f64>,
    pub large_write_iops: Option<f64>,
}

/// Names of the measures, in their order.
pub const MEASURES: [&str; 10] = [
    "read_iops",
    "write_iops",
    "redo_write_iops",
    "read_mbps",
    "write_mbps",
    "redo_write_mbps",
    "small_read_iops",
    "large_read_iops",
    "small_write_iops",
    "large_write_iops",
];

impl Measures {
    /// The measures in the order of [`MEASURES`].
    #[must_use]
    pub fn values(&self) -> [Option<f64>; 10] {
        [
            self.read_iops,
            self.write_iops,
            self.redo_write_iops,
            self.read_mbps,
            self.write_mbps,
            self.redo_write_mbps,
            self.small_read_iops,
            self.large_read_iops,
            self.small_write_iops,
            self.large_write_iops,
        ]
    }

    /// From values in the order of [`MEASURES`].
    #[must_use]
    pub fn of(values: [Option<f64>; 10]) -> Self {
        let [
            read_iops,
            write_iops,
            redo_write_iops,
            read_mbps,
            write_mbps,
            redo_write_mbps,
            small_read_iops,
            large_read_iops,
            small_write_iops,
            large_write_iops,
        ] = values;
        Self {
            read_iops,
            write_iops,
            redo_write_iops,
            read_mbps,
            write_mbps,
            redo_write_mbps,
            small_read_iops,
            large_read_iops,
            small_write_iops,
            large_write_iops,
        }
    }

    /// Both at the same time; unknown where either is.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let (a, b) = (self.values(), other.values());
        Self::of(std::array::from_fn(|i| a[i].zip(b[i]).map(|(a, b)| a + b)))
    }

    /// So many times as much.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self::of(self.values().map(|v| v.map(|v| v * factor)))
    }

    /// Nothing at all, known to be so.
    pub(crate) const NOTHING: Self = Self {
        read_iops: Some(0.0),
        write_iops: Some(0.0),
        redo_write_iops: Some(0.0),
        read_mbps: Some(0.0),
        write_mbps: Some(0.0),
        redo_write_mbps: Some(0.0),
        small_read_iops: Some(0.0),
        large_read_iops: Some(0.0),
        small_write_iops: Some(0.0),
        large_write_iops: Some(0.0),
    };
}

/// What redo writes are counted in, the account that says most of it first.
///
/// Shape: one an interval with redo writes. Missing: `None` where none are printed. Source: requests on
/// log files (`IOStat by Filetype`, `Redo Requests` of the IO Profile), else those of LGWR (`IOStat by
/// Function`, which writes control files too): each member of a group is a request. `redo writes`
/// counts a write once, whatever the members: the requests are no fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum RedoCount {
    Stated,
    LogFileRequests,
    LogWriterRequests,
    RedoWrites,
}

/// The statistic of reads that flash answered, without those that a storage index spared.
pub(crate) const FLASH_HITS: &str = "cell flash cache read hits";

/// Times, and requests a second, that redo may be above all writes: two accounts, taken seconds apart.
pub(crate) const BEYOND: (f64, f64) = (1.1, 0.5);

/// Reads that storage cells answered without a disk, and writes that their flash took.
///
/// Unit: requests and MB (10^6 bytes) a second. Missing: `None` where not printed. Source: `physical read
/// requests optimized` and `physical write requests optimized` with their bytes; `cell writes to flash
/// cache`, and of them `cell overwrites in flash cache`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlashLoad {
    pub(crate) read_iops: f64,
    pub(crate) read_mbps: Option<f64>,
    pub(crate) write_iops: Option<f64>,
    pub(crate) write_mbps: Option<f64>,
    /// Writes into flash as the cells count them, and those that overwrote what was there.
    pub(crate) cell_writes: Option<(f64, f64)>,
    /// Statistic that the requests are from.
    pub(crate) account: &'static str,
}

/// Who makes the requests, as `IOStat by Function` says; `Temp` is by file type and part of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cause {
    BufferCacheReads,
    DirectReads,
    DirectWrites,
    Dbwr,
    Lgwr,
    Rman,
    Arch,
    SmartScan,
    DataPump,
    Recovery,
    Others,
    Temp,
}

impl Cause {
    /// As a DBA calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BufferCacheReads => "buffer cache reads",
            Self::DirectReads => "direct reads",
            Self::DirectWrites => "direct writes",
            Self::Dbwr => "database writer (DBWR)",
            Self::Lgwr => "log writer (LGWR)",
            Self::Rman => "backup (RMAN)",
            Self::Arch => "archiver (ARCH)",
            Self::SmartScan => "smart scan",
            Self::DataPump => "data pump",
            Self::Recovery => "recovery",
            Self::Others => "others",
            Self::Temp => "temp files (part of the others)",
        }
    }

    /// The cause of a function as printed.
    pub(crate) fn of_function(name: &str) -> Self {
        match name.trim().to_ascii_lowercase().as_str() {
            "buffer cache reads" | "buffer cache re" => Self::BufferCacheReads,
            "direct reads" => Self::DirectReads,
            "direct writes" => Self::DirectWrites,
            "dbwr" => Self::Dbwr,
            "lgwr" => Self::Lgwr,
            "rman" => Self::Rman,
            "arch" => Self::Arch,
            "smart scan" => Self::SmartScan,
            "data pump" => Self::DataPump,
            "recovery" => Self::Recovery,
            _ => Self::Others,
        }
    }
}

/// Rates of one cause.
///
/// Unit and missing: as [`Measures`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CauseLoad {
    pub read_iops: Option<f64>,
    pub write_iops: Option<f64>,
    pub read_mbps: Option<f64>,
    pub write_mbps: Option<f64>,
}

impl CauseLoad {
    /// What is not known of it as another has it.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            read_iops: self.read_iops.or(other.read_iops),
            write_iops: self.write_iops.or(other.write_iops),
            read_mbps: self.read_mbps.or(other.read_mbps),
            write_mbps: self.write_mbps.or(other.write_mbps),
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let add = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        Self {
            read_iops: add(self.read_iops, other.read_iops),
            write_iops: add(self.write_iops, other.write_iops),
            read_mbps: add(self.read_mbps, other.read_mbps),
            write_mbps: add(self.write_mbps, other.write_mbps),
        }
    }
}

/// A statement or segment behind an interval's I/O.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Behind {
    /// `sql_id` or old hash; `OWNER.OBJECT (PARTITION)`.
    pub(crate) name: Arc<str>,
    /// Module of a statement, type of a segment.
    pub(crate) detail: Option<Arc<str>>,
    /// Over the interval.
    pub(crate) reads: Counted,
    pub(crate) writes: Counted,
    /// Share of the reads of the interval, in the same unit, percent.
    pub(crate) share_pct: Counted,
    /// Time that it waited for I/O, seconds over the interval.
    pub(crate) io_wait_s: Option<f64>,
}

/// A number of each unit that a report counts in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counted {
    pub(crate) requests: Option<f64>,
    pub(crate) blocks: Option<f64>,
    pub(crate) megabytes: Option<f64>,
}

impl Counted {
    pub(crate) fn of(&self, unit: ReadUnit) -> Option<f64> {
        match unit {
            ReadUnit::Requests => self.requests,
            ReadUnit::Blocks => self.blocks,
            ReadUnit::Megabytes => self.megabytes,
        }
    }

    /// The larger of what two rankings say.
    pub(crate) fn at_least(&mut self, unit: ReadUnit, value: Option<f64>) {
        let own = match unit {
            ReadUnit::Requests => &mut self.requests,
            ReadUnit::Blocks => &mut self.blocks,
            ReadUnit::Megabytes => &mut self.megabytes,
        };
        *own = (*own).into_iter().chain(value).reduce(f64::max);
    }
}

impl Behind {
    /// What it is counted in, of units in the order of what says most of the disks.
    pub(crate) fn unit(&self, order: &[ReadUnit; 3]) -> ReadUnit {
        let known = |unit: &&ReadUnit| self.reads.of(**unit).or(self.writes.of(**unit)).is_some();
        order.iter().find(known).copied().unwrap_or(order[0])
    }
}

/// What the reads of a statement or segment are counted in: MB are 10^6 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReadUnit {
    Requests,
    Blocks,
    Megabytes,
}

impl ReadUnit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Blocks => "blocks",
            Self::Megabytes => "MB",
        }
    }
}

/// What local time leaves in doubt of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ClockDoubt {
    #[default]
    Nothing,
    /// The clock was put inside, and its rates are by the clock: seconds that it was really longer.
    PutInside(i64),
    /// The clock showed its hour twice.
    Twice,
}

/// The largest request that the database makes, MB, and how many times that a mean may be before it is not
/// believed: ours.
pub(crate) const LARGEST_MB: f64 = 1.048_576;
pub(crate) const BELIEVED: f64 = 2.0;
/// MB a second below which nothing rests on the bytes.
const LEAST_MBPS: f64 = 1.0;

/// Bytes of more a request than any that the database makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unbelieved {
    pub(crate) mbps: f64,
    /// MB of each request, if they were of these requests.
    pub(crate) each_mb: f64,
}

impl Unbelieved {
    /// Of so many requests and MB a second; `None` where they can be.
    pub(crate) fn of(requests: Option<f64>, mbps: Option<f64>) -> Option<Self> {
        let (requests, mbps) = (requests.filter(|n| *n > 0.0)?, mbps.filter(|m| *m >= LEAST_MBPS)?);
        let each_mb = mbps / requests;
        (each_mb > BELIEVED * LARGEST_MB).then_some(Self { mbps, each_mb })
    }
}

/// MB of a request, where requests and MB a second are such that the database cannot make them.
#[must_use]
pub fn mb_beyond_belief(requests: Option<f64>, mbps: Option<f64>) -> Option<f64> {
    Unbelieved::of(requests, mbps).map(|of| of.each_mb)
}

/// One report, reduced.
///
/// Unit: seconds since 1970 as the database's host counts; rates as [`Measures`].
#[derive(Clone, Debug)]
pub(crate) struct IntervalLoad {
    pub(crate) source: Arc<str>,
    pub(crate) db_name: Option<Arc<str>>,
    pub(crate) db_id: Option<u64>,
    /// Release, host, platform and instances of the database: what tells files without an identifier apart.
    pub(crate) version: Option<Arc<str>>,
    pub(crate) host: Option<Arc<str>>,
    pub(crate) platform: Option<Arc<str>>,
    pub(crate) database_instances: Option<u32>,
    /// When the instance was started, seconds since 1970 as its host counts.
    pub(crate) started_s: Option<i64>,
    /// Seconds that the clock of its host is ahead of UTC, where its file says so.
    pub(crate) utc_offset_s: Option<i64>,
    /// Which of the databases that share its identifier; 0 where there is one.
    pub(crate) copy: usize,
    /// Its database, as told apart from others of the name, without the container.
    pub(crate) database: Arc<str>,
    pub(crate) container: Option<Arc<str>>,
    pub(crate) instance_number: Option<u32>,
    /// Covers all instances.
    pub(crate) is_global: bool,
    /// Of two reports of one interval the one that says more counts.
    pub(crate) richness: Richness,
    /// Its snapshots are those of AWR.
    pub(crate) is_awr: bool,
    /// Instances that it covers.
    pub(crate) instances: u32,
    /// Instances that the database ran, as the report of one of them prints.
    pub(crate) of_instances: Option<u32>,
    pub(crate) spans_restart: bool,
    /// Begin and end on an axis that runs on when the clock is put back; `None` where the report prints no
    /// times.
    pub(crate) span: Option<Range<i64>>,
    /// Begin and end as printed.
    pub(crate) printed: Option<(i64, i64)>,
    /// First and last snapshot.
    pub(crate) snaps: Option<(u64, u64)>,
    /// What says how long it was counts no local time.
    pub(crate) knows_length: bool,
    /// The processors of its host say how long it was.
    pub(crate) length_counted: bool,
    /// What the clock leaves in doubt.
    pub(crate) clock: ClockDoubt,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) measures: Measures,
    /// Bytes of reads, or of writes, that no such requests carry: they are in no measure.
    pub(crate) unbelieved: [Option<Unbelieved>; 2],
    /// What redo writes are counted in.
    pub(crate) redo_counted_as: Option<RedoCount>,
    /// More redo writes were printed than writes, so that the redo is not known.
    pub(crate) redo_beyond_writes: bool,
    /// Waits for reads and read requests a second, where more of the first were printed: the waits are counted.
    pub(crate) reads_waited_for: Option<(f64, f64)>,
    /// Requests that a list of statements or segments names over its rows, where nothing else prints any.
    pub(crate) listed_requests: Option<Arc<str>>,
    /// Its input holds other intervals too.
    pub(crate) of_several: bool,
    /// Reads that never reached a disk.
    pub(crate) flash: Option<FlashLoad>,
    /// Requests on data and temp files, and what those are counted by: with redo, the write mix.
    pub(crate) data_writes: Option<(f64, DataCount)>,
    /// Requests on the tablespaces or files that are listed; temp files may not be.
    pub(crate) file_write_iops: Option<f64>,
    /// Are the requests those of data and temp files only?
    pub(crate) data_only: bool,
    /// Of a pluggable database: the writers of its container are in none of its own counters.
    pub(crate) is_container: bool,
    pub(crate) causes: Vec<(Cause, CauseLoad)>,
    /// Highest minute: requests a second, as collected histories keep it.
    pub(crate) peak_read_iops: Option<f64>,
    pub(crate) peak_write_iops: Option<f64>,
    pub(crate) peak_total_iops: Option<f64>,
    /// Highest minute in MB a second.
    pub(crate) peak_read_mbps: Option<f64>,
    pub(crate) peak_write_mbps: Option<f64>,
    /// Waits for single blocks, and the time they took.
    pub(crate) read_waits: Option<f64>,
    pub(crate) read_us: Option<f64>,
    pub(crate) statements: Vec<Behind>,
    pub(crate) segments: Vec<Behind>,
    /// Its report lists statements or segments, whether they read anything or not.
    pub(crate) lists: bool,
}

impl IntervalLoad {
    /// Its input, with what tells it from the other intervals in that.
    pub(crate) fn named(&self) -> Arc<str> {
        if !self.of_several {
            return Arc::clone(&self.source);
        }
        let begin = self.printed.map(|printed| printed.0).or(self.span.as_ref().map(|span| span.start));
        #[allow(clippy::cast_possible_truncation, reason = "seconds below a century")]
        let which = match (self.snaps, begin, self.elapsed_s) {
            (Some((begin, end)), ..) => format!("snapshots {begin}-{end}"),
            (None, Some(begin), _) => format!("from {}", super::say::time(&super::timeline::iso(begin))),
            (None, None, Some(seconds)) => {
                format!("the one of {}", super::timeline::words(seconds.round() as i64))
            }
            (None, None, None) => return Arc::clone(&self.source),
        };
        format!("{} ({which})", self.source).into()
    }
}
