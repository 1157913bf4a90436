//! Sections that stand twice in one report count once; figures that cannot be are unknown; statements
//! of sampled activity are whole.
#![allow(clippy::unwrap_used)]

#[path = "support/till.rs"]
mod till;

use spindle_facts::{Report, Side, Value};
use spindle_test_support::{corpus, skipped};
use till::{read, section};

fn said(report: &Report, words: &str) -> usize {
    report.notes.iter().filter(|n| n.message.contains(words)).count()
}

const WAITS: &str = "\
Background Wait Events           DB/Inst: TILL/till  Snaps: 10-11

                                                             Avg
                                        %Time Total Wait    wait    Waits   % bg
Event                             Waits -outs   Time (s)    (ms)     /txn   time
-------------------------- ------------ ----- ---------- ------- -------- ------
log file parallel write         412,601     0        812       2      2.1   41.2
db file parallel write           96,220     0        410       4      0.5   20.8
control file sequential re       12,044     0         60       5      0.1    3.0
log archive I/O                   4,100     0         31       8      0.0    1.6
          -------------------------------------------------------------

";

fn waits(report: &Report) -> Vec<(&str, Option<f64>)> {
    let background = report.tables.wait_event.iter().filter(|w| w.side == Side::Background);
    background.map(|w| (w.event.as_str(), w.waits)).collect()
}

/// The note named the first line of the section, where none of the rows that stand twice is.
#[test]
fn the_line_of_a_second_page_that_stands_twice_was_that_of_the_first_page() {
    let rows = WAITS.find("log file parallel write").unwrap();
    let end = WAITS.rfind("          ---").unwrap();
    let page = format!(
        "{}{}{}",
        &WAITS[..rows],
        "os thread startup                 1,417     0         24      17      0.0    1.2\n\
         db file async I/O submit         55,302     0         17       0      0.3    0.9\n\
         reliable message                  2,951     0          9       3      0.0    0.5\n",
        &WAITS[end..]
    );
    let report = section(&format!("{WAITS}{page}{page}"));
    assert_eq!(waits(&report).len(), 7);
    let first = report.tables.wait_event.iter().find(|w| w.event == "os thread startup").unwrap().line;
    let note = report.notes.iter().find(|n| n.message.contains("a second time")).unwrap();
    assert_eq!(note.effect, format!("it is counted once, as from line {first} on"));
}

/// Waits and seconds of a list pasted twice were added up, at 143 % of DB time.
#[test]
fn a_section_that_stands_twice_counts_once() {
    let once = section(WAITS);
    assert_eq!(waits(&once).len(), 4);
    assert_eq!(said(&once, "second time"), 0, "{:?}", once.notes);
    let between = "Some Other Section               DB/Inst: TILL/till  Snaps: 10-11\n\n";
    for gap in ["", between] {
        let twice = section(&format!("{WAITS}{gap}{WAITS}"));
        assert_eq!(waits(&twice), waits(&once));
        assert_eq!(said(&twice, "second time in this report, with the same rows"), 1, "{:?}", twice.notes);
    }
    let thrice = section(&format!("{WAITS}{WAITS}{WAITS}"));
    assert_eq!(waits(&thrice), waits(&once));
}

/// Where two screens overlap, the last rows of the one are the first of the other: they counted double.
#[test]
fn rows_that_stand_twice_in_one_list_count_once() {
    let once = section(WAITS);
    let row = "log file parallel write         412,601     0        812       2      2.1   41.2\n";
    for below in ["log file parallel", "control file"] {
        let doubled = WAITS.replace(below, &format!("{row}{below}"));
        let doubled = section(&doubled);
        assert_eq!(waits(&doubled), waits(&once));
        assert_eq!(said(&doubled, "1 row stands a second time in this section"), 1, "{:?}", doubled.notes);
    }
    // Names that are clipped may be of two events with the same few waits.
    let short = "log file parallel write               1     0          0       2      0.0     .0\n";
    let twice = section(&WAITS.replace("control file", &format!("{short}{short}control file")));
    assert_eq!(waits(&twice).len(), 6);
}

/// The same where the second list is of another period: the sum is that of neither.
#[test]
fn a_section_with_other_figures_for_the_same_rows_is_not_added() {
    let other = WAITS.replace("412,601", "511,007").replace("96,220", "80,113").replace("12,044", "13,040");
    let glued = section(&format!("{WAITS}{other}"));
    assert_eq!(waits(&glued), waits(&section(WAITS)));
    assert_eq!(said(&glued, "other figures for the same rows"), 1, "{:?}", glued.notes);
}

/// A page break repeats title and headings above further rows.
#[test]
fn a_page_that_goes_on_with_a_section_is_no_copy() {
    let (head, rows) = WAITS.split_at(WAITS.find("control file").unwrap());
    let title = &WAITS[..WAITS.find("log file parallel").unwrap()];
    let paged = section(&format!("{head}\u{c}\n{title}{rows}"));
    assert_eq!(waits(&paged), waits(&section(WAITS)));
    assert_eq!(said(&paged, "second time"), 0, "{:?}", paged.notes);
}

/// Load profile and time model stand once in a report: a second one began another report, and took all
/// that follows from the first.
#[test]
fn a_copy_of_a_section_that_is_printed_once_begins_no_report() {
    let model = "\
Time Model Statistics            DB/Inst: TILL/till  Snaps: 10-11

Statistic Name                                       Time (s) % of DB Time
------------------------------------------ ------------------ ------------
DB CPU                                                2,093.5         29.1
DB time                                               7,200.0
          -------------------------------------------------------------

";
    let report = section(&format!("{model}{WAITS}{model}"));
    assert_eq!(report.tables.time_model.len(), 2);
    assert_eq!(waits(&report).len(), 4);
    assert_eq!(said(&report, "second time"), 1, "{:?}", report.notes);
}

/// A page whose table stands twice.
#[test]
fn a_table_that_stands_twice_in_a_page_counts_once() {
    let table = "<h3>Background Wait Events</h3>\n<table summary=\"background wait events\">\n\
        <tr><th>Event</th><th>Waits</th><th>%Time -outs</th><th>Total Wait Time (s)</th><th>Avg wait (ms)</th><th>Waits /txn</th><th>% bg time</th></tr>\n\
        <tr><td>log file parallel write</td><td>412,601</td><td>0</td><td>812</td><td>2</td><td>2.1</td><td>41.2</td></tr>\n\
        <tr><td>db file parallel write</td><td>96,220</td><td>0</td><td>410</td><td>4</td><td>0.5</td><td>20.8</td></tr>\n\
        </table>\n";
    let page = format!("<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n{table}{table}</body></html>");
    let report = read(&page);
    assert_eq!(waits(&report).len(), 2);
    assert_eq!(said(&report, "second time"), 1, "{:?}", report.notes);
}

/// A minus sign before DB CPU turned the answer round.
#[test]
fn a_time_below_nought_is_unknown() {
    let report = section(
        "\
Time Model Statistics            DB/Inst: TILL/till  Snaps: 10-11

Statistic Name                                       Time (s) % of DB Time
------------------------------------------ ------------------ ------------
DB CPU                                               -2,093.5         29.1
parse time elapsed                                       41.7           .6
DB time                                               7,200.0
          -------------------------------------------------------------
",
    );
    let times: Vec<_> = report.tables.time_model.iter().map(|t| (t.statistic.as_str(), t.time_s)).collect();
    assert_eq!(times, [("DB CPU", None), ("parse time elapsed", Some(41.7)), ("DB time", Some(7_200.0))]);
    assert_eq!(said(&report, "1 row holds a figure below nought"), 1, "{:?}", report.notes);
}

/// Requests a second were minus 582; the change of a current value may be less than nothing.
#[test]
fn a_count_below_nought_is_unknown_but_a_current_value_may_shrink() {
    let report = section(
        "\
Instance Activity Stats          DB/Inst: TILL/till  Snaps: 10-11

Statistic                                     Total     per Second     per Trans
-------------------------------- ------------------ -------------- -------------
physical read total IO requests          -2,412,608          670.2           3.6
session cursor cache count                     -312           -0.1          -0.0
physical write total IO requests            901,212          250.3           1.3
",
    );
    let found: Vec<_> = report.tables.instance_stat.iter().map(|s| (s.total, s.per_second)).collect();
    assert_eq!(found, [(None, None), (Some(-312.0), Some(-0.1)), (Some(901_212.0), Some(250.3))]);
    assert_eq!(said(&report, "below nought"), 1, "{:?}", report.notes);
}

/// The whole part of a wrapped number was believed: 2093 for 2093.5.
#[test]
fn a_number_wrapped_at_its_point_is_unknown() {
    let report = section(
        "\
Time Model Statistics            DB/Inst: TILL/till  Snaps: 10-11

Statistic Name                                       Time (s) % of DB Time
------------------------------------------ ------------------ ------------
DB CPU                                                2,093
.5         29.1
DB time                                               7,200.0
Java execution elapsed time                               0.3           .0
          -------------------------------------------------------------
",
    );
    let times: Vec<_> = report.tables.time_model.iter().map(|t| (t.statistic.as_str(), t.time_s)).collect();
    assert!(!times.iter().any(|(name, time)| *name == "DB CPU" && time.is_some()), "{times:?}");
    assert!(times.contains(&("DB time", Some(7_200.0))), "{times:?}");
    assert_eq!(said(&report, "left out"), 1, "{:?}", report.notes);
}

const SAMPLED: &str = "\
ASH Report For TILL/till

Top Event P1/P2/P3 Values  DB/Inst: TILL/till  (Mar 01 10:00 to 10:15)

Event                          % Event  P1 Value, P2 Value, P3 Value % Activity
------------------------------ ------- ----------------------------- ----------
Parameter 1                Parameter 2                Parameter 3
-------------------------- -------------------------- --------------------------
db file sequential read          7344               \"5\",\"245639\",\"1\"       0.02
file#                      block#                     blocks

          -------------------------------------------------------------

Top SQL with Top Row SourcesDB/Inst: TILL/till  (Mar 01 10:00 to 10:15)

                                                        Sampled #
                 SQL ID             PlanHash        of Executions     % Activity
----------------------- -------------------- -------------------- --------------
Row Source                               % RwSrc Top Event               % Event
---------------------------------------- ------- ----------------------- -------
          3hqz71c0vd8mn           4238351645                 3542          28.71
TABLE ACCESS - BY INDEX ROWID              15.98 db file sequential read   15.86
select receipt_no, till_no, paid_at, paid_by, amount from receipts where till =:
1


INDEX - UNIQUE SCAN                        12.53 db file sequential read   12.36

          9k2m1n7c0b4xa                  N/A                 2172          17.56
** Row Source Not Available **              6.14 CPU + Wait for CPU         6.00
insert into receipts values (:1)


INDEX - RANGE SCAN                          4.90 CPU + Wait for CPU         4.72

          -------------------------------------------------------------
";

/// The last piece of a wrapped text became the identifier of the next row, and further rows were lost.
#[test]
fn sampled_statements_keep_their_rows_and_texts() {
    let report = read(SAMPLED);
    let cell = |row: &spindle_facts::PrintedRow, key: &str| {
        row.cells.iter().find(|(k, _)| *k == key).map(|(_, v)| v.clone()).unwrap_or(Value::Null)
    };
    let rows: Vec<_> = report
        .tables
        .ash_activity
        .iter()
        .filter(|r| cell(r, "group") == Value::Text("Top SQL with Top Row Sources".into()))
        .map(|r| (cell(r, "sql_id"), cell(r, "pct_rwsrc")))
        .collect();
    let expected = [
        ("3hqz71c0vd8mn", 15.98),
        ("3hqz71c0vd8mn", 12.53),
        ("9k2m1n7c0b4xa", 6.14),
        ("9k2m1n7c0b4xa", 4.90),
    ];
    let expected: Vec<_> =
        expected.iter().map(|(id, share)| (Value::Text((*id).into()), Value::Number(*share))).collect();
    assert_eq!(rows, expected);
    let texts: Vec<_> =
        report.tables.sql_text.iter().map(|t| (t.sql_id.as_deref().unwrap(), t.text.as_str())).collect();
    let first = "select receipt_no, till_no, paid_at, paid_by, amount from receipts where till =:1";
    assert_eq!(texts, [("3hqz71c0vd8mn", first), ("9k2m1n7c0b4xa", "insert into receipts values (:1)")]);
}

/// A share that had lost its decimal point was 7344 % of the samples.
#[test]
fn a_share_over_the_whole_is_unknown() {
    let report = read(SAMPLED);
    let shares = report
        .tables
        .ash_activity
        .iter()
        .flat_map(|r| r.cells.iter())
        .filter(|(key, _)| key.starts_with("pct_"));
    for (key, value) in shares {
        assert!(!matches!(value, Value::Number(n) if n > &100.5), "{key} {value:?}");
    }
    assert_eq!(said(&report, "over 100 %"), 1, "{:?}", report.notes);
}

/// Text and HTML of one report say the same of its statements.
#[test]
fn sampled_statements_of_real_reports_are_those_of_their_pages() {
    let Some(corpus) = corpus() else {
        skipped("no corpus");
        return;
    };
    // The other pair of one name is of two reports.
    let name = "11.2.0.3.0__unk__Apress__ash_1930_1945";
    let [text, page] = ["txt", "html"].map(|layout| {
        let bytes = std::fs::read(corpus.join("ash").join(format!("{name}.{layout}"))).unwrap();
        let report = spindle_evidence::read(name, &bytes).reports.remove(0);
        let statements = report.tables.ash_activity.iter().filter_map(|row| {
            let shown = |key: &str| {
                let cell = row.cells.iter().find(|(k, _)| *k == key)?;
                Some(match cell.1 {
                    Value::Number(n) => format!("{n:.2}"),
                    Value::Text(t) => t.to_string(),
                    Value::Null => String::new(),
                })
            };
            let group = shown("group").filter(|g| g.starts_with("Top SQL with Top "))?;
            let keys = ["sql_id", "sampled_number_of_executions", "pct_activity", "pct_event", "pct_rwsrc"];
            Some((group, keys.map(shown)))
        });
        let texts = report.tables.sql_text.iter().map(|t| t.sql_id.clone());
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        (statements.collect::<Vec<_>>(), texts)
    });
    assert!(!text.0.is_empty());
    assert_eq!(text, page, "{name}");
}
