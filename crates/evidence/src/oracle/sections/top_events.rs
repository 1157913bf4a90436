//! The few events that lead, CPU among them.
//!
//! Printed as `Top 5 Timed Events` (Statspack, 10g), `Top 5 Timed Foreground Events` (11g), `Top 10
//! Foreground Events by Total Wait Time` (11.2.0.4 and later), and with any other number that somebody set. Traps: the average is a bare number
//! of milliseconds up to 12.1 and carries its unit from 12.2; the share is of DB time in AWR, of
//! call or elapsed time in Statspack and AWR 10.2, of the time of all waits in 8i, where times are
//! in centiseconds; the wait class is clipped in text.

use super::cut_seconds;
use super::wait_events::{
    Contradictions, MILLISECONDS, MovedPoints, SECONDS, complete_once, full_class, in_seconds, known_mean_us,
    mean, overprinted, seconds,
};
use crate::cell::{Cell, Habits, MS, Unit, read as read_cell};
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use spindle_facts::{Kind, ShareOf, TopEvent};

pub(crate) const TITLES: &[&str] = &[
    "top5timedevents",
    "top5timedforegroundevents",
    "top10foregroundeventsbytotalwaittime",
    "top5waitevents",
    "toptimedevents",
];

/// Is it the title of a list of leading events, of however many?
pub(crate) fn is_title(folded: &str) -> bool {
    let Some(top) = folded.strip_prefix("top") else { return false };
    let list = top.trim_start_matches(|c: char| c.is_ascii_digit());
    TITLES.contains(&folded)
        || list.len() < top.len()
            && matches!(
                list,
                "timedevents" | "timedforegroundevents" | "foregroundeventsbytotalwaittime" | "waitevents"
            )
}

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let event = grid.column(&["event", "waitevent", "name"]).or_else(|| grid.column_starting(&["event"]));
    let time = grid
        .column(&["times", "totalwaittimesec", "totalwaittimes", "waittimes", "total", "totals"])
        .or_else(|| grid.column_starting(&["time", "totalwaittime", "waittime"]));
    let cut = grid.column(&[cut_seconds::HEADING]).filter(|_| time.is_none());
    let average = grid
        .column(&["waitavgms", "avgwait", "avgwaitms", "avgms"])
        .or_else(|| grid.column_starting(&["avg"]));
    let waits = grid.column(&["waits"]).or_else(|| counted(grid, context.habits, time, average));
    let share =
        grid.columns.iter().position(|c| c.key().starts_with('%')).or_else(|| shares_of_db_time(grid));
    let class = grid.column(&["waitclass", "class"]);
    context.tell_strange_columns(grid, &[event, time, cut, average, waits, share, class], |_| false);
    let time = context.of_unit(grid, time, SECONDS);
    let average = context.of_unit(grid, average, MILLISECONDS);
    let share_of = share.map(|c| share_of(grid.columns[c].key(), context.kind()));
    let mut contradictions = Contradictions::default();
    let mut moved_points = MovedPoints::default();
    let (mut rows, mut rest) = (0, None);
    for row in 0..grid.len() {
        let Some(name) = context.text(grid, row, event) else {
            continue;
        };
        let count = context.number(grid, row, waits, Unit::Count);
        let count = moved_points.whole(grid.row_line(row), count);
        let mut seconds = seconds(context, grid, row, time);
        let shown = context.number(grid, row, average, Unit::Microseconds(MS));
        let share_pct = match share {
            Some(column) if !grid.columns[column].key().starts_with('%') => {
                per_cent(grid, row, column, context.habits)
            }
            _ => context.count(grid, row, share),
        };
        if let Some(cell) = grid.cell(row, cut) {
            let identity = &context.report.identity;
            let db_time = identity.db_time_s_low.zip(identity.db_time_s_high);
            let beside = cut_seconds::Beside { waits: count, mean: shown, share_pct, db_time };
            seconds = cut_seconds::seconds(cell, context.habits, &beside);
        }
        moved_points.look(grid.row_line(row), count, &mut seconds, shown);
        if is_remainder(&name, grid.cell(row, class)) {
            rest.get_or_insert(grid.row_line(row));
            continue;
        }
        if count.is_none()
            && seconds.is_none()
            && share_pct.is_none()
            && !overprinted(grid, row, &[waits, time, share])
        {
            // Prose below the table of an excerpt.
            continue;
        }
        contradictions.look(grid.row_line(row), &name, count, seconds, shown);
        let full = complete_once(grid, event, &name, context.release());
        context.scratch.clipped |= full.is_none() && names::may_be_clipped(&name);
        let event_row = TopEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            waits: count.map(|p| p.value),
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            avg_wait_us: known_mean_us(mean(count, seconds, shown), shown),
            share_pct,
            share_of,
            // What else stands there is part of a number, or of a class.
            wait_class: grid
                .cell(row, class)
                .map(full_class)
                .filter(|c| names::CLASSES.contains(&c.as_str())),
            event: names::listed_event(&name).or(full).map_or(name, str::to_owned),
        };
        context.tables().top_event.push(event_row);
        rows += 1;
    }
    contradictions.tell(context);
    moved_points.tell(context);
    if rest.is_some() {
        let message = "the row of all other events together is no event".to_owned();
        context.note(rest, message, "it is left out: what it holds is among what no event explains");
    }
    rows
}

/// Is it the rest that somebody put below the events (`* Other *`), which no release prints?
fn is_remainder(name: &str, class: Option<&str>) -> bool {
    let word = name.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let is_rest = matches!(
        word.as_str(),
        "other"
            | "others"
            | "all other"
            | "all others"
            | "other events"
            | "other waits"
            | "all other events"
            | "rest"
    );
    is_rest && class.is_none_or(|c| !names::CLASSES.contains(&full_class(c).as_str()))
}

/// The column that somebody heads `Wait`: the number of waits, if seconds and means of all rows say so.
#[cold]
fn counted(grid: &Grid<'_>, habits: Habits, time: Option<usize>, average: Option<usize>) -> Option<usize> {
    let column = grid.columns.iter().position(|c| c.key() == "wait")?;
    // Cells that cannot be read are counted where the rows are.
    let number = |row, column, unit| match read_cell(grid.cell(row, column)?, unit, habits) {
        Cell::Number(printed) => Some(printed),
        _ => None,
    };
    let mut agree = 0;
    for row in 0..grid.len() {
        let (Some(count), Some(seconds), Some(shown)) = (
            number(row, Some(column), Unit::Count),
            number(row, time, Unit::Count).map(|printed| in_seconds(printed, grid, time)),
            number(row, average, Unit::Microseconds(MS)),
        ) else {
            continue;
        };
        let mean = |seconds: f64| seconds / count.value * 1e6;
        if count.value <= 0.0 || mean(seconds.high) < shown.low || mean(seconds.low) > shown.high {
            return None;
        }
        agree += 1;
    }
    (agree > 1).then_some(column)
}

/// The number of a cell that has a percent sign, under a heading that has none.
#[cold]
fn per_cent(grid: &Grid<'_>, row: usize, column: usize, habits: Habits) -> Option<f64> {
    let number = grid.cell(row, Some(column))?.trim_end().strip_suffix('%')?;
    match read_cell(number.trim_end(), Unit::Count, habits) {
        Cell::Number(printed) => Some(printed.value),
        _ => None,
    }
}

/// The column that somebody heads `DB Time`, whose cells are per cent.
#[cold]
fn shares_of_db_time(grid: &Grid<'_>) -> Option<usize> {
    let column = grid.columns.iter().position(|c| c.key() == "dbtime")?;
    let mut cells = (0..grid.len()).filter_map(|row| grid.cell(row, Some(column))).peekable();
    (cells.peek().is_some() && cells.all(|cell| cell.trim_end().ends_with('%'))).then_some(column)
}

/// What the share is of, by the words over it; text parts them from the column in places.
fn share_of(heading: &str, kind: Kind) -> ShareOf {
    if heading.contains("wt") {
        ShareOf::TotalWaitTime
    } else if kind == Kind::Statspack
        || kind == Kind::Unknown && !heading.contains("dbtime")
        || heading.contains("call")
        || heading.contains("%total")
    {
        ShareOf::TotalCallTime
    } else {
        ShareOf::DbTime
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use super::*;
    use spindle_facts::SectionStatus;

    /// `% Total Call Time` of AWR 10.2 was taken for a share of DB time, which followed from it.
    #[test]
    fn a_share_of_call_time_is_no_share_of_db_time() {
        assert_eq!(share_of("%totalcalltime", Kind::Awr), ShareOf::TotalCallTime);
        assert_eq!(share_of("%dbtime", Kind::Awr), ShareOf::DbTime);
        assert_eq!(share_of("%totalelatime", Kind::Statspack), ShareOf::TotalCallTime);
        assert_eq!(share_of("%time", Kind::Unknown), ShareOf::TotalCallTime);
        assert_eq!(share_of("%dbtime", Kind::Unknown), ShareOf::DbTime);
        assert_eq!(share_of("%totalwttime", Kind::Statspack), ShareOf::TotalWaitTime);
    }

    fn rows(rows: &str) -> String {
        format!(
            "Top 10 Foreground Events by Total Wait Time  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}"
        )
    }

    const HEADING: &str = "\x20                                          Total Wait       Avg   % DB Wait\n\
             Event                                Waits Time (sec)      Wait   time Class\n\
             ------------------------------ ----------- ---------- --------- ------ --------\n";
    const NORMAL: &str = "db file sequential read          2,412,608       9650    4.00ms   32.8 User I/O\n";
    const WIDE: &str = "db file sequential read        ###########       9650    4.00ms   32.8 User I/O\n";

    #[test]
    fn a_row() {
        let report = section("12.2.0.1.0", &rows(NORMAL));
        let [row] = report.tables.top_event.as_slice() else { panic!("{:?}", report.tables.top_event) };
        assert_eq!((row.event.as_str(), row.waits), ("db file sequential read", Some(2_412_608.0)));
        assert_eq!((row.time_s, row.share_pct), (Some(9_650.0), Some(32.8)));
        assert!((row.avg_wait_us.unwrap() - 4_000.0).abs() < 5.0);
        assert_eq!(row.wait_class.as_deref(), Some("User I/O"));
    }

    #[test]
    fn a_printed_mean_of_a_top_event_that_its_seconds_deny_was_replaced_in_silence() {
        let report = section("12.2.0.1.0", &rows(&NORMAL.replace("4.00ms", "0.40ms")));
        let said =
            |r: &spindle_facts::Report| r.notes.iter().filter(|n| n.message.contains("a mean of")).count();
        assert_eq!((said(&report), said(&section("12.2.0.1.0", &rows(NORMAL)))), (1, 0));
    }

    /// 412 waits of 3,901 s printed with 9.47 ms: the note said that waits and seconds are used, and 9.47 ms was.
    #[test]
    fn the_mean_that_the_note_refutes_was_used() {
        let report = section(
            "12.2.0.1.0",
            &rows("enq: TX - row lock contention            412       3901    9.47ms   13.5 Applicat\n"),
        );
        let [row] = report.tables.top_event.as_slice() else { panic!("{:?}", report.tables.top_event) };
        assert!((row.avg_wait_us.unwrap() / 1e3 - 9_468.4).abs() < 0.1, "{:?}", row.avg_wait_us);
        assert!(report.notes.iter().any(|n| n.message.contains("are 9468 ms each")), "{:?}", report.notes);
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("12.2.0.1.0", &rows(WIDE));
        let [row] = report.tables.top_event.as_slice() else { panic!("{:?}", report.tables.top_event) };
        assert_eq!((row.waits, row.time_s), (None, Some(9_650.0)));
        assert!((row.avg_wait_us.unwrap() - 4_000.0).abs() < 5.0);
    }

    /// `* Other *`, 160 s, below five events was an event of class Unknown.
    #[test]
    fn the_remainder_of_a_list_was_an_event() {
        let other = format!("{:<30} {:>11} {:>10} {:>9} {:>6}\n", "* Other *", "", 160, "", 3.6);
        let report = section("12.2.0.1.0", &rows(&format!("{NORMAL}{other}")));
        let events: Vec<&str> = report.tables.top_event.iter().map(|e| e.event.as_str()).collect();
        assert_eq!(events, ["db file sequential read"]);
        assert!(report.notes.iter().any(|n| n.message.contains("all other events")), "{:?}", report.notes);
        assert!(!is_remainder("other", Some("Other")) && is_remainder("**Others**", Some("—")));
    }

    /// `####` in every cell: no row was read, and the leading wait was taken for none.
    #[test]
    fn an_event_overprinted_throughout_had_no_row() {
        let report = section(
            "12.2.0.1.0",
            &rows("db file sequential read        ########### ########## ######### ###### User I/O\n"),
        );
        let [row] = report.tables.top_event.as_slice() else { panic!("{:?}", report.tables.top_event) };
        assert_eq!((row.event.as_str(), row.waits), ("db file sequential read", None));
        assert_eq!((row.time_s, row.share_pct), (None, None));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("12.2.0.1.0", &rows(NORMAL).replace("Event ", "Cause "));
        assert!(report.tables.top_event.is_empty(), "{:?}", report.tables.top_event);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
