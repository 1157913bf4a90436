//! One interval as a few numbers: what tests and trends are made of.

use super::amount::Amount;
use super::digest::Digest;
use super::noise::counted;
use super::side::{all, grouped, length_s};
use crate::io_profile::is_single_block_read;
use spindle_facts::Side;
use std::collections::BTreeMap;

/// Neighbours in time: the next begins within this of the end of the one before.
const TOLERANCE_S: i64 = spindle_facts::SNAPSHOTS_APART_S;

/// What is measured of each interval, with its unit.
pub(crate) const MEASURES: &[(&str, &str)] = &[
    ("DB time a second", "s"),
    ("DB time a transaction", "s"),
    ("DB CPU a second", "s"),
    ("transactions a second", "transactions"),
    ("read requests a second", "requests"),
    ("write requests a second", "requests"),
    ("single-block read", "us"),
    ("log write", "us"),
    ("commit wait", "us"),
];

/// One interval, its instances added up, and its databases where a side has several.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) begin_time: Option<String>,
    pub(crate) begin_s: Option<i64>,
    pub(crate) end_s: Option<i64>,
    pub(crate) values: BTreeMap<&'static str, f64>,
    /// What rounding hides of a value, where it is known.
    pub(crate) slack: BTreeMap<&'static str, f64>,
}

/// The intervals of sorted reports, in time. Of several databases those that hold all of them, where there are any:
/// a sum of some and a sum of all are no series.
pub(crate) fn points(sorted: &[&Digest]) -> Vec<Point> {
    // Requests of all processes and of some are no series.
    let parts = |name: &str| sorted.iter().filter(|d| d.partial.contains(name)).count();
    let apart: Vec<&str> = ["read requests", "write requests"]
        .into_iter()
        .filter(|name| (1..sorted.len()).contains(&parts(name)))
        .collect();
    let mut groups = grouped(sorted);
    let most = groups.iter().map(|g| g.databases.len()).max().unwrap_or(0);
    groups.retain(|g| g.databases.len() == most);
    let mut points: Vec<Point> = groups.iter().map(|group| point(&group.reports, &apart)).collect();
    points.sort_by(|a, b| (a.begin_s, &a.begin_time).cmp(&(b.begin_s, &b.begin_time)));
    points
}

fn point(group: &[&Digest], apart: &[&str]) -> Point {
    let first = group.first().map(|d| &d.identity);
    let mut values = BTreeMap::new();
    let length = length_s(group);
    let sum = |of: &dyn Fn(&Digest) -> Option<f64>| all(group.iter().map(|d| of(d)), |a, b| a + b);
    let total = |name: &'static str| {
        let counts = |d: &Digest| !apart.contains(&name) || !d.partial.contains(name);
        sum(&|d: &Digest| d.totals.get(name).copied().filter(|_| counts(d)))
    };
    let mut put = |name: &'static str, value: Option<f64>| {
        if let Some(value) = value.filter(|v| v.is_finite()) {
            values.insert(name, counted(value));
        }
    };
    let over = |n: Option<f64>, d: Option<f64>| Some(n? / d.filter(|d| *d > 0.0)?);
    let db_time = sum(&|d: &Digest| d.db_time_s.map(|t| t.value));
    put("DB time a second", over(db_time, length));
    put("DB time a transaction", over(db_time, total("transactions")));
    // A rounded 0 is the middle of its bounds.
    let cpu_s = |d: &Digest| {
        let cpu = d.cpu_s?;
        Some(if cpu.value == 0.0 { f64::midpoint(cpu.low, cpu.high) } else { cpu.value })
    };
    put("DB CPU a second", over(sum(&cpu_s), length));
    put("transactions a second", over(total("transactions"), length));
    put("read requests a second", over(total("read requests"), length));
    put("write requests a second", over(total("write requests"), length));
    let mean = |side: Side, is: fn(&str) -> bool| {
        let (mut time, mut waits) = (0.0, 0.0);
        let of_group = group.iter().flat_map(|d| &d.events);
        for event in of_group.filter(|e| e.side == side && is(&e.event)) {
            time += event.time_s.value;
            waits += event.waits?.value;
        }
        (waits > 0.0).then(|| time * 1e6 / waits)
    };
    // Where a file prints the metric for every interval, waits of some of them are another measure.
    let metric = || {
        let parts: Vec<(f64, f64)> = group.iter().filter_map(|d| d.single_block).collect();
        let (time, reads) = parts.iter().fold((0.0, 0.0), |(t, n), part| (t + part.0, n + part.1));
        (reads > 0.0).then(|| time / reads)
    };
    put("single-block read", metric().or_else(|| mean(Side::Foreground, is_single_block_read)));
    put("log write", mean(Side::Background, |e| e == "log file parallel write"));
    put("commit wait", mean(Side::Foreground, |e| e == "log file sync"));
    let hidden = |of: fn(&Digest) -> Option<Amount>| {
        over(sum(&|d: &Digest| of(d).map(|t| (t.high - t.low) / 2.0)), length)
    };
    let slack = [("DB time a second", hidden(|d| d.db_time_s)), ("DB CPU a second", hidden(|d| d.cpu_s))];
    let slack = slack.into_iter().filter_map(|(name, hidden)| Some((name, hidden?))).collect();
    let begin_time = first.and_then(|i| i.begin_time.clone());
    let (begin_s, span) = (group.first().and_then(|d| d.begin_s()), group.first().and_then(|d| d.span));
    Point { begin_s, end_s: span.map(|s| s.1), begin_time, values, slack }
}

/// Stretches of consecutive intervals, of what each has a value for.
pub(crate) fn runs(points: &[Point], of: impl Fn(usize) -> Option<f64>) -> Vec<Vec<f64>> {
    let mut runs: Vec<Vec<f64>> = Vec::new();
    let mut end: Option<i64> = None;
    for (at, point) in points.iter().enumerate() {
        let Some(value) = of(at) else {
            end = None;
            continue;
        };
        let follows = end.zip(point.begin_s).is_some_and(|(end, begin)| (begin - end).abs() <= TOLERANCE_S);
        match runs.last_mut().filter(|_| follows) {
            Some(run) => run.push(value),
            None => runs.push(vec![value]),
        }
        end = point.end_s;
    }
    runs
}
