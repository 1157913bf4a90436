//! Tables of a converter that writes bars between cells and `---|---` below the first row, and then
//! wraps the lines of a row at some width.
//!
//! No bar frames a row here: one at its beginning or end stands beside a blank cell. The pieces of a
//! wrapped row are put together until they have as many cells as the table has columns; from a row
//! where that does not come out even, the rest of the table is left out, since the next piece cannot
//! be told from the next row.

use super::flat_text::{columns, holds_numbers};
use super::text_sections::Line;
use crate::cell::looks_numeric;
use crate::grid::{Grid, fold};
use std::borrow::Cow;

type Row<'a> = (u32, Vec<Cow<'a, str>>);

/// Where such a table begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Index of its first line.
    pub(super) heading: usize,
    /// Index behind the headings of groups, where these stand above the rule too.
    groups: usize,
    /// Index of its `---|---`.
    rule: usize,
    /// Cells that the rule has.
    cells: usize,
}

/// Most lines that a wrapped row of headings takes.
const MOST_PIECES: usize = 12;
/// A line shorter than this was not wrapped.
const NARROWEST_WRAP: usize = 40;

fn rule_cells(text: &str) -> Option<usize> {
    let mut cells = 0;
    for part in text.split('|') {
        let part = part.trim_ascii();
        if part.len() < 3 || part.bytes().any(|b| b != b'-') {
            return None;
        }
        cells += 1;
    }
    (cells > 1).then_some(cells)
}

/// Every such table whose headings are complete.
pub(super) fn starts(lines: &[Line<'_>]) -> Vec<Start> {
    let mut found = Vec::new();
    for (rule, line) in lines.iter().enumerate() {
        if !line.text.starts_with('-') {
            continue;
        }
        let Some(cells) = rule_cells(line.text) else {
            continue;
        };
        let mut bars = 0;
        for above in 1..=MOST_PIECES.min(rule) {
            let text = lines[rule - above].text;
            bars += text.matches('|').count();
            if text.is_empty() || bars >= cells {
                break;
            }
            // A piece above that has no bar is the beginning of the first cell, or a title.
            if bars == cells - 1 && text.contains('|') {
                let groups = rule - above;
                let grouped = groups > 0 && lines[groups - 1].text.trim_ascii_start().starts_with('|');
                found.push(Start { heading: groups - usize::from(grouped), groups, rule, cells });
                break;
            }
        }
    }
    found
}

fn join<'a>(row: &mut Vec<Cow<'a, str>>, text: &'a str) {
    let mut pieces = text.split('|').map(str::trim);
    if let (Some(end), Some(first)) = (row.last_mut(), pieces.next())
        && !first.is_empty()
    {
        if end.is_empty() {
            *end = Cow::Borrowed(first);
        } else {
            let end = end.to_mut();
            end.push(' ');
            end.push_str(first);
        }
    }
    row.extend(pieces.map(Cow::Borrowed));
}

fn joined<'a>(lines: &[Line<'a>]) -> Vec<Cow<'a, str>> {
    let mut row = vec![Cow::Borrowed("")];
    lines.iter().for_each(|l| join(&mut row, l.text));
    row
}

/// Reads a table; returns the index of the line behind it.
pub(super) fn table<'a>(lines: &[Line<'a>], start: &Start, grid: &mut Grid<'a>) -> usize {
    let above = joined(&lines[start.groups..start.rule]);
    let groups = (start.groups > start.heading).then(|| joined(&lines[start.heading..start.groups]));
    let body = start.rule + 1;
    let end = lines[body..].iter().position(|l| l.is_blank()).map_or(lines.len(), |n| body + n);
    let below = &lines[body..end];
    // The first row groups columns where the second has more cells, all of them headings.
    let mut width = start.cells;
    let mut leaves = 0;
    let first_blank = above.first().is_some_and(|c| c.is_empty());
    let most = if groups.is_some() { 0 } else { below.len() };
    for mut pieces in 1..=most.saturating_sub(1).min(MOST_PIECES) {
        // The last heading may stand on a line of its own.
        while below.get(pieces).is_some_and(|l| !l.text.contains('|')) {
            pieces += 1;
        }
        let row = joined(&below[..pieces.min(below.len())]);
        let wrapped = below[..pieces - 1].iter().all(|l| l.text.len() >= NARROWEST_WRAP);
        if holds_numbers(&row) || !wrapped || pieces >= below.len() {
            break;
        }
        let headings = first_blank || row.iter().all(|c| !c.is_empty());
        if headings && row.len() > start.cells && rows(&below[pieces..], row.len(), false).1 {
            (width, leaves) = (row.len(), pieces);
            break;
        }
    }
    if leaves > 0 {
        grid.columns = columns(Some(&above), &joined(&below[..leaves]), width);
    } else if holds_numbers(&above) {
        // No headings: the first row stands above the rule as any other would.
        push(grid, lines[start.heading].number, above);
    } else {
        grid.columns = columns(groups.as_deref(), &above, width);
    }
    let texts = grid.columns.last().is_some_and(|c| fold(&c.name).ends_with("text"));
    for (number, row) in rows(&below[leaves..], width, texts).0 {
        push(grid, number, row);
    }
    end
}

fn push<'a>(grid: &mut Grid<'a>, number: u32, row: Vec<Cow<'a, str>>) {
    row.into_iter().for_each(|c| grid.push_cell(c));
    grid.end_row(number);
}

/// Puts pieces together to rows of this width; the flag says whether all came out even. Where the
/// last column holds statements, bars in it belong to them.
fn rows<'a>(lines: &[Line<'a>], width: usize, texts: bool) -> (Vec<Row<'a>>, bool) {
    let mut done: Vec<Row<'a>> = Vec::new();
    let mut open: Option<Row<'a>> = None;
    for line in lines {
        let bars = line.text.matches('|').count();
        if open.is_none()
            && let Some((_, last)) = done.last_mut()
        {
            let first = line.text.split('|').next().unwrap_or("").trim();
            let identifier =
                first.len() == 13 && first.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
            let begins = looks_numeric(first) && !first.is_empty() || identifier;
            if bars == 0 && !last.last().is_some_and(|c| !c.is_empty() && looks_numeric(c)) {
                join(last, line.text);
                continue;
            }
            if texts && !begins {
                if let Some(end) = last.last_mut() {
                    let end = end.to_mut();
                    end.push(' ');
                    end.push_str(line.text.trim());
                }
                continue;
            }
        }
        let (number, mut row) = open.take().unwrap_or_else(|| (line.number, vec![Cow::Borrowed("")]));
        join(&mut row, line.text);
        if texts && row.len() > width {
            let tail: Vec<Cow<'a, str>> = row.drain(width..).collect();
            if let Some(end) = row.last_mut() {
                let end = end.to_mut();
                for more in tail {
                    end.push('|');
                    end.push_str(&more);
                }
            }
        }
        match row.len().cmp(&width) {
            std::cmp::Ordering::Less => open = Some((number, row)),
            std::cmp::Ordering::Equal => done.push((number, row)),
            std::cmp::Ordering::Greater => return (done, false),
        }
    }
    (done, open.is_none())
}
