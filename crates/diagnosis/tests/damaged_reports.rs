//! Reports that lost something on their way: what is read of them is what the whole report says, and nobody is
//! acquitted whom the whole report convicts.
//!
//! A number may vanish, never change; a cause that was found may become one that cannot be told, never one that
//! is not there.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "../../evidence/tests/support/mod.rs"]
mod support;

use spindle_diagnosis::{Diagnosis, Options, diagnose};
use spindle_facts::Report;
use std::fmt::Write as _;

/// Real reports of several releases and layouts, and two examples for where those are not.
const REPORTS: &[&str] = &[
    "awr-text/11.2.0.4.0__Linux__rbogusze__awrrpt_1_18_19.txt",
    "awr-text/12.2.0.1.0__AIX__ora600pl__awrrpt_1_2668_2669.txt",
    "awr-text/12.2.0.1.0__Linux__rbogusze__awrrpt_1_4912_4913.txt",
    "statspack/12.1.0.2.0__Linux__ora600pl__sp_70371_70372.txt",
    "awr-html/19.0.0.0.0__AIX__jdmoreno__awrrpt_1_188_189.html",
];
const EXAMPLES: &[&str] = &["redo-on-ssd.txt", "redo-on-sas.txt"];

/// Copies of each report, damaged in one way at a place of their own.
const COPIES: u64 = 3;

fn reports() -> Vec<(String, String)> {
    let examples = EXAMPLES.iter().map(|name| ((*name).to_owned(), support::example(name)));
    let real = REPORTS.iter().filter_map(|name| {
        Some(((*name).to_owned(), String::from_utf8_lossy(&support::corpus(name)?).into_owned()))
    });
    examples.chain(real).collect()
}

/// Places by number, the same in every run.
struct Places(u64);

impl Places {
    /// One of so many.
    fn one_of(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count.max(1)
    }
}

/// A table of a text: its headings, ruler and rows, by lines, and its columns.
struct Table {
    first: usize,
    ruler: usize,
    end: usize,
    columns: Vec<(usize, usize)>,
}

fn tables(lines: &[String]) -> Vec<Table> {
    let is_ruler = |line: &str| {
        line.contains("--- ---") && line.bytes().all(|b| matches!(b, b'-' | b' ')) && line.is_ascii()
    };
    let rulers = (0..lines.len()).filter(|at| is_ruler(&lines[*at]));
    let table = |ruler: usize| {
        let above = lines[..ruler].iter().rev().take_while(|l| !l.trim().is_empty() && !l.contains("->"));
        let rows = lines[ruler + 1..].iter().take_while(|l| !l.trim().is_empty() && !l.contains("-----"));
        let bytes = lines[ruler].as_bytes();
        let begins = |at: usize| bytes[at] == b'-' && (at == 0 || bytes[at - 1] == b' ');
        let columns = (0..bytes.len())
            .filter(|at| begins(*at))
            .map(|from| (from, from + bytes[from..].iter().take_while(|b| **b == b'-').count()))
            .collect();
        Table { first: ruler - above.count(), ruler, end: ruler + 1 + rows.count(), columns }
    };
    rulers.map(table).filter(|t: &Table| t.end > t.ruler + 1 && t.columns.len() > 2).collect()
}

/// Puts something else where a column stands in a line.
fn put(line: &mut String, (from, to): (usize, usize), what: &str) {
    if line.is_ascii() && line.len() > from {
        let to = to.min(line.len());
        line.replace_range(from..to, what);
    }
}

fn cell_changed(text: &str, places: &mut Places, mark: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let found = tables(&lines);
    // Of the tables that answers come from, twice as many as of the others.
    let leading = |t: &&Table| {
        let heading = &lines[t.ruler.saturating_sub(1)];
        heading.contains("Event") || heading.contains("Statistic")
    };
    let some: Vec<&Table> = found.iter().chain(found.iter().filter(leading)).collect();
    let Some(table) = some.get(places.one_of(some.len())) else { return text.to_owned() };
    let row = table.ruler + 1 + places.one_of((table.end - table.ruler - 1).min(6));
    let column = table.columns[1 + places.one_of(table.columns.len() - 1)];
    put(&mut lines[row], column, &mark.repeat(column.1 - column.0));
    lines.join("\n") + "\n"
}

fn without_a_column(text: &str, places: &mut Places) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let found = tables(&lines);
    let Some(table) = found.get(places.one_of(found.len())) else { return text.to_owned() };
    let (from, to) = table.columns[1 + places.one_of(table.columns.len() - 1)];
    for line in &mut lines[table.first..table.end] {
        put(line, (from - 1, to), "");
    }
    lines.join("\n") + "\n"
}

fn without_a_section(text: &str, places: &mut Places) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |l: &str| l.contains("DB/Inst:") || l.contains("<h3") || l.contains("<H3");
    let titles: Vec<usize> = (0..lines.len()).filter(|at| begins(lines[*at])).collect();
    let title = |at: usize| lines[at].split("DB/Inst:").next().unwrap().trim_matches(['\u{c}', ' ']);
    let Some(&from) = titles.get(places.one_of(titles.len().min(40))) else { return text.to_owned() };
    // With all its pages.
    let to =
        titles.iter().find(|at| **at > from && title(**at) != title(from)).copied().unwrap_or(lines.len());
    [&lines[..from], &lines[to..]].concat().join("\n") + "\n"
}

fn html_cell_changed(text: &str, places: &mut Places, mark: &str) -> String {
    let cells: Vec<usize> = text.match_indices("<td").map(|c| c.0).collect();
    // Answers come from the first tables.
    let Some(&cell) = cells.get(places.one_of(cells.len().min(3_000))) else { return text.to_owned() };
    let Some(from) = text[cell..].find('>').map(|at| cell + at + 1) else { return text.to_owned() };
    let to = text[from..].find('<').map_or(text.len(), |at| from + at);
    // Names stay: what has none is no row.
    if text[from..to].trim().starts_with(|c: char| c.is_ascii_alphabetic()) {
        return text.to_owned();
    }
    format!("{}{mark}{}", &text[..from], &text[to..])
}

fn cut_off(text: &str, places: &mut Places) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let least = lines.len() / 20;
    lines[..least + places.one_of(lines.len() - least)].join("\n") + "\n"
}

fn squeezed(text: &str) -> String {
    let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(squeeze).collect()
}

fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line.trim_start_matches('\u{c}').trim_end();
        while rest.is_ascii() && rest.len() > width {
            let cut = rest[..width].rfind(' ').filter(|c| *c > 0).unwrap_or(width);
            let _ = writeln!(out, "{}", rest[..cut].trim_end());
            rest = rest[cut..].trim_start();
        }
        let _ = writeln!(out, "{rest}");
    }
    out
}

/// Every copy of a text that is looked at, with what was done to it.
fn copies(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let html = text.contains("<html") || text.contains("<HTML");
    for n in 0..COPIES {
        let mut places = Places(0x9E37_79B9 + n);
        let mut add = |what: &str, copy: String| all.push((format!("{what}, copy {n}"), copy));
        add("a section deleted", without_a_section(text, &mut places));
        add("cut off", cut_off(text, &mut places));
        if html {
            add("a cell blanked", html_cell_changed(text, &mut places, ""));
            add("a cell overprinted", html_cell_changed(text, &mut places, "########"));
        } else {
            add("a column deleted", without_a_column(text, &mut places));
            add("a cell blanked", cell_changed(text, &mut places, " "));
            add("a cell overprinted", cell_changed(text, &mut places, "#"));
        }
    }
    if !html {
        let quoted: String = text.lines().map(|l| format!("> {}\n", l.trim_start_matches('\u{c}'))).collect();
        all.push(("blanks squeezed".to_owned(), squeezed(text)));
        all.push(("wrapped at 72".to_owned(), wrapped(text, 72)));
        all.push(("wrapped at 80".to_owned(), wrapped(text, 80)));
        all.push(("quoted".to_owned(), quoted));
    }
    all
}

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("test", text.as_bytes()).reports
}

/// What the damaged copy says that the whole report does not, or denies that it says.
fn contradictions(whole: (&[Report], &Diagnosis), damaged: &[Report]) -> Vec<String> {
    let mut found = support::values(whole.0, damaged).wrong;
    // Kept as printed, under the headings that are left; texts may lack a part.
    found.retain(|line| !["ash_activity ", "sql_text ", "addm_finding "].iter().any(|t| line.starts_with(t)));
    let convicted: Vec<&str> = whole.1.findings.iter().map(|f| f.rule).collect();
    for report in damaged {
        let now = diagnose(report, &Options::default());
        if whole.1.storage_is_the_problem != Some(false) && now.storage_is_the_problem == Some(false) {
            found.push(format!("storage is acquitted: {} (whole: {})", now.answer, whole.1.answer));
        }
        let denied = now.not_found.iter().filter(|rule| convicted.contains(rule));
        found.extend(denied.map(|rule| format!("{rule} is said not to be there")));
    }
    found
}

#[test]
fn damage_changes_no_number_and_acquits_nobody() {
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, text) in reports() {
        let whole = read(&text);
        let diagnosis = diagnose(&whole[0], &Options::default());
        for (what, copy) in copies(&text) {
            count += 1;
            let found = contradictions((&whole, &diagnosis), &read(&copy));
            failures.extend(found.iter().take(4).map(|line| format!("{name}: {what}: {line}")));
        }
    }
    eprintln!("{count} damaged copies");
    assert!(failures.is_empty(), "{} of {count} copies:\n{}", failures.len(), failures.join("\n"));
}
