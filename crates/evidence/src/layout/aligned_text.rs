//! Tables in text that have neither ruler nor marks between cells: HTML turned into text by a
//! converter that only lines the cells up.
//!
//! The line of headings is told by its words: all of it must be made of headings that Oracle's
//! reports use. Where the columns stand, and which heading is over which, [`super::gutters`] tells; a table where that
//! is in doubt is left alone.

use super::flat_text::Title;
use super::gutters::{self, Span};
use super::headings::Headings;
use super::marked_down;
use super::text_sections::Line;
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid, fold};
use crate::names;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

static HEADINGS: LazyLock<HashSet<String>> =
    LazyLock::new(|| include_str!("../names/headings.txt").lines().map(fold).collect());
/// Those that begin with a small letter, as printed.
static SMALL_HEADINGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let small = |heading: &&str| heading.starts_with(|c: char| c.is_ascii_lowercase());
    include_str!("../names/headings.txt").lines().filter(small).collect()
});

/// Is it a heading that some release prints? What begins with a small letter, as nearly none does, is the end of a name
/// as well: `idle wait`.
pub(super) fn is_heading(phrase: &str) -> bool {
    HEADINGS.contains(&fold(phrase))
        && (!phrase.starts_with(|c: char| c.is_ascii_lowercase()) || SMALL_HEADINGS.contains(&phrase))
}

/// Headings of a line with where each begins and ends; `None` where it is no line of headings.
fn headings(text: &str) -> Option<Vec<(usize, usize)>> {
    if !text.is_ascii() || text.len() > 400 {
        return None;
    }
    let words: Vec<(usize, usize)> = text
        .split_ascii_whitespace()
        .map(|w| {
            let at = w.as_ptr() as usize - text.as_ptr() as usize;
            (at, at + w.len())
        })
        .collect();
    if words.len() < 2 || words.len() > 40 {
        return None;
    }
    // Fewest headings that cover all words: `best[i]` covers the first i words.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; words.len() + 1];
    best[0] = Some((0, 0));
    for end in 1..=words.len() {
        for start in end.saturating_sub(7)..end {
            let Some((count, _)) = best[start] else {
                continue;
            };
            let phrase = &text[words[start].0..words[end - 1].1];
            // Wide blanks part two headings.
            if phrase.contains("   ") || !is_heading(phrase) {
                continue;
            }
            if best[end].is_none_or(|(c, _)| count + 1 < c) {
                best[end] = Some((count + 1, start));
            }
        }
    }
    let mut spans = Vec::new();
    let mut end = words.len();
    while end > 0 {
        let (_, start) = best[end]?;
        spans.push((words[start].0, words[end - 1].1));
        end = start;
    }
    spans.reverse();
    (spans.len() >= 2).then_some(spans)
}

/// Does the text look like the output of such a converter: no rulers, but lines of headings?
pub(crate) fn is_aligned(lines: &[Line<'_>]) -> bool {
    if lines.len() > 300_000 {
        return false;
    }
    let head = &lines[..lines.len().min(600)];
    // A single run of equal signs underlines a title.
    let parts = |l: &Line<'_>| l.first == b'=' && l.marks.is_ruler() && l.text.trim_ascii().contains(' ');
    let is_ruled = |l: &&Line<'_>| l.text.starts_with("---") || l.text.starts_with("~~~") || parts(l);
    let ruled = head.iter().filter(is_ruled).take(2).count();
    ruled < 2 && head.iter().filter(|l| headings(l.text).is_some()).take(2).count() == 2
}

/// Bytes of rows that may be looked at in vain for headings of several lines.
const MOST_IN_VAIN: usize = 4 << 20;
/// Lines that the headings of a table stand on, at most.
const MOST_HEADING_LINES: usize = 5;

/// A table that was found.
struct Found {
    columns: Vec<Column>,
    /// Where the cells of each column stand.
    spans: Vec<Span>,
    /// Lines of headings.
    headings: usize,
    /// Where the heading of each column ends, 0 where there is none.
    ends: Vec<usize>,
}

/// Calls `loose` with every line, and `sink` with every table.
pub(crate) fn tables<'a>(
    lines: &[Line<'a>],
    mut loose: impl FnMut(&Line<'a>),
    mut sink: impl FnMut(&mut Grid<'a>),
) {
    let mut in_vain = 0;
    let mut title = Title::default();
    let mut sections = Headings::of(lines);
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        loose(line);
        if line.is_blank() {
            sections.see_blank();
            i += 1;
            continue;
        }
        let spans = headings(line.text).filter(|_| !is_title(line));
        let found = wrapped(lines, i, &mut in_vain)
            .or_else(|| spans.as_ref().and_then(|spans| in_one_line(lines, i, spans)));
        i = match (found, spans) {
            (Some((found, end)), _) => {
                lines[i + 1..end].iter().for_each(&mut loose);
                sections.see_table();
                sink(&mut grid(lines, (i, end), found, title.take()));
                end
            }
            // Rows that no column can be told of.
            (None, Some(spans)) => {
                let end = misfit(lines, i, &spans);
                lines[i..end].iter().for_each(|line| sections.see(line, false, &mut sink));
                end
            }
            (None, None) => {
                let above_table = lines.get(i + 1).is_some_and(|below| headings(below.text).is_some());
                sections.see(line, above_table, &mut sink);
                title.see(*line);
                i + 1
            }
        };
    }
    sections.end(&mut sink);
}

/// The words of a title may be headings, too: `Host CPU`. Only parameters begin theirs with a small letter, as names do
/// that go on: `interconnect bytes`.
fn is_title(line: &Line<'_>) -> bool {
    let text = line.text.trim_ascii();
    let small = text.starts_with(|c: char| c.is_ascii_lowercase()) && !text.starts_with("init.ora");
    !small && crate::oracle::is_any_title(&fold(text))
}

/// Rows go on to a blank line, to other headings, or to what is none.
fn ends(row: &Line<'_>) -> bool {
    row.is_blank()
        || is_line(row.text)
        || !row.text.is_ascii()
        || headings(row.text).is_some()
        || is_title(row)
}

/// The line behind the rows below a heading. What stands left of all numbers is the end of a name, though its words
/// are headings elsewhere.
fn rows_end(lines: &[Line<'_>], first: usize) -> usize {
    let mut names = 0;
    let goes_on = |line: &&Line<'_>| {
        if ends(line) && (line.text.trim_ascii_end().len() > names || !is_name(line)) {
            return false;
        }
        let number = line.text.split_ascii_whitespace().find(|word| looks_numeric(word));
        let at = number.map(|word| word.as_ptr() as usize - line.text.as_ptr() as usize);
        if let Some(at) = at {
            names = if names == 0 { at } else { names.min(at) };
        }
        true
    };
    first + lines[first..].iter().take_while(goes_on).count()
}

/// Words that may be the end of a name.
fn is_name(line: &Line<'_>) -> bool {
    !line.is_blank() && !is_line(line.text) && line.text.is_ascii() && !is_title(line)
}

/// Words right above headings that may be more of them, each over how many columns; none where nothing such stands
/// there.
fn words_above(lines: &[Line<'_>], heading: usize, spans: &[Span]) -> Vec<usize> {
    let Some(above) = heading.checked_sub(1).map(|above| &lines[above]) else { return Vec::new() };
    let text = above.text;
    let begin = text.len() - text.trim_ascii_start().len();
    let numbers = text.split_ascii_whitespace().any(looks_numeric);
    // Titles and prose begin at the margin.
    let at_margin = begin <= 3 && !text[begin..].contains("  ");
    if !is_name(above) || numbers || at_margin || text[begin..].starts_with(['*', '-', '+']) {
        return Vec::new();
    }
    let phrases = text[begin..].split("  ").map(str::trim_ascii).filter(|phrase| !phrase.is_empty());
    let over = |phrase: &str| {
        let from = phrase.as_ptr() as usize - text.as_ptr() as usize;
        spans.iter().filter(|span| from < span.1 && span.0 < from + phrase.len()).count()
    };
    phrases.map(over).collect()
}

/// The first line below a heading that its columns do not fit.
fn misfit(lines: &[Line<'_>], heading: usize, spans: &[Span]) -> usize {
    let line = &lines[heading];
    let mut free: Vec<bool> = line.text.bytes().map(|b| b == b' ').collect();
    let mut end = heading + 1;
    while let Some(row) = lines.get(end).filter(|row| !ends(row)) {
        free.iter_mut().zip(row.text.bytes()).for_each(|(free, b)| *free &= b == b' ');
        if !spans.windows(2).all(|pair| free[pair[0].1..pair[1].0].contains(&true)) {
            break;
        }
        end += 1;
    }
    end
}

/// The table under a line of headings.
fn in_one_line(lines: &[Line<'_>], heading: usize, headings: &[Span]) -> Option<(Found, usize)> {
    let line = lines[heading];
    let first = heading + 1;
    let end = rows_end(lines, first);
    // Where some line below belongs to no table, those before it may.
    let ends = [Some(end), Some(misfit(lines, heading, headings)).filter(|e| *e < end)];
    let (placed, end) = ends.into_iter().flatten().filter(|end| *end > first).find_map(|end| {
        gutters::under(line.text, headings, &lines[first..end]).map(|placed| (placed, end))
    })?;
    let mut columns: Vec<Column> = headings.iter().map(|s| Column::new("", &line.text[s.0..s.1])).collect();
    let mut ends: Vec<usize> = headings.iter().map(|s| s.1).collect();
    if placed.labelled {
        columns.insert(0, Column::new("", ""));
        ends.insert(0, 0);
    }
    for (column, _) in columns.iter_mut().zip(&placed.vague).filter(|(_, vague)| **vague) {
        *column = Column::default();
    }
    let spans: Vec<Span> = placed.spans.into_iter().map(Option::unwrap_or_default).collect();
    // Headings that stand twice tell nothing where words above them, each over one column, go with them.
    let above = words_above(lines, heading, &spans);
    let mut names: Vec<&str> = columns.iter().map(Column::key).filter(|key| !key.is_empty()).collect();
    names.sort_unstable();
    let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
    if twice && above.len() > 1 && above.iter().all(|over| *over < 2) {
        return None;
    }
    Some((Found { columns, spans, headings: 1, ends }, end))
}

/// The table under headings that a narrow page wrapped.
fn wrapped(lines: &[Line<'_>], heading: usize, in_vain: &mut usize) -> Option<(Found, usize)> {
    // `>= 512us` is a heading.
    let is_number = |word: &str| looks_numeric(word) && word.ends_with(|c: char| !c.is_ascii_lowercase());
    let numbers = |line: &Line<'_>| line.text.split_ascii_whitespace().any(is_number);
    let can_be_heading =
        |line: &&Line<'_>| !line.is_blank() && line.text.is_ascii() && !is_line(line.text) && !numbers(line);
    let above = lines[heading..].iter().take(MOST_HEADING_LINES + 1).take_while(can_be_heading).count();
    if !(2..=MOST_HEADING_LINES).contains(&above) || *in_vain > MOST_IN_VAIN {
        return None;
    }
    let below = heading + above;
    let end = rows_end(lines, below);
    // The last of such lines may be the name of the first row.
    let found = (2..=above).rev().find_map(|count| {
        let first = heading + count;
        let (joined, spans) = gutters::under_lines(&lines[heading..first], lines.get(first..end)?)?;
        let named = joined.iter().filter(|name| !name.is_empty()).count();
        let known =
            |(place, name): (usize, &String)| HEADINGS.contains(&fold(name)) || place == 0 && name.is_empty();
        let all_known = joined.iter().enumerate().all(known);
        // Where a line of them is left out, they may be those of other columns.
        let above = words_above(lines, heading, &spans);
        if named < 2 || !all_known || above.len() > 1 || above.contains(&1) {
            return None;
        }
        let columns = joined.iter().map(|name| Column::new("", name)).collect();
        let ends = vec![0; spans.len()];
        Some((Found { columns, spans, headings: count, ends }, end))
    });
    if found.is_none() {
        *in_vain += lines[heading..end].iter().map(|line| line.text.len()).sum::<usize>();
    }
    found
}

/// The rows of a table that are cut where there is no doubt.
fn grid<'a>(
    lines: &[Line<'a>],
    (heading, end): (usize, usize),
    found: Found,
    title: Option<Line<'a>>,
) -> Grid<'a> {
    let mut grid = Grid::default();
    grid.line = title.unwrap_or(lines[heading]).number;
    grid.title = Cow::Borrowed(title.map_or("", |t| t.text));
    grid.columns = found.columns;
    // What goes on below fits the columns no more: neither does the row above it, surely.
    let whole = lines.get(end).is_none_or(|line| line.text.is_ascii() && ends(line));
    let rows = joined(&lines[heading + found.headings..end], &found.spans);
    let sure = sure(&rows, &found.ends, whole);
    let mut doubtful: Option<(u32, u32)> = None;
    for (row, sure) in rows.into_iter().zip(sure) {
        if sure {
            row.cells.into_iter().for_each(|(_, cell)| grid.push_cell(cell));
            grid.end_row(row.number);
        } else {
            doubtful.get_or_insert((row.number, 0)).1 += row.lines;
        }
    }
    grid.doubtful = doubtful;
    grid
}

/// A row as cut.
struct Row<'a> {
    number: u32,
    /// On so many lines.
    lines: u32,
    /// Each with where it ends.
    cells: Vec<(usize, Cow<'a, str>)>,
}

/// The cells of a line, each with where it ends.
fn cut<'a>(line: &Line<'a>, spans: &[Span]) -> Vec<(usize, &'a str)> {
    spans.iter().map(|(from, to)| cell(line.text, *from, *to)).collect()
}

/// Does a line hold nothing but words in its first cell?
fn is_piece(cells: &[(usize, &str)]) -> bool {
    cells.split_first().is_some_and(|(first, others)| {
        !first.1.is_empty() && !looks_numeric(first.1) && others.iter().all(|c| c.1.is_empty())
    })
}

/// Rows, those whose names go on below put together where the whole is a name that Oracle gives. Else, which of two
/// rows a line between them belongs to, nothing shows: most converters set the other cells beside the middle of a name.
fn joined<'a>(lines: &[Line<'a>], spans: &[Span]) -> Vec<Row<'a>> {
    let cells: Vec<Vec<(usize, &'a str)>> = lines.iter().map(|line| cut(line, spans)).collect();
    let mut rows: Vec<Row<'a>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let own = &cells[at];
        let mut row = Row {
            number: line.number,
            lines: 1,
            cells: own.iter().map(|(end, cell)| (*end, Cow::Borrowed(*cell))).collect(),
        };
        at += 1;
        let named = own.first().is_some_and(|first| !first.1.is_empty());
        let pieces = cells[at..].iter().take(MOST_HEADING_LINES).take_while(|cells| is_piece(cells)).count();
        if named && !is_piece(own) && pieces > 0 {
            let mut name = own[0].1.to_owned();
            for piece in &cells[at..at + pieces] {
                name.push(' ');
                name.push_str(piece[0].1);
            }
            if names::listed_event(&name).is_some() || names::listed_statistic(&name).is_some() {
                row.cells[0].1 = Cow::Owned(name);
                row.lines += u32::try_from(pieces).unwrap_or(u32::MAX);
                at += pieces;
            }
        }
        rows.push(row);
    }
    rows
}

/// Takes off the index that stands before the rows of a table printed from a data frame: 0, 1, 2 and so on at the
/// margin, without a heading.
pub(crate) fn drop_index(lines: &mut [Line<'_>]) {
    for first in 1..lines.len() {
        // Nearly every line ends here.
        if lines[first].first != b'0' || !lines[first].text.starts_with("0 ") {
            continue;
        }
        let heading = lines[first - 1];
        let is_next = |(nth, line): (usize, &Line<'_>)| {
            line.text.split_once(' ').and_then(|(index, _)| index.parse::<usize>().ok()) == Some(nth)
        };
        let rows = lines[first..].iter().enumerate().take_while(|row| is_next(*row)).count();
        let width = rows.saturating_sub(1).to_string().len() + 1;
        let indent = heading.text.len() - heading.text.trim_ascii_start().len();
        let ends = lines.get(first + rows).is_none_or(Line::is_blank);
        if indent < width || !ends || headings(heading.text).is_none() {
            continue;
        }
        for line in &mut lines[first - 1..first + rows] {
            *line = Line::new(line.number, line.text.get(width..).unwrap_or(""));
        }
    }
}

/// A line drawn across the page, or a title between stars: no row.
fn is_line(text: &str) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with("***")
        || text.starts_with("Back to")
        || text.starts_with("Back_to")
        || text.len() >= 20 && text.bytes().all(|b| matches!(b, b'_' | b'=' | b'-'))
}

/// A cell and where it ends, without the number of a link before it.
fn cell(text: &str, from: usize, to: usize) -> (usize, &str) {
    let to = to.min(text.len());
    let found = text.get(from.min(to)..to).unwrap_or("");
    let kept = found.trim_ascii_end();
    let end = from + kept.len();
    (end, marked_down::behind_number(kept.trim_ascii_start()))
}

/// Which rows are cut where there is no doubt. A row is doubtful where a cell holds two numbers, where
/// blank cells may have moved its numbers (they end where those of full rows do not, or before
/// their heading does), or where a line
/// beside it goes on with one of its cells: which one of two, the converters do not show.
fn sure(rows: &[Row<'_>], headings: &[usize], whole: bool) -> Vec<bool> {
    let number = |c: &str| !c.is_empty() && !c.contains(' ') && looks_numeric(c);
    let cells: Vec<Vec<(usize, &str)>> =
        rows.iter().map(|r| r.cells.iter().map(|(end, cell)| (*end, cell.as_ref())).collect()).collect();
    let mut sure = vec![true; rows.len()];
    if !whole && let Some(last) = sure.last_mut() {
        *last = false;
    }
    let numbers = |row: &[(usize, &str)]| row.iter().filter(|c| number(c.1)).count();
    let with_numbers = cells.iter().filter(|row| numbers(row) > 0).count();
    let of_numbers = |column: usize| {
        let mut filled = cells.iter().map(|row| row[column].1).filter(|c| !c.is_empty()).peekable();
        filled.peek().is_some() && filled.all(number)
    };
    let numeric: Vec<usize> = (0..headings.len()).filter(|column| of_numbers(*column)).collect();
    for (index, row) in cells.iter().enumerate() {
        // Cells go on in a line that holds none of the figures. The mark of all instances stands behind a name.
        let no_figure = !numeric.is_empty() && numeric.iter().all(|column| row[*column].1.is_empty());
        let name_only = row[1..].iter().all(|c| c.1.is_empty());
        let piece = if no_figure && (numeric.len() > 1 || name_only) || row[0].1 == "*" && numbers(row) == 0 {
            true
        } else if with_numbers * 2 >= rows.len() {
            numbers(row) == 0 || row[0].1.is_empty()
        } else {
            // Where most names are wrapped, most lines have no number.
            row[0].1.is_empty() || with_numbers > 0 && name_only && row.len() > 3
        };
        if piece {
            let last = (index + 1).min(rows.len() - 1);
            sure[index.saturating_sub(1)..=last].fill(false);
        }
        // Two cells are in one.
        let two =
            |c: &str| c.contains("   ") || c.contains(' ') && c.split_ascii_whitespace().all(looks_numeric);
        if row.iter().any(|c| two(c.1)) {
            sure[index] = false;
        }
    }
    for column in 0..headings.len() {
        let mut ends: Vec<(bool, usize)> = Vec::new();
        let mut all_numbers = true;
        for row in &cells {
            if !row[column].1.is_empty() {
                all_numbers &= number(row[column].1);
                ends.push((row.iter().any(|c| c.1.is_empty()), row[column].0));
            }
        }
        if !all_numbers {
            continue;
        }
        // Full rows say where the column ends, else all must agree.
        ends.sort_unstable();
        let right = ends.first().map(|e| e.1);
        let full = ends.first().is_some_and(|f| !f.0);
        let agreed = full || ends.iter().all(|e| Some(e.1) == right);
        for (index, row) in cells.iter().enumerate() {
            let gaps = row.iter().any(|c| c.1.is_empty());
            let under = full || headings.get(column).is_none_or(|end| row[column].0 >= *end);
            if gaps && !row[column].1.is_empty() && (!agreed || Some(row[column].0) != right || !under) {
                sure[index] = false;
            }
        }
    }
    sure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    /// Both words of it are headings: the table below stood under the title before.
    #[test]
    fn host_cpu_is_a_title() {
        let text = "  Wait Classes by Total Wait Time\n\n  Host CPU\n\n\
                    \x20  CPUs Cores Sockets %User %System %WIO %Idle\n     20     5          43.1    10.4  6.5  46.4\n";
        let mut titles = Vec::new();
        tables(&lines(text), |_| {}, |g| titles.push((g.title.to_string(), g.columns.len())));
        assert_eq!(titles.last(), Some(&("Host CPU".to_owned(), 7)), "{titles:?}");
    }

    /// Shares of the shared pool were sizes of caches, where no blank line stood between the two tables.
    #[test]
    fn a_title_right_below_a_table_was_its_row() {
        let text = "Cache Sizes\n\n                      Begin      End\nBuffer Cache:        1,840M   1,840M\n\
                    Shared Pool Statistics\n\n                      Begin      End\n\
                    Memory Usage %:       74.71    63.66\n";
        let mut found = Vec::new();
        tables(&lines(text), |_| {}, |g| found.push((g.title.to_string(), g.len())));
        assert_eq!(found, [("Cache Sizes".to_owned(), 1), ("Shared Pool Statistics".to_owned(), 1)]);
    }

    /// The number of a link stands right before its words; that of a place in Oracle's code does not.
    #[test]
    fn numbers_of_mutex_locations_were_those_of_links() {
        let text = "Mutex Type      Location        Sleeps\nRow Cache       [10] kqreqd        194\n\
                    Row Cache       [64]kqrsfd          84\n";
        let mut found = Vec::new();
        tables(&lines(text), |_| {}, |g| found.extend((0..g.len()).map(|r| g.row(r)[1].to_string())));
        assert_eq!(found, ["[10] kqreqd", "kqrsfd"]);
    }

    /// `idle wait` was a line of two headings, and the row above it a whole one.
    #[test]
    fn the_end_of_a_name_was_a_line_of_headings() {
        let text = "Event                        Waits  Waits /txn\nLNS ASYNC dest activation       12        0.10\n\
                    log file sync                  134        0.20\nStreams AQ: qmn coordinator     34        0.30\n\
                    idle wait\nlog file parallel write          7        0.00\n";
        let mut found = Vec::new();
        tables(&lines(text), |_| {}, |g| found.extend((0..g.len()).map(|r| g.row(r)[0].to_string())));
        assert_eq!(found[2..], ["Streams AQ: qmn coordinator idle wait", "log file parallel write"]);
    }

    #[test]
    fn cells_that_are_only_lined_up() {
        let text = "Load Profile\n                         Per Second Per Transaction Per Exec Per Call\n\
                    DB Time(s):                     0.0             0.6     0.00     0.03\n\
                    Transactions:                   0.0\n\
                    Top 10 Foreground Events by Total Wait Time\n\
                    Event                        Waits Total Wait Time (sec) Avg Wait % DB time Wait Class\n\
                    DB CPU                                              12.8               88.7\n\
                    db file sequential read        780                   1.1   1.43ms       7.8 User I/O\n";
        let all = lines(text);
        let mut found = Vec::new();
        tables(
            &all,
            |_| {},
            |g| {
                let rows: Vec<Vec<String>> =
                    (0..g.len()).map(|r| g.row(r).iter().map(ToString::to_string).collect()).collect();
                found.push((g.title.to_string(), g.columns.len(), rows));
            },
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].0, "Load Profile");
        assert_eq!(found[0].2[0], ["DB Time(s):", "0.0", "0.6", "0.00", "0.03"]);
        assert_eq!(found[0].2.len(), 2, "{found:?}");
        assert_eq!(found[0].2[1], ["Transactions:", "0.0", "", "", ""]);
        assert_eq!(found[1].2[0], ["DB CPU", "", "12.8", "", "88.7", ""]);
        assert_eq!(found[1].2[1], ["db file sequential read", "780", "1.1", "1.43ms", "7.8", "User I/O"]);
    }
}
