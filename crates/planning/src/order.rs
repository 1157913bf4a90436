//! In which order to move: one rule for the answer, the page and the script.
//!
//! Most seconds a byte that are sure go first, so that who stops halfway has gained what can be counted
//! on; what may save nothing comes after all that is sure to save something, by its likely seconds a
//! byte. No index and no LOB goes before a table that it may belong to, which would make it unusable
//! again. A tablespace whose data files move takes the objects in them along: they are one step, weighed together,
//! from 12.1 on (before that no data file moves online, and its objects move one by one, its files after them).
//! Containers are done one by one.

use crate::plan::{Candidate, CandidateKind};
use crate::range::Range;
use crate::script::Release;
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

/// Sure to save something, seconds a byte, and among equals what takes no lock first; of something with what it takes
/// along.
fn weight(c: &Candidate, along: &[&Candidate]) -> (bool, f64, u8) {
    let all = || std::iter::once(c).chain(along.iter().copied());
    let saves: Range = all().map(|c| c.saves_s.unwrap_or_default()).sum();
    let bytes = all().map(|c| c.size_bytes.unwrap_or(f64::INFINITY)).sum::<f64>().max(1.0);
    let sure = saves.low > 0.0;
    let lock = match c.kind {
        CandidateKind::Temp | CandidateKind::Redo => 0,
        kind if is_table(kind) => 1,
        _ => 2,
    };
    (sure, if sure { saves.low } else { saves.mid } / bytes, lock)
}

/// One candidate in the order in which to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its place among the candidates.
    pub(crate) candidate: usize,
    /// That of the tablespace that takes it along.
    pub(crate) with: Option<usize>,
}

/// The tablespace that takes a segment along with its data files.
fn taken_along(c: &Candidate, candidates: &[&Candidate]) -> Option<usize> {
    use CandidateKind as K;
    let is_segment = is_table(c.kind) || matches!(c.kind, K::Index | K::IndexPartition | K::Lob);
    let space = c.tablespace.as_deref().filter(|_| is_segment)?;
    candidates.iter().position(|whole| {
        matches!(whole.kind, K::RestOfTablespace | K::Tablespace)
            && whole.tablespace.as_deref().unwrap_or(&whole.name) == space
            && whole.container == c.container
            && whole.tier == c.tier
    })
}

/// The candidates in the order in which to move them, for a release.
pub(crate) fn of_moving(
    candidates: &[&Candidate],
    collected: &[Collected],
    release: Option<&str>,
) -> Vec<Place> {
    let moves_files = release.and_then(Release::of).is_some_and(|r| r.moves_files());
    let with: Vec<Option<usize>> =
        candidates.iter().map(|c| taken_along(c, candidates).filter(|_| moves_files)).collect();
    let mut left: BTreeMap<Group<'_>, usize> = BTreeMap::new();
    for (c, with) in candidates.iter().zip(&with) {
        // What its own tablespace takes along waits for nobody, and nobody's files wait for it.
        for group in groups(c).into_iter().filter(|g| with.is_none() || !matches!(g, Group::Space(..))) {
            *left.entry(group).or_default() += 1;
        }
    }
    let waits: Vec<Option<Group<'_>>> = candidates.iter().map(|c| waits_for(c, collected)).collect();
    let along = |whole: usize| -> Vec<usize> {
        (0..candidates.len()).filter(|n| with.get(*n).copied().flatten() == Some(whole)).collect()
    };
    let weights: Vec<(bool, f64, u8)> = (0..candidates.len())
        .map(|n| {
            let along: Vec<&Candidate> = along(n).into_iter().map(|n| candidates[n]).collect();
            weight(candidates[n], &along)
        })
        .collect();
    let heavier = |a: &usize, b: &usize| {
        let ((a_sure, a_dense, a_lock), (b_sure, b_dense, b_lock)) = (weights[*a], weights[*b]);
        (b_sure.cmp(&a_sure))
            .then(b_dense.total_cmp(&a_dense))
            .then(a_lock.cmp(&b_lock))
            .then_with(|| candidates[*a].object.cmp(&candidates[*b].object))
    };
    let mut open: Vec<usize> = (0..candidates.len()).filter(|n| with[*n].is_none()).collect();
    open.sort_by(heavier);
    let mut order: Vec<usize> = Vec::with_capacity(candidates.len());
    while !open.is_empty() {
        let ready = |n: &usize| waits[*n].as_ref().is_none_or(|w| left.get(w).is_none_or(|left| *left == 0));
        // What waits for tables is no table, and files wait for neither: something is always ready, but where an
        // index waits for a table that a tablespace takes along which waits for the index.
        let next = open.remove(open.iter().position(ready).unwrap_or(0));
        let mut step = along(next);
        step.sort_by(heavier);
        step.insert(0, next);
        for group in step.iter().flat_map(|n| groups(candidates[*n])) {
            if let Some(left) = left.get_mut(&group) {
                *left = left.saturating_sub(1);
            }
        }
        order.extend(step);
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
    order.into_iter().map(|candidate| Place { candidate, with: with[candidate] }).collect()
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
            moves_with: None,
            why: String::new(),
            excluded_because: None,
            price_per_s: None,
            sources: Vec::new(),
        }
    }

    fn order(candidates: &[Candidate], collected: &[Collected]) -> Vec<String> {
        in_release(candidates, collected, "11.2.0.4.0")
    }

    fn in_release(candidates: &[Candidate], collected: &[Collected], release: &str) -> Vec<String> {
        let all: Vec<&Candidate> = candidates.iter().collect();
        let order = of_moving(&all, collected, Some(release));
        order.into_iter().map(|place| candidates[place.candidate].object.clone()).collect()
    }

    #[test]
    fn steps_that_only_go_along_with_their_tablespace_were_numbered_before_it() {
        let candidates = [
            candidate(K::Table, "SMALL", 1.0, 100.0, 100.0),
            candidate(K::RestOfTablespace, "rest", 1_000.0, 100.0, 100.0),
            candidate(K::Temp, "temp", 10.0, 90.0, 100.0),
        ];
        assert_eq!(in_release(&candidates, &[], "19.0.0.0.0"), ["temp", "rest", "SMALL"]);
        let all: Vec<&Candidate> = candidates.iter().collect();
        let order = of_moving(&all, &[], Some("19.0.0.0.0"));
        assert_eq!(order.iter().map(|place| place.with).collect::<Vec<_>>(), [None, None, Some(1)]);
        // 11.2 moves no data file by script: the table moves by itself.
        assert_eq!(order_of_11(&candidates), ["SMALL", "temp", "rest"]);
    }

    fn order_of_11(candidates: &[Candidate]) -> Vec<String> {
        order(candidates, &[])
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
