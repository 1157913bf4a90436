//! Databases of our own invention, as facts: the reports in `examples/`.

pub(crate) mod build;
mod redo;
mod tier_zero;
mod till;
mod warehouse;

pub use redo::{redo_on_sas, redo_on_ssd};
pub use tier_zero::{tier_zero, tier_zero_plans, tier_zero_segments};
pub use till::till;
pub use warehouse::warehouse;

use crate::{Release, Style, render, render_collected_part, render_rac};
use spindle_facts::Layout;

/// File names and contents of `examples/`.
#[must_use]
pub fn examples() -> Vec<(&'static str, String)> {
    let text = Style::new(Release::V11_2_0_3, Layout::Text);
    let html = Style::new(Release::V11_2_0_3, Layout::Html);
    let statspack = Style { hashes: true, ..text.clone() };
    let warehouse = warehouse();
    let nodes = tier_zero();
    vec![
        ("redo-on-sas.txt", render(&redo_on_sas(), &text)),
        ("redo-on-ssd.txt", render(&redo_on_ssd(), &text)),
        ("statspack.txt", render(&till(), &statspack)),
        ("tier-zero/node-1.html", render(&nodes[0], &html)),
        ("tier-zero/node-2.html", render(&nodes[1], &html)),
        ("tier-zero/node-3.html", render(&nodes[2], &html)),
        ("tier-zero/node-4.html", render(&nodes[3], &html)),
        ("tier-zero/plans.txt", render_collected_part("plans", &tier_zero_plans())),
        ("tier-zero/segments.txt", render_collected_part("segments", &tier_zero_segments())),
        ("warehouse.html", render_rac(&warehouse, &html)),
        ("warehouse-node-1.html", render(&warehouse[0], &html)),
    ]
}
