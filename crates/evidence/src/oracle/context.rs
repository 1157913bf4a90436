//! What a section reader is handed: typed access to cells, the report to fill, and a place for
//! doubts.

use super::decimal_marks;
use super::sections::wait_histogram::Partials;
use crate::Kept;
use crate::cell::{
    Cell, Habits, Printed, Unit, begins_a_word, looks_numeric, plain_count, plain_number, read, read_other,
    trimmed,
};
use crate::grid::{Column, Grid};
use rustc_hash::FxHashMap;
use spindle_facts::{Keys, Kind, Layout, Note, Report, SectionId, SmolStr, Tables, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// What sections leave for the end of the report.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Where the text of a statement (SQL identifier, old hash) stands.
    pub(crate) sql_texts: FxHashMap<(Option<SmolStr>, Option<u64>), usize>,
    pub(crate) histograms: Partials,
    /// Was an event met whose name may be the beginning of several longer ones?
    pub(crate) clipped: bool,
    /// Do durations have hours and minutes that are rounded, and not cut?
    pub(crate) rounds_clock: bool,
    /// Was the text a page once?
    pub(crate) of_page: bool,
    /// Cells in which a point parts thousands, in a report whose decimals it parts, too.
    pub(crate) thousand_points: u32,
    /// Lines of the load profile of which one of the first two rates is an empty cell, where most have both, or the
    /// other way round.
    pub(crate) empty_rates: Vec<u32>,
}

/// One section being read.
pub(crate) struct Context<'r> {
    pub(crate) report: &'r mut Report,
    pub(crate) scratch: &'r mut Scratch,
    pub(crate) section: SectionId,
    /// Title of the section, folded.
    pub(crate) title: &'r str,
    pub(crate) habits: Habits,
    /// Which rows are kept.
    pub(crate) kept: Kept,
    /// Cells that hold `####`, with the line of the first.
    overprinted: (u32, u32),
    /// Cells that hold more than a number where one was looked for, with the line of the first and what it holds.
    strange: Option<(u32, u32, String)>,
    /// Cells that are numbers only if the other of point and comma parts decimals.
    contrary: u32,
    /// Is the table kept as printed, too, for what no row of it says?
    as_printed: bool,
}

impl<'r> Context<'r> {
    pub(crate) fn new(
        report: &'r mut Report,
        scratch: &'r mut Scratch,
        (section, title): (SectionId, &'r str),
        habits: Habits,
    ) -> Self {
        Self {
            report,
            scratch,
            section,
            title,
            habits,
            kept: Kept::All,
            overprinted: (0, 0),
            strange: None,
            contrary: 0,
            as_printed: false,
        }
    }

    /// Keeps the table as printed, beside what its reader takes of it: it says more than that.
    pub(crate) fn keep_as_printed(&mut self) {
        self.as_printed = true;
    }

    /// Is it to be kept so?
    pub(crate) fn is_kept_as_printed(&self) -> bool {
        self.as_printed
    }

    pub(crate) fn tables(&mut self) -> &mut Tables {
        &mut self.report.tables
    }

    pub(crate) fn kind(&self) -> Kind {
        self.report.identity.kind
    }

    pub(crate) fn is_html(&self) -> bool {
        self.report.identity.layout == Layout::Html
    }

    /// Release, `(0, 0)` where unknown.
    pub(crate) fn release(&self) -> (u32, u32) {
        self.report.identity.release().unwrap_or((0, 0))
    }

    /// A cell as a number with bounds; `####` is counted and `None`.
    #[inline]
    pub(crate) fn number(
        &mut self,
        grid: &Grid<'_>,
        row: usize,
        column: Option<usize>,
        unit: Unit,
    ) -> Option<Printed> {
        // Of the columns that releases print, most reports lack some.
        self.number_in(grid, row, column?, unit)
    }

    fn number_in(&mut self, grid: &Grid<'_>, row: usize, column: usize, unit: Unit) -> Option<Printed> {
        let text = grid.cell_at(row, column)?;
        let plain = plain_number(text, unit, self.habits);
        if plain.is_some() { plain } else { self.other_number(text, grid, row, (column, unit)) }
    }

    #[inline(never)]
    fn other_number(
        &mut self,
        text: &str,
        grid: &Grid<'_>,
        row: usize,
        (column, unit): (usize, Unit),
    ) -> Option<Printed> {
        let cell = read_other(text, unit, self.habits);
        if cell == Cell::Other {
            return self.share(text, grid, row, column);
        }
        self.known(cell, grid, row)
    }

    /// A number that somebody wrote with its percent sign, as no release does, where the heading says the same.
    #[inline(never)]
    fn share(&mut self, text: &str, grid: &Grid<'_>, row: usize, column: usize) -> Option<Printed> {
        let heading = grid.columns.get(column)?.key();
        if (heading.contains('%') || heading.contains("pct"))
            && let Some(number) = text.trim_end().strip_suffix('%')
            && let Cell::Number(printed) = read_other(number, Unit::Count, self.habits)
        {
            return Some(printed);
        }
        self.contrary += u32::from(is_contrary(text, Unit::Count, self.habits));
        self.see_thousands(text);
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let (cells, ..) = self.strange.get_or_insert_with(|| (0, grid.row_line(row), text.to_owned()));
            *cells += 1;
        }
        None
    }

    /// Takes note of a cell that is no number, unless points part its thousands: `1.234.567`.
    #[cold]
    fn see_thousands(&mut self, text: &str) {
        let parted = !self.habits.decimal_comma && decimal_marks::are_thousands_of_points(text);
        self.scratch.thousand_points += u32::from(parted);
    }

    /// The number in a cell; counts those that hold `####`.
    #[inline]
    fn known(&mut self, cell: Cell, grid: &Grid<'_>, row: usize) -> Option<Printed> {
        match cell {
            Cell::Number(printed) => Some(printed),
            Cell::Overprinted => {
                if self.overprinted.0 == 0 {
                    self.overprinted.1 = grid.row_line(row);
                }
                self.overprinted.0 += 1;
                None
            }
            Cell::Blank | Cell::Other => None,
        }
    }

    /// A count, factor or percentage.
    #[inline]
    pub(crate) fn count(&mut self, grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<f64> {
        let column = column?;
        // Most are cut clean, and need no bounds.
        let plain = count_at(grid, row, column, self.habits);
        if plain.is_some() { plain } else { self.other_count(grid, row, column) }
    }

    /// A share in percent, unknown where it is ten times all: such a cell stands under the heading of another. Of little
    /// DB time waits may be more, which are printed as `1.2E+03`.
    pub(crate) fn share_of_all(&mut self, grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<f64> {
        let share = self.count(grid, row, column)?;
        let text = grid.cell(row, column).unwrap_or("");
        if share <= 1_000.0 || text.contains('E') {
            return Some(share);
        }
        self.strange.get_or_insert_with(|| (0, grid.row_line(row), text.to_owned())).0 += 1;
        None
    }

    #[inline(never)]
    fn other_count(&mut self, grid: &Grid<'_>, row: usize, column: usize) -> Option<f64> {
        let text = grid.cell_at(row, column)?;
        let cell = read_other(text, Unit::Count, self.habits);
        if cell == Cell::Other {
            return self.share(text, grid, row, column).map(|p| p.value);
        }
        self.known(cell, grid, row).map(|p| p.value)
    }

    /// A duration in microseconds; `default` is the unit of a number without suffix.
    pub(crate) fn micros(
        &mut self,
        grid: &Grid<'_>,
        row: usize,
        column: Option<usize>,
        default: f64,
    ) -> Option<f64> {
        self.number(grid, row, column, Unit::Microseconds(default)).map(|p| p.value)
    }

    /// Bytes; `default` is the unit of a number without suffix.
    pub(crate) fn bytes(
        &mut self,
        grid: &Grid<'_>,
        row: usize,
        column: Option<usize>,
        default: f64,
    ) -> Option<f64> {
        self.number(grid, row, column, Unit::Bytes(default)).map(|p| p.value)
    }

    /// An identifier or hash.
    #[allow(clippy::unused_self, reason = "reads like its neighbours")]
    pub(crate) fn id(&self, grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<u64> {
        let text = grid.cell(row, column)?;
        // Hardly any has marks between its thousands.
        text.parse().or_else(|_| text.replace(',', "").parse()).ok()
    }

    /// A word or name.
    #[allow(clippy::unused_self, reason = "reads like its neighbours")]
    pub(crate) fn text(&self, grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<String> {
        grid.cell(row, column).filter(|text| !is_nothing(text)).map(str::to_owned)
    }

    /// The same where many rows hold short ones.
    #[allow(clippy::unused_self, reason = "reads like its neighbours")]
    pub(crate) fn name(&self, grid: &Grid<'_>, row: usize, column: Option<usize>) -> Option<SmolStr> {
        grid.cell(row, column).filter(|text| !is_nothing(text)).map(SmolStr::new)
    }

    /// RAC: the instance of a row, `None` where there is no such column, or it holds `*`, `Sum`.
    #[inline]
    pub(crate) fn instance(&self, grid: &Grid<'_>, row: usize) -> Option<u32> {
        instance(grid, row)
    }

    /// Says of columns that hold numbers and that nothing was taken of, since no known release heads a column so,
    /// that they are left out. `known` tells headings of releases whose figures are in no table.
    pub(crate) fn tell_strange_columns(
        &mut self,
        grid: &Grid<'_>,
        taken: &[Option<usize>],
        known: impl Fn(&str) -> bool,
    ) {
        let instance = grid.instance_column();
        let strange = |(at, column): &(usize, &Column)| {
            !taken.contains(&Some(*at))
                && instance != Some(*at)
                && !column.key().is_empty()
                && !known(column.key())
                && (0..grid.len()).any(|row| grid.cell(row, Some(*at)).is_some_and(looks_numeric))
        };
        let names: Vec<String> = (grid.columns.iter().enumerate().filter(strange))
            .map(|(_, column)| format!("`{}`", column.name.trim()))
            .collect();
        if names.is_empty() || grid.is_empty() {
            return;
        }
        let message = match names.as_slice() {
            [one] => format!("the column {one} stands in this section in no known release"),
            all => format!("the columns {} stand in this section in no known release", all.join(", ")),
        };
        self.note(Some(grid.row_line(0)), message, "what they say is left out of every answer");
    }

    /// A column, unless its heading ends in another unit than these: no release prints it so, and it is left out.
    pub(crate) fn of_unit(
        &mut self,
        grid: &Grid<'_>,
        column: Option<usize>,
        units: &[&str],
    ) -> Option<usize> {
        // Centiseconds are Statspack's, until 8i.
        let centi = |at: &usize| grid.columns[*at].name.trim_end().ends_with("(cs)");
        let of_awr = self.kind() == Kind::Awr;
        let found = grid.column_of_unit(column, units).filter(|at| !(of_awr && centi(at)));
        if let Some(other) = column.filter(|_| found.is_none() && !grid.is_empty()) {
            let name = grid.columns[other].name.trim();
            let message = format!("the column `{name}` is printed in this unit by no known release");
            self.note(Some(grid.row_line(0)), message, "what it says is left out of every answer");
        }
        found
    }

    /// Cells so far that held something else where a number should stand.
    pub(crate) fn strange_cells(&self) -> u32 {
        self.strange.as_ref().map_or(0, |(cells, ..)| *cells)
    }

    /// Adds a doubt about this section.
    pub(crate) fn note(&mut self, line: Option<u32>, message: String, effect: &str) {
        let section = Some(self.report.section_title(self.section).to_owned());
        self.report.notes.push(Note { line, section, message, effect: effect.to_owned() });
    }

    /// Counts rows of this section that are printed and could not be read.
    pub(crate) fn lose(&mut self, rows: usize) {
        if let Some(section) = self.report.sections.get_mut(usize::from(self.section)) {
            section.lost = section.lost.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX));
        }
    }

    /// Adds the cells of a row as printed, read as their keys say, behind a first cell where one is given.
    pub(crate) fn printed_cells(
        &mut self,
        grid: &Grid<'_>,
        row: usize,
        keys: &[Key],
        first: Option<&SmolStr>,
        kept: &mut Vec<Value>,
    ) {
        kept.extend(first.map(|text| Value::Text(text.clone())));
        let cells = keys.iter().zip(grid.row(row));
        kept.extend(cells.map(
            |(key, cell)| {
                if cell.is_empty() { Value::Null } else { self.value(cell, key, grid, row) }
            },
        ));
    }

    /// The rows that are not blank, of which so many cells stand under a key: counted as where they are kept.
    pub(crate) fn count_rows(&mut self, grid: &Grid<'_>, keys: usize) -> u32 {
        let mut rows = 0;
        for row in 0..grid.len() {
            let cells = grid.row(row);
            if cells.iter().all(|cell| trimmed(cell).is_empty()) {
                continue;
            }
            rows += 1;
            let overprinted = |cell: &str| {
                let cell = cell.trim_ascii();
                !cell.is_empty() && cell.bytes().all(|b| b == b'#')
            };
            // Hardly any cell begins so.
            let odd = |cell: &&Cow<'_, str>| cell.bytes().next().is_some_and(|b| b == b'#' || b <= b' ');
            for _ in cells.iter().take(keys).filter(odd).filter(|cell| overprinted(cell)) {
                self.overprinted(grid, row);
            }
        }
        rows
    }

    /// Takes note of a cell that holds `####`.
    fn overprinted(&mut self, grid: &Grid<'_>, row: usize) {
        self.overprinted.0 += 1;
        if self.overprinted.0 == 1 {
            self.overprinted.1 = grid.row_line(row);
        }
    }

    /// One cell as printed: a number in the unit that its key names, else its text.
    fn value(&mut self, text: &str, key: &Key, grid: &Grid<'_>, row: usize) -> Value {
        if begins_a_word(text) || key.names {
            return Value::Text(text.into());
        }
        let cell = match key.unit {
            Unit::Count => match plain_count(text, self.habits) {
                Some(count) => return Value::Number(count),
                None => read_other(text, key.unit, self.habits),
            },
            unit => read(text, unit, self.habits),
        };
        match cell {
            Cell::Number(printed) => Value::Number(printed.value * key.scale),
            Cell::Blank => Value::Null,
            Cell::Overprinted => {
                self.overprinted(grid, row);
                Value::Null
            }
            // Those of two columns, or one with blanks among its digits: which, nothing tells.
            Cell::Other if holds_several_numbers(text) => {
                let (line, text) = (grid.row_line(row), text.trim_ascii());
                self.strange.get_or_insert_with(|| (0, line, text.into())).0 += 1;
                Value::Null
            }
            Cell::Other => {
                self.contrary += u32::from(is_contrary(text, key.unit, self.habits));
                self.see_thousands(text);
                Value::Text(text.into())
            }
        }
    }

    /// Ends the section: says how many cells were overprinted. How many were numbers only if the other of point and
    /// comma parts decimals?
    pub(crate) fn end(mut self) -> u32 {
        let (cells, line) = self.overprinted;
        if cells > 0 {
            let plural = if cells == 1 { "cell holds" } else { "cells hold" };
            self.note(
                Some(line),
                format!("{cells} {plural} `####` (number wider than its column)"),
                "taken as unknown, not as 0; derived from another column where the report prints one",
            );
        }
        if let Some((cells, line, first)) = self.strange.take() {
            let cells = if cells == 1 { "1 cell holds".to_owned() } else { format!("{cells} cells hold") };
            let message = format!("{cells} something else where a number should stand: `{first}`");
            self.note(Some(line), message, "taken as unknown");
        }
        self.contrary
    }
}

/// The instance of a row.
#[inline]
pub(crate) fn instance(grid: &Grid<'_>, row: usize) -> Option<u32> {
    let column = grid.instance_column()?;
    grid.cell_at(row, column)?.parse().ok()
}

/// A cell that is a plain number; `None` says nothing. It calls nothing, as this would cost all others more.
#[inline(never)]
fn count_at(grid: &Grid<'_>, row: usize, column: usize, habits: Habits) -> Option<f64> {
    plain_count(grid.cell_at(row, column)?, habits)
}

/// A key of rows kept as printed, with how cells under it are read.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: Arc<str>,
    unit: Unit,
    /// Brings what is read to the key's unit.
    scale: f64,
    /// Do its cells hold names, even where they look like numbers: `16k` is the pool for blocks of that size?
    names: bool,
}

impl Key {
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let (unit, scale) = unit_of_key(&text);
        let names = matches!(text.as_ref(), "p" | "pool") || is_identifier(&text);
        Self { text, unit, scale, names }
    }
}

/// Does a cell say only that what it held did not fit, or, in tables of data frames, that it is blank?
fn is_nothing(text: &str) -> bool {
    match text.as_bytes() {
        [b'#', rest @ ..] => rest.iter().all(|b| *b == b'#'),
        text => text == b"NaN",
    }
}

/// Is a cell that is no number one if the other of point and comma parts decimals?
fn is_contrary(text: &str, unit: Unit, habits: Habits) -> bool {
    let other = Habits { decimal_comma: !habits.decimal_comma, ..habits };
    matches!(read_other(text, unit, other), Cell::Number(_))
}

/// Do cells under a key name a session or an address: `23,184` is session 23, and no number?
pub(crate) fn is_identifier(key: &str) -> bool {
    let key = key.strip_prefix("blocking_").unwrap_or(key);
    key.starts_with("sid_") || key == "sid" || key.ends_with("ip_address") || key.ends_with("ip_mask")
}

/// How a cell under a key is read, and the factor that brings it to the key's unit.
fn unit_of_key(key: &str) -> (Unit, f64) {
    const MIB: f64 = 1_048_576.0;
    match key.as_bytes() {
        [.., b'_', b'u', b's'] => (Unit::Microseconds(1.0), 1.0),
        [.., b'_', b'm', b's'] => (Unit::Microseconds(1_000.0), 0.001),
        [.., b'_', b'm', b'b'] => (Unit::Bytes(MIB), 1.0 / MIB),
        [.., b'_', b'k', b'b'] => (Unit::Bytes(1_024.0), 1.0 / 1_024.0),
        [.., b'_', b'b', b'y', b't', b'e', b's'] => (Unit::Bytes(1.0), 1.0),
        // The bounds of the PGA histogram: `2K` to `4K` are sizes of work areas.
        b"low_optimal" | b"high_optimal" => (Unit::Bytes(1.0), 1.0),
        _ => (Unit::Count, 1.0),
    }
}

/// The keys that the rows of a table share, behind that of a first cell where there is one.
pub(crate) fn shared_keys(keys: &[Key], first: Option<&str>) -> Keys {
    first.map(Arc::from).into_iter().chain(keys.iter().map(|k| k.text.clone())).collect()
}

/// Keys for rows kept as printed: `Avg Wait Time(ms)` is `avg_wait_time_ms`.
pub(crate) fn printed_keys(grid: &Grid<'_>) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::with_capacity(grid.columns.len());
    for (index, column) in grid.columns.iter().enumerate() {
        let mut key = column.printed_key();
        if key.is_empty() {
            key = if index == 0 { "name".into() } else { format!("column_{}", index + 1).into() };
        }
        if keys.iter().any(|k| k.text == key) {
            key = format!("{key}_{}", index + 1).into();
        }
        keys.push(Key::new(key));
    }
    keys
}

/// A heading as a key.
pub(crate) fn snake_case(heading: &str) -> String {
    // `W/A` is work area, `(M)` is MB, `Bound(K)` is KB.
    let short = |three: &[u8]| matches!(three, b"W/A" | b"(M)" | b"(K)");
    let may_be = memchr::memchr2(b'/', b'(', heading.as_bytes()).is_some();
    let heading = if may_be && heading.as_bytes().windows(3).any(short) {
        heading.replace("W/A", "W_A").replace("(M)", "(MB)").replace("Bound(K)", "Bound(KB)").into()
    } else {
        Cow::Borrowed(heading)
    };
    let mut key = String::with_capacity(heading.len() + 4);
    let mut gap = false;
    let mut rest = heading.as_ref();
    while let Some(c) = rest.chars().next() {
        // Letters and digits up to the next mark, at once.
        let letters = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if letters > 0 || c.is_alphanumeric() {
            if gap && !key.is_empty() {
                key.push('_');
            }
            gap = false;
        }
        if letters > 0 {
            let from = key.len();
            let (word, behind) = rest.split_at(letters);
            key.push_str(word);
            key[from..].make_ascii_lowercase();
            rest = behind;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let word = match c {
            '%' => "pct",
            '#' => "number",
            '/' => "per",
            '<' => "under",
            '>' => "over",
            '+' => "plus",
            _ if c.is_alphanumeric() => {
                key.extend(c.to_lowercase());
                continue;
            }
            _ => {
                gap = true;
                continue;
            }
        };
        if !key.is_empty() && !key.ends_with('_') {
            key.push('_');
        }
        key.push_str(word);
        gap = true;
    }
    key
}

/// Does a cell hold nothing but numbers, two at least?
#[cold]
fn holds_several_numbers(cell: &str) -> bool {
    let mut words = cell.split_ascii_whitespace();
    words.clone().nth(1).is_some() && words.all(looks_numeric)
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn headings_become_keys_with_units() {
        assert_eq!(snake_case("Avg Wait Time(ms)"), "avg_wait_time_ms");
        assert_eq!(snake_case("% of Total"), "pct_of_total");
        assert_eq!(snake_case("Reads/s"), "reads_per_s");
        assert_eq!(snake_case("W/A PGA Used(M)"), "w_a_pga_used_mb");
    }
}
