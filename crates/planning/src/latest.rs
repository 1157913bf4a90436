//! Several lists of one database as one: what two of them have, the newer one says; and the release that they are of.

use crate::words;
use spindle_facts::Collected;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What lists say of one thing: place of the list, bytes.
type Said = Vec<(usize, Option<f64>)>;

/// Lists with each segment, file and group once, newest list first: which of two sizes holds does not depend on the
/// order in which they were given. Where nobody knows which list is newer, a size that differs is not known.
pub(crate) fn merged<'c>(collected: &'c [Collected], warnings: &mut Vec<String>) -> Cow<'c, [Collected]> {
    if collected.len() < 2 {
        return Cow::Borrowed(collected);
    }
    let mut lists = collected.to_vec();
    lists.sort_by(|a, b| {
        (b.origin.collected_at.cmp(&a.origin.collected_at)).then_with(|| a.source.cmp(&b.source))
    });
    let mut doubts = Doubts::default();
    settle(
        &mut lists,
        &mut doubts,
        |l| &mut l.segments,
        |s| {
            let part = s.partition.clone().filter(|p| !p.is_empty());
            (s.container.clone(), s.owner.clone(), s.segment.clone(), s.segment_type.clone(), part)
        },
        |s| &mut s.bytes,
        |s| s.segment.clone(),
    );
    settle(
        &mut lists,
        &mut doubts,
        |l| &mut l.small_segments,
        |s| (s.container.clone(), s.tablespace.clone()),
        |s| &mut s.bytes,
        |s| format!("small segments in {}", s.tablespace),
    );
    settle(
        &mut lists,
        &mut doubts,
        |l| &mut l.files,
        |f| (f.container.clone(), f.file.clone(), f.file_id, f.is_temp),
        |f| &mut f.bytes,
        |f| f.file.clone(),
    );
    settle(
        &mut lists,
        &mut doubts,
        |l| &mut l.redo_groups,
        |g| (g.thread, g.group, g.is_standby),
        |g| &mut g.bytes,
        |g| format!("redo group {}", g.group),
    );
    settle(
        &mut lists,
        &mut doubts,
        |l| &mut l.control_files,
        |f| f.file.clone(),
        |f| &mut f.bytes,
        |f| f.file.clone(),
    );
    // Groups and control files that the newest list does not name are gone.
    let newest = lists.iter().position(|l| !l.redo_groups.is_empty() && l.origin.collected_at.is_some());
    for list in lists.iter_mut().skip(newest.map_or(usize::MAX, |n| n + 1)) {
        list.redo_groups.clear();
    }
    let newest = lists.iter().position(|l| !l.control_files.is_empty() && l.origin.collected_at.is_some());
    for list in lists.iter_mut().skip(newest.map_or(usize::MAX, |n| n + 1)) {
        list.control_files.clear();
    }
    warnings.extend(doubts.said());
    Cow::Owned(lists)
}

/// Sizes that differ between lists.
#[derive(Default)]
struct Doubts {
    /// How many the newer list decides, and one of them in words.
    newer: (usize, String),
    unknown: (usize, String),
}

impl Doubts {
    fn said(self) -> Vec<String> {
        let all = |n: usize| if n == 1 { "One size differs".to_owned() } else { format!("{n} sizes differ") };
        let mut said = Vec::new();
        if self.unknown.0 > 0 {
            said.push(format!(
                "{} between lists of which not all say when they were gathered, so none of them is known: {}.",
                all(self.unknown.0),
                self.unknown.1
            ));
        }
        if self.newer.0 > 0 {
            said.push(format!(
                "{} between the lists, and the newest one counts: {}.",
                all(self.newer.0),
                self.newer.1
            ));
        }
        said
    }
}

/// Leaves each thing to one list.
fn settle<T, K: Ord>(
    lists: &mut [Collected],
    doubts: &mut Doubts,
    rows: fn(&mut Collected) -> &mut Vec<T>,
    key: impl Fn(&T) -> K,
    bytes: fn(&mut T) -> &mut Option<f64>,
    named: impl Fn(&T) -> String,
) {
    let mut found: BTreeMap<K, Said> = BTreeMap::new();
    for (number, list) in lists.iter_mut().enumerate() {
        for row in rows(list) {
            let at = key(row);
            found.entry(at).or_default().push((number, *bytes(row)));
        }
    }
    // Rows of one list that repeat each other are left to whoever reads them.
    found.retain(|_, said| said.iter().map(|(list, _)| list).collect::<BTreeSet<_>>().len() > 1);
    if found.is_empty() {
        return;
    }
    let times: Vec<(Option<String>, String)> =
        lists.iter().map(|l| (l.origin.collected_at.clone(), l.source.clone())).collect();
    let mut winner: BTreeMap<&K, (usize, bool)> = BTreeMap::new();
    let mut told: BTreeSet<&K> = BTreeSet::new();
    for (key, said) in &found {
        let known: Vec<(usize, f64)> = said.iter().filter_map(|(list, b)| Some((*list, (*b)?))).collect();
        let Some((first, size)) = known.first().copied() else {
            winner.insert(key, (said[0].0, true));
            continue;
        };
        let differ = known.iter().any(|(_, other)| *other != size);
        // Newest first: a time that the next one shares, or that one lacks, decides nothing.
        let of = |list: usize| times.get(list).and_then(|(time, _)| time.as_deref());
        let dated = known.iter().all(|(list, _)| of(*list).is_some())
            && known.iter().all(|(list, other)| *list == first || *other == size || of(*list) < of(first));
        winner.insert(key, (first, !differ || dated));
        if differ {
            told.insert(key);
        }
    }
    for (number, list) in lists.iter_mut().enumerate() {
        let rows = rows(list);
        rows.retain(|row| winner.get(&key(row)).is_none_or(|(list, _)| *list == number));
        for row in rows.iter_mut() {
            let at = key(row);
            let (Some((_, is_known)), Some(said)) = (winner.get(&at), found.get(&at)) else { continue };
            if told.remove(&at) {
                let sizes: Vec<String> = said
                    .iter()
                    .filter_map(|(list, b)| {
                        Some(format!("{} in `{}`", words::bytes((*b)?), times.get(*list)?.1))
                    })
                    .collect();
                let of = if *is_known { &mut doubts.newer } else { &mut doubts.unknown };
                of.0 += 1;
                if of.0 == 1 {
                    of.1 = format!("`{}` takes {}", named(row), sizes.join(", "));
                }
            }
            if !is_known {
                *bytes(row) = None;
            }
        }
    }
}

/// The release that the newest list is of.
pub(crate) fn release<'c>(collected: impl Iterator<Item = &'c Collected>) -> Option<&'c str> {
    collected
        .filter_map(|list| Some((list.origin.collected_at.as_deref(), list.origin.version.as_deref()?)))
        .max()
        .map(|(_, version)| version)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use spindle_facts::{CollectedSegment, RedoGroup};

    fn list(source: &str, at: Option<&str>, bytes: f64) -> Collected {
        let mut list = Collected { source: source.into(), ..Collected::default() };
        list.origin.collected_at = at.map(str::to_owned);
        list.segments.push(CollectedSegment {
            segment: "T".into(),
            owner: Some("A".into()),
            bytes: Some(bytes),
            ..CollectedSegment::default()
        });
        list.redo_groups.push(RedoGroup { group: 1, bytes: Some(bytes), ..RedoGroup::default() });
        list
    }

    fn sizes(lists: &[Collected]) -> (Vec<Option<f64>>, usize, String) {
        let mut said = Vec::new();
        let merged = merged(lists, &mut said);
        let all = merged.iter().flat_map(|l| &l.segments).map(|s| s.bytes).collect();
        (all, merged.iter().map(|l| l.redo_groups.len()).sum(), said.join(" "))
    }

    #[test]
    fn of_two_lists_the_first_one_given_won() {
        let (old, new) =
            (list("o", Some("2020-01-01T00:00:00"), 40.0), list("n", Some("2021-01-01T00:00:00"), 10.0));
        for lists in [[old.clone(), new.clone()], [new, old]] {
            let (sizes, groups, said) = sizes(&lists);
            assert_eq!((sizes, groups), (vec![Some(10.0)], 1));
            assert!(said.contains("newest one counts"), "{said}");
        }
    }

    #[test]
    fn a_size_that_lists_without_a_time_contradict_was_taken_for_known() {
        for lists in [
            [list("o", None, 40.0), list("n", None, 10.0)],
            [list("o", Some("2020-01-01T00:00:00"), 40.0), list("n", None, 10.0)],
        ] {
            let (sizes, _, said) = sizes(&lists);
            assert_eq!(sizes, [None]);
            assert!(said.contains("none of them is known"), "{said}");
        }
        let (sizes, _, said) = sizes(&[list("o", None, 40.0), list("n", None, 40.0)]);
        assert_eq!((sizes, said.as_str()), (vec![Some(40.0)], ""));
    }
}
