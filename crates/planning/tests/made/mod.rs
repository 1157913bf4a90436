//! Reports and collected files made of a few numbers, for the properties of plans.

use spindle_facts::{
    Collected, CollectedSegment, Identity, InstanceStat, Kind, Layout, Report, SegmentStat, Side, SqlStat,
    TablespaceIo, TimeModelRow, WaitEvent,
};
use spindle_planning::{PlaceOptions, Plan, Planner, Reduced, Refusal, Tier};

/// One segment: blocks, requests (a share of the blocks), direct blocks (a share), size.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) name: String,
    pub(crate) is_index: bool,
    pub(crate) tablespace: usize,
    pub(crate) reads: f64,
    pub(crate) request_share: Option<f64>,
    pub(crate) direct_share: Option<f64>,
    pub(crate) bytes: f64,
}

/// An hour of one instance.
#[derive(Clone, Debug)]
pub(crate) struct Hour {
    pub(crate) number: usize,
    pub(crate) instance: u32,
    pub(crate) cpu_s: f64,
    pub(crate) single: (f64, f64),
    pub(crate) multi: (f64, f64),
    pub(crate) direct: (f64, f64),
    pub(crate) temp: (f64, f64),
    pub(crate) segments: Vec<Segment>,
}

fn wait(event: &str, (waits, time_s): (f64, f64)) -> WaitEvent {
    WaitEvent {
        line: 10,
        section: 0,
        instance_number: None,
        event: event.into(),
        printed_as: None,
        side: Side::Foreground,
        wait_class: Some("User I/O".into()),
        is_idle: false,
        waits: Some(waits),
        waits_low: Some(waits),
        waits_high: Some(waits),
        timeouts: None,
        timeouts_pct: None,
        time_s: Some(time_s),
        time_s_low: Some((time_s - 0.5).max(0.0)),
        time_s_high: Some(time_s + 0.5),
        avg_wait_us: (waits > 0.0).then(|| time_s * 1e6 / waits),
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        waits_per_txn: None,
        share_pct: None,
        share_of: None,
    }
}

fn stat(name: &str, total: f64) -> InstanceStat {
    InstanceStat {
        line: 20,
        section: 0,
        instance_number: None,
        statistic: name.into(),
        printed_as: None,
        total: Some(total),
        per_second: None,
        per_transaction: None,
        begin_value: None,
        end_value: None,
    }
}

/// The report of an hour.
pub(crate) fn report(hour: &Hour) -> Report {
    let mut id =
        Identity::unknown(&format!("hour-{}-{}", hour.number, hour.instance), Kind::Awr, Layout::Text);
    id.db_name = Some("MADE".into());
    id.db_id = Some(7);
    id.instance_number = Some(hour.instance);
    id.version = Some("19.0.0.0.0".into());
    id.block_size_bytes = Some(8192);
    id.elapsed_s = Some(3600.0);
    id.begin_time = Some(format!("2024-03-{:02}T{:02}:00:00", 1 + hour.number / 24, hour.number % 24));
    let next = hour.number + 1;
    id.end_time = Some(format!("2024-03-{:02}T{:02}:00:00", 1 + next / 24, next % 24));
    let waits_s = hour.single.1 + hour.multi.1 + hour.direct.1 + hour.temp.1;
    let db_time_s = hour.cpu_s + waits_s * 1.1;
    id.db_time_s = Some(db_time_s);
    let mut report = Report::new(id);
    let tables = &mut report.tables;
    for (statistic, time_s) in [("DB time", db_time_s), ("DB CPU", hour.cpu_s)] {
        tables.time_model.push(TimeModelRow {
            line: 5,
            section: 0,
            instance_number: None,
            statistic: statistic.into(),
            time_s: Some(time_s),
            time_s_low: Some(time_s),
            time_s_high: Some(time_s),
            share_db_time_pct: None,
        });
    }
    tables.wait_event = vec![
        wait("db file sequential read", hour.single),
        wait("db file scattered read", hour.multi),
        wait("direct path read", hour.direct),
        wait("direct path read temp", hour.temp),
    ];
    let blocks: f64 = hour.segments.iter().map(|s| s.reads).sum();
    let direct: f64 = hour.segments.iter().map(|s| s.reads * s.direct_share.unwrap_or(0.0)).sum();
    let temp_blocks = hour.temp.0 * 31.0;
    tables.instance_stat = vec![
        stat("physical reads", blocks * 1.3 + temp_blocks),
        stat("physical reads direct", direct * 1.2 + temp_blocks),
        stat("physical reads direct temporary tablespace", temp_blocks),
        stat("physical read IO requests", hour.single.0 + hour.multi.0 + hour.direct.0 + hour.temp.0),
    ];
    let mut spaces = [0.0; 3];
    for s in &hour.segments {
        let row = |ranked_by, value| SegmentStat {
            line: 30,
            ranked_by,
            owner: Some("APP".into()),
            tablespace: Some(format!("DATA{}", s.tablespace).into()),
            object: Some(s.name.as_str().into()),
            object_type: Some(if s.is_index { "INDEX" } else { "TABLE" }.into()),
            value: Some(value),
            ..SegmentStat::default()
        };
        tables.segment_stat.push(row("physical_reads", s.reads));
        spaces[s.tablespace % 3] += s.reads;
        if let Some(share) = s.request_share {
            tables.segment_stat.push(row("physical_read_requests", (s.reads * share).ceil()));
        }
        if let Some(share) = s.direct_share {
            tables.segment_stat.push(row("direct_reads", s.reads * share));
        }
    }
    for (number, reads) in spaces.iter().enumerate().filter(|(_, r)| **r > 0.0) {
        tables.tablespace_io.push(TablespaceIo {
            line: 40,
            tablespace: format!("DATA{number}"),
            reads: Some(reads * 1.2),
            avg_read_us: Some(4_000.0 + 3_000.0 * number as f64),
            blocks_per_read: Some(1.3),
            ..TablespaceIo::default()
        });
    }
    tables.sql_stat.push(SqlStat {
        line: 50,
        ranked_by: "elapsed_time",
        sql_id: Some("abcdefgh12345".into()),
        elapsed_s: Some(0.4 * db_time_s),
        cpu_s: Some(0.1 * db_time_s),
        io_wait_s: Some(0.28 * db_time_s),
        ..SqlStat::default()
    });
    report
}

/// Sizes of every segment of some hours.
pub(crate) fn sizes(hours: &[Hour]) -> Collected {
    let mut collected = Collected { source: "segments.txt".into(), ..Collected::default() };
    collected.origin.db_name = Some("MADE".into());
    collected.origin.db_id = Some(7);
    let mut seen = std::collections::BTreeSet::new();
    for s in hours.iter().flat_map(|h| &h.segments) {
        if seen.insert(&s.name) {
            collected.segments.push(CollectedSegment {
                line: 1,
                owner: Some("APP".into()),
                segment: s.name.clone(),
                segment_type: Some(if s.is_index { "INDEX" } else { "TABLE" }.into()),
                tablespace: Some(format!("DATA{}", s.tablespace)),
                bytes: Some(s.bytes),
                ..CollectedSegment::default()
            });
        }
    }
    collected.segments.sort_by(|a, b| a.segment.cmp(&b.segment));
    collected
}

/// A tier of so many bytes.
pub(crate) fn tier(capacity_bytes: f64, latency_us: f64) -> Tier {
    Tier {
        name: "fast".into(),
        capacity_bytes,
        read_latency_us: latency_us,
        write_latency_us: latency_us,
        mbps: Some(2_000.0),
        iops_cap: None,
        price: None,
        endurance_bytes: None,
        profile: None,
    }
}

/// A plan for some hours.
pub(crate) fn plan(hours: &[Hour], tiers: &[Tier], options: &PlaceOptions) -> Result<Plan, Refusal> {
    let mut planner = Planner::default();
    for hour in hours {
        planner.add(Reduced::of(&report(hour)));
    }
    planner.plan(tiers, &[sizes(hours)], options)
}
