//! Comparisons of two periods that lost blanks, headings or columns on their way: no figure of one period is the
//! other's, and no difference is a figure. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::Report;

fn both(text: &str) -> [Report; 2] {
    let reports = spindle_evidence::read("periods", text.as_bytes()).reports;
    reports.try_into().unwrap()
}

const HEAD: &str = "WORKLOAD REPOSITORY COMPARE PERIOD REPORT\n\n\
    Snapshot Set    DB Id    Instance     Inst Num Release     Cluster Host          Std Block Size\n\
    ------------ ----------- ------------ -------- ----------- ------- ------------ ---------------\n\
    First (1st)   2629620001 till                1 11.2.0.4.0  NO      shop01                  8192\n\
    Second (2nd)  2629620001 till                1 11.2.0.4.0  NO      shop01                  8192\n\n\
    Snapshot Set  Begin Snap Id Begin Snap Time            End Snap Id End Snap Time                  Avg Active Users           Elapsed Time (min)            DB time (min)\n\
    ------------ -------------- ------------------------- ------------ ------------------------- -------------------------- -------------------------- --------------------------\n\
    1st                      91 08-Dec-23 00:29:40 (Fri)           92 08-Dec-23 00:34:40 (Fri)                       7.0                       5.0                      35.2\n\
    2nd                      88 08-Dec-23 00:23:57 (Fri)           89 08-Dec-23 00:28:57 (Fri)                       7.1                       5.0                      35.5\n\n";

const SNAPS: &str = "   First DB/Inst: TILL/till Snaps: 91-92 (Elapsed time: 300.1 sec  DB time: 2112.5 sec),  Second DB/Inst: TILL/till Snaps: 88-89 (Elapsed time: 300.2 sec  DB time: 2130.5 sec)\n";

const FUNCTIONS: &str = "            Total Reads                    Buffer Cache Reads                 Total Writes                            LGWR\n\
    ----------------------------------   ------------------------------   ----------------------------------   ------------------------------\n\
    \x20        1st          2nd    %Diff          1st        2nd    %Diff            1st          2nd    %Diff          1st        2nd    %Diff\n\
    ------------ ------------ --------   ---------- ---------- --------   ------------ ------------ --------   ---------- ---------- --------\n\
    \x20      580.5        870.3     49.9        570.1      850.4     49.2          660.2        990.6     50.0        400.7      540.9     35.0\n\
    \x20                         -----------------------------------------------------------------------------------\n\n";

fn functions() -> String {
    format!("{HEAD}IOStat by Function - Requests per Second{SNAPS}\n{FUNCTIONS}")
}

/// Reads and writes of each function, and of all (no name).
fn requests(report: &Report) -> Vec<(Option<&str>, Option<f64>, Option<f64>)> {
    let rows = report.tables.io_function.iter();
    rows.map(|f| (f.function.as_deref(), f.reads_per_s, f.writes_per_s)).collect()
}

fn stripped(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_start())).collect()
}

/// Blanks before the first word stay.
fn squeezed(text: &str) -> String {
    let line = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let is_ruler = line.contains("--") && line.bytes().all(|b| matches!(b, b' ' | b'-'));
        let words: Vec<&str> = line.split_whitespace().collect();
        if is_ruler { format!("{line}\n") } else { format!("{}{}\n", &line[..indent], words.join(" ")) }
    };
    text.lines().map(line).collect()
}

/// Without the blanks before its headings, a table gave the differences for reads and writes a second.
#[test]
fn differences_are_no_reads_where_blanks_are_lost() {
    let plain = functions();
    let wanted = [
        [
            (None, Some(580.5), Some(660.2)),
            (Some("Buffer Cache Reads"), Some(570.1), None),
            (Some("LGWR"), None, Some(400.7)),
        ],
        [
            (None, Some(870.3), Some(990.6)),
            (Some("Buffer Cache Reads"), Some(850.4), None),
            (Some("LGWR"), None, Some(540.9)),
        ],
    ];
    for text in [plain.clone(), stripped(&plain)] {
        for (report, wanted) in both(&text).iter().zip(&wanted) {
            assert_eq!(requests(report), wanted, "{text}");
        }
    }
    // Which word names which function cannot be told any more.
    for report in both(&squeezed(&plain)) {
        assert_eq!(requests(&report), []);
        assert!(report.notes.iter().any(|n| n.message.contains("cannot be told")), "{:?}", report.notes);
    }
}

/// Behind tabs, the rates of the second period and their differences were those of the first.
#[test]
fn rates_behind_tabs_are_those_of_their_period_or_unknown() {
    let profile = "Workload Comparison\n\
        ~~~~~~~~~~~~~~~~~~~                   1st Per Sec          2nd Per Sec      %Diff              1st Per Txn          2nd Per Txn      %Diff\n\
        \x20                                 ---------------      ---------------     ------          ---------------      ---------------     ------\n\
        \x20                   DB time:                  7.2                 14.4      100.0                      0.1                  0.2      100.0\n\
        \x20                 Redo size:            390,000.5            585,000.5       50.0                  1,930.8              1,940.1        0.5\n\
        \x20             Logical reads:            400,000.4            600,000.6       50.0                  1,990.3              2,270.4       14.1\n\
        \x20           Physical writes:                370.6                555.9       50.0                      1.9                  2.0        5.3\n\
        \x20          W/A MB processed:             82,000.0             85,000.5        3.7                    400.7                290.7      -27.5\n\
        \x20                 Executes:               1,360.7              1,910.2       40.4                      6.7                  6.7        0.0\n\
        \x20             Transactions:                 200.6                280.6       39.9\n\n";
    let tabs = |text: &str| -> String {
        let line = |line: &str| {
            let mut out = String::new();
            let mut blanks = 0;
            for c in line.chars() {
                if c == ' ' {
                    blanks += 1;
                    continue;
                }
                match blanks {
                    0 => {}
                    1 => out.push(' '),
                    _ => out.push('\t'),
                }
                blanks = 0;
                out.push(c);
            }
            out + "\n"
        };
        text.lines().map(line).collect()
    };
    let rates = |report: &Report| -> Vec<_> {
        let rows = report.tables.load_profile.iter();
        rows.map(|l| (l.metric.clone(), l.per_second, l.per_transaction)).collect()
    };
    let text = format!("{HEAD}{profile}");
    let plain = both(&text);
    assert_eq!(plain.each_ref().map(|r| r.tables.load_profile.len()), [7, 7]);
    for changed in [tabs(&text), squeezed(&text), stripped(&text)] {
        // Where nothing is certain, there may be no report.
        for (report, plain) in
            spindle_evidence::read("periods", changed.as_bytes()).reports.iter().zip(&plain)
        {
            let known = rates(plain);
            for (metric, per_second, per_transaction) in rates(report) {
                let (_, second, transaction) = known.iter().find(|(own, ..)| *own == metric).unwrap();
                assert!(per_second.is_none() || per_second == *second, "{metric} {per_second:?}\n{changed}");
                assert!(per_transaction.is_none() || per_transaction == *transaction, "{metric}\n{changed}");
            }
        }
    }
}

/// Without the line over them, the share of a segment was taken for its reads.
#[test]
fn segments_without_the_headings_over_both_periods_have_no_value() {
    let groups = "                                               % of Total Physical Reads                        Physical Reads             % of Captured Physical Reads\n\
        \x20                              ---------------------------------------------   -----------------------------------   ----------------------\n";
    let table = |groups: &str| {
        format!(
            "{HEAD}Top Segments Comparison by Physical Reads{SNAPS}\
             -> Top    5 Segments from each period are compared\n\n{groups}\
             Owner      Object Name  Type        1st  1st Total     2nd  2nd Total   Diff            1st          2nd     %Diff       1st     2nd   Diff\n\
             ---------- ------------ -----   ------- ---------- ------- ---------- ------   ------------ ------------ ---------   ------- ------- ------\n\
             TILL       RECEIPTS_PK  INDEX      19.8       19.8    18.1       18.1   -1.7        103,400      140,200      35.6      19.9    18.2   -1.7\n\
             TILL       RECEIPTS     TABLE       9.1       28.9    10.6       28.7    1.5         47,600       81,600      71.4       9.2    10.6    1.4\n\
             \x20                         -----------------------------------------------------------------------------------\n\n"
        )
    };
    let values = |report: &Report| -> Vec<_> { report.tables.segment_stat.iter().map(|s| s.value).collect() };
    let [first, second] = both(&table(groups));
    assert_eq!(
        (values(&first), values(&second)),
        (vec![Some(103_400.0), Some(47_600.0)], vec![Some(140_200.0), Some(81_600.0)])
    );
    for lost in ["", "...\n"] {
        for report in both(&table(lost)) {
            assert!(values(&report).iter().all(Option::is_none), "{:?}", report.tables.segment_stat);
            assert!(report.notes.iter().any(|n| n.message.contains("cannot be told")), "{:?}", report.notes);
        }
    }
}

/// A page of a comparison: tables of rows of cells, the first row of which are headings.
fn page(tables: &[(&str, Vec<Vec<&str>>)]) -> String {
    let mut out = "<html><head><title>AWR Compare Period Report for (1) DB: TILL, Inst: till, Snaps: 91-92 (2) DB: \
        TILL, Inst: till, Snaps: 88-89</title></head><body>\n<h1>WORKLOAD REPOSITORY COMPARE PERIOD REPORT</h1>\n"
        .to_owned();
    for (title, rows) in tables {
        out.push_str(&format!("<p />{title}<p />\n<table>"));
        for (at, row) in rows.iter().enumerate() {
            let tag = if at == 0 { "th" } else { "td" };
            let cells: String = row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
            out.push_str(&format!("<tr>{cells}</tr>\n"));
        }
        out.push_str("</table>\n");
    }
    out + "</body></html>\n"
}

/// The same tables without one column of each.
fn without<'a>(tables: &[(&'a str, Vec<Vec<&'a str>>)], column: usize) -> Vec<(&'a str, Vec<Vec<&'a str>>)> {
    let row = |row: &Vec<&'a str>| {
        row.iter().enumerate().filter(|(at, _)| *at != column).map(|(_, cell)| *cell).collect()
    };
    tables.iter().map(|(title, rows)| (*title, rows.iter().map(row).collect())).collect()
}

fn snapshots() -> (&'static str, Vec<Vec<&'static str>>) {
    (
        "",
        vec![
            vec![
                "Snapshot Set",
                "Begin Snap Id",
                "Begin Snap Time",
                "End Snap Id",
                "End Snap Time",
                "Elapsed Time (min)",
                "DB time (min)",
            ],
            vec!["1st", "91", "08-Dec-23 00:29:40 (Fri)", "92", "08-Dec-23 00:34:40 (Fri)", "5.0", "35.2"],
            vec!["2nd", "88", "08-Dec-23 00:23:57 (Fri)", "89", "08-Dec-23 00:28:57 (Fri)", "5.0", "35.5"],
        ],
    )
}

/// With the column of one period gone, both periods had the load and shares of the other.
#[test]
fn the_host_of_a_period_whose_column_is_gone_is_unknown() {
    let host = (
        "Host Configuration Comparison",
        vec![
            vec!["", "1st", "2nd", "Diff", "%Diff"],
            vec!["Number of CPUs:", "8", "16", "8", "100.0"],
            vec!["Load at Start Snapshot:", "6.93", "8.37", "1.44", "20.8"],
            vec!["%User Time:", "23.79", "39.62", "15.83", "66.5"],
            vec!["%Idle Time:", "74.79", "58.14", "-16.65", "-22.3"],
        ],
    );
    let shares = |report: &Report| -> Vec<_> {
        report.tables.host_cpu.iter().map(|h| (h.load_begin, h.user_pct, h.idle_pct)).collect()
    };
    let first = vec![(Some(6.93), Some(23.79), Some(74.79))];
    let second = vec![(Some(8.37), Some(39.62), Some(58.14))];
    let whole = [host];
    for (column, wanted) in
        [(None, [&first, &second]), (Some(1), [&vec![], &second]), (Some(2), [&first, &vec![]])]
    {
        let tables = column.map_or_else(|| whole.to_vec(), |column| without(&whole, column));
        let mut all = vec![snapshots()];
        all.extend(tables);
        let reports = both(&page(&all));
        for (report, wanted) in reports.iter().zip(wanted) {
            assert_eq!(shares(report), *wanted, "{column:?}");
            let told = report.notes.iter().any(|n| n.message.contains("columns of this period are missing"));
            assert_eq!(told, wanted.is_empty(), "{:?}", report.notes);
            assert_eq!(report.identity.cpus.is_some(), !wanted.is_empty());
        }
    }
}

/// Without the labels of its rows, a table gave the snapshots of the first period to the second, and figures of both
/// periods to each.
#[test]
fn rows_without_their_period_are_of_neither() {
    let recovery = (
        "Instance Recovery Stats",
        vec![
            vec!["", "Targt MTTR (s)", "Estd MTTR (s)", "Recovery Estd IOs", "Actual RedoBlks"],
            vec!["B1", "0", "19", "20900", "167900"],
            vec!["E1", "0", "19", "21400", "167600"],
            vec!["B2", "0", "18", "16100", "167800"],
            vec!["E2", "0", "18", "16000", "169300"],
        ],
    );
    let tables = [snapshots(), recovery];
    let [first, second] = both(&page(&tables));
    assert_eq!((first.tables.instance_recovery.len(), second.tables.instance_recovery.len()), (2, 2));
    assert_eq!((first.identity.begin_snap, second.identity.begin_snap), (Some(91), Some(88)));
    let [first, second] = both(&page(&without(&tables, 0)));
    for report in [&first, &second] {
        assert_eq!(report.tables.instance_recovery.len(), 0);
        assert_eq!((report.identity.begin_time.as_deref(), report.identity.elapsed_s), (None, None));
        assert!(report.notes.iter().any(|n| n.message.contains("cannot be told")), "{:?}", report.notes);
    }
    // The title of the page says these.
    assert_eq!((first.identity.begin_snap, second.identity.begin_snap), (Some(91), Some(88)));
    assert_eq!((first.identity.end_snap, second.identity.end_snap), (Some(92), Some(89)));
    // A row of one period alone is still of that one.
    let (title, mut rows) = tables[1].clone();
    rows.drain(3..);
    let [first, second] = both(&page(&[snapshots(), (title, rows)]));
    assert_eq!((first.tables.instance_recovery.len(), second.tables.instance_recovery.len()), (2, 0));
}

/// A comparison copied from a browser was refused: its groups of headings span columns, and of the titles above its
/// tables only those of ordinary reports were known.
#[test]
fn a_comparison_copied_from_a_browser_was_refused() {
    let text = "WORKLOAD REPOSITORY COMPARE PERIOD REPORT\n\n\
        Snapshot Set\tDB Id\tInstance\tInst num\tRelease\tCluster\tHost\tStd Block Size\n\
        First (1st)\t2629620001\ttill\t1\t11.2.0.4.0\tNO\tshop01\t8192\n\
        Second (2nd)\t2629620001\ttill\t1\t11.2.0.4.0\tNO\tshop01\t8192\n\n\
        Snapshot Set\tBegin Snap Id\tBegin Snap Time\tEnd Snap Id\tEnd Snap Time\tAvg Active Users\tElapsed Time (min)\tDB time (min)\n\
        1st\t91\t08-Dec-23 00:29:40 (Fri)\t92\t08-Dec-23 00:34:40 (Fri)\t7.0\t5.0\t35.2\n\
        2nd\t88\t08-Dec-23 00:23:57 (Fri)\t89\t08-Dec-23 00:28:57 (Fri)\t7.1\t5.0\t35.5\n\
        %Diff\t\u{a0} \t\u{a0} \t\u{a0} \t\u{a0} \t1.4\t0.0\t0.9\n\n\
        Cache Sizes\n\n\
        \t1st (M)\t2nd (M)\tDiff (M)\t%Diff\n\
        Memory Target\t\u{a0} \t\u{a0} \t\u{a0} \t\u{a0} \n\n\
        SGA Target\n\t1,024.0\t2,048.0\t1,024.0\t100.0\n\n\
        Buffer Cache\n\t728.0\t1,728.0\t1,000.0\t137.4\n\n\
        Time Model Statistics\n\
        Ordered by absolute value of 'Diff' column of '% of DB time', descending\n\
        \u{a0}\t% of DB time\tTime (seconds)\n\
        Statistic Name\t1st\t2nd\tDiff\t1st\t2nd\t%Diff\n\
        DB CPU\t26.57\t22.81\t-3.76\t561.44\t485.51\t-13.52\n\n\
        IOStat by Function - Requests per Second\n\
        Total Reads includes all Functions: Buffer Cache, Direct Reads\n\
        Total Reads\tBuffer Cache Reads\n\
        1st\t2nd\t%Diff\t1st\t2nd\t%Diff\n\
        580.5\t870.3\t49.9\t570.1\t850.4\t49.2\n\n\
        PGA Aggr Target Stats\n\
        \tPGA Aggr Target(M)\tAuto PGA Target(M)\n\
        B1\t128\t8\nE1\t128\t9\n\u{a0} \t\u{a0} \t\u{a0} \nB2\t256\t10\nE2\t256\t11\n\n\
        Back to Top\n";
    let both = both(text);
    let found = both.each_ref().map(|report| {
        let tables = &report.tables;
        let cpu = tables.time_model.iter().find(|row| row.statistic == "DB CPU").unwrap();
        (cpu.time_s, cpu.share_db_time_pct, tables.pga_aggregate.len(), requests(report))
    });
    let [first, second] = found;
    assert_eq!((first.0, first.1, first.2), (Some(561.44), Some(26.57), 2));
    assert_eq!((second.0, second.1, second.2), (Some(485.51), Some(22.81), 2));
    assert_eq!(first.3, [(None, Some(580.5), None), (Some("Buffer Cache Reads"), Some(570.1), None)]);
    assert_eq!(second.3, [(None, Some(870.3), None), (Some("Buffer Cache Reads"), Some(850.4), None)]);
    let caches = |report: &Report| format!("{:?}", report.tables.cache_size);
    assert!(
        caches(&both[1]).contains("SGA Target") && caches(&both[1]).contains("2147483648"),
        "{}",
        caches(&both[1])
    );
    assert!(caches(&both[0]).contains("Buffer Cache") && caches(&both[0]).contains("763363328"));
}
