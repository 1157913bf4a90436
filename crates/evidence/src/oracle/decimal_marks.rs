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

/// How a number is written in which points may part thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parted {
    /// `1.234.567`, `1.234.56`: some of its points part thousands.
    Thousands,
    /// `12.345`: its only point parts thousands or decimals.
    Either,
    /// `5.66`, `0.345`: it parts decimals.
    Decimals,
    /// Another cell, or a number without points.
    Neither,
}

fn parted(cell: &str) -> Parted {
    let cell = cell.strip_prefix('-').unwrap_or(cell);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let Some((first, rest)) = cell.split_once('.') else { return Parted::Neither };
    if !(first.is_empty() || digits(first)) || !rest.split('.').all(digits) {
        return Parted::Neither;
    }
    // An address of the interconnect has four parts, none above 255: of a count nobody can tell.
    if rest.split('.').count() == 3 && cell.split('.').all(|part| part.parse::<u8>().is_ok()) {
        return Parted::Neither;
    }
    let (groups, last) = rest.rsplit_once('.').map_or((None, rest), |(groups, last)| (Some(groups), last));
    let group = |part: &str| part.len() == 3;
    let leads = (1..=3).contains(&first.len()) && !first.starts_with('0');
    match groups {
        None if leads && group(last) => Parted::Either,
        None => Parted::Decimals,
        Some(groups) if leads && groups.split('.').all(group) && last.len() <= 3 => Parted::Thousands,
        Some(_) => Parted::Neither,
    }
}

/// Is a cell a number whose thousands points part beyond doubt?
pub(super) fn are_thousands_of_points(cell: &str) -> bool {
    parted(cell.trim_ascii()) == Parted::Thousands
}

/// A number without the points that part its thousands; that before one or two digits parts decimals.
fn without_points(cell: &str) -> String {
    match cell.rsplit_once('.') {
        Some((whole, decimals)) if decimals.len() < 3 => format!("{}.{decimals}", whole.replace('.', "")),
        _ => cell.replace('.', ""),
    }
}

/// Numbers of a table that points part in a way that may be either.
pub(super) struct Doubtful {
    pub(super) line: u32,
    pub(super) first: String,
    pub(super) cells: u32,
}

/// Where points part the thousands of a report: takes them out of the numbers of a table where there is no doubt, and
/// makes those unknown that may be a thousandth as much.
pub(super) fn part_thousands(grid: &mut Grid<'_>) -> Option<Doubtful> {
    // Where commas part decimals, the numbers of each column tell more.
    let has_decimals = |cell: &str| {
        cell.rsplit_once(',')
            .is_some_and(|(_, last)| !last.is_empty() && last.len() != 3 && looks_numeric(cell))
    };
    if (0..grid.len()).any(|row| grid.row(row).iter().any(|cell| has_decimals(cell.trim_ascii()))) {
        return None;
    }
    let width = (0..grid.len()).map(|row| grid.row(row).len()).max().unwrap_or(0);
    // Is a column of whole numbers, or has it decimals?
    let mut whole = vec![(false, false); width];
    for row in 0..grid.len() {
        for ((thousands, decimals), cell) in whole.iter_mut().zip(grid.row(row)) {
            match parted(cell.trim_ascii()) {
                Parted::Thousands if cell.trim_ascii().rsplit('.').next().is_some_and(|l| l.len() == 3) => {
                    *thousands = true;
                }
                Parted::Thousands | Parted::Decimals => *decimals = true,
                Parted::Either | Parted::Neither => {}
            }
        }
    }
    // Values at the begin and end are words of parameters alone.
    let of_parameters = grid.title.contains("arameter");
    let is_value = |key: &str| key.starts_with("beginvalue") || key.starts_with("endvalue");
    let holds = |key: &str| !holds_no_numbers(key) || is_value(key) && !of_parameters;
    let numbers: Vec<bool> =
        (0..width).map(|at| grid.columns.get(at).is_none_or(|c| holds(c.key()))).collect();
    let mut doubtful: Option<Doubtful> = None;
    let mut doubt = |line: u32, text: &str| {
        let first = || Doubtful { line, first: text.to_owned(), cells: 0 };
        doubtful.get_or_insert_with(first).cells += 1;
    };
    for row in 0..grid.len() {
        let line = grid.row_line(row);
        for ((cell, is_whole), numbers) in grid.row_mut(row).iter_mut().zip(&whole).zip(&numbers) {
            let text = cell.trim_ascii();
            match parted(text) {
                _ if !*numbers => {}
                Parted::Thousands => *cell = Cow::Owned(without_points(text)),
                Parted::Either if *is_whole == (true, false) => *cell = Cow::Owned(without_points(text)),
                Parted::Either => {
                    doubt(line, text);
                    *cell = Cow::Borrowed("N/A");
                }
                Parted::Decimals | Parted::Neither => {}
            }
        }
    }
    for (line, text) in &mut grid.remarks {
        let moved = |word: &str| matches!(parted(word), Parted::Thousands | Parted::Either);
        if !text.split_ascii_whitespace().any(moved) {
            continue;
        }
        let words = text.split_inclusive(' ').map(|word| match parted(word.trim_ascii()) {
            Parted::Thousands => word.replace(word.trim_ascii(), &without_points(word.trim_ascii())),
            Parted::Either => {
                doubt(*line, word.trim_ascii());
                word.replace(word.trim_ascii(), "N/A")
            }
            Parted::Decimals | Parted::Neither => word.to_owned(),
        });
        *text = Cow::Owned(words.collect());
    }
    doubtful
}

#[cfg(test)]
mod tests {
    use super::{Parted, parted, without_points};

    #[test]
    fn points_part_thousands_or_decimals() {
        for cell in ["1.234.567", "12.345.67", "1.234.5", "-1.234.567"] {
            assert_eq!(parted(cell), Parted::Thousands, "{cell}");
        }
        for cell in ["12.345", "1.000", "999.999"] {
            assert_eq!(parted(cell), Parted::Either, "{cell}");
        }
        for cell in ["0.345", ".801", "5.66", "1234.567", "12.3456"] {
            assert_eq!(parted(cell), Parted::Decimals, "{cell}");
        }
        let addresses = ["192.168.100.101", "10.100.200.101", "10.0.0.7"];
        let others = ["12", "11.2.0.3.0", "25.371M", "1,234.567", "a.123", "0.123.456"];
        for cell in addresses.into_iter().chain(others) {
            assert_eq!(parted(cell), Parted::Neither, "{cell}");
        }
        assert_eq!(without_points("1.234.567"), "1234567");
        assert_eq!(without_points("12.345.67"), "12345.67");
    }
}
