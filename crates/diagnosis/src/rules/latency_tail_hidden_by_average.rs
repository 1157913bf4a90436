//! A latency tail hidden by the average.
//!
//! # What it detects
//! The mean read is as fast as it should be, and yet waits far longer than the bar carry much of
//! the time: a cache or flash answers most reads, and what is behind it, or a queue, answers the
//! rest.
//!
//! # Why it costs response time
//! A user feels the slow reads and not the mean. A statement with a thousand reads meets every
//! tail that one read in a hundred has. Only the distribution shows it.
//!
//! # Facts needed
//! Foreground wait events with waits and time, and the wait histogram of the same event. The
//! histogram mixes foreground and background, so the background's time is taken off the tail.
//!
//! # Thresholds
//! | threshold | value | source |
//! |---|---|---|
//! | where the tail begins | three times the bar for the mean (30 ms on disk, 3 ms on flash, for single blocks) | ours |
//! | share of the event's time in the tail, at least | 30 % | a memoryless service has 20 % of its time beyond three times its mean; more is a tail |
//! | materiality of the tail | 3 % of DB time, or 1 % where half a session always waits | ours |
//!
//! The tail's time is a lower bound: every wait is counted at the lower end of its bucket.
//!
//! # When it is wrong
//! A mean above the bar, or one that is not known, is no hidden tail; the rules for slow reads speak
//! then. A few minutes of
//! bad storage within an hour look like a tail: shorter intervals tell.
//!
//! # What to do
//! Find what the slow reads have in common: files (slow disks, a busy pool), time (backup, batch,
//! snapshots), size. Two separate peaks mean a cache that misses: enlarge it or place what misses.
//! One long slope means queues: look at the devices' load and queue depth.
//!
//! # SQL to see the evidence
//! ```sql
//! select event, wait_time_milli, wait_count,
//!        round(100 * ratio_to_report(wait_count) over (partition by event), 1) as pct
//! from   v$event_histogram
//! where  event in ('db file sequential read', 'db file scattered read')
//! order  by event, wait_time_milli;
//! ```

use super::material::{
    AT_THE_BAR, Against, Waits, counts_others, foreground_waits, is_material, mean_against, of_db_time,
    slow_end, spread, spread_evidence,
};
use crate::{Bars, Case, EventTotal, Finding, Verdict, words};

const SINGLE_BLOCK: &[&str] = &["db file sequential read", "cell single block physical read"];
const MULTI_BLOCK: &[&str] = &["db file scattered read", "cell multiblock physical read"];

/// The tail begins at so many times the bar.
const TAIL_FACTOR: f64 = 3.0;
/// Least share of the event's time in the tail, percent.
const TAIL_SHARE_PCT: f64 = 30.0;

/// Do few slow reads behind a good mean carry much of the time?
pub(super) fn run(case: &Case<'_>) -> Verdict {
    let (mut tails, mut missing) = tails(case, &case.bars);
    // What is slow for flash, or has a tail for flash, need not for disks.
    if let Some((bars, what)) = &case.stricter
        && missing.is_none()
    {
        let slow = |names: &[&str], bar_us: f64| match foreground_waits(case, names) {
            Waits::Material(events) => events.iter().any(|e| mean_against(e, bar_us) != Against::Below),
            _ => false,
        };
        let hidden = !self::tails(case, bars).0.is_empty()
            || slow(SINGLE_BLOCK, bars.single_block_read_us)
            || slow(MULTI_BLOCK, bars.multi_block_read_us);
        missing = hidden.then(|| what.clone());
    }
    tails.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    match (tails.first(), missing) {
        (Some(worst), _) => Verdict::Found(finding(case, worst, &tails)),
        (None, Some(missing)) => Verdict::CannotTell(missing),
        (None, None) => Verdict::NotFound,
    }
}

/// The tails of reads whose mean is within these bars, and what is missing to see others.
fn tails<'c>(case: &'c Case<'_>, bars: &Bars) -> (Vec<Tail<'c>>, Option<String>) {
    let mut missing = None;
    let mut tails = Vec::new();
    let kinds = [(SINGLE_BLOCK, bars.single_block_read_us), (MULTI_BLOCK, bars.multi_block_read_us)];
    for (names, bar_us) in kinds {
        match foreground_waits(case, names) {
            Waits::Trivial => {}
            Waits::Unknown(what) => missing = Some(what),
            Waits::Material(events) => {
                for event in events.iter().filter(|e| mean_against(e, AT_THE_BAR * bar_us) == Against::Below)
                {
                    if case.histogram(&event.event).is_none()
                        && is_material(case, case.event_time_s(&event.event))
                    {
                        missing = Some(format!("the wait histogram of {}", event.event));
                    }
                    if counts_others(case, &event.event) {
                        missing =
                            Some(format!("a wait histogram of {} that counts the same waits", event.event));
                    }
                    tails.extend(tail(case, event, TAIL_FACTOR * bar_us));
                }
            }
        }
    }
    (tails, missing)
}

/// The slow end of an event's waits.
struct Tail<'c> {
    event: &'c EventTotal,
    from_us: f64,
    /// Foreground time in it, at least.
    seconds: f64,
    /// Share of the waits in it, at most, percent.
    share_of_waits_pct: f64,
}

fn tail<'c>(case: &Case<'_>, event: &'c EventTotal, longer_than_us: f64) -> Option<Tail<'c>> {
    let end = slow_end(case, &event.event, longer_than_us)?;
    let background_s = case.background_event(&event.event).map_or(0.0, |b| b.time_s);
    let event_s = case.event_time_s(&event.event);
    let seconds = (end.seconds - background_s).clamp(0.0, event_s);
    (is_material(case, seconds) && 100.0 * seconds >= TAIL_SHARE_PCT * event_s).then_some(Tail {
        event,
        from_us: end.from_us,
        seconds,
        share_of_waits_pct: end.share_of_waits_pct,
    })
}

fn finding(case: &Case<'_>, worst: &Tail<'_>, tails: &[Tail<'_>]) -> Finding {
    let event_s = case.event_time_s(&worst.event.event);
    let mean =
        worst.event.avg_us.map_or(String::new(), |us| format!("a mean of {} hides: ", words::latency(us)));
    let peaks = case.histogram(&worst.event.event).map_or(0, |h| h.peaks().len());
    Finding {
        title: format!(
            "{}: {mean}at most {} of the waits last over {} and carry at least {} of its time, {}{}",
            worst.event.event,
            words::percent(worst.share_of_waits_pct),
            words::latency(worst.from_us),
            words::percent(100.0 * worst.seconds / event_s),
            words::seconds(worst.seconds),
            of_db_time(case, worst.seconds),
        ),
        storage: true,
        claims: tails
            .iter()
            .map(|t| crate::Claim { of: t.event.event.clone(), seconds: t.seconds })
            .collect(),
        evidence: tails
            .iter()
            .flat_map(|t| [Some(case.event_evidence(t.event)), spread_evidence(case, &t.event.event)])
            .flatten()
            .collect(),
        actions: vec![
            if peaks > 1 {
                "The waits have two peaks: something fast answers most reads, something slow the rest. Find which \
                 files miss the fast one (File IO Stats) and enlarge it or place them on it."
                    .to_owned()
            } else {
                "The waits form one slope with a long end, as queues do: look at device utilisation and queue depth \
                 (`iostat -x`) when the slow reads happen, and for backup, batch or snapshots at those minutes."
                    .to_owned()
            },
            format!(
                "Judge this storage by its percentiles ({}), not by its mean.",
                spread(case, &worst.event.event).unwrap_or_default()
            ),
        ],
        caveat: "The histogram counts foreground and background together; all of the background's time was taken off \
                 the tail, so the tail is a lower bound. A few bad minutes in the interval look the same."
            .to_owned(),
        ..Finding::default()
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::DeviceClass;
    use crate::rules::testing::Hour;

    const MS: f64 = 1024.0;

    /// A million reads of which some last 8 to 16 ms; the rest under 1 ms.
    fn hour(slow_reads: f64, seconds: f64) -> Hour {
        Hour::new(7200.0)
            .device(DeviceClass::Flash)
            .foreground("db file sequential read", 1_000_000.0, seconds)
            .histogram(
                "db file sequential read",
                &[(Some(MS), 1_000_000.0 - slow_reads), (Some(8.0 * MS), 0.0), (Some(16.0 * MS), slow_reads)],
            )
    }

    #[test]
    fn a_tail_of_two_percent_behind_a_good_mean() {
        // 40,000 reads at 8 ms and more are at least 328 s of 900 s.
        let finding = hour(40_000.0, 900.0).found(run);
        assert!(finding.title.contains("at most 4 % of the waits"), "{}", finding.title);
        assert!((finding.claims[0].seconds - 327.68).abs() < 0.01);
        // 30,000 reads are 246 s of 900 s: less than the 30 % that make a tail.
        hour(30_000.0, 900.0).not_found(run);
    }

    #[test]
    fn a_mean_above_the_bar_is_not_hidden() {
        hour(40_000.0, 1100.0).not_found(run);
    }

    #[test]
    fn a_histogram_of_other_waits_proves_nothing() {
        let other = |reads| {
            Hour::new(7200.0)
                .device(DeviceClass::Flash)
                .foreground("db file sequential read", reads, 900.0)
                .histogram(
                    "db file sequential read",
                    &[(Some(8.0 * MS), 960_000.0), (Some(16.0 * MS), 40_000.0)],
                )
        };
        other(1_900_000.0).found(run);
        assert!(other(2_100_000.0).missing(run).contains("counts the same waits"));
    }

    #[test]
    fn the_background_may_own_the_tail() {
        hour(40_000.0, 900.0).background("db file sequential read", 20_000.0, 300.0).not_found(run);
    }

    #[test]
    fn without_histogram_it_cannot_tell() {
        let hour = Hour::new(7200.0).device(DeviceClass::Flash);
        let missing = hour.foreground("db file sequential read", 1_000_000.0, 900.0).missing(run);
        assert!(missing.contains("histogram"));
    }
}
