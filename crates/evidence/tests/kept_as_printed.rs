//! What stands in a section and no typed row holds is kept as printed, and another table beside a section is none of it.
#![allow(clippy::unwrap_used)]

#[path = "support/till.rs"]
mod till;

use spindle_facts::{Report, SectionStatus};
use till::{read, section};

/// The cells of a row of a table kept as printed that begins so.
fn raw<'r>(report: &'r Report, first: &str) -> Vec<Option<&'r str>> {
    let rows =
        report.raw_tables.iter().flat_map(|table| table.rows.iter().map(|row| row.collect::<Vec<_>>()));
    let mut found = rows.filter(|row| row.contains(&Some(first)));
    found.next().unwrap_or_else(|| panic!("{first}: {:?}", report.raw_tables))
}

fn ratios(report: &Report) -> Vec<(&str, Option<f64>)> {
    report.tables.efficiency.iter().map(|row| (row.text("ratio").unwrap(), row.number("pct"))).collect()
}

const RATIOS: &str = "\
Instance Efficiency Percentages (Target 100%)
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            Buffer Nowait %:   99.12       Redo NoWait %:  100.00
            Buffer  Hit   %:   91.34    In-memory Sort %:  100.00
            Library Hit   %:   98.76        Soft Parse %:   97.65
";

/// `data block` was a ratio of 31,207 %, and `1,409` one of 45.
#[test]
fn a_table_between_tags_below_the_ratios_was_more_of_them() {
    let table = "\n<table>\n<tr>\n<th>Class</th>\n<th>Waits</th>\n<th>Total Wait Time (s)</th>\n<th>Avg Time (ms)</th>\n\
                 </tr>\n<tr>\n<td>data block</td>\n<td>31,207</td>\n<td>1,409</td>\n<td>45</td>\n</tr>\n</table>\n\
                 <table>\n<tr>\n<td>session logical reads</td>\n<td>51,880,312</td>\n<td>14,411.20</td>\n<td>88.1</td>\n</tr>\n\
                 </table>\n";
    let report = read(&format!("#### How well it does\n```\n{RATIOS}```\n{table}"));
    assert_eq!(ratios(&report).len(), 6, "{:?}", ratios(&report));
    assert!(ratios(&report).iter().all(|(ratio, pct)| ratio.contains('%') && pct.unwrap() <= 100.0));
    assert_eq!(raw(&report, "data block")[1..], [Some("31,207"), Some("1,409"), Some("45")]);
    assert_eq!(raw(&report, "session logical reads")[1], Some("51,880,312"));
    let unknown: u32 =
        report.sections.iter().filter(|s| s.status == SectionStatus::Unknown).map(|s| s.rows).sum();
    assert!(unknown >= 2, "{:?}", report.sections);
    // With and without the mark of percent they are ratios in columns of their own, too.
    let columns = "## Instance Efficiency Percentages\n\n| Ratio | Value |\n|---|---|\n| Buffer Hit | 91.34 |\n\
                   | Soft Parse % | 97.65 |\n| data block | 31,207 |\n| Latch Hit % | 31,207 |\n";
    let report = read(columns);
    assert_eq!(ratios(&report), [("Buffer Hit", Some(91.34)), ("Soft Parse %", Some(97.65))]);
}

#[test]
fn no_share_is_of_thousands_of_percent() {
    let report = section(&RATIOS.replace("  98.76", "98,760"));
    assert!(ratios(&report).contains(&("Library Hit %", None)), "{:?}", ratios(&report));
    assert!(report.notes.iter().any(|note| note.message.contains("`Library Hit %`")), "{:?}", report.notes);
}

/// Of a page that holds ratios as text and two tables the tables were nowhere.
#[test]
fn tables_beside_preformatted_text_vanished() {
    let page = format!(
        "<p>Instance Efficiency Percentages (Target 100%)</p>\n<pre>\n{RATIOS}</pre>\n<table><tbody>\n\
         <tr><th>Class</th><th>Waits</th><th>Total Wait Time (s)</th><th>Avg Time (ms)</th></tr>\n\
         <tr><td>data block</td><td>31,207</td><td>1,409</td><td>45</td></tr>\n</tbody></table>\n\
         <table><tbody><tr><td>session logical reads</td><td>51,880,312</td><td>14,411.20</td></tr></tbody></table>\n\
         <table><tbody><tr><td>Home</td><td>Forum</td></tr></tbody></table>\n"
    );
    let report = read(&page);
    assert_eq!(ratios(&report).len(), 6);
    assert_eq!(raw(&report, "data block")[3], Some("45"));
    assert_eq!(raw(&report, "session logical reads")[1], Some("51,880,312"));
    let unknown: Vec<_> = report.sections.iter().filter(|s| s.status == SectionStatus::Unknown).collect();
    assert_eq!(unknown.iter().map(|s| s.rows).sum::<u32>(), 2, "{unknown:?}");
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

/// Statspack keeps pieces of 64 characters, AWR cuts at 80: a blank stood inside of words.
#[test]
fn texts_of_statements_held_blanks_inside_of_words() {
    let statspack = read(
        "STATSPACK report for\n\n\
         Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
         ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
         \x20         1234567890 till                1 01-Mar-24 08:00 11.2.0.3.0  NO\n\n\
         SQL ordered by Gets  DB/Inst: TILL/till  Snaps: 10-11\n\n\
         \x20                                                    CPU      Elapsd     Old\n\
         \x20 Buffer Gets    Executions  Gets per Exec  %Total Time (s)  Time (s) Hash Value\n\
         --------------- ------------ -------------- ------ -------- --------- ----------\n\
         \x20   352,200,100        7,000       50,314.3   96.2  1241.76   1354.48 1481390001\n\
         select till_no, till_name, till_description, till_state, shop_no\n\
         , opened_at, closed_at from till_states where till_state = :1 or\n\
         der by till_no\n\n\
         \x20         -------------------------------------------------------------\n",
    );
    let text = |report: &Report| report.tables.sql_text[0].text.clone();
    assert_eq!(
        text(&statspack),
        "select till_no, till_name, till_description, till_state, shop_no, opened_at, closed_at from till_states \
         where till_state = :1 order by till_no"
    );
    let awr = section(
        "SQL ordered by Elapsed Time      DB/Inst: TILL/till  Snaps: 10-11\n\n\
         \x20       Elapsed                  Elapsed Time\n\
         \x20       Time (s)    Executions  per Exec (s)  %Total   %CPU    %IO    SQL Id\n\
         ---------------- -------------- ------------- ------ ------ ------ -------------\n\
         \x20        1,863.0        124,882          0.01   29.1    1.7   98.6 82ud5h0qcg0bx\n\
         select till_no, till_name, till_description, till_state, shop_no, last_opened_at\n\
         \x20,closed_at, till_drawer, receipt_no from tills where open_by is not null and ti\n\
         ll_state <> 'C' and till_drawer is not null and last_opened_at > :2 and shop\n\
         _no = :\n1\n\n\
         \x20         -------------------------------------------------------------\n",
    );
    assert_eq!(
        text(&awr),
        "select till_no, till_name, till_description, till_state, shop_no, last_opened_at ,closed_at, till_drawer, \
         receipt_no from tills where open_by is not null and till_state <> 'C' and till_drawer is not null and \
         last_opened_at > :2 and shop_no = :1"
    );
}
