//! Values behind labels: `Buffer Hit %:  99.86   Latch Hit %:  99.96`.
//!
//! The summary pages of text reports, and the summary tables of HTML, print labels that end in a
//! colon and their values on the same line, one to three pairs a line.

use crate::cell::looks_numeric;
use crate::grid::Grid;
use spindle_facts::SmolStr;
use std::borrow::Cow;

/// A label without its colon, and the values behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Labelled {
    pub(super) line: u32,
    pub(super) label: String,
    pub(super) values: Vec<SmolStr>,
}

/// Labels of several words are hardly ever longer, in bytes.
const LONG: usize = 32;

/// Every labelled value of a table, or of the lines that stand loose.
pub(super) fn labelled(grid: &Grid<'_>) -> Vec<Labelled> {
    let mut found = Vec::new();
    let mut joined = String::new();
    for row in 0..grid.len() {
        joined.clear();
        for (column, cell) in grid.row(row).iter().enumerate() {
            joined.push_str(if column == 0 { "" } else { "  " });
            joined.push_str(cell.trim());
        }
        line(grid.row_line(row), &joined, &mut found);
    }
    for (number, text) in &grid.remarks {
        if !matches!(text, Cow::Borrowed(t) if t.starts_with("->")) {
            line(*number, text, &mut found);
        }
    }
    found
}

fn line(number: u32, text: &str, found: &mut Vec<Labelled>) {
    // Blanks of other alphabets, and one that few take for a blank, stand in hardly any.
    if text.is_ascii() && memchr::memchr(0x0B, text.as_bytes()).is_none() {
        line_of(number, text, text.split_ascii_whitespace(), found);
    } else {
        line_of(number, text, text.split_whitespace(), found);
    }
}

fn line_of<'t>(number: u32, text: &str, words: impl Iterator<Item = &'t str>, found: &mut Vec<Labelled>) {
    let mut label = String::new();
    let mut values: Option<Vec<SmolStr>> = None;
    // Where cells stand further apart, one blank parts the thousands of a number.
    let is_spaced = text.trim().contains("  ");
    // Is the last value nothing but the first groups of one?
    let mut groups = false;
    for word in words {
        let is_value = word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word)
            || word == "N/A"
            || word.bytes().all(|b| b == b'#');
        if let Some(values) = values.as_mut().filter(|_| is_value) {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let last = values.last_mut().filter(|_| groups && digits == 3 && is_behind_a_digit(text, word));
            let goes_on = last.is_some();
            match last {
                Some(last) => *last = format!("{last}{word}").into(),
                None => values.push(word.into()),
            }
            let first = digits <= 3 && !word.starts_with('0');
            groups = is_spaced && digits == word.len() && (first || goes_on);
            continue;
        }
        // Its unit, behind a blank or on a line of its own.
        if let Some(last) = values.as_mut().and_then(|values| values.last_mut())
            && matches!(word, "K" | "M" | "G" | "T" | "KB" | "MB" | "GB" | "TB")
            && last.ends_with(|c: char| c.is_ascii_digit())
        {
            *last = format!("{last}{}", &word[..1]).into();
            continue;
        }
        if let Some(values) = values.take() {
            found.push(Labelled { line: number, label: std::mem::take(&mut label), values });
        }
        let bare = word.trim_end_matches(':');
        if label.is_empty() {
            label.reserve(LONG);
        } else if !bare.is_empty() {
            label.push(' ');
        }
        label.push_str(bare);
        if word.ends_with(':') {
            values = Some(Vec::new());
        }
    }
    if let Some(values) = values {
        found.push(Labelled { line: number, label, values });
    }
}

/// Does a word stand one blank behind a digit?
fn is_behind_a_digit(text: &str, word: &str) -> bool {
    let at = (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let mut above = at.and_then(|at| text.get(..at)).unwrap_or("").chars().rev();
    above.next().is_some_and(char::is_whitespace) && above.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn pairs(text: &str) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        line(1, text, &mut found);
        let plain = |values: Vec<SmolStr>| values.iter().map(SmolStr::to_string).collect();
        found.into_iter().map(|l| (l.label, plain(l.values))).collect()
    }

    #[test]
    fn two_pairs_a_line() {
        let found = pairs("  Buffer  Hit   %:   99.86  Optimal W/A Exec %:  100.00");
        assert_eq!(found[0], ("Buffer Hit %".to_owned(), vec!["99.86".to_owned()]));
        assert_eq!(found[1].0, "Optimal W/A Exec %");
    }

    #[test]
    fn blank_and_overprinted_values() {
        let found = pairs("Buffer Cache:       728M              Std Block Size:         8K");
        assert_eq!(found[0].1, ["728M"]);
        assert_eq!(found[1].1, ["8K"]);
        // A blank before the unit left 4,736 bytes of it.
        let found = pairs("Buffer Cache:  4,736 M  4,736 MB  Std Block Size:  8 K");
        assert_eq!(found[0].1, ["4,736M", "4,736M"]);
        assert_eq!((found[1].0.as_str(), &found[1].1), ("Std Block Size", &vec!["8K".to_owned()]));
        assert_eq!(pairs("Rows per Sort:   ########")[0].1, ["########"]);
        // Thousands parted by blanks were 7 at the begin and 974.6 at the end.
        let found = pairs("Host Mem (MB):      7 974.6      12 345 678   Other:  66   100");
        assert_eq!(found[0].1, ["7974.6", "12345678"]);
        assert_eq!(found[1].1, ["66", "100"]);
        assert_eq!(pairs("SGA use (MB):    1\u{2009}024.0     1\u{2009}024.0")[0].1, ["1024.0", "1024.0"]);
        assert_eq!(pairs("Cursors: 66 100")[0].1, ["66", "100"], "squeezed, they may be two");
        assert_eq!(pairs("Cursors:   1234 100")[0].1, ["1234", "100"]);
        assert!(pairs("Target:")[0].1.is_empty());
        assert!(pairs("~~~~~~~   Begin   End").is_empty());
    }
}
