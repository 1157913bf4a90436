//! Tables of the report over all instances that 12.2 and later print in their own way: full wait
//! lists, wait histograms, I/O a row a function.

use crate::block::{Block, Cell};
use crate::rac_global::{Columns, Groups, block, number, sum, wait};
use crate::style::Style;
use spindle_facts::{IoActivity, Report, Side, WaitEvent};

/// `Foreground Wait Events (Global)`, `Background Wait Events (Global)`: over all instances only.
pub(crate) fn events(reports: &[Report], style: &Style) -> [Block; 2] {
    const GROUPS: Groups = &[("Wait", 2), ("Event", 2), ("Wait Time", 3), ("Summary Avg Wait Time", 4)];
    const COLUMNS: [Columns; 2] = [
        &[
            "Class",
            "Event",
            "Waits",
            "%Timeouts",
            "Total(s)",
            "Avg Wait",
            "%DB time",
            "Avg",
            "Min",
            "Max",
            "Std Dev",
        ],
        &[
            "Class",
            "Event",
            "Waits",
            "%Timeouts",
            "Total(s)",
            "Avg Wait",
            "%bg time",
            "Avg",
            "Min",
            "Max",
            "Std Dev",
        ],
    ];
    let table = |side, title, columns, summary: &'static str| {
        let rows = all_events(reports, side).into_iter().map(|(name, same)| {
            let waits = sum(same.iter().map(|e| e.waits));
            let time_s = sum(same.iter().map(|e| e.time_s));
            let mean_ms =
                |e: &WaitEvent| e.time_s.zip(e.waits.filter(|w| *w > 0.0)).map(|(t, w)| 1e3 * t / w);
            let means: Vec<f64> = same.iter().filter_map(|e| mean_ms(e)).collect();
            let count = means.len() as f64;
            let mean = (count > 0.0).then(|| means.iter().sum::<f64>() / count);
            vec![
                Cell::opt(same[0].wait_class.as_deref()),
                Cell::name(name),
                style.int(waits),
                style.num(Some(0.0), 2),
                style.num(time_s, 2),
                wait(time_s.zip(waits.filter(|w| *w > 0.0)).map(|(t, w)| 1e3 * t / w), style),
                Cell::Blank,
                wait(mean, style),
                wait(means.iter().copied().reduce(f64::min), style),
                wait(means.iter().copied().reduce(f64::max), style),
                Cell::Blank,
            ]
        });
        Block { summary, ..block(title, GROUPS, columns, rows.collect()) }
    };
    [
        table(
            Side::Foreground,
            "Foreground Wait Events (Global)",
            COLUMNS[0],
            "This table displays foreground wait event information",
        ),
        table(
            Side::Background,
            "Background Wait Events (Global)",
            COLUMNS[1],
            "This table displays background wait event information",
        ),
    ]
}

/// Events of one side by name, longest first, idle ones last.
fn all_events(reports: &[Report], side: Side) -> Vec<(String, Vec<&WaitEvent>)> {
    let mut all: Vec<(String, Vec<&WaitEvent>)> = Vec::new();
    for event in reports.iter().flat_map(|r| &r.tables.wait_event).filter(|e| e.side == side) {
        match all.iter_mut().find(|(name, _)| *name == event.event.as_str()) {
            Some((_, same)) => same.push(event),
            None => all.push((event.event.to_string(), vec![event])),
        }
    }
    let time = |same: &[&WaitEvent]| same.iter().filter_map(|e| e.time_s).sum::<f64>();
    all.sort_by(|(_, a), (_, b)| a[0].is_idle.cmp(&b[0].is_idle).then(time(b).total_cmp(&time(a))));
    all
}

/// `Wait Event Histogram (Global)`: shares of all waits, the count in brackets where a share rounds to
/// none.
pub(crate) fn histograms(reports: &[Report], style: &Style) -> Block {
    const COLUMNS: Columns = &[
        "Event", "Waits", "<1us", "<2us", "<4us", "<8us", "<16us", "<32us", "<64us", "<128us", "<256us",
        "<512us", "<1ms", "<2ms", "<4ms", "<8ms", "<16ms", "<32ms", "<64ms", "<128ms", "<256ms", "<512ms",
        "<1s", ">=1s",
    ];
    let mut names: Vec<&str> = Vec::new();
    for h in reports.iter().flat_map(|r| &r.tables.wait_histogram) {
        if !names.contains(&h.event.as_str()) {
            names.push(&h.event);
        }
    }
    names.sort_unstable();
    let rows = names.into_iter().map(|name| {
        let buckets = || {
            reports
                .iter()
                .flat_map(|r| &r.tables.wait_histogram)
                .filter(|h| h.event == name)
                .flat_map(|h| &h.buckets)
        };
        let total: f64 = buckets().map(|b| b.waits).sum();
        let mut cells = vec![Cell::name(name), Cell::Number(format!("{total:.0}"))];
        for bucket in 0..22_i32 {
            let low = if bucket == 0 { 0.0 } else { 2_f64.powi(bucket - 1) };
            let high = if bucket == 21 { f64::INFINITY } else { 2_f64.powi(bucket) };
            let inside = buckets().filter(|b| b.low_us >= low && b.high_us.unwrap_or(f64::INFINITY) <= high);
            let waits: f64 = inside.map(|b| b.waits).sum();
            let share = 100.0 * waits / total;
            cells.push(if waits <= 0.0 {
                Cell::Blank
            } else if share < 0.05 {
                Cell::Number(format!("{}({waits:.0})", style.localised("0.0".into())))
            } else {
                style.num(Some(share), 1)
            });
        }
        cells
    });
    Block {
        summary: "This table displays wait event histogram information",
        notes: vec!["-> When % of Total Waits is 0.0 the count is displayed in parenthesis".into()],
        ..block(
            "Wait Event Histogram (Global)",
            &[("", 1), ("", 1), ("% of Total Waits", 22)],
            COLUMNS,
            rows.collect(),
        )
    }
}

const MB: f64 = 1_048_576.0;

/// `IOStat by Function`, `IOStat by File Type`: rows of all instances (`*`), then of each.
pub(crate) fn io(reports: &[Report], style: &Style, by_function: bool) -> Block {
    const FUNCTION: Columns = &[
        "I#",
        "Function Name",
        "Total",
        "IOs/s",
        "Reads/s",
        "Writes/s",
        "Total",
        "IO MB/s",
        "Read MB/s",
        "Write MB/s",
        "Waits: Count",
        "Avg Time",
    ];
    const FILETYPE: Columns = &[
        "I#",
        "Filetype Name",
        "Total",
        "IOs/s",
        "Reads/s",
        "Writes/s",
        "Total",
        "IO MB/s",
        "Read MB/s",
        "Write MB/s",
        "Small Read",
        "Large Read",
    ];
    let rows_of = |r: &Report| -> Vec<IoActivity> {
        if by_function { r.tables.io_function.clone() } else { r.tables.io_filetype.clone() }
    };
    let label = |a: &IoActivity| {
        let name = if by_function { &a.function } else { &a.filetype };
        if a.is_total { "Total".to_owned() } else { name.clone().unwrap_or_default() }
    };
    let line = |who: Cell, a: &IoActivity, elapsed: Option<f64>| {
        let both = |r: Option<f64>, w: Option<f64>| r.zip(w).map(|(r, w)| r + w);
        let rate = both(a.reads_per_s, a.writes_per_s);
        let bytes = both(a.read_bytes_per_s, a.write_bytes_per_s);
        let mb = |v: Option<f64>| style.num(v.map(|b| b / MB), 2);
        let mut cells = vec![
            who,
            Cell::name(label(a)),
            style.int(rate.zip(elapsed).map(|(r, e)| r * e)),
            style.num(rate, 2),
            style.num(a.reads_per_s, 2),
            style.num(a.writes_per_s, 2),
            style.int(bytes.zip(elapsed).map(|(b, e)| b * e / MB)),
            mb(bytes),
            mb(a.read_bytes_per_s),
            mb(a.write_bytes_per_s),
        ];
        if by_function {
            cells.extend([style.kilo(a.waits), style.wait_with_unit(a.avg_wait_us)]);
        } else {
            cells.extend([style.wait_with_unit(a.small_read_us), style.wait_with_unit(a.large_read_us)]);
        }
        cells
    };
    let mut rows: Vec<Vec<Cell>> = over_all(reports, by_function)
        .iter()
        .map(|a| line(Cell::name("*"), a, reports[0].identity.elapsed_s))
        .collect();
    for report in reports {
        rows.extend(rows_of(report).iter().map(|a| line(number(report), a, report.identity.elapsed_s)));
    }
    let groups: Groups = if by_function {
        &[("", 1), ("", 1), ("Requests", 4), ("MB", 4), ("", 1), ("", 1)]
    } else {
        &[("", 1), ("", 1), ("Requests", 4), ("MB", 4), ("Service Time", 2)]
    };
    let title = if by_function { "IOStat by Function" } else { "IOStat by File Type" };
    Block { summary: title, ..block(title, groups, if by_function { FUNCTION } else { FILETYPE }, rows) }
}

/// Sums over the instances by name; averages of what has one are unknown.
pub(crate) fn over_all(reports: &[Report], by_function: bool) -> Vec<IoActivity> {
    let mut all: Vec<IoActivity> = Vec::new();
    for r in reports {
        let rows = if by_function { &r.tables.io_function } else { &r.tables.io_filetype };
        for a in rows {
            let same = |o: &&mut IoActivity| {
                o.is_total == a.is_total && o.function == a.function && o.filetype == a.filetype
            };
            let Some(o) = all.iter_mut().find(same) else {
                all.push(a.clone());
                continue;
            };
            o.reads_per_s = sum([o.reads_per_s, a.reads_per_s]);
            o.writes_per_s = sum([o.writes_per_s, a.writes_per_s]);
            o.read_bytes_per_s = sum([o.read_bytes_per_s, a.read_bytes_per_s]);
            o.write_bytes_per_s = sum([o.write_bytes_per_s, a.write_bytes_per_s]);
            o.waits = sum([o.waits, a.waits]);
            (o.avg_wait_us, o.small_read_us, o.large_read_us) = (None, None, None);
        }
    }
    all
}
