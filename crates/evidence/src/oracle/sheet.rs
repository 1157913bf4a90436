//! A report that a spreadsheet saved as a page: one table without headings, in which titles of sections, headings and
//! rows of all its tables stand below each other.

use super::sections;
use crate::grid::{Grid, fold};

/// Sections from which a table is a whole report.
const LEAST: usize = 3;

/// The only cell of a row that is not blank.
fn alone<'g>(grid: &'g Grid<'_>, row: usize) -> Option<&'g str> {
    let mut filled = grid.row(row).iter().filter(|cell| !cell.is_empty());
    filled.next().filter(|_| filled.next().is_none()).map(AsRef::as_ref)
}

/// Do titles of several sections stand in rows of their own?
pub(super) fn holds_a_report(grid: &Grid<'_>) -> bool {
    let is_title = |text: &&str| text.len() < 100 && sections::is_any_title(&fold(text));
    // Nearly every table has headings, and no report fits into so few rows.
    grid.columns.is_empty()
        && grid.len() > 4 * LEAST
        && (0..grid.len()).filter_map(|row| alone(grid, row)).filter(is_title).nth(LEAST - 1).is_some()
}

/// Its rows as a copy from a browser has them, tabs between the cells and blank lines around what stands alone, with
/// the line of each.
pub(super) fn lines(grid: &Grid<'_>) -> (String, Vec<u32>) {
    let (mut text, mut numbers) = (String::new(), Vec::with_capacity(grid.len()));
    let mut end = |text: &mut String, row: usize| {
        text.push('\n');
        numbers.push(grid.row_line(row));
    };
    for row in 0..grid.len() {
        if let Some(words) = alone(grid, row) {
            end(&mut text, row);
            text.push_str(words);
            end(&mut text, row);
            continue;
        }
        let cells = grid.row(row);
        let filled = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        for (column, cell) in cells[..filled].iter().enumerate() {
            if column > 0 {
                text.push('\t');
            }
            // A cell may hold several lines.
            cell.split(['\n', '\r', '\t']).for_each(|piece| text.push_str(piece));
        }
        end(&mut text, row);
    }
    (text, numbers)
}
