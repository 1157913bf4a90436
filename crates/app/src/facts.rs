//! `spindle facts`: what exactly was read.

use crate::Request;
use crate::input::{self, Limits, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use serde::Serialize;
use serde_json::{Map, Value};
use spindle_evidence::{Found, StorageResult};
use spindle_facts::{Identity, Note, RawTable, Report, Section, Tables};
use spindle_workload::Measured;
use std::io::{self, Write};

/// A report, or a result of a storage measurement with its rows.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Identity, sections, notes and rows.
    pub report: Report,
    /// The result itself.
    pub measured: Option<Box<Measured>>,
    /// Notes of the report, by their place, that are no doubt.
    remarks: Vec<usize>,
}

impl Fact {
    /// What was left out or doubted of a result of another tool, one a note; what is so is told apart, as sentences.
    #[must_use]
    pub fn doubts(&self) -> (Vec<Unread>, Vec<String>) {
        let Some(measured) = &self.measured else { return (Vec::new(), Vec::new()) };
        let doubts = input::doubted(&self.report, &self.remarks);
        let remarks = self.remarks.iter().filter_map(|n| self.report.notes.get(*n));
        let source = &self.report.identity.source;
        let said = remarks.map(|note| input::said_of(source, note)).chain(
            measured.warnings.iter().map(|warning| format!("`{source}`: {}", warning.trim_end_matches('.'))),
        );
        (doubts, said.collect())
    }
}

impl From<Report> for Fact {
    fn from(report: Report) -> Self {
        Self { report, measured: None, remarks: Vec::new() }
    }
}

impl From<StorageResult> for Fact {
    fn from(result: StorageResult) -> Self {
        Self { report: result.report, measured: Some(Box::new(result.measured)), remarks: result.remarks }
    }
}

/// Could a file that begins with these bytes hold a report or a result?
pub(crate) fn looks_like_either(head: &[u8]) -> bool {
    spindle_evidence::looks_like_report(head) || spindle_evidence::looks_like_storage(head)
}

/// Reads every report and result and hands it over; `each` answers `false` to stop. Returns what was not read.
pub fn facts(request: &Request, progress: &dyn Progress, mut each: impl FnMut(Fact) -> bool) -> Vec<Unread> {
    let mut masker = request.mask.then(Masker::default);
    let mut all_unread = Vec::new();
    let limits = Limits { looks_like_report: looks_like_either, ..request.limits };
    let read = |source: &str, bytes: &[u8], emit: &mut dyn FnMut(Fact) -> bool| {
        spindle_evidence::read_any(source, bytes, &mut |found| {
            emit(match found {
                Found::Report(report) => Fact::from(*report),
                Found::Result(result) => Fact::from(*result),
            })
        })
    };
    input::read_texts(
        request,
        &limits,
        progress,
        read,
        |fact| fact,
        |result| match result {
            Ok(mut fact) => {
                if let Some(masker) = &mut masker {
                    if let Some(measured) = &mut fact.measured {
                        masker.measured(measured);
                    }
                    masker.report(&mut fact.report);
                }
                each(fact)
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
struct WithMeasured<'a> {
    #[serde(flatten)]
    report: &'a Report,
    measured: &'a Measured,
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
    pub fn report(&mut self, fact: &Fact) -> io::Result<()> {
        let report = &fact.report;
        let tables = match &self.part {
            Part::All => {
                return match &fact.measured {
                    None => self.document.report(report),
                    Some(measured) => self.document.report(&WithMeasured { report, measured }),
                };
            }
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
