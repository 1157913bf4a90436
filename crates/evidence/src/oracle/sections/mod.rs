//! One file a section: raw tables to facts. A reader finds columns by heading, takes text and HTML
//! alike, and returns how many rows it read.

mod load_profile;
mod top_events;
mod wait_events;
pub(crate) mod wait_histogram;

use super::context::Context;
use crate::grid::Grid;
use spindle_facts::Kind;

/// Reads one raw table into facts; returns rows read.
pub(crate) type Read = fn(&Grid<'_>, &mut Context<'_>) -> u32;

/// Folded titles (a `*` at the end: prefix) and who reads them.
type Entry = (&'static [&'static str], Read);

/// Every section that has a reader.
static SECTIONS: &[Entry] = &[
    (load_profile::TITLES, load_profile::read),
    (top_events::TITLES, top_events::read),
    (wait_events::FOREGROUND_TITLES, wait_events::read_foreground),
    (wait_events::BACKGROUND_TITLES, wait_events::read_background),
    (wait_events::ALL_TITLES, wait_events::read_all),
    (wait_events::CLASS_TITLES, wait_events::read_classes),
    (wait_histogram::TITLES, wait_histogram::read),
];

/// The reader of a folded title.
pub(crate) fn find(_kind: Kind, folded: &str) -> Option<Read> {
    let exact = SECTIONS.iter().find(|(titles, _)| titles.contains(&folded));
    exact
        .or_else(|| {
            SECTIONS.iter().find(|(titles, _)| {
                titles.iter().any(|t| t.strip_suffix('*').is_some_and(|prefix| folded.starts_with(prefix)))
            })
        })
        .map(|(_, read)| *read)
}

/// Could this folded line be a section's title standing alone, as in an excerpt?
pub(crate) fn is_title(folded: &str) -> bool {
    find(Kind::Awr, folded).is_some()
}
