//! Lines that something folded, or cut off, at the width of its page.
//!
//! Reports are 80 characters wide. Mail programs and editors fold what is wider than their page, and copies of a
//! screen lose it: the first piece of a number then stands in the last column as if it were the number. Rulers
//! are cut with their tables, and tell.

use super::known_tables::{TABLES, is_ruler};
use super::text_ruler::runs_of;
use crate::cell::looks_numeric;

use std::collections::HashSet;
use std::sync::LazyLock;

/// What reports are printed for.
const PAGE: usize = 80;
/// Nothing folds or cuts lines at fewer characters.
const NARROWEST: usize = 60;
/// Lines that the headings of a table take, at most.
const MOST_HEADINGS: usize = 4;

/// Width of the widest line, if that is less than a report's page and no less than what folds or cuts lines.
pub(crate) fn narrow(text: &str) -> Option<usize> {
    let mut widest = 0;
    let mut from = 0;
    // As printed, one of the first rulers is as wide as the page.
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain(std::iter::once(text.len())) {
        let line = text.get(from..end).unwrap_or("");
        // Other characters take more bytes than places.
        let width = if line.len() < PAGE { line.len() } else { width(line) };
        if width >= PAGE {
            return None;
        }
        widest = widest.max(width);
        from = end + 1;
    }
    (widest >= NARROWEST).then_some(widest)
}

fn width(line: &str) -> usize {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.is_ascii() { line.len() } else { line.chars().count() }
}

/// A text with its folded lines put together again, and the line in the source of each of them.
pub(crate) struct Unfolded {
    pub(crate) text: String,
    pub(crate) numbers: Vec<u32>,
}

/// Puts together what was folded at this width: the rulers of a folded text go on in lines of dashes alone, as
/// long as what their tables lack to the width of the page.
pub(crate) fn unfolded(text: &str, at: usize) -> Option<Unfolded> {
    let lines: Vec<&str> = text.lines().collect();
    let is_dashes = |line: &str| line.ends_with('-') && line.bytes().all(|b| b == b'-' || b == b' ');
    let mut marks = None;
    for pair in lines.windows(2) {
        let ruler = pair[0].trim_start_matches(['>', ' ']);
        if !is_dashes(pair[1]) || pair[1].len() > PAGE || !is_ruler(ruler) {
            continue;
        }
        // Marks of quotation stood before the lines when they were folded.
        let before = pair[0][..pair[0].len() - ruler.len()].trim_ascii_end();
        let before = if before.is_empty() { 0 } else { before.len() + 1 };
        if width(pair[0]) < at && pair[1].starts_with('-') {
            // Mail programs wrap at blanks: there the rest is a column of its own.
            return None;
        }
        let own = pair[0].get(before..).unwrap_or(ruler);
        if marks.is_none()
            && pair[1].len() <= PAGE + before - at
            && RULERS.contains(format!("{own}{}", pair[1]).as_str())
        {
            marks = Some(before);
        }
    }
    let marks = marks?;
    let is_rest = |rest: &str| !rest.is_empty() && rest.len() <= PAGE + marks - at;
    let mut out =
        Unfolded { text: String::with_capacity(text.len()), numbers: Vec::with_capacity(lines.len()) };
    let mut goes_on = false;
    for (line, number) in lines.iter().zip(1_u32..) {
        if goes_on && is_rest(line) {
            // The end of the line above.
            out.text.pop();
            out.text.push_str(line);
            out.text.push('\n');
            goes_on = false;
            continue;
        }
        out.text.push_str(line);
        out.text.push('\n');
        out.numbers.push(number);
        goes_on = width(line) == at;
    }
    if !text.ends_with('\n') {
        out.text.pop();
    }
    Some(out)
}

/// Rulers as printed, and those of which the last column could be cut.
static RULERS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = TABLES.iter().flat_map(|table| table.head.iter().copied());
    lines.filter(|line| is_ruler(line)).map(str::trim_ascii_end).collect()
});

/// Is a line a ruler whose last column was cut: one of the known rulers begins so, and goes on?
fn is_cut_ruler(line: &str, at: usize) -> bool {
    let goes_on = |ruler: &&str| {
        ruler.len() <= PAGE && ruler.strip_prefix(line).is_some_and(|rest| !rest.contains(' '))
    };
    line.len() == at
        && line.ends_with(['-', '~'])
        && is_ruler(line)
        && !RULERS.contains(line)
        && RULERS.iter().any(goes_on)
}

/// A text whose lines were cut off at this width, with the last words unknown that may be part of a number.
/// `None` where no ruler is shorter than its table's, or nothing is left to be cut.
pub(crate) fn without_cut_ends(text: &str, at: usize) -> Option<(String, Cut)> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| is_cut_ruler(line.trim_ascii_end(), at))?;
    // What was wrapped at blanks stands below, all of it.
    let is_dashes = |line: &str| line.starts_with('-') && line.bytes().all(|b| b == b'-' || b == b' ');
    let wrapped = |pair: &[&str]| is_dashes(pair[1]) && is_ruler(pair[0].trim_start_matches(['>', ' ']));
    if lines.windows(2).any(wrapped) {
        return None;
    }
    let mut ends: Vec<Option<usize>> = lines.iter().map(|line| cut_word(line, at)).collect();
    for (ruler, line) in lines.iter().enumerate() {
        let line = line.trim_ascii();
        if !is_ruler(line) || !line.contains(' ') {
            continue;
        }
        // Headings have digits, too: `<=1s`. Without their ends they are known to nobody.
        let is_blank = |line: &usize| lines[*line].trim_ascii().is_empty();
        for heading in (0..ruler).rev().take(MOST_HEADINGS).take_while(|line| !is_blank(line)) {
            ends[heading] = None;
        }
        // Of a short number nothing may be left: the last cell of a row is unknown where it looks blank.
        let columns = runs_of(lines[ruler]).unwrap_or_default();
        let ([.., before, last], true) =
            (columns.as_slice(), is_cut_ruler(lines[ruler].trim_ascii_end(), at))
        else {
            continue;
        };
        for row in (ruler + 1..lines.len()).take_while(|line| !is_blank(line) && !is_ruler(lines[*line])) {
            let line = lines[row].trim_ascii_end();
            let filled = line.is_ascii() && line.len() == before.1;
            if filled && line.get(before.0..).is_some_and(|cell| looks_numeric(cell.trim_ascii())) {
                ends[row] = Some(last.0);
            }
        }
    }
    let mut out = String::with_capacity(text.len());
    for (line, end) in lines.iter().zip(&ends) {
        match end {
            Some(end) => {
                let kept = line.get(..*end).unwrap_or(line);
                let lost = at.saturating_sub(width(kept).max(*end)).max(1);
                out.push_str(kept);
                out.extend(std::iter::repeat_n(' ', end.saturating_sub(kept.len())));
                out.extend(std::iter::repeat_n('#', lost));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    let ends = ends.iter().flatten().count();
    (ends > 0).then(|| (out, Cut { line: u32::try_from(first + 1).unwrap_or(u32::MAX), ends }))
}

/// Where the last word begins of a line that is as wide, if it holds digits.
fn cut_word(line: &str, at: usize) -> Option<usize> {
    let filled = line.trim_ascii_end();
    let word = filled.rsplit(' ').next().unwrap_or("");
    let cut = width(filled) == at && word.bytes().any(|b| b.is_ascii_digit());
    cut.then(|| filled.len() - word.len())
}

/// Where the first ruler is that was cut, and in how many lines a word was.
pub(crate) struct Cut {
    pub(crate) line: u32,
    pub(crate) ends: usize,
}
