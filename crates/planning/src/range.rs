//! A saving as a range.

use serde::{Serialize, Serializer};

/// What is at least, most likely and at most to be expected.
///
/// Shape: `low <= mid <= high`. Unit: that of the quantity. Missing: use `Option<Range>`. Source: the
/// width comes from what rounding hides, from I/O that no section shows, and from the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// At least.
    pub low: f64,
    /// Most likely.
    pub mid: f64,
    /// At most.
    pub high: f64,
}

impl Range {
    /// Nothing.
    pub const ZERO: Self = Self { low: 0.0, mid: 0.0, high: 0.0 };

    /// A range from three values in any order.
    #[must_use]
    pub fn of(a: f64, b: f64, c: f64) -> Self {
        let mut sorted = [a, b, c];
        sorted.sort_by(f64::total_cmp);
        Self { low: sorted[0], mid: sorted[1], high: sorted[2] }
    }

    /// A value without doubt.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        Self { low: value, mid: value, high: value }
    }

    /// All three multiplied by a non-negative factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, mid: self.mid * factor, high: self.high * factor }
    }

    /// The likely value kept, the others widened to hold it: scenarios of one thing can cross.
    #[must_use]
    pub fn in_order(self) -> Self {
        Self { low: self.low.min(self.mid), mid: self.mid, high: self.high.max(self.mid) }
    }

    /// None above a limit.
    #[must_use]
    pub fn at_most(self, limit: f64) -> Self {
        Self { low: self.low.min(limit), mid: self.mid.min(limit), high: self.high.min(limit) }
    }
}

impl std::ops::Add for Range {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, mid: self.mid + other.mid, high: self.high + other.high }
    }
}

impl std::ops::AddAssign for Range {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Range {
    fn sum<I: Iterator<Item = Self>>(ranges: I) -> Self {
        ranges.fold(Self::ZERO, |sum, range| sum + range)
    }
}

/// Written as `[low, mid, high]`.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.low, self.mid, self.high].serialize(serializer)
    }
}
