//! Which databases a comparison is of: what is on one side alone, or for another share of its time, makes a
//! difference between sums and no change of any of them.

use super::digest::Digest;
use super::side::{databases_of, elapsed_s, grouped, of_containers};
use crate::words;
use std::collections::{BTreeMap, BTreeSet};

/// Shares of the time that differ by less are alike; what covers all but this lacks nothing.
const ALIKE: f64 = 0.03;

/// Databases of both sides.
#[derive(Debug)]
pub(crate) struct Databases {
    /// By number, in words.
    labels: Vec<String>,
    sides: [Held; 2],
    /// A report does not tell which database it is of.
    unknown: bool,
}

/// What one side holds.
#[derive(Debug)]
struct Held {
    /// Database of each report.
    numbers: Vec<usize>,
    /// Seconds of the side, and of each of its databases.
    elapsed_s: Option<f64>,
    own_s: BTreeMap<usize, Option<f64>>,
    /// Intervals hold all of them.
    together: bool,
}

impl Held {
    fn of(sorted: &[&Digest], numbers: &[usize]) -> Self {
        let groups = grouped(sorted);
        let of: BTreeSet<usize> = numbers.iter().copied().collect();
        let own = |number: &usize| {
            let own: Vec<&Digest> =
                sorted.iter().zip(numbers).filter(|(_, n)| *n == number).map(|(d, _)| *d).collect();
            (*number, elapsed_s(&grouped(&own)))
        };
        Self {
            elapsed_s: elapsed_s(&groups),
            own_s: of.iter().map(own).collect(),
            together: groups.iter().any(|g| g.databases.len() >= of.len()),
            numbers: numbers.to_vec(),
        }
    }

    fn share(&self, number: usize) -> Option<f64> {
        Some((*self.own_s.get(&number)?)? / self.elapsed_s.filter(|s| *s > 0.0)?)
    }
}

const SIDES: [&str; 2] = ["before", "after"];

impl Databases {
    /// Of sorted reports.
    pub(crate) fn of(before: &[&Digest], after: &[&Digest]) -> Self {
        let all: Vec<&Digest> = before.iter().chain(after).copied().collect();
        let numbers = databases_of(&all, of_containers(&all));
        let (b, a) = numbers.split_at(before.len());
        let ids_of = |name: &str| -> BTreeSet<u64> {
            let of_name = all.iter().filter(|d| {
                d.identity.db_name.as_deref().is_some_and(|other| other.eq_ignore_ascii_case(name))
            });
            of_name.filter_map(|d| d.identity.db_id).collect()
        };
        let unknown = all.iter().any(|d| match (&d.identity.db_name, d.identity.db_id) {
            (None, _) => true,
            (Some(name), None) => ids_of(name).len() > 1,
            _ => false,
        });
        let count = numbers.iter().max().map_or(0, |most| most + 1);
        let name = |number: usize| -> String {
            let first = numbers.iter().position(|n| *n == number).and_then(|at| all.get(at));
            let Some(id) = first.map(|d| &d.identity) else { return String::new() };
            let name = id.db_name.clone().unwrap_or_else(|| "unnamed".to_owned());
            match id.container.as_ref().filter(|_| of_containers(&all)) {
                Some(container) => format!("{name} / {container}"),
                None => name,
            }
        };
        let identifier = |number: usize| {
            let of_it = all.iter().zip(&numbers).filter(|(_, n)| **n == number);
            of_it.filter_map(|(d, _)| d.identity.db_id).next()
        };
        let host = |number: usize| {
            let of_it = all.iter().zip(&numbers).filter(|(_, n)| **n == number);
            of_it.filter_map(|(d, _)| d.identity.host.clone()).next()
        };
        // Of one name the identifier tells them apart, of one identifier the host.
        let labels = (0..count)
            .map(|number| {
                let twins: Vec<usize> = (0..count).filter(|n| name(*n) == name(number)).collect();
                let ids: BTreeSet<_> = twins.iter().map(|n| identifier(*n)).collect();
                match (identifier(number), host(number)) {
                    (Some(id), _) if ids.len() > 1 => format!("{} {id}", name(number)),
                    (_, Some(host)) if twins.len() > 1 => format!("{} on {host}", name(number)),
                    _ => name(number),
                }
            })
            .collect();
        Self { labels, sides: [Held::of(before, b), Held::of(after, a)], unknown }
    }

    fn numbers(&self, side: usize) -> BTreeSet<usize> {
        self.sides[side].numbers.iter().copied().collect()
    }

    /// Names of those of a side; 0 is before.
    pub(crate) fn named(&self, side: usize) -> Vec<String> {
        self.numbers(side).iter().filter_map(|n| self.labels.get(*n).cloned()).collect()
    }

    /// Is a side a sum of several?
    pub(crate) fn several(&self) -> bool {
        (0..SIDES.len()).any(|side| self.numbers(side).len() > 1)
    }

    /// On both sides.
    fn common(&self) -> BTreeSet<usize> {
        self.numbers(0).intersection(&self.numbers(1)).copied().collect()
    }

    fn joined(&self, of: &BTreeSet<usize>) -> String {
        of.iter().filter_map(|n| self.labels.get(*n)).map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// Those that a side has alone, where a side is a sum of several.
    fn alone(&self) -> Option<[BTreeSet<usize>; 2]> {
        let (b, a) = (self.numbers(0), self.numbers(1));
        (self.several() && !self.unknown && b != a)
            .then(|| [b.difference(&a).copied().collect(), a.difference(&b).copied().collect()])
    }

    /// Those that hold another share of the time before than after: number and shares.
    fn uneven(&self) -> Vec<(usize, f64, f64)> {
        if !self.several() {
            return Vec::new();
        }
        let share = |n: &usize| Some((*n, self.sides[0].share(*n)?, self.sides[1].share(*n)?));
        self.common().iter().filter_map(share).filter(|(_, b, a)| (b - a).abs() > ALIKE).collect()
    }

    /// Are the sides sums of other databases, or of other parts of their time?
    pub(crate) fn differ(&self) -> bool {
        self.alone().is_some() || !self.uneven().is_empty()
    }

    /// Do intervals of both sides hold all of their databases? Only those are held against each other.
    pub(crate) fn together(&self) -> bool {
        self.sides.iter().all(|side| side.together)
    }

    /// What has to be said first, where the sides are sums of other databases.
    pub(crate) fn said(&self) -> Option<String> {
        if let Some([b, a]) = self.alone() {
            let common = self.common();
            let mut parts: Vec<String> = [(&b, "before"), (&a, "after")]
                .into_iter()
                .filter(|(of, _)| !of.is_empty())
                .map(|(of, which)| format!("{} {which} alone", self.joined(of)))
                .collect();
            if !common.is_empty() {
                parts.push(format!("{} on both sides", self.joined(&common)));
            }
            return Some(format!(
                "DIFFERENT DATABASES: {}. What differs may be the databases and no change.",
                parts.join(", ")
            ));
        }
        let uneven: Vec<String> = self
            .uneven()
            .into_iter()
            .map(|(number, b, a)| {
                let label = self.labels.get(number).map_or("", String::as_str);
                let pct = |share: f64| words::percent(100.0 * share);
                format!("{label} has reports of {} of the time before, of {} after", pct(b), pct(a))
            })
            .collect();
        (!uneven.is_empty()).then(|| {
            format!(
                "DIFFERENT DATABASES at different times: {}. What it lacks is in no sum, so what differs may be that and no change.",
                uneven.join("; ")
            )
        })
    }

    /// What stands before the answer.
    pub(crate) fn in_answer(&self) -> &'static str {
        if self.alone().is_some() {
            "These are sums of different databases, and no change of one."
        } else if self.differ() {
            "These are sums of databases over different parts of their time, and no change of one."
        } else {
            "These are two databases, not one that changed."
        }
    }

    /// What several databases of a side do not hold together.
    pub(crate) fn lacking(&self) -> Vec<String> {
        let mut said = Vec::new();
        for (held, which) in self.sides.iter().zip(SIDES) {
            if held.own_s.len() < 2 {
                continue;
            }
            let part = |n: &usize| held.share(*n).filter(|share| *share < 1.0 - ALIKE).map(|s| (*n, s));
            let parts: Vec<String> = held
                .own_s
                .keys()
                .filter_map(part)
                .map(|(n, share)| {
                    let label = self.labels.get(n).map_or("", String::as_str);
                    format!("{label} has reports of {} of it", words::percent(100.0 * share))
                })
                .collect();
            if !parts.is_empty() {
                said.push(format!(
                    "Not all databases were seen all of the time {which}: {}; what they lack is in no sum.",
                    parts.join(", ")
                ));
            }
            if !held.together {
                said.push(format!(
                    "No interval {which} holds all of its databases: nothing is tested over the intervals."
                ));
            }
        }
        said
    }

    /// Reports of those on both sides, where a side has others.
    pub(crate) fn of_both<'d>(&self, side: usize, sorted: &[&'d Digest]) -> Vec<&'d Digest> {
        let common = self.common();
        let numbers = &self.sides[side].numbers;
        sorted.iter().zip(numbers).filter(|(_, n)| common.contains(n)).map(|(d, _)| *d).collect()
    }

    /// DB time of those on both sides, by the second.
    pub(crate) fn of_both_s(&self, before: &[&Digest], after: &[&Digest]) -> Option<String> {
        let common = self.common();
        self.alone().filter(|_| !common.is_empty() && self.uneven().is_empty())?;
        let a_second = |side: usize, sorted: &[&Digest]| {
            let own = self.of_both(side, sorted);
            let seconds = own.iter().map(|d| Some(d.db_time_s?.value)).sum::<Option<f64>>()?;
            Some(seconds / elapsed_s(&grouped(&own)).filter(|s| *s > 0.0)?)
        };
        let (b, a) = (a_second(0, before)?, a_second(1, after)?);
        Some(format!(
            "Of DB time, {} on both sides: {} s/s before, {} s/s after; give {} alone to see what changed.",
            match self.joined(&common) {
                one if common.len() == 1 => format!("{one} has"),
                some => format!("{some} have"),
            },
            words::significant(b),
            words::significant(a),
            if common.len() == 1 { "it" } else { "them" }
        ))
    }
}
