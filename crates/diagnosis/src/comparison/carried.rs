//! A change of DB time that one interval makes, or a few: then it is theirs and not the side's.
//!
//! A peak of every day is no such interval: each is held against the same hours of the other side, at the
//! step that most intervals went, and has to lie beyond what the others do. What the other side has of
//! such intervals is taken off, and where that step tells the same change nothing is said.

use super::noise::median;
use super::points::Point;
use crate::words;
use std::collections::{BTreeMap, BTreeSet};

/// At most so many intervals, and one of four.
const FEW: (usize, usize) = (3, 4);
/// Share of the change that they make, and the least change worth it, share of before.
const CARRIED: (f64, f64) = (0.5, 0.01);
/// Standard deviations, from the median deviation, and the least ratio beyond which an interval is none of the others.
const BEYOND: (f64, f64) = (4.0, 1.5);
/// Median deviation to standard deviation.
const DEVIATION: f64 = 1.4826;
/// Intervals that begin within this of each other's time of day are of one hour, seconds.
const SAME_HOUR_S: i64 = 1_800;
const DAY_S: i64 = 86_400;
/// Below this share of the mean a load is none, and ratios say nothing.
const NOTHING: f64 = 1e-3;
const MEASURE: &str = "DB time a second";

/// One interval of a side.
struct Slot {
    begin: String,
    begin_s: i64,
    seconds: f64,
    rate: f64,
}

/// An interval beyond the others of its side.
struct Odd {
    at: usize,
    /// What it adds to the mean of its side.
    excess: f64,
    /// Load of the same hour on the other side; `None` where it was held against all of it.
    at_that_hour: Option<f64>,
}

fn slots(points: &[Point]) -> Option<Vec<Slot>> {
    let slot = |p: &Point| {
        let (begin_s, end_s) = (p.begin_s?, p.end_s?);
        let seconds = (end_s - begin_s) as f64;
        Some(Slot { begin: p.begin_time.clone()?, begin_s, seconds, rate: *p.values.get(MEASURE)? })
    };
    points.iter().map(slot).collect::<Option<Vec<_>>>().filter(|all| all.len() >= FEW.1)
}

fn length(side: &[Slot]) -> f64 {
    side.iter().map(|s| s.seconds).sum()
}

fn mean(side: &[Slot]) -> f64 {
    side.iter().map(|s| s.seconds * s.rate).sum::<f64>() / length(side)
}

fn middle<'s>(side: impl IntoIterator<Item = &'s Slot>) -> f64 {
    median(&side.into_iter().map(|s| s.rate).collect::<Vec<_>>())
}

/// What the other side has at the hour of each interval; its median where it lacks half of the hours.
fn at_these_hours(side: &[Slot], other: &[Slot]) -> (bool, Vec<Option<f64>>) {
    let apart = |a: i64, b: i64| {
        let off = (a - b).rem_euclid(DAY_S);
        off.min(DAY_S - off)
    };
    let held = |hour: i64| -> Option<f64> {
        let of_hour: Vec<&Slot> = other.iter().filter(|o| apart(o.begin_s, hour) <= SAME_HOUR_S).collect();
        (!of_hour.is_empty()).then(|| middle(of_hour))
    };
    // Once an hour: a year of hours has each of them 365 times.
    let hour = |s: &Slot| s.begin_s.rem_euclid(DAY_S);
    let hours: BTreeSet<i64> = side.iter().map(hour).collect();
    let levels: BTreeMap<i64, Option<f64>> = hours.into_iter().map(|hour| (hour, held(hour))).collect();
    let of_hour = |s: &Slot| levels.get(&hour(s)).copied().flatten();
    let found: Vec<Option<f64>> = side.iter().map(of_hour).collect();
    if 2 * found.iter().flatten().count() >= side.len() {
        return (true, found);
    }
    (false, vec![Some(middle(other)); side.len()])
}

/// The step that most of a side went from the same hours of the other, as a ratio, and intervals beyond it, largest
/// first.
fn beyond(side: &[Slot], other: &[Slot]) -> (f64, Vec<Odd>) {
    let least = NOTHING * f64::midpoint(mean(side), mean(other));
    let log = |rate: f64| rate.max(least).ln();
    let (by_hour, hours) = at_these_hours(side, other);
    let steps: Vec<(usize, f64, f64)> = side
        .iter()
        .zip(&hours)
        .enumerate()
        .filter_map(|(at, (s, other))| other.map(|other| (at, other, log(s.rate) - log(other))))
        .collect();
    let usual = median(&steps.iter().map(|s| s.2).collect::<Vec<_>>());
    let spread = DEVIATION * median(&steps.iter().map(|s| (s.2 - usual).abs()).collect::<Vec<_>>());
    let bar = usual + (BEYOND.0 * spread).max(BEYOND.1.ln());
    let all = length(side);
    let mut odd: Vec<Odd> = steps
        .iter()
        .filter(|(.., step)| *step > bar)
        .map(|(at, other, _)| {
            let expected = other.max(least) * usual.exp();
            let excess = (side[*at].rate - expected) * side[*at].seconds / all;
            Odd { at: *at, excess, at_that_hour: by_hour.then_some(*other) }
        })
        .collect();
    odd.sort_by(|x, y| y.excess.total_cmp(&x.excess).then(x.at.cmp(&y.at)));
    (usual.exp(), odd)
}

/// Says where one interval, or a few, make most of the change of DB time, and what the others did.
pub(crate) fn carried(before: &[Point], after: &[Point]) -> Option<String> {
    let (b, a) = (slots(before)?, slots(after)?);
    let change = mean(&a) - mean(&b);
    if !change.is_finite() || change.abs() < CARRIED.1 * mean(&b) {
        return None;
    }
    // Load that is there on the side with more of it.
    let (side, other, which, where_else) =
        if change > 0.0 { (&a, &b, "after", "before") } else { (&b, &a, "before", "after") };
    let (usual, odd) = beyond(side, other);
    // What all hours do is nobody's.
    if (usual - 1.0) * mean(other) >= CARRIED.0 * change.abs() {
        return None;
    }
    let against: f64 = beyond(other, side).1.iter().map(|o| o.excess).sum();
    let most = FEW.0.min(side.len() / FEW.1);
    let mut sum = -against;
    let count = odd.iter().take(most).position(|o| {
        sum += o.excess;
        sum >= CARRIED.0 * change.abs()
    })?;
    let named: Vec<String> = odd[..=count]
        .iter()
        .map(|o| {
            let slot = &side[o.at];
            let usual = o.at_that_hour.map_or(String::new(), |rate| {
                format!(", {} at that hour {where_else}", words::seconds(slot.seconds * rate))
            });
            let load = words::seconds(slot.seconds * slot.rate);
            format!("{} ({load}{usual})", slot.begin.replacen('T', " ", 1))
        })
        .collect();
    let who = match named.len() {
        1 => format!("One interval of the {} {which} makes", side.len()),
        n => format!("{n} intervals of the {} {which} make", side.len()),
    };
    let share = 100.0 * sum / change.abs();
    let share = if share > 104.0 { "more than all".to_owned() } else { format!("{:.0} %", share.min(100.0)) };
    Some(format!(
        "{who} {share} of that: {}. The median interval went from {} to {} s a second.",
        named.join(", "),
        words::significant(middle(&b)),
        words::significant(middle(&a))
    ))
}
