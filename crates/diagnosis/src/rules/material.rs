//! What every rule asks first: is it worth a DBA's time, and does the report even say?
//!
//! One place for the thresholds of materiality, so that no rule reports trivial seconds. They are
//! ours: practitioners notice a wait from 5 % of DB time on (`log file sync`) or from 10 % (user
//! I/O); we ask less of a single cause, and nothing of a database that does next to nothing.

use crate::{Case, EventTotal, Verdict, words};
use spindle_facts::Interval;

/// Share of DB time from which a cause is worth a line, percent.
pub(crate) const SHARE_PCT: f64 = 3.0;
/// Average active sessions that it must hold up besides: 0.02 is 72 seconds an hour.
pub(crate) const SESSIONS: f64 = 0.02;
/// Share of DB time that is enough on a busy database, percent.
pub(crate) const BUSY_SHARE_PCT: f64 = 1.0;
/// Average active sessions that count as busy for one cause: someone is always waiting.
pub(crate) const BUSY_SESSIONS: f64 = 0.5;
/// An average over more than this is one over nights and weekends too: sessions are counted as if all
/// fell into so many seconds, lest a month makes every cause a trifle.
pub(crate) const DAY_AT_WORK_S: f64 = 8.0 * 3600.0;
/// Share of DB time below which a background symptom has no foreground effect, percent.
pub(crate) const EFFECT_SHARE_PCT: f64 = 1.0;
/// Share of background time from which a background wait is worth a line, percent.
pub(crate) const BACKGROUND_SHARE_PCT: f64 = 10.0;

/// Up to here a mean is at its bar and no cause: bars are round numbers.
pub(crate) const AT_THE_BAR: f64 = 1.05;

/// How much some seconds of DB time matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Worth a line.
    Material,
    /// Too little to report.
    Trivial,
    /// Much of DB time, of a database that does next to nothing: neither worth a line nor none.
    BelowLoad,
    /// Neither DB time nor its parts are printed, or without the length of the interval it could be either.
    Unknown,
}

/// Weight of some seconds of DB time.
pub(crate) fn weight(case: &Case<'_>, seconds: f64) -> Weight {
    let Some(share_pct) = share_pct(case, seconds) else { return Weight::Unknown };
    // Without elapsed time the share has to decide alone.
    let sessions = case.elapsed_s().map(|elapsed| seconds / elapsed.min(DAY_AT_WORK_S));
    match sessions {
        Some(sessions) if share_pct >= SHARE_PCT && is_below_load(case, sessions) => Weight::BelowLoad,
        _ if share_pct >= SHARE_PCT => Weight::Material,
        Some(sessions) if share_pct >= BUSY_SHARE_PCT && sessions >= BUSY_SESSIONS => Weight::Material,
        None if share_pct >= BUSY_SHARE_PCT => Weight::Unknown,
        // Little beside waits of the background may be much of DB time.
        _ if seconds > 0.0 && case.whole_holds_background() => Weight::Unknown,
        _ => Weight::Trivial,
    }
}

/// Are so many sessions on average too few to judge?
pub(crate) fn is_below_load(case: &Case<'_>, sessions: f64) -> bool {
    sessions < SESSIONS && !case.any_load
}

/// What a rule says of some seconds that are not worth a line, or of which nobody knows; `None` where they are
/// worth one. `what` names them in a sentence.
pub(crate) fn not_worth(case: &Case<'_>, what: &str, seconds: f64) -> Option<Verdict> {
    match weight(case, seconds) {
        Weight::Material => None,
        Weight::Trivial => Some(Verdict::NotFound),
        Weight::BelowLoad => Some(Verdict::CannotTell(below_load(case, what, seconds))),
        Weight::Unknown => Some(Verdict::CannotTell(unweighed(case))),
    }
}

/// As [`not_worth`], of foreground waits for so many kinds of events, of which some may not be listed.
pub(crate) fn waits_not_worth(case: &Case<'_>, what: &str, kinds: usize, seconds: f64) -> Option<Verdict> {
    match not_worth(case, what, seconds)? {
        Verdict::NotFound => Some(match unlisted(case, what, kinds, seconds) {
            Some(missing) => Verdict::CannotTell(missing),
            None => Verdict::NotFound,
        }),
        verdict => Some(verdict),
    }
}

/// Why nobody knows whether some seconds matter.
pub(crate) fn unweighed(case: &Case<'_>) -> String {
    if share_pct(case, 1.0).is_none() || case.whole_holds_background() {
        "DB time, or the foreground waits and CPU that it is made of".to_owned()
    } else {
        "the length of the interval (snapshot times, elapsed time)".to_owned()
    }
}

/// `enough load to judge (waits for locks: 52.9 s (99 % of DB time), fewer than 0.02 active sessions on average)`
pub(crate) fn below_load(case: &Case<'_>, what: &str, seconds: f64) -> String {
    let all = case.db_time_s().is_some_and(|db_time_s| db_time_s <= seconds);
    let share = if all { String::new() } else { of_db_time(case, seconds) };
    format!(
        "enough load to judge ({what}: {}{share}, fewer than {SESSIONS} active sessions on average)",
        words::seconds(seconds)
    )
}

/// What is missing, where foreground waits for events of so many kinds cost `seconds` as far as they were read, and
/// others of them, which are not listed, may make them worth a line.
pub(crate) fn unlisted(case: &Case<'_>, what: &str, kinds: usize, seconds: f64) -> Option<String> {
    let rest = case.unlisted_waits()?;
    #[allow(clippy::cast_precision_loss, reason = "events have few kinds")]
    let most_s = (rest.each_s * kinds as f64).min(rest.most_s);
    may_be_material(case, seconds + most_s).then(|| format!("{what}: {}", rest.why))
}

/// Is it worth a line? `false` where nothing tells.
pub(crate) fn is_material(case: &Case<'_>, seconds: f64) -> bool {
    weight(case, seconds) == Weight::Material
}

/// Could so many seconds be worth a line? `true` where nothing tells.
pub(crate) fn may_be_material(case: &Case<'_>, seconds: f64) -> bool {
    weight(case, seconds) != Weight::Trivial
}

/// Do some seconds of DB time show that a background symptom reaches the users?
pub(crate) fn has_effect(case: &Case<'_>, seconds: f64) -> bool {
    share_pct(case, seconds).is_some_and(|pct| pct >= EFFECT_SHARE_PCT)
        && !case.elapsed_s().is_some_and(|elapsed| is_below_load(case, seconds / elapsed.min(DAY_AT_WORK_S)))
}

/// What a rule says of foreground waits without effect ([`has_effect`]), of which so many kinds may not be listed.
pub(crate) fn waits_without_effect(case: &Case<'_>, what: &str, kinds: usize, seconds: f64) -> Verdict {
    let Some(pct) = share_pct(case, seconds) else { return Verdict::CannotTell(unweighed(case)) };
    if pct >= EFFECT_SHARE_PCT {
        return Verdict::CannotTell(below_load(case, what, seconds));
    }
    #[allow(clippy::cast_precision_loss, reason = "events have few kinds")]
    let rest = case.unlisted_waits().map(|rest| ((rest.each_s * kinds as f64).min(rest.most_s), rest.why));
    match rest.filter(|(most_s, _)| share_pct(case, seconds + most_s).is_none_or(|p| p >= EFFECT_SHARE_PCT)) {
        Some((_, why)) => Verdict::CannotTell(format!("{what}: {why}")),
        None => Verdict::NotFound,
    }
}

/// Percent of DB time; of CPU and waits where the release prints no DB time (Statspack 9i, 10gR1).
pub(crate) fn share_pct(case: &Case<'_>, seconds: f64) -> Option<f64> {
    let side = &case.response_time.foreground;
    let whole = case.db_time_s().or_else(|| {
        let sum = side.cpu_s.unwrap_or(0.0) + side.wait_s?;
        (sum > 0.0).then_some(sum)
    })?;
    Some(100.0 * seconds / whole)
}

/// Background wait time of an event as a share of the background's elapsed time, percent; of its
/// waits and CPU where that is not printed.
pub(crate) fn background_share_pct(case: &Case<'_>, seconds: f64) -> Option<f64> {
    let side = &case.response_time.background;
    let whole = side.db_time_s.or(side.wait_s).filter(|s| *s > 0.0)?;
    Some(100.0 * seconds / whole)
}

/// What the report says of the foreground waits for some events.
#[derive(Debug)]
pub(crate) enum Waits<'c> {
    /// Together they are material: those printed, largest first.
    Material(Vec<&'c EventTotal>),
    /// Together they are trivial.
    Trivial,
    /// The report does not say; what is missing, in a DBA's words.
    Unknown(String),
}

/// Foreground waits for events of these names, or of these names with `: ...` behind (Exadata from
/// 19c on counts single-block reads apart by where the block was).
pub(crate) fn foreground_waits<'c>(case: &'c Case<'_>, names: &[&str]) -> Waits<'c> {
    let events: Vec<&EventTotal> = case
        .events
        .iter()
        .filter(|e| e.side == spindle_facts::Side::Foreground && names.iter().any(|n| is_event(&e.event, n)))
        .collect();
    let seconds: f64 = events.iter().map(|e| case.event_time_s(&e.event)).sum();
    let what = format!("the waits for {}", names.first().copied().unwrap_or_default());
    let read = |name: &&&str| events.iter().any(|e| is_event(&e.event, name));
    let missing = names.len() - names.iter().filter(read).count();
    match waits_not_worth(case, &what, missing, seconds) {
        None => Waits::Material(events),
        Some(Verdict::CannotTell(missing)) => Waits::Unknown(missing),
        Some(_) => unread(case, names, seconds).map_or(Waits::Trivial, Waits::Unknown),
    }
}

/// What keeps events that cost `seconds` from being trivial, where waits for them may not have been read.
pub(crate) fn unread(case: &Case<'_>, names: &[&str], seconds: f64) -> Option<String> {
    let what = format!("the waits for {}", names.first()?);
    let (missing, most_s) = case.unread_waits(&what, |event| names.iter().any(|n| is_event(event, n)))?;
    is_material(case, seconds + most_s).then_some(missing)
}

/// Is this event of that name, or a part of it (`cell single block physical read: flash cache`), or what a text that
/// clips names leaves of either?
pub(crate) fn is_event(event: &str, name: &str) -> bool {
    is_clipped(event, name)
        || event.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Is this what a text that clips names leaves of this one? The parts of an event begin as the event does, so that
/// which of them it is stays open, not what was waited for.
pub(crate) fn is_clipped(event: &str, name: &str) -> bool {
    /// Columns of events are no narrower.
    const CLIPPED: usize = 26;
    event.len() >= CLIPPED && event.len() < name.len() && name.starts_with(event)
}

/// Where a mean stands against a bar, given what rounding hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    /// Above, whatever rounding hid.
    Above,
    /// Not above, whatever rounding hid.
    Below,
    /// Rounding hides it.
    Straddles,
    /// No mean is printed or can be computed.
    Unknown,
}

/// Mean wait of an event against a bar.
pub(crate) fn mean_against(event: &EventTotal, bar_us: f64) -> Against {
    let Some(bounds) = mean_bounds(event) else { return Against::Unknown };
    if bounds.low > bar_us {
        Against::Above
    } else if bounds.high > bar_us {
        Against::Straddles
    } else {
        Against::Below
    }
}

/// Is the mean wait of an event clearly above its bar: by more than what counts as at it?
pub(crate) fn is_slow(event: &EventTotal, bar_us: f64) -> bool {
    mean_against(event, AT_THE_BAR * bar_us) == Against::Above
}

/// Is the mean wait of an event known to be no more than this?
pub(crate) fn mean_within(event: &EventTotal, bar_us: f64) -> bool {
    mean_against(event, bar_us) == Against::Below
}

/// Bounds of the mean wait: those of the row, else of its time over its waits.
pub(crate) fn mean_bounds(event: &EventTotal) -> Option<Interval> {
    event.avg_us_bounds.or_else(|| match event.waits.filter(|w| *w > 0.0) {
        Some(waits) => Some(event.time_s_bounds.scaled(1e6 / waits)),
        None => event.avg_us.map(Interval::exact),
    })
}

/// The slow end of a histogram, as its buckets cut it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlowEnd {
    /// Where it begins: the first bucket bound that is not below what was asked for.
    pub(crate) from_us: f64,
    /// Share of the waits in it, at most, percent.
    pub(crate) share_of_waits_pct: f64,
    /// Time in it, at least, seconds, foreground and background.
    pub(crate) seconds: f64,
}

/// Does the histogram of an event count other waits than its rows (half to twice)? Then one of the two is of another
/// time, or the rows of one side were not read.
pub(crate) fn counts_others(case: &Case<'_>, event: &str) -> bool {
    let Some(histogram) = case.histogram(event) else { return false };
    let rows = [case.foreground_event(event), case.background_event(event)];
    let waits: f64 = rows.into_iter().flatten().filter_map(|e| e.waits).sum();
    !(0.5 * waits..=2.0 * waits).contains(&histogram.counted_waits())
}

/// Waits of an event that last longer than this. `None` where there is no histogram, no wait that
/// long, or where the histogram does not count the same waits as the event rows (half to twice):
/// an extract may print the two for different times.
pub(crate) fn slow_end(case: &Case<'_>, event: &str, longer_than_us: f64) -> Option<SlowEnd> {
    let histogram = case.histogram(event)?;
    if counts_others(case, event) {
        return None;
    }
    let from_us = histogram.buckets.iter().map(|b| b.low_us).find(|low| *low >= longer_than_us)?;
    Some(SlowEnd {
        from_us,
        share_of_waits_pct: histogram.share_above_pct(from_us)?.high,
        seconds: histogram.time_above_s(from_us).low,
    })
}

/// How the waits of an event are spread: `half within 0.5 ms, 99 % within 16.4 ms`.
pub(crate) fn spread(case: &Case<'_>, event: &str) -> Option<String> {
    let histogram = case.histogram(event)?;
    let within = |p: Interval| {
        if p.high.is_finite() {
            format!("within {}", words::latency(p.high))
        } else {
            format!("only beyond {}", words::latency(p.low))
        }
    };
    let (half, most) = (histogram.percentile_us(50.0)?, histogram.percentile_us(99.0)?);
    Some(format!("half {}, 99 % {}", within(half), within(most)))
}

/// The histogram of an event as proof, where the report prints one.
pub(crate) fn spread_evidence(case: &Case<'_>, event: &str) -> Option<crate::Evidence> {
    let histogram = case.histogram(event)?;
    let rows = &case.report.tables.wait_histogram;
    let row = rows.iter().position(|h| h.event == histogram.event).unwrap_or(0);
    let text = format!("{event}: {} (foreground and background)", spread(case, event)?);
    Some(case.evidence("wait_histogram", row, histogram.line, histogram.section, text))
}

/// ` (12 % of DB time)`, or nothing where DB time is not known.
pub(crate) fn of_db_time(case: &Case<'_>, seconds: f64) -> String {
    /// Beyond what rounding and calls across the ends of the interval may add, percent.
    const WHOLE_PCT: f64 = 102.0;
    let side = &case.response_time.foreground;
    let what = match (case.db_time_s(), side.cpu_s) {
        (Some(_), _) => "DB time",
        (None, Some(_)) => "CPU and waits",
        (None, None) => "the waits",
    };
    // What stands for DB time is named where it does not hold.
    let from_parts = side.db_time_from.is_some_and(|from| from.starts_with("CPU"));
    let whole = if from_parts { "CPU and waits" } else { what };
    share_pct(case, seconds).map_or(String::new(), |pct| {
        // No part is more than the whole: one of the two counts what the other does not.
        if pct > WHOLE_PCT {
            format!(" (more than {whole})")
        } else {
            let ranged = case.share_in_words(seconds).filter(|_| side.db_time_bounds.is_some());
            format!(" ({} of {what})", ranged.unwrap_or_else(|| words::percent(pct)))
        }
    })
}
