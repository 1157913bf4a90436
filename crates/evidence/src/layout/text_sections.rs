//! Text to titled sections: where each begins, whatever the release puts around its title.
//!
//! A title is known by `DB/Inst:` behind it (10g and later), by `for DB: ... Instance:` (9i), by
//! the tildes under it (summary pages), or, in excerpts, by being a title that some release prints.
//! A title that comes again is the same section on its next page. Form feeds stand glued to the
//! title, alone on a line, or not at all.

use super::marks::{Marks, Seen};
use super::{blanks, statement_text};
use crate::grid::fold_into;
use std::borrow::Cow;

/// A line of text without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Text, trailing blanks removed.
    pub(crate) text: &'a str,
    /// Leading characters that belong to a title or its underline, not to the table.
    pub(crate) blanked: usize,
    /// Number in the source, from 1.
    pub(crate) number: u32,
    /// First byte that is no blank, 0 where there is none: tells most kinds of line apart.
    pub(crate) first: u8,
    /// Is the text ASCII, so that bytes count as characters?
    pub(crate) ascii: bool,
    /// What the line is by itself.
    pub(crate) marks: Marks,
}

impl<'a> Line<'a> {
    /// A line; trailing blanks must have been removed.
    pub(crate) fn new(number: u32, text: &'a str) -> Self {
        Self::known(number, text, text.is_ascii())
    }

    /// The same where it is known whether the text is ASCII.
    #[inline]
    fn known(number: u32, text: &'a str, ascii: bool) -> Self {
        let (first, second) = first_filled(text.as_bytes());
        Self { number, text, blanked: 0, first, ascii, marks: Marks::of(first, second, text) }
    }

    /// Stood the section's title here again?
    pub(crate) fn is_title_again(&self) -> bool {
        self.text.is_empty() && self.blanked > 0
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.len() <= self.blanked
    }

    /// Does the line hold the sum of the instances above it, or their mean?
    pub(crate) fn is_of_instances(&self) -> bool {
        let label = self.text.trim_ascii_start();
        self.text.starts_with(' ') && (label.starts_with("Sum ") || label.starts_with("Avg "))
    }
}

/// The first byte that is no blank and the one behind it, 0 where there is none.
#[inline]
fn first_filled(bytes: &[u8]) -> (u8, u8) {
    // Most lines are not indented.
    let at = if bytes.first() == Some(&b' ') { blanks::indent(bytes) } else { 0 };
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    (byte(at), byte(at + 1))
}

/// A titled piece of text.
#[derive(Clone, Debug)]
pub(crate) struct TextSection<'s, 'a> {
    /// Title as printed.
    pub(crate) title: Cow<'a, str>,
    /// What stands behind the title on its line (database, instance, snapshots).
    pub(crate) trailer: &'a str,
    /// Line of the title.
    pub(crate) line: u32,
    /// Lines below the title; a page break inside leaves a blank one.
    pub(crate) lines: &'s [Line<'a>],
}

/// A line behind the page breaks it begins with; where a copy lost form feeds, vertical tabs stand for them.
pub(super) fn behind_page_break(text: &str) -> &str {
    text.trim_start_matches(['\u{b}', '\u{c}'])
}

/// Blank lines in a row that are kept: what stands behind more of them is as far away as it can be.
const MOST_BLANK: usize = 1_000;

/// The most lines of a text that are looked at. Those of reports are longer than 16 bytes on average by
/// far; a text of almost nothing but line ends would take many times its size in memory.
pub(crate) fn most_lines(text: &str) -> usize {
    100_000 + text.len() / 16
}

/// Splits text into lines without `\r`, `\f` and trailing blanks; not more than [`most_lines`].
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    seen_lines(text, text.is_ascii()).0
}

/// The same with what they are, where it is known whether the text is ASCII.
pub(crate) fn seen_lines(text: &str, ascii: bool) -> (Vec<Line<'_>>, Seen) {
    let most = most_lines(text);
    // Lines of reports are longer than this on average.
    let mut lines = Vec::with_capacity(most.min(text.len() / 40 + 64));
    let mut seen = Seen::default();
    let (mut from, mut number) = (0, 0_u32);
    // The last blank line, and how many stand there in a row.
    let (mut last_blank, mut blank) = (0, 0);
    blanks::each_line_end(text.as_bytes(), |end| {
        let line = text.get(from..end).unwrap_or("");
        from = end + 1;
        number += 1;
        let (line, page_ends) = match line.as_bytes() {
            // Nearly all lines.
            [b' '..=b'~', .., b'!'..=b'~'] => (line, false),
            [] => (line, false),
            _ => {
                let behind = behind_page_break(line);
                (behind.trim_ascii_end(), behind.len() < line.len())
            }
        };
        if line.is_empty() {
            blank = if last_blank + 1 == number { blank + 1 } else { 1 };
            last_blank = number;
            if blank > MOST_BLANK {
                return true;
            }
            if lines.len() >= most {
                return false;
            }
            let mut line = Line::known(number, line, true);
            if page_ends {
                line.marks.add(Marks::FORM_FEED);
            }
            seen.see_blank(&lines, &line);
            lines.push(line);
            return true;
        }
        // Headings glued to the end of a page are none of the table that it cut.
        if page_ends && lines.len() < most {
            let mut page = Line::known(number, "", true);
            page.marks.add(Marks::FORM_FEED);
            seen.see_blank(&lines, &page);
            lines.push(page);
        }
        if lines.len() >= most {
            return false;
        }
        let line = Line::known(number, line, ascii || line.is_ascii());
        seen.see_filled(&line);
        lines.push(line);
        true
    });
    seen.see_end(&lines);
    (lines, seen)
}

/// Lines from a title to its underline at most, with what was taken out between them.
const MOST_TAKEN_OUT: u32 = 5;

/// A section while its end is unknown: title, what is behind it, line, and where its lines are.
struct Open<'a> {
    title: &'a str,
    trailer: &'a str,
    line: u32,
    from: usize,
    to: usize,
}

/// Cuts lines into sections, in place. `is_title` says whether a folded line is a title on its own.
pub(crate) fn split<'s, 'a>(
    lines: &'s mut [Line<'a>],
    is_title: impl Fn(&str) -> bool,
) -> Vec<TextSection<'s, 'a>> {
    let mut folded = String::new();
    let mut open = Vec::with_capacity(64 + lines.len() / 40);
    open.push(Open { title: "", trailer: "", line: 1, from: 0, to: 0 });
    let mut after_gap = true;
    for at in 0..lines.len() {
        let line = &lines[at];
        let text = line.text;
        // Nearly all lines end here, and belong to the last section.
        match line.first {
            b'A'..=b'Z' | b'i' | b'~' => {}
            // Behind lines left out a title may follow at once.
            b'.' => {
                after_gap = line.marks.is_omission();
                continue;
            }
            // Blank lines have no first byte, nor have those of nothing but a byte 0.
            0 if text.is_empty() => {
                after_gap = true;
                continue;
            }
            // Editors number titles, and mark them up.
            b'0'..=b'9' | b'#' | b'*' | b'=' | b'[' | b'h' if text.as_bytes().first() != Some(&b' ') => {
                let marked = marked_title(text, after_gap, &mut folded, &is_title);
                after_gap = marked.is_some();
                if let Some((title, trailer)) = marked {
                    begin(&mut open, (lines, at, at), title, trailer);
                }
                continue;
            }
            b'-' => {
                after_gap = text
                    .as_bytes()
                    .get(blanks::indent(text.as_bytes())..)
                    .is_some_and(|rule| rule.starts_with(b"-----"));
                continue;
            }
            _ => {
                after_gap = false;
                continue;
            }
        }
        let Some(first) = text.as_bytes().first() else { continue };
        // Shifted as a whole, as where a forum sets code in by four.
        if *first == b' '
            && line.first.is_ascii_uppercase()
            && blanks::holds(text.as_bytes(), [b':'])
            && let Some(end) = instance_label(text)
        {
            let title = text[..end].trim();
            if title.len() < 80 {
                begin(&mut open, (lines, at, at), title, &text[end..]);
                after_gap = true;
                continue;
            }
        }
        if first.is_ascii_uppercase() || text.starts_with("init.ora") {
            let labelled = blanks::holds(text.as_bytes(), [b':']);
            if labelled && let Some(end) = instance_label(text) {
                // Of the many blanks before it, all at once.
                let (_, filled) = blanks::filled(text.as_bytes(), 0, end);
                let head = text[..filled].trim_end();
                // Compare-period reports print `Title   First DB/Inst: ... Second DB/Inst: ...`.
                let title = head.strip_suffix("First").map_or(head, str::trim_end);
                if !title.is_empty() && title.len() < 80 {
                    begin(&mut open, (lines, at, at), title, &text[end..]);
                    after_gap = true;
                    continue;
                }
                // Wrapped behind the title.
                let above = at.checked_sub(1).map(|a| lines[a]).filter(|l| l.blanked == 0);
                if title.is_empty()
                    && let Some(above) = above
                    && is_bare_title(above.text, &mut folded, &is_title)
                {
                    let own = open.last().is_some_and(|s| s.from < at);
                    begin(&mut open, (lines, at, at - usize::from(own)), above.text, &text[end..]);
                    after_gap = true;
                    continue;
                }
            } else if labelled
                && let Some(end) = old_label(text)
                && text.contains("Instance:")
            {
                begin(&mut open, (lines, at, at), text[..end].trim_end(), &text[end + 1..]);
                after_gap = true;
                continue;
            } else if labelled
                && text.as_bytes().last().is_some_and(u8::is_ascii_digit)
                && let Some(title) = before_snapshots(text)
            {
                let title = title.trim_end();
                let trailer = &text[title.len()..];
                begin(&mut open, (lines, at, at), title, trailer.trim_start());
                after_gap = true;
                continue;
            } else if (after_gap || is_moved(lines, at))
                && text.len() <= 70
                && !blanks::holds_two(text.as_bytes())
            {
                folded.clear();
                fold_into(text, &mut folded);
                // `WAIT_CLASS` heads a query's column.
                if is_title(&folded) && !blanks::holds(text.as_bytes(), [b'_']) {
                    begin(&mut open, (lines, at, at), text, "");
                    continue;
                }
            }
        }
        if line.first == b'~' && text.trim_ascii_start().starts_with("~~~") {
            // Words of a statement above such a line are no title.
            if !statement_text::is_inside(lines, at) || is_known(lines, at, &mut folded, &is_title) {
                underlined(&mut open, lines, at, title_above(lines, at, &mut folded, &is_title));
            }
            after_gap = false;
            continue;
        }
        after_gap = false;
    }
    keep_to(&mut open, lines.len());
    let lines = &*lines;
    let close = |s: Open<'a>| TextSection {
        title: Cow::Borrowed(s.title),
        trailer: s.trailer,
        line: s.line,
        lines: &lines[s.from..s.to.max(s.from)],
    };
    open.into_iter().map(close).collect()
}

/// Where the label of the database stands in a line, behind its title: `DB/Inst:`. Few lines hold a slash.
pub(crate) fn instance_label(text: &str) -> Option<usize> {
    let before = |slash: usize| {
        let (before, behind) = text.as_bytes().split_at(slash);
        before.strip_suffix(b"DB").filter(|_| behind.starts_with(b"/Inst:")).map(<[u8]>::len)
    };
    memchr::memchr_iter(b'/', text.as_bytes()).find_map(before)
}

/// The same of 9i: ` for DB: `.
pub(crate) fn old_label(text: &str) -> Option<usize> {
    let before = |colon: usize| {
        let (before, behind) = text.as_bytes().split_at(colon);
        before.strip_suffix(b" for DB").filter(|_| behind.starts_with(b": ")).map(<[u8]>::len)
    };
    memchr::memchr_iter(b':', text.as_bytes()).find_map(before)
}

/// Does a title that some release prints stand above a line?
fn is_known(lines: &[Line<'_>], at: usize, folded: &mut String, is_title: &impl Fn(&str) -> bool) -> bool {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    above.is_some_and(|above| {
        let words = above.text.trim_ascii();
        is_bare_title(words.split_once("  ").map_or(words, |(title, _)| title), folded, is_title)
    })
}

/// Does a line follow one that stands below it, or the end of a report?
fn is_moved(lines: &[Line<'_>], at: usize) -> bool {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let ends = |above: &Line<'_>| above.first == b'E' && above.text.starts_with("End of Report");
    above.is_some_and(|above| above.number > lines[at].number || ends(above))
}

/// Title and what stands behind it, of a line that an editor numbered or marked up, as `3.1 Load Profile` or
/// `## Load Profile`; behind a gap also without database and snapshots, as is known of what releases print.
fn marked_title<'a>(
    text: &'a str,
    after_gap: bool,
    folded: &mut String,
    is_title: &impl Fn(&str) -> bool,
) -> Option<(&'a str, &'a str)> {
    let labelled = if blanks::holds(text.as_bytes(), [b':']) { instance_label(text) } else { None };
    if labelled.is_none() && !(after_gap && text.len() <= 80) {
        return None;
    }
    let text = text.trim_end_matches(['*', '#', '=', ' ']);
    let text = text.strip_suffix("[/B]").or_else(|| text.strip_suffix("[/b]")).unwrap_or(text);
    let plain = behind_mark_up(text);
    let (title, trailer) = match labelled.and_then(|end| end.checked_sub(text.len() - plain.len())) {
        Some(end) => (plain.get(..end)?.trim_end(), plain.get(end..)?),
        None => (plain, ""),
    };
    let known = title.starts_with(|c: char| c.is_ascii_uppercase()) || title.starts_with("init.ora");
    let titled = !trailer.is_empty() && title.len() < 80 || is_bare_title(title, folded, is_title);
    (known && plain.len() < text.len() && titled).then_some((title, trailer))
}

/// A line without the number of a chapter and without marks of editors before it.
pub(super) fn behind_mark_up(text: &str) -> &str {
    let mut plain = text;
    for mark in ["[B]", "[b]", "h1.", "h2.", "h3.", "h4.", "h5."] {
        plain = plain.strip_prefix(mark).map_or(plain, str::trim_start);
    }
    plain = plain.trim_start_matches(['#', '*', '=']).trim_start();
    let numbered = plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')'));
    if numbered.len() < plain.len() && numbered.starts_with(' ') { numbered.trim_start() } else { plain }
}

/// The title that snapshots stand behind where database and instance are left out: `File IO Stats  Snaps: 10-11`.
pub(super) fn before_snapshots(text: &str) -> Option<&str> {
    let colon = memchr::memrchr(b':', text.as_bytes())?;
    let (label, numbers) = (text.get(..colon)?, text.get(colon + 1..)?);
    let title = label.strip_suffix("Snaps").or_else(|| label.strip_suffix("Snap"))?;
    let numbers = numbers.trim_ascii();
    let snapshots = numbers.starts_with(|c: char| c.is_ascii_digit())
        && numbers.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let words = title.trim_ascii_end();
    (snapshots
        && words.len() < title.len()
        && (3..80).contains(&words.len())
        && words.starts_with(|c: char| c.is_ascii_uppercase())
        && !words.contains(':')
        // `Begin Snap: 12`, `End Snap: 13`
        && !matches!(words, "Begin" | "End"))
    .then_some(words)
}

/// Is the whole line a title that some release prints?
fn is_bare_title(text: &str, folded: &mut String, is_title: &impl Fn(&str) -> bool) -> bool {
    folded.clear();
    if !text.is_empty() && text.len() <= 70 {
        fold_into(text, folded);
    }
    !folded.is_empty() && is_title(folded)
}

/// The lines before `to` belong to the last section.
fn keep_to(open: &mut [Open<'_>], to: usize) {
    if let Some(section) = open.last_mut() {
        section.to = to;
    }
}

/// The line at `at` holds a title; the lines of the section before it end at `to`.
fn begin<'a>(
    open: &mut Vec<Open<'a>>,
    (lines, at, to): (&mut [Line<'a>], usize, usize),
    title: &'a str,
    trailer: &'a str,
) {
    let line = lines[at].number;
    // Leading events fit one page: these are of another report.
    let whole = trailer.is_empty() && title.starts_with("Top ");
    if let Some(section) = open.last_mut()
        && section.title == title
        && !whole
        && (section.trailer == trailer || section.trailer.is_empty() || trailer.is_empty())
    {
        // The next page of the same section, or its title below a heading of somebody's own.
        if section.trailer.is_empty() {
            section.trailer = trailer;
        }
        lines[at] = Line { blanked: 1, ..Line::new(line, "") };
        return;
    }
    keep_to(open, to);
    open.push(Open { title, trailer, line, from: at + 1, to: at + 1 });
}

/// Where the title of a line of tildes stands: right above it, or above blank lines if it is one that some release prints,
/// as where a page ended between the two.
fn title_above(
    lines: &[Line<'_>],
    at: usize,
    folded: &mut String,
    is_title: &impl Fn(&str) -> bool,
) -> Option<usize> {
    /// Behind the end of a page one more stands.
    const BLANKS: usize = 3;
    let near = at.checked_sub(1)?;
    if !lines[near].is_blank() {
        return Some(near);
    }
    let above = (near.saturating_sub(BLANKS)..near).rev().find(|above| !lines[*above].is_blank())?;
    is_known(lines, above + 1, folded, is_title).then_some(above)
}

/// A line of tildes makes the line `above` it a title; headings may stand behind both.
fn underlined<'a>(open: &mut Vec<Open<'a>>, lines: &mut [Line<'a>], at: usize, above: Option<usize>) {
    let line = lines[at];
    let own = open.last().is_some_and(|s| s.from < at);
    if let Some([title, remark]) = at.checked_sub(2).and_then(|from| lines.get(from..at))
        && remark.marks.is_remark()
        && title.first.is_ascii_uppercase()
        && let Some(last) = open.last()
        && last.from < at
    {
        // 11.2 prints a remark between `Cluster Interconnect` and its tildes. What is a title of some release is
        // known by then.
        let (title, number, known) = (title.text.trim(), title.number, last.line == title.number);
        lines[at] = Line::new(line.number, "");
        if !known {
            keep_to(open, at - 2);
            open.push(Open { title, trailer: "", line: number, from: at - 1, to: at + 1 });
        }
        return;
    }
    let above = above.filter(|above| own && open.last().is_some_and(|s| s.from <= *above));
    let Some((above_at, above)) = above.map(|above| (above, lines[above])) else { return };
    // Lines may have been taken out between the two: a blank one where line ends were doubled, and the heading of a
    // page with the blank lines before it and its underline.
    let mut above = above;
    if above.text.is_empty()
        || above.blanked != 0
        || line.number.saturating_sub(above.number) > MOST_TAKEN_OUT
    {
        return;
    }
    if matches!(above.first, b'0'..=b'9' | b'#' | b'*' | b'=' | b'[' | b'h') {
        above.text = behind_mark_up(above.text);
    }
    let above = above;
    let indent = above.text.len() - above.text.trim_start().len();
    let lead = line.text.len() - line.text.trim_start().len();
    // Tildes under later columns of a row underline no title, nor do those above the sum of instances.
    let above_sum = line.marks.is_ruler() && lines.get(at + 1).is_some_and(Line::is_of_instances);
    if lead > indent + 8 || above_sum {
        return;
    }
    let title_length = above.text[indent..].find("  ").unwrap_or(above.text.len() - indent);
    let title = above.text[indent..indent + title_length].trim_end_matches(':').trim();
    // `Host CPU (CPUs:   24 Cores:   12)`: what stands in brackets is no more of the title than what stands behind.
    let title = match title.rsplit_once(" (") {
        Some((before, inside)) if !inside.contains(')') => before.trim_end(),
        _ => title,
    };
    if title.is_empty() {
        return;
    }
    keep_to(open, above_at);
    let tildes = line.text.trim_start().bytes().take_while(|b| *b == b'~').count();
    let rest = line.text[lead + tildes..].trim();
    let mut from = at + 1;
    // What stands behind the tildes goes on; the tildes themselves do not.
    if !rest.is_empty() {
        from = at;
        if !rest.starts_with(['-', '~']) {
            lines[at] = Line { blanked: lead + tildes, ..line };
        }
    }
    if above.text.len() > indent + title_length {
        from -= 1;
        lines[from] = Line { blanked: indent + title_length, ..above };
    }
    open.push(Open { title, trailer: "", line: above.number, from, to: at + 1 });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn titles(text: &str) -> Vec<(String, usize)> {
        split(&mut lines(text), |t| t == "fileiostats")
            .iter()
            .map(|s| (s.title.to_string(), s.lines.len()))
            .collect()
    }

    #[test]
    fn a_text_of_nothing_but_line_ends_takes_no_more_memory_than_itself() {
        let size = 8_000_000;
        let blank = "\n".repeat(size);
        assert!(lines(&blank).capacity() * size_of::<Line<'_>>() < 5 * size);
        assert_eq!(lines(&blank).len(), MOST_BLANK);
        let short = "a\n".repeat(size / 2);
        let found = lines(&short);
        assert!(found.capacity() * size_of::<Line<'_>>() < 5 * size);
        assert_eq!(found.len(), most_lines(&short));
    }

    #[test]
    fn lines_behind_many_blank_ones_keep_their_numbers() {
        let text = format!("a\n{}b\nc", "\n".repeat(5_000));
        let found = lines(&text);
        assert_eq!(found.len(), MOST_BLANK + 3);
        assert_eq!(found.last().map(|l| (l.text, l.number)), Some(("c", 5_003)));
    }

    proptest! {
        #[test]
        fn lines_are_those_of_splitting_and_trimming(
            text in "((\\PC|[\\x0B\\x0C\\r\\t ]){0,3}([ -~]{0,9}|-{0,30} ?|0 1|SQL> )\
                    [ \\t\\r\\x0B\\x0C]{0,2}\\n{0,3}){0,30}",
        ) {
            let mut wanted = Vec::new();
            for (number, line) in (1..).zip(text.split('\n')) {
                let behind = behind_page_break(line);
                let (line, ends) = (behind.trim_ascii_end(), behind.len() < line.len());
                if ends {
                    wanted.push((number, ""));
                }
                if !ends || !line.is_empty() {
                    wanted.push((number, line));
                }
            }
            let (found, seen) = seen_lines(&text, text.is_ascii());
            let found_lines: Vec<_> = found.iter().map(|line| (line.number, line.text)).collect();
            prop_assert_eq!(found_lines, wanted);
            prop_assert_eq!(seen, Seen::of(&found));
        }

        #[test]
        fn labels_are_found_where_they_stand(text in "([A-Z/: ]{0,4}(DB/Inst:?| for DB:? ?)?){0,4}") {
            prop_assert_eq!(instance_label(&text), text.find("DB/Inst:"));
            prop_assert_eq!(old_label(&text), text.find(" for DB: "));
        }
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
    fn a_remark_between_a_title_and_its_tildes_was_the_title() {
        let text = "x\n\nCluster Interconnect\n-> if it differs a '*' is displayed\n~~~~~~~~~~~~~~~~~~~~\n\
                    \x20         Begin\n          -----\nInterface IP\n";
        assert_eq!(titles(text)[1], ("Cluster Interconnect".to_owned(), 6));
        let known = text.replace("Cluster Interconnect", "File IO Stats");
        assert_eq!(titles(&known)[1..], [("File IO Stats".to_owned(), 6)]);
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
        // With the blank line that stands for the end of the page.
        assert_eq!(titles(text)[1], ("File IO Stats".to_owned(), 5));
    }
}
