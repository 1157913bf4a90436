//! Two periods held against each other: what changed, what explains the change of DB time, whether it
//! is real.
//!
//! [`Digest::of`] reduces each report on the thread that read it; [`compare`] adds up the sides and
//! holds them against each other. `waterfall` adds up exactly, and swapping the sides flips every sign.

mod amount;
mod basis;
mod beside;
mod carried;
mod changes;
mod complete;
mod databases;
mod digest;
#[cfg(test)]
mod judged;
mod keep;
mod latency;
mod levels;
mod metrics;
mod names;
mod noise;
mod points;
mod rank;
mod says;
mod side;
mod significance;
mod slope;
mod statements;
#[cfg(test)]
mod tests;
mod times_unknown;
mod trend;
mod two_days;
mod uneven;
mod waterfall;
mod weekends;

pub use amount::Amount;
pub use basis::{Normalised, Per, said};
pub use beside::{Elsewhen, PlanSwitch};
pub use changes::Changed;
pub use complete::{complete, unwind};
pub use digest::Digest;
pub use keep::Keeper;
pub use latency::{LatencyChange, LatencySide, Move, Shift};
pub use metrics::{IoChange, MetricChange};
pub use significance::{Outcome, Test};
pub use statements::{Pair, StatementChange};
pub use trend::{ChangePoint, Trend, TrendPoint, level, trend};
pub use waterfall::{Step, StepKind};
pub use weekends::Weekend;

use basis::Basis;
use databases::Databases;
use names::Names;
use serde::Serialize;
use side::{SideTotal, by_identity, same_interval, without_overlaps, without_parts};
use spindle_facts::{Identity, Period, epoch_s};
use std::collections::BTreeSet;

/// Reports whose header denies their time model are named up to so many.
const DOUBTS: usize = 4;

/// Statements kept in a comparison.
const STATEMENTS: usize = 60;

/// One side, as the document of `spindle compare --json` has it.
#[derive(Clone, Debug, Serialize)]
pub struct SideHead {
    /// Identity of its first report; times, elapsed and DB time are those of the whole side.
    #[serde(flatten)]
    pub identity: Identity,
    /// Databases that are added up; its identity names none where they are several.
    pub databases: Vec<String>,
    /// Intervals that are added up; instances, and databases, of one time are one.
    pub intervals: usize,
    /// Reports that are added up.
    pub reports: usize,
    /// Reports of the side that are not: doubles, parts of others, restarts inside, nothing to compare.
    pub left_out: usize,
    /// Where they came from.
    pub sources: Vec<String>,
}

/// Everything that is said about two sides.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What changed, in a few sentences with numbers.
    pub answer: String,
    /// What stands behind it, a sentence each.
    pub says: Vec<String>,
    /// The sides are of two databases, or sums of other ones: what stands here are differences, no changes.
    pub two_databases: bool,
    /// The side before.
    pub before: SideHead,
    /// The side after.
    pub after: SideHead,
    /// `interval`, `second` or `transaction`: what seconds are of.
    pub normalised_by: &'static str,
    /// Unit of every `delta_s`, and why so.
    pub normalised: Normalised,
    /// DB time before on this basis.
    pub before_normalised_s: Option<f64>,
    /// Change of DB time.
    pub db_time_delta_s: Option<Amount>,
    /// Steps that add up to it, with `unexplained_s`.
    pub waterfall: Vec<Step>,
    /// What no step explains.
    pub unexplained_s: Option<f64>,
    /// Its bounds.
    pub unexplained_bounds_s: Option<Amount>,
    /// Load, rates and work.
    pub metrics: Vec<MetricChange>,
    /// Latencies.
    pub latency: Vec<LatencyChange>,
    /// Is it real?
    pub tests: Vec<Test>,
    /// Parameters that differ.
    pub changed_parameters: Vec<Changed>,
    /// Are parameters listed on both sides?
    pub parameters_compared: bool,
    /// Database, release, host, sizes of memory that differ.
    pub changed: Vec<Changed>,
    /// I/O by function, file type, tablespace, segment.
    pub io: Vec<IoChange>,
    /// Statements.
    pub statements: Vec<StatementChange>,
    /// Changes of level inside the sides, where a side has many intervals.
    pub change_points: Vec<ChangePoint>,
    /// What the reader must know, loudest first.
    pub warnings: Vec<String>,
}

/// What to compare, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompareOptions {
    /// What to divide by.
    pub per: Per,
}

/// Reports left out that an error names.
const REASONS: usize = 5;

/// Splits the periods of compare-period reports into before and after.
///
/// # Errors
/// The reports as they were, unless every one is such a period.
pub fn periods(digests: Vec<Digest>) -> Result<(Vec<Digest>, Vec<Digest>), Vec<Digest>> {
    let both = [Period::First, Period::Second].map(|p| digests.iter().any(|d| d.identity.period == Some(p)));
    if both != [true, true] || digests.iter().any(|d| d.identity.period.is_none()) {
        return Err(digests);
    }
    Ok(digests.into_iter().partition(|d| d.identity.period == Some(Period::First)))
}

/// Takes what can be compared, in an order of its own, and says what cannot.
fn usable<'d>(
    digests: &'d [Digest],
    which: &str,
    warnings: &mut Vec<String>,
) -> Result<Vec<&'d Digest>, String> {
    let from = warnings.len();
    let mut sorted: Vec<&Digest> = digests.iter().collect();
    sorted.sort_by(|a, b| by_identity(a, b));
    let mut kept: Vec<&Digest> = Vec::new();
    // What goes, and what covers the same interval.
    let mut twins: Vec<(&String, &String)> = Vec::new();
    // One file may hold hundreds of intervals: one sentence for all that share file and reason.
    let mut left_out: Vec<(&str, String, usize)> = Vec::new();
    let mut leave_out = |source: &'d str, why: String| match left_out
        .iter_mut()
        .rev()
        .take(64)
        .find(|(s, w, _)| *s == source && *w == why)
    {
        Some((.., count)) => *count += 1,
        None => left_out.push((source, why, 1)),
    };
    for digest in sorted {
        let source = &digest.identity.source;
        if digest.identity.spans_restart {
            leave_out(source, "the instance restarted inside it, so its counters began again".to_owned());
        } else if let Some(why) = digest.clock {
            leave_out(source, why.to_owned());
        } else if !digest.is_comparable() {
            let kind = changes::kind(digest.identity.kind);
            leave_out(source, format!("{kind} prints no DB time, CPU or events of an interval here"));
        } else if let Some(first) = kept.iter_mut().rev().take(64).find(|k| same_interval(k, digest)) {
            // The one that says more stays, whatever the names of the files.
            let goes =
                if digest.richness > first.richness { std::mem::replace(first, digest) } else { digest };
            twins.push((&goes.identity.source, &first.identity.source));
        } else {
            kept.push(digest);
        }
    }
    twins.sort();
    for one in twins.chunk_by(|a, b| a.0 == b.0) {
        let (goes, stays) = one[0];
        let others = kept.iter().filter(|d| d.identity.source == *goes).count();
        warnings.push(match (one.len(), others) {
            (1, 0) => format!("`{goes}` is left out: it covers the same interval as `{stays}`."),
            (n, 0) => format!(
                "`{goes}` is left out: its {n} intervals are the same as others, the first of `{stays}`."
            ),
            (n, _) => format!(
                "`{goes}`: {n} of its {} intervals are left out, being the same as others, the first of `{stays}`.",
                n + others
            ),
        });
    }
    warnings.extend(left_out.into_iter().map(|(source, why, count)| match count {
        1 => format!("`{source}` is left out: {why}."),
        _ => format!("`{source}`: {count} of its intervals are left out: {why}."),
    }));
    for (part, whole) in without_parts(&mut kept) {
        warnings.push(format!(
            "`{}` is left out: it is part of `{}`, of the whole database.",
            part.identity.source, whole.identity.source
        ));
    }
    let overlaps = without_overlaps(&mut kept);
    for one in overlaps.chunk_by(|a, b| a.0.identity.source == b.0.identity.source) {
        let (long, short) = (&one[0].0.identity, &one[0].1.identity);
        let begin = long.begin_time.as_deref().unwrap_or("a time unknown");
        warnings.push(match one.len() {
            1 => format!(
                "`{}`, from {begin}, is left out: part of its time is counted already, from `{}`.",
                long.source, short.source
            ),
            n => format!(
                "`{}`: {n} of its intervals, the first from {begin}, are left out: part of their time is counted already, from `{}`.",
                long.source, short.source
            ),
        });
    }
    // One report without DB time would leave the whole side without.
    if kept.iter().any(|d| d.db_time_s.is_some()) {
        kept.retain(|d| {
            if d.db_time_s.is_none() {
                warnings.push(format!(
                    "`{}` is left out: it prints no DB time, and others {which} do.",
                    d.identity.source
                ));
            }
            d.db_time_s.is_some()
        });
    }
    if kept.is_empty() {
        let said: Vec<&str> = warnings[from..].iter().map(String::as_str).collect();
        let more = said.len().saturating_sub(REASONS);
        return Err(match said.as_slice() {
            [] => format!("no report was read for the side {which}"),
            _ => format!(
                "nothing is left to compare {which}: {}{}",
                said[..said.len().min(REASONS)].join(" "),
                if more > 0 { format!(" And {more} more.") } else { String::new() }
            ),
        });
    }
    Ok(kept)
}

fn head(sorted: &[&Digest], total: &SideTotal, given: usize, databases: Vec<String>) -> Option<SideHead> {
    let mut identity = sorted.first()?.identity.clone();
    let times =
        |of: fn(&Identity) -> &Option<String>| sorted.iter().filter_map(move |d| of(&d.identity).clone());
    let by_time = |a: &String, b: &String| epoch_s(Some(a)).cmp(&epoch_s(Some(b)));
    identity.begin_time = times(|i| &i.begin_time).min_by(by_time);
    identity.end_time = times(|i| &i.end_time).max_by(by_time);
    identity.elapsed_s = total.elapsed_s;
    identity.db_time_s = total.db_time_s.map(|t| t.value);
    identity.db_time_s_low = total.db_time_s.map(|t| t.low);
    identity.db_time_s_high = total.db_time_s.map(|t| t.high);
    if sorted.len() > 1 {
        let several: BTreeSet<_> = sorted.iter().map(|d| d.identity.instance_number).collect();
        if several.len() > 1 {
            (identity.instance, identity.instance_number, identity.host) = (None, None, None);
        }
        (identity.begin_snap, identity.end_snap) = (None, None);
        // What is a sum of several is none of them.
        if databases.len() > 1 {
            (identity.instance, identity.instance_number, identity.container) = (None, None, None);
            (identity.db_name, identity.startup_time) = (None, None);
            if sorted.iter().any(|d| d.identity.host != identity.host) {
                identity.host = None;
            }
        }
        if sorted.iter().any(|d| d.identity.db_id != identity.db_id) {
            identity.db_id = None;
        }
    }
    Some(SideHead {
        identity,
        databases,
        intervals: total.intervals,
        reports: sorted.len(),
        left_out: given.saturating_sub(sorted.len()),
        sources: sorted.iter().map(|d| d.identity.source.clone()).collect(),
    })
}

/// Holds two sides against each other.
///
/// # Errors
/// A sentence, where a side holds nothing that can be compared or lacks what was asked for.
pub fn compare(before: &[Digest], after: &[Digest], options: &CompareOptions) -> Result<Comparison, String> {
    let mut left_out = Vec::new();
    let given = (before.len(), after.len());
    let before = usable(before, "before", &mut left_out)?;
    let after = usable(after, "after", &mut left_out)?;
    let names = Names::between(&before, &after);
    let (b, a) = (SideTotal::of(&before, &names), SideTotal::of(&after, &names));
    let basis = Basis::choose(options.per, &b, &a)?;
    let mut statements = statements::compare(&b, &a, &basis);
    let waterfall = waterfall::waterfall(&b, &a, &statements, &basis);
    statements.truncate(STATEMENTS);
    let metrics = metrics::compare(&b, &a);
    let latency = latency::compare(&b, &a);
    let (pb, pa) = (points::points(&before), points::points(&after));
    let databases = Databases::of(&before, &after);
    // A sum of some databases is no state of a sum of others.
    let tests = if databases.several() && (databases.differ() || !databases.together()) {
        Vec::new()
    } else {
        significance::tests((&pb, &b), (&pa, &a), &latency)
    };
    let carried = carried::carried(&pb, &pa);
    let all = |is: fn(&Digest, &Digest) -> bool| {
        before.len() == after.len() && before.iter().zip(&after).all(|(b, a)| is(b, a))
    };
    let same = if all(|b, a| b.identity.source == a.identity.source) {
        says::Same::Report
    } else if all(|b, a| same_interval(b, a) || b.identity.source == a.identity.source) {
        says::Same::Interval
    } else {
        says::Same::No
    };
    let mut warnings = changes::warnings(&before, &after, (&b, &a), &names, &databases);
    let two_databases = warnings.first().is_some_and(|w| w.starts_with("DIFFERENT DATABASES"));
    let loads = changes::loads(&metrics);
    let (mut answer, says) = says::Known {
        before: &b,
        after: &a,
        basis: &basis,
        per: options.per,
        waterfall: &waterfall,
        metrics: &metrics,
        latency: &latency,
        statements: &statements,
        tests: &tests,
        same,
        two_databases,
    }
    .sentences();
    let other_days = days(&pb, &pa);
    if !two_databases && answer.starts_with("DB time ") {
        // A weekend that one side has alone is a change of no interval.
        let more = if other_days.is_some() { Some(OTHER_DAYS.to_owned()) } else { carried };
        answer.extend(more.iter().flat_map(|said| [" ", said.as_str()]));
    }
    if answer.starts_with("Nothing changed") {
        warnings.retain(|w| !changes::is_of_equal_intervals(w));
    }
    // Nobody may read the answer without these.
    if let Some(loads) = loads {
        answer = format!("The loads do not compare. {answer}");
        warnings.insert(usize::from(two_databases), loads);
    }
    if two_databases {
        answer = format!("{} {answer}", databases.in_answer());
        answer.extend(databases.of_both_s(&before, &after).iter().flat_map(|said| [" ", said.as_str()]));
    }
    let doubted = || before.iter().chain(&after).filter_map(|d| Some((d, d.db_time_doubt.as_ref()?)));
    warnings.extend(doubted().take(DOUBTS).map(|(d, doubt)| format!("`{}`: {doubt}", d.identity.source)));
    match doubted().count().saturating_sub(DOUBTS) {
        0 => {}
        1 => warnings.push("1 more report has a header that denies its time model.".to_owned()),
        more => warnings.push(format!("{more} more reports have headers that deny their time models.")),
    }
    warnings.extend(lengths(&b, &a));
    warnings.extend(hours(&pb, &pa));
    warnings.extend(other_days);
    let mut change_points = Vec::new();
    for (which, side, points) in [("before", &before, &pb), ("after", &after, &pa)] {
        // Within a day the hour of the day cannot be told from a change.
        let found = if trend::over_a_day(points) { trend::change_points(side, points) } else { Vec::new() };
        // Weekends come and go in any state.
        let other = found.iter().find(|c| c.metric == "DB time a second" && c.weekend.is_none());
        if let Some(c) = other {
            let at = c.at.as_deref().map(|t| format!(" at {}", t.replacen('T', " ", 1))).unwrap_or_default();
            warnings.push(format!(
                "The side {which} is not one state: DB time a second went from {} to {}{at}{}.",
                level(c.before, c.unit),
                level(c.after, c.unit),
                if c.steady { ", or steadily" } else { "" }
            ));
        }
        change_points.extend(found);
    }
    warnings.extend(left_out);
    warnings.extend(names.said.iter().map(|s| format!("Events renamed: {s}.")));
    if !waterfall.one_sided.is_empty() {
        let named: Vec<String> = waterfall
            .one_sided
            .iter()
            .take(3)
            .map(|(event, which, seconds)| format!("{event} ({} {which})", crate::words::seconds(*seconds)))
            .collect();
        let more = waterfall.one_sided.len().saturating_sub(3);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        warnings.push(format!(
            "Printed on one side only, so unknown on the other and not in the steps: {}{more}.",
            named.join(", ")
        ));
    }
    // What one side's own database has set is no change.
    let parameters = match [databases.of_both(0, &before), databases.of_both(1, &after)] {
        [b, a] if databases.differ() && !b.is_empty() && !a.is_empty() => changes::parameters(&b, &a),
        _ => changes::parameters(&before, &after),
    };
    let missing = || "a side holds no report".to_owned();
    Ok(Comparison {
        answer,
        says,
        two_databases,
        before: head(&before, &b, given.0, databases.named(0)).ok_or_else(missing)?,
        after: head(&after, &a, given.1, databases.named(1)).ok_or_else(missing)?,
        normalised_by: basis.name,
        normalised: Normalised { by: basis.name, unit: basis.unit, because: basis.because.clone() },
        before_normalised_s: b.db_time_s.filter(|_| basis.comparable).map(|t| t.value / basis.before.value),
        db_time_delta_s: waterfall.db_time,
        waterfall: waterfall.steps,
        unexplained_s: waterfall.unexplained.map(|u| u.value),
        unexplained_bounds_s: waterfall.unexplained,
        metrics,
        latency,
        tests,
        parameters_compared: parameters.is_some(),
        changed_parameters: parameters.unwrap_or_default(),
        changed: changes::identity(&before, &after),
        io: metrics::io(&b, &a),
        statements,
        change_points,
        warnings,
    })
}

const OTHER_DAYS: &str =
    "The sides are of other days of the week: how much of that is a weekend's cannot be told.";

/// Intervals of a side are this many times as long as those of the other: their means do not compare.
const UNLIKE: f64 = 3.0;

/// Says where intervals are of unlike length: a mean over days hides the hour that the other side shows.
fn lengths(before: &SideTotal, after: &SideTotal) -> Option<String> {
    let one = |s: &SideTotal| Some(s.elapsed_s? / s.intervals.max(1) as f64);
    let (b, a) = (one(before)?, one(after)?);
    if b.max(a) < UNLIKE * b.min(a) {
        return None;
    }
    let said = |s: f64| {
        if s >= 3600.0 {
            format!("{} h", crate::words::significant(s / 3600.0))
        } else {
            format!("{} min", crate::words::significant(s / 60.0))
        }
    };
    Some(format!(
        "Intervals of unlike length: {} before, {} after; a mean over {} hides its peaks and its idle hours.",
        said(b),
        said(a),
        said(b.max(a))
    ))
}

/// An interval that reaches into an hour by less than this does not count for it.
const INTO_AN_HOUR_S: i64 = 300;

/// Hours of the day that an interval lies in.
fn hours_of(begin: i64, end: i64) -> BTreeSet<i64> {
    const HOUR: i64 = 3600;
    let first = begin.div_euclid(HOUR);
    let held = (first..first + 25).filter(|h| {
        let (from, to) = (h * HOUR, (h + 1) * HOUR);
        end.min(to) - begin.max(from) >= INTO_AN_HOUR_S
    });
    let hours: BTreeSet<i64> = held.map(|h| h.rem_euclid(24)).collect();
    if hours.is_empty() { BTreeSet::from([first.rem_euclid(24)]) } else { hours }
}

/// Says where the sides are of other hours of the day: load goes by the hour.
fn hours(before: &[points::Point], after: &[points::Point]) -> Option<String> {
    let of = |points: &[points::Point]| -> BTreeSet<i64> {
        points.iter().filter_map(|p| Some(hours_of(p.begin_s?, p.end_s?))).flatten().collect()
    };
    let (b, a) = (of(before), of(after));
    let apart = |x: i64, y: i64| (x - y).abs().min(24 - (x - y).abs());
    // One hour that both have does not make a night the like of a day.
    let met = |one: &BTreeSet<i64>, other: &BTreeSet<i64>| {
        2 * one.iter().filter(|x| other.iter().any(|y| apart(**x, *y) <= 1)).count() >= one.len()
    };
    if b.is_empty() || a.is_empty() || met(&b, &a) || met(&a, &b) {
        return None;
    }
    let said = |hours: &BTreeSet<i64>| {
        let named: Vec<String> = spans(hours).iter().map(|(from, to)| format!("{from}:00-{to}:00")).collect();
        named.join(", ")
    };
    Some(format!("Other hours of the day: {} before, {} after; load goes by the hour.", said(&b), said(&a)))
}

/// Says where the sides are of other days of the week.
fn days(before: &[points::Point], after: &[points::Point]) -> Option<String> {
    let (b, a) = significance::weekends(before, after)?;
    Some(format!(
        "Other days of the week: {b:.0} % of the time before on Saturdays and Sundays, {a:.0} % after; load goes by the day of the week, and only sides of two weeks each tell that from a change."
    ))
}

/// Hours of the day as stretches, each from its begin to its end; one over midnight is one.
fn spans(hours: &BTreeSet<i64>) -> Vec<(i64, i64)> {
    if hours.len() >= 24 {
        return vec![(0, 24)];
    }
    let begins = hours.iter().filter(|h| !hours.contains(&(**h + 23).rem_euclid(24)));
    let length = |from: i64| (0..24).take_while(|n| hours.contains(&(from + n).rem_euclid(24))).count();
    #[allow(clippy::cast_possible_wrap, reason = "at most 24")]
    let end = |from: i64| match (from + length(from) as i64).rem_euclid(24) {
        0 => 24,
        end => end,
    };
    begins.map(|from| (*from, end(*from))).collect()
}
