//! How sure a figure is: intervals from batches of one run.
//!
//! Requests of one run follow each other and are alike: taken as independent, they would promise far too
//! much. The run is cut into batches; what the batches' figures spread tells how sure their mean is, once
//! the batches are long enough to know nothing of their neighbours.

/// Confidence of all intervals, percent.
pub const CONFIDENCE_PCT: f64 = 95.0;

/// Fewer batches say nothing of their spread.
const LEAST_BATCHES: usize = 8;

/// Student's t for 95 %, two-sided: Cornish and Fisher's expansion in the degrees of freedom, within
/// 0.1 % from 6 of them on. Source: Abramowitz and Stegun 26.7.5.
fn student(degrees: f64) -> f64 {
    const Z: f64 = 1.959_963_985;
    let (z3, z5, z7) = (Z.powi(3), Z.powi(5), Z.powi(7));
    Z + (z3 + Z) / (4.0 * degrees)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * degrees.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * degrees.powi(3))
}

/// Half of the interval's width around the mean of these batches; `None` where there are too few.
#[must_use]
pub fn half_width(batches: &[f64]) -> Option<f64> {
    let count = batches.len();
    if count < LEAST_BATCHES {
        return None;
    }
    let n = count as f64;
    let mean = batches.iter().sum::<f64>() / n;
    let variance = batches.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // What they still know of each other, without the bias that few of them have.
    let left = (neighbours(batches) + 1.0 / n).clamp(0.0, 0.9);
    Some(student(n - 1.0) * (variance / n * (1.0 + left) / (1.0 - left)).sqrt())
}

/// A value with its bounds, where they are known.
pub(crate) type Sure = (f64, Option<(f64, f64)>);

/// Half of the interval's width around the mean of several runs of one load, each with what it is sure of itself.
///
/// Three runs and more tell by their spread; two are too few for that, so that the interval holds both. It is never
/// narrower than what the runs say of themselves. `None` where two runs do not say it.
#[must_use]
pub(crate) fn half_width_of_runs(runs: &[Sure]) -> Option<f64> {
    let n = runs.len() as f64;
    let squares = runs.iter().map(|(_, i)| i.map(|(low, high)| ((high - low) / 2.0).powi(2)));
    let own = squares.sum::<Option<f64>>().map(|squares| squares.sqrt() / n);
    let mean = runs.iter().map(|(v, _)| v).sum::<f64>() / n;
    let spread = match runs {
        [] | [_] => return own,
        [(a, _), (b, _)] => {
            own?;
            (a - b).abs() / 2.0
        }
        several => {
            let variance = several.iter().map(|(v, _)| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
            // The expansion is too small for few degrees of freedom. Source: tables of Student's t.
            let t = match several.len() {
                3 => 4.303,
                4 => 3.182,
                5 => 2.776,
                6 => 2.571,
                _ => student(n - 1.0),
            };
            t * (variance / n).sqrt()
        }
    };
    Some(own.map_or(spread, |own| own.max(spread)))
}

/// Correlation of each batch with the next.
fn neighbours(batches: &[f64]) -> f64 {
    let mean = batches.iter().sum::<f64>() / batches.len() as f64;
    let all: f64 = batches.iter().map(|b| (b - mean).powi(2)).sum();
    let pairs: f64 = batches.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    if all > 0.0 { pairs / all } else { 0.0 }
}

/// How many neighbouring batches to take as one, so that they know little of each other: the fewest, and
/// no more than leave enough of them.
#[must_use]
pub fn batches_as_one(batches: &[f64]) -> usize {
    let mut together = 1;
    loop {
        let means: Vec<f64> =
            batches.chunks_exact(together).map(|c| c.iter().sum::<f64>() / together as f64).collect();
        let independent = neighbours(&means) < 2.0 / (means.len().max(1) as f64).sqrt() / 2.0;
        if independent || means.len() / 2 < LEAST_BATCHES {
            return together;
        }
        together *= 2;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Seeded;

    #[test]
    fn student_as_in_the_table() {
        for (degrees, t) in [(7.0, 2.365), (9.0, 2.262), (15.0, 2.131), (31.0, 2.040), (63.0, 1.998)] {
            assert!((student(degrees) - t).abs() < 0.003, "{degrees}: {}", student(degrees));
        }
    }

    /// Means of a first-order autoregression around 100.
    fn run(random: &mut Seeded, memory: f64) -> Vec<f64> {
        let mut state = 0.0;
        (0..64)
            .map(|_| {
                state = memory * state + (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                100.0 + state
            })
            .collect()
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        for (memory, least) in [(0.0, 0.94), (0.3, 0.93), (0.6, 0.92)] {
            let mut random = Seeded::new(1, 0);
            let held = (0..2_000)
                .filter(|_| {
                    let batches = run(&mut random, memory);
                    let together = batches_as_one(&batches);
                    let means: Vec<f64> = batches
                        .chunks_exact(together)
                        .map(|c| c.iter().sum::<f64>() / together as f64)
                        .collect();
                    let mean = means.iter().sum::<f64>() / means.len() as f64;
                    (mean - 100.0).abs() <= half_width(&means).unwrap()
                })
                .count() as f64
                / 2_000.0;
            assert!((least..0.985).contains(&held), "{memory}: {held}");
        }
    }

    #[test]
    fn a_few_batches_have_no_interval() {
        assert_eq!(half_width(&[1.0; 7]), None);
        assert_eq!(half_width(&[1.0; 8]), Some(0.0));
    }
}
