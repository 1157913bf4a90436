//! Time model.
//!
//! Printed as `Time Model Statistics` (AWR) and `Time Model System Stats` (Statspack, 10g and later).
//! Columns: statistic, time in seconds (tenths in text, hundredths in HTML), share of DB time,
//! from 12.1 share of total CPU time. Traps: `DB time` itself has a blank share; text writes a
//! share below one without the leading zero.

use super::wait_events::rounded;
use crate::cell::Unit;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::TimeModelRow;

pub(crate) const TITLES: &[&str] = &["timemodelstatistics", "timemodelsystemstats"];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statisticname", "statistic"]);
    let time = grid.column(&["times"]);
    let share = grid.column(&["%ofdbtime", "%dbtime"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (context.text(grid, row, statistic), time.is_some()) else {
            continue;
        };
        let seconds = context.number(grid, row, time, Unit::Count).map(rounded);
        let line = TimeModelRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            statistic: name,
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            share_db_time_pct: context.count(grid, row, share),
        };
        context.tables().time_model.push(line);
        rows += 1;
    }
    rows
}
