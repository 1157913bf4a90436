//! The page of a sizing: what the load is, what each redundancy needs, when and who, and what the
//! reports cannot show.
//!
//! Self-contained and under [`LIMIT`] bytes like every page; tables are capped and say that
//! `spindle size --json` holds the rest.

mod load;
mod need;
mod when;
mod who;

use super::{LIMIT, RESERVE, SCRIPT, STYLE, empty, section};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use spindle_planning::sizing::Sizing;

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle size --json</code>";

/// Makes a part.
type Render = fn(&Sizing) -> String;

/// The page.
#[must_use]
pub fn size(s: &Sizing) -> String {
    let mut out = String::with_capacity(80_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&format!("{}, storage needed", name(s)), 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, s);
    let parts: [(&str, Render); 9] = [
        ("what each redundancy needs", need::redundancy),
        ("racks", need::racks),
        ("other devices", need::others),
        ("the load", load::render),
        ("load over time", when::over_time),
        ("how often", when::histogram),
        ("growth", need::growth),
        ("who is on the storage", who::tenants),
        ("the busiest intervals", who::drill),
    ];
    for (what, render) in parts {
        let html = render(s);
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str(&doubts(s));
    out.push_str("<footer>Rates are a second; MB is 10<sup>6</sup> bytes, GiB is 2<sup>30</sup>. A percentile is the load that was not exceeded in so much of the time. \"-\" is not known, never zero. Latency by load is a model of queueing (M/M/1 for a disk, M/M/c for flash and volumes) unless a curve was given.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn name(s: &Sizing) -> String {
    match s.databases.as_slice() {
        [] => "Load as stated".to_owned(),
        many => many.join(", "),
    }
}

/// Which databases, which time, which disk, and the answer.
fn first(out: &mut String, s: &Sizing) {
    out.push_str("<header><h1>");
    push_html(out, &clip(&name(s), 200));
    out.push_str("</h1><p>");
    let mut parts = Vec::new();
    if let (Some(begin), Some(end)) = (&s.begin_time, &s.end_time) {
        parts.push(format!("{} to {}", number::time(begin), number::time(end)));
    }
    if s.reports > 0 {
        parts.push(format!(
            "{} report{}",
            number::count(s.reports as f64),
            if s.reports == 1 { "" } else { "s" }
        ));
        parts.push(format!(
            "{} interval{} counted",
            number::count(s.intervals_counted as f64),
            if s.intervals_counted == 1 { "" } else { "s" }
        ));
    }
    parts.extend(s.measured_s.map(|m| format!("{} measured", number::duration(m))));
    push_html(out, &clip(&parts.join(" · "), 300));
    out.push_str("</p><p class=q>");
    let d = &s.disk;
    let mut parts = vec![
        format!("disk {}", d.name),
        format!("{} IOPS ({})", number::plain(d.iops), d.origin),
        match d.curve_operation.as_deref() {
            None => format!(
                "a small read alone {} ms, a write {} ms",
                number::ms_plain(d.read_latency_us),
                number::ms_plain(d.write_latency_us)
            ),
            Some(operation) => format!(
                "by a curve of {} in place of a queue: {} ms at its lowest load",
                match operation {
                    "read" => "reads",
                    "write" => "writes",
                    _ => "reads and writes",
                },
                number::ms_plain(d.read_latency_us)
            ),
        },
    ];
    parts.extend(d.mbps.map(|m| format!("{} MB/s", number::plain(m))));
    parts.extend(d.capacity_bytes.map(number::bytes));
    parts.push(match s.latency_target_us {
        Some(us) => format!("latency kept at {} ms", number::ms_plain(us)),
        None if d.curve_operation.is_some() => "planned for 70 % of that rate".to_owned(),
        None => "planned for twice the latency of a request alone, at most 70 % busy".to_owned(),
    });
    push_html(out, &clip(&parts.join(" · "), 400));
    out.push_str("</p></header><p class=answer>");
    push_prose(out, &clip(&s.answer, 2000));
    out.push_str("</p><nav class=nv><a href=\"#need\">What it needs</a> <a href=\"#load\">Load</a> <a href=\"#time\">Over time</a> <a href=\"#often\">How often</a> <a href=\"#growth\">Growth</a> <a href=\"#tenants\">Who</a> <a href=\"#busiest\">Busiest intervals</a> <a href=\"#doubts\">Before you buy</a></nav>");
}

fn doubts(s: &Sizing) -> String {
    let mut out = section("", "doubts", "Before you buy");
    if s.warnings.is_empty() {
        empty(&mut out, "Nothing that Spindle knows of speaks against these numbers.");
    } else {
        out.push_str("<ul class=li>");
        for warning in s.warnings.iter().take(30) {
            out.push_str("<li>");
            push_prose(&mut out, &clip(warning, 2000));
            out.push_str("</li>");
        }
        out.push_str("</ul>");
    }
    if !s.gaps.is_empty() {
        let n = s.gaps.len();
        put!(
            out,
            "<details><summary>{n} remark{} on the time axis: gaps, overlaps, restarts, files given twice</summary>",
            if n == 1 { "" } else { "s" }
        );
        let mut table =
            super::table::Table::new("", &["", "Database", ">Instance", "From", "To", "What"], 60);
        let when = |t: &Option<String>| t.as_deref().map(number::time).unwrap_or_default();
        for remark in &s.gaps {
            let instance = remark.instance_number.map_or_else(String::new, |n| n.to_string());
            table.row(
                "",
                &[
                    super::table::Cell::Text(remark.kind),
                    super::table::Cell::Text(remark.database.as_deref().unwrap_or("")),
                    super::table::Cell::Number(instance),
                    super::table::Cell::Text(&when(&remark.begin_time)),
                    super::table::Cell::Text(&when(&remark.end_time)),
                    super::table::Cell::Text(&remark.message),
                ],
            );
        }
        table.finish_with(&mut out, REST);
        out.push_str("</details>");
    }
    out.push_str("</section>");
    out
}

/// A number, marked where it is the least that it can be.
fn at_least(value: Option<f64>, is_least: bool, show: fn(f64) -> String) -> super::table::Cell<'static> {
    let mark = if is_least && value.is_some() { "at least " } else { "" };
    super::table::Cell::Number(format!("{mark}{}", number::or_unknown(value, show)))
}

/// Whole digits.
fn digits(value: f64) -> String {
    number::fixed(value, 0)
}

/// A whole number, or the mark for unknown.
fn whole(value: Option<f64>) -> String {
    number::or_unknown(value, digits)
}
