//! Memory, caches of the shared pool and plans, as short as they can be printed.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

fn awr(body: &str) -> Report {
    let head = "WORKLOAD REPOSITORY report for\n\n\
        DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
        ------------ ----------- ------------ -------- --------------- ----------- ---\n\
        TILL          1234567890 till                1 01-Mar-24 08:00 12.2.0.1.0  NO\n\n\
        \x20             Snap Id      Snap Time      Sessions Curs/Sess\n\
        \x20           --------- ------------------- -------- ---------\n\
        Begin Snap:        10 01-Mar-24 09:00:00        40       1.4\n\
        \x20 End Snap:        11 01-Mar-24 10:00:00        42       1.4\n\
        \x20  Elapsed:               60.00 (mins)\n\n";
    let mut reports = spindle_evidence::read("x", format!("{head}{body}").as_bytes()).reports;
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

const LIBRARY: &str = "Library Cache Activity                   DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                        Get    Pct            Pin    Pct             Invali-\n\
        Namespace           Requests   Miss       Requests   Miss    Reloads  dations\n\
        --------------- ------------ ------ -------------- ------ ---------- --------\n\
        BODY                      15    N/A             44    2.5          7        1\n\
        \x20         -------------------------------------------------------------\n";

fn all_read(report: &Report) -> bool {
    report.sections.iter().all(|s| s.status == SectionStatus::Read)
}

#[test]
fn rows_above_the_rule_of_a_sum_are_no_headings() {
    let report = awr("SGA Memory Summary                DB/Inst: TILL/till  Snaps: 10-11\n\n\
        \x20                                                     End Size (Bytes)\n\
        SGA regions                     Begin Size (Bytes)      (if different)\n\
        ------------------------------ ------------------- -------------------\n\
        Database Buffers                       763,363,328         796,917,760\n\
        Fixed Size                               2,235,208\n\
        \x20                              -------------------\n\
        sum                                    765,598,536\n\
        \x20         -------------------------------------------------------------\n");
    assert!(all_read(&report), "{:?}", report.sections);
    let [buffers, fixed, sum] = report.tables.sga_region.as_slice() else {
        panic!("{:?}", report.tables.sga_region)
    };
    assert_eq!((buffers.begin_bytes, buffers.end_bytes), (Some(763_363_328.0), Some(796_917_760.0)));
    assert_eq!((fixed.begin_bytes, fixed.end_bytes), (Some(2_235_208.0), None));
    assert_eq!((sum.is_total, sum.begin_bytes), (true, Some(765_598_536.0)));
}

#[test]
fn a_ruler_one_column_beside_its_rows_cuts_no_category() {
    let processes = "Process Memory Summary                    DB/Inst: TILL/till  Snaps: 10-11\n\
        -> B: Begin Snap   E: End Snap\n\n\
        \x20                                                            Hist\n\
        \x20                                    Avg  Std Dev     Max     Max\n\
        \x20               Alloc      Used    Alloc    Alloc   Alloc   Alloc    Num    Num\n\
        \x20  Category      (MB)      (MB)     (MB)     (MB)    (MB)    (MB)   Proc  Alloc\n\
        \x20- -------- --------- --------- -------- -------- ------- ------- ------ ------\n\
        B Freeable      92.5        .0      1.4      2.3      12     N/A     66     66\n\
        \x20 Total        912.5     173.5      6.4     21.2     158     795    506    494\n\
        E Freeable     100.5        .0      1.7      3.1      18     N/A     60     61\n\
        \x20                         ------------------------------------------------------\n";
    let report = awr(&format!("{LIBRARY}{processes}"));
    let rows: Vec<_> = report
        .tables
        .process_memory
        .iter()
        .map(|r| (r.snapshot, r.category.as_deref(), r.allocated_bytes, r.processes, r.allocations))
        .collect();
    const MB: f64 = 1_048_576.0;
    assert_eq!(
        rows,
        [
            (Some("begin"), Some("Freeable"), Some(92.5 * MB), Some(66.0), Some(66.0)),
            (Some("begin"), None, Some(912.5 * MB), Some(506.0), Some(494.0)),
            (Some("end"), Some("Freeable"), Some(100.5 * MB), Some(60.0), Some(61.0)),
        ]
    );
    assert!(report.tables.process_memory[1].is_total);
}

#[test]
fn both_misses_of_the_library_cache_keep_their_sides() {
    let report = awr(LIBRARY);
    let [body] = report.tables.library_cache.as_slice() else { panic!() };
    assert_eq!((body.get_requests, body.get_miss_pct), (Some(15.0), None));
    assert_eq!((body.pin_requests, body.pin_miss_pct), (Some(44.0), Some(2.5)));
    assert_eq!((body.reloads, body.invalidations), (Some(7.0), Some(1.0)));
}

#[test]
fn hits_in_thousands_are_thousands() {
    let advice = |heading: &str| {
        let report = awr(&format!(
            "Shared Pool Advisory                      DB/Inst: TILL/till  Snap: 11\n\n\
             \x20                                       Est LC Est LC  Est LC Est LC\n\
             \x20 Shared    SP   Est LC                   Time   Time    Load   Load       Est LC\n\
             \x20   Pool  Size     Size       Est LC     Saved  Saved    Time   Time      Mem Obj\n\
             \x20Size(M) Factr      (M)      Mem Obj       (s)  Factr     (s)  Factr {heading}\n\
             -------- ----- -------- ------------ -------- ------ ------- ------ ------------\n\
             \x20    232    .9       12          783   10,050    1.0     433    1.8        3,925\n\
             \x20         -------------------------------------------------------------\n"
        ));
        report.tables.shared_pool_advice[0].clone()
    };
    let (awr, statspack) = (advice("    Hits (K)"), advice("        Hits"));
    assert_eq!((awr.object_hits, statspack.object_hits), (Some(3_925_000.0), Some(3_925.0)));
    assert_eq!((awr.time_saved_s, awr.load_time_s), (Some(10_050.0), Some(433.0)));
    assert_eq!((awr.time_saved_factor, awr.load_time_factor), (Some(1.0), Some(1.8)));
    assert_eq!(awr.library_cache_objects, Some(783.0));
}

#[test]
fn plans_between_bars() {
    let text = "WORKLOAD REPOSITORY SQL Report\n\nSnapshot Period Summary\n\n\
        DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
        ------------ ----------- ------------ -------- --------------- ----------- ---\n\
        TILL          1234567890 till                1 01-Mar-24 08:00 12.1.0.2.0  NO\n\n\
        SQL ID: 7ws837zynp1zv                     DB/Inst: TILL/till  Snaps: 10-11\n\
        -> 1st Capture and Last Capture Snap IDs\n\n\
        \x20   Plan Hash           Total Elapsed                 1st Capture   Last Capture\n\
        #   Value                    Time(ms)    Executions       Snap ID        Snap ID\n\
        --- ---------------- ---------------- ------------- ------------- --------------\n\
        1   1755470101               635,664             1            11             11\n\
        \x20         -------------------------------------------------------------\n\n\n\
        Execution Plan\n\
        ---------------------------------------------------------------------------\n\
        | Id  | Operation           | Name   | Rows  | Bytes | Cost (%CPU)| Time     |\n\
        ---------------------------------------------------------------------------\n\
        |   0 | SELECT STATEMENT    |        |       |       |   302K(100)|          |\n\
        |   1 |  SORT AGGREGATE     |        |     1 |    88 |            |          |\n\
        |*  2 |   TABLE ACCESS FULL | TILLS  |   470M|    38G| 73512   (1)| 01:00:29 |\n\
        ---------------------------------------------------------------------------\n\n\n\
        Full SQL Text\n\n\
        SQL ID        SQL Text\n\
        ------------- -----------------------------------------------------------------\n\
        7ws837zynp1zv select count(*)\n\
        \x20             from tills where paid = 'N'\n";
    let reports = spindle_evidence::read("x", text.as_bytes()).reports;
    let [report] = reports.as_slice() else { panic!("{reports:?}") };
    let [select, sort, scan] = report.tables.plan_row.as_slice() else {
        panic!("{:?} {:?}", report.tables.plan_row, report.sections)
    };
    assert_eq!(
        (select.id, select.depth, select.cost, select.cost_cpu_pct),
        (Some(0), Some(0), Some(302e3), Some(100.0))
    );
    assert_eq!((sort.depth, sort.cardinality, sort.bytes), (Some(1), Some(1.0), Some(88.0)));
    assert_eq!((sort.cost, sort.time_s), (None, None));
    assert_eq!((scan.id, scan.depth, scan.cost_cpu_pct), (Some(2), Some(2), Some(1.0)));
    assert_eq!((scan.operation.as_str(), scan.options.as_deref()), ("TABLE ACCESS", Some("FULL")));
    assert_eq!((scan.object.as_deref(), scan.cardinality), (Some("TILLS"), Some(470e6)));
    assert_eq!((scan.bytes, scan.time_s), (Some(38.0 * 1024_f64.powi(3)), Some(3_629.0)));
    let section = report.sections.iter().find(|s| s.title == "Execution Plan").map(|s| s.rows);
    assert_eq!(section, Some(3));
    assert_eq!((scan.plan_hash, scan.sql_id.as_deref()), (Some(1_755_470_101), Some("7ws837zynp1zv")));
    let [text] = report.tables.sql_text.as_slice() else { panic!("{:?}", report.tables.sql_text) };
    assert_eq!(text.text, "select count(*)\nfrom tills where paid = 'N'");
}

/// A SQL report copied from a browser lost its plans, and the list of them stood under the text of the statement.
#[test]
fn a_plan_copied_from_a_browser_was_lost() {
    let text = "WORKLOAD REPOSITORY SQL Report\nSnapshot Period Summary\n\n\
        DB Name\tDB Id\tInstance\tInst num\tStartup Time\tRelease\tRAC\n\
        TILL\t2629620001\ttill\t1\t22-Jan-19 16:49\t11.2.0.4.0\tNO\n\n\
        SQL ID: 0abcdefgh1234\n\
        1st Capture and Last Capture Snap IDs refer to Snapshot IDs within the snapshot range\n\
        select /* all of it */ * from sales\n\
        #\tPlan Hash Value\tTotal Elapsed Time(ms)\tExecutions\t1st Capture Snap ID\tLast Capture Snap ID\n\
        1\t1755470101\t635,664\t1\t1044\t1044\n\nBack to Top\n\n\
        Plan 1(PHV: 1755470101)\nPlan Statistics\nExecution Plan\nBack to Top\n\
        Execution Plan\n\
        Id\tOperation\tName\tRows\tCost (%CPU)\tTime\n\
        0\tSELECT STATEMENT\t\u{a0}\t\u{a0}\t302K(100)\t\u{a0}\n\
        1\t\u{a0} SORT AGGREGATE\t\u{a0}\t1\t\u{a0}\t\u{a0}\n\
        2\t\u{a0}\u{a0} TABLE ACCESS STORAGE FULL\tSALES\t468M\t73512 (1)\t00:14:43\n\nBack to Top\n";
    let reports = spindle_evidence::read("copy", text.as_bytes()).reports;
    let tables = &reports[0].tables;
    let plan: Vec<_> = tables.plan_row.iter().map(|row| (row.id, row.depth, row.plan_hash)).collect();
    assert_eq!(
        plan,
        [
            (Some(0), Some(0), Some(1_755_470_101)),
            (Some(1), Some(1), Some(1_755_470_101)),
            (Some(2), Some(2), Some(1_755_470_101))
        ]
    );
    assert_eq!(tables.sql_stat[0].sql_id.as_deref(), Some("0abcdefgh1234"));
    assert_eq!(tables.sql_stat[0].plan_hash, Some(1_755_470_101));
}

/// 79 billion microseconds of work areas were as many seconds, 25,000 years.
#[test]
fn microseconds_of_the_pga_advice_were_seconds() {
    let awr = "PGA Memory Advisory                               DB/Inst: TILL/till  Snap: 11\n\n\
        \x20                                      Estd Extra    Estd P Estd PGA\n\
        PGA Target    Size           W/A MB   W/A MB Read/    Cache Overallo    Estd\n\
        \x20 Est (MB)   Factr        Processed Written to Disk   Hit %    Count    Time\n\
        ---------- ------- ---------------- ---------------- ------ -------- -------\n\
        \x20    1,024     8.0          1,680.1              0.0  100.0        0 2.8E+06\n\
        \x20         -------------------------------------------------------------\n";
    let read =
        |text: &str| spindle_evidence::read("advice", text.as_bytes()).reports[0].tables.pga_advice.clone();
    assert_eq!(read(awr)[0].estimated_time_s, Some(2.8));
}
