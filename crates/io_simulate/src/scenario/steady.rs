//! Whether the latency of a stream stayed the same over its run, and whether its queue grew, by the slices of the run.
//!
//! The rate of an open load is given, and says nothing of a cache that warms up, a drive that fills, or a queue that grows. So the
//! mean of the first fifth is held against that of the last half. What the difference may be by chance is told by the slices of
//! both parts: how far they lie about a line of their own, and how much each knows of its neighbour, since the requests of a long
//! queue are alike. The larger noise of the two parts counts for both; a cache that is warm soon bends the line of the first part, and
//! is told by its first slices, which are all beyond those of the last half. Source of the comparison: Geweke, "Evaluating the accuracy of
//! sampling-based approaches to the calculation of posterior moments", 1992.

/// Requests of a slice, and the sum of their latencies, nanoseconds.
pub(super) type Slice = (u64, f64);

/// Requests of a slice, at least: neighbours are put together until each has so many.
const LEAST_REQUESTS: u64 = 5;
/// Slices, at least: of fewer the first fifth tells no noise.
const LEAST_SLICES: usize = 40;
/// A difference below this share of the larger mean changes no answer.
const LEAST_CHANGE: f64 = 0.15;
/// In standard errors. Those of a few correlated slices are too small, by three times now and then.
const SURE: f64 = 7.0;
/// Where the first slices are all beyond what the last half of the run has, its noise alone counts, and this many errors of it.
const SURE_BY_THE_LAST: f64 = 15.0;
/// So many slices.
const FIRST_SLICES: usize = 5;
/// What slices know of their neighbours, at most: beyond, nothing is sure.
const MOST_ALIKE: f64 = 0.95;

/// Mean latencies of a stream that did not stay the same, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drift {
    /// Over the first fifth of the run.
    pub(super) first_ns: f64,
    /// Over its last half.
    pub(super) last_ns: f64,
}

/// The mean latency of a stretch; `None` where nothing ended in it.
fn mean(slices: &[Slice]) -> Option<f64> {
    let (count, sum) = slices.iter().fold((0, 0.0), |(count, sum), slice| (count + slice.0, sum + slice.1));
    (count > 0).then(|| sum / count as f64)
}

/// Two neighbours as one, as often as it takes until each slice has some requests.
fn filled(slices: &[Slice]) -> Option<Vec<Slice>> {
    let mut all = slices.to_vec();
    while all.iter().any(|slice| slice.0 < LEAST_REQUESTS) {
        if all.len() < 2 * LEAST_SLICES {
            return None;
        }
        all = all.chunks_exact(2).map(|two| (two[0].0 + two[1].0, two[0].1 + two[1].1)).collect();
    }
    (all.len() >= LEAST_SLICES).then_some(all)
}

/// How far the mean of one slice may be off by chance, as a variance, with what slices know of each other.
fn noise(slices: &[Slice]) -> f64 {
    let values: Vec<f64> = slices.iter().map(|slice| slice.1 / slice.0.max(1) as f64).collect();
    let n = values.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let level = values.iter().sum::<f64>() / n;
    let at = |k: usize| k as f64 - middle;
    let across: f64 = (0..values.len()).map(|k| at(k).powi(2)).sum();
    let slope = values.iter().enumerate().map(|(k, v)| at(k) * v).sum::<f64>() / across;
    let left: Vec<f64> = values.iter().enumerate().map(|(k, v)| v - level - slope * at(k)).collect();
    let squares: f64 = left.iter().map(|v| v * v).sum();
    if squares <= 0.0 {
        return 0.0;
    }
    let pairs: f64 = left.windows(2).map(|two| two[0] * two[1]).sum();
    // Without the bias that the line and few slices have.
    let alike = (pairs / squares + 4.0 / n).clamp(0.0, MOST_ALIKE);
    squares / (n - 2.0) * (1.0 + alike) / (1.0 - alike)
}

/// Are the first slices all above, or all below, every slice of the last part?
fn is_beyond(first: &[Slice], last: &[Slice]) -> bool {
    let value = |slice: &Slice| slice.1 / slice.0.max(1) as f64;
    let most = last.iter().map(value).fold(f64::MIN, f64::max);
    let least = last.iter().map(value).fold(f64::MAX, f64::min);
    let first = || first.iter().take(FIRST_SLICES).map(value);
    first().all(|v| v > most) || first().all(|v| v < least)
}

/// Latencies that changed by more than chance explains; `None` where they did not, or where the run is too short to tell.
pub(super) fn drift(slices: &[Slice]) -> Option<Drift> {
    let slices = filled(slices)?;
    let (first, rest) = slices.split_at(slices.len() / 5);
    let last = &rest[rest.len() - slices.len() / 2..];
    let (first_ns, last_ns) = (mean(first)?, mean(last)?);
    let change = (first_ns - last_ns).abs();
    let error = |each: f64| (each * (1.0 / first.len() as f64 + 1.0 / last.len() as f64)).sqrt();
    let is_sure = change > SURE * error(noise(first).max(noise(last)))
        || (change > SURE_BY_THE_LAST * error(noise(last)) && is_beyond(first, last));
    (change > LEAST_CHANGE * first_ns.max(last_ns) && is_sure).then_some(Drift { first_ns, last_ns })
}

/// Requests that come at random in a stretch, in standard errors from those of another one, that chance explains.
const DRAWN: f64 = 5.0;

/// Do the first and the last fifth of a run differ by no more requests than arrivals at random do?
pub(super) fn is_chance(slices: &[Slice]) -> bool {
    let fifth = slices.len() / 5;
    let count = |part: &[Slice]| part.iter().map(|slice| slice.0).sum::<u64>() as f64;
    let (first, last) = (count(&slices[..fifth]), count(&slices[slices.len() - fifth..]));
    (first - last).abs() <= DRAWN * (first + last).sqrt()
}

/// Requests that wait for an answer at the end of an open load and say nothing: so many a hundred,
const FEW: f64 = 100.0;
/// so many times the square root of all that came, which arrivals and services at random leave,
const BY_CHANCE: f64 = 3.0;
/// and those that come in so many times the least latency.
const LEAST_LATENCIES: f64 = 3.0;
/// Share of a steady growth since the middle of the run from which on a queue grows.
const GROWS: f64 = 0.5;

/// An open load at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Requests that came and were not answered.
    pub(super) left: f64,
    /// All that came while it was recorded.
    pub(super) came: f64,
    /// How long it was recorded.
    pub(super) seconds: f64,
    /// And how long it had gone on before.
    pub(super) warm_up_s: f64,
    /// The least that a request took.
    pub(super) least_ns: f64,
}

/// Does the queue of an open load grow as long as it runs? It is longer than chance leaves it, and longer than it was in the middle.
pub(super) fn grows(end: &Left, slices: &[Slice]) -> bool {
    if end.seconds <= 0.0 {
        return false;
    }
    let rate = end.came / end.seconds;
    let whole = end.came * (1.0 + end.warm_up_s / end.seconds);
    let known = LEAST_LATENCIES * rate * end.least_ns / 1e9;
    // A hundredth of what came is no queue that comes and goes, however short the run.
    let by_chance = (BY_CHANCE * whole.sqrt()).min(0.01 * end.came);
    if end.left < FEW + known || end.left < by_chance + known {
        return false;
    }
    // By Little's law as many waited in the middle of the run as came in the latency that requests had then.
    let n = slices.len();
    let middle = slices.get(2 * n / 5..n - 2 * n / 5).and_then(mean);
    let Some(middle) = middle.map(|ns| rate * ns / 1e9) else { return true };
    let steadily = (end.seconds / 2.0) / (end.warm_up_s + end.seconds / 2.0);
    end.left > middle * (1.0 + GROWS * steadily)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_workload::Seeded;

    /// Slices of a server that takes 1 ms on average, at random, for requests that come at random.
    fn server(seed: u64, load: f64, seconds: f64) -> (Vec<Slice>, Left) {
        let mut random = Seeded::new(seed, 0);
        let mut slice_s = 1e-3;
        while seconds / slice_s > 128.0 {
            slice_s *= 2.0;
        }
        let mut slices = vec![(0, 0.0); (seconds / slice_s) as usize];
        let (mut at, mut free, mut came, mut done) = (0.0, 0.0_f64, 0.0, 0.0);
        loop {
            at += random.exponential(1e-3 / load);
            if at > seconds {
                break;
            }
            came += 1.0;
            free = free.max(at) + random.exponential(1e-3);
            if free > seconds {
                continue;
            }
            done += 1.0;
            if let Some(slice) = slices.get_mut((free / slice_s) as usize) {
                slice.0 += 1;
                slice.1 += (free - at) * 1e9;
            }
        }
        (slices, Left { left: came - done, came, seconds, warm_up_s: 0.0, least_ns: 0.0 })
    }

    #[test]
    fn steady_queues_are_not_called_unsteady() {
        for load in [0.05, 0.5, 0.8, 0.9, 0.95] {
            for seconds in [5.0, 20.0, 60.0] {
                // A hundred requests and more of a queue that is alike for longer are one state or another by chance.
                if load > 0.9 && seconds < 20.0 {
                    continue;
                }
                for seed in 0..20 {
                    let (slices, end) = server(seed, load, seconds);
                    assert_eq!(drift(&slices), None, "{load} for {seconds} s, seed {seed}");
                    assert!(!grows(&end, &slices), "{load} for {seconds} s, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn a_cache_that_warms_up_soon_or_late_is_no_state() {
        for last in [0.001, 0.02, 0.1, 0.3, 1.0] {
            let mut random = Seeded::new(3, 0);
            let slice = |n: usize| {
                let warm = 1e6 + 4e6 * (-(n as f64) / (last * 100.0)).exp();
                (500, 500.0 * warm * (0.98 + 0.04 * random.unit()))
            };
            let slices: Vec<Slice> = (0..100).map(slice).collect();
            let found = drift(&slices);
            // A single slow slice is chance.
            assert_eq!(found.is_some(), last > 0.01, "{last}: {found:?}");
        }
    }

    #[test]
    fn an_overload_of_less_than_a_hundredth_was_none() {
        for seed in 0..20 {
            let (slices, end) = server(seed, 1.02, 1_200.0);
            assert!(end.left < 0.03 * end.came);
            assert!(grows(&end, &slices), "seed {seed}: {end:?}");
        }
    }

    #[test]
    fn many_under_way_are_no_queue_where_each_takes_long() {
        let slices = vec![(1_000, 1_000.0 * 100e6); 100];
        let end = Left { left: 1_000.0, came: 100_000.0, seconds: 10.0, warm_up_s: 0.0, least_ns: 1e6 };
        assert!(!grows(&end, &slices));
    }
}
