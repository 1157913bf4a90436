//! Global cache, interconnect and memory by instance, kept as printed.

use super::keep;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{PrintedRow, Tables};

fn store(grid: &Grid<'_>, context: &mut Context<'_>, table: fn(&mut Tables) -> &mut Vec<PrintedRow>) -> u32 {
    let rows = keep(grid, context);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    table(context.tables()).extend(rows);
    count
}

pub(super) fn read_cache(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    store(grid, context, |t| &mut t.rac_cache)
}

pub(super) fn read_interconnect(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    store(grid, context, |t| &mut t.rac_interconnect)
}

pub(super) fn read_cache_sizes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    store(grid, context, |t| &mut t.cache_size)
}

pub(super) fn read_pga(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    store(grid, context, |t| &mut t.pga_aggregate)
}
