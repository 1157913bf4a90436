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
    /// Line of the error that ended its query.
    pub(super) error: Option<u32>,
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
        if let Some(name) = name_begun(text) {
            blocks.push(Block {
                name,
                line: line.number,
                headings: Vec::new(),
                rows: Vec::new(),
                misfits: Vec::new(),
                complete: false,
                error: None,
                columns: Vec::new(),
                decimal_comma: false,
            });
            open = true;
            above = "";
            continue;
        }
        let Some(block) = blocks.last_mut().filter(|_| open) else { continue };
        if ends(text) {
            block.complete = true;
            open = false;
        } else if text == "ERROR:" {
            block.error = Some(line.number);
        } else if block.error.is_some() {
            // The words of the error: the query ended, for example for a snapshot too old.
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

/// `~~BEGIN-X~~`; some versions print one `~` behind some names.
fn name_begun(text: &str) -> Option<&str> {
    let name = text.strip_prefix("~~BEGIN-")?.strip_suffix('~')?;
    Some(name.strip_suffix('~').unwrap_or(name))
}

/// `~~END-X~~`; version 5 prints one `~` before the second block of the system.
fn ends(text: &str) -> bool {
    text.starts_with("~~END-") || text.starts_with("~END-")
}

/// Stands for the rows of a table that the release does not have.
const ABSENT: &str = "not in this version";

/// Does a cell cross a gap of the ruler, or go beyond its end? Letters count as one column each, as [`slice`] cuts them: a row with
/// letters that take two on the screen does not stand under its ruler.
fn crosses(columns: &[(usize, usize)], text: &str) -> bool {
    let behind = columns.last().map_or(usize::MAX, |last| last.1);
    let mut gaps =
        columns.windows(2).map(|pair| (pair[0].1, pair[1].0)).chain(std::iter::once((behind, usize::MAX)));
    if text.is_ascii() {
        return gaps.any(|(from, to)| {
            let gap = text.as_bytes().get(from.min(text.len())..to.min(text.len()));
            gap.is_some_and(|gap| gap.iter().any(|b| *b != b' '))
        });
    }
    let mut letters = text.chars().enumerate();
    gaps.any(|(from, to)| {
        let gap = letters.by_ref().skip_while(|(at, _)| *at < from);
        gap.take(to.saturating_sub(from)).any(|(_, letter)| letter != ' ')
    })
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
