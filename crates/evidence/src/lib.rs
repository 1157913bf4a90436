//! Oracle performance reports, text or HTML, to facts and reading notes.
//!
//! [`read`] takes bytes and gives every report found in them. It never fails, panics, filters,
//! ranks or rounds: what cannot be read is listed, section by section, with the reason.
//!
//! `recognise` tells the kind from the content, `layout` turns text rulers and HTML cells into one
//! raw table, `oracle::sections` turn raw tables into facts, found by heading and never by position.

mod cell;
mod collected;
mod decode;
mod grid;
mod layout;
mod names;
mod oracle;
mod plans;
mod prefixed;
mod recognise;
mod sent;
mod storage;

pub use collected::CollectedReading;
use spindle_facts::Report;
pub use storage::{StorageReading, StorageResult};

/// What was found in one file.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Reports, in printed order.
    pub reports: Vec<Report>,
    /// Why nothing, or not all of it, could be read.
    pub refused: Option<String>,
}

/// Reads every report in a file's bytes. `source` names the file in the result.
#[must_use]
pub fn read(source: &str, bytes: &[u8]) -> Reading {
    let mut reports = Vec::new();
    let refused = read_each(source, bytes, &mut |report| {
        reports.push(report);
        true
    });
    Reading { reports, refused }
}

/// Reads as [`read`], and hands over each report as soon as it stands, as long as `emit` wants more: a history
/// of a year is thousands. Returns why nothing, or not all of it, could be read.
pub fn read_each(source: &str, bytes: &[u8], emit: &mut dyn FnMut(Report) -> bool) -> Option<String> {
    read_kept(source, bytes, Kept::All, emit)
}

/// Reads as [`read_each`] what a diagnosis and its page look at: of tables of a page that are kept as printed
/// and that no rule reads (latches, services, cells of Exadata ...), the rows are counted and not kept. The
/// ledger and the notes are the same.
pub fn read_each_for_diagnosis(
    source: &str,
    bytes: &[u8],
    emit: &mut dyn FnMut(Report) -> bool,
) -> Option<String> {
    read_kept(source, bytes, Kept::ForDiagnosis, emit)
}

/// Which rows are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kept {
    #[default]
    All,
    ForDiagnosis,
}

fn read_kept(source: &str, bytes: &[u8], kept: Kept, emit: &mut dyn FnMut(Report) -> bool) -> Option<String> {
    let one = |text: &str, emit: Emit<'_>| {
        let mut found = false;
        let refused = oracle::read(source, text, kept, &mut |report| {
            found = true;
            emit(Found::Report(Box::new(report)))
        });
        // What is a report needs no look at what else it could be.
        let other = if found { None } else { storage::kind_of(text) };
        other.map(storage::no_report).or(refused)
    };
    read_sent(bytes, one, &mut |found| match found {
        Found::Report(report) => emit(*report),
        Found::Result(_) => true,
    })
}

/// Something found in a file of any kind.
#[derive(Clone, Debug)]
pub enum Found {
    /// A report.
    Report(Box<Report>),
    /// A result of a storage measurement.
    Result(Box<StorageResult>),
}

/// Reads every report, or every result of a storage measurement, in a file's bytes, and hands over each in
/// printed order, as long as `emit` wants more. Returns why some or all of it could not be read.
pub fn read_any(source: &str, bytes: &[u8], emit: &mut dyn FnMut(Found) -> bool) -> Option<String> {
    let one = |text: &str, emit: Emit<'_>| {
        if let Some(StorageReading { results, refused }) = storage::read(source, text) {
            // As long as they are wanted.
            let _wanted = results.into_iter().all(|r| emit(Found::Result(Box::new(r))));
            return refused;
        }
        oracle::read(source, text, Kept::All, &mut |report| emit(Found::Report(Box::new(report))))
    };
    read_sent(bytes, one, emit)
}

/// Takes what was found; `false` where no more is wanted.
type Emit<'e> = &'e mut dyn FnMut(Found) -> bool;

/// Reads the text of a file, or those of the parts of a mail.
fn read_sent(
    bytes: &[u8],
    read: impl Fn(&str, Emit<'_>) -> Option<String>,
    emit: Emit<'_>,
) -> Option<String> {
    let text = sent::prepared(decode::decode(bytes));
    let Some(mail) = sent::unpacked(&text) else { return read(&text, emit) };
    let mut all: Vec<Found> = Vec::new();
    let (mut done, mut refused) = (None, None);
    // Of parts that say the same, the last is the best.
    for part in mail.parts.iter().rev().filter(|part| !part.text.trim().is_empty()) {
        if done == Some(part.same_as) {
            continue;
        }
        let mut found = Vec::new();
        let why = read(&part.text, &mut |one| {
            found.push(one);
            true
        });
        if found.is_empty() {
            refused = why.or(refused);
            continue;
        }
        done = Some(part.same_as);
        let whole = mail.parts.len() == 1 && part.name.is_none() || mail.of != "a mail";
        let name = part.name.as_ref().map_or_else(String::new, |name| format!(" `{name}`"));
        let of = if whole { mail.of.to_owned() } else { format!("the part{name} of a mail") };
        let encoding = if part.encoding.is_empty() { "" } else { ", decoded from " };
        for one in &mut found {
            if let Found::Report(report) = one {
                report.notes.push(spindle_facts::Note {
                    line: None,
                    section: None,
                    message: format!("it is read from {of}{encoding}{}", part.encoding),
                    effect: "lines are counted in that text, not in the file".to_owned(),
                });
            }
        }
        all.splice(0..0, found);
    }
    if all.is_empty() {
        return Some(match mail.files.first() {
            Some(file) => {
                format!("a mail without a report in its text; save its attachment `{file}` and give that")
            }
            None => format!("{}; {}", mail.of, refused.as_deref().unwrap_or("there is no text in it")),
        });
    }
    let _wanted = all.into_iter().all(emit);
    None
}

/// Reads results of fio, Orion, iostat and their kin, or of `spindle measure --json`; `None` where the file
/// is none. `source` names the file in the result.
#[must_use]
pub fn read_storage(source: &str, bytes: &[u8]) -> Option<StorageReading> {
    storage::read(source, &decode::decode(bytes))
}

/// Could a file that begins with these bytes hold what [`read_storage`] reads?
#[must_use]
pub fn looks_like_storage(head: &[u8]) -> bool {
    storage::kind_of(&decode::decode(head)).is_some()
}

/// Reads what `spindle collect` gathers, or a list of segments, plans or cached objects that was made
/// otherwise. `source` names the file in the result.
#[must_use]
pub fn read_collected(source: &str, bytes: &[u8]) -> CollectedReading {
    let text = decode::decode(bytes);
    collected::read(source, &text)
}

/// Could a file that begins with these bytes hold a report? Cheap, and generous: meant to keep
/// gigabytes of something else from being read.
#[must_use]
pub fn looks_like_report(head: &[u8]) -> bool {
    let looks = |part: &[u8]| recognise::looks_like_report(&decode::decode(part));
    // What a mail holds is told once it is decoded.
    looks(&head[..head.len().min(FIRST_LOOK)]) || looks(head) || sent::is_mail(&decode::decode(head))
}

/// Bytes in which nearly every report has named itself, behind the styles of a page.
const FIRST_LOOK: usize = 16 << 10;

/// Are all words of a title, heading or name such as Oracle prints? What holds another word may name
/// somebody.
#[must_use]
pub fn are_oracles_words(text: &str) -> bool {
    names::are_oracles_words(text)
}

/// Is it, letter by letter, the name of an event or a statistic of Oracle's, of several words? One word may be
/// a name of a site, too.
#[must_use]
pub fn is_oracles_name(text: &str) -> bool {
    text.contains(' ')
        && (names::listed_event(text).is_some()
            || names::listed_statistic(text).is_some()
            || text.len() >= names::SHORTEST_CLIPPED && names::complete_event(text).is_some())
}

/// Could a file that begins with these bytes hold what [`read_collected`] reads? Cheap and generous.
#[must_use]
pub fn looks_like_collected(head: &[u8]) -> bool {
    collected::looks_like_collected(&decode::decode(head))
}
