//! The pictures of the forms of a measurement that have tables of their own.

use crate::chart::{Bucket, Frontier, Step, TwoHistograms};
use crate::number;
use spindle_workload::{Figure, LogFound, Measured, StreamResult};

/// As HTML, most important first.
pub(super) fn pictures(m: &Measured) -> Vec<String> {
    m.log.as_ref().map(|found| log(m, found)).unwrap_or_default()
}

/// A step of a curve, with the bounds of its figure.
fn step(x: f64, y: Figure, hover: String) -> Step {
    let (low, high) = y.bounds().unwrap_or((y.value, y.value));
    Step { x, y: (low.min(y.value), y.value, high.max(y.value)), hover }
}

/// Buckets to the doubling.
const FINE: f64 = 4.0;

/// Two distributions in the same buckets, from the least of both to the most.
fn buckets(before: &StreamResult, after: &StreamResult) -> (Vec<Bucket>, Vec<Bucket>) {
    let counted = |stream: &StreamResult| -> Vec<(i32, f64)> {
        let Some(histogram) = stream.latencies() else { return Vec::new() };
        let index = |ns: u64| ((ns as f64 / 1e6).max(1e-6).log2() * FINE).floor() as i32;
        histogram.iter_recorded().map(|v| (index(v.value_iterated_to()), v.count_at_value() as f64)).collect()
    };
    let both = (counted(before), counted(after));
    let all = || both.0.iter().chain(&both.1).map(|(index, _)| *index);
    let (Some(first), Some(last)) = (all().min(), all().max()) else { return Default::default() };
    let bound = |index: i32| 2_f64.powf(f64::from(index) / FINE);
    let filled = |counted: &[(i32, f64)]| {
        let waits = |at: i32| counted.iter().filter(|(index, _)| *index == at).map(|(_, n)| n).sum();
        let bucket = |at: i32| Bucket { low_ms: bound(at), high_ms: Some(bound(at + 1)), waits: waits(at) };
        (first..=last).map(bucket).collect()
    };
    (filled(&both.0), filled(&both.1))
}

fn log(m: &Measured, found: &LogFound) -> Vec<String> {
    let steps: Vec<Step> = found
        .steps
        .iter()
        .filter(|s| s.reads_depth == 0)
        .filter_map(|s| {
            let rate = s.commits_per_s?;
            let n = f64::from(s.committers);
            let hover =
                format!("{} committers: {} commits a second", s.committers, number::measure(rate.value));
            Some(step(n, rate, hover))
        })
        .collect();
    let mut out = Vec::new();
    if steps.len() > 1 {
        let chart = Frontier {
            question: "How many commits a second do so many committers bring?",
            x_unit: "committers",
            y_unit: "commits a second",
            steps: &steps,
            knee: None,
            marks: &[],
        };
        out.extend(chart.render());
    }
    // The last number of committers, whose log ran alone and beside reads.
    let of = |phase: &str, name: &str| -> Option<&StreamResult> {
        let last = |p: &&spindle_workload::Point| p.parameters.phase.as_deref() == Some(phase);
        m.points.iter().rev().find(last)?.result.streams.iter().find(|s| s.name == name)
    };
    for (question, before, after) in [
        (
            "What do reads beside it do to the writes of the log? (left alone, right beside reads)",
            of("log alone", "log"),
            of("log beside reads", "log"),
        ),
        (
            "What does a log beside them do to the reads? (left alone, right beside the log)",
            of("reads alone", "reads"),
            of("log beside reads", "reads"),
        ),
    ] {
        let Some((before, after)) = before.zip(after) else { continue };
        let (before, after) = buckets(before, after);
        let chart = TwoHistograms { question, css: "k-uio", before: &before, after: &after };
        out.extend(chart.render());
    }
    out
}
