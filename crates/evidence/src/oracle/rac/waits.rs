//! Waits by event, for all instances and by instance.
//!
//! Printed as `Top Timed Events`, `Top Timed Foreground Events`, `Top Timed Background Events` (`I#`,
//! `*` for all) and, from 12.2, `Foreground Wait Events (Global)`, `Background Wait Events (Global)`
//! (all instances only). Traps: `DB CPU` and `background cpu time` stand among the events; the share
//! of background events is of background time; `%Timeouts` is a share although it may print as a
//! fraction; `%bg time` is one in the full list of 19c, and percent in the list by instance; `Summary Avg Wait Time`
//! are averages over instances, not over waits.

use super::{Who, who};
use crate::cell::{MS, Unit};
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use crate::oracle::sections::wait_events::{full_class, known_mean_us, mean, rounded};
use spindle_facts::{Note, Report, ShareOf, Side, SmolStr, TopEvent, WaitEvent, same_name};

pub(super) fn read_foreground(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::Foreground)
}

pub(super) fn read_background(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::Background)
}

pub(super) fn read_both(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    read(grid, context, Side::All)
}

fn read(grid: &Grid<'_>, context: &mut Context<'_>, side: Side) -> u32 {
    let class = grid.column_in("wait", &["class"]).or_else(|| grid.column(&["class", "waitclass"]));
    let event = grid.column(&["event", "name"]);
    let waits = grid.column(&["waits"]);
    let timeouts = grid.column(&["%timeouts"]);
    let time = grid.column(&["totals", "total"]);
    let average =
        grid.column_in("waittime", &["avgwait", "avgms"]).or_else(|| grid.column(&["avgwait", "avgms"]));
    let share = grid.columns.iter().position(|c| matches!(c.key(), "%dbtime" | "%bgtime"));
    let share_of = match side {
        Side::Background => ShareOf::BackgroundTime,
        Side::Foreground | Side::All => ShareOf::DbTime,
    };
    let top = context.report.section_title(context.section).starts_with("Top");
    if top || grid.columns.iter().any(|column| column.group_key().starts_with("summary")) {
        // Averages over instances stand there, and a list of both sides is taken apart: what the lists of either side
        // hold, too, counts once.
        context.keep_as_printed();
    }
    let mut rows = 0;
    for row in 0..grid.len() {
        let (Some(whom), Some(printed)) = (who(grid, row), context.text(grid, row, event)) else { continue };
        let count = context.number(grid, row, waits, Unit::Count);
        let seconds = context.number(grid, row, time, Unit::Count).map(rounded);
        let shown = context.number(grid, row, average, Unit::Microseconds(MS));
        let mean = mean(count, seconds, shown);
        let complete = names::complete_event_of(&printed, context.release());
        let full = complete.unwrap_or(&printed).to_owned();
        let wait_class = grid.cell(row, class).map(full_class);
        let share_pct = context.count(grid, row, share);
        if count.is_none() && seconds.is_none() && shown.is_none() && share_pct.is_none() {
            // Headings that come again in a copy, or a name that lost its numbers.
            continue;
        }
        rows += 1;
        if top && side == Side::Foreground {
            let line = TopEvent {
                line: grid.row_line(row),
                section: context.section,
                instance_number: whom.number(),
                event: full.clone(),
                waits: count.map(|p| p.value),
                time_s: seconds.map(|p| p.value),
                time_s_low: seconds.map(|p| p.low),
                time_s_high: seconds.map(|p| p.high),
                avg_wait_us: known_mean_us(mean, shown),
                share_pct,
                share_of: share.map(|_| share_of),
                wait_class: wait_class.clone(),
            };
            context.tables().top_event.push(line);
        }
        if matches!(full.as_str(), "DB CPU" | "background cpu time" | "CPU time") {
            continue;
        }
        let wait_class = wait_class.or_else(|| names::wait_class(&full).map(str::to_owned));
        let line = WaitEvent {
            line: grid.row_line(row),
            section: context.section,
            instance_number: whom.number(),
            printed_as: complete.is_some().then_some(printed.into()),
            event: full.into(),
            side,
            is_idle: wait_class.as_deref() == Some("Idle"),
            wait_class: wait_class.map(Into::into),
            waits: count.map(|p| p.value),
            waits_low: count.map(|p| p.low),
            waits_high: count.map(|p| p.high),
            timeouts: None,
            timeouts_pct: context.count(grid, row, timeouts),
            time_s: seconds.map(|p| p.value),
            time_s_low: seconds.map(|p| p.low),
            time_s_high: seconds.map(|p| p.high),
            avg_wait_us: known_mean_us(mean, shown),
            avg_wait_us_low: mean.map(|p| p.low),
            avg_wait_us_high: mean.map(|p| p.high),
            waits_per_txn: None,
            share_pct,
            share_of: share.map(|_| share_of),
        };
        context.tables().wait_event.push(line);
    }
    rows
}

/// Is this a row of the full list of background waits, all instances together?
fn is_of_background_list(report: &Report, row: &WaitEvent, top: bool) -> bool {
    row.share_of == Some(ShareOf::BackgroundTime)
        && row.instance_number == Who::All.number()
        && report.section_title(row.section).starts_with("Top") == top
}

/// Background time of all instances, seconds: as the time model prints it, else what a large share in the list of those
/// that lead is of.
fn background_s(report: &Report) -> Option<f64> {
    /// Smaller shares are rounded too far, percent.
    const TELLING_PCT: f64 = 5.0;
    let rows = || {
        let rows = report.tables.time_model.iter();
        rows.filter(|r| same_name(&r.statistic, "background elapsed time"))
    };
    let printed = match rows().find(|r| r.instance_number == Who::All.number()) {
        Some(all) => all.time_s,
        None => rows().next().and_then(|_| rows().map(|r| r.time_s).sum::<Option<f64>>()),
    };
    let of_top = || {
        let rows = report.tables.wait_event.iter().filter(|r| is_of_background_list(report, r, true));
        let shares = rows.filter_map(|r| Some((r.share_pct.filter(|pct| *pct >= TELLING_PCT)?, r.time_s?)));
        shares.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(pct, time_s)| 100.0 * time_s / pct)
    };
    printed.filter(|s| *s > 0.0).or_else(of_top)
}

/// `%bg time` of the full list is a fraction as 19c prints it, `0.15` for 14.63 %, and percent in the lists by instance:
/// the background time tells which. Shares of which nothing tells are unknown.
fn shares_of_background(report: &mut Report) {
    let own = |report: &Report| -> Vec<usize> {
        let rows = report.tables.wait_event.iter().enumerate();
        rows.filter(|(_, r)| r.share_pct.is_some() && is_of_background_list(report, r, false))
            .map(|(at, _)| at)
            .collect()
    };
    let rows = own(report);
    let Some(first) = rows.first().map(|at| &report.tables.wait_event[*at]) else { return };
    let (line, title) = (first.line, report.section_title(first.section).to_owned());
    let whole_s = background_s(report);
    let (mut fractions, mut percents, mut example) = (0_usize, 0_usize, None);
    for row in rows.iter().map(|at| &report.tables.wait_event[*at]) {
        let (Some(time_s), Some(share), Some(whole_s)) = (row.time_s, row.share_pct, whole_s) else {
            continue;
        };
        let pct = 100.0 * time_s / whole_s;
        // Two decimals, and clocks that differ a little.
        let is_near = |of: f64| (share - of).abs() <= 0.0051 + 0.01 * of;
        match (is_near(pct / 100.0), is_near(pct)) {
            (true, false) => {
                fractions += 1;
                example = example.or(Some((row.line, share, pct)));
            }
            (false, true) => percents += 1,
            _ => {}
        }
    }
    let note = match (fractions, percents) {
        (0, _) if whole_s.is_some() => return,
        (1.., 0) => {
            for at in rows {
                let row = &mut report.tables.wait_event[at];
                row.share_pct = row.time_s.zip(whole_s).map(|(time_s, whole_s)| 100.0 * time_s / whole_s);
            }
            let (line, share, pct) = example.unwrap_or((line, 0.0, 0.0));
            let message = format!("`%bg time` is printed as a fraction: {share} for {pct:.2} %");
            (line, message, "shares of the background's time follow from its seconds")
        }
        _ => {
            for at in rows {
                report.tables.wait_event[at].share_pct = None;
            }
            let message = "nothing tells whether `%bg time` is percent or a fraction of 1".to_owned();
            (line, message, "shares of the background's time are unknown")
        }
    };
    let (line, message, effect) = note;
    report.notes.push(Note { line: Some(line), section: Some(title), message, effect: effect.to_owned() });
}

/// An event that the top list and the full list print for the same instances is kept once, from the
/// full list; a mixed row stands only where neither side is printed apart.
pub(super) fn finish(report: &mut Report) {
    shares_of_background(report);
    let rows = &mut report.tables.wait_event;
    let keys: Vec<(SmolStr, Side, Option<u32>)> =
        rows.iter().map(|r| (r.event.clone(), r.side, r.instance_number)).collect();
    let last =
        keys.iter().enumerate().map(|(i, k)| (k.clone(), i)).collect::<std::collections::HashMap<_, _>>();
    let apart = |event: &str| {
        [Side::Foreground, Side::Background].iter().any(|s| {
            keys.iter().any(|(e, side, number)| e == event && side == s && *number == Who::All.number())
        })
    };
    let mut index = 0;
    rows.retain(|row| {
        let keep = last.get(&keys[index]) == Some(&index) && (row.side != Side::All || !apart(&row.event));
        index += 1;
        keep
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    /// `%bg time` of all instances, 0.15, was 0.15 %: it stood for 14.63 %, as the list by instance printed it.
    #[test]
    fn a_fraction_of_background_time_was_percent() {
        let report = |shares: [&str; 3], elapsed: &str, top: &str| {
            let row = |cells: &[&str]| {
                format!("<tr>{}</tr>\n", cells.iter().map(|c| format!("<td>{c}</td>")).collect::<String>())
            };
            let head = |cells: &[&str]| row(cells).replace("td>", "th>");
            let text = [
                "<html><body><h1>WORKLOAD REPOSITORY REPORT (RAC)</h1>\n<h3>Time Model</h3>\n<table>\n",
                &head(&["I#", "DB time (s)", "DB CPU (s)", "bg time (s)"]),
                &row(&["1", "9,000.00", "700.00", elapsed]),
                "</table>\n<h3>Top Timed Events</h3>\n<table>\n",
                top,
                "</table>\n<h3>Background Wait Events (Global)</h3>\n<table>\n",
                &head(&["Class", "Event", "Waits", "%Timeouts", "Total(s)", "Avg Wait", "%bg time"]),
                &row(&[
                    "System I/O",
                    "log file parallel write",
                    "9,000",
                    "0.00",
                    "330.00",
                    "36.7ms",
                    shares[0],
                ]),
                &row(&[
                    "System I/O",
                    "db file parallel write",
                    "9,000",
                    "0.00",
                    "55.00",
                    "6.11ms",
                    shares[1],
                ]),
                &row(&["Other", "reliable message", "90", "0.00", "0.20", "2.22ms", shares[2]]),
                "</table></body></html>",
            ];
            let read = crate::read("till.html", text.concat().as_bytes());
            let report = read.reports.into_iter().next().unwrap();
            let shares: Vec<_> = report.tables.wait_event.iter().map(|w| w.share_pct).collect();
            let noted = report.notes.iter().filter(|n| n.message.contains("%bg time")).count();
            (shares, noted)
        };
        let percent = ["15.00", "2.50", "0.01"];
        let fraction = ["0.15", "0.03", "0.00"];
        assert_eq!(report(percent, "2,200.00", ""), (vec![Some(15.0), Some(2.5), Some(0.01)], 0));
        let right: Vec<_> = [330.0, 55.0, 0.2].iter().map(|s| Some(100.0 * s / 2_200.0)).collect();
        assert_eq!(report(fraction, "2,200.00", ""), (right, 1));
        assert_eq!(report(fraction, "", ""), (vec![None; 3], 1), "nothing tells");
    }
}
