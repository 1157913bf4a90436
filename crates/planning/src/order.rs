//! In which order to move: one rule for the answer, the page and the script.
//!
//! Most seconds a byte that are sure go first, so that who stops halfway has gained what can be counted
//! on; what may save nothing comes after all that is sure to save something, by its likely seconds a
//! byte. No index and no LOB goes before a table that it may belong to, which would make it unusable
//! again, and the files of a tablespace go after the objects in them. Containers are done one by one.

use crate::plan::{Candidate, CandidateKind};
use spindle_facts::Collected;
use std::collections::BTreeMap;

/// What others wait for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group<'c> {
    /// A table with its partitions: container, owner, name.
    Table(Option<&'c str>, Option<&'c str>, &'c str),
    /// All tables of an owner.
    TablesOf(Option<&'c str>, Option<&'c str>),
    /// All segments in a tablespace.
    Space(Option<&'c str>, &'c str),
}

fn is_table(kind: CandidateKind) -> bool {
    use CandidateKind as K;
    matches!(kind, K::Table | K::TablePartition | K::Cluster | K::TableWithIndexes | K::Segment)
}

/// Which groups a candidate belongs to.
fn groups(c: &Candidate) -> Vec<Group<'_>> {
    use CandidateKind as K;
    let container = c.container.as_deref();
    let depends = matches!(c.kind, K::Index | K::IndexPartition | K::Lob);
    let mut found = Vec::new();
    if is_table(c.kind) {
        found.push(Group::Table(container, c.owner.as_deref(), &c.name));
        found.push(Group::TablesOf(container, c.owner.as_deref()));
    }
    if let Some(space) = c.tablespace.as_deref().filter(|_| depends || is_table(c.kind)) {
        found.push(Group::Space(container, space));
    }
    found
}

/// What a candidate waits for.
fn waits_for<'c>(c: &'c Candidate, collected: &'c [Collected]) -> Option<Group<'c>> {
    use CandidateKind as K;
    let (container, owner) = (c.container.as_deref(), c.owner.as_deref());
    match c.kind {
        K::Index | K::IndexPartition => {
            let mut listed = collected.iter().flat_map(|f| &f.indexes);
            let own = listed.find(|i| i.index == c.name && Some(i.owner.as_str()) == owner);
            Some(match own.and_then(|i| Some((i.table_owner.as_deref().or(owner), i.table.as_deref()?))) {
                Some((owner, table)) => Group::Table(container, owner, table),
                None => Group::TablesOf(container, owner),
            })
        }
        K::Lob => Some(Group::TablesOf(container, owner)),
        K::RestOfTablespace | K::Tablespace | K::DataFile => {
            Some(Group::Space(container, c.tablespace.as_deref().unwrap_or(&c.name)))
        }
        _ => None,
    }
}

/// Sure to save something, seconds a byte, and among equals what takes no lock first.
fn weight(c: &Candidate) -> (bool, f64, u8) {
    let saves = c.saves_s.unwrap_or_default();
    let bytes = c.size_bytes.unwrap_or(f64::INFINITY).max(1.0);
    let sure = saves.low > 0.0;
    let lock = match c.kind {
        CandidateKind::Temp | CandidateKind::Redo => 0,
        kind if is_table(kind) => 1,
        _ => 2,
    };
    (sure, if sure { saves.low } else { saves.mid } / bytes, lock)
}

/// Places of the candidates in the order in which to move them.
pub(crate) fn of_moving(candidates: &[&Candidate], collected: &[Collected]) -> Vec<usize> {
    let mut left: BTreeMap<Group<'_>, usize> = BTreeMap::new();
    for group in candidates.iter().flat_map(|c| groups(c)) {
        *left.entry(group).or_default() += 1;
    }
    let waits: Vec<Option<Group<'_>>> = candidates.iter().map(|c| waits_for(c, collected)).collect();
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    open.sort_by(|a, b| {
        let ((a_sure, a_dense, a_lock), (b_sure, b_dense, b_lock)) =
            (weight(candidates[*a]), weight(candidates[*b]));
        (b_sure.cmp(&a_sure))
            .then(b_dense.total_cmp(&a_dense))
            .then(a_lock.cmp(&b_lock))
            .then_with(|| candidates[*a].object.cmp(&candidates[*b].object))
    });
    let mut order = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let ready = |n: &usize| waits[*n].as_ref().is_none_or(|w| left.get(w).is_none_or(|left| *left == 0));
        // What waits for tables is no table, and files wait for neither: something is always ready.
        let next = open.remove(open.iter().position(ready).unwrap_or(0));
        for group in groups(candidates[next]) {
            if let Some(left) = left.get_mut(&group) {
                *left -= 1;
            }
        }
        order.push(next);
    }
    let mut containers: Vec<Option<&str>> = Vec::new();
    for n in &order {
        let container = candidates[*n].container.as_deref();
        if !containers.contains(&container) {
            containers.push(container);
        }
    }
    order.sort_by_key(|n| {
        containers.iter().position(|c| *c == candidates[*n].container.as_deref()).unwrap_or(usize::MAX)
    });
    order
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::range::Range;
    use spindle_facts::CollectedIndex;

    fn candidate(kind: CandidateKind, name: &str, bytes: f64, low: f64, mid: f64) -> Candidate {
        let files = matches!(kind, CandidateKind::RestOfTablespace | CandidateKind::Temp);
        Candidate {
            object: name.to_owned(),
            kind,
            owner: (!files).then(|| "A".to_owned()),
            name: name.to_owned(),
            partition: None,
            tablespace: Some("DATA".to_owned()),
            container: None,
            members: Vec::new(),
            partitions: Vec::new(),
            size_bytes: Some(bytes),
            size_from: None,
            read_blocks: None,
            read_requests: None,
            write_blocks: None,
            reread_times: None,
            io_share_pct: None,
            waits_s: Range::ZERO,
            waits_by_component: Vec::new(),
            saves_s: Some(Range { low, mid, high: 2.0 * mid }),
            tier: Some("fast".to_owned()),
            why: String::new(),
            excluded_because: None,
            price_per_s: None,
            sources: Vec::new(),
        }
    }

    fn order(candidates: &[Candidate], collected: &[Collected]) -> Vec<String> {
        let all: Vec<&Candidate> = candidates.iter().collect();
        of_moving(&all, collected).into_iter().map(|n| candidates[n].object.clone()).collect()
    }

    use CandidateKind as K;

    #[test]
    fn what_may_save_nothing_was_moved_first() {
        let candidates = [
            candidate(K::Table, "DOUBTFUL", 1.0, 0.0, 1_000.0),
            candidate(K::Table, "LARGE", 100.0, 500.0, 600.0),
            candidate(K::Temp, "temp", 10.0, 90.0, 100.0),
        ];
        assert_eq!(order(&candidates, &[]), ["temp", "LARGE", "DOUBTFUL"]);
    }

    #[test]
    fn an_index_waits_for_its_own_table_or_for_all_that_may_be() {
        let candidates = [
            candidate(K::Index, "I", 1.0, 10.0, 10.0),
            candidate(K::Table, "T", 10.0, 20.0, 20.0),
            candidate(K::Table, "U", 10.0, 10.0, 20.0),
        ];
        assert_eq!(order(&candidates, &[]), ["T", "U", "I"]);
        let index = CollectedIndex {
            owner: "A".to_owned(),
            index: "I".to_owned(),
            table: Some("T".to_owned()),
            ..CollectedIndex::default()
        };
        let collected = |table: &str| {
            let index = CollectedIndex { table: Some(table.to_owned()), ..index.clone() };
            [Collected { indexes: vec![index], ..Collected::default() }]
        };
        assert_eq!(order(&candidates, &collected("T")), ["T", "I", "U"]);
        assert_eq!(order(&candidates, &collected("STAYS")), ["I", "T", "U"]);
    }

    #[test]
    fn files_wait_for_the_objects_in_them_and_containers_stay_together() {
        let mut candidates = vec![
            candidate(K::RestOfTablespace, "rest", 1.0, 100.0, 100.0),
            candidate(K::Index, "I", 1.0, 10.0, 10.0),
        ];
        assert_eq!(order(&candidates, &[]), ["I", "rest"]);
        for (name, seconds) in [("FIRST", 50.0), ("LAST", 1.0)] {
            let mut other = candidate(K::Table, name, 1.0, seconds, seconds);
            other.container = Some("PDB".to_owned());
            candidates.push(other);
        }
        assert_eq!(order(&candidates, &[]), ["FIRST", "LAST", "I", "rest"]);
    }
}
