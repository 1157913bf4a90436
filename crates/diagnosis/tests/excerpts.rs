//! Excerpts of a few lines: what is known of the whole is taken from wherever it is printed, and nothing stands for it
//! that is but a part.
#![allow(clippy::unwrap_used)]

use spindle_diagnosis::{Diagnosis, Options, diagnose};

fn of(text: &str) -> Diagnosis {
    let reading = spindle_evidence::read("excerpt", text.as_bytes());
    let [report] = reading.reports.as_slice() else { panic!("{} reports", reading.reports.len()) };
    diagnose(report, &Options::default())
}

const CLASSES: &str = "\
Wait Classes by Total Wait Time
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                                                        Avg             Avg
                                        Total Wait     Wait   % DB   Active
Wait Class                  Waits       Time (sec)     (ms)   time Sessions
---------------- ---------------- ---------------- -------- ------ --------
DB CPU                                         640            40.0      0.2
                          ------------------------------------------------------

";
const STATEMENTS: &str = "\
SQL ordered by Elapsed Time  DB/Inst: TILL/till  Snaps: 10-11
-> % Total DB Time is the Elapsed Time of the SQL statement divided
   into the Total Database Time multiplied by 100
-> Captured SQL account for   21.0% of Total DB Time (s):           1,600

        Elapsed                  Elapsed Time
        Time (s)    Executions  per Exec (s)  %Total   %CPU    %IO    SQL Id
---------------- -------------- ------------- ------ ------ ------ -------------
           336.0          1,200          0.28   21.0   80.0     .0 7abc1defg2hij
Module: till
SELECT price FROM goods WHERE id = :1

";

/// CPU of 640 s was 100 % of what the chart showed, 40.0 % of DB time in its own row, and DB time `not printed`.
#[test]
fn db_time_in_the_title_of_statements_was_not_printed() {
    let both = of(&format!("{CLASSES}{STATEMENTS}"));
    let side = &both.response_time.foreground;
    assert_eq!((side.db_time_s, side.cpu_s, side.unexplained_s), (Some(1_600.0), Some(640.0), Some(960.0)));
    assert!(!both.answer.contains("DB time is not printed"), "{}", both.answer);
    let classes = of(CLASSES);
    assert_eq!(classes.response_time.foreground.db_time_s, Some(1_600.0), "640 s are 40.0 %");
}

/// Nothing but one statistic: eleven causes were `looked for and not found`.
#[test]
fn a_statistic_alone_acquitted_eleven_causes() {
    let alone = of("Instance Activity Stats for DB: TILL  Instance: till  Snaps: 10 -11\n\n\
        Statistic                                      Total     per Second    per Trans\n\
        --------------------------------- ------------------ -------------- ------------\n\
        CPU used by this session                      82,300           22.9          4.1\n\n");
    let side = &alone.response_time.foreground;
    assert_eq!((side.db_time_s, side.cpu_s), (None, Some(823.0)));
    assert_eq!((alone.findings.len(), alone.not_found.as_slice()), (0, [].as_slice()));
}

/// `Data Guard: Gap Manager` and `pman timer`, idle events that a list prints among the others, were 90 % of a DB time
/// that nothing explained.
#[test]
fn idle_events_of_a_list_were_db_time() {
    let list = of("\
Top 5 Timed Events                                                    Avg %Total
~~~~~~~~~~~~~~~~~~                                                   wait   Call
Event                                            Waits    Time (s)   (ms)   Time
----------------------------------------- ------------ ----------- ------ ------
Data Guard: Gap Manager                              1         800  60005   80.0
CPU time                                                       150          15.0
log file sync                                    4,000          20      5    2.0
          -------------------------------------------------------------
");
    let side = &list.response_time.foreground;
    assert_eq!((side.db_time_s, side.cpu_s), (Some(200.0), Some(150.0)));
    assert!(!list.not_found.contains(&"cpu_bound"), "{:?}", list.not_found);
}

/// Foreground waits with their `% DB time`, pasted alone: "DB time was not read", and shares of these waits instead.
#[test]
fn shares_of_db_time_beside_foreground_waits_were_not_used() {
    let rows = |last: &str| {
        let text = format!(
            "Foreground Wait Events                DB/Inst: DB1/db1  Snaps: 10-11\n\n\
             \x20                                                            Avg\n\
             \x20                                       %Time Total Wait    wait    Waits   % DB\n\
             Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
             -------------------------- ------------ ----- ---------- ------- -------- ------\n\
             db file sequential read       2,354,428     0      8,256       4      2.6   21.2\n\
             log file sync                   402,117     0      {last}\n"
        );
        of(&text).response_time.foreground.db_time_s
    };
    assert!((rows("4,042      10      0.6   10.4").unwrap() - 8_256.0 / 0.212).abs() < 1.0);
    assert_eq!(rows("4,042      10      0.6   25.0"), None, "they contradict each other");
}

/// Two rows of the list of waits beside the events that lead stood for all waits: of 50,000 s a DB time of 21,000 s was
/// left, and what the list lacks was `not found`.
#[test]
fn two_rows_of_a_list_were_all_waits() {
    let leaders = "Top 5 Timed Events\n\
        ~~~~~~~~~~~~~~~~~~                                                     % Total\n\
        Event                                               Waits    Time (s) Ela Time\n\
        -------------------------------------------- ------------ ----------- --------\n\
        log file sync                                     400,000      10,000    20.00\n\
        CPU time                                                        5,000    10.00\n\
        db file sequential read                           200,000       2,500     5.00\n\
        enqueue                                            10,000       2,000     4.00\n\
        latch free                                         10,000       1,500     3.00\n\
        \x20         -------------------------------------------------------------\n\n";
    let list = |rows: &str| {
        format!(
            "Wait Events for DB: TILL  Instance: till  Snaps: 10 -11\n\
            -> s  - second\n\n\
            \x20                                                                  Avg\n\
            \x20                                                    Total Wait   wait    Waits\n\
            Event                               Waits   Timeouts   Time (s)   (ms)     /txn\n\
            ---------------------------- ------------ ---------- ---------- ------ --------\n\
            log file sync                     400,000        120     10,000     25      1.0\n{rows}\
            log file parallel write           410,000          0        410      1      1.0\n\
            \x20         -------------------------------------------------------------\n"
        )
    };
    let part = of(&format!("{leaders}{}", list("")));
    assert_eq!(part.response_time.foreground.db_time_s, Some(50_000.0));
    let remark = part.response_time.foreground.remark.as_deref().unwrap();
    assert!(remark.contains("lacks rows"), "{remark}");
    let rows = "db file sequential read           200,000          0      2,500     13      0.5\n\
        enqueue                            10,000          0      2,000    200      0.0\n\
        latch free                         10,000          0      1,500    150      0.0\n";
    // All that lead are listed, and half of the time that their shares are of is in no row.
    let short = of(&format!("{leaders}{}", list(rows)));
    assert_eq!(short.response_time.foreground.db_time_s, Some(50_000.0));
    let shares =
        [("20.00", "46.71"), ("10.00", "23.35"), (" 5.00", "11.68"), (" 4.00", " 9.34"), (" 3.00", " 7.01")];
    let leaders = shares.iter().fold(leaders.to_owned(), |text, (from, to)| text.replace(from, to));
    let whole = of(&format!("{leaders}{}", list(rows)));
    assert_eq!(whole.response_time.foreground.db_time_s, Some(21_000.0));
}

/// CPU was `not printed`, and what it took neither CPU nor a wait, beside both rates of the load profile.
#[test]
fn cpu_that_the_load_profile_prints_was_unexplained() {
    let said = of("Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
        ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
        \x20     DB Time(s):               12.5                0.9       0.09       0.68\n\
        \x20      DB CPU(s):                8.2                0.6       0.00       0.00\n\
        \x20      Redo size:           56,890.1            2,287.8\n\n\
        Foreground Wait Events                       DB/Inst: ORCL/orcl  Snaps: 37-38\n\n\
        \x20                                                            Avg\n\
        \x20                                       %Time Total Wait    wait    Waits   % DB\n\
        Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
        -------------------------- ------------ ----- ---------- ------- -------- ------\n\
        db file sequential read         357,320     0      6,575      18      4.0   14.6\n\
        log file sync                    38,250     0      1,495      39      0.4    3.3\n\
        \x20         -------------------------------------------------------------\n");
    let side = &said.response_time.foreground;
    let share = side.cpu_s.unwrap() / side.db_time_s.unwrap();
    assert!((share - 8.2 / 12.5).abs() < 1e-9, "{side:?}");
    assert!(!said.answer.contains("82 %"), "{}", said.answer);
}

/// 64 % of DB time was "neither CPU nor a printed wait", without a word on the 90 % that the load profile says CPU is.
#[test]
fn a_load_profile_that_denies_the_top_events_was_passed_over() {
    let text = |cpu: &str| {
        format!(
            "Load Profile                               Per Second     Per Transaction\n\
             ~~~~~~~~~                                  ----------     ---------------\n\
             DB Time(s):                                     24.3              0.22\n\
             DB CPU(s):                                      {cpu}              0.20\n\n\
             Top 5 Timed Foreground Events\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
             Event                          Waits     Time(s)  Avg(ms)  % DB Time  Wait Class\n\
             ------------------------------ --------- -------- -------- ---------- ----------\n\
             DB CPU                                    39,240             26.9\n\
             read by other session          234,441    8,412    35.9      5.8      User I/O\n"
        )
    };
    let remark = |cpu: &str| of(&text(cpu)).response_time.foreground.remark.unwrap_or_default();
    let denied = remark("21.8");
    assert!(
        denied.contains("by the load profile CPU is 90 % of DB time, by the top events 26.9 %"),
        "{denied}"
    );
    let agreed = remark(" 6.5");
    assert!(!agreed.contains("deny"), "{agreed}");
}

/// Half of what the list printed was missing from the chart, and nothing said so.
#[test]
fn an_idle_event_among_the_top_events_was_left_out_without_a_word() {
    let diagnosis = of("\
Top 5 Timed Events                                                    Avg %Total
~~~~~~~~~~~~~~~~~~                                                   wait   Call
Event                                            Waits    Time (s)   (ms)   Time
----------------------------------------- ------------ ----------- ------ ------
PL/SQL lock timer                                3,181       3,336   1049   55.3
CPU time                                                     2,466          40.9
latch: cache buffers chains                        701          80    114    1.3
");
    let remark = diagnosis.response_time.foreground.remark.unwrap_or_default();
    assert!(remark.contains("idle in it") && remark.contains("`PL/SQL lock timer` 3,336 s"), "{remark}");
}
