//! Two hours in the words of a DBA, and what must be said of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;
use crate::rules::testing::Hour;
use spindle_facts::{Kind, Metric, Report, SqlStat};

fn digest(hour: Hour) -> Digest {
    Digest::of(&hour.report)
}

fn named(hour: Hour, source: &str) -> Hour {
    hour.with(|r| {
        r.identity.source = source.to_owned();
        r.identity.db_name = Some("SHOP".to_owned());
    })
}

fn compared(before: Hour, after: Hour) -> Comparison {
    let (b, a) = (digest(named(before, "b")), digest(named(after, "a")));
    compare(&[b], &[a], &CompareOptions::default()).unwrap()
}

fn step(c: &Comparison, cause: &str) -> f64 {
    let found = c.waterfall.iter().find(|s| s.cause == cause);
    found.unwrap_or_else(|| panic!("no step {cause} in {:?}", c.waterfall)).delta_s
}

fn adds_up(c: &Comparison) {
    let sum: f64 = c.waterfall.iter().map(|s| s.delta_s).sum::<f64>() + c.unexplained_s.unwrap();
    let delta = c.db_time_delta_s.unwrap().value;
    assert!((sum - delta).abs() < 1e-9 * (1.0 + delta.abs()), "{sum} against {delta}");
}

#[test]
fn volume_and_latency_are_split_at_the_midpoint() {
    // 100 waits of 10 ms become 300 of 4 ms: (300 - 100) x 7 ms and (4 - 10) ms x 200.
    let c = compared(
        Hour::new(100.0).cpu(50.0).foreground("log file sync", 100.0, 1.0),
        Hour::new(120.0).cpu(80.0).foreground("log file sync", 300.0, 1.2),
    );
    assert!((step(&c, "log file sync: volume") - 1.4).abs() < 1e-12);
    assert!((step(&c, "log file sync: latency") + 1.2).abs() < 1e-12);
    assert!((step(&c, "CPU") - 30.0).abs() < 1e-12);
    assert!((c.unexplained_s.unwrap() + 10.2).abs() < 1e-9);
    adds_up(&c);
}

#[test]
fn an_event_of_one_side_is_new_or_gone_only_where_the_other_prints_all_its_waits() {
    let before = || Hour::new(100.0).foreground("db file sequential read", 1000.0, 50.0);
    let after = || {
        Hour::new(150.0).foreground("db file sequential read", 1000.0, 50.0).foreground(
            "log file switch (archiving needed)",
            10.0,
            45.0,
        )
    };
    let c = compared(before(), after());
    assert!((step(&c, "log file switch (archiving needed): new") - 45.0).abs() < 1e-12);
    adds_up(&c);
    let c = compared(after(), before());
    assert!((step(&c, "log file switch (archiving needed): gone") + 45.0).abs() < 1e-12);
    // Of an excerpt nobody knows what it leaves out.
    let c = compared(before().with(|r| r.identity.excerpt = true), after());
    assert!(c.waterfall.iter().all(|s| s.of != "log file switch (archiving needed)"), "{:?}", c.waterfall);
    assert!(
        c.warnings.iter().any(|w| w.contains("Printed on one side only") && w.contains("archiving needed")),
        "{:?}",
        c.warnings
    );
    adds_up(&c);
}

/// The figures of a field report of 2013, as it printed them: no section of waits, one top event.
fn published(minutes: [f64; 2], cpu_a_second: f64, sync: (f64, f64)) -> Hour {
    Hour::new(minutes[1] * 60.0).top("log file sync", Some(sync.0), sync.1).with(|r| {
        r.identity.excerpt = true;
        r.identity.elapsed_s = Some(minutes[0] * 60.0);
        let mut row = spindle_facts::LoadProfileRow {
            line: 1,
            section: 0,
            instance_number: None,
            metric: "DB CPU(s)".to_owned(),
            known: Some(Metric::DbCpu),
            per_second: Some(cpu_a_second),
            per_transaction: None,
            per_exec: None,
            per_call: None,
            per_second_half_unit: 0.05,
        };
        r.tables.load_profile.push(row.clone());
        row.metric = "Transactions".to_owned();
        row.known = Some(Metric::Transactions);
        row.per_second = Some(200.0);
        r.tables.load_profile.push(row);
    })
}

#[test]
fn what_an_excerpt_leaves_out_is_inferred_and_said_so() {
    let c = compared(
        published([59.78, 489.82], 2.4, (43_605.0, 2963.0)),
        published([60.04, 352.14], 3.2, (55_095.0, 574.0)),
    );
    assert!(c.answer.contains("DB time fell by 8,261 s (28.1 %)"), "{}", c.answer);
    assert!(c.answer.contains("log file sync makes 2,389 s of that (28.9 %)"), "{}", c.answer);
    assert!(
        c.answer.contains("CPU rose by 2,919 s, so other waits, not printed here, fell by 8,791 s"),
        "{}",
        c.answer
    );
    adds_up(&c);
}

#[test]
fn another_plan_is_taken_out_of_cpu_and_reads_and_never_counted_twice() {
    let statement = |plan: u64, executions: f64, cpu: f64, io: f64| SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some("8fqz1m0ckdx2p".to_owned()),
        plan_hash: Some(plan),
        executions: Some(executions),
        elapsed_s: Some(cpu + io),
        cpu_s: Some(cpu),
        io_wait_s: Some(io),
        ..SqlStat::default()
    };
    let hour = |db: f64, cpu: f64, reads: (f64, f64), s: SqlStat| {
        Hour::new(db).cpu(cpu).foreground("db file sequential read", reads.0, reads.1).with(
            |r: &mut Report| {
                r.tables.sql_stat.push(s);
            },
        )
    };
    let before = || hour(100.0, 40.0, (1000.0, 50.0), statement(11, 10.0, 10.0, 20.0));
    let after = || hour(170.0, 70.0, (2000.0, 90.0), statement(22, 10.0, 30.0, 50.0));
    let c = compared(before(), after());
    // One execution takes 2 s of CPU and 3 s of reads more; there are 10 on the mean.
    assert!((step(&c, "another plan of 8fqz1m0ckdx2p") - 50.0).abs() < 1e-9);
    assert!((step(&c, "CPU") - 10.0).abs() < 1e-9);
    assert!((step(&c, "db file sequential read: volume") - (47.5 - 30.0)).abs() < 1e-9);
    assert_eq!(c.statements[0].plan_changed, Some(true));
    adds_up(&c);
    let back = compared(after(), before());
    for s in &c.waterfall {
        assert!((s.delta_s + step(&back, &s.cause)).abs() < 1e-9, "{s:?}");
    }
    // The same plan is no step.
    let c = compared(before(), hour(170.0, 70.0, (2000.0, 90.0), statement(11, 10.0, 30.0, 50.0)));
    assert!(c.waterfall.iter().all(|s| s.kind != StepKind::Plan));
}

#[test]
fn sides_of_unlike_length_are_compared_a_second() {
    let c = compared(
        Hour::new(3600.0).cpu(1800.0),
        Hour::new(7200.0).cpu(3600.0).with(|r| r.identity.elapsed_s = Some(7200.0)),
    );
    assert_eq!(c.normalised_by, "second");
    assert!(c.db_time_delta_s.unwrap().value.abs() < 1e-12);
    assert!(c.waterfall.iter().all(|s| s.kind != StepKind::Cpu || s.delta_s.abs() < 1e-12));
}

#[test]
fn seconds_a_transaction_need_transactions() {
    let per = CompareOptions { per: Per::Transaction };
    let one = |db: f64, n: Option<f64>| {
        let hour = named(Hour::new(db), "x").with(|r| r.identity.source = format!("{db}"));
        digest(match n {
            Some(n) => hour.stat("user commits", n).stat("user rollbacks", 0.0),
            None => hour,
        })
    };
    let c = compare(&[one(100.0, Some(1000.0))], &[one(300.0, Some(1500.0))], &per).unwrap();
    assert!((c.db_time_delta_s.unwrap().value - 0.1).abs() < 1e-12);
    assert_eq!(c.normalised_by, "transaction");
    let why = compare(&[one(100.0, None)], &[one(300.0, Some(1500.0))], &per).unwrap_err();
    assert!(why.contains("transactions are not printed"), "{why}");
}

#[test]
fn renamed_events_are_held_against_each_other() {
    let before = Hour::new(100.0)
        .foreground("enqueue", 10.0, 40.0)
        .with(|r| r.identity.version = Some("9.2.0.8.0".into()));
    let after = Hour::new(100.0).foreground("enq: TX - row lock contention", 6.0, 30.0).foreground(
        "enq: TM - contention",
        4.0,
        10.0,
    );
    let c = compared(before, after);
    assert!(
        c.waterfall.iter().all(|s| s.kind != StepKind::New && s.kind != StepKind::Vanished),
        "{:?}",
        c.waterfall
    );
    assert!(c.warnings.iter().any(|w| w.contains("`enqueue`")), "{:?}", c.warnings);
    // Two reports of one release keep the names they print.
    let hour =
        || Hour::new(100.0).foreground("latch free", 10.0, 4.0).foreground("latch: shared pool", 5.0, 2.0);
    let c = compared(hour(), Hour::new(100.0).foreground("latch: shared pool", 5.0, 2.0));
    assert!((step(&c, "latch free: gone") + 4.0).abs() < 1e-12);
}

#[test]
fn two_databases_are_said_loudly_and_first() {
    let other = named(Hour::new(50.0), "a").with(|r| r.identity.db_name = Some("TILL".into()));
    let c = compare(&[digest(named(Hour::new(100.0), "b"))], &[digest(other)], &CompareOptions::default())
        .unwrap();
    assert!(c.warnings[0].starts_with("DIFFERENT DATABASES: SHOP before, TILL after"), "{:?}", c.warnings);
    assert!(c.answer.starts_with("These are two databases"), "{}", c.answer);
}

#[test]
fn a_restart_inside_leaves_nothing_to_compare() {
    let void = named(Hour::new(100.0), "void").with(|r| r.identity.spans_restart = true);
    let good = || digest(named(Hour::new(100.0), "good"));
    let void = digest(void);
    let why = compare(std::slice::from_ref(&void), &[good()], &CompareOptions::default()).unwrap_err();
    assert!(why.contains("restarted"), "{why}");
    let c = compare(&[void, good()], &[digest(named(Hour::new(90.0), "other"))], &CompareOptions::default())
        .unwrap();
    assert_eq!(c.before.reports, 1);
    assert!(c.warnings.iter().any(|w| w.contains("restarted")), "{:?}", c.warnings);
}

#[test]
fn what_has_no_response_time_is_left_out_and_said() {
    let ash = named(Hour::new(100.0), "ash").with(|r| r.identity.kind = Kind::Ash);
    let why = compare(&[digest(ash)], &[digest(Hour::new(1.0))], &CompareOptions::default()).unwrap_err();
    assert!(why.contains("ASH"), "{why}");
}

#[test]
fn several_intervals_are_tested_and_instances_of_one_time_are_one() {
    let at = |day: u32, hour: u32, instance: u32, db: f64| {
        digest(named(Hour::new(db), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{day:02}T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-{day:02}T{:02}:00:00", hour + 1));
            r.identity.instance_number = Some(instance);
            r.identity.source = format!("{day}-{hour}-{instance}");
        }))
    };
    let side = |day: u32, load: f64| -> Vec<Digest> {
        (8..16).flat_map(|h| (1..3).map(move |i| at(day, h, i, load + f64::from(h * 7 % 5)))).collect()
    };
    let c = compare(&side(1, 100.0), &side(2, 200.0), &CompareOptions::default()).unwrap();
    assert_eq!((c.before.intervals, c.before.reports), (8, 16));
    assert_eq!(c.before.identity.elapsed_s, Some(8.0 * 3600.0));
    let test = &c.tests[0];
    assert_eq!(
        (test.metric.as_str(), test.verdict, test.intervals),
        ("DB time a second", Outcome::Rose, (8, 8))
    );
    assert!(c.says.iter().any(|s| s.starts_with("It is real")), "{:?}", c.says);
    let c = compare(&side(1, 100.0), &side(2, 100.0), &CompareOptions::default()).unwrap();
    assert_eq!(c.tests[0].verdict, Outcome::NotShown);
    // The order of files changes nothing, not even the last digit.
    let (mut b, mut a) = (side(1, 100.0), side(2, 200.0));
    let straight = format!("{:?}", compare(&b, &a, &CompareOptions::default()).unwrap());
    b.reverse();
    a.rotate_left(5);
    assert_eq!(straight, format!("{:?}", compare(&b, &a, &CompareOptions::default()).unwrap()));
}

#[test]
fn a_changed_parameter_is_named_and_one_not_listed_is_at_its_default() {
    let c = compared(
        Hour::new(10.0).parameter("db_cache_size", "1G").parameter("filesystemio_options", "none"),
        Hour::new(20.0).parameter("db_cache_size", "1G"),
    );
    assert_eq!(
        c.changed_parameters,
        [Changed { name: "filesystemio_options".to_owned(), before: Some("none".to_owned()), after: None }]
    );
    assert!(!compared(Hour::new(10.0), Hour::new(20.0)).parameters_compared);
}
