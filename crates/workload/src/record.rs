//! What a stream did, as it goes: a histogram, and slices of time that tell how sure the figures are.

use crate::counts::Counts;
use crate::course::Course;
use crate::interval::{batches_as_one, half_width};
use hdrhistogram::Histogram;
use std::iter::Peekable;

/// Slices kept; when all are full, neighbours are put together and each is twice as long.
const SLICES: usize = 128;
/// The first length of a slice, nanoseconds.
const FIRST_SLICE_NS: u64 = 1_000_000;
/// Requests beyond a percentile, at least, for an interval around it.
const LEAST_BEYOND: f64 = 80.0;
/// Requests beyond its upper bound, at least.
const LEAST_OUTSIDE: f64 = 3.0;
/// Requests within whole slices, at least, for an interval of their rate: fewer would be as wide as the rate itself,
/// and of none it would be nought.
const LEAST_REQUESTS: u64 = 4;
/// For one of their mean: it is as sure as they are many, however many slices hold them.
const LEAST_LATENCIES: u64 = 8;
/// A latency is kept to this part of it.
const KEPT_TO: f64 = 1.0 / 2_000.0;

/// Latencies, nanoseconds, ascending, with how often each was seen.
type Counted = Vec<(u64, u64)>;

/// A stretch of the run.
#[derive(Clone, Debug, Default)]
struct Slice {
    ios: u64,
    latencies: Counted,
}

/// Two lists as one.
fn together(one: &Counted, other: &Counted) -> Counted {
    fn lower(a: &mut Peekable<std::slice::Iter<'_, (u64, u64)>>, than: Option<u64>) -> Option<(u64, u64)> {
        a.next_if(|x| than.is_none_or(|than| x.0 <= than)).copied()
    }
    let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
    let mut out: Counted = Vec::with_capacity(one.len().max(other.len()));
    loop {
        let next = b.peek().map(|y| y.0);
        let Some((ns, count)) = lower(&mut a, next).or_else(|| lower(&mut b, None)) else { return out };
        match out.last_mut() {
            Some(last) if last.0 == ns => last.1 += count,
            _ => out.push((ns, count)),
        }
    }
}

/// Takes in requests as they end, in the order in which they end.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// What closed slices hold.
    all: Counts,
    current: Counts,
    slices: Vec<Slice>,
    slice_ns: u64,
    slice_end_ns: u64,
    ios: u64,
    bytes: u64,
    sum_ns: u128,
    /// Writes, where reads and writes are told apart: what is left of all are the reads.
    writes: Option<Box<Side>>,
    /// What had come at the last look.
    seen: Option<Box<Seen>>,
}

/// Requests of one kind, of all that are recorded.
#[derive(Clone, Debug)]
struct Side {
    latencies: Counts,
    bytes: u64,
    sum_ns: u128,
}

/// What had come when somebody looked.
#[derive(Clone, Debug, Default)]
struct Seen {
    latencies: Counts,
    ios: u64,
    bytes: u64,
}

/// What a stretch of a run did.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Requests.
    pub ios: u64,
    /// Bytes.
    pub bytes: u64,
    /// Latencies, nanoseconds, to three digits.
    pub latencies: Histogram<u64>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// An empty one, whose time begins at 0.
    #[must_use]
    pub fn new() -> Self {
        Self {
            all: Counts::default(),
            current: Counts::default(),
            slices: Vec::with_capacity(SLICES),
            slice_ns: FIRST_SLICE_NS,
            slice_end_ns: FIRST_SLICE_NS,
            ios: 0,
            bytes: 0,
            sum_ns: 0,
            writes: None,
            seen: None,
        }
    }

    /// An empty one that tells reads and writes apart.
    #[must_use]
    pub fn apart() -> Self {
        let writes = Some(Box::new(Side { latencies: Counts::default(), bytes: 0, sum_ns: 0 }));
        Self { writes, ..Self::new() }
    }

    /// Requests so far.
    #[must_use]
    pub fn ios(&self) -> u64 {
        self.ios
    }

    /// Bytes so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What came since the last call; all of it at the first. Costs the copy of what was counted.
    #[must_use]
    pub fn stretch(&mut self) -> Stretch {
        let before = self.seen.take().unwrap_or_default();
        let mut latencies = self.all.clone();
        latencies.add_all(&self.current);
        let stretch = Stretch {
            ios: self.ios - before.ios,
            bytes: self.bytes - before.bytes,
            latencies: latencies.histogram_without(&before.latencies),
        };
        self.seen = Some(Box::new(Seen { latencies, ios: self.ios, bytes: self.bytes }));
        stretch
    }

    /// Requests a second until `at_ns`, with least and most, at [`crate::CONFIDENCE_PCT`]; `None` where
    /// it is too early to tell. Costs no copy.
    #[must_use]
    pub fn rate_so_far(&self, at_ns: u64) -> Option<(f64, (f64, f64))> {
        let rate = (at_ns > 0).then(|| self.ios as f64 * 1e9 / at_ns as f64)?;
        Some((rate, rate_interval(rate, &self.slices, self.slice_ns)?))
    }

    /// A request that ended at `at_ns` from the beginning and took `latency_ns`.
    #[inline]
    pub fn record(&mut self, at_ns: u64, latency_ns: u64, bytes: u32) {
        if at_ns >= self.slice_end_ns {
            self.close_until(at_ns);
        }
        self.current.record(latency_ns.max(1));
        self.sum_ns += u128::from(latency_ns);
        self.ios += 1;
        self.bytes += u64::from(bytes);
    }

    /// What was recorded last was a write: kept where they are told apart.
    #[inline]
    pub fn was_write(&mut self, latency_ns: u64, bytes: u32) {
        if let Some(writes) = &mut self.writes {
            writes.latencies.record(latency_ns.max(1));
            writes.bytes += u64::from(bytes);
            writes.sum_ns += u128::from(latency_ns);
        }
    }

    /// Closes the slices that ended before this time.
    #[cold]
    fn close_until(&mut self, at_ns: u64) {
        while at_ns >= self.slice_end_ns {
            if self.slices.len() == SLICES {
                let pairs = self.slices.chunks_exact(2).map(|pair| Slice {
                    ios: pair[0].ios + pair[1].ios,
                    latencies: together(&pair[0].latencies, &pair[1].latencies),
                });
                self.slices = pairs.collect();
                self.slice_ns *= 2;
            } else {
                self.close();
            }
            self.slice_end_ns = self.slice_ns.saturating_mul(self.slices.len() as u64 + 1);
        }
    }

    fn close(&mut self) {
        self.slices.push(Slice { ios: self.current.total(), latencies: self.current.seen().collect() });
        self.all.add_all(&self.current);
        self.current.clear();
    }

    /// What was done by `elapsed_ns`.
    #[must_use]
    pub fn finish(self, elapsed_ns: u64) -> Recorded {
        self.finish_from(0, elapsed_ns)
    }

    /// What was done from `from_ns`, before which nothing was begun, to `to_ns`.
    #[must_use]
    pub fn finish_from(mut self, from_ns: u64, to_ns: u64) -> Recorded {
        self.close_until(to_ns);
        // The last slice is not whole: it counts in the sums and in no interval.
        self.all.add_all(&self.current);
        Recorded {
            ios: self.all.total(),
            bytes: self.bytes,
            elapsed_ns: to_ns.saturating_sub(from_ns),
            sum_ns: self.sum_ns,
            latencies: self.all.histogram(),
            slices: self.slices,
            slice_ns: self.slice_ns,
            writes: self.writes,
        }
    }
}

/// What a stream did.
///
/// Shape: one a stream. Unit: nanoseconds, bytes. Missing: intervals are `None` where the run is too short
/// for them.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Requests.
    pub ios: u64,
    /// Bytes.
    pub bytes: u64,
    /// Length of the run.
    pub elapsed_ns: u64,
    /// Latencies, to three digits.
    pub latencies: Histogram<u64>,
    sum_ns: u128,
    slices: Vec<Slice>,
    slice_ns: u64,
    writes: Option<Box<Side>>,
}

impl Recorded {
    /// Its reads and its writes, where they were told apart: without intervals, and without their course.
    #[must_use]
    pub fn reads_and_writes(&self) -> Option<(Self, Self)> {
        let writes = self.writes.as_ref()?;
        let (written, mut reads) = (writes.latencies.histogram(), self.latencies.clone());
        // Each write was recorded among all.
        let _ = reads.subtract(&written);
        let of = |latencies: Histogram<u64>, bytes: u64, sum_ns: u128| Self {
            ios: latencies.len(),
            bytes,
            elapsed_ns: self.elapsed_ns,
            latencies,
            sum_ns,
            slices: Vec::new(),
            slice_ns: self.slice_ns,
            writes: None,
        };
        let reads =
            of(reads, self.bytes.saturating_sub(writes.bytes), self.sum_ns.saturating_sub(writes.sum_ns));
        Some((reads, of(written, writes.bytes, writes.sum_ns)))
    }

    /// Requests a second.
    #[must_use]
    pub fn iops(&self) -> Option<f64> {
        (self.elapsed_ns > 0).then(|| self.ios as f64 * 1e9 / self.elapsed_ns as f64)
    }

    /// Mean latency.
    #[must_use]
    pub fn mean_ns(&self) -> Option<f64> {
        (self.ios > 0).then(|| self.sum_ns as f64 / self.ios as f64)
    }

    /// Mean latency's least and most, at [`crate::CONFIDENCE_PCT`]; `None` where the run is too short to tell.
    ///
    /// A ratio of two sums over the slices: what each slice took more than its requests on average do.
    #[must_use]
    pub fn mean_interval_ns(&self) -> Option<(f64, f64)> {
        let mean = self.mean_ns()?;
        let whole: u64 = self.slices.iter().map(|s| s.ios).sum();
        if whole < LEAST_LATENCIES {
            return None;
        }
        let sum = |slice: &Slice| slice.latencies.iter().map(|(ns, n)| *ns as f64 * *n as f64).sum::<f64>();
        let expected = self.slices.iter().map(sum).sum::<f64>() / whole as f64;
        let excess: Vec<f64> = self.slices.iter().map(|s| sum(s) - expected * s.ios as f64).collect();
        let size = batches_as_one(&excess);
        let batches: Vec<f64> =
            excess.chunks_exact(size).map(|c| c.iter().sum::<f64>() / size as f64).collect();
        let half = half_width(&batches)? * self.slices.len() as f64 / whole as f64;
        Some(((mean - half).max(0.0), mean + half))
    }

    /// The latency that this share of the requests did not exceed.
    #[must_use]
    pub fn percentile_ns(&self, pct: f64) -> Option<f64> {
        (self.ios > 0).then(|| self.latencies.value_at_percentile(pct) as f64)
    }

    /// Requests a second, least and most, at [`crate::CONFIDENCE_PCT`].
    #[must_use]
    pub fn iops_interval(&self) -> Option<(f64, f64)> {
        rate_interval(self.iops()?, &self.slices, self.slice_ns)
    }

    /// Requests of each whole slice of the run, in their order, and the sum of their latencies, nanoseconds, to three digits.
    #[must_use]
    pub fn latency_course(&self) -> Vec<(u64, f64)> {
        let sum = |slice: &Slice| slice.latencies.iter().map(|(ns, n)| *ns as f64 * *n as f64).sum();
        self.slices.iter().map(|slice| (slice.ios, sum(slice))).collect()
    }

    /// How the rate went.
    #[must_use]
    pub fn course(&self) -> Option<Course> {
        if self.slices.is_empty() {
            return None;
        }
        let iops = self.slices.iter().map(|s| s.ios as f64 * 1e9 / self.slice_ns as f64).collect();
        Some(Course::of(self.slice_ns as f64 / 1e9, iops))
    }

    /// A percentile's least and most, at [`crate::CONFIDENCE_PCT`]; `None` where the run holds too few
    /// requests beyond it.
    ///
    /// How sure the share of requests beyond the latency found is, by the slices; then the latencies that
    /// this share leads to. (Percentiles of batches would be off, and the more so the longer a queue stays:
    /// a batch sees none of the congestion or all of it. Source: Heidelberger and Lewis, "Quantile estimation
    /// in dependent sequences", 1984, and Serfling 1980, 2.6.1, on inverting shares.)
    #[must_use]
    pub fn percentile_interval_ns(&self, pct: f64) -> Option<(f64, f64)> {
        let share = pct / 100.0;
        let whole: u64 = self.slices.iter().map(|s| s.ios).sum();
        if (1.0 - share).min(share) * (whole as f64) < LEAST_BEYOND {
            return None;
        }
        let found_ns = self.latencies.value_at_percentile(pct);
        let beyond = |slice: &Slice| {
            let from = slice.latencies.partition_point(|(ns, _)| *ns <= found_ns);
            slice.latencies[from..].iter().map(|(_, count)| *count).sum::<u64>() as f64
        };
        // What each slice has beyond the latency more than its share: nothing, on the whole.
        let all_beyond: f64 = self.slices.iter().map(beyond).sum();
        let expected = all_beyond / whole as f64;
        let excess: Vec<f64> = self.slices.iter().map(|s| beyond(s) - expected * s.ios as f64).collect();
        let size = batches_as_one(&excess);
        let batches: Vec<f64> =
            excess.chunks_exact(size).map(|c| c.iter().sum::<f64>() / size as f64).collect();
        let half = half_width(&batches)? * self.slices.len() as f64 / whole as f64;
        // Beyond the highest bound a few requests are left, or it is a guess.
        if (1.0 - share - half) * (whole as f64) < LEAST_OUTSIDE {
            return None;
        }
        let at = |share: f64| self.latencies.value_at_percentile(100.0 * share.clamp(0.0, 1.0)) as f64;
        // Latencies are kept to a thousandth.
        Some((at(share - half) * (1.0 - KEPT_TO), at(share + half) * (1.0 + KEPT_TO)))
    }
}

/// Least and most of a rate, by the slices of its run.
fn rate_interval(rate: f64, slices: &[Slice], slice_ns: u64) -> Option<(f64, f64)> {
    if slices.iter().map(|s| s.ios).sum::<u64>() < LEAST_REQUESTS {
        return None;
    }
    let rates: Vec<f64> = slices.iter().map(|s| s.ios as f64 * 1e9 / slice_ns as f64).collect();
    let size = batches_as_one(&rates);
    let batches: Vec<f64> = rates.chunks_exact(size).map(|c| c.iter().sum::<f64>() / size as f64).collect();
    // A count leaves one request open at its ends, however regularly they come.
    let one = 1e9 / (slices.len() as f64 * slice_ns as f64);
    let half = half_width(&batches)?.max(one);
    Some(((rate - half).max(0.0), rate + half))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    use super::*;
    use crate::Seeded;
    use crate::counts::histogram;

    #[test]
    fn one_request_was_said_to_have_a_rate_that_is_sure() {
        for ios in [0_u64, 1, 2, 3] {
            let mut recorder = Recorder::new();
            (1..=ios).for_each(|n| recorder.record(n * 8_000_000, 8_000_000, 8_192));
            let found = recorder.finish(100_000_000);
            assert_eq!((found.iops_interval(), found.mean_interval_ns()), (None, None), "{ios}");
        }
        let mut recorder = Recorder::new();
        (1..=7).for_each(|n| recorder.record(n * 8_000_000, 8_000_000, 8_192));
        let found = recorder.finish(100_000_000);
        let (low, high) = found.iops_interval().unwrap();
        assert!(low < 30.0 && high > 110.0, "seven say less: {low} to {high}");
        assert_eq!(found.mean_interval_ns(), None, "spread over many slices, they were taken for many");
        let mut recorder = Recorder::new();
        (1..=12).for_each(|n| recorder.record(n * 8_000_000, 8_000_000, 8_192));
        let (low, high) = recorder.finish(96_000_000).iops_interval().unwrap();
        assert!(low < 100.0 && high > 150.0, "twelve requests say little: {low} to {high}");
    }

    /// 126 requests of a second, as regular as a clock: `iops_low = iops = iops_high`, and a run to 0.1 % ended at once.
    #[test]
    fn regular_requests_were_counted_without_any_doubt() {
        let mut recorder = Recorder::new();
        (1..=1_000).for_each(|n| recorder.record(n * 8_000_000, 8_000_000, 8_192));
        let found = recorder.finish(8_000_000_000);
        let (rate, (low, high)) = (found.iops().unwrap(), found.iops_interval().unwrap());
        assert!(low <= rate - 0.12 && high >= rate + 0.12, "{low} to {high} around {rate}");
    }

    #[test]
    fn the_time_before_the_first_request_was_taken_for_time_of_the_device() {
        let mut recorder = Recorder::new();
        recorder.record(300_000, 30_000, 8_192);
        let found = recorder.finish_from(270_000, 300_000);
        assert_eq!((found.elapsed_ns, found.mean_ns()), (30_000, Some(30_000.0)));
    }

    #[test]
    fn counts_sums_and_percentiles_are_those_of_a_direct_computation() {
        let mut random = Seeded::new(4, 0);
        let mut recorder = Recorder::new();
        let mut taken: Vec<u64> = Vec::new();
        let mut at = 0;
        for _ in 0..100_000 {
            let latency = 50_000 + random.exponential(200_000.0) as u64;
            at += latency;
            recorder.record(at, latency, 8_192);
            taken.push(latency);
        }
        let found = recorder.finish(at);
        taken.sort_unstable();
        assert_eq!((found.ios, found.bytes), (100_000, 819_200_000));
        let mean = taken.iter().sum::<u64>() as f64 / 1e5;
        assert!((found.mean_ns().unwrap() - mean).abs() < 1e-6);
        for (pct, index) in [(50.0, 49_999), (90.0, 89_999), (99.0, 98_999), (99.9, 99_899)] {
            let direct = taken[index] as f64;
            let said = found.percentile_ns(pct).unwrap();
            assert!((said / direct - 1.0).abs() < 1.1e-3, "{pct}: {said} for {direct}");
        }
        assert!((found.iops().unwrap() - 1e9 / mean).abs() < 1e-3);
        // Slices hold what is whole of the run, once.
        let in_slices: u64 = found.slices.iter().map(|s| s.ios).sum();
        assert!(found.slices.len() >= SLICES / 2 && in_slices <= 100_000 && in_slices > 98_000);
    }

    #[test]
    fn intervals_hold_what_was_set() {
        // One server, exponential service of 1 ms: 1,000 a second, median ln 2 ms, p99 ln 100 ms.
        let (mut rate, mut median, mut tail) = (0, 0, 0);
        for seed in 0..200 {
            let mut random = Seeded::new(seed, 0);
            let mut recorder = Recorder::new();
            let mut at = 0.0;
            while at < 30e9 {
                let latency = random.exponential(1e6);
                at += latency;
                recorder.record(at as u64, latency as u64, 8_192);
            }
            let found = recorder.finish(at as u64);
            let holds = |interval: Option<(f64, f64)>, truth: f64| {
                let (low, high) = interval.unwrap();
                usize::from(low <= truth && truth <= high)
            };
            rate += holds(found.iops_interval(), 1_000.0);
            median += holds(found.percentile_interval_ns(50.0), 2_f64.ln() * 1e6);
            tail += holds(found.percentile_interval_ns(99.0), 100_f64.ln() * 1e6);
        }
        // 190 of 200; the standard deviation of that count is 3.
        for held in [rate, median, tail] {
            assert!((181..=199).contains(&held), "{rate} {median} {tail}");
        }
    }

    #[test]
    fn stretches_add_up_to_the_run() {
        let mut random = Seeded::new(8, 0);
        let mut recorder = Recorder::new();
        let (mut at, mut ios, mut bytes) = (0, 0, 0);
        let mut all = histogram();
        for number in 0..50_000 {
            let latency = random.below(3_000_000) + 1;
            at += latency / 4;
            recorder.record(at, latency, 512);
            // Looks fall within slices, at their ends, and several in one.
            if number % 777 == 0 || number % 1_000 < 3 {
                let stretch = recorder.stretch();
                assert_eq!(stretch.latencies.len(), stretch.ios);
                ios += stretch.ios;
                bytes += stretch.bytes;
                all.add(&stretch.latencies).unwrap();
            }
        }
        let last = recorder.stretch();
        all.add(&last.latencies).unwrap();
        let found = recorder.finish(at);
        assert_eq!((ios + last.ios, bytes + last.bytes, found.ios), (50_000, 50_000 * 512, 50_000));
        for pct in [1.0, 50.0, 99.9, 100.0] {
            assert_eq!(all.value_at_percentile(pct), found.latencies.value_at_percentile(pct));
        }
    }

    #[test]
    fn a_short_run_has_figures_and_no_intervals() {
        let mut recorder = Recorder::new();
        recorder.record(400_000, 400_000, 512);
        let found = recorder.finish(500_000);
        assert_eq!((found.ios, found.mean_ns()), (1, Some(400_000.0)));
        assert_eq!(found.iops_interval(), None);
        assert_eq!(found.percentile_interval_ns(50.0), None);
        let nothing = Recorder::new().finish(0);
        assert_eq!((nothing.iops(), nothing.mean_ns(), nothing.percentile_ns(50.0)), (None, None, None));
    }

    #[test]
    fn a_pause_of_an_hour_costs_neither_time_nor_memory() {
        let mut recorder = Recorder::new();
        recorder.record(1_000, 1_000, 512);
        recorder.record(3_600_000_000_000, 3_599_999_999_000, 512);
        let found = recorder.finish(3_600_000_000_001);
        assert!(found.slices.len() <= SLICES && found.ios == 2);
    }
}
