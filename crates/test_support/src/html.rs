//! Sections as the HTML that Oracle's scripts spool.

use crate::block::{Block, Cell, Row};
use crate::style::{Release, Style};
use spindle_facts::{Layout, Report};
use std::fmt::Write;

const STYLE: &str = "<style type=\"text/css\">\n\
body.awr {font:bold 10pt Arial,Helvetica,Geneva,sans-serif;color:black; background:White;}\n\
h1.awr {font:bold 20pt Arial,Helvetica,Geneva,sans-serif;color:#336699;}\n\
h3.awr {font:bold 16pt Arial,Helvetica,Geneva,sans-serif;color:#336699;}\n\
th.awrbg {font:bold 8pt Arial,Helvetica,Geneva,sans-serif;color:White;background:#0066CC;}\n\
td.awrnc {font:8pt Arial,Helvetica,Geneva,sans-serif;color:black;background:White;vertical-align:top;}\n\
td.awrc {font:8pt Arial,Helvetica,Geneva,sans-serif;color:black;background:#FFFFCC;vertical-align:top;}\n\
</style>";

pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

pub(crate) fn page(report: &Report, style: &Style, title: &str, blocks: &[Block]) -> String {
    let id = &report.identity;
    let opt = |v: &Option<String>| v.clone().unwrap_or_default();
    let number = |v: Option<u64>| v.map(|n| n.to_string()).unwrap_or_default();
    let inst = id.instance.as_ref().map_or(String::new(), |i| format!(", Inst: {i}"));
    let mut out = format!(
        "\n<html lang=\"en\"><head><title>AWR {}Report for DB: {}{inst}, Snaps: {}-{}</title>\n{STYLE}</head><body class=\"awr\">\n<h1 class=\"awr\">\n{title}\n\n</h1>\n<p />\n",
        if inst.is_empty() { "RAC " } else { "" },
        escape(&opt(&id.db_name)),
        number(id.begin_snap),
        number(id.end_snap)
    );
    for block in blocks.iter().filter(|b| b.only != Some(Layout::Text)) {
        section(&mut out, style, block);
    }
    out.push_str("<p />\n<p />\nEnd of Report\n</body></html>\n");
    out
}

fn section(out: &mut String, style: &Style, block: &Block) {
    let heading = block.html_heading();
    if block.plain {
        if !heading.is_empty() {
            let _ = writeln!(out, "<p />{}<p />", escape(heading));
        }
    } else {
        let _ = writeln!(
            out,
            "<a class=\"awr\" name=\"s{}\"></a><h3 class=\"awr\">{}</h3>\n<p />",
            out.len(),
            escape(heading)
        );
    }
    if !block.rows.is_empty() {
        list(out, &block.notes);
    }
    if block.rows.is_empty() {
        out.push_str("<pre class=\"awr\">\n\n                  No data exists for this section of the report.\n</pre>\n<hr align=\"left\" width=\"20%\" />\n<p />\n");
        return;
    }
    let summary = if style.release >= Release::V11_2_0_3 {
        format!(" summary=\"{}\"", escape(block.summary))
    } else {
        String::new()
    };
    let scope = if style.release >= Release::V11_2_0_3 { " scope=\"col\"" } else { "" };
    let _ = writeln!(out, "<table border=\"1\"{}{summary}>", if block.plain { " width=\"500\"" } else { "" });
    if !block.groups.is_empty() {
        out.push_str("<tr>");
        for (group, columns) in block.groups {
            if group.is_empty() {
                out.push_str("<td>&#160;</td>");
            } else {
                let span = if *columns > 1 { format!(" colspan=\" {columns}\"") } else { String::new() };
                let _ = write!(out, "<th class=\"awrbg\"{span}>{}</th>", escape(group));
            }
        }
        out.push_str("</tr>\n");
    }
    if !block.columns().is_empty() {
        out.push_str("<tr>");
        for column in block.columns() {
            let class = if column.is_empty() { "awrnobg" } else { "awrbg" };
            let _ = write!(out, "<th class=\"{class}\"{scope}>{}</th>", escape(column));
        }
        out.push_str("</tr>\n");
    }
    for (i, row) in block.rows.iter().enumerate() {
        table_row(out, style, row, if i % 2 == 0 { "awrc" } else { "awrnc" });
    }
    out.push_str("</table>\n<p />\n");
    if !block.plain {
        out.push_str("<hr align=\"left\" width=\"20%\" />\n<p />\n<a class=\"awr\" href=\"#top\">Back to Top</a><p />\n");
    }
}

/// Notes as a list; a line that does not start with `->` continues the one before.
fn list(out: &mut String, notes: &[String]) {
    if notes.is_empty() {
        return;
    }
    out.push_str("<ul>\n");
    let mut items: Vec<String> = Vec::new();
    for note in notes {
        match (note.strip_prefix("->"), items.last_mut()) {
            (None, Some(last)) => {
                last.push(' ');
                last.push_str(note.trim());
            }
            (stripped, _) => items.push(stripped.unwrap_or(note).trim().to_owned()),
        }
    }
    for item in items {
        let _ = writeln!(out, "<li class=\"awr\"> {} </li>", escape(&item));
    }
    out.push_str("</ul>\n");
}

fn table_row(out: &mut String, style: &Style, row: &Row, class: &str) {
    out.push_str("<tr>");
    let lead = row.lead.iter().map(|l| Cell::name(l.trim()));
    for (i, cell) in lead.chain(row.cells.iter().cloned()).chain(row.html.iter().cloned()).enumerate() {
        let scope = if i == 0 && style.release >= Release::V11_2_0_3 { " scope=\"row\"" } else { "" };
        let text = cell.text().trim_end();
        if text.is_empty() || text == "N/A" {
            let _ = write!(out, "<td{scope} class='{class}'>&#160;</td>");
        } else if matches!(cell, Cell::Number(_)) {
            let _ = write!(out, "<td{scope} align=\"right\" class='{class}'>{}</td>", escape(text));
        } else {
            let _ = write!(out, "<td{scope} class='{class}'>{}</td>", escape(text));
        }
    }
    out.push_str("</tr>\n");
}
