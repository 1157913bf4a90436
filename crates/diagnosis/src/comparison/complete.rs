//! What a file says of each instance, added up for what it says of the whole database.
//!
//! AWR-miner prints waits of the whole database and rates of each instance: the report of the database
//! stands for all of them, and had no requests a second.

use super::digest::Digest;
use spindle_facts::clock::{Clock, Timed};
use spindle_facts::{Kind, Scope, epoch_s};
use std::collections::BTreeMap;

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

/// Gives reports of a whole database the totals that they lack and that the reports of its instances, of the
/// same file and interval, print, all of them.
pub fn complete(digests: &mut [Digest]) {
    type Key = (String, Option<String>, Option<String>);
    let key = |d: &Digest| -> Key {
        let id = &d.identity;
        (id.source.clone(), id.begin_time.clone(), id.end_time.clone())
    };
    let mut sums: BTreeMap<Key, BTreeMap<&'static str, Option<f64>>> = BTreeMap::new();
    for digest in digests.iter().filter(|d| d.identity.scope == Scope::Instance) {
        match sums.get_mut(&key(digest)) {
            None => {
                sums.insert(key(digest), digest.totals.iter().map(|(name, t)| (*name, Some(*t))).collect());
            }
            Some(sum) => {
                // What one of them does not print has no sum.
                for (name, sum) in sum.iter_mut() {
                    *sum = sum.zip(digest.totals.get(name)).map(|(a, b)| a + b);
                }
            }
        }
    }
    for digest in digests.iter_mut().filter(|d| d.identity.scope == Scope::Database) {
        let Some(sum) = sums.get(&key(digest)) else { continue };
        for (name, total) in sum {
            if let Some(total) = total {
                digest.totals.entry(name).or_insert(*total);
            }
        }
    }
}
