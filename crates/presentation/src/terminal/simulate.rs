//! A simulated scenario on one screen: the answer, figures by point, what was published beside what came out.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::simulated;
use spindle_workload::{Beside, FigureUnit, Measured, SimulatedFound};

/// Width of a column of figures.
const COLUMN: usize = 12;
/// Points that are shown.
const MOST_POINTS: usize = 40;
/// Published numbers that are shown.
const MOST_PUBLISHED: usize = 40;

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn simulate(m: &Measured, look: Look) -> String {
    let columns = look.columns();
    let Some(found) = &m.simulated else { return super::measure(m, look) };
    let mut lines: Vec<String> =
        wrap_to(&safe(&found.name), columns, 2).iter().map(|l| look.bold(l)).collect();
    let source = simulated::source(found);
    if !source.is_empty() {
        lines.extend(wrap_to(&safe(&source), columns, 2).iter().map(|l| look.dim(l)));
    }
    lines.push(String::new());
    if let Some(why) = &m.incomplete {
        let text = format!(
            "Ended early: {}. What follows is of the points that are done.",
            safe(why.trim_end_matches('.'))
        );
        lines.extend(wrap(&text, columns).iter().map(|l| look.bold(l)));
    }
    lines.extend(wrap(&safe(&m.verdict), columns).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    lines.extend(points(found, look));
    lines.extend(published(found, look));
    let fitted = simulated::fitted(found);
    if !fitted.is_empty() {
        lines.push(look.bold("Fitted: what each was fitted to is no prediction"));
        for (parameter, to) in fitted.iter().take(20) {
            let text = format!("{} = {}: {to}", parameter.path, parameter.value);
            lines.extend(indented(&safe(&text), columns));
        }
        lines.push(String::new());
    }
    if !found.notes.is_empty() {
        lines.push(look.bold("To be known"));
        for note in &found.notes {
            lines.extend(indented(&safe(note), columns));
        }
        lines.push(String::new());
    }
    let rest = "Pictures, distributions, every parameter with its origin: --html FILE, --json";
    for text in [simulated::ran(found, m.points.len()).as_str(), rest] {
        lines.extend(wrap(text, columns).iter().map(|l| look.dim(l)));
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Lines that begin two columns in, those after the first four.
fn indented(text: &str, columns: usize) -> Vec<String> {
    let lines = wrap(text, columns - 4);
    lines.iter().enumerate().map(|(n, l)| format!("{}{l}", if n == 0 { "  " } else { "    " })).collect()
}

/// Figures by point: as many columns as fit.
fn points(found: &SimulatedFound, look: Look) -> Vec<String> {
    let columns = look.columns();
    let names: Vec<String> = found.points.iter().map(|p| safe(&simulated::point(p))).collect();
    let keys = safe(&simulated::keys(found));
    let widest = names.iter().chain([&keys]).map(|n| n.chars().count() + 3).max().unwrap_or(0);
    let widest = widest.clamp(12, (columns * 9 / 20).max(20));
    let fitting = (columns.saturating_sub(widest) / COLUMN).clamp(1, found.figures.len().max(1));
    let headings: Vec<Vec<String>> =
        found.figures.iter().take(fitting).map(|f| wrap(&safe(&simulated::heading(f)), COLUMN - 2)).collect();
    let high = headings.iter().map(Vec::len).max().unwrap_or(1);
    let mut lines = Vec::new();
    for row in 0..high {
        let cells: String = headings
            .iter()
            .map(|h| {
                // The last line of each stands on the last line of all.
                let cell = (row + h.len()).checked_sub(high).and_then(|n| h.get(n));
                right(cell.map_or("", String::as_str), COLUMN)
            })
            .collect();
        let first = if row + 1 == high { keys.as_str() } else { "" };
        lines.push(look.dim(&format!("{}{cells}", fit(first, widest))));
    }
    let mut any_wide = false;
    for (point, name) in shown(found).into_iter().filter_map(|n| Some((found.points.get(n)?, names.get(n)?)))
    {
        let cells: String = found
            .figures
            .iter()
            .zip(&point.values)
            .take(fitting)
            .map(|(figure, value)| right(&simulated::value(figure.unit, *value), COLUMN))
            .collect();
        lines.push(format!("{}{cells}", fit(&format!("  {name}"), widest)));
        let wide: Vec<String> = found
            .figures
            .iter()
            .enumerate()
            .take(fitting)
            .map(|(n, figure)| {
                point.wide_interval(n).map_or_else(String::new, |wide| interval(figure.unit, wide))
            })
            .collect();
        if wide.iter().any(|cell| !cell.is_empty()) {
            any_wide = true;
            let cells: String = wide.iter().map(|cell| right(cell, COLUMN)).collect();
            let called = if widest > 18 { "    95 % interval" } else { "    95 %" };
            lines.push(look.dim(&format!("{}{cells}", fit(called, widest))));
        }
    }
    if any_wide {
        let text = "Below a figure stands its 95 % interval where that is wider than a fifth of it: another seed may give any \
                    number within.";
        lines.extend(indented(text, columns).iter().map(|l| look.dim(l)));
    }
    let (points, figures) = (found.points.len(), found.figures.len());
    if points > MOST_POINTS {
        lines.push(look.dim(&format!("  {} points more: --html FILE, --json", points - MOST_POINTS)));
    }
    if figures > fitting {
        let more: Vec<&str> = found.figures.iter().skip(fitting).map(|f| f.name.as_str()).collect();
        let text = format!("Not shown for want of columns: {}", more.join(", "));
        lines.extend(indented(&safe(&text), columns).iter().map(|l| look.dim(l)));
    }
    lines.push(String::new());
    lines
}

/// Bounds of a figure, as short as a column is.
fn interval(unit: FigureUnit, (low, high): (f64, f64)) -> String {
    let text = simulated::bounds(unit, (low, high), "-");
    if low >= 0.0 && text.chars().count() < COLUMN {
        return text;
    }
    format!("+-{}", simulated::value(unit, Some((high - low) / 2.0)))
}

/// Points that are shown, in their order: where they are too many, those of which something was published before the others.
fn shown(found: &SimulatedFound) -> Vec<usize> {
    let is_published = |n: &usize| {
        let words = found.points.get(*n).map(|point| simulated::place(found, point)).unwrap_or_default();
        found.published.iter().any(|row| row.at == words)
    };
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..found.points.len()).partition(is_published);
    let mut all: Vec<usize> = first.into_iter().chain(rest).take(MOST_POINTS).collect();
    all.sort_unstable();
    all
}

/// What was published, what came out, and how far apart they are.
fn published(found: &SimulatedFound, look: Look) -> Vec<String> {
    if found.published.is_empty() {
        return Vec::new();
    }
    let columns = look.columns();
    let words = |row: &spindle_workload::PublishedRow| {
        let figure = found.figures.get(row.figure).map_or(String::new(), simulated::heading);
        let text = if row.at.is_empty() { figure } else { format!("{figure}: {}", row.at) };
        safe(&text)
    };
    let judged = 24;
    let numbers = 10;
    let widest = found.published.iter().map(|r| words(r).chars().count() + 3).max().unwrap_or(0);
    let room = columns.saturating_sub(3 * numbers + judged + 2).max(16);
    let widest = widest.clamp(16, room);
    // What stands beside a figure is not always what somebody published.
    let all = found.published.iter().all(|row| row.beside == Beside::Published);
    let (title, beside) = if all { ("Published", "published") } else { ("Set beside", "beside") };
    let head: String = [beside, "simulated", "differ"].iter().map(|h| right(h, numbers)).collect();
    let mut lines = vec![format!("{}{}", look.bold(&fit(title, widest)), look.dim(&head))];
    for row in found.published.iter().take(MOST_PUBLISHED) {
        let unit = found.figures.get(row.figure).map(|f| f.unit);
        let shown = |v: Option<f64>| unit.map_or(String::new(), |unit| simulated::value(unit, v));
        let cells: String = [shown(row.published), shown(row.simulated), simulated::difference(row)]
            .iter()
            .map(|c| right(c, numbers))
            .collect();
        // A long name takes lines of its own above its numbers.
        let mut name = wrap(&words(row), widest - 2);
        let last = name.pop().unwrap_or_default();
        lines.extend(name.iter().map(|l| format!("  {l}")));
        let line = format!("{}{cells}  {}", fit(&format!("  {last}"), widest), simulated::judged(row));
        lines.push(if row.holds() == Some(false) { look.bold(&line) } else { line });
    }
    if found.published.len() > MOST_PUBLISHED {
        let more = found.published.len() - MOST_PUBLISHED;
        lines.push(look.dim(&format!("  {more} numbers more: --html FILE, --json")));
    }
    lines.push(String::new());
    lines
}
