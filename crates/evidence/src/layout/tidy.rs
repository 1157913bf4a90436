//! Puts pasted text right before it is cut into sections: quote marks of mails, non-breaking
//! blanks, code fences.

use super::blanks;
use super::marks::Marks;
use super::text_sections::{Line, behind_page_break};
use std::borrow::Cow;

/// Blanks of the web become blanks of a report.
pub(crate) fn plain_blanks(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() && text.contains(['\u{a0}', '\u{2007}', '\u{202f}', '\u{200b}', '\u{feff}']) {
        let wide = counts_bytes(text);
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\u{200b}' | '\u{feff}' => {}
                '\u{a0}' if wide => plain.push_str("  "),
                '\u{a0}' | '\u{2007}' | '\u{202f}' => plain.push(' '),
                c => plain.push(c),
            }
        }
        Cow::Owned(plain)
    } else {
        Cow::Borrowed(text)
    }
}

/// A text whose blanks that do not break were taken for two letters each, by who read UTF-8 as Latin-1 and wrote it again:
/// `Â` stands before each. `None` where there are none.
pub(crate) fn decoded_once(text: &str, page: bool) -> Option<String> {
    const BLANKS: [&str; 3] = ["\u{c3}\u{201a}\u{c2}\u{a0}", "\u{c3}\u{82}\u{c2}\u{a0}", "\u{c2}\u{a0}"];
    /// Fewer cells that begin so hold names.
    const LEAST: usize = 3;
    let mut plain: Option<String> = None;
    for blank in BLANKS {
        let text = plain.as_deref().unwrap_or(text);
        if memchr::memmem::find(text.as_bytes(), blank.as_bytes()).is_some() {
            plain = Some(text.replace(blank, " "));
        }
    }
    // Where the blank became one of text, or was lost, cells hold nothing else.
    let text = plain.as_deref().unwrap_or(text);
    let alone = |cell: &&str| cell.trim_matches(['\u{c2}', ' ']).is_empty() && cell.contains('\u{c2}');
    if page
        && text
            .split('>')
            .filter_map(|rest| rest.split_once('<'))
            .map(|(cell, _)| cell)
            .filter(alone)
            .nth(LEAST - 1)
            .is_some()
    {
        let mut out = String::with_capacity(text.len());
        for rest in text.split_inclusive('>') {
            match rest.split_once('<') {
                Some((cell, tag)) if alone(&cell) => {
                    out.push_str("&#160;<");
                    out.push_str(tag);
                }
                _ => out.push_str(rest),
            }
        }
        plain = Some(out);
    }
    plain
}

/// Did Debian's `html2text` line the cells up? It counts bytes, of which a blank that does not break has two, and sets
/// titles between stars.
fn counts_bytes(text: &str) -> bool {
    let starred = |line: &str| {
        let title = line.strip_prefix("****").and_then(|rest| rest.trim_end().strip_suffix("****"));
        title.is_some_and(|title| title.trim_start_matches('*').starts_with(' '))
    };
    text.lines().any(starred)
}

/// The same in a page, where those between digits part the thousands of a number: cells end with their tags.
pub(crate) fn plain_blanks_of_page(text: &str) -> Cow<'_, str> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\u{a0}') {
        plain.push_str(before);
        let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
        let groups = digit(before.as_bytes().last()) && digit(behind.as_bytes().first());
        plain.push(if groups { '\u{a0}' } else { ' ' });
        rest = behind;
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Boxes drawn around cells become the bars and dashes that the same converters write where they may use ASCII
/// alone. A table with a row over several lines stays as it is: each line would be taken for a row.
pub(crate) fn plain_boxes(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(['\u{2502}', '\u{2503}']) {
        return text;
    }
    let plain = |c: char| match c {
        '\u{2502}' | '\u{2503}' | '\u{251c}' | '\u{2524}' | '\u{2523}' | '\u{252b}' => '|',
        '\u{2500}' | '\u{2501}' => '-',
        '\u{250c}'..='\u{254b}' => '+',
        c => c,
    };
    let is_boxed =
        |line: &&str| line.trim_start().starts_with(|c: char| ('\u{2500}'..='\u{254b}').contains(&c));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::with_capacity(text.len());
    for table in lines.chunk_by(|a, b| is_boxed(a) == is_boxed(b)) {
        if is_boxed(&table[0]) && !has_wrapped_row(table) {
            out.extend(table.iter().flat_map(|line| line.chars()).map(plain));
        } else {
            out.extend(table.iter().copied());
        }
    }
    Cow::Owned(out)
}

/// Does a row stand on several lines of a box? Headings may: those are what comes before the first number, or the
/// first row of a table without any.
fn has_wrapped_row(table: &[&str]) -> bool {
    let is_bar = |c: char| matches!(c, '\u{2502}' | '\u{2503}');
    let is_row = |line: &&str| line.trim_start().starts_with(is_bar);
    let is_number = |cell: &str| {
        let cell = cell.trim().trim_end_matches(['K', 'M', 'G', '%']);
        cell.contains(|c: char| c.is_ascii_digit())
            && cell.chars().all(|c| c.is_ascii_digit() || ".,-".contains(c))
    };
    let has_number = |line: &&str| line.split(is_bar).any(is_number);
    let rows: Vec<&[&str]> =
        table.chunk_by(|a, b| is_row(a) == is_row(b)).filter(|lines| is_row(&lines[0])).collect();
    let data = rows.iter().position(|lines| lines.iter().any(has_number)).unwrap_or(1);
    rows.iter().skip(data).any(|lines| lines.len() > 1)
}

/// Is it a page that was copied, or turned into text: links back to its top stand in it, which no report in
/// text has?
pub(crate) fn is_page_copy(lines: &[Line<'_>]) -> bool {
    lines.iter().filter(|l| l.marks.holds(Marks::LINK)).take(3).count() == 3
}

/// Is a line that begins with `B` or `[` a link back to the top of its page?
pub(super) fn is_link(text: &str) -> bool {
    text.len() < 80
        && blanks::holds(text.as_bytes(), [b'T'])
        && (text.contains("Back to Top") || text.contains("Back_to_Top"))
}

/// Do tabs part the cells of its lines?
pub(crate) fn is_tabbed(lines: &[Line<'_>]) -> bool {
    const LOOKED_AT: usize = 600;
    let tabbed = lines.iter().take(LOOKED_AT).filter(|l| memchr::memchr(b'\t', l.text.as_bytes()).is_some());
    tabbed.take(2).count() == 2
}

/// Tabs become the blanks that an editor put them for, where the text has rulers: a browser's copy,
/// whose cells tabs part, has none.
pub(crate) fn expand_tabs(text: Cow<'_, str>) -> Cow<'_, str> {
    let lines = text.lines().filter(|l| !l.is_empty()).count();
    let tabbed = text.lines().filter(|l| l.contains('\t')).count();
    let ruler = |l: &str| {
        l.contains("--- ---") && l.bytes().all(|b| matches!(b, b'-' | b' ' | b'\t' | b'\r' | b'>' | 0xc))
    };
    // Statements may hold tabs: few lines do.
    if tabbed * 10 < lines || text.lines().filter(|l| ruler(l)).take(2).count() < 2 {
        return text;
    }
    if !text.lines().any(|l| l.starts_with([' ', '\t'])) {
        // Nothing is set in: the tabs part cells, at no fixed place.
        return Cow::Owned(text.replace('\t', " "));
    }
    let mut out = String::with_capacity(text.len() * 3 / 2);
    let mut column = 0;
    let width = tab_width(&text);
    for c in text.chars() {
        match c {
            '\t' => {
                let blanks = width - column % width;
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' => {
                out.push(c);
                column = 0;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// How many blanks a tab stands for at most: headings do not go beyond their rulers.
fn tab_width(text: &str) -> usize {
    const WIDTHS: [usize; 3] = [8, 4, 2];
    let mut beyond = [0_u32; 3];
    let mut above = "";
    for line in text.lines() {
        let ruler = line.contains("--- ---") && line.bytes().all(|b| matches!(b, b'-' | b' ' | b'\r'));
        if ruler && above.contains('\t') {
            for (width, beyond) in WIDTHS.iter().zip(&mut beyond) {
                let end = |c| if c == '\t' { *width } else { 1 };
                let length = above
                    .trim_end()
                    .chars()
                    .fold(0, |at, c| at + end(c) - if c == '\t' { at % width } else { 0 });
                *beyond += u32::from(length > line.trim_end().len() + 1);
            }
        }
        above = line;
    }
    // The widest with the fewest.
    WIDTHS.iter().zip(beyond).min_by_key(|(_, beyond)| *beyond).map_or(8, |(width, _)| *width)
}

/// A text that ends inside a line, in a number: that may be half of one. The text with `#` in its place,
/// as where a number is wider than its column.
pub(crate) fn without_cut_number(text: &str) -> Option<String> {
    let word = text.rsplit(|c: char| c.is_ascii_whitespace()).next()?;
    let numeric = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b',' | b':' | b'-' | b'+' | b'/' | b'%');
    let (number, unit) = word.split_at(word.bytes().take_while(|b| numeric(*b)).count());
    let cut = number.bytes().any(|b| b.is_ascii_digit())
        && unit.len() <= 2
        && unit.bytes().all(|b| b.is_ascii_alphabetic());
    cut.then(|| format!("{}{}", &text[..text.len() - word.len()], "#".repeat(word.len())))
}

/// An error of the database or of SQL*Plus, as it stands in spool files: `ORA-01403: ...`.
pub(super) fn is_client_error(text: &str) -> bool {
    let number = ["ORA-", "SP2-", "PLS-"].iter().find_map(|prefix| text.strip_prefix(prefix));
    number.and_then(|n| n.split_once(':')).is_some_and(|(digits, _)| {
        (4..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

/// What SQL*Plus prints on every page of a report that was selected.
pub(super) const PAGE_HEADING: &str = "OUTPUT";

/// The call that a query asked a report of, which is the heading of each page then: `DBMS_ADDM.GET_REPORT(:NAME)`, cut
/// off where the name of a column ends.
pub(super) fn is_call_of_a_report(text: &str) -> bool {
    let text = text.trim_ascii();
    if !text.starts_with("DBMS_") {
        return false;
    }
    let name = text.split('(').next().unwrap_or(text);
    let of_name = |b: u8| b.is_ascii_uppercase() || matches!(b, b'_' | b'.');
    name.starts_with("DBMS_")
        && name.contains("REPORT")
        && name.len() < text.len()
        && name.bytes().all(of_name)
}

/// Takes out the heading that SQL*Plus prints on every page of a report that was selected, with its
/// underline and the blank line before it: they part headings from rulers, and rows from each other. Were there any?
pub(crate) fn drop_page_headings(lines: &mut Vec<Line<'_>>) -> bool {
    let is_heading = |l: &Line<'_>| l.marks.holds(Marks::PAGE);
    let rule = |l: &Line<'_>| {
        let text = l.text.trim_ascii();
        (text.len() >= 20 && text.bytes().all(|b| b == b'-')).then_some(text.len())
    };
    let headings = lines.iter().filter(|l| is_heading(l)).count();
    if headings < 2 {
        return false;
    }
    // The underline is as wide on every page, where there is one: a ruler of the report stands below few of them.
    let below: Vec<usize> =
        lines.windows(2).filter(|pair| is_heading(&pair[0])).filter_map(|pair| rule(&pair[1])).collect();
    let underline = below.first().copied().filter(|width| {
        2 * below.iter().filter(|other| *other == width).count() > headings.saturating_sub(1)
    });
    let mut kept: Vec<Line<'_>> = Vec::with_capacity(lines.len());
    let mut below = false;
    for line in lines.drain(..) {
        if is_heading(&line) {
            if kept.last().is_some_and(Line::is_blank) {
                kept.pop();
            }
            below = true;
        } else if !std::mem::take(&mut below) || underline.is_none() || rule(&line) != underline {
            kept.push(line);
        }
    }
    *lines = kept;
    true
}

/// The page and the number of all in a line that holds nothing else: `Page 3 of 84`, `Page 3`.
pub(super) fn numbered_page(text: &str) -> Option<(u32, Option<u32>)> {
    let number = |word: &str| {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        (digits && word.len() <= 6).then(|| word.parse().ok()).flatten()
    };
    let words = text.trim_ascii().strip_prefix("Page ")?.trim_ascii_start();
    let Some((page, all)) = words.split_once(" of ").or_else(|| words.split_once('/')) else {
        return Some((number(words)?, None));
    };
    Some((number(page.trim_ascii())?, Some(number(all.trim_ascii())?)))
}

/// Takes out the numbers of pages: they stand between rows and between the two lines of one, and would be read
/// as names. Those of a text rise, one by one or to the same last one.
pub(crate) fn drop_numbered_pages(lines: &mut Vec<Line<'_>>) {
    /// Pages without the number of all are told by so many in a row.
    const LEAST: usize = 3;
    let pages: Vec<(usize, (u32, Option<u32>))> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.marks.holds(Marks::NUMBERED))
        .filter_map(|(at, line)| Some((at, numbered_page(line.text)?)))
        .collect();
    let mut drop = vec![false; lines.len()];
    let mut found = false;
    let follows = |a: &(usize, (u32, Option<u32>)), b: &(usize, (u32, Option<u32>))| {
        let ((page, all), (next, all_next)) = (a.1, b.1);
        all == all_next && if all.is_some() { page < next } else { page.checked_add(1) == Some(next) }
    };
    for run in pages.chunk_by(follows) {
        let told = run.len() >= LEAST || run.len() > 1 && run[0].1.1.is_some();
        for (at, _) in run.iter().filter(|_| told) {
            drop[*at] = true;
            found = true;
        }
    }
    if found {
        let mut drop = drop.into_iter();
        lines.retain(|_| !drop.next().unwrap_or(false));
    }
}

/// Takes out the headings of two lines that SQL*Plus prints on pages with a title of somebody's own, with the
/// blank lines around them: date and page above, the same title on every page below. They part rows from each
/// other, and names from their figures.
pub(crate) fn drop_titled_pages(lines: &mut Vec<Line<'_>>) {
    let page = |at: usize| lines.get(at).and_then(|line: &Line<'_>| page_number(line.text));
    let below = |at: usize| lines.get(at + 1).map_or("", |line| line.text.trim_ascii());
    let pages: Vec<usize> =
        (0..lines.len()).filter(|at| page(*at).is_some() && !below(*at).is_empty()).collect();
    // The titles of most pages are one; pages of several reports count from one again.
    let is_one = |pair: &[usize]| {
        below(pair[0]) == below(pair[1]) && page(pair[0]).zip(page(pair[1])).is_some_and(|(a, b)| a < b)
    };
    let headings: Vec<usize> = pages.windows(2).filter(|pair| is_one(pair)).flatten().copied().collect();
    // One page alone is told by how it is set.
    let is_set = |at: &usize| {
        let title = lines.get(at + 1).map_or("", |line| line.text);
        let margin = title.len() - title.trim_ascii_start().len();
        let begins = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
        margin >= 8
            && lines.get(at + 2).is_some_and(Line::is_blank)
            && begins.iter().any(|day| lines[*at].text.starts_with(day))
    };
    let headings: Vec<usize> =
        pages.iter().filter(|at| headings.contains(at) || is_set(at)).copied().collect();
    if headings.is_empty() {
        return;
    }
    let mut drop = vec![false; lines.len()];
    for at in headings {
        drop[at..=at + 1].fill(true);
        // SQL*Plus begins a page with a blank line, and puts one below its title.
        for around in [at.checked_sub(1), Some(at + 2)].into_iter().flatten() {
            if lines.get(around).is_some_and(Line::is_blank) {
                drop[around] = true;
            }
        }
    }
    let mut drop = drop.into_iter();
    lines.retain(|_| !drop.next().unwrap_or(false));
}

/// The page of a heading with a date at its begin: `Tue Mar 14                    page    3`.
fn page_number(text: &str) -> Option<u32> {
    let number =
        text.as_bytes().last().filter(|b| b.is_ascii_digit()).and_then(|_| text.rsplit(' ').next())?;
    let before = text[..text.len() - number.len()].trim_ascii_end();
    let date = ["page", "Page", "PAGE"].iter().find_map(|word| before.strip_suffix(word))?;
    let dated = date.trim_ascii().bytes().any(|b| b.is_ascii_digit());
    (dated && date.ends_with("   ") && date.trim_ascii().len() <= LONGEST_DATE)
        .then(|| number.parse().ok())
        .flatten()
}

/// May a line be such a heading? Numbers of rows stand behind other letters.
#[inline]
pub(super) fn can_number_page(text: &[u8]) -> bool {
    if !text.last().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let mut before = text;
    while let [rest @ .., b'0'..=b'9'] = before {
        before = rest;
    }
    let before = before.strip_suffix(b"+").unwrap_or(before);
    before.last() == Some(&b' ')
        && matches!(before.trim_ascii_end(), [.., b'a' | b'A', b'g' | b'G', b'e' | b'E'])
}

/// No date at the begin of a page is longer, in bytes.
const LONGEST_DATE: usize = 40;

/// Does the text hold a page number of such a heading?
pub(crate) fn can_hold_titled_pages(text: &str) -> bool {
    ["   page ", "   Page ", "   PAGE "]
        .iter()
        .any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Headings between double bars, as wikis have them above rows between single ones, become cells between
/// single bars.
pub(crate) fn plain_bars(text: Cow<'_, str>) -> Cow<'_, str> {
    // Statements join strings by such bars, hardly ever at the begin of a line; most reports hold few, and one byte
    // is found faster than three.
    let bytes = text.as_bytes();
    let begins = |at: usize| bytes[at + 1..].first() == Some(&b'|') && (at == 0 || bytes[at - 1] == b'\n');
    if !memchr::memchr_iter(b'|', bytes).any(begins) {
        return text;
    }
    let cells = |line: &str| {
        let inner = line.trim_ascii().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').count())
    };
    let headings = |line: &str| {
        let inner = line.trim_ascii().strip_prefix("||")?.strip_suffix("||")?;
        let mut cells = inner.split("||");
        cells.clone().all(|cell| !cell.contains('|')).then(|| cells.by_ref().count())
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut plain: Option<String> = None;
    let mut kept = 0;
    let mut at = 0;
    for (index, line) in lines.iter().enumerate() {
        // Rows with blank cells at both ends have as many bars there: these are headings where the row below has
        // a cell for each.
        let below = lines.get(index + 1).copied().unwrap_or("");
        let is_heading =
            headings(line).is_some_and(|count| headings(below).is_none() && cells(below) == Some(count));
        if is_heading {
            let plain = plain.get_or_insert_with(|| String::with_capacity(text.len()));
            plain.push_str(&text[kept..at]);
            plain.push_str(&line.replace("||", "|"));
            kept = at + line.len();
        }
        at += line.len();
    }
    match plain {
        None => text,
        Some(mut plain) => {
            plain.push_str(&text[kept..]);
            Cow::Owned(plain)
        }
    }
}

/// Simple tables of reStructuredText have their rule above the headings and below the last row, too: the one below
/// the headings stays.
pub(crate) fn drop_outer_rules(lines: &mut [Line<'_>]) {
    /// Headings take so many lines.
    const MOST_HEADINGS: usize = 3;
    let mut at = 0;
    while at < lines.len() {
        let rule = lines[at];
        at += 1;
        // Nearly every line ends here.
        if rule.first != b'=' || !rule.marks.is_ruler() || !rule.text.trim_ascii().contains(' ') {
            continue;
        }
        let again = |from: usize| lines[from..].iter().position(|l| l.text == rule.text).map(|n| from + n);
        let Some(below) = again(at).filter(|below| (at + 1..=at + MOST_HEADINGS).contains(below)) else {
            continue;
        };
        let end = lines[below..].iter().position(|l| l.is_blank() && !l.marks.is_ruler());
        let end = end.map_or(lines.len(), |n| below + n);
        if let Some(last) = again(below + 1).filter(|last| *last < end) {
            lines[at - 1] = Line::new(rule.number, "");
            lines[last].marks = Marks::END;
            at = last + 1;
        }
    }
}

/// Passages in which a blank line stands behind every line, as where line ends were doubled, lose those lines.
pub(crate) fn undouble(lines: &mut Vec<Line<'_>>) {
    /// Shorter passages may be lists.
    const LEAST: usize = 20;
    let mut drop = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let blank = |at: usize| lines.get(at).is_some_and(Line::is_blank);
        let mut end = at;
        let (mut filled, mut ruled) = (0, false);
        while end < lines.len() && blank(end + 1) {
            filled += usize::from(!blank(end));
            ruled |= lines[end].marks.is_ruler();
            end += 2;
        }
        let pairs = (end - at) / 2;
        if !blank(at) && pairs >= LEAST && filled * 2 > pairs && ruled {
            drop[at..end.min(lines.len())].iter_mut().skip(1).step_by(2).for_each(|drop| *drop = true);
        }
        at = if blank(at) { at + 1 } else { end + 1 };
    }
    let mut drop = drop.into_iter();
    lines.retain(|_| !drop.next().unwrap_or(false));
}

/// Tables whose every other line is blank, as some pages show them, get their lines back below each
/// other: there, a ruler has a blank line above and below.
pub(crate) fn single_space(lines: &mut Vec<Line<'_>>) {
    let blank = |at: usize| lines.get(at).is_some_and(Line::is_blank);
    let alone = |at: usize| at > 0 && blank(at - 1) && blank(at + 1) && !blank(at);
    let mut drop: Vec<usize> = Vec::new();
    for ruler in (0..lines.len()).filter(|at| lines[*at].marks.is_ruler()) {
        if !alone(ruler) || drop.last().is_some_and(|last| *last > ruler) {
            continue;
        }
        let (mut first, mut last) = (ruler, ruler);
        while first >= 2 && alone(first - 2) {
            first -= 2;
        }
        while alone(last + 2) {
            last += 2;
        }
        // Headings above and rows below.
        if first < ruler && last >= ruler + 4 {
            drop.extend((first..last).step_by(2).map(|line| line + 1));
        }
    }
    let mut drop = drop.into_iter().peekable();
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        drop.next_if_eq(&(at - 1)).is_none()
    });
}

/// What stands around code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fence {
    Opens,
    Closes,
    Either,
}

impl Fence {
    fn of(text: &str) -> Option<Self> {
        if let Some(behind) = text.trim_ascii_start().strip_prefix("```") {
            return Some(if behind.trim_matches(['`', ' ']).is_empty() { Self::Either } else { Self::Opens });
        }
        if behind_tags(text).is_some() {
            return Some(Self::Opens);
        }
        Some(match text.trim_ascii() {
            "[code]" => Self::Opens,
            "[/code]" | "</pre>" => Self::Closes,
            "{code}" | "{noformat}" => Self::Either,
            _ => return None,
        })
    }
}

/// What stands behind the tags that open preformatted text: `<pre class="code">Load Profile`.
fn behind_tags(text: &str) -> Option<&str> {
    const NAMES: [&str; 4] = ["<pre", "<code", "<samp", "<tt"];
    let mut rest = text.trim_ascii_start();
    let mut opened = None;
    'tags: loop {
        for name in NAMES {
            let begins = rest.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
            if begins && matches!(rest.as_bytes().get(name.len()), Some(b'>' | b' ')) {
                rest = &rest[rest.find('>')? + 1..];
                opened = Some(rest);
                continue 'tags;
            }
        }
        return opened;
    }
}

/// A line without the tags that close preformatted text behind its last word.
fn before_tags(text: &str) -> &str {
    let mut text = text;
    while let Some(before) =
        ["</pre>", "</code>", "</samp>", "</tt>"].iter().find_map(|tag| text.strip_suffix(tag))
    {
        text = before.trim_ascii_end();
    }
    text
}

/// Does a line stand around code?
pub(super) fn is_fence(text: &str) -> bool {
    Fence::of(text).is_some()
}

/// Takes the quote marks off lines that stand in a quoted passage; a lone `>` is left alone, since
/// statements contain it. Did any line change?
pub(crate) fn unquote<'a>(lines: &mut [Line<'a>]) -> bool {
    let marks =
        |text: &str| text.bytes().take_while(|b| matches!(b, b'>' | b' ')).filter(|b| *b == b'>').count();
    let depth_of =
        |line: &Line<'_>| if line.first == b'>' && line.text.starts_with('>') { marks(line.text) } else { 0 };
    let fence_of = |line: &Line<'_>| {
        if matches!(line.first, b'`' | b'[' | b'{' | b'<') { Fence::of(line.text) } else { None }
    };
    // Nearly every text ends here.
    if !lines.iter().any(|l| depth_of(l) > 0 || fence_of(l).is_some()) {
        return false;
    }
    // Does the text stand right behind its mark? Then a blank there is one of its own.
    let behind = |l: &Line<'_>| l.text.trim_start_matches(['>', ' ']).len();
    let bare = lines.iter().filter(|l| {
        depth_of(l) > 0 && behind(l) > 0 && l.text.as_bytes()[l.text.len() - behind(l) - 1] == b'>'
    });
    let bare = bare.count() * 10 > lines.iter().filter(|l| depth_of(l) > 0 && behind(l) > 0).count();
    // Lines since the last quoted one: a quoted line that was wrapped goes on without a mark.
    let quoted = lines.iter().filter(|l| depth_of(l) > 0).count();
    let filled = lines.iter().filter(|l| !l.text.is_empty()).count();
    let reach = if quoted >= 8 && quoted * 3 > filled { 3 } else { 0 };
    let mut since = usize::MAX;
    let mut depth = 0;
    let (mut fenced, mut changed) = (false, false);
    for index in 0..lines.len() {
        let line = lines[index];
        let quoted = depth_of(&line);
        let near = since <= reach;
        let last = depth;
        (since, depth) = if quoted > 0 { (0, quoted) } else { (since.saturating_add(1), depth) };
        if quoted == 0 {
            if let Some(fence) = fence_of(&line) {
                let closes = fence == Fence::Closes || fence == Fence::Either && fenced;
                fenced = !closes;
                // What stands behind the fence is none of the table's rows, nor text of its statements.
                let inside = behind_tags(line.text).filter(|_| !closes).unwrap_or("");
                let text = if closes { super::mend::FENCE_END } else { before_tags(inside).trim_ascii_end() };
                lines[index] = Line::new(line.number, text);
                changed = true;
            } else if line.text.ends_with('>') && before_tags(line.text).len() < line.text.len() {
                lines[index] = Line::new(line.number, before_tags(line.text));
                (fenced, changed) = (false, true);
            }
            continue;
        }
        if near
            || (1..=reach + 1).any(|ahead| lines.get(index + ahead).is_some_and(|next| depth_of(next) > 0))
        {
            // A line of a statement may begin with a mark of its own.
            let below =
                (1..=reach + 1).filter_map(|a| lines.get(index + a)).map(&depth_of).max().unwrap_or(0);
            let around = below.max(if near { last } else { 0 }).max(1);
            let marks = if quoted == around + 1 { around } else { quoted };
            lines[index] = Line::new(line.number, strip(line.text, marks, bare));
            changed = true;
        }
    }
    changed
}

/// Takes the marks off a table that stands in the comments of a script: each of its lines begins with
/// one at the same place. Did any line change?
pub(crate) fn uncomment(lines: &mut [Line<'_>]) -> bool {
    let mut at = 0;
    let mut changed = false;
    while at < lines.len() {
        if lines[at].first != b'#' {
            at += 1;
            continue;
        }
        let end = at + lines[at..].iter().take_while(|l| l.first == b'#').count();
        let behind = |l: &Line<'_>| l.text.trim_ascii_start().strip_prefix('#').map_or("", |t| t).len();
        let ruled = lines[at..end]
            .iter()
            .any(|l| Line::new(l.number, &l.text[l.text.len() - behind(l)..]).marks.is_ruler());
        if ruled && end - at >= 3 {
            changed = true;
            for line in &mut lines[at..end] {
                let text = &line.text[line.text.len() - behind(line)..];
                let text = text.strip_prefix(' ').unwrap_or(text);
                // A colon alone stands for lines left out.
                let text = if text.trim_ascii() == ":" { "..." } else { text };
                *line = Line::new(line.number, behind_page_break(text.strip_prefix("<^L>").unwrap_or(text)));
            }
        }
        at = end;
    }
    changed
}

/// Does nearly every line of the text begin as a comment of SQL does? Then that is nothing of the report.
pub(crate) fn is_sql_comment(text: &str) -> bool {
    const LOOKED_AT: usize = 60;
    let mut filled = text.lines().filter(|line| !line.trim_ascii().is_empty()).take(LOOKED_AT).peekable();
    // Nearly every text ends here.
    if !filled.peek().is_some_and(|line| line.starts_with("--")) {
        return false;
    }
    let mark = |line: &str| {
        line.strip_prefix("--").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r', '\u{c}']))
    };
    let (of, all) = filled.fold((0, 0), |(of, all), line| (of + usize::from(mark(line)), all + 1));
    of * 10 >= all * 9
}

/// The text of a script without the marks of its comments, line for line; `None` where no ruler stands in them.
pub(crate) fn without_sql_comments(text: &str) -> Option<String> {
    let comments = || text.lines().filter_map(|line| line.strip_prefix("--"));
    let is_ruler = |line: &str| line.contains(' ') && Line::new(0, line).marks.is_ruler();
    let filled = text.lines().filter(|line| !line.trim_ascii().is_empty());
    if comments().count() * 2 < filled.count() || !comments().any(|line| is_ruler(line.trim_ascii())) {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        plain.push_str(line.strip_prefix("--").unwrap_or(line));
        plain.push('\n');
    }
    Some(plain)
}

/// What SQL*Plus asks with.
pub(super) const PROMPT: &str = "SQL> ";

/// Takes off the prompts behind which SQL*Plus prints the first line of an answer, where it is one of headings: they
/// stand above a ruler, and would stand beside their columns. Was there any?
pub(crate) fn unprompt(lines: &mut [Line<'_>]) -> bool {
    let mut found = false;
    for at in 1..lines.len() {
        let above = lines[at - 1];
        if above.first == b'S' && lines[at].marks.is_ruler() && above.text.starts_with(PROMPT) {
            lines[at - 1] = Line::new(above.number, above.text.trim_start_matches(PROMPT));
            found = true;
        }
    }
    found
}

/// Takes off the bars with which some mail programs quote: nearly no line has another one, as lines have
/// whose cells bars part.
pub(crate) fn unbar(lines: &mut [Line<'_>]) {
    let begins = |l: &Line<'_>| l.text.starts_with('|');
    let other = |l: &Line<'_>| memchr::memrchr(b'|', l.text.as_bytes()) != Some(0);
    let quoted = lines.iter().filter(|l| begins(l)).count();
    if quoted < 8 || lines.iter().filter(|l| begins(l) && other(l)).count() * 10 > quoted {
        return;
    }
    for line in lines.iter_mut().filter(|l| begins(l)) {
        let text = &line.text[1..];
        let text = text.strip_prefix(' ').unwrap_or(text);
        *line = Line::new(line.number, behind_page_break(text));
    }
}

/// Takes off the blanks that every line begins with, as where a forum sets code in by four; with prose at
/// the margin, those of each passage that is set in. Can any line have changed?
pub(crate) fn dedent(lines: &mut [Line<'_>]) -> bool {
    let mut common = usize::MAX;
    for line in lines.iter().filter(|l| !l.text.is_empty()) {
        common = common.min(indent(line));
        if common == 0 {
            break;
        }
    }
    if common == 0 {
        return passages(lines);
    }
    lines.iter_mut().for_each(|l| set_out(l, common));
    true
}

/// How many blanks a line begins with.
fn indent(line: &Line<'_>) -> usize {
    line.text.bytes().take_while(|b| *b == b' ').count()
}

/// Takes so many blanks off a line, and the page break behind them.
fn set_out(line: &mut Line<'_>, blanks: usize) {
    if let Some(text) = line.text.get(blanks..).filter(|_| !line.text.is_empty()) {
        *line = Line::new(line.number, behind_page_break(text));
    }
}

/// Sets out the passages between lines at the margin whose rulers are all set in. Reports have rulers at
/// the margin, near their head: there, this ends at once. Did any line change?
fn passages(lines: &mut [Line<'_>]) -> bool {
    let ruler = |l: &Line<'_>| l.marks.is_ruler() || l.first == b'~';
    let at_margin = |l: &Line<'_>| !l.text.is_empty() && !l.text.starts_with(' ');
    if lines.iter().any(|l| at_margin(l) && ruler(l)) {
        return false;
    }
    let mut changed = false;
    for passage in lines.split_mut(at_margin) {
        let Some(least) = passage.iter().filter(|l| ruler(l)).map(indent).min() else { continue };
        // Labels may stand at the margin, left of their ruler: then it has no row in the passage.
        let rows = passage.windows(2).any(|pair| {
            ruler(&pair[0]) && indent(&pair[0]) == least && !pair[1].is_blank() && indent(&pair[1]) >= least
        });
        if rows {
            changed = true;
            passage.iter_mut().filter(|l| indent(l) >= least).for_each(|l| set_out(l, least));
        }
    }
    changed
}

/// Text behind so many quote marks and the one blank that follows them, unless they are bare.
fn strip(text: &str, marks: usize, bare: bool) -> &str {
    let mut left = marks;
    let mut rest = text;
    while left > 0 {
        let Some(at) = rest.find('>') else {
            break;
        };
        rest = &rest[at + 1..];
        left -= 1;
    }
    let rest = rest.strip_prefix(' ').filter(|_| !bare).unwrap_or(rest);
    behind_page_break(rest)
}

/// Statspack of 12.1 widens the first column of the host table and breaks the heading line, so that its
/// words stand over other columns: the line as other releases print it.
pub(crate) fn mend_host_heading(lines: &mut [Line<'_>]) {
    let words = |text: &str, wanted: &[&str]| text.split_whitespace().eq(wanted.iter().copied());
    // It stands on the first page.
    for at in 1..lines.len().min(60) {
        if lines[at].first == b'C'
            && words(lines[at].text, &["Cores", "Sockets", "Memory", "(G)"])
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
