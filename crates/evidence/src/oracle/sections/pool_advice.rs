//! Advice on the shared, Java and streams pools, and on the time to recover.
//!
//! Printed as `Shared Pool Advisory` (9.2 and later), `Java Pool Advisory` (10.1 and later), `Streams Pool
//! Advisory` (10.2 and later), `MTTR Advisory` (AWR, where `fast_start_mttr_target` is set), all at
//! the end snapshot. Traps: AWR prints hits in thousands, Statspack does not; estimates count since
//! the instance started; 9.2 has other words for the same columns.

use super::advice::MEBIBYTES;
use super::as_printed::keep_group;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{MttrAdvice, PoolAdvice, StreamsPoolAdvice, Tables};

pub(crate) const SHARED_TITLES: &[&str] = &["sharedpooladvisory"];
pub(crate) const JAVA_TITLES: &[&str] = &["javapooladvisory"];
pub(crate) const STREAMS_TITLES: &[&str] = &["streamspooladvisory"];
pub(crate) const MTTR_TITLES: &[&str] = &["mttradvisory"];
/// Sizes of everything together (Statspack), and what ADDM was given (19c).
pub(crate) const OTHER_TITLES: &[&str] = &[
    "memorytargetadvice",
    "buffercacheadvisoryforaddm",
    "pgatargetadvisoryforaddm",
    "sharedpooladvisoryforaddm",
    "sgatargetadvisoryforaddm",
    "streamspooladvisoryforaddm",
];

const MB: f64 = 1_048_576.0;

pub(crate) fn read_shared(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, |tables| &mut tables.shared_pool_advice)
}

pub(crate) fn read_java(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, |tables| &mut tables.java_pool_advice)
}

pub(crate) fn read_other(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    keep_group(grid, context, |tables| &mut tables.memory_advice)
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, table: fn(&mut Tables) -> &mut Vec<PoolAdvice>) -> u32 {
    let starting = |prefixes: &[&str]| grid.column_starting(prefixes);
    let size = context.of_unit(grid, starting(&["sharedpoolsize", "javapoolsize"]), MEBIBYTES);
    let factor = starting(&["spsizefact", "jpsizefact"]);
    let cache = context.of_unit(grid, starting(&["estlcsize", "estdlibcachesize"]), MEBIBYTES);
    let saved = starting(&["estlctimesaveds", "estdlibcachetimesaved"]);
    let saved_factor = starting(&["estlctimesavedfact", "estdlctimesavedfact"]);
    let load = starting(&["estlcloadtimes"]);
    let load_factor = starting(&["estlcloadtimefact"]);
    let hits = context.of_unit(grid, starting(&["estlcmemobjhits", "estdlibcachememobjhits"]), &["k"]);
    let objects = grid.columns.iter().position(|c| c.key().ends_with("memobj"));
    let thousands = hits.map_or(1.0, |c| if grid.columns[c].key().ends_with("hitsk") { 1e3 } else { 1.0 });
    if size.is_none() || factor.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = PoolAdvice {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            size_bytes: context.bytes(grid, row, size, MB),
            size_factor: context.count(grid, row, factor),
            library_cache_bytes: context.bytes(grid, row, cache, MB),
            library_cache_objects: context.count(grid, row, objects),
            time_saved_s: context.count(grid, row, saved),
            time_saved_factor: context.count(grid, row, saved_factor),
            load_time_s: context.count(grid, row, load),
            load_time_factor: context.count(grid, row, load_factor),
            object_hits: context.count(grid, row, hits).map(|h| h * thousands),
        };
        if line.size_bytes.is_some() || line.size_factor.is_some() {
            table(context.tables()).push(line);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_streams(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let starting = |prefixes: &[&str]| grid.column_starting(prefixes);
    let size = starting(&["sizeforest", "streamspoolsizem"]);
    let factor = starting(&["sizefactor", "streamspoolsizefactor"]);
    let spills = starting(&["estspillcount"]);
    let spill_time = starting(&["estspilltime"]);
    let unspills = starting(&["estunspillcount"]);
    let unspill_time = starting(&["estunspilltime"]);
    if size.is_none() || factor.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = StreamsPoolAdvice {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            size_bytes: context.bytes(grid, row, size, MB),
            size_factor: context.count(grid, row, factor),
            spills: context.count(grid, row, spills),
            spill_time_s: context.count(grid, row, spill_time),
            unspills: context.count(grid, row, unspills),
            unspill_time_s: context.count(grid, row, unspill_time),
        };
        if line.size_bytes.is_some() || line.size_factor.is_some() {
            context.tables().streams_pool_advice.push(line);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_mttr(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let starting = |prefixes: &[&str]| grid.column_starting(prefixes);
    let target = starting(&["sizeforests"]);
    let limit = starting(&["dirtylimit"]);
    if target.is_none() || limit.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = MttrAdvice {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            target_s: context.count(grid, row, target),
            dirty_limit: context.count(grid, row, limit),
            cache_writes: context.count(grid, row, starting(&["estcachewrites"])),
            cache_write_factor: context.count(grid, row, starting(&["estcachewritef"])),
            total_writes: context.count(grid, row, starting(&["esttotalwrites"])),
            total_write_factor: context.count(grid, row, starting(&["esttotalwritef"])),
            total_ios: context.count(grid, row, starting(&["esttotalios"])),
            total_io_factor: context.count(grid, row, starting(&["esttotaliof"])),
        };
        if line.target_s.is_some() {
            context.tables().mttr_advice.push(line);
            rows += 1;
        }
    }
    rows
}
