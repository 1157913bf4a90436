//! Response time = CPU + waits, foreground and background apart.

use spindle_facts::{Interval, Report};

/// Seconds of a time-model statistic with the bounds of their rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ModelTime {
    /// Seconds.
    pub(crate) seconds: f64,
    /// Bounds.
    pub(crate) bounds: Interval,
    /// Line in the source.
    pub(crate) line: u32,
}

/// A time-model statistic over all instances: the row for all where printed, else the sum.
pub(crate) fn time_model_s(report: &Report, statistic: &str) -> Option<ModelTime> {
    let rows: Vec<_> =
        report.tables.time_model.iter().filter(|r| crate::case::same_name(&r.statistic, statistic)).collect();
    let for_all = rows.iter().any(|r| r.instance_number.is_none());
    let chosen = rows.iter().filter(|r| r.instance_number.is_none() == for_all);
    // A second row for the same instance repeats the first (other section, other page).
    let mut seen = Vec::new();
    let mut sum: Option<ModelTime> = None;
    for row in chosen {
        if seen.contains(&row.instance_number) {
            continue;
        }
        seen.push(row.instance_number);
        let seconds = row.time_s?;
        let so_far = sum.unwrap_or(ModelTime { seconds: 0.0, bounds: Interval::exact(0.0), line: row.line });
        sum = Some(ModelTime {
            seconds: so_far.seconds + seconds,
            bounds: Interval {
                low: so_far.bounds.low + row.time_s_low.unwrap_or(seconds),
                high: so_far.bounds.high + row.time_s_high.unwrap_or(seconds),
            },
            line: so_far.line,
        });
    }
    sum
}
