//! What screen and page of a measurement say alike: names of devices, of loads, and of who set the figures.

use crate::number;
use spindle_workload::{
    Form, LatencyFrom, LimitedBy, Measured, Pattern, Point, ReadersTime, RunResult, Stream, StreamResult,
};

/// Requests of which one is beyond the percentile: of fewer it would be the longest of all.
pub(crate) const ENOUGH_FOR_P99: u64 = 100;
/// Likewise.
pub(crate) const ENOUGH_FOR_P999: u64 = 1_000;

/// Were so many requests made? Where another tool does not say how many, what it prints is believed.
pub(crate) fn enough(stream: &StreamResult, least: u64) -> bool {
    stream.ios.is_none_or(|ios| ios >= least)
}

/// `measure ramp: slow.img`
pub(crate) fn title(m: &Measured) -> String {
    let paths: Vec<&str> = environment(m)
        .map_or_else(Vec::new, |r| r.environment.devices.iter().map(|d| d.path.as_str()).collect());
    match paths.as_slice() {
        [] => format!("measure {}", m.form.name()),
        [one] => format!("measure {}: {one}", m.form.name()),
        [first, rest @ ..] => format!("measure {}: {first} and {} more", m.form.name(), rest.len()),
    }
}

/// A run that says where it took place.
pub(crate) fn environment(m: &Measured) -> Option<&RunResult> {
    let said = |r: &&RunResult| !r.environment.devices.is_empty() || r.environment.kernel.is_some();
    m.points.iter().map(|p| &p.result).find(said)
}

/// Where and how, in a line.
pub(crate) fn place(m: &Measured) -> String {
    let Some(result) = environment(m) else { return String::new() };
    let e = &result.environment;
    let mut parts = Vec::new();
    let total: u64 = e.devices.iter().filter_map(|d| d.bytes).sum();
    if total > 0 {
        parts.push(number::bytes(total as f64));
    }
    if let [one] = e.devices.as_slice() {
        parts.extend(one.model.clone());
        parts.extend(one.scheduler.as_ref().map(|s| format!("scheduler {s}")));
    }
    let direct = e.devices.iter().filter_map(|d| d.direct);
    parts.push(if direct.clone().count() > 0 && direct.clone().all(|d| d) {
        "past the page cache".to_owned()
    } else {
        "THROUGH THE PAGE CACHE".to_owned()
    });
    parts.extend(e.engine.as_ref().map(|engine| format!("by {engine}")));
    parts.extend(e.host.clone());
    parts.extend(e.kernel.clone());
    parts.extend(e.cpus.map(|n| format!("{n} CPU{}", if n == 1 { "" } else { "s" })));
    parts.join(" · ")
}

/// Who set the figures, over all runs.
pub(crate) fn limited(m: &Measured) -> &'static str {
    let by = |which: LimitedBy| m.points.iter().filter(|p| p.result.limited_by == which).count();
    if by(LimitedBy::Cpu) > 0 {
        "The machine's CPUs, not the device, set part of the figures: see the warnings."
    } else if by(LimitedBy::Tool) > 0 {
        "This program's own work, not the device, set part of the figures: see the warnings."
    } else if by(LimitedBy::Unknown) > 0 {
        "Whether device or machine set the figures is not known."
    } else {
        "The device set the figures, not this program or the machine."
    }
}

/// From when latencies count.
pub(crate) fn counted_from(m: &Measured) -> &'static str {
    let streams = || m.points.iter().flat_map(|p| &p.result.streams);
    let elsewhere = |s: &StreamResult| !matches!(s.latency_from, LatencyFrom::Submit | LatencyFrom::Intended);
    if streams().any(elsewhere) {
        return "From when latency counts, the tool that measured decided.";
    }
    let intended = streams().filter(|s| s.latency_from == LatencyFrom::Intended).count();
    if intended == 0 {
        "Latency counts from the submission of a request to its answer."
    } else if intended == streams().count() {
        "Latency counts from when a request was to start, so it holds the time that it waited to be let in."
    } else {
        "Latency of streams with a rate counts from when a request was to start; of the others from submission."
    }
}

/// How the same places are asked for again; empty where nothing of it was random.
pub(crate) fn repeat(m: &Measured) -> String {
    // Of what others measured no command is known.
    if m.command.is_empty() {
        return String::new();
    }
    let is_random = |s: &Stream| s.pattern != Pattern::Sequential && s.trace.is_none();
    let job = m.points.iter().find_map(|p| p.result.job.as_ref());
    // SLOB's load is no job, and random.
    let seed = match job {
        Some(job) => job.streams.iter().any(is_random).then(|| m.seed.unwrap_or(job.seed)),
        None => m.slob.as_ref().map(|found| found.load.seed),
    };
    seed.map_or_else(String::new, |seed| format!("--seed {seed} asks for the same places again."))
}

/// One row of the table of runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ios: Option<f64>,
    pub(crate) elapsed_s: Option<f64>,
    /// Of its readers, on all hosts, one after the other.
    pub(crate) per_read_us: Option<f64>,
    pub(crate) iops: Option<f64>,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) mbps: Option<f64>,
    pub(crate) mean_us: Option<f64>,
    pub(crate) p50_us: Option<f64>,
    pub(crate) p99_us: Option<f64>,
    pub(crate) p999_us: Option<f64>,
    pub(crate) max_us: Option<f64>,
}

/// All rows: one a stream; the name tells the load where a form has several runs.
pub(crate) fn rows(m: &Measured) -> Vec<Row> {
    let row = |point: &Point, number: usize, stream: &StreamResult| {
        let alone = point.result.streams.len() == 1;
        let load = load(point);
        let name = match (load.is_empty(), alone) {
            (true, _) => stream.name.clone(),
            (false, true) => load,
            (false, false) => format!("{load}: {}", stream.name),
        };
        let l = &stream.latency_us;
        Row {
            name,
            ios: stream.ios.map(|n| n as f64),
            elapsed_s: stream.elapsed_s,
            per_read_us: ReadersTime::of_stream(&point.result, number).per_read_us(),
            iops: stream.iops,
            interval: stream.interval.map(|i| (i.iops_low, i.iops_high)),
            mbps: stream.mbps,
            mean_us: l.mean,
            p50_us: l.p50,
            p99_us: l.p99.filter(|_| enough(stream, ENOUGH_FOR_P99)),
            p999_us: l.p999.filter(|_| enough(stream, ENOUGH_FOR_P999)),
            max_us: l.max,
        }
    };
    let mut rows = Vec::new();
    for point in &m.points {
        for (number, stream) in point.result.streams.iter().enumerate() {
            let whole = row(point, number, stream);
            for part in &stream.parts {
                let name = format!("{}, {}", whole.name, part.name);
                rows.push(Row { name, per_read_us: None, ..row(point, number, part) });
            }
            // Above those that it is made of.
            rows.insert(rows.len() - stream.parts.len(), whole);
        }
    }
    rows
}

/// What set a run apart from the others; empty where there is one.
pub(crate) fn load(point: &Point) -> String {
    let p = &point.parameters;
    if !p.swept.is_empty() {
        let words = p.swept.iter().map(|(key, value)| format!("{key} {value}"));
        return words.collect::<Vec<_>>().join(", ");
    }
    if let Some((phase, committers)) = p.phase.as_ref().zip(p.committers) {
        return format!("{phase}, {committers} committer{}", if committers == 1 { "" } else { "s" });
    }
    if let Some(degree) = p.degree {
        let read_ahead =
            p.read_ahead_bytes.map(|b| format!("read-ahead {} KiB", number::plain(b as f64 / 1024.0)));
        let reads = p.block_bytes.map(|b| format!("reads of {}", number::bytes(b as f64)));
        let parts = [Some(format!("degree {degree}")), p.scheduler.clone(), read_ahead, reads];
        return parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    }
    if let Some((phase, (from, to))) = p.phase.as_ref().zip(p.range_bytes) {
        let from = if from == 0 { "0".to_owned() } else { number::bytes(from as f64) };
        return format!("{phase}, {from} to {}", number::bytes(to as f64));
    }
    if let Some((phase, distance)) = p.phase.as_ref().zip(p.distance_bytes) {
        return format!("{phase}, {} apart", number::bytes(distance as f64));
    }
    match (&p.phase, p.concurrency, p.offered_iops, p.small.zip(p.large)) {
        (Some(phase), Some(n), ..) => format!("{phase}, {}", number::plain(n)),
        (_, Some(n), ..) => format!("{} under way", number::plain(n)),
        (_, _, Some(rate), _) => format!("{} a second", number::plain(rate)),
        (Some(phase), None, None, None) => phase.clone(),
        (_, _, _, Some((small, large))) => format!("small {small}, large {large}"),
        _ => String::new(),
    }
}

/// Half of an interval's width, percent of the value.
pub(crate) fn half_pct(row: &Row) -> Option<f64> {
    let ((low, high), iops) = row.interval.zip(row.iops)?;
    (iops > 0.0).then(|| 100.0 * (high - low) / 2.0 / iops)
}

/// What all readers of the reader program took; `None` where there is one alone.
pub(crate) fn all_readers(m: &Measured) -> Option<ReadersTime> {
    let result = m.points.first().filter(|_| is_read(m)).map(|p| &p.result)?;
    Some(ReadersTime::of(result)).filter(|time| time.readers > 1)
}

/// Is it the reader program?
pub(crate) fn is_read(m: &Measured) -> bool {
    m.form == Form::Read
}

/// One quantity of a matrix: title, and a cell for each large by each small.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) title: &'static str,
    pub(crate) columns: Vec<u32>,
    /// Large under way, and a cell for each column.
    pub(crate) rows: Vec<(u32, Vec<Option<f64>>)>,
}

/// The grids of a matrix, those with any value.
pub(crate) fn grids(m: &Measured) -> Vec<Grid> {
    let at = |p: &Point| p.parameters.small.zip(p.parameters.large);
    let mut columns: Vec<u32> = m.points.iter().filter_map(|p| at(p).map(|(s, _)| s)).collect();
    let mut lines: Vec<u32> = m.points.iter().filter_map(|p| at(p).map(|(_, l)| l)).collect();
    columns.sort_unstable();
    columns.dedup();
    lines.sort_unstable();
    lines.dedup();
    let of = |p: &Point, kind: &str, value: fn(&StreamResult) -> Option<f64>, weighted: bool| {
        let streams: Vec<&StreamResult> =
            p.result.streams.iter().filter(|s| s.name.split(',').next() == Some(kind)).collect();
        if let [one] = streams.as_slice() {
            return value(one);
        }
        let ios: f64 = streams.iter().filter_map(|s| s.ios).map(|n| n as f64).sum();
        if streams.is_empty() || ios == 0.0 {
            return None;
        }
        let weight = |s: &StreamResult| if weighted { s.ios.unwrap_or(0) as f64 / ios } else { 1.0 };
        streams.iter().map(|s| value(s).map(|v| v * weight(s))).sum()
    };
    type Value = fn(&StreamResult) -> Option<f64>;
    let quantities: [(&'static str, &str, Value, bool); 3] = [
        ("Large requests, MB/s", "large", |s| s.mbps, false),
        ("Small requests, IOPS", "small", |s| s.iops, false),
        ("Small requests, mean ms", "small", |s| s.latency_us.mean.map(|us| us / 1e3), true),
    ];
    let mut out = Vec::new();
    for (title, kind, value, weighted) in quantities {
        let cell = |small: u32, large: u32| {
            let point = m.points.iter().find(|p| at(p) == Some((small, large)))?;
            of(point, kind, value, weighted)
        };
        let rows: Vec<(u32, Vec<Option<f64>>)> = lines
            .iter()
            .map(|large| (*large, columns.iter().map(|small| cell(*small, *large)).collect()))
            .collect();
        if rows.iter().any(|(_, cells)| cells.iter().any(Option::is_some)) {
            out.push(Grid { title, columns: columns.clone(), rows });
        }
    }
    out
}
