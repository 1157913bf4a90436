//! How late answers left, against the time at which the device was done.

/// How late answers left.
///
/// Shape: one an emulation; counts of answers by powers of two. Unit: microseconds from the time that the
/// device said to the time at which the answer was handed to the kernel. Missing: `None` of every figure
/// before the first answer. Source: a clock read at each answer; the way from the kernel to the program
/// that asked, some tens of microseconds, is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// Answers below 2^n microseconds late, and not below 2^(n-1).
    counts: [u64; 32],
}

impl Lateness {
    #[cfg(target_os = "linux")]
    pub(crate) fn count(&mut self, late: std::time::Duration) {
        let us = u64::try_from(late.as_micros()).unwrap_or(u64::MAX);
        let class = (64 - us.leading_zeros() as usize).min(self.counts.len() - 1);
        self.counts[class] += 1;
    }

    /// Answers.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// So many microseconds that this share of answers (0 to 1) was less late: a power of two.
    #[must_use]
    pub fn below_us(&self, share: f64) -> Option<u64> {
        let answers = self.answers();
        let wanted = (share.clamp(0.0, 1.0) * answers as f64).ceil() as u64;
        let mut seen = 0;
        let class = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted.max(1)
        })?;
        Some(1 << class)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Lateness;
    use std::time::Duration;

    #[test]
    fn shares_are_bounds_from_above() {
        let mut late = Lateness::default();
        assert_eq!((late.answers(), late.below_us(0.5)), (0, None));
        for us in [0, 0, 3, 4, 1_000] {
            late.count(Duration::from_micros(us));
        }
        assert_eq!(late.answers(), 5);
        assert_eq!(late.below_us(0.4), Some(1));
        assert_eq!(late.below_us(0.5), Some(4));
        assert_eq!(late.below_us(0.8), Some(8));
        assert_eq!(late.below_us(1.0), Some(1_024));
    }
}
