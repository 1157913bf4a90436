//! Sections on their own, for the tests beside their readers: a head, then what the test prints.

use spindle_facts::{Report, SectionStatus};

const HEAD: &str = "\
WORKLOAD REPOSITORY report for

DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC
------------ ----------- ------------ -------- --------------- ----------- ---
TILL          1234567890 till                1 01-Mar-24 08:00 RELEASE     NO

";

/// The report of these lines under the head of a release.
pub(crate) fn section(release: &str, lines: &str) -> Report {
    let text = format!("{}{lines}\n", HEAD.replace("RELEASE    ", &format!("{release:<11}")));
    let mut reports = crate::read("section", text.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

/// What the ledger says of the last section.
pub(crate) fn status(report: &Report) -> Option<SectionStatus> {
    report.sections.last().map(|s| s.status)
}
