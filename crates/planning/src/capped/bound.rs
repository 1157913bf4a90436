//! The relaxed problem: limits become prices, and a range of loads is charged as its lower end.
//!
//! At any prices its answer saves at least as much as any assignment whose loads lie in the ranges (Lagrangian
//! relaxation): every limit that an assignment keeps only adds, and what queues is at least what queues at the lower
//! ends, and beyond these what the least that may make up a load waits longer, a convex function of the load. Each item
//! then decides for itself, or, where others need it, with the first that does.

use super::case::{Case, OPEN, OUT, On, Place, place};
use super::least::Least;
use crate::load::{CAPS, queue_s, turn};

/// Limits of a tier: bytes, and its caps.
pub(super) const LIMITS: usize = 1 + CAPS;

/// A part of all assignments: places that are decided, and ranges of the loads of each tier.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) places: Vec<Place>,
    pub(super) low: Vec<[f64; CAPS]>,
    pub(super) high: Vec<[f64; CAPS]>,
    /// Seconds for all of each limit.
    pub(super) prices: Vec<f64>,
    /// None in it saves more.
    pub(super) bound: f64,
}

/// Coefficients of a part: what each unit saves on each tier, and its share of each limit.
pub(super) struct Relaxed<'a> {
    case: &'a Case,
    places: &'a [Place],
    /// By unit and tier; minus infinity where it may not go.
    base: Vec<f64>,
    share: Vec<[f64; LIMITS]>,
    part: &'a Part,
    /// Least that pays for the queue before each cap, by the load.
    least: Vec<[Least; CAPS]>,
    /// Steps made, for the budget.
    pub(super) work: usize,
}

/// The answer at some prices.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) bound: f64,
    pub(super) prices: Vec<f64>,
    /// What units are worth beyond the prices, by unit and tier.
    pub(super) worth: Vec<f64>,
    pub(super) places: Vec<Place>,
    slack: Vec<f64>,
}

impl<'a> Relaxed<'a> {
    /// `None` where what is decided breaks a limit.
    pub(super) fn new(case: &'a Case, part: &'a Part) -> Option<Self> {
        let tiers = case.tiers;
        let taken = case.taken(&part.places);
        let within = |t: usize, share: &[f64; CAPS]| {
            share.iter().zip(part.high[t]).all(|(share, high)| *share <= high)
        };
        if (0..tiers).any(|t| taken[t].bytes > case.capacity[t] || !within(t, &taken[t].share)) {
            return None;
        }
        let mut base = vec![f64::NEG_INFINITY; case.units.len() * tiers];
        let mut share = vec![[0.0; LIMITS]; case.units.len() * tiers];
        for (number, unit) in case.units.iter().enumerate() {
            let decided = part.places[number];
            for (t, on) in unit.on.iter().enumerate() {
                let Some(on) = on else { continue };
                let at = number * tiers + t;
                let open = decided == OPEN;
                if !open && decided != place(t)
                    || open
                        && !{
                            let then = taken[t].with(on);
                            then.bytes <= case.capacity[t] && within(t, &then.share)
                        }
                {
                    continue;
                }
                let queued: f64 =
                    on.pays.iter().zip(part.low[t]).map(|(pays, low)| queue_s(*pays, low)).sum();
                base[at] = on.value - queued;
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let room = if on.bytes == 0 { 0.0 } else { on.bytes as f64 / case.capacity[t] as f64 };
                share[at][0] = room;
                share[at][1..].copy_from_slice(&on.share);
            }
        }
        let least: Vec<[Least; CAPS]> = (0..tiers)
            .map(|t| {
                std::array::from_fn(|cap| {
                    let may =
                        |unit: usize| part.places[unit] == OPEN && base[unit * tiers + t] > f64::NEG_INFINITY;
                    Least::of(case, (t, cap), &taken[t], (part.low[t][cap], part.high[t][cap]), may)
                })
            })
            .collect();
        if least.iter().flatten().any(Least::is_out_of_reach) {
            return None;
        }
        Some(Self { case, places: &part.places, base, share, part, least, work: 0 })
    }

    /// What a limit is worth at its price, and how much of it is offered for that.
    fn limit(&self, tier: usize, limit: usize, price: f64) -> (f64, f64) {
        let Some(cap) = limit.checked_sub(1) else { return (price, 1.0) };
        self.least[tier][cap].most(price)
    }

    /// The least that assignments lose which have so much on a tier and may still put `most` there; `None` where
    /// their load is in none of the part's ranges.
    pub(super) fn lost(
        &self,
        tier: usize,
        on: &On,
        used: &[f64],
        most: &[f64],
        prices: &[f64],
    ) -> Option<f64> {
        let mut lost = prices[0] * (1.0 - used[0] - most[0]).max(0.0);
        for cap in 0..CAPS {
            let price = prices[1 + cap];
            let (low, high) = (self.part.low[tier][cap], self.part.high[tier][cap]);
            let from = on.share[cap].max(low);
            // Sums in another order.
            let to = (on.share[cap] + most[1 + cap] + 1e-9).min(high);
            if from > to {
                return None;
            }
            let pays = on.pays[cap].max(self.least[tier][cap].pays(from));
            let share = turn(price, pays, from, to);
            let then = price * share - queue_s(pays, share) + queue_s(pays, low);
            // Neither of both bounds is always the tighter one.
            lost += (self.limit(tier, 1 + cap, price).0 - then).max(0.0);
        }
        Some(lost)
    }

    fn at(&mut self, prices: &[f64]) -> Answer {
        let (count, tiers) = (self.case.units.len(), self.case.tiers);
        self.work += count * (tiers + 1);
        let mut worth = self.base.clone();
        for (worth, share) in worth.chunks_exact_mut(tiers).zip(self.share.chunks_exact(tiers)) {
            for ((worth, share), prices) in worth.iter_mut().zip(share).zip(prices.chunks_exact(LIMITS)) {
                *worth -= share.iter().zip(prices).map(|(s, p)| s * p).sum::<f64>();
            }
        }
        let mut places = vec![OUT; count];
        let mut bound = 0.0;
        let mut slack = vec![0.0; tiers * LIMITS];
        for (at, price) in prices.iter().enumerate() {
            let (worth, share) = self.limit(at / LIMITS, at % LIMITS, *price);
            bound += worth;
            slack[at] = share;
        }
        for (number, unit) in self.case.units.iter().enumerate() {
            if unit.counted {
                continue;
            }
            let (alone, at) = self.best(&worth, number);
            if unit.with.is_empty() {
                bound += alone;
                places[number] = at;
                continue;
            }
            let with = || unit.with.iter().map(|n| *n as usize);
            let mut best = (f64::NEG_INFINITY, OUT);
            if matches!(self.places[number], OUT | OPEN) {
                best = (with().map(|n| self.best(&worth, n).0).sum(), OUT);
            }
            for t in 0..tiers {
                let all: f64 = worth[number * tiers + t] + with().map(|n| worth[n * tiers + t]).sum::<f64>();
                if all > best.0 {
                    best = (all, place(t));
                }
            }
            bound += best.0;
            places[number] = best.1;
            for n in with() {
                places[n] = if best.1 == OUT { self.best(&worth, n).1 } else { best.1 };
            }
        }
        for (unit, at) in places.iter().enumerate().filter(|(_, at)| **at != OUT) {
            let t = usize::from(*at);
            for (slack, share) in slack[t * LIMITS..].iter_mut().zip(self.share[unit * tiers + t]) {
                *slack -= share;
            }
        }
        Answer { bound, prices: prices.to_vec(), worth, places, slack }
    }

    /// What a unit is worth where it is worth most; what is decided has no choice.
    fn best(&self, worth: &[f64], unit: usize) -> (f64, Place) {
        let mut best = (f64::NEG_INFINITY, OUT);
        if matches!(self.places[unit], OUT | OPEN) {
            best.0 = 0.0;
        }
        for t in 0..self.case.tiers {
            let own = worth[unit * self.case.tiers + t];
            if own > best.0 {
                best = (own, place(t));
            }
        }
        best
    }

    /// The tightest answer of some steps from prices that are known (Polyak's steps towards what is known to be
    /// saved); `look` sees some of them on the way.
    pub(super) fn tightest(
        &mut self,
        prices: &[f64],
        known: f64,
        steps: usize,
        mut look: impl FnMut(&Answer),
    ) -> Answer {
        let mut best = self.at(prices);
        let mut now = best.clone();
        let mut length = 1.0;
        let mut since = 0;
        for step in 0..steps {
            let moves = |now: &Answer| -> Vec<f64> {
                let pairs = now.slack.iter().zip(&now.prices);
                pairs.map(|(s, p)| if *s > 0.0 && *p <= 0.0 { 0.0 } else { *s }).collect()
            };
            let slope = moves(&now);
            let square: f64 = slope.iter().map(|s| s * s).sum();
            let gap = now.bound - known;
            if square <= 0.0 || gap <= 0.0 || !square.is_finite() || !gap.is_finite() {
                break;
            }
            let by = length * gap / square;
            let prices: Vec<f64> =
                now.prices.iter().zip(&slope).map(|(p, s)| (p - by * s).max(0.0)).collect();
            now = self.at(&prices);
            if step % 8 == 0 {
                look(&now);
            }
            if now.bound < best.bound {
                best.clone_from(&now);
                since = 0;
            } else {
                since += 1;
                if since >= 5 {
                    since = 0;
                    length *= 0.6;
                    now.clone_from(&best);
                }
            }
        }
        look(&best);
        best
    }

    /// What a unit that counts for itself loses at each place against its best, as far as it may go there.
    pub(super) fn losses(&self, answer: &Answer, unit: usize) -> Vec<(Place, f64)> {
        let tiers = self.case.tiers;
        let own = &self.case.units[unit];
        let with = || own.with.iter().map(|n| *n as usize);
        let mut all: Vec<(Place, f64)> = (0..tiers)
            .map(|t| {
                let worth: f64 =
                    answer.worth[unit * tiers + t] + with().map(|n| answer.worth[n * tiers + t]).sum::<f64>();
                (place(t), worth)
            })
            .collect();
        if matches!(self.places[unit], OUT | OPEN) {
            all.push((OUT, with().map(|n| self.best(&answer.worth, n).0).sum()));
        }
        all.retain(|(_, worth)| worth.is_finite());
        let best = all.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max);
        all.iter_mut().for_each(|a| a.1 = best - a.1);
        // The best first; of equal ones the first.
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all
    }

    /// Shares of the limits of a unit on a tier.
    pub(super) fn share(&self, unit: usize, tier: usize) -> &[f64; LIMITS] {
        &self.share[unit * self.case.tiers + tier]
    }

    /// Least that pays for the queue before a cap at a load.
    pub(super) fn least(&self, tier: usize, cap: usize, share: f64) -> f64 {
        self.least[tier][cap].pays(share)
    }
}
