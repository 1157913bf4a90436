//! Blocks of an AWR-miner file: name, headings, rows cut at the ruler.

use crate::cell::{Cell, Habits, Printed, Unit, read};
use crate::layout::text_sections::Line;

/// One `~~BEGIN-X~~` block.
pub(super) struct Block<'a> {
    pub(super) name: &'a str,
    pub(super) line: u32,
    pub(super) headings: Vec<&'a str>,
    pub(super) rows: Vec<Row<'a>>,
    /// Lines that do not stand under the ruler: their cells would be cut anywhere.
    pub(super) misfits: Vec<u32>,
    /// Did its end stand in the file?
    pub(super) complete: bool,
    columns: Vec<(usize, usize)>,
    decimal_comma: bool,
}

/// A line of a block.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) line: u32,
    text: &'a str,
}

pub(super) fn split<'a>(lines: &[Line<'a>]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut open = false;
    let mut above: &'a str = "";
    for line in lines {
        let text = line.text;
        if let Some(name) = text.strip_prefix("~~BEGIN-").and_then(|t| t.strip_suffix("~~")) {
            blocks.push(Block {
                name,
                line: line.number,
                headings: Vec::new(),
                rows: Vec::new(),
                misfits: Vec::new(),
                complete: false,
                columns: Vec::new(),
                decimal_comma: false,
            });
            open = true;
            above = "";
            continue;
        }
        let Some(block) = blocks.last_mut().filter(|_| open) else { continue };
        if text.starts_with("~~END-") {
            block.complete = true;
            open = false;
        } else if is_ruler(text) {
            if block.columns.is_empty() {
                block.columns = runs(text);
                block.headings = block.columns.iter().map(|c| slice(above, *c)).collect();
            } else {
                // Headings again on the next page.
                let row = block.rows.last().map_or(0, |row| row.line);
                match block.misfits.last() {
                    Some(misfit) if *misfit > row => _ = block.misfits.pop(),
                    _ => _ = block.rows.pop(),
                }
            }
        } else if !text.trim().is_empty() {
            if !block.columns.is_empty() && !text.ends_with("rows selected.") {
                if crosses(&block.columns, text) && !text.contains(ABSENT) {
                    block.misfits.push(line.number);
                    above = text;
                    continue;
                }
                block.rows.push(Row { line: line.number, text });
            }
            above = text;
        }
    }
    // These scripts print no thousands: a comma is a decimal comma, all over the file.
    let comma = blocks.iter().filter(|b| b.name == "MAIN-METRICS" || b.name == "MEMORY").any(|b| {
        b.rows.iter().take(200).any(|r| {
            r.text
                .split_whitespace()
                .any(|w| w.contains(',') && w.bytes().all(|c| c.is_ascii_digit() || c == b','))
        })
    });
    blocks.iter_mut().for_each(|b| b.decimal_comma = comma);
    blocks
}

/// Stands for the rows of a table that the release does not have.
const ABSENT: &str = "not in this version";

/// Does a cell cross a gap of the ruler?
fn crosses(columns: &[(usize, usize)], text: &str) -> bool {
    let gap = |pair: &[(usize, usize)]| {
        let (from, to) = (pair[0].1, pair[1].0.min(text.len()));
        text.as_bytes().get(from..to).is_some_and(|gap| gap.iter().any(|b| *b != b' '))
    };
    text.is_ascii() && columns.windows(2).any(gap)
}

fn is_ruler(text: &str) -> bool {
    text.starts_with("---") && text.bytes().all(|b| b == b'-' || b == b' ')
}

fn runs(ruler: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in ruler.bytes().chain(std::iter::once(b' ')).enumerate() {
        match (byte == b'-', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn slice(text: &str, (from, to): (usize, usize)) -> &str {
    if text.is_ascii() {
        let end = to.min(text.len());
        return text.get(from.min(end)..end).unwrap_or("").trim();
    }
    let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(i, _)| i);
    text.get(at(from)..at(to)).unwrap_or("").trim()
}

impl<'a> Block<'a> {
    fn column(&self, heading: &str) -> Option<usize> {
        self.headings.iter().position(|h| h.eq_ignore_ascii_case(heading))
    }

    pub(super) fn cell(&self, row: &Row<'a>, column: usize) -> &'a str {
        self.columns.get(column).map_or("", |c| slice(row.text, *c))
    }

    pub(super) fn text(&self, row: &Row<'a>, heading: &str) -> Option<&'a str> {
        let text = self.cell(row, self.column(heading)?);
        (!text.is_empty()).then_some(text)
    }

    /// A number with what rounding hides; `None` where blank, `####` or no number.
    pub(super) fn printed(&self, row: &Row<'a>, heading: &str) -> Option<Printed> {
        self.printed_at(row, self.column(heading)?)
    }

    pub(super) fn printed_at(&self, row: &Row<'a>, column: usize) -> Option<Printed> {
        let habits = Habits { decimal_comma: self.decimal_comma, suffix_cuts: Some(false) };
        match read(self.cell(row, column), Unit::Count, habits) {
            Cell::Number(printed) => Some(printed),
            _ => None,
        }
    }

    pub(super) fn number(&self, row: &Row<'a>, heading: &str) -> Option<f64> {
        self.printed(row, heading).map(|p| p.value)
    }

    pub(super) fn id(&self, row: &Row<'a>, heading: &str) -> Option<u64> {
        self.text(row, heading)?.parse().ok()
    }

    /// `table not in this version`.
    pub(super) fn is_absent(&self) -> bool {
        self.rows.iter().all(|r| r.text.contains(ABSENT))
    }
}
