//! AWR SQL reports: one statement, its plans and what each of them cost.
//!
//! Printed as `SQL ID: ...`, then for each plan `Plan Statistics` (a row a statistic: total, by
//! execution, share of the snapshots) and `Execution Plan`, then `Full SQL Text`. Times are in ms. Traps:
//! the plan stands between bars in text; costs carry the share of CPU, `302K(100)`.

use super::context::Context;
use super::printed;
use super::sections::{Entry, Read, look_up};
use crate::cell::{Cell, Unit, read, split_number};
use crate::grid::{Column, Grid, fold};
use crate::plans::Plans;
use spindle_facts::{Report, SqlPlanLine, SqlStat, SqlText};

static SECTIONS: &[Entry] = &[
    (&["sqlsummary"], read_summary),
    (&["sqlid*"], read_plans),
    (&["planstatistics*"], read_statistics),
    (&["executionplan"], read_plan),
    (&["fullsqltext"], read_text),
];

const MS_PER_S: f64 = 1_000.0;

/// Gives plans to the report of their statement, and with them the executions that it prints.
pub(crate) fn attach(reports: &mut [Report], plans: Plans) {
    if plans.rows.is_empty() {
        return;
    }
    for mut row in plans.rows {
        // Not of child cursors: what the snapshots hold.
        row.children = None;
        let of_statement = |r: &&mut Report| {
            row.sql_id.is_none() || r.tables.sql_stat.iter().any(|s| s.sql_id == row.sql_id)
        };
        let Some(report) = reports.iter_mut().find(of_statement) else { continue };
        let with_plan = |s: &&SqlStat| s.plan_hash.is_some() && s.plan_hash == row.plan_hash;
        if let Some(stat) = report.tables.sql_stat.iter().find(with_plan) {
            row.executions = row.executions.or(stat.executions);
            row.sql_id = row.sql_id.or_else(|| stat.sql_id.clone());
        }
        report.tables.plan_row.push(row);
    }
}

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    look_up(SECTIONS, folded)
}

/// Could this folded line be a title standing alone?
pub(crate) fn is_title(folded: &str) -> bool {
    matches!(folded, "executionplan" | "fullsqltext")
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

/// `Execution Plan`: a row a step.
fn read_plan(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    if let Some(barred) = between_bars(grid) {
        return read_plan(&barred, context);
    }
    let at = |keys: &[&str]| grid.column(keys);
    let operation = at(&["operation"]);
    if operation.is_none() || at(&["id"]).is_none() {
        return 0;
    }
    // Plans come in the order of their list.
    let planned = |hash| context.report.tables.sql_plan.iter().any(|p| p.plan_hash == hash);
    let mut listed = context.report.tables.sql_stat.iter().filter(|s| s.plan_hash.is_some());
    let of = listed.find(|s| !planned(s.plan_hash));
    let (sql_id, plan_hash) = of.map_or((None, None), |s| (s.sql_id.clone(), s.plan_hash));
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(words) = grid.cell(row, operation) else { continue };
        // Text keeps the blank before every operation, and one for each step above it.
        let indent = words.len() - words.trim_start().len();
        let depth = indent.checked_sub(1).and_then(|d| u32::try_from(d).ok());
        let number =
            |keys: &[&str], unit| match grid.cell(row, at(keys)).map(|c| read(c, unit, context.habits)) {
                Some(Cell::Number(printed)) => Some(printed.value),
                _ => None,
            };
        let cost = grid.cell(row, grid.column_starting(&["cost"])).map(str::trim);
        let (cost, cpu) = cost.map_or((None, None), |c| match c.split_once('(') {
            Some((cost, pct)) => (Some(cost), Some(pct.trim_end_matches(')'))),
            None => (Some(c), None),
        });
        let figure = |text: Option<&str>| match text.map(|t| read(t, Unit::Count, context.habits)) {
            Some(Cell::Number(printed)) => Some(printed.value),
            _ => None,
        };
        let line = SqlPlanLine {
            line: grid.row_line(row),
            section: context.section,
            sql_id: sql_id.clone(),
            plan_hash,
            id: grid.cell(row, at(&["id"])).and_then(|t| t.trim_start_matches('*').trim().parse().ok()),
            depth,
            operation: words.trim().to_owned(),
            object: text(grid, row, at(&["name"])),
            rows: number(&["rows"], Unit::Count),
            bytes: number(&["bytes"], Unit::Bytes(1.0)),
            temp_bytes: number(&["tempspc"], Unit::Bytes(1.0)),
            cost: figure(cost),
            cost_cpu_pct: figure(cpu),
            time_s: grid.cell(row, at(&["time"])).and_then(clock),
            partition_start: text(grid, row, at(&["pstart"])),
            partition_stop: text(grid, row, at(&["pstop"])),
            table_queue: text(grid, row, at(&["tq"])),
            in_out: text(grid, row, at(&["inout"])),
            distribution: text(grid, row, at(&["pqdistrib"])),
        };
        context.tables().sql_plan.push(line);
        rows += 1;
    }
    rows
}

fn text(grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<String> {
    grid.cell(row, column).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned)
}

/// Seconds of `01:00:29`.
fn clock(text: &str) -> Option<f64> {
    text.trim().split(':').try_fold(0.0, |total, part| {
        let (number, rest) = split_number(part, false)?;
        rest.is_empty().then(|| total * 60.0 + number.value())
    })
}

/// A plan in text, cut at its bars: the first line holds the headings.
fn between_bars(grid: &Grid<'_>) -> Option<Grid<'static>> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        inner.split('|').map(str::to_owned).collect()
    };
    let mut lines = grid.remarks.iter().filter(|(_, text)| text.starts_with('|'));
    let mut plan = Grid::default();
    plan.columns = cells(&lines.next()?.1).iter().map(|h| Column::new("", h.trim())).collect();
    let operation = plan.column(&["operation"]);
    for (number, line) in lines {
        let cells = cells(line);
        if cells.len() != plan.columns.len() {
            continue;
        }
        for (index, cell) in cells.into_iter().enumerate() {
            let indented = Some(index) == operation && !cell.trim().is_empty();
            plan.push_cell(if indented { cell.trim_end() } else { cell.trim() }.to_owned().into());
        }
        plan.end_row(*number);
    }
    (!plan.is_empty()).then_some(plan)
}

fn read_text(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let (id, text) = (grid.column(&["sqlid"]), grid.column(&["sqltext"]));
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(words) = context.text(grid, row, text) else { continue };
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
            sql_id: Some(sql_id),
            old_hash: None,
            text: words,
        };
        context.tables().sql_text.push(line);
        rows += 1;
    }
    rows
}
