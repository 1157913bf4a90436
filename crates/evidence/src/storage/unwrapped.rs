//! Tables of sysstat whose lines a mail or a narrow terminal broke in two.
//!
//! They are put together where nothing else can be meant: a line of headings is followed by words that are columns of
//! sysstat, and a row that is too short by one of exactly the missing cells, numbers all.

use super::words::number;
use std::borrow::Cow;

/// What else a column of sysstat is called, beside those with `%` before and `/s` behind.
const COLUMNS: [&str; 17] = [
    "await", "r_await", "w_await", "d_await", "f_await", "svctm", "aqu-sz", "avgqu-sz", "avgrq-sz",
    "areq-sz", "rareq-sz", "wareq-sz", "dareq-sz", "kB_read", "kB_wrtn", "Blk_read", "Blk_wrtn",
];

fn is_column(word: &str) -> bool {
    word.starts_with('%') || word.ends_with("/s") && !word.starts_with('/') || COLUMNS.contains(&word)
}

/// Are these headings without the name of a device? Rows below them are the rest of other rows.
pub(super) fn are_columns(row: &str) -> bool {
    row.split_whitespace().next().is_some() && row.split_whitespace().all(is_column)
}

fn is_number(word: &str) -> bool {
    number(&word.replacen(',', ".", 1)).is_some()
}

/// Lines with their numbers, broken ones put together. `headings` counts the words of a line of headings whose first is the
/// name of the device or the time before it.
pub(super) fn rows<'a>(
    text: &'a str,
    first: u32,
    longest: usize,
    headings: fn(&str) -> Option<usize>,
) -> Vec<(u32, Cow<'a, str>)> {
    let mut out: Vec<(u32, Cow<'a, str>)> = Vec::new();
    let mut lines = (first..).zip(text.lines()).peekable();
    let mut columns = None;
    while let Some((line, row)) = lines.next() {
        let next = lines.peek().map(|(_, next)| *next).filter(|next| row.len() + next.len() < longest);
        let is_broken = if row.trim().is_empty() || row.len() > longest {
            columns = None;
            false
        } else if let Some(words) = headings(row) {
            let rest = next.filter(|next| are_columns(next)).map(|next| next.split_whitespace().count());
            columns = Some(words + rest.unwrap_or(0));
            rest.is_some()
        } else if let Some(columns) = columns {
            let words = row.split_whitespace().count();
            // Their time has no AM or PM.
            let average = row.trim_start().starts_with("Average:");
            let missing = |next: &str| {
                let rest = next.split_whitespace().count();
                next.split_whitespace().all(is_number)
                    && (words + rest == columns || average && words + rest + 1 == columns)
            };
            let begins = row.split_whitespace().next().is_some_and(|word| !is_number(word));
            words > 1 && words < columns && begins && next.is_some_and(missing)
        } else {
            false
        };
        match next.filter(|_| is_broken) {
            Some(rest) => {
                lines.next();
                out.push((line, Cow::Owned(format!("{} {}", row.trim_end(), rest.trim_start()))));
            }
            None => out.push((line, Cow::Borrowed(row))),
        }
    }
    out
}
