//! I/O by function and file type of a period, and its files.
//!
//! Printed as `IOStat by Function - Data Rate per Second` (MB), `- Requests per Second`, the same by
//! file type: one row whose columns are functions, reads first, then writes from `Total Writes` on.
//! Files stand in up to three lists, each with its own order and the same measures. Trap: the lists by read time and
//! by buffer waits print mean buffer waits a tenth of those by I/O, under the same `(ms)`: the share of DB time, and
//! the tablespaces, prove the list by I/O (11.2.0.3).

use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::sections::file_io;
use spindle_facts::{IoActivity, Tables};

const MIB: f64 = 1_048_576.0;

pub(super) fn read_function_bytes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, true, true)
}

pub(super) fn read_function_requests(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, true, false)
}

pub(super) fn read_filetype_bytes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, false, true)
}

pub(super) fn read_filetype_requests(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, false, false)
}

pub(super) fn read_files(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let before = context.tables().file_io.len();
    let rows = file_io::read_files(grid, context);
    if context.title != "topfilecomparisonbyio" {
        let mut told = false;
        for file in context.tables().file_io.iter_mut().skip(before) {
            told |= file.io.avg_buffer_wait_us.take().is_some_and(|mean| mean > 0.0);
        }
        if told && before == 0 {
            context.note(
                Some(grid.line),
                "mean buffer waits of this list may be centiseconds, although its heading says milliseconds"
                    .to_owned(),
                "taken as unknown, unless the list by I/O prints them",
            );
        }
    }
    rows
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, by_function: bool, bytes: bool) -> u32 {
    if grid.is_empty() {
        return 0;
    }
    // Reads first, then writes, where the columns stand as printed.
    let is_printed_order = grid.columns.first().is_some_and(|first| fold(&first.name) == "totalreads");
    let mut writes = false;
    let mut rows = 0;
    for column in 0..grid.columns.len() {
        let heading = grid.columns[column].name.to_string();
        let folded = fold(&heading);
        if folded.is_empty() {
            continue;
        }
        writes |= folded == "totalwrites";
        let writes = match folded.as_str() {
            reads if reads.ends_with("reads") => false,
            writes if writes.ends_with("writes") => true,
            _ if is_printed_order => writes,
            _ => continue,
        };
        let is_total = folded == "totalwrites" || folded == "totalreads";
        let Some(value) = context.count(grid, 0, Some(column)) else { continue };
        // `Data File Reads` and `Data File Writes` are one file type; functions keep their names.
        let name = if by_function {
            heading
        } else {
            heading.trim_end_matches(" Reads").trim_end_matches(" Writes").to_owned()
        };
        let section = context.section;
        let table: fn(&mut Tables) -> &mut Vec<IoActivity> =
            if by_function { |t| &mut t.io_function } else { |t| &mut t.io_filetype };
        let table = table(context.tables());
        let mine = |a: &IoActivity| {
            let own = if by_function { &a.function } else { &a.filetype };
            a.is_total == is_total && (is_total || own.as_deref() == Some(&name))
        };
        let index = table.iter().position(mine).unwrap_or_else(|| {
            let named = (!is_total).then(|| name.clone());
            let (function, filetype) = if by_function { (named, None) } else { (None, named) };
            let line = grid.row_line(0);
            table.push(IoActivity { line, section, function, filetype, is_total, ..IoActivity::default() });
            table.len() - 1
        });
        let activity = &mut table[index];
        match (writes, bytes) {
            (false, true) => activity.read_bytes_per_s = Some(value * MIB),
            (false, false) => activity.reads_per_s = Some(value),
            (true, true) => activity.write_bytes_per_s = Some(value * MIB),
            (true, false) => activity.writes_per_s = Some(value),
        }
        rows += 1;
    }
    rows
}
