//! Compare-period reports: one file, two reports, one for each period.
//!
//! Every table that prints both periods is split into two tables with the headings that a report of
//! one period has; the ordinary section readers read those. What is printed in other measures (by
//! execution, by statement, host configuration) has readers of its own here.

mod identity;
mod io;
mod parameters;
mod segments;
mod split;
mod statements;
mod summary;

use self::split::Told;
use super::assemble::Assembly;
use super::sections::{self, Entry, Read, look_up};
use crate::grid::{Column, Grid, fold};
use crate::layout::flat_text;
use crate::layout::text_ruler;
use crate::layout::text_sections::{self, Line};
use spindle_facts::{FileIo, Kind, Layout, Period, Report};
use std::collections::{HashMap, HashSet};

static SECTIONS: &[Entry] = &[
    (&["workloadrepositorycompareperiodreport"], identity::read),
    (&["hostconfigurationcomparison"], summary::read_host),
    (&["cachesizes"], summary::read_caches),
    (&["iostatbyfunctiondataratepersecond"], io::read_function_bytes),
    (&["iostatbyfunctionrequestspersecond"], io::read_function_requests),
    (&["iostatbyfiletypedataratepersecond"], io::read_filetype_bytes),
    (&["iostatbyfiletyperequestspersecond"], io::read_filetype_requests),
    (&["topfilecomparisonby*"], io::read_files),
    (&["topsqlcomparisonby*"], statements::read),
    (&["topsegmentscomparisonby*", "topsegmentsby*"], segments::read),
    (&["pgaaggregatesummary"], summary::read_pga),
    (&["servicestatistics"], summary::read_services),
];

/// Folded titles here, and what a report of one period calls the section.
const ORDINARY: &[(&str, &str)] =
    &[("workloadcomparison", "loadprofile"), ("waitclasses", "waitclassesbytotalwaittime")];

/// The reader of a folded title.
pub(crate) fn find(folded: &str) -> Option<Read> {
    // Its headings stand above the wrong columns in text: kept raw.
    if folded == "bufferedqueues" {
        return None;
    }
    look_up(SECTIONS, folded).or_else(|| sections::ordinary(&ordinary_title(folded)))
}

/// Is it a title that comparisons alone have?
pub(crate) fn is_title(folded: &str) -> bool {
    look_up(SECTIONS, folded).is_some() || ORDINARY.iter().any(|(own, _)| *own == folded)
}

/// What a report of one period calls a section.
pub(crate) fn ordinary_title(folded: &str) -> String {
    if let Some((_, ordinary)) = ORDINARY.iter().find(|(own, _)| *own == folded) {
        return (*ordinary).to_owned();
    }
    let ranked =
        folded.strip_prefix("topsegmentscomparisonby").or_else(|| folded.strip_prefix("topsegmentsby"));
    match ranked {
        Some("unoptimizedreadrequests") => "segmentsbyunoptimizedreads".to_owned(),
        Some("optimizedreadrequests") => "segmentsbyoptimizedreads".to_owned(),
        Some("dbblockchanges") => "segmentsbydbblockschanges".to_owned(),
        Some(ranked) => format!("segmentsby{ranked}"),
        None => folded.to_owned(),
    }
}

/// Both periods while they are being read.
pub(crate) struct Pair {
    periods: [Assembly; 2],
    /// Title and headings of a table whose rows did not fit its ruler.
    headings: (String, Vec<Column>),
    /// Are tables cut at their rulers?
    cut: bool,
}

impl Pair {
    pub(crate) fn new(source: &str, layout: Layout, head: &str, line: u32, page_title: &str) -> Self {
        // `... for (1) DB: A, Inst: A, Snaps: 1-2 (2) DB: A, Inst: A, Snaps: 5-6`
        let titles = page_title.split_once("(2)").unwrap_or_default();
        let period = |period| {
            let title = if period == Period::First { titles.0 } else { titles.1 };
            let mut assembly = Assembly::new(source, Kind::AwrCompare, layout, head, line, title);
            assembly.set_period(period);
            assembly
        };
        Self {
            periods: [period(Period::First), period(Period::Second)],
            headings: Default::default(),
            cut: layout == Layout::Text,
        }
    }

    pub(crate) fn empty(&mut self, title: &str, line: u32, no_data: bool) {
        self.periods.iter_mut().for_each(|p| p.empty(title, line, no_data));
    }

    /// A table goes to both periods, each with its own part.
    pub(crate) fn table(&mut self, grid: &mut Grid<'_>) {
        if grid.is_empty() && !grid.columns.is_empty() {
            self.headings = (grid.title.to_string(), std::mem::take(&mut grid.columns));
            return;
        }
        if grid.columns.is_empty() && grid.is_empty() && grid.title == self.headings.0.as_str() {
            split::rows_by_words(grid, &self.headings.1);
        }
        match split::split(grid, self.cut) {
            Told::Apart(parts) => {
                for (period, part) in self.periods.iter_mut().zip(*parts) {
                    match part {
                        Some(mut part) => period.table(&mut part),
                        None => period.untold(grid, "the columns of this period are missing"),
                    }
                }
            }
            Told::Shared => {
                let [first, second] = &mut self.periods;
                first.table(&mut grid.clone());
                second.table(grid);
            }
            // What no reader reads is kept as printed, whosever it is.
            Told::Torn if !grid.title.is_empty() && find(&fold(&grid.title)).is_none() => {
                let [first, second] = &mut self.periods;
                first.table(&mut grid.clone());
                second.table(grid);
            }
            Told::Torn => {
                let why =
                    "which figure is of which period cannot be told: headings are missing or were moved";
                self.periods.iter_mut().for_each(|p| p.untold(grid, why));
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<Report> {
        let mut reports: Vec<Report> = self.periods.into_iter().filter_map(Assembly::finish).collect();
        for report in &mut reports {
            finish(report);
        }
        reports
    }
}

/// Reads a text report; `flat` is one that a browser copied.
pub(crate) fn text(source: &str, head: &str, line: u32, lines: &[Line<'_>], flat: bool) -> Vec<Report> {
    let mut pair = Pair::new(source, Layout::Text, head, line, "");
    if flat {
        pair.cut = false;
        flat_text::tables(lines, |_| (), |grid| pair.table(grid));
        return pair.finish();
    }
    // Below the snapshots stand differences under tildes of their own: they follow from the rest.
    let derived = |text: &str| {
        let trimmed = text.trim_start();
        text.len() - trimmed.len() > 40 && (trimmed.starts_with("~~~") || trimmed.starts_with("%Diff"))
    };
    let mut kept = Vec::with_capacity(lines.len());
    for line in lines {
        // Snapshots stand a column beside their ruler: read by words, not by ruler.
        let read =
            kept.len() < 40 && pair.periods.iter_mut().any(|p| identity::snapshots(p.identity(), line.text));
        // The load profile, whose headings stand beside the underline of its title.
        let untitled = line.first == b'~'
            && line.text.contains("1st Per Sec")
            && kept.last().is_none_or(|above: &Line<'_>| above.is_blank());
        if untitled {
            kept.push(Line::new(line.number, "Workload Comparison"));
        }
        kept.push(if read || derived(line.text) { Line::new(line.number, "") } else { *line });
    }
    let mut store = text_ruler::Store::default();
    for section in text_sections::split(&mut kept, |_| false) {
        if !section.title.is_empty() {
            for (period, label) in pair.periods.iter_mut().zip(["First DB/Inst:", "Second DB/Inst:"]) {
                period.begin(&section.title, section.line);
                // The text layout prints the database's name in section titles only.
                let line = lines.iter().find(|l| l.number == section.line).map_or("", |l| l.text);
                let pair = line.split_once(label).and_then(|(_, rest)| rest.split_whitespace().next());
                if let Some((name, _)) = pair.and_then(|p| p.split_once('/')) {
                    period.identity().db_name.get_or_insert_with(|| name.to_owned());
                }
                if let Some((_, rest)) = line.split_once(label) {
                    identity::seconds(period.identity(), rest);
                    identity::named_snapshots(period.identity(), rest);
                }
            }
        }
        let folded = fold(&section.title);
        let rows = if folded.starts_with("topsqlcomparison") {
            text_ruler::Rows::Statements
        } else {
            text_ruler::Rows::Plain
        };
        text_ruler::tables(&section, rows, &mut store, |grid| pair.table(grid));
    }
    pair.finish()
}

/// Shares of the mixed wait list are of DB time here.
fn finish(report: &mut Report) {
    for wait in &mut report.tables.wait_event {
        wait.share_of = wait.share_pct.map(|_| spindle_facts::ShareOf::DbTime);
    }
    // The lists of files by read time and by buffer waits repeat files of the list by I/O.
    let key = |f: &FileIo| (f.io.tablespace.clone(), f.file.clone());
    let files = &mut report.tables.file_io;
    // Only that list prints mean buffer waits in the unit that it names, wherever it stands.
    let means: HashMap<_, f64> =
        files.iter().filter_map(|f| Some((key(f), f.io.avg_buffer_wait_us?))).collect();
    let mut seen = HashSet::new();
    files.retain(|f| seen.insert(key(f)));
    for file in files {
        file.io.avg_buffer_wait_us = means.get(&key(file)).copied();
    }
}
