//! How long a commit waits, given how long the log writer's writes take.
//!
//! Averages of `log file sync` and `log file parallel write` do not compare: a commit that arrives
//! while a write runs waits for the rest of that write and then for its own, and slow writes gather
//! more committers. For commits that arrive independently of the log writer, with write time X and
//! the log writer busy a share `rho` of the time, the expected wait is
//! `rho * E[X^2] / (2 E[X]) + E[X]` (residual life of renewal theory). A histogram and a mean do
//! not fix `E[X^2]`; they bound it, and so the answer is a range.
//!
//! Not covered, so an observation above the range has causes of this kind: commits in bursts, a
//! log writer that waits for a CPU, post and wait, synchronous standby, RAC broadcast.

use crate::{HistogramBucket, Interval, WaitHistogram};

/// What the log writes explain of a commit wait.
///
/// Shape: one an interval. Unit: share 0-1; microseconds; microseconds squared. Missing: use
/// `Option`. Source: histogram and total time of `log file parallel write`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommitModel {
    /// Share of the time in which the log writer was writing.
    pub busy_share: f64,
    /// Mean write.
    pub write_us: f64,
    /// Bounds of the mean of the squared write time.
    pub second_moment_us2: Interval,
    /// Bounds of the expected commit wait.
    pub commit_wait_us: Interval,
}

/// Expected commit wait.
///
/// Shape: one an interval. Unit: `write_time_s` and `log_writer_s` are seconds (elapsed time, for
/// several instances added up), `writes` is a count. Missing: `None` without writes or where
/// histogram and mean contradict each other. Source: see the module.
#[must_use]
pub fn expected_commit_wait(
    histogram: &WaitHistogram,
    write_time_s: f64,
    writes: f64,
    log_writer_s: f64,
) -> Option<CommitModel> {
    if !(write_time_s > 0.0 && writes > 0.0 && log_writer_s > 0.0) {
        return None;
    }
    let write_us = write_time_s * 1e6 / writes;
    // Log writer workers (12.1 and later) write at the same time: more than busy means nothing.
    let busy_share = (write_time_s / log_writer_s).min(1.0);
    let second_moment_us2 = second_moment_us2(histogram, write_us)?;
    let wait = |moment: f64| busy_share * moment / (2.0 * write_us) + write_us;
    let commit_wait_us = Interval { low: wait(second_moment_us2.low), high: wait(second_moment_us2.high) };
    Some(CommitModel { busy_share, write_us, second_moment_us2, commit_wait_us })
}

/// Bounds of the mean square of what a histogram counts, given its mean.
///
/// Shape: one a histogram. Unit: microseconds squared; `high` is infinite where the open last
/// bucket holds waits. Missing: `None` without waits, or where no distribution over these buckets
/// has this mean (more than a tenth away). Source: the linear programme over the bucket means. The
/// least is where every wait is as near to one value as its bucket allows; the most, where the
/// highest buckets are at their upper bounds and the rest at their lower.
///
/// Counts are taken as printed; a bucket that may be empty (`.0`) is. The first bucket starts at a
/// sixteenth of its upper bound and not at zero, which no write reaches: with `<1ms` that is 62 us,
/// about what a log write to flash takes.
#[must_use]
pub fn second_moment_us2(histogram: &WaitHistogram, mean_us: f64) -> Option<Interval> {
    let held: Vec<&HistogramBucket> =
        histogram.buckets.iter().filter(|b| b.waits > 0.0 && b.waits_low > 0.0).collect();
    let waits: f64 = held.iter().map(|b| b.waits).sum();
    if held.is_empty() {
        return None;
    }
    let share: Vec<f64> = held.iter().map(|b| b.waits / waits).collect();
    let low: Vec<f64> = held
        .iter()
        .map(|b| if b.low_us > 0.0 { b.low_us } else { b.high_us.unwrap_or(0.0) / 16.0 })
        .collect();
    let high: Vec<f64> = held.iter().map(|b| b.high_or_infinite_us()).collect();
    let dot = |values: &[f64]| -> f64 { share.iter().zip(values).map(|(p, v)| p * v).sum() };
    let (least_mean, most_mean) = (dot(&low), dot(&high));
    if mean_us < 0.9 * least_mean || mean_us > 1.1 * most_mean {
        return None;
    }
    let mean_us = mean_us.max(least_mean).min(most_mean);

    // The least: every bucket mean as near to one value as its bounds allow.
    let at = |level: f64| low.iter().zip(&high).map(move |(l, h)| level.max(*l).min(*h));
    let mean_at = |level: f64| -> f64 { share.iter().zip(at(level)).map(|(p, v)| p * v).sum() };
    let (mut below, mut above) = (0.0, mean_us.max(low.iter().copied().fold(0.0, f64::max)));
    while mean_at(above) < mean_us && above.is_finite() {
        above *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(below, above);
        let before = (below, above);
        if mean_at(middle) < mean_us {
            below = middle
        } else {
            above = middle
        }
        // The two are neighbours: nothing lies between them.
        if before == (below, above) {
            break;
        }
    }
    let squares: Vec<f64> = at(above).map(|v| v * v).collect();
    let least = dot(&squares);

    // The most: raise the mean of the highest buckets first, waits at either bound of a bucket.
    let mut to_give = mean_us - least_mean;
    let mut most = 0.0;
    for i in (0..held.len()).rev() {
        let given = to_give.min(share[i] * (high[i] - low[i]));
        to_give -= given;
        most += share[i] * low[i] * low[i];
        if given > 0.0 {
            most += (low[i] + high[i]) * given;
        }
    }
    Some(Interval::between(least.min(most), most))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Side;

    /// Shares of `<1 <2 <4 <8 <16 <32 <=1s >1s` ms, as published for the redo move (E6).
    fn log_writes(writes: f64, shares: [f64; 8]) -> WaitHistogram {
        let bounds = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1024.0];
        let bucket = |(i, pct): (usize, &f64)| HistogramBucket {
            low_us: bounds[i] * 1000.0,
            high_us: bounds.get(i + 1).map(|b| b * 1000.0),
            waits: writes * pct / 100.0,
            waits_low: (writes * (pct - 0.05) / 100.0).max(0.0),
            waits_high: writes * (pct + 0.05) / 100.0,
            share_pct: Some(*pct),
            share_bounds_pct: None,
            line: 1,
        };
        WaitHistogram {
            line: 1,
            section: 0,
            instance_number: None,
            event: "log file parallel write".into(),
            side: Side::All,
            waits: Some(writes),
            buckets: shares.iter().enumerate().map(bucket).collect(),
        }
    }

    #[test]
    fn redo_on_sas_explains_16_to_133_ms_and_68_were_seen() {
        let histogram = log_writes(193_830.0, [0.0, 1.2, 44.1, 25.2, 15.1, 7.7, 6.7, 0.0]);
        let model = expected_commit_wait(&histogram, 2067.0, 193_830.0, 59.78 * 60.0).unwrap();
        let ms = model.commit_wait_us.scaled(1e-3);
        assert_eq!((ms.low.round(), ms.high.round()), (16.0, 133.0));
        assert!(ms.contains(2963.0 / 43_605.0 * 1e3));
    }

    #[test]
    fn redo_on_flash_explains_2_9_to_47_ms_and_10_4_were_seen() {
        let histogram = log_writes(302_177.0, [81.0, 8.6, 3.0, 2.6, 2.3, 1.4, 1.1, 0.0]);
        let model = expected_commit_wait(&histogram, 622.0, 302_177.0, 60.04 * 60.0).unwrap();
        let ms = model.commit_wait_us.scaled(1e-3);
        assert_eq!(((ms.low * 10.0).round(), ms.high.round()), (29.0, 47.0));
        assert!(ms.contains(574.0 / 55_095.0 * 1e3));
    }

    #[test]
    fn one_narrow_bucket_leaves_little_doubt() {
        let histogram = log_writes(1000.0, [0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let moment = second_moment_us2(&histogram, 3000.0).unwrap();
        assert!((moment.low - 9e6).abs() < 1.0, "all at the mean");
        assert!((moment.high - (4e6 + 16e6) / 2.0).abs() < 1.0, "half at either bound");
    }

    #[test]
    fn a_mean_outside_the_buckets_is_a_contradiction() {
        let histogram = log_writes(1000.0, [0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(second_moment_us2(&histogram, 10_000.0), None);
        assert_eq!(expected_commit_wait(&histogram, 0.0, 0.0, 60.0), None);
    }

    #[test]
    fn waits_in_the_open_bucket_leave_no_upper_bound() {
        let histogram = log_writes(1000.0, [0.0, 0.0, 99.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let moment = second_moment_us2(&histogram, 20_000.0).unwrap();
        assert!(moment.low.is_finite());
        assert_eq!(moment.high, f64::INFINITY);
    }
}
