//! A sum with the bounds that rounding leaves.

use serde::Serialize;
use spindle_facts::Interval;

/// A number, the least and the most that print like it.
///
/// Shape: `low <= value <= high`. Unit: that of what it counts. Missing: use `Option`. Source: sums of
/// printed numbers, each between the bounds of its last digit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Amount {
    /// As printed, or added up from what is printed.
    pub value: f64,
    /// Least.
    pub low: f64,
    /// Most.
    pub high: f64,
}

impl Amount {
    /// Nothing, exactly.
    pub(crate) const ZERO: Self = Self { value: 0.0, low: 0.0, high: 0.0 };

    /// A number known exactly.
    pub(crate) fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// A number with its bounds; bounds that leave it out are widened to it.
    pub(crate) fn within(value: f64, bounds: Interval) -> Self {
        Self { value, low: bounds.low.min(value), high: bounds.high.max(value) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { value: self.value + other.value, low: self.low + other.low, high: self.high + other.high }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self { value: self.value - other.value, low: self.low - other.high, high: self.high - other.low }
    }

    /// Times a factor, which may be negative.
    pub(crate) fn times(self, factor: f64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        Self { value: self.value * factor, low: a.min(b), high: a.max(b) }
    }

    /// Over a positive number; of one that rounding leaves down to nothing the quotient has no upper bound.
    pub(crate) fn per(self, divisor: Self) -> Option<Self> {
        let (low, value, high) = (divisor.low.max(0.0), divisor.value, divisor.high);
        (value > 0.0 && high > 0.0).then(|| Self {
            value: self.value / value,
            low: self.low.max(0.0) / high,
            high: if low > 0.0 { self.high / low } else { f64::INFINITY },
        })
    }

    /// Is nothing within its bounds?
    pub(crate) fn may_be_nothing(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    /// Over a positive divisor that itself lies between bounds.
    pub(crate) fn over(self, divisor: Self) -> Self {
        let corners = [
            self.low / divisor.low,
            self.low / divisor.high,
            self.high / divisor.low,
            self.high / divisor.high,
        ];
        let value = self.value / divisor.value;
        Self {
            value,
            low: corners.iter().copied().fold(value, f64::min),
            high: corners.iter().copied().fold(value, f64::max),
        }
    }
}
