//! Global cache sections of an instance of a RAC database.

use crate::block::{Block, Cell};
use crate::style::Style;
use spindle_facts::{Report, Value};
use std::fmt::Write;

/// Rows of `rac_cache`: `group`, `metric`, then one or two values; laid out by group.
pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    if report.tables.rac_cache.is_empty() {
        return Vec::new();
    }
    let mut out = format!(
        "RAC Statistics  DB/Inst: {}/{}  Snaps: {}-{}\n\n\
         {:>37}{:>6}\n{:>37}{:>6}\n{:>31}{:>6}{:>6}\n\n",
        report.identity.db_name.as_deref().unwrap_or(""),
        report.identity.instance.as_deref().unwrap_or(""),
        report.identity.begin_snap.unwrap_or(0),
        report.identity.end_snap.unwrap_or(0),
        "Begin",
        "End",
        "-----",
        "-----",
        "Number of Instances:",
        report.identity.instances.unwrap_or(2),
        report.identity.instances.unwrap_or(2)
    );
    let mut group = "";
    for row in &report.tables.rac_cache {
        let this = row.text("group").unwrap_or("");
        if this != group {
            if !group.is_empty() {
                out.push('\n');
            }
            group = this;
            if this == "Global Cache Load Profile" {
                out.push_str(
                    "Global Cache Load Profile\n\
                     ~~~~~~~~~~~~~~~~~~~~~~~~~                  Per Second       Per Transaction\n\
                     \x20                                     ---------------       ---------------\n",
                );
            } else {
                let _ = writeln!(out, "{this}\n{}", "~".repeat(this.len()));
            }
        }
        let metric = row.text("metric").unwrap_or("");
        let values: Vec<Cell> = row
            .cells
            .iter()
            .filter_map(|(_, v)| match v {
                Value::Number(n) if this == "Global Cache Load Profile" => Some(style.num(Some(*n), 2)),
                Value::Number(n) if this.contains("Percentages") => Some(style.num(Some(*n), 2)),
                Value::Number(n) => Some(style.num(Some(*n), 1)),
                _ => None,
            })
            .collect();
        let label = format!("{metric}:");
        let _ = match (this, values.as_slice()) {
            ("Global Cache Load Profile", [a]) => writeln!(out, "{label:>33} {:>19}", a.text()),
            ("Global Cache Load Profile", [a, b]) => {
                writeln!(out, "{label:>33} {:>19} {:>21}", a.text(), b.text())
            }
            (g, [a, ..]) if g.contains("Percentages") => writeln!(out, "{label:<32}{:>6}", a.text()),
            (_, [a, ..]) => writeln!(out, "{label:>54} {:>8}", a.text()),
            _ => Ok(()),
        };
    }
    out.push_str("          -------------------------------------------------------------\n\n");
    vec![Block {
        verbatim: Some(out),
        new_page: true,
        only: Some(spindle_facts::Layout::Text),
        ..Block::default()
    }]
}
