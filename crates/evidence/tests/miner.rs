//! AWR-miner files of versions that the corpus lacks, with the slips of their scripts.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

const SYSTEM: &str = "\
~~BEGIN-OS-INFORMATION~~
STAT_NAME                                                    STAT_VALUE
------------------------------------------------------------ ------------------------------------------------------------
NUM_CPUS                                                     64
VERSION                                                      19.0.0.0.0
DB_NAME                                                      TORG
DBID                                                         4100200300
INSTANCES                                                    1
AWR_MINER_VER                                                4.0.11
~~END-OS-INFORMATION~~


";

const METRICS: &str = "\
~~BEGIN-MAIN-METRICS~~

      snap      dur_m end                  inst     os_cpu        aas  read_iops write_iops
---------- ---------- -------------- ---------- ---------- ---------- ---------- ----------
       101         60 21/03/01 01:00          1       12.5         .3       1234       56.7
       102         60 21/03/01 02:00          1         13        1.2     1534.1         .7

~~END-MAIN-METRICS~~


";

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("miner", text.as_bytes()).reports
}

/// Section as printed and message of every note.
fn notes(reports: &[Report]) -> Vec<(String, String)> {
    let notes = reports.iter().flat_map(|r| &r.notes);
    notes.map(|n| (n.section.clone().unwrap_or_default(), n.message.clone())).collect()
}

#[test]
fn an_end_with_one_stroke_too_few_was_a_cut_file() {
    let second = "\
~~BEGIN-OS-INFORMATION2~~
STAT_NAME                                                    INSTANCE                                                     STAT_VALUE
------------------------------------------------------------ ------------------------------------------------------------ ------------------------------------------------------------
NUM_CPUS                                                     1                                                            64
HOSTS                                                        1                                                            torga
~END-OS-INFORMATION2~~

Elapsed: 00:00:00.05


";
    let reports = read(&format!("{SYSTEM}{second}{METRICS}"));
    assert_eq!(notes(&reports), []);
    let found = reports[0].sections.iter().find(|s| s.title == "OS-INFORMATION2").unwrap();
    assert_eq!((found.status, found.rows), (SectionStatus::Unknown, 2));
}

#[test]
fn a_begin_with_one_stroke_too_few_was_no_block() {
    let features = "\
~~BEGIN-FEATURES~

NAME                                                             DETECTED_USAGES
---------------------------------------------------------------- ---------------
Partitioning (user)                                                           14

~~END-FEATURES~~


";
    let reports = read(&format!("{SYSTEM}{METRICS}{features}"));
    let kept = reports[0].raw_tables.iter().find(|t| t.title == "FEATURES").unwrap();
    assert_eq!(kept.rows.len(), 1);
}

#[test]
fn a_query_that_failed_was_a_cut_file() {
    let failed = "\
~~BEGIN-TOP-N-TIMED-EVENTS~~

   SNAP_ID WAIT_CLASS           EVENT_NAME                                                       PCTDBT TOTAL_TIME_S
---------- -------------------- ------------------------------------------------------------ ---------- ------------
       101 User I/O             db file sequential read                                           41.23    987654321
ERROR:
ORA-01555: snapshot too old: rollback segment number 12 with name \"_SYSSMU12$\"
too small


";
    let reports = read(&format!("{SYSTEM}{failed}{METRICS}"));
    let section = "TOP-N-TIMED-EVENTS".to_owned();
    assert_eq!(notes(&reports), [(section, "the query of the block ended with an error".to_owned())]);
    assert_eq!(reports[0].tables.wait_event[0].time_s, Some(987.654_321));
    assert_eq!(reports.len(), 2);
}

#[test]
fn parameters_of_every_instance_stood_twice_without_saying_whose() {
    let parameters = "\
~~BEGIN-DATABASE-PARAMETERS~~

INSTANCE_NUMBER PARAMETER_NAME                                                   VALUE
--------------- ---------------------------------------------------------------- --------------------
              1 sga_target                                                       1073741824
              2 sga_target                                                       2147483648

~~END-DATABASE-PARAMETERS~~


";
    let reports = read(&format!("{SYSTEM}{METRICS}{parameters}"));
    let printed = reports.iter().flat_map(|r| &r.tables.parameter);
    let printed: Vec<_> = printed.map(|p| (p.instance_number, p.begin_value.as_deref())).collect();
    assert_eq!(printed, [(Some(1), Some("1073741824")), (Some(2), Some("2147483648"))]);
}

#[test]
fn the_root_container_was_the_name_of_the_database() {
    let named = |container: &str| {
        let names = format!("DB_NAME{:54}{container}\nCDB_NAME{:53}TORG", "", "");
        let system = SYSTEM.replace(&format!("DB_NAME{:54}TORG", ""), &names);
        let id = read(&format!("{system}{METRICS}"))[0].identity.clone();
        (id.db_name, id.container)
    };
    let database = Some("TORG".to_owned());
    assert_eq!(named("CDB$ROOT"), (database.clone(), None));
    assert_eq!(named("SALES"), (database.clone(), Some("SALES".to_owned())));
    assert_eq!(named("TORG"), (database, None));
}

#[test]
fn a_time_printed_with_an_exponent_was_exact() {
    let events = "\
~~BEGIN-TOP-N-TIMED-EVENTS~~

   SNAP_ID WAIT_CLASS           EVENT_NAME                                                       PCTDBT TOTAL_TIME_S
---------- -------------------- ------------------------------------------------------------ ---------- ------------
       101 User I/O             db file sequential read                                           41.23   1.2914E+13

~~END-TOP-N-TIMED-EVENTS~~


";
    let reports = read(&format!("{SYSTEM}{events}{METRICS}"));
    let event = &reports[0].tables.wait_event[0];
    assert_eq!((event.time_s_low, event.time_s_high), (Some(12_913_500.0), Some(12_914_500.0)));
}

#[test]
fn letters_that_take_two_columns_shifted_the_numbers_of_their_row() {
    let statements = "\
~~BEGIN-TOP-SQL-BY-SNAPID~~

   SNAP_ID MODULE               SQL_ID        COMMAND_NAME       EXECS BUFFER_GETS
---------- -------------------- ------------- ------------- ---------- -----------
       101 JDBC Thin Client     7a9b3c5d1e2f4 SELECT            123456     9876543
       101 caf\u{e9} m\u{f6}dule          8a9b3c5d1e2f4 SELECT            123456     9876543
       101 \u{8cbb}\u{7528}\u{7ba1}\u{7406}             9a9b3c5d1e2f4 SELECT            123456     9876543

~~END-TOP-SQL-BY-SNAPID~~


";
    let reports = read(&format!("{SYSTEM}{METRICS}{statements}"));
    let read: Vec<_> =
        reports[0].tables.sql_stat.iter().map(|s| (s.sql_id.as_deref(), s.executions)).collect();
    let executions = Some(123_456.0);
    assert_eq!(read, [(Some("7a9b3c5d1e2f4"), executions), (Some("8a9b3c5d1e2f4"), executions)]);
    assert_eq!(notes(&reports).len(), 1);
}

/// A row one blank too far right lost the end of its last number without a word: 2.5 GB were 2.
#[test]
fn the_last_number_of_a_row_was_cut_where_the_ruler_ends() {
    let size = |last: &str| {
        format!(
            "~~BEGIN-SIZE-ON-DISK~~\n\n   SNAP_ID    SIZE_GB\n---------- ----------\n       101        2.0\n\
             {last}\n\n~~END-SIZE-ON-DISK~~\n\n\n"
        )
    };
    let lost = |last: &str| {
        let reports = read(&format!("{SYSTEM}{METRICS}{}", size(last)));
        let sections = reports.iter().flat_map(|r| &r.sections).filter(|s| s.title == "SIZE-ON-DISK");
        sections.map(|s| s.lost).sum::<u32>()
    };
    assert_eq!((lost("       102        2.5"), lost("       102         2.5")), (0, 1));
}
