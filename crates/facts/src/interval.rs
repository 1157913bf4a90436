//! A number known to lie between two bounds.

use serde::{Serialize, Serializer};

/// Closed interval that a printed, rounded number can stand for.
///
/// Shape: `low <= high`. Unit: that of the quantity it bounds. Missing: use `Option<Interval>`.
/// Source: the width is one unit of the last printed digit, half on either side where the release
/// rounds, all above where it cuts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Smallest value that would have been printed like this.
    pub low: f64,
    /// Largest value that would have been printed like this.
    pub high: f64,
}

impl Interval {
    /// An interval of no width.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The interval between two values, in either order.
    #[must_use]
    pub fn between(a: f64, b: f64) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// `value` give or take `half_width`, not below zero.
    #[must_use]
    pub fn around(value: f64, half_width: f64) -> Self {
        Self { low: (value - half_width).max(0.0), high: value + half_width }
    }

    /// Middle of the interval.
    #[must_use]
    pub fn mid(self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Does the interval hold this value?
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Do the two intervals share a value?
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// Bounds of a quotient of two non-negative intervals; `None` where the divisor may be zero.
    #[must_use]
    pub fn divided_by(self, divisor: Self) -> Option<Self> {
        (divisor.low > 0.0).then(|| Self { low: self.low / divisor.high, high: self.high / divisor.low })
    }

    /// Both bounds multiplied by a non-negative factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }
}

/// Written as `[low, high]`.
impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.low, self.high].serialize(serializer)
    }
}
