//! Oracle's reports.

mod assemble;
mod context;
mod finish;
mod header;
mod sections;
mod time;

use crate::layout::{html_table, text_ruler, text_sections};
use crate::{Reading, recognise};
use assemble::Assembly;
use spindle_facts::{Kind, Layout};

/// Reads every report in a text.
pub(crate) fn read(source: &str, text: &str) -> Reading {
    let reports = if recognise::is_html(text) { html(source, text) } else { plain(source, text) };
    let refused = reports.is_empty().then(|| {
        "no part of it looks like an Oracle performance report (AWR, Statspack, ASH, ADDM, AWR-miner)"
            .to_owned()
    });
    Reading { reports, refused }
}

fn html(source: &str, text: &str) -> Vec<spindle_facts::Report> {
    let mut done = Vec::new();
    let mut assembly: Option<Assembly> = None;
    let mut page_title = String::new();
    html_table::walk(text, |event| match event {
        html_table::Event::PageTitle(title) => title.clone_into(&mut page_title),
        html_table::Event::TopHeading { text, line } => {
            if let Some(kind) = recognise::kind_of_head(text) {
                done.extend(assembly.take().into_iter().flat_map(Assembly::finish));
                assembly = Some(Assembly::new(source, kind, Layout::Html, text, line, &page_title));
            }
        }
        html_table::Event::Table(grid) => assembly
            .get_or_insert_with(|| {
                let kind = recognise::kind_of_head(&page_title).unwrap_or(Kind::Awr);
                Assembly::new(source, kind, Layout::Html, "", 1, &page_title)
            })
            .table(grid),
        html_table::Event::Empty { title, line, no_data } => {
            if let Some(assembly) = &mut assembly {
                assembly.empty(title, line, no_data);
            }
        }
    });
    done.extend(assembly.into_iter().flat_map(Assembly::finish));
    done
}

fn plain(source: &str, text: &str) -> Vec<spindle_facts::Report> {
    let mut done = Vec::new();
    let mut block: Vec<text_sections::Line<'_>> = Vec::new();
    let mut kind: Option<(Kind, &str, u32)> = None;
    let mut flush = |kind: Option<(Kind, &str, u32)>, lines: &mut Vec<text_sections::Line<'_>>| {
        let (found, head, line) = kind.unwrap_or((Kind::Awr, "", 1));
        let mut assembly = Assembly::new(source, found, Layout::Text, head, line, "");
        for section in text_sections::split(lines.drain(..), sections::is_title) {
            assembly.text_section(&section);
        }
        done.extend(assembly.finish());
    };
    for line in text_sections::lines(text) {
        // Heads stand alone on their line, near its beginning.
        let head = line.text.len() < 160 && !line.text.is_empty();
        if let Some(found) = head.then(|| recognise::kind_of_head(line.text)).flatten() {
            if kind.is_some() {
                flush(kind, &mut block);
            }
            kind = Some((found, line.text.trim(), line.number));
        }
        block.push(line);
    }
    flush(kind, &mut block);
    done
}

/// How the rows of a titled text section are laid out.
fn rows_of(folded_title: &str) -> text_ruler::Rows {
    if folded_title.starts_with("sqlorderedby") {
        text_ruler::Rows::Statements
    } else {
        text_ruler::Rows::Plain
    }
}
