//! Snapshots between which the clock of the host was put back or forward: their local times are an hour off.
//!
//! Where processors count their time, that says it; else that time went back while snapshots went on, or
//! that on such a Sunday one interval alone, of snapshots that adjoin, is an hour off from all the others.

use super::Pair;
use super::samples::Samples;
use spindle_facts::clock::{hour_off, may_be_put};
use std::collections::BTreeMap;

/// Snapshots are taken within this of when they are due, seconds.
const NEAR_S: i64 = 150;
/// Intervals of an instance that show how long one usually is.
const ENOUGH: usize = 2;

/// Pairs, by place, with the seconds that they really are longer.
pub(super) fn changes(pairs: &[Pair], samples: &Samples) -> Vec<(usize, i64)> {
    let mut lengths: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    // Those that no clock may have been put in.
    let in_doubt = |pair: &&Pair| {
        let times = seconds(pair.earlier.end).zip(seconds(pair.later.end));
        times.is_none_or(|(begin, end)| may_be_put(begin, end, true) || may_be_put(begin, end, false))
    };
    for pair in pairs.iter().filter(|p| p.same_start && !in_doubt(p)) {
        lengths.entry(pair.instance).or_default().extend(pair.local_s.filter(|s| *s > 0));
    }
    let usual: BTreeMap<u32, i64> = lengths.into_iter().filter_map(|(i, of)| Some((i, usual(of)?))).collect();
    let put = |pair: &Pair| {
        let local_s = pair.local_s.filter(|_| pair.same_start)?;
        let (begin, end) = (seconds(pair.earlier.end)?, seconds(pair.later.end)?);
        let by_length = |shift: i64| {
            let expected = usual.get(&pair.instance).is_some_and(|u| (local_s + shift - u).abs() <= NEAR_S);
            expected && pair.snaps.1 == pair.snaps.0 + 1
        };
        let is = |shift: i64| {
            if local_s + shift <= 0 {
                return false;
            }
            // Time that goes back is proof by itself, and needs no calendar.
            if local_s < -NEAR_S {
                return shift > 0;
            }
            if !may_be_put(begin, end, shift > 0) {
                return false;
            }
            #[allow(clippy::cast_precision_loss, reason = "seconds between two dates")]
            match by_processors(pair, samples) {
                Some(counted_s) => hour_off(local_s as f64, counted_s) == Some(shift),
                None if local_s <= 0 => shift > 0,
                None => by_length(shift),
            }
        };
        [3600, -3600].into_iter().find(|shift| is(*shift))
    };
    pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, put(pair)?))).collect()
}

/// How long an interval of an instance is, where nearly all are.
fn usual(mut lengths: Vec<i64>) -> Option<i64> {
    lengths.sort_unstable();
    let median = *lengths.get(lengths.len() / 2)?;
    let alike = lengths.iter().filter(|l| (**l - median).abs() <= NEAR_S).count();
    (alike >= ENOUGH && 10 * alike >= 8 * lengths.len()).then_some(median)
}

fn seconds(time: Option<jiff::civil::DateTime>) -> Option<i64> {
    spindle_facts::epoch_s(Some(&time?.to_string()))
}

/// Seconds that the processors of the host counted between two snapshots.
fn by_processors(pair: &Pair, samples: &Samples) -> Option<f64> {
    let value = |snap: u64, name: &str| {
        let rows = samples.rows("osstat", pair.instance, snap);
        rows.iter().find(|s| samples.text(*s, 0) == Some(name)).and_then(|s| s.value(0))
    };
    let both = |name: &str| Some((value(pair.snaps.0, name)?, value(pair.snaps.1, name)?));
    let (cpus, still) = both("NUM_CPUS")?;
    let (busy, idle) = (both("BUSY_TIME")?, both("IDLE_TIME")?);
    let centiseconds = busy.1 - busy.0 + idle.1 - idle.0;
    (cpus == still && cpus > 0.0 && centiseconds > 0.0).then(|| centiseconds / 100.0 / cpus)
}
