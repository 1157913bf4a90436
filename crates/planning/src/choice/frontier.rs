//! What each capacity of one tier would save, and where more begins to buy little.

use super::prepare::Prepared;
use super::solve::{QUICK, Solved, solve};
use super::{CannotChoose, Choice, Problem};

/// The best choice at each capacity of one tier, the others as the problem has them.
///
/// Choices come in the order of `capacities`; `None` where what is pinned does not fit. More capacity
/// never saves less: each one begins from the choice of the next smaller. Points are searched less long
/// than by [`choose`](super::choose), so more of them carry a bound instead of a proof.
///
/// # Errors
///
/// Where the pins leave no choice at any capacity, or do not fit on another tier.
///
/// # Panics
///
/// As [`choose`](super::choose), and where there is no such tier.
pub fn frontier(
    problem: &Problem,
    tier: usize,
    capacities: &[u64],
) -> Result<Vec<Option<Choice>>, CannotChoose> {
    let prepared = Prepared::new(problem)?;
    let mut ascending: Vec<usize> = (0..capacities.len()).collect();
    ascending.sort_by_key(|&n| capacities[n]);
    let mut choices = vec![None; capacities.len()];
    let mut before: Option<(Solved, Choice)> = None;
    for n in ascending {
        let mut offered = problem.capacities.clone();
        offered[tier] = capacities[n];
        let residual = match prepared.residual(&offered) {
            Ok(residual) => residual,
            Err(CannotChoose::PinsDoNotFit { tier: short, .. }) if short == tier => continue,
            Err(error) => return Err(error),
        };
        let solved = solve(&prepared, &residual, before.as_ref().map(|b| &b.0), &QUICK);
        let mut choice = prepared.choice(problem, &solved);
        if let Some((_, smaller)) = &before
            && choice.value < smaller.value
        {
            // Equal but for rounding.
            choice =
                Choice { bound: choice.bound.max(smaller.value), exact: choice.exact, ..smaller.clone() };
        }
        choices[n] = Some(choice.clone());
        before = Some((solved, choice));
    }
    Ok(choices)
}

/// Where a frontier bends: the point farthest above the straight line from nothing to the last point,
/// both axes as shares of the last point (as the Kneedle method, Satopaa and others 2011).
///
/// Points are capacity and saving, ascending. `None` where nothing is saved.
#[must_use]
pub fn knee(points: &[(f64, f64)]) -> Option<usize> {
    let &(capacity, saved) = points.last()?;
    if capacity <= 0.0 || saved <= 0.0 || capacity.is_nan() || saved.is_nan() {
        return None;
    }
    let above = |n: usize| points[n].1 / saved - points[n].0 / capacity;
    // The first of equal ones: the smaller capacity.
    (0..points.len())
        .filter(|&n| points[n].1 > 0.0)
        .min_by(|&a, &b| above(b).total_cmp(&above(a)).then(a.cmp(&b)))
}
