//! Segments over all instances.
//!
//! Printed as `Segment Statistics (Global)`: one table whose first column names the statistic.
//! `%Total` is blank where the statistic has no total over the system.

use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use spindle_facts::{FilledNames, SegmentStat};

fn ranking(statistic: &str) -> Option<&'static str> {
    Some(match fold(statistic).as_str() {
        "logicalreads" => "logical_reads",
        "physicalreads" => "physical_reads",
        "physicalreadrequests" => "physical_read_requests",
        "unoptimizedreads" | "unoptimizedphysicalreads" => "unoptimized_reads",
        "optimizedphysicalreads" | "optimizedreads" => "optimized_reads",
        "physicalreadsdirect" | "directphysicalreads" => "direct_reads",
        "physicalwrites" => "physical_writes",
        "physicalwriterequests" => "physical_write_requests",
        "physicalwritesdirect" | "directphysicalwrites" => "direct_writes",
        "segmentscans" | "tablescans" => "table_scans",
        "dbblockchanges" => "block_changes",
        "rowlockwaits" => "row_lock_waits",
        "itlwaits" => "itl_waits",
        "bufferbusywaits" => "buffer_busy_waits",
        "gcbufferbusy" => "gc_buffer_busy",
        "gccrblocksreceived" => "gc_cr_blocks_received",
        "gccurrentblocksreceived" => "gc_current_blocks_received",
        "gccrblocksserved" => "gc_cr_blocks_served",
        "gccurrentblocksserved" => "gc_current_blocks_served",
        "gcremotegrants" => "gc_remote_grants",
        _ => return None,
    })
}

pub(super) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statistic"]);
    let owner = grid.column(&["owner"]);
    let tablespace = grid.column(&["tablespacename", "tablespace"]);
    let object = grid.column(&["objectname"]);
    let subobject = grid.column(&["subobjectname"]);
    let kind = grid.column(&["objtype", "type"]);
    let value = grid.column(&["value"]);
    let share = grid.column(&["%total"]);
    let mut rows = 0;
    let mut strange: Option<(u32, String)> = None;
    let filled = |row: usize| FilledNames {
        owner: grid.fills(row, owner),
        tablespace: grid.fills(row, tablespace),
        object: grid.fills(row, object),
        subobject: grid.fills(row, subobject),
    };
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, statistic) else { continue };
        let Some(ranked_by) = ranking(name) else {
            strange.get_or_insert((grid.row_line(row), name.to_owned()));
            continue;
        };
        let line = SegmentStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by,
            owner: context.name(grid, row, owner),
            tablespace: context.name(grid, row, tablespace),
            object: context.name(grid, row, object),
            subobject: context.name(grid, row, subobject),
            object_type: context.name(grid, row, kind),
            value: context.count(grid, row, value),
            share_pct: context.count(grid, row, share),
            filled: filled(row),
            ..SegmentStat::default()
        };
        context.tables().segment_stat.push(line);
        rows += 1;
    }
    if let Some((line, name)) = strange {
        context.note(
            Some(line),
            format!("segment statistic `{name}` is not known"),
            "its segments are left out of rankings",
        );
    }
    rows
}
