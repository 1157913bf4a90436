//! The few events that lead, CPU among them.
//!
//! Printed as `Top 5 Timed Events` (Statspack, 10g), `Top 5 Timed Foreground Events` (11g), `Top 10
//! Foreground Events by Total Wait Time` (11.2.0.4 and later). Traps: the average is a bare number
//! of milliseconds up to 12.1 and carries its unit from 12.2; the share is of DB time in AWR, of
//! call or elapsed time in Statspack; the wait class is clipped in text.

use super::wait_events::full_class;
use crate::cell::{MS, Unit};
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use spindle_facts::{Kind, ShareOf, TopEvent};

pub(crate) const TITLES: &[&str] = &[
    "top5timedevents",
    "top5timedforegroundevents",
    "top10foregroundeventsbytotalwaittime",
    "top5waitevents",
    "toptimedevents",
];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let event = grid.column(&["event", "waitevent", "name"]).or_else(|| grid.column_starting(&["event"]));
    let waits = grid.column(&["waits"]);
    let time = grid
        .column(&["times", "totalwaittimesec", "totalwaittimes", "waittimes", "total", "totals"])
        .or_else(|| grid.column_starting(&["time", "totalwaittime", "waittime"]));
    let average = grid
        .column(&["waitavgms", "avgwait", "avgwaitms", "avgms"])
        .or_else(|| grid.column_starting(&["avg"]));
    let share = grid.columns.iter().position(|c| c.key().starts_with('%'));
    let class = grid.column(&["waitclass", "class"]);
    let share_of = match context.kind() {
        Kind::Statspack => ShareOf::TotalCallTime,
        _ => ShareOf::DbTime,
    };
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = context.text(grid, row, event) else {
            continue;
        };
        let seconds = context.number(grid, row, time, Unit::Count);
        let event_row = TopEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            waits: context.count(grid, row, waits),
            time_s: seconds.map(|p| p.value),
            // Whole seconds are rounded, though a whole count is exact.
            time_s_low: seconds.map(|p| if p.low == p.high { (p.value - 0.5).max(0.0) } else { p.low }),
            time_s_high: seconds.map(|p| if p.low == p.high { p.value + 0.5 } else { p.high }),
            avg_wait_us: context.micros(grid, row, average, MS),
            share_pct: context.count(grid, row, share),
            share_of: share.map(|_| share_of),
            wait_class: grid.cell(row, class).map(full_class),
            event: names::complete_event(&name).map_or(name, str::to_owned),
        };
        context.tables().top_event.push(event_row);
        rows += 1;
    }
    rows
}
