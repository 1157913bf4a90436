//! What a diagnosis does not read is counted and not kept: nothing else may differ.

#![allow(clippy::unwrap_used)]

use spindle_diagnosis::{Options, diagnose};
use spindle_facts::Report;
use spindle_test_support::corpus;
use std::path::{Path, PathBuf};

/// Tables that are shown as printed, and that no rule and no page looks at.
const COUNTED: &[&str] = &[
    "buffer_pool",
    "buffer_wait",
    "channel_wait",
    "database_size",
    "exadata_flash_cache",
    "exadata_smart_scan",
    "file_read_histogram",
    "instance_recovery",
    "latch",
    "memory_advice",
    "mutex_sleep",
    "process_activity",
    "queue",
    "rac_cache",
    "rac_interconnect",
    "resource_limit",
    "service",
    "sga_advice",
    "shared_server",
    "undo",
];

fn check(source: &str, bytes: &[u8]) -> usize {
    let whole = spindle_evidence::read(source, bytes);
    let mut found: Vec<Report> = Vec::new();
    let refused = spindle_evidence::read_each_for_diagnosis(source, bytes, &mut |report| {
        found.push(report);
        true
    });
    assert_eq!(refused, whole.refused, "{source}");
    assert_eq!(found.len(), whole.reports.len(), "{source}");
    let mut fewer = 0;
    for (few, all) in found.iter().zip(&whole.reports) {
        assert_eq!(few.sections, all.sections, "{source}");
        assert_eq!(few.notes, all.notes, "{source}");
        let said = |report| format!("{:?}", diagnose(report, &Options::default()));
        assert_eq!(said(few), said(all), "{source}");
        let rows = |report: &Report| serde_json::to_value(report).unwrap();
        let (mut few, mut all) = (rows(few), rows(all));
        for table in COUNTED {
            fewer += usize::from(few["tables"][*table].take() != all["tables"][*table].take());
        }
        assert_eq!(few, all, "{source}");
    }
    fewer
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
fn tables_that_nothing_reads_change_no_diagnosis() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths = Vec::new();
    files(&examples, &mut paths);
    if let Some(corpus) = corpus() {
        files(&corpus, &mut paths);
    }
    let fewer: usize =
        paths.iter().map(|path| check(&path.display().to_string(), &std::fs::read(path).unwrap())).sum();
    assert!(fewer > 0, "every table was kept");
}

/// A row of a table that is counted only still says that its cells are wider than their columns.
#[test]
fn cells_wider_than_their_column_are_noted_in_tables_that_are_counted_only() {
    let page = "<html><head><title>AWR Report</title></head><body><h1>WORKLOAD REPOSITORY report for</h1>\n\
                <table><tr><th>DB Name</th><th>DB Id</th><th>Release</th></tr>\
                <tr><td>X</td><td>1</td><td>19.0.0.0.0</td></tr></table>\n\
                <h3>Latch Activity</h3>\n\
                <table><tr><th>Latch Name</th><th>Get Requests</th></tr>\n\
                <tr><td>one</td><td>12</td></tr>\n<tr><td>two</td><td> #### </td></tr>\n\
                <tr><td></td><td></td></tr>\n<tr><td>three</td><td>#x</td></tr></table></body></html>";
    assert_eq!(check("page", page.as_bytes()), 1);
    let notes = &spindle_evidence::read("page", page.as_bytes()).reports[0].notes;
    assert!(notes.iter().any(|note| note.message.contains("`####`")), "{notes:?}");
}
