//! Waits by event, for all instances and by instance.
//!
//! Printed as `Top Timed Events`, `Top Timed Foreground Events`, `Top Timed Background Events` (`I#`,
//! `*` for all) and, from 12.2, `Foreground Wait Events (Global)`, `Background Wait Events (Global)`
//! (all instances only). Traps: `DB CPU` and `background cpu time` stand among the events; the share
//! of background events is of background time; `%Timeouts` is a share although it may print as a
//! fraction; `Summary Avg Wait Time` are averages over instances, not over waits.

use super::{Who, who};
use crate::cell::{MS, Unit};
use crate::grid::Grid;
use crate::names;
use crate::oracle::context::Context;
use crate::oracle::sections::wait_events::{full_class, known_mean_us, mean, rounded};
use spindle_facts::{Report, ShareOf, Side, SmolStr, TopEvent, WaitEvent};

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

/// An event that the top list and the full list print for the same instances is kept once, from the
/// full list; a mixed row stands only where neither side is printed apart.
pub(super) fn finish(report: &mut Report) {
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
