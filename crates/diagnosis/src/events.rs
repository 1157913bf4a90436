//! Waits by event, whatever section printed them: one row an event and side.
//!
//! Sources in order: the wait event sections; for events that they lack (excerpts), the top
//! events. Where a section mixes both sides (Statspack 9i and 10g), the background section is
//! subtracted, and events that only background processes wait for are taken as background. AWR-miner
//! prints the five largest of both sides: of a class whose sessions, which it prints apart, cannot have
//! waited as long as the events say, the events are those of the background.

use crate::case::instances_of;
use crate::response_time::whole_from_shares;
use crate::shares::{Wholes, of_another_interval};
use spindle_facts::{Interval, Kind, Report, Scope, SectionId, ShareOf, Side, TopEvent, WaitEvent};
use std::collections::{BTreeMap, BTreeSet};

/// Waits of one side for one event, over all instances of the report.
///
/// Shape: one an event and side, largest time first. Unit: see the names. Missing: `None` where
/// not printed; an event without time has no row. Source: `table`, `row`, `line` name the row that
/// it was read from (the first one, where instances were added up).
#[derive(Clone, Debug, PartialEq)]
pub struct EventTotal {
    /// Event.
    pub event: String,
    /// Whose waits: foreground or background.
    pub side: Side,
    /// Wait class; [`UNKNOWN_CLASS`] where nothing tells.
    pub wait_class: String,
    /// Is it a wait for work to do?
    pub is_idle: bool,
    /// Waits.
    pub waits: Option<f64>,
    /// Time, seconds.
    pub time_s: f64,
    /// Bounds that rounding leaves.
    pub time_s_bounds: Interval,
    /// Printed share that the time follows from, percent, where no seconds are printed.
    pub from_share_pct: Option<f64>,
    /// Mean wait.
    pub avg_us: Option<f64>,
    /// Bounds of the mean.
    pub avg_us_bounds: Option<Interval>,
    /// Waits that ended by time-out, percent of the waits.
    pub timeouts_pct: Option<f64>,
    /// Table of `spindle facts`.
    pub table: &'static str,
    /// Row in that table, from 0.
    pub row: usize,
    /// Line in the source.
    pub line: u32,
    /// How many rows are added to that one.
    pub more_rows: usize,
    /// Of how many instances the rows are that were added up; 1 where none were.
    pub instances: usize,
    /// Section as printed.
    pub section: SectionId,
}

/// Class of events that neither the report nor the dictionary puts into one: they may wait for anything.
pub const UNKNOWN_CLASS: &str = "Unknown";

/// Events that sessions of users never wait for: where a section mixes sides, these are background.
pub(crate) const BACKGROUND_ONLY: &[&str] = &[
    "log file parallel write",
    "log file single write",
    "db file parallel write",
    "db file async I/O submit",
    "LGWR wait for redo copy",
    "Log archive I/O",
    "gcs log flush sync",
    "RMAN backup & recovery I/O",
    "ARCH wait on SENDREQ",
    "LNS wait on SENDREQ",
];

/// Events that sessions of users hardly ever wait for: where a section mixes sides and the background is not printed by
/// itself, they are taken for the background's. Redo logs are read by the archiver, and by those who mine or apply them.
const MOSTLY_BACKGROUND: &[&str] = &["log file sequential read"];

/// Does the checkpoint process write the control file as it does every three seconds, and nobody else more often?
fn is_heartbeat(report: &Report, all: &EventTotal) -> bool {
    const EVERY_S: f64 = 3.0;
    // A write takes its time, and log switches bring some more.
    const MORE: f64 = 1.2;
    let beats = report.identity.elapsed_s.map(|s| MORE * s / EVERY_S);
    all.event == "control file parallel write"
        && beats.is_some_and(|beats| all.waits.is_some_and(|n| n <= beats))
}

/// Rows of one event with the instance of each.
type InstanceRows = Vec<(Option<u32>, EventTotal)>;

/// Class of an event: as printed, but reads through RDMA are printed as Other and are reads.
pub(crate) fn class_of(event: &str, printed: Option<&str>) -> String {
    match printed {
        Some(class) if !event.starts_with("cell single block physical read") => class.to_owned(),
        _ if event.starts_with("cell single block physical read") => "User I/O".to_owned(),
        _ => UNKNOWN_CLASS.to_owned(),
    }
}

/// Is the row of a top-events section CPU and not a wait?
pub(crate) fn is_cpu(event: &str) -> bool {
    matches!(
        event.trim().to_ascii_lowercase().as_str(),
        // The last as sampled activity calls it.
        "db cpu" | "cpu time" | "cpu" | "cpu used" | "cpu + wait for cpu"
    )
}

/// Every event of the report, foreground and background, idle ones included, largest time first.
pub(crate) fn event_totals(report: &Report) -> Vec<EventTotal> {
    let rows = &report.tables.wait_event;
    let mut places: Vec<(&str, Side, usize)> =
        rows.iter().enumerate().map(|(row, event)| (event.event.as_str(), event.side, row)).collect();
    places.sort_unstable();
    let total = |row: usize| of_wait_event(row, rows.get(row)?);
    // One an event and side, in the order of both.
    let mut totals: Vec<EventTotal> = Vec::with_capacity(places.len() + 8);
    for same in places.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [(_, _, row)] = same {
            totals.extend(total(*row));
            continue;
        }
        let of_instance =
            |&(_, _, row): &(&str, Side, usize)| Some((rows.get(row)?.instance_number, total(row)?));
        totals.extend(over_instances(same.iter().filter_map(of_instance).collect()));
    }

    let wholes = Wholes::of(report);
    let mut top: BTreeMap<&str, InstanceRows> = BTreeMap::new();
    let leading =
        if of_another_interval(report).is_some() { &[] } else { report.tables.top_event.as_slice() };
    for (row, event) in leading.iter().enumerate() {
        let known =
            [Side::Foreground, Side::All].iter().find_map(|&side| place_of(&totals, &event.event, side).ok());
        if let Some(at) = known {
            count_by_leader(&mut totals[at], event);
        }
        if is_cpu(&event.event) || known.is_some() {
            continue;
        }
        // A list of the foreground's holds them where a session of a user waits for them (backups).
        let of_foreground = report.section_title(event.section).to_ascii_lowercase().contains("foreground");
        if let Some(total) = of_top_event(row, event, &wholes, of_foreground) {
            top.entry(event.event.as_str()).or_default().push((event.instance_number, total));
        }
    }
    for (event, rows) in top {
        if let Some(total) = over_instances(rows) {
            match place_of(&totals, event, total.side) {
                Ok(at) => totals[at] = total,
                Err(at) => totals.insert(at, total),
            }
        }
    }

    for total in crate::by_histogram::totals(report, &totals) {
        if let Err(at) = place_of(&totals, &total.event, total.side) {
            totals.insert(at, total);
        }
    }
    if totals.iter().any(|total| total.side == Side::All) {
        totals = parted(report, totals);
    }
    totals.sort_unstable_by(|a, b| {
        b.time_s.total_cmp(&a.time_s).then_with(|| (&a.event, a.side).cmp(&(&b.event, b.side)))
    });
    totals
}

/// Compare-period reports print rates of waits, and their count where an event leads: of the same time it is the same.
fn count_by_leader(total: &mut EventTotal, leader: &TopEvent) {
    let (Some(waits), Some(low), Some(high)) = (leader.waits, leader.time_s_low, leader.time_s_high) else {
        return;
    };
    let bounds = total.time_s_bounds;
    let same = leader.instance_number.is_none() && low <= bounds.high && bounds.low <= high;
    if total.waits.is_some() || waits <= 0.0 || !same {
        return;
    }
    total.waits = Some(waits);
    if let Some(mean_us) = leader.avg_wait_us {
        total.avg_us = Some(mean_us);
        total.avg_us_bounds = Some(Interval { low: 1e6 * low / waits, high: 1e6 * high / waits })
            .filter(|b| b.low <= mean_us && mean_us <= b.high);
    }
}

/// Where the total of an event and side stands among those in order, or would stand.
fn place_of(totals: &[EventTotal], event: &str, side: Side) -> Result<usize, usize> {
    totals.binary_search_by(|total| (total.event.as_str(), total.side).cmp(&(event, side)))
}

/// What rows of both sides say of each of them, where the totals stand in the order of events.
fn parted(report: &Report, totals: Vec<EventTotal>) -> Vec<EventTotal> {
    let of_background = classes_of_background(report);
    let mut settled: Vec<EventTotal> = Vec::with_capacity(totals.len());
    let mut totals = totals.into_iter().peekable();
    while let Some(first) = totals.next() {
        let mut of_event = vec![first];
        while let Some(next) = totals.next_if(|next| next.event == of_event[0].event) {
            of_event.push(next);
        }
        let Some(at) = of_event.iter().position(|total| total.side == Side::All) else {
            settled.append(&mut of_event);
            continue;
        };
        let all = of_event.remove(at);
        if of_event.iter().any(|total| total.side == Side::Foreground) {
            settled.append(&mut of_event);
            continue;
        }
        let side = match of_event.iter().find(|total| total.side == Side::Background) {
            Some(background) => {
                settled.extend(foreground_part(&all, background));
                settled.append(&mut of_event);
                continue;
            }
            None if BACKGROUND_ONLY.contains(&all.event.as_str())
                || MOSTLY_BACKGROUND.contains(&all.event.as_str())
                || is_heartbeat(report, &all)
                || of_background.contains(&all.wait_class.as_str()) =>
            {
                Side::Background
            }
            None => Side::Foreground,
        };
        settled.push(EventTotal { side, ..all });
    }
    settled
}

/// AWR-miner: classes of which sessions cannot have waited as long as the events of the class say.
pub(crate) fn classes_of_background(report: &Report) -> Vec<&str> {
    let tables = &report.tables;
    if report.identity.kind != Kind::AwrMiner {
        return Vec::new();
    }
    let by_sessions = tables.wait_class.iter().filter(|c| c.instance_number.is_none());
    by_sessions
        .filter(|class| {
            let name = class.wait_class.as_str();
            let of_class = tables.wait_event.iter().filter(|e| {
                e.wait_class.as_deref() == Some(name) && !BACKGROUND_ONLY.contains(&e.event.as_str())
            });
            let events_s: f64 = of_class.filter_map(|e| e.time_s).sum();
            class.time_s_high.is_some_and(|most| events_s > most)
        })
        .map(|class| class.wait_class.as_str())
        .collect()
}

/// Does the report print every foreground event that there was a wait for? The few that lead, as
/// AWR-miner and excerpts have them, prove nothing of the others.
pub(crate) fn lists_all_events(report: &Report, events: &[EventTotal]) -> bool {
    report.identity.kind != Kind::AwrMiner
        && !lists_leaders_of_both(report)
        && !lists_waits_in_part(report)
        && events.iter().any(|e| e.side == Side::Foreground && e.table == "wait_event")
}

/// Does the list of waits of an excerpt lack rows? An event that leads may stand in no list, or CPU and all that is
/// listed make less than the time that the events which lead have their shares of.
pub(crate) fn lists_waits_in_part(report: &Report) -> bool {
    /// Lists clip names, not all at the same length.
    const CLIPPED: usize = 20;
    /// Far beyond what the rounding of shares makes.
    const LACKING: f64 = 1.1;
    let tables = &report.tables;
    let waits = || tables.wait_event.iter().filter(|wait| wait.instance_number.is_none() && !wait.is_idle);
    if !report.identity.excerpt || !waits().any(|wait| wait.side != Side::Background) {
        return false;
    }
    let same = |a: &str, b: &str| {
        a == b || a.len().min(b.len()) >= CLIPPED && (a.starts_with(b) || b.starts_with(a))
    };
    let top = || tables.top_event.iter().filter(|top| top.instance_number.is_none());
    let lacks = |top: &TopEvent| !waits().any(|wait| same(&wait.event, &top.event));
    if top().any(|top| {
        top.waits.is_some() && top.wait_class.as_deref() != Some("Idle") && !is_cpu(&top.event) && lacks(top)
    }) {
        return true;
    }
    let cpu_s = top().find(|top| is_cpu(&top.event)).and_then(|top| top.time_s);
    let all_s = whole_from_shares(report, ShareOf::TotalCallTime);
    cpu_s.zip(all_s).is_some_and(|(cpu_s, all_s)| {
        let listed_s: f64 = waits().filter_map(|wait| wait.time_s).sum();
        all_s.seconds > LACKING * (cpu_s + listed_s)
    })
}

/// Are the events that lead on both sides together all that is left of a report of the whole database? Those of
/// the background can fill such a list.
pub(crate) fn lists_leaders_of_both(report: &Report) -> bool {
    report.identity.kind == Kind::Awr && report.identity.scope == Scope::Database && sides_are_mixed(report)
}

/// Are the top events all that was read of waits, and those of background processes among them? Then what a report of
/// several instances prints for an event is of both sides, and so is their sum.
pub(crate) fn top_events_mix_sides(report: &Report) -> bool {
    let of_background = |e: &TopEvent| {
        BACKGROUND_ONLY.contains(&e.event.as_str())
            && e.share_of == Some(ShareOf::DbTime)
            && !report.section_title(e.section).to_ascii_lowercase().contains("foreground")
    };
    report.tables.wait_event.is_empty() && report.tables.top_event.iter().any(of_background)
}

/// Foreground events of which a row is printed and no time can be read (`####`), each once.
pub(crate) fn unreadable_events<'r>(report: &'r Report, events: &[EventTotal]) -> Vec<&'r str> {
    if !matches!(report.identity.kind, Kind::Awr | Kind::Statspack | Kind::Unknown) {
        return Vec::new();
    }
    let waits = report.tables.wait_event.iter().filter(|e| e.side != Side::Background && !e.is_idle);
    let waits = waits.filter(|e| e.time_s.is_none()).map(|e| e.event.as_str());
    let top = report.tables.top_event.iter().filter(|e| e.time_s.is_none() && !is_cpu(&e.event));
    let mut names: Vec<&str> = waits.chain(top.map(|e| e.event.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return names;
    }
    let of_foreground = events.iter().filter(|e| e.side == Side::Foreground);
    let known: BTreeSet<&str> = of_foreground.map(|e| e.event.as_str()).collect();
    names.retain(|name| !known.contains(name) && !BACKGROUND_ONLY.contains(name));
    names
}

/// Does a mixed section stand in for the foreground (Statspack 9i and 10g, its top events)?
pub(crate) fn sides_are_mixed(report: &Report) -> bool {
    let waits = &report.tables.wait_event;
    let top = &report.tables.top_event;
    !waits.iter().any(|w| w.side == Side::Foreground)
        && (waits.iter().any(|w| w.side == Side::All)
            || waits.is_empty() && top.iter().any(|t| ranks_both_sides(t.share_of)))
}

fn ranks_both_sides(share_of: Option<ShareOf>) -> bool {
    matches!(share_of, Some(ShareOf::TotalCallTime | ShareOf::TotalWaitTime))
}

fn of_wait_event(row: usize, event: &WaitEvent) -> Option<EventTotal> {
    let time_s = event.time_s.filter(|t| t.is_finite() && *t >= 0.0)?;
    let avg_us_bounds = match (event.avg_wait_us_low, event.avg_wait_us_high) {
        (Some(low), Some(high)) => Some(Interval::between(low, high)),
        _ => None,
    };
    let printed = bounds(time_s, event.time_s_low, event.time_s_high);
    let (time_s, time_s_bounds) = by_mean(event, time_s, printed).unwrap_or((time_s, printed));
    Some(EventTotal {
        event: event.event.as_str().to_owned(),
        side: event.side,
        wait_class: class_of(&event.event, event.wait_class.as_deref()),
        is_idle: event.is_idle || event.wait_class.as_deref() == Some("Idle"),
        waits: event.waits,
        time_s,
        time_s_bounds,
        from_share_pct: None,
        avg_us: event.avg_wait_us.or_else(|| mean_us(time_s, event.waits, event.time_s_high)),
        avg_us_bounds,
        timeouts_pct: event.timeouts_pct.or_else(|| {
            let waits = event.waits.filter(|w| *w > 0.0)?;
            event.timeouts.map(|t| 100.0 * t / waits)
        }),
        table: "wait_event",
        row,
        line: event.line,
        more_rows: 0,
        instances: 1,
        section: event.section,
    })
}

/// Share of a time that its rounding may hide before waits and their mean are asked for it.
const COARSE: f64 = 0.01;

/// Time as waits and their mean give it, where the printed seconds are coarse (`53` of one wait of 52.86 s, `0` of 13
/// waits of 3.23 ms) and both agree; `None` where the seconds say as much, or something else.
fn by_mean(event: &WaitEvent, time_s: f64, printed: Interval) -> Option<(f64, Interval)> {
    let width = printed.high - printed.low;
    if width <= COARSE * time_s {
        return None;
    }
    let waits = event.waits.filter(|w| w.is_finite() && *w > 0.0)?;
    let least = event.waits_low.map_or(waits, |low| low.min(waits)) * event.avg_wait_us_low? / 1e6;
    let most = event.waits_high.map_or(waits, |high| high.max(waits)) * event.avg_wait_us_high? / 1e6;
    let both = Interval { low: least.max(printed.low), high: most.min(printed.high) };
    let is_narrower = both.high - both.low < 0.99 * width && both.low <= both.high;
    let middle = event.avg_wait_us.map_or((both.low + both.high) / 2.0, |us| us * waits / 1e6);
    is_narrower.then(|| (middle.clamp(both.low, both.high), both))
}

/// A top event; its time follows from its share where only that is printed or readable.
fn of_top_event(row: usize, event: &TopEvent, wholes: &Wholes, of_foreground: bool) -> Option<EventTotal> {
    let printed = event.time_s.map(|t| (t, bounds(t, event.time_s_low, event.time_s_high)));
    let found = printed.or_else(|| wholes.seconds(event));
    let (time_s, time_s_bounds) = found.filter(|(t, _)| t.is_finite() && *t >= 0.0)?;
    // `0` seconds of 13 waits of 3.23 ms are not none.
    let by_mean = event.waits.zip(event.avg_wait_us).map(|(waits, us)| waits * us / 1e6);
    let by_mean = by_mean.filter(|s| time_s == 0.0 && *s <= time_s_bounds.high);
    let time_s = by_mean.unwrap_or(time_s);
    let from_share_pct = event.share_pct.filter(|_| event.time_s.is_none());
    // The top events of RAC-global reports and of Statspack rank both sides.
    let side = if BACKGROUND_ONLY.contains(&event.event.as_str()) && !of_foreground {
        Side::Background
    } else if ranks_both_sides(event.share_of) {
        Side::All
    } else {
        Side::Foreground
    };
    Some(EventTotal {
        event: event.event.as_str().to_owned(),
        side,
        wait_class: class_of(&event.event, event.wait_class.as_deref()),
        is_idle: event.wait_class.as_deref() == Some("Idle"),
        waits: event.waits,
        time_s,
        time_s_bounds,
        from_share_pct,
        avg_us: event.avg_wait_us.or_else(|| mean_us(time_s, event.waits, Some(time_s_bounds.high))),
        avg_us_bounds: None,
        timeouts_pct: None,
        table: "top_event",
        row,
        line: event.line,
        more_rows: 0,
        instances: 1,
        section: event.section,
    })
}

/// The row for all instances where one is printed, else the sum of the rows. Equal names within a
/// section are names that were clipped to the same letters, so they are added; a second section
/// with the same side repeats the first.
fn over_instances(rows: InstanceRows) -> Option<EventTotal> {
    let for_all = rows.iter().any(|(instance, _)| instance.is_none());
    let mut chosen = rows.into_iter().filter(|(instance, _)| instance.is_none() == for_all);
    let first = chosen.next()?;
    let section = first.1.section;
    let chosen: InstanceRows =
        std::iter::once(first).chain(chosen.filter(|(_, total)| total.section == section)).collect();
    let instances = instances_of(chosen.iter().map(|(instance, _)| *instance)).max(1);
    let more_rows = chosen.len() - 1;
    let sum = chosen.into_iter().map(|(_, total)| total).reduce(|sum, next| {
        let waits = sum.waits.zip(next.waits).map(|(a, b)| a + b);
        let time_s = sum.time_s + next.time_s;
        let time_s_bounds = Interval {
            low: sum.time_s_bounds.low + next.time_s_bounds.low,
            high: sum.time_s_bounds.high + next.time_s_bounds.high,
        };
        EventTotal {
            waits,
            time_s,
            time_s_bounds,
            avg_us: mean_us(time_s, waits, Some(time_s_bounds.high)),
            avg_us_bounds: None,
            timeouts_pct: None,
            ..sum
        }
    })?;
    Some(EventTotal { more_rows, instances, ..sum })
}

/// What a mixed row leaves once the background's part is taken out; `None` where nothing is left.
fn foreground_part(all: &EventTotal, background: &EventTotal) -> Option<EventTotal> {
    let time_s = all.time_s - background.time_s;
    let waits = all.waits.zip(background.waits).map(|(a, b)| (a - b).max(0.0));
    if time_s <= 0.0 || waits == Some(0.0) {
        return None;
    }
    let time_s_bounds = Interval {
        low: (all.time_s_bounds.low - background.time_s_bounds.high).max(0.0),
        high: (all.time_s_bounds.high - background.time_s_bounds.low).max(time_s),
    };
    // What two roundings leave of a difference is no time to take a mean of.
    let is_sure = time_s_bounds.high - time_s_bounds.low <= time_s;
    Some(EventTotal {
        side: Side::Foreground,
        waits,
        time_s,
        time_s_bounds,
        avg_us: mean_us(time_s, waits, None).filter(|_| is_sure),
        avg_us_bounds: None,
        timeouts_pct: None,
        ..all.clone()
    })
}

fn bounds(value: f64, low: Option<f64>, high: Option<f64>) -> Interval {
    Interval { low: low.map_or(value, |l| l.min(value)), high: high.map_or(value, |h| h.max(value)) }
}

/// Time over waits; no mean follows from a time of which rounding left nothing.
fn mean_us(time_s: f64, waits: Option<f64>, time_s_high: Option<f64>) -> Option<f64> {
    let is_rounded_off = time_s <= 0.0 && time_s_high.is_some_and(|high_s| high_s > 0.0);
    waits.filter(|w| *w > 0.0 && !is_rounded_off).map(|w| time_s * 1e6 / w)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::testing::Hour;

    /// 60 % of DB time under `Top 10 Foreground Events` was taken for a background wait, and no wait was read.
    #[test]
    fn an_event_of_the_background_in_a_list_of_the_foreground_is_one_of_sessions() {
        let of = |title: &str| {
            let hour = Hour::new(10_000.0).top("RMAN backup & recovery I/O", Some(20_000.0), 6_000.0);
            let hour = hour.with(|r| r.sections[0].title = title.to_owned());
            event_totals(&hour.report)[0].side
        };
        assert_eq!(of("Top 10 Foreground Events by Total Wait Time"), Side::Foreground);
        assert_eq!(of("Top Timed Events"), Side::Background);
    }

    /// The list of both sides that a report of several instances begins with, alone: CPU of 65,508 s beside background
    /// waits of 500,000 s was "not more than all waits", and locks of some per cent of DB time were ruled out.
    #[test]
    fn waits_of_the_background_made_what_sessions_waited_for_a_trifle() {
        let hour = Hour::new(0.0)
            .top("dispatcher listen timer", None, 518_390.0)
            .top("DB CPU", None, 65_508.0)
            .top("RMAN backup & recovery I/O", Some(1.8e6), 42_830.0)
            .top("enq: TX - row lock contention", Some(1e4), 5_000.0);
        let alone = |title: &str| {
            let mut report = hour.report.clone();
            report.tables.time_model.clear();
            (report.identity.db_time_s, report.identity.elapsed_s) = (None, None);
            report.sections[0].title = title.to_owned();
            crate::diagnose(&report, &crate::Options::default())
        };
        let told = alone("Top Timed Events");
        for rule in ["cpu_bound", "locks"] {
            assert!(!told.not_found.contains(&rule), "{rule}: {:?}", told.not_found);
        }
        assert!(alone("Top 10 Foreground Events by Total Wait Time").not_found.contains(&"cpu_bound"));
    }

    /// `log file sequential read` of a section that mixes both sides was a wait of sessions, and led.
    #[test]
    fn reads_of_redo_logs_by_the_archiver_were_those_of_sessions() {
        let hour = Hour::new(0.0)
            .event("log file sequential read", Side::All, 32_177.0, 648.0, (647.5, 648.5))
            .event("log file switch completion", Side::All, 1_706.0, 138.0, (137.5, 138.5))
            .with(|r| {
                r.tables.time_model.clear();
                r.identity.db_time_s = None;
            });
        let case = crate::Case::new(&hour.report, &crate::Options::default());
        assert!(case.foreground_event("log file sequential read").is_none());
        assert_eq!(case.background_event("log file sequential read").unwrap().time_s, 648.0);
        let remark = case.response_time.foreground.remark.as_deref().unwrap();
        assert!(!remark.contains("subtracted"), "{remark}");
        let diagnosis = crate::diagnose(&hour.report, &crate::Options::default());
        let said: Vec<&str> =
            diagnosis.findings.iter().flat_map(|f| &f.actions).map(String::as_str).collect();
        assert!(said.iter().any(|s| s.contains("archiver")), "{said:?}");
        assert!(!said.iter().any(|s| s.contains("ASH by event")), "{said:?}");
        // A list of the foreground's alone holds them where a session waits for them.
        let own = Hour::new(1_000.0).foreground("log file sequential read", 100.0, 10.0);
        assert_eq!(event_totals(&own.report)[0].side, Side::Foreground);
    }

    /// A control file written every three seconds, as the checkpoint process does, was what sessions waited for.
    #[test]
    fn the_heartbeat_of_the_checkpoint_process_was_a_wait_of_sessions() {
        let side = |waits: f64| {
            let hour = Hour::new(0.0)
                .event("control file parallel write", Side::All, waits, 90.0, (89.5, 90.5))
                .with(|r| r.identity.elapsed_s = Some(3_600.0));
            event_totals(&hour.report)[0].side
        };
        assert_eq!((side(1_206.0), side(12_000.0)), (Side::Background, Side::Foreground));
    }

    /// Of 53.4 s of DB time a wait of 52.86 s was 53 s, and so its share 99.3 % where the report prints 98.9 %; 13 waits
    /// of 3.23 ms were no time at all.
    #[test]
    fn whole_seconds_hid_what_waits_and_their_mean_say() {
        let of = |waits: f64, time_s: f64, mean_us: (f64, f64)| {
            let bounds = ((time_s - 0.5).max(0.0), time_s + 0.5);
            let hour = Hour::new(53.4).event("row cache lock", Side::Foreground, waits, time_s, bounds);
            let hour = hour.with(|r| {
                let row = &mut r.tables.wait_event[0];
                row.avg_wait_us = Some((mean_us.0 + mean_us.1) / 2.0);
                (row.avg_wait_us_low, row.avg_wait_us_high) = (Some(mean_us.0), Some(mean_us.1));
            });
            let total = event_totals(&hour.report).remove(0);
            (total.time_s, total.time_s_bounds)
        };
        let near = |(time_s, bounds): (f64, Interval), [low, mid, high]: [f64; 3]| {
            [(time_s, mid), (bounds.low, low), (bounds.high, high)].iter().all(|(a, b)| (a - b).abs() < 1e-9)
        };
        assert!(near(of(1.0, 53.0, (52.855e6, 52.865e6)), [52.855, 52.86, 52.865]));
        assert!(near(of(13.0, 0.0, (3_225.0, 3_235.0)), [0.041_925, 0.041_99, 0.042_055]));
        // Seconds that say enough stay as they are printed, and so do those that the mean contradicts.
        assert!(near(of(1_000.0, 530.0, (529_500.0, 529_600.0)), [529.5, 530.0, 530.5]));
        assert!(near(of(1.0, 53.0, (60.0e6, 60.1e6)), [52.5, 53.0, 53.5]));
    }
}
