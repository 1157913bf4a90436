//! I/O by tablespace and by file.
//!
//! Printed as `Tablespace IO Stats` and `File IO Stats`; every release. Columns: reads, reads a second,
//! mean read (ms), blocks a read, from 11.2.0.4 single-block reads a second and their mean, from 12.1
//! share of optimised reads, writes, writes a second, from 12.2 mean write (ms), buffer waits, mean
//! buffer wait (ms), container; Statspack from 10g the longest read's bucket. Traps: two lines a row in
//! text; `N/A` means no single-block reads; averages above a second are still printed in ms, some
//! with their unit; rates are blank where the snapshots span a restart; several files share one
//! clipped name; default snapshots from 12.2 no longer gather these statistics; tablespace columns of
//! 11.2.0.4 are permuted (see [`put_right`]).

use crate::cell::MS;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{FileIo, Note, Report, TablespaceIo};
use std::collections::HashMap;

pub(crate) const TABLESPACE_TITLES: &[&str] = &["tablespaceiostats", "tablespaceiosummarystatistics"];
pub(crate) const FILE_TITLES: &[&str] = &["fileiostats", "fileiosummarystatistics"];

/// Where the measures stand.
struct Columns {
    tablespace: Option<usize>,
    file: Option<usize>,
    container: Option<usize>,
    measures: [Option<usize>; 13],
}

impl Columns {
    fn find(grid: &Grid<'_>) -> Self {
        let at = |keys: &[&str]| grid.column(keys);
        Self {
            tablespace: at(&["tablespace", "tablespacename"]),
            file: at(&["filename", "file"]),
            container: at(&["pdbname"]),
            measures: [
                at(&["reads"]),
                at(&["avrds/s", "avreads/s", "rds/s", "avgreads/s", "reads/s"]),
                at(&["avrdms", "avgrdms"]),
                at(&["avblks/rd", "avgblks/rd"]),
                at(&["1bkrds/s"]),
                at(&["av1bkrdms"]),
                at(&["writes"]),
                at(&["writesavg/s", "avwrites/s", "avgwrt/s", "writes/s"]),
                at(&["avwritesms", "avwrms"]),
                at(&["bufferwaits"]),
                at(&["avbufwtms", "avgbufwtms"]),
                at(&["%optreads"]),
                at(&["mxrdbkt"]),
            ],
        }
    }

    fn row(&self, grid: &Grid<'_>, context: &mut Context<'_>, row: usize, name: String) -> TablespaceIo {
        let [reads, rate, read, blocks, one_rate, one, writes, write_rate, write, waits, wait, optimized, _] =
            self.measures;
        TablespaceIo {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            container: context.text(grid, row, self.container),
            tablespace: name,
            reads: context.count(grid, row, reads),
            reads_per_s: context.count(grid, row, rate),
            avg_read_us: context.micros(grid, row, read, MS),
            blocks_per_read: context.count(grid, row, blocks),
            one_block_reads_per_s: context.count(grid, row, one_rate),
            one_block_avg_us: context.micros(grid, row, one, MS),
            writes: context.count(grid, row, writes),
            writes_per_s: context.count(grid, row, write_rate),
            avg_write_us: context.micros(grid, row, write, MS),
            buffer_waits: context.count(grid, row, waits),
            avg_buffer_wait_us: context.micros(grid, row, wait, MS),
            optimized_reads_pct: context.count(grid, row, optimized),
        }
    }
}

pub(crate) fn read_tablespaces(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let columns = Columns::find(grid);
    if columns.measures[0].is_none() {
        return 0;
    }
    // Where titles moved, as below their tables, it is the table of the files.
    if columns.file.is_some() {
        context.note(
            Some(grid.line),
            "the table stands under the title of the tablespaces, and names files".to_owned(),
            "read as the files",
        );
        return read_files(grid, context);
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(name) = context.text(grid, row, columns.tablespace) else {
            continue;
        };
        let line = columns.row(grid, context, row, name);
        context.tables().tablespace_io.push(line);
        rows += 1;
    }
    rows
}

pub(crate) fn read_files(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let columns = Columns::find(grid);
    if columns.measures[0].is_none() {
        return 0;
    }
    let mut rows = 0;
    let mut tablespace = String::new();
    for row in 0..grid.len() {
        if let Some(name) = grid.cell(row, columns.tablespace) {
            name.clone_into(&mut tablespace);
        }
        let Some(file) = context.text(grid, row, columns.file) else {
            continue;
        };
        let io = columns.row(grid, context, row, tablespace.clone());
        context.tables().file_io.push(FileIo { file, io });
        rows += 1;
    }
    rows
}

/// 11.2.0.4 prints the tablespaces' writes under `1-bk Rds/s`, single-block reads a second under `Av
/// 1-bk Rd(ms)`, and their mean under `Writes`; its files are right. The sums of the files prove it.
pub(crate) fn put_right(report: &mut Report) {
    // An excerpt without its header can be of that release.
    let affected = report.identity.version.as_deref().is_none_or(|v| v.starts_with("11.2.0.4"));
    let any = |t: &&TablespaceIo| t.one_block_reads_per_s.is_some() || t.one_block_avg_us.is_some();
    if !affected || !report.tables.tablespace_io.iter().any(|t| any(&t)) {
        return;
    }
    let mut sums: HashMap<&str, f64> = HashMap::new();
    for file in &report.tables.file_io {
        if let Some(writes) = file.io.writes {
            *sums.entry(&file.io.tablespace).or_default() += writes;
        }
    }
    // Printed counts above some width are rounded to thousands.
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() <= 0.5 + b.abs() * 0.001);
    let (mut permuted, mut straight) = (0, 0);
    for t in &report.tables.tablespace_io {
        let Some(sum) = sums.get(t.tablespace.as_str()) else {
            continue;
        };
        match (near(t.one_block_reads_per_s, *sum), near(t.writes, *sum)) {
            (true, false) => permuted += 1,
            (false, true) => straight += 1,
            _ => {}
        }
    }
    if straight > 0 && permuted == 0 {
        return;
    }
    let proven = permuted > 0 && straight == 0;
    let tablespaces = report.tables.tablespace_io.len();
    let first = report.tables.tablespace_io.first().map(|t| (t.line, t.section));
    for t in &mut report.tables.tablespace_io {
        let (rate, mean, writes) = (t.one_block_reads_per_s, t.one_block_avg_us, t.writes);
        (t.writes, t.one_block_reads_per_s, t.one_block_avg_us) =
            if proven { (rate, mean.map(|m| m / MS), writes.map(|w| w * MS)) } else { (None, None, None) };
    }
    let effect = if proven {
        "read as what they hold: the sums of the files of this report prove it"
    } else {
        "taken as unknown: no file of this report proves which column is which"
    };
    report.notes.push(Note {
        line: first.map(|f| f.0),
        section: first.map(|f| report.section_title(f.1).to_owned()),
        message: format!(
            "writes, single-block reads a second and their mean stand in each other's columns ({tablespaces} tablespaces; 11.2.0.4)"
        ),
        effect: effect.to_owned(),
    });
}

/// Takes mean reads as unknown where they cannot be: 12.1 on AIX prints half a minute a read of some
/// tablespaces. All of it is single-block time (that and the whole time of reads agree to a
/// thousandth), the counts agree with the wait events, and so does nothing else.
pub(crate) fn impossible_times(report: &mut Report) {
    /// More reads at any moment than any instance has in flight.
    const IN_FLIGHT: f64 = 1_000.0;
    /// Reads that nobody waits for add to the files' time, not the hundredfold.
    const BEYOND_WAITS: f64 = 100.0;
    /// No storage takes a second a read, over all reads of an interval, while waits say milliseconds.
    const MEAN_S: f64 = 1.0;
    let spent = |t: &TablespaceIo| Some(t.reads? * t.avg_read_us? / 1e6);
    let tables = &report.tables;
    // The files of a report whose tablespaces lack print the same.
    let places: Vec<&TablespaceIo> = if tables.tablespace_io.is_empty() {
        tables.file_io.iter().map(|f| &f.io).collect()
    } else {
        tables.tablespace_io.iter().collect()
    };
    let total: f64 = places.iter().filter_map(|t| spent(t)).sum();
    let reads: f64 = places.iter().filter(|t| spent(t).is_some()).filter_map(|t| t.reads).sum();
    let first = places.first().map(|t| (t.line, t.section));
    let is_io = |class: Option<&str>| matches!(class, Some("User I/O" | "System I/O"));
    let events = report.tables.wait_event.iter().filter(|e| is_io(e.wait_class.as_deref()));
    let waits: f64 = events.filter_map(|e| e.time_s).sum();
    // Without the length of the interval nobody knows how many that is at a time: the waits have to tell.
    let elapsed = report.identity.elapsed_s.filter(|e| *e > 0.0);
    if total <= MEAN_S * reads
        || elapsed.is_some_and(|elapsed| total <= IN_FLIGHT * elapsed)
        || total <= BEYOND_WAITS * waits
        || waits <= 0.0
    {
        return;
    }
    let in_flight = elapsed.map_or(String::new(), |elapsed| {
        format!("{:.0} reads in flight at any moment, and to ", total / elapsed)
    });
    let files = report.tables.file_io.iter_mut().map(|f| &mut f.io);
    for io in report.tables.tablespace_io.iter_mut().chain(files) {
        (io.avg_read_us, io.one_block_avg_us) = (None, None);
    }
    report.notes.push(Note {
        line: first.map(|f| f.0),
        section: first.map(|f| report.section_title(f.1).to_owned()),
        message: format!(
            "the mean reads cannot be: they add up to {in_flight}{total:.0} s where all waits for I/O took {waits:.0} s"
        ),
        effect: "mean reads of tablespaces and files are unknown; their counts stand".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tried::{section, status};
    use super::*;
    use spindle_facts::SectionStatus;
    use spindle_facts::{Identity, Kind, Layout, ShareOf, Side, WaitEvent};

    fn waited(time_s: f64) -> WaitEvent {
        WaitEvent {
            line: 1,
            section: 0,
            instance_number: None,
            event: "db file sequential read".into(),
            printed_as: None,
            side: Side::Foreground,
            is_idle: false,
            wait_class: Some("User I/O".into()),
            waits: Some(1e6),
            waits_low: None,
            waits_high: None,
            timeouts: None,
            timeouts_pct: None,
            time_s: Some(time_s),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: None,
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            waits_per_txn: None,
            share_pct: None,
            share_of: Some(ShareOf::DbTime),
        }
    }

    #[test]
    fn reads_of_half_a_minute_by_the_million_are_unknown_not_slow() {
        let read = |avg_us: f64, waits_s: f64| {
            let mut report = report(&[("TILL", 40.0)]);
            report.identity.elapsed_s = Some(3_600.0);
            report.tables.wait_event.push(waited(waits_s));
            report.tables.tablespace_io.push(TablespaceIo {
                tablespace: "TILL".into(),
                reads: Some(1_800_000.0),
                avg_read_us: Some(avg_us),
                one_block_avg_us: Some(avg_us),
                ..TablespaceIo::default()
            });
            impossible_times(&mut report);
            let last = report.tables.tablespace_io.pop().unwrap();
            (last.reads, last.avg_read_us, last.one_block_avg_us, report.notes.len())
        };
        let reads = Some(1_800_000.0);
        assert_eq!(read(22e6, 5_000.0), (reads, None, None, 1));
        // A slow array is slow: the waits say so too.
        assert_eq!(read(22e6, 3e7), (reads, Some(22e6), Some(22e6), 0));
        assert_eq!(read(22e3, 5_000.0), (reads, Some(22e3), Some(22e3), 0));
    }

    /// Without the tablespaces, or the length of the interval, the same means of the files were believed.
    #[test]
    fn the_same_times_of_files_alone_were_believed() {
        let read = |elapsed_s: Option<f64>, waits_s: f64| {
            let mut report = report(&[]);
            report.identity.elapsed_s = elapsed_s;
            report.tables.tablespace_io.clear();
            report.tables.wait_event.push(waited(waits_s));
            let io = TablespaceIo {
                tablespace: "TILL".into(),
                reads: Some(1_800_000.0),
                avg_read_us: Some(22e6),
                ..TablespaceIo::default()
            };
            report.tables.file_io.push(spindle_facts::FileIo { file: "/u01/till.dbf".into(), io });
            impossible_times(&mut report);
            report.tables.file_io.pop().unwrap().io.avg_read_us
        };
        assert_eq!(read(Some(3_600.0), 5_000.0), None);
        assert_eq!(read(None, 5_000.0), None);
        assert_eq!(read(None, 3e7), Some(22e6));
    }

    fn report(files: &[(&str, f64)]) -> Report {
        let mut identity = Identity::unknown("x", Kind::Awr, Layout::Text);
        identity.version = Some("11.2.0.4.0".into());
        let mut report = Report::new(identity);
        report.tables.tablespace_io.push(TablespaceIo {
            tablespace: "USERS".into(),
            one_block_reads_per_s: Some(343.0),
            one_block_avg_us: Some(2.0 * MS),
            writes: Some(3.8),
            ..TablespaceIo::default()
        });
        for (tablespace, writes) in files {
            let io = TablespaceIo {
                tablespace: (*tablespace).into(),
                writes: Some(*writes),
                ..TablespaceIo::default()
            };
            report.tables.file_io.push(FileIo { file: "f".into(), io });
        }
        report
    }

    #[test]
    fn permuted_columns_of_11_2_0_4_are_put_right_where_files_prove_it() {
        let mut proven = report(&[("USERS", 300.0), ("USERS", 43.0)]);
        put_right(&mut proven);
        let t = &proven.tables.tablespace_io[0];
        assert_eq!((t.writes, t.one_block_reads_per_s), (Some(343.0), Some(2.0)));
        assert_eq!(t.one_block_avg_us, Some(3_800.0));
        assert_eq!(proven.notes.len(), 1);
    }

    #[test]
    fn permuted_columns_without_proof_are_unknown() {
        let mut unproven = report(&[]);
        put_right(&mut unproven);
        let t = &unproven.tables.tablespace_io[0];
        assert_eq!((t.writes, t.one_block_reads_per_s, t.one_block_avg_us), (None, None, None));
    }

    fn rows(rows: &str) -> String {
        format!("Tablespace IO Stats  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Tablespace\n\
             ------------------------------\n\
             \x20                Av       Av     Av                       Av     Buffer  Av Buf\n\
             \x20        Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)\n\
             -------------- ------- ------- ------- ------------ -------- ---------- -------\n";
    const NORMAL: &str = "TILL_DATA\n\
             \x20    1,642,169     458     4.9     7.8      375,408      105     25,877     4.6\n";
    const WIDE: &str = "TILL_DATA\n\
             \x20    1,642,169     458 #######     7.8      375,408      105     25,877     4.6\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.tablespace_io.as_slice() else {
            panic!("{:?}", report.tables.tablespace_io)
        };
        assert_eq!((row.tablespace.as_str(), row.reads), ("TILL_DATA", Some(1_642_169.0)));
        assert_eq!((row.reads_per_s, row.avg_read_us), (Some(458.0), Some(4_900.0)));
        assert_eq!((row.blocks_per_read, row.writes), (Some(7.8), Some(375_408.0)));
        assert_eq!((row.buffer_waits, row.avg_buffer_wait_us), (Some(25_877.0), Some(4_600.0)));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.tablespace_io.as_slice() else {
            panic!("{:?}", report.tables.tablespace_io)
        };
        assert_eq!((row.reads, row.avg_read_us), (Some(1_642_169.0), None));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Reads ", "Gets! "));
        assert!(report.tables.tablespace_io.is_empty(), "{:?}", report.tables.tablespace_io);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
