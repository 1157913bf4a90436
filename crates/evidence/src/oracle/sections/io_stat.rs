//! I/O by function and by file type.
//!
//! Printed as `IOStat by Function summary`, `IOStat by Filetype summary`, `IOStat by Function/Filetype
//! summary` (AWR from 11.2), `IO Stat by Function - summary` and `- detail` (Statspack from 11g), `IO
//! Stats Function Detail` (Statspack from 12.1). Columns: data, requests a second, data a second, for
//! reads and then for writes; waits and their mean, or small and large service times. Units: data in
//! multiples of 1024, requests and counts of 1000; means in ms up to 12.1, with their unit from
//! 12.2. Traps: reads and writes share headings, so those behind `Writes: Data` are the writes';
//! `Data per sec` without a suffix is MB; function names are clipped in text; the function's own
//! total among its file types repeats its name; Statspack divides milliseconds by requests and by a
//! thousand again for its `Avg Tm(ms)`, so that 0.0 stands in nearly every row and others are no mean.

use crate::cell::{MS, Unit, looks_numeric};
use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::sums::is_sum;
use spindle_facts::{IoActivity, Kind};

pub(crate) const FUNCTION_TITLES: &[&str] = &["iostatbyfunctionsummary"];
pub(crate) const FILETYPE_TITLES: &[&str] = &["iostatbyfiletypesummary"];
pub(crate) const BOTH_TITLES: &[&str] = &["iostatbyfunction/filetypesummary"];
pub(crate) const SIZES_TITLES: &[&str] = &["iostatbyfunctiondetail"];
pub(crate) const STATSPACK_BOTH_TITLES: &[&str] = &["iostatsfunctiondetail"];

const MB: f64 = 1_048_576.0;

/// Functions as `V$IOSTAT_FUNCTION` names them.
const FUNCTIONS: &[&str] = &[
    "ARCH",
    "Archive Manager",
    "Buffer Cache Reads",
    "DBWR",
    "Data Pump",
    "Direct Reads",
    "Direct Writes",
    "Inmemory Populate",
    "LGWR",
    "Others",
    "RMAN",
    "Recovery",
    "Smart Scan",
    "Streams AQ",
    "XDB",
];

/// What the first column names.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Function,
    Filetype,
    Both,
}

pub(crate) fn read_functions(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, By::Function)
}

pub(crate) fn read_filetypes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, By::Filetype)
}

pub(crate) fn read_both(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, By::Both)
}

/// Data, requests a second, data a second, found from `from` on.
fn volume(grid: &Grid<'_>, from: usize) -> Option<[usize; 3]> {
    let next = |from: usize, keys: &[&str]| {
        let rest = grid.columns.iter().enumerate().skip(from);
        rest.filter(|(_, c)| keys.iter().any(|k| c.key().ends_with(k))).map(|(i, _)| i).next()
    };
    let data = next(from, &["readsdata", "writesdata", "datavolume"])?;
    let requests = next(data + 1, &["reqspersec", "requests/sec"])?;
    let rate = next(requests + 1, &["datapersec", "datavol/sec"])?;
    Some([data, requests, rate])
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, by: By) -> u32 {
    let Some(reads) = volume(grid, 0) else {
        return 0;
    };
    let Some(writes) = volume(grid, reads[2] + 1) else {
        return 0;
    };
    let waits = grid.column(&["waitscount", "count", "waitcount"]);
    let mean = grid.column(&["avgtmms", "avgtime", "waitavgtmms"]);
    let small = grid.column(&["smallread"]);
    let large = grid.column(&["largeread"]);
    // Statspack prints none as nought.
    let statspack = matches!(context.kind(), Kind::Statspack | Kind::Unknown);
    let is_own = |name: &str| name.eq_ignore_ascii_case("TOTAL:");
    let has_own = (0..grid.len()).any(|row| grid.cell(row, Some(0)).is_some_and(is_own));
    let mut rows = 0;
    let mut divided = None;
    let tables = context.tables();
    match by {
        By::Function => tables.io_function.reserve(grid.len()),
        By::Filetype => tables.io_filetype.reserve(grid.len()),
        By::Both => tables.io_function_filetype.reserve(grid.len()),
    }
    for row in 0..grid.len() {
        // A number in the place of the name: the name stood on a line that was lost or shifted.
        let Some(name) = grid.cell(row, Some(0)).filter(|n| !looks_numeric(n)) else {
            continue;
        };
        // A row that somebody added, beside Oracle's own.
        if has_own && !is_own(name) && is_sum(name) {
            context.note(
                Some(grid.row_line(row)),
                format!("`{name}` adds up the other rows once more"),
                "the row is left out",
            );
            continue;
        }
        let is_total = is_own(name) || name.eq_ignore_ascii_case("TOTAL");
        let (function, filetype) = match (is_total, by) {
            (true, _) => (None, None),
            (_, By::Function) => (Some(full_function(name)), None),
            (_, By::Filetype) => (None, Some(name.to_owned())),
            (_, By::Both) => match name.split_once('(') {
                Some((function, filetype)) => {
                    let filetype = filetype.trim_end_matches(')').trim();
                    (Some(full_function(function.trim())), Some(filetype.to_owned()))
                }
                None => (Some(full_function(name)), None),
            },
        };
        // Data where requests are counted: the row stands beside its columns.
        let data = |column| grid.cell(row, Some(column)).is_some_and(|c| c.ends_with(['G', 'T', 'P']));
        if data(reads[1]) || data(writes[1]) {
            let what = format!("`{name}` holds an amount of data where requests a second are counted");
            context.lose(1);
            context.note(
                Some(grid.row_line(row)),
                what,
                "its cells do not stand under their headings: the row is left out",
            );
            continue;
        }
        let is_total = is_total || by == By::Both && filetype.is_none();
        let mut average = context.micros(grid, row, mean, MS).filter(|a| !(statspack && *a == 0.0));
        if average.is_some() && context.kind() == Kind::Statspack {
            average = None;
            divided.get_or_insert(grid.row_line(row));
        }
        let line = IoActivity {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            function,
            filetype,
            is_total,
            read_bytes: context.bytes(grid, row, Some(reads[0]), MB),
            write_bytes: context.bytes(grid, row, Some(writes[0]), MB),
            reads_per_s: context.count(grid, row, Some(reads[1])),
            read_bytes_per_s: context.bytes(grid, row, Some(reads[2]), MB),
            writes_per_s: context.count(grid, row, Some(writes[1])),
            write_bytes_per_s: context.bytes(grid, row, Some(writes[2]), MB),
            waits: context.count(grid, row, waits),
            avg_wait_us: average,
            small_read_us: context.micros(grid, row, small, MS),
            large_read_us: context.micros(grid, row, large, MS),
            ..IoActivity::default()
        };
        let tables = context.tables();
        match by {
            By::Function => tables.io_function.push(line),
            By::Filetype => tables.io_filetype.push(line),
            By::Both => tables.io_function_filetype.push(line),
        }
        rows += 1;
    }
    if divided.is_some() {
        context.note(
            divided,
            "`Avg Tm(ms)` is a thousandth of the milliseconds a request: Statspack divides twice".to_owned(),
            "the mean waits of functions are taken as unknown",
        );
    }
    rows
}

/// Statspack's requests by size belong to the function's row of the summary.
pub(crate) fn read_sizes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let columns = [
        grid.column(&["smallreadreqs"]),
        grid.column(&["largereadreqs"]),
        grid.column(&["smallwritereqs"]),
        grid.column(&["largewritereqs"]),
    ];
    if columns.iter().all(Option::is_none) {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, Some(0)) else {
            continue;
        };
        let is_total = name.eq_ignore_ascii_case("TOTAL:");
        let function = (!is_total).then(|| full_function(name));
        let [small_reads, large_reads, small_writes, large_writes] =
            columns.map(|c| context.count(grid, row, c));
        let section = context.section;
        let all = &mut context.tables().io_function;
        let known = all.iter().position(|r| r.function == function && r.is_total == is_total);
        let index = known.unwrap_or_else(|| {
            let line = grid.row_line(row);
            all.push(IoActivity { line, section, function, is_total, ..IoActivity::default() });
            all.len() - 1
        });
        let target = &mut all[index];
        target.small_read_requests = small_reads;
        target.large_read_requests = large_reads;
        target.small_write_requests = small_writes;
        target.large_write_requests = large_writes;
        rows += 1;
    }
    rows
}

/// Statspack's functions by file type: data in MB by size, total wait.
pub(crate) fn read_statspack_both(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let function = grid.column(&["functionname"]);
    let filetype = grid.column(&["filetypename"]);
    let column = |key: &str| grid.column(&[key]);
    let (small_read, large_read) = (column("smallreadmb"), column("largereadmb"));
    let (small_write, large_write) = (column("smallwritemb"), column("largewritemb"));
    let (waits, wait_ms) = (column("waits"), column("waittimems"));
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (grid.cell(row, function), small_read.is_some()) else {
            continue;
        };
        let name = full_function(name);
        let mut sum = |a, b| {
            let (a, b) = (context.bytes(grid, row, a, MB), context.bytes(grid, row, b, MB));
            a.zip(b).map(|(a, b)| a + b)
        };
        let (read_bytes, write_bytes) = (sum(small_read, large_read), sum(small_write, large_write));
        let count = context.number(grid, row, waits, Unit::Count);
        let time = context.number(grid, row, wait_ms, Unit::Microseconds(MS));
        let mean = count.zip(time).filter(|(c, _)| c.value > 0.0).map(|(c, t)| t.value / c.value);
        let line = IoActivity {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            function: Some(name),
            filetype: context.text(grid, row, filetype),
            read_bytes,
            write_bytes,
            waits: count.map(|c| c.value),
            avg_wait_us: mean,
            ..IoActivity::default()
        };
        context.tables().io_function_filetype.push(line);
        rows += 1;
    }
    rows
}

/// `Buffer Cache Re` in full.
fn full_function(printed: &str) -> String {
    let mut fits = FUNCTIONS.iter().filter(|f| f.starts_with(printed));
    match (fits.next(), fits.next()) {
        (Some(function), None) if printed.len() >= 4 => (*function).to_owned(),
        _ => printed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use super::MB;
    use super::full_function;
    use spindle_facts::SectionStatus;

    #[test]
    fn clipped_functions_are_completed_only_without_doubt() {
        assert_eq!(full_function("Buffer Cache Re"), "Buffer Cache Reads");
        assert_eq!(full_function("Direct"), "Direct");
        assert_eq!(full_function("DBWR"), "DBWR");
        assert_eq!(full_function("New Function"), "New Function");
    }

    fn rows(rows: &str) -> String {
        format!("IOStat by Function summary  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20               Reads:   Reqs   Data    Writes:  Reqs   Data    Waits:    Avg\n\
             Function Name   Data    per sec per sec Data    per sec per sec Count    Tm(ms)\n\
             --------------- ------- ------- ------- ------- ------- ------- ------- -------\n";
    const NORMAL: &str = "Buffer Cache Re   72.3G   758.4 20.6467      0M     0.0      0M   2720K     4.4\n";
    const WIDE: &str = "Buffer Cache Re ####### ####### 20.6467      0M     0.0      0M   2720K     4.4\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.io_function.as_slice() else { panic!("{:?}", report.tables.io_function) };
        assert_eq!((row.function.as_deref(), row.is_total), (Some("Buffer Cache Reads"), false));
        assert_eq!((row.read_bytes, row.reads_per_s), (Some(72.3 * 1024.0 * MB), Some(758.4)));
        assert_eq!((row.write_bytes, row.writes_per_s), (Some(0.0), Some(0.0)));
        assert_eq!((row.waits, row.avg_wait_us), (Some(2_720_000.0), Some(4_400.0)));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.io_function.as_slice() else { panic!("{:?}", report.tables.io_function) };
        assert_eq!((row.read_bytes, row.reads_per_s), (None, None));
        assert_eq!((row.write_bytes, row.waits), (Some(0.0), Some(2_720_000.0)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Reqs", "Asks"));
        assert!(report.tables.io_function.is_empty(), "{:?}", report.tables.io_function);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
