//! What is kept of a report shows the same summary and page as all that was read of it.
#![allow(clippy::unwrap_used)]

use spindle_app::{Limits, NoProgress, Request};
use spindle_diagnosis::Options;
use spindle_facts::Report;
use spindle_presentation::Subject;
use spindle_presentation::html::{PageInput, page};
use spindle_presentation::terminal::{Look, summary};
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Summary and page of a report, without the name of its file.
fn shown(report: &Report) -> (String, String) {
    let mut report = report.clone();
    report.identity.source = "report".to_owned();
    let diagnosis = spindle_diagnosis::diagnose(&report, &Options::default());
    let subject = Subject { report: &report, diagnosis: &diagnosis };
    let input = PageInput { subjects: &[subject], unread: &[], in_full: 1 };
    (summary(subject, Look::default()), page(&input))
}

fn shows_the_same(inputs: Vec<PathBuf>) -> usize {
    let mut compared = 0;
    for path in inputs {
        let request =
            Request { inputs: vec![path.clone()], mask: false, limits: Limits::default(), output: None };
        let mut kept = Vec::new();
        spindle_app::diagnose(&request, &Options::default(), &NoProgress, |diagnosed| {
            kept.push(diagnosed);
            true
        });
        let read =
            spindle_evidence::read(&path.display().to_string(), &std::fs::read(&path).unwrap()).reports;
        if read.len() != kept.len() {
            // An archive, whose members are read.
            continue;
        }
        for (read, mut kept) in read.iter().zip(kept) {
            kept.report.identity.source = "report".to_owned();
            let subject = Subject { report: &kept.report, diagnosis: &kept.diagnosis };
            let input = PageInput { subjects: &[subject], unread: &[], in_full: 1 };
            let (screen, whole) = shown(read);
            assert_eq!(summary(subject, Look::default()), screen, "{}", path.display());
            assert!(page(&input) == whole, "the page of {}", path.display());
            compared += 1;
        }
    }
    compared
}

#[test]
fn examples_show_the_same_without_the_rows_that_are_dropped() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    assert!(shows_the_same(files(&examples)) >= 6);
}

#[test]
fn the_corpus_shows_the_same_without_the_rows_that_are_dropped() {
    let Some(corpus) = spindle_test_support::corpus() else { return };
    assert!(shows_the_same(files(&corpus)) > 100);
}
