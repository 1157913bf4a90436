//! The table of a trace that was replayed: its sources, and what the file is.

use super::{Listing, headings, text};
use crate::number;
use spindle_workload::{Measured, Trace, TraceFound};

pub(super) fn listings(m: &Measured) -> Vec<Listing> {
    let jobs = m.points.iter().filter_map(|p| p.result.job.as_ref());
    let traces = jobs.flat_map(|job| &job.streams).filter_map(|s| s.trace.as_deref());
    traces.filter_map(|trace| Some(listing(trace, trace.found.as_ref()?))).collect()
}

/// Sources that are shown.
const MOST: usize = 40;

fn listing(trace: &Trace, found: &TraceFound) -> Listing {
    let row = |s: &spindle_workload::TraceSource| {
        let cells = vec![text(number::count(s.requests as f64)), text(number::bytes(s.end_bytes as f64))];
        (s.name.clone(), cells)
    };
    let mut notes = vec![format!(
        "{}, {} of {} lines, {} reads, {} writes, {} in all, the largest {}. SHA-256 {}.",
        found.format.name(),
        number::bytes(found.file_bytes as f64),
        number::count(found.lines as f64),
        number::count(found.reads as f64),
        number::count(found.writes as f64),
        number::bytes(found.bytes as f64),
        number::bytes(f64::from(found.largest_bytes)),
        found.sha256
    )];
    if found.sources.len() > MOST {
        notes.push(format!("The first {MOST} of {} sources.", found.sources.len()));
    }
    Listing {
        title: format!("The trace {}", trace.file),
        what: "Source",
        columns: headings(&["requests", "reach"]),
        rows: found.sources.iter().take(MOST).map(row).collect(),
        marked: None,
        notes,
    }
}
