//! Statements over all instances.
//!
//! Printed as `SQL ordered by ... (Global)`. Columns: SQL Id, then the same measures under `Total`,
//! `Per Execution` and `Percentage of Total`; only totals and the share of the ranked one are facts.
//! Traps: 11.2 prints fractions for some shares (0.73 for 73 %) in `Elapsed Time`; what the section
//! captured is said above the table, in one ranking of three totals.

use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::sections::captured::captured;
use spindle_facts::{SqlStat, SqlText};

/// Ranking of a folded title, the headings of the ranked measure, and what its total is called.
fn ranking(folded: &str) -> Option<(&'static str, &'static [&'static str], &'static str)> {
    let rest = folded.strip_prefix("sqlorderedby")?;
    let name = rest.strip_suffix("global").unwrap_or(rest);
    Some(match name {
        "elapsedtime" => ("elapsed_time", &["dbtime"], "dbtime"),
        "cputime" => ("cpu_time", &["dbcpu"], "cpu"),
        "useri/otime" | "useri/owaittime" => ("user_io_wait_time", &["iowait"], "waittime"),
        "gets" => ("buffer_gets", &["gets"], "buffergets"),
        "reads" => ("physical_reads", &["reads"], "diskreads"),
        "unoptimizedreadrequests" | "physicalreadsunoptimized" => {
            ("unoptimized_reads", &["unoptimized"], "unoptimized")
        }
        "executions" => ("executions", &["execs"], "executions"),
        "parsecalls" => ("parse_calls", &["parsecalls", "parses"], "parse"),
        "clusterwaittime" => ("cluster_wait_time", &["cluster"], "clusterwaittime"),
        "sharablememory" => ("sharable_memory", &["sharablemem"], "sharable"),
        "versioncount" => ("version_count", &["versioncount"], "version"),
        _ => return None,
    })
}

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let Some((ranked_by, share_keys, wanted)) = ranking(folded) else { return 0 };
    let id = grid.column(&["sqlid"]);
    let text = grid.column(&["sqltext"]);
    let module = grid.column(&["sqlmodule", "module"]);
    let total = |keys: &[&str]| {
        keys.iter().find_map(|k| grid.columns.iter().position(|c| c.group_key() == "total" && c.key() == *k))
    };
    let share = share_keys.iter().find_map(|k| {
        grid.columns.iter().position(|c| c.group_key().starts_with("percentage") && c.key() == *k)
    });
    let captured = captured(grid, wanted, context.habits.decimal_comma, context.is_html());
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
            module: context.name(grid, row, module),
            section: context.section,
            sql_id: Some(sql_id.as_str().into()),
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(stat);
        if let Some(words) = context.text(grid, row, text) {
            let known = |t: &SqlText| t.sql_id.as_deref() == Some(&sql_id);
            let line = SqlText {
                line: grid.row_line(row),
                section: context.section,
                sql_id: Some(sql_id.as_str().into()),
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
