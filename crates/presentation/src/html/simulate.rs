//! The page of a simulated scenario: the answer, figures over the sweep, what was published beside what came out,
//! distributions, what was fitted, and every parameter with its origin.

use super::table::{Cell, Table};
use super::{LIMIT, RESERVE, SCRIPT, STYLE, measure, push_warnings, section};
use crate::chart::{Lines, NamedBar, Rows, Series, put};
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use crate::simulated;
use spindle_workload::{Measured, SimulatedFound};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle simulate --json</code>";
/// Lines of a picture.
const MOST_LINES: usize = 8;
/// Bars of a picture.
const MOST_BARS: usize = 40;
/// Their colours, which colour-blind people can tell apart.
const COLOURS: [&str; MOST_LINES] = ["k-uio", "k-com", "k-cpu", "k-con", "k-app", "k-sio", "k-clu", "k-oth"];

/// A point of a line, with its words.
type LinePoint = (f64, f64, String);

/// The page.
#[must_use]
pub fn simulate(m: &Measured) -> String {
    let Some(found) = &m.simulated else { return measure::measure(m) };
    let mut out = String::with_capacity(80_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&found.name, 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, m, found);
    let parts = [
        ("figures", figures(found)),
        ("what was published", published(found)),
        ("latencies", latencies(m)),
        ("what was fitted, and every parameter", parameters(found)),
        ("how to repeat it", measure::repeat(m)),
    ];
    for (what, html) in parts {
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Simulated, not measured. Rates are a second; MB is 10<sup>6</sup> bytes, KiB, MiB and GiB are powers of 1,024. \"-\" is not known, never zero.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

/// What it is, and the answer.
fn first(out: &mut String, m: &Measured, found: &SimulatedFound) {
    out.push_str("<header><h1>");
    push_html(out, &clip(&found.name, 200));
    out.push_str("</h1>");
    for text in found.about.iter().chain([&simulated::source(found)]).filter(|t| !t.is_empty()) {
        out.push_str("<p>");
        push_prose(out, &clip(text, 600));
        out.push_str("</p>");
    }
    out.push_str("</header>");
    if let Some(why) = &m.incomplete {
        out.push_str("<ul class=warn><li>Ended early: ");
        push_prose(out, &clip(why.trim_end_matches('.'), 400));
        out.push_str(". What follows is of the points that are done.</li></ul>");
    }
    out.push_str("<p class=answer>");
    push_prose(out, &clip(&m.verdict, 1200));
    out.push_str("</p><p class=q>");
    push_html(out, &simulated::ran(found, m.points.len()));
    out.push_str("</p>");
    push_warnings(out, &m.all_warnings(), REST);
    if !found.notes.is_empty() {
        out.push_str("<ul class=li>");
        for note in found.notes.iter().take(20) {
            out.push_str("<li>");
            push_prose(out, &clip(note, 1200));
            out.push_str("</li>");
        }
        out.push_str("</ul>");
    }
    out.push_str("<nav class=nv><a href=\"#figures\">Figures</a> ");
    if !found.published.is_empty() {
        out.push_str("<a href=\"#published\">Published</a> ");
    }
    out.push_str("<a href=\"#latency\">Latency</a> <a href=\"#parameters\">Parameters</a> <a href=\"#repeat\">Repeat it</a></nav>");
}

/// The main figure drawn, and all of them in a table.
fn figures(found: &SimulatedFound) -> String {
    let mut out = section("", "figures", "What came out");
    let others = (0..found.figures.len()).filter(|n| *n != found.main).take(3);
    for (n, figure) in std::iter::once(found.main).chain(others).enumerate() {
        let picture = picture(found, figure);
        if n == 1 && picture.is_some() {
            out.push_str("<details><summary>Pictures of other figures</summary>");
        }
        out.extend(picture);
        if n + 1 == found.figures.len().min(4) && n > 0 && out.contains("<details>") {
            out.push_str("</details>");
        }
    }
    let mut headings: Vec<String> = found.keys.iter().map(|k| k.label.clone()).collect();
    let numeric: Vec<bool> = (0..headings.len())
        .map(|key| found.points.iter().all(|p| p.at.get(key).is_some_and(|v| v.number.is_some())))
        .collect();
    for (heading, numeric) in headings.iter_mut().zip(&numeric) {
        if *numeric {
            heading.insert(0, '>');
        }
    }
    headings.extend(found.figures.iter().map(|f| format!(">{}", simulated::heading(f))));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new("", &headings, 400).within(120_000);
    let mut any_wide = false;
    for point in &found.points {
        let mut row: Vec<Cell<'_>> = point
            .at
            .iter()
            .zip(&numeric)
            .map(|(v, numeric)| if *numeric { Cell::Number(v.text.clone()) } else { Cell::Text(&v.text) })
            .collect();
        row.extend(found.figures.iter().zip(&point.values).enumerate().map(|(n, (figure, value))| {
            let shown = simulated::value(figure.unit, *value);
            Cell::Number(match point.wide_interval(n) {
                Some(wide) => {
                    any_wide = true;
                    format!("{shown} ({})", simulated::bounds(figure.unit, wide, " to "))
                }
                None => shown,
            })
        }));
        table.row("", &row);
    }
    table.finish_with(&mut out, REST);
    if any_wide {
        out.push_str("<p class=q>In brackets: the 95 % interval, where it is wider than a fifth of the figure. Another seed may give any number within it.</p>");
    }
    for figure in &found.figures {
        if let Some(how) = &figure.how {
            out.push_str("<p class=q>");
            push_prose(&mut out, &clip(&format!("{} is {how}", figure.name), 600));
            out.push_str(".</p>");
        }
    }
    out.push_str("</section>");
    out
}

/// A figure over the sweep: lines over a key that is a number, else bars.
fn picture(found: &SimulatedFound, number: usize) -> Option<String> {
    let figure = found.figures.get(number)?;
    let value = |point: usize| found.points.get(point)?.values.get(number).copied().flatten();
    // The key along which there are most values.
    let values_of = |key: usize| -> Option<Vec<f64>> {
        let mut all: Vec<f64> =
            found.points.iter().map(|p| p.at.get(key).and_then(|v| v.number)).collect::<Option<_>>()?;
        let units: Vec<&str> = found.points.iter().map(|p| p.at[key].unit.as_str()).collect();
        if units.windows(2).any(|w| w[0] != w[1]) {
            return None;
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        Some(all)
    };
    let along = (0..found.keys.len())
        .filter_map(|key| Some((values_of(key)?.len(), key)))
        .filter(|(count, _)| *count >= 3)
        .max_by_key(|(count, key)| (*count, usize::MAX - key));
    let unit = match figure.unit.name() {
        "" => figure.name.clone(),
        unit => unit.to_owned(),
    };
    let Some((_, key)) = along else { return bars(found, number, &unit, value) };
    let mut lines: Vec<(String, Vec<LinePoint>)> = Vec::new();
    for (n, point) in found.points.iter().enumerate() {
        let (Some(x), Some(y)) = (point.at[key].number, value(n)) else { continue };
        let others: Vec<String> = point
            .at
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != key)
            .map(|(other, v)| format!("{} {}", found.keys[other].label, v.text))
            .collect();
        let name = others.join(", ");
        let wide = point.wide_interval(number);
        let wide = wide
            .map_or_else(String::new, |wide| format!(" ({})", simulated::bounds(figure.unit, wide, " to ")));
        let words = format!("{}: {}{wide}", simulated::point(point), simulated::value(figure.unit, Some(y)));
        let at = (x, figure.unit.shown(y), words);
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(at),
            None => lines.push((name, vec![at])),
        }
    }
    for (_, points) in &mut lines {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let series: Vec<Series<'_>> =
        lines.iter().zip(COLOURS).map(|((name, points), css)| Series { name, css, points }).collect();
    let label = &found.keys[key].label;
    let key_unit = &found.points.first()?.at[key].unit;
    let x_unit = if key_unit.is_empty() { label.clone() } else { format!("{label}, {key_unit}") };
    let question = format!("How does {} depend on {label}?", figure.name);
    let mut out = Lines { question: &question, x_unit: &x_unit, y_unit: &unit, series: &series }.render()?;
    if lines.len() > MOST_LINES {
        put!(out, "<p class=q>{} of {} lines; the table has all.</p>", MOST_LINES, lines.len());
    }
    Some(out)
}

/// A bar for each point.
fn bars(
    found: &SimulatedFound,
    number: usize,
    unit: &str,
    value: impl Fn(usize) -> Option<f64>,
) -> Option<String> {
    let figure = found.figures.get(number)?;
    let names: Vec<String> = found.points.iter().map(simulated::point).collect();
    let bars: Vec<NamedBar<'_>> = names
        .iter()
        .enumerate()
        .filter_map(|(n, name)| {
            let value = value(n)?;
            let text = simulated::value(figure.unit, Some(value));
            let text = match found.points.get(n).and_then(|point| point.wide_interval(number)) {
                Some(wide) => format!("{text} ({})", simulated::bounds(figure.unit, wide, " to ")),
                None => text,
            };
            Some(NamedBar { name, value: figure.unit.shown(value), text })
        })
        .take(MOST_BARS)
        .collect();
    let question = match found.keys.is_empty() {
        true => format!("What is {}?", figure.name),
        false => format!("How does {} depend on {}?", figure.name, simulated::keys(found)),
    };
    Rows { question: &question, unit, css: "k-uio", bars: &bars }.render()
}

/// Published, simulated, difference.
fn published(found: &SimulatedFound) -> String {
    if found.published.is_empty() {
        return String::new();
    }
    let mut out = section("", "published", "Published, simulated, difference");
    let headings = ["Figure", "At", ">Published", ">Simulated", ">Difference", "", "Published where"];
    let mut table = Table::new("", &headings, 200).within(80_000);
    for row in &found.published {
        let Some(figure) = found.figures.get(row.figure) else { continue };
        let heading = simulated::heading(figure);
        let shown = |v: Option<f64>| Cell::Number(simulated::value(figure.unit, v));
        let judged = simulated::judged(row).replace(' ', "\u{a0}");
        table.row(
            if row.holds() == Some(false) { "tot" } else { "" },
            &[
                Cell::Text(&heading),
                Cell::Text(&row.at),
                shown(row.published),
                shown(row.simulated),
                Cell::Number(simulated::difference(row)),
                Cell::Text(&judged),
                Cell::Prose(&row.origin),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("<p class=q>\"Fitted, no prediction\": a parameter was chosen such that this number comes out; it says nothing of the model. \"Formula\": what arithmetic gives, which nobody published. \"Put in\": what the scenario was given and has to come back. \"No bound\": nobody said how close the two should lie.</p></section>");
    out
}

fn latencies(m: &Measured) -> String {
    if m.points.iter().all(|p| p.result.streams.is_empty()) {
        let mut out = section("", "latency", "Latency");
        super::empty(&mut out, "Nothing here takes time: there are no latencies.");
        out.push_str("</section>");
        return out;
    }
    measure::latencies(m)
}

/// What was fitted, and every parameter with its origin.
fn parameters(found: &SimulatedFound) -> String {
    let mut out = section("", "parameters", "Every parameter, and where it comes from");
    let fitted = simulated::fitted(found);
    if !fitted.is_empty() {
        let mut table = Table::new(
            "Fitted: what each was fitted to is no prediction",
            &["Parameter", ">Value", "Fitted to"],
            60,
        );
        for (parameter, to) in &fitted {
            table.row(
                "",
                &[Cell::Text(&parameter.path), Cell::Number(parameter.value.clone()), Cell::Prose(to)],
            );
        }
        table.finish_with(&mut out, REST);
    }
    for (of_catalogue, title) in [
        (false, "Of the scenario"),
        (true, "Of the catalogue of devices, where the scenario has none of its own"),
    ] {
        let all: Vec<_> = found.parameters.iter().filter(|p| p.of_catalogue == of_catalogue).collect();
        if all.is_empty() {
            continue;
        }
        put!(
            out,
            "<details{}><summary>{title}: {}</summary>",
            if of_catalogue { "" } else { " open" },
            number::count(all.len() as f64)
        );
        let mut table = Table::new("", &["Parameter", ">Value", "Origin"], 300).within(60_000);
        for parameter in all {
            let origin = parameter.origin.as_deref().unwrap_or("-");
            table.row(
                "",
                &[
                    Cell::Text(&parameter.path),
                    Cell::Number(clip(&parameter.value, 60).into_owned()),
                    Cell::Prose(if parameter.is_swept { "varied: see above" } else { origin }),
                ],
            );
        }
        table.finish_with(&mut out, REST);
        out.push_str("</details>");
    }
    out.push_str("</section>");
    out
}
