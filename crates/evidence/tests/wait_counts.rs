//! Waits of one event, counted by two sections.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::Report;

/// A report with one foreground event and one histogram.
fn report(waits: &str, histogram: &str) -> Report {
    let text = format!(
        "WORKLOAD REPOSITORY report for\n\n\
         DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
         ------------ ----------- ------------ -------- --------------- ----------- ---\n\
         TILL          1234567890 till                1 01-Mar-24 08:00 11.2.0.3.0  NO\n\n\
         Foreground Wait Events             DB/Inst: TILL/till  Snaps: 10-11\n\n\
         \x20                                                            Avg\n\
         \x20                                       %Time Total Wait    wait    Waits   % DB\n\
         Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
         -------------------------- ------------ ----- ---------- ------- -------- ------\n\
         db file sequential read    {waits:>12}     0        500       5      1.0   50.0\n\
         \x20         -------------------------------------------------------------\n\n\
         Wait Event Histogram               DB/Inst: TILL/till  Snaps: 10-11\n\n\
         \x20                                                   % of Waits\n\
         \x20                                -----------------------------------------------\n\
         \x20                          Total\n\
         Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
         -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----\n\
         db file sequential read    {histogram:>5}  40.0  10.0  10.0  40.0\n\
         \x20         -------------------------------------------------------------\n"
    );
    spindle_evidence::read("x", text.as_bytes()).reports.remove(0)
}

fn differs(report: &Report) -> Option<&str> {
    let note = report.notes.iter().find(|n| n.message.contains("holds over 6 %"));
    note.map(|n| n.message.as_str())
}

#[test]
fn a_count_that_lost_its_fraction_and_suffix_is_not_a_thousandth() {
    let cut = report("1,986,307", "1991.");
    let [histogram] = cut.tables.wait_histogram.as_slice() else { panic!() };
    assert_eq!(histogram.waits, Some(1_991_000.0));
    assert!(histogram.buckets[0].waits_high >= 0.4 * 1_991_900.0, "{:?}", histogram.buckets[0]);
    assert_eq!(differs(&cut), None);
}

#[test]
fn histograms_that_count_other_waits_are_said() {
    let said = report("1,623", "2344");
    let message = differs(&said).unwrap();
    assert!(message.contains("1 of 1") && message.contains("2344 against 1623"), "{message}");
    // Rounding of suffixed counts, and counts too small to spread, are nothing to say.
    assert_eq!(differs(&report("12,940", "13K")), None);
    assert_eq!(differs(&report("60", "90")), None);
}
