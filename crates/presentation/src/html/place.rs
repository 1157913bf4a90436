//! The page of a placement: what moves to the fast tier, in what order, what it saves, and what
//! the reports cannot show.
//!
//! Self-contained and under [`LIMIT`] bytes like every page; tables are capped and say that
//! `spindle place --json` holds the rest.

mod alternatives;
mod frontier;
mod objects;
mod statements;
mod time;
mod unseen;

use super::{LIMIT, RESERVE, SCRIPT, STYLE};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use spindle_planning::{Plan, Range, Tier};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle place --json</code>";

/// Makes a part.
type Render = fn(&Plan) -> String;

/// The page.
#[must_use]
pub fn place(plan: &Plan) -> String {
    let mut out = String::with_capacity(60_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&format!("{}, plan for the fast tier", name(plan)), 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, plan);
    let parts: [(&str, Render); 8] = [
        ("response time now and then", time::render),
        ("the plan", objects::chosen),
        ("what each capacity buys", frontier::render),
        ("statements", statements::render),
        ("what else could be done", alternatives::render),
        ("what is left out", objects::left_out),
        ("what cannot be seen", unseen::render),
        ("volumes of the plans", objects::volumes),
    ];
    for (what, render) in parts {
        let html = render(plan);
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Seconds are of DB time, over all intervals measured. Ranges are at least to at most; GiB is 2<sup>30</sup> bytes, MB is 10<sup>6</sup>. \"-\" is not known, never zero. Hover over a line for its section; print shows it.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn name(plan: &Plan) -> String {
    let m = &plan.measured;
    let mut out = m.db_name.clone().unwrap_or_else(|| "database not named".to_owned());
    if let Some(container) = &m.container {
        out.push_str(" / ");
        out.push_str(container);
    }
    out
}

/// Which database, which intervals, which tiers, and the answer.
fn first(out: &mut String, plan: &Plan) {
    let m = &plan.measured;
    out.push_str("<header><h1>");
    push_html(out, &clip(&name(plan), 200));
    out.push_str("</h1><p>");
    let mut parts = Vec::new();
    if let (Some(begin), Some(end)) = (&m.begin_time, &m.end_time) {
        parts.push(format!("{} to {}", number::time(begin), number::time(end)));
    }
    parts.push(format!("{} interval{}", m.intervals, if m.intervals == 1 { "" } else { "s" }));
    parts.push(format!("{} measured", number::duration(m.elapsed_s)));
    let from = m.db_time_from.as_ref().map(|from| format!(" (from {from})")).unwrap_or_default();
    parts.push(format!("DB time {} s{from}", number::measure(plan.db_time_s.now)));
    push_html(out, &clip(&parts.join(" · "), 300));
    out.push_str("</p><p class=q>");
    let mut parts = Vec::new();
    parts.extend(m.version.as_ref().map(|v| format!("Oracle {v}")));
    if !m.instances.is_empty() {
        let numbers: Vec<String> = m.instances.iter().take(32).map(u32::to_string).collect();
        let more = if m.instances.len() > 32 { ", ..." } else { "" };
        let s = if m.instances.len() == 1 { "" } else { "s" };
        parts.push(format!("instance{s} {}{more}", numbers.join(", ")));
    }
    let each = if m.instances.len() > 1 { " an instance" } else { "" };
    parts.extend(m.buffer_cache_bytes.map(|b| format!("buffer cache {}{each}", number::bytes(b))));
    if !m.left_out.is_empty() {
        parts.push("reports are left out, see below".to_owned());
    }
    push_html(out, &clip(&parts.join(" · "), 400));
    out.push_str("</p></header><p class=answer>");
    push_prose(out, &clip(&plan.answer, 1200));
    out.push_str("</p><ul class=tiers>");
    for one in plan.tiers.iter().take(12) {
        tier(out, one);
    }
    if plan.tiers.len() > 12 {
        put!(out, "<li>{} more tiers</li>", plan.tiers.len() - 12);
    }
    out.push_str("</ul><nav class=nv><a href=\"#time\">Now and then</a> <a href=\"#plan\">Plan</a> <a href=\"#frontier\">Capacity</a> <a href=\"#statements\">Statements</a> <a href=\"#else\">What else</a> <a href=\"#left\">Left out</a> <a href=\"#unseen\">What cannot be seen</a> <a href=\"#volumes\">Plan volumes</a></nav>");
}

fn tier(out: &mut String, tier: &Tier) {
    out.push_str("<li>Tier <b>");
    push_html(out, &clip(&tier.name, 80));
    out.push_str("</b>: ");
    let mut parts = vec![
        number::bytes(tier.capacity_bytes),
        format!("reads {} ms", number::ms_plain(tier.read_latency_us)),
        format!("writes {} ms", number::ms_plain(tier.write_latency_us)),
    ];
    parts.push(
        tier.mbps.map_or_else(|| "bandwidth not given".to_owned(), |m| format!("{} MB/s", number::plain(m))),
    );
    parts.extend(tier.iops_cap.map(|n| format!("at most {} IOPS", number::plain(n))));
    parts.extend(tier.price.map(|p| format!("price {}", number::plain(p))));
    parts.extend(
        tier.endurance_bytes.map(|b| format!("{} TB may be written in its life", number::plain(b / 1e12))),
    );
    parts.extend(tier.profile.as_ref().map(|p| format!("profile {p}")));
    push_html(out, &clip(&parts.join(", "), 300));
    out.push_str("</li>");
}

/// Bounds of a range.
fn range(range: Range) -> String {
    number::open_range(range.low, range.high)
}

/// `1 object`, `3 objects`.
fn objects(n: usize) -> String {
    format!("{} object{}", number::count(n as f64), if n == 1 { "" } else { "s" })
}
