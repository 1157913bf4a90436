//! A steady rise or fall against steps.
//!
//! What grows evenly is cut into steps by any search for steps, each at an hour at which nothing happened. So a line
//! is held against the steps found: by what each leaves of the series, for as many independent intervals as the
//! likeness of neighbours leaves, with a price for each level and cut (Schwarz 1978). The line is the median of the
//! slopes between intervals half a series apart (Theil 1950), and what is left is summed without squares, so that
//! bursts decide nothing.

use super::noise::{median, noise};

/// Sum of what is left, below which nothing is.
const NOTHING: f64 = 1e-9;

fn left_by_line(heights: &[f64]) -> f64 {
    let half = heights.len() / 2;
    let slopes: Vec<f64> =
        heights.iter().zip(heights.iter().skip(half)).map(|(a, b)| (b - a) / half.max(1) as f64).collect();
    let slope = median(&slopes);
    let rests: Vec<f64> = heights.iter().enumerate().map(|(at, v)| v - slope * at as f64).collect();
    let level = median(&rests);
    rests.iter().map(|v| (v - level).abs()).sum()
}

/// Does a line leave about as much of a series as steps at these cuts do?
pub(super) fn fits_as_well(heights: &[f64], cuts: &[usize]) -> bool {
    let mut edges = vec![0];
    edges.extend(cuts);
    edges.push(heights.len());
    let runs: Vec<Vec<f64>> = edges
        .windows(2)
        .filter_map(|edge| heights.get(edge[0]..edge[1]))
        .map(|part| {
            let level = median(part);
            part.iter().map(|v| v - level).collect()
        })
        .collect();
    let by_steps: f64 = runs.iter().flatten().map(|v| v.abs()).sum();
    let by_line = left_by_line(heights);
    if by_steps <= NOTHING {
        return by_line <= NOTHING;
    }
    let independent = heights.len() as f64 / noise(&runs).inflation.unwrap_or(1.0);
    let price = (2.0 * cuts.len() as f64 - 1.0) * independent.max(1.0).ln();
    2.0 * independent * (by_line / by_steps).ln() <= price
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::trend::tests;

    #[test]
    fn steady_growth_was_a_list_of_steps() {
        for seed in 0..20 {
            let noise = tests::noise(336, 0.5, 300 + seed);
            let of = |shape: &dyn Fn(f64) -> f64| -> Vec<f64> {
                noise.iter().enumerate().map(|(h, e)| 0.1 * e + shape(h as f64)).collect()
            };
            let grown = of(&|h| 0.26 * h / 336.0);
            for cuts in [vec![168], vec![100, 220], vec![60, 120, 180, 240, 300]] {
                assert!(fits_as_well(&grown, &cuts), "{seed}: {cuts:?}");
            }
            for at in [50, 168, 300] {
                let step = of(&|h| if h < at as f64 { 0.0 } else { 0.26 });
                assert!(!fits_as_well(&step, &[at]), "{seed}: {at}");
            }
        }
        // A step without any spread is none of a line, and one level is both.
        let step: Vec<f64> = (0..24).map(|h| if h < 12 { 4.0 } else { 9.0 }).collect();
        assert!(!fits_as_well(&step, &[12]));
    }
}
