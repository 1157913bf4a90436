//! Forms that releases and people print and that were read wrongly when they were met first: lines of containers,
//! titles without a database, edited rulers beside torn tables. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus, Value};

#[path = "support/till.rs"]
mod till;

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("unseen", text.as_bytes()).reports
}

fn one(text: &str) -> Report {
    let mut reports = read(text);
    assert_eq!(reports.len(), 1, "{text}");
    reports.remove(0)
}

const SEGMENTS: &str = "Segments by Physical Reads                 DB/Inst: TILL/till  Snaps: 10-11\n\
    -> Total Physical Reads:          90,000\n\n\
    \x20                    Tablespace\n\
    Owner                   Name\n\
    -------------------- ----------\n\
    \x20                    Subobject  Obj.                            Physical\n\
    Object Name            Name     Type        Obj#   Dataobj#        Reads  %Total\n\
    -------------------- ---------- ----- ---------- ---------- ------------ -------\n\
    TILL                 TILL_DATA\n\
    RECEIPTS                        TABLE         70         70       45,000   50.00\n\
    \x20  PDB: SHOP\n\
    TILL                 TILL_DATA\n\
    RECEIPT_LINES        P2024      TABLE         71         72       18,000   20.00\n\
    \x20  PDB: STORE\n\
    SYS                  SYSTEM\n\
    I_PLACES                        INDEX         73         73        9,000   10.00\n\
    \x20  PDB: SHOP\n\
    \x20                         ------------------------------------------------------\n";

/// Every second segment of a pluggable database was read from the line that names the container.
#[test]
fn the_line_of_a_container_is_no_segment() {
    let paged = SEGMENTS.replace(
        "    TILL                 TILL_DATA\nRECEIPT_LINES",
        "\nOUTPUT\nTILL                 TILL_DATA\nRECEIPT_LINES",
    );
    // The head of a page between the lines of one row.
    let split = SEGMENTS
        .replace("I_PLACES ", "\nOUTPUT\nI_PLACES ")
        .replace("\n   PDB: STORE", "\n\nOUTPUT\n   PDB: STORE");
    let omitted = SEGMENTS.replace("-> Total", "...\n-> Total");
    for text in [SEGMENTS.to_owned(), paged, split] {
        let report = till::section(&text);
        let found: Vec<_> = report
            .tables
            .segment_stat
            .iter()
            .map(|s| {
                (s.owner.as_deref(), s.object.as_deref(), s.object_number, s.value, s.container.as_deref())
            })
            .collect();
        let expected = [
            (Some("TILL"), Some("RECEIPTS"), Some(70), Some(45_000.0), Some("SHOP")),
            (Some("TILL"), Some("RECEIPT_LINES"), Some(71), Some(18_000.0), Some("STORE")),
            (Some("SYS"), Some("I_PLACES"), Some(73), Some(9_000.0), Some("SHOP")),
        ];
        assert_eq!(found, expected, "{text}");
    }
    // Alone, and in a text whose tables are put right.
    for text in [SEGMENTS, &omitted] {
        let found = one(text).tables.segment_stat;
        let objects: Vec<_> = found.iter().map(|s| s.object.as_deref().unwrap()).collect();
        assert_eq!(objects, ["RECEIPTS", "RECEIPT_LINES", "I_PLACES"], "{text}");
    }
}

/// The line of a container behind lines left out is of a row that is not there.
#[test]
fn the_container_of_a_row_left_out_is_of_no_other() {
    let text = SEGMENTS
        .replace("RECEIPT_LINES        P2024      TABLE         71         72       18,000   20.00", "...");
    let report = till::section(&text);
    let rows = &report.tables.segment_stat;
    assert_eq!(rows[0].container.as_deref(), Some("SHOP"));
    assert!(rows.iter().all(|s| s.container.as_deref() != Some("STORE")), "{rows:?}");
}

fn cell<'r>(row: &'r spindle_facts::PrintedRow, key: &str) -> Option<&'r Value> {
    row.cells.iter().find(|(k, _)| &**k == key).map(|(_, value)| value)
}

fn text<'r>(row: &'r spindle_facts::PrintedRow, key: &str) -> Option<&'r str> {
    match cell(row, key)? {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    }
}

fn number(row: &spindle_facts::PrintedRow, key: &str) -> Option<f64> {
    match cell(row, key)? {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The container stands under a ruler of its own, on a third line of each row: cells stood in its column.
#[test]
fn sampled_activity_with_a_line_for_the_container_keeps_its_columns() {
    let objects = "Top DB Objects                             DB/Inst: TILL/till  Snaps: 10-11\n\
        -> Top DB Objects by DB Time\n\n\
        \x20     Object ID % Activity Event                             % Event\n\
        --------------- ---------- ------------------------------ ----------\n\
        Object Name (Type)                                    Tablespace\n\
        ----------------------------------------------------- --------------------------\n\
        \x20                            Container Name\n\
        -------------------------------------------\n\
        \x20         73139      60.00 enq: TX - row lock contention       60.00\n\
        TILL.RECEIPTS (TABLE)                                 USERS\n\
        \x20                                      SHOP\n\
        \x20         73140      40.00 db file sequential read             40.00\n\
        TILL.PLACES (TABLE)                                   USERS\n\
        \x20                                     STORE\n\
        \x20                         ------------------------------------------------------\n";
    let report = till::section(objects);
    let rows = &report.tables.ash_activity;
    let found: Vec<_> = rows
        .iter()
        .map(|r| {
            (
                number(r, "object_id"),
                text(r, "object_name_type"),
                text(r, "tablespace"),
                text(r, "container_name"),
            )
        })
        .collect();
    let expected = [
        (Some(73_139.0), Some("TILL.RECEIPTS (TABLE)"), Some("USERS"), Some("SHOP")),
        (Some(73_140.0), Some("TILL.PLACES (TABLE)"), Some("USERS"), Some("STORE")),
    ];
    assert_eq!(found, expected, "{rows:?}");

    let statements = "Top SQL with Top Events                    DB/Inst: TILL/till  Snaps: 10-11\n\
        -> Top SQL statements by DB Time\n\n\
        \x20                SQL ID            Plan Hash           Executions     % Activity\n\
        ----------------------- -------------------- -------------------- --------------\n\
        \x20                                                                          % Row\n\
        Event                          % Event Top Row Source                     Source\n\
        ------------------------------ ------- --------------------------------- -------\n\
        \x20                             Container Name\n\
        \x20-------------------------------------------\n\
        \x20         aa7t6babr24zf           3410170971                    1          60.00\n\
        enq: TX - row lock contention    60.00 UPDATE                              60.00\n\
        update receipts set total = 8 where id = 10\n\
        \x20                                       SHOP\n\n\
        \x20         bb7t6babr24zf           3410170972                    2          40.00\n\
        db file sequential read          40.00 INDEX - RANGE SCAN                  40.00\n\
        select total from receipts\n\
        where id = 12\n\
        \x20                                      STORE\n\n\
        \x20                         ------------------------------------------------------\n";
    let report = till::section(statements);
    let rows = &report.tables.ash_activity;
    let found: Vec<_> = rows
        .iter()
        .map(|r| {
            (
                text(r, "sql_id"),
                number(r, "plan_hash"),
                text(r, "event"),
                text(r, "sql_text"),
                text(r, "container_name"),
            )
        })
        .collect();
    assert_eq!(found.len(), 2, "{rows:?}");
    assert_eq!(found[0].0, Some("aa7t6babr24zf"));
    assert_eq!((found[0].1, found[0].2), (Some(3_410_170_971.0), Some("enq: TX - row lock contention")));
    assert_eq!(found[0].3, Some("update receipts set total = 8 where id = 10"));
    assert_eq!((found[0].4, found[1].4), (Some("SHOP"), Some("STORE")), "{rows:?}");
}

/// In a text with one torn table, the leading events below a load profile were read as its rows.
#[test]
fn leading_events_right_below_a_load_profile_are_none_of_its_rows() {
    let text = "Cache Sizes            Begin        End\n\
        ~~~~~~~~~~~       ---------- ----------\n\
        Buffer Cache:     5,920M              Std Block Size:         8K\n\
        Shared Pool:     1,168M                  Log Buffer:     7,344K\n\
        Load Profile             Per Second    Per Transaction    Per Exec    Per Call\n\
        ~~~~~~~~~~~~     ------------------  ----------------- ----------- -----------\n\
        Parses:            1,525.2           12,176.5\n\
        Hard parses:            1,496.9           12,078.0\n\
        Top 5 Timed Events                                                Avg %Total\n\
        ~~~~~~~~~~~~~~~~~~                                               wait   Call\n\
        Event                                        Waits    Time (s)   (ms)   Time\n\
        ------------------------------------- ------------ ----------- ------ ------\n\
        log file sync                                    5          15   3000   60.6\n\
        CPU time                                                     9          38.3\n\
        db file sequential read                          8           0      7     .2\n\
        buffer busy waits                                1           0     38     .2\n";
    for text in [text.to_owned(), text.replace("Top 5", "\nTop 5"), text.replace("Top 5", "...\nTop 5")] {
        let report = one(&text);
        let profile: Vec<_> = report.tables.load_profile.iter().map(|r| r.metric.as_str()).collect();
        assert_eq!(profile, ["Parses", "Hard parses"], "{text}");
        let events: Vec<_> = report
            .tables
            .top_event
            .iter()
            .map(|e| (e.event.as_str(), e.waits, e.time_s, e.share_pct))
            .collect();
        let expected = [
            ("log file sync", Some(5.0), Some(15.0), Some(60.6)),
            ("CPU time", None, Some(9.0), Some(38.3)),
            ("db file sequential read", Some(8.0), Some(0.0), Some(0.2)),
            ("buffer busy waits", Some(1.0), Some(0.0), Some(0.2)),
        ];
        assert_eq!(events, expected, "{text}");
    }
}

const BY_READS: &str = "SQL ordered by Reads              DB/Inst: TILL/till  Snaps: 719-723\n\
    -> Total Disk Reads:      56,839\n\n\
    \x20  Physical              Reads              Elapsed\n\
    \x20     Reads  Executions per Exec   %Total   Time (s)   %CPU    %IO    SQL Id\n\
    ----------- ----------- ---------- ------ ---------- ------ ------ -------------\n\
    \x20     9,006           1    9,006.0   15.8      720.9    5.9   80.9 4g36tmp70h185\n\n";
const BY_EXECUTIONS: &str = "SQL ordered by Executions         Snaps: 719-723\n\
    -> Total Executions:      48,078\n\
    -> Captured SQL account for   50.4% of Total\n\n\
    \x20                                             Elapsed\n\
    \x20Executions   Rows Processed  Rows per Exec   Time (s)   %CPU    %IO    SQL Id\n\
    ------------ --------------- -------------- ---------- ------ ------ -----------\n\
    \x20      6,327          11,249            1.8      590.5   47.8   52.7 1avv7759j8r\n";

/// Without database and instance behind its title, statements by executions were ranked by reads.
#[test]
fn a_title_with_snapshots_alone_begins_its_section() {
    for text in [
        format!("{BY_READS}{BY_EXECUTIONS}"),
        format!("```\n{BY_READS}```\nWhat was read\n\n### By executions\n```\n{BY_EXECUTIONS}```\n"),
        format!("{}{BY_READS}{BY_EXECUTIONS}", till::HEAD.replace(" 10 ", "719 ").replace(" 11 ", "723 ")),
    ] {
        let report = one(&text);
        let found: Vec<_> =
            report.tables.sql_stat.iter().map(|s| (s.ranked_by, s.executions, s.section_total)).collect();
        assert_eq!(found.len(), 2, "{text}");
        assert_eq!(found[0], ("physical_reads", Some(1.0), Some(56_839.0)));
        assert_eq!(found[1], ("executions", Some(6_327.0), Some(48_078.0)));
    }
    let alone = one(BY_EXECUTIONS);
    assert_eq!(alone.tables.sql_stat[0].ranked_by, "executions");
    assert_eq!((alone.identity.begin_snap, alone.identity.end_snap), (Some(719), Some(723)));
    let one_snap = "Buffer Pool Statistics              Snap: 723\n\n\
        \x20    Number of Pool       Buffer     Physical    Physical   Buff   Comp     Busy\n\
        P      Buffers Hit%         Gets        Reads      Writes   Wait   Wait    Waits\n\
        --- ---------- ---- ------------ ------------ ----------- ------ ------ --------\n\
        D       22,591   98        2,005       42,753         560      0      1       85\n";
    assert_eq!(one(one_snap).tables.buffer_pool.len(), 1);
}

/// Pools are named by the size of their blocks, which was taken for a number of thousands.
#[test]
fn a_pool_named_by_its_block_size_stays_a_name() {
    for name in ["2k", "4k", "8k", "16k", "32k"] {
        let text = format!(
            "Buffer Pool Statistics              DB/Inst: TILL/till  Snaps: 10-11\n\n\
             \x20                                                           Free   Writ   Buffer\n\
             \x20    Number of Pool       Buffer     Physical    Physical   Buff   Comp     Busy\n\
             P      Buffers Hit%         Gets        Reads      Writes   Wait   Wait    Waits\n\
             --- ---------- ---- ------------ ------------ ----------- ------ ------ --------\n\
             {name:<3}     15,720  N/A            0            0           0      0      0        0\n\
             D       22,591   98        2,005       42,753         560      0      1       85\n"
        );
        let report = till::section(&text);
        let rows = &report.tables.buffer_pool;
        assert_eq!((text_of(&rows[0]), text_of(&rows[1])), (Some(name), Some("D")), "{rows:?}");
    }
}

fn text_of(row: &spindle_facts::PrintedRow) -> Option<&str> {
    text(row, "p")
}

/// The rows of one table were thrown away because the headings of another, further down, had been moved.
#[test]
fn rows_that_stand_in_line_are_read_whatever_became_of_other_tables() {
    let times = "Time Model Statistics                 DB/Inst: TILL/till  Snaps: 10-11\n\n\
        Statistic Name                                           Time (s)  % of DB Time\n\
        ---------------------------------------------- ------------------ ------------\n\
        sql execute elapsed time                              1,791.5          88.2\n\
        parse time elapsed                                      700.1          34.5\n\
        hard parse elapsed time                                 653.7          32.2\n\n";
    let moved = "SQL ordered by Elapsed Time            DB/Inst: TILL/till  Snaps: 10-11\n\
        -> Captured SQL account for   13.7% of Total DB Time (s):           2,032\n\n\
        \x20       Elapsed                  Elapsed Time\n\
        \x20       Time (s)    Executions  per Exec (s)  %Total    %CPU     %IO    SQL Id\n\
        ---------------- -------------- ------------- ------ ------ ------ -------------\n\
        \x20          292.4              1        292.41   14.4    8.1   61.2 b6usrg82hwsas\n";
    let expected = [1_791.5, 700.1, 653.7].map(Some);
    for text in [times.to_owned(), format!("{times}{moved}"), format!("{moved}\n{times}")] {
        let report = one(&text);
        let found: Vec<_> = report.tables.time_model.iter().map(|t| t.time_s).collect();
        assert_eq!(found, expected, "{text}");
    }
    let events = "Shared Pool Statistics        Begin    End\n\
        \x20                             ------  ------\n\
        \x20            Memory Usage %:   61.20   91.96\n\
        \x20   % SQL with executions>1:   91.40   96.29\n\n\
        Top 5 Timed Events                                          Avg %Total\n\
        ~~~~~~~~~~~~~~~~~~                                         wait   Call\n\
        Event                                Waits    Time  (s)    (ms)   Time Wait Class\n\
        ----------------------------- ------------ ------------ ------- ------ ----------\n\
        latch free                       2,169,850      596,104     275   70.2      Other\n\
        db file sequential read         18,869,172      108,189       6   12.7   User I/O\n\
        CPU time                                         48,991            5.8\n";
    let report = one(events);
    let found: Vec<_> = report.tables.top_event.iter().map(|e| (e.event.as_str(), e.time_s)).collect();
    let expected =
        [("latch free", 596_104.0), ("db file sequential read", 108_189.0), ("CPU time", 48_991.0)]
            .map(|(e, t)| (e, Some(t)));
    assert_eq!(found, expected);
}

/// `Snaps: 663-3` is the rest of a title that was cut: an end before the begin was believed, and the heading that
/// somebody wrote above a title hid the database in it.
#[test]
fn a_cut_title_and_a_heading_of_somebodys_own_tell_no_other_report() {
    let tablespaces = "### Tablespace IO Stats\n\n\
        ```\nTablespace IO Stats            DB/Inst: TILL/till1  Snaps: 310-311\n\
        -> ordered by IOs (Reads + Writes) desc\n\n\
        Tablespace\n------------------------------\n\
        \x20                Av      Av     Av                       Av     Buffer Av Buf\n\
        \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
        -------------- ------- ------ ------- ------------ -------- ---------- ------\n\
        RECEIPTS\n\
        \x20      218,840     214   12.1     1.9        3,937        4        229   18.0\n```\n\n";
    let threads = "```\nInstance Activity Stats - Thread ActivityDB/Inst: DEPOT/DEPOT  Snaps: 663-6\n\
        -> Statistics identified by '(derived)' come from sources other than SYSSTAT\n\n\
        Statistic                                     Total  per Hour\n\
        -------------------------------- ------------------ ---------\n\
        log switches (derived)                           17     26.47\n```\n";
    let reports = read(&format!("{tablespaces}{threads}"));
    let first = &reports[0];
    assert_eq!(first.identity.db_name.as_deref(), Some("TILL"));
    assert_eq!((first.identity.begin_snap, first.identity.end_snap), (Some(310), Some(311)));
    assert_eq!(first.tables.tablespace_io.len(), 1);
    let other = reports.iter().find(|r| r.identity.db_name.as_deref() == Some("DEPOT")).unwrap();
    assert_eq!((other.identity.begin_snap, other.identity.end_snap), (Some(663), None));
    assert!(reports.iter().all(|r| r.sections.iter().all(|s| s.status != SectionStatus::Unreadable)));
}

/// `<pre class="code">Load Profile`: the tag hid the title, and the events of each test were put to another.
#[test]
fn a_title_glued_to_the_tag_of_its_page_is_a_title() {
    let test = |rate: &str, cpu: &str| {
        format!(
            "<p>The result:</p>\n<pre class=\"code\"><code>Load Profile                    Per Second   Per Transaction  Per Exec  Per Call\n\
             ~~~~~~~~~~~~~~~            ---------------   --------------- --------- ---------\n\
             \x20            DB Time(s):               8.9              58.8      0.00      3.66\n\
             \x20 Logical read (blocks):       {rate}      41,668,897.2\n\n\
             Top 10 Foreground Events by Total Wait Time\n\
             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
             \x20                                          Total Wait       Wait   % DB Wait\n\
             Event                                Waits Time (sec)    Avg(ms)   time Class\n\
             ------------------------------ ----------- ---------- ---------- ------ --------\n\
             DB CPU                                         {cpu}              60.8\n\
             latch free                             213          1       4.80     .0 Other</code></pre>\n\
             <p>As you can see</p>\n"
        )
    };
    let reports = read(&format!("{}{}", test("6,323,758.9", "2700.6"), test("3,495,618.2", "1638.6")));
    let found: Vec<_> = reports
        .iter()
        .map(|r| {
            (r.tables.load_profile[1].per_second, r.tables.top_event.len(), r.tables.top_event[0].time_s)
        })
        .collect();
    assert_eq!(found, [(Some(6_323_758.9), 2, Some(2_700.6)), (Some(3_495_618.2), 2, Some(1_638.6))]);
}

/// Rows of the code below a section's own were counted as rows that the section had lost.
#[test]
fn rows_of_the_next_code_are_none_of_the_section_above() {
    let events = "```\nTop 10 Foreground Events by Total Wait Time\n\
        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        Event                          Waits     Time(s)  Avg(ms)  % DB Time  Wait Class\n\
        ------------------------------ --------- -------- -------- ---------- ----------\n\
        DB CPU                                    39,240             26.9%\n\
        read by other session          234,441    8,412    35.9      5.8%      User I/O\n\
        log file sync                   44,112    1,892    42.9      1.3%      Commit\n```\n\n\
        **Statements by CPU:**\n```\n\
        SQL_ID         CPU_TIME(s)  EXEC  ELAPSED(s)  PLAN_HASH\n\
        -------------- ------------ ----- ----------- ----------\n\
        3x4mnp7qq8w1a       31,441   122    31,892    2847291034\n```\n";
    let report = one(events);
    assert_eq!(report.tables.top_event.len(), 3);
    let section = report.sections.iter().find(|s| s.title.starts_with("Top 10")).unwrap();
    assert_eq!(section.lost, 0, "{:?}", report.notes);
    // What goes on under the same headings is of the section, in whatever code it stands.
    let times = "```\nTime Model Statistics                 DB/Inst: TILL/till  Snaps: 10-11\n\n\
        Statistic Name                                       Time (s) % of DB Time\n\
        ------------------------------------------ ------------------ ------------\n\
        sql execute elapsed time                              1,791.5         88.2\n```\nand\n```\n\
        Statistic Name                                       Time (s) % of DB Time\n\
        ------------------------------------------ ------------------ ------------\n\
        parse time elapsed                                      700.1         34.5\n```\n";
    assert_eq!(one(times).tables.time_model.len(), 2);
}

/// A heading of somebody's own, or a query's, says nothing of what the report prints.
#[test]
fn a_heading_without_rows_is_not_printed_without_data() {
    let text = "#### Host CPU\n\n```\nHost CPU (CPUs:   24 Cores:   12 Sockets:    2)\n\
        ~~~~~~~~         Load Average\n\
        \x20              Begin       End     %User   %System      %WIO     %Idle\n\
        \x20          --------- --------- --------- --------- --------- ---------\n\
        \x20               2.41      2.84      11.1       2.2       8.2      86.0\n```\n\n\
        select distinct wait_class from v$event_name;\n\n\
        WAIT_CLASS\n----------------------------------------------------------------\n\
        Concurrency\nUser I/O\n\n\
        File IO Stats                  DB/Inst:... (the rest is left out)\n";
    let report = one(text);
    let odd: Vec<_> = report
        .sections
        .iter()
        .filter(|s| matches!(s.status, SectionStatus::Absent | SectionStatus::Unreadable))
        .collect();
    assert!(odd.is_empty(), "{odd:?}");
    assert!(!report.tables.os_stat.is_empty() || !report.sections.is_empty());
    // Where the database says so, it is.
    let none = "Segments by ITL Waits              DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                 No data exists for this section of the report.\n\
        \x20         -------------------------------------------------------------\n";
    assert!(till::section(none).sections.iter().any(|s| s.status == SectionStatus::Absent));
}

/// A frame around a heading was taken for its rows, so that the section itself seemed to come a second time.
#[test]
fn a_frame_around_a_heading_begins_no_other_report() {
    let text = till::HEAD
        .lines()
        .map(|l| format!("# {l}\n"))
        .chain(["##### Load Profile\n# ===========   ===========   ===========\n".to_owned()])
        .chain(
            "Load Profile\n~~~~~~~~~~~~                            Per Second       Per Transaction\n\
             \x20                                  ---------------       ---------------\n\
             \x20                 Redo size:             68,225.00             12,794.53\n\
             \x20             Logical reads:             19,994.77              3,749.71\n"
                .lines()
                .map(|l| format!("# {l}\n")),
        )
        .collect::<String>();
    let reports = read(&text);
    let found: Vec<_> =
        reports.iter().map(|r| (r.identity.db_name.as_deref(), r.tables.load_profile.len())).collect();
    assert_eq!(found, [(Some("TILL"), 2)], "{text}");
}

/// Statspack prints DB CPU in its header, which was not read where no section prints it.
#[test]
fn cpu_of_the_header_is_read_where_no_section_prints_it() {
    let head = "STATSPACK report for\n\n\
        Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
        ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
        \x20          402000462 till                1 24-Nov-20 10:18 12.1.0.2.0  NO\n\n\
        Snapshot       Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
        ~~~~~~~~    ---------- ------------------ -------- --------- ------------------\n\
        Begin Snap:          1 24-Nov-20 21:40:17       43       1.8\n\
        \x20 End Snap:          2 24-Nov-20 21:50:36       41       1.9\n\
        \x20  Elapsed:      10.32 (mins) Av Act Sess:       0.0\n\
        \x20  DB time:       3.30 (mins)      DB CPU:       1.20 (mins)\n\n";
    let report = one(head);
    let cpu = &report.tables.time_model[0];
    assert_eq!((cpu.statistic.as_str(), cpu.time_s), ("DB CPU", Some(72.0)));
    assert!(cpu.time_s_low.unwrap() < 72.0 && cpu.time_s_high.unwrap() > 72.0);
    let times = "Time Model System Stats  DB/Inst: TILL/till  Snaps: 1-2\n\n\
        Statistic                                       Time (s) % DB time\n\
        ----------------------------------- -------------------- ---------\n\
        DB CPU                                              72.3      36.6\n";
    let report = one(&format!("{head}{times}"));
    let found: Vec<_> = report.tables.time_model.iter().map(|t| t.time_s).collect();
    assert_eq!(found, [Some(72.3)]);
}

/// `Plan Statistics` and the database behind it stood on two lines, and its rows were of no table.
#[test]
fn plan_statistics_under_a_wrapped_title_are_read() {
    let text = "WORKLOAD REPOSITORY SQL Report\n\nSnapshot Period Summary\n\n\
        DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
        ------------ ----------- ------------ -------- --------------- ----------- ---\n\
        TILL           236423250 TILL                1 17-Mar-20 10:26 11.2.0.4.0  NO\n\n\
        SQL ID: 6gvch1xu9ca3g               DB/Inst: TILL/TILL  Snaps: 2104-2120\n\n\
        \x20   Plan Hash           Total Elapsed                 1st Capture   Last Capture\n\
        #   Value                    Time(ms)    Executions       Snap ID        Snap ID\n\
        --- ---------------- ---------------- ------------- ------------- --------------\n\
        1   17                         15,597           960          2105           2120\n\
        \x20         -------------------------------------------------------------\n\n\
        Plan 1(PHV: 17)\n--------------\n\n\
        Plan Statistics\nDB/Inst: TILL/TILL  Snaps: 2104-2120\n\
        -> % Total DB Time is the Elapsed Time of the SQL statement divided\n\n\
        Stat Name                                Statement   Per Execution % Snap\n\
        ---------------------------------------- ---------- -------------- -------\n\
        Elapsed Time (ms)                            15,597           16.2    15.9\n\
        CPU Time (ms)                                15,335           16.0    13.5\n\
        Buffer Gets                                 708,842          738.4     6.8\n\
        \x20         -------------------------------------------------------------\n";
    let report = one(text);
    let stat = &report.tables.sql_stat[0];
    assert_eq!((stat.plan_hash, stat.cpu_s, stat.buffer_gets), (Some(17), Some(15.335), Some(708_842.0)));
}

/// A report of one statement with two plans, as the one that is asked for after a plan changed.
fn two_plans() -> String {
    let statistics = |plan: u32, hash: u32, rows: &str| {
        format!(
            "\nPlan {plan}(PHV: {hash})\n--------------\n\n\
             Plan Statistics                            DB/Inst: TILL/TILL  Snaps: 2104-2105\n\
             -> % Total DB Time is the Elapsed Time of the SQL statement divided\n\n\
             Stat Name                                Statement   Per Execution % Snap\n\
             ---------------------------------------- ---------- -------------- -------\n{rows}\
             \x20         -------------------------------------------------------------\n"
        )
    };
    let first = statistics(
        1,
        17,
        "Elapsed Time (ms)                           612,500          612.5    15.4\n\
         CPU Time (ms)                               250,000          250.0    20.3\n\
         Executions                                    1,000            N/A     N/A\n\
         Buffer Gets                                ########        9,876.5     2.8\n\
         Disk Reads                                   12,345           12.3     3.3\n",
    );
    let second = statistics(
        2,
        98,
        "Elapsed Time (ms)                           200,000        1,000.0     5.0\n\
         CPU Time (ms)                                50,000          250.0     4.0\n\
         Executions                                      200            N/A     N/A\n\
         Buffer Gets                               1,646,100        8,230.5     2.8\n\
         Disk Reads                                    2,345           11.7     0.6\n",
    );
    format!(
        "WORKLOAD REPOSITORY SQL Report\n\nSnapshot Period Summary\n\n\
         DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
         ------------ ----------- ------------ -------- --------------- ----------- ---\n\
         TILL           236423250 TILL                1 17-Mar-20 10:26 11.2.0.4.0  NO\n\n\
         SQL ID: 6gvch1xu9ca3g               DB/Inst: TILL/TILL  Snaps: 2104-2105\n\n\
         \x20   Plan Hash           Total Elapsed                 1st Capture   Last Capture\n\
         #   Value                    Time(ms)    Executions       Snap ID        Snap ID\n\
         --- ---------------- ---------------- ------------- ------------- --------------\n\
         1   17                        612,500         1,000          2105           2105\n\
         2   98                        200,000           200          2105           2105\n\
         \x20         -------------------------------------------------------------\n\
         {first}{second}\nFull SQL Text\n\n\
         SQL ID        SQL Text\n------------- ----------------------------------------\n\
         6gvch1xu9ca3g select * from receipts where id = :1\n\n\nReport written to awrsqlrpt_1_2104_2105.txt\n"
    )
}

/// Statistics of the second plan were taken for those of the first of another period, and left out; the last line of
/// the script was a statement.
#[test]
fn statistics_of_a_second_plan_were_a_copy_of_the_first() {
    let report = one(&two_plans());
    let of_plan = |s: &spindle_facts::SqlStat| (s.plan_hash, s.cpu_s, s.buffer_gets, s.physical_reads);
    let found: Vec<_> = report.tables.sql_stat.iter().map(of_plan).collect();
    assert_eq!(
        found,
        [
            (Some(17), Some(250.0), None, Some(12_345.0)),
            (Some(98), Some(50.0), Some(1_646_100.0), Some(2_345.0))
        ]
    );
    let strange = |m: &str| m.contains("a second time") || m.contains("left out");
    assert!(report.notes.iter().all(|n| !strange(&n.message)), "{:?}", report.notes);
    let texts: Vec<_> = report.tables.sql_text.iter().map(|t| t.text.as_str()).collect();
    assert_eq!(texts, ["select * from receipts where id = :1"]);
}

/// Of a notes' table of snapshots, elapsed and DB time were dropped without a word; titles behind numbers were
/// unknown, and so was the database that somebody lists a label a row.
#[test]
fn notes_with_numbered_titles_name_times_and_database() {
    let report = one("# Analysis of TILL\n\n### Database Details\n\n| Attribute | Value |\n|---|---|\n\
         | **DB Name** | TILL |\n| **Instance** | till1 |\n| **DB ID** | 2629620001 |\n\
         | **Release** | 19.27.0.0.0 (Oracle 19c) |\n| **Edition** | EE |\n| **Host** | tillhost |\n\
         | **Platform** | AIX-Based Systems (64-bit) |\n| **CPUs** | 40 |\n| **Cores** | 5 |\n\
         | **Memory** | 370 GB |\n| **RAC** | No |\n\n\
         ### Snapshot Period\n\n| Metric | Value |\n|---|---|\n\
         | **Begin Snap** | 310 \u{2014} 23-Jan-2019 15:00:56 |\n| **End Snap** | 311 \u{2014} 23-Jan-2019 15:30:41 |\n\
         | **Elapsed** | 29.75 minutes |\n| **DB Time** | 60.10 minutes |\n\n\
         ### 3.4 Time Model\n\n| Statistic | Time (s) | % DB Time |\n|---|---:|---:|\n\
         | SQL Execute Elapsed Time | 3,350 | **92.90%** |\n| DB CPU | 814 | 22.57% |\n\n\
         ## 4. Top SQL Statements (by Elapsed Time)\n\n\
         | Rank | SQL ID | Elapsed (s) | Executions | Per Exec (s) | % Total | SQL Text |\n|---|---|---|---|---|---|---|\n\
         | 1 | `0abcdefghjkmn` | 386 | 4,090 | 0.09 | **10.70%** | `select count(*) from receipts` |\n");
    let identity = &report.identity;
    assert_eq!((identity.db_name.as_deref(), identity.db_id), (Some("TILL"), Some(2_629_620_001)));
    assert_eq!(
        (identity.instance.as_deref(), identity.version.as_deref()),
        (Some("till1"), Some("19.27.0.0.0"))
    );
    assert_eq!(
        (identity.host.as_deref(), identity.cpus, identity.cores),
        (Some("tillhost"), Some(40.0), Some(5.0))
    );
    assert_eq!(identity.platform.as_deref(), Some("AIX-Based Systems (64-bit)"));
    assert_eq!((identity.memory_bytes, identity.rac), (Some(370.0 * 1_073_741_824.0), Some(false)));
    assert_eq!((identity.begin_snap, identity.end_snap), (Some(310), Some(311)));
    assert_eq!(identity.begin_time.as_deref(), Some("2019-01-23T15:00:56"));
    assert_eq!((identity.elapsed_s, identity.db_time_s), (Some(29.75 * 60.0), Some(60.1 * 60.0)));
    let times: Vec<_> = report.tables.time_model.iter().map(|t| (t.statistic.as_str(), t.time_s)).collect();
    assert_eq!(times, [("sql execute elapsed time", Some(3_350.0)), ("DB CPU", Some(814.0))]);
    let [statement] = report.tables.sql_stat.as_slice() else { panic!("{:?}", report.tables.sql_stat) };
    assert_eq!((statement.sql_id.as_deref(), statement.ranked_by), (Some("0abcdefghjkmn"), "elapsed_time"));
    assert_eq!((statement.elapsed_s, statement.executions), (Some(386.0), Some(4_090.0)));
    assert!(report.sections.iter().all(|s| s.status == SectionStatus::Read), "{:?}", report.sections);
}

/// Values are no labels where they are not those of a database, and words before a time are no time.
#[test]
fn lists_of_something_else_are_no_database() {
    let report = one("### Load Profile\n\n| Metric | Per Second | Per Transaction |\n|---|---|---|\n\
         | DB Time(s) | 2.0 | 0.1 |\n| Redo size | 552,173.5 | 1,933.1 |\n\n\
         ### Machines\n\n| Name | Value |\n|---|---|\n| Host | a |\n| CPUs | 12 of 40 |\n| Memory | much |\n| RAC | No |\n");
    assert_eq!(
        (report.identity.host.as_deref(), report.identity.cpus, report.identity.rac),
        (None, None, None)
    );
}

/// `31,1 GB` were 311.
#[test]
fn memory_in_a_list_of_people_may_have_a_decimal_comma() {
    let memory = |printed: &str| {
        let report = one(&format!(
            "### Load Profile\n\n| Metric | Per Second | Per Transaction |\n|---|---|---|\n\
             | DB Time(s) | 2.0 | 0.1 |\n| Redo size | 552,173.5 | 1,933.1 |\n\n\
             ### Database\n\n| Name | Value |\n|---|---|\n| DB Name | TILL |\n| DB Id | 2629620001 |\n\
             | CPUs | 40 |\n| Memory | {printed} |\n"
        ));
        assert_eq!(report.identity.cpus, Some(40.0));
        report.identity.memory_bytes.map(|bytes| bytes / 1_073_741_824.0)
    };
    assert_eq!(
        (memory("31,1 GB"), memory("31.1 GB"), memory("370 GB")),
        (Some(31.1), Some(31.1), Some(370.0))
    );
    assert_eq!((memory("1,024 G"), memory("31,1 TB"), memory("much")), (Some(1_024.0), None, None));
}

/// Titles in the first heading of tables, and headings over two rows: nothing looked like a report.
#[test]
fn a_title_in_the_first_heading_is_that_of_its_table() {
    let report = one("| Load Profile | Per Second | Per Transaction |\n| --- | --- | --- |\n\
         | Redo size : | 140,839.60 | 5,345.24 |\n| Logical reads : | 47,768.26 | 1,812.93 |\n\n\
         ### Efficiency of the till\n\n\
         | Instance Efficiency Percentages (Target 100%) | | | |\n| --- | --- | --- | --- |\n\
         | Buffer Nowait % : | 99.99 | Redo NoWait % : | 100.00 |\n\n\
         ### What it waits for\n\n\
         | Top 5 Timed Events | | | Avg Wait (ms) | %Total Call Time | |\n| --- | --- | --- | --- | --- | --- |\n\
         | Event | Waits | Time(s) | | | Wait Class |\n\
         | Latch free | 2,169,850 | 596,104 | 275 | 70.2 | Other |\n\
         | Db file sequential read | 18,869,172 | 108,189 | 6 | 12.7 | User I/O |\n| CPU time | | 48,991 | | 5.8 | |\n");
    let profile: Vec<_> = report
        .tables
        .load_profile
        .iter()
        .map(|r| (r.metric.as_str(), r.known.is_some(), r.per_second))
        .collect();
    assert_eq!(profile, [("Redo size", true, Some(140_839.6)), ("Logical reads", true, Some(47_768.26))]);
    let ratios: Vec<_> =
        report.tables.efficiency.iter().map(|r| (text(r, "ratio"), number(r, "pct"))).collect();
    assert_eq!(ratios, [(Some("Buffer Nowait %"), Some(99.99)), (Some("Redo NoWait %"), Some(100.0))]);
    let events: Vec<_> =
        report.tables.top_event.iter().map(|e| (e.event.as_str(), e.waits, e.time_s, e.share_pct)).collect();
    assert_eq!(
        events,
        [
            ("latch free", Some(2_169_850.0), Some(596_104.0), Some(70.2)),
            ("db file sequential read", Some(18_869_172.0), Some(108_189.0), Some(12.7)),
            ("CPU time", None, Some(48_991.0), Some(5.8)),
        ]
    );
}

/// Headings that were glued to each other were called those of no known release, and rows of events nothing at all.
#[test]
fn a_refusal_says_that_blanks_or_headings_are_lost() {
    let why = |text: &str| spindle_evidence::read("unseen", text.as_bytes()).refused.unwrap();
    let glued = "Top 10 Foreground Events by Total Wait Time\n\n\
                 EventWaitsTotal Wait Time (sec)Wait Avg(ms)% DB timeWait Class\nDB CPU2590.996.6\n\
                 log file sync19,57525.511.0Commit\n";
    assert!(why(glued).contains("(`EventWaitsTotal`)"), "{}", why(glued));
    let other = "Top 10 Foreground Events by Total Wait Time\n\nnothing of the kind\n";
    assert!(why(other).contains("of no known release"), "{}", why(other));
    let events = "Total       Wait    wait     Waits   Event\nWait         Waits   Timeouts   Time (cs)  (ms)   /txn\n\n\
                  SQL*Net message from dblink       435,845          0   1,288,965    30    7.7\n\
                  db file parallel write              4,252          0   1,287,023  3027    0.1\n\
                  write complete waits                5,872      5,658     581,066   990    0.1\n\
                  db file sequential read         1,249,981          0     510,793     4   22.0\n";
    assert!(why(events).starts_with("line 4: events of Oracle stand there"), "{}", why(events));
}

/// The second interval had no time, and its CPU was shared over what was printed of its waits.
#[test]
fn the_head_of_a_second_excerpt_is_that_of_what_follows() {
    let interval = |elapsed: &str, db_time: &str, cpu: &str| {
        format!(
            "Elapsed:       {elapsed} (mins) Av Act Sess:       0.7\n\
             DB time:       {db_time} (mins)      DB CPU:       0.10 (mins)\n\
             Load Profile             Per Second    Per Transaction    Per Exec    Per Call\n\
             ~~~~~~~~~~~~     ------------------  ----------------- ----------- -----------\n\
             Hard parses:            1,796.9           12,578.0\n\
             Top 5 Timed Events                                                Avg %Total\n\
             ~~~~~~~~~~~~~~~~~~                                               wait   Call\n\
             Event                                        Waits    Time (s)   (ms)   Time\n\
             ------------------------------------- ------------ ----------- ------ ------\n\
             CPU time                                                    {cpu}          38.3\n\
             log file parallel write                         45           0      2     .3\n"
        )
    };
    let both =
        format!("{}\nWith two users:\n\n{}", interval("0.23", "0.16", " 9"), interval("0.20", "0.36", "21"));
    let times: Vec<_> = read(&both)
        .iter()
        .map(|r| {
            (
                r.identity.elapsed_s.unwrap().round(),
                r.identity.db_time_s.unwrap().round(),
                r.tables.top_event[0].time_s,
            )
        })
        .collect();
    assert_eq!(times, [(14.0, 10.0, Some(9.0)), (12.0, 22.0, Some(21.0))]);
    // The same time twice is that of one interval.
    let head = "Elapsed:       0.23 (mins) Av Act Sess:       0.7\n\n";
    assert_eq!(read(&format!("{head}{}", interval("0.23", "0.16", " 9"))).len(), 1);
}

/// Names that a query listed below a table were wait classes of it.
#[test]
fn names_of_classes_below_a_table_are_no_rows_of_it() {
    let report = one("Foreground Wait Class\n\n\
         \x20                                                                 Avg\n\
         \x20                                     %Time       Total Wait     wait\n\
         Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
         -------------------- ---------------- ----- ---------------- -------- ---------\n\
         User I/O                      405,042     0            6,695       17      58.7\n\
         DB CPU                                                 2,649                2.3\n\
         \x20         -------------------------------------------------------------\n\n\
         select distinct wait_class from v$event_name;\n\n\
         WAIT_CLASS\n\
         ----------------------------------------------------------------\n\
         Concurrency\nUser I/O\nNetwork\n");
    let classes: Vec<_> =
        report.tables.wait_class.iter().map(|c| (c.wait_class.as_str(), c.time_s)).collect();
    assert_eq!(classes, [("User I/O", Some(6_695.0)), ("DB CPU", Some(2_649.0))]);
}

/// Without the title line of a RAC-global report none of its sections was read.
#[test]
fn pieces_of_a_report_of_all_instances_are_known_by_their_titles() {
    let report = one("System Statistics - Per Second       DB/Inst: TILL/till1  Snaps: 35-36\n\n\
         \x20            Logical     Physical     Physical         Redo        Block\n\
         \x20 I#         Reads/s      Reads/s     Writes/s   Size (k)/s    Changes/s\n\
         ---- --------------- ------------ ------------ ------------ ------------\n\
         \x20  1          822.33          6.1          0.4          1.4        202.9\n\
         \x20  2          807.67          5.1          0.5          1.4        195.6\n\
         \x20~~~ ~~~~~~~~~~~~~~~ ~~~~~~~~~~~~ ~~~~~~~~~~~~ ~~~~~~~~~~~~ ~~~~~~~~~~~~\n\
         \x20Sum        1,630.00         11.2          0.9          2.8        398.5\n\
         \x20Avg          815.00          5.6          0.5          1.4        199.3\n\
         \x20                         ----------------------------------------------\n");
    assert_eq!((report.identity.scope, report.identity.rac), (spindle_facts::Scope::Database, Some(true)));
    let reads: Vec<_> = report
        .tables
        .instance_stat
        .iter()
        .filter(|r| r.statistic == "physical reads")
        .map(|r| (r.instance_number, r.per_second))
        .collect();
    assert_eq!(reads, [(Some(1), Some(6.1)), (Some(2), Some(5.1)), (None, Some(11.2))]);
}

fn status(report: &Report, title: &str) -> Option<(SectionStatus, u32, u32)> {
    let section = report.sections.iter().find(|s| s.title.contains(title))?;
    Some((section.status, section.rows, section.lost))
}

/// A sentence with a number in it, below a time model, was a row of it that could not be read.
#[test]
fn sentences_below_a_table_are_no_rows_of_it() {
    let prose = "What stands above is from the first 100 lines of the report, so that you have a fair idea of\n\
                 its load. The next step is to find out which statements these 95.5 percent of the time are of.\n";
    let times = format!(
        "Statistic Time (s) % DB time\n----------------------------------- -------------------- ---------\n\
         sql execute elapsed time 5,103.6 95.5\nDB CPU 1,201.1 22.5\nsequence load elapsed time 0.1 .0\n\
         DB time 5,342.9\nbackground cpu time 38.8\n{prose}"
    );
    let waits = format!(
        "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~ % Total\nEvent Waits Time (s) Ela Time\n\
         ---------------------- ---------- ----------- --------\n\
         db file sequential read 80,000 480 48.00\nlog file sync 3,100 310 31.00\n{prose}"
    );
    for text in [times, waits] {
        let report = one(&text);
        assert_eq!(report.sections.iter().map(|s| s.lost).sum::<u32>(), 0, "{text}{:?}", report.notes);
        assert_eq!(
            report.tables.time_model.len() + report.tables.top_event.len(),
            if text.starts_with("Stat") { 5 } else { 2 }
        );
    }
    // What is a row all the same is lost.
    let squeezed = "Statistic Time (s) % DB time\n----------------------------------- -------------------- ---------\n\
                    sql execute elapsed time 5,103.6 95.5\nDB CPU 1,201.1 22.5 17.9 a b\nDB time 5,342.9\n";
    assert_eq!(one(squeezed).sections.iter().map(|s| s.lost).sum::<u32>(), 1);
}

/// The second of two untitled tables of one kind was in no section that anything reads, without a word.
#[test]
fn untitled_tables_of_two_nodes_are_those_of_two_reports() {
    let node = |number: u32, db_time: &str, rows: &str| {
        format!(
            "Node {number}:\n\nElapsed:               30.02 (mins)\nDB Time:              {db_time} (mins)\n\n\
             \x20                                                            Avg\n\
             \x20                                       %Time Total Wait    wait    Waits   % DB\n\
             Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
             -------------------------- ------------ ----- ---------- ------- -------- ------\n{rows}\n"
        )
    };
    let text = node(
        1,
        "740.93",
        "db file sequential read          35,732     0      6,575     184      4.0   14.8\n\
         log file sync                     3,825     0      1,495     391      0.4    3.4\n",
    ) + &node(
        2,
        "141.41",
        "gc buffer busy acquire        3,274,352     3      3,030      93     13.3   35.7\n\
         db file sequential read          12,442     0      2,114     170      1.4   24.9\n",
    );
    let found: Vec<_> = read(&text)
        .iter()
        .map(|r| {
            let reads = r.tables.wait_event.iter().find(|e| e.event == "db file sequential read").unwrap();
            (r.identity.db_time_s.unwrap().round(), r.tables.wait_event.len(), reads.waits)
        })
        .collect();
    assert_eq!(found, [(44_456.0, 2, Some(35_732.0)), (8_485.0, 2, Some(12_442.0))]);
}

/// `Redo NoWait %: 99.1` below another table, its heading in words of somebody, was in no section.
#[test]
fn ratios_without_their_heading_are_read() {
    let ratios = "Redo NoWait %:     99.1  \u{2190} normal\nBuffer Hit %:      98.5\nSoft Parse %:      72.3  too low\n";
    let events = "Top 5 Timed Events\n~~~~~~~~~~~~~~~~~~                                               wait   Call\n\
                  Event                                        Waits    Time (s)   (ms)   Time\n\
                  ------------------------------------- ------------ ----------- ------ ------\n\
                  log file sync                                5,000         100     20   40.0\n\
                  CPU time                                                    90          38.3\n\n";
    let fenced =
        format!("**Leading events:**\n```\n{events}```\n\n**How well it does:**\n```\n{ratios}```\n");
    for text in [format!("{events}How well it does:\n\n{ratios}"), fenced] {
        let report = one(&text);
        let found: Vec<_> =
            report.tables.efficiency.iter().map(|r| (self::text(r, "ratio"), number(r, "pct"))).collect();
        assert_eq!(
            found,
            [
                (Some("Redo NoWait %"), Some(99.1)),
                (Some("Buffer Hit %"), Some(98.5)),
                (Some("Soft Parse %"), Some(72.3))
            ],
            "{text}"
        );
        assert_eq!(report.tables.top_event.len(), 2, "{text}");
        assert_eq!(report.sections.iter().map(|s| s.lost).sum::<u32>(), 0, "{:?}", report.sections);
    }
}

/// Rows of statements that stand beside their ruler were no rows, and the section unknown without a word.
#[test]
fn rows_of_statements_that_fit_no_ruler_are_lost_and_not_unknown() {
    let list = |row: &str| {
        format!(
            "{LEADING}SQL Ordered by Parse Calls\n\n\
             SQL Id           Parse Calls   Executions   Soft/Hard Ratio\n\
             ---------------- -----------   ----------   ---------------\n{row}\n"
        )
    };
    let report = one(&list("7x9abc123        980,000         980,000          0/100%"));
    assert_eq!(
        status(&report, "Parse Calls"),
        Some((SectionStatus::Unreadable, 0, 1)),
        "{:?}",
        report.sections
    );
    // Words of statements are no rows.
    let report = one(&list("select id from receipts where day between 12 and 17"));
    assert_eq!(status(&report, "Parse Calls").map(|s| (s.0, s.2)), Some((SectionStatus::Unknown, 0)));
}

const LEADING: &str = "Top 5 Timed Events                                               wait   Call\n\
    ~~~~~~~~~~~~~~~~~~\n\
    Event                                        Waits    Time (s)   (ms)   Time\n\
    ------------------------------------- ------------ ----------- ------ ------\n\
    log file sync                                5,000         100     20   40.0\n\
    CPU time                                                    90          38.3\n\
    \x20         -------------------------------------------------------------\n\n";

/// `No data exists for this section of the report.` was an execution plan that nothing reads.
#[test]
fn an_execution_plan_without_data_is_absent() {
    let report = one("WORKLOAD REPOSITORY SQL Report\n\n\
         SQL ID: 6gvch1xu9ca3g               DB/Inst: TILL/till  Snaps: 104-120\n\n\
         #   Plan Hash Value  Total Elapsed Time(ms)     Executions  1st Capture Snap ID\n\
         --- ---------------- ------------------ -------------- ---------------\n\
         1   3742653144              15,597            960             105\n\
         \x20         -------------------------------------------------------------\n\n\
         Execution Plan\n\
         \x20                 No data exists for this section of the report.\n\n");
    assert_eq!(
        status(&report, "Execution Plan").map(|s| s.0),
        Some(SectionStatus::Absent),
        "{:?}",
        report.sections
    );
}

/// The load profile of a comparison without its title was counted as read, and none of it given.
#[test]
fn the_load_profile_of_two_periods_is_known_without_its_title() {
    let text = |title: &str| {
        format!(
            "WORKLOAD REPOSITORY COMPARE PERIOD REPORT\n\n\
             Snapshot Set    DB Id    Instance     Inst Num Release     Cluster Host\n\
             ------------ ----------- ------------ -------- ----------- ------- ------------\n\
             First (1st)   2629620001 till                1 11.2.0.4.0  NO      shop01\n\
             Second (2nd)  2629620001 till                1 11.2.0.4.0  NO      shop01\n\n\
             Snapshot Set  Begin Snap Id Begin Snap Time            End Snap Id End Snap Time                  Avg Active Users           Elapsed Time (min)            DB time (min)\n\
             ------------ -------------- ------------------------- ------------ ------------------------- -------------------------- -------------------------- --------------------------\n\
             1st                      91 08-Dec-23 00:29:40 (Fri)           92 08-Dec-23 00:34:40 (Fri)                       7.0                       5.0                      35.2\n\
             2nd                      88 08-Dec-23 00:23:57 (Fri)           89 08-Dec-23 00:28:57 (Fri)                       7.1                       5.0                      35.5\n\
             \x20                                                                                     ~~~~~~~ ~~~~~~~~~~~~~~~~~~~~~~~~~~ ~~~~~~~~~~~~~~~~~~~~~~~~~~ ~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
             \x20                                                                                     %Diff:                     0.6%                       0.0%                       0.6%\n\
             {title}~~~~~~~~~~~~~~~~~~~                   1st Per Sec          2nd Per Sec      %Diff              1st Per Txn          2nd Per Txn      %Diff\n\
             \x20                                 ---------------      ---------------     ------          ---------------      ---------------     ------\n\
             \x20                   DB time:                  7.1                 14.0       96.8                      0.0                  0.0       66.7\n\
             \x20                 Redo size:            393,267.0            552,173.5       40.4                  1,931.8              1,933.1        0.1\n\n"
        )
    };
    let profile = |text: &str| -> Vec<_> {
        read(text)
            .iter()
            .map(|r| {
                let redo = r.tables.load_profile.iter().find(|l| l.metric == "Redo size");
                (r.tables.load_profile.len(), redo.and_then(|l| l.per_second))
            })
            .collect()
    };
    let expected = [(2, Some(393_267.0)), (2, Some(552_173.5))];
    assert_eq!(profile(&text("Workload Comparison\n")), expected);
    assert_eq!(profile(&text("")), expected);
    assert_eq!(profile(&text("\n")), expected);
}

/// That ADDM found nothing was as little known as where its findings were cut off.
#[test]
fn that_addm_has_no_findings_is_its_own_word() {
    let addm = |end: &str| {
        format!(
            "          ADDM Report for Task 'TASK_30'\n          ------------------------------\n\n\
             Analysis Period\n---------------\nAWR snapshot range from 7 to 10.\n\n\
             Activity During the Analysis Period\n-----------------------------------\n\
             Total database time was 231 seconds.\n\n{end}"
        )
    };
    let none = one(&addm("There are no findings to report.\n"));
    assert_eq!(status(&none, spindle_facts::ADDM_FINDINGS).map(|s| s.0), Some(SectionStatus::Absent));
    assert_eq!(status(&one(&addm("")), spindle_facts::ADDM_FINDINGS), None);
}

/// A further subprogram of the entry above began the next row, and every row behind it was shifted by one.
#[test]
fn a_further_subprogram_of_an_entry_shifts_no_rows() {
    let printed = "Top PL/SQL Procedures                     DB/Inst: TILL/till  Snaps: 10-11\n\
        -> 'PL/SQL entry subprogram' represents the application's top-level\n\
        \x20     entry-point\n\n\
        PL/SQL Entry Subprogram                                           % Activity\n\
        ----------------------------------------------------------------- ----------\n\
        PL/SQL Current Subprogram                                          % Current\n\
        ----------------------------------------------------------------- ----------\n\
        TILL.COUNT_COINS                                                       12.50\n\
        \x20  SQL                                                                  9.25\n\n\
        \x20  TILL.COUNT_COINS                                                     2.25\n\
        TILL.PRINT_RECEIPT                                                      6.50\n\
        \x20  SQL                                                                  6.50\n\
        TILL.CLOSE_DAY                                                          3.75\n\
        \x20  SQL                                                                  3.50\n\
        \x20                         ------------------------------------------------------\n";
    // The blank line may be lost.
    for pages in [printed.to_owned(), printed.replace("9.25\n\n", "9.25\n")] {
        let report = till::section(&pages);
        let rows = report.tables.ash_activity.iter();
        let found: Vec<_> = rows
            .map(|row| {
                let entry = text(row, "pl_per_sql_entry_subprogram");
                let current = text(row, "pl_per_sql_current_subprogram");
                (entry, number(row, "pct_activity"), current, number(row, "pct_current"))
            })
            .collect();
        let of = |entry, activity, current, share| (Some(entry), Some(activity), Some(current), Some(share));
        let wanted = [
            of("TILL.COUNT_COINS", 12.5, "SQL", 9.25),
            of("TILL.COUNT_COINS", 12.5, "TILL.COUNT_COINS", 2.25),
            of("TILL.PRINT_RECEIPT", 6.5, "SQL", 6.5),
            of("TILL.CLOSE_DAY", 3.75, "SQL", 3.5),
        ];
        assert_eq!(found, wanted);
    }
}

/// Further values of an event and further blocked events have no second line: the first of them was joined with
/// the next row, and both were lost.
#[test]
fn a_further_event_without_a_second_line_takes_none_of_the_next_row() {
    let blocking = "Top Blocking Sessions                     DB/Inst: TILL/till  Snaps: 10-11\n\
        -> '% Activity' represents the load on the database\n\n\
        \x20Blocking Sid (Inst) % Activity Event Caused                      % Event\n\
        -------------------- ---------- ------------------------------ ----------\n\
        User                 Program                          # Samples Active     XIDs\n\
        -------------------- ------------------------------ ------------------ --------\n\
        \x20   21,70001(     1)       5.50 log file sync                        3.50\n\
        TILL                 till@shop (LGWR)                  12/93 [ 13%]        0\n\n\
        \x20                               buffer busy waits                    2.00\n\n\n\
        \x20   22,70002(     1)       1.25 log file sync                        1.25\n\
        TILL                 till@shop (LG01)                  30/93 [ 32%]        0\n\n\
        \x20                               latch free                           1.00\n\n\
        \x20                         ------------------------------------------------------\n";
    let report = till::section(blocking);
    let rows = report.tables.ash_activity.iter();
    let found: Vec<_> = rows
        .map(|row| {
            let session = text(row, "blocking_sid_inst");
            (session, text(row, "event_caused"), number(row, "pct_event"), text(row, "user"))
        })
        .collect();
    let wanted = [
        (Some("21,70001(     1)"), Some("log file sync"), Some(3.5), Some("TILL")),
        (None, Some("buffer busy waits"), Some(2.0), None),
        (Some("22,70002(     1)"), Some("log file sync"), Some(1.25), Some("TILL")),
        (None, Some("latch free"), Some(1.0), None),
    ];
    assert_eq!(found, wanted);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

/// The line of a statement that comes again for a further event, without its identifier, was read as its text.
#[test]
fn a_further_event_of_a_statement_is_none_of_its_text() {
    let printed = "Top SQL with Top Events                   DB/Inst: TILL/till  Snaps: 10-11\n\
        -> Top SQL statements by DB Time\n\n\
        \x20                SQL ID            Plan Hash           Executions     % Activity\n\
        ----------------------- -------------------- -------------------- --------------\n\
        \x20                                                                          % Row\n\
        Event                          % Event Top Row Source                     Source\n\
        ------------------------------ ------- --------------------------------- -------\n\
        \x20         7till0000till                  N/A                    1           6.50\n\
        db file scattered read            4.50 TABLE ACCESS - FULL                  4.50\n\
        update receipts set sum = 0\n\n\
        \x20                                        N/A                    1           6.50\n\
        CPU + Wait for CPU                2.00 TABLE ACCESS - FULL                  2.00\n\
        update receipts set sum = 0\n\n\
        \x20                         ------------------------------------------------------\n";
    let report = till::section(printed);
    let rows = report.tables.ash_activity.iter();
    let found: Vec<_> = rows
        .map(|row| (text(row, "sql_id"), text(row, "event"), number(row, "pct_event"), text(row, "sql_text")))
        .collect();
    let (id, update) = (Some("7till0000till"), Some("update receipts set sum = 0"));
    let wanted = [
        (id, Some("db file scattered read"), Some(4.5), update),
        (id, Some("CPU + Wait for CPU"), Some(2.0), update),
    ];
    assert_eq!(found, wanted);
}

/// A page of a compare-period report without its head was one report of the first period, and the second was lost.
#[test]
fn a_section_of_two_periods_without_a_head_was_one_period() {
    let text = "Top Timed Events   First DB/Inst: TILL/till1 Snaps: 10-11 (Elapsed time: 600.1 sec  DB time: 1000.25 sec),  \
        Second DB/Inst: TILL/till1 Snaps: 20-21 (Elapsed time: 600.2 sec  DB time: 2000.75 sec)\n\
        -> Events with a \"-\" did not make the Top list in this set of snapshots, but are displayed for comparison purposes\n\n\
        \x20                                             1st                                                                                               2nd\n\
        -----------------------------------------------------------------------------------------------   -----------------------------------------------------------------------------------------------\n\
        Event                          Wait Class           Waits      Time(s)     Avg Time    %DB time   Event                          Wait Class           Waits      Time(s)     Avg Time    %DB time\n\
        ------------------------------ ------------- ------------ ------------ ------------ -----------   ------------------------------ ------------- ------------ ------------ ------------ -----------\n\
        \x20CPU time                                             N/A        700.1                     70.0    log file sync                 Commit             150,000      1,200.2       8.00ms        60.0\n\
        \x20log file sync                 Commit             100,000        250.1       2.50ms        25.0    CPU time                                             N/A        720.2                     36.0\n\
        -library cache: mutex X        Concurrency             70          0.2       2.86ms         0.0   -                                                     N/A          N/A                      N/A\n\
        \x20                         --------------------------------------------------------------------------------------------------------------------\n";
    for text in [text.to_owned(), format!("What the change of the log did:\n\n```\n{text}```\n")] {
        let reports = read(&text);
        assert_eq!(reports.len(), 2, "{reports:?}");
        let commits = |report: &Report| {
            let events = &report.tables.top_event;
            events.iter().find(|e| e.event == "log file sync").and_then(|e| e.time_s)
        };
        let of = |report: &Report| {
            let id = &report.identity;
            (id.begin_snap, id.db_time_s, commits(report))
        };
        // A head above the sections would tell the rest.
        assert_eq!(of(&reports[0]), (Some(10), Some(1_000.25), Some(250.1)));
        assert_eq!(of(&reports[1]), (Some(20), Some(2_000.75), Some(1_200.2)));
    }
}

/// The instances of a whole RAC database without the title above them: release and times were unknown.
#[test]
fn the_list_of_instances_without_its_title_was_not_read() {
    let text = "\
        \x20                                                                                         Avg Active\n\
        \x20 I# Instance  Host       Startup         Begin Snap Time End Snap Time   Release         Elapsed Time(min)\n\
        ---- --------- ---------- --------------- --------------- --------------- --------------- -----------------\n\
        \x20  1 TILL1     shop1      01-Mar-24 08:00 02-Mar-24 10:00 02-Mar-24 10:30 11.2.0.4.0                  30.02\n\
        \x20  2 TILL2     shop2      01-Mar-24 08:10 02-Mar-24 10:00 02-Mar-24 10:30 11.2.0.4.0                  30.02\n\n\
        System Statistics - Per Second       DB/Inst: TILL/TILL1  Snaps: 10-11\n\n\
        \x20            Logical     Physical\n\
        \x20 I#         Reads/s      Reads/s\n\
        ---- --------------- ------------\n\
        \x20  1          700.50         20.1\n\
        \x20  2          800.50         30.1\n\
        \x20~~~ ~~~~~~~~~~~~~~~ ~~~~~~~~~~~~\n\
        \x20Sum        1,501.00         50.2\n\n";
    let report = one(text);
    let id = &report.identity;
    assert_eq!((id.version.as_deref(), id.instances), (Some("11.2.0.4.0"), Some(2)));
    assert_eq!(id.begin_time.as_deref(), Some("2024-03-02T10:00:00"));
    assert_eq!(id.end_time.as_deref(), Some("2024-03-02T10:30:00"));
}

/// Books made into notes mark each line of a listing as code: none of its tables was read.
#[test]
fn listings_with_a_mark_of_code_around_each_line_were_not_read() {
    let listings = "What the sessions waited for:\n\n```\n\
        `Top 5 Timed Foreground Events`\n\
        `~~~~~~~~~~~~~~~~~~~~~~~~~~~~~`\n\
        `                                                           Avg`\n\
        `                                                          wait   % DB`\n\
        `Event                                 Waits     Time(s)   (ms)   time Wait Class`\n\
        `------------------------------ ------------ ----------- ------ ------ ----------`\n\
        `db file sequential read              20,000         300     15   30.0 User I/O`\n\
        `DB CPU                                              250          25.0`\n\
        ```\n\nMost of it are reads. See `db file sequential read` below.\n\n```\n\
        `Time Model Statistics                 DB/Inst: TILL/till  Snaps: 10-11`\n\n\
        \x20`Statistic Name                                       Time (s) % of DB Time`\n\
        `------------------------------------------ ------------------ ------------`\n\
        `sql execute elapsed time                                900.1         90.0`\n\
        `DB time                                               1,000.1`\n\
        ```\n";
    let report = one(listings);
    let top: Vec<_> = report.tables.top_event.iter().map(|e| (e.event.as_str(), e.time_s, e.line)).collect();
    assert_eq!(top, [("db file sequential read", Some(300.0), 10), ("DB CPU", Some(250.0), 11)]);
    assert_eq!((report.identity.db_time_s, report.identity.begin_snap), (Some(1_000.1), Some(10)));
}

const SHIFTED: &str = "Top Background Events\n\
    DB/Inst: TILL/till (Jun 18 12:00 to 12:45)\n\n\
    \x20                                                         Avg Active\n\
    Event                            Event Class     % Activity   Sessions\n\
    ----------------------------------- --------------- ---------- ----------\n\
    log file parallel write             System I/O           12.75       0.68\n\
    db file parallel write              System I/O            5.50       0.30\n\
    \x20         -------------------------------------------------------------\n\n\
    Top DB Objects\n\
    DB/Inst: TILL/till (Jun 18 12:00 to 12:45)\n\n\
    \x20     Object ID % Activity Event                         % Event\n\
    --------------- ---------- ------------------------------ ----------\n\
    Object Name (Type)                                    Tablespace\n\
    ----------------------------------------------------- -------------------------\n\
    \x20         70001       3.25 db file scattered read               3.25\n\
    TILL.RECEIPTS (TABLE)                                 TILL_DATA\n\n";

/// `event_class_pct` was `System I/O` and `event_4` a share, where a book had moved the headings against their ruler.
#[test]
fn headings_of_samples_beside_their_ruler_named_other_columns() {
    let report = one(SHIFTED);
    let rows = &report.tables.ash_activity;
    let cell = |row: usize, key: &str| {
        rows[row].cells.iter().find(|(k, _)| *k == key).map(|(_, value)| value.clone())
    };
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert_eq!(cell(0, "event_class"), Some(Value::Text("System I/O".into())));
    assert_eq!(cell(0, "pct_activity"), Some(Value::Number(12.75)));
    assert_eq!(cell(1, "avg_active_sessions"), Some(Value::Number(0.3)));
    assert_eq!(cell(2, "event"), Some(Value::Text("db file scattered read".into())));
    assert_eq!(cell(2, "pct_event"), Some(Value::Number(3.25)));
    // Words of which no table is known are no headings of ours.
    let strange = one(&SHIFTED.replace("Event Class     % Activity", "Event Group     % Activity"));
    assert_eq!(strange.sections[0].status, SectionStatus::Unreadable, "{:?}", strange.sections);
    let user = one(&SHIFTED.replace("Top Background Events", "Top User Events"));
    assert_eq!(user.tables.top_event[0].share_pct, Some(12.75));
    assert_eq!(user.tables.top_event[0].wait_class.as_deref(), Some("System I/O"));
}

const ADDM: &str = "ADDM Report for Task 'TASK_77' ------------------------------- Analysis Period --------------- \
    AWR snapshot range from 10 to 11. Time period starts at 18-SEP-24 02.02.47 AM Time period ends at 18-SEP-24 \
    02.24.58 AM Analysis Target --------------- Database 'TILL' with DB ID 77001. Database version 11.2.0.1.0. ADDM \
    performed an analysis of instance till, numbered 1 and hosted at shop1. Activity During the Analysis Period \
    ----------------------------------- Total database time was 1500 seconds. The average number of active sessions \
    was 1.13. Summary of Findings ------------------- Description Active Sessions Recommendations Percent of Activity \
    -------------------------------- ------------------- --------------- 1 Commits and Rollbacks .95 | 68.97 3 2 Top \
    SQL Statements .18 | 15.59 1 ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ Findings and Recommendations \
    ---------------------------- Finding 1: Commits and Rollbacks Impact is .95 active sessions, 68.97% of total \
    activity. --------------------------------------------------------- Waits on event \"log file sync\" while \
    performing COMMIT and ROLLBACK operations were consuming significant database time. Recommendation 1: Host \
    Configuration Estimated benefit is .95 active sessions, 68.97% of total activity. \
    ------------------------------------- Action Put the redo logs on other disks. Rationale The mean write took \
    12 milliseconds.";

/// "No part of it looks like an Oracle performance report", of a report whose head stood there.
#[test]
fn an_addm_report_on_one_line_was_none() {
    let report = one(ADDM);
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
    assert_eq!((report.identity.begin_snap, report.identity.db_time_s), (Some(10), Some(1500.0)));
    let found: Vec<_> =
        report.tables.addm_finding.iter().map(|f| (f.finding.as_str(), f.impact_pct)).collect();
    assert_eq!(found, [("Commits and Rollbacks", Some(68.97)), ("Top SQL Statements", Some(15.59))]);
    let first = &report.tables.addm_finding[0];
    assert!(first.description.as_deref().unwrap().starts_with("Waits on event"), "{first:?}");
    assert!(first.recommendation.as_deref().unwrap().contains("Put the redo logs"), "{first:?}");
}

const FINDING: &str = "FINDING 2: 29% impact (6504 seconds)\n------------------------------------\n\
    SQL statements consuming significant database time were found.\n\n\
    \x20  RECOMMENDATION 1: SQL Tuning, 6.7% benefit (1484 seconds)\n\
    \x20     ACTION: Investigate the SQL statement.\n";

/// A finding of 10g alone was no report, and one among pieces of a report was not mentioned.
#[test]
fn a_finding_of_addm_alone_was_passed_over() {
    let report = one(FINDING);
    let [finding] = report.tables.addm_finding.as_slice() else { panic!("{report:?}") };
    assert_eq!(finding.impact_pct, Some(29.0));
    assert!(finding.finding.starts_with("SQL statements consuming"), "{finding:?}");
    // Of which report it is beside others, nobody knows.
    let beside = one(&format!("{SEGMENTS}\n\n{FINDING}"));
    assert!(beside.tables.addm_finding.is_empty());
    assert!(
        beside.notes.iter().any(|n| n.message.contains("a finding of ADDM stands")),
        "{:?}",
        beside.notes
    );
}

/// The table below `(rest of report omitted)`, whose title was left out, too, was one of unreadable files.
#[test]
fn a_title_whose_table_is_left_out_took_the_next_one() {
    let report = one(&format!(
        "{SEGMENTS}\n\nFile IO Stats                  DB/Inst:... (rest of report omitted)\n\n\
         Undo   Num Undo       Number of  Max Qry\n\
         \x20TS# Blocks (K)    Transactions  Len (s)\n\
         ---- ---------- --------------- --------\n\
         \x20  1        3.3           3,667    1,554\n\
         \x20         -------------------------------------------------------------\n"
    ));
    let files = report.sections.iter().find(|s| s.title == "File IO Stats").unwrap();
    assert_eq!(
        (files.status, files.rows, files.lost),
        (SectionStatus::Unknown, 0, 0),
        "{:?}",
        report.sections
    );
    let segments: Vec<_> = report.sections.iter().filter(|s| s.title.starts_with("Segments")).collect();
    assert_eq!((segments.len(), segments[0].lost), (1, 0), "{:?}", report.sections);
    assert!(!report.notes.iter().any(|n| n.message.contains("no row could be read")), "{:?}", report.notes);
}

/// Rates of a load profile without a title, some behind tabs, were nothing.
#[test]
fn a_load_profile_without_its_title_was_prose() {
    let text = "As usual, what the section of the load profile says comes first in what I look at. Here it is:\n\n\
        \x20                Per Second   Per Transaction\n\
        \x20                ----------   ---------------\n\
        Redo size:       140,604.50            325.65\n\
        Logical reads:    16,712.80             38.71\n\
        Physical reads:        7.59              0.02\n\
        Parses:\t             342.31              0.79\n\
        Logons:\t               0.47              0\n\
        Transactions:        431.75\n\n\
        A few things stand out.\n";
    let report = one(text);
    let rows: Vec<_> = report.tables.load_profile.iter().map(|r| (r.metric.as_str(), r.per_second)).collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert_eq!((rows[0].1, rows[3].1), (Some(140_604.5), Some(342.31)));
    assert!(read(&text.replace("Redo size", "Orders sold").replace("Logical", "Meter")).is_empty());
}

/// Statements between bars below words of somebody's own were an unknown table.
#[test]
fn statements_between_bars_below_a_title_of_somebody_s_own_were_unknown() {
    let report = one("Table 1: waits\n\
        | Event | Waits | Total Wait Time (sec) | Wait Avg(ms) | % DB time | Wait Class |\n\
        | --- | --- | --- | --- | --- | --- |\n\
        | DB CPU |  | 278 |  | 74.2 |  |\n\
        | direct path write temp | 23,126 | 60.1 | 2.60 | 16.0 | User I/O |\n\n\
        Table 2: statements that took longest\n\
        | Elapsed Time (s) | Executions | Elapsed Time per Exec (s) | %Total | %CPU | %IO | SQL Id | SQL Module | SQL Text |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n\
        | 68.25 | 5,513 | 0.01 | 18.20 | 85.71 | 10.64 | 6qk3tkcw4rzaq | JDBC Thin Client | BEGIN SELL.RING_UP... |\n\
        | Elapsed Time (s) | Executions | Elapsed Time per Exec (s) | %Total | %CPU | %IO | SQL Id | SQL Module | SQL Text |\n\
        | 54.75 | 5,868 | 0.01 | 14.60 | 95.94 | 0.01 | 95jt2quqwc0vn | JDBC Thin Client | SELECT /*+ full */ ... |\n\n");
    let found: Vec<_> = report
        .tables
        .sql_stat
        .iter()
        .map(|s| (s.ranked_by, s.sql_id.as_deref(), s.elapsed_s, s.executions))
        .collect();
    assert_eq!(
        found,
        [
            ("elapsed_time", Some("6qk3tkcw4rzaq"), Some(68.25), Some(5513.0)),
            ("elapsed_time", Some("95jt2quqwc0vn"), Some(54.75), Some(5868.0)),
        ],
        "{:?}",
        report.sections
    );
}

/// Of four pieces below each other the load profile of the fourth was that of the third, whose own had lost the blanks
/// before its labels and was left out.
#[test]
fn a_load_profile_without_indentation_gave_its_place_to_the_next_one() {
    let piece = |minutes: &str, [parses, hard]: [&str; 2], events: &str| {
        format!(
            "```\nElapsed:       {minutes} (mins) Av Act Sess:       0.5\n\
             DB time:       {minutes} (mins)      DB CPU:       {minutes} (mins)\n\
             Load Profile         Per Second    Per Transaction    Per Exec    Per Call\n\
             ~~~~~~~~~~~~  -----------------  ----------------- ----------- -----------\n...\n\
             Parses:               {parses}               {parses}\n\
             Hard parses:                {hard}                {hard}\n...\n\
             Top 5 Timed Events                                               Avg %Total\n\
             ~~~~~~~~~~~~~~~~~~                                              wait   Call\n\
             Event                                       Waits    Time (s)   (ms)   Time\n\
             ------------------------------------ ------------ ----------- ------ ------\n\
             CPU time                                                    {events}          24.0\n\
             log file parallel write                        14           0      3    1.0\n```\n\nWords between.\n\n"
        )
    };
    let squeezed = "```\nLatch Name                 Requests      Misses     Sleeps      Gets\n\
        ----------- ------------------------ ----------- ---------- ---------\n\
        shared pool               2,151,856     131,050     17,789   113,513\n```\n\n";
    let text = format!(
        "{}{squeezed}{}{}",
        piece("0.23", ["86.5", "9.5"], "7"),
        piece("0.03", ["46.0", "1.5"], "1"),
        piece("0.03", ["53.0", "1.0"], "2")
    );
    let read = read(&text);
    let found: Vec<_> = read
        .iter()
        .map(|r| {
            let rates: Vec<_> = r.tables.load_profile.iter().filter_map(|l| l.per_second).collect();
            (rates, r.tables.top_event.first().and_then(|e| e.time_s))
        })
        .collect();
    let expected = [(vec![86.5, 9.5], Some(7.0)), (vec![46.0, 1.5], Some(1.0)), (vec![53.0, 1.0], Some(2.0))];
    assert_eq!(found, expected);
    let left_out = |r: &&Report| r.notes.iter().any(|n| n.message.contains("as dots in their place say"));
    assert_eq!(read.iter().filter(left_out).count(), 3);
}

/// "2 lines fit no column of the table", of sentences with two blanks behind their full stops.
#[test]
fn sentences_with_two_blanks_between_them_were_rows() {
    let report = one("            Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
        \x20           ------- ------------------ -------- --------- -------------------\n\
        Begin Snap:   12835 14-Jun-07 15:00:01      378       3.6\n\
        \x20 End Snap:   12837 14-Jun-07 16:00:01      384       4.3\n\
        \x20  Elapsed:               60.00 (mins)\n\n\
        Top 5 Timed Events\n\
        ~~~~~~~~~~~~~~~~~~                                                     % Total\n\
        Event                                               Waits    Time (s) Ela Time\n\
        -------------------------------------------- ------------ ----------- --------\n\
        CPU time                                                       19,600    35.04\n\
        db file scattered read                         16,333,000      13,100    23.42\n\n\
        that is 3600 seconds.  This is on a box of 8 cpus. so that is 28,800 seconds?\n\
        How can that be 35% of all the elapsed time there was?  How can it all add up to over 50,000 seconds?\n");
    assert_eq!(report.tables.top_event.len(), 2);
    assert!(report.sections.iter().all(|s| s.lost == 0), "{:?}", report.sections);
}

/// Behind the code that held a section, rows that fit no column of the next table were lost, and nothing said so.
#[test]
fn rows_of_another_table_behind_code_were_lost() {
    let report = one("### Top 10 Foreground Events by Total Wait Time\n\n\
        ```\n\
        Event                            Waits    Total Wait Time (sec)  Avg Wait  % DB time  Wait Class\n\
        -------------------------------  -------  ---------------------  --------  ---------  ----------\n\
        DB CPU                                       4,200                          60.0\n\
        db file sequential read           300,000    2,100                     7ms    30.0       User I/O\n\
        ```\n\n\
        Words about what stands above.\n\n\
        ```\n\
        SQL Id          Elapsed Time (s)  Executions  Elapsed/Exec (s)  %DB time  SQL Text\n\
        --------------  ----------------  ----------  -----------------  --------  ------------------\n\
        1a2b3c4d5e6f7         2,100.50          2          1050.25          30.0  MERGE INTO till ...\n\
        7f6e5d4c3b2a1           700.25    100,000             0.0070        10.0  SELECT price ...\n\
        ```\n\n\
        More words.\n");
    assert_eq!(report.tables.top_event.len(), 2);
    assert!(
        report.tables.sql_stat.len() == 2
            || report
                .notes
                .iter()
                .any(|n| n.message.starts_with("2 rows are left out") && n.line == Some(15)),
        "{:?}",
        report.notes
    );
}

/// CPU under the name that samples have for it, with what stands for a class beside it, was no row, and its time was
/// told as unexplained.
#[test]
fn cpu_with_the_wait_for_it_was_no_row() {
    let report = one("Section 2: TOP 5 TIMED FOREGROUND EVENTS  \u{2190} most important!\n\
        ============================================\n\n\
        \x20 Event                          Waits     Time(s)  % DB time  Wait Class\n\
        \x20 ------------------------------ --------- -------- --------- -----------\n\
        \x20 db file sequential read        1,200,000 4,800    48.0%     User I/O\n\
        \x20 CPU + Wait for CPU                       3,000    30.0%     CPU\n\
        \x20 log file sync                  500,000   1,000    10.0%     Commit\n\n\
        Section 3: Other things (per second)\n\
        ====================================\n\n\
        \x20 Thing                 Per Second    Per Transaction\n\
        \x20 --------------------  ----------    ---------------\n\
        \x20 receipts a second     1,250         42\n\
        \x20 returns a second      450           15\n");
    let tops: Vec<_> = report.tables.top_event.iter().map(|t| (t.event.as_str(), t.time_s)).collect();
    assert_eq!(
        tops,
        [
            ("db file sequential read", Some(4_800.0)),
            ("CPU + Wait for CPU", Some(3_000.0)),
            ("log file sync", Some(1_000.0))
        ]
    );
    // Rows of the next part are none of the events that could not be read.
    let events = report.sections.iter().find(|s| s.rows == 3).unwrap();
    assert_eq!(events.lost, 0, "{:?}", report.notes);
}

const RULED_EVENTS: &str = "Top 5 Timed Events:\n\
    \u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\n\
    Event                    Waits    Time(s)  Avg Wait\n\
    \u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\u{2500}\n\
    direct path read temp    2,000,000  20,000    10ms  \u{2190} Spilling to temp\n\
    CPU time                            1,500           \u{2190} Hardly any CPU\n\
    log file sync                 800      16    20ms\n";

/// What somebody said of a row behind an arrow made it unknown, and the rule below the title hid that.
#[test]
fn remarks_behind_arrows_made_rows_unknown() {
    let report = one(RULED_EVENTS);
    let tops: Vec<_> =
        report.tables.top_event.iter().map(|t| (t.event.as_str(), t.waits, t.time_s)).collect();
    assert_eq!(
        tops,
        [
            ("direct path read temp", Some(2e6), Some(20_000.0)),
            ("CPU time", None, Some(1_500.0)),
            ("log file sync", Some(800.0), Some(16.0))
        ]
    );
}

/// Leading events that were quoted twice, under two titles, counted twice.
#[test]
fn leading_events_under_another_title_counted_twice() {
    let again = RULED_EVENTS
        .replace("Top 5 Timed Events:\n", "Top 5 Wait Events:\n")
        .replace(" \u{2190} Spilling to temp", "")
        .replace("\u{2190} Hardly any CPU", "");
    let report = one(&format!("{RULED_EVENTS}\nWords.\n\n{again}"));
    assert_eq!(report.tables.top_event.len(), 3);
    let note = report.notes.iter().find(|n| n.message.contains("second time")).unwrap();
    assert!(
        note.effect.contains("from line 1 on") || note.effect.contains("from line 3 on"),
        "{}",
        note.effect
    );
}

/// Leading events of two reports in one text were those of one, since releases call them differently.
#[test]
fn leading_events_of_two_releases_were_one_report() {
    let reports = read(
        "Top 10 Foreground Events by Total Wait Time\n\
        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        \x20                                           Tota    Wait   % DB\n\
        Event                                 Waits Time Avg(ms)   time Wait Class\n\
        ------------------------------ ------------ ---- ------- ------ ----------\n\
        log file sync                       150,000 1200       8   50.0 Commit\n\
        DB CPU                                      600.           25.0\n\n\
        Top 5 Timed Foreground Events\n\
        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        \x20                                                          Avg\n\
        \x20                                                         wait   % DB\n\
        Event                                 Waits     Time(s)   (ms)   time Wait Class\n\
        ------------------------------ ------------ ----------- ------ ------ ----------\n\
        DB CPU                                              900          90.0\n\
        log file sync                        40,000          40      1    4.0 Commit\n",
    );
    let tops: Vec<usize> = reports.iter().map(|r| r.tables.top_event.len()).collect();
    assert_eq!(tops, [2, 2]);
}

/// The heading of each page of a query for an ADDM report stood in its words: what follows it was lost.
#[test]
fn words_behind_the_heading_of_a_page_were_lost() {
    let rule = "-".repeat(68);
    let page = format!("\n    DBMS_ADDM.GET_REPORT(:TNAME)\n    {rule}\n");
    let report = one(&format!(
        "    SQL> SELECT DBMS_ADDM.GET_REPORT(:tname) FROM DUAL;\n{page}\
        \x20           ADDM Report for Task 'TILL_TASK'\n\
        \x20           --------------------------------\n\n\
        \x20   Analysis Period\n    ---------------\n\
        \x20   AWR snapshot range from 5 to 6.\n\
        \x20   Time period starts at 01-MAR-22 03.00.00 PM\n\
        \x20   Time period ends at 01-MAR-22 04.00.00 PM\n\n\
        \x20   Analysis Target\n    ---------------\n\
        \x20   Database 'TILL' with DB ID 12345678.\n\
        \x20   Database version 19.0.0.0.0.\n\n\
        \x20   Activity During the Analysis Period\n    -----------------------------------\n\
        \x20   Total database time was 300 seconds.\n\
        \x20   The average number of active sessions was .08.\n\n\
        \x20   Finding 1: Commits and Rollbacks\n\
        \x20   Impact is .01 active sessions, 12.5% of total activity.\n\
        \x20   -------------------------------------------------------\n\
        \x20   Waits on event \"log file sync\" were consuming significant database time.\n\n\
        \x20   Recommendation 1: Host Configuration\n\
        \x20   Estimated benefit is .01 active sessions, 12.5% of total activity.\n\
        \x20   ------------------------------------------------------------------\n\
        \x20   Action\n\
        \x20       Improve the performance of I/O to the redo logs.\n\
        \x20   Rationale\n{page}\
        \x20       The average time per write was 9 milliseconds.\n"
    ));
    let finding = &report.tables.addm_finding[0];
    let words = finding.recommendation.as_deref().unwrap();
    assert!(words.ends_with("Rationale: The average time per write was 9 milliseconds."), "{words}");
}

/// Events that another release calls idle stand among the idle ones, with no share: they counted as waits.
#[test]
fn an_event_among_the_idle_ones_counted_as_a_wait() {
    let list = "Foreground Wait Events                        DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                                                            Avg\n\
        \x20                                       %Time Total Wait    wait    Waits   % DB\n\
        Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
        -------------------------- ------------ ----- ---------- ------- -------- ------\n\
        log file sync                    20,000     0        100       5      1.0   10.0\n\
        db file sequential read           5,000     0         10       2      0.2    1.0\n\
        SQL*Net message from clien       90,000     0     90,000    1000      4.5\n\
        KSV master wait                   7,000     0        350      50      0.3\n\
        \x20         -------------------------------------------------------------\n";
    let idle = |text: &str| -> Vec<bool> {
        till::section(text).tables.wait_event.iter().map(|w| w.is_idle).collect()
    };
    assert_eq!(idle(list), [false, false, true, true]);
    // Where an event below them has a share, the order tells nothing.
    let mixed = list
        .replace("7,000     0        350      50      0.3", "7,000     0        350      50      0.3   35.0");
    assert_eq!(idle(&mixed), [false, false, true, false]);
    // What Statspack lists as idle is no class: it has `SQL*Net message to client` there.
    let statspack = format!(
        "STATSPACK report for\n\n\
         Database    DB Id    Instance     Inst Num  Startup Time   Release     RAC\n\
         ~~~~~~~~ ----------- ------------ -------- --------------- ----------- ---\n\
         \x20          12345678 till                1 01-Jan-16 08:00 11.2.0.4.0  NO\n\n{}",
        list.replace("KSV master wait          ", "SQL*Net message to client")
    );
    let waits: Vec<bool> = one(&statspack).tables.wait_event.iter().map(|w| w.is_idle).collect();
    assert_eq!(waits, [false, false, true, false]);
}

/// A page took the bounds of two buckets for a mark of its own: the shares below were left out, and nothing said so.
#[test]
fn shares_under_a_heading_without_its_bound_were_lost() {
    let report = till::section(
        "Wait Event Histogram                         DB/Inst: TILL/till  Snaps: 10-11\n\
        -> Units for Total Waits column: K is 1000, M is 1000000, G is 1000000000\n\n\
        \x20                                                   % of Waits\n\
        \x20                                -----------------------------------------------\n\
        \x20                          Total\n\
        Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  1s\n\
        -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----\n\
        log file parallel write    20.5K  84.7   9.7   4.7    .4    .1    .3    .1\n\
        \x20         -------------------------------------------------------------\n",
    );
    assert!(
        report.notes.iter().any(|n| n.message.contains("`1s`") && n.message.contains("no bucket")),
        "{:?}",
        report.notes
    );
}

/// The rows of the snapshots were read, and told as left out.
#[test]
fn rows_of_snapshots_were_told_as_left_out() {
    let report = one("### What the head says\n\n\
        ```text\n\
        DB Name    DB Id    Instance  Inst Num  Startup Time   Release     RAC\n\
        --------- --------- --------- -------- -------------- ----------- -----\n\
        TILL       12345678 till             1 15-Jun-26 04:00 19.0.0.0.0  NO\n\n\
        Snap Id      Snap Time      Sessions Curs/Sess\n\
        ------- ------------------- -------- ---------\n\
        Begin Snap:     100 21-Jun-26 10:00:00      142       3.1\n\
        \x20 End Snap:     101 21-Jun-26 11:00:00      155       3.4\n\
        \x20  Elapsed:               60.00 (mins)\n\
        \x20  DB Time:              180.00 (mins)\n\
        ```\n");
    assert_eq!((report.identity.begin_snap, report.identity.end_snap), (Some(100), Some(101)));
    assert_eq!(report.identity.end_sessions, Some(155.0));
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

/// The identifier of a statement's text, cut off by its column, was of no statement.
#[test]
fn the_text_of_a_statement_had_an_identifier_of_its_own() {
    let report = one("WORKLOAD REPOSITORY SQL Report\n\n\
        Snapshot Period Summary\n\n\
        DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
        ------------ ----------- ------------ -------- --------------- ----------- ---\n\
        TILL            12345678 till                1 17-Mar-20 10:26 11.2.0.4.0  NO\n\n\
        SQL Summary                         DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20               Elapsed\n   SQL Id      Time (ms)\n------------- ----------\n\
        1a2b3c4d5e6f7     15,000\nModule: TILL\nselect price from goods\n\n\
        \x20         -------------------------------------------------------------\n\n\
        SQL ID: 1a2b3c4d5e6f7               DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20   Plan Hash           Total Elapsed                 1st Capture   Last Capture\n\
        #   Value                    Time(ms)    Executions       Snap ID        Snap ID\n\
        --- ---------------- ---------------- ------------- ------------- --------------\n\
        1   11                         15,000           100            10             11\n\
        \x20         -------------------------------------------------------------\n\n\
        Plan 1(PHV: 11)\n---------------\n\n\
        Plan Statistics                     DB/Inst: TILL/till  Snaps: 10-11\n\n\
        Stat Name                                Statement   Per Execution % Snap\n\
        ---------------------------------------- ---------- -------------- -------\n\
        Elapsed Time (ms)                            15,000          150.0     5.0\n\
        Executions                                      100            N/A     N/A\n\
        \x20         -------------------------------------------------------------\n\n\
        Full SQL Text\n\n\
        SQL ID       SQL Text\n\
        ------------ -----------------------------------------------------------------\n\
        1a2b3c4d5e6f select price from goods where till = :1\n");
    assert_eq!(report.tables.sql_stat[0].sql_id.as_deref(), Some("1a2b3c4d5e6f7"));
    assert_eq!(report.tables.sql_text[0].sql_id.as_deref(), Some("1a2b3c4d5e6f7"));
}

const COMMITS: &str = "Top 5 Timed Events\n\
    ~~~~~~~~~~~~~~~~~~ % Total\n\
    Event Waits Time (s) Ela Time\n\
    -------------------------------------------- ------------ ----------- --------\n\
    log file sync 300,000 12,000 60.00\n\
    CPU time 3,000 15.00\n\
    db file sequential read 200,000 2,000 10.00\n\
    Of the events:\n\
    Avg\n\
    Total Wait wait Waits\n\
    Event Waits Timeouts Time (s) (ms) /txn\n\
    ---------------------------- ------------ ---------- ---------- ------ --------\n\
    log file sync 300,000 120 12,000 40 1.0\n\
    log file parallel write 310,000 0 310 1 1.0\n";

/// A table of waits without its title was left out though it holds what the leading events say of sessions.
#[test]
fn whose_waits_they_are_is_told_by_the_leading_events() {
    let report = one(COMMITS);
    let waits: Vec<_> = report.tables.wait_event.iter().map(|w| (w.event.as_str(), w.time_s)).collect();
    assert_eq!(waits, [("log file sync", Some(12_000.0)), ("log file parallel write", Some(310.0))]);
    assert!(report.tables.wait_event.iter().all(|w| w.side == spindle_facts::Side::All));
    // With other figures they may be those of the background.
    let other = one(&COMMITS.replace("sync 300,000 120", "sync 300,001 120"));
    assert!(other.tables.wait_event.is_empty());
    assert!(other.notes.iter().any(|n| n.message.contains("foreground and of background")));
}

const TOP_STATEMENTS: &str = "Top SQL by Elapsed Time\n\
    SQL_ID        Elapsed(s)  Executions  CPU(s)\n\
    ------------- ----------- ----------- ------\n\
    1a2b3c4d5e6f   18,420        12         820\n\
    6f5e4d3c2b1a    9,840       840       3,400\n\n\
    Text of it:\n\
    SELECT a from b\n";

/// The first words of a statement below a list of statements were the identifier of one more.
#[test]
fn words_were_the_identifier_of_a_statement() {
    let report = one(&format!("{SHARES_OF_DB_TIME}\n{TOP_STATEMENTS}"));
    let ids: Vec<_> = report.tables.sql_stat.iter().filter_map(|s| s.sql_id.as_deref()).collect();
    assert_eq!(ids, ["1a2b3c4d5e6f", "6f5e4d3c2b1a"]);
    assert!(report.notes.iter().any(|n| n.message.contains("names no statement")), "{:?}", report.notes);
}

const SHARES_OF_DB_TIME: &str = "Top 5 Timed Foreground Events\n\
    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
    Event                          Waits    Time(s)  Avg wait  DB Time  Wait Class\n\
    ------------------------------ ------  --------  --------  -------  ----------\n\
    db file sequential read       125,000   1,250.0   10.0ms     50.0%  User I/O\n\
    log file sync                   8,000     160.0   20.0ms      6.4%  Commit\n";

/// Shares under `DB Time` were left out, and nothing said so.
#[test]
fn shares_of_db_time_under_a_heading_without_a_percent_sign() {
    let report = one(SHARES_OF_DB_TIME);
    let shares: Vec<_> = report.tables.top_event.iter().map(|e| (e.share_pct, e.share_of)).collect();
    let of_db_time = Some(spindle_facts::ShareOf::DbTime);
    assert_eq!(shares, [(Some(50.0), of_db_time), (Some(6.4), of_db_time)]);
    // Without the sign they may be seconds: said, and in no answer.
    let bare = one(&SHARES_OF_DB_TIME.replace("50.0%", "50.0 ").replace("6.4%", "6.4 "));
    assert!(bare.tables.top_event.iter().all(|e| e.share_pct.is_none()));
    assert!(bare.notes.iter().any(|n| n.message.contains("the column `DB Time`")), "{:?}", bare.notes);
}

/// Of a line whose labels are parted by bars the times were read alone: no database, no release, no CPUs.
#[test]
fn labels_that_bars_part_on_one_line() {
    let report = one(&format!(
        "AWR Snapshot Info\nDB Name: TILL  |  DB Version: Oracle 19.11  |  Snap: 10 -> 11\n\
         Elapsed: 60 min  |  DB Time: 100 min  |  CPUs: 32\n\n{SHARES_OF_DB_TIME}"
    ));
    let identity = &report.identity;
    assert_eq!((identity.db_name.as_deref(), identity.version.as_deref()), (Some("TILL"), Some("19.11")));
    assert_eq!((identity.begin_snap, identity.end_snap, identity.cpus), (Some(10), Some(11), Some(32.0)));
    assert_eq!((identity.elapsed_s, identity.db_time_s), (Some(3_600.0), Some(6_000.0)));
}

/// The pages of a query stood between titles and their rulers: the load profile was sizes of caches, in bytes, and
/// rulers went with the headings of the pages, where those have none.
#[test]
fn a_page_between_a_heading_and_its_ruler_ended_the_section() {
    let report = one("Cache Sizes                       Begin        End\n\
         ~~~~~~~~~~~                  ---------- ----------\n\
         \x20              Buffer Cache:       728M       728M  Std Block Size:         8K\n\n\
         OUTPUT\n\
         \x20          Shared Pool Size:       260M       260M      Log Buffer:     9,508K\n\n\
         Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\n\
         OUTPUT\n\
         ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
         \x20     DB Time(s):                7.1                0.0       0.01       0.00\n\
         \x20      Redo size:          393,267.0            1,931.8\n\n\
         Service Statistics                       DB/Inst: TILL/till  Snaps: 310-311\n\
         -> ordered by DB Time\n\n\
         \x20                                                          Physical      Logical\n\
         Service Name                  DB Time (s)   DB CPU (s)    Reads (K)    Reads (K)\n\n\
         OUTPUT\n\
         ---------------------------- ------------ ------------ ------------ ------------\n\
         SYS$USERS                            6,21            1           12        3,000\n");
    let profile: Vec<_> =
        report.tables.load_profile.iter().map(|r| (r.metric.as_str(), r.per_second)).collect();
    assert_eq!(profile, [("DB Time(s)", Some(7.1)), ("Redo size", Some(393_267.0))]);
    assert_eq!(report.tables.cache_size.len(), 4);
    assert_eq!(report.tables.service.len(), 1, "{:?}", report.notes);
}

/// Sizes at the end of the interval stood as those at its beginning.
#[test]
fn cache_sizes_at_the_end_were_those_at_the_beginning() {
    let report = one("Cache Sizes (end)\n\
         ~~~~~~~~~~~~~~~~~\n\
         \x20              Buffer Cache:     3,008M      Std Block Size:         8K\n\
         \x20          Shared Pool Size:     1,920M          Log Buffer:    10,240K\n");
    let sizes = serde_json::to_value(&report.tables.cache_size).unwrap();
    let row = |at: usize| (sizes[at]["begin_bytes"].as_f64(), sizes[at]["end_bytes"].as_f64());
    assert_eq!(row(0), (None, Some(3_008.0 * 1_048_576.0)), "{sizes}");
    assert_eq!(report.identity.block_size_bytes, Some(8_192));
}

/// -4,246,727,944 pins, of which 101.1 % missed.
#[test]
fn a_counter_that_overflowed_was_a_figure() {
    let report = one("Library Cache Activity             DB/Inst: TILL/till  Snaps: 310-311\n\
         -> \"Pct Misses\"  should be very low\n\n\
         \x20                        Get    Pct            Pin    Pct             Invali-\n\
         Namespace           Requests   Miss       Requests   Miss    Reloads  dations\n\
         --------------- ------------ ------ -------------- ------ ---------- --------\n\
         SQL AREA             533,409    4.8 -4,246,727,944  101.1     44,864      576\n\
         TABLE/PROCEDURE      320,310    0.6      1,033,991    3.6     25,378        0\n");
    let rows: Vec<_> = report
        .tables
        .library_cache
        .iter()
        .map(|r| (r.get_requests, r.pin_requests, r.pin_miss_pct))
        .collect();
    assert_eq!(rows, [(Some(533_409.0), None, None), (Some(320_310.0), Some(1_033_991.0), Some(3.6))]);
    assert!(report.notes.iter().any(|n| n.message.contains("overflowed")), "{:?}", report.notes);
}

/// `physical reads` had four totals: names wrapped at blanks were rows of their own, without numbers.
#[test]
fn the_rest_of_a_wrapped_statistic_was_a_row_and_its_beginning_another_statistic() {
    let report = one("Instance Activity Stats                  DB/Inst: TILL/till  Snaps: 310-311\n\n\
         Statistic                            Total     per Second     per Trans\n\
         ------------------------- ---------------- -------------- -------------\n\
         physical reads                     522,880          580.5           2.9\n\
         physical reads cache                 1,170            1.3           0.0\n\
         prefetch\n\
         physical reads direct                   55            0.1           0.0\n");
    let rows: Vec<_> = report.tables.instance_stat.iter().map(|r| (r.statistic.as_str(), r.total)).collect();
    let printed = [
        ("physical reads", Some(522_880.0)),
        ("physical reads cache prefetch", Some(1_170.0)),
        ("physical reads direct", Some(55.0)),
    ];
    assert_eq!(rows, printed);
}

/// Milliseconds under `Total Wait Time (ms)` were seconds, and DB time was exceeded 148 times.
#[test]
fn a_unit_that_no_release_prints_was_taken_for_the_usual_one() {
    let text = |unit: &str| {
        format!(
            "Foreground Wait Events                   DB/Inst: TILL/till  Snaps: 310-311\n\n\
             \x20                                                    Total Wait      Avg\n\
             Event                               Waits Timeouts    Time ({unit})     Wait\n\
             ------------------------------ ---------- -------- ------------ --------\n\
             db file sequential read           220,120        0    1,022,430   4.64ms\n"
        )
    };
    let seconds = |unit| one(&text(unit)).tables.wait_event.iter().map(|w| w.time_s).collect::<Vec<_>>();
    assert_eq!((seconds("s"), seconds("ms")), (vec![Some(1_022_430.0)], vec![None]));
    assert!(one(&text("ms")).notes.iter().any(|n| n.message.contains("in this unit")));
    // Of leading events it was told twice.
    let leading = one("Top 10 Foreground Events by Total Wait Time\n\
         ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
         \x20                                           Total Wait       Avg   % DB Wait\n\
         Event                                Waits  Time (ms)      Wait   time Class\n\
         ------------------------------ ----------- ---------- --------- ------ --------\n\
         db file sequential read          2,412,608    9650123    4.00ms   32.8 User I/O\n");
    let told = |words: &str| leading.notes.iter().filter(|n| n.message.contains(words)).count();
    assert_eq!((told("in this unit"), told("in no known release")), (1, 0), "{:?}", leading.notes);
    assert_eq!(leading.tables.top_event[0].time_s, None);
}

/// Two numbers in one cell, and those behind it under the headings of others.
#[test]
fn a_row_with_the_numbers_of_two_columns_in_a_cell_was_kept() {
    let text = |first: &str| {
        format!(
            "SGA Target Advisory                      DB/Inst: TILL/till  Snap: 311\n\n\
             SGA Target   SGA Size       Est DB     Est Physical\n\
             \x20 Size (M)     Factor     Time (s)            Reads\n\
             ---------- ---------- ------------ ----------------\n\
             {first}\n\
             \x20    1,024        1.0       12,000        3,000,000\n"
        )
    };
    let rows = |first: &str| one(&text(first)).tables.sga_advice.len();
    assert_eq!(rows("       512        0.5       15,000        5,164,978"), 2);
    assert_eq!(rows("  512  0.5    15,000"), 1);
    let lost = one(&text("  512  0.5    15,000"));
    assert!(lost.sections.iter().any(|s| s.lost == 1), "{:?}", lost.sections);
}

/// All that stands behind a remark, a script or a style without an end was left out, and nothing said so.
#[test]
fn what_follows_a_remark_without_an_end_was_part_of_it() {
    let page = |mark: &str| {
        format!(
            "<html><body><h1>WORKLOAD REPOSITORY report for</h1>{mark}<h3>Foreground Wait Events</h3>\
             <table summary=\"Foreground Wait Events\"><tr><th>Event</th><th>Waits</th><th>%Time -outs</th>\
             <th>Total Wait Time (s)</th><th>Avg wait (ms)</th></tr>\
             <tr><td>db file sequential read</td><td>2,000</td><td>0</td><td>20</td><td>10</td></tr></table>"
        )
    };
    for mark in ["", "<!-- cut by hand", "<script>", "<style>", "<!-- a --><script>x</SCRIPT>"] {
        let waits: Vec<_> = one(&page(mark)).tables.wait_event.iter().map(|w| w.waits).collect();
        assert_eq!(waits, [Some(2_000.0)], "{mark}");
    }
}
