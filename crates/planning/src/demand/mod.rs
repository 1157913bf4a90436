//! What one report says about I/O, reduced to what a placement needs: waits that storage shortens,
//! and who makes the requests.

mod accounts;
mod commit;
mod key;
mod objects;
mod totals;
mod waits;

pub(crate) use accounts::{Accounts, BEHIND, Fit, Pace, UNLIKE};
pub(crate) use commit::CommitDemand;
pub(crate) use key::{KeyKind, ObjectKey};
pub(crate) use objects::{ObjectIo, Printed, Scenario, Split};
pub(crate) use totals::{Advice, Totals};
pub(crate) use waits::{Service, WaitDemand};

use crate::plan::Component;
use spindle_diagnosis::{Case, Options, counts_its_statements, diagnose};
use spindle_facts::{Kind, MISSING_FROM_HISTORY, PlanRow, Report, Scope, Side, SmolStr};

/// One report, reduced.
///
/// Unit: seconds and requests over the interval. Missing: `None` as in the facts.
#[derive(Clone, Debug)]
pub(crate) struct IntervalDemand {
    pub(crate) source: String,
    pub(crate) db_name: Option<String>,
    pub(crate) db_id: Option<u64>,
    pub(crate) container: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) instance_number: Option<u32>,
    /// Covers all instances.
    pub(crate) is_global: bool,
    pub(crate) spans_restart: bool,
    /// What the diagnosis says of the report.
    pub(crate) storage_is_the_problem: Option<bool>,
    /// What it says of CPUs that sessions queue for, or that are kept from them: `The CPUs of the host were 92 % busy on
    /// average`.
    pub(crate) cpu_is_short: Option<String>,
    pub(crate) begin_time: Option<String>,
    pub(crate) end_time: Option<String>,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) db_time_s: Option<f64>,
    /// What DB time was derived from, where the report prints none.
    pub(crate) db_time_from: Option<&'static str>,
    pub(crate) cpu_s: Option<f64>,
    pub(crate) unexplained_s: f64,
    /// Foreground waits that no storage shortens.
    pub(crate) other_waits_s: f64,
    /// Foreground waits that count, of those printed: less than all where they are more than DB time.
    pub(crate) counted_share: f64,
    /// Seconds of printed waits that do not count, since CPU and waits are more than DB time.
    pub(crate) cut_waits_s: f64,
    pub(crate) waits: Vec<WaitDemand>,
    pub(crate) commit: Option<CommitDemand>,
    pub(crate) totals: Totals,
    pub(crate) advice: Advice,
    /// Segments, tablespaces and files with their requests.
    pub(crate) objects: Vec<ObjectIo>,
    /// Does it print waits of sessions by event?
    pub(crate) prints_events: bool,
    /// Seconds of `User I/O` and `Commit` that are printed by class or in sum, and that no event holds.
    pub(crate) unread_s: [f64; 2],
    /// Sections of a history that broke off, or that the database answered with an error, a sentence each.
    pub(crate) broken: Vec<String>,
    /// Seconds of `User I/O` and `Commit` at most, where waits are printed by class alone.
    pub(crate) class_waits_s: Option<[f64; 2]>,
    /// Foreground seconds of waits that storage answers and of which the report prints no number: reads, commits.
    pub(crate) uncounted_s: [f64; 2],
    /// Means of today's writes by event, microseconds.
    pub(crate) writes_us: Vec<(&'static str, f64)>,
    /// Foreground seconds of smart scans, which no tier serves.
    pub(crate) smart_scan_s: f64,
    /// Read requests that flash in storage answered, and all of them, where printed.
    pub(crate) flash_reads: Option<(f64, f64)>,
    /// Mean reads of its tablespaces that cannot be, a sentence each.
    pub(crate) misprints: Vec<String>,
    /// What tablespaces print of their reads, held against the waits.
    pub(crate) accounts: Accounts,
    /// Smallest value of the ranking by physical reads: what is not listed was not read more.
    pub(crate) least_listed_blocks: Option<f64>,
    /// Where its accounts of objects contradict each other.
    pub(crate) contradictions: Vec<String>,
    pub(crate) statements: Vec<StatementIo>,
    /// An AWR SQL report: of one statement, over an interval that other reports may cover too.
    pub(crate) is_of_sql: bool,
    /// It was given for its plans alone, and is no interval of its own.
    pub(crate) is_for_plans: bool,
    /// Rows of the execution plans that it prints.
    pub(crate) plan_rows: Vec<PlanRow>,
}

/// One statement in one report.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatementIo {
    pub(crate) sql_id: Option<String>,
    pub(crate) old_hash: Option<u64>,
    pub(crate) plan_hash: Option<u64>,
    pub(crate) module: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) executions: Option<f64>,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) cpu_s: Option<f64>,
    pub(crate) io_wait_s: Option<f64>,
    pub(crate) physical_reads: Option<f64>,
    /// A block or call, which counts what its statements do.
    pub(crate) is_block: bool,
}

/// Seconds of `User I/O` and `Commit` at most, those of background processes with them: what is printed is rounded.
fn class_waits_s(report: &Report) -> Option<[f64; 2]> {
    let rows = || report.tables.wait_class.iter().filter(|r| r.side != Side::Background);
    let for_all = rows().any(|r| r.instance_number.is_none());
    let most = |class: &str| {
        let of_class = rows().filter(|r| r.wait_class == class && r.instance_number.is_none() == for_all);
        of_class.filter_map(|r| r.time_s_high.or(r.time_s)).reduce(|a, b| a + b)
    };
    Some([most("User I/O")?, most("Commit")?])
}

/// Sections of a history that say nothing, with the line and the reason.
fn broken(report: &Report) -> Vec<String> {
    let notes = report.notes.iter().filter(|n| n.effect == MISSING_FROM_HISTORY);
    let said = |line: u32| format!(", line {line}");
    notes
        .map(|n| {
            let section = n.section.as_deref().unwrap_or("a section");
            let line = n.line.map(said).unwrap_or_default();
            format!("`{}`{line}: section {section}: {}; {}", report.identity.source, n.message, n.effect)
        })
        .collect()
}

impl IntervalDemand {
    /// Reduces a report.
    pub(crate) fn of(report: &Report) -> Self {
        let case = Case::new(report, &Options::default());
        let totals = Totals::of(&case);
        let waits = waits::waits(&case, &totals);
        let commit = commit::commit(&case);
        let side = &case.response_time.foreground;
        let counted: f64 = side.classes.iter().flat_map(|c| &c.events).map(|e| e.counted_s).sum();
        let printed: f64 = side.classes.iter().flat_map(|c| &c.events).map(|e| e.time_s).sum();
        // What a class holds beside its events: none is printed of it, or rows are lost.
        let unread = |class: &str| {
            let own = side.classes.iter().find(|c| c.wait_class == class);
            let in_none = |c: &spindle_diagnosis::ClassTime| {
                c.time_s - c.events.iter().map(|e| e.counted_s).sum::<f64>()
            };
            own.map_or(0.0, in_none).max(0.0)
        };
        let by_class: f64 = side.classes.iter().map(|c| c.time_s).sum();
        let unread_s = ["User I/O", "Commit"].map(unread);
        let prints_events = case.events.iter().any(|e| e.side != Side::Background);
        let served: f64 = waits.iter().map(|w| w.time_s.mid).sum::<f64>()
            + commit.as_ref().map_or(0.0, |c| c.time_s.mid + c.space_s.mid);
        let id = &report.identity;
        let diagnosis = diagnose(report, &Options::default());
        let short = diagnosis.findings.iter().find(|f| f.rule == "cpu_saturated");
        let objects::Objects { mut objects, least: least_listed_blocks, contradictions, .. } =
            objects::objects(report, &totals);
        let accounts = accounts::balance(&mut objects, report, &case, &totals);
        Self {
            source: id.source.clone(),
            db_name: id.db_name.clone(),
            db_id: id.db_id,
            container: id.container.clone(),
            version: id.version.clone(),
            instance_number: id.instance_number,
            is_global: id.scope == Scope::Database,
            spans_restart: id.spans_restart,
            storage_is_the_problem: diagnosis.storage_is_the_problem,
            cpu_is_short: short.and_then(|f| f.title.split("; ").next().map(str::to_owned)),
            begin_time: id.begin_time.clone(),
            end_time: id.end_time.clone(),
            elapsed_s: case.elapsed_s(),
            db_time_s: side.db_time_s.filter(|t| *t > 0.0),
            db_time_from: side.db_time_from.or_else(|| {
                // A miner file prints sessions, or centiseconds a second, which is the same.
                let is_miner = id.kind == Kind::AwrMiner && report.tables.time_model.is_empty();
                is_miner.then_some("average active sessions")
            }),
            cpu_s: side.cpu_s,
            unexplained_s: side.unexplained_s.unwrap_or(0.0),
            other_waits_s: (by_class.max(counted) - unread_s[0] - unread_s[1] - served).max(0.0),
            counted_share: if printed > 0.0 { (counted / printed).min(1.0) } else { 1.0 },
            cut_waits_s: (printed - counted).max(0.0),
            waits,
            commit,
            advice: Advice::of(&case),
            totals,
            objects,
            prints_events,
            unread_s,
            broken: broken(report),
            class_waits_s: (!prints_events).then(|| class_waits_s(report)).flatten(),
            uncounted_s: waits::uncounted_s(&case),
            writes_us: waits::writes_us(&case),
            smart_scan_s: waits::smart_scan_s(&case),
            flash_reads: waits::flash_reads(&case),
            misprints: misprints(report),
            accounts,
            least_listed_blocks,
            contradictions,
            statements: statements(report),
            is_of_sql: id.kind == Kind::AwrSql,
            is_for_plans: false,
            plan_rows: if id.kind == Kind::AwrSql { report.tables.plan_row.clone() } else { Vec::new() },
        }
    }

    /// Seconds that the response time counts for a kind of wait.
    pub(crate) fn component_s(&self, component: Component) -> f64 {
        match component {
            Component::Commit => return self.commit.as_ref().map_or(0.0, |c| c.time_s.mid),
            Component::LogSpace => return self.commit.as_ref().map_or(0.0, |c| c.space_s.mid),
            _ => {}
        }
        self.waits.iter().filter(|w| w.component == component).map(|w| w.time_s.mid).sum()
    }
}

/// What the reader says of sections that paces are taken from.
fn misprints(report: &Report) -> Vec<String> {
    let tables = &report.tables;
    let spaces = tables.tablespace_io.iter().map(|r| r.section);
    let sections: std::collections::BTreeSet<&str> =
        spaces.chain(tables.file_io.iter().map(|f| f.io.section)).map(|s| report.section_title(s)).collect();
    report
        .notes
        .iter()
        .filter(|note| note.section.as_deref().is_some_and(|s| sections.contains(s)))
        .map(|note| format!("`{}`: {}; {}.", report.identity.source, note.message, note.effect))
        .collect()
}

/// Statements of all rankings, one each, the most complete figures of any ranking.
fn statements(report: &Report) -> Vec<StatementIo> {
    let mut found: std::collections::BTreeMap<(SmolStr, Option<u64>), StatementIo> =
        std::collections::BTreeMap::new();
    for row in &report.tables.sql_stat {
        if row.instance_number.is_some() && report.identity.scope == Scope::Database {
            // A RAC-global report may repeat a statement by instance.
            continue;
        }
        if row.sql_id.is_none() && row.old_hash.is_none() {
            continue;
        }
        let key = (row.sql_id.clone().unwrap_or_default(), row.old_hash);
        let entry = found.entry(key).or_insert_with(|| StatementIo {
            sql_id: row.sql_id.as_ref().map(ToString::to_string),
            old_hash: row.old_hash,
            is_block: counts_its_statements(report, row),
            text: report
                .tables
                .sql_text
                .iter()
                .find(|t| {
                    t.sql_id.is_some() && t.sql_id == row.sql_id
                        || t.old_hash.is_some() && t.old_hash == row.old_hash
                })
                .map(|t| t.text.clone()),
            ..StatementIo::default()
        });
        let io_from_pct = row.elapsed_s.zip(row.io_pct).map(|(s, pct)| s * (pct / 100.0).clamp(0.0, 1.0));
        // An AWR SQL report prints a statement once for each of its plans.
        let is_of_sql = report.identity.kind == Kind::AwrSql;
        let fill = |cell: &mut Option<f64>, value: Option<f64>| {
            *cell = match (*cell, value) {
                (Some(sum), Some(value)) if is_of_sql => Some(sum + value),
                (known, value) => known.or(value),
            }
        };
        fill(&mut entry.executions, row.executions);
        fill(&mut entry.elapsed_s, row.elapsed_s);
        fill(&mut entry.cpu_s, row.cpu_s);
        fill(&mut entry.physical_reads, row.physical_reads);
        fill(&mut entry.io_wait_s, row.io_wait_s.or(io_from_pct));
        entry.plan_hash = entry.plan_hash.or(row.plan_hash);
        if entry.module.is_none() {
            entry.module = row.module.as_ref().map(ToString::to_string);
        }
    }
    found.into_values().collect()
}
