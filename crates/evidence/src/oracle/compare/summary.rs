//! Host, cache sizes, work areas and services of a period.

use crate::cell::{Unit, looks_numeric};
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::printed;
use spindle_facts::{HostCpu, PrintedRow, Value};

const MIB: f64 = 1_048_576.0;

/// `Host Configuration Comparison`: a row a quantity.
pub(super) fn read_host(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    // Its heading was the period's name alone.
    let Some(value) = (1..grid.columns.len()).find(|at| grid.columns[*at].key().is_empty()) else { return 0 };
    let mut host = HostCpu { section: context.section, ..HostCpu::default() };
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, Some(0)).map(fold) else { continue };
        let number = context.count(grid, row, Some(value));
        let memory = context.bytes(grid, row, Some(value), MIB);
        let identity = &mut context.report.identity;
        match name.as_str() {
            "numberofcpus" => identity.cpus = number,
            "numberofcpucores" => identity.cores = number,
            "numberofcpusockets" => identity.sockets = number,
            "physicalmemory" => identity.memory_bytes = memory,
            "loadatstartsnapshot" => host.load_begin = number,
            "loadatendsnapshot" => host.load_end = number,
            "%usertime" => host.user_pct = number,
            "%systemtime" => host.system_pct = number,
            "%idletime" => host.idle_pct = number,
            "%iowaittime" => host.io_wait_pct = number,
            _ => continue,
        }
        if host.line == 0 {
            host.line = grid.row_line(row);
        }
        rows += 1;
    }
    if host.idle_pct.is_some() || host.load_begin.is_some() {
        context.tables().host_cpu.push(host);
    }
    rows
}

/// `Cache Sizes`: a row a cache, in MB.
pub(super) fn read_caches(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let of_period = |at: &usize| matches!(grid.columns[*at].key(), "" | "m" | "mb");
    let Some(value) = (1..grid.columns.len()).find(of_period) else { return 0 };
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, Some(0)).map(|n| n.trim_start_matches('.').to_owned()) else {
            continue;
        };
        // A column that somebody put before the names.
        if looks_numeric(&name) {
            continue;
        }
        let Some(size) = context.number(grid, row, Some(value), Unit::Bytes(MIB)) else { continue };
        let cells = vec![
            ("name", Value::Text(name.into())),
            ("begin_bytes", Value::Number(size.value)),
            ("end_bytes", Value::Null),
        ]
        .into();
        let line =
            PrintedRow { line: grid.row_line(row), section: context.section, instance_number: None, cells };
        context.tables().cache_size.push(line);
        rows += 1;
    }
    rows
}

pub(super) fn read_pga(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let rows = printed::rows(grid, context);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    context.tables().pga_aggregate.extend(rows);
    count
}

pub(super) fn read_services(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let rows = printed::rows(grid, context);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    context.tables().service.extend(rows);
    count
}
