//! The problem in an order of its own: independent of how items are numbered or named.

use super::solve::Solved;
use super::{CannotChoose, Choice, MOST_TIERS, Problem};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Where a unit goes: `OUT` or a tier.
pub(super) type Place = u8;

/// It stays.
pub(super) const OUT: Place = u8::MAX;

/// Items that go together: one, or several that need each other.
#[derive(Debug)]
pub(super) struct Unit {
    /// Items, ascending in the canonical order.
    members: Vec<usize>,
    pub(super) size: u64,
    /// Saving on each tier; minus infinity where it may not go.
    pub(super) value: Vec<f64>,
    /// Units needed, all later in the list.
    pub(super) needs: Vec<u32>,
    /// Where pins send it.
    pub(super) pinned: Option<usize>,
}

/// A problem without its capacities.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) tiers: usize,
    /// Units; each before all that it needs.
    pub(super) units: Vec<Unit>,
    /// Bytes pinned to each tier.
    pinned: Vec<u128>,
}

impl Prepared {
    pub(super) fn new(problem: &Problem) -> Result<Self, CannotChoose> {
        let tiers = problem.capacities.len();
        if tiers > MOST_TIERS {
            return Err(CannotChoose::TooManyTiers { tiers });
        }
        let order = canonical_order(problem);
        let mut units = topological(join_cycles(problem, &order));
        let pinned = pin(problem, &mut units, tiers)?;
        Ok(Self { tiers, units, pinned })
    }

    /// What pins leave of each tier.
    pub(super) fn residual(&self, capacities: &[u64]) -> Result<Vec<u64>, CannotChoose> {
        self.pinned
            .iter()
            .zip(capacities)
            .enumerate()
            .map(|(tier, (&pinned_bytes, &capacity_bytes))| {
                u64::try_from(u128::from(capacity_bytes).checked_sub(pinned_bytes).unwrap_or(u128::MAX))
                    .map_err(|_| CannotChoose::PinsDoNotFit { tier, pinned_bytes, capacity_bytes })
            })
            .collect()
    }

    /// The answer in the caller's terms.
    pub(super) fn choice(&self, problem: &Problem, solved: &Solved) -> Choice {
        let mut places = solved.places.clone();
        self.prefer_small(&mut places);
        let mut tier_of = vec![None; problem.items.len()];
        let mut value = 0.0;
        let mut pinned_value = 0.0;
        for (unit, &place) in self.units.iter().zip(&places) {
            let place = unit.pinned.or((place != OUT).then_some(usize::from(place)));
            let Some(tier) = place else { continue };
            for &item in &unit.members {
                tier_of[item] = Some(tier);
                let saved = saving(problem, item, tier).unwrap_or(0.0);
                value += saved;
                if unit.pinned.is_some() {
                    pinned_value += saved;
                }
            }
        }
        let bound = if solved.exact { value } else { (solved.bound + pinned_value).max(value) };
        Choice { tier_of, value, bound, exact: solved.exact }
    }

    /// Among free units that save the same everywhere, the smaller ones are taken.
    fn prefer_small(&self, places: &mut [Place]) {
        let mut needed = vec![false; self.units.len()];
        self.units.iter().flat_map(|u| &u.needs).for_each(|&n| needed[n as usize] = true);
        let mut free: Vec<usize> = (0..self.units.len())
            .filter(|&i| self.units[i].pinned.is_none() && self.units[i].needs.is_empty() && !needed[i])
            .collect();
        // Stable: units of the same saving and size stay in canonical order.
        free.sort_by(|&a, &b| {
            let (a, b) = (&self.units[a], &self.units[b]);
            by_values(&a.value, &b.value).then(a.size.cmp(&b.size))
        });
        for alike in free.chunk_by(|&a, &b| by_values(&self.units[a].value, &self.units[b].value).is_eq()) {
            let taken: Vec<Place> = alike.iter().map(|&i| places[i]).filter(|&p| p != OUT).collect();
            for (n, &i) in alike.iter().enumerate() {
                places[i] = taken.get(n).copied().unwrap_or(OUT);
            }
        }
    }
}

/// What an item saves on a tier; `None` where it may not go.
fn saving(problem: &Problem, item: usize, tier: usize) -> Option<f64> {
    problem.items[item].value.get(tier).copied().flatten().filter(|v| v.is_finite())
}

fn by_values(a: &[f64], b: &[f64]) -> Ordering {
    a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// Items by size, savings, pin, their place among needs, and only then by key.
fn canonical_order(problem: &Problem) -> Vec<usize> {
    let items = &problem.items;
    let values: Vec<Vec<f64>> = (0..items.len())
        .map(|i| {
            (0..problem.capacities.len())
                .map(|t| saving(problem, i, t).unwrap_or(f64::NEG_INFINITY))
                .collect()
        })
        .collect();
    let shape = shapes(problem, &values);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| {
        (items[a].size.cmp(&items[b].size))
            .then_with(|| by_values(&values[b], &values[a]))
            .then_with(|| items[a].pinned.cmp(&items[b].pinned))
            .then_with(|| shape[a].cmp(&shape[b]))
            .then_with(|| items[a].key.cmp(&items[b].key))
    });
    order
}

/// A number for each item that tells apart, name aside, what it needs and what needs it.
fn shapes(problem: &Problem, values: &[Vec<f64>]) -> Vec<u64> {
    let items = &problem.items;
    let mut needed_by = vec![Vec::new(); items.len()];
    for (i, item) in items.iter().enumerate() {
        item.needs.iter().for_each(|&n| needed_by[n].push(i));
    }
    let mut shape: Vec<u64> = items
        .iter()
        .zip(values)
        .map(|(item, values)| {
            let pin = item.pinned.map_or(0, |p| p as u64 + 1);
            values.iter().fold(mixed(item.size, pin), |h, v| mixed(h, v.to_bits()))
        })
        .collect();
    if items.iter().all(|i| i.needs.is_empty()) {
        return shape;
    }
    // Three rounds look three steps along the needs, farther than bundles of tablespaces go.
    for _ in 0..3 {
        let around = |of: &[usize]| {
            let mut near: Vec<u64> = of.iter().map(|&n| shape[n]).collect();
            near.sort_unstable();
            near.into_iter().fold(of.len() as u64, mixed)
        };
        shape = (0..items.len())
            .map(|i| mixed(mixed(shape[i], around(&items[i].needs)), around(&needed_by[i])))
            .collect();
    }
    shape
}

/// One number from two (the finishing steps of splitmix64).
fn mixed(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Units of the items: those that need each other, directly or around, are one.
fn join_cycles(problem: &Problem, order: &[usize]) -> Vec<Unit> {
    let items = &problem.items;
    let tiers = problem.capacities.len();
    let component = components(problem, order);
    let count = component.iter().max().map_or(0, |m| m + 1);
    let mut units: Vec<Unit> = (0..count)
        .map(|_| Unit {
            members: Vec::new(),
            size: 0,
            value: vec![0.0; tiers],
            needs: Vec::new(),
            pinned: None,
        })
        .collect();
    for &i in order {
        let unit = &mut units[component[i]];
        unit.members.push(i);
        unit.size = unit.size.saturating_add(items[i].size);
        for (t, value) in unit.value.iter_mut().enumerate() {
            *value += saving(problem, i, t).unwrap_or(f64::NEG_INFINITY);
        }
        let own = component[i];
        #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
        unit.needs
            .extend(items[i].needs.iter().map(|&n| component[n]).filter(|&n| n != own).map(|n| n as u32));
    }
    for unit in &mut units {
        unit.needs.sort_unstable();
        unit.needs.dedup();
    }
    units
}

/// Strongly connected component of each item, numbered by first member in canonical order (two passes
/// of depth-first search, without recursion: chains may be long).
fn components(problem: &Problem, order: &[usize]) -> Vec<usize> {
    let items = &problem.items;
    let mut needed_by = vec![Vec::new(); items.len()];
    for &i in order {
        items[i].needs.iter().for_each(|&n| needed_by[n].push(i));
    }
    let mut seen = vec![false; items.len()];
    let mut finished = Vec::with_capacity(items.len());
    for &start in order {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((i, next)) = path.last_mut() {
            if let Some(&n) = items[*i].needs.get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[n], true) {
                    path.push((n, 0));
                }
            } else {
                finished.push(*i);
                path.pop();
            }
        }
    }
    let mut root = vec![usize::MAX; items.len()];
    for &start in finished.iter().rev() {
        if root[start] != usize::MAX {
            continue;
        }
        root[start] = start;
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            for &n in &needed_by[i] {
                if root[n] == usize::MAX {
                    root[n] = start;
                    open.push(n);
                }
            }
        }
    }
    let mut number = vec![usize::MAX; items.len()];
    let mut count = 0;
    for &i in order {
        if number[root[i]] == usize::MAX {
            number[root[i]] = count;
            count += 1;
        }
    }
    root.iter().map(|&r| number[r]).collect()
}

/// Units reordered so that each stands before all that it needs, else in the order given.
#[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
fn topological(units: Vec<Unit>) -> Vec<Unit> {
    let mut needers = vec![0_u32; units.len()];
    units.iter().flat_map(|u| &u.needs).for_each(|&n| needers[n as usize] += 1);
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..units.len()).filter(|&i| needers[i] == 0).map(Reverse).collect();
    let mut place = vec![0_u32; units.len()];
    let mut order = Vec::with_capacity(units.len());
    while let Some(Reverse(i)) = ready.pop() {
        place[i] = order.len() as u32;
        order.push(i);
        for &n in &units[i].needs {
            needers[n as usize] -= 1;
            if needers[n as usize] == 0 {
                ready.push(Reverse(n as usize));
            }
        }
    }
    let mut units: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|i| units[i].take())
        .map(|mut unit| {
            unit.needs.iter_mut().for_each(|n| *n = place[*n as usize]);
            unit.needs.sort_unstable();
            unit
        })
        .collect()
}

/// Sends pinned units and all that they need to their tiers; bytes pinned to each.
fn pin(problem: &Problem, units: &mut [Unit], tiers: usize) -> Result<Vec<u128>, CannotChoose> {
    let mut bytes = vec![0_u128; tiers];
    for i in 0..units.len() {
        let mut pin = units[i].pinned;
        for &item in &units[i].members {
            let Some(own) = problem.items[item].pinned else { continue };
            assert!(own < tiers, "pinned to a tier that is not there");
            if let Some(other) = pin.filter(|&other| other != own) {
                return Err(CannotChoose::PinsContradict { item, tiers: (other.min(own), other.max(own)) });
            }
            pin = Some(own);
        }
        let Some(tier) = pin else { continue };
        for &item in &units[i].members {
            if problem.items[item].pinned.is_none() && saving(problem, item, tier).is_none() {
                return Err(CannotChoose::NeededMayNotGo { item, tier });
            }
            bytes[tier] += u128::from(problem.items[item].size);
        }
        units[i].pinned = Some(tier);
        for n in units[i].needs.clone() {
            let needed = &mut units[n as usize];
            if let Some(other) = needed.pinned.filter(|&other| other != tier) {
                return Err(CannotChoose::PinsContradict {
                    item: needed.members[0],
                    tiers: (other.min(tier), other.max(tier)),
                });
            }
            needed.pinned = Some(tier);
        }
    }
    Ok(bytes)
}
