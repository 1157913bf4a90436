//! Response time now and then: two bars on one axis, by wait class, and their table.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::range;
use crate::chart::{BeforeAfter, Part, Piece, Side, put};
use crate::escape::{clip, push_prose};
use crate::{number, palette};
use spindle_planning::{Component, Plan, Range, ResponsePart};

/// Parts in the table.
const PARTS: usize = 40;

/// Wait class of what waits for a device: decides the colour, as everywhere.
fn wait_class(component: Component) -> &'static str {
    match component {
        Component::SingleBlockRead
        | Component::MultiBlockRead
        | Component::DirectRead
        | Component::TempRead
        | Component::TempWrite
        | Component::DirectWrite
        | Component::ReadByOther => "User I/O",
        Component::Commit => "Commit",
        Component::DatabaseWriter | Component::LogSpace => "Configuration",
        Component::ControlFile => "System I/O",
    }
}

/// Name and colour of the group that a part is drawn in.
fn group(part: &ResponsePart) -> (&str, &'static str) {
    match part.component {
        Some(component) => (wait_class(component), palette::of(wait_class(component)).css),
        None if part.part == "CPU" => ("CPU", palette::CPU.css),
        None if part.part == "not explained" => ("not explained", palette::UNEXPLAINED.css),
        None => (&part.part, palette::of("").css),
    }
}

/// Parts of one bar, groups in the order in which they first come.
fn bar(parts: &[ResponsePart], size: fn(&ResponsePart) -> f64) -> Vec<Part<'_>> {
    let mut out: Vec<Part<'_>> = Vec::new();
    for part in parts {
        let (name, css) = group(part);
        let s = size(part);
        let hover = format!("{}: {} s", part.part, number::measure(s));
        let at = match out.iter().position(|g| g.name == name) {
            Some(at) => at,
            None => {
                out.push(Part { name, css, size: 0.0, pieces: vec![], hover: String::new() });
                out.len() - 1
            }
        };
        let Some(group) = out.get_mut(at) else { continue };
        group.size += s;
        group.hover = format!("{name}: {} s", number::measure(group.size));
        if part.component.is_some() && part.part != name {
            group.pieces.push(Piece { name: &part.part, size: s, hover });
        }
    }
    out
}

pub(super) fn render(plan: &Plan) -> String {
    let mut out = section("", "time", "Response time now and then");
    let t = &plan.db_time_s;
    if t.now <= 0.0 || plan.response_time.is_empty() {
        empty(&mut out, "Response time cannot be drawn: the reports print neither DB time nor waits.");
        out.push_str("</section>");
        return out;
    }
    let then = Range { low: t.then_low, mid: t.then, high: t.then_high };
    let saves = plan.saves_s;
    let drawn: f64 = plan.response_time.iter().map(|p| p.now_s).sum();
    // Parts that reports round, or count twice, may reach beyond DB time.
    let ends = if t.then_high.is_finite() { t.then_high } else { 1.25 * t.then };
    let total = drawn.max(t.now).max(ends);
    let question = format!("How much of {} s of DB time would be left?", number::measure(t.now));
    out.push_str(
        &BeforeAfter {
            question: &question,
            unit: "seconds of DB time",
            total,
            before: Side {
                label: format!("now: {} s", number::measure(t.now)),
                parts: bar(&plan.response_time, |p| p.now_s),
            },
            after: Side { label: then_words(then), parts: bar(&plan.response_time, |p| p.then_s.mid) },
            // What has no upper end is drawn to the edge.
            end: (t.then_low, t.then_high.min(total), then_hover(then)),
            saved: if saves.mid > 0.0 {
                format!("saved {} s", number::measure(saves.mid))
            } else {
                String::new()
            },
        }
        .render(),
    );
    out.push_str("<p class=q>Percentages in both bars are of the DB time of now; the hatched mark is where the lower bar may end.</p>");
    table(plan, then).finish_with(&mut out, super::REST);
    relief(&mut out, plan);
    out.push_str("</section>");
    out
}

fn then_hover(then: Range) -> String {
    if then.high.is_finite() {
        format!("DB time then: {} s at least to at most", range(then))
    } else {
        format!("DB time then: {} s", range(then))
    }
}

fn then_words(then: Range) -> String {
    if !then.high.is_finite() {
        return format!("then: {} s", range(then));
    }
    let [low, mid, high] = [then.low, then.mid, then.high].map(number::measure);
    // Where nothing moves, one number is no range.
    if low == high { format!("then: {mid} s") } else { format!("then: {mid} s, from {low} to {high} s") }
}

fn table(plan: &Plan, then: Range) -> Table {
    let t = &plan.db_time_s;
    let headings =
        ["", "Part", ">Now (s)", ">Of DB time (%)", ">Then (s)", ">At least to at most (s)", ">Saved (s)"];
    let mut table = Table::new("", &headings, PARTS + 1);
    let swatch = |css: &str| Cell::Html(format!("<b class=\"sw {css}\"></b>"));
    for part in plan.response_time.iter().take(PARTS) {
        // One number is no range.
        let then = number::measure(part.then_s.mid);
        let bounds = range(part.then_s);
        let saved = part.now_s - part.then_s.mid;
        table.row(
            "",
            &[
                swatch(group(part).1),
                Cell::Text(&part.part),
                Cell::Number(number::measure(part.now_s)),
                Cell::Number(number::percent(100.0 * part.now_s / t.now)),
                Cell::Number(then.clone()),
                Cell::Number(if bounds == then { String::new() } else { bounds }),
                Cell::Number(if saved > 0.0 { number::measure(saved) } else { String::new() }),
            ],
        );
    }
    table.row(
        "tot",
        &[
            Cell::Html(String::new()),
            Cell::Text("DB time"),
            Cell::Number(number::measure(t.now)),
            Cell::Number(number::percent(100.0)),
            Cell::Number(number::measure(t.then)),
            Cell::Number(range(then)),
            Cell::Number(number::measure(t.now - t.then)),
        ],
    );
    table
}

/// What is gained beside the plan, apart since it is a model.
fn relief(out: &mut String, plan: &Plan) {
    let because = clip(&plan.relief_because, 800);
    match (plan.relief_s, plan.relief_range_s) {
        (Some(relief), Some(bounds)) => {
            put!(
                out,
                "<p>Not in these bars: what stays behind may get {} s faster ({}), since load leaves its storage. ",
                number::measure(relief),
                range(bounds)
            );
            let because = because.trim_end_matches('.');
            push_prose(out, &format!("{}.", capital(because)));
            out.push_str("</p>");
        }
        _ if !because.is_empty() => {
            out.push_str("<p class=empty>What stays behind may get faster as load leaves its storage; how much is not known: ");
            push_prose(out, because.trim_end_matches('.'));
            out.push_str(".</p>");
        }
        _ => {}
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}
