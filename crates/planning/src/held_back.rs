//! Why something stays that would gain, and for which there is room: the caps of a tier.

use crate::capped::Offered;
use crate::choice::Problem;
use crate::load::{HOLDS_TO, most_share};
use crate::words;

/// What caps have to do with it that an item stays; `None` where it is not they.
pub(crate) fn by_caps(
    item: usize,
    problem: &Problem,
    offered: Offered<'_>,
    tier_of: &[Option<usize>],
) -> Option<String> {
    let own = problem.items.get(item)?;
    let asked = offered.asked(tier_of);
    for (t, tier) in offered.tiers.iter().enumerate() {
        if own.value.get(t).copied().flatten().is_none_or(|v| v <= 0.0) {
            continue;
        }
        // What has to go with it.
        let with: Vec<usize> = own
            .needs
            .iter()
            .copied()
            .filter(|n| tier_of.get(*n).copied().flatten() != Some(t))
            .chain([item])
            .collect();
        let size: u64 =
            with.iter().filter_map(|n| problem.items.get(*n)).map(|i| i.size).fold(0, u64::saturating_add);
        let used: u64 = problem
            .items
            .iter()
            .zip(tier_of)
            .filter(|(_, tier)| **tier == Some(t))
            .map(|(i, _)| i.size)
            .fold(0, u64::saturating_add);
        let capacity = problem.capacities.get(t).copied().unwrap_or(0);
        if used.saturating_add(size) > capacity {
            continue;
        }
        let before = asked.get(t).copied().unwrap_or_default();
        let load = with.iter().filter_map(|n| offered.demands.get(*n)).fold(before, |sum, d| sum + d.asked);
        let [requests, bytes] = load.shares(tier);
        let share = requests.max(bytes);
        if share <= HOLDS_TO {
            continue;
        }
        let (asks, cap, enough) = if requests >= bytes {
            let of = |n: f64| format!("{} IOPS", words::count(n));
            (of(load.requests_s), of(tier.iops_cap.unwrap_or(0.0)), of(load.requests_s / HOLDS_TO))
        } else {
            let of = |n: f64| format!("{} MB/s", words::significant(n));
            (of(load.bytes_s / 1e6), of(tier.mbps.unwrap_or(0.0)), of(load.bytes_s / 1e6 / HOLDS_TO))
        };
        let whose = if before.share(tier) > 0.0 { "with what is chosen and it" } else { "with it" };
        return Some(format!(
            "there is room on {name}, but {whose} {name} would be asked for {asks}, {} of its {cap}: {}; from {enough} on \
             its latency would hold",
            words::percent(100.0 * share),
            if share >= most_share() {
                "bursts ask more than it can do, and nothing is likely saved"
            } else {
                "the queue there would take more than it saves"
            },
            name = tier.name
        ));
    }
    None
}
