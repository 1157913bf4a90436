//! Text reports as people, mails, wikis and scripts change them: heads lost, marks before every line, pages and
//! indexes in the middle of tables, other marks in numbers. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Kind, Report, Value};

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("changed", text.as_bytes()).reports
}

fn one(text: &str) -> Report {
    let mut reports = read(text);
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

const HEAD: &str = "WORKLOAD REPOSITORY report for\n\n\
    DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
    ------------ ----------- ------------ -------- --------------- ----------- ---\n\
    TILL          2629620001 till                1 22-Jan-19 16:49 11.2.0.4.0  NO\n\n\
    \x20             Snap Id      Snap Time      Sessions Curs/Sess\n\
    \x20           --------- ------------------- -------- ---------\n\
    Begin Snap:       310 23-Jan-19 15:00:56        52       1.8\n\
    \x20 End Snap:       311 23-Jan-19 15:30:41        65       1.9\n\
    \x20  Elapsed:               29.75 (mins)\n\
    \x20  DB Time:               60.10 (mins)\n\n";

const PROFILE: &str = "Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
    ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
    \x20     DB Time(s):                2.0                0.1       0.01       0.00\n\
    \x20      DB CPU(s):                1.2                0.0       0.00       0.00\n\
    \x20      Redo size:          552,173.5            1,933.1\n\
    \x20  Logical reads:           49,091.1            2,272.4\n\n";

const TIMES: &str = "Time Model Statistics                    DB/Inst: TILL/till  Snaps: 310-311\n\
    -> Statistics including the word \"background\" measure background process\n\n\
    Statistic Name                                       Time (s) % of DB Time\n\
    ------------------------------------------ ------------------ ------------\n\
    DB CPU                                                1,948.8         54.0\n\
    DB time                                               3,606.0\n\
    \x20         -------------------------------------------------------------\n\n";

const FILES: &str = "File IO Stats                            DB/Inst: TILL/till  Snaps: 310-311\n\
    -> ordered by Tablespace, File\n\n\
    Tablespace               Filename\n\
    ------------------------ ----------------------------------------------------\n\
    \x20                Av       Av     Av                       Av     Buffer  Av Buf\n\
    \x20        Reads Reads/s  Rd(ms) Blks/Rd       Writes Writes/s      Waits  Wt(ms)\n\
    -------------- ------- ------- ------- ------------ -------- ---------- -------\n\
    RECEIPTS                 /u01/till/receipts01.dbf\n\
    \x20      769,580     431    12.1     1.0      379,976      212      5,012    10.3\n\
    SYSAUX                   /u01/till/sysaux01.dbf\n\
    \x20        1,333       1     6.9     1.2          609        0          0     0.0\n\
    SYSTEM                   /u01/till/system01.dbf\n\
    \x20        1,214       1     9.3     1.3           32        0         63     2.4\n\
    \x20         -------------------------------------------------------------\n\n";

const ADDM: &str = "          ADDM Report for Task 'ADDM:1_1_311'\n\
    \x20         -----------------------------------\n\n\
    Analysis Period\n---------------\nAWR snapshot range from 310 to 311.\n\n\
    Finding 1: Top SQL Statements\nImpact is .95 active sessions, 65.93% of total activity.\n\
    --------------------------------------------------------\nSome statements are slow.\n\n";

fn times(report: &Report) -> Vec<(String, Option<f64>)> {
    report.tables.time_model.iter().map(|t| (t.statistic.to_string(), t.time_s)).collect()
}

fn files(report: &Report) -> Vec<(String, Option<f64>)> {
    report.tables.file_io.iter().map(|f| (f.file.to_string(), f.io.reads)).collect()
}

/// ADDM's findings behind a report whose title line was lost made all of it an ADDM report.
#[test]
fn a_report_without_its_title_line_is_read_before_its_addm_part() {
    let report = one(&format!("{TIMES}{FILES}{ADDM}"));
    assert_ne!(report.identity.kind, Kind::Addm);
    assert_eq!((times(&report).len(), files(&report).len()), (2, 3));
    assert_eq!(report.tables.addm_finding.len(), 1);
    // Words before an ADDM report are no report.
    let report = one(&format!("Here is what it says:\n\n{ADDM}"));
    assert_eq!(report.identity.kind, Kind::Addm);
}

/// What stood behind an ADDM part was read as words of it.
#[test]
fn sections_behind_an_addm_part_are_read() {
    let last = one(&format!("{HEAD}{PROFILE}{TIMES}{FILES}{ADDM}"));
    for text in [
        format!("{HEAD}{PROFILE}{ADDM}{TIMES}{FILES}"),
        format!("{HEAD}{ADDM}{PROFILE}{TIMES}{FILES}"),
        format!("{HEAD}{PROFILE}{ADDM}{TIMES}{ADDM}{FILES}"),
    ] {
        let report = one(&text);
        assert_eq!(times(&report), times(&last));
        assert_eq!(files(&report), files(&last));
        assert_eq!(report.tables.load_profile.len(), last.tables.load_profile.len());
        assert_eq!(report.tables.addm_finding[0].impact_pct, Some(65.93));
    }
}

/// Among decimal commas, impacts of ADDM's findings were 100 times too large.
#[test]
fn impacts_of_findings_may_have_decimal_commas() {
    let report = one(&ADDM.replace(".95 active sessions, 65.93%", ",95 active sessions, 65,93%"));
    let finding = &report.tables.addm_finding[0];
    assert_eq!((finding.impact_sessions, finding.impact_pct), (Some(0.95), Some(65.93)));
}

const GETS: &str = "SQL ordered by Reads                     DB/Inst: TILL/till  Snaps: 310-311\n\
    -> %Total - Physical Reads as a percentage of Total Disk Reads\n\
    -> Total Disk Reads:     352,278,864\n\
    -> Captured SQL account for   60.2% of Total\n\n\
    \x20   Physical              Reads              Elapsed\n\
    \x20      Reads  Executions per Exec   %Total   Time (s)  %CPU   %IO    SQL Id\n\
    ----------- ----------- ---------- ------ ---------- ------ ------ -------------\n\
    \x20   120,000          10   12,000.0   33.3    1,100.0   21.5   66.3 0abcdefghjkmn\n\
    Module: till\nselect * from receipts\n\n\
    \x20         -------------------------------------------------------------\n\n";

/// Of totals with apostrophes, blanks or the marks of another language than the tables', the first digits were read.
#[test]
fn totals_beside_tables_are_read_whole_or_not_at_all() {
    for (printed, total) in [
        ("352,278,864", Some(352_278_864.0)),
        ("352'278'864", Some(352_278_864.0)),
        ("352 278 864", Some(352_278_864.0)),
        ("352\u{a0}278\u{a0}864", Some(352_278_864.0)),
        ("352.278.864", Some(352_278_864.0)),
        ("352.278", Some(352_278.0)),
        ("352", Some(352.0)),
        ("352,278.5", Some(352_278.5)),
        ("352'27", None),
    ] {
        let report = one(&format!("{HEAD}{}", GETS.replace("352,278,864", printed)));
        assert_eq!(report.tables.sql_stat[0].section_total, total, "{printed}");
    }
}

/// `98.304K`, printed before any other number that tells the mark, was 98 KB.
#[test]
fn sizes_of_caches_with_other_marks_were_a_thousandth() {
    let report = one("STATSPACK report for\n\n\
         Cache Sizes (end)\n~~~~~~~~~~~~~~~~~\n\
         \x20              Buffer Cache:     1.472M      Std Block Size:         4K\n\
         \x20          Shared Pool Size:       816M          Log Buffer:    98.304K\n\n");
    let size = |name: &str| {
        let named = |v: &Value| matches!(v, Value::Text(t) if t == name);
        let row =
            report.tables.cache_size.iter().find(|row| row.cells.iter().any(|(_, v)| named(v))).unwrap();
        row.cells.iter().find(|(key, _)| &**key == "begin_bytes").map(|(_, v)| v.clone())
    };
    assert_eq!(size("Log Buffer"), Some(Value::Number(100_663_296.0)));
    assert_eq!(size("Buffer Cache"), Some(Value::Number(1_543_503_872.0)));
}
