//! What beside reports tells where data lies and how it is read: spool files of `spindle collect`,
//! lists of segments and plans that somebody made otherwise.

mod headings;
mod lines;
mod listing;
mod rows;
pub(crate) mod spool;
mod table;

use crate::layout::html_table;
use crate::{plans, recognise};
use lines::lines;
use spindle_facts::{Collected, Kind, Note, Section, SectionStatus, StatementTotals};
use std::borrow::Cow;

/// What was found in one file.
#[derive(Clone, Debug, Default)]
pub struct CollectedReading {
    /// Its facts.
    pub collected: Option<Collected>,
    /// Why nothing could be read, where nothing could.
    pub refused: Option<String>,
}

/// Lines of a file at whose beginning its first line is looked for: banners and prompts stand before.
const LINES_BEFORE: usize = 2_000;

/// Reads a decoded text.
pub(crate) fn read(source: &str, text: &str) -> CollectedReading {
    let result = match spool_text(text) {
        Some(spool) => spool::read(source, &spool),
        None => sql_reports(source, text)
            .or_else(|| foreign(source, text))
            .or_else(|| is_no_report(text).then(|| listing::read(source, text)).flatten())
            .unwrap_or_else(|| Err(what_else(text))),
    };
    match result {
        Ok(collected) => CollectedReading { collected: Some(collected), refused: None },
        Err(reason) => CollectedReading { collected: None, refused: Some(reason) },
    }
}

/// Does anything in the text belong to a list that is read here, or to a report, which is refused
/// with its name?
pub(crate) fn looks_like_collected(head: &str) -> bool {
    const SIGNS: &[&str] = &[
        "SPINDLE|",
        "SEGMENT_NAME",
        "TABLESPACE",
        "FILE_NAME",
        "OBJECT_NAME",
        "OPERATION",
        "BYTES",
        "PLAN HASH VALUE",
        "SQL_ID",
    ];
    let head = head.to_ascii_uppercase();
    SIGNS.iter().any(|sign| head.contains(sign)) || recognise::looks_like_report(&head)
}

/// Does a text name a spool file anywhere? Bars are rare but where tables are drawn with them, and one
/// byte is found in half the time that a word takes.
fn names_spool(text: &[u8]) -> bool {
    const ONE_BY_ONE: usize = 1_000;
    for (number, bar) in memchr::memchr_iter(b'|', text).enumerate() {
        if number == ONE_BY_ONE {
            return memchr::memmem::find(&text[bar.saturating_sub(7)..], b"SPINDLE|").is_some();
        }
        if text[..bar].ends_with(b"SPINDLE") {
            return true;
        }
    }
    false
}

/// The spool file in a text: itself, or what a page or mail holds of one.
pub(crate) fn spool_text(text: &str) -> Option<Cow<'_, str>> {
    // Every report is asked: most end here.
    if !names_spool(text.as_bytes()) {
        return None;
    }
    let has_first = |text: &str| lines(text).take(LINES_BEFORE).any(|l| spool::is_first(l.text));
    if text.contains("<html") || text.contains("<HTML") || text.contains("<pre") || text.contains("<br") {
        let plain = html_table::text_of(text);
        if has_first(&plain) {
            return Some(Cow::Owned(plain));
        }
    }
    if !has_first(text) {
        return None;
    }
    // Copied out of the source of a page: no angle bracket stands, and escaped ones do.
    if !text.contains(['<', '>']) && ["&lt;", "&gt;", "&amp;"].iter().any(|e| text.contains(e)) {
        return Some(Cow::Owned(html_table::text_of(text)));
    }
    Some(Cow::Borrowed(text))
}

/// AWR SQL reports: plans and totals of statements.
fn sql_reports(source: &str, text: &str) -> Option<Result<Collected, String>> {
    let words = ["WORKLOAD REPOSITORY SQL Report", "WORKLOAD REPOSITORY SQL report"];
    if !words.iter().any(|w| text.contains(w)) {
        return None;
    }
    let mut facts = Collected { source: source.to_owned(), ..Collected::default() };
    for report in crate::oracle::printed(source, text, crate::Kept::All).reports {
        if report.identity.kind != Kind::AwrSql {
            return None;
        }
        let identity = report.identity;
        facts.origin.db_name = facts.origin.db_name.or(identity.db_name);
        facts.origin.db_id = facts.origin.db_id.or(identity.db_id);
        facts.origin.version = facts.origin.version.or(identity.version);
        facts.origin.host = facts.origin.host.or(identity.host);
        facts.origin.instance_number = facts.origin.instance_number.or(identity.instance_number);
        facts.sections.extend(report.sections);
        facts.notes.extend(report.notes);
        facts.history_plan_rows.extend(report.tables.plan_row);
        facts.history_statements.extend(report.tables.sql_stat.into_iter().map(|s| StatementTotals {
            line: s.line,
            sql_id: s.sql_id.map(Into::into),
            plan_hash: s.plan_hash,
            executions: s.executions,
            disk_reads: s.physical_reads,
            buffer_gets: s.buffer_gets,
            elapsed_s: s.elapsed_s,
            cpu_s: s.cpu_s,
            user_io_wait_s: s.io_wait_s,
            ..StatementTotals::default()
        }));
    }
    if facts.history_plan_rows.is_empty() {
        return Some(Err("an AWR SQL report without an execution plan".to_owned()));
    }
    Some(Ok(facts))
}

/// Plans of `DBMS_XPLAN`.
fn foreign(source: &str, text: &str) -> Option<Result<Collected, String>> {
    let page = recognise::is_html(text).then(|| html_table::text_of(text));
    let text = page.as_deref().unwrap_or(text);
    let plans = plans::text::read(lines(text).map(|l| (l.number, l.text)));
    if plans.rows.is_empty() {
        return None;
    }
    let mut facts = Collected { source: source.to_owned(), ..Collected::default() };
    facts.sections.push(Section {
        title: "plans of DBMS_XPLAN".to_owned(),
        line: plans.rows[0].line,
        status: SectionStatus::Read,
        rows: u32::try_from(plans.rows.len()).unwrap_or(u32::MAX),
        lost: 0,
    });
    if plans.full {
        facts.notes.push(Note {
            line: None,
            section: None,
            message: "more plans than are kept of one file".to_owned(),
            effect: "those behind are left out; split the file".to_owned(),
        });
    }
    facts.plan_rows = plans.rows;
    Some(Ok(facts))
}

/// A report has lists of segments too, by I/O and not by size.
fn is_no_report(text: &str) -> bool {
    !lines(text).take(LINES_BEFORE).any(|l| recognise::kind_of_head(l.text).is_some())
        && !recognise::is_html(text)
}

/// What a file is that holds nothing for placement.
fn what_else(text: &str) -> String {
    let kind = lines(text).take(LINES_BEFORE).find_map(|l| recognise::kind_of_head(l.text)).or_else(|| {
        let words = html_table::text_of(text.get(..200_000).unwrap_or(text));
        lines(&words).find_map(|l| recognise::kind_of_head(l.text))
    });
    let what = match kind {
        Some(Kind::Awr) => "an AWR report",
        Some(Kind::Statspack) => "a Statspack report",
        Some(Kind::AwrCompare) => "an AWR compare-period report",
        Some(Kind::AwrSql) => "an AWR SQL report",
        Some(Kind::Addm) => "an ADDM report",
        Some(Kind::Ash) => "an ASH report",
        Some(Kind::AwrMiner) => "an AWR-miner file",
        Some(Kind::History) => "a history of snapshots",
        Some(_) | None => {
            return "no list of segments, plans or cached objects: neither a spool file of `spindle collect`, nor a list with \
                    headings, nor a plan of DBMS_XPLAN"
                .to_owned();
        }
    };
    format!("{what}, not what `spindle collect` gathers; give it as a PATH")
}

#[cfg(test)]
mod tests {
    use super::names_spool;

    #[test]
    fn a_spool_file_is_known_behind_any_number_of_bars() {
        for bars in [0, 1, 998, 999, 1_000, 1_001, 3_000] {
            let before = "a|b".repeat(bars);
            for (name, known) in [("SPINDLE|", true), ("SPINDLE |", false), ("INDLE|", false)] {
                let text = format!("{before}{name}|c");
                assert_eq!(names_spool(text.as_bytes()), known, "{bars} bars before {name}");
            }
        }
    }
}
