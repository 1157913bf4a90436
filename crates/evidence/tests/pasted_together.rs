//! Pieces of reports as pages and threads show them: several databases in one text, prose and code
//! fences around, remarks behind rows, pages of SQL*Plus. What is read is what stands there, of the
//! report that it is of. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("pasted", text.as_bytes()).reports
}

fn time_model(report: &Report, statistic: &str) -> Option<f64> {
    report.tables.time_model.iter().find(|r| r.statistic == statistic)?.time_s
}

const TABLESPACES: &str = "Tablespace IO Stats            DB/Inst: TILL/till1  Snaps: 310-311\n\
    -> ordered by IOs (Reads + Writes) desc\n\n\
    Tablespace\n------------------------------\n\
    \x20                Av      Av     Av                       Av     Buffer Av Buf\n\
    \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
    -------------- ------- ------ ------- ------------ -------- ---------- ------\n\
    RECEIPTS\n\
    \x20      218,840     214   12.1     1.9        3,937        4        229   18.0\n\
    \x20         -------------------------------------------------------------\n\n";
const TIMES: &str = "Time Model Statistics          DB/Inst: DEPOT/depot2  Snaps: 44-45\n\
    -> Total time in database user-calls (DB Time): 9152.9s\n\n\
    Statistic Name                                       Time (s) % of DB Time\n\
    ------------------------------------------ ------------------ ------------\n\
    sql execute elapsed time                              8,765.1         95.8\n\
    DB CPU                                                1,948.8         21.3\n\
    DB time                                               9,152.9\n\
    \x20         -------------------------------------------------------------\n\n";

/// DB time of one database stood beside the tablespaces of another, as of one report.
#[test]
fn sections_of_two_databases_are_two_reports() {
    let both = format!("{TABLESPACES}{TIMES}");
    let reports = read(&both);
    let found: Vec<_> = reports
        .iter()
        .map(|r| {
            let id = &r.identity;
            (id.db_name.as_deref(), id.begin_snap, r.tables.tablespace_io.len(), time_model(r, "DB time"))
        })
        .collect();
    assert_eq!(found, [(Some("TILL"), Some(310), 1, None), (Some("DEPOT"), Some(44), 0, Some(9_152.9))]);
    // What comes back to the first database is of its report.
    let files = TABLESPACES.replace("Tablespace IO Stats", "Undo Segment Summary");
    assert_eq!(read(&format!("{both}{files}")).len(), 2);
}

/// The end of a long line is cut off: `Snaps: 310-31` is of the report of `310-311`.
#[test]
fn cut_snapshots_are_of_the_same_report() {
    let cut = TIMES.replace("DEPOT/depot2  Snaps: 44-45", "TILL/till1  Snaps: 310-31");
    let reports = read(&format!("{TABLESPACES}{cut}"));
    assert_eq!(reports.len(), 1);
    assert_eq!(time_model(&reports[0], "DB time"), Some(9_152.9));
}

const EVENTS: &str = "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~ % Total\nEvent Waits Time (s) Ela Time\n\
    ---------------------- ---------- ----------- --------\n\
    db file sequential read 3,100 620 62.00\nlog file sync 2,519 200 20.00\nCPU time 150 15.00\n";

/// Leading events of two systems, typed below each other, were added up.
#[test]
fn two_typed_tables_of_leading_events_are_two_reports() {
    let second = EVENTS.replace("3,100 620 62.00", "90,000 720 72.00");
    let reports = read(&format!("{EVENTS}\nAfter the move to other disks:\n\n{second}"));
    let reads: Vec<_> = reports
        .iter()
        .map(|r| (r.tables.top_event.len(), r.tables.top_event[0].waits, r.tables.top_event[0].time_s))
        .collect();
    assert_eq!(reads, [(3, Some(3_100.0), Some(620.0)), (3, Some(90_000.0), Some(720.0))]);
    // Words under the title are no table of another report.
    let explained = format!("## 4. Top 5 Timed Events\n\nThe five that took longest.\n\n{EVENTS}");
    assert_eq!(read(&explained).len(), 1);
}

/// The number of the second snapshot stood beside the elapsed time of the first.
#[test]
fn a_second_table_of_snapshots_begins_another_report() {
    let header = |begin: u32, minutes: &str| {
        format!(
            "              Snap Id      Snap Time      Sessions Curs/Sess\n\
             \x20           --------- ------------------- -------- ---------\n\
             Begin Snap: {begin:9} 11-Mar-19 09:00:10        88       1.8\n\
             \x20 End Snap: {:9} 11-Mar-19 10:00:12        91       1.9\n\
             \x20  Elapsed:               {minutes} (mins)\n\n",
            begin + 1
        )
    };
    let reports = read(&format!("Good:\n\n{}Bad:\n\n{}", header(700, "60.03"), header(724, "30.02")));
    let found: Vec<_> = reports.iter().map(|r| (r.identity.begin_snap, r.identity.elapsed_s)).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].0, Some(700));
    assert!((found[0].1.unwrap() - 3_601.8).abs() < 2.0, "{found:?}");
    assert_eq!(found[1].0, Some(724));
    assert!((found[1].1.unwrap() - 1_801.2).abs() < 2.0, "{found:?}");
}

const HEADER: &str = "WORKLOAD REPOSITORY report for\n\
    DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
    ------------ ----------- ------------ -------- --------------- ----------- ---\n\
    TILL          2629620001 till.example.com            1 22-Jan-13 16:49 11.2.0.3.0  YES\n\
    Host Name        Platform                         CPUs Cores Sockets Memory(GB)\n\
    ---------------- -------------------------------- ---- ----- ------- ----------\n\
    shop10           AIX-Based Systems (64-bit)        128    32             320.00\n\
    \x20             Snap Id      Snap Time      Sessions Curs/Sess\n\
    \x20           --------- ------------------- -------- ---------\n\
    Begin Snap:      5853 23-Jan-13 15:00:56     3,520       1.8\n\
    \x20 End Snap:      5854 23-Jan-13 15:30:41     3,765       1.9\n";

/// Without blank lines between them the tables of the header ran into one; a changed name had moved
/// the row of the database beside its columns.
#[test]
fn a_header_without_blank_lines_and_with_a_longer_name() {
    let reports = read(HEADER);
    let id = &reports[0].identity;
    assert_eq!((id.db_name.as_deref(), id.db_id), (Some("TILL"), Some(2_629_620_001)));
    assert_eq!((id.instance.as_deref(), id.instance_number), (Some("till.example.com"), Some(1)));
    assert_eq!((id.version.as_deref(), id.rac), (Some("11.2.0.3.0"), Some(true)));
    assert_eq!((id.host.as_deref(), id.cpus, id.cores), (Some("shop10"), Some(128.0), Some(32.0)));
    assert_eq!((id.begin_snap, id.end_snap), (Some(5_853), Some(5_854)));
}

const WAITS: &str = "Foreground Wait Events          Snaps: 19-23\n\
    -> %Timeouts: value of 0 indicates value was < .5%.  Value of null is truly 0\n\n\
    \x20                                                            Avg\n\
    \x20                                       %Time Total Wait    wait    Waits   % DB\n\
    Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
    -------------------------- ------------ ----- ---------- ------- -------- ------\n\
    db file sequential read         274,352     0      3,030      11     13.3   34.3 <== look\n\
    log file sync                   172,193     0      2,776      16      0.7    7.1\n";

/// `< .5%` of a remark was taken for a tag: the table behind it was lost, up to the next `>`.
#[test]
fn a_bare_less_than_in_a_page_begins_no_tag() {
    let page =
        format!("<table>\n<tr><td>What it means</td></tr>\n</table>\n\n{WAITS}\n<p>An arrow -> here.</p>\n");
    let reports = read(&page);
    let rows = &reports[0].tables.wait_event;
    assert_eq!(rows.len(), 2, "{rows:?}");
    // Lines are those of the page.
    assert_eq!(page.lines().position(|l| l.starts_with("log file sync")).unwrap() + 1, rows[1].line as usize);
}

/// `34.3 <== look` was no number.
#[test]
fn a_remark_behind_the_last_number_is_none_of_it() {
    let reports = read(WAITS);
    let shares: Vec<_> = reports[0].tables.wait_event.iter().map(|e| e.share_pct).collect();
    assert_eq!(shares, [Some(34.3), Some(7.1)]);
}

const STATEMENTS: &str = "SQL ordered by Reads              DB/Inst: TILL/till1  Snaps: 310-311\n\
    -> Total Disk Reads:      56,839,035\n\n\
    \x20  Physical              Reads              Elapsed\n\
    \x20     Reads  Executions per Exec   %Total   Time (s)   %CPU    %IO    SQL Id\n\
    ----------- ----------- ---------- ------ ---------- ------ ------ -------------\n\
    \x20 9,006,163           1 9.0062E+06   15.8      720.9    5.9   80.9 4g36tmp70h001\n\
    select sum(amount) from receipts\n";

/// The prose below an excerpt became the text of its last statement.
#[test]
fn words_below_a_statement_are_none_of_its_text() {
    for below in
        ["```\nThis one reads most.\n", "\nThis one reads most, by far.\nIt is new\n\n### Segments\n"]
    {
        let reports = read(&format!("```\n{STATEMENTS}{below}"));
        let texts: Vec<_> = reports[0].tables.sql_text.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(texts, ["select sum(amount) from receipts"], "{below:?}");
    }
}

/// Statements with their text beside the numbers were not read at all.
#[test]
fn a_typed_list_of_statements_with_their_text_in_a_column() {
    let text = "SQL ordered by Buffer Gets\n~~~~~~~~~~~~~~~~~~~~~~~~~~\n-> Total Buffer Gets:  306,000\n\n\
        \x20 Buffer Gets   Executions  Gets per Exec  %Total    SQL Id        SQL Text\n\
        -------------- ----------- -------------- ------- ------------- ------------------------------\n\
        \x20      153,000          50          3,060    50.0 a83nd71mzp001 SELECT * FROM RECEIPTS WHERE...\n\
        \x20       61,200     200,000            306    20.0 39amz81pqw001 SELECT PRICE FROM ITEMS WHE...\n";
    let reports = read(text);
    let rows: Vec<_> = reports[0]
        .tables
        .sql_stat
        .iter()
        .map(|s| (s.ranked_by, s.sql_id.as_deref(), s.buffer_gets, s.share_pct))
        .collect();
    assert_eq!(
        rows,
        [
            ("buffer_gets", Some("a83nd71mzp001"), Some(153_000.0), Some(50.0)),
            ("buffer_gets", Some("39amz81pqw001"), Some(61_200.0), Some(20.0)),
        ]
    );
    assert_eq!(reports[0].tables.sql_text[0].text, "SELECT * FROM RECEIPTS WHERE...");
}

/// A table of statements of 10.2 without its title was kept as printed only.
#[test]
fn statements_of_10_2_are_known_without_their_title() {
    let text = "              Snap Id      Snap Time      Sessions Curs/Sess\n\
        \x20           --------- ------------------- -------- ---------\n\
        Begin Snap:      7578 18-Oct-07 17:00:55       107       7.1\n\
        \x20 End Snap:      7579 18-Oct-07 18:00:07       110       7.0\n\n\
        \x20 Elapsed      CPU                  Elap per  % Total\n\
        \x20 Time (s)   Time (s)  Executions   Exec (s)  DB Time    SQL Id\n\
        ---------- ---------- ------------ ---------- ------- -------------\n\
        \x20       36         35           15        2.4     1.7 04qg4p77v9001\n\
        SELECT id FROM receipts\n";
    let reports = read(text);
    let row = &reports[0].tables.sql_stat[0];
    assert_eq!((row.ranked_by, row.sql_id.as_deref()), ("elapsed_time", Some("04qg4p77v9001")));
    assert_eq!((row.elapsed_s, row.cpu_s, row.executions), (Some(36.0), Some(35.0), Some(15.0)));
}

const LEADING: &str = "Top 10 Foreground Events by Total Wait Time\n\
    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
    \x20                                          Total Wait       Avg   % DB Wait\n\
    Event                                Waits Time (sec)      Wait   time Class\n\
    ------------------------------ ----------- ---------- --------- ------ --------\n\
    enq: TX - row lock contention            1       52.9   52.86 s   98.9 Applicat\n\
    db file sequential read                 13          0    3.23ms     .1 User I/O\n\
    DB CPU                                             .4               .8\n\n\
    Time Model Statistics                      DB/Inst: TILL/till1  Snaps: 37-38\n\n\
    \x20                                                               % of  % of Total\n\
    Statistic Name                                       Time (s) DB Time   CPU Time\n\
    ------------------------------------------ ------------------ ------- ----------\n\
    DB CPU                                                    0.4      .8       75.5\n\
    DB time                                                  53.4\n\
    \x20                         ------------------------------------------------------\n";

/// A report that was selected has a heading on every page, in the middle of tables and of their
/// headings: it cut shares off, and became a row.
#[test]
fn headings_of_pages_of_a_selected_report_part_no_table() {
    let whole = read(&format!("WORKLOAD REPOSITORY report for\n\n{LEADING}"));
    for (before, heading) in
        [("", "\nOUTPUT\n"), ("", "\nOUTPUT\n--------------------------------------------\n")]
    {
        let mut text = format!("{before}OUTPUT\nWORKLOAD REPOSITORY report for\n\n");
        for (number, line) in LEADING.lines().enumerate() {
            if number % 3 == 0 {
                text += heading;
            }
            text += line;
            text += "\n";
        }
        let reports = read(&text);
        let events = |r: &Report| -> Vec<_> {
            let rows = r.tables.top_event.iter();
            rows.map(|e| (e.event.clone(), e.waits, e.avg_wait_us, e.share_pct)).collect()
        };
        assert_eq!(events(&reports[0]), events(&whole[0]), "{text}");
        assert_eq!(events(&reports[0]).len(), 3);
        let model = |r: &Report| r.tables.time_model.iter().map(|t| t.statistic.clone()).collect::<Vec<_>>();
        assert_eq!(model(&reports[0]), ["DB CPU", "DB time"]);
    }
}

/// Headings that a page marks up as data headed nothing.
#[test]
fn headings_marked_up_as_data() {
    let page = "<html><body><h3>Top 5 Timed Foreground Events</h3>\n<table border=\"1\">\n\
        <tr><td>Event</td><td>Waits</td><td>Time(s)</td><td>Avg wait(ms)</td><td>% DB time</td><td>Wait Class</td></tr>\n\
        <tr><td>DB CPU</td><td></td><td>4320</td><td></td><td>48.0</td><td></td></tr>\n\
        <tr><td>log file sync</td><td>50000</td><td>900</td><td>18</td><td>10.0</td><td>Commit</td></tr>\n</table>\n\
        <h3>Load Profile</h3>\n<table>\n<tr><th>Per Second</th><th>Per Transaction</th></tr>\n\
        <tr><td>DB Time(s):</td><td>2.0</td><td>0.1</td></tr>\n</table></body></html>\n";
    let reports = read(page);
    let events: Vec<_> =
        reports[0].tables.top_event.iter().map(|e| (e.event.as_str(), e.time_s, e.share_pct)).collect();
    assert_eq!(events, [("DB CPU", Some(4_320.0), Some(48.0)), ("log file sync", Some(900.0), Some(10.0))]);
    let profile = &reports[0].tables.load_profile;
    assert_eq!((profile[0].per_second, profile[0].per_transaction), (Some(2.0), Some(0.1)));
    assert!(reports[0].sections.iter().all(|s| s.status == SectionStatus::Read), "{:?}", reports[0].sections);
}

/// A section whose SQL Ids stand in eleven characters, as 11.2.0.1 prints them, was not read.
#[test]
fn sql_ids_that_are_cut_off_are_those_of_other_sections() {
    let text = format!(
        "{STATEMENTS}\n          -------------------------------------------------------------\n\n\
         SQL ordered by Executions                    DB/Inst: TILL/till1  Snaps: 310-311\n\
         -> Total Executions:          92,773\n\n\
         \x20                                             Elapsed\n\
         \x20Executions   Rows Processed  Rows per Exec   Time (s)   %CPU    %IO    SQL Id\n\
         ------------ --------------- -------------- ---------- ------ ------ -----------\n\
         \x20     14,233          14,233            1.0        0.6   86.2     .0 7sx5p1ug001\n\
         select 1 from dual\n\n\
         \x20          1               1            1.0      720.9    5.9   80.9 4g36tmp70h0\n\
         select sum(amount) from receipts\n"
    );
    let report = &read(&text)[0];
    let rows: Vec<_> = report
        .tables
        .sql_stat
        .iter()
        .filter(|s| s.ranked_by == "executions")
        .map(|s| (s.sql_id.as_deref(), s.executions, s.elapsed_s))
        .collect();
    assert_eq!(
        rows,
        [(Some("7sx5p1ug001"), Some(14_233.0), Some(0.6)), (Some("4g36tmp70h001"), Some(1.0), Some(720.9)),]
    );
    assert_eq!(report.tables.sql_text.len(), 2);
    assert!(report.notes.iter().any(|n| n.message.contains("cut off: 1 of them")), "{:?}", report.notes);
}

/// Cells in bold type were blank.
#[test]
fn bold_cells_between_bars() {
    let text = "# WORKLOAD REPOSITORY REPORT for\n\n## Top 5 Timed Foreground Events\n\n\
        | Event | Waits | Time(s) | Avg wait (ms) | % DB time | Wait Class |\n|---|---|---|---|---|---|\n\
        | db file sequential read | 456,231 | 4,256 | 9 | **28.9** | User I/O |\n\
        | log file sync | 89,234 | 2,156 | 24 | 14.6 | Commit |\n\n\
        ## Instance Efficiency Percentages (Target 100%)\n\n\
        | Statistic | Value | Statistic | Value |\n|---|---|---|---|\n\
        | Buffer Hit % | 95.28 | Soft Parse % | 92.07 |\n";
    let report = &read(text)[0];
    let shares: Vec<_> = report.tables.top_event.iter().map(|e| e.share_pct).collect();
    assert_eq!(shares, [Some(28.9), Some(14.6)]);
    assert_eq!(report.tables.efficiency.len(), 2);
}

/// A page cut inside a table went on taking the tables of the page behind it: their snapshots became its own.
#[test]
fn a_page_cut_in_a_table_took_the_snapshots_of_the_next() {
    let page = |snap: u32| {
        format!(
            "<html><head><title>AWR Report</title></head><body><h1>WORKLOAD REPOSITORY report for</h1>\
             <table><tr><th>DB Name</th><th>DB Id</th><th>Instance</th><th>Inst num</th><th>Release</th></tr>\
             <tr><td>TILL</td><td>1234567890</td><td>till</td><td>1</td><td>11.2.0.3.0</td></tr></table>\
             <table><tr><th></th><th>Snap Id</th><th>Snap Time</th></tr>\
             <tr><td>Begin Snap:</td><td>{snap}</td><td>23-Apr-14 {snap}:00:00</td></tr>\
             <tr><td>End Snap:</td><td>{}</td><td>23-Apr-14 {}:00:00</td></tr></table>\
             <h3>Time Model Statistics</h3><table><tr><th>Statistic Name</th><th>Time (s)</th></tr>\
             <tr><td>DB CPU</td><td>{snap}00</td></tr><tr><td>DB time</td><td>{snap}000</td></tr></table></body></html>",
            snap + 1,
            snap + 1
        )
    };
    let whole = page(10);
    for cut in ["<tr><td>DB time", "DB time</td><td>10000", "00</td></tr></table></body>", "</table></body>"]
    {
        let both = format!("{}{}", &whole[..whole.find(cut).unwrap()], page(20));
        let reports = spindle_evidence::read("both", both.as_bytes()).reports;
        let snaps: Vec<_> = reports.iter().map(|r| (r.identity.begin_snap, r.identity.end_snap)).collect();
        assert_eq!(snaps, [(Some(10), Some(11)), (Some(20), Some(21))], "cut at {cut}");
        let times =
            |at: usize| -> Vec<_> { reports[at].tables.time_model.iter().map(|t| t.time_s).collect() };
        assert_eq!(times(1), [Some(2_000.0), Some(20_000.0)], "cut at {cut}");
        assert!(!times(0).contains(&Some(100.0)), "cut at {cut}: half a number");
    }
}

/// A time that was printed with one decimal was another interval beside the same time with two: 0.3 s decided,
/// whatever the numbers were printed with.
#[test]
fn a_rounded_elapsed_time_is_of_the_same_interval() {
    let heads = |first: &str, second: &str| {
        format!(
            "Elapsed:       {first} (mins) Av Act Sess:       0.7\n\n{TIMES}\
             Elapsed:       {second} (mins) Av Act Sess:       0.7\n\n{TABLESPACES}"
        )
        .replace("TILL/till1  Snaps: 310-311", "DEPOT/depot2  Snaps: 44-45")
    };
    for (first, second, intervals) in [
        ("0.2", "0.23", 1),
        ("0.23", "0.2", 1),
        ("60", "60.04", 1),
        ("60.04", "60.04", 1),
        ("0.23", "0.20", 2),
        ("0.2", "0.26", 2),
        ("60.04", "60.06", 2),
        ("60", "61.04", 2),
    ] {
        let reports = read(&heads(first, second));
        assert_eq!(reports.len(), intervals, "{first} and {second}: {reports:#?}");
    }
    // The time with more decimals is that of the interval, whichever stands first.
    let three = heads("0.2", "0.23") + "Elapsed:       0.17 (mins)\n\n" + EVENTS;
    assert_eq!(read(&three).len(), 2);
}

/// The snapshots of a head were taken for those of the section above it, whose title names others.
#[test]
fn a_head_with_other_snapshots_than_the_title_above_it_is_of_another_interval() {
    let head = |begin: u32| {
        format!(
            "              Snap Id      Snap Time      Sessions Curs/Sess\n\
             \x20           --------- ------------------- -------- ---------\n\
             Begin Snap:      {begin:4} 16-Feb-16 09:30:25     2,649       3.1\n\
             \x20 End Snap:      {:4} 16-Feb-16 10:00:27     2,650       3.1\n\
             \x20  Elapsed:               30.02 (mins)\n\
             \x20  DB Time:              740.93 (mins)\n\n\
             Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
             ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
             \x20     DB Time(s):               24.7                0.0       0.00       0.00\n\n",
            begin + 1
        )
    };
    let told = |text: &str| -> Vec<_> {
        let found = read(text);
        found
            .iter()
            .map(|r| {
                let id = &r.identity;
                (id.begin_snap, id.end_snap, id.elapsed_s.is_some(), r.tables.load_profile.len())
            })
            .collect()
    };
    let other = [(Some(44), Some(45), false, 0), (Some(8_019), Some(8_020), true, 1)];
    assert_eq!(told(&format!("{TIMES}{}", head(8_019))), other);
    // Without the names of the database, and as Statspack prints them.
    for behind in ["Snaps: 44-45", "for DB: DEPOT  Instance: depot2  Snaps: 44 -45"] {
        let times = TIMES.replace("DB/Inst: DEPOT/depot2  Snaps: 44-45", behind);
        assert_eq!(told(&format!("{times}{}", head(8_019))), other, "{behind}");
        let reversed = told(&format!("{}{times}", head(8_019)));
        assert_eq!(reversed.iter().map(|r| r.0).collect::<Vec<_>>(), [Some(8_019), Some(44)], "{behind}");
        assert_eq!(told(&format!("{times}{}", head(44))), [(Some(44), Some(45), true, 1)], "{behind}");
    }
    assert_eq!(told(&format!("{TIMES}{}", head(44))), [(Some(44), Some(45), true, 1)]);
    // What comes back to a head that names no database is of it.
    let back = format!("{}{}{TABLESPACES}", head(310), head(8_019));
    let read_back: Vec<_> =
        read(&back).iter().map(|r| (r.identity.begin_snap, r.tables.tablespace_io.len())).collect();
    assert_eq!(read_back, [(Some(310), 1), (Some(8_019), 0)]);
}

/// Between bars the snapshots of a second head were those of the figures above it.
#[test]
fn a_second_table_of_snapshots_between_bars_begins_another_report() {
    let report = |begin: u32, redo: &str| {
        format!(
            "### Snapshots\n\n|  | Snap Id | Snap Time | Sessions | Cursors/Session |\n| --- | --- | --- | --- | --- |\n\
             | Begin Snap: | {begin} | 20-Jan-25 08:00:22 | 493 | 2.1 |\n| End Snap: | {} | 20-Jan-25 11:00:59 | 560 | 1.9 |\n\
             | Elapsed: |  | 180.61 (mins) |  |  |\n| DB Time: |  | 710.67 (mins) |  |  |\n\n\
             ### Load Profile\n\n|  | Per Second | Per Transaction |\n| --- | --- | --- |\n\
             | DB Time(s): | 3.9 | 0.1 |\n| Redo size: | {redo} | 11,613.0 |\n| Logical reads: | 295,008.8 | 6,635.7 |\n\n",
            begin + 6
        )
    };
    let found: Vec<_> = read(&format!("{}{}", report(310, "516,290.8"), report(316, "416,290.8")))
        .iter()
        .map(|r| {
            let redo = r.tables.load_profile.iter().find(|l| l.metric == "Redo size");
            (r.identity.begin_snap, r.identity.end_snap, redo.and_then(|l| l.per_second))
        })
        .collect();
    assert_eq!(found, [(Some(310), Some(316), Some(516_290.8)), (Some(316), Some(322), Some(416_290.8))]);
    assert_eq!(read(&format!("{}{}", report(310, "516,290.8"), report(310, "516,290.8"))).len(), 1);
}

const FENCED: &str = "What does this tell you?\n\n```\nTop 5 Timed Foreground Events:\n\
    Event                         Waits       Time(s)   Avg(ms)  %DB Time\n\
    enq: TX - row lock contention 12,450      8,940     718.4    52.3%\n\
    CPU time                                  3,200               18.7%\n\
    db file sequential read       2.1M        2,400     1.1       14.0%\n\
    log file sync                 85,000      1,200     14.1      7.0%\n```\n\n";
const ADDM: &str = "ADDM Report for Task 'TASK_4711'\n---------------------------------\n\n\
    Analysis Period\n---------------\nAWR snapshot range from 100 to 101.\n\
    Time period starts at 27-SEP-26 10.00.05 AM\nTime period ends at 27-SEP-26 01.00.07 PM\n\n";

fn events(report: &Report) -> usize {
    report.tables.top_event.len()
}

/// What somebody typed above the head of an ADDM report was dropped without a word, and what stands below it in the
/// layout of AWR.
#[test]
fn tables_above_and_below_findings_of_addm_were_dropped() {
    let above = read(&format!("{FENCED}{ADDM}"));
    assert_eq!(above.iter().map(events).sum::<usize>(), 4);
    let below = read(&format!("{ADDM}{TABLESPACES}"));
    assert_eq!(below.iter().map(|r| r.tables.tablespace_io.len()).sum::<usize>(), 1);
}

/// Events of another report stood in the report of samples below them, as of its fifteen minutes.
#[test]
fn an_excerpt_above_a_report_of_samples_is_a_report_of_its_own() {
    let samples = "ASH Report For TILL/till1\n\nDB Name         DB Id    Instance     Inst Num Release     RAC Host\n\
        ------------ ----------- ------------ -------- ----------- --- ------------\n\
        TILL          2532911053 till1               1 11.2.0.3.0  NO  tern\n\n\
        \x20         Analysis Begin Time:   23-Apr-14 18:45:00\n\
        \x20           Analysis End Time:   23-Apr-14 19:00:00\n\
        \x20                Elapsed Time:        15.0 (mins)\n\n\
        Top User Events            DB/Inst: TILL/till1  (Apr 23 18:45 to 19:00)\n\n\
        \x20                                                              Avg Active\n\
        Event                               Event Class        % Event   Sessions\n\
        ----------------------------------- --------------- ---------- ----------\n\
        db file sequential read             User I/O             69.19       4.96\n\
        \x20         -------------------------------------------------------------\n";
    let events_above = "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~ % Total\nEvent Waits Time (s) Ela Time\n\
        -------------------------------------------- ------------ ----------- --------\n\
        CPU time 37,297 52.27\nasync disk IO 943,852 5,265 7.38\ndb file sequential read 13,042,432 3,493 4.90\n\
        -------------------------------------------------------------\n\n\n";
    let reports = read(&format!("{events_above}{samples}"));
    let found: Vec<_> = reports.iter().map(|r| (r.identity.db_name.as_deref(), events(r))).collect();
    assert_eq!(found, [(None, 3), (Some("TILL"), 1)]);
}

/// Rows of a query below the end of a section made the sums of the section above.
#[test]
fn a_table_with_other_headings_below_the_end_of_a_section_is_none_of_it() {
    let query = "RECEIPTS_OF                 Reads   Writes\n-------------- ------------ --------\n\
        RECEIPTS             9,999       77\n";
    let reports = read(&format!("{TABLESPACES}{query}"));
    let rows = &reports[0].tables.tablespace_io;
    assert_eq!((rows.len(), rows[0].reads), (1, Some(218_840.0)));
}

/// Headings that stand right behind the end of a page, below a row and above the next, were taken in part: 60 MB were
/// printed as 100.9.
#[test]
fn headings_glued_to_the_end_of_a_page_were_read_in_part() {
    let headings = "                                                             Hist\n\
        \x20                                    Avg  Std Dev     Max     Max\n\
        \x20               Alloc      Used    Alloc    Alloc   Alloc   Alloc    Num    Num\n\
        \x20  Category      (MB)      (MB)     (MB)     (MB)    (MB)    (MB)   Proc  Alloc\n\
        \x20- -------- --------- --------- -------- -------- ------- ------- ------ ------\n";
    let text = format!(
        "Process Memory Summary                    DB/Inst: TILL/till1  Snaps: 310-311\n\
         -> B: Begin Snap   E: End Snap\n\n{headings}\
         B Freeable      92.3        .0      1.4      2.3      12     N/A     66     66\n\
         \u{c}{headings}\
         E Freeable     100.9        .0      1.7      3.1      18     N/A     60     60\n\
         \x20                         ------------------------------------------------------\n"
    );
    let reports = read(&text);
    let found: Vec<_> = reports[0].tables.process_memory.iter().map(|r| r.allocated_bytes).collect();
    let mib = |mb: f64| Some(mb * 1_048_576.0);
    assert_eq!(found, [mib(92.3), mib(100.9)]);
}

/// A report was refused whole, since the words of a heading under an indented ruler made it a copy without rulers.
#[test]
fn one_table_with_a_ruler_beside_words_of_headings_is_read() {
    let reports =
        read(&format!("{TIMES}Notes on memory\n                     Avg  Std Dev     Max     Max\n"));
    assert_eq!(reports.first().and_then(|r| time_model(r, "DB time")), Some(9_152.9));
}

const PRINTED_EVENTS: &str = "Top 5 Timed Foreground Events
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                                                           Avg
                                                          wait   % DB
Event                                 Waits     Time(s)   (ms)   time Wait Class
------------------------------ ------------ ----------- ------ ------ ----------
db file sequential read              35,732       6,575    184   77.5 User I/O
DB CPU                                            1,701          20.1
log file sync                         3,825       1,495    391   17.6 Commit
";
const RATIOS: &str = "Instance Efficiency Percentages (Target 100%)
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            Buffer Nowait %:   99.97       Redo NoWait %:  100.00
            Buffer  Hit   %:   97.43    In-memory Sort %:  100.00
";
const OWN: &str = "| Item | Value |\n|---|---|\n| data block | 24,543 |\n| undo header | 743 |\n";
const OF_A_PAGE: &str = "<table>\n<tr><th>Class</th><th>Waits</th></tr>\n<tr><td>data block</td>\
    <td>24,543</td></tr>\n<tr><td>undo header</td><td>743</td></tr>\n</table>\n";

fn one(text: &str) -> Report {
    let mut reports = read(text);
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

/// One section as printed beside somebody's own table, as in any issue or blog: the page was refused, the ratios stood
/// there twice, or rows of the table were ratios.
#[test]
fn a_section_as_printed_beside_a_table_of_ones_own_was_refused() {
    for own in [OWN, OF_A_PAGE] {
        for text in [
            format!("{PRINTED_EVENTS}\n{own}"),
            format!("Our server:\n\n{own}\nAWR says:\n\n{PRINTED_EVENTS}"),
        ] {
            let report = one(&text);
            let waits: Vec<_> =
                report.tables.top_event.iter().map(|e| (&*e.event, e.waits, e.time_s)).collect();
            let expected = [
                ("db file sequential read", Some(35_732.0), Some(6_575.0)),
                ("log file sync", Some(3_825.0), Some(1_495.0)),
            ];
            assert!(expected.iter().all(|row| waits.contains(row)), "{text}\n{waits:?}");
        }
        for text in [format!("{RATIOS}\n{own}"), format!("{own}\n{RATIOS}")] {
            let report = one(&text);
            let ratios: Vec<_> = report.tables.efficiency.iter().map(|r| r.number("pct")).collect();
            let expected = [Some(99.97), Some(100.0), Some(97.43), Some(100.0)];
            assert_eq!(ratios, expected, "{text}");
        }
    }
    // A section of its own in such a table is read beside it.
    let both = format!(
        "{RATIOS}\n## Top 5 Timed Foreground Events\n\n| Event | Waits | Time(s) | Avg wait (ms) | % DB time | Wait Class |\n\
         |---|---|---|---|---|---|\n| db file sequential read | 35,732 | 6,575 | 184 | 77.5 | User I/O |\n"
    );
    let report = one(&both);
    assert_eq!((report.tables.efficiency.len(), report.tables.top_event.len()), (4, 1));
}

/// Of a row with a number or two, moved by a blank, nothing was said: the CPU of the top events was unknown.
#[test]
fn a_row_with_few_numbers_that_was_moved_was_lost_without_a_word() {
    let lost = |text: &str| one(text).sections.iter().map(|s| s.lost).sum::<u32>();
    assert_eq!(lost(PRINTED_EVENTS), 0);
    for (from, to) in [
        ("1,701          20.1", "1,701           20.1"),
        ("DB CPU                                            1,701          20.1", "DB CPU 1,701 20.1"),
    ] {
        let moved = PRINTED_EVENTS.replace(from, to);
        assert_ne!(moved, PRINTED_EVENTS);
        assert_eq!(lost(&moved), 1, "{moved}");
    }
    // It was the name of the row below it, and that stood on its line.
    let moved = "Operating System Statistics
-> *TIME statistic values are diffed.

Statistic                                  Value        End Value
------------------------- ---------------------- ----------------
AVG_BUSY_TIME                             36,021
AVG_IDLE_TIME                              36,021
AVG_IOWAIT_TIME                            9,021
          -------------------------------------------------------------
";
    let report = one(moved);
    assert_eq!(report.sections.iter().map(|s| s.lost).sum::<u32>(), 1);
    let rows: Vec<_> = report.tables.os_stat.iter().map(|s| (&*s.statistic, s.line)).collect();
    assert_eq!(rows, [("AVG_BUSY_TIME", 6), ("AVG_IOWAIT_TIME", 8)]);
}

const OF_STATSPACK: &str = "Top 5 Timed Events                                                    Avg %Total\n\
    ~~~~~~~~~~~~~~~~~~                                                   wait   Call\n\
    Event                                            Waits    Time (s)   (ms)   Time\n\
    ----------------------------------------- ------------ ----------- ------ ------\n\
    CPU time                                                     2,105          61.0\n\
    db file sequential read                        104,210         903      9   26.2\n\
    log file parallel write                          8,377          71      8    2.1\n\
    \x20         -------------------------------------------------------------\n\n";
const OF_AWR: &str = "Top 10 Foreground Events by Total Wait Time\n\
    | Event | Waits | Total Wait Time (sec) | Wait Avg(ms) | % DB time | Wait Class |\n\
    |---|---|---|---|---|---|\n\
    | log file sync | 51,300 | 17.1K | 333 | 41.2 | Commit |\n\
    | gc buffer busy acquire | 42,010 | 9204 | 219 | 22.2 | Cluster |\n\
    | DB CPU | | 401.7 | | 1.0 | |\n\n";
const OF_CLUSTER: &str = "Global Cache and Enqueue Services - Workload Characteristics\n\
    | Avg global enqueue get time (ms): | 40.1 |\n\
    |---|---|\n\
    | Avg global cache cr block receive time (ms): | 3.1 |\n\
    | Avg global cache cr block flush time (ms): | 212.4 |\n\n";

/// Leading events of two databases, one list as printed and one between bars, were those of one report, whose shares
/// came to 14,358 %.
#[test]
fn leading_events_as_printed_and_between_bars_are_of_two_reports() {
    let text = format!("One case.\n\n{OF_STATSPACK}Another one.\n\n{OF_AWR}Its cluster:\n\n{OF_CLUSTER}");
    let reports = read(&text);
    let found: Vec<_> = reports.iter().map(|r| r.tables.top_event.len()).collect();
    assert_eq!(found, [3, 3]);
    assert!(reports[0].tables.top_event.iter().all(|e| e.event != "log file sync"));
    // What stands below the second list is of its database.
    let of_cluster =
        |r: &Report| r.sections.iter().any(|s| s.title.starts_with("Global Cache") && s.rows > 0);
    assert_eq!(reports.iter().map(of_cluster).collect::<Vec<_>>(), [false, true]);
}

/// The head above the second list of leading events was taken for that of the first one, which has none.
#[test]
fn a_head_above_a_second_list_of_leading_events_is_of_the_second() {
    let head = "            Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
        \x20           ------- ------------------ -------- --------- -------------------\n\
        Begin Snap:     721 14-Jun-07 15:00:01      378       3.6\n\
        \x20 End Snap:     723 14-Jun-07 16:00:01      384       4.3\n\
        \x20  Elapsed:               60.00 (mins)\n\n";
    let second = OF_STATSPACK.replace("2,105", "9,310").replace("61.0", "80.2").replace("903", "804");
    let text = format!("{OF_STATSPACK}Here is another one.\n\n{head}{second}");
    let reports = read(&text);
    let found: Vec<_> = reports.iter().map(|r| (r.identity.begin_snap, r.tables.top_event.len())).collect();
    assert_eq!(found, [(None, 3), (Some(721), 3)]);
    assert_eq!(reports[1].identity.elapsed_s, Some(3_600.0));
    // Somebody who shows the events first and their head below means one report.
    let one = read(&format!("{OF_STATSPACK}It was taken here:\n\n{head}"));
    assert_eq!(one.iter().map(|r| r.identity.begin_snap).collect::<Vec<_>>(), [Some(721)]);
}

/// A squeezed list of leading events above one between bars was lost without a word.
#[test]
fn squeezed_events_above_events_between_bars_were_lost_without_a_word() {
    let squeezed = "We had this on the old machine:\n\
        Event Waits Time(s) Avg wait (ms) % DB time Wait Class\n\
        direct path read 645,153 19,720 31 47.65 User I/O\n\
        DB CPU 7,624 18.42\n\
        db file sequential read 480,907 3,149 7 7.61 User I/O\n\n";
    let reports = read(&format!("{squeezed}And this on the new one:\n\n{OF_AWR}"));
    let found: Vec<_> = reports
        .iter()
        .map(|r| (r.tables.top_event.len(), r.tables.top_event.first().and_then(|e| e.time_s)))
        .collect();
    assert_eq!(found, [(3, Some(19_720.0)), (3, Some(17_100.0))]);
}

/// The same where the bars are most of the text: the two lists were those of one report.
#[test]
fn squeezed_events_above_many_lines_of_bars_are_of_a_report_of_their_own() {
    let squeezed = "Event Waits Time(s) Avg wait (ms) % DB time Wait Class\n\
        direct path read 645,153 19,720 31 47.65 User I/O\n\
        DB CPU 7,624 18.42\n\n";
    let reports = read(&format!("{squeezed}The new one:\n{OF_AWR}{OF_CLUSTER}"));
    let found: Vec<_> = reports.iter().map(|r| r.tables.top_event.len()).collect();
    assert_eq!(found, [2, 3]);
}

/// Advisories and limits name the last snapshot alone: those of three databases were one report.
#[test]
fn sections_of_one_snapshot_were_of_whatever_report_stood_above_them() {
    let section = |trailer: &str| {
        format!(
            "Resource Limit Stats                     {trailer}\n\n\
             \x20                                 Current      Maximum     Initial\n\
             Resource Name                   Utilization  Utilization Allocation   Limit\n\
             ------------------------------ ------------ ------------ ---------- ----------\n\
             processes                             2,615        8,011      10000      10000\n\
             \x20         -------------------------------------------------------------\n\n"
        )
    };
    let parameters = "init.ora Parameters  DB/Inst: SHOP/shop1  Snaps: 556-559\n\n\
                      \x20                                                               End value\n\
                      Parameter Name                Begin value                       (if different)\n\
                      ----------------------------- --------------------------------- --------------\n\
                      cpu_count                     8\n\
                      \x20         -------------------------------------------------------------\n\n";
    let names = |trailers: [&str; 2]| {
        let text = format!("{parameters}{}{}", section(trailers[0]), section(trailers[1]));
        let reports = spindle_evidence::read("a", text.as_bytes()).reports;
        reports.into_iter().map(|r| r.identity.db_name.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(names(["DB/Inst: SHOP/shop1  Snap: 559", "DB/Inst: SHOP/shop1  Snap: 559"]), ["SHOP"]);
    let other = names(["DB/Inst: STOCK/stock2  Snap: 70723", "DB/Inst: STOCK/stock2  Snap: 70723"]);
    assert_eq!(other, ["SHOP", "STOCK"]);
    let others = names(["DB/Inst: STOCK/stock2  Snap: 70723", "DB/Inst: TILL/till1  Snap: 70723"]);
    assert_eq!(others, ["SHOP", "STOCK", "TILL"]);
    // Of another time of the same database.
    assert_eq!(names(["DB/Inst: SHOP/shop1  Snap: 559", "DB/Inst: SHOP/shop1  Snap: 601"]), ["SHOP", "SHOP"]);
}
