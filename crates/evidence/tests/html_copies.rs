//! HTML reports turned into text: as a browser copies a page, and by the converters that people have
//! (`w3m -dump`, `lynx -dump`, `html2text`; left out, saying so, where they are not installed). Every
//! value of every table that is read from the copy must be one of the page's own facts.
#![allow(clippy::unwrap_used)]

#[path = "support/mod.rs"]
mod support;

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use support::{example, values};

/// Pages of the corpus and ours, of several kinds and releases.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut found = vec![("warehouse.html".to_owned(), example("warehouse.html").into_bytes())];
    let Some(corpus) = spindle_test_support::corpus() else { return found };
    for folder in ["awr-rac", "awr-html", "awr-pdb", "awr-diff", "awr-sql", "ash"] {
        let mut names: Vec<_> =
            std::fs::read_dir(corpus.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        names.sort();
        let wanted = std::env::var("SPINDLE_ALL_COPIES").is_ok();
        let html =
            names.into_iter().filter(|p| p.extension().is_some_and(|e| e.to_string_lossy().contains("htm")));
        // All of them take minutes: by default two of a kind.
        for path in html.take(if wanted { usize::MAX } else { 2 }) {
            found.push((
                path.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read(path).unwrap(),
            ));
        }
    }
    found
}

/// Underlines the rows of tables: in names, underscores and blanks cannot be told apart.
const UNDERLINES: &str = "html2text";
/// Draws frames of bars around cells.
const FRAMES: &str = "links";

/// What a converter makes of a page; `None` where it is not installed.
fn converted(command: &[&str], page: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let page = page.to_vec();
    let feeder = std::thread::spawn(move || drop(input.write_all(&page)));
    let out = child.wait_with_output().ok()?.stdout;
    feeder.join().ok()?;
    (!out.is_empty()).then_some(out)
}

/// What a browser copies: a line a row, tabs between its cells, blank lines around headings.
fn copied(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let mut out = String::new();
    let mut cells = 0;
    let mut rest = page.find("<body").map_or(&*page, |at| &page[at..]);
    let mut hidden = false;
    while let Some(open) = rest.find('<') {
        let text = rest[..open].replace("&#160;", " ").replace("&nbsp;", " ");
        let text =
            text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        if !hidden {
            out += &text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let Some(close) = rest[open..].find('>') else { break };
        let tag = rest[open + 1..open + close].to_ascii_lowercase();
        let name: String = tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect();
        hidden = matches!(name.as_str(), "style" | "script" | "title")
            || hidden && !matches!(name.as_str(), "/style" | "/script" | "/title");
        match name.as_str() {
            "td" | "th" => {
                if cells > 0 {
                    out.push('\t');
                }
                cells += 1;
            }
            "/tr" | "br" | "li" | "/li" | "p" | "/p" => {
                out.push('\n');
                cells = 0;
            }
            "h1" | "h2" | "h3" | "/h1" | "/h2" | "/h3" | "/table" | "/ul" => {
                out += "\n\n";
                cells = 0;
            }
            _ => {}
        }
        rest = &rest[open + close + 1..];
    }
    out.into_bytes()
}

/// Tables kept as printed: without the headings of groups, which copies lose, their keys are others.
fn as_printed() -> HashSet<&'static str> {
    include_str!("../../facts/src/tables.rs")
        .lines()
        .filter(|l| l.contains("Vec<PrintedRow>"))
        .filter_map(|l| l.trim().strip_prefix("pub ")?.split(':').next())
        .collect()
}

/// Are the two texts of a difference one, where an underscore may stand for a blank? Of statements, in which one
/// stands for line ends too, nobody can say.
fn is_underlined(difference: &str) -> bool {
    let plain = |text: &str| -> String { text.chars().filter(|c| !matches!(c, '_' | ' ' | '"')).collect() };
    difference.starts_with("sql_text ")
        || difference.split_once(", was ").is_some_and(|(own, was)| plain(own).ends_with(&plain(was)))
}

/// At least so many percent of all values are kept.
fn holds(name: &str, least_pct: usize, convert: impl Fn(&[u8]) -> Option<Vec<u8>>) {
    let as_printed = as_printed();
    let (mut all, mut kept) = (0, 0);
    let mut wrong = Vec::new();
    for (file, page) in pages() {
        let originals = spindle_evidence::read("page", &page).reports;
        if originals.is_empty() {
            continue;
        }
        let Some(copy) = convert(&page) else {
            spindle_test_support::skipped(&format!("{name} is not installed"));
            return;
        };
        let reading = spindle_evidence::read("copy", &copy);
        let found = values(&originals, &reading.reports);
        // Who and when, where the copy has it; minutes are coarser than what the page's tables say.
        let told = ["identity db_name", "identity db_id", "identity begin_snap", "identity end_snap"];
        let typed = found.wrong.iter().filter(|w| match w.split(' ').next() {
            Some("identity") => originals.len() == 1 && told.iter().any(|t| w.starts_with(t)),
            Some(table) => !as_printed.contains(table),
            None => false,
        });
        let typed = typed.filter(|w| match name {
            UNDERLINES => !is_underlined(w),
            // A bar in a statement is one between cells.
            FRAMES => !w.starts_with("sql_text "),
            _ => true,
        });
        wrong.extend(typed.take(6).map(|w| format!("{file}: {w}")));
        all += found.all;
        kept += found.kept;
    }
    assert!(wrong.is_empty(), "{name}: {} of {all} values, {:#?}", kept, wrong);
    assert!(100 * kept >= least_pct * all, "{name}: {kept} of {all} values read");
}

#[test]
fn copied_from_a_browser() {
    holds("browser", 85, |page| Some(copied(page)));
}

#[test]
fn dumped_by_w3m() {
    holds("w3m", 50, |page| converted(&["w3m", "-dump", "-T", "text/html", "-cols", "200"], page));
}

/// Names and headings go on in further lines.
#[test]
fn dumped_by_w3m_on_a_narrow_page() {
    holds("w3m", 15, |page| converted(&["w3m", "-dump", "-T", "text/html"], page));
}

#[test]
fn dumped_by_lynx() {
    holds("lynx", 18, |page| converted(&["lynx", "-dump", "-stdin", "-width=200", "-nolist"], page));
}

#[test]
fn converted_by_html2text() {
    holds(UNDERLINES, 50, |page| converted(&["html2text", "-width", "200"], page));
}

#[test]
fn converted_by_html2text_on_a_narrow_page() {
    holds(UNDERLINES, 40, |page| converted(&["html2text"], page));
}

#[test]
fn dumped_by_links() {
    holds(FRAMES, 80, |page| {
        // From a pipe it takes a page for text.
        let file = spindle_test_support::roomy_folder().join(format!("links-{}.html", std::process::id()));
        std::fs::write(&file, page).unwrap();
        let found = converted(&["links", "-dump", "-width", "200", file.to_str().unwrap()], b"");
        std::fs::remove_file(&file).unwrap();
        found
    });
}

/// Pages before 18c print the month of the start where its minutes should stand, and their copies do: 16:04 was taken
/// for the time.
#[test]
fn the_month_of_the_start_stood_for_its_minutes_in_copies() {
    let head = "WORKLOAD REPOSITORY report for\n\nDB Name\tDB Id\tInstance\tInst num\tStartup Time\tRelease\tRAC\n\
                ORCL\t12\torcl\t1\t23-Apr-14 16:04\t11.2.0.3.0\tNO\n\nHost Name\tPlatform\tCPUs\n\
                db1\tLinux x86 64-bit\t8\n\n\tSnap Id\tSnap Time\tSessions\n\
                Begin Snap:\t12\t23-Apr-14 18:30:05\t58\nEnd Snap:\t13\t23-Apr-14 18:45:06\t59\n";
    let started = |text: &str| {
        let reading = spindle_evidence::read("copy", text.as_bytes());
        reading.reports.into_iter().next().unwrap().identity.startup_time
    };
    assert_eq!(started(head).as_deref(), Some("2014-04-23T16"));
    let later = head.replace("16:04", "16:33");
    assert_eq!(started(&later).as_deref(), Some("2014-04-23T16:33:00"));
}

/// A frame around one row on two lines: database, release and times were unknown, and the counts that it prints cut off
/// (`19K` for 19,999) were taken for rounded ones.
#[test]
fn the_only_row_of_a_frame_on_two_lines_was_two() {
    let text = "WORKLOAD REPOSITORY report for\n\n   +------------------------------------+\n\
                \x20  | DB   | DB Id | Startup   | Release    | RAC |\n\
                \x20  | Name |       | Time      |            |     |\n\
                \x20  |------+-------+-----------+------------+-----|\n\
                \x20  | DEMO | 34309 | 22-Jun-09 | 11.1.0.7.0 | YES |\n\
                \x20  |      |       | 09:16     |            |     |\n\
                \x20  +------------------------------------+\n\n  Wait Event Histogram\n\n\
                \x20  +------------------------------+\n\
                \x20  | Event         | Total Waits | <1ms  | <2ms | >1s  |\n\
                \x20  |---------------+-------------+-------+------+------|\n\
                \x20  | log file sync |         19K |  50.0 | 50.0 |      |\n\
                \x20  |---------------+-------------+-------+------+------|\n\
                \x20  | latch free    |          10 | 100.0 |      |      |\n\
                \x20  +------------------------------+\n";
    let reading = spindle_evidence::read("links", text.as_bytes());
    let report = &reading.reports[0];
    let identity = &report.identity;
    assert_eq!(
        (identity.db_name.as_deref(), identity.version.as_deref()),
        (Some("DEMO"), Some("11.1.0.7.0"))
    );
    assert_eq!(identity.startup_time.as_deref(), Some("2009-06-22T09:16:00"));
    let high = |release: &str| {
        let text = text.replace("11.1.0.7.0", release);
        let reading = spindle_evidence::read("links", text.as_bytes());
        let rows = &reading.reports[0].tables.wait_histogram;
        rows.iter()
            .find(|row| row.event == "log file sync")
            .unwrap()
            .buckets
            .iter()
            .map(|b| b.waits_high)
            .sum::<f64>()
    };
    assert!(high("11.1.0.7.0") > 19_900.0 && high("          ") > 19_900.0, "{}", high("          "));
    assert!(high("11.2.0.4.0") < 19_600.0, "{}", high("11.2.0.4.0"));
}
