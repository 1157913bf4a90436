//! What was read and what was not: every section of a report, every doubt.

use serde::Serialize;

/// Index of a section in [`crate::Report::sections`].
pub type SectionId = u16;

/// What became of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionStatus {
    /// Its rows are in a table.
    Read,
    /// Printed without data: `No data exists for this section of the report.`
    Absent,
    /// Printed, but its rows could not be made out; a [`Note`] says why and where.
    Unreadable,
    /// Printed, and nothing reads it yet; its cells are kept as a [`RawTable`].
    Unknown,
}

/// One section of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    /// Title as printed.
    pub title: String,
    /// First line in the source, counted from 1.
    pub line: u32,
    /// What became of it.
    pub status: SectionStatus,
    /// Rows read from it (raw rows for [`SectionStatus::Unknown`]).
    pub rows: u32,
    /// Rows that are printed in it and could not be read: what they hold is unknown, not nought.
    #[serde(skip_serializing_if = "is_none")]
    pub lost: u32,
}

/// Is no row lost, as in most sections?
#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(lost: &u32) -> bool {
    *lost == 0
}

/// Effect of a section of a history that broke off, or that the database answered with an error.
pub const MISSING_FROM_HISTORY: &str = "what it would say is missing in every interval";

/// Begins the note that header and time model print DB times of their own: a diagnosis and a comparison say it too.
pub const DB_TIME_DIFFERS: &str = "DB time of the header is not that of the time model";

/// Begins the note that somebody left rows of a table out of the text, which a line of dots says: how many is unknown.
pub const ROWS_LEFT_OUT: &str = "rows were left out here, as dots in their place say";

/// Begins the note that a report of sampled activity says itself that it lacks samples of its interval.
pub const SAMPLES_MISSING: &str = "samples are missing";

/// The section of what stands above all titles.
pub const HEADER: &str = "(header)";

/// Section of an ADDM report that has none of its findings, by its own word; it is absent then.
pub const ADDM_FINDINGS: &str = "Findings and Recommendations";

/// A doubt or a correction made while reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// Line in the source, where one line is to blame.
    pub line: Option<u32>,
    /// Section title as printed.
    pub section: Option<String>,
    /// What stands there, as a DBA would say it.
    pub message: String,
    /// What it changes in the answer.
    pub effect: String,
}

/// A table that nothing reads yet, or that says more than the rows which were read of it, cell by cell as printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RawTable {
    /// Section title as printed.
    pub title: String,
    /// Line of its first row.
    pub line: u32,
    /// Column headings, joined over the lines that they were printed on.
    pub headings: Vec<String>,
    /// Cells, row by row; `None` where blank.
    pub rows: crate::RawRows,
}
