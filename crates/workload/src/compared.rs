//! Two measurements held against each other, whoever made them: run by run where both had the same load.
//!
//! What differs in kind is not put into one ratio: a latency that counts from the submission against one that
//! leaves it out, percentiles of one basis against those of another. It is said instead.

use crate::load_rows::{
    LoadRow, is_load, is_summary, is_watched, load_rows, reports_since_boot, rows_of_parts,
};
use crate::measured::{Measured, Parameters};
use crate::result::LatencyFrom;
use serde::Serialize;

/// Runs of a side that are compared.
const MOST_RUNS: usize = 2_000;

/// Two measurements compared.
///
/// Shape: one a comparison. Unit: in the names. Missing: `None`. Source: two lists of [`Measured`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResultComparison {
    /// The side before.
    pub before: ResultSide,
    /// The side after.
    pub after: ResultSide,
    /// Loads that both had.
    pub runs: Vec<ComparedRun>,
    /// Loads that one side alone had, and how they are called.
    pub only_before: Vec<String>,
    /// Likewise.
    pub only_after: Vec<String>,
    /// In a sentence or two, with numbers.
    pub verdict: String,
    /// What the reader must know.
    pub warnings: Vec<String>,
}

/// One side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResultSide {
    /// Files.
    pub sources: Vec<String>,
    /// Tools and releases.
    pub programs: Vec<String>,
    /// Where they ran.
    pub hosts: Vec<String>,
    /// What they ran on.
    pub devices: Vec<String>,
    /// Runs in all.
    pub runs: usize,
}

/// A load that both sides had.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRun {
    /// In words: `read, 8192 bytes, random, 4 under way`.
    pub load: String,
    /// Likewise, as figures.
    pub parameters: Parameters,
    /// What is done: `read`, `write`, `mix`.
    pub operation: String,
    /// What both sides have.
    pub figures: Vec<ComparedFigure>,
    /// What stands on both sides, or on one, and is not compared: why.
    pub not_compared: Vec<String>,
}

/// One figure of both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedFigure {
    /// `iops`, `mbps`, `mean_us`, `p50_us`, `p90_us`, `p99_us`, `p999_us`, `max_us`.
    pub name: String,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
    /// After by before.
    pub ratio: Option<f64>,
    /// Least and most of the value before, at 95 %.
    pub before_interval: Option<(f64, f64)>,
    /// Likewise after.
    pub after_interval: Option<(f64, f64)>,
    /// Is the difference more than chance explains? `None` where an interval is missing.
    pub differs: Option<bool>,
}

/// Holds two sides against each other; each with the names of its files.
///
/// # Errors
/// In a sentence, where nothing can be compared.
pub fn compare_results(
    before: &[(String, Measured)],
    after: &[(String, Measured)],
) -> Result<ResultComparison, String> {
    let mut out =
        ResultComparison { before: side(before), after: side(after), ..ResultComparison::default() };
    for (name, side) in [("before", before), ("after", after)] {
        let runs: usize = side.iter().filter(|(_, m)| !is_watched(m)).map(|(_, m)| m.points.len()).sum();
        if runs > MOST_RUNS {
            return Err(format!(
                "{name} holds {runs} runs, more than the {MOST_RUNS} that are compared; give a part of them"
            ));
        }
    }
    let mut rows = (put_together(rows_of(before)), put_together(rows_of(after)));
    rows.0.truncate(MOST_RUNS);
    rows.1.truncate(MOST_RUNS);
    for (name, rows) in [("before", &rows.0), ("after", &rows.1)] {
        if rows.is_empty() {
            return Err(format!("nothing {name} holds the figures of a run"));
        }
    }
    // First those of the same load, then those that one side says more of, then what is the only one of its
    // operation on both sides.
    let mut pairs: Vec<(LoadRow, LoadRow, Vec<String>)> = Vec::new();
    pair(&mut rows, &mut pairs, |a, b| label(a) == label(b) && a.device == b.device);
    pair(&mut rows, &mut pairs, |a, b| {
        plain_label(a) == plain_label(b) && a.device == b.device && unknown_on_one_side(a, b).is_some()
    });
    loose_pairs(&mut rows, &mut pairs);
    let most = |of: fn(&(LoadRow, LoadRow, Vec<String>)) -> usize| pairs.iter().map(of).max();
    let (most_before, most_after) = (most(|p| p.0.runs), most(|p| p.1.runs));
    let repeated =
        if most_before.max(most_after) > Some(1) { (most_before, most_after) } else { (None, None) };
    for (row, other, unknown) in pairs {
        out.runs.push(run(&row, &other, unknown));
    }
    out.only_before = rows.0.iter().map(named).collect();
    out.only_after = rows.1.iter().map(named).collect();
    if out.runs.is_empty() {
        return Err(format!(
            "the two sides have no load in common: before {}; after {}",
            some_of(&out.only_before),
            some_of(&out.only_after)
        ));
    }
    if let (Some(before), Some(after)) = repeated {
        out.warnings.push(format!(
            "a load stands several times on a side, up to {before} times before and {after} after: the runs of one load are \
             put together, rates as their mean and latencies over all of their requests, and intervals hold what differs from \
             run to run (of two runs, both)"
        ));
    }
    if before.iter().chain(after).any(|(_, m)| is_watched(m)) {
        out.warnings.push(
            "iostat and sar say what a device did under the load of their time: a lower rate may be a lower load".to_owned(),
        );
    }
    for (name, side) in [("before", before), ("after", after)] {
        let found = side.iter().filter(|(_, m)| is_watched(m)).map(|(_, m)| reports_since_boot(m));
        let (left_out, alone) = found.fold((0, 0), |(left_out, alone), (from_boot, others)| {
            if others > 0 { (left_out + from_boot, alone) } else { (left_out, alone + from_boot) }
        });
        if left_out > 0 {
            out.warnings.push(format!(
                "{name}: first reports of iostat count from boot and are left out beside others, {left_out} in all (those of \
                 `iostat -y` do not)"
            ));
        }
        if alone > 0 {
            out.warnings.push(format!(
                "{name}: a report of iostat that is the only one of its call is taken: it counts from boot, as a mean over the \
                 time since then, unless it is of `iostat -y`, whose first report is of an interval"
            ));
        }
    }
    let bytes =
        |rows: &[(String, Measured)]| rows.iter().flat_map(|(_, m)| m.all_warnings()).collect::<Vec<_>>();
    for warning in bytes(before).into_iter().chain(bytes(after)) {
        if !out.warnings.contains(&warning) {
            out.warnings.push(warning);
        }
    }
    out.verdict = verdict(&out);
    Ok(out)
}

/// Pairs the rows that are alike, where each is the only such one.
fn pair(
    rows: &mut (Vec<LoadRow>, Vec<LoadRow>),
    pairs: &mut Vec<(LoadRow, LoadRow, Vec<String>)>,
    alike: impl Fn(&LoadRow, &LoadRow) -> bool,
) {
    let mut at = 0;
    while at < rows.0.len() {
        let row = &rows.0[at];
        let found: Vec<usize> = (0..rows.1.len()).filter(|n| alike(row, &rows.1[*n])).collect();
        match found.as_slice() {
            [one] if rows.0.iter().filter(|own| alike(own, &rows.1[*one])).count() == 1 => {
                let other = rows.1.remove(*one);
                let row = rows.0.remove(at);
                let unknown = unknown_on_one_side(&row, &other).unwrap_or_default();
                pairs.push((row, other, unknown));
            }
            _ => at += 1,
        }
    }
}

/// Runs of one load that a side holds several times, as one row each.
fn put_together(rows: Vec<LoadRow>) -> Vec<LoadRow> {
    let mut groups: Vec<(LoadRow, Vec<LoadRow>)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for row in rows {
        let kind = (row.latency_from.name(), row.percentiles_from.name());
        // What a device did under a load that nobody knows is not the same load again.
        let load = (!row.streams.is_empty()).then(|| (label(&row), row.device.clone(), kind));
        match load.and_then(|load| match place.entry(load) {
            std::collections::hash_map::Entry::Occupied(known) => Some(*known.get()),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(groups.len());
                None
            }
        }) {
            Some(at) => groups[at].1.push(row),
            None => groups.push((row, Vec::new())),
        }
    }
    groups.into_iter().map(|(first, others)| first.with_repeats(others)).collect()
}

fn side(results: &[(String, Measured)]) -> ResultSide {
    let mut out =
        ResultSide { runs: results.iter().map(|(_, m)| m.points.len()).sum(), ..ResultSide::default() };
    let push = |list: &mut Vec<String>, text: &str| {
        if !list.iter().any(|known| known == text) {
            list.push(text.to_owned());
        }
    };
    for (source, measured) in results {
        push(&mut out.sources, source);
        for environment in measured.points.iter().map(|p| &p.result.environment) {
            environment.program.iter().for_each(|p| push(&mut out.programs, p));
            environment.host.iter().for_each(|h| push(&mut out.hosts, h));
            environment.devices.iter().for_each(|d| push(&mut out.devices, &d.path));
        }
    }
    out
}

/// Rows of a side; files of one matrix that hold rates and latencies apart are put together.
fn rows_of(results: &[(String, Measured)]) -> Vec<LoadRow> {
    // Each with the summary that it comes from.
    let mut rows: Vec<(Option<usize>, LoadRow)> = Vec::new();
    let of = |(n, (_, m)): (usize, &(String, Measured))| -> Vec<(Option<usize>, LoadRow)> {
        let summary = is_summary(m).then_some(n);
        load_rows(m).into_iter().chain(rows_of_parts(m)).map(|row| (summary, row)).collect()
    };
    for (summary, row) in results.iter().enumerate().flat_map(of) {
        let in_matrix = row.parameters.small.is_some();
        let known = rows.iter_mut().find(|(other, known)| {
            in_matrix
                && other.zip(summary).is_none_or(|(other, summary)| other == summary)
                && known.parameters.small == row.parameters.small
                && known.parameters.large == row.parameters.large
                && known.device == row.device
                && (known.operation == row.operation
                    || [&known.operation, &row.operation].iter().any(|o| *o == "unknown"))
                && !(known.iops.is_some() && row.iops.is_some())
                && !(known.latency.mean.is_some() && row.latency.mean.is_some())
                && !(known.mbps.is_some() && row.mbps.is_some())
        });
        match known {
            Some((other, known)) => {
                *other = other.or(summary);
                known.iops = known.iops.or(row.iops);
                known.mbps = known.mbps.or(row.mbps);
                if known.latency.mean.is_none() {
                    (known.latency, known.latency_from) = (row.latency, row.latency_from);
                }
                if known.operation == "unknown" {
                    known.operation = row.operation;
                }
                // Its tables do not say what the summary says of the requests.
                let (known, other) = (&mut known.parameters, row.parameters);
                known.block_bytes = known.block_bytes.or(other.block_bytes);
                known.pattern = known.pattern.take().or(other.pattern);
            }
            None => rows.push((summary, row)),
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What a load is, as far as it is known.
fn label(row: &LoadRow) -> Vec<String> {
    let mut parts = plain_label(row);
    // Reads and writes apart say what they are; their share is that of the run.
    parts.extend(row.read_pct.filter(|p| *p > 0.0 && *p < 100.0).map(|p| format!("{p} % reads")));
    parts.extend(row.pace.iter().flatten().cloned());
    parts.extend(row.places.iter().flatten().cloned());
    parts
}

/// The same as every tool says it.
fn plain_label(row: &LoadRow) -> Vec<String> {
    let p = &row.parameters;
    let mut parts = vec![row.operation.clone()];
    parts.extend(row.beside.iter().map(|other| format!("beside {other}")));
    parts.extend(p.phase.clone());
    parts.extend(p.block_bytes.map(|b| format!("{b} bytes")));
    parts.extend(p.pattern.clone());
    parts.extend(p.concurrency.map(|n| format!("{n} under way")));
    parts.extend(p.offered_iops.map(|n| format!("{n} a second asked for")));
    parts.extend(p.committers.map(|n| format!("{n} committers")));
    parts.extend(p.threads.map(|n| format!("{n} threads")));
    parts.extend(p.degree.map(|n| format!("degree {n}")));
    parts.extend(p.scheduler.as_ref().map(|name| format!("scheduler {name}")));
    parts.extend(p.read_ahead_bytes.map(|b| format!("read-ahead {b} bytes")));
    parts.extend(p.range_bytes.map(|(a, b)| format!("bytes {a} to {b}")));
    parts.extend(p.distance_bytes.map(|b| format!("{b} bytes apart")));
    parts.extend(p.small.zip(p.large).map(|(small, large)| format!("small {small}, large {large}")));
    parts
}

fn named(row: &LoadRow) -> String {
    let label = label(row).join(", ");
    row.device.as_ref().map_or(label.clone(), |device| format!("{device}: {label}"))
}

fn some_of(all: &[String]) -> String {
    let shown = all.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if all.len() > 3 { format!("{shown} and {} more", all.len() - 3) } else { shown }
}

/// Pairs what is the only row of its operation on both sides and contradicts the other in nothing.
fn loose_pairs(rows: &mut (Vec<LoadRow>, Vec<LoadRow>), pairs: &mut Vec<(LoadRow, LoadRow, Vec<String>)>) {
    let mut at = 0;
    while at < rows.0.len() {
        let row = &rows.0[at];
        let of = |other: &LoadRow| {
            other.operation == row.operation
                && other.beside == row.beside
                && other.device == row.device
                && is_load(other)
        };
        let found: Vec<usize> = (0..rows.1.len()).filter(|n| of(&rows.1[*n])).collect();
        let own = rows.0.iter().filter(|other| of(other)).count();
        let unknown = match found.as_slice() {
            [one] if own == 1 && is_load(row) => unknown_on_one_side(row, &rows.1[*one]),
            _ => None,
        };
        match unknown {
            Some(unknown) => {
                let other = rows.1.remove(found[0]);
                pairs.push((rows.0.remove(at), other, unknown));
            }
            None => at += 1,
        }
    }
}

/// What one side alone says of its load; `None` where both say different things.
fn unknown_on_one_side(row: &LoadRow, other: &LoadRow) -> Option<Vec<String>> {
    fn look<T: PartialEq + Clone>(
        name: &str,
        a: &Option<T>,
        b: &Option<T>,
        out: &mut Vec<String>,
    ) -> Option<()> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => return None,
            (None, Some(_)) => out.push(format!("{name}, not known before")),
            (Some(_), None) => out.push(format!("{name}, not known after")),
            _ => {}
        }
        Some(())
    }
    /// What is known to be nothing special is not missed where it is not known.
    fn special(
        name: &str,
        a: Option<&Vec<String>>,
        b: Option<&Vec<String>>,
        out: &mut Vec<String>,
    ) -> Option<()> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => return None,
            (None, Some(b)) if !b.is_empty() => {
                out.push(format!("{name} ({}), not known before", b.join(", ")))
            }
            (Some(a), None) if !a.is_empty() => {
                out.push(format!("{name} ({}), not known after", a.join(", ")))
            }
            _ => {}
        }
        Some(())
    }
    let (a, b) = (&row.parameters, &other.parameters);
    let mut out = Vec::new();
    special("how requests arrive", row.pace.as_ref(), other.pace.as_ref(), &mut out)?;
    // Where it is known how requests arrive, no rate was asked for where none is said.
    if row.pace.is_some() && other.pace.is_some() && a.offered_iops != b.offered_iops {
        return None;
    }
    special("where they go", row.places.as_ref(), other.places.as_ref(), &mut out)?;
    if let (Some(a), Some(b)) = (row.read_pct, other.read_pct)
        && a != b
    {
        return None;
    }
    look("the part of the measurement", &a.phase, &b.phase, &mut out)?;
    look("requests under way", &a.concurrency, &b.concurrency, &mut out)?;
    look("the rate asked for", &a.offered_iops, &b.offered_iops, &mut out)?;
    look("small requests under way", &a.small, &b.small, &mut out)?;
    look("large requests under way", &a.large, &b.large, &mut out)?;
    look("those who commit", &a.committers, &b.committers, &mut out)?;
    look("threads", &a.threads, &b.threads, &mut out)?;
    look("the degree", &a.degree, &b.degree, &mut out)?;
    look("the scheduler", &a.scheduler, &b.scheduler, &mut out)?;
    look("the read-ahead", &a.read_ahead_bytes, &b.read_ahead_bytes, &mut out)?;
    look("the range", &a.range_bytes, &b.range_bytes, &mut out)?;
    look("the distance", &a.distance_bytes, &b.distance_bytes, &mut out)?;
    // What its options do not say, its figures may refute.
    for (size, unknown) in [(a.block_bytes, other), (b.block_bytes, row)] {
        let figures = unknown.iops.filter(|rate| *rate > 0.0).zip(unknown.mbps);
        let seen =
            figures.filter(|_| unknown.parameters.block_bytes.is_none()).map(|(rate, mb)| mb * 1e6 / rate);
        if let Some((size, seen)) = size.zip(seen)
            && !(0.75..=1.33).contains(&(seen / size as f64))
        {
            return None;
        }
    }
    look("bytes of a request", &a.block_bytes, &b.block_bytes, &mut out)?;
    look("the order of addresses", &a.pattern, &b.pattern, &mut out)?;
    Some(out)
}

/// What a side has in place of a figure, microseconds.
fn lacking(name: &str, side: &str, bounds: Option<(f64, f64)>) -> String {
    match bounds {
        Some((low, high)) => {
            format!(
                "{}: {side} it is between {:.3} and {:.3} ms, and no value",
                words(name),
                low / 1e3,
                high / 1e3
            )
        }
        None => format!("{}: {side} does not have it", words(name)),
    }
}

fn run(row: &LoadRow, other: &LoadRow, unknown: Vec<String>) -> ComparedRun {
    let mut figures = Vec::new();
    let mut not_compared: Vec<String> = unknown
        .into_iter()
        .map(|what| format!("whether both had the same load is not sure: {what}"))
        .collect();
    let mut add =
        |name: &str, a: Option<f64>, b: Option<f64>, intervals: [Option<(f64, f64)>; 2]| match (a, b) {
            (Some(before), Some(after)) => figures.push(figure(name, before, after, intervals)),
            (Some(_), None) => not_compared.push(lacking(name, "after", intervals[1])),
            (None, Some(_)) => not_compared.push(lacking(name, "before", intervals[0])),
            (None, None) => {
                let sides = ["before", "after"].into_iter().zip(intervals);
                not_compared
                    .extend(sides.filter(|(_, of)| of.is_some()).map(|(side, of)| lacking(name, side, of)));
            }
        };
    add("iops", row.iops, other.iops, [row.iops_interval, other.iops_interval]);
    add("mbps", row.mbps, other.mbps, [None, None]);
    let (a, b) = (&row.latency, &other.latency);
    let mean_alike = row.latency_from == other.latency_from || a.mean.is_none() || b.mean.is_none();
    if mean_alike {
        let of = |l: &crate::LatencyUs| l.intervals.get("mean").copied();
        add("mean_us", a.mean, b.mean, [of(a), of(b)]);
        add("max_us", a.max, b.max, [None, None]);
    }
    let kept = |l: &crate::LatencyUs| l.p50.or(l.p90).or(l.p99).or(l.p999).is_some();
    let alike = row.percentiles_from == other.percentiles_from || !kept(a) || !kept(b);
    if alike {
        let of = |name: &str| [a.intervals.get(name).copied(), b.intervals.get(name).copied()];
        add("p50_us", a.p50, b.p50, of("p50"));
        add("p90_us", a.p90, b.p90, of("p90"));
        add("p99_us", a.p99, b.p99, of("p99"));
        add("p999_us", a.p999, b.p999, of("p999"));
    }
    if !mean_alike {
        not_compared.push(basis("mean latency", row.latency_from, other.latency_from, a.mean, b.mean));
    }
    if !alike {
        not_compared.push(basis("percentiles", row.percentiles_from, other.percentiles_from, a.p99, b.p99));
    }
    let parameters = Parameters {
        phase: row.parameters.phase.clone().or_else(|| other.parameters.phase.clone()),
        concurrency: row.parameters.concurrency.or(other.parameters.concurrency),
        offered_iops: row.parameters.offered_iops.or(other.parameters.offered_iops),
        small: row.parameters.small.or(other.parameters.small),
        large: row.parameters.large.or(other.parameters.large),
        block_bytes: row.parameters.block_bytes.or(other.parameters.block_bytes),
        pattern: row.parameters.pattern.clone().or_else(|| other.parameters.pattern.clone()),
        ..row.parameters.clone()
    };
    let known = LoadRow {
        parameters: parameters.clone(),
        read_pct: row.read_pct.or(other.read_pct),
        pace: row.pace.clone().or_else(|| other.pace.clone()),
        places: row.places.clone().or_else(|| other.places.clone()),
        streams: Vec::new(),
        ..row.clone()
    };
    let load = named(&known);
    ComparedRun { load, parameters, operation: row.operation.clone(), figures, not_compared }
}

/// Why two latencies are not held against each other.
fn basis(what: &str, a: LatencyFrom, b: LatencyFrom, before: Option<f64>, after: Option<f64>) -> String {
    let said = |from: LatencyFrom| match from {
        LatencyFrom::Submit => "from the submission of a request",
        LatencyFrom::Intended => "from when a request was to start",
        LatencyFrom::Submitted => "from the end of the submission (fio's clat, which leaves it out)",
        LatencyFrom::Queue => "from the entry into the kernel's queue",
        LatencyFrom::Unknown => "from a time that the tool does not say",
    };
    let value = |v: Option<f64>| v.map_or_else(|| "not known".to_owned(), |us| format!("{us:.1} us"));
    let name = if what == "percentiles" { "p99 " } else { "" };
    format!(
        "{what}: before counts {} ({name}{}), after {} ({name}{})",
        said(a),
        value(before),
        said(b),
        value(after)
    )
}

fn figure(name: &str, before: f64, after: f64, [a, b]: [Option<(f64, f64)>; 2]) -> ComparedFigure {
    let differs = a.zip(b).map(|((a_low, a_high), (b_low, b_high))| {
        // Independent runs: their half widths add up as squares.
        let half = ((a_high - a_low) / 2.0).hypot((b_high - b_low) / 2.0);
        (after - before).abs() > half
    });
    ComparedFigure {
        name: name.to_owned(),
        before,
        after,
        ratio: (before > 0.0).then(|| after / before),
        before_interval: a,
        after_interval: b,
        differs,
    }
}

/// A figure in words.
fn words(name: &str) -> &'static str {
    match name {
        "iops" => "requests a second",
        "mbps" => "MB/s",
        "mean_us" => "mean latency",
        "max_us" => "longest latency",
        "p50_us" => "p50",
        "p90_us" => "p90",
        "p99_us" => "p99",
        _ => "p99.9",
    }
}

fn verdict(found: &ResultComparison) -> String {
    let range = |name: &str| {
        let ratios: Vec<f64> = found
            .runs
            .iter()
            .flat_map(|r| r.figures.iter().filter(|f| f.name == name).filter_map(|f| f.ratio))
            .collect();
        let (low, high) = ratios.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(*r), h.max(*r)));
        (!ratios.is_empty()).then_some((low, high))
    };
    let say = |what: &str, range: Option<(f64, f64)>| match range {
        None => None,
        Some((low, high)) if high - low < 0.005 => Some(format!("{what} {low:.2} times those before")),
        Some((low, high)) => Some(format!("{what} {low:.2} to {high:.2} times those before")),
    };
    let parts: Vec<String> = [
        say("requests a second are", range("iops")),
        say("MB/s are", range("mbps").filter(|_| range("iops").is_none())),
        say("mean latencies are", range("mean_us")),
        say("p99 are", range("p99_us")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let loads =
        if found.runs.len() == 1 { "1 load".to_owned() } else { format!("{} loads", found.runs.len()) };
    if parts.is_empty() {
        return format!("{loads} on both sides, and no figure of them can be compared.");
    }
    format!("{loads} on both sides: {}.", parts.join(", "))
}
