//! Intervals on one time axis: what is counted once, what is left out and why, and the load of all
//! instances and databases at the same time.
//!
//! Time is cut wherever an interval begins or ends; in each slice the rates of the intervals that
//! cover it are added. Snapshots that belong together are taken seconds apart, so that cuts closer than
//! [`TOLERANCE_S`] are one. The order of the inputs decides nothing.

use super::load::{Cause, CauseLoad, FlashLoad, IntervalLoad, Measures, RedoCount};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Snapshots of neighbouring intervals and instances are taken within this, seconds.
pub(super) const TOLERANCE_S: i64 = 120;

/// Something wrong with the time axis, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Remark {
    /// `gap`, `overlap`, `restart`, `duplicate`, `left_out` or `contradiction`.
    pub kind: &'static str,
    /// Database, with its container.
    pub database: Option<String>,
    /// Instance.
    pub instance_number: Option<u32>,
    /// Where it begins, ISO 8601 without zone.
    pub begin_time: Option<String>,
    /// Where it ends.
    pub end_time: Option<String>,
    /// What a DBA would say.
    pub message: String,
}

/// An instance of a database; `None` for rows that cover all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stream {
    pub(crate) database: usize,
    pub(crate) is_global: bool,
    pub(crate) instance: Option<u32>,
}

/// A stretch of time in which the same intervals count.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    /// `None` for a load without times.
    pub(crate) span: Option<(i64, i64)>,
    pub(crate) seconds: f64,
    /// Rows that are added.
    pub(crate) rows: Vec<usize>,
    /// Row of the whole database that says the causes where those above do not.
    pub(crate) cause_rows: Vec<usize>,
    /// Every database and instance that ran in these months is counted.
    pub(crate) complete: bool,
    /// Every database is counted, though perhaps not with all of its instances.
    pub(crate) every_database: bool,
    /// Databases that are counted with fewer instances than they ran.
    pub(crate) lacking: Vec<Lacking>,
    pub(crate) measures: Measures,
}

/// A database whose instances are not all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lacking {
    pub(crate) database: usize,
    pub(crate) there: u32,
    pub(crate) running: u32,
}

/// The axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    pub(crate) rows: Vec<IntervalLoad>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) databases: Vec<String>,
    pub(crate) slices: Vec<Slice>,
    pub(crate) remarks: Vec<Remark>,
    /// Databases were measured, but never all of them at the same time.
    pub(crate) never_together: bool,
}

impl Timeline {
    /// Puts intervals on the axis.
    pub(crate) fn of(mut all: Vec<IntervalLoad>, given_twice: Vec<String>) -> Self {
        let mut line = Self::default();
        // Inputs in any order give the same sums, digit by digit.
        all.sort_by(|a, b| sort_key(a).partial_cmp(&sort_key(b)).unwrap_or(std::cmp::Ordering::Equal));
        let names = database_names(&all);
        line.databases = names.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect();
        let several = line.databases.len() > 1
            || all.iter().map(|r| r.instance_number).collect::<BTreeSet<_>>().len() > 1;
        let mut by_stream: BTreeMap<Stream, Vec<(IntervalLoad, String)>> = BTreeMap::new();
        let dated = all.iter().any(|r| r.span.is_some());
        for (row, name) in all.into_iter().zip(names) {
            let database = line.databases.binary_search(&name).unwrap_or(0);
            if let Some((kind, why)) = unusable(&row, several || dated) {
                line.remarks.push(remark(kind, Some(&name), &row, why));
                continue;
            }
            if row.redo_beyond_writes {
                let why =
                    format!("{}: prints more redo writes than writes; redo is taken as unknown", row.source);
                line.remarks.push(remark("contradiction", Some(&name), &row, why));
            }
            let stream = Stream { database, is_global: row.is_global, instance: row.instance_number };
            by_stream.entry(stream).or_default().push((row, name));
        }
        for (stream, rows) in by_stream {
            let kept = once(rows, &mut line.remarks);
            for row in kept {
                line.rows.push(row);
                line.streams.push(stream);
            }
        }
        line.without_parts_of_a_database();
        line.gaps();
        line.cut();
        line.remarks.extend(given_twice.into_iter().map(|source| Remark {
            kind: "duplicate",
            database: None,
            instance_number: None,
            begin_time: None,
            end_time: None,
            message: format!("{source} is given more than once and counted once"),
        }));
        line.remarks.sort();
        line
    }

    /// Containers are parts of their database, and an instance that is not named may be any: what
    /// covers the same time as the whole is left out.
    fn without_parts_of_a_database(&mut self) {
        let overlaps = |a: &IntervalLoad, b: &IntervalLoad| shares(a, b) > TOLERANCE_S.min(length(b) / 2);
        let mut drop = vec![false; self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            let unnamed = !row.is_global && row.instance_number.is_none();
            if row.container.is_none() && !unnamed {
                continue;
            }
            let whole = self.rows.iter().enumerate().find(|(j, other)| {
                let same = row.db_id.is_some() && row.db_id == other.db_id
                    || row.db_id.is_none() && row.db_name == other.db_name;
                *j != i
                    && same
                    && (row.container.is_some() && other.container.is_none()
                        || unnamed && row.container == other.container && self.streams[*j] != self.streams[i])
                    && overlaps(other, row)
            });
            if let Some((_, whole)) = whole {
                drop[i] = true;
                let why = format!("{} is left out: its load is part of {}", row.source, whole.source);
                let name = &self.databases[self.streams[i].database];
                self.remarks.push(remark("left_out", Some(name), row, why));
            }
        }
        let mut keep = drop.iter().map(|d| !d);
        self.rows.retain(|_| keep.next().unwrap_or(true));
        let mut keep = drop.iter().map(|d| !d);
        self.streams.retain(|_| keep.next().unwrap_or(true));
    }

    /// Times between the first and the last interval of an instance that no interval covers.
    fn gaps(&mut self) {
        let mut found = Vec::new();
        for i in 1..self.rows.len() {
            if self.streams[i] != self.streams[i - 1] {
                continue;
            }
            let (Some(before), Some(after)) = (&self.rows[i - 1].span, &self.rows[i].span) else { continue };
            if after.start > before.end + TOLERANCE_S {
                let row = &self.rows[i];
                let name = self.databases[self.streams[i].database].clone();
                found.push(Remark {
                    kind: "gap",
                    begin_time: Some(iso(before.end)),
                    end_time: Some(iso(after.start)),
                    ..remark(
                        "gap",
                        Some(&name),
                        row,
                        format!("no interval covers {}", words(after.start - before.end)),
                    )
                });
            }
        }
        self.remarks.extend(found);
    }

    /// Cuts the time into slices and adds what runs in each.
    fn cut(&mut self) {
        let mut cuts: Vec<i64> =
            self.rows.iter().filter_map(|r| r.span.clone()).flat_map(|s| [s.start, s.end]).collect();
        cuts.sort_unstable();
        let shortest = self.rows.iter().filter_map(|r| r.span.as_ref()).map(|s| s.end - s.start).min();
        let tolerance = TOLERANCE_S.min(shortest.unwrap_or(0) / 4);
        cuts.dedup_by(|later, first| *later - *first <= tolerance);
        let at = |time: i64| cuts.partition_point(|c| *c <= time).saturating_sub(1);
        // Rows of a stream follow each other without overlap; each slice has one of them at most.
        let mut running: Vec<Vec<usize>> = vec![Vec::new(); cuts.len().saturating_sub(1)];
        for (i, row) in self.rows.iter().enumerate() {
            match &row.span {
                Some(span) => (at(span.start)..at(span.end)).for_each(|s| running[s].push(i)),
                None => {
                    let measures = row.measures;
                    self.slices.push(Slice {
                        span: None,
                        seconds: row.elapsed_s.unwrap_or(1.0),
                        rows: vec![i],
                        cause_rows: Vec::new(),
                        complete: true,
                        every_database: true,
                        lacking: Vec::new(),
                        measures,
                    });
                }
            }
        }
        // From the first to the last cut that an instance was seen at.
        let mut seen: BTreeMap<Stream, (usize, usize)> = BTreeMap::new();
        for (i, row) in self.rows.iter().enumerate() {
            let Some(span) = &row.span else { continue };
            let (from, to) = (at(span.start), at(span.end));
            let entry = seen.entry(self.streams[i]).or_insert((from, to));
            *entry = (entry.0.min(from), entry.1.max(to));
        }
        // Looked at for every slice: by database, those that cover all instances left out.
        let mut expected: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.databases.len()];
        for (stream, span) in seen.iter().filter(|(s, _)| !s.is_global) {
            expected[stream.database].push(*span);
        }
        // What a slice passes over, and what it counts in its place.
        let mut passed: BTreeMap<usize, usize> = BTreeMap::new();
        for (s, active) in running.into_iter().enumerate() {
            if active.is_empty() {
                continue;
            }
            let slice = self.slice(s, &active, &expected, (cuts[s], cuts[s + 1]), &mut passed);
            if !slice.rows.is_empty() {
                self.slices.push(slice);
            }
        }
        self.passed_over(passed);
        let timed = || self.slices.iter().filter(|s| s.span.is_some());
        self.never_together =
            self.databases.len() > 1 && timed().next().is_some() && timed().all(|s| !s.every_database);
    }

    /// Some of the databases, in ascending order, on an axis of their own.
    pub(crate) fn only(&self, databases: &[usize]) -> Self {
        let place = |d: usize| databases.binary_search(&d).ok();
        let of_these = self.rows.iter().zip(&self.streams);
        let (rows, streams) = of_these
            .filter_map(|(row, s)| Some((row.clone(), Stream { database: place(s.database)?, ..*s })))
            .unzip();
        let mut line = Self {
            rows,
            streams,
            databases: databases.iter().map(|d| self.databases[*d].clone()).collect(),
            ..Self::default()
        };
        line.cut();
        line
    }

    /// Databases that a slice counts, in ascending order.
    pub(crate) fn databases_of(&self, slice: &Slice) -> Vec<usize> {
        let all: BTreeSet<usize> = slice.rows.iter().map(|r| self.streams[*r].database).collect();
        all.into_iter().collect()
    }

    /// Instances beside a report of their whole database, or the other way round: those of which no slice
    /// counts anything. A file that holds both, as collected histories do, says one thing twice.
    fn passed_over(&mut self, mut passed: BTreeMap<usize, usize>) {
        for row in self.slices.iter().flat_map(|s| &s.rows) {
            passed.remove(row);
        }
        for (row, by) in passed {
            let (row, by, stream) = (&self.rows[row], &self.rows[by], &self.streams[row]);
            if row.source == by.source {
                continue;
            }
            let why = if stream.is_global {
                format!(
                    "{} is left out: its requests are counted from its instances, as {}",
                    row.source, by.source
                )
            } else {
                format!(
                    "{} is left out: its load is part of {}, of the whole database",
                    row.source, by.source
                )
            };
            self.remarks.push(remark("left_out", Some(&self.databases[stream.database]), row, why));
        }
    }

    fn slice(
        &self,
        number: usize,
        active: &[usize],
        expected: &[Vec<(usize, usize)>],
        span: (i64, i64),
        passed: &mut BTreeMap<usize, usize>,
    ) -> Slice {
        let mut slice = Slice {
            span: Some(span),
            seconds: (span.1 - span.0) as f64,
            rows: Vec::new(),
            cause_rows: Vec::new(),
            complete: true,
            every_database: true,
            lacking: Vec::new(),
            measures: Measures::NOTHING,
        };
        let mut by_database: Vec<Vec<usize>> = vec![Vec::new(); self.databases.len()];
        active.iter().for_each(|i| by_database[self.streams[*i].database].push(*i));
        for (database, active) in by_database.iter().enumerate() {
            let (wholes, instances): (Vec<usize>, Vec<usize>) =
                active.iter().partition(|i| self.rows[**i].is_global);
            let whole = wholes.first().copied();
            let seen = expected[database].iter().filter(|(f, t)| (*f..*t).contains(&number)).count();
            // Others may run that no report here is of: each instance prints how many there are.
            let printed = instances.iter().filter_map(|i| self.rows[*i].of_instances).max();
            let expected = seen.max(printed.and_then(|n| usize::try_from(n).ok()).unwrap_or(0));
            let known = |rows: &[usize]| rows.iter().all(|i| self.rows[*i].measures.read_iops.is_some());
            let all_there = !instances.is_empty() && instances.len() >= expected && known(&instances);
            let longest = instances.iter().map(|i| length(&self.rows[*i])).max().unwrap_or(0);
            // The whole database at first hand, unless its instances say it for shorter times.
            let use_whole = whole.filter(|w| {
                let row = &self.rows[*w];
                known(&[*w])
                    && (!all_there
                        || instances.len() < usize::try_from(row.instances).unwrap_or(1)
                        || length(row) <= longest + TOLERANCE_S)
            });
            match use_whole {
                Some(w) => {
                    passed.extend(instances.iter().map(|i| (*i, w)));
                    slice.rows.push(w);
                }
                None if instances.is_empty() => (slice.complete, slice.every_database) = (false, false),
                None => {
                    slice.complete &= all_there;
                    if instances.len() < expected {
                        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                        let (there, running) = (count(instances.len()), count(expected));
                        slice.lacking.push(Lacking { database, there, running });
                    }
                    passed.extend(whole.zip(instances.first().copied()));
                    slice.rows.extend(instances);
                    slice.cause_rows.extend(whole);
                }
            }
        }
        for i in &slice.rows {
            slice.measures = slice.measures.plus(&self.rows[*i].measures);
        }
        slice
    }

    /// Causes of a slice: those of its rows, or of the whole database where the rows say none.
    pub(crate) fn causes(&self, slice: &Slice) -> BTreeMap<Cause, CauseLoad> {
        let silent = slice.rows.iter().any(|i| self.rows[*i].causes.is_empty());
        let rows = if silent && !slice.cause_rows.is_empty() { &slice.cause_rows } else { &slice.rows };
        let mut found: BTreeMap<Cause, CauseLoad> = BTreeMap::new();
        if rows.iter().any(|i| self.rows[*i].causes.is_empty()) {
            return found;
        }
        for (cause, load) in rows.iter().flat_map(|i| &self.rows[*i].causes) {
            found.entry(*cause).and_modify(|l| *l = l.plus(load)).or_insert(*load);
        }
        found
    }

    /// What the redo writes of a slice are counted in: the poorest account of its rows.
    pub(crate) fn redo_counted_as(&self, slice: &Slice) -> Option<RedoCount> {
        slice.measures.redo_write_iops?;
        slice.rows.iter().filter_map(|i| self.rows[*i].redo_counted_as).max()
    }

    /// Reads from flash of all rows of a slice; `None` where one of them does not print it.
    pub(crate) fn flash(&self, slice: &Slice) -> Option<FlashLoad> {
        let mut rows = slice.rows.iter().map(|i| self.rows[*i].flash);
        let first = rows.next()??;
        rows.try_fold(first, |sum, row| {
            let row = row?;
            Some(FlashLoad {
                read_iops: sum.read_iops + row.read_iops,
                read_mbps: sum.read_mbps.zip(row.read_mbps).map(|(a, b)| a + b),
                account: sum.account,
            })
        })
    }

    /// Does any report name smart scans that took place?
    pub(crate) fn is_exadata(&self) -> bool {
        let causes = self.rows.iter().flat_map(|r| &r.causes);
        causes
            .filter(|(cause, _)| *cause == Cause::SmartScan)
            .any(|(_, load)| [load.read_iops, load.read_mbps].into_iter().flatten().any(|v| v > 0.0))
    }

    /// Instances that a slice adds.
    pub(crate) fn instances(&self, slice: &Slice) -> u32 {
        slice.rows.iter().map(|i| self.rows[*i].instances).sum()
    }
}

/// What orders rows: never the order in which they were given.
fn sort_key(r: &IntervalLoad) -> impl PartialOrd + use<> {
    let span = r.span.as_ref().map(|s| (s.start, s.end));
    let known = r.measures.values().iter().filter(|v| v.is_some()).count();
    (
        (r.db_name.clone(), r.db_id, r.container.clone()),
        (r.is_global, r.instance_number, span),
        (usize::MAX - known, r.source.clone()),
        (r.measures.read_iops, r.measures.write_iops, r.elapsed_s),
    )
}

/// What stands for a database whose name is not printed.
pub(super) const NOT_NAMED: &str = "(not named)";

/// The name of each row's database. Two databases of one name are told apart by their identifiers; a
/// row without one belongs to the only database of its name.
fn database_names(rows: &[IntervalLoad]) -> Vec<String> {
    let printed = |r: &IntervalLoad| r.db_name.as_deref().unwrap_or(NOT_NAMED).to_owned();
    // One name in whatever letters, shown in one of the ways it is printed.
    let mut known: BTreeMap<String, (String, BTreeSet<u64>)> = BTreeMap::new();
    for row in rows {
        let name = printed(row);
        let entry = known.entry(name.to_uppercase()).or_insert_with(|| (name.clone(), BTreeSet::new()));
        entry.0 = entry.0.clone().min(name);
        entry.1.extend(row.db_id);
    }
    rows.iter()
        .map(|row| {
            let plain = printed(row);
            let of = known.get(&plain.to_uppercase());
            let mut name = of.map_or(plain, |(shown, _)| shown.clone());
            if of.is_some_and(|(_, ids)| ids.len() > 1) {
                name.push_str(&row.db_id.map_or(" (no id)".to_owned(), |id| format!(" ({id})")));
            }
            if let Some(container) = &row.container {
                name.push_str(&format!(" / {container}"));
            }
            name
        })
        .collect()
}

fn unusable(row: &IntervalLoad, several: bool) -> Option<(&'static str, String)> {
    if row.spans_restart {
        let why =
            format!("{}: the instance restarted inside; its counts are not of the interval", row.source);
        return Some(("restart", why));
    }
    let says_nothing = row.measures.read_iops.is_none() && row.measures.write_iops.is_none();
    if says_nothing && row.causes.is_empty() {
        return Some(("left_out", format!("{}: prints neither read nor write requests", row.source)));
    }
    if row.span.is_none() && several {
        let why = format!("{}: prints no times, so that nothing can be added to it", row.source);
        return Some(("left_out", why));
    }
    None
}

/// Each time once: doubles go, then what overlaps a shorter interval.
fn once(rows: Vec<(IntervalLoad, String)>, remarks: &mut Vec<Remark>) -> Vec<IntervalLoad> {
    let mut single: Vec<(IntervalLoad, String)> = Vec::with_capacity(rows.len());
    for (row, name) in rows {
        let twin = single.iter_mut().rev().take(4).find(|(first, _)| match (&first.span, &row.span) {
            (Some(a), Some(b)) => {
                // Two collectors snap a moment apart; neighbours of a minute are no twins.
                let near = TOLERANCE_S.min(length(first).min(length(&row)) / 4).max(2);
                (a.start - b.start).abs() <= near && (a.end - b.end).abs() <= near
            }
            // Without times only equal figures show it.
            (None, None) => first.measures == row.measures && first.elapsed_s == row.elapsed_s,
            _ => false,
        });
        match twin {
            Some((first, _)) => {
                let (stays, goes) = if richness(&row) > richness(first) {
                    let goes = std::mem::replace(first, row);
                    (&*first, goes)
                } else {
                    (&*first, row)
                };
                let why = format!("{} covers the same interval as {}", goes.source, stays.source);
                remarks.push(remark("duplicate", Some(&name), &goes, why));
            }
            None => single.push((row, name)),
        }
    }
    let mut order: Vec<usize> = (0..single.len()).collect();
    order.sort_by_key(|i| (length(&single[*i].0), *i));
    // Kept spans by begin: neighbours show every overlap.
    let mut kept: BTreeMap<i64, usize> = BTreeMap::new();
    let mut stays = vec![true; single.len()];
    for i in order {
        let (row, name) = &single[i];
        let Some(span) = &row.span else { continue };
        let within = kept.range(..span.end).rev().take_while(|(_, j)| {
            // Kept intervals do not overlap by more than the tolerance: the first that ends before ends it.
            single[**j].0.span.as_ref().is_some_and(|s| s.end + TOLERANCE_S > span.start)
        });
        let clash = within
            .map(|(_, j)| &single[*j].0)
            .filter(|other| shares(other, row) > TOLERANCE_S.min(length(other).min(length(row)) / 2))
            .last();
        match clash {
            Some(other) => {
                stays[i] = false;
                let which =
                    if length(other) < length(row) { "a shorter interval" } else { "an interval as long" };
                let why = format!(
                    "{} is left out: its time is counted from {}, of {which}",
                    row.source, other.source
                );
                remarks.push(remark("overlap", Some(name), row, why));
            }
            None => {
                kept.insert(span.start, i);
            }
        }
    }
    single.into_iter().zip(stays).filter(|(_, stays)| *stays).map(|((row, _), _)| row).collect()
}

/// Which of two reports of one interval says more: AWR before Statspack, then by what is printed.
fn richness(row: &IntervalLoad) -> (bool, usize, usize, usize) {
    let known = row.measures.values().iter().filter(|v| v.is_some()).count();
    (row.is_awr, known, row.causes.len(), row.statements.len() + row.segments.len())
}

/// Seconds of an interval; the longest there are where it has no times.
pub(super) fn length(row: &IntervalLoad) -> i64 {
    row.span.as_ref().map_or(i64::MAX, |s| s.end - s.start)
}

fn shares(a: &IntervalLoad, b: &IntervalLoad) -> i64 {
    match (&a.span, &b.span) {
        (Some(a), Some(b)) => a.end.min(b.end) - a.start.max(b.start),
        _ => i64::MIN,
    }
}

fn remark(kind: &'static str, database: Option<&String>, row: &IntervalLoad, message: String) -> Remark {
    Remark {
        kind,
        database: database.cloned(),
        instance_number: row.instance_number,
        begin_time: row.span.as_ref().map(|s| iso(s.start)),
        end_time: row.span.as_ref().map(|s| iso(s.end)),
        message,
    }
}

/// A length of time in words.
pub(super) fn words(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", (seconds + 30) / 60),
        7_200..172_800 => format!("{:.1} h", seconds as f64 / 3600.0),
        _ => format!("{:.1} days", seconds as f64 / 86_400.0),
    }
}

/// ISO 8601 without zone; the inverse of `epoch_s`.
#[must_use]
pub(crate) fn iso(epoch_s: i64) -> String {
    let (days, seconds) = (epoch_s.div_euclid(86_400), epoch_s.rem_euclid(86_400));
    // Years counted from March in eras of 400 years, as `epoch_s` does.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}")
}

/// Shares names between rows, so that a year of them holds each once.
#[derive(Debug, Default)]
pub(crate) struct Names(std::collections::HashSet<Arc<str>>);

impl Names {
    fn shared(&mut self, name: &mut Arc<str>) {
        match self.0.get(name) {
            Some(known) => *name = Arc::clone(known),
            None => {
                self.0.insert(Arc::clone(name));
            }
        }
    }

    pub(crate) fn share(&mut self, row: &mut IntervalLoad) {
        for name in [&mut row.db_name, &mut row.container].into_iter().flatten() {
            self.shared(name);
        }
        for behind in row.statements.iter_mut().chain(&mut row.segments) {
            self.shared(&mut behind.name);
            if let Some(detail) = &mut behind.detail {
                self.shared(detail);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::iso;
    use spindle_facts::epoch_s;

    #[test]
    fn times_there_and_back() {
        for time in
            ["1970-01-01T00:00:00", "2000-02-29T23:59:59", "2013-12-31T12:30:01", "2100-03-01T00:00:00"]
        {
            assert_eq!(epoch_s(Some(time)).map(iso).as_deref(), Some(time));
        }
    }
}
