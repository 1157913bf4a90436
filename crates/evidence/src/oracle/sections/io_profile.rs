//! IO profile.
//!
//! Printed as `IO Profile`, AWR from 11.2.0.4. Columns: label, reads and writes, reads, writes, each a
//! second. Units: requests, MB (2^20 bytes) or blocks, as the label says. Trap: text and HTML head
//! the columns in different words.

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::IoProfileRow;

pub(crate) const TITLES: &[&str] = &["ioprofile", "ioprofileglobal"];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let both = grid.column_starting(&["read+write"]);
    let reads = grid.column(&["readpersecond", "read/second", "reads/s"]);
    let writes = grid.column(&["writepersecond", "write/second", "writes/s"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, grid.column(&["statistic"]).or(Some(0))) else {
            continue;
        };
        let metric = label.trim_end_matches(':').trim().to_owned();
        if both.is_none() || reads.is_none() {
            continue;
        }
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
