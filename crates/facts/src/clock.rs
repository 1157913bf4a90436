//! Clocks that are put forward in spring and back in autumn: the hour that local time skips, and the one
//! that it has twice.
//!
//! Reports and histories print local time without a zone. Snapshots are numbered in the order they were
//! taken, and some intervals know their true length: where the two say that the clock was put back between
//! two snapshots, times behind it are an hour later than they read. [`Clock::unwind`] puts them on one
//! axis that runs on, and [`Clock::local`] shows a time of that axis as the clock showed it.

use crate::tables::Report;
use std::collections::{BTreeMap, BTreeSet};

const HOUR_S: i64 = 3600;
const DAY_S: i64 = 86_400;

/// Snapshots are taken within this of when they are due.
const NEAR_S: i64 = 150;

/// Sundays on which zones put the clock forward: month, first and last day. The European Union, the United
/// States (also as until 2006), Brazil, Chile, Australia, New Zealand.
const FORWARD: &[(i64, i64, i64)] =
    &[(3, 8, 14), (3, 25, 31), (4, 1, 7), (9, 2, 8), (9, 24, 30), (10, 1, 7), (10, 15, 21)];

/// Sundays on which they put it back.
const BACK: &[(i64, i64, i64)] = &[(10, 25, 31), (11, 1, 7), (4, 1, 7), (3, 25, 31), (2, 15, 21)];

/// Hours of such a Sunday by which the clock is put.
const UNTIL_S: i64 = 4 * HOUR_S;

/// Does a stretch of local time reach into the small hours of a Sunday on which some zone puts its clock,
/// `back` or forward?
#[must_use]
pub fn may_be_put(begin_s: i64, end_s: i64, back: bool) -> bool {
    let (from, to) = (begin_s.min(end_s), begin_s.max(end_s) + HOUR_S);
    if to - from > 7 * DAY_S {
        return false;
    }
    let days = from.div_euclid(DAY_S)..=to.div_euclid(DAY_S);
    days.into_iter().any(|day| {
        // The first of January 1970 was a Thursday.
        let (month, of_month) = month_and_day(day);
        let listed = if back { BACK } else { FORWARD };
        (day + 4).rem_euclid(7) == 0
            && listed.iter().any(|(m, first, last)| *m == month && (*first..=*last).contains(&of_month))
            && from < day * DAY_S + UNTIL_S
            && to > day * DAY_S
    })
}

/// Month and day of a day counted from 1970, as in `epoch_s`.
fn month_and_day(days: i64) -> (i64, i64) {
    let day = (days + 719_468).rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    (if month < 10 { month + 3 } else { month - 9 }, of_year - (153 * month + 2) / 5 + 1)
}

/// How many seconds longer an interval of so many local seconds was, by a second clock that runs through:
/// an hour, an hour less, or nothing of the kind (`None`).
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "seconds of days")]
pub fn hour_off(local_s: f64, true_s: f64) -> Option<i64> {
    let near = NEAR_S as f64 + 0.03 * true_s;
    let off = true_s - local_s;
    [HOUR_S, -HOUR_S].into_iter().find(|shift| near < 1200.0 && (off - *shift as f64).abs() <= near)
}

/// Seconds that the processors of the host counted, busy and idle, which no clock puts back; `None` where a
/// report does not print them for one host.
#[must_use]
pub fn counted_by_processors_s(report: &Report) -> Option<f64> {
    let one = |name: &str| {
        let mut rows = report.tables.os_stat.iter().filter(|r| r.statistic == name);
        let row = rows.next()?;
        rows.next().is_none().then_some(row)
    };
    let cpus = one("NUM_CPUS").filter(|r| r.end_value.is_none_or(|end| Some(end) == r.value))?.value?;
    let centiseconds = one("BUSY_TIME")?.value? + one("IDLE_TIME")?.value?;
    (cpus > 0.0).then(|| centiseconds / 100.0 / cpus)
}

/// Did the clock change inside a report that counts the time between its snapshots by it? Its rates are of
/// a wrong length. Seconds that it really is longer.
#[must_use]
pub fn put_inside(report: &Report) -> Option<i64> {
    let id = &report.identity;
    let (begin, end) = (crate::epoch_s(id.begin_time.as_deref())?, crate::epoch_s(id.end_time.as_deref())?);
    if let (Some(begin_snap), Some(end_snap)) = (id.begin_snap, id.end_snap)
        && end_snap > begin_snap
        && end <= begin
        && end > begin - HOUR_S
        && may_be_put(begin, end, true)
    {
        return Some(HOUR_S);
    }
    let shift = hour_off(id.elapsed_s?, counted_by_processors_s(report)?)?;
    may_be_put(begin, end, shift > 0).then_some(shift)
}

/// An interval with its local times, as it is put on the axis.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    /// What has one sequence of snapshots.
    pub sequence: usize,
    /// Begin and end as printed, seconds since 1970 by the local clock.
    pub begin_s: Option<i64>,
    /// End.
    pub end_s: Option<i64>,
    /// True length.
    pub elapsed_s: Option<f64>,
    /// First and last snapshot.
    pub snaps: Option<(u64, u64)>,
    /// Its length was looked into, so that a change of the clock inside would be known.
    pub knows: bool,
}

/// A change of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When, on the axis.
    pub at_s: i64,
    /// What the clock showed just before.
    pub local_s: i64,
    /// Seconds that later times run behind the axis: an hour where it was put back.
    pub shift_s: i64,
}

/// The changes of a clock, in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Changes.
    pub changes: Vec<Change>,
}

/// A change as one sequence of snapshots shows it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    sequence: usize,
    after_snap: u64,
    begin_s: i64,
    end_s: i64,
    shift_s: i64,
}

impl Clock {
    /// Puts intervals on an axis that runs on: their begin and end, `None` where they have none, or where the
    /// clock showed their hour twice and nothing says which of the two it was.
    #[must_use]
    pub fn unwind(rows: &[Timed]) -> (Vec<Option<(i64, i64)>>, Self) {
        let seen = seen(rows);
        let as_printed = |row: &Timed| row.begin_s.zip(row.end_s);
        if seen.is_empty() {
            return (rows.iter().map(as_printed).collect(), Self::default());
        }
        let clock = Self::of(&seen);
        let sequences: BTreeSet<usize> = rows.iter().map(|r| r.sequence).collect();
        // Which changes a sequence shows itself, and which ones it takes from others.
        let mut own: BTreeMap<usize, Vec<(Change, Option<u64>)>> = BTreeMap::new();
        for sequence in sequences {
            let known = clock.changes.iter().filter_map(|change| {
                let shown = seen.iter().filter(|s| s.sequence == sequence && s.is(change));
                match shown.map(|s| s.after_snap).min() {
                    Some(snap) => Some((*change, Some(snap))),
                    None => (!contradicts(rows, sequence, change)).then_some((*change, None)),
                }
            });
            own.insert(sequence, known.collect());
        }
        let none = Vec::new();
        let spans = rows.iter().map(|row| {
            let (begin, end) = as_printed(row)?;
            let changes = own.get(&row.sequence).unwrap_or(&none);
            let (of_begin, of_end) = (
                shifts(begin, row.snaps.map(|s| s.0), changes),
                shifts(end, row.snaps.map(|s| s.1), changes),
            );
            let pairs = || of_begin.iter().flat_map(|b| of_end.iter().map(move |e| (begin + b, end + e)));
            let mut fits = pairs().filter(|(b, e)| match row.elapsed_s {
                #[allow(clippy::cast_precision_loss, reason = "seconds of days")]
                Some(elapsed) => ((e - b) as f64 - elapsed).abs() <= NEAR_S as f64,
                None => e > b,
            });
            match (pairs().count(), fits.next(), fits.next()) {
                (1, ..) => pairs().next(),
                (_, Some(one), None) => Some(one),
                _ => None,
            }
        });
        (spans.collect(), clock)
    }

    /// One change for all that show it.
    fn of(seen: &[Seen]) -> Self {
        let mut sorted: Vec<&Seen> = seen.iter().collect();
        sorted.sort_by_key(|s| (s.begin_s, s.end_s - s.begin_s, s.shift_s));
        let mut clock = Self::default();
        for one in sorted {
            if clock.changes.iter().any(|c| one.is(c)) {
                continue;
            }
            // Interval that holds it; clocks are put on the hour, mostly at two or three.
            let (first, last) = if one.shift_s > 0 {
                (one.begin_s, one.end_s + HOUR_S)
            } else {
                (one.begin_s, one.end_s - HOUR_S)
            };
            let usual: &[i64] = if one.shift_s > 0 { &[3, 2, 1, 0] } else { &[2, 1, 3, 0] };
            let hours = || {
                (first.div_euclid(HOUR_S)..=last.div_euclid(HOUR_S))
                    .map(|h| h * HOUR_S)
                    .filter(|t| *t >= first && *t <= last)
            };
            let of_day = |t: &i64| t.rem_euclid(DAY_S) / HOUR_S;
            let local_s = usual
                .iter()
                .find_map(|h| hours().find(|t| of_day(t) == *h))
                .or_else(|| hours().next())
                .unwrap_or(first);
            let so_far: i64 = clock.changes.iter().map(|c| c.shift_s).sum();
            clock.changes.push(Change { at_s: local_s + so_far, local_s, shift_s: one.shift_s });
        }
        clock
    }

    /// A time of the axis as the clock showed it.
    #[must_use]
    pub fn local(&self, axis_s: i64) -> i64 {
        axis_s - self.changes.iter().filter(|c| c.at_s <= axis_s).map(|c| c.shift_s).sum::<i64>()
    }
}

impl Seen {
    fn is(&self, change: &Change) -> bool {
        self.shift_s == change.shift_s
            && change.local_s >= self.begin_s.min(self.end_s) - 2 * HOUR_S
            && change.local_s <= self.begin_s.max(self.end_s) + 2 * HOUR_S
    }
}

/// Seconds that a local time is behind the axis: one, or each that it may be where the clock showed it twice.
fn shifts(local_s: i64, snap: Option<u64>, changes: &[(Change, Option<u64>)]) -> Vec<i64> {
    let mut found = vec![0];
    for (change, after) in changes {
        let which: &[bool] = match (after, snap) {
            (Some(after), Some(snap)) => &[snap >= *after],
            _ if change.shift_s < 0 => &[local_s > change.local_s],
            _ if local_s < change.local_s - change.shift_s => &[false],
            _ if local_s >= change.local_s => &[true],
            _ => &[false, true],
        };
        found = found
            .iter()
            .flat_map(|so_far| {
                which.iter().map(move |is| if *is { so_far + change.shift_s } else { *so_far })
            })
            .collect();
    }
    found
}

/// Does a sequence of snapshots run through a change without it? A host may keep UTC.
fn contradicts(rows: &[Timed], sequence: usize, change: &Change) -> bool {
    let mut of = rows.iter().filter(|r| r.sequence == sequence);
    if change.shift_s < 0 {
        let skipped = change.local_s + NEAR_S..change.local_s - change.shift_s - NEAR_S;
        return of.any(|r| [r.begin_s, r.end_s].into_iter().flatten().any(|t| skipped.contains(&t)));
    }
    let known: Vec<(i64, i64)> = of.filter(|r| r.knows).filter_map(|r| r.begin_s.zip(r.end_s)).collect();
    let covers = |from: i64, to: i64| known.iter().any(|(b, e)| *b < to && *e > from);
    covers(change.local_s - 2 * HOUR_S, change.local_s - HOUR_S)
        && covers(change.local_s - HOUR_S, change.local_s)
        && covers(change.local_s, change.local_s + HOUR_S)
}

/// Changes that the intervals show: by a true length that is an hour off, and by times that go back while
/// the numbers of snapshots go on.
fn seen(rows: &[Timed]) -> Vec<Seen> {
    let mut found: Vec<Seen> = Vec::new();
    let mut times: BTreeMap<usize, BTreeMap<u64, i64>> = BTreeMap::new();
    for row in rows {
        let (Some(begin_s), Some(end_s), Some((first, last))) = (row.begin_s, row.end_s, row.snaps) else {
            continue;
        };
        if last <= first {
            continue;
        }
        let of = times.entry(row.sequence).or_default();
        for (snap, time) in [(first, begin_s), (last, end_s)] {
            of.entry(snap).and_modify(|t| *t = time.min(*t)).or_insert(time);
        }
        #[allow(clippy::cast_precision_loss, reason = "seconds of days")]
        let shift_s = row.elapsed_s.and_then(|elapsed| hour_off((end_s - begin_s) as f64, elapsed));
        if let Some(shift_s) = shift_s
            && (end_s < begin_s - NEAR_S || may_be_put(begin_s, end_s, shift_s > 0))
        {
            found.push(Seen { sequence: row.sequence, after_snap: last, begin_s, end_s, shift_s });
        }
    }
    for (sequence, of) in times {
        let snaps: Vec<(u64, i64)> = of.into_iter().collect();
        for pair in snaps.windows(2) {
            let ((before, begin_s), (after_snap, end_s)) = (pair[0], pair[1]);
            let known = found
                .iter()
                .any(|s| s.sequence == sequence && s.after_snap > before && s.after_snap <= after_snap);
            if !known
                && end_s <= begin_s
                && end_s > begin_s - HOUR_S - NEAR_S
                && may_be_put(begin_s, end_s, true)
            {
                found.push(Seen { sequence, after_snap, begin_s, end_s, shift_s: HOUR_S });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Clock, Timed, may_be_put};
    use crate::epoch_s;

    fn at(time: &str) -> i64 {
        epoch_s(Some(time)).unwrap()
    }

    fn row(sequence: usize, snap: u64, begin: &str, end: &str, elapsed_s: f64) -> Timed {
        Timed {
            sequence,
            begin_s: Some(at(begin)),
            end_s: Some(at(end)),
            elapsed_s: Some(elapsed_s),
            snaps: Some((snap, snap + 1)),
            knows: true,
        }
    }

    #[test]
    fn sundays_of_the_year() {
        for (day, back, is) in [
            ("2026-10-25", true, true),
            ("2026-10-18", true, false),
            ("2026-10-24", true, false),
            ("2026-03-29", false, true),
            ("2026-03-08", false, true),
            ("2026-11-01", true, true),
            ("2026-07-05", true, false),
        ] {
            let (begin, end) = (at(&format!("{day}T02:00:00")), at(&format!("{day}T03:00:00")));
            assert_eq!(may_be_put(begin, end, back), is, "{day}");
        }
        assert!(!may_be_put(at("2026-10-25T12:00:00"), at("2026-10-25T13:00:00"), true));
    }

    #[test]
    fn the_repeated_hour_stood_on_the_axis_once() {
        let day = |time: &str| format!("2026-10-25T{time}:00");
        let rows = [
            row(0, 1, &day("01:30"), &day("02:00"), 1800.0),
            row(0, 2, &day("02:00"), &day("02:30"), 1800.0),
            row(0, 3, &day("02:30"), &day("02:00"), 1800.0),
            row(0, 4, &day("02:00"), &day("02:30"), 1800.0),
            row(0, 5, &day("02:30"), &day("03:00"), 1800.0),
        ];
        let (spans, clock) = Clock::unwind(&rows);
        let first = at(&day("01:30"));
        let wanted: Vec<_> = (0..5).map(|n| Some((first + n * 1800, first + (n + 1) * 1800))).collect();
        assert_eq!(spans, wanted);
        let shown: Vec<i64> = spans.iter().flatten().map(|s| clock.local(s.1) - at(&day("00:00"))).collect();
        assert_eq!(shown, [7200, 9000, 7200, 9000, 10_800]);
    }

    #[test]
    fn a_database_without_snapshots_over_the_change_was_an_hour_off() {
        let rows = [
            row(0, 1, "2026-03-29T01:00:00", "2026-03-29T03:00:00", 3600.0),
            row(1, 9, "2026-03-29T05:00:00", "2026-03-29T06:00:00", 3600.0),
            // A host that keeps UTC has times in the hour that others skip.
            row(2, 7, "2026-03-29T01:30:00", "2026-03-29T02:30:00", 3600.0),
            row(2, 8, "2026-03-29T05:00:00", "2026-03-29T06:00:00", 3600.0),
        ];
        let (spans, clock) = Clock::unwind(&rows);
        let hours = |n: usize| spans[n].map(|(b, e)| ((b - at("2026-03-29T00:00:00")) / 1800, (e - b) / 60));
        assert_eq!(
            [hours(0), hours(1), hours(2), hours(3)],
            [Some((2, 60)), Some((8, 60)), Some((3, 60)), Some((10, 60))]
        );
        assert_eq!(clock.local(at("2026-03-29T02:00:00")), at("2026-03-29T03:00:00"));
    }

    #[test]
    fn which_of_two_hours_nobody_can_tell_has_no_place() {
        let rows = [
            row(0, 1, "2026-10-25T02:00:00", "2026-10-25T02:00:00", 3600.0),
            Timed { snaps: None, ..row(1, 0, "2026-10-25T02:10:00", "2026-10-25T02:40:00", 1800.0) },
            Timed { snaps: None, ..row(1, 0, "2026-10-25T01:00:00", "2026-10-25T02:30:00", 9000.0) },
        ];
        let (spans, _) = Clock::unwind(&rows);
        assert_eq!(spans[1], None);
        assert_eq!(spans[2].map(|(b, e)| e - b), Some(9000));
    }

    #[test]
    fn two_snapshots_of_a_minute_were_no_change() {
        let (spans, clock) = Clock::unwind(&[
            row(0, 1, "2026-05-05T10:00:00", "2026-05-05T11:00:00", 3600.0),
            Timed { elapsed_s: None, ..row(0, 2, "2026-05-05T11:00:00", "2026-05-05T11:00:00", 0.0) },
        ]);
        assert_eq!(clock, Clock::default());
        assert_eq!(spans[0].map(|(b, e)| e - b), Some(3600));
    }
}
