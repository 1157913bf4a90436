//! Bounding, settling and searching in turns, until the best assignment is proven or the search has
//! used its nodes.

use super::by_tier;
use super::greedy::{greedy, saved};
use super::instance::Instance;
use super::multipliers::prices;
use super::prepare::{OUT, Place, Prepared};
use super::relax::{Losses, Relaxed};
use super::search::{Effort, search};

/// What is as good as equal, as share of the first bound: sums of thousands of savings differ by less.
const EQUAL: f64 = 1e-11;

/// Searches, one after the other: the narrow ones improve the assignment that the wide ones have to
/// beat.
pub(super) const EFFORTS: [Effort; 3] = [
    Effort { width: 20, nodes: 150_000 },
    Effort { width: 1_000, nodes: 150_000 },
    Effort { width: 20_000, nodes: 700_000 },
];

/// Searches for one of many points of a frontier: each begins from the one before, and its bound says
/// how far it may be from the best.
pub(super) const QUICK: [Effort; 2] =
    [Effort { width: 20, nodes: 20_000 }, Effort { width: 500, nodes: 50_000 }];

/// An assignment of the units that are not pinned.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// Place of each unit; `OUT` for pinned ones.
    pub(super) places: Vec<Place>,
    /// What it saves.
    pub(super) value: f64,
    /// None saves more.
    pub(super) bound: f64,
    pub(super) exact: bool,
}

/// Solves for these bytes left on each tier, beginning from an assignment that is known to fit.
pub(super) fn solve(
    prepared: &Prepared,
    residual: &[u64],
    known: Option<&Solved>,
    efforts: &[Effort],
) -> Solved {
    let instance = Instance::new(prepared, residual);
    let mut progress = Progress::new(prepared.units.len());
    if let Some(known) = known {
        progress.best.clone_from(&known.places);
        progress.best_value = known.value;
    }
    proceed(instance, progress, efforts)
}

/// The first assignment, and how far it is from the best at most.
pub(super) fn rough(prepared: &Prepared, residual: &[u64]) -> Solved {
    let instance = Instance::new(prepared, residual);
    let mut progress = Progress::new(prepared.units.len());
    let relaxed = Relaxed::new(&instance, &prices(&instance));
    progress.offer(&instance, &greedy(&instance, &relaxed));
    let bound = relaxed.bound.max(progress.best_value);
    Solved { places: progress.best, value: progress.best_value, bound, exact: false }
}

/// A good assignment of an instance by itself, with fewer nodes.
pub(super) fn solve_part(instance: &Instance, efforts: &[Effort]) -> Vec<Place> {
    let mut part = instance.clone();
    #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
    part.unit.iter_mut().enumerate().for_each(|(n, unit)| *unit = n as u32);
    proceed(part, Progress::new(instance.len()), efforts).places
}

/// What is settled so far and the best assignment known.
struct Progress {
    /// Settled places by unit of the problem.
    settled: Vec<Place>,
    /// What they save.
    settled_value: f64,
    best: Vec<Place>,
    best_value: f64,
    bound: f64,
}

impl Progress {
    fn new(units: usize) -> Self {
        Self {
            settled: vec![OUT; units],
            settled_value: 0.0,
            best: vec![OUT; units],
            best_value: 0.0,
            bound: f64::INFINITY,
        }
    }

    /// Takes an assignment of the open units where it is better.
    fn offer(&mut self, instance: &Instance, places: &[Place]) {
        let value = self.settled_value + saved(instance, places);
        if value <= self.best_value {
            return;
        }
        self.best_value = value;
        self.best.clone_from(&self.settled);
        for (&unit, &place) in instance.unit.iter().zip(places) {
            self.best[unit as usize] = place;
        }
    }

    /// Keeps the places of units that are settled.
    fn settle(&mut self, instance: &Instance, places: &[Option<Place>]) {
        for (i, place) in places.iter().enumerate() {
            if let Some(place) = place.filter(|&p| p != OUT) {
                self.settled[instance.unit[i] as usize] = place;
                self.settled_value += instance.value_on(i, usize::from(place));
            }
        }
    }

    fn proven(self) -> Solved {
        Solved { places: self.best, value: self.best_value, bound: self.best_value, exact: true }
    }
}

fn proceed(mut instance: Instance, mut progress: Progress, efforts: &[Effort]) -> Solved {
    let mut scale = None;
    let mut first_round = true;
    let mut efforts = efforts.iter();
    loop {
        // Settle what the gap settles, as long as that helps.
        let (best_prices, relaxed, losses) = loop {
            if instance.len() == 0 {
                progress.offer(&instance, &[]);
                return progress.proven();
            }
            let best_prices = prices(&instance);
            let relaxed = Relaxed::new(&instance, &best_prices);
            let bound = progress.settled_value + relaxed.bound;
            let equal = EQUAL * *scale.get_or_insert(bound.abs());
            let first = greedy(&instance, &relaxed);
            progress.offer(&instance, &first);
            if instance.tiers > 1 && std::mem::take(&mut first_round) {
                progress.offer(&instance, &by_tier::fill(&instance, &relaxed, &first));
            }
            progress.bound = progress.bound.min(bound.max(progress.best_value));
            let gap = bound - progress.best_value;
            if gap <= equal {
                return progress.proven();
            }
            let losses = relaxed.losses(&instance);
            let before = instance.len();
            let Some((rest, places)) = settle(&instance, &losses, gap - equal) else {
                return progress.proven();
            };
            if rest.len() * 10 > before * 9 && rest.len() + 3 > before {
                // Searched as it is: nothing counts as settled that the instance still holds.
                break (best_prices, relaxed, losses);
            }
            progress.settle(&instance, &places);
            instance = rest;
        };
        let Some(&effort) = efforts.next() else { break };
        let equal = EQUAL * scale.unwrap_or(0.0);
        let to_beat = progress.best_value - progress.settled_value + equal;
        let found = search(&instance, &relaxed, &losses, &best_prices, to_beat, equal, effort);
        if let Some(places) = found.best {
            progress.offer(&instance, &places);
        }
        let bound = (progress.settled_value + found.dropped).max(progress.best_value);
        progress.bound = progress.bound.min(bound);
        if progress.bound - progress.best_value <= equal {
            return progress.proven();
        }
    }
    let Progress { best, best_value, bound, .. } = progress;
    Solved { places: best, value: best_value, bound, exact: false }
}

/// Settles every unit whose other choices lose more than the gap: what is left, and the places settled.
/// `None` where that proves that the best assignment known is best.
fn settle(instance: &Instance, losses: &Losses, gap: f64) -> Option<(Instance, Vec<Option<Place>>)> {
    let tiers = instance.tiers;
    let mut struck = instance.clone();
    let mut places: Vec<Option<Place>> = vec![None; instance.len()];
    for (i, place) in places.iter_mut().enumerate() {
        let mut open = Vec::new();
        for t in 0..tiers {
            if losses.on[i * tiers + t] > gap {
                struck.value[i * tiers + t] = f64::NEG_INFINITY;
            }
            if struck.value[i * tiers + t] > f64::NEG_INFINITY {
                #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
                open.push(t as Place);
            }
        }
        let may_stay = losses.out[i] <= gap;
        match open[..] {
            [] if !may_stay => return None,
            [] => *place = Some(OUT),
            [only] if !may_stay => *place = Some(only),
            _ => {}
        }
    }
    let (places, capacity) = struck.settle(places)?;
    Some((struck.rest(&places, capacity), places))
}
