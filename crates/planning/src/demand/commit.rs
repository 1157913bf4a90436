//! Waits of commits for the log writer.

use crate::plan::Source;
use crate::range::Range;
use spindle_diagnosis::{Case, log_writers_are_workers, log_writes_are_slow};
use spindle_facts::Interval;

/// Commits and log writes of one report.
///
/// Unit: seconds, microseconds, bytes a write. Missing: without `log file sync` no waits; without waits for room in
/// the redo log too, no value.
#[derive(Clone, Debug)]
pub(crate) struct CommitDemand {
    pub(crate) waits: f64,
    pub(crate) time_s: Range,
    /// Mean log write.
    pub(crate) write_us: Option<f64>,
    pub(crate) writes: Option<f64>,
    pub(crate) bytes_per_write: Option<f64>,
    /// Share (0-1) of a commit's wait that the writes explain, as the diagnosis bounds it; `None` where nothing
    /// bounds it.
    pub(crate) of_writes: Option<Interval>,
    /// Nothing bounds it, and the diagnosis calls the writes hardly the cause.
    pub(crate) hardly_writes: bool,
    /// Waits for room in the log buffer and for log switches to complete: likely where the diagnosis calls the log
    /// writes slow, at most all of them.
    pub(crate) space_s: Range,
    /// Waits for log switches that no storage of redo shortens: for a checkpoint, or the archiver.
    pub(crate) other_switches_s: f64,
    /// Mean log write of workers that wrote side by side, which holds waits for each other.
    pub(crate) by_workers_us: Option<f64>,
    pub(crate) source: Source,
}

/// Waits that end when the log writer has written.
const SPACE: [&str; 2] = ["log buffer space", "log file switch completion"];

pub(crate) fn commit(case: &Case<'_>) -> Option<CommitDemand> {
    let events = || case.response_time.foreground.classes.iter().flat_map(|c| &c.events);
    let sync = events().find(|e| e.event == "log file sync");
    let waits = sync.and_then(|s| s.waits).filter(|w| *w > 0.0);
    let sync = sync.filter(|s| s.time_s > 0.0).zip(waits);
    let space = || events().filter(|e| SPACE.contains(&e.event.as_str()) && e.counted_s > 0.0);
    let space_s: f64 = space().map(|e| e.counted_s).sum();
    let is_slow = log_writes_are_slow(case) == Some(true);
    let switches = events().filter(|e| e.event.starts_with("log file switch"));
    let other_switches_s =
        switches.filter(|e| !SPACE.contains(&e.event.as_str())).map(|e| e.counted_s).sum::<f64>() + 0.0;
    let first = sync.map(|(s, _)| s).or_else(|| space().next())?;
    let (time_s, waits) = sync.map_or((Range::ZERO, 0.0), |(sync, waits)| {
        let cut = sync.counted_s / sync.time_s;
        let time_s = Range {
            low: (sync.time_s_bounds.low * cut).min(sync.counted_s),
            mid: sync.counted_s,
            high: (sync.time_s_bounds.high * cut).max(sync.counted_s),
        };
        (time_s, waits)
    });
    let write = case.background_event("log file parallel write");
    let writes = write.and_then(|w| w.waits).filter(|w| *w > 0.0);
    let redo_writes = case.stat_total("redo writes").or(writes).filter(|w| *w > 0.0);
    Some(CommitDemand {
        waits,
        time_s,
        write_us: case.commit.write_us,
        writes,
        bytes_per_write: case.stat_total("redo size").zip(redo_writes).map(|(bytes, writes)| bytes / writes),
        of_writes: case.commit.share_of_writes(),
        hardly_writes: spindle_diagnosis::is_hardly_the_writes(case),
        space_s: Range { low: 0.0, mid: if is_slow { space_s } else { 0.0 }, high: space_s },
        other_switches_s,
        by_workers_us: case.commit.write_us.filter(|_| log_writers_are_workers(case)),
        source: Source {
            source: case.report.identity.source.clone(),
            section: first.section.clone(),
            line: first.line,
        },
    })
}
