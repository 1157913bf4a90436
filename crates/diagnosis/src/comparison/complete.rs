//! What a file says of each instance, added up with what it says of the whole database.
//!
//! AWR-miner prints waits of the whole database and rates of each instance, by snapshot: they are one report.

use super::amount::Amount;
use super::digest::Digest;
use super::side::all;
use spindle_facts::clock::{Clock, Timed};
use spindle_facts::{Kind, Scope, epoch_s};
use std::collections::{BTreeMap, BTreeSet};

/// Puts the reports of both sides on one axis that runs on when the clock is put back or forward.
pub fn unwind(sides: &mut [&mut [Digest]]) {
    type Key = (Option<String>, Option<u64>, Option<String>, bool);
    let mut sequences: BTreeMap<Key, usize> = BTreeMap::new();
    let timed: Vec<Timed> = sides
        .iter()
        .flat_map(|side| side.iter())
        .map(|digest| {
            let id = &digest.identity;
            let name = id.db_name.as_ref().map(|n| n.to_ascii_uppercase());
            let key = (name, id.db_id, id.container.clone(), id.kind == Kind::Statspack);
            let next = sequences.len();
            Timed {
                sequence: *sequences.entry(key).or_insert(next),
                begin_s: epoch_s(id.begin_time.as_deref()),
                end_s: epoch_s(id.end_time.as_deref()),
                elapsed_s: digest.elapsed_s(),
                snaps: id.begin_snap.zip(id.end_snap),
                knows: id.kind == Kind::History,
            }
        })
        .collect();
    let (spans, clock) = Clock::unwind(&timed);
    if clock.changes.is_empty() {
        return;
    }
    for (digest, span) in sides.iter_mut().flat_map(|side| side.iter_mut()).zip(spans) {
        if digest.span.is_some() && span.is_none() && digest.clock.is_none() {
            digest.clock = Some("the clock showed its hour twice, and nothing says which of the two it was");
        }
        digest.span = span;
    }
}

/// Makes one report of what a file says of a snapshot: of each instance, and of all of them together.
///
/// By snapshot and not by time: the instances of a database end a minute apart, and what their times tell apart
/// was counted as instances that lack, or as those of two intervals.
pub fn complete(digests: &mut Vec<Digest>) {
    type Key = (String, u64);
    let key = |d: &Digest| -> Option<Key> {
        let id = &d.identity;
        (id.kind == Kind::AwrMiner).then_some((id.source.clone(), id.end_snap?))
    };
    // A file of one instance has nothing to add up.
    let mut files: BTreeMap<String, BTreeSet<Option<u32>>> = BTreeMap::new();
    for digest in digests.iter() {
        files.entry(digest.identity.source.clone()).or_default().insert(digest.identity.instance_number);
    }
    let several = |d: &Digest| files.get(&d.identity.source).is_some_and(|of| of.len() > 1);
    let mut snapshots: BTreeMap<Key, Vec<Digest>> = BTreeMap::new();
    let mut others = Vec::new();
    for digest in std::mem::take(digests) {
        match key(&digest).filter(|_| several(&digest)) {
            Some(key) => snapshots.entry(key).or_default().push(digest),
            None => others.push(digest),
        }
    }
    others.extend(snapshots.into_values().filter_map(together));
    *digests = others;
}

/// One report of the whole database: its own, with what only those of the instances print.
fn together(of_snapshot: Vec<Digest>) -> Option<Digest> {
    let is_part = |d: &Digest| d.identity.scope == Scope::Instance;
    let (mut parts, wholes): (Vec<Digest>, Vec<Digest>) = of_snapshot.into_iter().partition(is_part);
    parts.sort_by_key(|d| d.identity.instance_number);
    let own = wholes.into_iter().next();
    let Some(first) = parts.first() else { return own };
    let mut whole = own.unwrap_or_else(|| Digest { of_one: true, ..first.clone() });
    whole.instances = parts.len();
    whole.identity.scope = Scope::Database;
    (whole.identity.instance_number, whole.identity.instance) = (None, None);
    let elapsed = whole.elapsed_s();
    // Of instances that were measured for longer or shorter, as much as they did a second.
    let over = |d: &Digest| elapsed.zip(d.elapsed_s()).map_or(1.0, |(all, own)| all / own);
    if let Some(sum) = all(parts.iter().map(|d| Some(d.db_time_s?.times(over(d)))), Amount::plus) {
        let printed = whole.db_time_s.map(|t| t.value);
        let finer = [whole.classes_s, printed].into_iter().flatten().filter(|_| !whole.of_one);
        whole.db_time_s = Some(finer_within(sum, finer));
        whole.db_time_from = None;
    }
    let names: BTreeSet<&'static str> = parts.iter().flat_map(|d| d.totals.keys().copied()).collect();
    let sums: Vec<(&'static str, Option<f64>)> = names
        .into_iter()
        .map(|name| (name, all(parts.iter().map(|d| Some(d.totals.get(name)? * over(d))), |a, b| a + b)))
        .collect();
    // What is not of the whole database is of none of its instances alone.
    if whole.of_one {
        whole.totals.clear();
        whole.cpu_s = None;
    }
    for (name, sum) in sums {
        if let Some(sum) = sum {
            whole.totals.entry(name).or_insert(sum);
        }
    }
    whole.partial.extend(parts.iter().flat_map(|d| d.partial.iter().copied()));
    let hidden: BTreeSet<&'static str> = parts.iter().flat_map(|d| d.slack.keys().copied()).collect();
    for name in hidden {
        if let Some(sum) = all(parts.iter().map(|d| Some(d.slack.get(name)? * over(d))), |a, b| a + b) {
            whole.slack.insert(name, sum);
        }
    }
    let busy: Vec<f64> = parts.iter().filter_map(|d| d.host_busy_pct).collect();
    if busy.len() == parts.len() {
        whole.host_busy_pct = Some(busy.iter().sum::<f64>() / busy.len() as f64);
    }
    let reads: Vec<(f64, f64)> = parts.iter().filter_map(|d| d.single_block).collect();
    whole.single_block =
        (!reads.is_empty()).then(|| reads.iter().fold((0.0, 0.0), |(t, n), part| (t + part.0, n + part.1)));
    for part in parts {
        whole.richness = whole.richness.max(part.richness);
        whole.clock = whole.clock.or(part.clock);
        whole.identity.spans_restart |= part.identity.spans_restart;
        if whole.parameters.is_none() {
            (whole.parameters, whole.cut_parameters) = (part.parameters, part.cut_parameters);
        }
        if whole.advice.is_empty() {
            whole.advice = part.advice;
        }
    }
    Some(whole)
}

/// A rounded number, with what a finer account within its bounds says; of one that rounds to nothing and has none,
/// the middle: nothing is what it is not.
pub(super) fn finer_within(rounded: Amount, finer: impl IntoIterator<Item = f64>) -> Amount {
    let within = |v: &f64| *v > 0.0 && (rounded.low..=rounded.high).contains(v);
    let known = finer.into_iter().find(within);
    let value = known.unwrap_or(match rounded.value {
        0.0 => f64::midpoint(rounded.low, rounded.high),
        value => value,
    });
    Amount { value, ..rounded }
}
