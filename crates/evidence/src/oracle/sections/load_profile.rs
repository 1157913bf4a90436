//! Load profile.
//!
//! Printed as `Load Profile`; every release. Columns: label, Per Second, Per Transaction, and from
//! 11g Per Exec, Per Call. Traps: labels change their words and units between releases (`Redo
//! size`, `Redo size (bytes)`); snapshots that span a restart leave Per Second blank. Up to 11.1 four ratios stand
//! below the rates, labels with one value each, and in compare-period reports the mean DB time of a call: they are kept
//! with the ratios of efficiency.

use super::labels::labelled;
use super::summary;
use crate::cell::{Unit, looks_numeric};
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::shifted::is_empty_cell;
use spindle_facts::{LoadProfileRow, Metric, Value};

pub(crate) const TITLES: &[&str] = &["loadprofile"];

/// The column of a compare-period report that holds the second rate against the first, as `compare` hands it on.
pub(crate) const DIFFERENCE: &str = "%diff";

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let per_second = grid.column(&["persecond", "persec"]);
    let per_transaction = grid.column(&["pertransaction", "pertxn"]);
    let per_exec = grid.column(&["perexec"]);
    let difference = grid.column(&[DIFFERENCE]);
    let per_call = grid.column(&["percall"]);
    if per_second.is_none() && per_transaction.is_none() {
        return ratios(grid, context);
    }
    let mut rows = 0;
    let (mut empty, mut filled): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, Some(0)).map(|l| l.trim_end_matches(':').trim().to_owned()) else {
            continue;
        };
        if label.is_empty() {
            continue;
        }
        // A line of another table or of the contents, below a copy that lost the blank line between; a label
        // that took the number beside it.
        let took =
            label.contains(':') && label.rsplit_once(": ").is_some_and(|(_, value)| looks_numeric(value));
        let folded = fold(&label);
        // A table of words, as where somebody explains the metrics.
        let words = |column| grid.cell(row, column).is_some_and(|cell| !looks_numeric(cell));
        // Without its labels a row is of nothing; ratios, which may stand below the rates, are none.
        if looks_numeric(&label)
            || is_ratio(&folded)
            || label.contains("   ")
            || label.starts_with(['*', '#', '<'])
            || took
            || words(per_second)
        {
            continue;
        }
        let second = context.number(grid, row, per_second, Unit::Count);
        let line = LoadProfileRow {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            known: metric(&folded),
            metric: label,
            per_second: second.map(|p| p.value),
            per_transaction: context.count(grid, row, per_transaction),
            per_exec: context.count(grid, row, per_exec),
            per_call: context.count(grid, row, per_call),
            per_second_half_unit: second.map_or(0.0, |p| p.high - p.value),
            per_second_diff_pct: grid.cell(row, difference).and_then(plain),
        };
        // Transactions have no rate a transaction; a row without figures has no cells to be moved.
        let lacks = is_empty_cell(grid, row, per_second)
            || is_empty_cell(grid, row, per_transaction) && line.known != Some(Metric::Transactions);
        let says = [line.per_second, line.per_transaction, line.per_exec, line.per_call];
        if says.iter().any(Option::is_some) {
            (if lacks { &mut empty } else { &mut filled }).push(line.line);
        }
        context.tables().load_profile.push(line);
        rows += 1;
    }
    // Where all lack it, a release or a restart left it out.
    let (lacking, few) = if empty.len() < filled.len() { (true, empty) } else { (false, filled) };
    // In text, people type what they have.
    if few.len() * 2 < rows as usize && (lacking || context.is_html()) {
        context.scratch.empty_rates.extend(few);
    }
    rows
}

/// A difference in percent; what does not fit its column (`######`) is not known, and no figure of its own.
fn plain(cell: &str) -> Option<f64> {
    let digits = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let cell = cell.trim().trim_end_matches('%');
    cell.bytes().all(digits).then(|| cell.parse().ok()).flatten()
}

/// The ratios below the rates: `% Blocks changed per Read:   53.49    Recursive Call %:    98.04`.
#[inline(never)]
fn ratios(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for found in labelled(grid) {
        let share = match fold(&found.label).as_str() {
            "%blockschangedperread" | "recursivecall%" | "rollbackpertransaction%" => true,
            "rowspersort" | "avgdbtimepercallsec" => false,
            _ => continue,
        };
        // Side by side stand those of two periods, of which it is not known here which is meant.
        let [value] = found.values.as_slice() else { continue };
        let value = summary::value(value, Unit::Count, context);
        let name = Value::Text(found.label.as_str().into());
        let cells = vec![("ratio", name), (if share { "pct" } else { "value" }, value)];
        let row = summary::printed(&found, context, cells);
        context.tables().efficiency.push(row);
        rows += 1;
    }
    rows
}

/// The ratios that stand below the rates, under headings of their own.
fn is_ratio(label: &str) -> bool {
    let shares = ["%blockschangedperread", "recursivecall%", "rollbackpertransaction%"];
    shares.contains(&label) || matches!(label, "rowspersort" | "avgdbtimepercallsec")
}

/// Meaning of a folded label; the words of all releases.
fn metric(label: &str) -> Option<Metric> {
    Some(match label {
        "dbtimes" | "dbtime" => Metric::DbTime,
        "dbcpus" | "dbcpu" | "cputime" => Metric::DbCpu,
        "backgroundcpus" | "backgroundcpu" => Metric::BackgroundCpu,
        "redosize" | "redosizebytes" => Metric::RedoSize,
        "logicalreads" | "logicalread" | "logicalreadblocks" | "logicalreadsblocks" => Metric::LogicalReads,
        "blockchanges" => Metric::BlockChanges,
        "physicalreads" | "physicalread" | "physicalreadblocks" | "physicalreadsblocks" => {
            Metric::PhysicalReads
        }
        "physicalwrites" | "physicalwrite" | "physicalwriteblocks" | "physicalwritesblocks" => {
            Metric::PhysicalWrites
        }
        "readiorequests" => Metric::ReadRequests,
        "writeiorequests" => Metric::WriteRequests,
        "readiomb" => Metric::ReadMb,
        "writeiomb" => Metric::WriteMb,
        "usercalls" => Metric::UserCalls,
        "parses" | "parsessql" => Metric::Parses,
        "hardparses" | "hardparsessql" => Metric::HardParses,
        "sorts" => Metric::Sorts,
        "w/ambprocessed" | "sqlworkareamb" => Metric::WorkAreaMb,
        // From 19c on beside `User logons`, which are some of them.
        "logons" => Metric::Logons,
        "executes" | "executessql" | "executions" => Metric::Executes,
        "rollbacks" => Metric::Rollbacks,
        "transactions" => Metric::Transactions,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::Metric;
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("Load Profile  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Metric                   Per Second   Per Transaction\n\
             -------------------- -------------- -----------------\n";
    const NORMAL: &str = "Redo size (bytes):      1,250,300.5          10,402.1\n";
    const WIDE: &str = "Redo size (bytes):   ##############          10,402.1\n";

    #[test]
    fn a_row() {
        let report = section("19.0.0.0.0", &rows(NORMAL));
        let [row] = report.tables.load_profile.as_slice() else { panic!("{:?}", report.tables.load_profile) };
        assert_eq!((row.metric.as_str(), row.known), ("Redo size (bytes)", Some(Metric::RedoSize)));
        assert_eq!((row.per_second, row.per_transaction), (Some(1_250_300.5), Some(10_402.1)));
        assert_eq!((row.per_exec, row.per_call), (None, None));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("19.0.0.0.0", &rows(WIDE));
        let [row] = report.tables.load_profile.as_slice() else { panic!("{:?}", report.tables.load_profile) };
        assert_eq!((row.per_second, row.per_transaction), (None, Some(10_402.1)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("19.0.0.0.0", &rows(NORMAL).replace("Per ", "Each "));
        assert!(report.tables.load_profile.is_empty(), "{:?}", report.tables.load_profile);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }

    /// The last line below the rates was in no table, and not counted as lost.
    #[test]
    fn the_mean_db_time_of_a_call_was_lost() {
        let below = "\n              Rows per Sort:        36.7\n Avg DB time per Call (sec):         0.2\n";
        let report = section("10.2.0.5.0", &rows(&format!("{NORMAL}{below}")));
        let ratios: Vec<_> = report.tables.efficiency.iter().map(|r| r.number("value")).collect();
        assert_eq!(ratios, [Some(36.7), Some(0.2)]);
        assert_eq!(report.tables.load_profile.len(), 1);
    }

    /// `<ul>` of the page around it was a metric.
    #[test]
    fn a_tag_of_a_page_is_no_metric() {
        let report = section("19.0.0.0.0", &rows(&format!("{NORMAL}</ul>\n")));
        assert_eq!(report.tables.load_profile.len(), 1, "{:?}", report.tables.load_profile);
    }
}
