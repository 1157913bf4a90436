//! Waits by class, by event, and their histograms; services.

use super::{Format, printed};
use crate::block::{Block, Cell, Row};
use crate::style::Style;
use spindle_facts::{Report, Side, WaitEvent, WaitHistogram};

pub(super) fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    let mut out = vec![
        classes(report, style),
        events(report, style, Side::Foreground),
        events(report, style, Side::Background),
    ];
    out.extend(histograms(report, style));
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
        "                                      %Time       Total Wait\n\
         Wait Class                      Waits -outs         Time (s) Avg wait %DB time\n\
         -------------------- ---------------- ----- ---------------- -------- ---------"
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
                    style.num(c.share_pct, 1),
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
            "                                        %Time Total Wait             Waits   % DB\n\
             Event                             Waits -outs   Time (s)  Avg wait     /txn   time\n\
             -------------------------- ------------ ----- ---------- --------- -------- ------"
        }
        (false, true) => {
            "                                        %Time Total Wait             Waits   % bg\n\
             Event                             Waits -outs   Time (s)  Avg wait     /txn   time\n\
             -------------------------- ------------ ----- ---------- --------- -------- ------"
        }
    };
    Block {
        title: if foreground { "Foreground Wait Events".into() } else { "Background Wait Events".into() },
        summary: if foreground {
            "This table displays Foreground wait events and their wait statistics"
        } else {
            "This table displays background wait events statistics"
        },
        notes,
        ruled,
        columns: match (foreground, units) {
            (true, false) => &[
                "Event",
                "Waits",
                "%Time -outs",
                "Total Wait Time (s)",
                "Avg wait (ms)",
                "Waits /txn",
                "% DB time",
            ],
            (false, false) => &[
                "Event",
                "Waits",
                "%Time -outs",
                "Total Wait Time (s)",
                "Avg wait (ms)",
                "Waits /txn",
                "% bg time",
            ],
            (true, true) => &[
                "Event",
                "Waits",
                "%Time -outs",
                "Total Wait Time (s)",
                "Avg wait",
                "Waits /txn",
                "% DB time",
            ],
            (false, true) => &[
                "Event",
                "Waits",
                "%Time -outs",
                "Total Wait Time (s)",
                "Avg wait",
                "Waits /txn",
                "% bg time",
            ],
        },
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

fn event_row(event: &WaitEvent, style: &Style) -> Row {
    let timeouts = match event.timeouts_pct {
        Some(pct) if pct > 0.0 => style.plain(Some(pct), 0),
        Some(_) => Cell::Number("0".into()),
        None => Cell::Blank,
    };
    Row::new(vec![
        Cell::name(event.event.clone()),
        style.int(event.waits),
        timeouts,
        style.int(event.time_s),
        style.avg_wait(event.avg_wait_us),
        style.num(event.waits_per_txn, 1),
        style.short_pct(event.share_pct),
    ])
}

/// One table of a histogram: upper bounds of its buckets in microseconds, `None` where open.
struct Resolution {
    title: &'static str,
    ruled: &'static str,
    columns: &'static [&'static str],
    bounds_us: &'static [Option<f64>],
    /// Waits that its first column counts: above this bound, up to that one.
    range_us: Option<(f64, f64)>,
}

const MS: f64 = 1_000.0;

const MAIN_MS: Resolution = Resolution {
    title: "Wait Event Histogram",
    ruled: "                                                    % of Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Total\n\
            Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Total Waits", "<1ms", "<2ms", "<4ms", "<8ms", "<16ms", "<32ms", "<=1s", ">1s"],
    bounds_us: &[
        Some(MS),
        Some(2.0 * MS),
        Some(4.0 * MS),
        Some(8.0 * MS),
        Some(16.0 * MS),
        Some(32.0 * MS),
        Some(1024.0 * MS),
        None,
    ],
    range_us: None,
};

const DETAIL_64MS: Resolution = Resolution {
    title: "Wait Event Histogram Detail (64 msec to 2 sec)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                          64ms\n\
            Event                      to 2s <32ms <64ms <1/8s <1/4s <1/2s   <1s   <2s  >=2s\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &[
        "Event",
        "Waits 64ms to 2s",
        "<32ms",
        "<64ms",
        "<1/8s",
        "<1/4s",
        "<1/2s",
        "<1s",
        "<2s",
        ">=2s",
    ],
    bounds_us: &[
        Some(32.0 * MS),
        Some(64.0 * MS),
        Some(128.0 * MS),
        Some(256.0 * MS),
        Some(512.0 * MS),
        Some(1024.0 * MS),
        Some(2048.0 * MS),
        None,
    ],
    range_us: Some((32.0 * MS, 2048.0 * MS)),
};

const DETAIL_4S: Resolution = Resolution {
    title: "Wait Event Histogram Detail (4 sec to 2 min)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4s\n\
            Event                      to 2m   <2s   <4s   <8s  <16s  <32s  < 1m  < 2m  >=2m\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Waits 4s to 2m", "<2s", "<4s", "<8s", "<16s", "<32s", "< 1m", "< 2m", ">=2m"],
    bounds_us: &[
        Some(2048.0 * MS),
        Some(4096.0 * MS),
        Some(8192.0 * MS),
        Some(16384.0 * MS),
        Some(32768.0 * MS),
        Some(65536.0 * MS),
        Some(131_072.0 * MS),
        None,
    ],
    range_us: Some((2048.0 * MS, 131_072.0 * MS)),
};

const DETAIL_4M: Resolution = Resolution {
    title: "Wait Event Histogram Detail (4 min to 1 hr)",
    ruled: "                                                 % of Total Waits\n\
            \x20                                -----------------------------------------------\n\
            \x20                          Waits\n\
            \x20                           4m\n\
            Event                      to 1h  < 2m  < 4m  < 8m <1/4h <1/2h  < 1h  >=1h\n\
            -------------------------- ----- ----- ----- ----- ----- ----- ----- -----",
    columns: &["Event", "Waits 4m to 1h", "< 2m", "< 4m", "< 8m", "<1/4h", "<1/2h", "< 1h", ">=1h"],
    bounds_us: &[
        Some(131_072.0 * MS),
        Some(262_144.0 * MS),
        Some(524_288.0 * MS),
        Some(1_048_576.0 * MS),
        Some(2_097_152.0 * MS),
        Some(4_194_304.0 * MS),
        None,
    ],
    range_us: Some((131_072.0 * MS, 4_194_304.0 * MS)),
};

fn histograms(report: &Report, style: &Style) -> Vec<Block> {
    [MAIN_MS, DETAIL_64MS, DETAIL_4S, DETAIL_4M].iter().map(|r| histogram(report, style, r)).collect()
}

fn waits_between(histogram: &WaitHistogram, low_us: f64, high_us: Option<f64>) -> f64 {
    histogram
        .buckets
        .iter()
        .filter(|b| b.low_us >= low_us && high_us.is_none_or(|h| b.high_us.is_some_and(|bh| bh <= h)))
        .map(|b| b.waits)
        .sum()
}

fn histogram(report: &Report, style: &Style, table: &Resolution) -> Block {
    let mut notes =
        vec!["-> Units for Total Waits column: K is 1000, M is 1000000, G is 1000000000".to_owned()];
    if table.range_us.is_none() {
        notes.extend([
            "-> % of Waits: value of .0 indicates value was <.05%; value of null is truly 0".to_owned(),
            "-> % of Waits: column heading of <=1s is truly <1024ms, >1s is truly >=1024ms".to_owned(),
            "-> Ordered by Event (idle events last)".to_owned(),
        ]);
    } else {
        notes.extend([
            "-> Units for % of Total Waits:".to_owned(),
            "   ms is milliseconds".to_owned(),
            "   s is 1024 milliseconds (approximately 1 second)".to_owned(),
            "-> % of Total Waits: total waits for all wait classes, including Idle".to_owned(),
            "-> % of Total Waits: value of .0 indicates value was <.05%;".to_owned(),
            "   value of null is truly 0".to_owned(),
            "-> Ordered by Event (only non-idle events are displayed)".to_owned(),
        ]);
    }
    let mut rows = Vec::new();
    for h in &report.tables.wait_histogram {
        if table.range_us.is_some()
            && report.tables.wait_event.iter().any(|e| e.is_idle && e.event == h.event)
        {
            continue;
        }
        let total: f64 = h.buckets.iter().map(|b| b.waits).sum();
        let counted = match table.range_us {
            None => h.waits.unwrap_or(total),
            Some((low, high)) => waits_between(h, low, Some(high)),
        };
        if counted <= 0.0 {
            continue;
        }
        let mut cells = vec![Cell::name(h.event.clone()), style.kilo(Some(counted))];
        let mut low = 0.0;
        for bound in table.bounds_us {
            cells.push(style.histogram_share(waits_between(h, low, *bound), total));
            low = bound.unwrap_or(low);
        }
        rows.push(Row::new(cells));
    }
    Block {
        title: table.title.into(),
        summary: "This table displays total number of waits, and information about total wait time, for each wait event",
        notes: if rows.is_empty() { Vec::new() } else { notes },
        ruled: table.ruled,
        columns: table.columns,
        rows,
        new_page: true,
        ..Block::default()
    }
}

fn services(report: &Report, style: &Style) -> Block {
    Block {
        title: "Service Statistics".into(),
        summary: "This table displays DB time information based on service",
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
