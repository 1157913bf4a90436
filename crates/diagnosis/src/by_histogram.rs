//! Waits of which only a histogram is printed, as AWR-miner prints those for I/O and commits: how many they are is
//! counted, how long they took lies between the bounds of the buckets.

use crate::events::{BACKGROUND_ONLY, EventTotal};
use crate::response_time::histograms_over_instances;
use crate::words;
use crate::{Case, Finding};
use spindle_facts::{Interval, Kind, Report, Side, WaitHistogram};
use std::collections::BTreeMap;

/// The table that such a total is read from.
const TABLE: &str = "wait_histogram";
/// Mean of waits that are spread evenly over the powers of their bucket, by its lower bound.
const OF_LOW: f64 = std::f64::consts::LOG2_E;
/// The same of the first bucket, by its upper bound.
const OF_FIRST: f64 = 0.5;

/// Is the time of this event told by its histogram alone?
pub(crate) fn is_estimated(event: &EventTotal) -> bool {
    event.table == TABLE
}

/// The class of an event of the miner's list, which prints I/O and commits.
fn class_of(event: &str) -> Option<&'static str> {
    const SYSTEM: [&str; 5] = ["log file ", "db file parallel write", "control file ", "Log archive", "RMAN"];
    const USER: [&str; 6] = [
        "db file ",
        "direct path ",
        "cell ",
        "read by other session",
        "local write wait",
        "Data file init write",
    ];
    let begins = |names: &[&str]| names.iter().any(|name| event.starts_with(name));
    match event {
        "log file sync" => Some("Commit"),
        _ if begins(&SYSTEM) => Some("System I/O"),
        _ if begins(&USER) => Some("User I/O"),
        _ => None,
    }
}

/// Totals of events by their histograms, where no event has a row of its own.
pub(crate) fn totals(report: &Report, known: &[EventTotal]) -> Vec<EventTotal> {
    // Where events that lead are printed with their times, these are what their classes are made of.
    if report.identity.kind != Kind::AwrMiner || !known.is_empty() {
        return Vec::new();
    }
    let histograms = histograms_over_instances(report);
    let mut found: Vec<EventTotal> = histograms.iter().filter_map(|h| total(report, h)).collect();
    within_their_classes(report, &mut found);
    found.sort_by(|a, b| (&a.event, a.side).cmp(&(&b.event, b.side)));
    found
}

fn total(report: &Report, histogram: &WaitHistogram) -> Option<EventTotal> {
    let wait_class = class_of(&histogram.event)?;
    let (mut waits, mut low_us, mut us, mut high_us) = (0.0, 0.0, 0.0, 0.0);
    for bucket in histogram.buckets.iter().filter(|bucket| bucket.waits > 0.0) {
        // Without an upper bound there is none of the time.
        let high = bucket.high_us?;
        waits += bucket.waits;
        low_us += bucket.waits * bucket.low_us;
        us += bucket.waits * if bucket.low_us > 0.0 { OF_LOW * bucket.low_us } else { OF_FIRST * high };
        high_us += bucket.waits * high;
    }
    if waits <= 0.0 {
        return None;
    }
    let rows = &report.tables.wait_histogram;
    let row = rows.iter().position(|h| h.event == histogram.event && h.side == histogram.side)?;
    let seconds = |us: f64| us / 1e6;
    Some(EventTotal {
        event: histogram.event.to_string(),
        side: Side::All,
        wait_class: wait_class.to_owned(),
        is_idle: false,
        waits: Some(waits),
        time_s: seconds(us),
        time_s_bounds: Interval { low: seconds(low_us), high: seconds(high_us) },
        from_share_pct: None,
        avg_us: None,
        avg_us_bounds: Some(Interval { low: low_us / waits, high: high_us / waits }),
        timeouts_pct: None,
        table: TABLE,
        row,
        line: histogram.line,
        more_rows: 0,
        instances: 1,
        section: histogram.section,
    })
}

/// Sessions were not in a class longer than it says: its events are estimated to have taken no more together, as far
/// as their buckets let them.
fn within_their_classes(report: &Report, totals: &mut [EventTotal]) {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let of_sessions = |total: &EventTotal| !BACKGROUND_ONLY.contains(&total.event.as_str());
    for total in totals.iter().filter(|total| of_sessions(total)) {
        *sums.entry(total.wait_class.clone()).or_default() += total.time_s;
    }
    for total in totals.iter_mut().filter(|total| of_sessions(total)) {
        let classes = || report.tables.wait_class.iter().filter(|c| c.instance_number.is_none());
        let most_s = classes().find(|c| c.wait_class == total.wait_class).and_then(|c| c.time_s_high);
        let Some((most_s, sum_s)) = most_s.zip(sums.get(&total.wait_class)) else { continue };
        if *sum_s > most_s {
            let low_s = total.time_s_bounds.low;
            total.time_s = (total.time_s * most_s / sum_s).max(low_s);
            total.time_s_bounds.high = total.time_s_bounds.high.min(most_s.max(total.time_s));
        }
    }
}

/// Says of a finding whose seconds are estimated how sure they are.
pub(crate) fn say_how_sure(case: &Case<'_>, finding: &mut Finding) {
    let estimated = |of: &str| case.events.iter().find(|e| e.event == of && is_estimated(e));
    let mut said: Vec<String> = Vec::new();
    for event in finding.claims.iter().filter_map(|claim| estimated(&claim.of)) {
        let Interval { low, high } = event.time_s_bounds;
        let text = format!(
            "Of `{}` only the histogram is printed: its time is estimated, and lies between {} and {}.",
            event.event,
            words::seconds(low),
            words::seconds(high)
        );
        if !said.contains(&text) {
            said.push(text);
        }
    }
    for text in said {
        if !finding.caveat.is_empty() {
            finding.caveat.push(' ');
        }
        finding.caveat.push_str(&text);
    }
}
