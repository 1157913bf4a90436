//! Plans that said nothing, or nothing bad: thousands of small objects, reports without objects, tiers with slow
//! writes, waits for the log writer beside commits.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{Report, Side, TablespaceIo, WaitEvent};
use spindle_planning::{Alternative, Candidate, PlaceOptions, Plan, Planner, Reduced, Tier};

const GIB: f64 = 1_073_741_824.0;

fn hour(segments: Vec<Segment>, single: (f64, f64), temp: (f64, f64)) -> Hour {
    let none = (0.0, 0.0);
    Hour { number: 0, instance: 1, cpu_s: 100.0, single, multi: none, direct: none, temp, segments }
}

fn segment(number: usize, reads: f64, bytes: f64) -> Segment {
    Segment {
        name: format!("PART_{number}"),
        is_index: false,
        tablespace: 0,
        reads,
        request_share: Some(1.0),
        direct_share: None,
        bytes,
    }
}

fn wait(report: &mut Report, side: Side, event: &str, waits: f64, time_s: f64) {
    let row = report.tables.wait_event[0].clone();
    report.tables.wait_event.push(WaitEvent {
        event: event.into(),
        side,
        wait_class: Some(if event.starts_with("log file sync") { "Commit" } else { "User I/O" }.into()),
        waits: Some(waits),
        waits_low: Some(waits),
        waits_high: Some(waits),
        time_s: Some(time_s),
        time_s_low: Some(time_s - 0.5),
        time_s_high: Some(time_s + 0.5),
        avg_wait_us: Some(time_s * 1e6 / waits),
        ..row
    });
}

/// A report whose tablespaces print nothing.
fn plain(hour: &Hour) -> Report {
    let mut report = report(hour);
    report.tables.tablespace_io.clear();
    report
}

fn set_db_time(report: &mut Report, db_time_s: f64) {
    report.identity.db_time_s = Some(db_time_s);
    for row in report.tables.time_model.iter_mut().filter(|r| r.statistic == "DB time") {
        (row.time_s, row.time_s_low, row.time_s_high) = (Some(db_time_s), Some(db_time_s), Some(db_time_s));
    }
}

fn planned(hour: &Hour, report: &Report, tier: &Tier, given: &[(&str, f64)]) -> Plan {
    let mut planner = Planner::default();
    planner.add(Reduced::of(report));
    let sizes_given = given.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes)).collect();
    let options = PlaceOptions { sizes: sizes_given, ..PlaceOptions::default() };
    planner.plan(std::slice::from_ref(tier), &[sizes(std::slice::from_ref(hour))], &options).unwrap()
}

fn mirror(plan: &Plan) -> &Alternative {
    plan.alternatives.iter().find(|a| a.name.contains("mirror")).unwrap()
}

fn named<'p>(plan: &'p Plan, object: &str) -> &'p Candidate {
    plan.candidates.iter().find(|c| c.object == object).unwrap()
}

#[test]
fn of_thousands_of_small_objects_nothing_was_worth_moving() {
    // Each is read for 0.05 % of DB time; half of them fit.
    let count = 2_000;
    let hour = hour((0..count).map(|n| segment(n, 1_000.0, GIB)).collect(), (2e6, 20_000.0), (0.0, 0.0));
    let plan = planned(&hour, &plain(&hour), &tier(0.5 * count as f64 * GIB, 200.0), &[]);
    assert_eq!(plan.chosen.len(), count / 2, "{}", plan.answer);
    let all = 20_000.0 - 2e6 * 204.096e-6;
    assert!((plan.saves_s.mid / all - 0.5).abs() < 0.01, "{}", plan.answer);
    assert!(plan.answer.starts_with("Moving"), "{}", plan.answer);
}

#[test]
fn what_is_left_out_as_hardly_read_adds_up_to_little() {
    let mut segments: Vec<Segment> = (0..40).map(|n| segment(n, 50_000.0, GIB)).collect();
    segments.extend((40..50).map(|n| segment(n, 20.0, GIB)));
    let hour = hour(segments, (2_000_200.0, 20_002.0), (0.0, 0.0));
    let plan = planned(&hour, &plain(&hour), &tier(1e13, 200.0), &[]);
    let left = plan.candidates.iter().filter(|c| c.why.contains("hardly read"));
    let seconds: f64 = left.clone().map(|c| c.waits_s.mid).sum();
    assert!(left.count() >= 10 && seconds <= 0.001 * plan.db_time_s.now, "{seconds}");
    assert!(plan.candidates.iter().filter(|c| c.tier.is_some()).count() >= 40);
}

#[test]
fn what_fits_no_tier_was_beaten_by_what_is_chosen() {
    let hour = hour(vec![segment(0, 1e6, 100.0 * GIB)], (1e6, 10_000.0), (0.0, 0.0));
    let plan = planned(&hour, &plain(&hour), &tier(GIB, 200.0), &[]);
    assert!(named(&plan, "APP.PART_0").why.contains("fit no tier"), "{}", named(&plan, "APP.PART_0").why);
    assert!(
        plan.answer.contains("fit no tier") && !plan.answer.contains("chosen saves more"),
        "{}",
        plan.answer
    );
}

#[test]
fn reports_without_objects_had_nothing_worth_moving() {
    let hour = hour(Vec::new(), (1e6, 10_000.0), (0.0, 0.0));
    let plan = planned(&hour, &report(&hour), &tier(1e13, 200.0), &[]);
    assert!(!plan.answer.contains("worth moving"), "{}", plan.answer);
    assert!(plan.answer.contains("list no objects") && plan.answer.contains("9,796 s"), "{}", plan.answer);
}

#[test]
fn waits_without_their_number_were_no_waits() {
    let hour = hour(Vec::new(), (1e6, 10_000.0), (0.0, 0.0));
    let mut report = report(&hour);
    for row in &mut report.tables.wait_event {
        (row.waits, row.waits_low, row.waits_high, row.avg_wait_us) = (None, None, None, None);
    }
    let plan = planned(&hour, &report, &tier(1e13, 200.0), &[]);
    assert!(plan.answer.contains("not how often") && plan.answer.contains("10,000 s"), "{}", plan.answer);
    assert!(mirror(&plan).saves_s.is_none(), "{:?}", mirror(&plan));
}

/// 100,000 writes to temp of 10 ms, as many commits of 15 ms on log writes of 10 ms.
fn with_writes() -> (Hour, Report) {
    let hour = hour(vec![segment(0, 400_000.0, GIB)], (400_000.0, 4_000.0), (0.0, 0.0));
    let mut report = report(&hour);
    wait(&mut report, Side::Foreground, "direct path write temp", 100_000.0, 1_000.0);
    wait(&mut report, Side::Foreground, "log file sync", 100_000.0, 1_500.0);
    wait(&mut report, Side::Background, "log file parallel write", 100_000.0, 1_000.0);
    set_db_time(&mut report, 8_000.0);
    (hour, report)
}

#[test]
fn a_tier_with_slow_writes_lost_nothing() {
    let (hour, report) = with_writes();
    let given = [("temp", 8e9), ("redo", 4e9)];
    let fast = planned(&hour, &report, &tier(1e12, 200.0), &given);
    let slow = Tier { write_latency_us: 3_000_000.0, ..tier(1e12, 200.0) };
    let slow = planned(&hour, &report, &slow, &given);
    assert!(named(&fast, "temp").tier.is_some() && named(&fast, "redo logs").tier.is_some());
    for object in ["temp", "redo logs"] {
        let c = named(&slow, object);
        assert!(c.tier.is_none() && c.why.contains("longer"), "{object}: {}", c.why);
        assert_eq!(c.saves_s.unwrap().mid, 0.0);
    }
    assert!(slow.warnings.iter().any(|w| w.starts_with("A write takes 3 s on fast")), "{:?}", slow.warnings);
    assert!(!fast.warnings.iter().any(|w| w.starts_with("A write takes")), "{:?}", fast.warnings);
}

#[test]
fn a_mirror_with_a_slow_half_gained_as_much_as_with_a_fast_one() {
    let (hour, report) = with_writes();
    let of = |write_us: f64| {
        let tier = Tier { write_latency_us: write_us, ..tier(1e12, 200.0) };
        let plan = planned(&hour, &report, &tier, &[]);
        (mirror(&plan).saves_s.unwrap(), mirror(&plan).because.clone())
    };
    let ((fast, said), (slow, warned)) = (of(100.0), of(20_000.0));
    assert!(said.contains("gain nothing") && warned.contains("lose"), "{said} {warned}");
    // Temp and commits wait at least 10 ms longer each.
    assert!(fast.mid - slow.mid >= 2_000.0 * 0.99, "{fast:?} {slow:?}");
    assert!(slow.low <= slow.mid && slow.mid <= slow.high, "{slow:?}");
}

#[test]
fn a_mirror_lost_minus_nothing() {
    let hour = hour(Vec::new(), (1_000.0, 1.0), (0.0, 0.0));
    let mut report = report(&hour);
    // A mebibyte in 2 ms: at 200 to 3,000 MB/s it takes 0.4 to 5.3 ms.
    wait(&mut report, Side::Foreground, "direct path write", 100_000.0, 200.0);
    set_db_time(&mut report, 2_000.0);
    let tier = Tier { mbps: None, write_latency_us: 100.0, ..tier(1e12, 200.0) };
    let plan = planned(&hour, &report, &tier, &[]);
    let said = &mirror(&plan).because;
    assert!(said.contains("lose") && said.contains("(0 s to ") && !said.contains("-0"), "{said}");
}

#[test]
fn waits_for_room_in_the_log_buffer_were_all_else() {
    let hour = hour(vec![segment(0, 400_000.0, GIB)], (400_000.0, 4_000.0), (0.0, 0.0));
    let of = |write_s: f64| {
        let mut report = report(&hour);
        wait(&mut report, Side::Foreground, "log file sync", 1_000.0, 300.0);
        wait(&mut report, Side::Foreground, "log buffer space", 10_000.0, 3_000.0);
        wait(&mut report, Side::Foreground, "log file switch (checkpoint incomplete)", 300.0, 900.0);
        wait(&mut report, Side::Background, "log file parallel write", 5_000.0, write_s);
        set_db_time(&mut report, 9_000.0);
        planned(&hour, &report, &tier(1e12, 200.0), &[("redo", 4e9)])
    };
    // Writes of 440 ms: the diagnosis says to speed them up first.
    let slow = of(2_200.0);
    let redo = named(&slow, "redo logs");
    assert!(redo.tier.is_some() && redo.saves_s.unwrap().mid > 2_900.0, "{redo:?}");
    assert!(slow.warnings.iter().any(|w| w.starts_with("900 s") && w.contains("checkpoint")));
    // Of 0.4 ms: it says to enlarge the buffer.
    let fast = of(2.0);
    assert!(named(&fast, "redo logs").tier.is_none());
    assert!(
        fast.warnings.iter().any(|w| w.starts_with("3,000 s") && w.contains("log buffer")),
        "{:?}",
        fast.warnings
    );
}

fn space(name: &str, reads: f64, avg_us: f64, blocks: f64) -> TablespaceIo {
    TablespaceIo {
        line: 40,
        tablespace: name.into(),
        reads: Some(reads),
        avg_read_us: Some(avg_us),
        blocks_per_read: Some(blocks),
        ..TablespaceIo::default()
    }
}

#[test]
fn temp_of_all_containers_was_judged_by_that_of_the_root() {
    let hour = hour(Vec::new(), (1_000.0, 1.0), (200_000.0, 1_000.0));
    let mut report = report(&hour);
    // 200,000 waits of 5 ms for 31 blocks each; the root's own temp made 0.02 % of that, in 1.07 ms.
    let root = TablespaceIo { container: Some("CDB$ROOT".into()), ..space("TEMP", 1_000.0, 1_070.0, 1.2) };
    let data = TablespaceIo { container: Some("PDB1".into()), ..space("DATA", 1_000.0, 1_000.0, 1.0) };
    report.tables.tablespace_io.extend([root, data]);
    let plan = planned(&hour, &report, &tier(1e12, 200.0), &[("temp", 8e9)]);
    let temp = named(&plan, "temp");
    assert!(temp.saves_s.unwrap().mid > 900.0, "{temp:?}");
    assert!(temp.tablespace.is_none(), "which container's is not known: {temp:?}");
    assert!(plan.warnings.iter().any(|w| w.contains("temp of all containers")), "{:?}", plan.warnings);
}

#[test]
fn large_reads_beside_single_blocks_were_charged_a_sixth_of_their_bytes() {
    // 260 of 284 reads a second are of one block; the others bring 56 each.
    let elapsed_s = 3_600.0;
    let (reads, single) = (284.0 * elapsed_s, 260.0 * elapsed_s);
    let large_s = 24.0 * elapsed_s * 0.02;
    let mut hour = hour(Vec::new(), (single, single * 0.005), (0.0, 0.0));
    hour.multi = (24.0 * elapsed_s / 8.0, large_s);
    let mut report = report(&hour);
    report.tables.tablespace_io.push(TablespaceIo {
        one_block_reads_per_s: Some(260.0),
        one_block_avg_us: Some(5_000.0),
        ..space("DATA", reads, (single * 0.005 + large_s) * 1e6 / reads, 5.65)
    });
    let bytes = reads * 5.65 * 8_192.0;
    let saved = |mbps: f64| {
        let tier = Tier { mbps: Some(mbps), ..tier(1e13, 50.0) };
        named(&planned(&hour, &report, &tier, &[("DATA", 1e12)]), "tablespace DATA").saves_s.unwrap().mid
    };
    let (wide, narrow) = (saved(1e6), saved(200.0));
    let charged = wide - narrow;
    assert!((charged / (bytes / 200e6) - 1.0).abs() < 0.1, "{wide} {narrow} {}", bytes / 200e6);
}

#[test]
fn a_pin_to_a_slower_tier_left_db_time_as_it_was() {
    let hour = hour(vec![segment(0, 1e5, GIB)], (1e5, 500.0), (0.0, 0.0));
    let mut planner = Planner::default();
    planner.add(Reduced::of(&plain(&hour)));
    let options = PlaceOptions { pinned: vec![("PART_0".into(), None)], ..PlaceOptions::default() };
    let plan =
        planner.plan(&[tier(4.0 * GIB, 20_000.0)], &[sizes(std::slice::from_ref(&hour))], &options).unwrap();
    // 100,000 reads of 20.004 ms instead of 5 ms.
    let longer = 1e5 * (20_004.096e-6 - 5e-3);
    let loses = plan.loses_s.unwrap();
    assert!((loses.mid / longer - 1.0).abs() < 0.01, "{loses:?}");
    let time = plan.db_time_s;
    assert!((time.then - time.now - longer).abs() < 0.01 * longer, "{time:?}");
    assert!(time.then_low < time.then && time.then < time.then_high, "{time:?}");
    let parts: f64 = plan.response_time.iter().map(|p| p.then_s.mid).sum();
    assert!((parts - time.then).abs() < 1.0, "{parts} and {time:?}");
    assert!(plan.answer.contains("makes sessions wait"), "{}", plan.answer);
    assert!(plan.alternatives[0].saves_s.unwrap().mid < 0.0);
}

#[test]
fn redo_that_saves_more_than_the_plan_was_not_named() {
    let mut hour = hour(vec![segment(0, 5e3, GIB)], (5e3, 25.0), (0.0, 0.0));
    hour.cpu_s = 20_000.0;
    let mut report = plain(&hour);
    wait(&mut report, Side::Foreground, "log file sync", 40_000.0, 400.0);
    wait(&mut report, Side::Background, "log file parallel write", 40_000.0, 380.0);
    set_db_time(&mut report, 20_500.0);
    let plan = planned(&hour, &report, &tier(100.0 * GIB, 200.0), &[("redo", GIB)]);
    assert_eq!(plan.chosen.len(), 1, "{}", plan.answer);
    assert!(plan.answer.contains("Redo logs stay") && plan.answer.contains("--pin redo"), "{}", plan.answer);
}

#[test]
fn more_cache_was_held_against_a_plan_that_only_lacks_sizes() {
    let hour = hour(vec![segment(0, 1e6, GIB)], (1e6, 10_000.0), (0.0, 0.0));
    let mut report = plain(&hour);
    for (factor, reads) in [(1.0, 1_000_000.0), (2.0, 600_000.0)] {
        report.tables.db_cache_advice.push(spindle_facts::DbCacheAdvice {
            pool: Some("D".into()),
            size_bytes: Some(12.0 * GIB * factor),
            size_factor: Some(factor),
            read_factor: Some(reads / 1e6),
            estimated_reads: Some(reads),
            ..Default::default()
        });
    }
    let plan = |lists: &[spindle_facts::Collected]| {
        let mut planner = Planner::default();
        planner.add(Reduced::of(&report));
        planner.plan(&[tier(GIB / 2.0, 200.0)], lists, &PlaceOptions::default()).unwrap()
    };
    let without = plan(&[]);
    assert!(without.answer.contains("sizes of the objects are not known"), "{}", without.answer);
    assert!(!without.answer.contains("would save more"), "{}", without.answer);
    // Where the size is known and it does not fit, memory does save more.
    let with = plan(&[sizes(std::slice::from_ref(&hour))]);
    assert!(with.answer.contains("would save more without a tier"), "{}", with.answer);
}
