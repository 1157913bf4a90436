//! Leading events and load profiles as people type, squeeze and wrap them: in notes, forums, slides.
//!
//! No release prints such a table: its ruler, if any, is the writer's own, cells stand beside their
//! columns, between bars, or on the next line. What its words leave no doubt about is read: headings
//! that are all known, a name that is followed by as many numbers as there are columns for, CPU that
//! has a time and a share only. The table is taken out of the text and put back as a plain one; a row
//! with another meaning, or none, is left out with a note. Tables that stand as printed are not touched.

use super::known_tables::is_ruler;
use super::marks::Marks;
use super::mend::{self, Doubt};
use super::text_sections::Line;
use super::{aligned_text, blanks, flat_text, typed_cells as cells};
use crate::grid::fold;
pub(crate) use cells::bare_title;
use cells::{Column, Row, columns_of, is_value, row_of};

/// A table put back, line by line with the numbers of the source.
struct Block {
    lines: Vec<(u32, String)>,
}

/// What was taken out of a text.
#[derive(Default)]
pub(crate) struct Typed {
    blocks: Vec<Block>,
    pub(crate) doubts: Vec<Doubt>,
}

/// Notes and threads are shorter.
const MOST_LINES: usize = 3_000;
/// Most lines of headings, and of a wrapped row.
const MOST_HEADINGS: usize = 6;
const MOST_PIECES: usize = 5;
/// How far above its headings a title stands.
const TITLE_REACH: usize = 8;

/// Was a text printed, not typed: does the head of a report stand there, or more than anybody types?
pub(crate) fn is_printed(lines: &[Line<'_>]) -> bool {
    lines.len() > MOST_LINES || lines.iter().any(|l| l.marks.holds(Marks::HEAD))
}

/// Takes typed tables out of the lines; `None` where there is none, or where the head of a report says
/// that they were printed.
pub(crate) fn take_out(lines: &mut [Line<'_>], is_title: impl Fn(&str) -> bool) -> Option<Typed> {
    if is_printed(lines) {
        return None;
    }
    for line in lines.iter_mut().filter(|l| matches!(l.first, b'#' | b'*' | b'0'..=b'9')) {
        let bare = cells::bare_title(line.text);
        if bare.len() <= 70 && bare.len() < line.text.len() && is_title(&fold(bare)) {
            *line = Line::new(line.number, bare);
        }
    }
    title_parts(lines, &is_title);
    title_statements(lines, &is_title);
    let mut found = Vec::new();
    let mut doubts = Vec::new();
    let mut at = 0;
    // Cells that stand in line are cut where they stand: below headings that wide blanks part.
    let aligned = aligned_text::is_aligned(lines) && !lines.iter().any(|l| l.marks.is_ruler());
    while at < lines.len() {
        let stands = aligned && blanks::holds_two(lines[at].text.trim_ascii().as_bytes());
        let unruled = if stands { None } else { unruled_head(lines, at) };
        let Some(head) = unruled.or_else(|| head_at(lines, at, &is_title)) else {
            at += 1;
            continue;
        };
        let body = body(lines, &head);
        at = body.end.max(at + 1);
        if body.rows.is_empty() && body.left_out.is_none() {
            continue;
        }
        let number = lines[head.first].number;
        let titled = title(lines, &head, &is_title);
        // Somebody who quotes a load profile may leave out its title.
        let untitled = || Title { name: "Load Profile".to_owned(), from: head.first };
        let Some(title) = titled.or_else(|| is_load_profile(&head, &body.rows).then(untitled)) else {
            continue;
        };
        let section = Some(title.name.clone());
        if let Some((line, rows)) = body.left_out {
            let why = "wrapped, squeezed or typed, their cells cannot be told apart";
            doubts.push(Doubt { line, rows, section: section.clone(), why });
        }
        for row in body.rows.iter().filter(|row| row.torn) {
            let why =
                "a cell of this row is no number: it is taken as unknown, and the rest of the row is read";
            doubts.push(Doubt { line: row.line, rows: 0, section: section.clone(), why });
        }
        if let Some((line, rows)) = body.torn {
            let why = "time and share do not agree with those of the other rows, so the cells may be others";
            doubts.push(Doubt { line, rows, section, why });
        }
        let dots = lines[head.first..body.end].iter().find(|l| l.marks.is_omission()).map(|l| l.number);
        let blank = |l: &mut Line<'_>| *l = Line::new(l.number, "");
        lines[title.from..head.first].iter_mut().for_each(blank);
        lines[head.first..body.end].iter_mut().for_each(blank);
        if !body.rows.is_empty() {
            found.push((number, title.name, head.columns, body.rows, dots));
        }
    }
    if found.is_empty() && doubts.is_empty() {
        return None;
    }
    let flat = flat_text::is_flat(lines);
    let blocks = found
        .into_iter()
        .map(|(number, title, columns, rows, dots)| put_back(number, &title, &columns, (&rows, dots), flat))
        .collect();
    Some(Typed { blocks, doubts })
}

/// Gives the parts that somebody numbered, in any language, the titles in their captions; where one caption holds a
/// title, the others begin parts of their own, too, and end the section above.
fn title_parts(lines: &mut [Line<'_>], is_title: &impl Fn(&str) -> bool) {
    let mut words: Vec<&str> = Vec::new();
    let mut others: Vec<(usize, &str)> = Vec::new();
    for (at, line) in lines.iter_mut().enumerate() {
        if !line.first.is_ascii_alphabetic() || line.text.len() > 120 {
            continue;
        }
        let Some((word, title)) = cells::title_of_part(line.text) else { continue };
        if is_title(&fold(title)) {
            *line = Line::new(line.number, title);
            words.push(word);
        } else {
            others.push((at, word));
        }
    }
    for (at, _) in others.iter().filter(|(_, word)| words.contains(word)) {
        // No title, but for its underline: a rule, or the blank line that stands there.
        let Some(below) = lines.get(at + 1) else { continue };
        if below.text.trim().chars().all(|c| matches!(c, '=' | '~' | '-' | '\u{2550}' | '\u{2500}')) {
            lines[at + 1] = Line::new(below.number, "~~~~~~~~~~~~~~~~~~~~~~~~~");
            lines[*at] = Line::new(lines[*at].number, mend::UNTITLED);
        }
    }
}

/// Gives tables of statements between bars that stand below words of somebody's own the title that a report prints over
/// them: their first column is what such a table is ranked by.
fn title_statements(lines: &mut [Line<'_>], is_title: &impl Fn(&str) -> bool) {
    for at in 1..lines.len() {
        let is_heading = lines[at].first == b'|'
            && lines.get(at + 1).is_some_and(|below| below.first == b'|' && is_barred_rule(below.text));
        if !is_heading {
            continue;
        }
        let headings: Vec<String> = lines[at].text.trim().trim_matches('|').split('|').map(fold).collect();
        let title = match headings[0].as_str() {
            "elapsedtimes" => "SQL ordered by Elapsed Time",
            "cputimes" => "SQL ordered by CPU Time",
            "useriotimes" => "SQL ordered by User I/O Wait Time",
            "buffergets" => "SQL ordered by Gets",
            "physicalreads" => "SQL ordered by Reads",
            _ => continue,
        };
        let above = lines[at - 1];
        let near = (0..at).rev().take(3).map(|n| lines[n]).find(|l| !l.text.is_empty());
        let titled = near.is_some_and(|l| is_title(&fold(cells::bare_title(l.text))));
        if headings.iter().any(|h| h == "sqlid")
            && headings.iter().any(|h| h == "executions")
            && !titled
            && !above.text.contains('|')
        {
            // Words right above the bars move up to where nothing stands: they may tell of the period.
            if !above.text.is_empty()
                && let Some(blank) = (0..at - 1).rev().take(TITLE_REACH).find(|n| lines[*n].text.is_empty())
            {
                lines.copy_within(blank + 1..at, blank);
            }
            lines[at - 1] = Line::new(above.number, title);
            // Headings again, as where a page ended, are no statement.
            let heading = lines[at].text;
            let end = (at..lines.len()).find(|n| lines[*n].first != b'|').unwrap_or(lines.len());
            let mut to = at + 1;
            for from in at + 1..end {
                if lines[from].text != heading {
                    lines[to] = lines[from];
                    to += 1;
                }
            }
            lines[to..end].iter_mut().for_each(|l| *l = Line::new(l.number, ""));
        }
    }
}

impl Typed {
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.doubts.is_empty()
    }

    /// The lines of a text with the tables in their places.
    pub(crate) fn merge<'t>(&'t self, lines: &[Line<'t>]) -> Vec<Line<'t>> {
        let mut all = Vec::with_capacity(lines.len() + 32);
        let mut blocks = self.blocks.iter().peekable();
        let push = |block: &'t Block, all: &mut Vec<Line<'t>>| {
            all.extend(block.lines.iter().map(|(number, text)| Line::new(*number, text.trim_ascii_end())));
        };
        for line in lines {
            while let Some(block) = blocks.next_if(|b| b.lines.first().is_some_and(|l| l.0 <= line.number)) {
                push(block, &mut all);
            }
            all.push(*line);
        }
        blocks.for_each(|block| push(block, &mut all));
        all
    }
}

/// The headings of a typed table.
struct Head {
    /// Index of its first line, and behind its last one.
    first: usize,
    body: usize,
    columns: Vec<Column>,
    bars: Option<Bars>,
    /// Rest of the last line, where a whole table stands on one.
    rest: Option<(u32, String)>,
    profile: bool,
}

/// Do bars frame the rows?
#[derive(Clone, Copy)]
struct Bars {
    before: bool,
    behind: bool,
}

/// Dashes, or what word processors make of them.
fn is_dashes(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() >= 3
        && (is_ruler(text) || text.chars().all(|c| matches!(c, '\u{2500}' | '\u{2014}' | '\u{2013}' | ' ')))
}

/// `|---|:--:|`
fn is_barred_rule(text: &str) -> bool {
    text.contains("--") && text.bytes().all(|b| matches!(b, b'-' | b':' | b'|' | b' '))
}

/// Headings without a ruler: all their words are known, and a row follows.
fn unruled_head(lines: &[Line<'_>], at: usize) -> Option<Head> {
    let text = lines[at].text.trim_ascii();
    let begins = ["Event", "EVENT", "event", "Wait Event", "Per Second", "Load Profile"];
    if !begins.iter().any(|b| text.starts_with(b)) || text.len() > 200 || text.contains(['\t', '|']) {
        return None;
    }
    let columns = columns_of(text)?;
    let body = (at + 1..at + 3).find(|next| lines.get(*next).is_some_and(|l| !l.text.is_empty()))?;
    let next = &lines[body];
    let row = row_of(&[next.text], &columns, next.number).filter(|row| row.sure);
    if next.first == b'~' || is_dashes(next.text) || row.is_none() {
        return None;
    }
    let profile = columns[0] == Column::Label;
    Some(Head { first: at, body, columns, bars: None, rest: None, profile })
}

fn head_at(lines: &[Line<'_>], at: usize, is_title: &impl Fn(&str) -> bool) -> Option<Head> {
    let line = &lines[at];
    if line.text.len() > 4_000 {
        return None;
    }
    if line.text.contains('|') {
        return barred_head(lines, at);
    }
    if line.text.contains("~~~") && line.text.contains("--- ---") && line.text.len() > 120 {
        return flowing_head(line, at);
    }
    let underline = line.first == b'~' && !line.text.contains("---");
    if !is_dashes(line.text) || underline || line.text.trim_ascii_start().starts_with("===") {
        return None;
    }
    // Headings over one or several lines, up to the underline of a title.
    let mut words = String::new();
    let mut best = None;
    for first in (at.saturating_sub(MOST_HEADINGS)..at).rev() {
        let text = lines[first].text;
        if text.is_empty() || text.contains('|') || is_dashes(text) && lines[first].first != b'~' {
            break;
        }
        let bare = text.trim_ascii_start().trim_start_matches('~');
        words = format!("{} {words}", bare.trim());
        if let Some(columns) = columns_of(&words) {
            best = Some((first, columns));
        }
        if lines[first].first == b'~' {
            break;
        }
    }
    let mut body = at + 1;
    while lines.get(body).is_some_and(|l| l.first == b'-' && is_dashes(l.text)) && body - at < 4 {
        body += 1;
    }
    let (first, columns) = best?;
    let profile = columns[0] == Column::Label;
    let known = mend::stands_as_printed(lines, at);
    let whole = if profile {
        known == Some(true)
            || !is_damaged_profile(lines, first, at, body) && !is_profile_in_words(lines, first, is_title)
    } else {
        known.is_some() && !is_torn(lines, body)
    };
    if whole {
        return None;
    }
    Some(Head { first, body, columns, bars: None, rest: None, profile })
}

/// Is the first row below known headings a name only, or with less than a time and a share?
fn is_torn(lines: &[Line<'_>], body: usize) -> bool {
    lines.get(body).is_some_and(|l| {
        !l.text.is_empty() && l.text.split_ascii_whitespace().filter(|w| is_value(w)).count() < 2
    })
}

/// Are the headings of a load profile squeezed, or does a label reach into the first column of numbers?
fn is_damaged_profile(lines: &[Line<'_>], first: usize, ruler: usize, body: usize) -> bool {
    let squeezed = lines[first..ruler].iter().all(|l| !l.text.trim_ascii().contains("  "));
    let numbers = lines[ruler].text.find('-').filter(|_| lines[ruler].first == b'~');
    let reaches = |l: &Line<'_>| numbers.is_some_and(|from| l.text.find(':').is_some_and(|end| end >= from));
    // Rows that lost the blanks before their labels have their figures left of the columns.
    let runs: Vec<usize> = ends_of(lines[ruler].text, |c| c == '-');
    let moved = |l: &Line<'_>| {
        numbers.is_some()
            && l.first != b'.'
            && l.text.find(':').is_some_and(|label| {
                let ends = ends_of(l.text, |c| c != ' ');
                let mut values = ends.iter().filter(|end| **end > label + 1).peekable();
                !l.text.starts_with(' ') && values.peek().is_some() && values.all(|end| !runs.contains(end))
            })
    };
    squeezed || lines[body..].iter().take_while(|l| !l.text.is_empty()).any(|l| reaches(l) || moved(l))
}

/// Where runs of such characters end in a line.
fn ends_of(text: &str, is_of: impl Fn(char) -> bool) -> Vec<usize> {
    let behind = text.chars().skip(1).chain([' ']);
    let ends = text.chars().zip(behind).enumerate().filter(|(_, (c, next))| is_of(*c) && !is_of(*next));
    ends.map(|(at, _)| at + 1).collect()
}

/// Is a load profile headed by words around its title, so that nothing else finds it?
fn is_profile_in_words(lines: &[Line<'_>], first: usize, is_title: &impl Fn(&str) -> bool) -> bool {
    let own = fold(lines[first].text.split("  ").next().unwrap_or(""));
    let near = (first.saturating_sub(3)..first).rev().find(|at| !lines[*at].text.is_empty());
    !own.starts_with("loadprofile")
        && near.is_some_and(|at| !is_title(&fold(lines[at].text)) && lines[at].first != b'~')
}

fn barred_head(lines: &[Line<'_>], at: usize) -> Option<Head> {
    let text = lines[at].text.trim();
    let bars = Bars { before: text.starts_with('|'), behind: text.ends_with('|') };
    let printed: Vec<&str> = split_bars(text, bars);
    if printed.len() < 3 || printed.len() > 8 {
        return None;
    }
    let columns: Option<Vec<Column>> =
        printed.iter().map(|c| cells::column_of(&fold(&cells::plain(c)))).collect();
    let columns = columns.filter(|c| cells::is_table(c))?;
    let body = at + 1 + usize::from(lines.get(at + 1).is_some_and(|l| is_barred_rule(l.text)));
    Some(Head { first: at, body, columns, bars: Some(bars), rest: None, profile: false })
}

fn split_bars(text: &str, bars: Bars) -> Vec<&str> {
    let mut text = text.trim();
    if bars.before {
        text = text.strip_prefix('|').unwrap_or(text);
    }
    if bars.behind {
        text = text.strip_suffix('|').unwrap_or(text);
    }
    text.split('|').map(str::trim).collect()
}

/// A whole table on one line, as a page without line ends has it.
fn flowing_head(line: &Line<'_>, at: usize) -> Option<Head> {
    let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
    let is_run = |w: &str| w.len() >= 3 && w.bytes().all(|b| b == b'-');
    let ruler = words.iter().position(|w| is_run(w))?;
    let body = ruler + words[ruler..].iter().take_while(|w| is_run(w)).count();
    let tildes = words[..ruler].iter().position(|w| w.starts_with("~~~"))?;
    // The title runs into the headings.
    let columns = (0..tildes).find_map(|skip| {
        let all: Vec<&str> = words[skip..ruler].iter().copied().filter(|w| !w.starts_with("~~~")).collect();
        columns_of(&all.join(" "))
    })?;
    if columns[0] == Column::Label || columns.len() != body - ruler {
        return None;
    }
    let rest = Some((line.number, words[body..].join(" ")));
    Some(Head { first: at, body: at + 1, columns, bars: None, rest, profile: false })
}

/// The rows of a table and where they end.
struct Body {
    rows: Vec<Row>,
    /// Line of the first row that could not be read, and how many.
    left_out: Option<(u32, u32)>,
    /// The same of rows that contradict the others.
    torn: Option<(u32, u32)>,
    end: usize,
}

fn count(to: &mut Option<(u32, u32)>, line: u32) {
    *to = Some(to.map_or((line, 1), |(first, rows)| (first, rows + 1)));
}

fn body(lines: &[Line<'_>], head: &Head) -> Body {
    let mut body = Body { rows: Vec::new(), left_out: None, torn: None, end: head.body };
    if let Some((number, text)) = &head.rest {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (rows, whole) = cells::rows_of_stream(&words, &head.columns, *number);
        body.rows = rows;
        if !whole {
            count(&mut body.left_out, *number);
        }
    } else if let Some(bars) = head.bars {
        barred_rows(lines, head, bars, &mut body);
    } else {
        plain_rows(lines, head, &mut body);
    }
    if !head.profile {
        for line in cells::contradicting(&mut body.rows, &head.columns) {
            count(&mut body.torn, line);
        }
    }
    body
}

fn barred_rows(lines: &[Line<'_>], head: &Head, bars: Bars, body: &mut Body) {
    // The headings again begin another table.
    let again = lines[head.first].text;
    let inside = |l: &&Line<'_>| l.text.contains('|') && l.text != again;
    let block = || lines[head.body..].iter().take_while(inside);
    let comma = cells::have_decimal_commas(block().flat_map(|l| split_bars(l.text, bars)));
    while let Some(line) = lines.get(body.end).filter(inside) {
        body.end += 1;
        if is_barred_rule(line.text) {
            continue;
        }
        let mut printed: Vec<String> = split_bars(line.text, bars).into_iter().map(cells::plain).collect();
        if comma {
            printed.iter_mut().for_each(|cell| *cell = cells::without_marks(cell));
        }
        let row = cells::row_of_cells(&printed, &head.columns, line.number);
        match row {
            Some(row) => body.rows.push(row),
            None if printed.iter().any(|c| is_value(c)) => count(&mut body.left_out, line.number),
            None => {}
        }
    }
}

fn plain_rows(lines: &[Line<'_>], head: &Head, body: &mut Body) {
    let mut i = head.body;
    while let Some(line) = lines.get(i) {
        if line.text.is_empty() {
            // Some pages leave every other line blank.
            let next = lines.get(i + 1);
            if next.is_some_and(|n| row_of(&[n.text], &head.columns, n.number).is_some_and(|r| r.sure)) {
                i += 1;
                continue;
            }
            break;
        }
        if is_dashes(line.text) {
            // The end of the table; that of the code around it says more.
            body.end = i + usize::from(line.text != mend::FENCE_END);
            break;
        }
        if line.marks.is_omission() {
            i += 1;
            continue;
        }
        let mut pieces = vec![line.text];
        let mut row = row_of(&pieces, &head.columns, line.number);
        let begins = |at: usize| {
            lines.get(at).and_then(|l| l.text.split_ascii_whitespace().next()).is_some_and(is_value)
        };
        // What begins with a number goes on from the line above.
        while (row.is_none() || begins(i + pieces.len())) && pieces.len() < MOST_PIECES {
            let Some(next) = lines.get(i + pieces.len()).filter(|n| !n.text.is_empty() && !is_dashes(n.text))
            else {
                break;
            };
            pieces.push(next.text);
            row = row_of(&pieces, &head.columns, line.number).filter(|r| r.sure);
        }
        if begins(i + pieces.len()) {
            row = None;
        }
        if let Some(row) = row {
            body.rows.push(row);
            i += pieces.len();
            body.end = i;
            continue;
        }
        let values = line.text.split_ascii_whitespace().filter(|w| is_value(w) && w.len() > 1).count();
        let named = cells::begins_with_name(line.text, head.profile);
        if mend::is_sentence(line.text) {
            // Where rows follow, somebody wrote it between them.
            i += 1;
            continue;
        }
        if values >= 2 || named && (values > 0 || begins(i + 1)) {
            count(&mut body.left_out, line.number);
            i += 1;
            while begins(i) {
                i += 1;
            }
            body.end = i;
            continue;
        }
        break;
    }
}

/// Where the title of a load profile begins; a cluster has other tables of rates per second.
fn profile_title(lines: &[Line<'_>], head: &Head) -> Option<usize> {
    let begins = |text: &str| {
        let folded = fold(cells::bare_title(text));
        // `Section 2: Load Profile`
        folded.starts_with("loadprofile")
            || folded.contains("loadprofile") && !folded.contains("globalcache") && text.len() <= 70
    };
    if begins(lines[head.first].text) {
        return Some(head.first);
    }
    let above = head.first.saturating_sub(3)..head.first;
    let near = above.rev().find(|at| !lines[*at].text.is_empty())?;
    // It may be wrapped.
    let wrapped = near
        .checked_sub(1)
        .filter(|at| fold(&format!("{} {}", lines[*at].text, lines[near].text)) == "loadprofile");
    wrapped.or_else(|| begins(lines[near].text).then_some(near))
}

/// Do labels without a title above tell a load profile? Those of a cluster, or of something else, are others.
fn is_load_profile(head: &Head, rows: &[Row]) -> bool {
    const LEAST: usize = 4;
    let own = |row: &&Row| row.cells.first().is_some_and(|label| cells::is_load_label(&fold(label)));
    head.profile && rows.len() >= LEAST && rows.iter().filter(own).count() == rows.len()
}

/// The title of a table: as printed, or one that says no more than the headings do.
struct Title {
    name: String,
    /// Index of the first line that belongs to it.
    from: usize,
}

/// `None` where nothing tells that the events are those of an interval.
fn title(lines: &[Line<'_>], head: &Head, is_title: &impl Fn(&str) -> bool) -> Option<Title> {
    if head.profile {
        return profile_title(lines, head).map(|from| Title { name: "Load Profile".to_owned(), from });
    }
    let own = head.rest.as_ref().map(|_| head.first);
    let above = (head.first.saturating_sub(TITLE_REACH)..head.first).rev();
    let mut near = true;
    for at in own.into_iter().chain(above) {
        let line = &lines[at];
        let bare = cells::bare_title(line.text);
        if line.text.is_empty() || line.first == b'~' {
            continue;
        }
        if near && at + 1 == head.first && is_dashes(line.text) && is_underline(lines, at, is_title) {
            continue;
        }
        let folded = fold(bare);
        if near && own.is_none() && is_title(&folded) {
            return Some(Title { name: bare.to_owned(), from: at });
        }
        if let Some(known) = cells::title_in(&folded) {
            let from = if near && bare.len() < 70 { at } else { head.first };
            return Some(Title { name: known.to_owned(), from });
        }
        near = false;
        if is_dashes(line.text) || line.text.contains('|') {
            break;
        }
    }
    let shares = head.columns.iter().any(|c| c.is_share());
    shares.then(|| Title { name: "Top Timed Events".to_owned(), from: head.first })
}

/// Does a rule stand right below the title of leading events? Others end a table.
fn is_underline(lines: &[Line<'_>], at: usize, is_title: &impl Fn(&str) -> bool) -> bool {
    at.checked_sub(1).is_some_and(|above| {
        let folded = fold(cells::bare_title(lines[above].text));
        !folded.is_empty() && (is_title(&folded) || cells::title_in(&folded).is_some())
    })
}

/// The table as a plain one; dots that stood among its rows say at their end that some were left out.
fn put_back(
    number: u32,
    title: &str,
    columns: &[Column],
    (rows, dots): (&[Row], Option<u32>),
    flat: bool,
) -> Block {
    let headings: Vec<&str> = columns.iter().map(|c| c.heading(rows, columns)).collect();
    let mut lines = vec![(number, String::new()), (number, title.to_owned())];
    if flat {
        lines.push((number, String::new()));
        lines.push((number, headings.join(" | ")));
        lines.push((number, vec!["---"; headings.len()].join("|")));
        lines.extend(rows.iter().map(|r| (r.line, r.cells.join(" | "))));
        lines.push((rows.last().map_or(number, |r| r.line), String::new()));
        return Block { lines };
    }
    let width = |at: usize| {
        let cells = rows.iter().map(|r| r.cells[at].chars().count());
        cells.max().unwrap_or(0).max(headings[at].len()).max(12)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let laid_out = |cells: &mut dyn Iterator<Item = &str>| -> String {
        let mut out = String::new();
        for ((cell, column), width) in cells.zip(columns).zip(&widths) {
            let fill = " ".repeat(width - cell.chars().count());
            if column.is_text() {
                out += cell;
                out += &fill;
            } else {
                out += &fill;
                out += cell;
            }
            out.push(' ');
        }
        out
    };
    lines.push((number, "~".repeat(title.chars().count())));
    lines.push((number, laid_out(&mut headings.iter().copied())));
    lines.push((number, widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join(" ")));
    lines.extend(rows.iter().map(|r| (r.line, laid_out(&mut r.cells.iter().map(String::as_str)))));
    let last = rows.last().map_or(number, |r| r.line);
    lines.extend(dots.map(|_| (last, "...".to_owned())));
    lines.push((last, mend::END.to_owned()));
    lines.push((last, String::new()));
    Block { lines }
}
