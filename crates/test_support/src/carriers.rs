//! One load in every layout that carries it: AWR, Statspack, the report over all instances, the output of the
//! AWR-miner scripts, the spool file of `spindle collect history`.
//!
//! What is told of one database at one time by several of them has to be the same.

use crate::cases::redo_on_sas;
use crate::sections::histogram::{exact_buckets, histogram_bounds_us};
use crate::style::{Release, Style};
use crate::{history_spool, miner, unprinted};
use crate::{render, render_rac};
use spindle_facts::{
    IoActivity, IoProfileRow, Layout, Metric, Report, Side, TablespaceIo, TimeModelRow, WaitClassRow,
    WaitEvent, epoch_s,
};
use std::collections::BTreeMap;

/// Something that prints the load of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// AWR report of each instance.
    Awr(Release, Layout),
    /// Statspack report of each instance.
    Statspack(Release),
    /// AWR report over all instances.
    Global(Release),
    /// AWR-miner file of the whole series.
    Miner(Release),
    /// Spool file of the whole series.
    History(Release),
}

impl Carrier {
    /// Every layout that is printed here.
    #[must_use]
    pub fn all() -> Vec<Self> {
        use Release::{
            V8_1, V9_2, V10_1, V10_2, V11_1, V11_2_0_3, V11_2_0_4, V12_1, V12_2, V18, V19, V21, V23,
        };
        let both = [V10_2, V11_1, V11_2_0_3, V11_2_0_4, V12_1, V12_2, V19, V23];
        let mut all: Vec<Self> =
            both.into_iter().flat_map(|r| [Self::Awr(r, Layout::Text), Self::Awr(r, Layout::Html)]).collect();
        all.extend([V18, V21].map(|r| Self::Awr(r, Layout::Html)));
        all.extend([V8_1, V9_2, V10_1, V10_2, V11_2_0_3, V12_1, V19, V23].map(Self::Statspack));
        all.extend([V11_2_0_3, V12_2, V19].map(Self::Global));
        all.extend([V11_2_0_3, V19].map(Self::Miner));
        all.extend([V11_2_0_3, V19].map(Self::History));
        all
    }

    /// Release of the database that it is printed for.
    #[must_use]
    pub fn release(self) -> Release {
        match self {
            Self::Awr(release, _)
            | Self::Statspack(release)
            | Self::Global(release)
            | Self::Miner(release)
            | Self::History(release) => release,
        }
    }

    /// The files: name and text. `series` holds the reports of the instances by interval.
    #[must_use]
    pub fn print(self, series: &[Vec<Report>]) -> Vec<(String, String)> {
        let of_release: Vec<Vec<Report>> =
            series.iter().map(|at_once| at_once.iter().map(|r| self.of_release(r)).collect()).collect();
        let style = |release, layout| {
            // Columns of 8i are narrow: a wide number is `####`.
            Style { hashes: release == Release::V8_1, ..Style::new(release, layout) }
        };
        let name = |of: &str| format!("{self:?} {of}");
        let each = |layout: Layout| -> Vec<(String, String)> {
            let printed = |(at, report): (usize, &Report)| {
                let of = format!("{at} of {}", report.identity.instance.as_deref().unwrap_or(""));
                (name(&of), render(report, &style(self.release(), layout)))
            };
            of_release
                .iter()
                .enumerate()
                .flat_map(|(at, at_once)| at_once.iter().map(move |r| (at, r)))
                .map(printed)
                .collect()
        };
        match self {
            Self::Awr(_, layout) => each(layout),
            Self::Statspack(_) => each(Layout::Text),
            Self::Global(release) => {
                let printed = |(at, at_once): (usize, &Vec<Report>)| {
                    (name(&at.to_string()), render_rac(at_once, &style(release, Layout::Html)))
                };
                of_release.iter().enumerate().map(printed).collect()
            }
            Self::Miner(_) => vec![(name("all"), miner::render_miner(&of_release))],
            Self::History(_) => vec![(name("all"), history_spool::render_history(&of_release))],
        }
    }

    /// What a database of the release would print of the load.
    fn of_release(self, report: &Report) -> Report {
        let release = self.release();
        let mut report = report.clone();
        report.identity.version = Some(release.number().into());
        if release < Release::V10_1 {
            early_names(&mut report.tables.wait_event);
        }
        if release < Release::V10_2 {
            report
                .tables
                .instance_stat
                .retain(|s| !(s.statistic.contains(" IO requests") || s.statistic.contains(" bytes")));
            report.tables.instance_stat.retain(|s| !s.statistic.contains("multi block requests"));
        }
        // Statspack keeps milliseconds in every release.
        let buckets = if matches!(self, Self::Statspack(_)) { release.min(Release::V12_1) } else { release };
        into_buckets(&mut report, buckets);
        if release >= Release::V11_2_0_4 {
            late_labels(&mut report);
            io_profile(&mut report);
        }
        let id = &mut report.identity;
        id.cdb = (release >= Release::V12_2).then_some(false);
        id.role = (release >= Release::V12_2).then(|| "PRIMARY".into());
        match self {
            Self::Statspack(_) => unprinted::as_statspack(&mut report, release),
            Self::Awr(..) => unprinted::leave_out(&mut report, release),
            _ => {}
        }
        report
    }
}

/// Events that every release from 8i on waits for, under this name or an early one.
const EVENTS: &[&str] = &[
    "db file sequential read",
    "db file scattered read",
    "direct path read",
    "direct path write temp",
    "read by other session",
    "buffer busy waits",
    "log file sync",
    "log file switch completion",
    "enq: TX - row lock contention",
    "latch: cache buffers chains",
    "row cache lock",
    "control file sequential read",
    "SQL*Net more data to client",
    "SQL*Net message from client",
    "db file parallel write",
    "log file sequential read",
    "log file parallel write",
    "log file single write",
    "control file parallel write",
    "LGWR wait for redo copy",
    "rdbms ipc message",
    "pmon timer",
    "smon timer",
];

/// Length of an interval, seconds.
const ELAPSED_S: f64 = 3_600.0;
/// First snapshot.
const FIRST: &str = "2013-02-19T09:00:14";
/// Loads of the intervals, against that of the published hour.
const LOADS: [f64; 6] = [1.0, 1.31, 0.74, 0.52, 1.12, 0.88];
/// Loads of the instances.
const INSTANCES: [f64; 4] = [1.0, 0.83, 1.14, 0.91];

/// Hours of a database that differ in load, each with the reports of its instances.
///
/// Shape: `intervals` (at most six) of `instances` (at most four), that follow each other.
#[must_use]
pub fn shop_hours(instances: usize, intervals: usize) -> Vec<Vec<Report>> {
    let mut base = redo_on_sas();
    let tables = &mut base.tables;
    tables.wait_event.retain(|e| EVENTS.contains(&e.event.as_str()));
    tables.top_event.retain(|e| e.event == "DB CPU" || EVENTS.contains(&e.event.as_str()));
    tables.wait_histogram.retain(|h| EVENTS.contains(&h.event.as_str()));
    if instances == 1 {
        tables.rac_cache.clear();
        tables.rac_interconnect.clear();
        base.identity.rac = Some(false);
    }
    base.identity.instances = u32::try_from(instances).ok();
    let of_hour = |hour: usize| {
        let of_instance = |n: usize| instance(&base, hour, n, LOADS[hour % LOADS.len()] * INSTANCES[n % 4]);
        (0..instances).map(of_instance).collect()
    };
    (0..intervals).map(of_hour).collect()
}

fn instance(base: &Report, hour: usize, n: usize, load: f64) -> Report {
    let mut report = base.clone();
    let length = base.identity.elapsed_s.unwrap_or(ELAPSED_S);
    scale(&mut report, load, length);
    let id = &mut report.identity;
    // Instances take their snapshots seconds apart.
    let begin = epoch_s(Some(FIRST)).unwrap_or(0) + 3_600 * hour as i64 + 3 * n as i64;
    (id.begin_time, id.end_time) = (Some(iso(begin)), Some(iso(begin + 3_600)));
    (id.begin_snap, id.end_snap) = (Some(7_311 + hour as u64), Some(7_312 + hour as u64));
    id.instance_number = u32::try_from(n + 1).ok();
    id.instance = Some(format!("shopdb{}", n + 1));
    id.host = Some(format!("tern-db{:02}", n + 1));
    report
}

/// ISO 8601 without zone, of a day of February 2013.
fn iso(epoch: i64) -> String {
    let first = epoch_s(Some("2013-02-01T00:00:00")).unwrap_or(0);
    let s = epoch - first;
    format!("2013-02-{:02}T{:02}:{:02}:{:02}", 1 + s / 86_400, s % 86_400 / 3_600, s % 3_600 / 60, s % 60)
}

/// So many times the work, over [`ELAPSED_S`] instead of `length` seconds.
fn scale(report: &mut Report, by: f64, length: f64) {
    let count = |v: &mut Option<f64>| *v = v.map(|v| (v * by).round());
    let time = |v: &mut Option<f64>| *v = v.map(|v| v * by);
    let rate = |v: &mut Option<f64>| *v = v.map(|v| v * by * length / ELAPSED_S);
    let id = &mut report.identity;
    id.elapsed_s = Some(ELAPSED_S);
    time(&mut id.db_time_s);
    let tables = &mut report.tables;
    for row in &mut tables.load_profile {
        rate(&mut row.per_second);
    }
    for stat in &mut tables.instance_stat {
        count(&mut stat.total);
        stat.per_second = stat.total.map(|t| t / ELAPSED_S);
    }
    for row in &mut tables.time_model {
        time(&mut row.time_s);
    }
    for row in &mut tables.os_stat {
        if row.statistic.ends_with("_TIME") {
            row.value = row.value.map(|v| (v * ELAPSED_S / length).round());
        }
    }
    let mean = |time_s: Option<f64>, waits: Option<f64>| {
        time_s.zip(waits).filter(|(_, n)| *n > 0.0).map(|(t, n)| 1e6 * t / n)
    };
    for row in &mut tables.wait_event {
        count(&mut row.waits);
        time(&mut row.time_s);
        row.avg_wait_us = mean(row.time_s, row.waits);
    }
    for row in &mut tables.top_event {
        count(&mut row.waits);
        time(&mut row.time_s);
        row.avg_wait_us = mean(row.time_s, row.waits);
    }
    tables.wait_class = classes(&tables.wait_event, &tables.time_model, id.db_time_s);
    for row in [&mut tables.io_function, &mut tables.io_filetype, &mut tables.io_function_filetype]
        .into_iter()
        .flatten()
    {
        scale_activity(row, by, length);
    }
    let of_file = |io: &mut TablespaceIo| {
        count(&mut io.reads);
        count(&mut io.writes);
        count(&mut io.buffer_waits);
        io.reads_per_s = io.reads.map(|n| n / ELAPSED_S);
        io.writes_per_s = io.writes.map(|n| n / ELAPSED_S);
    };
    tables.tablespace_io.iter_mut().for_each(of_file);
    tables.file_io.iter_mut().for_each(|f| of_file(&mut f.io));
    for s in &mut tables.sql_stat {
        [&mut s.executions, &mut s.buffer_gets, &mut s.physical_reads, &mut s.read_requests]
            .into_iter()
            .chain([&mut s.rows_processed, &mut s.parse_calls])
            .for_each(count);
        [&mut s.elapsed_s, &mut s.cpu_s, &mut s.io_wait_s, &mut s.section_total].into_iter().for_each(time);
    }
    for s in &mut tables.segment_stat {
        count(&mut s.value);
        count(&mut s.section_total);
    }
}

/// Waits by class, of foreground sessions and of all, with CPU.
fn classes(events: &[WaitEvent], model: &[TimeModelRow], db_time_s: Option<f64>) -> Vec<WaitClassRow> {
    let cpu_s = model.iter().find(|r| r.statistic == "DB CPU").and_then(|r| r.time_s);
    let row = |name: &str, side: Side, waits: Option<f64>, time_s: f64| WaitClassRow {
        line: 0,
        section: 0,
        instance_number: None,
        wait_class: name.to_owned(),
        side,
        waits,
        time_s: Some(time_s),
        time_s_low: None,
        time_s_high: None,
        avg_wait_us: waits.filter(|n| *n > 0.0).map(|n| 1e6 * time_s / n),
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        share_pct: db_time_s.map(|all| 100.0 * time_s / all),
    };
    let mut found = Vec::new();
    for side in [Side::Foreground, Side::All] {
        let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for e in events.iter().filter(|e| !e.is_idle && (side == Side::All || e.side == side)) {
            let sum = sums.entry(e.wait_class.as_deref().unwrap_or("Other")).or_default();
            *sum = (sum.0 + e.waits.unwrap_or(0.0), sum.1 + e.time_s.unwrap_or(0.0));
        }
        let mut rows: Vec<WaitClassRow> =
            sums.into_iter().map(|(name, (waits, time_s))| row(name, side, Some(waits), time_s)).collect();
        rows.extend(cpu_s.map(|time_s| row("DB CPU", side, None, time_s)));
        rows.sort_by(|a, b| b.time_s.unwrap_or(0.0).total_cmp(&a.time_s.unwrap_or(0.0)));
        found.extend(rows);
    }
    found
}

fn scale_activity(row: &mut IoActivity, by: f64, length: f64) {
    let rate = |v: &mut Option<f64>| *v = v.map(|v| (v * by * length).round() / ELAPSED_S);
    [&mut row.reads_per_s, &mut row.writes_per_s].into_iter().for_each(rate);
    [&mut row.read_bytes, &mut row.write_bytes, &mut row.waits]
        .into_iter()
        .for_each(|v| *v = v.map(|v| (v * by).round()));
    row.read_bytes_per_s = row.read_bytes.map(|b| b / ELAPSED_S);
    row.write_bytes_per_s = row.write_bytes.map(|b| b / ELAPSED_S);
}

/// The names of events before 10.1, where several of today's were one.
fn early_names(events: &mut Vec<WaitEvent>) {
    let mut named: Vec<WaitEvent> = Vec::new();
    for event in std::mem::take(events) {
        let early = match event.event.as_str() {
            name if name.starts_with("enq: ") => "enqueue",
            name if name.starts_with("latch: ") => "latch free",
            "read by other session" => "buffer busy waits",
            name => name,
        };
        let early: spindle_facts::SmolStr = early.into();
        match named.iter_mut().find(|n| n.event == early && n.side == event.side) {
            Some(same) => {
                let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
                same.waits = sum(same.waits, event.waits);
                same.time_s = sum(same.time_s, event.time_s);
                same.waits_per_txn = sum(same.waits_per_txn, event.waits_per_txn);
                same.share_pct = sum(same.share_pct, event.share_pct);
                same.avg_wait_us = same.time_s.zip(same.waits).map(|(t, n)| 1e6 * t / n);
            }
            None => named.push(WaitEvent { event: early, ..event }),
        }
    }
    *events = named;
}

/// Counts the waits in the buckets of the release: each lasted three quarters of the bound that it is below.
fn into_buckets(report: &mut Report, release: Release) {
    let bounds = histogram_bounds_us(release);
    let events = &report.tables.wait_event;
    for histogram in &mut report.tables.wait_histogram {
        let of_event = events.iter().filter(|e| e.event == histogram.event && e.side != Side::All);
        let total: f64 = of_event.filter_map(|e| e.waits).sum();
        let weights: Vec<f64> = histogram.buckets.iter().map(|b| b.waits).collect();
        let counts = crate::cases::build::split(total, &weights);
        let mut waits = vec![0.0; bounds.len()];
        for (bucket, count) in histogram.buckets.iter().zip(counts) {
            let lasted = bucket.high_us.map_or(bucket.low_us * 1.5, |high| 0.75 * high);
            let at = bounds.partition_point(|b| *b <= lasted).min(bounds.len() - 1);
            waits[at] += count;
        }
        histogram.buckets = exact_buckets(&bounds, waits);
        histogram.waits = Some(total);
    }
}

/// The load profile names its units from 11.2.0.4 on.
fn late_labels(report: &mut Report) {
    for row in &mut report.tables.load_profile {
        let late = match row.known {
            Some(Metric::RedoSize) => "Redo size (bytes)",
            Some(Metric::LogicalReads) => "Logical read (blocks)",
            Some(Metric::PhysicalReads) => "Physical read (blocks)",
            Some(Metric::PhysicalWrites) => "Physical write (blocks)",
            Some(Metric::Parses) => "Parses (SQL)",
            Some(Metric::HardParses) => "Hard parses (SQL)",
            Some(Metric::WorkAreaMb) => "SQL Work Area (MB)",
            Some(Metric::Executes) => "Executes (SQL)",
            _ => continue,
        };
        row.metric = late.to_owned();
    }
}

/// The IO Profile, of the statistics.
fn io_profile(report: &mut Report) {
    const MIB: f64 = 1_048_576.0;
    let stat = |name: &str| {
        report.tables.instance_stat.iter().find(|s| s.statistic == name).and_then(|s| s.per_second)
    };
    let log_files = report.tables.io_filetype.iter().find(|r| r.filetype.as_deref() == Some("Log File"));
    let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
    let row = |metric: &str, reads: Option<f64>, writes: Option<f64>, unit: f64| IoProfileRow {
        line: 0,
        section: 0,
        instance_number: None,
        metric: metric.to_owned(),
        read_write_per_s: sum(reads, writes).map(|v| v / unit),
        reads_per_s: reads.map(|v| v / unit),
        writes_per_s: writes.map(|v| v / unit),
    };
    report.tables.io_profile = vec![
        row(
            "Total Requests",
            stat("physical read total IO requests"),
            stat("physical write total IO requests"),
            1.0,
        ),
        row("Database Requests", stat("physical read IO requests"), stat("physical write IO requests"), 1.0),
        row("Redo Requests", Some(0.0), log_files.and_then(|r| r.writes_per_s), 1.0),
        row("Total (MB)", stat("physical read total bytes"), stat("physical write total bytes"), MIB),
        row("Database (MB)", stat("physical read bytes"), stat("physical write bytes"), MIB),
        row("Redo (MB)", Some(0.0), stat("redo size"), MIB),
    ];
}
