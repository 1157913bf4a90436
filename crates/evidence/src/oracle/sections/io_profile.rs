//! IO profile.
//!
//! Printed as `IO Profile`, AWR from 11.2.0.4. Columns: label, reads and writes, reads, writes, each a
//! second. Units: requests, MB (2^20 bytes) or blocks, as the label says. Trap: text and HTML head
//! the columns in different words.

use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::IoProfileRow;

pub(crate) const TITLES: &[&str] = &["ioprofile", "ioprofileglobal"];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let both = grid.column_starting(&["read+write"]);
    let reads = grid.column(&["readpersecond", "read/second", "reads/s"]);
    let writes = grid.column(&["writepersecond", "write/second", "writes/s"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, grid.column(&["statistic"]).or(Some(0))) else {
            continue;
        };
        let metric = label.trim_end_matches(':').trim().to_owned();
        if both.is_none() || reads.is_none() {
            continue;
        }
        let line = IoProfileRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            metric,
            read_write_per_s: context.count(grid, row, both),
            reads_per_s: context.count(grid, row, reads),
            writes_per_s: context.count(grid, row, writes),
        };
        context.tables().io_profile.push(line);
        rows += 1;
    }
    rows
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
