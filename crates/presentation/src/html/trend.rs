//! The page of a series: where it changed level, what else changed there, each measure over time.

use super::table::{Cell, Table};
use super::{LIMIT, RESERVE, SCRIPT, STYLE, empty, push_warnings, section};
use crate::chart::{Line, Scale, Span, TimeChart, put, seconds_of};
use crate::escape::{clip, push_html, push_prose};
use crate::{head, number, palette};
use spindle_diagnosis::comparison::{ChangePoint, Elsewhen, Trend, Weekend};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle compare --json</code>";
/// What changed at other times, shown beside each change.
const ELSEWHEN: usize = 8;
/// Intervals drawn; of more, one of every few.
const DRAWN: usize = 400;

/// A measure, the wait class whose colour it has, and the factor to the unit shown.
type Drawn<'a> = (&'a str, &'a str, f64);

/// The page.
#[must_use]
pub fn trend(t: &Trend) -> String {
    let mut out = String::with_capacity(60_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&format!("{}, changes", head::name(&t.identity)), 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main><header><h1>");
    push_html(&mut out, &clip(&head::name(&t.identity), 200));
    out.push_str("</h1><p>");
    let mut parts: Vec<String> = head::interval(&t.identity).into_iter().collect();
    parts.push(format!("{} intervals", t.intervals));
    parts.extend(head::machine(&t.identity));
    push_html(&mut out, &clip(&parts.join(" · "), 400));
    out.push_str("</p></header>");
    push_warnings(&mut out, &t.warnings, REST);
    out.push_str("<p class=answer>");
    push_prose(&mut out, &clip(&t.answer, 1200));
    out.push_str("</p>");
    for html in [changes(t), over_time(t)] {
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Levels are medians of what the intervals between two changes print; over three days and more the level after is that before times the median change of one hour of the day, and where weekends are known both are those of working days. Latencies are milliseconds. \"-\" is not printed, never zero.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn shown(value: f64, unit: &str) -> String {
    if unit == "us" { number::ms(value) } else { number::measure(value) }
}

fn beside(c: &ChangePoint) -> String {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "not listed".to_owned());
    let mut parts: Vec<String> = c
        .changed
        .iter()
        .take(8)
        .map(|x| format!("{}: {} to {}", x.name, value(&x.before), value(&x.after)))
        .collect();
    if c.changed.len() > 8 {
        parts.push(format!("{} more", c.changed.len() - 8));
    }
    parts.extend(c.plans.iter().map(|p| {
        let plans = |p: &[u64]| p.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        format!("plan of {}: {} to {}", p.statement, plans(&p.before), plans(&p.after))
    }));
    let more = c.elsewhen.len().saturating_sub(ELSEWHEN);
    let mut others: Vec<String> = c.elsewhen.iter().take(ELSEWHEN).map(Elsewhen::said).collect();
    others.extend((more > 0).then(|| format!("{more} more")));
    let weekend = match c.weekend {
        Some(Weekend::Whole) => Some("a weekend"),
        Some(Weekend::Part) => Some("part of a weekend"),
        None => None,
    };
    parts.splice(0..0, weekend.map(str::to_owned));
    let mut said = if parts.is_empty() { "nothing that is printed".to_owned() } else { parts.join("; ") };
    if let Some(or) = c.or_at.as_deref() {
        said.push_str(&format!(". Or at {}: so few days do not tell the two apart", number::time(or)));
    }
    if c.steady {
        said.push_str(". Or a steady rise or fall: that leaves about as much unexplained");
    }
    if !others.is_empty() {
        said.push_str(&format!(". At other times: {}", others.join("; ")));
    }
    said
}

fn changes(t: &Trend) -> String {
    let mut out = section("", "changes", "Where did it change, and what else changed there?");
    if t.change_points.is_empty() {
        empty(
            &mut out,
            "No measure changed its level by a tenth or more beyond what its own intervals vary by.",
        );
        out.push_str("</section>");
        return out;
    }
    let mut table = Table::new("", &["From", "What", "Unit", ">Before", ">After", ">p", "With it"], 60);
    for c in &t.change_points {
        table.row(
            "",
            &[
                Cell::Text(&c.at.as_deref().map(number::time).unwrap_or_default()),
                Cell::Text(&c.metric),
                Cell::Text(if c.unit == "us" { "ms" } else { c.unit }),
                Cell::Number(shown(c.before, c.unit)),
                Cell::Number(shown(c.after, c.unit)),
                Cell::Number(number::fixed(c.p_value, 3)),
                Cell::Prose(&beside(c)),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</section>");
    out
}

/// Where a change is marked in the charts, and what is said of it there.
fn mark(c: &ChangePoint) -> Option<(f64, String)> {
    let at = c.at.as_deref()?;
    let unit = if c.unit == "us" { "ms" } else { c.unit };
    let (before, after) = (shown(c.before, c.unit), shown(c.after, c.unit));
    Some((seconds_of(at)?, format!("{}: {} {before} to {after} {unit}", number::time(at), c.metric)))
}

fn over_time(t: &Trend) -> String {
    let mut out = section("", "time", "Over time");
    let step = t.points.len().div_ceil(DRAWN).max(1);
    let times: Vec<Option<f64>> =
        t.points.iter().map(|p| p.begin_time.as_deref().and_then(seconds_of)).collect();
    let drawn: Vec<usize> = (0..t.points.len()).step_by(step).filter(|i| times[*i].is_some()).collect();
    if drawn.len() < 2 {
        empty(&mut out, "The reports print no times, so nothing can be drawn over time.");
        out.push_str("</section>");
        return out;
    }
    if step > 1 {
        put!(out, "<p class=q>One of every {step} intervals is drawn.</p>");
    }
    // An interval is drawn as far as the next one begins, at most as far as most do.
    let begins: Vec<f64> = drawn.iter().filter_map(|i| times[*i]).collect();
    let mut lengths: Vec<f64> = begins.windows(2).map(|w| w[1] - w[0]).filter(|l| *l > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or(3600.0);
    let spans: Vec<Span> = begins
        .iter()
        .enumerate()
        .map(|(i, b)| Span {
            begin: *b,
            end: begins.get(i + 1).map_or(b + usual, |next| next.min(b + usual)),
        })
        .collect();
    let stretches: Vec<(f64, f64)> = spans.iter().map(|s| (s.begin, s.end)).collect();
    let Some(axis) = Scale::time_over(&stretches) else {
        empty(&mut out, "The intervals have no length, so nothing can be drawn over time.");
        out.push_str("</section>");
        return out;
    };
    let names: Vec<String> = drawn
        .iter()
        .map(|i| t.points[*i].begin_time.as_deref().map(number::time).unwrap_or_default())
        .collect();
    let charts: [(&str, &str, &[Drawn<'_>]); 4] = [
        (
            "How busy was it?",
            "s a second (active sessions)",
            &[("DB time a second", "Concurrency", 1.0), ("DB CPU a second", "CPU", 1.0)],
        ),
        ("What did a transaction take?", "ms", &[("DB time a transaction", "Concurrency", 1000.0)]),
        (
            "How many requests a second?",
            "requests/s",
            &[("read requests a second", "User I/O", 1.0), ("write requests a second", "Commit", 1.0)],
        ),
        (
            "How long did I/O and commits take?",
            "ms",
            &[
                ("single-block read", "User I/O", 0.001),
                ("log write", "System I/O", 0.001),
                ("commit wait", "Commit", 0.001),
            ],
        ),
    ];
    for (question, unit, lines) in charts {
        let marks = t.change_points.iter().filter(|c| c.weekend.is_none());
        let marks = marks.filter(|c| lines.iter().any(|(name, ..)| *name == c.metric));
        let marks: Vec<(f64, String)> = marks.filter_map(mark).collect();
        let lines: Vec<Line> = lines
            .iter()
            .map(|(name, class, factor)| Line {
                name: (*name).to_owned(),
                css: palette::of(class).css,
                values: drawn.iter().map(|i| t.points[*i].values.get(name).map(|v| v * factor)).collect(),
            })
            .collect();
        let chart = TimeChart {
            question,
            y_unit: unit,
            axis: &axis,
            spans: &spans,
            names: &names,
            layers: vec![],
            lines,
            peak: None,
            marks,
        };
        match chart.render() {
            Some(picture) => out.push_str(&picture),
            None => empty(&mut out, &format!("{question} No interval prints it.")),
        }
    }
    out.push_str("</section>");
    out
}
