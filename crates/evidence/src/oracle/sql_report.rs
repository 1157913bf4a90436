//! AWR SQL reports: one statement, its plans and what each of them cost.
//!
//! Printed as `SQL ID: ...`, then for each plan `Plan Statistics` (a row a statistic: total, by
//! execution, share of the snapshots) and `Execution Plan`, then `Full SQL Text`. Times are in ms. Traps:
//! the plan stands between bars in text; costs carry the share of CPU, `302K(100)`.

use super::context::Context;
use super::printed;
use super::sections::{Entry, Read, look_up};
use crate::grid::{Grid, fold};
use crate::plans::Plans;
use spindle_facts::{Report, SqlStat, SqlText};

static SECTIONS: &[Entry] = &[
    (&["sqlsummary"], read_summary),
    (&["sqlid*"], read_plans),
    (&["planstatistics*"], read_statistics),
    (&["executionplan"], count_plan),
    (&["fullsqltext"], read_text),
];

const MS_PER_S: f64 = 1_000.0;

/// Gives plans to the report of their statement, and with them the executions that it prints.
pub(crate) fn attach(reports: &mut [Report], plans: Plans) {
    if plans.rows.is_empty() {
        return;
    }
    let mut above: Option<(Option<u32>, Option<u64>)> = None;
    for mut row in plans.rows {
        // Not of child cursors: what the snapshots hold.
        row.children = None;
        let of_statement = |r: &&mut Report| {
            row.sql_id.is_none()
                || r.tables.sql_stat.iter().any(|s| s.sql_id.as_deref() == row.sql_id.as_deref())
        };
        let Some(report) = reports.iter_mut().find(of_statement) else { continue };
        if row.plan_hash.is_none() {
            // Plans come in the order of their list.
            let begins = above.is_none_or(|(id, _)| row.id <= id);
            let known = |hash| report.tables.plan_row.iter().any(|p| p.plan_hash == hash);
            let listed = report.tables.sql_stat.iter().map(|s| s.plan_hash);
            let next = || listed.filter(Option::is_some).find(|hash| !known(*hash)).flatten();
            row.plan_hash = if begins { next() } else { above.and_then(|(_, hash)| hash) };
            above = Some((row.id, row.plan_hash));
        }
        let with_plan = |s: &&SqlStat| s.plan_hash.is_some() && s.plan_hash == row.plan_hash;
        if let Some(stat) = report.tables.sql_stat.iter().find(with_plan) {
            row.executions = row.executions.or(stat.executions);
            row.sql_id = row.sql_id.or_else(|| stat.sql_id.as_ref().map(ToString::to_string));
        }
        report.tables.plan_row.push(row);
    }
}

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

/// Stands this section once for each plan, with other figures for the same rows?
pub(crate) fn is_of_a_plan(folded: &str) -> bool {
    folded.starts_with("planstatistics")
}

/// Could this folded line be a title standing alone?
pub(crate) fn is_title(folded: &str) -> bool {
    matches!(folded, "executionplan" | "fullsqltext" | "planstatistics")
}

/// `SQL Summary`: the statement, what it cost over all plans, and who ran it.
fn read_summary(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let rows = printed::rows(grid, context);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    context.tables().sql_summary.extend(rows);
    count
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
            sql_id: sql_id.as_deref().map(Into::into),
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
    let total = grid.column(&["statementtotal", "statementtotals", "statement"]);
    let share = grid.column(&["%snaptotal", "%snap"]);
    if name.is_none() || total.is_none() || grid.is_empty() {
        return 0;
    }
    let mut stat = SqlStat {
        line: grid.row_line(0),
        section: context.section,
        ranked_by: "elapsed_time",
        ..SqlStat::default()
    };
    let (mut rows, mut known) = (0, 0);
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, name).map(fold) else { continue };
        let value = context.count(grid, row, total);
        let seconds = value.map(|v| v / MS_PER_S);
        rows += 1;
        known += 1;
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
            // Kept as printed.
            _ => known -= 1,
        }
    }
    if known == 0 {
        return 0;
    }
    // Statistics that no other section has, the share of each and what one execution takes.
    context.keep_as_printed();
    // The list of plans comes first, in the same order: the statistics belong to its next row.
    let next =
        |s: &&mut SqlStat| s.plan_hash.is_some() && s.buffer_gets.is_none() && s.elapsed_s == stat.elapsed_s;
    let figures = |s: &SqlStat| (s.elapsed_s, s.cpu_s, s.executions, s.buffer_gets, s.physical_reads);
    let stats = &mut context.tables().sql_stat;
    if let Some(plan) = stats.iter_mut().find(next) {
        *plan = SqlStat { sql_id: plan.sql_id.take(), plan_hash: plan.plan_hash, ..stat };
    } else if !stats.iter().any(|s| figures(s) == figures(&stat)) {
        // Pasted twice, it is that of the plan before.
        stats.push(stat);
    }
    rows
}

/// `Execution Plan`: its rows are read with their indent by [`crate::plans`], see [`attach`]; here they
/// are counted.
fn count_plan(grid: &Grid<'_>, _: &mut Context<'_>) -> u32 {
    let barred = grid.remarks.iter().filter(|(_, text)| text.starts_with('|')).count();
    // The first line between bars holds the headings.
    let is_plan = grid.column(&["operation"]).is_some() && grid.column(&["id"]).is_some();
    let rows = if is_plan { grid.len() } else { barred.saturating_sub(1) };
    u32::try_from(rows).unwrap_or(u32::MAX)
}

fn read_text(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let (id, text) = (grid.column(&["sqlid"]), grid.column(&["sqltext"]));
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(words) = context.text(grid, row, text) else { continue };
        // The script's last line stands below the text.
        if context.text(grid, row, id).is_some_and(|id| id == "Report") && words.starts_with("written to ") {
            continue;
        }
        let Some(sql_id) = context.text(grid, row, id) else {
            // Text goes on below in the text layout.
            if let Some(above) = context.tables().sql_text.last_mut().filter(|_| rows > 0) {
                above.text.push('\n');
                above.text.push_str(&words);
            }
            continue;
        };
        let line = SqlText {
            line: grid.row_line(row),
            section: context.section,
            sql_id: Some(sql_id.into()),
            old_hash: None,
            text: words,
        };
        context.tables().sql_text.push(line);
        rows += 1;
    }
    rows
}
