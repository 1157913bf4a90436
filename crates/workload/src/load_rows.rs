//! Measurements as rows of one load each, so that those of different tools can be held against each other and
//! become a curve: streams of one run and operation are one row.

use crate::arrival::Arrivals;
use crate::interval::{Sure, half_width_of_runs};
use crate::job::{Flush, Job, Stream};
use crate::measured::{Form, Measured, Parameters, Point};
use crate::pattern::Pattern;
use crate::region::{Extent, Region};
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
    /// Share of reads of all streams, percent; `None` where it is not known, or not one.
    pub(crate) read_pct: Option<f64>,
    /// How requests arrive beside how many are under way or asked for; empty where they follow each other.
    pub(crate) pace: Option<Vec<String>>,
    /// Where requests go and what they are beside the order of their addresses; empty for one size anywhere on
    /// the device.
    pub(crate) places: Option<Vec<String>>,
    /// Runs of this load that are one row here, and the streams of each, where they are several.
    pub(crate) runs: usize,
    pub(crate) streams: Vec<StreamResult>,
}

/// Operations that make no load of their own.
const BESIDE: [&str; 4] = ["sync", "trim", crate::COMMIT, crate::WAIT];

const SINCE_BOOT: &str = "since boot";
/// Words of a phase that say that a report counts from boot, or is the mean of the others.
const NOT_AN_INTERVAL: [&str; 2] = [SINCE_BOOT, "average"];

/// Reports since boot, and others, of a device that was watched.
pub(crate) fn reports_since_boot(measured: &Measured) -> (usize, usize) {
    let phases = measured.points.iter().map(|p| p.parameters.phase.as_deref());
    let from_boot = phases.filter(|phase| *phase == Some(SINCE_BOOT)).count();
    (from_boot, measured.points.len() - from_boot)
}

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

/// Is it the summary of a run of Orion, whole by itself? Two of them are two runs, and what one does not say the other
/// does not say for it.
pub(crate) fn is_summary(measured: &Measured) -> bool {
    measured.matrix.as_ref().is_some_and(|matrix| !matrix.summary.is_empty())
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
            let job = point.result.job.as_ref();
            LoadRow {
                beside,
                read_pct: match job {
                    Some(job) => same(job.streams.iter().map(|s| s.read_pct)),
                    None => point.parameters.read_pct,
                },
                pace: pace(point),
                places: job.map_or_else(|| point.parameters.places.clone(), |job| Some(places(job))),
                streams: streams.into_iter().cloned().collect(),
                ..row
            }
        })
        .collect()
}

/// What SLOB says of the log, and of reads that are among others.
const BESIDE_THE_DATA: [&str; 3] = ["redo", "direct path", "parallel"];

/// `small` of `small, file.img`; `redo` of what SLOB says of the log.
fn kind(name: &str) -> String {
    if let Some((_, (kind, _))) =
        name.rsplit_once(": ").and_then(|(file, rest)| Some((file, rest.split_once(", ")?)))
        && BESIDE_THE_DATA.contains(&kind)
    {
        return kind.to_owned();
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
        read_pct: None,
        pace: None,
        places: None,
        runs: 1,
        streams: Vec::new(),
    }
}

impl LoadRow {
    /// Takes in more runs of this load: rates are means of the runs, as sure as the runs are alike; latencies are
    /// those of all requests.
    pub(crate) fn with_repeats(mut self, others: Vec<Self>) -> Self {
        if others.is_empty() {
            return self;
        }
        let runs = || std::iter::once(&self).chain(&others);
        let mean = |of: fn(&Self) -> Option<f64>| {
            let all = runs().map(of).collect::<Option<Vec<f64>>>()?;
            Some(all.iter().sum::<f64>() / all.len() as f64)
        };
        let rates: Option<Vec<Sure>> = runs().map(|r| Some((r.iops?, r.iops_interval))).collect();
        let iops = mean(|r| r.iops);
        let mbps = mean(|r| r.mbps);
        let iops_interval = rates.as_deref().and_then(half_width_of_runs).zip(iops);
        let means: Option<Vec<Sure>> =
            runs().map(|r| Some((r.latency.mean?, r.latency.intervals.get("mean").copied()))).collect();
        let streams: Vec<&StreamResult> = runs().flat_map(|r| &r.streams).collect();
        let mut latency = if streams.is_empty() { LatencyUs::default() } else { merged(&streams) };
        // The requests of one run are alike, so those of all say less than the runs do.
        latency.intervals.clear();
        if let Some((half, mean)) = means.as_deref().and_then(half_width_of_runs).zip(latency.mean) {
            latency.intervals.insert("mean".to_owned(), ((mean - half).max(0.0), mean + half));
        }
        for (name, of) in PERCENTILES {
            let all: Option<Vec<Sure>> =
                runs().map(|r| Some((of(&r.latency)?, r.latency.intervals.get(name).copied()))).collect();
            if let Some((half, value)) = all.as_deref().and_then(half_width_of_runs).zip(of(&latency)) {
                latency.intervals.insert(name.to_owned(), ((value - half).max(0.0), value + half));
            }
        }
        self.runs += others.iter().map(|r| r.runs).sum::<usize>();
        (self.iops, self.mbps, self.latency) = (iops, mbps, latency);
        self.iops_interval = iops_interval.map(|(half, iops)| ((iops - half).max(0.0), iops + half));
        self
    }
}

/// A percentile by its name.
type Percentile = (&'static str, fn(&LatencyUs) -> Option<f64>);

const PERCENTILES: [Percentile; 4] =
    [("p50", |l| l.p50), ("p90", |l| l.p90), ("p99", |l| l.p99), ("p999", |l| l.p999)];

/// How requests arrive, as far as it is known.
fn pace(point: &Point) -> Option<Vec<String>> {
    let Some(job) = &point.result.job else {
        let p = &point.parameters;
        return match &p.pace {
            Some(said) => Some(vec![said.clone()]),
            None if p.offered_iops.is_some() => Some(Vec::new()),
            None if p.paced => Some(vec!["a rate or pauses".to_owned()]),
            // So many were under way all the time.
            None => p.concurrency.or(p.small.map(f64::from)).map(|_| Vec::new()),
        };
    };
    let of = |s: &Stream| match s.arrivals {
        Arrivals::Closed { think_us, .. } if think_us <= 0.0 => None,
        Arrivals::Closed { depth, think_us } => {
            Some(format!("{depth} under way at most, with pauses of {} ms", think_us / 1e3))
        }
        Arrivals::Open { iops, poisson } => {
            let times = if poisson { "at random times" } else { "at fixed times" };
            Some(if job.streams.len() > 1 { format!("{iops} a second {times}") } else { times.to_owned() })
        }
        Arrivals::Commits { committers, think_us } => {
            let pauses =
                if think_us > 0.0 { format!(" with pauses of {} ms", think_us / 1e3) } else { String::new() };
            Some(format!("{committers} commit{pauses}"))
        }
        Arrivals::Replay { speed } => Some(format!("{speed} times as fast as traced")),
    };
    Some(of_streams(job, |s| of(s).into_iter().collect()))
}

/// Where requests go, and what is special of them.
fn places(job: &Job) -> Vec<String> {
    let extent = |e: Extent| match e {
        Extent::Bytes(bytes) => format!("{bytes} bytes"),
        Extent::Percent(pct) => format!("{pct} %"),
    };
    of_streams(job, |s| {
        let mut said = Vec::new();
        if let Some(trace) = &s.trace {
            let held =
                trace.sha256.as_ref().map_or_else(|| trace.file.clone(), |sum| format!("SHA-256 {sum}"));
            said.push(format!("trace {held}"));
        }
        match s.pattern {
            Pattern::Random | Pattern::Sequential => {}
            Pattern::Strided { blocks } => said.push(format!("every {blocks} blocks")),
            Pattern::HotSpot { accesses_pct, blocks_pct } => {
                said.push(format!("{accesses_pct} % to {blocks_pct} % of the blocks"));
            }
            Pattern::Zipf { theta } => said.push(format!("exponent {theta}")),
        }
        if s.sizes.len() > 1 {
            let sizes = s.sizes.iter().map(|size| format!("{} ({})", size.bytes, size.weight));
            said.push(format!("sizes by weight {}", sizes.collect::<Vec<_>>().join(", ")));
        }
        let whole = Region { length: None, ..s.region } == Region::default()
            && s.region.length.is_none_or(|length| length == Extent::Percent(100.0));
        if !whole {
            let length = s.region.length.map_or_else(|| "the end".to_owned(), extent);
            said.push(match s.region.length {
                None => format!("from {} to the end", extent(s.region.from)),
                Some(_) => format!("from {}, {length} long", extent(s.region.from)),
            });
        }
        match s.flush {
            Flush::None => {}
            Flush::Dsync => said.push("each write with O_DSYNC".to_owned()),
            Flush::Fdatasync => said.push("fdatasync after each write".to_owned()),
        }
        said
    })
}

/// What is said of the streams of a job, each with its number where they are several.
fn of_streams(job: &Job, say: impl Fn(&Stream) -> Vec<String>) -> Vec<String> {
    let several = job.streams.len() > 1;
    let numbered = |(n, s): (usize, &Stream)| {
        let said = say(s).into_iter();
        said.map(|one| if several { format!("stream {}: {one}", n + 1) } else { one }).collect::<Vec<_>>()
    };
    job.streams.iter().enumerate().flat_map(numbered).collect()
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
    if out.offered_iops.is_none() && out.small.is_none() {
        out.offered_iops = rate(job).map(|rate| rate * targets);
    }
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

/// Requests a second asked for of each target, where all streams have such a rate.
fn rate(job: &Job) -> Option<f64> {
    job.streams
        .iter()
        .map(|s| match s.arrivals {
            Arrivals::Open { iops, .. } => Some(iops),
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
    // Discards are a row where there were any: in other intervals of the device there were none.
    for at in 0..rows.len() {
        if rows[at].0.operation == "trim" {
            let same = rows.iter().filter(|(row, _)| row.device == rows[at].0.device);
            rows[at].0.intervals = same.map(|(row, _)| row.intervals).max().unwrap_or(1);
        }
    }
    rows.into_iter()
        .map(|(mut row, sums)| {
            let idle = row.device.as_ref().and_then(|name| measured.idle.get(name));
            row.intervals += idle.map_or(0, |n| *n as usize);
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
    !BESIDE.contains(&row.operation.as_str())
        && row.device.as_deref().is_none_or(|device| !BESIDE_THE_DATA.contains(&device))
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
            let row = together(parameters(p), operation, None, &streams);
            Some(LoadRow { streams: streams.into_iter().cloned().collect(), ..row })
        })
        .collect()
}
