//! How the rate of a run went over its time: whether it was steady, and where it stepped.
//!
//! Steady is what SNIA's performance test specification says (PTS 2.0.2, section 3.1): over five rounds the
//! rate stays within 20 % of its mean from least to most, and its best straight line within 10 %. Rates of
//! short runs vary by chance alone; a range that chance explains is neither steady nor not.
//!
//! A cloud volume with burst credits looks steady until they are gone. So the rate's slices are searched for
//! a step: a place before and after which the means differ by far more than the slices do, and that lies
//! within a few of them, which a slow drift does not.

use serde::{Deserialize, Serialize};

/// How a stream's rate went over its time.
///
/// Shape: one a stream, with at most 128 slices of one length. Unit: requests a second, seconds from the
/// end of the warm-up. Missing: `steady` is `None` where the run is too short to tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Length of a slice.
    pub slice_s: f64,
    /// Requests a second of each slice.
    pub iops: Vec<f64>,
    /// Did the rate stay the same?
    pub steady: Option<bool>,
    /// Where it changed for good.
    pub steps: Vec<Step>,
}

/// A change of the rate that lasted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Step {
    pub at_s: f64,
    pub before_iops: f64,
    pub after_iops: f64,
}

/// Rounds of the specification, and what it allows.
const ROUNDS: usize = 5;
const MOST_RANGE: f64 = 0.2;
const MOST_SLOPE: f64 = 0.1;
/// Fewer slices tell nothing.
const LEAST_SLICES: usize = 20;
/// A run shorter than this tells nothing, seconds.
const LEAST_S: f64 = 1.0;
/// The range of five equal rounds, in standard errors, is above this once in a hundred times.
const RANGE_BY_CHANCE: f64 = 4.6;
/// Slices on each side of a step, at least.
const LEAST_SIDE: usize = 5;
/// Least change that is called a step, as a share of the larger side.
const LEAST_STEP: f64 = 0.15;
/// Least change in standard errors: the best of a hundred places is above 4 by chance now and then, and
/// neighbouring slices are alike.
const SURE: f64 = 7.0;
/// Share of a step that lies within a few slices.
const SUDDEN: f64 = 0.7;
/// Steps that are told.
const MOST_STEPS: usize = 8;

impl Course {
    /// The course of these slices.
    #[must_use]
    pub fn of(slice_s: f64, iops: Vec<f64>) -> Self {
        let long_enough = iops.len() >= LEAST_SLICES && iops.len() as f64 * slice_s >= LEAST_S;
        if !long_enough || mean(&iops) <= 0.0 {
            return Self { slice_s, iops, steady: None, steps: Vec::new() };
        }
        let mut places = Vec::new();
        search(&iops, 0, &mut places);
        places.sort_unstable();
        let ends = places.iter().skip(1).copied().chain([iops.len()]);
        let mut begin = 0;
        let mut steps = Vec::new();
        for (place, end) in places.iter().copied().zip(ends) {
            steps.push(Step {
                at_s: place as f64 * slice_s,
                before_iops: mean(&iops[begin..place]),
                after_iops: mean(&iops[place..end]),
            });
            begin = place;
        }
        let steady = if steps.is_empty() { steady(&iops) } else { Some(false) };
        Self { slice_s, iops, steady, steps }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Sum of squares around the mean.
fn spread(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|v| (v - middle).powi(2)).sum()
}

fn steady(iops: &[f64]) -> Option<bool> {
    let size = iops.len() / ROUNDS;
    let rounds: Vec<&[f64]> = iops.chunks_exact(size).rev().take(ROUNDS).collect();
    let means: Vec<f64> = rounds.iter().rev().map(|r| mean(r)).collect();
    let middle = mean(&means);
    let most = means.iter().copied().fold(f64::MIN, f64::max);
    let least = means.iter().copied().fold(f64::MAX, f64::min);
    // Least squares over the rounds -2, -1, 0, 1, 2: what the line covers from first to last.
    let slope = (0..ROUNDS).map(|n| (n as f64 - 2.0) * means[n]).sum::<f64>() / 10.0;
    if most - least <= MOST_RANGE * middle && (4.0 * slope).abs() <= MOST_SLOPE * middle {
        return Some(true);
    }
    let within = rounds.iter().map(|r| spread(r)).sum::<f64>() / (ROUNDS * (size - 1)).max(1) as f64;
    let by_chance = most - least <= RANGE_BY_CHANCE * (within / size as f64).sqrt();
    (!by_chance).then_some(false)
}

/// Adds the places at which a stretch steps; `from` is its first slice.
fn search(iops: &[f64], from: usize, places: &mut Vec<usize>) {
    if iops.len() < 2 * LEAST_SIDE || places.len() >= MOST_STEPS {
        return;
    }
    let measure = |at: usize| {
        let (a, b) = iops.split_at(at);
        let within = (spread(a) + spread(b)) / (iops.len() - 2) as f64;
        let error = (within * (1.0 / a.len() as f64 + 1.0 / b.len() as f64)).sqrt();
        let change = (mean(a) - mean(b)).abs();
        if error > 0.0 {
            change / error
        } else if change > 0.0 {
            f64::MAX
        } else {
            0.0
        }
    };
    let places_here = LEAST_SIDE..=iops.len() - LEAST_SIDE;
    let Some((at, sure)) =
        places_here.map(|at| (at, measure(at))).reduce(|a, b| if b.1 > a.1 { b } else { a })
    else {
        return;
    };
    let (a, b) = iops.split_at(at);
    let change = (mean(a) - mean(b)).abs();
    // The slice in which it happened belongs to neither side.
    let near = |values: &[f64]| mean(values);
    let before = near(&a[a.len() - LEAST_SIDE..a.len() - 1]);
    let after = near(&b[1..LEAST_SIDE]);
    let large = change >= LEAST_STEP * mean(a).max(mean(b));
    if sure < SURE || !large || (before - after).abs() < SUDDEN * change {
        return;
    }
    places.push(from + at);
    search(a, from, places);
    search(b, from + at, places);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Seeded;

    /// Slices of half a second with Poisson counts, nearly, around what `rate` says.
    fn slices(seed: u64, count: usize, rate: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut random = Seeded::new(seed, 0);
        (0..count)
            .map(|n| {
                let expected = rate(n) * 0.5;
                let normal = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                (expected + expected.sqrt() * normal).max(0.0).round() / 0.5
            })
            .collect()
    }

    #[test]
    fn an_even_rate_is_steady_and_has_no_step() {
        let mut steady = 0;
        for seed in 0..200 {
            let course = Course::of(0.5, slices(seed, 100, |_| 3_000.0));
            assert!(course.steps.is_empty(), "{seed}: {:?}", course.steps);
            steady += usize::from(course.steady == Some(true));
            // A few requests a slice: chance alone, and never called unsteady more often than chance is.
            let few = Course::of(0.5, slices(seed, 64, |_| 10.0));
            assert!(few.steps.is_empty(), "{seed}: {few:?}");
        }
        assert_eq!(steady, 200);
        let unsteady = (0..400)
            .filter(|seed| Course::of(0.5, slices(*seed, 64, |_| 10.0)).steady == Some(false))
            .count();
        assert!(unsteady <= 16, "{unsteady} of 400");
    }

    #[test]
    fn burst_credits_that_end_are_found_with_their_time() {
        for seed in 0..100 {
            for (before, after) in [(3_000.0, 500.0), (16_000.0, 12_000.0), (300.0, 900.0)] {
                let rate = |n| if n < 61 { before } else { after };
                let course = Course::of(0.5, slices(seed, 100, rate));
                assert_eq!(course.steps.len(), 1, "{seed}: {:?}", course.steps);
                let step = course.steps[0];
                assert!((step.at_s - 30.5).abs() <= 0.5, "{step:?}");
                assert!((step.before_iops / before - 1.0).abs() < 0.05, "{step:?}");
                assert!((step.after_iops / after - 1.0).abs() < 0.05, "{step:?}");
                assert_eq!(course.steady, Some(false));
            }
        }
    }

    #[test]
    fn a_drift_is_not_steady_and_no_step() {
        for seed in 0..100 {
            let course = Course::of(0.5, slices(seed, 100, |n| 4_000.0 - 20.0 * n as f64));
            assert_eq!((course.steady, course.steps.len()), (Some(false), 0), "{seed}: {:?}", course.steps);
        }
    }

    #[test]
    fn a_device_that_answers_exactly_is_steady() {
        assert_eq!(Course::of(0.1, vec![150.0; 64]).steady, Some(true));
        // One more or one less in each slice.
        let counts: Vec<f64> = (0..64).map(|n| if n % 3 == 0 { 15.0 } else { 16.0 }).collect();
        let course = Course::of(0.064, counts);
        assert_eq!((course.steady, course.steps.len()), (Some(true), 0));
    }

    #[test]
    fn a_short_run_or_an_idle_one_tells_nothing() {
        assert_eq!(Course::of(0.5, vec![100.0; 19]).steady, None);
        assert_eq!(Course::of(0.01, vec![100.0; 64]).steady, None);
        assert_eq!(Course::of(0.5, vec![0.0; 64]).steady, None);
    }
}
