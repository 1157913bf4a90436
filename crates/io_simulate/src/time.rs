//! Time of a simulation.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

/// A point in time since the start, or a length of it, in whole picoseconds.
///
/// Whole, so that sums do not depend on their order; picoseconds, so that the pace of millions of
/// requests a second is right to a millionth. 64 bits hold 213 days; what would lie beyond stays at
/// [`Picoseconds::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Picoseconds(pub u64);

impl Picoseconds {
    /// The start.
    pub const ZERO: Self = Self(0);
    /// After 213 days: the end of what can be told apart.
    pub const MAX: Self = Self(u64::MAX);
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000_000);

    /// So many microseconds, rounded; nothing below zero, [`Picoseconds::MAX`] above 213 days.
    #[must_use]
    pub fn from_us(us: f64) -> Self {
        // A cast from floating point stays within the bounds of the integer.
        Self((us * 1e6).round() as u64)
    }

    /// Microseconds.
    #[must_use]
    pub fn as_us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Seconds.
    #[must_use]
    pub fn as_s(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// As the standard library has it, rounded up to a nanosecond: who waits that long is not early.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        Duration::from_nanos(self.0.div_ceil(1_000))
    }
}

impl From<Duration> for Picoseconds {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos().saturating_mul(1_000)).unwrap_or(u64::MAX))
    }
}

impl Add for Picoseconds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Picoseconds {
    type Output = Self;

    /// The time between; none where the other is later.
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Picoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} us", self.as_us())
    }
}
