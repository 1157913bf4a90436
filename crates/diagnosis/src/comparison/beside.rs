//! What else changed at a change of level, and what changed at another time.
//!
//! A stretch from one change of level to the next may be days long: what differs between two of them may have
//! changed long before the level did, or after it, and is then no cause of it. So each difference is looked for in
//! the intervals themselves: it is there where the last interval with the old value and the first with the new one
//! are neighbours at the cut, and else has a time of its own.

use super::changes::{self, Changed};
use super::digest::Digest;
use super::points::Point;
use super::statements::Key;
use crate::words;
use serde::Serialize;
use spindle_facts::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Plans named at a change.
const PLANS: usize = 5;
/// A report counts for the interval that begins at most so long after it.
const SHIFT_S: i64 = spindle_facts::SNAPSHOTS_APART_S;

/// A statement whose plans differ before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanSwitch {
    /// SQL identifier, or old hash.
    pub statement: String,
    /// Plans before.
    pub before: Vec<u64>,
    /// Plans after.
    pub after: Vec<u64>,
}

/// What changed near a change of level, and not at it.
///
/// Shape: one a change, nearest first. Unit: none, seconds for `later_s`. Missing: the times, where no interval
/// prints them or none prints the change itself; `last_at` where that interval is the one before `at`. Source: the first interval that prints the new value, and the last
/// that prints the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhen {
    /// What it is.
    pub name: String,
    /// Before; `None` where it is not listed.
    pub before: Option<String>,
    /// After.
    pub after: Option<String>,
    /// Begin of the last interval that prints the old value.
    pub last_at: Option<String>,
    /// Begin of the first interval that prints the new value.
    pub at: Option<String>,
    /// Seconds from the change of level to that interval; below 0 where it came before.
    pub later_s: Option<i64>,
}

impl Elsewhen {
    /// In words: what, from what to what, and when.
    #[must_use]
    pub fn said(&self) -> String {
        let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "not listed".to_owned());
        format!("{}: {} to {}, {}", self.name, value(&self.before), value(&self.after), self.when())
    }

    /// When, in words.
    pub(crate) fn when(&self) -> String {
        let Some((at, later)) = self.at.as_ref().zip(self.later_s) else {
            return "at a time that is not printed".to_owned();
        };
        let at = at.replacen('T', " ", 1);
        match &self.last_at {
            Some(last) => format!("between {} and {at}", last.replacen('T', " ", 1)),
            None if later == 0 => format!("at {at}"),
            None => format!("{} {} ({at})", apart(later), if later > 0 { "later" } else { "earlier" }),
        }
    }
}

/// How far two times are apart.
fn apart(seconds: i64) -> String {
    let seconds = seconds.abs() as f64;
    match seconds {
        s if s < 2.0 * 3_600.0 => format!("{} min", words::significant((s / 60.0).round())),
        s if s < 72.0 * 3_600.0 => format!("{} h", words::significant(s / 3_600.0)),
        s => format!("{} days", words::significant(s / 86_400.0)),
    }
}

/// What is printed beside a change of level.
pub(crate) struct Beside {
    pub(crate) changed: Vec<Changed>,
    pub(crate) plans: Vec<PlanSwitch>,
    pub(crate) elsewhen: Vec<Elsewhen>,
}

/// One value that another one follows.
struct Switch {
    /// Last interval with the old value, and first with the new one.
    last: usize,
    first: usize,
    what: Changed,
}

/// The intervals of a series with their reports, and what changes from one to the next.
pub(crate) struct Intervals<'d> {
    reports: Vec<Vec<&'d Digest>>,
    begins: Vec<(Option<i64>, Option<String>)>,
    switches: Vec<Switch>,
    of_parameters: Vec<Switch>,
}

impl<'d> Intervals<'d> {
    pub(crate) fn of(sorted: &[&'d Digest], points: &[Point]) -> Self {
        let mut reports: Vec<Vec<&Digest>> = vec![Vec::new(); points.len()];
        for digest in sorted {
            let Some(begin) = digest.begin_s() else { continue };
            let next = points.partition_point(|p| p.begin_s.is_none_or(|s| s <= begin + SHIFT_S));
            if let Some(of) = next.checked_sub(1).and_then(|at| reports.get_mut(at)) {
                of.push(digest);
            }
        }
        let switches = of_identity(&reports);
        let of_parameters = of_parameters(&reports);
        let begins = points.iter().map(|p| (p.begin_s, p.begin_time.clone())).collect();
        Self { reports, begins, switches, of_parameters }
    }

    fn within(&self, range: Range<usize>) -> Vec<&'d Digest> {
        self.reports.get(range).unwrap_or_default().iter().flatten().copied().collect()
    }

    fn begin(&self, at: usize) -> (Option<i64>, Option<String>) {
        self.begins.get(at).cloned().unwrap_or_default()
    }

    fn elsewhen(&self, cut: usize, what: Changed, times: Option<(usize, usize)>) -> Elsewhen {
        let (at, last_at, later_s) = match times {
            Some((last, first)) => {
                let ((begin_s, begin), (_, last_begin)) = (self.begin(first), self.begin(last));
                let later_s = begin_s.zip(self.begin(cut).0).map(|(a, b)| a - b);
                (begin, last_begin.filter(|_| last + 1 < first), later_s)
            }
            None => (None, None, None),
        };
        Elsewhen { name: what.name, before: what.before, after: what.after, last_at, at, later_s }
    }

    /// What differs between the stretch before a cut and the one after it, by when it changed.
    pub(crate) fn beside(&self, stretch: Range<usize>, cut: usize) -> Beside {
        let (before, after) = (self.within(stretch.start..cut), self.within(cut..stretch.end));
        let mut differ: Vec<(Changed, &Vec<Switch>)> =
            changes::identity(&before, &after).into_iter().map(|c| (c, &self.switches)).collect();
        let parameters = changes::parameters(&before, &after).unwrap_or_default();
        differ.extend(parameters.into_iter().map(|c| (c, &self.of_parameters)));
        let mut found = Beside { changed: Vec::new(), plans: Vec::new(), elsewhen: Vec::new() };
        for (what, switches) in differ {
            let own = || {
                switches
                    .iter()
                    .filter(|s| s.what.name == what.name && stretch.start < s.first && s.first < stretch.end)
            };
            let there: Vec<&Switch> = own().filter(|s| is_there(s, cut)).collect();
            if there.is_empty() {
                let nearest = own().min_by_key(|s| s.first.abs_diff(cut));
                found.elsewhen.push(match nearest {
                    Some(s) => self.elsewhen(cut, s.what.clone(), Some((s.last, s.first))),
                    None => self.elsewhen(cut, what, None),
                });
            }
            for switch in there {
                if !found.changed.contains(&switch.what) {
                    found.changed.push(switch.what.clone());
                }
            }
        }
        // A value that came and went before is as good a cause when it comes again.
        for switch in self.of_parameters.iter().filter(|s| s.first == cut && is_there(s, cut)) {
            if !found.changed.contains(&switch.what) {
                found.changed.push(switch.what.clone());
            }
        }
        for (switch, last, first) in plans(&self.reports, stretch, cut) {
            if last + 1 == first {
                found.plans.push(switch);
                continue;
            }
            let said = |plans: &[u64]| Some(plans.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
            let what = Changed {
                name: format!("plan of {}", switch.statement),
                before: said(&switch.before),
                after: said(&switch.after),
            };
            found.elsewhen.push(self.elsewhen(cut, what, Some((last, first))));
        }
        found.plans.truncate(PLANS);
        found.elsewhen.sort_by_key(|e| e.later_s.map_or(i64::MAX, i64::abs));
        found
    }
}

/// A report prints what held at its end: a change within the last interval before the cut is at the cut, too.
fn is_there(switch: &Switch, cut: usize) -> bool {
    switch.last + 1 == switch.first && (switch.first == cut || switch.first + 1 == cut)
}

/// Release, host and memory, from one interval to the next.
fn of_identity(reports: &[Vec<&Digest>]) -> Vec<Switch> {
    let mut found = Vec::new();
    for (last, pair) in reports.windows(2).enumerate() {
        if let [before, after] = pair {
            let changed = changes::identity(before, after).into_iter();
            found.extend(changed.map(|what| Switch { last, first: last + 1, what }));
        }
    }
    found
}

/// Parameters, of each instance from one report that lists them to the next.
fn of_parameters(reports: &[Vec<&Digest>]) -> Vec<Switch> {
    let mut known: BTreeMap<Option<u32>, (usize, &Digest)> = BTreeMap::new();
    let mut found: Vec<Switch> = Vec::new();
    for (first, interval) in reports.iter().enumerate() {
        for digest in interval.iter().filter(|d| d.parameters.is_some()) {
            let instance = digest.identity.instance_number;
            let of = instance.filter(|_| digest.identity.scope != Scope::Database);
            let Some((last, before)) = known.insert(of, (first, digest)) else { continue };
            if before.parameters == digest.parameters || last == first {
                continue;
            }
            for what in changes::parameters(&[before], &[digest]).unwrap_or_default() {
                if !found.iter().rev().take_while(|s| s.first == first).any(|s| s.what == what) {
                    found.push(Switch { last, first, what });
                }
            }
        }
    }
    found
}

/// Statements with other plans after a cut than before it; where they ran last by one of the old ones, and first by
/// one of the new.
fn plans(reports: &[Vec<&Digest>], stretch: Range<usize>, cut: usize) -> Vec<(PlanSwitch, usize, usize)> {
    /// Plans of each statement, the first interval that lists it and the last one.
    type Seen<'d> = BTreeMap<&'d Key, (BTreeSet<u64>, usize, usize)>;
    let of = |range: Range<usize>| {
        let mut seen: Seen<'_> = BTreeMap::new();
        for at in range {
            let listed = reports.get(at).into_iter().flatten().flat_map(|d| &d.statements);
            for statement in listed.filter(|s| !s.plans.is_empty()) {
                let known = seen.entry(&statement.key).or_insert_with(|| (BTreeSet::new(), at, at));
                known.0.extend(&statement.plans);
                known.2 = at;
            }
        }
        seen
    };
    let (before, after) = (of(stretch.start..cut), of(cut..stretch.end));
    let mut found = Vec::new();
    for (key, (old, _, last)) in before {
        let Some((new, first, _)) = after.get(key).filter(|a| old.is_disjoint(&a.0)) else { continue };
        let statement = match key {
            Key::Id(id) => id.clone(),
            Key::Hash(hash) => hash.to_string(),
        };
        let switch =
            PlanSwitch { statement, before: old.into_iter().collect(), after: new.iter().copied().collect() };
        found.push((switch, last, *first));
    }
    found
}
