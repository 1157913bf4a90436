//! What the SGA and the processes hold.
//!
//! Printed as `SGA Memory Summary` (regions), `SGA breakdown difference` (`... by Pool and Name` from 19c),
//! `Memory Dynamic Components` (11.1 and later), `Process Memory Summary` (10.2 and later; Statspack: `... Stats`,
//! `Top Process Memory (by component)`). Units: bytes or MB as the heading says; KB in process memory
//! of compare-period reports, where each measure has a row. Traps: a blank pool or snapshot repeats the one
//! above only in text; Statspack prints the total of a snapshot as dashes; the sum of the regions
//! stands under a ruler of its own.

use crate::cell::Unit;
use crate::grid::{Column, Grid, fold};
use crate::oracle::context::Context;
use spindle_facts::{MemoryComponent, ProcessMemory, SgaComponent, SgaRegion, SmolStr};

pub(crate) const REGION_TITLES: &[&str] = &["sgamemorysummary"];
pub(crate) const BREAKDOWN_TITLES: &[&str] =
    &["sgabreakdowndifference", "sgabreakdowndifferencebypoolandname"];
pub(crate) const COMPONENT_TITLES: &[&str] = &["memorydynamiccomponents"];
pub(crate) const PROCESS_TITLES: &[&str] =
    &["processmemorysummary", "processmemorysummarystats", "topprocessmemorybycomponent"];

const KB: f64 = 1_024.0;
const MB: f64 = 1_048_576.0;

/// Bytes of a number without suffix, as the heading says.
fn unit_of(grid: &Grid<'_>, column: Option<usize>) -> f64 {
    let name = column.map_or_else(String::new, |c| grid.columns[c].name.to_lowercase());
    if name.contains("kb)") {
        KB
    } else if name.contains("mb") || name.contains("(m)") {
        MB
    } else {
        1.0
    }
}

pub(crate) fn read_regions(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["sgaregions", "sgaregion"]);
    let begin = grid.column(&["beginsizebytes", "sizeinbytes", "size", "beginvaluekb"]);
    let end = grid.column(&["endsizebytesifdifferent", "endvaluekb"]);
    if name.is_none() || begin.is_none() {
        return 0;
    }
    let units = (unit_of(grid, begin), unit_of(grid, end));
    context.tables().sga_region.reserve(grid.len());
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(region) = context.name(grid, row, name) else { continue };
        let folded = fold(&region);
        let line = SgaRegion {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            is_total: matches!(folded.as_str(), "sum" | "total" | "totalsga"),
            region,
            begin_bytes: context.bytes(grid, row, begin, units.0),
            end_bytes: context.bytes(grid, row, end, units.1),
        };
        if line.begin_bytes.is_some() || line.end_bytes.is_some() {
            context.tables().sga_region.push(line);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_breakdown(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let pool = grid.column(&["pool"]);
    let name = grid.column(&["name"]);
    let begin = grid.column(&["beginmb", "beginvalue"]);
    let end = grid.column(&["endmb", "endvalue"]);
    let diff = grid.column(&["%diff"]);
    if name.is_none() || begin.is_none() {
        return 0;
    }
    let units = (unit_of(grid, begin), unit_of(grid, end));
    context.tables().sga_component.reserve(grid.len());
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = context.name(grid, row, name) else { continue };
        let line = SgaComponent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            pool: context.name(grid, row, pool),
            name,
            begin_bytes: context.bytes(grid, row, begin, units.0),
            end_bytes: context.bytes(grid, row, end, units.1),
            diff_pct: context.count(grid, row, diff),
        };
        context.tables().sga_component.push(line);
        rows += 1;
    }
    rows
}

pub(crate) fn read_components(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["component", "cache"]);
    let begin = grid.column_starting(&["beginsnapsize"]);
    let end = grid.column_starting(&["currentsize", "endsnapsize"]);
    let min = grid.column_starting(&["minsize"]);
    let max = grid.column_starting(&["maxsize"]);
    let operations = grid.column(&["opercount", "opcount"]);
    let last = grid.column_starting(&["lastoptyp"]);
    if name.is_none() || begin.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(component) = context.name(grid, row, name) else { continue };
        let line = MemoryComponent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            component,
            begin_bytes: context.bytes(grid, row, begin, MB),
            end_bytes: context.bytes(grid, row, end, MB),
            min_bytes: context.bytes(grid, row, min, MB),
            max_bytes: context.bytes(grid, row, max, MB),
            operations: context.count(grid, row, operations),
            last_operation: context.text(grid, row, last),
        };
        context.tables().memory_component.push(line);
        rows += 1;
    }
    rows
}

/// Measures of process memory, by what their headings begin with.
const MEASURES: &[(&str, Measure)] = &[
    ("avgalloc", Measure::Average),
    ("stddev", Measure::Deviation),
    ("histmax", Measure::HistMax),
    ("maxalloc", Measure::Max),
    ("alloc", Measure::Allocated),
    ("used", Measure::Used),
    ("freeabl", Measure::Freeable),
    ("numprocsorallocs", Measure::Either),
    ("numproc", Measure::Processes),
    ("numalloc", Measure::Allocations),
];

#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Allocated,
    Used,
    Freeable,
    Average,
    Deviation,
    Max,
    HistMax,
    Processes,
    Allocations,
    /// Processes in the row of a snapshot, allocations in the row of a category.
    Either,
}

fn measure(folded: &str) -> Option<Measure> {
    MEASURES.iter().find(|(start, _)| folded.starts_with(start)).map(|(_, measure)| *measure)
}

/// The unit of a measure: MB unless a heading says KB, counts for the rest.
fn unit(measure: Measure, heading: &str) -> Unit {
    match measure {
        Measure::Processes | Measure::Allocations | Measure::Either => Unit::Count,
        _ if heading.contains("(KB)") => Unit::Bytes(KB),
        _ => Unit::Bytes(MB),
    }
}

fn put(memory: &mut ProcessMemory, measure: Measure, value: Option<f64>) {
    let slot = match measure {
        Measure::Allocated => &mut memory.allocated_bytes,
        Measure::Used => &mut memory.used_bytes,
        Measure::Freeable => &mut memory.freeable_bytes,
        Measure::Average => &mut memory.avg_allocated_bytes,
        Measure::Deviation => &mut memory.std_dev_bytes,
        Measure::Max => &mut memory.max_allocated_bytes,
        Measure::HistMax => &mut memory.hist_max_bytes,
        Measure::Processes => &mut memory.processes,
        Measure::Allocations => &mut memory.allocations,
        Measure::Either if memory.is_total => &mut memory.processes,
        Measure::Either => &mut memory.allocations,
    };
    *slot = value;
}

/// Is it the sum of all? Most names begin otherwise.
fn is_total(name: &str) -> bool {
    let first = name.bytes().find(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    first.is_some_and(|b| matches!(b, b't' | b'T') || !b.is_ascii()) && fold(name) == "total"
}

/// A category, or the sum of all; the name of a process before its sum.
fn categorise(memory: &mut ProcessMemory, text: &str) {
    let name = text.trim_end_matches('-').trim_end();
    if text.ends_with("---") {
        memory.is_total = true;
        memory.process_name = (!name.is_empty()).then(|| name.into());
    } else if is_total(name) {
        memory.is_total = true;
    } else {
        memory.category = Some(name.into());
    }
}

pub(crate) fn read_processes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    if grid.column(&["summary"]).is_some() {
        return read_measures_below_each_other(grid, context);
    }
    let Some(category) = grid.column(&["category"]) else { return 0 };
    // Over a whole database, begin and end stand beside each other under each measure.
    let paired = grid.columns.iter().any(|c| c.key() == "begin" && !c.group_key().is_empty());
    let sides: &[Option<&str>] = if paired { &[Some("begin"), Some("end")] } else { &[None] };
    let marker = (!paired)
        .then(|| category.checked_sub(1))
        .flatten()
        .filter(|c| (0..grid.len()).any(|row| matches!(grid.cell(row, Some(*c)), Some("B" | "E"))));
    let process = grid.column(&["pid"]);
    let marker = if process.is_some() { Some(0) } else { marker };
    let container = grid.column(&["pdbname", "containername"]);
    // What each column holds, for each side.
    let of_side = |side: &Option<&str>| -> Vec<(usize, Measure, Unit)> {
        let of_column = |(index, column): (usize, &Column)| {
            let own = match side {
                Some(side) if column.key() == *side => measure(column.group_key()),
                Some(_) => None,
                None => measure(column.key()),
            }?;
            Some((index, own, unit(own, &column.name)))
        };
        grid.columns.iter().enumerate().filter_map(of_column).collect()
    };
    let sides: Vec<_> = sides.iter().map(|side| (side, of_side(side))).collect();
    context.tables().process_memory.reserve(grid.len() * sides.len());
    let mut rows = 0;
    let mut above: (Option<&'static str>, Option<u64>, Option<SmolStr>) = (None, None, None);
    for row in 0..grid.len() {
        let Some(words) = grid.cell(row, Some(category)) else { continue };
        // Copies as text join the mark with what stands behind it.
        let (joined, words) = match words.split_once(' ') {
            Some((mark @ ("B" | "E"), rest)) if marker.is_none() => (Some(mark), rest),
            _ => (None, words),
        };
        match joined.or(grid.cell(row, marker)) {
            Some("B") => above = (Some("begin"), None, None),
            Some("E") => above = (Some("end"), None, None),
            _ => {}
        }
        if let Some(number) = context.id(grid, row, process) {
            above.1 = Some(number);
            above.2 = None;
        }
        for (side, measures) in &sides {
            let mut memory = ProcessMemory {
                line: grid.row_line(row),
                section: context.section,
                instance_number: context.instance(grid, row),
                container: context.text(grid, row, container),
                snapshot: match side {
                    Some("begin") => Some("begin"),
                    Some(_) => Some("end"),
                    None => above.0,
                },
                ..ProcessMemory::default()
            };
            categorise(&mut memory, words);
            if process.is_some() {
                if memory.process_name.is_some() {
                    above.2.clone_from(&memory.process_name);
                }
                memory.process = above.1;
                memory.process_name.clone_from(&above.2);
            }
            let mut any = false;
            for (index, own, unit) in measures {
                let value = context.number(grid, row, Some(*index), *unit).map(|p| p.value);
                any |= value.is_some();
                put(&mut memory, *own, value);
            }
            if any {
                context.tables().process_memory.push(memory);
                rows += 1;
            }
        }
    }
    rows
}

/// Compare-period reports: a row a category and measure, begin and end beside each other.
fn read_measures_below_each_other(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let (category, summary) = (grid.column(&["category"]), grid.column(&["summary"]));
    let values = [grid.column(&["beginvalue"]), grid.column(&["endvalue"])];
    if category.is_none() || values[0].is_none() {
        return 0;
    }
    let mut rows = 0;
    let mut open: Option<[ProcessMemory; 2]> = None;
    for row in 0..grid.len() {
        if let Some(name) = context.name(grid, row, category)
            && open.as_ref().is_none_or(|o| o[0].category.as_ref() != Some(&name))
        {
            context.tables().process_memory.extend(open.take().into_iter().flatten());
            open = Some(["begin", "end"].map(|snapshot| ProcessMemory {
                line: grid.row_line(row),
                section: context.section,
                snapshot: Some(snapshot),
                category: Some(name.clone()),
                ..ProcessMemory::default()
            }));
        }
        let Some(label) = context.text(grid, row, summary) else { continue };
        let (Some(own), Some(open)) = (measure(&fold(&label)), open.as_mut()) else { continue };
        for (memory, column) in open.iter_mut().zip(values) {
            let value = context.number(grid, row, column, unit(own, &label)).map(|p| p.value);
            put(memory, own, value);
        }
        rows += 1;
    }
    context.tables().process_memory.extend(open.into_iter().flatten());
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("SGA Memory Summary  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20                                         End Size (Bytes)\n\
             SGA regions              Begin Size (Bytes)   (if different)\n\
             ------------------------ ------------------ ------------------\n";
    const NORMAL: &str = "Database Buffers                524,288,000\n";
    const WIDE: &str = "Database Buffers         ##################        524,288,000\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.sga_region.as_slice() else { panic!("{:?}", report.tables.sga_region) };
        assert_eq!((row.region.as_str(), row.is_total), ("Database Buffers", false));
        assert_eq!((row.begin_bytes, row.end_bytes), (Some(524_288_000.0), None));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.sga_region.as_slice() else { panic!("{:?}", report.tables.sga_region) };
        assert_eq!((row.begin_bytes, row.end_bytes), (None, Some(524_288_000.0)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("SGA regions", "SGA pieces!"));
        assert!(report.tables.sga_region.is_empty(), "{:?}", report.tables.sga_region);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
