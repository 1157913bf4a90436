//! Text tables to raw tables: columns are where the dashes under the headings are.
//!
//! Blank cells are common, so a row is never split at its blanks; it is cut where the ruler says.
//! Three devices are known beside the plain table: a second ruler for a second line a row (File IO,
//! segments of 12.2), a name on a line of its own above its numbers (function by file type), and
//! rows with free text below them (statements). Rows that do not fit the ruler, as in excerpts that
//! lost their blanks, are put right where the cells leave no doubt, and reported where they do.

use super::blanks::{self, Bits, filled};
use super::known_tables::{BY_RULER, KnownTable, TABLES};
use super::text_sections::{Line, TextSection};
use super::wrapped_text::{self, Wrap};
use super::{mend, most_common, moved_rows, statement_text};
use crate::cell::{looks_numeric, trimmed};
use crate::grid::{Column, Grid};
use crate::names;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Columns from and to, in characters.
type Runs = Vec<(usize, usize)>;

/// How the rows of a section are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// A table under a ruler.
    Plain,
    /// Rows with module and text lines below them.
    Statements,
    /// A table in which a row without a name is a further value, never a wrapped one.
    Lists,
}

/// Memory that one section leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct Store<'a> {
    grid: Grid<'a>,
    loose: Vec<Line<'a>>,
    header: Vec<Line<'a>>,
    remarks: Vec<(u32, Cow<'a, str>)>,
    headings: Headings,
    placed: Vec<Placed<'a>>,
    below: Vec<Below<'a>>,
    spare: Spare,
}

/// A cell on a line of its own below its row: line of the row, and the cell.
type Below<'a> = (u32, &'a str);

/// Memory of the ruler before.
#[derive(Debug, Default)]
struct Spare {
    runs: Runs,
    bits: Vec<(blanks::Cell, usize, u64)>,
}

/// Headings while they are put together: of columns, and of groups.
#[derive(Debug, Default)]
struct Headings {
    leaf: Vec<String>,
    group: Vec<String>,
    key: Vec<u8>,
}

/// A line of a row, cut where the ruler says.
#[derive(Clone, Copy, Debug)]
struct Placed<'a> {
    row: usize,
    text: &'a str,
    /// Cells of the row before those of the line.
    before: usize,
}

/// Calls `sink` with every table of a section, and last with what stood loose, if anything did.
pub(crate) fn tables<'a>(
    section: &TextSection<'_, 'a>,
    rows: Rows,
    store: &mut Store<'a>,
    mut sink: impl FnMut(&mut Grid<'a>),
) {
    let Store { grid, loose, header, remarks, headings, placed, below, spare } = store;
    grid.clear();
    let mut reader = Reader {
        section,
        rows,
        grid,
        loose,
        headings,
        placed,
        set_in: false,
        below,
        last_line: None,
        spare,
        titled_again: false,
        omitted: false,
        closed: false,
        ended: false,
        kept_loose: None,
        cut_at: usize::MAX,
        several: false,
        headless: false,
        rest: Vec::new(),
        squeezed: false,
        gapless: has_no_blank_lines(section.lines),
    };
    remarks.clear();
    reader.run(header, remarks, &mut sink);
    if !loose.is_empty() {
        grid.clear();
        grid.title.clone_from(&section.title);
        grid.line = section.line;
        grid.remarks.extend(loose.drain(..).map(|l| (l.number, Cow::Borrowed(l.text))));
        sink(grid);
    }
}

impl Store<'_> {
    /// With room for the tables in so many lines.
    pub(crate) fn for_lines(lines: usize) -> Self {
        let rows = lines.min(MOST_ROOM) / 4;
        Self { grid: Grid::with_room(rows, 8 * rows), placed: Vec::with_capacity(rows), ..Self::default() }
    }
}

/// Dashes of the rule that ends a table, the second from 11.2.0.4 on.
const END_RULES: [usize; 2] = [61, 54];

/// Does a row of the same list stand below a line, before anything that ends one?
fn statements_follow(lines: &[Line<'_>], at: usize) -> bool {
    let below = lines.get(at + 1..).unwrap_or_default();
    let list = below.iter().take_while(|line| !line.marks.is_end() && !line.marks.is_ruler());
    let mut gap = false;
    list.into_iter()
        .any(|line| std::mem::replace(&mut gap, line.is_blank()) && statement_text::begins(line.text))
}

/// How Statspack prints the texts of statements.
const STATSPACK_PIECES: Wrap = Wrap::Every(wrapped_text::STATSPACK);

/// Lines from which on a report's longest table takes no more room at once.
const MOST_ROOM: usize = 2_000;

struct Reader<'s, 'a> {
    section: &'s TextSection<'s, 'a>,
    rows: Rows,
    grid: &'s mut Grid<'a>,
    loose: &'s mut Vec<Line<'a>>,
    headings: &'s mut Headings,
    placed: &'s mut Vec<Placed<'a>>,
    /// May some of them begin elsewhere than their ruler does?
    set_in: bool,
    /// Cells of the last line of their rows.
    below: &'s mut Vec<Below<'a>>,
    /// Where such a line stands, and its heading, where it has a ruler of its own.
    last_line: Option<((usize, usize), Column)>,
    spare: &'s mut Spare,
    /// Did the title stand again below the last table?
    titled_again: bool,
    /// Were lines left out since the title: then the next headings may be of another section.
    omitted: bool,
    /// Has the code ended that the section stands in; and what stood loose in it?
    closed: bool,
    /// Has the rule stood that ends the section?
    ended: bool,
    kept_loose: Option<usize>,
    /// Rows before the lines that were left out last.
    cut_at: usize,
    /// Are two cells or more of the line cut last filled, for all that is known?
    several: bool,
    /// Was the last row of two lines left out: then what goes on without a name of its own is of that one.
    headless: bool,
    /// The rest of wrapped names of a row whose numbers are to come: column, and piece.
    rest: Vec<(usize, &'a str)>,
    /// Are there no blank lines in the section, as in a copy that lost them? Then headings follow rows at once.
    gapless: bool,
    /// Were the wide blanks of the headings squeezed, and with them those of the rows?
    squeezed: bool,
}

/// A ruler, with what tells at once whether a line fits it.
#[derive(Debug)]
struct Ruler {
    runs: Runs,
    /// Where nothing may stand.
    gaps: Bits,
    /// Where each cell stands, in bits, the last one as far as they go, where its column ends, and the bit for
    /// the column; none where a column is too wide for them.
    bits: Vec<(blanks::Cell, usize, u64)>,
    /// A bit for each column with a cell so far that begins like a number and ends beside the column; columns
    /// further than bits go share the last.
    beside: Cell<u64>,
    /// Can a first cell so far be of numbers, or hold one beside its words?
    odd_name: Cell<bool>,
}

/// A bit for a column.
#[inline]
fn bit_of(column: usize) -> u64 {
    1 << column.min(63)
}

/// Can a cell that begins so be a number whose end counts?
#[inline]
fn begins_a_number(first: u8) -> bool {
    matches!(first, b'0'..=b'9' | b'.' | b'-')
}

impl Ruler {
    fn new(runs: Runs) -> Self {
        Self::in_memory(runs, Vec::new())
    }

    /// The same in memory that was used before.
    fn in_memory(runs: Runs, mut bits: Vec<(blanks::Cell, usize, u64)>) -> Self {
        let mut gaps = Bits::default();
        gaps.add(0, runs.first().map_or(0, |r| r.0));
        runs.windows(2).for_each(|w| gaps.add(w[0].1, w[1].0));
        let end = runs.len().saturating_sub(1);
        let cell = |(at, run): (usize, &(usize, usize))| {
            let cell = blanks::Cell::new(run.0, if at == end { run.0 + 64 } else { run.1 })?;
            Some((cell, run.1, bit_of(at)))
        };
        bits.clear();
        bits.reserve(runs.len());
        bits.extend(runs.iter().enumerate().map_while(cell));
        if bits.len() < runs.len() {
            bits.clear();
        }
        let ruler = Self { runs, gaps, bits, beside: Cell::new(0), odd_name: Cell::new(false) };
        #[cfg(test)]
        if tests::DOUBTS_ALL.get() {
            ruler.doubt_all();
        }
        ruler
    }

    /// Where each cell stands; the last one goes on to the end of the line.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let last = self.runs.len().saturating_sub(1);
        self.runs
            .iter()
            .enumerate()
            .map(move |(at, run)| (run.0, if at == last { usize::MAX } else { run.1 }))
    }

    /// Cells came that were not looked at: any of them may be odd.
    fn doubt_all(&self) {
        self.beside.set(u64::MAX);
        self.odd_name.set(true);
    }

    /// Takes note of what the first cell of a row may be, by the bits of its line and where it stands there.
    #[inline]
    fn see_name(&self, bytes: &[u8], bits: &Bits, (from, to): (usize, usize)) {
        if self.odd_name.get() {
            return;
        }
        let odd = match bytes.get(from) {
            // Words as `looks_numeric` tells them.
            Some(b'0'..=b'9' | b'.' | b',' | b'-' | b'+' | b'#') | None => true,
            Some(b'N') if bytes.get(from + 1) == Some(&b'/') => true,
            Some(first) => first.is_ascii_alphabetic() && bits.holds_two_blanks(from, to),
        };
        self.odd_name.set(odd);
    }

    /// Does a line that crosses no gap stand beside its columns all the same: moved by as much as a
    /// column is wide, its last numbers go beyond the ruler, two of them in one cell?
    #[inline]
    fn is_left(&self, text: &str) -> bool {
        // Nearly every line ends where the ruler does, or before.
        self.runs.last().is_some_and(|last| text.len() > last.1 + 1 && goes_beyond(text, *last))
    }
}

/// Are the numbers at the end of a line beyond the last run of its ruler?
#[inline(never)]
fn goes_beyond(text: &str, last: (usize, usize)) -> bool {
    let tail = text.get(last.0..).unwrap_or("");
    let beyond = text.get(last.1..).unwrap_or("");
    // A number that is cut at the end of the ruler is a long one in its place.
    (tail.trim_ascii().contains("  ") || beyond.starts_with(' ')) && is_numbers(tail)
}

/// Do two numbers stand beside each other in a line, so that it is a row in itself and no name of the next one?
/// A class may stand behind them.
fn holds_numbers(text: &str) -> bool {
    let mut before = false;
    text.split_ascii_whitespace().any(|word| {
        let number = looks_numeric(word);
        std::mem::replace(&mut before, number) && number
    })
}

/// Is it a name with a number or two behind it, as rows have that leave most cells blank? Those with more numbers are
/// told by these alone.
fn is_short_row(text: &str) -> bool {
    let mut words = word_positions(text);
    let is_number =
        |word: &(usize, &str)| word.1.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word.1);
    let numbers = words.iter().rev().take_while(|word| is_number(word)).count();
    let at = words.len() - numbers;
    let Some((first, _)) = words.get(at).copied() else { return false };
    words.truncate(at);
    let apart = text.get(..first).is_some_and(|name| name.ends_with("  ") || name.ends_with('\t'));
    (1..=2).contains(&numbers)
        && (apart || numbers == 2)
        && words.first().is_some_and(|word| word.1.starts_with(|c: char| c.is_alphabetic()))
        && words.len() <= 8
        && !words.iter().any(|word| is_number(word) || word.1.contains(':'))
}

/// Does a cell end in a number that stands off by more than a blank?
fn holds_a_number_beside(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_alphabetic())
        && cell
            .as_bytes()
            .windows(2)
            .rposition(|pair| pair == b"  ")
            .and_then(|at| cell.get(at + 2..))
            .is_some_and(|last| !last.is_empty() && looks_numeric(last))
}

/// Is there nothing but numbers, one at least?
fn is_numbers(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek().is_some() && words.all(looks_numeric)
}

impl<'a> Reader<'_, 'a> {
    fn run(
        &mut self,
        header: &mut Vec<Line<'a>>,
        remarks: &mut Vec<(u32, Cow<'a, str>)>,
        sink: &mut impl FnMut(&mut Grid<'a>),
    ) {
        let lines = self.section.lines;
        let mut in_remark = false;
        let mut i = 0;
        while let Some(line) = lines.get(i).copied() {
            if line.marks.is_form_feed() && breaks_headings(header, lines, i + 1) {
                i += 1;
            } else if line.is_blank() {
                self.titled_again |= line.is_title_again();
                self.omitted &= !line.is_title_again();
                self.ended &= !line.is_title_again();
                self.loose.append(header);
                in_remark = false;
                i += 1;
            } else if line.marks.is_omission() {
                self.omitted |= !self.grid.columns.is_empty();
                i += 1;
            } else if line.marks.is_remark() {
                self.omitted |= self.is_of_lost_title(header);
                remarks.push((line.number, Cow::Borrowed(line.text.trim_ascii_start())));
                in_remark = true;
                i += 1;
            } else if line.marks.is_end() {
                self.loose.append(header);
                self.end_code(line);
                i += 1;
            } else if line.marks.is_ruler() {
                let mut runs = std::mem::take(&mut self.spare.runs);
                find_runs(line, &mut runs);
                let below = second_ruler(lines, i);
                if below.as_ref().is_some_and(|below| group_of(&runs, lines, below)) {
                    self.spare.runs = runs;
                    header.push(line);
                    i += 1;
                    continue;
                }
                // Labels with their values stand above a table, and are none of its headings.
                let is_label =
                    |line: &Line<'_>| is_label_with_value(line.text) && !fits(line.text, line.ascii, &runs);
                let labels = header.iter().rposition(is_label).map_or(0, |at| at + 1);
                let above = if self.gapless { below_sentences(header, &runs) } else { 0 };
                self.loose.extend(header.drain(..labels.max(above)));
                i = self.table(i, (runs, below), header, remarks, sink);
                header.clear();
                in_remark = false;
            } else if in_remark && (!ruler_follows(lines, i) || is_of_remark(lines, i)) {
                if let Some((_, last)) = remarks.last_mut() {
                    let joined = last.to_mut();
                    joined.push(' ');
                    joined.push_str(line.text.trim_ascii_start());
                }
                i += 1;
            } else {
                in_remark = false;
                header.push(line);
                i += 1;
            }
        }
        self.loose.append(header);
        if let Some(kept) = self.kept_loose {
            // Words behind the code that held the section are none of its rows.
            self.loose.truncate(kept);
        }
        if self.loose.is_empty() && !remarks.is_empty() {
            self.loose.extend(remarks.iter().filter_map(|(number, text)| match text {
                Cow::Borrowed(text) => Some(Line::new(*number, text)),
                Cow::Owned(_) => None,
            }));
        }
    }

    /// Is a remark of another section, whose title got lost with a page? Those of this one stand below its title, where
    /// that comes again, too, and above the headings.
    fn is_of_lost_title(&self, header: &[Line<'a>]) -> bool {
        // What wraps stands between remarks, too, without the wide blanks of headings.
        let is_heading = |line: &Line<'_>| blanks::holds_two(line.text.trim_ascii().as_bytes());
        !self.titled_again && (!self.grid.columns.is_empty() || header.last().is_some_and(is_heading))
    }

    /// Takes note of the end of the code that a section stands in.
    fn end_code(&mut self, line: Line<'a>) {
        // A title may stand in code of its own.
        let titled = !self.grid.columns.is_empty() && !self.section.title.is_empty();
        self.ended |= titled && line.marks.is_end();
        if line.text == mend::FENCE_END && titled && !self.closed {
            self.closed = true;
            self.kept_loose = Some(self.loose.len());
        }
    }

    /// Reads the table whose ruler stands at `at`, perhaps with another one below; returns the line to go on
    /// with.
    fn table(
        &mut self,
        at: usize,
        (first, below): (Runs, Option<(usize, Runs)>),
        header: &[Line<'a>],
        remarks: &mut Vec<(u32, Cow<'a, str>)>,
        sink: &mut impl FnMut(&mut Grid<'a>),
    ) -> usize {
        let lines = self.section.lines;
        // One column is no table: `Plan 2(PHV: 98)` is underlined.
        let above =
            (self.closed || self.ended && first.len() > 1).then(|| std::mem::take(&mut self.grid.columns));
        self.grid.clear();
        self.titled_again = false;
        // Behind lines left out another table has lost its title.
        if !self.omitted {
            self.grid.title.clone_from(&self.section.title);
        }
        self.grid.line = self.section.line;
        self.grid.remarks.append(remarks);
        self.squeezed = self.rows != Rows::Statements && are_squeezed(header, &first);
        columns(header, &first, self.headings, &mut self.grid.columns);
        let mut i = at + 1;
        // A second ruler directly below its own headings: two lines a row.
        let mut second: Option<Runs> = None;
        if first.first().is_some_and(|r| r.0 <= 1)
            && let Some((end, second_runs)) = below.and_then(|below| lowest_ruler(lines, below))
            && !is_rule_above_sum(lines, end)
        {
            columns(&lines[at + 1..end], &second_runs, self.headings, &mut self.grid.columns);
            second = Some(second_runs);
            i = end + 1;
            if let Some((last, run)) = last_ruler(lines, end) {
                let mut found = Vec::new();
                columns(&lines[end + 1..last], &[run], self.headings, &mut found);
                self.last_line = found.pop().map(|column| (run, column));
                i = last + 1;
            }
        }
        let labelled = second.is_none() && first.first().is_some_and(|r| r.0 > 1);
        let mut runs = first;
        let statements = self.rows == Rows::Statements;
        // 12.2 prints the ruler of process memory a column to the right of its rows.
        if runs.first() == Some(&(1, 2)) && lines.get(i).is_some_and(|l| !l.text.starts_with(' ')) {
            runs.iter_mut().for_each(|r| *r = (r.0 - 1, r.1 - 1));
        }
        if labelled {
            let label = (0, runs[0].0 - 1);
            if !statements {
                runs.insert(0, label);
            }
            // Beside the others: what stands over them is not its heading.
            let mut found = Vec::new();
            match statements {
                true => columns(header, &[&[label], runs.as_slice()].concat(), self.headings, &mut found),
                false => columns(header, &runs, self.headings, &mut found),
            }
            self.grid.columns.insert(0, found.into_iter().next().unwrap_or_default());
        } else if second.is_none()
            && !statements
            && lines.get(at).is_some_and(|l| l.text.starts_with('~'))
            && runs.len() > 1
        {
            // Labels under tildes are as wide as the space before the next column.
            runs[0].1 = runs[1].0 - 1;
        }
        if !statements
            && !labelled
            && second.is_none()
            && let Some(moved) = moved_rows::moved(&lines[i.min(lines.len())..], &runs)
        {
            runs = moved;
        }
        if statements {
            self.grid.columns.push(Column::joined("", "SQL Module"));
            self.grid.columns.push(Column::joined("", "SQL Text"));
            self.grid.columns.push(Column::joined("", "PDB Name"));
        }
        // Behind the rule that ends the section, or the code that held it, only the same headings are of it.
        if let Some(above) = above
            && !(self.grid.columns.len() <= above.len()
                && self.grid.columns.iter().zip(&above).all(|(own, above)| own.key() == above.key()))
        {
            self.grid.title = Cow::Borrowed(mend::UNTITLED);
        }
        let ruler = Ruler::in_memory(runs, std::mem::take(&mut self.spare.bits));
        let end = if statements {
            self.statements(i, &ruler, sink)
        } else {
            self.plain(i, &ruler, second.map(Ruler::new).as_ref(), sink)
        };
        *self.spare = Spare { runs: ruler.runs, bits: ruler.bits };
        self.last_line = None;
        end
    }

    fn plain(
        &mut self,
        start: usize,
        ruler: &Ruler,
        second: Option<&Ruler>,
        sink: &mut impl FnMut(&mut Grid<'a>),
    ) -> usize {
        let lines = self.section.lines;
        let runs = &ruler.runs;
        // Sections of I/O by file or tablespace, or the like, have one name a row.
        let one_name = second.is_some() && self.section.title.contains(" IO ");
        // What is left of a wrapped name is one word.
        let is_heading = |line: &Line<'_>| {
            let mut words = line.text.split_ascii_whitespace();
            words.clone().nth(1).is_some() && !words.any(looks_numeric)
        };
        let mut i = start;
        let mut gap = false;
        let mut name: Option<Line<'a>> = None;
        let mut named = false;
        // Behind lines left out: the next may be either of the two of a row, or go on with a cell.
        let mut lost = false;
        // Line of the first dots, and the rows above them.
        let mut dots: Option<(u32, usize)> = None;
        self.headless = false;
        // Have rows nothing but what stands on their line?
        let alone = second.is_none() && self.last_line.is_none() && !self.gapless && !self.squeezed;
        while let Some(line) = lines.get(i).copied() {
            if alone && !gap && !lost && !named && name.is_none() {
                let next = self.rows_in_place(i, ruler);
                if next > i {
                    i = next;
                    continue;
                }
            }
            if line.first == b'P'
                && let Some(container) = container_of(line)
            {
                // Of the row above, not a row.
                match self.grid.len().checked_sub(1).filter(|_| !lost && name.is_none()) {
                    Some(row) => self.below.push((self.grid.row_line(row), container)),
                    None => self.misfit(line),
                }
                name.take().into_iter().for_each(|l| self.doubt(l));
                gap = false;
                i += 1;
                continue;
            }
            // Nearly every line: a row between rows.
            let between =
                !gap && !self.gapless && line.marks.is_none() && line.first != b'-' && !runs_at(lines, i + 1);
            if !between || line.is_blank() {
                if line.is_blank() {
                    self.titled_again |= line.is_title_again();
                    self.omitted &= !line.is_title_again();
                    self.ended &= !line.is_title_again();
                    gap = true;
                    i += 1;
                    continue;
                }
                if line.marks.is_end() {
                    // Dots that the end of the table stands below are of its rows.
                    if i.checked_sub(1).is_some_and(|above| lines[above].marks.is_omission()) {
                        self.grid.left_out = dots.map(|(line, _)| line);
                    }
                    self.end_code(line);
                    i += 1;
                    break;
                }
                if line.marks.is_omission() {
                    dots.get_or_insert((line.number, self.grid.len()));
                    self.omitted = true;
                    self.cut_off(runs);
                    name.take().into_iter().for_each(|l| self.misfit(l));
                    lost = true;
                    i += 1;
                    continue;
                }
                if line.marks.is_remark() {
                    // Remarks of a repeated title, up to the next blank line.
                    self.omitted |= self.is_of_lost_title(&[]);
                    while lines.get(i).is_some_and(|l| !l.is_blank()) && !ruler_follows(lines, i) {
                        i += 1;
                    }
                    gap = true;
                    continue;
                }
                if is_rule_above_sum(lines, i) {
                    i += 1;
                    continue;
                }
                if (gap
                    || runs_at(lines, i + 1)
                    || runs_at(lines, i)
                    || self.gapless && !self.grid.is_empty() && is_heading(&line))
                    && let Some(end) = header_ahead(lines, i)
                    && !is_rule_above_sum(lines, end)
                {
                    // The headings again, after a page break, or those of another table.
                    let again = self::runs(lines[end]);
                    let same = again.as_ref().is_some_and(|r| {
                        r == runs
                            || second.is_some_and(|s| *r == s.runs)
                            || runs.get(1..) == Some(r.as_slice())
                    });
                    if !same || self.omitted {
                        break;
                    }
                    i = end + 1;
                    if let Some(second) = second
                        && let Some((next, found)) =
                            second_ruler(lines, end).and_then(|below| lowest_ruler(lines, below))
                        && found == second.runs
                    {
                        i = next + 1;
                        if self.last_line.is_some()
                            && let Some((last, _)) = last_ruler(lines, next)
                        {
                            i = last + 1;
                        }
                    }
                    gap = false;
                    lost = false;
                    self.titled_again = false;
                    continue;
                }
            }
            let after_gap = std::mem::replace(&mut gap, false);
            if lost && (second.is_some() || line.text.starts_with("     ")) {
                self.misfit(line);
                i += 1;
                continue;
            }
            lost = false;
            if name.is_none()
                && let Some(cell) = self.of_last_line(line)
            {
                let row = self.grid.len() - 1;
                self.below.push((self.grid.row_line(row), cell));
            } else if let Some(second) = second {
                if after_gap && name.is_some_and(|first| self.end_without_second(first, line, ruler, second))
                {
                    name = None;
                }
                name = if name.is_none() && self.further_second(line, (ruler, second), one_name) {
                    None
                } else {
                    self.second_line(name.take(), line, (ruler, second), one_name)
                };
            } else if self.squeezed {
                self.squeezed_row(line);
            } else if self.cut(line, ruler) {
                let nameless = || self.grid.open_cells().first().is_some_and(|c| c.is_empty());
                if self.several && name.is_none() && !named && !(nameless() && self.may_go_on()) {
                    // Nearly every line.
                    self.place(line, 0);
                    self.grid.end_row(line.number);
                    i += 1;
                    continue;
                }
                let blank_first = self.grid.open_cells().first().is_some_and(|c| c.is_empty());
                if let Some(above) = name.take() {
                    // The name stood on its own line.
                    ruler.doubt_all();
                    let cells: Vec<_> = self.grid.open_cells().to_vec();
                    self.grid.abandon_row();
                    if named || !blank_first {
                        self.grid.push_cell(Cow::Borrowed(above.text));
                        cells.into_iter().for_each(|c| self.grid.push_cell(c));
                        if !named {
                            self.grid.columns.insert(0, Column::new("", "Name"));
                            self.widen_rows();
                            named = true;
                        }
                    } else {
                        self.grid.push_cell(Cow::Borrowed(above.text.trim()));
                        cells.into_iter().skip(1).for_each(|c| self.grid.push_cell(c));
                    }
                    self.place(line, usize::from(named));
                    self.grid.end_row(above.number);
                } else if after_gap && self.only_first_cell() {
                    // Words behind a blank line are no row: prose below an excerpt.
                    self.grid.abandon_row();
                    self.misfit(line);
                } else if self.only_first_cell() && is_short_row(line.text) {
                    // Its blanks were squeezed: all of it stands where the name does.
                    self.grid.abandon_row();
                    self.doubt(line);
                } else if self.is_below_identifier() {
                    // Module and text of a statement are no rest of its identifier.
                    self.grid.abandon_row();
                    self.misfit(line);
                } else if !self.continues(line, runs) {
                    if named {
                        let cells: Vec<_> = self.grid.open_cells().to_vec();
                        self.grid.abandon_row();
                        self.grid.push_cell(Cow::Borrowed(""));
                        cells.into_iter().for_each(|c| self.grid.push_cell(c));
                    }
                    self.place(line, usize::from(named));
                    self.grid.end_row(line.number);
                }
            } else if is_name(line.text)
                && !holds_numbers(line.text)
                && (after_gap || !is_short_row(line.text))
                && (lines.get(i + 1).is_some_and(|l| fits_numbers(*l, runs))
                    || self.row_on_next_page(i + 1, runs).is_some_and(|l| fits_numbers(l, runs)))
            {
                name = Some(line);
            } else if !self.realign(line, runs) {
                if !after_gap && is_short_row(line.text) {
                    self.doubt(line);
                } else {
                    self.misfit(line);
                }
            }
            i += 1;
        }
        if let Some(left) = name {
            // Behind its last line nothing stands but the end of the table.
            let end = lines.get(i.saturating_sub(1)).copied();
            let ended = second.zip(end).is_some_and(|(second, end)| {
                end.marks.is_end() && self.end_without_second(left, end, ruler, second)
            });
            if !ended {
                self.misfit(left);
            }
        }
        // Below the last row, dots may stand for other sections.
        if let Some((line, rows)) = dots
            && self.grid.len() > rows
        {
            self.grid.left_out = Some(line);
        }
        self.leave_out_moved(ruler, second, named);
        self.add_last_cells();
        sink(self.grid);
        i
    }

    /// The cell of the row above in a line that holds nothing else, where the last of a row's lines has one.
    fn of_last_line(&self, line: Line<'a>) -> Option<&'a str> {
        let ((_, end), _) = self.last_line.as_ref()?;
        let row = self.grid.len().checked_sub(1)?;
        let cell = line.text.trim_ascii();
        let known = self.below.last().is_some_and(|(known, _)| *known == self.grid.row_line(row));
        (!known && line.ascii && line.text.len() == *end && line.text.starts_with(' ') && !cell.contains(' '))
            .then_some(cell)
    }

    /// Gives the rows their cells of lines below them, in a column of their own.
    #[inline]
    fn add_last_cells(&mut self) {
        if self.last_line.is_some() || !self.below.is_empty() {
            self.add_last_column();
        }
    }

    #[inline(never)]
    fn add_last_column(&mut self) {
        let column =
            self.last_line.take().map_or_else(|| Column::joined("", "PDB Name"), |(_, column)| column);
        self.grid.columns.push(column);
        let rows: Vec<(Vec<Cow<'a, str>>, u32)> =
            (0..self.grid.len()).map(|r| (self.grid.row(r).to_vec(), self.grid.row_line(r))).collect();
        self.grid.clear_rows();
        let mut below = self.below.drain(..).peekable();
        for (cells, line) in rows {
            self.grid.push_cells(cells.into_iter());
            // Rows may have been left out.
            while below.next_if(|(row, _)| *row < line).is_some() {}
            let cell = below.next_if(|(row, _)| *row == line).map_or("", |(_, cell)| cell);
            self.grid.push_cell(Cow::Borrowed(cell));
            self.grid.end_row(line);
        }
    }

    /// Remembers the line of the row about to end, whose first cell has so many of the row before it.
    #[inline]
    fn place(&mut self, line: Line<'a>, before: usize) {
        if line.ascii {
            self.set_in = true;
            self.placed.push(Placed { row: self.grid.len(), text: line.text, before });
        }
    }

    /// Numbers end where their column does: a row in which one does not was moved or cut, and its numbers
    /// stand under headings that are not theirs, or are half of what they were.
    fn leave_out_moved(&mut self, ruler: &Ruler, second: Option<&Ruler>, named: bool) {
        if std::mem::take(&mut self.set_in) && second.is_none() && !named && self.rows == Rows::Plain {
            self.put_back_indented(&ruler.runs);
        }
        let mut moved: Vec<usize> = Vec::new();
        let own = second.map_or(usize::from(named), |_| 0);
        for (ruler, before) in [(Some(ruler), own), (second, ruler.runs.len())] {
            for (ruler, (column, run)) in
                ruler.into_iter().flat_map(|r| r.runs.iter().enumerate().map(move |c| (r, c)))
            {
                if ruler.beside.get() & bit_of(column) != 0 {
                    self.beside(before, before + column, *run, &mut moved);
                }
            }
        }
        if ruler.odd_name.get() {
            self.numbers_for_names(own, &mut moved);
            // The name took the first number.
            for placed in self.placed.iter().filter(|p| p.before == own) {
                if self.grid.row(placed.row).get(own).is_some_and(|name| holds_a_number_beside(name)) {
                    moved.push(placed.row);
                }
            }
        }
        if moved.is_empty() {
            self.placed.clear();
            return;
        }
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|row| {
            let placed = self.placed.iter().find(|p| p.row == *row);
            let cells = placed.and_then(|p| without_width(p.text, &ruler.runs));
            let own = self.grid.row_mut(*row);
            let Some(cells) = cells.filter(|c| c.len() == own.len()) else { return true };
            own.iter_mut().zip(cells).for_each(|(own, cell)| *own = Cow::Borrowed(cell));
            false
        });
        self.placed.clear();
        let Some(first) = moved.first() else { return };
        let line = self.grid.row_line(*first);
        let count = u32::try_from(moved.len()).unwrap_or(u32::MAX);
        let (line, rows) = self.grid.doubtful.map_or((line, 0), |(first, rows)| (first.min(line), rows));
        self.grid.doubtful = Some((line, rows.saturating_add(count)));
        self.grid.drop_rows(&moved);
    }

    /// Among rows that begin where their ruler does one or a few may be indented: their cells are those that stand so
    /// much further right.
    fn put_back_indented(&mut self, runs: &[(usize, usize)]) {
        /// An editor indents by no more.
        const FARTHEST: usize = 16;
        let Some((start, _)) = runs.first().copied() else { return };
        let by = |text: &str| text.len().saturating_sub(text.trim_ascii_start().len()).checked_sub(start);
        let is_at_home = |text: &str| {
            text.as_bytes().split_at_checked(start).is_some_and(|(indent, rest)| {
                rest.first().is_some_and(|b| !b.is_ascii_whitespace())
                    && indent.iter().all(|b| b.is_ascii_whitespace())
            })
        };
        let at_home = self.placed.iter().filter(|p| is_at_home(p.text)).count();
        if at_home == self.placed.len() || 2 * at_home < self.placed.len() {
            return;
        }
        let grid = &mut *self.grid;
        // What is put back ends beside its columns, and is no moved row.
        self.placed.retain(|placed| {
            let indent = by(placed.text).filter(|by| (2..=FARTHEST).contains(by));
            let Some(cells) = indent.and_then(|by| moved_rows::cells_of_indented(placed.text, runs, by))
            else {
                return true;
            };
            let own = grid.row_mut(placed.row);
            if own.len() != cells.len() {
                return true;
            }
            own.iter_mut().zip(cells).for_each(|(own, cell)| *own = Cow::Borrowed(cell));
            false
        });
    }

    /// Adds the rows that hold numbers alone where the others have names: the rest of a wrapped row.
    fn numbers_for_names(&self, own: usize, moved: &mut Vec<usize>) {
        let rows = || self.placed.iter().filter(|p| p.before == own).map(|p| (p.row, self.grid.row(p.row)));
        let numbers = |row: &[Cow<'a, str>]| row.get(own).is_some_and(|name| is_numbers(name));
        let from = moved.len();
        let alone = |row: &[Cow<'a, str>]| row.iter().skip(own + 1).all(|c| c.is_empty());
        moved.extend(rows().filter(|(_, row)| numbers(row) && alone(row)).map(|(row, _)| row));
        // Pools and processes are named by numbers.
        if moved.len() > from && rows().filter(|(_, row)| numbers(row)).count() * 2 >= rows().count() {
            moved.truncate(from);
        }
    }

    /// Adds the rows in which the number of a column ends beside it.
    fn beside(&self, before: usize, column: usize, run: (usize, usize), moved: &mut Vec<usize>) {
        let (mut others, mut doubled): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
        let (mut in_place, mut left, mut suffixed) = (0_usize, 0_usize, false);
        for placed in self.placed.iter().filter(|p| p.before == before) {
            let Some(Cow::Borrowed(cell)) = self.grid.row(placed.row).get(column) else { continue };
            let bytes = cell.as_bytes();
            if !bytes.first().is_some_and(|first| begins_a_number(*first)) {
                continue;
            }
            let Some(start) = (cell.as_ptr() as usize).checked_sub(placed.text.as_ptr() as usize) else {
                continue;
            };
            let end = start + bytes.len();
            if end == run.1 {
                in_place += 1;
                suffixed |= bytes.last().is_some_and(u8::is_ascii_alphabetic);
            } else if looks_numeric(cell) {
                others.push((placed.row, end));
            } else {
                if is_numbers(cell) {
                    doubled.push(placed.row);
                }
                continue;
            }
            left += usize::from(start == run.0);
        }
        // Two numbers where the other rows have one: a neighbour's was moved into the cell.
        if doubled.len() < in_place {
            moved.append(&mut doubled);
        }
        if others.is_empty() {
            return;
        }
        let all = in_place + others.len();
        let one_less = others.iter().filter(|o| o.1 + 1 == run.1).count();
        // Words that happen to be numbers stand at the left.
        if left * 2 > all && in_place * 2 <= all {
            return;
        }
        // A ruler may stand beside its columns, and room for a suffix may be left blank.
        let (end, alike) = most_common(others.iter().map(|o| o.1));
        let beside = in_place == 0 && alike * 2 > all && (all > 1 || end.abs_diff(run.1) == 1);
        let room = suffixed || one_less == all;
        moved.extend(
            others.iter().filter(|o| !(beside && o.1 == end || room && o.1 + 1 == run.1)).map(|o| o.0),
        );
    }

    /// A row of two lines: ends it where `line` is its second one; returns the first line of the next.
    fn second_line(
        &mut self,
        name: Option<Line<'a>>,
        line: Line<'a>,
        (ruler, second): (&Ruler, &Ruler),
        // Elsewhere (ASH) names may stand on both lines, or numbers.
        one_name: bool,
    ) -> Option<Line<'a>> {
        let Some(first) = name else {
            self.rest.clear();
            // Numbers alone: those of a name that is lost.
            if one_name && matches!(line.first, b'0'..=b'9' | b'.' | b'#') && is_numbers(line.text) {
                self.doubt(line);
                return None;
            }
            return Some(line);
        };
        if one_name && let Some(pieces) = self.rest_of_names((first, line), (ruler, second)) {
            self.rest.extend(pieces);
            return Some(first);
        }
        if self.cut(first, ruler) {
            self.add_rest();
            let own = self.grid.open_cells().len();
            if self.cut(line, second) {
                if self.headless {
                    if self.grid.open_cells().first().is_some_and(|name| name.is_empty()) {
                        self.grid.abandon_row();
                        self.doubt(first);
                        return None;
                    }
                    self.headless = false;
                }
                let counted = |cell: &Cow<'a, str>| !cell.is_empty() && looks_numeric(cell);
                if !one_name || self.grid.open_cells()[own..].iter().any(counted) {
                    self.place(first, 0);
                    self.place(line, own);
                    self.grid.end_row(first.number);
                    return None;
                }
                // Another name: the numbers of the first one are lost.
                self.grid.abandon_row();
                self.doubt_name(first);
                return Some(line);
            }
        }
        if self.section.title.starts_with("Top ") {
            // Sampled activity prints the text of a statement between its rows.
            let mut cells = self.grid.open_cells().iter().filter(|c| !c.is_empty()).rev();
            let row = cells.next().is_some_and(|last| looks_numeric(last)) && cells.next().is_some();
            // What was cut of it must not begin the next row.
            self.grid.abandon_row();
            if row {
                self.doubt(first);
                self.headless = true;
            } else {
                self.misfit(first);
            }
            self.misfit(line);
            return None;
        }
        // What was cut of the name must not begin the next row.
        self.rest.clear();
        self.grid.abandon_row();
        if one_name {
            self.doubt_name(first);
        } else {
            // Or a line of headings between two rulers.
            self.misfit(first);
        }
        self.misfit(line);
        None
    }

    /// Sampled activity, a further event or object of the row above, which has no name of its own: nothing stands
    /// in its second line, so that the lines behind it are the next row.
    fn end_without_second(&mut self, first: Line<'a>, line: Line<'a>, ruler: &Ruler, second: &Ruler) -> bool {
        // A blank line for the second one, and another behind the row, unless the table ends.
        let apart = line.number.saturating_sub(first.number) > 2 || line.marks.is_end();
        let nameless = ruler.runs.first().is_some_and(|name| blanks::indent(first.text.as_bytes()) >= name.1);
        if !(apart && nameless && self.section.title.starts_with("Top ") && !self.grid.is_empty())
            || self.headless
            || !self.cut(first, ruler)
        {
            return false;
        }
        self.place(first, 0);
        second.runs.iter().for_each(|_| self.grid.push_cell(Cow::Borrowed("")));
        self.grid.end_row(first.number);
        true
    }

    /// A further second line of the row above: set in as that one, below a first line that is not. It is a row
    /// with the same first line.
    fn further_second(&mut self, line: Line<'a>, (ruler, second): (&Ruler, &Ruler), one_name: bool) -> bool {
        let Some(Placed { row, text, before }) = self.placed.last().copied() else { return false };
        let first = self.placed.len().checked_sub(2).map(|above| self.placed[above]);
        let set_in = blanks::indent(line.text.as_bytes());
        let Some(first) = first.filter(|first| first.row == row && first.before == 0 && before > 0) else {
            return false;
        };
        let alike = !one_name
            && set_in > 0
            && set_in == blanks::indent(text.as_bytes())
            && blanks::indent(first.text.as_bytes()) == 0
            && row + 1 == self.grid.len();
        if !alike {
            return false;
        }
        let (above, number) = (self.grid.row(row).to_vec(), line.number);
        let own = above.len().min(ruler.runs.len());
        above[..own].iter().for_each(|cell| self.grid.push_cell(cell.clone()));
        // The same cells are filled, and the first of them is a name.
        if self.cut(line, second)
            && self.grid.open_cells().len() == above.len()
            && self
                .grid
                .open_cells()
                .iter()
                .zip(&above)
                .all(|(cell, above)| cell.is_empty() == above.is_empty())
            && self.grid.open_cells().get(own).is_some_and(|name| !name.is_empty() && !looks_numeric(name))
        {
            self.place(line, own);
            self.grid.end_row(number);
            return true;
        }
        self.grid.abandon_row();
        false
    }

    /// Adds a row below squeezed headings, if two blanks part as many cells as there are columns.
    fn squeezed_row(&mut self, line: Line<'a>) {
        let cells = || line.text.split("  ").map(str::trim_ascii).filter(|cell| !cell.is_empty());
        if cells().count() == self.grid.columns.len() {
            self.grid.push_cells(cells().map(Cow::Borrowed));
            self.grid.end_row(line.number);
        } else if cells().any(looks_numeric) {
            self.doubt(line);
        } else {
            self.misfit(line);
        }
    }

    /// A row whose cells cannot be told apart.
    fn doubt(&mut self, line: Line<'a>) {
        let (first, rows) = self.grid.doubtful.unwrap_or((line.number, 0));
        self.grid.doubtful = Some((first, rows.saturating_add(1)));
        self.loose.push(line);
    }

    /// The name of a row whose numbers are not there, unless it is a sentence below the table.
    fn doubt_name(&mut self, line: Line<'a>) {
        const WORDS: usize = 4;
        let words = line.text.trim_ascii();
        if blanks::holds_two(words.as_bytes()) || words.split_ascii_whitespace().nth(WORDS - 1).is_none() {
            self.doubt(line);
        } else {
            self.misfit(line);
        }
    }

    /// The first line below the headings that a page break at `at` repeats.
    fn row_on_next_page(&self, at: usize, runs: &Runs) -> Option<Line<'a>> {
        let lines = self.section.lines;
        let behind_blanks = |from: usize| Some(from + lines.get(from..)?.iter().position(|l| !l.is_blank())?);
        let mut i = behind_blanks(at).filter(|i| *i > at)?;
        if lines[i].marks.is_remark() {
            i += (i..lines.len()).position(|at| lines[at].is_blank() || ruler_follows(lines, at))?;
            i = behind_blanks(i)?;
        }
        let end = header_ahead(lines, i)?;
        let again = self::runs(*lines.get(end)?)?;
        let same = again == *runs || runs.get(1..) == Some(again.as_slice());
        lines.get(end + 1).copied().filter(|_| same)
    }

    /// Rows already there get an empty name when the name column turns up late.
    fn widen_rows(&mut self) {
        if self.grid.is_empty() {
            return;
        }
        let open: Vec<_> = self.grid.open_cells().to_vec();
        let rows: Vec<(Vec<Cow<'a, str>>, u32)> =
            (0..self.grid.len()).map(|r| (self.grid.row(r).to_vec(), self.grid.row_line(r))).collect();
        self.grid.clear_rows();
        for (cells, line) in rows {
            self.grid.push_cell(Cow::Borrowed(""));
            cells.into_iter().for_each(|c| self.grid.push_cell(c));
            self.grid.end_row(line);
        }
        open.into_iter().for_each(|c| self.grid.push_cell(c));
    }

    fn statements(&mut self, start: usize, ruler: &Ruler, sink: &mut impl FnMut(&mut Grid<'a>)) -> usize {
        let lines = self.section.lines;
        let mut i = start;
        let mut gap = false;
        // The statement being read: line of its row, and its cells.
        let mut row_line: Option<u32> = None;
        let mut own: Vec<Cow<'a, str>> = Vec::new();
        let mut next: Vec<Cow<'a, str>> = Vec::new();
        let mut module: &'a str = "";
        let mut container: &'a str = "";
        let mut text: Vec<&'a str> = Vec::new();
        let mut left_out = false;
        // Line of the first dots between statements, which are none of their text, and the statements above them.
        let mut between: Option<(u32, usize)> = None;
        let mut own_line = "";
        let wrap = self.wrap_of_statements(ruler);
        while let Some(line) = lines.get(i).copied() {
            if line.is_blank() {
                gap = true;
                i += 1;
                continue;
            }
            // Statements hold lines of dashes, too: a rule that ends the table stands apart, or is as long as releases
            // print it; errors may follow it at once.
            if line.marks.is_end() {
                let apart = gap || lines.get(i + 1).is_none_or(Line::is_blank);
                let printed =
                    line.text == mend::FENCE_END || END_RULES.contains(&line.text.trim_ascii().len());
                let is_text = || row_line.is_some() && !apart && statements_follow(lines, i);
                if (apart || printed) && !is_text() {
                    self.end_code(line);
                    i += 1;
                    break;
                }
            }
            if gap
                && let Some(end) = header_ahead(lines, i)
                && runs(lines[end]).is_some_and(|runs| runs.len() > 1)
            {
                if !has_runs(lines[end], &ruler.runs) {
                    break;
                }
                i = end + 1;
                gap = false;
                continue;
            }
            if gap && line.marks.is_remark() {
                // Copies without blank lines have the headings right below.
                while lines.get(i).is_some_and(|l| !l.is_blank()) && !ruler_follows(lines, i) {
                    i += 1;
                }
                continue;
            }
            let after_gap = std::mem::replace(&mut gap, false);
            if line.marks.is_omission() && row_line.is_some() {
                // What follows may be of another statement.
                text.push("...");
                left_out = true;
                if after_gap {
                    between.get_or_insert((line.number, self.grid.len() + 1));
                }
                i += 1;
                continue;
            }
            if line.marks.is_omission() {
                between.get_or_insert((line.number, 0));
                i += 1;
                continue;
            }
            if self.cut_statement(line, ruler) {
                // Its cells wait until the statement before has its text.
                self.grid.take_open(&mut next);
                if let Some(number) = row_line.replace(line.number) {
                    self.placed.push(Placed { row: self.grid.len(), text: own_line, before: 0 });
                    self.end_statement(number, &mut own, module, &text, container, wrap);
                }
                own_line = if line.ascii { line.text } else { "" };
                std::mem::swap(&mut own, &mut next);
                (module, container) = ("", "");
                text.clear();
                left_out = false;
            } else if left_out || after_gap && !text.is_empty() && is_prose(line.text) {
                // Up to the next row.
                left_out = true;
                self.misfit(line);
            } else if row_line.is_some() {
                let trimmed = line.text.trim_start();
                if let Some(name) = trimmed.strip_prefix("Module:").filter(|_| text.is_empty()) {
                    module = name.trim();
                } else if let Some(name) = trimmed.strip_prefix("PDB:").filter(|_| text.is_empty()) {
                    container = name.trim();
                } else {
                    text.push(line.text);
                }
            } else {
                self.misfit(line);
            }
            i += 1;
        }
        if let Some(number) = row_line {
            self.placed.push(Placed { row: self.grid.len(), text: own_line, before: 0 });
            self.end_statement(number, &mut own, module, &text, container, wrap);
        }
        if let Some((line, rows)) = between
            && self.grid.len() > rows
        {
            self.grid.left_out = Some(line);
        }
        self.leave_out_moved(ruler, None, false);
        sink(self.grid);
        i
    }

    /// How the texts of statements are cut: the width of Statspack's pieces, or that of AWR where a line fills it.
    fn wrap_of_statements(&self, ruler: &Ruler) -> Wrap {
        // Under a wide ruler (compare-period reports) text wraps beyond column 200, at no fixed width.
        if ruler.runs.last().is_some_and(|r| r.1 > 160) {
            return Wrap::ClosedUp(200);
        }
        if self.grid.columns.iter().any(|c| c.key().ends_with("hashvalue") && c.key() != "planhashvalue") {
            return STATSPACK_PIECES;
        }
        // Rows begin with blanks or figures; the line of a title is no text.
        let fills = |line: &&Line<'_>| {
            line.text.len() == wrapped_text::AWR
                && line.first.is_ascii_alphabetic()
                && line.text.starts_with(|c: char| c.is_ascii_alphabetic())
                && !line.marks.is_remark()
        };
        if self.section.lines.iter().any(|line| fills(&line)) {
            Wrap::ClosedUp(wrapped_text::AWR)
        } else {
            Wrap::Every(wrapped_text::AWR)
        }
    }

    fn end_statement(
        &mut self,
        line: u32,
        own: &mut Vec<Cow<'a, str>>,
        module: &'a str,
        text: &[&'a str],
        container: &'a str,
        wrap: Wrap,
    ) {
        self.grid.push_cells(own.drain(..));
        let joined = match text {
            [] => Cow::Borrowed(""),
            [one] => Cow::Borrowed(*one),
            // A longer line was not cut so.
            many if wrap == STATSPACK_PIECES
                && many.iter().any(|line| line.len() > wrapped_text::STATSPACK) =>
            {
                Cow::Owned(wrapped_text::joined(many, Wrap::Every(usize::MAX)))
            }
            many => Cow::Owned(wrapped_text::joined(many, wrap)),
        };
        self.grid.push_cell(Cow::Borrowed(module));
        self.grid.push_cell(joined);
        self.grid.push_cell(Cow::Borrowed(container));
        self.grid.end_row(line);
    }

    /// Cuts a line at the ruler; `false`, with nothing pushed, where a cell crosses a gap.
    fn cut(&mut self, line: Line<'a>, ruler: &Ruler) -> bool {
        if !line.ascii {
            self.several = false;
            return self.cut_slowly(line, &ruler.runs);
        }
        let bytes = line.text.as_bytes();
        let bits = Bits::filled(bytes);
        let crosses = bits.as_ref().is_none_or(|bits| bits.meets(&ruler.gaps));
        if crosses && !fits(line.text, true, &ruler.runs)
            || self.rows == Rows::Plain && ruler.is_left(line.text)
        {
            return false;
        }
        let part = |(from, to)| Cow::Borrowed(line.text.get(from..to).unwrap_or(""));
        let ends = ruler.runs.last().is_some_and(|run| bytes.len() <= run.0 + 64);
        match &bits {
            Some(bits) if ends && !ruler.bits.is_empty() => {
                self.push_cells_of(line.text, bits, ruler);
                if let Some(name) = ruler.bits.first().and_then(|(cell, ..)| bits.within(*cell)) {
                    ruler.see_name(bytes, bits, name);
                }
            }
            _ => {
                ruler.doubt_all();
                self.several = false;
                self.grid.push_cells(ruler.cells().map(|cell| part(filled(bytes, cell.0, cell.1))));
            }
        }
        // Nearly every line ends where the ruler does, or before.
        if let Some(last) = ruler.runs.last()
            && bytes.get(last.1) == Some(&b' ')
        {
            self.drop_remark(line, *last);
        }
        true
    }

    /// Rows as nearly all are, from a line on: of ASCII, in no gap of the ruler nor beyond it, with two cells or more,
    /// the first among them, and no ruler below. Returns the first line that is otherwise.
    fn rows_in_place(&mut self, mut at: usize, ruler: &Ruler) -> usize {
        let lines = self.section.lines;
        let (Some((first, ..)), Some((start, _)), Some(last)) =
            (ruler.bits.first(), ruler.runs.first().copied(), ruler.runs.last())
        else {
            return at;
        };
        let end = last.1.min(last.0 + 64);
        while let Some(line) = lines.get(at) {
            let bytes = line.text.as_bytes();
            if !line.marks.is_none()
                || line.first == b'-'
                || line.is_blank()
                || !line.ascii
                || bytes.len() > end
                || runs_at(lines, at + 1)
                || line.first == b'P' && container_of(*line).is_some()
            {
                break;
            }
            let Some(bits) = Bits::filled(bytes).filter(|bits| !bits.meets(&ruler.gaps)) else { break };
            let Some(name) = bits.within(*first) else { break };
            self.push_cells_of(line.text, &bits, ruler);
            if !self.several {
                self.grid.abandon_row();
                break;
            }
            ruler.see_name(bytes, &bits, name);
            self.set_in |= name.0 != start;
            self.placed.push(Placed { row: self.grid.len(), text: line.text, before: 0 });
            self.grid.end_row(line.number);
            at += 1;
        }
        at
    }

    /// Pushes the cells of a line that fits the ruler, by its bits.
    #[inline]
    fn push_cells_of(&mut self, text: &'a str, bits: &Bits, ruler: &Ruler) {
        let bytes = text.as_bytes();
        let (mut beside, mut filled) = (0, 0);
        self.grid.push_plain_cells(ruler.bits.iter().map(|(cell, end, bit)| {
            let Some((from, to)) = bits.within(*cell) else { return "" };
            filled += 1;
            // Numbers end where their column does, names hardly ever; a dash alone is nothing.
            if to != *end && bytes.get(from).is_some_and(|first| begins_a_number(*first)) {
                beside |= bit;
            }
            // The bits are of this line, all of ASCII.
            &text[from..to]
        }));
        self.several = filled > 1;
        if beside != 0 {
            ruler.beside.set(ruler.beside.get() | beside);
        }
    }

    /// What somebody wrote behind the last number of a row (`77.5 <== look`) is none of its cells.
    #[inline(never)]
    fn drop_remark(&mut self, line: Line<'a>, last: (usize, usize)) {
        let text = line.text;
        let (Some(own), Some(behind)) = (text.get(last.0..last.1), text.get(last.1..)) else { return };
        let own = own.trim_ascii();
        // Summaries print a second label and its value there.
        let is_remark = behind.split_ascii_whitespace().next().is_some_and(|word| !looks_numeric(word))
            && !behind.contains(':');
        if !own.is_empty() && looks_numeric(own) && is_remark {
            self.grid.replace_open_last(Cow::Borrowed(own));
            self.grid.behind.push((line.number, behind.trim_ascii()));
        }
    }

    /// The same for any line and runs.
    fn cut_slowly(&mut self, line: Line<'a>, runs: &[(usize, usize)]) -> bool {
        if !fits(line.text, line.ascii, runs) {
            return false;
        }
        for (index, run) in runs.iter().enumerate() {
            let end = if index + 1 == runs.len() { usize::MAX } else { run.1 };
            let cell = slice(line.text, line.ascii, run.0, end);
            self.grid.push_cell(Cow::Borrowed(cell.trim_ascii()));
        }
        true
    }

    /// Cuts a statement's own row: it fits, and all its cells but identifiers are numbers.
    fn cut_statement(&mut self, line: Line<'a>, ruler: &Ruler) -> bool {
        // Text of a statement rarely begins like a number.
        if !matches!(line.first, b'0'..=b'9' | b'.' | b'-' | b'#' | b'N' | b'a'..=b'z') {
            return false;
        }
        // Most text stands in one of the first gaps.
        let crosses = |w: &[(usize, usize)]| {
            w[0].1 < w[1].0 && line.text.as_bytes().get(w[0].1).is_some_and(|b| !matches!(b, b' ' | b'#'))
        };
        if line.ascii && ruler.runs.windows(2).take(3).any(crosses) {
            return false;
        }
        // Nor does most of the rest look like one where the first cell stands.
        if let Some((from, to)) = ruler.cells().next() {
            let first = trimmed(part(line.text, line.ascii, from, to));
            if !looks_numeric(first) && !is_identifier(first) {
                return false;
            }
        }
        if !self.cut(line, ruler) {
            return false;
        }
        let mut filled = 0;
        let texts = |column: &Column| matches!(column.key(), "sqltext" | "sqlmodule" | "module");
        let width = ruler.runs.last().map_or(0, |last| last.1 - last.0);
        let cut_off = |column: usize, cell: &str| {
            column + 1 == ruler.runs.len()
                && cell.len() == width
                && is_clipped_identifier(cell)
                && self.grid.columns.get(column).is_some_and(|c| c.key() == "sqlid")
        };
        let row = self.grid.open_cells().iter().enumerate().all(|(column, cell)| {
            let cell = trimmed(cell);
            filled += usize::from(!cell.is_empty());
            looks_numeric(cell)
                || is_identifier(cell)
                || self.grid.columns.get(column).is_some_and(texts)
                || cut_off(column, cell)
        });
        if row && filled * 2 > ruler.runs.len() {
            return true;
        }
        self.grid.abandon_row();
        false
    }

    /// A cell as wide as its column may have gone on in the lines that were left out.
    fn cut_off(&mut self, runs: &Runs) {
        self.cut_at = self.grid.len();
        let Some(last) = self.grid.len().checked_sub(1) else {
            return;
        };
        let row = self.grid.row_mut(last);
        for (cell, run) in row.iter_mut().zip(runs).skip(1) {
            if cell.len() >= run.1 - run.0 && !looks_numeric(cell) {
                *cell = Cow::Borrowed("");
            }
        }
    }

    /// Does the row just cut hold its first cell only, where the rows above hold more?
    fn only_first_cell(&self) -> bool {
        let alone = |cells: &[Cow<'a, str>]| cells.iter().skip(1).all(|c| c.is_empty());
        let cells = self.grid.open_cells();
        cells.len() > 2 && alone(cells) && !self.grid.is_empty() && !alone(self.grid.row(self.grid.len() - 1))
    }

    /// Does the row just cut hold its first cell only, below the identifier of a statement?
    fn is_below_identifier(&self) -> bool {
        let cells = self.grid.open_cells();
        let alone = cells.len() > 1 && cells.iter().skip(1).all(|c| c.is_empty());
        let is_word =
            |above: &Cow<'a, str>| is_identifier(above) && above.bytes().any(|b| b.is_ascii_lowercase());
        alone && !self.grid.is_empty() && self.grid.row(self.grid.len() - 1).first().is_some_and(is_word)
    }

    /// Can a row go on with the text of the one above it?
    fn may_go_on(&self) -> bool {
        self.rows != Rows::Lists && self.cut_at != self.grid.len() && !self.grid.is_empty()
    }

    /// Does the row just cut only go on with the text of the row above (wrapped names)?
    fn continues(&mut self, line: Line<'a>, runs: &Runs) -> bool {
        if !self.may_go_on() {
            return false;
        }
        let last = self.grid.len() - 1;
        let above = self.grid.row(last);
        let cells = self.grid.open_cells();
        // Several cells may be wrapped, as counts beside each other: `123/4`, in the next line `567`.
        let mut filled = cells.iter().enumerate().filter(|(_, c)| !c.is_empty()).peekable();
        if filled.peek().is_none() {
            return false;
        }
        // Columns narrower than those of a release wrap names at their blanks: one that is listed is whole.
        let listed = match (above.first(), cells.first()) {
            (Some(above), Some(cell)) if self.only_first_cell() && above.len() + cell.len() < 64 => {
                let whole = [format!("{above} {cell}"), format!("{above}{cell}")];
                whole.into_iter().find(|name| names::is_listed(name))
            }
            _ => None,
        };
        if let Some(name) = listed {
            self.grid.abandon_row();
            if let Some(own) = self.grid.row_mut(last).first_mut() {
                *own = Cow::Owned(name);
            }
            return true;
        }
        let goes_on = |(column, cell): (usize, &Cow<'a, str>)| {
            // No number is longer; what goes on without end is not looked at from its beginning each time.
            const LONGEST: usize = 64;
            let (Some(run), Some(above)) = (runs.get(column), above.get(column)) else { return false };
            // Names of events and statistics are clipped, never wrapped: this one lost its numbers.
            let clipped = ["Wait Event", "Timed", "Foreground Events", "Activity Stats", "Time Model"];
            if column == 0
                && (looks_numeric(cell) || clipped.iter().any(|title| self.section.title.contains(title)))
            {
                return false;
            }
            // What is left of words may be a number, which begins where they do.
            let begins = || line.ascii && line.text.as_bytes().get(run.0).is_some_and(|b| *b != b' ');
            let parted = || above.bytes().take(LONGEST).any(|b| matches!(b, b'/' | b'='));
            above.len() >= run.1 - run.0
                && (above.len() > LONGEST || !looks_numeric(above))
                && (!looks_numeric(cell) || parted() && begins())
        };
        if !filled.all(goes_on) {
            return false;
        }
        let cells = cells.to_vec();
        self.grid.abandon_row();
        for (own, rest) in self.grid.row_mut(last).iter_mut().zip(cells).filter(|(_, c)| !c.is_empty()) {
            own.to_mut().push_str(&rest);
        }
        true
    }

    /// The rest of names that Statspack of 8i and 9i wraps above the numbers of a row: in the columns that the line
    /// above fills, and not where the numbers stand.
    fn rest_of_names(
        &self,
        (first, line): (Line<'a>, Line<'a>),
        (ruler, second): (&Ruler, &Ruler),
    ) -> Option<Vec<(usize, &'a str)>> {
        let (above, below) = (first.text.as_bytes(), line.text.as_bytes());
        let filled = |at: usize, bytes: &[u8]| bytes.get(at).is_some_and(|b| *b != b' ');
        let numbers = second.runs.first()?;
        if !first.ascii || !line.ascii || filled(numbers.1.checked_sub(1)?, below) {
            return None;
        }
        if below.len() > ruler.runs.last()?.1 {
            return None;
        }
        let mut pieces = Vec::new();
        let mut from = 0;
        for (column, run) in ruler.runs.iter().enumerate() {
            if below.get(from..run.0.min(below.len())).is_some_and(|gap| gap.iter().any(|b| *b != b' ')) {
                return None;
            }
            from = run.1;
            let piece = line.text.get(run.0..run.1.min(below.len())).map_or("", str::trim_ascii_end);
            if piece.is_empty() {
                continue;
            }
            let before = self.rest.iter().rev().find(|(c, _)| *c == column);
            let full = match before {
                Some((_, before)) => before.len() == run.1 - run.0,
                None => filled(run.0, above) && filled(run.1 - 1, above),
            };
            if !full || piece.starts_with(' ') {
                return None;
            }
            pieces.push((column, piece));
        }
        (!pieces.is_empty()).then_some(pieces)
    }

    /// Puts the rest of its names behind those of the row just cut.
    fn add_rest(&mut self) {
        if self.rest.is_empty() {
            return;
        }
        let mut cells = self.grid.open_cells().to_vec();
        self.grid.abandon_row();
        for (column, piece) in self.rest.drain(..) {
            if let Some(cell) = cells.get_mut(column) {
                cell.to_mut().push_str(piece);
            }
        }
        cells.into_iter().for_each(|cell| self.grid.push_cell(cell));
    }

    /// Puts a row right that does not fit the ruler, where its cells leave no doubt.
    fn realign(&mut self, line: Line<'a>, runs: &Runs) -> bool {
        let Some(pattern) = self.pattern(runs.len()) else {
            return false;
        };
        if let Some(cells) = without_width(line.text, runs) {
            cells.into_iter().for_each(|c| self.grid.push_cell(Cow::Borrowed(c)));
            self.grid.end_row(line.number);
            return true;
        }
        // Shifted as a whole: a blank more or less at the beginning of the line.
        let mut candidate = Runs::with_capacity(runs.len());
        let indent = line.text.len() - line.text.trim_start().len();
        for shift in 1..=40_usize {
            for to_the_right in [false, true] {
                let moved = |at: usize| if to_the_right { Some(at + shift) } else { at.checked_sub(shift) };
                let first = runs.first().and_then(|r| moved(r.0));
                let before = first.map(|first| first.min(line.text.len()));
                if before.is_none_or(|before| before > indent || !line.text.is_char_boundary(before)) {
                    continue;
                }
                candidate.clear();
                candidate.extend(runs.iter().map_while(|r| Some((moved(r.0)?, moved(r.1)?))));
                if candidate.len() < runs.len() {
                    continue;
                }
                if self.cut_slowly(line, &candidate) {
                    if self.matches_pattern(&pattern) && self.ends_in_place(line, &candidate) {
                        self.grid.end_row(line.number);
                        return true;
                    }
                    self.grid.abandon_row();
                }
            }
        }
        // Blanks collapsed: as many words as columns, each of its column's kind.
        // Behind a name alone they may be the rest of its row.
        let behind_name = self.grid.len().checked_sub(1).is_some_and(|last| {
            self.grid.row_line(last).saturating_add(1) == line.number
                && self.grid.row(last).iter().skip(1).all(|c| c.is_empty())
        });
        if behind_name {
            return false;
        }
        if let Some(cells) = by_words(line.text, &pattern) {
            cells.into_iter().for_each(|c| self.grid.push_cell(Cow::Borrowed(c)));
            self.grid.end_row(line.number);
            return true;
        }
        false
    }

    /// Which columns hold numbers, by the rows so far, else by the usual shape: a name, then numbers.
    fn pattern(&self, width: usize) -> Option<Vec<bool>> {
        if self.grid.columns.len() != width || width < 2 {
            return None;
        }
        let mut numeric = vec![true; width];
        numeric[0] = false;
        if let Some(last) = self.grid.columns.last()
            && last.key().ends_with("class")
        {
            numeric[width - 1] = false;
        }
        for row in 0..self.grid.len().min(5) {
            for (column, cell) in self.grid.row(row).iter().enumerate().take(width) {
                if !looks_numeric(cell) {
                    numeric[column] = false;
                }
            }
        }
        if numeric[0] && self.grid.is_empty() {
            numeric[0] = false;
        }
        Some(numeric)
    }

    fn matches_pattern(&self, pattern: &[bool]) -> bool {
        let cells = self.grid.open_cells();
        let filled = cells.iter().filter(|c| !c.is_empty()).count();
        let numbers = cells.iter().zip(pattern).filter(|(c, n)| **n && !c.is_empty()).count();
        filled * 2 > cells.len()
            && numbers > 0
            && cells.iter().zip(pattern).all(|(cell, numeric)| !numeric || looks_numeric(cell))
            && (pattern[0] || !cells[0].is_empty())
    }

    /// Do the numbers of the row just cut end where their columns do?
    fn ends_in_place(&self, line: Line<'a>, runs: &[(usize, usize)]) -> bool {
        let ends = |cell: &Cow<'a, str>, run: &(usize, usize)| {
            let Cow::Borrowed(cell) = cell else { return true };
            let end = (cell.as_ptr() as usize + cell.len()).saturating_sub(line.text.as_ptr() as usize);
            cell.is_empty() || !looks_numeric(cell) || end == run.1 || end + 1 == run.1
        };
        !line.ascii || self.grid.open_cells().iter().zip(runs).skip(1).all(|(cell, run)| ends(cell, run))
    }

    fn misfit(&mut self, line: Line<'a>) {
        // What stands loose behind the code that held a section is dropped as words: rows of another table are none.
        let of_another = self.closed && self.grid.title == mend::UNTITLED;
        if of_another && line.text.trim_ascii().contains("  ") && holds_numbers(line.text) {
            self.doubt(line);
        } else {
            self.loose.push(line);
        }
    }
}

/// A value that is not there may be printed without its width (sockets of the host on AIX): the numbers
/// behind it all stand left of their columns by so much. The cells of such a row.
fn without_width<'a>(text: &'a str, runs: &[(usize, usize)]) -> Option<Vec<&'a str>> {
    let words = word_positions(text);
    if words.len() + 1 != runs.len() || !text.is_ascii() || !is_numbers(text) {
        return None;
    }
    let end = |word: usize| words[word].0 + words[word].1.len();
    let lacks = (0..words.len()).find(|word| end(*word) != runs[*word].1)?;
    let width = runs[lacks].1 - runs[lacks].0;
    if (lacks..words.len()).any(|word| end(word) + width != runs[word + 1].1) {
        return None;
    }
    let mut cells: Vec<&str> = words.iter().map(|w| w.1).collect();
    cells.insert(lacks, "");
    Some(cells)
}

/// Words to cells where both the count and the kinds agree.
fn by_words<'a>(text: &'a str, pattern: &[bool]) -> Option<Vec<&'a str>> {
    let wide: Vec<&str> = text.trim().split("  ").map(str::trim).filter(|p| !p.is_empty()).collect();
    let kinds_agree = |cells: &[&str]| {
        cells.len() == pattern.len()
            && cells.iter().zip(pattern).all(|(c, numeric)| !numeric || looks_numeric(c))
    };
    if kinds_agree(&wide) {
        return Some(wide);
    }
    // One text column first, numbers, then at most one text column last.
    let last_is_text = !*pattern.last()?;
    let middle = pattern.len() - 1 - usize::from(last_is_text);
    if pattern[0] || pattern[1..=middle].iter().any(|n| !n) {
        return None;
    }
    let words: Vec<(usize, &str)> = word_positions(text);
    let first_number = (1..words.len()).find(|k| {
        words[*k..].len() >= middle && words[*k..*k + middle].iter().all(|w| looks_numeric(w.1) && w.1 != "/")
    })?;
    let after = first_number + middle;
    if last_is_text {
        if after >= words.len() || words[after..].iter().any(|w| looks_numeric(w.1)) {
            return None;
        }
    } else if after != words.len() {
        return None;
    }
    let mut cells = vec![text[words[0].0..words[first_number].0].trim()];
    cells.extend(words[first_number..after].iter().map(|w| w.1));
    if last_is_text {
        cells.push(text[words[after].0..].trim());
    }
    Some(cells)
}

fn word_positions(text: &str) -> Vec<(usize, &str)> {
    text.split_whitespace().map(|w| (w.as_ptr() as usize - text.as_ptr() as usize, w)).collect()
}

/// Columns of a ruler; `None` where the line is none.
pub(super) fn runs_of(text: &str) -> Option<Runs> {
    runs(Line::new(0, text))
}

/// Folded headings over the columns of a ruler.
pub(super) fn headings_over(lines: &[Line<'_>], runs: &[(usize, usize)]) -> Vec<String> {
    let mut found = Vec::new();
    put_together(lines, runs, &mut Headings::default(), &mut found);
    found.iter().map(|c| c.key().to_owned()).collect()
}

/// Adds the columns of a ruler with the headings in the lines above it.
pub(super) fn columns_over(lines: &[Line<'_>], runs: &[(usize, usize)], found: &mut Vec<Column>) {
    columns(lines, runs, &mut Headings::default(), found);
}

/// The dash runs of a ruler; `None` where the line is none, as nearly all.
#[inline]
fn runs(line: Line<'_>) -> Option<Runs> {
    line.marks.is_ruler().then(|| runs_in(line))
}

fn runs_in(line: Line<'_>) -> Runs {
    let mut found = Runs::new();
    find_runs(line, &mut found);
    found
}

/// Are these the dash runs of a line, which is a ruler?
fn has_runs(line: Line<'_>, runs: &[(usize, usize)]) -> bool {
    match Bits::filled(line.text.as_bytes()).filter(|_| line.ascii && line.marks.is_ruler()) {
        Some(bits) => {
            let (mut others, mut same) = (runs.iter(), true);
            bits.runs(|from, to| same &= others.next() == Some(&(from, to)));
            same && others.next().is_none()
        }
        None => self::runs(line).is_some_and(|found| found == runs),
    }
}

/// Finds the dash runs of a ruler, in memory that was used before.
#[inline(never)]
fn find_runs(line: Line<'_>, found: &mut Runs) {
    found.clear();
    let bytes = line.text.as_bytes();
    if let Some(bits) = Bits::filled(bytes).filter(|_| line.ascii) {
        found.reserve(bits.count_runs() as usize + 1);
        bits.runs(|from, to| found.push((from, to)));
        return;
    }
    let mut start = None;
    for (i, b) in bytes.iter().enumerate() {
        match (*b == b' ', start) {
            (false, None) => start = Some(i),
            (true, Some(s)) => {
                found.push((s, i));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(s) = start {
        found.push((s, bytes.len()));
    }
}

/// A long number, one with decimals, a time of day or a release.
fn is_of_data(word: &str) -> bool {
    let only = |mark: u8| word.bytes().all(|b| b.is_ascii_digit() || b == mark);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits >= 7 && only(b'.') || digits >= 4 && word.contains(':') && only(b':') || {
        let inside = word.get(1..word.len().saturating_sub(1)).is_some_and(|inner| inner.contains('.'));
        inside && digits >= 2 && only(b'.')
    }
}

fn runs_at(lines: &[Line<'_>], at: usize) -> bool {
    lines.get(at).is_some_and(|l| l.marks.is_ruler())
}

/// Is a ruler only a line under a heading that spans columns of the ruler below it?
fn group_of(upper: &Runs, lines: &[Line<'_>], (end, lower): &(usize, Runs)) -> bool {
    let aligned = upper.iter().all(|u| {
        let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
        lower.iter().any(|l| near(l.0, u.0)) && lower.iter().any(|l| near(l.1, u.1))
    });
    let spans = upper.iter().any(|u| lower.iter().filter(|l| l.0 >= u.0 && l.1 <= u.1).count() >= 2);
    // Names that fill the upper runs, with the numbers on the next line, make a row of two lines.
    let named = upper.len() > 1
        && upper[0].0 <= 1
        && lines.get(end + 1).is_some_and(|l| {
            // One name alone, however long, is that of a ruler still further up.
            let beyond_first = !slice(l.text, l.ascii, upper[0].1, usize::MAX).trim().is_empty();
            beyond_first && fits(l.text, l.ascii, upper) && !fits_numbers(*l, lower)
        })
        && lines.get(end + 2).is_some_and(|l| fits_numbers(*l, lower));
    (aligned && spans && !named && !(upper.len() == 1 && upper[0].0 <= 1))
        || upper.first().is_some_and(|r| r.0 > 8)
}

/// A second ruler within a few heading lines below the one at `at`, with nothing like data between.
fn second_ruler(lines: &[Line<'_>], at: usize) -> Option<(usize, Runs)> {
    for ahead in 2..=5 {
        let line = lines.get(at + ahead)?;
        if lines[at + ahead - 1].is_blank() || line.marks.is_end() {
            return None;
        }
        if let Some(found) = runs(*line) {
            let between = &lines[at + 1..at + ahead];
            let data = between.iter().any(|l| {
                // Most headings hold no digit.
                if !l.text.bytes().any(|b| b.is_ascii_digit()) {
                    return false;
                }
                let (mut words, mut numbers) = (0_usize, 0_usize);
                for word in l.text.split_whitespace() {
                    words += 1;
                    // `1st` and `2nd` head the columns of compare-period reports.
                    let number = word.starts_with(|c: char| c.is_ascii_digit())
                        && looks_numeric(word)
                        && !matches!(word, "1st" | "2nd");
                    numbers += usize::from(number);
                    // Identifiers, times and releases stand in no heading.
                    if is_of_data(word) {
                        return true;
                    }
                }
                numbers * 2 > words
            });
            return (!data).then_some((at + ahead, found));
        }
    }
    None
}

/// A second ruler, or the one below it where that only groups the columns of the next one.
fn lowest_ruler(lines: &[Line<'_>], (end, runs): (usize, Runs)) -> Option<(usize, Runs)> {
    match second_ruler(lines, end) {
        Some(below) if group_of(&runs, lines, &below) => Some(below),
        _ => Some((end, runs)),
    }
}

/// The ruler of a row's third line, directly below its heading: one cell of every row, its container.
fn last_ruler(lines: &[Line<'_>], above: usize) -> Option<(usize, (usize, usize))> {
    let heading = lines.get(above + 1).filter(|l| !l.is_blank() && !l.marks.is_ruler())?;
    let ruler = lines.get(above + 2).filter(|l| l.marks.is_ruler() && !l.marks.is_end())?;
    let found = runs(*ruler)?;
    let [run] = found.as_slice() else { return None };
    let words = heading.text.trim_ascii();
    let over = heading.text.len() <= run.1 && heading.text.len() - words.len() >= run.0;
    (over && !words.contains("  ") && !words.bytes().any(|b| b.is_ascii_digit())).then_some((above + 2, *run))
}

/// The container that a report of a pluggable database names below each row: `   PDB: SALES`.
#[inline(never)]
fn container_of(line: Line<'_>) -> Option<&str> {
    let name = line.text.trim_ascii().strip_prefix("PDB:")?.trim_ascii();
    (line.text.starts_with(' ') && !name.is_empty() && !name.contains(' ')).then_some(name)
}

/// Is it the rule under columns of numbers, above the line with their sum?
fn is_rule_above_sum(lines: &[Line<'_>], at: usize) -> bool {
    let (Some(rule), Some(below)) = (lines.get(at), lines.get(at + 1)) else { return false };
    rule.text.starts_with(' ')
        && match rule.first {
            b'-' => below.text.starts_with("sum "),
            b'~' => rule.marks.is_ruler() && below.is_of_instances(),
            _ => false,
        }
}

/// Is a ruler coming before the next blank line?
fn ruler_follows(lines: &[Line<'_>], at: usize) -> bool {
    header_ahead(lines, at).is_some()
}

/// Are the lines of a section of a copy that lost its blank lines? Those behind the rule that ends it are of the next.
pub(super) fn has_no_blank_lines(lines: &[Line<'_>]) -> bool {
    let is_gap = |line: &Line<'_>| line.is_blank() && !line.is_title_again();
    // Nearly every section has one near its begin.
    let Some(first) = lines.iter().position(is_gap) else { return true };
    !lines[first..].iter().any(|line| !line.is_blank())
}

/// Does a label with its value stand in a line: `Buffer  Hit   %:   93.53`?
fn is_label_with_value(text: &str) -> bool {
    /// No line of labels is longer; what goes on without end is not looked at from each colon on.
    const LONGEST: usize = 200;
    let value = |at: usize| text[at + 1..].split_ascii_whitespace().next();
    text.len() <= LONGEST
        && memchr::memchr_iter(b':', text.as_bytes())
            .filter_map(value)
            .any(|word| word != "%" && looks_numeric(word))
}

/// Does a remark go on in a line above the headings, as where a copy has no blank lines? Set in as a remark's words are,
/// or its lists: the end of a sentence, words beside each other where the ruler parts columns, or below such words.
fn is_of_remark(lines: &[Line<'_>], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    let words = line.text.trim_ascii_start();
    let indent = line.text.len() - words.len();
    if !(2..=6).contains(&indent) {
        return false;
    }
    // Between sentences two blanks stand, and anywhere in headings.
    let between_sentences = |(at, _)| words[..at].ends_with('.');
    let is_set_in_like_above = || {
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        indent > 3 && above.is_some_and(|above| blanks::indent(above.text.as_bytes()) == indent)
    };
    words.match_indices("  ").all(between_sentences)
        && (words.ends_with('.')
            || is_set_in_like_above()
            || header_ahead(lines, at)
                .and_then(|ruler| runs(lines[ruler]))
                .is_some_and(|runs| !fits(line.text, line.ascii, &runs)))
}

/// Where the headings begin in lines above a ruler: below the last one that says something, as in a copy without blank
/// lines warnings and lists of remarks do. No heading has so many words beside each other, or explains another.
fn below_sentences(lines: &[Line<'_>], runs: &Runs) -> usize {
    const WORDS: usize = 5;
    let says = |at: &usize| {
        let line = &lines[*at];
        let is_said =
            |piece: &str| piece.contains(" - ") || piece.split_ascii_whitespace().nth(WORDS - 1).is_some();
        // Headings stand over their columns.
        !runs_at(lines, at + 1)
            && !fits(line.text, line.ascii, runs)
            && line.text.split("  ").any(is_said)
            && !["--", "~~"].iter().any(|rule| line.text.contains(rule))
    };
    (0..lines.len()).rev().find(says).map_or(0, |at| at + 1)
}

/// Where the ruler stands that the heading beginning at `at` leads to.
fn header_ahead(lines: &[Line<'_>], at: usize) -> Option<usize> {
    for ahead in 0..8 {
        let line = lines.get(at + ahead)?;
        if line.is_blank() || line.marks.is_remark() || line.marks.is_end() {
            return None;
        }
        if line.marks.is_ruler() {
            return Some(at + ahead);
        }
    }
    None
}

/// Does a page end between these lines and the ruler that stands below them, all of the same headings?
fn breaks_headings(above: &[Line<'_>], lines: &[Line<'_>], at: usize) -> bool {
    let Some(below) = header_ahead(lines, at).filter(|_| !above.is_empty()) else { return false };
    runs(lines[below]).is_some_and(|runs| above.iter().all(|line| fits(line.text, line.ascii, &runs)))
}

/// Does every gap of the ruler stay blank in this line, but for an overprinted cell's `####`?
fn fits(text: &str, ascii: bool, runs: &[(usize, usize)]) -> bool {
    let bytes = text.as_bytes();
    let blank = |from: usize, to: usize| {
        if ascii {
            // Most gaps are one byte wide, and nearly all are blank: that is asked first.
            let gap = bytes.get(from..to.min(bytes.len())).unwrap_or_default();
            let hash = |at: usize| bytes.get(at) == Some(&b'#');
            let spilled = |at: usize| hash(at) && (hash(at + 1) || at > 0 && hash(at - 1));
            gap.iter().all(|b| *b == b' ') || gap.iter().zip(from..).all(|(b, at)| *b == b' ' || spilled(at))
        } else {
            text.chars().skip(from).take(to - from).all(|c| c == ' ')
        }
    };
    if let Some(first) = runs.first()
        && first.0 > 0
        && !blank(0, first.0)
    {
        return false;
    }
    runs.windows(2).all(|w| w[0].1 >= w[1].0 || blank(w[0].1, w[1].0))
}

fn fits_numbers(line: Line<'_>, runs: &Runs) -> bool {
    let cell = |r: &(usize, usize)| trimmed(part(line.text, line.ascii, r.0, r.1));
    fits(line.text, line.ascii, runs)
        && runs.iter().skip(1).all(|r| looks_numeric(cell(r)))
        && runs.iter().any(|r| !cell(r).is_empty())
}

/// An identifier in a row of numbers: `7ws837zynp1zv`, or plans of two periods and of both.
pub(super) fn is_identifier(cell: &str) -> bool {
    cell.len() == 13 && cell.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        || cell.contains('/') && cell.bytes().all(|b| b.is_ascii_digit() || b == b'/' || b == b' ')
}

/// A sentence or the title of one, as no statement goes on: words, and no mark that statements are full of.
fn is_prose(text: &str) -> bool {
    let text = text.trim_ascii_start();
    let heading = text.starts_with(['#', '*', '-', '\u{2022}']) && text.contains(' ');
    let mut letters = text.chars();
    let sentence = letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(|c| c.is_lowercase() || c == ' ')
        && text.split_ascii_whitespace().take(3).count() == 3;
    let marks = |b: u8| matches!(b, b'=' | b'(' | b')' | b'_' | b';' | b'$' | b'|' | b'\'' | b'/');
    (heading || sentence) && !text.bytes().any(marks) && !text.contains(" :")
}

/// The identifier of a statement without its last characters: 11.2.0.1 prints it in eleven.
fn is_clipped_identifier(cell: &str) -> bool {
    (10..13).contains(&cell.len())
        && cell.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
        && cell.bytes().any(|b| b.is_ascii_digit())
}

/// Words without numbers: the name of a row whose numbers follow.
fn is_name(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '*' || c == '+' || c == '/')
        && text.len() < 120
}

/// Characters `from..to` of a line; short lines give less.
fn slice(text: &str, ascii: bool, from: usize, to: usize) -> &str {
    if ascii {
        let end = to.min(text.len());
        return text.get(from.min(end)..end).unwrap_or("");
    }
    let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(i, _)| i);
    let (from, to) = (at(from), if to == usize::MAX { text.len() } else { at(to) });
    text.get(from..to.max(from)).unwrap_or("")
}

/// The same without white space around it.
fn part(text: &str, ascii: bool, from: usize, to: usize) -> &str {
    if ascii {
        let (from, to) = filled(text.as_bytes(), from, to);
        return text.get(from..to).unwrap_or("");
    }
    slice(text, ascii, from, to).trim_ascii()
}

/// Adds the headings over the columns of a ruler; see the module's words on groups.
fn columns(header: &[Line<'_>], runs: &[(usize, usize)], headings: &mut Headings, found: &mut Vec<Column>) {
    headings.known(header, runs);
    let known = KNOWN.with_borrow(|known| {
        known.get(headings.key.as_slice()).map(|columns| found.extend_from_slice(columns)).is_some()
    });
    if known {
        return;
    }
    let from = found.len();
    if !squeezed_columns(header, runs, headings, found) {
        put_together(header, runs, headings, found);
    }
    found[from..].iter_mut().for_each(Column::prepare);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        if headings.key.len() <= LONGEST_KNOWN {
            known.insert(headings.key.as_slice().into(), found[from..].into());
        }
    });
}

/// A release prints some hundred tables, at one or two widths.
const MOST_KNOWN: usize = 1_000;
/// Headings are shorter, in bytes, with their places.
const LONGEST_KNOWN: usize = 2_000;

/// Columns by their headings.
type Known = FxHashMap<Box<[u8]>, Box<[Column]>>;

thread_local! {
    /// Columns that were put together before, by their headings and where these stand: the same tables come
    /// in report after report.
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Headings whose wide blanks were squeezed to two stand over the columns of others: they are those of the known table
/// with the same words, or go to the columns in order where they are as many. Where neither is so, no column has one.
fn squeezed_columns(
    header: &[Line<'_>],
    runs: &[(usize, usize)],
    headings: &mut Headings,
    found: &mut Vec<Column>,
) -> bool {
    let Some(last) = header.last().filter(|_| are_squeezed(header, runs)) else { return false };
    let words = |line: &Line<'_>| line.text.split_ascii_whitespace().count();
    let above = || header.iter().flat_map(|l| l.text.split_ascii_whitespace());
    let ruler: Vec<String> = runs.iter().map(|(from, to)| "-".repeat(to - from)).collect();
    let same = |table: &&KnownTable| {
        table.columns.len() == runs.len()
            && table.head.len() == table.ruler + 1
            && table.words_above().eq(above())
    };
    let known =
        BY_RULER.get(&ruler.join(" ")).into_iter().flatten().filter_map(|at| TABLES.get(*at)).find(same);
    if let Some(known) = known
        && let Some(own) = runs_of(known.head[known.ruler])
        && own.len() == runs.len()
    {
        let lines: Vec<Line<'_>> = known.head[..known.ruler].iter().map(|text| Line::new(0, text)).collect();
        put_together(&lines, &own, headings, found);
        return true;
    }
    let in_order = header.len() == 1 || header[..header.len() - 1].iter().all(|l| words(l) <= 3);
    if in_order && words(last) == runs.len() {
        found.extend(last.text.split_ascii_whitespace().map(|word| Column::new("", word)));
    } else {
        found.extend(runs.iter().map(|_| Column::new("", "")));
    }
    true
}

/// Were the wide blanks of headings squeezed, so that nothing stands over the last column?
fn are_squeezed(header: &[Line<'_>], runs: &[(usize, usize)]) -> bool {
    const WIDE: &str = "   ";
    let (Some(last), [.., end]) = (header.last(), runs) else { return false };
    // Nearly all headings reach over the last column.
    last.text.trim_ascii_end().len() <= end.0
        && runs.len() >= FEWEST_SQUEEZED
        && !last.marks.is_ruler()
        && last.blanked == 0
        && last.text.trim_ascii().contains("  ")
        && !header.iter().any(|l| l.text.trim_ascii().contains(WIDE) || l.text.contains('\t'))
}

/// Fewer columns are hardly ever under the headings of others.
const FEWEST_SQUEEZED: usize = 4;

/// Puts headings together, for the first time.
fn put_together(
    header: &[Line<'_>],
    runs: &[(usize, usize)],
    headings: &mut Headings,
    found: &mut Vec<Column>,
) {
    let n = runs.len();
    let (leaf, group) = headings.cleared(n);
    let of_periods = header.iter().any(|line| !period_labels(line, n).is_empty());
    if !of_periods && plain_columns(header, runs, leaf, found) {
        return;
    }
    leaf.iter_mut().for_each(String::clear);
    let append = |to: &mut String, text: &str| {
        let text = text.trim_ascii();
        if !text.is_empty() {
            if !to.is_empty() {
                to.push(' ');
            }
            to.push_str(text);
        }
    };
    // Lines above a ruler inside the heading are group headings over its runs.
    let inner = header.iter().rposition(|l| l.marks.is_ruler());
    for (index, line) in header.iter().enumerate() {
        if line.marks.is_ruler() {
            continue;
        }
        let text = line.text;
        let ascii = line.ascii;
        let length = if ascii { text.len() } else { text.chars().count() };
        let blank = |from: usize, to: usize| {
            let (from, to) = (from.max(line.blanked), to.min(length).max(line.blanked));
            from >= length
                || if ascii {
                    text.as_bytes().get(from..to).is_none_or(|gap| gap.iter().all(|b| *b == b' '))
                } else {
                    slice(text, ascii, from, to).trim().is_empty()
                }
        };
        let above_group =
            inner.filter(|r| index < *r).and_then(|r| self::runs(header[r])).unwrap_or_default();
        // Labels may stand a little beside their rulers: as many labels as rulers belong to them in
        // order.
        let labels: Vec<&str> = if line.blanked == 0 && above_group.len() > 1 {
            text.split("  ").map(str::trim).filter(|l| !l.is_empty()).collect()
        } else {
            Vec::new()
        };
        if !labels.is_empty() && labels.len() == above_group.len() {
            for (run, label) in above_group.iter().zip(labels) {
                for (column, own) in runs.iter().enumerate() {
                    if own.0 + 1 >= run.0 && own.1 <= run.1 + 1 {
                        append(&mut group[column], label);
                    }
                }
            }
            continue;
        }
        // Labels that lost the blanks between them stand over rulers of others.
        let cut = |at: usize| at > 0 && !blank(at - 1, at) && !blank(at, at + 1);
        let torn = above_group.len() > 1
            && (above_group.iter().any(|run| cut(run.0) || cut(run.1))
                || above_group.windows(2).any(|w| !blank(w[0].1, w[1].0)));
        if torn {
            continue;
        }
        if !above_group.is_empty() {
            for run in &above_group {
                let label = slice(text, ascii, run.0.max(line.blanked), run.1.max(line.blanked)).trim();
                for (column, own) in runs.iter().enumerate() {
                    if own.0 + 1 >= run.0 && own.1 <= run.1 + 1 {
                        append(&mut group[column], label);
                    }
                }
            }
        }
        let periods = period_labels(line, n);
        if !periods.is_empty() {
            let names = n - periods.len();
            periods.iter().zip(leaf.iter_mut().skip(names)).for_each(|(label, leaf)| append(leaf, label));
            continue;
        }
        let mut first = 0;
        while first < n {
            let mut last = first;
            while last + 1 < n && !blank(runs[last].1, runs[last + 1].0) {
                last += 1;
            }
            let from = if first == 0 { 0 } else { runs[first - 1].1.min(runs[first].0) };
            let to = if last + 1 == n { usize::MAX } else { runs[last].1 };
            let covered = above_group.iter().any(|g| runs[first].0 + 1 >= g.0 && runs[last].1 <= g.1 + 1);
            let (from, to) =
                if from < line.blanked { (line.blanked, to.max(line.blanked)) } else { (from, to) };
            let segment = trimmed(part(text, ascii, from, to));
            if !covered && !segment.is_empty() {
                if segment.starts_with("--") && segment.ends_with("--") {
                    let label = segment.trim_matches('-');
                    (first..=last).for_each(|c| append(&mut group[c], label));
                } else if first == last {
                    append(&mut leaf[first], segment);
                } else {
                    let words: Vec<&str> = segment.split_whitespace().collect();
                    if words.len() == last - first + 1 {
                        words.iter().zip(first..).for_each(|(w, c)| append(&mut leaf[c], w));
                    } else {
                        spread(text, ascii, line.blanked, &runs[first..=last], &mut leaf[first..=last]);
                    }
                }
            }
            first = last + 1;
        }
    }
    let last = header.iter().rfind(|l| !l.marks.is_ruler()).filter(|_| header.len() > 1);
    let ascii = last.is_some_and(|l| l.ascii);
    let of_last = |run: &(usize, usize)| {
        last.filter(|l| run.0 >= l.blanked).map_or("", |l| trimmed(part(l.text, ascii, run.0, run.1)))
    };
    found.extend(leaf.iter().zip(group.iter()).zip(runs).map(|((leaf, group), run)| {
        Column::new(group, leaf).with_last_line(of_last(run)).with_width(run.1 - run.0)
    }));
}

/// The headings in a line that names periods alone, `1st  2nd  %Diff`, in order: without the blanks before it, it
/// stands over columns of others. None where they are not those of all columns, or of all behind a first without one.
fn period_labels<'a>(line: &Line<'a>, columns: usize) -> Vec<&'a str> {
    let text = line.text.get(line.blanked..).unwrap_or("").trim_ascii();
    if !text.starts_with("1st") || !text.contains("2nd") {
        return Vec::new();
    }
    let begins = |word: &str| matches!(word, "1st" | "2nd" | "Diff" | "%Diff" | "1st/2nd/Both");
    let words = word_positions(text);
    let starts: Vec<usize> = words.iter().filter(|w| begins(w.1)).map(|w| w.0).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let labels: Vec<&str> =
        starts.iter().zip(ends).map(|(from, to)| text.get(*from..to).unwrap_or("").trim_ascii()).collect();
    // A line that was cut at its end lacks others, and keeps the blanks before it.
    let whole = line.text.starts_with("1st") && labels.last().is_some_and(|last| last.ends_with("Diff"));
    if labels.len() == columns || labels.len() + 1 == columns && whole { labels } else { Vec::new() }
}

/// The same where nothing groups columns and no heading goes beyond its column, as in most tables; `false`,
/// with nothing added, elsewhere.
fn plain_columns<'a>(
    header: &[Line<'a>],
    runs: &[(usize, usize)],
    leaf: &mut [String],
    found: &mut Vec<Column>,
) -> bool {
    let mut bits = [Bits::default(); MOST_HEADINGS];
    if header.len() > MOST_HEADINGS {
        return false;
    }
    let mut gaps = Bits::default();
    runs.windows(2).for_each(|w| gaps.add(w[0].1, w[1].0));
    for (line, bits) in header.iter().zip(&mut bits) {
        let plain = line.ascii && line.blanked == 0 && !line.marks.is_ruler();
        match Bits::filled(line.text.as_bytes()).filter(|bits| plain && !bits.meets(&gaps)) {
            Some(found) => *bits = found,
            None => return false,
        }
    }
    let part = |(line, bits): (&Line<'a>, &Bits), from: usize, to: usize| {
        let to = if line.text.len() <= from + 64 { to.min(from + 64) } else { to };
        match blanks::Cell::new(from, to) {
            Some(cell) => bits.within(cell).map_or("", |(from, to)| line.text.get(from..to).unwrap_or("")),
            None => part(line.text, true, from, to),
        }
    };
    let end_of_last = runs.len().wrapping_sub(1);
    for (column, (run, leaf)) in runs.iter().zip(leaf.iter_mut()).enumerate() {
        let from = column.checked_sub(1).map_or(0, |before| runs[before].1.min(run.0));
        let to = if column == end_of_last { usize::MAX } else { run.1 };
        for line in header.iter().zip(&bits) {
            let segment = part(line, from, to);
            if segment.starts_with("--") {
                return false;
            }
            if !segment.is_empty() {
                if !leaf.is_empty() {
                    leaf.push(' ');
                }
                leaf.push_str(segment);
            }
        }
    }
    let last = header.iter().zip(&bits).next_back().filter(|_| header.len() > 1);
    found.extend(runs.iter().zip(leaf).map(|(run, leaf)| {
        let last = last.map_or("", |last| part(last, run.0, run.1));
        Column::new("", leaf).with_last_line(last).with_width(run.1 - run.0)
    }));
    true
}

/// More lines of headings are rare.
const MOST_HEADINGS: usize = 6;

impl Headings {
    /// All that columns are put together from, as the key that they are known by.
    fn known(&mut self, header: &[Line<'_>], runs: &[(usize, usize)]) {
        self.key.clear();
        for line in header {
            self.key.extend_from_slice(&line.blanked.to_le_bytes());
            self.key.extend_from_slice(line.text.as_bytes());
            self.key.push(b'\n');
        }
        // No line is as long as four bytes can count.
        self.key.extend(runs.iter().flat_map(|(from, to)| (from << 32 | to).to_le_bytes()));
    }

    /// So many empty ones of both.
    fn cleared(&mut self, n: usize) -> (&mut [String], &mut [String]) {
        for kind in [&mut self.leaf, &mut self.group] {
            if kind.len() < n {
                kind.resize(n, String::new());
            }
            kind[..n].iter_mut().for_each(String::clear);
        }
        (&mut self.leaf[..n], &mut self.group[..n])
    }
}

/// Gives each word of a heading to the column that it overlaps most.
fn spread(text: &str, ascii: bool, blanked: usize, runs: &[(usize, usize)], leaf: &mut [String]) {
    if !ascii {
        return;
    }
    for (at, word) in word_positions(text) {
        let end = at + word.len();
        if at < blanked || end <= runs[0].0 || at >= runs[runs.len() - 1].1 {
            continue;
        }
        let overlap = |r: &(usize, usize)| end.min(r.1).saturating_sub(at.max(r.0));
        if let Some(best) = (0..runs.len()).max_by_key(|c| overlap(&runs[*c]))
            && overlap(&runs[best]) > 0
        {
            if !leaf[best].is_empty() {
                leaf[best].push(' ');
            }
            leaf[best].push_str(word);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::text_sections::{lines, split};

    thread_local! {
        /// Are all rows looked at, whatever was seen as they were cut?
        pub(super) static DOUBTS_ALL: Cell<bool> = const { Cell::new(false) };
    }

    proptest::proptest! {
        #[test]
        fn rows_that_moved_are_told_as_where_all_are_looked_at(
            rows in proptest::collection::vec(
                ("(log file sync|N/A|12|a b  7|x|Name  12  [a-z]{1,4}|[A-Z]{0,24})", 0_usize..4, "[0-9,.]{0,9}K?", 0_usize..3, "[0-9.]{0,6}"),
                1..9,
            ),
            named in proptest::prelude::any::<bool>(),
        ) {
            let heading = "Event                           Waits  Time(s)";
            let ruler = "------------------------ ------------ --------";
            let mut text = format!("{heading}\n{ruler}\n");
            for (name, left, count, right, time) in rows {
                if named && left == 3 {
                    text.push_str(&format!("{name}\n"));
                }
                let own = if named && left == 3 { "" } else { name.as_str() };
                let row = format!("{own:<24} {count:>12}{:left$} {time:>8}", "");
                // Moved to the left again, where blanks leave room.
                let row = if right > 0 { row.replacen(&" ".repeat(right + 1), " ", 1) } else { row };
                text.push_str(row.trim_end());
                text.push('\n');
            }
            let quick = read(&text, Rows::Plain);
            DOUBTS_ALL.set(true);
            let plain = read(&text, Rows::Plain);
            DOUBTS_ALL.set(false);
            proptest::prop_assert_eq!(quick, plain);
        }
    }

    proptest::proptest! {
        #[test]
        fn a_ruler_is_known_again_by_its_runs(
            text in " ?(-{2,9} {1,3}){0,4}-{3,9}",
            other in " ?(-{2,9} {1,3}){0,4}-{3,9}",
            long in proptest::prelude::any::<bool>(),
        ) {
            let text = if long { format!("{text} {}", "-".repeat(300)) } else { text };
            let own = runs_of(&text);
            let other = runs_of(&other);
            for found in own.iter().chain(&other) {
                let same = has_runs(Line::new(1, &text), found);
                proptest::prop_assert_eq!(same, own.as_ref() == Some(found));
            }
            proptest::prop_assert!(!has_runs(Line::new(1, "no ruler"), &Runs::new()));
        }
    }

    type Found = (Vec<String>, Vec<Vec<String>>);

    fn read(text: &str, rows: Rows) -> Vec<Found> {
        let mut found = Vec::new();
        let mut lines = lines(text);
        let mut store = Store::default();
        for section in split(&mut lines, |_| false) {
            tables(&section, rows, &mut store, |g| {
                let names = g.columns.iter().map(|c| c.name.to_string()).collect();
                let cells =
                    (0..g.len()).map(|r| g.row(r).iter().map(ToString::to_string).collect()).collect();
                found.push((names, cells));
            });
        }
        found.retain(|f: &Found| !f.0.is_empty());
        found
    }

    #[test]
    fn blank_cells_do_not_shift_their_neighbours() {
        let found = read(
            "                           Total\nEvent                      Waits  <1ms  <2ms   >1s\n\
             -------------------------- ----- ----- ----- -----\n\
             Data Guard: Gap Manager        1             100.0\n\
             LGWR wait for redo copy        3  33.3        33.3\n",
            Rows::Plain,
        );
        assert_eq!(found[0].0, ["Event", "Total Waits", "<1ms", "<2ms", ">1s"]);
        assert_eq!(found[0].1[1], ["LGWR wait for redo copy", "3", "33.3", "", "33.3"]);
    }

    #[test]
    fn labels_stand_left_of_the_ruler() {
        let found = read(
            "Load Profile                    Per Second   Per Transaction\n\
             ~~~~~~~~~~~~~~~            ---------------   ---------------\n\
             \x20            DB Time(s):               1.4               0.9\n\
             \x20           Transactions:               1.6\n",
            Rows::Plain,
        );
        assert_eq!(found[0].0[1..], ["Per Second", "Per Transaction"]);
        assert!(!found[0].0[0].contains("Per"), "{:?}", found[0].0);
        assert_eq!(found[0].1, [["DB Time(s):", "1.4", "0.9"], ["Transactions:", "1.6", ""]]);
    }

    #[test]
    fn two_rulers_make_two_lines_a_row_even_across_a_page_break() {
        let page = "Tablespace\n------------------------------\n                 Av      Av\n\
                    \x20        Reads Reads/s Rd(ms)\n-------------- ------- ------\n";
        let text = format!(
            "File IO Stats  DB/Inst: A/a\n{page}SOE\n       518,528     576    8.8\n\
             \u{c}File IO Stats  DB/Inst: A/a\n\n{page}SYSAUX\n         1,461       2    6.4\n"
        );
        let found = read(&text, Rows::Plain);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, ["Tablespace", "Reads", "Av Reads/s", "Av Rd(ms)"]);
        assert_eq!(found[0].1, [["SOE", "518,528", "576", "8.8"], ["SYSAUX", "1,461", "2", "6.4"]]);
    }

    #[test]
    fn a_first_name_wider_than_its_number_does_not_hide_the_heading_over_both_periods() {
        let text = "Tablespace\n------------------------------\n\
                    \x20    Reads               Writes\n---------------   ---------------\n\
                    \x20   1st     2nd       1st     2nd\n------- -------   ------- -------\n\
                    APP_DATA_OF_MANY_YEARS\n     12      13         4       5\n";
        let found = read(text, Rows::Plain);
        assert_eq!(found[0].0, ["Tablespace", "Reads 1st", "Reads 2nd", "Writes 1st", "Writes 2nd"]);
        assert_eq!(found[0].1, [["APP_DATA_OF_MANY_YEARS", "12", "13", "4", "5"]]);
    }

    #[test]
    fn names_on_their_own_line() {
        let found = read(
            "  Reads:   Reqs\n    Data per sec\n ------- -------\nOthers\n    1.4G     7.9\n\
             \x20Others (Control File)\n    673M     7.6\n",
            Rows::Plain,
        );
        assert_eq!(found[0].0, ["Name", "Reads: Data", "Reqs per sec"]);
        assert_eq!(found[0].1, [["Others", "1.4G", "7.9"], [" Others (Control File)", "673M", "7.6"]]);
    }

    #[test]
    fn statement_text_that_looks_like_a_table_stays_text() {
        let found = read(
            "  Buffer Gets    Executions  %Total Hash Value\n--------------- ------------ ------ ----------\n\
             \x20   680,488,489        7,273    9.8 1774264758\nModule: sqlplus\nSELECT 'X' -- 12 34\n-----\n1 2 3\n\n\
             \x20   450,612,182      107,570    6.5 2709391739\nINSERT\n",
            Rows::Statements,
        );
        let rows = &found[0].1;
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert_eq!(rows[0][4], "sqlplus");
        assert!(rows[0][5].ends_with("1 2 3"), "{:?}", rows[0]);
        assert_eq!(rows[1][3], "2709391739");
    }

    #[test]
    fn a_shifted_or_squeezed_row_is_put_right() {
        let found = read(
            "Event                      Waits  Time(s) Wait Class\n-------------------- ----------- -------- ----------\n\
             log file sync             43,605    2,963 Commit\n\
             \x20\x20\x20db file parallel read       12        3 User I/O\n\
             direct path write temp 89 7 User I/O\n",
            Rows::Plain,
        );
        let rows = &found[0].1;
        assert_eq!(rows[1], ["db file parallel read", "12", "3", "User I/O"]);
        assert_eq!(rows[2], ["direct path write temp", "89", "7", "User I/O"]);
    }

    #[test]
    fn an_overprinted_cell_spills_into_the_gap_before_it() {
        let found = read(
            "P   Cache      Buffer    Busy\n    Hit %        Gets   Waits\n\
             --- ----- ----------- ------\nD    97.3############\nK    97.3          12########\n",
            Rows::Plain,
        );
        assert_eq!(found[0].1[0], ["D", "97.3", "###########", ""]);
        assert_eq!(found[0].1[1], ["K", "97.3", "12", "#######"]);
    }

    #[test]
    fn prose_below_an_excerpt_is_no_row() {
        let found = read(
            "Event                      Waits  Time(s)\n-------------------- ----------- --------\n\
             log file sync             43,605    2,963\n\nAny idea? Thanks\n",
            Rows::Plain,
        );
        assert_eq!(found[0].1, [["log file sync", "43,605", "2,963"]]);
    }

    #[test]
    fn a_heading_over_several_columns_is_their_group() {
        let found = read(
            "               ---------- Read --------- --------- Write --------\n\
             \x20                Data  Requests    Data   Data  Requests    Data\n\
             Function        Volume     /sec  Vol/sec Volume     /sec  Vol/sec\n\
             --------------- ------ -------- -------- ------ -------- --------\n\
             LGWR                4M      .3       .0M   807M   398.5       .9M\n",
            Rows::Plain,
        );
        assert_eq!(found[0].0[1], "Read Data Volume");
        assert_eq!(found[0].0[5], "Write Requests /sec");
    }
}
