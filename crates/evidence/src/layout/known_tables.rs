//! The tables that Oracle's reports are known to print, blank for blank.
//!
//! Where a text lost its blanks or was wrapped, the words of headings and rulers are still there in
//! order: they tell which table it is, and with it where its columns stand and what they hold.

use super::text_ruler::{headings_over, runs_of};
use super::text_sections::Line;
use crate::grid::fold;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Text,
    Word,
    DayAndTime,
    WaitClass,
    Number,
}

/// A column of a known table.
#[derive(Clone, Debug)]
pub(super) struct KnownColumn {
    pub(super) holds: Holds,
    /// Can its cell be blank?
    pub(super) blank: bool,
    /// From and to, in characters.
    pub(super) run: (usize, usize),
    /// Heading, folded.
    pub(super) key: String,
}

/// How the rows of a known table stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// Names on one line, numbers on the next.
    TwoLines,
    /// A statement's text below its numbers.
    Statements,
}

/// A table as some release prints it.
#[derive(Clone, Debug)]
pub(super) struct KnownTable {
    /// Titles of the sections that print it.
    pub(super) titles: Vec<&'static str>,
    /// Headings and rulers.
    pub(super) head: Vec<&'static str>,
    /// Index of the first ruler in `head`.
    pub(super) ruler: usize,
    pub(super) shape: Shape,
    /// Columns of the first line of a row of two.
    pub(super) names: Vec<KnownColumn>,
    pub(super) columns: Vec<KnownColumn>,
    /// The title is part of the headings.
    pub(super) own_title: bool,
}

impl KnownTable {
    /// Words above the first ruler.
    pub(super) fn words_above(&self) -> impl DoubleEndedIterator<Item = &'static str> {
        self.head[..self.ruler].iter().flat_map(|l| l.split_ascii_whitespace())
    }

    /// Words below the first ruler: headings and ruler of the second line of a row.
    pub(super) fn words_below(&self) -> impl Iterator<Item = &'static str> {
        self.head[self.ruler + 1..].iter().flat_map(|l| l.split_ascii_whitespace())
    }
}

/// Every known table.
pub(super) static TABLES: LazyLock<Vec<KnownTable>> = LazyLock::new(|| {
    let text = include_str!("../names/tables.txt");
    text.split("\n= ").skip(1).filter_map(table).collect()
});

/// Tables by the words of their first ruler.
pub(super) static BY_RULER: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, table) in TABLES.iter().enumerate() {
        found.entry(words(table.head[table.ruler])).or_default().push(index);
    }
    found
});

/// Tables by the words of all their headings, rulers left out.
pub(super) static BY_HEADINGS: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, table) in TABLES.iter().enumerate() {
        let headings: Vec<&str> =
            table.head.iter().filter(|l| !is_ruler(l)).flat_map(|l| l.split_ascii_whitespace()).collect();
        found.entry(headings.join(" ")).or_default().push(index);
    }
    found
});

/// The words of a line, parted by one blank.
pub(super) fn words(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line of rulers only.
pub(super) fn is_ruler(text: &str) -> bool {
    let text = text.trim_ascii();
    text.len() >= 3
        && text.bytes().all(|b| matches!(b, b'-' | b'~' | b'=' | b' '))
        && (text.contains("---") || text.contains("~~~") || text.contains("==="))
}

fn table(block: &'static str) -> Option<KnownTable> {
    let mut lines = block.lines();
    let titles: Vec<&str> = lines.next()?.split(" | ").map(str::trim).filter(|t| *t != "-").collect();
    let mut head = Vec::new();
    let mut kinds = "";
    for line in lines {
        if let Some(line) = line.strip_prefix('|') {
            head.push(line);
        } else if let Some(line) = line.strip_prefix("K ") {
            kinds = line;
        }
    }
    let ruler = head.iter().position(|l| is_ruler(l))?;
    let (first, second) = kinds.split_once(' ').unwrap_or(("", kinds));
    let last = head.len() - 1;
    let grouped = first.starts_with('g');
    let from = if last > ruler && !grouped { ruler + 1 } else { 0 };
    let columns = columns(&head[from..last], head[last], second)?;
    let named = first.starts_with('x');
    let names = if last > ruler && !grouped {
        self::columns(&head[..ruler], head[ruler], first)?
    } else {
        Vec::new()
    };
    let folded: Vec<String> = titles.iter().map(|t| fold(t)).collect();
    let shape = if named || last > ruler && !grouped {
        Shape::TwoLines
    } else if folded.iter().any(|t| t.starts_with("sqlorderedby")) {
        Shape::Statements
    } else {
        Shape::Plain
    };
    let titles_itself = |l: &&str| {
        let first = l.trim_ascii().split("  ").next().unwrap_or("");
        l.trim_ascii_start().starts_with("~~~") || crate::oracle::is_any_title(&fold(first))
    };
    let own_title = head[0..=ruler].iter().any(titles_itself);
    Some(KnownTable { titles, head, ruler, shape, names, columns, own_title })
}

/// Columns under headings and a ruler; `None` where the kinds are not as many.
fn columns(headings: &[&'static str], ruler: &'static str, kinds: &str) -> Option<Vec<KnownColumn>> {
    let mut runs = runs_of(ruler)?;
    if kinds.len() == runs.len() + 1 && runs[0].0 > 1 {
        runs.insert(0, (0, runs[0].0 - 1));
    } else if ruler.starts_with('~') && runs.len() > 1 {
        runs[0].1 = runs[1].0 - 1;
    }
    if kinds.len() != runs.len() {
        return None;
    }
    let lines: Vec<Line<'_>> = headings.iter().map(|h| Line::new(0, h)).collect();
    let named = headings_over(&lines, &runs);
    let columns = kinds.chars().zip(runs).zip(named).map(|((kind, run), key)| KnownColumn {
        holds: match kind.to_ascii_lowercase() {
            't' => Holds::Text,
            'w' => Holds::Word,
            'd' => Holds::DayAndTime,
            'c' => Holds::WaitClass,
            _ => Holds::Number,
        },
        blank: kind.is_ascii_uppercase(),
        run,
        key,
    });
    Some(columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_understood() {
        let blocks = include_str!("../names/tables.txt").matches("\n= ").count();
        assert_eq!(TABLES.len(), blocks);
        assert!(TABLES.iter().all(|t| !t.columns.is_empty()));
    }
}
