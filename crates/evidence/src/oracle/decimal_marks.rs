//! Which of point and comma parts decimals, and what to do where a report has both: a spreadsheet writes cells that
//! are numbers in the habit of its own country, and leaves those that hold words, as `15.02 (mins)`.

use crate::cell::looks_numeric;
use crate::grid::Grid;
use std::borrow::Cow;
use std::ops::AddAssign;

/// Numbers whose mark can only be a decimal point, or a decimal comma.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Votes {
    pub(super) points: u32,
    pub(super) commas: u32,
}

impl AddAssign for Votes {
    fn add_assign(&mut self, other: Self) {
        self.points += other.points;
        self.commas += other.commas;
    }
}

/// Do cells under a folded heading hold what is no number, whatever it looks like: `23,184` is session 23,
/// `255.255.255.128` an address, and a parameter has one value in every country?
pub(super) fn holds_no_numbers(heading: &str) -> bool {
    let session = heading.strip_prefix("blocking").unwrap_or(heading);
    session.starts_with("sid")
        || heading.ends_with("ipaddress")
        || heading.ends_with("ipmask")
        || heading.starts_with("beginvalue")
        || heading.starts_with("endvalue")
}

fn is_mark(b: &u8) -> bool {
    matches!(b, b'.' | b',')
}

impl Votes {
    /// What the numbers of a text say. Three digits behind a mark may be thousands.
    pub(super) fn of(text: &str) -> Self {
        let mut votes = Self::default();
        let Some(first) = memchr::memchr2(b'.', b',', text.as_bytes()) else { return votes };
        // Words before the one with the first mark have none.
        let before = text.as_bytes().get(..first).unwrap_or_default();
        let from = before.iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |at| at + 1);
        for word in
            text.as_bytes().get(from..).unwrap_or_default().split(|b| !(b.is_ascii_digit() || is_mark(b)))
        {
            let end = word.iter().rposition(|b| !is_mark(b)).map_or(0, |at| at + 1);
            let start = word.iter().take(end).take_while(|b| is_mark(b)).count();
            let word = &word[start..end];
            let Some(at) = word.iter().rposition(is_mark) else {
                continue;
            };
            let decimals = word.len() - at - 1;
            let mark = word[at];
            let other = if mark == b',' { b'.' } else { b',' };
            let same = word.iter().filter(|b| **b == mark).count();
            if same > 1 {
                continue;
            }
            if decimals != 3 || word.contains(&other) {
                *(if mark == b',' { &mut votes.commas } else { &mut votes.points }) += 1;
            }
        }
        votes
    }

    /// The same of a cell that is a number, of which `1.234.567` tells, too: no other word is written so.
    pub(super) fn of_cell(cell: &str) -> Self {
        if let Some(mark) = mark_of_time(cell) {
            return Self { points: u32::from(mark == b'.'), commas: u32::from(mark == b',') };
        }
        // No group stands behind nothing: `.801M`.
        match cell.as_bytes() {
            [b'.', b'0'..=b'9', ..] => return Self { points: 1, commas: 0 },
            [b',', b'0'..=b'9', ..] => return Self { points: 0, commas: 1 },
            _ => {}
        }
        let marks = |mark: u8| cell.bytes().filter(|b| *b == mark).count();
        let grouped =
            |mark: u8| marks(mark) > 1 && cell.bytes().rev().take_while(u8::is_ascii_digit).count() == 3;
        match (grouped(b'.'), grouped(b',')) {
            (true, false) => Self { points: 0, commas: 1 },
            (false, true) => Self { points: 1, commas: 0 },
            _ => Self::of(cell),
        }
    }

    /// Does a report have both? A single number that is written otherwise proves nothing.
    pub(super) fn are_mixed(self) -> bool {
        self.points.min(self.commas) >= 2
    }

    /// Is the comma the decimal point? `None` where nothing, or both, say so.
    fn decimal_comma(self) -> Option<bool> {
        match (self.points, self.commas) {
            (0, 1..) => Some(true),
            (1.., 0) => Some(false),
            _ => None,
        }
    }
}

/// The mark of `12:10,758`: behind a colon stand two digits, and behind them only decimals.
pub(super) fn mark_of_time(cell: &str) -> Option<u8> {
    let (before, last) = cell.trim().rsplit_once(':')?;
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let (&[a, b, mark], decimals) = last.as_bytes().split_first_chunk()?;
    let is_time = digits(&[a, b])
        && is_mark(&mark)
        && digits(decimals)
        && before.split(':').all(|part| digits(part.as_bytes()));
    is_time.then_some(mark)
}

/// What was changed first.
pub(super) struct Changed {
    pub(super) line: u32,
    /// Numbers that may be read in either way.
    pub(super) unknown: u32,
}

/// Writes the numbers of a table as the report has them: those of each column as the column, else the table, tells.
pub(super) fn unify(grid: &mut Grid<'_>, report_has_commas: bool) -> Option<Changed> {
    let width = (0..grid.len()).map(|row| grid.row(row).len()).max()?;
    let mut columns = vec![Votes::default(); width];
    let numbers: Vec<bool> =
        (0..width).map(|at| grid.columns.get(at).is_none_or(|c| !holds_no_numbers(c.key()))).collect();
    let is_number = |cell: &str| looks_numeric(cell) || mark_of_time(cell).is_some();
    for row in 0..grid.len() {
        for ((votes, cell), numbers) in columns.iter_mut().zip(grid.row(row)).zip(&numbers) {
            if *numbers && is_number(cell) {
                *votes += Votes::of_cell(cell);
            }
        }
    }
    let mut all = Votes::default();
    columns.iter().for_each(|votes| all += *votes);
    let mut changed: Option<Changed> = None;
    for row in 0..grid.len() {
        let line = grid.row_line(row);
        for ((votes, cell), numbers) in columns.iter().zip(grid.row_mut(row)).zip(&numbers) {
            if !*numbers || !cell.bytes().any(|b| is_mark(&b)) || !is_number(cell) {
                continue;
            }
            let own = Votes::of_cell(cell).decimal_comma();
            let told = own.or(votes.decimal_comma()).or_else(|| {
                // A column whose numbers tell nothing is written as the others of its table.
                if *votes == Votes::default() { all.decimal_comma() } else { None }
            });
            if told == Some(report_has_commas) {
                continue;
            }
            let changed = changed.get_or_insert(Changed { line, unknown: 0 });
            *cell = if told.is_some() {
                Cow::Owned(
                    cell.chars()
                        .map(|c| {
                            if c == '.' {
                                ','
                            } else if c == ',' {
                                '.'
                            } else {
                                c
                            }
                        })
                        .collect(),
                )
            } else {
                changed.unknown += 1;
                Cow::Borrowed("N/A")
            };
        }
    }
    changed
}
