//! Where the columns of a table stand whose cells are only lined up: its rows tell, not its headings.
//!
//! Between two columns every row is blank, and so are, within a cell, never two places beside each other: converters
//! join the blanks of a cell. Numbers are set to the right: what stands over a column of them ends where they do, or
//! before. Headings stand askew where one of them spans several columns, so each column takes the heading over
//! it, else the one that no other column can take. Where more than one would do, the table is not read.

use super::text_sections::Line;
use crate::cell::looks_numeric;

/// From and to, in bytes of a line.
pub(super) type Span = (usize, usize);

/// A column by its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    from: usize,
    to: usize,
    /// Does it hold numbers alone?
    numeric: bool,
}

/// Which columns stand under which headings.
#[derive(Debug, PartialEq)]
pub(super) struct Columns {
    /// Each with the span of its cells, `None` where all are blank; first the one of labels, where rows have labels
    /// left of all headings.
    pub(super) spans: Vec<Option<Span>>,
    /// Which of them hold cells of several headings that cannot be parted, or none since the one before holds them.
    pub(super) vague: Vec<bool>,
    pub(super) labelled: bool,
}

/// The text between two places of a line, which may be shorter.
fn slice(text: &str, (from, to): Span) -> &str {
    let to = to.min(text.len());
    text.get(from.min(to)..to).unwrap_or("")
}

fn is_number(cell: &str) -> bool {
    !cell.contains(' ') && looks_numeric(cell)
}

/// The columns of rows in ASCII, and the places between words of theirs that are blank in all rows.
fn of_rows(rows: &[Line<'_>]) -> (Vec<Column>, Vec<Span>) {
    let width = rows.iter().map(|row| row.text.len()).max().unwrap_or(0);
    let mut filled = vec![false; width];
    for row in rows {
        filled.iter_mut().zip(row.text.bytes()).for_each(|(filled, b)| *filled |= b != b' ');
    }
    let (mut columns, mut gaps) = (Vec::<Column>::new(), Vec::new());
    let (mut at, mut part) = (0, (0, 0));
    while let Some(from) = filled[at..].iter().position(|f| *f).map(|more| at + more) {
        let to = filled[from..].iter().position(|f| !*f).map_or(width, |more| from + more);
        let numeric = rows.iter().all(|row| {
            let cell = slice(row.text, (from, to)).trim_ascii();
            cell.is_empty() || is_number(cell)
        });
        match columns.last_mut() {
            // Words of one cell that stand below each other by chance, as far as can be seen.
            Some(before) if !before.numeric && !numeric && !are_apart(rows, part, (from, to)) => {
                gaps.push((before.to, from));
                before.to = to;
            }
            _ => columns.push(Column { from, to, numeric }),
        }
        (at, part) = (to, (from, to));
    }
    (columns, gaps)
}

/// Do what stands in two places of the rows belong to two cells? Within one there is a blank between words, and
/// nothing before the first.
fn are_apart(rows: &[Line<'_>], left: Span, right: Span) -> bool {
    rows.iter().any(|row| {
        let (a, b) = (slice(row.text, left).trim_ascii_end(), slice(row.text, right));
        let before = b.len() - b.trim_ascii_start().len();
        let filled = before < b.len();
        filled && (a.is_empty() || right.0 + before - (left.0 + a.len()) > 1)
    })
}

/// The columns under headings that stand in one line. `None` where a column may stand under either of two, or two
/// under one.
pub(super) fn under(line: &str, headings: &[Span], rows: &[Line<'_>]) -> Option<Columns> {
    let (columns, gaps) = of_rows(rows);
    let (columns, vague) = split(line, headings, columns, &gaps);
    // The heading of each column, by its place.
    let mut taken: Vec<Option<usize>> = Vec::with_capacity(columns.len());
    for column in &columns {
        let mut over = over(headings, *column);
        let first = over.next();
        if over.next().is_some() && !vague.contains(&column.from) || first.is_some() && taken.contains(&first)
        {
            return None;
        }
        taken.push(first);
    }
    let mut labelled = false;
    let mut at = 0;
    while at < columns.len() {
        if taken[at].is_some() {
            at += 1;
            continue;
        }
        // The columns in a row under nothing, and the headings over nothing there.
        let end = (at..columns.len()).find(|c| taken[*c].is_some()).unwrap_or(columns.len());
        let first = at.checked_sub(1).and_then(|before| taken[before]).map_or(0, |h| h + 1);
        let last = taken.get(end).copied().flatten().unwrap_or(headings.len());
        let free = first..last;
        if end - at != 1 {
            // Each as good as the other unless there is one for each.
            if free.len() != end - at {
                return None;
            }
            (at..end).zip(free).for_each(|(column, heading)| taken[column] = Some(heading));
        } else if at == 0 && free.is_empty() {
            labelled = true;
        } else if at > 0
            && free.is_empty()
            && !columns[at - 1].numeric
            && columns[at - 1].to + 1 == columns[at].from
        {
            // The last word of a cell: `select 1`.
            taken[at] = taken[at - 1];
        } else if columns[at].numeric {
            // It ends where its heading does, or behind that: what stands to its right is over blanks.
            let before = free.clone().rfind(|h| headings[*h].1 <= columns[at].from);
            taken[at] = Some(before?);
        } else if free.len() == 1 {
            taken[at] = Some(free.start);
        } else {
            return None;
        }
        at = end;
    }
    // Headings over blanks are between columns for certain only where the others stand over theirs as they should:
    // in text of a page as it was drawn they do not.
    let blanks = (0..headings.len()).any(|h| !taken.contains(&Some(h)));
    let askew = |(column, heading): (&Column, &Option<usize>)| {
        column.numeric && heading.is_some_and(|h| headings[h].1 > column.to)
    };
    if blanks && vague.is_empty() && columns.iter().zip(&taken).any(askew) {
        return None;
    }
    let mut spans = vec![None; headings.len() + usize::from(labelled)];
    let mut is_vague = vec![false; spans.len()];
    for (column, heading) in columns.iter().zip(&taken) {
        let place = heading.map_or(0, |h| h + usize::from(labelled));
        let from = spans[place].map_or(column.from, |(from, _): Span| from);
        spans[place] = Some((from, column.to));
        if vague.contains(&column.from) {
            over(headings, *column).for_each(|h| is_vague[h + usize::from(labelled)] = true);
        }
    }
    Some(Columns { spans, vague: is_vague, labelled })
}

/// The headings right over a column.
fn over(headings: &[Span], column: Column) -> impl Iterator<Item = usize> {
    (0..headings.len()).filter(move |h| headings[*h].0 < column.to && column.from < headings[*h].1)
}

/// Parts columns of words over which several headings stand, where one place between them is blank in all rows and
/// between the headings. Where there is more than one such place, neither side can be told: also where such columns
/// begin.
fn split(line: &str, headings: &[Span], columns: Vec<Column>, gaps: &[Span]) -> (Vec<Column>, Vec<usize>) {
    let (mut parted, mut vague) = (Vec::with_capacity(columns.len()), Vec::new());
    for column in columns {
        let heads: Vec<usize> = over(headings, column).collect();
        if column.numeric || heads.len() < 2 {
            parted.push(column);
            continue;
        }
        let mut rest = column;
        for pair in heads.windows(2) {
            let (left, right) = (headings[pair[0]], headings[pair[1]]);
            let blank = |gap: &&Span| slice(line, **gap).trim_ascii().is_empty();
            let mut between = gaps.iter().filter(|gap| gap.0 >= left.1 && gap.1 <= right.0).filter(blank);
            match (between.next(), between.next()) {
                (Some(gap), None) if gap.0 > rest.from && gap.1 < rest.to => {
                    parted.push(Column { to: gap.0, ..rest });
                    rest.from = gap.1;
                }
                _ => {
                    vague.push(column.from);
                    break;
                }
            }
        }
        if vague.last() == Some(&column.from) {
            parted.retain(|part| part.from < column.from);
            parted.push(column);
        } else {
            parted.push(rest);
        }
    }
    (parted, vague)
}

/// The columns under headings of several lines, with the heading of each joined; those of labels have none. `None`
/// where words of a heading stand over no column, or over two.
pub(super) fn under_lines(headings: &[Line<'_>], rows: &[Line<'_>]) -> Option<(Vec<String>, Vec<Span>)> {
    let (columns, _) = of_rows(rows);
    let mut joined = vec![String::new(); columns.len()];
    for line in headings {
        for word in line.text.split_ascii_whitespace() {
            let from = word.as_ptr() as usize - line.text.as_ptr() as usize;
            let to = from + word.len();
            let mut over = (0..columns.len()).filter(|c| from < columns[*c].to && columns[*c].from < to);
            let column = match (over.next(), over.next()) {
                (Some(one), None) => one,
                (Some(_), Some(_)) => return None,
                // Numbers end where what stands over them does; words behind the last column are over nothing.
                (None, _) => columns.iter().position(|c| c.from >= to).filter(|c| columns[*c].numeric)?,
            };
            if !joined[column].is_empty() {
                joined[column].push(' ');
            }
            joined[column].push_str(word);
        }
    }
    Some((joined, columns.iter().map(|c| (c.from, c.to)).collect()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::text_sections::lines;

    /// What each row holds under each heading of the first line, `None` where that is in doubt.
    fn read(text: &str) -> Option<Vec<Vec<String>>> {
        let all = lines(text);
        let (heading, rows) = all.split_first().unwrap();
        let mut headings = Vec::new();
        let mut at = 0;
        // Two blanks part headings here.
        for name in heading.text.split("  ") {
            let from = at + name.len() - name.trim_start().len();
            if !name.trim().is_empty() {
                headings.push((from, from + name.trim().len()));
            }
            at += name.len() + 2;
        }
        let found = under(heading.text, &headings, rows)?;
        let cells = |row: &Line<'_>| -> Vec<String> {
            found.spans.iter().map(|s| s.map_or("", |s| slice(row.text, s).trim()).to_owned()).collect()
        };
        Some(rows.iter().map(cells).collect())
    }

    /// A heading over several columns sets those of its first one askew: all waits of an event were in the bucket
    /// behind theirs.
    #[test]
    fn waits_stood_in_the_next_bucket() {
        let text = "        Event            Waits       <8us      <16us  <32us\n\
                    log file sync               12            100.0\n\
                    db file scattered read      21             50.0  16.7   33.3\n";
        let rows = read(text).unwrap();
        assert_eq!(rows[0], ["log file sync", "12", "100.0", "", ""]);
        assert_eq!(rows[1], ["db file scattered read", "21", "50.0", "16.7", "33.3"]);
    }

    /// Numbers may stand under either of two headings.
    #[test]
    fn a_table_in_doubt_is_not_read() {
        let text = "Event           Waits     Time   Average\nlog file sync        12       5\n";
        assert_eq!(read(text), None);
    }

    #[test]
    fn columns_of_words_are_told_by_rows_that_lack_one() {
        let text = "Id   Module        Text\n1    JDBC client   select 1\n2                  select 2\n";
        assert_eq!(read(text).unwrap()[1], ["2", "", "select 2"]);
    }

    #[test]
    fn headings_of_several_lines() {
        let text = "  Event     Waits  % DB\n                   time\nlog file       12   1.5\n";
        let all = lines(text);
        let (headings, spans) = under_lines(&all[..2], &all[2..]).unwrap();
        assert_eq!(headings, ["Event", "Waits", "% DB time"]);
        assert_eq!(spans.len(), 3);
    }
}
