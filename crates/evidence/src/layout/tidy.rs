//! Puts pasted text right before it is cut into sections: quote marks of mails, non-breaking
//! blanks, code fences.

use super::text_sections::Line;
use std::borrow::Cow;

/// Blanks of the web become blanks of a report.
pub(crate) fn plain_blanks(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() && text.contains(['\u{a0}', '\u{2007}', '\u{202f}', '\u{200b}', '\u{feff}']) {
        let blank = |c: char| matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}');
        Cow::Owned(
            text.chars()
                .filter(|c| !matches!(c, '\u{200b}' | '\u{feff}'))
                .map(|c| if blank(c) { ' ' } else { c })
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// An error of the database or of SQL*Plus, as it stands in spool files: `ORA-01403: ...`.
pub(crate) fn is_client_error(line: &Line<'_>) -> bool {
    if !matches!(line.first, b'O' | b'S' | b'P') {
        return false;
    }
    let number = ["ORA-", "SP2-", "PLS-"].iter().find_map(|prefix| line.text.strip_prefix(prefix));
    number.and_then(|n| n.split_once(':')).is_some_and(|(digits, _)| {
        (4..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Takes the quote marks off lines that stand in a quoted passage; a lone `>` is left alone, since
/// statements contain it.
pub(crate) fn unquote<'a>(lines: &mut [Line<'a>]) {
    let depth =
        |text: &str| text.bytes().take_while(|b| matches!(b, b'>' | b' ')).filter(|b| *b == b'>').count();
    let depth_of =
        |line: &Line<'_>| if line.first == b'>' && line.text.starts_with('>') { depth(line.text) } else { 0 };
    // Nearly every text ends here.
    if !lines.iter().any(|l| matches!(l.first, b'>' | b'`' | b'[' | b'{' | b'<')) {
        return;
    }
    let mut before = 0;
    for index in 0..lines.len() {
        let line = lines[index];
        let quoted = depth_of(&line);
        let last = std::mem::replace(&mut before, quoted);
        if quoted == 0 {
            let fence = matches!(line.first, b'`' | b'[' | b'{' | b'<')
                && (line.text.starts_with("```")
                    || matches!(line.text.trim(), "[code]" | "[/code]" | "{code}" | "<pre>" | "</pre>"));
            if fence {
                lines[index] = Line::new(line.number, "");
            }
            continue;
        }
        if last > 0 || lines.get(index + 1).is_some_and(|next| depth_of(next) > 0) {
            lines[index] = Line::new(line.number, strip(line.text, quoted));
        }
    }
}

/// Takes off the blanks that every line begins with, as where a forum sets code in by four.
pub(crate) fn dedent(lines: &mut [Line<'_>]) {
    let indent = |l: &Line<'_>| l.text.len() - l.text.trim_ascii_start().len();
    let mut common = usize::MAX;
    for line in lines.iter().filter(|l| !l.text.is_empty()) {
        common = common.min(indent(line));
        if common == 0 {
            return;
        }
    }
    for line in lines.iter_mut().filter(|l| !l.text.is_empty()) {
        *line = Line::new(line.number, &line.text[common..]);
    }
}

/// Text behind so many quote marks and the one blank that follows them.
fn strip(text: &str, marks: usize) -> &str {
    let mut left = marks;
    let mut rest = text;
    while left > 0 {
        let Some(at) = rest.find('>') else {
            break;
        };
        rest = &rest[at + 1..];
        left -= 1;
    }
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    rest.strip_prefix('\u{c}').unwrap_or(rest)
}

/// Statspack of 12.1 widens the first column of the host table and breaks the heading line, so that its
/// words stand over other columns: the line as other releases print it.
pub(crate) fn mend_host_heading(lines: &mut [Line<'_>]) {
    let words = |text: &str, wanted: &[&str]| text.split_whitespace().eq(wanted.iter().copied());
    // It stands on the first page.
    for at in 1..lines.len().min(60) {
        if words(lines[at].text, &["Cores", "Sockets", "Memory", "(G)"])
            && words(lines[at - 1].text, &["Host", "Name", "Platform", "CPUs"])
        {
            // In place of the second line: the ruler must follow.
            lines[at - 1] = Line::new(lines[at - 1].number, "");
            lines[at] = Line::new(
                lines[at].number,
                "Host Name             Platform                CPUs Cores Sockets   Memory (G)",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    #[test]
    fn quoted_passages_lose_their_marks_and_lone_ones_stay() {
        let mut all = lines("hello\n> Load Profile\n> ~~~~~~\n>> >   a  1\nwhere x\n> 5\nend");
        unquote(&mut all);
        let texts: Vec<&str> = all.iter().map(|l| l.text).collect();
        assert_eq!(texts, ["hello", "Load Profile", "~~~~~~", "  a  1", "where x", "> 5", "end"]);
    }
}
