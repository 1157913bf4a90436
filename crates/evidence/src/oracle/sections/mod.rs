//! One file a section: raw tables to facts. A reader finds columns by heading, takes text and HTML
//! alike, and returns how many rows it read.

mod load_profile;
mod top_events;
mod wait_events;
pub(crate) mod wait_histogram;

use super::context::Context;
use crate::grid::Grid;
use spindle_facts::Kind;
use std::collections::HashMap;
use std::sync::LazyLock;

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

static EXACT: LazyLock<HashMap<&'static str, Read>> = LazyLock::new(|| {
    let all = SECTIONS.iter().flat_map(|(titles, read)| titles.iter().map(move |t| (*t, *read)));
    all.filter(|(title, _)| !title.ends_with('*')).collect()
});
static PREFIXES: LazyLock<Vec<(&'static str, Read)>> = LazyLock::new(|| {
    let all = SECTIONS.iter().flat_map(|(titles, read)| titles.iter().map(move |t| (*t, *read)));
    all.filter_map(|(title, read)| Some((title.strip_suffix('*')?, read))).collect()
});

/// The reader of a folded title.
pub(crate) fn find(_kind: Kind, folded: &str) -> Option<Read> {
    let prefixed = || PREFIXES.iter().find(|(prefix, _)| folded.starts_with(prefix)).map(|(_, read)| *read);
    EXACT.get(folded).copied().or_else(prefixed)
}

/// Could this folded line be a section's title standing alone, as in an excerpt?
pub(crate) fn is_title(folded: &str) -> bool {
    find(Kind::Awr, folded).is_some()
}
