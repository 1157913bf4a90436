//! The commit path: what of a commit wait the log writes explain.
//!
//! First what the database measured itself (`redo synch time`), else the model of
//! [`spindle_facts::expected_commit_wait`]. The two averages are never held against each other:
//! slow writes gather committers, so `log file sync` may be far above `log file parallel write`
//! without any other cause.

use crate::by_histogram::is_estimated;
use crate::events::{EventTotal, lists_all_events};
use crate::outcome::{Commit, CommitBounds};
use crate::words;
use spindle_facts::{
    HistogramBucket, Interval, Report, Side, Statistics, WaitHistogram, expected_commit_wait, same_name,
};

/// Fewer waits say nothing of a mean.
const LEAST_WAITS: f64 = 20.0;
/// How far beyond the bounds an observation is evidence: commits do not arrive quite independently,
/// and each wait holds a post of the log writer that no histogram shows.
const TOLERANCE: f64 = 1.1;

pub(crate) fn commit(
    statistics: &Statistics<'_>,
    report: &Report,
    events: &[EventTotal],
    histograms: &[WaitHistogram],
) -> Commit {
    let event = |side, name: &str| events.iter().find(|e| e.side == side && e.event == name);
    let sync = event(Side::Foreground, "log file sync");
    // What is estimated from the histogram says no more than the histogram.
    let write = event(Side::Background, "log file parallel write").filter(|e| !is_estimated(e));
    let mut commit = Commit {
        sync_us: sync.and_then(|e| e.avg_us),
        write_us: write.and_then(|e| e.avg_us),
        bounds: CommitBounds {
            sync_us: sync.and_then(|e| e.avg_us_bounds),
            write_us: write.and_then(|e| e.avg_us_bounds),
            measured_sync_us: None,
        },
        outcome: "cannot_tell",
        ..Commit::default()
    };
    measured(statistics, &mut commit);
    // Where the row of the writes was not read, their histogram bounds what they explain.
    let histogram = histograms.iter().find(|h| same_name(&h.event, "log file parallel write"));
    let spread = histogram.filter(|_| write.is_none());
    let Some(sync) = sync.filter(|e| e.waits.is_none_or(|w| w > 0.0)) else {
        if lists_all_events(report, events) {
            commit.outcome = "no_commits";
            commit.because = "no session waited for `log file sync`".to_owned();
        } else {
            commit.because = "the report prints no waits of `log file sync`".to_owned();
        }
        return commit;
    };
    let model = histogram.and_then(|histogram| match write {
        Some(write) => model(report, histogram, write.time_s, write.waits?),
        None => model_of_spread(report, histogram),
    });
    commit.explained_us = model;

    if let (Some(total), Some(overhead)) = (commit.measured_sync_us, commit.measured_overhead_us) {
        commit.outcome = "measured";
        commit.because = format!(
            "the database measured {} a commit, of which {} passed after the write was done",
            words::latency(total),
            words::latency(overhead)
        );
        // A lower bound above all that was measured refutes the model: it explains nothing.
        if let Some(refuted) = model.filter(|model| model.low > (total - overhead) * TOLERANCE) {
            commit.explained_us = None;
            commit.because.push_str(&format!(
                "; log writes would explain {}, and {} is below: commits avoid the busy times, or do not wait for the \
                 write (`commit_wait`)",
                words::between(refuted),
                words::latency(total - overhead)
            ));
        }
        return commit;
    }
    let observed = sync.avg_us_bounds.or(sync.avg_us.map(Interval::exact));
    let (Some(observed), Some(explained)) = (observed, model) else {
        commit.because = match (write, sync.avg_us) {
            (_, None) if sync.avg_us_bounds.is_none() => "the report prints no mean of `log file sync`".to_owned(),
            (None, _) if spread.is_some() => {
                "of `log file parallel write` the histogram alone was read, and it does not bound how long they take"
                    .to_owned()
            }
            (None, _) => "`log file parallel write` was not read".to_owned(),
            _ => "the report prints no histogram of `log file parallel write` that fits its mean".to_owned(),
        };
        return commit;
    };
    let few = [Some(sync), write].into_iter().flatten().any(|e| e.waits.is_none_or(|w| w < LEAST_WAITS));
    let few = few || spread.is_some_and(|h| h.counted_waits() < LEAST_WAITS);
    if few {
        commit.because = "too few commits or log writes for their means to say anything".to_owned();
        return commit;
    }
    let range = words::between(explained);
    let seen = if is_estimated(sync) { words::between(observed) } else { words::latency(observed.mid()) };
    let lies = if observed.overlaps(explained) { "lies inside" } else { "is close to that" };
    (commit.outcome, commit.because) = if observed.low > explained.high * TOLERANCE {
        (
            "excess",
            format!(
                "log writes explain {range} of a commit wait; {seen} is above that: CPU, post and wait, bursts of commits, standby or RAC add to it"
            ),
        )
    } else if observed.high < explained.low / TOLERANCE {
        (
            "below_model",
            format!(
                "log writes would explain {range} of a commit wait, and {seen} is below: commits avoid the busy times, or do not wait for the write (`commit_wait`)"
            ),
        )
    } else {
        // Inside the bounds of a histogram alone they may explain it, or little of it.
        let outcome = if spread.is_some() { "cannot_tell" } else { "writes_explain_it" };
        (outcome, format!("log writes explain {range} of a commit wait, and {seen} {lies}"))
    };
    if let Some(mean) = spread.and_then(mean_of_spread) {
        commit.because.push_str(&format!(
            " (by their histogram alone, which says that they take {} on average)",
            words::between(mean)
        ));
    }
    commit
}

/// A histogram and the mean of what it counts, microseconds, at one end of what it leaves open.
type End = (WaitHistogram, f64);

/// The shortest and the longest waits that print like this histogram: rounded shares may hide slow ones (`.0` of the
/// open last bucket is no bucket without waits), and a bucket its lower or its upper bound. The longest mean is infinite
/// where the open bucket may hold waits. `None` without waits.
fn ends(histogram: &WaitHistogram) -> Option<[End; 2]> {
    // No write takes nothing: as the model has it.
    let least = |b: &HistogramBucket| if b.low_us > 0.0 { b.low_us } else { b.high_us.unwrap_or(0.0) / 16.0 };
    let mean = |of: &WaitHistogram, us: &dyn Fn(&HistogramBucket) -> f64| {
        let held = of.buckets.iter().filter(|b| b.waits > 0.0);
        let (waits, total) = held.fold((0.0, 0.0), |sum, b| (sum.0 + b.waits, sum.1 + b.waits * us(b)));
        (waits > 0.0).then_some(total / waits)
    };
    let (short, long) = (with_rest_in(histogram, false), with_rest_in(histogram, true));
    let means = (mean(&short, &least)?, mean(&long, &HistogramBucket::high_or_infinite_us)?);
    Some([(short, means.0), (long, means.1)])
}

/// The histogram with what rounding leaves open of its waits in its slow buckets, or in its fast ones.
fn with_rest_in(histogram: &WaitHistogram, slow: bool) -> WaitHistogram {
    let mut found = histogram.clone();
    let mut open: f64 = found.buckets.iter().map(|b| (b.waits - b.waits_low).max(0.0)).sum();
    let mut buckets: Vec<&mut HistogramBucket> = found.buckets.iter_mut().collect();
    if slow {
        buckets.reverse();
    }
    for bucket in buckets {
        let least = bucket.waits_low.min(bucket.waits);
        let given = (bucket.waits_high.max(bucket.waits) - least).min(open);
        open -= given;
        bucket.waits = least + given;
        (bucket.waits_low, bucket.waits_high) = (bucket.waits, bucket.waits);
    }
    found
}

/// Bounds of the mean of what a histogram counts.
pub(crate) fn mean_of_spread(histogram: &WaitHistogram) -> Option<Interval> {
    let [(_, low), (_, high)] = ends(histogram)?;
    Some(Interval { low, high })
}

/// What writes of which only the histogram was read explain: between the least and the most that they can be; `None`
/// where it does not bound them.
fn model_of_spread(report: &Report, spread: &WaitHistogram) -> Option<Interval> {
    let of = |(histogram, mean_us): &End| {
        let waits = histogram.counted_waits();
        model(report, histogram, mean_us * waits / 1e6, waits)
    };
    let [short, long] = ends(spread)?;
    let (least, most) = (of(&short)?, of(&long).filter(|most| most.high.is_finite())?);
    Some(Interval { low: least.low, high: most.high })
}

/// What `redo synch` statistics say, a commit that waited.
fn measured(statistics: &Statistics<'_>, commit: &mut Commit) {
    let Some(synchs) = statistics.total("redo synch writes").filter(|n| *n > 0.0) else { return };
    let per_commit = |name: &str| statistics.total(name).map(|us| us / synchs);
    commit.measured_sync_us = per_commit("redo synch time (usec)").or_else(|| {
        // Whole hundredths of a second, cut.
        let of = |cs: f64| cs * 10_000.0 / synchs;
        let cs = statistics.total("redo synch time")?;
        commit.bounds.measured_sync_us = Some(Interval { low: of(cs), high: of(cs + 1.0) });
        Some(of(cs))
    });
    // Statspack cuts names to 32 characters, hence also the name without its unit.
    commit.measured_overhead_us = per_commit("redo synch time overhead (usec)")
        .or_else(|| per_commit("redo synch time overhead (usec"));
    // An overhead above the whole is a sign of counters that wrapped or were cut.
    if let (Some(overhead), Some(total)) = (commit.measured_overhead_us, commit.measured_sync_us)
        && (overhead > total * 1.01 || overhead < 0.0)
    {
        commit.measured_overhead_us = None;
    }
}

/// What writes explain that took so long in all.
fn model(report: &Report, histogram: &WaitHistogram, write_s: f64, writes: f64) -> Option<Interval> {
    let of = |log_writer_s| expected_commit_wait(histogram, write_s, writes, log_writer_s);
    match report.identity.elapsed_s {
        Some(elapsed_s) => Some(of(elapsed_s * instances(report))?.commit_wait_us),
        // How busy the log writer was is unknown: between never and always.
        None => {
            let always = of(write_s)?;
            Some(Interval { low: always.write_us, high: always.commit_wait_us.high })
        }
    }
}

impl Commit {
    /// Share (0-1) of the commit wait that the log writes can explain, at most: what the database
    /// measured up to the end of the log writer's work (which is more than the write), and the upper
    /// bound of the model; `None` without either.
    pub(crate) fn most_of_writes(&self) -> Option<f64> {
        let measured = self
            .measured_sync_us
            .zip(self.measured_overhead_us)
            .filter(|(total, _)| *total > 0.0)
            .map(|(total, overhead)| 1.0 - overhead / total);
        let observed_us = self.sync_us.filter(|us| *us > 0.0);
        let modelled =
            observed_us.zip(self.explained_us).map(|(observed, explained)| explained.high / observed);
        let part = match (measured, modelled) {
            (Some(measured), Some(modelled)) => measured.min(modelled),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => return None,
        };
        Some(part.clamp(0.0, 1.0))
    }

    /// Share (0-1) of the commit wait that the log writes explain at least: the lower bound of the
    /// model; without it, one mean write a commit. 0 where neither is known.
    pub(crate) fn least_of_writes(&self) -> f64 {
        let least = self.explained_us.map(|e| e.low).or(self.write_us);
        let observed = self.sync_us.filter(|us| *us > 0.0);
        let part = observed.zip(least).map_or(0.0, |(observed, us)| us / observed);
        part.clamp(0.0, self.most_of_writes().unwrap_or(1.0))
    }

    /// Share (0-1) of the commit wait that the log writes explain, at least and at most: what faster redo can shorten.
    /// `None` where nothing bounds it from above.
    #[must_use]
    pub fn share_of_writes(&self) -> Option<Interval> {
        Some(Interval { low: self.least_of_writes(), high: self.most_of_writes()? })
    }

    /// Are the log writes hardly the cause of the commit wait, as far as means tell? Nothing bounds
    /// them, and commits take so many times the mean write that only a few very slow writes could
    /// explain it: a commit waits for two writes at worst, if they are alike.
    pub(crate) fn hardly_writes(&self) -> bool {
        const TIMES: f64 = 10.0;
        self.most_of_writes().is_none()
            && self.sync_us.zip(self.write_us).is_some_and(|(sync, write)| sync >= TIMES * write)
    }
}

/// Instances that the report covers: each has a log writer of its own.
pub(crate) fn instances(report: &Report) -> f64 {
    let mut numbers: Vec<u32> = report.tables.wait_event.iter().filter_map(|e| e.instance_number).collect();
    numbers.extend(report.tables.time_model.iter().filter_map(|r| r.instance_number));
    numbers.sort_unstable();
    numbers.dedup();
    f64::from(report.identity.instances.unwrap_or(1)).max(numbers.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::rules::testing::Hour;
    use crate::{Case, Commit, Options};

    /// The histogram of the log writes was read, 79 % of them within 1 ms, and "the report prints no `log file parallel
    /// write`", so what of commits of 24 ms is storage could not be told.
    #[test]
    fn a_histogram_of_log_writes_without_their_row_said_nothing() {
        let hour = |last: f64| {
            Hour::new(10_000.0).foreground("log file sync", 67_000.0, 1_620.0).histogram(
                "log file parallel write",
                &[
                    (Some(1_000.0), 70_000.0),
                    (Some(2_000.0), 11_000.0),
                    (Some(4_000.0), 5_000.0),
                    (Some(16_000.0), 3_000.0),
                    (None, last),
                ],
            )
        };
        let of = |hour: &Hour| Case::new(&hour.report, &Options::default()).commit;
        let commit = of(&hour(0.0));
        assert_eq!((commit.outcome, commit.write_us), ("excess", None), "{}", commit.because);
        let explained = commit.explained_us.unwrap();
        assert!(explained.low > 0.4e3 && explained.low < 1e3 && explained.high < 4e3, "{explained:?}");
        assert!(
            commit.because.contains("by their histogram alone") && commit.most_of_writes().unwrap() < 0.2
        );
        // An open last bucket bounds nothing from above.
        let commit = of(&hour(10.0));
        assert_eq!((commit.outcome, commit.explained_us), ("cannot_tell", None), "{}", commit.because);
        assert!(commit.because.contains("histogram alone was read"), "{}", commit.because);
    }

    /// `.0` of the waits beyond a second may be 40 of 89,000, which make a mean of any length: "excess".
    #[test]
    fn waits_that_rounding_hides_in_the_open_bucket_were_none() {
        let of = |hidden: f64, sync_s: f64| {
            let hour = Hour::new(10_000.0).foreground("log file sync", 67_000.0, sync_s);
            let hour = hour.histogram(
                "log file parallel write",
                &[(Some(1_000.0), 60_000.0), (Some(16_000.0), 29_000.0), (None, 0.0)],
            );
            let hour = hour.with(|r| {
                let buckets = &mut r.tables.wait_histogram[0].buckets;
                (buckets[0].waits_low, buckets[2].waits_high) = (60_000.0 - hidden, hidden);
            });
            Case::new(&hour.report, &Options::default()).commit
        };
        assert_eq!(of(0.0, 1_620.0).outcome, "excess");
        let hidden = of(40.0, 1_620.0);
        assert_eq!((hidden.outcome, hidden.explained_us), ("cannot_tell", None), "{}", hidden.because);
        // What lies inside the bounds of a histogram alone is not explained for certain.
        let inside = of(0.0, 200.0);
        assert_eq!(inside.outcome, "cannot_tell", "{}", inside.because);
        assert!(inside.because.contains("lies inside (by their histogram alone"), "{}", inside.because);
    }

    /// Log writes of 2 to 4 ms, the log writer a third busy: they explain about 3.5 ms.
    fn with_sync(sync_s: f64) -> Hour {
        Hour::new(10_000.0)
            .foreground("log file sync", 100_000.0, sync_s)
            .background("log file parallel write", 400_000.0, 1200.0)
            .histogram(
                "log file parallel write",
                &[(Some(2048.0), 0.0), (Some(4096.0), 400_000.0), (None, 0.0)],
            )
    }

    fn commit(hour: &Hour) -> Commit {
        Case::new(&hour.report, &Options::default()).commit
    }

    #[test]
    fn the_observation_is_held_against_bounds() {
        assert_eq!(commit(&with_sync(350.0)).outcome, "writes_explain_it");
        let excess = commit(&with_sync(4600.0));
        assert_eq!(excess.outcome, "excess");
        assert!(excess.because.contains("46 ms is above"), "{}", excess.because);
        assert_eq!(commit(&with_sync(100.0)).outcome, "below_model");
    }

    #[test]
    fn what_the_database_measured_comes_first() {
        let hour = with_sync(4600.0)
            .stat("redo synch writes", 1000.0)
            .stat("redo synch time (usec)", 5e6)
            .stat("redo synch time overhead (usec)", 1e6);
        let commit = commit(&hour);
        assert_eq!(commit.outcome, "measured");
        assert_eq!((commit.measured_sync_us, commit.measured_overhead_us), (Some(5000.0), Some(1000.0)));
        assert!(commit.explained_us.is_some(), "the model is still shown");
    }

    /// A histogram whose interval is not printed (an excerpt) bounds the writes all the same: a log
    /// writer is never more than always busy.
    #[test]
    fn a_histogram_without_elapsed_time_was_no_bound() {
        let hour = with_sync(4600.0).with(|r| r.identity.elapsed_s = None);
        let commit = commit(&hour);
        assert_eq!(commit.outcome, "excess", "{}", commit.because);
        let explained = commit.explained_us.unwrap();
        assert_eq!(explained.low, 3000.0, "one mean write");
        assert!(explained.high > 4000.0 && explained.high < 6000.0, "{explained:?}");
        assert!(commit.most_of_writes().is_some_and(|part| part < 0.2));
    }

    #[test]
    fn what_passed_after_the_write_bounds_the_writes_without_a_model() {
        let hour = Hour::new(10_000.0)
            .foreground("log file sync", 100_000.0, 2_900.0)
            .stat("redo synch writes", 100_000.0)
            .stat("redo synch time (usec)", 2_900e6)
            .stat("redo synch time overhead (usec)", 2_800e6);
        let commit = commit(&hour);
        assert!((commit.most_of_writes().unwrap() - 1.0 / 29.0).abs() < 1e-9);
        assert_eq!(commit.least_of_writes(), 0.0, "no write is printed");
        assert!(!commit.hardly_writes(), "it is measured");
    }

    #[test]
    fn absence_is_told_from_ignorance() {
        let hour = Hour::new(100.0).foreground("db file sequential read", 10.0, 1.0);
        assert_eq!(commit(&hour).outcome, "no_commits");
        assert_eq!(commit(&Hour::new(100.0)).outcome, "cannot_tell");
        let no_histogram = Hour::new(100.0).foreground("log file sync", 10.0, 1.0).background(
            "log file parallel write",
            10.0,
            0.5,
        );
        assert_eq!(commit(&no_histogram).outcome, "cannot_tell");
    }
}
