//! Experiment E8: preferred-read mirrors and flash caches.

#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "other tests use the rest")]
mod made;

use made::{Hour, Segment, report, sizes, tier};
use spindle_facts::{Report, WaitEvent};
use spindle_planning::mirror::{Reported, elapsed_s, iops, speedup};
use spindle_planning::{Alternative, Component, PlaceOptions, Plan, Planner, Reduced, Tier};

/// Published: 14 million I/Os; disk 12 min 15.434 s at 16,000 a second, flash 1 min 19.838 s at 160,000.
const IOS: f64 = 14e6;
const DISK: Reported = Reported { elapsed_s: 12.0 * 60.0 + 15.434, stated_iops: 16_000.0 };
const FLASH: Reported = Reported { elapsed_s: 60.0 + 19.838, stated_iops: 160_000.0 };

fn close(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() <= within, "{value}, not {expected}");
}

#[test]
fn published_times_and_rates_disagree_and_both_are_shown() {
    let found = speedup(IOS, DISK, FLASH).unwrap();
    close(found.by_times, 9.2, 0.05);
    close(found.by_rates, 10.0, 1e-9);
    close(found.slow.implied_iops, 19_036.0, 1.0);
    close(found.fast.implied_iops, 175_355.0, 1.0);
    close(found.slow.stated_off_pct, -15.9, 0.1);
    close(found.fast.stated_off_pct, -8.8, 0.1);
    close(found.slow.time_at_stated_s, 875.0, 1e-9);
    close(found.fast.time_at_stated_s, 87.5, 1e-9);
}

/// The example file and the page of documentation show what the calculation gives, to the letter.
#[test]
fn the_published_times_and_rates_were_to_be_seen_nowhere() {
    let shown = speedup(IOS, DISK, FLASH).unwrap().to_string();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    assert!(read("examples/preferred-read-mirror.txt").contains(&shown), "{shown}");
    assert!(read("docs/placement.md").contains(&shown), "{shown}");
}

#[test]
fn a_rate_and_a_time_without_a_value_give_none() {
    assert_eq!(iops(IOS, 0.0), None);
    assert_eq!(elapsed_s(IOS, f64::NAN), None);
    assert_eq!(speedup(IOS, DISK, Reported { elapsed_s: 0.0, ..FLASH }), None);
    assert_eq!(iops(IOS, elapsed_s(IOS, 16_000.0).unwrap()), Some(16_000.0));
}

fn hour(instance: u32, cpu_s: f64, single: (f64, f64)) -> Hour {
    let segments = vec![Segment {
        name: "ORDERS".into(),
        is_index: false,
        tablespace: 0,
        reads: single.0,
        request_share: Some(1.0),
        direct_share: None,
        bytes: 64e9,
    }];
    let none = (0.0, 0.0);
    Hour { number: 0, instance, cpu_s, single, multi: none, direct: none, temp: none, segments }
}

/// A report in which CPU and waits are all there is.
fn exact(hour: &Hour) -> Report {
    let mut report = report(hour);
    let waits_s: f64 = report.tables.wait_event.iter().filter_map(|e| e.time_s).sum();
    set_db_time(&mut report, hour.cpu_s + waits_s);
    report
}

fn set_db_time(report: &mut Report, db_time_s: f64) {
    report.identity.db_time_s = Some(db_time_s);
    for row in report.tables.time_model.iter_mut().filter(|r| r.statistic == "DB time") {
        (row.time_s, row.time_s_low, row.time_s_high) = (Some(db_time_s), Some(db_time_s), Some(db_time_s));
    }
}

fn planned(hours: &[Hour], reports: &[Report], tier: &Tier) -> Plan {
    let mut planner = Planner::default();
    for report in reports {
        planner.add(Reduced::of(report));
    }
    let options = PlaceOptions { sizes: vec![("temp".into(), 8e9)], ..PlaceOptions::default() };
    planner.plan(std::slice::from_ref(tier), &[sizes(hours)], &options).unwrap()
}

fn alternative<'p>(plan: &'p Plan, name: &str) -> &'p Alternative {
    plan.alternatives.iter().find(|a| a.name.contains(name)).unwrap()
}

/// The published times through the planner. Ours: 128 sessions that do nothing but the queries, and a
/// flash that answers in 0.2 ms. From the times follows what an I/O costs a session on either half, so
/// its CPU and its disk read; the planner is given those and has to come to the time on flash.
#[test]
fn the_time_on_flash_follows_from_the_time_on_disk() {
    let sessions = 128.0;
    let flash = tier(1e12, 200.0);
    let read_s = 200e-6 + 8192.0 / 2_000e6;
    let cpu_s = sessions / iops(IOS, FLASH.elapsed_s).unwrap() - read_s;
    let disk_s = sessions / iops(IOS, DISK.elapsed_s).unwrap() - cpu_s;
    assert!(cpu_s > 0.0 && disk_s > 0.004, "a disk's read: {disk_s}");
    let each = IOS / 4.0;
    let hours: Vec<Hour> = (1..=4).map(|n| hour(n, each * cpu_s, (each, each * disk_s))).collect();
    let reports: Vec<Report> = hours.iter().map(exact).collect();
    let plan = planned(&hours, &reports, &flash);
    let mirror = alternative(&plan, "preferred-read mirror");
    let now = plan.db_time_s.now;
    let then = now - mirror.saves_s.unwrap().mid;
    close(now / sessions, DISK.elapsed_s, 0.5);
    close(then / sessions, FLASH.elapsed_s, 0.5);
    close(now / then, speedup(IOS, DISK, FLASH).unwrap().by_times, 0.05);
    assert!(mirror.because.contains("every write waits for the slower half"), "{}", mirror.because);
}

#[test]
fn writes_wait_for_the_slower_half_of_a_mirror() {
    let hours = [hour(1, 3_000.0, (400_000.0, 4_000.0))];
    let reads = exact(&hours[0]);
    let mut with_writes = reads.clone();
    let row = with_writes.tables.wait_event[0].clone();
    for (event, class) in [("direct path write temp", "User I/O"), ("log file sync", "Commit")] {
        with_writes.tables.wait_event.push(WaitEvent {
            event: event.into(),
            wait_class: Some(class.into()),
            waits: Some(100_000.0),
            waits_low: Some(100_000.0),
            waits_high: Some(100_000.0),
            time_s: Some(1_500.0),
            time_s_low: Some(1_499.5),
            time_s_high: Some(1_500.5),
            avg_wait_us: Some(15_000.0),
            ..row.clone()
        });
    }
    set_db_time(&mut with_writes, 10_000.0);
    let flash = tier(1e12, 200.0);
    let of = |report: &Report| {
        let plan = planned(&hours, std::slice::from_ref(report), &flash);
        (alternative(&plan, "preferred-read mirror").saves_s.unwrap().mid, plan)
    };
    let ((saved, _), (saved_with_writes, plan)) = (of(&reads), of(&with_writes));
    assert!(saved > 3_800.0, "{saved}");
    close(saved_with_writes, saved, 1.0);
    // On the tier itself writes to temp would gain.
    let temp = plan.candidates.iter().find(|c| c.object == "temp").unwrap();
    assert!(temp.saves_s.unwrap().mid > 1_000.0, "{temp:?}");
}

#[test]
fn flash_before_flash_gives_no_gain_and_says_so() {
    for (read_s, plan_may_move) in [(0.0002, false), (0.00025, true)] {
        let hours = [hour(1, 8_000.0, (8e6, 8e6 * read_s))];
        let plan = planned(&hours, &[exact(&hours[0])], &tier(1e12, 200.0));
        let cache = alternative(&plan, "flash cache");
        assert_eq!(cache.saves_s.unwrap().mid, 0.0);
        assert!(
            cache.because.contains("no gain") && cache.because.contains("flash before flash"),
            "{cache:?}"
        );
        if !plan_may_move {
            assert!(plan.chosen.is_empty() && plan.saves_s.mid == 0.0, "{:?}", plan.chosen);
            assert!(plan.answer.starts_with("Nothing is worth moving"), "{}", plan.answer);
            assert!(
                plan.candidates.iter().any(|c| c.why.contains("nothing to gain")),
                "{:?}",
                plan.candidates
            );
        }
    }
}

/// Reads of temp were taken for reads of data that no direct read accounts for, so that the rest of a
/// tablespace seemed to be scanned through the cache.
#[test]
fn reads_of_temp_do_not_change_how_a_tablespace_is_read() {
    let scanned = |temp: (f64, f64)| {
        let segments = vec![Segment {
            name: "SALES".into(),
            is_index: false,
            tablespace: 0,
            reads: 9e6,
            request_share: None,
            direct_share: Some(0.9),
            bytes: 70e9,
        }];
        let hour = Hour {
            number: 0,
            instance: 1,
            cpu_s: 2_000.0,
            single: (200_000.0, 2_000.0),
            multi: (30_000.0, 500.0),
            direct: (90_000.0, 1_500.0),
            temp,
            segments,
        };
        let plan = planned(std::slice::from_ref(&hour), &[report(&hour)], &tier(1e12, 200.0));
        let rest = plan.candidates.iter().find(|c| c.object.contains("tablespace DATA0")).unwrap();
        let is_scan = |c: &&(Component, _)| c.0 == Component::MultiBlockRead;
        rest.waits_by_component.iter().find(is_scan).map_or(0.0, |(_, waits)| waits.mid)
    };
    let (without, with) = (scanned((0.0, 0.0)), scanned((400_000.0, 6_000.0)));
    close(with, without, 0.05 * without.max(1.0));
}
