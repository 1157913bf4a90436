//! From text rulers, HTML cells or loose tables to one raw [`crate::grid::Grid`].

pub(crate) mod aligned_text;
mod barred_text;
mod blanks;
pub(crate) mod flat_text;
pub(crate) mod html_table;
mod known_tables;
pub(crate) mod mend;
pub(crate) mod text_ruler;
pub(crate) mod text_sections;
pub(crate) mod tidy;
pub(crate) mod typed;
mod typed_cells;
