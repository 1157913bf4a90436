//! One section of a report before it becomes text or HTML.

use crate::style::Style;

/// One printed cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Left-aligned; clipped where the column is narrower.
    Name(String),
    /// Right-aligned; cut or overprinted where the column is narrower.
    Number(String),
    /// Nothing.
    Blank,
}

impl Cell {
    pub(crate) fn name(text: impl Into<String>) -> Self {
        Self::Name(text.into())
    }

    pub(crate) fn opt(text: Option<&str>) -> Self {
        text.map_or(Self::Blank, Self::name)
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Name(t) | Self::Number(t) => t,
            Self::Blank => "",
        }
    }
}

/// One row of a section.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Printed on a line of its own in text; the first cell in HTML.
    pub(crate) lead: Option<String>,
    pub(crate) cells: Vec<Cell>,
    /// Lines that follow in text (module and statement); further cells in HTML.
    pub(crate) trail: Vec<String>,
    /// Cells that only HTML prints, after the others (module and statement).
    pub(crate) html: Vec<Cell>,
}

impl Row {
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        Self { lead: None, cells, trail: Vec::new(), html: Vec::new() }
    }
}

/// A section: title, notes, headings, rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Title in text.
    pub(crate) title: String,
    /// Heading in HTML; the title where empty.
    pub(crate) heading: String,
    /// `summary=` of the HTML table.
    pub(crate) summary: &'static str,
    /// Lines under the title, as printed in text.
    pub(crate) notes: Vec<String>,
    /// Heading lines and rulers of text; a row is laid out over the rulers in order.
    pub(crate) ruled: &'static str,
    /// Heading cells of HTML.
    pub(crate) columns: &'static [&'static str],
    pub(crate) rows: Vec<Row>,
    /// HTML: headings over the columns, with the number of columns that each spans.
    pub(crate) groups: &'static [(&'static str, usize)],
    /// HTML: heading is plain text (Report Summary), not `h3`.
    pub(crate) plain: bool,
    /// Starts a page in text.
    pub(crate) new_page: bool,
    /// `Snap: 12` of advisories instead of `Snaps: 11-12`.
    pub(crate) one_snap: bool,
    /// Printed word for word in text, instead of title and rows (header blocks).
    pub(crate) verbatim: Option<String>,
    /// Heading lines of a layout that somebody changed.
    pub(crate) own_ruled: Option<String>,
    /// Heading cells of a layout that somebody changed.
    pub(crate) own_columns: Option<Vec<&'static str>>,
    /// Not printed in HTML, or only there.
    pub(crate) only: Option<spindle_facts::Layout>,
}

/// Column positions of one ruler: start and width.
pub(crate) fn spans(ruler: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in ruler.chars().chain(" ".chars()).enumerate() {
        match (c, start) {
            ('-', None) => start = Some(i),
            ('-', Some(_)) => {}
            (_, Some(s)) => {
                out.push((s, i - s));
                start = None;
            }
            (_, None) => {}
        }
    }
    out
}

fn is_ruler(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| c == '-' || c == ' ')
}

/// Rulers that lay out rows: those after which no more than heading lines of a second level come.
/// A ruler that only groups columns (`% of Waits` over its buckets) is the wider one above another
/// ruler and is left out by the section (its heading line is drawn with a single dash run).
fn rulers(ruled: &str) -> Vec<Vec<(usize, usize)>> {
    let lines: Vec<&str> = ruled.lines().collect();
    let all: Vec<usize> = (0..lines.len()).filter(|&i| is_ruler(lines[i])).collect();
    let last = all.last().copied().unwrap_or(0);
    all.iter()
        .filter(|&&i| {
            // A grouping rule starts right of the first column and is no row layout.
            i == last || !lines[i].starts_with("     ")
        })
        .map(|&i| spans(lines[i]))
        .collect()
}

/// A plain number that is too wide turns to `3.5E+08` where the column has room for that; anything
/// else (`521.6K`) stays, to be cut.
fn scientific_in(text: &str, width: usize, style: &Style) -> String {
    let english: String =
        text.chars().filter(|c| *c != if style.decimal_comma { '.' } else { ',' }).collect();
    match english.replace(',', ".").parse::<f64>() {
        Ok(value) if width >= 7 => style.localised(crate::numbers::scientific(value, width - 6)),
        _ => text.to_owned(),
    }
}

fn place(line: &mut Vec<char>, at: usize, text: &str) {
    let end = at + text.chars().count();
    if line.len() < end {
        line.resize(end, ' ');
    }
    for (i, c) in text.chars().enumerate() {
        line[at + i] = c;
    }
}

fn trimmed(line: &[char]) -> String {
    line.iter().collect::<String>().trim_end().to_owned()
}

/// Heading lines and ruler cut into columns, each as wide as its ruler; `None` where rows have
/// several lines or a heading stands over several columns.
pub(crate) fn cut_at_rulers(ruled: &str) -> Option<Vec<Vec<String>>> {
    let lines: Vec<Vec<char>> = ruled.lines().map(|l| l.chars().collect()).collect();
    let rulers = ruled.lines().filter(|l| l.contains("--")).count();
    let last = ruled.lines().last().filter(|l| rulers == 1 && is_ruler(l))?;
    let spans = spans(last);
    for line in &lines {
        let inside = |at: usize| spans.iter().any(|(start, width)| (*start..start + width).contains(&at));
        if line.iter().enumerate().any(|(at, c)| *c != ' ' && !inside(at)) {
            return None;
        }
    }
    let cut = |line: &[char], start: usize, width: usize| -> String {
        (start..start + width).map(|at| line.get(at).copied().unwrap_or(' ')).collect()
    };
    Some(spans.iter().map(|(start, width)| lines.iter().map(|l| cut(l, *start, *width)).collect()).collect())
}

impl Block {
    /// Heading lines and rulers of text.
    pub(crate) fn ruled(&self) -> &str {
        self.own_ruled.as_deref().unwrap_or(self.ruled)
    }

    /// Heading cells of HTML.
    pub(crate) fn columns(&self) -> &[&'static str] {
        self.own_columns.as_deref().unwrap_or(self.columns)
    }

    /// Heading of HTML.
    pub(crate) fn html_heading(&self) -> &str {
        if self.heading.is_empty() { &self.title } else { &self.heading }
    }

    /// The lines of one row in text.
    pub(crate) fn row_lines(&self, row: &Row, style: &Style) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(lead) = &row.lead {
            out.push(lead.clone());
        }
        let mut cells = row.cells.iter();
        for ruler in rulers(self.ruled()) {
            let mut line = Vec::new();
            for (start, width) in ruler {
                let Some(cell) = cells.next() else { break };
                match cell {
                    Cell::Blank => {}
                    Cell::Name(t) => place(&mut line, start, &t.chars().take(width).collect::<String>()),
                    Cell::Number(t) => {
                        let length = t.chars().count();
                        if length <= width {
                            place(&mut line, start + width - length, t);
                        } else if style.hashes {
                            place(&mut line, start, &"#".repeat(width));
                        } else {
                            let fitting = scientific_in(t, width, style);
                            place(&mut line, start, &fitting.chars().take(width).collect::<String>());
                        }
                    }
                }
            }
            out.push(trimmed(&line));
        }
        out.extend(row.trail.iter().cloned());
        out
    }
}
