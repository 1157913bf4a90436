//! Text to titled sections: where each begins, whatever the release puts around its title.
//!
//! A title is known by `DB/Inst:` behind it (10g and later), by `for DB: ... Instance:` (9i), by
//! the tildes under it (summary pages), or, in excerpts, by being a title that some release prints.
//! A title that comes again is the same section on its next page. Form feeds stand glued to the
//! title, alone on a line, or not at all.

use crate::grid::fold;
use memchr::{memchr_iter, memmem};
use std::borrow::Cow;

/// A line of text without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Number in the source, from 1.
    pub(crate) number: u32,
    /// Text, trailing blanks removed.
    pub(crate) text: &'a str,
    /// Leading characters that belong to a title or its underline, not to the table.
    pub(crate) blanked: usize,
    /// First byte that is no blank, 0 where there is none: tells most kinds of line apart.
    pub(crate) first: u8,
}

impl<'a> Line<'a> {
    /// A line; trailing blanks must have been removed.
    pub(crate) fn new(number: u32, text: &'a str) -> Self {
        let first = text.bytes().find(|b| *b != b' ').unwrap_or(0);
        Self { number, text, blanked: 0, first }
    }

    /// Stood the section's title here again?
    pub(crate) fn is_title_again(&self) -> bool {
        self.text.is_empty() && self.blanked > 0
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.len() <= self.blanked
    }
}

/// A titled piece of text.
#[derive(Clone, Debug)]
pub(crate) struct TextSection<'a> {
    /// Title as printed.
    pub(crate) title: Cow<'a, str>,
    /// What stands behind the title on its line (database, instance, snapshots).
    pub(crate) trailer: &'a str,
    /// Line of the title.
    pub(crate) line: u32,
    /// Lines below the title; a page break inside leaves a blank one.
    pub(crate) lines: Vec<Line<'a>>,
}

/// Splits text into lines without `\r`, `\f` and trailing blanks.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let bytes = text.as_bytes();
    let ends = memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len()));
    ends.zip(1_u32..).map(move |(end, number)| {
        let line = text.get(start..end).unwrap_or("");
        start = end + 1;
        let line = line.strip_prefix('\u{c}').unwrap_or(line);
        Line::new(number, line.trim_ascii_end())
    })
}

/// Cuts lines into sections. `is_title` says whether a folded line is a title on its own.
pub(crate) fn split<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    is_title: impl Fn(&str) -> bool,
) -> Vec<TextSection<'a>> {
    let instance = memmem::Finder::new("DB/Inst:");
    let old = memmem::Finder::new(" for DB: ");
    let two_blanks = memmem::Finder::new("  ");
    let mut sections =
        vec![TextSection { title: Cow::Borrowed(""), trailer: "", line: 1, lines: Vec::new() }];
    let mut after_gap = true;
    for line in lines {
        let text = line.text;
        let Some(first) = text.as_bytes().first() else {
            after_gap = true;
            push(&mut sections, line);
            continue;
        };
        // Shifted as a whole, as where a forum sets code in by four.
        if *first == b' '
            && line.first.is_ascii_uppercase()
            && let Some(at) = instance.find(text.as_bytes())
        {
            let title = text[..at].trim();
            if title.len() < 80 {
                begin(&mut sections, title, &text[at..], line.number);
                after_gap = true;
                continue;
            }
        }
        if first.is_ascii_uppercase() || text.starts_with("init.ora") {
            if let Some(at) = instance.find(text.as_bytes()) {
                let head = text[..at].trim_end();
                // Compare-period reports print `Title   First DB/Inst: ... Second DB/Inst: ...`.
                let title = head.strip_suffix("First").map_or(head, str::trim_end);
                if !title.is_empty() && title.len() < 80 {
                    begin(&mut sections, title, &text[at..], line.number);
                    after_gap = true;
                    continue;
                }
            } else if let Some(at) = old.find(text.as_bytes())
                && text.contains("Instance:")
            {
                begin(&mut sections, text[..at].trim_end(), &text[at + 1..], line.number);
                after_gap = true;
                continue;
            } else if after_gap
                && text.len() <= 70
                && two_blanks.find(text.as_bytes()).is_none()
                && is_title(&fold(text))
            {
                begin(&mut sections, text, "", line.number);
                continue;
            }
        }
        if line.first == b'~' && text.trim_ascii_start().starts_with("~~~") {
            underlined(&mut sections, line);
            after_gap = false;
            continue;
        }
        after_gap = line.first == b'-' && text.trim_ascii_start().starts_with("-----");
        push(&mut sections, line);
    }
    sections
}

fn push<'a>(sections: &mut [TextSection<'a>], line: Line<'a>) {
    if let Some(section) = sections.last_mut() {
        section.lines.push(line);
    }
}

fn begin<'a>(sections: &mut Vec<TextSection<'a>>, title: &'a str, trailer: &'a str, number: u32) {
    if let Some(section) = sections.last_mut()
        && section.title == title
    {
        // The next page of the same section.
        section.lines.push(Line { blanked: 1, ..Line::new(number, "") });
        return;
    }
    sections.push(TextSection { title: Cow::Borrowed(title), trailer, line: number, lines: Vec::new() });
}

/// A line of tildes makes the line above it a title; headings may stand behind both.
fn underlined<'a>(sections: &mut Vec<TextSection<'a>>, line: Line<'a>) {
    let above = sections.last_mut().and_then(|s| match s.lines.last() {
        Some(l) if !l.text.is_empty() && l.blanked == 0 && l.number + 1 == line.number => s.lines.pop(),
        _ => None,
    });
    let Some(above) = above else {
        push(sections, line);
        return;
    };
    let tildes_at = line.text.len() - line.text.trim_start().len();
    if tildes_at > above.text.len() - above.text.trim_start().len() + 8 {
        // Tildes under later columns of a row underline no title.
        push(sections, above);
        push(sections, line);
        return;
    }
    let indent = above.text.len() - above.text.trim_start().len();
    let title_length = above.text[indent..].find("  ").unwrap_or(above.text.len() - indent);
    let title = above.text[indent..indent + title_length].trim_end_matches(':').trim();
    if title.is_empty() {
        push(sections, above);
        push(sections, line);
        return;
    }
    sections.push(TextSection {
        title: Cow::Borrowed(title),
        trailer: "",
        line: above.number,
        lines: Vec::new(),
    });
    if above.text.len() > indent + title_length {
        push(sections, Line { blanked: indent + title_length, ..above });
    }
    let tildes = line.text.trim_start().bytes().take_while(|b| *b == b'~').count();
    let lead = line.text.len() - line.text.trim_start().len();
    let rest = line.text[lead + tildes..].trim();
    if rest.starts_with(['-', '~']) {
        push(sections, line);
    } else if !rest.is_empty() {
        push(sections, Line { blanked: lead + tildes, ..line });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<(String, usize)> {
        split(lines(text), |t| t == "fileiostats")
            .iter()
            .map(|s| (s.title.to_string(), s.lines.len()))
            .collect()
    }

    #[test]
    fn titles_of_every_release() {
        let text = "\u{c}Tablespace IO Stats   DB/Inst: A/a  Snaps: 1-2\r\nx\r\n\u{c}\r\n\
                    Wait Event Histogram Detail (64 msec to 2 sec)DB/Inst: A/a  Snaps: 1-2\ny\n\
                    SQL ordered by Gets for DB: A  Instance: a  Snaps: 3 -4\nz\n\
                    Load Profile              Per Second\n~~~~~~~~~~~~      ------------------\n\
                    \nFile IO Stats\nw\n";
        let found: Vec<String> = titles(text).into_iter().map(|t| t.0).collect();
        assert_eq!(
            found,
            [
                "",
                "Tablespace IO Stats",
                "Wait Event Histogram Detail (64 msec to 2 sec)",
                "SQL ordered by Gets",
                "Load Profile",
                "File IO Stats"
            ]
        );
    }

    #[test]
    fn parameters_have_a_title_in_lower_case() {
        let text = "x\n\u{c}init.ora Parameters  DB/Inst: A/a  Snaps: 1-2\ny\n";
        assert_eq!(titles(text)[1].0, "init.ora Parameters");
    }

    #[test]
    fn a_repeated_title_is_the_next_page_of_the_same_section() {
        let text =
            "File IO Stats  DB/Inst: A/a  Snaps: 1-2\na\n\u{c}File IO Stats  DB/Inst: A/a  Snaps: 1-2\nb\n";
        assert_eq!(titles(text)[1], ("File IO Stats".to_owned(), 4));
    }
}
