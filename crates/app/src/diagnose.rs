//! `spindle diagnose`: where response time went, for every report given.

use crate::Request;
use crate::gathered::keep_shown;
use crate::input::{self, Progress, Unread};
use crate::json;
use crate::masking::Masker;
use serde::Serialize;
use spindle_diagnosis::{AddmNamed, Diagnosis, Options, Sampled, Series};
use spindle_facts::{Identity, Report};
use std::io::{self, Write};

/// A report with what is said about it.
#[derive(Clone, Debug)]
pub struct Diagnosed {
    /// What was read.
    pub report: Report,
    /// What follows from it.
    pub diagnosis: Diagnosis,
}

/// Reads the reports of a text.
type Read = fn(&str, &[u8], &mut dyn FnMut(Report) -> bool) -> Option<String>;

/// Reads and diagnoses every report and hands it over, with the rows that a diagnosis and its page look at; `each` answers `false` to stop. Returns what
/// was not read.
pub fn diagnose(
    request: &Request,
    options: &Options,
    progress: &dyn Progress,
    mut each: impl FnMut(Diagnosed) -> bool,
) -> Vec<Unread> {
    let mut masker = request.mask.then(Masker::default);
    let mut all_unread = Vec::new();
    // Names decide nothing, but file names and parameters do: the diagnosis sees the report as it
    // is, and is masked afterwards.
    let masked = masker.is_some();
    let digest = |mut report: Report| {
        let diagnosis = spindle_diagnosis::diagnose(&report, options);
        if !masked {
            keep_shown(&mut report);
        }
        Box::new(Diagnosed { report, diagnosis })
    };
    // Names are made up in the order in which tables hold them: of all tables.
    let read: Read =
        if masked { spindle_evidence::read_each } else { spindle_evidence::read_each_for_diagnosis };
    input::read_texts(request, &request.limits, progress, read, digest, |result| match result {
        Ok(mut diagnosed) => {
            if let Some(masker) = &mut masker {
                masker.report(&mut diagnosed.report);
                masker.diagnosis(&mut diagnosed.diagnosis);
            }
            each(*diagnosed)
        }
        Err(mut unread) => {
            if let Some(masker) = &mut masker {
                masker.unread(&mut unread);
            }
            all_unread.push(unread);
            true
        }
    });
    all_unread
}

/// The document of `spindle diagnose --json`.
pub struct DiagnosisDocument<W: Write> {
    document: json::Document<W>,
}

#[derive(Serialize)]
struct IdentityAndDiagnosis<'a> {
    #[serde(flatten)]
    identity: &'a Identity,
    #[serde(flatten)]
    diagnosis: &'a Diagnosis,
    /// What the samples that the report prints name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sampled: Vec<Sampled>,
    /// What ADDM found, where the report prints it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    addm: Vec<AddmNamed>,
}

impl<W: Write> DiagnosisDocument<W> {
    /// Begins the document.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(writer: W) -> io::Result<Self> {
        Ok(Self { document: json::Document::new(writer)? })
    }

    /// Adds a report.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn report(&mut self, diagnosed: &Diagnosed) -> io::Result<()> {
        let Diagnosed { report, diagnosis } = diagnosed;
        self.document.report(&IdentityAndDiagnosis {
            identity: &report.identity,
            diagnosis,
            sampled: spindle_diagnosis::sampled(report),
            addm: spindle_diagnosis::addm_named(report),
        })
    }

    /// Ends the document.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(self, series: &Series, unread: &[Unread]) -> io::Result<()> {
        #[derive(Serialize)]
        struct Rest<'a> {
            series: &'a [spindle_diagnosis::SeriesRow],
            series_remarks: &'a [spindle_diagnosis::SeriesRemark],
            unread: &'a [Unread],
        }
        self.document.end(&Rest { series: &series.rows, series_remarks: &series.remarks, unread })
    }
}
