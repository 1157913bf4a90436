//! Rows of a history by section, instance, snapshot and name.

use crate::collected::spool::{self, Logical, Outlines, Tag};
use spindle_facts::{MISSING_FROM_HISTORY, Note};
use std::borrow::{Borrow, Cow};
use std::collections::HashMap;
use std::ops::Range;

/// Rows kept of one file: bounds memory, years of a cluster's hourly snapshots fit.
const MOST_ROWS: usize = 8_000_000;

/// Columns that name a row, and columns that are numbers, by section.
const SECTIONS: &[(&str, &[&str], &[&str])] = &[
    ("sysstat", &["NAME"], &["VALUE"]),
    ("time_model", &["NAME"], &["VALUE_US"]),
    ("system_event", &["EVENT", "WAIT_CLASS"], &["WAITS", "TIME_US", "WAITS_FG", "TIME_US_FG"]),
    ("event_histogram", &["EVENT"], &["WAIT_TIME_MILLI", "WAITS"]),
    ("iostat_function", &["NAME"], IO),
    ("iostat_filetype", &["NAME"], IO),
    (
        "file_io",
        &["TABLESPACE_NAME", "FILE_NAME"],
        &[
            "READS",
            "READ_CS",
            "BLOCKS_READ",
            "SINGLE_READS",
            "SINGLE_READ_CS",
            "WRITES",
            "WRITE_CS",
            "BLOCKS_WRITTEN",
        ],
    ),
    (
        "seg_stat",
        &["CON", "OWNER", "TABLESPACE_NAME", "OBJECT_NAME", "SUBOBJECT_NAME", "OBJECT_TYPE"],
        &[
            "PHYSICAL_READS",
            "READ_REQUESTS",
            "DIRECT_READS",
            "PHYSICAL_WRITES",
            "WRITE_REQUESTS",
            "DIRECT_WRITES",
            "TABLE_SCANS",
            "LOGICAL_READS",
        ],
    ),
    (
        "sqlstat",
        &["SQL_ID", "MODULE", "PLAN_HASH_VALUE"],
        &[
            "EXECUTIONS",
            "DISK_READS",
            "READ_REQUESTS",
            "BUFFER_GETS",
            "ELAPSED_US",
            "CPU_US",
            "USER_IO_WAIT_US",
        ],
    ),
    ("sysmetric", &["NAME", "UNIT"], &["AVERAGE", "MAXIMUM"]),
    ("osstat", &["NAME"], &["VALUE"]),
];

const IO: &[&str] = &[
    "SMALL_READ_MB",
    "SMALL_WRITE_MB",
    "LARGE_READ_MB",
    "LARGE_WRITE_MB",
    "SMALL_READ_REQS",
    "SMALL_WRITE_REQS",
    "LARGE_READ_REQS",
    "LARGE_WRITE_REQS",
    "WAITS",
    "WAIT_MS",
];

/// One row: its line, its names (an index into all names), its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'s> {
    pub(super) line: u32,
    pub(super) name: u32,
    values: &'s [f64],
}

impl Sample<'_> {
    /// A number; `None` where the cell holds none.
    pub(super) fn value(&self, at: usize) -> Option<f64> {
        self.values.get(at).copied().filter(|v| !v.is_nan())
    }

    /// All of them.
    pub(super) fn values(&self) -> impl Iterator<Item = Option<f64>> + use<'_> {
        (0..self.values.len()).map(|at| self.value(at))
    }
}

/// Rows of one section, in the order of the file, and which of them are of an instance and snapshot.
///
/// Millions of rows are kept: a row is its line, its name and its numbers, and no memory of its own. A cell
/// without a number is NaN, which no number of a file is.
#[derive(Debug, Default)]
pub(super) struct Rows {
    width: usize,
    heads: Vec<(u32, u32)>,
    values: Vec<f64>,
    places: HashMap<(u32, u64), Vec<Range<u32>>>,
}

impl Rows {
    fn push(&mut self, place: (u32, u64), line: u32, name: u32, values: impl Iterator<Item = Option<f64>>) {
        let row = u32::try_from(self.heads.len()).unwrap_or(u32::MAX);
        self.heads.push((line, name));
        self.values.extend(values.map(|v| v.unwrap_or(f64::NAN)));
        let ranges = self.places.entry(place).or_default();
        match ranges.last_mut().filter(|last| last.end == row) {
            Some(last) => last.end = row + 1,
            None => ranges.push(row..row + 1),
        }
    }

    fn of(&self, instance: u32, snap: u64) -> Vec<Sample<'_>> {
        let ranges = self.places.get(&(instance, snap)).map_or(&[][..], Vec::as_slice);
        let rows = ranges.iter().cloned().flatten();
        rows.map(|row| {
            let row = row as usize;
            let (line, name) = self.heads[row];
            Sample { line, name, values: &self.values[row * self.width..(row + 1) * self.width] }
        })
        .collect()
    }
}

/// Times of a snapshot as printed: start-up, begin, end.
pub(super) type Times = [Option<String>; 3];

/// Everything in a history.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) snapshots: HashMap<(u32, u64), Times>,
    pub(super) parameters: Vec<(u32, Option<u32>, String, Option<String>)>,
    sections: HashMap<&'static str, Rows>,
    names: Vec<Box<[Option<String>]>>,
    known: HashMap<Box<[Option<String>]>, u32>,
    /// Rows left out, since their cells cannot be told apart or they name no snapshot.
    torn: u32,
    full: bool,
}

impl Samples {
    pub(super) fn read(text: &str, outlines: &Outlines) -> Self {
        let mut all = Self::default();
        let mut sections = outlines.sections.iter().peekable();
        let mut current: Option<&spool::Outline> = None;
        let mut at: Option<Layout> = None;
        let mut left = MOST_ROWS;
        for Logical { line, tag, text } in spool::logical(text) {
            while let Some(next) = sections.next_if(|s| s.line <= line) {
                current = next.is_whole().then_some(next);
                at = current.and_then(Layout::of);
            }
            let (Tag::Row, Some(section)) = (tag, current) else { continue };
            let cells: Vec<Cow<'_, str>> =
                text.split('|').map(spool::field).take(section.columns.len() + 1).collect();
            if cells.len() != section.columns.len() {
                all.torn = all.torn.saturating_add(1);
                continue;
            }
            if left == 0 {
                all.full = true;
                continue;
            }
            left -= 1;
            let cell = |name: &str| {
                let index = section.columns.iter().position(|c| c == name)?;
                Some(cells[index].trim()).filter(|c| !c.is_empty())
            };
            let instance = cell("INSTANCE_NUMBER").and_then(|c| c.parse::<u32>().ok());
            if section.name == "parameters" {
                if let Some(name) = cell("NAME") {
                    all.parameters.push((line, instance, name.to_owned(), cell("VALUE").map(str::to_owned)));
                }
                continue;
            }
            let snap = cell("SNAP_ID").and_then(|c| c.parse::<u64>().ok());
            let (Some(instance), Some(snap)) = (instance, snap) else {
                all.torn = all.torn.saturating_add(1);
                continue;
            };
            if section.name == "snapshots" {
                let times = ["STARTUP_TIME", "BEGIN_TIME", "END_TIME"].map(|c| cell(c).map(str::to_owned));
                all.snapshots.insert((instance, snap), times);
            } else if let Some(layout) = &at {
                let names = layout.names.iter().map(|at| at.and_then(|at| some(&cells[at]))).collect();
                let name = all.name(names);
                let values = layout.numbers.iter().map(|at| at.and_then(|at| number(&cells[at])));
                let width = layout.numbers.len();
                let rows = || Rows { width, ..Rows::default() };
                let rows = all.sections.entry(layout.section).or_insert_with(rows);
                rows.push((instance, snap), line, name, values);
            }
        }
        all.known = HashMap::new();
        all
    }

    fn name(&mut self, names: Box<[Option<String>]>) -> u32 {
        if let Some(known) = self.known.get(&names) {
            return *known;
        }
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(names.clone());
        self.known.insert(names, next);
        next
    }

    /// Rows of a section.
    pub(super) fn rows(&self, section: &str, instance: u32, snap: u64) -> Vec<Sample<'_>> {
        self.sections.get(section).map_or_else(Vec::new, |rows| rows.of(instance, snap))
    }

    /// One of the names of a row.
    pub(super) fn text<'s>(&self, sample: impl Borrow<Sample<'s>>, at: usize) -> Option<&str> {
        self.names.get(sample.borrow().name as usize)?.get(at)?.as_deref()
    }

    /// The smallest bound of any histogram: finer than a millisecond where the release keeps that.
    pub(super) fn finest_bucket(&self, instance: u32, snap: u64) -> f64 {
        let rows = self.rows("event_histogram", instance, snap);
        let bounds = rows.iter().filter_map(|s| s.value(0));
        bounds.filter(|b| *b > 0.0).fold(1.0, f64::min)
    }

    /// Doubts about the whole file.
    pub(super) fn notes(&self, outlines: &Outlines) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |line: Option<u32>, section: Option<&str>, message: String, effect: &str| {
            let section = section.map(str::to_owned);
            notes.push(Note { line, section, message, effect: effect.to_owned() });
        };
        for section in &outlines.sections {
            if let Some((line, message)) = section.broken_because() {
                note(Some(line), Some(&section.name), message, MISSING_FROM_HISTORY);
            }
        }
        if self.torn > 0 {
            let message = format!("{} rows are left out: wrapped or damaged, or of no snapshot", self.torn);
            note(None, None, message, "sums over the rows of their sections may be too small");
        }
        if self.full {
            note(
                None,
                None,
                format!("more than {MOST_ROWS} rows"),
                "rows behind these are left out: gather fewer days",
            );
        }
        if outlines.header("licence") == Some("statspack") && self.sections.contains_key("sqlstat") {
            note(
                None,
                Some("sqlstat"),
                "Statspack keeps only statements over a threshold".to_owned(),
                "a statement's row covers the time since the snapshot that last listed it, which may begin before the interval",
            );
        }
        notes
    }
}

/// Where the columns of a section stand.
struct Layout {
    section: &'static str,
    names: Vec<Option<usize>>,
    numbers: Vec<Option<usize>>,
}

impl Layout {
    fn of(outline: &spool::Outline) -> Option<Self> {
        let (section, names, numbers) = SECTIONS.iter().find(|(name, ..)| *name == outline.name)?;
        let at = |name: &&str| outline.columns.iter().position(|c| c == name);
        Some(Self {
            section,
            names: names.iter().map(at).collect(),
            numbers: numbers.iter().map(at).collect(),
        })
    }
}

fn some(cell: &str) -> Option<String> {
    (!cell.is_empty()).then(|| cell.to_owned())
}

fn number(cell: &str) -> Option<f64> {
    cell.trim().parse().ok().filter(|n: &f64| n.is_finite() && cell.bytes().all(|b| !b.is_ascii_alphabetic()))
}
