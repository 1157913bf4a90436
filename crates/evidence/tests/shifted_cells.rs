//! Rows of pages in which an editor took a cell out or put an empty one in: they have as many cells as all others, and
//! each stood under the heading of another. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::Report;

const HEAD: &str = "<h1>WORKLOAD REPOSITORY report for</h1>\n<table><tr><th>DB Name</th><th>DB Id</th>\
    <th>Instance</th><th>Inst num</th><th>Startup Time</th><th>Release</th><th>RAC</th></tr>\
    <tr><td>TILL</td><td>2629620001</td><td>till</td><td>1</td><td>22-Jan-19 16:49</td><td>19.0.0.0.0</td>\
    <td>NO</td></tr></table>\n<table><tr><th></th><th>Snap Id</th><th>Snap Time</th><th>Sessions</th>\
    <th>Cursors/Session</th></tr><tr><td>Begin Snap:</td><td>310</td><td>23-Jan-19 15:00:56</td><td>52</td>\
    <td>1.8</td></tr><tr><td>End Snap:</td><td>311</td><td>23-Jan-19 16:00:56</td><td>65</td><td>1.9</td></tr>\
    <tr><td>Elapsed:</td><td></td><td>60.00 (mins)</td><td></td><td></td></tr></table>\n";

fn table(title: &str, heads: &[&str], rows: &[&[&str]]) -> String {
    let cells = |name: &str, cells: &[&str]| -> String {
        cells.iter().map(|cell| format!("<{name}>{cell}</{name}>")).collect()
    };
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    format!("<h3>{title}</h3>\n<table><tr>{}</tr>\n{rows}</table>\n", cells("th", heads))
}

fn read(tables: &str) -> Report {
    let page = format!("<html><body>{HEAD}{tables}</body></html>");
    let mut reports = spindle_evidence::read("page", page.as_bytes()).reports;
    assert_eq!(reports.len(), 1, "{page}");
    reports.remove(0)
}

/// Is there a note about a section with these words, and does it name a line?
fn says(report: &Report, section: &str, words: &str) -> bool {
    report
        .notes
        .iter()
        .any(|n| n.section.as_deref() == Some(section) && n.line.is_some() && n.message.contains(words))
}

const MOVED: &str = "under the headings of others";

/// The load profile with one row in the place of another, above the activity of the instance.
fn profile(changed: Option<(usize, &[&str])>) -> Report {
    let mut rows: Vec<&[&str]> = vec![
        &["DB Time(s):", "4.0", "0.5", "0.01", "0.00"],
        &["Redo size (bytes):", "120,000.0", "15,000.0", "", ""],
        &["Logical read (blocks):", "88,000.0", "11,000.0", "", ""],
        &["Physical read (blocks):", "6,400.0", "800.0", "", ""],
        &["User calls:", "960.0", "120.0", "", ""],
        &["Transactions:", "8.0", "", "", ""],
    ];
    if let Some((at, row)) = changed {
        rows[at] = row;
    }
    let activity = table(
        "Instance Activity Stats",
        &["Statistic", "Total", "per Second", "per Trans"],
        &[
            &["redo size", "432,000,000", "120,000.00", "15,000.00"],
            &["session logical reads", "316,800,000", "88,000.00", "11,000.00"],
            &["physical reads", "23,040,000", "6,400.00", "800.00"],
            &["user commits", "28,800", "8.00", "1.00"],
            &["user rollbacks", "0", "0.00", "0.00"],
        ],
    );
    let heads = ["", "Per Second", "Per Transaction", "Per Exec", "Per Call"];
    read(&format!("{}{activity}", table("Load Profile", &heads, &rows)))
}

fn rates(report: &Report, at: usize) -> [Option<f64>; 4] {
    let row = &report.tables.load_profile[at];
    [row.per_second, row.per_transaction, row.per_exec, row.per_call]
}

#[test]
fn rates_a_second_were_rates_a_transaction() {
    let sound = profile(None);
    assert_eq!(rates(&sound, 3), [Some(6_400.0), Some(800.0), None, None]);
    assert!(!says(&sound, "Load Profile", MOVED), "{:?}", sound.notes);
    let moved: [&[&str]; 3] = [
        &["Physical read (blocks):", "800.0", "", "", ""],
        &["Physical read (blocks):", "", "6,400.0", "800.0", ""],
        &["Physical read (blocks):", "800.0", "6,400.0", "", ""],
    ];
    for row in moved {
        let report = profile(Some((3, row)));
        assert_eq!(rates(&report, 3), [None; 4], "{row:?}");
        assert_eq!(rates(&report, 1), [Some(120_000.0), Some(15_000.0), None, None]);
        assert!(says(&report, "Load Profile", MOVED), "{:?}", report.notes);
    }
    // What the activity of the instance confirms is known; calls stand there no second time.
    let report = profile(Some((3, &["Physical read (blocks):", "6,400.0", "", "800.0", ""])));
    assert_eq!(rates(&report, 3), [Some(6_400.0), None, None, None]);
    let report = profile(Some((4, &["User calls:", "960.0", "", "120.0", ""])));
    assert_eq!(rates(&report, 4), [None; 4]);
    // What does not fit its column is unknown alone.
    let report = profile(Some((4, &["User calls:", "960.0", "######", "", ""])));
    assert_eq!(rates(&report, 4), [Some(960.0), None, None, None]);
}

#[test]
fn the_transactions_of_a_second_were_those_of_a_transaction() {
    let report = profile(Some((5, &["Transactions:", "", "8.0", "", "", ""])));
    assert_eq!(rates(&report, 5)[1..], [None; 3]);
}

fn io(row: &[&str]) -> Report {
    let rows: [&[&str]; 3] =
        [row, &["Database Requests:", "810.4", "600.1", "210.3"], &["Redo Requests:", "42.0", "", "42.0"]];
    let heads = ["", "Read+Write Per Second", "Read per Second", "Write Per Second"];
    read(&table("IO Profile", &heads, &rows))
}

#[test]
fn reads_a_second_stood_under_reads_and_writes() {
    let of = |report: &Report, at: usize| {
        let row = &report.tables.io_profile[at];
        [row.read_write_per_s, row.reads_per_s, row.writes_per_s]
    };
    let sound = io(&["Total Requests:", "900.4", "620.2", "280.2"]);
    assert_eq!(of(&sound, 0), [Some(900.4), Some(620.2), Some(280.2)]);
    assert!(!says(&sound, "IO Profile", MOVED), "{:?}", sound.notes);
    let moved: [&[&str]; 3] = [
        &["Total Requests:", "620.2", "280.2", ""],
        &["Total Requests:", "", "900.4", "620.2"],
        &["Total Requests:", "620.2", "900.4", "280.2"],
    ];
    for row in moved {
        let report = io(row);
        assert_eq!(of(&report, 0), [None; 3], "{row:?}");
        assert_eq!(of(&report, 1), [Some(810.4), Some(600.1), Some(210.3)]);
        assert_eq!(of(&report, 2), [Some(42.0), None, Some(42.0)], "redo is not read");
        assert!(says(&report, "IO Profile", MOVED), "{:?}", report.notes);
    }
}

#[test]
fn reads_and_writes_were_turned_where_the_activity_of_the_instance_denies_it() {
    let activity = table(
        "Instance Activity Stats",
        &["Statistic", "Total", "per Second", "per Trans"],
        &[
            &["physical read total IO requests", "2,232,720", "620.20", "77.00"],
            &["physical write total IO requests", "1,008,720", "280.20", "35.00"],
        ],
    );
    let heads = ["", "Read+Write Per Second", "Read per Second", "Write Per Second"];
    let of = |reads: &str, writes: &str| {
        let rows = table("IO Profile", &heads, &[&["Total Requests:", "900.4", reads, writes]]);
        let report = read(&format!("{rows}{activity}"));
        let row = &report.tables.io_profile[0];
        (row.reads_per_s, row.writes_per_s, says(&report, "IO Profile", "under the heading of writes"))
    };
    assert_eq!(of("620.2", "280.2"), (Some(620.2), Some(280.2), false));
    assert_eq!(of("280.2", "620.2"), (None, None, true));
}

const EVENTS: [&[&str]; 5] = [
    &["db file sequential read", "400,000", "0", "2,000", "5.00ms", "100.00", "50.00"],
    &["log file sync", "120,000", "0", "960", "8.00ms", "30.00", "24.00"],
    &["direct path read", "60,000", "0", "240", "4.00ms", "15.00", "6.00"],
    &["read by other session", "20,000", "0", "80", "4.00ms", "5.00", "2.00"],
    &["db file scattered read", "8,000", "0", "40", "5.00ms", "2.00", "1.00"],
];

fn waits(rows: &[&[&str]]) -> Report {
    let heads =
        ["Event", "Waits", "%Time -outs", "Total Wait Time (s)", "Avg wait", "Waits /txn", "% DB time"];
    read(&table("Foreground Wait Events", &heads, rows))
}

fn figures(report: &Report, at: usize) -> [Option<f64>; 5] {
    // A row that is left out says nothing, too.
    let Some(wait) = report.tables.wait_event.iter().find(|wait| wait.event == EVENTS[at][0]) else {
        return [None; 5];
    };
    [wait.waits, wait.time_s, wait.avg_wait_us, wait.waits_per_txn, wait.share_pct]
}

#[test]
fn no_seconds_of_many_waits_beside_a_large_mean_stood_as_0() {
    let sound = waits(&EVENTS);
    assert_eq!(figures(&sound, 1), [Some(120_000.0), Some(960.0), Some(8_000.0), Some(30.0), Some(24.0)]);
    assert!(!says(&sound, "Foreground Wait Events", MOVED), "{:?}", sound.notes);
    let moved: [&[&str]; 4] = [
        // An empty cell before the share of timeouts; the last one was lost.
        &["log file sync", "120,000", "", "0", "960", "8.00", "30.00"],
        // Nothing but the seconds is another.
        &["log file sync", "120,000", "0", "0", "8.00ms", "30.00", "24.00"],
        // The waits were taken out, and an empty cell put last.
        &["log file sync", "0", "960", "8", "30.00", "24.00", ""],
        &["log file sync", "", "0", "960", "8.00ms", "30.00", "24.00"],
    ];
    for row in moved {
        let mut rows = EVENTS;
        rows[1] = row;
        let report = waits(&rows);
        assert_eq!(figures(&report, 1)[..3], [None; 3], "{row:?}");
        assert_eq!(figures(&report, 0)[0], Some(400_000.0));
        let said = says(&report, "Foreground Wait Events", MOVED)
            || says(&report, "Foreground Wait Events", "is left out");
        assert!(said, "{row:?}: {:?}", report.notes);
    }
}

#[test]
fn shares_stood_under_the_waits_a_transaction() {
    let mut rows = EVENTS;
    rows[1] = &["log file sync", "120,000", "0", "960", "8.00ms", "24.00", ""];
    let report = waits(&rows);
    assert_eq!(figures(&report, 1), [Some(120_000.0), Some(960.0), Some(8_000.0), None, None]);
    assert!(says(&report, "Foreground Wait Events", "are not those of waits and seconds"));
}

#[test]
fn a_column_that_was_cleared_moved_the_cells_of_all_rows() {
    let rows: [&[&str]; 5] = [
        &["db file sequential read", "400,000", "", "0", "2,000", "5.00", "100.00"],
        &["log file sync", "120,000", "", "0", "960", "8.00", "30.00"],
        &["direct path read", "60,000", "", "0", "240", "4.00", "15.00"],
        &["read by other session", "20,000", "", "0", "80", "4.00", "5.00"],
        &["db file scattered read", "8,000", "", "0", "40", "5.00", "2.00"],
    ];
    let report = waits(&rows);
    for at in 0..rows.len() {
        assert_eq!(figures(&report, at), [None; 5], "{at}");
    }
    assert!(says(&report, "Foreground Wait Events", "the cells of 5 rows"), "{:?}", report.notes);
}

fn ratios(rows: &[&[&str]]) -> Report {
    let cells = |row: &&[&str]| row.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>();
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row))).collect();
    read(&format!("<h3>Instance Efficiency Percentages (Target 100%)</h3>\n<table>{rows}</table>\n"))
}

const LOAD: &[&str] = &["Library Hit %:", "99.10", "Soft Parse %:", "97.20"];

#[test]
fn a_ratio_without_its_cell_was_lost_in_silence() {
    type Ratio = (String, Option<f64>);
    let of = |report: &Report| -> Vec<Ratio> {
        let rows = report.tables.efficiency.iter();
        rows.map(|row| (row.text("ratio").unwrap().to_owned(), row.number("pct"))).collect()
    };
    let known = |ratio: &str, pct: f64| (ratio.to_owned(), Some(pct));
    let (library, parse) = (known("Library Hit %", 99.1), known("Soft Parse %", 97.2));
    let torn: [(&[&str], Vec<Ratio>); 5] = [
        (&["Buffer Hit %:", "Redo NoWait %:", "99.97"], vec![known("Redo NoWait %", 99.97)]),
        (&["Buffer Hit %:", "", "98.40", "Redo NoWait %:"], vec![known("Buffer Hit %", 98.4)]),
        (&["Buffer Hit %:", "98.40", "Redo NoWait %:", ""], vec![known("Buffer Hit %", 98.4)]),
        (&["Buffer Hit %:", "98.40", "99.97"], vec![known("Buffer Hit %", 98.4)]),
        (&["98.40", "Redo NoWait %:", "99.97"], vec![known("Redo NoWait %", 99.97)]),
    ];
    for (row, mut left) in torn {
        let report = ratios(&[LOAD, row]);
        left.splice(0..0, [library.clone(), parse.clone()]);
        assert_eq!(of(&report), left, "{row:?}");
        let section = report.sections.iter().find(|s| s.title.starts_with("Instance Eff")).unwrap();
        assert_eq!(section.lost, 1, "{row:?}");
        assert!(says(&report, &section.title, "the cell beside is missing"), "{row:?}: {:?}", report.notes);
    }
    let whole = ratios(&[LOAD]);
    assert_eq!((of(&whole).len(), whole.sections.iter().map(|s| s.lost).sum::<u32>()), (2, 0));
}

#[test]
fn a_table_of_ratios_without_its_values_was_absent() {
    let report = ratios(&[&["Buffer Hit %:", "Redo NoWait %:"], &["Library Hit %:", "Soft Parse %:"]]);
    let section = report.sections.iter().find(|s| s.title.starts_with("Instance Eff")).unwrap();
    assert_eq!(section.status, spindle_facts::SectionStatus::Unreadable);
    assert!(section.lost > 0 && report.tables.efficiency.is_empty());
}

#[test]
fn the_size_of_a_cache_at_the_end_stood_for_that_at_the_begin() {
    let heads = ["", "Begin", "End", "", ""];
    let of = |row: &[&str]| {
        let other: &[&str] = &["Buffer Cache:", "800M", "700M", "Std Block Size:", "8K"];
        let report = read(&table("Cache Sizes", &heads, &[other, row]));
        let shared = report.tables.cache_size.iter().find(|r| r.text("name") == Some("Shared Pool Size"));
        let sizes = shared.map(|r| (r.number("begin_bytes"), r.number("end_bytes")));
        (sizes, says(&report, "Cache Sizes", "the cell beside is missing"))
    };
    const MIB: f64 = 1_048_576.0;
    let whole = of(&["Shared Pool Size:", "300M", "310M", "Log Buffer:", "9,000K"]);
    assert_eq!(whole, (Some((Some(300.0 * MIB), Some(310.0 * MIB))), false));
    for row in [
        &["Shared Pool Size:", "310M", "", "Log Buffer:", "9,000K"],
        &["Shared Pool Size:", "", "300M", "310M", "Log Buffer:"],
    ] {
        assert_eq!(of(row), (None, true), "{row:?}");
    }
}
