//! AWR SQL reports: one statement, its plans and what each of them cost.
//!
//! Printed as `SQL ID: ...`, then for each plan `Plan Statistics` (a row a statistic: total, by
//! execution, share of the snapshots) and `Execution Plan` (kept raw), then `Full SQL Text`. Times are in
//! ms.

use super::context::Context;
use super::sections::{Entry, Read, look_up};
use crate::grid::{Grid, fold};
use spindle_facts::{SqlStat, SqlText};

static SECTIONS: &[Entry] =
    &[(&["sqlid*"], read_plans), (&["planstatistics*"], read_statistics), (&["fullsqltext"], read_text)];

const MS_PER_S: f64 = 1_000.0;

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

/// `SQL ID: ...`: one row a plan.
fn read_plans(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let hash = grid.column(&["planhashvalue"]);
    let elapsed = grid.column(&["totalelapsedtimems"]);
    let executions = grid.column(&["executions"]);
    let sql_id = behind(context.report.section_title(context.section), "SQL ID:");
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(plan_hash) = context.id(grid, row, hash) else { continue };
        let stat = SqlStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by: "elapsed_time",
            sql_id: sql_id.clone(),
            plan_hash: Some(plan_hash),
            elapsed_s: context.count(grid, row, elapsed).map(|ms| ms / MS_PER_S),
            executions: context.count(grid, row, executions),
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(stat);
        rows += 1;
    }
    rows
}

/// The word behind a label.
fn behind(text: &str, label: &str) -> Option<String> {
    let rest = text.split_once(label)?.1.trim_start();
    let word: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    (!word.is_empty()).then_some(word)
}

fn read_statistics(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["statname"]);
    let total = grid.column(&["statementtotal", "statementtotals"]);
    let share = grid.column(&["%snaptotal"]);
    if name.is_none() || total.is_none() || grid.is_empty() {
        return 0;
    }
    let mut stat = SqlStat {
        line: grid.row_line(0),
        section: context.section,
        ranked_by: "elapsed_time",
        ..SqlStat::default()
    };
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, name).map(fold) else { continue };
        let value = context.count(grid, row, total);
        let seconds = value.map(|v| v / MS_PER_S);
        rows += 1;
        match label.as_str() {
            "elapsedtimems" => {
                stat.elapsed_s = seconds;
                stat.share_pct = context.count(grid, row, share);
            }
            "cputimems" => stat.cpu_s = seconds,
            "useri/owaittimems" => stat.io_wait_s = seconds,
            "clusterwaittimems" => stat.cluster_wait_s = seconds,
            "executions" => stat.executions = value,
            "buffergets" => stat.buffer_gets = value,
            "diskreads" => stat.physical_reads = value,
            "parsecalls" => stat.parse_calls = value,
            "rows" => stat.rows_processed = value,
            "versioncount" => stat.version_count = value,
            "sharablememkb" => stat.sharable_memory_bytes = value.map(|v| v * 1_024.0),
            _ => rows -= 1,
        }
    }
    if rows == 0 {
        return 0;
    }
    // The list of plans comes first, in the same order: the statistics belong to its next row.
    let next =
        |s: &&mut SqlStat| s.plan_hash.is_some() && s.buffer_gets.is_none() && s.elapsed_s == stat.elapsed_s;
    match context.tables().sql_stat.iter_mut().find(next) {
        Some(plan) => {
            *plan = SqlStat { sql_id: plan.sql_id.take(), plan_hash: plan.plan_hash, ..stat };
        }
        None => context.tables().sql_stat.push(stat),
    }
    rows
}

fn read_text(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let (id, text) = (grid.column(&["sqlid"]), grid.column(&["sqltext"]));
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(sql_id), Some(words)) = (context.text(grid, row, id), context.text(grid, row, text)) else {
            continue;
        };
        let line = SqlText {
            line: grid.row_line(row),
            section: context.section,
            sql_id: Some(sql_id),
            old_hash: None,
            text: words,
        };
        context.tables().sql_text.push(line);
        rows += 1;
    }
    rows
}
