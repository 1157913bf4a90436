//! Spool files of `spindle collect`: tagged lines, one a row (`docs/collected-files.md`).
//!
//! Two passes. The first lists the sections: where each begins and ends, how many rows it says and
//! has, what the database answered instead. The second makes facts of the rows of those sections
//! that are whole. A list of segments that broke off would make tables look smaller than they are,
//! so nothing of it is used.

use super::lines::{Line, is_client_error, lines};
use super::rows::{self, Read};
use super::table::{Column, Doubts, Numbers, Row};
use jiff::civil::DateTime;
use spindle_facts::{Collected, Note, Section, SectionStatus};
use std::borrow::Cow;
use std::iter::Peekable;

/// Rows kept of one file: more segments than any database has that was ever seen, and a bound on
/// memory.
const MOST_ROWS: usize = 2_000_000;

/// Longest line that is put together from pieces, in bytes.
const LONGEST_JOINED: usize = 64 << 10;

/// Sections of a history, which is read like a report.
pub(crate) const HISTORY: &[&str] = &[
    "snapshots",
    "sysstat",
    "time_model",
    "system_event",
    "event_histogram",
    "iostat_function",
    "iostat_filetype",
    "file_io",
    "seg_stat",
    "sqlstat",
    "sysmetric",
    "osstat",
    "parameters",
];

/// What a line of a spool file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    First,
    Header,
    Begin,
    Row,
    End,
    Last,
    None,
}

const TAGS: &[(&str, Tag)] = &[
    ("D|", Tag::Row),
    ("SPINDLE|", Tag::First),
    ("H|", Tag::Header),
    ("B|", Tag::Begin),
    ("E|", Tag::End),
    ("Z|", Tag::Last),
];

/// A line, put together again where SQL*Plus wrapped it.
pub(crate) struct Logical<'a> {
    pub(crate) line: u32,
    pub(crate) tag: Tag,
    /// Text behind the tag, or all of an untagged line.
    pub(crate) text: Cow<'a, str>,
}

/// Tag of a line and the text behind it. Prompts may stand before the tag: fed from a pipe,
/// SQL*Plus prints them in front of the first line of its output.
fn tag(line: &str) -> (Tag, &str) {
    let of = |text: &str| TAGS.iter().find(|(sign, _)| text.starts_with(sign)).map(|(s, t)| (s.len(), *t));
    if let Some((length, tag)) = of(line) {
        return (tag, &line[length..]);
    }
    let mut rest = line;
    // Prompts are few: a longer beginning is something else.
    for _ in 0..200 {
        rest = rest.trim_start();
        if let Some((length, tag)) = of(rest) {
            return (tag, &rest[length..]);
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest = if let Some(behind) = rest.strip_prefix("SQL>").or_else(|| rest.strip_prefix('>')) {
            behind
        } else if (1..=4).contains(&digits) && rest[digits..].starts_with(' ') {
            &rest[digits..]
        } else {
            break;
        };
    }
    (Tag::None, line)
}

/// Is it the first line of a spool file?
pub(crate) fn is_first(line: &str) -> bool {
    let (tag, rest) = tag(line);
    tag == Tag::First && rest.split_once('|').is_some_and(|(format, _)| format.trim().parse::<u32>().is_ok())
}

/// Logical lines of a spool file.
struct LogicalLines<I: Iterator> {
    lines: Peekable<I>,
    /// Length of the longest tagged line: only lines as long as that can have been wrapped.
    width: usize,
}

fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// The logical lines of a text.
pub(crate) fn logical(text: &str) -> impl Iterator<Item = Logical<'_>> {
    let width = lines(text).filter(|l| tag(l.text).0 != Tag::None).map(|l| length(l.text)).max().unwrap_or(0);
    LogicalLines { lines: lines(text).peekable(), width }
}

impl<'a, I: Iterator<Item = Line<'a>>> Iterator for LogicalLines<I> {
    type Item = Logical<'a>;

    fn next(&mut self) -> Option<Logical<'a>> {
        let first = self.lines.next()?;
        let (tag, rest) = tag(first.text);
        let mut text = Cow::Borrowed(rest);
        let mut piece = first;
        while tag != Tag::None && length(piece.text) == self.width && text.len() < LONGEST_JOINED {
            let Some(next) = self.lines.next_if(continues) else { break };
            text.to_mut().push_str(next.text);
            piece = next;
        }
        Some(Logical { line: first.number, tag, text })
    }
}

fn continues(line: &Line<'_>) -> bool {
    !line.text.is_empty()
        && tag(line.text).0 == Tag::None
        && !is_client_error(line.text)
        && !line.text.starts_with("-- ")
        && !line.text.starts_with("SQL>")
}

/// A field without the escapes of the format.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = first.to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|code| match code {
            "25" => Some('%'),
            "7C" | "7c" => Some('|'),
            "0A" | "0a" => Some('\n'),
            "0D" | "0d" => Some('\r'),
            "09" => Some('\t'),
            _ => None,
        });
        match code {
            Some(sign) => {
                out.push(sign);
                out.push_str(&part[2..]);
            }
            None => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    Cow::Owned(out)
}

/// A section as the first pass finds it.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) columns: Vec<String>,
    /// Rows met, and how many the end says there are.
    rows: u64,
    said: Option<u64>,
    ended: bool,
    /// Rows whose number of cells is not that of the columns: how many, and the first line.
    torn: (u32, u32),
    /// Error of the database or of SQL*Plus inside the section, with the rows before it.
    error: Option<(u32, String, u64)>,
    /// Container of the header above it.
    container: Option<String>,
    /// A later run of the script prints it again.
    superseded: bool,
}

impl Outline {
    /// Why nothing of it is known, with the line that says so; `None` where it is whole, or printed again.
    pub(crate) fn broken_because(&self) -> Option<(u32, String)> {
        if self.superseded {
            return None;
        }
        match &self.error {
            Some((line, error, 0)) => Some((*line, format!("the database or SQL*Plus answered `{error}`"))),
            Some((line, error, before)) => Some((
                *line,
                format!("it broke off after {before} rows with `{error}`, and nothing of it is used"),
            )),
            None if !self.ended => Some((
                self.line,
                format!("it has no end: broken off after {} rows, and nothing of it is used", self.rows),
            )),
            None => None,
        }
    }

    /// Are its rows all that the database has?
    pub(crate) fn is_whole(&self) -> bool {
        self.ended && !self.superseded && self.error.as_ref().is_none_or(|(.., before)| *before == 0)
    }
}

/// A whole file as the first pass finds it.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    pub(crate) what: String,
    pub(crate) format: u32,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) sections: Vec<Outline>,
    pub(crate) notes: Vec<Note>,
    /// Databases, by identifier or name, in order of appearance.
    pub(crate) databases: Vec<String>,
    containers: Vec<String>,
    /// The last line is missing.
    is_cut: bool,
}

impl Outlines {
    /// The first value of a header line.
    pub(crate) fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str()).filter(|v| !v.is_empty())
    }

    /// What is missing of a file that broke off: the script was interrupted, or the file is cut.
    pub(crate) fn broken_off(&self) -> Option<String> {
        let open = |s: &&Outline| !s.ended && !s.superseded && s.error.is_none();
        let sections: Vec<&str> = self.sections.iter().filter(open).map(|s| s.name.as_str()).collect();
        let lost = match sections.as_slice() {
            [] => "what stood behind it is missing".to_owned(),
            names => format!("nothing is used of {}, and what stood behind is missing", names.join(", ")),
        };
        (self.is_cut || !sections.is_empty()).then(|| {
            format!("it breaks off before its last line (`Z`): {lost}; the rest is used. Run the script again, or copy the whole file")
        })
    }

    pub(crate) fn is_whole_history(&self) -> bool {
        !self.sections.is_empty() && self.sections.iter().all(|s| HISTORY.contains(&s.name.as_str()))
    }
}

/// First pass: which sections there are, and what became of each.
pub(crate) fn outline(text: &str) -> Outlines {
    let mut found = Outlines::default();
    let mut open = false;
    let mut announced: Option<(u32, String)> = None;
    let mut complete = false;
    let mut last_line = 0;
    for Logical { line, tag, text } in logical(text) {
        if tag != Tag::None {
            last_line = line;
        }
        match tag {
            Tag::First => {
                let mut words = text.split('|');
                let format = words.next().and_then(|w| w.trim().parse().ok()).unwrap_or(0);
                let what = words.next().unwrap_or_default().trim().to_owned();
                (found.format, complete, open) = (found.format.max(format), false, false);
                found.containers.push(String::new());
                if found.what.is_empty() {
                    found.what = what;
                }
            }
            Tag::Header => header(&text, &mut found),
            Tag::Begin => {
                let mut words = text.split('|').map(|w| field(w.trim()).into_owned());
                found.sections.push(Outline {
                    name: words.next().unwrap_or_default(),
                    line,
                    columns: words.map(|w| w.to_ascii_uppercase()).collect(),
                    container: found.containers.last().cloned(),
                    ..Outline::default()
                });
                (open, announced) = (true, None);
            }
            Tag::Row => {
                if let Some(section) = found.sections.last_mut().filter(|_| open) {
                    section.rows += 1;
                    if memchr::memchr_iter(b'|', text.as_bytes()).count() + 1 != section.columns.len() {
                        section.torn.0 = section.torn.0.saturating_add(1);
                        section.torn.1 = if section.torn.1 == 0 { line } else { section.torn.1 };
                    }
                }
            }
            Tag::End => {
                let (name, rows) = text.split_once('|').unwrap_or((&text, ""));
                if let Some(section) = found.sections.last_mut().filter(|s| open && s.name == name.trim()) {
                    section.ended = true;
                    section.said = rows.trim().parse().ok();
                }
                open = false;
            }
            Tag::Last => (complete, open) = (true, false),
            Tag::None => {
                if let Some(name) = text.strip_prefix("-- ").and_then(|t| t.split_once(": begins")) {
                    announced = Some((line, name.0.trim().to_owned()));
                } else if is_client_error(&text) {
                    client_error(&mut found, open, announced.take(), line, text.trim());
                }
            }
        }
    }
    found.is_cut = !complete;
    if !complete && !found.sections.is_empty() {
        found.notes.push(Note {
            line: Some(last_line),
            section: None,
            message: "the file has no last line (`Z`): the script was interrupted, or the file is cut"
                .to_owned(),
            effect: "sections that would stand behind this line are missing".to_owned(),
        });
    }
    supersede(&mut found);
    found
}

fn header(text: &str, found: &mut Outlines) {
    let Some((key, value)) = text.split_once('|') else { return };
    let (key, value) = (key.trim().to_owned(), field(value.trim()).into_owned());
    match key.as_str() {
        // Several databases may have one name, and the identifier tells them apart.
        "db_id" if !value.is_empty() && !found.databases.contains(&value) => {
            found.databases.push(value.clone());
        }
        "container" => {
            if let Some(container) = found.containers.last_mut() {
                container.clone_from(&value);
            }
        }
        _ => {}
    }
    if found.headers.len() < 1_000 {
        found.headers.push((key, value));
    }
}

fn client_error(found: &mut Outlines, open: bool, announced: Option<(u32, String)>, line: u32, text: &str) {
    let text: String = text.chars().take(200).collect();
    if open && let Some(section) = found.sections.last_mut() {
        let rows = section.rows;
        section.error.get_or_insert((line, text, rows));
    } else if let Some((begin, name)) = announced {
        let error = Some((line, text, 0));
        found.sections.push(Outline { name, line: begin, error, ..Outline::default() });
    } else if found.notes.len() < 100 {
        found.notes.push(Note {
            line: Some(line),
            section: None,
            message: format!("outside of any section stands `{text}`"),
            effect: "what the script did before or after it may be missing".to_owned(),
        });
    }
}

/// Of a section that several runs printed into one file, the last whole one counts.
fn supersede(found: &mut Outlines) {
    let mut later: std::collections::HashSet<(String, Option<String>)> = std::collections::HashSet::new();
    for section in found.sections.iter_mut().rev() {
        let key = (section.name.clone(), section.container.clone());
        if later.contains(&key) {
            section.superseded = true;
        } else if section.is_whole() {
            later.insert(key);
        }
    }
}

/// Reads a spool file; the reason where it is not one for placement.
pub(super) fn read(source: &str, text: &str) -> Result<Collected, String> {
    let outlines = outline(text);
    if outlines.format > 1 {
        return Err(format!(
            "a spool file of format {}, written by a newer `spindle collect`; read it with that version",
            outlines.format
        ));
    }
    if outlines.databases.len() > 1 {
        return Err(format!(
            "spool files of {} databases in one; give each database's files alone",
            outlines.databases.len()
        ));
    }
    if outlines.is_whole_history() {
        return Err("a history of snapshots, which is read like a report: give it to `spindle diagnose` or as a PATH of \
                    `spindle place`"
            .to_owned());
    }
    if outlines.sections.is_empty() {
        return Err("a spool file of `spindle collect` without a single section: the script broke off before its first; \
                    run it again and look at its first errors"
            .to_owned());
    }
    let mut facts = Collected { source: source.to_owned(), ..Collected::default() };
    origin(&outlines, &mut facts);
    facts.notes.clone_from(&outlines.notes);
    convert(text, &outlines, &mut facts);
    Ok(facts)
}

fn origin(outlines: &Outlines, facts: &mut Collected) {
    let text = |key: &str| outlines.header(key).map(str::to_owned);
    let origin = &mut facts.origin;
    origin.db_name = text("db_name");
    origin.db_id = outlines.header("db_id").and_then(|v| v.parse().ok());
    origin.version = text("version");
    origin.host = text("host");
    origin.platform = text("platform");
    origin.block_size_bytes = outlines.header("block_size").and_then(|v| v.parse().ok());
    origin.instance_number = outlines.header("instance").and_then(|v| v.parse().ok());
    origin.instances = outlines.header("instances").and_then(|v| v.parse().ok());
    origin.collected_at = outlines.header("now_local").and_then(time).map(|t| t.to_string());
    let mut containers = outlines.headers.iter().filter(|(k, _)| k == "container").map(|(_, v)| v);
    // Files of several containers in one are of none.
    if let Some(first) = containers.next().filter(|c| !c.is_empty())
        && containers.all(|c| c == first)
    {
        origin.container = Some(first.clone());
    }
}

/// `2026-01-31 12:00:00`
pub(crate) fn time(text: &str) -> Option<DateTime> {
    text.trim().replacen(' ', "T", 1).parse().ok()
}

/// Second pass: rows of whole sections to facts.
fn convert(text: &str, outlines: &Outlines, facts: &mut Collected) {
    let mut sections = outlines.sections.iter().peekable();
    let mut current: Option<(&Outline, Read, Vec<Column>)> = None;
    let mut doubts = Doubts::default();
    let mut left = MOST_ROWS;
    let (mut used, mut nameless) = (0_u32, (0_u32, 0_u32));
    for Logical { line, tag, text } in logical(text) {
        while let Some(next) = sections.next_if(|s| s.line <= line) {
            if let Some((section, ..)) = current.take() {
                end(section, used, nameless, std::mem::take(&mut doubts), facts);
            }
            (used, nameless) = (0, (0, 0));
            match rows::reader(&next.name) {
                Some(read) if next.is_whole() => {
                    let column = |name: &String| Column { name: name.clone(), factor: 1.0 };
                    current = Some((next, read, next.columns.iter().map(column).collect()));
                }
                reader => ledger(next, reader.is_some(), facts),
            }
        }
        if tag != Tag::Row {
            continue;
        }
        let Some((_, read, columns)) = &current else { continue };
        let cells: Vec<Cow<'_, str>> = text.split('|').map(field).take(columns.len() + 1).collect();
        if cells.len() != columns.len() {
            continue;
        }
        if left == 0 {
            continue;
        }
        let numbers = Numbers::Plain;
        let mut row = Row { line, columns, cells: &cells, numbers, doubts: &mut doubts };
        if read(&mut row, facts).is_some() {
            used = used.saturating_add(1);
            left -= 1;
        } else {
            nameless = (nameless.0.saturating_add(1), if nameless.1 == 0 { line } else { nameless.1 });
        }
    }
    if let Some((section, ..)) = current {
        end(section, used, nameless, doubts, facts);
    }
    if left == 0 {
        facts.notes.push(Note {
            line: None,
            section: None,
            message: format!("more than {MOST_ROWS} rows"),
            effect: "rows behind these are left out; split the file by container or owner".to_owned(),
        });
    }
}

/// Writes down a section whose rows were read.
fn end(section: &Outline, used: u32, nameless: (u32, u32), doubts: Doubts, facts: &mut Collected) {
    let mut note = |line: u32, message: String, effect: &str| {
        let section = Some(section.name.clone());
        facts.notes.push(Note { line: Some(line), section, message, effect: effect.to_owned() });
    };
    let incomplete = "the list is not complete: sums over it may be too small";
    if section.torn.0 > 0 {
        let message = format!(
            "{} rows are left out: wrapped or damaged, they have not as many cells as there are columns",
            section.torn.0
        );
        note(section.torn.1, message, incomplete);
    }
    if nameless.0 > 0 {
        note(nameless.1, format!("{} rows do not say what they are about", nameless.0), incomplete);
    }
    if let Some(said) = section.said.filter(|said| *said != section.rows) {
        let message = format!("its end says {said} rows, and there are {}", section.rows);
        note(section.line, message, incomplete);
    }
    let mut status = SectionStatus::Read;
    if let Some((line, error, _)) = &section.error {
        let effect = if used == 0 { rows::effect(&section.name) } else { "rows may be missing" };
        note(*line, format!("the database or SQL*Plus answered `{error}`"), effect);
        if used == 0 {
            status = SectionStatus::Unreadable;
        }
    } else if used == 0 {
        status = if section.rows == 0 { SectionStatus::Absent } else { SectionStatus::Unreadable };
    }
    facts.notes.extend(doubts.notes(&section.name));
    facts.sections.push(Section {
        title: section.name.clone(),
        line: section.line,
        status,
        rows: used,
        lost: 0,
    });
}

/// Writes down a section whose rows are not read.
fn ledger(section: &Outline, known: bool, facts: &mut Collected) {
    let title = section.name.clone();
    let rows = u32::try_from(section.rows).unwrap_or(u32::MAX);
    if section.superseded {
        facts.notes.push(Note {
            line: Some(section.line),
            section: Some(title.clone()),
            message: "the section stands in the file again: the script ran twice".to_owned(),
            effect: "the later one is used".to_owned(),
        });
    }
    if section.superseded || !known {
        facts.sections.push(Section {
            title,
            line: section.line,
            status: SectionStatus::Unknown,
            rows,
            lost: 0,
        });
        return;
    }
    let Some((line, message)) = section.broken_because() else { return };
    facts.notes.push(Note {
        line: Some(line),
        section: Some(title.clone()),
        message,
        effect: rows::effect(&title).to_owned(),
    });
    facts.sections.push(Section {
        title,
        line: section.line,
        status: SectionStatus::Unreadable,
        rows: 0,
        lost: 0,
    });
}
