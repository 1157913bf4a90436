//! Which of two reports of one interval says more. Whoever adds up counts one of them, and every command the
//! same.

use crate::outcome::IoProfile;
use spindle_facts::{Kind, Report};

/// What a report says of its interval: AWR before Statspack, then by what is printed; of equals, the one of
/// more load, so that the name of a file decides nothing. The larger one says more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Richness {
    is_awr: bool,
    known: usize,
    causes: usize,
    behind: usize,
    load: u64,
}

impl Richness {
    /// Of a report and its I/O.
    #[must_use]
    pub fn of(report: &Report, io: &IoProfile) -> Self {
        let figures = [&io.read_iops, &io.write_iops, &io.redo_write_iops, &io.read_mbps, &io.write_mbps];
        let value = |at: usize| figures[at].as_ref().map_or(0.0, |f| f.value);
        let tables = &report.tables;
        Self {
            is_awr: report.identity.kind != Kind::Statspack,
            known: figures.iter().filter(|f| f.is_some()).count(),
            causes: tables.io_function.len() + tables.io_filetype.len(),
            behind: tables.sql_stat.len() + tables.segment_stat.len(),
            // Bits of numbers from nought on stand in their order.
            load: (value(0) + value(1)).max(0.0).to_bits(),
        }
    }
}
