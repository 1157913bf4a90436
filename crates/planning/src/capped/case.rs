//! Items under capacities and caps, in an order of their own, and what an assignment of them saves.

use crate::choice::Problem;
use crate::load::{CAPS, Demand, HOLDS_TO, most_share, waits};
use crate::tier::Tier;
use std::cmp::Ordering;

/// Where an item goes: a tier, or one of these.
pub(super) type Place = u8;
/// It stays.
pub(super) const OUT: Place = u8::MAX;
/// Not decided.
pub(super) const OPEN: Place = u8::MAX - 1;

/// Share of a sum below which it may differ from the same sum in another order.
const LAST_DIGITS: f64 = 1e-10;

/// What lies on a tier, or an item of it: bytes, seconds saved at the tier's latency, shares of its caps, and seconds
/// that it pays for each time that a cap takes longer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct On {
    pub(super) bytes: u64,
    pub(super) value: f64,
    pub(super) share: [f64; CAPS],
    pub(super) pays: [f64; CAPS],
}

impl On {
    pub(super) fn with(self, other: &Self) -> Self {
        let add = |a: [f64; CAPS], b: [f64; CAPS]| std::array::from_fn(|at| a[at] + b[at]);
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            value: self.value + other.value,
            share: add(self.share, other.share),
            pays: add(self.pays, other.pays),
        }
    }

    fn less(self, other: &Self) -> Self {
        let less = |a: [f64; CAPS], b: [f64; CAPS]| std::array::from_fn(|at| a[at] - b[at]);
        Self {
            bytes: self.bytes.saturating_sub(other.bytes),
            value: self.value - other.value,
            share: less(self.share, other.share),
            pays: less(self.pays, other.pays),
        }
    }

    /// Does the tier queue, and save more without a part of it?
    fn gains_without(&self, part: &Self) -> bool {
        self.share.iter().any(|share| waits(*share) != Some(0.0)) && self.less(part).net() > self.net()
    }

    /// The same, or not, by more than the last digits of sums that were not made anew.
    fn is_clear_without(&self, part: &Self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= LAST_DIGITS * a.abs().max(b.abs());
        let limits = [HOLDS_TO, most_share()];
        let less = self.less(part);
        let shares = self.share.iter().chain(&less.share);
        if self.share.iter().all(|share| *share < HOLDS_TO * (1.0 - LAST_DIGITS)) {
            return true;
        }
        if shares.clone().any(|share| limits.iter().any(|limit| near(*share, *limit))) {
            return false;
        }
        match (less.net(), self.net()) {
            (Some(less), Some(all)) => !near(less, all),
            _ => true,
        }
    }

    /// Seconds saved after the queue; `None` where the tier cannot keep up.
    pub(super) fn net(&self) -> Option<f64> {
        let mut left = self.value;
        for (pays, share) in self.pays.iter().zip(self.share) {
            left -= pays * waits(share)?;
        }
        Some(left)
    }
}

/// An item; others are known by their place in the order.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// What it is on each tier; `None` where it may not go.
    pub(super) on: Vec<Option<On>>,
    /// All that it needs, and what needs that, without itself.
    pub(super) needs: Vec<u32>,
    /// What needs it.
    pub(super) needed_by: Vec<u32>,
    /// What is counted with it in bounds: what it needs, where it is the first to.
    pub(super) with: Vec<u32>,
    /// Is it counted with another?
    pub(super) counted: bool,
    /// Where pins send it.
    pub(super) pinned: Option<Place>,
}

/// Items and tiers.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) tiers: usize,
    pub(super) capacity: Vec<u64>,
    pub(super) units: Vec<Unit>,
    /// Item of the problem that each unit is.
    item: Vec<usize>,
    /// Units that ask something of each cap of each tier, those first that pay least for it.
    pub(super) by_pay: Vec<Vec<u32>>,
    /// Places that are decided before all search.
    pub(super) fixed: Vec<Place>,
}

impl Case {
    pub(super) fn new(problem: &Problem, demands: &[Demand], tiers: &[Tier]) -> Self {
        let order = canonical(problem, demands);
        let mut number = vec![0_u32; order.len()];
        order.iter().enumerate().for_each(|(at, item)| number[*item] = index(at));
        let mut units: Vec<Unit> = order
            .iter()
            .map(|item| {
                let own = &problem.items[*item];
                let on = |(t, tier): (usize, &Tier)| {
                    let value = own.value.get(t).copied().flatten().filter(|v| v.is_finite());
                    value.or((own.pinned == Some(t)).then_some(0.0)).map(|value| On {
                        bytes: own.size,
                        value,
                        share: demands[*item].asked.shares(tier),
                        pays: demands[*item].pays(tier),
                    })
                };
                let mut needs: Vec<u32> = closure(problem, *item).into_iter().map(|n| number[n]).collect();
                needs.sort_unstable();
                Unit {
                    on: tiers.iter().enumerate().map(on).collect(),
                    needs,
                    needed_by: Vec::new(),
                    with: Vec::new(),
                    counted: false,
                    pinned: own.pinned.map(place),
                }
            })
            .collect();
        for at in 0..units.len() {
            for need in units[at].needs.clone() {
                units[need as usize].needed_by.push(index(at));
            }
        }
        for at in 0..units.len() {
            if units[at].counted {
                continue;
            }
            for need in units[at].needs.clone() {
                let other = &mut units[need as usize];
                if other.needs.is_empty() && !other.counted {
                    other.counted = true;
                    units[at].with.push(need);
                }
            }
        }
        let mut fixed = vec![OPEN; units.len()];
        for at in 0..units.len() {
            if let Some(tier) = units[at].pinned {
                fixed[at] = tier;
                units[at].needs.iter().for_each(|n| fixed[*n as usize] = tier);
            }
        }
        let by_pay = (0..tiers.len() * CAPS)
            .map(|at| {
                let of = |n: u32| {
                    units[n as usize].on[at / CAPS].map(|on| (on.share[at % CAPS], on.pays[at % CAPS]))
                };
                let mut all: Vec<(f64, u32)> = (0..index(units.len()))
                    .filter_map(|n| of(n).filter(|own| own.0 > 0.0).map(|own| (own.1 / own.0, n)))
                    .collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                all.into_iter().map(|(_, n)| n).collect()
            })
            .collect();
        Self { tiers: tiers.len(), capacity: problem.capacities.clone(), units, item: order, by_pay, fixed }
    }

    /// The same with tiers that hold what is pinned there, which saves nothing, and no more.
    pub(super) fn without(&self, closed: &[usize]) -> Self {
        let mut other = self.clone();
        for (unit, fixed) in other.units.iter_mut().zip(&mut other.fixed) {
            for tier in closed {
                unit.on[*tier] = None;
                if *fixed == place(*tier) {
                    *fixed = OUT;
                }
            }
        }
        other
    }

    /// The same where all that is placed stays there, and nothing more goes to any tier but one.
    pub(super) fn holding(&self, places: &[Place], tier: usize) -> Self {
        let mut other = self.clone();
        for ((unit, fixed), at) in other.units.iter_mut().zip(&mut other.fixed).zip(places) {
            if *fixed != OPEN {
                continue;
            }
            if *at != OUT {
                *fixed = *at;
                continue;
            }
            unit.on.iter_mut().enumerate().filter(|(t, _)| *t != tier).for_each(|(_, on)| *on = None);
        }
        other
    }

    /// What has to move, and nothing else.
    pub(super) fn must(&self) -> Vec<Place> {
        self.fixed.iter().map(|at| if *at == OPEN { OUT } else { *at }).collect()
    }

    /// In the order of the problem.
    pub(super) fn tier_of(&self, places: &[Place]) -> Vec<Option<usize>> {
        let mut tier_of = vec![None; places.len()];
        for (at, place) in places.iter().enumerate() {
            tier_of[self.item[at]] = (usize::from(*place) < self.tiers).then_some(usize::from(*place));
        }
        tier_of
    }

    pub(super) fn places(&self, tier_of: &[Option<usize>]) -> Vec<Place> {
        self.item.iter().map(|item| tier_of[*item].map_or(OUT, place)).collect()
    }

    pub(super) fn on(&self, unit: usize, at: Place) -> Option<&On> {
        self.units[unit].on.get(usize::from(at)).and_then(Option::as_ref)
    }

    /// What lies on each tier.
    pub(super) fn taken(&self, places: &[Place]) -> Vec<On> {
        let mut taken = vec![On::default(); self.tiers];
        for (unit, at) in places.iter().enumerate() {
            if let Some(on) = self.on(unit, *at) {
                let tier = &mut taken[usize::from(*at)];
                *tier = tier.with(on);
            }
        }
        taken
    }

    pub(super) fn fits(&self, tier: usize, on: &On) -> bool {
        on.bytes <= self.capacity[tier] && on.share.iter().all(|share| *share < most_share())
    }

    /// Seconds saved, by tier; `None` where it is not allowed.
    pub(super) fn saved(&self, places: &[Place]) -> Option<Vec<f64>> {
        for (unit, at) in places.iter().enumerate() {
            let decided = self.fixed[unit];
            if *at == OPEN || decided != OPEN && decided != *at {
                return None;
            }
            if *at != OUT
                && (self.on(unit, *at).is_none()
                    || self.units[unit].needs.iter().any(|n| places[*n as usize] != *at))
            {
                return None;
            }
        }
        let taken = self.taken(places);
        taken.iter().enumerate().map(|(t, on)| on.net().filter(|_| self.fits(t, on))).collect()
    }

    /// Decides on a unit, and so on all that it needs or that needs it. `false` where that contradicts itself.
    pub(super) fn decide(&self, places: &mut [Place], unit: usize, at: Place) -> bool {
        let units = &self.units[unit];
        let others = if at == OUT { &units.needed_by } else { &units.needs };
        for other in others.iter().map(|n| *n as usize).chain([unit]) {
            if places[other] != OPEN && places[other] != at || at != OUT && self.on(other, at).is_none() {
                return false;
            }
        }
        others.iter().map(|n| *n as usize).chain([unit]).for_each(|n| places[n] = at);
        true
    }

    /// The assignment near to one that may break limits: takes out what is worth least where a tier holds too
    /// much, adds what is worth most, and takes out what costs others more than it saves. `worth` is by unit and
    /// tier.
    pub(super) fn repaired(&self, mut places: Vec<Place>, worth: &[f64]) -> Vec<Place> {
        for (at, fixed) in places.iter_mut().zip(&self.fixed) {
            if *fixed != OPEN {
                *at = *fixed;
            }
        }
        let before = places.clone();
        for (unit, at) in before.iter().enumerate() {
            let unmet = || self.units[unit].needs.iter().any(|n| before[*n as usize] != *at);
            if *at == OPEN
                || *at != OUT && self.fixed[unit] == OPEN && (self.on(unit, *at).is_none() || unmet())
            {
                places[unit] = OUT;
            }
        }
        let of = |unit: usize, at: usize| worth[unit * self.tiers + at];
        let by_worth = |a: f64, b: f64, x: usize, y: usize| a.total_cmp(&b).then(x.cmp(&y));
        let mut taken = self.taken(&places);
        for (tier, on) in taken.iter_mut().enumerate() {
            if self.fits(tier, on) {
                continue;
            }
            let here = place(tier);
            let mut loose: Vec<usize> =
                (0..places.len()).filter(|n| places[*n] == here && self.fixed[*n] == OPEN).collect();
            loose.sort_by(|a, b| by_worth(of(*a, tier), of(*b, tier), *a, *b));
            // What is left is known but for its last digits, and made anew where these decide.
            let mut is_exact = true;
            for unit in loose {
                if !self.clearly_breaks(tier, on) {
                    if !std::mem::replace(&mut is_exact, true) {
                        *on = self.only(&places, tier);
                    }
                    if self.fits(tier, on) {
                        break;
                    }
                }
                if places[unit] == here {
                    let needed_by = self.units[unit].needed_by.iter().map(|n| *n as usize);
                    for n in needed_by.filter(|n| self.fixed[*n] == OPEN).chain([unit]) {
                        if let Some(own) = self.on(n, here).filter(|_| places[n] == here) {
                            *on = on.less(own);
                            places[n] = OUT;
                        }
                    }
                    is_exact = false;
                }
            }
            if !is_exact {
                *on = self.only(&places, tier);
            }
        }
        let mut open: Vec<(f64, usize, usize)> = (0..places.len())
            .filter(|unit| places[*unit] == OUT && self.fixed[*unit] == OPEN)
            .flat_map(|unit| (0..self.tiers).map(move |tier| (unit, tier)))
            .filter(|(unit, tier)| self.units[*unit].on[*tier].is_some())
            .map(|(unit, tier)| {
                let needs = self.units[unit].needs.iter().map(|n| *n as usize);
                let with: f64 = needs.filter(|n| places[*n] == OUT).map(|n| of(n, tier)).sum();
                (of(unit, tier) + with, unit, tier)
            })
            .collect();
        open.sort_by(|a, b| by_worth(b.0, a.0, a.1, b.1).then(a.2.cmp(&b.2)));
        for (_, unit, tier) in open {
            self.add(&mut places, &mut taken, unit, tier);
        }
        let mut is_exact = vec![true; self.tiers];
        for (unit, own) in self.units.iter().enumerate() {
            let at = places[unit];
            let is_needed = || own.needed_by.iter().any(|n| places[*n as usize] == at);
            if at != OUT && self.fixed[unit] == OPEN && !is_needed() {
                let tier = usize::from(at);
                // Only where the tier queues can less be more.
                let Some(on) = self.on(unit, at) else { continue };
                if !is_exact[tier] && !taken[tier].is_clear_without(on) {
                    taken[tier] = self.only(&places, tier);
                    is_exact[tier] = true;
                }
                if taken[tier].gains_without(on) {
                    places[unit] = OUT;
                    taken[tier] = taken[tier].less(on);
                    is_exact[tier] = false;
                }
            }
        }
        places
    }

    /// Does a sum break a limit by more than its last digits?
    fn clearly_breaks(&self, tier: usize, on: &On) -> bool {
        on.bytes > self.capacity[tier]
            || on.share.iter().any(|share| *share > most_share() * (1.0 + LAST_DIGITS))
    }

    /// What lies on one tier.
    fn only(&self, places: &[Place], tier: usize) -> On {
        let here = place(tier);
        let all = (0..places.len()).filter(|n| places[*n] == here).filter_map(|n| self.on(n, here));
        all.fold(On::default(), |sum, on| sum.with(on))
    }

    /// Puts a unit with all that it needs on a tier, if that fits, is allowed and saves.
    fn add(&self, places: &mut [Place], taken: &mut [On], unit: usize, tier: usize) {
        let here = place(tier);
        let mut then = taken[tier];
        for n in self.units[unit].needs.iter().map(|n| *n as usize).chain([unit]) {
            if places[n] == here {
                continue;
            }
            match self.on(n, here) {
                Some(on) if places[n] == OUT && self.fixed[n] == OPEN => then = then.with(on),
                _ => return,
            }
        }
        if self.fits(tier, &then) && then.net() > taken[tier].net() && places[unit] == OUT {
            self.units[unit].needs.iter().map(|n| *n as usize).chain([unit]).for_each(|n| places[n] = here);
            taken[tier] = then;
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
fn index(n: usize) -> u32 {
    n as u32
}

#[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
pub(super) fn place(tier: usize) -> Place {
    tier as Place
}

/// All that an item needs, itself left out.
fn closure(problem: &Problem, item: usize) -> Vec<usize> {
    let mut all = vec![item];
    let mut at = 0;
    while let Some(next) = all.get(at).copied() {
        at += 1;
        for need in &problem.items[next].needs {
            if !all.contains(need) {
                all.push(*need);
            }
        }
    }
    all.swap_remove(0);
    all
}

/// Items by what they are, and only then by name: neither names nor their order decide.
fn canonical(problem: &Problem, demands: &[Demand]) -> Vec<usize> {
    let items = &problem.items;
    let by_values = |a: &[Option<f64>], b: &[Option<f64>]| {
        let of = |v: &Option<f64>| v.unwrap_or(f64::NEG_INFINITY);
        a.iter().zip(b).map(|(a, b)| of(b).total_cmp(&of(a))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| {
        let (x, y) = (&demands[a], &demands[b]);
        (items[a].size.cmp(&items[b].size))
            .then_with(|| by_values(&items[a].value, &items[b].value))
            .then_with(|| x.asked.requests_s.total_cmp(&y.asked.requests_s))
            .then_with(|| x.asked.bytes_s.total_cmp(&y.asked.bytes_s))
            .then_with(|| x.waited_for.requests_s.total_cmp(&y.waited_for.requests_s))
            .then_with(|| items[a].pinned.cmp(&items[b].pinned))
            .then_with(|| items[a].needs.len().cmp(&items[b].needs.len()))
            .then_with(|| items[a].key.cmp(&items[b].key))
    });
    order
}
