//! The load in a few numbers, by cause, and the peaks that means hide.

use super::super::section;
use super::super::table::{Cell, Table};
use super::{REST, at_least};
use crate::chart::put;
use crate::escape::{clip, push_prose};
use crate::number;
use spindle_planning::sizing::{Cause, CauseLoad, Measures, Sizing, ordinal};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn render(s: &Sizing) -> String {
    let mut out = section("", "load", "What the load is");
    let w = &s.workload;
    let percentile = format!("{} percentile", ordinal(s.percentile));
    let mut table = Table::new(
        "Each number stands for itself: reads and writes need not be at their percentile in the same interval. Redo writes are requests, every member of a log group, where the report prints them, and redo MB their bytes; else each write, and redo size, counts once.",
        &[
            "",
            ">Reads/s",
            ">small",
            ">large",
            ">Writes/s",
            ">small",
            ">large",
            ">Redo writes/s",
            ">Read MB/s",
            ">Write MB/s",
            ">Redo MB/s",
        ],
        10,
    );
    let mut row = |name: &str, m: &Measures| {
        let cell = |v: Option<f64>| Cell::known(v, number::measure);
        table.row(
            "",
            &[
                Cell::Text(name),
                cell(m.read_iops),
                cell(m.small_read_iops),
                cell(m.large_read_iops),
                cell(m.write_iops),
                cell(m.small_write_iops),
                cell(m.large_write_iops),
                cell(m.redo_write_iops),
                at_least(m.read_mbps, w.read_mbps_is_least, number::measure),
                at_least(m.write_mbps, w.write_mbps_is_least, number::measure),
                cell(m.redo_write_mbps),
            ],
        );
    };
    row("mean", &w.mean);
    row(&percentile, &w.at_percentile);
    row("highest", &w.max);
    if let Some(at) = &w.percentile_interval {
        let when = at.begin_time.as_deref().map_or_else(|| "as stated".to_owned(), number::time);
        row(&format!("the interval at the percentile ({when})"), &at.measures);
    }
    table.finish_with(&mut out, REST);
    causes(&mut out, s);
    out.push_str("<h3>What a mean hides</h3><p>");
    match (w.hidden_peak.low, w.hidden_peak.high) {
        (Some(low), Some(high)) => {
            let of_disks = w.hidden_peak.hardware_low.zip(w.hidden_peak.hardware_high);
            put!(
                out,
                "{} a peak of {} IOPS in its shorter intervals, reads and writes together{}: ",
                if w.hidden_peak.in_another_hour {
                    "An hour holds".to_owned()
                } else {
                    format!(
                        "The busiest hour ({} IOPS on average) holds",
                        number::fixed(w.hidden_peak.hour_iops.unwrap_or(0.0), 0)
                    )
                },
                number::range(low.round(), high.round()),
                of_disks.map_or_else(String::new, |(low, high)| format!(
                    ", {} of the disks ({} of them by bare division)",
                    number::range(low.round(), high.round()),
                    number::range((low / s.disk.iops).ceil(), (high / s.disk.iops).ceil())
                ))
            );
        }
        _ => out.push_str("The peak within an hour is not known: "),
    }
    push_prose(&mut out, &w.hidden_peak.because);
    out.push_str(".</p><p>");
    match (
        w.peak_minute.low_iops,
        w.peak_minute.high_iops,
        w.peak_minute.hardware_low,
        w.peak_minute.hardware_high,
    ) {
        (Some(low), Some(high), Some(hw_low), Some(hw_high)) => put!(
            out,
            "The highest minute asked {} IOPS, and {} of the disks: ",
            number::range(low.round(), high.round()),
            number::range(hw_low.round(), hw_high.round())
        ),
        (Some(low), _, Some(hw_low), _) => put!(
            out,
            "The highest minute asked at least {} IOPS, and at least {} of the disks: ",
            number::fixed(low, 0),
            number::fixed(hw_low, 0)
        ),
        _ => out.push_str("The highest minute is not known: "),
    }
    push_prose(&mut out, &w.peak_minute.because);
    out.push_str(".</p>");
    if let Some(wrong) = &w.peak_minute.unbelievable {
        out.push_str("<p>");
        push_prose(&mut out, wrong);
        out.push_str("</p>");
    }
    out.push_str("</section>");
    out
}

/// What a function does that is not among those of an interval: all that do something are listed.
const NOTHING: CauseLoad =
    CauseLoad { read_iops: Some(0.0), write_iops: Some(0.0), read_mbps: Some(0.0), write_mbps: Some(0.0) };

/// Mean over the time in which causes are printed.
fn causes(out: &mut String, s: &Sizing) {
    let mut sums: BTreeMap<Cause, CauseLoad> = BTreeMap::new();
    let told: Vec<_> = s.intervals.iter().filter(|i| i.counted && !i.by_cause.is_empty()).collect();
    let seconds: f64 = told.iter().map(|i| i.seconds).sum();
    let lacking: BTreeSet<&str> =
        told.iter().flat_map(|i| &i.causes_unknown_of).map(String::as_str).collect();
    let lacking = match lacking.into_iter().collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        names => format!("; {} does not print it in all of them, and is not in it there", clip(&names, 200)),
    };
    if seconds <= 0.0 {
        super::super::empty(
            out,
            "No interval prints who makes the requests (IOStat by Function, from 11.1 on).",
        );
        return;
    }
    for i in &told {
        for (cause, load) in &i.by_cause {
            let entry = sums.entry(*cause).or_insert(NOTHING);
            // What one interval does not print has no mean over all of them.
            let add = |sum: &mut Option<f64>, one: Option<f64>| {
                *sum = sum.zip(one).map(|(sum, one)| sum + one * i.seconds);
            };
            add(&mut entry.read_iops, load.read_iops);
            add(&mut entry.write_iops, load.write_iops);
            add(&mut entry.read_mbps, load.read_mbps);
            add(&mut entry.write_mbps, load.write_mbps);
        }
    }
    let mut table = Table::new(
        &format!(
            "Who makes the requests: mean over {} of the {} intervals, those that print it{lacking}",
            told.len(),
            s.intervals.len()
        ),
        &["Cause", ">Reads/s", ">Writes/s", ">Read MB/s", ">Write MB/s"],
        20,
    );
    let mut rows: Vec<_> = sums.into_iter().collect();
    let weight = |l: &CauseLoad| l.read_iops.unwrap_or(0.0) + l.write_iops.unwrap_or(0.0);
    rows.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)));
    for (cause, load) in rows {
        let cell = |v: Option<f64>| Cell::known(v.map(|v| v / seconds), number::measure);
        table.row(
            "",
            &[
                Cell::Text(cause.name()),
                cell(load.read_iops),
                cell(load.write_iops),
                cell(load.read_mbps),
                cell(load.write_mbps),
            ],
        );
    }
    table.finish_with(out, REST);
}
