//! Database, instance and snapshots of a period.
//!
//! Printed as `Snapshot Set` tables, a row a period. DB time is printed there in minutes to one
//! digit, and exactly in the time model; titles of sections in text say both times in seconds.

use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::{header, time};
use spindle_facts::{Identity, Period};

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let at = |keys: &[&str]| grid.column(keys);
    if grid.len() != 1 {
        return 0;
    }
    if at(&["release"]).is_some() {
        let name = context.text(grid, 0, at(&["dbname"]));
        let db_id = context.id(grid, 0, at(&["dbid"]));
        let instance = context.text(grid, 0, at(&["instance"]));
        let number = context.id(grid, 0, at(&["instnum"])).and_then(|n| u32::try_from(n).ok());
        let version = context.text(grid, 0, at(&["release"]));
        let cluster = context.text(grid, 0, at(&["cluster", "rac"]));
        let host = context.text(grid, 0, at(&["host"]));
        let block = context.id(grid, 0, at(&["stdblocksize"]));
        let identity = &mut context.report.identity;
        identity.db_name = name.or(identity.db_name.take());
        identity.db_id = db_id;
        identity.instance = instance;
        identity.instance_number = number;
        identity.version = version;
        identity.rac = cluster.map(|c| c.eq_ignore_ascii_case("yes"));
        identity.host = host;
        identity.block_size_bytes = block;
        return 1;
    }
    if at(&["beginsnapid"]).is_none() {
        return 0;
    }
    let begin_snap = context.id(grid, 0, at(&["beginsnapid"]));
    let end_snap = context.id(grid, 0, at(&["endsnapid"]));
    let when = |keys: &[&str]| grid.cell(0, at(keys)).and_then(time::parse).map(|t| t.to_string());
    let (begin_time, end_time) = (when(&["beginsnaptime"]), when(&["endsnaptime"]));
    let elapsed = context.count(grid, 0, at(&["elapsedtimemin"]));
    let db_time = context.number(grid, 0, at(&["dbtimemin"]), Unit::Count);
    let name = context.text(grid, 0, at(&["dbname"]));
    let identity = &mut context.report.identity;
    identity.db_name = identity.db_name.take().or(name);
    identity.begin_snap = begin_snap;
    identity.end_snap = end_snap;
    identity.begin_time = begin_time;
    identity.end_time = end_time;
    identity.elapsed_s = elapsed.map(|m| m * 60.0);
    identity.db_time_s = db_time.map(|p| p.value * 60.0);
    identity.db_time_s_low = db_time.map(|p| p.low * 60.0);
    identity.db_time_s_high = db_time.map(|p| p.high * 60.0);
    1
}

/// `1st   1822 23-Apr-14 18:30:05 (Wed)   1823 23-Apr-14 18:45:06 (Wed)   7.1   15.0   106.7`
pub(super) fn snapshots(identity: &mut Identity, line: &str) -> bool {
    let label = if identity.period == Some(Period::Second) { "2nd" } else { "1st" };
    let pieces: Vec<&str> = line.split("  ").map(str::trim).filter(|p| !p.is_empty()).collect();
    let [first, begin, end, _, elapsed, db_time] = pieces.as_slice() else { return false };
    if *first != label {
        return false;
    }
    let snapshot = |text: &str| {
        let (id, when) = text.split_once(' ')?;
        Some((id.replace(',', "").parse::<u64>().ok()?, time::parse(when)?.to_string()))
    };
    let number = |text: &str| header::minutes(text).map(|minutes| minutes.0);
    let (Some(begin), Some(end)) = (snapshot(begin), snapshot(end)) else { return false };
    (identity.begin_snap, identity.begin_time) = (Some(begin.0), Some(begin.1));
    (identity.end_snap, identity.end_time) = (Some(end.0), Some(end.1));
    identity.elapsed_s = number(elapsed).map(|m| m * 60.0);
    if let Some(minutes) = number(db_time) {
        // One decimal of a minute.
        identity.db_time_s = Some(minutes * 60.0);
        identity.db_time_s_low = Some((minutes * 60.0 - 3.0).max(0.0));
        identity.db_time_s_high = Some(minutes * 60.0 + 3.0);
    }
    true
}

/// `ORCL/orcl1 Snaps: 11-12 (Elapsed time: 901.55 sec  DB time: 6404.55 sec)`: finer than the minutes of
/// the snapshots, which they must round to.
pub(super) fn seconds(identity: &mut Identity, title: &str) {
    let behind = |label: &str| -> Option<f64> {
        let (number, _) = title.split_once(label)?.1.split_once(" sec")?;
        let (whole, cents) = number.trim().split_once(['.', ','])?;
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        (digits(whole) && digits(cents)).then(|| format!("{whole}.{cents}").parse().ok()).flatten()
    };
    let (Some(elapsed), Some(db_time)) = (behind("(Elapsed time:"), behind("DB time:")) else { return };
    let rounds = |minutes: Option<f64>, seconds: f64| minutes.is_some_and(|m| (m - seconds).abs() <= 3.01);
    // Sections that were pasted without the head have nothing else that tells either.
    let headless =
        identity.elapsed_s.is_none() && identity.db_time_s.is_none() && identity.begin_time.is_none();
    if headless || rounds(identity.elapsed_s, elapsed) && rounds(identity.db_time_s, db_time) {
        identity.elapsed_s = Some(elapsed);
        identity.db_time_s = Some(db_time);
        identity.db_time_s_low = Some((db_time - 0.005).max(0.0));
        identity.db_time_s_high = Some(db_time + 0.005);
    }
}

/// Snapshots that a title names behind the label of a period, as ` A/a1 Snaps: 10-11 (Elapsed time: ...`, where the
/// head that prints them with their times was not pasted.
pub(super) fn named_snapshots(identity: &mut Identity, title: &str) {
    if identity.begin_snap.is_some() || identity.end_snap.is_some() {
        return;
    }
    let named = title.split_once("Snaps:").and_then(|(_, rest)| rest.trim_start().split_once('-'));
    let Some((begin, rest)) = named else { return };
    let end = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    if let (Ok(begin), Ok(end)) = (begin.parse(), end.parse()) {
        (identity.begin_snap, identity.end_snap) = (Some(begin), Some(end));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    fn after(title: &str) -> (Option<f64>, Option<f64>) {
        let mut identity = Identity {
            elapsed_s: Some(900.0),
            db_time_s: Some(6_402.0),
            ..Identity::unknown("x", spindle_facts::Kind::AwrCompare, spindle_facts::Layout::Text)
        };
        seconds(&mut identity, title);
        (identity.elapsed_s, identity.db_time_s)
    }

    #[test]
    fn titles_say_seconds_where_the_snapshots_say_minutes() {
        let said = |e: &str, d: &str| format!(" X/x Snaps: 1-2 (Elapsed time: {e} sec  DB time: {d} sec),  ");
        assert_eq!(after(&said("901.55", "6404.55")), (Some(901.55), Some(6_404.55)));
        assert_eq!(after(&said("901,55", "6404,55")), (Some(901.55), Some(6_404.55)));
        // Another interval's, cut, or not a number: the minutes stay.
        for (e, d) in [("1901.55", "6404.55"), ("901.55", "#######"), ("901.55", "")] {
            assert_eq!(after(&said(e, d)), (Some(900.0), Some(6_402.0)));
        }
        assert_eq!(after(" X/x Snaps: 1-2 (Elapsed time: 901.55 sec  DB ti"), (Some(900.0), Some(6_402.0)));
    }
}
