//! What a file says of each instance, added up for what it says of the whole database.
//!
//! AWR-miner prints waits of the whole database and rates of each instance: the report of the database
//! stands for all of them, and had no requests a second.

use super::digest::Digest;
use spindle_facts::Scope;
use std::collections::BTreeMap;

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
