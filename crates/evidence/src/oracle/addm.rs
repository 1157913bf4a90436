//! ADDM reports: findings with impact and recommendations.
//!
//! Text in every release, alone, behind an AWR report or inside a page's `<pre>`. 11g and later: `Finding
//! 1: name`, `Impact is 1 active sessions, 69.68% of total activity.`, and all of them listed in a `Summary of
//! Findings` before, which is what people pass on; 10g: `FINDING 1: 51% impact (309 seconds)` with the name in
//! the lines below. Behind an AWR report the findings join that report. Figures of files and of I/O stand in the
//! words of the finding and in the rationales: they are kept as words.

use super::sections::as_printed::WHOLE_PCT;
use super::time;
use crate::cell::split_spoken;
use crate::layout::text_sections::Line;
use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use spindle_facts::{
    AddmFinding, Identity, Kind, Layout, RawTable, Report, Section, SectionId, SectionStatus,
};

/// Reads one ADDM report; `None` where it holds neither a target nor a finding.
pub(crate) fn read(source: &str, layout: Layout, lines: &[Line<'_>]) -> Option<Report> {
    let first = lines.iter().find(|l| l.text.contains("ADDM"))?;
    let mut report = Report::new(Identity::unknown(source, Kind::Addm, layout));
    let sentence = memmem::Finder::new(" instance");
    for (at, line) in lines.iter().enumerate() {
        // Every other sentence that is looked for begins with one of these; nearly all lines end here.
        if matches!(line.first, b'A' | b'T' | b'D' | b'H' | b'S' | b'\t'..=b'\r' | 0x80..)
            || sentence.find(line.text.as_bytes()).is_some()
        {
            identify(&mut report.identity, line.text);
            if analyzed(line.text).is_some() {
                // The sentence goes on below, wherever it was wrapped.
                let more = lines[at..].iter().take(MOST_WRAPPED).take_while(|l| !l.is_blank());
                let joined: Vec<&str> = more.map(|l| l.text.trim()).collect();
                instance(&mut report.identity, &joined.join(" "));
            }
        }
    }
    let findings = findings(lines);
    let identity = &report.identity;
    if findings.is_empty() && identity.db_name.is_none() && identity.begin_snap.is_none() {
        return None;
    }
    let title = first.text.trim().to_owned();
    report.sections.push(Section {
        title: title.clone(),
        line: first.number,
        status: SectionStatus::Read,
        rows: u32::try_from(findings.len()).unwrap_or(u32::MAX),
        lost: 0,
    });
    // Its own word, which a report that was cut off before its findings lacks.
    let says_none = |l: &&Line<'_>| l.text.to_ascii_lowercase().contains(NO_FINDINGS);
    if findings.is_empty()
        && let Some(line) = lines.iter().find(says_none)
    {
        report.sections.push(Section {
            title: spindle_facts::ADDM_FINDINGS.to_owned(),
            line: line.number,
            status: SectionStatus::Absent,
            rows: 0,
            lost: 0,
        });
    }
    report.tables.addm_finding = findings;
    report.raw_tables.push(RawTable {
        title,
        line: first.number,
        headings: Vec::new(),
        rows: lines.iter().filter(|l| !l.is_blank()).map(|l| [Some(l.text)]).collect(),
    });
    Some(report)
}

/// A line as long as this holds the lines of a whole report: none is printed so wide.
const LONGEST_LINE: usize = 400;

/// Is a line that begins with `A` a whole report?
pub(crate) fn is_on_one_line(text: &str) -> bool {
    text.len() > LONGEST_LINE && text.trim_start().starts_with("ADDM Report for ")
}

/// A report of which a search index or a form kept the words and lost the line ends; `None` where it has its lines.
pub(crate) fn relined<'a>(lines: &[Line<'a>]) -> Option<Vec<Line<'a>>> {
    let is_whole = |l: &&Line<'a>| l.first == b'A' && is_on_one_line(l.text);
    lines.iter().find(is_whole)?;
    let pieces = |line: &Line<'a>| {
        // Others keep their blanks: the cells of tables stand by them.
        if !is_whole(&line) {
            return vec![*line];
        }
        let (number, text) = (line.number, line.text);
        let mut starts = line_starts(text);
        starts.push(text.len());
        let mut from = 0;
        let piece = |to| {
            let piece = Line::new(number, text[from..to].trim());
            from = to;
            piece
        };
        starts.into_iter().map(piece).collect()
    };
    Some(lines.iter().flat_map(pieces).collect())
}

/// Where lines began in a report on one line, in order: before its labels, and around its rulers.
fn line_starts(text: &str) -> Vec<usize> {
    const BEGIN: [&str; 17] = [
        "Analysis Period ",
        "AWR snapshot range from ",
        "Time period starts at ",
        "Time period ends at ",
        "Analysis Target ",
        "Database '",
        "Database version ",
        "ADDM performed an analysis",
        "Activity During the Analysis Period",
        "Total database time was ",
        "The average number of active sessions",
        "Summary of Findings",
        "Findings and Recommendations",
        "Impact is ",
        "Estimated benefit is ",
        "Symptoms That Led to the Finding:",
        "No recommendations are available",
    ];
    let mut starts: Vec<usize> =
        BEGIN.iter().flat_map(|label| text.match_indices(label).map(|(at, _)| at)).collect();
    // `Finding 1: `, and not the word in a sentence.
    for label in ["Finding ", "Recommendation ", "FINDING ", "RECOMMENDATION "] {
        starts.extend(text.match_indices(label).map(|(at, _)| at).filter(|at| {
            let number = text[at + label.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
            number.starts_with(": ") && number.len() < text.len() - at - label.len()
        }));
    }
    let mut runs = 0;
    let bytes = text.as_bytes();
    while let Some(at) = bytes[runs..].windows(5).position(|w| w == b"-----" || w == b"~~~~~") {
        let from = runs + at;
        runs = from + bytes[from..].iter().take_while(|b| **b == bytes[from]).count();
        starts.extend([from, runs]);
    }
    // Labels of one word stand behind the end of a sentence, or behind a ruler.
    for label in [" Action ", " Rationale ", " Related Object "] {
        for (at, _) in text.match_indices(label) {
            if text[..at].ends_with(['.', '-', '~']) {
                starts.extend([at + 1, at + label.len()]);
            }
        }
    }
    // `1 Commits and Rollbacks 7.95 | 68.97 3 2 Top SQL Statements 1.8 | 15.59 1` below the summary.
    if let Some(summary) = text.find("Summary of Findings") {
        let end = text[summary..].find("Finding 1:").map_or(text.len(), |end| summary + end);
        for (at, _) in text[summary..end].match_indices(" | ") {
            let behind = summary + at + 3;
            let words: Vec<&str> = text[behind..end].splitn(3, ' ').collect();
            if let [share, count, _] = words[..] {
                starts.push(behind + share.len() + 1 + count.len());
            }
        }
    }
    starts.retain(|at| *at > 0);
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Does a line head a finding as a report prints it, with what it costs? `FINDING 2: 29% impact (65043 seconds)`.
fn is_finding_of_10g(line: &Line<'_>) -> bool {
    heading(line.text, "FINDING").is_some_and(|said| {
        let share = said.split_once("% impact (").filter(|(share, _)| whole(share).is_some());
        share.is_some_and(|(_, seconds)| seconds.ends_with(" seconds)"))
    })
}

/// Findings that somebody passed on without the report they are of.
pub(crate) fn alone(source: &str, lines: &[Line<'_>]) -> Option<Report> {
    let first = lines.iter().position(is_finding_of_10g)?;
    let findings = findings(&lines[first..]);
    let mut report = Report::new(Identity::unknown(source, Kind::Addm, Layout::Text));
    report.identity.excerpt = true;
    report.sections.push(Section {
        title: spindle_facts::ADDM_FINDINGS.to_owned(),
        line: lines[first].number,
        status: SectionStatus::Read,
        rows: u32::try_from(findings.len()).unwrap_or(u32::MAX),
        lost: 0,
    });
    report.tables.addm_finding = findings;
    Some(report)
}

/// Says of findings among pieces of a report that nobody knows whether they are of it: nothing names it.
pub(crate) fn mention(report: &mut Report, lines: &[Line<'_>]) {
    let found: Vec<u32> = lines.iter().filter(|l| is_finding_of_10g(l)).map(|l| l.number).collect();
    let Some(first) = found.first() else { return };
    let what = if found.len() == 1 { "a finding of ADDM stands" } else { "findings of ADDM stand" };
    report.notes.push(spindle_facts::Note {
        line: Some(*first),
        section: None,
        message: format!("{what} there without the report that it is of"),
        effect: "left out: nothing tells that it is of these figures".to_owned(),
    });
}

/// What a report without findings says of them.
const NO_FINDINGS: &str = "no findings to report";

/// Gives an ADDM report's findings to the AWR report that it stands behind. A finding that the summary
/// already lists gets its recommendations.
pub(crate) fn attach(awr: &mut Report, addm: Report) {
    let section = SectionId::try_from(awr.sections.len()).unwrap_or(SectionId::MAX);
    awr.sections.extend(addm.sections);
    awr.raw_tables.extend(addm.raw_tables);
    let findings = &mut awr.tables.addm_finding;
    // Two findings of one name (`Unusual "Other" Wait Event`) are two, and those of another task are its own.
    let only_listed = |f: &AddmFinding| f.description.is_none() && f.recommendation.is_none();
    let mut listed: FxHashMap<String, usize> = FxHashMap::default();
    for (at, finding) in findings.iter().enumerate().rev().filter(|(_, f)| only_listed(f)) {
        listed.insert(finding.finding.clone(), at);
    }
    for finding in addm.tables.addm_finding {
        match listed.remove(&finding.finding).and_then(|at| findings.get_mut(at)) {
            Some(known) => {
                known.recommendation = known.recommendation.take().or(finding.recommendation);
                known.impact_sessions = known.impact_sessions.or(finding.impact_sessions);
                known.impact_s = known.impact_s.or(finding.impact_s);
                known.description = known.description.take().or(finding.description);
            }
            None => findings.push(AddmFinding { section, ..finding }),
        }
    }
}

fn identify(identity: &mut Identity, text: &str) {
    let text = text.trim();
    let number = |t: &str| whole(t.trim_matches(|c: char| !c.is_ascii_digit()));
    let when = |t: &str| {
        let mut words = t.split_whitespace();
        let (date, clock) = (words.next()?, words.next()?.replace('.', ":"));
        let half = words.next().unwrap_or("");
        time::parse(&format!("{date} {clock} {half}")).map(|t| t.to_string())
    };
    if let Some(rest) = text.strip_prefix("AWR snapshot range from ") {
        let mut ends = rest.trim_end_matches('.').split(" to ").map(|t| t.trim().parse().ok());
        identity.begin_snap = ends.next().flatten();
        identity.end_snap = ends.next().flatten();
    } else if let Some(rest) = text.strip_prefix("Time period starts at ") {
        identity.begin_time = when(rest);
    } else if let Some(rest) = text.strip_prefix("Time period ends at ") {
        identity.end_time = when(rest);
    } else if let Some(rest) = text.strip_prefix("Database '") {
        identity.db_name = rest.split('\'').next().map(str::to_owned);
        identity.db_id = rest.rsplit(' ').next().and_then(|t| t.trim_end_matches('.').parse().ok());
    } else if let Some(rest) = text.strip_prefix("Database version ") {
        identity.version = Some(rest.trim_end_matches('.').to_owned());
    } else if labelled_of_10g(identity, text) {
        // Its line says it all.
    } else if let Some(rest) = text.strip_prefix("Total database time was ")
        && let Some(seconds) = rest.split(' ').next().and_then(number)
    {
        database_time(identity, seconds);
    }
    if identity.elapsed_s.is_none() {
        let at = |t: &Option<String>| t.as_deref().and_then(|t| t.parse::<jiff::civil::DateTime>().ok());
        if let (Some(begin), Some(end)) = (at(&identity.begin_time), at(&identity.end_time)) {
            #[allow(clippy::cast_precision_loss, reason = "seconds between two dates")]
            let seconds = begin.duration_until(end).as_secs() as f64;
            identity.elapsed_s = Some(seconds).filter(|s| *s > 0.0);
        }
    }
}

/// The most lines over which a sentence is wrapped.
const MOST_WRAPPED: usize = 4;

/// What stands behind the words that name the one instance which was analyzed.
fn analyzed(text: &str) -> Option<&str> {
    // Whether they stand there at all is found faster than where.
    ["analysis of instance", "ADDM analyzed instance"]
        .iter()
        .find_map(|words| text.contains(words).then(|| text.split_once(words)).flatten())
        .map(|(_, behind)| behind)
}

/// `CDB1, numbered 1 and hosted at db01.`
fn instance(identity: &mut Identity, text: &str) {
    let Some(behind) = analyzed(text) else { return };
    let mut words = behind.split([',', ' ']).filter(|w| !w.is_empty());
    identity.instance = words.next().map(|w| w.trim_end_matches('.').to_owned());
    if words.next() == Some("numbered") {
        identity.instance_number = words.next().and_then(|w| w.parse().ok());
    }
    let host = behind.split_once(" hosted at ").and_then(|(_, host)| host.split_ascii_whitespace().next());
    if let Some(host) = host.map(|host| host.trim_end_matches('.')).filter(|host| !host.is_empty()) {
        identity.host = Some(host.to_owned());
    }
}

fn database_time(identity: &mut Identity, seconds: f64) {
    identity.db_time_s = Some(seconds);
    identity.db_time_s_low = Some((seconds - 0.5).max(0.0));
    identity.db_time_s_high = Some(seconds + 0.5);
}

/// The labelled lines with which 10g begins; false where it is none of them.
fn labelled_of_10g(identity: &mut Identity, text: &str) -> bool {
    let Some((label, value)) = text.split_once(':') else { return false };
    let value = value.trim();
    let pair = || value.split_once('/').map(|(one, other)| (one.trim(), other.trim()));
    let filled = |word: &str| (!word.is_empty()).then(|| word.to_owned());
    match label {
        // `20-MAR-2010 from 08:01:06 to 22:00:07`
        "Analysis Period" => {
            let times =
                value.split_once(" from ").and_then(|(day, clocks)| Some((day, clocks.split_once(" to ")?)));
            let Some((day, (from, to))) = times else { return true };
            let at = |clock: &str| time::parse(&format!("{day} {clock}"));
            let (begin, end) = (at(from), at(to));
            // One day is printed: what ends on the next is not told.
            let end = end.filter(|end| begin.is_none_or(|begin| *end > begin));
            identity.begin_time = begin.map(|t| t.to_string());
            identity.end_time = end.map(|t| t.to_string());
        }
        "Database ID/Instance" => {
            if let Some((id, number)) = pair() {
                identity.db_id = id.parse().ok();
                identity.instance_number = number.parse().ok();
            }
        }
        "Database/Instance Names" => {
            if let Some((db, instance)) = pair() {
                identity.db_name = filled(db);
                identity.instance = filled(instance);
            }
        }
        "Host Name" => identity.host = filled(value),
        "Database Version" => identity.version = filled(value),
        "Snapshot Range" => {
            let range = value.strip_prefix("from ").and_then(|range| range.split_once(" to "));
            if let Some((begin, end)) = range {
                identity.begin_snap = begin.trim().parse().ok();
                identity.end_snap = end.trim().parse().ok();
            }
        }
        "Database Time" => match value.strip_suffix("seconds").and_then(|seconds| whole(seconds.trim())) {
            Some(seconds) => database_time(identity, seconds),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// What follows a finding's label and number.
fn heading<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    numbered(text, label).map(|(_, rest)| rest)
}

/// The number behind a finding's label, and what follows.
fn numbered<'a>(text: &'a str, label: &str) -> Option<(u32, &'a str)> {
    // Nearly all lines end here.
    let first = text.bytes().next()?;
    if first.is_ascii_graphic()
        && !label.as_bytes().starts_with(&[first])
        && !EMPHASIS.contains(&first.into())
    {
        return None;
    }
    let rest = unmarked(text).strip_prefix(label)?.trim_start();
    let (number, rest) = rest.split_once(':')?;
    let rest = if text.trim_start().starts_with(EMPHASIS) { unmarked(rest) } else { rest.trim() };
    Some((number.trim().parse().ok()?, rest))
}

/// What notes, wikis and chats put around a heading: `**Finding 1: Top SQL**`, `### Finding 1: Top SQL`.
const EMPHASIS: [char; 3] = ['*', '#', '_'];

/// A line without the marks that make it a heading.
fn unmarked(text: &str) -> &str {
    let text = text.trim_ascii();
    // Blanks of Unicode may stand around it, too.
    let text = if matches!(text.as_bytes(), [b'!'..=b'~', .., b'!'..=b'~']) { text } else { text.trim() };
    if text.starts_with(EMPHASIS) { text.trim_matches(EMPHASIS).trim() } else { text }
}

/// Does a line without its marks begin as what begins a part of a finding? Nearly all lines do not.
fn can_be_label(text: &str) -> bool {
    let marks = |b: &u8| matches!(b, b'A' | b'E' | b'N' | b'R' | b'S' | b'-' | b'~' | b'*' | b'#' | b'_');
    text.as_bytes().first().is_none_or(marks)
}

/// Does a line begin a part of a finding, or stand between two of them? Where a copy lost its blank lines, only
/// this tells.
fn is_label(text: &str) -> bool {
    const LABELS: [&str; 9] = [
        "ACTION:",
        "RATIONALE:",
        "RELEVANT OBJECT:",
        "SYMPTOMS THAT LED TO THE FINDING:",
        "Symptoms That Led to the Finding:",
        "Estimated benefit is ",
        "No recommendations are available",
        "-----",
        "~~~~~",
    ];
    let text = unmarked(text);
    if !can_be_label(text) {
        return false;
    }
    matches!(text, "Action" | "Rationale" | "Related Object")
        || LABELS.iter().any(|label| text.starts_with(label))
        || heading(text, "Recommendation").is_some()
        || heading(text, "RECOMMENDATION").is_some()
}

/// A number that is all of a text, with either decimal point.
fn whole(text: &str) -> Option<f64> {
    split_spoken(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

/// Every finding, by its number: those that are told in full, and those that the summary alone lists.
fn findings(lines: &[Line<'_>]) -> Vec<AddmFinding> {
    let mut all = told(lines);
    let mut numbers: FxHashSet<u32> = all.iter().map(|(number, _)| *number).collect();
    all.extend(listed(lines).into_iter().filter(|(number, _)| numbers.insert(*number)));
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, finding)| finding).collect()
}

/// The rows below `Summary of Findings`: `1  PL/SQL Execution   .08 | 48.39   1`.
fn listed(lines: &[Line<'_>]) -> Vec<(u32, AddmFinding)> {
    let is_title = |l: &Line<'_>| l.first == b'S' && l.text.trim() == "Summary of Findings";
    let Some(title) = lines.iter().position(is_title) else { return Vec::new() };
    let mut found = Vec::new();
    for line in &lines[title + 1..] {
        if line.is_blank() && !found.is_empty() || line.first == b'F' && line.text.contains("Finding") {
            break;
        }
        found.extend(listed_one(line));
    }
    found
}

fn listed_one(line: &Line<'_>) -> Option<(u32, AddmFinding)> {
    if !line.first.is_ascii_digit() {
        return None;
    }
    let figure = |t: &str| whole(t).filter(|f| *f >= 0.0);
    let (before, behind) = line.text.rsplit_once(" | ")?;
    let (before, sessions) = before.trim_end().rsplit_once(' ')?;
    let (number, name) = before.trim().split_once(' ')?;
    let name = name.trim();
    let pct = figure(behind.split_ascii_whitespace().next()?).filter(|pct| *pct <= WHOLE_PCT)?;
    let finding = AddmFinding {
        line: line.number,
        section: 0,
        finding: (!name.is_empty()).then(|| name.to_owned())?,
        impact_pct: Some(pct),
        impact_sessions: Some(figure(sessions)?),
        impact_s: None,
        description: None,
        recommendation: None,
    };
    Some((number.parse().ok()?, finding))
}

fn told(lines: &[Line<'_>]) -> Vec<(u32, AddmFinding)> {
    let starts: Vec<usize> = (0..lines.len())
        .filter(|i| {
            if !matches!(lines[*i].first, b'F' | b'*' | b'#' | b'_' | b'\t'..=b'\r' | 0x80..) {
                return false;
            }
            let text = lines[*i].text;
            heading(text, "Finding").is_some() || heading(text, "FINDING").is_some()
        })
        .collect();
    let ends = starts.iter().copied().skip(1).chain(std::iter::once(lines.len()));
    let one = |(start, end): (&usize, usize)| {
        let text = lines.get(*start)?.text;
        let (number, _) = numbered(text, "Finding").or_else(|| numbered(text, "FINDING"))?;
        Some((number, finding(lines.get(*start..end)?)?))
    };
    starts.iter().zip(ends).filter_map(one).collect()
}

fn finding(lines: &[Line<'_>]) -> Option<AddmFinding> {
    let first = lines.first()?;
    let number = |t: &str| whole(t.trim());
    let (mut impact_pct, mut impact_sessions, mut description) = (None, None, None);
    let mut impact_s = None;
    let finding = if let Some(name) = heading(first.text, "Finding") {
        let said = |l: &Line<'_>| l.text.trim().starts_with("Impact is ");
        let impact = lines.iter().take(4).position(said).unwrap_or(0);
        if let Some(said) = lines[impact].text.trim().strip_prefix("Impact is ") {
            let mut parts = said.split(", ");
            impact_sessions = parts.next().and_then(|p| number(p.split(' ').next()?));
            impact_pct = parts.next().and_then(|p| number(p.split('%').next()?));
        }
        // Below the rule under the impact, which copies may have lost.
        let words = paragraph(lines.iter().skip(impact + 1));
        description = (!words.is_empty()).then_some(words);
        name.to_owned()
    } else {
        let said = heading(first.text, "FINDING")?;
        impact_pct = said.split('%').next().and_then(number);
        impact_s = seconds_of(said, "impact");
        // The name is the paragraph under the rule.
        paragraph(lines.iter().skip(1))
    };
    let recommendations = recommendations(lines);
    Some(AddmFinding {
        line: first.number,
        section: 0,
        finding,
        impact_pct,
        impact_sessions,
        impact_s,
        description,
        recommendation: (!recommendations.is_empty()).then(|| recommendations.join("\n")),
    })
}

/// The seconds of `29% impact (65043 seconds)`, or of such a benefit.
fn seconds_of(said: &str, what: &str) -> Option<f64> {
    let (_, behind) = said.split_once(what)?;
    whole(behind.trim().strip_prefix('(')?.strip_suffix(" seconds)")?)
}

/// The words up to the next blank line or part of the finding, behind blank lines and rules.
fn paragraph<'l, 'a: 'l>(lines: impl Iterator<Item = &'l Line<'a>>) -> String {
    let words: Vec<&str> = lines
        .map(|l| l.text.trim())
        .skip_while(|t| t.is_empty() || t.starts_with("---"))
        .take_while(|t| !t.is_empty() && !is_label(t))
        .collect();
    words.join(" ")
}

/// A part of a recommendation while it is being read.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Action,
    Rationale,
}

/// Actions, each behind the kind of its recommendation, and the reasons given for them.
fn recommendations(lines: &[Line<'_>]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut kind = "";
    let mut open: Option<(Part, String)> = None;
    for line in lines {
        let text = unmarked(line.text);
        if !can_be_label(text) {
            if let Some((_, words)) = &mut open {
                add_words(words, line.text);
            }
            continue;
        }
        let begun = heading(text, "Recommendation").or_else(|| heading(text, "RECOMMENDATION"));
        // 10g goes on behind the label, later releases below it.
        let part = match text {
            "Action" => Some((Part::Action, "")),
            "Rationale" => Some((Part::Rationale, "")),
            _ => (text.strip_prefix("ACTION:").map(|said| (Part::Action, said)))
                .or_else(|| text.strip_prefix("RATIONALE:").map(|said| (Part::Rationale, said))),
        };
        let ends = text.is_empty() || begun.is_some() || part.is_some() || is_label(text);
        if ends && let Some(done) = open.take() {
            found.extend(part_in_words(done, kind));
        }
        if let Some(said) = begun {
            // What 10g thinks that it saves stays with its kind: `Host Configuration, 100% benefit (236784 seconds)`.
            let saves = seconds_of(said, "benefit").is_some();
            kind = if saves { said } else { said.split(',').next().unwrap_or(said) };
        } else if let Some((part, said)) = part {
            open = Some((part, said.trim().to_owned()));
        } else if let Some((_, words)) = &mut open {
            add_words(words, line.text);
        }
    }
    found.extend(open.and_then(|done| part_in_words(done, kind)));
    found
}

/// A line more of a part.
fn add_words(words: &mut String, line: &str) {
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(line.trim());
}

fn part_in_words((part, words): (Part, String), kind: &str) -> Option<String> {
    Some(match part {
        _ if words.is_empty() => return None,
        Part::Rationale => format!("Rationale: {words}"),
        Part::Action if kind.is_empty() => words,
        Part::Action => format!("{kind}: {words}"),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use crate::layout::text_sections;

    fn report(text: &str) -> Report {
        let lines = text_sections::lines(text);
        read("x", Layout::Text, &lines).unwrap()
    }

    /// The first cell of headings is blank in some tables of a copied page: their figures moved by a column.
    #[test]
    fn tables_beside_a_report_on_one_line_lost_their_blank_cells() {
        let text = format!("\tRead+Write Per Second\nADDM Report for Task 'T' {}\n", "-".repeat(500));
        let found = relined(&crate::layout::text_sections::lines(&text)).unwrap_or_default();
        assert_eq!(found.first().map(|line| line.text), Some("\tRead+Write Per Second"));
    }

    #[test]
    fn findings_of_11g_and_later() {
        let read = report(
            "  ADDM Report for Task 'T'\nAWR snapshot range from 4 to 5.\n\
             Time period starts at 13-MAR-18 05.03.34 PM\nTime period ends at 13-MAR-18 05.18.34 PM\n\
             Database 'X' with DB ID 7.\nTotal database time was 1,332 seconds.\n\n\
             Finding 1: Top SQL Statements\nImpact is .95 active sessions, 65.93% of total activity.\n-----\nText.\n\n\
             \x20  Recommendation 1: SQL Tuning\n   Estimated benefit is .7 active sessions.\n   ----\n\
             \x20  Action\n      Run the advisor on\n      the statement.\n   Rationale\n      Because.\n\n\
             Finding 2: Hard Parse\nImpact is .05 active sessions, 3.18% of total activity.\n",
        );
        let id = &read.identity;
        assert_eq!((id.begin_snap, id.end_snap, id.db_id), (Some(4), Some(5), Some(7)));
        assert_eq!((id.elapsed_s, id.db_time_s), (Some(900.0), Some(1_332.0)));
        let found = &read.tables.addm_finding;
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].impact_pct, found[0].impact_sessions), (Some(65.93), Some(0.95)));
        assert_eq!(
            found[0].recommendation.as_deref(),
            Some("SQL Tuning: Run the advisor on the statement.\nRationale: Because.")
        );
        assert_eq!(found[0].description.as_deref(), Some("Text."));
        assert_eq!(found[1].recommendation, None);
    }

    /// The header of 10.2 is labels, not sentences: the database was called not named.
    #[test]
    fn the_labels_that_10g_begins_with_are_read() {
        let read = report(
            "DETAILED ADDM REPORT FOR TASK 'T' WITH ID 1\n-----\n\n\
             Analysis Period: 20-МАР-2010 from 08:01:06 to 22:00:07\nDatabase ID/Instance: 40017/2\n\
             Database/Instance Names: TILL/till2\nHost Name: shop01\nDatabase Version: 10.2.0.1.0\n\
             Snapshot Range: from 21 to 35\nDatabase Time: 1,637 seconds\n\
             Average Database Load: 0 active sessions\n\nFINDING 1: 100% impact (637 seconds)\n----\nPaging.\n",
        );
        let id = &read.identity;
        assert_eq!((id.db_name.as_deref(), id.instance.as_deref()), (Some("TILL"), Some("till2")));
        assert_eq!(
            (id.db_id, id.instance_number, id.host.as_deref()),
            (Some(40_017), Some(2), Some("shop01"))
        );
        assert_eq!(
            (id.begin_snap, id.end_snap, id.version.as_deref()),
            (Some(21), Some(35), Some("10.2.0.1.0"))
        );
        assert_eq!((id.elapsed_s, id.db_time_s), (Some(50_341.0), Some(1_637.0)));
    }

    /// Wrapped at 68 columns, the sentence with instance and host goes over three lines.
    #[test]
    fn an_instance_named_over_several_lines_is_read() {
        let read = report(
            "ADDM Report for Task 'T'\nAWR snapshot range from 4 to 5.\n\
             Analysis was requested for all instances, but ADDM analyzed instance\nTILL3,\n\
             numbered 3 and hosted at shop03.example.com.\n\nADDM detected nothing.\n",
        );
        let id = &read.identity;
        assert_eq!((id.instance.as_deref(), id.instance_number), (Some("TILL3"), Some(3)));
        assert_eq!(id.host.as_deref(), Some("shop03.example.com"));
    }

    /// The second of two findings of one name, and that of another instance's task, went into the first one.
    #[test]
    fn findings_of_one_name_were_one() {
        let told = |impact: &str| {
            report(&format!(
                "ADDM Report for Task 'T'\nDatabase 'TILL' with DB ID 1.\n\nFinding 1: Unusual \"Other\" Wait Event\n\
                 Impact is .5 active sessions, {impact}% of total activity.\n-----\nWait event \"a\".\n\n\
                 Finding 2: Unusual \"Other\" Wait Event\nImpact is .1 active sessions, 4% of total activity.\n\
                 -----\nWait event \"b\".\n"
            ))
        };
        let mut awr = Report::new(Identity::unknown("x", Kind::Awr, Layout::Text));
        let listed = told("12").tables.addm_finding.remove(0);
        awr.tables.addm_finding.push(AddmFinding { description: None, ..listed });
        attach(&mut awr, told("12"));
        attach(&mut awr, told("9"));
        let found: Vec<_> =
            awr.tables.addm_finding.iter().map(|f| (f.impact_pct, f.description.as_deref())).collect();
        let (a, b) = (Some("Wait event \"a\"."), Some("Wait event \"b\"."));
        assert_eq!(found, [(Some(12.0), a), (Some(4.0), b), (Some(9.0), a), (Some(4.0), b)]);
    }

    /// Each listed finding was sought among all others: 100,000 took minutes.
    #[test]
    fn listed_findings_cost_their_square() {
        let mut text = String::from("ADDM Report for Task 'T'\nSummary of Findings\n");
        for number in 1..=100_000 {
            text.push_str(&format!("{number}  Name {number}   .08 | 48.39   1\n"));
        }
        assert_eq!(report(&text).tables.addm_finding.len(), 100_000);
    }

    /// Headings in bold or behind `###` were none, and what stands below them was lost; without blank lines all
    /// of a finding was its description.
    #[test]
    fn findings_are_told_apart_however_a_copy_sets_them() {
        let printed = "ADDM Report for Task 'T'\nDatabase 'TILL' with DB ID 1.\n\n\
             Finding 1: Top SQL Statements\nImpact is .95 active sessions, 65.93% of total activity.\n\
             --------------------------------------------------------\nMany coins\nwere counted.\n\n\
             \x20  Recommendation 1: SQL Tuning\n   Estimated benefit is .7 active sessions.\n   -------\n\
             \x20  Action\n      Count once.\n      Related Object\n         SQL statement with SQL_ID 7till0000till.\n\
             \x20  Rationale\n      Counting took long.\n\n   Symptoms That Led to the Finding:\n   -------\n\
             \x20     Coins were slow.\n      Impact is .2 active sessions, 12.50% of total activity.\n\n\
             Finding 2: Hard Parse\nImpact is .05 active sessions, 3.25% of total activity.\n\
             -------------------------------------------------------\nPrices were parsed.\n\n\
             \x20  No recommendations are available.\n\n\
             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\n\
             \x20         Additional Information\n          ----------------------\n";
        let wanted = report(printed).tables.addm_finding;
        assert_eq!(wanted[0].description.as_deref(), Some("Many coins were counted."));
        let advice = Some("SQL Tuning: Count once.\nRationale: Counting took long.");
        assert_eq!(wanted[0].recommendation.as_deref(), advice);
        let marked = |before: &str, behind: &str| {
            let labels = ["Finding ", "Recommendation ", "Action", "Rationale"];
            let lines = printed.lines().map(|line| {
                let text = line.trim_start();
                if labels.iter().any(|label| text.starts_with(label)) {
                    format!("{before}{text}{behind}\n")
                } else {
                    format!("{line}\n")
                }
            });
            lines.collect::<Vec<String>>().concat()
        };
        let without = |drop: &dyn Fn(&str) -> bool| {
            let kept: Vec<&str> = printed.lines().filter(|line| !drop(line.trim())).collect();
            kept.join("\n")
        };
        let bold_labels =
            printed.replace("Finding 1:", "**Finding 1:**").replace("Finding 2:", "**Finding 2:**");
        let texts = [
            marked("**", "**"),
            marked("### ", ""),
            marked("__", "__"),
            bold_labels,
            without(&|line| line.is_empty()),
            without(&|line| line.starts_with("---")),
        ];
        for text in texts {
            let found = report(&text).tables.addm_finding;
            assert_eq!(found.len(), 2, "{text}");
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(found.finding, wanted.finding, "{text}");
                assert_eq!(found.impact_pct, wanted.impact_pct, "{text}");
                assert_eq!(found.description, wanted.description, "{text}");
                assert_eq!(found.recommendation, wanted.recommendation, "{text}");
            }
        }
    }

    #[test]
    fn findings_of_10g() {
        let read = report(
            "DETAILED ADDM REPORT FOR TASK 'T' WITH ID 1\nFINDING 1: 51% impact (309 seconds)\n-----\nSQL statements were\n\
             slow.\n\n   RECOMMENDATION 1: SQL Tuning, 24% benefit (146 seconds)\n      ACTION: Run it\n      again.\n",
        );
        let found = &read.tables.addm_finding[0];
        assert_eq!((found.finding.as_str(), found.impact_pct), ("SQL statements were slow.", Some(51.0)));
        assert_eq!(
            found.recommendation.as_deref(),
            Some("SQL Tuning, 24% benefit (146 seconds): Run it again.")
        );
    }
}
