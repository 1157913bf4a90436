//! A first assignment: bundles by what they save beyond the price of their bytes, as long as they fit.

use super::instance::Instance;
use super::prepare::{OUT, Place};
use super::relax::Relaxed;

/// Places of the units of an instance.
pub(super) fn greedy(instance: &Instance, relaxed: &Relaxed) -> Vec<Place> {
    let tiers = instance.tiers;
    let mut options: Vec<(f64, usize, usize)> = Vec::new();
    let subtree = subtree_sizes(instance);
    for (i, &bytes) in subtree.iter().enumerate() {
        for t in 0..tiers {
            if instance.value_on(i, t) > 0.0 {
                // Net saving a byte; something that takes no bytes comes first.
                let net = relaxed.with_subtree[i * tiers + t];
                options.push((if bytes > 0.0 { net / bytes } else { f64::INFINITY }, i, t));
            }
        }
    }
    options.sort_by(|a, b| {
        let by_size = instance.size[a.1].cmp(&instance.size[b.1]);
        b.0.total_cmp(&a.0).then(by_size).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
    });
    let mut places = vec![OUT; instance.len()];
    let mut left = instance.capacity.clone();
    for (_, i, t) in options {
        if places[i] != OUT {
            continue;
        }
        take(instance, i, t, &mut places, &mut left);
    }
    places
}

/// Puts a unit with all that it needs on a tier where that fits and saves.
fn take(instance: &Instance, i: usize, t: usize, places: &mut [Place], left: &mut [u64]) {
    #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
    let place = t as Place;
    if instance.needs[i].is_empty() {
        if instance.size[i] <= left[t] {
            places[i] = place;
            left[t] -= instance.size[i];
        }
        return;
    }
    let closure = instance.closure(i);
    if closure.iter().any(|&j| ![OUT, place].contains(&places[j as usize])) {
        return;
    }
    let new: Vec<usize> = closure.into_iter().map(|j| j as usize).filter(|&j| places[j] == OUT).collect();
    let bytes: u128 = new.iter().map(|&j| u128::from(instance.size[j])).sum();
    let saved: f64 = new.iter().map(|&j| instance.value_on(j, t)).sum();
    if bytes > u128::from(left[t]) || saved <= 0.0 {
        return;
    }
    for j in new {
        places[j] = place;
        left[t] -= instance.size[j];
    }
}

/// Bytes of each unit with its subtree.
#[allow(clippy::cast_precision_loss, reason = "bytes")]
fn subtree_sizes(instance: &Instance) -> Vec<f64> {
    let mut sizes: Vec<f64> = instance.size.iter().map(|&s| s as f64).collect();
    for i in (0..instance.len()).rev() {
        if let Some(parent) = sizes.get(instance.parent[i] as usize).copied() {
            sizes[instance.parent[i] as usize] = parent + sizes[i];
        }
    }
    sizes
}

/// What an assignment saves.
pub(super) fn saved(instance: &Instance, places: &[Place]) -> f64 {
    let on = places.iter().enumerate().filter(|(_, p)| **p != OUT);
    on.map(|(i, &p)| instance.value_on(i, usize::from(p))).sum()
}
