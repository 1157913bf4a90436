//! Rows that were moved, lost a cell or were cut off: what they hold is unknown, never read from the
//! place where it does not belong.
#![allow(clippy::unwrap_used)]

#[path = "support/till.rs"]
mod till;

use spindle_facts::Report;
use till::{HEAD, read, section};

fn left_out(report: &Report, line: u32) -> bool {
    report.notes.iter().any(|n| n.line == Some(line) && n.message.contains("left out"))
}

const TABLESPACES: &str = "\
Tablespace IO Stats              DB/Inst: TILL/till  Snaps: 10-11
-> ordered by IOs (Reads + Writes) desc

Tablespace
------------------------------
                 Av       Av     Av                       Av     Buffer  Av Buf
         Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)
-------------- ------- ------- ------- ------------ -------- ---------- -------
CASH
       612,004     170     7.1     1.0      112,300       31      1,800     6.1
RECEIPTS
 90 0 5.0 1.0 1,200 1 40 0.3
SYSTEM
           310       0     9.5     3.1           44        0          2     0.0
STAFF
            15       0     0.0     1.0           15        0          0     0.0
          -------------------------------------------------------------
";

/// A name whose numbers had lost their blanks took those of the next tablespace, a column off.
#[test]
fn a_tablespace_does_not_take_the_numbers_of_the_next_one() {
    let report = section(TABLESPACES);
    let found: Vec<_> =
        report.tables.tablespace_io.iter().map(|t| (t.tablespace.as_str(), t.reads, t.writes)).collect();
    let whole = [
        ("CASH", Some(612_004.0), Some(112_300.0)),
        ("SYSTEM", Some(310.0), Some(44.0)),
        ("STAFF", Some(15.0), Some(15.0)),
    ];
    assert_eq!(found, whole);
    assert!(left_out(&report, 24), "{:?}", report.notes);
}

#[test]
fn a_name_without_numbers_leaves_the_next_ones_alone() {
    let lost = TABLESPACES.replace(" 90 0 5.0 1.0 1,200 1 40 0.3\n", "");
    let report = section(&lost);
    let found: Vec<_> =
        report.tables.tablespace_io.iter().map(|t| (t.tablespace.as_str(), t.reads)).collect();
    assert_eq!(found, [("CASH", Some(612_004.0)), ("SYSTEM", Some(310.0)), ("STAFF", Some(15.0))]);
    assert!(left_out(&report, 24), "{:?}", report.notes);
}

const ACTIVITY: &str = "\
Instance Activity Stats          DB/Inst: TILL/till  Snaps: 10-11

Statistic                                     Total     per Second     per Trans
-------------------------------- ------------------ -------------- -------------
physical read total IO requests           2,412,608          670.2           3.6
physical write total IO requests            901,212          250.3           1.3
";

/// The total was read as the rate, and another total computed from it.
#[test]
fn a_row_moved_by_a_column_keeps_its_total() {
    let moved = ACTIVITY.replace("requests           2,412,608", "requests                   2,412,608");
    let report = section(&moved);
    let found: Vec<_> = report.tables.instance_stat.iter().map(|s| (s.statistic.as_str(), s.total)).collect();
    let whole = [
        ("physical read total IO requests", Some(2_412_608.0)),
        ("physical write total IO requests", Some(901_212.0)),
    ];
    assert_eq!(found, whole);
    let first = &report.tables.instance_stat[0];
    assert_eq!((first.per_second, first.per_transaction), (Some(670.2), Some(3.6)));
}

const FUNCTIONS: &str = "\
IOStat by Function summary       DB/Inst: TILL/till  Snaps: 10-11

                Reads:   Reqs   Data    Writes:  Reqs   Data    Waits:    Avg
Function Name   Data    per sec per sec Data    per sec per sec Count    Tm(ms)
--------------- ------- ------- ------- ------- ------- ------- ------- -------
LGWR                 5M     0.4 .005546    811M   399.0 .899561  179.4K     0.1
Buffer Cache Re      7G   958.4 7.64671      0M     0.0      0M   3450K     4.4
DBWR                 0M     0.0      0M    2.6G   262.2 2.94936       0     N/A
";

/// `7G` of data became four thousand million requests a second.
#[test]
fn data_of_a_moved_row_are_no_requests() {
    let report = section(&FUNCTIONS.replace("Cache Re      7G", "Cache Re              7G"));
    let found: Vec<_> =
        report.tables.io_function.iter().map(|f| (f.function.as_deref().unwrap(), f.reads_per_s)).collect();
    let whole = [("LGWR", Some(0.4)), ("Buffer Cache Reads", Some(958.4)), ("DBWR", Some(0.0))];
    assert_eq!(found, whole);
}

/// Half a number was read as a whole one.
#[test]
fn a_number_at_the_end_of_a_cut_text_is_unknown() {
    let text = format!("{HEAD}{ACTIVITY}");
    let at = text.find("2,412,608").unwrap();
    let report = read(&text[..at + 3]);
    assert!(report.tables.instance_stat.iter().all(|s| s.total.is_none()));
    assert!(report.notes.iter().any(|n| n.line == Some(18) && n.message.contains("ends in a number")));
}

const WAITS: &str = "\
Foreground Wait Events           DB/Inst: TILL/till  Snaps: 10-11

                                                             Avg
                                        %Time Total Wait    wait    Waits   % DB
Event                             Waits -outs   Time (s)    (ms)     /txn   time
-------------------------- ------------ ----- ---------- ------- -------- ------
db file sequential read         620,207     0      5,568       9      2.8   71.3
log file sync                   182,738     0         94       1      1.0    1.5
direct path read                402,117     0      4,042      10      0.6   13.8
";

/// Numbers that end beside their columns stood under the headings of others, or were half of themselves.
#[test]
fn a_number_that_ends_beside_its_column_is_not_read() {
    for (whole, damaged) in [
        // Blanks more and less, a lost cell, a line cut and a line wrapped within a number.
        ("182,738     0         94", "182,738     0            94"),
        ("182,738     0         94", "182,738     0  94"),
        ("182,738     0         94       1      1.0", "182,738     0       1      1.0"),
        ("182,738     0         94       1      1.0    1.5", "182,738     0         9"),
        (
            "182,738     0         94       1      1.0    1.5",
            "182,7\n38     0         94       1      1.0    1.5",
        ),
    ] {
        let report = section(&WAITS.replace(whole, damaged));
        let all = [
            ("db file sequential read", Some(620_207.0), Some(5_568.0)),
            ("log file sync", Some(182_738.0), Some(94.0)),
            ("direct path read", Some(402_117.0), Some(4_042.0)),
        ];
        let found: Vec<_> =
            report.tables.wait_event.iter().map(|w| (w.event.as_str(), w.waits, w.time_s)).collect();
        assert!(found.contains(&all[0]) && found.contains(&all[2]), "{damaged}: {found:?}");
        // As many numbers as columns are put right.
        assert!(found.iter().all(|row| all.contains(row)), "{damaged}: {found:?}");
        let words = |text: &str| text.split_whitespace().count();
        assert_eq!(found.len() == 3, words(damaged) == words(whole), "{damaged}: {found:?}");
    }
}

/// The name went on with the next one, of which the numbers were lost.
#[test]
fn a_name_as_wide_as_its_column_does_not_take_the_next_one() {
    let lost = WAITS
        .replace("db file sequential read   ", "enq: TX - row lock contenti")
        .replace("                182,738     0         94       1      1.0    1.5", "");
    let report = section(&lost);
    let found: Vec<_> = report.tables.wait_event.iter().map(|w| w.event.as_str()).collect();
    assert_eq!(found, ["enq: TX - row lock contention", "direct path read"]);
}

/// The share of idle time was read as that of waiting for I/O, in a report of AIX.
#[test]
fn a_value_printed_without_its_width_does_not_move_the_others() {
    let report = section(
        "Host CPU\n~~~~~~~~                  Load Average\n\
         \x20CPUs Cores Sockets     Begin       End     %User   %System      %WIO     %Idle\n\
         ----- ----- ------- --------- --------- --------- --------- --------- ---------\n\
         \x20  24     6       1.31      1.62      11.4       2.1       0.5      86.5\n",
    );
    let [cpu] = report.tables.host_cpu.as_slice() else { panic!("{:?}", report.notes) };
    assert_eq!((cpu.load_begin, cpu.load_end), (Some(1.31), Some(1.62)));
    let shares = (cpu.user_pct, cpu.system_pct, cpu.io_wait_pct, cpu.idle_pct);
    assert_eq!(shares, (Some(11.4), Some(2.1), Some(0.5), Some(86.5)));
}

/// Buckets that were cut off counted as empty ones.
#[test]
fn shares_that_do_not_add_up_are_no_distribution() {
    let whole = "\
Wait Event Histogram             DB/Inst: TILL/till  Snaps: 10-11

                                                    % of Waits
                                 -----------------------------------------------
                           Total
Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s
-------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----
db file sequential read    1000   12.0  30.0  40.0  10.0   5.0   2.0   1.0
log file sync               500   70.0  20.0   5.0   5.0
";
    let report = section(whole);
    let events = |report: &Report| {
        let mut names: Vec<_> = report.tables.wait_histogram.iter().map(|h| h.event.to_string()).collect();
        names.dedup();
        names
    };
    assert_eq!(events(&report), ["db file sequential read", "log file sync"]);
    let report = section(&whole.replace("  10.0   5.0   2.0   1.0", ""));
    assert_eq!(events(&report), ["log file sync"]);
    assert!(left_out(&report, 25) || report.notes.iter().any(|n| n.message.contains("add up")));
}

/// One row without a read time made that of all others 1 second.
#[test]
fn a_misprinted_column_is_known_where_a_row_of_it_lacks() {
    let advice = "\
Buffer Pool Advisory             DB/Inst: TILL/till  Snap: 11

                                    Est
                                   Phys      Estimated                  Est
    Size for   Size      Buffers   Read     Phys Reads     Est Phys %DBtime
P    Est (M) Factor  (thousands) Factor    (thousands)    Read Time for Rds
--- -------- ------ ------------ ------ -------------- ------------ -------
D         64     .5            8    1.4            520            1   310.0
D        128    1.0           16    1.0            371                270.0
D        192    1.5           24     .9            350            1   255.0
";
    let report = section(advice);
    let found: Vec<_> = report
        .tables
        .db_cache_advice
        .iter()
        .map(|a| (a.estimated_read_time_s, a.estimated_db_time_pct))
        .collect();
    assert_eq!(found, [(Some(310.0), None), (Some(270.0), None), (Some(255.0), None)]);
}

fn page(rows: &str) -> String {
    format!(
        "<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Instance Activity Stats</h3>\n\
         <table><tr><th>Statistic</th><th>Total</th><th>per Second</th><th>per Trans</th></tr>\n\
         <tr><td>physical reads</td><td>4,000</td><td>1.1</td><td>0.1</td></tr>\n\
         <tr><td>physical reads cache</td><td>3,000</td><td>0.8</td><td>0.1</td></tr>\n{rows}"
    )
}

/// The rate was read as the total.
#[test]
fn a_row_of_html_that_lost_a_cell_or_holds_one_twice_is_left_out() {
    for row in [
        "<tr><td>physical writes</td><td>2.5</td><td>0.2</td></tr>",
        "<tr><td>physical writes</td><td>9,000</td><td>9,000</td><td>2.5</td><td>0.2</td></tr>",
    ] {
        let report = read(&page(&format!("{row}</table></body></html>\n")));
        let [stat, _] = report.tables.instance_stat.as_slice() else {
            panic!("{:?}", report.tables.instance_stat)
        };
        assert_eq!((stat.statistic.as_str(), stat.total), ("physical reads", Some(4_000.0)));
        assert!(left_out(&report, 6), "{:?}", report.notes);
    }
}

/// Of two rows, neither was thought more right than the other, and a single one was always right.
#[test]
fn one_of_two_rows_of_html_that_lost_a_cell_is_left_out() {
    let damaged = "<tr><td>DB CPU</td><td>12.5</td></tr>";
    for rows in [format!("<tr><td>DB time</td><td>800</td><td>100</td></tr>{damaged}"), damaged.to_owned()] {
        let report = read(&page(&format!(
            "</table><h3>Time Model Statistics</h3>\n<table><tr><th>Statistic Name</th>\
             <th>Time (s)</th><th>% of DB Time</th></tr>\n{rows}</table></body></html>\n"
        )));
        let cpu = report.tables.time_model.iter().find(|row| row.statistic == "DB CPU");
        assert!(cpu.is_none(), "{cpu:?}");
        assert_eq!(report.tables.time_model.len(), usize::from(rows != damaged));
        assert!(left_out(&report, 8), "{:?}", report.notes);
    }
}

/// A label's last cells may lack where they have no heading, and its only value be followed by blanks;
/// the text of a statement spans the columns below its numbers.
#[test]
fn rows_of_html_that_are_printed_with_other_cells_are_kept() {
    let report = read(
        "<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n\
         <table><tr><th></th><th>Snap Id</th><th>Snap Time</th><th>Sessions</th></tr>\n\
         <tr><td>Begin Snap:</td><td>10</td><td>01-Mar-24 10:00:00</td><td>40</td></tr>\n\
         <tr><td>End Snap:</td><td>11</td><td>01-Mar-24 11:00:00</td><td>41</td></tr>\n\
         <tr><td>Elapsed:</td><td>&nbsp;</td><td>60.00 (mins)</td><td>&nbsp;</td><td>&nbsp;</td></tr>\n\
         <tr><td>DB Time:</td><td>&nbsp;</td><td>120.00 (mins)</td><td>&nbsp;</td><td>&nbsp;</td></tr>\n\
         </table><h3>Cache Sizes</h3>\n\
         <table><tr><th></th><th>Begin</th><th>End</th><th></th><th></th></tr>\n\
         <tr><td>Buffer Cache:</td><td>1,840M</td><td>1,840M</td><td>Std Block Size:</td><td>16K</td></tr>\n\
         <tr><td>In-Memory Area:</td><td>12M</td><td>12M</td></tr>\n\
         </table></body></html>",
    );
    assert_eq!(report.identity.db_time_s, Some(7_200.0));
    assert!(!report.notes.iter().any(|n| n.message.contains("left out")), "{:?}", report.notes);
}

#[test]
fn a_page_cut_inside_a_cell_does_not_give_half_a_number() {
    for end in ["<td>9,0", "<td>9,000</td><td>2", "<td>9,000</td><td>2.5</td><td>0"] {
        let report = read(&page(&format!("<tr><td>physical writes</td>{end}")));
        let stat = report.tables.instance_stat.iter().find(|s| s.statistic == "physical writes");
        assert!(stat.is_none_or(|s| s.total != Some(9.0) && s.per_transaction.is_none()), "{stat:?}");
    }
}

/// The mean in milliseconds was read as the number of waits.
#[test]
fn tabs_of_four_do_not_move_headings() {
    let text = format!(
        "{HEAD}\
Foreground Wait Events           DB/Inst: TILL/till  Snaps: 10-11\n\n\
\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t Avg\n\
\t\t\t\t\t\t\t\t\t\t%Time Total Wait\twait\tWaits\t% DB\n\
Event\t\t\t\t\t\t\t  Waits -outs\tTime (s)\t(ms)\t /txn\ttime\n\
-------------------------- ------------ ----- ---------- ------- -------- ------\n\
db file sequential read\t\t\t620,207\t\t0\t   5,568\t   9\t  2.8\t71.3\n\
log file sync\t\t\t\t\t182,738\t\t0\t\t  94\t   1\t  1.0\t 1.5\n\
read by other session\t\t\t  2,753\t\t0\t\t  27\t  10\t  0.0\t  .4\n\n\
Instance Activity Stats          DB/Inst: TILL/till  Snaps: 10-11\n\n\
Statistic\t\t\t\t\t\t\t\t\t  Total\t per Second\t per Trans\n\
-------------------------------- ------------------ -------------- -------------\n\
physical reads\t\t\t\t\t\t\t\t  2,412,608\t\t  670.2\t\t   3.6\n"
    );
    let report = read(&text);
    for wait in &report.tables.wait_event {
        let waits = match wait.event.as_str() {
            "db file sequential read" => 620_207.0,
            "log file sync" => 182_738.0,
            _ => 2_753.0,
        };
        assert!(wait.waits.is_none_or(|w| (w - waits).abs() < 0.5), "{wait:?}");
    }
}

/// Statistic, seconds, percent of DB time.
const MODEL: [(&str, &str, &str); 5] = [
    ("sql execute elapsed time", "6,114.4", "95.5"),
    ("DB CPU", "1,701.4", "26.6"),
    ("DB time", "6,404.6", ""),
    ("background elapsed time", "107.5", ""),
    ("background cpu time", "38.7", ""),
];

/// An editor or a mail indents rows and leaves their ruler: 107.5 s of the background became 107.5 % of DB time.
#[test]
fn rows_that_all_moved_under_their_ruler_had_the_numbers_of_other_columns() {
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    for by in 0..=12 {
        let row = |(name, time_s, pct): (&str, &str, &str)| {
            format!("{}{}\n", " ".repeat(by), format!("{name:<42} {time_s:>18} {pct:>12}").trim_end())
        };
        let report = section(&format!(
            "Time Model Statistics            DB/Inst: TILL/till  Snaps: 10-11\n\n\
             Statistic Name                                       Time (s) % of DB Time\n\
             ------------------------------------------ ------------------ ------------\n{}",
            MODEL.map(row).concat()
        ));
        let found = &report.tables.time_model;
        assert!(by == 1 || found.len() == MODEL.len(), "{by}: {found:?} {:?}", report.notes);
        for row in found {
            let own = MODEL.iter().find(|own| own.0 == row.statistic);
            let (_, time_s, pct) = own.unwrap_or_else(|| panic!("{by}: {row:?}"));
            assert_eq!((row.time_s, row.share_db_time_pct), (number(time_s), number(pct)), "{by}");
        }
    }
}
