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

/// `Host: Total time (s):` was read as `Total time (s)`, which is nobody's.
#[test]
fn the_label_of_a_time_holds_whose_it_is() {
    let report = late(
        "Instance CPU\n\
         ~~~~~~~~~~~~                                       % Time (seconds)\n\
         \x20                                           -------- --------------\n\
         \x20                    Host: Total time (s):                 57,688.2\n\
         \x20                 Host: Busy CPU time (s):                 12,800.1\n\
         \x20                  % of time Host is Busy:      22.2\n\
         \x20            Instance: Total CPU time (s):                  3,100.5\n\
         \x20         % of Busy CPU used for Instance:      24.2\n\
         \x20       Instance: Total Database time (s):                  9,107.0\n\
         \x20 %DB time waiting for CPU (Resource Mgr):       0.0\n\n",
    );
    let [cpu] = report.tables.instance_cpu.as_slice() else { panic!("{:?}", report.tables.instance_cpu) };
    assert_eq!((cpu.host_total_s, cpu.host_busy_s), (Some(57_688.2), Some(12_800.1)));
    assert_eq!((cpu.instance_cpu_s, cpu.instance_db_time_s), (Some(3_100.5), Some(9_107.0)));
    assert_eq!((cpu.host_busy_pct, cpu.busy_cpu_pct), (Some(22.2), Some(24.2)));
}

/// Lists of segments of 9.2 (`Top 5 Physical Reads per Segment`) were of no known section.
#[test]
fn segments_of_9i_are_read() {
    let list = |ranked: &str, heading: &[&str]| {
        let over = |at: usize| heading.len().checked_sub(3 - at).map_or("", |line| heading[line]);
        early_title(&format!("Top 5 {ranked} per Segment"))
            + &format!(
                "-> End Segment {ranked} Threshold:     1000\n\n\
                 {:>71}\n\
                 {:<43}Subobject  Obj. {:>12}\n\
                 Owner      Tablespace Object Name          Name       Type  {:>12}  %Total\n\
                 ---------- ---------- -------------------- ---------- ----- ------------ -------\n\
                 TILL       TILL_DATA  RECEIPT_LINES        P2005_Q1   TABLE      902,417   72.31\n\
                 TILL       TILL_INDEX RECEIPTS_DAY_IX                 INDEX       61,404     .04\n{END}",
                over(0),
                "",
                over(1),
                over(2)
            )
    };
    for (ranked, heading, ranked_by) in [
        ("Logical Reads", &["Logical", "Reads"][..], "logical_reads"),
        ("Physical Reads", &["Physical", "Reads"], "physical_reads"),
        ("Buf. Busy Waits", &["Buffer", "Busy", "Waits"], "buffer_busy_waits"),
        ("Row Lock Waits", &["Row", "Lock", "Waits"], "row_lock_waits"),
        ("ITL Waits", &["ITL", "Waits"], "itl_waits"),
        ("CR Blocks Served (RAC)", &["CR", "Blocks", "Served"], "gc_cr_blocks_served"),
        ("CU Blocks Served (RAC)", &["CU", "Blocks", "Served"], "gc_current_blocks_served"),
    ] {
        let report = early(&list(ranked, heading));
        let found: Vec<_> = report
            .tables
            .segment_stat
            .iter()
            .map(|s| (s.ranked_by, s.object.as_deref().unwrap(), s.value, s.share_pct))
            .collect();
        let expected = [
            (ranked_by, "RECEIPT_LINES", Some(902_417.0), Some(72.31)),
            (ranked_by, "RECEIPTS_DAY_IX", Some(61_404.0), Some(0.04)),
        ];
        assert_eq!(found, expected, "{:?}", report.notes);
    }
}

/// Headings of RAC that shorten their words otherwise than those of AWR left three lists unread.
#[test]
fn segments_by_what_other_instances_sent_are_read() {
    let list = |ranked: &str, heading: [&str; 3]| {
        late_title(ranked)
            + &format!(
                "-> There is no specific Threshold\n\n\
                 {:>74}\n\
                 {:<43}Subobject    Obj.  {:>12}   Pct\n\
                 Owner      Tablespace Object Name          Name         Type  {:>12} Total\n\
                 ---------- ---------- -------------------- ------------ ----- ------------ -----\n\
                 TILL       TILL_DATA  RECEIPT_LINES        P2011_Q1     TABLE      902,417  72.3\n{END}",
                heading[0], "", heading[1], heading[2]
            )
    };
    for (title, heading, ranked_by) in [
        ("Segments by Global Cache Buffer Busy Waits", ["GC Buffer", "Busy", "Waits"], "gc_buffer_busy"),
        ("Segments by CR Blocks Received", ["CR", "Blocks", "Recevd"], "gc_cr_blocks_received"),
        ("Segments By Current Blocks Received", ["CU", "Blocks", "Recevd"], "gc_current_blocks_received"),
    ] {
        let report = late(&list(title, heading));
        let found: Vec<_> = report.tables.segment_stat.iter().map(|s| (s.ranked_by, s.value)).collect();
        assert_eq!(found, [(ranked_by, Some(902_417.0))], "{:?}", report.notes);
    }
}

/// 8i and 9i wrap names that are wider than their column: files lost their numbers, and the rest of a name was one.
#[test]
fn names_wrapped_above_their_numbers_belong_to_one_row() {
    let mut list = early_title("File IO Stats");
    list += "->ordered by Tablespace, File\n\n\
        Tablespace               Filename\n\
        ------------------------ ----------------------------------------------------\n\
        \x20                Av      Av     Av                    Av        Buffer Av Buf\n\
        \x20        Reads Reads/s Rd(ms) Blks/Rd       Writes Writes/s      Waits Wt(ms)\n\
        -------------- ------- ------ ------- ------------ -------- ---------- ------\n\
        RECEIPT_LINES_OF_ALL_SHO /u07/oradata/till/receipts/of/all/shops/receipt_line\n\
        PS                       s_of_all_shops_01.dbf\n\
        \x20       1,025       0    2.7     1.2          295        0          0\n\
        \x20                        /u07/oradata/till/receipts/of/all/shops/receipt_line\n\
        \x20                        s_02.dbf\n\
        \x20       8,353       2    4.9     4.5          296        0          3    1.0\n\n\
        TOOLS                    /u08/oradata/till/tools01.dbf\n\
        \x20         297       0    0.1     1.0          297        0          0\n\n\
        USERS                    /u08/oradata/till/users/of/the/till/and/of/nothing/0\n\
        \x20                        1\n\
        \x20          12       0    5.1     1.0          298        0          0\n\n";
    let report = early(&(list + END));
    let found: Vec<_> = report
        .tables
        .file_io
        .iter()
        .map(|f| (f.io.tablespace.as_str(), f.file.as_str(), f.io.reads, f.io.avg_read_us, f.io.writes))
        .collect();
    let lines = "/u07/oradata/till/receipts/of/all/shops/receipt_lines";
    let (first, second) = (format!("{lines}_of_all_shops_01.dbf"), format!("{lines}_02.dbf"));
    let tablespace = "RECEIPT_LINES_OF_ALL_SHOPS";
    let expected = [
        (tablespace, first.as_str(), Some(1_025.0), Some(2_700.0), Some(295.0)),
        (tablespace, second.as_str(), Some(8_353.0), Some(4_900.0), Some(296.0)),
        ("TOOLS", "/u08/oradata/till/tools01.dbf", Some(297.0), Some(100.0), Some(297.0)),
        (
            "USERS",
            "/u08/oradata/till/users/of/the/till/and/of/nothing/01",
            Some(12.0),
            Some(5_100.0),
            Some(298.0),
        ),
    ];
    assert_eq!(found, expected, "{:?}", report.notes);
}

/// Counts that are wrapped beside each other were rows of their own.
#[test]
fn counts_wrapped_beside_each_other_are_no_row() {
    let mut list = late_title("Undo Segment Stats");
    list += "-> Most recent 35 Undostat rows, ordered by End Time desc\n\n\
        \x20               Num Undo    Number of Max Qry  Max Tx Tun Ret STO/  uS/uR/uU/\n\
        End Time          Blocks Transactions Len (s)   Concy  (mins) OOS   eS/eR/eU\n\
        ------------ ----------- ------------ ------- ------- ------- ----- -----------\n\
        02-Mar 10:10      10,525      122,772     939      19      30 1234/ 123/45678/0\n\
        \x20                                                             5678  /123/4567/0\n\
        02-Mar 10:00       9,120      101,404     311      17      30 123/4 0/0/0/0/0/0\n\
        \x20                                                             5\n";
    let report = late(&(list + END));
    let found: Vec<_> = report
        .tables
        .undo
        .iter()
        .map(|row| {
            let stolen = text(row, "us_per_ur_per_uu_per_es_per_er_per_eu");
            (row.number("num_undo_blocks"), text(row, "sto_per_oos"), stolen)
        })
        .collect();
    let expected = [
        (Some(10_525.0), Some("1234/5678"), Some("123/45678/0/123/4567/0")),
        (Some(9_120.0), Some("123/45"), Some("0/0/0/0/0/0")),
    ];
    assert_eq!(found, expected, "{:?}", report.notes);
}

/// A value that is wrapped at the begin and at the end was two.
#[test]
fn a_parameter_wrapped_in_both_columns_has_one_value() {
    let mut list = late_title("init.ora Parameters");
    list += "\n\
        \x20                                                                 End value\n\
        Parameter Name                Begin value                       (if different)\n\
        ----------------------------- --------------------------------- --------------\n\
        log_archive_dest_1            LOCATION=/u09/arch MANDATORY REOP LOCATION=/u10/\n\
        \x20                             EN=60                             arch\n\
        log_archive_format            arch%T_%s_%r.arc\n";
    let report = late(&(list + END));
    let found: Vec<_> = report
        .tables
        .parameter
        .iter()
        .map(|p| (p.name.as_str(), p.begin_value.as_deref(), p.end_value.as_deref(), p.ordinal))
        .collect();
    let expected = [
        (
            "log_archive_dest_1",
            Some("LOCATION=/u09/arch MANDATORY REOPEN=60"),
            Some("LOCATION=/u10/arch"),
            None,
        ),
        ("log_archive_format", Some("arch%T_%s_%r.arc"), None, None),
    ];
    assert_eq!(found, expected);
}

/// The number of buffers of 8i was read as bytes.
#[test]
fn buffers_of_8i_are_counted_not_bytes() {
    let report = early(
        "Cache Sizes\n\
         ~~~~~~~~~~~\n\
         db_block_buffers:      50000          log_buffer:    1048576\n\
         \x20  db_block_size:       8192    shared_pool_size:  104857600\n\n",
    );
    let sizes = &report.tables.cache_size;
    let found: Vec<_> = sizes.iter().map(|s| (text(s, "name"), s.number("begin_bytes"))).collect();
    let expected = [
        (Some("db_block_buffers"), Some(409_600_000.0)),
        (Some("log_buffer"), Some(1_048_576.0)),
        (Some("db_block_size"), Some(8_192.0)),
        (Some("shared_pool_size"), Some(104_857_600.0)),
    ];
    assert_eq!(found, expected);
}

/// The changes stand under `Mod Req` in 8i.
#[test]
fn changes_of_the_dictionary_cache_of_8i_are_read() {
    let mut list = early_title("Dictionary Cache Stats");
    list += "->\"Pct Misses\"  should be very low (< 2% in most cases)\n\n\
        \x20                               Get    Pct     Scan   Pct      Mod  Final  Pct\n\
        Cache                      Requests   Miss Requests  Miss      Req  Usage  SGA\n\
        ---------------------- ------------ ------ -------- ----- -------- ------ ----\n\
        dc_sequences                  1,404    1.5        0            712     24   88\n";
    let report = early(&(list + END));
    let [row] = report.tables.dictionary_cache.as_slice() else { panic!("{:?}", report.notes) };
    assert_eq!(
        (row.get_requests, row.modifications, row.final_usage),
        (Some(1_404.0), Some(712.0), Some(24.0))
    );
}

/// Files other than the first of a tablespace were of none.
#[test]
fn each_file_of_the_read_histogram_has_its_tablespace() {
    let mut list = late_title("File Read Histogram Stats");
    list += "->Number of single block reads in each time range\n\n\
        Tablespace               Filename\n\
        ------------------------ ----------------------------------------------------\n\
        \x20   0 - 2 ms     2 - 4 ms    4 - 8 ms     8 - 16 ms   16 - 32 ms       32+ ms\n\
        ------------ ------------ ------------ ------------ ------------ ------------\n\
        TILL_DATA                /u07/oradata/till/till_data01.dbf\n\
        \x20        402          295          413          199           58           25\n\
        \x20                        /u07/oradata/till/till_data02.dbf\n\
        \x20         34            7           13           13            2            3\n\n\
        USERS                    /u08/oradata/till/users01.dbf\n\
        \x20          1            2            3            4            5            6\n\n";
    let report = late(&(list + END));
    let rows = &report.tables.file_read_histogram;
    let found: Vec<_> = rows.iter().map(|r| (text(r, "tablespace"), r.number("32_plus_ms"))).collect();
    let expected =
        [(Some("TILL_DATA"), Some(25.0)), (Some("TILL_DATA"), Some(3.0)), (Some("USERS"), Some(6.0))];
    assert_eq!(found, expected, "{rows:?}");
}

/// A size wider than its column took its row with it.
#[test]
fn advice_on_a_size_wider_than_its_column_is_known_by_its_buffers() {
    let mut list = format!("Buffer Pool Advisory  DB/Inst: TILL/till1  End Snap: {}\n", 101);
    list += "-> Only rows with estimated physical reads >0 are displayed\n\n\
        \x20                                  Est\n\
        \x20                                 Phys      Estimated                  Est\n\
        \x20   Size for  Size      Buffers   Read     Phys Reads     Est Phys % dbtime\n\
        P    Est (M) Factr  (thousands)  Factr    (thousands)    Read Time  for Rds\n\
        --- -------- ----- ------------ ------ -------------- ------------ --------\n\
        D    917,504    .9      112,897    1.1          4,082       37,196     65.8\n\
        D   ########              3,127    1.0          3,986       36,307     64.3\n";
    let report = late(&(list + END));
    let advice = &report.tables.db_cache_advice;
    let found: Vec<_> = advice.iter().map(|a| (a.size_bytes, a.buffers, a.estimated_reads)).collect();
    let expected = [
        (Some(917_504.0 * 1_048_576.0), Some(112_897_000.0), Some(4_082_000.0)),
        (None, Some(3_127_000.0), Some(3_986_000.0)),
    ];
    assert_eq!(found, expected);
}

/// Labels of the first page of RAC in 9.2 were rows of a table without columns.
#[test]
fn cluster_statistics_of_9i_are_labels_and_values() {
    let report = early(
        "Cluster Statistics for DB: TILL  Instance: till1  Snaps: 100 -101\n\n\
         Global Cache Service - Workload Characteristics\n\
         -----------------------------------------------\n\
         Ave global cache get time (ms):                            1.4\n\n\
         Ave receive time for CR block (ms):\n\n\
         Ratio of I/O for coherence:                                8.7\n\n\
         GCS and GES Messaging statistics\n\
         --------------------------------\n\
         % of direct sent messages:                                58.4\n\
         \x20         -------------------------------------------------------------\n",
    );
    let rows = &report.tables.rac_cache;
    let found: Vec<_> = rows.iter().map(|r| (text(r, "metric").unwrap(), r.number("value"))).collect();
    let expected = [
        ("Ave global cache get time (ms)", Some(1.4)),
        ("Ave receive time for CR block (ms)", None),
        ("Ratio of I/O for coherence", Some(8.7)),
        ("% of direct sent messages", Some(58.4)),
    ];
    assert_eq!(found, expected, "{:?}", report.notes);
    assert_eq!(status(&report, "Cluster Statistics"), SectionStatus::Read);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

/// What Statspack calls its reports was a section that nobody can read.
#[test]
fn the_name_of_the_report_is_no_section() {
    for report in [late(""), early("")] {
        let unread: Vec<_> = report.sections.iter().filter(|s| s.status != SectionStatus::Read).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert!(report.raw_tables.iter().all(|t| !t.title.is_empty()), "{:?}", report.raw_tables);
        assert_eq!(report.identity.begin_snap, Some(100));
    }
}

/// Capture and apply of Streams, and what the global enqueue service did, were of no known section.
#[test]
fn sections_of_streams_and_of_rac_are_kept() {
    let mut lines = late_title("Streams Capture");
    lines += "-> * indicates Capture process (re)started between Begin/End snaps\n\n\
        \x20                                              Msg             Redo\n\
        \x20                      Captured  Enq   Capt  Creatn  Rule   Enq    Wait  Pause\n\
        Capture Name         *  Msg/s   Msg/s Time % Time % Time % Time % Time % Time %\n\
        -------------------- - -------- ------ ------ ------ ------ ------ ------ ------\n\
        TILL_CAPTURE         *    1,234  1,204     50     10     10     10     10     10\n";
    lines += END;
    lines += &late_title("Global Enqueue Stats");
    lines += "\n\
        Statistic                                    Total   per Second    per Trans\n\
        --------------------------------- ---------------- ------------ ------------\n\
        gcs msgs received                          360,000        100.0         50.0\n";
    let report = late(&(lines + END));
    let [queue] = report.tables.queue.as_slice() else { panic!("{:?}", report.tables.queue) };
    assert_eq!(
        (text(queue, "group"), queue.number("enq_msg_per_s")),
        (Some("Streams Capture"), Some(1_204.0))
    );
    let [stat] = report.tables.rac_cache.as_slice() else { panic!("{:?}", report.tables.rac_cache) };
    assert_eq!((text(stat, "statistic"), stat.number("total")), (Some("gcs msgs received"), Some(360_000.0)));
}

/// More leading events than five, as sites set it, were of no known section.
#[test]
fn leading_events_of_any_number_are_read() {
    let report = late(&format!(
        "Top 12 Timed Events                                                   Avg %Total\n\
         ~~~~~~~~~~~~~~~~~~                                                   wait   Call\n\
         Event                                            Waits    Time (s)   (ms)   Time\n\
         ----------------------------------------- ------------ ----------- ------ ------\n\
         db file sequential read                        520,240       4,567      9   71.6\n\
         CPU time                                                     1,620          25.4\n\
         {END}"
    ));
    let found: Vec<_> = report.tables.top_event.iter().map(|e| (e.event.as_str(), e.time_s)).collect();
    assert_eq!(found, [("db file sequential read", Some(4_567.0)), ("CPU time", Some(1_620.0))]);
    assert_eq!(status(&report, "Top 12 Timed Events"), SectionStatus::Read);
}

/// A number of processors that changed stands over the columns before those of the load, which was lost.
#[test]
fn the_load_is_read_below_processors_that_changed() {
    let report = late(
        "Host CPU  (Begin CPUs: 16 End CPUs: 32)\n\
         ~~~~~~~~              Load Average\n\
         \x20                     Begin     End      User  System    Idle     WIO     WCPU\n\
         \x20                   ------- -------   ------- ------- ------- ------- --------\n\
         \x20                      5.98    7.09     23.83    0.89   74.75   21.86\n\n",
    );
    let [cpu] = report.tables.host_cpu.as_slice() else { panic!("{:?}", report.tables.host_cpu) };
    assert_eq!((cpu.load_begin, cpu.load_end), (Some(5.98), Some(7.09)));
    assert_eq!((cpu.user_pct, cpu.idle_pct, cpu.io_wait_pct), (Some(23.83), Some(74.75), Some(21.86)));
}

/// Statspack divides the mean wait of a function by a thousand once too often: half a second was half a millisecond.
#[test]
fn the_mean_wait_of_a_function_is_unknown() {
    let mut list = late_title("IO Stat by Function - summary");
    list += "->ordered by Data Volume (Read+Write) desc\n\n\
        \x20              ---------- Read --------- --------- Write -------- --- Wait ----\n\
        \x20                Data  Requests    Data   Data  Requests    Data          Avg\n\
        Function        Volume     /sec  Vol/sec Volume     /sec  Vol/sec  Count Tm(ms)\n\
        --------------- ------ -------- -------- ------ -------- -------- ------ ------\n\
        Buffer Cache Re  4074M   578.1      4.5M                            520K    0.5\n\
        LGWR                4M      .3       .0M   807M   398.5       .9M   179K    0.0\n";
    let report = late(&(list + END));
    let found: Vec<_> = report.tables.io_function.iter().map(|f| (f.reads_per_s, f.avg_wait_us)).collect();
    assert_eq!(found, [(Some(578.1), None), (Some(0.3), None)]);
    assert_eq!(
        report.notes.iter().filter(|n| n.message.contains("Avg Tm(ms)")).count(),
        1,
        "{:?}",
        report.notes
    );
}

/// Lines that go on with a cell took the square of their number.
#[test]
fn a_cell_that_goes_on_without_end_is_read_in_one_pass() {
    let mut list = late_title("Undo Segment Stats");
    list += "-> Most recent 35 Undostat rows, ordered by End Time desc\n\n\
        \x20               Num Undo    Number of Max Qry  Max Tx Tun Ret STO/  uS/uR/uU/\n\
        End Time          Blocks Transactions Len (s)   Concy  (mins) OOS   eS/eR/eU\n\
        ------------ ----------- ------------ ------- ------- ------- ----- -----------\n\
        02-Mar 10:10      10,525      122,772     939      19      30 1234/ 123/45678/0\n";
    list += &format!("{:62}1234/ 123/45678/0\n", "").repeat(100_000);
    let report = late(&(list + END));
    assert_eq!(report.tables.undo.len(), 1);
}

/// An error of SQL*Plus below the ruler was the name of the database where the ruler was one dash short.
#[test]
fn an_error_below_the_ruler_was_a_database() {
    let text = "STATSPACK report for\n\n\
        DB Name         DB Id    Instance     Inst Num Release     Cluster Host\n\
        ----------- ----------- ------------ -------- ----------- ------- ------------\n\
        TILL          1234567890 till                1 9.2.0.1.0   NO      shop1\n\
        \u{20}  :ela     :=  ;\n\
        \u{20}               *\n\
        ERROR at line 4:\n\n\
        \u{20}             Snap Id     Snap Time      Sessions Curs/Sess Comment\n\
        \u{20}           --------- ------------------ -------- --------- -------------------\n\
        Begin Snap:         3 03-Mar-04 14:46:00       12       3.4\n\
        \u{20} End Snap:         4 03-Mar-04 15:10:00       13       3.3\n";
    for text in [text.to_owned(), text.replacen("\n------", "\n-----", 1)] {
        let report = spindle_evidence::read("short", text.as_bytes()).reports.remove(0);
        assert_eq!(report.identity.db_name.as_deref(), Some("TILL"), "{text}");
    }
}
