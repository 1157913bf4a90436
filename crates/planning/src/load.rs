//! What the caps of a tier leave of a saving: the queue before them. `capped` chooses by what it leaves.
//!
//! A tier's latency is taken to hold up to half of its caps. Above, requests queue before a gate that lets one
//! through every 1 / cap seconds (M/D/1; at most as if the gate were irregular, M/M/1; at least not at all), and
//! bursts ask more than the average that reports print. A tier that is asked for more than it can do in bursts saves
//! nothing likely: today's storage keeps up. What is pinned there moves all the same, and what it waits longer is a
//! loss: where bursts ask more than the tier can do, nobody knows how large at most.
//!
//! How long a request waits depends on the load and the caps, and on nothing else of the tier. So for the same objects
//! a wider cap, or a lower latency, never saves less.

use crate::candidates::BuiltCandidate;
use crate::entries::{ByComponent, COMPONENTS, sum};
use crate::plan::{CandidateKind, Component, Measured};
use crate::range::Range;
use crate::tier::Tier;
use crate::words;

/// What bursts ask, against the average. Ours: at 80 % of a cap on average they reach it.
const BURSTS: f64 = 1.25;
/// Share of a cap up to which the tier's latency holds. Ours.
pub(crate) const HOLDS_TO: f64 = 0.5;
/// Kinds of cap: requests, and bytes.
pub(crate) const CAPS: usize = 2;
/// What requests wait at most, against likely: M/M/1 over M/D/1.
const IRREGULAR: f64 = 2.0;

/// Share of a cap from which on bursts ask more than it.
pub(crate) fn most_share() -> f64 {
    1.0 / BURSTS
}

/// What a gate adds to a request at a share of its cap, in times that it takes for one: beyond that at half of the cap.
/// `None` where bursts reach the cap.
pub(crate) fn waits(share: f64) -> Option<f64> {
    let queue = |busy: f64| busy / (2.0 * (1.0 - busy));
    let busy = BURSTS * share;
    (busy < 1.0).then(|| (queue(busy) - queue(BURSTS * HOLDS_TO)).max(0.0))
}

/// By how much [`waits`] grows with the share, just above it.
pub(crate) fn slope(share: f64) -> f64 {
    let left = (1.0 - BURSTS * share).max(f64::MIN_POSITIVE.sqrt());
    if share < HOLDS_TO { 0.0 } else { BURSTS / (2.0 * left * left) }
}

/// The share between two, neither below [`HOLDS_TO`], at which `price * share - (at_none + pays * share) * (waits(share) -
/// less)` is most.
pub(crate) fn turn_along(price: f64, (at_none, pays): (f64, f64), less: f64, from: f64, to: f64) -> f64 {
    // With `left = 1 - BURSTS * share` a gate takes 1 / (2 left) times longer but for a constant, and what pays
    // for it is `all - pays / BURSTS * left`.
    let all = at_none + pays / BURSTS;
    let constant = 0.5 / (1.0 - BURSTS * HOLDS_TO) + less;
    let falls = price / BURSTS + pays / BURSTS * constant;
    if all <= 0.0 || falls <= 0.0 {
        return if all <= 0.0 { to } else { from };
    }
    ((1.0 - (all / (2.0 * falls)).sqrt()) / BURSTS).min(to).max(from)
}

/// The share between two at which `price * share - pays * waits(share)` is most: of equal ones one that does not queue.
pub(crate) fn turn(price: f64, pays: f64, from: f64, to: f64) -> f64 {
    let share = if price <= 0.0 {
        HOLDS_TO
    } else if pays <= 0.0 {
        to
    } else {
        // Where the slope of the queue, BURSTS / (2 (1 - busy)^2), is the price.
        ((1.0 - (BURSTS * pays / (2.0 * price)).sqrt()) / BURSTS).max(HOLDS_TO)
    };
    share.min(to).max(from)
}

/// Seconds of a queue: nothing where nothing waits.
pub(crate) fn queue_s(pays: f64, share: f64) -> f64 {
    if pays > 0.0 { pays * waits(share).unwrap_or(f64::INFINITY) } else { 0.0 }
}

/// Requests and bytes a second, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Load {
    pub(crate) requests_s: f64,
    pub(crate) bytes_s: f64,
}

impl std::ops::Add for Load {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { requests_s: self.requests_s + other.requests_s, bytes_s: self.bytes_s + other.bytes_s }
    }
}

impl Load {
    /// Shares of a tier's caps on requests and on bytes; nothing where it has none.
    pub(crate) fn shares(self, tier: &Tier) -> [f64; CAPS] {
        [
            tier.iops_cap.map_or(0.0, |cap| self.requests_s / cap.max(f64::MIN_POSITIVE)),
            tier.mbps.map_or(0.0, |mbps| self.bytes_s / 1e6 / mbps.max(f64::MIN_POSITIVE)),
        ]
    }

    /// The larger of both.
    pub(crate) fn share(self, tier: &Tier) -> f64 {
        let [requests, bytes] = self.shares(tier);
        requests.max(bytes)
    }
}

/// What something asks of its storage, and how much of that sessions wait for: they do not wait for the blocks that
/// the database writer writes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Demand {
    pub(crate) asked: Load,
    pub(crate) waited_for: Load,
    /// Seconds over which it is asked.
    pub(crate) seconds: f64,
}

impl Demand {
    pub(crate) fn of(built: &BuiltCandidate, measured: &Measured) -> Self {
        let seconds = measured.elapsed_s.max(1.0);
        let written_s = match built.candidate.kind {
            CandidateKind::Temp => measured.temp_write_bytes_per_s.unwrap_or(0.0),
            CandidateKind::Redo => measured.redo_bytes_per_s.unwrap_or(0.0),
            _ => built.written_blocks * measured.block_size_bytes / seconds,
        };
        let read_s = built.read_bytes / seconds;
        let waits_for_writes = matches!(built.candidate.kind, CandidateKind::Temp | CandidateKind::Redo);
        Self {
            asked: Load {
                requests_s: (built.read_requests + built.write_requests) / seconds,
                bytes_s: read_s + written_s,
            },
            waited_for: Load {
                requests_s: built.waited_requests / seconds,
                bytes_s: read_s + if waits_for_writes { written_s } else { 0.0 },
            },
            seconds,
        }
    }

    /// Seconds that sessions wait longer on a tier for each time that its gates take for a request, by gate.
    pub(crate) fn pays(&self, tier: &Tier) -> [f64; CAPS] {
        self.waited_for.shares(tier).map(|share| share * self.seconds)
    }
}

/// Caps of a tier in words.
pub(crate) fn caps(tier: &Tier) -> String {
    let iops = tier.iops_cap.map(|cap| format!("{} IOPS", words::count(cap)));
    let mbps = tier.mbps.map(|mbps| format!("{} MB/s", words::count(mbps)));
    [iops, mbps].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The queue before the caps of a tier that more than [`HOLDS_TO`] of them is asked of.
pub(crate) struct Queued<'t> {
    tier: &'t Tier,
    /// Times that each gate takes longer; `None` where the tier cannot keep up.
    waits: Option<[f64; CAPS]>,
    /// Share of the caps.
    share: f64,
}

impl<'t> Queued<'t> {
    /// `None` where the tier's latency holds.
    pub(crate) fn before(tier: &'t Tier, asked: Load) -> Option<Self> {
        let [requests, bytes] = asked.shares(tier);
        let share = requests.max(bytes);
        let waits = waits(requests).zip(waits(bytes)).map(|(requests, bytes)| [requests, bytes]);
        (share > HOLDS_TO).then_some(Self { tier, waits, share })
    }

    /// What the queue leaves of the savings of all that is on the tier. What some lose is taken from what others
    /// gain, and all together lose nothing likely: who does not move them stays where he is.
    pub(crate) fn leaves(&self, all: &[(ByComponent, Demand)]) -> Vec<ByComponent> {
        let whole: Vec<Range> = all.iter().map(|(saves, _)| sum(saves)).collect();
        let Some(waits) = self.waits else {
            // A tier that is asked for more than it can do on average never catches up.
            let most = if self.share < 1.0 { 1.0 } else { 0.0 };
            let of = |part: Range| Range { low: 0.0, mid: 0.0, high: part.high * most };
            return all.iter().map(|(saves, _)| saves.map(of)).collect();
        };
        let left: Vec<Range> = all
            .iter()
            .zip(&whole)
            .map(|((_, demand), saves)| {
                let likely = self.queue_s(*demand, waits);
                Range { low: saves.low - IRREGULAR * likely, mid: saves.mid - likely, high: saves.high }
            })
            .collect();
        let settled = |of: fn(&Range) -> f64| {
            let gains: f64 = left.iter().map(|l| of(l).max(0.0)).sum();
            let all: f64 = left.iter().map(of).sum();
            if gains > 0.0 { (all / gains).clamp(0.0, 1.0) } else { 0.0 }
        };
        let (low, mid) = (settled(|l| l.low), settled(|l| l.mid));
        let share = |left: f64, of: f64| if of > 0.0 { (left / of).clamp(0.0, 1.0) } else { 0.0 };
        all.iter()
            .zip(whole.iter().zip(&left))
            .map(|((saves, _), (whole, left))| {
                let (low, mid) = (low * share(left.low, whole.low), mid * share(left.mid, whole.mid));
                saves.map(|part| {
                    Range { low: part.low * low, mid: part.mid * mid, high: part.high }.in_order()
                })
            })
            .collect()
    }

    /// Seconds that sessions likely wait in the queue for what is asked.
    fn queue_s(&self, demand: Demand, waits: [f64; CAPS]) -> f64 {
        demand.pays(self.tier).iter().zip(waits).map(|(pays, w)| pays * w).sum()
    }

    /// Seconds that the queue takes beyond all that is saved on the tier.
    ///
    /// Shape: at least nothing, as the queue itself. Missing: where bursts ask more than the tier can do the upper end
    /// is infinite, and the likely value no more than the least. `at_once` are the seconds by which what is asked one
    /// request after the other takes longer than today at the full rate of the caps.
    fn takes(&self, saves: Range, likely: Option<f64>, at_once: f64) -> Range {
        match likely {
            Some(queue) => Range {
                low: 0.0,
                mid: (queue - saves.mid).max(0.0),
                high: (IRREGULAR * queue - saves.low).max(0.0),
            },
            None => {
                let least = if self.share < 1.0 { 0.0 } else { at_once.max(0.0) };
                Range { low: least, mid: least, high: f64::INFINITY }
            }
        }
    }

    /// What the queue leaves of the saving of all reads: below zero where it takes more.
    pub(crate) fn leaves_of(&self, saves: Range, demand: Demand, at_once: f64) -> Range {
        let mut parts: ByComponent = Default::default();
        parts[0] = Range { low: saves.low.max(0.0), mid: saves.mid.max(0.0), high: saves.high.max(0.0) };
        let left = self.leaves(&[(parts, demand)]).first().map_or(Range::ZERO, sum);
        let likely = self.waits.map(|waits| self.queue_s(demand, waits));
        let takes = self.takes(sum(&parts), likely, at_once);
        Range { low: left.low - takes.high, mid: left.mid - takes.mid, high: left.high - takes.low }
    }

    /// Is more asked than the tier can do, so that how long requests wait has no upper end?
    pub(crate) fn is_open(&self) -> bool {
        self.waits.is_none()
    }

    /// Share of the caps that is asked for.
    pub(crate) fn asked(&self) -> f64 {
        self.share
    }

    /// Mean wait of what sessions wait for on a tier, microseconds: likely and at most.
    fn mean_us(&self, waited_for: Load) -> Option<(f64, f64)> {
        let per_s: f64 = waited_for.shares(self.tier).iter().zip(self.waits?).map(|(s, w)| s * w).sum();
        let us = if waited_for.requests_s > 0.0 { per_s / waited_for.requests_s * 1e6 } else { 0.0 };
        Some((us, IRREGULAR * us))
    }
}

/// Kinds of wait whose requests are the waits: a session asks for the next one when it has this one.
const ONE_AFTER_THE_OTHER: [Component; 3] =
    [Component::SingleBlockRead, Component::MultiBlockRead, Component::ReadByOther];

/// Seconds by which what is asked one request after the other takes longer than it is waited for today, if the caps let
/// through all that they can: a session waits for each request while the gate is busy with it.
fn at_once(tier: &Tier, moved: &[&mut BuiltCandidate], measured: &Measured) -> f64 {
    let mut longer = [0.0; CAPS];
    for built in moved {
        let others = COMPONENTS.iter().zip(&built.waits).filter(|(c, _)| !ONE_AFTER_THE_OTHER.contains(c));
        if others.map(|(_, waits)| waits.high).sum::<f64>() > 0.0 {
            continue;
        }
        let pays = Demand::of(built, measured).pays(tier);
        let waits_s = sum(&built.waits).high;
        longer.iter_mut().zip(pays).for_each(|(longer, pays)| *longer += pays - waits_s);
    }
    longer.into_iter().fold(0.0, f64::max)
}

/// Divides what the queue takes by kind of wait: by how much of it each object waits for, and of that by today's waits.
fn by_component(
    tier: &Tier,
    all: &[(ByComponent, Demand)],
    waits: &[ByComponent],
    takes: Range,
) -> ByComponent {
    let pays = |demand: &Demand| demand.pays(tier).into_iter().sum::<f64>();
    let mut weights = [0.0; COMPONENTS.len()];
    for ((_, demand), waits) in all.iter().zip(waits) {
        let own = sum(waits).mid;
        for (weight, part) in weights.iter_mut().zip(waits).filter(|_| own > 0.0) {
            *weight += pays(demand) * part.mid / own;
        }
    }
    let of_all: f64 = weights.iter().sum();
    if of_all <= 0.0 {
        weights[0] = 1.0;
    }
    let of_all = if of_all > 0.0 { of_all } else { 1.0 };
    // Nothing of what has no upper end is nothing.
    weights.map(|weight| if weight > 0.0 { takes.scaled(weight / of_all) } else { Range::ZERO })
}

/// Takes from the savings on a tier what its requests wait before its caps; says so. Returns what they wait longer than
/// all save there, where pins send them: only these stay on a tier on which all together lose.
pub(crate) fn queue_before(
    tier: &Tier,
    number: usize,
    moved: &mut [&mut BuiltCandidate],
    measured: &Measured,
    warnings: &mut Vec<String>,
) -> ByComponent {
    let all: Vec<(ByComponent, Demand)> =
        moved.iter().map(|b| (b.saves[number], Demand::of(b, measured))).collect();
    let add = |of: fn(&Demand) -> Load| all.iter().map(|(_, d)| of(d)).fold(Load::default(), |a, b| a + b);
    let Some(queued) = Queued::before(tier, add(|d| d.asked)) else { return Default::default() };
    let before: Range = all.iter().map(|(saves, _)| sum(saves)).sum();
    for (built, left) in moved.iter_mut().zip(queued.leaves(&all)) {
        built.saves[number] = left;
    }
    let after: Range = moved.iter().map(|b| sum(&b.saves[number])).sum();
    let takes = if moved.iter().any(|b| b.pinned == Some(number)) {
        let likely = queued.waits.map(|w| all.iter().map(|(_, d)| queued.queue_s(*d, w)).sum());
        queued.takes(before, likely, at_once(tier, moved, measured))
    } else {
        Range::ZERO
    };
    let mut rest = format!(
        "that leaves {} to {} of the {} to {} that its latency alone would save",
        words::seconds(after.low),
        words::seconds(after.high),
        words::seconds(before.low),
        words::seconds(before.high)
    );
    if takes.high.is_infinite() {
        rest.push_str(", and how much longer sessions wait has no upper end");
    } else if takes.mid > 0.0 {
        rest.push_str(&format!(
            ", and sessions wait {} longer than today for the queue, up to {}",
            words::seconds(takes.mid),
            words::seconds(takes.high)
        ));
    }
    let asks = format!(
        "What moves to {} asks {} of what it can do ({}) on average",
        tier.name,
        words::percent(100.0 * queued.share),
        caps(tier)
    );
    warnings.push(match queued.mean_us(add(|d| d.waited_for)) {
        Some((likely, most)) => format!(
            "{asks}, and a quarter more in bursts: as a queue, a request waits {} longer, up to {}; {rest}.",
            words::latency(likely),
            words::latency(most)
        ),
        None => format!(
            "{asks}{}: it cannot keep up with today's load, so nothing is likely to be saved; {rest}.",
            if queued.share < 1.0 { ", and a quarter more in bursts" } else { "" }
        ),
    });
    let waits: Vec<ByComponent> = moved.iter().map(|b| b.waits).collect();
    by_component(tier, &all, &waits, takes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn requests_wait_as_in_the_textbook_and_not_below_half_of_the_cap() {
        // M/D/1: busy / (2 (1 - busy)) times the time of one; bursts make 60 % three quarters.
        assert!((waits(0.6).unwrap() - (0.75 / 0.5 - 0.625 / 0.75)).abs() < 1e-12);
        assert_eq!((waits(0.5), waits(0.3), waits(0.8)), (Some(0.0), Some(0.0), None));
    }

    #[test]
    fn what_the_queue_takes_from_one_object_was_not_taken_from_the_others() {
        let tier = Tier {
            name: "t".into(),
            capacity_bytes: 1e12,
            read_latency_us: 1_000.0,
            write_latency_us: 1_000.0,
            mbps: None,
            iops_cap: Some(100.0),
            price: None,
            endurance_bytes: None,
            profile: None,
        };
        let of = |seconds: f64, requests_s: f64| {
            let load = Load { requests_s, bytes_s: 0.0 };
            let mut saves: ByComponent = Default::default();
            saves[0] = Range::exact(seconds);
            (saves, Demand { asked: load, waited_for: load, seconds: 3_600.0 })
        };
        let all = [of(5_000.0, 10.0), of(100.0, 50.0)];
        let queued = Queued::before(&tier, Load { requests_s: 60.0, bytes_s: 0.0 }).unwrap();
        let left: Range = queued.leaves(&all).iter().map(sum).sum();
        // 60 % of 3,600 s, each time 0.667 longer.
        assert!((left.mid - (5_100.0 - 0.6 * 3_600.0 * (1.5 - 0.625 / 0.75))).abs() < 1e-9, "{left:?}");
        assert!(left.low < left.mid && left.high == 5_100.0);
    }
}
