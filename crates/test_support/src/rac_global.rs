//! The report over all instances of a RAC database (HTML): one row an instance, sums for all.

use crate::block::{Block, Cell, Row};
use crate::page::Headings;
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report, Side, SqlStat};

/// Prints the RAC-global report over the reports of its instances, in HTML.
///
/// Shape: one report an instance, of the same database and snapshots, in order of instance number.
#[must_use]
pub fn render_rac(reports: &[Report], style: &Style) -> String {
    let Some(first) = reports.first() else { return String::new() };
    let style = Style { layout: Layout::Html, ..style.clone() };
    let mut whole = first.clone();
    whole.identity.instance = None;
    crate::html::page(&whole, &style, "WORKLOAD REPOSITORY REPORT (RAC)", &blocks(reports, &style))
}

/// Headings and heading cells of every section that [`render_rac`] prints.
#[must_use]
pub fn headings_rac(reports: &[Report], style: &Style) -> Vec<Headings> {
    crate::page::headings_of(blocks(reports, style), style)
}

fn blocks(reports: &[Report], style: &Style) -> Vec<Block> {
    let late = style.release >= Release::V12_2;
    let mut out = vec![
        database(reports, style),
        instances(reports, style),
        os_statistics(reports, style),
        time_model(reports, style),
        wait_classes(reports, style),
    ];
    out.extend(top_events(reports, style));
    if late {
        out.extend(crate::rac_late::events(reports, style));
        out.push(crate::rac_late::histograms(reports, style));
    }
    out.extend(system_statistics(reports, style));
    // No report at hand shows statements and segments as 12.2 and later print them.
    if !late {
        out.extend(statements(reports, style));
    }
    out.push(global_statistics(reports, style));
    if late {
        out.push(crate::rac_late::io(reports, style, true));
        out.push(crate::rac_late::io(reports, style, false));
    } else {
        out.extend([
            io_by_function(reports, style),
            io_by_filetype(reports, style),
            segments(reports, style),
        ]);
    }
    out.extend([pga(reports, style), parameters(reports)]);
    if !late {
        out.push(texts(reports));
    }
    out
}

/// A row an instance, then what 12.2 and later print over all.
fn by_instance(
    reports: &[Report],
    values: &[Vec<Option<f64>>],
    style: &Style,
    decimals: usize,
) -> Vec<Vec<Cell>> {
    let row = |(report, values): (&Report, &Vec<Option<f64>>)| {
        std::iter::once(number(report)).chain(values.iter().map(|v| style.num(*v, decimals))).collect()
    };
    let mut rows: Vec<Vec<Cell>> = reports.iter().zip(values).map(row).collect();
    rows.extend(over_instances(values, style, decimals));
    rows
}

/// A row a statistic over the instances, as 12.2 and later end the tables that have a row an
/// instance: `Sum`, `Avg` and `Std` of the columns from the second on.
fn over_instances(rows: &[Vec<Option<f64>>], style: &Style, decimals: usize) -> Vec<Vec<Cell>> {
    if style.release < Release::V12_2 {
        return Vec::new();
    }
    let count = rows.len() as f64;
    let width = rows.first().map_or(0, Vec::len);
    let column = |i: usize| -> Vec<f64> { rows.iter().filter_map(|r| r[i]).collect() };
    let line = |label: &str, of: &dyn Fn(&[f64]) -> f64| {
        let cells = (0..width).map(|i| {
            let values = column(i);
            // Unknown in one is unknown in all.
            style.num((values.len() == rows.len()).then(|| of(&values)), decimals)
        });
        std::iter::once(Cell::name(label)).chain(cells).collect()
    };
    let mean = |v: &[f64]| v.iter().sum::<f64>() / count;
    vec![
        line("Sum", &|v| v.iter().sum()),
        line("Avg", &mean),
        line("Std", &|v| {
            let middle = mean(v);
            (v.iter().map(|x| (x - middle).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt()
        }),
    ]
}

pub(crate) type Columns = &'static [&'static str];
pub(crate) type Groups = &'static [(&'static str, usize)];

pub(crate) fn block(title: &str, groups: Groups, columns: Columns, rows: Vec<Vec<Cell>>) -> Block {
    Block {
        title: title.to_owned(),
        summary: "",
        groups,
        columns,
        rows: rows.into_iter().map(Row::new).collect(),
        ..Block::default()
    }
}

pub(crate) fn number(report: &Report) -> Cell {
    report.identity.instance_number.map_or(Cell::Blank, |n| Cell::Number(n.to_string()))
}

pub(crate) fn stat(report: &Report, name: &str) -> Option<f64> {
    report.tables.instance_stat.iter().find(|s| s.statistic == name).and_then(|s| s.total)
}

pub(crate) fn model(report: &Report, name: &str) -> Option<f64> {
    report.tables.time_model.iter().find(|s| s.statistic == name).and_then(|s| s.time_s)
}

fn minutes(seconds: Option<f64>, style: &Style) -> Cell {
    style.num(seconds.map(|s| s / 60.0), 2)
}

/// Sum over the instances; unknown where one of them is.
pub(crate) fn sum(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    values.into_iter().try_fold(0.0, |all, v| v.map(|v| all + v))
}

fn database(reports: &[Report], style: &Style) -> Block {
    let id = &reports[0].identity;
    let text = |v: Option<u64>| v.map_or(Cell::Blank, |n| Cell::Number(n.to_string()));
    let count = Cell::Number(reports.len().to_string());
    let late = style.release >= Release::V12_2;
    let mut row = vec![text(id.db_id), Cell::opt(id.db_name.as_deref())];
    if late {
        let cdb = id.cdb.map_or("", |c| if c { "YES" } else { "NO" });
        row.extend([
            Cell::opt(id.db_name.as_deref()),
            Cell::opt(id.role.as_deref()),
            Cell::name("EE"),
            Cell::name("YES"),
            Cell::name(cdb),
        ]);
    } else {
        row.push(Cell::name("YES"));
    }
    row.extend([
        text(id.block_size_bytes),
        text(id.begin_snap),
        text(id.end_snap),
        count.clone(),
        count.clone(),
        count.clone(),
        count,
        minutes(sum(reports.iter().map(|r| r.identity.db_time_s)), style),
        minutes(id.elapsed_s, style),
    ]);
    let mut out = block(
        "Database Summary",
        if late { DATABASE_GROUPS_LATE } else { DATABASE_GROUPS },
        if late { DATABASE_COLUMNS_LATE } else { DATABASE_COLUMNS },
        vec![row],
    );
    out.summary = "Database Summary";
    out.plain = true;
    out
}

#[rustfmt::skip]
const DATABASE_GROUPS: Groups = &[
    ("Database", 4), ("Snapshot Ids", 2), ("Number of Instances", 2), ("Number of Hosts", 2), ("Report Total (minutes)", 2),
];
#[rustfmt::skip]
const DATABASE_COLUMNS: Columns = &[
    "Id", "Name", "RAC", "Block Size", "Begin", "End", "In Report", "Total", "In Report", "Total", "DB time", "Elapsed time",
];
#[rustfmt::skip]
const DATABASE_GROUPS_LATE: Groups = &[
    ("Database", 8), ("Snapshot Ids", 2), ("Number of Instances", 2), ("Number of Hosts", 2), ("Report Total (minutes)", 2),
];
#[rustfmt::skip]
const DATABASE_COLUMNS_LATE: Columns = &[
    "Id", "Name", "Unique Name", "Role", "Edition", "RAC", "CDB", "Block Size", "Begin", "End", "In Report", "Total",
    "In Report", "Total", "DB time", "Elapsed time",
];

fn instances(reports: &[Report], style: &Style) -> Block {
    let time = |iso: &Option<String>| {
        Cell::name(style.date(iso.as_deref().unwrap_or("")).chars().take(15).collect::<String>())
    };
    let rows = reports
        .iter()
        .map(|r| {
            let id = &r.identity;
            vec![
                number(r),
                Cell::opt(id.instance.as_deref()),
                Cell::opt(id.host.as_deref()),
                time(&id.startup_time),
                time(&id.begin_time),
                time(&id.end_time),
                Cell::opt(id.version.as_deref()),
                minutes(id.elapsed_s, style),
                minutes(id.db_time_s, style),
                style.num(Some(211.4), 2),
                style.num(id.db_time_s.zip(id.elapsed_s).map(|(d, e)| d / e), 2),
                Cell::opt(id.platform.as_deref()),
            ]
        })
        .collect();
    let mut out = block(
        "Database Instances Included In Report",
        &[],
        &[
            "I#",
            "Instance",
            "Host",
            "Startup",
            "Begin Snap Time",
            "End Snap Time",
            "Release",
            "Elapsed Time(min)",
            "DB time(min)",
            "Up Time(hrs)",
            "Avg Active Sessions",
            "Platform",
        ],
        rows,
    );
    out.notes = vec!["-> Listed in order of instance number, I#".into()];
    out.summary = "Database Instances Included In Report. . Listed in order of instance number, I#";
    out.plain = true;
    out
}

fn os_statistics(reports: &[Report], style: &Style) -> Block {
    let rows = reports
        .iter()
        .map(|r| {
            let id = &r.identity;
            let os = |name: &str| r.tables.os_stat.iter().find(|s| s.statistic == name).and_then(|s| s.value);
            let (busy, idle) = (os("BUSY_TIME").map(|c| c / 100.0), os("IDLE_TIME").map(|c| c / 100.0));
            let total = busy.zip(idle).map(|(b, i)| b + i);
            let host = r.tables.host_cpu.first();
            vec![
                number(r),
                style.int(id.cpus),
                style.int(id.cores),
                style.int(id.sockets),
                style.num(host.and_then(|h| h.load_begin), 2),
                style.num(host.and_then(|h| h.load_end), 2),
                style.num(host.and_then(|h| h.idle_pct).map(|i| 100.0 - i), 2),
                style.num(host.and_then(|h| h.user_pct), 2),
                style.num(host.and_then(|h| h.system_pct), 2),
                style.num(host.and_then(|h| h.io_wait_pct), 2),
                style.num(host.and_then(|h| h.idle_pct), 2),
                style.num(busy, 2),
                style.num(idle, 2),
                style.num(total, 2),
                style.num(id.memory_bytes.map(|b| b / 1_048_576.0), 2),
                Cell::Blank,
                Cell::Blank,
                Cell::Blank,
                Cell::Blank,
            ]
        })
        .collect();
    let late = style.release >= Release::V12_2;
    let mut out = block(
        "OS Statistics By Instance",
        if late { OS_GROUPS_LATE } else { &[] },
        if late { OS_COLUMNS_LATE } else { OS_COLUMNS },
        rows,
    );
    out.summary = "OS Statistics By Instance. . Listed in order of instance number, I#. End values are diplayed only if different from begin values";
    out
}

#[rustfmt::skip]
const OS_COLUMNS: Columns = &[
    "I#", "Num CPUs", "CPU Cores", "CPU Sckts", "Load Begin", "Load End", "% Busy", "% Usr", "% Sys", "% WIO", "% Idl",
    "Busy Time (s)", "Idle Time (s)", "Total Time (s)", "Memory (M)", "End CPUs", "End Cores", "End Sckts", "End Memory (M)",
];
const OS_GROUPS_LATE: Groups =
    &[("", 1), ("CPU", 3), ("Load", 2), ("% CPU", 5), ("Time (s)", 3), ("Memory", 1), ("End Values", 4)];
#[rustfmt::skip]
const OS_COLUMNS_LATE: Columns = &[
    "I#", "#CPUs", "#Cores", "#Sckts", "Begin", "End", "% Busy", "% Usr", "% Sys", "% WIO", "% Idl", "Busy", "Idle",
    "Total", "MB", "#CPUs", "#Cores", "#Sckts", "Memory (M)",
];

fn time_model(reports: &[Report], style: &Style) -> Block {
    const NAMES: [&str; 9] = [
        "DB time",
        "DB CPU",
        "sql execute elapsed time",
        "parse time elapsed",
        "hard parse elapsed time",
        "PL/SQL execution elapsed time",
        "Java execution elapsed time",
        "background elapsed time",
        "background cpu time",
    ];
    let times: Vec<Vec<Option<f64>>> =
        reports.iter().map(|r| NAMES.iter().map(|n| model(r, n).or(Some(0.0))).collect()).collect();
    let rows = by_instance(reports, &times, style, 2);
    let mut out = block(
        "Time Model",
        &[],
        &[
            "I#",
            "DB time (s)",
            "DB CPU (s)",
            "SQL Exec Ela (s)",
            "Parse Ela (s)",
            "Hard Parse Ela (s)",
            "PL/SQL Ela (s)",
            "Java Ela (s)",
            "bg time (s)",
            "bg CPU (s)",
        ],
        rows,
    );
    out.summary = "Time Model";
    out
}

fn wait_classes(reports: &[Report], style: &Style) -> Block {
    const CLASSES: [&str; 12] = [
        "User I/O",
        "System I/O",
        "Other",
        "Application",
        "Commit",
        "Network",
        "Concurrency",
        "Configuration",
        "Cluster",
        "Administrative",
        "Scheduler",
        "DB CPU",
    ];
    let late = style.release >= Release::V12_2;
    let times: Vec<Vec<Option<f64>>> = reports
        .iter()
        .map(|r| {
            let time = |class: &str| {
                let all = &r.tables.wait_class;
                all.iter()
                    .find(|c| c.side == Side::Foreground && c.wait_class == class)
                    .and_then(|c| c.time_s)
            };
            let known = CLASSES.iter().filter(|c| late || !matches!(**c, "Administrative" | "Scheduler"));
            known.map(|c| time(c)).chain([r.identity.db_time_s]).collect()
        })
        .collect();
    let rows = by_instance(reports, &times, style, 2);
    let columns = if late { CLASS_COLUMNS_LATE } else { CLASS_COLUMNS };
    let mut out = block("Foreground Wait Classes", &[], columns, rows);
    out.summary = "Foreground Wait Classes";
    out
}

#[rustfmt::skip]
const CLASS_COLUMNS: Columns = &[
    "I#", "User I/O(s)", "Sys I/O(s)", "Other(s)", "Applic (s)", "Commit (s)", "Network (s)", "Concurcy (s)",
    "Config (s)", "Cluster (s)", "DB CPU (s)", "DB time",
];
#[rustfmt::skip]
const CLASS_COLUMNS_LATE: Columns = &[
    "I#", "User I/O(s)", "Sys I/O(s)", "Other(s)", "Applic (s)", "Commit (s)", "Network (s)", "Concurcy (s)",
    "Config (s)", "Cluster (s)", "Admin (s)", "Scheduler (s)", "DB CPU (s)", "DB time",
];

/// One event over one instance: class, event, waits, time-outs in percent, seconds.
pub(crate) struct Timed {
    class: String,
    pub(crate) event: String,
    pub(crate) waits: Option<f64>,
    pub(crate) time_s: f64,
}

pub(crate) fn timed(report: &Report, side: Side) -> Vec<Timed> {
    let mut out: Vec<Timed> = report
        .tables
        .wait_event
        .iter()
        .filter(|e| e.side == side && !e.is_idle)
        .filter_map(|e| {
            Some(Timed {
                class: e.wait_class.as_deref().unwrap_or_default().to_owned(),
                event: e.event.to_string(),
                waits: e.waits,
                time_s: e.time_s?,
            })
        })
        .collect();
    let (name, model_name) = if side == Side::Foreground {
        ("DB CPU", "DB CPU")
    } else {
        ("background cpu time", "background cpu time")
    };
    if let Some(time_s) = model(report, model_name) {
        out.push(Timed { class: String::new(), event: name.to_owned(), waits: None, time_s });
    }
    out.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    out
}

/// Events in the list of an instance, and in that of all.
pub(crate) const TOP: usize = 10;

#[rustfmt::skip]
const TOP_COLUMNS: Columns = &[
    "I#", "Class", "Event", "Waits", "%Timeouts", "Total(s)", "Avg(ms)", "%DB time", "Avg", "Min", "Max", "Std Dev", "Cnt",
];
#[rustfmt::skip]
const TOP_COLUMNS_LATE: Columns = &[
    "I#", "Class", "Event", "Waits", "%Timeouts", "Total(s)", "Avg Wait", "%DB time", "Avg", "Min", "Max", "Std Dev", "Cnt",
];
const TOP_GROUPS: Groups =
    &[("", 1), ("Wait", 2), ("Event", 2), ("Wait Time", 3), ("Summary Avg Wait Time (ms)", 5)];
const TOP_GROUPS_LATE: Groups =
    &[("", 1), ("Wait", 2), ("Event", 2), ("Wait Time", 3), ("Summary Avg Wait Time", 5)];

/// A mean wait in milliseconds, from 12.2 on with its unit.
pub(crate) fn wait(ms: Option<f64>, style: &Style) -> Cell {
    if style.release.times_carry_units() {
        style.wait_with_unit(ms.map(|ms| ms * 1e3))
    } else {
        style.num(ms, 2)
    }
}

fn top_events(reports: &[Report], style: &Style) -> Vec<Block> {
    let late = style.release >= Release::V12_2;
    [(Side::Foreground, "Top Timed Foreground Events"), (Side::Background, "Top Timed Background Events")]
        .into_iter()
        .map(|(side, title)| {
            let of = |r: &Report| {
                if side == Side::Foreground {
                    r.identity.db_time_s
                } else {
                    model(r, "background elapsed time")
                }
            };
            let all: Vec<Vec<Timed>> = reports.iter().map(|r| timed(r, side)).collect();
            let mut rows = Vec::new();
            let share = |time_s: f64, of: Option<f64>| style.num(of.map(|of| 100.0 * time_s / of), 2);
            let mean_ms = |t: f64, w: Option<f64>| w.filter(|w| *w > 0.0).map(|w| 1e3 * t / w);
            // Events of the whole database first, by time.
            let mut names: Vec<(&str, &str)> = Vec::new();
            for t in all.iter().flatten() {
                if !names.iter().any(|(_, e)| *e == t.event) {
                    names.push((&t.class, &t.event));
                }
            }
            let mut totals: Vec<(f64, Vec<Cell>)> = names
                .into_iter()
                .map(|(class, event)| {
                    let same: Vec<&Timed> = all.iter().flatten().filter(|t| t.event == event).collect();
                    let time_s: f64 = same.iter().map(|t| t.time_s).sum();
                    let waits = sum(same.iter().map(|t| t.waits));
                    let means: Vec<f64> = same.iter().filter_map(|t| mean_ms(t.time_s, t.waits)).collect();
                    let count = means.len() as f64;
                    let mean = (count > 0.0).then(|| means.iter().sum::<f64>() / count);
                    let deviation = mean
                        .filter(|_| count > 1.0)
                        .map(|m| (means.iter().map(|v| (v - m).powi(2)).sum::<f64>() / (count - 1.0)).sqrt());
                    let least = means.iter().copied().reduce(f64::min);
                    let most = means.iter().copied().reduce(f64::max);
                    let row = vec![
                        Cell::name("*"),
                        Cell::name(class),
                        Cell::name(event),
                        style.int(waits),
                        waits.map_or(Cell::Blank, |_| style.num(Some(0.0), 2)),
                        style.num(Some(time_s), 2),
                        wait(mean_ms(time_s, waits), style),
                        share(time_s, sum(reports.iter().map(&of))),
                        wait(mean, style),
                        wait(least, style),
                        wait(most, style),
                        wait(deviation, style),
                        if means.is_empty() { Cell::Blank } else { style.int(Some(count)) },
                    ];
                    (time_s, row)
                })
                .collect();
            totals.sort_by(|a, b| b.0.total_cmp(&a.0));
            totals.truncate(TOP);
            rows.extend(totals.into_iter().map(|(_, row)| row));
            for (report, events) in reports.iter().zip(&all) {
                rows.extend(events.iter().take(TOP).map(|t| {
                    vec![
                        number(report),
                        Cell::name(t.class.clone()),
                        Cell::name(t.event.clone()),
                        style.int(t.waits),
                        t.waits.map_or(Cell::Blank, |_| style.num(Some(0.0), 2)),
                        style.num(Some(t.time_s), 2),
                        wait(mean_ms(t.time_s, t.waits), style),
                        share(t.time_s, of(report)),
                        Cell::Blank,
                        Cell::Blank,
                        Cell::Blank,
                        Cell::Blank,
                        Cell::Blank,
                    ]
                }));
            }
            let mut out = block(
                title,
                if late { TOP_GROUPS_LATE } else { TOP_GROUPS },
                if late { TOP_COLUMNS_LATE } else { TOP_COLUMNS },
                rows,
            );
            out.summary = title;
            out.notes = vec!["-> Instance '*' - cluster wide summary".into()];
            out
        })
        .collect()
}

fn system_statistics(reports: &[Report], style: &Style) -> Vec<Block> {
    const NAMES: [(&str, f64); 9] = [
        ("session logical reads", 1.0),
        ("physical reads", 1.0),
        ("physical writes", 1.0),
        ("redo size", 1024.0),
        ("db block changes", 1.0),
        ("user calls", 1.0),
        ("execute count", 1.0),
        ("parse count (total)", 1.0),
        ("logons cumulative", 1.0),
    ];
    let transactions = |r: &Report| sum([stat(r, "user commits"), stat(r, "user rollbacks")]);
    let total = |r: &Report, name: &str, unit: f64| stat(r, name).map(|v| v / unit);
    let per = |by: &dyn Fn(&Report) -> Option<f64>, with_transactions: bool, decimals| {
        let values: Vec<Vec<Option<f64>>> = reports
            .iter()
            .map(|r| {
                let mut all: Vec<Option<f64>> = NAMES.iter().map(|(n, unit)| total(r, n, *unit)).collect();
                if with_transactions {
                    all.push(transactions(r));
                }
                all.into_iter().map(|v| v.zip(by(r)).map(|(v, by)| v / by)).collect()
            })
            .collect();
        by_instance(reports, &values, style, decimals)
    };
    let totals = per(&|_| Some(1.0), true, 0);
    let mut out = vec![
        block(
            "System Statistics",
            &[],
            &[
                "I#",
                "Logical Reads",
                "Physical Reads",
                "Physical Writes",
                "Redo Size (k)",
                "Block Changes",
                "User Calls",
                "Execs",
                "Parses",
                "Logons",
                "Txns",
            ],
            totals,
        ),
        block(
            "System Statistics - Per Second",
            &[],
            &[
                "I#",
                "Logical Reads/s",
                "Physical Reads/s",
                "Physical Writes/s",
                "Redo Size (k)/s",
                "Block Changes/s",
                "User Calls/s",
                "Execs/s",
                "Parses/s",
                "Logons/s",
                "Txns/s",
            ],
            per(&|r| r.identity.elapsed_s, true, 2),
        ),
        block(
            "System Statistics - Per Transaction",
            &[],
            &[
                "I#",
                "Logical Reads/tx",
                "Physical Reads/tx",
                "Physical Writes/tx",
                "Redo Size (k)/tx",
                "Block Changes/tx",
                "User Calls/tx",
                "Execs/tx",
                "Parses/tx",
                "Logons/tx",
            ],
            per(&transactions, false, 2).into_iter().filter(|r| r[0].text() != "Sum").collect(),
        ),
    ];
    for (block, summary) in out.iter_mut().zip([
        "System Statistics",
        "System Statistics - Per Second",
        "System Statistics - Per Transaction",
    ]) {
        block.summary = summary;
    }
    out
}

/// A column of the statement tables.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    Elapsed,
    Cpu,
    IoWait,
    Gets,
    Reads,
    Rows,
    Cluster,
    Execs,
}

impl Work {
    fn of(self, s: &SqlStat) -> Option<f64> {
        match self {
            Self::Elapsed => s.elapsed_s,
            Self::Cpu => s.cpu_s,
            Self::IoWait => s.io_wait_s,
            Self::Gets => s.buffer_gets,
            Self::Reads => s.physical_reads,
            Self::Rows => s.rows_processed,
            Self::Cluster => s.cluster_wait_s,
            Self::Execs => s.executions,
        }
    }

    fn is_time(self) -> bool {
        matches!(self, Self::Elapsed | Self::Cpu | Self::IoWait | Self::Cluster)
    }
}

#[rustfmt::skip]
const STATEMENT_TABLES: &[(&str, &str, [Work; 8], Columns)] = {
    use Work::{Cluster, Cpu, Elapsed, Execs, Gets, IoWait, Reads, Rows};
    &[
        ("elapsed_time", "SQL ordered by Elapsed Time (Global)", [Elapsed, Cpu, IoWait, Gets, Reads, Rows, Cluster, Execs],
            &["SQL Id", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Gets", "Reads", "Rows", "Cluster (s)", "Execs", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Gets", "Reads", "Rows", "Cluster (s)", "DB time", "DB CPU", "IO Wait", "Gets", "Reads", "Cluster", "Execs", "SQL Text"]),
        ("cpu_time", "SQL ordered by CPU Time (Global)", [Cpu, Elapsed, IoWait, Gets, Reads, Rows, Cluster, Execs],
            &["SQL Id", "CPU (s)", "Elapsed (s)", "IOWait (s)", "Gets", "Reads", "Rows", "Cluster (s)", "Execs", "CPU (s)", "Elapsed (s)", "IOWait (s)", "Gets", "Reads", "Rows", "Cluster (s)", "DB CPU", "DB time", "IO Wait", "Gets", "Reads", "Cluster", "Execs", "SQL Text"]),
        ("user_io_wait_time", "SQL ordered by User I/O Time (Global)", [IoWait, Elapsed, Cpu, Gets, Reads, Rows, Cluster, Execs],
            &["SQL Id", "IOWait (s)", "Elapsed (s)", "CPU (s)", "Gets", "Reads", "Rows", "Cluster (s)", "Execs", "IOWait (s)", "Elapsed (s)", "CPU (s)", "Gets", "Reads", "Rows", "Cluster (s)", "IO Wait", "DB time", "DB CPU", "Gets", "Reads", "Cluster", "Execs", "SQL Text"]),
        ("buffer_gets", "SQL ordered by Gets (Global)", [Gets, Reads, Elapsed, Cpu, IoWait, Rows, Cluster, Execs],
            &["SQL Id", "Gets", "Reads", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Rows", "Cluster (s)", "Execs", "Gets", "Reads", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Rows", "Cluster (s)", "Gets", "Reads", "DB time", "DB CPU", "IO Wait", "Cluster", "Execs", "SQL Text"]),
        ("physical_reads", "SQL ordered by Reads (Global)", [Reads, Gets, Elapsed, Cpu, IoWait, Rows, Cluster, Execs],
            &["SQL Id", "Reads", "Gets", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Rows", "Cluster (s)", "Execs", "Reads", "Gets", "Elapsed (s)", "CPU (s)", "IOWait (s)", "Rows", "Cluster (s)", "Reads", "Gets", "DB time", "DB CPU", "IO Wait", "Cluster", "Execs", "SQL Text"]),
    ]
};

fn statements(reports: &[Report], style: &Style) -> Vec<Block> {
    STATEMENT_TABLES
        .iter()
        .map(|(ranked_by, title, work, columns)| {
            let mut all: Vec<SqlStat> = Vec::new();
            for s in reports.iter().flat_map(|r| &r.tables.sql_stat).filter(|s| s.ranked_by == *ranked_by) {
                match all.iter_mut().find(|o| o.sql_id == s.sql_id) {
                    None => all.push(s.clone()),
                    Some(o) => {
                        let add = |a: Option<f64>, b: Option<f64>| sum([a, b]);
                        o.elapsed_s = add(o.elapsed_s, s.elapsed_s);
                        o.cpu_s = add(o.cpu_s, s.cpu_s);
                        o.io_wait_s = add(o.io_wait_s, s.io_wait_s);
                        o.buffer_gets = add(o.buffer_gets, s.buffer_gets);
                        o.physical_reads = add(o.physical_reads, s.physical_reads);
                        o.rows_processed = add(o.rows_processed, s.rows_processed);
                        o.cluster_wait_s = add(o.cluster_wait_s, s.cluster_wait_s);
                        o.executions = add(o.executions, s.executions);
                    }
                }
            }
            let key = work[0];
            all.sort_by(|a, b| key.of(b).unwrap_or(0.0).total_cmp(&key.of(a).unwrap_or(0.0)));
            let whole = |work: Work| match work {
                Work::Elapsed => sum(reports.iter().map(|r| r.identity.db_time_s)),
                Work::Cpu => sum(reports.iter().map(|r| model(r, "DB CPU"))),
                Work::IoWait => sum(reports.iter().map(|r| stat(r, "user I/O wait time").map(|c| c / 100.0))),
                Work::Gets => sum(reports.iter().map(|r| stat(r, "session logical reads"))),
                Work::Reads => sum(reports.iter().map(|r| stat(r, "physical reads"))),
                Work::Cluster => sum(reports.iter().map(|r| stat(r, "cluster wait time").map(|c| c / 100.0))),
                Work::Execs => sum(reports.iter().map(|r| stat(r, "execute count"))),
                Work::Rows => None,
            };
            let rows = all
                .iter()
                .map(|s| {
                    let mut cells = vec![Cell::opt(s.sql_id.as_deref())];
                    cells.extend(work.iter().map(|w| style.num(w.of(s), if w.is_time() { 2 } else { 0 })));
                    let executions = s.executions.filter(|e| *e > 0.0);
                    cells.extend(
                        work.iter()
                            .filter(|w| **w != Work::Execs)
                            .map(|w| style.num(w.of(s).zip(executions).map(|(v, e)| v / e), 2)),
                    );
                    cells.extend(work.iter().filter(|w| **w != Work::Rows).map(|w| {
                        style.num(
                            w.of(s).zip(whole(*w)).filter(|(_, of)| *of > 0.0).map(|(v, of)| 100.0 * v / of),
                            2,
                        )
                    }));
                    let text = reports.iter().flat_map(|r| &r.tables.sql_text).find(|t| t.sql_id == s.sql_id);
                    let start: String = text.map(|t| t.text.chars().take(30).collect()).unwrap_or_default();
                    cells.push(Cell::name(format!("{start}...")));
                    cells
                })
                .collect();
            let mut out = block(
                title,
                &[("", 1), ("Total", 8), ("Per Execution", 7), ("Percentage of Total", 7), ("", 1)],
                columns,
                rows,
            );
            out.summary = title;
            out
        })
        .collect()
}

fn global_statistics(reports: &[Report], style: &Style) -> Block {
    let elapsed = reports[0].identity.elapsed_s;
    let transactions = sum(reports.iter().map(|r| sum([stat(r, "user commits"), stat(r, "user rollbacks")])));
    let rows = reports[0]
        .tables
        .instance_stat
        .iter()
        .filter(|s| s.total.is_some() && !s.statistic.ends_with("(derived)"))
        .map(|s| {
            let each: Vec<f64> = reports.iter().filter_map(|r| stat(r, &s.statistic)).collect();
            let total: f64 = each.iter().sum();
            let rates: Vec<f64> = elapsed.map_or(Vec::new(), |e| each.iter().map(|v| v / e).collect());
            let count = rates.len() as f64;
            let mean = (count > 0.0).then(|| rates.iter().sum::<f64>() / count);
            let deviation = mean
                .filter(|_| count > 1.0)
                .map(|m| (rates.iter().map(|v| (v - m).powi(2)).sum::<f64>() / (count - 1.0)).sqrt());
            vec![
                Cell::name(s.statistic.clone()),
                style.int(Some(total)),
                style.num(elapsed.map(|e| total / e), 2),
                style.num(transactions.map(|t| total / t), 2),
                style.num(mean, 2),
                style.num(deviation, 2),
                style.num(rates.iter().copied().reduce(f64::min), 2),
                style.num(rates.iter().copied().reduce(f64::max), 2),
            ]
        })
        .collect();
    let mut out = block(
        "System Statistics (Global)",
        &[("", 1), ("", 1), ("", 1), ("", 1), ("per Second", 4)],
        &["Statistic", "Total", "per Second", "per Trans", "Average", "Std Dev", "Min", "Max"],
        rows,
    );
    out.summary = "System Statistics (Global). . per Second Average - average of per-instance per Second rates. per Second Std Dev - standard deviation of per-instance per Second rates. per Second Min - minium of per-instance per Second rates. per Second Max - maximum of per-instance per Second rates";
    out
}

const MB: f64 = 1_048_576.0;

fn io_by_function(reports: &[Report], style: &Style) -> Block {
    let rows = reports
        .iter()
        .map(|r| {
            let of = |name: Option<&str>| {
                r.tables
                    .io_function
                    .iter()
                    .find(|f| f.function.as_deref() == name && f.is_total == name.is_none())
            };
            let read_mb = |n| style.num(of(n).and_then(|f| f.read_bytes_per_s).map(|b| b / MB), 2);
            let write_mb = |n| style.num(of(n).and_then(|f| f.write_bytes_per_s).map(|b| b / MB), 2);
            let reads = |n| style.num(of(n).and_then(|f| f.reads_per_s), 2);
            let writes = |n| style.num(of(n).and_then(|f| f.writes_per_s), 2);
            let (cache, direct) = (Some("Buffer Cache Reads"), Some("Direct Reads"));
            let (dbwr, direct_writes, lgwr) = (Some("DBWR"), Some("Direct Writes"), Some("LGWR"));
            vec![
                number(r),
                read_mb(None),
                read_mb(cache),
                read_mb(direct),
                write_mb(None),
                write_mb(dbwr),
                write_mb(direct_writes),
                write_mb(lgwr),
                reads(None),
                reads(cache),
                reads(direct),
                writes(None),
                writes(dbwr),
                writes(direct_writes),
                writes(lgwr),
            ]
        })
        .collect();
    let mut out = block(
        "IOStat by Function (per Second)",
        &[
            ("", 1),
            ("Reads MB/sec", 3),
            ("Writes MB/sec", 4),
            ("Reads requests/sec", 3),
            ("Writes requests/sec", 4),
        ],
        &[
            "I#",
            "Total",
            "Buffer Cache",
            "Direct Reads",
            "Total",
            "DBWR",
            "Direct Writes",
            "LGWR",
            "Total",
            "Buffer Cache",
            "Direct Reads",
            "Total",
            "DBWR",
            "Direct Writes",
            "LGWR",
        ],
        rows,
    );
    out.summary = "IOStat by Function (per Second). . Total Reads includes all Functions: Buffer Cache, Direct Reads, ARCH, Data Pump, Others, RMAN, Recovry, Streams/AQ and XDB. Total Writes includes all Functions: DBWR, Direct Writes, LGWR, ARCH, Data Pump, Others, RMAN, Recovry, Streams/AQ and XDB";
    out
}

fn io_by_filetype(reports: &[Report], style: &Style) -> Block {
    let rows = reports
        .iter()
        .map(|r| {
            let of = |name: &str| r.tables.io_filetype.iter().find(|f| f.filetype.as_deref() == Some(name));
            let total = r.tables.io_filetype.iter().find(|f| f.is_total);
            let mb = |v: Option<f64>| style.num(v.map(|b| b / MB), 2);
            vec![
                number(r),
                mb(total.and_then(|f| f.read_bytes_per_s)),
                mb(of("Data File").and_then(|f| f.read_bytes_per_s)),
                mb(of("Temp File").and_then(|f| f.read_bytes_per_s)),
                mb(total.and_then(|f| f.write_bytes_per_s)),
                mb(of("Data File").and_then(|f| f.write_bytes_per_s)),
                mb(of("Temp File").and_then(|f| f.write_bytes_per_s)),
                mb(of("Log File").and_then(|f| f.write_bytes_per_s)),
                style.num(total.and_then(|f| f.reads_per_s), 2),
                style.num(of("Data File").and_then(|f| f.reads_per_s), 2),
                style.num(of("Temp File").and_then(|f| f.reads_per_s), 2),
                style.num(total.and_then(|f| f.writes_per_s), 2),
                style.num(of("Data File").and_then(|f| f.writes_per_s), 2),
                style.num(of("Temp File").and_then(|f| f.writes_per_s), 2),
                style.num(of("Log File").and_then(|f| f.writes_per_s), 2),
            ]
        })
        .collect();
    let mut out = block(
        "IOStat by File Type (per Second)",
        &[
            ("", 1),
            ("Reads MB/sec", 3),
            ("Writes MB/sec", 4),
            ("Reads requests/sec", 3),
            ("Writes requests/sec", 4),
        ],
        &[
            "I#",
            "Total",
            "Data File",
            "Temp File",
            "Total",
            "Data File",
            "Temp File",
            "Log File",
            "Total",
            "Data File",
            "Temp File",
            "Total",
            "Data File",
            "Temp File",
            "Log File",
        ],
        rows,
    );
    out.summary = "IOStat by File Type (per Second). . Total Reads includes all Filetypes: Data File, Temp File, Archive Log, Backups, Control File, Data Pump Dump File, Flashback Log, Log File, Other, etc. Total Writes includes all Filetypes: Data File, Temp File, Log File, Archive Log, Backup, Control File, Data Pump Dump File, Flashback Log, Log File, Other, etc";
    out
}

fn segments(reports: &[Report], style: &Style) -> Block {
    let mut rows = Vec::new();
    for (ranked_by, statistic) in [
        ("logical_reads", "logical reads"),
        ("physical_reads", "physical reads"),
        ("direct_reads", "physical reads direct"),
        ("physical_writes", "physical writes"),
    ] {
        let mut all: Vec<spindle_facts::SegmentStat> = Vec::new();
        for s in reports.iter().flat_map(|r| &r.tables.segment_stat).filter(|s| s.ranked_by == ranked_by) {
            match all.iter_mut().find(|o| o.object == s.object && o.subobject == s.subobject) {
                None => all.push(s.clone()),
                Some(o) => {
                    o.value = sum([o.value, s.value]);
                    o.section_total = sum([o.section_total, s.section_total]);
                }
            }
        }
        all.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
        rows.extend(all.iter().map(|s| {
            let share = s.value.zip(s.section_total).map(|(v, t)| 100.0 * v / t);
            vec![
                Cell::name(statistic),
                Cell::opt(s.owner.as_deref()),
                Cell::opt(s.tablespace.as_deref()),
                Cell::opt(s.object.as_deref()),
                Cell::opt(s.subobject.as_deref()),
                Cell::opt(s.object_type.as_deref()),
                style.int(s.value),
                style.num(share, 2),
                style.num(share.zip(s.captured_pct).map(|(s, c)| 100.0 * s / c), 2),
            ]
        }));
    }
    let mut out = block(
        "Segment Statistics (Global)",
        &[],
        &[
            "Statistic",
            "Owner",
            "Tablespace Name",
            "Object Name",
            "Subobject Name",
            "Obj. Type",
            "Value",
            "%Total",
            "%Capture",
        ],
        rows,
    );
    out.summary = "Segment Statistics (Global). . % Total shows % of statistic for each segment compared to the global cluster-wide total (logical reads, physical reads, gc [cr/cu] blocks [recv/serv]). % Capture shows % of statistic for each segment compared to the total captured";
    out
}

fn pga(reports: &[Report], style: &Style) -> Block {
    let rows = reports
        .iter()
        .map(|r| {
            let at = |snap: &str, key: &str| {
                r.tables
                    .pga_aggregate
                    .iter()
                    .find(|p| p.text("snap") == Some(snap))
                    .and_then(|p| p.number(key))
            };
            let mut cells = vec![number(r)];
            for key in ["pga_aggr_target_mb", "auto_pga_target_mb", "pga_mem_alloc_mb", "w_a_pga_used_mb"] {
                cells.extend([style.num(at("B", key), 2), style.num(at("E", key), 2)]);
            }
            cells.extend([style.num(Some(0.0), 2), style.num(Some(0.0), 2)]);
            cells.extend(["B", "E"].map(|s| style.num(at(s, "global_mem_bound_k").map(|k| k / 1024.0), 2)));
            cells
        })
        .collect();
    let mut out = block(
        "PGA Aggregate Target Statistics",
        &[
            ("", 1),
            ("PGA Aggr Target", 2),
            ("Auto PGA Target", 2),
            ("PGA Mem Alloc", 2),
            ("Auto Workareas", 2),
            ("Manual Workarea", 2),
            ("Global Mem Bound", 2),
        ],
        &[
            "I#", "Begin", "End", "Begin", "End", "Begin", "End", "Begin", "End", "Begin", "End", "Begin",
            "End",
        ],
        rows,
    );
    out.summary = "PGA Aggregate Target Statistics. . all stats are reported in MegaBytes";
    out
}

fn parameters(reports: &[Report]) -> Block {
    let rows = reports[0]
        .tables
        .parameter
        .iter()
        .map(|p| {
            vec![
                Cell::name(p.name.clone()),
                Cell::name("*"),
                Cell::opt(p.begin_value.as_deref()),
                Cell::opt(p.end_value.as_deref()),
            ]
        })
        .collect();
    let mut out = block(
        "init.ora Parameters",
        &[],
        &["Parameter Name", "I#", "Begin value", "End value (if different)"],
        rows,
    );
    out.summary = "This table displays values for init.ora parameters";
    out
}

fn texts(reports: &[Report]) -> Block {
    let rows = reports[0]
        .tables
        .sql_text
        .iter()
        .map(|t| vec![Cell::opt(t.sql_id.as_deref()), Cell::name(t.text.clone())])
        .collect();
    let mut out = block("Complete List of SQL Text", &[], &["SQL Id", "SQL Text"], rows);
    out.summary =
        "This table displays the text of the SQL statements which have been referred to in the report";
    out
}
