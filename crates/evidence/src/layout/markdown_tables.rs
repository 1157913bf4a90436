//! Notes in Markdown that hold tables of several kinds: bars, tags of HTML, ruled text in fences. What is read of them
//! is one kind; here bars and tags become ruled text where they stand, and headings stand apart.

use super::flat_text::{lost_its_corner, put_corner_back};
use super::html_table::unescape;
use super::marked_down;
use crate::cell::looks_numeric;
use std::fmt::Write;

/// Notes are small; what is larger is no note.
const LARGEST: usize = 2 << 20;
/// The widest table of any report has some forty columns.
const MOST_CELLS: usize = 60;
/// A cell with a statement is wider than any other.
const WIDEST: usize = 4_000;

/// A note whose tables are ruled, and the line of the source that each of its lines is.
#[derive(Debug, Default)]
pub(crate) struct Ruled {
    pub(crate) text: String,
    pub(crate) numbers: Vec<u32>,
    /// Tables of bars and of tags that were ruled.
    bars: usize,
    tags: usize,
}

impl Ruled {
    /// Were there tables between tags?
    pub(crate) fn holds_tags(&self) -> bool {
        self.tags > 0
    }
}

type Row = (u32, Vec<String>);

/// Rules the tables of a note; `None` where it is none, or holds no tables but of bars alone or ruled ones.
pub(crate) fn ruled(text: &str) -> Option<Ruled> {
    if text.len() > LARGEST || !is_note(text) || !may_hold_tables(text) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Ruled::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let number = number_of(at);
        let tags = is_tag(line.trim_start(), "<table");
        let found = if tags {
            of_tags(&lines, at)
        } else if line.contains('|') && lines.get(at + 1).is_some_and(|next| is_rule(next)) {
            of_bars(&lines, at)
        } else {
            None
        };
        if let Some((rows, end)) = found {
            out.table(&rows);
            *(if tags { &mut out.tags } else { &mut out.bars }) += 1;
            at = end;
            continue;
        }
        let heads = line.starts_with('#');
        if heads {
            out.line("", number);
        }
        out.line(line, number);
        if heads {
            out.line("", number);
        }
        at += 1;
    }
    let is_dashes = |line: &&str| line.contains("--- ---") && line.bytes().all(|b| matches!(b, b'-' | b' '));
    let several = out.tags > 0 || out.bars > 0 && lines.iter().any(is_dashes);
    several.then_some(out)
}

fn number_of(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

/// Does a mark stand in a text that tables have: a bar, or the tag that opens one?
fn may_hold_tables(text: &str) -> bool {
    memchr::memchr(b'|', text.as_bytes()).is_some()
        || memchr::memchr_iter(b'<', text.as_bytes())
            .any(|at| text.get(at..).is_some_and(|t| is_tag(t, "<table")))
}

/// Is it a text with headings of Markdown, and no page?
fn is_note(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins_a_line = |at: usize| at == 0 || bytes[at - 1] == b'\n';
    let heading = |at: usize| {
        let marks = bytes[at..].iter().take_while(|b| **b == b'#').count();
        begins_a_line(at) && marks <= 6 && bytes.get(at + marks) == Some(&b' ')
    };
    let of_a_page = |at: usize| {
        begins_a_line(at) && text.get(at..).is_some_and(|tag| is_tag(tag, "<html") || is_tag(tag, "<body"))
    };
    // Few lines of reports hold either mark.
    !text.trim_ascii_start().starts_with('<')
        && memchr::memchr_iter(b'#', bytes).any(heading)
        && !memchr::memchr_iter(b'<', bytes).any(of_a_page)
}

/// Does a text begin with a tag, in any case?
fn is_tag(text: &str, tag: &str) -> bool {
    text.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
}

/// `|---|:---:|`
fn is_rule(line: &str) -> bool {
    let line = line.trim_ascii();
    line.contains("--") && line.contains('|') && line.bytes().all(|b| matches!(b, b'-' | b'|' | b':' | b' '))
}

/// Cells between bars; a bar behind a backslash is one of a cell.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let mut found: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in line.chars() {
        match (c, found.last_mut()) {
            ('|', _) if before != '\\' => found.push(String::new()),
            (_, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        before = c;
    }
    found.iter().map(|cell| marked_down::plain(cell.trim().trim_matches('`')).replace("**", "")).collect()
}

/// The rows of a table between bars, headings first, and the line behind it.
fn of_bars(lines: &[&str], at: usize) -> Option<(Vec<Row>, usize)> {
    let head = cells(lines[at]);
    let width = head.len();
    if !(2..=MOST_CELLS).contains(&width) || cells(lines[at + 1]).len() != width {
        return None;
    }
    let mut rows = vec![(number_of(at), head)];
    let mut end = at + 2;
    while let Some(line) = lines.get(end).filter(|line| line.contains('|')) {
        let own = cells(line);
        // What does not come out even is no row that could be ruled.
        if own.len() != width {
            return None;
        }
        rows.push((number_of(end), own));
        end += 1;
    }
    let ((_, head), body) = rows.split_first_mut()?;
    if lost_its_corner(head, body.iter().map(|(_, own)| own.first().map_or("", String::as_str)))
        // Without a blank heading behind the others the last values would have none.
        && head.last().is_some_and(String::is_empty)
    {
        put_corner_back(head);
    }
    (rows.len() > 1).then_some((rows, end))
}

/// The same of a table between tags that begin and end on lines of their own; none of one with cells over several
/// columns or rows.
fn of_tags(lines: &[&str], at: usize) -> Option<(Vec<Row>, usize)> {
    let last = lines[at..].iter().position(|line| line.to_ascii_lowercase().contains("</table>"))? + at;
    let mut rows: Vec<Row> = Vec::new();
    let mut cell: Option<String> = None;
    for (index, line) in lines.iter().enumerate().take(last + 1).skip(at) {
        let mut rest = *line;
        while let Some(open) = rest.find('<') {
            let (words, tag) = rest.split_at(open);
            let close = tag.find('>')?;
            if let Some(cell) = &mut cell {
                cell.push_str(words);
            }
            let name = tag[1..close].to_ascii_lowercase();
            let first = name.split_ascii_whitespace().next().unwrap_or("");
            match first {
                "tr" => rows.push((number_of(index), Vec::new())),
                "td" | "th" => {
                    if name.contains("colspan") || name.contains("rowspan") || rows.is_empty() {
                        return None;
                    }
                    cell = Some(String::new());
                }
                "/td" | "/th" => {
                    let own = unescape(cell.take()?.trim()).split_whitespace().collect::<Vec<_>>().join(" ");
                    rows.last_mut()?.1.push(own);
                }
                _ => {}
            }
            rest = &tag[close + 1..];
        }
        if let Some(cell) = &mut cell {
            cell.push_str(rest);
            cell.push(' ');
        }
    }
    let width = rows.first()?.1.len();
    if let [(line, only)] = rows.as_slice()
        && only.iter().any(|cell| !cell.is_empty() && looks_numeric(cell))
    {
        // A row alone is of a table whose headings were left out.
        let line = *line;
        rows.insert(0, (line, vec![String::new(); width]));
    }
    let even = rows.iter().all(|(_, own)| own.len() == width);
    ((2..=MOST_CELLS).contains(&width) && even && rows.len() > 1).then_some((rows, last + 1))
}

impl Ruled {
    fn line(&mut self, line: &str, number: u32) {
        self.text.push_str(line);
        self.text.push('\n');
        self.numbers.push(number);
    }

    /// Headings, a ruler and rows, as a report prints them: names begin where their column does, numbers end there.
    fn table(&mut self, rows: &[Row]) {
        let Some(((first, head), body)) = rows.split_first() else { return };
        let length = |text: &str| text.chars().count().min(WIDEST);
        let of_column = |column: usize| rows.iter().filter_map(move |(_, own)| own.get(column));
        let widths: Vec<usize> = (0..head.len())
            .map(|c| of_column(c).map(|cell| length(cell)).max().unwrap_or(0).max(3))
            .collect();
        let numeric: Vec<bool> = (0..head.len())
            .map(|c| body.iter().filter_map(|(_, own)| own.get(c)).all(|cell| looks_numeric(cell)))
            .collect();
        let laid = |own: &[String]| {
            let mut line = String::new();
            for ((cell, width), numeric) in own.iter().zip(&widths).zip(&numeric) {
                let cell: String = cell.chars().take(WIDEST).collect();
                // Writing to a string cannot fail.
                let _ =
                    if *numeric { write!(line, "{cell:>width$} ") } else { write!(line, "{cell:<width$} ") };
            }
            line.trim_end().to_owned()
        };
        self.line(&laid(head), *first);
        let ruler: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        self.line(&ruler.join(" "), *first);
        for (number, own) in body {
            self.line(&laid(own), *number);
        }
        self.line("", body.last().map_or(*first, |(number, _)| *number));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bars_and_tags_become_ruled_text_with_their_lines() {
        let note = "## Load Profile\n| | Per Second |\n|---|---:|\n| DB Time(s): | 7.1 |\n| Redo size: | 393,267.0 |\n\
                    ### Time Model Statistics\n<table>\n<tr><th>Statistic</th><th>Time (s)</th></tr>\n\
                    <tr><td>DB CPU</td><td>1,701.44</td></tr>\n</table>\n";
        let found = ruled(note).unwrap();
        let lines: Vec<(u32, &str)> = found.numbers.iter().copied().zip(found.text.lines()).collect();
        assert!(lines.contains(&(4, "DB Time(s):        7.1")), "{lines:?}");
        assert!(lines.contains(&(5, "Redo size:   393,267.0")), "{lines:?}");
        assert!(lines.contains(&(8, "--------- --------")), "{lines:?}");
        assert!(lines.contains(&(9, "DB CPU    1,701.44")), "{lines:?}");
    }

    #[test]
    fn what_cannot_be_ruled_stays_as_it_is() {
        // Cells over several columns, rows that do not come out even, a page, and no note at all.
        for text in [
            "# N\n<table>\n<tr><td colspan=2>a</td></tr>\n<tr><td>a</td><td>1</td></tr>\n</table>\n",
            "# N\n| a | b |\n|---|---|\n| a | 1 | 2 |\n",
            "<html># N\n<table>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>a</td><td>1</td></tr>\n</table>\n",
            "N\n| a | b |\n|---|---|\n| a | 1 |\n",
            "# N\n| a | b |\n|---|---|\n| a | 1 |\n",
            "# N\n<table>\n<tr><td>a</td><td>b\n",
        ] {
            assert!(ruled(text).is_none(), "{text}");
        }
    }
}
