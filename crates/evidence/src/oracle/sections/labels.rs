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
    let mut label = String::new();
    let mut values: Option<Vec<SmolStr>> = None;
    for word in text.split_whitespace() {
        let is_value = word.bytes().any(|b| b.is_ascii_digit()) && looks_numeric(word)
            || word == "N/A"
            || word.bytes().all(|b| b == b'#');
        if let Some(values) = values.as_mut().filter(|_| is_value) {
            values.push(word.into());
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
        assert!(pairs("Target:")[0].1.is_empty());
        assert!(pairs("~~~~~~~   Begin   End").is_empty());
    }
}
