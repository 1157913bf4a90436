//! Facts to sections, in the order in which the report prints them. One file a group of sections.

mod activity;
mod awr_10_2;
mod contention;
pub(crate) mod histogram;
mod io;
mod memory;
mod parameters;
mod rac;
mod segments;
mod sql;
mod sql_early;
pub(crate) mod statspack;
mod statspack_10_2;
mod statspack_8i;
mod statspack_early;
mod summary;
mod summary_html;
mod time;
mod waits;

use crate::block::{Block, Cell};
use crate::style::{Release, Style};
use spindle_facts::{Layout, PrintedRow, Report, Scope, Value};

/// Every section of an instance report.
pub(crate) fn all(report: &Report, style: &Style) -> Vec<Block> {
    if style.release <= Release::V10_2 {
        return awr_10_2::all(report, style);
    }
    let mut out = every_section(report, style);
    if report.identity.scope == Scope::Container {
        let title = |b: &Block| if b.title.is_empty() { b.heading.clone() } else { b.title.clone() };
        // 19c prints those of a pluggable database, too.
        let segments = |b: &Block| style.release >= Release::V19 && title(b).starts_with("Segments by");
        let left = |b: &Block| NOT_OF_CONTAINERS.iter().any(|t| title(b).starts_with(t));
        out.retain(|b| b.verbatim.is_some() || segments(b) || !left(b));
    }
    out
}

fn every_section(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = summary::blocks(report, style);
    out.extend(summary_html::blocks(report, style));
    out.extend(rac::blocks(report, style));
    out.extend(time::blocks(report, style));
    out.extend(waits::blocks(report, style));
    out.extend(sql::blocks(report, style));
    out.extend(activity::blocks(report, style));
    out.extend(io::blocks(report, style));
    out.extend(memory::blocks(report, style));
    out.extend(contention::blocks(report, style));
    out.extend(segments::blocks(report, style));
    out.extend(parameters::blocks(report, style));
    out
}

/// HTML names the container of statements, segments, tablespaces and files of a container database.
fn names_containers(report: &Report, style: &Style) -> bool {
    report.identity.cdb == Some(true) && style.layout == Layout::Html && style.release >= Release::V12_2
}

/// Text names the container of statements and segments on a line of its own, below their numbers.
fn container_line(report: &Report, style: &Style, container: Option<&str>) -> Option<String> {
    let named =
        report.identity.cdb == Some(true) && style.layout == Layout::Text && style.release >= Release::V12_2;
    container.filter(|_| named).map(|name| format!("   PDB: {name}"))
}

/// The headings, with one more for the container.
fn and_container(columns: &'static [&'static str]) -> Option<Vec<&'static str>> {
    Some(columns.iter().copied().chain(["PDB Name"]).collect())
}

/// What the report of one pluggable database leaves to the report of its container database.
const NOT_OF_CONTAINERS: [&str; 16] = [
    "Background Wait Events",
    "Wait Event Histogram",
    "IOStat by Function",
    "Operating System",
    "Buffer Pool",
    "PGA ",
    "Enqueue Activity",
    "Latch Activity",
    "Instance Activity Stats - Thread",
    "Segments by",
    "Host CPU",
    "Instance CPU",
    "Memory Statistics",
    "Cache Sizes",
    "Instance Efficiency",
    "Shared Pool Statistics",
];

/// How the cells of a row kept as printed are formatted, by position.
#[derive(Clone, Copy)]
enum Format {
    Name,
    Int,
    Fixed(usize),
    /// One digit more in HTML.
    Fine(usize),
    Short(usize),
    /// `N/A` where unknown.
    FixedOrNa(usize),
    Megabytes,
}

fn printed(row: &PrintedRow, formats: &[Format], style: &Style) -> Vec<Cell> {
    formats
        .iter()
        .enumerate()
        .map(|(i, format)| match (row.cells.get(i).map(|(_, v)| v), format) {
            (Some(Value::Text(t)), _) => Cell::name(t.clone()),
            (Some(Value::Number(n)), Format::Int | Format::Name) => style.int(Some(*n)),
            (Some(Value::Number(n)), Format::Fixed(d) | Format::FixedOrNa(d)) => style.num(Some(*n), *d),
            (Some(Value::Number(n)), Format::Fine(d)) => style.fine(Some(*n), *d),
            (Some(Value::Number(n)), Format::Short(d)) => style.short(Some(*n), *d),
            (Some(Value::Number(n)), Format::Megabytes) => style.megabytes(Some(*n)),
            (_, Format::FixedOrNa(_)) => Cell::Number("N/A".to_owned()),
            _ => Cell::Blank,
        })
        .collect()
}
