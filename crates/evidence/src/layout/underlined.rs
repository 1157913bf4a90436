//! Tables as Debian's `html2text` writes those of a page: a line of `_` above the first row, and each row underlined,
//! so that `_` stands for the blanks of its last line, those around its cells among them.
//!
//! Inside a cell the two cannot be told apart by the text: `db_file_sequential_read` is an event with blanks,
//! `db_file_multiblock_read_count` a parameter without. The heading and the dictionary tell.

use super::text_sections::Line;
use crate::grid::fold;
use crate::names;
use std::borrow::Cow;

type Row<'a> = (u32, Vec<Cow<'a, str>>);

/// The shortest line above a table.
const SHORTEST: usize = 5;

/// Is it the line above such a table?
pub(super) fn is_top(text: &str) -> bool {
    let text = text.trim_ascii();
    text.len() >= SHORTEST && text.bytes().all(|b| b == b'_')
}

/// The line of the first such table of a text.
pub(crate) fn first(lines: &[Line<'_>]) -> Option<u32> {
    let is_row = |text: &str| text.trim_ascii_start().starts_with('|') && text.contains('_');
    let pair = lines.windows(2).find(|pair| is_top(pair[0].text) && is_row(pair[1].text))?;
    Some(pair[0].number)
}

/// The rows of such a table, by its lines; headings are among them.
pub(super) fn rows<'a>(lines: &[Line<'a>]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::with_capacity(lines.len());
    let mut open: Option<(u32, Vec<String>)> = None;
    let split: Vec<Vec<&str>> = lines.iter().map(|line| cells_of(line.text)).collect();
    let wrapped = split.iter().any(|cells| !is_underlined(cells));
    for (at, (line, cells)) in lines.iter().zip(&split).enumerate() {
        let below = split.get(at + 1).filter(|_| wrapped);
        let ends = is_underlined(cells) && !below.is_some_and(|below| goes_on(cells, below));
        let row = open.take();
        let joined = match row {
            // A row of one line, as nearly all.
            None if ends => {
                rows.push((line.number, cells.iter().map(|cell| Cow::Borrowed(cell.trim())).collect()));
                continue;
            }
            None => (line.number, cells.iter().map(|cell| cell.trim().to_owned()).collect()),
            Some((number, mut above)) if above.len() == cells.len() => {
                for (own, more) in above.iter_mut().zip(cells) {
                    let more = if ends { without_pads(more.trim()) } else { more.trim() };
                    if !own.is_empty() && !more.is_empty() && !is_broken(own) {
                        own.push(' ');
                    }
                    own.push_str(more);
                }
                (number, above)
            }
            // Of another row, or another table: each stands for itself.
            Some((number, above)) => {
                rows.push((number, above.into_iter().map(Cow::Owned).collect()));
                (line.number, cells.iter().map(|cell| cell.trim().to_owned()).collect())
            }
        };
        if ends {
            rows.push((joined.0, joined.1.into_iter().map(Cow::Owned).collect()));
        } else {
            open = Some(joined);
        }
    }
    rows.extend(open.map(|(number, cells)| (number, cells.into_iter().map(Cow::Owned).collect())));
    let headings = headings(&rows);
    let keys: Vec<String> =
        headings.checked_sub(1).map_or_else(Vec::new, |last| rows[last].1.iter().map(|c| fold(c)).collect());
    for (row, (_, cells)) in rows.iter_mut().enumerate() {
        for (column, cell) in cells.iter_mut().enumerate() {
            let heading = (row >= headings).then(|| keys.get(column).map_or("", String::as_str));
            *cell = Cow::Owned(plain(cell, heading));
        }
    }
    rows
}

/// Does a cell go on in the next line without a blank: `gc current block 2-`, `TABLE/`?
fn is_broken(cell: &str) -> bool {
    cell.strip_suffix(['-', '/']).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric()))
}

/// How many rows of headings there are: one, or two where the first groups the columns of the second.
fn headings(rows: &[Row<'_>]) -> usize {
    let named = |cells: &[Cow<'_, str>]| !cells.iter().any(|cell| begins_a_number(without_pads(cell)));
    match rows {
        [(_, groups), (_, leaves), ..] if named(groups) && named(leaves) => {
            let groups_them = groups.len() < leaves.len()
                || groups.first().is_some_and(|first| without_pads(first).is_empty());
            1 + usize::from(groups_them)
        }
        [(_, first), ..] => usize::from(named(first)),
        [] => 0,
    }
}

/// The cells of a line between bars.
fn cells_of(text: &str) -> Vec<&str> {
    let text = text.trim();
    let inner = text.strip_prefix('|').unwrap_or(text);
    inner.strip_suffix('|').unwrap_or(inner).split('|').collect()
}

/// Does a line without anything around its cells, which may be underlined or not, go on in the next one: that has
/// no first cell, or nothing where this one has a number?
fn goes_on(cells: &[&str], below: &[&str]) -> bool {
    let around = |c: &&str| c.starts_with(PADS) || c.ends_with(PADS);
    let ended = |(column, (own, below)): (usize, (&&str, &&str))| {
        (column == 0 || begins_a_number(own)) && !own.is_empty() && without_pads(below).is_empty()
    };
    cells.len() == below.len() && !cells.iter().any(around) && cells.iter().zip(below).enumerate().any(ended)
}

/// Is a line the last one of its row: `_` in place of the blanks around its cells, or nothing around any?
fn is_underlined(cells: &[&str]) -> bool {
    let around = |mark: char| cells.iter().filter(|c| c.starts_with(mark) || c.ends_with(mark)).count();
    around('_') >= around(' ')
}

fn begins_a_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !cell.starts_with("1st")
        && !cell.starts_with("2nd")
}

/// What stands around cells: the converter counts bytes, and underlines the second of a blank that does not break.
const PADS: [char; 4] = ['_', ' ', '\u{a0}', '\u{c2}'];

/// A cell without what stands around it.
fn without_pads(cell: &str) -> &str {
    cell.trim_matches(PADS)
}

/// What stands under these headings has hardly any blanks, and underscores of its own.
const NAMES: [&str; 21] = [
    "begin",
    "beginvalue",
    "cache",
    "container",
    "dbname",
    "endvalueifdifferent",
    "filename",
    "host",
    "hostname",
    "instance",
    "module",
    "objectname",
    "owner",
    "parametername",
    "pdbname",
    "servicename",
    "sqlmodule",
    "sqltext",
    "subobjectname",
    "tablespace",
    "tablespacename",
];

/// So do these, parts of the SGA.
const POOLS: [&str; 5] =
    ["buffer_cache", "db_block_hash_buckets", "fixed_sga", "log_buffer", "shared_io_pool"];

/// What a cell holds that stands below a heading, folded, or among the headings.
fn plain(cell: &str, heading: Option<&str>) -> String {
    let bare = without_pads(cell);
    let words = || bare.replace('_', " ");
    let Some(heading) = heading else { return words() };
    // A parameter that is hidden begins with one, and stands at the left of its cell.
    if heading == "parametername" && cell.starts_with('_') {
        return format!("_{bare}");
    }
    if !bare.contains('_') || POOLS.contains(&bare) {
        return bare.to_owned();
    }
    if NAMES.contains(&heading) && bare != "global_database_name" {
        // What SQL*Plus and others add to their name.
        return beside_marks(bare).replace("(TNS_V", "(TNS V");
    }
    // `23-Apr-14_18:30:05`, `15.03_(mins)`
    if begins_a_number(bare) || bare.bytes().any(|b| b.is_ascii_lowercase()) || names::is_listed(&words()) {
        return words();
    }
    // `BUSY_TIME` is one word.
    let of_words = matches!(heading, "namespace" | "class" | "waitclass" | "objtype" | "type");
    if of_words || bare.starts_with("PL/SQL_") { words() } else { bare.to_owned() }
}

/// A statement, or names: underscores stand between letters and digits, those beside anything else for blanks.
fn beside_marks(text: &str) -> String {
    let of_name = |c: Option<&char>| c.is_none_or(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#'));
    let chars: Vec<char> = text.chars().collect();
    let plain = |(at, c): (usize, &char)| {
        let inside =
            at.checked_sub(1).is_none_or(|before| of_name(chars.get(before))) && of_name(chars.get(at + 1));
        if *c == '_' && !inside { ' ' } else { *c }
    };
    chars.iter().enumerate().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    fn read(text: &str) -> Vec<Vec<String>> {
        rows(&lines(text))
            .into_iter()
            .map(|(_, row)| row.into_iter().map(Cow::into_owned).collect())
            .collect()
    }

    #[test]
    fn what_underscores_stand_for_is_told_by_headings_and_names() {
        let found = read(
            "|Event__________________|Waits__|Avg_wait_(ms)|\n|db_file_sequential_read|520,207|____________9|\n\
             |DB_CPU_________________|______ |____________ |\n|enq:_TX_-_contention___|______7|___________16|",
        );
        assert_eq!(found[0], ["Event", "Waits", "Avg wait (ms)"]);
        assert_eq!(found[1], ["db file sequential read", "520,207", "9"]);
        assert_eq!(found[2], ["DB CPU", "", ""]);
        assert_eq!(found[3][0], "enq: TX - contention");
        let found = read(
            "|Parameter_Name_______________|Begin_value|\n|_optimizer_ignore_hints______|FALSE______|\n\
             |db_file_multiblock_read_count|16_________|",
        );
        assert_eq!(found[1], ["_optimizer_ignore_hints", "FALSE"]);
        assert_eq!(found[2], ["db_file_multiblock_read_count", "16"]);
        let found = read("|Statistic|Value_|\n|BUSY_TIME|19,648|\n|User_I/O_|__.4__|");
        assert_eq!((found[1][0].as_str(), found[2][0].as_str()), ("BUSY_TIME", "User I/O"));
    }

    #[test]
    fn a_row_goes_on_up_to_its_underlined_line() {
        let found = read(
            "|Elapsed|SQL Id       |SQL Module         |\n|Time_(s)_|_____________|___________________|\n\
             |    289|49wmcd9h21j2t|sqlplus@host       |\n|_______|_____________|(TNS_V1-V3)_________|\n\
             |______3|1uk5m5qbzj1vt|___________________|",
        );
        assert_eq!(found[0], ["Elapsed Time (s)", "SQL Id", "SQL Module"]);
        assert_eq!(found[1], ["289", "49wmcd9h21j2t", "sqlplus@host (TNS V1-V3)"]);
        assert_eq!(found[2], ["3", "1uk5m5qbzj1vt", ""]);
    }
}
