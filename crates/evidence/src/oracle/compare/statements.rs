//! Statements of a period.
//!
//! Printed as `Top SQL Comparison by ...`: shares of the ranked quantity, and measures by execution.
//! Only what is printed as a total becomes a total (executions, memory, requests, parses); times by
//! execution are rounded to whole milliseconds and would give totals that are far off. What the section
//! captured, and of how much, is said above the table for both periods.

use crate::cell::split_spoken;
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use spindle_facts::{Period, SqlStat, SqlText};

/// Ranking of a folded title, and words of the remarks that print its total and captured share.
fn ranking(folded: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match folded.strip_prefix("topsqlcomparisonby")? {
        "elapsedtime" => ("elapsed_time", "dbtime", "capturedsqlelapsedtimeasa%"),
        "cputime" => ("cpu_time", "totalcputime", "capturedsqlasa%"),
        "i/otime" => ("user_io_wait_time", "totaluseri/otime", "capturedsqlasa%"),
        "buffergets" => ("buffer_gets", "totalsqlbuffergets", "capturedsql%"),
        "physicalreads" => ("physical_reads", "physicalreads", "capturedsql%"),
        "unoptimizedreadrequests" => {
            ("unoptimized_reads", "unoptimizedreadrequests", "capturedsql%oftotalunoptimized")
        }
        "executions" => ("executions", "", "capturedsqlexecutionsasa%"),
        "parsecalls" => ("parse_calls", "totalparses", "capturedsqlparses%"),
        "sharablememory" => ("sharable_memory", "sharedpoolatendsnapshot", ""),
        "versioncount" => ("version_count", "", ""),
        "clusterwaittime" => ("cluster_wait_time", "clusterwaittime", ""),
        _ => return None,
    })
}

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let Some((ranked_by, total, captured)) = ranking(folded) else { return 0 };
    let id = grid.column(&["sqlid"]);
    if id.is_none() {
        return 0;
    }
    let at = |keys: &[&str]| grid.column(keys);
    let share = grid.columns.iter().position(|c| c.key().contains("%of") || c.key().starts_with("%total"));
    let executions = at(&["#executions"]);
    let text = at(&["sqltext"]);
    let second = context.report.identity.period == Some(Period::Second);
    let said = |words: &str| {
        let remark = grid.remarks.iter().find(|(_, t)| {
            !words.is_empty() && t.contains("First:") && fold(t.trim_start_matches("->")).starts_with(words)
        })?;
        of_period(&remark.1, second)
    };
    // The next page of a section does not say it again.
    let before = context.report.tables.sql_stat.iter().rfind(|s| s.section == context.section);
    let section_total = said(total).or(before.and_then(|s| s.section_total));
    let captured_pct = said(captured).or(before.and_then(|s| s.captured_pct));
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(sql_id) = context.text(grid, row, id) else { continue };
        let stat = SqlStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by,
            sql_id: Some(sql_id.as_str().into()),
            executions: context.count(grid, row, executions),
            read_requests: context.count(grid, row, at(&["totalreadrequests"])),
            parse_calls: context.count(grid, row, at(&["parses"])),
            sharable_memory_bytes: context.count(grid, row, at(&["sharablememoryused"])),
            version_count: context.count(grid, row, at(&["versioncount"])),
            cluster_wait_s: context.count(grid, row, at(&["clusterwaittimesec"])),
            share_pct: context.count(grid, row, share),
            captured_pct,
            section_total,
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(stat);
        if let Some(words) = context.text(grid, row, text)
            && !context.report.tables.sql_text.iter().any(|t| t.sql_id.as_deref() == Some(&sql_id))
        {
            let line = grid.row_line(row);
            let section = context.section;
            let line = SqlText { line, section, sql_id: Some(sql_id.into()), old_hash: None, text: words };
            context.tables().sql_text.push(line);
        }
        rows += 1;
    }
    rows
}

/// The number behind `First:` or `Second:`.
pub(super) fn of_period(remark: &str, second: bool) -> Option<f64> {
    let label = if second { "Second:" } else { "First:" };
    let rest = remark.split_once(label)?.1.trim_start();
    // Beside others in a line: the mark before one or two last digits is the decimal point.
    let number = rest.split_ascii_whitespace().next()?.trim_end_matches([',', '%', ')']);
    split_spoken(number).filter(|(_, behind)| behind.is_empty()).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::of_period;

    #[test]
    fn remarks_say_both_periods() {
        let said = "-> DB time   First:      6,404.55 seconds, Second:     12,612.51 seconds";
        assert_eq!(of_period(said, false), Some(6_404.55));
        assert_eq!(of_period(said, true), Some(12_612.51));
        assert_eq!(of_period("-> Cluster  First: %, Second: %", false), None);
        assert_eq!(of_period("-> x First: .08%, Second: 0%", false), Some(0.08));
    }
}
