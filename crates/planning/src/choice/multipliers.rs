//! Prices of a byte on each tier at which the relaxed problem bounds tightest.
//!
//! The bound is a convex function of the prices. With one tier its minimum is found by halving; with
//! several by the ellipsoid method (Shor; Nemirovski and Yudin), which needs no step length, stands
//! scales that differ by orders of magnitude, and says how far it is from the minimum.

use super::instance::Instance;
use super::relax::Relaxed;

/// Distance to the minimum at which to stop, as share of the bound.
const CLOSE: f64 = 1e-13;

/// The best prices found.
pub(super) fn prices(instance: &Instance) -> Vec<f64> {
    let highest = highest(instance);
    let open: Vec<usize> = (0..instance.tiers).filter(|&t| highest[t] > 0.0).collect();
    match open[..] {
        [] => vec![0.0; instance.tiers],
        [tier] => halve(instance, tier, highest[tier]),
        _ => shrink_ellipsoid(instance, &open, &highest),
    }
}

/// Above these nothing is worth its bytes.
fn highest(instance: &Instance) -> Vec<f64> {
    let mut highest = vec![0.0_f64; instance.tiers];
    for i in 0..instance.len() {
        for (t, highest) in highest.iter_mut().enumerate() {
            if instance.size[i] > 0 {
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let worth = instance.value_on(i, t) / instance.size[i] as f64;
                *highest = highest.max(worth);
            }
        }
    }
    highest
}

/// Bytes left over at these prices on each tier, and the answer.
fn slack(instance: &Instance, prices: &[f64]) -> (Vec<f64>, Relaxed) {
    let relaxed = Relaxed::new(instance, prices);
    let used = relaxed.used(instance);
    #[allow(clippy::cast_precision_loss, reason = "bytes")]
    let slack = instance.capacity.iter().zip(used).map(|(&c, u)| c as f64 - u).collect();
    (slack, relaxed)
}

/// Coordinates are shares of the highest price of each tier.
fn shrink_ellipsoid(instance: &Instance, open: &[usize], highest: &[f64]) -> Vec<f64> {
    let mut prices = vec![0.0; instance.tiers];
    let n = open.len();
    #[allow(clippy::cast_precision_loss, reason = "a few tiers")]
    let dimension = n as f64;
    let mut centre = vec![0.5_f64; n];
    let mut shape = vec![vec![0.0_f64; n]; n];
    for (k, row) in shape.iter_mut().enumerate() {
        // The cube's circumscribed ball.
        row[k] = dimension / 4.0;
    }
    let mut best = (f64::INFINITY, prices.clone());
    // Volume shrinks by exp(-1 / (2 (n + 1))) a step: enough steps for 50 e-foldings of each axis.
    for _ in 0..100 * n * (n + 1) {
        let outside = (0..n).find(|&k| !(0.0..=1.0).contains(&centre[k]));
        let gradient: Vec<f64> = if let Some(k) = outside {
            (0..n).map(|j| if j == k { centre[k].signum() } else { 0.0 }).collect()
        } else {
            for (k, &t) in open.iter().enumerate() {
                prices[t] = centre[k] * highest[t];
            }
            let (slack, relaxed) = slack(instance, &prices);
            if relaxed.bound < best.0 {
                best = (relaxed.bound, prices.clone());
            }
            open.iter().map(|&t| slack[t] * highest[t]).collect()
        };
        let along: Vec<f64> = shape.iter().map(|row| dot(row, &gradient)).collect();
        let reach = dot(&along, &gradient).sqrt();
        if reach.is_nan() || reach <= 0.0 || (outside.is_none() && reach <= CLOSE * best.0.abs()) {
            break;
        }
        let step: Vec<f64> = along.iter().map(|a| a / reach).collect();
        for k in 0..n {
            centre[k] -= step[k] / (dimension + 1.0);
            for j in 0..n {
                shape[k][j] = (dimension * dimension / (dimension * dimension - 1.0))
                    * (shape[k][j] - 2.0 / (dimension + 1.0) * step[k] * step[j]);
            }
        }
    }
    best.1
}

/// Only one tier has anything to take.
fn halve(instance: &Instance, tier: usize, highest: f64) -> Vec<f64> {
    let at = |price: f64| {
        let mut prices = vec![0.0; instance.tiers];
        prices[tier] = price;
        prices
    };
    if slack(instance, &at(0.0)).0[tier] >= 0.0 {
        return at(0.0);
    }
    let (mut low, mut high) = (0.0, highest);
    while high - low > 1e-15 * high {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if slack(instance, &at(middle)).0[tier] >= 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let bound = |price: f64| Relaxed::new(instance, &at(price)).bound;
    if bound(low) < bound(high) { at(low) } else { at(high) }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
