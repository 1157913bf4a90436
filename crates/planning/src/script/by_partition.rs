//! A partitioned table or index moves partition by partition: a move of the whole is ORA-14511.

use crate::plan::{Candidate, CandidateKind, Plan};
use spindle_facts::Collected;

/// The plan with a candidate for each partition that a chosen one moves as.
pub(super) fn by_partition(plan: &Plan, collected: &[&Collected]) -> Plan {
    let mut by_partition = plan.clone();
    by_partition.candidates = Vec::new();
    by_partition.chosen = Vec::new();
    for candidate in &plan.candidates {
        let parts = parts(candidate, collected);
        by_partition.candidates.extend(if parts.is_empty() { vec![candidate.clone()] } else { parts });
    }
    for name in &plan.chosen {
        let Some(candidate) = plan.candidates.iter().find(|c| c.object == *name) else { continue };
        let parts = parts(candidate, collected);
        if parts.is_empty() {
            by_partition.chosen.push(name.clone());
        }
        by_partition.chosen.extend(parts.into_iter().map(|c| c.object));
    }
    by_partition
}

fn parts(whole: &Candidate, collected: &[&Collected]) -> Vec<Candidate> {
    if whole.partitions.is_empty() || whole.tier.is_none() {
        return Vec::new();
    }
    let kind = match whole.kind {
        CandidateKind::Index => CandidateKind::IndexPartition,
        _ => CandidateKind::TablePartition,
    };
    let mut parts: Vec<Candidate> = whole
        .partitions
        .iter()
        .map(|name| part(whole, &whole.name, whole.owner.as_deref(), kind, Some(name), collected))
        .collect();
    if whole.kind != CandidateKind::TableWithIndexes {
        return parts;
    }
    for index in collected.iter().flat_map(|c| &c.indexes) {
        let owner = index.table_owner.as_ref().unwrap_or(&index.owner);
        if !is_here(index.container.as_deref(), whole)
            || Some(owner) != whole.owner.as_ref()
            || index.table.as_ref() != Some(&whole.name)
        {
            continue;
        }
        let is_part = |s: &&spindle_facts::CollectedSegment| {
            is_here(s.container.as_deref(), whole)
                && s.segment == index.index
                && s.owner.as_ref() == Some(&index.owner)
                && s.segment_type.as_deref().is_some_and(|t| t.starts_with("INDEX"))
        };
        let own = collected.iter().flat_map(|c| &c.segments).filter(is_part);
        let mut names: Vec<&str> =
            own.filter_map(|s| s.partition.as_deref()).filter(|p| !p.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        let index_of = |kind, name| part(whole, &index.index, Some(&index.owner), kind, name, collected);
        if names.is_empty() {
            // Partitioned, and its partitions not named: its step says so.
            let partitioned = index.partitioned == Some(true);
            let kind = if partitioned { CandidateKind::IndexPartition } else { CandidateKind::Index };
            parts.push(index_of(kind, None));
        }
        parts.extend(names.into_iter().map(|name| index_of(CandidateKind::IndexPartition, Some(name))));
    }
    parts
}

/// Is it the same container, as far as both are known?
fn is_here(listed: Option<&str>, whole: &Candidate) -> bool {
    listed.zip(whole.container.as_deref()).is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
}

/// One part of a whole, where the lists say that it lies.
fn part(
    whole: &Candidate,
    name: &str,
    owner: Option<&str>,
    kind: CandidateKind,
    partition: Option<&str>,
    collected: &[&Collected],
) -> Candidate {
    let word = if kind == CandidateKind::TablePartition { "TABLE" } else { "INDEX" };
    let row = collected.iter().flat_map(|c| &c.segments).find(|s| {
        is_here(s.container.as_deref(), whole)
            && s.segment == name
            && s.partition.as_deref().filter(|p| !p.is_empty()) == partition
            && (s.owner.is_none() || s.owner.as_deref() == owner)
            && s.segment_type.as_deref().is_none_or(|t| t.starts_with(word))
    });
    Candidate {
        object: [owner, Some(name), partition].into_iter().flatten().collect::<Vec<_>>().join("."),
        kind,
        owner: owner.map(str::to_owned),
        name: name.to_owned(),
        partition: partition.map(str::to_owned),
        tablespace: row.and_then(|s| s.tablespace.clone()).or_else(|| whole.tablespace.clone()),
        size_bytes: row.and_then(|s| s.bytes),
        members: Vec::new(),
        ..whole.clone()
    }
}
