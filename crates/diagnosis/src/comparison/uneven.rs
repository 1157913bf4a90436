//! Do the reports of a side hold the same time of all its instances? What is added over instances is too small where
//! one of them lacks a report.

use super::digest::Digest;
use crate::words;
use spindle_facts::Scope;
use std::collections::BTreeMap;

/// Share of the time that an instance may lack: snapshots are not taken at one instant.
const MAY_LACK: f64 = 0.05;

/// What is missing of a side, in a sentence for each of its databases.
pub(super) fn said<'d>(which: &'d str, side: &'d [&'d Digest]) -> impl Iterator<Item = String> + 'd {
    type Instances = BTreeMap<u32, Vec<(i64, i64)>>;
    let mut databases: BTreeMap<_, Instances> = BTreeMap::new();
    for digest in side {
        let id = &digest.identity;
        if let (Scope::Instance, Some(number), Some(span)) = (id.scope, id.instance_number, digest.span) {
            let of = databases.entry((&id.db_name, id.db_id, &id.container)).or_default();
            of.entry(number).or_default().push(span);
        }
    }
    databases.into_values().filter_map(move |instances| {
        let together = covered_s(instances.values().flatten().copied().collect());
        let own: Vec<(u32, i64)> = instances.into_iter().map(|(n, spans)| (n, covered_s(spans))).collect();
        let lacks = |seconds: i64| (seconds as f64) < together as f64 * (1.0 - MAY_LACK);
        if own.len() < 2 || !own.iter().any(|(_, seconds)| lacks(*seconds)) {
            return None;
        }
        let parts: Vec<String> = own
            .iter()
            .map(|(number, seconds)| format!("{} of instance {number}", words::seconds(*seconds as f64)))
            .collect();
        Some(format!(
            "The reports {which} do not hold the same time of all instances: {} of {} in all. What is added over \
             instances there is too small, or over too long a time; give a report of each instance for each interval.",
            parts.join(", "),
            words::seconds(together as f64)
        ))
    })
}

/// Seconds in which anything is held.
fn covered_s(mut spans: Vec<(i64, i64)>) -> i64 {
    spans.sort_unstable();
    let (mut seconds, mut until) = (0, i64::MIN);
    for (begin, end) in spans {
        seconds += (end - begin.max(until)).max(0);
        until = until.max(end);
    }
    seconds
}
