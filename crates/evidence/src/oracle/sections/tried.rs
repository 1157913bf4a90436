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

/// The report of a page with this in it.
pub(crate) fn page(tables: &str) -> Report {
    let head = "<th>DB Name</th><th>DB Id</th><th>Instance</th><th>Inst num</th><th>Release</th><th>RAC</th>";
    let row = "<td>TILL</td><td>1234567890</td><td>till</td><td>1</td><td>11.2.0.3.0</td><td>NO</td>";
    let html = format!(
        "<html><body><h1>WORKLOAD REPOSITORY report for</h1><table><tr>{head}</tr><tr>{row}</tr></table>\
         {tables}</body></html>"
    );
    let mut reports = crate::read("page", html.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{html}");
    reports.remove(0)
}

/// What the ledger says of the last section.
pub(crate) fn status(report: &Report) -> Option<SectionStatus> {
    report.sections.last().map(|s| s.status)
}
