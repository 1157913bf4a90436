//! Headings of a page that was turned into text: where each section begins, whether a table is found below it
//! or not, so that none of them goes without a word.
//!
//! A heading stands alone on its line. It is a title that some release prints, or one that the page's own list
//! of sections names.

use super::text_sections::Line;
use crate::grid::{Grid, fold};
use std::borrow::Cow;
use std::collections::HashSet;

/// Headings are shorter, in bytes.
const LONGEST: usize = 90;

/// Marks that lists of a page begin their lines with.
const BULLETS: [char; 5] = ['*', '-', '•', '◦', '+'];

/// The section at hand, and what stands in it outside of tables.
pub(super) struct Headings<'a> {
    /// Folded titles that the page lists.
    listed: HashSet<String>,
    open: Option<Open<'a>>,
    after_blank: bool,
}

struct Open<'a> {
    title: &'a str,
    line: u32,
    /// Is it a title that some release prints?
    known: bool,
    loose: Vec<(u32, Cow<'a, str>)>,
    tables: bool,
}

impl<'a> Headings<'a> {
    /// Those of a page, by its list of sections.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let items = lines.iter().filter_map(|l| item_of(l.text)).filter(|item| item.len() <= LONGEST);
        Self { listed: items.map(fold).filter(|t| !t.is_empty()).collect(), open: None, after_blank: true }
    }

    /// A blank line.
    pub(super) fn see_blank(&mut self) {
        self.after_blank = true;
    }

    /// A line outside of tables; some converters put it right above its table, without a blank line before it.
    pub(super) fn see(&mut self, line: &Line<'a>, above_table: bool, sink: &mut impl FnMut(&mut Grid<'a>)) {
        let alone = std::mem::take(&mut self.after_blank) || above_table;
        if item_of(line.text).is_some() {
            return;
        }
        let text = line.text.trim().trim_matches(['#', '*']).trim();
        if text.starts_with("Back to") || text.starts_with("Back_to") || text.is_empty() {
            return;
        }
        let marked = text.len() < line.text.trim().len();
        if (alone || marked) && text.len() <= LONGEST {
            let folded = fold(text);
            let known = crate::oracle::is_any_title(&folded);
            if known || self.listed.contains(&folded) {
                self.end(sink);
                self.open =
                    Some(Open { title: text, line: line.number, known, loose: Vec::new(), tables: false });
                return;
            }
        }
        if let Some(open) = &mut self.open {
            open.loose.push((line.number, Cow::Borrowed(line.text)));
        }
    }

    /// A table was found.
    pub(super) fn see_table(&mut self) {
        self.after_blank = true;
        if let Some(open) = &mut self.open {
            open.tables = true;
        }
    }

    /// Hands over what stands loose in the section at hand: rows of no table, or that there are none.
    pub(super) fn end(&mut self, sink: &mut impl FnMut(&mut Grid<'a>)) {
        let Some(mut open) = self.open.take() else { return };
        if open.loose.is_empty() {
            // Headings above others hold nothing of their own.
            if open.tables || !open.known {
                return;
            }
            open.loose.push((open.line, Cow::Borrowed(open.title)));
        }
        let mut grid = Grid::default();
        (grid.title, grid.line, grid.remarks) = (Cow::Borrowed(open.title), open.line, open.loose);
        sink(&mut grid);
    }
}

/// What stands behind the mark of a list.
fn item_of(text: &str) -> Option<&str> {
    let text = text.trim();
    let item = text.strip_prefix(BULLETS)?;
    // A heading between stars is none, nor is a negative number.
    (item.starts_with(' ') && !text.ends_with('*')).then(|| item.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    /// Of 98 sections 68 were in no line of the account: their rows, parted by one blank, were of no table.
    #[test]
    fn a_section_whose_rows_are_no_table_is_accounted_for() {
        let text = "     * Foreground Wait Events\n     * Odd Section\n\n  Foreground Wait Events\n\n   Event Waits % DB\n   \
                    time\n   log file sync 2,797,551 17,766 46.00\n\n   Back to Top\n\n  Odd Section\n\n   a 1 2 3\n\n  \
                    Time Model Statistics\n";
        let all = lines(text);
        let mut headings = Headings::of(&all);
        let mut found = Vec::new();
        let mut sink =
            |grid: &mut Grid<'_>| found.push((grid.title.to_string(), grid.line, grid.remarks.len()));
        for line in &all {
            if line.is_blank() { headings.see_blank() } else { headings.see(line, false, &mut sink) }
        }
        headings.end(&mut sink);
        let expected =
            [("Foreground Wait Events", 4, 3), ("Odd Section", 12, 1), ("Time Model Statistics", 16, 1)];
        assert_eq!(found, expected.map(|(title, line, loose)| (title.to_owned(), line, loose)));
    }
}
