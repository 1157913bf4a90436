//! What stands before or behind every line of a report and is none of it: numbers of lines, names of files, marks
//! of comments, lists and differences, time stamps, frames.
//!
//! Told by the first lines, so that an ordinary report costs nothing, and taken off only where nearly all of them
//! share it and the title of a report or of one of its sections, or a page, becomes readable behind it. Lines keep
//! their numbers. Quote marks, `#` and `--` are known elsewhere: they may stand before some passages alone.

use crate::{grid, oracle, recognise};

/// So much of a text is looked at, in bytes and in lines that are not blank.
const HEAD: usize = 16 << 10;
const LOOKED_AT: usize = 60;
/// Fewer lines share anything by chance.
const LEAST: usize = 6;
/// Behind so many lines without it, another one is looked for.
const MISSED: usize = 20;
/// No prefix is longer, in bytes.
const LONGEST: usize = 160;

/// The lines of a text without their ends. Every report is asked: the ends are found many bytes at a time.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let whole = memchr::memchr_iter(b'\n', text.as_bytes()).map(move |end| {
        let line = &text[from..end];
        from = end + 1;
        line.strip_suffix('\r').unwrap_or(line)
    });
    // The last one may have no end.
    let last = text.rfind('\n').map_or(0, |end| end + 1);
    whole.chain(std::iter::once(&text[last..]))
}

/// As printed, and as a terminal draws them.
const BARS: [char; 3] = ['|', '\u{2502}', '\u{2503}'];

/// What lines share.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form<'t> {
    /// The same marks and words; digits in them may be others, as in time stamps.
    Same(&'t str),
    /// A number that grows from line to line, behind the name of a file or an opening bracket, and what parts it
    /// from the line.
    Counted { before: &'t str, behind: Behind<'t> },
    /// A bar at both ends.
    Frame,
    /// Bars at the end alone.
    Ends,
}

/// What parts a number from the line that it stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind<'t> {
    Same(&'t str),
    /// `:` or, before lines around one that was looked for, `-`.
    Found,
}

/// What the lines of a text share.
#[derive(Clone, Debug)]
pub(crate) struct Shared<'t> {
    form: Form<'t>,
    /// Blanks behind it that are no part of the line.
    blanks: usize,
    /// What stands at the end of each line, too: quotation marks, the end of a string.
    ends: &'t str,
    /// Does a title stand behind it?
    certain: bool,
}

impl<'t> Shared<'t> {
    /// What the first lines of a text share; `None` of nearly every text.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let mut end = text.len().min(HEAD);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let head = &text[..end];
        let filled = lines_of(head).filter(|line| !line.trim_ascii().is_empty());
        let lines: Vec<&str> = filled.take(LOOKED_AT).collect();
        if lines.len() < LEAST {
            return None;
        }
        // Words of somebody's own may stand before what shares it: lines behind the first third.
        let at = |eighths: usize| lines[lines.len() * eighths / 8];
        let mut doubtful = None;
        for (a, b) in [(at(3), at(5)), (at(5), at(7)), (at(3), at(7))] {
            for found in [Self::barred(&lines, a), Self::counted(&lines, a), Self::same(&lines, a, b)] {
                match found {
                    Some(found) if found.certain => return Some(found),
                    found => doubtful = doubtful.or(found),
                }
            }
        }
        doubtful
    }

    /// Is it known to be no part of the lines?
    pub(crate) fn is_certain(&self) -> bool {
        self.certain
    }

    /// Why nothing is read behind it.
    pub(crate) fn refusal(&self) -> String {
        let what = match &self.form {
            Form::Same(model) => format!("each line begins with `{}`", model.trim_ascii()),
            Form::Counted { before, .. } if before.len() > 1 => {
                format!("each line begins with `{before}` and a number")
            }
            Form::Counted { .. } => "each line begins with a number".to_owned(),
            Form::Frame => "each line begins and ends with a bar".to_owned(),
            Form::Ends => "each line ends with a bar".to_owned(),
        };
        format!("{what}, and behind that nothing can be read; give the report as it was printed")
    }

    /// Bars around every line, or at the end of each.
    fn barred(lines: &[&'t str], base: &str) -> Option<Self> {
        let base = base.trim_ascii();
        if !base.ends_with(BARS) {
            return None;
        }
        let form = if base.starts_with(BARS) { Form::Frame } else { Form::Ends };
        let shared = Self { form, blanks: 0, ends: "", certain: false };
        // Bars inside part cells.
        shared.told(lines, |rest| !rest.contains(BARS))
    }

    /// Numbers that grow.
    fn counted(lines: &[&'t str], base: &'t str) -> Option<Self> {
        let (before, _, _) = number(base)?;
        let mut rests = Vec::with_capacity(lines.len());
        let mut last = None;
        for line in lines {
            let Some((own, number, rest)) = number(line) else { continue };
            if own == before && last.is_none_or(|last| number > last) {
                last = Some(number);
                rests.push(rest.trim_ascii_end());
            }
        }
        let filled = || rests.iter().filter(|rest| rest.len() > 1);
        let signs = |rest: &&&str| rest.starts_with([':', '-']);
        let found = filled().all(|rest| signs(&rest)) && filled().any(|rest| rest.starts_with('-'));
        let behind = if found {
            Behind::Found
        } else {
            let first = *filled().next()?;
            let parts =
                |c: char| matches!(c, ' ' | '\t' | ':' | '|' | '\u{2502}' | '.' | ')' | ']' | '>' | ';');
            let mut length = first.find(|c| !parts(c)).unwrap_or(first.len());
            for rest in filled() {
                length = first[..length].bytes().zip(rest.bytes()).take_while(|(a, b)| a == b).count();
                while !first.is_char_boundary(length) {
                    length -= 1;
                }
            }
            let between = first[..length].trim_end_matches(' ');
            // Digits before a point and digits are a number of the line itself.
            let parted = between.len() < length || between.contains([':', '\t', '|', '\u{2502}']);
            if length == 0 || !parted {
                return None;
            }
            Behind::Same(between)
        };
        Self { form: Form::Counted { before, behind }, blanks: 0, ends: "", certain: false }
            .told(lines, |_| true)
    }

    /// The same before all lines, but for digits.
    fn same(lines: &[&'t str], base: &'t str, other: &str) -> Option<Self> {
        // Tags are of a page, not of what stands before its lines.
        let base = &base[..base.find('<').unwrap_or(base.len())];
        if !is_mark(&base[..alike(base, other)]) {
            return None;
        }
        let mut lengths: Vec<usize> = lines.iter().map(|line| alike(base, line)).collect();
        lengths.sort_unstable();
        // What all but a tenth share, or a little less: titles stand at the margin.
        let most = lines.len() / 2;
        lengths.truncate(most);
        lengths.dedup();
        let mut doubtful = None;
        for length in lengths.into_iter().rev() {
            let model = base.get(..length.min(LONGEST)).unwrap_or("").trim_end_matches([' ', '\t']);
            if !is_mark(model) {
                continue;
            }
            let shared = Self { form: Form::Same(model), blanks: 0, ends: "", certain: false };
            match shared.told(lines, |_| true) {
                Some(found) if found.certain => return Some(found),
                found => doubtful = found.or(doubtful),
            }
        }
        doubtful
    }

    /// The same with the blanks behind it, where nearly all lines from the first one on share it.
    fn told(mut self, lines: &[&'t str], holds: impl Fn(&str) -> bool) -> Option<Self> {
        let mut last = None;
        let rests: Vec<Option<&str>> = lines.iter().map(|line| self.rest(line, &mut last)).collect();
        let first = rests.iter().position(Option::is_some)?;
        let found = || rests[first..].iter().flatten();
        let shared = found().filter(|rest| holds(rest)).count();
        if shared < LEAST || first * 2 > lines.len() || shared * 10 < (lines.len() - first) * 9 {
            return None;
        }
        let filled = || found().filter(|rest| !rest.trim_ascii().is_empty());
        self.certain = filled().any(|rest| opens(rest));
        if self.form == Form::Ends {
            return Some(self);
        }
        let blanks = |rest: &&str| rest.bytes().take_while(|b| *b == b' ').count();
        // At a tab, what stands behind it begins.
        let tabbed = filled().all(|rest| rest.starts_with('\t'));
        self.blanks = if tabbed { 1 } else { filled().map(blanks).min().unwrap_or(0) };
        if let Form::Same(model) = self.form {
            let rests: Vec<&str> = filled().map(|rest| rest.trim_ascii()).collect();
            // A line of nothing else, or the mark that the line begins with.
            let alone = rests.iter().min_by_key(|rest| rest.len()).filter(|rest| is_end(rest)).copied();
            let quote = model.char_indices().last().filter(|(_, c)| matches!(c, '"' | '\'' | '`'));
            let ends = [alone, quote.map(|(at, _)| &model[at..])];
            let of_most =
                |end: &&str| rests.iter().filter(|r| r.ends_with(end)).count() * 10 >= rests.len() * 9;
            self.ends = ends.into_iter().flatten().find(of_most).unwrap_or("");
        }
        if let Form::Same(model) = self.form
            && self.blanks == 0
            && model.ends_with(|c: char| c.is_alphanumeric())
        {
            return None;
        }
        Some(self)
    }

    /// A line without it, its end included; `last` is the number of the line before.
    fn rest<'l>(&self, line: &'l str, last: &mut Option<u64>) -> Option<&'l str> {
        let rest = match &self.form {
            Form::Same(model) => {
                let begins = line.get(..model.len()).is_some_and(|begin| alike(model, begin) == model.len());
                begins.then(|| &line[model.len()..])?
            }
            Form::Counted { before, behind } => {
                let (own, number, rest) = number(line)?;
                if own != *before || last.is_some_and(|last| number <= last) {
                    return None;
                }
                let rest = match behind {
                    Behind::Found if rest.starts_with([':', '-']) => &rest[1..],
                    Behind::Same(between) if rest.starts_with(*between) => &rest[between.len()..],
                    // Blanks at its end were taken off.
                    _ if rest.trim_ascii().is_empty() => rest,
                    _ => return None,
                };
                *last = Some(number);
                rest
            }
            Form::Frame => {
                let inner = line.trim_ascii().strip_prefix(BARS)?;
                inner.strip_suffix(BARS).unwrap_or(inner)
            }
            Form::Ends => {
                let bare = line.trim_end_matches(|c: char| BARS.contains(&c) || c.is_ascii_whitespace());
                let begins = !bare.is_empty() && line.trim_ascii().starts_with(BARS);
                if begins || !line.trim_ascii_end().ends_with(BARS) {
                    return None;
                }
                bare
            }
        };
        let blank = |b: &u8| matches!(b, b' ' | b'\t');
        let blanks = rest.bytes().take(self.blanks).take_while(blank).count();
        Some(&rest[blanks..])
    }

    /// The text without it, line for line.
    pub(crate) fn taken_off(self, text: &'t str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut shared = self;
        let (mut at, mut last, mut missed) = (0, None, 0);
        // Where the lines without it begin, in the text and in what was made of it, and where they last did.
        let (mut from, mut looked) = ((0, 0), 0);
        while let Some(line) = text[at..].split_inclusive('\n').next() {
            at += line.len();
            if let Some(rest) = shared.rest(line, &mut last) {
                missed = 0;
                let bare = rest.trim_ascii_end();
                let whole = bare.strip_suffix(shared.ends).filter(|_| !shared.ends.is_empty());
                let rest = whole.unwrap_or(rest);
                out.push_str(rest);
                if !rest.ends_with('\n') && line.ends_with('\n') {
                    out.push('\n');
                }
                continue;
            }
            if missed == 0 {
                from = (at - line.len(), out.len());
            }
            missed += usize::from(!line.trim_ascii().is_empty());
            out.push_str(line);
            if missed < MISSED {
                continue;
            }
            // Another file may begin, with a name of its own or numbers from one again.
            missed = 0;
            if from.0 > looked
                && let Some(next) = Self::of(&text[from.0..]).filter(Self::is_certain)
            {
                looked = from.0;
                out.truncate(from.1);
                (shared, at, last) = (next, from.0, None);
            }
        }
        out
    }
}

/// Bytes that two lines begin with alike: digits are like each other.
fn alike(a: &str, b: &str) -> usize {
    let same = |(a, b): &(u8, u8)| a == b || a.is_ascii_digit() && b.is_ascii_digit();
    let mut length = a.bytes().zip(b.bytes()).take_while(same).count();
    while !a.is_char_boundary(length) {
        length -= 1;
    }
    length
}

/// Can it stand before every line and be told by that alone? Quote marks, comments of SQL and bars may be of some
/// passages.
fn is_mark(model: &str) -> bool {
    !model.trim_ascii().is_empty()
        && model.trim_ascii() != "--"
        && !model.bytes().all(|b| matches!(b, b'>' | b'#' | b'|' | b' '))
}

/// Can it stand behind every line: marks, or an escape of a string?
fn is_end(text: &str) -> bool {
    const LONGEST_END: usize = 12;
    let bare = text.trim_start_matches('\\');
    let bare = if bare.len() < text.len() {
        bare.trim_start_matches(|c: char| c.is_ascii_lowercase())
    } else {
        bare
    };
    !text.is_empty()
        && text.len() <= LONGEST_END
        && bare.chars().all(|c| matches!(c, '"' | '\'' | '`' | ',' | ';' | '+' | ')' | '\\' | ' '))
}

/// The number that a line begins with: what stands before it but for blanks, and behind it.
fn number(line: &str) -> Option<(&str, u64, &str)> {
    let numbered = |text: &'_ str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        text[..digits].parse().ok().map(|number: u64| (digits, number))
    };
    let text = line.trim_start_matches(' ');
    let bracket = usize::from(text.starts_with(['[', '(']));
    if let Some((digits, number)) = numbered(&text[bracket..]) {
        return Some((&text[..bracket], number, &text[bracket + digits..]));
    }
    // The name of a file, which may hold colons of its own.
    let word = line.split([' ', '\t']).next().unwrap_or("");
    let word = word.get(..word.len().min(LONGEST)).unwrap_or("");
    // Before lines around one that was looked for, dashes stand in their place.
    [':', '-'].into_iter().find_map(|sign| {
        word.match_indices(sign).find_map(|(at, _)| {
            let (digits, number) = numbered(&line[at + 1..])?;
            let rest = &line[at + 1 + digits..];
            rest.starts_with(sign).then(|| (&line[..at], number, rest))
        })
    })
}

/// Does a report, one of its sections or a page begin with a line?
fn opens(line: &str) -> bool {
    const LONGEST_TITLE: usize = 200;
    /// Words of headings that may stand behind a title.
    const MOST_BEHIND: usize = 5;
    let line = line.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    if line.is_empty() || line.len() > LONGEST_TITLE {
        return false;
    }
    if recognise::kind_of_head(line).is_some() || is_tag(line) {
        return true;
    }
    if !line.starts_with(|c: char| c.is_ascii_uppercase() || c == 'i') {
        return false;
    }
    let end = ["DB/Inst:", " for DB: ", "  "].iter().filter_map(|sign| line.find(sign)).min();
    let mut title = line[..end.unwrap_or(line.len())].trim_ascii_end();
    for _ in 0..=MOST_BEHIND {
        if oracle::is_title(&grid::fold(title)) {
            return true;
        }
        let Some((before, _)) = title.rsplit_once(' ') else { break };
        title = before.trim_ascii_end();
    }
    false
}

/// Does a page begin with a line?
fn is_tag(line: &str) -> bool {
    const TAGS: [&str; 6] = ["<html", "<!doctype", "<head", "<body", "<table", "<h1"];
    TAGS.iter().any(|tag| line.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const LINES: [&str; 8] = [
        "WORKLOAD REPOSITORY report for",
        "",
        "DB Name         DB Id    Instance     Inst Num",
        "------------ ----------- ------------ --------",
        "TILL          2629620001 till                1",
        "              Snap Id      Snap Time      Sessions",
        "            --------- ------------------- --------",
        "Begin Snap:       310 23-Jan-19 15:00:56        52",
    ];

    fn text(before: impl Fn(usize) -> String, behind: &str) -> String {
        (1..).zip(LINES).map(|(number, line)| format!("{}{line}{behind}\n", before(number))).collect()
    }

    fn taken_off(text: &str) -> Option<String> {
        Shared::of(text).filter(Shared::is_certain).map(|shared| shared.taken_off(text))
    }

    #[test]
    fn what_all_lines_share_is_taken_off() {
        let plain = text(|_| String::new(), "");
        let same = |before: &dyn Fn(usize) -> String| {
            let found = taken_off(&text(before, ""));
            assert_eq!(found.as_deref(), Some(plain.as_str()), "{}", before(7));
        };
        same(&|n| format!("{n:5}: "));
        same(&|n| format!("{n:6}\t"));
        same(&|n| format!("{:4}  ", n + 95));
        same(&|n| format!("{n}. "));
        same(&|n| format!("[{n}] "));
        same(&|n| format!("{n:4} \u{2502} "));
        same(&|n| format!("awr.txt:{}:", n + 6));
        same(&|n| format!(r"C:\awr_1.txt:{n}:"));
        same(&|n| format!("awr_1-2.txt{}{}{}", "-:"[n % 2..].get(..1).unwrap(), n, &"-:"[n % 2..=n % 2]));
        same(&|_| "awr.txt:".to_owned());
        for mark in ["+", "// ", " * ", "- ", "* ", "; ", "REM ", "% "] {
            same(&|_| mark.to_owned());
        }
        same(&|n| format!("2023-03-14 10:11:{:02} INFO  ", n + 5));
        same(&|n| format!("Mar 14 10:11:{:02} till oracle[1234]: ", n + 5));
    }

    #[test]
    fn bars_around_or_behind_lines_are_taken_off() {
        let plain = text(|_| String::new(), "");
        let trimmed = |text: String| text.lines().map(|l| format!("{}\n", l.trim_end())).collect::<String>();
        assert_eq!(taken_off(&text(|_| "| ".to_owned(), "   |")).map(trimmed), Some(plain.clone()));
        assert_eq!(taken_off(&text(|_| "|".to_owned(), "|")).map(trimmed), Some(plain.clone()));
        assert_eq!(
            taken_off(&text(|_| "\u{2502} ".to_owned(), " \u{2502}")).map(trimmed),
            Some(plain.clone())
        );
        assert_eq!(taken_off(&text(|_| String::new(), " | |")).map(trimmed), Some(plain));
    }

    #[test]
    fn quotation_marks_around_lines_are_taken_off() {
        let plain = text(|_| String::new(), "");
        assert_eq!(taken_off(&text(|_| "\"".to_owned(), "\"")), Some(plain.clone()));
        assert_eq!(taken_off(&text(|_| "  \"".to_owned(), "\\n\"")), Some(plain.clone()));
        assert_eq!(taken_off(&text(|_| "out += \"".to_owned(), "\\n\";")), Some(plain.clone()));
        assert_eq!(taken_off(&text(|_| "`".to_owned(), "`")), Some(plain.clone()));
        // Blank lines are not quoted by every program.
        let quoted = text(|_| "\"".to_owned(), "\"").replace("\"\"", "");
        assert_eq!(taken_off(&quoted), Some(plain));
    }

    #[test]
    fn rows_of_tables_share_nothing() {
        let plain = text(|_| String::new(), "");
        assert!(Shared::of(&plain).is_none());
        let ranked: String = (1..40).map(|n| format!("{n}  db file sequential read  {n}00\n")).collect();
        assert_eq!(taken_off(&format!("Top 5 Timed Events\n{ranked}")), None);
        let cells: String = (1..40).map(|n| format!("| db file sequential read | {n}00 |\n")).collect();
        assert_eq!(taken_off(&format!("| Top 5 Timed Events | Waits |\n{cells}")), None);
        let page = "<tr><td class='awr'>Load Profile</td></tr>\n".repeat(20);
        assert_eq!(taken_off(&page), None);
    }

    #[test]
    fn two_files_have_names_or_numbers_of_their_own() {
        let plain = text(|_| String::new(), "").repeat(12);
        let named = |name: &str| -> String {
            (1..).zip(plain.lines()).map(|(n, line)| format!("{name}:{n}:{line}\n")).collect()
        };
        assert_eq!(taken_off(&format!("{}{}", named("a.txt"), named("bb.txt"))), Some(plain.repeat(2)));
        let both = named("a.txt").replace("a.txt:", "").repeat(2);
        assert_eq!(taken_off(&both), Some(plain.repeat(2)));
    }

    #[test]
    fn what_stands_before_a_mark_is_kept() {
        let text =
            format!("diff --git a/x b/x\n--- a/x\n+++ b/x\n{}", text(|_| "+".to_owned(), "").repeat(6));
        let found = taken_off(&text).unwrap();
        assert!(found.starts_with("diff --git a/x b/x\n--- a/x\n++ b/x\nWORKLOAD"), "{found}");
        assert_eq!(found.lines().count(), text.lines().count());
    }

    proptest::proptest! {
        #[test]
        fn any_text_keeps_its_lines(
            text in "(([ ]{0,3}[0-9]{1,3}[:.|)\t -]{0,2}|a:[0-9]:|[|+*-] ?|\u{2502} )?(Load Profile|WORKLOAD REPOSITORY|[a-z\u{e9} |-]{0,9})\r?\n){0,40}"
        ) {
            if let Some(shared) = Shared::of(&text) {
                let taken = shared.taken_off(&text);
                proptest::prop_assert_eq!(taken.matches('\n').count(), text.matches('\n').count());
            }
        }
    }
}
