//! Pieces of reports as people paste and type them, which were read wrongly or not at all when they were met first.
//! All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Kind, Report, Section, SectionStatus};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("piece", text.as_bytes()).reports
}

fn one(text: &str) -> Report {
    let mut reports = read(text);
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

const TOP: &str = "Top 5 Timed Foreground Events\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
    \x20                                                          Avg\n\
    \x20                                                         wait   % DB\n\
    Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
    ------------------------------ ------------ ----------- ------ ------ ----------\n";

/// Where CPU stood below it, the largest event disappeared without a word, and CPU had its line.
#[test]
fn a_first_row_one_blank_short_was_taken_for_the_name_of_the_next() {
    let text = format!(
        "{TOP}db file sequential read           1,821,030       5,847     3   44.5 User I/O\n\
         DB CPU                                            8,120          28.1\n\
         log file sync                        28,144       1,204     43    4.2 Commit\n"
    );
    let report = one(&text);
    let found: Vec<_> =
        report.tables.top_event.iter().map(|e| (e.line, e.event.as_str(), e.time_s, e.share_pct)).collect();
    assert_eq!(
        found,
        [
            (7, "db file sequential read", Some(5_847.0), Some(44.5)),
            (8, "DB CPU", Some(8_120.0), Some(28.1)),
            (9, "log file sync", Some(1_204.0), Some(4.2))
        ]
    );
    assert_eq!(report.tables.top_event[0].waits, Some(1_821_030.0));
}

/// A name too long for its column stands on a line of its own, with its numbers below, as before.
#[test]
fn a_name_on_its_own_line_still_takes_the_numbers_below() {
    let text = "Tablespace IO Stats            DB/Inst: TILL/till  Snaps: 10-11\n\n\
        Tablespace         Reads  Writes\n---------- ------------- -------\n\
        A_TABLESPACE_OF_MANY_YEARS\n\x20                 12,000     340\nSYSTEM             1,461      20\n";
    let report = one(text);
    let found: Vec<_> =
        report.tables.tablespace_io.iter().map(|t| (t.tablespace.as_str(), t.reads)).collect();
    assert_eq!(found, [("A_TABLESPACE_OF_MANY_YEARS", Some(12_000.0)), ("SYSTEM", Some(1_461.0))]);
}

/// `12,456` became 12,456,000: the mark between thousands was taken for a decimal point behind which a `K` was cut.
#[test]
fn a_total_of_waits_with_a_mark_between_its_thousands_was_a_thousand_times_too_large() {
    let table = |waits: &str| {
        format!(
            "## Wait Event Histogram\n\n| Event | Waits | <1ms | <2ms | <4ms | <8ms | <16ms | <32ms | <=1s | >1s |\n\
             |---|---|---|---|---|---|---|---|---|---|\n\
             | buffer busy waits | {waits} | 45.2 | 23.4 | 15.6 | 9.8 | 4.5 | 1.2 | 0.3 | 0.0 |\n"
        )
    };
    for (printed, waits) in [
        ("456", 456.0),
        ("12456", 12_456.0),
        ("12,456", 12_456.0),
        ("1,234,567", 1_234_567.0),
        ("12.5K", 12_500.0),
        // Text cut the suffix off.
        ("521.6", 521_600.0),
    ] {
        let report = one(&table(printed));
        let [row] = report.tables.wait_histogram.as_slice() else {
            panic!("{printed}: {:?}", report.tables.wait_histogram)
        };
        assert_eq!(row.waits, Some(waits), "{printed}");
        assert_eq!(row.buckets.iter().map(|b| b.waits).sum::<f64>(), waits, "{printed}");
    }
    let page = "<html><head><title>AWR Report for DB: TILL</title></head><body>\
        <h1>WORKLOAD REPOSITORY report for</h1><h3>Wait Event Histogram</h3><table><tr><th>Event</th>\
        <th>Total Waits</th><th>&lt;1ms</th><th>&lt;2ms</th><th>&gt;1s</th></tr>\
        <tr><td>log file sync</td><td>12,456</td><td>50.0</td><td>50.0</td><td>.0</td></tr></table></body></html>";
    assert_eq!(one(page).tables.wait_histogram[0].waits, Some(12_456.0));
}

const SESSIONS: &str = "ASH Report For TILL/till\n\n\
    Top Sessions              DB/Inst: TILL/till  (Jun 18 12:00 to 12:45)\n\n\
    \x20  Sid, Serial# % Activity Event                             % Event\n\
    --------------- ---------- ------------------------------ ----------\n\
    User                 Program                          # Samples Active     XIDs\n\
    -------------------- ------------------------------ ------------------ --------\n";

/// A line one column off, and the session had the event of the next as its samples.
#[test]
fn cells_of_the_next_record_stood_in_a_session_whose_second_line_was_moved() {
    let text = format!(
        "{SESSIONS}      365, 3613      18.87 CPU + Wait for CPU                  12.29\n\
         TILL                 oracle@shop01 (DW01)              1,755/2,700 [ 65%]        8\n\n\
         \x20                          Datapump dump file I/O               6.32\n\
         \x20                                                  903/2,700 [ 33%]        8\n\n\
         \x20     515, 8721      18.87 db file scattered read              17.26\n\
         SYS                  oracle@shop01 (J000)           2,465/2,700 [ 91%]        1\n\n\
         \x20         -------------------------------------------------------------\n"
    );
    let report = one(&text);
    let rows: Vec<_> = report
        .tables
        .ash_activity
        .iter()
        .map(|row| (row.text("sid_serial_number"), row.text("event"), row.text("user")))
        .collect();
    assert_eq!(rows, [(Some("515, 8721"), Some("db file scattered read"), Some("SYS"))]);
    let section = report.sections.iter().find(|s| s.title == "Top Sessions").unwrap();
    // The session, and what goes on below it without its number.
    assert_eq!((section.rows, section.lost), (1, 2), "{:?}", report.notes);
}

/// `8.45%` was dropped in silence: a share that the report prints was gone.
#[test]
fn a_share_with_its_percent_sign_was_dropped() {
    let text = "## SQL ordered by Gets\n\n| Gets | Per Exec | %Total | SQL Id |\n|---|---|---|---|\n\
        | 45,678,901 | 19,479.28 | 15.2% | 3hqz71c0vd8mn |\n";
    let report = one(text);
    let [row] = report.tables.sql_stat.as_slice() else { panic!("{:?}", report.tables.sql_stat) };
    assert_eq!((row.share_pct, row.buffer_gets), (Some(15.2), Some(45_678_901.0)));
    // Elsewhere it is no number of what the heading says.
    let odd = text.replace("45,678,901", "45%");
    assert_eq!(one(&odd).tables.sql_stat[0].buffer_gets, None);
}

/// The rate was known as `Av Reads/s` alone.
#[test]
fn reads_a_second_of_a_tablespace_went_unread_under_their_short_heading() {
    let text = "Tablespace IO Stats\n~~~~~~~~~~~~~~~~~~~\n\
        Tablespace      Reads   Reads/s   Av Rd(ms)   Writes   Writes/s   Buffer Waits\n\
        ---------- ---------- --------- ----------- -------- ---------- --------------\n\
        TILL_DATA   2,500,000       694         8.2   45,000         12          1,200\n";
    let report = one(text);
    let [row] = report.tables.tablespace_io.as_slice() else { panic!("{:?}", report.tables.tablespace_io) };
    assert_eq!((row.reads_per_s, row.writes_per_s), (Some(694.0), Some(12.0)));
}

const SUMMARY: &str = "          ADDM Report for Task 'TASK_4'\n          -----------------------------\n\n\
    Activity During the Analysis Period\n-----------------------------------\n\
    Total database time was 385 seconds.\n\nSummary of Findings\n-------------------\n\
    \x20  Description                         Active Sessions      Recommendations\n\
    \x20                                      Percent of Activity\n\
    \x20  ----------------------------------  -------------------  ---------------\n\
    1  PL/SQL Execution                    .08 | 48.39          1\n\
    2  Hard Parse                          .05 | 27.04          0\n\
    3  \"User I/O\" wait Class               .04 | 22.35          0\n";

/// The list of findings is what people pass on: it was called no report at all.
#[test]
fn a_summary_of_findings_was_no_report() {
    let report = one(SUMMARY);
    assert_eq!(report.identity.kind, Kind::Addm);
    assert_eq!(report.identity.db_time_s, Some(385.0));
    let found: Vec<_> = report
        .tables
        .addm_finding
        .iter()
        .map(|f| (f.finding.as_str(), f.impact_pct, f.impact_sessions))
        .collect();
    assert_eq!(
        found,
        [
            ("PL/SQL Execution", Some(48.39), Some(0.08)),
            ("Hard Parse", Some(27.04), Some(0.05)),
            ("\"User I/O\" wait Class", Some(22.35), Some(0.04))
        ]
    );
}

/// Mean read times of files stand in rationales alone: none of them was kept.
#[test]
fn reasons_of_a_recommendation_and_words_of_a_finding_were_dropped() {
    let text = format!(
        "{SUMMARY}\n\nFinding 3: \"User I/O\" wait Class\nImpact is .04 active sessions, 22.35% of total activity.\n\
         ---------------------------------------------------\nUndo I/O was a significant portion (99%) of it.\n\n\
         \x20  Recommendation 1: Host Configuration\n   ----\n   Action\n      Stripe all files.\n   Rationale\n\
         \x20     The average response time for single block reads\n      was 44 milliseconds.\n\n\
         \x20  Recommendation 2: Host Configuration\n   ----\n   Action\n      Look at the files.\n   Rationale\n\
         \x20     For file UNDO.DBF it was 290 milliseconds.\n"
    );
    let report = one(&text);
    let found = &report.tables.addm_finding;
    // Told in full, and not listed once more.
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found[2].recommendation.as_deref().unwrap().lines().collect::<Vec<_>>(),
        [
            "Host Configuration: Stripe all files.",
            "Rationale: The average response time for single block reads was 44 milliseconds.",
            "Host Configuration: Look at the files.",
            "Rationale: For file UNDO.DBF it was 290 milliseconds.",
        ]
    );
    assert_eq!(found[2].description.as_deref(), Some("Undo I/O was a significant portion (99%) of it."));
}

/// One section of an ASH report, with the database below or beside its title, was refused or left unread.
#[test]
fn leading_events_of_sampled_activity_alone_were_refused() {
    let rows = "                                                               Avg Active\n\
        Event                               Event Class     % Activity   Sessions\n\
        ----------------------------------- --------------- ---------- ----------\n\
        CPU + Wait for CPU                  CPU                  35.36       1.66\n\
        db file scattered read              User I/O             33.07       1.55\n\
        \x20         -------------------------------------------------------------\n";
    for between in ["\n", "    "] {
        let text = format!("Top User Events{between}DB/Inst: TILL/till  (Jun 18 12:00 to 12:45)\n\n{rows}");
        let report = one(&text);
        assert_eq!(report.identity.kind, Kind::Ash, "{text}");
        let found: Vec<_> = report.tables.top_event.iter().map(|e| (e.event.as_str(), e.share_pct)).collect();
        assert_eq!(found, [("CPU + Wait for CPU", Some(35.36)), ("db file scattered read", Some(33.07))]);
    }
}

/// They stand below the rates in every Statspack and in AWR up to 11.1, and were neither read nor counted as lost.
#[test]
fn ratios_below_the_load_profile_were_in_no_table() {
    let text = "Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
        ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
        \x20     DB Time(s):              256.6                0.2       0.07       0.03\n\
        \x20   Transactions:            1,235.3\n\n\
        \x20 % Blocks changed per Read:   53.49    Recursive Call %:    98.04\n\
        \x20Rollback per transaction %:   36.57       Rows per Sort:    73.70\n";
    let report = one(text);
    assert_eq!(report.tables.load_profile.len(), 2);
    let found: Vec<_> = report
        .tables
        .efficiency
        .iter()
        .map(|row| (row.text("ratio").unwrap(), row.number("pct"), row.number("value")))
        .collect();
    assert_eq!(
        found,
        [
            ("% Blocks changed per Read", Some(53.49), None),
            ("Recursive Call %", Some(98.04), None),
            ("Rollback per transaction %", Some(36.57), None),
            ("Rows per Sort", None, Some(73.7))
        ]
    );
}

/// The title says how many CPUs there are, and nothing else in such a piece does.
#[test]
fn cpus_in_the_title_of_the_host_went_unread() {
    let text = "Host CPU (CPUs:   24 Cores:   12 Sockets:    2)\n~~~~~~~~         Load Average\n\
        \x20              Begin       End     %User   %System      %WIO     %Idle\n\
        \x20          --------- --------- --------- --------- --------- ---------\n\
        \x20               2.41      2.84      11.1       2.2       8.2      86.0\n";
    let report = one(text);
    let id = &report.identity;
    assert_eq!((id.cpus, id.cores, id.sockets), (Some(24.0), Some(12.0), Some(2.0)));
    assert_eq!(report.tables.host_cpu[0].user_pct, Some(11.1));
    assert_eq!(report.sections.iter().filter(|s| s.title == "Host CPU").count(), 1, "{:?}", report.sections);
    // Statspack sets the bracket off.
    let id = one(&text.replace("CPU (", "CPU  (")).identity;
    assert_eq!((id.cpus, id.cores, id.sockets), (Some(24.0), Some(12.0), Some(2.0)));
}

/// A page that names the database beside its snapshots was of a database not named.
#[test]
fn the_database_beside_the_snapshots_of_two_periods_went_unread() {
    let page = "<html><body><h1>WORKLOAD REPOSITORY COMPARE PERIOD REPORT</h1><table>\
        <tr><th>Snapshot Set</th><th>DB Name</th><th>Begin Snap Id</th><th>Begin Snap Time</th>\
        <th>End Snap Id</th><th>End Snap Time</th></tr>\
        <tr><td>First (1st)</td><td>TILL</td><td>10</td><td>26-Sep-20 10:00:05 (Sat)</td><td>11</td>\
        <td>26-Sep-20 11:00:07 (Sat)</td></tr>\
        <tr><td>Second (2nd)</td><td>TILL</td><td>20</td><td>27-Sep-20 10:00:02 (Sun)</td><td>21</td>\
        <td>27-Sep-20 11:00:04 (Sun)</td></tr></table></body></html>";
    let reports = read(page);
    let names: Vec<_> =
        reports.iter().map(|r| (r.identity.db_name.as_deref(), r.identity.end_snap)).collect();
    assert_eq!(names, [(Some("TILL"), Some(11)), (Some("TILL"), Some(21))]);
}

/// Behind `...` the title of the next section was no title, and the section in no line of the account.
#[test]
fn a_section_behind_lines_left_out_was_not_accounted_for() {
    let text = format!(
        "{TOP}db file sequential read              35,732       6,575    184   77.5 User I/O\n\
         log file sync                         3,825       1,495    391   17.6 Commit\n  ...\n\
         Time Model Statistics\n  DB time                          216,540 s\n  DB CPU                            95,240 s\n"
    );
    let report = one(&text);
    let section = report.sections.iter().find(|s| s.title == "Time Model Statistics").unwrap();
    assert_eq!((section.status, section.lost), (SectionStatus::Unreadable, 2));
    assert_eq!(report.tables.top_event.len(), 2);
}

/// Words below a table were listed as the section once more, "printed without data".
#[test]
fn a_section_that_was_read_was_printed_without_data_as_well() {
    let text = "## Instance Activity Stats\n\n| Statistic | Total | per Second | per Trans |\n|---|---|---|---|\n\
        | physical reads | 2,345 | 0.6 | 0.1 |\n| physical writes | 1,234 | 0.3 | 0.1 |\n\n\
        These are counters.\n\n### IO Stats by tablespace\n\n| Tablespace | Some | More |\n|---|---|---|\n\
        | USERS | 1 | 2 |\n| SYSTEM | 3 | 4 |\n\n## Buffer Pool Advisory\n\n\
        Nothing to say.\n";
    let report = one(text);
    let own: Vec<_> = report.sections.iter().filter(|s| s.title.contains("Instance Activity")).collect();
    assert_eq!(own.len(), 1, "{:?}", report.sections);
    assert_eq!((own[0].status, own[0].rows), (SectionStatus::Read, 2));
}

/// A digit was lost in one cell, and with it the largest event of the report: I/O was 0 %.
#[test]
fn a_row_with_one_torn_cell_was_left_out_whole() {
    let text = "Event                          Waits    Total Wait Time (sec)   Wait Avg(ms)   % DB time  Wait Class\n\
        ------------------------------ -------- ----------------------- -------------- ---------- -----------\n\
        db file sequential read        4,821,03              12,847            2.67       44.5    User I/O\n\
        DB CPU                                                 8,120                      28.1\n\
        log file sync                    28,144               1,204            42.8        4.2    Commit\n";
    let report = one(text);
    let found: Vec<_> = report
        .tables
        .top_event
        .iter()
        .map(|e| (e.event.as_str(), e.waits, e.time_s, e.share_pct, e.wait_class.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("db file sequential read", None, Some(12_847.0), Some(44.5), Some("User I/O")),
            ("DB CPU", None, Some(8_120.0), Some(28.1), None),
            ("log file sync", Some(28_144.0), Some(1_204.0), Some(4.2), Some("Commit"))
        ]
    );
    assert!(report.notes.iter().any(|n| n.message.contains("is no number")), "{:?}", report.notes);
}

/// Rows that do not stand under the ruler of their block: names were cut, numbers dropped, and the block was read.
#[test]
fn rows_beside_the_ruler_of_a_block_were_cut_anywhere() {
    let text = "~~BEGIN-OS-INFORMATION~~\nSTAT_NAME                      STAT_VALUE\n\
        ------------------------------ --------------\nDB_NAME                        TILL\n\
        ~~END-OS-INFORMATION~~\n\n~~BEGIN-SIZE-ON-DISK~~\nSNAP_ID SIZE_GB\n------- -------\n1       100.0\n\
        2       100.5\n~~END-SIZE-ON-DISK~~\n\n~~BEGIN-MAIN-METRICS~~\n\
        snap dur_m end inst read_iops\n---- ----- --- ---- ---------\n1    60.0  2024-01-01 1 100.0\n\
        2    60.0  2024-01-02 1 120.0\n~~END-MAIN-METRICS~~\n\n~~BEGIN-TOP-N-TIMED-EVENTS~~\n\
        SNAP_ID WAIT_CLASS EVENT_NAME PCTDBT TOTAL_TIME_S\n------- ---------- ---------- ------ ------------\n\
        1       User_I/O   db_file_sequential_read 25.5 100.0\n~~END-TOP-N-TIMED-EVENTS~~\n";
    let reports = read(text);
    assert!(reports.iter().all(|r| r.tables.wait_event.is_empty()));
    let sections: Vec<_> = reports.iter().flat_map(|r| r.sections.iter()).collect();
    for (title, lost) in [("MAIN-METRICS", 2), ("TOP-N-TIMED-EVENTS", 1)] {
        let section = sections.iter().find(|s| s.title == title).unwrap();
        assert_eq!((section.status, section.lost), (SectionStatus::Unreadable, lost), "{title}");
    }
    // What tells of the system is counted like every other block.
    let torn = text.replace(
        "DB_NAME                        TILL",
        "DB_NAME                        TILL\nPLATFORM_NAME  Linux x86 64-bit for servers 7 8",
    );
    let section = one_section(&read(&torn), "OS-INFORMATION");
    assert_eq!((section.status, section.rows, section.lost), (SectionStatus::Read, 1, 1));
}

fn one_section(reports: &[Report], title: &str) -> Section {
    let found: Vec<_> = reports.iter().flat_map(|r| &r.sections).filter(|s| s.title == title).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// `Wait` over the number of waits: the numbers were dropped without a word.
#[test]
fn waits_under_a_heading_in_the_singular_were_dropped() {
    let table = |first: &str| {
        format!(
            "## Top 5 Timed Foreground Events\n\n\
             | Event | Wait | Times | Avg wait(ms) | %DB Time | Wait class |\n|---|---|---|---|---|---|\n\
             | direct path read | {first} | 88,576 | 216 | 60.85 | User I/O |\n\
             | log file sync | 13,249 | 13,035 | 984 | 8.95 | Commit |\n"
        )
    };
    let waits = |text: &str| one(text).tables.top_event.iter().map(|e| e.waits).collect::<Vec<_>>();
    assert_eq!(waits(&table("410,410")), [Some(410_410.0), Some(13_249.0)]);
    // What does not agree with the means is another quantity.
    assert_eq!(waits(&table("410")), [None, None]);
}

/// The search for the number of waits read each cell once more, and `####` was counted twice.
#[test]
fn a_cell_that_cannot_be_read_was_counted_twice() {
    let text = "## Top 5 Timed Foreground Events\n\n\
        | Event | Wait | Times | Avg wait(ms) | %DB Time | Wait class |\n|---|---|---|---|---|---|\n\
        | direct path read | 410,410 | 88,576 | 216 | 60.85 | User I/O |\n\
        | db file sequential read | 60,000 | ###### | 5 | 20.0 | User I/O |\n\
        | log file sync | 13,249 | 13,035 | 984 | 8.95 | Commit |\n";
    let report = one(text);
    let notes: Vec<_> = report.notes.iter().filter(|n| n.message.contains("###")).collect();
    assert!(matches!(notes[..], [note] if note.message.contains("1 cell")), "{:?}", report.notes);
}

/// Without colons the times of the header were no times.
#[test]
fn times_of_a_typed_header_went_unread() {
    let text = "# How to read it\n\n| Begin Snap | 02-Jul-19 15:30:27 |\n| End Snap   | 02-Jul-19 16:00:41 |\n\
        | Elapsed    | 30.23(mins)        |\n| DB Time    | 2,426.25(mins)     |\n\n\
        ## Top 5 Timed Foreground Events\n\n| Event | Waits | Time(s) | %DB time |\n|---|---|---|---|\n\
        | log file sync | 13,249 | 13,035 | 8.95 |\n| DB CPU | | 7,000 | 5.38 |\n";
    let id = one(text).identity;
    assert!((id.elapsed_s.unwrap() - 1_813.8).abs() < 0.01, "{id:?}");
    assert!((id.db_time_s.unwrap() - 145_575.0).abs() < 0.01, "{id:?}");
}

/// Headings behind a prompt stood five columns beside their ruler: release, snapshots of the next column and all.
#[test]
fn headings_behind_a_prompt_had_other_columns() {
    let text = "STATSPACK report for\n\n\
        SQL> SQL> Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
        ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
        \x20         1066200300 till                1 15-Sep-15 08:45 11.2.0.4.0  NO\n\n\
        Host Name             Platform                CPUs Cores Sockets   Memory (G)\n\
        ~~~~ ---------------- ---------------------- ----- ----- ------- ------------\n\
        \x20    shop             Linux x86 64-bit          12     6       1         31.3\n\n";
    let identity = one(text).identity;
    assert_eq!(identity.version.as_deref(), Some("11.2.0.4.0"));
    assert_eq!((identity.db_id, identity.rac), (Some(1_066_200_300), Some(false)));
    assert_eq!(identity.instance.as_deref(), Some("till"));
}

/// A detail table without the one above it was said to be read, and gave no histogram.
#[test]
fn a_detail_of_a_histogram_alone_said_nothing() {
    let text = "Wait Event Histogram Detail (64 msec to 2 sec)  DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                                                % of Total Waits\n\
        \x20                                -----------------------------------------------\n\
        \x20                          Waits\n\
        \x20                          64ms\n\
        Event                      to 2s <32ms <64ms <1/8s <1/4s <1/2s   <1s   <2s  >=2s\n\
        -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----\n\
        db file scattered read         4  96.0   4.0\n\
        log file parallel write        2  99.6    .4\n";
    let report = one(text);
    assert!(report.tables.wait_histogram.is_empty());
    let note = report.notes.iter().find(|n| n.message.contains("its range alone")).unwrap();
    assert_eq!(note.line, Some(9));
    assert_eq!(note.section.as_deref(), Some("Wait Event Histogram Detail (64 msec to 2 sec)"));
}

/// Seconds of the findings of 10g were in no column, and what a recommendation saves nowhere.
#[test]
fn seconds_of_findings_and_benefits_were_dropped() {
    let report = one("FINDING 1: 29% impact (65043 seconds)\n-------------------------------------\n\
         SQL statements consuming significant database time were found.\n\n\
         \x20  RECOMMENDATION 1: SQL Tuning, 15% benefit (34659 seconds)\n\
         \x20     ACTION: Investigate the SQL statement.\n");
    let [finding] = report.tables.addm_finding.as_slice() else { panic!("{report:?}") };
    assert_eq!((finding.impact_pct, finding.impact_s), (Some(29.0), Some(65_043.0)));
    assert_eq!(
        finding.recommendation.as_deref(),
        Some("SQL Tuning, 15% benefit (34659 seconds): Investigate the SQL statement.")
    );
}

const RATIOS: &str = "            Buffer Nowait %:   99.99       Redo NoWait %:  100.00\n\
    \x20           Buffer  Hit   %:   93.53    In-memory Sort %:  100.00\n\
    \x20           Library Hit   %:   99.25        Soft Parse %:   98.16\n\
    \x20        Execute to Parse %:   80.77         Latch Hit %:   99.96\n\
    Parse CPU to Parse Elapsd %:    2.06     % Non-Parse CPU:   98.37\n";

/// Indented as Oracle prints them, and with the blanks that set the colons below each other.
#[test]
fn ratios_without_their_title_vanished() {
    let events = "Top 5 Timed Foreground Events\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        \x20                                                          Avg\n\
        \x20                                                         wait   % DB\n\
        Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
        ------------------------------ ------------ ----------- ------ ------ ----------\n\
        db file sequential read              35,732       6,575    184   77.5 User I/O\n\
        \x20         -------------------------------------------------------------\n\n";
    for text in [format!("{events}{RATIOS}"), RATIOS.to_owned()] {
        let report = one(&text);
        let found: Vec<_> = report.tables.efficiency.iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(found.len(), 10, "{found:?}");
        assert!(found.iter().any(|row| row.contains("93.53")), "{found:?}");
    }
}

/// Clients of databases and converters draw borders around tables, and between rows.
#[test]
fn tables_between_borders_were_not_read() {
    let framed = "Top 5 Timed Foreground Events\n\
        +-------------------------+---------+--------+--------------+---------+------------+\n\
        | Event                   | Waits   | Time(s)| Avg wait(ms) | % DB    | Wait Class |\n\
        |                         |         |        |              | time    |            |\n\
        +=========================+=========+========+==============+=========+============+\n\
        | db file sequential read | 520,207 |  4,568 |            9 |   71.32 | User I/O   |\n\
        +-------------------------+---------+--------+--------------+---------+------------+\n\
        | DB CPU                  |         |  1,701 |              |   26.57 |            |\n\
        +-------------------------+---------+--------+--------------+---------+------------+\n";
    let report = one(framed);
    let found: Vec<_> =
        report.tables.top_event.iter().map(|e| (e.event.as_str(), e.waits, e.time_s, e.share_pct)).collect();
    let wanted = [
        ("db file sequential read", Some(520_207.0), Some(4_568.0), Some(71.32)),
        ("DB CPU", None, Some(1_701.0), Some(26.57)),
    ];
    assert_eq!(found, wanted);
}

/// Of bars, tags and ruled text in one note only one kind was read, and what stood below a row was of that section.
#[test]
fn tables_of_another_kind_in_a_note_were_lost() {
    let report = one("## Top 5 Timed Foreground Events\n\n\
         \x20                                                          Avg\n\
         \x20                                                         wait   % DB\n\
         Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
         ------------------------------ ------------ ----------- ------ ------ ----------\n\
         db file sequential read              35,732       6,575    184   77.5 User I/O\n\
         ### Time Model Statistics\n\
         | Statistic Name | Time (s) | % of DB Time |\n|---|---:|---:|\n| DB CPU | 1,701.44 | 26.57 |\n\n\
         ## Load Profile\n\n<table>\n<tr><th></th><th>Per Second</th><th>Per Transaction</th></tr>\n\
         <tr><td>DB Time(s):</td><td>7.1</td><td>0.0</td></tr>\n</table>\n");
    assert_eq!(report.tables.top_event.len(), 1, "{:?}", report.sections);
    let found: Vec<_> =
        report.tables.time_model.iter().map(|r| (r.line, r.statistic.as_str(), r.time_s)).collect();
    assert_eq!(found, [(11, "DB CPU", Some(1_701.44))]);
    let found: Vec<_> = report.tables.load_profile.iter().map(|r| (r.line, r.per_second)).collect();
    assert_eq!(found, [(17, Some(7.1))]);
}

/// A copy began within the first table of a page, behind its tag: begin, end and length were dropped in silence.
#[test]
fn a_page_cut_inside_its_first_table_lost_what_was_left_of_it() {
    let report =
        one("<tr><td>Begin Snap:</td><td>100</td><td>01-Jan-24 10:00:00</td><td>55</td><td>5.2</td></tr>\n\
         <tr><td>End Snap:</td><td>101</td><td>01-Jan-24 11:00:00</td><td>55</td><td>5.2</td></tr>\n\
         <tr><td>Elapsed:</td><td></td><td>60.00 (mins)</td><td></td><td></td></tr>\n</table>\n\
         <h3>Load Profile</h3>\n<table>\n<tr><td></td><td>Per Second</td><td>Per Transaction</td></tr>\n\
         <tr><td>DB Time(s):</td><td>2.5</td><td>0.01</td></tr>\n</table>\n");
    assert_eq!(report.identity.elapsed_s, Some(3_600.0), "{:?}", report.identity);
    assert_eq!(report.tables.load_profile.len(), 1);
}

/// The figures of an I/O profile by label: read and write, reads, writes.
fn io_profile(text: &str) -> Vec<(String, [Option<f64>; 3])> {
    let rows = one(text).tables.io_profile;
    rows.into_iter().map(|r| (r.metric, [r.read_write_per_s, r.reads_per_s, r.writes_per_s])).collect()
}

/// All requests were reads, and the reads writes.
#[test]
fn figures_were_of_the_next_heading_where_the_blank_corner_got_lost() {
    let rows = "| Total Requests: | 1,534.8 | 1,422.1 | 112.7 |\n| Redo Requests: | 94.8 | 15.8 | 78.9 |\n";
    let head = "Read+Write Per Second | Read per Second | Write Per Second";
    let expected = vec![
        ("Total Requests".to_owned(), [Some(1_534.8), Some(1_422.1), Some(112.7)]),
        ("Redo Requests".to_owned(), [Some(94.8), Some(15.8), Some(78.9)]),
    ];
    for head in [format!("| | {head} |"), format!("| {head} | |"), format!("| {head} |")] {
        let text = format!("IO Profile\n{head}\n|---|---|---|---|\n{rows}");
        assert_eq!(io_profile(&text), expected, "{text}");
        // Beside a ruled table, as notes hold it.
        let note = format!("# Note\n\n## IO Profile\n\n{head}\n|---|---|---|---|\n{rows}\n{TOP}");
        assert_eq!(io_profile(&note), expected, "{note}");
    }
    // A browser's copy whose first tab somebody took for a blank.
    let tabs =
        format!("IO Profile\n{}\n{}", head.replace(" | ", "\t"), rows.replace(" | ", "\t").replace("| ", ""));
    assert_eq!(io_profile(&tabs.replace(" |", "")), expected, "{tabs}");
}

/// Where a converter drops blank cells, those behind one stood in its place: 512 s were 512 % of timeouts.
#[test]
fn cells_behind_a_blank_one_that_got_lost_were_of_the_heading_before() {
    let report = one("Foreground Wait Events\n\
        | Event | Waits | %Time -outs | Total Wait Time (s) | Avg wait (ms) | Waits /txn | % DB time |\n\
        |---|---|---|---|---|---|---|\n\
        | control file sequential read | 1,437,851 | 512 | 0 | 2.98 | 1.20 |\n\
        | log file sync | 224,920 | 0 | 258 | 1 | 0.47 | 0.61 |\n");
    let rows: Vec<_> = report.tables.wait_event.iter().map(|e| (e.event.as_str(), e.time_s)).collect();
    assert_eq!(rows, [("log file sync", Some(258.0))]);
    assert_eq!(report.sections.iter().map(|s| s.lost).sum::<u32>(), 1, "{:?}", report.sections);
    // Values behind a label, and one at the end alone, are where they stood.
    let report = one(
        "Load Profile\n| | Per Second | Per Transaction | Per Exec | Per Call |\n|---|---|---|---|---|\n\
        | DB Time(s): | 3.9 | 0.1 | 0.00 | 0.00 |\n| Transactions: | 44.5 |\n\n\
        Operating System Statistics\n| Statistic | Value | End Value |\n|---|---|---|\n\
        | BUSY_TIME | 3,200,240 |\n| LOAD | 3 | 4 |\n",
    );
    let rates: Vec<_> = report.tables.load_profile.iter().map(|r| r.per_second).collect();
    assert_eq!(rates, [Some(3.9), Some(44.5)]);
    let values: Vec<_> = report.tables.os_stat.iter().map(|r| (r.statistic.as_str(), r.value)).collect();
    assert_eq!(values, [("BUSY_TIME", Some(3_200_240.0)), ("LOAD", Some(3.0))]);
}

/// "Sums over the rows are too small": of a table of which nothing was lost.
#[test]
fn two_lines_of_a_sentence_below_a_table_were_a_lost_row_of_two_lines() {
    let table = "File IO Stats  DB/Inst: TILL/till  Snaps: 10-11\n\n\
        Tablespace               Filename\n\
        ------------------------ ----------------------------------------------------\n\
        \x20                Av       Av     Av                       Av     Buffer  Av Buf\n\
        \x20        Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)\n\
        -------------- ------- ------- ------- ------------ -------- ---------- -------\n\
        USERS                    /u01/oradata/users01.dbf\n\
        \x20    1,606,553     446     2.2     8.3       75,575       21     60,542     0.9\n\n";
    let of = |below: &str| {
        let report = one(&format!("{table}{below}"));
        (report.tables.file_io.len(), report.sections.iter().map(|s| s.lost).sum::<u32>())
    };
    assert_eq!(of("The reads are fast here\nbut the users complain.\n"), (1, 0));
    // The name of a file is the rest of a row.
    assert_eq!(of("TEMP                     /u01/oradata/temp01.dbf\nUNDO    /u01/u\n"), (1, 1));
}

/// The snapshot's number was an efficiency of 73,343 %.
#[test]
fn snapshots_below_ratios_were_ratios() {
    let report = one(
        "Shared Pool Statistics\n| | Begin | End |\n|---|---|---|\n| Memory Usage %: | 63.25 | 63.36 |\n\
        | % SQL with executions>1: | 97.65 | 90.88 |\n\n| | Snap Id | Snap Time | Sessions |\n|---|---|---|---|\n\
        | Begin Snap: | 73343 | 20-Jan-25 08:00:22 | 493 |\n| End Snap: | 73349 | 20-Jan-25 11:00:59 | 560 |\n\
        | Elapsed: | 180.61 (mins) | | |\n| DB Time: | 710.67 (mins) | | |\n",
    );
    assert_eq!(report.tables.efficiency.len(), 0, "{:?}", report.tables.efficiency);
    assert_eq!((report.identity.begin_snap, report.tables.memory_stat.len()), (Some(73_343), 2));
}

/// The whole table was refused.
#[test]
fn a_mean_in_seconds_was_no_heading() {
    for (title, head) in [
        ("Top Wait Events", "Wait Event | Total Waits | Total Time (s) | Avg Wait Time (s)"),
        ("Top 5 Timed Events", "Event | Waits | Time(s) | Avg wait (s)"),
    ] {
        let report = one(&format!(
            "{title}\n{head}\n--------------------------------\ndb file sequential read | 50,000 | 5000 | 0.1\n\
             log file sync | 15,000 | 3000 | 0.2\n"
        ));
        let rows: Vec<_> = report.tables.top_event.iter().map(|e| (e.time_s, e.avg_wait_us)).collect();
        assert_eq!(rows, [(Some(5_000.0), Some(100_000.0)), (Some(3_000.0), Some(200_000.0))], "{title}");
    }
}
