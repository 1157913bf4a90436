//! How long the log writer kept blocks of the global cache waiting, as an instance of a cluster prints it.
//!
//! A changed block is sent to another instance when its redo is on disk. The instance that sends it prints the
//! mean of that wait (`Avg global cache cr block flush time`): the log writer's time, from the request on, as
//! `log file sync` is. It tells of the redo of this instance, where no row of `log file parallel write` was read.

use spindle_facts::{PrintedRow, Report};

/// A mean flush of redo, as printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogFlush<'r> {
    /// Its row in `rac_cache`.
    pub(crate) row: &'r PrintedRow,
    /// Name as printed, without unit.
    pub(crate) name: &'r str,
    /// Microseconds.
    pub(crate) us: f64,
}

/// The longer of the two that are printed (blocks of the past, current blocks), of a report of one instance.
pub(crate) fn log_flush(report: &Report) -> Option<LogFlush<'_>> {
    let rows = report.tables.rac_cache.iter().filter_map(|row| {
        let name = row.text("metric")?.trim_end_matches(':');
        let is_flush = name.starts_with("Avg global cache c") && name.contains(" block flush time");
        let (name, unit) = name.split_once('(').filter(|_| is_flush)?;
        let to_us = match unit.trim_end_matches(')') {
            "ms" => 1_000.0,
            "us" => 1.0,
            _ => return None,
        };
        let us = row.number("value").filter(|value| *value > 0.0)? * to_us;
        Some(LogFlush { row, name: name.trim_end(), us })
    });
    rows.max_by(|a, b| a.us.total_cmp(&b.us))
}
