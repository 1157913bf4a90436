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
    holds("html2text", 22, |page| converted(&["html2text", "-width", "200"], page));
}

#[test]
fn converted_by_html2text_on_a_narrow_page() {
    holds("html2text", 10, |page| converted(&["html2text"], page));
}
