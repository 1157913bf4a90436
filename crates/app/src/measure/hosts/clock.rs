//! What the clock of another host shows, as far as a question and its answer can tell.
//!
//! A question leaves here at one time and its answer comes at another; the clock there was read in between, and
//! nothing tells when. Taken in the middle it is wrong by half of the round trip at most, however unlike the two
//! ways are. Of many questions the one with the shortest round trip tells most. (Cristian, "Probabilistic clock
//! synchronization", 1989.)

/// Two clocks that are both being slewed as fast as kernels do, 500 in a million each way, part at this rate.
const DRIFT: f64 = 1e-3;

/// A clock there against the one here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offset {
    /// What it shows more.
    ahead_ns: f64,
    /// Question to answer.
    pub(super) round_trip_ns: f64,
    /// When it was read, by the clock here.
    at_ns: f64,
}

impl Offset {
    /// A clock that showed `there` some time between question and answer.
    pub(super) fn of(asked_ns: f64, there_ns: f64, answered_ns: f64) -> Self {
        let at_ns = f64::midpoint(asked_ns, answered_ns);
        Self { ahead_ns: there_ns - at_ns, round_trip_ns: (answered_ns - asked_ns).max(0.0), at_ns }
    }

    /// What it shows when the one here shows this.
    pub(super) fn there(&self, here_ns: f64) -> f64 {
        (here_ns + self.ahead_ns).max(0.0)
    }

    /// By how much that may be wrong.
    pub(super) fn unsure_ns(&self, here_ns: f64) -> f64 {
        self.round_trip_ns / 2.0 + (here_ns - self.at_ns).abs() * DRIFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_workload::Seeded;

    #[test]
    fn the_instant_is_within_the_bound_whatever_the_two_ways_take() {
        for seed in 0..500 {
            let mut random = Seeded::new(seed, 0);
            let (ahead, drift) = (random.unit() * 1e12, (random.unit() - 0.5) * 2.0 * DRIFT);
            // The clock there when the one here shows this.
            let there = |here: f64| here * (1.0 + drift) + ahead;
            let asked = random.unit() * 1e9;
            let (way, back) = (random.exponential(3e5), random.exponential(3e5));
            let found = Offset::of(asked, there(asked + way), asked + way + back);
            let begin = asked + way + back + random.unit() * 2e9;
            let wrong = (found.there(begin) - there(begin)).abs();
            assert!(wrong <= found.unsure_ns(begin) + 1.0, "{seed}: {wrong} of {}", found.unsure_ns(begin));
        }
    }
}
