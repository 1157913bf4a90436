//! Reports whose numbers and dates were written anew on their way, in the habit of another country: thousands between
//! blanks and apostrophes, decimal commas in some tables, days and months as numbers. All names and figures are
//! invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, Value};

fn one(page: &str) -> Report {
    let mut reports = spindle_evidence::read("page", page.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{page}");
    reports.remove(0)
}

const HEAD: &str = "<h1>WORKLOAD REPOSITORY report for</h1>\n<table><tr><th>DB Name</th><th>DB Id</th>\
    <th>Instance</th><th>Inst num</th><th>Startup Time</th><th>Release</th><th>RAC</th></tr>\
    <tr><td>TILL</td><td>2629620001</td><td>till</td><td>1</td><td>22-Jan-19 16:49</td><td>19.0.0.0.0</td>\
    <td>NO</td></tr></table>\n<table><tr><th></th><th>Snap Id</th><th>Snap Time</th><th>Sessions</th>\
    <th>Cursors/Session</th></tr><tr><td>Begin Snap:</td><td>310</td><td>23-Jan-19 15:00:56</td><td>52</td>\
    <td>1.8</td></tr><tr><td>End Snap:</td><td>311</td><td>23-Jan-19 16:00:56</td><td>65</td><td>1.9</td></tr>\
    <tr><td>Elapsed:</td><td></td><td>60.00 (mins)</td><td></td><td></td></tr></table>\n";

fn page(tables: &str) -> String {
    format!("<html><body>{HEAD}{tables}</body></html>")
}

fn events(rows: &str) -> String {
    format!(
        "<h3>Foreground Wait Events</h3>\n<table><tr><th>Event</th><th>Waits</th><th>%Time -outs</th>\
         <th>Total Wait Time (s)</th><th>Avg wait</th><th>Waits /txn</th><th>% DB time</th></tr>\n{rows}</table>\n"
    )
}

const IO_BY_FUNCTION: &str = "<h3>IOStat by Function summary</h3>\n<table><tr><th>Function Name</th>\
    <th>Reads: Data</th><th>Reqs per sec</th><th>Data per sec</th><th>Writes: Data</th><th>Reqs per sec</th>\
    <th>Data per sec</th><th>Waits: Count</th><th>Avg Time</th></tr>\n\
    <tr><td>LGWR</td><td>1M</td><td>0,02</td><td>0M</td><td>91.3G</td><td>412,55</td><td>25.371M</td><td></td><td></td></tr>\n\
    <tr><td>Others</td><td>6.9G</td><td>33,15</td><td>1.971M</td><td>2.8G</td><td>8,05</td><td>.801M</td><td>140.254</td><td>117.31us</td></tr>\n\
    </table>\n";

const SERVICES: &str = "<h3>Service Statistics</h3>\n<table><tr><th>Service Name</th><th>DB Time (s)</th>\
    <th>DB CPU (s)</th><th>Physical Reads (K)</th><th>Logical Reads (K)</th></tr>\n\
    <tr><td>shop</td><td>29.730</td><td>1.204</td><td>80.312</td><td>1.234.567</td></tr>\n\
    <tr><td>SYS$USERS</td><td>812</td><td>0,5</td><td>7</td><td>2.345.678</td></tr></table>\n";

#[test]
fn thousands_between_blanks_that_do_not_break_or_apostrophes_were_unknown() {
    for mark in ["&#160;", "&nbsp;", "\u{a0}", "\u{202f}", "&#8239;", "'", "\u{2019}", "&#8217;"] {
        let rows = format!(
            "<tr><td>db file sequential read</td><td>5{mark}675{mark}010</td><td>0</td><td>7{mark}955</td>\
             <td>1.40ms</td><td>4.10</td><td>36.36</td></tr>\n"
        );
        let report = one(&page(&events(&rows)));
        let event = &report.tables.wait_event[0];
        assert_eq!((event.waits, event.time_s), (Some(5_675_010.0), Some(7_955.0)), "{mark}");
    }
}

#[test]
fn a_size_in_thousands_was_cut_in_two_at_its_blank() {
    let sizes = "<h3>Cache Sizes</h3>\n<table><tr><th></th><th>Begin</th><th>End</th><th></th><th></th></tr>\n\
        <tr><td>Buffer Cache:</td><td>46&nbsp;336M</td><td>46&nbsp;336M</td><td>Std Block Size:</td><td>8K</td></tr>\n\
        </table>\n";
    let report = one(&page(sizes));
    let cache = &report.tables.cache_size[0];
    let sizes: Vec<Value> =
        cache.cells.iter().filter(|(k, _)| k.ends_with("_bytes")).map(|(_, v)| v.clone()).collect();
    assert_eq!(sizes, [Value::Number(46_336.0 * 1_048_576.0), Value::Number(46_336.0 * 1_048_576.0)]);
}

#[test]
fn a_cell_that_is_no_number_where_one_should_stand_went_without_a_word() {
    let rows = "<tr><td>db file sequential read</td><td>5 675 010</td><td>0</td><td>7,955</td>\
        <td>1.40ms</td><td>4.10</td><td>36.36</td></tr>\n";
    let report = one(&page(&events(rows)));
    assert_eq!(report.tables.wait_event[0].waits, None);
    assert!(report.notes.iter().any(|n| n.message.contains("`5 675 010`")), "{:?}", report.notes);
}

#[test]
fn one_table_with_decimal_commas_in_a_page_with_points_was_a_thousandth() {
    let rows: String = (10..50)
        .map(|n| {
            format!(
                "<tr><td>direct path read {n}</td><td>5,6{n}</td><td>0</td><td>7{n}</td><td>129.50ms</td>\
                 <td>4.1{n}</td><td>0.{n}</td></tr>\n"
            )
        })
        .collect();
    let report = one(&page(&format!("{}{SERVICES}", events(&rows))));
    let service = &report.tables.service[0];
    let number = |key: &str| match service.cells.iter().find(|(k, _)| **k == *key).unwrap().1 {
        Value::Number(n) => Some(*n),
        _ => None,
    };
    assert_eq!(number("logical_reads_k"), Some(1_234_567.0));
    // A thousandth of it, or it: the other cells of the table tell.
    assert_eq!(number("db_time_s"), Some(29_730.0));
    assert_eq!(report.tables.wait_event[2].waits, Some(5_612.0));
}

#[test]
fn a_rate_with_its_unit_was_a_thousand_times_as_much_among_decimal_commas() {
    let rows: String = (10..50)
        .map(|n| {
            format!(
                "<tr><td>direct path read {n}</td><td>5.6{n}</td><td>0</td><td>7{n}</td><td>129,50ms</td>\
                 <td>4,1{n}</td><td>0,{n}</td></tr>\n"
            )
        })
        .collect();
    let report = one(&page(&format!("{}{IO_BY_FUNCTION}", events(&rows))));
    let log_writer =
        report.tables.io_function.iter().find(|r| r.function.as_deref() == Some("LGWR")).unwrap();
    assert_eq!(log_writer.write_bytes_per_s, Some(25.371 * 1_048_576.0));
    assert_eq!(log_writer.writes_per_s, Some(412.55));
    assert_eq!(report.tables.wait_event[3].waits, Some(5_613.0));
}

#[test]
fn a_session_was_a_number_with_decimals() {
    let ash = "ASH Report For TILL/till\n\n\
        DB Name         DB Id    Instance     Inst Num Release     RAC Host\n\
        ------------ ----------- ------------ -------- ----------- --- ------------\n\
        TILL          2629620001 till                1 12.1.0.1.0  NO  shop1\n\n\
        Top Sessions              DB/Inst: TILL/till  (Feb 12 22:12 to 22:17)\n\n\
        \u{20}  Sid, Serial# % Activity Event                             % Event\n\
        --------------- ---------- ------------------------------ ----------\n\
        User                 Program                          # Samples Active     XIDs\n\
        -------------------- ------------------------------ ------------------ --------\n\
        \u{20}      23,18491       2.03 db file sequential read              1.70\n\
        SHOP                 JDBC Thin Client                    78/300 [ 26%]       31\n\n\
        \u{20}       8,16030       2.01 db file sequential read              1.60\n\
        SHOP                 JDBC Thin Client                    78/300 [ 26%]       31\n\n\
        \u{20}         -------------------------------------------------------------\n";
    let report = one(ash);
    let session =
        report.tables.ash_activity[0].cells.iter().find(|(k, _)| **k == *"sid_serial_number").unwrap();
    assert_eq!(*session.1, Value::Text("23,18491".into()));
    assert!(!report.notes.iter().any(|n| n.message.contains("decimal commas")), "{:?}", report.notes);
}

#[test]
fn a_date_of_april_was_taken_for_one_of_february() {
    let text = "WORKLOAD REPOSITORY report for\n\n\
        \u{20}             Snap Id      Snap Time      Sessions Curs/Sess\n\
        \u{20}           --------- ------------------- -------- ---------\n\
        Begin Snap:       310 2/4/2023 19:00            52       1.8\n\
        \u{20} End Snap:       311 2/4/2023 20:00            65       1.9\n\
        \u{20}  Elapsed:               60.00 (mins)\n\
        \u{20}  DB Time:              100.00 (mins)\n";
    let report = one(text);
    assert_eq!((report.identity.begin_time.clone(), report.identity.begin_snap), (None, Some(310)));
    assert_eq!(report.identity.elapsed_s, Some(3_600.0));
    assert!(report.notes.iter().any(|n| n.message.contains("2/4/2023")), "{:?}", report.notes);
}

#[test]
fn waits_whose_thousands_became_decimals_were_fifty_five() {
    let rows = "<tr><td>direct path read</td><td>55.611</td><td>0</td><td>330</td><td>5.93ms</td><td>4.10</td>\
        <td>1.51</td></tr>\n<tr><td>log file sync</td><td>1,374,921</td><td>0</td><td>6.870</td><td>5.00ms</td>\
        <td>4.10</td><td>31.40</td></tr>\n<tr><td>db file sequential read</td><td>56.000</td><td>0</td>\
        <td>12</td><td>0.21ms</td><td>4.10</td><td>0.05</td></tr>\n";
    let report = one(&page(&events(rows)));
    let events = &report.tables.wait_event;
    assert_eq!((events[0].waits, events[0].time_s), (None, Some(330.0)));
    assert_eq!((events[1].waits, events[1].time_s), (Some(1_374_921.0), None));
    assert_eq!(events[2].waits, None);
    assert!(
        report.notes.iter().any(|n| n.message.starts_with("3 cells hold thousands")),
        "{:?}",
        report.notes
    );
}

#[test]
fn a_sum_in_another_language_was_an_event() {
    let rows = "<tr><td>log file sync</td><td>1,374,921</td><td>0</td><td>6,870</td><td>5.00ms</td><td>4.10</td>\
        <td>31.40</td></tr>\n<tr><td>direct path read</td><td>55,611</td><td>0</td><td>330</td><td>5.93ms</td>\
        <td>4.10</td><td>1.51</td></tr>\n";
    let sum = |name: &str| {
        format!(
            "{rows}<tr><td>{name}</td><td>1,430,532</td><td>0</td><td>7,200</td><td>5.03ms</td><td>8.20</td>\
             <td>32.91</td></tr>\n"
        )
    };
    // The last two are in no list of words.
    for name in ["Ergebnis", "Zwischensumme", "Итого", "** Total **", "\u{3a3}", "Yhteensä", "alles zusammen"]
    {
        let report = one(&page(&events(&sum(name))));
        let names: Vec<&str> = report.tables.wait_event.iter().map(|e| e.event.as_str()).collect();
        assert_eq!(names, ["log file sync", "direct path read"], "{name}");
        assert!(report.notes.iter().any(|n| n.message.contains(name)), "{name}: {:?}", report.notes);
    }
}

#[test]
fn waits_under_a_title_in_capitals_were_of_both_sides() {
    let table = "<h3>FOREGROUND WAIT CLASS</h3>\n<table><tr><th>Wait Class</th><th>Waits</th><th>%Time -outs</th>\
        <th>Total Wait Time (s)</th><th>Avg wait</th><th>%DB time</th></tr>\n\
        <tr><td>User I/O</td><td>55,611</td><td>0</td><td>330</td><td>5.93ms</td><td>1.51</td></tr></table>\n";
    let report = one(&page(table));
    assert_eq!(report.tables.wait_class[0].side, spindle_facts::Side::Foreground);
}

/// As a database writes that was told to part thousands by blanks: France, Poland, Russia.
#[test]
fn thousands_between_plain_blanks_were_unknown() {
    let text = "\
WORKLOAD REPOSITORY report for

DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC
------------ ----------- ------------ -------- --------------- ----------- ---
TILL          1234567890 till                1 01-Mar-24 08:00 11.2.0.3.0  NO

              Snap Id      Snap Time      Sessions Curs/Sess
            --------- ------------------- -------- ---------
Begin Snap:        10 01-Mar-24 10:00:00        40       1,5
  End Snap:        11 02-Mar-24 10:00:00        41       1,5
   Elapsed:            1 440,00 (mins)
   DB Time:            2 880,37 (mins)

Load Profile              Per Second    Per Transaction   Per Exec   Per Call
~~~~~~~~~~~~         ---------------    --------------- ---------- ----------
          Redo size:     3 576 613,2        2 225 855,1

Foreground Wait Class
-> s  - second, ms - millisecond -    1000th of a second
                                                                  Avg
                                      %Time       Total Wait     wait
Wait Class                      Waits -outs         Time (s)     (ms)  %DB time
-------------------- ---------------- ----- ---------------- -------- ---------
User I/O                    5 675 010   100          117 955       21      68,4
Commit                        123 456     0              789        6       0,5
          -------------------------------------------------------------
";
    let report = one(text);
    assert_eq!(report.identity.elapsed_s, Some(86_400.0));
    assert_eq!(report.identity.db_time_s, Some(2_880.37 * 60.0));
    assert_eq!(report.tables.load_profile[0].per_second, Some(3_576_613.2));
    let class = |at: usize| {
        let class = &report.tables.wait_class[at];
        (class.waits, class.time_s)
    };
    assert_eq!(class(0), (Some(5_675_010.0), Some(117_955.0)));
    assert_eq!(class(1), (Some(123_456.0), Some(789.0)));
    let rows = "<tr><td>db file sequential read</td><td align='right'>       5 675 010</td><td>0</td><td>7 955</td>\
        <td>1,40ms</td><td>4,10</td><td>36,36</td></tr>\n";
    let page = page(&events(rows)).replace("60.00 (mins)", "60,00 (mins)").replace("1.8", "1,8");
    let report = one(&page);
    let event = &report.tables.wait_event[0];
    assert_eq!((event.waits, event.time_s), (Some(5_675_010.0), Some(7_955.0)));
}

#[test]
fn thousands_with_points_were_decimals_in_all_tables_but_those_of_waits() {
    let segments = |title: &str, rows: &str| {
        format!(
            "<h3>{title}</h3>\n<table><tr><th>Owner</th><th>Tablespace Name</th><th>Object Name</th>\
             <th>Subobject Name</th><th>Obj. Type</th><th>Logical Reads</th><th>%Total</th></tr>\n{rows}</table>\n"
        )
    };
    let row = |object: &str, reads: &str, share: &str| {
        format!(
            "<tr><td>SHOP</td><td>DATA</td><td>{object}</td><td></td><td>TABLE</td><td>{reads}</td>\
             <td>{share}</td></tr>\n"
        )
    };
    let files = "<h3>Tablespace IO Stats</h3>\n<table><tr><th>Tablespace</th><th>Reads</th><th>Av Rds/s</th>\
        <th>Av Rd(ms)</th><th>Av Blks/Rd</th><th>Writes</th><th>Av Writes/s</th><th>Buffer Waits</th>\
        <th>Av Buf Wt(ms)</th></tr>\n<tr><td>DATA</td><td>519.831</td><td>577</td><td>8.78</td><td>1.02</td>\
        <td>234.576</td><td>260</td><td>3.270</td><td>8.39</td></tr>\n</table>\n";
    let wait = |event: &str, waits: &str| {
        format!(
            "<tr><td>{event}</td><td>{waits}</td><td>0</td><td>330</td><td>5.93ms</td><td>4.10</td>\
             <td>1.51</td></tr>\n"
        )
    };
    let waits = wait("direct path read", "55.611") + &wait("direct path write", "55.612");
    let whole = row("ORDERS", "1.214.240", "5.45") + &row("LINES", "214.240", "0.98");
    let whole = whole + &row("ITEMS", "2.001.300", "0.31");
    let either = row("ORDERS", "214.240", "5.45") + &row("LINES", "12.016", "0.31");
    let values = |report: &Report| -> Vec<Option<f64>> {
        report.tables.segment_stat.iter().map(|row| row.value).collect()
    };
    let title = "Segments by Logical Reads";
    // The segments stand before the waits that tell it.
    let report = one(&page(&format!("{}{}{files}", segments(title, &either), events(&waits))));
    assert_eq!(values(&report), [None, None]);
    let io = &report.tables.tablespace_io[0];
    assert_eq!((io.reads, io.writes, io.buffer_waits), (None, None, None));
    assert_eq!((io.reads_per_s, io.avg_read_us), (Some(577.0), Some(8_780.0)));
    let said = |n: &&spindle_facts::Note| n.message.contains("thousands that somebody took for decimals");
    let note = report.notes.iter().find(said).unwrap();
    assert!(note.line.is_some() && note.message.starts_with("7 cells"), "{note:?}");
    // A number with two points tells of its column, and that no other part of the report has to.
    let report = one(&page(&format!("{}{files}", segments(title, &whole))));
    assert_eq!(values(&report), [Some(1_214_240.0), Some(214_240.0), Some(2_001_300.0)]);
    assert_eq!(report.tables.tablespace_io[0].reads, None);
    // One such cell may be a slip.
    let slip = wait("direct path read", "55.611");
    let report = one(&page(&format!("{}{}{files}", segments(title, &either), events(&slip))));
    assert_eq!(values(&report), [Some(214.24), Some(12.016)]);
    // Nothing says so.
    let report = one(&page(&segments(title, &row("ORDERS", "214", "5.455"))));
    assert_eq!((values(&report), report.tables.segment_stat[0].share_pct), (vec![Some(214.0)], Some(5.455)));
}

#[test]
fn a_bucket_that_is_unknown_was_none_of_the_waits() {
    let text = |count: &str| {
        format!(
            "STATSPACK report for\n\n\
             DB Name         DB Id    Instance     Inst Num Release     RAC Host\n\
             ------------ ----------- ------------ -------- ----------- --- ----------------\n\
             TILL          1234567890 till                1 10.1.0.3.0  NO  shop1\n\n\
             Wait Events  DB/Inst: TILL/till  Snaps: 10-11\n\n\
             \u{20}                                                               Avg\n\
             \u{20}                                                  Total Wait   wait    Waits\n\
             Event                               Waits   Timeouts   Time (s)   (ms)     /txn\n\
             --------------------------- ------------ ---------- ---------- ------ --------\n\
             log file sync                      61.200          0        120      2      1.1\n\
             db file sequential read            71.300          0        140      2      1.3\n\n\
             Wait Event Histogram  DB/Inst: TILL/till  Snaps: 10-11\n\n\
             Event\n\
             --------------------------------------------------\n\
             \u{20}   0 - 1 ms     1 - 4 ms    4 - 8 ms    8 - 16 ms    16 - 32 ms      32+ ms\n\
             ------------ ------------ ------------ ------------ ------------ ------------\n\
             log file sync\n\
             \u{20}        400          500{count:>13}            0            0            1\n\
             \u{20}         -------------------------------------------------------------\n"
        )
    };
    let buckets = |count: &str| one(&text(count)).tables.wait_histogram.len();
    assert!(buckets("99") > 0);
    assert_eq!(buckets("60.300"), 0);
}
