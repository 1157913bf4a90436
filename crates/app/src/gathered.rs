//! Many diagnosed reports kept for one summary, page or series, in bounded memory: of the busiest
//! all facts are kept, since a page shows them in full; of the others what is summed up over time.

use crate::diagnose::Diagnosed;
use spindle_diagnosis::Series;
use spindle_facts::Tables;

/// Reports of which all facts are kept. A page holds fewer: it is bounded at 400 KB.
const IN_FULL: usize = 24;

/// Diagnosed reports, in the order given.
#[derive(Debug, Default)]
pub struct Gathered {
    reports: Vec<Diagnosed>,
    /// Indices of those kept in full.
    in_full: Vec<usize>,
    /// Keep none in full.
    figures_only: bool,
}

impl Gathered {
    /// For a series alone, without a summary or page.
    #[must_use]
    pub fn figures_only() -> Self {
        Self { figures_only: true, ..Self::default() }
    }

    /// Adds a report.
    pub fn add(&mut self, diagnosed: Diagnosed) {
        self.in_full.push(self.reports.len());
        self.reports.push(diagnosed);
        if self.in_full.len() > if self.figures_only { 0 } else { IN_FULL } {
            let least_busy = (0..self.in_full.len()).min_by(|&a, &b| {
                let load = |i: usize| {
                    let kept = &self.reports[self.in_full[i]];
                    spindle_diagnosis::load(&kept.report, &kept.diagnosis)
                };
                spindle_diagnosis::by_load(load(a), load(b)).then(b.cmp(&a))
            });
            if let Some(least_busy) = least_busy {
                let index = self.in_full.swap_remove(least_busy);
                slim(&mut self.reports[index]);
            }
        }
    }

    /// All reports, in the order given.
    #[must_use]
    pub fn reports(&self) -> &[Diagnosed] {
        &self.reports
    }

    /// The reports as a time series.
    #[must_use]
    pub fn series(&self) -> Series {
        let pairs: Vec<_> = self.reports.iter().map(|d| (&d.report, &d.diagnosis)).collect();
        spindle_diagnosis::series(&pairs)
    }
}

/// Drops what only a report shown in full needs.
fn slim(Diagnosed { report, diagnosis }: &mut Diagnosed) {
    report.tables = Tables::default();
    report.raw_tables = Vec::new();
    diagnosis.accounts = Vec::new();
    diagnosis.latency = Vec::new();
    for finding in &mut diagnosis.findings {
        finding.evidence = Vec::new();
        finding.actions = Vec::new();
        finding.claims = Vec::new();
    }
    let response_time = &mut diagnosis.response_time;
    for side in [&mut response_time.foreground, &mut response_time.background] {
        for class in &mut side.classes {
            // A series weights mean latencies of reads and writes by their waits.
            class.events.retain(|event| event.event.contains("read") || event.event.contains("write"));
            class.events.shrink_to_fit();
        }
    }
}
