//! Hosts of several time zones on one axis: histories print how far their clock is ahead of UTC.

use super::load::IntervalLoad;
use super::timeline::{Remark, clock_change, unwound};
use spindle_facts::clock::Clock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Seconds ahead of UTC of each row: as its file says, else as all other files of its database do.
fn offsets(rows: &[IntervalLoad]) -> Vec<Option<i64>> {
    let mut known: BTreeMap<Arc<str>, BTreeSet<i64>> = BTreeMap::new();
    for row in rows {
        known.entry(Arc::clone(&row.database)).or_default().extend(row.utc_offset_s);
    }
    let of_database =
        |row: &IntervalLoad| known.get(&row.database).filter(|all| all.len() == 1)?.first().copied();
    rows.iter().map(|row| row.utc_offset_s.or_else(|| of_database(row))).collect()
}

/// Puts the rows on one axis, which runs on when a clock is put, and on which rows of the same moment stand together
/// as far as the zones of their hosts are known. Returns the clock whose times are shown: that of the zone with most
/// of the time, which rows of no known zone are taken to keep.
pub(super) fn on_one_axis(rows: &mut [IntervalLoad], remarks: &mut Vec<Remark>) -> Clock {
    let offsets = offsets(rows);
    let mut lengths: BTreeMap<i64, f64> = BTreeMap::new();
    for (row, offset) in rows.iter().zip(&offsets) {
        if let Some(offset) = offset {
            *lengths.entry(*offset).or_default() += row.elapsed_s.unwrap_or(0.0);
        }
    }
    let shown = lengths.iter().fold(None, |most: Option<(i64, f64)>, (offset, seconds)| {
        if most.is_none_or(|(_, than)| *seconds > than) { Some((*offset, *seconds)) } else { most }
    });
    let Some((shown, _)) = shown else {
        let clock = unwound(&mut rows.iter_mut().collect::<Vec<_>>());
        remarks.extend(clock.changes.iter().map(clock_change));
        return clock;
    };
    // Zones put their clocks on days of their own.
    let mut zones: BTreeMap<i64, Vec<&mut IntervalLoad>> = BTreeMap::new();
    for (row, offset) in rows.iter_mut().zip(&offsets) {
        zones.entry(offset.unwrap_or(shown)).or_default().push(row);
    }
    let clocks: BTreeMap<i64, Clock> = zones.iter_mut().map(|(zone, rows)| (*zone, unwound(rows))).collect();
    let changes: BTreeSet<Remark> =
        clocks.values().flat_map(|clock| &clock.changes).map(clock_change).collect();
    remarks.extend(changes);
    let clock = clocks.get(&shown).cloned().unwrap_or_default();
    // The offset is that of the day of the collection: the axis keeps the one of before any change.
    let of_axis = shown + clock.changes.iter().map(|c| c.shift_s).sum::<i64>();
    // What each database is ahead of UTC on its axis: as its last interval shows.
    let mut ahead: BTreeMap<(Arc<str>, i64), (i64, i64)> = BTreeMap::new();
    for (row, offset) in rows.iter().zip(&offsets) {
        if let (Some(offset), Some(span), Some(printed)) = (offset, &row.span, row.printed) {
            // Its clock may have been put between its last interval and the collection.
            let changes = clocks.get(offset).into_iter().flat_map(|clock| &clock.changes);
            let later: i64 = changes.filter(|c| c.local_s >= printed.1).map(|c| c.shift_s).sum();
            let last = (printed.1, offset + span.start - printed.0 + later);
            let entry = ahead.entry((Arc::clone(&row.database), *offset)).or_insert(last);
            *entry = last.max(*entry);
        }
    }
    let mut moved: BTreeMap<Arc<str>, i64> = BTreeMap::new();
    for (row, offset) in rows.iter_mut().zip(&offsets) {
        let Some(offset) = offset else { continue };
        let by = ahead.get(&(Arc::clone(&row.database), *offset)).map_or(0, |(_, own)| of_axis - own);
        if by == 0 {
            continue;
        }
        row.span = row.span.take().map(|s| s.start + by..s.end + by);
        row.printed = row.printed.map(|(begin, end)| (begin + by, end + by));
        row.started_s = row.started_s.map(|s| s + by);
        moved.insert(Arc::clone(&row.database), by);
    }
    remarks.extend(moved.iter().map(|(database, by)| in_another_zone(database, *by)));
    clock
}

/// Says that the times of a database are shown by the clock of others.
fn in_another_zone(database: &str, by_s: i64) -> Remark {
    let hours = by_s.unsigned_abs() as f64 / 3600.0;
    let (way, moved) = if by_s < 0 { ("ahead of", "earlier") } else { ("behind", "later") };
    Remark {
        kind: "clock",
        database: Some(database.to_owned()),
        instance_number: None,
        begin_time: None,
        end_time: None,
        message: format!(
            "its clock is {hours} h {way} the one that is shown: its times stand {hours} h {moved}, so that what ran at the same moment is added"
        ),
    }
}

/// Databases of which nothing says which zone their clocks keep, where several are on hosts that may differ.
pub(super) fn unknown(rows: &[IntervalLoad]) -> Vec<String> {
    let timed = || rows.iter().zip(offsets(rows)).filter(|(row, _)| row.span.is_some());
    let databases: BTreeSet<&str> = timed().map(|(row, _)| &*row.database).collect();
    let hosts: BTreeSet<Option<&str>> = timed().map(|(row, _)| row.host.as_deref()).collect();
    let one_host = hosts.len() == 1 && !hosts.contains(&None);
    if databases.len() < 2 || one_host {
        return Vec::new();
    }
    let of: BTreeSet<String> =
        timed().filter(|(_, offset)| offset.is_none()).map(|(row, _)| row.database.to_string()).collect();
    of.into_iter().collect()
}
