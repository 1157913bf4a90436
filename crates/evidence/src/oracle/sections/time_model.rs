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

pub(crate) const TITLES: &[&str] = &[
    "timemodelstatistics",
    "timemodelsystemstats",
    // As people write it.
    "timemodel",
];

/// Statistics as reports print them; people write them with other capitals.
const STATISTICS: &[&str] = &[
    "DB time",
    "DB CPU",
    "sql execute elapsed time",
    "parse time elapsed",
    "hard parse elapsed time",
    "hard parse (sharing criteria) elapsed time",
    "hard parse (bind mismatch) elapsed time",
    "failed parse elapsed time",
    "failed parse (out of shared memory) elapsed time",
    "connection management call elapsed time",
    "sequence load elapsed time",
    "repeated bind elapsed time",
    "PL/SQL execution elapsed time",
    "PL/SQL compilation elapsed time",
    "inbound PL/SQL rpc elapsed time",
    "Java execution elapsed time",
    "background elapsed time",
    "background cpu time",
    "RMAN cpu time (backup/restore)",
];

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statisticname", "statistic"]);
    let time = grid.column(&["times"]);
    let share = grid.column(&["%ofdbtime", "%dbtime"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), true) = (context.text(grid, row, statistic), time.is_some()) else {
            continue;
        };
        let own = STATISTICS.iter().find(|known| known.eq_ignore_ascii_case(&name));
        let name = own.map_or(name, |known| (*known).to_owned());
        let seconds = context.number(grid, row, time, Unit::Count).map(rounded);
        let line = TimeModelRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            statistic: name,
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            share_db_time_pct: context.share_of_all(grid, row, share),
        };
        context.tables().time_model.push(line);
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
        format!("Time Model Statistics  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Statistic Name                                       Time (s) % of DB Time\n\
             ------------------------------------------ ------------------ ------------\n";
    const NORMAL: &str = "parse time elapsed                                       41.7           .1\n";
    const WIDE: &str = "parse time elapsed                         ##################           .1\n";

    #[test]
    fn a_row() {
        let report = section("19.0.0.0.0", &rows(NORMAL));
        let [row] = report.tables.time_model.as_slice() else { panic!("{:?}", report.tables.time_model) };
        assert_eq!((row.statistic.as_str(), row.time_s), ("parse time elapsed", Some(41.7)));
        assert!(row.time_s_low.unwrap() < 41.7 && row.time_s_high.unwrap() > 41.7, "a tenth is rounded");
        assert_eq!(row.share_db_time_pct, Some(0.1));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("19.0.0.0.0", &rows(WIDE));
        let [row] = report.tables.time_model.as_slice() else { panic!("{:?}", report.tables.time_model) };
        assert_eq!((row.time_s, row.time_s_low, row.time_s_high), (None, None, None));
        assert_eq!(row.share_db_time_pct, Some(0.1));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("19.0.0.0.0", &rows(NORMAL).replace("Time (s)", "Interval"));
        assert!(report.tables.time_model.is_empty(), "{:?}", report.tables.time_model);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
