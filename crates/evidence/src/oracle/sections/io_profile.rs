//! IO profile.
//!
//! Printed as `IO Profile`, AWR from 11.2.0.4. Columns: label, reads and writes, reads, writes, each a
//! second. Units: requests, MB (2^20 bytes) or blocks, as the label says. Trap: text and HTML head
//! the columns in different words.

use crate::cell::looks_numeric;
use crate::grid::Grid;
use crate::oracle::context::Context;
use crate::oracle::shifted::is_empty_cell;
use spindle_facts::IoProfileRow;

pub(crate) const TITLES: &[&str] = &["ioprofile", "ioprofileglobal"];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let both = grid.column_starting(&["read+write"]);
    let reads = grid.column(&["readpersecond", "read/second", "reads/s"]);
    let writes = grid.column(&["writepersecond", "write/second", "writes/s"]);
    let mut rows = 0;
    let mut shifted: Option<(u32, u32, String)> = None;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, grid.column(&["statistic"]).or(Some(0))) else {
            continue;
        };
        let metric = label.trim_end_matches(':').trim().to_owned();
        if both.is_none() || reads.is_none() {
            continue;
        }
        // Its label lacks, and its cells stand under the headings of others.
        if looks_numeric(&metric) {
            continue;
        }
        let mut line = IoProfileRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            metric,
            read_write_per_s: context.count(grid, row, both),
            reads_per_s: context.count(grid, row, reads),
            writes_per_s: context.count(grid, row, writes),
        };
        // Redo is written, and read by instances of RAC alone.
        let redo = line.metric.starts_with("Redo");
        let lacks = [both, if redo { None } else { reads }, writes]
            .into_iter()
            .any(|column| is_empty_cell(grid, row, column));
        let figures = [&mut line.read_write_per_s, &mut line.reads_per_s, &mut line.writes_per_s];
        let says = figures.iter().any(|figure| figure.is_some());
        if says && (lacks || !adds_up(figures.map(|figure| *figure))) {
            (line.read_write_per_s, line.reads_per_s, line.writes_per_s) = (None, None, None);
            shifted.get_or_insert_with(|| (0, line.line, line.metric.clone())).0 += 1;
        }
        context.tables().io_profile.push(line);
        rows += 1;
    }
    if let Some((count, line, metric)) = shifted {
        let of = if count == 1 { format!("`{metric}`") } else { format!("{count} rows, as of `{metric}`,") };
        let message = format!(
            "the cells of {of} stand under the headings of others: one is empty, or reads and writes are not together what is printed for both"
        );
        context.note(Some(line), message, "their figures are taken as unknown");
    }
    rows
}

/// Are reads and writes together what is printed for both, but for rounding to a tenth?
fn adds_up([both, reads, writes]: [Option<f64>; 3]) -> bool {
    let (Some(both), Some(writes)) = (both, writes) else { return true };
    // Alone, they are the same number.
    let (reads, rounded) = reads.map_or((0.0, 0.01), |reads| (reads, 0.16));
    (reads + writes - both).abs() <= rounded + 1e-3 * both.abs()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("IO Profile  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Statistic                    Read+Write/Second     Read/Second    Write/Second\n\
             ---------------------------- ----------------- --------------- ---------------\n";
    const NORMAL: &str = "Total Requests:                        1,308.6         1,011.5           297.1\n";
    const WIDE: &str = "Total Requests:              #################         1,011.5           297.1\n";

    #[test]
    fn a_row() {
        let report = section("19.0.0.0.0", &rows(NORMAL));
        let [row] = report.tables.io_profile.as_slice() else { panic!("{:?}", report.tables.io_profile) };
        assert_eq!((row.metric.as_str(), row.read_write_per_s), ("Total Requests", Some(1_308.6)));
        assert_eq!((row.reads_per_s, row.writes_per_s), (Some(1_011.5), Some(297.1)));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("19.0.0.0.0", &rows(WIDE));
        let [row] = report.tables.io_profile.as_slice() else { panic!("{:?}", report.tables.io_profile) };
        assert_eq!((row.read_write_per_s, row.reads_per_s), (None, Some(1_011.5)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("19.0.0.0.0", &rows(NORMAL).replace("Read/Second", "Get/Second!"));
        assert!(report.tables.io_profile.is_empty(), "{:?}", report.tables.io_profile);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
