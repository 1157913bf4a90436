//! What every rule asks first: is it worth a DBA's time, and does the report even say?
//!
//! One place for the thresholds of materiality, so that no rule reports trivial seconds. They are
//! ours: practitioners notice a wait from 5 % of DB time on (`log file sync`) or from 10 % (user
//! I/O); we ask less of a single cause, and nothing of a database that does next to nothing.

use crate::{Case, EventTotal, words};
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
    /// Neither DB time nor its parts are printed.
    Unknown,
}

/// Weight of some seconds of DB time.
pub(crate) fn weight(case: &Case<'_>, seconds: f64) -> Weight {
    let Some(share_pct) = share_pct(case, seconds) else { return Weight::Unknown };
    // Without elapsed time the share has to decide alone.
    let sessions = case.elapsed_s().map(|elapsed| seconds / elapsed.min(DAY_AT_WORK_S));
    let material = share_pct >= SHARE_PCT && sessions.is_none_or(|s| s >= SESSIONS)
        || share_pct >= BUSY_SHARE_PCT && sessions.is_some_and(|s| s >= BUSY_SESSIONS);
    if material { Weight::Material } else { Weight::Trivial }
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
        && case.elapsed_s().is_none_or(|elapsed| seconds / elapsed.min(DAY_AT_WORK_S) >= SESSIONS)
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
    let weight_of_all = weight(case, seconds);
    if weight_of_all == Weight::Trivial
        && let Some(missing) = unread(case, names, seconds)
    {
        return Waits::Unknown(missing);
    }
    match weight_of_all {
        Weight::Material => Waits::Material(events),
        Weight::Unknown => {
            Waits::Unknown("DB time, or the foreground waits and CPU that it is made of".to_owned())
        }
        Weight::Trivial if case.prints_wait_events() => Waits::Trivial,
        Weight::Trivial => match smallest_top_event_s(case) {
            None => {
                Waits::Unknown("the wait events (section Foreground Wait Events or Wait Events)".to_owned())
            }
            Some(ceiling) if events.is_empty() && weight(case, ceiling) == Weight::Material => {
                Waits::Unknown(format!(
                    "the waits for {}: only the top events are printed, the smallest of them {}",
                    names[0],
                    words::seconds(ceiling)
                ))
            }
            Some(_) => Waits::Trivial,
        },
    }
}

/// What keeps events that cost `seconds` from being trivial, where waits for them may not have been read.
pub(crate) fn unread(case: &Case<'_>, names: &[&str], seconds: f64) -> Option<String> {
    let what = format!("the waits for {}", names.first()?);
    let (missing, most_s) = case.unread_waits(&what, |event| names.iter().any(|n| is_event(event, n)))?;
    is_material(case, seconds + most_s).then_some(missing)
}

/// Is this event of that name, or a part of it (`cell single block physical read: flash cache`)?
pub(crate) fn is_event(event: &str, name: &str) -> bool {
    event.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Seconds of the smallest foreground event that a list of top events still prints: what it does
/// not print cannot be more.
fn smallest_top_event_s(case: &Case<'_>) -> Option<f64> {
    case.events
        .iter()
        .filter(|e| e.side == spindle_facts::Side::Foreground)
        .map(|e| e.time_s)
        .min_by(f64::total_cmp)
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

/// Waits of an event that last longer than this. `None` where there is no histogram, no wait that
/// long, or where the histogram does not count the same waits as the event rows (half to twice):
/// an extract may print the two for different times.
pub(crate) fn slow_end(case: &Case<'_>, event: &str, longer_than_us: f64) -> Option<SlowEnd> {
    let histogram = case.histogram(event)?;
    let rows = [case.foreground_event(event), case.background_event(event)];
    let waits: f64 = rows.into_iter().flatten().filter_map(|e| e.waits).sum();
    let counted = histogram.counted_waits();
    if !(0.5 * waits..=2.0 * waits).contains(&counted) {
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
            format!(" ({} of {what})", words::percent(pct))
        }
    })
}
