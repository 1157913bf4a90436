//! Reports that lack whole sections: nobody is acquitted because the section that convicts was not there.
//!
//! Whatever is taken from a report, a cause that was found or could not be told in the whole is never "not found" in
//! the rest: each rule says what it needs, and cannot tell without it.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use spindle_diagnosis::{Diagnosis, Options, diagnose};
use spindle_facts::{Kind, Report};
use spindle_test_support::corpus;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One of so many copies is looked at; all of them where `SPINDLE_EVERY_SECTION` is set, which takes minutes.
const ONE_OF: usize = 40;

/// Rules that speak of what the others leave: what one section more explains is theirs.
const OF_OTHERS: &[&str] = &["other_waits"];

/// Rules about the report as such: of a report of ADDM within one of AWR they say what is true of that.
const OF_THE_REPORT: &[&str] = &["sections_missing", "too_long_an_interval"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn read(text: &str) -> Vec<Report> {
    spindle_evidence::read("test", text.as_bytes()).reports
}

/// First and last line of each section, from 0, the header before the first of them; sections of one title that
/// follow each other (pages) are one.
fn sections(report: &Report, lines: usize) -> (usize, Vec<(String, usize, usize)>) {
    let mut begins: BTreeMap<usize, String> = BTreeMap::new();
    for section in report.sections.iter().filter(|s| s.line > 1) {
        begins.entry(section.line as usize - 1).or_insert_with(|| section.title.clone());
    }
    let header = begins.keys().next().copied().unwrap_or(lines).min(lines);
    let mut all: Vec<(String, usize, usize)> = Vec::new();
    for (at, title) in begins.into_iter().filter(|(at, _)| *at < lines) {
        match all.last_mut() {
            Some(last) if last.0 == title => {}
            last => {
                if let Some(last) = last {
                    last.2 = at;
                }
                all.push((title, at, lines));
            }
        }
    }
    (header, all)
}

/// Every copy of a text that lacks sections, with what was done to it.
fn copies(report: &Report, text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let (header, sections) = sections(report, lines.len());
    let text_of = |parts: &[&[&str]]| parts.concat().join("\n") + "\n";
    let mut all = vec![
        ("the header alone".to_owned(), text_of(&[&lines[..header]])),
        ("without its header".to_owned(), text_of(&[&lines[header..]])),
    ];
    for (title, from, to) in &sections {
        all.push((format!("without `{title}`"), text_of(&[&lines[..*from], &lines[*to..]])));
        all.push((format!("`{title}` alone"), text_of(&[&lines[*from..*to]])));
        all.push((format!("header and `{title}`"), text_of(&[&lines[..header], &lines[*from..*to]])));
    }
    all
}

/// Rules that do not acquit in the whole.
fn open(diagnosis: &Diagnosis) -> Vec<&'static str> {
    let found = diagnosis.findings.iter().map(|f| f.rule);
    found.chain(diagnosis.cannot_tell.iter().map(|c| c.rule)).filter(|r| !OF_OTHERS.contains(r)).collect()
}

#[test]
fn a_section_that_was_not_there_acquitted() {
    let Some(corpus) = corpus() else { return };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let every = std::env::var_os("SPINDLE_EVERY_SECTION").is_some();
    let (mut failures, mut count, mut at) = (Vec::new(), 0, 0);
    for path in &paths {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let whole = read(&text);
        // Of files of several reports nobody knows which of them a rest belongs to.
        let [report] = whole.as_slice() else { continue };
        // Across a restart nothing is judged, and a rest need not print that there was one.
        if report.identity.spans_restart {
            continue;
        }
        let diagnosis = diagnose(report, &Options::default());
        let open = open(&diagnosis);
        for (what, copy) in copies(report, &text) {
            at += 1;
            if !every && at % ONE_OF != 0 {
                continue;
            }
            count += 1;
            for rest in read(&copy) {
                let now = diagnose(&rest, &Options::default());
                let another = rest.identity.kind == Kind::Addm && report.identity.kind != Kind::Addm;
                let denied = now.not_found.iter().copied().filter(|r| open.contains(r));
                let denied: Vec<&str> = denied.filter(|r| !another || !OF_THE_REPORT.contains(r)).collect();
                if !denied.is_empty() {
                    failures.push(format!("{name}: {what}: {}", denied.join(" ")));
                }
            }
        }
    }
    eprintln!("{count} copies");
    assert!(failures.is_empty(), "{} of {count} copies:\n{}", failures.len(), failures.join("\n"));
}
