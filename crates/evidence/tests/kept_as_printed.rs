//! What stands in a section and no typed row holds is kept as printed, and another table beside a section is none of it.
#![allow(clippy::unwrap_used)]

#[path = "support/till.rs"]
mod till;

use spindle_facts::Report;
use till::{read, section};

/// The cells of a row of a table kept as printed that begins so.
fn raw<'r>(report: &'r Report, first: &str) -> Vec<Option<&'r str>> {
    let rows =
        report.raw_tables.iter().flat_map(|table| table.rows.iter().map(|row| row.collect::<Vec<_>>()));
    let mut found = rows.filter(|row| row.contains(&Some(first)));
    found.next().unwrap_or_else(|| panic!("{first}: {:?}", report.raw_tables))
}

fn page_row(cells: &[&str]) -> String {
    format!("<tr>{}</tr>\n", cells.iter().map(|c| format!("<td>{c}</td>")).collect::<String>())
}

fn page_head(cells: &[&str]) -> String {
    page_row(cells).replace("td>", "th>")
}

/// The list of both sides was read, and its rows were in no table: each side has a list of its own.
#[test]
fn leading_events_of_all_instances_were_in_no_table() {
    let heads = page_head(&[
        "I#",
        "Class",
        "Event",
        "Waits",
        "%Timeouts",
        "Total(s)",
        "Avg Wait",
        "%DB time",
        "Min",
        "Cnt",
    ]);
    let sync = ["*", "Commit", "log file sync", "40,000", "0.00", "80.00", "2.00ms", "16.00", "1.50ms", "2"];
    let write = [
        "*",
        "System I/O",
        "log file parallel write",
        "20,000",
        "0.00",
        "30.00",
        "1.50ms",
        "6.00",
        "1.10ms",
        "2",
    ];
    let table = |title: &str, rows: &[&[&str]]| {
        format!(
            "<h3>{title}</h3>\n<table>\n{heads}{}</table>\n",
            rows.iter().map(|r| page_row(r)).collect::<String>()
        )
    };
    let page = [
        "<html><body><h1>WORKLOAD REPOSITORY REPORT (RAC)</h1>\n".to_owned(),
        table("Top Timed Events", &[&sync, &write]),
        table("Top Timed Foreground Events", &[&sync]),
        table("Top Timed Background Events", &[&write]),
        "</body></html>".to_owned(),
    ];
    let report = read(&page.concat());
    let of_both: Vec<_> = report.raw_tables.iter().filter(|t| t.title == "Top Timed Events").collect();
    assert_eq!(of_both.iter().map(|t| t.rows.len()).sum::<usize>(), 2, "{:?}", report.raw_tables);
    assert_eq!(raw(&report, "log file parallel write")[8..], [Some("1.10ms"), Some("2")]);
    let events: Vec<_> = report.tables.wait_event.iter().map(|w| (w.event.as_str(), w.time_s)).collect();
    assert_eq!(events, [("log file sync", Some(80.0)), ("log file parallel write", Some(30.0))], "once each");
    let rows: Vec<_> = report.sections.iter().map(|s| (s.title.as_str(), s.rows)).collect();
    assert!(rows.contains(&("Top Timed Events", 2)), "{rows:?}");
}

/// Three statistics of a plan were read and in no table, and so was the share of each.
#[test]
fn statistics_of_a_plan_that_no_list_has_were_dropped() {
    let rows = [
        page_head(&["Stat Name", "Statement Total", "Per Execution", "% Snap Total"]),
        page_row(&["Elapsed Time (ms)", "40,200", "20,100.00", "31.40"]),
        page_row(&["Buffer Gets", "7,700", "3,850.00", "12.60"]),
        page_row(&["Concurrency Wait Time (ms)", "610", "", ""]),
        page_row(&["Invalidations", "3", "", ""]),
    ];
    let page = format!(
        "<html><head><title>AWR SQL Report</title></head><body><h1>WORKLOAD REPOSITORY SQL Report</h1>\n\
         <h3>Plan Statistics</h3>\n<table>\n{}</table></body></html>",
        rows.concat()
    );
    let report = read(&page);
    assert_eq!(report.tables.sql_stat[0].elapsed_s, Some(40.2));
    assert_eq!(raw(&report, "Concurrency Wait Time (ms)")[1], Some("610"));
    assert_eq!(raw(&report, "Buffer Gets")[1..], [Some("7,700"), Some("3,850.00"), Some("12.60")]);
    let plan = report.sections.iter().find(|s| s.title == "Plan Statistics").unwrap();
    assert_eq!(plan.rows, 4);
}

/// Sessions of foreground events, and the number of samples, were in no table.
#[test]
fn sessions_of_sampled_events_were_dropped() {
    let report = read(
        "ASH Report For TILL/till\n\n\
         DB Name         DB Id    Instance     Inst Num Release     RAC Host\n\
         ------------ ----------- ------------ -------- ----------- --- ------------\n\
         TILL          1234567890 till                1 12.1.0.1.0  NO  till1\n\n\
         \x20         Analysis Begin Time:   12-Feb-24 22:12:30\n\
         \x20           Analysis End Time:   12-Feb-24 22:17:30\n\
         \x20                Elapsed Time:         5.0 (mins)\n\
         \x20                Sample Count:       1,212\n\
         \x20     Average Active Sessions:        4.04\n\n\
         Top User Events            DB/Inst: TILL/till  (Feb 12 22:12 to 22:17)\n\n\
         \x20                                                              Avg Active\n\
         Event                               Event Class        % Event   Sessions\n\
         ----------------------------------- --------------- ---------- ----------\n\
         db file sequential read             User I/O             61.00       2.46\n\
         log file sync                       Commit              612.00       0.58\n\
         \x20         -------------------------------------------------------------\n",
    );
    let samples: Vec<_> = (report.tables.ash_activity.iter())
        .map(|r| (r.text("group").unwrap(), r.number("pct_event"), r.number("avg_active_sessions")))
        .collect();
    assert_eq!(
        samples,
        [("Top User Events", Some(61.0), Some(2.46)), ("Top User Events", None, Some(0.58))],
        "a share over the whole is unknown"
    );
    let impossible = report.notes.iter().filter(|note| note.message.contains("over 100 %"));
    assert_eq!(impossible.count(), 1, "{:?}", report.notes);
    assert_eq!(report.tables.top_event.len(), 2);
    assert_eq!(raw(&report, "Sample Count")[1], Some("1,212"));
}

/// Reads under a heading of no release were neither read nor missed.
#[test]
fn a_column_of_advice_that_no_release_prints_was_passed_over() {
    let report = read(
        "## Buffer Pool Advisory\n\n\
         | Size for Est (MB) | Size Factor | Buffers | Physical Reads | Est Phys Read Factor |\n|---|---|---|---|---|\n\
         | 1,024 | 0.50 | 128,000 | 700,123 | 1.80 |\n| 2,048 | 1.00 | 256,000 | 388,957 | 1.00 |\n",
    );
    assert_eq!(report.tables.db_cache_advice.len(), 2);
    let told = report.notes.iter().any(|note| note.message.contains("`Physical Reads`"));
    assert!(told, "{:?}", report.notes);
}

/// `(Current Size)` behind a row of a table that nothing reads was dropped.
#[test]
fn words_behind_a_row_were_dropped() {
    let report = section(
        "Till Advisory            DB/Inst: TILL/till  Snaps: 10-11\n\n\
         \x20    Factor    Size (MB)      Reads\n----------- ------------ ----------\n\
         \x20      0.50          500  2,111,000\n\
         \x20      1.00        1,000  1,056,000  (Current Size)\n\
         \x20      2.00        2,000    988,000\n\
         \x20         -------------------------------------------------------------\n",
    );
    assert_eq!(
        raw(&report, "(Current Size)"),
        [Some("1.00"), Some("1,000"), Some("1,056,000"), Some("(Current Size)")]
    );
    assert_eq!(raw(&report, "0.50").len(), 3);
}
