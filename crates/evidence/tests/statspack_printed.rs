//! What Statspack prints where no report at hand has it: RAC, level 7, names and counts that SQL*Plus wraps,
//! statements that begin alike. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{PrintedRow, Report, SectionStatus, Value};

const END: &str = "          -------------------------------------------------------------\n";

/// A report of 9.2 (or 8.1, whose titles read alike) that holds these lines.
fn early(lines: &str) -> Report {
    one(&format!(
        "STATSPACK report for\n\n\
         DB Name         DB Id    Instance     Inst Num Release     Cluster Host\n\
         ------------ ----------- ------------ -------- ----------- ------- ------------\n\
         TILL          1234567890 till1               1 9.2.0.6.0   YES     tillhost1\n\n\
         \x20           Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
         \x20           ------- ------------------ -------- --------- -------------------\n\
         Begin Snap:     100 02-Mar-05 10:00:00      120       8.1\n\
         \x20 End Snap:     101 02-Mar-05 11:00:00      131      12.4\n\
         \x20  Elapsed:               60.00 (mins)\n\n{lines}"
    ))
}

/// The same of 11.1.
fn late(lines: &str) -> Report {
    one(&format!(
        "\nSTATSPACK report for\n\n\
         Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
         ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
         \x20         1234567890 till1               1 01-Mar-11 06:00 11.1.0.7.0  YES\n\n\
         Snapshot       Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
         ~~~~~~~~    ---------- ------------------ -------- --------- ------------------\n\
         Begin Snap:        100 02-Mar-11 10:00:00      120       8.1\n\
         \x20 End Snap:        101 02-Mar-11 11:00:00      131      12.4\n\
         \x20  Elapsed:      60.00 (mins) Av Act Sess:       2.5\n\
         \x20  DB time:     150.00 (mins)      DB CPU:      50.00 (mins)\n\n{lines}"
    ))
}

fn one(text: &str) -> Report {
    let mut reports = spindle_evidence::read("sp", text.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

fn early_title(title: &str) -> String {
    format!("{title} for DB: TILL  Instance: till1  Snaps:      100 -     101\n")
}

fn late_title(title: &str) -> String {
    format!("{title}  DB/Inst: TILL/till1  Snaps: 100-101\n")
}

fn status(report: &Report, title: &str) -> SectionStatus {
    report.sections.iter().find(|s| s.title == title).unwrap().status
}

fn text<'r>(row: &'r PrintedRow, key: &str) -> Option<&'r str> {
    row.cells.iter().find(|(k, _)| &**k == key).and_then(|(_, value)| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// Statements that have nothing but their hash apart, as where only what stands behind the first lines differs: those
/// of the second half were taken for the first ones of another period.
#[test]
fn statements_that_begin_alike_are_no_copy_of_each_other() {
    let statement = |reads: u32, hash: u32, table: &str| {
        format!(
            "{reads:>15}{:>13}{:>15}{:>7}{:>9}{:>10} {hash:>10}\n\
             Module: TILL\n\
             select /*+ first_rows */ r.id, r.day, l.item, l.qty from receipt\n\
             s r, receipt_lines l where r.id = l.receipt and r.day between :1\n\
             \x20and :2 and exists (select 1 from {table} s where s.id = r.shop\n\n",
            "1,000", "9.0", "10.0", "1.50", "9.50"
        )
    };
    let mut list = late_title("SQL ordered by Reads");
    list += "-> End Disk Reads Threshold:      1000  Total Disk Reads:          90,000\n\n\
             \x20                                                    CPU      Elapsd\n\
             \x20 Physical Rds   Executions  Rds per Exec   %Total Time (s)  Time (s) Hash Value\n\
             --------------- ------------ -------------- ------ -------- --------- ----------\n";
    let tables = ["shops", "stores", "places"];
    for place in 0..6_u32 {
        list += &statement(9_000 - place, 4_000_000_000 + place, tables[place as usize % 3]);
    }
    let report = late(&(list + END));
    let hashes: Vec<_> = report.tables.sql_stat.iter().map(|s| s.old_hash.unwrap()).collect();
    assert_eq!(hashes, (4_000_000_000..4_000_000_006).collect::<Vec<_>>(), "{:?}", report.notes);
}
