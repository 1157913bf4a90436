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
mod recognise;
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
    let text = decode::decode(bytes);
    let mut found = false;
    let refused = oracle::read(source, &text, &mut |report| {
        found = true;
        emit(report)
    });
    match storage::kind_of(&text) {
        Some(kind) if !found => Some(storage::no_report(kind)),
        _ => refused,
    }
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
    let text = decode::decode(bytes);
    if let Some(StorageReading { results, refused }) = storage::read(source, &text) {
        // As long as they are wanted.
        let _wanted = results.into_iter().all(|r| emit(Found::Result(Box::new(r))));
        return refused;
    }
    oracle::read(source, &text, &mut |report| emit(Found::Report(Box::new(report))))
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
    looks(&head[..head.len().min(FIRST_LOOK)]) || looks(head)
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
