//! From text rulers, HTML cells or loose tables to one raw [`crate::grid::Grid`].

pub(crate) mod aligned_text;
mod barred_text;
pub(crate) mod blank_groups;
mod blanks;
pub(crate) mod broken_rows;
pub(crate) mod flat_text;
mod gutters;
mod headings;
pub(crate) mod html_table;
mod known_tables;
pub(crate) mod markdown_tables;
mod marked_down;
pub(crate) mod marks;
pub(crate) mod mend;
mod moved_rows;
pub(crate) mod page_width;
pub(crate) mod sampled_text;
pub(crate) mod shown_tabs;
pub(crate) mod statement_text;
pub(crate) mod text_ruler;
pub(crate) mod text_sections;
pub(crate) mod tidy;
pub(crate) mod typed;
mod typed_cells;
pub(crate) mod underlined;
mod wrapped_text;

/// How the words begin that stand in a section which holds nothing.
pub(crate) const NO_DATA: &str = "No data exists";

/// A heading without the marks that pages with sortable tables set behind it: arrows, triangles, letters of
/// fonts that draw them.
pub(crate) fn without_sort_mark(heading: &str) -> &str {
    if heading.as_bytes().last().is_none_or(u8::is_ascii) {
        return heading;
    }
    let is_mark = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}')
            || matches!(c, '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{e000}'..='\u{f8ff}')
            || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{1f500}'..='\u{1f5ff}' | '\u{1f780}'..='\u{1f8ff}')
    };
    heading.trim_end_matches(is_mark)
}

/// The value met most often, and how often.
fn most_common(values: impl Iterator<Item = usize>) -> (usize, usize) {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values
        .chunk_by(|a, b| a == b)
        .map(|alike| (alike[0], alike.len()))
        .max_by_key(|a| a.1)
        .unwrap_or_default()
}
