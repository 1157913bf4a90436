//! The reports of one side, added up: instances at equal times make one interval, intervals make the
//! side. Sorted first, so that the order of files changes nothing, not even the last digit.

use super::amount::Amount;
use super::digest::{Digest, IoAmount, IoBy};
use super::names::Names;
use super::statements::{Key, StatementAmount};
use spindle_facts::{
    Identity, Period, Scope, Seen, Side, Span, Spans, WaitHistogram, clash, copies, counted_once, epoch_s,
    other_instance,
};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Snapshots of instances that belong together are taken within this.
const TOLERANCE_S: i64 = spindle_facts::SNAPSHOTS_APART_S;

/// Waits for one event over a side.
#[derive(Clone, Debug)]
pub(crate) struct EventSum {
    pub(crate) wait_class: String,
    /// `None` where a report of the side may have left the event out.
    pub(crate) time_s: Option<Amount>,
    /// `None` where not printed.
    pub(crate) waits: Option<Amount>,
    /// Time of those reports that print the event, whether or not others may hide more.
    pub(crate) printed_s: f64,
}

impl EventSum {
    /// Mean wait.
    pub(crate) fn mean_us(&self) -> Option<f64> {
        let waits = self.waits?.value;
        (waits > 0.0).then_some(self.time_s?.value * 1e6 / waits)
    }
}

/// Wait class of an event, whichever side is asked first: releases class some events differently, and
/// `Other` says least.
pub(crate) fn wait_class(events: [Option<&EventSum>; 2]) -> Option<&str> {
    let printed = events.into_iter().flatten().map(|e| e.wait_class.as_str()).filter(|c| !c.is_empty());
    printed.min_by_key(|class| (*class == "Other", *class))
}

/// All intervals of one side.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideTotal {
    /// Intervals; instances, and databases, of one time are one.
    pub(crate) intervals: usize,
    /// Databases whose sum it is.
    pub(crate) databases: usize,
    /// Time that the intervals cover; what several databases share counts once.
    pub(crate) elapsed_s: Option<f64>,
    /// Elapsed time of every instance: each has a log writer.
    pub(crate) instance_s: Option<f64>,
    pub(crate) db_time_s: Option<Amount>,
    pub(crate) cpu_s: Option<Amount>,
    /// By name that both sides have.
    pub(crate) events: BTreeMap<(String, Side), EventSum>,
    /// Every report prints all its foreground waits.
    pub(crate) whole_foreground: bool,
    pub(crate) histograms: BTreeMap<String, WaitHistogram>,
    /// `None` where a report of the side does not print it.
    pub(crate) totals: BTreeMap<&'static str, Option<f64>>,
    /// Of them those of some processes alone.
    pub(crate) partial: BTreeSet<&'static str>,
    /// What rounding hides of a total, where every report says it.
    pub(crate) slack: BTreeMap<&'static str, f64>,
    /// Rates a second of a side of one report that does not say how long it was.
    pub(crate) rates: BTreeMap<&'static str, Amount>,
    /// The period of a compare-period report that it is, with the name of that report.
    pub(crate) period: Option<(Period, String)>,
    /// Its rates over those of the first period, as printed.
    pub(crate) over_first: BTreeMap<&'static str, Amount>,
    /// The latency of single-block reads is a metric in tenths of a millisecond.
    pub(crate) reads_by_metric: bool,
    pub(crate) host_busy_pct: Option<f64>,
    pub(crate) statements: BTreeMap<Key, StatementAmount>,
    /// The statement whose one execution took longest beyond the interval of its report.
    pub(crate) overlong: Option<Overlong>,
    pub(crate) least_listed_s: Option<f64>,
    /// The largest share of the samples of a report, percent.
    pub(crate) sampled: BTreeMap<String, f64>,
    pub(crate) io: BTreeMap<(IoBy, String), IoAmount>,
}

/// A statement that took longer than the interval that counts it.
#[derive(Clone, Debug)]
pub(crate) struct Overlong {
    pub(crate) name: String,
    pub(crate) elapsed_s: f64,
    pub(crate) interval_s: f64,
}

fn sampled(sorted: &[&Digest]) -> BTreeMap<String, f64> {
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    for (name, pct) in sorted.iter().flat_map(|d| &d.sampled) {
        let most = all.entry(name.clone()).or_insert(*pct);
        *most = most.max(*pct);
    }
    all
}

/// Order of reports that does not depend on the order of files.
pub(crate) fn by_identity(a: &Digest, b: &Digest) -> Ordering {
    let key = |d: &Digest| {
        let id = &d.identity;
        (
            id.db_id,
            id.db_name.clone(),
            id.container.clone(),
            d.span,
            (id.begin_time.clone(), id.end_time.clone()),
            id.instance_number,
            id.period.map(|p| p == spindle_facts::Period::Second),
        )
    };
    key(a).cmp(&key(b)).then_with(|| {
        let time = |d: &Digest| d.db_time_s.map_or(-1.0, |t| t.value);
        time(a).total_cmp(&time(b)).then_with(|| a.identity.source.cmp(&b.identity.source))
    })
}

/// Where a report saw its instance, for a database of this number; `None` where it is of no single one.
fn seen(digest: &Digest, database: usize) -> Option<Seen<'_>> {
    let id = &digest.identity;
    let number = id.instance_number.filter(|_| id.scope != Scope::Database)?;
    Some(Seen {
        database,
        instance: (number, id.container.as_deref()),
        host: id.host.as_deref(),
        started_s: epoch_s(id.startup_time.as_deref()),
        span: digest.span,
        source: &id.source,
    })
}

/// Which of the databases that share an identifier at one time each report is of; 0 where there is one.
pub(crate) fn copies_of(digests: &[&Digest]) -> Vec<usize> {
    let key = |d: &Digest| d.identity.db_id.map(|id| (id, d.identity.db_name.clone()));
    let known: Vec<_> = digests.iter().filter_map(|d| key(d)).collect::<BTreeSet<_>>().into_iter().collect();
    let numbered: Vec<(usize, Seen<'_>)> = digests
        .iter()
        .enumerate()
        .filter_map(|(at, d)| {
            let database = known.binary_search(&key(d)?).ok()?;
            Some((at, seen(d, database)?))
        })
        .collect();
    let mut found = vec![0; digests.len()];
    let of: Vec<Seen<'_>> = numbered.iter().map(|(_, seen)| *seen).collect();
    for ((at, _), copy) in numbered.iter().zip(copies(&of)) {
        found[*at] = copy;
    }
    found
}

/// Do two reports of one identifier speak of two instances?
fn are_copies(a: &Digest, b: &Digest) -> bool {
    let same = a.identity.db_id.is_some() && a.identity.db_id == b.identity.db_id;
    same && seen(a, 0)
        .zip(seen(b, 0))
        .is_some_and(|(a, b)| a.instance == b.instance && other_instance(&a, &b))
}

/// What tells an instance of a database from the others: its number, or its name where the number or the
/// identifier of the database is not known. A collected history and a file of AWR-miner name no instance.
fn instance(id: &Identity) -> (Option<u32>, Option<&str>) {
    let numbered = id.instance_number.is_some() && id.db_id.is_some();
    (id.instance_number, id.instance.as_deref().filter(|_| !numbered))
}

/// Do two reports of one database speak of the same instance?
fn same_instance(a: &Identity, b: &Identity) -> bool {
    // A name is needed where either of them has no more.
    let bare = instance(a).1.is_some() || instance(b).1.is_some();
    a.instance_number == b.instance_number && (!bare || a.instance == b.instance)
}

/// Do two reports cover the same interval of the same instance?
pub(crate) fn same_interval(a: &Digest, b: &Digest) -> bool {
    let at_once = match a.span.zip(b.span) {
        // Two collectors snap a moment apart; neighbours of a minute are no twins.
        Some((a, b)) => {
            let near = TOLERANCE_S.min((a.1 - a.0).min(b.1 - b.0) / 4).max(2);
            (a.0 - b.0).abs() <= near && (a.1 - b.1).abs() <= near
        }
        None => {
            (&a.identity.begin_time, &a.identity.end_time) == (&b.identity.begin_time, &b.identity.end_time)
        }
    };
    let (one, other) = (a, b);
    let (a, b) = (&a.identity, &b.identity);
    a.begin_time.is_some()
        && at_once
        && (&a.db_name, &a.container) == (&b.db_name, &b.container)
        && same_instance(a, b)
        && a.db_id.zip(b.db_id).is_none_or(|(a, b)| a == b)
        && !are_copies(one, other)
}

/// Takes out reports of instances beside one of their whole database and of the same interval, which holds
/// what each of them says; names those of another file than the whole, part and whole.
pub(crate) fn without_parts<'d>(kept: &mut Vec<&'d Digest>) -> Vec<(&'d Digest, &'d Digest)> {
    let begin = |d: &Digest| d.span.map(|s| s.0);
    let end = |d: &Digest| d.span.map(|s| s.1);
    let near = |a: Option<i64>, b: Option<i64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE_S);
    let of_all = |d: &Digest| d.identity.scope == Scope::Database && d.db_time_s.is_some();
    let mut wholes: Vec<(i64, &Digest)> =
        kept.iter().filter(|d| of_all(d)).filter_map(|d| Some((begin(d)?, *d))).collect();
    wholes.sort_by_key(|(begin, _)| *begin);
    let mut found = Vec::new();
    kept.retain(|part| {
        let id = &part.identity;
        let Some(from) = begin(part).filter(|_| id.scope == Scope::Instance) else { return true };
        let first = wholes.partition_point(|(begin, _)| *begin < from - TOLERANCE_S);
        let whole =
            wholes[first..].iter().take_while(|(begin, _)| *begin <= from + TOLERANCE_S).find(|(_, w)| {
                (&w.identity.db_name, &w.identity.container) == (&id.db_name, &id.container)
                    && w.identity.db_id.zip(id.db_id).is_none_or(|(a, b)| a == b)
                    && near(end(w), end(part))
            });
        if let Some((_, whole)) = whole.filter(|(_, whole)| whole.identity.source != id.source) {
            found.push((*part, *whole));
        }
        whole.is_none()
    });
    found
}

/// Takes out reports whose time others of the same instance, or of the whole database, hold: counted twice, it
/// would be load that there was not. Those of an instance that together cover most count. Pairs of what goes
/// and what holds its time.
pub(crate) fn without_overlaps<'d>(kept: &mut Vec<&'d Digest>) -> Vec<(&'d Digest, &'d Digest)> {
    let span = |d: &Digest| d.span;
    let copies = copies_of(kept);
    let mut twice: BTreeMap<usize, usize> = BTreeMap::new();
    let mut instances: BTreeMap<_, Vec<(usize, Span)>> = BTreeMap::new();
    for (at, digest) in kept.iter().enumerate() {
        let id = &digest.identity;
        let of_all = id.scope == Scope::Database;
        let key = (&id.db_name, id.db_id, &id.container, of_all, instance(id), copies[at]);
        let of_it = instances.entry(key).or_default();
        of_it.extend(span(digest).map(|span| (at, span)));
    }
    for of_it in instances.values() {
        let once = counted_once(&of_it.iter().map(|(_, span)| *span).collect::<Vec<_>>());
        twice.extend(of_it.iter().zip(once).filter_map(|((at, _), by)| Some((*at, of_it[by?].0))));
    }
    // Instances beside their whole database: what says most about when goes first.
    let mut timed: Vec<(Span, usize)> = kept
        .iter()
        .enumerate()
        .filter(|(at, _)| !twice.contains_key(at))
        .filter_map(|(at, d)| Some((span(d)?, at)))
        .collect();
    timed.sort_by_key(|(s, at)| (s.1 - s.0, *at));
    let mut spans = Spans::default();
    let mut counted: Vec<(Span, usize)> = Vec::new();
    for (own, at) in timed {
        let id = &kept[at].identity;
        let holds = |(other, of): &&(Span, usize)| {
            let other_id = &kept[*of].identity;
            let whole = id.scope == Scope::Database || other_id.scope == Scope::Database;
            (&other_id.db_name, &other_id.container) == (&id.db_name, &id.container)
                && other_id.db_id.zip(id.db_id).is_none_or(|(a, b)| a == b)
                && copies[at] == copies[*of]
                && (whole || same_instance(other_id, id))
                && clash(own, *other)
        };
        let holder = spans.near(own).into_iter().map(|n| &counted[n]).find(holds).map(|(_, of)| *of);
        match holder {
            Some(of) => {
                twice.insert(at, of);
            }
            None => {
                spans.add(own, counted.len());
                counted.push((own, at));
            }
        }
    }
    let found = twice.iter().map(|(at, of)| (kept[*at], kept[*of])).collect();
    let mut at = 0;
    kept.retain(|_| {
        at += 1;
        !twice.contains_key(&(at - 1))
    });
    found
}

/// Do all these reports count a container? Only then each container is a database of its own: beside reports of
/// what holds it, it is part of them.
pub(crate) fn of_containers(digests: &[&Digest]) -> bool {
    digests.iter().all(|d| d.identity.scope == Scope::Container && d.identity.container.is_some())
}

/// Which database each report is of, numbered from 0: by name and identifier, as far as they are printed, and
/// by copy; where `containers` count as databases, by container too.
pub(crate) fn databases_of(digests: &[&Digest], containers: bool) -> Vec<usize> {
    let name = |d: &Digest| d.identity.db_name.as_ref().map(|n| n.to_ascii_uppercase());
    let mut ids: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut names: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for (name, id) in digests.iter().filter_map(|d| name(d).zip(d.identity.db_id)) {
        ids.entry(name.clone()).or_default().insert(id);
        names.entry(id).or_default().insert(name);
    }
    let copies = copies_of(digests);
    let key = |(d, copy): (&&Digest, usize)| {
        // A report that prints one of the two is of the only database that has it.
        let id = d.identity.db_id.or_else(|| {
            let of_name = ids.get(&name(d)?).filter(|of| of.len() == 1)?;
            of_name.first().copied()
        });
        let name = name(d).or_else(|| {
            let of_id = names.get(&id?).filter(|of| of.len() == 1)?;
            of_id.first().cloned()
        });
        (name, id, copy, d.identity.container.clone().filter(|_| containers))
    };
    let keys: Vec<_> = digests.iter().zip(copies).map(key).collect();
    let known: Vec<_> = keys.iter().collect::<BTreeSet<_>>().into_iter().collect();
    keys.iter().map(|key| known.binary_search(&key).unwrap_or(0)).collect()
}

/// Reports that are one interval, and the databases that they are of.
pub(crate) struct Group<'d> {
    pub(crate) reports: Vec<&'d Digest>,
    pub(crate) databases: BTreeSet<usize>,
}

impl Group<'_> {
    fn span(&self) -> Option<(i64, i64)> {
        self.reports.first().and_then(|d| d.span)
    }
}

/// Groups of reports that are one interval: instances of one database at one time, and databases at one time.
/// Of several databases, in time.
pub(crate) fn grouped<'d>(sorted: &[&'d Digest]) -> Vec<Group<'d>> {
    let numbers = databases_of(sorted, of_containers(sorted));
    let mut groups: Vec<Group<'d>> = of_each_database(sorted)
        .into_iter()
        .map(|(reports, first)| Group { reports, databases: BTreeSet::from([numbers[first]]) })
        .collect();
    if numbers.iter().collect::<BTreeSet<_>>().len() < 2 {
        return groups;
    }
    groups.sort_by_key(|g| (g.span().is_none(), g.span(), g.databases.first().copied()));
    let mut merged: Vec<Group<'d>> = Vec::new();
    for group in groups {
        let apart = |other: &Group<'_>| -> Option<i64> {
            let ((b, e), (other_b, other_e)) = group.span().zip(other.span())?;
            Some((b - other_b).abs().max((e - other_e).abs()))
        };
        let near = merged
            .iter_mut()
            .rev()
            .take(64)
            .filter(|other| other.databases.is_disjoint(&group.databases))
            .filter_map(|other| Some((apart(other).filter(|s| *s <= TOLERANCE_S)?, other)))
            .min_by_key(|(apart, _)| *apart);
        match near {
            Some((_, home)) => {
                home.reports.extend(group.reports);
                home.databases.extend(group.databases);
            }
            None => merged.push(group),
        }
    }
    merged
}

/// Groups of reports that are one interval, each sorted by database and instance.
pub(crate) fn intervals<'d>(sorted: &[&'d Digest]) -> Vec<Vec<&'d Digest>> {
    grouped(sorted).into_iter().map(|g| g.reports).collect()
}

/// Time that groups hold: what several databases share counts once.
pub(crate) fn elapsed_s(groups: &[Group<'_>]) -> Option<f64> {
    let several = groups.iter().flat_map(|g| &g.databases).collect::<BTreeSet<_>>().len() > 1;
    let mut until = i64::MIN;
    let own = |group: &Group<'_>| {
        let length = length_s(&group.reports)?;
        let Some((begin, end)) = group.span().filter(|(begin, end)| several && begin < end) else {
            return Some(length);
        };
        let new = (end - begin.max(until)).max(0);
        until = until.max(end);
        Some(length * new as f64 / (end - begin) as f64)
    };
    all(groups.iter().map(own), |a, b| a + b)
}

/// Groups of reports that are one interval of one database, each sorted by instance, with the place of its first.
fn of_each_database<'d>(sorted: &[&'d Digest]) -> Vec<(Vec<&'d Digest>, usize)> {
    let copies = copies_of(sorted);
    let mut groups: Vec<(Vec<&'d Digest>, usize)> = Vec::new();
    for (at, digest) in sorted.iter().enumerate() {
        let id = &digest.identity;
        let near = |a: Option<(i64, i64)>, b: Option<(i64, i64)>| {
            a.zip(b).is_some_and(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) <= TOLERANCE_S)
        };
        let home = groups.iter_mut().rev().take(64).find(|(group, of)| {
            copies[*of] == copies[at]
                && group.first().is_some_and(|first| {
                    let at_once = near(first.span, digest.span);
                    let first = &first.identity;
                    at_once
                        && (first.db_id, &first.db_name, &first.container)
                            == (id.db_id, &id.db_name, &id.container)
                })
                && group.iter().all(|other| {
                    other.identity.instance_number.is_some()
                        && id.instance_number.is_some()
                        && other.identity.instance_number != id.instance_number
                })
        });
        match home {
            Some((group, _)) => group.push(digest),
            None => groups.push((vec![digest], at)),
        }
    }
    groups
}

/// Length of an interval: its instances ran at the same time.
pub(crate) fn length_s(group: &[&Digest]) -> Option<f64> {
    let sum = group.iter().map(|d| d.elapsed_s()).sum::<Option<f64>>()?;
    (!group.is_empty()).then(|| sum / group.len() as f64)
}

/// A sum that is unknown as soon as a part is.
pub(crate) fn all<T>(parts: impl Iterator<Item = Option<T>>, add: impl Fn(T, T) -> T) -> Option<T> {
    let mut sum = None;
    for part in parts {
        let part = part?;
        sum = Some(match sum {
            None => part,
            Some(so_far) => add(so_far, part),
        });
    }
    sum
}

impl SideTotal {
    /// Adds up; `sorted` by [`by_identity`], without doubles.
    pub(crate) fn of(sorted: &[&Digest], names: &Names) -> Self {
        let groups = grouped(sorted);
        let mut busy: Vec<f64> = Vec::new();
        for digest in sorted {
            busy.extend(digest.host_busy_pct);
        }
        let mut totals = BTreeMap::new();
        let keys: BTreeSet<&'static str> = sorted.iter().flat_map(|d| d.totals.keys().copied()).collect();
        let (mut partial, mut slack) = (BTreeSet::new(), BTreeMap::new());
        for key in keys {
            let of_some = sorted.iter().filter(|d| d.partial.contains(key)).count();
            // Requests of all processes and of some have no sum.
            let mixed = of_some > 0 && of_some < sorted.len();
            let sum = all(sorted.iter().map(|d| d.totals.get(key).copied()), |a, b| a + b);
            totals.insert(key, sum.filter(|_| !mixed));
            if of_some > 0 {
                partial.insert(key);
            }
            if let Some(hidden) = all(sorted.iter().map(|d| d.slack.get(key).copied()), |a, b| a + b) {
                slack.insert(key, hidden);
            }
        }
        let of_one = match sorted {
            [one] => Some(*one),
            _ => None,
        };
        Self {
            intervals: groups.len(),
            databases: groups.iter().flat_map(|g| &g.databases).collect::<BTreeSet<_>>().len(),
            elapsed_s: elapsed_s(&groups),
            instance_s: all(sorted.iter().map(|d| d.elapsed_s()), |a, b| a + b),
            db_time_s: all(sorted.iter().map(|d| d.db_time_s), Amount::plus),
            cpu_s: all(sorted.iter().map(|d| d.cpu_s), Amount::plus),
            events: events(sorted, names),
            whole_foreground: sorted.iter().all(|d| d.whole_foreground),
            histograms: histograms(sorted, names),
            totals,
            partial,
            slack,
            rates: of_one.map(|d| d.rates.clone()).unwrap_or_default(),
            period: of_one.and_then(|d| Some((d.identity.period?, d.of_file().to_owned()))),
            over_first: of_one.map(|d| d.over_first.clone()).unwrap_or_default(),
            reads_by_metric: sorted.iter().any(|d| d.single_block.is_some()),
            host_busy_pct: (busy.len() == sorted.len() && !busy.is_empty())
                .then(|| busy.iter().sum::<f64>() / busy.len() as f64),
            statements: statement_sums(sorted),
            overlong: overlong(sorted),
            least_listed_s: all(sorted.iter().map(|d| d.least_listed_s), |a, b| a + b),
            sampled: sampled(sorted),
            io: io_sums(sorted),
        }
    }

    /// A total; `None` where a report does not print it.
    pub(crate) fn total(&self, name: &str) -> Option<f64> {
        self.totals.get(name).copied().flatten()
    }

    /// A total with the bounds of its rounding, where these are known.
    pub(crate) fn bounded(&self, name: &str) -> Option<Amount> {
        let (value, hidden) = (self.total(name)?, self.slack.get(name).copied().unwrap_or(0.0));
        Some(Amount { value, low: (value - hidden).max(0.0), high: value + hidden })
    }

    /// Ratios that a compare-period report prints of its two periods.
    pub(crate) fn printed_ratios<'s>(&self, after: &'s Self) -> Option<&'s BTreeMap<&'static str, Amount>> {
        let ((first, file), (second, other)) = self.period.as_ref().zip(after.period.as_ref())?;
        ((*first, *second) == (Period::First, Period::Second) && file == other).then_some(&after.over_first)
    }

    /// Does one of the sides count requests of fewer processes than the other?
    pub(crate) fn counts_other(&self, other: &Self, name: &str) -> bool {
        self.partial.contains(name) != other.partial.contains(name)
    }

    /// Waits for an event.
    pub(crate) fn event(&self, event: &str, side: Side) -> Option<&EventSum> {
        self.events.get(&(event.to_owned(), side))
    }
}

fn events(sorted: &[&Digest], names: &Names) -> BTreeMap<(String, Side), EventSum> {
    let printed: BTreeSet<(&str, Side)> =
        sorted.iter().flat_map(|d| &d.events).map(|e| (e.event.as_str(), e.side)).collect();
    let keys: BTreeSet<(String, Side)> =
        printed.into_iter().map(|(e, side)| (names.of(e), names.side(e, side))).collect();
    let mut sums = BTreeMap::new();
    // By report, since names that are folded add up within one.
    for digest in sorted {
        let mut own: BTreeMap<(String, Side), EventSum> = BTreeMap::new();
        for e in &digest.events {
            let sum = EventSum {
                wait_class: e.wait_class.to_string(),
                time_s: Some(e.time_s),
                waits: e.waits,
                printed_s: e.time_s.value,
            };
            add(&mut own, (names.of(&e.event), names.side(&e.event, e.side)), sum);
        }
        for key in &keys {
            let whole =
                if key.1 == Side::Background { digest.whole_background } else { digest.whole_foreground };
            let none = EventSum {
                wait_class: String::new(),
                time_s: whole.then_some(Amount::ZERO),
                waits: whole.then_some(Amount::ZERO),
                printed_s: 0.0,
            };
            add(&mut sums, key.clone(), own.remove(key).unwrap_or(none));
        }
    }
    sums
}

fn add(sums: &mut BTreeMap<(String, Side), EventSum>, key: (String, Side), more: EventSum) {
    match sums.get_mut(&key) {
        None => {
            sums.insert(key, more);
        }
        Some(sum) => {
            sum.time_s = sum.time_s.zip(more.time_s).map(|(a, b)| a.plus(b));
            sum.waits = sum.waits.zip(more.waits).map(|(a, b)| a.plus(b));
            sum.printed_s += more.printed_s;
            let class = wait_class([Some(&*sum), Some(&more)]).map(str::to_owned);
            sum.wait_class = class.unwrap_or_default();
        }
    }
}

fn histograms(sorted: &[&Digest], names: &Names) -> BTreeMap<String, WaitHistogram> {
    /// Added up at once: thousands of them would not be held together.
    const AT_ONCE: usize = 200;
    let merged = |parts: &[WaitHistogram]| WaitHistogram::merged(&parts.iter().collect::<Vec<_>>());
    let mut parts: BTreeMap<String, Vec<WaitHistogram>> = BTreeMap::new();
    for histogram in sorted.iter().flat_map(|d| &d.histograms) {
        let of = parts.entry(names.of(histogram.event())).or_default();
        of.push(histogram.whole());
        if of.len() >= AT_ONCE {
            *of = merged(of).into_iter().collect();
        }
    }
    parts.into_iter().filter_map(|(event, parts)| Some((event, merged(&parts)?))).collect()
}

fn statement_sums(sorted: &[&Digest]) -> BTreeMap<Key, StatementAmount> {
    let mut sums: BTreeMap<Key, StatementAmount> = BTreeMap::new();
    for statement in sorted.iter().flat_map(|d| &d.statements) {
        match sums.get_mut(&statement.key) {
            Some(sum) => sum.add(statement.clone()),
            None => {
                sums.insert(statement.key.clone(), statement.clone());
            }
        }
    }
    sums
}

/// Each report's own statements against its own interval: sums over a side say nothing of one execution.
fn overlong(sorted: &[&Digest]) -> Option<Overlong> {
    let of_report = |digest: &&Digest| {
        let interval_s = digest.elapsed_s()?;
        let once = digest.statements.iter().filter(|s| s.executions.is_some_and(|n| n <= 1.0));
        let longest = once
            .filter_map(|s| {
                let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string()))?;
                Some(Overlong { name, elapsed_s: s.elapsed_s?, interval_s })
            })
            .filter(|s| s.elapsed_s > interval_s)
            .max_by(|a, b| a.elapsed_s.total_cmp(&b.elapsed_s).then_with(|| b.name.cmp(&a.name)))?;
        Some(longest)
    };
    let beyond = |s: &Overlong| s.elapsed_s - s.interval_s;
    sorted
        .iter()
        .filter_map(of_report)
        .max_by(|a, b| beyond(a).total_cmp(&beyond(b)).then_with(|| b.name.cmp(&a.name)))
}

/// I/O over all reports of a side. What one of them may have left out has no sum: functions, file
/// types and tablespaces are listed whole or not at all, segments only as far as the list goes.
fn io_sums(sorted: &[&Digest]) -> BTreeMap<(IoBy, String), IoAmount> {
    let keys: BTreeSet<&(IoBy, String)> = sorted.iter().flat_map(|d| d.io.keys()).collect();
    let mut sums = BTreeMap::new();
    for key in keys {
        let parts: Option<Vec<IoAmount>> = sorted
            .iter()
            .map(|d| match d.io.get(key) {
                Some(part) => Some(*part),
                None if key.0 == IoBy::Segment || !d.io.keys().any(|k| k.0 == key.0) => None,
                None => Some(IoAmount { reads: Some(0.0), writes: Some(0.0), timed: None }),
            })
            .collect();
        let Some(parts) = parts else { continue };
        let timed: Vec<(f64, f64)> = parts.iter().filter_map(|p| p.timed).collect();
        let sum = IoAmount {
            reads: all(parts.iter().map(|p| p.reads), |a, b| a + b),
            writes: all(parts.iter().map(|p| p.writes), |a, b| a + b),
            timed: (!timed.is_empty())
                .then(|| timed.iter().fold((0.0, 0.0), |(t, r), (time, reads)| (t + time, r + reads))),
        };
        sums.insert(key.clone(), sum);
    }
    sums
}
