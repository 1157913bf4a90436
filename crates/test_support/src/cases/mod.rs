//! Databases of our own invention, as facts: the reports in `examples/`.

pub(crate) mod build;
mod redo;

pub use redo::{redo_on_sas, redo_on_ssd};

use crate::{Release, Style, render};
use spindle_facts::Layout;

/// File names and contents of `examples/`.
#[must_use]
pub fn examples() -> Vec<(&'static str, String)> {
    let text = Style::new(Release::V11_2_0_3, Layout::Text);
    vec![
        ("redo-on-sas.txt", render(&redo_on_sas(), &text)),
        ("redo-on-ssd.txt", render(&redo_on_ssd(), &text)),
    ]
}
