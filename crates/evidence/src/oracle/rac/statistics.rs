//! System statistics: by instance in columns, over all instances in rows.
//!
//! Printed as `System Statistics`, `- Per Second`, `- Per Transaction` (columns are statistics),
//! `System Statistics (Global)` (a row a statistic, for all instances), `System Statistics (Absolute
//! Values)`. Traps: redo is in kB there, in bytes in the global section, which has the exact total.

use super::who;
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use spindle_facts::{InstanceStat, Report, SmolStr};
use std::collections::HashSet;

/// Name in `V$SYSSTAT` of a heading, and the factor to its unit.
fn statistic(key: &str) -> Option<(&'static str, f64)> {
    let stem = key.strip_suffix("/s").or_else(|| key.strip_suffix("/tx")).unwrap_or(key);
    Some(match stem {
        "logicalreads" => ("session logical reads", 1.0),
        "physicalreads" => ("physical reads", 1.0),
        "physicalwrites" => ("physical writes", 1.0),
        "redosizek" => ("redo size", 1_024.0),
        "blockchanges" => ("db block changes", 1.0),
        "usercalls" => ("user calls", 1.0),
        "execs" => ("execute count", 1.0),
        "parses" => ("parse count (total)", 1.0),
        "logons" => ("logons cumulative", 1.0),
        "txns" => ("transactions", 1.0),
        _ => return None,
    })
}

#[derive(Clone, Copy)]
enum Measure {
    Total,
    PerSecond,
    PerTransaction,
}

pub(super) fn read_totals(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Measure::Total)
}

pub(super) fn read_per_second(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Measure::PerSecond)
}

pub(super) fn read_per_transaction(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Measure::PerTransaction)
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, measure: Measure) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for column in 0..grid.columns.len() {
            let Some((name, factor)) = statistic(grid.columns[column].key()) else { continue };
            let Some(value) = context.count(grid, row, Some(column)).map(|v| v * factor) else { continue };
            rows += 1;
            let mine = |s: &&mut InstanceStat| s.instance_number == whom.number() && s.statistic == name;
            let line = InstanceStat {
                line: grid.row_line(row),
                section: context.section,
                instance_number: whom.number(),
                statistic: name.into(),
                ..empty()
            };
            let stats = &mut context.tables().instance_stat;
            let index = match stats.iter_mut().position(|s| mine(&s)) {
                Some(index) => index,
                None => {
                    stats.push(line);
                    stats.len() - 1
                }
            };
            let stat = &mut stats[index];
            match measure {
                Measure::Total => stat.total = Some(value),
                Measure::PerSecond => stat.per_second = Some(value),
                Measure::PerTransaction => stat.per_transaction = Some(value),
            }
        }
    }
    rows
}

fn empty() -> InstanceStat {
    InstanceStat {
        line: 0,
        section: 0,
        instance_number: None,
        statistic: SmolStr::default(),
        printed_as: None,
        total: None,
        per_second: None,
        per_transaction: None,
        begin_value: None,
        end_value: None,
    }
}

pub(super) fn read_global(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["statistic", "statisticname", "name"]);
    let total = grid.column(&["total"]);
    let per_second = grid.column(&["persecond"]);
    let per_transaction = grid.column(&["pertrans", "pertxn"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(printed) = context.text(grid, row, name) else { continue };
        let complete = names::complete_statistic(&printed);
        let line = InstanceStat {
            line: grid.row_line(row),
            section: context.section,
            statistic: complete.unwrap_or(&printed).into(),
            printed_as: complete.is_some().then_some(printed.into()),
            total: context.count(grid, row, total),
            per_second: context.count(grid, row, per_second),
            per_transaction: context.count(grid, row, per_transaction),
            ..empty()
        };
        context.tables().instance_stat.push(line);
        rows += 1;
    }
    rows
}

pub(super) fn read_absolute(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    const GROUPS: [(&str, &str); 3] = [
        ("logons current", "sessions"),
        ("opened cursors current", "opencursors"),
        ("session cursor cache count", "sessioncachedcursors"),
    ];
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        for (name, group) in GROUPS {
            let at = |key: &str| grid.columns.iter().position(|c| c.group_key() == group && c.key() == key);
            let begin_value = context.count(grid, row, at("begin"));
            let end_value = context.count(grid, row, at("end"));
            if begin_value.is_none() && end_value.is_none() {
                continue;
            }
            if name == "logons current" && whom.number().is_none() {
                context.report.identity.begin_sessions = begin_value;
                context.report.identity.end_sessions = end_value;
            }
            let line = InstanceStat {
                line: grid.row_line(row),
                section: context.section,
                instance_number: whom.number(),
                statistic: name.into(),
                begin_value,
                end_value,
                ..empty()
            };
            context.tables().instance_stat.push(line);
            rows += 1;
        }
    }
    rows
}

/// The global section's row stands where both print a statistic for all instances.
pub(super) fn finish(report: &mut Report) {
    let title = |id| report.section_title(id).contains("(Global)");
    let global: HashSet<SmolStr> = report
        .tables
        .instance_stat
        .iter()
        .filter(|s| s.instance_number.is_none() && title(s.section))
        .map(|s| s.statistic.clone())
        .collect();
    let sections: HashSet<u16> =
        (0..report.sections.len()).filter_map(|i| u16::try_from(i).ok()).filter(|i| title(*i)).collect();
    report.tables.instance_stat.retain(|s| {
        s.instance_number.is_some() || sections.contains(&s.section) || !global.contains(&s.statistic)
    });
}
