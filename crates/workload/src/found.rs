//! What the forms of a measurement find: figures with their bounds, made of the results of their runs.

use crate::job::{Flush, Size};
use crate::result::StreamResult;
use crate::slob::Slob;
use serde::{Deserialize, Serialize};

/// A figure with its bounds at 95 %.
///
/// Shape: in place of a number. Unit: as the name of its field says. Missing: bounds are `None` where the run
/// was too short for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Figure {
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Figure {
    /// A value with the bounds that are known.
    #[must_use]
    pub fn new(value: f64, bounds: Option<(f64, f64)>) -> Self {
        Self { value, low: bounds.map(|b| b.0), high: bounds.map(|b| b.1) }
    }

    /// Both bounds.
    #[must_use]
    pub fn bounds(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// Requests a second of a stream; `None` where none was answered.
    #[must_use]
    pub fn rate(stream: &StreamResult) -> Option<Self> {
        let value = stream.iops.filter(|_| stream.ios != Some(0))?;
        Some(Self::new(value, stream.interval.map(|i| (i.iops_low, i.iops_high))))
    }

    /// 10^6 bytes a second of a stream, as sure as its requests a second.
    #[must_use]
    pub fn mbps(stream: &StreamResult) -> Option<Self> {
        let rate = Self::rate(stream).filter(|rate| rate.value > 0.0)?;
        Some(rate.times(stream.mbps? / rate.value))
    }

    /// This times a number that is exact.
    #[must_use]
    pub fn times(self, by: f64) -> Self {
        Self { value: self.value * by, low: self.low.map(|v| v * by), high: self.high.map(|v| v * by) }
    }

    /// This over another: the bounds are those of the worst case, so wider than 95 % asks for.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        let bounds = self.bounds().zip(other.bounds().filter(|(low, _)| *low > 0.0));
        let bounds = bounds.map(|((low, high), (by_low, by_high))| (low / by_high, high / by_low));
        (other.value > 0.0).then(|| Self::new(self.value / other.value, bounds))
    }

    /// Half of the width of the bounds, percent of the value.
    #[must_use]
    pub fn half_pct(&self) -> Option<f64> {
        let (low, high) = self.bounds()?;
        (self.value > 0.0).then(|| 100.0 * (high - low) / 2.0 / self.value)
    }
}

/// What requests that arrive at rising rates came to.
///
/// Missing: `knee_per_s` is `None` where no rate was too much; `alone_us` where none was answered. Source: runs
/// whose requests arrive whatever the storage does; latency counts from when a request was to start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatesFound {
    /// At random times (Poisson), or all at the same distance.
    pub poisson: bool,
    /// What a request takes alone on average, from its submission.
    pub alone_us: Option<f64>,
    /// The highest rate that was served in any run, those of one request at a time among them.
    pub knee_per_s: Option<Figure>,
    /// By ascending rate.
    pub steps: Vec<RateStep>,
}

/// One rate and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RateStep {
    pub asked_per_s: f64,
    pub served_per_s: Option<Figure>,
    pub latency_us: Times,
    /// Had arrived and were not answered at the end.
    pub unserved: Option<u64>,
    /// As many were answered as arrived, but for those that had just come.
    pub kept: bool,
    /// They piled up in each of two runs, though more than arrived was served in another: the storage stood still, and
    /// the rate says nothing of what it can do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
}

/// What requests of a kind took, microseconds.
///
/// Missing: percentiles beyond which no request lies, and all where none was answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Times {
    pub mean: Option<Figure>,
    pub p50: Option<Figure>,
    pub p99: Option<Figure>,
    pub max: Option<f64>,
}

impl Times {
    /// Requests of which one is beyond the 99th percentile.
    const ENOUGH_FOR_P99: u64 = 100;

    /// Those of a stream.
    #[must_use]
    pub fn of(stream: &StreamResult) -> Self {
        let l = &stream.latency_us;
        let figure = |name: &str, value: Option<f64>| {
            value.map(|value| Figure::new(value, l.intervals.get(name).copied()))
        };
        Self {
            mean: figure("mean", l.mean),
            p50: figure("p50", l.p50),
            p99: figure("p99", l.p99.filter(|_| stream.ios.is_none_or(|ios| ios >= Self::ENOUGH_FOR_P99))),
            max: l.max,
        }
    }
}

/// What a log does for those who commit, alone and beside reads of the same storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogFound {
    /// When a write is done.
    pub flush: Flush,
    /// Redo of a commit.
    pub mix: Vec<Size>,
    /// Where the mix comes from.
    pub mix_source: String,
    /// Mean pause of a committer between two commits, microseconds.
    pub think_us: f64,
    /// The log goes round in so many bytes.
    pub log_bytes: u64,
    /// A row for each number of committers, alone and beside reads.
    pub steps: Vec<LogStep>,
    /// The reads, alone and beside the log; empty where none were asked for.
    pub reads: Vec<LogReads>,
}

/// A log with so many committers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LogStep {
    pub committers: u32,
    /// Random reads under way beside it; 0 for none.
    pub reads_depth: u32,
    pub writes_per_s: Option<Figure>,
    pub commits_per_s: Option<Figure>,
    pub commits_per_write: Option<Figure>,
    /// What Oracle calls `log file parallel write`.
    pub write_us: Times,
    /// From asking to the end of the write that carries it: the least that `log file sync` can take.
    pub commit_us: Times,
    /// Redo, 10^6 bytes a second.
    pub redo_mbps: Option<Figure>,
    /// What was written: redo, rounded up to whole blocks.
    pub written_mbps: Option<Figure>,
}

/// Random reads beside a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LogReads {
    /// Of the log beside them; 0 for none.
    pub committers: u32,
    pub depth: u32,
    pub reads_per_s: Option<Figure>,
    pub read_us: Times,
}

/// What lies where on a disk costs.
///
/// Missing: what its runs did not come to. What shows is `None` where its ends were not run, and where the bounds of
/// both hold a difference as well as none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ZonesFound {
    /// Bytes of a random read.
    pub size: u32,
    /// Random reads under way in the short-stroke table.
    pub depth: u32,
    /// From the first byte to the last.
    pub zones: Vec<ZoneStep>,
    /// Throughput of the first over that of the last.
    pub zone_ratio: Option<Figure>,
    /// Does throughput differ from the first to the last?
    pub zones_show: Option<bool>,
    /// Two places, from together to as far apart as can be.
    pub seeks: Vec<SeekStep>,
    /// What a read takes more from end to end than within one place, microseconds.
    pub full_seek_us: Option<Figure>,
    /// Does distance cost time?
    pub seeks_show: Option<bool>,
    /// Random reads of the first part, from a small one to the whole.
    pub strokes: Vec<StrokeStep>,
    /// Does the smallest part bring more than the whole?
    #[serde(default)]
    pub gain_shows: Option<bool>,
    /// The largest part that keeps half of the gain; `None` where there is none, and where that is not known.
    pub sweet_spot: Option<SweetSpot>,
    /// Two addresses, from beside each other on.
    pub stripes: Vec<StripeStep>,
    /// Does a stripe show?
    #[serde(default)]
    pub stripe_shows: Option<bool>,
    /// `None` where no stripe shows, and where that is not known.
    pub stripe: Option<Stripe>,
}

/// A zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ZoneStep {
    pub from_bytes: u64,
    pub to_bytes: u64,
    /// 10^6 bytes a second, one read of 1 MiB after the other.
    pub mbps: Option<Figure>,
    /// Random reads within it, one at a time.
    pub read_us: Times,
}

/// Reads by turns at two places.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeekStep {
    /// From one to the other.
    pub distance_bytes: u64,
    /// Time from an answer to the next.
    pub read_us: Option<Figure>,
}

/// Random reads of the first part alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StrokeStep {
    pub share_pct: f64,
    pub bytes: u64,
    pub reads_per_s: Option<Figure>,
    pub read_us: Times,
}

/// The largest part of a disk that keeps a share of what the smallest brings more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweetSpot {
    /// Of the disk.
    pub share_pct: f64,
    /// Bytes of it.
    pub bytes: u64,
    /// Random reads a second over those of the whole.
    pub gain: Figure,
    /// The same of the smallest part.
    pub most_gain: Figure,
    /// Share of the smallest part's gain that it has to keep.
    pub kept_pct: f64,
}

/// Two requests under way, at addresses so far apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StripeStep {
    pub distance_bytes: u64,
    pub reads_per_s: Option<Figure>,
}

/// A stripe: two requests that follow each other over it bring all that two disks can from half of it on where
/// all take the same, from the whole of it on where they do not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stripe {
    /// From this distance on two addresses bring all there is: the least that a stripe may be.
    pub least_bytes: u64,
    /// The most.
    pub most_bytes: u64,
    /// Rate there over that of addresses beside each other.
    pub gain: Figure,
    /// At this distance they lie on one disk again.
    pub width_bytes: Option<u64>,
}

/// What SLOB's load came to, as an AWR has it.
///
/// Missing: what the load does not do (it may only read), or nobody waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlobFound {
    /// The load, with all that repeats it.
    pub load: Slob,
    /// Blocks read.
    pub physical_reads_per_s: Option<Figure>,
    /// Blocks written.
    pub physical_writes_per_s: Option<Figure>,
    /// Redo of the commits.
    pub redo_bytes_per_s: Option<Figure>,
    /// Writes of the log.
    pub redo_writes_per_s: Option<Figure>,
    /// Commits.
    pub transactions_per_s: Option<Figure>,
    /// Statements, of a work unit each.
    pub statements_per_s: Option<Figure>,
    /// Waits that came about, foreground first.
    pub events: Vec<SlobEvent>,
}

/// A wait as an AWR has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SlobEvent {
    pub event: String,
    pub waits: u64,
    pub time_s: f64,
    pub waits_per_s: Option<Figure>,
    pub wait_us: Times,
}

/// What parallel full scans took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScanFound {
    /// Files or devices.
    pub files: u32,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Bytes that a slave takes at a time, by turns of all files.
    pub granule_bytes: u64,
    /// Scans, in their order.
    pub steps: Vec<ScanStep>,
}

/// One scan.
///
/// Missing: what the kernel does not say of a disk; seconds of a scan that was cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ScanStep {
    pub degree: u32,
    /// Of the first file's disk.
    pub scheduler: Option<String>,
    pub read_ahead_bytes: Option<u64>,
    pub multiblock_bytes: u64,
    pub bytes: Option<u64>,
    pub seconds: Option<f64>,
    pub mbps: Option<Figure>,
    pub read_us: Times,
}

impl ScanFound {
    /// Do the scans differ in this?
    pub fn differ<T: PartialEq>(&self, of: impl Fn(&ScanStep) -> T) -> bool {
        self.steps.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{LatencyFrom, Recorder, Seeded};

    #[test]
    fn a_ratio_holds_the_worst_case_of_both() {
        let (a, b) = (Figure::new(100.0, Some((90.0, 110.0))), Figure::new(50.0, Some((45.0, 55.0))));
        let ratio = a.over(b).unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-12);
        assert_eq!(ratio.bounds().unwrap(), (90.0 / 55.0, 110.0 / 45.0));
        assert_eq!(a.over(Figure::new(0.0, None)), None);
        assert_eq!(a.over(Figure::new(50.0, None)).unwrap().bounds(), None);
        assert!((a.half_pct().unwrap() - 10.0).abs() < 1e-12);
    }

    #[test]
    fn means_hold_the_truth_as_often_as_they_say() {
        // Latencies of mean 1 ms, one after the other.
        let held = (0..200).filter(|seed| {
            let mut random = Seeded::new(*seed, 0);
            let mut recorder = Recorder::new();
            let mut at = 0.0;
            while at < 5e8 {
                let took = random.exponential(1e6);
                at += took;
                recorder.record(at as u64, took as u64, 512);
            }
            let result =
                StreamResult::of("s", "write", LatencyFrom::Submit, &recorder.finish(at as u64), vec![]);
            let (low, high) = Times::of(&result).mean.unwrap().bounds().unwrap();
            (low..=high).contains(&1_000.0)
        });
        // 95 of 100, and 200 runs of them: four standard deviations below.
        let held = held.count();
        assert!((177..=199).contains(&held), "{held}");
    }
}
