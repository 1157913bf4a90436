//! What reports without wait events name themselves: findings of ADDM, statements and objects of ASH, the
//! statement of a SQL report. Nothing is derived: shares are those printed.

use super::Look;
use super::wrap::wrap_to;
use crate::escape::terminal as safe;
use crate::{head, number};
use spindle_diagnosis::sampled;
use spindle_facts::{Kind, Report, SqlStat};

/// Rows of a sort at most.
const MOST: usize = 5;

/// The lines, behind a blank one; none for reports of other kinds, which have findings.
pub(super) fn lines(report: &Report, look: Look) -> Vec<String> {
    let (title, named) = match report.identity.kind {
        Kind::Addm => ("What ADDM found, by share of its total activity", of_addm(report)),
        Kind::Ash => ("Leading statements and objects, by share of all samples", of_ash(report)),
        Kind::AwrSql => ("What the statement took", of_sql(report)),
        _ => return Vec::new(),
    };
    if named.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), look.bold(title)];
    for text in &named {
        for (n, line) in wrap_to(&safe(text), look.columns() - 2, 2).iter().enumerate() {
            lines.push(format!("{}{line}", if n == 0 { "- " } else { "  " }));
        }
    }
    lines
}

fn of_addm(report: &Report) -> Vec<String> {
    let findings = report.tables.addm_finding.iter().take(MOST);
    let found = findings.map(|finding| {
        let mut out = match finding.impact_pct {
            Some(share) => {
                format!("{} %: {}", number::percent(share), finding.finding.trim_end_matches('.'))
            }
            None => finding.finding.trim_end_matches('.').to_owned(),
        };
        if let Some(first) = finding.recommendation.as_ref().and_then(|r| r.lines().next()) {
            out.push_str(&format!(". {first}"));
        }
        out
    });
    let more = report.tables.addm_finding.len().saturating_sub(MOST);
    found.chain((more > 0).then(|| format!("{more} more: --html FILE, --json"))).collect()
}

fn of_ash(report: &Report) -> Vec<String> {
    /// Of the one kind and of the other.
    const STATEMENTS: usize = 3;
    const OBJECTS: usize = 2;
    let all = sampled(report);
    let of = |what: &'static str, most: usize| all.iter().filter(move |s| s.what == what).take(most);
    of("statement", STATEMENTS).chain(of("object", OBJECTS)).map(head::sampled).collect()
}

fn of_sql(report: &Report) -> Vec<String> {
    let mut seen: Vec<(&str, Option<u64>)> = Vec::new();
    let mut out = Vec::new();
    for row in &report.tables.sql_stat {
        let Some(id) = row.sql_id.as_deref() else { continue };
        let plan = (id, row.plan_hash);
        if seen.len() >= MOST || seen.contains(&plan) {
            continue;
        }
        seen.push(plan);
        let other =
            report.tables.sql_stat.iter().any(|s| s.sql_id == row.sql_id && s.plan_hash != row.plan_hash);
        let of_plan =
            row.plan_hash.filter(|_| other).map_or_else(String::new, |hash| format!(", plan {hash}"));
        let measured = measured(row);
        if !measured.is_empty() {
            out.push(format!("{id}{of_plan}: {}", measured.join(", ")));
        }
    }
    out
}

fn measured(row: &SqlStat) -> Vec<String> {
    let seconds = |s: f64| format!("{} s", number::measure(s));
    let share = row.share_pct.filter(|_| row.ranked_by == "elapsed_time");
    let elapsed = row.elapsed_s.map(|s| match share {
        Some(share) => format!("elapsed {} ({} % of DB time)", seconds(s), number::percent(share)),
        None => format!("elapsed {}", seconds(s)),
    });
    let parts = [
        elapsed,
        row.cpu_s.map(|s| format!("CPU {}", seconds(s))),
        row.io_wait_s.map(|s| format!("waits for I/O {}", seconds(s))),
        row.physical_reads.map(|n| format!("{} blocks read", number::count(n))),
        row.executions.map(|n| format!("{} execution{}", number::count(n), if n == 1.0 { "" } else { "s" })),
    ];
    parts.into_iter().flatten().collect()
}
