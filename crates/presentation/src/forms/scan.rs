//! The tables of parallel scans: seconds by degree, and what each came to.

use super::{Listing, figure, half, headings, known};
use crate::number;
use spindle_workload::{ScanFound, ScanStep};

/// How a scan was made, but for its degree.
fn setting(s: &ScanStep) -> String {
    let read_ahead = s.read_ahead_bytes.map(|b| {
        if b == 0 { "no read-ahead".to_owned() } else { format!("ahead {}", number::bytes(b as f64)) }
    });
    let parts: Vec<String> =
        [s.scheduler.clone(), read_ahead, Some(number::bytes(s.multiblock_bytes as f64))]
            .into_iter()
            .flatten()
            .collect();
    parts.join(", ")
}

pub(super) fn listings(found: &ScanFound) -> Vec<Listing> {
    let mut degrees: Vec<u32> = Vec::new();
    let mut settings: Vec<String> = Vec::new();
    for step in &found.steps {
        if !degrees.contains(&step.degree) {
            degrees.push(step.degree);
        }
        let name = setting(step);
        if !settings.contains(&name) {
            settings.push(name);
        }
    }
    let rows = settings.iter().map(|name| {
        let cell = |degree: &u32| {
            let step = found.steps.iter().find(|s| s.degree == *degree && setting(s) == *name);
            known(step.and_then(|s| s.seconds), number::measure)
        };
        (name.clone(), degrees.iter().map(cell).collect())
    });
    let files =
        if found.files == 1 { "one file".to_owned() } else { format!("{} files by turns", found.files) };
    let seconds = Listing {
        title: "Seconds of a full scan, by degree".to_owned(),
        what: "Setting",
        columns: degrees.iter().map(u32::to_string).collect(),
        rows: rows.collect(),
        marked: None,
        notes: vec![format!(
            "{} in {files}, granules of {}. A scan that was cut has no seconds.",
            number::bytes(found.bytes as f64),
            number::bytes(found.granule_bytes as f64)
        )],
    };
    let rows = found.steps.iter().map(|s| {
        let cells = vec![
            figure(s.mbps, number::measure),
            half(s.mbps),
            known(s.seconds, number::measure),
            figure(s.read_us.mean, number::ms),
            figure(s.read_us.p99, number::ms),
            known(s.read_us.max, number::ms),
        ];
        (format!("degree {}: {}", s.degree, setting(s)), cells)
    });
    let all = Listing {
        title: "Each scan".to_owned(),
        what: "Scan",
        columns: headings(&["MB/s", "+/- %", "seconds", "a read ms", "p99 ms", "max ms"]),
        rows: rows.collect(),
        marked: None,
        notes: Vec::new(),
    };
    vec![seconds, all]
}
