//! What a line of text is by itself, told once: passes over a report ask it again and again, and what no
//! line is need not be looked for.

use super::blanks;
use super::text_sections::Line;
use super::{blank_groups, tidy};
use crate::oracle::addm;
use crate::recognise;
use crate::sent::paged::MORE;
use memchr::memchr;

/// How lines begin of which something can be said, and which letters stand behind the first one then, where it is
/// one of few. 0xE2 begins an ellipsis.
const BEGINS: &[(&[u8], &[u8])] = &[
    (b"-~=.[(<*|\xE2>#`{\t\r\x0CB", b""),
    (b"W", b"O"),
    (b"D", b"EB"),
    (b"A", b"DS"),
    (b"S", b"TtPQ"),
    (b"O", b"RU"),
    (b"P", b"La"),
    (b"E0", b"l "),
];

/// A bit for each of them, by the first byte; where they share one with the second byte, something can be said.
const FIRSTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut nth = 0;
    while nth < BEGINS.len() {
        let mut at = 0;
        while at < BEGINS[nth].0.len() {
            table[BEGINS[nth].0[at] as usize] = 1 << nth;
            at += 1;
        }
        nth += 1;
    }
    table
};

/// The same by the second byte.
const SECONDS: [u8; 256] = {
    // Whatever stands behind the first ones.
    let mut table = [1; 256];
    let mut nth = 0;
    while nth < BEGINS.len() {
        let mut at = 0;
        while at < BEGINS[nth].1.len() {
            table[BEGINS[nth].1[at] as usize] |= 1 << nth;
            at += 1;
        }
        nth += 1;
    }
    table
};

/// What a line is, whatever stands around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u16);

impl Marks {
    /// Dashes under headings: where columns are.
    pub(crate) const RULER: Self = Self(1);
    /// A single run of dashes far to the right: the end of a table.
    pub(crate) const END: Self = Self(2);
    /// A remark of Oracle's below a title.
    pub(crate) const REMARK: Self = Self(4);
    /// Somebody left lines out here: `...`, `[...]`, `<snip>`.
    pub(crate) const OMISSION: Self = Self(8);
    /// The words that begin a report.
    pub(crate) const HEAD: Self = Self(16);
    /// A label of the first snapshot, or of the time from it to the last one: another may be of another report.
    pub(crate) const SNAPSHOT: Self = Self(32);
    /// An error of the client, or what a pager asks.
    pub(crate) const ERROR: Self = Self(64);
    /// The heading that SQL*Plus prints on every page.
    pub(crate) const PAGE: Self = Self(128);
    /// `>`: may be quoted.
    pub(crate) const QUOTED: Self = Self(256);
    /// What stands around code.
    pub(crate) const FENCE: Self = Self(512);
    /// `#`: may be a comment.
    pub(crate) const COMMENT: Self = Self(1024);
    /// `|`: may be quoted, or a cell.
    pub(crate) const BAR: Self = Self(2048);
    /// A link back to the top of a page.
    pub(crate) const LINK: Self = Self(4096);
    /// The number of a page, as printers and converters put it on each: `Page 3 of 84`.
    pub(crate) const NUMBERED: Self = Self(8192);
    /// Nothing but the end of a page, which may come between any two lines.
    pub(crate) const FORM_FEED: Self = Self(16384);

    /// May stand there for a program's sake: the prompt of SQL*Plus, the begin of an index, a rule around a table, a
    /// report on one line. No kind of line by itself.
    pub(crate) const ADDED: Self = Self(32768);

    /// What a line is whose first bytes that are no blanks are these.
    #[inline]
    pub(super) fn of(first: u8, second: u8, text: &str) -> Self {
        // Nearly every line ends here.
        if FIRSTS[usize::from(first)] & SECONDS[usize::from(second)] == 0 {
            return Self::default();
        }
        Self::of_beginning(first, second, text)
    }

    #[inline(never)]
    fn of_beginning(first: u8, second: u8, text: &str) -> Self {
        match (first, second) {
            (b'-' | b'~' | b'=' | b'.' | b'[' | b'(' | b'<' | b'*' | b'|' | 0xE2, _) => {
                Self::of_mark(first, second, text)
            }
            (b'B', _) => Self::of_b(text),
            (b'A', b'D') if addm::is_on_one_line(text) => Self::ADDED.and(Self::of_head(text)),
            (b'W', b'O') | (b'D', b'E') | (b'A', b'D' | b'S') | (b'S', b'T' | b't') => Self::of_head(text),
            (b'O', b'R') | (b'S', b'P') | (b'P', b'L') if tidy::is_client_error(text) => Self::ERROR,
            (b'O', b'U') if text == tidy::PAGE_HEADING => Self::PAGE,
            (b'D', b'B') if tidy::is_call_of_a_report(text) => Self::PAGE,
            (b'P', b'a') if tidy::numbered_page(text).is_some() => Self::NUMBERED,
            (b'0', b' ') if text.starts_with('0') => Self::ADDED,
            (b'S', b'Q') if text.starts_with(tidy::PROMPT) => Self::ADDED,
            (b'E', b'l') if text.trim_ascii_start().starts_with("Elapsed:") => Self::SNAPSHOT,
            (b'A'..=b'Z' | b'0', _) => Self::default(),
            _ => Self::around(first, text),
        }
    }

    /// The same of a line that begins as a head does.
    fn of_head(text: &str) -> Self {
        if recognise::kind_of_head(text).is_some() { Self::HEAD } else { Self::default() }
    }

    /// The same of a line that begins with a mark.
    fn of_mark(first: u8, second: u8, text: &str) -> Self {
        // Half of these lines are remarks, and no rules.
        if (first, second) == (b'-', b'>') {
            return if is_omission(text) { Self::REMARK.and(Self::OMISSION) } else { Self::REMARK };
        }
        if second != b'>' {
            // Rules are nothing else.
            if matches!(first, b'-' | b'~' | b'=')
                && let Some(rule) = Self::of_rule(first, text)
            {
                return rule;
            }
            if is_end_rule(text) {
                return Self::END;
            }
            if is_ruler(text) {
                return Self::of_ruler(first);
            }
            if text == MORE {
                return Self::ERROR;
            }
        }
        let mut marks = Self::around(first, text);
        if is_omission(text) {
            marks.add(Self::OMISSION);
        }
        if first == b'[' && tidy::is_link(text) {
            marks.add(Self::LINK);
        }
        marks
    }

    /// The same of a line that begins with `B`.
    fn of_b(text: &str) -> Self {
        let mut marks = Self::default();
        if is_snapshot(text) {
            marks.add(Self::SNAPSHOT);
        }
        if tidy::is_link(text) {
            marks.add(Self::LINK);
        }
        marks
    }

    /// What stands around a report, and before its head.
    fn around(first: u8, text: &str) -> Self {
        let marks = match first {
            b'>' => Self::QUOTED,
            b'#' => Self::COMMENT,
            b'|' => Self::BAR,
            b'`' | b'[' | b'{' | b'<' if tidy::is_fence(text) => Self::FENCE,
            _ => Self::default(),
        };
        if recognise::can_begin_head(first) { marks.and(Self::of_head(text)) } else { marks }
    }

    /// The same of a line of nothing but blanks and one mark; `None` of another.
    fn of_rule(mark: u8, text: &str) -> Option<Self> {
        let indent = blanks::indent(text.as_bytes());
        let rule = &text.as_bytes()[indent..];
        let (eights, rest) = rule.as_chunks::<8>();
        let is_one = eights.iter().all(|eight| *eight == [mark; 8]) && rest.iter().all(|b| *b == mark);
        if !is_one && !blanks::is_only(rule, mark) {
            return None;
        }
        if mark == b'-' && is_one && indent >= FAR && rule.len() >= LONG {
            return Some(Self::END);
        }
        let is_three = |three: &[u8]| three == [mark; 3];
        // Nearly always the first ones.
        let holds_three = rule.get(..3).is_some_and(is_three) || rule.windows(3).any(is_three);
        let is_ruler = holds_three && !(is_one && mark == b'~');
        Some(if is_ruler { Self::of_ruler(mark) } else { Self::default() })
    }

    /// The same of a ruler that begins with a mark.
    fn of_ruler(first: u8) -> Self {
        if first == b'=' { Self::RULER.and(Self::ADDED) } else { Self::RULER }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Is any of these among them?
    #[inline]
    pub(crate) fn holds(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_ruler(self) -> bool {
        self.holds(Self::RULER)
    }

    pub(crate) fn is_end(self) -> bool {
        self.holds(Self::END)
    }

    pub(crate) fn is_remark(self) -> bool {
        self.holds(Self::REMARK)
    }

    pub(crate) fn is_omission(self) -> bool {
        self.holds(Self::OMISSION)
    }

    pub(crate) fn is_form_feed(self) -> bool {
        self.holds(Self::FORM_FEED)
    }

    /// Is there nothing to be said of the line?
    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.0 & !Self::ADDED.0 == 0
    }
}

/// What the lines of a text are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// What any of them is.
    pub(crate) marks: Marks,
    /// Does a ruler stand between blank lines?
    pub(crate) lone_ruler: bool,
    /// May a ruler above a blank line end a table, set in less far than rules that do?
    pub(crate) low_end: bool,
    /// May a line end in the number of a page?
    pub(crate) page_number: bool,
    /// Does the head print decimals behind a comma?
    pub(crate) decimal_comma: bool,
}

impl Seen {
    /// Of lines that were changed.
    pub(crate) fn of(lines: &[Line<'_>]) -> Self {
        let mut seen = Self::default();
        for (at, line) in lines.iter().enumerate() {
            if line.text.is_empty() {
                seen.see_blank(&lines[..at], line);
            } else {
                seen.see_filled(line);
            }
        }
        seen.see_end(lines);
        seen
    }

    /// One line more, which has a text.
    #[inline]
    pub(super) fn see_filled(&mut self, line: &Line<'_>) {
        if tidy::can_number_page(line.text.as_bytes()) {
            self.page_number = true;
        }
        // Nearly every line ends here.
        if line.marks != Marks::default() {
            self.marks.add(line.marks);
            if line.marks.holds(Marks::SNAPSHOT) && blank_groups::has_decimal_comma(line.text) {
                self.decimal_comma = true;
            }
        }
    }

    /// One line more, which has none, behind others.
    #[inline]
    pub(super) fn see_blank(&mut self, before: &[Line<'_>], line: &Line<'_>) {
        self.marks.add(line.marks);
        if let [.., above, ruler] = before
            && ruler.marks.is_ruler()
        {
            self.lone_ruler |= above.text.is_empty();
            self.low_end |= is_long_rule(ruler);
        }
    }

    /// The end of the text, behind its lines.
    pub(super) fn see_end(&mut self, lines: &[Line<'_>]) {
        self.low_end |= lines.last().is_some_and(|last| last.marks.is_ruler() && is_long_rule(last));
    }
}

/// Is a ruler one run of dashes, as long as those that end tables?
fn is_long_rule(line: &Line<'_>) -> bool {
    let dashes = line.text.trim_ascii();
    dashes.len() >= LONG && dashes.bytes().all(|b| b == b'-')
}

/// Where rules were moved to the left, as editors and mails do that centre them, those that end tables look
/// like rulers: they stand below a row and above nothing, or the title of a section.
pub(crate) fn mark_low_ends(lines: &mut [Line<'_>]) {
    let mut open = false;
    for at in 0..lines.len() {
        let line = lines[at];
        if line.marks.is_end() || line.marks.holds(Marks::HEAD) {
            open = false;
        }
        if !line.marks.is_ruler() {
            continue;
        }
        let is_title = |line: &Line<'_>| line.text.contains("DB/Inst:") || line.text.contains(" for DB: ");
        let nothing_below = lines.get(at + 1).is_none_or(|below| below.text.is_empty() || is_title(below));
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        let empty = above.is_some_and(|above| above.text.trim_ascii_start().starts_with("No data exists"));
        let ends = (open || empty)
            && nothing_below
            && is_long_rule(&line)
            && above.is_some_and(|above| !above.marks.is_ruler() && !is_underlined(above, &line));
        if ends {
            lines[at].marks = Marks::END;
        }
        open = !ends && (open || !nothing_below);
    }
}

/// Does a rule begin and end where the words above it do?
fn is_underlined(words: &Line<'_>, rule: &Line<'_>) -> bool {
    let indent = |line: &Line<'_>| blanks::indent(line.text.as_bytes());
    !words.text.is_empty()
        && !words.text.trim_ascii().contains("  ")
        && indent(words).abs_diff(indent(rule)) <= 1
        && words.text.len().abs_diff(rule.text.len()) <= 2
}

fn is_snapshot(text: &str) -> bool {
    blanks::holds(text.as_bytes(), [b':']) && text.contains("Begin Snap:")
}

/// So far to the right begins the rule that ends a table, and so many dashes it has, at least.
const FAR: usize = 8;
const LONG: usize = 20;

/// A single run of dashes far to the right ends a table.
pub(crate) fn is_end_rule(text: &str) -> bool {
    let trimmed = text.trim_ascii_start();
    let indent = text.len() - trimmed.len();
    let (eights, rest) = trimmed.as_bytes().as_chunks::<8>();
    trimmed.len() >= LONG
        && indent >= FAR
        && eights.iter().all(|eight| eight == b"--------")
        && rest.iter().all(|b| *b == b'-')
}

/// Runs of dashes, tildes or equal signs, one of them of three at least; tildes alone underline a title.
fn is_ruler(text: &str) -> bool {
    let (mut runs, mut length, mut longest) = (0_usize, 0_usize, 0_usize);
    let mut rest = text.as_bytes();
    while let Some(first) = rest.first() {
        let step = if rest.starts_with(b"--------") { 8 } else { 1 };
        match first {
            b' ' => length = 0,
            b'-' | b'~' | b'=' => {
                runs += usize::from(length == 0);
                length += step;
                longest = longest.max(length);
            }
            _ => return false,
        }
        rest = &rest[step..];
    }
    longest >= 3 && !(runs == 1 && text.trim_ascii_start().starts_with('~'))
}

fn is_omission(text: &str) -> bool {
    const AROUND: [char; 12] = ['.', '\u{2026}', '[', ']', '(', ')', '<', '>', '-', '*', ' ', '|'];
    // Rulers and remarks end here, byte by byte.
    let around =
        |b: &u8| matches!(b, b'.' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'-' | b'*' | b' ' | b'|');
    let word = text.bytes().position(|b| !around(&b));
    let Some(word) = word else {
        return memchr(b'.', text.as_bytes()).is_some();
    };
    if !matches!(text.as_bytes()[word], b's' | b'c' | b'o' | 0xE2) {
        return false;
    }
    let inner = text.trim_matches(AROUND);
    inner.is_empty() && text.contains(['.', '\u{2026}'])
        || matches!(inner, "snip" | "cut" | "skipped" | "omitted")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rules of one mark are told without looking at each byte.
        #[test]
        fn rules_are_those_of_runs(text in " {0,12}([-~=]{1,3}|-{1,40}|~{1,9}|={1,9})( {0,2}-{0,9}| {0,2}[~=-]{0,3})") {
            let text = text.trim_end();
            let marks = Line::new(1, text).marks;
            let end = is_end_rule(text);
            prop_assert_eq!(marks.is_end(), end);
            prop_assert_eq!(marks.is_ruler(), !end && is_ruler(text));
        }

        /// A page's number stands in no line of which that cannot be told by its end.
        #[test]
        fn pages_are_numbered_where_they_can_be(
            text in "( |Tue Mar 14 ){0,2} {2,5}(page|Page|PAGE|usage|x)[ \\t]{0,3}[+0-9x]{0,3}( 12)?",
        ) {
            let mut lines = [text.as_str(), "Title"].map(|text| Line::new(1, text.trim_ascii_end())).to_vec();
            let seen = Seen::of(&lines);
            let before = lines.len();
            lines.extend_from_within(..);
            tidy::drop_titled_pages(&mut lines);
            prop_assert!(seen.page_number || lines.len() == 2 * before);
        }
    }
}
