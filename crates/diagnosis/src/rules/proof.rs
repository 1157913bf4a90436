//! Proof that the rules about causes other than storage share: groups of events, and rows of the
//! summary tables.

use super::material;
use crate::case::{instances_of, same_name, sum_of};
use crate::events::is_cpu;
use crate::response_time::{PrintedTime, time_model_s, top_cpu_s};
use crate::{Case, EventTotal, Evidence, Verdict, words};
use spindle_facts::{Metric, SectionId, Side};
use std::collections::BTreeSet;

/// What the report says of the foreground waits of a group of events.
#[derive(Debug)]
pub(crate) enum Group<'c> {
    /// Together they are material: those printed, largest first, and their seconds.
    Material(Vec<&'c EventTotal>, f64),
    /// Together they are trivial.
    Trivial,
    /// The report does not say; what is missing, in a DBA's words.
    Unknown(String),
}

/// Foreground waits of the events that `belongs` picks; `what` names them in a sentence.
pub(crate) fn group<'c>(case: &'c Case<'_>, what: &str, belongs: impl Fn(&str) -> bool) -> Group<'c> {
    let events: Vec<&EventTotal> = case
        .events
        .iter()
        .filter(|e| e.side == Side::Foreground && !e.is_idle && belongs(&e.event))
        .filter(|e| case.event_time_s(&e.event) > 0.0)
        .collect();
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    /// Hardly more events of one kind cost as much each as the least of the top events.
    const KINDS: usize = 3;
    let missing = KINDS.saturating_sub(events.len()).max(1);
    match material::waits_not_worth(case, what, missing, seconds) {
        None => Group::Material(events, seconds),
        Some(Verdict::CannotTell(missing)) => Group::Unknown(missing),
        Some(_) => match case.unread_waits(what, &belongs) {
            Some((missing, most_s)) if material::may_be_material(case, seconds + most_s) => {
                Group::Unknown(missing)
            }
            _ => Group::Trivial,
        },
    }
}

/// Claims of all the time of some events.
pub(crate) fn claims(case: &Case<'_>, events: &[&EventTotal]) -> Vec<crate::Claim> {
    events.iter().map(|e| case.claim_event(&e.event)).collect()
}

/// The largest of some events as proof: at most five, and none below a hundredth of their sum.
pub(crate) fn largest(case: &Case<'_>, events: &[&EventTotal]) -> Vec<Evidence> {
    let sum: f64 = events.iter().map(|e| e.time_s).sum();
    events.iter().filter(|e| e.time_s >= 0.01 * sum).take(5).map(|e| case.event_evidence(e)).collect()
}

/// A time-model statistic as proof, over all instances: `DB CPU: 1,701 s`. It cites the row of all of them where one is
/// printed, else the first of those that are added up.
pub(crate) fn time_model(case: &Case<'_>, statistic: &str) -> Option<Evidence> {
    let time = time_model_s(case.report, statistic)?;
    let rows = &case.report.tables.time_model;
    let row = rows.iter().position(|r| r.line == time.line && same_name(&r.statistic, statistic))?;
    Some(proof_of(case, &time, "time_model", row, rows[row].section, &rows[row].statistic))
}

/// Seconds as proof, with how many instances they are the sum of.
fn proof_of(
    case: &Case<'_>,
    time: &PrintedTime,
    table: &'static str,
    row: usize,
    section: SectionId,
    name: &str,
) -> Evidence {
    let text = format!("{name}: {}{}", words::seconds(time.seconds), sum_of(time.more_rows + 1));
    Evidence { more_rows: time.more_rows, ..case.evidence(table, row, time.line, section, text) }
}

/// CPU of the foreground as proof: the time model, else the top events.
pub(crate) fn cpu(case: &Case<'_>) -> Option<Evidence> {
    time_model(case, "DB CPU")
        .or_else(|| {
            let time = top_cpu_s(case.report)?;
            let rows = &case.report.tables.top_event;
            let row = rows.iter().position(|r| r.line == time.line && is_cpu(&r.event))?;
            Some(proof_of(case, &time, "top_event", row, rows[row].section, &rows[row].event))
        })
        // Releases that print neither have the statistic.
        .or_else(|| case.stat("CPU used by this session").map(|s| case.stat_evidence(s)))
}

/// Every printed row of an operating-system statistic as proof.
pub(crate) fn os_stat(case: &Case<'_>, name: &str) -> Vec<Evidence> {
    let rows = case.report.tables.os_stat.iter().enumerate();
    rows.filter(|(_, r)| same_name(&r.statistic, name))
        .filter_map(|(row, r)| {
            let who = r.instance_number.map_or(String::new(), |n| format!(" (instance {n})"));
            // Times are printed in hundredths of a second.
            let is_time = ["_TIME", "_TICKS"].iter().any(|end| r.statistic.trim().ends_with(end));
            let value = if is_time { words::seconds(r.value? / 100.0) } else { words::count(r.value?) };
            let text = format!("{}{who}: {value}", r.statistic);
            Some(case.evidence("os_stat", row, r.line, r.section, text))
        })
        .collect()
}

/// A line of the load profile as proof: `Logical read (blocks): 601,576 a second`.
pub(crate) fn load_profile(case: &Case<'_>, metric: Metric) -> Option<Evidence> {
    let rows = &case.report.tables.load_profile;
    let known = || rows.iter().enumerate().filter(|(_, r)| r.known == Some(metric));
    let (row, printed) = known().find(|(_, r)| r.instance_number.is_none()).or_else(|| known().next())?;
    let instances = instances_of(known().map(|(_, r)| r.instance_number));
    let text = format!(
        "{}: {} a second{}",
        printed.metric,
        words::significant(case.load_per_second(metric)?),
        sum_of(instances)
    );
    let proof = case.evidence("load_profile", row, printed.line, printed.section, text);
    Some(Evidence { more_rows: instances.saturating_sub(1), ..proof })
}

/// The segments that lead a ranking as proof, at most `most`.
pub(crate) fn segments(case: &Case<'_>, ranked_by: &str, most: usize) -> Vec<Evidence> {
    let rows = case.report.tables.segment_stat.iter().enumerate();
    rows.filter(|(_, s)| s.ranked_by == ranked_by)
        .filter_map(|(row, s)| {
            let value = words::count(s.value.filter(|v| *v > 0.0)?);
            let share = s.share_pct.map_or(String::new(), |p| format!(" ({})", words::percent(p)));
            let text = format!("{}: {value}{share}", segment_name(s)?);
            Some(case.evidence("segment_stat", row, s.line, s.section, text))
        })
        .take(most)
        .collect()
}

/// `OWNER.OBJECT`, with its partition where there is one.
pub(crate) fn segment_name(segment: &spindle_facts::SegmentStat) -> Option<String> {
    let object = segment.object.as_deref()?;
    let owner = segment.owner.as_deref().map_or(String::new(), |o| format!("{o}."));
    let part = segment.subobject.as_deref().map_or(String::new(), |s| format!(" ({s})"));
    Some(format!("{owner}{object}{part}"))
}

/// The statements that lead a ranking as proof, at most `most`, with the seconds that `time` reads.
pub(crate) fn statements(
    case: &Case<'_>,
    ranked_by: &str,
    most: usize,
    time: impl Fn(&spindle_facts::SqlStat) -> Option<f64>,
) -> Vec<(String, Evidence)> {
    let rows = case.report.tables.sql_stat.iter().enumerate();
    // Reports on several instances print a statement again for each of them.
    let mut seen = BTreeSet::new();
    rows.filter(|(_, s)| s.ranked_by == ranked_by)
        .filter_map(|(row, s)| {
            let name = s.name()?;
            seen.insert(name.clone()).then_some(())?;
            let executions =
                s.executions.map_or(String::new(), |n| format!(", {} executions", words::count(n)));
            let share = s.share_pct.map_or(String::new(), |p| format!(" ({})", words::percent(p)));
            let text = format!("statement {name}: {}{share}{executions}", words::seconds(time(s)?));
            Some((name, case.evidence("sql_stat", row, s.line, s.section, text)))
        })
        .take(most)
        .collect()
}

/// The statement that leads the report's own samples on CPU: its identifier, their share of all samples in percent, and
/// its proof.
pub(crate) fn leads_on_cpu<'c>(case: &'c Case<'_>) -> Option<(&'c str, f64, Evidence)> {
    let (row, id, pct) = crate::told::leads_on_cpu(case.report)?;
    let text = format!("statement {id}: {} of all samples on CPU or waiting for one", words::percent(pct));
    let rows = &case.report.tables.ash_activity;
    Some((id, pct, case.printed_evidence("ash_activity", rows, row, text)))
}

/// The statement with most child cursors, and its proof, where they are many.
pub(crate) fn most_versions(case: &Case<'_>) -> Option<(String, Evidence)> {
    // A hundred children are searched one by one at each execution; 11.2.0.3 and later retire them.
    const MANY: f64 = 100.0;
    let rows = case.report.tables.sql_stat.iter().enumerate();
    let (row, s, versions) = rows
        .filter(|(_, s)| s.ranked_by == "version_count")
        .filter_map(|(row, s)| Some((row, s, s.version_count.filter(|v| *v >= MANY)?)))
        .max_by(|a, b| a.2.total_cmp(&b.2))?;
    let name = s.name()?;
    let text = format!("statement {name}: {} child cursors", words::count(versions));
    Some((name, case.evidence("sql_stat", row, s.line, s.section, text)))
}
