//! `spindle facts`: what exactly was read.

use crate::Request;
use crate::input::{self, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use serde::Serialize;
use serde_json::{Map, Value};
use spindle_facts::{Identity, Note, RawTable, Report, Section, Tables};
use std::io::{self, Write};

/// Reads every report and hands it over; `each` answers `false` to stop. Returns what was not read.
pub fn facts(
    request: &Request,
    progress: &dyn Progress,
    mut each: impl FnMut(Report) -> bool,
) -> Vec<Unread> {
    let mut masker = request.mask.then(Masker::default);
    let mut all_unread = Vec::new();
    input::read_all(
        request,
        progress,
        |report| report,
        |result| match result {
            Ok(mut report) => {
                if let Some(masker) = &mut masker {
                    masker.report(&mut report);
                }
                each(report)
            }
            Err(mut unread) => {
                if let Some(masker) = &mut masker {
                    masker.unread(&mut unread);
                }
                all_unread.push(unread);
                true
            }
        },
    );
    all_unread
}

/// Names of all tables, in the order in which they are written.
#[must_use]
pub fn table_names() -> Vec<String> {
    as_map(&Tables::default()).into_iter().map(|(name, _)| name).collect()
}

/// The tables of a report as JSON values.
pub(crate) fn as_map(tables: &Tables) -> Map<String, Value> {
    match serde_json::to_value(tables) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// Which part of the facts is wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Everything.
    All,
    /// These tables.
    Tables(Vec<String>),
    /// The list of sections, and the notes.
    Sections,
}

/// The document of `spindle facts --json`.
pub struct FactsDocument<W: Write> {
    document: json::Document<W>,
    part: Part,
}

#[derive(Serialize)]
struct PartOfReport<'a> {
    #[serde(flatten)]
    identity: &'a Identity,
    sections: &'a [Section],
    notes: &'a [Note],
    tables: Map<String, Value>,
    raw_tables: &'a [RawTable],
}

#[derive(Serialize)]
struct Rest<'a> {
    unread: &'a [Unread],
}

impl<W: Write> FactsDocument<W> {
    /// Begins the document.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(writer: W, part: Part) -> io::Result<Self> {
        Ok(Self { document: json::Document::new(writer)?, part })
    }

    /// Adds a report.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn report(&mut self, report: &Report) -> io::Result<()> {
        let tables = match &self.part {
            Part::All => return self.document.report(report),
            Part::Sections => Map::new(),
            Part::Tables(names) => {
                as_map(&report.tables).into_iter().filter(|(name, _)| names.contains(name)).collect()
            }
        };
        let Report { identity, sections, notes, .. } = report;
        self.document.report(&PartOfReport { identity, sections, notes, tables, raw_tables: &[] })
    }

    /// Ends the document.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(self, unread: &[Unread]) -> io::Result<()> {
        self.document.end(&Rest { unread })
    }
}
