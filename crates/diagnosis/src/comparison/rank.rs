//! Two samples held against each other by ranks: no assumption on their shape, and one odd hour
//! decides nothing.
//!
//! Sources: Mann and Whitney 1947; Hodges and Lehmann 1963; the exact distribution with ties by
//! counting every way to draw the ranks. Valid for independent intervals; hours that follow each other
//! are alike, which [`inflation`] measures and which widens everything here.

use spindle_facts::Interval;

/// Ranks are counted exactly up to this many values together.
const EXACT: usize = 40;
/// Pairs of consecutive intervals below which their likeness cannot be measured.
const PAIRS: usize = 6;

/// What two samples show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shift {
    /// Hodges-Lehmann: median of all differences, after less before.
    pub(crate) shift: f64,
    /// Interval of that shift.
    pub(crate) interval: Interval,
    /// Confidence that the interval reaches, percent: few values cannot reach 95.
    pub(crate) confidence_pct: f64,
    /// Probability of ranks as uneven as these where nothing changed, both sides.
    pub(crate) p_value: f64,
    /// Share of pairs in which after is larger; equal ones count half.
    pub(crate) superiority: f64,
}

/// Middle ranks, doubled so that they are whole.
fn doubled_ranks(values: &[f64]) -> Vec<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = |v: f64| sorted.partition_point(|o| *o < v) as u64;
    let upto = |v: f64| sorted.partition_point(|o| *o <= v) as u64;
    values.iter().map(|&v| below(v) + upto(v) + 1).collect()
}

/// All differences of two samples, after less before, without a list of them: a year of hours against another
/// has 77 million.
struct Differences {
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Differences {
    fn of(before: &[f64], after: &[f64]) -> Self {
        let sorted = |values: &[f64]| {
            let mut sorted = values.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        Self { before: sorted(before), after: sorted(after) }
    }

    fn len(&self) -> usize {
        self.before.len() * self.after.len()
    }

    /// How many of them are so; `is` holds for small ones and, from some one on, for none.
    fn count(&self, is: impl Fn(f64) -> bool) -> usize {
        // The larger the value after, the larger the one before has to be.
        let mut from = 0;
        let of_one = |after: &f64| {
            while self.before.get(from).is_some_and(|before| !is(after - before)) {
                from += 1;
            }
            self.before.len() - from
        };
        self.after.iter().map(of_one).sum()
    }

    /// The one at a place, from 0, in ascending order: by halving the numbers that there are.
    fn at(&self, place: usize) -> f64 {
        // Bits of numbers in their order.
        let key = |v: f64| {
            let bits = v.to_bits();
            if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
        };
        let value = |key: u64| f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key });
        let (mut low, mut high) = (key(f64::MIN), key(f64::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            let bound = value(middle);
            if self.count(|d| d <= bound) > place { high = middle } else { low = middle + 1 }
        }
        // Nought has two signs.
        value(low) + 0.0
    }
}

/// How many ways of drawing `n` of the ranks give each sum.
fn ways(ranks: &[u64], n: usize) -> Vec<f64> {
    let most: usize = usize::try_from(ranks.iter().sum::<u64>()).unwrap_or(0);
    let mut ways = vec![vec![0.0; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for &rank in ranks {
        let rank = usize::try_from(rank).unwrap_or(0);
        for taken in (1..=n).rev() {
            for sum in (rank..=most).rev() {
                let more = ways[taken - 1][sum - rank];
                if more > 0.0 {
                    ways[taken][sum] += more;
                }
            }
        }
    }
    ways.pop().unwrap_or_default()
}

/// Upper tail of the normal distribution, twice: Abramowitz and Stegun 7.1.26, to 1.5e-7.
pub(crate) fn two_sided(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    (poly * (-x * x).exp()).clamp(0.0, 1.0)
}

/// Two samples; `inflation` is the factor by which the likeness of consecutive intervals widens the
/// variance. `None` where one is empty.
pub(crate) fn shift(before: &[f64], after: &[f64], inflation: f64) -> Option<Shift> {
    let (n, m) = (before.len(), after.len());
    if n == 0 || m == 0 || before.iter().chain(after).any(|v| !v.is_finite()) {
        return None;
    }
    let differences = Differences::of(before, after);
    let pairs = differences.len();
    let median = f64::midpoint(differences.at((pairs - 1) / 2), differences.at(pairs / 2));
    let (lower, upto) = (differences.count(|d| d < 0.0), differences.count(|d| d <= 0.0));
    let wins = (pairs - upto) as f64 + (upto - lower) as f64 / 2.0;
    let all: Vec<f64> = before.iter().chain(after).copied().collect();
    let ranks = doubled_ranks(&all);
    let total = all.len() as f64;
    let expected = n as f64 * m as f64 / 2.0;
    // Variance of the number of wins, with the correction for ties (ranks are doubled: a quarter).
    let mean_rank = total + 1.0;
    let spread: f64 = ranks.iter().map(|r| (*r as f64 - mean_rank).powi(2)).sum::<f64>() / 4.0;
    let variance = if total > 1.0 { n as f64 * m as f64 * spread / (total * (total - 1.0)) } else { 0.0 };
    let by_normal = |variance: f64| {
        if variance <= 0.0 {
            return 1.0;
        }
        two_sided(((wins - expected).abs() - 0.5).max(0.0) / variance.sqrt())
    };
    let exact = all.len() <= EXACT;
    let p_value = if exact {
        let p = exact_p(&ranks, n);
        if inflation > 1.0 { p.max(by_normal(variance * inflation)) } else { p }
    } else {
        by_normal(variance * inflation)
    };
    // The k-th smallest and largest difference bound the shift.
    let (k, confidence_pct) = if exact && inflation <= 1.0 {
        exact_bound(n, m)
    } else {
        let sd = (n as f64 * m as f64 * (total + 1.0) / 12.0 * inflation).sqrt();
        let k = (expected - 1.96 * sd).floor();
        if k >= 1.0 {
            (k as usize, 95.0)
        } else {
            (1, 100.0 * (1.0 - two_sided((expected - 1.0).max(0.0) / sd)))
        }
    };
    let k = k.clamp(1, pairs);
    Some(Shift {
        shift: median,
        interval: Interval::between(differences.at(k - 1), differences.at(pairs - k)),
        confidence_pct,
        p_value,
        superiority: wins / pairs as f64,
    })
}

/// Probability, over all ways to draw the ranks of the first sample, of a sum as far from its mean.
fn exact_p(ranks: &[u64], n: usize) -> f64 {
    let ways = ways(ranks, n);
    let all: f64 = ways.iter().sum();
    let seen = ranks[..n].iter().sum::<u64>() as f64;
    let mean = n as f64 * (ranks.len() as f64 + 1.0);
    let far = (seen - mean).abs() - 1e-9;
    let tail: f64 =
        ways.iter().enumerate().filter(|(sum, _)| (*sum as f64 - mean).abs() >= far).map(|(_, w)| w).sum();
    if all > 0.0 { (tail / all).min(1.0) } else { 1.0 }
}

/// Which difference from either end bounds the shift at 95 %, and what is reached where that cannot be.
fn exact_bound(n: usize, m: usize) -> (usize, f64) {
    let ranks: Vec<u64> = (1..=(n + m) as u64).collect();
    let ways = ways(&ranks, n);
    let all: f64 = ways.iter().sum();
    let least = n * (n + 1) / 2;
    let mut tail = 0.0;
    let mut best = (1, 0.0);
    for (k, &w) in ways.iter().skip(least).take(n * m / 2 + 1).enumerate() {
        tail += w;
        let confidence = 100.0 * (1.0 - 2.0 * tail / all).max(0.0);
        if k == 0 || confidence >= 95.0 {
            best = (k + 1, confidence);
        }
    }
    best
}

/// Factor by which the likeness of consecutive values widens the variance of their mean: with a
/// correlation r from one to the next, `(1 + r) / (1 - r)`.
///
/// `runs` are stretches of consecutive intervals. `None` where there are too few pairs to tell. The
/// correlation is taken about the mean of each run's side and corrected for the shortness of the runs
/// (a run of n values shows about `(1 + 3 r) / n` too little); what is negative is taken as none, what
/// is above 0.9 as 0.9.
pub(crate) fn inflation(runs: &[Vec<f64>]) -> Option<f64> {
    let (mut product, mut square, mut pairs, mut values) = (0.0, 0.0, 0usize, 0usize);
    for run in runs {
        let mean = run.iter().sum::<f64>() / run.len().max(1) as f64;
        for pair in run.windows(2) {
            product += (pair[0] - mean) * (pair[1] - mean);
            pairs += 1;
        }
        square += run.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        values += run.len();
    }
    if pairs < PAIRS || square <= 0.0 {
        return None;
    }
    let r = (product / pairs as f64) / (square / values as f64);
    let r = (r + (1.0 + 3.0 * r.max(0.0)) / pairs as f64).clamp(0.0, 0.9);
    Some((1.0 + r) / (1.0 - r))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn four_against_four_that_do_not_overlap() {
        let s = shift(&[1.0, 2.0, 3.0, 4.0], &[11.0, 12.0, 13.0, 14.0], 1.0).unwrap();
        // 2 of the 70 ways to draw four ranks of eight are as uneven.
        assert!((s.p_value - 2.0 / 70.0).abs() < 1e-12);
        assert_eq!((s.shift, s.superiority), (10.0, 1.0));
        assert!(s.interval.low > 0.0 && s.confidence_pct >= 95.0);
        let back = shift(&[11.0, 12.0, 13.0, 14.0], &[1.0, 2.0, 3.0, 4.0], 1.0).unwrap();
        assert_eq!((back.shift, back.p_value), (-10.0, s.p_value));
        assert_eq!((back.interval.low, back.interval.high), (-s.interval.high, -s.interval.low));
    }

    #[test]
    fn a_year_of_hours_on_both_sides_listed_every_difference() {
        // Against the list of them, with ties, signs and nought.
        let mut seed = 7_u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % 41) as f64 * 0.37 - 5.0
        };
        for (n, m) in [(1, 1), (1, 9), (8, 5), (30, 41), (64, 64)] {
            let (before, after): (Vec<f64>, Vec<f64>) =
                ((0..n).map(|_| next()).collect(), (0..m).map(|_| next()).collect());
            let mut all: Vec<f64> = after.iter().flat_map(|a| before.iter().map(move |b| a - b)).collect();
            all.sort_by(f64::total_cmp);
            let differences = Differences::of(&before, &after);
            let found: Vec<f64> = (0..all.len()).map(|place| differences.at(place)).collect();
            assert_eq!(found, all);
            assert_eq!(differences.count(|d| d < 0.0), all.iter().filter(|d| **d < 0.0).count());
        }
        let many: Vec<f64> = (0..20_000).map(f64::from).collect();
        let later: Vec<f64> = many.iter().map(|v| v + 3.0).collect();
        assert_eq!(shift(&many, &later, 1.0).unwrap().shift, 3.0);
    }

    #[test]
    fn three_against_three_cannot_reach_95_percent() {
        let s = shift(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 1.0).unwrap();
        assert!((s.p_value - 0.1).abs() < 1e-12);
        assert!((s.confidence_pct - 90.0).abs() < 1e-9);
    }

    #[test]
    fn ties_are_counted_and_not_guessed() {
        let s = shift(&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0], 1.0).unwrap();
        assert_eq!((s.p_value, s.shift, s.superiority), (1.0, 0.0, 0.5));
        // 1 1 2 against 2 3 3: of 20 draws, 2 give a sum so low and 2 one so high; ties share their rank.
        let s = shift(&[1.0, 1.0, 2.0], &[2.0, 3.0, 3.0], 1.0).unwrap();
        assert!((s.p_value - 4.0 / 20.0).abs() < 1e-12, "{}", s.p_value);
    }

    #[test]
    fn the_published_table_of_critical_values_comes_out() {
        // Two-sided 5 %: U of 2 for 5 and 5, 23 for 10 and 10 (Mann-Whitney tables); k is U + 1.
        assert_eq!(exact_bound(5, 5).0, 3);
        assert_eq!(exact_bound(10, 10).0, 24);
    }

    #[test]
    fn likeness_of_hours_widens() {
        let run: Vec<f64> = (0..48).map(|h| if h % 24 < 12 { 1.0 } else { 5.0 }).collect();
        assert!(inflation(&[run]).unwrap() > 5.0);
        let run: Vec<f64> = (0..48).map(|h| if h % 2 == 0 { 1.0 } else { 5.0 }).collect();
        assert_eq!(inflation(&[run]), Some(1.0));
        assert_eq!(inflation(&[vec![1.0, 2.0, 3.0]]), None, "too few to tell");
        let (b, a): (Vec<f64>, Vec<f64>) =
            ((0..8).map(f64::from).collect(), (4..12).map(f64::from).collect());
        let (alone, wide) = (shift(&b, &a, 1.0).unwrap(), shift(&b, &a, 4.0).unwrap());
        assert!(wide.p_value > alone.p_value);
        assert!(wide.interval.low < alone.interval.low && wide.interval.high > alone.interval.high);
    }
}
