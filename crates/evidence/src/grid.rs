//! One raw table, whatever printed it: headings, cells, line numbers.

use crate::oracle::snake_case;
use rustc_hash::FxHasher;
use smol_str::{SmolStr, SmolStrBuilder};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// A column of a raw table. The same ones come in report after report: what stands over them is in memory once,
/// and what tells them apart at once, beside each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// How the folded heading begins.
    start: u64,
    /// How its last line begins; 0 where it is empty.
    last_start: u64,
    /// Tells the folded heading and group from others.
    told: u64,
    heading: Rc<Heading>,
}

impl Deref for Column {
    type Target = Heading;

    fn deref(&self) -> &Heading {
        &self.heading
    }
}

/// What stands over a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heading {
    /// Heading as printed, joined over its lines, with the group heading before it.
    pub(crate) name: SmolStr,
    /// Group heading that spans several columns, empty where there is none.
    pub(crate) group: SmolStr,
    /// Heading without its group, folded for comparing.
    key: SmolStr,
    /// Group heading, folded.
    group_key: SmolStr,
    /// The last line of a heading of several lines, folded; empty where it has one line only.
    last_key: SmolStr,
    /// Characters that a cell holds at most, where dashes under the heading say so.
    width: Option<u16>,
    /// The heading as a key of rows kept as printed, where it was made before.
    printed: Option<Arc<str>>,
}

impl Column {
    pub(crate) fn new(group: &str, leaf: &str) -> Self {
        if group.is_empty() {
            let key = key_of(leaf);
            let (start, told) = (start_of(&key), told_by(&key, ""));
            let heading = Rc::new(Heading { key, name: leaf.into(), ..Heading::default() });
            return Self { start, last_start: 0, told, heading };
        }
        let name = if leaf.is_empty() {
            group.into()
        } else {
            let mut name = SmolStrBuilder::new();
            name.push_str(group);
            name.push(' ');
            name.push_str(leaf);
            name.finish()
        };
        let (key, group_key) = (key_of(leaf), key_of(group));
        let (start, told) = (start_of(&key), told_by(&key, &group_key));
        let group = group.into();
        let heading = Rc::new(Heading { key, group_key, group, name, ..Heading::default() });
        Self { start, last_start: 0, told, heading }
    }

    /// The same where it was made before: the same columns come in report after report.
    pub(crate) fn joined(group: &str, leaf: &str) -> Self {
        KNOWN.with_borrow_mut(|known| {
            if known.is_empty() {
                known.resize(PLACES, None);
            }
            let mut hasher = FxHasher::default();
            hasher.write(leaf.as_bytes());
            hasher.write(group.as_bytes());
            #[allow(clippy::cast_possible_truncation, reason = "one of the places")]
            let place = &mut known[hasher.finish() as usize % PLACES];
            if let Some(column) = place.as_ref().filter(|column| column.is_of(group, leaf)) {
                return column.clone();
            }
            let mut column = Self::new(group, leaf);
            column.prepare();
            if group.len() + leaf.len() <= LONGEST_KNOWN {
                *place = Some(column.clone());
            }
            column
        })
    }

    /// Is it headed so?
    fn is_of(&self, group: &str, leaf: &str) -> bool {
        let Heading { name, group: own, .. } = &*self.heading;
        // The name is both of them with a blank between, or the one that is not empty.
        own == group
            && name.ends_with(leaf)
            && match (group.len(), leaf.len()) {
                (0, length) | (length, 0) => name.len() == length,
                (before, behind) => name.len() == before + 1 + behind,
            }
    }

    /// The same with the last line of its heading: where an excerpt lost the blanks before the upper
    /// lines, those stand over the wrong columns.
    pub(crate) fn with_last_line(mut self, last: &str) -> Self {
        // What is the whole heading is found by it.
        if last.is_empty() || self.group.is_empty() && self.name == last {
            return self;
        }
        let own =
            self.name.len().saturating_sub(if self.group.is_empty() { 0 } else { self.group.len() + 1 });
        // Folding goes letter by letter: what a heading ends in folds to what its key ends in.
        let key = if last.is_ascii() && last.len() <= own && self.name.ends_with(last) {
            let folded = last.bytes().filter(|b| FOLDED[usize::from(*b)] != 0).count();
            self.key.get(self.key.len().saturating_sub(folded)..).map_or_else(|| key_of(last), SmolStr::new)
        } else {
            key_of(last)
        };
        self.last_start = start_of(&key);
        Rc::make_mut(&mut self.heading).last_key = key;
        self
    }

    /// The same under which cells hold so many characters.
    pub(crate) fn with_width(mut self, width: usize) -> Self {
        Rc::make_mut(&mut self.heading).width = u16::try_from(width).ok();
        self
    }

    /// Makes what is needed again and again where the column is used for many reports.
    pub(crate) fn prepare(&mut self) {
        let printed = snake_case(&self.name).into();
        Rc::make_mut(&mut self.heading).printed = Some(printed);
    }

    /// The heading as a key of rows kept as printed.
    pub(crate) fn printed_key(&self) -> Arc<str> {
        self.printed.clone().unwrap_or_else(|| snake_case(&self.name).into())
    }

    /// Folded heading without its group.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Folded group heading.
    pub(crate) fn group_key(&self) -> &str {
        &self.group_key
    }

    /// What tells the folded heading and group from others.
    pub(crate) fn told(&self) -> u64 {
        self.told
    }
}

/// The hash of a folded heading and group, 0 where there is neither.
fn told_by(key: &str, group: &str) -> u64 {
    if key.is_empty() && group.is_empty() {
        return 0;
    }
    let mut hasher = FxHasher::default();
    (key, group).hash(&mut hasher);
    hasher.finish()
}

/// The first eight bytes of a folded heading, the first lowest; of a shorter one all of them.
fn start_of(key: &str) -> u64 {
    let bytes = key.as_bytes();
    match bytes.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => bytes.iter().rev().fold(0, |all, b| all << 8 | u64::from(*b)),
    }
}

/// Places for headings that were met; a release prints some five hundred.
const PLACES: usize = 4_096;
/// Headings are shorter, in bytes.
const LONGEST_KNOWN: usize = 200;

thread_local! {
    /// Columns that were made before, each in the place that its heading and group have.
    static KNOWN: RefCell<Vec<Option<Column>>> = RefCell::default();
}

/// What an ASCII byte folds to; 0 where it is left out, as where a byte is none of ASCII.
const FOLDED: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0_u8;
    while b < 128 {
        if b.is_ascii_alphanumeric() || matches!(b, b'%' | b'<' | b'>' | b'=' | b'#' | b'/' | b'+') {
            table[b as usize] = b.to_ascii_lowercase();
        }
        b += 1;
    }
    table
};

/// Folds a heading or title for comparing: lower case, only letters, digits and `%<>=#/+`.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::new();
    fold_into(text, &mut out);
    out
}

/// The same behind what `out` already holds.
pub(crate) fn fold_into(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.reserve(text.len());
        for piece in text.as_bytes().chunks(64) {
            out.push_str(fold_piece(piece, &mut Folded([0; 64])));
        }
        return;
    }
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if matches!(c, '%' | '<' | '>' | '=' | '#' | '/' | '+') {
            out.push(c);
        }
    }
}

/// Memory for what is folded, where bytes are checked sixteen at a time.
#[repr(align(16))]
struct Folded([u8; 64]);

/// Folds up to 64 ASCII bytes.
fn fold_piece<'f>(piece: &[u8], Folded(folded): &'f mut Folded) -> &'f str {
    let mut length = 0;
    for b in piece {
        let to = FOLDED[usize::from(*b)];
        folded[length & 63] = to;
        length += usize::from(to != 0);
    }
    std::str::from_utf8(&folded[..length.min(64)]).unwrap_or("")
}

/// A folded heading: nearly all are short enough to need no memory of their own.
fn key_of(text: &str) -> SmolStr {
    if text.is_empty() {
        return SmolStr::default();
    }
    if text.len() <= 64 && text.is_ascii() {
        return SmolStr::new(fold_piece(text.as_bytes(), &mut Folded([0; 64])));
    }
    SmolStr::new(fold(text))
}

/// A cell, blank where somebody put a dash in the place of nothing.
#[inline]
pub(crate) fn without_dash(cell: Cow<'_, str>) -> Cow<'_, str> {
    if matches!(cell.as_bytes(), b"-" | b"\xE2\x80\x93" | b"\xE2\x80\x94" | b"\xE2\x88\x92") {
        return Cow::Borrowed("");
    }
    cell
}

/// Where a row's cells are, and its line.
#[derive(Clone, Copy, Debug)]
struct Row {
    from: u32,
    to: u32,
    line: u32,
}

/// A raw table. Cells are trimmed; a blank cell is the empty string.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid<'a> {
    /// Title of the section as printed.
    pub(crate) title: Cow<'a, str>,
    /// Heading above the title, where there is one.
    pub(crate) parent: Cow<'a, str>,
    /// Line of the title, or of the first row where there is none.
    pub(crate) line: u32,
    /// Columns.
    pub(crate) columns: Vec<Column>,
    /// Lines printed between title and table (`-> ...`, list items), and, in text, loose lines.
    pub(crate) remarks: Vec<(u32, Cow<'a, str>)>,
    /// Line of the first row that was left out since its cells could not be told apart, and how many.
    pub(crate) doubtful: Option<(u32, u32)>,
    /// Line of the first dots that stand for rows which somebody left out.
    pub(crate) left_out: Option<u32>,
    /// Words that stand behind the last number of rows, with their line.
    pub(crate) behind: Vec<(u32, &'a str)>,
    cells: Vec<Cow<'a, str>>,
    rows: Vec<Row>,
    /// Column of the instance in a RAC report, once asked for.
    instance: OnceCell<Option<usize>>,
}

impl<'a> Grid<'a> {
    /// An empty one with room for so many rows and cells.
    pub(crate) fn with_room(rows: usize, cells: usize) -> Self {
        Self { cells: Vec::with_capacity(cells), rows: Vec::with_capacity(rows), ..Self::default() }
    }

    /// Where the row being built begins.
    fn open(&self) -> usize {
        self.rows.last().map_or(0, |row| row.to as usize)
    }

    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.title = Cow::Borrowed("");
        self.parent = Cow::Borrowed("");
        self.line = 0;
        self.clear_columns();
        self.remarks.clear();
        self.doubtful = None;
        self.left_out = None;
        self.behind.clear();
        self.clear_rows();
    }

    /// Forgets the columns, and what was found by them.
    pub(crate) fn clear_columns(&mut self) {
        self.columns.clear();
        self.instance.take();
    }

    /// Forgets the rows.
    pub(crate) fn clear_rows(&mut self) {
        self.cells.clear();
        self.rows.clear();
    }

    /// Adds a cell to the row being built.
    #[inline]
    pub(crate) fn push_cell(&mut self, cell: Cow<'a, str>) {
        self.cells.push(without_dash(cell));
    }

    /// Adds cells to the row being built.
    #[inline]
    pub(crate) fn push_cells(&mut self, cells: impl Iterator<Item = Cow<'a, str>>) {
        self.cells.extend(cells.map(without_dash));
    }

    /// The same of cells that are all of ASCII, where nothing but a dash stands for nothing.
    #[inline]
    pub(crate) fn push_plain_cells(&mut self, cells: impl Iterator<Item = &'a str>) {
        self.cells.extend(cells.map(|cell| Cow::Borrowed(if cell == "-" { "" } else { cell })));
    }

    /// Moves the cells of the row being built.
    pub(crate) fn take_open(&mut self, to: &mut Vec<Cow<'a, str>>) {
        let start = self.open();
        to.extend(self.cells.drain(start..));
    }

    /// Cells of the row being built.
    pub(crate) fn open_cells(&self) -> &[Cow<'a, str>] {
        &self.cells[self.open()..]
    }

    /// Puts another cell in the place of the last one of the row being built.
    pub(crate) fn replace_open_last(&mut self, cell: Cow<'a, str>) {
        if self.cells.len() > self.open()
            && let Some(last) = self.cells.last_mut()
        {
            *last = cell;
        }
    }

    /// Ends the row being built.
    #[inline]
    pub(crate) fn end_row(&mut self, line: u32) {
        let from = self.rows.last().map_or(0, |row| row.to);
        self.rows.push(Row { from, to: u32::try_from(self.cells.len()).unwrap_or(u32::MAX), line });
    }

    /// Drops the cells of the row being built.
    pub(crate) fn abandon_row(&mut self) {
        self.cells.truncate(self.open());
    }

    /// Drops rows that have ended, in ascending order; no row must be open.
    pub(crate) fn drop_rows(&mut self, dropped: &[usize]) {
        let (mut at, mut dropped) = (0, dropped.iter().peekable());
        self.rows.retain(|_| {
            let drop = dropped.next_if(|d| **d == at).is_some();
            at += 1;
            !drop
        });
    }

    /// Drops columns with their cells; no row must be open.
    pub(crate) fn drop_columns(&mut self, dropped: &[bool]) {
        let mut cells = std::mem::take(&mut self.cells).into_iter();
        let (mut at, mut kept) = (0, Vec::with_capacity(cells.len()));
        for row in &mut self.rows {
            // Rows that were dropped may lie between.
            let own =
                cells.by_ref().skip(row.from.saturating_sub(at) as usize).take((row.to - row.from) as usize);
            at = row.to;
            row.from = u32::try_from(kept.len()).unwrap_or(u32::MAX);
            let keeps = |column: &usize| !dropped.get(*column).copied().unwrap_or(false);
            kept.extend((0..).zip(own).filter(|(column, _)| keeps(column)).map(|(_, cell)| cell));
            row.to = u32::try_from(kept.len()).unwrap_or(u32::MAX);
        }
        self.cells = kept;
        let mut drop = dropped.iter();
        self.columns.retain(|_| !drop.next().copied().unwrap_or(false));
        self.instance.take();
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Cells of a row; none where there is no such row.
    pub(crate) fn row(&self, row: usize) -> &[Cow<'a, str>] {
        self.rows.get(row).map_or(&[], |row| &self.cells[row.from as usize..row.to as usize])
    }

    /// The first cell of each row.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| {
            let first = self.cells.get(row.from as usize).filter(|_| row.from < row.to);
            first.map_or("", |cell| cell.as_ref())
        })
    }

    /// Cells of a row, to be changed.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [Cow<'a, str>] {
        let Row { from, to, .. } = self.rows[row];
        &mut self.cells[from as usize..to as usize]
    }

    /// Line of a row.
    pub(crate) fn row_line(&self, row: usize) -> u32 {
        self.rows[row].line
    }

    /// Cell under a column that was found, `None` where the column lacks or the cell is blank.
    pub(crate) fn cell(&self, row: usize, column: Option<usize>) -> Option<&str> {
        self.cell_at(row, column?)
    }

    /// Is a cell as long as its column, so that what followed may have been cut off? A name that goes on
    /// in the next line is longer.
    pub(crate) fn fills(&self, row: usize, column: Option<usize>) -> bool {
        let width = column.and_then(|c| self.columns.get(c)?.width);
        let length = self.cell(row, column).map(|cell| cell.chars().count());
        width.is_some() && length == width.map(usize::from)
    }

    /// First column whose folded heading (without group) is one of these, in order of the names.
    pub(crate) fn column(&self, keys: &[&str]) -> Option<usize> {
        let exact = keys.iter().find_map(|key| {
            let start = start_of(key);
            self.columns.iter().position(|c| c.start == start && c.key == *key)
        });
        // Headings of one line have no last one of their own.
        if exact.is_some() || self.columns.iter().all(|c| c.last_start == 0) {
            return exact;
        }
        keys.iter().filter(|k| !k.is_empty()).find_map(|k| {
            let start = start_of(k);
            let is_it = |(_, c): &(usize, &Column)| c.last_start == start && c.last_key == *k;
            let mut found = self.columns.iter().enumerate().filter(is_it);
            let first = found.next()?;
            found.next().is_none().then_some(first.0)
        })
    }

    /// RAC: the column that holds the instance of each row.
    pub(crate) fn instance_column(&self) -> Option<usize> {
        // Few tables have a column that is numbered so.
        let numbered = |c: &Column| c.key.ends_with('#') || c.last_key.ends_with('#');
        let find = || {
            if self.columns.iter().any(numbered) { self.column(&["i#", "inst#", "instance#"]) } else { None }
        };
        let column = *self.instance.get_or_init(find);
        debug_assert_eq!(column, find(), "columns changed after they were read");
        column
    }

    /// First column whose folded group and heading are these.
    pub(crate) fn column_in(&self, group: &str, keys: &[&str]) -> Option<usize> {
        keys.iter().find_map(|k| self.columns.iter().position(|c| c.key == *k && c.group_key.contains(group)))
    }

    /// First column whose folded heading starts with one of these.
    pub(crate) fn column_starting(&self, prefixes: &[&str]) -> Option<usize> {
        prefixes.iter().find_map(|p| self.columns.iter().position(|c| c.key.starts_with(p)))
    }

    /// A column, unless its heading ends in another unit than those (in small letters): `Total Wait Time (ms)` holds no
    /// seconds, whatever else it says.
    pub(crate) fn column_of_unit(&self, column: Option<usize>, units: &[&str]) -> Option<usize> {
        const KNOWN: &[&str] = &[
            "s",
            "sec",
            "secs",
            "seconds",
            "ms",
            "us",
            "ns",
            "cs",
            "min",
            "b",
            "bytes",
            "k",
            "kb",
            "m",
            "mb",
            "g",
            "gb",
            "t",
            "tb",
            "thousands",
            "millions",
            "billions",
        ];
        column.filter(|at| {
            let name = self.columns[*at].name.trim_ascii_end();
            let Some((_, unit)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) else {
                return true;
            };
            let unit = unit.trim_ascii().to_ascii_lowercase();
            !KNOWN.contains(&unit.as_str()) || units.contains(&unit.as_str())
        })
    }

    /// How the headings begin: tells of most others that no column has them.
    pub(crate) fn beginnings(&self) -> Beginnings {
        let mut all = Beginnings([0; 4]);
        for start in self.columns.iter().flat_map(|c| [c.start, c.last_start]) {
            let (word, bit) = Beginnings::place(start);
            all.0[word] |= bit;
        }
        all
    }

    /// The same as [`Self::column`], where many columns are looked for that most tables lack.
    pub(crate) fn column_among(&self, beginnings: &Beginnings, keys: &[&str]) -> Option<usize> {
        let may_be = |key: &&str| {
            let (word, bit) = Beginnings::place(start_of(key));
            beginnings.0[word] & bit != 0
        };
        if keys.iter().any(may_be) { self.column(keys) } else { None }
    }

    /// The same as [`Self::cell`] of a column that there is: a report holds thousands of them.
    #[inline(always)]
    pub(crate) fn cell_at(&self, row: usize, column: usize) -> Option<&str> {
        let row = self.rows.get(row)?;
        let at = (row.from as usize).checked_add(column).filter(|at| *at < row.to as usize)?;
        let text = self.cells.get(at)?.as_ref();
        (!text.is_empty()).then_some(text)
    }

    /// Does a text stand under a column twice, or more often?
    pub(crate) fn stands_twice(&self, column: usize, text: &str) -> bool {
        // Names clipped at one width are told apart by how they end.
        let end = text.as_bytes().last();
        let mut before = false;
        for row in &self.rows {
            let at = row.from as usize + column;
            if at < row.to as usize
                && let Some(cell) = self.cells.get(at)
                && cell.len() == text.len()
                && cell.as_bytes().last() == end
                && *cell == text
            {
                if before {
                    return true;
                }
                before = true;
            }
        }
        false
    }
}

/// A bit for each beginning of a heading: those of some headings are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginnings([u64; 4]);

impl Beginnings {
    #[allow(clippy::cast_possible_truncation, reason = "eight bits of it")]
    fn place(start: u64) -> (usize, u64) {
        let hash = start.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
        (hash as usize >> 6, 1 << (hash & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn text_and_html_headings_fold_alike() {
        assert_eq!(fold("%Time -outs"), fold("%Timeouts"));
        assert_eq!(fold("Total Wait Time (s)"), "totalwaittimes");
        assert_eq!(fold(" <8us"), "<8us");
        assert_eq!(fold("Invali- dations"), "invalidations");
    }
}
