//! Execution plans: which objects a statement reads, how its measured reads divide over them, and the
//! published volume by object and access path.
//!
//! The published sum, over (executions + 1) x bytes (E7), means the volume of full scans. For access by
//! rowid or through an index the optimizer's bytes are of rows, not of blocks read, so nothing is ranked
//! by it. What is ranked by are the reads that the report measured for the statement, divided over the
//! objects of its plan: what each line was measured to read, else the blocks of a scanned object, else
//! the line's own share of the I/O cost. The cost of what a nested loop probes is that of one probe: all probes
//! together cost what is left of the loop beside its outer side. A scan reads no more than its object each time.

use crate::class::Class;
use crate::demand::{IntervalDemand, KeyKind, ObjectIo, ObjectKey, Printed, Split, StatementIo};
use crate::listed::{Group, Listed};
use crate::plan::{CandidateKind, PlanVolume};
use spindle_facts::{Collected, PlanRow};
use std::collections::{BTreeMap, BTreeSet};

/// What stands as the source of reads that a statement was measured to do.
pub(crate) const SECTION: &str = "statements' reads, divided over their plans";

/// One statement and plan.
#[derive(Clone, Debug, Default)]
struct OnePlan<'c> {
    rows: Vec<&'c PlanRow>,
    source: &'c str,
}

/// What a part of a plan reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    /// Owner, where the plan says, name, and whether the table or the index of that name.
    Object(Option<String>, String, Option<Class>),
    Temp,
}

/// A part of a statement's I/O.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) target: Target,
    /// Blocks, as a weight against the statement's other parts.
    pub(crate) blocks: f64,
    /// Scanned in large requests, as against block by block.
    pub(crate) is_scan: bool,
    pub(crate) object_type: Option<String>,
    /// Most that it reads each time that the statement runs: scans of objects whose size is known.
    most: Option<f64>,
}

/// Lines of a plan that are looked at; the optimizer's longest have some thousands.
const MOST_LINES: usize = 5_000;

type StatementKey = (Option<String>, Option<u64>);

/// Blocks of an object that no section lists.
#[derive(Default)]
struct Apportioned {
    blocks: f64,
    scanned: f64,
    singly: f64,
    object_type: Option<String>,
}

/// All plans given.
pub(crate) struct PlanBook<'c> {
    plans: BTreeMap<(StatementKey, Option<u64>), OnePlan<'c>>,
    by_statement: BTreeMap<StatementKey, Vec<Option<u64>>>,
    listed: Listed<'c>,
    /// Blocks read by each statement over all intervals, and how often it ran, where printed.
    reads: BTreeMap<StatementKey, (f64, Option<f64>)>,
    block_bytes: f64,
}

impl<'c> PlanBook<'c> {
    pub(crate) fn of(collected: &'c [Collected], intervals: &[IntervalDemand]) -> Self {
        let mut plans: BTreeMap<(StatementKey, Option<u64>), OnePlan<'c>> = BTreeMap::new();
        let mut seen: BTreeSet<(StatementKey, Option<u64>, u32)> = BTreeSet::new();
        for file in collected {
            for row in &file.plan_rows {
                let key = ((row.sql_id.clone(), row.old_hash), row.plan_hash);
                // Child cursors share a plan, and files repeat it: each line counts once.
                let is_new = row.id.is_none_or(|id| seen.insert((key.0.clone(), key.1, id)));
                let plan = plans.entry(key).or_default();
                if is_new && plan.rows.len() < MOST_LINES {
                    plan.rows.push(row);
                    plan.source = &file.source;
                }
            }
        }
        let mut by_statement: BTreeMap<StatementKey, Vec<Option<u64>>> = BTreeMap::new();
        for (statement, plan) in plans.keys() {
            by_statement.entry(statement.clone()).or_default().push(*plan);
        }
        let mut reads: BTreeMap<StatementKey, (f64, Option<f64>)> = BTreeMap::new();
        for statement in intervals.iter().flat_map(|i| &i.statements) {
            if let Some(blocks) = statement.physical_reads {
                let sum =
                    reads.entry((statement.sql_id.clone(), statement.old_hash)).or_insert((0.0, Some(0.0)));
                *sum = (sum.0 + blocks, sum.1.zip(statement.executions).map(|(all, own)| all + own.max(1.0)));
            }
        }
        let block_bytes = intervals.first().map_or(8192.0, |i| i.totals.block_bytes);
        Self { plans, by_statement, listed: Listed::of(collected), reads, block_bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    /// Parts of a statement's I/O by its plan; `None` where no plan was given.
    pub(crate) fn parts(&self, statement: &StatementIo) -> Option<Vec<Part>> {
        let wanted = |key: &StatementKey| {
            statement.sql_id.is_some() && key.0 == statement.sql_id
                || statement.old_hash.is_some() && key.1 == statement.old_hash
        };
        let (key, plans) = self.by_statement.iter().find(|(key, _)| wanted(key))?;
        let chosen = plans.iter().find(|p| p.is_some() && **p == statement.plan_hash).or_else(|| {
            // Several plans, none of them named by the report: the one executed most.
            plans.iter().max_by(|a, b| {
                let executions = |p: &Option<u64>| {
                    let rows = self.plans.get(&(key.clone(), *p)).map(|p| p.rows.as_slice());
                    rows.and_then(|r| r.iter().find_map(|r| r.executions)).unwrap_or(0.0)
                };
                executions(a).total_cmp(&executions(b)).then(b.cmp(a))
            })
        })?;
        let mut parts = self.parts_of(self.plans.get(&(key.clone(), *chosen))?);
        if let (Some(reads), Some(executions)) = (statement.physical_reads, statement.executions) {
            divide(&mut parts, reads, executions.max(1.0));
        }
        Some(parts)
    }

    fn parts_of(&self, plan: &OnePlan<'_>) -> Vec<Part> {
        let measured = plan.rows.iter().any(|r| r.measured_reads.is_some_and(|m| m > 0.0));
        let mut parts: Vec<Part> = Vec::new();
        let mut add =
            |target: Target, blocks: f64, is_scan: bool, object_type: Option<String>, most: Option<f64>| {
                if blocks <= 0.0 {
                    return;
                }
                match parts.iter_mut().find(|p| p.target == target && p.is_scan == is_scan) {
                    Some(part) => {
                        part.blocks += blocks;
                        part.most = part.most.zip(most).map(|(a, b)| a + b);
                    }
                    None => parts.push(Part { target, blocks, is_scan, object_type, most }),
                }
            };
        let probes = if measured { BTreeMap::new() } else { probes(plan) };
        for row in &plan.rows {
            let (Some(object), true) = (&row.object, reads_blocks(row)) else {
                // A sort or join that reads, reads what it spilled.
                let temp = match row.temp_bytes.filter(|t| *t > 0.0) {
                    _ if measured => self.own_reads(plan, row),
                    Some(temp) => temp / self.block_bytes,
                    None => 0.0,
                };
                add(Target::Temp, temp, true, None, None);
                continue;
            };
            let is_scan = is_scan(row);
            let times = row.id.and_then(|id| probes.get(&id)).copied().unwrap_or(1.0);
            let (mut most, target) =
                (None, Target::Object(row.object_owner.clone(), object.clone(), class_of(row)));
            let blocks = if measured {
                self.own_reads(plan, row)
            } else if is_scan {
                let listed = self.listed.find(row.object_owner.as_deref(), object, class_of(row));
                let blocks = self.scanned_blocks(row) * times;
                most = listed.and_then(Group::bytes).map(|_| blocks);
                blocks
            } else {
                own_cost(plan, row) * times
            };
            add(target, blocks, is_scan, row.object_type.clone(), most);
        }
        parts
    }

    /// Blocks that a line read itself: row-source statistics count the lines below it too.
    fn own_reads(&self, plan: &OnePlan<'_>, row: &PlanRow) -> f64 {
        let below: f64 = children(plan, row).filter_map(|r| r.measured_reads).sum();
        (row.measured_reads.unwrap_or(0.0) - below).max(0.0)
    }

    /// Blocks of a full scan: of the object as collected, of its touched partitions by their number or
    /// by the optimizer's bytes, else by those alone.
    fn scanned_blocks(&self, row: &PlanRow) -> f64 {
        let by_estimate = row.bytes.map(|b| b / self.block_bytes);
        let name = row.object.as_deref().unwrap_or("");
        let collected = self.listed.find(row.object_owner.as_deref(), name, class_of(row));
        let whole = collected.and_then(Group::bytes).map(|bytes| bytes / self.block_bytes);
        let touched = collected.and_then(|group| touched(row, group.parts()));
        let pruned = row.partition_start.as_deref().is_some_and(|s| !s.is_empty() && s != "1");
        match (whole, touched, by_estimate) {
            (Some(whole), Some(touched), _) if whole > 0.0 => whole * touched,
            (Some(whole), None, Some(part)) if pruned => part.min(whole),
            (Some(whole), ..) if whole > 0.0 => whole,
            (_, _, Some(part)) => part,
            _ => row.io_cost.or(row.cost).unwrap_or(1.0) * 8.0,
        }
        .max(1.0)
    }

    /// Reads of objects that an interval's segment sections do not list, as its plans divide them.
    pub(crate) fn unlisted(&self, interval: &IntervalDemand) -> Vec<ObjectIo> {
        if self.is_empty() {
            return Vec::new();
        }
        type Named<'n> = (Option<&'n str>, Option<Class>);
        let mut listed: BTreeMap<&str, Vec<Named<'_>>> = BTreeMap::new();
        for key in interval.objects.iter().map(|o| &o.key).filter(|k| k.kind == KeyKind::Segment) {
            listed.entry(&key.name).or_default().push((key.owner.as_deref(), key.class));
        }
        let is_listed = |owner: Option<&str>, name: &str, class: Option<Class>| {
            let same = |(o, c): &Named<'_>| {
                (owner.is_none() || o.is_none() || *o == owner) && Class::may_be(*c, class)
            };
            listed.get(name).is_some_and(|all| all.iter().any(same))
        };
        let mut found: BTreeMap<(Option<String>, String, Option<Class>), Apportioned> = BTreeMap::new();
        for statement in interval.statements.iter().filter(|s| !s.is_block) {
            let (Some(reads), Some(parts)) = (statement.physical_reads, self.parts(statement)) else {
                continue;
            };
            let all: f64 = parts.iter().map(|p| p.blocks).sum();
            for part in &parts {
                let Target::Object(owner, name, class) = &part.target else { continue };
                // Plans of DBMS_XPLAN print no owners; the lists may know the only one.
                let owner = &owner.clone().or_else(|| {
                    self.listed.find(None, name, *class).and_then(|group| group.owner.map(str::to_owned))
                });
                if is_listed(owner.as_deref(), name, *class) || all <= 0.0 {
                    continue;
                }
                let blocks = reads * part.blocks / all;
                let entry = found.entry((owner.clone(), name.clone(), *class)).or_default();
                entry.blocks += blocks;
                if part.is_scan {
                    entry.scanned += blocks;
                } else {
                    entry.singly += blocks;
                }
                entry.object_type = entry.object_type.take().or_else(|| part.object_type.clone());
            }
        }
        // No more than nobody listed, and none more than the least that is listed.
        let listed_blocks: f64 =
            interval.objects.iter().filter(|o| o.key.kind == KeyKind::Segment).map(|o| o.read_blocks).sum();
        let temp = interval.totals.temp_read_blocks.unwrap_or(0.0);
        let room = interval.totals.read_blocks.map(|all| (all - listed_blocks - temp).max(0.0));
        let sum: f64 = found.values().map(|f| f.blocks).sum();
        let fits = room.filter(|_| sum > 0.0).map_or(1.0, |room| (room / sum).min(1.0));
        let most = interval.least_listed_blocks.unwrap_or(f64::INFINITY);
        let totals = &interval.totals;
        found
            .into_iter()
            .map(|((owner, name, class), Apportioned { blocks, scanned, singly, object_type })| {
                let likely = (blocks * fits).min(most);
                let scale = if blocks > 0.0 { likely / blocks } else { 0.0 };
                let upper = most.min(room.unwrap_or(likely)).max(likely);
                let is_index = class == Some(Class::Index);
                let split = |single: f64, multi: f64| Split {
                    single,
                    multi: multi / totals.multi_blocks.max(1.0),
                    direct_blocks: 0.0,
                };
                ObjectIo {
                    key: ObjectKey {
                        kind: KeyKind::Segment,
                        container: None,
                        owner: owner.clone(),
                        name: name.clone(),
                        partition: None,
                        class,
                    },
                    kind: if is_index { CandidateKind::Index } else { CandidateKind::Table },
                    tablespace: self
                        .listed
                        .find(owner.as_deref(), &name, class)
                        .and_then(|group| group.tablespace().map(str::to_owned)),
                    object_type: object_type.clone(),
                    read_blocks: likely,
                    read_requests: None,
                    split: [split(0.0, 0.0), split(singly * scale, scanned * scale), split(upper, 0.0)],
                    direct_write_blocks: 0.0,
                    write_blocks: None,
                    pace: None,
                    otherwise: Vec::new(),
                    may_be_cut: false,
                    source: Printed {
                        source: interval.source.as_str().into(),
                        section: SECTION.into(),
                        line: 0,
                    },
                }
            })
            .collect()
    }

    /// The published volumes, largest first.
    pub(crate) fn volumes(&self) -> Vec<PlanVolume> {
        type Path<'a> = (Option<&'a str>, &'a str, &'a str, Option<&'a str>);
        let mut volumes: BTreeMap<Path<'_>, PlanVolume> = BTreeMap::new();
        // A statement with two plans is one; a plan that reads an object in two lines ran as often as it ran.
        let mut counted: BTreeSet<(Path<'_>, &StatementKey)> = BTreeSet::new();
        for ((statement, _), plan) in &self.plans {
            let mut ran: BTreeSet<Path<'_>> = BTreeSet::new();
            let (reads, executions) =
                self.reads.get(statement).copied().map_or((None, None), |(reads, n)| (Some(reads), n));
            let mut parts = self.parts_of(plan);
            if let (Some(reads), Some(executions)) = (reads, executions) {
                divide(&mut parts, reads, executions);
            }
            let all: f64 = parts.iter().map(|p| p.blocks).sum();
            let plans = self.by_statement.get(statement).map_or(1, Vec::len);
            for row in &plan.rows {
                let (Some(object), Some(bytes)) = (&row.object, row.bytes) else { continue };
                // Queues of parallel processes (`:TQ10001`), views and sequences have names too.
                if !reads_blocks(row) {
                    continue;
                }
                let path: Path<'_> =
                    (row.object_owner.as_deref(), object, &row.operation, row.options.as_deref());
                let executions = row.executions.unwrap_or(0.0);
                let volume = volumes.entry(path).or_insert_with(|| PlanVolume {
                    owner: row.object_owner.clone(),
                    object: object.clone(),
                    operation: row.operation.clone(),
                    options: row.options.clone(),
                    statements: 0,
                    executions: 0.0,
                    volume_bytes: 0.0,
                    apportioned_reads: None,
                    volume_means_io: is_scan(row),
                });
                volume.statements += usize::from(counted.insert((path, statement)));
                if ran.insert(path) {
                    volume.executions += executions;
                }
                volume.volume_bytes += (executions + 1.0) * bytes;
                let target = Target::Object(row.object_owner.clone(), object.clone(), class_of(row));
                let part = parts.iter().find(|p| p.target == target && p.is_scan == is_scan(row));
                if let (Some(reads), Some(part)) = (reads, part)
                    && all > 0.0
                {
                    // Several plans of a statement share its reads; several lines of a plan their part.
                    let lines = plan
                        .rows
                        .iter()
                        .filter(|r| r.object == row.object && is_scan(r) == is_scan(row) && reads_blocks(r))
                        .count();
                    *volume.apportioned_reads.get_or_insert(0.0) +=
                        reads * part.blocks / all / plans as f64 / lines.max(1) as f64;
                }
            }
        }
        let mut volumes: Vec<PlanVolume> = volumes.into_values().collect();
        volumes.sort_by(|a, b| b.volume_bytes.total_cmp(&a.volume_bytes));
        volumes
    }
}

/// Whether a line reads a table or an index.
fn class_of(row: &PlanRow) -> Option<Class> {
    Class::of(row.object_type.as_deref()).or_else(|| Class::of_operation(&row.operation))
}

fn children<'p>(plan: &'p OnePlan<'_>, row: &'p PlanRow) -> impl Iterator<Item = &'p PlanRow> {
    plan.rows.iter().copied().filter(move |r| row.id.is_some() && r.parent_id == row.id)
}

/// A line's own I/O cost in single-block reads: the optimizer's counts the lines below it.
fn own_cost(plan: &OnePlan<'_>, row: &PlanRow) -> f64 {
    let cost = |r: &PlanRow| r.io_cost.or(r.cost);
    let Some(own) = cost(row) else { return 1.0 };
    let below: f64 = children(plan, row).filter_map(cost).sum();
    (own - below).max(1.0)
}

/// Times that lines are run, where they are the probed side of a nested loop: its cost is of one probe, as far as the
/// loop's own cost is more than that and its outer side (a list may print it multiplied already).
fn probes(plan: &OnePlan<'_>) -> BTreeMap<u32, f64> {
    let cost = |r: &PlanRow| r.io_cost.or(r.cost);
    let mut times: BTreeMap<u32, f64> = BTreeMap::new();
    let mut rows: Vec<&PlanRow> = plan.rows.iter().copied().filter(|r| r.id.is_some()).collect();
    // Each line stands after its parent.
    rows.sort_by_key(|r| r.id);
    let mut of_children: BTreeMap<u32, Vec<&PlanRow>> = BTreeMap::new();
    for row in &rows {
        if let Some(parent) = row.parent_id.filter(|parent| row.id.is_some_and(|id| id > *parent)) {
            of_children.entry(parent).or_default().push(row);
        }
    }
    for row in &rows {
        let Some(id) = row.id else { continue };
        let own = times.get(&id).copied().unwrap_or(1.0);
        let Some(children) = of_children.get(&id) else { continue };
        let more = match children.as_slice() {
            [outer, inner] if row.operation.starts_with("NESTED LOOPS") => {
                let left = cost(row).zip(cost(outer)).map(|(all, outer)| all - outer);
                let probe = cost(inner).filter(|c| *c > 0.0);
                left.zip(probe).map_or(1.0, |(left, probe)| (left / probe).max(1.0))
            }
            _ => 1.0,
        };
        for (number, child) in children.iter().enumerate() {
            if let Some(child) = child.id {
                times.insert(child, if number == 0 { own } else { own * more });
            }
        }
    }
    times
}

/// Divides the reads of a statement over its parts: none reads more than it can in so many runs, and what that leaves
/// goes to the others.
fn divide(parts: &mut [Part], reads: f64, executions: f64) {
    let mut full = vec![false; parts.len()];
    let mut left = reads;
    loop {
        let open: f64 = parts.iter().zip(&full).filter(|(_, full)| !**full).map(|(p, _)| p.blocks).sum();
        if open <= 0.0 {
            return;
        }
        let mut is_settled = true;
        for at in 0..parts.len() {
            let Some(most) = parts[at].most.map(|most| most * executions) else { continue };
            if !full[at] && left * parts[at].blocks / open > most {
                full[at] = true;
                is_settled = false;
            }
        }
        // What all can read is less than what was: nothing tells who read the rest.
        if full.iter().all(|full| *full) {
            return;
        }
        if is_settled {
            for (part, full) in parts.iter_mut().zip(&full) {
                part.blocks = match part.most {
                    Some(most) if *full => most * executions,
                    _ => left * part.blocks / open,
                };
            }
            return;
        }
        let taken = parts.iter().zip(&full).filter(|(_, full)| **full);
        left = (reads - taken.filter_map(|(p, _)| p.most).sum::<f64>() * executions).max(0.0);
    }
}

/// Share of an object's partitions from the first to the last that a line touches; `None` where the plan
/// leaves them to the run (`KEY`) or the object has but one segment.
fn touched(row: &PlanRow, segments: usize) -> Option<f64> {
    let number = |text: &Option<String>| text.as_deref()?.trim().parse::<u32>().ok();
    let (first, last) = (number(&row.partition_start)?, number(&row.partition_stop)?);
    (segments > 1 && first <= last)
        .then(|| (f64::from(last - first) + 1.0) / segments as f64)
        .map(|share| share.min(1.0))
}

/// Does the line read the object in large requests?
fn is_scan(row: &PlanRow) -> bool {
    let options = row.options.as_deref().unwrap_or("");
    // `INDEX FULL SCAN` follows the leaves one by one; `FAST FULL SCAN` reads as a table is scanned.
    options.contains("FAST FULL") || options.contains("FULL") && !options.contains("FULL SCAN")
}

/// Does the line read blocks of its object, as against naming it?
fn reads_blocks(row: &PlanRow) -> bool {
    let operation = row.operation.as_str();
    ["TABLE ACCESS", "INDEX", "MAT_VIEW", "BITMAP INDEX"].iter().any(|o| operation.starts_with(o))
        && !operation.contains("BUILD")
}
