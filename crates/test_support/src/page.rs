//! A whole report: sections one after the other, page by page in text, table by table in HTML.

use crate::block::Block;
use crate::custom::Custom;
use crate::sections;
use crate::style::{Release, Style};
use spindle_facts::{Kind, Layout, Report, Scope};

/// Prints a report.
///
/// Shape: the bytes that Oracle's script would have spooled, with line feeds. Unknown cells print
/// as the release prints them (blank, `N/A`).
#[must_use]
pub fn render(report: &Report, style: &Style) -> String {
    print(report, style, &blocks(report, style))
}

/// Prints a report whose layout somebody changed.
#[must_use]
pub fn render_customised(report: &Report, style: &Style, custom: &Custom) -> String {
    print(report, style, &crate::custom::change(blocks(report, style), style, custom))
}

/// The first line of a report.
pub(crate) fn head(report: &Report) -> &'static str {
    match report.identity.scope {
        Scope::Container => "WORKLOAD REPOSITORY PDB report (root snapshots)",
        _ => "WORKLOAD REPOSITORY report for",
    }
}

fn print(report: &Report, style: &Style, blocks: &[Block]) -> String {
    match style.layout {
        Layout::Text => text(report, style, blocks),
        Layout::Html => crate::html::page(report, style, head(report), blocks),
    }
}

fn blocks(report: &Report, style: &Style) -> Vec<Block> {
    match report.identity.kind {
        Kind::Statspack => sections::statspack::all(report, style),
        _ => sections::all(report, style),
    }
}

const WIDTH: usize = 78;

/// `Title      DB/Inst: DB/inst  Snaps: 1-2`, right-aligned and cut at the page width.
fn title_line(report: &Report, block: &Block, style: &Style) -> String {
    let identity = &report.identity;
    let snaps = match (identity.begin_snap, identity.end_snap) {
        (_, Some(end)) if block.one_snap => format!("Snap: {end}"),
        (Some(begin), Some(end)) => format!("Snaps: {begin}-{end}"),
        _ => "Snaps:".to_owned(),
    };
    let right = format!(
        "DB/Inst: {}/{}  {snaps}",
        identity.db_name.as_deref().unwrap_or(""),
        identity.instance.as_deref().unwrap_or("")
    );
    if identity.kind == Kind::Statspack && style.release <= Release::V10_1 {
        let opt = |v: &Option<String>| v.clone().unwrap_or_default();
        let [begin, end] = [identity.begin_snap, identity.end_snap].map(|s| s.unwrap_or_default());
        let names = (opt(&identity.db_name), opt(&identity.instance));
        return match (style.release >= Release::V10_1, block.one_snap) {
            (false, false) => {
                format!("{} for DB: {}  Instance: {}  Snaps: {begin} -{end}", block.title, names.0, names.1)
            }
            (false, true) => {
                format!("{} for DB: {}  Instance: {}  End Snap: {end}", block.title, names.0, names.1)
            }
            (true, false) => {
                format!("{}  DB/Inst: {}/{}  Snaps: {begin:>9}-{end:>9}", block.title, names.0, names.1)
            }
            (true, true) => {
                format!("{}  DB/Inst: {}/{}  End Snap: {end:>9}", block.title, names.0, names.1)
            }
        };
    }
    if identity.kind == Kind::Statspack {
        let right = if block.one_snap { right.replace("  Snap: ", "  End Snap: ") } else { right };
        return format!("{}  {right}", block.title).chars().take(WIDTH + 1).collect();
    }
    let width = WIDTH.saturating_sub(block.title.chars().count());
    format!("{}{right:>width$}", block.title).chars().take(WIDTH).collect::<String>().trim_end().to_owned()
}

fn closing(style: &Style) -> String {
    if style.release >= Release::V11_2_0_4 {
        format!("{}{}", " ".repeat(26), "-".repeat(54))
    } else {
        format!("{}{}", " ".repeat(10), "-".repeat(61))
    }
}

fn text(report: &Report, style: &Style, blocks: &[Block]) -> String {
    let mut out = String::new();
    let feed = if style.release >= Release::V12_2 { "\x0c\n" } else { "\x0c" };
    let mut lines_on_page = 0;
    for block in blocks {
        if block.only == Some(Layout::Html) {
            continue;
        }
        if let Some(verbatim) = &block.verbatim {
            if block.new_page {
                out.push_str(feed);
                lines_on_page = 0;
            }
            out.push_str(verbatim);
            lines_on_page += verbatim.lines().count();
            continue;
        }
        let mut head: Vec<String> = vec![title_line(report, block, style)];
        head.extend(block.notes.iter().cloned());
        let push_head = |out: &mut String, lines_on_page: &mut usize, new_page: bool| {
            if new_page {
                out.push_str(feed);
                *lines_on_page = 0;
            }
            for line in head.iter().map(String::as_str).chain([""]).chain(block.ruled().lines()) {
                out.push_str(line);
                out.push('\n');
            }
            *lines_on_page += head.len() + 1 + block.ruled().lines().count();
        };
        if block.rows.is_empty() {
            if block.new_page {
                out.push_str(feed);
                lines_on_page = 0;
            }
            out.push_str(&head[0]);
            out.push_str("\n\n                  No data exists for this section of the report.\n");
            out.push_str(&closing(style));
            out.push_str("\n\n");
            lines_on_page += 5;
            continue;
        }
        let fits = lines_on_page + head.len() + block.ruled().lines().count() + 4 <= style.page_lines;
        push_head(&mut out, &mut lines_on_page, block.new_page || !fits);
        for row in &block.rows {
            for line in block.row_lines(row, style) {
                if lines_on_page >= style.page_lines {
                    push_head(&mut out, &mut lines_on_page, true);
                }
                out.push_str(&line);
                out.push('\n');
                lines_on_page += 1;
            }
        }
        out.push_str(&closing(style));
        out.push_str("\n\n");
        lines_on_page += 2;
    }
    out.push_str(if report.identity.kind == Kind::Statspack {
        "\nEnd of Report ( statspack.lst )\n"
    } else {
        "End of Report\n"
    });
    out
}

/// How one section is laid out, whether or not it has rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Headings {
    /// Title in text, heading in HTML.
    pub title: String,
    /// `summary=` of the HTML table.
    pub summary: &'static str,
    /// Heading lines and rulers of text, in order; of a first page, rulers and the lines above them.
    pub lines: Vec<String>,
    /// Heading cells of HTML, a row each.
    pub cells: Vec<Vec<&'static str>>,
}

/// Titles, heading lines, rulers and heading cells of every section that [`render`] prints.
#[must_use]
pub fn headings(report: &Report, style: &Style) -> Vec<Headings> {
    headings_of(blocks(report, style), style)
}

pub(crate) fn headings_of(blocks: Vec<Block>, style: &Style) -> Vec<Headings> {
    blocks
        .into_iter()
        .filter(|b| b.only.is_none_or(|layout| layout == style.layout))
        .map(|b| {
            let lines = match (style.layout, &b.verbatim) {
                (Layout::Html, _) => Vec::new(),
                (Layout::Text, None) => b.ruled.lines().map(|l| l.trim_end().to_owned()).collect(),
                (Layout::Text, Some(page)) => ruled_lines(page),
            };
            let mut cells: Vec<Vec<&'static str>> = Vec::new();
            if style.layout == Layout::Html {
                cells.extend((!b.groups.is_empty()).then(|| b.groups.iter().map(|(g, _)| *g).collect()));
                cells.push(b.columns().to_vec());
            }
            let title = match style.layout {
                Layout::Text => b.title.clone(),
                Layout::Html => b.html_heading().to_owned(),
            };
            Headings { title, summary: b.summary, lines, cells }
        })
        .collect()
}

/// Rulers of a page laid out by hand, and the line above each.
fn ruled_lines(page: &str) -> Vec<String> {
    let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
    let ruled = |l: &str| l.contains("---- ---") || l.contains("~~~") || l.contains("----  ---");
    (0..lines.len())
        .filter(|i| ruled(lines[*i]) || lines.get(i + 1).is_some_and(|next| ruled(next)))
        .map(|i| lines[i].to_owned())
        .filter(|l| !l.is_empty())
        .collect()
}
