//! The report that compares two periods (11.2): both values of a quantity side by side, and how they
//! differ.

use crate::block::{Block, Cell, Row, spans};
use crate::page::Headings;
use crate::rac_global::{Columns, Groups, model, stat};
use crate::style::Style;
use spindle_facts::{FileIo, IoActivity, Layout, Report, Side, TablespaceIo, WaitEvent};
use std::fmt::Write;

/// Prints the comparison of two periods.
#[must_use]
pub fn render_compared(periods: &[Report; 2], style: &Style) -> String {
    match style.layout {
        Layout::Html => {
            let title = "WORKLOAD REPOSITORY COMPARE PERIOD REPORT";
            crate::html::page(&periods[0], style, title, &blocks(periods, style))
        }
        Layout::Text => text(periods, style),
    }
}

/// Titles, heading lines, rulers and heading cells of every section that [`render_compared`] prints.
#[must_use]
pub fn headings_compared(periods: &[Report; 2], style: &Style) -> Vec<Headings> {
    crate::page::headings_of(blocks(periods, style), style)
}

fn blocks(periods: &[Report; 2], style: &Style) -> Vec<Block> {
    let mut out = match style.layout {
        Layout::Html => vec![databases(periods), snapshots(periods, style), host(periods, style)],
        Layout::Text => Vec::new(),
    };
    out.extend([
        top_events(periods, style),
        time_model(periods, style),
        wait_classes(periods, style),
        wait_events(periods, style),
        statistics(periods, style),
    ]);
    out.extend(io(periods, style));
    out.extend([tablespaces(periods, style), files(periods, style)]);
    out.extend([segments(periods, style, true), segments(periods, style, false)]);
    out
}

/// The first lines, then every section under its title with both periods in it.
fn text(periods: &[Report; 2], style: &Style) -> String {
    let mut out = first_page(periods, style);
    let whose = |report: &Report| {
        let id = &report.identity;
        let (name, instance) = (id.db_name.as_deref(), id.instance.as_deref());
        format!(
            "DB/Inst: {}/{} Snaps: {}-{} (Elapsed time: {:.2} sec  DB time: {:.2} sec)",
            name.unwrap_or_default(),
            instance.unwrap_or_default(),
            id.begin_snap.unwrap_or_default(),
            id.end_snap.unwrap_or_default(),
            id.elapsed_s.unwrap_or_default(),
            id.db_time_s.unwrap_or_default(),
        )
    };
    for block in blocks(periods, style) {
        let _ = writeln!(
            out,
            "{}   First {},  Second {}\n\n{}",
            block.title,
            whose(&periods[0]),
            whose(&periods[1]),
            block.ruled
        );
        let ruler = spans(block.ruled.lines().last().unwrap_or_default());
        for row in &block.rows {
            if let Some(lead) = &row.lead {
                let _ = writeln!(out, "{lead}");
            }
            let mut line = String::new();
            for (cell, (start, width)) in row.cells.iter().zip(&ruler) {
                let _ = write!(line, "{:1$}", "", start.saturating_sub(line.chars().count()));
                let wide = cell.text().chars().count() > *width;
                let shown: String = match cell {
                    Cell::Number(_) if wide && style.hashes => "#".repeat(*width),
                    _ => cell.text().chars().take(*width).collect(),
                };
                let _ = match cell {
                    Cell::Number(_) => write!(line, "{shown:>width$}"),
                    _ => write!(line, "{shown:<width$}"),
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let _ = writeln!(out, "{:26}{}\n", "", "-".repeat(116));
    }
    out.push_str("End of Report\n");
    out
}

fn first_page(periods: &[Report; 2], style: &Style) -> String {
    let mut out = format!(
        "\nWORKLOAD REPOSITORY COMPARE PERIOD REPORT\n\n\
         Snapshot Set    DB Id    Instance     Inst Num Release     Cluster Host          Std Block Size\n\
         {}\n",
        rule(&[12, 11, 12, 8, 11, 7, 12, 15])
    );
    for (label, row) in ["First (1st)", "Second (2nd)"].iter().zip(databases(periods).rows) {
        let cells: Vec<&str> = row.cells.iter().map(Cell::text).collect();
        let _ = writeln!(
            out,
            "{label:<12} {:>11} {:<12} {:>8} {:<11} {:<7} {:<12} {:>9}",
            cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8]
        );
    }
    let _ = writeln!(
        out,
        "\nSnapshot Set  Begin Snap Id Begin Snap Time            End Snap Id End Snap Time                  \
         Avg Active Users           Elapsed Time (min)            DB time (min)\n{}",
        rule(&[12, 14, 25, 12, 25, 26, 26, 26])
    );
    for row in snapshots(periods, style).rows {
        let cells: Vec<&str> = row.cells.iter().map(Cell::text).collect();
        let _ = writeln!(
            out,
            "{:<12} {:>14} {:<25} {:>12} {:<25} {:>26} {:>26} {:>26}",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]
        );
    }
    let _ = writeln!(
        out,
        "\nHost Configuration Comparison\n{}\n{:>56}{:>21}{:>21}{:>10}\n{}",
        "~".repeat(29),
        "1st",
        "2nd",
        "Diff",
        "%Diff",
        rule(&[35, 20, 20, 20, 9])
    );
    for row in host(periods, style).rows {
        let cells: Vec<&str> = row.cells.iter().map(Cell::text).collect();
        let _ = writeln!(
            out,
            "{:<35} {:>20} {:>20} {:>20} {:>9}",
            cells[0], cells[1], cells[2], cells[3], cells[4]
        );
    }
    out.push('\n');
    out
}

fn rule(widths: &[usize]) -> String {
    widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join(" ")
}

fn block(
    title: &str,
    summary: &'static str,
    (groups, columns): (Groups, Columns),
    ruled: &'static str,
    rows: Vec<Row>,
) -> Block {
    Block { title: title.to_owned(), summary, groups, columns, ruled, rows, ..Block::default() }
}

const SHAPES: [&str; 2] = ["First (1st)", "Second (2nd)"];

fn databases(periods: &[Report; 2]) -> Block {
    let text = |v: Option<u64>| Cell::Number(v.map(|n| n.to_string()).unwrap_or_default());
    let rows = SHAPES.iter().zip(periods).map(|(label, r)| {
        let id = &r.identity;
        Row::new(vec![
            Cell::name(*label),
            Cell::opt(id.db_name.as_deref()),
            text(id.db_id),
            Cell::opt(id.instance.as_deref()),
            text(id.instance_number.map(u64::from)),
            Cell::opt(id.version.as_deref()),
            Cell::name(if id.rac == Some(true) { "YES" } else { "NO" }),
            Cell::opt(id.host.as_deref()),
            text(id.block_size_bytes),
        ])
    });
    #[rustfmt::skip]
    const COLUMNS: Columns = &[
        "Snapshot Set", "DB Name", "DB Id", "Instance", "Inst num", "Release", "Cluster", "Host", "Std Block Size",
    ];
    let mut out = block(
        "",
        "This table displays database and instance information",
        (&[], COLUMNS),
        "",
        rows.collect(),
    );
    out.plain = true;
    out
}

fn snapshots(periods: &[Report; 2], style: &Style) -> Block {
    let rows = ["1st", "2nd"].iter().zip(periods).map(|(label, r)| {
        let id = &r.identity;
        let snap = |v: Option<u64>| Cell::Number(v.map(|n| n.to_string()).unwrap_or_default());
        let time = |iso: &Option<String>| {
            Cell::name(format!("{} (Wed)", style.date(iso.as_deref().unwrap_or_default())))
        };
        let minutes = |s: Option<f64>| style.num(s.map(|s| s / 60.0), 1);
        Row::new(vec![
            Cell::name(*label),
            snap(id.begin_snap),
            time(&id.begin_time),
            snap(id.end_snap),
            time(&id.end_time),
            style.num(id.db_time_s.zip(id.elapsed_s).map(|(d, e)| d / e), 1),
            minutes(id.elapsed_s),
            minutes(id.db_time_s),
        ])
    });
    #[rustfmt::skip]
    const COLUMNS: Columns = &[
        "Snapshot Set", "Begin Snap Id", "Begin Snap Time", "End Snap Id", "End Snap Time", "Avg Active Users",
        "Elapsed Time (min)", "DB time (min)",
    ];
    let mut out = block("", "This table displays snapshot information", (&[], COLUMNS), "", rows.collect());
    out.plain = true;
    out
}

fn host(periods: &[Report; 2], style: &Style) -> Block {
    let mut rows = Vec::new();
    let mut line = |name: &str, of: &dyn Fn(&Report) -> Option<f64>, decimals| {
        let [a, b] = [of(&periods[0]), of(&periods[1])];
        let diff = a.zip(b).map(|(a, b)| b - a);
        rows.push(Row::new(vec![
            Cell::name(name),
            style.plain(a, decimals),
            style.plain(b, decimals),
            style.plain(diff, decimals),
            change(a, b, style),
        ]));
    };
    line("Number of CPUs:", &|r| r.identity.cpus, 0);
    line("Number of CPU Cores:", &|r| r.identity.cores, 0);
    line("Number of CPU Sockets:", &|r| r.identity.sockets, 0);
    let summary = "This table displays host configuration comparisons. It displays values, diff and % diff for different host configuration statistics in the comparing data";
    let mut out = block(
        "Host Configuration Comparison",
        summary,
        (&[], &["", "1st", "2nd", "Diff", "%Diff"]),
        "",
        rows,
    );
    out.plain = true;
    out
}

/// How much more the second value is than the first, in percent.
fn change(a: Option<f64>, b: Option<f64>, style: &Style) -> Cell {
    let change = a.zip(b).map(|(a, b)| if a == 0.0 { 0.0 } else { 100.0 * (b - a) / a });
    style.fine(change.map(|c| c.clamp(-999.0, 9_999.0)), 1)
}

/// `1st`, `2nd`, `Diff`; what a period lacks is `N/A`.
fn both(values: [Option<f64>; 2], style: &Style, decimals: usize) -> Vec<Cell> {
    values
        .iter()
        .map(|v| match style.fine(*v, decimals) {
            Cell::Blank => Cell::Number("N/A".into()),
            cell => cell,
        })
        .collect()
}

fn counts(values: [Option<f64>; 2], style: &Style) -> Vec<Cell> {
    values
        .iter()
        .map(|v| match style.int(*v) {
            Cell::Blank => Cell::Number("N/A".into()),
            cell => cell,
        })
        .collect()
}

fn with_diff(values: [Option<f64>; 2], style: &Style, decimals: usize) -> Vec<Cell> {
    let mut cells = both(values, style, decimals);
    cells.push(style.fine(values[0].zip(values[1]).map(|(a, b)| b - a), decimals));
    cells
}

fn with_change(values: [Option<f64>; 2], style: &Style) -> Vec<Cell> {
    let mut cells = both(values, style, 1);
    cells.push(change(values[0], values[1], style));
    cells
}

/// Names of the first period, then those that only the second has.
fn names<T>(lists: [&[T]; 2], name: impl Fn(&T) -> String) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for row in lists.into_iter().flatten() {
        let name = name(row);
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// The events of a comparison: those of sessions.
pub(crate) fn events(report: &Report) -> Vec<WaitEvent> {
    report.tables.wait_event.iter().filter(|e| e.side == Side::Foreground).cloned().collect()
}

fn share(time_s: Option<f64>, report: &Report) -> Option<f64> {
    time_s.zip(report.identity.db_time_s).map(|(t, d)| 100.0 * t / d)
}

/// Events longer than the fifth, by period.
pub(crate) fn top(report: &Report) -> Vec<WaitEvent> {
    let mut all: Vec<WaitEvent> =
        events(report).into_iter().filter(|e| !e.is_idle && e.time_s.is_some()).collect();
    all.sort_by(|a, b| b.time_s.unwrap_or(0.0).total_cmp(&a.time_s.unwrap_or(0.0)));
    all.truncate(5);
    all
}

fn top_events(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [top(&periods[0]), top(&periods[1])];
    let mut rows = Vec::new();
    for index in 0..lists[0].len().max(lists[1].len()) {
        let mut cells = Vec::new();
        for (list, report) in lists.iter().zip(periods) {
            let Some(e) = list.get(index) else {
                cells.extend(std::iter::repeat_n(Cell::Blank, 6));
                continue;
            };
            // Text sets a blank where a mark would stand.
            let name =
                if style.layout == Layout::Text { format!(" {}", e.event) } else { e.event.to_string() };
            let mean = e.time_s.zip(e.waits.filter(|w| *w > 0.0)).map(|(t, w)| 1e3 * t / w);
            cells.extend([
                Cell::name(name),
                Cell::opt(e.wait_class.as_deref()),
                style.int(e.waits),
                style.fine(e.time_s, 1),
                style.fine(mean, 1),
                style.fine(share(e.time_s, report), 1),
            ]);
        }
        rows.push(Row::new(cells));
    }
    #[rustfmt::skip]
    const COLUMNS: Columns = &[
        "Event", "Wait Class", "Waits", "Time(s)", "Avg Time(ms)", "%DB time",
        "Event", "Wait Class", "Waits", "Time(s)", "Avg Time(ms)", "%DB time",
    ];
    let summary = "This table displays top timed events in comparing data. Wait class, waits, time, average time, % DB time are displayed for each event";
    block("Top Timed Events", summary, (&[("1st", 6), ("2nd", 6)], COLUMNS), TOP, rows)
}

fn transactions(report: &Report) -> Option<f64> {
    stat(report, "user commits").zip(stat(report, "user rollbacks")).map(|(c, r)| c + r)
}

fn time_model(periods: &[Report; 2], style: &Style) -> Block {
    let names = ["DB time", "DB CPU", "sql execute elapsed time", "background elapsed time"];
    let rows = names.iter().map(|name| {
        let time = |r: &Report| model(r, name);
        let of = |f: &dyn Fn(&Report) -> Option<f64>| [f(&periods[0]), f(&periods[1])];
        let mut cells = vec![Cell::name(*name)];
        let shares = of(&|r| share(time(r), r).filter(|_| !name.starts_with("background")));
        cells.extend(with_diff(shares, style, 1));
        cells.extend(with_change(of(&time), style));
        cells.extend(with_change(of(&|r| time(r).zip(transactions(r)).map(|(t, n)| t / n)), style));
        Row::new(cells)
    });
    const GROUPS: Groups =
        &[("", 1), ("% of DB time", 3), ("Time (seconds)", 3), ("Time per Trans (seconds)", 3)];
    const COLUMNS: Columns =
        &["Statistic Name", "1st", "2nd", "Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff"];
    let summary = "This table displays comparisons of time model statistics";
    block("Time Model Statistics", summary, (GROUPS, COLUMNS), MODEL, rows.collect())
}

/// What is printed of waits and seconds, with the period they are of.
type Measure<'a> = dyn Fn((f64, f64), &Report) -> Option<f64> + 'a;

fn wait_measures(of: [Option<(f64, f64)>; 2], periods: &[Report; 2], style: &Style) -> Vec<Cell> {
    let map =
        |f: &Measure<'_>| [of[0].and_then(|v| f(v, &periods[0])), of[1].and_then(|v| f(v, &periods[1]))];
    let mut cells = with_diff(map(&|(_, t), r| share(Some(t), r)), style, 1);
    cells.extend(with_change(map(&|(w, _), r| r.identity.elapsed_s.map(|e| w / e)), style));
    cells.extend(with_change(map(&|(_, t), _| Some(t)), style));
    cells.extend(with_change(map(&|(w, t), _| Some(if w > 0.0 { 1e3 * t / w } else { 0.0 })), style));
    cells
}

fn wait_classes(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [events(&periods[0]), events(&periods[1])];
    let class = |e: &WaitEvent| e.wait_class.as_deref().unwrap_or_default().to_owned();
    let rows = names([&lists[0], &lists[1]], class).into_iter().filter(|n| n != "Idle").map(|name| {
        let of = |list: &[WaitEvent]| {
            let same: Vec<&WaitEvent> = list.iter().filter(|e| class(e) == name).collect();
            let sum = |f: fn(&WaitEvent) -> Option<f64>| same.iter().filter_map(|e| f(e)).sum::<f64>();
            (!same.is_empty()).then(|| (sum(|e| e.waits), sum(|e| e.time_s)))
        };
        let mut cells = vec![Cell::name(name.clone())];
        cells.extend(wait_measures([of(&lists[0]), of(&lists[1])], periods, style));
        Row::new(cells)
    });
    const COLUMNS: Columns = &[
        "Wait Class",
        "1st",
        "2nd",
        "Diff",
        "1st",
        "2nd",
        "%Diff",
        "1st",
        "2nd",
        "%Diff",
        "1st",
        "2nd",
        "%Diff",
    ];
    const GROUPS: Groups = &[
        ("", 1),
        ("% of DB time", 3),
        ("# Waits/sec (Elapsed Time)", 3),
        ("Total Wait Time (sec)", 3),
        ("Avg Wait Time (ms)", 3),
    ];
    let summary = "This table displays comparisons of wait class statistics";
    block("Wait Classes", summary, (GROUPS, COLUMNS), CLASSES, rows.collect())
}

fn wait_events(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [events(&periods[0]), events(&periods[1])];
    let rows = names([&lists[0], &lists[1]], |e| e.event.to_string()).into_iter().map(|name| {
        let find = |list: &[WaitEvent]| list.iter().find(|e| e.event == name.as_str()).cloned();
        let found = [find(&lists[0]), find(&lists[1])];
        let of = |e: &Option<WaitEvent>| e.as_ref().and_then(|e| e.waits.zip(e.time_s));
        let class = found.iter().flatten().find_map(|e| e.wait_class.clone());
        let mut cells = vec![Cell::name(name.clone()), Cell::opt(class.as_deref())];
        cells.extend(wait_measures([of(&found[0]), of(&found[1])], periods, style));
        Row::new(cells)
    });
    #[rustfmt::skip]
    const COLUMNS: Columns = &[
        "Event", "Wait Class", "1st", "2nd", "Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff",
    ];
    const GROUPS: Groups = &[
        ("", 1),
        ("", 1),
        ("% of DB time", 3),
        ("# Waits/sec (Elapsed Time)", 3),
        ("Total Wait Time (sec)", 3),
        ("Avg Wait Time (ms)", 3),
    ];
    let summary = "This table displays comparisons of wait events statistics";
    block("Wait Events", summary, (GROUPS, COLUMNS), EVENTS, rows.collect())
}

fn statistics(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [&periods[0].tables.instance_stat[..], &periods[1].tables.instance_stat[..]];
    let rows = names(lists, |s| s.statistic.to_string()).into_iter().map(|name| {
        let of = |f: &dyn Fn(&Report, f64) -> Option<f64>| {
            let one = |r: &Report| stat(r, &name).and_then(|v| f(r, v));
            [one(&periods[0]), one(&periods[1])]
        };
        let mut cells = vec![Cell::name(name.clone())];
        let totals = of(&|_, v| Some(v));
        cells.extend(counts(totals, style));
        cells.push(change(totals[0], totals[1], style));
        cells.extend(with_change(of(&|r, v| r.identity.db_time_s.map(|d| v / d)), style));
        cells.extend(with_change(of(&|r, v| r.identity.elapsed_s.map(|e| v / e)), style));
        cells.extend(with_change(of(&|r, v| transactions(r).map(|t| v / t)), style));
        Row::new(cells)
    });
    const GROUPS: Groups = &[
        ("", 1),
        ("Value", 3),
        ("per Second (DB time)", 3),
        ("per Second (Elapsed Time)", 3),
        ("per Trans", 3),
    ];
    const COLUMNS: Columns = &[
        "Statistic",
        "1st",
        "2nd",
        "%Diff",
        "1st",
        "2nd",
        "%Diff",
        "1st",
        "2nd",
        "%Diff",
        "1st",
        "2nd",
        "%Diff",
    ];
    let summary = "This table displays non-key instance activity statistics comparison";
    block("Other Instance Activity Stats", summary, (GROUPS, COLUMNS), STATISTICS, rows.collect())
}

/// What the columns of I/O by function and by file type are of; `None` is the total.
pub(crate) const FUNCTIONS: [(Option<&str>, bool); 7] = [
    (None, false),
    (Some("Buffer Cache Reads"), false),
    (Some("Direct Reads"), false),
    (None, true),
    (Some("DBWR"), true),
    (Some("Direct Writes"), true),
    (Some("LGWR"), true),
];
/// See [`FUNCTIONS`].
pub(crate) const FILETYPES: [(Option<&str>, bool); 7] = [
    (None, false),
    (Some("Data File"), false),
    (Some("Temp File"), false),
    (None, true),
    (Some("Data File"), true),
    (Some("Temp File"), true),
    (Some("Log File"), true),
];

const MB: f64 = 1_048_576.0;

fn io(periods: &[Report; 2], style: &Style) -> Vec<Block> {
    const LEAVES: Columns = &[
        "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st",
        "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff",
    ];
    const BY_FUNCTION: Groups = &[
        ("Total Reads", 3),
        ("Buffer Cache Reads", 3),
        ("Direct Reads", 3),
        ("Total Writes", 3),
        ("DBWR", 3),
        ("Direct Writes", 3),
        ("LGWR", 3),
    ];
    const BY_FILETYPE: Groups = &[
        ("Total Reads", 3),
        ("Data File Reads", 3),
        ("Temp File Reads", 3),
        ("Total Writes", 3),
        ("Data File Writes", 3),
        ("Temp File Writes", 3),
        ("Log File Writes", 3),
    ];
    const TITLES: [[(&str, &str); 2]; 2] = [
        [
            (
                "IOStat by Function - Data Rate per Second",
                "This table displays comparisons statistics of IOStat by function for data per second",
            ),
            (
                "IOStat by Function - Requests per Second",
                "This table displays comparisons statistics of IOStat by function for requests per second",
            ),
        ],
        [
            (
                "IOStat by File Type - Data Rate per Second",
                "This table displays comparisons statistics of IOStat by file type for data rate per second",
            ),
            (
                "IOStat by File Type - Requests per Second",
                "This table displays comparisons statistics of IOStat by file type for requests per second",
            ),
        ],
    ];
    let mut out = Vec::new();
    for (by_function, titles) in [true, false].into_iter().zip(TITLES) {
        for (bytes, (title, summary)) in [true, false].into_iter().zip(titles) {
            let columns = if by_function { FUNCTIONS } else { FILETYPES };
            let mut cells = Vec::new();
            for (name, writes) in columns {
                let of = |r: &Report| Some(activity(r, by_function, name, writes, bytes).unwrap_or(0.0));
                let scaled = |r: &Report| of(r).map(|v| if bytes { v / MB } else { v });
                cells.extend(with_change([scaled(&periods[0]), scaled(&periods[1])], style));
            }
            let groups = if by_function { BY_FUNCTION } else { BY_FILETYPE };
            let ruled = if by_function { FUNCTION } else { FILETYPE };
            out.push(block(title, summary, (groups, LEAVES), ruled, vec![Row::new(cells)]));
        }
    }
    out
}

/// A rate of a function or file type, or of all of them.
pub(crate) fn activity(
    report: &Report,
    by_function: bool,
    name: Option<&str>,
    writes: bool,
    bytes: bool,
) -> Option<f64> {
    let table = if by_function { &report.tables.io_function } else { &report.tables.io_filetype };
    let value = |a: &IoActivity| match (writes, bytes) {
        (false, true) => a.read_bytes_per_s,
        (false, false) => a.reads_per_s,
        (true, true) => a.write_bytes_per_s,
        (true, false) => a.writes_per_s,
    };
    let mine = |a: &&IoActivity| {
        let own = if by_function { a.function.as_deref() } else { a.filetype.as_deref() };
        !a.is_total && (name.is_none() || own == name)
    };
    let found: Vec<f64> = table.iter().filter(mine).filter_map(value).collect();
    (!found.is_empty()).then(|| found.iter().sum())
}

#[rustfmt::skip]
const IO_GROUPS: Groups = &[
    ("", 1), ("Avg Reads / Sec", 3), ("Avg Writes / Sec", 3), ("Reads", 2), ("Avg Read Time (ms)", 2),
    ("Avg Blocks / Read", 2), ("Writes", 2), ("Buffer Waits", 2), ("Avg Buf Wait Time (ms)", 2), ("IOs per second", 3),
];
#[rustfmt::skip]
const IO_COLUMNS: Columns = &[
    "Tablespace", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "1st", "2nd", "1st", "2nd", "1st", "2nd",
    "1st", "2nd", "1st", "2nd", "1st", "2nd", "Diff",
];
#[rustfmt::skip]
const FILE_GROUPS: Groups = &[
    ("", 1), ("", 1), ("Avg Reads / Sec", 3), ("Avg Writes / Sec", 3), ("Reads", 2), ("Avg Read Time (ms)", 2),
    ("Avg Blocks / Read", 2), ("Writes", 2), ("Buffer Waits", 2), ("Avg Buf Wait Time (ms)", 2), ("IOs per second", 3),
];
#[rustfmt::skip]
const FILE_COLUMNS: Columns = &[
    "Tablespace", "Filename", "1st", "2nd", "%Diff", "1st", "2nd", "%Diff", "1st", "2nd", "1st", "2nd", "1st", "2nd",
    "1st", "2nd", "1st", "2nd", "1st", "2nd", "1st", "2nd", "Diff",
];

fn io_measures(of: [Option<&TablespaceIo>; 2], style: &Style) -> Vec<Cell> {
    let map = |f: &dyn Fn(&TablespaceIo) -> Option<f64>| [of[0].and_then(f), of[1].and_then(f)];
    let mut cells = with_change(map(&|t| t.reads_per_s), style);
    cells.extend(with_change(map(&|t| t.writes_per_s), style));
    cells.extend(counts(map(&|t| t.reads), style));
    cells.extend(both(map(&|t| t.avg_read_us.map(|us| us / 1e3)), style, 1));
    cells.extend(both(map(&|t| t.blocks_per_read), style, 1));
    cells.extend(counts(map(&|t| t.writes), style));
    cells.extend(counts(map(&|t| t.buffer_waits), style));
    cells.extend(both(map(&|t| t.avg_buffer_wait_us.map(|us| us / 1e3)), style, 1));
    cells.extend(with_diff(map(&|t| t.reads_per_s.zip(t.writes_per_s).map(|(r, w)| r + w)), style, 1));
    cells
}

fn tablespaces(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [&periods[0].tables.tablespace_io[..], &periods[1].tables.tablespace_io[..]];
    let rows = names(lists, |t| t.tablespace.to_string()).into_iter().map(|name| {
        let find = |r: usize| lists[r].iter().find(|t| t.tablespace.as_str() == name);
        let cells = io_measures([find(0), find(1)], style);
        Row { lead: Some(name.clone()), ..Row::new(cells) }
    });
    let summary = "This table displays comparisons statistics of tablespace IO statistics";
    block("Tablespace IO Stats", summary, (IO_GROUPS, IO_COLUMNS), TABLESPACES, rows.collect())
}

fn files(periods: &[Report; 2], style: &Style) -> Block {
    let lists = [&periods[0].tables.file_io[..], &periods[1].tables.file_io[..]];
    let key = |f: &FileIo| format!("{:<30} {}", f.io.tablespace, f.file);
    let rows = names(lists, key).into_iter().map(|name| {
        let find = |r: usize| lists[r].iter().find(|f| key(f) == name);
        let found = [find(0), find(1)];
        let cells = io_measures(found.map(|f| f.map(|f| &f.io)), style);
        if style.layout == Layout::Text {
            return Row { lead: Some(name.clone()), ..Row::new(cells) };
        }
        let names = found.iter().flatten().take(1);
        let mut all: Vec<Cell> = names
            .flat_map(|f| [Cell::name(f.io.tablespace.to_string()), Cell::name(f.file.to_string())])
            .collect();
        all.extend(cells);
        Row::new(all)
    });
    let summary = "This table displays comparisons statistics for Top File Comparison by IO";
    block("Top File Comparison by IO", summary, (FILE_GROUPS, FILE_COLUMNS), FILES, rows.collect())
}

fn segments(periods: &[Report; 2], style: &Style, logical: bool) -> Block {
    let ranked = if logical { "logical_reads" } else { "physical_reads" };
    let of = |r: usize| -> Vec<_> {
        periods[r].tables.segment_stat.iter().filter(|s| s.ranked_by == ranked).cloned().collect()
    };
    let lists = [of(0), of(1)];
    let key = |s: &spindle_facts::SegmentStat| {
        format!("{} {}", s.object.as_deref().unwrap_or_default(), s.subobject.as_deref().unwrap_or_default())
    };
    let rows = names([&lists[0], &lists[1]], key).into_iter().map(|name| {
        let find = |r: usize| lists[r].iter().find(|s| key(s) == name);
        let found = [find(0), find(1)];
        let map = |f: &dyn Fn(&spindle_facts::SegmentStat) -> Option<f64>| {
            [found[0].and_then(f), found[1].and_then(f)]
        };
        let s = found.iter().flatten().next();
        let text = |f: fn(&spindle_facts::SegmentStat) -> Option<&str>| Cell::opt(s.and_then(|s| f(s)));
        let mut cells = vec![
            text(|s| s.owner.as_deref()),
            text(|s| s.tablespace.as_deref()),
            text(|s| s.object.as_deref()),
            text(|s| s.subobject.as_deref()),
            text(|s| s.object_type.as_deref()),
        ];
        let shares = both(map(&|s| s.share_pct), style, 1);
        // Running totals follow from the shares.
        cells.extend([
            shares[0].clone(),
            shares[0].clone(),
            shares[1].clone(),
            shares[1].clone(),
            Cell::Blank,
        ]);
        let values = map(&|s| s.value);
        cells.extend(counts(values, style));
        cells.push(change(values[0], values[1], style));
        cells.extend(with_diff([None, None], style, 1));
        Row::new(cells)
    });
    #[rustfmt::skip]
    const COLUMNS: Columns = &[
        "Owner", "Tablespace", "Object Name", "Subobject Name", "Type", "1st", "1st Total", "2nd", "2nd Total", "Diff",
        "1st", "2nd", "%Diff", "1st", "2nd", "Diff",
    ];
    #[rustfmt::skip]
    const LOGICAL_GROUPS: Groups = &[
        ("", 1), ("", 1), ("", 1), ("", 1), ("", 1),
        ("% of Total Logical Reads", 5), ("Logical Reads", 3), ("% of Captured Logical Reads", 3),
    ];
    #[rustfmt::skip]
    const PHYSICAL_GROUPS: Groups = &[
        ("", 1), ("", 1), ("", 1), ("", 1), ("", 1),
        ("% of Total Physical Reads", 5), ("Physical Reads", 3), ("% of Captured Physical Reads", 3),
    ];
    if logical {
        let summary = "This table displays top segments comparisons by logical reads";
        return block(
            "Top Segments Comparison by Logical Reads",
            summary,
            (LOGICAL_GROUPS, COLUMNS),
            LOGICAL,
            rows.collect(),
        );
    }
    let summary = "This table displays top segments comparisons by physical reads";
    block(
        "Top Segments Comparison by Physical Reads",
        summary,
        (PHYSICAL_GROUPS, COLUMNS),
        PHYSICAL,
        rows.collect(),
    )
}

#[rustfmt::skip]
const TOP: &str = "\
\x20                                              1st                                                                                                2nd\n\
------------------------------------------------------------------------------------------------   ------------------------------------------------------------------------------------------------\n\
Event                          Wait Class           Waits      Time(s)  Avg Time(ms)    %DB time   Event                          Wait Class           Waits      Time(s)  Avg Time(ms)    %DB time\n\
------------------------------ ------------- ------------ ------------ ------------- -----------   ------------------------------ ------------- ------------ ------------ ------------- -----------";

#[rustfmt::skip]
const MODEL: &str = "\
\x20                                                              % of DB time                               Time (seconds)                        Time per Trans (seconds)\n\
\x20                                               ------------------------------------------   ----------------------------------------   ----------------------------------------\n\
Statistic Name                                             1st            2nd         Diff              1st            2nd      %Diff              1st            2nd      %Diff\n\
---------------------------------------------   -------------- -------------- ------------   -------------- -------------- ----------   -------------- -------------- ----------";

#[rustfmt::skip]
const CLASSES: &str = "\
\x20                              % of DB time                        # Waits/sec (Elapsed Time)                    Total Wait Time (sec)                       Avg Wait Time (ms)\n\
\x20                ----------------------------------------   ----------------------------------------   ----------------------------------------   ----------------------------------------\n\
Wait Class                  1st            2nd       Diff              1st            2nd      %Diff              1st            2nd      %Diff              1st            2nd      %Diff\n\
--------------   -------------- -------------- ----------   -------------- -------------- ----------   -------------- -------------- ----------   -------------- -------------- ----------";

#[rustfmt::skip]
const EVENTS: &str = "\
\x20                                                             % of DB time                        # Waits/sec (Elapsed Time)                    Total Wait Time (sec)                       Avg Wait Time (ms)\n\
\x20                                               ----------------------------------------   ----------------------------------------   ----------------------------------------   ----------------------------------------\n\
Event                          Wait Class                  1st            2nd       Diff              1st            2nd      %Diff              1st            2nd      %Diff              1st            2nd      %Diff\n\
------------------------------ --------------   -------------- -------------- ----------   -------------- -------------- ----------   -------------- -------------- ----------   -------------- -------------- ----------";

#[rustfmt::skip]
const STATISTICS: &str = "\
\x20                                                   Value                                per Second (DB time)                   per Second (Elapsed Time)                         per Trans\n\
\x20                                -------------------------------------------   ---------------------------------------   ---------------------------------------   ---------------------------------------\n\
Statistic                                     1st              2nd     %Diff              1st            2nd     %Diff              1st            2nd     %Diff              1st            2nd     %Diff\n\
------------------------------   ---------------- ---------------- ---------   -------------- -------------- ---------   -------------- -------------- ---------   -------------- -------------- ---------";

#[rustfmt::skip]
const FUNCTION: &str = "\
\x20           Total Reads                    Buffer Cache Reads                  Direct Reads                       Total Writes                           DBWR                         Direct Writes                        LGWR\n\
----------------------------------   ------------------------------   ------------------------------   ----------------------------------   ------------------------------   ------------------------------   ------------------------------\n\
\x20        1st          2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff            1st          2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff\n\
------------ ------------ --------   ---------- ---------- --------   ---------- ---------- --------   ------------ ------------ --------   ---------- ---------- --------   ---------- ---------- --------   ---------- ---------- --------";

#[rustfmt::skip]
const FILETYPE: &str = "\
\x20           Total Reads                      Data File Reads                  Temp File Reads                     Total Writes                     Data File Writes                 Temp File Writes                  Log File Writes\n\
----------------------------------   ------------------------------   ------------------------------   ----------------------------------   ------------------------------   ------------------------------   ------------------------------\n\
\x20        1st          2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff            1st          2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff          1st        2nd    %Diff\n\
------------ ------------ --------   ---------- ---------- --------   ---------- ---------- --------   ------------ ------------ --------   ---------- ---------- --------   ---------- ---------- --------   ---------- ---------- --------";

#[rustfmt::skip]
const TABLESPACES: &str = "\
Tablespace\n\
------------------------------\n\
\x20       Avg Reads / Sec                   Avg Writes / Sec                    Reads               Avg Read Time (ms)      Avg Blocks / Read               Writes                   Buffer Waits         Avg Buf Wait Time (ms)            IOs per second\n\
-------------------------------   -------------------------------   -------------------------   ---------------------   ---------------------   -------------------------   -------------------------   ---------------------   --------------------------------\n\
\x20      1st        2nd     %Diff          1st        2nd     %Diff            1st          2nd          1st        2nd          1st        2nd            1st          2nd            1st          2nd          1st        2nd          1st        2nd       Diff\n\
---------- ---------- ---------   ---------- ---------- ---------   ------------ ------------   ---------- ----------   ---------- ----------   ------------ ------------   ------------ ------------   ---------- ----------   ---------- ---------- ----------";

#[rustfmt::skip]
const FILES: &str = "\
Tablespace                     Filename\n\
------------------------------ --------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------\n\
\x20       Avg Reads / Sec                   Avg Writes / Sec                    Reads               Avg Read Time (ms)      Avg Blocks / Read               Writes                   Buffer Waits         Avg Buf Wait Time (ms)            IOs per second\n\
-------------------------------   -------------------------------   -------------------------   ---------------------   ---------------------   -------------------------   -------------------------   ---------------------   --------------------------------\n\
\x20      1st        2nd     %Diff          1st        2nd     %Diff            1st          2nd          1st        2nd          1st        2nd            1st          2nd            1st          2nd          1st        2nd          1st        2nd       Diff\n\
---------- ---------- ---------   ---------- ---------- ---------   ------------ ------------   ---------- ----------   ---------- ----------   ------------ ------------   ------------ ------------   ---------- ----------   ---------- ---------- ----------";

#[rustfmt::skip]
const LOGICAL: &str = "\
\x20                                                                                                                                             % of Total Logical Reads                        Logical Reads              % of Captured Logical Reads\n\
\x20                                                                                                                                   --------------------------------------------   -----------------------------------   ----------------------\n\
Owner                          Tablespace                     Object Name                    Subobject Name                 Type        1st  1st Total     2nd  2nd Total   Diff            1st          2nd     %Diff       1st     2nd   Diff\n\
------------------------------ ------------------------------ ------------------------------ ------------------------------ -----   ------- ---------- ------- ---------- ------   ------------ ------------ ---------   ------- ------- ------";

#[rustfmt::skip]
const PHYSICAL: &str = "\
\x20                                                                                                                                             % of Total Physical Reads                       Physical Reads             % of Captured Physical Reads\n\
\x20                                                                                                                                   --------------------------------------------   -----------------------------------   ----------------------\n\
Owner                          Tablespace                     Object Name                    Subobject Name                 Type        1st  1st Total     2nd  2nd Total   Diff            1st          2nd     %Diff       1st     2nd   Diff\n\
------------------------------ ------------------------------ ------------------------------ ------------------------------ -----   ------- ---------- ------- ---------- ------   ------------ ------------ ---------   ------- ------- ------";
