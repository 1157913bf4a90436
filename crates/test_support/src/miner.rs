//! What the AWR-miner scripts would print of a database: blocks of rows by snapshot, rates in tenths.

use crate::history_spool::MOST;
use spindle_facts::{Report, Side};
use std::collections::BTreeMap;
use std::fmt::Write;

const MIB: f64 = 1_048_576.0;
const GIB: f64 = 1_024.0 * MIB;
/// Events of a snapshot, and statements.
const TOP: usize = 5;

/// A column: heading, width, numbers to the right.
type Column = (&'static str, usize, bool);

fn block(out: &mut String, name: &str, columns: &[Column], rows: &[Vec<String>]) {
    let _ = writeln!(out, "~~BEGIN-{name}~~\n");
    let line = |out: &mut String, cells: &mut dyn Iterator<Item = (String, &Column)>| {
        let cells: Vec<String> = cells
            .map(
                |(cell, (_, width, right))| {
                    if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            )
            .collect();
        let _ = writeln!(out, "{}", cells.join(" ").trim_end());
    };
    line(out, &mut columns.iter().map(|c| (c.0.to_owned(), c)));
    let rulers: Vec<String> = columns.iter().map(|c| "-".repeat(c.1)).collect();
    let _ = writeln!(out, "{}", rulers.join(" "));
    for row in rows {
        line(out, &mut row.iter().cloned().zip(columns));
    }
    let _ = writeln!(out, "\n~~END-{name}~~\n\n");
}

/// Rounded, as `to_char` of a rounded number prints it: `.5`, `12.3`, `7`.
fn rounded(value: f64, digits: usize) -> String {
    let printed = format!("{value:.digits$}");
    let printed = match printed.split_once('.') {
        Some((whole, part)) if part.bytes().all(|b| b == b'0') => whole.to_owned(),
        Some((whole, part)) => format!("{whole}.{}", part.trim_end_matches('0')),
        None => printed,
    };
    match printed.strip_prefix("0.") {
        Some(part) => format!(".{part}"),
        None => printed,
    }
}

/// `2013-02-19T10:00:14` as `13/02/19 10:00`.
fn time(iso: Option<&String>) -> String {
    let iso = iso.map(String::as_str).unwrap_or_default();
    let field = |range: std::ops::Range<usize>| iso.get(range).unwrap_or("");
    format!("{}/{}/{} {}", field(2..4), field(5..7), field(8..10), field(11..16))
}

/// The file over intervals that follow each other, each with the reports of its instances.
pub(crate) fn render_miner(series: &[Vec<Report>]) -> String {
    let Some(first) = series.first().and_then(|at_once| at_once.first()) else { return String::new() };
    let mut out = String::new();
    information(&mut out, first, series.first().map_or(1, Vec::len), series);
    metrics(&mut out, series);
    parameters(&mut out, first);
    sessions(&mut out, series);
    events(&mut out, series);
    histograms(&mut out, series);
    functions(&mut out, series);
    statements(&mut out, series);
    out
}

fn snap(report: &Report) -> String {
    report.identity.end_snap.map(|s| s.to_string()).unwrap_or_default()
}

fn information(out: &mut String, first: &Report, instances: usize, series: &[Vec<Report>]) {
    let id = &first.identity;
    let hosts: Vec<String> =
        series.first().into_iter().flatten().filter_map(|r| r.identity.host.clone()).collect();
    let number = |n: Option<f64>| n.map(|n| rounded(n, 2)).unwrap_or_default();
    let rows: Vec<Vec<String>> = [
        ("NUM_CPUS", number(id.cpus)),
        ("NUM_CPU_CORES", number(id.cores)),
        ("NUM_CPU_SOCKETS", number(id.sockets)),
        ("PHYSICAL_MEMORY_GB", number(id.memory_bytes.map(|b| b / GIB))),
        ("PLATFORM_NAME", id.platform.clone().unwrap_or_default().replace(' ', "_")),
        ("VERSION", id.version.clone().unwrap_or_default()),
        ("DB_NAME", id.db_name.clone().unwrap_or_default()),
        ("DBID", id.db_id.map(|n| n.to_string()).unwrap_or_default()),
        ("INSTANCES", instances.to_string()),
        ("HOSTS", hosts.join(",")),
        ("AWR_MINER_VER", "3.0.2".to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| vec![name.to_owned(), value])
    .collect();
    block(out, "OS-INFORMATION", &[("STAT_NAME", 60, false), ("STAT_VALUE", 60, false)], &rows);
}

fn metrics(out: &mut String, series: &[Vec<Report>]) {
    let columns: &[Column] = &[
        ("snap", 10, true),
        ("dur_m", 10, true),
        ("end", 14, false),
        ("inst", 10, true),
        ("os_cpu", 10, true),
        ("aas", 10, true),
        ("db_time", 10, true),
        ("logons_s", 10, true),
        ("exec_s", 10, true),
        ("hard_p_s", 10, true),
        ("l_reads_s", 12, true),
        ("commits_s", 10, true),
        ("read_mb_s", 10, true),
        ("read_mb_s_max", 13, true),
        ("read_iops", 10, true),
        ("read_iops_max", 13, true),
        ("read_bks", 10, true),
        ("write_mb_s", 10, true),
        ("write_mb_s_max", 14, true),
        ("write_iops", 10, true),
        ("write_iops_max", 14, true),
        ("write_bks", 10, true),
        ("redo_mb_s", 10, true),
        ("db_block_changes_s", 18, true),
        ("s_blk_r_lat", 11, true),
    ];
    let mut rows = Vec::new();
    for report in series.iter().flatten() {
        let id = &report.identity;
        let elapsed_s = id.elapsed_s.unwrap_or(0.0);
        let stat = |name: &str| {
            let row = report.tables.instance_stat.iter().find(|s| s.statistic == name);
            row.and_then(|s| s.total).map_or(0.0, |t| t / elapsed_s)
        };
        let os =
            |name: &str| report.tables.os_stat.iter().find(|s| s.statistic == name).and_then(|s| s.value);
        let busy = os("BUSY_TIME").zip(os("IDLE_TIME")).map_or(0.0, |(b, i)| 100.0 * b / (b + i));
        let active = id.db_time_s.map_or(0.0, |s| s / elapsed_s);
        let single = report.tables.wait_event.iter();
        let single = single.filter(|e| e.event == "db file sequential read" && e.side == Side::Foreground);
        let latency_ms = single.filter_map(|e| e.avg_wait_us).next().map_or(0.0, |us| us / 1e3);
        let tenths = |v: f64| rounded(v, 1);
        let read_mb = stat("physical read total bytes") / MIB;
        let write_mb = stat("physical write total bytes") / MIB;
        let (reads, writes) =
            (stat("physical read total IO requests"), stat("physical write total IO requests"));
        rows.push(vec![
            snap(report),
            rounded((elapsed_s / 60.0).round(), 0),
            time(id.end_time.as_ref()),
            id.instance_number.map(|n| n.to_string()).unwrap_or_default(),
            tenths(busy),
            tenths(active),
            tenths(active * 100.0),
            tenths(stat("logons cumulative")),
            tenths(stat("execute count")),
            tenths(stat("parse count (hard)")),
            tenths(stat("session logical reads")),
            tenths(stat("user commits")),
            tenths(read_mb),
            tenths(read_mb * MOST),
            tenths(reads),
            tenths(reads * MOST),
            tenths(stat("physical reads")),
            tenths(write_mb),
            tenths(write_mb * MOST),
            tenths(writes),
            tenths(writes * MOST),
            tenths(stat("physical writes")),
            tenths(stat("redo size") / MIB),
            tenths(stat("db block changes")),
            tenths(latency_ms),
        ]);
    }
    block(out, "MAIN-METRICS", columns, &rows);
}

fn parameters(out: &mut String, first: &Report) {
    let rows: Vec<Vec<String>> = first
        .tables
        .parameter
        .iter()
        .map(|p| vec![p.name.to_string(), p.begin_value.as_deref().unwrap_or_default().to_owned()])
        .collect();
    block(out, "DATABASE-PARAMETERS", &[("PARAMETER_NAME", 64, false), ("VALUE", 512, false)], &rows);
}

/// Waits, not idle ones, of all instances at once: name to class, waits, seconds.
fn waited(at_once: &[Report]) -> BTreeMap<String, (String, f64)> {
    let mut sums: BTreeMap<String, (String, f64)> = BTreeMap::new();
    for report in at_once {
        for e in report.tables.wait_event.iter().filter(|e| !e.is_idle && e.side != Side::All) {
            let class = e.wait_class.as_deref().unwrap_or("Other").to_owned();
            sums.entry(e.event.to_string()).or_insert((class, 0.0)).1 += e.time_s.unwrap_or(0.0);
        }
    }
    sums
}

fn cpu_s(at_once: &[Report]) -> f64 {
    let cpu = at_once.iter().flat_map(|r| &r.tables.time_model).filter(|r| r.statistic == "DB CPU");
    cpu.filter_map(|r| r.time_s).sum()
}

fn sessions(out: &mut String, series: &[Vec<Report>]) {
    let mut rows = Vec::new();
    for at_once in series {
        let Some(report) = at_once.first() else { continue };
        let elapsed_s = report.identity.elapsed_s.unwrap_or(1.0);
        let mut classes: BTreeMap<String, f64> = BTreeMap::new();
        // Foreground sessions alone.
        for e in at_once.iter().flat_map(|r| &r.tables.wait_event) {
            if e.side == Side::Foreground && !e.is_idle {
                let class = e.wait_class.as_deref().unwrap_or("Other").to_owned();
                *classes.entry(class).or_default() += e.time_s.unwrap_or(0.0);
            }
        }
        classes.insert("CPU".to_owned(), cpu_s(at_once));
        for (class, seconds) in classes {
            rows.push(vec![snap(report), class, rounded(seconds / elapsed_s, 2)]);
        }
    }
    let columns = [("SNAP_ID", 10, true), ("WAIT_CLASS", 20, false), ("AVG_SESS", 10, true)];
    block(out, "AVERAGE-ACTIVE-SESSIONS", &columns, &rows);
}

fn events(out: &mut String, series: &[Vec<Report>]) {
    let mut rows = Vec::new();
    for at_once in series {
        let Some(report) = at_once.first() else { continue };
        let db_time: f64 = at_once.iter().filter_map(|r| r.identity.db_time_s).sum();
        let mut sums: Vec<(String, String, f64)> =
            waited(at_once).into_iter().map(|(event, (class, s))| (class, event, s)).collect();
        sums.push(("DB CPU".to_owned(), "DB CPU".to_owned(), cpu_s(at_once)));
        sums.sort_by(|a, b| b.2.total_cmp(&a.2));
        for (class, event, seconds) in sums.into_iter().take(TOP) {
            let share = rounded(100.0 * seconds / db_time, 2);
            rows.push(vec![snap(report), class, event, share, format!("{:.0}", seconds * 1e6)]);
        }
    }
    let columns = [
        ("SNAP_ID", 10, true),
        ("WAIT_CLASS", 20, false),
        ("EVENT_NAME", 60, false),
        ("PCTDBT", 10, true),
        ("TOTAL_TIME_S", 12, true),
    ];
    block(out, "TOP-N-TIMED-EVENTS", &columns, &rows);
}

fn histograms(out: &mut String, series: &[Vec<Report>]) {
    let mut rows = Vec::new();
    for at_once in series {
        let Some(report) = at_once.first() else { continue };
        // Milliseconds, whatever the release keeps below them.
        let mut counts: BTreeMap<(String, u64), f64> = BTreeMap::new();
        for h in at_once.iter().flat_map(|r| &r.tables.wait_histogram) {
            for b in h.buckets.iter().filter(|b| b.waits > 0.0) {
                let ms = b.high_us.map_or(1.0, |high| (high / 1_024.0).max(high / 1_000.0).max(1.0));
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bound")]
                let bound = (ms.floor() as u64).next_power_of_two();
                let bound = if bound > 1 && (bound as f64) > ms * 1.5 { bound / 2 } else { bound };
                *counts.entry((h.event.to_string(), bound)).or_default() += b.waits;
            }
        }
        for ((event, bound), waits) in
            counts.iter().filter(|((event, _), _)| IO_EVENTS.contains(&event.as_str()))
        {
            let class = if event.starts_with("log file") { "System I/O" } else { "User I/O" };
            let cells = vec![snap(report), class.to_owned(), event.clone(), bound.to_string()];
            rows.push(cells.into_iter().chain([format!("{waits:.0}")]).collect());
        }
    }
    let columns = [
        ("SNAP_ID", 10, true),
        ("WAIT_CLASS", 20, false),
        ("EVENT_NAME", 37, false),
        ("WAIT_TIME_MILLI", 15, true),
        ("WAIT_COUNT", 10, true),
    ];
    block(out, "IO-WAIT-HISTOGRAM", &columns, &rows);
}

const IO_EVENTS: &[&str] =
    &["db file sequential read", "db file scattered read", "direct path read", "log file parallel write"];

fn functions(out: &mut String, series: &[Vec<Report>]) {
    let mut rows = Vec::new();
    for at_once in series {
        let Some(report) = at_once.first() else { continue };
        let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for report in at_once {
            let elapsed_s = report.identity.elapsed_s.unwrap_or(0.0);
            for row in report.tables.io_function.iter().filter(|r| !r.is_total) {
                let sum = sums.entry(row.function.clone().unwrap_or_default()).or_default();
                sum.0 += row.reads_per_s.unwrap_or(0.0) * elapsed_s;
                sum.1 += row.writes_per_s.unwrap_or(0.0) * elapsed_s;
            }
        }
        for (function, (reads, writes)) in sums {
            let large = |n: f64| (0.25 * n.round()).round();
            let cells =
                [reads.round() - large(reads), writes.round() - large(writes), large(reads), large(writes)];
            rows.push([snap(report), function].into_iter().chain(cells.map(|n| format!("{n:.0}"))).collect());
        }
    }
    let columns = [
        ("SNAP_ID", 10, true),
        ("FUNCTION_NAME", 22, false),
        ("SM_R_REQS", 10, true),
        ("SM_W_REQS", 10, true),
        ("LG_R_REQS", 10, true),
        ("LG_W_REQS", 10, true),
    ];
    block(out, "IOSTAT-BY-FUNCTION", &columns, &rows);
}

fn statements(out: &mut String, series: &[Vec<Report>]) {
    let mut rows = Vec::new();
    for at_once in series {
        let Some(report) = at_once.first() else { continue };
        type Sum = (String, [f64; 7]);
        let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
        for s in at_once.iter().flat_map(|r| &r.tables.sql_stat).filter(|s| s.ranked_by == "elapsed_time") {
            let id = s.sql_id.as_deref().unwrap_or_default().to_owned();
            let module = s.module.as_deref().unwrap_or_default().to_owned();
            let own = [s.executions, s.buffer_gets, s.rows_processed, s.cpu_s, s.elapsed_s, s.physical_reads];
            let sum = sums.entry(id).or_insert((module, [0.0; 7]));
            own.into_iter().zip(&mut sum.1).for_each(|(own, sum)| *sum += own.unwrap_or(0.0));
            sum.1[6] += s.io_wait_s.unwrap_or(0.0);
        }
        let mut sorted: Vec<(String, Sum)> = sums.into_iter().collect();
        sorted.sort_by(|a, b| b.1.1[4].total_cmp(&a.1.1[4]));
        for (id, (module, [executions, gets, processed, cpu, elapsed, reads, io])) in
            sorted.into_iter().take(TOP)
        {
            rows.push(vec![
                snap(report),
                module,
                id,
                format!("{executions:.0}"),
                format!("{gets:.0}"),
                format!("{processed:.0}"),
                rounded(cpu, 1),
                rounded(elapsed, 1),
                rounded(reads * 8_192.0 / MIB, 1),
                rounded(io, 1),
            ]);
        }
    }
    let columns = [
        ("SNAP_ID", 10, true),
        ("MODULE", 64, false),
        ("SQL_ID", 13, false),
        ("EXECS", 10, true),
        ("BUFFER_GETS", 12, true),
        ("ROWS_PROC", 10, true),
        ("CPU_T_S", 10, true),
        ("ELAP_S", 10, true),
        ("READ_MB", 12, true),
        ("IO_WAIT", 10, true),
    ];
    block(out, "TOP-SQL-BY-SNAPID", &columns, &rows);
}
