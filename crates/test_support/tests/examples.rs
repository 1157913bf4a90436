//! The reports in `examples/` are what the renderer prints today, and small enough to read.
#![allow(clippy::unwrap_used)]

use std::path::Path;

#[test]
fn examples_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, text) in spindle_test_support::cases::examples() {
        let stored = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(
            stored == text,
            "examples/{name} is stale: cargo run -p spindle-test-support --example make_examples"
        );
        assert!(text.len() < 300_000, "examples/{name}: {} bytes", text.len());
    }
}

/// What experiment E6 published stands in the report as a reader sees it.
#[test]
fn redo_examples_print_the_published_rows() {
    let examples = spindle_test_support::cases::examples();
    let text = |name: &str| &examples.iter().find(|(n, _)| *n == name).unwrap().1;
    let rows = |report: &str, start: &str| {
        report
            .lines()
            .filter(|l| l.starts_with(start))
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    for (name, expected) in [
        (
            "redo-on-sas.txt",
            [
                "log file sync 43,605 2,963 68 10.1 Commit",
                "log file sync 43.7K 1.8 13.9 23.2 20.5 40.2 .4",
                "log file parallel write 193,830 0 2,067 11 0.3 31.2",
                "log file parallel write 193.8 .0 1.2 44.1 25.2 15.1 7.7 6.7 .0",
                "gcs log flush sync 258,054 15 758 3 0.4 11.4",
            ],
        ),
        (
            "redo-on-ssd.txt",
            [
                "log file sync 55,095 574 10 2.7 Commit",
                "log file sync 55.1K 65.1 13.1 4.3 3.5 3.5 2.9 7.5 .0",
                "log file parallel write 302,177 0 622 2 0.4 21.5",
                "log file parallel write 302.2 81.0 8.6 3.0 2.6 2.3 1.4 1.1 .0",
                "gcs log flush sync 92,743 9 165 2 0.1 5.7",
            ],
        ),
    ] {
        let printed: Vec<String> = ["log file sync", "log file parallel write", "gcs log flush sync"]
            .iter()
            .flat_map(|e| rows(text(name), e))
            .collect();
        for row in expected {
            assert!(printed.iter().any(|p| p == row), "{name}: {row}\n{printed:#?}");
        }
    }
}
