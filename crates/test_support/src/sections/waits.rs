//! Waits by class and by event; services.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{Report, Side, WaitEvent};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = vec![
        classes(report, style),
        events(report, style, Side::Foreground),
        events(report, style, Side::Background),
    ];
    out.extend(super::histogram::blocks(report, style));
    out.push(services(report, style));
    out
}

fn classes(report: &Report, style: &Style) -> Block {
    let rows: Vec<_> = report.tables.wait_class.iter().filter(|c| c.side == Side::Foreground).collect();
    let waits: f64 = rows.iter().filter(|c| c.wait_class != "DB CPU").filter_map(|c| c.time_s).sum();
    let cpu = rows.iter().find(|c| c.wait_class == "DB CPU").and_then(|c| c.time_s);
    let db_time = report.identity.db_time_s;
    let captured = cpu.zip(db_time).map(|(c, t)| 100.0 * (c + waits) / t);
    let cell = |v: Option<f64>, d| style.num(v, d).text().to_owned();
    let ruled = if style.release.times_carry_units() {
        "                                     %Time      Total Wait\n\
         Wait Class                     Waits -outs        Time (s)   Avg wait  %DB time\n\
         -------------------- --------------- ----- --------------- ---------- ---------"
    } else {
        "                                                                  Avg\n\
         \x20                                     %Time       Total Wait     wait\n\
         Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
         -------------------- ---------------- ----- ---------------- -------- ---------"
    };
    Block {
        title: "Foreground Wait Class".into(),
        summary: "This table displays foreground wait class statistics",
        notes: vec![
            unit_note(style),
            "-> ordered by wait time desc, waits desc".into(),
            "-> %Timeouts: value of 0 indicates value was < .5%.  Value of null is truly 0".into(),
            format!(
                "-> Captured Time accounts for {:>12}%  of Total DB time {:>14} (s)",
                cell(captured, 1),
                cell(db_time, 2)
            ),
            format!(
                "-> Total FG Wait Time: {:>20} (s)  DB CPU time: {:>14} (s)",
                cell(Some(waits), 2),
                cell(cpu, 2)
            ),
        ],
        ruled,
        columns: if style.release.times_carry_units() {
            &["Wait Class", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait", "%DB time"]
        } else {
            &["Wait Class", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait (ms)", "%DB time"]
        },
        rows: rows
            .iter()
            .map(|c| {
                let timeouts = if c.waits.is_some() { Cell::Number("0".into()) } else { Cell::Blank };
                Row::new(vec![
                    Cell::name(c.wait_class.clone()),
                    style.int(c.waits),
                    timeouts,
                    style.int(c.time_s),
                    style.avg_wait(c.avg_wait_us),
                    style.fine(c.share_pct, 1),
                ])
            })
            .collect(),
        ..Block::default()
    }
}

fn unit_note(style: &Style) -> String {
    if style.release.times_carry_units() {
        "-> s  - second, ms - millisecond, us - microsecond, ns - nanosecond".into()
    } else {
        "-> s  - second, ms - millisecond -    1000th of a second".into()
    }
}

fn events(report: &Report, style: &Style, side: Side) -> Block {
    let foreground = side == Side::Foreground;
    let mut notes = vec![
        "-> ordered by wait time desc, waits desc (idle events last)".to_owned(),
        "-> Only events with Total Wait Time (s) >= .001 are shown".to_owned(),
        "-> %Timeouts: value of 0 indicates value was < .5%.  Value of null is truly 0".to_owned(),
    ];
    if foreground {
        notes.swap(0, 1);
        notes.insert(0, unit_note(style));
    }
    let units = style.release.times_carry_units();
    let columns: &'static [&'static str] = match (foreground, units) {
        (true, false) => EVENT_COLUMNS[0],
        (false, false) => EVENT_COLUMNS[1],
        (true, true) => EVENT_COLUMNS[2],
        (false, true) => EVENT_COLUMNS[3],
    };
    let ruled = match (foreground, units) {
        (true, false) => {
            "                                                             Avg\n\
             \x20                                       %Time Total Wait    wait    Waits   % DB\n\
             Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
             -------------------------- ------------ ----- ---------- ------- -------- ------"
        }
        (false, false) => {
            "                                                             Avg\n\
             \x20                                       %Time Total Wait    wait    Waits   % bg\n\
             Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
             -------------------------- ------------ ----- ---------- ------- -------- ------"
        }
        (true, true) => {
            "                                                Total\n\
             \x20                                      %Time     Wait              Waits   % DB\n\
             Event                            Waits -outs Time (s)  Avg wait     /txn   time\n\
             -------------------------- ----------- ----- -------- --------- -------- ------"
        }
        (false, true) => {
            "                                                Total\n\
             \x20                                      %Time     Wait              Waits   % bg\n\
             Event                            Waits -outs Time (s)  Avg wait     /txn   time\n\
             -------------------------- ----------- ----- -------- --------- -------- ------"
        }
    };
    Block {
        title: if foreground { "Foreground Wait Events".into() } else { "Background Wait Events".into() },
        summary: if foreground {
            "This table displays Foreground Wait Events and their wait statistics"
        } else {
            "This table displays background wait events statistics"
        },
        notes,
        ruled,
        columns,
        rows: report
            .tables
            .wait_event
            .iter()
            .filter(|e| e.side == side)
            .map(|e| event_row(e, style))
            .collect(),
        new_page: true,
        ..Block::default()
    }
}

#[rustfmt::skip]
const EVENT_COLUMNS: [&[&str]; 4] = [
    &["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait (ms)", "Waits /txn", "% DB time"],
    &["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait (ms)", "Waits /txn", "% bg time"],
    &["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait", "Waits /txn", "% DB time"],
    &["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait", "Waits /txn", "% bg time"],
];

fn event_row(event: &WaitEvent, style: &Style) -> Row {
    let timeouts = match event.timeouts_pct {
        Some(pct) => style.plain(Some(pct), 0),
        None => Cell::Blank,
    };
    Row::new(vec![
        Cell::name(event.event.clone()),
        style.int(event.waits),
        timeouts,
        style.int(event.time_s),
        style.avg_wait(event.avg_wait_us),
        style.fine(event.waits_per_txn, 1),
        style.short_pct(event.share_pct),
    ])
}

fn services(report: &Report, style: &Style) -> Block {
    Block {
        title: "Service Statistics".into(),
        summary: "This table displays service statistics. It displays service names and corresponding DB time, DB CPU, Physical reads, logical reads.",
        notes: vec!["-> ordered by DB Time".into()],
        ruled: "                                                           Physical      Logical\n\
                Service Name                  DB Time (s)   DB CPU (s)    Reads (K)    Reads (K)\n\
                ---------------------------- ------------ ------------ ------------ ------------",
        columns: &["Service Name", "DB Time (s)", "DB CPU (s)", "Physical Reads (K)", "Logical Reads (K)"],
        rows: report
            .tables
            .service
            .iter()
            .map(|r| {
                Row::new(printed(
                    r,
                    &[Format::Name, Format::Int, Format::Int, Format::Int, Format::Int],
                    style,
                ))
            })
            .collect(),
        new_page: true,
        ..Block::default()
    }
}
