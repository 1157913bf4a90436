//! Histories that `spindle collect history` spools: differences of snapshots as reports.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Kind, Report, Side};
use spindle_test_support::{SpoolSection, render_spool};

fn section(name: &'static str, columns: &'static [&'static str], rows: &[&str]) -> SpoolSection {
    let cells = |row: &&str| row.split('|').map(|c| (!c.is_empty()).then(|| c.to_owned())).collect();
    SpoolSection { name, columns, rows: rows.iter().map(cells).collect() }
}

/// Three snapshots of two instances; instance 2 started anew before its third.
fn history() -> Vec<SpoolSection> {
    vec![
        section(
            "snapshots",
            &["SNAP_ID", "INSTANCE_NUMBER", "STARTUP_TIME", "BEGIN_TIME", "END_TIME"],
            &[
                "10|1|2026-01-01 00:00:00|2026-01-31 09:00:00|2026-01-31 10:00:00",
                "11|1|2026-01-01 00:00:00|2026-01-31 10:00:00|2026-01-31 11:00:00",
                "13|1|2026-01-01 00:00:00|2026-01-31 12:00:00|2026-01-31 13:00:00",
                "10|2|2026-01-01 00:00:00|2026-01-31 09:00:00|2026-01-31 10:00:00",
                "11|2|2026-01-31 10:30:00|2026-01-31 10:30:00|2026-01-31 11:00:00",
            ],
        ),
        section(
            "sysstat",
            &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE"],
            &[
                "10|1|physical reads|1000",
                "11|1|physical reads|37000",
                "13|1|physical reads|36000",
                "10|1|user commits|0",
                "11|1|user commits|100",
                "10|1|user rollbacks|0",
                "11|1|user rollbacks|20",
                "10|1|logons current|7",
                "11|1|logons current|5",
                "10|2|physical reads|5",
                "11|2|physical reads|9",
            ],
        ),
        section(
            "time_model",
            &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE_US"],
            &["10|1|DB time|0", "11|1|DB time|7200000000", "10|1|DB CPU|5", "11|1|DB CPU|1800000005"],
        ),
        section(
            "system_event",
            &[
                "SNAP_ID",
                "INSTANCE_NUMBER",
                "EVENT",
                "WAIT_CLASS",
                "WAITS",
                "TIME_US",
                "WAITS_FG",
                "TIME_US_FG",
            ],
            &[
                "10|1|db file sequential read|User I/O|100|50000|90|45000",
                "11|1|db file sequential read|User I/O|1100|5050000|990|4545000",
                "11|1|log file sync|Commit|10|20000|10|20000",
            ],
        ),
        section(
            "event_histogram",
            &["SNAP_ID", "INSTANCE_NUMBER", "EVENT", "WAIT_TIME_MILLI", "WAITS"],
            &[
                "10|1|db file sequential read|1|60",
                "11|1|db file sequential read|1|560",
                "11|1|db file sequential read|8|500",
            ],
        ),
        section(
            "iostat_function",
            &[
                "SNAP_ID",
                "INSTANCE_NUMBER",
                "NAME",
                "SMALL_READ_MB",
                "LARGE_READ_MB",
                "SMALL_READ_REQS",
                "LARGE_READ_REQS",
            ],
            &["10|1|LGWR|0|0|0|0", "11|1|LGWR|1|2|3600|7200"],
        ),
        section(
            "file_io",
            &["SNAP_ID", "INSTANCE_NUMBER", "TABLESPACE_NAME", "FILE_NAME", "READS", "READ_CS"],
            &["10|1|DATA|/a|0|0", "11|1|DATA|/a|100|50", "10|1|DATA|/b|0|0", "11|1|DATA|/b|300|150"],
        ),
        section(
            "sqlstat",
            &["SNAP_ID", "INSTANCE_NUMBER", "SQL_ID", "PLAN_HASH_VALUE", "ELAPSED_US"],
            &["11|1|4hq7z8k2m0xva|77|2500000", "13|1|4hq7z8k2m0xva|77|9"],
        ),
        section(
            "sysmetric",
            &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "UNIT", "AVERAGE", "MAXIMUM"],
            &["11|1|Physical Read Total IO Requests Per Sec|Requests Per Second|10.5|99"],
        ),
        section(
            "osstat",
            &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE"],
            &["10|1|BUSY_TIME|5", "11|1|BUSY_TIME|25", "10|1|NUM_CPUS|8", "11|1|NUM_CPUS|8"],
        ),
        section("parameters", &["INSTANCE_NUMBER", "NAME", "VALUE"], &["1|db_block_size|8192"]),
    ]
}

fn printed() -> String {
    let header = [
        ("db_name", Some("SHOP".to_owned())),
        ("db_id", Some("42".to_owned())),
        ("version", Some("19.0.0.0.0".to_owned())),
        ("instances", Some("2".to_owned())),
    ];
    render_spool("history", &header, &history())
}

fn reports() -> Vec<Report> {
    spindle_evidence::read("history", printed().as_bytes()).reports
}

#[test]
fn each_interval_of_each_instance_is_a_report() {
    let found = reports();
    let shape: Vec<_> = found
        .iter()
        .map(|r| {
            let i = &r.identity;
            (
                i.instance_number.unwrap(),
                i.begin_snap.unwrap(),
                i.end_snap.unwrap(),
                i.elapsed_s,
                i.spans_restart,
            )
        })
        .collect();
    assert_eq!(
        shape,
        [(1, 10, 11, Some(3600.0), false), (1, 11, 13, Some(7200.0), false), (2, 10, 11, Some(3600.0), true)]
    );
    let identity = &found[0].identity;
    assert_eq!(
        (identity.kind, identity.db_name.as_deref(), identity.db_id),
        (Kind::History, Some("SHOP"), Some(42))
    );
    assert_eq!((identity.rac, identity.begin_time.as_deref()), (Some(true), Some("2026-01-31T10:00:00")));
    assert_eq!(identity.cpus, Some(8.0));
}

#[test]
fn counters_are_differences() {
    let found = reports();
    let tables = &found[0].tables;
    let stat = |name: &str| tables.instance_stat.iter().find(|s| s.statistic == name).unwrap();
    assert_eq!(stat("physical reads").total, Some(36_000.0));
    assert_eq!(stat("physical reads").per_second, Some(10.0));
    assert_eq!(stat("physical reads").per_transaction, Some(300.0));
    assert_eq!((stat("logons current").total, stat("logons current").end_value), (None, Some(5.0)));
    assert_eq!(found[0].identity.db_time_s, Some(7_200.0));
    let cpu = tables.time_model.iter().find(|r| r.statistic == "DB CPU").unwrap();
    assert_eq!((cpu.time_s, cpu.share_db_time_pct), (Some(1_800.0), Some(25.0)));
    let wait = |event: &str, side| tables.wait_event.iter().find(|w| w.event == event && w.side == side);
    let read = wait("db file sequential read", Side::Foreground).unwrap();
    assert_eq!((read.waits, read.time_s, read.avg_wait_us), (Some(900.0), Some(4.5), Some(5_000.0)));
    assert_eq!(wait("db file sequential read", Side::Background).unwrap().waits, Some(100.0));
    // Never waited for before: the view did not list it.
    assert_eq!(wait("log file sync", Side::Foreground).unwrap().waits, Some(10.0));
    assert!(wait("log file sync", Side::Background).is_none());
    let histogram: Vec<_> =
        tables.wait_histogram[0].buckets.iter().map(|b| (b.high_us.unwrap(), b.waits)).collect();
    assert_eq!(histogram, [(1_024.0, 500.0), (2_048.0, 0.0), (4_096.0, 0.0), (8_192.0, 500.0)]);
    let io = &tables.io_function[0];
    assert_eq!((io.read_bytes, io.reads_per_s, io.writes_per_s), (Some(3.0 * 1_048_576.0), Some(3.0), None));
    assert_eq!(
        (tables.tablespace_io[0].reads, tables.tablespace_io[0].avg_read_us),
        (Some(400.0), Some(5_000.0))
    );
    assert_eq!(tables.file_io.len(), 2);
    assert_eq!((tables.sql_stat[0].elapsed_s, tables.sql_stat[0].plan_hash), (Some(2.5), Some(77)));
    assert_eq!((tables.sysmetric[0].average, tables.sysmetric[0].maximum), (Some(10.5), Some(99.0)));
    let busy = tables.os_stat.iter().find(|s| s.statistic == "BUSY_TIME").unwrap();
    assert_eq!(busy.value, Some(20.0));
    assert_eq!(tables.parameter[0].begin_value.as_deref(), Some("8192"));
}

#[test]
fn counters_that_went_back_and_restarts_give_no_numbers() {
    let found = reports();
    let reads = found[1].tables.instance_stat.iter().find(|s| s.statistic == "physical reads").unwrap();
    assert_eq!((reads.total, reads.per_second), (None, None));
    // A snapshot between is missing: the statement's row is of the last hour only.
    assert!(found[1].tables.sql_stat.is_empty() && found[1].notes.len() == 1, "{:?}", found[1].notes);
    assert!(found[2].tables.instance_stat.is_empty() && found[2].notes.len() == 1, "{:?}", found[2].notes);
}

#[test]
fn cut_anywhere_no_number_changes() {
    let text = printed();
    let whole = reports();
    for end in 0..text.len() {
        for report in spindle_evidence::read("cut", &text.as_bytes()[..end]).reports {
            let same = whole.iter().find(|r| {
                r.identity.instance_number == report.identity.instance_number
                    && r.identity.end_snap == report.identity.end_snap
            });
            let same = same.unwrap();
            for stat in &report.tables.instance_stat {
                let other = same.tables.instance_stat.iter().find(|s| s.statistic == stat.statistic).unwrap();
                assert_eq!(stat.total, other.total);
            }
            assert!(
                report.tables.wait_event.is_empty() || report.tables.wait_event == same.tables.wait_event
            );
        }
    }
}

#[test]
fn a_spool_file_of_segments_is_no_report() {
    let text = render_spool("segments", &[], &[section("segments", &["SEGMENT_NAME"], &["A"])]);
    let reading = spindle_evidence::read("segments", text.as_bytes());
    assert!(reading.reports.is_empty());
    assert!(
        reading.refused.unwrap().starts_with("a spool file of `spindle collect` without two whole snapshots")
    );
}

/// A history of one instance with snapshots that end at these times, in UTC hours `gaps` apart, and a counter.
fn hourly(ends: &[&str], counter: &[i64], more: Vec<SpoolSection>) -> Vec<Report> {
    let snapshots: Vec<String> = ends
        .iter()
        .enumerate()
        .map(|(n, end)| format!("{n}|1|2026-01-01 00:00:00|{}|{end}", ends[n.saturating_sub(1)]))
        .collect();
    let counts: Vec<String> =
        counter.iter().enumerate().map(|(n, c)| format!("{n}|1|physical reads|{c}")).collect();
    let text = |rows: &[String]| rows.to_vec();
    let rows =
        |rows: Vec<String>| rows.iter().map(|r| r.split('|').map(|c| Some(c.to_owned())).collect()).collect();
    let mut sections = vec![
        SpoolSection {
            name: "snapshots",
            columns: &["SNAP_ID", "INSTANCE_NUMBER", "STARTUP_TIME", "BEGIN_TIME", "END_TIME"],
            rows: rows(text(&snapshots)),
        },
        SpoolSection {
            name: "sysstat",
            columns: &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE"],
            rows: rows(text(&counts)),
        },
    ];
    sections.extend(more);
    spindle_evidence::read("h", render_spool("history", &[], &sections).as_bytes()).reports
}

fn elapsed(reports: &[Report]) -> Vec<Option<f64>> {
    reports.iter().map(|r| r.identity.elapsed_s).collect()
}

fn counted(reports: &[Report]) -> Vec<Option<f64>> {
    reports.iter().map(|r| r.tables.instance_stat[0].total).collect()
}

#[test]
fn the_hour_that_the_clock_showed_twice_was_lost() {
    let ends = ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"].map(|t| format!("2026-10-25 {t}:00"));
    let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
    let found = hourly(&ends, &[0, 1, 2, 3, 4, 5], Vec::new());
    assert_eq!(elapsed(&found), [Some(3600.0); 5]);
    assert!(found[2].notes.iter().any(|n| n.message.contains("put back an hour")), "{:?}", found[2].notes);
    // By half hours the clock goes back.
    let ends = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"].map(|t| format!("2026-10-25 {t}:00"));
    let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
    assert_eq!(elapsed(&hourly(&ends, &[0; 6], Vec::new())), [Some(1800.0); 5]);
}

#[test]
fn a_rate_was_halved_or_doubled_where_the_clock_was_put() {
    let named = |day: &str, times: &[&str]| times.iter().map(|t| format!("{day} {t}:00")).collect::<Vec<_>>();
    let lengths = |ends: &[String], more: Vec<SpoolSection>| {
        let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
        let counter: Vec<i64> = (0..).take(ends.len()).collect();
        elapsed(&hourly(&ends, &counter, more))
    };
    let spring = ["00:00", "01:00", "03:00", "04:00", "05:00", "06:00"];
    assert_eq!(lengths(&named("2026-03-29", &spring), Vec::new()), [Some(3600.0); 5]);
    // Every second hour: an hour on the clock, two by all the others.
    let autumn = ["00:00", "02:00", "03:00", "05:00", "07:00", "09:00", "11:00"];
    assert_eq!(lengths(&named("2026-10-25", &autumn), Vec::new()), [Some(7200.0); 6]);
    // Any other Sunday it is a snapshot between.
    let mut others = [Some(7200.0); 6];
    others[1] = Some(3600.0);
    assert_eq!(lengths(&named("2026-10-18", &autumn), Vec::new()), others);
    // Processors that count their time know better than the calendar.
    let cpus = |seconds: &[i64]| {
        let mut sum = 0;
        let mut rows = Vec::new();
        for (n, s) in seconds.iter().enumerate() {
            sum += s;
            for (name, value) in [("NUM_CPUS", 2), ("BUSY_TIME", 50 * sum), ("IDLE_TIME", 150 * sum)] {
                rows.push(format!("{n}|1|{name}|{value}"));
            }
        }
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        vec![section("osstat", &["SNAP_ID", "INSTANCE_NUMBER", "NAME", "VALUE"], &rows)]
    };
    let by_cpu = cpus(&[0, 7200, 3600, 7200, 7200, 7200, 7200]);
    assert_eq!(lengths(&named("2026-10-25", &autumn), by_cpu), others);
}

#[test]
fn a_counter_that_fell_and_climbed_back_was_load() {
    let ends: Vec<String> = (0..7).map(|h| format!("2026-01-31 {h:02}:00:00")).collect();
    let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
    let found = hourly(&ends, &[1_000, 1_010, 10, 1_030, 1_040, 5, 25], Vec::new());
    // Begun anew at 5, it counts on from there.
    assert_eq!(counted(&found), [Some(10.0), None, None, Some(10.0), None, Some(20.0)]);
}

#[test]
fn a_history_that_broke_off_was_taken_for_whole() {
    let text = printed();
    assert_eq!(spindle_evidence::read("whole", text.as_bytes()).refused, None);
    let inside = text.find("B|system_event").unwrap() + 120;
    let cut = spindle_evidence::read("cut", &text.as_bytes()[..inside]);
    let why = cut.refused.unwrap();
    assert!(why.contains("breaks off") && why.contains("nothing is used of system_event"), "{why}");
    assert_eq!(cut.reports.len(), 3);
    let before = text.find("B|system_event").unwrap();
    let why = spindle_evidence::read("cut", &text.as_bytes()[..before]).refused.unwrap();
    assert!(why.contains("what stood behind it is missing"), "{why}");
}

/// How far the clock of the host is ahead of UTC stood in the file and in no report of it.
#[test]
fn the_zone_of_a_history_was_not_read() {
    let offset = |local: &str, utc: &str| {
        let header = [
            ("db_name", Some("SHOP".to_owned())),
            ("now_local", Some(local.to_owned())),
            ("now_utc", Some(utc.to_owned())),
        ];
        let text = render_spool("history", &header, &history());
        let reports = spindle_evidence::read("history", text.as_bytes()).reports;
        assert!(!reports.is_empty());
        reports[0].identity.utc_offset_s
    };
    assert_eq!(offset("2024-06-01 09:00:00", "2024-06-01 00:00:00"), Some(32_400));
    // Taken a second apart; a zone of half an hour.
    assert_eq!(offset("2024-05-31 20:30:00", "2024-06-01 00:00:01"), Some(-12_600));
    // No zone is like that.
    assert_eq!(offset("2024-06-01 00:07:00", "2024-06-01 00:00:00"), None);
    assert_eq!(offset("2024-06-03 00:00:00", "2024-06-01 00:00:00"), None);
    assert_eq!(reports()[0].identity.utc_offset_s, None);
}
