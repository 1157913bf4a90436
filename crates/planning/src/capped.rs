//! The choice where a tier's caps bind as well as its capacity: what is chosen is best after the queue.
//!
//! What a set of objects saves on a tier is the sum of what each saves at the tier's latency, less what the queue
//! before the caps takes, which grows with the load of all of them together (`load`). `case` holds items and limits,
//! `bound` relaxes them, `tree` cuts all assignments into parts and drops those that cannot win, `walk` goes through
//! what is left of a part. Where the work is used up before it is proven, the choice carries the bound.
//!
//! For the same assignment more capacity, wider caps and lower latency never save less, and each allows all that less
//! of it allows. So what is proven best never saves less either.

mod bound;
mod case;
mod least;
mod tree;
mod walk;

use crate::choice::{self, CannotChoose, Choice, Problem};
use crate::load::{Demand, HOLDS_TO, Load, caps};
use crate::tier::Tier;
use crate::words;
use case::Case;
use tree::{pinned_tiers, search};

/// Work of a search: units that decide at given prices.
pub(crate) const THOROUGH: usize = 5_000_000;
/// The same for one of many points of a frontier.
pub(crate) const QUICK: usize = 1_000_000;
/// Tiers with pins of which every set is tried to be given up.
const GIVEN_UP: usize = 4;

/// Tier of each item; `None` where it stays.
pub(crate) type TierOf = Vec<Option<usize>>;

/// What is offered: the tiers, and what each item asks of them.
#[derive(Clone, Copy)]
pub(crate) struct Offered<'a> {
    pub(crate) tiers: &'a [Tier],
    pub(crate) demands: &'a [Demand],
}

impl Offered<'_> {
    /// All that is asked of each tier.
    pub(crate) fn asked(&self, tier_of: &[Option<usize>]) -> Vec<Load> {
        let mut asked = vec![Load::default(); self.tiers.len()];
        for (tier, demand) in tier_of.iter().zip(self.demands) {
            if let Some(asked) = tier.and_then(|t| asked.get_mut(t)) {
                *asked = *asked + demand.asked;
            }
        }
        asked
    }

    /// Does a queue stand before a tier?
    pub(crate) fn queues(&self, tier_of: &[Option<usize>]) -> bool {
        self.asked(tier_of).iter().zip(self.tiers).any(|(asked, tier)| asked.share(tier) > HOLDS_TO)
    }
}

/// The best choice under the tiers' capacities and caps; what queues there is said. With a search over the same items
/// for other offers, where the caps bind.
///
/// # Errors
/// As [`choice::choose`].
pub(crate) fn choose<'a>(
    problem: &'a Problem,
    offered: Offered<'_>,
    warnings: &mut Vec<String>,
) -> Result<(Choice, Option<UnderCaps<'a>>), CannotChoose> {
    // Where an assignment that is near to the best without caps queues, the best without caps is not looked for.
    let mut first = choice::rough(problem)?;
    if !offered.queues(&first.tier_of) {
        first = choice::choose(problem)?;
        if !offered.queues(&first.tier_of) {
            return Ok((first, None));
        }
    }
    let asked = offered.asked(&first.tier_of);
    let mut under_caps = UnderCaps::new(problem, offered);
    let best = under_caps.best(&problem.capacities, &[&first.tier_of], first.bound, THOROUGH);
    if best.tier_of != first.tier_of {
        for (tier, asked) in offered.tiers.iter().zip(&asked).filter(|(t, a)| a.share(t) > HOLDS_TO) {
            warnings.push(format!(
                "All that is worth moving to {} would ask {} of what it can do ({}): what is chosen saves most after \
                 the queue there.",
                tier.name,
                words::percent(100.0 * asked.share(tier)),
                caps(tier),
            ));
        }
    }
    Ok((best, Some(under_caps)))
}

/// Searches over the same items and caps, one offer of bytes after another.
pub(crate) struct UnderCaps<'a> {
    problem: &'a Problem,
    case: Case,
    /// Prices of all limits at which the bound of the last search was tight.
    prices: Option<Vec<f64>>,
}

impl<'a> UnderCaps<'a> {
    pub(crate) fn new(problem: &'a Problem, offered: Offered<'_>) -> Self {
        Self { problem, case: Case::new(problem, offered.demands, offered.tiers), prices: None }
    }

    /// Does what has to move to a tier fit so many bytes?
    pub(crate) fn holds_pinned(&self, tier: usize, capacity: u64) -> bool {
        self.case.taken(&self.case.must()).get(tier).is_none_or(|on| on.bytes <= capacity)
    }

    /// The best choice after the queue at these capacities, at least as good as those known that are allowed; none without
    /// caps saves more than `bound`.
    pub(crate) fn best(&mut self, capacities: &[u64], known: &[&TierOf], bound: f64, work: usize) -> Choice {
        let without_caps = bound;
        self.case.capacity.copy_from_slice(capacities);
        let case = &self.case;
        let known: Vec<Vec<case::Place>> = known.iter().map(|tier_of| case.places(tier_of)).collect();
        let pinned = pinned_tiers(case);
        // A tier that what has to move there overloads saves nothing likely, whatever else it holds.
        let sets: Vec<Vec<usize>> = if pinned.len() <= GIVEN_UP {
            (0..1_usize << pinned.len())
                .map(|set| {
                    pinned.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1).map(|(_, t)| *t).collect()
                })
                .collect()
        } else {
            let overloaded = |t: &&usize| {
                let must: Vec<case::Place> = case.must();
                let on = case.taken(&must)[**t];
                !case.fits(**t, &on) || on.net().is_none_or(|net| net < 0.0)
            };
            vec![pinned.iter().filter(overloaded).copied().collect()]
        };
        let mut best: Option<(f64, TierOf)> = None;
        let (mut bound, mut exact) = (0.0_f64, true);
        let mut prices = self.prices.take();
        for set in &sets {
            let part = case.without(set);
            let Some(found) = search(&part, &known, prices.as_deref(), work / sets.len()) else { continue };
            let value: f64 =
                part.saved(&found.places).map_or(0.0, |tiers| tiers.iter().map(|s| s.max(0.0)).sum());
            bound = bound.max(found.bound);
            exact &= found.exact;
            prices = Some(found.prices);
            if best.as_ref().is_none_or(|(known, _)| value > *known) {
                let mut tier_of = case.tier_of(&found.places);
                pinned_back(case, set, &mut tier_of);
                best = Some((value, tier_of));
            }
        }
        if !exact && work >= THOROUGH && case.tiers > 1 {
            // Not proven: at least as good as without one of the tiers, and as with what these leave put on the others, one
            // after the other. One tier by itself is searched far better than several.
            for first in (0..case.tiers).filter(|t| !pinned.contains(t)) {
                let order = (0..case.tiers).map(|n| (first + n) % case.tiers);
                let mut places = case.must();
                for tier in order.filter(|t| !pinned.contains(t)) {
                    let part = case.holding(&places, tier);
                    let Some(found) = search(&part, &known, prices.as_deref(), QUICK) else { break };
                    places = found.places;
                    let value = case.saved(&places).map_or(0.0, |tiers| tiers.iter().sum());
                    if best.as_ref().is_none_or(|(known, _)| value > *known) {
                        best = Some((value, case.tier_of(&places)));
                    }
                }
            }
        }
        debug_assert!(best.is_some(), "all pinned tiers given up is always allowed");
        let (value, mut tier_of) = best.unwrap_or_else(|| (0.0, case.tier_of(&case.must())));
        self.prices = prices;
        idle_stay(self.problem, &mut tier_of);
        let bound = bound.min(without_caps).max(value);
        let exact = exact || bound <= value * (1.0 + 1e-10);
        Choice { tier_of, value, bound: if exact { value } else { bound }, exact }
    }
}

/// What saves nothing stays, unless it is pinned or needed: at best it adds nothing to the queue.
fn idle_stay(problem: &Problem, tier_of: &mut TierOf) {
    let items = &problem.items;
    let needed: Vec<usize> = {
        let moves = items.iter().zip(tier_of.iter()).filter(|(_, tier)| tier.is_some());
        moves.flat_map(|(item, _)| &item.needs).copied().collect()
    };
    for (number, item) in items.iter().enumerate() {
        let Some(tier) = tier_of[number] else { continue };
        let saves = item.value.get(tier).copied().flatten().unwrap_or(0.0);
        if saves <= 0.0 && item.pinned.is_none() && item.needs.is_empty() && !needed.contains(&number) {
            tier_of[number] = None;
        }
    }
}

/// What is pinned to tiers that are given up moves there all the same.
fn pinned_back(case: &Case, set: &[usize], tier_of: &mut TierOf) {
    for (own, must) in tier_of.iter_mut().zip(case.tier_of(&case.must())) {
        if must.is_some_and(|t| set.contains(&t)) {
            *own = must;
        }
    }
}

#[cfg(test)]
mod tests;
