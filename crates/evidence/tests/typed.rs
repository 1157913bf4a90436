//! Tables that people typed, squeezed, wrapped or marked up before they pasted them: what is read is
//! what stands there, and what cannot be told is left out with a note. All rows are invented.
#![allow(clippy::unwrap_used)]

use spindle_facts::{Kind, Metric, Report, ShareOf};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("pasted", text.as_bytes()).reports
}

/// Event, waits, seconds and share.
type Event<'a> = (&'a str, Option<f64>, Option<f64>, Option<f64>);

/// Every leading event.
fn events(report: &Report) -> Vec<Event<'_>> {
    report.tables.top_event.iter().map(|e| (e.event.as_str(), e.waits, e.time_s, e.share_pct)).collect()
}

fn left_out(report: &Report) -> Vec<(Option<u32>, &str)> {
    report.notes.iter().map(|n| (n.line, n.message.as_str())).filter(|n| n.1.contains("left out")).collect()
}

/// `db file sequential read 3,100 620` with its share on the next line was an event of that name.
#[test]
fn a_wrapped_row_is_no_event_with_numbers_in_its_name() {
    let text = "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~ %\nEvent Waits Time (s) Ela\nTime\n\
                ---------------------- ---------- ----------- ----\n\
                db file sequential read 3,100 620\n62.00\ndb file scattered read 25,519 200 20.00\n\
                CPU time 150 15.00\nIn all this is a busy system.\n";
    let reports = read(text);
    assert_eq!(
        events(&reports[0]),
        [
            ("db file sequential read", Some(3_100.0), Some(620.0), Some(62.0)),
            ("db file scattered read", Some(25_519.0), Some(200.0), Some(20.0)),
            ("CPU time", None, Some(150.0), Some(15.0)),
        ]
    );
    assert_eq!(left_out(&reports[0]), []);
}

/// Names, numbers and shares each on a line of their own were not read at all.
#[test]
fn rows_over_three_lines_under_a_wrapped_ruler() {
    let text = "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~\n% Total\nEvent\nWaits Time (s) Ela Time\n\
                -------------------------------------------- ------------\n----------- --------\n\
                db file\nsequential read\n568,000 4,400\n66.67\nCPU time\n1,980 30.00\n\
                log file sync\n7,050 50\n.76\n\nIn the above, 29% is CPU.\n";
    assert_eq!(
        events(&read(text)[0]),
        [
            ("db file sequential read", Some(568_000.0), Some(4_400.0), Some(66.67)),
            ("CPU time", None, Some(1_980.0), Some(30.0)),
            ("log file sync", Some(7_050.0), Some(50.0), Some(0.76)),
        ]
    );
}

/// A squeezed row whose time and share belong to no common total may have lost a cell.
#[test]
fn a_squeezed_row_that_contradicts_the_others_is_left_out() {
    let text = "Top 5 Timed Events\nEvent Waits Time (s) % Total\n---------- ----- ---- -----\n\
                db file sequential read 3,100 620 62.0\nlog file sync 500 100 10.0\nCPU time 150 15.0\n\
                direct path read 77 9,000 4.1\nlatch free 12\n";
    let reports = read(text);
    let names: Vec<&str> = events(&reports[0]).iter().map(|e| e.0).collect();
    assert_eq!(names, ["db file sequential read", "log file sync", "CPU time"]);
    let notes = left_out(&reports[0]);
    assert!(notes.iter().any(|(line, text)| *line == Some(7) && text.contains("do not agree")), "{notes:?}");
    assert!(
        notes.iter().any(|(line, text)| *line == Some(8) && text.contains("cannot be told")),
        "{notes:?}"
    );
}

/// Without title, under a ruler of the writer's own, with dashes for none: not recognised at all.
#[test]
fn an_untitled_typed_table_with_dashes_for_none() {
    let text = "Event                      Waits   Total Wait Time (sec)  Avg Wait  % DB time\n\
                -------------------------  ------  ---------------------  --------  ---------\n\
                DB CPU                          -                  1,800         -       60.0\n\
                db file sequential read   400,000                    600     1.5ms       20.0\n\
                log file sync              90,000                    210     2.3ms        7.0\n";
    let reports = read(text);
    assert_eq!(
        events(&reports[0]),
        [
            ("DB CPU", None, Some(1_800.0), Some(60.0)),
            ("db file sequential read", Some(400_000.0), Some(600.0), Some(20.0)),
            ("log file sync", Some(90_000.0), Some(210.0), Some(7.0)),
        ]
    );
    // Only AWR prints shares of DB time there.
    assert_eq!(reports[0].identity.kind, Kind::Awr);
    assert!(reports[0].tables.top_event.iter().all(|e| e.share_of == Some(ShareOf::DbTime)));
    assert!(reports[0].identity.excerpt);
}

/// Shares with percent signs were lost, and so were numbers in bold.
#[test]
fn percent_signs_bold_cells_and_units() {
    let text = "### 3.1 Top 10 Foreground Wait Events\n\n\
                | Event | Waits | Total Wait (sec) | Avg Wait | % DB Time | Wait Class |\n\
                |-------|------:|-----------------:|---------:|----------:|------------|\n\
                | **DB CPU** | \u{2014} | 5,000 | \u{2014} | **50.0%** | \u{2014} |\n\
                | direct path read | 1,000,000 | 250.0 | 250 \u{3bc}s | 2.5% | User I/O |\n\
                | SQL\\*Net more data to client | 2,000,000 | 80.0 | 40 \u{3bc}s | 0.8% | Network |\n";
    let reports = read(text);
    assert_eq!(
        events(&reports[0]),
        [
            ("DB CPU", None, Some(5_000.0), Some(50.0)),
            ("direct path read", Some(1_000_000.0), Some(250.0), Some(2.5)),
            ("SQL*Net more data to client", Some(2_000_000.0), Some(80.0), Some(0.8)),
        ]
    );
    assert_eq!(reports[0].tables.top_event[0].wait_class, None);
    assert_eq!(reports[0].tables.top_event[1].avg_wait_us.map(f64::round), Some(250.0));
}

/// With a cell missing between bars, the share of CPU was taken for its mean wait.
#[test]
fn cpu_has_no_mean_wait_where_a_cell_is_missing() {
    let text = "Top 10 Foreground Events by Total Wait Time\n\n\
                |Event |Waits |Total Wait Time (sec) |Wait Avg(ms) |% DB time |Wait Class|\n\
                |:----|----:|----:|----:|----:|----:|\n\
                |library cache lock |60,000 |120.0K |2000 |75.0 |Concurrency|\n\
                |DB CPU | |8000.0 |5.0 | |\n\
                |log file sync |500 |1.6 |\n";
    let reports = read(text);
    let cpu = &reports[0].tables.top_event[1];
    assert_eq!((cpu.event.as_str(), cpu.avg_wait_us, cpu.share_pct), ("DB CPU", None, Some(5.0)));
    assert_eq!(reports[0].tables.top_event.len(), 2);
    assert_eq!(left_out(&reports[0]).first().map(|n| n.0), Some(Some(7)));
}

/// A page that lost its line ends was not recognised.
#[test]
fn a_whole_table_on_one_line() {
    let text = "Here it is:\nTop 5 Timed Events Avg %Total ~~~~~~~~~~~~~~~~~~ wait Call Event Waits Time (s) (ms) Time \
                Wait Class ------------------------------ ------------ ----------- ------ ------ ---------- \
                db file scattered read 10,000 800 80 40.0 User I/O CPU time 600 30.0 read by other session \
                4,000 400 100 20.0 User I/O -------------------------------------------------------------\n";
    assert_eq!(
        events(&read(text)[0]),
        [
            ("db file scattered read", Some(10_000.0), Some(800.0), Some(40.0)),
            ("CPU time", None, Some(600.0), Some(30.0)),
            ("read by other session", Some(4_000.0), Some(400.0), Some(20.0)),
        ]
    );
}

/// A label wider than its column took the numbers of its own row into its name, and those of the next
/// row as its own.
#[test]
fn a_long_label_of_a_load_profile_does_not_take_the_next_rows_numbers() {
    let text = "Load Profile              Per Second       Per Transaction\n\
                ~~~~~~~~~~~~         ---------------       ---------------\n\
                DB Time(s):                      3.0                   0.1\n\
                Physical write blocks:         150.5                   4.2\n\
                Parses (SQL):                  450.0                  12.5\n\
                Transactions:                   35.5\n";
    let reports = read(text);
    let rows: Vec<_> = reports[0]
        .tables
        .load_profile
        .iter()
        .map(|r| (r.metric.as_str(), r.per_second, r.per_transaction))
        .collect();
    assert_eq!(
        rows,
        [
            ("DB Time(s)", Some(3.0), Some(0.1)),
            ("Physical write blocks", Some(150.5), Some(4.2)),
            ("Parses (SQL)", Some(450.0), Some(12.5)),
            ("Transactions", Some(35.5), None),
        ]
    );
}

/// Labels and even the title were wrapped.
#[test]
fn a_wrapped_load_profile() {
    let text = "Load\nProfile\n~~~~~~~~~~~~ Per Second Per Transaction\n-------------- ---------------\n\
                Redo size: 1,700.20 18,500.31\nLogical\nreads: 39.21 411.30\nParses: 2.04 21.37\n\
                The above statistics give an idea.\n";
    let reports = read(text);
    let rows: Vec<_> =
        reports[0].tables.load_profile.iter().map(|r| (r.line, r.metric.as_str(), r.per_second)).collect();
    assert_eq!(
        rows,
        [(5, "Redo size", Some(1_700.2)), (6, "Logical reads", Some(39.21)), (8, "Parses", Some(2.04))]
    );
}

/// The rates of a cluster's global cache stand under the same headings, and were taken for the load
/// profile's.
#[test]
fn rates_of_the_global_cache_are_no_load_profile() {
    let text = "Global Cache Load Profile\n\
                ~~~~~~~~~~~~~~~~~~~~~~~~~                  Per Second       Per Transaction\n\
                \x20                                     ---------------       ---------------\n\
                \x20   Global Cache blocks received:              224.16                  1.19\n\
                \x20     Global Cache blocks served:              216.40                  1.15\n";
    assert!(read(text).iter().all(|r| r.tables.load_profile.is_empty()));
}

/// Tables in the comments of a script were not recognised, and `:` below them went into a name.
#[test]
fn a_table_in_comments() {
    let text = "    # Top 5 Timed Events                                         Avg %Total\n\
                \x20   # ~~~~~~~~~~~~~~~~~~                                        wait   Call\n\
                \x20   # Event                                 Waits    Time (s)   (ms)   Time Wait Class\n\
                \x20   # ------------------------------ ------------ ----------- ------ ------ ----------\n\
                \x20   # CPU time                                          1,400          92.9\n\
                \x20   # Streams AQ: qmn coordinator           40,000         160      4   10.6      Other\n\
                \x20   #  :\n";
    let reports = read(text);
    assert_eq!(events(&reports[0])[0], ("CPU time", None, Some(1_400.0), Some(92.9)));
    assert!(!reports[0].tables.top_event.iter().any(|e| e.event.ends_with(':')));
}

/// Any table of a session's waits was one of an instance's.
#[test]
fn waits_without_title_and_share_are_of_nothing_known() {
    let text = "Event                     Waits  Seconds\n------------------------ ------ --------\n\
                db file sequential read     100        2\nlog file sync               300        4\n";
    assert!(read(text).iter().all(|r| r.tables.top_event.is_empty()));
}

/// "No part of it looks like a report" was said of texts in which a section's table stands.
#[test]
fn what_was_found_and_could_not_be_read_is_named() {
    let text = "See here:\n\nTop 5 Timed Events\nEvent Waits Time (s) % Total\n---------- ----- ---- -----\n\
                db file sequential read 3,100 62.0\nlog file sync 500 10.0\n";
    let reading = spindle_evidence::read("pasted", text.as_bytes());
    let why = reading.refused.unwrap();
    assert!(why.contains("line 6") && why.contains("2 rows") && why.contains("Top 5 Timed Events"), "{why}");
}

/// Leading events under headings without a ruler were not read.
#[test]
fn headings_without_a_ruler() {
    let text = "AWR shows:\n\n```\nTop 5 Foreground Events:\n  Event                       Waits      Time(s)   Avg wait(ms)\n\
                \x20 gc buffer busy acquire      1,234,000  8,456     6.85\n  log file sync              234,000    1,890     8.08\n```\n\
                Then we looked further.\n";
    let reports = read(text);
    assert_eq!(
        events(&reports[0]),
        [
            ("gc buffer busy acquire", Some(1_234_000.0), Some(8_456.0), None),
            ("log file sync", Some(234_000.0), Some(1_890.0), None),
        ]
    );
}

/// `1.247.832` and `58,2%` of other languages were no numbers; `3.847` is no three point eight.
#[test]
fn decimal_commas_between_bars() {
    let text = "La sección **Top 5 Timed Foreground Events** era elocuente:\n\n\
                | Event | Waits | Time (s) | % DB time |\n|---|---|---|---|\n\
                | db file scattered read | 1.247.832 | 3.847 | 58,2% |\n| log file sync | 12.445 | 287 | 4,3% |\n";
    assert_eq!(
        events(&read(text)[0]),
        [
            ("db file scattered read", Some(1_247_832.0), Some(3_847.0), Some(58.2)),
            ("log file sync", Some(12_445.0), Some(287.0), Some(4.3)),
        ]
    );
    let points = text.replace("1.247.832", "1,247,832").replace("3.847", "3,847").replace("12.445", "12,445");
    let points = points.replace("58,2", "58.2").replace("4,3%", "4.3%");
    assert_eq!(events(&read(&points)[0]), events(&read(text)[0]));
}

/// A load profile whose title stands in a line of words was not read; which of four columns the second
/// of two figures of DB time is of cannot be told.
#[test]
fn a_load_profile_below_words() {
    for ruler in ["", "---------------  -----------------  ----------  ----------\n"] {
        let text = format!(
            "**Load Profile \u{2014} per-second rates:**\n\n```\nPer Second       Per Transaction    Per Exec    Per Call\n{ruler}\
             DB Time(s):                8.1                0.02\nRedo size (bytes):   842,311.2\nExecutions:   3,102.4   12.5\n```\n"
        );
        let reports = read(&text);
        let rows: Vec<_> = reports[0]
            .tables
            .load_profile
            .iter()
            .map(|r| (r.known, r.per_second, r.per_transaction, r.per_exec))
            .collect();
        assert_eq!(
            rows,
            [
                (Some(Metric::DbTime), Some(8.1), None, None),
                (Some(Metric::RedoSize), Some(842_311.2), None, None),
                (Some(Metric::Executes), Some(3_102.4), Some(12.5), None),
            ],
            "{ruler:?}"
        );
    }
}

/// A table whose every other line is blank was not read.
#[test]
fn a_table_with_blank_lines_between_all_its_lines() {
    let text = "The listing shows disks:\n\n\nTop 5 Timed Events\n\n                                                           % Total\n\n\
                Event                        Waits         Time (s)       Ela Time\n\n\
                --------------------------- ------------ -----------      --------\n\n\
                db file sequential read       3,100            620          62.00\n\n\
                log file sync                 2,519            200          20.00\n\n\
                CPU time                                       150          15.00\n\n\nSo much for that.\n";
    assert_eq!(
        events(&read(text)[0]),
        [
            ("db file sequential read", Some(3_100.0), Some(620.0), Some(62.0)),
            ("log file sync", Some(2_519.0), Some(200.0), Some(20.0)),
            ("CPU time", None, Some(150.0), Some(15.0)),
        ]
    );
}

/// Words right above statements between bars were overwritten by the title that the table lacked.
#[test]
fn words_above_statements_between_bars_were_lost() {
    let table = "| Elapsed Time (s) | Executions | SQL Id |\n|---|---|---|\n\
        | 812.5 | 1,200 | 7a9b3c5d1e2f4 |\n| 77.1 | 4 | 8a9b3c5d1e2f4 |\n";
    let said = |above: &str| {
        let reports = read(&format!("{above}{table}"));
        let [report] = reports.as_slice() else { panic!("{}", reports.len()) };
        (report.identity.elapsed_s, report.identity.db_time_s, report.tables.sql_stat.len())
    };
    let times = "Elapsed: 60.00 (mins)\nDB Time: 20.00 (mins)\n";
    assert_eq!(said(&format!("What we got:\n\n{times}\n")), (Some(3_600.0), Some(1_200.0), 2));
    assert_eq!(said(&format!("What we got:\n\n{times}")), (Some(3_600.0), Some(1_200.0), 2));
}
