//! Rows that stand beside their ruler, all by as many blanks: an editor, a mail or a wiki indented them and left the
//! heading where it was. Read at the ruler their numbers come under the headings of others.
//!
//! In a report numbers end where their column does and names begin there. Where the rows of a table do so nowhere, and
//! all of them do at one distance, the ruler belongs at that distance.

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

impl Seen {
    fn all_in_place(&self) -> bool {
        self.in_place == self.numbers && self.begin == self.words
    }
}

/// The columns of a ruler where the rows below it stand, moved to the right or to the left; `None` where they stand in
/// their place, or it cannot be told. Of some copies the names stay and the numbers alone moved.
pub(crate) fn moved(lines: &[Line<'_>], runs: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
    if runs.len() < 2 {
        return None;
    }
    let mut below = rows(lines);
    let first = below.next()?;
    // Nearly every table.
    if seen(first, runs).is_some_and(|seen| 2 * seen.in_place > seen.numbers) {
        return None;
    }
    let rows: Vec<&str> = std::iter::once(first).chain(below).collect();
    let here = rows.iter().filter_map(|row| seen(row, runs)).map(|seen| seen.in_place).sum::<usize>();
    let fits = |moved: &Vec<(usize, usize)>| {
        // One row that stands otherwise says no: of nearly all places the first.
        let in_place = |row: &&str| seen(row, moved).filter(Seen::all_in_place);
        let Some(all) = rows.iter().map(in_place).collect::<Option<Vec<_>>>() else { return false };
        let sum = |of: fn(&Seen) -> usize| all.iter().map(of).sum::<usize>();
        let (in_place, anchors) = (sum(|s| s.in_place), sum(|s| s.in_place + s.begin));
        anchors >= 3 * all.len().min(2) && 2 * here < in_place
    };
    let places = (-FARTHEST..=FARTHEST).filter(|by| by.abs() >= LEAST);
    // A first column of numbers ends where both say.
    let of = |by| by_all(runs, by).filter(fits).or_else(|| by_numbers(runs, by).filter(fits));
    let mut found = places.filter_map(of);
    found.next().filter(|_| found.next().is_none())
}

/// All columns so many blanks away; the first may begin where nothing was cut.
fn by_all(runs: &[(usize, usize)], by: isize) -> Option<Vec<(usize, usize)>> {
    let moved = |(at, run): (usize, &(usize, usize))| {
        let start = run.0.checked_add_signed(by).or((at == 0).then_some(0))?;
        Some((start, run.1.checked_add_signed(by)?))
    };
    runs.iter().enumerate().map(moved).collect()
}

/// All columns but the first, which ends so much later or earlier.
fn by_numbers(runs: &[(usize, usize)], by: isize) -> Option<Vec<(usize, usize)>> {
    let mut moved = by_all(runs, by)?;
    let (own, first) = (runs.first()?, moved.first_mut()?);
    first.0 = own.0;
    (first.1 > own.0 + 1).then_some(moved)
}

/// The cells of a row that stands so many blanks to the right of its ruler, where every one of them says so; `None`
/// where some say that it stands in its place.
pub(crate) fn cells_of_indented<'a>(
    text: &'a str,
    runs: &[(usize, usize)],
    by: usize,
) -> Option<Vec<&'a str>> {
    if seen(text, runs).is_some_and(|here| 2 * here.in_place > here.numbers) {
        return None;
    }
    let moved = by_all(runs, isize::try_from(by).ok()?)?;
    let found =
        seen(text, &moved).filter(|found| found.all_in_place() && found.numbers > 0 && found.words > 0);
    found?;
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

/// What a row says of a place of its ruler; `None` where something stands in its gaps.
fn seen(text: &str, runs: &[(usize, usize)]) -> Option<Seen> {
    let mut seen = Seen::default();
    let mut from = 0;
    let bytes = text.as_bytes();
    let blank = |from: usize, to: usize| {
        bytes.get(from.min(bytes.len())..to.min(bytes.len())).is_none_or(|gap| gap.iter().all(|b| *b == b' '))
    };
    for (at, (start, end)) in runs.iter().copied().enumerate() {
        if !blank(from, start) {
            return None;
        }
        from = end;
        let last = at + 1 == runs.len();
        let until = if last { bytes.len() } else { end.min(bytes.len()) };
        let cell = text.get(start.min(until)..until).unwrap_or("");
        let own = cell.trim_ascii();
        if own.is_empty() {
            continue;
        }
        let begins = start + (cell.len() - cell.trim_ascii_start().len());
        let ends = begins + own.len();
        if looks_numeric(own) {
            seen.numbers += 1;
            seen.in_place += usize::from(ends == end);
        } else {
            seen.words += 1;
            seen.begin += usize::from(begins == start);
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
