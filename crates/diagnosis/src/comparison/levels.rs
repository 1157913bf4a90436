//! Levels before and after a change, freed of the hour of the day.
//!
//! Both sides of a cut have every hour, and not in the same shares: six days and five hours of a night against
//! seven days and nineteen hours. A median over all of them is that of other hours, so each hour is held against
//! itself, and what most hours show is the change.

use super::noise::median;
use std::collections::BTreeMap;
use std::ops::Range;

const DAY_S: i64 = 86_400;
/// Where the hours that both sides have, of working days and of weekends apart, hold less of a side than this, days
/// of both count alike.
const OF_SIDE: f64 = 0.5;

/// Is it a Saturday or a Sunday? 1 January 1970 was a Thursday.
pub(super) fn is_weekend(time: i64) -> bool {
    matches!(time.div_euclid(DAY_S).rem_euclid(7), 2 | 3)
}

/// Values of each hour that both sides have, before and after.
type Hours = BTreeMap<(bool, i64), [Vec<f64>; 2]>;

fn hours(times: &[Option<i64>], values: &[f64], sides: [&Range<usize>; 2], by_weekend: bool) -> Hours {
    let mut hours = Hours::new();
    for (side, range) in sides.into_iter().enumerate() {
        for (time, value) in range.clone().filter_map(|i| Some(((*times.get(i)?)?, *values.get(i)?))) {
            let hour = (by_weekend && is_weekend(time), time.rem_euclid(DAY_S) / 3_600);
            if let Some(of) = hours.entry(hour).or_default().get_mut(side) {
                of.push(value);
            }
        }
    }
    hours.retain(|_, sides| sides.iter().all(|s| !s.is_empty()));
    hours
}

/// The level before: the median of what the shared hours have, each counted once. The level after: that times the
/// median of what each hour changed by, where there are ratios, else the median of the hours after. `None` where no
/// hour is on both sides.
pub(super) fn of_hours(
    times: &[Option<i64>],
    values: &[f64],
    one: &Range<usize>,
    other: &Range<usize>,
) -> Option<(f64, f64)> {
    let apart = hours(times, values, [one, other], true);
    let most = |range: &Range<usize>, side: usize| {
        let held: usize = apart.values().filter_map(|of| of.get(side)).map(Vec::len).sum();
        held as f64 >= OF_SIDE * range.len() as f64
    };
    let held = if most(one, 0) && most(other, 1) { apart } else { hours(times, values, [one, other], false) };
    if held.is_empty() {
        return None;
    }
    let levels: Vec<[f64; 2]> = held.values().map(|sides| [0, 1].map(|n| median(&sides[n]))).collect();
    let of = |side: usize| median(&levels.iter().map(|l| l[side]).collect::<Vec<_>>());
    let before = of(0);
    if levels.iter().flatten().all(|v| *v > 0.0) {
        let ratios: Vec<f64> = levels.iter().map(|[b, a]| (a / b).ln()).collect();
        return Some((before, before * median(&ratios).exp()));
    }
    Some((before, of(1)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn more_hours_of_the_night_before_a_change_made_it_larger() {
        // Six days and five hours of night against the rest of two weeks, three times as busy by day.
        let times: Vec<Option<i64>> = (0..336).map(|h| Some(4 * DAY_S + h * 3_600)).collect();
        let load = |h: i64| 2.0 + (h as f64 / 24.0 * std::f64::consts::TAU).sin();
        for cut in [149, 150, 100, 180] {
            let values: Vec<f64> = (0..336).map(|h| load(h) * if h < cut { 1.0 } else { 1.3 }).collect();
            let at = usize::try_from(cut).unwrap();
            let (before, after) = of_hours(&times, &values, &(0..at), &(at..336)).unwrap();
            assert!((after / before - 1.3).abs() < 1e-9, "{cut}: {before} to {after}");
            assert!((1.0..=3.0).contains(&before));
        }
    }

    #[test]
    fn a_side_with_more_weekends_made_a_change_smaller() {
        // Two days off in every week, of which one side has four of ten and the other two of nine.
        let times: Vec<Option<i64>> = (0..456).map(|h| Some(4 * DAY_S + h * 3_600)).collect();
        let load = |h: usize| if is_weekend(times[h].unwrap()) { 0.4 } else { 1.0 };
        let values: Vec<f64> = (0..456).map(|h| load(h) * if h < 216 { 1.0 } else { 1.5 }).collect();
        let (before, after) = of_hours(&times, &values, &(0..216), &(216..456)).unwrap();
        assert!((after / before - 1.5).abs() < 1e-9, "{before} to {after}");
    }
}
