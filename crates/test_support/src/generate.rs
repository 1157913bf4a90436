//! Plausible facts at random, for property tests.
//!
//! Values span what reports print, from idle to overloaded; some cells are unknown, some names are
//! longer than any column.

use crate::cases::build::{Base, Event, File, Flow, add_files, add_waits, event, split};
use crate::sections::histogram::{exact_buckets, histogram_bounds_us};
use crate::style::Release;
use crate::unprinted;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use spindle_facts::{
    DbCacheAdvice, Identity, Kind, Layout, Metric, OsStat, Parameter, PgaAdvice, Report, Scope, SegmentStat,
    Side, SqlStat, SqlText, WaitHistogram,
};

const FOREGROUND: &[(&str, &str)] = &[
    ("db file sequential read", "User I/O"),
    ("db file scattered read", "User I/O"),
    ("direct path read", "User I/O"),
    ("direct path read temp", "User I/O"),
    ("direct path write temp", "User I/O"),
    ("read by other session", "User I/O"),
    ("log file sync", "Commit"),
    ("log file switch (checkpoint incomplete)", "Configuration"),
    ("log buffer space", "Configuration"),
    ("enq: TX - row lock contention", "Application"),
    ("buffer busy waits", "Concurrency"),
    ("latch: cache buffers chains", "Concurrency"),
    ("gc cr grant 2-way", "Cluster"),
    ("SQL*Net message to client", "Network"),
    ("SQL*Net message from client", "Idle"),
];

const BACKGROUND: &[(&str, &str)] = &[
    ("log file parallel write", "System I/O"),
    ("db file parallel write", "System I/O"),
    ("control file parallel write", "System I/O"),
    ("control file sequential read", "System I/O"),
    ("os thread startup", "Concurrency"),
    ("rdbms ipc message", "Idle"),
];

const STATISTICS: &[&str] = &[
    "CPU used by this session",
    "DB time",
    "consistent gets",
    "db block changes",
    "execute count",
    "physical read IO requests",
    "physical read bytes",
    "physical read total IO requests",
    "physical read total bytes",
    "physical read total multi block requests",
    "physical reads",
    "physical reads direct temporary tablespace",
    "physical write total bytes",
    "physical writes",
    "redo size",
    "redo synch time (usec)",
    "redo writes",
    "session logical reads",
];

/// A number between two powers of ten, evenly by its logarithm.
fn size(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low..high).prop_map(|exponent| 10_f64.powf(exponent))
}

fn whole(low: f64, high: f64) -> impl Strategy<Value = f64> {
    size(low, high).prop_map(f64::round)
}

fn waits_for(names: &'static [(&'static str, &'static str)]) -> impl Strategy<Value = Vec<Event>> {
    subsequence(names, 1..=names.len()).prop_flat_map(|names| {
        let rows = names.len();
        (Just(names), vec((whole(0.0, 7.5), size(-6.0, 0.7), 0.0..40.0_f64), rows)).prop_map(
            |(names, rows)| {
                names
                    .into_iter()
                    .zip(rows)
                    // No wait list longer than a day of a hundred sessions.
                    .map(|((name, class), (waits, mean_s, timeouts))| {
                        (name, class, waits, mean_s.min(9e5 / waits), timeouts)
                    })
                    .map(|(name, class, waits, mean_s, timeouts)| Event {
                        timeouts_pct: if timeouts < 30.0 { 0.0 } else { timeouts.round() },
                        ..event(name, class, waits, waits * mean_s)
                    })
                    .collect()
            },
        )
    })
}

/// One an event, over all its waits.
fn histograms(
    release: Release,
    events: Vec<(&'static str, f64)>,
) -> impl Strategy<Value = Vec<WaitHistogram>> {
    let bounds = histogram_bounds_us(release);
    // Nobody waits longer than the last bound, an hour and ten minutes.
    let weights = vec(prop_oneof![3 => Just(0.0), 2 => whole(0.0, 6.0)], bounds.len());
    vec(weights, events.len()).prop_map(move |all| {
        events
            .iter()
            .zip(all)
            .filter(|(_, weights)| weights.iter().sum::<f64>() > 0.0)
            .map(|((name, total), weights)| WaitHistogram {
                line: 0,
                section: 0,
                instance_number: None,
                event: (*name).into(),
                side: Side::All,
                waits: Some(*total),
                buckets: exact_buckets(&bounds, split(*total, &weights)),
            })
            .collect()
    })
}

fn sql_stats() -> impl Strategy<Value = Vec<(SqlStat, String)>> {
    let statement = (
        "[0-9a-hjkmnp-z]{13}",
        prop_oneof![1 => Just(0.0), 9 => whole(0.0, 7.0)],
        size(-1.0, 5.0),
        size(-2.0, 4.5),
        whole(1.0, 10.0),
        whole(0.0, 8.0),
        proptest::option::of(select(vec!["shop-web", "JDBC Thin Client", "sqlplus@host (TNS V1-V3)"])),
        "select [a-z_]{3,20} from [a-z_]{3,20} where [a-z_]{3,30} = :[a-z]{1,10}( and [a-z_]{3,30} < :b){0,6}",
    );
    vec(statement, 0..8).prop_map(|statements| {
        statements
            .into_iter()
            .map(|(sql_id, executions, elapsed_s, cpu_s, gets, reads, module, text)| {
                let stat = SqlStat {
                    sql_id: Some(sql_id.into()),
                    executions: Some(executions),
                    elapsed_s: Some(elapsed_s),
                    cpu_s: Some(cpu_s),
                    io_wait_s: Some(elapsed_s * 0.4),
                    buffer_gets: Some(gets),
                    physical_reads: Some(reads),
                    rows_processed: Some(executions * 3.0),
                    parse_calls: Some((executions / 2.0).round()),
                    cpu_pct: Some(100.0 * cpu_s / elapsed_s).filter(|p| *p < 1000.0),
                    io_pct: Some(40.0),
                    module: module.map(Into::into),
                    ..SqlStat::default()
                };
                (stat, text)
            })
            .collect()
    })
}

type Rates = Vec<f64>;

/// A report of an instance with the tables and buckets that the release keeps.
pub fn awr(release: Release) -> impl Strategy<Value = Report> {
    let first = (
        size(1.8, 5.0),
        whole(3.0, 7.0),
        waits_for(FOREGROUND),
        waits_for(BACKGROUND),
        vec(size(-1.3, 6.0), 12),
        vec((select(STATISTICS), prop_oneof![1 => Just(0.0), 8 => whole(0.0, 13.0)]), 0..STATISTICS.len()),
        vec((whole(0.0, 7.0), size(0.0, 1.9), size(-1.5, 2.5), whole(0.0, 6.0), whole(0.0, 5.0)), 0..6),
        vec((size(0.0, 6.0), size(0.0, 11.0), size(0.0, 6.0), size(0.0, 11.0), size(0.0, 6.0)), 0..5),
    );
    (first, sql_stats(), vec(whole(0.0, 9.0), 0..8), vec(size(6.0, 12.0), 0..6), (1..=12_u32, any::<u64>()))
        .prop_flat_map(move |(first, sql, segments, memory, (month, holes))| {
            let names: Vec<(&'static str, f64)> =
                first.2.iter().chain(&first.3).map(|e| (e.name, e.waits)).collect();
            (Just((first, sql, segments, memory, (month, holes))), histograms(release, names))
        })
        .prop_map(
            move |(
                (
                    (elapsed_s, transactions, fg, bg, rates, stats, files, flows),
                    sql,
                    segments,
                    memory,
                    (month, holes),
                ),
                histograms,
            )| {
                let mut report = Report::new(identity(release, elapsed_s, month));
                let spent = |events: &[Event]| {
                    events.iter().filter(|e| e.class != "Idle").map(|e| e.time_s).sum::<f64>()
                };
                let (cpu_s, background_s) = (elapsed_s * 0.9, elapsed_s * 0.2 + spent(&bg));
                let db_time_s = cpu_s + spent(&fg) * 1.04;
                let base = Base {
                    elapsed_s,
                    transactions,
                    executions: transactions * 11.0,
                    calls: transactions * 7.0,
                    db_time_s,
                    background_s,
                };
                report.identity.db_time_s = Some(base.db_time_s);
                add_load_profile(&mut report, release, &base, &rates);
                add_waits(
                    &mut report,
                    &base,
                    cpu_s,
                    &fg,
                    &bg,
                    if release >= Release::V11_2_0_4 { 10 } else { 5 },
                );
                report.tables.wait_histogram = histograms;
                for (statistic, time_s) in [
                    ("sql execute elapsed time", db_time_s * 0.93),
                    ("DB CPU", cpu_s),
                    ("DB time", db_time_s),
                    ("background elapsed time", background_s),
                ] {
                    report.tables.time_model.push(base.time_model(statistic, time_s));
                }
                // Transactions are commits and rollbacks.
                report.tables.instance_stat.push(base.stat("user commits", transactions));
                report.tables.instance_stat.push(base.stat("user rollbacks", 0.0));
                let mut seen = Vec::new();
                for (name, total) in stats {
                    if !seen.contains(&name) {
                        seen.push(name);
                        report.tables.instance_stat.push(base.stat(name, total));
                    }
                }
                let spaces = ["USERS", "DATA_WITH_QUITE_A_LONG_NAME_30", "UNDOTBS1", "TEMP"];
                let names = [
                    "+DATA/db/datafile/users.259.1",
                    "/u02/oradata/db/data01.dbf",
                    "+DATA/db/undo.260.1",
                    "+DATA/db/temp.261.1",
                    "/u02/data02.dbf",
                    "/u02/data03.dbf",
                ];
                let list: Vec<File> = files
                    .iter()
                    .enumerate()
                    .map(|(i, (reads, blocks, ms, writes, waits))| File {
                        tablespace: spaces[i % spaces.len()],
                        name: names[i % names.len()],
                        reads: *reads,
                        blocks_per_read: *blocks,
                        // No more than fifty reads of a file in flight.
                        read_ms: ms.min(5e4 * elapsed_s / reads.max(1.0)),
                        writes: *writes,
                        buffer_waits: *waits,
                        buffer_wait_ms: 2.5,
                    })
                    .collect();
                add_files(&mut report, elapsed_s, &list);
                add_io(&mut report, elapsed_s, &flows);
                add_statements(&mut report, sql);
                add_segments(&mut report, &segments, release);
                add_memory(&mut report, &memory);
                for (name, value) in [
                    ("db_block_size", Some("8192")),
                    ("undo_tablespace", Some("UNDOTBS1")),
                    ("cursor_sharing", Some("EXACT")),
                    ("_trace_files_public", None),
                ] {
                    report.tables.parameter.push(Parameter {
                        name: name.into(),
                        begin_value: value.map(Into::into),
                        ..Parameter::default()
                    });
                }
                for (statistic, value) in
                    [("BUSY_TIME", elapsed_s * 210.0), ("IDLE_TIME", elapsed_s * 590.0), ("NUM_CPUS", 8.0)]
                {
                    report.tables.os_stat.push(OsStat {
                        line: 0,
                        section: 0,
                        instance_number: None,
                        statistic: statistic.to_owned(),
                        value: Some(value.round()),
                        end_value: None,
                    });
                }
                leave_blank(&mut report, holes);
                unprinted::leave_out(&mut report, release);
                report
            },
        )
}

/// The reports of one to four instances of a RAC database over the same snapshots.
pub fn rac(release: Release) -> impl Strategy<Value = Vec<Report>> {
    vec(awr(release), 1..=4).prop_map(|mut reports| {
        let (elapsed_s, month) = {
            let id = &reports[0].identity;
            (id.elapsed_s, (id.begin_time.clone(), id.end_time.clone()))
        };
        for (i, report) in reports.iter_mut().enumerate() {
            let id = &mut report.identity;
            id.instance_number = Some(i as u32 + 1);
            id.instance = Some(format!("propdb{}", i + 1));
            id.host = Some(format!("heron-db0{}", i + 1));
            id.rac = Some(true);
            id.block_size_bytes = Some(8_192);
            id.elapsed_s = elapsed_s;
            (id.begin_time, id.end_time) = month.clone();
            for table in [&mut report.tables.io_function, &mut report.tables.io_filetype] {
                let mut total = table.first().cloned().unwrap_or_default();
                let add = |of: fn(&spindle_facts::IoActivity) -> Option<f64>| {
                    Some(table.iter().filter_map(of).sum::<f64>())
                };
                total.is_total = true;
                (total.function, total.filetype) = (None, None);
                total.reads_per_s = add(|a| a.reads_per_s);
                total.writes_per_s = add(|a| a.writes_per_s);
                total.read_bytes_per_s = add(|a| a.read_bytes_per_s);
                total.write_bytes_per_s = add(|a| a.write_bytes_per_s);
                total.waits = add(|a| a.waits);
                if !table.is_empty() {
                    table.insert(0, total);
                }
            }
        }
        reports
    })
}

/// Two periods of a database that one report compares.
pub fn compared(release: Release) -> impl Strategy<Value = [Report; 2]> {
    (awr(release), awr(release)).prop_map(|(first, second)| {
        let mut both = [first, second];
        for (report, snap) in both.iter_mut().zip([411, 523]) {
            let id = &mut report.identity;
            id.kind = Kind::AwrCompare;
            (id.begin_snap, id.end_snap) = (Some(snap), Some(snap + 1));
            id.block_size_bytes = Some(8_192);
        }
        both
    })
}

/// The report of one pluggable database.
pub fn pdb(release: Release) -> impl Strategy<Value = Report> {
    awr(release).prop_map(move |mut report| {
        let id = &mut report.identity;
        id.scope = Scope::Container;
        id.cdb = Some(true);
        id.container = Some("SHOPPDB".into());
        in_containers(&mut report);
        let tables = &mut report.tables;
        tables.wait_event.retain(|e| e.side == Side::Foreground);
        tables.wait_histogram.clear();
        tables.io_function.clear();
        tables.io_function_filetype.clear();
        tables.os_stat.clear();
        if release < Release::V19 {
            tables.segment_stat.clear();
        }
        tables.db_cache_advice.clear();
        tables.pga_advice.clear();
        report
    })
}

/// The report of an instance of a container database.
pub fn cdb(release: Release) -> impl Strategy<Value = Report> {
    awr(release).prop_map(|mut report| {
        report.identity.cdb = Some(true);
        in_containers(&mut report);
        report
    })
}

fn in_containers(report: &mut Report) {
    let name = |i: usize| Some(["SHOPPDB", "CDB$ROOT", "STOREPDB"][i % 3].to_owned());
    let tables = &mut report.tables;
    tables.sql_stat.iter_mut().enumerate().for_each(|(i, s)| s.container = name(i).map(Into::into));
    tables.segment_stat.iter_mut().enumerate().for_each(|(i, s)| s.container = name(i).map(Into::into));
    tables.tablespace_io.iter_mut().enumerate().for_each(|(i, t)| t.container = name(i));
    tables.file_io.iter_mut().enumerate().for_each(|(i, f)| f.io.container = name(i));
}

/// A Statspack report: no classes, no SQL identifiers, buckets of milliseconds, text only.
pub fn statspack(release: Release) -> impl Strategy<Value = Report> {
    awr(Release::V11_2_0_3).prop_map(move |mut report| {
        report.identity.version = Some(release.number().into());
        unprinted::as_statspack(&mut report, release);
        report
    })
}

/// A Statspack report whose snapshots span a restart.
pub fn restarted(release: Release) -> impl Strategy<Value = Report> {
    statspack(release).prop_map(|mut report| {
        unprinted::leave_out_times(&mut report);
        report
    })
}

fn identity(release: Release, elapsed_s: f64, month: u32) -> Identity {
    let mut id = Identity::unknown("", Kind::Awr, Layout::Text);
    id.db_name = Some("PROPDB".into());
    id.db_id = Some(1_618_033_988);
    id.instance = Some("propdb1".into());
    id.instance_number = Some(1);
    id.version = Some(release.number().into());
    id.platform = Some("Linux x86 64-bit".into());
    id.host = Some("heron-db01".into());
    id.rac = Some(false);
    id.cdb = (release >= Release::V12_2).then_some(false);
    id.role = (release >= Release::V12_2).then(|| "PRIMARY".into());
    id.startup_time = Some("2018-01-02T03:04".into());
    id.cpus = Some(8.0);
    id.cores = Some(8.0);
    id.sockets = Some(2.0);
    id.memory_bytes = Some(32.0 * 1_073_741_824.0);
    id.begin_snap = Some(411);
    id.end_snap = Some(412);
    // Times of whole minutes leave the printed length as the only account of the interval.
    id.begin_time = Some(format!("2019-{month:02}-06T07:00:00"));
    id.end_time = Some(format!("2019-{month:02}-06T08:00:00"));
    id.elapsed_s = Some(elapsed_s);
    id.begin_sessions = Some(88.0);
    id.end_sessions = Some(91.0);
    id
}

fn add_load_profile(report: &mut Report, release: Release, base: &Base, rates: &Rates) {
    let late = release >= Release::V11_2_0_4;
    let labels: [(&str, &str, Metric); 11] = [
        ("Redo size", "Redo size (bytes)", Metric::RedoSize),
        ("Logical reads", "Logical read (blocks)", Metric::LogicalReads),
        ("Block changes", "Block changes", Metric::BlockChanges),
        ("Physical reads", "Physical read (blocks)", Metric::PhysicalReads),
        ("Physical writes", "Physical write (blocks)", Metric::PhysicalWrites),
        ("User calls", "User calls", Metric::UserCalls),
        ("Parses", "Parses (SQL)", Metric::Parses),
        ("Logons", "Logons", Metric::Logons),
        ("Executes", "Executes (SQL)", Metric::Executes),
        ("Rollbacks", "Rollbacks", Metric::Rollbacks),
        ("Transactions", "Transactions", Metric::Transactions),
    ];
    report.tables.load_profile.push(base.load("DB Time(s)", Metric::DbTime, base.db_time_s));
    for ((early, named, metric), rate) in labels.into_iter().zip(rates) {
        let total = if metric == Metric::Transactions { base.transactions } else { rate * base.elapsed_s };
        report.tables.load_profile.push(base.load(if late { named } else { early }, metric, total));
    }
}

fn add_io(report: &mut Report, elapsed_s: f64, flows: &[(f64, f64, f64, f64, f64)]) {
    let names = ["Buffer Cache Reads", "DBWR", "LGWR", "Direct Reads", "Others"];
    let types = ["Data File", "Log File", "Temp File", "Control File", "Archive Log"];
    for (i, (reads, read_bytes, writes, write_bytes, waits)) in flows.iter().enumerate() {
        let flow = Flow {
            reads: *reads,
            read_bytes: *read_bytes,
            writes: *writes,
            write_bytes: *write_bytes,
            waits: waits.round(),
            wait_s: waits * 0.0043,
        };
        report.tables.io_function.push(flow.row(Some(names[i]), None, false, elapsed_s));
        let mut row = flow.row(None, Some(types[i]), false, elapsed_s);
        row.small_read_us = (i != 1).then_some(4_321.0);
        report.tables.io_filetype.push(row);
        report.tables.io_function_filetype.push(flow.row(Some(names[i]), None, false, elapsed_s));
        report.tables.io_function_filetype.push(flow.row(Some(names[i]), Some(types[i]), false, elapsed_s));
    }
}

fn add_statements(report: &mut Report, statements: Vec<(SqlStat, String)>) {
    for ranked_by in [
        "elapsed_time",
        "cpu_time",
        "user_io_wait_time",
        "buffer_gets",
        "physical_reads",
        "executions",
        "parse_calls",
    ] {
        for (stat, _) in &statements {
            report.tables.sql_stat.push(SqlStat {
                ranked_by,
                share_pct: Some(7.5),
                captured_pct: Some(41.7),
                section_total: Some(123_456.0),
                ..stat.clone()
            });
        }
    }
    for (stat, text) in statements {
        report.tables.sql_text.push(SqlText {
            line: 0,
            section: 0,
            sql_id: stat.sql_id,
            old_hash: None,
            text,
        });
    }
}

fn add_segments(report: &mut Report, values: &[f64], release: Release) {
    let rankings =
        ["logical_reads", "physical_reads", "physical_read_requests", "physical_writes", "row_lock_waits"];
    for ranked_by in rankings {
        for (i, value) in values.iter().enumerate() {
            report.tables.segment_stat.push(SegmentStat {
                ranked_by,
                owner: Some("SHOP".into()),
                tablespace: Some("USERS".into()),
                object: Some(format!("ORDERS_{i}").into()),
                subobject: (i % 2 == 1).then(|| format!("P{i}").into()),
                object_type: Some("TABLE".into()),
                object_number: (release >= Release::V12_1).then_some(90_000 + i as u64),
                value: Some(*value),
                share_pct: Some(100.0 * value / 2e9),
                captured_pct: Some(61.3),
                section_total: Some(2e9),
                ..SegmentStat::default()
            });
        }
    }
}

fn add_memory(report: &mut Report, sizes: &[f64]) {
    let mb = 1_048_576.0;
    for (i, bytes) in sizes.iter().enumerate() {
        let bytes = (bytes / mb).ceil() * mb;
        report.tables.db_cache_advice.push(DbCacheAdvice {
            pool: Some("D".into()),
            size_bytes: Some(bytes),
            size_factor: Some(0.5 + i as f64),
            buffers: Some((bytes / 8192.0).round()),
            read_factor: Some(1.7),
            estimated_reads: Some(12_345_000.0),
            estimated_read_time_s: Some(987.0),
            estimated_db_time_pct: Some(12.0),
            ..DbCacheAdvice::default()
        });
        report.tables.pga_advice.push(PgaAdvice {
            target_bytes: Some(bytes),
            size_factor: Some(0.5 + i as f64),
            processed_bytes: Some(7_654.3 * mb),
            extra_rw_bytes: Some(321.1 * mb),
            cache_hit_pct: Some(96.0),
            over_allocations: Some(i as f64),
            estimated_time_s: Some(4_300.0),
            ..PgaAdvice::default()
        });
    }
}

/// Cells that reports leave blank here and there, one in a few of each kind.
fn leave_blank(report: &mut Report, seed: u64) {
    let mut state = seed | 1;
    let mut hole = |one_in: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).is_multiple_of(one_in)
    };
    let mut blank = |value: &mut Option<f64>, one_in: u64| {
        if hole(one_in) {
            *value = None;
        }
    };
    // Virtual machines have no sockets, AIX no cores.
    let id = &mut report.identity;
    blank(&mut id.cores, 3);
    blank(&mut id.sockets, 3);
    blank(&mut id.begin_sessions, 6);
    let tables = &mut report.tables;
    for event in &mut tables.wait_event {
        blank(&mut event.timeouts_pct, 4);
        blank(&mut event.waits_per_txn, 8);
        blank(&mut event.share_pct, 8);
    }
    for row in &mut tables.load_profile {
        // No release leaves a rate a transaction blank beside one a second.
        blank(&mut row.per_exec, 8);
    }
    let files = tables.file_io.iter_mut().map(|f| &mut f.io);
    for io in tables.tablespace_io.iter_mut().chain(files) {
        blank(&mut io.avg_read_us, 6);
        blank(&mut io.blocks_per_read, 6);
        blank(&mut io.avg_buffer_wait_us, 4);
    }
    for io in tables.io_function.iter_mut().chain(&mut tables.io_function_filetype) {
        blank(&mut io.avg_wait_us, 5);
    }
    for io in &mut tables.io_filetype {
        blank(&mut io.small_read_us, 3);
        blank(&mut io.large_read_us, 3);
    }
    for statement in &mut tables.sql_stat {
        blank(&mut statement.cpu_pct, 8);
        blank(&mut statement.io_pct, 8);
    }
    for advice in &mut tables.db_cache_advice {
        blank(&mut advice.read_factor, 8);
        blank(&mut advice.estimated_read_time_s, 8);
    }
    for advice in &mut tables.pga_advice {
        blank(&mut advice.cache_hit_pct, 6);
        blank(&mut advice.extra_rw_bytes, 6);
    }
}
