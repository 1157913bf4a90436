//! What the caps of a tier leave of a saving: the queue before them. `capped` chooses under them.
//!
//! A tier's latency is taken to hold up to half of its caps. Above, requests queue (M/M/c with as many
//! servers as its latency and cap make; at most as one server with the cap's rate, at least not at all),
//! and a tier that is asked for more than it can do saves nothing likely: today's storage keeps up.

use crate::candidates::BuiltCandidate;
use crate::choice::Choice;
use crate::entries::{ByComponent, sum};
use crate::plan::{CandidateKind, Measured};
use crate::range::Range;
use crate::tier::Tier;
use crate::words;
use spindle_workload::Queue;

/// Share of a cap that a choice takes at most, on average: bursts need the rest. Ours, after the usual
/// planning bound of 70 %.
pub(crate) const MOST_USED: f64 = 0.7;
/// Share of a cap up to which the tier's latency holds. Ours.
const HOLDS_TO: f64 = 0.5;

/// Requests and bytes a second that something asks of its storage, on average.
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
    pub(crate) fn of(built: &BuiltCandidate, measured: &Measured) -> Self {
        let seconds = measured.elapsed_s.max(1.0);
        let written_s = match built.candidate.kind {
            CandidateKind::Temp => measured.temp_write_bytes_per_s.unwrap_or(0.0),
            CandidateKind::Redo => measured.redo_bytes_per_s.unwrap_or(0.0),
            _ => built.written_blocks * measured.block_size_bytes / seconds,
        };
        Self {
            requests_s: (built.read_requests + built.write_requests) / seconds,
            bytes_s: built.read_bytes / seconds + written_s,
        }
    }

    /// Share of a tier's caps, the larger of both; nothing where it has none.
    pub(crate) fn share(self, tier: &Tier) -> f64 {
        let requests = tier.iops_cap.map_or(0.0, |cap| self.requests_s / cap.max(f64::MIN_POSITIVE));
        let bytes = tier.mbps.map_or(0.0, |mbps| self.bytes_s / 1e6 / mbps.max(f64::MIN_POSITIVE));
        requests.max(bytes)
    }
}

/// Caps of a tier in words.
pub(crate) fn caps(tier: &Tier) -> String {
    let iops = tier.iops_cap.map(|cap| format!("{} IOPS", words::count(cap)));
    let mbps = tier.mbps.map(|mbps| format!("{} MB/s", words::count(mbps)));
    [iops, mbps].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The queue before the caps of a tier that more than [`HOLDS_TO`] of them is asked of.
pub(crate) struct Queued {
    /// Wait of a request; `None` where the tier cannot keep up.
    waits_us: Option<Range>,
    /// Share of the caps.
    share: f64,
}

impl Queued {
    /// `None` where the tier's latency holds.
    pub(crate) fn before(tier: &Tier, load: Load) -> Option<Self> {
        let share = load.share(tier);
        (share > HOLDS_TO).then(|| Self { waits_us: waits_us(tier, load), share })
    }

    /// What the queue leaves of a saving.
    pub(crate) fn leaves(&self, built: &BuiltCandidate, saves: &ByComponent) -> ByComponent {
        let requests = match built.candidate.kind {
            CandidateKind::Temp | CandidateKind::Redo => built.read_requests + built.write_requests,
            _ => built.read_requests,
        };
        let Range { low, mid, high } = self.share_left(requests, sum(saves));
        saves
            .map(|part| Range { low: part.low * low, mid: part.mid * mid, high: part.high * high }.in_order())
    }

    /// Shares that the queue leaves of what so many requests save.
    fn share_left(&self, requests: f64, saves: Range) -> Range {
        let left = |saved: f64, wait_us: f64| {
            if saved > 0.0 { (1.0 - requests * wait_us / 1e6 / saved).clamp(0.0, 1.0) } else { 0.0 }
        };
        match self.waits_us {
            Some(us) => Range {
                low: left(saves.low, us.high),
                mid: left(saves.mid, us.mid),
                high: left(saves.high, us.low),
            },
            None => Range { low: 0.0, mid: 0.0, high: 1.0 / self.share },
        }
    }

    /// What the queue leaves of a saving by so many requests.
    pub(crate) fn leaves_of(&self, requests: f64, saves: Range) -> Range {
        let left = self.share_left(requests, saves);
        Range { low: saves.low * left.low, mid: saves.mid * left.mid, high: saves.high * left.high }
            .in_order()
    }

    /// Share of the caps that is asked for.
    pub(crate) fn asked(&self) -> f64 {
        self.share
    }
}

/// Is more asked of a tier than a choice may?
pub(crate) fn is_over(choice: &Choice, loads: &[Load], tiers: &[Tier]) -> bool {
    (0..tiers.len()).any(|t| on_tier(choice, loads, t).share(&tiers[t]) > MOST_USED)
}

/// All that is asked of a tier.
pub(crate) fn on_tier(choice: &Choice, loads: &[Load], tier: usize) -> Load {
    let here = loads.iter().zip(&choice.tier_of).filter(|(_, t)| **t == Some(tier));
    here.map(|(load, _)| *load).fold(Load::default(), std::ops::Add::add)
}

/// Takes from the savings on a tier what its requests wait before its caps; says so.
pub(crate) fn queue_before(
    tier: &Tier,
    number: usize,
    moved: &mut [&mut BuiltCandidate],
    measured: &Measured,
    warnings: &mut Vec<String>,
) {
    let load = moved.iter().map(|b| Load::of(b, measured)).fold(Load::default(), |a, b| a + b);
    let Some(queued) = Queued::before(tier, load) else { return };
    let Queued { waits_us: waits, share } = queued;
    let before: Range = moved.iter().map(|b| sum(&b.saves[number])).sum();
    for built in moved.iter_mut() {
        built.saves[number] = queued.leaves(built, &built.saves[number]);
    }
    let after: Range = moved.iter().map(|b| sum(&b.saves[number])).sum();
    let rest = format!(
        "that leaves {} to {} of the {} to {} that its latency alone would save",
        words::seconds(after.low),
        words::seconds(after.high),
        words::seconds(before.low),
        words::seconds(before.high)
    );
    warnings.push(match waits {
        Some(us) => format!(
            "What moves to {} asks {} of what it can do ({}) on average: as a queue, a request waits {} longer, up to \
             {}; {rest}.",
            tier.name,
            words::percent(100.0 * share),
            caps(tier),
            words::latency(us.mid),
            words::latency(us.high)
        ),
        None => format!(
            "What moves to {} asks {} of what it can do ({}): it cannot keep up with today's load, so nothing is \
             likely to be saved; {rest}.",
            tier.name,
            words::percent(100.0 * share),
            caps(tier)
        ),
    });
}

/// Wait of a request before both caps, microseconds, beyond that at half of them: least, likely, most;
/// `None` where a cap is reached.
fn waits_us(tier: &Tier, load: Load) -> Option<Range> {
    let mut all = Range::ZERO;
    let mut add = |servers: u32, most_s: f64| {
        let beyond = |servers: u32| {
            let queue = Queue { servers, service_us: f64::from(servers) * 1e6 / most_s };
            let now = queue.latency_us(load.requests_s)?;
            Some((now - queue.latency_us(HOLDS_TO * most_s)?).max(0.0))
        };
        let (likely, most) = (beyond(servers)?, beyond(1)?);
        all += Range { low: 0.0, mid: likely, high: most.max(likely) };
        Some(())
    };
    if let Some(cap) = tier.iops_cap {
        let servers = (cap * tier.read_latency_us / 1e6).floor().clamp(1.0, 4_096.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        add(servers as u32, cap)?;
    }
    if let Some(mbps) = tier.mbps.filter(|_| load.bytes_s > 0.0 && load.requests_s > 0.0) {
        add(1, mbps * 1e6 * load.requests_s / load.bytes_s)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tier(iops_cap: Option<f64>, mbps: Option<f64>) -> Tier {
        Tier {
            name: "t".into(),
            capacity_bytes: 1e12,
            read_latency_us: 1_000.0,
            write_latency_us: 1_000.0,
            mbps,
            iops_cap,
            price: None,
            endurance_bytes: None,
            profile: None,
        }
    }

    #[test]
    fn requests_wait_as_in_the_textbook_and_not_below_half_of_the_cap() {
        // Cap 1,000 IOPS at 1 ms: one server of 1 ms. At 80 %: 5 ms in all, at half 2 ms.
        let at = |requests_s: f64| waits_us(&tier(Some(1_000.0), None), Load { requests_s, bytes_s: 0.0 });
        assert!((at(800.0).unwrap().mid - 3_000.0).abs() < 1e-6);
        assert_eq!(at(500.0).unwrap().mid, 0.0);
        assert_eq!(at(1_000.0), None);
        // 8 KB requests at 8 MB/s are 1,000 a second too.
        let wide = tier(None, Some(8.0));
        let us = waits_us(&wide, Load { requests_s: 800.0, bytes_s: 6.4e6 }).unwrap();
        assert!((us.mid - 3_000.0).abs() < 1e-6);
    }
}
