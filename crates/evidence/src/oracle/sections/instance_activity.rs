//! Statistics of the instance.
//!
//! Printed as `Instance Activity Stats` (all releases), `Key Instance Activity Stats` and `Other
//! Instance Activity Stats` (AWR from 11.2.0.4), `... - Absolute Values` (Begin Value, End Value),
//! `... - Thread Activity` (per Hour); Statspack prints the last two under the plain title. Columns:
//! statistic, total, per second, per transaction. Units: those of the statistic. Traps: text clips
//! names at 32 or 33 characters; a rate or total wider than its column is `####`; rates are blank
//! where the snapshots span a restart; key statistics stand twice in some releases.

use crate::cell::Unit;
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use spindle_facts::{InstanceStat, Note, PrintedRow, Report, SmolStr, Value};
use std::borrow::Cow;

pub(crate) const TITLES: &[&str] = &[
    "instanceactivitystats",
    "keyinstanceactivitystats",
    "otherinstanceactivitystats",
    "instanceactivitystatsabsolutevalues",
    "instanceactivitystatsthreadactivity",
];

/// A list of key statistics has fewer rows, and that of the others about so many.
const SHORT: usize = 60;
const OTHERS: usize = 500;

/// Names at least this long may be clipped ones.
const CLIPPED: usize = 30;

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let statistic = grid.column(&["statistic", "statisticname"]);
    let total = grid.column(&["total"]);
    let per_second = grid.column(&["persecond", "persec"]);
    let per_transaction = grid.column(&["pertrans", "pertxn", "pertransaction"]);
    let per_hour = grid.column(&["perhour"]);
    let begin = grid.column(&["beginvalue"]);
    let end = grid.column(&["endvalue"]);
    if total.is_none() && begin.is_none() {
        return 0;
    }
    let mut rows = 0;
    let stats = &mut context.tables().instance_stat;
    // Two short lists of key statistics stand before those of all others.
    let others = if stats.is_empty() && grid.len() < SHORT { OTHERS } else { 0 };
    stats.reserve(grid.len() + others);
    for row in 0..grid.len() {
        let Some(name) = grid.cell(row, statistic) else {
            continue;
        };
        // Those that are listed have single blanks.
        let (printed, listed) = match names::listed_statistic(name) {
            Some(listed) => (Cow::Borrowed(name), Some(listed)),
            None => match single_blanks(name) {
                Cow::Borrowed(name) => (Cow::Borrowed(name), None),
                Cow::Owned(printed) => {
                    let listed = names::listed_statistic(&printed);
                    (Cow::Owned(printed), listed)
                }
            },
        };
        // A name in full is no clipped one.
        let clipped = listed.is_none() && !context.is_html() && printed.len() >= CLIPPED;
        let complete = if clipped { names::complete_statistic(&printed) } else { None };
        let listed = listed.or(complete);
        let hourly = context.number(grid, row, per_hour, Unit::Count).map(|p| p.value);
        let line = InstanceStat {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            printed_as: complete.map(|_| printed.as_ref().into()),
            statistic: listed.map_or_else(|| printed.into(), SmolStr::new_static),
            total: context.count(grid, row, total),
            per_second: context.count(grid, row, per_second).or(hourly.map(|h| h / 3_600.0)),
            per_transaction: context.count(grid, row, per_transaction),
            begin_value: context.count(grid, row, begin),
            end_value: context.count(grid, row, end),
        };
        if line.statistic == "log switches (derived)" {
            log_switches(&line, hourly, context);
        }
        context.tables().instance_stat.push(line);
        rows += 1;
    }
    rows
}

/// A name with one blank between its words, as most are printed.
fn single_blanks(name: &str) -> Cow<'_, str> {
    let bytes = name.as_bytes();
    // All at once: most names are like this.
    let plain = bytes.iter().fold(true, |plain, b| plain & matches!(b, b' '..=b'~'));
    let twice = bytes.iter().zip(bytes.iter().skip(1)).fold(false, |twice, (a, b)| twice | (*a | *b == b' '));
    let ends = bytes.first().is_some_and(|b| *b != b' ') && bytes.last().is_some_and(|b| *b != b' ');
    if plain && !twice && ends {
        Cow::Borrowed(name)
    } else {
        name.split_whitespace().collect::<Vec<_>>().join(" ").into()
    }
}

fn log_switches(line: &InstanceStat, per_hour: Option<f64>, context: &mut Context<'_>) {
    let number = |n: Option<f64>| n.map_or(Value::Null, Value::Number);
    let row = PrintedRow {
        line: line.line,
        section: line.section,
        instance_number: line.instance_number,
        cells: vec![
            ("statistic", Value::Text(line.statistic.clone())),
            ("total", number(line.total)),
            ("per_hour", number(per_hour)),
        ]
        .into(),
    };
    context.tables().log_switch.push(row);
}

/// Fills rates and totals that were wider than their column from the other, once the length of the
/// interval is known.
pub(crate) fn derive(report: &mut Report) {
    let elapsed = report.identity.elapsed_s.filter(|s| *s > 0.0 && !report.identity.spans_restart);
    let Some(elapsed) = elapsed else {
        return;
    };
    let ends = |name: &str| {
        let stats = &report.tables.instance_stat;
        stats.iter().find(|s| s.statistic == name && s.instance_number.is_none()).and_then(|s| s.total)
    };
    let transactions =
        ends("user commits").zip(ends("user rollbacks")).map(|(c, r)| c + r).filter(|t| *t > 0.0);
    let mut derived = 0_u32;
    let mut line = None;
    for stat in &mut report.tables.instance_stat {
        if stat.begin_value.is_some() || stat.end_value.is_some() || stat.instance_number.is_some() {
            continue;
        }
        let before = (stat.total, stat.per_second, stat.per_transaction);
        if stat.total.is_none() {
            // A small rate, printed to a digit, would leave the total open by percents.
            stat.total = stat.per_second.filter(|r| *r >= 5.0).map(|r| r * elapsed);
        } else if stat.per_second.is_none() {
            stat.per_second = stat.total.map(|t| t / elapsed);
        }
        if stat.per_transaction.is_none() && stat.statistic != "log switches (derived)" {
            stat.per_transaction = stat.total.zip(transactions).map(|(t, n)| t / n);
        }
        if before != (stat.total, stat.per_second, stat.per_transaction) {
            derived += 1;
            line = line.or(Some((stat.line, stat.section)));
        }
    }
    if let Some((line, section)) = line {
        let section = Some(report.section_title(section).to_owned());
        report.notes.push(Note {
            line: Some(line),
            section,
            message: format!("{derived} statistics lack a total or a rate"),
            effect: "what lacks was computed: rates from total and elapsed time or transactions, totals from the rate a second"
                .to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("Other Instance Activity Stats  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "Statistic                                     Total     per Second     per Trans\n\
             -------------------------------- ------------------ -------------- -------------\n";
    const NORMAL: &str = "physical read total IO requests           2,412,608          670.1           3.6\n";
    const WIDE: &str = "physical read total IO requests           2,412,608 ##############           3.6\n";

    #[test]
    fn a_row() {
        let report = section("19.0.0.0.0", &rows(NORMAL));
        let [row] = report.tables.instance_stat.as_slice() else {
            panic!("{:?}", report.tables.instance_stat)
        };
        assert_eq!(row.statistic, "physical read total IO requests");
        assert_eq!((row.total, row.per_second), (Some(2_412_608.0), Some(670.1)));
        assert_eq!((row.per_transaction, row.begin_value), (Some(3.6), None));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("19.0.0.0.0", &rows(WIDE));
        let [row] = report.tables.instance_stat.as_slice() else {
            panic!("{:?}", report.tables.instance_stat)
        };
        assert_eq!((row.total, row.per_second), (Some(2_412_608.0), None), "no interval is printed");
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("19.0.0.0.0", &rows(NORMAL).replace("Total ", "Value "));
        assert!(report.tables.instance_stat.is_empty(), "{:?}", report.tables.instance_stat);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
