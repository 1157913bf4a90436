//! One self-contained page: the answer first, the proof below it.
//!
//! No network, no external address, complete without script. The page never exceeds [`LIMIT`]
//! bytes: tables are capped and say how many rows are left in `spindle facts`, and a part that
//! would not fit is replaced by a line that says so.

mod compare;
mod compare_results;
mod first;
mod io;
mod latency;
mod ledger;
mod measure;
mod measure_forms;
mod memory;
mod over_time;
mod place;
mod simulate;
mod size;
mod table;
mod trend;
mod what_if;
mod who;

pub use compare::compare;
pub use compare_results::compare_results;
pub use measure::measure;
pub use place::place;
pub use simulate::simulate;
pub use size::size;
pub use trend::trend;

use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::overview::Overview;
use crate::{Subject, head};
use spindle_diagnosis::Diagnosis;
use spindle_facts::Report;

/// Largest page, bytes.
pub const LIMIT: usize = 400_000;
/// Kept for what ends the page.
const RESERVE: usize = 12_000;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("enhance.js");

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct PageInput<'a> {
    /// Reports with what is said about them.
    pub subjects: &'a [Subject<'a>],
    /// Inputs that could not be read: name and reason.
    pub unread: &'a [(String, String)],
    /// How many of the busiest reports have all that is shown of a report.
    pub in_full: usize,
}

/// The page.
#[must_use]
pub fn page(input: &PageInput<'_>) -> String {
    let mut out = String::with_capacity(120_000);
    let overview = Overview::of(input.subjects);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    let title = match input.subjects {
        [one] => head::name(&one.report.identity),
        _ => overview.title.clone(),
    };
    push_html(&mut out, &clip(&title, 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    match input.subjects {
        [] => out.push_str("<h1>Nothing was read</h1><p>None of the inputs holds a report that could be read; the reasons are below.</p>"),
        [one] => report(&mut out, *one, "", true),
        many => several(&mut out, many, &overview, input.in_full),
    }
    unread(&mut out, input.unread);
    out.push_str("<footer>Times in the database are seconds of DB time over the interval; latencies are milliseconds; MB is 10<sup>6</sup> bytes, GiB is 2<sup>30</sup>. \"-\" is not printed, never zero. Hover over a number for its section and line; print shows them.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

/// Appends a part if the page has room for it.
fn part(out: &mut String, what: &str, html: &str) {
    if out.len() + html.len() + RESERVE <= LIMIT {
        out.push_str(html);
    } else if out.len() + 300 + RESERVE / 2 <= LIMIT {
        put!(
            out,
            "<p class=empty>Left out to keep the page under 400 KB: {what}. <code>spindle facts</code> prints it.</p>"
        );
    }
}

/// Warnings that a page shows.
const WARNINGS: usize = 12;

/// What to doubt, above the answer or below it; `rest` says where those are that have no room.
fn push_warnings(out: &mut String, warnings: &[String], rest: &str) {
    if warnings.is_empty() {
        return;
    }
    out.push_str("<ul class=warn>");
    for warning in warnings.iter().take(WARNINGS) {
        out.push_str("<li>");
        push_prose(out, &clip(warning, 500));
        out.push_str("</li>");
    }
    if warnings.len() > WARNINGS {
        put!(out, "<li>{} more {rest}</li>", warnings.len() - WARNINGS);
    }
    out.push_str("</ul>");
}

/// Makes a part: a subject and the prefix of its anchors.
type Render = fn(Subject<'_>, &str) -> String;

/// Everything about one report. `prefix` keeps the anchors of several reports apart.
fn report(out: &mut String, subject: Subject<'_>, prefix: &str, alone: bool) {
    let mut html = String::new();
    first::render(&mut html, subject, prefix, alone);
    part(out, "the first screen", &html);
    let parts: [(&str, Render); 6] = [
        ("the I/O profile", io::render),
        ("latencies", latency::render),
        ("statements, segments, tablespaces and files", who::render),
        ("what if", what_if::render),
        ("memory advice", memory::render),
        ("what was read", ledger::render),
    ];
    for (what, render) in parts {
        part(out, what, &render(subject, prefix));
    }
}

/// Several reports: the overview, the charts over time, then each report, busiest first.
fn several(out: &mut String, subjects: &[Subject<'_>], overview: &Overview<'_>, in_full: usize) {
    let mut html = String::new();
    first::render_several(&mut html, subjects, overview);
    part(out, "the overview", &html);
    let pairs: Vec<(&Report, &Diagnosis)> = subjects.iter().map(|s| (s.report, s.diagnosis)).collect();
    let series = spindle_diagnosis::series(&pairs);
    part(out, "the charts over time", &over_time::render(subjects, &series));
    let mut left_out = 0;
    for (n, &i) in overview.by_load.iter().enumerate() {
        let mut html = String::new();
        if n < in_full && out.len() + RESERVE * 3 < LIMIT {
            report(&mut html, subjects[i], &format!("r{}-", i + 1), false);
        }
        if html.is_empty() || out.len() + html.len() + RESERVE * 2 > LIMIT {
            left_out = subjects.len() - n;
            break;
        }
        let id = &subjects[i].report.identity;
        let when = head::when(subjects[i], subjects);
        put!(out, "<details class=rep id=r{}{}><summary><b>", i + 1, if n == 0 { " open" } else { "" });
        push_html(out, &clip(&format!("{}, {when}", head::name(id)), 200));
        out.push_str("</b> ");
        push_prose(out, &clip(&subjects[i].diagnosis.answer, 300));
        put!(out, "</summary>{html}</details>");
    }
    if left_out > 0 {
        put!(
            out,
            "<p class=empty>{left_out} more report{} not shown in full, to keep the page under 400 KB: <code>spindle diagnose FILE --html</code> makes the page of each.</p>",
            if left_out == 1 { " is" } else { "s are" }
        );
    }
}

fn unread(out: &mut String, unread: &[(String, String)]) {
    if unread.is_empty() {
        return;
    }
    let mut html = String::from("<section><h2>Inputs that were not read</h2><ul>");
    for (source, reason) in unread.iter().take(40) {
        html.push_str("<li><code>");
        push_html(&mut html, &clip(source, 120));
        html.push_str("</code>: ");
        push_html(&mut html, &clip(reason, 160));
        html.push_str("</li>");
    }
    if unread.len() > 40 {
        put!(html, "<li>{} more, listed on the terminal</li>", unread.len() - 40);
    }
    html.push_str("</ul></section>");
    if out.len() + html.len() + 4_000 + SCRIPT.len() <= LIMIT {
        out.push_str(&html);
    } else {
        put!(out, "<p class=empty>{} inputs were not read; the terminal lists them.</p>", unread.len());
    }
}

/// A heading with an anchor.
fn section(prefix: &str, id: &str, title: &str) -> String {
    format!("<section id=\"{prefix}{id}\"><h2>{title}</h2>")
}

/// A line that says why something is not shown.
fn empty(out: &mut String, why: &str) {
    out.push_str("<p class=empty>");
    push_prose(out, why);
    out.push_str("</p>");
}
