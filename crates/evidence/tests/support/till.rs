//! A small report by hand, for tests of one section: an hour of the database TILL.

use spindle_facts::Report;

pub(crate) const HEAD: &str = "\
WORKLOAD REPOSITORY report for

DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC
------------ ----------- ------------ -------- --------------- ----------- ---
TILL          1234567890 till                1 01-Mar-24 08:00 11.2.0.3.0  NO

              Snap Id      Snap Time      Sessions Curs/Sess
            --------- ------------------- -------- ---------
Begin Snap:        10 01-Mar-24 10:00:00        40       1.5
  End Snap:        11 01-Mar-24 11:00:00        41       1.5
   Elapsed:               60.00 (mins)
   DB Time:              120.00 (mins)

";

/// The one report of a text.
pub(crate) fn read(text: &str) -> Report {
    let mut reports = spindle_evidence::read("till", text.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

/// A report that holds these lines only.
#[allow(dead_code, reason = "not every test needs it")]
pub(crate) fn section(lines: &str) -> Report {
    read(&format!("{HEAD}{lines}"))
}
