//! Figures that others of the same report contradict: what cannot be is unknown or left out, and said.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::Report;

/// The example with one passage in the place of another.
fn changed(from: &str, to: &str) -> Report {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/redo-on-sas.txt");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    let reading = spindle_evidence::read("changed", text.replacen(from, to, 1).as_bytes());
    reading.reports.into_iter().next().unwrap()
}

fn says(report: &Report, words: &str) -> bool {
    report.notes.iter().any(|note| note.message.contains(words))
}

/// Ten times the minutes between the snapshots: all rates were a tenth, without a word.
#[test]
fn minutes_that_the_snapshots_contradict_are_taken_from_these_where_the_rates_say_so() {
    let report = changed("59.78 (mins)", "597.80 (mins)");
    assert_eq!(report.identity.elapsed_s, Some(3_587.0));
    assert!(says(&report, "597.80 minutes is printed between snapshots that are 59.78 minutes apart"));
}

/// A time that was copied over the other one: nobody was told.
#[test]
fn snapshots_of_one_time_beside_minutes_between_them_were_not_said() {
    let report = changed("19-Feb-13 11:00:01", "19-Feb-13 10:00:14");
    assert_eq!(report.identity.begin_time, report.identity.end_time);
    assert_eq!(report.identity.elapsed_s, Some(59.78 * 60.0));
    assert!(says(&report, "both snapshots are printed with one time"), "{:?}", report.notes);
}

/// Times that somebody changed before he showed the report.
#[test]
fn times_that_the_rates_contradict_are_no_length() {
    let report = changed("19-Feb-13 11:00:01", "19-Feb-13 19:47:01");
    assert_eq!(report.identity.elapsed_s, Some(59.78 * 60.0));
    // The clock was set back by an hour within the interval.
    let report = changed("19-Feb-13 11:00:01", "19-Feb-13 10:00:01");
    assert_eq!(report.identity.elapsed_s, Some(59.78 * 60.0));
}

#[test]
fn minutes_of_which_nothing_tells_are_unknown() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/redo-on-sas.txt");
    let text = std::fs::read_to_string(path).unwrap().replace("59.78 (mins)", "597.80 (mins)");
    let text = text.replace("      DB Time(s):                8.2", "      DB Time(s):                5.2");
    let report = spindle_evidence::read("changed", text.as_bytes()).reports.into_iter().next().unwrap();
    assert_eq!(report.identity.elapsed_s, None);
}

/// The waits stood under the share of timeouts, and the timeouts under the seconds: `0 s` of 2,963.
#[test]
fn a_row_whose_cells_moved_to_the_right_is_left_out() {
    let row = "log file sync                    43,605     0      2,963      68      0.1   10.1";
    let [name, pct, time, mean, per_txn, share] = ["log file sync", "43605", "0", "2,963", "68", "0.1"];
    let moved = format!("{name:26} {:12} {pct:>5} {time:>10} {mean:>7} {per_txn:>8} {share:>6}", "");
    let report = changed(row, &moved);
    let waits = |name: &str| report.tables.wait_event.iter().any(|w| w.event == name && w.waits.is_some());
    assert!(!waits("log file sync") && waits("db file sequential read"));
    assert!(says(&report, "with a share of timeouts of `43605` %"), "{:?}", report.notes);
}

/// A page ended between the title of a section and its underline: nineteen rows were in no table.
#[test]
fn a_title_that_the_end_of_a_page_parts_from_its_underline_is_one() {
    let title = "Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n";
    let whole = changed(title, title).tables.load_profile.len();
    for between in ["\n", "\n\u{c}\n"] {
        let report = changed(title, &format!("{title}{between}"));
        assert_eq!(report.tables.load_profile.len(), whole, "{between:?}");
    }
}

/// `159.917` executions stood beside `159,917` of the same statement.
#[test]
fn a_fraction_of_an_execution_is_none() {
    let row = "         5,066.3             61         83.05   17.2   15.4   84.0 3hqz71c0vd8mn";
    let report = changed(row, &row.replace("             61", "         61.117"));
    let first = report.tables.sql_stat.iter().find(|s| s.sql_id.as_deref() == Some("3hqz71c0vd8mn")).unwrap();
    assert_eq!((first.executions, first.elapsed_s), (None, Some(5_066.3)));
    assert!(says(&report, "thousands that somebody took for decimals"));
}

/// Seconds under `(cs)`, which AWR prints nowhere, were a hundredth of what they are.
#[test]
fn centiseconds_are_no_unit_of_awr() {
    let report =
        changed("%Time Total Wait    wait    Waits   % DB", "%Time Total Wait    wait    Waits   % DB");
    let of = |report: &Report| {
        let event = report.tables.wait_event.iter().find(|w| w.event == "log file sync");
        event.and_then(|w| w.time_s)
    };
    assert_eq!(of(&report), Some(2_963.0));
    let heading = "Event                             Waits -outs   Time (s)    (ms)     /txn   time";
    let report = changed(heading, &heading.replace(" Time (s)", "Time (cs)"));
    assert_eq!(of(&report), None);
    assert!(says(&report, "printed in this unit by no known release"), "{:?}", report.notes);
}

/// Clock times have no fractions: 155 s between them, 2.60 minutes printed, and 155.7 s or more it was.
#[test]
fn the_printed_minutes_are_finer_than_clock_times() {
    let elapsed = |end: &str, minutes: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/redo-on-sas.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.replacen("19-Feb-13 11:00:01", end, 1).replacen("59.78 (mins)", minutes, 1);
        let report = spindle_evidence::read("changed", text.as_bytes()).reports.into_iter().next().unwrap();
        report.identity.elapsed_s.unwrap()
    };
    // The first snapshot is of 10:00:14.
    assert_eq!(elapsed("19-Feb-13 11:00:01", "59.78 (mins)"), 3_587.0);
    let seconds = elapsed("19-Feb-13 10:02:49", "2.60 (mins)");
    assert!((155.7..=156.0).contains(&seconds), "{seconds}");
    let seconds = elapsed("19-Feb-13 10:02:49", "2.57 (mins)");
    assert!((154.0..=154.5).contains(&seconds), "{seconds}");
    // Of whole minutes alone: nothing finer.
    assert_eq!(elapsed("19-Feb-13 11:00:01", "60 (mins)"), 3_587.0);
}

/// 41 million waits of 195 s had a mean of 0: as printed, and not of their time.
#[test]
fn the_mean_of_a_wait_class_is_that_of_its_time() {
    let text = "Foreground Wait Class  DB/Inst: SHOP/shop1  Snaps: 1-2\n\n\
                \x20                                                                 Avg\n\
                \x20                                     %Time       Total Wait     wait\n\
                Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
                -------------------- ---------------- ----- ---------------- -------- ---------\n\
                User I/O                      566,190     0              212        0       4.2\n\
                System I/O                         40     0                0       12       0.0\n\
                          -------------------------------------------------------------\n";
    let reading = spindle_evidence::read("a", text.as_bytes());
    let means: Vec<_> = reading.reports[0].tables.wait_class.iter().map(|c| c.avg_wait_us.unwrap()).collect();
    assert!((means[0] - 212e6 / 566_190.0).abs() < 1e-6, "{means:?}");
    // What is printed is finer there than a time of 0 s.
    assert_eq!(means[1], 12_000.0);
}

/// A head with its minutes and DB time says how many sessions were active, and was refused without a section below it.
#[test]
fn a_head_alone_was_no_report() {
    let text = "WORKLOAD REPOSITORY report for\n\n\
                DB Name         DB Id    Instance     Inst Num  Startup Time   Release    RAC\n\
                ------------ ----------- ------------ -------- --------------- ---------- ---\n\
                SHOPDB         384729104 SHOPDB              1  12-Feb-26 22:04 19.0.0.0.0  NO\n\n\
                \x20           Snap Id      Snap Time      Sessions Curs/Sess\n\
                \x20         --------- ------------------- -------- ---------\n\
                Begin Snap:    4821  13-Feb-26 01:00:03       142      12.3\n\
                \x20 End Snap:    4822  13-Feb-26 02:00:11       189      31.7   <- look\n\
                \x20  Elapsed:           60.13 (mins)\n\
                \x20  DB Time:          142.87 (mins)                            <- look\n\n\
                There were many sessions.\n";
    let reading = spindle_evidence::read("a", text.as_bytes());
    let identity = &reading.reports[0].identity;
    assert_eq!((identity.db_time_s, identity.end_snap), (Some(8_572.2), Some(4_822)));
    let without_times: String =
        text.lines().filter(|l| !l.contains("(mins)")).map(|l| format!("{l}\n")).collect();
    assert!(spindle_evidence::read("a", without_times.as_bytes()).refused.is_some());
}
