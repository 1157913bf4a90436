//! The tables of parallel scans: seconds by degree, and what each came to.

use super::{Listing, figure, half, headings, known};
use crate::number;
use spindle_workload::{ScanFound, ScanStep};

/// How a scan was made, but for its degree: the size of its reads, read-ahead and scheduler.
fn settings(s: &ScanStep) -> [Option<String>; 3] {
    let read_ahead = s.read_ahead_bytes.map(|b| {
        if b == 0 { "no read-ahead".to_owned() } else { format!("ahead {}", number::bytes(b as f64)) }
    });
    [Some(number::bytes(s.multiblock_bytes as f64)), read_ahead, s.scheduler.clone()]
}

/// Which of the settings the names of scans say: the size of reads, and of the others those that were changed. What all
/// scans share would push what tells them apart off a narrow screen.
struct Names {
    said: [bool; 3],
}

impl Names {
    fn of(steps: &[ScanStep]) -> Self {
        let differ = |n: usize| steps.windows(2).any(|two| settings(&two[0])[n] != settings(&two[1])[n]);
        Self { said: [true, differ(1), differ(2)] }
    }

    fn setting(&self, s: &ScanStep) -> String {
        let said = settings(s).into_iter().zip(self.said).filter_map(|(part, said)| part.filter(|_| said));
        said.collect::<Vec<_>>().join(", ")
    }

    /// What all scans share.
    fn shared(&self, steps: &[ScanStep]) -> Option<String> {
        let parts = settings(steps.first()?).into_iter().zip(self.said);
        let shared: Vec<String> = parts.filter_map(|(part, said)| part.filter(|_| !said)).collect();
        (!shared.is_empty()).then(|| format!("All with: {}.", shared.join(", ")))
    }
}

pub(super) fn listings(found: &ScanFound) -> Vec<Listing> {
    let names = Names::of(&found.steps);
    let mut degrees: Vec<u32> = Vec::new();
    let mut settings: Vec<String> = Vec::new();
    for step in &found.steps {
        if !degrees.contains(&step.degree) {
            degrees.push(step.degree);
        }
        let name = names.setting(step);
        if !settings.contains(&name) {
            settings.push(name);
        }
    }
    let rows = settings.iter().map(|name| {
        let cell = |degree: &u32| {
            let step = found.steps.iter().find(|s| s.degree == *degree && names.setting(s) == *name);
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
        notes: std::iter::once(format!(
            "{} in {files}, granules of {}. A scan that was cut has no seconds.",
            number::bytes(found.bytes as f64),
            number::bytes(found.granule_bytes as f64)
        ))
        .chain(names.shared(&found.steps))
        .collect(),
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
        (format!("{} x {}", s.degree, names.setting(s)), cells)
    });
    let all = Listing {
        title: "Each scan".to_owned(),
        what: "Slaves x read",
        columns: headings(&["MB/s", "+/- %", "seconds", "a read ms", "p99 ms", "max ms"]),
        rows: rows.collect(),
        marked: None,
        notes: Vec::new(),
    };
    vec![seconds, all]
}
