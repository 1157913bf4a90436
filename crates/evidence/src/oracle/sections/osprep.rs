//! Statspack pages that OSPRep makes: identity, and sections that are laid out as nowhere else.
//!
//! Printed as `Common Instance Information` (label, value) and `SnapShot Info` (Start, End, and the
//! elapsed minutes in a cell of their own); the database is named in the page's heading. Ratios stand
//! beside comments, `Top n SQL ordered by ...` has a row of numbers and a row of text a statement, `Top n
//! ... per Segment` names the owner with the object. Units: sizes carry `K`, `M`; durations are seconds
//! or `h:mm:ss.mmm`; percentages may carry `%`.

use super::{Entry, Read, as_printed, look_up, memory, parameters, shared_pool, sql_ordered, top_events};
use crate::cell::{Cell, Unit, read as read_cell, split_number};
use crate::grid::{Grid, fold};
use crate::oracle::context::Context;
use crate::oracle::decimal_marks::mark_of_time;
use crate::oracle::{header, time};
use spindle_facts::{PlanRow, PrintedRow, SegmentStat, ShareOf, SqlStat, TopEvent, Value};

/// Titles that no other report has, or that would be mistaken for names in a text.
static SECTIONS: &[Entry] = &[
    (&["commoninstanceinformation"], read_instance),
    (&["snapshotinfo"], read_snapshots),
    (&["cachesizesend", "poolsizes"], read_sizes),
    (&["instanceefficiencypercentagestarget100%", "sharedpoolstatistics"], read_ratios),
    (&["top5waitevents", "top10waitevents"], read_top_events),
    (&["dictionarycache"], shared_pool::read_dictionary),
    (&["librarycache"], shared_pool::read_library),
    (&["sgabreakdowndifference"], memory::read_breakdown),
    (&["resourcelimits"], as_printed::read_limits),
    (&["initializationparametersinitora"], parameters::read),
    (&["instancerecoverystatistics"], as_printed::read_recovery),
    (&["pgaaggregtargetmemorystatistics", "pgamemorystatistics"], as_printed::read_pga),
    (&["rollbacksegmentsstats", "rollbacksegmentsstorage", "undosegmentstatistics"], as_printed::read_undo),
    (&["redologsizes", "datafilesstatistics"], as_printed::read_database_sizes),
    (&["statspackreportfor*"], read_plan),
];

fn read_instance(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(label), Some(value)) =
            (grid.cell(row, Some(0)).map(fold), context.text(grid, row, Some(1)))
        else {
            continue;
        };
        let heading = context.report.sections.first().map(|s| s.title.clone()).unwrap_or_default();
        let identity = &mut context.report.identity;
        match label.as_str() {
            "hostname" => identity.host = Some(value),
            "instance" => identity.instance = Some(value),
            "version" => identity.version = Some(value),
            "cluster" => identity.rac = Some(value.eq_ignore_ascii_case("yes")),
            "startup/uptime" => {
                let start = value.split(" / ").next().and_then(time::parse);
                identity.startup_time = start.map(|t| t.to_string());
            }
            _ => continue,
        }
        if identity.db_name.is_none() {
            identity.db_name = heading.rsplit(" for ").next().map(str::trim).map(str::to_owned);
        }
        rows += 1;
    }
    rows
}

fn read_snapshots(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let id = grid.column(&["snapid"]);
    let at = grid.column(&["snaptime"]);
    let sessions = grid.column(&["sessions"]);
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(label) = grid.cell(row, Some(0)).map(str::to_owned) else { continue };
        let snap = context.id(grid, row, id);
        let when = grid.cell(row, at).and_then(time::parse).map(|t| t.to_string());
        let count = context.count(grid, row, sessions);
        let identity = &mut context.report.identity;
        if let Some(elapsed) = label.strip_prefix("Elapsed:") {
            let minutes = header::minutes(elapsed.trim().trim_end_matches("min").trim());
            identity.elapsed_s = minutes.map(|m| m.0 * 60.0);
        } else if label == "Start" {
            (identity.begin_snap, identity.begin_time, identity.begin_sessions) = (snap, when, count);
        } else if label == "End" {
            (identity.end_snap, identity.end_time, identity.end_sessions) = (snap, when, count);
        } else {
            continue;
        }
        rows += 1;
    }
    rows
}

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    let ranked =
        folded.starts_with("top") && (folded.contains("sqlorderedby") || folded.ends_with("persegment"));
    if ranked { Some(read_ranking) } else { look_up(SECTIONS, folded) }
}

fn is_blank(grid: &Grid<'_>, row: usize) -> bool {
    grid.row(row).iter().all(|c| c.is_empty())
}

/// A cell as a number in this unit; a percent sign is dropped.
fn value(grid: &Grid<'_>, row: usize, column: Option<usize>, unit: Unit, context: &Context<'_>) -> Value {
    let Some(text) = grid.cell(row, column) else { return Value::Null };
    match read_cell(text.trim_end_matches('%'), unit, context.habits) {
        Cell::Number(printed) => Value::Number(printed.value),
        _ => Value::Null,
    }
}

fn count(grid: &Grid<'_>, row: usize, column: Option<usize>, context: &Context<'_>) -> Option<f64> {
    match value(grid, row, column, Unit::Count, context) {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

fn kept(line: u32, context: &Context<'_>, cells: Vec<(&str, Value)>) -> PrintedRow {
    PrintedRow { line, section: context.section, instance_number: None, cells: cells.into() }
}

/// Name and size, or name, begin and end.
fn read_sizes(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let begin = grid.column(&["begin", "size"]);
    let end = grid.column(&["end"]);
    if begin.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in (0..grid.len()).filter(|r| !is_blank(grid, *r)) {
        let Some(name) = context.text(grid, row, Some(0)) else { continue };
        let begin = value(grid, row, begin, Unit::Bytes(1.0), context);
        if let (true, Value::Number(bytes)) = (fold(&name) == "stdblocksize", &begin) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked range")]
            if (512.0..=65_536.0).contains(bytes) {
                context.report.identity.block_size_bytes.get_or_insert(*bytes as u64);
            }
        }
        let end = value(grid, row, end, Unit::Bytes(1.0), context);
        let cells = vec![("name", Value::Text(name.into())), ("begin_bytes", begin), ("end_bytes", end)];
        let line = kept(grid.row_line(row), context, cells);
        context.tables().cache_size.push(line);
        rows += 1;
    }
    rows
}

/// Ratios with comments; begin and end of the shared pool.
fn read_ratios(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let pct = grid.column(&["efficiency%", "efficiency"]);
    let (begin, end) = (grid.column(&["begin"]), grid.column(&["end"]));
    if pct.is_none() && begin.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in (0..grid.len()).filter(|r| !is_blank(grid, *r)) {
        let Some(name) = grid.cell(row, Some(0)).map(|name| Value::Text(name.into())) else { continue };
        let at = |column| value(grid, row, column, Unit::Count, context);
        let line = if pct.is_some() {
            kept(grid.row_line(row), context, vec![("ratio", name), ("pct", at(pct))])
        } else {
            kept(
                grid.row_line(row),
                context,
                vec![("statistic", name), ("begin", at(begin)), ("end", at(end))],
            )
        };
        if pct.is_some() {
            context.tables().efficiency.push(line);
        } else {
            context.tables().memory_stat.push(line);
        }
        rows += 1;
    }
    rows
}

/// Is the comma the decimal point of a column of times? Those with a colon prove it; else it is that of the report.
fn comma_in_times(grid: &Grid<'_>, column: Option<usize>, context: &Context<'_>) -> bool {
    let proven = (0..grid.len()).find_map(|row| mark_of_time(grid.cell(row, column)?));
    proven.map_or(context.habits.decimal_comma, |mark| mark == b',')
}

/// Seconds of `3:20:18.153`, of `18.15`; of centiseconds nothing is left.
fn seconds(text: &str, comma: bool) -> Option<f64> {
    let comma = mark_of_time(text).map_or(comma, |mark| mark == b',');
    let mut total = 0.0;
    for part in text.trim().split(':') {
        let (number, rest) = split_number(part, comma)?;
        if !rest.trim().is_empty() {
            return None;
        }
        total = total * 60.0 + number.value();
    }
    Some(total)
}

/// A duration whose hours and minutes are rounded each by itself, and not cut: `1:37:07` of 37 minutes, `1:03:43` of
/// 62 and 43 seconds.
fn of_rounded_clock(printed: f64) -> f64 {
    let mut minutes = (printed / 60.0).floor();
    let seconds = printed - 60.0 * minutes;
    if seconds >= 30.0 && minutes >= 1.0 {
        minutes -= 1.0;
    }
    if minutes % 60.0 >= 30.0 && minutes >= 60.0 {
        minutes -= 60.0;
    }
    60.0 * minutes + seconds
}

/// Do the shares of times prove that their hours and minutes are rounded? As printed they are then parts of no one whole.
fn is_rounded_clock(times: &[(f64, f64)]) -> bool {
    /// Smaller shares tell little of the whole, percent.
    const TELLING_PCT: f64 = 0.5;
    /// Shares are those of whole seconds, and cut.
    const SECOND: f64 = 1.0;
    const LAST_DIGIT_PCT: f64 = 0.01;
    /// Wholes further apart than this are not one that rounds.
    const OTHER: f64 = 1.05;
    let telling = || times.iter().filter(|(_, pct)| *pct >= TELLING_PCT);
    // The least whole that all allow, and the largest.
    let wholes = |time: fn(f64) -> f64| {
        telling().map(|(printed, pct)| (time(*printed), *pct)).fold(
            (0.0_f64, f64::INFINITY),
            |(least, most), (t, pct)| {
                (
                    least.max((t - SECOND) / (pct + LAST_DIGIT_PCT)),
                    most.min((t + SECOND) / (pct - LAST_DIGIT_PCT)),
                )
            },
        )
    };
    let (rounded, printed) = (wholes(of_rounded_clock), wholes(|t| t));
    telling().count() >= 3 && rounded.0 <= rounded.1 && printed.0 > OTHER * printed.1
}

fn read_top_events(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let event = grid.column(&["event"]);
    let waits = grid.column(&["waits"]);
    let time = grid.column(&["waittime"]);
    let share = grid.column(&["totalwttime"]);
    if time.is_none() {
        // The first versions print plain seconds.
        return top_events::read(grid, context);
    }
    let comma = comma_in_times(grid, time, context);
    let times: Vec<(f64, f64)> = (0..grid.len())
        .filter_map(|row| Some((seconds(grid.cell(row, time)?, comma)?, count(grid, row, share, context)?)))
        .collect();
    if is_rounded_clock(&times) {
        context.scratch.rounds_clock = true;
        context.note(
            Some(grid.line),
            "durations have hours and minutes that are rounded up: their shares of all waits prove it"
                .to_owned(),
            "an hour or a minute too many is taken off each, in statements too",
        );
    }
    let rounds = context.scratch.rounds_clock;
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(name), Some(waits)) = (context.text(grid, row, event), count(grid, row, waits, context))
        else {
            continue;
        };
        let time = grid.cell(row, time).and_then(|text| seconds(text, comma));
        let time = if rounds { time.map(of_rounded_clock) } else { time };
        let line = TopEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: None,
            event: name,
            waits: Some(waits),
            time_s: time,
            // Milliseconds are printed.
            time_s_low: time.map(|t| (t - 0.000_5).max(0.0)),
            time_s_high: time.map(|t| t + 0.000_5),
            avg_wait_us: time.filter(|_| waits > 0.0).map(|t| t * 1e6 / waits),
            share_pct: count(grid, row, share, context),
            share_of: Some(ShareOf::TotalCallTime),
            wait_class: None,
        };
        context.tables().top_event.push(line);
        rows += 1;
    }
    rows
}

/// `Top 5 SQL ordered by Gets`, `Top 10 Physical Reads per Segment`.
fn read_ranking(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let title = folded.trim_start_matches("top").trim_start_matches(|c: char| c.is_ascii_digit());
    if let Some((ranked_by, _)) = sql_ordered::ranking(title) {
        return read_statements(grid, ranked_by, context);
    }
    let ranked_by = match title {
        "logicalreadspersegment" => "logical_reads",
        "physicalreadspersegment" => "physical_reads",
        "bufferbusywaitspersegment" => "buffer_busy_waits",
        "rowlockwaitspersegment" => "row_lock_waits",
        "itlwaitspersegment" => "itl_waits",
        _ => return 0,
    };
    let object = grid.column(&["object"]);
    let number = grid.column(&["logreads", "phyreads", "waits"]);
    if object.is_none() || number.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(words) = context.text(grid, row, object) else { continue };
        let (owner, name) = words.split_once('.').map_or((None, words.as_str()), |(o, n)| (Some(o), n));
        let line = SegmentStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by,
            owner: owner.map(Into::into),
            tablespace: context.name(grid, row, grid.column(&["tablespace"])),
            object: Some(name.into()),
            object_type: context.name(grid, row, grid.column(&["type"])),
            value: count(grid, row, number, context),
            share_pct: count(grid, row, grid.column(&["ratio"]), context),
            ..SegmentStat::default()
        };
        context.tables().segment_stat.push(line);
        rows += 1;
    }
    rows
}

fn read_statements(grid: &Grid<'_>, ranked_by: &'static str, context: &mut Context<'_>) -> u32 {
    let at = |keys: &[&str]| grid.column(keys);
    let hash = at(&["hashvalue"]);
    let [elapsed, cpu] = [&["elapsedtimes", "elapsedtime"], &["cputimes", "cputime"]].map(|keys| {
        let column = at(keys);
        (column, comma_in_times(grid, column, context))
    });
    let rounds = context.scratch.rounds_clock;
    let time = |row: usize, (column, comma)| {
        let printed = grid.cell(row, column).and_then(|text| seconds(text, comma));
        if rounds { printed.map(of_rounded_clock) } else { printed }
    };
    if hash.is_none() {
        return 0;
    }
    let mut rows = 0;
    let mut above: Option<u64> = None;
    for row in 0..grid.len() {
        let Some(old_hash) = context.id(grid, row, hash) else {
            // The text of the statement above stands in a cell that spans the row.
            let mut filled = grid.row(row).iter().filter(|c| !c.is_empty());
            if let (Some(old_hash), Some(text), None) = (above.take(), filled.next(), filled.next()) {
                let text = text.replace('\n', "");
                sql_ordered::keep_text(None, Some(old_hash), &text, grid.row_line(row), context);
            }
            continue;
        };
        above = Some(old_hash);
        let number = |keys: &[&str]| count(grid, row, at(keys), context);
        let line = SqlStat {
            line: grid.row_line(row),
            section: context.section,
            ranked_by,
            old_hash: Some(old_hash),
            executions: number(&["executions"]),
            elapsed_s: time(row, elapsed),
            cpu_s: time(row, cpu),
            buffer_gets: number(&["buffergets"]),
            physical_reads: number(&["pysicalreads", "physicalreads"]),
            rows_processed: number(&["rowsprocessed"]),
            parse_calls: number(&["parsecalls"]),
            share_pct: number(&["%total", "total", "%totalparses", "totalparses"]),
            ..SqlStat::default()
        };
        context.tables().sql_stat.push(line);
        rows += 1;
    }
    rows
}

/// A plan below the statement that it belongs to; dots before an operation show its depth.
fn read_plan(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let operation = grid.column(&["operation"]);
    let cost = grid.column(&["cost"]);
    if operation.is_none() || cost.is_none() {
        return 0;
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let Some(words) = context.text(grid, row, operation) else { continue };
        let words = words.trim_start_matches(['.', ' ', '\u{a0}']);
        let (operation, options) = crate::plans::operation::split(words);
        let object = context.text(grid, row, grid.column(&["object"])).filter(|o| o != ".");
        let line = PlanRow {
            line: grid.row_line(row),
            operation: operation.to_owned(),
            options: options.map(str::to_owned),
            object,
            cost: count(grid, row, cost, context),
            ..PlanRow::default()
        };
        context.tables().plan_row.push(line);
        rows += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_and_minutes_that_are_rounded_were_taken_as_printed() {
        let of = |hours: f64, minutes: f64, seconds: f64| {
            of_rounded_clock(3_600.0 * hours + 60.0 * minutes + seconds)
        };
        assert_eq!(of(1.0, 37.0, 7.5), 2_227.5);
        assert_eq!(of(3.0, 6.0, 58.5), 11_158.5);
        assert_eq!(of(2.0, 41.0, 44.0), 6_044.0);
        assert_eq!([of(3.0, 20.0, 18.0), of(0.0, 18.0, 0.5), of(0.0, 0.0, 45.0)], [12_018.0, 1_080.5, 45.0]);
        // As a page prints them, with shares of two decimals.
        let printed = [
            (12_018.153, 28.72),
            (11_218.879, 26.66),
            (3_823.879, 8.99),
            (5_827.556, 5.32),
            (1_080.913, 2.58),
        ];
        assert!(is_rounded_clock(&printed));
        let cut = printed.map(|(t, pct)| (of_rounded_clock(t), pct));
        assert!(!is_rounded_clock(&cut), "as they were");
        assert!(!is_rounded_clock(&printed[..2]) && !is_rounded_clock(&[]));
        // Of short times the whole seconds alone are in the share.
        let short = [
            (730.758, 31.06),
            (585.361, 22.36),
            (505.192, 21.50),
            (334.339, 11.68),
            (86.983, 3.66),
            (19.864, 0.80),
        ];
        assert!(
            is_rounded_clock(&short) && !is_rounded_clock(&short.map(|(t, pct)| (of_rounded_clock(t), pct)))
        );
    }
}
