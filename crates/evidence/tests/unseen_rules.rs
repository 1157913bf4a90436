//! Rules and titles that were read wrongly when they were met first: rules that end tables and stand too far to the
//! left, rules above sums of instances, two cases on one page. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("unseen", text.as_bytes()).reports
}

fn one(text: &str) -> Report {
    let mut reports = read(text);
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

const CLUSTER: &str = "WORKLOAD REPOSITORY REPORT (RAC)

Database Summary
~~~~~~~~~~~~~~~~
              Database                    Snapshot Ids     Number of Instances     Number of Hosts     Report Total (minutes)
------------------------------------   -----------------   ------------------   ------------------   ------------------------
         Id Name      RAC Block Size      Begin      End   In Report    Total   In Report    Total       DB time Elapsed time
----------- --------- --- ----------   -------- --------   --------- --------   --------- --------   ----------- ------------
  471100000 TILL      YES       8192         10       11           2        2           2        2        600.00        30.00

Time Model                           DB/Inst: TILL/till1  Snaps: 10-11

               DB         DB    SQL Exec      Parse  Hard Parse     PL/SQL       Java        Bkgnd       Bkgnd
  I#     time (s)    CPU (s)    Ela (s)    Ela (s)     Ela (s)    Ela (s)    Ela (s)     time (s)     CPU (s)
---- ------------ ---------- ---------- ---------- ----------- ---------- ---------- ------------ -----------
   1    18,000.00   1,000.00   5,000.00      10.00        5.00       1.00       0.00       100.00       20.00
   2    18,000.00   3,000.00   6,000.00      10.00        5.00       1.00       0.00       100.00       20.00
 ~~~ ~~~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~~~~ ~~~~~~~~~~~~ ~~~~~~~~~~~
 Sum    36,000.00   4,000.00  11,000.00      20.00       10.00       2.00       0.00       200.00       40.00
 Avg    18,000.00   2,000.00   5,500.00      10.00        5.00       1.00       0.00       100.00       20.00
 Std         0.00   1,414.21     707.11       0.00        0.00       0.00       0.00         0.00        0.00
                          -------------------------------------------------------------
";

/// The tildes above the sum made the row of the last instance a title: it was in no table and not counted.
#[test]
fn the_last_instance_above_the_sum_was_taken_for_a_title() {
    let single: String =
        CLUSTER.lines().filter(|l| !l.starts_with("   2 ")).map(|l| format!("{l}\n")).collect();
    for (text, instances) in [(CLUSTER, 2), (single.as_str(), 1)] {
        let report = one(text);
        let cpu: Vec<_> = report
            .tables
            .time_model
            .iter()
            .filter(|r| r.statistic.contains("CPU") && !r.statistic.contains("back"))
            .collect();
        let of = |number| {
            cpu.iter().filter(|r| r.instance_number == number).map(|r| r.time_s.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(of(Some(1)), [1_000.0], "{cpu:?}");
        assert_eq!(of(Some(2)), [3_000.0][..instances - 1], "{cpu:?}");
        assert_eq!(of(None), [4_000.0], "the sum is printed: {cpu:?}");
        let titles: Vec<_> = report.sections.iter().map(|s| (s.title.as_str(), s.status)).collect();
        assert!(titles.contains(&("Time Model", SectionStatus::Read)), "{titles:?}");
        assert!(
            titles.iter().all(|(title, _)| !title.starts_with(|c: char| c.is_ascii_digit())),
            "{titles:?}"
        );
    }
}

const WAITS: &str = "Time Model Statistics  DB/Inst: TILL/till  Snaps: 10-11

Statistic Name                                       Time (s) % of DB Time
------------------------------------------ ------------------ ------------
DB CPU                                                  640.0         64.0
DB time                                               1,000.0
total CPU time                                          700.0
          ------------------------------------------------------

SQL ordered by Reads  DB/Inst: TILL/till  Snaps: 10-11
-> Total Disk Reads:      59,763,724
-> Captured SQL account for   93.7% of Total

   Physical              Reads              Elapsed
      Reads  Executions per Exec   %Total   Time (s)   %CPU    %IO    SQL Id
----------- ----------- ---------- ------ ---------- ------ ------ -------------
 35,858,234          61  587,839.9   60.0    5,066.3   15.4   84.0 3hqz71c0vd8mn
Module: till
select 1 from receipts

          ------------------------------------------------------

Undo Segment Summary  DB/Inst: TILL/till  Snaps: 10-11

Service Name                     DB Time (s)   DB CPU (s)
------------------------------ ------------- ------------
TILL                                   900.0        600.0
          ------------------------------------------------------
";

/// Closing rules that an editor had moved to the left were taken for rulers, and the row above for headings.
#[test]
fn a_closing_rule_set_in_by_little_swallowed_the_row_above_it() {
    let rule = format!("{}{}", " ".repeat(10), "-".repeat(54));
    let text = format!("WORKLOAD REPOSITORY report for\n\n{WAITS}");
    let facts = |text: &str| {
        let report = one(text);
        let sections: Vec<_> =
            report.sections.iter().map(|s| (s.title.clone(), s.status, s.rows, s.lost)).collect();
        (
            report.tables.time_model.clone(),
            report.tables.sql_text.clone(),
            report.raw_tables.clone(),
            sections,
        )
    };
    let right = facts(&text);
    assert_eq!(right.0.len(), 3);
    assert_eq!(right.1[0].text, "select 1 from receipts");
    for indent in [0, 1, 2, 4, 6, 7, 9] {
        let moved = text.replace(&rule, &format!("{}{}", " ".repeat(indent), "-".repeat(54)));
        assert_ne!(moved, text);
        assert_eq!(facts(&moved), right, "indent {indent}");
        // The rest of the text is lost behind the last rule.
        assert_eq!(facts(moved.trim_end()), right, "indent {indent}");
    }
}

/// Words underlined over their own width stay headings.
#[test]
fn a_title_underlined_by_dashes_ends_no_table() {
    let text = WAITS.replace(
        &format!("{}{}", " ".repeat(10), "-".repeat(54)),
        "\nA word on what follows here\n---------------------------\n",
    );
    let report = one(&text);
    let rows: Vec<_> = report.tables.time_model.iter().map(|r| r.time_s).collect();
    assert_eq!(rows, [Some(640.0), Some(1_000.0), Some(700.0)]);
}

const BEFORE: [&str; 2] =
    ["db file sequential read|1,000,000|10,000|10|50.0|User I/O", "DB CPU||6,000||30.0|"];
const AFTER: [&str; 2] = ["DB CPU||9,000||90.0|", "db file sequential read|200,000|400|2|4.0|User I/O"];
const LATCHES: [&str; 2] =
    ["cache buffers chains|15,134,617|176,939|1,040|314,665", "row cache objects|101,225|4,075|429|3,673"];

fn page(rows: &[&str]) -> String {
    let row = |row: &&str| format!("<tr><td>{}</td></tr>\n", row.replace('|', "</td><td>"));
    format!(
        "<h3>Top 10 Foreground Events by Total Wait Time</h3>\n<table border=1>\n<tr><th>Event</th><th>Waits</th>\
         <th>Total Wait Time (sec)</th><th>Avg wait (ms)</th><th>% DB time</th><th>Wait Class</th></tr>\n{}</table>\n<p></p>\n",
        rows.iter().map(row).collect::<String>()
    )
}

fn barred(title: &str, headings: &str, rows: &[&str]) -> String {
    let row = |row: &str| format!("| {} |\n", row.replace('|', " | "));
    let rule = "|---".repeat(headings.split('|').count());
    format!("{title}\n{}{rule}|\n{}\n", row(headings), rows.iter().map(|r| row(r)).collect::<String>())
}

fn times(reports: &[Report]) -> Vec<Vec<(&str, Option<f64>)>> {
    let of =
        |r: &'_ Report| r.tables.top_event.iter().map(|e| (e.event.clone(), e.time_s)).collect::<Vec<_>>();
    let names = ["DB CPU", "db file sequential read"];
    reports
        .iter()
        .map(|r| {
            of(r).into_iter().map(|(name, s)| (*names.iter().find(|n| **n == name).unwrap(), s)).collect()
        })
        .collect()
}

/// The leading waits of two reports on one page were added up.
#[test]
fn two_cases_on_one_page_were_added_up() {
    let text =
        format!("<html><body><p>Before</p>{}<p>After</p>{}</body></html>", page(&BEFORE), page(&AFTER));
    let both = vec![
        vec![("db file sequential read", Some(10_000.0)), ("DB CPU", Some(6_000.0))],
        vec![("DB CPU", Some(9_000.0)), ("db file sequential read", Some(400.0))],
    ];
    assert_eq!(times(&read(&text)), both);
    // The same case twice is one.
    let twice = format!("<html><body>{}<p>Again</p>{}</body></html>", page(&BEFORE), page(&BEFORE));
    assert_eq!(times(&read(&twice)), both[..1]);
}

/// With a table of latches below each, the figures of the second case were left out, and its DB time was taken.
#[test]
fn two_cases_in_cells_between_bars_were_taken_for_one() {
    let headings = "Event|Waits|Total Wait Time (sec)|Avg wait (ms)|% DB time|Wait Class";
    let latches = "Latch Name|Get Requests|Misses|Sleeps|Spin Gets";
    let case = |rows: &[&str]| {
        barred("Top 10 Foreground Events by Total Wait Time", headings, rows)
            + "\n"
            + &barred("Latch Sleep Breakdown", latches, &LATCHES)
    };
    let text = format!("1. Before\n{}\n2. After\n{}", case(&BEFORE), case(&AFTER));
    let reports = read(&text);
    assert_eq!(
        times(&reports),
        [
            vec![("db file sequential read", Some(10_000.0)), ("DB CPU", Some(6_000.0))],
            vec![("DB CPU", Some(9_000.0)), ("db file sequential read", Some(400.0))],
        ]
    );
    let lines: Vec<_> = reports.iter().map(|r| r.sections[0].line).collect();
    assert!(lines[0] < lines[1], "{lines:?}");
}

/// Without titles, one right below the other, they were one table of four rows.
#[test]
fn two_tables_without_titles_between_bars_were_one() {
    let headings = "Event|Waits|Total Wait Time (sec)|Avg wait (ms)|% DB time|Wait Class";
    let cases = [&BEFORE, &AFTER].map(|rows| barred("", headings, rows).trim().to_owned());
    let reports = read(&format!("{}\n", cases.join("\n")));
    let times = times(&reports);
    assert_eq!(times.len(), 2, "{times:?}");
    assert_eq!(times[1], [("DB CPU", Some(9_000.0)), ("db file sequential read", Some(400.0))]);
}

/// `Begin Snap` without its colon: the section counted as read, and interval and times were unknown.
#[test]
fn snapshots_without_a_colon_were_read_as_empty() {
    let text = "<html><head><title>AWR Report for DB: TILL, Inst: till</title></head><body>\n\
        <h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Snapshot Summary</h3>\n\
        <table summary=\"This table displays snapshot information\">\n\
        <tr><th>Snap</th><th>Snap ID</th><th>Snap Time</th><th>Sessions</th></tr>\n\
        <tr><td>Begin Snap</td><td>10</td><td>01-Mar-24 10:00:00</td><td>40</td></tr>\n\
        <tr><td>End Snap</td><td>11</td><td>01-Mar-24 11:00:00</td><td>41</td></tr>\n</table></body></html>\n";
    let identity = one(text).identity;
    assert_eq!((identity.begin_snap, identity.end_snap), (Some(10), Some(11)));
    assert_eq!(identity.begin_time.as_deref(), Some("2024-03-01T10:00:00"));
    assert_eq!(identity.elapsed_s, Some(3_600.0));
}

/// `Time (s)` of the wait classes and `User IO Wait Time (s)` of statements were in no table, and nothing said so.
#[test]
fn columns_headed_otherwise_were_left_out_in_silence() {
    let text = "<html><head><title>AWR Report for DB: TILL, Inst: till</title></head><body>\n\
        <h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Foreground Wait Class</h3>\n<table>\n\
        <tr><td>Wait Class</td><td>Waits</td><td>%Total Waits</td><td>Time (s)</td><td>Avg wait (ms)</td><td>%DB time</td></tr>\n\
        <tr><td>User I/O</td><td>46,136</td><td>70.1</td><td>645.9</td><td>14.0</td><td>0.6</td></tr>\n</table>\n\
        <h3>SQL ordered by User I/O Wait Time</h3>\n<table>\n\
        <tr><th>SQL Id</th><th>Executions</th><th>%Total</th><th>User IO Wait Time (s)</th><th>Pages</th></tr>\n\
        <tr><td>9xgt3ab2kqmnz</td><td>480</td><td>23.5</td><td>25711.33</td><td>53</td></tr>\n</table></body></html>\n";
    let report = one(text);
    assert_eq!(report.tables.wait_class[0].time_s, Some(645.9));
    assert_eq!(report.tables.sql_stat[0].io_wait_s, Some(25_711.33));
    let said: Vec<_> =
        report.notes.iter().map(|n| (n.section.as_deref().unwrap_or(""), n.message.as_str())).collect();
    assert!(
        said.iter().any(|(s, m)| *s == "Foreground Wait Class" && m.contains("`%Total Waits`")),
        "{said:?}"
    );
    assert!(said.iter().any(|(s, m)| s.starts_with("SQL") && m.contains("`Pages`")), "{said:?}");
}

/// Sentences above the title of a section, which end in a colon, were rows of it.
#[test]
fn sentences_above_a_title_were_rows_of_the_section() {
    let top = barred(
        "Top 10 Foreground Events by Total Wait Time",
        "Event|Waits|Total Wait Time (sec)|Avg wait (ms)|% DB time|Wait Class",
        &BEFORE,
    );
    let text = format!(
        "{top}\nAt first glance the dominant waits are these:\nThe section revealed the following metrics:\n\
         Global Cache and Enqueue Services - Workload Characteristics\n\
         | Avg global enqueue get time (ms): | 50.2 |\n| Avg global cache cr block receive time (ms): | 3.8 |\n\
         | Avg global cache cr block flush time (ms): | 266.7 |\n"
    );
    let report = one(&text);
    let rows: Vec<_> = report.tables.rac_cache.iter().map(|r| format!("{r:?}")).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[0].contains("50.2") && rows[2].contains("266.7"), "{rows:?}");
}

const PROFILE: &str = "Load Profile
~~~~~~~~~~~~
                            Per Second       Per Transaction
                           ---------------       ---------------
              DB Time(s):              4.5                  0.2
               DB CPU(s):              1.2                  0.1
       Redo size (bytes):        2,453,243             54,321.2

";
const TOP: &str = "Top 10 Foreground Events by Total Wait Time
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                                            Total Wait       Wait   % DB
Event                                 Waits   Time (s)    Avg(ms)   time
------------------------------ ----------- ----------- ---------- ------
db file sequential read             43,213       4,231       97.9   34.2
db file scattered read              12,321       1,231       99.9   12.1
log file sync                        5,231         431       82.4    4.3
DB CPU                                           3,231              31.2
";

/// Values beside their headings in one table made another one, whose cells all stand in line, unreadable.
#[test]
fn a_typed_load_profile_made_the_table_of_waits_unreadable() {
    let alone = one(TOP);
    let both = one(&format!("{PROFILE}{TOP}"));
    let rows = |r: &Report| {
        r.tables
            .top_event
            .iter()
            .map(|e| (e.event.clone(), e.waits, e.time_s, e.share_pct))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&alone).len(), 4);
    assert_eq!(rows(&both), rows(&alone));
    assert_eq!(both.tables.load_profile.len(), 3);
    // One row goes on beyond the ruler: it alone is lost, and counted.
    let beyond = TOP.replace(
        "DB CPU                                           3,231              31.2",
        "CPU time                                         3,231               31.2",
    );
    let report = one(&format!("{PROFILE}{beyond}"));
    assert_eq!(rows(&report), rows(&alone)[..3]);
    let section = report.sections.iter().find(|s| s.title.starts_with("Top 10")).unwrap();
    assert_eq!((section.status, section.rows, section.lost), (SectionStatus::Read, 3, 1));
    // Where the headings have moved too, the section is said to be unreadable, not unknown.
    let moved = TOP.replace("Total Wait       Wait   % DB", "Total Wait     Wait     % DB");
    let report = one(&format!("{PROFILE}{moved}"));
    let section = report.sections.iter().find(|s| s.title.starts_with("Top 10")).unwrap();
    assert_eq!((section.status, section.rows, section.lost), (SectionStatus::Unreadable, 0, 4));
}

/// The rows of a report in the comments of a script were refused.
#[test]
fn a_table_in_the_comments_of_a_script_was_refused() {
    let text = "select 1 from receipts;\n\n\
        --Undo Segment Summary for DB: TILL  Instance: till  Snaps: 2 -3\n\
        ---> Undo segment block stats:\n\n\
        --Undo           Undo        Num  Max Qry     Max Tx Snapshot Out of uS/uR/uU/\n\
        --TS#         Blocks      Trans  Len (s)   Concurcy  Too Old  Space eS/eR/eU\n\
        ------ -------------- ---------- -------- ---------- -------- ------ -------------\n\
        --1         20,284      1,964        8         12        0      0 0/0/0/0/0/0\n";
    let report = one(text);
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
    let section = report.sections.iter().find(|s| s.title.starts_with("Undo")).unwrap();
    assert_eq!((section.status, section.rows, section.lost, section.line), (SectionStatus::Read, 1, 0, 3));
}
