//! What must hold for every real report, whatever it says.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use spindle_diagnosis::{Diagnosis, Options, ResponseSide, diagnose, series};
use spindle_facts::{Interval, Report};
use spindle_test_support::corpus;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_report_is_diagnosed_within_its_db_time() {
    let Some(corpus) = corpus() else {
        return;
    };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let mut diagnosed: Vec<(Report, Diagnosis)> = Vec::new();
    for path in &paths {
        let source = path.strip_prefix(&corpus).unwrap().display().to_string();
        for report in spindle_evidence::read(&source, &std::fs::read(path).unwrap()).reports {
            let diagnosis = diagnose(&report, &Options::default());
            check(&source, &report, &diagnosis);
            diagnosed.push((report, diagnosis));
        }
    }
    assert!(diagnosed.len() >= 80, "only {} reports were read", diagnosed.len());
    let with_time = diagnosed.iter().filter(|(_, d)| d.response_time.foreground.db_time_s.is_some()).count();
    assert!(2 * with_time > diagnosed.len(), "DB time in {with_time} of {} reports", diagnosed.len());

    let pairs: Vec<(&Report, &Diagnosis)> = diagnosed.iter().map(|(r, d)| (r, d)).collect();
    let series = series(&pairs);
    assert!(series.rows.iter().any(|r| r.is_peak));
    for row in &series.rows {
        assert!(!row.sources.is_empty());
        assert!(row.average_active_sessions.is_none_or(|a| a >= 0.0 && a.is_finite()), "{row:?}");
    }
}

fn check(source: &str, report: &Report, diagnosis: &Diagnosis) {
    let side = &diagnosis.response_time.foreground;
    assert!(!diagnosis.answer.is_empty(), "{source}");
    assert_whole(source, side);
    assert_bounds(source, diagnosis);

    let impacts: f64 = diagnosis.findings.iter().map(|f| f.impact_s).sum();
    if let Some(db_time_s) = side.db_time_s {
        assert!(impacts <= db_time_s * (1.0 + 1e-9) + 1e-9, "{source}: {impacts} s of {db_time_s} s");
    }
    for finding in &diagnosis.findings {
        assert!(finding.impact_s >= 0.0 && finding.impact_s.is_finite(), "{source}: {finding:?}");
        assert!(finding.touches_s >= finding.impact_s - 1e-6, "{source}: {finding:?}");
        for evidence in &finding.evidence {
            let of_section = report.sections.iter().any(|s| s.title == evidence.section);
            assert!(of_section || evidence.table == "report", "{source}: {evidence:?}");
        }
    }
    let rules = spindle_diagnosis::rules::ALL.len();
    let heard = diagnosis.findings.len() + diagnosis.not_found.len() + diagnosis.cannot_tell.len();
    assert_eq!(heard, rules, "{source}: every rule answers once");
}

/// CPU, waits and the rest are DB time; the events of a class are the class.
fn assert_whole(source: &str, side: &ResponseSide) {
    let classes: f64 = side.classes.iter().map(|c| c.time_s).sum();
    if let Some(db_time_s) = side.db_time_s {
        let sum = classes + side.cpu_s.unwrap_or(0.0) + side.unexplained_s.unwrap();
        assert!((sum - db_time_s).abs() < 1e-6 * db_time_s.max(1.0), "{source}: {sum} s of {db_time_s} s");
    }
    for class in &side.classes {
        let events: f64 = class.events.iter().map(|e| e.counted_s).sum();
        // Where waits are printed by class alone, a class has no events, or those of histograms, and others beside.
        let estimated = class.events.iter().all(|e| e.avg_us.is_none());
        let lacks = class.time_s - events;
        assert!(
            class.events.is_empty() || lacks.abs() < 1e-6 * class.time_s.max(1.0) || estimated && lacks > 0.0,
            "{source}: {class:?}"
        );
        assert_ne!(class.wait_class, "Idle", "{source}");
    }
}

fn assert_bounds(source: &str, diagnosis: &Diagnosis) {
    let ordered = |i: Option<Interval>| {
        if let Some(i) = i {
            assert!(i.low <= i.high && i.low >= 0.0, "{source}: {i:?}");
        }
        i.unwrap_or(Interval::exact(0.0))
    };
    for latency in &diagnosis.latency {
        let (p50, p90, p99) = (ordered(latency.p50_us), ordered(latency.p90_us), ordered(latency.p99_us));
        assert!(p50.low <= p90.low && p90.low <= p99.low, "{source}: {latency:?}");
        assert!(p50.high <= p90.high && p90.high <= p99.high, "{source}: {latency:?}");
    }
    for account in &diagnosis.accounts {
        for value in &account.by {
            ordered(Some(value.bounds));
        }
        assert_eq!(account.agree, account.by.iter().all(|v| v.agrees), "{source}: {account:?}");
    }
    ordered(diagnosis.commit.explained_us);
    let c = &diagnosis.concentration;
    for pct in [c.unseen_sql_pct, c.unseen_segment_pct].into_iter().flatten() {
        assert!((0.0..=100.0).contains(&pct), "{source}: {c:?}");
    }
}
