//! Sections that stand twice in one report: pasted twice, or of two reports put together without their
//! heads.
//!
//! Added up, every wait and second would count double. The same rows again are left out; so are other
//! figures for the same rows, of another period or instance. Pages that go on with a section bring further
//! rows, and are read on. Told by the rows alone, in text and HTML alike.

use crate::grid::Grid;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Rows of the tables so far, by title and headings.
#[derive(Default)]
pub(crate) struct Copies {
    tables: FxHashMap<u64, Printed>,
    told: Told,
}

/// Which tables' rows are told as they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Told {
    /// Those of all.
    #[default]
    All,
    /// Those of tables in which a copy may begin: hardly ever another one stands under the same title and
    /// headings. Where one does, nothing was told.
    Few,
    /// Few, and a table came whose rows are to be compared with those of one that were not told: what was
    /// read is to be read again, told in full.
    TooFew,
}

/// The rows of one table, over all its pages.
#[derive(Default)]
struct Printed {
    /// Line of each row.
    lines: Vec<u32>,
    /// Each row with all its cells.
    rows: Vec<u64>,
    /// Each row by what it names, [`NAMELESS`] where it names nothing.
    names: Vec<u64>,
    first: First,
    told: bool,
    /// A mark of the first cell of each row, where rows are told of few tables.
    firsts: Vec<u64>,
}

/// Stands for the name of a row that names nothing.
const NAMELESS: u64 = 0;

/// Where rows stood first; few tables ever come to a place where a copy may begin.
#[derive(Default)]
struct First {
    /// So many rows are told.
    upto: usize,
    rows: FxHashMap<u64, usize>,
    names: FxHashMap<u64, usize>,
    /// The first row that names nothing, or what another one names.
    nameless: Option<usize>,
}

impl First {
    /// Adds a row: where it, and what it names, stood first.
    fn add(&mut self, all: u64, name: u64) -> (usize, usize) {
        let at = self.upto;
        self.upto += 1;
        let first = *self.rows.entry(all).or_insert(at);
        let named = (name != NAMELESS).then(|| *self.names.entry(name).or_insert(at));
        if named.is_none_or(|named| named < at) && self.nameless.is_none() {
            self.nameless = Some(at);
        }
        (first, named.unwrap_or(at))
    }
}

/// A copy, whose rows were dropped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// Lines of the copy and of what it repeats.
    pub(crate) line: u32,
    pub(crate) first_line: u32,
    pub(crate) rows: u32,
    /// Are its figures the same?
    pub(crate) same: bool,
    /// Was another part of the copy met before?
    pub(crate) told: bool,
}

/// Lines from the last row of a page to the first of the next, at least: title, headings and ruler.
const PAGE_BREAK: u32 = 4;
/// Places in a table where a copy may begin that are looked at.
const MOST_BEGINNINGS: usize = 16;
/// Rows that are looked for among those before them, one by one.
const MOST_LOOKED_FOR: usize = 64;
/// Rows of one name before such a place that are compared, one by one.
const MOST_ALIKE: usize = 64;
/// Fewer rows with other figures prove nothing.
const FEWEST_OTHERS: usize = 3;

impl Copies {
    pub(crate) fn new(told: Told) -> Self {
        Self { told, ..Self::default() }
    }

    /// Were too few rows told to know?
    pub(crate) fn told_too_few(&self) -> bool {
        self.told == Told::TooFew
    }

    /// Drops the rows of a table that stand in the report already.
    pub(crate) fn drop_copy(&mut self, title: &str, grid: &mut Grid<'_>, is_html: bool) -> Option<Copy> {
        self.drop_copy_looking_for(MOST_LOOKED_FOR, title, grid, is_html)
    }

    /// The same, where so many rows are looked for one by one.
    fn drop_copy_looking_for(
        &mut self,
        most: usize,
        title: &str,
        grid: &mut Grid<'_>,
        is_html: bool,
    ) -> Option<Copy> {
        let length = grid.len();
        if length == 0 {
            return None;
        }
        let mut headings = FxHasher::default();
        title.hash(&mut headings);
        grid.columns.iter().for_each(|c| headings.write_u64(c.told()));
        let printed = self.tables.entry(headings.finish()).or_default();
        let base = printed.rows.len();
        if self.told != Told::All {
            let (known, untold) = (printed.firsts.len(), printed.firsts.len() > base);
            printed.firsts.extend(grid.firsts().map(|first| mark_of(first.as_bytes())));
            let again = known > 0 && printed.firsts[known..].contains(&printed.firsts[0]);
            if (base == 0 || untold)
                && !again
                && !may_hold_copy(grid, &printed.firsts[..], known, most, is_html)
            {
                return None;
            }
            if untold {
                self.told = Told::TooFew;
                return None;
            }
        }
        let naming = Naming::of(grid);
        printed.rows.reserve(length);
        printed.names.reserve(length);
        printed.lines.extend((0..length).map(|row| grid.row_line(row)));
        for row in 0..length {
            let (all, name) = hashes(grid.row(row), naming);
            printed.rows.push(all);
            printed.names.push(name);
        }
        let begins = |row: usize| if row == 0 { base > 0 } else { !is_html && is_behind_break(grid, row) };
        let Printed { lines, rows, names, first, .. } = printed;
        // Looked for row by row where a copy may begin, nothing stands before: such places are few.
        let stands_before = |row: usize| {
            let at = base + row;
            let before = |found: &[u64]| found[..at].contains(&found[at]);
            before(rows) || names[at] != NAMELESS && before(names)
        };
        // A piece of the section may stand before all of it.
        if let Some(dropped) = (0..length)
            .filter(|row| begins(*row))
            .take(MOST_BEGINNINGS)
            .find_map(|row| all_of_before(rows, base + row, |row| grid.row(row - base), base))
        {
            let dropped: Vec<usize> = dropped.into_iter().map(|at| at - base).collect();
            let first = *dropped.first()?;
            let copy = Copy {
                line: grid.row_line(first),
                first_line: lines.first().copied().unwrap_or_default(),
                rows: u32::try_from(dropped.len()).unwrap_or(u32::MAX),
                same: true,
                told: std::mem::replace(&mut printed.told, true),
            };
            grid.drop_rows(&dropped);
            return Some(copy);
        }
        let mut beginnings = (0..length).filter(|row| begins(*row));
        if !beginnings.by_ref().take(most).any(stands_before) && beginnings.next().is_none() {
            return None;
        }
        while first.upto < base {
            first.add(rows[first.upto], names[first.upto]);
        }
        let known: Vec<(usize, usize)> =
            (base..base + length).map(|at| first.add(rows[at], names[at])).collect();
        let (nameless, distinct) = (first.nameless, first.rows.len());
        let again = |row: &usize| known[*row].0 < base + row || known[*row].1 < base + row;
        let mut candidates = (0..length).filter(|row| begins(*row)).filter(again).take(MOST_BEGINNINGS);
        let (from, same) = candidates.find_map(|row| {
            let at = base + row;
            let rest = &known[row..];
            // One row may be like another by chance.
            if rest.iter().all(|k| k.0 < at) && (rest.len() > 1 || distinct == 1) {
                return Some((row, true));
            }
            let named_before = rest.iter().filter(|k| k.1 < at).count();
            let others = rest.len() >= FEWEST_OTHERS
                && named_before * 5 >= rest.len() * 4
                && nameless.is_none_or(|first| first >= at);
            others.then_some((row, false))
        })?;
        // What is repeated may be a later page of the section alone.
        let at = base + from;
        let before = |k: &(usize, usize)| Some(if same { k.0 } else { k.1 }).filter(|first| *first < at);
        let first = known[from..].iter().find_map(before).unwrap_or(0);
        let dropped: Vec<usize> = (from..length).collect();
        let copy = Copy {
            line: grid.row_line(from),
            first_line: lines.get(first).copied().unwrap_or_default(),
            rows: u32::try_from(dropped.len()).unwrap_or(u32::MAX),
            same,
            told: std::mem::replace(&mut printed.told, true),
        };
        grid.drop_rows(&dropped);
        Some(copy)
    }
}

/// The rows from `at` on that stand before it already, where all that do stand again: what came first was a piece of
/// the section, as the five first rows of a list that somebody set above it.
fn all_of_before<'g, 'a: 'g>(
    rows: &[u64],
    at: usize,
    cells: impl Fn(usize) -> &'g [Cow<'a, str>],
    from: usize,
) -> Option<Vec<usize>> {
    let (before, behind) = rows.split_at(at);
    // The first of them tells nearly all that are none.
    if before.is_empty() || before.len() >= behind.len() || !behind.contains(before.first()?) {
        return None;
    }
    let known: FxHashSet<u64> = before.iter().copied().collect();
    let again: Vec<usize> = (at..rows.len()).filter(|row| known.contains(&rows[*row])).collect();
    let met: FxHashSet<u64> = again.iter().map(|row| rows[*row]).collect();
    // One row may be like another by chance.
    let telling = again.iter().filter(|row| **row >= from && is_telling(cells(**row))).count();
    (met.len() == known.len() && telling > 0 && (known.len() > 1 || telling == again.len())).then_some(again)
}

/// Digits of figures from which on two rows are not the same by chance.
const TELLING_DIGITS: usize = 8;

/// Drops the rows that stand above already, name and figures, as where screens or pages overlap: added up they
/// would count double. Returns the line of the first one and how many.
pub(crate) fn drop_doubled(grid: &mut Grid<'_>) -> Option<(u32, u32)> {
    // Where no first cell comes again, no row does.
    let marks: Vec<u64> = grid.firsts().map(|first| mark_of(first.as_bytes())).collect();
    let mut again = marks.clone();
    again.sort_unstable();
    let mut before = None;
    again.retain(|mark| before.replace(*mark) == Some(*mark));
    if again.is_empty() {
        return None;
    }
    let naming = Naming::of(grid);
    let mut above = FxHashMap::default();
    let mut doubled = Vec::new();
    for (row, mark) in marks.iter().enumerate() {
        let cells = grid.row(row);
        if again.binary_search(mark).is_err() || !is_telling(cells) {
            continue;
        }
        let (all, name) = hashes(cells, naming);
        if name == NAMELESS {
            continue;
        }
        match above.entry(all) {
            // No two rows are one that only have the same hash.
            Entry::Occupied(first) if grid.row(*first.get()) == cells => doubled.push(row),
            Entry::Occupied(_) => {}
            Entry::Vacant(first) => {
                first.insert(row);
            }
        }
    }
    let line = grid.row_line(*doubled.first()?);
    grid.drop_rows(&doubled);
    Some((line, u32::try_from(doubled.len()).unwrap_or(u32::MAX)))
}

/// Do the figures of a row hold so many digits that no other row has the same?
fn is_telling(cells: &[Cow<'_, str>]) -> bool {
    let mut digits = 0;
    for cell in cells.iter().map(|cell| cell.as_bytes()) {
        // Zeros alone stand in many rows.
        if !is_name(cell) && cell.iter().any(|b| matches!(b, b'1'..=b'9')) {
            digits += cell.iter().filter(|b| b.is_ascii_digit()).count();
        }
    }
    digits >= TELLING_DIGITS
}

/// Does a row stand further below the one above it than rows of one page do?
fn is_behind_break(grid: &Grid<'_>, row: usize) -> bool {
    row > 0 && grid.row_line(row).saturating_sub(grid.row_line(row - 1)) >= PAGE_BREAK
}

/// The first cell of a row.
fn first_cell<'g>(grid: &'g Grid<'_>, row: usize) -> &'g [u8] {
    grid.row(row).first().map_or(&[], |cell| cell.as_bytes())
}

/// Can a copy begin in a table, by the first cells of its rows and of so many known before? Not where no row
/// at whose place one may begin is like one before, or names what it counts as one before does.
fn may_hold_copy(grid: &Grid<'_>, firsts: &[u64], known: usize, most: usize, is_html: bool) -> bool {
    let begins = |row: &usize| if *row == 0 { known > 0 } else { !is_html && is_behind_break(grid, *row) };
    let mut beginnings = (0..grid.len()).filter(begins).peekable();
    if beginnings.peek().is_none() {
        return false;
    }
    let naming = Naming::of(grid);
    let identifier = grid.column(&["sqlid"]);
    let mut names: Vec<u64> = Vec::new();
    // A name in the first cell tells two rows apart, whatever is in the others.
    let stands_before = |row: usize| {
        let own = firsts[known + row];
        if naming.instance != Some(0) && !is_name(first_cell(grid, row)) {
            // Elsewhere, as in lists of statements, the first name does, or the number in the first cell; what stands
            // above all of the section may stand again further below.
            if known > 0 || firsts[..row].contains(&own) || firsts[row..].contains(&firsts[0]) {
                return true;
            }
            let from = names.len();
            names.extend((from..=row).map(|row| mark_of_name(grid.row(row), naming, identifier)));
            return names[row] != NAMELESS && names[..row].contains(&names[row]);
        }
        if firsts[..known].contains(&own) {
            return true;
        }
        let (all, name) = hashes(grid.row(row), naming);
        let same = |before: usize| {
            let (other, named) = hashes(grid.row(before), naming);
            all == other || name != NAMELESS && name == named
        };
        let mut alike = (0..row).filter(|before| firsts[known + before] == own);
        alike.by_ref().take(MOST_ALIKE).any(same) || alike.next().is_some()
    };
    beginnings.by_ref().take(most).any(stands_before) || beginnings.next().is_some()
}

/// Does a cell name what its row counts: a word, or the identifier of a statement?
fn is_name(cell: &[u8]) -> bool {
    cell.first().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'+' | b'_' | b'*'))
        || cell.len() == 13 && cell.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// Columns whose numbers name what a row counts.
#[derive(Clone, Copy)]
struct Naming {
    instance: Option<usize>,
    /// Statspack names a statement by a hash: others of the same module may begin with the same lines.
    statement: Option<usize>,
}

impl Naming {
    fn of(grid: &Grid<'_>) -> Self {
        Self { instance: grid.instance_column(), statement: grid.column(&["oldhashvalue", "hashvalue"]) }
    }
}

/// A mark of the first cell that tells what a row counts, or of the identifier of a statement, [`NAMELESS`] where none
/// does: rows of one name have the same.
fn mark_of_name(cells: &[Cow<'_, str>], naming: Naming, identifier: Option<usize>) -> u64 {
    if let Some(cell) = identifier.and_then(|at| cells.get(at)).filter(|cell| is_name(cell.as_bytes())) {
        return mark_of(cell.as_bytes()).max(NAMELESS + 1);
    }
    let names = |(column, cell): &(usize, &Cow<'_, str>)| {
        let bytes = cell.as_bytes();
        naming.instance == Some(*column)
            || is_name(bytes)
            || naming.statement == Some(*column) && !bytes.is_empty()
    };
    let first = cells.iter().enumerate().find(names);
    first.map_or(NAMELESS, |(_, cell)| mark_of(cell.as_bytes()).max(NAMELESS + 1))
}

/// All cells of a row, and those that name what it counts.
fn hashes(cells: &[Cow<'_, str>], naming: Naming) -> (u64, u64) {
    let (mut all, mut name, mut named) = (0, 0, false);
    for (column, cell) in cells.iter().enumerate() {
        let bytes = cell.as_bytes();
        let own = hash_of(bytes);
        all = joined(all, own);
        let names = is_name(bytes) || naming.statement == Some(column) && !bytes.is_empty();
        if names || naming.instance == Some(column) {
            name = joined(joined(name, column as u64), own);
            named |= names;
        }
    }
    (all, if named { name.max(NAMELESS + 1) } else { NAMELESS })
}

/// One hash behind others.
#[inline]
fn joined(before: u64, own: u64) -> u64 {
    (before.rotate_left(5) ^ own).wrapping_mul(0xF135_7AEA_2E62_A9C5)
}

/// What tells a first cell from nearly all others, by how it begins and ends: those that are alike are looked at
/// whole.
#[inline]
fn mark_of(bytes: &[u8]) -> u64 {
    let (Some(start), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) else { return hash_of(bytes) };
    joined(joined(bytes.len() as u64, u64::from_le_bytes(*start)), u64::from_le_bytes(*end))
}

/// The hash of one cell.
#[inline]
fn hash_of(bytes: &[u8]) -> u64 {
    if bytes.is_empty() {
        return 1;
    }
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Column;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_looked_for_one_by_one_are_those_of_all_rows_told(
            tables in prop::collection::vec(prop::collection::vec((0_usize..9, 0_usize..3, 1_u32..7), 1..12), 1..5),
            is_html in any::<bool>(),
        ) {
            let names = ["log file sync", "db file scattered read", "", "1", "USERS", "*", "DB CPU", "7", "undo"];
            let (mut few, mut all) = (Copies::default(), Copies::default());
            let mut fewer = Copies::new(Told::Few);
            let mut line = 0;
            for rows in tables {
                let mut grid = Grid::default();
                grid.columns = vec![Column::new("", "Event"), Column::new("", "Waits")];
                for (name, count, gap) in rows {
                    line += gap;
                    grid.push_cell(Cow::Borrowed(names[name]));
                    grid.push_cell(Cow::Owned(count.to_string()));
                    grid.end_row(line);
                }
                let mut again = grid.clone();
                let mut once_more = grid.clone();
                let found = few.drop_copy("waits", &mut grid, is_html);
                let plain = all.drop_copy_looking_for(0, "waits", &mut again, is_html);
                let untold = fewer.drop_copy("waits", &mut once_more, is_html);
                if !fewer.told_too_few() {
                    prop_assert_eq!(&untold, &plain);
                }
                prop_assert_eq!(found, plain);
                prop_assert_eq!(grid.len(), again.len());
                line += 1;
            }
        }
    }
}
