//! Parts of all assignments, the one with the highest bound first, until none can win or the work is used up.

use super::bound::{Answer, Part, Relaxed};
use super::case::{Case, OPEN, OUT, Place, place};
use super::walk::Walk;
use crate::load::{CAPS, most_share, queue_s};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is as good as equal, as share of the bound.
const EQUAL: f64 = 1e-10;
/// Steps towards tight prices: of all assignments from no prices, and from those of another search, and of a part.
const FIRST_STEPS: usize = 200;
const NEXT_STEPS: usize = 50;
const STEPS: usize = 30;
/// Assignments that one walk may look at.
const WALK: usize = 4_000;
/// What a node of a walk costs, against a unit that decides at given prices.
const NODE: usize = 20;
/// Share of a gap that a range of loads has to hide for it to be cut before a unit is.
const HIDES: f64 = 0.05;
/// Ranges of load are not cut finer.
const NARROW: f64 = 1e-4;

/// The best found, and what none exceeds.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) places: Vec<Place>,
    pub(super) bound: f64,
    pub(super) exact: bool,
    /// Prices at which the bound of all assignments is tight.
    pub(super) prices: Vec<f64>,
}

struct ByBound(Part);

impl PartialEq for ByBound {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for ByBound {}
impl PartialOrd for ByBound {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for ByBound {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.bound.total_cmp(&other.0.bound)
    }
}

/// The best assignment that is found from those known with so much work, beginning from prices where another search
/// left some. Its value is below zero where what has to move loses; `None` where what has to move breaks a limit.
pub(super) fn search(
    case: &Case,
    known: &[Vec<Place>],
    prices: Option<&[f64]>,
    work: usize,
) -> Option<Found> {
    let must = case.must();
    let mut search = Search { case, value: total(case, &must)?, best: must, work };
    for places in known {
        let mut places = places.clone();
        for (at, fixed) in places.iter_mut().zip(&case.fixed) {
            if *fixed != OPEN {
                *at = *fixed;
            }
        }
        search.offer(&places);
    }
    let mut open = case.fixed.clone();
    for (at, unit) in open.iter_mut().zip(&case.units) {
        if *at == OPEN && unit.on.iter().all(Option::is_none) {
            *at = OUT;
        }
    }
    for (number, unit) in case.units.iter().enumerate() {
        if open[number] == OPEN && unit.needs.iter().any(|n| open[*n as usize] == OUT) {
            open[number] = OUT;
        }
    }
    let mut steps = if prices.is_some() { NEXT_STEPS } else { FIRST_STEPS };
    let mut tight = prices.map_or_else(|| vec![0.0; case.tiers * super::bound::LIMITS], <[f64]>::to_vec);
    let whole = Part {
        places: open,
        low: vec![[0.0; CAPS]; case.tiers],
        high: vec![[most_share(); CAPS]; case.tiers],
        prices: tight.clone(),
        bound: f64::INFINITY,
    };
    let mut parts = BinaryHeap::from([ByBound(whole)]);
    let mut bound = f64::INFINITY;
    let mut exact = true;
    while let Some(ByBound(part)) = parts.pop() {
        bound = bound.min(part.bound.max(search.value));
        if part.bound <= search.beaten() {
            break;
        }
        if search.work == 0 {
            exact = false;
            break;
        }
        let found = search.parts_of(part, steps);
        if steps > STEPS
            && let Some(first) = found.first()
        {
            tight.clone_from(&first.prices);
        }
        parts.extend(found.into_iter().map(ByBound));
        steps = STEPS;
    }
    let Search { best, value, .. } = search;
    let bound = if exact { value } else { bound };
    Some(Found { places: best, bound, exact, prices: tight })
}

pub(super) fn total(case: &Case, places: &[Place]) -> Option<f64> {
    case.saved(places).map(|tiers| tiers.iter().sum())
}

struct Search<'a> {
    case: &'a Case,
    best: Vec<Place>,
    value: f64,
    work: usize,
}

impl Search<'_> {
    fn offer(&mut self, places: &[Place]) {
        if let Some(value) = total(self.case, places)
            && value > self.value
        {
            self.value = value;
            self.best = places.to_vec();
        }
    }

    /// What a part has to exceed.
    fn beaten(&self) -> f64 {
        self.value + EQUAL * self.value.abs()
    }

    /// Looks at a part: what is left of it, cut in two or more.
    fn parts_of(&mut self, mut part: Part, steps: usize) -> Vec<Part> {
        let case = self.case;
        let Some(mut relaxed) = Relaxed::new(case, &part) else { return Vec::new() };
        let mut seen: Vec<Answer> = Vec::new();
        let looks = steps > STEPS;
        let answer = relaxed.tightest(&part.prices, self.value, steps, |answer| {
            if looks || seen.is_empty() {
                seen.push(answer.clone());
            }
        });
        seen.push(answer.clone());
        self.work = self.work.saturating_sub(relaxed.work);
        for answer in &seen {
            self.offer(&case.repaired(answer.places.clone(), &answer.worth));
            self.work = self.work.saturating_sub(8 * case.units.len());
        }
        let bound = answer.bound.min(part.bound);
        let gap = bound - self.beaten();
        if gap <= 0.0 || gap.is_nan() {
            return Vec::new();
        }
        // What loses more than the gap by any other place is decided; what others need, with these.
        let mut places = part.places.clone();
        let losses: Vec<Vec<(Place, f64)>> =
            (0..case.units.len()).map(|unit| self.doubts(&relaxed, &answer, unit, gap)).collect();
        for (unit, all) in losses.iter().enumerate() {
            if places[unit] != OPEN {
                continue;
            }
            let own = &case.units[unit];
            match all[..] {
                [] => return Vec::new(),
                [(only, _)] if !own.counted && !case.decide(&mut places, unit, only) => return Vec::new(),
                _ => {}
            }
        }
        let bundle = (0..case.units.len())
            .filter(|unit| places[*unit] == OPEN && !case.units[*unit].needs.is_empty())
            .min_by(|a, b| by_second(&losses[*a], &losses[*b]).then(a.cmp(b)));
        if bundle.is_none() {
            let mut sure = places.clone();
            let mut open = Vec::new();
            for unit in 0..sure.len() {
                if sure[unit] == OPEN {
                    match losses[unit][..] {
                        [] => return Vec::new(),
                        [(only, _)] => sure[unit] = only,
                        _ => open.push((unit, losses[unit].clone())),
                    }
                }
            }
            let both = (&relaxed, &answer);
            let mut walk = Walk::new(case, both, sure, open, self.beaten(), WALK.min(self.work / NODE + 1));
            let done = walk.all();
            let (nodes, best) = (walk.nodes, walk.best.take());
            self.work = self.work.saturating_sub(NODE * nodes);
            if let Some(best) = best {
                self.offer(&best);
            }
            if done {
                return Vec::new();
            }
        }
        let gap = bound - self.beaten();
        let cut = self.widest(&part, &relaxed, &answer);
        let (now, prices) = (places, answer.prices.clone());
        part.places = now;
        part.prices = prices;
        part.bound = bound;
        if let Some(unit) = bundle {
            return self.by_place(&part, unit, &losses[unit]);
        }
        if let Some((tier, cap, at, missed)) = cut
            && missed > HIDES * gap
        {
            let (mut lower, mut upper) = (part.clone(), part);
            lower.high[tier][cap] = at;
            upper.low[tier][cap] = at;
            return vec![lower, upper];
        }
        let unit = (0..losses.len())
            .filter(|unit| part.places[*unit] == OPEN && losses[*unit].len() > 1)
            .min_by(|a, b| by_second(&losses[*a], &losses[*b]).then(a.cmp(b)));
        match unit {
            Some(unit) => self.by_place(&part, unit, &losses[unit]),
            // All is decided at these prices, and only the loads are in doubt.
            None => match cut {
                Some((tier, cap, at, _)) => {
                    let (mut lower, mut upper) = (part.clone(), part);
                    lower.high[tier][cap] = at;
                    upper.low[tier][cap] = at;
                    vec![lower, upper]
                }
                None => Vec::new(),
            },
        }
    }

    /// Places of a unit that lose less than the gap.
    fn doubts(&self, relaxed: &Relaxed<'_>, answer: &Answer, unit: usize, gap: f64) -> Vec<(Place, f64)> {
        let mut all = relaxed.losses(answer, unit);
        all.retain(|(_, loss)| *loss < gap);
        all
    }

    fn by_place(&self, part: &Part, unit: usize, places: &[(Place, f64)]) -> Vec<Part> {
        let cut = |(at, _): &(Place, f64)| {
            let mut part = part.clone();
            self.case.decide(&mut part.places, unit, *at).then_some(part)
        };
        places.iter().filter_map(cut).collect()
    }

    /// Tier and cap whose range of loads hides most of the queue of the relaxed answer, where to cut it, and the
    /// seconds that it hides.
    fn widest(
        &self,
        part: &Part,
        relaxed: &Relaxed<'_>,
        answer: &Answer,
    ) -> Option<(usize, usize, f64, f64)> {
        let taken = self.case.taken(&answer.places);
        let mut widest: Option<(usize, usize, f64, f64)> = None;
        for (tier, on) in taken.iter().enumerate() {
            for cap in 0..CAPS {
                let (low, high) = (part.low[tier][cap].max(crate::load::HOLDS_TO), part.high[tier][cap]);
                if high - low <= NARROW || on.pays[cap] <= 0.0 {
                    continue;
                }
                let share = on.share[cap].clamp(low, high);
                let edge = 0.1 * (high - low);
                let at = if part.low[tier][cap] < low {
                    low
                } else if share - low > edge && high - share > edge {
                    share
                } else {
                    f64::midpoint(low, high)
                };
                // What relaxed answers near this one may hide.
                let near = (on.share[cap] + 0.5 * (high - low)).clamp(low, high);
                let more = (on.pays[cap] - relaxed.least(tier, cap, share)).max(0.0);
                let missed = queue_s(more, near) - queue_s(more, low);
                if widest.is_none_or(|w| missed > w.3) {
                    widest = Some((tier, cap, at, missed));
                }
            }
        }
        widest
    }
}

/// Whose second choice loses less.
fn by_second(a: &[(Place, f64)], b: &[(Place, f64)]) -> Ordering {
    let second = |all: &[(Place, f64)]| all.get(1).map_or(f64::INFINITY, |p| p.1);
    second(a).total_cmp(&second(b))
}

/// Tiers that something is pinned to.
pub(super) fn pinned_tiers(case: &Case) -> Vec<usize> {
    (0..case.tiers).filter(|t| case.fixed.contains(&place(*t))).collect()
}
