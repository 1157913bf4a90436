//! Reports that were damaged on their way: every value read from what is left must be one of the
//! whole report, and the share of values that is still read must not fall.
#![allow(clippy::unwrap_used)]

#[path = "support/damage.rs"]
mod damage;
#[path = "support/mod.rs"]
mod support;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use spindle_facts::{Layout, Report};
use spindle_test_support::{Release, Style, corpus, generate, render};
use std::io::Write as _;
use support::values;

/// Reports of every text layout that can be printed, and the real ones.
fn reports() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut tree = TestRunner::deterministic();
    for release in
        [Release::V11_2_0_3, Release::V11_2_0_4, Release::V12_1, Release::V12_2, Release::V19, Release::V23]
    {
        let report = generate::awr(release).new_tree(&mut tree).unwrap().current();
        all.push((format!("AWR {release:?}"), render(&report, &Style::new(release, Layout::Text))));
    }
    for release in [Release::V9_2, Release::V10_1, Release::V11_2_0_3] {
        let report = generate::statspack(release).new_tree(&mut tree).unwrap().current();
        all.push((format!("Statspack {release:?}"), render(&report, &Style::new(release, Layout::Text))));
    }
    all.push(("redo-on-sas.txt".to_owned(), support::example("redo-on-sas.txt")));
    if let Some(corpus) = corpus() {
        for folder in ["awr-text", "statspack"] {
            let mut files: Vec<_> =
                std::fs::read_dir(corpus.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
            files.sort();
            for file in files.iter().filter(|f| f.extension().is_none_or(|e| e != "html")) {
                let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
                all.push((format!("{folder}/{}", file.file_name().unwrap().to_string_lossy()), text));
            }
        }
    }
    all
}

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("test", text.as_bytes()).reports
}

#[test]
fn no_value_of_a_damaged_report_is_wrong() {
    let only = std::env::var("SPINDLE_DAMAGE").ok();
    let reports = reports();
    let originals: Vec<Vec<Report>> = reports.iter().map(|r| read(&r.1)).collect();
    let mut failures = Vec::new();
    for damage in damage::ALL.iter().filter(|d| only.as_ref().is_none_or(|o| d.name == o)) {
        let (mut kept, mut all, mut wrong) = (0, 0, 0);
        for ((name, text), original) in reports.iter().zip(&originals) {
            let damaged = (damage.apply)(text);
            let found = values(original, &read(&damaged));
            kept += found.kept;
            all += found.all;
            wrong += found.wrong.len();
            for line in found.wrong.iter().take(6) {
                let _ = writeln!(std::io::stderr(), "  {}: {name}: {line}", damage.name);
            }
            if let Ok(folder) = std::env::var("SPINDLE_KEEP_DAMAGED")
                && (!found.wrong.is_empty() || only.is_some())
            {
                let file = format!("{folder}/{}", name.replace('/', "_"));
                std::fs::write(file, &damaged).unwrap();
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "counts of values")]
        let share = kept as f64 / all as f64 * 100.0;
        let line = format!("{:32} {share:5.1} % of {all} values kept, {wrong} rows wrong", damage.name);
        // Past the harness, which keeps the output of tests that pass.
        let _ = writeln!(std::io::stderr(), "{line}");
        // Without the real reports the shares are others.
        let most =
            damage::STILL_WRONG.iter().find(|(name, _)| *name == damage.name).map_or(0, |(_, most)| *most);
        if wrong > most || reports.len() > 12 && share < damage.least {
            failures.push(line);
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
