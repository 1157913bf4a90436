//! Tables in text that have neither ruler nor marks between cells: HTML turned into text by a
//! converter that only lines the cells up.
//!
//! The line of headings is told by its words: all of it must be made of headings that Oracle's
//! reports use. Between two headings a column ends where every row is blank; a table where no such
//! place is found is left alone.

use super::flat_text::Title;
use super::headings::Headings;
use super::marked_down;
use super::text_sections::Line;
use crate::cell::looks_numeric;
use crate::grid::{Column, Grid, fold};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

static HEADINGS: LazyLock<HashSet<String>> =
    LazyLock::new(|| include_str!("../names/headings.txt").lines().map(fold).collect());

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
            if phrase.contains("   ") || !HEADINGS.contains(&fold(phrase)) {
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

/// Calls `loose` with every line, and `sink` with every table.
pub(crate) fn tables<'a>(
    lines: &[Line<'a>],
    mut loose: impl FnMut(&Line<'a>),
    mut sink: impl FnMut(&mut Grid<'a>),
) {
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
        // The words of a title may be headings, too: `Host CPU`.
        let is_title = |line: &Line<'_>| crate::oracle::is_any_title(&fold(line.text.trim_ascii()));
        let Some(spans) = headings(line.text).filter(|_| !is_title(line)) else {
            let above_table = lines.get(i + 1).is_some_and(|below| headings(below.text).is_some());
            sections.see(line, above_table, &mut sink);
            title.see(*line);
            i += 1;
            continue;
        };
        // Rows go on to a blank line, to other headings, or to a line that fits no column.
        let mut end = i + 1;
        let mut free: Vec<bool> = line.text.bytes().map(|b| b == b' ').collect();
        while let Some(row) = lines.get(end) {
            let ends = row.is_blank() || is_line(row.text) || !row.text.is_ascii();
            if ends || headings(row.text).is_some() || is_title(row) {
                break;
            }
            free.iter_mut().zip(row.text.bytes()).for_each(|(free, b)| *free &= b == b' ');
            if !spans.windows(2).all(|pair| free[pair[0].1..pair[1].0].contains(&true)) {
                break;
            }
            end += 1;
        }
        let rows = &lines[i + 1..end];
        let mut read = false;
        if let Some(mut edges) = boundaries(line.text, &spans, rows).filter(|_| !rows.is_empty()) {
            let mut grid = Grid::default();
            let title = title.take();
            grid.line = title.map_or(line.number, |t| t.number);
            grid.title = Cow::Borrowed(title.map_or("", |t| t.text));
            let labelled = edges.len() == spans.len();
            if labelled {
                grid.columns.push(Column::new("", ""));
            }
            let vague = vague(line.text, &spans, rows, &mut edges);
            grid.columns.extend(spans.iter().map(|s| Column::new("", &line.text[s.0..s.1])));
            for (column, _) in grid.columns.iter_mut().zip(&vague).filter(|(_, vague)| **vague) {
                *column = Column::default();
            }
            rows.iter().for_each(&mut loose);
            // What goes on below fits the columns no more: neither does the row above it, surely.
            let whole = lines.get(end).is_none_or(|l| {
                l.is_blank()
                    || is_line(l.text)
                    || headings(l.text).is_some()
                    || crate::oracle::is_any_title(&fold(l.text))
            });
            let mut ends: Vec<usize> = spans.iter().map(|s| s.1).collect();
            if labelled {
                ends.insert(0, 0);
            }
            let sure = sure(rows, &edges, &ends, whole);
            for (row, _) in rows.iter().zip(&sure).filter(|(_, sure)| **sure) {
                for (from, to) in ranges(&edges) {
                    grid.push_cell(Cow::Borrowed(cell(row.text, from, to).1));
                }
                grid.end_row(row.number);
            }
            grid.doubtful = rows.iter().zip(&sure).find(|(_, sure)| !**sure).map(|(row, _)| {
                let lost = sure.iter().filter(|s| !**s).count();
                (row.number, u32::try_from(lost).unwrap_or(u32::MAX))
            });
            sections.see_table();
            sink(&mut grid);
            read = true;
        }
        if !read {
            lines[i..end].iter().for_each(|line| sections.see(line, false, &mut sink));
        }
        i = end;
    }
    sections.end(&mut sink);
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

/// From and to of each column.
fn ranges(edges: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let from = std::iter::once(0).chain(edges.iter().copied());
    from.zip(edges.iter().copied().chain(std::iter::once(usize::MAX)))
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
fn sure(rows: &[Line<'_>], edges: &[usize], headings: &[usize], whole: bool) -> Vec<bool> {
    let number = |c: &str| !c.is_empty() && !c.contains(' ') && looks_numeric(c);
    let cells: Vec<Vec<(usize, &str)>> =
        rows.iter().map(|r| ranges(edges).map(|(from, to)| cell(r.text, from, to)).collect()).collect();
    let mut sure = vec![true; rows.len()];
    if !whole && let Some(last) = sure.last_mut() {
        *last = false;
    }
    let numbers = |row: &[(usize, &str)]| row.iter().filter(|c| number(c.1)).count();
    let with_numbers = cells.iter().filter(|row| numbers(row) > 0).count();
    for (index, row) in cells.iter().enumerate() {
        let piece = if with_numbers * 2 >= rows.len() {
            numbers(row) == 0 || row[0].1.is_empty()
        } else {
            // Where most names are wrapped, most lines have no number.
            let name_only = row.len() > 3 && row[1..].iter().all(|c| c.1.is_empty());
            row[0].1.is_empty() || with_numbers > 0 && name_only
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
    for column in 0..=edges.len() {
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

/// Between two columns of words more than one place can be blank in all rows: then neither column can
/// be told, and both lose their headings. Words behind numbers begin at the first such place.
fn vague(heading: &str, spans: &[(usize, usize)], rows: &[Line<'_>], edges: &mut [usize]) -> Vec<bool> {
    let blank = |at: usize| {
        let free = |text: &str| text.as_bytes().get(at).is_none_or(|b| *b == b' ');
        free(heading) && rows.iter().all(|r| free(r.text))
    };
    let labels = (edges.len() + 1).saturating_sub(spans.len());
    let mut vague = vec![false; edges.len() + 1];
    for (pair, spans) in spans.windows(2).enumerate() {
        let column = pair + labels;
        let (from, to) = (spans[0].1, spans[1].0);
        let first = (from..to).find(|at| blank(*at)).unwrap_or(to);
        let end = (first..to).find(|at| !blank(*at));
        if end.is_none_or(|end| !(end..to).any(blank)) {
            continue;
        }
        let left = if column == 0 { 0 } else { edges[column - 1] };
        let right = edges.get(column + 1).copied().unwrap_or(usize::MAX);
        let numbers = |from: usize, to: usize| {
            rows.iter().all(|r| {
                let cell = cell(r.text, from, to).1;
                looks_numeric(cell) && !cell.contains(' ')
            })
        };
        if numbers(edges[column], right) {
            continue;
        }
        if numbers(left, first) {
            edges[column] = first;
        } else {
            (vague[column], vague[column + 1]) = (true, true);
        }
    }
    vague
}

/// Where columns end. One edge between each two headings, and one before the first where rows have
/// a label there.
fn boundaries(heading: &str, spans: &[(usize, usize)], rows: &[Line<'_>]) -> Option<Vec<usize>> {
    let blank = |at: usize| {
        let free = |text: &str| text.as_bytes().get(at).is_none_or(|b| *b == b' ');
        free(heading) && rows.iter().all(|r| free(r.text))
    };
    let mut edges = Vec::with_capacity(spans.len());
    let first = *spans.first()?;
    for pair in spans.windows(2) {
        edges.push((pair[0].1..pair[1].0).rev().find(|at| blank(*at))?);
    }
    // Labels stand left of the first heading where that one is set to the right, over numbers.
    let indent = rows.iter().map(|r| r.text.len() - r.text.trim_start().len()).min().unwrap_or(0);
    let end = edges.first().copied().unwrap_or(usize::MAX);
    if let Some(edge) = (indent + 1..first.0).rev().find(|at| blank(*at)) {
        let labels = rows.iter().any(|r| !cell(r.text, 0, edge).1.is_empty());
        let mut under = rows.iter().map(|r| cell(r.text, edge, end).1).filter(|c| !c.is_empty()).peekable();
        if labels && (under.peek().is_none() || under.all(|c| looks_numeric(c) && !c.contains(' '))) {
            edges.insert(0, edge);
        }
    }
    Some(edges)
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
