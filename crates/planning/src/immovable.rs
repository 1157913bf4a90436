//! What the lists already say against moving an object by itself, and index-organized tables, which reports name by
//! their index.

use crate::plan::{Candidate, CandidateKind};
use spindle_facts::{Collected, CollectedIndex, CollectedTable};
use std::collections::HashMap;

/// Attributes of tables and indexes, by owner and name.
#[derive(Default)]
pub(crate) struct Attributes<'c> {
    tables: HashMap<(&'c str, &'c str), Vec<&'c CollectedTable>>,
    indexes: HashMap<(&'c str, &'c str), Vec<&'c CollectedIndex>>,
}

impl<'c> Attributes<'c> {
    pub(crate) fn of(collected: impl Iterator<Item = &'c Collected>) -> Self {
        let mut all = Self::default();
        for list in collected {
            for table in &list.tables {
                all.tables.entry((&table.owner, &table.table)).or_default().push(table);
            }
            for index in &list.indexes {
                all.indexes.entry((&index.owner, &index.index)).or_default().push(index);
            }
        }
        all
    }

    pub(crate) fn table(&self, c: &Candidate, owner: &str) -> Option<&'c CollectedTable> {
        let of_name = self.tables.get(&(owner, c.name.as_str()))?;
        of_name.iter().find(|t| t.container.is_none() || t.container == c.container).copied()
    }

    fn index(&self, c: &Candidate, owner: &str) -> Option<&'c CollectedIndex> {
        let of_name = self.indexes.get(&(owner, c.name.as_str()))?;
        of_name.iter().find(|i| i.container.is_none() || i.container == c.container).copied()
    }

    /// The index-organized table that an index holds: owner and name.
    pub(crate) fn index_organized(&self, c: &Candidate) -> Option<(&'c str, &'c str)> {
        if !matches!(c.kind, CandidateKind::Index | CandidateKind::IndexPartition) {
            return None;
        }
        let index = self.index(c, c.owner.as_deref()?)?;
        (index.index_type.as_deref() == Some("IOT - TOP"))
            .then(|| Some((index.table_owner.as_deref().unwrap_or(&index.owner), index.table.as_deref()?)))?
    }

    /// Why it does not move by itself, as far as the lists say.
    pub(crate) fn against(&self, c: &Candidate) -> Option<&'static str> {
        use CandidateKind as K;
        let owner = c.owner.as_deref()?;
        match c.kind {
            // An index may have the name of a table.
            K::Table | K::TablePartition | K::TableWithIndexes | K::Segment => {
                against_table(self.table(c, owner)?)
            }
            K::Index | K::IndexPartition => against_index(self.index(c, owner)?),
            _ => None,
        }
    }
}

fn against_table(t: &CollectedTable) -> Option<&'static str> {
    if t.has_long == Some(true) {
        return Some("it has a LONG column (ORA-00997): convert it to a LOB, or move its data files");
    }
    if t.cluster.is_some() {
        return Some("it is in a cluster (ORA-14512): move its data files, or copy it");
    }
    if t.temporary == Some(true) {
        return Some("it is temporary: it lies in the temporary tablespace");
    }
    if t.nested == Some(true) {
        return Some("it is the storage of a nested table: move it by hand");
    }
    if t.iot_type.as_deref().is_some_and(|i| i != "IOT") {
        return Some("it is a part of an index-organized table: it moves with it");
    }
    None
}

fn against_index(i: &CollectedIndex) -> Option<&'static str> {
    match i.index_type.as_deref() {
        Some("DOMAIN") => return Some("it is a domain index: its cartridge says where it lies"),
        Some("LOB") => return Some("it is the index of a LOB (ORA-02327): it moves with that"),
        _ => {}
    }
    (i.status.as_deref() == Some("UNUSABLE"))
        .then_some("it is unusable in the collected list: rebuild it first, if it is wanted")
}
