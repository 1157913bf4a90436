//! Rows that a browser's copy broke: a cell with a block in it, as those that AWR hides since they repeat the one above,
//! stands on a line of its own, the cells before and behind it on others, and a blank line before a row that begins so.

use crate::cell::looks_numeric;

/// Cells on lines of their own are shorter, in bytes.
const LONGEST_CELL: usize = 100;
/// Lines that a row was broken into, at most.
const MOST_PIECES: usize = 12;

/// A text with its rows put together, and the line of each in the text that was given.
pub(crate) struct Whole {
    pub(crate) text: String,
    pub(crate) numbers: Vec<u32>,
}

fn tabs(line: &str) -> usize {
    memchr::memchr_iter(b'\t', line.as_bytes()).count()
}

/// Nothing, not even cells without text.
fn is_blank(line: &str) -> bool {
    tabs(line) == 0 && line.trim_ascii().is_empty()
}

/// Dashes below headings, each run as wide as its column: text as printed, which no browser copied.
fn is_ruler(line: &str) -> bool {
    let line = line.trim_ascii();
    line.starts_with("--")
        && line.contains([' ', '\t'])
        && line.bytes().all(|b| matches!(b, b'-' | b'\t' | b' '))
}

/// Is it text as printed? A copied page may hold an ADDM report, with a ruler in its summary.
fn is_printed(lines: &[&str]) -> bool {
    let of_addm = |at: usize| lines[at.saturating_sub(2)..at].iter().any(|l| l.contains("Active Sessions"));
    lines.iter().enumerate().any(|(at, line)| is_ruler(line) && !of_addm(at))
}

fn holds_a_number(line: &str) -> bool {
    line.split('\t').any(|cell| cell.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(cell))
}

/// Lines, from the first on, that make a row of so many tabs, and that row; `None` where they do not. Only rows hold
/// numbers: a title above headings that begin with a blank cell would look the same.
fn row(lines: &[&str], wanted: usize) -> Option<(usize, String)> {
    let first = lines.first()?;
    let mut found = tabs(first);
    let begins = first.ends_with('\t') || found == 0 && first.len() <= LONGEST_CELL;
    if is_blank(first) || found >= wanted || !begins {
        return None;
    }
    let mut row = (*first).to_owned();
    for (count, line) in lines.iter().enumerate().take(MOST_PIECES).skip(1) {
        if is_blank(line) || !(row.ends_with('\t') || line.starts_with('\t')) {
            return None;
        }
        found += tabs(line);
        row.push_str(line);
        if found >= wanted {
            // A last cell may be such a one, too: the next line does not begin with it.
            return (found == wanted && !row.ends_with('\t') && holds_a_number(&row))
                .then_some((count + 1, row));
        }
    }
    None
}

/// `None` where no row is broken.
pub(crate) fn put_together(text: &str) -> Option<Whole> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let can_be = |pair: &[&str]| {
        pair[1].starts_with('\t') && !is_blank(pair[0]) && (tabs(pair[0]) == 0 || pair[0].ends_with('\t'))
    };
    if !lines.windows(2).any(can_be) || is_printed(&lines) {
        return None;
    }
    let mut whole =
        Whole { text: String::with_capacity(text.len()), numbers: Vec::with_capacity(lines.len()) };
    let mut out: Vec<(u32, std::borrow::Cow<'_, str>)> = Vec::with_capacity(lines.len());
    let (mut wanted, mut changed) = (0, false);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        if let Some((count, row)) = row(&lines[at..], wanted) {
            // The blank line before it parts it from the rows above.
            let last = out.iter().rposition(|(_, line)| !is_blank(line));
            if let Some(last) = last.filter(|last| tabs(&out[*last].1) == wanted) {
                out.truncate(last + 1);
            }
            out.push((number, row.into()));
            changed = true;
            at += count;
            continue;
        }
        if tabs(line) > 1 {
            wanted = tabs(line);
        }
        out.push((number, (*line).into()));
        at += 1;
    }
    for (number, line) in out {
        whole.numbers.push(number);
        whole.text.push_str(&line);
        whole.text.push('\n');
    }
    changed.then_some(whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::put_together;

    /// Instances stood on lines of their own, and what they waited for under no heading.
    #[test]
    fn rows_that_begin_with_a_hidden_cell_were_lost() {
        let text = "I#\tClass\tEvent\tWaits\n*\tUser I/O\tdb file sequential read\t21,346\n\n*\n\tCommit\tlog file sync\t872\n\n\
                    2\n\t\nCommit\n\tlog file sync\t871\nNext\n";
        let whole = put_together(text).unwrap();
        let lines: Vec<(u32, &str)> = whole.numbers.iter().copied().zip(whole.text.lines()).collect();
        assert_eq!(lines[1], (2, "*\tUser I/O\tdb file sequential read\t21,346"));
        assert_eq!(lines[2], (4, "*\tCommit\tlog file sync\t872"));
        assert_eq!(lines[3], (7, "2\tCommit\tlog file sync\t871"));
        assert_eq!(lines[4], (11, "Next"));
    }

    /// The ruler in the summary of an ADDM report left all rows of the page broken.
    #[test]
    fn a_ruler_of_an_addm_report_was_that_of_a_printed_text() {
        let addm = "Summary of Findings\n-------------------\n   Description  Active Sessions\n                Percent of Activity\n   \
                    -----------  -------------------\n1  Commits      3 | 50\n";
        let page = "I#\tClass\tEvent\tWaits\n*\n\tCommit\tlog file sync\t872\n";
        let whole = put_together(&format!("{page}{addm}")).unwrap();
        assert!(whole.text.contains("*\tCommit\tlog file sync\t872"));
        assert!(put_together(&format!("{page}----- ------\n")).is_none());
    }

    #[test]
    fn a_title_above_headings_is_no_cell() {
        let text =
            "Name\tBegin\tEnd\nA\t1\t2\n\nLoad Profile\n\tPer Second\tPer Transaction\nRedo size:\t1\t2\n";
        assert!(put_together(text).is_none());
    }
}
