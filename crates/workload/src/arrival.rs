//! When the next request is due: closed loops wait for answers, open ones do not.

use crate::seed::Seeded;
use serde::{Deserialize, Serialize};

/// How requests of a stream arrive.
///
/// Shape: one a stream. Unit: requests, requests a second, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// So many requests under way at any time; each is followed by another after a pause. Latency counts
    /// from submission.
    Closed {
        /// Requests under way.
        depth: u32,
        /// Pause between an answer and the next request, on average (exponential).
        think_us: f64,
    },
    /// Requests arrive at a rate, whatever the device does. Latency counts from the intended start, so a
    /// device that cannot keep up shows the delay that a closed loop hides.
    Open {
        /// Requests a second.
        iops: f64,
        /// Apart by random times (Poisson), or all by the same.
        poisson: bool,
    },
    /// Commits of so many who wait for one log writer, each with redo of the stream's sizes: one write at a
    /// time, which carries all who wait. See [`crate::Committers`]. Writes only, one after the other.
    Commits {
        /// Those who commit.
        committers: u32,
        /// Pause between a commit and the next one of the same committer, on average (exponential).
        think_us: f64,
    },
    /// Requests arrive when the trace of the stream says, whatever the device does; latency counts from then.
    Replay {
        /// So many times as fast.
        speed: f64,
    },
}

impl Arrivals {
    /// Why they make no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        match *self {
            Self::Closed { depth: 0, .. } => Some("a depth of 0 asks for nothing".to_owned()),
            Self::Closed { depth, .. } if depth > MOST_DEPTH => {
                Some(format!("a depth of {depth} is more than {MOST_DEPTH}"))
            }
            Self::Commits { committers, .. } if !(1..=MOST_DEPTH).contains(&committers) => {
                Some(format!("{committers} committers are not between 1 and {MOST_DEPTH}"))
            }
            Self::Closed { think_us, .. } | Self::Commits { think_us, .. }
                if !(think_us.is_finite() && think_us >= 0.0) =>
            {
                Some(format!("a pause of {think_us} us is none"))
            }
            Self::Open { iops, .. } if !(iops.is_finite() && iops > 0.0) => {
                Some(format!("a rate of {iops} requests a second is none"))
            }
            Self::Replay { speed } if !(speed.is_finite() && (1e-6..=1e6).contains(&speed)) => {
                Some(format!("a speed of {speed} is not between a millionth and a million"))
            }
            _ => None,
        }
    }

    /// Do requests arrive whether those before are answered or not?
    #[must_use]
    pub fn go_on(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::Replay { .. })
    }

    /// Do requests arrive when a trace says?
    #[must_use]
    pub fn due_by_trace(&self) -> bool {
        matches!(self, Self::Replay { .. })
    }

    /// Intended starts of an open stream, nanoseconds from its beginning; `None` for a closed one, and where a trace
    /// has them.
    #[must_use]
    pub fn due(&self, random: Seeded) -> Option<Due> {
        match *self {
            Self::Closed { .. } | Self::Commits { .. } | Self::Replay { .. } => None,
            Self::Open { iops, poisson } => {
                Some(Due { gap_ns: 1e9 / iops, poisson, count: 0, at_ns: 0.0, random })
            }
        }
    }
}

/// Requests under way that a stream may ask for at most.
pub const MOST_DEPTH: u32 = 65_536;

/// Times of arrival, without end, never going back.
#[derive(Clone, Debug)]
pub struct Due {
    gap_ns: f64,
    poisson: bool,
    count: u64,
    at_ns: f64,
    random: Seeded,
}

impl Due {
    /// When the next request is to start, nanoseconds from the beginning.
    pub fn draw_ns(&mut self) -> f64 {
        self.count += 1;
        if self.poisson {
            self.at_ns += self.random.exponential(self.gap_ns);
        } else {
            // A product and no sum: a million gaps must not drift.
            self.at_ns = self.gap_ns * self.count as f64;
        }
        self.at_ns
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn arrivals_keep_their_rate() {
        for poisson in [false, true] {
            let mut due = Arrivals::Open { iops: 1_000.0, poisson }.due(Seeded::new(5, 0)).unwrap();
            let times: Vec<f64> = (0..100_000).map(|_| due.draw_ns()).collect();
            assert!(times.windows(2).all(|w| w[0] <= w[1]));
            let last = times[times.len() - 1] / 1e9;
            assert!((last - 100.0).abs() < if poisson { 1.6 } else { 1e-9 }, "{last}");
        }
        assert!(Arrivals::Closed { depth: 1, think_us: 0.0 }.due(Seeded::new(5, 0)).is_none());
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        assert!(Arrivals::Closed { depth: 0, think_us: 0.0 }.objection().is_some());
        assert!(Arrivals::Closed { depth: 4, think_us: f64::NAN }.objection().is_some());
        assert!(Arrivals::Open { iops: 0.0, poisson: true }.objection().is_some());
        assert!(Arrivals::Open { iops: 100.0, poisson: true }.objection().is_none());
    }
}
