//! What beside reports tells where data lies and how it is read: spool files of `spindle collect`,
//! lists of segments and plans that somebody made otherwise.

mod lines;
mod rows;
pub(crate) mod spool;
mod table;

use crate::layout::html_table;
use crate::recognise;
use lines::lines;
use spindle_facts::{Collected, Kind};
use std::borrow::Cow;

/// What was found in one file.
#[derive(Clone, Debug, Default)]
pub struct CollectedReading {
    /// Its facts.
    pub collected: Option<Collected>,
    /// Why nothing could be read, where nothing could.
    pub refused: Option<String>,
}

/// Lines of a file at whose beginning its first line is looked for: banners and prompts stand before.
const LINES_BEFORE: usize = 2_000;

/// Reads a decoded text.
pub(crate) fn read(source: &str, text: &str) -> CollectedReading {
    let result = match spool_text(text) {
        Some(spool) => spool::read(source, &spool),
        None => Err(what_else(text)),
    };
    match result {
        Ok(collected) => CollectedReading { collected: Some(collected), refused: None },
        Err(reason) => CollectedReading { collected: None, refused: Some(reason) },
    }
}

/// Does anything in the text belong to a list that is read here, or to a report, which is refused
/// with its name?
pub(crate) fn looks_like_collected(head: &str) -> bool {
    const SIGNS: &[&str] = &[
        "SPINDLE|",
        "SEGMENT_NAME",
        "TABLESPACE",
        "FILE_NAME",
        "OBJECT_NAME",
        "OPERATION",
        "BYTES",
        "PLAN HASH VALUE",
        "SQL_ID",
    ];
    let head = head.to_ascii_uppercase();
    SIGNS.iter().any(|sign| head.contains(sign)) || recognise::looks_like_report(&head)
}

/// The spool file in a text: itself, or what a page or mail holds of one.
pub(crate) fn spool_text(text: &str) -> Option<Cow<'_, str>> {
    let has_first = |text: &str| lines(text).take(LINES_BEFORE).any(|l| spool::is_first(l.text));
    if text.contains("<html") || text.contains("<HTML") || text.contains("<pre") || text.contains("<br") {
        let plain = html_table::text_of(text);
        if has_first(&plain) {
            return Some(Cow::Owned(plain));
        }
    }
    if !has_first(text) {
        return None;
    }
    // Copied out of the source of a page: no angle bracket stands, and escaped ones do.
    if !text.contains(['<', '>']) && ["&lt;", "&gt;", "&amp;"].iter().any(|e| text.contains(e)) {
        return Some(Cow::Owned(html_table::text_of(text)));
    }
    Some(Cow::Borrowed(text))
}

/// What a file is that holds nothing for placement.
fn what_else(text: &str) -> String {
    let kind = lines(text).take(LINES_BEFORE).find_map(|l| recognise::kind_of_head(l.text)).or_else(|| {
        let words = html_table::text_of(text.get(..200_000).unwrap_or(text));
        lines(&words).find_map(|l| recognise::kind_of_head(l.text))
    });
    let what = match kind {
        Some(Kind::Awr) => "an AWR report",
        Some(Kind::Statspack) => "a Statspack report",
        Some(Kind::AwrCompare) => "an AWR compare-period report",
        Some(Kind::AwrSql) => "an AWR SQL report",
        Some(Kind::Addm) => "an ADDM report",
        Some(Kind::Ash) => "an ASH report",
        Some(Kind::AwrMiner) => "an AWR-miner file",
        Some(Kind::History) => "a history of snapshots",
        None => {
            return "no list of segments, plans or cached objects: neither a spool file of `spindle collect`, nor a list with \
                    headings, nor a plan of DBMS_XPLAN"
                .to_owned();
        }
    };
    format!("{what}, not what `spindle collect` gathers; give it as a PATH")
}
