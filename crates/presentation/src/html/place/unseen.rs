//! What the reports cannot show: the unseen share, doubts, reports left out.

use super::super::{empty, section};
use super::REST;
use crate::chart::put;
use crate::escape::{clip, push_prose};
use spindle_planning::Plan;

/// Sentences and bytes of each list.
const SENTENCES: (usize, usize) = (30, 12_000);

pub(super) fn render(plan: &Plan) -> String {
    let mut out = section("", "unseen", "What cannot be seen");
    if plan.unseen.is_empty() {
        empty(&mut out, "Nothing is said about the I/O that no object accounts for.");
    } else {
        out.push_str("<p>");
        push_prose(&mut out, &clip(&plan.unseen, 1500));
        out.push_str("</p>");
    }
    list(&mut out, "Doubts and contradictions", &plan.warnings, "No doubt beyond that.");
    list(
        &mut out,
        "Reports left out",
        &plan.measured.left_out,
        "None: every report that was read is counted.",
    );
    out.push_str("</section>");
    out
}

fn list(out: &mut String, title: &str, sentences: &[String], none: &str) {
    put!(out, "<h3>{title}</h3>");
    if sentences.is_empty() {
        empty(out, none);
        return;
    }
    out.push_str("<ul class=li>");
    let end = out.len() + SENTENCES.1;
    let mut said = 0;
    for sentence in sentences.iter().take(SENTENCES.0) {
        if out.len() > end {
            break;
        }
        said += 1;
        out.push_str("<li>");
        push_prose(out, &clip(sentence, 500));
        out.push_str("</li>");
    }
    if sentences.len() > said {
        put!(out, "<li>{} more, {REST}</li>", sentences.len() - said);
    }
    out.push_str("</ul>");
}
