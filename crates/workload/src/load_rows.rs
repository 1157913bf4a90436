//! Measurements as rows of one load each, so that those of different tools can be held against each other and
//! become a curve: streams of one run and operation are one row.

use crate::arrival::Arrivals;
use crate::job::Job;
use crate::measured::{Form, Measured, Parameters, Point};
use crate::pattern::Pattern;
use crate::result::{LatencyFrom, LatencyUs, StreamResult};

/// One load and what came of it.
///
/// Shape: one a run and operation. Unit: requests and 10^6 bytes a second, microseconds. Missing: `None`
/// where a stream of the run does not say it, and percentiles where they cannot be put together. Source:
/// [`Measured`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadRow {
    /// What sets it apart, with what the job says where the parameters do not.
    pub(crate) parameters: Parameters,
    pub(crate) operation: String,
    /// Operations that the run did at the same time.
    pub(crate) beside: Vec<String>,
    /// Device, where one run tells of several apart.
    pub(crate) device: Option<String>,
    pub(crate) iops: Option<f64>,
    pub(crate) iops_interval: Option<(f64, f64)>,
    pub(crate) mbps: Option<f64>,
    pub(crate) latency_from: LatencyFrom,
    pub(crate) latency: LatencyUs,
    pub(crate) percentiles_from: LatencyFrom,
    /// Standard deviation of one stream's latencies, microseconds.
    pub(crate) deviation_us: Option<f64>,
    /// Intervals of another tool that are one row here.
    pub(crate) intervals: usize,
}

/// Operations that make no load of their own.
const BESIDE: [&str; 4] = ["sync", "trim", crate::COMMIT, crate::WAIT];

/// Words of a phase that say that a report counts from boot, or is the mean of the others.
const NOT_AN_INTERVAL: [&str; 2] = ["since boot", "average"];

/// All rows of a measurement.
pub(crate) fn load_rows(measured: &Measured) -> Vec<LoadRow> {
    if is_watched(measured) {
        return watched(measured);
    }
    measured.points.iter().flat_map(of_point).collect()
}

/// Reads and writes of mixes as rows of their own, as other tools print them; where a run made mixes alone.
pub(crate) fn rows_of_parts(measured: &Measured) -> Vec<LoadRow> {
    let apart = |point: &Point| {
        let streams = &point.result.streams;
        let all = !streams.is_empty() && streams.iter().all(|s| !s.parts.is_empty());
        all.then(|| {
            let parts = streams.iter().flat_map(|s| s.parts.clone()).collect();
            let result = crate::RunResult { streams: parts, ..point.result.clone() };
            Point { result, parameters: point.parameters.clone() }
        })
    };
    measured.points.iter().filter_map(apart).flat_map(|point| of_point(&point)).collect()
}

/// Does it say what a device did under a load that somebody else made?
pub(crate) fn is_watched(measured: &Measured) -> bool {
    measured.points.iter().any(|p| {
        p.result.environment.program.as_deref().is_some_and(|name| name == "iostat" || name == "sar")
    })
}

fn of_point(point: &Point) -> Vec<LoadRow> {
    let parameters = parameters(point);
    let by_name =
        parameters.small.is_some() || parameters.phase.as_deref().is_some_and(|p| p.ends_with(" sessions"));
    let mut keys: Vec<(String, Option<String>)> = Vec::new();
    for stream in &point.result.streams {
        let key = (stream.operation.clone(), by_name.then(|| kind(&stream.name)));
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.into_iter()
        .map(|(operation, name)| {
            let streams: Vec<&StreamResult> = point
                .result
                .streams
                .iter()
                .filter(|s| s.operation == operation && name.as_ref().is_none_or(|n| *n == kind(&s.name)))
                .collect();
            // Writes beside reads are another load than writes alone.
            let mut beside: Vec<String> = point.result.streams.iter().map(|s| s.operation.clone()).collect();
            beside.retain(|other| *other != operation && !BESIDE.contains(&other.as_str()));
            beside.sort();
            beside.dedup();
            let row = together(parameters.clone(), operation, name, &streams);
            LoadRow { beside, ..row }
        })
        .collect()
}

/// `small` of `small, file.img`; `redo` of what SLOB says of the log.
fn kind(name: &str) -> String {
    if name.ends_with(": redo, write") {
        return "redo".to_owned();
    }
    let first = name.split(',').next().unwrap_or(name);
    if first == "small" || first == "large" { first.to_owned() } else { "all".to_owned() }
}

/// Streams of one run as one.
fn together(
    parameters: Parameters,
    operation: String,
    device: Option<String>,
    streams: &[&StreamResult],
) -> LoadRow {
    let all = |value: fn(&StreamResult) -> Option<f64>| streams.iter().map(|s| value(s)).sum::<Option<f64>>();
    let iops = all(|s| s.iops);
    let from = same(streams.iter().map(|s| s.latency_from)).unwrap_or(LatencyFrom::Unknown);
    let of = |s: &StreamResult| s.percentiles_from.unwrap_or(s.latency_from);
    let percentiles_from = same(streams.iter().map(|s| of(s))).unwrap_or(LatencyFrom::Unknown);
    let (latency, iops_interval) = match streams {
        [one] => (one.latency_us.clone(), one.interval.map(|i| (i.iops_low, i.iops_high))),
        several => (merged(several), interval(several, iops)),
    };
    let deviation_us = match streams {
        [one] => one.deviation_us(),
        _ => None,
    };
    LoadRow {
        parameters,
        operation,
        beside: Vec::new(),
        device: device.filter(|d| d != "all"),
        iops,
        iops_interval,
        mbps: all(|s| s.mbps),
        latency_from: from,
        latency,
        percentiles_from,
        deviation_us,
        intervals: 1,
    }
}

/// Latency of several streams: the mean by requests; percentiles where all histograms are at hand.
fn merged(streams: &[&StreamResult]) -> LatencyUs {
    let weight = |s: &StreamResult| s.ios.map(|n| n as f64).or(s.iops);
    let weighted: Option<Vec<(f64, f64)>> =
        streams.iter().map(|s| Some((weight(s)?, s.latency_us.mean?))).collect();
    let total: f64 = weighted.iter().flatten().map(|(w, _)| w).sum();
    let mean =
        weighted.filter(|_| total > 0.0).map(|all| all.iter().map(|(w, us)| w * us).sum::<f64>() / total);
    let longest = streams.iter().map(|s| s.latency_us.max).collect::<Option<Vec<f64>>>();
    let max = longest.map(|all| all.into_iter().fold(0.0, f64::max));
    let mut both = streams[0].clone();
    let added = streams[1..].iter().try_for_each(|other| {
        both = both.merged(other).ok()?;
        Some(())
    });
    match added {
        Some(()) => LatencyUs { mean, max, ..both.latency_us },
        None => LatencyUs { mean, max, ..LatencyUs::default() },
    }
}

/// The interval of a sum of independent streams.
fn interval(streams: &[&StreamResult], iops: Option<f64>) -> Option<(f64, f64)> {
    let squares = streams
        .iter()
        .map(|s| s.interval.map(|i| ((i.iops_high - i.iops_low) / 2.0).powi(2)))
        .sum::<Option<f64>>();
    iops.zip(squares).map(|(iops, squares)| ((iops - squares.sqrt()).max(0.0), iops + squares.sqrt()))
}

fn same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Parameters with what the job says beside them.
fn parameters(point: &Point) -> Parameters {
    let mut out = point.parameters.clone();
    out.pattern = out.pattern.take().map(|name| order(&name).to_owned());
    out.paced |= out.offered_iops.is_some();
    let Some(job) = &point.result.job else { return out };
    out.paced |= job.streams.iter().any(|s| match s.arrivals {
        Arrivals::Closed { think_us, .. } => think_us > 0.0,
        Arrivals::Commits { .. } => false,
        _ => true,
    });
    let targets = point.result.environment.devices.len().max(1) as f64;
    out.block_bytes = out.block_bytes.or_else(|| block(job));
    out.pattern = out.pattern.or_else(|| same(job.streams.iter().map(|s| pattern(s.pattern).to_owned())));
    if out.small.is_none() && out.concurrency.is_none() && out.offered_iops.is_none() {
        out.concurrency = depth(job).map(|depth| depth * targets);
    }
    out
}

fn block(job: &Job) -> Option<u64> {
    same(job.streams.iter().flat_map(|s| s.sizes.iter().map(|size| u64::from(size.bytes))))
}

fn depth(job: &Job) -> Option<f64> {
    job.streams
        .iter()
        .map(|s| match s.arrivals {
            Arrivals::Closed { depth, think_us } if think_us <= 0.0 => Some(f64::from(depth)),
            _ => None,
        })
        .sum()
}

fn pattern(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Random => "random",
        Pattern::Sequential => "sequential",
        Pattern::Strided { .. } => "strided",
        Pattern::HotSpot { .. } => "hot spot",
        Pattern::Zipf { .. } => "Zipf",
    }
}

/// The order of addresses behind fio's words.
fn order(name: &str) -> &str {
    match name {
        "randread" | "randwrite" | "randrw" | "randtrim" | "trimwrite" => "random",
        "read" | "write" | "rw" | "readwrite" | "trim" => "sequential",
        other => other,
    }
}

/// Intervals of a device as one row: rates are means over the intervals, latencies by requests.
fn watched(measured: &Measured) -> Vec<LoadRow> {
    let whole =
        |p: &&Point| p.parameters.phase.as_deref().is_none_or(|phase| !NOT_AN_INTERVAL.contains(&phase));
    let mut points: Vec<&Point> = measured.points.iter().filter(whole).collect();
    if points.is_empty() {
        points = measured.points.iter().collect();
    }
    let mut rows: Vec<(LoadRow, Sums)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for stream in points.iter().flat_map(|p| &p.result.streams) {
        let at = *place.entry((stream.name.clone(), stream.operation.clone())).or_insert_with(|| {
            let device = Some(stream.name.clone());
            let mut row = together(Parameters::default(), stream.operation.clone(), device, &[stream]);
            row.latency = LatencyUs::default();
            row.intervals = 0;
            rows.push((row, Sums::default()));
            rows.len() - 1
        });
        let Some((row, sums)) = rows.get_mut(at) else { continue };
        row.intervals += 1;
        sums.add(stream);
        if stream.latency_from != LatencyFrom::Unknown {
            row.latency_from = stream.latency_from;
            row.percentiles_from = stream.latency_from;
        }
    }
    rows.into_iter()
        .map(|(mut row, sums)| {
            let n = row.intervals as f64;
            row.iops = sums.iops.map(|sum| sum / n);
            row.mbps = sums.mbps.map(|sum| sum / n);
            row.latency.mean = (sums.timed > 0.0).then(|| sums.latency / sums.timed);
            row.iops_interval = None;
            row
        })
        .collect()
}

/// Sums over the intervals of a device.
struct Sums {
    iops: Option<f64>,
    mbps: Option<f64>,
    latency: f64,
    timed: f64,
}

impl Default for Sums {
    fn default() -> Self {
        Self { iops: Some(0.0), mbps: Some(0.0), latency: 0.0, timed: 0.0 }
    }
}

impl Sums {
    fn add(&mut self, stream: &StreamResult) {
        self.iops = self.iops.zip(stream.iops).map(|(a, b)| a + b);
        self.mbps = self.mbps.zip(stream.mbps).map(|(a, b)| a + b);
        if let Some((us, rate)) = stream.latency_us.mean.zip(stream.iops) {
            self.latency += us * rate;
            self.timed += rate;
        }
    }
}

/// Does the row make a load of its own?
pub(crate) fn is_load(row: &LoadRow) -> bool {
    !BESIDE.contains(&row.operation.as_str()) && row.device.as_deref() != Some("redo")
}

/// Reads and writes of one run as one row, as far as they can be put together.
pub(crate) fn whole_runs(measured: &Measured) -> Vec<LoadRow> {
    if is_watched(measured) {
        return Vec::new();
    }
    measured
        .points
        .iter()
        .filter(|p| {
            measured.form != Form::Calibrate
                || p.parameters.phase.as_deref().is_none_or(|p| p.starts_with("small"))
        })
        .filter(|p| p.parameters.large.is_none_or(|large| large == 0))
        .filter_map(|p| {
            let streams: Vec<&StreamResult> = p
                .result
                .streams
                .iter()
                .filter(|s| !BESIDE.contains(&s.operation.as_str()) && s.ios != Some(0))
                .collect();
            let operation = match streams.as_slice() {
                [] => return None,
                _ => same(streams.iter().map(|s| s.operation.clone())).unwrap_or_else(|| "mix".to_owned()),
            };
            Some(together(parameters(p), operation, None, &streams))
        })
        .collect()
}
