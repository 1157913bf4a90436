//! Rows that stand beside their ruler, all by as many blanks: an editor, a mail or a wiki indented them and left the
//! heading where it was. Read at the ruler their numbers come under the headings of others.
//!
//! In a report numbers end where their column does and names begin there. Where the rows of a table do so nowhere, and
//! all of them do at one distance, the ruler belongs at that distance.

use super::blanks::{self, Bits, Cell};
use super::text_sections::Line;
use crate::cell::looks_numeric;

/// Rows that are looked at.
const ROWS: usize = 12;
/// Lines among which they are looked for.
const LINES: usize = 40;
/// The farthest that rows are moved; a blank more or less has rules of its own.
const FARTHEST: isize = 16;
const LEAST: isize = 2;

/// What the cells of a row say of a place of the ruler.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Numbers that end where their column does, and all.
    in_place: usize,
    numbers: usize,
    /// Words that begin where their column does, and all.
    begin: usize,
    words: usize,
}

/// The columns of a ruler where the rows below it stand, moved to the right or to the left; `None` where they stand in
/// their place, or it cannot be told. Of some copies the names stay and the numbers alone moved.
pub(crate) fn moved(lines: &[Line<'_>], runs: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
    if runs.len() < 2 {
        return None;
    }
    let mut below = rows(lines);
    let first = Row::new(below.next()?);
    // Nearly every table.
    if holds_numbers_in_place(&first, runs)
        || seen(&first, runs.iter().copied(), false).is_some_and(|seen| 2 * seen.in_place > seen.numbers)
    {
        return None;
    }
    let rows: Vec<Row<'_>> = std::iter::once(first).chain(below.map(Row::new)).collect();
    let here = rows
        .iter()
        .filter_map(|row| seen(row, runs.iter().copied(), false))
        .map(|seen| seen.in_place)
        .sum::<usize>();
    // A first column of numbers ends where both say.
    let of = |by| {
        let all = Moved { runs, by, first: runs.first()?.0.checked_add_signed(by).unwrap_or(0) };
        let numbers = Moved { first: runs.first()?.0, ..all };
        // No column ends before the line begins.
        let (run, next) = (runs.first()?, runs.get(1)?);
        let end = run.1.checked_add_signed(by)?;
        next.0.checked_add_signed(by)?;
        let alone = || end > run.0 + 1 && numbers.fits(&rows, here);
        if all.fits(&rows, here) { Some(all) } else { alone().then_some(numbers) }
    };
    let places = (-FARTHEST..=FARTHEST).filter(|by| by.abs() >= LEAST);
    let mut found = places.filter_map(of);
    let moved = found.next().filter(|_| found.next().is_none())?;
    Some(moved.columns().collect())
}

/// The columns of a ruler so many blanks away; the first may begin where nothing was cut, or where it stood.
#[derive(Clone, Copy)]
struct Moved<'r> {
    runs: &'r [(usize, usize)],
    by: isize,
    /// Where the first begins.
    first: usize,
}

impl Moved<'_> {
    fn columns(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let by = |place: usize| place.saturating_add_signed(self.by);
        self.runs
            .iter()
            .enumerate()
            .map(move |(at, run)| (if at == 0 { self.first } else { by(run.0) }, by(run.1)))
    }

    /// Do all rows say that they stand there, and more than where so many numbers are in their place now?
    fn fits(&self, rows: &[Row<'_>], here: usize) -> bool {
        let mut all = Seen::default();
        for row in rows {
            // One row that stands otherwise says no: of nearly all places the first, and of that one of the first cells.
            match seen(row, self.columns(), true) {
                Some(own) => {
                    all.in_place += own.in_place;
                    all.begin += own.begin;
                }
                None => return false,
            }
        }
        all.in_place + all.begin >= 3 * rows.len().min(2) && 2 * here < all.in_place
    }
}

/// All columns so many blanks away; the first may begin where nothing was cut.
fn by_all(runs: &[(usize, usize)], by: usize) -> Vec<(usize, usize)> {
    runs.iter().map(|run| (run.0 + by, run.1 + by)).collect()
}

/// The cells of a row that stands so many blanks to the right of its ruler, where every one of them says so; `None`
/// where some say that it stands in its place.
pub(crate) fn cells_of_indented<'a>(
    text: &'a str,
    runs: &[(usize, usize)],
    by: usize,
) -> Option<Vec<&'a str>> {
    let row = Row::new(text);
    if seen(&row, runs.iter().copied(), false).is_some_and(|here| 2 * here.in_place > here.numbers) {
        return None;
    }
    let moved = by_all(runs, by);
    seen(&row, moved.iter().copied(), true).filter(|found| found.numbers > 0 && found.words > 0)?;
    let last = moved.len() - 1;
    let cell = |(at, run): (usize, &(usize, usize))| {
        let end = if at == last { text.len() } else { run.1.min(text.len()) };
        text.get(run.0.min(end)..end).map(str::trim_ascii)
    };
    moved.iter().enumerate().map(cell).collect()
}

/// The rows below a ruler, up to a blank line or what ends a table.
fn rows<'l>(lines: &'l [Line<'_>]) -> impl Iterator<Item = &'l str> {
    let ends = |line: &&Line<'_>| line.is_blank() || !line.marks.is_none() || line.first == b'-';
    // Trailing blanks are gone: behind one that is left another word stands.
    let several = |line: &&Line<'_>| {
        line.ascii && line.text.trim_ascii_start().bytes().any(|b| b.is_ascii_whitespace())
    };
    lines
        .iter()
        .take(LINES)
        .take_while(move |line| !ends(line))
        .filter(several)
        .map(|line| line.text)
        .take(ROWS)
}

/// A row, with its bytes that are no blank where bits hold them.
struct Row<'l> {
    text: &'l str,
    filled: Option<Bits>,
}

impl<'l> Row<'l> {
    fn new(text: &'l str) -> Self {
        Self { text, filled: Bits::filled(text.as_bytes()) }
    }

    /// Are there blanks alone from one place to another?
    fn is_blank(&self, from: usize, to: usize) -> bool {
        let (from, to) = (from.min(self.text.len()), to.min(self.text.len()));
        if let (Some(bits), Some(cell)) = (&self.filled, Cell::new(from, to.max(from))) {
            return bits.within(cell).is_none();
        }
        self.text.as_bytes().get(from..to).is_none_or(|gap| gap.iter().all(|b| *b == b' '))
    }

    /// Where the part from one place to another is filled, without the blanks around it.
    fn filled(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let to = to.min(self.text.len());
        if let (Some(bits), Some(cell)) = (&self.filled, Cell::new(from, to.max(from))) {
            return bits.within(cell);
        }
        let (start, end) = blanks::filled(self.text.as_bytes(), from, to);
        (start < end).then_some((start, end))
    }
}

/// Do all cells of a row that may be numbers end where their column does, one at least that is one?
fn holds_numbers_in_place(row: &Row<'_>, runs: &[(usize, usize)]) -> bool {
    let (mut from, mut found) = (0, false);
    for (at, (start, end)) in runs.iter().copied().enumerate() {
        if !row.is_blank(from, start) {
            return false;
        }
        from = end;
        let until = if at + 1 == runs.len() { usize::MAX } else { end };
        let Some((begins, ends)) = row.filled(start, until) else { continue };
        let own = row.text.get(begins..ends).unwrap_or("");
        // As `looks_numeric` tells them.
        if matches!(own.as_bytes(), [b'0'..=b'9' | b'.' | b',' | b'-' | b'+' | b'#' | b'N', ..]) {
            if ends != end {
                return false;
            }
            found = found || looks_numeric(own);
        }
    }
    found
}

/// What a row says of a place of its ruler; `None` where something stands in its gaps and, if all is to be in place,
/// where anything is not.
fn seen(row: &Row<'_>, runs: impl ExactSizeIterator<Item = (usize, usize)>, all: bool) -> Option<Seen> {
    let mut seen = Seen::default();
    let mut from = 0;
    let last = runs.len().saturating_sub(1);
    for (at, (start, end)) in runs.enumerate() {
        if !row.is_blank(from, start) {
            return None;
        }
        from = end;
        let Some((begins, ends)) = row.filled(start, if at == last { usize::MAX } else { end }) else {
            continue;
        };
        // Neither a word nor a number stands otherwise.
        if all && begins != start && ends != end {
            return None;
        }
        let in_place = if row.text.get(begins..ends).is_some_and(looks_numeric) {
            seen.numbers += 1;
            seen.in_place += usize::from(ends == end);
            ends == end
        } else {
            seen.words += 1;
            seen.begin += usize::from(begins == start);
            begins == start
        };
        if all && !in_place {
            return None;
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULER: &str = "------------------------------ ------------ ----------- ------ ------";
    const ROWS: [&str; 2] = [
        "db file sequential read             612,004       4,310      7   41.2",
        "DB CPU                                            3,112          29.8",
    ];

    fn columns() -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        let mut at = 0;
        for run in RULER.split(' ') {
            runs.push((at, at + run.len()));
            at += run.len() + 1;
        }
        runs
    }

    /// By how much the last column moved.
    fn moved_by(rows: &[String]) -> Option<usize> {
        let lines: Vec<Line<'_>> = rows.iter().zip(1..).map(|(row, number)| Line::new(number, row)).collect();
        let runs = columns();
        Some(moved(&lines, &runs)?.last()?.1 - runs.last()?.1)
    }

    #[test]
    fn rows_that_all_moved_tell_by_how_much() {
        for by in 2..=9 {
            let rows = ROWS.map(|row| format!("{}{row}", " ".repeat(by)));
            assert_eq!(moved_by(&rows), Some(by), "{by}");
            // The names stayed.
            let rows = ROWS.map(|row| format!("{}{}{}", &row[..24], " ".repeat(by), &row[24..]));
            assert_eq!(moved_by(&rows), Some(by), "{by}");
        }
        assert_eq!(moved_by(&ROWS.map(str::to_owned)), None);
    }

    #[test]
    fn rows_that_moved_by_unlike_widths_tell_nothing() {
        let rows = [format!("    {}", ROWS[0]), format!("       {}", ROWS[1])];
        assert_eq!(moved_by(&rows), None);
    }

    #[test]
    fn the_cells_of_one_indented_row_are_told_where_all_say_so() {
        let row = format!("       {}", ROWS[0]);
        let cells = cells_of_indented(&row, &columns(), 7).unwrap_or_default();
        assert_eq!(cells, ["db file sequential read", "612,004", "4,310", "7", "41.2"]);
        assert!(cells_of_indented(ROWS[0], &columns(), 0).is_none());
        assert!(cells_of_indented(&row, &columns(), 6).is_none());
    }
}
