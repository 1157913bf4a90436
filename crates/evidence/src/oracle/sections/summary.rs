//! Labelled values of the report's summary pages.
//!
//! Printed as `Instance Efficiency Percentages` (AWR, old Statspack), `Instance Efficiency
//! Indicators` (Statspack 11g and later), `Shared Pool Statistics`, `Memory Statistics` (Begin,
//! End), `Cache Sizes` (Begin, End; `(end)` up to 10g). Units: percent; MB in memory statistics;
//! cache sizes carry `K`, `M`, `G` in multiples of 1024. Traps: a blank End means unchanged; the shared
//! pool's lines stand inside the efficiency section of Statspack and of 11.2.0.3 text; the block
//! size and log buffer share lines with other caches; labels vary in blanks.

use super::labels::{Labelled, labelled};
use crate::cell::{Cell, Unit, looks_numeric, read as read_cell};
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use spindle_facts::{PrintedRow, SmolStr, Value};

pub(crate) const EFFICIENCY_TITLES: &[&str] =
    &["instanceefficiencypercentages*", "instanceefficiencyindicators", "sharedpoolstatistics"];
pub(crate) const CACHE_TITLES: &[&str] = &["cachesizes", "cachesizesend"];
pub(crate) const MEMORY_TITLES: &[&str] = &["memorystatistics"];

pub(crate) const CURSOR_TITLES: &[&str] = &["sqlmemorystatistics"];

/// `SQL Memory Statistics` (Statspack): cursors, their number and size.
pub(crate) fn read_cursors(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for found in labelled(grid).iter().filter(|found| found.values.len() >= 2) {
        rows += memory(found, context);
    }
    rows
}

pub(crate) fn read_efficiency(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    let mut all = labelled(grid);
    if all.is_empty() && matches!(grid.columns.len(), 2 | 4) {
        // Ratio and value in columns of their own, without the colon.
        for row in 0..grid.len() {
            for pair in grid.row(row).chunks(2) {
                if let [label, value] = pair
                    && !label.is_empty()
                    && !value.is_empty()
                    && looks_numeric(value)
                {
                    all.push(Labelled {
                        line: grid.row_line(row),
                        label: label.trim().to_owned(),
                        values: vec![value.trim().into()],
                    });
                }
            }
        }
    }
    for found in all {
        if is_shared_pool(&found.label) {
            rows += memory(&found, context);
        } else if let Some(first) = found.values.first() {
            let pct = value(first, Unit::Count, context);
            let row = printed(&found, context, vec![("ratio", name(&found)), ("pct", pct)]);
            context.tables().efficiency.push(row);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_memory(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    labelled(grid).iter().map(|found| memory(found, context)).sum()
}

fn memory(found: &Labelled, context: &mut Context<'_>) -> u32 {
    let (begin, end) = pair(found, Unit::Count, context);
    let row = printed(found, context, vec![("statistic", name(found)), ("begin", begin), ("end", end)]);
    context.tables().memory_stat.push(row);
    1
}

pub(crate) fn read_caches(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for found in labelled(grid) {
        if found.values.is_empty() {
            continue;
        }
        let whole =
            Labelled { values: found.values.iter().map(|v| whole_number(v)).collect(), ..found.clone() };
        let (begin, end) = pair(&whole, Unit::Bytes(1.0), context);
        if let (true, Value::Number(bytes)) = (fold(&found.label) == "stdblocksize", &begin) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
            if (512.0..=65_536.0).contains(bytes) {
                context.report.identity.block_size_bytes.get_or_insert(*bytes as u64);
            }
        }
        let cells = vec![("name", name(&found)), ("begin_bytes", begin), ("end_bytes", end)];
        let row = printed(&found, context, cells);
        context.tables().cache_size.push(row);
        rows += 1;
    }
    rows
}

/// A size whose digits a mark parts by three, without it: sizes are whole numbers or have one or two decimals, and
/// the summary stands before numbers that tell which mark is the decimal point.
fn whole_number(size: &str) -> SmolStr {
    let (number, unit) = size.split_at(size.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
    let parts = number.split_once(['.', ',']).filter(|(before, behind)| {
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        (1..=3).contains(&before.len())
            && behind.len() == 3
            && !before.starts_with('0')
            && digits(before)
            && digits(behind)
    });
    parts.map_or_else(|| size.into(), |(before, behind)| format!("{before}{behind}{unit}").into())
}

fn is_shared_pool(label: &str) -> bool {
    matches!(fold(label).as_str(), "memoryusage%" | "%sqlwithexecutions>1" | "%memoryforsqlw/exec>1")
}

fn name(found: &Labelled) -> Value {
    Value::Text(found.label.as_str().into())
}

/// Begin and end; a blank end is unchanged, not unknown, yet the report does not print it.
fn pair(found: &Labelled, unit: Unit, context: &Context<'_>) -> (Value, Value) {
    let at = |i: usize| found.values.get(i).map_or(Value::Null, |v| value(v, unit, context));
    (at(0), at(1))
}

pub(super) fn value(text: &str, unit: Unit, context: &Context<'_>) -> Value {
    match read_cell(text, unit, context.habits) {
        Cell::Number(printed) => Value::Number(printed.value),
        _ => Value::Null,
    }
}

pub(super) fn printed(found: &Labelled, context: &Context<'_>, cells: Vec<(&str, Value)>) -> PrintedRow {
    PrintedRow { line: found.line, section: context.section, instance_number: None, cells: cells.into() }
}
