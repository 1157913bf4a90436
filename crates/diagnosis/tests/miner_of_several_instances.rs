//! AWR-miner files of several instances: rates stand by instance, waits by class of the whole database.
#![allow(clippy::unwrap_used)]

use spindle_diagnosis::{Diagnosis, Options, diagnose};
use spindle_facts::Report;

const RULE: &str = "---------- ---------- -------------- ---------- ---------- ----------";

/// A file of a database of so many instances: rows of its metrics (length, instance, sessions) and its classes.
fn file(instances: u32, metrics: &[(u32, u32, f64)], classes: &[(&str, f64)]) -> Vec<Report> {
    spindle_evidence::read("miner", text(instances, metrics, classes).as_bytes()).reports
}

fn text(instances: u32, metrics: &[(u32, u32, f64)], classes: &[(&str, f64)]) -> String {
    let row = |name: &str, value: &str| format!("{name:<60} {value}\n");
    let mut text = format!("~~BEGIN-OS-INFORMATION~~\n{}", row("STAT_NAME", "STAT_VALUE"));
    text += &format!("{0} {0}\n", "-".repeat(60));
    text += &(row("VERSION", "11.2.0.3.0") + &row("DB_NAME", "SHOP") + &row("DBID", "7"));
    text += &(row("INSTANCES", &instances.to_string()) + "~~END-OS-INFORMATION~~\n\n");
    text +=
        "~~BEGIN-MAIN-METRICS~~\n\n      snap      dur_m end                  inst  cpu_per_s        aas\n";
    text += &format!("{RULE}\n");
    for (minutes, instance, sessions) in metrics {
        text +=
            &format!("{:>10} {minutes:>10} 13/12/02 08:59 {instance:>10} {:>10} {sessions:>10}\n", 9, 0.5);
    }
    text += "~~END-MAIN-METRICS~~\n\n~~BEGIN-AVERAGE-ACTIVE-SESSIONS~~\n\n";
    text += "   SNAP_ID WAIT_CLASS             AVG_SESS\n---------- -------------------- ----------\n";
    for (class, sessions) in classes {
        text += &format!("{:>10} {class:<20} {sessions:>10}\n", 9);
    }
    text + "~~END-AVERAGE-ACTIVE-SESSIONS~~\n"
}

/// The block of histograms: event, upper bound in ms, waits.
fn histograms(rows: &[(&str, u32, f64)]) -> String {
    let mut text = "\n~~BEGIN-IO-WAIT-HISTOGRAM~~\n\n".to_owned();
    text +=
        "   SNAP_ID WAIT_CLASS           EVENT_NAME                            WAIT_TIME_MILLI WAIT_COUNT\n";
    text +=
        "---------- -------------------- ------------------------------------- --------------- ----------\n";
    for (event, bound, waits) in rows {
        text += &format!("{:>10} {:<20} {event:<37} {bound:>15} {waits:>10}\n", 9, "User I/O");
    }
    text + "~~END-IO-WAIT-HISTOGRAM~~\n"
}

/// The histograms were read and stood in no answer: 100 ms a log write was `Storage is not the problem`.
#[test]
fn slow_storage_that_only_histograms_show_was_acquitted() {
    let classes = [("Configuration", 60.0), ("Commit", 12.0), ("User I/O", 18.0), ("DB CPU", 10.0)];
    let plain = text(1, &[(60, 1, 100.0)], &classes);
    let shown = [
        ("db file sequential read", 32, 2_500_000.0),
        ("db file sequential read", 64, 300_000.0),
        ("log file parallel write", 128, 20_000.0),
        ("log file sync", 1024, 50_000.0),
    ];
    let reports = spindle_evidence::read("miner", (plain.clone() + &histograms(&shown)).as_bytes()).reports;
    let (_, said) = of(&reports, Some(1));
    assert_ne!(said.storage_is_the_problem, Some(false), "{}", said.answer);
    let found: Vec<_> = said.findings.iter().map(|f| f.rule).collect();
    assert!(found.contains(&"slow_single_block_reads") && found.contains(&"slow_redo_writes"), "{found:?}");
    let reads = said.findings.iter().find(|f| f.rule == "slow_single_block_reads").unwrap();
    assert!(reads.caveat.contains("its time is estimated, and lies between"), "{}", reads.caveat);
    // Between the bounds of the buckets, and no more than sessions waited.
    assert!((49_600.0..=18.01 * 3_660.0).contains(&reads.impact_s), "{}", reads.impact_s);
    let events: Vec<&str> = said.latency.iter().map(|l| l.event.as_str()).collect();
    assert!(events.contains(&"db file sequential read") && events.contains(&"log file sync"), "{events:?}");
    // Fast ones acquit it.
    let fast = [
        ("db file sequential read", 1, 2_500_000.0),
        ("log file parallel write", 1, 20_000.0),
        ("log file sync", 2, 50_000.0),
    ];
    let reports = spindle_evidence::read("miner", (plain + &histograms(&fast)).as_bytes()).reports;
    let (_, said) = of(&reports, Some(1));
    assert!(said.findings.iter().all(|f| !f.rule.starts_with("slow_")), "{:?}", said.findings);
}

/// What is said of the whole database (`None`) or an instance.
fn of(reports: &[Report], instance: Option<u32>) -> (&Report, Diagnosis) {
    let report = reports.iter().find(|r| r.identity.instance_number == instance).unwrap();
    (report, diagnose(report, &Options::default()))
}

#[test]
fn an_instance_beside_printed_classes_had_no_waits_read() {
    let classes = [("Cluster", 795.6), ("Concurrency", 1096.8), ("DB CPU", 22.7), ("User I/O", 14.4)];
    let reports = file(3, &[(1, 1, 0.3), (1, 2, 14.0), (2, 3, 1525.9)], &classes);
    let (_, said) = of(&reports, Some(3));
    assert!(!said.answer.contains("no waits were read"), "{}", said.answer);
    assert!(
        said.answer.contains("Concurrency 1,097, Cluster 796, CPU 22.7, User I/O 14.4"),
        "{}",
        said.answer
    );
    assert_eq!(said.storage_is_the_problem, Some(false), "{}", said.answer);
    // 14.4 sessions may all be those of the second.
    let (_, said) = of(&reports, Some(2));
    assert_eq!(said.storage_is_the_problem, None, "{}", said.answer);
    assert!(said.answer.contains("of this instance cannot be told"), "{}", said.answer);
}

#[test]
fn classes_of_less_than_was_active_acquitted_an_instance() {
    let reports = file(2, &[(60, 1, 20.0), (60, 2, 2.8)], &[("DB CPU", 1.4), ("User I/O", 0.03)]);
    let (_, said) = of(&reports, Some(1));
    assert_eq!(said.storage_is_the_problem, None);
    assert!(said.answer.contains("hold 1.43 of the 22.8 average active sessions"), "{}", said.answer);
}

#[test]
fn db_time_of_a_database_whose_instances_all_print_it_was_not_printed() {
    let metrics = [(60, 1, 11.9), (60, 2, 7.9), (60, 3, 0.2), (60, 4, 6.4)];
    let classes = [("DB CPU", 8.9), ("Other", 0.2), ("User I/O", 16.8)];
    let reports = file(4, &metrics, &classes);
    let (_, said) = of(&reports, None);
    let side = &said.response_time.foreground;
    assert!((side.db_time_s.unwrap() - 26.4 * 3600.0).abs() < 1.0, "{:?}", side.db_time_s);
    assert!(said.answer.contains("64 %") && said.answer.contains("by wait class"), "{}", said.answer);
    let waits = said.findings.iter().find(|f| f.rule == "other_waits").unwrap();
    assert!((waits.impact_s - 16.8 * 3600.0).abs() < 1.0, "{}", waits.impact_s);
    // One that lacks is not none: what classes say of all of them stands for it.
    let reports = file(4, &metrics[..3], &classes);
    let side = of(&reports, None).1.response_time.foreground;
    assert_eq!(side.db_time_from, Some("CPU and waits by class"));
    assert!((side.db_time_s.unwrap() - 25.9 * 3600.0).abs() < 1.0, "{:?}", side.db_time_s);
}

#[test]
fn a_snapshot_lasted_as_long_as_its_idlest_instance() {
    let reports = file(2, &[(2, 1, 100.0), (1, 2, 0.0)], &[("DB CPU", 10.0), ("User I/O", 90.0)]);
    let (report, _) = of(&reports, None);
    assert_eq!(report.identity.elapsed_s, Some(120.0));
    let reads = report.tables.wait_class.iter().find(|c| c.wait_class == "User I/O").unwrap();
    assert!((reads.time_s.unwrap() - 90.0 * 120.0).abs() < 1.0);
    assert!(reads.time_s_low.unwrap() <= 90.0 * 60.0 && reads.time_s_high.unwrap() >= 90.0 * 120.0);
}
