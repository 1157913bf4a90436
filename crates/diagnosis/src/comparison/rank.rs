//! Two samples held against each other: by ranks within the hours that they share, and by size.
//!
//! By ranks: how often the later of two intervals of the same hour is the larger one (Mann and Whitney within
//! strata), so that neither the shape of the values nor one odd hour decides, and a cycle that both sides
//! have is in none of the pairs. By size: the median of those differences over its standard error, for
//! samples so short, or so much alike, that ranks show nothing. Both allow for the likeness of neighbours
//! (`noise`).
//!
//! Sources: Mann and Whitney 1947; van Elteren 1960; Hodges and Lehmann 1963; the exact distribution with
//! ties by counting every way to draw the ranks.

use super::noise::{Noise, height};
use spindle_facts::Interval;

/// Ranks are counted exactly up to this many values of an hour, and of all hours.
const EXACT: (usize, usize) = (40, 200);
/// Student's distribution of three degrees of freedom, 95 %: the spread of so few is known badly.
const QUANTILE: f64 = 3.182;

/// Both sides of the normal distribution, 95 %.
const NORMAL: f64 = 1.959_964;

/// Below this a change is shown, and 0 is outside of the interval of size.
const DECISIVE: f64 = 0.05;

/// What two samples show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shift {
    /// Hodges-Lehmann: median of all differences of intervals of the same hour, after less before. Of the means where
    /// values tie (`by_means`).
    pub(crate) shift: f64,
    /// Interval of that shift.
    pub(crate) interval: Interval,
    /// Confidence that the interval reaches, percent: few values cannot reach 95.
    pub(crate) confidence_pct: f64,
    /// Probability of sides so different where nothing changed, both ways.
    pub(crate) p_value: f64,
    /// Share of pairs in which after is larger; equal ones count half.
    pub(crate) superiority: f64,
    /// The shift is the difference of means: ties leave the median of the differences no size of its own.
    pub(crate) by_means: bool,
    /// Least probability that ranks of so many intervals can show.
    pub(crate) least_p: f64,
    /// The same of intervals as alike as these are.
    pub(crate) most_p: f64,
}

/// Values of both sides that are held against each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stratum {
    pub(crate) before: Vec<f64>,
    pub(crate) after: Vec<f64>,
}

impl Stratum {
    fn pairs(&self) -> f64 {
        self.before.len() as f64 * self.after.len() as f64
    }

    fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Middle ranks, doubled so that they are whole; those before come first.
    fn doubled_ranks(&self) -> Vec<u64> {
        let mut sorted: Vec<f64> = self.before.iter().chain(&self.after).copied().collect();
        sorted.sort_by(f64::total_cmp);
        let below = |v: f64| sorted.partition_point(|o| *o < v) as u64;
        let upto = |v: f64| sorted.partition_point(|o| *o <= v) as u64;
        self.before.iter().chain(&self.after).map(|&v| below(v) + upto(v) + 1).collect()
    }
}

/// All differences of values of the same stratum, after less before, without a list of them: a year of hours
/// against another has 77 million.
struct Differences {
    /// Each sorted.
    strata: Vec<Stratum>,
}

impl Differences {
    fn of(strata: &[Stratum]) -> Self {
        let mut strata = strata.to_vec();
        for stratum in &mut strata {
            stratum.before.sort_by(f64::total_cmp);
            stratum.after.sort_by(f64::total_cmp);
        }
        Self { strata }
    }

    fn len(&self) -> usize {
        self.strata.iter().map(|s| s.before.len() * s.after.len()).sum()
    }

    /// How many of them are so; `is` holds for small ones and, from some one on, for none.
    fn count(&self, is: impl Fn(f64) -> bool) -> usize {
        let of_stratum = |stratum: &Stratum| -> usize {
            // The larger the value after, the larger the one before has to be.
            let mut from = 0;
            let of_one = |after: &f64| {
                while stratum.before.get(from).is_some_and(|before| !is(after - before)) {
                    from += 1;
                }
                stratum.before.len() - from
            };
            stratum.after.iter().map(of_one).sum()
        };
        self.strata.iter().map(of_stratum).sum()
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

/// Shares of all ways to draw each stratum's ranks by the sum over all strata, each from its least sum on.
fn shares(strata: impl Iterator<Item = (Vec<u64>, usize)>) -> Vec<f64> {
    let mut shares = vec![1.0];
    for (ranks, n) in strata {
        let ways = ways(&ranks, n);
        let all: f64 = ways.iter().sum();
        let mut both = vec![0.0; shares.len() + ways.len() - 1];
        for (at, way) in ways.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            for (sum, share) in shares.iter().enumerate() {
                both[sum + at] += share * way / all;
            }
        }
        shares = both;
    }
    shares
}

/// Both tails of the normal distribution: Abramowitz and Stegun 7.1.26, to 1.5e-7.
pub(crate) fn two_sided(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    (poly * (-x * x).exp()).clamp(0.0, 1.0)
}

/// Both tails of Student's distribution of three degrees of freedom.
fn of_three(t: f64) -> f64 {
    let x = t.abs() / 3f64.sqrt();
    (1.0 - std::f64::consts::FRAC_2_PI * (x.atan() + x / (1.0 + x * x))).clamp(0.0, 1.0)
}

/// Two samples in their strata. `None` where no stratum has both sides.
pub(crate) fn shift(strata: &[Stratum], noise: Noise) -> Option<Shift> {
    let strata: Vec<Stratum> = strata.iter().filter(|s| s.pairs() > 0.0).cloned().collect();
    let finite = |s: &Stratum| s.before.iter().chain(&s.after).all(|v| v.is_finite());
    if strata.is_empty() || !strata.iter().all(finite) {
        return None;
    }
    let differences = Differences::of(&strata);
    let pairs = differences.len();
    let median = f64::midpoint(differences.at((pairs - 1) / 2), differences.at(pairs / 2));
    let (lower, upto) = (differences.count(|d| d < 0.0), differences.count(|d| d <= 0.0));
    let wins = (pairs - upto) as f64 + (upto - lower) as f64 / 2.0;
    let expected = pairs as f64 / 2.0;
    let inflation = noise.inflation.unwrap_or(1.0);
    let ranks: Vec<Vec<u64>> = strata.iter().map(Stratum::doubled_ranks).collect();
    // Variance of the number of wins, with the correction for ties (ranks are doubled: a quarter).
    let variance: f64 = strata
        .iter()
        .zip(&ranks)
        .map(|(stratum, ranks)| {
            let total = stratum.len() as f64;
            let spread: f64 = ranks.iter().map(|r| (*r as f64 - (total + 1.0)).powi(2)).sum::<f64>() / 4.0;
            stratum.pairs() * spread / (total * (total - 1.0)).max(1.0)
        })
        .sum();
    let by_normal = |variance: f64| {
        if variance <= 0.0 {
            1.0
        } else {
            two_sided(((wins - expected).abs() - 0.5).max(0.0) / variance.sqrt())
        }
    };
    let exact = strata.iter().all(|s| s.len() <= EXACT.0)
        && strata.iter().map(Stratum::len).sum::<usize>() <= EXACT.1;
    let by_ranks = if exact {
        let p = exact_p(&strata, &ranks);
        if inflation > 1.0 { p.max(by_normal(variance * inflation)) } else { p }
    } else {
        by_normal(variance * inflation)
    };
    // The k-th smallest and largest difference bound the shift.
    let (k, confidence_pct) = if exact && inflation <= 1.0 {
        exact_bound(&strata)
    } else {
        let variance: f64 = strata.iter().map(|s| s.pairs() * (s.len() as f64 + 1.0) / 12.0).sum();
        let sd = (variance * inflation).sqrt();
        // To the whole number that the test has: it leaves 0 out where the test shows a change, and only there.
        let k = (expected - NORMAL * sd + 0.5).floor();
        if k >= 1.0 {
            (k as usize, 95.0)
        } else {
            (1, 100.0 * (1.0 - two_sided((expected - 1.0).max(0.0) / sd)))
        }
    };
    let k = k.clamp(1, pairs);
    let mut found = Shift {
        shift: median,
        interval: Interval::between(differences.at(k - 1), differences.at(pairs - k)),
        confidence_pct,
        p_value: by_ranks,
        superiority: wins / pairs as f64,
        by_means: false,
        least_p: least_p(&strata),
        most_p: if inflation > 1.0 && variance > 0.0 {
            two_sided((expected - 0.5).max(0.0) / (variance * inflation).sqrt()).max(least_p(&strata))
        } else {
            least_p(&strata)
        },
    };
    let sides = |of: fn(&Stratum) -> usize| strata.iter().map(of).sum::<usize>() as f64;
    let (n, m) = (sides(|s| s.before.len()), sides(|s| s.after.len()));
    let error = noise.spread * ((inflation / n).min(1.0) + (inflation / m).min(1.0)).sqrt();
    let errors = step(&strata) / error;
    // By size only where ranks cannot show what it shows.
    let decisive = |errors: f64| errors.abs() > QUANTILE && of_three(errors) < DECISIVE;
    if noise.inflation.is_some()
        && error > 0.0
        && by_ranks >= DECISIVE
        && decisive(errors)
        && errors * median > 0.0
    {
        found.p_value = of_three(errors).max(found.least_p);
        let slack = median.abs() * QUANTILE / errors.abs();
        found.interval = Interval::between(median - slack, median + slack);
        found.confidence_pct = 95.0;
    }
    // Ranks that go one way for certain while the median of the differences may be 0: so many of them are 0. What is
    // shown then has to be shown of the means, and its size is theirs.
    if found.p_value < DECISIVE && found.interval.low <= 0.0 && found.interval.high >= 0.0 {
        let means = means(&strata, inflation, found.superiority);
        found.p_value = found.p_value.max(means.p_value);
        if found.p_value < DECISIVE {
            (found.shift, found.interval) = (means.shift, means.interval);
            (found.confidence_pct, found.by_means) = (95.0, true);
        }
    }
    Some(found)
}

/// Difference of the means of two samples.
struct Means {
    shift: f64,
    interval: Interval,
    p_value: f64,
}

/// Means within strata, each weighted by what its two sides tell together; the spread is that about the mean of
/// each side of a stratum, or of the differences where a stratum has one value a side.
fn means(strata: &[Stratum], inflation: f64, superiority: f64) -> Means {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let weight = |s: &Stratum| s.pairs() / s.len().max(1) as f64;
    let weights: f64 = strata.iter().map(weight).sum();
    let own = |s: &Stratum| mean(&s.after) - mean(&s.before);
    let shift = strata.iter().map(|s| weight(s) * own(s)).sum::<f64>() / weights;
    let about = |values: &[f64]| {
        let middle = mean(values);
        values.iter().map(|v| (v - middle).powi(2)).sum::<f64>()
    };
    let single = strata.iter().all(|s| s.before.len() < 2 || s.after.len() < 2);
    let variance = if single && strata.len() > 1 {
        let n = strata.len() as f64;
        strata.iter().map(|s| (weight(s) / weights * (own(s) - shift)).powi(2)).sum::<f64>() * n / (n - 1.0)
    } else {
        // Each side has its own spread: one that is all of one value has none.
        let of = |side: fn(&Stratum) -> &Vec<f64>| -> (f64, f64) {
            let squares: f64 = strata.iter().map(|s| about(side(s))).sum();
            let free: f64 = strata.iter().map(|s| side(s).len() as f64 - 1.0).sum();
            (if free > 0.0 { squares / free } else { f64::INFINITY }, free)
        };
        let (before, after) = (of(|s| &s.before).0, of(|s| &s.after).0);
        let error = |s: &Stratum| {
            (weight(s) / weights).powi(2)
                * (before / s.before.len().max(1) as f64 + after / s.after.len().max(1) as f64)
        };
        strata.iter().map(error).sum()
    };
    let error = (variance * inflation).sqrt();
    let slack = QUANTILE * error;
    let errors = shift / error;
    // Means that go the other way than the ranks show nothing.
    let one_way = shift * (superiority - 0.5) > 0.0;
    let p_value = if one_way { of_three(errors) } else { 1.0 };
    Means { shift, interval: Interval::between(shift - slack, shift + slack), p_value }
}

/// Median difference of the heights.
fn step(strata: &[Stratum]) -> f64 {
    let positive = strata.iter().all(|s| s.before.iter().chain(&s.after).all(|v| *v > 0.0));
    let of = |values: &[f64]| values.iter().map(|v| height(*v, positive)).collect();
    let strata: Vec<Stratum> =
        strata.iter().map(|s| Stratum { before: of(&s.before), after: of(&s.after) }).collect();
    let differences = Differences::of(&strata);
    let pairs = differences.len();
    f64::midpoint(differences.at((pairs - 1) / 2), differences.at(pairs / 2))
}

/// Ranks as uneven as can be: one of all ways to draw them, and its mirror.
pub(crate) fn least_p(strata: &[Stratum]) -> f64 {
    let draws = |s: &Stratum| {
        let (n, all) = (s.before.len().min(s.after.len()), s.len());
        (0..n).fold(1.0, |c, i| c * (all - i) as f64 / (i + 1) as f64)
    };
    (2.0 / strata.iter().map(draws).product::<f64>()).min(1.0)
}

/// Probability, over all ways to draw the ranks before, of a sum as far from its mean.
fn exact_p(strata: &[Stratum], ranks: &[Vec<u64>]) -> f64 {
    let shares = shares(strata.iter().zip(ranks).map(|(s, ranks)| (ranks.clone(), s.before.len())));
    let of_before = |(s, ranks): (&Stratum, &Vec<u64>)| ranks[..s.before.len()].iter().sum::<u64>();
    let seen = strata.iter().zip(ranks).map(of_before).sum::<u64>() as f64;
    let mean: f64 = strata.iter().map(|s| s.before.len() as f64 * (s.len() as f64 + 1.0)).sum();
    let far = (seen - mean).abs() - 1e-9;
    let tail: f64 =
        shares.iter().enumerate().filter(|(sum, _)| (*sum as f64 - mean).abs() >= far).map(|(_, s)| s).sum();
    tail.min(1.0)
}

/// Which difference from either end bounds the shift at 95 %, and what is reached where that cannot be.
fn exact_bound(strata: &[Stratum]) -> (usize, f64) {
    let of = |s: &Stratum| ((1..=s.len() as u64).collect(), s.before.len());
    let shares = shares(strata.iter().map(of));
    let least: usize = strata.iter().map(|s| s.before.len() * (s.before.len() + 1) / 2).sum();
    let pairs: usize = strata.iter().map(|s| s.before.len() * s.after.len()).sum();
    let mut tail = 0.0;
    let mut best = (1, 0.0);
    for (k, share) in shares.iter().skip(least).take(pairs / 2 + 1).enumerate() {
        tail += share;
        let confidence = 100.0 * (1.0 - 2.0 * tail).max(0.0);
        if k == 0 || confidence >= 95.0 {
            best = (k + 1, confidence);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Taken as independent, in one stratum.
    fn apart(before: &[f64], after: &[f64]) -> Shift {
        let stratum = Stratum { before: before.to_vec(), after: after.to_vec() };
        shift(&[stratum], Noise { inflation: None, spread: f64::NAN, usual: f64::NAN }).unwrap()
    }

    fn stratum(before: &[f64], after: &[f64]) -> Stratum {
        Stratum { before: before.to_vec(), after: after.to_vec() }
    }

    #[test]
    fn four_against_four_that_do_not_overlap() {
        let s = apart(&[1.0, 2.0, 3.0, 4.0], &[11.0, 12.0, 13.0, 14.0]);
        // 2 of the 70 ways to draw four ranks of eight are as uneven.
        assert!((s.p_value - 2.0 / 70.0).abs() < 1e-12);
        assert_eq!((s.shift, s.superiority), (10.0, 1.0));
        assert!(s.interval.low > 0.0 && s.confidence_pct >= 95.0);
        let back = apart(&[11.0, 12.0, 13.0, 14.0], &[1.0, 2.0, 3.0, 4.0]);
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
            let differences = Differences::of(&[stratum(&before, &after)]);
            let found: Vec<f64> = (0..all.len()).map(|place| differences.at(place)).collect();
            assert_eq!(found, all);
            assert_eq!(differences.count(|d| d < 0.0), all.iter().filter(|d| **d < 0.0).count());
        }
        let many: Vec<f64> = (0..20_000).map(f64::from).collect();
        let later: Vec<f64> = many.iter().map(|v| v + 3.0).collect();
        assert_eq!(apart(&many, &later).shift, 3.0);
    }

    #[test]
    fn three_against_three_cannot_reach_95_percent() {
        let s = apart(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
        assert!((s.p_value - 0.1).abs() < 1e-12);
        assert!((s.confidence_pct - 90.0).abs() < 1e-9);
    }

    #[test]
    fn ties_are_counted_and_not_guessed() {
        let s = apart(&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0]);
        assert_eq!((s.p_value, s.shift, s.superiority), (1.0, 0.0, 0.5));
        // 1 1 2 against 2 3 3: of 20 draws, 2 give a sum so low and 2 one so high; ties share their rank.
        let s = apart(&[1.0, 1.0, 2.0], &[2.0, 3.0, 3.0]);
        assert!((s.p_value - 4.0 / 20.0).abs() < 1e-12, "{}", s.p_value);
    }

    #[test]
    fn the_published_table_of_critical_values_comes_out() {
        // Two-sided 5 %: U of 2 for 5 and 5, 23 for 10 and 10 (Mann-Whitney tables); k is U + 1.
        assert_eq!(exact_bound(&[stratum(&[0.0; 5], &[0.0; 5])]).0, 3);
        assert_eq!(exact_bound(&[stratum(&[0.0; 10], &[0.0; 10])]).0, 24);
    }

    #[test]
    fn pairs_of_one_hour_are_a_sign_test() {
        // 7 hours, each lower after: 2 of 128.
        let hours: Vec<Stratum> = (0..7).map(|h| stratum(&[8.0 * f64::from(h + 1)], &[3.0])).collect();
        let hours = &hours[..];
        let s = shift(hours, Noise { inflation: Some(1.0), spread: 0.0, usual: 0.0 }).unwrap();
        assert!((s.p_value - 2.0 / 128.0).abs() < 1e-12 && s.superiority == 0.0, "{s:?}");
        assert!((s.least_p - s.p_value).abs() < 1e-12 && s.interval.high < 0.0);
    }
}
