//! What is left of two series once what others explain is taken out, and whether it goes together by more
//! than chance.
//!
//! Intervals that follow each other are alike, so that many of them are few that are independent: a
//! correlation of two such series is wide by the product of their likenesses, summed over the lags
//! (Bartlett 1935). Each likeness is taken a standard error above what is seen, since a short series shows
//! too little of it.

/// Likeness is taken this many of its standard errors above what is seen: ours.
const ABOVE: f64 = 1.0;
/// Neighbours more alike than this are taken as so much alike.
const MOST_ALIKE: f64 = 0.95;
/// Lags that are looked at.
const LAGS: usize = 48;
/// Share of its variance below which nothing is left of a series.
const NOTHING: f64 = 1e-9;

/// Two series in the order of time, without what others explain of them.
pub(super) struct Rests {
    of: [Vec<f64>; 2],
    /// Series that were taken out.
    given: usize,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Rests {
    /// Takes out what both share with others, one after the other (Kendall and Stuart; on ranks). An other that
    /// never changes, or that says what one before it said, takes out nothing more. `None` where they leave
    /// nothing of either.
    pub(super) fn of(a: &[f64], b: &[f64], given: &[Vec<f64>]) -> Option<Self> {
        let mut taken: Vec<Vec<f64>> = Vec::new();
        let without = |of: &[f64], taken: &[Vec<f64>]| {
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            let whole: Vec<f64> = of.iter().map(|v| v - mean).collect();
            let mut rest = whole.clone();
            for t in taken {
                let share = dot(&rest, t) / dot(t, t);
                rest.iter_mut().zip(t).for_each(|(r, t)| *r -= share * t);
            }
            (dot(&rest, &rest) > NOTHING * dot(&whole, &whole)).then_some(rest)
        };
        for one in given {
            if let Some(rest) = without(one, &taken) {
                taken.push(rest);
            }
        }
        Some(Self { of: [without(a, &taken)?, without(b, &taken)?], given: taken.len() })
    }

    /// Correlation of the two.
    pub(super) fn correlation(&self) -> f64 {
        let [a, b] = &self.of;
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    /// Probability of that correlation, or of a higher one, between two that have nothing to do with each other
    /// and whose neighbours are as much alike.
    pub(super) fn p_value(&self) -> f64 {
        let independent = self.of[0].len() as f64 / self.widened_by();
        above_by_chance(self.correlation(), independent - 2.0 - self.given as f64)
    }

    /// Factor by which the likeness of neighbours, in both, widens the variance of the correlation.
    fn widened_by(&self) -> f64 {
        let [a, b] = &self.of;
        let (count, n) = (a.len(), a.len() as f64);
        let likeness = |of: &[f64], lag: usize| {
            let mean_product = dot(of, of.get(lag..).unwrap_or_default()) / (n - lag as f64);
            mean_product / (dot(of, of) / n)
        };
        let taken = |of: &[f64]| {
            let seen = likeness(of, 1);
            // Taken about their own mean, n values show about (1 + 3 r) / n too little.
            let full = seen + (1.0 + 3.0 * seen.max(0.0)) / (n - 1.0);
            let error = ((1.0 - seen * seen).max(0.0) / (n - 1.0)).sqrt();
            (full + ABOVE * error).clamp(0.0, MOST_ALIKE)
        };
        let both = taken(a) * taken(b);
        // As far as both show any.
        let shown = 1.0 / n.sqrt();
        let lags = (1..=(count / 4).min(LAGS))
            .map(|lag| (likeness(a, lag), likeness(b, lag)))
            .take_while(|(a, b)| *a > shown && *b > shown);
        let of_lags = 1.0 + 2.0 * lags.map(|(a, b)| a * b).sum::<f64>();
        ((1.0 + both) / (1.0 - both)).max(of_lags)
    }
}

/// Probability that the correlation of two independent normal series of so many degrees of freedom is at least
/// `r`: its sine is distributed as the power of a cosine. 1 where nothing is left to tell it by.
fn above_by_chance(r: f64, degrees: f64) -> f64 {
    /// Steps of Simpson's rule.
    const STEPS: u32 = 2_000;
    if degrees < 1.0 || !r.is_finite() {
        return 1.0;
    }
    let area = |from: f64| {
        let step = (std::f64::consts::FRAC_PI_2 - from) / f64::from(STEPS);
        let height = |k: u32| (from + f64::from(k) * step).cos().max(0.0).powf(degrees - 1.0);
        let weight = |k: u32| if k == 0 || k == STEPS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        (0..=STEPS).map(|k| weight(k) * height(k)).sum::<f64>() * step / 3.0
    };
    (area(r.clamp(-1.0, 1.0).asin()) / area(-std::f64::consts::FRAC_PI_2)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Rests, above_by_chance};

    /// Noise whose neighbours are alike by `r`.
    fn alike(n: usize, r: f64, state: &mut u64) -> Vec<f64> {
        let mut uniform = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        // Nearly normal.
        let mut normal = || (0..6).map(|_| uniform()).sum::<f64>();
        let mut last = normal();
        (0..n)
            .map(|_| {
                last = r * last + (1.0 - r * r).sqrt() * normal();
                last
            })
            .collect()
    }

    #[test]
    fn what_only_own_load_explains_is_no_neighbour() {
        // Latency and the other's load both follow one's own load, and nothing else.
        let own: Vec<f64> = (0..100).map(f64::from).collect();
        let latency: Vec<f64> = own.iter().map(|o| o + 10.0 * (o * 1.7).sin()).collect();
        let other: Vec<f64> = own.iter().map(|o| o + 10.0 * (o * 2.9).cos()).collect();
        assert!(Rests::of(&latency, &other, &[]).unwrap().correlation() > 0.8);
        let rests = Rests::of(&latency, &other, std::slice::from_ref(&own)).unwrap();
        assert!(rests.correlation().abs() < 0.3);
    }

    /// Against tables of the correlation coefficient: one-sided 5 % and 0.5 %.
    #[test]
    fn probabilities_are_those_of_the_tables() {
        for (degrees, r, p) in
            [(10.0, 0.4973, 0.05), (10.0, 0.7079, 0.005), (30.0, 0.2960, 0.05), (100.0, 0.2540, 0.005)]
        {
            let found = above_by_chance(r, degrees);
            assert!((found / p - 1.0).abs() < 0.01, "{degrees}, {r}: {found}");
        }
        assert!((above_by_chance(0.0, 7.0) - 0.5).abs() < 1e-9);
    }

    /// Of series that have nothing to do with each other no more correlate than is said, however alike their
    /// neighbours are; one that follows the other does.
    #[test]
    fn likeness_of_neighbours_was_taken_for_correlation() {
        let mut state = 5_u64;
        for (n, r) in [(24, 0.0), (24, 0.7), (168, 0.7), (168, 0.9), (168, 0.97)] {
            let by_chance = (0..400)
                .filter(|_| {
                    let (a, b) = (alike(n, r, &mut state), alike(n, r, &mut state));
                    Rests::of(&a, &b, &[]).unwrap().p_value() < 0.05
                })
                .count();
            assert!(by_chance <= 32, "{n} alike by {r}: {by_chance} of 400");
            if n == 168 && r < 0.95 {
                let a = alike(n, r, &mut state);
                let b: Vec<f64> =
                    a.iter().zip(alike(n, r, &mut state)).map(|(a, own)| a + 0.5 * own).collect();
                let p = Rests::of(&a, &b, &[]).unwrap().p_value();
                assert!(p < 0.001, "{n} alike by {r}: {p}");
            }
        }
    }
}
