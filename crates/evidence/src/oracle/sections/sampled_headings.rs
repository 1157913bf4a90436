//! Headings of sampled activity that stand beside their columns.
//!
//! Books and mails move the line of headings against its ruler: `% Activity` is cut between two columns and `Event
//! Class %` heads a name. The words, in whatever order, are those of a table that is known, and its cells are of the
//! kinds that it prints, or the rows are not read: a wrong heading makes a number of something else.

use crate::cell::{looks_numeric, trimmed};
use crate::grid::{Column, Grid};
use std::borrow::Cow;

/// Headings of the tables of sampled activity, as text reports print them from 10.2 on.
const TABLES: &[&[&str]] = &[
    &["Event", "Event Class", "% Activity", "Avg Active Sessions"],
    &["Event", "Event Class", "% Event", "Avg Active Sessions"],
    &["SQL Command Type", "Distinct SQLIDs", "% Activity", "Avg Active Sessions"],
    &["Phase of Execution", "% Activity", "Avg Active Sessions"],
    &["Service", "Module", "% Activity", "Action", "% Action"],
    &["Object ID", "% Activity", "Event", "% Event", "Object Name (Type)", "Tablespace"],
    &["File ID", "% Activity", "Event", "% Event", "File Name", "Tablespace"],
    &["Sid, Serial#", "% Activity", "Event", "% Event", "User", "Program", "# Samples Active", "XIDs"],
    &["Blocking Sid", "% Activity", "Event Caused", "% Event", "User", "Program", "# Samples Active", "XIDs"],
];

/// Does a heading hold what is not its own? A `%` begins one, and no event is a number.
fn is_amiss(grid: &Grid<'_>, column: usize) -> bool {
    let key = grid.columns[column].key();
    key.rfind('%').is_some_and(|at| at > 0) || key == "event" && holds(grid, column, looks_numeric)
}

/// Are the cells of a column, where they are filled, all such?
fn holds(grid: &Grid<'_>, column: usize, such: fn(&str) -> bool) -> bool {
    let mut cells = (0..grid.len()).filter_map(|row| grid.cell(row, Some(column))).peekable();
    cells.peek().is_some() && cells.all(|cell| such(trimmed(cell)))
}

/// The grid under its own headings; `None` where they stand beside their columns and which is whose cannot be told.
pub(crate) fn in_place<'g, 'a>(grid: &'g Grid<'a>) -> Option<Cow<'g, Grid<'a>>> {
    if !(0..grid.columns.len()).any(|column| is_amiss(grid, column)) {
        return Some(Cow::Borrowed(grid));
    }
    // A `%` that stands between two columns is in neither.
    let words = |headings: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        let all = headings.flat_map(str::split_whitespace).filter(|word| *word != "%");
        let mut words: Vec<String> = all.map(str::to_ascii_lowercase).collect();
        words.sort_unstable();
        words
    };
    let printed = words(&mut grid.columns.iter().map(|c| c.name.as_str()));
    let fits = |headings: &&&[&str]| {
        headings.len() == grid.columns.len()
            && words(&mut headings.iter().copied()) == printed
            && headings.iter().enumerate().all(|(column, heading)| {
                let is_number = heading.starts_with('%') || heading.starts_with("Avg");
                let is_name =
                    matches!(*heading, "Event" | "Event Caused" | "Event Class" | "Module" | "Service");
                (!is_number || holds(grid, column, looks_numeric))
                    && (!is_name || !holds(grid, column, looks_numeric))
            })
    };
    let headings = TABLES.iter().find(fits)?;
    let mut moved = grid.clone();
    for (column, heading) in moved.columns.iter_mut().zip(*headings) {
        *column = Column::new("", heading);
    }
    Some(Cow::Owned(moved))
}
