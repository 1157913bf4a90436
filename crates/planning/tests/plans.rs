//! Plans: the published volume by object and access path, and how reads divide over the lines of a plan.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{Collected, CollectedSegment, Kind, PlanRow, Report, SqlStat};
use spindle_planning::{PlaceOptions, Plan, PlanVolume, Planner, Reduced};

/// A line: id, parent, operation, options, object, bytes.
struct Line(u32, Option<u32>, &'static str, &'static str, &'static str, f64);

fn rows(sql_id: &str, hash: u64, executions: f64, lines: &[Line]) -> Vec<PlanRow> {
    lines
        .iter()
        .map(|Line(id, parent, operation, options, object, bytes)| PlanRow {
            sql_id: Some(sql_id.into()),
            plan_hash: Some(hash),
            executions: Some(executions),
            children: Some(1.0),
            id: Some(*id),
            parent_id: *parent,
            operation: (*operation).into(),
            options: Some((*options).to_owned()).filter(|o| !o.is_empty()),
            object_owner: (!object.is_empty()).then(|| "APP".to_owned()),
            object: Some((*object).to_owned()).filter(|o| !o.is_empty()),
            bytes: (*bytes > 0.0).then_some(*bytes),
            ..PlanRow::default()
        })
        .collect()
}

/// A statement's plan whose lines stand below its first.
fn select(sql_id: &str, hash: u64, executions: f64, lines: Vec<Line>) -> Vec<PlanRow> {
    let mut all = vec![Line(0, None, "SELECT STATEMENT", "", "", 0.0)];
    all.extend(lines);
    rows(sql_id, hash, executions, &all)
}

fn full(id: u32, object: &'static str, bytes: f64) -> Line {
    Line(id, Some(0), "TABLE ACCESS", "FULL", object, bytes)
}

/// A plan of an hour in which each statement read so many blocks.
fn placed(plan_rows: Vec<PlanRow>, segments: Vec<CollectedSegment>, reads: &[(&str, f64)]) -> Plan {
    placed_often(plan_rows, segments, reads, None)
}

/// The same, each statement run so often.
fn placed_often(
    plan_rows: Vec<PlanRow>,
    segments: Vec<CollectedSegment>,
    reads: &[(&str, f64)],
    executions: Option<f64>,
) -> Plan {
    let listed = Segment {
        name: "SOMETHING_ELSE".into(),
        is_index: false,
        tablespace: 0,
        reads: 200_000.0,
        request_share: None,
        direct_share: None,
        bytes: 1e9,
    };
    let hour = Hour {
        number: 0,
        instance: 1,
        cpu_s: 1_000.0,
        single: (100_000.0, 1_000.0),
        multi: (50_000.0, 800.0),
        direct: (10_000.0, 200.0),
        temp: (0.0, 0.0),
        segments: vec![listed],
    };
    let mut report = report(&hour);
    for (sql_id, blocks) in reads {
        report.tables.sql_stat.push(SqlStat {
            ranked_by: "physical_reads",
            sql_id: Some((*sql_id).into()),
            physical_reads: Some(*blocks),
            executions,
            elapsed_s: Some(300.0),
            io_wait_s: Some(200.0),
            ..SqlStat::default()
        });
    }
    let mut collected: Collected = sizes(std::slice::from_ref(&hour));
    collected.segments.extend(segments);
    let plans = Collected {
        source: "plans.txt".into(),
        plan_rows,
        origin: collected.origin.clone(),
        ..Collected::default()
    };
    let mut planner = Planner::default();
    planner.add(Reduced::of(&report));
    planner.plan(&[tier(1e13, 200.0)], &[collected, plans], &PlaceOptions::default()).unwrap()
}

fn volume<'p>(plan: &'p Plan, object: &str, options: &str) -> &'p PlanVolume {
    let is = |v: &&PlanVolume| v.object == object && v.options.as_deref() == Some(options);
    plan.plan_volumes.iter().find(is).unwrap()
}

const A: &str = "aaaaaaaaaaaaa";
const B: &str = "bbbbbbbbbbbbb";

#[test]
fn executions_and_one_times_bytes_add_up_as_published() {
    let join = Line(1, Some(0), "HASH JOIN", "", "", 700.0);
    let mut plans = select(A, 1, 9.0, vec![join, full(2, "ORDERS", 5_000.0), full(3, "ITEMS", 40_000.0)]);
    plans.extend(select(B, 2, 0.0, vec![full(1, "ITEMS", 30_000.0)]));
    let plan = placed(plans, vec![], &[]);
    // (9 + 1) x 40,000 + (0 + 1) x 30,000; (9 + 1) x 5,000.
    let items = volume(&plan, "ITEMS", "FULL");
    assert_eq!((items.volume_bytes, items.statements, items.executions), (430_000.0, 2, 9.0));
    assert!(items.volume_means_io);
    assert_eq!(volume(&plan, "ORDERS", "FULL").volume_bytes, 50_000.0);
    assert_eq!(plan.plan_volumes.len(), 2, "joins are no objects: {:?}", plan.plan_volumes);
    assert_eq!(plan.plan_volumes[0].object, "ITEMS");
}

#[test]
fn lines_of_child_cursors_and_of_a_second_file_count_once() {
    let mut plans = select(A, 1, 4.0, vec![full(1, "ITEMS", 1_000.0)]);
    plans.extend(plans.clone());
    let plan = placed(plans, vec![], &[]);
    let items = volume(&plan, "ITEMS", "FULL");
    assert_eq!((items.volume_bytes, items.statements, items.executions), (5_000.0, 1, 4.0));
}

/// A self-join was counted as two statements, and so was a statement with two plans.
#[test]
fn a_statement_is_one_however_often_its_plans_name_an_object() {
    let mut plans = select(A, 1, 3.0, vec![full(1, "ITEMS", 100.0), full(2, "ITEMS", 10.0)]);
    plans.extend(select(A, 2, 5.0, vec![full(1, "ITEMS", 100.0)]));
    let plan = placed(plans, vec![], &[]);
    let items = volume(&plan, "ITEMS", "FULL");
    assert_eq!((items.statements, items.executions), (1, 8.0));
    assert_eq!(items.volume_bytes, 4.0 * 110.0 + 6.0 * 100.0);
}

/// `:TQ10001` stood among the objects with the largest volume.
#[test]
fn queues_of_parallel_processes_are_no_objects() {
    let queue = Line(1, Some(0), "PX SEND", "QC (RANDOM)", ":TQ10001", 9e9);
    let plan = placed(select(A, 1, 1.0, vec![queue, full(2, "ITEMS", 1_000.0)]), vec![], &[]);
    let names: Vec<&str> = plan.plan_volumes.iter().map(|v| v.object.as_str()).collect();
    assert_eq!(names, ["ITEMS"]);
}

fn segment(name: &str, partition: Option<&str>, blocks: f64) -> CollectedSegment {
    CollectedSegment {
        owner: Some("APP".into()),
        segment: name.into(),
        partition: partition.map(str::to_owned),
        tablespace: Some("DATA0".into()),
        bytes: Some(8192.0 * blocks),
        ..CollectedSegment::default()
    }
}

/// A lookup by a unique index of a statement that runs often has a large sum and reads next to nothing.
#[test]
fn unique_access_is_not_ranked_by_the_sum() {
    let unique = Line(2, Some(0), "INDEX", "UNIQUE SCAN", "ORDERS_PK", 80_000.0);
    let plans = select(A, 1, 1_000_000.0, vec![full(1, "ITEMS", 10_000.0), unique]);
    let segments = vec![segment("ITEMS", None, 99_999.0), segment("ORDERS_PK", None, 50_000.0)];
    let plan = placed(plans, segments, &[(A, 100_000.0)]);
    let (unique, scan) = (volume(&plan, "ORDERS_PK", "UNIQUE SCAN"), volume(&plan, "ITEMS", "FULL"));
    assert!(unique.volume_bytes > scan.volume_bytes);
    assert!(!unique.volume_means_io && scan.volume_means_io);
    assert!((scan.apportioned_reads.unwrap() - 99_999.0).abs() < 1.0, "{scan:?}");
    assert!((unique.apportioned_reads.unwrap() - 1.0).abs() < 0.01, "{unique:?}");
}

#[test]
fn partitions_count_by_what_was_touched() {
    // Blocks of SALES for a thousand of ITEMS, which is scanned whole.
    let read = |start: &str, stop: &str| {
        let bytes = 8192.0 * 500.0;
        let mut plans = select(A, 1, 1.0, vec![full(1, "SALES", bytes), full(2, "ITEMS", bytes)]);
        (plans[1].partition_start, plans[1].partition_stop) = (Some(start.into()), Some(stop.into()));
        let mut segments: Vec<CollectedSegment> =
            (1..=12).map(|n| segment("SALES", Some(&format!("P{n}")), 1_000.0)).collect();
        segments.push(segment("ITEMS", None, 1_000.0));
        let plan = placed(plans, segments, &[(A, 12_000.0)]);
        let of = |object| volume(&plan, object, "FULL").apportioned_reads.unwrap();
        (1_000.0 * of("SALES") / of("ITEMS")).round()
    };
    assert_eq!(read("1", "12"), 12_000.0);
    assert_eq!(read("12", "12"), 1_000.0);
    assert_eq!(read("1", "1"), 1_000.0, "the first partition alone was taken for the whole table");
    assert_eq!(read("KEY", "KEY"), 500.0, "the optimizer's bytes, where the run decides");
}

/// A fast full scan was taken for single-block reads.
#[test]
fn a_fast_full_scan_of_an_index_is_a_scan() {
    let fast = Line(1, Some(0), "INDEX", "FAST FULL SCAN", "ORDERS_PK", 1_000.0);
    let slow = Line(2, Some(0), "INDEX", "FULL SCAN", "ITEMS_PK", 1_000.0);
    let plan = placed(select(A, 1, 1.0, vec![fast, slow]), vec![], &[]);
    assert!(volume(&plan, "ORDERS_PK", "FAST FULL SCAN").volume_means_io);
    assert!(!volume(&plan, "ITEMS_PK", "FULL SCAN").volume_means_io);
}

/// The cost of what a nested loop probes is of one probe: all reads went to its outer side.
#[test]
fn a_nested_loop_gave_its_reads_to_the_outer_side() {
    let lines = || {
        vec![
            Line(1, Some(0), "NESTED LOOPS", "", "", 0.0),
            Line(2, Some(1), "INDEX", "RANGE SCAN", "ORDERS_IX", 0.0),
            Line(3, Some(1), "TABLE ACCESS", "BY INDEX ROWID", "ITEMS", 0.0),
            Line(4, Some(3), "INDEX", "RANGE SCAN", "ITEMS_PK", 0.0),
        ]
    };
    // Bytes only so that a volume stands for each line.
    let read = |costs: [f64; 4]| {
        let mut plans = select(A, 1, 1.0, lines());
        for (row, cost) in plans[1..].iter_mut().zip(costs) {
            (row.cost, row.bytes) = (Some(cost), Some(100.0));
        }
        let plan = placed(plans, vec![], &[(A, 10_000.0)]);
        ["ORDERS_IX", "ITEMS_PK"].map(|o| volume(&plan, o, "RANGE SCAN").apportioned_reads.unwrap().round())
    };
    // 1,000 probes of 5, 4 of them in the index; once by the probe, once multiplied already.
    assert_eq!(read([5_100.0, 100.0, 5.0, 4.0]), [196.0, 7_843.0]);
    assert_eq!(read([5_100.0, 100.0, 5_000.0, 4_000.0]), [196.0, 7_843.0]);
}

/// One scan of a table, and it was given more blocks than the table has.
#[test]
fn a_scan_read_more_than_its_table_holds() {
    let lines = vec![
        Line(1, Some(0), "NESTED LOOPS", "", "", 100.0),
        Line(2, Some(1), "TABLE ACCESS", "FULL", "ORDERS", 100.0),
        Line(3, Some(1), "INDEX", "RANGE SCAN", "ITEMS_PK", 100.0),
    ];
    let mut plans = select(A, 1, 1.0, lines);
    for (row, cost) in plans[1..].iter_mut().zip([5_000.0, 2_000.0, 3.0]) {
        row.cost = Some(cost);
    }
    let plan = |executions| {
        placed_often(plans.clone(), vec![segment("ORDERS", None, 4_000.0)], &[(A, 10_000.0)], executions)
    };
    let scanned = |plan: &Plan| volume(plan, "ORDERS", "FULL").apportioned_reads.unwrap().round();
    assert_eq!(scanned(&plan(Some(1.0))), 4_000.0);
    assert_eq!(scanned(&plan(None)), 5_714.0, "nobody knows how often");
    let probed = volume(&plan(Some(1.0)), "ITEMS_PK", "RANGE SCAN").apportioned_reads.unwrap();
    assert!((probed - 6_000.0).abs() < 1.0, "{probed}");
}

/// An AWR SQL report of an hour: what it prints of one statement and its plan.
fn of_sql(hour: &Hour, begin: &str) -> Report {
    let mut of_sql = report(hour);
    of_sql.identity.kind = Kind::AwrSql;
    // Before the report of the interval by its name.
    of_sql.identity.source = "awrsqlrpt".into();
    of_sql.identity.begin_time = Some(begin.into());
    let tables = &mut of_sql.tables;
    tables.wait_event.clear();
    tables.segment_stat.clear();
    tables.tablespace_io.clear();
    tables.instance_stat.clear();
    tables.sql_stat = vec![SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some(A.into()),
        plan_hash: Some(1),
        executions: Some(1.0),
        elapsed_s: Some(900.0),
        cpu_s: Some(200.0),
        io_wait_s: Some(600.0),
        physical_reads: Some(150_000.0),
        ..SqlStat::default()
    }];
    tables.plan_row = select(A, 1, 1.0, vec![full(1, "ORDERS", 1e9)]);
    of_sql
}

fn an_hour() -> Hour {
    let orders = Segment {
        name: "ORDERS".into(),
        is_index: false,
        tablespace: 0,
        reads: 200_000.0,
        request_share: None,
        direct_share: None,
        bytes: 1e9,
    };
    Hour {
        number: 0,
        instance: 1,
        cpu_s: 1_000.0,
        single: (100_000.0, 1_000.0),
        multi: (50_000.0, 800.0),
        direct: (10_000.0, 200.0),
        temp: (0.0, 0.0),
        segments: vec![orders],
    }
}

/// The hour, in which the statement stands without its waits, planned with an AWR SQL report.
fn planned_with(of_sql: &Report, as_plans: bool) -> Plan {
    let hour = an_hour();
    let mut whole = report(&hour);
    whole.tables.sql_stat.push(SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some(A.into()),
        elapsed_s: Some(900.0),
        ..SqlStat::default()
    });
    let mut planner = Planner::default();
    if as_plans {
        planner.add_plans(Reduced::of(of_sql));
    } else {
        planner.add(Reduced::of(of_sql));
    }
    planner.add(Reduced::of(&whole));
    let lists = [sizes(std::slice::from_ref(&hour))];
    planner.plan(&[tier(1e13, 200.0)], &lists, &PlaceOptions::default()).unwrap()
}

#[test]
fn an_awr_sql_report_of_a_counted_interval_did_nothing() {
    for as_plans in [false, true] {
        let plan = planned_with(&of_sql(&an_hour(), "2024-03-01T00:00:00"), as_plans);
        assert_eq!((plan.measured.intervals, plan.measured.left_out.len()), (1, 0), "{as_plans}");
        let own = plan.statements.iter().find(|s| s.sql_id.as_deref() == Some(A)).unwrap();
        assert_eq!((own.now_s, own.io_wait_s), (900.0, Some(600.0)));
        assert!(own.then_s.mid < 800.0 && own.because.contains("ORDERS"), "{own:?}");
        assert_eq!(volume(&plan, "ORDERS", "FULL").volume_bytes, 2e9);
        // The report of the interval is counted, whatever the other is called.
        assert!(plan.chosen.contains(&"APP.ORDERS".to_owned()), "{}", plan.answer);
    }
}

#[test]
fn an_awr_sql_report_of_another_interval_was_left_out_in_silence() {
    let half = planned_with(&of_sql(&an_hour(), "2024-03-01T00:30:00"), false);
    assert_eq!(half.measured.intervals, 1);
    assert!(half.measured.left_out[0].contains("its plan is used, its seconds are not"), "{half:?}");
    assert_eq!(half.plan_volumes.len(), 1);
    // Given for its plan, it is no interval of its own, and changes no DB time.
    let mut other = of_sql(&an_hour(), "2024-03-02T00:00:00");
    other.identity.end_time = Some("2024-03-02T01:00:00".into());
    let apart = planned_with(&other, true);
    assert_eq!((apart.measured.intervals, apart.plan_volumes.len()), (1, 1));
    assert!(apart.measured.left_out[0].contains("no other report covers"), "{:?}", apart.measured.left_out);
    assert_eq!(planned_with(&other, false).measured.intervals, 2);
}

#[test]
fn a_statement_gained_less_than_the_others_leave_of_the_plans_saving() {
    // It waits for 1,900 of the 2,000 s of the hour; its plan names an object that no section lists.
    let mut of_sql = of_sql(&an_hour(), "2024-03-01T00:00:00");
    let stat = &mut of_sql.tables.sql_stat[0];
    (stat.elapsed_s, stat.io_wait_s) = (Some(2_500.0), Some(1_900.0));
    of_sql.tables.plan_row = select(A, 1, 1.0, vec![full(1, "ELSEWHERE", 1e9)]);
    let plan = planned_with(&of_sql, true);
    let own = plan.statements.iter().find(|s| s.sql_id.as_deref() == Some(A)).unwrap();
    assert!(plan.saves_s.mid > 200.0, "{}", plan.answer);
    assert!(2_500.0 - own.then_s.mid >= plan.saves_s.mid - 100.0 - 1e-6, "{own:?}, {:?}", plan.saves_s);
}
