//! Latencies counted while a run goes on: cheap to add to, to add up and to empty.
//!
//! The bins are those of a histogram of three digits, so that nothing is lost on the way to one. A slice of a run is
//! emptied many times a second; only the bins between the least and the most that it holds are looked at then.

use hdrhistogram::Histogram;

/// Latencies are kept to so many digits.
const DIGITS: u8 = 3;
/// Bins of one nanosecond each, as the digits ask for; each half as many beyond are twice as wide.
const FINE_BITS: u32 = 11;
const HALF: usize = 1 << (FINE_BITS - 1);

/// A histogram that grows with what it is given.
pub(crate) fn histogram() -> Histogram<u64> {
    // The number of digits is one that the library accepts.
    #[allow(clippy::expect_used, reason = "a constant, held by every test of this file")]
    let mut histogram = Histogram::new(DIGITS).expect("three digits");
    histogram.auto(true);
    histogram
}

/// How often latencies were seen.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    bins: Vec<u64>,
    total: u64,
    /// The first bin that may hold something, and the one behind the last.
    from: usize,
    to: usize,
}

impl Default for Counts {
    fn default() -> Self {
        Self { bins: Vec::new(), total: 0, from: usize::MAX, to: 0 }
    }
}

impl Counts {
    /// Latencies counted.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Counts a latency.
    #[inline]
    pub(crate) fn record(&mut self, ns: u64) {
        self.add(bin_of(ns), 1);
    }

    #[inline]
    fn add(&mut self, bin: usize, count: u64) {
        if bin >= self.bins.len() {
            self.grow(bin);
        }
        self.bins[bin] += count;
        self.total += count;
        self.from = self.from.min(bin);
        self.to = self.to.max(bin + 1);
    }

    /// Up to the next power of two of nanoseconds.
    #[cold]
    fn grow(&mut self, bin: usize) {
        self.bins.resize((bin + 1).next_multiple_of(HALF), 0);
    }

    /// The bins that hold something.
    fn filled(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let held = self.bins.get(self.from..self.to).unwrap_or(&[]);
        held.iter().enumerate().filter(|(_, count)| **count > 0).map(|(at, count)| (self.from + at, *count))
    }

    /// Latencies, the most of their bins, ascending, with how often each was seen.
    pub(crate) fn seen(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.filled().map(|(bin, count)| (most_of(bin), count))
    }

    /// Adds what another one counted.
    pub(crate) fn add_all(&mut self, other: &Self) {
        for (bin, count) in other.filled() {
            self.add(bin, count);
        }
    }

    /// Empties it, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        if let Some(held) = self.bins.get_mut(self.from..self.to) {
            held.fill(0);
        }
        (self.total, self.from, self.to) = (0, usize::MAX, 0);
    }

    /// All of it as a histogram, without what another one, all of which it holds, had counted.
    pub(crate) fn histogram_without(&self, other: &Self) -> Histogram<u64> {
        let mut histogram = histogram();
        for (bin, count) in self.filled() {
            let left = count.saturating_sub(other.bins.get(bin).copied().unwrap_or(0));
            if left > 0 {
                // It grows by itself, so nothing is out of its range.
                let _ = histogram.record_n(most_of(bin), left);
            }
        }
        histogram
    }

    /// All of it as a histogram.
    pub(crate) fn histogram(&self) -> Histogram<u64> {
        self.histogram_without(&Self::default())
    }
}

/// The bin of a latency.
#[inline]
fn bin_of(ns: u64) -> usize {
    // Bits beyond those of the fine bins are dropped.
    let dropped = (u64::BITS - FINE_BITS) - (ns | ((1 << FINE_BITS) - 1)).leading_zeros();
    dropped as usize * HALF + (ns >> dropped) as usize
}

/// The most that is counted in a bin.
fn most_of(bin: usize) -> u64 {
    let dropped = (bin / HALF).saturating_sub(1);
    let kept = (bin - dropped * HALF) as u64;
    // In the last bin of all it is the most that there is.
    (kept << dropped) + ((1 << dropped) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bins_are_those_of_the_library(ns in any::<u64>(), shift in 0..63_u32) {
            let ns = (ns >> shift).clamp(1, u64::MAX / 2);
            prop_assert_eq!(most_of(bin_of(ns)), histogram().highest_equivalent(ns));
        }

        #[test]
        fn what_was_counted_in_parts_is_what_a_histogram_counts(
            parts in proptest::collection::vec(proptest::collection::vec(1..1_u64 << 40, 0..50), 0..6),
        ) {
            let (mut all, mut part, mut seen) = (Counts::default(), Counts::default(), Counts::default());
            let mut direct = histogram();
            for (number, latencies) in parts.iter().enumerate() {
                let mut own = histogram();
                for ns in latencies {
                    part.record(*ns);
                    prop_assert_eq!(own.record(*ns), Ok(()));
                }
                let ascending: Vec<(u64, u64)> = part.seen().collect();
                let expected: Vec<(u64, u64)> =
                    own.iter_recorded().map(|v| (v.value_iterated_to(), v.count_at_value())).collect();
                prop_assert_eq!(ascending, expected);
                prop_assert_eq!(part.total(), latencies.len() as u64);
                if number + 1 == parts.len() {
                    seen = all.clone();
                }
                all.add_all(&part);
                part.clear();
                prop_assert_eq!(direct.add(&own), Ok(()));
                if number + 1 == parts.len() {
                    prop_assert_eq!(all.histogram_without(&seen), own);
                }
            }
            prop_assert_eq!(all.histogram(), direct);
        }
    }
}
