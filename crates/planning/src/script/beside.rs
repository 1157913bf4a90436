//! What goes with a table and what does not: its indexes and LOBs; and the warnings before a table moves
//! offline.

use super::names::{comment, literal};
use super::step::Context;
use crate::plan::{Candidate, CandidateKind};
use std::fmt::Write as _;

/// Indexes and LOBs of a table that the plan moves too: with an offline move they go to their place at
/// once, so that nothing is written twice.
pub(super) fn followers(context: &Context<'_>, table: &Candidate) -> String {
    let mut out = String::new();
    if context.release.number >= (12, 2) {
        return out;
    }
    for index in context.collected.iter().flat_map(|f| &f.indexes) {
        let of_table = index.table_owner.as_ref().or(Some(&index.owner)) == table.owner.as_ref()
            && index.table.as_ref() == Some(&table.name)
            && (index.container.is_none() || index.container == table.container);
        let tier = context.tier_of(CandidateKind::Index, &index.owner, &index.index, table);
        if let Some(tier) = tier.filter(|_| of_table) {
            let (name, target) =
                (literal(&format!("{}.{}", index.owner, index.index)), context.bind("ts", tier));
            let _ = writeln!(out, "  l_index_to({name}) := {target};");
        }
    }
    for lob in context.lobs(table) {
        if let Some(tier) = context.tier_of(CandidateKind::Lob, &lob.owner, &lob.segment, table) {
            let _ = writeln!(out, "  l_lob_to({}) := {};", literal(&lob.segment), context.bind("ts", tier));
        }
    }
    out
}

/// LOB columns named in a warning.
const LOBS_NAMED: usize = 5;

/// Said aloud: a table moves without its LOBs.
pub(super) fn lobs_that_stay(context: &Context<'_>, table: &Candidate) -> String {
    let staying: Vec<String> = context
        .lobs(table)
        .into_iter()
        .filter(|l| context.tier_of(CandidateKind::Lob, &l.owner, &l.segment, table).is_none())
        .map(|l| {
            let bytes: Vec<f64> = context
                .collected
                .iter()
                .flat_map(|c| &c.segments)
                .filter(|s| s.owner.as_ref() == Some(&l.owner) && s.segment == l.segment)
                .filter_map(|s| s.bytes)
                .collect();
            let size = if bytes.is_empty() {
                String::new()
            } else {
                format!("{:.0} MB ", bytes.iter().sum::<f64>() / f64::from(1 << 20))
            };
            let place = l.tablespace.as_deref().map_or_else(|| "its tablespace".to_owned(), str::to_owned);
            format!("{} ({size}in {place})", l.column)
        })
        .collect();
    if staying.is_empty() {
        return String::new();
    }
    let named = staying[..staying.len().min(LOBS_NAMED)].join(", ");
    let more = staying.len().saturating_sub(LOBS_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "prompt {}\n",
        comment(&format!(
            "!!! STAYS: its LOB columns stay where they are: {named}{more}. They were not chosen (alter table ... move \
             lob (column) store as (tablespace ...) moves them)"
        ))
    )
}

/// Said aloud, before it happens.
pub(super) const TABLE_OFFLINE: &str = "\
prompt !!! OFFLINE: from here on this table takes no changes, and from the MOVE on its indexes are UNUSABLE
prompt !!! until each is rebuilt, right after it, unique ones first. Queries that need one scan the table
prompt !!! meanwhile, changes that need a unique one fail (ORA-01502).
-- Before 12.2 a table moves offline only. Room for the table, and for its indexes once more, is looked for
-- before anything is touched; sorting them takes as much in the temporary tablespace of whoever runs this.
";

pub(super) const PARTITION_OFFLINE: &str = "\
prompt !!! OFFLINE: this partition takes no changes while it moves. Indexes stay usable (update indexes).
-- Before 12.1 a partition moves offline only.
";

pub(super) const LOB_OFFLINE: &str = "\
prompt !!! OFFLINE: a LOB moves by a MOVE of its table, which takes no changes meanwhile, and whose indexes
prompt !!! are UNUSABLE until each is rebuilt, right after it (of a partition they stay usable).
-- An online move of a LOB is not used: the documentation of 12.2 and later rules other clauses out.
";
