//! What `spindle collect history` would spool of a database: counters since the start of each instance.

use crate::collected::{Cell, SpoolSection, render_spool};
use spindle_facts::{IoActivity, Report, Side};
use std::collections::BTreeMap;

const MIB: f64 = 1_048_576.0;
/// Share of requests, and of bytes, that are of large ones.
const LARGE: (f64, f64) = (0.25, 0.75);
/// What a counter shows at the first snapshot.
const BEGAN: f64 = 4_096.0;
/// Statistics that the script takes beside those of `physical` and `redo`.
const STATISTICS: &[&str] = &[
    "user commits",
    "user rollbacks",
    "user calls",
    "execute count",
    "parse count (total)",
    "parse count (hard)",
    "session logical reads",
    "db block gets",
    "consistent gets",
    "db block changes",
    "DB time",
    "CPU used by this session",
];
/// Parameters that the script takes, of those that a report lists.
const PARAMETERS: &[&str] = &[
    "db_block_size",
    "db_cache_size",
    "sga_target",
    "sga_max_size",
    "memory_target",
    "pga_aggregate_target",
    "undo_tablespace",
    "undo_management",
    "control_files",
    "cluster_database",
    "compatible",
    "log_buffer",
    "filesystemio_options",
    "db_create_file_dest",
    "db_create_online_log_dest_1",
    "statistics_level",
    "timed_statistics",
    "fast_start_mttr_target",
];

/// Events whose histograms the script takes.
fn is_storage(event: &str) -> bool {
    ["db file ", "direct path ", "log file ", "control file "].iter().any(|p| event.starts_with(p))
        || event == "read by other session"
}

/// What was counted in an interval.
type Counted = (usize, Vec<Option<f64>>);

/// The rows of a section that counts: by snapshot and instance, what a name had counted until then.
struct Counters {
    name: &'static str,
    columns: &'static [&'static str],
    /// Cells of names, and what was counted under them in each interval.
    counted: BTreeMap<(u32, Vec<Cell>), Vec<Counted>>,
}

impl Counters {
    fn new(name: &'static str, columns: &'static [&'static str]) -> Self {
        Self { name, columns, counted: BTreeMap::new() }
    }

    fn add(&mut self, at: usize, instance: u32, names: Vec<Cell>, counts: Vec<Option<f64>>) {
        self.counted.entry((instance, names)).or_default().push((at, counts));
    }

    /// A row for every snapshot from the first on.
    fn section(self, first_snap: u64, intervals: usize) -> SpoolSection {
        let mut rows: Vec<(u64, u32, Vec<Cell>)> = Vec::new();
        for ((instance, names), counted) in self.counted {
            let width = counted.first().map_or(0, |(_, counts)| counts.len());
            let mut so_far = vec![Some(BEGAN); width];
            for snap in 0..=intervals {
                if let Some((_, counts)) =
                    snap.checked_sub(1).and_then(|at| counted.iter().find(|c| c.0 == at))
                {
                    so_far = so_far.iter().zip(counts).map(|(a, b)| a.zip(*b).map(|(a, b)| a + b)).collect();
                }
                let known = counted[0].1.iter().zip(&so_far).map(|(is, sum)| is.and(*sum));
                let cells = names.iter().cloned().chain(known.map(whole)).collect();
                rows.push((first_snap + snap as u64, instance, cells));
            }
        }
        rows.sort_by_key(|r| (r.1, r.0));
        SpoolSection { name: self.name, columns: self.columns, rows: with_places(rows) }
    }
}

fn with_places(rows: Vec<(u64, u32, Vec<Cell>)>) -> Vec<Vec<Cell>> {
    let row = |(snap, instance, cells): (u64, u32, Vec<Cell>)| {
        [Some(snap.to_string()), Some(instance.to_string())].into_iter().chain(cells).collect()
    };
    rows.into_iter().map(row).collect()
}

fn whole(n: Option<f64>) -> Cell {
    n.map(|n| format!("{:.0}", n.round()))
}

fn text(s: &str) -> Cell {
    Some(s.to_owned())
}

const IO: &[&str] = &[
    "SNAP_ID",
    "INSTANCE_NUMBER",
    "NAME",
    "SMALL_READ_MB",
    "SMALL_WRITE_MB",
    "LARGE_READ_MB",
    "LARGE_WRITE_MB",
    "SMALL_READ_REQS",
    "SMALL_WRITE_REQS",
    "LARGE_READ_REQS",
    "LARGE_WRITE_REQS",
    "WAITS",
    "WAIT_MS",
];

/// Requests and megabytes by size, in the order of the columns.
fn by_size(row: &IoActivity, elapsed_s: f64) -> Vec<Option<f64>> {
    let parts = |all: Option<f64>, large: f64| {
        let large = all.map(|n| (n * large).round());
        (all.zip(large).map(|(all, large)| all.round() - large), large)
    };
    let requests = |rate: Option<f64>| parts(rate.map(|r| r * elapsed_s), LARGE.0);
    let megabytes = |bytes: Option<f64>| parts(bytes.map(|b| b / MIB), LARGE.1);
    let (read_mb, write_mb) = (megabytes(row.read_bytes), megabytes(row.write_bytes));
    let (reads, writes) = (requests(row.reads_per_s), requests(row.writes_per_s));
    let waited_ms = row.waits.zip(row.avg_wait_us).map(|(n, us)| n * us / 1e3);
    vec![
        read_mb.0, write_mb.0, read_mb.1, write_mb.1, reads.0, writes.0, reads.1, writes.1, row.waits,
        waited_ms,
    ]
}

/// The spool file over intervals that follow each other, each with the reports of its instances.
pub(crate) fn render_history(series: &[Vec<Report>]) -> String {
    let Some(first) = series.first().and_then(|at_once| at_once.first()) else { return String::new() };
    let id = &first.identity;
    let first_snap = id.begin_snap.unwrap_or(0);
    let header = [
        ("db_name", id.db_name.clone()),
        ("db_id", id.db_id.map(|n| n.to_string())),
        ("version", id.version.clone()),
        ("platform", id.platform.clone()),
        ("host", id.host.clone()),
        ("instance", id.instance_number.map(|n| n.to_string())),
        ("instances", id.instances.map(|n| n.to_string())),
        ("block_size", id.block_size_bytes.map(|n| n.to_string())),
    ];
    let named: &'static [&'static str] = &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE"];
    let mut sysstat = Counters::new("sysstat", named);
    let mut time_model = Counters::new("time_model", &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE_US"]);
    let mut events = Counters::new(
        "system_event",
        &["SNAP_ID", "INSTANCE_NUMBER", "EVENT", "WAIT_CLASS", "WAITS", "TIME_US", "WAITS_FG", "TIME_US_FG"],
    );
    let mut histograms = Counters::new(
        "event_histogram",
        &["SNAP_ID", "INSTANCE_NUMBER", "EVENT", "WAIT_TIME_MILLI", "WAITS"],
    );
    let mut functions = Counters::new("iostat_function", IO);
    let mut filetypes = Counters::new("iostat_filetype", IO);
    let mut files = Counters::new(
        "file_io",
        &[
            "SNAP_ID",
            "INSTANCE_NUMBER",
            "TABLESPACE_NAME",
            "FILE_NAME",
            "READS",
            "READ_CS",
            "BLOCKS_READ",
            "SINGLE_READS",
            "SINGLE_READ_CS",
            "WRITES",
            "WRITE_CS",
            "BLOCKS_WRITTEN",
        ],
    );
    let mut host = Counters::new("osstat", named);
    let (mut statements, mut metrics, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    for (at, at_once) in series.iter().enumerate() {
        for report in at_once {
            let number = report.identity.instance_number.unwrap_or(1);
            let snap = first_snap + 1 + at as u64;
            let elapsed_s = report.identity.elapsed_s.unwrap_or(0.0);
            let tables = &report.tables;
            let taken = |name: &str| {
                name.starts_with("physical ") || name.starts_with("redo ") || STATISTICS.contains(&name)
            };
            for s in tables.instance_stat.iter().filter(|s| taken(&s.statistic)) {
                sysstat.add(at, number, vec![text(&s.statistic)], vec![s.total]);
            }
            for row in &tables.time_model {
                time_model.add(at, number, vec![text(&row.statistic)], vec![row.time_s.map(|s| s * 1e6)]);
            }
            let mut names: Vec<&str> = tables.wait_event.iter().map(|e| e.event.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let of = |side: Side| tables.wait_event.iter().find(|e| e.event == name && e.side == side);
                let (fg, bg) = (of(Side::Foreground), of(Side::Background));
                let either = fg.or(bg);
                // The view keeps no idle waits.
                if either.is_none_or(|e| e.is_idle) {
                    continue;
                }
                let class = either.and_then(|e| e.wait_class.as_deref()).map(str::to_owned);
                let waits = |e: Option<&spindle_facts::WaitEvent>| e.map_or(Some(0.0), |e| e.waits);
                let us = |e: Option<&spindle_facts::WaitEvent>| {
                    e.map_or(Some(0.0), |e| e.time_s.map(|s| (s * 1e6).round()))
                };
                let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
                let counts = vec![sum(waits(fg), waits(bg)), sum(us(fg), us(bg)), waits(fg), us(fg)];
                events.add(at, number, vec![text(name), class], counts);
            }
            let finest =
                if report.identity.release().is_some_and(|r| r >= (12, 2)) { 1_024.0 } else { 1_000.0 };
            for h in tables.wait_histogram.iter().filter(|h| is_storage(&h.event)) {
                for b in &h.buckets {
                    let Some(high) = b.high_us else { continue };
                    let bound = Some((high / finest).to_string());
                    histograms.add(at, number, vec![text(&h.event), bound], vec![Some(b.waits)]);
                }
            }
            for row in tables.io_function.iter().filter(|r| !r.is_total) {
                functions.add(at, number, vec![row.function.clone()], by_size(row, elapsed_s));
            }
            for row in tables.io_filetype.iter().filter(|r| !r.is_total) {
                let mut counts = by_size(row, elapsed_s);
                // The view has no waits.
                counts.iter_mut().skip(8).for_each(|c| *c = None);
                filetypes.add(at, number, vec![row.filetype.clone()], counts);
            }
            for f in &tables.file_io {
                let io = &f.io;
                let cs = io.reads.zip(io.avg_read_us).map(|(n, us)| n * us / 1e4);
                let blocks = io.reads.zip(io.blocks_per_read).map(|(n, b)| n * b);
                let counts = vec![io.reads, cs, blocks, None, None, io.writes, None, None];
                files.add(at, number, vec![text(&io.tablespace), text(&f.file)], counts);
            }
            for row in &tables.os_stat {
                // What is no counter stands as it is in every snapshot.
                let count = row.statistic.ends_with("_TIME");
                if count || at == 0 {
                    let counts = vec![row.value.map(|v| if count { v } else { 0.0 })];
                    host.add(at, number, vec![text(&row.statistic)], counts);
                }
            }
            for s in tables.sql_stat.iter().filter(|s| s.ranked_by == "elapsed_time") {
                let us = |s: Option<f64>| whole(s.map(|s| s * 1e6));
                let cells = vec![
                    s.sql_id.as_deref().map(str::to_owned),
                    None,
                    whole(s.executions),
                    whole(s.physical_reads),
                    whole(s.read_requests),
                    whole(s.buffer_gets),
                    us(s.elapsed_s),
                    us(s.cpu_s),
                    us(s.io_wait_s),
                    s.module.as_deref().map(str::to_owned),
                ];
                statements.push((snap, number, cells));
            }
            for s in tables.segment_stat.iter().filter(|s| s.ranked_by == "physical_reads") {
                let of = |ranking: &str| {
                    let same = tables.segment_stat.iter().find(|o| {
                        o.ranked_by == ranking && (&o.object, &o.subobject) == (&s.object, &s.subobject)
                    });
                    whole(same.and_then(|o| o.value))
                };
                let name = |of: &Option<spindle_facts::SmolStr>| of.as_deref().map(str::to_owned);
                let mut cells =
                    vec![None, name(&s.owner), name(&s.tablespace), name(&s.object), name(&s.subobject)];
                cells.extend([name(&s.object_type), whole(s.value), of("physical_read_requests"), None]);
                cells.extend([of("physical_writes"), None, None, None, None]);
                segments.push((snap, number, cells));
            }
            for (metric, unit, statistic) in METRICS {
                let rate = tables.instance_stat.iter().find(|s| s.statistic == *statistic);
                let Some(mean) = rate.and_then(|s| s.per_second) else { continue };
                let cells =
                    vec![text(metric), text(unit), Some(mean.to_string()), Some((mean * MOST).to_string())];
                metrics.push((snap, number, cells));
            }
        }
    }
    let mut host = host.section(first_snap, series.len());
    for row in &mut host.rows {
        let name = row.get(2).cloned().flatten().unwrap_or_default();
        let instance = row.get(1).cloned().flatten().and_then(|n| n.parse::<u32>().ok());
        if !name.ends_with("_TIME") {
            let report = series[0].iter().find(|r| r.identity.instance_number == instance);
            let value = report.and_then(|r| r.tables.os_stat.iter().find(|s| s.statistic == name));
            row[3] = value.and_then(|s| s.value).map(|v| v.to_string());
        }
    }
    let sections = [
        snapshots(series, first_snap),
        sysstat.section(first_snap, series.len()),
        time_model.section(first_snap, series.len()),
        events.section(first_snap, series.len()),
        histograms.section(first_snap, series.len()),
        functions.section(first_snap, series.len()),
        filetypes.section(first_snap, series.len()),
        files.section(first_snap, series.len()),
        SpoolSection {
            name: "sysmetric",
            columns: &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "UNIT", "AVERAGE", "MAXIMUM"],
            rows: with_places(metrics),
        },
        host,
        SpoolSection {
            name: "sqlstat",
            columns: &[
                "SNAP_ID",
                "INSTANCE_NUMBER",
                "SQL_ID",
                "PLAN_HASH_VALUE",
                "EXECUTIONS",
                "DISK_READS",
                "READ_REQUESTS",
                "BUFFER_GETS",
                "ELAPSED_US",
                "CPU_US",
                "USER_IO_WAIT_US",
                "MODULE",
            ],
            rows: with_places(statements),
        },
        SpoolSection {
            name: "seg_stat",
            columns: &[
                "SNAP_ID",
                "INSTANCE_NUMBER",
                "CON",
                "OWNER",
                "TABLESPACE_NAME",
                "OBJECT_NAME",
                "SUBOBJECT_NAME",
                "OBJECT_TYPE",
                "PHYSICAL_READS",
                "READ_REQUESTS",
                "DIRECT_READS",
                "PHYSICAL_WRITES",
                "WRITE_REQUESTS",
                "DIRECT_WRITES",
                "TABLE_SCANS",
                "LOGICAL_READS",
            ],
            rows: with_places(segments),
        },
        parameters(series),
    ];
    render_spool("history", &header, &sections)
}

/// Highest minute over the mean, of every metric.
pub(crate) const MOST: f64 = 1.5;

const METRICS: &[(&str, &str, &str)] = &[
    ("Physical Read Total IO Requests Per Sec", "Requests Per Second", "physical read total IO requests"),
    ("Physical Write Total IO Requests Per Sec", "Requests Per Second", "physical write total IO requests"),
    ("Physical Read Total Bytes Per Sec", "Bytes Per Second", "physical read total bytes"),
    ("Physical Write Total Bytes Per Sec", "Bytes Per Second", "physical write total bytes"),
];

fn snapshots(series: &[Vec<Report>], first_snap: u64) -> SpoolSection {
    let time = |iso: Option<&String>| iso.map(|t| t.replace('T', " "));
    let mut rows = Vec::new();
    let instances = series.first().map_or(0, Vec::len);
    for n in 0..instances {
        for at in 0..=series.len() {
            // The first one ends where the first interval begins.
            let of = |at: usize| series.get(at).and_then(|at_once| at_once.get(n)).map(|r| &r.identity);
            let ends = match at.checked_sub(1) {
                Some(before) => of(before).and_then(|i| i.end_time.as_ref()),
                None => of(0).and_then(|i| i.begin_time.as_ref()),
            };
            let begins = at.checked_sub(1).and_then(of).and_then(|i| i.begin_time.as_ref());
            let id = of(0);
            let started =
                id.and_then(|i| i.startup_time.as_ref()).map(|t| format!("{}:00", t.replace('T', " ")));
            rows.push(vec![
                Some((first_snap + at as u64).to_string()),
                id.and_then(|i| i.instance_number).map(|n| n.to_string()),
                started,
                time(begins),
                time(ends),
            ]);
        }
    }
    SpoolSection {
        name: "snapshots",
        columns: &["SNAP_ID", "INSTANCE_NUMBER", "STARTUP_TIME", "BEGIN_TIME", "END_TIME"],
        rows,
    }
}

fn parameters(series: &[Vec<Report>]) -> SpoolSection {
    let mut rows = Vec::new();
    for report in series.first().into_iter().flatten() {
        let number = report.identity.instance_number.map(|n| n.to_string());
        for p in report.tables.parameter.iter().filter(|p| PARAMETERS.contains(&p.name.as_str())) {
            let value = p.begin_value.as_deref().map(str::to_owned);
            rows.push(vec![number.clone(), Some(p.name.to_string()), value]);
        }
    }
    SpoolSection { name: "parameters", columns: &["INSTANCE_NUMBER", "NAME", "VALUE"], rows }
}
