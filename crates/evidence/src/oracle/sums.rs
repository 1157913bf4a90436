//! Rows that spreadsheets and pages which sort their tables add to a list: `Total`, `Showing 1 to 10 of 123 entries`.
//!
//! Counted as one more event or statement, such a row would double every sum. No event and no statement has such a
//! name; a tablespace, a segment or a service may: Oracle writes those in capitals, and hardly ever are their figures
//! the sums of all others.

use super::sections::Named;
use crate::cell::{Cell, Habits, Unit, begins_a_word, plain_count, read_other};
use crate::grid::{Grid, fold};

/// Rows that were left out.
#[derive(Debug, PartialEq)]
pub(crate) struct Sums {
    /// Line and name of the first that held figures.
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) rows: usize,
}

/// Drops the rows of a list that are none of it; tells those that held figures.
pub(crate) fn drop_sums(grid: &mut Grid<'_>, named: Option<Named>, habits: Habits) -> Option<Sums> {
    let last = grid.len().checked_sub(1)?;
    let mut dropped: Vec<usize> = Vec::new();
    let mut sums: Option<Sums> = None;
    let may_hold_sum = |grid: &Grid<'_>| grid.firsts().any(|first| first.is_empty() || may_be_sum(first));
    if let Some(named) = named.filter(|_| may_hold_sum(grid) && grid.instance_column().is_none()) {
        for row in 0..grid.len() {
            let Some(name) = sum_name(grid, row) else { continue };
            // Tablespaces are in capitals, and services in small letters, too: `media`, `max`.
            let by_a_person = name.bytes().next().is_none_or(|b| !b.is_ascii_uppercase())
                || !name.bytes().any(|b| b.is_ascii_lowercase());
            if named == Named::ByPeople && by_a_person && !adds_up(grid, row, habits) {
                continue;
            }
            let figures =
                grid.row(row).iter().any(|cell| matches!(number(cell, habits), Some(n) if n != 0.0));
            let (line, name) = (grid.row_line(row), name.to_owned());
            if figures {
                sums.get_or_insert(Sums { line, name, rows: 0 }).rows += 1;
            }
            dropped.push(row);
        }
    }
    if named.is_some()
        && dropped.last() != Some(&last)
        && grid.instance_column().is_none()
        && proves_itself(grid, last, habits)
    {
        let name = grid.row(last).first().map_or("", |cell| cell.trim()).to_owned();
        sums.get_or_insert(Sums { line: grid.row_line(last), name, rows: 0 }).rows += 1;
        dropped.push(last);
    }
    if dropped.last() != Some(&last) && counts_entries(grid, last) {
        dropped.push(last);
    }
    if grid.firsts().any(may_be_dots)
        && let Some(first) = (0..=last).find(|row| is_left_out(grid, *row))
    {
        // Below the last row, dots may stand for other tables.
        if (first..=last).any(|row| !is_left_out(grid, row)) {
            grid.left_out.get_or_insert(grid.row_line(first));
        }
        dropped.extend((0..=last).filter(|row| is_left_out(grid, *row)));
        dropped.sort_unstable();
        dropped.dedup();
    }
    if !dropped.is_empty() {
        grid.drop_rows(&dropped);
    }
    sums
}

/// What a row calls itself where that is the word for a sum or a mean.
fn sum_name<'g>(grid: &'g Grid<'_>, row: usize) -> Option<&'g str> {
    let cells = grid.row(row);
    let first = cells.first()?;
    if !first.is_empty() {
        return (may_be_sum(first) && is_sum(first)).then_some(first.as_ref());
    }
    cells.iter().find(|cell| may_be_sum(cell) && is_sum(cell)).map(AsRef::as_ref)
}

/// Words with which people and spreadsheets begin a row that adds up others, or tells their mean, least or most.
const SUMS: &[&str] = &[
    "sum",
    "sums",
    "total",
    "totals",
    "grandtotal",
    "subtotal",
    "overall",
    "overalltotal",
    "average",
    "avg",
    "mean",
    "median",
    "max",
    "maximum",
    "min",
    "minimum",
    "gesamt",
    "gesamtsumme",
    "summe",
    "mittelwert",
    "totale",
    "promedio",
    "media",
    "moyenne",
    "somme",
    "ergebnis",
    "gesamtergebnis",
    "zwischensumme",
    "totalgeneral",
    "totalg\u{e9}n\u{e9}ral",
    "totaal",
    "toplam",
    "suma",
    "soma",
    "razem",
    "celkem",
    "durchschnitt",
    "m\u{e9}dia",
    "count",
    "anzahl",
    "sumofabove",
    "totalfg",
    "totalbg",
];

/// The same in scripts that have no small letters.
const OTHER_SUMS: &[&str] = &[
    "\u{5408}\u{8ba1}",
    "\u{603b}\u{8ba1}",
    "\u{5408}\u{8a08}",
    "\u{7e3d}\u{8a08}",
    "\u{5e73}\u{5747}",
    "\u{d569}\u{acc4}",
    "\u{5c0f}\u{8ba1}",
    "\u{8a08}",
    "\u{cd1d}\u{acc4}",
    "\u{d3c9}\u{ade0}",
    "\u{3a3}",
    "\u{d8}",
    "\u{418}\u{442}\u{43e}\u{433}\u{43e}",
    "\u{412}\u{441}\u{435}\u{433}\u{43e}",
    "\u{41e}\u{431}\u{449}\u{438}\u{439} \u{438}\u{442}\u{43e}\u{433}",
    "\u{421}\u{440}\u{435}\u{434}\u{43d}\u{435}\u{435}",
    "\u{d6}sszesen",
];

/// Does a cell begin as a word for a sum does? Nearly every row begins with the name of something else, or with a
/// number.
#[inline(always)]
fn may_be_sum(cell: &str) -> bool {
    match *cell.as_bytes() {
        [first, ..] if first == b'*' || !first.is_ascii() => true,
        [first, second, third, ..] if first.is_ascii_alphabetic() => {
            // Most names have another second letter.
            let letters = SECOND[usize::from(first & 0x1F)];
            (!second.is_ascii_alphabetic() || letters >> (second & 0x1F) & 1 != 0)
                && begins_a_sum([first | 0x20, second, third])
        }
        _ => false,
    }
}

/// For each first letter of a word for a sum, by its place in the alphabet, a bit for each second one.
const SECOND: [u32; 32] = {
    let mut table = [0; 32];
    let mut at = 0;
    while at < SUMS.len() {
        let word = SUMS[at].as_bytes();
        table[(word[0] & 0x1F) as usize] |= 1 << (word[1] & 0x1F);
        at += 1;
    }
    table
};

/// Do letters begin a word for a sum, or stand apart from each other?
#[inline(never)]
fn begins_a_sum([first, second, third]: [u8; 3]) -> bool {
    // Letters that do not stand beside each other are looked at more closely.
    !second.is_ascii_alphanumeric()
        || !third.is_ascii_alphanumeric()
        || matches!(
            &[first, second | 0x20, third | 0x20],
            b"sum"
                | b"tot"
                | b"max"
                | b"min"
                | b"avg"
                | b"ave"
                | b"mea"
                | b"med"
                | b"sub"
                | b"gra"
                | b"ove"
                | b"cou"
                | b"ges"
                | b"mit"
                | b"erg"
                | b"zwi"
                | b"dur"
                | b"anz"
                | b"pro"
                | b"moy"
                | b"som"
                | b"top"
                | b"raz"
                | b"cel"
        )
}

/// No word for a sum is longer, with the blanks and marks between its letters.
const LONGEST: usize = 24;

/// Is this the word for a sum, a mean, the least or the most, as `Total` or `Total (17 rows)`?
pub(crate) fn is_sum(cell: &str) -> bool {
    if !may_be_sum(cell) || cell.len() > 40 {
        return false;
    }
    let word = match cell.split_once('(') {
        Some((word, count)) if count.trim_start().starts_with(|c: char| c.is_ascii_digit()) => word,
        _ => cell,
    };
    let word = word.trim_matches(|c: char| c == '*' || c.is_whitespace()).trim_end_matches(':').trim_end();
    word.len() <= LONGEST && (SUMS.contains(&fold(word).as_str()) || OTHER_SUMS.contains(&word))
}

/// Does a row hold nothing but dots, as where somebody left rows out?
#[inline]
fn is_left_out(grid: &Grid<'_>, row: usize) -> bool {
    grid.row(row).first().is_some_and(|cell| may_be_dots(cell)) && holds_dots_alone(grid, row)
}

/// Can a row that begins so hold nothing but dots? Hardly any begins so.
#[inline]
fn may_be_dots(first: &str) -> bool {
    matches!(first.as_bytes(), [] | [b'.' | b' ' | 0xE2, ..])
}

#[inline(never)]
fn holds_dots_alone(grid: &Grid<'_>, row: usize) -> bool {
    let dots = |cell: &str| cell.chars().all(|c| matches!(c, '.' | '\u{2026}' | ' '));
    let mut cells = grid.row(row).iter().filter(|cell| !cell.is_empty());
    let Some(first) = cells.next() else { return false };
    dots(first) && cells.all(|cell| dots(cell))
}

fn number(cell: &str, habits: Habits) -> Option<f64> {
    if begins_a_word(cell) {
        return None;
    }
    plain_count(cell, habits).or_else(|| match read_other(cell, Unit::Count, habits) {
        Cell::Number(printed) => Some(printed.value),
        _ => None,
    })
}

/// Does a figure of this row add up those of all others?
fn adds_up(grid: &Grid<'_>, row: usize, habits: Habits) -> bool {
    let of = |row: usize, column: usize| number(grid.row(row).get(column).map_or("", AsRef::as_ref), habits);
    (0..grid.columns.len()).any(|column| {
        let Some(own) = of(row, column).filter(|own| *own > 0.0) else { return false };
        let others = || (0..grid.len()).filter(|other| *other != row).filter_map(|other| of(other, column));
        let sum: f64 = others().sum();
        others().filter(|n| *n > 0.0).count() > 1 && (sum - own).abs() <= own / 1_000.0
    })
}

/// Are the figures of the last row the sums, or the means, of those above it, whatever it is called? Lists descend, so
/// that hardly ever one of their last rows holds more than the row before it.
fn proves_itself(grid: &Grid<'_>, last: usize, habits: Habits) -> bool {
    let of = |row: usize, column: usize| number(grid.row(row).get(column).map_or("", AsRef::as_ref), habits);
    let Some(before) = last.checked_sub(1).filter(|before| *before > 0) else { return false };
    // That of most columns can be neither: a word, or less than what stands above it.
    let may_be = |column: &usize| {
        of(last, *column).is_some_and(|own| of(before, *column).is_some_and(|above| own > above))
    };
    let columns = || (1..grid.columns.len()).filter(may_be);
    if columns().take(2).count() < 2 {
        return false;
    }
    let (mut sums, mut means) = (0, 0);
    for column in columns() {
        let Some(own) = of(last, column) else { continue };
        let above = || (0..last).filter_map(|row| of(row, column)).filter(|n| *n > 0.0);
        let (rows, sum) = above().fold((0.0, 0.0), |(rows, sum), n| (rows + 1.0, sum + n));
        if rows > 1.0 {
            sums += u32::from((sum - own).abs() <= own / 1e6);
            // All of one size are their own mean.
            let differ = above().any(|n| (n - own).abs() > own / 100.0);
            means += u32::from(differ && (sum / last as f64 - own).abs() <= own / 1e4);
        }
    }
    sums > 1 || means > 1
}

/// `Showing 1 to 10 of 123 entries`.
fn counts_entries(grid: &Grid<'_>, row: usize) -> bool {
    let mut cells = grid.row(row).iter().filter(|cell| !cell.is_empty());
    let Some(text) = cells.next().filter(|text| text.starts_with("Showing ")) else { return false };
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    cells.next().is_none()
        && matches!(words.as_slice(), [_, from, "to", to, "of", all, ..]
            if [from, to, all].iter().all(|word| word.starts_with(|c: char| c.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::{OTHER_SUMS, SUMS, is_sum};

    #[test]
    fn every_word_for_a_sum_is_told_by_how_it_begins() {
        for word in SUMS {
            let (first, rest) = word.split_at(1);
            let titled = format!("{}{rest}", first.to_uppercase());
            let counted = format!("* {word} (17 rows):");
            for word in [*word, titled.as_str(), word.to_uppercase().as_str(), counted.as_str()] {
                assert!(is_sum(word), "{word}");
            }
        }
        for word in OTHER_SUMS {
            assert!(is_sum(word), "{word}");
        }
        for name in ["consistent gets", "processes", "SUBMIT", "db file sequential read", "", "av", "Sumatra"]
        {
            assert!(!is_sum(name), "{name}");
        }
    }
}
