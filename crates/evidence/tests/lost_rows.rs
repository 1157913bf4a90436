//! Rows that are printed and cannot be read are counted where they stand: their section is unreadable, or read
//! in part, never printed without data.
#![allow(clippy::unwrap_used)]

#[path = "support/till.rs"]
mod till;

use spindle_facts::{Report, Section, SectionStatus};
use till::{HEAD, read};

#[allow(unused_imports, reason = "each test uses a part")]
use till::section;

const WAITS: &str = "\
Foreground Wait Events           DB/Inst: TILL/till  Snaps: 10-11

                                                Total
                                       %Time     Wait              Waits   % DB
Event                            Waits -outs Time (s)  Avg wait     /txn   time
-------------------------- ----------- ----- -------- --------- -------- ------
db file sequential read        360,121             40  109.72us      4.8    1.0
log file sync                   77,820      0       29  373.76us      1.0     .7
BFILE read                          15              6  403.57ms      0.0
SQL*Net message from clien       1,200   100      120  100.00ms      0.0
          -------------------------------------------------------------

Time Model Statistics            DB/Inst: TILL/till  Snaps: 10-11

                                                                % of  % of Total
Statistic Name                                       Time (s) DB Time   CPU Time
------------------------------------------ ------------------ ------- ----------
sql execute elapsed time                              2,765.8    69.6
parse time elapsed                                      862.4    21.7
DB CPU                                                1,234.8    31.1       98.7
DB time                                               3,974.4
          -------------------------------------------------------------

Wait Event Histogram             DB/Inst: TILL/till  Snaps: 10-11

                                                    % of Waits
                                 -----------------------------------------------
                           Total
Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s
-------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----
BFILE read                    15  12.0        88.0
log file sync                500        90.0   5.0   5.0
          -------------------------------------------------------------

";

fn squeezed(text: &str) -> String {
    text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn named<'r>(report: &'r Report, title: &str) -> &'r Section {
    report.sections.iter().find(|s| s.title == title).unwrap_or_else(|| panic!("{:?}", report.sections))
}

/// Of a row with a blank cell nobody knew which was blank, though a mean has a unit, shares have a point, and no
/// row lacks its time.
#[test]
fn squeezed_rows_with_a_blank_cell_are_told_apart() {
    let report = read(&squeezed(&format!("{HEAD}{WAITS}")));
    let found: Vec<_> =
        report.tables.wait_event.iter().map(|w| (w.event.as_str(), w.waits, w.time_s, w.share_pct)).collect();
    assert!(
        found.contains(&("db file sequential read", Some(360_121.0), Some(40.0), Some(1.0))),
        "{found:?} {:?}",
        report.notes
    );
    assert!(found.contains(&("log file sync", Some(77_820.0), Some(29.0), Some(0.7))), "{found:?}");
    let model: Vec<_> = report
        .tables
        .time_model
        .iter()
        .map(|t| (t.statistic.as_str(), t.time_s, t.share_db_time_pct))
        .collect();
    assert!(
        model.contains(&("parse time elapsed", Some(862.4), None)),
        "which share it is, is open: {model:?}"
    );
    assert!(model.contains(&("DB CPU", Some(1_234.8), Some(31.1))), "{model:?}");
    assert!(model.contains(&("DB time", Some(3_974.4), None)), "{model:?}");
}

/// A time that a mail lost is not the share of time-outs beside it.
#[test]
fn a_squeezed_row_that_lost_a_cell_contradicts_itself() {
    let lost = WAITS.replace("0       29  373.76us", "0           373.76us");
    let report = read(&squeezed(&format!("{HEAD}{lost}")));
    let sync = report.tables.wait_event.iter().find(|w| w.event == "log file sync");
    assert!(sync.is_none_or(|w| w.time_s.is_none()), "{sync:?}");
    assert!(named(&report, "Foreground Wait Events").lost > 0);
}

/// Rows that stood there were `printed without data`.
#[test]
fn a_section_of_which_no_row_could_be_read_was_absent() {
    let report = read(&squeezed(&format!("{HEAD}{WAITS}")));
    let histogram = named(&report, "Wait Event Histogram");
    assert_eq!((histogram.status, histogram.lost), (SectionStatus::Unreadable, 2), "{:?}", report.notes);
    let whole = read(&format!("{HEAD}{WAITS}"));
    assert_eq!(named(&whole, "Wait Event Histogram").status, SectionStatus::Read);
    assert!(whole.sections.iter().all(|s| s.lost == 0), "{:?}", whole.sections);
}

/// A section without a row is absent all the same.
#[test]
fn a_section_without_rows_is_absent() {
    let empty = "Tablespace IO Stats              DB/Inst: TILL/till  Snaps: 10-11\n-> ordered by IOs\n\n\
                 Tablespace\n------------------------------\n                 Av       Av     Av\n\
                 \x20        Reads Reads/s  Rd(ms) Blks/Rd\n-------------- ------- ------- -------\n\n";
    let report = read(&format!("{HEAD}{empty}"));
    let section = named(&report, "Tablespace IO Stats");
    assert_eq!((section.status, section.lost), (SectionStatus::Absent, 0));
}

/// `...` stood for the first row, 74 % of DB time, and nothing said that a row was missing.
#[test]
fn dots_within_a_table_were_no_rows_left_out() {
    use spindle_facts::ROWS_LEFT_OUT;
    let lines = |text: &str| -> Vec<Option<u32>> {
        let report = read(text);
        let notes = report.notes.iter().filter(|n| n.message == ROWS_LEFT_OUT);
        notes
            .inspect(|n| assert_eq!(n.section.as_deref(), Some("Foreground Wait Events")))
            .map(|n| n.line)
            .collect()
    };
    let whole = format!("{HEAD}{WAITS}");
    assert_eq!(lines(&whole), []);
    let line_of = |text: &str| {
        let at = text.lines().position(|l| l.starts_with("...") || l.starts_with("[...]")).unwrap();
        Some(u32::try_from(at).unwrap() + 1)
    };
    let first = "db file sequential read        360,121             40  109.72us      4.8    1.0\n";
    for dots in ["...\n", "[...]\n", "...\n...\n", "\n...\n\n"] {
        let text = whole.replacen(first, dots, 1);
        assert_eq!(lines(&text), [line_of(&text)], "{dots:?}");
    }
    // The end of the table below them says that they are of it.
    let last = "SQL*Net message from clien       1,200   100      120  100.00ms      0.0\n";
    let text = whole.replacen(last, "...\n", 1);
    assert_eq!(lines(&text), [line_of(&text)]);
    // Where the table ends above them, they may stand for other sections.
    let end = "          -------------------------------------------------------------\n\nTime Model";
    assert_eq!(lines(&whole.replacen(end, "\n...\n\nTime Model", 1)), []);
    // A page that lists them.
    let page = |row: &str| {
        format!(
            "<html><body><h1>WORKLOAD REPOSITORY report for</h1><h3>Foreground Wait Events</h3>\
             <table><tr><th>Event</th><th>Waits</th><th>Total Wait Time (s)</th><th>% DB time</th></tr>\n\
             {row}<tr><td>log file sync</td><td>77,820</td><td>29</td><td>.7</td></tr>\n\
             <tr><td>BFILE read</td><td>15</td><td>6</td><td>.1</td></tr></table></body></html>"
        )
    };
    let dots = "<tr><td>...</td><td>...</td><td></td><td></td></tr>\n";
    assert_eq!(lines(&page("")), []);
    assert_eq!(lines(&page(dots)).len(), 1);
}

/// A form feed within the headings cut off those above it: the means of all waits were lost, and one of 9 ms was 0.
#[test]
fn a_page_that_ended_within_the_headings_took_a_column() {
    let text = format!("{HEAD}{WAITS}");
    let broken = text.replacen(
        "                                       %Time     Wait",
        "\u{c}\n                                       %Time     Wait",
        1,
    );
    assert_ne!(broken, text);
    let means = |text: &str| -> Vec<_> {
        let waits = read(text).tables.wait_event;
        waits.iter().map(|w| (w.event.to_string(), w.time_s, w.avg_wait_us, w.timeouts_pct)).collect()
    };
    assert_eq!(means(&broken), means(&text));
    let ruler = "-------------------------- ----------- -----";
    assert_eq!(means(&text.replacen(ruler, &format!("\u{c}\n{ruler}"), 1)), means(&text));
}

/// 3 waits of 0 s and no mean were waits of 0 ms each.
#[test]
fn waits_whose_mean_is_not_printed_took_no_time() {
    let row = |time: &str, mean: &str| {
        let own = format!("BFILE read                          15       {time:>8} {mean:>9}      0.0");
        let text = format!("{HEAD}{WAITS}");
        let line = "BFILE read                          15              6  403.57ms      0.0";
        assert!(text.contains(line));
        let waits = read(&text.replacen(line, &own, 1)).tables.wait_event;
        let wait = waits.into_iter().find(|w| w.event == "BFILE read").unwrap();
        (wait.avg_wait_us, wait.avg_wait_us_low, wait.avg_wait_us_high.map(f64::round))
    };
    assert_eq!(row("0", ""), (None, Some(0.0), Some(33_333.0)));
    assert_eq!(row("0", "2.00ms").0, Some(2_000.0));
    assert_eq!(row("0", "0").0, Some(0.0), "as printed");
    assert_eq!(row("6", "").0, Some(400_000.0));
}

/// A banner of dashes in the text of a statement was taken for a ruler, or for the rule that ends the list: the
/// statements below it were lost without a word.
#[test]
fn a_banner_in_a_statement_ended_the_list() {
    let text = |banner: &str| {
        format!(
            "WORKLOAD REPOSITORY report for\n\nSQL ordered by Elapsed Time       DB/Inst: DBM/DBM  Snaps: 1822-1823\n\
             -> Captured SQL account for   95.3% of Total DB Time (s):           6,405\n\n\
             \x20       Elapsed                  Elapsed Time\n\
             \x20       Time (s)    Executions  per Exec (s)  %Total   %CPU    %IO    SQL Id\n\
             ---------------- -------------- ------------- ------ ------ ------ -------------\n\
             \x20        1,863.0        124,882          0.01   29.1    1.7   98.6 82ud5h0qcg0bf\n\
             SELECT 1 FROM DUAL\n\n\
             \x20        1,350.7          7,086          0.19   21.1   91.8    6.7 g8rhybcumtwd6\n\
             BEGIN /* nightly\n{banner}\nrun */ pkg.run; END;\n\n\
             \x20          651.8         36,852          0.02   10.2    3.2   96.9 9zd49du11u7cf\n\
             SELECT 2 FROM DUAL\n\n          -------------------------------------------------------------\n"
        )
    };
    for banner in [80, 64, 61, 54, 20].map(|dashes| "-".repeat(dashes)) {
        for indent in ["", "          "] {
            let banner = format!("{indent}{banner}");
            let reading = spindle_evidence::read("banner", text(&banner).as_bytes());
            let tables = &reading.reports[0].tables;
            let ids: Vec<_> = tables.sql_stat.iter().filter_map(|s| s.sql_id.as_deref()).collect();
            assert_eq!(ids, ["82ud5h0qcg0bf", "g8rhybcumtwd6", "9zd49du11u7cf"], "{banner}");
            assert!(tables.sql_text[1].text.ends_with("run */ pkg.run; END;"), "{:?}", tables.sql_text);
        }
    }
}

/// What a statement writes was taken for what the report says of itself: it set its times and host, began another
/// report, or ended the list.
#[test]
fn words_in_a_statement_were_those_of_the_report() {
    let text = |words: &str| {
        format!(
            "STATSPACK report for\n\n\
             DB Name         DB Id    Instance     Inst Num Release     Cluster Host\n\
             ------------ ----------- ------------ -------- ----------- ------- ------------\n\
             TILL            12345678 till                1 9.2.0.1.0   NO      tillhost\n\n\
             \x20           Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
             \x20           ------- ------------------ -------- --------- -------------------\n\
             Begin Snap:      10 01-Oct-03 10:00:00       20       3.0\n  \
             End Snap:      11 01-Oct-03 11:00:00       21       3.0\n\n\
             SQL ordered by Gets for DB: TILL  Instance: till  Snaps: 10 -11\n\n\
             \x20                                                    CPU      Elapsd\n  \
             Buffer Gets    Executions  Gets per Exec  %Total Time (s)  Time (s) Hash Value\n\
             --------------- ------------ -------------- ------ -------- --------- ----------\n\
             \x20     1,003,460        1,000        1,003.5   40.1    10.00     12.00 1234567890\n\
             Module: mail\nBEGIN mail.send('\n{words}\n'); END;\n\n\
             \x20       503,460        1,000          503.5   20.1     5.00      6.00 2345678901\n\
             SELECT 2 FROM DUAL\n\n          -------------------------------------------------------------\n\n\
             Instance Activity Stats for DB: TILL  Instance: till  Snaps: 10 -11\n\n\
             Statistic                                      Total     per Second    per Trans\n\
             --------------------------------- ------------------ -------------- ------------\n\
             physical reads                                36,000           10.0          1.0\n\
             \x20         -------------------------------------------------------------\n"
        )
    };
    for words in [
        "Elapsed:      15.40 (mins)",
        "   DB Time:   99.00 (mins)",
        "Host CPU  (CPUs: 77  Cores: 7  Sockets: 3)",
        "Begin Snap:         1 01-Jan-20 10:00:00       55      3.3",
        "STATSPACK report for",
        "WORKLOAD REPOSITORY report for",
        "~~~~~~~~~~~~~~~~",
        "</pre>",
        "<table border=1><tr><td>Elapsed:</td><td>15 (mins)</td></tr></table>",
        "<html><body><table><tr><th>Begin Snap:</th><td>7</td></tr></table></body></html>",
    ] {
        let reports = spindle_evidence::read("words", text(words).as_bytes()).reports;
        let [report] = reports.as_slice() else { panic!("{words}: {} reports", reports.len()) };
        let identity = &report.identity;
        assert_eq!(
            (identity.elapsed_s, identity.cpus, identity.db_time_s),
            (Some(3_600.0), None, None),
            "{words}"
        );
        assert_eq!((identity.begin_snap, identity.end_snap), (Some(10), Some(11)), "{words}");
        let tables = &report.tables;
        let gets: Vec<_> = tables.sql_stat.iter().filter_map(|s| s.buffer_gets).collect();
        assert_eq!(gets, [1_003_460.0, 503_460.0], "{words}");
        assert_eq!(tables.instance_stat.len(), 1, "{words}");
    }
}

/// A row of a browser's copy that has but its label (`Redo Requests:`) parted the rows below it from their title.
#[test]
fn a_label_without_values_ended_a_copied_table() {
    let text = "WORKLOAD REPOSITORY report for\n\nIO Profile\n\n\tRead+Write Per Second\tRead per Second\tWrite Per Second\n\
                Total Requests:\t467.5\t467.5\t0.0\nDatabase Requests:\t467.4\t467.4\t0.0\nRedo Requests:\t  \t  \t  \n\
                Total (MB):\t109.7\t109.7\t0.0\nDatabase (MB):\t109.7\t109.7\t0.0\n";
    let reading = spindle_evidence::read("copy", text.as_bytes());
    let rows = &reading.reports[0].tables.io_profile;
    let printed: Vec<_> = rows.iter().map(|row| (row.metric.as_str(), row.read_write_per_s)).collect();
    assert!(
        printed.contains(&("Total (MB)", Some(109.7))) && printed.contains(&("Database (MB)", Some(109.7))),
        "{printed:?}"
    );
}
