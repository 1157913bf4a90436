//! What a report's own samples and its own ADDM name, as printed: statements and objects by their share of the
//! activity, findings by theirs. Nothing is derived of them.

use serde::Serialize;
use spindle_facts::{AddmFinding, PrintedRow, Report};

/// A statement or an object by its share of the sampled activity.
///
/// Shape: one a statement or object, in printed order. Unit: percent of all samples. Missing: `None` where the row
/// prints no event. Source: `Top SQL with Top Events`, `Top DB Objects` of an ASH report or of the samples in AWR.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sampled {
    /// `statement` or `object`.
    pub what: &'static str,
    /// Its identifier, or owner, name and type.
    pub name: String,
    /// Share of all samples.
    pub share_pct: f64,
    /// The event that most of them are in.
    pub event: Option<String>,
    /// Share of all samples that are in this event.
    pub event_share_pct: Option<f64>,
    /// Line in the source.
    pub line: u32,
}

/// Statements and objects that lead the samples of a report.
#[must_use]
pub fn sampled(report: &Report) -> Vec<Sampled> {
    /// Of either kind: the sections print few more, and the facts hold all.
    const MOST: usize = 5;
    let mut found: Vec<Sampled> = Vec::new();
    for (group, key, what) in
        [("Top SQL with Top Events", "sql_id", "statement"), ("Top DB Objects", "object_name_type", "object")]
    {
        let begin = found.len();
        for row in rows(report, group) {
            // Further events of a statement stand in rows without its name.
            let (Some(name), Some(share_pct)) = (row.text(key), row.number("pct_activity")) else { continue };
            let of_kind = &found[begin..];
            if of_kind.len() >= MOST || of_kind.iter().any(|s| s.name == name) {
                continue;
            }
            found.push(Sampled {
                what,
                name: name.to_owned(),
                share_pct,
                event: row.text("event").map(str::to_owned),
                event_share_pct: row.number("pct_event"),
                line: row.line,
            });
        }
    }
    found
}

/// A finding of ADDM by its share of the activity that it analysed.
///
/// Shape: one a name, largest first. Unit: percent of the activity of its own analysis, which may be of another
/// interval than the report. Missing: findings without a share are left out. Source: `Top ADDM Findings`, else ADDM's
/// own text in a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AddmNamed {
    /// Name as printed.
    pub finding: String,
    /// Share of the activity.
    pub share_pct: f64,
    /// Line in the source.
    pub line: u32,
}

/// What ADDM found, as a report of something else prints it.
#[must_use]
pub fn addm_named(report: &Report) -> Vec<AddmNamed> {
    let mut found: Vec<AddmNamed> = Vec::new();
    // The list that the report itself is of, where it prints one: what stands below may be of other hours.
    let in_list = |f: &&AddmFinding| report.section_title(f.section).starts_with("Top ADDM Findings");
    let has_list = report.tables.addm_finding.iter().any(|f| in_list(&f));
    let rows = report.tables.addm_finding.iter().filter(|f| !has_list || in_list(f));
    for (finding, share_pct, line) in rows.filter_map(|f| Some((&f.finding, f.impact_pct?, f.line))) {
        let finding = finding.trim_end_matches('.');
        match found.iter_mut().find(|f| f.finding == finding) {
            // Several analyses find the same, each of its own time.
            Some(known) if known.share_pct < share_pct => {
                (known.share_pct, known.line) = (share_pct, line);
            }
            Some(_) => {}
            None => found.push(AddmNamed { finding: finding.to_owned(), share_pct, line }),
        }
    }
    found.sort_by(|a, b| b.share_pct.total_cmp(&a.share_pct));
    found
}

/// Sessions on CPU or waiting for one, as the samples in a report of something else count them.
pub(crate) struct SampledCpu<'r> {
    /// Their number on average.
    pub(crate) sessions: f64,
    /// Line in the source.
    pub(crate) line: u32,
    /// The statement with most of these samples, and what share of all samples they are.
    pub(crate) statement: Option<(&'r str, f64)>,
    /// The slot with most of these samples, as printed, with its samples of CPU and all of them.
    pub(crate) slot: Option<(String, f64, f64)>,
}

/// The statement with most samples on CPU or waiting for one, where they are not few: its row, its identifier, and what
/// share of all samples they are.
pub(crate) fn leads_on_cpu(report: &Report) -> Option<(&PrintedRow, &str, f64)> {
    /// A statement with less of all samples than this says nothing of them, percent.
    const LEADS_PCT: f64 = 10.0;
    let statements = rows(report, "Top SQL with Top Events").filter(|row| row.text("event") == Some(ON_CPU));
    statements
        .filter_map(|r| Some((r, r.text("sql_id")?, r.number("pct_event")?)))
        .max_by(|a, b| a.2.total_cmp(&b.2))
        .filter(|s| s.2 >= LEADS_PCT)
}

/// The statement that leads the samples of an event, where its plan reads the whole object there: its row, its
/// identifier, and the step of the plan as printed.
pub(crate) fn scan_that_leads<'r>(
    report: &'r Report,
    event: &str,
) -> Option<(&'r PrintedRow, &'r str, &'r str)> {
    let statements = rows(report, "Top SQL with Top Events").filter(|row| row.text("event") == Some(event));
    let (row, id, _) = statements
        .filter_map(|r| Some((r, r.text("sql_id")?, r.number("pct_event")?)))
        .max_by(|a, b| a.2.total_cmp(&b.2))?;
    let step = row.text("top_row_source")?;
    // `TABLE ACCESS - FULL`, `TABLE ACCESS - STORAGE FULL`, `INDEX - FAST FULL SCAN`; `INDEX - FULL SCAN` reads blocks
    // one by one, in order.
    let upper = step.to_ascii_uppercase();
    let is_scan = upper.contains("FAST FULL SCAN")
        || upper.contains("TABLE ACCESS") && upper.contains("FULL")
        || upper.contains("MAT_VIEW") && upper.contains("FULL");
    is_scan.then_some((row, id, step))
}

const ON_CPU: &str = "CPU + Wait for CPU";

/// What samples say of sessions of users on CPU or waiting for one.
pub(crate) fn sampled_cpu(report: &Report) -> Option<SampledCpu<'_>> {
    /// A slot with less than this of its samples is no peak.
    const PEAK: f64 = 0.25;
    let of_users = |row: &&PrintedRow| match row.text("session_type") {
        Some(side) => side.eq_ignore_ascii_case("foreground"),
        None => false,
    };
    let on_cpu = |row: &&PrintedRow| row.text("event") == Some(ON_CPU);
    let top = rows(report, "Top Events").find(|r| of_users(r) && on_cpu(r))?;
    let statement = leads_on_cpu(report).map(|(_, id, pct)| (id, pct));
    let slots = || {
        let rows = rows(report, "Activity Over Time").filter(on_cpu);
        rows.filter_map(|r| {
            Some((r.text("slot_time_duration")?, r.number("event_count")?, r.number("slot_count")?))
        })
    };
    let all: f64 = slots().map(|s| s.1).sum();
    let slot = slots().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|s| s.1 >= PEAK * all);
    let slot = slot.map(|(slot, of_cpu, of_all)| {
        (slot.split_whitespace().collect::<Vec<_>>().join(" "), of_cpu, of_all)
    });
    Some(SampledCpu { sessions: top.number("avg_active_sessions")?, line: top.line, statement, slot })
}

fn rows<'r>(report: &'r Report, group: &'static str) -> impl Iterator<Item = &'r PrintedRow> {
    let of_group = move |r: &&PrintedRow| r.text("group").is_some_and(|g| g.starts_with(group));
    report.tables.ash_activity.iter().filter(of_group)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::testing::Hour;

    /// What other tasks found, of other hours, stood in one list with what the report's own names.
    #[test]
    fn findings_of_another_task_were_of_the_interval() {
        let finding = |finding: &str, pct, section| AddmFinding {
            line: 63,
            section,
            finding: finding.to_owned(),
            impact_pct: Some(pct),
            impact_sessions: None,
            impact_s: None,
            description: None,
            recommendation: None,
        };
        let named = |titles: &[&str]| {
            let hour = Hour::new(1_000.0).with(|r| {
                let begin = r.sections.len();
                for (n, title) in titles.iter().enumerate() {
                    let mut section = r.sections[0].clone();
                    section.title = (*title).to_owned();
                    r.sections.push(section);
                    let id = u16::try_from(begin + n).unwrap();
                    r.tables.addm_finding.push(finding(["Soft Parse", "User I/O"][n], 40.0 + n as f64, id));
                }
            });
            addm_named(&hour.report).into_iter().map(|f| f.finding).collect::<Vec<_>>()
        };
        let list = "Top ADDM Findings by Average Active Sessions";
        assert_eq!(named(&[list, "ADDM Report for Task 'ADDM:1_1_1'"]), ["Soft Parse"]);
        assert_eq!(
            named(&["ADDM Report for Task 'A'", "ADDM Report for Task 'B'"]),
            ["User I/O", "Soft Parse"]
        );
    }
}
