//! A good assignment to several tiers, one tier at a time.
//!
//! A tier is filled with what saves more there than at the price of its bytes elsewhere; the tiers
//! after it have what is left. Then each tier in turn chooses anew among what it has and what stays,
//! until none gains. Each step is a problem with one tier.

use super::greedy::saved;
use super::instance::Instance;
use super::prepare::{OUT, Place};
use super::relax::Relaxed;
use super::search::Effort;
use super::solve::solve_part;

/// Nodes for each step.
const EFFORT: [Effort; 1] = [Effort { width: 300, nodes: 30_000 }];

/// Rounds in which each tier chooses anew.
const ROUNDS: usize = 3;

/// The best of several such assignments, beginning also from one that is known.
pub(super) fn fill(instance: &Instance, relaxed: &Relaxed, known: &[Place]) -> Vec<Place> {
    let mut best = refill(instance, known.to_vec());
    for first in 0..instance.tiers {
        // Each tier is first once, the others follow in their order.
        let mut places = vec![OUT; instance.len()];
        let order = (first..first + 1).chain((0..instance.tiers).filter(|&t| t != first));
        let mut later: Vec<bool> = vec![true; instance.tiers];
        for t in order {
            later[t] = false;
            choose_for(instance, t, &mut places, |i| {
                let elsewhere = (0..instance.tiers).filter(|&o| later[o]);
                elsewhere.map(|o| relaxed.with_subtree[i * instance.tiers + o]).fold(0.0, f64::max)
            });
        }
        let places = refill(instance, places);
        if saved(instance, &places) > saved(instance, &best) {
            best = places;
        }
    }
    best
}

/// Each tier chooses anew in turn.
fn refill(instance: &Instance, mut places: Vec<Place>) -> Vec<Place> {
    for _ in 0..ROUNDS {
        let before = saved(instance, &places);
        for t in 0..instance.tiers {
            let mut other = places.clone();
            choose_for(instance, t, &mut other, |_| 0.0);
            if saved(instance, &other) > saved(instance, &places) {
                places = other;
            }
        }
        if saved(instance, &places) <= before {
            break;
        }
    }
    places
}

/// Chooses anew what one tier holds among what it holds and what stays; `elsewhere` is what a unit is
/// worth if it is not taken.
fn choose_for(instance: &Instance, tier: usize, places: &mut [Place], elsewhere: impl Fn(usize) -> f64) {
    #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
    let place = tier as Place;
    let decided: Vec<Option<Place>> =
        places.iter().map(|&p| if p == OUT || p == place { None } else { Some(OUT) }).collect();
    let mut one = instance.clone();
    one.tiers = 1;
    one.value = (0..instance.len())
        .map(|i| {
            let value = instance.value_on(i, tier);
            // Units in bundles are worth what they are worth: the bundle decides.
            let bundled = !instance.needs[i].is_empty() || instance.parent[i] != super::instance::NONE;
            if bundled { value } else { value - elsewhere(i) }
        })
        .collect();
    #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
    one.unit.iter_mut().enumerate().for_each(|(n, unit)| *unit = n as u32);
    let rest = one.rest(&decided, vec![instance.capacity[tier]]);
    let chosen = solve_part(&rest, &EFFORT);
    places.iter_mut().filter(|p| **p == place).for_each(|p| *p = OUT);
    for (&unit, &p) in rest.unit.iter().zip(&chosen) {
        if p != OUT {
            places[unit as usize] = place;
        }
    }
}
