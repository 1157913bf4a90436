//! Many diagnosed reports kept for one summary, page or series, in bounded memory: of the busiest
//! all facts are kept, since a page shows them in full; of the others what is summed up over time.

use crate::diagnose::Diagnosed;
use spindle_diagnosis::Series;
use spindle_facts::{Report, Tables};

/// A smaller part of its class is no piece that a bar has room for.
const SMALL_PART: f64 = 0.004;
/// Reports of which all that a page shows is kept, at most.
const MOST_IN_FULL: usize = 24;
/// So many are, however long they are: of whole reports a page, bounded at 400 KB, has no room for more.
const LEAST_IN_FULL: usize = 8;
/// More are while they have no more rows than this together, as excerpts.
const ROWS_IN_FULL: u64 = 10_000;

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
        while self.too_many_in_full() {
            let least_busy = (0..self.in_full.len()).min_by(|&a, &b| {
                let load = |i: usize| {
                    let kept = &self.reports[self.in_full[i]];
                    spindle_diagnosis::load(&kept.report, &kept.diagnosis)
                };
                // As a page orders them: of those as busy, the first given come first.
                let given = self.in_full[b].cmp(&self.in_full[a]);
                spindle_diagnosis::by_load(load(a), load(b)).then(given)
            });
            let Some(least_busy) = least_busy else { break };
            let index = self.in_full.swap_remove(least_busy);
            slim(&mut self.reports[index]);
        }
    }

    fn too_many_in_full(&self) -> bool {
        let count = self.in_full.len();
        let rows = || self.in_full.iter().map(|i| rows(&self.reports[*i].report)).sum::<u64>();
        let most = if self.figures_only { 0 } else { MOST_IN_FULL };
        count > most || count > LEAST_IN_FULL && rows() > ROWS_IN_FULL
    }

    /// How many are kept in full: the busiest.
    #[must_use]
    pub fn in_full(&self) -> usize {
        self.in_full.len()
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

/// Drops the rows that no summary or page shows, and that what is said to be missing does not ask for: most of them.
pub(crate) fn keep_shown(report: &mut Report) {
    let tables = std::mem::take(&mut report.tables);
    report.tables = Tables {
        time_model: tables.time_model,
        top_event: tables.top_event,
        wait_event: tables.wait_event,
        sql_stat: tables.sql_stat,
        sql_text: tables.sql_text,
        segment_stat: tables.segment_stat,
        tablespace_io: tables.tablespace_io,
        file_io: tables.file_io,
        io_function: tables.io_function,
        io_filetype: tables.io_filetype,
        db_cache_advice: tables.db_cache_advice,
        pga_advice: tables.pga_advice,
        ash_activity: tables.ash_activity,
        addm_finding: tables.addm_finding,
        ..Tables::default()
    };
    report.raw_tables = Vec::new();
}

/// Rows that were read.
fn rows(report: &Report) -> u64 {
    report.sections.iter().map(|section| u64::from(section.rows)).sum()
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
            // A series weights mean latencies of reads and writes by their waits; an overview names what a class
            // is made of in the busiest interval of each database.
            let least_s = SMALL_PART * class.time_s;
            class.events.retain(|event| {
                event.event.contains("read") || event.event.contains("write") || event.counted_s > least_s
            });
            class.events.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gathered, MOST_IN_FULL};
    use crate::Diagnosed;
    use spindle_diagnosis::Options;
    use spindle_facts::{Identity, Kind, Layout, Report};

    /// Of reports as busy as each other a page shows the first ones: those kept were others.
    #[test]
    fn of_reports_as_busy_the_first_ones_lost_their_rows() {
        let mut gathered = Gathered::default();
        let loads = [1.0].into_iter().chain([2.0; MOST_IN_FULL]).chain([3.0]);
        for sessions in loads {
            let mut report = Report::new(Identity::unknown("excerpt", Kind::Awr, Layout::Text));
            (report.identity.db_time_s, report.identity.elapsed_s) =
                (Some(sessions * 3_600.0), Some(3_600.0));
            let diagnosis = spindle_diagnosis::diagnose(&report, &Options::default());
            gathered.add(Diagnosed { report, diagnosis });
        }
        let mut kept = gathered.in_full.clone();
        kept.sort_unstable();
        assert_eq!(kept, (1..MOST_IN_FULL).chain([MOST_IN_FULL + 1]).collect::<Vec<_>>());
    }
}
