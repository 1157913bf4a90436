//! The relaxed problem: capacities become a price for each byte, so every bundle decides for itself.
//!
//! At any prices not below zero its answer saves at least as much as any assignment under the
//! capacities (Lagrangian relaxation). A unit that several others need counts for one of them only,
//! which makes the bundles trees and the answer a walk over them; forgetting a need can only raise it.

use super::instance::{Instance, NONE};
use super::prepare::{OUT, Place};

/// Answer of the relaxed problem at one price a tier.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    /// No assignment saves more.
    pub(super) bound: f64,
    /// Saving beyond the price of the bytes of each unit with its subtree on each tier.
    pub(super) with_subtree: Vec<f64>,
    /// What each unit and its subtree add to the bound.
    pub(super) best: Vec<f64>,
    /// What each unit adds to the bound beyond what its subtree adds without it; never below zero.
    pub(super) adds: Vec<f64>,
}

impl Relaxed {
    pub(super) fn new(instance: &Instance, prices: &[f64]) -> Self {
        let (n, tiers) = (instance.len(), instance.tiers);
        let mut with_subtree = vec![0.0; n * tiers];
        let mut below = vec![0.0_f64; n];
        let mut bests = vec![0.0; n];
        let mut adds = vec![0.0; n];
        let mut bound = priced(instance, prices);
        for i in (0..n).rev() {
            let mut best = below[i];
            for (t, price) in prices.iter().enumerate() {
                let at = i * tiers + t;
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let net = instance.value[at] - price * instance.size[i] as f64;
                with_subtree[at] += net;
                best = best.max(with_subtree[at]);
            }
            bests[i] = best;
            adds[i] = best - below[i];
            let parent = instance.parent[i];
            if parent == NONE {
                bound += best;
            } else {
                let parent = parent as usize;
                below[parent] += best;
                for t in 0..tiers {
                    with_subtree[parent * tiers + t] += with_subtree[i * tiers + t];
                }
            }
        }
        Self { bound, with_subtree, best: bests, adds }
    }

    /// Bytes that the relaxed answer puts on each tier.
    pub(super) fn used(&self, instance: &Instance) -> Vec<f64> {
        let tiers = instance.tiers;
        let mut used = vec![0.0; tiers];
        let mut place = vec![OUT; instance.len()];
        for i in 0..instance.len() {
            let parent = instance.parent[i];
            let above = if parent == NONE { OUT } else { place[parent as usize] };
            place[i] = if above == OUT { self.best_tier(i, tiers) } else { above };
            if place[i] != OUT {
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let bytes = instance.size[i] as f64;
                used[usize::from(place[i])] += bytes;
            }
        }
        used
    }

    /// Tier that a unit takes its subtree to, where that is better than leaving it.
    pub(super) fn best_tier(&self, i: usize, tiers: usize) -> Place {
        if self.adds[i] <= 0.0 {
            return OUT;
        }
        let own = &self.with_subtree[i * tiers..(i + 1) * tiers];
        let best = own.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
        best.map_or(OUT, |(t, _)| t as Place)
    }

    /// What the bound loses when a unit must stay, and when it must go to each tier.
    pub(super) fn losses(&self, instance: &Instance) -> Losses {
        let (n, tiers) = (instance.len(), instance.tiers);
        let mut out = vec![0.0; n];
        let mut on = vec![0.0; n * tiers];
        for i in 0..n {
            let parent = instance.parent[i];
            let above = if parent == NONE { 0.0 } else { out[parent as usize] };
            out[i] = above + self.adds[i];
            for t in 0..tiers {
                let by_itself = above + self.best[i] - self.with_subtree[i * tiers + t];
                let with_parent =
                    if parent == NONE { f64::INFINITY } else { on[parent as usize * tiers + t] };
                on[i * tiers + t] = by_itself.min(with_parent);
            }
        }
        Losses { out, on }
    }
}

/// See [`Relaxed::losses`].
#[derive(Clone, Debug)]
pub(super) struct Losses {
    /// When the unit stays.
    pub(super) out: Vec<f64>,
    /// When it goes to each tier, unit by unit.
    pub(super) on: Vec<f64>,
}

/// The capacities at their prices.
#[allow(clippy::cast_precision_loss, reason = "bytes")]
fn priced(instance: &Instance, prices: &[f64]) -> f64 {
    instance.capacity.iter().zip(prices).map(|(&c, p)| c as f64 * p).sum()
}
