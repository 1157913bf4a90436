//! Advice on the size of the buffer cache and of the PGA.
//!
//! Printed as `Buffer Pool Advisory` and `PGA Memory Advisory`; every release from 9i, at the end
//! snapshot. Columns: pool, size (MB), size factor, buffers, read factor, reads, from 10g read time (s)
//! and share of DB time; target (MB), factor, work-area MB processed, extra MB, hit percentage,
//! over-allocations, from 11.1 time (s). Traps: buffers and reads are in thousands where the heading
//! says so; estimates count since the instance started, not over the interval; overprinted cells
//! are common in Statspack; AWR prints 1 as read time of every size, and the read time in the column of
//! the share (11.2 to 19c: Statspack of the same snapshots has it right).

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{DbCacheAdvice, Kind, PgaAdvice};

pub(crate) const CACHE_TITLES: &[&str] = &["bufferpooladvisory"];
pub(crate) const PGA_TITLES: &[&str] = &["pgamemoryadvisory", "pgatargetadvisory"];

const MB: f64 = 1_048_576.0;

/// So many sizes that all take one second are no chance.
const FEWEST_ALIKE: usize = 5;

/// What a column's figures are to be multiplied with, by its heading: 1,000 where it says so. Where headings lost what
/// stood in brackets the size of the buffers tells, since Oracle prints both columns alike; `None` where it does not.
fn thousands(
    grid: &Grid<'_>,
    context: &mut Context<'_>,
    size: Option<usize>,
    buffers: Option<usize>,
) -> Option<f64> {
    /// Blocks are of 2 to 32 KiB.
    const BLOCKS: std::ops::RangeInclusive<f64> = 1_500.0..=40_000.0;
    let mut found: Option<f64> = None;
    for row in 0..grid.len() {
        let bytes = context.bytes(grid, row, size, MB).filter(|bytes| *bytes > 0.0);
        let count = context.count(grid, row, buffers).filter(|count| *count >= 5.0);
        let Some((bytes, count)) = bytes.zip(count) else { continue };
        let fits = [1.0, 1e3].into_iter().find(|factor| BLOCKS.contains(&(bytes / (count * factor))))?;
        if found.is_some_and(|before| before != fits) {
            return None;
        }
        found = Some(fits);
    }
    found
}

/// The unit of sizes in the headings of advice.
pub(super) const MEBIBYTES: &[&str] = &["m", "mb"];

pub(crate) fn read_cache(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let starting = |prefixes: &[&str]| grid.column_starting(prefixes);
    let size = context.of_unit(grid, starting(&["sizeforest"]), MEBIBYTES);
    let factor = starting(&["sizefact"]);
    let buffers = context.of_unit(grid, starting(&["buffers"]), &["thousands"]);
    let read_factor = grid.columns.iter().position(|c| {
        c.key().starts_with("estphys") && (c.key().ends_with("readfactor") || c.key().ends_with("readfactr"))
    });
    let reads = context.of_unit(grid, starting(&["estimatedphys"]), &["thousands"]);
    let time = starting(&["estphysreadtime"]);
    let share = starting(&["est%dbtime"]);
    let says = |column: Option<usize>| column.is_some_and(|c| grid.columns[c].key().ends_with("thousands"));
    // 9i prints whole numbers, under `Buffers for Estimate` and `Estimated Physical Reads`.
    let whole = |column: Option<usize>| {
        column.is_none_or(|c| {
            grid.columns[c].key().contains("forest") || grid.columns[c].key() == "estimatedphysicalreads"
        })
    };
    let bare = if [buffers, reads].into_iter().all(|column| says(column) || whole(column)) {
        Some(1.0)
    } else {
        thousands(grid, context, size, buffers)
    };
    let factor_of = |column: Option<usize>| {
        if says(column) {
            Some(1e3)
        } else if whole(column) {
            Some(1.0)
        } else {
            bare
        }
    };
    let (buffers_in, reads_in) = (factor_of(buffers), factor_of(reads));
    if !grid.is_empty() && (buffers_in.is_none() || reads_in.is_none()) {
        context.note(
            Some(grid.line),
            "the headings do not say whether buffers and reads are in thousands, and no size tells it"
                .to_owned(),
            "both are taken as unknown",
        );
    }
    if size.is_none() || read_factor.is_none() && reads.is_none() {
        return 0;
    }
    let pool = grid.column(&["p", "pool"]);
    let taken = [pool, size, factor, buffers, read_factor, reads, time, share];
    context.tell_strange_columns(grid, &taken, |_| false);
    // The same time for all sizes cannot be: that column is misprinted, the next one holds it. Cells of
    // damaged rows may lack; where a single size is left, only a share beyond 100 % says so.
    let times = || (0..grid.len()).filter_map(|r| grid.cell(r, time));
    // Rows that people add, as sums, hold other figures.
    let alike = times().filter(|time| *time == "1").count();
    let doubtful = context.kind() != Kind::Statspack
        && alike > 0
        && (alike == times().count() || alike >= FEWEST_ALIKE && times().count() - alike <= 2);
    let beyond =
        doubtful && (0..grid.len()).any(|r| context.count(grid, r, share).is_some_and(|s| s > 100.0));
    let misprinted = share.is_some() && doubtful && (beyond || times().nth(1).is_some());
    if misprinted {
        context.note(
            Some(grid.row_line(0)),
            "`Est Phys Read Time` is 1 for every size, and `Est %DBtime for Rds` holds the read time"
                .to_owned(),
            "read as what they hold: seconds; the share of DB time is unknown",
        );
    }
    let (time, share) = match (misprinted, doubtful) {
        (true, _) => (share, None),
        (false, true) => (None, None),
        (false, false) => (time, share),
    };
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = DbCacheAdvice {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            pool: context.text(grid, row, pool),
            size_bytes: context.bytes(grid, row, size, MB),
            size_factor: context.count(grid, row, factor),
            buffers: context.count(grid, row, buffers).zip(buffers_in).map(|(b, of)| b * of),
            read_factor: context.count(grid, row, read_factor),
            estimated_reads: context.count(grid, row, reads).zip(reads_in).map(|(r, of)| r * of),
            estimated_read_time_s: context.count(grid, row, time),
            estimated_db_time_pct: context.count(grid, row, share),
        };
        // A size wider than its column is known by its buffers.
        if line.size_bytes.is_some() || line.size_factor.is_some() || line.buffers.is_some() {
            context.tables().db_cache_advice.push(line);
            rows += 1;
        }
    }
    rows
}

pub(crate) fn read_pga(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let starting = |prefixes: &[&str]| grid.column_starting(prefixes);
    let target = context.of_unit(grid, starting(&["pgatarget", "pgaaggrtarget"]), MEBIBYTES);
    let factor = starting(&["sizefact"]);
    let processed = starting(&["w/ambprocessed"]);
    let extra = starting(&["estdextra"]);
    let hit = grid.columns.iter().position(|c| c.key().starts_with("estdp") && c.key().ends_with("hit%"));
    let over = starting(&["estdpgaover"]);
    let time = starting(&["estdtime"]);
    // AWR prints microseconds, and names no unit: Statspack, which names seconds, has 2.8 for the same 2,762,644.
    let times_us = time.is_some_and(|c| !grid.columns.get(c).is_some_and(|c| c.key().contains("process")));
    let time_s = |time: f64| if times_us { time / 1e6 } else { time };
    if target.is_none() {
        return 0;
    }
    context.tell_strange_columns(grid, &[target, factor, processed, extra, hit, over, time], |_| false);
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = PgaAdvice {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            target_bytes: context.bytes(grid, row, target, MB),
            size_factor: context.count(grid, row, factor),
            processed_bytes: context.bytes(grid, row, processed, MB),
            extra_rw_bytes: context.bytes(grid, row, extra, MB),
            cache_hit_pct: context.count(grid, row, hit),
            over_allocations: context.count(grid, row, over),
            estimated_time_s: context.count(grid, row, time).map(time_s),
        };
        if line.target_bytes.is_some() || line.size_factor.is_some() {
            context.tables().pga_advice.push(line);
            rows += 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use super::MB;
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("Buffer Pool Advisory  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20                                   Est\n\
             \x20                                  Phys      Estimated                  Est\n\
             \x20   Size for   Size      Buffers   Read     Phys Reads     Est Phys %DBtime\n\
             P    Est (M) Factor  (thousands) Factor    (thousands)    Read Time for Rds\n\
             --- -------- ------ ------------ ------ -------------- ------------ -------\n";
    const NORMAL: &str = "D      1,843     .1          226    1.6      3,111,246    9,644,863    48.5\n";
    const WIDE: &str = "D      1,843     .1          226    1.6 ##############    9,644,863    48.5\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.db_cache_advice.as_slice() else {
            panic!("{:?}", report.tables.db_cache_advice)
        };
        assert_eq!((row.pool.as_deref(), row.size_bytes), (Some("D"), Some(1_843.0 * MB)));
        assert_eq!((row.size_factor, row.buffers), (Some(0.1), Some(226_000.0)));
        assert_eq!((row.read_factor, row.estimated_reads), (Some(1.6), Some(3_111_246_000.0)));
        assert_eq!(row.estimated_read_time_s, Some(9_644_863.0));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.db_cache_advice.as_slice() else {
            panic!("{:?}", report.tables.db_cache_advice)
        };
        assert_eq!((row.read_factor, row.estimated_reads), (Some(1.6), None));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Size", "Span"));
        assert!(report.tables.db_cache_advice.is_empty(), "{:?}", report.tables.db_cache_advice);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
