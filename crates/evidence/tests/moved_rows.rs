//! Rows that were moved, lost a cell or were cut off: what they hold is unknown, never read from the
//! place where it does not belong.
#![allow(clippy::unwrap_used)]

use spindle_facts::Report;

const HEAD: &str = "\
WORKLOAD REPOSITORY report for

DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC
------------ ----------- ------------ -------- --------------- ----------- ---
TILL          1234567890 till                1 01-Mar-24 08:00 11.2.0.3.0  NO

              Snap Id      Snap Time      Sessions Curs/Sess
            --------- ------------------- -------- ---------
Begin Snap:        10 01-Mar-24 10:00:00        40       1.5
  End Snap:        11 01-Mar-24 11:00:00        41       1.5
   Elapsed:               60.00 (mins)
   DB Time:              120.00 (mins)

";

fn read(text: &str) -> Report {
    let mut reports = spindle_evidence::read("moved", text.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

fn section(lines: &str) -> Report {
    read(&format!("{HEAD}{lines}"))
}

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
    for stat in report.tables.instance_stat.iter().filter(|s| s.statistic.starts_with("physical read")) {
        let read = (stat.total, stat.per_second, stat.per_transaction);
        assert_eq!(read, (Some(2_412_608.0), Some(670.2), Some(3.6)));
    }
}

const FUNCTIONS: &str = "\
IOStat by Function summary       DB/Inst: TILL/till  Snaps: 10-11

                Reads:   Reqs   Data    Writes:  Reqs   Data    Waits:    Avg
Function Name   Data    per sec per sec Data    per sec per sec Count    Tm(ms)
--------------- ------- ------- ------- ------- ------- ------- ------- -------
LGWR                 5M     0.4 .005546    811M   399.0 .899561  179.4K     0.1
Buffer Cache Re      7G   958.4 7.64671      0M     0.0      0M   3450K     4.4
";

/// `7G` of data became four thousand million requests a second.
#[test]
fn data_of_a_moved_row_are_no_requests() {
    let report = section(&FUNCTIONS.replace("Cache Re      7G", "Cache Re              7G"));
    for row in &report.tables.io_function {
        assert!(row.reads_per_s.is_none_or(|r| r < 1_000.0), "{row:?}");
    }
    assert_eq!(report.tables.io_function[0].writes_per_s, Some(399.0));
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
