//! From text rulers, HTML cells or loose tables to one raw [`crate::grid::Grid`].

pub(crate) mod aligned_text;
mod barred_text;
mod blanks;
pub(crate) mod flat_text;
mod headings;
pub(crate) mod html_table;
mod known_tables;
pub(crate) mod marks;
pub(crate) mod mend;
pub(crate) mod sampled_text;
pub(crate) mod text_ruler;
pub(crate) mod text_sections;
pub(crate) mod tidy;
pub(crate) mod typed;
mod typed_cells;

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
