//! Two hours in the words of a DBA, and what must be said of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp)]

use super::*;
use crate::rules::testing::Hour;
use spindle_facts::{Kind, Metric, Report, SqlStat, SqlText};

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

/// A side whose header contradicts its time model went without a word.
#[test]
fn a_header_that_denies_the_time_model_is_a_warning() {
    let hour = || Hour::new(3600.0).cpu(900.0).foreground("db file sequential read", 1e5, 400.0);
    let doubted = hour().with(|r| {
        r.notes.push(spindle_facts::Note {
            line: None,
            section: None,
            message: format!("{}: 1800 s there, 3600 s in the time model", spindle_facts::DB_TIME_DIFFERS),
            effect: "the time model's is used".to_owned(),
        });
    });
    let c = compared(hour(), doubted);
    assert!(c.warnings.iter().any(|w| w.starts_with("`a`: DB time of the header")), "{:?}", c.warnings);
    assert!(!c.warnings.iter().any(|w| w.contains("more report")), "{:?}", c.warnings);
    // Beyond those that are named the rest are counted.
    let doubt = "DB time of the header differs";
    let side: Vec<Digest> = (10..16)
        .map(|h| {
            let mut digest = digest(named(hour(), &h.to_string()).with(|r| {
                r.identity.begin_time = Some(format!("2024-03-04T{h}:00:00"));
                r.identity.end_time = Some(format!("2024-03-04T{}:00:00", h + 1));
            }));
            digest.db_time_doubt = Some(doubt.to_owned());
            digest
        })
        .collect();
    let c = compare(&side, &[digest(named(hour(), "a"))], &CompareOptions::default()).unwrap();
    assert_eq!(c.warnings.iter().filter(|w| w.contains(doubt)).count(), 4);
    assert!(c.warnings.iter().any(|w| w.starts_with("2 more reports have headers")), "{:?}", c.warnings);
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
            per_second_diff_pct: None,
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

/// The clock ran longer on one side: reads a second rose by half, reads a transaction hardly.
#[test]
fn reads_a_second_were_the_reason_of_waits_a_transaction() {
    let hour = |transactions: f64, reads: f64, seconds: f64| {
        Hour::new(3_000.0)
            .cpu(200.0)
            .foreground("db file sequential read", reads, seconds)
            .stat("user commits", transactions)
            .stat("user rollbacks", 0.0)
            .stat("physical reads", reads)
    };
    let said = |after: Hour| {
        let (b, a) = (named(hour(10_000.0, 100_000.0, 1_000.0), "b"), named(after, "a"));
        let options = CompareOptions { per: Per::Transaction };
        let c = compare(&[digest(b)], &[digest(a)], &options).unwrap();
        format!("{} {}", c.answer, c.says.join(" "))
    };
    // Half as many transactions again, each with 40 % more reads.
    let more = said(hour(15_000.0, 210_000.0, 2_100.0));
    assert!(more.contains("physical reads a transaction rose 40 %"), "{more}");
    // As many reads each.
    let same = said(hour(15_000.0, 150_000.0, 1_800.0));
    assert!(!same.contains("physical reads rose") && !same.contains("transaction rose"), "{same}");
}

#[test]
fn hard_parses_of_the_time_model_were_not_compared() {
    let hour = |seconds: f64| {
        Hour::new(3_000.0)
            .cpu(200.0)
            .time_model("hard parse elapsed time", seconds)
            .time_model("Java execution elapsed time", 0.0)
    };
    let c = compared(hour(0.56), hour(225.11));
    let found = c.metrics.iter().find(|m| m.name == "hard parse elapsed time a second").unwrap();
    assert_eq!((found.before, found.after), (Some(0.56 / 3_600.0), Some(225.11 / 3_600.0)));
    assert!(c.metrics.iter().all(|m| !m.name.starts_with("Java")));
}

#[test]
fn another_plan_is_taken_out_of_cpu_and_reads_and_never_counted_twice() {
    let statement = |plan: u64, executions: f64, cpu: f64, io: f64| SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some("8fqz1m0ckdx2p".into()),
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

/// A statement read single blocks by another plan, and full scans, which stayed as they were, fell by a fifth of it.
#[test]
fn another_plan_bent_the_volume_of_events_that_stayed_as_they_were() {
    let hour = |db: f64, single: (f64, f64), plan: u64, io: f64| {
        Hour::new(db)
            .cpu(1_000.0)
            .foreground("db file sequential read", single.0, single.1)
            .foreground("db file scattered read", 1_000_000.0, 5_000.0)
            .with(|r: &mut Report| {
                r.tables.sql_stat.push(SqlStat {
                    ranked_by: "elapsed_time",
                    sql_id: Some("8fqz1m0ckdx2p".into()),
                    plan_hash: Some(plan),
                    executions: Some(100.0),
                    elapsed_s: Some(io),
                    cpu_s: Some(0.0),
                    io_wait_s: Some(io),
                    ..SqlStat::default()
                });
            })
    };
    let before = || hour(10_000.0, (1_000_000.0, 4_000.0), 11, 100.0);
    let after = || hour(11_000.0, (1_250_000.0, 5_000.0), 22, 1_000.0);
    let c = compared(before(), after());
    assert!((step(&c, "another plan of 8fqz1m0ckdx2p") - 900.0).abs() < 1e-9);
    assert!((step(&c, "db file sequential read: volume") - 100.0).abs() < 1e-9);
    assert!(c.waterfall.iter().all(|s| s.of != "db file scattered read"), "{:?}", c.waterfall);
    assert!(c.answer.contains("Another plan of 8fqz1m0ckdx2p is 900 s of that (90.0 %)"), "{}", c.answer);
    adds_up(&c);
    let back = compared(after(), before());
    for s in &c.waterfall {
        assert!((s.delta_s + step(&back, &s.cause)).abs() < 1e-9, "{s:?}");
    }
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
fn a_report_of_19c_that_waited_for_no_named_latch_was_called_the_older_release() {
    let one = Hour::new(100.0).foreground("latch free", 10.0, 4.0);
    let other = Hour::new(100.0).foreground("latch: shared pool", 5.0, 2.0);
    let c = compared(one, other);
    assert!((step(&c, "latch free: gone") + 4.0).abs() < 1e-12);
    assert!(!c.warnings.iter().any(|w| w.contains("older release")), "{:?}", c.warnings);
}

#[test]
fn sides_in_the_wrong_order_went_without_a_word() {
    let at = |year: u32| {
        named(Hour::new(100.0), "x").with(move |r| {
            r.identity.begin_time = Some(format!("{year}-03-01T10:00:00"));
            r.identity.source = year.to_string();
        })
    };
    let sides = |b: u32, a: u32| {
        compare(&[digest(at(b))], &[digest(at(a))], &CompareOptions::default()).unwrap().warnings
    };
    assert!(sides(2014, 2013).iter().any(|w| w.starts_with("BEFORE IS LATER THAN AFTER")));
    assert!(!sides(2013, 2014).iter().any(|w| w.contains("LATER")));
}

#[test]
fn commits_got_worse_from_seven_waits() {
    let c = compared(
        Hour::new(100.0).foreground("log file sync", 82.0, 5.74),
        Hour::new(100.0).foreground("log file sync", 7.0, 5.88),
    );
    let said = c.says.join(" ");
    assert!(!said.contains("got worse") && said.contains("of 7 waits on one side: too few"), "{said}");
}

#[test]
fn all_instances_added_up_were_called_an_instance() {
    let instance = |n: u32| {
        digest(named(Hour::new(100.0), "x").with(move |r| {
            r.identity.instance_number = Some(n);
            r.identity.source = n.to_string();
        }))
    };
    let whole =
        digest(named(Hour::new(250.0), "w").with(|r| r.identity.scope = spindle_facts::Scope::Database));
    let c = compare(&[instance(1), instance(2)], &[whole], &CompareOptions::default()).unwrap();
    assert!(
        c.warnings.iter().any(|w| w.contains("2 instances, added up") && w.contains("if these are all")),
        "{:?}",
        c.warnings
    );
}

#[test]
fn what_nothing_explains_was_most_of_it_and_not_spoken_of() {
    let long = |elapsed: f64| SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some("db7f9rmwydc9p".into()),
        elapsed_s: Some(elapsed),
        executions: Some(1.0),
        ..SqlStat::default()
    };
    let before = Hour::new(6_000.0).cpu(500.0).foreground("log file sync", 1000.0, 100.0);
    let before = before.with(|r| r.tables.sql_stat.push(long(4_849.0)));
    let c = compared(before, Hour::new(650.0).cpu(500.0).foreground("log file sync", 1000.0, 100.0));
    let said = c.says.join(" ");
    assert!(
        said.contains("neither CPU nor a printed wait") && said.contains("db7f9rmwydc9p before took 4,849 s"),
        "{said}"
    );
}

#[test]
fn seconds_of_two_intervals_were_held_against_the_length_of_one() {
    let once = |elapsed: f64| SqlStat {
        ranked_by: "elapsed_time",
        sql_id: Some("b6usrg82hwsa3".into()),
        elapsed_s: Some(elapsed),
        executions: Some(0.0),
        ..SqlStat::default()
    };
    let hour = |n: u32, db: f64, statement: SqlStat| {
        digest(named(Hour::new(db).cpu(500.0).foreground("log file sync", 1000.0, 100.0), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-01T{n:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-01T{:02}:00:00", n + 1));
            r.identity.source = n.to_string();
            r.tables.sql_stat.push(statement);
        }))
    };
    let side = |from: u32, db: f64, seconds: f64| -> Vec<Digest> {
        (from..from + 2).map(|n| hour(n, db, once(seconds))).collect()
    };
    // 3,000 s in each of two hours: no execution that began before its hour, nor ran in parallel.
    let c = compare(&side(1, 6_000.0, 3_000.0), &side(11, 700.0, 0.0), &CompareOptions::default()).unwrap();
    let said = c.says.join(" ");
    assert!(said.contains("neither CPU nor a printed wait") && !said.contains("b6usrg82hwsa3"), "{said}");
    let c = compare(&side(1, 6_000.0, 3_700.0), &side(11, 700.0, 0.0), &CompareOptions::default()).unwrap();
    let said = c.says.join(" ");
    assert!(said.contains("b6usrg82hwsa3 before took 3,700 s in an interval of 3,600 s"), "{said}");
}

#[test]
fn an_hour_within_a_longer_report_was_counted_twice() {
    let hours = |from: u32, to: u32, db: f64| {
        digest(named(Hour::new(db), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-01T{from:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-01T{to:02}:00:00"));
            r.identity.elapsed_s = Some(3600.0 * f64::from(to - from));
            r.identity.source = format!("{from}-{to}");
        }))
    };
    let four = || [hours(0, 1, 3600.0), hours(1, 2, 36000.0), hours(2, 3, 3600.0), hours(3, 4, 3600.0)];
    let before: Vec<Digest> = four().into_iter().chain([hours(1, 3, 39_600.0)]).collect();
    let c = compare(&before, &four(), &CompareOptions::default()).unwrap();
    assert_eq!((c.before.intervals, c.before.identity.elapsed_s), (4, Some(14_400.0)));
    assert_eq!(c.db_time_delta_s.unwrap().value, 0.0);
    assert!(
        c.warnings.iter().any(|w| w.contains("`1-3`") && w.contains("counted already")),
        "{:?}",
        c.warnings
    );
}

#[test]
fn a_minute_inside_took_the_place_of_its_hour() {
    let at = |begin: &str, end: &str, seconds: f64, db: f64| {
        digest(named(Hour::new(db), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-01T{begin}:00"));
            r.identity.end_time = Some(format!("2024-03-01T{end}:00"));
            r.identity.elapsed_s = Some(seconds);
            r.identity.source = format!("{begin}-{end}");
        }))
    };
    let hour = || at("01:00", "02:00", 3_600.0, 36_000.0);
    let c = compare(&[hour(), at("01:20", "01:25", 300.0, 10.0)], &[hour()], &CompareOptions::default());
    let c = c.unwrap();
    assert_eq!((c.before.intervals, c.db_time_delta_s.unwrap().value), (1, 0.0));
    assert!(c.warnings.iter().any(|w| w.contains("`01:20-01:25`")), "{:?}", c.warnings);
}

#[test]
fn a_mean_printed_beside_a_time_of_nought_was_nought() {
    let hour = |us: f64| {
        Hour::new(100.0).cpu(50.0).top("log file sync", Some(2.0), 0.0).with(move |r| {
            let top = &mut r.tables.top_event[0];
            (top.avg_wait_us, top.time_s_low, top.time_s_high) = (Some(us), Some(0.0), Some(0.5));
        })
    };
    let c = compared(hour(482.0), hour(1_900.0));
    let of = |c: &Comparison| c.latency.iter().find(|l| l.event == "log file sync").map(|l| l.after.avg_us);
    let us = of(&c).flatten().unwrap();
    assert!((us - 1_900.0).abs() < 1e-6, "{us}");
}

#[test]
fn hundreds_of_intervals_of_one_file_were_left_out_in_as_many_sentences() {
    let silent = |n: u32| {
        let hour = named(Hour::new(100.0), "file").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-01T{n:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-01T{:02}:00:00", n + 1));
            r.identity.kind = Kind::Ash;
        });
        digest(hour)
    };
    let many: Vec<Digest> = (1..9).map(silent).collect();
    let why = compare(&many, &[digest(Hour::new(1.0))], &CompareOptions::default()).unwrap_err();
    assert_eq!(why.matches("left out").count(), 1, "{why}");
    assert!(why.contains("`file`: 8 of its intervals"), "{why}");
}

#[test]
fn the_class_of_an_event_was_that_of_the_side_that_came_first() {
    let event = "db file parallel write";
    let hour = |class: &str| {
        let class = class.to_owned();
        Hour::new(100.0)
            .foreground(event, 100.0, 4.0)
            .with(move |r| r.tables.wait_event[0].wait_class = Some(class.into()))
    };
    let classes = |c: Comparison| -> (Vec<String>, Vec<Option<String>>) {
        let mut of_steps: Vec<_> =
            c.waterfall.iter().filter(|s| s.of == event).map(|s| s.wait_class.clone()).collect();
        of_steps.sort();
        (c.latency.into_iter().map(|l| l.wait_class).collect(), of_steps)
    };
    let one = classes(compared(hour("Other"), hour("System I/O")));
    assert_eq!(one, classes(compared(hour("System I/O"), hour("Other"))));
    assert_eq!(one.0, ["System I/O"]);
}

#[test]
fn what_one_of_several_reports_does_not_list_was_taken_for_nothing() {
    let activity = |name: &str, reads: f64| spindle_facts::IoActivity {
        function: Some(name.to_owned()),
        reads_per_s: Some(reads),
        ..spindle_facts::IoActivity::default()
    };
    let at = |hour: u32, rows: Vec<spindle_facts::IoActivity>| {
        digest(Hour::new(100.0).with(move |r| {
            r.identity.begin_time = Some(format!("2024-03-01T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-01T{:02}:00:00", hour + 1));
            r.identity.source = hour.to_string();
            r.tables.io_function = rows;
        }))
    };
    let listed = |name: &str, c: &Comparison| c.io.iter().find(|i| i.name == name).map(|i| i.reads_per_s);
    let after = || [at(12, vec![activity("DBWR", 4.0)]), at(13, vec![activity("DBWR", 4.0)])];
    // A report that lists functions and not this one: it read nothing.
    let both =
        [at(8, vec![activity("DBWR", 8.0), activity("RMAN", 2.0)]), at(9, vec![activity("DBWR", 6.0)])];
    let c = compare(&both, &after(), &CompareOptions::default()).unwrap();
    assert_eq!(listed("DBWR", &c), Some(Pair { before: Some(7.0), after: Some(4.0) }));
    assert_eq!(listed("RMAN", &c).and_then(|p| p.before), Some(1.0));
    // One that lists none says nothing of them.
    let c =
        compare(&[at(8, vec![activity("DBWR", 8.0)]), at(9, vec![])], &after(), &CompareOptions::default());
    assert_eq!(listed("DBWR", &c.unwrap()), None);
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
    let c = compare(&side(4, 100.0), &side(5, 200.0), &CompareOptions::default()).unwrap();
    assert_eq!((c.before.intervals, c.before.reports), (8, 16));
    assert_eq!(c.before.identity.elapsed_s, Some(8.0 * 3600.0));
    let test = &c.tests[0];
    assert_eq!(
        (test.metric.as_str(), test.verdict, test.intervals),
        ("DB time a second", Outcome::Rose, (8, 8))
    );
    assert!(c.says.iter().any(|s| s.starts_with("The change of DB time is real")), "{:?}", c.says);
    let c = compare(&side(4, 100.0), &side(5, 100.0), &CompareOptions::default()).unwrap();
    assert_eq!(c.tests[0].verdict, Outcome::NotShown);
    // The order of files changes nothing, not even the last digit.
    let (mut b, mut a) = (side(4, 100.0), side(5, 200.0));
    let straight = format!("{:?}", compare(&b, &a, &CompareOptions::default()).unwrap());
    b.reverse();
    a.rotate_left(5);
    assert_eq!(straight, format!("{:?}", compare(&b, &a, &CompareOptions::default()).unwrap()));
}

#[test]
fn load_fell_where_one_instance_lacked_a_report() {
    let at = |minute: u32, instance: u32, day: u32| {
        digest(named(Hour::new(100.0), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-0{day}T08:{minute:02}:00"));
            r.identity.end_time = Some(format!("2024-03-0{day}T09:{minute:02}:00"));
            r.identity.instance_number = Some(instance);
            r.identity.source = format!("{day}-{minute}-{instance}");
        }))
    };
    let later = |digest: Digest| {
        let mut digest = digest;
        digest.span = digest.span.map(|(begin, end)| (begin + 3600, end + 3600));
        digest
    };
    let whole = |day| vec![at(0, 1, day), at(1, 2, day)];
    let warned = |after: &[Digest]| compare(&whole(4), after, &CompareOptions::default()).unwrap().warnings;
    let is_said = |warnings: &[String]| warnings.iter().any(|w| w.contains("do not hold the same time"));
    assert!(!is_said(&warned(&whole(5))), "snapshots are a minute apart");
    let lacks = warned(&[at(0, 1, 5), at(0, 2, 5), later(at(30, 1, 5))]);
    assert!(is_said(&lacks), "{lacks:?}");
    assert!(is_said(&warned(&[at(0, 1, 5), at(30, 2, 5)])));
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

/// An hour that prints its log writes as a histogram.
fn commits(hour: Hour, syncs: (f64, f64), writes: (f64, f64), buckets: &[(Option<f64>, f64)]) -> Hour {
    hour.foreground("log file sync", syncs.0, syncs.1)
        .background("log file parallel write", writes.0, writes.1)
        .histogram("log file parallel write", buckets)
}

#[test]
fn the_answer_counted_what_nothing_explains_among_the_other_waits() {
    let hour = |db: f64, cpu: f64, sync: f64, read: f64| {
        Hour::new(db).cpu(cpu).foreground("log file sync", 50_000.0, sync).foreground(
            "db file sequential read",
            90_000.0,
            read,
        )
    };
    // 600 s less: 500 of commits, 300 of reads, 100 more of CPU; 100 more that nothing explains.
    let c = compared(hour(2000.0, 400.0, 800.0, 700.0), hour(1400.0, 500.0, 300.0, 400.0));
    assert!(c.answer.contains("CPU rose by 100 s, other waits fell by 300 s"), "{}", c.answer);
    assert!(c.answer.contains("what neither explains rose by 100 s"), "{}", c.answer);
    adds_up(&c);
}

#[test]
fn a_sum_of_faster_and_slower_answers_lost_the_sign_of_the_slower() {
    let hour = |db: f64, sync: f64, read: f64| {
        Hour::new(db).cpu(100.0).foreground("log file sync", 50_000.0, sync).foreground(
            "db file sequential read",
            90_000.0,
            read,
        )
    };
    let c = compared(hour(3000.0, 2000.0, 500.0), hour(2950.0, 100.0, 2350.0));
    let said = c.says.join(" ");
    assert!(said.contains("slower I/O added 1,850 s and faster commits took off 1,900 s"), "{said}");
}

#[test]
fn a_handful_of_waits_has_no_latency_to_compare_with_a_million() {
    let hour = |db: f64, n: f64, s: f64| Hour::new(db).cpu(50.0).foreground("log file sync", n, s);
    let c = compared(hour(60.0, 206.0, 0.35), hour(14_600.0, 2_019_015.0, 14_500.0));
    assert!((step(&c, "log file sync: mostly new") - 14_499.65).abs() < 1e-6);
    assert!(c.waterfall.iter().all(|s| s.kind != StepKind::Latency), "{:?}", c.waterfall);
    adds_up(&c);
    // Thirty long waits against two thousand short ones: the midpoint would make 1,000 s of 10 s.
    let c = compared(hour(60.0, 30.0, 30.0), hour(60.0, 2000.0, 20.0));
    assert!((step(&c, "log file sync") + 10.0).abs() < 1e-9);
    // Three times as many is a matter of degree.
    let c = compared(hour(60.0, 100.0, 1.0), hour(60.0, 300.0, 1.2));
    assert!(c.waterfall.iter().any(|s| s.kind == StepKind::Latency));
}

#[test]
fn commits_that_queue_were_called_slow_storage() {
    let buckets = [(Some(1000.0), 20_000.0), (Some(2000.0), 70_000.0), (Some(4000.0), 10_000.0)];
    let hour = |db: f64, sync: f64, write: f64| {
        commits(Hour::new(db).cpu(100.0), (100_000.0, sync), (100_000.0, write), &buckets)
    };
    let c = compared(hour(500.0, 200.0, 130.0), hour(1300.0, 1000.0, 190.0));
    let said = c.says.join(" ");
    assert!(!said.contains("slower storage"), "{said}");
    assert!(said.contains("slower commits added 800 s (log writes explain "), "{said}");
    assert!(said.contains("the rest is load, queues or CPU"), "{said}");
}

#[test]
fn a_tail_that_is_a_quarter_of_the_squares_was_called_the_cause() {
    let before =
        [(Some(1000.0), 50_000.0), (Some(2000.0), 46_000.0), (Some(4000.0), 3000.0), (Some(8000.0), 1000.0)];
    let after = [
        (Some(1000.0), 30_000.0),
        (Some(2000.0), 50_000.0),
        (Some(4000.0), 11_000.0),
        (Some(8000.0), 9000.0),
    ];
    let within = |seconds: f64| {
        let of = move |hour: Hour| hour.with(move |r| r.identity.elapsed_s = Some(seconds));
        let c = compared(
            of(commits(Hour::new(500.0).cpu(100.0), (100_000.0, 200.0), (100_000.0, 110.0), &before)),
            of(commits(Hour::new(800.0).cpu(100.0), (100_000.0, 400.0), (100_000.0, 190.0), &after)),
        );
        c.says.join(" ")
    };
    // A log writer that is mostly idle: commits wait for their own write.
    let said = within(3_600.0);
    assert!(said.contains("wrote 5.3 % of the time after, so few commits met a write under way"), "{said}");
    let said = within(300.0);
    assert!(!said.contains("its tail is the cause"), "{said}");
    assert!(said.contains("its tail may contribute") && said.contains("most moved"), "{said}");
}

#[test]
fn loads_that_do_not_compare_were_dropped_in_silence() {
    let hour = |n: f64| Hour::new(100.0 + n / 1000.0).stat("user commits", n).stat("user rollbacks", 0.0);
    let c = compared(hour(20.0), hour(900_000.0));
    assert!(c.warnings[0].starts_with("THE LOADS DO NOT COMPARE: transactions a second"), "{:?}", c.warnings);
    assert!(c.warnings[0].contains("45,000 times"), "{:?}", c.warnings);
    assert!(c.answer.starts_with("The loads do not compare"), "{}", c.answer);
    let c = compared(hour(400_000.0), hour(900_000.0));
    assert!(c.warnings.iter().all(|w| !w.contains("DO NOT COMPARE")), "{:?}", c.warnings);
    let per = CompareOptions { per: Per::Transaction };
    let side = |n: f64, source: &str| [digest(named(hour(n), source))];
    let why = compare(&side(20.0, "b"), &side(900_000.0, "a"), &per).unwrap_err();
    assert!(why.contains("the side before is idle"), "{why}");
}

#[test]
fn two_databases_differ_and_neither_gains() {
    let hour = |db: f64, sync: f64, name: &str| {
        named(
            Hour::new(db).cpu(200.0).foreground("log file sync", 50_000.0, sync).foreground(
                "db file sequential read",
                90_000.0,
                2.0 * sync,
            ),
            name,
        )
        .with(|r| r.identity.db_name = Some(name.to_owned()))
    };
    let one = |h: Hour| [digest(h)];
    let c = compare(
        &one(hour(3000.0, 800.0, "SHOP")),
        &one(hour(1200.0, 200.0, "TILL")),
        &CompareOptions::default(),
    )
    .unwrap();
    let said = format!("{} {}", c.answer, c.says.join(" "));
    for verdict in ["improved", "got worse", "is real", "gain", "loss", " fell ", " rose "] {
        assert!(!said.contains(verdict), "{verdict}: {said}");
    }
    assert!(c.two_databases && said.contains("DB time differs by 1,800 s"), "{said}");
}

#[test]
fn cpu_that_is_not_printed_was_counted_among_the_waits() {
    let without = |minutes: [f64; 2], sync: (f64, f64)| {
        published(minutes, 0.0, sync).with(|r| {
            r.tables.load_profile.retain(|row| row.known != Some(Metric::DbCpu));
        })
    };
    let c =
        compared(without([59.78, 489.82], (43_605.0, 2963.0)), without([60.04, 352.14], (55_095.0, 574.0)));
    assert!(!c.answer.contains("so other waits"), "{}", c.answer);
    assert!(
        c.answer.contains("so what is not printed, CPU and other waits, together fell by"),
        "{}",
        c.answer
    );
}

#[test]
fn an_instance_whose_load_rounds_to_zero_was_left_out() {
    let idle = named(Hour::new(0.0), "x").with(|r| {
        r.tables.time_model.clear();
        r.identity.db_time_s = Some(0.0);
        (r.identity.db_time_s_low, r.identity.db_time_s_high) = (Some(0.0), Some(181.5));
    });
    let digest = digest(idle);
    assert!(digest.is_comparable());
    let time = digest.db_time_s.unwrap();
    assert_eq!((time.value, time.low, time.high), (0.0, 0.0, 181.5));
}

#[test]
fn three_days_had_an_hour_of_the_day() {
    let at = |begin: &str, end: &str, hours: f64| {
        Hour::new(3600.0 * hours).with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{begin}:00:00"));
            r.identity.end_time = Some(format!("2024-03-{end}:00:00"));
            r.identity.elapsed_s = Some(hours * 3600.0);
        })
    };
    let c = compared(at("01T10", "04T10", 72.0), at("05T10", "05T11", 1.0));
    assert!(c.warnings.iter().all(|w| !w.starts_with("Other hours")), "{:?}", c.warnings);
    assert!(
        c.warnings.iter().any(|w| w.contains("unlike length: 72 h before, 1 h after")),
        "{:?}",
        c.warnings
    );
    let c = compared(at("01T10", "01T11", 1.0), at("05T20", "05T21", 1.0));
    assert!(c.warnings.iter().any(|w| w.starts_with("Other hours")), "{:?}", c.warnings);
}

#[test]
fn what_is_real_names_its_assumption_unit_and_confidence() {
    let at = |day: u32, hour: u32, db: f64| {
        digest(named(Hour::new(db), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{day:02}T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-{day:02}T{:02}:00:00", hour + 1));
            r.identity.source = format!("{day}-{hour}");
        }))
    };
    let side = |day: u32, load: f64| -> Vec<Digest> {
        (0..4u32).map(|i| at(day, 2 + 5 * i, load + 7.0 * f64::from(i))).collect()
    };
    let c = compare(&side(4, 3600.0), &side(5, 36_000.0), &CompareOptions::default()).unwrap();
    let said = c.says.join(" ");
    assert!(said.contains("The change of DB time is real if intervals are independent"), "{said}");
    assert!(said.contains("rose by 9 s a second") && said.contains("% confidence"), "{said}");
    assert!(said.contains("the least that 4 against 4 can show"), "{said}");
}

#[test]
fn a_report_with_itself_was_told_that_two_reports_count_differently() {
    let hour = || {
        Hour::new(100.0).cpu(40.0).with(|r| {
            r.identity.begin_time = Some("2024-03-01T10:00:00".to_owned());
            r.identity.end_time = Some("2024-03-01T11:00:00".to_owned());
        })
    };
    let c = compared(hour(), hour());
    assert!(c.answer.starts_with("Nothing changed"), "{}", c.answer);
    assert!(c.warnings.iter().all(|w| !w.contains("same interval")), "{:?}", c.warnings);
}

#[test]
fn the_same_db_time_was_called_no_change_whatever_else_differed() {
    let hour = |reads: f64| Hour::new(100.0).cpu(40.0).stat("physical read total IO requests", reads);
    let c = compared(hour(3_600.0), hour(7_200.0));
    assert!(c.answer.contains("other figures are not: read requests a second +100 %"), "{}", c.answer);
}

#[test]
fn every_report_that_cannot_be_a_side_is_named() {
    let ash = |name: &str| {
        let ash = named(Hour::new(100.0), name).with(|r| r.identity.kind = Kind::Ash);
        digest(ash)
    };
    let why = compare(&[ash("one"), ash("two")], &[digest(Hour::new(1.0))], &CompareOptions::default())
        .unwrap_err();
    assert!(why.contains("`one`") && why.contains("`two`"), "{why}");
}

#[test]
fn what_is_left_of_a_load_is_no_hundred_percent_less() {
    let hour = |db: f64, redo: f64| {
        Hour::new(db)
            .cpu(10.0)
            .stat("user commits", 9000.0)
            .stat("user rollbacks", 0.0)
            .stat("redo size", redo)
    };
    let c = compared(hour(100.0, 9e9), hour(90.0, 9e6));
    let said = c.says.join(" ");
    assert!(said.contains("redo bytes 0.1 % of before") && !said.contains("-100 %"), "{said}");
}

/// A statement that ran through all of an interval, and was counted in none of its lists, "took at most 1.31 s" there.
#[test]
fn a_statement_that_had_not_ended_took_hardly_anything() {
    use spindle_facts::{PrintedRow, Value};
    let hour = |id: &str, elapsed: f64, sampled: Option<f64>| {
        let row = SqlStat {
            sql_id: Some(id.into()),
            ranked_by: "elapsed_time",
            elapsed_s: Some(elapsed),
            executions: Some(1.0),
            ..SqlStat::default()
        };
        let sample = |pct| {
            let cells = [
                ("group", Value::Text("Top SQL with Top Events".into())),
                ("sql_id", Value::Text("coalesce".into())),
                ("pct_activity", Value::Number(pct)),
            ];
            PrintedRow { line: 9, section: 0, instance_number: None, cells: cells.to_vec().into() }
        };
        Hour::new(1_000.0).cpu(100.0).with(move |r| {
            r.tables.sql_stat.push(row);
            r.tables.ash_activity.extend(sampled.map(sample));
        })
    };
    let what = |sampled| {
        let c = compared(hour("coalesce", 4_849.0, None), hour("other", 1.31, sampled));
        let one = c.statements.iter().find(|s| s.sql_id.as_deref() == Some("coalesce")).unwrap();
        (one.at_most_s, one.what.clone())
    };
    assert!(what(None).0.is_some_and(|most| most < 1.4));
    let (at_most_s, said) = what(Some(44.78));
    assert_eq!(at_most_s, None);
    assert!(said.contains("45 % of the samples") || said.contains("44.8 % of the samples"), "{said}");
}

/// One statement, by sql_id in AWR and by old hash in Statspack, was two: each said to have taken at most
/// what the other side lists last.
#[test]
fn a_statement_was_two_where_statspack_and_awr_name_it() {
    let text = "select /* report */ o.id, sum(l.amount) from orders o join lines l on l.order_id = o.id group by o.id";
    let hour = |id: Option<&str>, hash: Option<u64>, elapsed: f64, text: &str| {
        let row = SqlStat {
            sql_id: id.map(Into::into),
            old_hash: hash,
            ranked_by: "elapsed_time",
            elapsed_s: Some(elapsed),
            executions: Some(10.0),
            ..SqlStat::default()
        };
        let of =
            SqlText { line: 9, section: 0, sql_id: row.sql_id.clone(), old_hash: hash, text: text.into() };
        Hour::new(1_000.0).cpu(100.0).with(move |r| {
            r.tables.sql_stat.push(row);
            r.tables.sql_text.push(of);
        })
    };
    let wrapped = text.replace("orders o", "orde\nrs o");
    let c = compared(hour(None, Some(7), 100.0, &wrapped), hour(Some("abc"), None, 300.0, text));
    assert_eq!(c.statements.len(), 1);
    let one = &c.statements[0];
    assert_eq!((one.sql_id.as_deref(), one.old_hash, one.delta_s), (Some("abc"), Some(7), Some(200.0)));
    // Another text: nothing bounds what it took where it has another name.
    let c = compared(hour(None, Some(7), 100.0, "delete from log"), hour(Some("abc"), None, 300.0, text));
    assert_eq!(c.statements.iter().map(|s| s.at_most_s).collect::<Vec<_>>(), [None, None]);
    assert!(c.statements[0].what.contains("another kind of identifier"), "{}", c.statements[0].what);
}

#[test]
fn a_tail_was_the_cause_though_log_writes_explain_nothing_for_certain() {
    let before = [(Some(1000.0), 50_000.0), (Some(8000.0), 50_000.0)];
    let after = [(Some(1000.0), 60_000.0), (Some(8000.0), 40_000.0)];
    let side = |db: f64, sync: f64, buckets: &[(Option<f64>, f64)]| {
        let hour = commits(Hour::new(db).cpu(100.0), (100_000.0, sync), (100_000.0, 190.0), buckets);
        hour.with(|r| r.identity.elapsed_s = Some(300.0))
    };
    let c = compared(side(1_500.0, 700.0, &before), side(1_300.0, 500.0, &after));
    let said = c.says.join(" ");
    assert!(!said.contains("its tail is the cause"), "{said}");
    assert!(!said.contains("at least 0 s"), "{said}");
}

/// An instance beside a report of its whole database counted twice, and nothing said so.
#[test]
fn an_instance_beside_its_whole_database_was_added_to_it() {
    let of = |source: &str, db_time_s: f64, instance: Option<u32>| {
        digest(named(Hour::new(db_time_s), source).with(|r| {
            r.identity.begin_time = Some("2024-03-01T10:00:00".to_owned());
            r.identity.end_time = Some("2024-03-01T11:00:30".to_owned());
            r.identity.instance_number = instance;
            r.identity.scope = if instance.is_some() {
                spindle_facts::Scope::Instance
            } else {
                spindle_facts::Scope::Database
            };
        }))
    };
    let whole = || of("all.html", 300.0, None);
    let after = [of("later.html", 250.0, None)];
    let alone = compare(&[whole()], &after, &CompareOptions::default()).unwrap();
    let beside = [of("i1.html", 100.0, Some(1)), whole(), of("i2.html", 200.0, Some(2))];
    let c = compare(&beside, &after, &CompareOptions::default()).unwrap();
    assert_eq!(c.before.identity.db_time_s, alone.before.identity.db_time_s);
    assert_eq!(c.before.intervals, 1);
    for name in ["i1.html", "i2.html"] {
        let expected = format!("`{name}` is left out: it is part of `all.html`, of the whole database.");
        assert!(c.warnings.contains(&expected), "{:?}", c.warnings);
    }
    // Of another hour it is no part.
    let mut other = of("i1.html", 100.0, Some(1));
    other.identity.begin_time = Some("2024-03-01T09:00:00".to_owned());
    other.identity.end_time = Some("2024-03-01T10:00:00".to_owned());
    other.span = other.span.map(|(begin, end)| (begin - 3_600, end - 3_630));
    let c = compare(&[whole(), other], &after, &CompareOptions::default()).unwrap();
    assert!(!c.warnings.iter().any(|w| w.contains("is part of")), "{:?}", c.warnings);
}

/// A count of several buckets, spread evenly over them, made a wait of two seconds out of nothing.
#[test]
fn waits_that_no_cell_prints_were_the_squares_of_a_tail() {
    let before = [(Some(1000.0), 99_000.0), (Some(8000.0), 990.0), (Some(64_000.0), 10.0)];
    let after = [
        (Some(1000.0), 80_000.0),
        (Some(8000.0), 19_500.0),
        (Some(64_000.0), 400.0),
        (Some(2_048_000.0), 100.0),
    ];
    let side = |db: f64, sync: f64, writes: f64, buckets: &[(Option<f64>, f64)]| {
        commits(Hour::new(db).cpu(100.0), (100_000.0, sync), (100_000.0, writes), buckets)
            .with(|r| r.identity.elapsed_s = Some(300.0))
    };
    // `.0` for both cells of the tail: one wait in each at least, and up to half of a thousandth of all.
    let rounded = side(800.0, 400.0, 150.0, &after).with(|r| {
        for bucket in &mut r.tables.wait_histogram[0].buckets[2..] {
            (bucket.waits_low, bucket.waits_high) = (1.0, 500.0);
        }
    });
    let c = compared(side(500.0, 60.0, 40.0, &before), rounded);
    let said = c.says.join(" ");
    assert!(!said.contains("its tail is the cause"), "{said}");
}

/// A tail that halved while the mean rose stood beside commits that log writes do not explain at all.
#[test]
fn a_tail_contributed_to_what_log_writes_explain_nothing_of() {
    let before = [(Some(1000.0), 40_000.0), (Some(2000.0), 56_000.0), (Some(4000.0), 4000.0)];
    let after = [(Some(1000.0), 38_000.0), (Some(2000.0), 60_000.0), (Some(4000.0), 2000.0)];
    let side = |db: f64, sync: f64, writes: f64, buckets: &[(Option<f64>, f64)]| {
        commits(Hour::new(db).cpu(100.0), (100_000.0, sync), (100_000.0, writes), buckets)
    };
    let c = compared(side(900.0, 600.0, 104.0, &before), side(700.0, 400.0, 108.0, &after));
    let said = c.says.join(" ");
    assert!(!(said.contains("may contribute") && said.contains("none of it by log writes")), "{said}");
}

#[test]
fn instances_a_minute_apart_were_fewer_instances_and_a_rounded_load_was_none() {
    let at = |instance: Option<u32>, end: &str, active_s: Option<f64>| {
        digest(named(Hour::new(100.0), "series.out").with(|r| {
            r.identity.kind = spindle_facts::Kind::AwrMiner;
            r.identity.begin_time = Some("2024-03-01T10:00:00".into());
            r.identity.end_time = Some(format!("2024-03-01T{end}:00"));
            r.identity.end_snap = Some(7);
            r.identity.instance_number = instance;
            r.tables.time_model.clear();
            r.tables.load_profile.clear();
            r.identity.db_time_s = active_s;
            r.identity.db_time_s_low = active_s.map(|s| (s - 180.0).max(0.0));
            r.identity.db_time_s_high = active_s.map(|s| s + 180.0);
            if instance.is_none() {
                r.identity.scope = spindle_facts::Scope::Database;
                let class = |name: &str, time_s: f64| spindle_facts::WaitClassRow {
                    line: 1,
                    section: 0,
                    instance_number: None,
                    wait_class: name.into(),
                    side: spindle_facts::Side::All,
                    waits: None,
                    time_s: Some(time_s),
                    time_s_low: None,
                    time_s_high: None,
                    avg_wait_us: None,
                    avg_wait_us_low: None,
                    avg_wait_us_high: None,
                    share_pct: None,
                };
                r.tables.wait_class = vec![class("DB CPU", 36.0), class("User I/O", 36.0)];
            }
        }))
    };
    let mut all =
        vec![at(None, "11:00", None), at(Some(1), "11:00", Some(0.0)), at(Some(2), "11:05", Some(0.0))];
    complete(&mut all);
    assert_eq!((all.len(), all[0].instances), (1, 2));
    let db_time = all[0].db_time_s.unwrap();
    assert_eq!((db_time.value, db_time.low), (72.0, 0.0), "{db_time:?}");
    assert!(db_time.high > 300.0, "{db_time:?}");
}

#[test]
fn requests_of_each_instance_were_lost_beside_a_report_of_all() {
    let at = |instance: Option<u32>, reads: Option<f64>| {
        let hour = named(Hour::new(100.0), "series.out").with(|r| {
            r.identity.begin_time = Some("2024-03-01T10:00:00".into());
            r.identity.end_time = Some("2024-03-01T11:00:00".into());
            r.identity.instance_number = instance;
            r.identity.kind = spindle_facts::Kind::AwrMiner;
            r.identity.end_snap = Some(7);
            if instance.is_none() {
                r.identity.scope = spindle_facts::Scope::Database;
            }
        });
        digest(match reads {
            Some(n) => hour.stat("physical read total IO requests", n),
            None => hour,
        })
    };
    let mut all = vec![at(None, None), at(Some(1), Some(3600.0)), at(Some(2), Some(7200.0))];
    complete(&mut all);
    assert_eq!(all[0].totals.get("read requests"), Some(&10_800.0));
    // What one instance does not print has no sum.
    let mut all = vec![at(None, None), at(Some(1), Some(3600.0)), at(Some(2), None)];
    complete(&mut all);
    assert_eq!(all[0].totals.get("read requests"), None);
    // What the report of all prints itself stays.
    let mut all = vec![at(None, Some(1.0)), at(Some(1), Some(3600.0))];
    complete(&mut all);
    assert_eq!(all[0].totals.get("read requests"), Some(&1.0));
}

#[test]
fn a_parameter_cut_by_its_column_had_changed() {
    let whole = "/u01/app/oracle/admin/warehouse/adump";
    let with = |value: &str, layout: spindle_facts::Layout| {
        let hour = Hour::new(10.0).parameter("audit_file_dest", value).parameter("db_files", "200");
        hour.with(|r| r.identity.layout = layout)
    };
    let changed = |one: Hour, other: Hour| -> Vec<String> {
        compared(one, other).changed_parameters.into_iter().map(|c| c.name).collect()
    };
    let (text, html) = (spindle_facts::Layout::Text, spindle_facts::Layout::Html);
    assert_eq!(changed(with(&whole[..33], text), with(whole, html)), [""; 0]);
    assert_eq!(changed(with(whole, html), with(&whole[..33], text)), [""; 0]);
    // Another beginning is another value, and a short value was not cut.
    assert_eq!(
        changed(with("/u02/app/oracle/admin/warehouse/a", text), with(whole, html)),
        ["audit_file_dest"]
    );
    assert_eq!(changed(with("/u01", text), with(whole, html)), ["audit_file_dest"]);
    // A list that is cut within its second part.
    let list = "+DATA/shop/control01.ctl, +FRA/shop/control02.ctl";
    assert_eq!(changed(with(&list[..33], text), with(list, html)), [""; 0]);
}

#[test]
fn what_a_list_of_the_first_ten_leaves_out_was_new() {
    let hour = || Hour::new(100.0).cpu(10.0).foreground("db file sequential read", 1000.0, 50.0);
    let whole = || hour().foreground("buffer busy waits", 100.0, 5.0);
    let top = || hour().with(|r| r.sections[0].title = "Top Timed Foreground Events".into());
    let c = compared(top(), whole());
    assert!(c.waterfall.iter().all(|s| s.of != "buffer busy waits"), "{:?}", c.waterfall);
    assert!(c.warnings.iter().any(|w| w.contains("Printed on one side only")), "{:?}", c.warnings);
    adds_up(&c);
}

#[test]
fn an_instance_and_its_database_were_one_interval_and_nothing_said_so() {
    let of = |scope: spindle_facts::Scope, begin: &str| {
        Hour::new(if scope == spindle_facts::Scope::Database { 100.0 } else { 90.0 }).cpu(40.0).with(|r| {
            r.identity.begin_time = Some(format!("2024-03-01T{begin}"));
            r.identity.end_time = Some("2024-03-01T11:00:00".into());
            r.identity.scope = scope;
        })
    };
    let (all, one) = (spindle_facts::Scope::Database, spindle_facts::Scope::Instance);
    let c = compared(of(all, "10:00:30"), of(one, "10:00:00"));
    assert!(c.warnings.iter().any(|w| w.contains("the same interval of one database")), "{:?}", c.warnings);
    // Seconds apart, the one is not later than the other.
    assert!(c.warnings.iter().all(|w| !w.contains("LATER")), "{:?}", c.warnings);
}

#[test]
fn commits_got_worse_while_their_own_test_showed_nothing() {
    let at = |day: u32, hour: u32, commits: f64, us: f64| {
        let hour_of = Hour::new(3600.0).cpu(100.0).foreground("log file sync", commits, commits * us / 1e6);
        digest(named(hour_of, "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{day:02}T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-{day:02}T{:02}:00:00", hour + 1));
            r.identity.source = format!("{day}-{hour}");
        }))
    };
    // The same latencies by the hour; the slow hours commit more on the second day.
    let us = [2000.0, 9000.0, 4000.0, 8000.0, 3000.0, 7000.0];
    let side = |day: u32, slow: f64| -> Vec<Digest> {
        (0u32..).zip(us).map(|(i, us)| at(day, 8 + i, if us > 5000.0 { slow } else { 1e5 }, us)).collect()
    };
    let c = compare(&side(4, 1e5), &side(5, 2e5), &CompareOptions::default()).unwrap();
    let said = c.says.join(" ");
    assert!(!said.contains("Commits got worse"), "{said}");
    assert!(said.contains("over the intervals a change is not shown (p = 1)"), "{said}");
}

#[test]
fn what_is_not_shown_was_said_to_come_by_chance() {
    use super::significance::p_said;
    assert_eq!(p_said(1.9e-7), "p < 0.0001");
    assert_eq!(p_said(0.0635), "p = 0.0635");
}

#[test]
fn one_neighbouring_hour_made_a_night_the_like_of_a_day() {
    let at = |day: u32, hour: u32| {
        digest(named(Hour::new(100.0 + f64::from(hour)), "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{day:02}T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-{day:02}T{hour:02}:59:59"));
            r.identity.source = format!("{day}-{hour}");
        }))
    };
    let other = |before: std::ops::Range<u32>, after: std::ops::Range<u32>| {
        let side =
            |day: u32, hours: std::ops::Range<u32>| -> Vec<Digest> { hours.map(|h| at(day, h)).collect() };
        let c = compare(&side(4, before), &side(5, after), &CompareOptions::default()).unwrap();
        c.warnings.into_iter().find(|w| w.starts_with("Other hours"))
    };
    assert!(other(7..21, 21..24).is_some_and(|w| w.contains("7:00-21:00 before, 21:00-24:00 after")));
    assert_eq!(other(7..12, 8..13), None);
    assert_eq!(other(10..11, 11..12), None);
    // Each hour that an interval lies in counts, not that of its middle alone.
    let hours = |begin: i64, end: i64| hours_of(begin, end).into_iter().collect::<Vec<_>>();
    assert_eq!(hours(15 * 3600 + 22 * 60, 16 * 3600 + 47 * 60), [15, 16]);
    assert_eq!(hours(10 * 3600, 11 * 3600 + 9), [10]);
    assert_eq!(spans(&[22, 23, 0, 1, 5].into()), [(5, 6), (22, 2)]);
}

#[test]
fn a_database_that_does_a_quarter_of_its_work_did_much_the_same() {
    let hour = |db: f64, executions: f64| {
        Hour::new(db)
            .cpu(10.0)
            .stat("user commits", 9000.0)
            .stat("user rollbacks", 0.0)
            .stat("execute count", executions)
            .stat("parse count (total)", executions)
    };
    let said = compared(hour(100.0, 4e6), hour(900.0, 1e6)).says.join(" ");
    assert!(said.contains("one does less than before: executions -75 %"), "{said}");
    assert!(said.contains("A second, parses -75 %"), "{said}");
}

/// "hard parses 66.3 times", of 0.006 a second.
#[test]
fn times_of_what_were_not_said() {
    let hour = |db: f64, hard: f64| {
        Hour::new(db)
            .cpu(10.0)
            .stat("user commits", 9000.0)
            .stat("user rollbacks", 0.0)
            .stat("execute count", 4e6)
            .stat("parse count (hard)", hard)
    };
    let said = compared(hour(100.0, 360.0), hour(900.0, 23_760.0)).says.join(" ");
    assert!(said.contains("hard parses 66 times (0.1 before, 6.6 after)"), "{said}");
}

#[test]
fn a_wait_of_a_twentieth_led_what_nothing_explains() {
    let hour = |db: f64, sync: f64, busy: f64| {
        Hour::new(db).cpu(100.0).foreground("log file sync", 50_000.0, sync).with(move |r| {
            r.tables.host_cpu.push(spindle_facts::HostCpu {
                line: 9,
                idle_pct: Some(100.0 - busy),
                ..spindle_facts::HostCpu::default()
            });
        })
    };
    let c = compared(hour(300.0, 100.0, 20.0), hour(1300.0, 160.0, 42.0));
    let first =
        "What neither CPU nor a printed wait explains is 940 s of that (94.0 %). log file sync makes 60 s";
    assert!(c.answer.contains(first), "{}", c.answer);
    assert!(c.says.join(" ").contains("The host was busy 20 % before, 42 % after"), "{:?}", c.says);
    adds_up(&c);
}

#[test]
fn a_sixth_more_for_each_of_ten_thousand_executions_was_left_out() {
    let hour = |executions: f64, elapsed: f64| {
        let row = SqlStat {
            sql_id: Some("7gk2mzp0w1abc".into()),
            ranked_by: "elapsed_time",
            elapsed_s: Some(elapsed),
            executions: Some(executions),
            ..SqlStat::default()
        };
        Hour::new(5_000.0 + elapsed).cpu(100.0).with(move |r| r.tables.sql_stat.push(row))
    };
    let c = compared(hour(7000.0, 1400.0), hour(10_500.0, 2415.0));
    assert!(
        c.statements[0].what.contains("each 1.15 times as long; 1.5 times the executions"),
        "{}",
        c.statements[0].what
    );
}

#[test]
fn two_databases_of_one_name_were_added_up_without_a_word() {
    let of = |id: u64, hour: u32| {
        digest(named(Hour::new(100.0), "x").with(|r| {
            r.identity.source = format!("{id}-{hour}");
            r.identity.db_id = Some(id);
            r.identity.begin_time = Some(format!("2024-03-01T{hour:02}:00:00"));
            r.identity.end_time = Some(format!("2024-03-01T{:02}:00:00", hour + 1));
        }))
    };
    let c = compare(&[of(1, 8), of(2, 8)], &[of(2, 9)], &CompareOptions::default()).unwrap();
    assert!(
        c.warnings[0].starts_with("DIFFERENT DATABASES: SHOP 1 before alone, SHOP 2 on both"),
        "{:?}",
        c.warnings
    );
    assert!(c.warnings[1].starts_with("2 databases before (SHOP 1, SHOP 2)"), "{:?}", c.warnings);
    assert_eq!((c.before.identity.db_id, c.after.identity.db_id), (None, Some(2)));
    let c = compare(&[of(1, 7), of(1, 8)], &[of(1, 9)], &CompareOptions::default()).unwrap();
    assert!(!c.warnings.iter().any(|w| w.contains("databases")), "{:?}", c.warnings);
}

#[test]
fn of_twins_another_stayed_than_sizing_counts() {
    // The one of more requests, whatever its name and its DB time.
    let of = |source: &str, db_time: f64, reads: f64| {
        digest(named(Hour::new(db_time), source).with(|r| {
            r.identity.begin_time = Some("2024-03-01T08:00:00".into());
            r.identity.end_time = Some("2024-03-01T09:00:00".into());
            for (name, total) in
                [("physical read total IO requests", reads), ("physical write total IO requests", 1.0)]
            {
                r.tables.instance_stat.push(spindle_facts::InstanceStat {
                    line: 1,
                    section: 0,
                    instance_number: None,
                    statistic: name.into(),
                    printed_as: None,
                    total: Some(total),
                    per_second: None,
                    per_transaction: None,
                    begin_value: None,
                    end_value: None,
                });
            }
        }))
    };
    let other = || digest(named(Hour::new(50.0), "later"));
    for twins in [[of("a", 10.0, 1e5), of("b", 90.0, 1e7)], [of("b", 10.0, 1e5), of("a", 90.0, 1e7)]] {
        let c = compare(&twins, &[other()], &CompareOptions::default()).unwrap();
        assert_eq!((c.before.reports, c.before.identity.db_time_s), (1, Some(90.0)));
    }
}

#[test]
fn the_hour_that_the_clock_showed_twice_stood_in_a_comparison_once() {
    let of = |snap: u64, from: &str, to: &str, db_time: f64| {
        let hour = named(Hour::new(db_time), "x").with(|r| {
            r.identity.source = snap.to_string();
            r.identity.kind = Kind::History;
            r.identity.begin_time = Some(format!("2026-10-25T{from}:00"));
            r.identity.end_time = Some(format!("2026-10-25T{to}:00"));
            r.identity.elapsed_s = Some(1800.0);
            (r.identity.begin_snap, r.identity.end_snap) = (Some(snap), Some(snap + 1));
        });
        digest(hour)
    };
    let mut side = vec![
        of(1, "02:00", "02:30", 10.0),
        of(2, "02:30", "02:00", 20.0),
        of(3, "02:00", "02:30", 30.0),
        of(4, "02:30", "03:00", 40.0),
    ];
    let mut other = vec![of(9, "12:00", "12:30", 10.0)];
    unwind(&mut [&mut side, &mut other]);
    let c = compare(&side, &other, &CompareOptions::default()).unwrap();
    assert_eq!((c.before.reports, c.before.identity.db_time_s), (4, Some(100.0)));
    assert_eq!(c.before.identity.elapsed_s, Some(7200.0));
}

/// An hour of a day in March 2024, of a host and a start.
fn seen(host: &str, started: &str, minute: u32, db: f64) -> Digest {
    let at = |m: u32| format!("2024-03-{:02}T{:02}:{:02}:00", 4 + m / 1_440, m % 1_440 / 60, m % 60);
    digest(named(Hour::new(db).cpu(db / 2.0), "x").with(|r| {
        r.identity.begin_time = Some(at(minute));
        r.identity.end_time = Some(at(minute + 60));
        r.identity.db_id = Some(4_711);
        r.identity.instance_number = Some(1);
        r.identity.host = Some(host.to_owned());
        r.identity.startup_time = Some(started.to_owned());
        r.identity.source = format!("{host}-{minute}");
    }))
}

const STARTED: [&str; 2] = ["2024-01-01T01:00:00", "2024-02-02T02:00:00"];

#[test]
fn two_hosts_of_one_identifier_at_one_time_were_one_database() {
    let side = |host: &str, started: &str, from: u32, to: u32, db: f64| -> Vec<Digest> {
        (from..to).map(|h| seen(host, started, 60 * h, db)).collect()
    };
    let prod = |from, to| side("prod", STARTED[0], from, to, 1_000.0);
    let test = |from, to| side("test", STARTED[1], from, to, 3_000.0);
    let c = compare(&prod(0, 10), &test(0, 10), &CompareOptions::default()).unwrap();
    assert!(c.two_databases && c.warnings[0].contains("on prod before, on test after"), "{:?}", c.warnings);
    // Both on both sides: nothing is left out, and it is said.
    let both = |from, to| [prod(from, to), test(from, to)].concat();
    let c = compare(&both(0, 5), &both(5, 10), &CompareOptions::default()).unwrap();
    assert_eq!((c.before.reports, c.before.left_out, c.before.identity.db_time_s), (10, 0, Some(20_000.0)));
    let said = c.warnings.iter().filter(|w| w.contains("2 databases") && w.contains("one identifier"));
    assert_eq!(said.count(), 2, "{:?}", c.warnings);
    // Moved to another host, one after the other, it is one.
    let c = compare(&prod(0, 5), &side("new", STARTED[1], 5, 10, 900.0), &CompareOptions::default()).unwrap();
    assert!(!c.two_databases, "{:?}", c.warnings);
}

#[test]
fn sides_that_overlap_in_part_went_without_a_word() {
    let side = |from: u32| -> Vec<Digest> {
        (0..12).map(|h| seen("h", STARTED[0], from + 60 * h, 1_000.0 + f64::from(h))).collect()
    };
    let said = |after: u32| {
        let c = compare(&side(0), &side(after), &CompareOptions::default()).unwrap();
        c.warnings.iter().find(|w| w.contains("overlap in time")).cloned()
    };
    assert!(said(390).is_some_and(|w| w.contains("5.5 h")), "{:?}", said(390));
    // One begins where the other ends.
    assert_eq!(said(720), None);
}

#[test]
fn one_interval_made_the_whole_change_and_nobody_was_told() {
    let side = |day: u32, odd: Option<u32>| -> Vec<Digest> {
        let db = |h: u32| if odd == Some(h) { 1_500_000.0 } else { 12_000.0 + 100.0 * f64::from(h * 7 % 24) };
        (0..24).map(|h| seen("h", STARTED[0], 1_440 * day + 60 * h, db(h))).collect()
    };
    let c = compare(&side(0, None), &side(7, Some(5)), &CompareOptions::default()).unwrap();
    assert!(
        c.answer.contains("One interval of the 24 after makes 100 % of that: 2024-03-11 05:00:00")
            && c.answer.contains("The median interval went from 3.6"),
        "{}",
        c.answer
    );
    // A change of every hour is no hour's.
    let every: Vec<Digest> = (0..24).map(|h| seen("h", STARTED[0], 60 * (168 + h), 24_000.0)).collect();
    let c = compare(&side(0, None), &every, &CompareOptions::default()).unwrap();
    assert!(!c.answer.contains("interval of the"), "{}", c.answer);
}

#[test]
fn reports_left_out_stood_in_json_alone_and_a_file_twice() {
    let of = |source: &str, from: u32, to: u32| -> Vec<Digest> {
        (from..to)
            .map(|h| {
                let mut one = seen("h", STARTED[0], 60 * h, 1_000.0 + f64::from(h));
                one.identity.source = source.to_owned();
                one
            })
            .collect()
    };
    let after = [of("one", 0, 24), of("two", 12, 36)].concat();
    let c = compare(&of("b", 168, 192), &after, &CompareOptions::default()).unwrap();
    assert_eq!((c.after.intervals, c.after.left_out), (36, 12));
    let said: Vec<&String> = c.warnings.iter().filter(|w| w.contains("left out")).collect();
    assert!(said.len() == 1 && said[0].contains("`two`: 12 of its 24 intervals"), "{said:?}");
}

#[test]
fn a_part_above_the_whole_was_a_part_of_it() {
    let c = compared(
        Hour::new(1_000.0).cpu(500.0).foreground("log file sync", 10_000.0, 100.0),
        Hour::new(1_044.0).cpu(400.0).foreground("log file sync", 10_000.0, 300.0),
    );
    assert!(c.answer.contains("log file sync rose by 200 s, more than that"), "{}", c.answer);
    assert!(!c.answer.contains("makes"), "{}", c.answer);
}

#[test]
fn cpu_that_is_equal_rose_by_nothing() {
    let c = compared(
        Hour::new(1_000.0).cpu(500.0).foreground("log file sync", 10_000.0, 100.0),
        Hour::new(1_200.0).cpu(500.0).foreground("log file sync", 10_000.0, 300.0),
    );
    assert!(c.answer.contains("CPU is the same on both sides"), "{}", c.answer);
}

/// Two weeks of hours from Monday 4 March 2024 with a daily cycle; at weekends a third of the load, and from
/// an hour on a multiple of it.
fn two_weeks(times: f64, from: u32, multiple: f64) -> Vec<Digest> {
    (0..14 * 24_u32)
        .map(|h| {
            let (day, hour) = (h / 24, h % 24);
            let cycle = 1_000.0 + 40.0 * f64::from(12 - hour.abs_diff(12)) + f64::from(h * 37 % 23);
            let week = if day % 7 >= 5 { 0.33 } else { 1.0 };
            let level = if h >= from { multiple } else { 1.0 };
            seen("h", STARTED[0], 60 * h, cycle * week * times * level)
        })
        .collect()
}

#[test]
fn ordinary_weekends_made_a_side_two_states() {
    let not_one_state = |side: Vec<Digest>| {
        let other = (0..24).map(|h| seen("h", STARTED[0], 60 * (20 * 24 + h), 1_300.0)).collect::<Vec<_>>();
        let c = compare(&side, &other, &CompareOptions::default()).unwrap();
        c.warnings.into_iter().find(|w| w.contains("before is not one state"))
    };
    assert_eq!(not_one_state(two_weeks(1.0, u32::MAX, 1.0)), None);
    // A load that doubles on a Wednesday and stays is no weekend.
    let said = not_one_state(two_weeks(1.0, 9 * 24 + 10, 2.5)).unwrap();
    assert!(said.contains("2024-03-13"), "{said}");
}

#[test]
fn cpu_that_doubled_for_certain_was_in_json_alone() {
    // DB time varies by far more than CPU, which doubles in every hour.
    let side = |day: u32, cpu: f64| -> Vec<Digest> {
        (0..24u32)
            .map(|h| {
                let db = 9_000.0 + 800.0 * f64::from(h * 7 % 24);
                let mut one = seen("h", STARTED[0], 1_440 * day + 60 * h, db);
                let seconds = cpu * (1.0 + 0.01 * f64::from(h * 5 % 7));
                one.cpu_s = Some(Amount { value: seconds, low: seconds, high: seconds });
                one
            })
            .collect()
    };
    let c = compare(&side(0, 1_000.0), &side(7, 2_000.0), &CompareOptions::default()).unwrap();
    let of = |name: &str| c.tests.iter().find(|t| t.metric == name).unwrap().verdict;
    assert_eq!((of("DB time a second"), of("DB CPU a second")), (Outcome::NotShown, Outcome::Rose));
    let said = c.says.join(" ");
    assert!(said.contains("Shown all the same: DB CPU a second rose from 0.28"), "{said}");
}

/// A collected history names no instance, a report does: the same six hours counted twice.
#[test]
fn a_history_beside_reports_of_its_hours_was_another_instance() {
    let of = |instance: Option<&str>, source: &str, from: u32, to: u32, db: f64| -> Vec<Digest> {
        (from..to)
            .map(|h| {
                let mut one = seen("h", STARTED[0], 60 * h, db);
                one.identity.instance = instance.map(str::to_owned);
                one.identity.source = format!("{source}-{h}");
                one
            })
            .collect()
    };
    let before = [of(None, "history", 0, 12, 3_600.0), of(Some("alpha"), "text", 0, 6, 3_600.0)].concat();
    let c = compare(&before, &of(None, "after", 168, 180, 3_600.0), &CompareOptions::default()).unwrap();
    assert_eq!((c.before.intervals, c.before.left_out), (12, 6));
    assert_eq!(c.before.identity.elapsed_s, Some(43_200.0));
    // The same hours on both sides, counted by two accounts.
    let one = compare(
        &of(None, "history", 0, 6, 3_600.0),
        &of(Some("alpha"), "text", 0, 6, 3_400.0),
        &CompareOptions::default(),
    );
    let said = one.unwrap().warnings.join(" ");
    assert!(said.contains("stands on both sides"), "{said}");
}

/// A statement by each of its plans: plan, executions, CPU and User I/O of one execution.
fn by_plan(hour: Hour, parts: &[(u64, f64, f64, f64)]) -> Hour {
    let rows: Vec<SqlStat> = parts
        .iter()
        .map(|&(plan, executions, cpu, io)| SqlStat {
            ranked_by: "elapsed_time",
            sql_id: Some("8fqz1m0ckdx2p".into()),
            plan_hash: Some(plan),
            executions: Some(executions),
            elapsed_s: Some(executions * (cpu + io)),
            cpu_s: Some(executions * cpu),
            io_wait_s: Some(executions * io),
            ..SqlStat::default()
        })
        .collect();
    hour.with(|r| r.tables.sql_stat.extend(rows))
}

/// Reads of single blocks at 5 ms that the statement makes, beside others, and full scans that stay as they are.
fn reading(executions: f64, plan: u64, others_s: f64) -> Hour {
    let (cpu, io) = if plan == 11 { (0.1, 0.2) } else { (0.5, 1.2) };
    let single_s = others_s + executions * io;
    let hour = Hour::new(2_000.0 + executions * cpu + single_s + 5_760.0)
        .cpu(2_000.0 + executions * cpu)
        .foreground("db file sequential read", single_s / 0.005, single_s)
        .foreground("db file scattered read", 576_000.0, 5_760.0);
    by_plan(hour, &[(plan, executions, cpu, io)])
}

fn flips(there: &Comparison, back: &Comparison) {
    assert_eq!(there.waterfall.len(), back.waterfall.len());
    let sum = |c: &Comparison, of: &str| -> f64 {
        c.waterfall.iter().filter(|s| s.of == of).map(|s| s.delta_s).sum()
    };
    for s in &there.waterfall {
        assert!((sum(there, &s.of) + sum(back, &s.of)).abs() < 1e-6, "{s:?}");
    }
}

#[test]
fn an_event_that_a_plan_took_whole_was_what_neither_explains() {
    let sides = || (reading(2_000.0, 11, 11_000.0), reading(2_000.0, 22, 11_000.0));
    let (before, after) = sides();
    let c = compared(before, after);
    assert!(!c.answer.contains("neither"), "{}", c.answer);
    assert!(c.answer.contains("db file sequential read makes 2,000 s of that (71.4 %)"), "{}", c.answer);
    assert!(c.unexplained_s.unwrap().abs() < 1e-6, "{:?}", c.unexplained_s);
    assert!((step(&c, "another plan of 8fqz1m0ckdx2p") - 2_800.0).abs() < 1e-6);
    assert_eq!(c.waterfall.len(), 1, "{:?}", c.waterfall);
    adds_up(&c);
    let (before, after) = sides();
    flips(&c, &compared(after, before));
}

#[test]
fn a_plan_bent_full_scans_that_nobody_read_more_or_less() {
    let apart = "User I/O waits of events not told apart: volume";
    // As many waits as before: what the plan reads more, others read less, and no number tells by which event.
    let flat = || (reading(2_000.0, 11, 11_000.0), reading(2_000.0, 22, 9_000.0));
    // A tenth of the executions: fewer waits, though each execution waits more.
    let fewer = || (reading(2_000.0, 11, 11_000.0), reading(200.0, 22, 11_000.0));
    for (sides, of_no_event) in [(flat(), -2_000.0), (fewer(), -1_100.0)] {
        let c = compared(sides.0, sides.1);
        assert!(c.waterfall.iter().all(|s| s.of != "db file scattered read"), "{:?}", c.waterfall);
        assert!((step(&c, apart) - of_no_event).abs() < 1e-6, "{:?}", c.waterfall);
        adds_up(&c);
    }
    let c = compared(fewer().0, fewer().1);
    assert!((step(&c, "db file sequential read: volume") + 160.0).abs() < 1e-6, "{:?}", c.waterfall);
    flips(&c, &compared(fewer().1, fewer().0));
    // Of an excerpt nobody knows which events took it: it stays with what is not explained.
    let excerpt = fewer().1.with(|r| r.identity.excerpt = true);
    let c = compared(fewer().0, excerpt);
    assert!(c.waterfall.iter().all(|s| s.cause != apart), "{:?}", c.waterfall);
    adds_up(&c);
}

#[test]
fn a_statement_that_went_over_to_its_worse_plan_had_no_other_plan() {
    let hour = |good: f64, bad: f64| {
        let (cpu, io) = (0.1 * good + 0.5 * bad, 0.2 * good + 1.2 * bad);
        let hour = Hour::new(2_000.0 + cpu + 9_000.0 + io).cpu(2_000.0 + cpu).foreground(
            "db file sequential read",
            (9_000.0 + io) / 0.005,
            9_000.0 + io,
        );
        by_plan(hour, &[(111, good, 0.1, 0.2), (222, bad, 0.5, 1.2)])
    };
    let c = compared(hour(1_600.0, 400.0), hour(200.0, 1_800.0));
    let statement = &c.statements[0];
    assert_eq!(statement.plan_changed, Some(true));
    assert_eq!(
        (statement.plan_shares_before_pct.as_slice(), statement.plan_shares_after_pct.as_slice()),
        ([80.0, 20.0].as_slice(), [10.0, 90.0].as_slice())
    );
    // 70 of 100 executions take 1.4 s more, of 2,000.
    assert!((step(&c, "another plan of 8fqz1m0ckdx2p") - 1_960.0).abs() < 1e-6, "{:?}", c.waterfall);
    let how = "plan 222 in 20 % of its executions before, 90 % after";
    assert!(statement.what.contains(how), "{}", statement.what);
    assert!(c.says.iter().any(|s| s.contains(how)), "{:?}", c.says);
    adds_up(&c);
    flips(&c, &compared(hour(200.0, 1_800.0), hour(1_600.0, 400.0)));
    // One of a thousand by another plan, no longer than the others: the share is said, and it is no other plan.
    let one = |part: &[(u64, f64, f64, f64)], more: f64| {
        by_plan(Hour::new(9_000.0 + more).cpu(2_000.0 + more), part)
    };
    let c = compared(
        one(&[(111, 1_000.0, 0.1, 0.2)], 0.0),
        one(&[(111, 1_099.0, 0.1, 0.2), (222, 1.0, 0.5, 1.2)], 31.4),
    );
    assert_eq!(c.statements[0].plan_changed, Some(false));
    let what = &c.statements[0].what;
    assert!(what.contains("plan 222 in 0.1 % of its executions after, none before"), "{what}");
    assert!(c.waterfall.iter().all(|s| s.kind != StepKind::Plan), "{:?}", c.waterfall);
    // One of a thousand that takes an hour is.
    let c = compared(
        one(&[(111, 1_000.0, 0.1, 0.2)], 0.0),
        one(&[(111, 999.0, 0.1, 0.2), (222, 1.0, 3_600.0, 0.0)], 3_600.0),
    );
    assert_eq!(c.statements[0].plan_changed, Some(true));
}

#[test]
fn latches_of_9i_were_mapped_only_where_an_enqueue_was_waited_for() {
    let hour = |release: &str, events: &[(&str, f64)]| {
        let release = release.to_owned();
        let db: f64 = events.iter().map(|e| e.1).sum();
        let hour = Hour::new(500.0 + db).cpu(500.0);
        events
            .iter()
            .fold(hour, |hour, (event, s)| hour.foreground(event, 1_000.0, *s))
            .with(move |r| r.identity.version = Some(release))
    };
    let mapped = |before: Hour, after: Hour| -> Vec<(String, f64)> {
        let c = compared(before, after);
        adds_up(&c);
        assert!(
            c.waterfall.iter().all(|s| s.kind != StepKind::New && s.kind != StepKind::Vanished),
            "{:?}",
            c.waterfall
        );
        let events: BTreeSet<&String> = c.waterfall.iter().map(|s| &s.of).collect();
        let sum = |of: &String| c.waterfall.iter().filter(|s| s.of == *of).map(|s| s.delta_s).sum::<f64>();
        events.into_iter().map(|of| (of.clone(), sum(of).round())).collect()
    };
    let latches =
        |release: &str| hour(release, &[("latch: cache buffers chains", 80.0), ("latch: shared pool", 70.0)]);
    let old = |events: &[(&str, f64)]| hour("9.2.0.8.0", events);
    assert_eq!(mapped(old(&[("latch free", 100.0)]), latches("11.2.0.3.0")), [("latches".to_owned(), 50.0)]);
    assert_eq!(mapped(latches("11.2.0.3.0"), old(&[("latch free", 100.0)])), [("latches".to_owned(), -50.0)]);
    let busy = hour("10.2.0.4.0", &[("buffer busy waits", 30.0), ("read by other session", 40.0)]);
    assert_eq!(
        mapped(old(&[("buffer busy waits", 100.0)]), busy),
        [("buffer busy waits and read by other session".to_owned(), -30.0)]
    );
    // Both of 10.1 and later: `latch free` is one of the latches.
    let c = compared(hour("10.2.0.4.0", &[("latch free", 100.0)]), latches("11.2.0.3.0"));
    assert!((step(&c, "latch free: gone") + 100.0).abs() < 1e-9);
}

/// Begin of an hour, counted from Monday, 4 March 2024.
fn monday_s(hour: i64) -> i64 {
    spindle_facts::epoch_s(Some("2024-03-04T00:00:00")).unwrap() + 3_600 * hour
}

#[test]
fn a_weekend_that_began_on_friday_evening_was_another_state() {
    let points: Vec<points::Point> = (0..336)
        .map(|hour| points::Point {
            begin_time: Some(hour.to_string()),
            begin_s: Some(monday_s(hour)),
            end_s: Some(monday_s(hour + 1)),
            values: std::collections::BTreeMap::new(),
            slack: std::collections::BTreeMap::new(),
        })
        .collect();
    let odd = |cuts: &[(usize, f64, f64)]| -> Option<usize> {
        let changes: Vec<ChangePoint> = cuts
            .iter()
            .map(|&(interval, before, after)| ChangePoint {
                metric: "DB time a second".to_owned(),
                unit: "s",
                at: None,
                interval,
                before,
                after,
                ratio: None,
                or_at: None,
                steady: false,
                p_value: 0.001,
                changed: Vec::new(),
                plans: Vec::new(),
                elsewhen: Vec::new(),
                weekend: None,
            })
            .collect();
        let weekends = weekends::weekends(&changes.iter().collect::<Vec<_>>(), &points);
        weekends.iter().position(Option::is_none).map(|at| changes[at].interval)
    };
    let (friday, saturday, monday) = (4 * 24 + 20, 5 * 24, 7 * 24);
    // In two steps, on Friday evening and on Saturday.
    assert_eq!(odd(&[(friday, 2.06, 1.42), (saturday + 1, 1.42, 0.63), (monday, 1.11, 3.15)]), None);
    assert_eq!(odd(&[(friday - 4, 3.0, 1.0), (monday + 6, 1.0, 3.0), (saturday + 168, 3.0, 1.0)]), None);
    // A change on a Wednesday is named, and no weekend beside it.
    let wednesday = monday + 2 * 24 + 12;
    assert_eq!(odd(&[(saturday, 3.0, 1.0), (monday, 1.0, 3.0), (wednesday, 3.0, 9.0)]), Some(wednesday));
    // One that does not come back on Monday, or goes further down.
    assert_eq!(odd(&[(saturday, 3.0, 1.0)]), Some(saturday));
    assert_eq!(odd(&[(saturday, 3.0, 1.0), (monday, 1.0, 0.2)]), Some(saturday));
    assert_eq!(odd(&[]), None);
}

/// A side of whole days: load of a day that climbs to twice and falls to half, and what each hour has of its own.
fn days(first: u32, hours: u32, load: impl Fn(u32) -> f64) -> Vec<Digest> {
    let daily = |h: u32| (0.7 * (std::f64::consts::TAU * f64::from(h % 24) / 24.0).sin()).exp();
    (0..hours).map(|h| seen("h", STARTED[0], 1_440 * first + 60 * h, 6_000.0 * daily(h) * load(h))).collect()
}

#[test]
fn peaks_of_every_day_were_blamed_for_a_change_of_all_hours() {
    let mut seed = 11_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / 2f64.powi(31)
    };
    let said = |before: &[Digest], after: &[Digest]| {
        let of = |side: &[Digest]| points::points(&side.iter().collect::<Vec<_>>());
        carried::carried(&of(before), &of(after))
    };
    for hours in [24, 72] {
        for factor in [1.0, 1.1, 1.2] {
            for _ in 0..10 {
                let noise: Vec<f64> = (0..2 * hours)
                    .map(|_| (0.15 * (next() + next() + next() + next() - 2.0) * 1.73).exp())
                    .collect();
                let before = days(0, hours, |h| noise[h as usize]);
                let after = days(14, hours, |h| factor * noise[(hours + h) as usize]);
                assert_eq!(said(&before, &after), None);
            }
        }
    }
    // A night hour of four times its load stands below the peaks of the day, and makes the change.
    let odd = |first: u32| days(first, 24, |h| if h == 18 { 4.0 } else { 1.0 });
    let c = compare(&days(0, 24, |_| 1.0), &odd(14), &CompareOptions::default()).unwrap();
    let named = "One interval of the 24 after makes 100 % of that: 2024-03-18 18:00:00 (11,918 s, 2,980 s at that hour before)";
    assert!(c.answer.contains(named), "{}", c.answer);
    let back = compare(&odd(0), &days(14, 24, |_| 1.0), &CompareOptions::default()).unwrap();
    assert!(back.answer.contains("One interval of the 24 before makes 100 % of that"), "{}", back.answer);
    // Both sides have such an hour, and another one each: six others make the change.
    let six = |h: u32| if h < 6 { 1.3 } else { 1.0 };
    let other = days(14, 24, |h| if h == 17 { 3.9 } else { six(h) });
    assert_eq!(said(&odd(0), &other), None);
}

#[test]
fn an_instance_that_had_not_started_was_lacking() {
    let at = |number: u32, hour: u32, started: &str| {
        let mut one = seen("h", started, 60 * hour, 1_000.0 + f64::from(hour));
        one.identity.instance_number = Some(number);
        one.identity.source = format!("{number}-{hour}");
        one
    };
    let late = |started: &str| -> Option<String> {
        let first = (0..24).map(|h| at(1, h, STARTED[0]));
        let all: Vec<Digest> = first.chain((12..24).map(|h| at(2, h, started))).collect();
        trend(&all).unwrap().warnings.into_iter().find(|w| w.contains("fewer than"))
    };
    assert_eq!(late("2024-03-04T11:50:00"), None);
    // It ran from January on: its reports of the morning are not here.
    assert!(
        late(STARTED[1]).is_some_and(|w| w.starts_with("12 of 24 intervals hold fewer than 2 instances"))
    );
    // It started at ten, and the hour before twelve is not here.
    assert!(
        late("2024-03-04T10:00:00").is_some_and(|w| w.starts_with("2 of 24 intervals")),
        "{:?}",
        late("2024-03-04T10:00:00")
    );
}

#[test]
fn parameters_of_an_instance_that_one_side_has_alone_had_changed() {
    let of = |number: u32, day: u32, mode: &str, size: &str| {
        let undo = format!("UNDO{number}");
        let hour = Hour::new(100.0 + f64::from(day))
            .parameter("undo_tablespace", &undo)
            .parameter("instance_number", &number.to_string())
            .parameter("optimizer_mode", mode)
            .parameter("_some_switch", if mode == "ALL_ROWS" { "TRUE" } else { "true" })
            .parameter("spfile", if mode == "ALL_ROWS" { "/u01/SPFILE" } else { "/u01/spfile" })
            .parameter("sga_target", size);
        digest(named(hour, "x").with(|r| {
            r.identity.begin_time = Some(format!("2024-03-{day:02}T10:00:00"));
            r.identity.end_time = Some(format!("2024-03-{day:02}T11:00:00"));
            r.identity.instance_number = Some(number);
            r.identity.source = format!("{day}-{number}");
        }))
    };
    let changed = |before: &[Digest], after: &[Digest]| -> Vec<String> {
        let c = compare(before, after, &CompareOptions::default()).unwrap();
        c.changed_parameters.into_iter().map(|c| c.name).collect()
    };
    let all = "ALL_ROWS";
    assert_eq!(changed(&[of(1, 4, all, "1G")], &[of(1, 11, all, "1G"), of(2, 11, all, "2G")]), [""; 0]);
    assert_eq!(changed(&[of(1, 4, all, "1G"), of(2, 4, all, "1G")], &[of(2, 11, all, "2G")]), ["sga_target"]);
    // Letters of a mode say nothing, those of a file name do.
    assert_eq!(changed(&[of(1, 4, all, "1G")], &[of(1, 11, "all_rows", "1G")]), ["spfile"]);
    // Another instance alone: what differs is all that can be told.
    assert_eq!(
        changed(&[of(1, 4, all, "1G")], &[of(2, 11, all, "1G")]),
        ["instance_number", "undo_tablespace"]
    );
}

#[test]
fn parameters_that_a_list_of_other_ones_leaves_out_had_changed() {
    let listing = |kind: Kind, of: &[(&str, &str)]| {
        let hour = named(Hour::new(100.0).cpu(50.0), "a").with(|r| {
            r.identity.kind = kind;
            r.tables.parameter = of
                .iter()
                .map(|(name, value)| spindle_facts::Parameter {
                    name: (*name).into(),
                    begin_value: Some((*value).into()),
                    ..spindle_facts::Parameter::default()
                })
                .collect();
        });
        vec![digest(hour)]
    };
    let report = listing(Kind::Awr, &[("processes", "800"), ("sga_target", "8G")]);
    let history = listing(Kind::History, &[("sga_target", "8G"), ("log_buffer", "13M")]);
    let miner =
        listing(Kind::AwrMiner, &[("sga_target", "9G"), ("processes", "800"), ("audit_trail", "NONE")]);
    let changed = |before: &[Digest], after: &[Digest]| -> Vec<String> {
        let c = compare(before, after, &CompareOptions::default()).unwrap();
        c.changed_parameters.into_iter().map(|p| p.name).collect()
    };
    assert!(changed(&report, &history).is_empty() && changed(&history, &report).is_empty());
    // What both list and with other values has changed all the same.
    assert_eq!(changed(&report, &miner), ["sga_target"]);
    let other = listing(Kind::Awr, &[("sga_target", "8G")]);
    assert_eq!(changed(&report, &other), ["processes"]);
}

/// `open_cursors` was `300, 900` where the root has 300 and the pluggable database 900 of its own, and what had changed
/// in a neighbour was a change of this database.
#[test]
fn values_of_the_root_and_of_neighbours_were_joined_to_those_of_the_container() {
    let listing = |of: &[(&str, &str, Option<&str>)]| {
        let hour = named(Hour::new(100.0).cpu(50.0), "a").with(|r| {
            r.identity.container = Some("SHOP1".to_owned());
            r.tables.parameter = of
                .iter()
                .map(|(name, value, container)| spindle_facts::Parameter {
                    name: (*name).into(),
                    begin_value: Some((*value).into()),
                    container: container.map(Into::into),
                    ..spindle_facts::Parameter::default()
                })
                .collect();
        });
        vec![digest(hour)]
    };
    let (own, root, neighbour) = (Some("SHOP1"), Some("CDB$ROOT"), Some("SHOP2"));
    let before = listing(&[
        ("open_cursors", "300", root),
        ("open_cursors", "500", neighbour),
        ("open_cursors", "900", own),
        ("db_files", "200", root),
        ("result_cache_mode", "FORCE", neighbour),
    ]);
    let after = listing(&[
        ("open_cursors", "1000", own),
        ("open_cursors", "400", root),
        ("db_files", "400", root),
        ("sort_area_size", "1", neighbour),
    ]);
    let c = compare(&before, &after, &CompareOptions::default()).unwrap();
    let changed: Vec<(&str, Option<&str>, Option<&str>)> = c
        .changed_parameters
        .iter()
        .map(|p| (p.name.as_str(), p.before.as_deref(), p.after.as_deref()))
        .collect();
    assert_eq!(
        changed,
        [("db_files", Some("200"), Some("400")), ("open_cursors", Some("900"), Some("1000"))]
    );
}

#[test]
fn a_week_against_four_weekdays_named_an_hour_of_a_thursday() {
    let week = days(0, 168, |h| if h / 24 >= 5 { 0.3 } else { 1.0 });
    // The weekend is most of the difference, and one hour of the Thursday more than half as much.
    let four = days(14, 96, |h| if h == 72 + 18 { 30.0 } else { 1.0 });
    for (before, after) in [(&week, &four), (&four, &week)] {
        let c = compare(before, after, &CompareOptions::default()).unwrap();
        assert!(c.answer.contains("The sides are of other days of the week"), "{}", c.answer);
        assert!(!c.answer.contains("One interval") && !c.answer.contains("2024-03-21"), "{}", c.answer);
    }
    // Of the same days an hour that makes the change is named.
    let c = compare(&days(0, 96, |_| 1.0), &four, &CompareOptions::default()).unwrap();
    assert!(c.answer.contains("2024-03-21 18:00:00"), "{}", c.answer);
}

/// Hours of a database from 4 March 2024 on: DB time of each, by its own number of them.
fn of_database(name: &str, hours: std::ops::Range<u32>, db: f64) -> Vec<Digest> {
    hours
        .map(|h| {
            let report = named(Hour::new(db).cpu(db / 2.0).foreground("log file sync", 9e4, db / 9.0), "x");
            digest(report.with(|r| {
                let at = |h: u32| format!("2024-03-{:02}T{:02}:00:00", 4 + h / 24, h % 24);
                (r.identity.begin_time, r.identity.end_time) = (Some(at(h)), Some(at(h + 1)));
                r.identity.db_name = Some(name.to_owned());
                r.identity.instance_number = Some(1);
                r.identity.source = format!("{name}-{h}");
            }))
        })
        .collect()
}

fn held(before: &[Vec<Digest>], after: &[Vec<Digest>]) -> Comparison {
    compare(&before.concat(), &after.concat(), &CompareOptions::default()).unwrap()
}

#[test]
fn a_database_that_was_not_given_after_made_a_real_change_of_another() {
    let (shop, till) = (|h| of_database("SHOP", h, 15_120.0), |h| of_database("TILL", h, 22_320.0));
    let c = held(&[shop(0..24), till(0..24)], &[shop(168..192)]);
    // 4.2 and 6.2 s/s at the same time.
    assert_eq!(c.before.identity.elapsed_s, Some(86_400.0));
    assert_eq!((c.before.intervals, c.before.reports), (24, 48));
    let rate = c.metrics.iter().find(|m| m.name == "DB time a second").unwrap();
    assert!((rate.before.unwrap() - 10.4).abs() < 1e-9 && (rate.after.unwrap() - 4.2).abs() < 1e-9);
    assert!(
        c.warnings[0].starts_with("DIFFERENT DATABASES: TILL before alone, SHOP on both sides."),
        "{:?}",
        c.warnings
    );
    assert!(c.two_databases && c.tests.is_empty(), "{:?}", c.tests);
    assert_eq!((c.before.identity.db_name.as_deref(), c.before.databases.len()), (None, 2));
    let said = format!("{} {}", c.answer, c.says.join(" "));
    for verdict in ["improved", "got worse", "is real", "gain", "loss", " fell ", " rose "] {
        assert!(!said.contains(verdict), "{verdict}: {said}");
    }
    assert!(said.contains("SHOP has on both sides: 4.2 s/s before, 4.2 s/s after"), "{said}");
    // Swapped, it is the other one.
    let c = held(&[shop(168..192)], &[shop(0..24), till(0..24)]);
    assert!(c.warnings[0].contains("TILL after alone"), "{:?}", c.warnings);
    assert!(!c.warnings.iter().any(|w| w.contains("what is said to rise")), "{:?}", c.warnings);
}

#[test]
fn databases_at_one_time_were_averaged_and_those_of_both_sides_were_not_tested_together() {
    let side = |from: u32, to: u32, times: f64| {
        let wave = |h: u32| 1_000.0 * times * (1.0 + 0.01 * f64::from(h * 7 % 5));
        let of = |name: &'static str, part: f64| {
            (from..to).flat_map(move |h| of_database(name, h..h + 1, part * wave(h)))
        };
        [of("SHOP", 1.0).collect::<Vec<_>>(), of("TILL", 3.0).collect()]
    };
    let c = held(&side(0, 24, 1.0), &side(168, 192, 1.3));
    let test = &c.tests[0];
    assert!(!c.two_databases && test.verdict == Outcome::Rose, "{:?}", c.tests);
    assert!(test.intervals == (24, 24) && (test.before - 4.08 / 3.6).abs() < 1e-9, "{test:?}");
    assert!(
        c.warnings[0].starts_with("2 databases before (SHOP, TILL): what they did at one time"),
        "{:?}",
        c.warnings
    );
    assert!(c.answer.starts_with("DB time rose by"), "{}", c.answer);
    // A day and four hours of the other: what the missing twenty did is in no sum.
    let [shop, till] = side(168, 192, 1.0);
    let c = held(&side(0, 24, 1.0), &[shop, till[..4].to_vec()]);
    assert!(
        c.warnings[0]
            .contains("at different times: TILL has reports of 100 % of the time before, of 17 % after"),
        "{:?}",
        c.warnings
    );
    assert!(c.two_databases && c.tests.is_empty() && c.answer.contains("differs"), "{}", c.answer);
}

#[test]
fn databases_that_never_ran_together_were_tested_as_one_series() {
    let c = held(
        &[of_database("SHOP", 0..12, 900.0), of_database("TILL", 12..24, 1_800.0)],
        &[of_database("SHOP", 168..180, 900.0), of_database("TILL", 180..192, 1_800.0)],
    );
    assert_eq!(c.before.identity.elapsed_s, Some(86_400.0));
    assert!(c.tests.is_empty() && !c.two_databases, "{:?}", c.tests);
    let said = |part: &str| c.warnings.iter().any(|w| w.contains(part));
    assert!(said("SHOP has reports of 50 % of it") && said("nothing is tested"), "{:?}", c.warnings);
}

#[test]
fn releases_between_which_nothing_is_mapped_had_their_renamed_events_mapped() {
    let of = |release: &str, event: &str| {
        let hour = Hour::new(1_000.0).foreground(event, 100.0, 100.0);
        hour.with(|r| r.identity.version = Some(release.to_owned()))
    };
    let said = |c: &Comparison| c.warnings.iter().find(|w| w.starts_with("Release")).cloned().unwrap();
    let c = compared(of("11.2.0.3.0", "log file sync"), of("12.1.0.2.0", "log file sync"));
    assert!(said(&c).contains("no event is mapped"), "{}", said(&c));
    let c = compared(of("9.2.0.8.0", "enqueue"), of("11.2.0.3.0", "enq: TX - row lock contention"));
    assert!(said(&c).contains("events that were renamed are mapped"), "{}", said(&c));
}

#[test]
fn a_figure_that_one_side_does_not_print_was_not_the_same() {
    let c = compared(Hour::new(100.0).cpu(40.0), Hour::new(100.0));
    assert_eq!(
        c.answer,
        "DB time and the parts of it that both sides print are the same on both sides. Not printed after, so unknown there: DB CPU."
    );
    let reads = |n: f64| Hour::new(100.0).cpu(40.0).stat("physical read total IO requests", n);
    let c = compared(reads(3_600.0).stat("user commits", 50.0), reads(7_200.0));
    assert!(c.answer.contains("other figures are not: read requests a second +100 %."), "{}", c.answer);
    assert!(!c.answer.contains("other figures are not: user"), "{}", c.answer);
}

#[test]
fn other_files_of_one_interval_were_the_same_report() {
    let hour = |source: &str| {
        let one = Hour::new(100.0).cpu(40.0).with(|r| {
            r.identity.begin_time = Some("2024-03-01T10:00:00".to_owned());
            r.identity.end_time = Some("2024-03-01T11:00:00".to_owned());
        });
        digest(named(one, source))
    };
    let said = |b: &str, a: &str| compare(&[hour(b)], &[hour(a)], &CompareOptions::default()).unwrap().answer;
    assert_eq!(
        said("a", "b"),
        "Nothing changed: both sides are the same interval, and the figures used are the same."
    );
    assert_eq!(said("a", "a"), "Nothing changed: both sides are the same report.");
}

#[test]
fn the_last_digits_of_a_counter_were_a_fall_of_cpu() {
    let hour =
        |cpu: f64, sync: f64| Hour::new(1_000.0 + sync).cpu(cpu).foreground("log file sync", 1e4, sync);
    let c = compared(hour(500.0, 100.0), hour(500.0 - 2e-5, 300.0));
    assert!(c.answer.contains("CPU is much the same on both sides"), "{}", c.answer);
    // What is little of CPU may be much of the change.
    let c = compared(hour(500.0, 10.0), hour(499.6, 9.8).with(|r| r.identity.elapsed_s = Some(3_600.0)));
    assert!(!c.answer.contains("much the same on both sides"), "{}", c.answer);
}

#[test]
fn two_weekends_were_twelve_changes_of_level() {
    let series = two_weeks(1.0, u32::MAX, 1.0);
    let t = trend(&series).unwrap();
    assert!(!t.change_points.is_empty());
    assert!(t.change_points.iter().all(|c| c.weekend.is_some()), "{:?}", t.change_points);
    assert!(t.answer.starts_with("No change of level but by weekends is shown over 336"), "{}", t.answer);
    assert!(t.answer.contains("likely and not certain"), "{}", t.answer);
    // What changes on a Wednesday is named first, and no weekend is the largest change.
    let t = trend(&two_weeks(1.0, 9 * 24 + 10, 2.5)).unwrap();
    assert!(t.answer.contains("at 2024-03-13"), "{}", t.answer);
    // A week that ends on Sunday does not show whether the level comes back.
    let t = trend(&series[..7 * 24]).unwrap();
    assert!(
        t.answer.contains("whether that is the weekend or a change that stays cannot be told"),
        "{}",
        t.answer
    );
    // One that comes back on Monday to twice of what it was is no weekend alone.
    let t = trend(&two_weeks(1.0, 7 * 24, 2.0)).unwrap();
    assert!(!t.answer.starts_with("No change of level but by weekends"), "{}", t.answer);
}

/// Hours from a Monday at midnight, a step of 1.8 of DB time at one, and a parameter with another value from one on.
fn with_parameter(hours: u32, step: u32, parameter: u32) -> Vec<Digest> {
    (0..hours)
        .map(|h| {
            let db = (1_000.0 + f64::from(h * 37 % 23)) * if h < step { 1.0 } else { 1.8 };
            let at = |h: u32| format!("2024-03-{:02}T{:02}:00:00", 4 + h / 24, h % 24);
            let value = if h < parameter { "1073741824" } else { "2147483648" };
            digest(named(Hour::new(db).parameter("sga_target", value), "x").with(|r| {
                r.identity.begin_time = Some(at(h));
                r.identity.end_time = Some(at(h + 1));
                r.identity.source = h.to_string();
            }))
        })
        .collect()
}

#[test]
fn a_parameter_that_changed_a_day_later_was_what_changed_there() {
    let of_db_time = |parameter: u32| -> (String, ChangePoint) {
        let t = trend(&with_parameter(144, 70, parameter)).unwrap();
        let found = t.change_points.into_iter().find(|c| c.metric == "DB time a second").unwrap();
        assert_eq!(found.interval, 70);
        (t.answer, found)
    };
    // Within the interval before the cut its end has the new value already.
    for there in [69, 70] {
        let (answer, found) = of_db_time(there);
        assert!(answer.contains("What else changed there: sga_target"), "{answer}");
        let values = found.changed.iter().map(|c| (c.before.as_deref(), c.after.as_deref()));
        assert!(values.eq([(Some("1073741824"), Some("2147483648"))]), "{found:?}");
        assert!(found.elsewhen.is_empty(), "{found:?}");
    }
    for (other, said, seconds) in [
        (100, "sga_target changed 30 h later (2024-03-08 04:00:00)", 108_000),
        (45, "sga_target changed 25 h earlier (2024-03-05 21:00:00)", -90_000),
        (71, "sga_target changed 60 min later (2024-03-06 23:00:00)", 3_600),
    ] {
        let (answer, found) = of_db_time(other);
        assert!(found.changed.is_empty() && !answer.contains("What else changed there"), "{answer}");
        assert!(answer.contains(said), "{answer}");
        assert_eq!(found.elsewhen.len(), 1);
        assert_eq!(found.elsewhen[0].later_s, Some(seconds));
        assert_eq!(found.elsewhen[0].before.as_deref(), Some("1073741824"));
    }
}

#[test]
fn a_statement_of_the_night_had_changed_its_plan_at_noon() {
    // It runs at four in the morning: by which plan it would have run at the cut nobody knows.
    let series = |every: u32| -> Vec<Digest> {
        (0..144_u32)
            .map(|h| {
                let mut digest = with_parameter(h + 1, 70, u32::MAX).pop().unwrap();
                let mut hour = Hour::new(1.0);
                hour.report.tables.sql_stat.push(SqlStat {
                    sql_id: Some("0sxhgj3275kn0".into()),
                    plan_hash: Some(if h < 70 { 3_393_287_584 } else { 1_237_068_918 }),
                    elapsed_s: Some(10.0),
                    executions: Some(3.0),
                    ..SqlStat::default()
                });
                if h % every == 4 % every {
                    digest.statements = Digest::of(&hour.report).statements;
                }
                digest
            })
            .collect()
    };
    let found = |every: u32| {
        let t = trend(&series(every)).unwrap();
        t.change_points.into_iter().find(|c| c.metric == "DB time a second").unwrap()
    };
    let of_night = found(24);
    assert!(of_night.plans.is_empty(), "{of_night:?}");
    let when = of_night.elsewhen.iter().map(Elsewhen::said).collect::<Vec<_>>().join("; ");
    assert!(when.contains("between 2024-03-06 04:00:00 and 2024-03-07 04:00:00"), "{when}");
    let of_all_day = found(1);
    assert_eq!(of_all_day.plans.len(), 1, "{of_all_day:?}");
    assert!(of_all_day.elsewhen.is_empty(), "{of_all_day:?}");
}

#[test]
fn a_latency_at_p_of_three_in_a_hundred_changed_for_certain() {
    let at = |day: u32, hour: u32, ms: f64| {
        let waits = 10_000.0 + f64::from(hour * 7 % 5);
        digest(
            named(Hour::new(3_600.0).foreground("db file sequential read", waits, waits * ms / 1e3), "x")
                .with(|r| {
                    r.identity.begin_time = Some(format!("2024-03-{day:02}T{hour:02}:00:00"));
                    r.identity.end_time = Some(format!("2024-03-{day:02}T{:02}:00:00", hour + 1));
                    r.identity.source = format!("{day}-{hour}");
                }),
        )
    };
    // Hours apart, so that their likeness is not measured.
    let side = |day: u32, ms: [f64; 6]| -> Vec<Digest> {
        ms.iter().zip([0, 2, 5, 9, 14, 20]).map(|(ms, hour)| at(day, hour, *ms)).collect()
    };
    let c = compare(
        &side(4, [3.5, 3.4, 3.6, 3.3, 3.5, 3.55]),
        &side(11, [2.9, 3.0, 2.8, 3.1, 2.95, 2.9]),
        &CompareOptions::default(),
    )
    .unwrap();
    let said = c.says.join(" ");
    assert!(!said.contains("for certain"), "{said}");
    for part in [
        "The latency of single-block reads changed: median of the intervals",
        "ms less (0.",
        "at 9",
        "p = 0.0",
        "over 6 and 6 intervals, taken as independent: too few to see how alike they are",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
}

#[test]
fn a_step_on_a_monday_made_changes_of_the_weekend_before_it() {
    let changes = |from: u32, times: f64| {
        let t = trend(&two_weeks(1.0, from, times)).unwrap();
        let own: Vec<(usize, f64)> = t
            .change_points
            .iter()
            .filter(|c| c.metric == "DB time a second" && c.weekend.is_none())
            .map(|c| (c.interval, c.ratio.unwrap()))
            .collect();
        (t, own)
    };
    // On the Monday, on the Saturday, on the Sunday morning and amid the week.
    for from in [7 * 24, 5 * 24, 6 * 24 + 6, 9 * 24 + 10, 3 * 24 + 12] {
        let (t, own) = changes(from, 1.5);
        assert!(
            matches!(own.as_slice(), [(at, ratio)] if at.abs_diff(from as usize) <= 2 && (ratio - 1.5).abs() < 0.05),
            "{from}: {own:?}"
        );
        assert!(
            t.answer.starts_with(&format!("{} change", if own.len() == 1 { 2 } else { 1 })),
            "{}",
            t.answer
        );
        assert!(
            !t.answer.contains("does not show both of its ends"),
            "the series holds both weekends: {}",
            t.answer
        );
    }
}

#[test]
fn noon_of_a_monday_was_part_of_a_weekend() {
    // A Monday alone, or from a Monday on: no minute of it is a weekend's.
    let t = trend(&two_weeks(1.0, 12, 3.0)[..24]).unwrap();
    assert!(!t.change_points.is_empty());
    assert!(t.change_points.iter().all(|c| c.weekend.is_none()), "{:?}", t.change_points);
    assert!(!t.answer.contains("weekend"), "{}", t.answer);
}

#[test]
fn no_change_was_shown_without_what_may_be_missed() {
    let series = |hours: usize| trend(&two_weeks(1.0, u32::MAX, 1.0)[..hours]).unwrap().answer;
    let said = series(48);
    assert!(said.starts_with("No change of level is shown") && said.contains("may be missed"), "{said}");
    assert!(!series(96).contains("may be missed"));
}

/// "A change so small is within rounding" was said of 2,113.89 and 2,127.24 s, which are rounded to hundredths.
#[test]
fn a_change_beyond_rounding_was_within_it() {
    let hour = |db_time_s: f64, half: f64| {
        Hour::new(db_time_s).cpu(1_000.0).with(|r| {
            r.identity.elapsed_s = Some(300.0);
            for row in &mut r.tables.time_model {
                (row.time_s_low, row.time_s_high) =
                    (row.time_s.map(|s| s - half), row.time_s.map(|s| s + half));
            }
        })
    };
    let c = compared(hour(2_113.89, 0.005), hour(2_127.24, 0.005));
    let said = c.says.join(" ");
    assert!(!said.contains("within rounding") && said.contains("known to the second"), "{said}");
    let c = compared(hour(2_113.89, 20.0), hour(2_127.24, 20.0));
    assert!(c.says.join(" ").contains("a change so small is within rounding"), "{:?}", c.says);
    assert!(c.answer.contains("(-1.3 to +2.5 %)"), "{}", c.answer);
}

/// The heads of some compare-period reports print no name, and the same identifier twice.
#[test]
fn one_identifier_on_both_sides_did_not_tell_that_both_are_one_database() {
    let hour = |source: &str, id: Option<u64>| {
        digest(Hour::new(100.0).cpu(50.0).with(|r| {
            r.identity.source = source.to_owned();
            (r.identity.db_name, r.identity.db_id) = (None, id);
        }))
    };
    let warned = |b: Option<u64>, a: Option<u64>| {
        compare(&[hour("b", b)], &[hour("a", a)], &CompareOptions::default()).unwrap().warnings.join(" ")
    };
    assert!(!warned(Some(909_607_496), Some(909_607_496)).contains("one database"));
    assert!(warned(Some(909_607_496), None).contains("Nothing tells whether both sides are of one database"));
    assert!(warned(Some(909_607_496), Some(7)).contains("DIFFERENT DATABASES"));
}
