//! Where the text of a statement stands in a list of statements: what it says is nothing that the report says of itself.

use super::text_sections::Line;

/// Lines above that are looked at: a report prints a few of each statement, a list of whole texts more.
const FARTHEST: usize = 200;

/// Does a row of a list of statements stand above a line, with nothing blank and no end of a table between?
pub(crate) fn is_inside(lines: &[Line<'_>], at: usize) -> bool {
    let above = lines.get(..at).unwrap_or_default().iter().rev().take(FARTHEST);
    above.take_while(|line| !ends(line)).any(|line| begins(line.text))
}

/// The same of a place in a text that is not cut into lines yet.
pub(crate) fn holds(text: &str, at: usize) -> bool {
    /// Lines that are longer are none of a report.
    const MOST_BYTES: usize = 16 << 10;
    let above = &text.as_bytes()[at.saturating_sub(MOST_BYTES)..at];
    let is_rule = |line: &[u8]| line.len() > 40 && line.trim_ascii().iter().all(|b| *b == b'-');
    let is_text = |line: &&[u8]| !line.trim_ascii().is_empty() && !is_rule(line);
    let mut above = above.rsplit(|b| *b == b'\n').skip(1).take(FARTHEST).take_while(is_text);
    above.any(|line| std::str::from_utf8(line).is_ok_and(begins))
}

/// Is it no more the text of the statement above?
pub(crate) fn ends(line: &Line<'_>) -> bool {
    line.is_blank() || line.marks.is_end()
}

/// Is it the row of a statement, of figures or of the identifier before a whole text?
pub(crate) fn begins(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let is_figure = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && word.bytes().all(|b| b.is_ascii_digit() || b",.%KMGT".contains(&b))
    };
    let is_id = || {
        first.len() == 13
            && text.starts_with(first)
            && first.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
            && first.bytes().any(|b| b.is_ascii_digit())
    };
    is_figure(first) && is_figure(second) || is_id()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rows_of_statements_are_told_from_words_of_their_text() {
        for row in
            ["      1,003,460       1,000        1,003.5   40.1  1234567", "03guhbfpak0w7 select /*+ x */ 1"]
        {
            assert!(begins(row), "{row}");
        }
        for other in ["Elapsed:   15.4 (mins)", "select 1 from dual", "   12 rows", "", "concatenated x"] {
            assert!(!begins(other), "{other}");
        }
        let text = ["  10,000   5  2,000.0", "select 'x'", "Elapsed: 5 (mins)", "", "Elapsed: 5 (mins)"];
        let lines: Vec<Line<'_>> = (1..).zip(text).map(|(number, text)| Line::new(number, text)).collect();
        assert_eq!([is_inside(&lines, 2), is_inside(&lines, 4), is_inside(&lines, 0)], [true, false, false]);
        let text = text.join("\r\n");
        let at = |word: &str| text.rfind(word).unwrap();
        assert_eq!(
            [holds(&text, at("select")), holds(&text, at("Elapsed")), holds(&text, 0)],
            [true, false, false]
        );
    }
}
