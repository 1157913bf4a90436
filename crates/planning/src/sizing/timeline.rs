//! Intervals on one time axis: what is counted once, what is left out and why, and the load of all
//! instances and databases at the same time.
//!
//! Time is cut wherever an interval begins or ends; in each slice the rates of the intervals that
//! cover it are added. Snapshots that belong together are taken seconds apart, so that cuts closer than
//! [`TOLERANCE_S`] are one. The order of the inputs decides nothing.

use super::load::{BEYOND, Cause, CauseLoad, ClockDoubt, FlashLoad, IntervalLoad, Measures, RedoCount};
use super::outcome::Unmeasured;
use serde::Serialize;
use spindle_facts::clock::{Change, Clock, Timed, may_be_put};
use spindle_facts::{SNAPSHOTS_APART_S, Seen, Span, Spans, clash, copies, counted_once, other_host};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Snapshots of neighbouring intervals and instances are taken within this, seconds.
pub(super) const TOLERANCE_S: i64 = SNAPSHOTS_APART_S;

/// Something wrong with the time axis, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Remark {
    /// `gap`, `overlap`, `restart`, `duplicate`, `left_out`, `clock` or `contradiction`.
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
    /// As the clock showed it.
    pub(crate) local: Option<(i64, i64)>,
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
    pub(crate) bytes_unknown: BytesUnknown,
}

/// What is not known of the bytes of rows at the same time, of reads and of writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BytesUnknown {
    /// None are known, and those of a row are not believed.
    pub(crate) doubted: [bool; 2],
    /// Those of a row are not known: those of the others are the least there were.
    pub(crate) in_part: [bool; 2],
}

impl BytesUnknown {
    pub(crate) fn is_doubted(&self) -> bool {
        self.doubted.contains(&true)
    }

    /// Are those of reads and writes together, where any are known, the least there were?
    pub(crate) fn leaves_least(&self) -> bool {
        self.in_part.contains(&true) || self.doubted[0] != self.doubted[1]
    }
}

impl Slice {
    /// Its begin, as the clock showed it.
    pub(crate) fn begin_time(&self) -> Option<String> {
        self.local.map(|(begin, _)| iso(begin))
    }

    /// Its end, as the clock showed it.
    pub(crate) fn end_time(&self) -> Option<String> {
        self.local.map(|(_, end)| iso(end))
    }
}

/// A database whose instances are not all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lacking {
    pub(crate) database: usize,
    pub(crate) there: u32,
    pub(crate) running: u32,
}

/// What instances and databases ask on average.
pub(crate) struct Usual {
    of_streams: BTreeMap<Stream, f64>,
    /// `None` where it is not known of any time.
    of_databases: Vec<Option<f64>>,
    /// First measured, and started before that.
    started: Vec<Option<(i64, i64)>>,
}

impl Usual {
    /// Was a database started only after a slice, by what its reports print?
    fn was_down(&self, database: usize, slice: &Slice) -> bool {
        let ((_, end), (_, local_end)) = match slice.span.zip(slice.local) {
            Some(of_slice) => of_slice,
            None => return false,
        };
        let after = |(first, since): (i64, i64)| end <= first && local_end <= since + TOLERANCE_S;
        self.started.get(database).copied().flatten().is_some_and(after)
    }
}

/// When an instance ran, by what is known of it.
#[derive(Clone, Copy, Debug)]
struct RanFor {
    /// Cuts that its intervals lie between.
    from: usize,
    to: usize,
    /// When it was started for the first of them, seconds since 1970 as its host counts.
    since: Option<i64>,
}

impl RanFor {
    /// Did it run in a slice? `None` where nothing says: after its last interval, and before its first where
    /// its start is not printed. Before its start it is taken to have been down: it would have snapshots.
    fn in_slice(&self, slice: usize, local_end: i64) -> Option<bool> {
        if slice >= self.from {
            return (slice < self.to).then_some(true);
        }
        self.since.map(|since| local_end > since + TOLERANCE_S)
    }
}

/// When the instance of a row was started. Which of them it is must be known, and that of a container is none
/// of its pluggable database.
fn up_since(row: &IntervalLoad) -> Option<i64> {
    row.started_s.filter(|_| row.instance_number.is_some() && !row.is_container)
}

/// The axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    pub(crate) rows: Vec<IntervalLoad>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) databases: Vec<String>,
    pub(crate) slices: Vec<Slice>,
    pub(crate) remarks: Vec<Remark>,
    /// Databases were measured, but never all of them at the same time, or not when it matters.
    pub(crate) never_together: bool,
    /// Databases of which no interval counts.
    pub(crate) unmeasured: Vec<Unmeasured>,
    /// Names that stand for several databases, told apart without an identifier.
    pub(crate) told_apart: Vec<String>,
    /// Names and identifiers that stand for several databases at one time, and what each of these is called.
    pub(crate) copies: Vec<(String, Vec<String>)>,
    /// Reports left out since their time is counted from others: database, report, load.
    pub(crate) left_out: Vec<(usize, Arc<str>, Measures)>,
    /// Times of an instance whose counts are not of them: it ran, and is missing there.
    ran: Vec<(Stream, std::ops::Range<i64>)>,
    /// When the clock was put back or forward.
    clock: Clock,
    /// Databases of which nothing says which zone their clocks keep, where it may differ from that of others.
    pub(crate) zones_unknown: Vec<String>,
}

impl Timeline {
    /// Puts intervals on the axis.
    pub(crate) fn of(mut all: Vec<IntervalLoad>, given_twice: Vec<String>) -> Self {
        let mut line = Self::default();
        // Inputs in any order give the same sums, digit by digit.
        all.sort_by(|a, b| sort_key(a).partial_cmp(&sort_key(b)).unwrap_or(std::cmp::Ordering::Equal));
        let where_copies = copies_of(&mut all);
        let names = database_names(&mut all, &mut line.told_apart, &where_copies);
        line.copies = copies_named(&all);
        two_hours_amid_hours(&mut all);
        line.clock = super::zones::on_one_axis(&mut all, &mut line.remarks);
        line.zones_unknown = super::zones::unknown(&all);
        line.databases = names.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect();
        let mut reports: BTreeMap<usize, BTreeSet<Arc<str>>> = BTreeMap::new();
        let mut why_not: BTreeMap<usize, String> = BTreeMap::new();
        let several = line.databases.len() > 1
            || all.iter().map(|r| r.instance_number).collect::<BTreeSet<_>>().len() > 1;
        let mut by_stream: BTreeMap<Stream, Vec<(IntervalLoad, String)>> = BTreeMap::new();
        let dated = all.iter().any(|r| r.span.is_some());
        let mut of_input: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        all.iter().for_each(|row| *of_input.entry(Arc::clone(&row.source)).or_default() += 1);
        all.iter_mut().for_each(|row| row.of_several = of_input[&row.source] > 1);
        // A file that says its load by instance repeats nothing for the whole.
        let by_instance: BTreeSet<Arc<str>> =
            all.iter().filter(|r| is_measured(r) && !r.is_global).map(|r| Arc::clone(&r.source)).collect();
        for (row, name) in all.into_iter().zip(names) {
            let database = line.databases.binary_search(&name).unwrap_or(0);
            reports.entry(database).or_default().insert(Arc::clone(&row.source));
            // What is said of the whole of it by statements alone stands behind the load of its instances.
            let behind =
                row.is_global && row.lists && row.span.is_some() && by_instance.contains(&row.source);
            let wrong = unusable(&row, several || dated).filter(|(kind, _)| !(behind && *kind == "left_out"));
            if let Some((kind, why)) = wrong {
                let stream = Stream { database, is_global: false, instance: row.instance_number };
                if let Some(span) = row.span.clone().filter(|_| kind == "restart" && !row.is_global)
                    && stream.instance.is_some()
                {
                    line.ran.push((stream, span));
                }
                if !(row.is_global && kind == "left_out" && by_instance.contains(&row.source)) {
                    why_not.entry(database).or_insert_with(|| why.clone());
                    line.remarks.push(remark(kind, Some(&name), &row, why));
                }
                continue;
            }
            if !is_measured(&row) && !row.is_global {
                let which = match (row.measures.read_iops, row.measures.write_iops) {
                    (Some(_), _) => "writes are",
                    (None, Some(_)) => "reads are",
                    (None, None) => "reads and writes are",
                };
                let why = format!("{}: {which} not known", row.named());
                why_not.entry(database).or_insert(why);
            }
            if row.redo_beyond_writes {
                let why =
                    format!("{}: prints more redo writes than writes; redo is taken as unknown", row.named());
                line.remarks.push(remark("contradiction", Some(&name), &row, why));
            }
            if let Some((waits, requests)) = row.reads_waited_for {
                let why = format!(
                    "{}: prints {waits:.1} waits for reads a second and {requests:.1} read requests, though each of \
                     these waits is for a request of its own; the waits are counted",
                    row.named()
                );
                line.remarks.push(remark("contradiction", Some(&name), &row, why));
            }
            let stream = Stream { database, is_global: row.is_global, instance: row.instance_number };
            by_stream.entry(stream).or_default().push((row, name));
        }
        for (stream, rows) in by_stream {
            // Of what a file says by instance, the whole is counted nowhere: nothing is missing or double of it.
            let said_by_instance = |(row, _): &(IntervalLoad, String)| by_instance.contains(&row.source);
            let mut unsaid = Vec::new();
            let silent = stream.is_global && rows.iter().all(said_by_instance);
            let (kept, goes) = once(rows, if silent { &mut unsaid } else { &mut line.remarks });
            line.left_out.extend(goes.into_iter().map(|row| (stream.database, row.named(), row.measures)));
            for row in kept {
                line.rows.push(row);
                line.streams.push(stream);
            }
        }
        let parts = line.without_parts_of_a_database();
        line.gaps(&by_instance);
        let remarks = line.remarks.len();
        line.cut();
        let measured = line.measured();
        if (1..line.databases.len()).contains(&measured.len()) {
            // What nothing was measured of is no database that others were, or were not, measured with.
            for (database, name) in line.databases.iter().enumerate() {
                if measured.contains(&database) || parts.contains(&database) {
                    continue;
                }
                let because = why_not.get(&database).cloned();
                line.unmeasured.push(Unmeasured {
                    database: name.clone(),
                    reports: reports.get(&database).map_or(0, BTreeSet::len),
                    because: because.unwrap_or_else(|| "no interval prints both reads and writes".to_owned()),
                });
            }
            line.remarks.truncate(remarks);
            line.keep(&measured);
        }
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
    ///
    /// Returns the databases that a row was taken from.
    fn without_parts_of_a_database(&mut self) -> BTreeSet<usize> {
        let overlaps = |a: &IntervalLoad, b: &IntervalLoad| shares(a, b) > TOLERANCE_S.min(length(b) / 2);
        let mut drop = vec![false; self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            let unnamed = !row.is_global && row.instance_number.is_none();
            if row.container.is_none() && !unnamed {
                continue;
            }
            let whole = self.rows.iter().enumerate().find(|(j, other)| {
                let same = row.db_id.is_some() && row.db_id == other.db_id && row.copy == other.copy
                    || row.db_id.is_none() && row.database == other.database;
                *j != i
                    && same
                    && (row.container.is_some() && other.container.is_none()
                        || unnamed && row.container == other.container && self.streams[*j] != self.streams[i])
                    && overlaps(other, row)
            });
            if let Some((_, whole)) = whole {
                drop[i] = true;
                let why = format!("{} is left out: its load is part of {}", row.named(), whole.named());
                let name = &self.databases[self.streams[i].database];
                self.remarks.push(remark("left_out", Some(name), row, why));
            }
        }
        let mut keep = drop.iter().map(|d| !d);
        self.rows.retain(|_| keep.next().unwrap_or(true));
        let of_whole = drop.iter().zip(&self.streams).filter(|(d, _)| **d).map(|(_, s)| s.database).collect();
        let mut keep = drop.iter().map(|d| !d);
        self.streams.retain(|_| keep.next().unwrap_or(true));
        of_whole
    }

    /// Databases of which some slice has both reads and writes, in ascending order.
    fn measured(&self) -> Vec<usize> {
        let mut found = BTreeSet::new();
        for slice in &self.slices {
            for database in self.databases_of(slice) {
                let mut rows = slice.rows.iter().filter(|r| self.streams[**r].database == database);
                if rows.all(|r| is_measured(&self.rows[*r])) {
                    found.insert(database);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Keeps some of the databases, in ascending order, and cuts the time anew.
    fn keep(&mut self, databases: &[usize]) {
        let rows = std::mem::take(&mut self.rows);
        let streams = std::mem::take(&mut self.streams);
        for (row, stream) in rows.into_iter().zip(streams) {
            if let Ok(database) = databases.binary_search(&stream.database) {
                self.rows.push(row);
                self.streams.push(Stream { database, ..stream });
            }
        }
        self.databases = databases.iter().map(|d| self.databases[*d].clone()).collect();
        let place = |d: usize| databases.binary_search(&d).ok();
        (self.left_out, self.ran) = self.of_these(place);
        self.slices.clear();
        self.cut();
    }

    /// Times between the first and the last interval of an instance that no interval covers.
    fn gaps(&mut self, by_instance: &BTreeSet<Arc<str>>) {
        let mut found = Vec::new();
        for i in 1..self.rows.len() {
            let silent = self.rows[i].is_global && by_instance.contains(&self.rows[i].source);
            if self.streams[i] != self.streams[i - 1] || silent {
                continue;
            }
            let (Some(before), Some(after)) = (&self.rows[i - 1].span, &self.rows[i].span) else { continue };
            if after.start > before.end + TOLERANCE_S {
                let row = &self.rows[i];
                let name = self.databases[self.streams[i].database].clone();
                found.push(Remark {
                    kind: "gap",
                    begin_time: Some(iso(self.clock.local(before.end))),
                    end_time: Some(iso(self.clock.local(after.start))),
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

    /// What else is known of some of the databases, by their new places.
    #[allow(clippy::type_complexity, reason = "the two fields")]
    fn of_these(
        &self,
        place: impl Fn(usize) -> Option<usize>,
    ) -> (Vec<(usize, Arc<str>, Measures)>, Vec<(Stream, std::ops::Range<i64>)>) {
        let left_out =
            self.left_out.iter().filter_map(|(d, source, m)| Some((place(*d)?, Arc::clone(source), *m)));
        let ran = self.ran.iter().filter_map(|(stream, span)| {
            Some((Stream { database: place(stream.database)?, ..*stream }, span.clone()))
        });
        (left_out.collect(), ran.collect())
    }

    /// Cuts the time into slices and adds what runs in each.
    fn cut(&mut self) {
        let cuts = cuts(&self.rows);
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
                        local: None,
                        seconds: row.elapsed_s.unwrap_or(1.0),
                        rows: vec![i],
                        cause_rows: Vec::new(),
                        complete: true,
                        every_database: true,
                        lacking: Vec::new(),
                        measures,
                        bytes_unknown: self.load_of_rows(&[i]).1,
                    });
                }
            }
        }
        // From the first to the last cut that an instance was seen at, or proved to have run.
        let mut seen: BTreeMap<Stream, RanFor> = BTreeMap::new();
        let counted = self.rows.iter().zip(&self.streams);
        let counted = counted.filter_map(|(row, s)| Some((s, row.span.as_ref()?, up_since(row))));
        for (stream, span, since) in counted.chain(self.ran.iter().map(|(s, span)| (s, span, None))) {
            let (from, to) = (at(span.start), at(span.end));
            let entry = seen.entry(*stream).or_insert(RanFor { from, to, since });
            (entry.from, entry.to) = (entry.from.min(from), entry.to.max(to));
            entry.since = entry.since.into_iter().chain(since).min();
        }
        // Looked at for every slice: by database, those that cover all instances left out.
        let mut expected: Vec<Vec<RanFor>> = vec![Vec::new(); self.databases.len()];
        for (stream, ran) in seen.iter().filter(|(s, _)| !s.is_global) {
            expected[stream.database].push(*ran);
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
        // Together is what is known of all at the same time.
        let together =
            |s: &Slice| s.every_database && s.measures.read_iops.is_some() && s.measures.write_iops.is_some();
        self.never_together = self.databases.len() > 1 && timed().next().is_some() && !timed().any(together);
    }

    /// Some of the databases, in ascending order, on an axis of their own.
    pub(crate) fn only(&self, databases: &[usize]) -> Self {
        let place = |d: usize| databases.binary_search(&d).ok();
        let of_these = self.rows.iter().zip(&self.streams);
        let (rows, streams) = of_these
            .filter_map(|(row, s)| Some((row.clone(), Stream { database: place(s.database)?, ..*s })))
            .unzip();
        let (left_out, ran) = self.of_these(place);
        let mut line = Self {
            rows,
            streams,
            left_out,
            ran,
            clock: self.clock.clone(),
            zones_unknown: self.zones_unknown.clone(),
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
                    row.named(),
                    by.source
                )
            } else {
                format!(
                    "{} is left out: its load is part of {}, of the whole database",
                    row.named(),
                    by.source
                )
            };
            self.remarks.push(remark("left_out", Some(&self.databases[stream.database]), row, why));
        }
    }

    fn slice(
        &self,
        number: usize,
        active: &[usize],
        expected: &[Vec<RanFor>],
        span: (i64, i64),
        passed: &mut BTreeMap<usize, usize>,
    ) -> Slice {
        // A cut may be drawn to one before it: what nothing was measured of is no time that counts.
        let begin = active.iter().filter_map(|i| self.rows[*i].span.as_ref()).map(|s| s.start).min();
        let span = (begin.map_or(span.0, |b| b.clamp(span.0, span.1 - 1)), span.1);
        let mut slice = Slice {
            span: Some(span),
            local: Some((self.clock.local(span.0), self.clock.local(span.1))),
            seconds: (span.1 - span.0) as f64,
            rows: Vec::new(),
            cause_rows: Vec::new(),
            complete: true,
            every_database: true,
            lacking: Vec::new(),
            measures: Measures::NOTHING,
            bytes_unknown: BytesUnknown::default(),
        };
        let mut by_database: Vec<Vec<usize>> = vec![Vec::new(); self.databases.len()];
        active.iter().for_each(|i| by_database[self.streams[*i].database].push(*i));
        for (database, active) in by_database.iter().enumerate() {
            let (wholes, instances): (Vec<usize>, Vec<usize>) =
                active.iter().partition(|i| self.rows[**i].is_global);
            let whole = wholes.first().copied();
            let expected = self.ran_in(number, self.clock.local(span.1), &expected[database], &instances);
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
        for database in self.databases_of(&slice) {
            let rows = slice.rows.iter().filter(|r| self.streams[**r].database == database);
            let mut load = rows.fold(Measures::NOTHING, |sum, row| sum.plus(&self.rows[*row].measures));
            if load.redo_write_iops.is_none() {
                load.redo_write_iops = self.redo_by_function(&slice, database, load.write_iops);
            }
            slice.measures = slice.measures.plus(&load);
        }
        let (all, bytes_unknown) = self.load_of_rows(&slice.rows);
        (slice.measures.read_mbps, slice.measures.write_mbps) = (all.read_mbps, all.write_mbps);
        slice.bytes_unknown = bytes_unknown;
        slice
    }

    /// What rows at the same time ask together. Bytes are those of the rows that print any that are believed.
    fn load_of_rows(&self, rows: &[usize]) -> (Measures, BytesUnknown) {
        let rows = || rows.iter().map(|r| &self.rows[*r]);
        let mut load = rows().fold(Measures::NOTHING, |sum, row| sum.plus(&row.measures));
        let mut unknown = BytesUnknown::default();
        let mut bytes = |way: usize, of: fn(&Measures) -> Option<f64>| {
            let known = rows().filter_map(|row| of(&row.measures)).reduce(|sum, one| sum + one);
            unknown.doubted[way] = known.is_none() && rows().any(|row| row.unbelieved[way].is_some());
            unknown.in_part[way] = rows()
                .any(|row| of(&row.measures).is_none() && (known.is_some() || row.unbelieved[way].is_none()));
            known
        };
        load.read_mbps = bytes(0, |m| m.read_mbps);
        load.write_mbps = bytes(1, |m| m.write_mbps);
        (load, unknown)
    }

    /// What some databases ask in a slice; `None` where one of them is not in it.
    pub(crate) fn load_of(&self, slice: &Slice, set: &[usize]) -> Option<(Measures, BytesUnknown)> {
        let of: Vec<usize> =
            slice.rows.iter().copied().filter(|r| set.contains(&self.streams[*r].database)).collect();
        let there = |d: &usize| of.iter().any(|r| self.streams[*r].database == *d);
        (!of.is_empty() && set.iter().all(there)).then(|| self.load_of_rows(&of))
    }

    /// Instances of a database that ran in a slice, as far as anything says it: those seen before and after,
    /// those started before, as many as one of them prints, and no fewer of the instances that the database
    /// has than nothing says were down.
    fn ran_in(&self, slice: usize, local_end: i64, seen: &[RanFor], there: &[usize]) -> usize {
        let printed = |of: fn(&IntervalLoad) -> Option<u32>| {
            let most = there.iter().filter_map(|i| of(&self.rows[*i])).max();
            most.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
        };
        // A pluggable database need not be open wherever its container is.
        let has = printed(|row| row.database_instances.filter(|_| !row.is_container));
        let up = seen.iter().filter(|ran| ran.in_slice(slice, local_end) == Some(true)).count();
        let down = seen.iter().filter(|ran| ran.in_slice(slice, local_end) == Some(false)).count();
        // One of which there is no row at all may have run at any time.
        let may = has.max(seen.len()) - down;
        up.max(printed(|row| row.of_instances)).max(has.min(may))
    }

    /// Write requests of LGWR, where only the whole database prints who makes its requests; more than all
    /// writes are no part of them.
    fn redo_by_function(&self, slice: &Slice, database: usize, writes: Option<f64>) -> Option<f64> {
        let contradicts = slice
            .rows
            .iter()
            .any(|r| self.streams[*r].database == database && self.rows[*r].redo_beyond_writes);
        let redo = self.causes_of(slice, database)?.get(&Cause::Lgwr)?.write_iops?;
        (!contradicts && redo <= writes? * BEYOND.0 + BEYOND.1).then_some(redo)
    }

    /// Causes of one database in a slice: those of its rows, or of the whole of it where the rows say none.
    fn causes_of(&self, slice: &Slice, database: usize) -> Option<BTreeMap<Cause, CauseLoad>> {
        let of = |rows: &[usize]| -> Vec<usize> {
            rows.iter().copied().filter(|r| self.streams[*r].database == database).collect()
        };
        let (rows, whole) = (of(&slice.rows), of(&slice.cause_rows));
        let silent = rows.iter().any(|i| self.rows[*i].causes.is_empty());
        let rows = if silent && !whole.is_empty() { whole } else { rows };
        if rows.iter().any(|i| self.rows[*i].causes.is_empty()) {
            return None;
        }
        let mut found: BTreeMap<Cause, CauseLoad> = BTreeMap::new();
        for (cause, load) in rows.iter().flat_map(|i| &self.rows[*i].causes) {
            found.entry(*cause).and_modify(|l| *l = l.plus(load)).or_insert(*load);
        }
        Some(found)
    }

    /// Causes of a slice, of all its databases; none where one of them does not say.
    pub(crate) fn causes(&self, slice: &Slice) -> BTreeMap<Cause, CauseLoad> {
        let (found, lacking) = self.known_causes(slice);
        if lacking.is_empty() { found } else { BTreeMap::new() }
    }

    /// Causes of a slice, of those of its databases that print them, and the databases that do not.
    pub(crate) fn known_causes(&self, slice: &Slice) -> (BTreeMap<Cause, CauseLoad>, Vec<usize>) {
        let (mut found, mut lacking): (BTreeMap<Cause, CauseLoad>, Vec<usize>) = Default::default();
        for database in self.databases_of(slice) {
            let Some(causes) = self.causes_of(slice, database) else {
                lacking.push(database);
                continue;
            };
            for (cause, load) in causes {
                found.entry(cause).and_modify(|l| *l = l.plus(&load)).or_insert(load);
            }
        }
        (found, lacking)
    }

    /// What the redo writes of a slice are counted in: the poorest account of its rows.
    pub(crate) fn redo_counted_as(&self, slice: &Slice) -> Option<RedoCount> {
        slice.measures.redo_write_iops?;
        // Rows without any are counted by function.
        let of = |i: &usize| self.rows[*i].redo_counted_as.unwrap_or(RedoCount::LogWriterRequests);
        slice.rows.iter().map(of).max()
    }

    /// What flash did for all rows of a slice; `None` where one of them does not print it.
    pub(crate) fn flash(&self, slice: &Slice) -> Option<FlashLoad> {
        let mut rows = slice.rows.iter().map(|i| self.rows[*i].flash);
        let first = rows.next()??;
        rows.try_fold(first, |sum, row| {
            let row = row?;
            Some(FlashLoad {
                read_iops: sum.read_iops + row.read_iops,
                read_mbps: sum.read_mbps.zip(row.read_mbps).map(|(a, b)| a + b),
                write_iops: sum.write_iops.zip(row.write_iops).map(|(a, b)| a + b),
                write_mbps: sum.write_mbps.zip(row.write_mbps).map(|(a, b)| a + b),
                cell_writes: sum.cell_writes.zip(row.cell_writes).map(|(a, b)| (a.0 + b.0, a.1 + b.1)),
                account: sum.account,
            })
        })
    }

    /// What each instance and each database asks of something, on average over all that it was measured in.
    pub(crate) fn usual(&self, of: &dyn Fn(&Measures) -> Option<f64>) -> Usual {
        let mut sums: BTreeMap<Stream, (f64, f64)> = BTreeMap::new();
        for (row, stream) in
            self.rows.iter().zip(&self.streams).filter(|(row, s)| !s.is_global && row.span.is_some())
        {
            if let Some(asked) = of(&row.measures) {
                let (all, seconds) = sums.entry(*stream).or_default();
                *all += asked * length(row) as f64;
                *seconds += length(row) as f64;
            }
        }
        let of_database = |database: usize| {
            let each =
                self.slices.iter().filter_map(|s| Some((of(&self.load_of(s, &[database])?.0)?, s.seconds)));
            let (all, seconds) = each.fold((0.0, 0.0), |(all, time), (v, s)| (all + v * s, time + s));
            (seconds > 0.0).then(|| all / seconds)
        };
        Usual {
            of_streams: sums.into_iter().map(|(stream, (all, seconds))| (stream, all / seconds)).collect(),
            of_databases: (0..self.databases.len()).map(of_database).collect(),
            started: (0..self.databases.len()).map(|d| self.started(d)).collect(),
        }
    }

    /// What the databases and instances missing from a slice ask on average. `None` where that is not known, or not
    /// which instances are missing.
    pub(crate) fn usually_missing(&self, slice: &Slice, usual: &Usual) -> Option<f64> {
        let there: Vec<Stream> = slice.rows.iter().map(|i| self.streams[*i]).collect();
        let of = |lacking: &Lacking| {
            let streams = usual.of_streams.iter();
            let absent = streams.filter(|(s, _)| s.database == lacking.database && !there.contains(s));
            let absent: Vec<f64> = absent.map(|(_, asked)| *asked).collect();
            let all = usize::try_from(lacking.running - lacking.there).is_ok_and(|n| n == absent.len());
            all.then(|| absent.iter().sum::<f64>())
        };
        let instances = slice.lacking.iter().map(of).sum::<Option<f64>>()?;
        let databases = (0..self.databases.len())
            .filter(|d| there.iter().all(|s| s.database != *d) && !usual.was_down(*d, slice));
        let databases = databases.map(|d| usual.of_databases[d]).sum::<Option<f64>>()?;
        Some(instances + databases)
    }

    /// The first time that a database was measured, and when it was started for it, where all its reports print that.
    fn started(&self, database: usize) -> Option<(i64, i64)> {
        let rows = || self.rows.iter().zip(&self.streams).filter(|(_, s)| s.database == database);
        let first = rows().filter_map(|(row, _)| row.span.as_ref()).map(|s| s.start).min();
        let started = rows().map(|(row, _)| up_since(row)).reduce(|a, b| Some(a?.min(b?))).flatten();
        first.zip(started)
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

/// Reports of hours below which the one of two hours among them proves nothing.
const AMID: usize = 10;

/// The one report of two hours that stands amid hours, over the small hours of a Sunday on which some zone puts
/// its clock forward: its snapshots are an hour apart, and the hour that the clock skipped is in its length. Only
/// where nothing counts its length by itself.
fn two_hours_amid_hours(rows: &mut [IntervalLoad]) {
    // Database and container, instance, AWR or Statspack.
    type Stream = (Arc<str>, Option<Arc<str>>, Option<u32>, bool);
    let mut by_stream: BTreeMap<Stream, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        if !row.knows_length && row.printed.is_some() {
            let key = (Arc::clone(&row.database), row.container.clone(), row.instance_number, row.is_awr);
            by_stream.entry(key).or_default().push(at);
        }
    }
    for of in by_stream.into_values() {
        let is = |at: &usize, hours: i64| {
            rows[*at].printed.is_some_and(|(begin, end)| (end - begin - 3600 * hours).abs() <= TOLERANCE_S)
        };
        let odd: Vec<usize> = of.iter().copied().filter(|at| !is(at, 1)).collect();
        let [one] = odd.as_slice() else { continue };
        let put = rows[*one].printed.is_some_and(|(begin, end)| may_be_put(begin, end, false));
        let alone = of.len() > AMID && is(one, 2) && put;
        let row = &mut rows[*one];
        if alone && !row.length_counted && row.clock == ClockDoubt::Nothing {
            row.clock = ClockDoubt::PutInside(-3600);
        }
    }
}

/// Puts the rows on an axis that runs on when the clock is put back or forward.
pub(super) fn unwound(rows: &mut [&mut IntervalLoad]) -> Clock {
    // Name, identifier and container; AWR and Statspack count their snapshots apart.
    type Sequence = (Arc<str>, Option<u64>, Option<Arc<str>>, bool);
    let mut sequences: BTreeMap<Sequence, usize> = BTreeMap::new();
    let timed: Vec<Timed> = rows
        .iter()
        .map(|row| {
            let next = sequences.len();
            let key = (Arc::clone(&row.database), row.db_id, row.container.clone(), row.is_awr);
            Timed {
                sequence: *sequences.entry(key).or_insert(next),
                begin_s: row.printed.map(|p| p.0),
                end_s: row.printed.map(|p| p.1),
                elapsed_s: row.elapsed_s,
                snaps: row.snaps,
                knows: row.knows_length,
            }
        })
        .collect();
    let (spans, clock) = Clock::unwind(&timed);
    if !clock.changes.is_empty() {
        for (row, span) in rows.iter_mut().zip(spans).filter(|(row, _)| row.printed.is_some()) {
            if span.is_none() && row.clock == ClockDoubt::Nothing {
                row.clock = ClockDoubt::Twice;
            }
            row.span = span.map(|(begin, end)| begin..end).filter(|s| s.start < s.end);
        }
    }
    clock
}

/// Says when the clock was put.
pub(super) fn clock_change(change: &Change) -> Remark {
    let (way, what) = if change.shift_s > 0 {
        ("back", "the hour before it stands there twice")
    } else {
        ("forward", "the hour behind it is none")
    };
    Remark {
        kind: "clock",
        database: None,
        instance_number: None,
        begin_time: Some(iso(change.local_s)),
        end_time: Some(iso(change.local_s - change.shift_s)),
        message: format!(
            "the clock was put {way} an hour, at about {}: {what}",
            iso(change.local_s).replace('T', " ")
        ),
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

/// What a file without an identifier says of its database: no two of them may differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Marks {
    version: Option<Arc<str>>,
    host: Option<Arc<str>>,
    platform: Option<Arc<str>>,
    instances: Option<u32>,
    /// Hosts are those of an instance.
    instance_number: Option<u32>,
}

impl Marks {
    fn of(row: &IntervalLoad) -> Self {
        Self {
            version: row.version.clone(),
            host: row.host.clone(),
            platform: row.platform.clone(),
            instances: row.database_instances,
            instance_number: row.instance_number,
        }
    }

    /// Both say it, and not the same.
    fn contradicts(&self, other: &Self) -> bool {
        fn differ<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> bool {
            a.is_some() && b.is_some() && a != b
        }
        differ(&self.version, &other.version)
            || differ(&self.platform, &other.platform)
            || differ(&self.instances, &other.instances)
            || self.instance_number == other.instance_number
                && other_host(self.host.as_deref(), other.host.as_deref())
    }

    /// Release and host, what a reader knows them by.
    fn shown(&self) -> String {
        let known: Vec<&str> = [&self.version, &self.host].into_iter().flatten().map(|s| &**s).collect();
        if known.is_empty() { "no id".to_owned() } else { known.join(", ") }
    }
}

/// A database by its name and identifier.
type Identified = (Option<String>, u64);

fn identified(row: &IntervalLoad) -> Option<Identified> {
    Some((row.db_name.as_ref().map(|name| name.to_uppercase()), row.db_id?))
}

/// Numbers the databases that share an identifier at one time; returns what tells each of them from the others.
fn copies_of(rows: &mut [IntervalLoad]) -> BTreeMap<(Identified, usize), String> {
    let known: BTreeSet<Identified> = rows.iter().filter_map(identified).collect();
    let known: Vec<Identified> = known.into_iter().collect();
    let place = |row: &IntervalLoad| known.binary_search(&identified(row)?).ok();
    let numbered: Vec<(usize, usize)> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.is_global && row.instance_number.is_some())
        .filter_map(|(at, row)| Some((at, place(row)?)))
        .collect();
    let seen: Vec<Seen<'_>> = numbered
        .iter()
        .map(|(at, database)| {
            let row = &rows[*at];
            Seen {
                database: *database,
                instance: (row.instance_number.unwrap_or(0), row.container.as_deref()),
                host: row.host.as_deref(),
                started_s: row.started_s,
                span: row.span.as_ref().map(|s| (s.start, s.end)).filter(|_| !row.spans_restart),
                source: &row.source,
            }
        })
        .collect();
    let found = copies(&seen);
    if found.iter().all(|copy| *copy == 0) {
        return BTreeMap::new();
    }
    for ((at, _), copy) in numbered.iter().zip(found) {
        rows[*at].copy = copy;
    }
    // A report of the whole stands beside the instances whose snapshots it has.
    type Snapshots = (Identified, (u64, u64), (i64, i64));
    let mut by_snaps: BTreeMap<Snapshots, usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| !r.is_global && r.instance_number.is_some()) {
        if let (Some(id), Some(snaps), Some(printed)) = (identified(row), row.snaps, row.printed) {
            by_snaps.insert((id, snaps, printed), row.copy);
        }
    }
    for row in rows.iter_mut().filter(|r| r.is_global || r.instance_number.is_none()) {
        if let (Some(id), Some(snaps), Some(printed)) = (identified(row), row.snaps, row.printed) {
            row.copy = by_snaps.get(&(id, snaps, printed)).copied().unwrap_or(0);
        }
    }
    let mut marks: BTreeMap<(Identified, usize), (BTreeSet<String>, Option<i64>)> = BTreeMap::new();
    for row in rows.iter().filter(|r| !r.is_global) {
        let Some(id) = identified(row) else { continue };
        let of = marks.entry((id, row.copy)).or_default();
        of.0.extend(row.host.as_deref().map(str::to_owned));
        of.1 = of.1.max(row.started_s);
    }
    let several: BTreeSet<Identified> =
        marks.keys().filter(|(_, copy)| *copy > 0).map(|(id, _)| id.clone()).collect();
    let hosts_tell = |id: &Identified| {
        let of: Vec<&BTreeSet<String>> =
            marks.iter().filter(|((other, _), _)| other == id).map(|(_, m)| &m.0).collect();
        of.iter().collect::<BTreeSet<_>>().len() == of.len() && of.iter().all(|hosts| !hosts.is_empty())
    };
    marks
        .iter()
        .filter(|((id, _), _)| several.contains(id))
        .map(|((id, copy), (hosts, started))| {
            let said = if hosts_tell(id) {
                format!("on {}", hosts.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
            } else {
                let when = started.map_or_else(|| format!("copy {}", copy + 1), |s| iso(s).replace('T', " "));
                format!("started {when}")
            };
            ((id.clone(), *copy), said)
        })
        .collect()
}

/// Databases that share an identifier at one time, by the names that they got.
fn copies_named(rows: &[IntervalLoad]) -> Vec<(String, Vec<String>)> {
    let mut found: BTreeMap<Identified, BTreeSet<String>> = BTreeMap::new();
    let several: BTreeSet<Identified> = rows.iter().filter(|r| r.copy > 0).filter_map(identified).collect();
    for row in rows {
        if let Some(id) = identified(row).filter(|id| several.contains(id)) {
            found.entry(id).or_default().insert(row.database.to_string());
        }
    }
    let named = |((name, id), copies): (Identified, BTreeSet<String>)| {
        let name = name.unwrap_or_else(|| NOT_NAMED.to_owned());
        (format!("{name} {id}"), copies.into_iter().collect())
    };
    found.into_iter().map(named).collect()
}

/// The name of each row's database, which its row keeps without the container. Two databases of one name are
/// told apart by their identifiers; rows without one belong to the only database of their name, unless what
/// they say of it contradicts that, or each other: then each that says otherwise, and in doubt each file,
/// is one of its own.
fn database_names(
    rows: &mut [IntervalLoad],
    told_apart: &mut Vec<String>,
    copies: &BTreeMap<(Identified, usize), String>,
) -> Vec<String> {
    let printed = |r: &IntervalLoad| r.db_name.as_deref().unwrap_or(NOT_NAMED).to_owned();
    // One name in whatever letters, shown in one of the ways it is printed.
    #[derive(Default)]
    struct Known {
        shown: String,
        ids: BTreeSet<u64>,
        with_id: BTreeSet<Marks>,
        without: BTreeMap<Marks, BTreeSet<Arc<str>>>,
        apart: bool,
    }
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for row in rows.iter() {
        let name = printed(row);
        let entry = known
            .entry(name.to_uppercase())
            .or_insert_with(|| Known { shown: name.clone(), ..Known::default() });
        entry.shown = std::mem::take(&mut entry.shown).min(name);
        entry.ids.extend(row.db_id);
        match row.db_id {
            Some(_) => {
                entry.with_id.insert(Marks::of(row));
            }
            None => {
                entry.without.entry(Marks::of(row)).or_default().insert(Arc::clone(&row.source));
            }
        }
    }
    for one in known.values_mut() {
        let all = || one.without.keys().chain(one.with_id.iter().filter(|_| one.ids.len() == 1));
        one.apart = one.without.keys().any(|a| all().any(|b| a.contradicts(b)));
        if one.apart {
            told_apart.push(one.shown.clone());
        }
    }
    rows.iter_mut()
        .map(|row| {
            let plain = printed(row);
            let of = known.get(&plain.to_uppercase());
            let mut name = of.map_or(plain, |known| known.shown.clone());
            if let Some(of) = of {
                let marks = Marks::of(row);
                match row.db_id {
                    Some(id) if of.ids.len() > 1 || of.apart => name.push_str(&format!(" ({id})")),
                    None if of.apart => {
                        // Several that say the same of release and host, and not of the rest; or nothing.
                        let shown = marks.shown();
                        let twins = of.without.keys().filter(|m| m.shown() == shown && m.contradicts(&marks));
                        let doubt = marks.version.is_none() || marks.host.is_none() || twins.count() > 0;
                        if doubt {
                            name.push_str(&format!(" ({shown}, {})", row.source));
                        } else {
                            name.push_str(&format!(" ({shown})"));
                        }
                    }
                    None if of.ids.len() > 1 => name.push_str(" (no id)"),
                    _ => {}
                }
            }
            if let Some(copy) = identified(row).and_then(|id| copies.get(&(id, row.copy))) {
                name.push_str(&format!(" ({copy})"));
            }
            row.database = name.as_str().into();
            if let Some(container) = &row.container {
                name.push_str(&format!(" / {container}"));
            }
            name
        })
        .collect()
}

/// Are both reads and writes known?
fn is_measured(row: &IntervalLoad) -> bool {
    row.measures.read_iops.is_some() && row.measures.write_iops.is_some()
}

/// Times at which slices begin and end: snapshots close to each other are one, but none so close that it
/// is more than a quarter of an interval that begins or ends there.
fn cuts(rows: &[IntervalLoad]) -> Vec<i64> {
    let mut reach: BTreeMap<i64, i64> = BTreeMap::new();
    for span in rows.iter().filter_map(|r| r.span.as_ref()) {
        let near = TOLERANCE_S.min((span.end - span.start) / 4);
        for time in [span.start, span.end] {
            reach.entry(time).and_modify(|r| *r = near.min(*r)).or_insert(near);
        }
    }
    let mut cuts: Vec<i64> = Vec::new();
    // The nearest that anything at the last cut allows.
    let mut within = 0;
    for (time, near) in reach {
        match cuts.last() {
            Some(cut) if time - cut <= within.min(near) => within = within.min(near),
            _ => {
                cuts.push(time);
                within = near;
            }
        }
    }
    cuts
}

fn unusable(row: &IntervalLoad, several: bool) -> Option<(&'static str, String)> {
    if row.spans_restart {
        let why =
            format!("{}: the instance restarted inside; its counts are not of the interval", row.named());
        return Some(("restart", why));
    }
    if let ClockDoubt::PutInside(put_s) = row.clock {
        let (way, off) = if put_s > 0 { ("back", "less") } else { ("forward", "more") };
        let why = format!(
            "{}: the clock was put {way} inside, and the report counts time by it: an hour {off} than there was, so that its rates are wrong and not counted",
            row.named()
        );
        return Some(("clock", why));
    }
    if row.clock == ClockDoubt::Twice {
        let why = format!(
            "{}: the clock showed its hour twice, and nothing says which of the two it was",
            row.named()
        );
        return Some(("clock", why));
    }
    let says_nothing = row.measures.read_iops.is_none() && row.measures.write_iops.is_none();
    if says_nothing && row.elapsed_s.is_none() {
        let why = format!("{}: how long it was is not known, so that there are no rates", row.named());
        return Some(("left_out", why));
    }
    if says_nothing && row.causes.is_empty() {
        let listed = row.listed_requests.as_deref();
        let beside = listed.map_or_else(String::new, |listed| format!(" of the whole interval ({listed})"));
        return Some((
            "left_out",
            format!("{}: prints neither read nor write requests{beside}", row.named()),
        ));
    }
    if row.span.is_none() && several {
        let why = format!("{}: prints no times, so that nothing can be added to it", row.named());
        return Some(("left_out", why));
    }
    None
}

/// Each time once: doubles go, then what overlaps others that together cover more. Returns what stays, by time, and what was left out for its overlap.
fn once(
    rows: Vec<(IntervalLoad, String)>,
    remarks: &mut Vec<Remark>,
) -> (Vec<IntervalLoad>, Vec<IntervalLoad>) {
    let mut single: Vec<(IntervalLoad, String)> = Vec::with_capacity(rows.len());
    let mut twins: Vec<IntervalLoad> = Vec::new();
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
                let (stays, goes) = if row.richness > first.richness {
                    let goes = std::mem::replace(first, row);
                    (&*first, goes)
                } else {
                    (&*first, row)
                };
                let differs = if alike(&goes, stays) { "" } else { ", and says another load" };
                let why = format!("{} covers the same interval as {}{differs}", goes.named(), stays.named());
                remarks.push(remark("duplicate", Some(&name), &goes, why));
                twins.push(goes);
            }
            None => single.push((row, name)),
        }
    }
    let mut stays = vec![true; single.len()];
    for (i, holder) in holders(&single) {
        stays[i] = false;
        let ((row, name), (other, _)) = (&single[i], &single[holder]);
        let which = match length(other).cmp(&length(row)) {
            _ if is_measured(other) && !is_measured(row) => "an interval that says both reads and writes",
            std::cmp::Ordering::Less => "shorter intervals",
            std::cmp::Ordering::Equal => "an interval as long",
            std::cmp::Ordering::Greater => "a longer interval",
        };
        let why =
            format!("{} is left out: its time is counted from {}, of {which}", row.named(), other.named());
        remarks.push(remark("overlap", Some(name), row, why));
    }
    let mut rows: [Vec<IntervalLoad>; 2] = [Vec::new(), Vec::new()];
    for ((row, _), stays) in single.into_iter().zip(stays) {
        rows[usize::from(!stays)].push(row);
    }
    let [mut stay, mut go] = rows;
    go.append(&mut twins);
    // Snapshots a minute off overlap by that: a moment is counted from one of them.
    stay.sort_by_key(|row| row.span.as_ref().map(|s| (s.start, s.end)));
    let mut until = i64::MIN;
    for span in stay.iter_mut().filter_map(|row| row.span.as_mut()) {
        span.start = span.start.max(until).min(span.end - 1);
        until = until.max(span.end);
    }
    (stay, go)
}

/// Rows whose time is counted from others, each with one that holds it. What says both reads and writes is not
/// left out for what does not.
fn holders(rows: &[(IntervalLoad, String)]) -> Vec<(usize, usize)> {
    let span = |i: usize| rows[i].0.span.as_ref().map(|s| (s.start, s.end));
    let timed = |measured: bool| -> Vec<(usize, Span)> {
        let of = (0..rows.len()).filter(|i| is_measured(&rows[*i].0) == measured);
        of.filter_map(|i| Some((i, span(i)?))).collect()
    };
    let mut found = Vec::new();
    let mut kept = Spans::default();
    for measured in [true, false] {
        let mut free = timed(measured);
        free.retain(|(i, own)| {
            let holds = |j: &usize| span(*j).is_some_and(|other| clash(other, *own));
            let holder = kept.near(*own).into_iter().find(holds);
            found.extend(holder.map(|holder| (*i, holder)));
            holder.is_none()
        });
        let once = counted_once(&free.iter().map(|(_, span)| *span).collect::<Vec<_>>());
        for ((i, span), holder) in free.iter().zip(once) {
            match holder {
                Some(holder) => found.push((*i, free[holder].0)),
                None => kept.add(*span, *i),
            }
        }
    }
    found
}

/// Do two reports say the same load, as far as rounding and a moment between snapshots let them?
fn alike(a: &IntervalLoad, b: &IntervalLoad) -> bool {
    let near = |a: Option<f64>, b: Option<f64>| match a.zip(b) {
        Some((a, b)) => (a - b).abs() <= 0.05 * a.max(b) + 1.0,
        None => true,
    };
    near(a.measures.read_iops, b.measures.read_iops) && near(a.measures.write_iops, b.measures.write_iops)
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
        begin_time: row.printed.map(|s| s.0).or(row.span.as_ref().map(|s| s.start)).map(iso),
        end_time: row.printed.map(|s| s.1).or(row.span.as_ref().map(|s| s.end)).map(iso),
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
