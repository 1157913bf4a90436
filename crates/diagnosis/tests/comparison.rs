//! What must hold for every comparison: it adds up, swapping the sides flips every sign, a report with
//! itself finds nothing; and what is said of the published move of redo to flash.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use proptest::prelude::*;
use spindle_diagnosis::comparison::{
    CompareOptions, Comparison, Digest, Per, Trend, compare, complete, periods, trend,
};
use spindle_facts::{Identity, InstanceStat, Kind, Layout, Report};
use spindle_test_support::{Release, cases, corpus, generate};
use std::path::{Path, PathBuf};

fn assert_adds_up(c: &Comparison) {
    let (Some(delta), Some(rest)) = (c.db_time_delta_s, c.unexplained_s) else { return };
    let steps: f64 = c.waterfall.iter().map(|s| s.delta_s).sum();
    let size: f64 = c.waterfall.iter().map(|s| s.delta_s.abs()).sum::<f64>() + delta.value.abs() + rest.abs();
    assert!((steps + rest - delta.value).abs() <= 1e-9 * size + 1e-12, "{} of {}", steps + rest, delta.value);
    for s in &c.waterfall {
        let slack = 1e-9 * size;
        assert!(s.low_s <= s.delta_s + slack && s.delta_s <= s.high_s + slack, "{s:?}");
        assert!(s.delta_s.is_finite(), "{s:?}");
    }
}

fn assert_flipped(there: &Comparison, back: &Comparison) {
    assert_eq!(there.waterfall.len(), back.waterfall.len());
    let size: f64 = there.waterfall.iter().map(|s| s.delta_s.abs()).sum();
    for s in &there.waterfall {
        let other = back.waterfall.iter().filter(|o| o.of == s.of);
        let nearest = other.map(|o| (o.delta_s + s.delta_s).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest <= 1e-9 * (size + 1.0), "{s:?} has no opposite in {:?}", back.waterfall);
    }
    match (there.unexplained_s, back.unexplained_s) {
        (Some(a), Some(b)) => assert!((a + b).abs() <= 1e-9 * (size + a.abs() + 1.0), "{a} and {b}"),
        (a, b) => assert_eq!(a.is_some(), b.is_some()),
    }
    for (there, back) in there.tests.iter().zip(&back.tests) {
        assert!(
            (there.effect + back.effect).abs() <= 1e-9 * (there.effect.abs() + 1.0) || there.effect.is_nan()
        );
        assert_eq!(
            there.verdict == spindle_diagnosis::comparison::Outcome::NotShown,
            back.verdict == spindle_diagnosis::comparison::Outcome::NotShown
        );
    }
}

fn assert_finds_nothing(c: &Comparison) {
    assert!(c.waterfall.is_empty(), "{:?}", c.waterfall);
    assert!(c.unexplained_s.is_none_or(|s| s == 0.0));
    assert!(c.changed.is_empty() && c.changed_parameters.is_empty() && c.statements.is_empty());
    assert!(c.metrics.iter().all(|m| m.before == m.after), "{:?}", c.metrics);
    assert!(c.latency.iter().all(|l| l.before == l.after));
    if c.db_time_delta_s.is_some() {
        assert!(c.answer.starts_with("Nothing changed"), "{}", c.answer);
    }
}

fn held(before: &Report, after: &Report, per: Per) {
    let (b, a) = (Digest::of(before), Digest::of(after));
    let options = CompareOptions { per };
    let there = compare(std::slice::from_ref(&b), std::slice::from_ref(&a), &options);
    let back = compare(std::slice::from_ref(&a), std::slice::from_ref(&b), &options);
    match (there, back) {
        (Ok(there), Ok(back)) => {
            assert_adds_up(&there);
            assert_adds_up(&back);
            assert_flipped(&there, &back);
        }
        (there, back) => assert_eq!(there.is_err(), back.is_err()),
    }
    if let Ok(same) = compare(std::slice::from_ref(&b), std::slice::from_ref(&b), &options) {
        assert_finds_nothing(&same);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_reports_add_up_and_swap(b in generate::awr(Release::V11_2_0_3), a in generate::awr(Release::V19)) {
        for per in [Per::Auto, Per::Time, Per::Transaction] {
            held(&b, &a, per);
        }
    }

    #[test]
    fn statspack_against_awr_adds_up_and_swaps(b in generate::statspack(Release::V11_2_0_3), a in generate::awr(Release::V11_2_0_3)) {
        held(&b, &a, Per::Auto);
    }
}

#[test]
fn the_move_of_redo_to_flash_is_told_as_it_was() {
    let (b, a) = (Digest::of(&cases::redo_on_sas()), Digest::of(&cases::redo_on_ssd()));
    let c = compare(&[b], &[a], &CompareOptions::default()).unwrap();
    assert_adds_up(&c);
    let said = format!("{} {}", c.answer, c.says.join(" "));
    for part in [
        "DB time fell by 8,261 s (28.1 %)",
        "log file sync makes 2,389 s of that (28.9 %)",
        "CPU rose by 2,8",
        "other waits fell by 8,9",
        "what neither explains rose by 190 s",
        "Commits improved: log file sync took 68 ms before, 10.4 ms after, though there were 26 % more",
        "over 32 ms: 6.7 % before, 1.1 % after; its tail is the cause of what log writes explain of the commits, 7.4 % to all",
        "Not all of the gain is faster storage",
        "physical reads fell 24 %",
        "one does other work than before: redo bytes -35 %",
    ] {
        assert!(said.contains(part), "{part}\nis not in\n{said}");
    }
    assert_eq!(c.normalised_by, "interval");
    let sync: f64 = c.waterfall.iter().filter(|s| s.of == "log file sync").map(|s| s.delta_s).sum();
    assert!((sync + 2389.0).abs() < 1e-6, "{sync}");
}

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
fn real_reports_compare_with_their_neighbours_and_with_themselves() {
    let Some(corpus) = corpus() else { return };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let mut reports: Vec<Report> = Vec::new();
    for path in &paths {
        let source = path.strip_prefix(&corpus).unwrap().display().to_string();
        // A few of many intervals of one file say what all of them would.
        reports.extend(
            spindle_evidence::read(&source, &std::fs::read(path).unwrap()).reports.into_iter().take(3),
        );
    }
    let digests: Vec<Digest> = reports.iter().map(Digest::of).collect();
    let (mut compared, mut explained) = (0, 0);
    for pair in digests.windows(2) {
        let (b, a) = (&pair[..1], &pair[1..]);
        let options = CompareOptions::default();
        let (there, back) = (compare(b, a, &options), compare(a, b, &options));
        if let (Ok(there), Ok(back)) = (&there, &back) {
            compared += 1;
            explained += usize::from(there.unexplained_s.is_some());
            assert_adds_up(there);
            assert_flipped(there, back);
        }
        if let Ok(same) = compare(b, b, &options) {
            assert_finds_nothing(&same);
        }
    }
    eprintln!("{compared} pairs compared, {explained} with DB time on both sides");
    assert!(compared >= 80 && explained >= 60, "{compared} compared, {explained} explained");
}

#[test]
fn one_compare_period_report_holds_both_sides() {
    let Some(corpus) = corpus() else { return };
    let mut paths = Vec::new();
    files(&corpus.join("awr-diff"), &mut paths);
    for path in paths {
        let read = spindle_evidence::read("diff", &std::fs::read(&path).unwrap());
        let (b, a) = periods(read.reports.iter().map(Digest::of).collect()).unwrap();
        let c = compare(&b, &a, &CompareOptions::default()).unwrap();
        assert_adds_up(&c);
        assert!(c.db_time_delta_s.is_some_and(|d| d.value != 0.0));
    }
}

/// 182 intervals with requests and without DB time were "0 intervals", without a word of why.
#[test]
fn intervals_without_db_time_were_no_intervals() {
    let series: Vec<Digest> = (0..14)
        .map(|hour| {
            let mut id = Identity::unknown(&format!("r{hour}"), Kind::Awr, Layout::Text);
            id.begin_time = Some(format!("2024-03-01T{hour:02}:00:00"));
            id.end_time = Some(format!("2024-03-01T{:02}:00:00", hour + 1));
            id.elapsed_s = Some(3_600.0);
            let mut report = Report::new(id);
            report.tables.instance_stat.push(InstanceStat {
                statistic: "physical read total IO requests".into(),
                total: Some(3_600_000.0),
                per_second: None,
                line: 1,
                section: 0,
                instance_number: None,
                printed_as: None,
                per_transaction: None,
                begin_value: None,
                end_value: None,
            });
            Digest::of(&report)
        })
        .collect();
    let said = trend(&series).unwrap_err();
    assert!(said.contains("14 of 14 reports print neither DB time nor DB CPU nor wait events"), "{said}");
    assert!(!said.contains("--before"), "two sides of such reports say no more: {said}");
}

/// The series of an AWR-miner file of the corpus, by a part of its name.
fn of_miner(name: &str) -> Option<Trend> {
    let mut paths = Vec::new();
    files(&corpus()?.join("awr-miner"), &mut paths);
    let path = paths.into_iter().find(|p| p.to_string_lossy().contains(name))?;
    let read = spindle_evidence::read(name, &std::fs::read(&path).unwrap());
    let mut digests: Vec<Digest> = read.reports.iter().map(Digest::of).collect();
    complete(&mut digests);
    Some(trend(&digests).unwrap())
}

/// Nine reads a second for three days, 40,000 for the last thirteen hours: "no change of level".
#[test]
fn reads_that_rose_four_thousand_times_did_not_change() {
    let Some(trend) = of_miner("DHLS") else { return };
    let rose = |metric: &str, least: f64| {
        trend.change_points.iter().any(|c| {
            let at = c.at.as_deref().unwrap_or("");
            let when = ("2014-10-16T09".."2014-10-16T13").contains(&at);
            c.metric == metric && when && c.after >= least && c.after > 10.0 * c.before
        })
    };
    // Some 33,000 for the first hours, then 40,000.
    assert!(rose("read requests a second", 33_000.0), "{}", trend.answer);
    assert!(rose("DB time a second", 90.0), "{}", trend.answer);
    // One instance alone is not half of both.
    let last: Vec<f64> =
        trend.points.iter().rev().take(40).map(|p| p.values["read requests a second"]).collect();
    assert!(last.iter().all(|reads| *reads > 34_000.0), "{last:?}");
}

/// Of four instances a quarter of the intervals were left, and a rounded 0 was no DB time.
#[test]
fn instances_of_a_snapshot_were_left_out_as_shorter_reports() {
    let Some(trend) = of_miner("BIPRD") else { return };
    assert_eq!(trend.intervals, 209);
    for metric in ["DB time a second", "read requests a second", "single-block read"] {
        assert!(trend.points.iter().all(|p| p.values.contains_key(metric)), "{metric}");
    }
    assert!(trend.points.iter().all(|p| p.values["DB time a second"] > 0.0));
    let mean = trend.points.iter().map(|p| p.values["DB time a second"]).sum::<f64>() / 209.0;
    // The file's own average over its instances is 1.97, rounded to tenths for each of them.
    assert!((1.8..2.2).contains(&mean), "{mean}");
    assert!(trend.change_points.iter().all(|c| c.before > 0.0 && c.after > 0.0));
    let said = trend.warnings.join(" ");
    assert!(!said.contains("left out") && !said.contains("fewer"), "{said}");
}
