//! Hand-made facts and diagnoses: an invented order-entry database on disks.
#![allow(dead_code, reason = "each test uses its part")]

use spindle_diagnosis::{
    Account, AccountValue, CannotTell, ClassTime, Commit, Concentration, DeviceClass, DeviceGuess, Diagnosis,
    EventTime, Evidence, Finding, IoFigure, IoProfile, Latency, ResponseSide, ResponseTime,
};
use spindle_facts::{
    DbCacheAdvice, FileIo, Identity, Interval, Kind, Layout, Note, PgaAdvice, RawTable, Report, Section,
    SectionStatus, SegmentStat, Side, SqlStat, SqlText, TablespaceIo,
};

/// Text that must be shown and never obeyed.
pub(crate) const HOSTILE: &str =
    "SELECT '</table><script>alert(1)</script>' \"x\" onmouseover=alert(2) & <img src=x> FROM dual";

/// A report of an hour that begins at `hour`, with load scaled by `load`.
pub(crate) fn report(hour: u32, load: f64) -> Report {
    let mut id = Identity::unknown(&format!("awr_{hour}.txt"), Kind::Awr, Layout::Text);
    id.db_name = Some("SHOP".into());
    id.instance = Some("shop1".into());
    id.instance_number = Some(1);
    id.version = Some("19.0.0.0.0".into());
    id.host = Some("dbhost".into());
    id.platform = Some("Linux x86 64-bit".into());
    id.cpus = Some(16.0);
    id.cores = Some(8.0);
    id.begin_time = Some(format!("2024-03-05T{hour:02}:00:00"));
    id.end_time = Some(format!("2024-03-05T{:02}:00:00", hour + 1));
    id.elapsed_s = Some(3600.0);
    id.db_time_s = Some(7200.0 * load);
    let mut r = Report::new(id);
    for (i, (title, status, rows)) in [
        ("Load Profile", SectionStatus::Read, 18),
        ("Foreground Wait Events", SectionStatus::Read, 94),
        ("SQL ordered by Reads", SectionStatus::Read, 12),
        ("Tablespace IO Stats", SectionStatus::Read, 6),
        ("File IO Stats", SectionStatus::Unreadable, 0),
        ("Buffer Pool Advisory", SectionStatus::Read, 9),
        ("PGA Memory Advisory", SectionStatus::Read, 5),
        ("Segments by Physical Reads", SectionStatus::Read, 5),
        ("Streams CPU/IO Usage", SectionStatus::Absent, 0),
        ("Shared Servers Activity", SectionStatus::Unknown, 1),
    ]
    .into_iter()
    .enumerate()
    {
        r.sections.push(Section { title: title.into(), line: 40 + 60 * i as u32, status, rows, lost: 0 });
    }
    r.notes.push(Note {
        line: Some(281),
        section: Some("File IO Stats".into()),
        message: "\"Av Rd(ms)\" holds ###### (number wider than the column).".into(),
        effect: "3 of 41 files have no read time.".into(),
    });
    r.raw_tables.push(RawTable {
        title: "Shared Servers Activity".into(),
        line: 580,
        headings: vec!["Avg Total".into(), "Avg Active".into()],
        rows: [[Some("0"), None]].into_iter().collect(),
    });
    for (i, (sql_id, reads, text)) in [
        ("7ws837zynp1zv", 9_400_000.0, "SELECT o.order_id, o.total FROM orders o WHERE o.customer_id = :1 AND o.status = 'OPEN' ORDER BY o.created DESC"),
        ("0w2qpuc6u2zsp", 2_100_000.0, "UPDATE stock SET quantity = quantity - :1 WHERE item_id = :2"),
        ("5mddt5kt45rg3", 1_200_000.0, HOSTILE),
        ("b2gnxm5z6r51n", 240_000.0, "SELECT count(*) FROM audit_trail"),
    ]
    .into_iter()
    .enumerate()
    {
        r.tables.sql_stat.push(SqlStat {
            line: 170 + i as u32,
            section: 2,
            ranked_by: "physical_reads",
            sql_id: Some(sql_id.into()),
            executions: Some(12_000.0 * load),
            elapsed_s: Some(2400.0 * load / (i + 1) as f64),
            io_wait_s: Some(2100.0 * load / (i + 1) as f64),
            physical_reads: Some(reads * load),
            share_pct: Some(reads / 160_000.0),
            section_total: Some(16_000_000.0 * load),
            module: Some(if i == 2 { HOSTILE.into() } else { "shop.web".into() }),
            ..SqlStat::default()
        });
        r.tables.sql_text.push(SqlText {
            line: 900 + i as u32,
            section: 2,
            sql_id: Some(sql_id.into()),
            old_hash: None,
            text: text.into(),
        });
    }
    for (i, (name, share)) in
        [("ORDERS", 48.0), ("STOCK_PK", 21.0), ("AUDIT_TRAIL", 6.5)].into_iter().enumerate()
    {
        r.tables.segment_stat.push(SegmentStat {
            line: 470 + i as u32,
            section: 7,
            ranked_by: "physical_reads",
            owner: Some("SHOP".into()),
            tablespace: Some("USERS".into()),
            object: Some(name.into()),
            object_type: Some(if i == 1 { "INDEX".into() } else { "TABLE".into() }),
            value: Some(160_000.0 * share * load),
            share_pct: Some(share),
            captured_pct: Some(75.5),
            section_total: Some(16_000_000.0 * load),
            ..SegmentStat::default()
        });
    }
    for (i, (name, reads, ms)) in [
        ("USERS", 4_000.0, 11.4),
        ("STOCK", 380.0, 9.1),
        ("SYSTEM", 4.0, 3.2),
        ("SYSAUX", 2.5, 4.0),
        ("UNDOTBS1", 0.02, 22.0),
        ("TEMP", 0.0, 0.0),
    ]
    .into_iter()
    .enumerate()
    {
        let io = TablespaceIo {
            line: 230 + i as u32,
            section: 3,
            tablespace: name.into(),
            reads: Some(reads * 3600.0 * load),
            reads_per_s: Some(reads * load),
            avg_read_us: (reads > 0.0).then_some(ms * 1000.0),
            blocks_per_read: Some(1.2),
            writes: Some(40_000.0),
            writes_per_s: Some(11.1),
            ..TablespaceIo::default()
        };
        r.tables.file_io.push(FileIo {
            file: format!("/u01/oradata/SHOP/{}01.dbf", name.to_lowercase()),
            io: io.clone(),
        });
        r.tables.tablespace_io.push(io);
    }
    for i in 1..=8u32 {
        let f = f64::from(i) / 4.0;
        r.tables.db_cache_advice.push(DbCacheAdvice {
            line: 345 + i,
            section: 5,
            pool: Some("D".into()),
            size_bytes: Some(f * 8.0 * 1024.0 * 1024.0 * 1024.0),
            size_factor: Some(f),
            read_factor: Some(1.0 / f.sqrt()),
            estimated_reads: Some(16e6 / f.sqrt()),
            ..DbCacheAdvice::default()
        });
    }
    for i in [1u32, 2, 4, 8] {
        let f = f64::from(i) / 2.0;
        r.tables.pga_advice.push(PgaAdvice {
            line: 405 + i,
            section: 6,
            target_bytes: Some(f * 2.0 * 1024.0 * 1024.0 * 1024.0),
            size_factor: Some(f),
            extra_rw_bytes: Some(3e9 / f),
            cache_hit_pct: Some(100.0 - 8.0 / f),
            over_allocations: Some(0.0),
            ..PgaAdvice::default()
        });
    }
    r
}

fn figure(value: f64, account: &str, line: u32) -> Option<IoFigure> {
    Some(IoFigure { value, bounds: None, account: account.into(), line })
}

fn event(event: &str, waits: f64, time_s: f64, line: u32) -> EventTime {
    EventTime {
        event: event.into(),
        waits: Some(waits),
        time_s,
        counted_s: time_s,
        time_s_bounds: Interval::around(time_s, 0.5),
        avg_us: Some(time_s / waits * 1e6),
        avg_us_bounds: Some(Interval::around(time_s / waits * 1e6, 0.5 / waits * 1e6)),
        p50_us: Some(Interval { low: 8192.0, high: 16384.0 }),
        p90_us: Some(Interval { low: 16384.0, high: 32768.0 }),
        p99_us: Some(Interval { low: 65536.0, high: f64::INFINITY }),
        line,
        section: "Foreground Wait Events".into(),
    }
}

/// What would be said about [`report`].
pub(crate) fn diagnosis(load: f64) -> Diagnosis {
    let db_time = 7200.0 * load;
    let class = |name: &str, share: f64, events: Vec<EventTime>| ClassTime {
        wait_class: name.into(),
        time_s: db_time * share / 100.0,
        printed_s: db_time * share / 100.0,
        share_pct: Some(share),
        events,
    };
    let classes = vec![
        class(
            "User I/O",
            47.0,
            vec![
                event("db file sequential read", 263_000.0 * load, db_time * 0.41, 120),
                event("direct path read temp", 40_000.0 * load, db_time * 0.04, 126),
                event("db file scattered read", 12_000.0 * load, db_time * 0.02, 128),
            ],
        ),
        class("Commit", 8.0, vec![event("log file sync", 90_000.0 * load, db_time * 0.08, 122)]),
        class("Concurrency", 3.1, vec![event("buffer busy waits", 30_000.0, db_time * 0.031, 124)]),
        class("Application", 1.2, vec![event("enq: TX - row lock contention", 12.0, db_time * 0.012, 125)]),
        class("Network", 0.3, vec![event("SQL*Net more data to client", 300_000.0, db_time * 0.003, 130)]),
    ];
    Diagnosis {
        answer: "41 % of DB time is single-block reads at 11.2 ms from disk-class storage; 3 statements cause 81 % of them.".into(),
        storage_is_the_problem: Some(true),
        response_time: ResponseTime {
            foreground: ResponseSide {
                db_time_s: Some(db_time),
                db_time_from: None,
                db_time_bounds: None,
                cpu_s: Some(db_time * 0.31),
                wait_s: Some(db_time * 0.596),
                unexplained_s: Some(db_time * 0.094),
                unread_s: None,
                classes,
                leaders_alone: false,
                remark: None,
            },
            background: ResponseSide {
                db_time_s: Some(900.0),
                db_time_from: None,
                db_time_bounds: None,
                cpu_s: Some(60.0),
                wait_s: Some(700.0),
                unexplained_s: Some(140.0),
                unread_s: None,
                classes: vec![ClassTime {
                    wait_class: "System I/O".into(),
                    time_s: 700.0,
                    printed_s: 700.0,
                    share_pct: Some(77.8),
                    events: vec![event("log file parallel write", 88_000.0, 520.0, 150)],
                }],
                leaders_alone: false,
                remark: None,
            },
        },
        io_profile: IoProfile {
            read_iops: figure(4_390.0 * load, "IO Profile, Total Requests", 60),
            write_iops: figure(310.0 * load, "IO Profile, Total Requests", 60),
            redo_write_iops: figure(24.4 * load, "IO Profile, Redo Requests", 63),
            read_mbps: figure(39.0 * load, "IO Profile, Total (MB)", 64),
            write_mbps: figure(4.1 * load, "IO Profile, Total (MB)", 64),
            redo_write_mbps: figure(1.2 * load, "Instance Activity Stats, redo size and redo wastage", 302),
            single_block_read_us: figure(11_224.0, "Foreground Wait Events, db file sequential read", 120),
            multi_block_read_us: figure(12_000.0, "Foreground Wait Events, db file scattered read", 128),
            log_write_us: figure(5_909.0, "Background Wait Events, log file parallel write", 150),
            small_read_share_pct: figure(93.1, "Instance Activity Stats", 300),
        },
        device_class: DeviceGuess {
            value: DeviceClass::Disk,
            because: "half of the single-block reads take 8 to 16 ms, as spinning disks do".into(),
        },
        commit: Commit {
            sync_us: Some(6_400.0),
            write_us: Some(5_909.0),
            explained_us: Some(Interval { low: 5_900.0, high: 12_100.0 }),
            outcome: "writes_explain_it",
            because: "log writes of this distribution keep a committer waiting between 5.9 and 12.1 ms".into(),
            ..Commit::default()
        },
        concentration: Concentration {
            statements_for_80_pct: Some(3),
            segments_for_80_pct: None,
            unseen_sql_pct: Some(19.1),
            unseen_segment_pct: Some(24.5),
        },
        accounts: vec![
            Account {
                quantity: "read requests a second".into(),
                by: vec![
                    AccountValue { section: "IO Profile".into(), value: 4390.0, bounds: Interval { low: 4389.9, high: 4390.1 }, line: 60, agrees: true },
                    AccountValue { section: "Instance Activity Stats".into(), value: 4390.04, bounds: Interval { low: 4390.0, high: 4390.1 }, line: 301, agrees: true },
                    AccountValue { section: "Tablespace IO Stats, sum".into(), value: 4386.5, bounds: Interval { low: 4383.0, high: 4390.0 }, line: 230, agrees: false },
                ],
                agree: false,
                gap_pct: Some(0.08),
                used: Some("IO Profile".into()),
                because: "it counts every request; tablespaces leave out control files and redo".into(),
            },
        ],
        latency: vec![
            Latency {
                event: "db file sequential read".into(),
                side: Side::All,
                avg_us: Some(11_224.0),
                p50_us: Some(Interval { low: 8192.0, high: 16384.0 }),
                p90_us: Some(Interval { low: 16384.0, high: 32768.0 }),
                p99_us: Some(Interval { low: 65536.0, high: f64::INFINITY }),
                bar_us: Some(10_000.0),
                shape: Some("one peak at 8-16 ms: disks".into()),
                buckets: vec![
                    (0.0, Some(512.0), 9000.0), (512.0, Some(1024.0), 7000.0), (1024.0, Some(2048.0), 4000.0),
                    (2048.0, Some(4096.0), 20_000.0), (4096.0, Some(8192.0), 61_000.0), (8192.0, Some(16384.0), 110_000.0),
                    (16384.0, Some(32768.0), 40_000.0), (32768.0, Some(65536.0), 9_000.0), (65536.0, None, 3_000.0),
                ],
                bucket_waits: Vec::new(),
                line: 210,
            },
            Latency {
                event: "log file parallel write".into(),
                side: Side::Background,
                avg_us: Some(5_909.0),
                p50_us: Some(Interval { low: 1024.0, high: 2048.0 }),
                p90_us: Some(Interval { low: 8192.0, high: 16384.0 }),
                p99_us: Some(Interval { low: 32768.0, high: 65536.0 }),
                bar_us: Some(10_000.0),
                shape: Some("two peaks: a write cache that is sometimes full".into()),
                buckets: vec![
                    (0.0, Some(512.0), 4000.0), (512.0, Some(1024.0), 22_000.0), (1024.0, Some(2048.0), 24_000.0), (2048.0, Some(4096.0), 6_000.0),
                    (4096.0, Some(8192.0), 5_000.0), (8192.0, Some(16384.0), 19_000.0), (16384.0, Some(32768.0), 6_000.0), (32768.0, Some(65536.0), 2_000.0),
                ],
                bucket_waits: Vec::new(),
                line: 215,
            },
        ],
        findings: vec![
            Finding {
                rule: "slow_single_block_reads",
                title: "Single-block reads take 11.2 ms on average, the bar for disks is 10 ms".into(),
                outcome: "found",
                impact_s: db_time * 0.41,
                impact_pct: Some(41.0),
                touches_s: db_time * 0.41,
                storage: true,
                evidence: vec![
                    Evidence { table: "wait_event", row: 0, line: 120, more_rows: 0, section: "Foreground Wait Events".into(), text: "db file sequential read: 263,000 waits, 2,952 s, 11.2 ms".into() },
                    Evidence { table: "wait_histogram", row: 0, line: 210, more_rows: 0, section: "Wait Event Histogram".into(), text: "99 % of the reads are under 65.5 ms, 1 % above".into() },
                ],
                actions: vec!["Tune the three statements that cause 81 % of the reads first: fewer reads help more than faster ones.".into(), "Then move ORDERS and STOCK_PK to flash.".into()],
                caveat: "When the array's cache was busy with a backup in this hour only.".into(),
                ..Finding::default()
            },
            Finding {
                rule: "temp_spills",
                title: "Work areas spill to temp: 288 s of reads".into(),
                outcome: "found",
                impact_s: db_time * 0.04,
                impact_pct: Some(4.0),
                touches_s: db_time * 0.08,
                storage: true,
                evidence: vec![Evidence { table: "wait_event", row: 2, line: 126, more_rows: 0, section: "Foreground Wait Events".into(), text: "direct path read temp: 40,000 waits, 288 s, 7.2 ms".into() }],
                actions: vec!["Raise PGA_AGGREGATE_TARGET to 4 GiB: the advice shows half the extra reads and writes.".into()],
                caveat: "One large sort may cause all of it: look at the statement.".into(),
                ..Finding::default()
            },
        ],
        not_found: vec!["slow_redo_write", "hard_parsing"],
        cannot_tell: vec![CannotTell { rule: "slow_file", missing: "File IO Stats is unreadable".into() }],
    }
}

/// An excerpt of which nothing but the header was read.
pub(crate) fn empty() -> (Report, Diagnosis) {
    let mut id = Identity::unknown("mail.txt", Kind::Statspack, Layout::Text);
    id.excerpt = true;
    let diagnosis = Diagnosis {
        answer:
            "The excerpt prints no wait events and no time model: where response time went cannot be told."
                .into(),
        storage_is_the_problem: None,
        response_time: ResponseTime::default(),
        io_profile: IoProfile::default(),
        device_class: DeviceGuess {
            value: DeviceClass::Unknown,
            because: "no histogram, no file names".into(),
        },
        commit: Commit {
            outcome: "cannot_tell",
            because: "no log writes are printed".into(),
            ..Commit::default()
        },
        concentration: Concentration::default(),
        accounts: vec![],
        latency: vec![],
        findings: vec![],
        not_found: vec![],
        cannot_tell: vec![CannotTell { rule: "slow_redo_write", missing: "no wait events".into() }],
    };
    (Report::new(id), diagnosis)
}

/// [`HOSTILE`] as it must stand on a page.
pub(crate) fn hostile_on_page() -> String {
    spindle_presentation::escape::html(HOSTILE)
}
