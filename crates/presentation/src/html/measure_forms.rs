//! The pictures of the forms of a measurement that have tables of their own.

use crate::chart::{Bar, Bars, Bucket, Frontier, Step, TwoHistograms};
use crate::number;
use spindle_workload::{
    Figure, LogFound, Measured, RatesFound, ScanFound, ScanStep, StreamResult, ZoneStep, ZonesFound,
};

/// As HTML, most important first.
pub(super) fn pictures(m: &Measured) -> Vec<String> {
    let log = m.log.as_ref().map(|found| log(m, found));
    let zones = m.zones.as_ref().map(zones);
    log.or(zones).or(m.rates.as_ref().map(rates)).or(m.scan.as_ref().map(scan)).unwrap_or_default()
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
            joined: true,
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

/// Latency by rate, of the rates that were kept up with.
fn rates(found: &RatesFound) -> Vec<String> {
    let kept = found.steps.iter().filter(|s| s.kept);
    let steps: Vec<Step> = kept
        .filter_map(|s| {
            let ms = s.latency_us.mean?.times(1e-3);
            let rate = s.served_per_s?.value;
            let hover = format!("{} a second: {} ms", number::measure(rate), number::measure(ms.value));
            Some(step(rate, ms, hover))
        })
        .collect();
    let chart = Frontier {
        question: "What does a request take at which rate, from when it was to start?",
        x_unit: "requests a second",
        y_unit: "mean ms",
        steps: &steps,
        knee: None,
        marks: &[],
        joined: true,
    };
    chart.render().filter(|_| steps.len() > 1).into_iter().collect()
}

fn zones(found: &ZonesFound) -> Vec<String> {
    let gib = |bytes: u64| bytes as f64 / 1_073_741_824.0;
    let mut out = Vec::new();
    let strokes: Vec<Step> = found
        .strokes
        .iter()
        .filter_map(|s| {
            let rate = s.reads_per_s?;
            let part = number::plain(s.share_pct);
            Some(step(
                s.share_pct,
                rate,
                format!("first {part} %: {} reads a second", number::measure(rate.value)),
            ))
        })
        .collect();
    let spot = found.sweet_spot.and_then(|spot| {
        let at = strokes.iter().position(|s| s.x == spot.share_pct)?;
        Some((at, format!("sweet spot: {} %", number::plain(spot.share_pct))))
    });
    let chart = Frontier {
        question: "How many random reads a second does the first part of the disk bring?",
        x_unit: "% of the disk",
        y_unit: "reads a second",
        steps: &strokes,
        knee: spot,
        marks: &[],
        joined: true,
    };
    out.extend(chart.render().filter(|_| strokes.len() > 1));
    let mut zoned = |question: &str, y_unit: &str, value: &dyn Fn(&ZoneStep) -> Option<Figure>| {
        let bars: Vec<Bar> = found
            .zones
            .iter()
            .filter_map(|z| {
                let figure = value(z)?;
                let hover = format!(
                    "from {} GiB: {} {y_unit}",
                    number::measure(gib(z.from_bytes)),
                    number::measure(figure.value)
                );
                Some(Bar { low: gib(z.from_bytes), high: gib(z.to_bytes), share_pct: figure.value, hover })
            })
            .collect();
        let chart = Bars { question, x_unit: "GiB from the first byte", y_unit, bars: &bars, mark: None };
        out.extend(chart.render().filter(|_| bars.len() > 1));
    };
    zoned("How fast is it from the first byte to the last?", "MB/s", &|z| z.mbps);
    zoned("How long does a random read take within each zone?", "mean ms", &|z| {
        z.read_us.mean.map(|f| f.times(1e-3))
    });
    out
}

/// Throughput by degree, of the setting of the first scan.
fn scan(found: &ScanFound) -> Vec<String> {
    let setting = |s: &ScanStep| (s.scheduler.clone(), s.read_ahead_bytes, s.multiblock_bytes);
    let Some(first) = found.steps.first().map(setting) else { return Vec::new() };
    let mut steps: Vec<Step> = found
        .steps
        .iter()
        .filter(|s| setting(s) == first)
        .filter_map(|s| {
            let mbps = s.mbps?;
            Some(step(
                f64::from(s.degree),
                mbps,
                format!("degree {}: {} MB/s", s.degree, number::measure(mbps.value)),
            ))
        })
        .collect();
    steps.sort_by(|a, b| a.x.total_cmp(&b.x));
    let chart = Frontier {
        question: "What does a higher degree bring? (the first setting)",
        x_unit: "degree",
        y_unit: "MB/s",
        steps: &steps,
        knee: None,
        marks: &[],
        joined: true,
    };
    chart.render().filter(|_| steps.len() > 1).into_iter().collect()
}
