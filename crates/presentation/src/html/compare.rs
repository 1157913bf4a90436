//! The page of a comparison: the answer, the steps that explain it, latencies as distributions, what is
//! real, work, statements, I/O, what else changed.

mod explained;
mod latency;
mod tables;

use super::{LIMIT, RESERVE, SCRIPT, STYLE, push_warnings};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::{head, number};
use spindle_diagnosis::comparison::{Comparison, SideHead};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle compare --json</code>";

/// Makes a part.
type Render = fn(&Comparison) -> String;

/// The page.
#[must_use]
pub fn compare(c: &Comparison) -> String {
    let mut out = String::with_capacity(60_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&format!("{}, before and after", head::side_name(&c.before)), 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, c);
    let parts: [(&str, Render); 7] = [
        ("the steps", explained::render),
        ("latencies", latency::render),
        ("the tests", tables::tests),
        ("load and work", tables::metrics),
        ("statements", tables::statements),
        ("I/O", tables::io),
        ("what else changed", tables::changed),
    ];
    for (what, render) in parts {
        let html = render(c);
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Latencies are milliseconds; MB is 10<sup>6</sup> bytes. \"-\" is not printed, never zero. Bounds are what rounding leaves open.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn first(out: &mut String, c: &Comparison) {
    out.push_str("<header><h1>");
    push_html(out, &clip(&head::both(&c.before, &c.after), 200));
    out.push_str("</h1>");
    for (which, side) in [("Before", &c.before), ("After", &c.after)] {
        put!(out, "<p><b>{which}</b> ");
        push_html(out, &clip(&when(side), 400));
        out.push_str("</p>");
    }
    out.push_str("</header>");
    push_warnings(out, &c.warnings, REST);
    out.push_str("<p class=answer>");
    push_prose(out, &clip(&c.answer, 1200));
    out.push_str("</p><ul class=li>");
    for sentence in &c.says {
        out.push_str("<li>");
        push_prose(out, &clip(sentence, 800));
        out.push_str("</li>");
    }
    out.push_str("</ul><nav class=nv><a href=\"#explained\">Explained</a> <a href=\"#latency\">Latency</a> <a href=\"#real\">Is it real?</a> <a href=\"#load\">Load</a> <a href=\"#statements\">Statements</a> <a href=\"#io\">I/O</a> <a href=\"#changed\">What else changed</a></nav>");
}

fn when(side: &SideHead) -> String {
    let id = &side.identity;
    let mut parts = vec![head::interval(id).unwrap_or_else(|| "times not printed".to_owned())];
    parts.push(if side.reports == side.intervals {
        format!("{} interval{}", side.intervals, if side.intervals == 1 { "" } else { "s" })
    } else {
        format!("{} intervals of {} reports", side.intervals, side.reports)
    });
    parts.extend(head::machine(id));
    parts.push(head::kind(id));
    // One file may hold many intervals.
    let mut files: Vec<&str> = side.sources.iter().map(String::as_str).collect();
    files.dedup();
    let mut sources = files[..files.len().min(3)].join(", ");
    if files.len() > 3 {
        sources.push_str(&format!(" and {} more", files.len() - 3));
    }
    parts.push(sources);
    parts.join(" · ")
}

/// Factor from seconds to the unit shown, and that unit.
fn unit(c: &Comparison) -> (f64, &'static str) {
    match c.normalised_by {
        "second" => (1.0, "seconds of DB time a second (active sessions)"),
        "transaction" => (1000.0, "ms of DB time a transaction"),
        _ => (1.0, "seconds of DB time"),
    }
}

fn signed(value: f64) -> String {
    let text = number::measure(value);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// Bounds, or nothing where they print like the value.
fn bounds(value: f64, low: f64, high: f64) -> String {
    if high - low <= 0.001 * value.abs() {
        String::new()
    } else {
        format!("{} to {}", signed(low), signed(high))
    }
}
