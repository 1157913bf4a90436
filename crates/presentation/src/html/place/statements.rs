//! Statements: how long now, how long then, and why.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{REST, range};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use spindle_planning::{Plan, StatementGain};

/// Rows and bytes of the table.
const ROWS: (usize, usize) = (40, 40_000);
/// Longest text of a statement kept whole, characters.
const TEXT: usize = 6_000;
/// Characters of it in the table.
const SHOWN: usize = 70;
/// Bytes of all texts.
const TEXTS: usize = 40_000;
/// A gain that is shown as none.
const NONE: f64 = 1.005;

pub(super) fn render(plan: &Plan) -> String {
    let mut out = section("", "statements", "Which statements gain?");
    let (gain, none): (Vec<&StatementGain>, Vec<&StatementGain>) =
        plan.statements.iter().partition(|s| s.gain.mid > NONE);
    if gain.is_empty() {
        empty(
            &mut out,
            if plan.statements.is_empty() {
                "The reports list no statement with its elapsed time and I/O wait."
            } else if plan.chosen.is_empty() {
                "None, since nothing moves."
            } else {
                "None of the statements that the reports list would gain half a percent or more."
            },
        );
        out.push_str("</section>");
        return out;
    }
    let headings = [
        "Statement",
        ">Executions",
        ">Now (s)",
        ">I/O wait (s)",
        ">Then (s)",
        ">At least to at most (s)",
        ">Gain (times)",
        ">At least to at most",
        "Because",
    ];
    let mut table = Table::new(
        "Elapsed time over all executions and intervals in which a statement is printed. Gain: elapsed time now over then.",
        &headings,
        ROWS.0,
    )
    .within(ROWS.1);
    for s in &gain {
        if table.full() {
            table.row("", &[]);
            continue;
        }
        table.row(
            "",
            &[
                Cell::Html(statement(s)),
                Cell::known(s.executions, number::count),
                Cell::Number(number::measure(s.now_s)),
                Cell::known(s.io_wait_s, number::measure),
                Cell::Number(number::measure(s.then_s.mid)),
                Cell::Number(range(s.then_s)),
                Cell::Number(number::measure(s.gain.mid)),
                Cell::Number(range(s.gain)),
                Cell::Html(because(s)),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    texts(&mut out, &gain);
    if !none.is_empty() {
        put!(
            out,
            "<p class=q>{} more statement{} would gain less than half a percent.</p>",
            none.len(),
            if none.len() == 1 { "" } else { "s" }
        );
    }
    out.push_str("</section>");
    out
}

/// Texts that the table has no room for, folded and whole: a cell would print them a word a line.
fn texts(out: &mut String, statements: &[&StatementGain]) {
    let long: Vec<(&StatementGain, &String)> = statements
        .iter()
        .filter_map(|s| Some((*s, s.text.as_ref().filter(|t| t.chars().count() > SHOWN)?)))
        .collect();
    if long.is_empty() {
        return;
    }
    out.push_str("<details><summary>Whole texts of these statements</summary>");
    let end = out.len() + TEXTS;
    for (n, (s, text)) in long.iter().enumerate() {
        if n >= ROWS.0 || out.len() > end {
            put!(out, "<p class=empty>{} more texts {REST}</p>", long.len() - n);
            break;
        }
        out.push_str("<p><b>");
        push_html(out, &clip(&name(s), 40));
        out.push_str("</b></p><pre>");
        push_html(out, &clip(text, TEXT));
        out.push_str("</pre>");
    }
    out.push_str("</details>");
}

/// How a statement is called.
fn name(s: &StatementGain) -> String {
    s.sql_id
        .clone()
        .or_else(|| s.old_hash.map(|h| h.to_string()))
        .unwrap_or_else(|| "not identified".to_owned())
}

/// Identifier, module, and how the text begins.
fn statement(s: &StatementGain) -> String {
    let mut html = String::from("<div class=ob><b>");
    push_html(&mut html, &clip(&name(s), 40));
    html.push_str("</b>");
    if let Some(module) = &s.module {
        html.push_str(" <span class=q>");
        push_html(&mut html, &clip(module, 60));
        html.push_str("</span>");
    }
    if let Some(text) = &s.text {
        html.push_str("<div class=sql>");
        push_html(&mut html, &clip(text, SHOWN));
        html.push_str("</div>");
    }
    html.push_str("</div>");
    html
}

fn because(s: &StatementGain) -> String {
    let mut html = String::from("<div class=why>");
    if s.from_temp_alone {
        html.push_str("<b>From temp alone.</b> ");
    }
    push_prose(&mut html, &clip(&s.because, 400));
    html.push_str("</div>");
    html
}
