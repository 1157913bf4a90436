//! Text reports as people, mails, wikis and scripts change them: heads lost, marks before every line, pages and
//! indexes in the middle of tables, other marks in numbers. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Kind, Report, Side, Value};

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

/// A form feed behind a comment mark, or a vertical tab in its place, hid the titles: one table took the rows of
/// those that followed.
#[test]
fn page_breaks_behind_marks_hide_no_title() {
    let plain = one(&format!("{HEAD}{PROFILE}{TIMES}{FILES}"));
    let with_break = |mark: &str, end: &str| {
        let text = format!("{HEAD}{PROFILE}\u{c}{TIMES}\u{c}{FILES}").replace('\u{c}', end);
        text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>()
    };
    for text in [with_break("# ", "\u{c}"), with_break("# ", "\u{b}"), with_break("", "\u{b}")] {
        let report = one(&text);
        assert_eq!((times(&report), files(&report)), (times(&plain), files(&plain)), "{text}");
    }
}

/// Behind the mark of SQL's comments, rulers became the names of database and host.
#[test]
fn comments_of_sql_before_every_line_are_no_cells() {
    let plain = one(&format!("{HEAD}{PROFILE}{TIMES}{FILES}"));
    let text: String =
        format!("\n{HEAD}{PROFILE}\u{c}{TIMES}{FILES}").lines().map(|line| format!("-- {line}\n")).collect();
    let report = one(&text);
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
    assert_eq!(report.identity.begin_snap, Some(310));
    assert_eq!((times(&report), files(&report)), (times(&plain), files(&plain)));
    assert_eq!(report.tables.load_profile.len(), plain.tables.load_profile.len());
}

/// The title of a page between a file's name and its figures was taken for the name of a file.
#[test]
fn pages_of_two_lines_of_heading_name_no_row() {
    let plain = one(&format!("{HEAD}{FILES}"));
    let page = |number: u32| {
        format!(
            "\nTue Mar 14                                                             page {number:4}\n\
             \x20                         Performance report\n\n"
        )
    };
    let names = ["/u01/till/sysaux01.dbf\n", "/u01/till/system01.dbf\n"];
    let once = FILES.replace(names[0], &format!("{}{}", names[0], page(3)));
    let twice = once.replace(names[1], &format!("{}{}", names[1], page(4)));
    for text in [once, twice] {
        assert_eq!(files(&one(&format!("{HEAD}{text}"))), files(&plain), "{text}");
    }
}

/// Headings between double bars had a blank cell each: every number stood under another heading.
#[test]
fn headings_between_double_bars_head_the_columns_below() {
    let report = one("WORKLOAD REPOSITORY report for\n\n\
         ||DB Name||DB Id||Instance||Inst num||Startup Time||Release||RAC||\n\
         |TILL|2629620001|till|1|22-Jan-19 16:49|11.2.0.4.0|NO|\n\n\
         IOStat by Function summary\n\n\
         ||Function Name||Reads: Data||Reqs per sec||Data per sec||Writes: Data||Reqs per sec||Data per sec||Waits: Count||Avg Tm(ms)||\n\
         |Buffer Cache Reads|5G|431.50|2.50M|0M|0.00|0M|774.8K|11.70|\n\
         |LGWR|10M|1.00|.01M|2G|500.00|2.25M|400K|0.30|\n");
    let rows: Vec<_> =
        report.tables.io_function.iter().map(|r| (r.read_bytes, r.reads_per_s, r.writes_per_s)).collect();
    assert_eq!(
        rows,
        [(Some(5_368_709_120.0), Some(431.5), Some(0.0)), (Some(10_485_760.0), Some(1.0), Some(500.0))]
    );
}

/// The index of a data frame became part of the names: the total was a row like others.
#[test]
fn the_index_of_a_data_frame_is_no_part_of_names() {
    let report = one(&format!(
        "{HEAD}IOStat by Filetype summary\n\n\
         \x20 Filetype Name Reads: Data  Reqs per sec  Data per sec Writes: Data  Reqs per sec  Data per sec  Small Read  Large Read\n\
         0     Data File        5.0G        800.00          2.5M         1.0G        100.00          0.5M       11.70         NaN\n\
         1      Log File          0M          0.00            0M         1.0G        300.00          0.5M         NaN         NaN\n\
         2         TOTAL        5.0G        800.00          2.5M         2.0G        400.00          1.0M       11.70         NaN\n"
    ));
    let rows: Vec<_> = report.tables.io_filetype.iter().map(|r| (r.is_total, r.reads_per_s)).collect();
    assert_eq!(rows, [(false, Some(800.0)), (false, Some(0.0)), (true, Some(800.0))]);
    assert_eq!(report.tables.io_filetype[0].filetype.as_deref(), Some("Data File"));
}

/// The rule above the headings was taken for that below them: the database was called `=======`.
#[test]
fn rules_above_headings_and_below_rows_are_no_rows() {
    let rule = "======== ========== ======== ======== =============== ========== ===\n";
    let files = "============= =========== ============ ============ ============ ============ ============ ========== ==========\n";
    let report = one(&format!(
        "WORKLOAD REPOSITORY report for\n\n\
         {rule}DB Name  DB Id      Instance Inst num Startup Time    Release    RAC\n{rule}\
         TILL     2629620001 till     1        22-Jan-19 16:49 11.2.0.4.0 NO\n{rule}\n\
         IOStat by Filetype summary\n\n\
         {files}Filetype Name Reads: Data Reqs per sec Data per sec Writes: Data Reqs per sec Data per sec Small Read Large Read\n{files}\
         Data File     5G          800.00       2.5M         4G           100.00       0.5M         11.67      10.50\n\
         Log File      0M          0.00         0M           1G           300.00       0.5M         9.79\n\
         TOTAL:        5G          800.00       2.5M         5G           400.00       1.0M         11.67      10.50\n{files}\n"
    ));
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
    assert_eq!(report.identity.version.as_deref(), Some("11.2.0.4.0"));
    let rows: Vec<_> = report.tables.io_filetype.iter().map(|r| (r.is_total, r.reads_per_s)).collect();
    assert_eq!(rows, [(false, Some(800.0)), (false, Some(0.0)), (true, Some(800.0))]);
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
        row.cells.iter().find(|(key, _)| &**key == "end_bytes").map(|(_, v)| v.clone())
    };
    assert_eq!(size("Log Buffer"), Some(Value::Number(100_663_296.0)));
    assert_eq!(size("Buffer Cache"), Some(Value::Number(1_543_503_872.0)));
}

/// With a blank line behind every line, head and load profile were not found.
#[test]
fn a_text_whose_line_ends_were_doubled_keeps_its_head() {
    let plain = format!("{HEAD}{PROFILE}{TIMES}{FILES}");
    let (once, twice) = (one(&plain), one(&plain.replace('\n', "\n\n")));
    assert_eq!(twice.identity.db_id, once.identity.db_id);
    assert_eq!(twice.identity.version, once.identity.version);
    assert_eq!(once.tables.load_profile.len(), 4);
    assert_eq!(twice.tables.load_profile.len(), 4);
    assert_eq!((times(&twice), files(&twice)), (times(&once), files(&once)));
}

/// The total above the wait classes was cut at its apostrophe.
#[test]
fn the_total_of_foreground_waits_is_read_whole() {
    for printed in ["9,121.70", "9'121.70", "9.121,70", "9 121,70"] {
        let report = one(&format!(
            "{HEAD}Foreground Wait Class                    DB/Inst: TILL/till  Snaps: 310-311\n\
             -> Total FG Wait Time: {printed} (s)\n\n\
             \x20                                                                 Avg\n\
             \x20                                     %Time       Total Wait     wait\n\
             Wait Class                      Waits -outs         Time (s)     (ms)  %DB time\n\
             -------------------- ---------------- ----- ---------------- -------- ---------\n\
             User I/O                      778,203     0            9,395       12      74.5\n\
             \x20         -------------------------------------------------------------\n\n"
        ));
        assert_eq!(report.identity.foreground_wait_s, Some(9_121.7), "{printed}");
    }
}

/// The first piece of a number stood for it: `10.` of 10.3 ms, the rest on the next line.
#[test]
fn lines_folded_inside_a_number_are_put_together() {
    let whole = format!("{HEAD}{PROFILE}{TIMES}{FILES}");
    let original = one(&whole);
    for width in [60, 72, 76, 78, 79] {
        let fold = |line: &str| match line.len() > width {
            true => format!("{}\n{}", &line[..width], &line[width..]),
            false => line.to_owned(),
        };
        let folded: Vec<String> = whole.lines().map(fold).collect();
        let folded = folded.join("\n");
        let report = one(&folded);
        assert_eq!(format!("{:?}", report.identity), format!("{:?}", original.identity), "{width}");
        let waits = |r: &Report| r.tables.file_io.iter().map(|f| f.io.avg_buffer_wait_us).collect::<Vec<_>>();
        let rows = |r: &Report| (times(r), files(r), waits(r), r.tables.load_profile.len());
        assert_eq!(rows(&report), rows(&original), "{width}");
        // Lines are counted in the text as it came.
        let first = report.tables.file_io[0].io.line;
        let printed = folded.lines().position(|l| l.starts_with("RECEIPTS")).unwrap() + 1;
        assert_eq!(usize::try_from(first).unwrap(), printed, "{width}");
    }
}

/// A copy of a screen of 78 characters had waits of 10 ms for 10.3, and of 54 for 548.
#[test]
fn what_is_left_of_numbers_at_the_edge_of_a_screen_is_unknown() {
    let whole = format!("{HEAD}{TIMES}{FILES}");
    let cut: Vec<&str> = whole.lines().map(|line| &line[..line.len().min(78)]).collect();
    let report = one(&cut.join("\n"));
    assert_eq!(files(&report), files(&one(&whole)));
    assert!(report.tables.file_io.iter().all(|f| f.io.avg_buffer_wait_us.is_none()));
    assert_eq!(report.tables.file_io[0].io.writes, Some(379_976.0));
    let told = |text: &str| report.notes.iter().any(|n| n.message.contains(text));
    assert!(told("cut off behind character 78"), "{:?}", report.notes);
    // As printed nothing is missing.
    let narrow = one(TIMES);
    assert!(narrow.notes.is_empty(), "{:?}", narrow.notes);
}

/// What a report says with the lines that it stands on.
fn said(report: &Report) -> String {
    let (identity, tables) = (&report.identity, &report.tables);
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        (&identity.kind, &identity.db_name, identity.begin_snap, &identity.begin_time, identity.db_time_s),
        tables.load_profile.iter().map(|r| (r.line, &r.metric, r.per_second)).collect::<Vec<_>>(),
        tables.time_model.iter().map(|r| (r.line, &r.statistic, r.time_s)).collect::<Vec<_>>(),
        tables.file_io.iter().map(|r| (r.io.line, &r.file, r.io.reads, r.io.writes)).collect::<Vec<_>>(),
        report.sections.iter().map(|s| (&s.title, s.line, s.status, s.rows)).collect::<Vec<_>>(),
        report.notes,
    )
}

/// A text with something before each line, by its number, and behind it.
fn marked(text: &str, before: impl Fn(usize) -> String, behind: &str) -> String {
    (1..).zip(text.lines()).map(|(number, line)| format!("{}{line}{behind}\n", before(number))).collect()
}

/// Behind numbers of lines, names of files, marks and time stamps nothing was read, and nothing said why.
#[test]
fn what_stands_before_every_line_is_none_of_the_report() {
    let plain = format!("{HEAD}{PROFILE}\u{c}{TIMES}\u{c}{FILES}");
    let wanted = said(&one(&plain));
    let same = |text: String| assert_eq!(said(&one(&text)), wanted, "{text}");
    same(marked(&plain, |n| format!("{n:5}: "), ""));
    same(marked(&plain, |n| format!("{n:6}\t"), ""));
    same(marked(&plain, |n| format!("{n:5}  "), ""));
    same(marked(&plain, |n| format!("sp_1.lst:{n}:"), ""));
    same(marked(&plain, |n| format!("sp_1.lst{}{n}{}", ["-", ":"][n % 2], ["-", ":"][n % 2]), ""));
    same(marked(&plain, |_| "sp_1.lst:".to_owned(), ""));
    for mark in ["+", "// ", " * ", "- ", "* ", "REM "] {
        same(marked(&plain, |_| mark.to_owned(), ""));
    }
    same(marked(&plain, |n| format!("{n}. "), ""));
    same(marked(&plain, |n| format!("2023-03-14 10:11:{:02} INFO  ", n % 60), ""));
    same(marked(&plain, |_| "\u{1b}[32m".to_owned(), "\u{1b}[0m"));
    same(plain.replace("1,948.8", "\u{1b}[1;31m1,948.8\u{1b}[0m"));
    same(marked(&plain, |_| "| ".to_owned(), "   |"));
    same(marked(&plain, |_| "|".to_owned(), "|"));
    same(marked(&plain, |_| String::new(), " | |"));
    for end in ["\u{2028}", "\u{85}"] {
        same(plain.replace('\n', end));
    }
}

/// Statements are numbered by the lines below them, files by their own lines: a page numbered line for line is one.
#[test]
fn a_page_behind_numbers_of_lines_is_a_page() {
    let page = "<html><head><title>AWR Report for DB: TILL</title></head>\n<body>\n\
                <h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Time Model Statistics</h3>\n<table>\n\
                <tr><th>Statistic Name</th><th>Time (s)</th><th>% of DB Time</th></tr>\n\
                <tr><td>DB\nCPU</td><td>1,948.8</td><td>54.0</td></tr>\n\
                <tr><td>DB time</td><td>3,606.0</td><td></td></tr>\n</table>\n</body></html>\n";
    let wanted = said(&one(page));
    assert!(wanted.contains("1948.8"), "{wanted}");
    assert_eq!(said(&one(&marked(page, |n| format!("{n:5}  "), ""))), wanted);
}

/// A report as a string of JSON, or as Python prints one, was one line without a section.
#[test]
fn a_report_in_a_string_is_decoded() {
    let plain = format!("{HEAD}{PROFILE}{TIMES}{FILES}");
    let wanted = one(&plain);
    let escaped = plain.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let lines: Vec<String> = escaped.split("\\n").map(|line| format!("    \"{line}\\n\"")).collect();
    for text in [
        format!("{{\"report\": \"{escaped}\", \"size\": 1}}"),
        format!("'{}'", escaped.replace("\\\"", "\"").replace('\'', "\\'")),
        format!("b'{}'\n", escaped.replace("\\\"", "\"").replace('\'', "\\'")),
        format!("{{\"cells\": [{{\"text\": [\n{}\n]}}]}}", lines.join(",\n")),
    ] {
        let report = one(&text);
        assert_eq!(times(&report), times(&wanted), "{text}");
        assert_eq!(files(&report), files(&wanted));
        assert!(report.notes.iter().any(|n| n.message == "it is read from a string"), "{:?}", report.notes);
    }
}

/// Where nothing can be read, that was said with no word of what stands in the way.
#[test]
fn a_refusal_says_what_each_line_begins_with() {
    let why = |text: &str| {
        let reading = spindle_evidence::read("changed", text.as_bytes());
        assert_eq!(reading.reports.len(), 0, "{text}");
        reading.refused.unwrap()
    };
    let torn =
        |line: &str| if line.starts_with('W') { line.to_owned() } else { line.replace([' ', ':'], "_") };
    let torn: String = HEAD.lines().map(|line| format!("kernel: {}\n", torn(line))).collect();
    assert!(why(&torn).starts_with("each line begins with `kernel:`"), "{}", why(&torn));
    let names: String = (1..60).map(|n| format!("awr-{n}\tLoad Profile\n")).collect();
    assert!(!why(&names).contains("each line"), "{}", why(&names));
    let head = "WORKLOAD REPOSITORY report for\n\nx TILL 2629620001 till 1\n";
    assert!(why(head).contains("report"), "{}", why(head));
}

/// Marks of a list or bars at the ends of lines, as pages where code is pasted show it, hid every table.
#[test]
fn marks_of_lists_and_bars_at_ends_of_lines_hide_no_table() {
    const SQUEEZED: &str = "Load Profile\n~~~~~~~~~~~~ Per Second Per Transaction\n--------------- ---------------\n\
        Redo size: 552,173.50 1,933.10\nLogical reads: 49,091.10 2,272.40\n\
        Top 5 Timed Events Avg %Total\n~~~~~~~~~~~~~~~~~~ wait Call\nEvent Waits Time (s) (ms) Time Wait Class\n\
        ------------------------------ ------------ ----------- ------ ------ ----------\n\
        CPU time 1,948 54.0\ndb file sequential read 770,898 1,336 2 37.1 User I/O\n";
    let rows = |report: &Report| {
        let events = report.tables.top_event.iter().map(|e| (e.line, e.event.clone(), e.waits, e.time_s));
        (events.collect::<Vec<_>>(), report.tables.load_profile.len())
    };
    let plain = rows(&one(SQUEEZED));
    assert_eq!((plain.0.len(), plain.1), (2, 2));
    assert_eq!(rows(&one(&marked(SQUEEZED, |_| "- ".to_owned(), ""))), plain);
    assert_eq!(rows(&one(&marked(SQUEEZED, |_| "* ".to_owned(), ""))), plain);
    assert_eq!(rows(&one(&marked(SQUEEZED, |n| format!("{n}. "), ""))), plain);
    assert_eq!(rows(&one(&marked(SQUEEZED, |_| String::new(), " | |"))), plain);
}

/// Read by its headings, the first of two values was lost: labels reach under them.
#[test]
fn the_shared_pool_of_a_text_has_a_begin_and_an_end() {
    let pool = "Instance Efficiency Percentages (Target 100%)\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        \x20           Buffer Nowait %:  100.00       Redo NoWait %:   99.97\n\n\
        \x20Shared Pool Statistics        Begin    End\n\
        \x20                              ------  ------\n\
        \x20            Memory Usage %:   66.48   66.54\n\
        \x20   % SQL with executions>1:   71.20   79.43\n";
    let report = one(&format!("{HEAD}{PROFILE}{pool}\n{TIMES}"));
    let said = format!("{:?}", report.tables.memory_stat);
    for value in ["66.48", "66.54", "71.2", "79.43"] {
        assert!(said.contains(value), "{said}");
    }
}

/// The number that a printer puts on each page was read as the name of a row, and the names behind it were those of
/// other rows.
#[test]
fn numbers_of_pages_between_rows_are_no_rows() {
    let enqueues = "Enqueue Activity                         DB/Inst: TILL/till  Snaps: 310-311\n\
        -> only enqueues with requests are shown\n\n\
        Enqueue Type (Request Reason)\n\
        ------------------------------------------------------------------------------\n\
        \x20   Requests    Succ Gets Failed Gets       Waits  Wt Time (s) Av Wt Time(ms)\n\
        ------------ ------------ ----------- ----------- ------------ --------------\n\
        TX-Transaction\n\
        \x20      5,211        5,211           0          71            3          42.25\n\
        TM-DML\n\
        \x20        811          811           0           2            0          12.50\n\
        CF-Controlfile Transaction\n\
        \x20      1,411        1,411           0           1            0           7.00\n\
        \x20         -------------------------------------------------------------\n\n";
    let printed = format!("{HEAD}{PROFILE}{TIMES}{FILES}{enqueues}");
    let page = |number: u32| format!("                         Page {number} of 9\n");
    let with_pages = |mark: &dyn Fn(u32) -> String| {
        let mut text = String::new();
        for (at, line) in (0..).zip(printed.split_inclusive('\n')) {
            if at > 10 && at % 3 == 0 {
                text.push_str(&mark(at / 3));
            }
            text.push_str(line);
        }
        text
    };
    let names = |report: &Report| -> Vec<String> {
        let rows = report.tables.enqueue.iter().flat_map(|row| row.cells.iter());
        rows.map(|(key, value)| format!("{key} {value:?}")).collect()
    };
    let plain = one(&printed);
    assert_eq!(plain.tables.enqueue.len(), 3);
    let bare = |number: u32| format!("Page {number}\n");
    for text in [with_pages(&page), with_pages(&bare)] {
        let report = one(&text);
        assert_eq!(names(&report), names(&plain));
        assert_eq!(report.tables.file_io.len(), plain.tables.file_io.len());
        assert_eq!(report.tables.load_profile.len(), plain.tables.load_profile.len());
        assert!(report.notes.is_empty(), "{:?}", report.notes);
    }
}

const TWO_LISTS: &str = "WORKLOAD REPOSITORY report for\n\n\
    DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
    ------------ ----------- ------------ -------- --------------- ----------- ---\n\
    TILL          2629620001 till                1 22-Jan-19 16:49 11.2.0.4.0  NO\n\n\
    \u{20}             Snap Id      Snap Time      Sessions Curs/Sess\n\
    \u{20}           --------- ------------------- -------- ---------\n\
    Begin Snap:       310 23-Jan-19 15:00:56        52       1.8\n\
    \u{20} End Snap:       311 23-Jan-19 16:00:56        65       1.9\n\
    \u{20}  Elapsed:               60.00 (mins)\n\
    \u{20}  DB Time:              100.00 (mins)\n\n\
    N1Foreground Wait Events             DB/Inst: TILL/till  Snaps: 310-311M\n\
    -> s  - second\n\n\
    \u{20}                                                            Avg\n\
    \u{20}                                       %Time Total Wait    wait    Waits   % DB\n\
    Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
    -------------------------- ------------ ----- ---------- ------- -------- ------\n\
    db file sequential read         100,000     0      1,000      10      1.0   16.7\n\
    log file sync                    10,000     0        100      10      1.0    1.7\n\
    \u{20}         -------------------------------------------------------------\n\n\
    N2Background Wait Events             DB/Inst: TILL/till  Snaps: 310-311M\n\n\
    \u{20}                                                            Avg\n\
    \u{20}                                       %Time Total Wait    wait    Waits   % bg\n\
    Event                             Waits -outs   Time (s)    (ms)     /txn   time\n\
    -------------------------- ------------ ----- ---------- ------- -------- ------\n\
    log file parallel write          40,000     0         80       2      1.0   41.7\n\
    db file parallel write           12,000     0         12       1      1.0    6.2\n\
    control file parallel writ        1,200     0          2       2      0.1    1.0\n\
    \u{20}         -------------------------------------------------------------\n\n";

#[test]
fn rows_below_a_numbered_or_marked_up_title_were_of_the_section_before() {
    for (first, second, behind) in [
        ("", "", ""),
        ("3.1 ", "3.2 ", ""),
        ("12) ", "13) ", ""),
        ("## ", "## ", ""),
        ("**", "**", "**"),
        ("h3. ", "h3. ", ""),
        ("[B]", "[B]", "[/B]"),
        ("=== ", "=== ", " ==="),
    ] {
        let text =
            TWO_LISTS.replace("N1", first).replace("N2", second).replace("311M", &format!("311{behind}"));
        let reading = spindle_evidence::read("text", text.as_bytes());
        assert_eq!(reading.reports.len(), 1, "{first}");
        let events: Vec<(&str, Side)> =
            reading.reports[0].tables.wait_event.iter().map(|e| (e.event.as_str(), e.side)).collect();
        let meant = [
            ("db file sequential read", Side::Foreground),
            ("log file sync", Side::Foreground),
            ("log file parallel write", Side::Background),
            ("db file parallel write", Side::Background),
            ("control file parallel write", Side::Background),
        ];
        assert_eq!(events, meant, "{first}");
    }
}

#[test]
fn a_list_of_another_database_above_a_report_took_its_place() {
    let report = TWO_LISTS.replace("N1", "").replace("N2", "").replace("311M", "311");
    let from = report.find("Background Wait Events").unwrap();
    let other = report[from..].replace("             DB/Inst: TILL/till  Snaps: 310-311", "");
    let other = other.replace("40,000     0         80 ", "   900     0        190 ");
    let other = other.replace("12,000     0         12 ", "   800     0         70 ");
    let other = other.replace("1,200     0          2 ", "  300     0          4 ");
    let text = format!("This is what the other one shows:\n\n{other}\n{report}");
    let reading = spindle_evidence::read("text", text.as_bytes());
    let first = &reading.reports[0];
    assert_eq!(first.identity.db_name.as_deref(), Some("TILL"));
    let log_write: Vec<Option<f64>> =
        first.tables.wait_event.iter().filter(|e| e.side == Side::Background).map(|e| e.waits).collect();
    assert_eq!(log_write, [Some(40_000.0), Some(12_000.0), Some(1_200.0)]);
    // With its own name, it stays what it is.
    let named = report[from..].replace("TILL/till  Snaps: 310-311", "CASH/cash  Snaps: 77-78");
    let reading = spindle_evidence::read("text", format!("{named}\n{report}").as_bytes());
    let names: Vec<Option<&str>> = reading.reports.iter().map(|r| r.identity.db_name.as_deref()).collect();
    assert_eq!(names, [Some("TILL"), Some("CASH")]);
    assert_eq!(reading.reports[0].identity.db_id, Some(2_629_620_001));
    assert_eq!(reading.reports[1].identity.db_id, None);
}

#[test]
fn a_report_in_jiras_marks_was_known_by_one_section() {
    let text = "h1. WORKLOAD REPOSITORY report for\n\n\
        ||DB Name||DB Id||Instance||Inst num||Startup Time||Release||RAC||\n\
        |TILL|2629620001|till|1|22-Jan-19 16:49|11.2.0.4.0|NO|\n\n\
        h3. Foreground Wait Events\n\n\
        ||Event||Waits||%Time -outs||Total Wait Time (s)||Avg wait (ms)||Waits /txn||% DB time||\n\
        |db file sequential read|100,000|0|1,000|10|1.0|16.7|\n\
        |log file sync|10,000|0|100|10|1.0|1.7|\n\n\
        h3. Background Wait Events\n\n\
        ||Event||Waits||%Time -outs||Total Wait Time (s)||Avg wait (ms)||Waits /txn||% bg time||\n\
        |log file parallel write|40,000|0|80|2|1.0|41.7|\n";
    let report = one(text);
    let events: Vec<(&str, Option<f64>, Side)> =
        report.tables.wait_event.iter().map(|e| (e.event.as_str(), e.waits, e.side)).collect();
    let meant = [
        ("db file sequential read", Some(100_000.0), Side::Foreground),
        ("log file sync", Some(10_000.0), Side::Foreground),
        ("log file parallel write", Some(40_000.0), Side::Background),
    ];
    assert_eq!(events, meant);
}

#[test]
fn line_ends_between_paragraphs_were_blank_lines_of_a_report() {
    let report = TWO_LISTS.replace("N1", "").replace("N2", "").replace("311M", "311");
    for (open, close) in
        [("<p>", "</p>\n"), ("<div>", "</div>\n\n"), ("<p class=MsoPlainText>", "</p>\r\n  ")]
    {
        let line = |line: &str| {
            let blanks = line.replace(' ', "&nbsp;").replace('<', "&lt;");
            format!("{open}{}{close}", if blanks.is_empty() { "&nbsp;".to_owned() } else { blanks })
        };
        let page = format!("<html><body>\n{}</body></html>", report.lines().map(line).collect::<String>());
        let found = one(&page);
        assert_eq!(found.tables.wait_event.len(), 5, "{open}");
        assert_eq!(found.identity.elapsed_s, Some(3_600.0), "{open}");
    }
}

const STATEMENTS: &str = "SQL ordered by Reads                     DB/Inst: TILL/till  Snaps: 310-311\n\
    -> %Total - Physical Reads as a percentage of Total Disk Reads\n\
    -> Captured SQL account for   61.0% of Total\n\n\
    \x20  Physical              Reads              Elapsed\n\
    \x20     Reads  Executions per Exec   %Total   Time (s)  %CPU   %IO    SQL Id\n\
    ----------- ----------- ---------- ------ ---------- ------ ------ -------------\n";

/// Behind the first page break all statements were lost, a remark's last line was part of the headings, and ratios were
/// headings of the table below them; the ledger said `read`.
#[test]
fn copies_without_blank_lines_keep_every_page_and_heading() {
    let row = |reads: u32, id: &str| {
        format!(
            "{reads:>11}          10 {:>10}   10.0       50.0   10.0   90.0 {id}\nselect {reads} from receipts\n\n",
            reads / 10
        )
    };
    let rows: Vec<String> = ["0abcdefgh1xyz", "1abcdefgh1xyz", "2abcdefgh1xyz", "3abcdefgh1xyz"]
        .iter()
        .zip([4_000, 3_000, 2_000, 1_000])
        .map(|(id, reads)| row(reads, id))
        .collect();
    let ratios = "Instance Efficiency Percentages (Target 100%)\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
        \x20           Buffer Nowait %:   99.91       Redo NoWait %:   99.97\n\
        \x20           Buffer  Hit   %:   93.86    In-memory Sort %:   98.00\n\n\
        \x20Shared Pool Statistics        Begin    End\n\
        \x20                             ------  ------\n\
        \x20            Memory Usage %:   66.48   66.54\n\n";
    let advice = "PGA Memory Advisory                      DB/Inst: TILL/till  Snap: 311\n\
        -> When using Auto Memory Mgmt, minimally choose a pga_aggregate_target value\n\
        \x20  where Estd PGA Overalloc Count is 0\n\n\
        \x20                                      Estd Extra    Estd P Estd PGA\n\
        PGA Target    Size           W/A MB   W/A MB Read/    Cache Overallo    Estd\n\
        \x20 Est (MB)   Factr        Processed Written to Disk   Hit %    Count    Time\n\
        ---------- ------- ---------------- ---------------- ------ -------- -------\n\
        \x20    3,840     0.5      1,301,477.5             12.0   99.0        3       0\n\
        \x20    7,680     1.0      1,301,477.5              0.0  100.0        0       0\n\
        \x20         -------------------------------------------------------------\n\n";
    let end = "          -------------------------------------------------------------\n\n";
    let whole = format!(
        "{HEAD}{PROFILE}{ratios}{TIMES}{STATEMENTS}{}\u{c}{STATEMENTS}{}{end}{advice}{FILES}",
        rows[..2].concat(),
        rows[2..].concat()
    );
    let squeezed: String = whole.lines().filter(|l| !l.trim().is_empty()).map(|l| format!("{l}\n")).collect();
    for text in [&whole, &squeezed] {
        let report = one(text);
        let tables = &report.tables;
        let reads: Vec<_> = tables.sql_stat.iter().map(|s| s.physical_reads).collect();
        assert_eq!(reads, [4_000.0, 3_000.0, 2_000.0, 1_000.0].map(Some), "{text}");
        assert_eq!(tables.sql_text.len(), 4);
        assert_eq!(tables.efficiency.len(), 4, "{text}");
        let advised: Vec<_> = tables.pga_advice.iter().map(|a| (a.size_factor, a.over_allocations)).collect();
        assert_eq!(advised, [(Some(0.5), Some(3.0)), (Some(1.0), Some(0.0))], "{text}");
        assert_eq!(files(&report).len(), 3);
    }
}

/// The head was an interval of its own, of which nothing was known, and the series spoke of two.
#[test]
fn a_head_above_the_whole_report_is_part_of_it() {
    let whole = format!("{HEAD}{PROFILE}{TIMES}{FILES}");
    let begin = HEAD.split_inclusive('\n').take(9).collect::<String>();
    for text in [
        format!("{HEAD}{whole}"),
        format!("{begin}\n{whole}"),
        format!("Please have a look at this one:\n\n{begin}\n...\n\n{whole}"),
    ] {
        let report = one(&text);
        assert_eq!(report.identity.elapsed_s, Some(1_785.0));
        assert_eq!((times(&report).len(), files(&report).len()), (2, 3));
    }
    // Cut off above its snapshots, too.
    for lines in 4..9 {
        let begin = HEAD.split_inclusive('\n').take(lines).collect::<String>();
        assert_eq!(one(&format!("{begin}\n{whole}")).identity.elapsed_s, Some(1_785.0), "{begin}");
    }
    // Of another interval it stays.
    let other = begin.replace("310 23-Jan-19 15:00:56", "309 23-Jan-19 14:30:11");
    assert_eq!(read(&format!("{other}\n{whole}")).len(), 2);
}

/// The begin of a report of another interval was left out where it began at the same snapshot.
#[test]
fn a_head_of_a_longer_interval_is_a_report_of_its_own() {
    let whole = format!("{HEAD}{PROFILE}{TIMES}{FILES}");
    let longer = HEAD
        .replace("311 23-Jan-19 15:30:41", "318 23-Jan-19 19:00:41")
        .replace("  29.75 (mins)", " 239.75 (mins)");
    assert_eq!(read(&format!("{longer}\n{whole}")).len(), 2);
    // More of the same one is part of it, however much.
    assert_eq!(one(&format!("{HEAD}{PROFILE}\n{whole}")).tables.file_io.len(), 3);
}

/// Each colon of a line without blanks was followed by a look at all that is left of it: 100 KB took ten seconds.
#[test]
fn an_endless_line_of_labels_above_a_ruler_costs_no_more_than_its_length() {
    let text = format!("{HEAD}{PROFILE}{}\n---------- ----------\n", ":1".repeat(1 << 20));
    assert_eq!(one(&text).identity.elapsed_s, Some(1_785.0));
}

/// A single blank line behind the rule that ends a section turned its cure off.
#[test]
fn blank_lines_between_sections_are_none_of_theirs() {
    let rows = ["1abcdefgh1xyz", "2abcdefgh1xyz"]
        .map(|id| {
            format!(
                "          {id}           1201023085                   15          10.27\n\
                 CPU + Wait for CPU                9.93 SORT - GROUP BY                      5.82\n\
                 select receipts from till\n"
            )
        })
        .concat();
    let top = format!(
        "Top SQL with Top Events                  DB/Inst: TILL/till  Snaps: 310-311\n\
         -> % Activity is the percentage of DB Time due to the SQL.\n\
         \x20                SQL ID            Plan Hash           Executions     % Activity\n\
         ----------------------- -------------------- -------------------- --------------\n\
         \x20                                                                          % Row\n\
         Event                          % Event Top Row Source                     Source\n\
         ------------------------------ ------- --------------------------------- -------\n\
         {rows}          -------------------------------------------------------------\n"
    );
    for gap in ["", "\n"] {
        let report = one(&format!("{HEAD}{PROFILE}{top}{gap}{FILES}"));
        assert_eq!(report.tables.ash_activity.len(), 2, "{gap:?}");
    }
}
