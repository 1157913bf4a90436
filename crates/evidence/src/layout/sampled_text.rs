//! Statements in sampled activity, as text prints them: a line with the statement and one with its
//! leading event or row source, each under a ruler of its own, then up to four lines of its text.
//!
//! In a pluggable database a line with the name of the container follows, under a third ruler.
//!
//! Further row sources of a statement stand behind blank lines without its line, further events behind its
//! line without the identifier: theirs are its cells, as in HTML. Text is cut every 80 characters, so that a piece of it can look like anything:
//! what follows a row without a blank line is text, whatever it says, unless a copy has no blank lines at all.

use super::text_ruler::{columns_over, has_no_blank_lines, is_identifier, runs_of};
use super::text_sections::{Line, TextSection};
use super::wrapped_text::{self, Wrap};
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid};
use std::borrow::Cow;

/// Titles of the sections that are laid out so, folded.
pub(crate) const TITLES: &[&str] = &["topsqlwithtopevents", "topsqlwithtoprowsources"];

/// The most lines of a statement's text: a longer one is cut.
const MOST_LINES: usize = 4;

/// The section's table; `None` where it is laid out in another way.
pub(crate) fn table<'a>(section: &TextSection<'_, 'a>) -> Option<Grid<'a>> {
    let lines = section.lines;
    let upper = lines.iter().position(|l| l.marks.is_ruler())?;
    // Behind one line of headings, or two.
    let lower = (upper + 2..=upper + 3).find(|at| lines.get(*at).is_some_and(|l| l.marks.is_ruler()))?;
    if lines[upper + 1..lower].iter().any(Line::is_blank) {
        return None;
    }
    let from =
        lines[..upper].iter().rposition(|l| l.is_blank() || l.marks.is_remark()).map_or(0, |at| at + 1);
    let (statement, detail) = (runs_of(lines[upper].text)?, runs_of(lines[lower].text)?);
    let mut columns = Vec::new();
    columns_over(&lines[from..upper], &statement, &mut columns);
    if columns.first().is_none_or(|c| c.key() != "sqlid") {
        return None;
    }
    columns_over(&lines[upper + 1..lower], &detail, &mut columns);
    columns.push(Column::new("", "SQL Text"));
    // The container of the statement, on the last line of its rows.
    let third = lower + 2;
    let container = match lines.get(third).filter(|l| l.marks.is_ruler() && !l.marks.is_end()) {
        Some(ruler) => match runs_of(ruler.text)?.as_slice() {
            [run] => Some(*run),
            _ => return None,
        },
        None => None,
    };
    if let Some(run) = container {
        columns_over(&lines[lower + 1..third], &[run], &mut columns);
    }
    let last = if container.is_some() { third } else { lower };
    let mut grid = Grid::default();
    grid.title.clone_from(&section.title);
    grid.line = section.line;
    grid.columns = columns;
    let remarks = lines[..from].iter().filter(|l| l.marks.is_remark());
    grid.remarks = remarks.map(|l| (l.number, Cow::Borrowed(l.text.trim_ascii_start()))).collect();
    let headings = &lines[from..=last];
    let again = |line: &Line<'_>| headings.iter().any(|h| !h.is_blank() && h.text == line.text);
    let mut reader = Rows {
        grid,
        statement,
        detail,
        container,
        open: None,
        rows: 0,
        text: Vec::new(),
        text_row: 0,
        left_out: None,
        gapless: has_no_blank_lines(&lines[last + 1..]),
    };
    let mut gap = true;
    for line in &lines[last + 1..] {
        if line.marks.is_end() {
            break;
        }
        if line.is_blank() {
            gap = true;
        } else if !again(line) {
            reader.line(line, std::mem::take(&mut gap));
        }
    }
    reader.end_statement();
    reader.grid.doubtful = reader.left_out;
    Some(reader.grid)
}

/// The table while it is being read.
struct Rows<'a> {
    grid: Grid<'a>,
    statement: Vec<(usize, usize)>,
    detail: Vec<(usize, usize)>,
    /// Where the name of the container stands, if there is one.
    container: Option<(usize, usize)>,
    /// The statement being read: its line and cells.
    open: Option<(Line<'a>, Vec<&'a str>)>,
    /// Its rows so far.
    rows: u32,
    text: Vec<&'a str>,
    /// The row that its text belongs to.
    text_row: usize,
    left_out: Option<(u32, u32)>,
    /// Are there no blank lines?
    gapless: bool,
}

impl<'a> Rows<'a> {
    fn line(&mut self, line: &Line<'a>, after_gap: bool) {
        let may_begin = after_gap || self.gapless;
        if may_begin && let Some(cells) = self.statement_of(line) {
            self.end_statement();
            self.open = Some((*line, cells));
            return;
        }
        if may_begin && let Some(cells) = self.statement_again(line) {
            self.end_statement();
            self.open = Some((*line, cells));
            return;
        }
        let Some((first, cells)) = &self.open else {
            self.leave_out(line.number);
            return;
        };
        if let Some(name) = self.container_of(line).filter(|_| self.rows > 0) {
            for row in self.text_row..self.grid.len() {
                if let Some(cell) = self.grid.row_mut(row).last_mut() {
                    *cell = Cow::Borrowed(name);
                }
            }
            return;
        }
        if (self.rows == 0 || may_begin)
            && let Some(detail) = self.detail_of(line)
        {
            if self.rows == 0 {
                self.text_row = self.grid.len();
            }
            let number = if self.rows == 0 { first.number } else { line.number };
            self.grid.push_cells(cells.iter().chain(&detail).map(|c| Cow::Borrowed(*c)));
            let behind = 1 + usize::from(self.container.is_some());
            (0..behind).for_each(|_| self.grid.push_cell(Cow::Borrowed("")));
            self.grid.end_row(number);
            self.rows += 1;
        } else if self.rows == 0 || after_gap && ends_in_number(line.text) {
            // A row source that does not stand below its headings.
            self.leave_out(line.number);
        } else {
            self.text.push(line.text);
        }
    }

    fn leave_out(&mut self, line: u32) {
        let (first, rows) = self.left_out.unwrap_or((line, 0));
        self.left_out = Some((first, rows.saturating_add(1)));
    }

    /// The text of the statement, and its end; one without a row is lost.
    fn end_statement(&mut self) {
        let Some((line, _)) = self.open.take() else { return };
        if self.rows == 0 {
            self.leave_out(line.number);
        } else if !self.text.is_empty() {
            let mut text = wrapped_text::joined(&self.text, Wrap::ClosedUp(wrapped_text::AWR));
            if self.text.len() >= MOST_LINES {
                text.push_str("...");
            }
            let behind = 1 + usize::from(self.container.is_some());
            if let Some(cell) = self.grid.row_mut(self.text_row).iter_mut().nth_back(behind - 1) {
                *cell = Cow::Owned(text);
            }
        }
        self.text.clear();
        self.rows = 0;
    }

    /// The name of the container, alone on its line, where its column ends.
    fn container_of(&self, line: &Line<'a>) -> Option<&'a str> {
        let (_, end) = self.container?;
        let name = line.text.trim_ascii();
        (line.text.len() == end && line.text.starts_with(' ') && !name.contains(' ')).then_some(name)
    }

    /// Identifier, plan, executions, share.
    fn statement_of(&self, line: &Line<'a>) -> Option<Vec<&'a str>> {
        let cells = cells(line, &self.statement)?;
        let (id, numbers) = cells.split_first()?;
        let number = |c: &&str| c.is_empty() || *c == "N/A" || looks_numeric(c);
        let filled = cells.last().is_some_and(|c| looks_numeric(c));
        (is_identifier(id) && filled && numbers.iter().all(number)).then_some(cells)
    }

    /// The same again for a further event of the statement, without its identifier.
    fn statement_again(&self, line: &Line<'a>) -> Option<Vec<&'a str>> {
        let (_, open) = self.open.as_ref()?;
        let cells = cells(line, &self.statement)?;
        let same = cells.first()?.is_empty() && open.len() > 1 && cells.get(1..) == open.get(1..);
        (same && cells.iter().any(|cell| !cell.is_empty())).then(|| open.clone())
    }

    /// Names, each with its share.
    fn detail_of(&self, line: &Line<'a>) -> Option<Vec<&'a str>> {
        let cells = cells(line, &self.detail)?;
        let columns = self.grid.columns.iter().skip(self.statement.len());
        let fits = cells.iter().zip(columns).all(|(cell, column)| {
            let share = column.key().starts_with('%');
            if share { looks_numeric(cell) } else { !cell.is_empty() }
        });
        fits.then_some(cells)
    }
}

fn ends_in_number(text: &str) -> bool {
    text.rsplit_once("  ").is_some_and(|(_, last)| looks_numeric(last.trim()))
}

/// A line cut where its ruler says; `None` where a cell crosses a gap or goes beyond the last column.
fn cells<'a>(line: &Line<'a>, runs: &[(usize, usize)]) -> Option<Vec<&'a str>> {
    let text = line.text;
    let mut cells = Vec::with_capacity(runs.len());
    let mut end = 0;
    for (from, to) in runs {
        if !text.get(end..(*from).min(text.len())).unwrap_or("").trim().is_empty() {
            return None;
        }
        let cell = text.get((*from).min(text.len())..(*to).min(text.len()))?;
        cells.push(cell.trim());
        end = (*to).min(text.len());
    }
    (text.get(end..)?.trim().is_empty()).then_some(cells)
}
