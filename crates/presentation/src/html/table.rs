//! Tables: numbers to the right, units in the heading, each row with the line that it came from.

use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::{head, number};

/// Longest text of a cell, characters.
const TEXT: usize = 160;

/// One cell.
pub(super) enum Cell<'a> {
    /// Text from outside.
    Text(&'a str),
    /// Text of ours that may quote names.
    Prose(&'a str),
    /// A formatted number.
    Number(String),
    /// Where the row stands in the report: section, line.
    Place(&'a str, u32),
    /// A short text, and what it stands for: on hover, and in its place in print.
    Hover(String, String),
    /// Markup made here.
    Html(String),
}

impl Cell<'_> {
    /// A number, or the mark for unknown.
    pub(super) fn known(value: Option<f64>, show: fn(f64) -> String) -> Self {
        Self::Number(number::or_unknown(value, show))
    }
}

/// Heading of a column; a leading `>` sets it over numbers.
type Heading<'a> = &'a str;

/// A table being written.
pub(super) struct Table {
    html: String,
    rows: usize,
    limit: usize,
    left_out: usize,
    columns: usize,
    /// Bytes beyond which no row is added.
    room: usize,
}

impl Table {
    /// A table with a caption (may be empty) and at most `limit` rows.
    pub(super) fn new(caption: &str, headings: &[Heading<'_>], limit: usize) -> Self {
        let mut html = String::from("<div class=tw><table>");
        if !caption.is_empty() {
            html.push_str("<caption>");
            push_html(&mut html, caption);
            html.push_str("</caption>");
        }
        html.push_str("<thead><tr>");
        for heading in headings {
            let (class, text) = heading.strip_prefix('>').map_or(("", *heading), |t| (" class=n", t));
            put!(html, "<th{class}>");
            push_html(&mut html, text);
            html.push_str("</th>");
        }
        html.push_str("</tr></thead><tbody>");
        Self { html, rows: 0, limit, left_out: 0, columns: headings.len(), room: usize::MAX }
    }

    /// The same table, of no more than about this many bytes.
    pub(super) fn within(mut self, bytes: usize) -> Self {
        self.room = bytes;
        self
    }

    /// Is the table full? Rows beyond are counted, not kept.
    pub(super) fn full(&self) -> bool {
        self.rows >= self.limit || self.html.len() >= self.room
    }

    /// Adds a row; `class` may be empty.
    pub(super) fn row(&mut self, class: &str, cells: &[Cell<'_>]) {
        if self.full() {
            self.left_out += 1;
            return;
        }
        self.rows += 1;
        let html = &mut self.html;
        if class.is_empty() {
            html.push_str("<tr>");
        } else {
            put!(html, "<tr class={class}>");
        }
        for cell in cells {
            match cell {
                Cell::Text(text) => {
                    // Only a word too long for a column is broken.
                    let long = text.split_whitespace().any(|w| w.len() > 24);
                    html.push_str(if long { "<td class=w>" } else { "<td>" });
                    push_html(html, &clip(text, TEXT));
                }
                Cell::Prose(text) => {
                    // A sentence takes its width where the screen has none: else it is a column of words.
                    html.push_str(if text.len() > 60 { "<td class=p>" } else { "<td>" });
                    push_prose(html, &clip(text, 400));
                }
                Cell::Number(text) => {
                    html.push_str("<td class=n>");
                    push_html(html, text);
                }
                Cell::Place(section, line) => place(html, section, *line),
                Cell::Hover(text, title) => {
                    html.push_str("<td class=s title=\"");
                    push_html(html, &clip(title, 400));
                    html.push_str("\">");
                    push_html(html, text);
                }
                Cell::Html(markup) => {
                    html.push_str("<td>");
                    html.push_str(markup);
                }
            }
            html.push_str("</td>");
        }
        html.push_str("</tr>");
    }

    /// The table; says how many rows are left out and where they are.
    pub(super) fn finish(self, out: &mut String) {
        self.finish_with(out, "in <code>spindle facts</code>");
    }

    /// [`Self::finish`] where the rest is elsewhere.
    pub(super) fn finish_with(mut self, out: &mut String, rest: &str) {
        if self.left_out > 0 {
            put!(
                self.html,
                "<tr class=more><td colspan={}>{} more row{} {rest}</td></tr>",
                self.columns,
                self.left_out,
                if self.left_out == 1 { "" } else { "s" }
            );
        }
        out.push_str(&self.html);
        out.push_str("</tbody></table></div>");
    }
}

/// A cell with the line, the section on hover and in print; the cell is left open.
fn place(html: &mut String, section: &str, line: u32) {
    html.push_str("<td class=s title=\"");
    push_html(html, &clip(&head::place(section, line), TEXT));
    if line > 0 {
        put!(html, "\">{line}");
    } else {
        html.push_str("\">derived");
    }
}
