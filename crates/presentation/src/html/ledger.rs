//! What was read: every section with its fate, and the notes.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::put;
use crate::escape::{clip, push_html};
use crate::{Subject, head};
use spindle_facts::SectionStatus;

/// Sections and notes listed.
const SECTIONS: usize = 260;
const NOTES: usize = 40;

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "read", "What was read");
    let report = subject.report;
    out.push_str("<p>");
    push_html(&mut out, &head::Ledger::of(report).sentence());
    out.push_str(" from <code>");
    push_html(&mut out, &clip(&report.identity.source, 160));
    out.push_str("</code>.</p>");
    if !report.notes.is_empty() {
        put!(
            out,
            "<details open><summary>{} note{}: doubts and corrections</summary><ul class=nt>",
            report.notes.len(),
            if report.notes.len() == 1 { "" } else { "s" }
        );
        for note in report.notes.iter().take(NOTES) {
            out.push_str("<li>");
            if note.section.is_some() || note.line.is_some() {
                out.push_str("<cite>");
                push_html(
                    &mut out,
                    &clip(&head::place(note.section.as_deref().unwrap_or(""), note.line.unwrap_or(0)), 120),
                );
                out.push_str("</cite> ");
            }
            push_html(&mut out, &clip(&note.message, 300));
            out.push_str(" <b>");
            push_html(&mut out, &clip(&note.effect, 300));
            out.push_str("</b></li>");
        }
        if report.notes.len() > NOTES {
            put!(
                out,
                "<li>{} more in <code>spindle facts --sections</code></li>",
                report.notes.len() - NOTES
            );
        }
        out.push_str("</ul></details>");
    }
    if report.sections.is_empty() {
        empty(&mut out, "No section heading was recognised in this input.");
    } else {
        // What was not read comes first: that is what a reader must know.
        let rank = |s: SectionStatus| match s {
            SectionStatus::Unreadable => 0,
            SectionStatus::Unknown => 1,
            SectionStatus::Read => 2,
            SectionStatus::Absent => 3,
        };
        let mut rows: Vec<_> = report.sections.iter().collect();
        rows.sort_by_key(|s| (rank(s.status), s.line));
        put!(out, "<details><summary>Every section of the report</summary>");
        let mut table = Table::new(
            "read: its rows are in a table; absent: printed without data; unreadable: rows could not be made out, a note says why; unknown: kept as printed, not interpreted.",
            &["Section", "Status", ">Rows", ">Line"],
            SECTIONS,
        );
        for section in rows {
            table.row(
                "",
                &[
                    Cell::Text(&section.title),
                    Cell::Text(head::status(section.status)),
                    Cell::Number(match section.lost {
                        0 => section.rows.to_string(),
                        lost => format!("{} ({lost} lost)", section.rows),
                    }),
                    Cell::Number(section.line.to_string()),
                ],
            );
        }
        table.finish(&mut out);
        out.push_str("</details>");
    }
    out.push_str("</section>");
    out
}
