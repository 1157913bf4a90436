//! What a wait histogram says: totals, percentiles and shares as bounds, peaks.
//!
//! A bucket only says that a wait lay between two bounds, and a rounded share only bounds the
//! count, so every answer is an interval that holds the truth.

use crate::{HistogramBucket, Interval, WaitHistogram};

/// A group of buckets that stands out from its neighbours.
///
/// Shape: one a peak, ascending. Unit: microseconds; percent of the waits. Missing: an empty
/// histogram has none. Source: [`WaitHistogram::peaks`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Where the waits of the peak begin.
    pub low_us: f64,
    /// Where they end; `None` where open.
    pub high_us: Option<f64>,
    /// Bounds of its highest bucket.
    pub summit_low_us: f64,
    /// Bounds of its highest bucket; `None` where open.
    pub summit_high_us: Option<f64>,
    /// Share of the waits.
    pub share_pct: f64,
}

impl HistogramBucket {
    /// Upper bound as a number: infinite where open.
    #[must_use]
    pub fn high_or_infinite_us(&self) -> f64 {
        self.high_us.unwrap_or(f64::INFINITY)
    }
}

impl WaitHistogram {
    /// Waits in all buckets.
    ///
    /// Shape: one an event. Unit: waits. Missing: 0 for a histogram without buckets. Source: sum
    /// of the buckets, whose counts come from shares rounded to 0.1 % or from printed counts.
    #[must_use]
    pub fn counted_waits(&self) -> f64 {
        self.buckets.iter().map(|b| b.waits).sum()
    }

    /// Latency that `percentile` percent of the waits did not exceed.
    ///
    /// Shape: one a histogram and percentile (0-100). Unit: microseconds; `high` is infinite
    /// where the open last bucket may hold it. Missing: `None` without waits. Source: bucket
    /// bounds and the bounds of their shares (or of counts, where no shares are known), each taken
    /// at its worst.
    #[must_use]
    pub fn percentile_us(&self, percentile: f64) -> Option<Interval> {
        let [of_waits] = self.percentiles_us([percentile]);
        of_waits
    }

    /// Several percentiles at once, each as [`WaitHistogram::percentile_us`] gives it.
    #[must_use]
    pub fn percentiles_us<const N: usize>(&self, percentiles: [f64; N]) -> [Option<Interval>; N] {
        self.percentiles_of_part_us(1.0, percentiles)
    }

    /// The same of a part (0-1) of the waits alone, as of those of one side: a histogram of all does not say which
    /// of them these are, so that they count as its fastest for `low`, as its slowest for `high`.
    #[must_use]
    pub fn percentiles_of_part_us<const N: usize>(
        &self,
        part: f64,
        percentiles: [f64; N],
    ) -> [Option<Interval>; N] {
        if self.counted_waits() <= 0.0 {
            return [None; N];
        }
        let weights = self.weights();
        let part = part.clamp(0.0, 1.0);
        percentiles.map(|percentile| {
            let wanted = (percentile / 100.0).clamp(0.0, 1.0);
            let fast = self.rank(wanted * part, &weights, |w| w.high, |w| w.low)?;
            let slow = self.rank(1.0 - (1.0 - wanted) * part, &weights, |w| w.low, |w| w.high)?;
            Some(Interval { low: fast.low_us, high: slow.high_or_infinite_us() })
        })
    }

    /// What each bucket weighs against the others, as bounds: its share, since how the total is
    /// rounded cancels; else its count.
    #[must_use]
    pub fn weights(&self) -> Vec<Interval> {
        let shares = self.buckets.iter().all(|b| b.share_bounds_pct.is_some());
        let weight = |b: &HistogramBucket| {
            let share = b.share_bounds_pct.filter(|_| shares);
            share.unwrap_or(Interval { low: b.waits_low, high: b.waits_high })
        };
        self.buckets.iter().map(weight).collect()
    }

    /// First bucket that holds the wanted share, where the buckets up to it count as `below` and
    /// those after it as `above`.
    fn rank(
        &self,
        wanted: f64,
        weights: &[Interval],
        below: impl Fn(&Interval) -> f64,
        above: impl Fn(&Interval) -> f64,
    ) -> Option<&HistogramBucket> {
        let mut after: f64 = weights.iter().map(&above).sum();
        let mut until = 0.0;
        let mut last = None;
        for (bucket, weight) in self.buckets.iter().zip(weights) {
            until += below(weight);
            after -= above(weight);
            if until > 0.0 {
                last = Some(bucket);
                // A millionth of a wait or of a percent forgives the order of additions.
                if until >= wanted * (until + after.max(0.0)) - 1e-6 {
                    return last;
                }
            }
        }
        // Every wait may lie in a bucket whose least count is zero: then the last that can hold any.
        last.or_else(|| self.buckets.iter().rev().find(|b| b.waits > 0.0))
    }

    /// Mean of the waits.
    ///
    /// Shape: one a histogram. Unit: microseconds; `high` is infinite where the open last bucket
    /// holds waits. Missing: `None` without waits. Source: bucket bounds times printed counts; the
    /// printed mean of the event is the better number where there is one.
    #[must_use]
    pub fn mean_us(&self) -> Option<Interval> {
        let waits = self.counted_waits();
        if waits <= 0.0 {
            return None;
        }
        let mut sum = Interval::exact(0.0);
        for bucket in self.buckets.iter().filter(|b| b.waits > 0.0) {
            sum.low += bucket.waits * bucket.low_us;
            sum.high += bucket.waits * bucket.high_or_infinite_us();
        }
        Some(sum.scaled(1.0 / waits))
    }

    /// Share of the waits that took longer than `bar_us`.
    ///
    /// Shape: one a histogram and bar. Unit: percent. Missing: `None` without waits. Source:
    /// buckets wholly above the bar (low), and the one that the bar cuts (high).
    #[must_use]
    pub fn share_above_pct(&self, bar_us: f64) -> Option<Interval> {
        let waits = self.counted_waits();
        if waits <= 0.0 {
            return None;
        }
        let weights = self.weights();
        let sum = |bound: fn(&Interval) -> f64, inside: &dyn Fn(&HistogramBucket) -> bool| -> f64 {
            self.buckets.iter().zip(&weights).filter(|(b, _)| inside(b)).map(|(_, w)| bound(w)).sum()
        };
        let surely = |b: &HistogramBucket| b.low_us >= bar_us;
        let maybe = |b: &HistogramBucket| b.high_or_infinite_us() > bar_us;
        let low = sum(|w| w.low, &surely);
        let rest_high = sum(|w| w.high, &|b| !surely(b));
        let high = sum(|w| w.high, &maybe);
        let rest_low = sum(|w| w.low, &|b| !maybe(b));
        let share = |part: f64, rest: f64| if part + rest > 0.0 { 100.0 * part / (part + rest) } else { 0.0 };
        Some(Interval::between(share(low, rest_high), share(high, rest_low)))
    }

    /// Time that the waits longer than `bar_us` took.
    ///
    /// Shape: one a histogram and bar. Unit: seconds; `high` is infinite where the open last
    /// bucket holds waits. Missing: 0 where no wait is longer. Source: counts times bucket bounds.
    #[must_use]
    pub fn time_above_s(&self, bar_us: f64) -> Interval {
        let mut time = Interval::exact(0.0);
        for bucket in self.buckets.iter().filter(|b| b.waits_high > 0.0) {
            if bucket.low_us >= bar_us {
                time.low += bucket.waits_low * bucket.low_us / 1e6;
            }
            if bucket.high_or_infinite_us() > bar_us && bucket.waits > 0.0 {
                time.high += bucket.waits_high * bucket.high_or_infinite_us() / 1e6;
            }
        }
        time
    }

    /// Peaks: groups of buckets with a valley between them.
    ///
    /// Shape: ascending. Unit: see [`Peak`]. Missing: empty without waits. Source: waits by octave
    /// (a bucket that spans several octaves counts a mean one); a valley is lower than half of the
    /// lower of the two summits beside it, and each peak holds at least 5 % of the waits. Two
    /// peaks say that two things answer: a cache and what is behind it.
    #[must_use]
    pub fn peaks(&self) -> Vec<Peak> {
        let waits = self.counted_waits();
        if waits <= 0.0 {
            return Vec::new();
        }
        let density: Vec<f64> = self.buckets.iter().map(|b| b.waits / octaves(b)).collect();
        // Cut at the lowest place between two summits, as long as the cut is a true valley.
        let mut cuts = vec![0, self.buckets.len()];
        while let Some(cut) = cuts.windows(2).find_map(|w| self.valley(&density, w[0], w[1], waits)) {
            cuts.push(cut);
            cuts.sort_unstable();
        }
        let peak = |range: &[usize]| {
            let held: Vec<usize> = (range[0]..range[1]).filter(|&i| self.buckets[i].waits > 0.0).collect();
            let summit = held.iter().copied().max_by(|&a, &b| density[a].total_cmp(&density[b]))?;
            let (first, last) = (*held.first()?, *held.last()?);
            Some(Peak {
                low_us: self.buckets[first].low_us,
                high_us: self.buckets[last].high_us,
                summit_low_us: self.buckets[summit].low_us,
                summit_high_us: self.buckets[summit].high_us,
                share_pct: 100.0 * held.iter().map(|&i| self.buckets[i].waits).sum::<f64>() / waits,
            })
        };
        cuts.windows(2).filter_map(peak).collect()
    }

    /// Where to cut the buckets `from..to` in two peaks, if anywhere.
    fn valley(&self, density: &[f64], from: usize, to: usize, waits: f64) -> Option<usize> {
        let highest = |range: std::ops::Range<usize>| density[range].iter().copied().fold(0.0, f64::max);
        let held =
            |range: std::ops::Range<usize>| -> f64 { self.buckets[range].iter().map(|b| b.waits).sum() };
        (from + 1..to.saturating_sub(1))
            .filter(|&cut| {
                let lower_summit = highest(from..cut).min(highest(cut + 1..to));
                density[cut] < lower_summit / 2.0
                    && held(from..cut) >= 0.05 * waits
                    && held(cut..to) >= 0.05 * waits
            })
            .min_by(|&a, &b| density[a].total_cmp(&density[b]))
    }

    /// Sum of histograms of one event, such as those of the instances of a RAC database.
    ///
    /// Shape: one an event; only bounds that all of them have. Unit, source: as the parts.
    /// Missing: `None` for none.
    #[must_use]
    pub fn merged(parts: &[&Self]) -> Option<Self> {
        let (first, rest) = parts.split_first()?;
        if rest.is_empty() {
            return Some((*first).clone());
        }
        let has = |part: &Self, low: f64| part.buckets.iter().any(|b| b.low_us == low);
        let mut buckets: Vec<HistogramBucket> = Vec::new();
        for bucket in &first.buckets {
            if rest.iter().all(|part| has(part, bucket.low_us)) {
                buckets.push(HistogramBucket {
                    high_us: None,
                    waits: 0.0,
                    waits_low: 0.0,
                    waits_high: 0.0,
                    share_pct: None,
                    share_bounds_pct: None,
                    ..*bucket
                });
            }
        }
        for i in 0..buckets.len() {
            let high = buckets.get(i + 1).map(|b| b.low_us);
            let low = buckets[i].low_us;
            let mut open = false;
            for part in parts {
                for b in part.buckets.iter().filter(|b| b.low_us >= low && high.is_none_or(|h| b.low_us < h))
                {
                    buckets[i].waits += b.waits;
                    buckets[i].waits_low += b.waits_low;
                    buckets[i].waits_high += b.waits_high;
                    open |= b.high_us.is_none();
                    buckets[i].high_us = match (buckets[i].high_us, b.high_us) {
                        (Some(a), Some(b)) => Some(a.max(b)),
                        (a, b) => a.or(b),
                    };
                }
            }
            buckets[i].high_us = if open { None } else { high.or(buckets[i].high_us) };
        }
        let waits = parts.iter().map(|p| p.waits).sum::<Option<f64>>();
        Some(Self { instance_number: None, waits, buckets, ..(*first).clone() })
    }
}

/// Octaves that a bucket spans; 1 for the first and for an open one.
fn octaves(bucket: &HistogramBucket) -> f64 {
    match bucket.high_us {
        Some(high) if bucket.low_us > 0.0 => (high / bucket.low_us).log2().max(1.0),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Side;

    /// Buckets (high bound, least, printed, most waits), the last one open.
    fn histogram(buckets: &[(f64, [f64; 3])]) -> WaitHistogram {
        let mut low_us = 0.0;
        let buckets = buckets
            .iter()
            .map(|&(high, [waits_low, waits, waits_high])| {
                let bucket = HistogramBucket {
                    low_us,
                    high_us: high.is_finite().then_some(high),
                    waits,
                    waits_low,
                    waits_high,
                    share_pct: None,
                    share_bounds_pct: None,
                    line: 1,
                };
                low_us = high;
                bucket
            })
            .collect();
        WaitHistogram {
            line: 1,
            section: 0,
            instance_number: None,
            event: "e".into(),
            side: Side::All,
            waits: None,
            buckets,
        }
    }

    fn exact(buckets: &[(f64, f64)]) -> WaitHistogram {
        histogram(&buckets.iter().map(|&(high, n)| (high, [n, n, n])).collect::<Vec<_>>())
    }

    #[test]
    fn percentile_is_the_bucket_that_holds_it() {
        let h = exact(&[(1.0, 50.0), (2.0, 40.0), (4.0, 9.0), (f64::INFINITY, 1.0)]);
        assert_eq!(h.percentile_us(50.0), Some(Interval { low: 0.0, high: 1.0 }));
        assert_eq!(h.percentile_us(90.0), Some(Interval { low: 1.0, high: 2.0 }));
        assert_eq!(h.percentile_us(99.0), Some(Interval { low: 2.0, high: 4.0 }));
        assert_eq!(h.percentile_us(99.9), Some(Interval { low: 4.0, high: f64::INFINITY }));
    }

    /// The fastest nine of ten are of one side, or the slowest, and everything between.
    #[test]
    fn percentiles_of_a_part_hold_those_of_any_choice_of_so_many_waits() {
        let h = exact(&[(1.0, 4.0), (2.0, 3.0), (4.0, 2.0), (8.0, 1.0)]);
        let waits: Vec<f64> = [1.0; 4].into_iter().chain([2.0; 3]).chain([4.0; 2]).chain([8.0]).collect();
        for chosen in 1_u32..1 << waits.len() {
            let own: Vec<f64> =
                (0..waits.len()).filter(|at| chosen >> at & 1 == 1).map(|at| waits[at]).collect();
            #[allow(clippy::cast_precision_loss, reason = "ten waits")]
            let part = own.len() as f64 / waits.len() as f64;
            let percentiles = [50.0, 90.0, 99.0];
            let bounds = h.percentiles_of_part_us(part, percentiles).map(Option::unwrap);
            for (percentile, bounds) in percentiles.into_iter().zip(bounds) {
                let count = part * 10.0;
                let rank = (percentile * count / 100.0 - 1e-9).ceil();
                let at = (1..=10).find(|n| f64::from(*n) >= rank).unwrap();
                let truth = own[usize::try_from(at - 1).unwrap()];
                assert!(bounds.low < truth && truth <= bounds.high, "{own:?} p{percentile}: {bounds:?}");
            }
        }
        assert_eq!(h.percentiles_of_part_us(1.0, [50.0]), h.percentiles_us([50.0]));
    }

    #[test]
    fn rounded_counts_widen_a_percentile() {
        let h = histogram(&[(1.0, [49.0, 50.0, 51.0]), (2.0, [49.0, 50.0, 51.0])]);
        assert_eq!(h.percentile_us(50.0), Some(Interval { low: 0.0, high: 2.0 }));
    }

    #[test]
    fn a_rounded_total_does_not_widen_a_percentile() {
        // `1M` waits are half a million to one and a half, but the shares are known to a tenth.
        let shares = [(512.0, 0.2), (1024.0, 23.5), (2048.0, 29.3), (8192.0, 47.0)];
        let mut h = histogram(&shares.map(|(us, pct)| (us, [pct * 5e3, pct * 1e4, pct * 15e3])));
        assert_eq!(h.percentile_us(50.0), Some(Interval { low: 1024.0, high: 8192.0 }), "counts alone");
        for (bucket, (_, pct)) in h.buckets.iter_mut().zip(shares) {
            bucket.share_bounds_pct = Some(Interval::around(pct, 0.05));
        }
        assert_eq!(h.percentile_us(50.0), Some(Interval { low: 1024.0, high: 2048.0 }));
        let above = h.share_above_pct(2048.0).unwrap();
        assert!((above.low - 47.0).abs() < 0.2 && (above.high - 47.0).abs() < 0.2, "{above:?}");
        // Half of the last digit still counts: 49.98 % may be 50.
        h.buckets[1].share_bounds_pct = Some(Interval::around(20.48, 0.05));
        h.buckets[3].share_bounds_pct = Some(Interval::around(50.02, 0.05));
        assert_eq!(h.percentile_us(50.0), Some(Interval { low: 1024.0, high: 8192.0 }));
    }

    #[test]
    fn no_waits_no_percentile() {
        assert_eq!(exact(&[(1.0, 0.0), (f64::INFINITY, 0.0)]).percentile_us(50.0), None);
        assert_eq!(exact(&[]).mean_us(), None);
    }

    #[test]
    fn share_above_a_bar_inside_a_bucket_is_a_range() {
        let h = exact(&[(1.0, 50.0), (2.0, 40.0), (4.0, 10.0)]);
        assert_eq!(h.share_above_pct(2.0), Some(Interval::exact(10.0)));
        assert_eq!(h.share_above_pct(1.5), Some(Interval { low: 10.0, high: 50.0 }));
        assert_eq!(h.mean_us(), Some(Interval { low: 0.6, high: 1.7 }));
    }

    #[test]
    fn two_peaks_need_a_valley() {
        let two = exact(&[(1.0, 10.0), (2.0, 60.0), (4.0, 5.0), (8.0, 1.0), (16.0, 24.0)]);
        let peaks = two.peaks();
        assert_eq!(peaks.len(), 2);
        assert_eq!((peaks[0].summit_low_us, peaks[1].summit_low_us), (1.0, 8.0));
        assert!((peaks[0].share_pct + peaks[1].share_pct - 100.0).abs() < 1e-9);
        let one = exact(&[(1.0, 10.0), (2.0, 60.0), (4.0, 30.0), (8.0, 20.0), (16.0, 24.0)]);
        assert_eq!(one.peaks().len(), 1);
    }

    #[test]
    fn merging_keeps_common_bounds_and_all_waits() {
        let fine = exact(&[(1.0, 1.0), (2.0, 2.0), (4.0, 3.0), (f64::INFINITY, 4.0)]);
        let coarse = exact(&[(1.0, 10.0), (f64::INFINITY, 20.0)]);
        let sum = WaitHistogram::merged(&[&fine, &coarse]).unwrap();
        assert_eq!(sum.buckets.iter().map(|b| b.waits).collect::<Vec<_>>(), [11.0, 29.0]);
        assert_eq!(sum.buckets[1].high_us, None);
    }
}
