//! Names that text reports cut off at the width of their columns, made whole again by the lists.
//!
//! A name is completed only where it is as long as its column, so that something may be missing, and
//! where exactly one segment of the lists or of the plans fits: same owner, same kind, same partition.
//! Everything that joins by name comes later, masking too: a pseudonym has no beginning to compare.

use crate::class::Class;
use spindle_facts::{Collected, Report, SegmentStat, SmolStr};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A segment as the dictionary names it; the owner where a list has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Whole {
    container: Option<String>,
    owner: Option<String>,
    class: Option<Class>,
    partition: Option<String>,
}

/// Owner, name, partition and kind as a row prints them.
type Printed = (Option<SmolStr>, Option<SmolStr>, Option<SmolStr>, Option<Class>);

/// What a row completes to.
type Completed<'n> = (&'n str, &'n Whole);

/// All names that lists and plans hold.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_name: BTreeMap<String, BTreeSet<Whole>>,
    tablespaces: BTreeSet<String>,
}

impl Names {
    /// Names of what was collected.
    #[must_use]
    pub fn of(collected: &[Collected]) -> Self {
        let mut names = Self::default();
        for file in collected {
            for s in &file.segments {
                names.by_name.entry(s.segment.clone()).or_default().insert(Whole {
                    container: s.container.clone(),
                    owner: s.owner.clone(),
                    class: Class::of(s.segment_type.as_deref()),
                    partition: s.partition.clone().filter(|p| !p.is_empty()),
                });
                names.tablespaces.extend(s.tablespace.clone());
            }
            names.tablespaces.extend(file.small_segments.iter().map(|s| s.tablespace.clone()));
            names.tablespaces.extend(file.tablespaces.iter().map(|t| t.tablespace.clone()));
            names.tablespaces.extend(file.files.iter().map(|f| f.tablespace.clone()));
            for row in file.plan_rows.iter().chain(&file.history_plan_rows) {
                let (Some(object), Some(class)) = (&row.object, Class::of_operation(&row.operation)) else {
                    continue;
                };
                let known = names.by_name.entry(object.clone()).or_default();
                let is_known = |w: &Whole| {
                    Class::may_be(w.class, Some(class))
                        && (row.object_owner.is_none() || w.owner.is_none() || w.owner == row.object_owner)
                };
                if !known.iter().any(is_known) {
                    known.insert(Whole {
                        container: None,
                        owner: row.object_owner.clone(),
                        class: Some(class),
                        partition: None,
                    });
                }
            }
        }
        names
    }

    /// Completes the names of segments in a report. What stays in doubt keeps its mark, and is joined
    /// with nothing.
    pub fn complete(&self, report: &mut Report) {
        if self.by_name.is_empty() {
            return;
        }
        let mut known: HashMap<Printed, Option<Completed<'_>>> = HashMap::new();
        for row in &mut report.tables.segment_stat {
            if row.filled.tablespace
                && let Some(whole) = row.tablespace.as_deref().and_then(|t| self.tablespace(t))
            {
                row.tablespace = Some(whole.into());
                row.filled.tablespace = false;
            }
            let filled = row.filled;
            if !(filled.owner || filled.object || filled.subobject) {
                continue;
            }
            let key = (
                row.owner.clone(),
                row.object.clone(),
                row.subobject.clone(),
                Class::of(row.object_type.as_deref()),
            );
            let Some((name, whole)) = *known.entry(key).or_insert_with(|| self.only(row)) else { continue };
            row.object = Some(name.into());
            if filled.owner
                && let Some(owner) = &whole.owner
            {
                row.owner = Some(owner.into());
            }
            if filled.subobject
                && let Some(partition) = &whole.partition
            {
                row.subobject = Some(partition.into());
            }
            (row.filled.owner, row.filled.object, row.filled.subobject) = (false, false, false);
        }
    }

    /// The only segment that a row can mean.
    fn only(&self, row: &SegmentStat) -> Option<Completed<'_>> {
        let object = row.object.as_deref()?;
        let class = Class::of(row.object_type.as_deref());
        let fits = |printed: Option<&str>, filled: bool, whole: Option<&str>| match (printed, whole) {
            (Some(printed), Some(whole)) if filled => whole.starts_with(printed),
            (Some(printed), Some(whole)) => whole == printed,
            // A list without owners, or with tables as a whole, leaves it open.
            _ => true,
        };
        let subobject = row.subobject.as_deref().filter(|s| !s.is_empty());
        let mut found = self
            .by_name
            .range(object.to_owned()..)
            .take_while(|(name, _)| name.starts_with(object))
            .filter(|(name, _)| row.filled.object || name.as_str() == object)
            .flat_map(|(name, wholes)| wholes.iter().map(move |w| (name.as_str(), w)))
            .filter(|(_, w)| {
                Class::may_be(class, w.class)
                    && fits(row.container.as_deref(), false, w.container.as_deref())
                    && fits(row.owner.as_deref(), row.filled.owner, w.owner.as_deref())
                    && fits(subobject, row.filled.subobject, w.partition.as_deref())
            });
        let first = found.next()?;
        let same = |(name, w): Completed<'_>| {
            name == first.0
                && w.owner == first.1.owner
                && w.class == first.1.class
                && (subobject.is_none() || w.partition == first.1.partition)
        };
        found.all(same).then_some(first)
    }

    fn tablespace(&self, printed: &str) -> Option<&str> {
        let mut found =
            self.tablespaces.range(printed.to_owned()..).take_while(|name| name.starts_with(printed));
        let first = found.next()?;
        found.next().is_none().then_some(first.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_facts::{CollectedSegment, FilledNames, Identity, Kind, Layout};

    fn list(segments: &[(&str, &str, &str, Option<&str>)]) -> Names {
        let segments = segments
            .iter()
            .map(|(owner, segment, kind, partition)| CollectedSegment {
                owner: Some((*owner).into()),
                segment: (*segment).into(),
                segment_type: Some((*kind).into()),
                partition: partition.map(str::to_owned),
                ..CollectedSegment::default()
            })
            .collect();
        Names::of(&[Collected { segments, ..Collected::default() }])
    }

    /// Owner, object and whether the object is still in doubt, after completion.
    fn completed(
        names: &Names,
        owner: &str,
        object: &str,
        kind: &str,
        filled: FilledNames,
    ) -> (String, String, bool) {
        let mut report = Report::new(Identity::unknown("r", Kind::Awr, Layout::Text));
        report.tables.segment_stat.push(SegmentStat {
            owner: Some(owner.into()),
            object: Some(object.into()),
            object_type: Some(kind.into()),
            filled,
            ..SegmentStat::default()
        });
        names.complete(&mut report);
        let row = report.tables.segment_stat.remove(0);
        (row.owner.unwrap_or_default().into(), row.object.unwrap_or_default().into(), row.filled.object)
    }

    const CUT: FilledNames = FilledNames { owner: false, tablespace: false, object: true, subobject: false };

    fn whole(owner: &str, object: &str, in_doubt: bool) -> (String, String, bool) {
        (owner.to_owned(), object.to_owned(), in_doubt)
    }

    #[test]
    fn a_short_name_was_completed_by_its_beginning() {
        let names = list(&[("APP", "CUSTOMER_ORDER_ITEM_LINES", "TABLE", None)]);
        let shorter = FilledNames::default();
        assert_eq!(
            completed(&names, "APP", "CUSTOMER_ORDER_ITEM", "TABLE", shorter),
            whole("APP", "CUSTOMER_ORDER_ITEM", false)
        );
        assert_eq!(
            completed(&names, "APP", "CUSTOMER_ORDER_ITEM_", "TABLE", CUT),
            whole("APP", "CUSTOMER_ORDER_ITEM_LINES", false)
        );
    }

    #[test]
    fn a_clipped_index_was_completed_to_a_table_and_to_another_owners() {
        let names = list(&[("APP", "CUSTOMER_ORDER_ITEM_LINES", "TABLE", None)]);
        for (owner, kind) in [("APP", "INDEX"), ("OTHER", "TABLE")] {
            let left = completed(&names, owner, "CUSTOMER_ORDER_ITEM_", kind, CUT);
            assert_eq!(left, whole(owner, "CUSTOMER_ORDER_ITEM_", true), "{owner} {kind}");
        }
    }

    #[test]
    fn a_name_that_two_segments_begin_with_was_taken_for_one_of_them() {
        // One of the two is as long as the column: it too may be meant.
        let names = list(&[
            ("APP", "CUSTOMER_ORDER_ITEM_", "TABLE", None),
            ("APP", "CUSTOMER_ORDER_ITEM_LINES", "TABLE", None),
        ]);
        assert_eq!(
            completed(&names, "APP", "CUSTOMER_ORDER_ITEM_", "TABLE", CUT),
            whole("APP", "CUSTOMER_ORDER_ITEM_", true)
        );
        let alone = list(&[("APP", "CUSTOMER_ORDER_ITEM_", "TABLE", None)]);
        assert_eq!(
            completed(&alone, "APP", "CUSTOMER_ORDER_ITEM_", "TABLE", CUT),
            whole("APP", "CUSTOMER_ORDER_ITEM_", false)
        );
    }

    #[test]
    fn partitions_of_one_table_are_one_name_and_clipped_owners_grow_too() {
        let names = list(&[
            ("CUSTOMER_CARE", "CUSTOMER_ORDER_ITEM_LINES", "TABLE PARTITION", Some("P1")),
            ("CUSTOMER_CARE", "CUSTOMER_ORDER_ITEM_LINES", "TABLE PARTITION", Some("P2")),
        ]);
        let both = FilledNames { owner: true, object: true, ..FilledNames::default() };
        assert_eq!(
            completed(&names, "CUSTOMER_C", "CUSTOMER_ORDER_ITEM_", "TABLE", both),
            whole("CUSTOMER_CARE", "CUSTOMER_ORDER_ITEM_LINES", false)
        );
    }
}
