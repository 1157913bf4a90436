//! Sizing: the published worked example, sums over what runs together, and what must hold of any
//! history whatever is in it.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use spindle_facts::{
    Identity, InstanceStat, IoActivity, IoProfileRow, Kind, Layout, PrintedRow, Report, Scope, SegmentStat,
    SqlStat, SysMetric, TopEvent, Value,
};
use spindle_planning::profiles;
use spindle_planning::sizing::{
    Disk, Measures, RedoCount, ReducedLoad, Redundancy, RedundancyNeed, SizeOptions, Sizer, Sizing,
    bare_of_these, redundancies,
};

fn options(disk: &str) -> SizeOptions {
    SizeOptions {
        percentile: 99.0,
        redundancy: redundancies(),
        sized_for: 1,
        redundancy_asked: false,
        disks: vec![Disk::parse(disk, &profiles()).unwrap()],
        latency_target_us: None,
        capacity_bytes: None,
        disks_per_cell: None,
        growth_pct: None,
        years: 3,
        racks: true,
        top: 10,
    }
}

fn stated(read: f64, write: f64, options: &SizeOptions) -> Sizing {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures { read_iops: Some(read), write_iops: Some(write), ..Measures::default() });
    sizer.size(options).unwrap()
}

fn need<'s>(sizing: &'s Sizing, name: &str) -> &'s RedundancyNeed {
    sizing.redundancy.iter().find(|r| r.name == name).unwrap()
}

/// An interval of an instance: minutes from and to, requests a second.
fn report(db: &str, instance: u32, from: i64, to: i64, read: f64, write: f64) -> Report {
    let mut id = Identity::unknown(&format!("{db}{instance}-{from}-{to}"), Kind::Awr, Layout::Text);
    id.db_name = Some(db.into());
    id.instance_number = Some(instance);
    let time = |m: i64| format!("2024-03-{:02}T{:02}:{:02}:00", 1 + m / 1440, m % 1440 / 60, m % 60);
    id.begin_time = Some(time(from));
    id.end_time = Some(time(to));
    let seconds = 60.0 * (to - from) as f64;
    id.elapsed_s = Some(seconds);
    let mut report = Report::new(id);
    for (name, rate) in [
        ("physical read total IO requests", read),
        ("physical write total IO requests", write),
        ("redo writes", write / 4.0),
    ] {
        report.tables.instance_stat.push(InstanceStat {
            statistic: name.into(),
            total: Some(rate * seconds),
            per_second: None,
            line: 1,
            section: 0,
            instance_number: None,
            printed_as: None,
            per_transaction: None,
            begin_value: None,
            end_value: None,
        });
    }
    report
}

fn size(reports: &[Report], options: &SizeOptions) -> Sizing {
    let mut sizer = Sizer::default();
    reports.iter().for_each(|r| sizer.add(ReducedLoad::of(r)));
    sizer.size(options).unwrap()
}

fn near(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() <= 1e-6 * b.abs().max(1.0))
}

#[test]
fn the_worked_example_of_2012() {
    let sizing = stated(5_000.0, 5_000.0, &options("180IOPS"));
    let (normal, high) = (need(&sizing, "normal"), need(&sizing, "high"));
    assert_eq!((normal.hardware_iops, high.hardware_iops), (Some(15_000.0), Some(20_000.0)));
    let exact = normal.disks_for_iops_bare_exact.unwrap();
    assert_eq!(format!("{exact:.1}"), "83.3");
    assert_eq!(normal.disks_for_iops_bare, Some(84.0));
    assert_eq!(format!("{:.1}", normal.cells_bare_exact.unwrap()), "6.9");
    assert_eq!(normal.cells_bare, Some(7.0));
    let rack = |name: &str| {
        sizing.racks.iter().find(|r| r.rack.starts_with(name) && r.redundancy == "normal").unwrap()
    };
    let (half, full) = (rack("half rack X2-2, high capacity"), rack("full rack X2-2, high capacity"));
    assert_eq!((half.disk_iops, half.spare_iops, half.enough), (12_500.0, -2_500.0, Some(false)));
    assert_eq!((full.disk_iops, full.enough), (25_000.0, Some(true)));
    // A bare division leaves no room to wait: at twice the time of a request alone half of it is used.
    assert_eq!(normal.disks, Some(167.0));
    assert_eq!(normal.cells, Some(14.0));
}

#[test]
fn instances_are_added_at_the_same_time_and_not_peak_on_peak() {
    let reports = [
        report("A", 1, 0, 60, 1_000.0, 0.0),
        report("A", 1, 60, 120, 100.0, 0.0),
        report("A", 2, 0, 60, 200.0, 0.0),
        report("A", 2, 60, 120, 900.0, 0.0),
    ];
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.intervals.len(), 2);
    assert!(near(sizing.workload.max.read_iops, 1_200.0), "{:?}", sizing.workload.max);
    assert!(near(sizing.workload.mean.read_iops, 1_100.0));
    assert!(sizing.intervals.iter().all(|i| i.instances == 2 && i.complete));
}

#[test]
fn intervals_that_overlap_in_part_are_cut_and_weighted_by_time() {
    let reports = [
        report("A", 1, 0, 120, 100.0, 0.0),
        report("B", 1, 30, 60, 50.0, 0.0),
        report("B", 1, 60, 120, 10.0, 0.0),
    ];
    let sizing = size(&reports, &options("180IOPS"));
    let rows: Vec<(f64, f64, bool)> =
        sizing.intervals.iter().map(|i| (i.seconds, i.measures.read_iops.unwrap(), i.complete)).collect();
    let expected = [(1_800.0, 100.0, false), (1_800.0, 150.0, true), (3_600.0, 110.0, true)];
    for (row, expected) in rows.iter().zip(expected) {
        assert!((row.0, row.2) == (expected.0, expected.2) && (row.1 - expected.1).abs() < 1e-6, "{rows:?}");
    }
    // The half hour without B is shown and not counted.
    assert!(near(sizing.workload.mean.read_iops, (150.0 + 2.0 * 110.0) / 3.0));
    assert!(sizing.warnings.iter().any(|w| w.contains("lack a database")), "{:?}", sizing.warnings);
}

#[test]
fn databases_of_different_days_are_never_together() {
    let reports = [report("A", 1, 0, 60, 100.0, 0.0), report("B", 1, 2_000, 2_060, 70.0, 0.0)];
    let sizing = size(&reports, &options("180IOPS"));
    assert!(sizing.warnings[1].contains("never measured at the same time"), "{:?}", sizing.warnings);
}

/// Two databases of different days were said to ask together what one of them asks.
#[test]
fn databases_of_different_days_have_no_sum_in_the_answer() {
    let reports = [report("A", 1, 0, 60, 1_000.0, 100.0), report("B", 1, 2_000, 2_060, 700.0, 50.0)];
    let sizing = size(&reports, &options("180IOPS"));
    let apart = sizing.apart.as_ref().unwrap();
    assert!(near(Some(apart.hardware_low), 1_200.0) && near(Some(apart.hardware_high), 2_000.0), "{apart:?}");
    assert_eq!((apart.disks_low, apart.disks_high), (Some(14.0), Some(23.0)));
    assert!(near(need(&sizing, "normal").hardware_iops, 1_200.0));
    assert!(!sizing.answer.contains("databases together ask"), "{}", sizing.answer);
    for words in ["A 1,200, B 800", "Together is not known: 1,200 to 2,000", "A alone asks 1,100 IOPS"] {
        assert!(sizing.answer.contains(words), "{words}: {}", sizing.answer);
    }
    assert!(sizing.consolidation.iter().all(|t| t.share_at_peak.is_none()), "{:?}", sizing.consolidation);
    assert_eq!(sizing.intervals.iter().filter(|i| i.counted).count(), 1);
}

/// The sum of those measured together was said to be of the largest of them alone, and the least that all
/// need was that of the largest alone.
#[test]
fn the_load_of_several_databases_was_said_to_be_of_one_alone() {
    let reports = [
        report("A", 1, 0, 60, 300.0, 0.0),
        report("B", 1, 2_000, 2_060, 250.0, 0.0),
        report("C", 1, 2_000, 2_060, 200.0, 0.0),
        report("C", 1, 2_060, 2_120, 10.0, 0.0),
    ];
    let sizing = size(&reports, &options("180IOPS"));
    let apart = sizing.apart.as_ref().unwrap();
    assert_eq!((apart.largest.as_str(), apart.together), ("B and C", 2));
    assert!(near(Some(apart.hardware_low), 450.0) && near(Some(apart.hardware_high), 750.0), "{apart:?}");
    assert!(near(need(&sizing, "normal").hardware_iops, 450.0));
    assert!(sizing.answer.contains("B and C, measured together, ask 450 IOPS"), "{}", sizing.answer);
    let counted: Vec<bool> = sizing.intervals.iter().map(|i| i.counted).collect();
    assert_eq!(counted, [false, true, false]);
}

fn of_instances(mut report: Report, running: f64) -> Report {
    let keys = vec![
        ("metric", Value::Text("Number of Instances:".into())),
        ("begin", Value::Number(running)),
        ("end", Value::Number(running)),
    ];
    report.tables.rac_cache.push(PrintedRow {
        line: 130,
        section: 0,
        instance_number: None,
        cells: keys.into(),
    });
    report
}

#[test]
fn one_instance_was_sized_as_the_whole_database() {
    let one = of_instances(report("A", 1, 0, 60, 1_000.0, 0.0), 8.0);
    let sizing = size(std::slice::from_ref(&one), &options("180IOPS"));
    assert!(!sizing.intervals[0].complete && sizing.intervals[0].counted);
    let missing = &sizing.instances_missing[0];
    assert_eq!((missing.measured, missing.running), (1, 8));
    assert!(sizing.answer.starts_with("1 of the 8 instances of A asks 1,000 IOPS"), "{}", sizing.answer);
    assert!(
        sizing.warnings.iter().any(|w| w.contains("what the other 7 asks is in no figure")),
        "{:?}",
        sizing.warnings
    );
    // Both of two are there.
    let pair = [1, 2].map(|n| of_instances(report("A", n, 0, 60, 100.0, 0.0), 2.0));
    let sizing = size(&pair, &options("180IOPS"));
    assert!(sizing.intervals[0].complete && sizing.instances_missing.is_empty());
}

#[test]
fn more_redo_writes_than_writes_were_taken_off_them() {
    let mut odd = report("A", 1, 0, 60, 100.0, 40.0);
    odd.tables.instance_stat.iter_mut().filter(|s| &*s.statistic == "redo writes").for_each(|s| {
        s.per_second = Some(70.0);
        s.total = Some(70.0 * 3_600.0);
    });
    let sizing = size(std::slice::from_ref(&odd), &options("180IOPS"));
    assert_eq!(sizing.write_mix.redo_write_iops, None);
    assert_eq!(sizing.gaps.iter().map(|g| g.kind).collect::<Vec<_>>(), ["contradiction"]);
}

#[test]
fn a_report_whose_times_make_no_sense_counted_an_hour_twice() {
    let mut odd = report("A", 1, 0, 60, 100.0, 40.0);
    (odd.identity.begin_time, odd.identity.end_time) =
        (odd.identity.end_time.clone(), odd.identity.begin_time.clone());
    let sizing = size(&[odd, report("A", 1, 0, 60, 100.0, 40.0)], &options("180IOPS"));
    assert_eq!(sizing.intervals.len(), 1);
    assert_eq!(sizing.gaps.iter().map(|g| g.kind).collect::<Vec<_>>(), ["left_out"]);
}

/// Two collectors of one quarter hour, a minute apart, were two intervals, or the poorer one stayed.
#[test]
fn reports_of_two_collectors_of_one_quarter_are_one() {
    let mut poor = report("A", 1, 1, 15, 900.0, 90.0);
    poor.identity.kind = Kind::Statspack;
    let rich = report("A", 1, 0, 16, 800.0, 80.0);
    for pair in [[poor.clone(), rich.clone()], [rich, poor]] {
        let sizing = size(&pair, &options("180IOPS"));
        assert_eq!(sizing.intervals.len(), 1, "{:?}", sizing.intervals);
        assert!(near(sizing.workload.max.read_iops, 800.0), "{:?}", sizing.workload.max);
        assert_eq!(sizing.gaps.iter().map(|g| g.kind).collect::<Vec<_>>(), ["duplicate"]);
    }
    // Neighbours of a minute are no twins.
    let minutes = [report("A", 1, 0, 1, 100.0, 10.0), report("A", 1, 1, 2, 200.0, 10.0)];
    assert_eq!(size(&minutes, &options("180IOPS")).intervals.len(), 2);
}

#[test]
fn copies_in_several_failure_groups_were_held_by_one_cell() {
    let said = |name: &str, read: f64| {
        let sized_for = redundancies().iter().position(|r| r.name == name).unwrap();
        let sizing = stated(read, 0.0, &SizeOptions { sized_for, ..options("disk_15k") });
        sizing.warnings.iter().filter(|w| w.contains("failure group")).count()
    };
    assert_eq!([said("normal", 100.0), said("high", 100.0), said("external", 100.0)], [1, 1, 0]);
    assert_eq!([said("normal", 2_000.0), said("high", 4_000.0), said("raid5", 100.0)], [0, 0, 0]);
}

#[test]
fn racks_stand_only_where_asked_or_measured() {
    let reports = [report("A", 1, 0, 60, 1_000.0, 100.0)];
    let unasked = SizeOptions { racks: false, ..options("nvme_mixed_use") };
    assert!(size(&reports, &unasked).racks.is_empty());
    let mut exadata = reports[0].clone();
    exadata.tables.io_function.push(IoActivity {
        function: Some("Smart Scan".into()),
        reads_per_s: Some(500.0),
        writes_per_s: Some(0.0),
        ..IoActivity::default()
    });
    let sizing = size(&[exadata], &unasked);
    assert!(
        !sizing.racks.is_empty() && sizing.racks.iter().all(|r| r.rack.contains(" rpm")),
        "{:?}",
        sizing.racks
    );
}

/// "5.3 ms alone, planned for twice that" stood beside "50 % busy at 11.3 ms"; and a latency below the
/// time of a read alone, of a device whose writes are faster.
#[test]
fn latency_fits_the_time_of_a_request_alone() {
    let reports = [report("A", 1, 0, 60, 1_000.0, 900.0)];
    let sizing = size(&reports, &options("disk_15k"));
    let normal = need(&sizing, "normal");
    let (alone, busy) = (normal.request_us.unwrap(), normal.utilisation.unwrap());
    assert!((normal.latency_us.unwrap() - alone / (1.0 - busy)).abs() < 1.0, "{normal:?}");
    let sizing = size(&reports, &options("nvme_mixed_use"));
    let normal = need(&sizing, "normal");
    assert!(normal.latency_us >= normal.request_us, "{normal:?}");
    assert!(!sizing.answer.contains(" 0 % busy"), "{}", sizing.answer);
    assert!(
        sizing.answer.contains("one such request alone") && sizing.answer.contains(" 1 cell of"),
        "{}",
        sizing.answer
    );
}

#[test]
fn doubles_overlaps_restarts_and_gaps_are_found() {
    let mut restarted = report("A", 1, 240, 300, 9_999.0, 0.0);
    restarted.identity.spans_restart = true;
    let mut twin = report("A", 1, 0, 60, 100.0, 0.0);
    twin.identity.source = "a copy".into();
    let reports = [
        report("A", 1, 0, 60, 100.0, 0.0),
        twin,
        report("A", 1, 60, 120, 200.0, 0.0),
        report("A", 1, 0, 120, 150.0, 0.0),
        restarted,
        report("A", 1, 300, 360, 100.0, 0.0),
    ];
    let sizing = size(&reports, &options("180IOPS"));
    let count = |kind: &str| sizing.gaps.iter().filter(|r| r.kind == kind).count();
    let kinds = (count("duplicate"), count("overlap"), count("restart"), count("gap"));
    assert_eq!(kinds, (1, 1, 1, 1), "{:#?}", sizing.gaps);
    assert_eq!(sizing.intervals_counted, 3);
    assert!(near(sizing.workload.max.read_iops, 200.0));
}

#[test]
fn a_whole_database_is_not_added_to_its_instances() {
    let mut whole = report("A", 1, 0, 60, 300.0, 30.0);
    whole.identity.scope = Scope::Database;
    whole.identity.instances = Some(2);
    whole.identity.instance_number = None;
    let reports = [whole, report("A", 1, 0, 60, 100.0, 10.0), report("A", 2, 0, 60, 200.0, 20.0)];
    let sizing = size(&reports, &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 300.0), "{:?}", sizing.workload.max);
    assert_eq!(sizing.intervals.len(), 1);
}

/// Reports of instances that were passed over for one of their whole database stood nowhere.
#[test]
fn reports_left_out_beside_one_of_their_whole_database_were_not_listed() {
    let named = |mut r: Report, source: &str| {
        r.identity.source = source.into();
        r
    };
    let whole = |from: i64, to: i64| {
        let mut whole = named(report("A", 1, from, to, 300.0, 30.0), "all.html");
        whole.identity.scope = Scope::Database;
        whole.identity.instances = Some(2);
        whole.identity.instance_number = None;
        whole
    };
    let one =
        |n: u32, from: i64, to: i64| named(report("A", n, from, to, 100.0, 10.0), &format!("i{n}.html"));
    let said = |reports: &[Report]| {
        let gaps = size(reports, &options("180IOPS")).gaps;
        let of = |g: &&spindle_planning::sizing::Remark| g.kind == "left_out";
        gaps.iter().filter(of).map(|g| (g.instance_number, g.message.clone())).collect::<Vec<_>>()
    };
    let part = |n: u32| {
        (Some(n), format!("i{n}.html is left out: its load is part of all.html, of the whole database"))
    };
    assert_eq!(said(&[whole(0, 60), one(1, 0, 60), one(2, 0, 60)]), [part(1), part(2)]);
    // Shorter intervals of all instances say more than the whole of two hours.
    let quarters = [whole(0, 120), one(1, 0, 60), one(2, 0, 60), one(1, 60, 120), one(2, 60, 120)];
    let expected = "all.html is left out: its requests are counted from its instances, as i1.html";
    assert_eq!(said(&quarters), [(None, expected.to_owned())]);
    // Counted in the second hour, which nobody else says.
    assert_eq!(said(&[whole(0, 60), one(1, 0, 120), one(2, 0, 120)]), []);
    // A file that holds both says one thing twice.
    let both = [named(whole(0, 60), "h.lst"), named(one(1, 0, 60), "h.lst"), named(one(2, 0, 60), "h.lst")];
    assert_eq!(said(&both), []);
}

#[test]
fn containers_are_part_of_their_database() {
    let mut part = report("A", 1, 0, 60, 80.0, 8.0);
    part.identity.container = Some("SALES".into());
    part.identity.scope = Scope::Container;
    let sizing = size(&[report("A", 1, 0, 60, 100.0, 10.0), part.clone()], &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 100.0), "{:?}", sizing.workload.max);
    // Without the whole, containers are tenants.
    let mut other = part.clone();
    other.identity.container = Some("STOCK".into());
    let sizing = size(&[part, other], &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 160.0));
    assert_eq!(sizing.consolidation.len(), 2);
}

#[test]
fn what_an_hour_hides_comes_from_hours_seen_in_quarters() {
    let mut reports = Vec::new();
    for hour in 0..4 {
        for quarter in 0..4 {
            let from = hour * 60 + quarter * 15;
            // One quarter twice, and once three times, the mean of its hour.
            let high = if hour == 0 { 300.0 } else { 200.0 };
            let rest = (400.0 - high) / 3.0;
            reports.push(report("A", 1, from, from + 15, if quarter == 0 { high } else { rest }, 0.0));
        }
    }
    reports.push(report("A", 1, 240, 300, 500.0, 0.0));
    let sizing = size(&reports, &options("180IOPS"));
    let hidden = &sizing.workload.hidden_peak;
    assert!(
        near(hidden.hour_iops, 500.0) && near(hidden.low, 1_000.0) && near(hidden.high, 1_500.0),
        "{hidden:?}"
    );
    let sizing = size(&reports[16..], &options("180IOPS"));
    let hidden = &sizing.workload.hidden_peak;
    assert!(hidden.low.is_none() && hidden.because.contains("no hour was seen"), "{hidden:?}");
}

#[test]
fn the_highest_minute_is_between_bounds() {
    let mut one = report("A", 1, 0, 60, 100.0, 50.0);
    for (name, maximum) in [
        ("Physical Read Total IO Requests Per Sec", 400.0),
        ("Physical Write Total IO Requests Per Sec", 300.0),
    ] {
        one.tables.sysmetric.push(SysMetric {
            line: 1,
            section: 0,
            instance_number: None,
            metric: name.into(),
            unit: None,
            average: None,
            maximum: Some(maximum),
        });
    }
    let sizing = size(&[one], &options("180IOPS"));
    let minute = &sizing.workload.peak_minute;
    assert_eq!((minute.low_iops, minute.high_iops), (Some(400.0), Some(700.0)));
    assert_eq!((minute.hardware_low, minute.hardware_high), (Some(600.0), Some(1_000.0)));
    // What asks three times what was sized for is the first thing to know before buying.
    for text in [&sizing.answer, &sizing.warnings[1]] {
        assert!(text.contains("600 to 1,000 IOPS, 3.0 to 5.0 times that: 4 to 6 x disk"), "{text}");
    }
    assert_eq!(sizing.warnings.iter().filter(|w| w.contains("highest minute")).count(), 1);
}

#[test]
fn causes_statements_and_segments_stand_behind_an_interval() {
    let mut one = report("A", 1, 0, 60, 100.0, 40.0);
    for (function, writes) in [("DBWR", 25.0), ("LGWR", 10.0), ("RMAN", 5.0)] {
        one.tables.io_function.push(IoActivity {
            function: Some(function.into()),
            reads_per_s: Some(0.0),
            writes_per_s: Some(writes),
            ..IoActivity::default()
        });
    }
    one.tables.sql_stat.push(SqlStat {
        ranked_by: "physical_reads",
        sql_id: Some("abc".into()),
        physical_reads: Some(36_000.0),
        ..SqlStat::default()
    });
    one.tables.segment_stat.push(SegmentStat {
        ranked_by: "physical_reads",
        owner: Some("O".into()),
        object: Some("T".into()),
        value: Some(3_600.0),
        ..SegmentStat::default()
    });
    let sizing = size(&[one], &options("180IOPS"));
    let causes = serde_json::to_value(&sizing.intervals[0].by_cause).unwrap();
    assert_eq!(causes["dbwr"]["write_iops"], 25.0);
    assert_eq!(causes["rman"]["write_iops"], 5.0);
    let drill = &sizing.drill[0];
    assert_eq!((drill.sql[0].name.as_str(), drill.sql[0].reads_per_s), ("abc", Some(10.0)));
    assert_eq!((drill.segments[0].name.as_str(), drill.segments[0].reads_per_s), ("O.T", Some(1.0)));
    // Of file types nothing is printed: the functions say who writes.
    let mix = &sizing.write_mix;
    assert_eq!((mix.data_write_iops, mix.dbwr_write_iops), (Some(25.0), Some(25.0)));
    assert!(near(mix.other_write_iops, 5.0), "{mix:?}");
    // Redo on devices of its own takes its writes off both mirrors.
    assert!(near(sizing.write_mix.hardware_iops_without_redo, 180.0 - 2.0 * 10.0), "{:?}", sizing.write_mix);
}

/// A statistic more, as a rate.
fn with_statistic(mut report: Report, name: &str, rate: f64) -> Report {
    let mut row = report.tables.instance_stat[0].clone();
    row.statistic = name.into();
    row.total = Some(rate * report.identity.elapsed_s.unwrap());
    report.tables.instance_stat.push(row);
    report
}

/// Log groups of three members: 40 writes/s, 10 `redo writes`, 30 requests for them. Redo on devices of
/// its own was said to take 10 writes off the disks, and 20 stood as writes of nobody.
#[test]
fn redo_of_every_log_member_was_counted_once() {
    let row = |writes: f64| IoActivity {
        reads_per_s: Some(0.0),
        writes_per_s: Some(writes),
        ..IoActivity::default()
    };
    let plain = with_statistic(report("A", 1, 0, 60, 100.0, 40.0), "physical write IO requests", 9.5);
    let mix = |one: &Report| {
        let sizing = size(std::slice::from_ref(one), &options("180IOPS"));
        assert_eq!(sizing.intervals[0].measures.redo_write_iops, sizing.write_mix.redo_write_iops);
        assert_eq!(sizing.intervals[0].redo_counted_as, sizing.write_mix.redo_counted_as);
        (sizing.answer.clone(), sizing.warnings.join(" "), sizing.write_mix)
    };
    let mut by_file = plain.clone();
    by_file.tables.io_filetype.push(IoActivity { filetype: Some("Log File".into()), ..row(30.0) });
    by_file.tables.io_function.push(IoActivity { function: Some("LGWR".into()), ..row(30.4) });
    let (answer, _, found) = mix(&by_file);
    assert_eq!(found.redo_counted_as, Some(RedoCount::LogFileRequests));
    assert!(near(found.redo_write_iops, 30.0) && near(found.other_write_iops, 0.5), "{found:?}");
    assert!(near(found.hardware_iops_without_redo, 180.0 - 2.0 * 30.0), "{found:?}");
    assert!(answer.contains(", 30 of them redo"), "{answer}");
    let mut by_function = by_file.clone();
    by_function.tables.io_filetype.clear();
    let (_, _, found) = mix(&by_function);
    assert_eq!(found.redo_counted_as, Some(RedoCount::LogWriterRequests));
    assert!(near(found.hardware_iops_without_redo, 180.0 - 2.0 * 30.4), "{found:?}");
    // Without either it is no more than a least.
    let (answer, warnings, found) = mix(&plain);
    assert_eq!(found.redo_counted_as, Some(RedoCount::RedoWrites));
    assert!(near(found.redo_write_iops, 10.0) && found.because.contains("at least"), "{found:?}");
    assert!(answer.contains("at least 10 of them redo"), "{answer}");
    assert!(warnings.contains("each counted once whatever the members"), "{warnings}");
    // Over all instances the IO Profile prints the writes under the name of the requests.
    let mut profiled = plain;
    profiled.tables.io_profile.push(IoProfileRow {
        line: 1,
        section: 0,
        instance_number: None,
        metric: "Redo Requests".into(),
        read_write_per_s: Some(30.2),
        reads_per_s: Some(0.0),
        writes_per_s: Some(30.2),
    });
    assert!(near(mix(&profiled).2.redo_write_iops, 30.2));
    profiled.identity.scope = Scope::Database;
    assert_eq!(mix(&profiled).2.redo_counted_as, Some(RedoCount::RedoWrites));
}

/// `read_mbps=40000` alone was dropped without a word: 167 disks of 160 MB/s, where the reads ask 250.
#[test]
fn stated_bytes_of_reads_alone_were_dropped() {
    let sized = |read_mbps: Option<f64>, write_mbps: Option<f64>, disk: &str| {
        let mut sizer = Sizer::default();
        let (read_iops, write_iops) = (Some(5_000.0), Some(5_000.0));
        sizer.add_stated(Measures { read_iops, write_iops, read_mbps, write_mbps, ..Measures::default() });
        sizer.size(&options(disk)).unwrap()
    };
    let disk = "180IOPS,160MB/s";
    let part = sized(Some(40_000.0), None, disk);
    let (least, known) = (need(&part, "normal"), sized(Some(40_000.0), Some(0.0), disk));
    assert!(least.hardware_mbps_is_least && least.hardware_mbps == Some(40_000.0), "{least:?}");
    assert_eq!(least.disks_for_mbps, Some(250.0));
    assert_eq!(least.disks, need(&known, "normal").disks);
    assert!(!need(&known, "normal").hardware_mbps_is_least);
    assert!(least.disks <= need(&sized(Some(40_000.0), Some(10.0), disk), "normal").disks);
    assert!(part.warnings.iter().any(|w| w.contains("Bytes of writes are not known")), "{:?}", part.warnings);
    // Writes alone, and nothing of either.
    assert_eq!(need(&sized(None, Some(100.0), disk), "normal").hardware_mbps, Some(200.0));
    assert_eq!(need(&sized(None, None, disk), "normal").hardware_mbps, None);
}

/// A disk without a rating of bytes took any bandwidth that was stated, silently.
#[test]
fn stated_bytes_were_held_against_no_rating() {
    let mut sizer = Sizer::default();
    let (read_iops, write_iops, read_mbps) = (Some(5_000.0), Some(5_000.0), Some(4_000.0));
    sizer.add_stated(Measures { read_iops, write_iops, read_mbps, ..Measures::default() });
    let sizing = sizer.size(&options("180IOPS")).unwrap();
    assert!(
        sizing.warnings[0].contains("MB/s of disk are not known")
            && sizing.warnings[0].contains("at least 4,000 MB/s, 24 MB/s for each of 167")
            && sizing.warnings[0].contains("--disk 180IOPS,160MB/s"),
        "{:?}",
        sizing.warnings
    );
    assert_eq!(need(&sizing, "normal").disks_for_mbps, None);
}

/// The load of the interval that stands at the percentile of what the disks do was given as the
/// percentile of what the database asks.
#[test]
fn the_demand_stood_at_the_percentile_of_the_disks() {
    let reports = [
        report("A", 1, 0, 60, 100.0, 50.0),
        report("A", 1, 60, 120, 400.0, 400.0),
        report("A", 1, 120, 180, 1_000.0, 0.0),
    ];
    // Asked: 150, 800, 1,000. Of the disks: 200, 1,200, 1,000.
    let sizing = size(&reports, &SizeOptions { percentile: 60.0, ..options("180IOPS") });
    assert!(near(need(&sizing, "external").hardware_iops, 800.0));
    assert!(near(need(&sizing, "normal").hardware_iops, 1_000.0));
    assert!(near(sizing.workload.total_iops_at_percentile, 800.0), "{:?}", sizing.workload);
    for words in [
        "A asks 800 IOPS at the 60th percentile of 3 intervals, 1 beyond it.",
        "the disks must do 1,000 IOPS at theirs (an interval of 1,000 reads, 0 writes",
    ] {
        assert!(sizing.answer.contains(words), "{words}: {}", sizing.answer);
    }
    // Where both are of one interval, its parts stand beside what is asked.
    let sizing = size(&reports[..1], &options("180IOPS"));
    assert!(sizing.answer.starts_with("A asks 150 IOPS (100 reads, 50 writes"), "{}", sizing.answer);
}

/// Storage cells answered most reads from flash: disks were sized for all of them, and nothing said so.
#[test]
fn reads_that_flash_answered_were_reads_of_disks() {
    let plain = report("A", 1, 0, 60, 1_000.0, 10.0);
    assert!(size(std::slice::from_ref(&plain), &options("180IOPS,160MB/s")).flash.is_none());
    let cells = with_statistic(plain, "physical read requests optimized", 840.0);
    let sizing = size(std::slice::from_ref(&cells), &options("180IOPS,160MB/s"));
    let flash = sizing.flash.as_ref().unwrap();
    assert!(near(Some(flash.flash_share_pct), 84.0) && near(Some(flash.disk_read_iops), 160.0), "{flash:?}");
    assert!(near(flash.hardware_iops, 180.0) && flash.disks == Some(2.0), "{flash:?}");
    assert!(near(need(&sizing, "normal").hardware_iops, 1_020.0), "what is asked stays the main figure");
    assert!(sizing.answer.contains("answered 840 of 1,000 reads (84 %"), "{}", sizing.answer);
    // Bytes that nobody counted from flash leave nobody knows how many.
    let unknown = with_statistic(cells.clone(), "physical read total bytes", 1e8);
    let flash = size(std::slice::from_ref(&unknown), &options("180IOPS,160MB/s")).flash.unwrap();
    assert!(flash.disks.is_none() && flash.disk_read_mbps.is_none(), "{flash:?}");
    // An instance that does not print it, and more hits than reads: nobody can tell.
    let other = report("A", 2, 0, 60, 100.0, 10.0);
    assert!(size(&[cells, other.clone()], &options("180IOPS")).flash.is_none());
    let strange = with_statistic(other, "cell flash cache read hits", 101.0);
    assert!(size(&[strange], &options("180IOPS")).flash.is_none());
}

/// Half a megabyte a request, held against ratings of small requests: a rack had 30,000 IOPS to spare.
#[test]
fn large_requests_were_held_against_ratings_of_small_ones() {
    let large = with_statistic(report("A", 1, 0, 60, 20_000.0, 0.0), "physical read total bytes", 1e10);
    let large = with_statistic(large, "physical write total bytes", 0.0);
    let sizing = size(std::slice::from_ref(&large), &options("disk_15k"));
    let normal = need(&sizing, "normal");
    assert!(near(normal.request_bytes, 500_000.0), "{normal:?}");
    let (one, disks) = bare_of_these(&sizing, normal).unwrap();
    assert!((one - 1e6 / normal.request_us.unwrap()).abs() < 1e-6, "what the time alone allows: {one}");
    assert!(disks > normal.disks_for_iops_bare.unwrap() && near(Some(disks), (20_000.0 / one).ceil()));
    assert!(
        sizing.answer.contains("by 189 IOPS of small requests (of these one does 119: 168)"),
        "{}",
        sizing.answer
    );
    let racks: Vec<Option<bool>> =
        sizing.racks.iter().filter(|r| r.redundancy == "normal").map(|r| r.enough).collect();
    assert!(
        racks.contains(&None) && racks.contains(&Some(false)) && !racks.contains(&Some(true)),
        "{racks:?}"
    );
    assert!(sizing.warnings.iter().any(|w| w.contains("figures of racks are of small requests")));
    // A disk without MB/s cannot hold them; small requests need no such warning.
    let bare = size(std::slice::from_ref(&large), &options("180IOPS"));
    assert!(bare.warnings.iter().any(|w| w.contains("of 500 KB on average")), "{:?}", bare.warnings);
    let small = with_statistic(report("A", 1, 0, 60, 2_000.0, 0.0), "physical read total bytes", 16e6);
    let small = size(&[with_statistic(small, "physical write total bytes", 0.0)], &options("180IOPS"));
    assert!(!small.warnings.iter().any(|w| w.contains("MB/s of disk")), "{:?}", small.warnings);
    assert!(bare_of_these(&small, need(&small, "normal")).is_none());
}

#[test]
fn an_unknown_rate_is_no_zero() {
    let mut silent = report("A", 1, 0, 60, 100.0, 50.0);
    silent.tables.instance_stat.retain(|s| s.statistic != "physical write total IO requests");
    let reports = [silent, report("A", 1, 60, 120, 10.0, 5.0)];
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.intervals[0].measures.write_iops, None);
    assert_eq!(sizing.intervals_counted, 1);
    assert!(
        sizing.warnings.iter().any(|w| w.contains("1 interval does not print both")),
        "{:?}",
        sizing.warnings
    );
}

#[test]
fn whose_reads_suffer_from_whom() {
    use spindle_facts::{Side, WaitEvent};
    let mut reports = Vec::new();
    for hour in 0..60_i64 {
        let noisy = hour % 7 == 0;
        let mut quiet = report("QUIET", 1, hour * 60, hour * 60 + 60, 100.0 + (hour % 5) as f64, 10.0);
        let us = if noisy { 9_000.0 } else { 3_000.0 };
        quiet.tables.wait_event.push(WaitEvent {
            line: 1,
            section: 0,
            instance_number: None,
            event: "db file sequential read".into(),
            printed_as: None,
            side: Side::Foreground,
            wait_class: Some("User I/O".into()),
            is_idle: false,
            waits: Some(10_000.0),
            waits_low: None,
            waits_high: None,
            timeouts: None,
            timeouts_pct: None,
            time_s: Some(10_000.0 * us / 1e6),
            time_s_low: None,
            time_s_high: None,
            avg_wait_us: Some(us),
            avg_wait_us_low: None,
            avg_wait_us_high: None,
            waits_per_txn: None,
            share_pct: None,
            share_of: None,
        });
        reports.push(quiet);
        let load = if noisy { 5_000.0 } else { 100.0 + hour as f64 };
        reports.push(report("NOISY", 1, hour * 60, hour * 60 + 60, load, 10.0));
    }
    let sizing = size(&reports, &SizeOptions { percentile: 90.0, ..options("180IOPS") });
    let pair = sizing.neighbours.first().unwrap();
    assert_eq!((pair.suffers.as_str(), pair.from.as_str()), ("QUIET", "NOISY"));
    assert!(pair.busy_us > 8_000.0 && pair.quiet_us < 4_000.0, "{pair:?}");
    assert_eq!(sizing.consolidation[0].database, "NOISY");
    assert!(sizing.consolidation[0].share_at_peak > Some(95.0));
}

/// Intervals of two databases with two instances, of 15 to 90 minutes.
fn history() -> impl Strategy<Value = Vec<Report>> {
    let one = (0..2_usize, 1..3_u32, 0..40_i64, 1..7_i64, 0..5_000_u32, 0..5_000_u32);
    prop::collection::vec(one, 1..25).prop_map(|rows| {
        rows.into_iter()
            .map(|(db, instance, from, length, read, write)| {
                let (from, to) = (from * 15, (from + length) * 15);
                report(["A", "B"][db], instance, from, to, f64::from(read), f64::from(write))
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn the_order_of_the_files_decides_nothing(reports in history(), seed in any::<u64>()) {
        let mut shuffled = reports.clone();
        let mut state = seed | 1;
        for i in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.swap(i, usize::try_from(state >> 33).unwrap() % (i + 1));
        }
        let json = |reports: &[Report]| serde_json::to_string(&size(reports, &options("disk_15k"))).unwrap();
        prop_assert_eq!(json(&reports), json(&shuffled));
    }

    #[test]
    fn a_file_given_twice_is_counted_once(reports in history()) {
        let once = size(&reports, &options("disk_15k"));
        let twice = size(&[reports.clone(), reports].concat(), &options("disk_15k"));
        prop_assert_eq!(&once.redundancy, &twice.redundancy);
        prop_assert_eq!(once.intervals.len(), twice.intervals.len());
    }

    #[test]
    fn no_request_is_invented(reports in history()) {
        // Requests in the slices never exceed those of all reports, and no interval is negative.
        let sizing = size(&reports, &options("disk_15k"));
        let counted: f64 = sizing.intervals.iter().filter_map(|i| Some(i.measures.read_iops? * i.seconds)).sum();
        let given: f64 = reports.iter().filter_map(|r| r.statistic_total("physical read total IO requests")).sum();
        prop_assert!(counted <= given * (1.0 + 1e-9) + 1e-6, "{counted} of {given}");
        prop_assert!(sizing.intervals.iter().all(|i| i.seconds > 0.0));
    }

    #[test]
    fn more_copies_more_growth_and_less_time_never_need_fewer_disks(
        reports in history(), pct in 0.0..80.0_f64, target_ms in 7.0..40.0_f64,
    ) {
        let asked = SizeOptions { growth_pct: Some(pct), years: 4, ..options("disk_15k,600G") };
        let sizing = size(&reports, &asked);
        let disks = |s: &Sizing, n: &str| need(s, n).disks.unwrap();
        prop_assert!(disks(&sizing, "external") <= disks(&sizing, "normal"));
        prop_assert!(disks(&sizing, "normal") <= disks(&sizing, "high"));
        for pair in sizing.growth.windows(2) {
            prop_assert!(pair[0].disks <= pair[1].disks && pair[0].hardware_iops <= pair[1].hardware_iops);
        }
        prop_assert_eq!(sizing.growth[0].disks, need(&sizing, "normal").disks);
        for need in &sizing.redundancy {
            prop_assert!(need.disks_for_iops_bare <= need.disks_for_iops, "{need:?}");
        }
        let strict = SizeOptions { latency_target_us: Some(target_ms * 1e3), ..asked.clone() };
        let lax = SizeOptions { latency_target_us: Some(target_ms * 1.5e3), ..asked };
        prop_assert!(disks(&size(&reports, &lax), "high") <= disks(&size(&reports, &strict), "high"));
    }

    #[test]
    fn what_reports_never_print_does_not_panic(
        rates in prop::collection::vec(prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), Just(1e300), Just(0.0), 0.0..1e9_f64], 2),
        begin in ".{0,25}", end in "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}", name in ".{0,12}",
        penalty in 1.0..1000.0_f64,
    ) {
        let mut strange = report(&name, 1, 0, 60, rates[0], rates[1]);
        strange.identity.begin_time = Some(begin);
        strange.identity.end_time = Some(end);
        let mut sizer = Sizer::default();
        sizer.add(ReducedLoad::of(&strange));
        sizer.add(ReducedLoad::of(&report("A", 1, 0, 60, 1.0, 1.0)));
        let asked = SizeOptions {
            redundancy: vec![Redundancy::parse(&format!("x={penalty}")).unwrap()],
            sized_for: 0,
            growth_pct: Some(900.0),
            years: 50,
            ..options("ssd_sata")
        };
        if let Ok(sizing) = sizer.size(&asked) {
            let text = serde_json::to_string(&sizing).unwrap();
            prop_assert!(!text.contains("NaN"));
        }
    }
}

/// Cells and racks were counted by requests alone: a scan that the disks cannot move looked as if it fitted.
#[test]
fn cells_and_racks_said_nothing_of_mb_a_second() {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures {
        read_iops: Some(4_000.0),
        write_iops: Some(0.0),
        read_mbps: Some(30_000.0),
        write_mbps: Some(0.0),
        ..Measures::default()
    });
    let options = SizeOptions { racks: true, ..options("sas=180IOPS,100MB/s") };
    let sizing = sizer.size(&options).unwrap();
    assert_eq!((sizing.cell_iops, sizing.cell_mbps), (2_160.0, Some(1_200.0)));
    let normal = need(&sizing, "normal");
    assert_eq!(normal.disks_for_mbps, Some(300.0));
    assert_eq!(normal.cells_for_mbps, Some(25.0));
    assert_eq!(normal.cells_for_iops, normal.disks_for_iops.map(|d| (d / 12.0).ceil()));
    let full = sizing
        .racks
        .iter()
        .find(|r| r.redundancy == "normal" && r.rack.starts_with("full") && r.rack.contains("7,200"))
        .unwrap();
    // 14 cells of 12 disks of 129 MB/s move 21,672 MB/s.
    assert_eq!((full.disks, full.disk_mbps), (168.0, Some(21_672.0)));
    assert_eq!((full.spare_mbps, full.enough_mbps, full.enough), (Some(-8_328.0), Some(false), Some(false)));
    assert!(full.spare_iops > 0.0);
    // Without bytes nothing is known of them, and requests decide as before.
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures { read_iops: Some(4_000.0), write_iops: Some(0.0), ..Measures::default() });
    let sizing = sizer.size(&options).unwrap();
    assert!(need(&sizing, "normal").cells_for_mbps.is_none());
    let racks = sizing.racks.iter().filter(|r| r.redundancy == "normal");
    assert!(racks.clone().all(|r| (r.spare_mbps, r.enough_mbps, r.enough) == (None, None, Some(true))));
}

fn with_bytes(report: Report, read: f64, write: f64) -> Report {
    let report = with_statistic(report, "physical read total bytes", read);
    with_statistic(report, "physical write total bytes", write)
}

/// A report with a restart inside, of another database, turned two that were never measured together into
/// three that "together ask" what one of them asks.
#[test]
fn a_report_that_cannot_be_measured_made_two_databases_ask_together() {
    let mut restarted = report("C", 1, 4_000, 4_060, 9_999.0, 0.0);
    restarted.identity.spans_restart = true;
    let mut silent = report("D", 1, 0, 60, 100.0, 50.0);
    silent.tables.instance_stat.retain(|s| s.statistic != "physical write total IO requests");
    let apart = [report("A", 1, 0, 60, 1_000.0, 100.0), report("B", 1, 2_000, 2_060, 700.0, 50.0)];
    for more in [vec![restarted.clone()], vec![silent.clone()], vec![restarted.clone(), silent.clone()]] {
        let sizing = size(&[&apart[..], &more[..]].concat(), &options("180IOPS"));
        assert_eq!(sizing.databases, ["A", "B"]);
        assert!(
            sizing.answer.starts_with("2 databases were never measured at the same time"),
            "{}",
            sizing.answer
        );
        assert!(near(Some(sizing.apart.as_ref().unwrap().hardware_high), 2_000.0));
        let named: Vec<&str> = sizing.unmeasured.iter().map(|u| u.database.as_str()).collect();
        assert_eq!(named.len(), more.len(), "{named:?}");
        for name in named {
            let words = format!("{name}: nothing measured; its load is in no figure");
            assert!(sizing.warnings.iter().any(|w| w.starts_with(&words)), "{:?}", sizing.warnings);
        }
    }
    // Beside one that is measured it is no database that shares.
    let sizing = size(&[apart[0].clone(), restarted], &options("180IOPS"));
    assert!(sizing.answer.starts_with("A asks 1,100 IOPS"), "{}", sizing.answer);
    assert_eq!((sizing.databases.len(), sizing.unmeasured.len()), (1, 1));
    // Alone it refuses, and says what is known.
    let mut sizer = Sizer::default();
    sizer.add(ReducedLoad::of(&silent));
    assert!(sizer.size(&options("180IOPS")).unwrap_err().to_string().contains("100.0 reads a second"));
    // Of one database measured and another known in part at the same time, nothing is known together.
    let both = [report("A", 1, 0, 60, 10.0, 1.0), silent, report("D", 1, 60, 120, 20.0, 2.0)];
    let sizing = size(&both, &options("180IOPS"));
    assert!(sizing.answer.contains("never measured at the same time"), "{}", sizing.answer);
}

/// A pluggable database beside its container was a second database that was never measured with it.
#[test]
fn a_container_left_out_beside_its_database_was_a_database() {
    let mut part = report("A", 1, 0, 60, 50.0, 1.0);
    (part.identity.container, part.identity.scope) = (Some("P1".into()), Scope::Container);
    part.identity.source = "p1.html".into();
    let sizing = size(&[report("A", 1, 0, 60, 100.0, 10.0), part], &options("180IOPS"));
    assert_eq!((sizing.databases.len(), sizing.unmeasured.len()), (1, 0), "{:?}", sizing.databases);
    assert!(sizing.apart.is_none() && sizing.answer.starts_with("A asks 110 IOPS"), "{}", sizing.answer);
}

/// One hour of ten with huge requests made every percentile say that no number of disks keeps the latency.
#[test]
fn one_interval_of_huge_requests_refused_a_latency_that_the_percentile_keeps() {
    let hour = |n: i64, read: f64, bytes: f64| {
        with_bytes(report("A", 1, n * 60, n * 60 + 60, read, 0.0), read * bytes, 0.0)
    };
    let mut reports: Vec<Report> = (0..19).map(|n| hour(n, 1_000.0 + n as f64, 8_192.0)).collect();
    reports.push(hour(19, 10.0, 2e6));
    let asked =
        |percentile: f64| SizeOptions { percentile, latency_target_us: Some(9_000.0), ..options("disk_15k") };
    let sizing = size(&reports, &asked(90.0));
    let normal = need(&sizing, "normal");
    // 1,017 IOPS: 5.3 ms may wait 3.7 ms, so 41 % busy.
    let busy: f64 = 3.7 / 9.0;
    assert_eq!(normal.disks, Some((1_017.0 / (1e3 / 5.3 * busy)).ceil()), "{normal:?}");
    let never = normal.never_kept.as_ref().unwrap();
    assert_eq!((never.intervals, never.begin_time.as_deref()), (1, Some("2024-03-01T19:00:00")));
    assert!((never.share_pct - 5.0).abs() < 1e-9, "{never:?}");
    let said = sizing.warnings.iter().find(|w| w.starts_with("In 1 interval, 5.0 % of the time,")).unwrap();
    assert!(said.contains("2,000 KB") && said.contains("the 90th percentile leaves that time out"), "{said}");
    // Within the time that the percentile holds, none do.
    let sizing = size(&reports, &asked(99.0));
    assert_eq!(need(&sizing, "normal").disks, None);
    assert!(sizing.answer.contains("no number of disk_15k keeps the latency target"), "{}", sizing.answer);
    let said = sizing.warnings.iter().find(|w| w.starts_with("In 1 interval,")).unwrap();
    assert!(said.contains("leaves out 1.0 %, so no number of them keeps it there"), "{said}");
    assert!(!sizing.warnings.iter().any(|w| w.contains("busiest intervals")), "{:?}", sizing.warnings);
}

/// Writes that the flash of storage cells took were all writes of the disks.
#[test]
fn writes_that_flash_took_were_writes_of_disks() {
    let mut cells = report("A", 1, 0, 60, 950.0, 1_996.0);
    for (name, rate) in [
        ("physical read requests optimized", 941.0),
        ("physical write requests optimized", 1_986.0),
        ("cell writes to flash cache", 2_531.0),
        ("cell overwrites in flash cache", 2_525.0),
    ] {
        cells = with_statistic(cells, name, rate);
    }
    let sizing = size(&[cells], &options("180IOPS"));
    let flash = sizing.flash.as_ref().unwrap();
    assert!(near(flash.disk_write_iops, 10.0) && near(flash.hardware_iops, 29.0), "{flash:?}");
    assert!(near(flash.hardware_iops_all_destaged, 4_001.0), "{flash:?}");
    assert_eq!((flash.disks, flash.cell_overwrite_iops), (Some(2.0), Some(2_525.0)));
    for words in [
        "took 1,986 of 1,996 writes",
        "29 IOPS of the disks: 2 x disk",
        "flash destages",
        "at most 4,001 IOPS",
    ] {
        assert!(sizing.answer.contains(words), "{words}: {}", sizing.answer);
    }
    assert!(!sizing.write_mix.because.contains("no report says"), "{}", sizing.write_mix.because);
    // The verdict on a rack of disks stands on what is left for them too.
    let rack = sizing.racks.iter().find(|r| r.redundancy == "normal").unwrap();
    assert_eq!(
        (rack.hardware_iops_behind_flash, rack.enough_behind_flash),
        (flash.hardware_iops, Some(true))
    );
    assert_eq!(rack.sold, "2010 to 2012");
}

/// Two databases of one name in files without an identifier were one, and the interval of the one was
/// thrown out for that of the other.
#[test]
fn files_of_one_name_and_two_releases_were_one_database() {
    let of = |from: i64, version: &str, host: &str, read: f64| {
        let mut one = report("ORCL", 1, from, from + 30, read, 1.0);
        one.identity.source = format!("{host}.out");
        (one.identity.version, one.identity.host) = (Some(version.into()), Some(host.into()));
        one
    };
    let (a, b) = (of(0, "10.2.0.3.0", "know", 100.0), of(0, "11.2.0.3.0", "lap", 30.0));
    let sizing = size(&[a.clone(), b.clone()], &options("180IOPS"));
    assert_eq!(sizing.databases, ["ORCL (10.2.0.3.0, know)", "ORCL (11.2.0.3.0, lap)"]);
    assert!(near(sizing.workload.max.read_iops, 130.0), "added, not left out: {:?}", sizing.workload.max);
    assert!(sizing.warnings.iter().any(|w| w.contains("name a database ORCL")), "{:?}", sizing.warnings);
    // A file that says nothing of them may be either: it is kept apart by its name.
    let mut unknown = report("ORCL", 1, 0, 30, 5.0, 1.0);
    unknown.identity.source = "c.out".into();
    let sizing = size(&[a.clone(), b, unknown], &options("180IOPS"));
    assert!(sizing.databases.contains(&"ORCL (no id, c.out)".to_owned()), "{:?}", sizing.databases);
    // The same database in two files stays one; a host with and without its domain is one.
    let mut later = of(30, "10.2.0.3.0", "know.example.com", 50.0);
    later.identity.source = "later.out".into();
    let sizing = size(&[a.clone(), later], &options("180IOPS"));
    assert_eq!((sizing.databases.len(), sizing.intervals_counted), (1, 2), "{:?}", sizing.databases);
    // One with an identifier contradicts one without.
    let mut known = of(0, "19.0.0.0.0", "know", 7.0);
    (known.identity.db_id, known.identity.source) = (Some(42), "known.html".into());
    let sizing = size(&[a, known], &options("180IOPS"));
    assert_eq!(sizing.databases, ["ORCL (10.2.0.3.0, know)", "ORCL (42)"]);
}

/// Where only the whole database prints who writes, redo was unknown although LGWR is printed.
#[test]
fn redo_by_function_of_the_whole_database_was_unknown() {
    let mut whole = report("A", 1, 0, 60, 0.0, 0.0);
    whole.tables.instance_stat.clear();
    whole.identity.scope = Scope::Database;
    whole.identity.instances = Some(2);
    whole.identity.instance_number = None;
    for (function, small, large) in
        [("LGWR", 36_000.0, 3_600.0), ("DBWR", 72_000.0, 0.0), ("Direct Writes", 0.0, 3_600.0)]
    {
        whole.tables.io_function.push(IoActivity {
            function: Some(function.into()),
            small_read_requests: Some(0.0),
            large_read_requests: Some(0.0),
            small_write_requests: Some(small),
            large_write_requests: Some(large),
            ..IoActivity::default()
        });
    }
    let one = |n: u32| {
        let mut one = report("A", n, 0, 60, 100.0, 20.0);
        one.tables.instance_stat.retain(|s| s.statistic != "redo writes");
        one
    };
    let sizing = size(&[whole.clone(), one(1), one(2)], &options("180IOPS"));
    let mix = &sizing.write_mix;
    assert!(near(mix.redo_write_iops, 11.0) && near(mix.data_write_iops, 21.0), "{mix:?}");
    assert!(near(mix.other_write_iops, 8.0));
    assert_eq!(mix.redo_counted_as, Some(RedoCount::LogWriterRequests));
    assert!(sizing.answer.contains("11 of them redo"), "{}", sizing.answer);
    // Beside another database each keeps its own causes.
    let mut other = report("B", 1, 0, 60, 10.0, 4.0);
    other.tables.io_function.push(IoActivity {
        function: Some("LGWR".into()),
        reads_per_s: Some(0.0),
        writes_per_s: Some(1.5),
        ..IoActivity::default()
    });
    let sizing = size(&[whole, one(1), one(2), other], &options("180IOPS"));
    assert!(near(sizing.write_mix.redo_write_iops, 12.5), "{:?}", sizing.write_mix);
    assert!(near(sizing.intervals[0].by_cause[&spindle_planning::sizing::Cause::Lgwr].write_iops, 12.5));
}

/// One interval of a minute anywhere cut every hour of two instances wherever their snapshots are seconds
/// apart.
#[test]
fn a_short_interval_cut_every_other_hour_anew() {
    let shifted = |from: i64, to: i64, seconds: i64, read: f64| {
        let mut one = report("A", 2, from, to, read, 1.0);
        let shift = |time: &Option<String>| time.as_ref().map(|t| format!("{}{seconds:02}", &t[..17]));
        (one.identity.begin_time, one.identity.end_time) =
            (shift(&one.identity.begin_time), shift(&one.identity.end_time));
        one
    };
    let mut reports: Vec<Report> = (0..6).map(|h| report("A", 1, h * 60, h * 60 + 60, 100.0, 1.0)).collect();
    reports.extend((0..6).map(|h| shifted(h * 60, h * 60 + 60, 50, 10.0)));
    assert_eq!(size(&reports, &options("180IOPS")).intervals.len(), 6);
    reports.push(report("A", 1, 600, 601, 50.0, 1.0));
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.intervals.len(), 7, "{:?}", sizing.intervals);
    assert!(near(sizing.workload.max.read_iops, 110.0));
}

/// Snapshots a minute off overlapped, and beside any short interval that minute was counted twice.
#[test]
fn one_instance_was_counted_twice_in_a_slice() {
    let reports = [
        report("A", 1, 0, 60, 100.0, 1.0),
        report("A", 1, 59, 119, 200.0, 1.0),
        report("B", 1, 59, 60, 5.0, 1.0),
        report("B", 1, 60, 61, 5.0, 1.0),
    ];
    let sizing = size(&reports, &SizeOptions { percentile: 100.0, ..options("180IOPS") });
    let most = sizing.intervals.iter().filter_map(|i| i.measures.read_iops).fold(0.0, f64::max);
    assert!(near(Some(most), 205.0), "{:?}", sizing.intervals);
}

/// A minute measured inside the busiest hour deleted that hour, and nothing said so.
#[test]
fn a_short_report_inside_the_busiest_hour_deleted_it() {
    let mut reports: Vec<Report> = (0..24).map(|h| report("A", 1, h * 60, h * 60 + 60, 100.0, 0.0)).collect();
    reports[12] = report("A", 1, 720, 780, 10_000.0, 0.0);
    let mut short = report("A", 1, 740, 742, 50.0, 0.0);
    short.identity.source = "short.html".into();
    reports.push(short);
    let sizing = size(&reports, &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 10_000.0), "{:?}", sizing.workload.max);
    let gone: Vec<&str> =
        sizing.gaps.iter().filter(|g| g.kind == "overlap").map(|g| g.message.as_str()).collect();
    assert!(gone.len() == 1 && gone[0].starts_with("short.html is left out"), "{gone:?}");
    // Tens of minutes that cover most of it stand for the hour; that it was higher than any of them is told.
    let mut tens: Vec<Report> =
        (0..5).map(|t| report("A", 1, 720 + t * 10, 730 + t * 10, 300.0, 0.0)).collect();
    tens.push(report("A", 1, 720, 780, 10_000.0, 0.0));
    let sizing = size(&tens, &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 300.0));
    assert!(
        sizing.warnings.iter().any(|w| w.contains("is left out") && w.contains("asked 10,000 IOPS")),
        "{:?}",
        sizing.warnings
    );
}

/// Five minutes across the border of the busiest hour deleted both hours.
#[test]
fn a_short_report_across_two_hours_deleted_both() {
    let mut reports: Vec<Report> = (0..24).map(|h| report("A", 1, h * 60, h * 60 + 60, 100.0, 0.0)).collect();
    reports[12] = report("A", 1, 720, 780, 10_000.0, 0.0);
    reports.push(report("A", 1, 715, 725, 50.0, 0.0));
    let sizing = size(&reports, &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 10_000.0), "{:?}", sizing.workload.max);
    assert!(near(sizing.measured_s, 86_400.0), "{:?}", sizing.measured_s);
}

/// Of two reports of one interval the one of little load stayed, by the name of its file.
#[test]
fn of_two_loads_of_one_interval_the_lower_stayed() {
    for (first, second) in [(100.0, 10_000.0), (10_000.0, 100.0)] {
        let (mut a, mut b) = (report("A", 1, 0, 60, first, 0.0), report("A", 1, 0, 60, second, 0.0));
        (a.identity.source, b.identity.source) = ("a.html".into(), "b.html".into());
        let sizing = size(&[a, b], &options("180IOPS"));
        assert!(near(sizing.workload.max.read_iops, 10_000.0), "{:?}", sizing.workload.max);
        let gaps: Vec<&str> = sizing.gaps.iter().map(|g| g.message.as_str()).collect();
        assert!(gaps.iter().any(|g| g.ends_with("and says another load")), "{gaps:?}");
    }
}

/// Half a minute of a tiny database left a whole day of a large one uncounted.
#[test]
fn a_moment_measured_together_shrank_the_answer() {
    let mut reports: Vec<Report> =
        (0..24).map(|h| report("BIG", 1, h * 60, h * 60 + 60, 100.0, 0.0)).collect();
    reports[12] = report("BIG", 1, 720, 780, 10_000.0, 0.0);
    reports.push(report("TINY", 1, 60, 65, 5.0, 0.0));
    let sizing = size(&reports, &options("180IOPS"));
    let apart = sizing.apart.as_ref().unwrap();
    assert_eq!(apart.largest, "BIG");
    assert!(
        near(Some(apart.hardware_low), 10_000.0) && near(Some(apart.hardware_high), 10_005.0),
        "{apart:?}"
    );
    assert!(near(Some(apart.measured_together_s), 300.0), "{apart:?}");
    assert!(sizing.answer.contains("measured together for only 5 min"), "{}", sizing.answer);
}

/// The sum of two 99th percentiles was called the most that both need: they peak at other hours, together longer.
#[test]
fn the_most_that_databases_need_together_was_no_bound() {
    let week = |name: &str, from: i64, peak: i64| -> Vec<Report> {
        let load = move |t: i64| if (peak..peak + 7).contains(&t) { 10_000.0 } else { 100.0 };
        (0..1_000).map(|t| report(name, 1, from + t * 10, from + t * 10 + 10, load(t), 0.0)).collect()
    };
    let of = |from: i64| [week("A", 0, 100), week("B", from, 500)].concat();
    let together = size(&of(0), &options("180IOPS"));
    let needed = together.redundancy[0].hardware_iops.unwrap();
    let apart = size(&of(20_000), &options("180IOPS")).apart.unwrap();
    assert!(needed > 10_000.0 && apart.hardware_high >= needed, "{needed} {apart:?}");
}

/// Of databases never measured together the intervals flagged as counted were not those that are counted.
#[test]
fn intervals_flagged_as_counted_were_not_those_counted() {
    let reports = [
        report("A", 1, 0, 60, 300.0, 0.0),
        report("B", 1, 30, 90, 40.0, 0.0),
        report("C", 1, 2_000, 2_060, 200.0, 0.0),
        report("C", 1, 2_060, 2_120, 10.0, 0.0),
    ];
    let sizing = size(&reports, &options("180IOPS"));
    assert!(sizing.apart.is_some());
    let flagged: Vec<_> = sizing.intervals.iter().filter(|i| i.counted).collect();
    assert_eq!(flagged.len(), sizing.intervals_counted);
    let most = flagged.iter().filter_map(|i| i.hardware_iops).fold(0.0, f64::max);
    assert!(near(need(&sizing, "normal").hardware_iops_max, most));
    assert!(near(
        Some(sizing.apart.as_ref().unwrap().hardware_low),
        need(&sizing, "normal").hardware_iops.unwrap()
    ));
}

/// The hour in which one instance restarted, at the end of its reports, was half of the load and whole.
#[test]
fn an_instance_that_restarted_in_its_last_hour_was_not_missed() {
    let mut restarted = report("A", 1, 60, 120, 500.0, 0.0);
    restarted.identity.spans_restart = true;
    let reports = [
        report("A", 1, 0, 60, 100.0, 0.0),
        report("A", 2, 0, 60, 100.0, 0.0),
        report("A", 2, 60, 120, 150.0, 0.0),
        restarted,
    ];
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.intervals.iter().map(|i| i.complete).collect::<Vec<_>>(), [true, false]);
    assert_eq!(sizing.intervals_counted, 1);
}

/// The busiest hour was seen in quarters, and its peak was said to be up to four times that by the ratio of
/// an idle hour.
#[test]
fn the_peak_of_an_hour_seen_in_quarters_was_guessed_from_idle_hours() {
    let quarters = |hour: i64, rates: [f64; 4]| {
        let one = move |(q, rate): (usize, f64)| {
            let from = hour * 60 + 15 * i64::try_from(q).unwrap();
            report("A", 1, from, from + 15, rate, 0.0)
        };
        rates.into_iter().enumerate().map(one).collect::<Vec<_>>()
    };
    let busy = quarters(0, [70_000.0, 72_000.0, 71_000.0, 70_000.0]);
    let idle = [1, 2, 3].map(|h| quarters(h, [1.0, 1.0, 1.0, 97.0]));
    let reports = [busy, idle.concat()].concat();
    let peak = size(&reports, &options("180IOPS")).workload.hidden_peak;
    assert!(near(peak.low, 72_000.0) && near(peak.high, 72_000.0), "{peak:?}");
    // An hour seen as one, and busier, has only the ratios of others.
    let hour = [report("A", 1, 600, 660, 100_000.0, 0.0)];
    let peak = size(&[&reports[..], &hour[..]].concat(), &options("180IOPS")).workload.hidden_peak;
    assert!(near(peak.high, 388_000.0) && near(peak.hour_iops, 100_000.0), "{peak:?}");
}

/// Two of a device of unknown size were said to hold 20 TiB, where it was not the first one.
#[test]
fn a_second_device_of_unknown_size_held_any_capacity() {
    let devices = |sized: &str| SizeOptions {
        capacity_bytes: Some(20e12),
        disks: ["disk_15k,600GB", sized].map(|d| Disk::parse(d, &profiles()).unwrap()).to_vec(),
        ..options("180IOPS")
    };
    let sizing = stated(5_000.0, 5_000.0, &devices("nvme_mixed_use"));
    assert!(sizing.other_disks[0].disks_are_least);
    let said = "How many nvme_mixed_use hold";
    assert!(
        sizing.warnings.iter().any(|w| w.starts_with(said) && w.contains("2 are the least")),
        "{:?}",
        sizing.warnings
    );
    let sizing = stated(5_000.0, 5_000.0, &devices("nvme_mixed_use,3.2TB"));
    assert_eq!(sizing.other_disks[0].disks, Some(13.0));
    assert!(!sizing.other_disks[0].disks_are_least && !sizing.warnings.iter().any(|w| w.starts_with(said)));
    // 600 GB are 600 x 10^9, as disks are sold: mirrored 20 TB take 67 of them.
    assert_eq!(need(&sizing, "normal").disks_for_capacity, Some(67.0));
}

/// A cloud volume was mirrored as the first device and not as the second.
#[test]
fn a_cloud_volume_was_doubled_by_its_place_in_the_list() {
    let list = |disks: [&str; 2]| SizeOptions {
        disks: disks.map(|d| Disk::parse(d, &profiles()).unwrap()).to_vec(),
        ..options("180IOPS")
    };
    let first = stated(5_000.0, 5_000.0, &list(["aws_gp3", "disk_15k"]));
    let second = stated(5_000.0, 5_000.0, &list(["disk_15k", "aws_gp3"]));
    assert_eq!((first.sized_for.as_str(), second.sized_for.as_str()), ("external", "normal"));
    assert_eq!(need(&first, "external").disks, second.other_disks[0].disks);
    assert_eq!(first.other_disks[0].disks, need(&second, "normal").disks);
    assert!(need(&first, "external").cells.is_none() && !first.answer.contains("cell"), "{}", first.answer);
    // Asked for, copies are made, and that they stand on others is said.
    let asked = SizeOptions { redundancy_asked: true, ..list(["aws_gp3", "disk_15k"]) };
    let asked = stated(5_000.0, 5_000.0, &asked);
    assert_eq!(asked.sized_for, "normal");
    assert!(asked.warnings.iter().any(|w| w.contains("provider keeps the copies")), "{:?}", asked.warnings);
}

/// A statement stood once for each instance of a cluster, and pushed others off the list.
#[test]
fn a_statement_of_four_instances_stood_four_times() {
    let of = |instance: u32| {
        let mut one = report("A", instance, 0, 60, 100.0, 0.0);
        for (id, reads, share) in [("aaaaaaaaaaaaa", 360_000.0, 50.0), ("bbbbbbbbbbbbb", 72_000.0, 10.0)] {
            one.tables.segment_stat.push(SegmentStat {
                object: Some(id.into()),
                ranked_by: "physical_reads",
                value: Some(reads * f64::from(instance)),
                share_pct: Some(share),
                ..SegmentStat::default()
            });
        }
        one
    };
    let sizing = size(&[of(1), of(2), of(3), of(4)], &options("180IOPS"));
    let rows = &sizing.drill[0].segments;
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(near(rows[0].reads_per_s, 1_000.0) && near(rows[0].share_pct, 50.0), "{rows:?}");
    assert_eq!(rows[0].instance_number, None);
}

/// One file of many intervals was called as many reports.
#[test]
fn one_file_of_many_intervals_was_many_reports() {
    let reports: Vec<Report> = (0..5)
        .map(|h| {
            let mut one = report("A", 1, h * 60, h * 60 + 60, 100.0, 0.0);
            one.identity.source = "history.out".into();
            one
        })
        .collect();
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!((sizing.reports, sizing.intervals_counted), (1, 5));
}

/// Without any read latency it was said that nobody's reads got slower.
#[test]
fn unknown_latency_was_no_neighbour() {
    let hours =
        |db: &str| (0..30_i64).map(|h| report(db, 1, h * 60, h * 60 + 60, 100.0 + h as f64, 1.0)).collect();
    let both: Vec<Vec<Report>> = vec![hours("A"), hours("B")];
    let mut reports = both.concat();
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!((sizing.neighbours.len(), sizing.neighbours_tested), (0, 0));
    // AWR-miner files print the metric, in milliseconds.
    for one in &mut reports {
        one.tables.load_profile.push(spindle_facts::LoadProfileRow {
            line: 1,
            section: 0,
            instance_number: Some(1),
            metric: "s_blk_r_lat".into(),
            known: None,
            per_second: Some(3.3),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
            per_second_diff_pct: None,
        });
    }
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.neighbours_tested, 2);
    assert!(near(sizing.consolidation[0].single_block_read_us, 3_300.0), "{:?}", sizing.consolidation);
}

/// An interval that a history knows the length of, by local times of a day of 2026.
fn by_clock(db: &str, day: &str, snap: u64, from: &str, to: &str, read: f64) -> Report {
    let mut one = report(db, 1, 0, 60, read, 10.0);
    one.identity.kind = Kind::History;
    one.identity.source = format!("{db}-{snap}");
    one.identity.begin_time = Some(format!("{day}T{from}:00"));
    one.identity.end_time = Some(format!("{day}T{to}:00"));
    one.identity.begin_snap = Some(snap);
    one.identity.end_snap = Some(snap + 1);
    one
}

#[test]
fn the_hour_that_the_clock_showed_twice_was_no_time() {
    let day = "2026-10-25";
    let hours = [("01:00", "02:00", 100.0), ("02:00", "02:00", 5_000.0), ("02:00", "03:00", 100.0)];
    let of = |db: &str, loads: [f64; 3]| -> Vec<Report> {
        let each = hours.iter().zip(1..).zip(loads);
        each.map(|(((from, to, _), snap), load)| by_clock(db, day, snap, from, to, load)).collect()
    };
    let mut reports = of("A", hours.map(|h| h.2));
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!((sizing.intervals_counted, sizing.measured_s), (3, Some(10_800.0)));
    assert!(near(sizing.workload.max.read_iops, 5_000.0));
    let shown: Vec<_> = sizing.intervals.iter().map(|i| i.begin_time.clone().unwrap()).collect();
    assert_eq!(shown, ["01:00", "02:00", "02:00"].map(|t| format!("{day}T{t}:00")));
    assert!(
        sizing.gaps.iter().any(|g| g.kind == "clock" && g.message.contains("put back")),
        "{:?}",
        sizing.gaps
    );
    // Of two databases each hour adds its own.
    reports.extend(of("B", [10.0, 20.0, 40.0]));
    reports.reverse();
    let sizing = size(&reports, &options("180IOPS"));
    let reads: Vec<_> = sizing.intervals.iter().map(|i| i.measures.read_iops.unwrap().round()).collect();
    assert_eq!((reads, sizing.measured_s), (vec![110.0, 5_020.0, 140.0], Some(10_800.0)));
}

#[test]
fn a_report_of_an_hour_that_no_clock_counted_printed_neither_reads_nor_writes() {
    let day = "2026-10-25";
    let mut reports: Vec<Report> = [("01:00", "02:00"), ("02:00", "02:00"), ("02:00", "03:00")]
        .iter()
        .zip(1..)
        .map(|((from, to), snap)| by_clock("A", day, snap, from, to, 100.0))
        .collect();
    reports.iter_mut().for_each(|r| r.identity.kind = Kind::Awr);
    reports[1].identity.elapsed_s = None;
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.intervals_counted, 2);
    let why = sizing.gaps.iter().find(|g| g.message.contains("A-2")).map(|g| g.message.clone());
    assert!(why.as_ref().is_some_and(|w| w.contains("clock was put back inside")), "{why:?}");
}

#[test]
fn intervals_were_ranked_by_requests_where_bytes_decide() {
    let with_bytes = |from: i64, read: f64, mbps: f64| {
        let mut one = report("A", 1, from, from + 60, read, 10.0);
        for (name, mb) in [("physical read total bytes", mbps), ("physical write total bytes", 0.1)] {
            one.tables.instance_stat.push(InstanceStat {
                statistic: name.into(),
                total: Some(mb * 1e6 * 3_600.0),
                ..one.tables.instance_stat[0].clone()
            });
        }
        for (name, maximum) in [
            ("Physical Read Total IO Requests Per Sec", 2.0 * read),
            ("Physical Write Total IO Requests Per Sec", 20.0),
            ("Physical Read Total Bytes Per Sec", 2e6 * mbps),
            ("Physical Write Total Bytes Per Sec", 2e5),
        ] {
            one.tables.sysmetric.push(SysMetric {
                line: 1,
                section: 0,
                instance_number: None,
                metric: name.into(),
                unit: None,
                average: None,
                maximum: Some(maximum),
            });
        }
        one
    };
    let reports =
        [with_bytes(0, 9_000.0, 10.0), with_bytes(60, 3_000.0, 2_000.0), with_bytes(120, 5_000.0, 900.0)];
    let sizing = size(&reports, &options("flash=20000IOPS,0.2ms,100MB/s"));
    assert_eq!(need(&sizing, "normal").decided_by, Some("mbps"));
    let ranked: Vec<_> = sizing.drill.iter().map(|d| d.interval.read_iops.unwrap()).collect();
    assert_eq!(ranked, [3_000.0, 5_000.0, 9_000.0]);
    assert!(sizing.answer.contains("the highest minute moved 4,000 MB/s on the disks"), "{}", sizing.answer);
    assert!(sizing.answer.contains("2.0 times that: 40 to 41 x flash"), "{}", sizing.answer);
    // Where requests decide they rank.
    let sizing = size(&reports, &options("sas=50IOPS,5ms,4000MB/s"));
    let ranked: Vec<_> = sizing.drill.iter().map(|d| d.interval.read_iops.unwrap()).collect();
    assert_eq!(ranked, [9_000.0, 5_000.0, 3_000.0]);
}

#[test]
fn two_of_three_that_met_were_said_never_to_have() {
    let mut reports = vec![report("A", 1, 0, 60, 9_000.0, 10.0), report("B", 1, 600, 660, 1_000.0, 10.0)];
    reports.push(report("C", 1, 600, 660, 1_000.0, 10.0));
    let sizing = size(&reports, &options("180IOPS"));
    assert!(
        sizing.answer.starts_with("3 databases were never all measured at the same time"),
        "{}",
        sizing.answer
    );
    // B ran beside what is sized for: its interval lacks load.
    reports[0] = report("B", 1, 0, 60, 10.0, 10.0);
    reports.push(report("A", 1, 0, 60, 9_000.0, 10.0));
    reports.push(report("A", 1, 60, 120, 9_500.0, 10.0));
    reports.push(report("A", 1, 120, 180, 9_500.0, 10.0));
    let sizing = size(&reports, &SizeOptions { percentile: 100.0, ..options("180IOPS") });
    assert_eq!(sizing.apart.as_ref().map(|a| a.largest.as_str()), Some("A"), "{}", sizing.answer);
    let complete: Vec<_> = sizing.intervals.iter().filter(|i| i.counted).map(|i| i.complete).collect();
    assert_eq!(complete, [false, true, true]);
}

#[test]
fn a_stretch_that_nothing_measured_was_counted() {
    // Two minutes between the end of one and the begin of the next are one cut and no time.
    let mut reports = [report("A", 1, 0, 60, 100.0, 10.0), report("A", 1, 62, 80, 200.0, 10.0)];
    let sizing = size(&reports, &options("180IOPS"));
    assert_eq!(sizing.measured_s, Some(78.0 * 60.0));
    reports[1].identity.instance_number = Some(2);
    let sizing = size(&reports, &options("180IOPS"));
    assert!(sizing.measured_s.is_some_and(|s| s <= 78.0 * 60.0), "{:?}", sizing.measured_s);
}

#[test]
fn the_least_disks_of_databases_apart_were_those_of_a_higher_percentile() {
    // Each peaks in one interval of 150: above the 99.5th percentile that bounds their sum, below the 99th.
    let of = |db: &str, from: i64| -> Vec<Report> {
        (0..150)
            .map(|h| {
                report(db, 1, from + 60 * h, from + 60 * (h + 1), if h == 7 { 10_000.0 } else { 100.0 }, 10.0)
            })
            .collect()
    };
    let mut reports = of("A", 0);
    reports.extend(of("B", 60 * 200));
    let sizing = size(&reports, &options("180IOPS"));
    let apart = sizing.apart.unwrap();
    assert_eq!((apart.hardware_low, apart.hardware_high), (120.0, 20_040.0));
    let alone = size(&of("A", 0), &options("180IOPS"));
    assert_eq!(apart.disks_low, need(&alone, "normal").disks);
    assert!(apart.disks_high.is_some_and(|d| d > 100.0));
}

/// The number of intervals beyond the percentile stood in no sentence, or as "Only 0 intervals"; that there
/// was one interval came behind remarks on racks.
#[test]
fn how_firm_the_percentile_is_came_last_or_never() {
    let hours = |n: i64| -> Vec<Report> {
        (0..n).map(|h| report("A", 1, h * 60, h * 60 + 60, 100.0 + h as f64, 10.0)).collect()
    };
    let sizing = size(&hours(40), &SizeOptions { percentile: 50.0, ..options("180IOPS") });
    assert!(sizing.answer.contains("50th percentile of 40 intervals, 20 beyond it"), "{}", sizing.answer);
    assert_eq!(sizing.first_warnings, 0, "{:?}", sizing.warnings);
    let sizing = size(&hours(40), &SizeOptions { percentile: 90.0, ..options("180IOPS") });
    assert!(sizing.answer.contains("of 40 intervals, 4 beyond it"), "{}", sizing.answer);
    assert!(sizing.warnings[0].starts_with("Only 4 intervals lie beyond the 90th percentile"));
    let sizing = size(&hours(12), &options("180IOPS"));
    assert!(sizing.answer.contains("of 12 intervals, none beyond it"), "{}", sizing.answer);
    assert!(sizing.warnings[0].starts_with("No interval lies beyond"), "{:?}", sizing.warnings);
    let sizing = size(&hours(1), &options("180IOPS"));
    assert!(sizing.warnings[0].starts_with("One interval only"), "{:?}", sizing.warnings);
    assert_eq!(sizing.first_warnings, 1);
}

/// A load of nothing was sized as two disks without a word.
#[test]
fn no_load_at_all_was_a_size() {
    let sizing = stated(0.0, 0.0, &options("180IOPS"));
    assert!(sizing.warnings[0].contains("The load is 0 IOPS") && sizing.first_warnings == 1);
    let external = SizeOptions { sized_for: 0, capacity_bytes: Some(1e13), ..options("180IOPS") };
    let sizing = stated(100.0, 10.0, &external);
    assert!(sizing.answer.contains("(a write is 1 write)"), "{}", sizing.answer);
    assert!(sizing.warnings.iter().any(|w| w.starts_with("How many disks hold")), "{:?}", sizing.warnings);
}

/// The agreed 84 disks and 7 cells stood behind 167 and 14, the 7 cells nowhere.
#[test]
fn the_bare_division_came_behind_the_plan() {
    let answer = stated(5_000.0, 5_000.0, &options("180IOPS")).answer;
    let (bare, planned) =
        (answer.find("84 x disk, 7 cells of 12 by bare division"), answer.find("167 x disk, 14 cells"));
    assert!(bare.is_some() && bare < planned, "{answer}");
}

fn with_maxima(mut one: Report, maxima: &[(&str, f64)]) -> Report {
    one.tables.sysmetric.extend(maxima.iter().map(|(name, maximum)| SysMetric {
        line: 1,
        section: 0,
        instance_number: None,
        metric: (*name).into(),
        unit: None,
        average: None,
        maximum: Some(*maximum),
    }));
    one
}

/// The headline warned of a minute that the disks it had just recommended carry.
#[test]
fn a_minute_that_the_planned_disks_do_was_warned_of() {
    let maxima = [
        ("Physical Read Total IO Requests Per Sec", 150.0),
        ("Physical Write Total IO Requests Per Sec", 110.0),
    ];
    let sizing = size(&[with_maxima(report("A", 1, 0, 60, 100.0, 50.0), &maxima)], &options("180IOPS"));
    assert_eq!(need(&sizing, "normal").disks, Some(3.0));
    assert!(!sizing.answer.contains("But"), "{}", sizing.answer);
    assert!(
        sizing.warnings.iter().any(|w| w.contains("2 to 3 x disk by bare division, which the 3 planned do")),
        "{:?}",
        sizing.warnings
    );
}

/// A counter that jumped, 4 MB a request, was the first thing that a reader saw: 166 GB/s.
#[test]
fn a_minute_of_requests_larger_than_any_was_led_with() {
    let of = |read: f64, read_bytes: f64, write_bytes: f64| {
        let one = report("A", 1, 0, 60, read, 50.0);
        let one = with_statistic(one, "physical read total bytes", 1e6);
        let one = with_statistic(one, "physical write total bytes", 5e5);
        with_maxima(
            one,
            &[
                ("Physical Read Total IO Requests Per Sec", 1_000.0),
                ("Physical Write Total IO Requests Per Sec", 100.0),
                ("Physical Read Total Bytes Per Sec", read_bytes),
                ("Physical Write Total Bytes Per Sec", write_bytes),
            ],
        )
    };
    let sized = |one: Report| size(&[one], &options("flash=20000IOPS,0.2ms,100MB/s"));
    // Writes of 4 MB; reads of half a megabyte, yet more in a minute than in the hour.
    for (one, why) in
        [(of(400.0, 2e7, 4e8), "of 4.0 MB"), (of(400.0, 5e8, 1e6), "more than the whole interval")]
    {
        let sizing = sized(one);
        let minute = &sizing.workload.peak_minute;
        let said = minute.unbelievable.as_ref().unwrap();
        assert!(said.contains("not believed") && said.contains(why), "{said}");
        assert!(minute.hardware_mbps_high.is_none(), "{minute:?}");
        assert!(!sizing.answer.contains("MB/s on the disks"), "{}", sizing.answer);
        assert_eq!(sizing.warnings.iter().filter(|w| *w == said).count(), 1);
    }
    let sizing = sized(of(400.0, 2e7, 1e7));
    assert!(sizing.workload.peak_minute.unbelievable.is_none(), "{:?}", sizing.workload.peak_minute);
}

/// Half a day near the highest load there was stood in no sentence.
#[test]
fn how_long_the_load_was_near_its_highest_was_not_said() {
    let reports: Vec<Report> = (0..10)
        .map(|h| report("A", 1, h * 60, h * 60 + 60, if h < 5 { 1_000.0 - h as f64 } else { 10.0 }, 0.0))
        .collect();
    let sizing = size(&reports, &SizeOptions { percentile: 40.0, ..options("180IOPS") });
    let busiest = sizing.workload.busiest.as_ref().unwrap();
    assert!(
        near(Some(busiest.hardware_iops), 1_000.0) && near(Some(busiest.near_s), 18_000.0),
        "{busiest:?}"
    );
    assert!(
        sizing.answer.contains("asked the disks for 1,000 IOPS; 5.0 h in all were within 5 %"),
        "{}",
        sizing.answer
    );
}

/// Redo and data were more than all writes, and nothing said why.
#[test]
fn parts_above_the_whole_were_not_explained() {
    let mut one = report("A", 1, 0, 60, 100.0, 40.0);
    for (function, writes) in [("DBWR", 25.0), ("LGWR", 30.0), ("Direct Writes", 1.0)] {
        one.tables.io_function.push(IoActivity {
            function: Some(function.into()),
            reads_per_s: Some(0.0),
            writes_per_s: Some(writes),
            ..IoActivity::default()
        });
    }
    let mix = size(&[one], &options("180IOPS")).write_mix;
    assert_eq!((mix.data_write_iops, mix.other_write_iops), (Some(26.0), None));
    assert!(mix.because.contains("add up to 40.0 % more than all writes"), "{}", mix.because);
}

/// What one ranking does not list of a segment was taken for nothing: one that read less stood first.
#[test]
fn a_segment_whose_writes_are_not_listed_came_last() {
    let mut one = report("A", 1, 0, 60, 300.0, 40.0);
    for (ranked_by, object, value) in [
        ("physical_reads", "READ", 164.0),
        ("physical_reads", "BOTH", 90.0),
        ("physical_writes", "BOTH", 100.0),
        ("physical_writes", "WRITTEN", 70.0),
    ] {
        one.tables.segment_stat.push(SegmentStat {
            ranked_by,
            object: Some(object.into()),
            value: Some(3_600.0 * value),
            ..SegmentStat::default()
        });
    }
    let sizing = size(&[one], &options("180IOPS"));
    let rows = &sizing.drill[0].segments;
    let names: Vec<_> = rows.iter().map(|r| (r.name.as_str(), r.reads_per_s, r.writes_per_s)).collect();
    let expected =
        [("READ", Some(164.0), None), ("BOTH", Some(90.0), Some(100.0)), ("WRITTEN", None, Some(70.0))];
    assert_eq!(names, expected);
}

/// Reports that list statements, of which none read anything, were said to list none.
#[test]
fn a_list_of_statements_that_read_nothing_was_no_list() {
    let mut one = report("A", 1, 0, 60, 300.0, 40.0);
    assert!(!size(std::slice::from_ref(&one), &options("180IOPS")).drill[0].listed);
    let statement = |id: &str, command: &str, bytes: f64| SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some(id.into()),
        read_bytes: Some(bytes),
        command: Some(command.into()),
        io_wait_s: Some(3.0),
        ..SqlStat::default()
    };
    one.tables.sql_stat.push(statement("idle", "SELECT", 0.0));
    let drill = |one: &Report| size(std::slice::from_ref(one), &options("180IOPS")).drill.remove(0);
    assert!(drill(&one).listed && drill(&one).sql.is_empty());
    // Plans of one statement add up; a block counts what its statements do.
    for (id, command, bytes) in
        [("busy", "SELECT", 1.8e9), ("busy", "SELECT", 1.8e9), ("block", "PL/SQLEXECUTE", 9e9)]
    {
        one.tables.sql_stat.push(statement(id, command, bytes));
    }
    let found = drill(&one).sql;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].name.as_str(), found[0].unit, found[0].io_wait_s), ("busy", "MB", Some(6.0)));
    assert!(near(found[0].reads_per_s, 1.0), "{found:?}");
}

/// A curve of reads sized writes without a word, under the name and the times of another disk.
#[test]
fn a_curve_took_name_and_times_of_a_profile() {
    let curve: spindle_workload::DeviceCurve = serde_json::from_value(serde_json::json!({
        "kind": "curve", "operation": "read", "block_bytes": 8192, "source": "bench",
        "points": [
            {"iops": 100.0, "latency_us": {"mean": 5000.0}},
            {"iops": 200.0, "latency_us": {"mean": 12000.0}},
        ],
    }))
    .unwrap();
    let disk = Disk::of_curve(curve.clone());
    assert_eq!((disk.read_latency_us, disk.write_latency_us, disk.mbps), (5_000.0, 5_000.0, None));
    assert!(disk.origin.contains("bench") && disk.profile.is_none(), "{disk:?}");
    let on = |disk: Disk, read: f64, write: f64| {
        stated(read, write, &SizeOptions { disks: vec![disk], ..options("180IOPS") })
    };
    let sizing = on(disk.clone(), 5_000.0, 5_000.0);
    assert!(
        sizing.warnings[0].contains("The curve is of reads, and 67 % of the requests"),
        "{:?}",
        sizing.warnings
    );
    assert_eq!(sizing.first_warnings, 1);
    assert_eq!(on(disk, 5_000.0, 0.0).first_warnings, 0);
    // A disk that is named keeps its name and size, and none of its times.
    let named = Disk::parse("disk_15k,600GB", &profiles()).unwrap().with_curve(curve);
    assert_eq!((named.name.as_str(), named.read_latency_us), ("disk_15k", 5_000.0));
}

/// Latencies as AWR-miner files print them, milliseconds.
fn with_latency(mut one: Report, ms: f64) -> Report {
    one.tables.load_profile.push(spindle_facts::LoadProfileRow {
        line: 1,
        section: 0,
        instance_number: Some(1),
        metric: "s_blk_r_lat".into(),
        known: None,
        per_second: Some(ms),
        per_transaction: None,
        per_exec: None,
        per_call: None,
        per_second_half_unit: 0.05,
        per_second_diff_pct: None,
    });
    one
}

/// Whoever shared the night with a noisy neighbour was accused beside it.
#[test]
fn a_database_busy_at_the_same_hours_was_accused() {
    let mut state = 7_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut plain = Vec::new();
    let mut twins = Vec::new();
    for h in 0..240_i64 {
        let night = if (h % 24) < 6 { 1.0 } else { 0.0 };
        let loud = 200.0 + 9_000.0 * night * noise() + 300.0 * noise();
        let alike = 100.0 + 3_000.0 * night * noise() + 900.0 * noise();
        let victim = 300.0 + 50.0 * noise();
        let latency = 3.0 + loud / 1_500.0;
        let of = |db: &str, iops: f64| report(db, 1, h * 60, h * 60 + 60, iops, 1.0);
        let three = [of("LOUD", loud), of("SELF", alike), with_latency(of("VICTIM", victim), latency)];
        twins.extend(three.iter().cloned());
        twins.push(of("TWIN", loud / 3.0));
        plain.extend(three);
    }
    let sizing = size(&plain, &options("180IOPS"));
    let pairs: Vec<_> =
        sizing.neighbours.iter().map(|n| (n.suffers.as_str(), n.from.as_str(), n.or.len())).collect();
    assert_eq!(pairs, [("VICTIM", "LOUD", 0)], "{:?}", sizing.neighbours);
    assert!(sizing.neighbours[0].correlation > 0.9, "{:?}", sizing.neighbours);
    // Two that nothing tells apart are both named, one beside the other.
    let sizing = size(&twins, &options("180IOPS"));
    let [one] = sizing.neighbours.as_slice() else { panic!("{:?}", sizing.neighbours) };
    assert_eq!((one.from.as_str(), one.or.as_slice()), ("LOUD", &["TWIN".to_owned()][..]));
}

#[test]
fn a_copy_of_one_identifier_on_another_host_took_the_place_of_the_other() {
    let seen = |host: &str, started: &str, hour: i64, read: f64| {
        let mut report = report("PROD", 1, 60 * hour, 60 * (hour + 1), read, read / 20.0);
        report.identity.db_id = Some(4_711);
        report.identity.host = Some(host.into());
        report.identity.startup_time = Some(started.into());
        report.identity.source = format!("{host}{hour}{started}");
        report
    };
    let (begun, later) = ("2024-01-01T01:00:00", "2024-02-02T02:00:00");
    // Drawn loads of both, 12 hours.
    let loads: Vec<(f64, f64)> =
        (0..12).map(|h| (1_000.0 + 7.0 * h as f64, 3_000.0 + 90.0 * (h * 5 % 12) as f64)).collect();
    let expected = loads.iter().map(|(a, b)| (a + b) * 1.1).fold(0.0, f64::max);
    for (hosts, starts) in [(("prodhost", "testhost"), (begun, later)), (("h", "h"), (begun, later))] {
        let reports: Vec<Report> = (0..12)
            .flat_map(|h| {
                let (a, b) = loads[usize::try_from(h).unwrap()];
                [seen(hosts.0, starts.0, h, a), seen(hosts.1, starts.1, h, b)]
            })
            .collect();
        let sizing = size(&reports, &options("180IOPS"));
        assert!(near(need(&sizing, "normal").hardware_iops, expected), "{}", sizing.answer);
        assert_eq!(sizing.databases.len(), 2, "{:?}", sizing.databases);
        let first = &sizing.warnings[..sizing.first_warnings];
        assert!(first.iter().any(|w| w.contains("PROD 4711") && w.contains("2 databases")), "{first:?}");
        assert!(!sizing.gaps.iter().any(|g| g.kind == "duplicate"), "{:?}", sizing.gaps);
    }
    // Its start printed to the minute, its host with the domain: the same report twice.
    let reports: Vec<Report> = (0..12)
        .flat_map(|h| [seen("h", begun, h, 900.0), seen("H.example.com", "2024-01-01T01:00:31", h, 900.0)])
        .collect();
    let sizing = size(&reports, &options("180IOPS"));
    assert!(near(need(&sizing, "normal").hardware_iops, 990.0), "{}", sizing.answer);
}

/// Adds a counter of the instance activity.
fn with_total(mut report: Report, statistic: &str, total: f64) -> Report {
    report.tables.instance_stat.push(InstanceStat {
        statistic: statistic.into(),
        total: Some(total),
        per_second: None,
        line: 1,
        section: 0,
        instance_number: None,
        printed_as: None,
        per_transaction: None,
        begin_value: None,
        end_value: None,
    });
    report
}

#[test]
fn means_of_bytes_that_no_request_can_carry_were_counted() {
    // 100 hours of 400 reads and 100 writes a second; in two of them 8 MB a write.
    let hour = |h: i64, each_mb: f64| {
        let report = report("D", 1, 60 * h, 60 * (h + 1), 400.0, 100.0);
        let report = with_total(report, "physical read total bytes", 400.0 * 3600.0 * 8_192.0);
        with_total(report, "physical write total bytes", 100.0 * 3600.0 * each_mb * 1e6)
    };
    let with = |odd: f64| {
        let each = |h: i64| if h == 20 || h == 60 { odd } else { 0.01 };
        size(&(0..100).map(|h| hour(h, each(h))).collect::<Vec<_>>(), &options("disk_15k"))
    };
    let (plain, doubted) = (with(0.01), with(8.0));
    assert_eq!(need(&doubted, "normal").disks, need(&plain, "normal").disks);
    assert_eq!(need(&doubted, "normal").hardware_mbps, need(&plain, "normal").hardware_mbps);
    assert!(near(doubted.workload.max.write_mbps, 1.0), "{:?}", doubted.workload.max);
    let said = doubted.warnings.iter().find(|w| w.contains("not believed")).unwrap();
    assert!(said.contains("2 intervals (2.00 % of the time)") && said.contains("8.0 MB a request"), "{said}");
    assert!(!plain.warnings.iter().any(|w| w.contains("not believed")), "{:?}", plain.warnings);
    // Of 1 MB each they can be: backups write so.
    let backup = with(1.0);
    assert!(near(backup.workload.max.write_mbps, 100.0), "{:?}", backup.warnings);
    assert!(need(&backup, "normal").hardware_mbps > need(&plain, "normal").hardware_mbps);
}

#[test]
fn parity_counted_requests_of_small_writes_and_bytes_of_whole_stripes() {
    let mut sizer = Sizer::default();
    sizer.add_stated(Measures {
        read_iops: Some(1.0),
        write_iops: Some(1_000.0),
        read_mbps: Some(0.008),
        write_mbps: Some(256.0),
        ..Measures::default()
    });
    let sizing = sizer.size(&options("disk_15k")).unwrap();
    for (name, times) in [("normal", 2.0), ("raid5", 4.0), ("raid6", 6.0)] {
        let need = need(&sizing, name);
        assert!(near(need.hardware_mbps, 0.008 + times * 256.0), "{name}: {need:?}");
        assert!(near(need.hardware_iops, 1.0 + times * 1_000.0), "{name}");
        // Each request is of the size of the write.
        assert!(need.request_bytes.is_some_and(|b| (255_000.0..=256_000.0).contains(&b)), "{name}: {need:?}");
    }
    let raid5 = need(&sizing, "raid5");
    assert!(near(raid5.hardware_mbps_full_stripe, 0.008 + 1.25 * 256.0), "{raid5:?}");
    assert_eq!((raid5.disks, need(&sizing, "raid6").disks), (Some(59.0), Some(89.0)));
    assert_eq!(need(&sizing, "normal").hardware_mbps_full_stripe, None);
}

#[test]
fn a_report_over_the_skipped_hour_had_half_its_rate() {
    // Hours of Saturday and Sunday, 30 and 31 March; the clock goes from 02:00 to 03:00.
    let day = 1_440 * 29;
    let hours = |skips: bool| -> Vec<Report> {
        let of = |h: i64| {
            let (from, to) = (day + 60 * h, day + 60 * (h + 1));
            match (skips, h) {
                (true, 25) => Some(report("D", 1, from, to + 60, 301.5, 150.0)),
                (true, 26) => None,
                _ => Some(report("D", 1, from, to, 603.0, 300.0)),
            }
        };
        (0..48).filter_map(of).collect()
    };
    let sizing = size(&hours(true), &options("180IOPS"));
    assert!(near(sizing.workload.mean.read_iops, 603.0), "{:?}", sizing.workload.mean);
    assert!(sizing.gaps.iter().any(|g| g.kind == "clock"), "{:?}", sizing.gaps);
    assert!(!size(&hours(false), &options("180IOPS")).gaps.iter().any(|g| g.kind == "clock"));
}

#[test]
fn a_peak_within_the_busiest_hour_was_below_one_that_was_seen() {
    // Quarters: the hour with the highest mean is even, the highest quarter lies in another.
    let rate = |h: i64, q: i64| match (h, q) {
        (3, _) => 1_000.0,
        (5, 2) => 1_700.0,
        _ => 400.0 + 10.0 * (h * 7 % 12) as f64,
    };
    let quarters = (0..12).flat_map(|h| (0..4).map(move |q| (h, q)));
    let reports: Vec<Report> = quarters
        .map(|(h, q)| report("D", 1, 60 * h + 15 * q, 60 * h + 15 * (q + 1), rate(h, q), 0.0))
        .collect();
    let sizing = size(&reports, &options("180IOPS"));
    let hidden = &sizing.workload.hidden_peak;
    assert!(near(hidden.low, 1_700.0) && near(hidden.high, 1_700.0), "{hidden:?}");
    assert!(hidden.because.contains("another hour"), "{hidden:?}");
}

#[test]
fn growth_was_cut_short_without_a_word() {
    let grown = |pct: f64, years: u32| {
        stated(50_000.0, 5_000.0, &SizeOptions { growth_pct: Some(pct), years, ..options("disk_15k") })
    };
    let said = |s: &Sizing| s.warnings.iter().find(|w| w.starts_with("Growth")).cloned();
    let far = grown(100.0, 50);
    let last = far.growth.last().unwrap().year;
    assert!((10..50).contains(&last), "{last}");
    let cut = said(&far).unwrap();
    assert!(cut.contains("100 % a year") && cut.contains(&format!("year {last} of 50")), "{cut}");
    // Every year up to the last is there.
    assert!(far.growth.iter().map(|y| y.year).eq(0..=last));
    // A share given for percent.
    let little = said(&grown(0.2, 3)).unwrap();
    assert!(little.contains("0.2 % a year") && little.contains("20 %"), "{little}");
    assert_eq!(said(&grown(20.0, 3)), None);
}

#[test]
fn a_penalty_was_taken_for_the_number_of_copies() {
    let of = |redundancy: &str| {
        let redundancy = vec![Redundancy::parse(redundancy).unwrap()];
        let capacity_bytes = Some(20.0 * 1024_f64.powi(4));
        let sizing = stated(
            500.0,
            50.0,
            &SizeOptions { redundancy, sized_for: 0, capacity_bytes, ..options("disk_15k,600GB") },
        );
        let need = sizing.redundancy[0].clone();
        let said = sizing.warnings.iter().any(|w| w.contains("raw bytes"));
        (need.disks_for_capacity, need.disks_are_least, need.copies, said)
    };
    // 20 TiB on disks of 600 GB: 36.7 for one copy, a quarter more for parity of 4+1, four times for four copies.
    assert_eq!(of("r5=4"), (Some(37.0), true, None, true));
    assert_eq!(of("r5=4:1.25"), (Some(46.0), false, Some(1.25), false));
    assert_eq!(of("four=4:4"), (Some(147.0), false, Some(4.0), false));
    assert!(Redundancy::parse("r5=4:0.5").unwrap_err().contains("raw bytes"));
}

#[test]
fn volumes_of_ten_gigabytes_had_the_cap_of_the_largest() {
    // AWS allows 500 provisioned requests a GiB, Azure 500 and 1,000.
    for (disk, most) in [
        ("aws_gp3_provisioned,10GB", 4_657.0),
        ("azure_premium_ssd_v2,10GB", 4_657.0),
        ("azure_ultra,10GB", 9_313.0),
    ] {
        let disk = Disk::parse(disk, &profiles()).unwrap();
        assert!((disk.iops - most).abs() < 1.0, "{disk:?}");
    }
}

/// Hours of an instance of R, from one on, with the time that it was started and the instances that there are.
fn hours_of(
    instance: u32,
    from: i64,
    hours: i64,
    load: (f64, f64),
    started: Option<&str>,
    has: u32,
) -> Vec<Report> {
    let hour = |h: i64| {
        let mut one = report("R", instance, h * 60, h * 60 + 60, load.0, load.1);
        one.identity.startup_time = started.map(str::to_owned);
        one.identity.instances = Some(has);
        one
    };
    (from..from + hours).map(hour).collect()
}

/// What an instance asked that was up and printed nothing was taken for nothing, and those hours for whole.
#[test]
fn an_instance_that_was_up_without_rows_asked_nothing() {
    let early = Some("2024-01-04T23:50:00");
    let one =
        [hours_of(1, 0, 48, (5_000.0, 100.0), early, 2), hours_of(1, 48, 48, (1_000.0, 100.0), early, 2)]
            .concat();
    let counted = |s: &Sizing| s.intervals.iter().map(|i| i.counted).collect::<Vec<_>>();
    let second_half = [vec![false; 48], vec![true; 48]].concat();
    let with = |other: Vec<Report>| [one.clone(), other].concat();
    // It was started before the first of these hours.
    let sizing = size(&with(hours_of(2, 48, 48, (4_000.0, 50.0), early, 2)), &options("180IOPS"));
    assert_eq!(counted(&sizing), second_half);
    assert!(near(sizing.workload.mean.read_iops, 5_000.0), "{:?}", sizing.workload.mean);
    assert!(sizing.intervals.iter().all(|i| i.complete == i.counted));
    // 5,000 + 2 x 100, and 4,000 + 2 x 50 where it is measured: more than 5,300.
    let said = sizing.warnings.iter().find(|w| w.contains("lack a database")).unwrap();
    assert!(said.contains("2.0 days of the time"), "{said}");
    assert!(said.contains("asked 5,200 IOPS") && said.contains("about 9,300"), "{said}");
    // It is not known to have been up before it was started.
    let later = Some("2024-03-02T23:59:00");
    let sizing = size(&with(hours_of(2, 48, 48, (4_000.0, 50.0), later, 2)), &options("180IOPS"));
    assert_eq!(counted(&sizing), vec![true; 96]);
    // It ends, and two are open when the history is collected.
    let sizing = size(&with(hours_of(2, 0, 48, (4_000.0, 50.0), early, 2)), &options("180IOPS"));
    assert_eq!(counted(&sizing), [vec![true; 48], vec![false; 48]].concat());
    // Where one is open, it was shut down.
    let mut shut = with(hours_of(2, 0, 48, (4_000.0, 50.0), early, 2));
    shut.iter_mut().for_each(|r| r.identity.instances = Some(1));
    assert_eq!(counted(&size(&shut, &options("180IOPS"))), vec![true; 96]);
    // What asks more than the whole without it is the time that matters, and the least.
    let alone = hours_of(1, 0, 48, (9_000.0, 100.0), early, 2);
    let both =
        [hours_of(1, 48, 48, (1_000.0, 100.0), early, 2), hours_of(2, 48, 48, (4_000.0, 50.0), early, 2)];
    let sizing = size(&[alone, both.concat()].concat(), &options("180IOPS"));
    assert_eq!(sizing.intervals.iter().filter(|i| i.counted && !i.complete).count(), 48);
    assert!(sizing.answer.starts_with("R asks at least 9,100 IOPS"), "{}", sizing.answer);
    assert!(
        sizing.warnings.iter().any(|w| w.starts_with("R has 2 instances, and 48 of the 96 intervals")),
        "{:?}",
        sizing.warnings
    );
    // Of another database beside it nothing is missing: together they ask no less.
    let beside: Vec<Report> = (0..48).map(|h| report("S", 1, h * 60, h * 60 + 60, 10.0, 1.0)).collect();
    let sizing = size(&[one[..48].to_vec(), beside].concat(), &options("180IOPS"));
    assert!(sizing.answer.starts_with("2 databases together ask at least 5,111 IOPS"), "{}", sizing.answer);
    // Of one of them there is no row at all.
    let sizing = size(&one, &options("180IOPS"));
    assert_eq!(sizing.instances_missing.len(), 1);
    assert!(sizing.answer.starts_with("1 of the 2 instances of R asks"), "{}", sizing.answer);
}

/// Means of hours, cut in halves at the hours of another, were parts in which a peak was seen.
#[test]
fn hours_cut_at_the_snapshots_of_another_were_seen_in_parts() {
    let a = |h: i64| report("A", 1, h * 60, h * 60 + 60, 1_000.0 + 10.0 * h as f64, 100.0);
    let b = |h: i64| report("B", 1, h * 60 + 30, h * 60 + 90, 500.0 + 100.0 * (h * 7 % 5) as f64, 50.0);
    let reports: Vec<Report> = (0..48).flat_map(|h| [a(h), b(h)]).collect();
    let peak = size(&reports, &options("180IOPS")).workload.hidden_peak;
    assert!(peak.low.is_none() && peak.hours == 0, "{peak:?}");
    assert!(peak.because.contains("the longest interval is 60 min"), "{peak:?}");
    // Each in half hours of its own, it is seen.
    let halves = |db: &str, read: f64| {
        let half = |h: i64| report(db, 1, h * 30, h * 30 + 30, read * (1.0 + (h % 2) as f64), 1.0);
        (0..96).map(half).collect::<Vec<_>>()
    };
    let peak = size(&[halves("A", 100.0), halves("B", 50.0)].concat(), &options("180IOPS"));
    let peak = peak.workload.hidden_peak;
    assert!(near(peak.high, 302.0) && peak.because.contains("intervals of 30 min"), "{peak:?}");
    // One that is shorter than an hour hides what it hides, and is no long one.
    let peak = size(&[report("A", 1, 0, 15, 1.0, 1.0)], &options("180IOPS")).workload.hidden_peak;
    assert!(peak.because.contains("no hour was seen whole (the longest interval is 15 min)"), "{peak:?}");
}

/// Rows of a file type.
fn of_type(mut one: Report, filetype: &str, small: f64, large: f64) -> Report {
    let seconds = one.identity.elapsed_s.unwrap();
    one.tables.io_filetype.push(IoActivity {
        filetype: Some(filetype.into()),
        small_write_requests: Some(small * seconds),
        large_write_requests: Some(large * seconds),
        ..IoActivity::default()
    });
    one
}

/// Data were said to be counted by file type, and were not: temp files were missing, or the database writer
/// alone was counted.
#[test]
fn writes_of_data_were_not_counted_by_file_type() {
    use spindle_planning::sizing::DataCount;
    let plain = || with_statistic(report("A", 1, 0, 60, 1_000.0, 900.0), "nothing", 0.0);
    let types = |one: Report| {
        let one = of_type(of_type(one, "Data File", 450.0, 10.0), "Temp File", 20.0, 1.0);
        of_type(one, "Log File", 300.0, 2.0)
    };
    let dbwr = |mut one: Report| {
        one.tables.io_function.push(IoActivity {
            function: Some("DBWR".into()),
            writes_per_s: Some(200.0),
            reads_per_s: Some(0.0),
            ..IoActivity::default()
        });
        one
    };
    let statistic = |one: Report| with_statistic(one, "physical write IO requests", 470.0);
    let mix = |one: Report| {
        let mix = size(&[one], &options("180IOPS")).write_mix;
        (mix.data_write_iops.map(f64::round), mix.data_counted_as)
    };
    assert_eq!(mix(types(plain())), (Some(481.0), Some(DataCount::FileTypes)));
    assert_eq!(mix(statistic(dbwr(types(plain())))), (Some(481.0), Some(DataCount::FileTypes)));
    assert_eq!(mix(statistic(dbwr(plain()))), (Some(470.0), Some(DataCount::Statistic)));
    assert_eq!(mix(dbwr(plain())), (Some(200.0), Some(DataCount::DatabaseWriter)));
    assert_eq!(mix(plain()), (None, None));
    // Of two instances one prints less: the poorer account says how they are counted.
    let mut other = statistic(report("A", 2, 0, 60, 10.0, 500.0));
    other.identity.instances = None;
    let both = size(&[types(plain()), other], &options("180IOPS")).write_mix;
    assert_eq!(both.data_write_iops.map(f64::round), Some(951.0));
    assert_eq!(both.data_counted_as, Some(DataCount::Statistic));
}

/// Databases whose loads and latencies have nothing to do with each other were accused of each other's reads.
#[test]
fn independent_databases_were_noisy_neighbours() {
    let mut state = 11_u64;
    let mut normal = || {
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        (0..12).map(|_| uniform()).sum::<f64>()
    };
    let mut accused = 0;
    for (hours, r) in [(24_i64, 0.0_f64), (24, 0.7), (48, 0.7), (168, 0.7), (168, 0.9)] {
        for _ in 0..4 {
            let mut series = || {
                let mut last = normal();
                (0..hours)
                    .map(|_| {
                        last = r * last + (1.0 - r * r).sqrt() * normal();
                        last
                    })
                    .collect::<Vec<f64>>()
            };
            let mut reports = Vec::new();
            for db in ["A", "B", "C", "D", "E", "F"] {
                let (load, latency) = (series(), series());
                for ((h, load), latency) in (0..hours).zip(load).zip(latency) {
                    let one = report(db, 1, h * 60, h * 60 + 60, 300.0 * (0.5 * load).exp(), 90.0);
                    reports.push(with_latency(one, 2.0 * (0.3 * latency).exp()));
                }
            }
            let sizing = size(&reports, &options("180IOPS"));
            assert_eq!(sizing.neighbours_tested, 30);
            accused += usize::from(!sizing.neighbours.is_empty());
        }
    }
    assert!(accused <= 2, "{accused} of 20 histories");
}

/// What lacks the size of one device was answered with an example of another.
#[test]
fn a_device_that_lacks_its_size_was_shown_another_as_an_example() {
    let error = Disk::parse("aws_io2", &profiles()).unwrap_err();
    let example = error.rsplit("--disk ").next().unwrap();
    assert_eq!(example, "aws_io2,600GB");
    assert!(Disk::parse(example, &profiles()).is_ok());
}

/// Hours of a database, from one on.
fn hours(db: &str, from: i64, count: i64, read: f64, write: f64) -> Vec<Report> {
    (from..from + count).map(|h| report(db, 1, h * 60, h * 60 + 60, read, write)).collect()
}

/// The same with the MB a second that they move.
fn moving(reports: Vec<Report>, read_mb: f64, write_mb: f64) -> Vec<Report> {
    let of = |one: Report| {
        let one = with_statistic(one, "physical read total bytes", 1e6 * read_mb);
        with_statistic(one, "physical write total bytes", 1e6 * write_mb)
    };
    reports.into_iter().map(of).collect()
}

/// A cluster that asks most while an instance of it prints nothing was sized by its quiet days as soon as another
/// database stood beside it, and the bounds of both lay below what it asks alone.
#[test]
fn what_a_cluster_asks_alone_was_halved_beside_another_database() {
    let early = Some("2024-01-04T23:50:00");
    let cluster = [
        hours_of(1, 0, 48, (9_000.0, 100.0), early, 2),
        hours_of(1, 48, 48, (1_000.0, 100.0), early, 2),
        hours_of(2, 48, 48, (4_000.0, 50.0), early, 2),
    ]
    .concat();
    let with = |other: Vec<Report>| size(&[cluster.clone(), other].concat(), &options("180IOPS"));
    let own = |s: &Sizing, db: &str| s.consolidation.iter().find(|t| t.database == db).unwrap().clone();
    // At other times: it asks more than the other, whatever its whole hours ask.
    let sizing = with(hours("S", 400, 48, 6_000.0, 0.0));
    let apart = sizing.apart.as_ref().unwrap();
    assert_eq!(apart.largest, "R");
    assert!(
        near(Some(apart.hardware_low), 9_200.0) && near(Some(apart.hardware_high), 15_200.0),
        "{apart:?}"
    );
    assert!(apart.high_is_least && apart.disks_low >= need(&sizing, "normal").disks, "{apart:?}");
    assert!(own(&sizing, "R").own_is_least && !own(&sizing, "S").own_is_least);
    assert!(sizing.answer.contains("R at least 9,200, S 6,000 IOPS"), "{}", sizing.answer);
    assert!(sizing.answer.contains("R alone asks at least 9,100 IOPS"), "{}", sizing.answer);
    // Where the other asks more it is in the bounds, and said to lack an instance.
    let sizing = with(hours("S", 400, 48, 12_000.0, 0.0));
    let apart = sizing.apart.as_ref().unwrap();
    assert_eq!((apart.largest.as_str(), apart.hardware_high.round()), ("S", 21_200.0));
    assert!(sizing.answer.contains("S alone asks 12,000 IOPS"), "{}", sizing.answer);
    assert_eq!(sizing.instances_missing.iter().map(|m| m.database.as_str()).collect::<Vec<_>>(), ["R"]);
    let said = sizing.warnings.iter().any(|w| w.contains("48 of the 96 intervals that count for it alone"));
    assert!(said, "{:?}", sizing.warnings);
    // At the same time: together they ask no more than each for itself.
    let sizing = with(hours("S", 0, 96, 300.0, 0.0));
    let (r, s) = (own(&sizing, "R"), own(&sizing, "S"));
    assert!(near(r.own_percentile_iops, 9_200.0) && near(r.own_max_iops, 9_200.0), "{r:?}");
    let each = r.own_percentile_iops.unwrap() + s.own_percentile_iops.unwrap();
    assert!(need(&sizing, "normal").hardware_iops.unwrap() <= each, "{each}");
}

/// A database that moves most bytes while the other is not measured was sized by its quiet days: fewer disks for
/// two databases than for one of them.
#[test]
fn a_second_database_took_the_bytes_of_the_first_away() {
    let disk = options("180IOPS,5.5ms,160MB/s");
    let scans = moving(hours("D", 0, 24, 4_000.0, 100.0), 4_000.0, 1.0);
    let quiet = moving(hours("D", 24, 24, 300.0, 100.0), 10.0, 1.0);
    let warehouse = [scans.clone(), quiet].concat();
    let small = moving(hours("O", 24, 24, 6_000.0, 100.0), 49.0, 1.0);
    let alone = size(&warehouse, &disk);
    let both = size(&[warehouse.clone(), small.clone()].concat(), &disk);
    assert!(need(&both, "normal").disks >= need(&alone, "normal").disks, "{:?}", need(&both, "normal"));
    assert_eq!(both.apart.as_ref().unwrap().largest, "D");
    // Never together: what needs most disks is not what asks for most requests.
    let both = size(&[scans, small.clone()].concat(), &disk);
    let apart = both.apart.as_ref().unwrap();
    assert_eq!(apart.largest, "D");
    assert!(near(Some(apart.hardware_low), 6_200.0) && near(apart.mbps_low, 4_002.0), "{apart:?}");
    assert!(near(apart.mbps_high, 4_053.0) && apart.disks_low == need(&both, "normal").disks, "{apart:?}");
    assert!(both.answer.contains("O 6,200 IOPS and 51 MB/s"), "{}", both.answer);
    // Beyond the percentile of both it is at least said.
    let median = SizeOptions { percentile: 40.0, ..disk };
    let busy = moving(hours("D", 0, 4, 4_000.0, 100.0), 4_000.0, 1.0);
    let rest = moving(hours("D", 4, 44, 300.0, 100.0), 10.0, 1.0);
    let small = moving(hours("O", 4, 44, 6_000.0, 100.0), 49.0, 1.0);
    let sizing = size(&[busy, rest, small].concat(), &median);
    assert!(sizing.apart.is_none(), "{:?}", sizing.apart);
    let said = sizing.warnings.iter().find(|w| w.contains("lack a database")).unwrap();
    assert!(said.contains("moved 4,002 MB/s on the disks already without the missing ones"), "{said}");
}

/// A week that lacks a database was not weighed with what that database asks.
#[test]
fn time_that_lacks_a_database_was_taken_to_ask_nothing_of_it() {
    let first = [hours("A", 0, 48, 8_000.0, 0.0), hours("A", 48, 48, 1_000.0, 0.0)].concat();
    let with = |started: &str| {
        let mut other = hours("B", 48, 48, 7_500.0, 0.0);
        other.iter_mut().for_each(|r| r.identity.startup_time = Some(started.to_owned()));
        let sizing = size(&[first.clone(), other].concat(), &options("180IOPS"));
        assert!(sizing.apart.is_none() && near(need(&sizing, "normal").hardware_iops, 8_500.0));
        sizing.warnings.iter().find(|w| w.contains("lack a database")).unwrap().clone()
    };
    let said = with("2024-02-01T00:00:00");
    assert!(said.contains("asked 8,000 IOPS") && said.contains("about 15,500"), "{said}");
    // Before it was started it asked nothing.
    assert!(!with("2024-03-02T23:59:00").contains("about"), "{}", with("2024-03-02T23:59:00"));
}

/// A database that prints no bytes took those of the others away, and the disks fell.
#[test]
fn unknown_bytes_of_one_database_took_those_of_the_others_away() {
    let disk = options("180IOPS,5.5ms,160MB/s");
    let known = moving(hours("A", 0, 48, 1_500.0, 300.0), 537.0, 80.0);
    let all = [known.clone(), moving(hours("B", 0, 48, 3_000.0, 300.0), 1_000.0, 80.0)].concat();
    let part = [known.clone(), hours("B", 0, 48, 3_000.0, 300.0)].concat();
    let (all, part) = (size(&all, &disk), size(&part, &disk));
    let (of_all, of_part) = (need(&all, "normal"), need(&part, "normal"));
    assert!(!of_all.hardware_mbps_is_least && near(of_all.hardware_mbps, 1_857.0), "{of_all:?}");
    assert!(of_part.hardware_mbps_is_least && near(of_part.hardware_mbps, 697.0), "{of_part:?}");
    assert!(of_part.disks_are_least && of_part.disks <= of_all.disks, "{of_part:?}");
    // No fewer than without the other.
    let alone = size(&known, &disk);
    assert!(of_part.disks >= need(&alone, "normal").disks, "{of_part:?}");
    assert!(near(part.workload.mean.read_mbps, 537.0) && part.workload.read_mbps_is_least);
    let least = format!("at least {} x disk", of_part.disks.unwrap());
    assert!(part.answer.contains(&least) && !all.answer.contains(&least), "{}", part.answer);
    assert!(part.warnings.iter().any(|w| w.contains("of B are not known")), "{:?}", part.warnings);
    // In the second half of the time alone.
    let half = [moving(hours("C", 0, 24, 3_000.0, 300.0), 1_000.0, 80.0), hours("C", 24, 24, 3_000.0, 300.0)];
    let half = size(&half.concat(), &disk);
    assert!(near(half.workload.mean.read_mbps, 500.0) && near(half.workload.max.read_mbps, 1_000.0));
    assert!(near(half.workload.at_percentile.read_mbps, 1_000.0) && half.workload.read_mbps_is_least);
    assert!(near(need(&half, "normal").hardware_mbps, 1_160.0), "{:?}", need(&half, "normal"));
}

/// The highest minute of requests of an hour.
fn with_minute(reports: Vec<Report>, read: f64, write: f64) -> Vec<Report> {
    let names = ["Physical Read Total IO Requests Per Sec", "Physical Write Total IO Requests Per Sec"];
    let of = |one| with_maxima(one, &[(names[0], read), (names[1], write)]);
    reports.into_iter().map(of).collect()
}

/// The highest minute of the few hours that keep one was said to be that of all, far below the mean of others.
#[test]
fn the_highest_minute_of_some_hours_was_that_of_all() {
    let reports =
        [hours("A", 0, 48, 3_000.0, 100.0), with_minute(hours("A", 48, 24, 1_000.0, 100.0), 1_300.0, 130.0)];
    let sizing = size(&reports.concat(), &options("180IOPS"));
    let minute = &sizing.workload.peak_minute;
    assert!(near(minute.low_iops, 3_100.0) && near(minute.hardware_low, 3_200.0), "{minute:?}");
    assert_eq!((minute.high_iops, minute.hardware_high, minute.intervals_without), (None, None, 48));
    let said = sizing
        .warnings
        .iter()
        .any(|w| w.contains("asked the disks for at least 3,200 IOPS (in 48 of the 72"));
    assert!(said, "{:?}", sizing.warnings);
    // What is inside the others stays unknown.
    let unknown = sizing.warnings.iter().any(|w| w.starts_with("Peaks within an interval are not known"));
    assert!(unknown, "{:?}", sizing.warnings);
    // Of an instance that keeps one the bound is known, and which does not.
    let mut other = hours("A", 0, 24, 3_000.0, 0.0);
    other.iter_mut().for_each(|r| r.identity.instance_number = Some(2));
    let one = with_minute(hours("A", 0, 24, 300.0, 0.0), 5_000.0, 0.0);
    let minute = size(&[one, other].concat(), &options("180IOPS")).workload.peak_minute;
    assert!(near(minute.low_iops, 5_000.0) && minute.high_iops.is_none(), "{minute:?}");
    assert!(minute.because.contains("instance 2 of A"), "{minute:?}");
}

/// The peak within the busiest hour, of what is asked, stood below the mean of that hour, of what the disks do, and
/// in no number of disks.
#[test]
fn a_peak_within_an_hour_was_in_other_units_than_the_hour() {
    let mut reports = Vec::new();
    for hour in 0..4 {
        for quarter in 0..4 {
            let from = hour * 60 + quarter * 15;
            let high = if hour == 0 { 150.0 } else { 130.0 };
            let rate = if quarter == 0 { high } else { (400.0 - high) / 3.0 };
            reports.push(report("A", 1, from, from + 15, 10.0 * rate, 10.0 * rate));
        }
    }
    reports.push(report("A", 1, 240, 300, 3_000.0, 3_000.0));
    let sizing = size(&reports, &options("180IOPS"));
    let hidden = &sizing.workload.hidden_peak;
    assert!(near(hidden.low, 7_800.0) && near(hidden.high, 9_000.0), "{hidden:?}");
    assert!(near(hidden.hardware_low, 11_700.0) && near(hidden.hardware_high, 13_500.0), "{hidden:?}");
    assert!(near(hidden.hardware_hour_iops, 9_000.0), "{hidden:?}");
    let said = "a peak of 11,700 to 13,500 IOPS of the disks, 65 to 75 x disk by bare division";
    assert!(sizing.warnings.iter().any(|w| w.contains(said)), "{:?}", sizing.warnings);
}

/// Nothing was said to be seen inside any hour, where all but one database print quarters.
#[test]
fn quarters_of_all_but_one_database_were_seen_nowhere() {
    let quarters = |db: &str| {
        let of = |q: i64| report(db, 1, q * 15, q * 15 + 15, if q % 4 == 0 { 1_400.0 } else { 200.0 }, 0.0);
        (0..24).map(of).collect::<Vec<_>>()
    };
    let reports = [quarters("A"), quarters("B"), hours("C", 0, 6, 100.0, 0.0)].concat();
    let hidden = size(&reports, &options("180IOPS")).workload.hidden_peak;
    // 2,900 of 1,100.
    assert!(hidden.low.is_none() && hidden.because.contains("C has longer ones"), "{hidden:?}");
    assert!(hidden.because.contains("2.64 to 2.64 times the mean of its hour in 6 hours"), "{hidden:?}");
}

/// Histories of hosts of several time zones were added by what their clocks show.
#[test]
fn hosts_of_two_time_zones_were_added_by_the_wall_clock() {
    let batch = |db: &str, ahead: i64, told: bool| {
        let of = |h: i64| {
            let read = if [13, 14].contains(&(h % 24)) { 5_000.0 } else { 500.0 };
            let mut one = report(db, 1, (h + ahead) * 60, (h + ahead) * 60 + 60, read, 0.0);
            one.identity.host = Some(format!("h{db}"));
            one.identity.utc_offset_s = told.then_some(ahead * 3_600);
            one
        };
        (0..96).map(of).collect::<Vec<_>>()
    };
    let both =
        |told: bool| size(&[batch("LONDON", 0, told), batch("TOKYO", 9, told)].concat(), &options("180IOPS"));
    let sizing = both(true);
    assert!(near(need(&sizing, "normal").hardware_iops, 10_000.0), "{:?}", need(&sizing, "normal"));
    assert_eq!(sizing.intervals.len(), 96);
    let moved = sizing.gaps.iter().find(|g| g.kind == "clock").unwrap();
    assert_eq!(moved.database.as_deref(), Some("TOKYO"));
    assert!(moved.message.contains("9 h ahead of"), "{moved:?}");
    let doubt = |s: &Sizing| s.warnings.iter().any(|w| w.contains("Nothing says which time zone"));
    assert!(!doubt(&sizing), "{:?}", sizing.warnings);
    // Nothing says it.
    assert!(doubt(&both(false)), "{:?}", both(false).warnings);
    // On one host there is one clock.
    let mut reports = [batch("LONDON", 0, false), batch("TOKYO", 0, false)].concat();
    reports.iter_mut().for_each(|r| r.identity.host = Some("h".to_owned()));
    assert!(!doubt(&size(&reports, &options("180IOPS"))));
}

/// A statement of an hour: blocks and requests read a second.
fn with_statement(mut one: Report, sql_id: &str, blocks: f64, requests: Option<f64>) -> Report {
    let seconds = one.identity.elapsed_s.unwrap();
    one.tables.sql_stat.push(SqlStat {
        ranked_by: "physical_reads",
        sql_id: Some(sql_id.into()),
        physical_reads: Some(blocks * seconds),
        read_requests: requests.map(|r| r * seconds),
        ..SqlStat::default()
    });
    one
}

/// A segment of an hour, in one of the rankings.
fn with_segment(mut one: Report, ranked_by: &'static str, object: &str, rate: f64) -> Report {
    let seconds = one.identity.elapsed_s.unwrap();
    one.tables.segment_stat.push(SegmentStat {
        ranked_by,
        owner: Some("S".into()),
        object: Some(object.into()),
        value: Some(rate * seconds),
        ..SegmentStat::default()
    });
    one
}

/// A scan of 1 % of the requests was named behind a peak of IOPS, by its blocks.
#[test]
fn statements_behind_a_peak_of_requests_were_ranked_by_blocks() {
    let one = with_statement(report("A", 1, 0, 60, 4_500.0, 50.0), "oltp", 4_000.0, Some(4_000.0));
    let one = with_statement(one, "scan", 5_120.0, Some(40.0));
    let one = with_statement(one, "unlisted", 9_000.0, None);
    let names = |s: &Sizing| s.drill[0].sql.iter().map(|r| (r.name.clone(), r.unit)).collect::<Vec<_>>();
    let sizing = size(std::slice::from_ref(&one), &options("180IOPS"));
    let of = |name: &str, unit: &'static str| (name.to_owned(), unit);
    let expected = [of("oltp", "requests"), of("scan", "requests"), of("unlisted", "blocks")];
    assert_eq!(names(&sizing), expected);
    assert!(near(sizing.drill[0].sql[0].share_pct, 100.0 * 4_000.0 / 4_500.0), "{:?}", sizing.drill[0].sql);
    // Where bytes decide how many disks there are, blocks rank.
    let bytes = moving(vec![one], 1_000.0, 1.0);
    let sizing = size(&bytes, &options("20000IOPS,0.2ms,100MB/s"));
    assert_eq!(need(&sizing, "normal").decided_by, Some("mbps"));
    assert_eq!(names(&sizing), [of("unlisted", "blocks"), of("scan", "blocks"), of("oltp", "blocks")]);
}

/// A nightly hour of writes was explained by the statement and the segment that read.
#[test]
fn an_hour_of_writes_was_explained_by_reads() {
    let one = with_statement(report("A", 1, 0, 60, 300.0, 4_050.0), "reader", 200.0, Some(200.0));
    let one = with_segment(one, "physical_read_requests", "READT", 200.0);
    let one = with_segment(one, "physical_write_requests", "WRITET", 3_600.0);
    let drill = size(&[one], &options("180IOPS")).drill.remove(0);
    assert!(drill.writes_decide);
    assert_eq!(drill.segments[0].name, "S.WRITET");
    assert!(near(drill.segments[0].write_share_pct, 100.0 * 3_600.0 / 4_050.0), "{:?}", drill.segments);
}

/// A row of IOStat by Function.
fn with_function(mut one: Report, function: &str, reads: f64, writes: f64) -> Report {
    one.tables.io_function.push(IoActivity {
        function: Some(function.into()),
        reads_per_s: Some(reads),
        writes_per_s: Some(writes),
        ..IoActivity::default()
    });
    one
}

/// Half of the busiest interval was the backup, and the interval named statements alone; and where one database
/// prints no functions, those of all others were gone.
#[test]
fn who_made_the_peak_was_known_and_not_shown() {
    let peak = with_function(report("A", 1, 0, 60, 4_000.0, 2_000.0), "RMAN", 2_400.0, 1_800.0);
    let peak = with_function(peak, "Buffer Cache Reads", 1_600.0, 0.0);
    let reports = [peak, with_function(report("A", 1, 60, 120, 10.0, 10.0), "RMAN", 1.0, 1.0)];
    let sizing = size(&reports, &options("180IOPS"));
    let causes = &sizing.drill[0].causes;
    assert_eq!(causes.iter().map(|c| c.name).collect::<Vec<_>>(), ["backup (RMAN)", "buffer cache reads"]);
    assert!(near(causes[0].hardware_iops, 6_000.0) && near(causes[0].share_pct, 75.0), "{causes:?}");
    // Beside a database that prints none.
    let beside =
        [reports.to_vec(), vec![report("B", 1, 0, 60, 10.0, 10.0), report("B", 1, 60, 120, 10.0, 10.0)]];
    let sizing = size(&beside.concat(), &options("180IOPS"));
    let interval = &sizing.intervals[0];
    assert_eq!((interval.by_cause.len(), &interval.causes_unknown_of), (2, &vec!["B".to_owned()]));
    assert_eq!(sizing.drill[0].causes.len(), 2);
}

/// Racks had room to spare for a load that outgrows them in the years asked for.
#[test]
fn racks_were_held_against_the_load_of_today() {
    let grown = SizeOptions { growth_pct: Some(20.0), years: 3, ..options("180IOPS") };
    let sizing = stated(5_000.0, 5_000.0, &grown);
    let full = |r: &&spindle_planning::sizing::RackFit| {
        r.rack.starts_with("full rack X2-2, high capacity") && r.redundancy == "normal"
    };
    let full = sizing.racks.iter().find(full).unwrap();
    let then = full.grown.as_ref().unwrap();
    assert_eq!((full.enough, then.year, then.enough), (Some(true), 3, Some(false)));
    assert!(near(Some(then.hardware_iops), 25_920.0) && near(Some(then.spare_iops), -920.0), "{then:?}");
    assert!(stated(5_000.0, 5_000.0, &options("180IOPS")).racks.iter().all(|r| r.grown.is_none()));
}

/// A latency of a microsecond was 0.00 ms, a load of half a request 0 IOPS, and the example of a penalty another
/// penalty.
#[test]
fn small_figures_were_rounded_to_nothing() {
    let one = SizeOptions { latency_target_us: Some(1.0), ..options("disk_15k") };
    let answer = stated(100.0, 50.0, &one).answer;
    assert!(answer.contains("latency target of 0.001 ms"), "{answer}");
    let answer = stated(0.3, 0.2, &options("disk_15k")).answer;
    assert!(answer.contains("asks under 1 IOPS"), "{answer}");
    let penalty = SizeOptions {
        redundancy: vec![Redundancy::parse("tri=2.5").unwrap()],
        sized_for: 0,
        capacity_bytes: Some(1e12),
        ..options("180IOPS,600GB")
    };
    let sizing = stated(5_000.0, 5_000.0, &penalty);
    assert!(sizing.warnings.iter().any(|w| w.contains("tri=2.5:1.25")), "{:?}", sizing.warnings);
}

/// Of five databases that were never together the last two stood as "2 more less".
#[test]
fn databases_beyond_the_third_were_more_and_less() {
    let one = |n: i64| {
        hours(["A", "B", "C", "D", "E"][usize::try_from(n).unwrap()], 10 * n, 1, 500.0 - n as f64, 0.0)
    };
    let reports: Vec<Report> = (0..5).flat_map(one).collect();
    let answer = size(&reports, &options("180IOPS")).answer;
    assert!(
        answer.contains("A 500, B 499, C 498 IOPS, and 2 more that need no more disks. Together"),
        "{answer}"
    );
}

/// Bytes of one database that are not believed took those of another away: fewer disks for two than for one of them.
#[test]
fn bytes_not_believed_of_one_database_took_those_of_another_away() {
    let disk = options("180IOPS,5.5ms,160MB/s");
    // 10 MB a request, which none has.
    let doubted = moving(hours("A", 0, 48, 100.0, 10.0), 1_000.0, 1.0);
    let scans = moving(hours("B", 0, 48, 3_000.0, 100.0), 3_000.0, 1.0);
    let alone = size(&scans, &disk);
    let both = size(&[doubted.clone(), scans].concat(), &disk);
    let (of_alone, of_both) = (need(&alone, "normal"), need(&both, "normal"));
    assert!(near(of_alone.hardware_mbps, 3_002.0) && near(of_both.hardware_mbps, 3_004.0), "{of_both:?}");
    assert!(of_both.hardware_mbps_is_least && of_both.disks_are_least && of_both.disks >= of_alone.disks);
    assert!(near(both.workload.max.read_mbps, 3_000.0) && both.workload.read_mbps_is_least);
    assert!(!both.workload.write_mbps_is_least);
    let said = |start: &str| both.warnings.iter().any(|w| w.starts_with(start));
    assert!(
        said("The bytes of 48 intervals of A (100.00 % of the time) are not believed"),
        "{:?}",
        both.warnings
    );
    assert!(said("Bytes of reads or of writes of A are not known"), "{:?}", both.warnings);
    // Of one database alone there is nothing to add them to.
    let one = size(&doubted, &disk);
    assert!(one.workload.max.read_mbps.is_none() && near(one.workload.max.write_mbps, 1.0));
    assert!(one.warnings.iter().any(|w| w.starts_with("The bytes of 48 intervals (100.00 %")));
}

/// Databases of different days, one of which prints bytes in half of its hours: the most that they need together stood
/// without a word, as did what each moves alone.
#[test]
fn the_most_that_databases_need_together_left_unknown_bytes_out() {
    let disk = options("180IOPS,5.5ms,160MB/s");
    let known = moving(hours("A", 0, 24, 2_000.0, 0.0), 2_000.0, 0.0);
    let rest = |print: bool| {
        let second = hours("B", 112, 12, 2_000.0, 0.0);
        let second = if print { moving(second, 1_000.0, 0.0) } else { second };
        [moving(hours("B", 100, 12, 2_000.0, 0.0), 1_000.0, 0.0), second].concat()
    };
    let with = |print: bool| size(&[known.clone(), rest(print)].concat(), &disk);
    let (all, part) = (with(true), with(false));
    let own = |s: &Sizing, db: &str| s.consolidation.iter().find(|t| t.database == db).unwrap().clone();
    for (sizing, least) in [(&all, false), (&part, true)] {
        let apart = sizing.apart.as_ref().unwrap();
        assert_eq!((apart.bytes_high_is_least, apart.high_is_least), (least, false), "{apart:?}");
        let b = own(sizing, "B");
        assert_eq!((b.own_mbps_is_least, b.own_disks_are_least, b.own_is_least), (least, least, false));
        assert!(!own(sizing, "A").own_mbps_is_least);
        let without = "in MB/s and disks at most without bytes missing from the reports";
        assert_eq!(sizing.answer.contains(without), least, "{}", sizing.answer);
        let of_b = if least { "B 2,000 IOPS and at least 1,000 MB/s" } else { "B 2,000 IOPS and 1,000 MB/s" };
        assert!(sizing.answer.contains(of_b), "{}", sizing.answer);
    }
}

/// The MB/s of an interval in which one of two databases prints none looked like those of both, and the share of a
/// function was of them.
#[test]
fn bytes_of_one_of_two_databases_were_those_of_the_interval() {
    let scans = with_function(
        moving(hours("A", 0, 1, 3_000.0, 100.0), 3_000.0, 1.0).remove(0),
        "Direct Reads",
        3e3,
        0.0,
    );
    let mut scans = scans;
    scans.tables.io_function[0].read_bytes_per_s = Some(3e9);
    scans.tables.io_function[0].write_bytes_per_s = Some(0.0);
    let disk = options("20000IOPS,0.2ms,100MB/s");
    let alone = size(std::slice::from_ref(&scans), &disk);
    let beside = size(&[vec![scans], hours("B", 0, 1, 3_000.0, 100.0)].concat(), &disk);
    for (sizing, least) in [(&alone, false), (&beside, true)] {
        assert_eq!(need(sizing, "normal").decided_by, Some("mbps"));
        let drill = &sizing.drill[0];
        assert_eq!((sizing.intervals[0].mbps_is_least, drill.interval.mbps_is_least), (least, least));
        assert!(near(drill.interval.hardware_mbps, 3_002.0), "{drill:?}");
        assert_eq!(drill.causes[0].share_pct.is_none(), least, "{:?}", drill.causes);
    }
}

/// A minute of which requests of reads and writes together are known, and neither alone, had no upper bound, and the
/// sentence named nobody.
#[test]
fn the_minute_with_most_requests_alone_was_no_bound() {
    let one = with_maxima(report("A", 1, 0, 60, 100.0, 50.0), &[("I/O Requests per Second", 600.0)]);
    let minute = size(&[one], &options("180IOPS")).workload.peak_minute;
    assert_eq!((minute.low_iops, minute.high_iops), (Some(600.0), Some(600.0)));
    assert_eq!((minute.hardware_low, minute.hardware_high), (Some(600.0), Some(1_200.0)));
    assert_eq!(minute.intervals_without, 0);
}

/// The years of growth stood without the word that their bytes and disks are the least.
#[test]
fn growth_of_bytes_known_in_part_was_no_least() {
    let reports =
        [moving(hours("A", 0, 4, 3_000.0, 0.0), 3_000.0, 0.0), hours("A", 4, 4, 3_000.0, 0.0)].concat();
    let grown = SizeOptions { growth_pct: Some(20.0), years: 2, ..options("180IOPS,5.5ms,160MB/s") };
    let sizing = size(&reports, &grown);
    assert!(
        sizing.growth.iter().all(|y| y.disks_are_least && y.hardware_mbps_is_least),
        "{:?}",
        sizing.growth
    );
}

/// Statspack leaves blank what a function did not do: added to one of another name, the writes of both were unknown.
#[test]
fn a_blank_beside_writes_of_others_made_them_unknown() {
    let one = with_function(report("A", 1, 0, 60, 100.0, 40.0), "Others", 2.7, 1.1);
    let mut one = with_function(one, "Streams AQ", 0.3, 0.0);
    one.tables.io_function[1].writes_per_s = None;
    let sizing = size(std::slice::from_ref(&one), &options("180IOPS"));
    let others = sizing.drill[0].causes.iter().find(|c| c.name == "others").unwrap();
    assert!(near(others.load.read_iops, 3.0) && near(others.load.write_iops, 1.1), "{others:?}");
    assert!(near(others.hardware_iops, 3.0 + 2.0 * 1.1), "{others:?}");
    // What is printed of no function is unknown.
    assert_eq!((others.load.read_mbps, others.load.write_mbps), (None, None));
}

/// 127 waits for single blocks a second stood beside 3 read requests: disks for 4 IOPS, without a word.
#[test]
fn fewer_read_requests_than_waits_for_reads_were_sized_for() {
    let waiting = |requests: f64, waits: f64| {
        let mut one = report("A", 1, 0, 60, requests, 50.0);
        one.tables.top_event.push(TopEvent {
            line: 9,
            section: 0,
            instance_number: None,
            event: "db file sequential read".into(),
            waits: Some(waits * 3_600.0),
            time_s: Some(4_256.0),
            time_s_low: Some(4_255.5),
            time_s_high: Some(4_256.5),
            avg_wait_us: None,
            share_pct: None,
            share_of: None,
            wait_class: Some("User I/O".into()),
        });
        one
    };
    let said = |s: &Sizing| s.warnings[..s.first_warnings].iter().any(|w| w.contains("waits for reads"));
    let sizing = size(&[waiting(3.0, 126.73)], &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 126.73), "{:?}", sizing.workload.max);
    assert!(said(&sizing), "{:?}", sizing.warnings);
    let remark = sizing.gaps.iter().find(|r| r.kind == "contradiction").unwrap();
    assert!(remark.message.contains("126.7 waits for reads a second and 3.0 read requests"), "{remark:?}");
    // Requests that are waited for together, or by nobody, are more than waits.
    let sizing = size(&[waiting(130.0, 126.73)], &options("180IOPS"));
    assert!(near(sizing.workload.max.read_iops, 130.0) && !said(&sizing) && sizing.gaps.is_empty());
}

/// Two intervals of one file were left out under one name.
#[test]
fn intervals_of_one_file_are_told_apart() {
    let of_one_file = |from: i64, snaps: Option<(u64, u64)>| {
        let mut one = report("A", 1, from, from + 60, 100.0, 50.0);
        one.identity.source = "both.txt".into();
        (one.identity.begin_snap, one.identity.end_snap) = snaps.unzip();
        one
    };
    let messages = |reports: &[Report]| -> Vec<String> {
        size(reports, &options("180IOPS")).gaps.into_iter().map(|r| r.message).collect()
    };
    let silent = |mut one: Report| {
        one.tables.instance_stat.clear();
        one
    };
    let both = [of_one_file(0, Some((37, 38))), silent(of_one_file(60, Some((38, 39))))];
    assert_eq!(messages(&both), ["both.txt (snapshots 38-39): prints neither read nor write requests"]);
    let both = [of_one_file(0, None), silent(of_one_file(60, None))];
    assert_eq!(messages(&both), ["both.txt (from 2024-03-01 01:00): prints neither read nor write requests"]);
}

/// Requests over the segments were no requests: "prints neither read nor write requests".
#[test]
fn totals_over_lists_are_said() {
    let refused = |one: Report| {
        let mut sizer = Sizer::default();
        sizer.add(ReducedLoad::of(&one));
        sizer.size(&options("180IOPS")).unwrap_err().0
    };
    let silent = || {
        let mut one = report("A", 1, 0, 60, 0.0, 0.0);
        one.tables.instance_stat.clear();
        one
    };
    let mut segments = with_segment(silent(), "physical_read_requests", "READT", 200.0);
    segments.tables.segment_stat[0].section_total = Some(380_160.0);
    let why = refused(segments);
    assert!(why.contains("up to 105.6 reads a second are known, writes are not"), "{why}");
    let mut statements = silent();
    statements.tables.sql_stat.push(SqlStat {
        line: 12,
        ranked_by: "unoptimized_reads",
        section_total: Some(38_018.0),
        ..SqlStat::default()
    });
    let why = refused(statements);
    assert!(why.contains("of the whole interval (38,018 unoptimized read requests stand over"), "{why}");
}
