//! Tables in text that have neither ruler nor marks between cells: HTML turned into text by a
//! converter that only lines the cells up.
//!
//! The line of headings is told by its words: all of it must be made of headings that Oracle's
//! reports use. Between two headings a column ends where every row is blank; a table where no such
//! place is found is left alone.

use super::flat_text::Title;
use super::text_sections::Line;
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
    let head = &lines[..lines.len().min(600)];
    let ruled =
        head.iter().filter(|l| l.text.starts_with("---") || l.text.starts_with("~~~")).take(2).count();
    ruled < 2 && head.iter().filter(|l| headings(l.text).is_some()).take(2).count() == 2
}

/// Calls `loose` with every line, and `sink` with every table.
pub(crate) fn tables<'a>(
    lines: &[Line<'a>],
    mut loose: impl FnMut(&Line<'a>),
    mut sink: impl FnMut(&mut Grid<'a>),
) {
    let mut title = Title::default();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        loose(line);
        if line.is_blank() {
            i += 1;
            continue;
        }
        let Some(spans) = headings(line.text) else {
            title.see(*line);
            i += 1;
            continue;
        };
        // Rows go on to a blank line, to other headings, or to a line that fits no column.
        let mut end = i + 1;
        while let Some(row) = lines.get(end) {
            if row.is_blank() || !row.text.is_ascii() || headings(row.text).is_some() {
                break;
            }
            if boundaries(line.text, &spans, &lines[i + 1..=end]).is_none() {
                break;
            }
            end += 1;
        }
        let rows = &lines[i + 1..end];
        if let Some(edges) = boundaries(line.text, &spans, rows).filter(|_| !rows.is_empty()) {
            let mut grid = Grid::default();
            let title = title.take();
            grid.line = title.map_or(line.number, |t| t.number);
            grid.title = Cow::Borrowed(title.map_or("", |t| t.text));
            let labelled = edges.len() == spans.len();
            if labelled {
                grid.columns.push(Column::new("", ""));
            }
            grid.columns.extend(spans.iter().map(|s| Column::new("", &line.text[s.0..s.1])));
            for row in rows {
                loose(row);
                let mut from = 0;
                for edge in edges.iter().copied().chain(std::iter::once(usize::MAX)) {
                    let to = edge.min(row.text.len());
                    let cell = row.text.get(from.min(to)..to).unwrap_or("").trim_ascii();
                    grid.push_cell(Cow::Borrowed(cell));
                    from = to;
                }
                grid.end_row(row.number);
            }
            sink(&mut grid);
        }
        i = end;
    }
}

/// Where columns end. One edge between each two headings, and one before the first where rows have
/// a label there.
fn boundaries(heading: &str, spans: &[(usize, usize)], rows: &[Line<'_>]) -> Option<Vec<usize>> {
    let blank = |at: usize| {
        let free = |text: &str| text.as_bytes().get(at).is_none_or(|b| *b == b' ');
        free(heading) && rows.iter().all(|r| free(r.text))
    };
    let mut edges = Vec::with_capacity(spans.len());
    let first = spans.first()?.0;
    let indent = rows.iter().map(|r| r.text.len() - r.text.trim_start().len()).min().unwrap_or(0);
    // Labels stand left of the first heading where that one is set to the right.
    if let Some(edge) = (indent + 1..first).rev().find(|at| blank(*at))
        && rows.iter().any(|r| r.text.get(..edge.min(r.text.len())).is_some_and(|l| l.trim_ascii().len() > 1))
    {
        edges.push(edge);
    }
    for pair in spans.windows(2) {
        edges.push((pair[0].1..pair[1].0).rev().find(|at| blank(*at))?);
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_sections::lines;

    #[test]
    fn cells_that_are_only_lined_up() {
        let text = "Load Profile\n                         Per Second Per Transaction Per Exec Per Call\n\
                    DB Time(s):                     0.0             0.6     0.00     0.03\n\
                    Transactions:                   0.0\n\
                    Top 10 Foreground Events by Total Wait Time\n\
                    Event                        Waits Total Wait Time (sec) Avg Wait % DB time Wait Class\n\
                    DB CPU                                             12.8              88.7\n\
                    db file sequential read        780                  1.1    1.43ms       7.8 User I/O\n";
        let all: Vec<Line<'_>> = lines(text).collect();
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
