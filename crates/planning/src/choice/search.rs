//! The search through what the bounds left open: unit by unit, keeping the partial assignments that
//! may still win.
//!
//! Bundles come first, each before what it needs; then the units that need nothing, those first whose
//! place depends most on the price of a byte (the core of the knapsack: Balas and Zemel 1980, Pisinger
//! 1997). What is still to come counts with its place in the relaxed answer, so a partial assignment
//! whose rest fits is a whole one, and its bound tightens as the rest needs ever larger changes of the
//! price to change its mind.
//!
//! Of partial assignments with the same bundles, one that leaves no more of any tier and saves no more
//! is dropped (Nemhauser and Ullmann 1969), and so is one whose bound does not beat the best known.
//! Where more are left than the width allows, those with the best bounds stay, and the best bound of
//! the others is kept.

use super::instance::{Instance, NONE};
use super::prepare::{OUT, Place};
use super::relax::{Losses, Relaxed};
use std::cmp::Ordering;

/// A unit passed that a bundle taken before has placed.
const FORCED: Place = u8::MAX - 1;

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    /// The best assignment, where it beats the one known.
    pub(super) best: Option<Vec<Place>>,
    /// Best bound of what was dropped for want of width; minus infinity where nothing was.
    pub(super) dropped: f64,
}

/// A partial assignment. Padded to `N` tiers.
#[derive(Clone, Copy, Debug)]
struct State<const N: usize> {
    left: [u64; N],
    saved: f64,
    bound: f64,
    /// Which bundles were taken: index into the forced sets.
    set: u32,
    /// State of the step before, and what was done to the unit.
    from: u32,
    place: Place,
}

/// Units that bundles taken have placed and that are still to come.
#[derive(Clone, Debug)]
struct Forced<const N: usize> {
    /// Unit, place, and what it takes away from the bound of what is to come while bundles are still
    /// open; ascending by unit.
    units: Vec<(u32, Place, f64)>,
    /// What those still to come take away together.
    credit: f64,
    /// Bytes and saving with which the relaxed answer counts those of them that need nothing.
    counted: Counted<N>,
}

/// Bytes on each tier and saving.
#[derive(Clone, Copy, Debug)]
struct Counted<const N: usize> {
    bytes: [f64; N],
    saved: f64,
}

impl<const N: usize> Counted<N> {
    const NOTHING: Self = Self { bytes: [0.0; N], saved: 0.0 };

    fn add(&mut self, sign: f64, place: Place, size: u64, value: f64) {
        if place != OUT {
            #[allow(clippy::cast_precision_loss, reason = "bytes")]
            let bytes = size as f64;
            self.bytes[usize::from(place)] += sign * bytes;
            self.saved += sign * value;
        }
    }
}

impl<const N: usize> Forced<N> {
    const NOTHING: Self = Self { units: Vec::new(), credit: 0.0, counted: Counted::NOTHING };

    fn unit(&self, unit: usize) -> Option<&(u32, Place, f64)> {
        #[allow(clippy::cast_possible_truncation, reason = "items are counted in thousands")]
        let unit = unit as u32;
        self.units.binary_search_by_key(&unit, |u| u.0).ok().map(|n| &self.units[n])
    }
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Partial assignments kept at each unit.
    pub(super) width: usize,
    /// Partial assignments made in all.
    pub(super) nodes: usize,
}

/// Searches for savings above `to_beat`; what differs from it by no more than `equal` counts as equal.
#[allow(clippy::too_many_arguments, reason = "one call")]
pub(super) fn search(
    instance: &Instance,
    relaxed: &Relaxed,
    losses: &Losses,
    prices: &[f64],
    to_beat: f64,
    equal: f64,
    effort: Effort,
) -> Found {
    let run = match instance.tiers {
        0 | 1 => run::<1>,
        2 => run::<2>,
        3 => run::<3>,
        4 => run::<4>,
        5..=8 => run::<8>,
        _ => run::<16>,
    };
    run(&Plan::new(instance, relaxed, losses, prices), to_beat, equal, effort)
}

/// The order of the search and what bounds along it need.
struct Plan<'a> {
    instance: &'a Instance,
    relaxed: &'a Relaxed,
    losses: &'a Losses,
    prices: &'a [f64],
    /// Units that need others, then those that need none.
    order: Vec<usize>,
    /// How many need others.
    bundles: usize,
    /// Position of each unit in the order.
    position: Vec<usize>,
    /// What the units from each position on add to the bound.
    to_come: Vec<f64>,
    /// Place of each unit that needs nothing in the relaxed answer, by itself.
    default: Vec<Place>,
    /// By how much the prices may fall, and rise, with no unit from each position on changing its mind.
    may_fall: Vec<f64>,
    may_rise: Vec<f64>,
}

impl<'a> Plan<'a> {
    fn new(instance: &'a Instance, relaxed: &'a Relaxed, losses: &'a Losses, prices: &'a [f64]) -> Self {
        let n = instance.len();
        let tiers = instance.tiers;
        let (mut order, mut alone): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|&i| !instance.needs[i].is_empty());
        let default: Vec<Place> = (0..n)
            .map(|i| if instance.needs[i].is_empty() { relaxed.best_tier(i, tiers) } else { OUT })
            .collect();
        // Price change at which a unit changes its mind.
        let turn: Vec<f64> = (0..n)
            .map(|i| {
                let net = &relaxed.with_subtree[i * tiers..(i + 1) * tiers];
                let own = if default[i] == OUT { 0.0 } else { net[usize::from(default[i])] };
                let others = net.iter().enumerate().filter(|(t, _)| *t != usize::from(default[i]));
                let second = others.map(|(_, v)| *v).fold(f64::NEG_INFINITY, f64::max);
                let second = if default[i] == OUT { second } else { second.max(0.0) };
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let size = instance.size[i] as f64;
                if size > 0.0 { (own - second) / size } else { f64::INFINITY }
            })
            .collect();
        alone.sort_by(|&a, &b| turn[a].total_cmp(&turn[b]).then(a.cmp(&b)));
        let bundles = order.len();
        order.extend(alone);
        let mut position = vec![0; n];
        order.iter().enumerate().for_each(|(at, &i)| position[i] = at);
        let mut to_come = vec![0.0; n + 1];
        let mut may_fall = vec![f64::INFINITY; n + 1];
        let mut may_rise = vec![f64::INFINITY; n + 1];
        for at in (0..n).rev() {
            let i = order[at];
            to_come[at] = to_come[at + 1] + relaxed.adds[i];
            let (mut fall, mut rise) = (f64::INFINITY, f64::INFINITY);
            if tiers > 1 {
                // One price may fall while another rises.
                (fall, rise) = (turn[i] / 2.0, turn[i] / 2.0);
            } else if default[i] == OUT {
                fall = turn[i];
            } else {
                rise = turn[i];
            }
            may_fall[at] = may_fall[at + 1].min(fall);
            may_rise[at] = may_rise[at + 1].min(rise);
        }
        Self {
            instance,
            relaxed,
            losses,
            prices,
            order,
            bundles,
            position,
            to_come,
            default,
            may_fall,
            may_rise,
        }
    }

    /// What can still be reached when bundles up to position `at` are decided.
    fn bundle_bound<const N: usize>(&self, at: usize, state: &State<N>, credit: f64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "bytes")]
        let room: f64 = state.left.iter().zip(self.prices).map(|(&l, p)| l as f64 * p).sum();
        state.saved + room + self.to_come[at] - credit
    }

    /// The same once all bundles are decided, with what the relaxed answer counts of the undecided
    /// units; and whether that answer fits as it is.
    fn bound<const N: usize>(
        &self,
        at: usize,
        state: &State<N>,
        open: &Counted<N>,
        set: &Counted<N>,
    ) -> (f64, bool) {
        let mut bound = state.saved + open.saved - set.saved;
        let mut fits = true;
        for (t, &price) in self.prices.iter().enumerate() {
            #[allow(clippy::cast_precision_loss, reason = "bytes")]
            let room = state.left[t] as f64 - (open.bytes[t] - set.bytes[t]);
            if room >= 0.0 {
                let price = (price - self.may_fall[at]).max(0.0);
                bound += if room > 0.0 { price * room } else { 0.0 };
            } else {
                bound += (price + self.may_rise[at]) * room;
                fits = false;
            }
        }
        (bound, fits)
    }

    /// What a bundle takes beyond what is forced already: bytes, saving, and the set with it. `None`
    /// where part of it is forced elsewhere.
    fn take<const N: usize>(
        &self,
        i: usize,
        place: Place,
        before: &Forced<N>,
    ) -> Option<(u128, f64, Forced<N>)> {
        let tier = usize::from(place);
        let at = self.position[i];
        let (mut bytes, mut saved) = (0, 0.0);
        let mut after = before.clone();
        let closure = self.instance.closure(i);
        // A unit whose chain of parents is decided or forced with it takes away what it adds to the
        // bound; under a parent that is still open only its own net saving may be taken away.
        let mut anchored = vec![false; closure.len()];
        for n in 0..closure.len() {
            let j = closure[n] as usize;
            match before.unit(j) {
                Some(&(_, other, _)) if other != place => return None,
                Some(_) => continue,
                None => {}
            }
            let (size, value) = (self.instance.size[j], self.instance.value_on(j, tier));
            bytes += u128::from(size);
            saved += value;
            if j == i {
                anchored[n] = true;
                continue;
            }
            let parent = self.instance.parent[j];
            anchored[n] = parent == NONE
                || self.position[parent as usize] <= at
                || closure.binary_search(&parent).is_ok_and(|p| anchored[p]);
            let credit = if anchored[n] {
                self.relaxed.adds[j]
            } else {
                #[allow(clippy::cast_precision_loss, reason = "bytes")]
                let size = size as f64;
                value - self.prices[tier] * size
            };
            after.credit += credit;
            after.units.push((closure[n], place, credit));
            if self.instance.needs[j].is_empty() {
                self.count(&mut after.counted, 1.0, j);
            }
        }
        after.units.sort_unstable_by_key(|u| u.0);
        Some((bytes, saved, after))
    }

    /// Adds or takes away what the relaxed answer counts of a unit that needs nothing.
    fn count<const N: usize>(&self, counted: &mut Counted<N>, sign: f64, i: usize) {
        let place = self.default[i];
        let value = if place == OUT { 0.0 } else { self.instance.value_on(i, usize::from(place)) };
        counted.add(sign, place, self.instance.size[i], value);
    }

    /// Places open to a unit that needs nothing and that no bundle has placed; first the one that it
    /// has in the relaxed answer.
    fn choices(&self, i: usize, gap: f64) -> Vec<Place> {
        let tiers = self.instance.tiers;
        let net = &self.relaxed.with_subtree[i * tiers..(i + 1) * tiers];
        let worth = |p: Place| if p == OUT { 0.0 } else { net[usize::from(p)] };
        let default = self.default[i];
        let parent = self.instance.parent[i];
        let above = if parent == NONE { 0.0 } else { self.losses.out[parent as usize] };
        let mut choices = vec![default];
        #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
        let others = (0..tiers as Place).filter(|&t| self.instance.value_on(i, usize::from(t)) > 0.0);
        choices.extend(
            others.chain([OUT]).filter(|&p| p != default && above + worth(default) - worth(p) <= gap),
        );
        choices
    }
}

/// A running search.
struct Run<'a, const N: usize> {
    plan: &'a Plan<'a>,
    states: Vec<State<N>>,
    sets: Vec<Forced<N>>,
    /// Units decided, in order, with each state's origin and move.
    steps: Vec<(usize, Vec<(u32, Place)>)>,
    effort: Effort,
    to_beat: f64,
    equal: f64,
    best: Option<Vec<Place>>,
    dropped: f64,
    nodes: usize,
}

fn run<const N: usize>(plan: &Plan<'_>, to_beat: f64, equal: f64, effort: Effort) -> Found {
    let mut left = [0; N];
    left[..plan.instance.tiers].copy_from_slice(&plan.instance.capacity);
    let mut run = Run {
        plan,
        states: vec![State { left, saved: 0.0, bound: f64::INFINITY, set: 0, from: 0, place: OUT }],
        sets: vec![Forced::NOTHING],
        steps: Vec::new(),
        effort,
        to_beat,
        equal,
        best: None,
        dropped: f64::NEG_INFINITY,
        nodes: 0,
    };
    run.bundles();
    run.alone();
    Found { best: run.best, dropped: run.dropped }
}

impl<const N: usize> Run<'_, N> {
    /// Decides the units that need others.
    fn bundles(&mut self) {
        let plan = self.plan;
        for at in 0..plan.bundles {
            let i = plan.order[at];
            let mut next = Vec::with_capacity(self.states.len() * 2);
            let mut moves: Vec<Option<Vec<Move>>> = vec![None; self.sets.len()];
            for set in &mut self.sets {
                if let Some(&(_, _, credit)) = set.unit(i) {
                    set.credit -= credit;
                }
            }
            for (from, state) in self.states.iter().enumerate() {
                let set = state.set as usize;
                if moves[set].is_none() {
                    moves[set] = Some(moves_of(plan, i, set, &mut self.sets));
                }
                for &(place, bytes, saved, set) in moves[set].iter().flatten() {
                    let mut new = State { set, place, from: index(from), ..*state };
                    if place < FORCED {
                        let left = &mut new.left[usize::from(place)];
                        let Some(rest) = left.checked_sub(bytes) else { continue };
                        *left = rest;
                        new.saved += saved;
                    }
                    new.bound = plan.bundle_bound(at + 1, &new, self.sets[set as usize].credit);
                    if new.bound > self.to_beat {
                        next.push(new);
                    }
                }
            }
            let tired = self.nodes > self.effort.nodes;
            self.keep(i, next, self.effort.width.min(if tired { TIRED_WIDTH } else { BUNDLE_WIDTH }));
            self.forget_sets();
        }
    }

    /// Decides the units that need nothing.
    fn alone(&mut self) {
        let plan = self.plan;
        let mut open = Counted::NOTHING;
        plan.order[plan.bundles..].iter().for_each(|&i| plan.count(&mut open, 1.0, i));
        self.look(plan.bundles, &open);
        for at in plan.bundles..plan.order.len() {
            if self.states.is_empty() {
                return;
            }
            let i = plan.order[at];
            let choices = plan.choices(i, plan.relaxed.bound - self.to_beat);
            if choices.len() == 1 {
                // It stays as the relaxed answer has it, unless a bundle has placed it.
                continue;
            }
            plan.count(&mut open, -1.0, i);
            let forced: Vec<bool> = self
                .sets
                .iter_mut()
                .map(|set| {
                    let forced = set.unit(i).is_some();
                    if forced {
                        plan.count(&mut set.counted, -1.0, i);
                    }
                    forced
                })
                .collect();
            let mut next = Vec::with_capacity(self.states.len() * choices.len());
            for (n, &choice) in choices.iter().enumerate() {
                for (from, state) in self.states.iter().enumerate() {
                    let mut new = State { from: index(from), place: choice, ..*state };
                    if forced[state.set as usize] {
                        if n > 0 {
                            continue;
                        }
                        new.place = FORCED;
                    } else if choice != OUT {
                        let tier = usize::from(choice);
                        let Some(left) = new.left[tier].checked_sub(plan.instance.size[i]) else { continue };
                        new.left[tier] = left;
                        new.saved += plan.instance.value_on(i, tier);
                    }
                    new.bound = plan.bound(at + 1, &new, &open, &self.sets[state.set as usize].counted).0;
                    if new.bound > self.to_beat {
                        next.push(new);
                    }
                }
            }
            self.keep(i, next, self.effort.width);
            self.look(at + 1, &open);
            if self.nodes > self.effort.nodes {
                self.dropped = self.states.iter().map(|s| s.bound).fold(self.dropped, f64::max);
                return;
            }
        }
    }

    /// Takes the best of the states whose rest fits as the relaxed answer has it.
    fn look(&mut self, at: usize, open: &Counted<N>) {
        let mut best: Option<(f64, u128, usize)> = None;
        for (n, state) in self.states.iter().enumerate() {
            let set = &self.sets[state.set as usize].counted;
            let value = state.saved + open.saved - set.saved;
            if value + self.equal <= self.to_beat || !self.plan.bound(at, state, open, set).1 {
                continue;
            }
            // Of equal savings the one that leaves most.
            let room = state.left.iter().map(|&l| u128::from(l)).sum();
            if best.is_none_or(|(v, r, _)| value > v || (value >= v && room > r)) {
                best = Some((value, room, n));
            }
        }
        let Some((value, _, n)) = best else { return };
        let places = self.trace(n);
        if !self.fits(&places) {
            return;
        }
        self.best = Some(places);
        self.to_beat = value + self.equal;
        let to_beat = self.to_beat;
        // Indices of states stay as they are: what no longer wins goes at the next step.
        self.states.iter_mut().filter(|s| s.bound <= to_beat).for_each(|s| s.bound = f64::NEG_INFINITY);
    }

    /// Sums of bytes above are rounded; this one is not.
    fn fits(&self, places: &[Place]) -> bool {
        let mut left = self.plan.instance.capacity.clone();
        places.iter().enumerate().filter(|(_, p)| **p != OUT).all(|(i, &p)| {
            let left = &mut left[usize::from(p)];
            left.checked_sub(self.plan.instance.size[i]).map(|rest| *left = rest).is_some()
        })
    }

    /// Drops states that cannot win: dominated ones, and the worst where the width is exceeded.
    fn keep(&mut self, i: usize, mut next: Vec<State<N>>, width: usize) {
        self.nodes += next.len();
        drop_dominated(&mut next, self.plan.instance.tiers);
        if next.len() > width {
            next.select_nth_unstable_by(width, |a, b| {
                b.bound.total_cmp(&a.bound).then(by_room(a, b)).then(a.from.cmp(&b.from))
            });
            self.dropped = next[width..].iter().map(|s| s.bound).fold(self.dropped, f64::max);
            next.truncate(width);
            next.sort_by(by_room);
        }
        self.steps.push((i, next.iter().map(|s| (s.from, s.place)).collect()));
        self.states = next;
    }

    /// Drops forced sets that no state has any more.
    fn forget_sets(&mut self) {
        let mut number = vec![u32::MAX; self.sets.len()];
        let mut kept = Vec::new();
        for state in &mut self.states {
            let set = state.set as usize;
            if number[set] == u32::MAX {
                number[set] = index(kept.len());
                kept.push(self.sets[set].clone());
            }
            state.set = number[set];
        }
        self.sets = kept;
    }

    /// Places of all units: decided ones as a state has them, the others as in the relaxed answer.
    fn trace(&self, last: usize) -> Vec<Place> {
        let mut places = self.plan.default.clone();
        let mut by_bundles = Vec::new();
        let mut n = last;
        for (i, step) in self.steps.iter().rev() {
            let (from, place) = step[n];
            if place < FORCED && !self.plan.instance.needs[*i].is_empty() {
                by_bundles.push((*i, place));
            } else if place != FORCED {
                places[*i] = place;
            }
            n = from as usize;
        }
        for (i, place) in by_bundles {
            self.plan.instance.closure(i).into_iter().for_each(|j| places[j as usize] = place);
        }
        places
    }
}

/// Most states while bundles are open, since each may carry a set of its own.
const BUNDLE_WIDTH: usize = 1_000;

/// Most states once the nodes are used up with bundles still open: some must reach the end.
const TIRED_WIDTH: usize = 20;

#[allow(clippy::cast_possible_truncation, reason = "widths are far below 2^32")]
fn index(n: usize) -> u32 {
    n as u32
}

/// A way to go on: place, bytes, saving, forced set after it.
type Move = (Place, u64, f64, u32);

/// Ways to go on at a unit that needs others.
fn moves_of<const N: usize>(plan: &Plan<'_>, i: usize, set: usize, sets: &mut Vec<Forced<N>>) -> Vec<Move> {
    if sets[set].unit(i).is_some() {
        return vec![(FORCED, 0, 0.0, index(set))];
    }
    let mut moves = vec![(OUT, 0, 0.0, index(set))];
    for t in 0..plan.instance.tiers {
        // By itself a unit that saves nothing is never worth taking; what needs it came before.
        if plan.instance.value_on(i, t) <= 0.0 {
            continue;
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most MOST_TIERS")]
        let place = t as Place;
        if let Some((bytes, saved, after)) = plan.take(i, place, &sets[set])
            && let Ok(bytes) = u64::try_from(bytes)
        {
            moves.push((place, bytes, saved, index(sets.len())));
            sets.push(after);
        }
    }
    moves
}

/// Order in which dominance shows: by bundles, then most room, then most saved.
fn by_room<const N: usize>(a: &State<N>, b: &State<N>) -> Ordering {
    (a.set.cmp(&b.set)).then_with(|| b.left.cmp(&a.left)).then_with(|| b.saved.total_cmp(&a.saved))
}

/// Drops states that another with the same bundles matches in room and saving: all of them with one
/// tier, those near in order with several.
fn drop_dominated<const N: usize>(states: &mut Vec<State<N>>, tiers: usize) {
    const NEAR: usize = 12;
    // Stable, and made of sorted runs: next to a merge.
    states.sort_by(by_room);
    let near = if tiers <= 1 { 1 } else { NEAR };
    let mut kept: usize = 0;
    for n in 0..states.len() {
        let state = states[n];
        let dominated = states[kept.saturating_sub(near)..kept].iter().any(|other| {
            other.set == state.set
                && other.saved >= state.saved
                && other.left.iter().zip(&state.left).all(|(o, s)| o >= s)
        });
        if !dominated {
            states[kept] = state;
            kept += 1;
        }
    }
    states.truncate(kept);
}
