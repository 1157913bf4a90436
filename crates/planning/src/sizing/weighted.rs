//! Percentiles over intervals of unequal length: what share of the *time* the load was not higher.

/// Values with the seconds that each lasted, ascending.
///
/// Shape: one an interval whose value is known. Source: the weighted percentile is the smallest value
/// that was not exceeded in at least so much of the time; never a value between two that were seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighted {
    /// Value, seconds, which interval.
    sorted: Vec<(f64, f64, usize)>,
    total_s: f64,
}

impl Weighted {
    pub(crate) fn of(values: impl Iterator<Item = (f64, f64, usize)>) -> Self {
        let mut sorted: Vec<_> =
            values.filter(|(v, s, _)| v.is_finite() && s.is_finite() && *s > 0.0).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let total_s = sorted.iter().map(|(_, s, _)| s).sum();
        Self { sorted, total_s }
    }

    /// As [`Weighted::of`], of bytes, each with whether those of the interval are not believed. What no report says
    /// of an interval is no less than nothing, where others say it; what is not believed is in no percentile.
    pub(crate) fn of_bytes(values: impl Iterator<Item = (Option<f64>, f64, usize, bool)> + Clone) -> Self {
        let any = values.clone().any(|(v, ..)| v.is_some());
        let least = |doubted: bool| (any && !doubted).then_some(0.0);
        Self::of(values.filter_map(|(v, s, i, doubted)| Some((v.or_else(|| least(doubted))?, s, i))))
    }

    /// As [`Weighted::of`]; what nothing is enough for stands above every value, as infinity.
    pub(crate) fn or_never(values: impl Iterator<Item = (Option<f64>, f64, usize)>) -> Self {
        let known = values.map(|(v, s, i)| (v.filter(|v| v.is_finite()).unwrap_or(f64::INFINITY), s, i));
        let mut sorted: Vec<_> = known.filter(|(_, s, _)| s.is_finite() && *s > 0.0).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let total_s = sorted.iter().map(|(_, s, _)| s).sum();
        Self { sorted, total_s }
    }

    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        (self.total_s > 0.0).then(|| self.sorted.iter().map(|(v, s, _)| v * s).sum::<f64>() / self.total_s)
    }

    pub(crate) fn max(&self) -> Option<f64> {
        self.sorted.last().map(|(v, ..)| *v)
    }

    /// The value and the interval that stand at a percentile.
    pub(crate) fn at(&self, percentile: f64) -> Option<(f64, usize)> {
        let wanted = percentile / 100.0 * self.total_s;
        // Sums of seconds differ in their last digits by the order of adding.
        let wanted = wanted - 1e-9 * self.total_s;
        let mut so_far = 0.0;
        for (value, seconds, _) in &self.sorted {
            so_far += seconds;
            if so_far >= wanted {
                // Of equal ones the first, as a look-up in a workbook finds it.
                let first = self.sorted.partition_point(|(v, ..)| v < value);
                return Some((*value, self.sorted[first].2));
            }
        }
        self.sorted.last().map(|(v, _, which)| (*v, *which))
    }

    /// Intervals above a value.
    pub(crate) fn beyond(&self, value: f64) -> usize {
        self.sorted.len() - self.sorted.partition_point(|(v, ..)| *v <= value)
    }

    /// Ascending.
    pub(crate) fn values(&self) -> &[(f64, f64, usize)] {
        &self.sorted
    }

    pub(crate) fn total_s(&self) -> f64 {
        self.total_s
    }
}

#[cfg(test)]
mod tests {
    use super::Weighted;
    use proptest::prelude::*;

    proptest! {
        /// Every interval repeated once a second of its length, sorted, and counted off.
        #[test]
        fn percentiles_agree_with_a_direct_computation(
            intervals in prop::collection::vec((0_u32..50, 1_u16..40), 1..60), percentile in 0.0..100.0_f64,
        ) {
            let of = intervals.iter().enumerate().map(|(i, (v, s))| (f64::from(*v), f64::from(*s), i));
            let weighted = Weighted::of(of);
            let mut seconds: Vec<f64> = Vec::new();
            for (v, s) in &intervals {
                seconds.extend(std::iter::repeat_n(f64::from(*v), usize::from(*s)));
            }
            seconds.sort_by(f64::total_cmp);
            let rank = (percentile / 100.0 * seconds.len() as f64 - 1e-6).ceil().max(1.0) as usize;
            let (value, which) = weighted.at(percentile).unwrap_or((f64::NAN, 0));
            prop_assert_eq!(value, seconds[rank - 1]);
            prop_assert_eq!(f64::from(intervals[which].0), value);
            let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
            prop_assert!((weighted.mean().unwrap_or(f64::NAN) - mean).abs() < 1e-9);
            prop_assert_eq!(weighted.beyond(value), intervals.iter().filter(|(v, _)| f64::from(*v) > value).count());
        }
    }
}
