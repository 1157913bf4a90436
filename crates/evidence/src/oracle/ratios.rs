//! Ratios of the instance's efficiency without their title: somebody copied the lines below it.
//!
//! A report indents them and sets blanks between their words (`Buffer  Hit   %:`), so that the colons stand below each
//! other; notes and mails squeeze them.

use crate::cell::looks_numeric;

/// As they begin their lines.
const RATIOS: [&str; 9] = [
    "Buffer NoWait %",
    "Redo NoWait %",
    "Buffer Hit %",
    "Library Hit %",
    "Soft Parse %",
    "Execute to Parse %",
    "Latch Hit %",
    "In-memory Sort %",
    "Parse CPU to Parse Elapsd %",
];

/// Does a line begin with one of the ratios and its value?
pub(crate) fn is_ratio(line: &str) -> bool {
    let line = line.trim_ascii_start();
    // Nearly every line begins otherwise.
    let [first, second, ..] = line.as_bytes() else { return false };
    let begins = [first, second].map(u8::to_ascii_lowercase);
    if !matches!(&begins, b"bu" | b"re" | b"li" | b"so" | b"ex" | b"la" | b"in" | b"pa") {
        return false;
    }
    let Some(colon) = memchr::memchr(b':', line.as_bytes()) else { return false };
    let (label, behind) = (&line[..colon], &line[colon + 1..]);
    let is_label = |ratio: &str| {
        let mut words = label.split_ascii_whitespace();
        // Releases write `Nowait` and `NoWait`.
        let same = |word: &str| words.next().is_some_and(|own| own.eq_ignore_ascii_case(word));
        ratio.split(' ').all(same) && words.next().is_none()
    };
    // Labels begin with no blank, so that a line begins as its label does.
    let may_be = |ratio: &&&str| ratio.as_bytes()[..2].eq_ignore_ascii_case(&begins);
    RATIOS.iter().filter(may_be).any(|ratio| is_label(ratio))
        && behind.split_ascii_whitespace().next().is_some_and(looks_numeric)
}

/// Do so many lines of a text hold ratios that it is no text about one of them?
pub(crate) fn holds_ratios(text: &str) -> bool {
    /// Fewer may be quoted in words.
    const LEAST: usize = 3;
    /// In so many lines they stand in an excerpt.
    const LINES: usize = 400;
    text.lines().take(LINES).filter(|line| is_ratio(line)).take(LEAST).count() == LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_told_however_their_labels_are_spaced() {
        assert!(is_ratio("            Buffer Nowait %:   99.99       Redo NoWait %:  100.00"));
        assert!(is_ratio("            Buffer  Hit   %:   93.53    In-memory Sort %:  100.00"));
        assert!(is_ratio("Buffer Hit %: 99.1"));
        assert!(!is_ratio("Buffer Hit %: as high as you like"));
        assert!(!is_ratio("Buffer Hit % of the default pool: 99.1"));
        assert!(!is_ratio("Executes (SQL):              1,204.7               3.1"));
    }
}
