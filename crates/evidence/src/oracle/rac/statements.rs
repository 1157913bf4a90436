//! Statements over all instances.
//!
//! Printed as `SQL ordered by ... (Global)`. Columns: SQL Id, then the same measures under `Total`,
//! `Per Execution` and `Percentage of Total`; only totals and the share of the ranked one are facts.
//! Traps: 11.2 prints fractions for some shares (0.73 for 73 %) in `Elapsed Time`; what the section
//! captured is said above the table.

use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{SqlStat, SqlText};

/// Ranking of a folded title, and the headings of the ranked measure.
fn ranking(folded: &str) -> Option<(&'static str, &'static [&'static str])> {
    let rest = folded.strip_prefix("sqlorderedby")?;
    let name = rest.strip_suffix("global").unwrap_or(rest);
    Some(match name {
        "elapsedtime" => ("elapsed_time", &["dbtime"]),
        "cputime" => ("cpu_time", &["dbcpu"]),
        "useri/otime" | "useri/owaittime" => ("user_io_wait_time", &["iowait"]),
        "gets" => ("buffer_gets", &["gets"]),
        "reads" => ("physical_reads", &["reads"]),
        "unoptimizedreadrequests" | "physicalreadsunoptimized" => ("unoptimized_reads", &["unoptimized"]),
        "executions" => ("executions", &["execs"]),
        "parsecalls" => ("parse_calls", &["parsecalls", "parses"]),
        "clusterwaittime" => ("cluster_wait_time", &["cluster"]),
        "sharablememory" => ("sharable_memory", &["sharablemem"]),
        "versioncount" => ("version_count", &["versioncount"]),
        _ => return None,
    })
}

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = crate::grid::fold(context.report.section_title(context.section));
    let Some((ranked_by, share_keys)) = ranking(&folded) else { return 0 };
    let id = grid.column(&["sqlid"]);
    let text = grid.column(&["sqltext"]);
    let module = grid.column(&["sqlmodule", "module"]);
    let total = |keys: &[&str]| {
        keys.iter().find_map(|k| grid.columns.iter().position(|c| c.group_key() == "total" && c.key() == *k))
    };
    let share = share_keys.iter().find_map(|k| {
        grid.columns.iter().position(|c| c.group_key().starts_with("percentage") && c.key() == *k)
    });
    let captured = captured(grid);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(sql_id) = context.text(grid, row, id) else { continue };
        let mut value = |keys: &[&str]| context.number(grid, row, total(keys), Unit::Count).map(|p| p.value);
        let stat = SqlStat {
            line: grid.row_line(row),
            ranked_by,
            executions: value(&["execs"]),
            elapsed_s: value(&["elapseds"]),
            cpu_s: value(&["cpus"]),
            io_wait_s: value(&["iowaits"]),
            cluster_wait_s: value(&["clusters"]),
            buffer_gets: value(&["gets"]),
            physical_reads: value(&["reads"]),
            read_requests: value(&["requests"]),
            unoptimized_read_requests: value(&["unoptimized"]),
            rows_processed: value(&["rows"]),
            parse_calls: value(&["parsecalls", "parses"]),
            share_pct: context.count(grid, row, share),
            captured_pct: captured.0,
            section_total: captured.1,
            module: context.text(grid, row, module),
            section: context.section,
            sql_id: Some(sql_id.clone()),
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(stat);
        if let Some(words) = context.text(grid, row, text) {
            let known = |t: &SqlText| t.sql_id.as_deref() == Some(&sql_id);
            let line = SqlText {
                line: grid.row_line(row),
                section: context.section,
                sql_id: Some(sql_id.clone()),
                old_hash: None,
                text: words,
            };
            if !context.report.tables.sql_text.iter().any(known) {
                context.tables().sql_text.push(line);
            }
        }
        rows += 1;
    }
    rows
}

/// `Captured SQL account for 99.1% of Total DB Time (s): 38,493`: the share and the total.
fn captured(grid: &Grid<'_>) -> (Option<f64>, Option<f64>) {
    let Some(text) = grid.remarks.iter().map(|(_, t)| t).find(|t| t.contains("Captured SQL account for"))
    else {
        return (None, None);
    };
    let number = |t: &str| t.trim().replace(',', "").parse::<f64>().ok();
    let share = text.split("account for").nth(1).and_then(|t| t.split('%').next()).and_then(number);
    let total = text.rsplit_once(':').and_then(|(_, t)| number(t));
    (share, total)
}
