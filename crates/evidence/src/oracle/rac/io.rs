//! I/O of all instances: profile, by function, by file type.
//!
//! Printed as `IO Profile (Global)`, `IOStat by Function`, `IOStat by File Type` (12.2 and later: a
//! row a function, `*` for all) and with `(per Second)` (11.2: columns are functions, grouped by
//! `Reads MB/sec` and kin). Trap: on Exadata the read requests by function are beyond sense (a
//! hundred thousand times those by file type) while bytes and writes agree.

use super::who;
use crate::cell::{MS, Unit};
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{IoActivity, IoProfileRow, Note, Report};

const MIB: f64 = 1_048_576.0;

pub(super) fn read_profile(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let name = grid.column(&["statistic", "name"]);
    let both = grid.column(&["read+write/s", "read+writepersecond"]);
    let reads = grid.column(&["reads/s", "read/s", "readpersecond"]);
    let writes = grid.column(&["writes/s", "write/s", "writepersecond"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(metric) = context.text(grid, row, name) else { continue };
        let line = IoProfileRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            metric,
            read_write_per_s: context.count(grid, row, both),
            reads_per_s: context.count(grid, row, reads),
            writes_per_s: context.count(grid, row, writes),
        };
        context.tables().io_profile.push(line);
        rows += 1;
    }
    rows
}

pub(super) fn read_function(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let found = read_rows(grid, context, &["functionname", "function"]);
    let rows = count(&found);
    context.tables().io_function.extend(found.into_iter().map(|(name, a)| as_function(name, a)));
    rows
}

pub(super) fn read_filetype(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let found = read_rows(grid, context, &["filetypename", "filetype"]);
    let rows = count(&found);
    context.tables().io_filetype.extend(found.into_iter().map(|(name, a)| as_filetype(name, a)));
    rows
}

pub(super) fn read_function_per_second(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let found = read_columns(grid, context);
    let rows = count(&found);
    context.tables().io_function.extend(found.into_iter().map(|(name, a)| as_function(name, a)));
    rows
}

pub(super) fn read_filetype_per_second(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let found = read_columns(grid, context);
    let rows = count(&found);
    context.tables().io_filetype.extend(found.into_iter().map(|(name, a)| as_filetype(name, a)));
    rows
}

type Named = (String, IoActivity);

fn count(found: &[Named]) -> u32 {
    u32::try_from(found.len()).unwrap_or(u32::MAX)
}

fn as_function(name: String, activity: IoActivity) -> IoActivity {
    let is_total = is_total(&name);
    IoActivity { is_total, function: (!is_total).then_some(name), ..activity }
}

fn as_filetype(name: String, activity: IoActivity) -> IoActivity {
    let is_total = is_total(&name);
    IoActivity { is_total, filetype: (!is_total).then_some(name), ..activity }
}

fn is_total(name: &str) -> bool {
    name.trim_end_matches(':').eq_ignore_ascii_case("total")
}

fn read_rows(grid: &Grid<'_>, context: &mut Context<'_>, names: &[&str]) -> Vec<Named> {
    let name = grid.column(names);
    let requests = |keys: &[&str]| grid.column_in("requests", keys);
    let megabytes = |keys: &[&str]| grid.column_in("mb", keys);
    let (reads, writes) = (requests(&["reads/s"]), requests(&["writes/s"]));
    let (read_mb, write_mb) = (megabytes(&["readmb/s"]), megabytes(&["writemb/s"]));
    let waits = grid.column(&["waitscount"]);
    let average = grid.column(&["avgtime", "avgtimems"]);
    let (small, large) = (grid.column(&["smallread"]), grid.column(&["largeread"]));
    let mut found = Vec::with_capacity(grid.len());
    for row in 0..grid.len() {
        let (Some(whom), Some(label)) = (who(grid, row), context.text(grid, row, name)) else { continue };
        let bytes = |context: &mut Context<'_>, column| context.count(grid, row, column).map(|m| m * MIB);
        let activity = IoActivity {
            line: grid.row_line(row),
            section: context.section,
            instance_number: whom.number(),
            reads_per_s: context.count(grid, row, reads),
            writes_per_s: context.count(grid, row, writes),
            read_bytes_per_s: bytes(context, read_mb),
            write_bytes_per_s: bytes(context, write_mb),
            waits: context.number(grid, row, waits, Unit::Count).map(|p| p.value),
            avg_wait_us: context.micros(grid, row, average, MS),
            small_read_us: context.micros(grid, row, small, MS),
            large_read_us: context.micros(grid, row, large, MS),
            ..IoActivity::default()
        };
        found.push((label, activity));
    }
    found
}

fn read_columns(grid: &Grid<'_>, context: &mut Context<'_>) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for row in 0..grid.len() {
        let Some(whom) = who(grid, row) else { continue };
        let first = found.len();
        for column in 0..grid.columns.len() {
            let heading = &grid.columns[column];
            let group = heading.group_key();
            if !group.starts_with("reads") && !group.starts_with("writes") {
                continue;
            }
            let Some(value) = context.count(grid, row, Some(column)) else { continue };
            let leaf = heading.name.strip_prefix(heading.group.as_str()).unwrap_or(&heading.name).trim();
            // Text abbreviates no function here, but splits `Buffer Cache` from its `Reads`.
            let label = match leaf {
                "Buffer Cache" => "Buffer Cache Reads",
                other => other,
            };
            let index = match found[first..].iter().position(|(n, _)| n == label) {
                Some(at) => first + at,
                None => {
                    let activity = IoActivity {
                        line: grid.row_line(row),
                        section: context.section,
                        instance_number: whom.number(),
                        ..IoActivity::default()
                    };
                    found.push((label.to_owned(), activity));
                    found.len() - 1
                }
            };
            let activity = &mut found[index].1;
            match (group.starts_with("reads"), group.contains("request")) {
                (true, true) => activity.reads_per_s = Some(value),
                (true, false) => activity.read_bytes_per_s = Some(value * MIB),
                (false, true) => activity.writes_per_s = Some(value),
                (false, false) => activity.write_bytes_per_s = Some(value * MIB),
            }
        }
    }
    found
}

/// Read requests by function that the file types prove impossible are unknown.
pub(super) fn finish(report: &mut Report) {
    const BEYOND: f64 = 10.0;
    let total = |rows: &[IoActivity]| {
        let printed = rows.iter().find(|r| r.is_total && r.instance_number.is_none())?;
        printed.reads_per_s
    };
    let by_type = total(&report.tables.io_filetype);
    let by_function = total(&report.tables.io_function);
    let (Some(by_type), Some(by_function)) = (by_type, by_function) else { return };
    if by_type <= 0.0 || by_function < BEYOND * by_type {
        return;
    }
    let first = report.tables.io_function.first().map(|r| (r.line, r.section));
    for row in &mut report.tables.io_function {
        row.reads_per_s = None;
    }
    report.notes.push(Note {
        line: first.map(|f| f.0),
        section: first.map(|f| report.section_title(f.1).to_owned()),
        message: format!(
            "read requests by function add up to {by_function:.0} a second, by file type to {by_type:.0}: \
             the former cannot be"
        ),
        effect: "read requests by function are unknown; those by file type, and all bytes and writes, stand"
            .to_owned(),
    });
}
