//! Segments by what is done to them.
//!
//! Printed as `Segments by ...`; AWR of every release, Statspack at level 7, which in 9.2 says `Top 5 Physical
//! Reads per Segment`. Columns: owner, tablespace,
//! object, subobject, type, from 12.1 object and data object number, the value, its share, from 12.1
//! the container. Units: blocks, requests, scans, waits, as the title says. Traps: the share is of the
//! total for reads and writes, but of what was captured for waits and changes; names are clipped
//! in text, and rows take two lines from 12.2; types are clipped at five characters.

use super::captured::captured;
use crate::grid::Grid;
use crate::oracle::context::Context;
use spindle_facts::{FilledNames, SegmentStat};
use std::borrow::Cow;

pub(crate) const TITLES: &[&str] = &["segmentsby*"];

/// What a folded title ranks by: `Segments by ITL Waits`, `Top 5 ITL Waits per Segment` (Statspack of 9.2, as many as
/// somebody set).
fn ranked(folded: &str) -> Option<&str> {
    folded.strip_prefix("segmentsby").or_else(|| {
        let top = folded.strip_prefix("top")?.strip_suffix("persegment")?;
        let ranked = top.trim_start_matches(|c: char| c.is_ascii_digit());
        (ranked.len() < top.len()).then_some(ranked)
    })
}

/// Is it the title of a list of segments?
pub(crate) fn is_title(folded: &str) -> bool {
    folded.starts_with("segmentsby") || is_title_of_9i(folded)
}

/// The same, as Statspack of 9.2 prints it.
pub(crate) fn is_title_of_9i(folded: &str) -> bool {
    folded.starts_with("top") && ranking(folded).is_some()
}

/// Ranking of a folded title, and what its total is called.
pub(crate) fn ranking(folded: &str) -> Option<(&'static str, &'static str)> {
    Some(match ranked(folded)? {
        "logicalreads" => ("logical_reads", "logicalreads"),
        "physicalreads" => ("physical_reads", "physicalreads"),
        "physicalreadrequests" => ("physical_read_requests", "physicalreadrequest"),
        "unoptimizedreads" => ("unoptimized_reads", "unoptimized"),
        "optimizedreads" => ("optimized_reads", "optimized"),
        "directphysicalreads" => ("direct_reads", "directphysicalreads"),
        "physicalwrites" => ("physical_writes", "physicalwrites"),
        "physicalwriterequests" => ("physical_write_requests", "physicalwriterequest"),
        "directphysicalwrites" => ("direct_writes", "directphysicalwrites"),
        "tablescans" => ("table_scans", "tablescans"),
        "dbblockschanges" | "dbblockchanges" | "blockchanges" => ("block_changes", "changes"),
        "rowlockwaits" => ("row_lock_waits", "waits"),
        "itlwaits" => ("itl_waits", "waits"),
        "bufferbusywaits" | "bufbusywaits" => ("buffer_busy_waits", "waits"),
        "globalcachebufferbusy" | "globalcachebufferbusywaits" => ("gc_buffer_busy", "busy"),
        "crblocksreceived" => ("gc_cr_blocks_received", "crblocksreceived"),
        "currentblocksreceived" => ("gc_current_blocks_received", "currentblocksreceived"),
        "crblocksservedrac" => ("gc_cr_blocks_served", "crblocksserved"),
        "cublocksservedrac" => ("gc_current_blocks_served", "cublocksserved"),
        "globalcacheremotegrants" => ("gc_remote_grants", "grants"),
        _ => return None,
    })
}

/// Words and what headings make of them, with the letters of the word.
const SHORTENED: [(&str, &str, u32); 8] = {
    const fn of(long: &'static str, short: &'static str) -> (&'static str, &'static str, u32) {
        (long, short, letters(long.as_bytes()))
    }
    [
        of("physical", ""),
        of("phys", ""),
        of("globalcache", "gc"),
        of("blocks", "block"),
        of("bufbusy", "bufferbusy"),
        of("current", "cu"),
        of("received", "recevd"),
        of("servedrac", "served"),
    ]
};

/// A bit for each letter of a word; other characters have those of some letters.
const fn letters(word: &[u8]) -> u32 {
    let (mut all, mut at) = (0, 0);
    while at < word.len() {
        all |= 1 << (word[at] & 31);
        at += 1;
    }
    all
}

/// A folded title or heading with its words shortened, as headings do.
fn short(words: &str) -> Cow<'_, str> {
    let mut words = Cow::Borrowed(words);
    // Each of the words below holds one of these letters, or stands beside one that does.
    if !words.bytes().any(|b| matches!(b, b'y' | b'b')) {
        return words;
    }
    let mut own = letters(words.as_bytes());
    for (long, short, letters_of_long) in SHORTENED {
        // What lacks a letter of a word does not hold it.
        if own & letters_of_long == letters_of_long && words.contains(long) {
            words = Cow::Owned(words.replace(long, short));
            own = letters(words.as_bytes());
        }
    }
    words
}

pub(crate) fn read(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let folded = context.title;
    let Some((ranked_by, wanted)) = ranking(folded) else {
        return 0;
    };
    let beginnings = grid.beginnings();
    let at = |keys: &[&str]| grid.column_among(&beginnings, keys);
    let object = at(&["objectname", "segmentname"]);
    let is_share = |key: &str| key.starts_with('%') || key.starts_with("pct");
    // The column named as what the title ranks by.
    let ranked = ranked(folded).map(short);
    // Shortened, no heading is longer than it was.
    let can_be = |ranked: &str, key: &str| {
        let ends = key.as_bytes().last() == ranked.as_bytes().last();
        key.len() >= ranked.len() && (ends || SHORTENED.iter().any(|(long, ..)| key.ends_with(long)))
    };
    let is_ranked = |ranked: &str, key: &str| can_be(ranked, key) && short(key) == ranked;
    let value = ranked.and_then(|ranked| grid.columns.iter().position(|c| is_ranked(&ranked, c.key())));
    if object.is_none() || value.is_none() {
        return 0;
    }
    let (captured_pct, section_total) =
        captured(grid, wanted, context.habits.decimal_comma, context.is_html());
    let share = grid.columns.iter().position(|c| is_share(c.key()));
    let (owner, tablespace) = (at(&["owner"]), at(&["tablespacename", "tablespace"]));
    let (subobject, object_type) = (at(&["subobjectname"]), at(&["objtype"]));
    let (object_number, container) = (at(&["obj#"]), at(&["pdbname", "containername"]));
    // A report ranks its segments in some ten ways, with as many rows each.
    let sections = if context.tables().segment_stat.is_empty() { 10 } else { 1 };
    context.tables().segment_stat.reserve(sections * grid.len());
    let filled = |row: usize| FilledNames {
        owner: grid.fills(row, owner),
        tablespace: grid.fills(row, tablespace),
        object: grid.fills(row, object),
        subobject: grid.fills(row, subobject),
    };
    let mut rows = 0;
    for row in 0..grid.len() {
        let line = SegmentStat {
            line: grid.row_line(row),
            section: context.section,
            instance_number: context.instance(grid, row),
            ranked_by,
            owner: context.name(grid, row, owner),
            tablespace: context.name(grid, row, tablespace),
            object: context.name(grid, row, object),
            subobject: context.name(grid, row, subobject),
            object_type: context.name(grid, row, object_type),
            object_number: context.id(grid, row, object_number),
            container: context.name(grid, row, container),
            value: context.count(grid, row, value),
            share_pct: context.count(grid, row, share),
            captured_pct,
            section_total,
            filled: filled(row),
        };
        if line.object.is_some() || line.value.is_some() {
            context.tables().segment_stat.push(line);
            rows += 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::tried::{section, status};
    use spindle_facts::SectionStatus;

    fn rows(rows: &str) -> String {
        format!("Segments by Physical Reads  DB/Inst: TILL/till  Snaps: 10-11\n\n{HEADING}{rows}")
    }

    const HEADING: &str = "\x20          Tablespace                      Subobject  Obj.      Physical\n\
             Owner         Name    Object Name            Name     Type         Reads  %Total\n\
             ---------- ---------- -------------------- ---------- ----- ------------ -------\n";
    const NORMAL: &str = "TILL       TILL_DATA  RECEIPT_LINES        P2024_Q1   TABLE    5,738,707   59.80\n";
    const WIDE: &str = "TILL       TILL_DATA  RECEIPT_LINES        P2024_Q1   TABLE ############   59.80\n";

    #[test]
    fn a_row() {
        let report = section("11.2.0.3.0", &rows(NORMAL));
        let [row] = report.tables.segment_stat.as_slice() else { panic!("{:?}", report.tables.segment_stat) };
        assert_eq!((row.ranked_by, row.object.as_deref()), ("physical_reads", Some("RECEIPT_LINES")));
        assert_eq!((row.owner.as_deref(), row.tablespace.as_deref()), (Some("TILL"), Some("TILL_DATA")));
        assert_eq!((row.subobject.as_deref(), row.object_type.as_deref()), (Some("P2024_Q1"), Some("TABLE")));
        assert_eq!((row.value, row.share_pct), (Some(5_738_707.0), Some(59.8)));
    }

    #[test]
    fn a_cell_wider_than_its_column_is_unknown() {
        let report = section("11.2.0.3.0", &rows(WIDE));
        let [row] = report.tables.segment_stat.as_slice() else { panic!("{:?}", report.tables.segment_stat) };
        assert_eq!((row.value, row.share_pct), (None, Some(59.8)));
    }

    #[test]
    fn other_headings_are_reported_and_not_guessed() {
        let report = section("11.2.0.3.0", &rows(NORMAL).replace("Reads  %", "Gets!  %"));
        assert!(report.tables.segment_stat.is_empty(), "{:?}", report.tables.segment_stat);
        assert_eq!(status(&report), Some(SectionStatus::Unreadable));
    }
}
