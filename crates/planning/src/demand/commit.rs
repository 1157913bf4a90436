//! Waits of commits for the log writer.

use crate::plan::Source;
use crate::range::Range;
use spindle_diagnosis::Case;
use spindle_facts::Interval;

/// Commits and log writes of one report.
///
/// Unit: seconds, microseconds, bytes a write. Missing: no `log file sync`, no value.
#[derive(Clone, Debug)]
pub(crate) struct CommitDemand {
    pub(crate) waits: f64,
    pub(crate) time_s: Range,
    /// Mean log write.
    pub(crate) write_us: Option<f64>,
    pub(crate) writes: Option<f64>,
    pub(crate) bytes_per_write: Option<f64>,
    /// What the writes explain of a commit's wait.
    pub(crate) explained_us: Option<Interval>,
    /// Part of the wait that is not the write, as measured by the database.
    pub(crate) overhead_us: Option<f64>,
    pub(crate) source: Source,
}

pub(crate) fn commit(case: &Case<'_>) -> Option<CommitDemand> {
    let events = case.response_time.foreground.classes.iter().flat_map(|c| &c.events);
    let sync = events.into_iter().find(|e| e.event == "log file sync")?;
    let waits = sync.waits.filter(|w| *w > 0.0)?;
    let cut = if sync.time_s > 0.0 { sync.counted_s / sync.time_s } else { return None };
    let write = case.background_event("log file parallel write");
    let writes = write.and_then(|w| w.waits).filter(|w| *w > 0.0);
    let redo_writes = case.stat_total("redo writes").or(writes).filter(|w| *w > 0.0);
    Some(CommitDemand {
        waits,
        time_s: Range {
            low: (sync.time_s_bounds.low * cut).min(sync.counted_s),
            mid: sync.counted_s,
            high: (sync.time_s_bounds.high * cut).max(sync.counted_s),
        },
        write_us: case.commit.write_us,
        writes,
        bytes_per_write: case.stat_total("redo size").zip(redo_writes).map(|(bytes, writes)| bytes / writes),
        explained_us: case.commit.explained_us,
        overhead_us: case.commit.measured_overhead_us,
        source: Source {
            source: case.report.identity.source.clone(),
            section: sync.section.clone(),
            line: sync.line,
        },
    })
}
