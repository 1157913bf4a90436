//! The date and the size of changes in a series of one to three days.
//!
//! No hour has a usual level there, and each has one partner: the same hour of the day before. A change of level
//! lies between the two of a pair or does not, so the differences of the pairs date it and size it, whatever the
//! hours of the day do to both: a morning that climbs is in neither. Which date makes the differences smallest is
//! chosen by their sum; where another one makes them about as small, both are said.

use super::noise::median;
use std::ops::Range;

/// More changes than this are not fitted.
const MOST: usize = 3;
/// What fewer changes leave of the differences may be so many times what all that were found leave, for each that is
/// fewer: a change more always fits a little better.
const AS_WELL: f64 = 1.1;
/// Dates whose fit is worse by less than this, in logarithms of likelihood (of differences whose sizes fall off
/// exponentially), are not told apart: 1 in 20.
const DECIDES: f64 = 3.0;
/// Another date lies at least so far off, seconds and intervals.
const OTHER_S: i64 = 2 * 3_600;
const OTHER: usize = 3;
/// Rounds in which changes are fitted beside each other.
const ROUNDS: usize = 4;

/// A change with its date.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dated {
    /// First interval after it.
    pub(super) cut: usize,
    pub(super) before: f64,
    pub(super) after: f64,
    /// Another first interval that would leave about as much.
    pub(super) or: Option<usize>,
    /// Growth from day to day without any step would leave about as much.
    pub(super) steady: bool,
}

/// Intervals that have their hour in the day before.
pub(super) struct Pairs<'a> {
    times: &'a [Option<i64>],
    values: &'a [f64],
    heights: &'a [f64],
    /// Later and earlier one.
    of: Vec<(usize, usize)>,
    /// Fewest pairs that a change lies between.
    least: usize,
}

struct Fit {
    cuts: Vec<usize>,
    sizes: Vec<f64>,
    /// Sum of what is left.
    left: f64,
}

/// Does a change lie between the two of a pair, the later and the earlier one?
fn lies_between(cut: usize, (later, earlier): (usize, usize)) -> bool {
    earlier < cut && cut <= later
}

fn sum(of: &[f64]) -> f64 {
    of.iter().map(|v| v.abs()).sum()
}

impl<'a> Pairs<'a> {
    /// `partner` is the same hour of the day before.
    pub(super) fn of(
        times: &'a [Option<i64>],
        values: &'a [f64],
        heights: &'a [f64],
        partner: impl Fn(usize) -> Option<usize>,
        least: usize,
    ) -> Self {
        let of = (0..values.len()).filter_map(|i| Some((i, partner(i).filter(|j| *j < i)?))).collect();
        Self { times, values, heights, of, least }
    }

    fn differences(&self) -> Vec<f64> {
        self.of.iter().map(|(later, earlier)| self.heights[*later] - self.heights[*earlier]).collect()
    }

    /// The best size of a change at a cut, and what it leaves of these differences.
    fn at(&self, cut: usize, rests: &[f64]) -> Option<(f64, f64)> {
        let (mut held, mut left) = (Vec::new(), 0.0);
        for (pair, rest) in self.of.iter().zip(rests) {
            if lies_between(cut, *pair) { held.push(*rest) } else { left += rest.abs() }
        }
        (held.len() >= self.least).then(|| {
            let size = median(&held);
            (size, left + held.iter().map(|rest| (rest - size).abs()).sum::<f64>())
        })
    }

    fn cuts(&self) -> Range<usize> {
        1..self.values.len()
    }

    /// The cut that leaves least of these differences.
    fn best(&self, rests: &[f64]) -> Option<(usize, f64, f64)> {
        let all = self.cuts().filter_map(|cut| self.at(cut, rests).map(|(size, left)| (cut, size, left)));
        all.reduce(|a, b| if b.2 < a.2 - 1e-12 { b } else { a })
    }

    /// What is left of the differences without these changes.
    fn without(&self, cuts: &[usize], sizes: &[f64], but: Option<usize>) -> Vec<f64> {
        let mut rests = self.differences();
        for (n, (cut, size)) in cuts.iter().zip(sizes).enumerate() {
            let of_cut = self.of.iter().zip(&mut rests).filter(|(pair, _)| lies_between(*cut, **pair));
            of_cut.filter(|_| Some(n) != but).for_each(|(_, rest)| *rest -= size);
        }
        rests
    }

    /// Sizes of changes at these cuts, and, where they may move, better cuts.
    fn fitted(&self, mut cuts: Vec<usize>, may_move: bool) -> Fit {
        let mut sizes = vec![0.0; cuts.len()];
        for _ in 0..ROUNDS {
            for n in 0..cuts.len() {
                let rests = self.without(&cuts, &sizes, Some(n));
                if may_move && let Some((cut, size, _)) = self.best(&rests) {
                    (cuts[n], sizes[n]) = (cut, size);
                } else if let Some((size, _)) = self.at(cuts[n], &rests) {
                    sizes[n] = size;
                }
            }
        }
        let left = sum(&self.without(&cuts, &sizes, None));
        Fit { cuts, sizes, left }
    }

    /// The fewest changes that leave about as little as all that were found do.
    fn fewest(&self, found: &[usize]) -> Option<Fit> {
        let all = self.fitted(found.to_vec(), false);
        let mut fit = self.fitted(Vec::new(), true);
        for fewer in (0..found.len()).rev().take(MOST) {
            let rests = self.without(&fit.cuts, &fit.sizes, None);
            let mut cuts = fit.cuts;
            cuts.push(self.best(&rests)?.0);
            fit = self.fitted(cuts, true);
            let fewer = i32::try_from(fewer.max(1)).unwrap_or(i32::MAX);
            if fit.left <= AS_WELL.powi(fewer) * all.left + 1e-12 {
                return Some(fit);
            }
        }
        None
    }

    /// Changes dated anew; `None` where the differences of the days do not tell them.
    pub(super) fn dated(&self, found: &[usize]) -> Option<Vec<Dated>> {
        let fit = self.fewest(found)?;
        let mut order: Vec<usize> = (0..fit.cuts.len()).collect();
        order.sort_by_key(|n| fit.cuts[*n]);
        let typical = fit.left / self.of.len().max(1) as f64;
        let dated = order.into_iter().map(|n| {
            let rests = self.without(&fit.cuts, &fit.sizes, Some(n));
            // How much worse a fit is, in logarithms of likelihood.
            let worse = |left: f64| {
                let more = (left - fit.left).max(0.0);
                if more <= 1e-9 { 0.0 } else { more / typical }
            };
            let as_good: Vec<(usize, f64)> = self
                .cuts()
                .filter_map(|cut| Some((cut, worse(self.at(cut, &rests)?.1))))
                .filter(|(_, worse)| *worse < DECIDES)
                .collect();
            // Of dates that leave the same, the one that the values themselves change at.
            let same = |cut: usize| as_good.iter().any(|(c, worse)| *c == cut && *worse <= 0.0);
            let own = fit.cuts[n];
            let cut = found.iter().copied().filter(|c| same(*c)).min_by_key(|c| c.abs_diff(own));
            let cut = cut.unwrap_or(own);
            let far = |c: usize| {
                let apart = self.times[c].zip(self.times[cut]).map_or(0, |(a, b)| (a - b).abs());
                c.abs_diff(cut) >= OTHER && apart > OTHER_S
            };
            let or = as_good
                .iter()
                .filter(|(c, _)| far(*c))
                .min_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.abs_diff(cut).cmp(&a.0.abs_diff(cut))));
            let growth = median(&rests);
            let grown: Vec<f64> = rests.iter().map(|rest| rest - growth).collect();
            let (size, _) = self.at(cut, &rests)?;
            let held = || self.of.iter().copied().filter(|pair| lies_between(cut, *pair));
            let before = median(&held().map(|(_, earlier)| self.values[earlier]).collect::<Vec<_>>());
            let after = median(&held().map(|(later, _)| self.values[later]).collect::<Vec<_>>());
            let ratios = self.values.iter().all(|v| *v > 0.0);
            Some(Dated {
                cut,
                before,
                after: if ratios { before * size.exp() } else { after },
                or: or.map(|o| o.0),
                steady: fit.cuts.len() == 1 && worse(sum(&grown)) < DECIDES,
            })
        });
        dated.collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::comparison::trend::tests::noise;

    /// Half hours of a daily cycle of a third, doubled by night and day alike from one on.
    fn series(n: usize, from: usize, seed: u64) -> (Vec<Option<i64>>, Vec<f64>) {
        let times = (0..n).map(|i| Some(4 * 86_400 + 1_800 * i64::try_from(i).unwrap())).collect();
        let of = |(i, e): (usize, &f64)| {
            let hour = i as f64 / 2.0;
            let day = 1.0 + 0.5 * ((hour - 8.0) / 24.0 * std::f64::consts::TAU).sin();
            day * (0.1 * e).exp() * if i < from { 1.0 } else { 1.5 }
        };
        (times, noise(n, 0.0, seed).iter().enumerate().map(of).collect())
    }

    fn dated(n: usize, from: usize, found: &[usize], seed: u64) -> Vec<Dated> {
        let (times, values) = series(n, from, seed);
        let heights: Vec<f64> = values.iter().map(|v| v.ln()).collect();
        let pairs = Pairs::of(&times, &values, &heights, |i| i.checked_sub(48), 4);
        pairs.dated(found).unwrap()
    }

    #[test]
    fn a_change_at_midnight_was_dated_to_the_morning_climb() {
        let mut wrong = 0;
        for seed in 0..20 {
            // Found at the climbs of both days, and not at midnight.
            for found in [vec![15], vec![15, 62], vec![15, 48, 62]] {
                let dated = dated(96, 48, &found, seed);
                let right = |d: &Dated| d.cut.abs_diff(48) <= 1 && (d.after / d.before - 1.5).abs() < 0.15;
                wrong += usize::from(!matches!(dated.as_slice(), [one] if right(one)));
            }
        }
        assert!(wrong <= 3, "{wrong} of 60");
        // In the morning itself the level differs from the day before from there on alone.
        assert!(dated(96, 62, &[60], 3)[0].cut.abs_diff(62) <= 1);
        assert!(dated(96, 20, &[20], 3)[0].cut.abs_diff(20) <= 1);
    }

    #[test]
    fn one_of_two_dates_that_tell_the_same_was_given_alone() {
        // A day and a half: whether it was the noon or the midnight between is in no pair.
        let of = dated(72, 40, &[40], 5);
        assert!(of[0].or.is_some(), "{of:?}");
        // A step inside of the pairs has one date, and growth does not look like it.
        let of = dated(96, 70, &[70], 5);
        assert!(of[0].or.is_none() && !of[0].steady, "{of:?}");
        // At the border of two days every pair has changed: growth from day to day looks the same.
        assert!(dated(96, 48, &[48], 5)[0].steady);
    }
}
