//! When the load was how high: over time, and as a share of the time.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::REST;
use crate::chart::{Bar, Bars, Line, Scale, Span, TimeChart, put, seconds_of};
use crate::number;
use spindle_planning::sizing::{IntervalRow, Sizing};

/// Intervals drawn; of more, the busiest of each stretch is.
const DRAWN: usize = 400;

pub(super) fn over_time(s: &Sizing) -> String {
    let mut out = section("", "time", "Over time");
    let mut points: Vec<(Span, &IntervalRow)> = Vec::new();
    for row in s.intervals.iter().filter(|i| i.hardware_iops.is_some()) {
        let seconds = |t: &Option<String>| t.as_deref().and_then(seconds_of);
        if let (Some(begin), Some(end)) = (seconds(&row.begin_time), seconds(&row.end_time)) {
            points.push((Span { begin, end }, row));
        }
    }
    let each = points.len().div_ceil(DRAWN).max(1);
    let load = |r: &IntervalRow| r.hardware_iops.unwrap_or(0.0);
    let mut drawn: Vec<(Span, &IntervalRow)> = Vec::new();
    for stretch in points.chunks(each) {
        // A stretch is drawn as wide as it is, as high as its highest interval.
        let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
        let Some(highest) = stretch.iter().max_by(|a, b| load(a.1).total_cmp(&load(b.1))) else { continue };
        let whole = stretch.windows(2).all(|w| (w[1].0.begin - w[0].0.end).abs() < 90.0);
        let span = if whole { Span { begin: first.0.begin, end: last.0.end } } else { highest.0 };
        drawn.push((span, highest.1));
    }
    let spans: Vec<Span> = drawn.iter().map(|(s, _)| *s).collect();
    let axis = Scale::time_over(&spans.iter().map(|s| (s.begin, s.end)).collect::<Vec<_>>());
    let Some(axis) = axis.filter(|_| points.len() > 1) else {
        empty(&mut out, "One interval, or none with times: nothing to draw.");
        out.push_str("</section>");
        return out;
    };
    let names: Vec<String> = drawn
        .iter()
        .map(|(_, r)| {
            format!(
                "{}: {} hardware IOPS ({} reads, {} writes)",
                r.begin_time.as_deref().map(number::time).unwrap_or_default(),
                number::fixed(load(r), 0),
                number::or_unknown(r.measures.read_iops, number::measure),
                number::or_unknown(r.measures.write_iops, number::measure)
            )
        })
        .collect();
    let line = |name: &str, css: &'static str, value: &dyn Fn(&IntervalRow) -> Option<f64>| Line {
        name: name.to_owned(),
        css,
        values: drawn.iter().map(|(_, r)| value(r)).collect(),
    };
    let peak = drawn
        .iter()
        .enumerate()
        .max_by(|a, b| load(a.1.1).total_cmp(&load(b.1.1)))
        .map(|(i, (_, r))| (i, format!("{} IOPS", number::fixed(load(r), 0))));
    let chart = TimeChart {
        question: "When do the disks have most to do?",
        y_unit: "requests a second",
        axis: &axis,
        spans: &spans,
        names: &names,
        layers: Vec::new(),
        lines: vec![
            line("hardware IOPS", "k-con", &|r| r.hardware_iops),
            line("reads", "k-uio", &|r| r.measures.read_iops),
            line("writes", "k-com", &|r| r.measures.write_iops),
        ],
        peak,
        marks: Vec::new(),
    };
    if let Some(html) = chart.render() {
        out.push_str(&html);
    }
    if each > 1 {
        put!(
            out,
            "<p class=q>{} intervals; of each {each} in a row the highest is drawn.</p>",
            number::count(points.len() as f64)
        );
    }
    out.push_str("</section>");
    out
}

pub(super) fn histogram(s: &Sizing) -> String {
    let mut out = section("", "often", "How often");
    if s.intervals_counted < 2 {
        empty(&mut out, "One interval says nothing about how often.");
        out.push_str("</section>");
        return out;
    }
    let need = s.redundancy.iter().find(|r| r.name == s.sized_for);
    for (measure, question, unit, at) in [
        (
            "hardware_iops",
            "In how much of the time do the disks do how many IOPS?",
            "hardware IOPS",
            need.and_then(|r| r.hardware_iops),
        ),
        ("disks", "In how much of the time are how many disks needed?", "disks", None),
    ] {
        let bars: Vec<Bar> = s
            .histogram
            .iter()
            .filter(|b| b.measure == measure)
            .map(|b| Bar {
                low: b.low,
                high: b.high,
                share_pct: b.share_pct,
                hover: format!(
                    "{}-{} {unit}: {} % of the time, {} interval{}",
                    number::plain(b.low),
                    number::plain(b.high),
                    number::percent(b.share_pct),
                    b.intervals,
                    if b.intervals == 1 { "" } else { "s" }
                ),
            })
            .collect();
        let mark = at.map(|v| (v, format!("p{}: {}", number::plain(s.percentile), number::fixed(v, 0))));
        if let Some(html) =
            (Bars { question, x_unit: unit, y_unit: "% of the time", bars: &bars, mark }).render()
        {
            out.push_str(&html);
        }
    }
    out.push_str("<details><summary>The pictures as a table</summary>");
    let mut table = Table::new("", &["", ">From", ">To", ">Intervals", ">Time (%)"], 80);
    for b in &s.histogram {
        table.row(
            if b.is_percentile { "now" } else { "" },
            &[
                Cell::Text(if b.measure == "disks" { "disks" } else { "hardware IOPS" }),
                Cell::Number(number::plain(b.low)),
                Cell::Number(number::plain(b.high)),
                Cell::Number(number::count(b.intervals as f64)),
                Cell::Number(number::percent(b.share_pct)),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</details></section>");
    out
}
