//! The host: operating system statistics, and the one-line CPU summary.
//!
//! Printed as `Operating System Statistics` (AWR: Value, End Value), `OS Statistics` (Statspack:
//! Total, in 10g per Second as well), `Host CPU` (AWR from 11.2.0.4 with CPU counts as columns, before
//! with the counts in the title; Statspack with WCPU). Units: centiseconds over the interval for
//! `*_TIME`, else those of the statistic; percent. Traps: the text layouts of `Host CPU` print the
//! counts on the title's line, which becomes part of the headings, so columns are known by how
//! their headings end; `%WIO` is idle time during which I/O was pending.

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{HostCpu, OsStat};

pub(crate) const STATISTIC_TITLES: &[&str] = &["operatingsystemstatistics", "osstatistics"];
pub(crate) const CPU_TITLES: &[&str] = &["hostcpu*"];

pub(crate) fn read_statistics(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statistic", "statisticname"]);
    let value = grid.column(&["value", "total"]);
    let end = grid.column(&["endvalue"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (context.text(grid, row, statistic), value.is_some()) else {
            continue;
        };
        let line = OsStat {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            statistic: name,
            value: context.count(grid, row, value),
            end_value: context.count(grid, row, end),
        };
        context.tables().os_stat.push(line);
        rows += 1;
    }
    rows
}

pub(crate) fn read_cpu(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let ending = |word: &str| grid.columns.iter().position(|c| c.key().ends_with(word));
    let (begin, end) = (ending("begin"), ending("end"));
    let (user, system, io, idle) = (ending("user"), ending("system"), ending("wio"), ending("idle"));
    if idle.is_none() || user.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = HostCpu {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            load_begin: context.count(grid, row, begin),
            load_end: context.count(grid, row, end),
            user_pct: context.count(grid, row, user),
            system_pct: context.count(grid, row, system),
            io_wait_pct: context.count(grid, row, io),
            idle_pct: context.count(grid, row, idle),
        };
        if line.idle_pct.is_some() || line.user_pct.is_some() {
            context.tables().host_cpu.push(line);
            rows += 1;
        }
    }
    rows
}
