//! Lists that a DBA has at hand: a file with headings and delimiters, or what SQL*Plus prints, with
//! dashes under the headings and the headings again on every page.

use super::headings::{Headings, recognise};
use super::lines::{Line, is_client_error, lines};
use super::rows;
use super::table::{Doubts, Numbers, Row};
use spindle_facts::{Collected, Note, Section, SectionStatus};
use std::borrow::Cow;
use std::collections::HashSet;

/// Rows kept of one file: a bound on memory.
const MOST_ROWS: usize = 2_000_000;

/// Lists in one file.
const MOST_LISTS: u32 = 50;

const DELIMITERS: [char; 4] = ['|', '\t', ';', ','];

/// How the columns of a list are told apart.
#[derive(Clone, Debug, PartialEq)]
enum Cut {
    At(char),
    /// From character to character, as the dashes stand.
    Spans(Vec<(usize, usize)>),
}

impl Cut {
    fn cells<'a>(&self, text: &'a str) -> Vec<Cow<'a, str>> {
        match self {
            Self::At(delimiter) => delimited(text, *delimiter),
            Self::Spans(spans) => spans.iter().map(|span| Cow::Borrowed(slice(text, *span))).collect(),
        }
    }
}

/// One list being read.
struct List {
    headings: Headings,
    cut: Cut,
    head: String,
    line: u32,
    numbers: Numbers,
    rows: u32,
    torn: (u32, u32),
    nameless: (u32, u32),
    doubts: Doubts,
    owner: Option<String>,
}

/// Reads a file of lists; `None` where no headings are known.
pub(super) fn read(source: &str, text: &str) -> Option<Result<Collected, String>> {
    let mut facts = Collected { source: source.to_owned(), ..Collected::default() };
    let mut list: Option<List> = None;
    let mut all = lines(text).peekable();
    let (mut left, mut lists) = (MOST_ROWS, 0);
    let mut of_temp = false;
    let folded = folded(text);
    while let Some(line) = all.next() {
        let words = line.text.trim();
        if words.is_empty() {
            continue;
        }
        if is_client_error(words) {
            facts.notes.push(Note {
                line: Some(line.number),
                section: None,
                message: format!(
                    "the database or SQL*Plus answered `{}`",
                    words.chars().take(200).collect::<String>()
                ),
                effect: "the list above or below it may not be complete".to_owned(),
            });
            continue;
        }
        if words.starts_with("SQL>") || words.to_ascii_lowercase().contains("from dba_") {
            // Which files they are does not stand in the headings.
            of_temp = words.to_ascii_lowercase().contains("temp_files");
            finish(list.take(), &mut facts);
            continue;
        }
        let below = all.peek().map_or("", |next| next.text);
        let known = list.as_ref().is_some_and(|l| l.head == line.text);
        if known {
            continue;
        }
        // Rows are many and headings few; every file is looked through anew for each.
        let may_be_head = lists < MOST_LISTS
            && (list.is_none() || is_ruler(below) || words.contains("_NAME") || words.contains("_name"));
        match if may_be_head { head(line, below) } else { Ok(None) } {
            Ok(None) => {}
            Ok(Some((headings, cut))) => {
                finish(list.take(), &mut facts);
                lists += 1;
                let numbers = numbers(text, line.text, line.number, &headings, &cut);
                let numbers = match numbers {
                    Ok(numbers) => numbers,
                    Err(reason) => return Some(Err(reason)),
                };
                list = Some(List {
                    headings,
                    cut,
                    head: line.text.to_owned(),
                    line: line.number,
                    numbers,
                    rows: 0,
                    torn: (0, 0),
                    nameless: (0, 0),
                    doubts: Doubts::default(),
                    owner: None,
                });
                if of_temp && let Some(list) = list.as_mut().filter(|l| l.headings.section == "data_files") {
                    list.headings.section = "temp_files";
                }
                continue;
            }
            Err(reason) => return Some(Err(reason)),
        }
        if is_ruler(line.text) {
            continue;
        }
        if let Some(open) = &mut list {
            if let Some(said) = said_rows(words) {
                if said != open.rows {
                    let message = format!("it says {said} rows, and {} could be read", open.rows);
                    note(&mut facts, open, line.number, message);
                }
                finish(list.take(), &mut facts);
            } else if left > 0 {
                left -= usize::from(row(open, line, &mut facts));
            }
        }
    }
    finish(list, &mut facts);
    if facts.sections.is_empty() {
        return None;
    }
    if let Some(line) = folded {
        return Some(Err(format!(
            "a list whose rows take several lines each (line {line}): the lines were too short for its columns; print it \
             again with `set linesize 300`"
        )));
    }
    if left == 0 {
        facts.notes.push(Note {
            line: None,
            section: None,
            message: format!("more than {MOST_ROWS} rows"),
            effect: "rows behind these are left out; split the file by owner".to_owned(),
        });
    }
    children_once(&mut facts);
    Some(Ok(facts))
}

/// A second line of headings, with dashes, right below the first: each row takes several lines, and where
/// one of them is blank nothing tells which belong together.
fn folded(text: &str) -> Option<u32> {
    let mut before: [&str; 3] = [""; 3];
    for line in lines(text) {
        let [heading, ruler, second] = before;
        if is_ruler(line.text) && is_ruler(ruler) && !second.is_empty() && !heading.is_empty() {
            return Some(line.number);
        }
        before = [ruler, second, line.text];
    }
    None
}

/// The list whose headings stand in a line.
fn head(line: Line<'_>, below: &str) -> Result<Option<(Headings, Cut)>, String> {
    let text = line.text;
    if text.len() > 4_000 || !text.contains(['_', ',', ';', '|', '\t', ' ']) {
        return Ok(None);
    }
    if is_ruler(below) && !below.contains(['|', ';', ',', '\t']) {
        let spans = spans(below);
        let headings: Vec<String> = spans.iter().map(|span| slice(text, *span).to_owned()).collect();
        let widths: Vec<usize> = spans.iter().map(|(from, to)| to - from).collect();
        return Ok(recognise(&headings, Some(&widths))?.map(|found| (found, Cut::Spans(spans))));
    }
    for delimiter in DELIMITERS {
        if text.contains(delimiter) {
            let headings: Vec<String> = delimited(text, delimiter).into_iter().map(Cow::into_owned).collect();
            if let Some(found) = recognise(&headings, None)? {
                return Ok(Some((found, Cut::At(delimiter))));
            }
        }
    }
    Ok(None)
}

fn is_ruler(text: &str) -> bool {
    text.contains("---") && text.bytes().all(|b| matches!(b, b'-' | b' ' | b'|' | b';' | b',' | b'\t'))
}

fn spans(ruler: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in ruler.bytes().chain(std::iter::once(b' ')).enumerate() {
        match (byte == b'-', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn slice(text: &str, (from, to): (usize, usize)) -> &str {
    if text.is_ascii() {
        let end = to.min(text.len());
        return text.get(from.min(end)..end).unwrap_or("").trim();
    }
    let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(i, _)| i);
    text.get(at(from)..at(to)).unwrap_or("").trim()
}

/// Cells of a line with delimiters; a quoted one may hold them.
fn delimited(text: &str, delimiter: char) -> Vec<Cow<'_, str>> {
    let mut cells = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches(' ');
        if let Some(quoted) = trimmed.strip_prefix('"') {
            let mut cell = String::new();
            let mut inside = quoted;
            loop {
                let Some(end) = inside.find('"') else {
                    cell.push_str(inside);
                    inside = "";
                    break;
                };
                cell.push_str(&inside[..end]);
                inside = &inside[end + 1..];
                if let Some(more) = inside.strip_prefix('"') {
                    cell.push('"');
                    inside = more;
                } else {
                    break;
                }
            }
            cells.push(Cow::Owned(cell.trim().to_owned()));
            match inside.find(delimiter) {
                Some(at) => rest = &inside[at + delimiter.len_utf8()..],
                None => return cells,
            }
        } else {
            match rest.find(delimiter) {
                Some(at) => {
                    cells.push(Cow::Borrowed(rest[..at].trim()));
                    rest = &rest[at + delimiter.len_utf8()..];
                }
                None => {
                    cells.push(Cow::Borrowed(rest.trim()));
                    return cells;
                }
            }
        }
    }
}

/// How a number tells its decimal sign.
enum Sign {
    Point,
    Comma,
    /// `1,234` or `1.234`: grouped by that sign, or with three decimals behind it.
    Either(char),
    /// `1234`: nothing is grouped.
    Ungrouped,
    Nothing,
}

fn sign(cell: &str, whole: bool) -> Sign {
    let (commas, points) = (cell.matches(',').count(), cell.matches('.').count());
    let decimal = |comma: bool| if comma { Sign::Comma } else { Sign::Point };
    match (commas, points) {
        (0, 0) if cell.len() > 3 && cell.bytes().all(|b| b.is_ascii_digit()) => Sign::Ungrouped,
        (0, 0) => Sign::Nothing,
        (c, p) if c > 0 && p > 0 => decimal(cell.rfind(',') > cell.rfind('.')),
        (c, 0) if c > 1 => Sign::Point,
        (0, p) if p > 1 => Sign::Comma,
        (c, _) => {
            let sign = if c == 1 { ',' } else { '.' };
            let (before, behind) = cell.split_once(sign).unwrap_or((cell, ""));
            let may_be_group =
                behind.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0');
            match (may_be_group, whole) {
                // Bytes have no fraction: it is a group, and the other sign begins decimals.
                (true, true) => decimal(sign == '.'),
                (true, false) => Sign::Either(sign),
                (false, _) => decimal(sign == ','),
            }
        }
    }
}

/// A cell with a sign that can mean two things.
struct Ambiguous {
    cell: String,
    line: u32,
    heading: String,
    sign: char,
}

/// How the sizes of a list are written; the reason where that cannot be told. One number with two signs,
/// or bytes, which have no fraction, tell it for all; a number of four digits and more without a sign
/// tells that its column groups nothing.
fn numbers(text: &str, head: &str, line: u32, headings: &Headings, cut: &Cut) -> Result<Numbers, String> {
    let sizes: Vec<(usize, bool)> = (headings.columns.iter().enumerate())
        .filter(|(_, c)| matches!(c.name.as_str(), "BYTES" | "MAXBYTES"))
        .map(|(at, c)| (at, c.factor == 1.0))
        .collect();
    let names = cut.cells(head);
    let (mut point, mut comma): (Option<String>, Option<String>) = (None, None);
    let mut either: Vec<Option<Ambiguous>> = sizes.iter().map(|_| None).collect();
    let mut ungrouped = vec![false; sizes.len()];
    for line in lines(text).skip(usize::try_from(line).unwrap_or(usize::MAX)) {
        let cells = cut.cells(line.text);
        if cells.len() != headings.columns.len() {
            continue;
        }
        for (number, (at, whole)) in sizes.iter().enumerate() {
            let cell = cells[*at].as_ref();
            if !cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')) {
                continue;
            }
            match sign(cell, *whole) {
                Sign::Point => drop(point.get_or_insert_with(|| cell.to_owned())),
                Sign::Comma => drop(comma.get_or_insert_with(|| cell.to_owned())),
                Sign::Either(sign) => match &either[number] {
                    // The same sign cannot both group and begin decimals in one column.
                    Some(known) if known.sign != sign => {
                        return Err(two_ways(&known.cell, cell));
                    }
                    Some(_) => {}
                    None => {
                        either[number] = Some(Ambiguous {
                            cell: cell.to_owned(),
                            line: line.number,
                            heading: names.get(*at).map_or("", |name| name.as_ref()).to_owned(),
                            sign,
                        });
                    }
                },
                Sign::Ungrouped => ungrouped[number] = true,
                Sign::Nothing => {}
            }
        }
    }
    for (ambiguous, ungrouped) in either.iter().zip(&ungrouped) {
        if let (Some(one), true) = (ambiguous, ungrouped) {
            let decimal = if one.sign == ',' { &mut comma } else { &mut point };
            decimal.get_or_insert_with(|| one.cell.clone());
        }
    }
    match (point, comma, either.into_iter().flatten().next()) {
        (Some(point), Some(comma), _) => Err(two_ways(&point, &comma)),
        (None, None, Some(Ambiguous { cell, line, heading, sign })) => Err(format!(
            "line {line}, column `{heading}`: `{cell}` can mean two things, a group of thousands or three decimals, and \
             nothing else in the column tells what `{sign}` is; print whole BYTES"
        )),
        (_, comma, _) => Ok(Numbers::Printed { decimal_comma: comma.is_some() }),
    }
}

fn two_ways(one: &str, other: &str) -> String {
    format!(
        "its sizes are written in two ways, `{one}` and `{other}`: whether a comma or a point begins the decimals \
         cannot be told; print them as whole BYTES"
    )
}

/// `1234 rows selected.`, in some languages.
fn said_rows(words: &str) -> Option<u32> {
    if let Some(first) =
        words.strip_suffix(" rows selected.").or_else(|| words.strip_suffix(" row selected."))
    {
        return first.trim().parse().ok();
    }
    let (first, rest) = words.split_once(' ')?;
    let known =
        ["Zeilen ausgew", "lignes s", "filas seleccionadas", "righe selezionate", "linhas selecionadas"];
    known.iter().any(|k| rest.starts_with(k)).then(|| first.parse().ok()).flatten()
}

/// Reads a row; was it one?
fn row(list: &mut List, line: Line<'_>, facts: &mut Collected) -> bool {
    let cells = list.cut.cells(line.text);
    if cells.len() != list.headings.columns.len() {
        list.torn = (list.torn.0.saturating_add(1), if list.torn.1 == 0 { line.number } else { list.torn.1 });
        return false;
    }
    if matches!(list.cut, Cut::Spans(_)) {
        // What does not fit its column stands below, alone: the name above was cut.
        let filled = cells.iter().filter(|c| !c.is_empty()).count();
        if filled == 1 && list.headings.columns.len() > 2 {
            drop_last(list, facts);
            list.torn =
                (list.torn.0.saturating_add(1), if list.torn.1 == 0 { line.number } else { list.torn.1 });
            return false;
        }
        // A cell that sticks out of its column would be cut where the dashes end.
        if sticks_out(list, line.text) {
            list.torn =
                (list.torn.0.saturating_add(1), if list.torn.1 == 0 { line.number } else { list.torn.1 });
            return false;
        }
    }
    let Some(read) = rows::reader(list.headings.section) else { return false };
    let mut view = Row {
        line: line.number,
        columns: &list.headings.columns,
        cells: &cells,
        numbers: list.numbers,
        doubts: &mut list.doubts,
    };
    if list.headings.section == "cache"
        && view.cell("OBJECT_NAME").is_some()
        && view.number("BUFFERS").is_none()
    {
        return false;
    }
    if read(&mut view, facts).is_none() {
        list.nameless = (
            list.nameless.0.saturating_add(1),
            if list.nameless.1 == 0 { line.number } else { list.nameless.1 },
        );
        return false;
    }
    // `break on owner` prints an owner once.
    if list.headings.section == "segments"
        && let Some(segment) = facts.segments.last_mut()
    {
        match &segment.owner {
            Some(owner) => list.owner = Some(owner.clone()),
            None => segment.owner.clone_from(&list.owner),
        }
    }
    list.rows = list.rows.saturating_add(1);
    true
}

fn sticks_out(list: &List, text: &str) -> bool {
    let Cut::Spans(spans) = &list.cut else { return false };
    let mut blank_at = text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).map(|(at, _)| at);
    blank_at.any(|at| !spans.iter().any(|(from, to)| (*from..*to).contains(&at)))
}

/// Takes the last row back: its name goes on in a line below it.
fn drop_last(list: &mut List, facts: &mut Collected) {
    if list.rows == 0 {
        return;
    }
    list.rows -= 1;
    match list.headings.section {
        "segments" => drop(facts.segments.pop()),
        "plans" => drop(facts.plan_rows.pop()),
        "cache" => drop(facts.cached.pop()),
        _ => drop(facts.files.pop()),
    }
}

fn note(facts: &mut Collected, list: &List, line: u32, message: String) {
    facts.notes.push(Note {
        line: Some(line),
        section: Some(list.headings.section.to_owned()),
        message,
        effect: "the list is not complete: sums over it may be too small".to_owned(),
    });
}

fn finish(list: Option<List>, facts: &mut Collected) {
    let Some(list) = list else { return };
    if list.torn.0 > 0 {
        let message =
            format!("{} rows are left out: wrapped or moved, their cells cannot be told apart", list.torn.0);
        note(facts, &list, list.torn.1, message);
    }
    if list.nameless.0 > 0 {
        note(
            facts,
            &list,
            list.nameless.1,
            format!("{} rows do not say what they are about", list.nameless.0),
        );
    }
    let section = list.headings.section;
    facts.notes.extend(list.doubts.notes(section));
    let status = if list.rows > 0 { SectionStatus::Read } else { SectionStatus::Absent };
    facts.sections.push(Section {
        title: section.to_owned(),
        line: list.line,
        status,
        rows: list.rows,
        lost: 0,
    });
}

/// Rows of a plan that several child cursors share count once.
fn children_once(facts: &mut Collected) {
    let mut known = HashSet::new();
    let mut kept: Vec<spindle_facts::PlanRow> = Vec::with_capacity(facts.plan_rows.len());
    for row in facts.plan_rows.drain(..) {
        let key = (row.sql_id.clone(), row.plan_hash, row.id);
        if row.plan_hash.is_some() && row.sql_id.is_some() && !known.insert(key) {
            continue;
        }
        kept.push(row);
    }
    facts.plan_rows = kept;
}

#[cfg(test)]
mod tests {
    use super::delimited;
    use crate::collected::table::{Numbers, number};

    #[test]
    fn quoted_cells_hold_delimiters() {
        assert_eq!(delimited("a,\"b,\"\"c\", 1 ,", ','), ["a", "b,\"c", "1", ""]);
        assert_eq!(delimited("\"open", ','), ["open"]);
    }

    #[test]
    fn printed_numbers_have_no_suffix() {
        let numbers = Numbers::Printed { decimal_comma: false };
        assert_eq!(number("1,234.5", numbers), Some(1234.5));
        assert_eq!(number("12M", numbers), None);
        assert_eq!(number("####", numbers), None);
    }
}
