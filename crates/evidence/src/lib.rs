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

pub use collected::CollectedReading;
use spindle_facts::Report;

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
    oracle::read(source, &text)
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

/// Could a file that begins with these bytes hold what [`read_collected`] reads? Cheap and generous.
#[must_use]
pub fn looks_like_collected(head: &[u8]) -> bool {
    collected::looks_like_collected(&decode::decode(head))
}
