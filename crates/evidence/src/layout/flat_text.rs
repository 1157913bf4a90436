//! Tables that lost their ruler: an HTML report copied from a browser (cells parted by tabs) or
//! turned into text by a converter (cells parted by bars).
//!
//! The first line of such a block holds the headings, or the first two where groups span columns;
//! a block whose first line already holds numbers has none. Its title is the line of text above.

use super::text_sections::Line;
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid};
use std::borrow::Cow;

/// What parts the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    Tab,
    Bar,
}

/// Does the text hold tables of this kind rather than ruled ones?
pub(crate) fn is_flat(lines: &[Line<'_>]) -> bool {
    let parted = lines.iter().filter(|l| parting(l.text).is_some()).count();
    parted >= 2 && parted * 5 >= lines.iter().filter(|l| !l.is_blank()).count()
}

fn parting(text: &str) -> Option<Parting> {
    if text.contains('\t') {
        Some(Parting::Tab)
    } else if text.matches('|').count() >= 2 {
        Some(Parting::Bar)
    } else {
        None
    }
}

/// Calls `sink` with every table, and `title` with every loose line (for headers and titles).
pub(crate) fn tables<'a>(
    lines: &[Line<'a>],
    mut loose: impl FnMut(&Line<'a>),
    mut sink: impl FnMut(&mut Grid<'a>),
) {
    let mut title: Option<Line<'a>> = None;
    let mut remarks: Vec<(u32, Cow<'a, str>)> = Vec::new();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        let Some(kind) = parting(line.text) else {
            let text = line.text.trim();
            if !text.is_empty() {
                loose(line);
                if let Some(item) = text.strip_prefix(['*', '-', '•', '◦', '+']) {
                    remarks.push((line.number, Cow::Borrowed(item.trim())));
                } else if !text.starts_with("Back to") {
                    title = Some(Line { text: text.trim_start_matches('#').trim(), ..*line });
                    remarks.clear();
                }
            }
            i += 1;
            continue;
        };
        let end =
            lines[i..].iter().position(|l| parting(l.text) != Some(kind)).map_or(lines.len(), |n| i + n);
        let mut grid = Grid::default();
        grid.line = title.map_or(line.number, |t| t.number);
        grid.title = Cow::Borrowed(title.map_or("", |t| t.text));
        grid.remarks.append(&mut remarks);
        block(&lines[i..end], kind, &mut grid);
        for line in &lines[i..end] {
            loose(line);
        }
        sink(&mut grid);
        i = end;
    }
}

fn cells(line: &str, kind: Parting) -> Vec<&str> {
    match kind {
        Parting::Tab => line.split('\t').map(str::trim).collect(),
        Parting::Bar => {
            let inner = line.trim().strip_prefix('|').unwrap_or(line.trim());
            inner.strip_suffix('|').unwrap_or(inner).split('|').map(str::trim).collect()
        }
    }
}

fn is_rule(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'-' | b'|' | b'+' | b':' | b'=' | b' ' | b'_')) && text.contains("--")
}

fn block<'a>(lines: &[Line<'a>], kind: Parting, grid: &mut Grid<'a>) {
    let rows: Vec<(u32, Vec<&'a str>)> =
        lines.iter().filter(|l| !is_rule(l.text)).map(|l| (l.number, cells(l.text, kind))).collect();
    let holds_numbers = |row: &[&str]| {
        row.iter().any(|c| c.starts_with(|f: char| f.is_ascii_digit() || f == '.') && looks_numeric(c))
    };
    let width = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
    let mut headings = 0;
    if rows.len() > 1 && !holds_numbers(&rows[0].1) {
        headings = 1;
        // Groups above headings: shorter or with leading blanks, and no numbers below them yet.
        let first_blank = rows[0].1.first().is_some_and(|c| c.is_empty());
        if rows.len() > 2
            && !holds_numbers(&rows[1].1)
            && rows[0].1.len() < rows[1].1.len()
            && (first_blank || rows[0].1.len() == 1)
        {
            headings = 2;
        }
    }
    if headings > 0 {
        let leaves = &rows[headings - 1].1;
        grid.columns = (0..width).map(|c| Column::new("", leaves.get(c).copied().unwrap_or(""))).collect();
    }
    for (number, cells) in rows.into_iter().skip(headings) {
        let filled = cells.len();
        cells.into_iter().for_each(|c| grid.push_cell(Cow::Borrowed(c)));
        (filled..width).for_each(|_| grid.push_cell(Cow::Borrowed("")));
        grid.end_row(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    fn read(text: &str) -> Vec<(String, Vec<String>, usize)> {
        let all: Vec<Line<'_>> = lines(text).collect();
        let mut found = Vec::new();
        tables(
            &all,
            |_| {},
            |g| {
                found.push((
                    g.title.to_string(),
                    g.columns.iter().map(|c| c.name.clone()).collect(),
                    g.len(),
                ));
            },
        );
        found
    }

    #[test]
    fn a_browsers_copy_keeps_its_cells() {
        let found = read(
            "Foreground Wait Events\n  • s - second\n\nEvent\tWaits\tTotal Wait Time (s)\n\
             direct path write\t56,723\t677\nlog file sync\t1,076\t280\n\nHost CPU\nCPUs\tCores\n2\t2\n",
        );
        assert_eq!(found[0].0, "Foreground Wait Events");
        assert_eq!(found[0].1, ["Event", "Waits", "Total Wait Time (s)"]);
        assert_eq!(found[0].2, 2);
        assert_eq!(found[1].0, "Host CPU");
    }

    #[test]
    fn bars_and_group_headings() {
        let found = read(
            "## Wait Event Histogram\n | | % of Total Waits\nEvent | Total Waits | <8us | <16us\n---|---|---|---\n\
             log file sync | 12 | 1.0 | 99.0\n",
        );
        assert_eq!(found[0].0, "Wait Event Histogram");
        assert_eq!(found[0].1[2], "<8us");
        assert_eq!(found[0].2, 1);
    }
}
