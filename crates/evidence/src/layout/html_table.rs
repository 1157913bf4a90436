//! HTML tables to raw tables, in one pass over the bytes and without a document tree.
//!
//! A table belongs to the text that stands last before it, be it a heading or loose text, never to
//! its `summary=`: that attribute is absent in 11.1, shared by many tables and wrong for the buffer
//! pool advisory. Headings may span columns and rows.

use super::flat_text::holds_numbers;
use super::{NO_DATA, most_common, without_sort_mark};
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid, fold, without_dash};
use crate::oracle::{is_any_title, is_title};
use memchr::{memchr, memchr_iter, memchr2_iter, memchr3, memmem};
use std::borrow::Cow;
use wide::{CmpEq, i8x16};

/// What the walk over a page meets.
pub(crate) enum Event<'e, 'a> {
    /// A table with its title and rows.
    Table(&'e mut Grid<'a>),
    /// A heading of the top level: the kind of report, and where a second report begins.
    TopHeading { text: &'e str, line: u32 },
    /// The page's `<title>`.
    PageTitle(&'e str),
    /// Lines of text outside of cells, from one byte of the page to another.
    Lines { from: usize, to: usize },
    /// A section heading without a table; `no_data` if the page says so.
    Empty { title: &'e str, line: u32, no_data: bool },
}

#[derive(Clone, Copy, PartialEq)]
enum CellKind {
    None,
    Data,
    Heading,
}

/// How far the caption of a table was met.
#[derive(Clone, Copy, PartialEq)]
enum Caption {
    /// There is none, or it is over.
    No,
    Empty,
    /// Its first paragraph: the title.
    Title,
    /// What follows the title.
    Behind,
}

/// A cell above the first row of data: part of the headings, or of that row.
struct HeadingCell<'a> {
    text: Cow<'a, str>,
    heading: bool,
    columns: usize,
    rows: usize,
}

/// A cell that goes on in the rows below.
struct Carried<'a> {
    column: usize,
    columns: usize,
    /// Rows that it still goes on in.
    rows: usize,
    text: Cow<'a, str>,
}

/// Rows below the first of a table, all of whose cells so far are marked up as headings.
#[derive(Default)]
struct HeadedRows<'a> {
    /// Group and heading of each column, above them.
    columns: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    rows: Vec<(u32, Vec<Cow<'a, str>>)>,
    /// Line of the first with numbers, and how many have some: those are rows of data.
    numbers: Option<(u32, u32)>,
    /// Has one of them other cells than there are columns?
    odd: bool,
}

struct Walk<'a, F> {
    text: &'a str,
    sink: F,
    grid: Grid<'a>,
    /// Innermost heading, and loose text since; the later is the title.
    heading: Cow<'a, str>,
    heading_line: u32,
    heading_level: u8,
    heading_open: bool,
    heading_used: bool,
    title: Cow<'a, str>,
    title_line: u32,
    remarks: Vec<(u32, Cow<'a, str>)>,
    in_table: bool,
    in_list_item: bool,
    in_link: bool,
    in_page_title: bool,
    caption: Caption,
    /// Line of the title that the table met last stood under, and did the one before stand under it, too?
    titled_at: u32,
    titled_before: bool,
    /// Is a cell open whose table another one ended?
    in_stray_cell: bool,
    no_data: bool,
    cell: Cow<'a, str>,
    cell_kind: CellKind,
    cell_columns: usize,
    cell_rows: usize,
    row_has_data: bool,
    /// Rows of the table at hand with another number of cells than it has headings, and that number.
    amiss: Vec<(usize, usize)>,
    /// Does each heading of the table at hand span columns?
    wide_headings: bool,
    /// Do the headings of the table at hand stand in one row, each over one column?
    plain_headings: bool,
    /// The table at hand as it is where all of its rows are marked up as headings.
    headed_rows: HeadedRows<'a>,
    /// Cells of rows above that go on in the row at hand, by column, and how many of them stand in it already.
    carried: Vec<Carried<'a>>,
    carried_laid: usize,
    /// Cells of the row at hand that go on below it.
    carried_next: Vec<Carried<'a>>,
    /// How many cells may still be laid so.
    carried_room: usize,
    /// How many more cells and bytes of headings cells may still stand for that span columns.
    spanned_room: usize,
    /// Did a blank end the text of the cell at hand?
    blank_due: bool,
    /// Does the cell at hand hold text whose lines count?
    keeps_lines: bool,
    /// Did text stand outside of tables since the last one, and before the one at hand?
    fresh: bool,
    titled: bool,
    /// Was the heading used before the table at hand?
    used_before: bool,
    /// The columns of the table before, and which of them hold numbers, or words; empty where the title of a
    /// section stands between.
    before: Vec<(Column, Option<bool>)>,
    /// Title of the table before, and its line.
    title_before: (Cow<'a, str>, u32),
    /// Did a heading, or the title of a section, stand outside of tables since the last one?
    headed: bool,
    /// Does a cell of the row at hand span columns, as the text of a statement below its numbers?
    spans_columns: bool,
    /// Cells of a row below data: is it a heading, how many columns and rows it spans. Empty as long as
    /// every cell is a plain one.
    row_spans: Vec<(bool, usize, usize)>,
    row_line: u32,
    heading_row: Vec<HeadingCell<'a>>,
    /// Group heading, heading and rows that it still spans, of each column.
    header: Vec<(Cow<'a, str>, Cow<'a, str>, usize)>,
    /// Line of the byte up to which line ends were counted.
    line: u32,
    counted: usize,
    opening_tags: OpeningTags<'a>,
    /// Ends of remarks, scripts and styles that stand nowhere in the rest of the text.
    nowhere: Vec<&'static [u8]>,
    /// The opening tag of the plain heading met last.
    heading_tag: &'a [u8],
}

/// The opening tags of plain cells (data, one column, one row): a cell's is that of the cell two
/// rows above, since rows are coloured by turns.
struct OpeningTags<'a>([[&'a [u8]; 2]; 32]);

impl<'a> OpeningTags<'a> {
    fn at(&mut self, row: usize, column: usize) -> &mut &'a [u8] {
        &mut self.0[column % 32][row % 2]
    }
}

/// A title is shorter, in bytes.
const LONGEST_TITLE: usize = 200;

/// Nearly every table has fewer cells: room for them is made once.
const MOST_CELLS: usize = 4_000;

/// Cells that go on in rows below are laid so often in a page, so many at once, and of text so long.
const MOST_CARRIED: usize = 100_000;
const MOST_AT_ONCE: usize = 64;
const LONGEST_CARRIED: usize = 400;

/// A layout table has so few rows before what it holds begins.
const MOST_LAYOUT_ROWS: usize = 8;

/// Calls `sink` for every table, heading and empty section of a page, in order.
pub(crate) fn walk<'a>(text: &'a str, sink: impl FnMut(Event<'_, 'a>)) {
    let mut walk = Walk {
        text,
        sink,
        grid: Grid::with_room(MOST_CELLS / 8, MOST_CELLS),
        heading: Cow::Borrowed(""),
        heading_line: 1,
        heading_level: 0,
        heading_open: false,
        heading_used: true,
        title: Cow::Borrowed(""),
        title_line: 1,
        remarks: Vec::new(),
        in_table: false,
        in_list_item: false,
        in_link: false,
        in_page_title: false,
        caption: Caption::No,
        titled_at: 0,
        titled_before: false,
        in_stray_cell: false,
        no_data: false,
        cell: Cow::Borrowed(""),
        cell_kind: CellKind::None,
        cell_columns: 1,
        cell_rows: 1,
        row_has_data: false,
        amiss: Vec::new(),
        wide_headings: false,
        plain_headings: false,
        headed_rows: HeadedRows::default(),
        carried: Vec::new(),
        carried_laid: 0,
        carried_next: Vec::new(),
        carried_room: MOST_CARRIED,
        spanned_room: MOST_CARRIED + text.len() / 8,
        blank_due: false,
        keeps_lines: false,
        fresh: true,
        titled: true,
        used_before: true,
        before: Vec::new(),
        title_before: (Cow::Borrowed(""), 0),
        headed: true,
        spans_columns: false,
        row_spans: Vec::new(),
        row_line: 1,
        heading_row: Vec::new(),
        header: Vec::new(),
        line: 1,
        counted: 0,
        opening_tags: OpeningTags([[b""; 2]; 32]),
        nowhere: Vec::new(),
        heading_tag: b"",
    };
    walk.run();
}

impl<'a, F: FnMut(Event<'_, 'a>)> Walk<'a, F> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut from = 0;
        let mut position = 0;
        while let Some(mut open) = next_tag(bytes, position) {
            if !is_tag(&bytes[open..]) {
                // A bare `<` in text.
                position = open + 1;
                continue;
            }
            if open > from {
                self.piece(&self.text[from..open], from);
            }
            if self.in_table {
                let end = self.plain_rows(open);
                if !is_tag(&bytes[end..]) {
                    (position, from) = (end, end);
                    continue;
                }
                open = end;
            }
            if bytes[open..].starts_with(b"<!--") {
                position = match self.end_of(open, b"-->") {
                    Some(end) => end + 3,
                    // What somebody cut or edited has no end: the rest of the report is no remark.
                    None => open + 4,
                };
                from = position;
                continue;
            }
            let Some(TagEnd { close, certain, holds_tag }) = tag_end(bytes, open) else {
                break;
            };
            if let Some(page) = holds_tag.then(|| page_within(bytes, open, close)).flatten() {
                // The page was cut off within this tag, and another one follows.
                (position, from) = (page, page);
                continue;
            }
            position = self.tag(open + 1, close, certain);
            from = position;
        }
        if from < bytes.len() && position <= bytes.len() {
            self.piece(&self.text[from..], from);
        }
        // A page that ends inside a cell was cut there: what the cell holds may be half a number.
        if self.cell_kind == CellKind::Data && !self.cell.is_empty() {
            self.cell = Cow::Borrowed("####");
        }
        self.close_table();
        self.leave_heading();
    }

    fn line_at(&mut self, position: usize) -> u32 {
        if position > self.counted {
            let ends = line_ends(&self.text.as_bytes()[self.counted..position]);
            self.line = self.line.saturating_add(ends);
            self.counted = position;
        }
        self.line
    }

    /// Rows of data, as far as their cells hold nothing but text or a link: nearly all of a page.
    /// Begins at the tag at `from` and returns where something else stands.
    fn plain_rows(&mut self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        // Lines are counted on the way, since most end between cells.
        let mut more_lines = 0;
        loop {
            at = match &bytes[at..] {
                [b'<', b't' | b'T', b'd' | b'D', ..] if self.carried.is_empty() => {
                    let found = if self.cell_kind == CellKind::None && !self.grid.is_empty() {
                        self.plain_cells(at, &mut more_lines)
                    } else {
                        let tag = *self.opening_tag();
                        self.plain_cell(at, tag, false, &mut more_lines)
                    };
                    match found {
                        Some(end) => end,
                        None => break,
                    }
                }
                // Headings below data may begin another table.
                [b'<', b't' | b'T', b'h' | b'H', ..] if self.grid.is_empty() => {
                    match self.plain_cell(at, self.heading_tag, true, &mut more_lines) {
                        Some(end) => end,
                        None => break,
                    }
                }
                [b'<', b'/', b't' | b'T', b'r' | b'R', b'>', ..] => {
                    self.close_row();
                    at + 5
                }
                [b'<', b't' | b'T', b'r' | b'R', b'>', ..] => {
                    // Nearly every row has ended before the next one begins.
                    if self.row_has_data || self.cell_kind != CellKind::None || !self.heading_row.is_empty() {
                        self.close_row();
                    }
                    self.row_line = self.line_at(from).saturating_add(more_lines);
                    at + 4
                }
                [b'<', b'/', b't' | b'T', b'd' | b'D' | b'h' | b'H', b'>', ..] => {
                    self.close_cell();
                    at + 5
                }
                _ => break,
            };
            while let Some(b'\n' | b'\r') = bytes.get(at) {
                more_lines += u32::from(bytes[at] == b'\n');
                at += 1;
            }
        }
        if at > from {
            self.line = self.line_at(from).saturating_add(more_lines);
            self.counted = at;
        }
        at
    }

    /// The cells of a row of data, below another, as far as they are plain ones: returns where the next tag
    /// stands, and adds the lines up to it. `None` where the first is no plain one.
    fn plain_cells(&mut self, from: usize, more_lines: &mut u32) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        let row = self.grid.len() % 2;
        let mut column = self.grid.open_cells().len();
        // Spans are told once there is another cell in the row.
        let spanned = !self.row_spans.is_empty();
        while let Some((cell, end)) = self.text_of_cell(at, self.opening_tags.0[column % 32][row], more_lines)
        {
            if spanned {
                self.row_spans.push((false, 1, 1));
            }
            self.grid.push_cell(cell);
            column += 1;
            at = end;
            while let Some(b'\n' | b'\r') = bytes.get(at) {
                *more_lines += u32::from(bytes[at] == b'\n');
                at += 1;
            }
        }
        self.row_has_data |= at > from;
        (at > from).then_some(at)
    }

    /// A cell that holds nothing but text or a link, where `tag` opens it at `at`; returns where it
    /// ends, and adds the lines that end in it.
    fn plain_cell(&mut self, at: usize, tag: &[u8], heading: bool, more_lines: &mut u32) -> Option<usize> {
        let (cell, end) = self.text_of_cell(at, tag, more_lines)?;
        if self.cell_kind != CellKind::None {
            self.close_cell();
        }
        if self.grid.is_empty() {
            let text = without_dash(cell);
            self.heading_row.push(HeadingCell { text, heading, columns: 1, rows: 1 });
        } else {
            self.row_has_data = true;
            // Spans are told once there is another cell in the row.
            if !self.row_spans.is_empty() {
                self.row_spans.push((false, 1, 1));
            }
            self.grid.push_cell(cell);
        }
        Some(end)
    }

    /// What stands in a cell that holds nothing but text or a link, where `tag` opens it at `at`, and where it
    /// ends; adds the lines that end in it. Always inline: pages are little else, and a call costs as much again.
    #[inline(always)]
    fn text_of_cell(&mut self, at: usize, tag: &[u8], more_lines: &mut u32) -> Option<(Cow<'a, str>, usize)> {
        let bytes = self.text.as_bytes();
        if tag.is_empty() || !begins_with(&bytes[at..], tag) {
            return None;
        }
        let start = at + tag.len();
        let end = text_end(bytes, start);
        if ends_cell(&bytes[end..]) {
            let cell = &self.text[start..end];
            // Few cells begin or end in a blank.
            let blank = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
            let blanks = blank(bytes[start..end].first()) || blank(bytes[start..end].last());
            return Some((Cow::Borrowed(if blanks { cell.trim_ascii() } else { cell }), end + 5));
        }
        self.odd_text_of_cell(start, end, more_lines)
    }

    /// The same of a cell that begins at `start` and holds a reference, an end of a line or a link at `end`.
    #[inline(never)]
    fn odd_text_of_cell(
        &mut self,
        start: usize,
        end: usize,
        more_lines: &mut u32,
    ) -> Option<(Cow<'a, str>, usize)> {
        let bytes = self.text.as_bytes();
        Some(match &bytes[end..] {
            [b'&', b'#', b'1', b'6', b'0', b';', b'<', b'/', b't', b'd', b'>', ..]
            | [b'&', b'n', b'b', b's', b'p', b';', b'<', b'/', b'T', b'D', b'>', ..]
                if end == start =>
            {
                (Cow::Borrowed(""), end + 11)
            }
            _ => {
                let (cell, end) = self.cell_of_pieces(start)?;
                *more_lines += line_ends(&bytes[start..end]);
                (cell, end)
            }
        })
    }

    /// The text of a cell that holds references, ends of lines or one link, and where it ends.
    fn cell_of_pieces(&mut self, start: usize) -> Option<(Cow<'a, str>, usize)> {
        let bytes = self.text.as_bytes();
        let mut text = "";
        // The tag of the link met last, empty once it is closed.
        let mut link = None;
        let mut at = start;
        loop {
            let end = at + find_near(b'<', &bytes[at..])?;
            let piece = self.text[at..end].trim_ascii();
            if !piece.is_empty() {
                if !text.is_empty() {
                    return None;
                }
                text = piece;
            }
            at = match &bytes[end..] {
                [b'<', b'/', b't' | b'T', b'd' | b'D' | b'h' | b'H', b'>', ..] => {
                    if let Some(tag) = link {
                        self.in_link = leads_somewhere(tag);
                    }
                    return Some((self.in_one_line(unescape(text), 1), end + 5));
                }
                [b'<', b'a' | b'A', b' ', ..] => {
                    let close = tag_end(bytes, end)?.close;
                    link = Some(&bytes[end..close]);
                    close + 1
                }
                [b'<', b'/', b'a' | b'A', b'>', ..] => {
                    link = Some(&[]);
                    end + 4
                }
                _ => return None,
            };
        }
    }

    /// The opening tag to be expected where the next cell begins.
    fn opening_tag(&mut self) -> &mut &'a [u8] {
        let (row, column) = match self.grid.len() {
            0 => (0, self.heading_row.len()),
            row => (row, self.grid.open_cells().len()),
        };
        self.opening_tags.at(row, column)
    }

    /// Text between two tags.
    fn piece(&mut self, raw: &'a str, at: usize) {
        let trimmed = raw.trim_ascii();
        if self.cell_kind != CellKind::None {
            self.piece_of_cell(raw, trimmed);
            return;
        }
        if trimmed.is_empty() {
            return;
        }
        (self.sink)(Event::Lines { from: at, to: at + raw.len() });
        let begins_a_word = trimmed.as_bytes()[0].is_ascii_alphanumeric();
        if begins_a_word && !self.in_table && !self.in_page_title && !self.heading_open {
            // Most of what stands outside of tables are links, and most bytes those of whole reports: both no titles.
            let no_title = self.in_link || !self.in_list_item && is_long(trimmed);
            if no_title && !trimmed.starts_with(NO_DATA) {
                self.fresh = true;
                return;
            }
        }
        let text = without_chapter(lines_joined(unescape(trimmed)));
        // Editors put a blank that does not break into each empty paragraph.
        if !begins_a_word && text.trim().is_empty() && !self.in_stray_cell {
            return;
        }
        if self.in_table {
            if self.caption != Caption::No {
                let line = self.line_at(at);
                self.caption(text, line);
                return;
            }
            // A report begins where one before it was cut, or a section where the end of a table lacks.
            if !trimmed.starts_with("WORKLOAD REPOSITORY") && !is_section(&text) {
                return;
            }
            self.close_table();
        }
        self.fresh = true;
        if self.in_page_title {
            (self.sink)(Event::PageTitle(&text));
        } else if self.heading_open {
            if self.heading.is_empty() {
                self.heading_line = self.line_at(at);
                self.heading = text;
            } else {
                let joined = self.heading.to_mut();
                joined.push(' ');
                joined.push_str(&text);
                self.heading = without_chapter(std::mem::take(&mut self.heading));
            }
        } else if self.in_list_item {
            if !self.in_link {
                let line = self.line_at(at);
                self.remarks.push((line, text));
            }
        } else if text.starts_with(NO_DATA) {
            self.no_data = true;
        } else if !self.in_link && text.len() < LONGEST_TITLE {
            let titles = is_section(&text);
            self.headed |= titles;
            if !titles && !self.heading_used && is_section(&self.title) {
                // Words between the title of a section and its table, as the field by which a page searches it.
                let line = self.line_at(at);
                self.remarks.push((line, text));
                return;
            }
            if self.heading_used {
                self.leave_heading();
            }
            self.title_line = self.line_at(at);
            self.title = text;
            self.remarks.clear();
        }
    }

    /// Text between two tags of a cell. Blanks between tags part words as others do.
    fn piece_of_cell(&mut self, raw: &'a str, trimmed: &'a str) {
        if trimmed.is_empty() {
            self.blank_due |= !self.cell.is_empty();
            return;
        }
        if self.cell.is_empty() {
            self.cell = unescape(trimmed);
        } else {
            let more = unescape(raw);
            let parted = self.cell.ends_with(char::is_whitespace) || more.starts_with(char::is_whitespace);
            let blank = self.blank_due || raw.len() > raw.trim_ascii_start().len();
            let cell = self.cell.to_mut();
            if blank && !parted {
                cell.push(' ');
            }
            cell.push_str(&more);
        }
        self.blank_due = raw.len() > raw.trim_ascii_end().len();
    }

    /// The text of a cell over so many columns as a browser shows it: an end of a line between words is a blank.
    fn in_one_line(&self, text: Cow<'a, str>, columns: usize) -> Cow<'a, str> {
        if find_near(b'\n', text.as_bytes()).is_none() || self.holds_statement(columns) {
            return text;
        }
        lines_joined(text)
    }

    /// Is the cell at hand one of statements, whose lines count since they end comments?
    #[inline(never)]
    fn holds_statement(&self, columns: usize) -> bool {
        let column = match self.grid.len() {
            0 => self.heading_row.len(),
            _ => self.grid.open_cells().len(),
        };
        let headed = self.header.get(column).map_or("", |(_, leaf, _)| leaf);
        columns > 1 || headed.as_bytes().windows(4).any(|word| word.eq_ignore_ascii_case(b"text"))
    }

    /// Handles the tag between `start` (after `<`) and `close` (its `>`); returns where to go on.
    fn tag(&mut self, start: usize, close: usize, certain: bool) -> usize {
        let bytes = self.text.as_bytes();
        let body = &bytes[start..close];
        let closing = body.first() == Some(&b'/');
        let body = if closing { &body[1..] } else { body };
        let (name, name_length) = tag_name(body);
        let after = close + 1;
        match (name, closing) {
            // Parts of a caption.
            (H1 | H2 | H3 | H4 | H5 | BR | P | DIV | LI | UL, _)
                if self.caption != Caption::No && self.in_table =>
            {
                let behind = self.caption != Caption::Empty;
                self.caption = if behind { Caption::Behind } else { Caption::Empty };
            }
            (TD | TH, false) => {
                let kind = if name == TD { CellKind::Data } else { CellKind::Heading };
                self.open_cell(kind, &body[name_length..]);
                if certain
                    && self.cell_columns == 1
                    && self.cell_rows == 1
                    && find_near(b'\n', &bytes[start..close]).is_none()
                {
                    let tag = &bytes[start - 1..=close];
                    match kind {
                        CellKind::Heading => self.heading_tag = tag,
                        _ => *self.opening_tag() = tag,
                    }
                }
            }
            (TD | TH, true) => {
                self.in_stray_cell = false;
                self.close_cell();
            }
            (TR, false) => {
                // The beginning of a page was cut off, and the tag of its first table with it.
                if !self.in_table && self.title.is_empty() {
                    self.open_table(start);
                }
                self.close_row();
                self.row_line = self.line_at(start);
            }
            (TR, true) => self.close_row(),
            (TABLE, false) => {
                if !self.leave_layout() {
                    self.close_table();
                }
                self.open_table(start);
            }
            // A page begins where one before it was cut: what the open cell holds may be half a number.
            (HTML | HEAD | BODY, false) if self.in_table => {
                if self.cell_kind == CellKind::Data && !self.cell.is_empty() {
                    self.cell = Cow::Borrowed("####");
                }
                self.close_table();
            }
            (HTML | BODY, true) => self.close_table(),
            (PRE, false) => self.keeps_lines = true,
            (TABLE, true) => self.close_table(),
            (BR | P, _)
                if self.cell_kind != CellKind::None
                    && !self.cell.is_empty()
                    && !self.cell.ends_with(char::is_whitespace) =>
            {
                self.cell.to_mut().push(' ');
            }
            // Part of a cell.
            (H1 | H2 | H3 | H4 | H5, true) if self.cell_kind != CellKind::None => {}
            (H1 | H2 | H3 | H4 | H5, false) if !self.leaves_table(name) => {}
            (H1 | H2 | H3 | H4 | H5, false) => {
                self.fresh = true;
                self.headed = true;
                self.leave_heading();
                self.heading_open = true;
                self.heading_level = name.to_le_bytes()[1] - b'0';
                self.heading = Cow::Borrowed("");
                self.remarks.clear();
                self.no_data = false;
            }
            (H1 | H2 | H3 | H4 | H5, true) => {
                self.heading_open = false;
                self.heading_used = false;
                self.heading = Cow::Owned(squeeze(without_going_on(&self.heading)));
                self.title = self.heading.clone();
                self.title_line = self.heading_line;
                if self.heading_level == 1 {
                    (self.sink)(Event::TopHeading { text: &self.heading, line: self.heading_line });
                    self.heading_used = true;
                }
            }
            (LI, false) => {
                if self.in_table {
                    self.leave_layout();
                }
                self.in_list_item = true;
            }
            (LI | UL, true) => self.in_list_item = false,
            (A, false) => self.in_link = leads_somewhere(body),
            (A, true) => self.in_link = false,
            (CAPTION, _) => self.caption = if closing { Caption::No } else { Caption::Empty },
            // A statement that writes pages names theirs.
            (TITLE, false) => self.in_page_title = self.cell_kind == CellKind::None,
            (TITLE, true) => self.in_page_title = false,
            (SCRIPT, false) => return self.skip_to(after, b"</script", b"</SCRIPT"),
            (STYLE, false) => return self.skip_to(after, b"</style", b"</STYLE"),
            // A mark of a note, or an exponent: the digits before it are not all of the number.
            (SUP, false) if !self.cell.is_empty() => self.cell.to_mut().push('^'),
            // What somebody struck out, or what no browser shows.
            (DEL, false) => return self.skip_in_cell(after, b"del"),
            (STRIKE, false) => return self.skip_in_cell(after, b"strike"),
            (S, false) => return self.skip_in_cell(after, b"s"),
            (SPAN, false) if is_hidden(body) => return self.skip_in_cell(after, b"span"),
            _ => {}
        }
        after
    }

    /// Behind what is no text; where it does not end, right here.
    fn skip_to(&mut self, after: usize, end: &'static [u8], end_upper: &'static [u8]) -> usize {
        match self.end_of(after, end) {
            Some(lower) => {
                let before = &self.text.as_bytes()[after..lower];
                memmem::find(before, end_upper).map_or(lower, |at| after + at)
            }
            None => self.end_of(after, end_upper).unwrap_or(after),
        }
    }

    /// Behind what is no text of the cell at hand; where that does not end in it, right here.
    fn skip_in_cell(&self, after: usize, name: &[u8]) -> usize {
        /// More is no cell, and what never ends costs no more.
        const FARTHEST: usize = 4_096;
        if self.cell_kind == CellKind::None {
            return after;
        }
        let rest = &self.text.as_bytes()[after..];
        let rest = rest.get(..FARTHEST).unwrap_or(rest);
        for at in memchr_iter(b'<', rest) {
            let tag = &rest[at + 1..];
            let (closing, tag) = tag.strip_prefix(b"/").map_or((false, tag), |tag| (true, tag));
            // Of a table.
            if matches!(tag.first(), Some(b't' | b'T')) {
                return after;
            }
            let is_same = tag.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
            if closing && is_same && tag.get(name.len()) == Some(&b'>') {
                return after + at;
            }
        }
        after
    }

    /// Where these letters stand next. What stands nowhere behind one place stands nowhere behind a later one.
    fn end_of(&mut self, from: usize, letters: &'static [u8]) -> Option<usize> {
        if self.nowhere.contains(&letters) {
            return None;
        }
        let found = memmem::find(&self.text.as_bytes()[from..], letters).map(|at| from + at);
        if found.is_none() {
            self.nowhere.push(letters);
        }
        found
    }

    fn open_table(&mut self, at: usize) {
        self.in_table = true;
        self.in_stray_cell = false;
        self.heading_open = false;
        self.before.clear();
        if !std::mem::replace(&mut self.headed, false)
            && self.grid.columns.len() >= 2
            && !self.grid.is_empty()
        {
            self.remember_columns();
        }
        self.titled = std::mem::replace(&mut self.fresh, false);
        self.titled_before = std::mem::replace(&mut self.titled_at, self.title_line) == self.title_line;
        self.caption = Caption::No;
        self.used_before = self.heading_used;
        self.grid.clear();
        self.grid.line = self.line_at(at);
        if !self.title.is_empty() {
            self.grid.line = self.title_line;
        }
        self.grid.title = self.title.clone();
        self.grid.parent = self.heading.clone();
        self.grid.remarks.append(&mut self.remarks);
        self.heading_used = true;
        self.header.clear();
        self.headed_rows = HeadedRows::default();
        self.heading_row.clear();
        self.row_has_data = false;
        self.carry_nothing();
        self.amiss.clear();
    }

    /// The columns of the table read last: one without headings may go on where it ended.
    #[inline(never)]
    fn remember_columns(&mut self) {
        // A column that holds both tells nothing.
        let kind = |column: usize| {
            let cells = (0..self.grid.len()).filter_map(|row| self.grid.row(row).get(column));
            let mut kinds = cells.filter(|cell| !cell.is_empty()).map(|cell| looks_numeric(cell));
            let first = kinds.next()?;
            kinds.all(|kind| kind == first).then_some(first)
        };
        let kinds: Vec<_> = (0..self.grid.columns.len()).map(kind).collect();
        self.before.extend(self.grid.columns.iter().cloned().zip(kinds));
        self.title_before = (self.grid.title.clone(), self.grid.line);
    }

    /// Does a table without headings hold what the one right before it does, as where a page ended between them?
    fn goes_on(&self) -> bool {
        let fits = |row: &[Cow<'_, str>]| {
            row.len() == self.before.len()
                && row.iter().zip(&self.before).all(|(cell, (_, number))| {
                    cell.is_empty() || number.is_none_or(|number| number == looks_numeric(cell))
                })
        };
        // Where words stand between, numbers have to tell.
        (!self.titled || self.before.iter().any(|(_, number)| *number == Some(true)))
            && !self.grid.is_empty()
            && (0..self.grid.len()).all(|row| fits(self.grid.row(row)))
    }

    /// Takes the table at hand for the rest of the one before, where it is: marks of pages may stand between them, and
    /// the same headings again.
    #[inline(never)]
    fn go_on(&mut self) {
        if self.grid.title != self.title_before.0 && !is_page_mark(&self.grid.title) {
            return;
        }
        if self.grid.columns.is_empty() {
            if !self.goes_on() {
                return;
            }
            self.grid.columns.extend(self.before.drain(..).map(|(column, _)| column));
        } else if !self
            .grid
            .columns
            .iter()
            .map(Column::key)
            .eq(self.before.iter().map(|(column, _)| column.key()))
        {
            return;
        }
        if self.grid.title != self.title_before.0 {
            (self.grid.title, self.grid.line) = self.title_before.clone();
            self.title = self.grid.title.clone();
            self.title_line = self.grid.line;
        }
    }

    /// Text of the caption of the table at hand: its title, unless it stands under one of its own that is no
    /// section's; and remarks behind the title.
    fn caption(&mut self, text: Cow<'a, str>, line: u32) {
        let text = squeezed(text);
        match self.caption {
            Caption::Title => {
                let title = self.grid.title.to_mut();
                title.push(' ');
                title.push_str(&text);
            }
            Caption::Behind if is_section(&self.grid.title) || !is_section(&text) => {
                self.grid.remarks.push((line, text));
                return;
            }
            _ => {
                // One that stands over the table before, too, is none of its own.
                let own = self.titled && !self.titled_before;
                if own && (text.len() >= 200 || !is_section(&text)) {
                    return;
                }
                self.caption = Caption::Title;
                self.before.clear();
                self.grid.title = text;
            }
        }
        self.title = self.grid.title.clone();
        (self.grid.line, self.title_line, self.titled_at) = (line, line, line);
    }

    /// Does a heading end the table at hand? In a cell of a table of data it belongs to the cell.
    fn leaves_table(&mut self, name: u64) -> bool {
        if !self.in_table || name == H1 || self.cell_kind == CellKind::None {
            if !self.leave_layout() {
                // A page that was cut off inside a cell.
                if self.in_table && self.cell_kind == CellKind::Data && !self.cell.is_empty() {
                    self.cell = Cow::Borrowed("####");
                }
                self.close_table();
            }
            return true;
        }
        if self.cell_kind == CellKind::Heading || !matches!(name, H2 | H3) {
            return false;
        }
        if !self.leave_layout() {
            // The text of a cell whose end was left out, as that of its table.
            if self.cell.is_empty() && !self.is_layout() {
                return false;
            }
            self.close_table();
        }
        true
    }

    /// Has the table at hand no headings, and one cell a row at most that is not blank?
    fn is_layout(&self) -> bool {
        let one = |cells: &[Cow<'_, str>]| cells.iter().filter(|cell| !cell.is_empty()).count() <= 1;
        self.header.is_empty()
            && self.grid.len() <= MOST_LAYOUT_ROWS
            && self.heading_row.iter().all(|cell| !cell.heading)
            && self.heading_row.iter().filter(|cell| !cell.text.is_empty()).count() <= 1
            && (0..self.grid.len()).all(|row| one(self.grid.row(row)))
            && one(self.grid.open_cells())
    }

    /// Takes the table at hand for one that lays out the page, where nothing stands in it but the title of what it
    /// holds: there is no such table.
    #[inline(never)]
    fn leave_layout(&mut self) -> bool {
        if !self.in_table || self.cell_kind == CellKind::Heading || !self.is_layout() {
            return false;
        }
        let Some(title) = self.layout_title() else { return false };
        self.in_table = false;
        self.cell_kind = CellKind::None;
        self.cell = Cow::Borrowed("");
        self.heading_row.clear();
        self.row_spans.clear();
        self.row_has_data = false;
        self.remarks.append(&mut self.grid.remarks);
        self.grid.clear();
        self.fresh = self.titled;
        self.heading_used = self.used_before;
        if let Some(title) = title {
            if self.heading_used {
                self.leave_heading();
            }
            self.fresh = true;
            self.title_line = self.row_line;
            self.title = squeezed(title);
            self.remarks.clear();
        }
        true
    }

    /// The only text of the table at hand, where it is the title of a section; `None` where there is other text.
    #[allow(clippy::option_option, reason = "no text at all is something else than other text")]
    fn layout_title(&self) -> Option<Option<Cow<'a, str>>> {
        let rows = (0..self.grid.len()).flat_map(|row| self.grid.row(row)).chain(self.grid.open_cells());
        let cells = rows.chain(self.heading_row.iter().map(|cell| &cell.text)).chain([&self.cell]);
        let mut texts = cells.filter(|text| !text.is_empty());
        match (texts.next(), texts.next()) {
            (None, _) => Some(None),
            (Some(text), None) if is_section(text) => Some(Some(text.clone())),
            _ => None,
        }
    }

    fn carry_nothing(&mut self) {
        self.carried.clear();
        self.carried_next.clear();
        self.carried_laid = 0;
    }

    /// A cell of the row being built goes on in rows below it.
    #[inline(never)]
    fn carry(&mut self, text: Cow<'a, str>, columns: usize, rows: usize) {
        let column = self.grid.open_cells().len();
        let room = MOST_AT_ONCE.saturating_sub(self.carried_next.iter().map(|cell| cell.columns).sum());
        // Where there are too many the rows below lack cells, and are left out.
        if columns <= room {
            let text = if text.len() > LONGEST_CARRIED { Cow::Borrowed("") } else { text };
            self.carried_next.push(Carried { column, columns, rows: rows - 1, text });
        }
    }

    /// Lays the cells that go on from rows above, up to the next place that is free.
    #[inline(never)]
    fn lay_carried(&mut self) {
        while let Some(cell) = self.carried.get(self.carried_laid) {
            let at = self.grid.open_cells().len();
            if cell.column > at || cell.columns > self.carried_room {
                return;
            }
            self.carried_laid += 1;
            if cell.column < at {
                // A cell over several columns stands there.
                continue;
            }
            self.carried_room -= cell.columns;
            if self.row_spans.is_empty() {
                self.row_spans.resize(at, (false, 1, 1));
            }
            self.row_spans.push((false, cell.columns, 1));
            self.grid.push_cell(cell.text.clone());
            self.grid.push_cells((1..cell.columns).map(|_| Cow::Borrowed("")));
        }
    }

    /// The next row begins.
    #[inline(never)]
    fn turn_carried(&mut self) {
        self.carried_laid = 0;
        self.carried.retain_mut(|cell| {
            cell.rows -= 1;
            cell.rows > 0
        });
        self.carried.append(&mut self.carried_next);
        self.carried.sort_by_key(|cell| cell.column);
    }

    fn open_cell(&mut self, kind: CellKind, attributes: &[u8]) {
        self.close_cell();
        self.in_stray_cell = !self.in_table;
        if !self.in_table {
            return;
        }
        self.caption = Caption::No;
        self.cell_kind = kind;
        self.cell = Cow::Borrowed("");
        self.blank_due = false;
        self.keeps_lines = false;
        self.cell_columns = 1;
        self.cell_rows = 1;
        // Most cells have no `p` in their attributes, hence no span.
        if spans(attributes) {
            self.cell_columns = self.in_room(span(attributes, b"colspan"), 1);
            self.cell_rows = span(attributes, b"rowspan");
        }
    }

    /// How many columns a cell of so many takes, each of so many bytes: one as soon as those before it took too many,
    /// since a few bytes can ask for thousands of cells.
    fn in_room(&mut self, columns: usize, bytes: usize) -> usize {
        match self.spanned_room.checked_sub((columns - 1) * bytes) {
            Some(room) => {
                self.spanned_room = room;
                columns
            }
            None => 1,
        }
    }

    fn close_cell(&mut self) {
        let kind = std::mem::replace(&mut self.cell_kind, CellKind::None);
        let mut cell = std::mem::replace(&mut self.cell, Cow::Borrowed(""));
        if let Cow::Owned(text) = &mut cell {
            text.truncate(text.trim_end().len());
        }
        if !self.keeps_lines {
            cell = self.in_one_line(cell, self.cell_columns);
        }
        match kind {
            CellKind::None => {}
            kind if self.grid.is_empty() => {
                // Each column keeps the text.
                let columns = match self.cell_columns {
                    1 => 1,
                    columns => self.in_room(columns, cell.len()),
                };
                self.heading_row.push(HeadingCell {
                    text: without_dash(cell),
                    heading: kind == CellKind::Heading,
                    columns,
                    rows: self.cell_rows,
                });
            }
            CellKind::Data | CellKind::Heading => {
                self.row_has_data = true;
                if !self.carried.is_empty() {
                    self.lay_carried();
                }
                if self.cell_rows > 1 {
                    self.carry(cell.clone(), self.cell_columns, self.cell_rows);
                }
                if self.row_spans.is_empty() {
                    self.row_spans.resize(self.grid.open_cells().len(), (false, 1, 1));
                }
                self.row_spans.push((kind == CellKind::Heading, self.cell_columns, self.cell_rows));
                self.grid.push_cell(cell);
                for _ in 1..self.cell_columns {
                    self.grid.push_cell(Cow::Borrowed(""));
                }
            }
        }
    }

    fn close_row(&mut self) {
        if self.cell_kind != CellKind::None {
            self.close_cell();
        }
        if self.row_has_data {
            self.row_has_data = false;
            if !self.carried.is_empty() {
                self.lay_carried();
            }
            if self.is_heading_again() {
                self.next_part();
                self.carry_nothing();
            } else {
                self.end_row();
                if !self.carried.is_empty() || !self.carried_next.is_empty() {
                    self.turn_carried();
                }
            }
            self.row_spans.clear();
        } else if !self.heading_row.is_empty() {
            // Headings, with blanks above the columns that have no group: a row of data has a cell
            // that is not blank and no heading.
            let row = &self.heading_row;
            if row.iter().any(|c| c.heading) && row.iter().all(|c| c.heading || c.text.is_empty()) {
                self.add_heading_row();
                return;
            }
            let mut row = std::mem::take(&mut self.heading_row);
            for cell in row.drain(..) {
                if cell.rows > 1 {
                    self.carry(cell.text.clone(), cell.columns, cell.rows);
                }
                self.spans_columns |= cell.columns > 1;
                self.grid.push_cell(cell.text);
                for _ in 1..cell.columns {
                    self.grid.push_cell(Cow::Borrowed(""));
                }
            }
            // The next table needs as much memory.
            self.heading_row = row;
            self.end_row();
            if !self.carried_next.is_empty() {
                self.turn_carried();
            }
        }
    }

    /// Ends a row of data, and remembers one that has not as many cells as the table has headings.
    fn end_row(&mut self) {
        let row = self.grid.open_cells();
        let cells = row.len();
        // Editors add rows that only set widths.
        if row.first().is_none_or(|cell| cell.is_empty()) && row.iter().all(|cell| cell.is_empty()) {
            self.spans_columns = false;
            self.grid.abandon_row();
            return;
        }
        if cells != self.header.len() {
            self.is_amiss(cells);
        }
        self.spans_columns = false;
        self.grid.end_row(self.row_line);
    }

    #[inline(never)]
    fn is_amiss(&mut self, cells: usize) {
        let spans_columns = self.spans_columns || self.row_spans.iter().any(|s| s.1 > 1);
        let row = self.grid.open_cells();
        // A single cell is a remark, or a name that lost its numbers.
        if self.header.len() < 2 || cells < 2 || spans_columns {
            return;
        }
        // Behind a label those cells may lack that have no heading (`In-Memory Area:`), and blank ones
        // may follow its only value (`Elapsed:`).
        if row[0].ends_with(':') {
            let headed = self.header.iter().rposition(|h| !h.1.is_empty()).map_or(0, |last| last + 1);
            let only_value = row[1..].iter().filter(|c| !c.is_empty()).count() < 2;
            if cells == headed || cells > self.header.len() && only_value {
                return;
            }
        }
        self.amiss.push((self.grid.len(), cells));
    }

    /// A row that lost a cell, or holds one twice, is left out: which of its cells stand under which
    /// heading cannot be told. Where headings span rows or columns, pages of Exadata have fewer or more
    /// of them than every row has cells: there, rows are as most of them are.
    fn leave_out_amiss(&mut self) {
        let amiss = std::mem::take(&mut self.amiss);
        if amiss.is_empty() {
            return;
        }
        let rows = self.grid.len();
        // Labels may have no heading: rates have one.
        if self.header.first().is_some_and(|(_, leaf, _)| fold(leaf) == "persecond")
            && amiss.len() == rows
            && amiss.iter().all(|a| a.1 == self.header.len() + 1)
        {
            self.header.insert(0, (Cow::Borrowed(""), Cow::Borrowed(""), 0));
            return;
        }
        let mut dropped: Vec<usize> = amiss.iter().map(|a| a.0).collect();
        if !self.plain_headings {
            let (cells, alike) = most_common(amiss.iter().map(|a| a.1));
            if alike * 2 > rows {
                let mut sound = amiss.iter().filter(|a| a.1 == cells).map(|a| a.0).peekable();
                dropped = (0..rows).filter(|row| sound.next_if_eq(row).is_none()).collect();
            } else if amiss.len() == rows {
                return;
            }
        }
        let Some(first) = dropped.first() else { return };
        let count = u32::try_from(dropped.len()).unwrap_or(u32::MAX);
        self.grid.doubtful = Some((self.grid.row_line(*first), count));
        self.grid.drop_rows(&dropped);
    }

    /// Is the row just closed one of headings, below rows of data?
    fn is_heading_again(&self) -> bool {
        // Most rows have plain cells alone.
        if self.row_spans.is_empty() || self.row_spans.iter().filter(|s| s.0).count() < 2 {
            return false;
        }
        let mut at = 0;
        self.row_spans.iter().all(|(heading, columns, _)| {
            let blank = self.grid.open_cells().get(at).is_none_or(|c| c.trim().is_empty());
            at += columns;
            *heading || blank
        })
    }

    /// Other headings below rows of data begin another table under the same title.
    fn next_part(&mut self) {
        let cells = self.grid.open_cells().to_vec();
        self.grid.abandon_row();
        self.leave_out_amiss();
        self.grid.columns.extend(self.header.drain(..).map(|(group, leaf, _)| Column::joined(&group, &leaf)));
        (self.sink)(Event::Table(&mut self.grid));
        self.grid.clear_columns();
        self.grid.clear_rows();
        let mut at = 0;
        for (heading, columns, rows) in self.row_spans.drain(..) {
            let text = cells.get(at).cloned().unwrap_or_default();
            self.heading_row.push(HeadingCell { text, heading, columns, rows });
            at += columns;
        }
        self.add_heading_row();
    }

    /// Lays a row of headings over the columns, under those that span into it.
    fn add_heading_row(&mut self) {
        let mut row = std::mem::take(&mut self.heading_row);
        self.lay_headings(&mut row);
        // The next table needs as much memory.
        row.clear();
        self.heading_row = row;
    }

    fn lay_headings(&mut self, row: &mut Vec<HeadingCell<'a>>) {
        if self.header.is_empty() {
            self.headed_rows = HeadedRows::default();
            // A single heading over the whole table is its title.
            if let [only] = row.as_mut_slice()
                && (only.columns > 1 || is_section(&only.text))
            {
                let own = squeezed(std::mem::take(&mut only.text));
                // Beneath the title of a section it is none.
                let title = &self.grid.title;
                if !self.titled || !is_title(&fold(title)) || is_title(&fold(&own)) {
                    self.grid.title = own;
                }
                return;
            }
            self.wide_headings = row.iter().all(|c| c.columns > 1);
            self.plain_headings = row.iter().all(|c| c.columns == 1 && c.rows == 1);
            for cell in row.drain(..) {
                let text = squeezed(cell.text);
                let rows = cell.rows.saturating_sub(1);
                for _ in 1..cell.columns.min(1_000) {
                    if self.header.len() > 2_000 {
                        break;
                    }
                    self.header.push((Cow::Borrowed(""), text.clone(), rows));
                }
                if self.header.len() <= 2_000 {
                    self.header.push((Cow::Borrowed(""), text, rows));
                }
            }
            return;
        }
        self.see_headed_row(row);
        if std::mem::replace(&mut self.plain_headings, false) {
            self.group_anew(row);
        }
        let mut column = 0;
        for cell in row.drain(..) {
            let text = squeezed(cell.text);
            for _ in 0..cell.columns.min(1_000) {
                while self.header.get(column).is_some_and(|c| c.2 > 0) {
                    self.header[column].2 -= 1;
                    column += 1;
                }
                if column > 2_000 {
                    break;
                }
                if column == self.header.len() {
                    self.header.push((Cow::Borrowed(""), Cow::Borrowed(""), 0));
                }
                let (group, leaf, rows) = &mut self.header[column];
                let above = std::mem::replace(leaf, text.clone());
                if group.is_empty() {
                    *group = above;
                } else if !above.is_empty() {
                    let group = group.to_mut();
                    group.push(' ');
                    group.push_str(&above);
                }
                *rows = cell.rows.saturating_sub(1);
                column += 1;
            }
        }
    }

    /// Remembers a row of headings below another: where no row is marked up as data, it may be one.
    fn see_headed_row(&mut self, row: &[HeadingCell<'a>]) {
        let cells: Vec<Cow<'a, str>> = row.iter().map(|cell| cell.text.clone()).collect();
        let (numbers, line) = (holds_numbers(&cells), self.row_line);
        let found = &mut self.headed_rows;
        // Below headings that span others there may be more of them.
        if found.columns.is_empty() && !self.plain_headings && !numbers {
            return;
        }
        if found.columns.is_empty() {
            found.columns =
                self.header.iter().map(|(group, leaf, _)| (group.clone(), leaf.clone())).collect();
            found.odd = self.header.iter().any(|(.., rows)| *rows > 0);
        }
        found.odd |=
            row.iter().any(|cell| cell.columns > 1 || cell.rows > 1) || cells.len() != found.columns.len();
        if numbers {
            let (first, rows) = found.numbers.unwrap_or((line, 0));
            found.numbers = Some((first, rows.saturating_add(1)));
        }
        if found.odd {
            found.rows.clear();
        } else {
            found.rows.push((line, cells));
        }
    }

    /// A table without a row of data: what stands below its first headings, and holds numbers, is marked up as
    /// headings, too.
    #[inline(never)]
    fn rows_from_headings(&mut self) {
        /// Headings take fewer rows.
        const MANY: usize = 4;
        let found = std::mem::take(&mut self.headed_rows);
        if found.odd {
            // Which cell stands under which heading cannot be told.
            self.grid.doubtful = found.numbers;
            return;
        }
        if found.numbers.is_none() && found.rows.len() < MANY {
            return;
        }
        self.header = found.columns.into_iter().map(|(group, leaf)| (group, leaf, 0)).collect();
        for (line, cells) in found.rows {
            if cells.iter().any(|cell| !cell.is_empty()) {
                self.grid.push_cells(cells.into_iter());
                self.grid.end_row(line);
            }
        }
    }

    /// Groups that lost how many columns they span stand over fewer than there are. Where the same headings come
    /// again under each, that tells; else which heading belongs to which group is unknown.
    fn group_anew(&mut self, row: &mut [HeadingCell<'a>]) {
        let columns = row.iter().map(|cell| cell.columns).sum::<usize>();
        if columns <= self.header.len() || columns != row.len() {
            return;
        }
        for cell in row.iter_mut() {
            cell.text = squeezed(std::mem::take(&mut cell.text));
        }
        let blanks = self.header.iter().take_while(|(_, leaf, _)| leaf.is_empty()).count();
        let groups: Vec<Cow<'a, str>> = self.header.drain(..).skip(blanks).map(|(_, leaf, _)| leaf).collect();
        let under = &row[blanks..];
        let each = under.len() / groups.len().max(1);
        let again = groups.len() > 1
            && each * groups.len() == under.len()
            && groups.iter().all(|group| !group.is_empty())
            && under.chunks(each).all(|own| own.iter().zip(under).all(|(a, b)| a.text == b.text));
        self.header.extend((0..blanks).map(|_| (Cow::Borrowed(""), Cow::Borrowed(""), 0)));
        if again {
            let groups = groups.into_iter().flat_map(|group| std::iter::repeat_n(group, each));
            self.header.extend(groups.map(|group| (Cow::Borrowed(""), group, 0)));
            return;
        }
        // Headings that stand there once need no group.
        let twice: Vec<bool> =
            row.iter().map(|a| row.iter().filter(|b| a.text == b.text).count() > 1).collect();
        for (cell, _) in row.iter_mut().zip(twice).filter(|(_, twice)| *twice) {
            cell.text = Cow::Borrowed("");
        }
    }

    fn close_table(&mut self) {
        if !self.in_table {
            return;
        }
        self.close_row();
        self.leave_out_amiss();
        if self.grid.is_empty() && !self.headed_rows.columns.is_empty() {
            self.rows_from_headings();
        }
        self.in_table = false;
        self.grid.columns.extend(self.header.drain(..).map(|(group, leaf, _)| Column::joined(&group, &leaf)));
        if std::mem::replace(&mut self.wide_headings, false) {
            self.drop_spanned();
        }
        if self.grid.columns.is_empty() && self.grid.len() > 1 {
            self.head_from_first_row();
        }
        if !self.before.is_empty() {
            self.go_on();
        }
        (self.sink)(Event::Table(&mut self.grid));
    }

    /// Drops the columns that cells only span, as those of editors: their heading is the one before, and no cell of
    /// theirs is filled.
    #[inline(never)]
    fn drop_spanned(&mut self) {
        let grid = &mut self.grid;
        let blank = |column: usize| {
            (0..grid.len()).all(|row| grid.row(row).get(column).is_none_or(|cell| cell.is_empty()))
        };
        let again = |column: usize| {
            let (before, own) = (&grid.columns[column - 1], &grid.columns[column]);
            before.name == own.name && before.group == own.group
        };
        let dropped: Vec<bool> = (0..grid.columns.len()).map(|c| c > 0 && again(c) && blank(c)).collect();
        if dropped.contains(&true) {
            grid.drop_columns(&dropped);
        }
    }

    /// Headings that are marked up as data: words only, over a row that holds numbers.
    #[inline(never)]
    fn head_from_first_row(&mut self) {
        let (first, second) = (self.grid.row(0), self.grid.row(1));
        let words = |cell: &&Cow<'a, str>| !cell.is_empty() && !cell.ends_with(':');
        let heads = first.len() >= 3
            && first.len() == second.len()
            && !holds_numbers(first)
            && holds_numbers(second)
            && first.iter().skip(1).all(|cell| words(&cell));
        if heads {
            self.grid.columns = first.iter().map(|cell| Column::joined("", cell)).collect();
            self.grid.drop_rows(&[0]);
        }
    }

    /// A heading that no table followed is a section without data.
    fn leave_heading(&mut self) {
        let no_data = std::mem::take(&mut self.no_data);
        if !self.heading_used && (self.heading_level >= 3 || no_data) && !self.heading.is_empty() {
            (self.sink)(Event::Empty { title: &self.heading, line: self.heading_line, no_data });
        }
        self.heading_used = true;
    }
}

/// Is a text the title of a section?
fn is_section(text: &str) -> bool {
    text.len() < 200 && is_any_title(&fold(text))
}

/// A title without the numbers that an editor puts before each (`3.2. Load Profile`, `12) Load Profile`); anything
/// else as it is.
fn without_chapter(text: Cow<'_, str>) -> Cow<'_, str> {
    // Nearly every text ends here.
    if !text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return without_prefix(text);
    }
    let is_chapter = |b: u8| b.is_ascii_digit() || b == b'.';
    let numbers = text.bytes().take_while(|b| is_chapter(*b)).count();
    let behind = text[numbers..].strip_prefix(')').unwrap_or(&text[numbers..]);
    let title = behind.trim_start();
    let parted = title.len() < text.len() - numbers && numbers <= LONGEST_CHAPTER;
    if !parted || !is_section(title) || is_section(&text) {
        return text;
    }
    let from = text.len() - title.len();
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[from..]),
        Cow::Owned(text) => Cow::Owned(text[from..].to_owned()),
    }
}

/// A title without what somebody put before each: `Table 7: Load Profile`, `PROD1: Load Profile`, `### Load Profile`.
fn without_prefix(text: Cow<'_, str>) -> Cow<'_, str> {
    let marked =
        text.as_bytes().first().is_some_and(|b| matches!(b, b'#' | b'*' | b'=' | b'>' | b'-' | b':'));
    let colon = if text.len() < 200 { memchr(b':', text.as_bytes()) } else { None };
    let from = match colon {
        Some(at) if text[at + 1..].starts_with(' ') => at + 1,
        _ if marked => 0,
        _ => return text,
    };
    let title = text[from..]
        .trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '#' | '*' | '=' | '>' | '-' | ':'));
    if title.is_empty() || !is_section(title) || is_section(&text) {
        return text;
    }
    Cow::Owned(title.to_owned())
}

/// No number of a chapter is longer, in bytes.
const LONGEST_CHAPTER: usize = 12;

/// Do words only say that a page ends or begins?
fn is_page_mark(text: &str) -> bool {
    let folded = fold(text);
    text.len() < 40 && (folded.contains("page") || folded.contains("continued"))
}

/// A heading without the words that say that its table began on another page.
fn without_going_on(heading: &str) -> &str {
    let text = heading.trim_end();
    let words = ["(continued)", "(Continued)", "(cont.)", "(Cont.)", "(cont)"];
    words.iter().find_map(|words| text.strip_suffix(words)).map_or(heading, str::trim_end)
}

/// The ends of lines in a text, and the blanks around them, as one blank.
fn lines_joined(text: Cow<'_, str>) -> Cow<'_, str> {
    if find_near(b'\n', text.as_bytes()).is_none() {
        return text;
    }
    let mut joined = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    Cow::Owned(joined)
}

/// The names of tags that are told apart, as [`tag_name`] gives them.
const A: u64 = name_of(b"a");
const BR: u64 = name_of(b"br");
const BODY: u64 = name_of(b"body");
const HEAD: u64 = name_of(b"head");
const HTML: u64 = name_of(b"html");
const PRE: u64 = name_of(b"pre");
const DIV: u64 = name_of(b"div");
const H1: u64 = name_of(b"h1");
const H2: u64 = name_of(b"h2");
const H3: u64 = name_of(b"h3");
const H4: u64 = name_of(b"h4");
const H5: u64 = name_of(b"h5");
const DEL: u64 = name_of(b"del");
const LI: u64 = name_of(b"li");
const P: u64 = name_of(b"p");
const S: u64 = name_of(b"s");
const SCRIPT: u64 = name_of(b"script");
const SPAN: u64 = name_of(b"span");
const STRIKE: u64 = name_of(b"strike");
const SUP: u64 = name_of(b"sup");
const STYLE: u64 = name_of(b"style");
const CAPTION: u64 = name_of(b"caption");
const TABLE: u64 = name_of(b"table");
const TD: u64 = name_of(b"td");
const TH: u64 = name_of(b"th");
const TITLE: u64 = name_of(b"title");
const TR: u64 = name_of(b"tr");
const UL: u64 = name_of(b"ul");

/// A name of at most eight letters, the first lowest.
const fn name_of(letters: &[u8]) -> u64 {
    let (mut name, mut at) = (0, letters.len());
    while at > 0 {
        at -= 1;
        name = name << 8 | letters[at] as u64;
    }
    name
}

/// The name that a tag begins with, of which eight letters count, in lower case; and how long it is.
fn tag_name(body: &[u8]) -> (u64, usize) {
    let (mut name, mut length) = (0_u64, 0);
    for letter in body.iter().take_while(|b| b.is_ascii_alphanumeric()) {
        if length < 8 {
            name |= u64::from(letter.to_ascii_lowercase()) << (8 * length);
        }
        length += 1;
    }
    (name, length)
}

/// The text of a page, tags left out.
pub(crate) fn text_of(html: &str) -> String {
    numbered_text_of(html).0
}

/// The text of a page, tags left out, and for each of its lines the one in the page. A bare `<` begins
/// no tag: Oracle's remarks hold some (`value was < .5%`).
pub(crate) fn numbered_text_of(html: &str) -> (String, Vec<u32>) {
    let mut out = String::with_capacity(html.len() / 2);
    let mut numbers = vec![1];
    let mut number = 1_u32;
    let text = |piece: &str, out: &mut String, numbers: &mut Vec<u32>, number: &mut u32| {
        for _ in memchr_iter(b'\n', piece.as_bytes()) {
            *number = number.saturating_add(1);
            numbers.push(*number);
        }
        out.push_str(piece);
    };
    let mut rest = html;
    // Between the end of a paragraph and the next tag line ends are none of the text.
    let mut behind_block = false;
    while let Some(at) = rest.find('<') {
        if behind_block && rest[..at].trim_ascii().is_empty() {
            number = number.saturating_add(line_ends(&rest.as_bytes()[..at]));
        } else {
            text(&rest[..at], &mut out, &mut numbers, &mut number);
        }
        if !is_tag(&rest.as_bytes()[at..]) {
            out.push('<');
            rest = &rest[at + 1..];
            continue;
        }
        let tag = &rest[at + 1..];
        let Some(end) = tag.find('>') else {
            rest = &rest[at..];
            break;
        };
        let name: String =
            tag.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let closing = tag.starts_with('/');
        let mut skipped = &tag[..end];
        rest = &tag[end + 1..];
        behind_block = closing && matches!(tag[1..end].trim_ascii(), "p" | "P" | "div" | "DIV");
        // A block begins a line, and ends its own; of one within another a browser shows no more than that.
        let begins_line = out.is_empty() || out.ends_with('\n');
        let is_block =
            name == "div" || closing && tag.get(1..4).is_some_and(|t| t.eq_ignore_ascii_case("div"));
        match name.as_str() {
            _ if is_block && begins_line => {}
            "script" | "style" => {
                let close = if name == "script" { "</script" } else { "</style" };
                rest = rest.find(close).map_or("", |e| &rest[e..]);
                skipped = &tag[..tag.len() - rest.len()];
            }
            "br" | "p" | "div" | "tr" | "li" | "h1" | "h2" | "h3" | "h4" | "pre" | "table" => {
                out.push('\n');
                numbers.push(number);
            }
            "td" | "th" => out.push('\t'),
            _ if closing
                && matches!(tag[1..].get(..2), Some("p>" | "di" | "tr" | "h1" | "h2" | "h3" | "h4")) =>
            {
                out.push('\n');
                numbers.push(number);
            }
            _ => {}
        }
        number = number.saturating_add(line_ends(skipped.as_bytes()));
        if let Some(last) = numbers.last_mut() {
            *last = number;
        }
    }
    text(rest, &mut out, &mut numbers, &mut number);
    let lines: Vec<String> = out
        .lines()
        .map(
            |line| {
                if line.contains('&') { references(line) } else { line.trim_start_matches('\t').to_owned() }
            },
        )
        .collect();
    (lines.join("\n"), numbers)
}

/// Where a tag ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TagEnd {
    /// Its `>`.
    close: usize,
    /// Is that certain from the tag alone?
    certain: bool,
    /// May a `<` stand within it?
    holds_tag: bool,
}

/// The `>` that ends the tag at `open`; pages saved by a browser hold bare ones in quotes
/// (`headers="%ofTotalWaits >=512us"`).
fn tag_end(bytes: &[u8], open: usize) -> Option<TagEnd> {
    let first = first_close(bytes, open)?;
    let close = first.close;
    // Most cells end in a single quote, which no double-quoted value does; closing tags have no
    // attributes, hence no quotes.
    if first.certain || bytes[close - 1] == b'\'' || bytes.get(open + 1) == Some(&b'/') {
        return Some(TagEnd { certain: true, ..first });
    }
    let quote = close + memchr(b'"', &bytes[close..])?;
    if memchr(b'\n', &bytes[close..quote]).is_some() {
        // A stray quote, not one that closes here.
        return Some(first);
    }
    Some(TagEnd { close: quote + memchr(b'>', &bytes[quote..])?, certain: false, holds_tag: true })
}

/// Where another page begins before the tag from `open` to `close` ends.
fn page_within(bytes: &[u8], open: usize, close: usize) -> Option<usize> {
    let at = open + 1 + memchr(b'<', bytes.get(open + 1..close)?)?;
    matches!(tag_name(&bytes[at + 1..close]).0, H1 | HTML | HEAD | BODY).then_some(at)
}

/// Does a tag, comment or declaration begin here, and not a bare `<`?
fn is_tag(bytes: &[u8]) -> bool {
    matches!(bytes, [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!', ..])
}

/// Is this the tag of something that no browser shows?
fn is_hidden(tag: &[u8]) -> bool {
    let said = |words: &[u8]| tag.windows(words.len()).any(|w| w.eq_ignore_ascii_case(words));
    tag.len() > 16 && (said(b"display:none") || said(b"display: none"))
}

/// Is this the tag of a link, and not of a place to link to?
fn leads_somewhere(tag: &[u8]) -> bool {
    // Tags are shorter than it takes to prepare a search.
    tag.windows(4).any(|word| word == b"href")
}

/// How many lines end in a piece of text.
fn line_ends(bytes: &[u8]) -> u32 {
    // Most pieces are short and hold none.
    let Some(first) = find_near(b'\n', bytes) else { return 0 };
    u32::try_from(memchr_iter(b'\n', &bytes[first..]).count()).unwrap_or(u32::MAX)
}

/// Do bytes begin with those of a tag? Tags are shorter than it takes to call a comparison.
#[inline]
fn begins_with(bytes: &[u8], tag: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..tag.len()) else { return false };
    let ends = |bytes: &[u8]| Some((*bytes.first_chunk::<16>()?, *bytes.last_chunk::<16>()?));
    let same_ends = |bytes, tag| matches!((ends(bytes), ends(tag)), (Some(own), Some(tag)) if own == tag);
    match tag.len() {
        16..=32 => same_ends(bytes, tag),
        // Both halves, which overlap.
        length @ 33..=64 => {
            let (half, from) = (32, length - 32);
            same_ends(&bytes[..half], &tag[..half]) && same_ends(&bytes[from..], &tag[from..])
        }
        _ => bytes == tag,
    }
}

/// Where a line of text ends, or a tag or character reference begins; the end of the page where
/// nothing does.
#[inline]
fn text_end(bytes: &[u8], start: usize) -> usize {
    // Most cells are shorter than it takes to call a search.
    let mut from = start;
    let mark = |byte: u8| i8x16::splat(byte.cast_signed());
    for sixteen in bytes[start..].as_chunks::<16>().0.iter().take(2) {
        let sixteen = i8x16::new(sixteen.map(u8::cast_signed));
        let ends = sixteen.cmp_eq(mark(b'<')) | sixteen.cmp_eq(mark(b'&')) | sixteen.cmp_eq(mark(b'\n'));
        let ends = ends.move_mask();
        if ends != 0 {
            return from + ends.trailing_zeros() as usize;
        }
        from += 16;
    }
    memchr3(b'<', b'&', b'\n', &bytes[from..]).map_or(bytes.len(), |end| from + end)
}

/// Does `</td>` or `</th>` stand here, in any letters?
#[inline(always)]
fn ends_cell(bytes: &[u8]) -> bool {
    const LOWER: u32 = u32::from_le_bytes([0, 0, 0x20, 0x20]);
    const DATA: u32 = u32::from_le_bytes(*b"</td");
    const HEADING: u32 = u32::from_le_bytes(*b"</th");
    bytes.first_chunk::<5>().is_some_and(|[a, b, c, d, end]| {
        let name = u32::from_le_bytes([*a, *b, *c, *d]) | LOWER;
        (name == DATA || name == HEADING) && *end == b'>'
    })
}

/// The first `<` from a place on: most stand near.
#[inline]
fn next_tag(bytes: &[u8], from: usize) -> Option<usize> {
    if let Some(sixteen) = bytes.get(from..).and_then(<[u8]>::first_chunk) {
        let open = places_of(sixteen, b'<');
        if open != 0 {
            return Some(from + open.trailing_zeros() as usize);
        }
    }
    memchr(b'<', bytes.get(from..)?).map(|at| from + at)
}

/// The first `>` behind the `<` at `open`: certain where an even number of double quotes stands before it. Tags
/// are shorter than it takes to call a search.
fn first_close(bytes: &[u8], open: usize) -> Option<TagEnd> {
    let mut from = open + 1;
    // A bit for each place among sixteen: did an odd number of quotes, did any `<` stand there?
    let (mut odd, mut tags) = (0_u32, 0_u32);
    for sixteen in bytes.get(from..)?.as_chunks::<16>().0 {
        let closes = places_of(sixteen, b'>');
        let (quotes, opens) = (places_of(sixteen, b'"'), places_of(sixteen, b'<'));
        if closes != 0 {
            let at = closes.trailing_zeros();
            let before = (1 << at) - 1;
            odd ^= quotes & before;
            tags |= opens & before;
            let certain = odd.count_ones().is_multiple_of(2);
            return Some(TagEnd { close: from + at as usize, certain, holds_tag: tags != 0 });
        }
        odd ^= quotes;
        tags |= opens;
        from += 16;
    }
    let rest = &bytes[from..];
    let at = memchr(b'>', rest)?;
    let quotes = rest[..at].iter().filter(|b| **b == b'"').count();
    let certain = (odd.count_ones() as usize + quotes).is_multiple_of(2);
    Some(TagEnd { close: from + at, certain, holds_tag: tags != 0 || rest[..at].contains(&b'<') })
}

/// The first of a byte, which mostly stands near: in pieces that are shorter than it takes to call a search.
#[inline]
fn find_near(wanted: u8, bytes: &[u8]) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<16>();
    for (at, sixteen) in chunks.iter().take(4).enumerate() {
        let found = places_of(sixteen, wanted);
        if found != 0 {
            return Some(at * 16 + found.trailing_zeros() as usize);
        }
    }
    if chunks.len() > 4 {
        return memchr(wanted, &bytes[64..]).map(|at| at + 64);
    }
    rest.iter().position(|byte| *byte == wanted).map(|at| chunks.len() * 16 + at)
}

/// A bit for each of sixteen bytes that is `wanted`, the first lowest.
#[inline]
fn places_of(sixteen: &[u8; 16], wanted: u8) -> u32 {
    let bytes = i8x16::new(sixteen.map(u8::cast_signed));
    bytes.cmp_eq(i8x16::splat(wanted.cast_signed())).move_mask().cast_unsigned()
}

/// Does a `colspan` or `rowspan` stand among the attributes?
fn spans(attributes: &[u8]) -> bool {
    let at = |index: Option<usize>| index.and_then(|i| attributes.get(i)).map_or(0, u8::to_ascii_lowercase);
    memchr2_iter(b'p', b'P', attributes).any(|p| at(p.checked_sub(1)) == b's' && at(Some(p + 1)) == b'a')
}

/// Value of a span attribute (`colspan`, `colSpan`, `COLSPAN`), 1 where it lacks.
fn span(attributes: &[u8], name: &[u8]) -> usize {
    let Some(at) = attributes.windows(name.len()).position(|w| w.eq_ignore_ascii_case(name)) else {
        return 1;
    };
    let digits = attributes[at + name.len()..]
        .iter()
        .skip_while(|b| !b.is_ascii_digit())
        .take_while(|b| b.is_ascii_digit())
        .take(4);
    digits.fold(0_usize, |n, b| n * 10 + usize::from(b - b'0')).clamp(1, 1_000)
}

/// One blank between words; what stands so already is left alone.
fn squeezed(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_squeezed(text.as_bytes()) { text } else { Cow::Owned(squeeze(without_sort_mark(&text))) }
}

/// One blank between words.
pub(crate) fn squeeze(text: &str) -> String {
    if is_squeezed(text.as_bytes()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Are there single blanks between words, and nothing but plain letters, already?
fn is_squeezed(bytes: &[u8]) -> bool {
    let mut blank = true;
    for byte in bytes {
        if !matches!(byte, b' '..=b'~') || blank && *byte == b' ' {
            return false;
        }
        blank = *byte == b' ';
    }
    !blank || bytes.is_empty()
}

/// Is a text too long for a title, as nobody would doubt who saw how it begins?
fn is_long(text: &str) -> bool {
    const BEGINNING: usize = 4 * LONGEST_TITLE;
    // A reference that is cut stands as it is.
    text.len() > BEGINNING
        && text
            .get(..BEGINNING)
            .is_some_and(|beginning| lines_joined(unescape(beginning)).len() > LONGEST_TITLE + 16)
}

/// Resolves character references; borrows where there are none.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if find_near(b'&', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    if text == "&#160;" || text == "&nbsp;" {
        return Cow::Borrowed("");
    }
    let out = references(text);
    let trimmed = out.trim();
    if trimmed.len() == out.len() { Cow::Owned(out) } else { Cow::Owned(trimmed.to_owned()) }
}

/// Character references resolved, blanks kept.
fn references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find_near(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // Nearly all.
        let often = match rest.as_bytes() {
            [_, b'q', b'u', b'o', b't', b';', ..] => Some(('"', 6)),
            [_, b'l', b't', b';', ..] => Some(('<', 4)),
            [_, b'g', b't', b';', ..] => Some(('>', 4)),
            [_, b'a', b'm', b'p', b';', ..] => Some(('&', 5)),
            _ => None,
        };
        if let Some((character, length)) = often {
            out.push(character);
            rest = &rest[length..];
            continue;
        }
        let window = &rest.as_bytes()[..rest.len().min(12)];
        let known = memchr(b';', window).and_then(|end| character(&rest[1..end]).map(|c| (c, end)));
        if let Some((character, end)) = known {
            rest = &rest[end + 1..];
            let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
            // It parts the thousands of a number.
            let groups = character == ' ' && digit(out.as_bytes().last()) && digit(rest.as_bytes().first());
            out.push(if groups { '\u{a0}' } else { character });
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" | "#160" => ' ',
        "ndash" => '\u{2013}',
        "mdash" => '\u{2014}',
        "minus" => '\u{2212}',
        "thinsp" => '\u{2009}',
        _ => {
            let code = name.strip_prefix('#')?;
            let number = match code.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => code.parse().ok()?,
            };
            // Where the entity is written in other digits it is the same blank.
            char::from_u32(number).map(|c| if c == '\u{a0}' { ' ' } else { c })?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(html: &str) -> Vec<(String, Vec<String>, Vec<Vec<String>>)> {
        let mut found = Vec::new();
        walk(html, |event| {
            if let Event::Table(grid) = event {
                let names = grid.columns.iter().map(|c| c.name.to_string()).collect();
                let rows =
                    (0..grid.len()).map(|r| grid.row(r).iter().map(ToString::to_string).collect()).collect();
                found.push((grid.title.to_string(), names, rows));
            }
        });
        found
    }

    #[test]
    fn quoted_angle_brackets_do_not_end_a_tag() {
        let page = "<table><tr><th id=\">=512us\" scope=col>&gt;=512us</th></tr>\
                    <tr><td headers=\"%ofTotalWaits >=512us\">.9</td></tr></table>";
        let mut seen = Vec::new();
        walk(page, |event| {
            if let Event::Table(grid) = event {
                seen.push((grid.columns[0].name.to_string(), grid.row(0)[0].to_string()));
            }
        });
        assert_eq!(seen, [(">=512us".to_owned(), ".9".to_owned())]);
    }

    #[test]
    fn headings_within_a_table_kept_the_instance_column_of_those_above() {
        let page = "<table><tr><th>Name</th><th>Reads</th></tr><tr><td>a</td><td>1</td></tr>\
                    <tr><th>Event</th><th>I#</th></tr><tr><td>b</td><td>2</td></tr></table>";
        let mut seen = Vec::new();
        walk(page, |event| {
            if let Event::Table(grid) = event {
                seen.push(grid.instance_column());
            }
        });
        assert_eq!(seen, [None, Some(1)]);
    }

    #[test]
    fn a_title_is_the_text_last_before_the_table() {
        let html = "<h3>Report <a name=x></a>Summary</h3><p />Load Profile<p /><table><tr><th></th><th>Per Second</th></tr>\
                    <tr><td>Redo size:</td><td> 1.5</td></tr></table>";
        let found = tables(html);
        assert_eq!(found[0].0, "Load Profile");
        assert_eq!(found[0].2, [["Redo size:", "1.5"]]);
    }

    #[test]
    fn an_empty_section_does_not_take_the_next_table() {
        let mut events = Vec::new();
        walk(
            "<h3>Tablespace IO Stats</h3>No data exists for this section of the report.\
             <h3>Service Statistics</h3><table><tr><th>A</th></tr><tr><td>1</td></tr></table>",
            |event| match event {
                Event::Table(grid) => events.push(format!("table {}", grid.title)),
                Event::Empty { title, no_data, .. } => events.push(format!("empty {title} {no_data}")),
                _ => {}
            },
        );
        assert_eq!(events, ["empty Tablespace IO Stats true", "table Service Statistics"]);
    }

    #[test]
    fn headings_span_columns_and_rows() {
        let found = tables(
            "<table><tr><th rowspan=2>Event</th><th colSpan=\" 2\">% of Waits</th></tr>\
             <tr><th>&lt;1ms</th><th>&lt;2ms</th></tr><tr><td>a</td><td>1</td><td>&#160;</td></tr></table>",
        );
        assert_eq!(found[0].1, ["Event", "% of Waits <1ms", "% of Waits <2ms"]);
        assert_eq!(found[0].2, [["a", "1", ""]]);
    }

    #[test]
    fn headings_below_data_begin_another_table() {
        let found = tables(
            "<h3>T</h3><table><tr><td></td><th>Waits</th><th>Avg</th></tr><tr><td>a</td><td>1</td><td>2</td></tr>\
             <tr><td></td><th>Writes</th><th>Time</th></tr><tr><td>b</td><td>3</td><td>4</td></tr></table>",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, ["", "Writes", "Time"]);
        assert_eq!(
            (&found[0].2, &found[1].2),
            (
                &vec![vec!["a".into(), "1".into(), "2".into()]],
                &vec![vec!["b".into(), "3".into(), "4".into()]]
            )
        );
    }

    #[test]
    fn headings_below_data_whose_row_was_left_open_do_not_split_the_row_that_follows() {
        let found = tables(
            "<table><tr><td>a</td><td>1</td><td>2</td></tr><tr><td>b</td><td>3</td><td>4</td></tr>\
             <tr><th>Name</th><th>Reads</th><th>Wri\n<tr><td>c</td><td>5</td><td>6</td></tr>\n<tr><td>d</td><td>7</td><td>8</td></tr></table>",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, ["Name", "Reads", "Wri"]);
        assert_eq!(found[1].2, [["c", "5", "6"], ["d", "7", "8"]]);
    }

    #[test]
    fn a_row_of_plain_cells_before_a_wide_one_keeps_its_places() {
        let found = tables(
            "<table><tr><td>a</td><td>1</td><td>2</td></tr><tr><td>b</td><td>3</td><td>4</td></tr>\
             <tr><td></td><td></td><th colspan=2>Waits</th><th>Time</th></tr>\
             <tr><td>c</td><td>5</td><td>6</td><td>7</td><td>8</td></tr></table>",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, ["", "", "Waits", "Waits", "Time"]);
        assert_eq!(found[1].2, [["c", "5", "6", "7", "8"]]);
    }

    #[test]
    fn text_that_looks_like_markup_stays_text() {
        let found = tables("<table><tr><td>a < b and c &lt;script&gt; &amp;amp; &bogus;</td></tr></table>");
        assert_eq!(found[0].2, [["a < b and c <script> &amp; &bogus;"]]);
    }

    #[test]
    fn cells_whose_tags_repeat_are_read_as_those_whose_tags_differ() {
        let cells = [
            "7",
            " 1,234.5 ",
            "&#160;",
            "&nbsp;",
            "&nbsp",
            "a &amp; b",
            "a < b",
            "",
            "two\nlines\n",
            "<b>x</b> y",
            "<a href=#x>link</a>",
            "p<br>q",
            "<!-- x -->z",
            "Gr\u{f6}\u{df}e\u{a0}",
            "left <i>open",
            "<a href=#x>l &amp; m</a>\n",
            "<a name=n></a>behind",
            "before<a href=#x></a>",
            "x<a href=#x>y</a>",
            "<a>z</a>",
            "&#160;\n&#160;",
            "<a href=#x>never closed",
        ];
        let page = |own_tags: bool, upper: bool| {
            let mut html = "<h3>T</h3>\n<table><tr><th>A</th><th>B</th><th>C</th></tr>\n".to_owned();
            for n in 0..cells.len() * 9 {
                if n % 3 == 0 {
                    html.push_str("<tr>\r\n");
                }
                // Each cell meets others in its column, and a heading now and then.
                let cell = cells[(n * n + n / 7) % cells.len()];
                let own = if own_tags { format!(" id={n}") } else { String::new() };
                let name = if n % 31 == 4 { "th" } else { "td" };
                html.push_str(&format!("<{name}{own} class='c'>{cell}</{name}>\n"));
                if n % 3 == 2 {
                    html.push_str("</tr>");
                }
            }
            // A link that was left open would hide this title.
            html.push_str("</table>Another<table><tr><td>1</table>");
            if upper { html.replace("td", "TD").replace("tr>", "TR>") } else { html }
        };
        let read = |html: &str| {
            let mut found = Vec::new();
            walk(html, |event| {
                if let Event::Table(grid) = event {
                    for row in 0..grid.len() {
                        let cells: Vec<String> = grid.row(row).iter().map(ToString::to_string).collect();
                        found.push((grid.title.to_string(), grid.row_line(row), cells));
                    }
                }
            });
            found
        };
        let expected = read(&page(true, false));
        assert_eq!(expected.len(), cells.len() * 3 + 1);
        assert_eq!(read(&page(false, false)), expected);
        assert_eq!(read(&page(false, true)), expected);
    }

    proptest::proptest! {
        #[test]
        fn bytes_are_found_as_one_by_one(text in "[<&a-c\n\u{bc}\u{a6}\"#!;=]{0,60}>?[a\">]{0,30}", start in 0..20_usize) {
            let bytes = text.as_bytes();
            let start = start.min(bytes.len());
            let end = bytes[start..].iter().position(|b| b"<&\n".contains(b)).map_or(bytes.len(), |e| start + e);
            proptest::prop_assert_eq!(text_end(bytes, start), end);
            let tag = bytes[start..].iter().position(|b| *b == b'<').map(|at| start + at);
            proptest::prop_assert_eq!(next_tag(bytes, start), tag);
            for (byte, near) in [(b'<', tag), (b'\n', None)] {
                let near = near.or_else(|| bytes[start..].iter().position(|b| *b == byte).map(|at| start + at));
                proptest::prop_assert_eq!(find_near(byte, &bytes[start..]).map(|at| start + at), near);
            }
            let inside = bytes.get(start + 1..).unwrap_or_default();
            let close = inside.iter().position(|b| *b == b'>');
            let end = close.map(|length| TagEnd {
                close: start + 1 + length,
                certain: inside[..length].iter().filter(|b| **b == b'"').count() % 2 == 0,
                holds_tag: inside[..length].contains(&b'<'),
            });
            proptest::prop_assert_eq!(first_close(bytes, start), end);
        }

        #[test]
        fn ends_of_cells_are_told_in_any_letters(text in "</?[tT4][dDhHxX$(][> ]?.?") {
            let ends = ["</td>", "</th>"].iter().any(|end| text.to_ascii_lowercase().starts_with(end));
            proptest::prop_assert_eq!(ends_cell(text.as_bytes()), ends);
        }

        #[test]
        fn names_of_tags_are_told_apart_in_any_case(name in "[a-zA-Z0-9]{0,12}", rest in "[ />'\"=-]{0,3}") {
            let (found, length) = tag_name(format!("{name}{rest}").as_bytes());
            let lower = name.to_ascii_lowercase();
            proptest::prop_assert_eq!(found, name_of(&lower.as_bytes()[..lower.len().min(8)]));
            proptest::prop_assert_eq!(length, name.len());
        }
    }

    #[test]
    fn cells_and_rows_left_open_are_closed() {
        let found = tables("<table><tr><th>A<th>B<tr><td>1<td>2<br>3<tr><td>4");
        assert_eq!(found[0].1, ["A", "B"]);
        assert_eq!(found[0].2, [vec!["1", "2 3"], vec!["####"]]);
    }

    #[test]
    fn an_end_of_a_line_in_a_cell_stayed_in_the_name() {
        let found = tables(
            "<h3>Foreground\nWait Events</h3><table><tr><th>Wait\n  Event</th><th>SQL Text</th></tr>\
             <tr><td>log file\n\t sync</td><td>select -- one\n 1</td></tr>\
             <tr><td>SQL*Net message from\r\nclient</td><td>x</td></tr>\
             <tr><td><b>log</b>\n<b>buffer  space</b></td><td><pre>a\nb</pre></td></tr></table>",
        );
        assert_eq!(found[0].0, "Foreground Wait Events");
        assert_eq!(found[0].1, ["Wait Event", "SQL Text"]);
        let rows = [
            ["log file sync", "select -- one\n 1"],
            ["SQL*Net message from client", "x"],
            ["log buffer  space", "a\nb"],
        ];
        assert_eq!(found[0].2, rows);
    }

    #[test]
    fn cells_over_several_rows_shifted_those_below_to_the_left() {
        let head = "<tr><th>Owner</th><th>Object</th><th>Reads</th></tr>";
        let rows = [["SOE", "ORDERS", "5"], ["SOE", "ITEMS", "3"], ["SYS", "OBJ$", "1"]];
        for body in [
            "<tr><td rowspan=2>SOE</td><td>ORDERS</td><td>5</td></tr><tr><td>ITEMS</td><td>3</td></tr>\
             <tr><td>SYS</td><td>OBJ$</td><td>1</td></tr>",
            // The last one spans more rows than there are.
            "<tr><td rowspan=2>SOE</td><td>ORDERS</td><td>5</td></tr><tr><td>ITEMS</td><td>3</td></tr>\
             <tr><td>SYS</td><td rowspan=1000000000>OBJ$</td><td>1</td></tr>",
        ] {
            assert_eq!(tables(&format!("<table>{head}{body}</table>"))[0].2, rows);
        }
        let last = "<tr><td>SYS</td><td>OBJ$</td><td rowspan=2>1</td></tr><tr><td>SYS</td><td>TAB$</td></tr>";
        let found = tables(&format!("<table>{head}{last}</table>"));
        assert_eq!(found[0].2, [["SYS", "OBJ$", "1"], ["SYS", "TAB$", "1"]]);
    }

    #[test]
    fn spans_of_many_rows_take_no_more_room_than_there_is() {
        let wide = "<td rowspan=1000000000 colspan=60>x</td>".repeat(50);
        let narrow = "<td rowspan=1000000000>x</td>".repeat(60);
        let rows = "<tr><td>y".repeat(9_000);
        let mut cells = 0;
        walk(
            &format!("<table><tr>{wide}{rows}</table>")
                .replace("<tr><td>y", &format!("<tr>{narrow}<tr><td>y")),
            |event| {
                if let Event::Table(grid) = event {
                    cells += (0..grid.len()).map(|row| grid.row(row).len()).sum::<usize>();
                }
            },
        );
        // Those of the page, and what spans may add.
        assert!(cells <= 50 * 60 + 9_000 * 61 + MOST_CARRIED, "{cells}");
    }

    /// Of 23 MB of such cells 23 GB were made.
    #[test]
    fn columns_that_cells_span_take_no_more_room_than_there_is() {
        let row = format!("<tr>{}", "<td colspan=1000>x</td>".repeat(50));
        let page = format!("<table><tr><th colspan=1000>{}</th>{}", "a".repeat(500), row.repeat(400));
        let (mut cells, mut headings) = (0, 0);
        walk(&page, |event| {
            if let Event::Table(grid) = event {
                cells += (0..grid.len()).map(|row| grid.row(row).len()).sum::<usize>();
                headings += grid.columns.iter().map(|c| c.name.len()).sum::<usize>();
            }
        });
        assert!(cells <= 50 * 400 + MOST_CARRIED + page.len() / 8, "{cells}");
        assert!(headings <= MOST_CARRIED + page.len() / 8, "{headings}");
    }

    #[test]
    fn groups_that_lost_their_spans_stood_over_the_wrong_columns() {
        let page = |groups: &str, leaves: &[&str]| {
            let heads: String = leaves.iter().map(|leaf| format!("<th>{leaf}</th>")).collect();
            let cells: String = leaves.iter().map(|_| "<td>1</td>").collect();
            tables(&format!("<table><tr>{groups}</tr><tr>{heads}</tr><tr>{cells}</tr></table>")).remove(0).1
        };
        let groups = "<td></td><th>CR</th><th>Current</th>";
        assert_eq!(
            page(groups, &["Class", "Blocks", "% Busy", "Blocks", "% Busy"]),
            ["Class", "CR Blocks", "CR % Busy", "Current Blocks", "Current % Busy"]
        );
        // Which of two is whose cannot be told.
        assert_eq!(
            page(groups, &["Class", "Blocks", "% Busy", "Blocks", "% Late", "Time"]),
            ["Class", "", "% Busy", "", "% Late", "Time"]
        );
    }

    #[test]
    fn titles_in_tables_that_lay_out_the_page_vanished_with_what_they_head() {
        let inner = "<table><tr><th>Statistic Name</th><th>Time (s)</th></tr><tr><td>DB CPU</td><td>3</td></tr></table>";
        let title = "Time Model Statistics";
        for page in [
            format!("<table><tr><td><h3>{title}</h3></td></tr><tr><td>{inner}</td></tr></table>"),
            format!("<table><tr><td><h3>{title}</h3>{inner}</td></tr></table>"),
            format!("<table><tr><td><h3>{title}</h3></td><td>{inner}</td></tr></table>"),
            format!("<table><tr><td>{title}</td></tr><tr><td>{inner}</td></tr></table>"),
            format!("<h3>{title}</h3><table><tr><td><ul><li>by time</ul>{inner}</td></tr></table>"),
        ] {
            let found = tables(&page);
            assert_eq!(found.len(), 1, "{page}");
            assert_eq!((found[0].0.as_str(), &found[0].2), (title, &vec![vec!["DB CPU".into(), "3".into()]]));
        }
        // In a cell of data a heading is text of the cell.
        let found =
            tables("<table><tr><td>a</td><td>1</td></tr><tr><td><h3>b</h3></td><td>2</td></tr></table>");
        assert_eq!(found[0].2, [["a", "1"], ["b", "2"]]);
    }

    #[test]
    fn a_table_that_was_left_open_took_the_heading_of_the_next() {
        let found = tables(
            "<h3>Time Model Statistics</h3><table><tr><th>A</th><th>B</th></tr><tr><td>a</td><td>1</td></tr>\
             <h3>Foreground Wait Events</h3><table><tr><th>C</th><th>D</th></tr><tr><td>c</td><td>2</td></tr></table>",
        );
        let titles: Vec<_> = found.iter().map(|table| table.0.as_str()).collect();
        assert_eq!(titles, ["Time Model Statistics", "Foreground Wait Events"]);
    }

    #[test]
    fn a_table_that_goes_on_in_another_lost_its_rows() {
        let head = "<tr><th>Event</th><th>Waits</th><th>Time</th></tr>";
        let first = format!(
            "<h3>Foreground Wait Events</h3><table>{head}<tr><td>a</td><td>1</td><td>2</td></tr></table>"
        );
        let next = |between: &str, row: [&str; 3]| {
            let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            tables(&format!("{first}<p/>{between}<table><tr>{cells}</tr></table>")).remove(1).1
        };
        assert_eq!(next("", ["b", "3", ""]), ["Event", "Waits", "Time"]);
        // What holds something else, or has a title of its own, is another table.
        assert!(next("", ["b", "c", "4"]).is_empty());
        assert!(next("Other", ["b", "3", "4"]).is_empty());
    }

    #[test]
    fn a_heading_over_all_columns_renamed_a_section() {
        let title = |before: &str, over: &str| {
            tables(&format!(
                "{before}<table><tr><th colspan=2>{over}</th></tr><tr><th>Statistic Name</th><th>Time (s)</th></tr>\
                 <tr><td>DB CPU</td><td>3</td></tr></table>"
            ))
            .remove(0)
            .0
        };
        let heading = "<h3>Time Model Statistics</h3>";
        assert_eq!(title(heading, "In seconds"), "Time Model Statistics");
        assert_eq!(title(heading, "Foreground Wait Events"), "Foreground Wait Events");
        assert_eq!(title("<h3>Summary</h3>", "In seconds"), "In seconds");
    }
}
