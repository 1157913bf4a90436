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
    /// Why nothing could be read, where nothing could.
    pub refused: Option<String>,
}

/// Reads every report in a file's bytes. `source` names the file in the result.
#[must_use]
pub fn read(source: &str, bytes: &[u8]) -> Reading {
    let text = decode::decode(bytes);
    let mut reading = oracle::read(source, &text);
    if reading.reports.is_empty()
        && let Some(kind) = storage::kind_of(&text)
    {
        reading.refused = Some(storage::no_report(kind));
    }
    reading
}

/// What was found in one file of any kind.
#[derive(Clone, Debug, Default)]
pub struct AnyReading {
    /// Reports, in printed order.
    pub reports: Vec<Report>,
    /// Results of storage measurements, in printed order.
    pub results: Vec<StorageResult>,
    /// Why some or all of it could not be read.
    pub refused: Option<String>,
}

/// Reads every report, or every result of a storage measurement, in a file's bytes.
#[must_use]
pub fn read_any(source: &str, bytes: &[u8]) -> AnyReading {
    let text = decode::decode(bytes);
    if let Some(StorageReading { results, refused }) = storage::read(source, &text) {
        return AnyReading { reports: Vec::new(), results, refused };
    }
    let Reading { reports, refused } = oracle::read(source, &text);
    AnyReading { reports, results: Vec::new(), refused }
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
