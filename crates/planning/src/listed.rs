//! Segments of the lists, each once: by owner, name and kind, with their partitions.
//!
//! A list may name a segment twice, or a table as a whole and its partitions too; two lists may name the
//! same; a list may lack owners, partitions or types. What cannot be told apart has no size.

use crate::class::Class;
use crate::demand::ObjectKey;
use crate::sizes::{Space, add};
use spindle_facts::{Collected, CollectedSegment};
use std::collections::{BTreeMap, BTreeSet};

/// All rows of one owner, name and kind.
#[derive(Clone, Debug)]
pub(crate) struct Group<'c> {
    pub(crate) container: Option<&'c str>,
    pub(crate) owner: Option<&'c str>,
    pub(crate) class: Option<Class>,
    rows: Vec<(&'c CollectedSegment, &'c str)>,
    /// A list of tables or indexes says so.
    said_partitioned: bool,
}

/// What the lists say of one name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed<'c> {
    by_name: BTreeMap<&'c str, Vec<Group<'c>>>,
}

fn partition(segment: &CollectedSegment) -> Option<&str> {
    segment.partition.as_deref().filter(|p| !p.is_empty())
}

fn is_part(segment: &CollectedSegment) -> bool {
    segment.segment_type.as_deref().is_some_and(|t| t.contains("PARTITION"))
}

impl<'c> Group<'c> {
    /// Bytes of all of it; `None` where a size is missing, or where rows of one name cannot be told apart.
    pub(crate) fn bytes(&self) -> Option<f64> {
        let parts = self.partitions();
        let parts_bytes: Option<f64> = parts.values().map(|s| s.bytes).sum();
        let whole = self.whole_bytes();
        match (parts.is_empty(), whole) {
            (true, whole) => whole?,
            (false, None) => parts_bytes,
            // Listed as a whole and by partition: the same bytes twice.
            (false, Some(whole)) => Some(parts_bytes?.max(whole?)),
        }
    }

    /// Bytes of the rows that name no partition; `None` without such rows.
    #[allow(clippy::option_option, reason = "no rows, and rows without a size, are two things")]
    fn whole_bytes(&self) -> Option<Option<f64>> {
        let unnamed = || self.rows.iter().filter(|(s, _)| partition(s).is_none());
        let source = unnamed().next()?.1;
        // A second file that lists it repeats it.
        let rows: Vec<&CollectedSegment> =
            unnamed().filter(|(_, from)| *from == source).map(|(s, _)| *s).collect();
        if rows.iter().all(|s| is_part(s)) {
            return Some(rows.iter().map(|s| s.bytes).sum());
        }
        let first = rows.first()?.bytes;
        let same = rows.len() == 1 || self.owner.is_some() && rows.iter().all(|s| s.bytes == first);
        Some(first.filter(|_| same))
    }

    /// Rows with the name of a partition, by it.
    pub(crate) fn partitions(&self) -> BTreeMap<&'c str, &'c CollectedSegment> {
        let mut found = BTreeMap::new();
        for (segment, _) in &self.rows {
            if let Some(name) = partition(segment) {
                found.entry(name).or_insert(*segment);
            }
        }
        found
    }

    /// Bytes by the tablespace that they lie in, each once; `None` where a size is missing.
    pub(crate) fn by_space(&self) -> Option<Vec<(Option<&'c str>, f64)>> {
        let mut found = Vec::new();
        let mut left = self.bytes()?;
        for part in self.partitions().values() {
            let bytes = part.bytes?;
            left -= bytes;
            found.push((part.tablespace.as_deref(), bytes));
        }
        if left > 0.0 {
            let whole = self.rows.iter().find(|(s, _)| partition(s).is_none());
            found.push((whole.and_then(|(s, _)| s.tablespace.as_deref()), left));
        }
        Some(found)
    }

    pub(crate) fn is_partitioned(&self) -> bool {
        self.said_partitioned || self.rows.iter().any(|(s, _)| partition(s).is_some() || is_part(s))
    }

    /// Partitions, named or not; one where it has none.
    pub(crate) fn parts(&self) -> usize {
        let named = self.partitions().len();
        if named > 0 {
            return named;
        }
        let source = self.rows.first().map(|(_, from)| *from);
        self.rows.iter().filter(|(s, from)| is_part(s) && Some(*from) == source).count().max(1)
    }

    pub(crate) fn tablespace(&self) -> Option<&'c str> {
        self.rows.iter().find_map(|(s, _)| s.tablespace.as_deref())
    }

    /// The row that says where it stands, of the whole or of one partition.
    pub(crate) fn row(&self, part: Option<&str>) -> Option<(&'c CollectedSegment, &'c str)> {
        self.rows.iter().find(|(s, _)| part.is_none() || partition(s) == part).copied()
    }
}

impl<'c> Listed<'c> {
    pub(crate) fn of(collected: &'c [Collected]) -> Self {
        let mut listed = Self::default();
        for file in collected {
            for segment in &file.segments {
                let class = Class::of(segment.segment_type.as_deref());
                let (container, owner) = (segment.container.as_deref(), segment.owner.as_deref());
                listed.group(&segment.segment, container, owner, class).rows.push((segment, &file.source));
            }
        }
        for file in collected {
            for t in file.tables.iter().filter(|t| t.partitioned == Some(true)) {
                listed.say_partitioned(&t.table, &t.owner, Class::Table);
            }
            for i in file.indexes.iter().filter(|i| i.partitioned == Some(true)) {
                listed.say_partitioned(&i.index, &i.owner, Class::Index);
            }
        }
        listed
    }

    fn group(
        &mut self,
        name: &'c str,
        container: Option<&'c str>,
        owner: Option<&'c str>,
        class: Option<Class>,
    ) -> &mut Group<'c> {
        let groups = self.by_name.entry(name).or_default();
        let is = |g: &Group<'_>| g.container == container && g.owner == owner && g.class == class;
        let at = groups.iter().position(is).unwrap_or_else(|| {
            groups.push(Group { container, owner, class, rows: Vec::new(), said_partitioned: false });
            groups.len() - 1
        });
        &mut groups[at]
    }

    fn say_partitioned(&mut self, name: &str, owner: &str, class: Class) {
        for group in self.by_name.get_mut(name).into_iter().flatten() {
            if group.owner.is_none_or(|o| o == owner) && group.class.is_none_or(|c| c == class) {
                group.said_partitioned = true;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Names, with their groups.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&'c str, &Group<'c>)> {
        self.by_name.iter().flat_map(|(name, groups)| groups.iter().map(|g| (*name, g)))
    }

    /// The only group that an owner, name and kind can mean; `None` where there is none, or several.
    pub(crate) fn find(&self, owner: Option<&str>, name: &str, class: Option<Class>) -> Option<&Group<'c>> {
        self.only(None, owner, name, class)
    }

    /// The same in a container, where that is known.
    pub(crate) fn find_in(
        &self,
        container: Option<&str>,
        owner: Option<&str>,
        name: &str,
        class: Option<Class>,
    ) -> Option<&Group<'c>> {
        self.only(container, owner, name, class)
    }

    /// The only group that a report's object in a container can be.
    pub(crate) fn of_key(&self, key: &ObjectKey, container: Option<&str>) -> Option<&Group<'c>> {
        self.only(container, key.owner.as_deref(), &key.name, key.class)
    }

    fn only(
        &self,
        container: Option<&str>,
        owner: Option<&str>,
        name: &str,
        class: Option<Class>,
    ) -> Option<&Group<'c>> {
        let groups = self.by_name.get(name)?;
        let fits = |g: &&Group<'c>| {
            Class::may_be(class, g.class)
                && (owner.is_none() || g.owner.is_none() || g.owner == owner)
                && match (g.container, container) {
                    (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
                    _ => true,
                }
        };
        let mut found = groups.iter().filter(fits);
        let first = found.next()?;
        match found.next() {
            None => Some(first),
            // A list that says all goes before one that leaves something open.
            Some(_) => {
                let mut exact = groups.iter().filter(fits).filter(|g| g.owner == owner && g.class == class);
                let one = exact.next()?;
                exact.next().is_none().then_some(one)
            }
        }
    }

    /// A name that differs in the case of its letters alone: names in quotes keep theirs.
    pub(crate) fn in_other_letters(&self, name: &str) -> Option<&'c str> {
        self.by_name.keys().find(|n| **n != name && n.eq_ignore_ascii_case(name)).copied()
    }

    /// Bytes by tablespace, each segment once; unknown where the size of one is.
    pub(crate) fn add_spaces(&self, files: &BTreeSet<&str>, spaces: &mut BTreeMap<Space<'c>, Option<f64>>) {
        for (_, group) in self.groups() {
            let parts = group.partitions();
            let mut left = group.bytes();
            for part in parts.values() {
                if let Some(space) = part.tablespace.as_deref()
                    && group.row(partition(part)).is_some_and(|(_, from)| files.contains(from))
                {
                    add(spaces, (group.container, space), part.bytes);
                    left = left.zip(part.bytes).map(|(left, bytes)| left - bytes);
                }
            }
            let whole = group.rows.iter().find(|(s, from)| partition(s).is_none() && files.contains(from));
            if let Some(space) = whole.and_then(|(s, _)| s.tablespace.as_deref()) {
                add(spaces, (group.container, space), left.map(|left| left.max(0.0)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn row(owner: Option<&str>, kind: Option<&str>, part: Option<&str>, bytes: f64) -> CollectedSegment {
        CollectedSegment {
            owner: owner.map(str::to_owned),
            segment: "T".into(),
            segment_type: kind.map(str::to_owned),
            partition: part.map(str::to_owned),
            tablespace: Some("DATA".into()),
            bytes: Some(bytes),
            ..CollectedSegment::default()
        }
    }

    fn bytes(rows: Vec<CollectedSegment>, owner: Option<&str>, class: Option<Class>) -> Option<f64> {
        let collected = [Collected { source: "list".into(), segments: rows, ..Collected::default() }];
        Listed::of(&collected).find(owner, "T", class).and_then(Group::bytes)
    }

    #[test]
    fn a_partitioned_table_listed_whole_and_by_partition_counted_twice() {
        let a = Some("A");
        let parts = || {
            vec![
                row(a, Some("TABLE PARTITION"), Some("P1"), 10.0),
                row(a, Some("TABLE PARTITION"), Some("P2"), 20.0),
            ]
        };
        let mut rows = parts();
        rows.push(row(a, Some("TABLE"), None, 30.0));
        assert_eq!(bytes(rows, a, Some(Class::Table)), Some(30.0));
        // Small partitions may be left out of a list; the whole is not smaller than its parts.
        let mut rows = parts();
        rows.push(row(a, Some("TABLE"), None, 31.0));
        assert_eq!(bytes(rows.clone(), a, Some(Class::Table)), Some(31.0));
        let collected = [Collected { source: "list".into(), segments: rows, ..Collected::default() }];
        let mut spaces = BTreeMap::new();
        Listed::of(&collected).add_spaces(&BTreeSet::from(["list"]), &mut spaces);
        assert_eq!(spaces[&(None, "DATA")], Some(31.0));
    }

    #[test]
    fn partitions_without_names_were_taken_for_one_segment_listed_often() {
        let a = Some("A");
        let kind = Some("TABLE PARTITION");
        assert_eq!(bytes(vec![row(a, kind, None, 10.0), row(a, kind, None, 10.0)], a, None), Some(20.0));
        let twice = || row(a, Some("TABLE"), None, 10.0);
        assert_eq!(bytes(vec![twice(), twice()], a, None), Some(10.0));
    }

    #[test]
    fn a_table_and_an_index_of_one_name_added_up() {
        let a = Some("A");
        let rows = || vec![row(a, Some("TABLE"), None, 10.0), row(a, Some("INDEX"), None, 4.0)];
        assert_eq!(bytes(rows(), a, Some(Class::Table)), Some(10.0));
        assert_eq!(bytes(rows(), a, Some(Class::Index)), Some(4.0));
        assert_eq!(bytes(rows(), a, None), None, "which of the two is not known");
    }

    #[test]
    fn one_name_of_two_owners_added_up() {
        let rows = || vec![row(Some("A"), None, None, 10.0), row(Some("B"), None, None, 4.0)];
        assert_eq!(bytes(rows(), Some("B"), None), Some(4.0));
        assert_eq!(bytes(rows(), None, None), None);
        let nobody = || vec![row(None, None, None, 10.0), row(None, None, None, 10.0)];
        assert_eq!(bytes(nobody(), Some("A"), None), None, "two owners' tables may be of one size");
    }
}
