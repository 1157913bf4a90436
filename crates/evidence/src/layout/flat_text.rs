//! Tables that lost their ruler: an HTML report copied from a browser (cells parted by tabs) or
//! turned into text by a converter (cells parted by bars).
//!
//! The first line of such a block holds the headings, or the first two where groups span columns;
//! a block whose first line already holds numbers has none. Its title is the line of text above.

use super::aligned_text;
use super::headings::Headings;
use super::marked_down;
use super::text_ruler::runs_of;
use super::text_sections::{Line, behind_mark_up};
use super::{barred_text, blanks, underlined};
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid, fold};
use memchr::{memchr_iter, memchr2};
use std::borrow::Cow;

/// What parts the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    Tab,
    Bar,
}

/// Does the text hold tables of this kind rather than ruled ones?
pub(crate) fn is_flat(lines: &[Line<'_>]) -> bool {
    // Copies of reports are small; what is larger is something else, and would be held cell by cell.
    if lines.len() > MOST_LINES {
        return false;
    }
    let head = &lines[..lines.len().min(600)];
    let parted = head.iter().filter(|l| parting(l.text).is_some()).count();
    parted >= 2 && parted * 5 >= head.iter().filter(|l| !l.is_blank()).count()
}

/// The lines outside of tables of this kind, and these with their titles, where sections stand between them as a report
/// prints them: somebody's own table beside a piece of a report. Lines keep their places. `None` where none do.
pub(crate) fn beside_printed<'a>(lines: &[Line<'a>]) -> Option<(Vec<Line<'a>>, Vec<Line<'a>>)> {
    let of_table = of_tables(lines);
    if lines.len() > MOST_LINES || !of_table.contains(&true) {
        return None;
    }
    let blank = |line: &Line<'a>| Line::new(line.number, "");
    let only = |wanted: bool| {
        let keep =
            |(line, of_table): (&Line<'a>, &bool)| if *of_table == wanted { *line } else { blank(line) };
        lines.iter().zip(&of_table).map(keep).collect::<Vec<_>>()
    };
    let (printed, mut parted) = (only(false), only(true));
    let filled = |at: usize| printed.get(at).is_some_and(|line| !line.is_blank());
    let is_title = |at: usize| crate::oracle::is_any_title(&fold(printed[at].text.trim_ascii()));
    let is_ruler =
        |line: &Line<'_>| line.marks.is_ruler() && runs_of(line.text).is_some_and(|runs| runs.len() > 1);
    let is_printed = |at: usize| {
        is_ruler(&printed[at]) && filled(at - 1) && filled(at + 1)
            || printed[at].text.starts_with("~~~") && is_title(at - 1)
    };
    if !(1..printed.len()).any(is_printed) {
        return None;
    }
    for at in (1..lines.len()).filter(|at| of_table[*at] && !of_table[at - 1]) {
        let above = (0..at).rev().find(|above| filled(*above));
        // A row of what is printed above is no title.
        if let Some(above) = above.filter(|above| is_title(*above) || lines[*above].text.starts_with('#')) {
            parted[above] = lines[above];
        }
    }
    Some((printed, parted))
}

/// Which lines are of a table: those that tabs part where they are many, and in a row of others, with a rule below the
/// headings or as many cells each. Lines of statements hold bars, too, and so do labels that stand beside each other.
fn of_tables(lines: &[Line<'_>]) -> Vec<bool> {
    const LEAST: usize = 3;
    let mut found = vec![false; lines.len()];
    let by_tabs = is_flat(lines);
    let mut at = 0;
    while at < lines.len() {
        let Some(kind) = parting(lines[at].text) else {
            at += 1;
            continue;
        };
        let length = lines[at..].iter().take_while(|line| parting(line.text) == Some(kind)).count();
        let block = &lines[at..at + length];
        let mark = if kind == Parting::Tab { b'\t' } else { b'|' };
        let marks = |line: &Line<'_>| memchr_iter(mark, line.text.as_bytes()).count();
        let alike = || block.iter().all(|line| marks(line) == marks(&block[0]));
        let ruled = || block.iter().any(|line| is_rule(line.text));
        if by_tabs && kind == Parting::Tab || ruled() || length >= LEAST && alike() {
            found[at..at + length].fill(true);
        }
        at += length;
    }
    found
}

/// A copy of the largest report seen has some 40,000 lines.
const MOST_LINES: usize = 300_000;

/// The widest table of any report has some forty columns.
const MOST_CELLS: usize = 200;

fn parting(text: &str) -> Option<Parting> {
    let bytes = text.as_bytes();
    // Nearly every line ends here.
    if !blanks::holds(bytes, [b'\t', b'|']) {
        return is_border(text).then_some(Parting::Bar);
    }
    let first = memchr2(b'\t', b'|', bytes)?;
    let marks = |mark: u8| memchr_iter(mark, &bytes[first..]).take(MOST_CELLS).count();
    match marks(b'\t') {
        0 => (2..MOST_CELLS).contains(&marks(b'|')).then_some(Parting::Bar),
        tabs => (tabs < MOST_CELLS).then_some(Parting::Tab),
    }
}

/// Is it the border that clients of databases and converters draw around rows and between them: `+-----+------+`?
fn is_border(text: &str) -> bool {
    let text = text.trim_ascii_end();
    // Nearly every line ends here.
    if !text.ends_with('+') {
        return false;
    }
    let text = text.trim_ascii_start();
    text.starts_with('+')
        && memchr_iter(b'+', text.as_bytes()).nth(2).is_some()
        && text.bytes().all(|b| matches!(b, b'+' | b'-' | b'=' | b':'))
        && (text.contains("--") || text.contains("=="))
}

/// Calls `sink` with every table, and `loose` with every line (for headers and titles).
pub(crate) fn tables<'a>(
    lines: &[Line<'a>],
    mut loose: impl FnMut(&Line<'a>),
    mut sink: impl FnMut(&mut Grid<'a>),
) {
    let mut title = Title::default();
    let mut sections = Headings::of(lines);
    let mut remarks: Vec<(u32, Cow<'a, str>)> = Vec::new();
    let mut barred = barred_text::starts(lines).into_iter().peekable();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        while barred.next_if(|start| start.heading < i).is_some() {}
        let start = barred.next_if(|start| start.heading == i);
        let kind = parting(line.text);
        if start.is_none() && kind.is_none() {
            let text = line.text.trim();
            if underlined::is_top(text) {
                // Nothing in itself.
            } else if text.is_empty() {
                sections.see_blank();
            } else {
                loose(line);
                sections.see(line, false, &mut sink);
                // `**** Time Model Statistics ****`
                let starred = text.starts_with("**") && text.ends_with("**");
                let item = text.strip_prefix(['*', '-', '•', '◦', '+']).filter(|_| !starred);
                if let Some(item) = item {
                    remarks.push((line.number, Cow::Borrowed(item.trim())));
                } else {
                    title.see(*line);
                    remarks.push((line.number, Cow::Borrowed(text)));
                }
            }
            i += 1;
            continue;
        }
        let mut grid = Grid::default();
        let title = title.take();
        grid.line = title.map_or(line.number, |t| t.number);
        grid.title = Cow::Borrowed(title.map_or("", |t| t.text));
        // Sentences above the title of a section are none of its lines.
        let known = title.filter(|t| crate::oracle::is_any_title(&fold(t.text)));
        remarks.retain(|(number, _)| known.is_none_or(|title| *number >= title.number));
        grid.remarks.append(&mut remarks);
        let end = match (start, kind) {
            (Some(start), _) => barred_text::table(lines, &start, &mut grid),
            (None, Some(kind)) => {
                let next = barred.peek().map_or(lines.len(), |s| s.heading);
                let end = block_end(&lines[..next], i, kind);
                let above = i.checked_sub(1).map_or("", |above| lines[above].text);
                block(&lines[i..end], (kind, above), &mut grid);
                if known.is_none()
                    && let Some(own) = own_title(&grid)
                {
                    grid.title = Cow::Owned(own);
                    grid.line = line.number;
                }
                end
            }
            (None, None) => i + 1,
        };
        for line in &lines[i..end] {
            loose(line);
        }
        sections.see_table();
        sink(&mut grid);
        i = end;
    }
    sections.end(&mut sink);
}

/// Most rows in succession of which nothing but a name is left.
const MOST_NAMES: usize = 12;

/// Where a block of lines ends whose cells are parted so. A row without values, as of a parameter, is a word alone
/// once the blanks behind it are gone: the block goes on below it in as many columns.
fn block_end(lines: &[Line<'_>], from: usize, kind: Parting) -> usize {
    let marks = |line: &Line<'_>| memchr_iter(b'\t', line.text.as_bytes()).count();
    let is_title = |line: &Line<'_>| crate::oracle::is_any_title(&fold(line.text.trim_ascii()));
    let is_name = |line: &&Line<'_>| {
        let text = line.text.trim_ascii();
        let is_label = !text.contains(' ') || text.ends_with(':');
        !text.is_empty() && parting(line.text).is_none() && is_label && !is_title(line)
    };
    let mut end = from;
    loop {
        end += lines[end..].iter().take_while(|line| parting(line.text) == Some(kind)).count();
        let names = lines[end..].iter().take(MOST_NAMES).take_while(is_name).count();
        let Some(above) = lines[..end].last() else { return end };
        let below = |skipped: usize| {
            let line = lines.get(end + skipped)?;
            (parting(line.text) == Some(kind) && marks(above) == marks(line)).then_some(line)
        };
        let goes_on = kind == Parting::Tab && names > 0 && end > from + 1 && below(names).is_some();
        if goes_on {
            end += names;
            continue;
        }
        // A row of blanks alone parts the rows of two periods, and one that has but a name may stand above all others.
        let is_row = |line: &Line<'_>| {
            holds_numbers(&cells(line.text, kind, false).into_iter().map(Cow::Borrowed).collect::<Vec<_>>())
        };
        let first_names =
            end == from + 1 && lines.get(end).is_some_and(|line| !line.is_blank() && !is_title(line));
        let skipped = usize::from(first_names);
        let skipped = skipped + usize::from(lines.get(end + skipped).is_some_and(|line| line.is_blank()));
        if kind != Parting::Tab || skipped == 0 || !below(skipped).is_some_and(is_row) {
            return end;
        }
        end += skipped;
    }
}

/// The title of a table that stands where its first heading would.
fn own_title(grid: &Grid<'_>) -> Option<String> {
    let first = grid.columns.first()?;
    let words = if first.group.is_empty() { &first.name } else { &first.group };
    heads_a_page(words).then(|| words.to_string())
}

/// Is it a title that stands in the first heading of a table on the first page of a report? Those of others are
/// headings, too: `Wait Class`.
fn heads_a_page(words: &str) -> bool {
    const BEGIN: [&str; 6] = [
        "top",
        "loadprofile",
        "instanceefficiency",
        "sharedpoolstatistics",
        "cachesizes",
        "memorystatistics",
    ];
    let folded = fold(words);
    BEGIN.iter().any(|begin| folded.starts_with(begin)) && crate::oracle::is_any_title(&folded)
}

/// The title of the next table: the last line that is a known title, else the last line at all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Title<'a> {
    known: Option<Line<'a>>,
    last: Option<Line<'a>>,
}

impl<'a> Title<'a> {
    /// A line outside every table.
    pub(crate) fn see(&mut self, line: Line<'a>) {
        let text = line.text.trim().trim_matches(['#', '*']).trim();
        let over = ["Back to", "Back_to", "No data exists"];
        if over.iter().any(|words| text.starts_with(words)) {
            // The section is over.
            *self = Self::default();
            return;
        }
        let plain = behind_mark_up(text);
        let text = if crate::oracle::is_any_title(&fold(plain)) { plain } else { text };
        let line = Line { text, ..line };
        if crate::oracle::is_any_title(&fold(text)) || names_a_statement(text) {
            self.known = Some(line);
        }
        self.last = Some(line);
    }

    /// The title, which serves one table only.
    pub(crate) fn take(&mut self) -> Option<Line<'a>> {
        let found = self.known.take().or(self.last);
        self.last = found;
        found
    }
}

/// `SQL ID: crqv3q3x9rtgt`, above the plans of a statement and its text.
fn names_a_statement(text: &str) -> bool {
    text.strip_prefix("SQL ID:").is_some_and(|id| {
        let id = id.trim();
        id.len() == 13 && id.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// Cells of a line; `framed` where bars stand before the first and behind the last cell too.
fn cells(line: &str, kind: Parting, framed: bool) -> Vec<&str> {
    match kind {
        Parting::Tab => line.split('\t').map(str::trim).collect(),
        Parting::Bar => {
            let line = line.trim();
            if let Some(headings) = jira_headings(line).filter(|_| framed) {
                return headings;
            }
            let inner = if framed { line.strip_prefix('|').unwrap_or(line) } else { line };
            let inner = if framed { inner.strip_suffix('|').unwrap_or(inner) } else { inner };
            inner.split('|').map(|cell| not_bold(cell.trim())).collect()
        }
    }
}

/// Headings as Jira and Confluence write them: `||Event||Waits||`.
fn jira_headings(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix("||")?.strip_suffix("||")?;
    let headings: Vec<&str> = inner.split("||").map(str::trim).collect();
    (headings.len() > 1 && headings.iter().all(|heading| !heading.contains('|'))).then_some(headings)
}

/// A cell without the marks that make it bold, or code.
fn not_bold(cell: &str) -> &str {
    let inside = |mark: &str| cell.strip_prefix(mark)?.strip_suffix(mark).filter(|c| !c.contains(mark));
    inside("**").or_else(|| inside("`")).map_or(cell, str::trim)
}

fn is_rule(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'-' | b'|' | b'+' | b':' | b'=' | b' ' | b'_'))
        && (text.contains("--") || is_border(text))
}

/// Does a row hold a number, as no line of headings does?
pub(super) fn holds_numbers(row: &[Cow<'_, str>]) -> bool {
    // Periods that are compared are headings.
    let of_period = |c: &str| c.starts_with("1st") || c.starts_with("2nd");
    row.iter()
        .any(|c| c.starts_with(|f: char| f.is_ascii_digit() || f == '.') && looks_numeric(c) && !of_period(c))
}

/// Columns of a table with or without headings above groups of them. How many columns a group spans
/// is not printed: it is taken where the headings below repeat, or where there is one group; where
/// neither holds the columns get no name, since a number under a wrong heading is worse than none.
pub(super) fn columns(groups: Option<&[Cow<'_, str>]>, leaves: &[Cow<'_, str>], width: usize) -> Vec<Column> {
    let leaf = |c: usize| leaves.get(c).map_or("", AsRef::as_ref);
    let Some(groups) = groups else {
        return (0..width).map(|c| Column::new("", leaf(c))).collect();
    };
    if is_one_group(groups, leaves) {
        let from = groups.iter().position(|g| !g.is_empty()).unwrap_or(width);
        let group = |c: usize| if c < from { "" } else { &groups[from] };
        return (0..width).map(|c| Column::new(group(c), leaf(c))).collect();
    }
    let named = groups.iter().filter(|g| !g.is_empty()).count();
    let blank = groups.len() - named;
    let span = width.checked_sub(blank).filter(|w| named > 0 && w % named == 0).map(|w| w / named);
    let mut spans = Vec::with_capacity(width);
    let mut first: Option<usize> = None;
    let mut repeats = true;
    for group in groups {
        if group.is_empty() {
            spans.push("");
            continue;
        }
        let from = spans.len();
        spans.extend(std::iter::repeat_n(group.as_ref(), span.unwrap_or(0)));
        let first = *first.get_or_insert(from);
        repeats &= (from..spans.len()).all(|c| fold(leaf(c)) == fold(leaf(c - from + first)));
    }
    if span.is_some() && repeats && spans.len() == width {
        return (0..width).map(|c| Column::new(spans[c], leaf(c))).collect();
    }
    let spans = known_spans(groups, leaves).or_else(|| spans_of_statements(groups, leaves));
    if let Some(spans) = spans.or_else(|| spans_of_periods(groups, leaves)) {
        return (0..width).map(|c| Column::new(spans.get(c).copied().unwrap_or(""), leaf(c))).collect();
    }
    vec![Column::default(); width]
}

/// Are these headings that some release prints, more of them than not?
fn are_headings(cells: &[Cow<'_, str>]) -> bool {
    let known = cells.iter().filter(|cell| !cell.is_empty() && aligned_text::is_heading(cell)).count();
    cells.len() > 2 && 2 * known > cells.len()
}

/// Does one heading stand above several, with a blank cell for each column that it spans but its first?
fn is_one_group(groups: &[Cow<'_, str>], leaves: &[Cow<'_, str>]) -> bool {
    groups.len() == leaves.len()
        && leaves.len() > 2
        && groups[0].is_empty()
        && groups.iter().filter(|g| !g.is_empty()).count() == 1
        && leaves.iter().all(|leaf| !leaf.is_empty())
}

/// Groups of columns in reports on several instances, and the first heading below each.
/// Source: pages of such reports of 11.2 to 19c.
const KNOWN_GROUPS: &[(&str, &str)] = &[
    ("Wait", "Class"),
    ("Event", "Waits"),
    ("Wait Time", "Total(s)"),
    ("Summary Avg Wait Time", "Avg"),
    ("Summary Avg Wait Time (ms)", "Avg"),
    ("Requests", "Total"),
    ("MB", "Total"),
    ("Reads MB/sec", "Total"),
    ("Writes MB/sec", "Total"),
    ("Reads requests/sec", "Total"),
    ("Writes requests/sec", "Total"),
    ("Service Time", "Small Read"),
    ("CPU", "#CPUs"),
    ("Load", "Begin"),
    ("% CPU", "% Busy"),
    ("Time (s)", "Busy"),
    ("Memory", "MB"),
    ("End Values", "#CPUs"),
];

/// The group of each column where all groups are known and begin in their order, each with its first heading;
/// blank ones before and behind them are a column each.
fn known_spans<'c>(groups: &'c [Cow<'_, str>], leaves: &[Cow<'_, str>]) -> Option<Vec<&'c str>> {
    let before = groups.iter().take_while(|g| g.is_empty()).count();
    let behind = groups[before..].iter().rev().take_while(|g| g.is_empty()).count();
    let named = &groups[before..groups.len() - behind];
    let end = leaves.len().checked_sub(behind)?;
    // Blank groups at the end of a line are lost with its tabs.
    let end = leaves.iter().position(|leaf| leaf.starts_with("Waits: ")).map_or(end, |at| at.min(end));
    let mut starts = Vec::with_capacity(named.len());
    let mut from = before;
    for group in named {
        let key = fold(group);
        let first = KNOWN_GROUPS.iter().find(|known| fold(known.0) == key).map(|known| fold(known.1))?;
        let start = from + leaves.get(from..end)?.iter().position(|leaf| fold(leaf) == first)?;
        starts.push(start);
        from = start + 1;
    }
    if named.is_empty() || starts.first() != Some(&before) {
        return None;
    }
    let mut spans = vec![""; leaves.len()];
    for (n, group) in named.iter().enumerate() {
        let to = starts.get(n + 1).copied().unwrap_or(end);
        spans[starts[n]..to].fill(group.as_ref());
    }
    Some(spans)
}

/// The same in lists of statements of several instances: what stands below `Total`, all but the executions, comes
/// again below `Per Execution`.
fn spans_of_statements<'c>(groups: &'c [Cow<'_, str>], leaves: &[Cow<'_, str>]) -> Option<Vec<&'c str>> {
    let named: Vec<&str> = groups.iter().map(AsRef::as_ref).filter(|g| !g.is_empty()).collect();
    let [total, each, share] = named[..] else { return None };
    if [fold(total), fold(each), fold(share)] != ["total", "perexecution", "percentageoftotal"] {
        return None;
    }
    let names: Vec<String> = leaves.iter().map(|leaf| fold(leaf)).collect();
    let is_count = |name: &String| name == "execs";
    let first = names.iter().skip(1).find(|name| !is_count(name))?;
    let starts: Vec<usize> = (1..names.len()).filter(|c| names[*c] == *first).collect();
    let second = *starts.get(1)?;
    let once: Vec<&String> = names[1..second].iter().filter(|name| !is_count(name)).collect();
    let third = second + once.len();
    let again: Vec<&String> = names.get(second..third)?.iter().collect();
    let text = names.iter().rposition(|name| name == "sqltext").filter(|text| *text > third)?;
    if once != again {
        return None;
    }
    let mut spans = vec![""; leaves.len()];
    spans[1..second].fill(total);
    spans[second..third].fill(each);
    spans[third..text].fill(share);
    Some(spans)
}

/// The same in a comparison of two periods: each group begins with the first period.
fn spans_of_periods<'c>(groups: &'c [Cow<'_, str>], leaves: &[Cow<'_, str>]) -> Option<Vec<&'c str>> {
    let named: Vec<&str> = groups.iter().map(AsRef::as_ref).filter(|g| !g.is_empty()).collect();
    let names: Vec<String> = leaves.iter().map(|leaf| fold(leaf)).collect();
    let of_period = |name: &str| name.starts_with("1st") || name.starts_with("2nd") || name.ends_with("diff");
    let begins = |name: &str| matches!(name, "1st" | "1st/2nd/both");
    let starts: Vec<usize> = (0..names.len()).filter(|c| begins(&names[*c])).collect();
    if named.is_empty() || named.len() != starts.len() {
        return None;
    }
    let mut spans = vec![""; leaves.len()];
    for (n, group) in named.iter().enumerate() {
        let to = starts.get(n + 1).copied().unwrap_or(names.len());
        let own = names[starts[n]..to].iter().take_while(|name| of_period(name)).count();
        // A column between two groups is of neither, or of one that is not known.
        if starts[n] + own < to && n + 1 < named.len() {
            return None;
        }
        spans[starts[n]..starts[n] + own].fill(group);
    }
    Some(spans)
}

/// Does the title of a table stand in its first row, before headings of which the others stand in the second?
fn is_titled_heading(above: &[Cow<'_, str>], below: &[Cow<'_, str>]) -> bool {
    let one_of_both = |(above, below): (&Cow<'_, str>, &Cow<'_, str>)| above.is_empty() != below.is_empty();
    above.len() == below.len()
        && !below[0].is_empty()
        && above.iter().zip(below).skip(1).all(one_of_both)
        && !holds_numbers(below)
        && heads_a_page(&above[0])
}

/// Does a line go on with the row above it: with less than half of its cells, not the first, none of them a number but
/// a time of day?
fn is_rest_of(rest: &[Cow<'_, str>], row: &[Cow<'_, str>]) -> bool {
    let filled = rest.iter().filter(|cell| !cell.is_empty()).count();
    rest.len() == row.len()
        && 2 * filled < rest.len()
        && rest.first().is_some_and(|first| first.is_empty())
        && rest.iter().zip(row).all(|(rest, own)| {
            rest.is_empty() || !own.is_empty() && (rest.contains(':') || !looks_numeric(rest))
        })
}

/// Headings that stand beside a corner which is blank in every release: labels are below that one.
const BESIDE_THE_CORNER: [&str; 6] =
    ["persecond", "read+writepersecond", "begin", "snapid", "1stpersec", "1st"];

/// Were the headings moved by one, since the blank corner above the labels got lost, or went behind the last of them?
pub(super) fn lost_its_corner<'c>(
    head: &[impl AsRef<str>],
    mut labels: impl ExactSizeIterator<Item = &'c str>,
) -> bool {
    let beside = head.first().is_some_and(|first| BESIDE_THE_CORNER.contains(&fold(first.as_ref()).as_str()));
    beside && labels.len() > 0 && labels.all(|label| !label.is_empty() && !looks_numeric(label))
}

/// Moves headings to the columns that they stood over.
pub(super) fn put_corner_back<T: AsRef<str> + Default>(head: &mut Vec<T>) {
    if head.last().is_some_and(|last| last.as_ref().is_empty()) {
        head.pop();
    }
    head.insert(0, T::default());
}

/// Does a row between bars have fewer cells than its table has headings, of which any may be the one that lacks? Some
/// converters drop blank cells. Labels have their values behind them, and some columns are blank in most rows: there
/// the last ones lack.
fn lacks_cells(row: &[Cow<'_, str>], headings: &[Cow<'_, str>]) -> bool {
    let is_label = row.first().is_some_and(|first| first.ends_with(':'));
    let may_be_blank =
        |heading: &Cow<'_, str>| matches!(fold(heading).as_str(), "" | "endvalue" | "endvalueifdifferent");
    let lacking = headings.get(row.len()..).unwrap_or_default();
    row.len() > 1 && !lacking.is_empty() && !is_label && !lacking.iter().all(may_be_blank)
}

/// Is it the line that `links` draws above a table: `+----------------+`?
fn is_top_of_links(text: &str) -> bool {
    let inside = text.trim_ascii().strip_prefix('+').and_then(|text| text.strip_suffix('+'));
    inside.is_some_and(|dashes| dashes.len() > 5 && dashes.bytes().all(|b| b == b'-'))
}

/// Puts together the lines of a row that stand between two borders, where a border parts each row from the next; and
/// those of the headings, between the first border and the second. Else each line is a row.
fn join_lines_of_rows(lines: &[Line<'_>], of_links: bool, rows: &mut Vec<(u32, Vec<Cow<'_, str>>)>) {
    let is_border = |l: &&Line<'_>| is_border(l.text) || of_links && is_rule(l.text);
    // The first and the last border of `links` are no lines of the block.
    let outer = |line: Option<u32>| line.filter(|_| of_links);
    let top = outer(lines.first().map(|first| first.number.saturating_sub(1)));
    let bottom = outer(lines.last().map(|last| last.number.saturating_add(1)));
    let inner = lines.iter().filter(is_border).map(|l| l.number);
    let borders: Vec<u32> = top.into_iter().chain(inner).chain(bottom).collect();
    let [top, below_headings, ..] = *borders.as_slice() else { return };
    // A frame has three: above, below the headings, and below the last row. Around one row on two lines, too.
    let below: Vec<&[Cow<'_, str>]> =
        rows.iter().filter(|(line, _)| *line > below_headings).map(|(_, cells)| cells.as_slice()).collect();
    let one = matches!(below.as_slice(), [row, rest] if is_rest_of(rest, row));
    let each = borders.len() > 3 || one;
    let part = |line: u32| borders.partition_point(|border| *border < line);
    let mut joined: Vec<(u32, Vec<Cow<'_, str>>)> = Vec::with_capacity(rows.len());
    for (line, cells) in std::mem::take(rows) {
        let of_headings = (top..below_headings).contains(&line);
        let goes_on = joined.last().is_some_and(|(above, own)| {
            part(*above) == part(line)
                && own.len() == cells.len()
                && (one || of_links || !holds_numbers(&cells))
        });
        match joined.last_mut().filter(|_| goes_on && (each || of_headings)) {
            Some((_, own)) => {
                for (own, more) in own.iter_mut().zip(cells).filter(|(_, more)| !more.is_empty()) {
                    let own = own.to_mut();
                    if !own.is_empty() {
                        own.push(' ');
                    }
                    own.push_str(&more);
                }
            }
            None => joined.push((line, cells)),
        }
    }
    *rows = joined;
}

fn block<'a>(lines: &[Line<'a>], (kind, above): (Parting, &str), grid: &mut Grid<'a>) {
    let framed = lines
        .iter()
        .filter(|l| !is_border(l.text))
        .all(|l| l.text.trim_start().starts_with('|') && l.text.ends_with('|'));
    let is_underlined = kind == Parting::Bar && framed && underlined::is_top(above);
    let mut rows = if is_underlined { underlined::rows(lines) } else { Vec::with_capacity(lines.len()) };
    for line in lines.iter().filter(|l| !is_underlined && !is_rule(l.text) && !l.is_blank()) {
        let own = cells(line.text, kind, framed);
        // The last row of a framed table may be underlined, blank for blank.
        let underlined = framed && own.iter().any(|c| c.starts_with('_') || c.ends_with('_'));
        let plain = |c: &'a str| match kind {
            Parting::Bar if underlined => Cow::Owned(c.replace('_', " ").trim().to_owned()),
            Parting::Bar => marked_down::plain(c),
            Parting::Tab => Cow::Borrowed(c),
        };
        rows.push((line.number, own.into_iter().map(plain).collect()));
    }
    if kind == Parting::Bar {
        join_lines_of_rows(lines, is_top_of_links(above), &mut rows);
    }
    // A table has headings in Markdown, and blank ones where the page had none there.
    let unnamed = rows.iter().take_while(|row| row.1.iter().all(|c| c.is_empty())).count();
    rows.drain(..unnamed);
    if let Some(((_, head), body)) = rows.split_first_mut()
        && lost_its_corner(head, body.iter().map(|row| row.1.first().map_or("", AsRef::as_ref)))
    {
        put_corner_back(head);
    }
    let width = rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
    let mut headings = 0;
    if rows.len() > 1 && !holds_numbers(&rows[0].1) {
        headings = 1;
        // Groups above headings: shorter or with leading blanks, and no numbers below them yet.
        let first_blank = rows[0].1.first().is_some_and(|c| c.is_empty());
        if rows.len() > 2
            && !holds_numbers(&rows[1].1)
            && (is_one_group(&rows[0].1, &rows[1].1)
                || rows[0].1.len() < rows[1].1.len()
                    && (first_blank
                        || rows[0].1.len() == 1
                        || known_spans(&rows[0].1, &rows[1].1).is_some()
                        || spans_of_periods(&rows[0].1, &rows[1].1).is_some()
                        || are_headings(&rows[1].1)))
        {
            headings = 2;
        }
    }
    if let [(_, above), (_, below), _, ..] = rows.as_slice()
        && headings == 1
        && is_titled_heading(above, below)
    {
        // Each heading stands in one of the two.
        let leaf = |c: usize| below.get(c).filter(|h| !h.is_empty()).or_else(|| above.get(c));
        grid.columns = (0..width)
            .map(|c| Column::new(if c == 0 { &above[0] } else { "" }, leaf(c).map_or("", AsRef::as_ref)))
            .collect();
        headings = 2;
    } else if headings > 0 {
        let groups = (headings == 2).then(|| rows[0].1.as_slice());
        grid.columns = columns(groups, &rows[headings - 1].1, width);
    }
    let printed = headings.checked_sub(1).and_then(|last| rows.get(last)).map(|row| row.1.clone());
    for (number, cells) in rows.into_iter().skip(headings) {
        let filled = cells.len();
        if kind == Parting::Bar && printed.as_ref().is_some_and(|printed| lacks_cells(&cells, printed)) {
            let (first, count) = grid.doubtful.unwrap_or((number, 0));
            grid.doubtful = Some((first, count + 1));
            continue;
        }
        cells.into_iter().for_each(|c| grid.push_cell(c));
        (filled..width).for_each(|_| grid.push_cell(Cow::Borrowed("")));
        grid.end_row(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    fn read(text: &str) -> Vec<(String, Vec<String>, usize)> {
        let all = lines(text);
        let mut found = Vec::new();
        tables(
            &all,
            |_| {},
            |g| {
                found.push((
                    g.title.to_string(),
                    g.columns.iter().map(|c| c.name.to_string()).collect(),
                    g.len(),
                ));
            },
        );
        found
    }

    #[test]
    fn a_browsers_copy_keeps_its_cells() {
        let found = read(
            "Foreground Wait Events\n  • s - second\n\nEvent\tWaits\tTotal Wait Time (s)\n\
             direct path write\t56,723\t677\nlog file sync\t1,076\t280\n\nHost CPU\nCPUs\tCores\n2\t2\n",
        );
        assert_eq!(found[0].0, "Foreground Wait Events");
        assert_eq!(found[0].1, ["Event", "Waits", "Total Wait Time (s)"]);
        assert_eq!(found[0].2, 2);
        assert_eq!(found[1].0, "Host CPU");
    }

    /// No list of statements of several instances was read from a browser's copy.
    #[test]
    fn what_comes_again_per_execution_tells_how_wide_its_groups_are() {
        let found = read(
            "SQL ordered by Gets (Global)\n\tTotal\tPer Execution\tPercentage of Total\t\n\
             SQL Id\tGets\tReads\tExecs\tGets\tReads\tGets\tReads\tExecs\tSQL Text\n\
             9g2kz4wq7d1hm\t20\t8\t2\t10.00\t4.00\t24.24\t12.00\t1.00\tselect 1\n",
        );
        let names = [
            "SQL Id",
            "Total Gets",
            "Total Reads",
            "Total Execs",
            "Per Execution Gets",
            "Per Execution Reads",
            "Percentage of Total Gets",
            "Percentage of Total Reads",
            "Percentage of Total Execs",
            "SQL Text",
        ];
        assert_eq!(found[0].1, names);
    }

    /// What was received stood under the source, since its groups were taken for the headings.
    #[test]
    fn figures_stood_under_groups_that_are_fewer_than_their_columns() {
        let found = read(
            "Global Cache Transfer Statistics\nInstance#\tBlock\tCR Blocks\n\
             Dest\tSrc\tClass\tReceived\t%Immed\n1\t2\tdata block\t56,794\t92.43\n",
        );
        assert_eq!((found[0].1.join(""), found[0].2), (String::new(), 1));
    }

    /// Columns under groups of unlike widths had no names: no wait event of a report on several instances was
    /// read from a browser's copy.
    #[test]
    fn groups_of_unlike_widths_had_no_names() {
        let found = read(
            "Foreground Wait Events (Global)\nWait\tEvent\tWait Time\tSummary Avg Wait Time\n\
             Class\tEvent\tWaits\t%Timeouts\tTotal(s)\tAvg Wait\t%DB time\tAvg\tMin\n\
             User I/O\tlog file sync\t1\t0.00\t2.0\t3us\t4.0\t5us\t6us\n\n\
             IOStat by Function\n\t\tRequests\tMB\t\t\n\
             I#\tFunction Name\tTotal\tReads/s\tTotal\tRead MB/s\tWaits: Count\tAvg   Time\n\
             1\tLGWR\t1\t2\t3\t4\t5\t6us\n",
        );
        assert_eq!(found[0].1[0], "Wait Class");
        assert_eq!(found[0].1[2..5], ["Event Waits", "Event %Timeouts", "Wait Time Total(s)"]);
        assert_eq!(found[0].1[8], "Summary Avg Wait Time Min");
        assert_eq!(found[1].1[2..6], ["Requests Total", "Requests Reads/s", "MB Total", "MB Read MB/s"]);
        assert_eq!((&*found[1].1[0], &*found[1].1[6], found[1].2), ("I#", "Waits: Count", 1));
    }

    /// Converters to Markdown print a row of blank headings above those of the page, one heading for several columns
    /// with blank cells behind it, and a backslash before marks: no histogram was read.
    #[test]
    fn headings_below_blank_ones_of_markdown_were_rows() {
        let found = read(
            "### Wait Event Histogram\n\n|  |  |  |  |\n|--|--|--|--|\n|  |  | % of Waits |  |\n\
             | Event | Total Waits | \\<1ms | \\>1s |\n| SQL\\*Net break/reset to client | 32 | 96.9 | 3.1 |\n",
        );
        assert_eq!(found[0].1, ["Event", "Total Waits", "% of Waits <1ms", "% of Waits >1s"]);
        assert_eq!(found[0].2, 1);
    }

    #[test]
    fn bars_and_group_headings() {
        let found = read(
            "## Wait Event Histogram\n | | % of Total Waits\n---|---|---\nEvent | Total Waits | <8us | <16us\n\
             log file sync | 12 | 1.0 | 99.0\n",
        );
        assert_eq!(found[0].0, "Wait Event Histogram");
        assert_eq!(found[0].1[2], "% of Total Waits <8us");
        assert_eq!(found[0].2, 1);
    }
}
