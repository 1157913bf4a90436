//! What a measurement with several runs found: its points, and what follows from them.

use crate::curve::DeviceCurve;
use crate::found::{LogFound, RatesFound, ScanFound, SlobFound, ZonesFound};
use crate::result::RunResult;
use crate::simulated::SimulatedFound;
use crate::volume::Volume;
use serde::{Deserialize, Serialize};

/// What was done, of the classic forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Form {
    Run,
    Read,
    Calibrate,
    Ramp,
    Matrix,
    /// Several runs or intervals that another tool's file holds.
    Series,
    Log,
    Zones,
    Slob,
    Scan,
    /// A scenario on modelled storage.
    Simulate,
}

impl Form {
    /// As the command has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Read => "read",
            Self::Calibrate => "calibrate",
            Self::Ramp => "ramp",
            Self::Matrix => "matrix",
            Self::Series => "series",
            Self::Log => "log",
            Self::Zones => "zones",
            Self::Slob => "slob",
            Self::Scan => "scan",
            Self::Simulate => "simulate",
        }
    }
}

/// A measurement.
///
/// Shape: one a command; the forms `run` and `read` have one point. Unit: in the names. Missing: what a
/// form does not look for, or did not find, is `None`. Source: runs on real devices, or files of other tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What was done.
    pub form: Form,
    /// The command that repeats it.
    pub command: String,
    /// When it began, seconds since 1970.
    pub began_s: Option<u64>,
    /// Why it ended before it was done; `None` where it was done.
    pub incomplete: Option<String>,
    /// Runs, in their order.
    pub points: Vec<Point>,
    /// Where more load brings no more.
    #[serde(default)]
    pub knee: Option<Knee>,
    /// In a sentence or two, with numbers.
    pub verdict: String,
    /// Latency by load, for planning.
    #[serde(default)]
    pub curve: Option<DeviceCurve>,
    /// What a calibration found.
    #[serde(default)]
    pub calibration: Option<Calibration>,
    /// What a matrix found.
    #[serde(default)]
    pub matrix: Option<Matrix>,
    /// What a log does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogFound>,
    /// What lies where on a disk costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<ZonesFound>,
    /// What SLOB's load came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slob: Option<SlobFound>,
    /// What full scans took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<ScanFound>,
    /// What requests that arrive at rising rates came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<RatesFound>,
    /// What a simulated scenario found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Box<SimulatedFound>>,
    /// The seed that all runs come from; each has its own, which stands with its job. `None` where there is but the
    /// one of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Intervals in which a watched device did nothing and was left out of the reports, by its name.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub idle: std::collections::BTreeMap<String, u32>,
    /// What the reader must know beside the warnings of the runs.
    pub warnings: Vec<String>,
}

/// One run with what set it apart from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// What set it apart.
    pub parameters: Parameters,
    /// What it found.
    pub result: RunResult,
}

/// What sets a run of a measurement apart from the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Part of the measurement that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Requests under way in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<f64>,
    /// Requests a second asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_iops: Option<f64>,
    /// Small requests under way, of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small: Option<u32>,
    /// Large requests under way, of a matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large: Option<u32>,
    /// Bytes a request, where a file of another tool says it of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// Order of addresses as another tool calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Share of reads of a mix, percent, where a file of another tool says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_pct: Option<f64>,
    /// Where requests go and what they are, where the options of another tool say it: `random_distribution=zipf:1.2`.
    /// Empty for nothing special.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<String>>,
    /// Those who commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committers: Option<u32>,
    /// Sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Slaves of a scan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree: Option<u32>,
    /// Scheduler that was set; `None` for the one that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    /// Read-ahead that was set; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ahead_bytes: Option<u64>,
    /// First byte and the one after the last, of a sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range_bytes: Option<(u64, u64)>,
    /// Bytes from one place to the other, of a probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_bytes: Option<u64>,
    /// The tool set the rate, by a rate, pauses or the times of a trace: more may be possible. `false` also where that
    /// is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paced: bool,
    /// How another tool set the rate, as its options have it: `thinktime=50000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<String>,
    /// What a sweep set: keys and values as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swept: Vec<(String, String)>,
}

/// Where more load brings no more requests, only waiting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knee {
    /// Requests under way there.
    pub concurrency: f64,
    /// Least and most that it may be, by the intervals of the rates.
    pub interval: Option<(f64, f64)>,
    /// Requests a second there.
    pub iops: f64,
    /// What a request takes there on average, microseconds.
    pub latency_us: f64,
    /// Highest rate seen at any load.
    pub highest_iops: f64,
}

/// What `DBMS_RESOURCE_MANAGER.CALIBRATE_IO` says, and what follows for the planners of queries.
///
/// Unit: requests and 10^6 bytes a second, microseconds. Missing: `None` where no run kept the latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Calibration {
    /// `None` where another tool does not say it.
    pub num_disks: Option<u32>,
    /// Likewise.
    pub max_latency_us: Option<f64>,
    /// Highest rate of small random reads that kept the latency.
    pub max_iops: Option<f64>,
    pub max_iops_interval: Option<(f64, f64)>,
    /// What a small read took then, on average.
    pub actual_latency_us: Option<f64>,
    /// Requests under way then.
    pub small_depth: Option<u32>,
    /// Highest rate of large random reads.
    pub max_mbps: Option<f64>,
    pub large_depth: Option<u32>,
    /// For `DBMS_STATS.SET_SYSTEM_STATS`.
    pub oracle: Vec<Setting>,
    /// For `postgresql.conf`.
    pub postgres: Vec<Setting>,
}

/// A setting of a database, and how it follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// As the database calls it.
    pub name: String,
    /// In the unit that the database expects; `None` where the measurement does not give it.
    pub value: Option<f64>,
    /// The line to run or to write down; empty where there is no value.
    pub line: String,
    /// How it follows from what was measured, or why it does not.
    pub how: String,
}

/// What a grid of small and large requests found, as Orion sums it up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// Kind of grid.
    pub kind: String,
    /// Highest rate of large requests: MB (10^6 bytes) a second, small and large under way.
    pub max_large_mbps: Option<(f64, u32, u32)>,
    /// Highest rate of small requests, small and large under way.
    pub max_small_iops: Option<(f64, u32, u32)>,
    /// Least mean latency of small requests, microseconds, small and large under way.
    pub min_small_latency_us: Option<(f64, u32, u32)>,
    /// The lines that Orion prints of it.
    pub summary: Vec<String>,
    /// The volume that the devices were taken for; `None` where each was loaded for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Volume>,
}

impl Measured {
    /// The run of a form that has one.
    #[must_use]
    pub fn only(&self) -> Option<&RunResult> {
        match self.form {
            Form::Run | Form::Read => self.points.first().map(|p| &p.result),
            _ => None,
        }
    }

    /// Were lines of a trace damaged, so that what was replayed is a part of it?
    #[must_use]
    pub fn has_damaged_traces(&self) -> bool {
        let streams = self.points.iter().filter_map(|p| p.result.job.as_ref()).flat_map(|job| &job.streams);
        let mut traces = streams.filter_map(|s| s.trace.as_ref()?.found.as_ref());
        traces.any(|found| found.damaged > 0)
    }

    /// All warnings, each once, with the runs' own; those that differ in their figures alone stand once.
    #[must_use]
    pub fn all_warnings(&self) -> Vec<String> {
        let mut all = self.warnings.clone();
        let mut shapes: Vec<(String, usize, usize)> = Vec::new();
        for point in &self.points {
            let errors =
                point.result.streams.iter().flat_map(|s| {
                    s.errors.iter().map(|error| format!("`{}`: requests failed, {error}", s.name))
                });
            for warning in point.result.warnings.iter().cloned().chain(errors) {
                let shape: String = warning.chars().filter(|c| !c.is_ascii_digit()).collect();
                if all.contains(&warning) {
                    continue;
                }
                match shapes.iter_mut().find(|(known, ..)| *known == shape) {
                    // Of one run all are said: names may differ in their digits.
                    Some((_, _, more)) if self.points.len() > 1 => *more += 1,
                    _ => {
                        shapes.push((shape, all.len(), 0));
                        all.push(warning);
                    }
                }
            }
        }
        for (_, at, more) in shapes.into_iter().filter(|(.., more)| *more > 0) {
            let runs = if more == 1 { "run" } else { "runs" };
            all[at].push_str(&format!(" (and the like in {more} more {runs})"));
        }
        all
    }
}
