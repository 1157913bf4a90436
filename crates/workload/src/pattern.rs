//! Which block is next: the pattern of addresses of a stream.
//!
//! A pattern knows blocks by their number in the region, never bytes; so it is the same on a disk and on
//! a model of one.

use crate::seed::Seeded;
use serde::{Deserialize, Serialize};

/// How a stream goes through its region.
///
/// Shape: one a stream. Unit: blocks; shares in percent. Source: the vocabulary of fio, SLOB and Orion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Every block as likely, again and again.
    Random,
    /// One after the other, from the first, over and over.
    Sequential,
    /// Every so many blocks; past the end, on from one block further than the last round began.
    Strided {
        /// Blocks from one to the next.
        blocks: u64,
    },
    /// A share of the accesses goes to a share of the blocks, at the region's beginning.
    HotSpot {
        /// Share of the accesses.
        accesses_pct: f64,
        /// Share of the blocks.
        blocks_pct: f64,
    },
    /// The k-th most wanted block is wanted in proportion to `k^-theta`; the wanted ones lie scattered.
    Zipf {
        /// Exponent; 0 is uniform.
        theta: f64,
    },
}

impl Pattern {
    /// Why the pattern makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        let share = |name: &str, pct: f64| {
            (!(pct > 0.0 && pct < 100.0)).then(|| format!("{name} is {pct} %; it lies between 0 and 100"))
        };
        match *self {
            Self::Random | Self::Sequential => None,
            Self::Strided { blocks } => (blocks == 0).then(|| "a stride of 0 blocks never moves".to_owned()),
            Self::HotSpot { accesses_pct, blocks_pct } => {
                share("the hot spot's share of accesses", accesses_pct)
                    .or_else(|| share("the hot spot's share of blocks", blocks_pct))
            }
            Self::Zipf { theta } => (!(0.0..=10.0).contains(&theta))
                .then(|| format!("a Zipf exponent of {theta} is not between 0 and 10")),
        }
    }

    /// The blocks of a region in the order of this pattern. A region has at least one block.
    #[must_use]
    pub fn blocks(&self, count: u64, random: Seeded) -> Blocks {
        let count = count.max(1);
        let zipf = match *self {
            Self::Zipf { theta } if theta > 0.0 => Some(Zipf::new(count, theta)),
            _ => None,
        };
        Blocks { pattern: *self, count, next: 0, round: 0, zipf, scatter: Scatter::new(count), random }
    }
}

/// Numbers of blocks, without end.
#[derive(Clone, Debug)]
pub struct Blocks {
    pattern: Pattern,
    count: u64,
    next: u64,
    round: u64,
    zipf: Option<Zipf>,
    scatter: Scatter,
    random: Seeded,
}

impl Blocks {
    /// The next block, below the count of the region.
    pub fn draw(&mut self) -> u64 {
        match self.pattern {
            Pattern::Random => self.random.below(self.count),
            Pattern::Sequential => {
                let at = self.next;
                self.next = if at + 1 == self.count { 0 } else { at + 1 };
                at
            }
            Pattern::Strided { blocks } => {
                let at = self.next;
                self.next = match at.checked_add(blocks).filter(|next| *next < self.count) {
                    Some(next) => next,
                    None => {
                        self.round = (self.round + 1) % blocks.clamp(1, self.count);
                        self.round
                    }
                };
                at
            }
            Pattern::HotSpot { accesses_pct, blocks_pct } => {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of the count"
                )]
                let hot = ((self.count as f64 * blocks_pct / 100.0).round() as u64).clamp(1, self.count);
                if hot == self.count || self.random.unit() * 100.0 < accesses_pct {
                    self.random.below(hot)
                } else {
                    hot + self.random.below(self.count - hot)
                }
            }
            Pattern::Zipf { .. } => match &self.zipf {
                Some(zipf) => self.scatter.of(zipf.rank(&mut self.random) - 1),
                None => self.random.below(self.count),
            },
        }
    }
}

/// Ranks by Zipf's law, in constant time and memory whatever the count.
///
/// Rejection-inversion: Hoermann and Derflinger, "Rejection-inversion to generate variates from monotone
/// discrete distributions", 1996.
#[derive(Clone, Debug)]
struct Zipf {
    count: f64,
    theta: f64,
    low: f64,
    high: f64,
    accept: f64,
}

impl Zipf {
    fn new(count: u64, theta: f64) -> Self {
        let mut zipf = Self { count: count as f64, theta, low: 0.0, high: 0.0, accept: 0.0 };
        zipf.low = zipf.area(1.5) - 1.0;
        zipf.high = zipf.area(zipf.count + 0.5);
        zipf.accept = 2.0 - zipf.inverse(zipf.area(2.5) - zipf.weight(2.0));
        zipf
    }

    fn weight(&self, x: f64) -> f64 {
        libm::exp(-self.theta * libm::log(x))
    }

    /// Integral of the weight up to `x`.
    fn area(&self, x: f64) -> f64 {
        let log = libm::log(x);
        let power = (1.0 - self.theta) * log;
        if power.abs() > 1e-8 { libm::expm1(power) / power * log } else { log * (1.0 + power / 2.0) }
    }

    fn inverse(&self, area: f64) -> f64 {
        let t = (area * (1.0 - self.theta)).max(-1.0);
        let log = if t.abs() > 1e-8 { libm::log1p(t) / t * area } else { area * (1.0 - t / 2.0) };
        libm::exp(log)
    }

    /// A rank from 1 to the count.
    fn rank(&self, random: &mut Seeded) -> u64 {
        loop {
            let u = self.high + random.unit() * (self.low - self.high);
            let x = self.inverse(u);
            let rank = libm::round(x).clamp(1.0, self.count);
            if rank - x <= self.accept || u >= self.area(rank + 0.5) - self.weight(rank) {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
                return rank as u64;
            }
        }
    }
}

/// A fixed one-to-one order of the blocks that keeps none of their neighbourhood.
///
/// Four rounds of a Feistel network over the next power of four; what falls beyond the count walks on.
#[derive(Clone, Copy, Debug)]
struct Scatter {
    count: u64,
    half_bits: u32,
}

impl Scatter {
    fn new(count: u64) -> Self {
        let bits = 64 - count.saturating_sub(1).leading_zeros();
        Self { count, half_bits: bits.div_ceil(2).max(1) }
    }

    fn of(self, number: u64) -> u64 {
        let mut at = number;
        loop {
            at = self.mix(at);
            if at < self.count {
                return at;
            }
        }
    }

    fn mix(self, number: u64) -> u64 {
        let mask = (1_u64 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for round in 1..=4_u64 {
            // The finaliser of splitmix64, as a round function.
            let mut x = right ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (left, right) = (right, left ^ ((x ^ (x >> 31)) & mask));
        }
        (left << self.half_bits) | right
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use std::collections::BTreeSet;

    fn drawn(pattern: Pattern, count: u64, draws: usize) -> Vec<u64> {
        let mut blocks = pattern.blocks(count, Seeded::new(13, 0));
        (0..draws).map(|_| blocks.draw()).collect()
    }

    fn counts(pattern: Pattern, count: u64, draws: usize) -> Vec<u64> {
        let mut seen = vec![0; usize::try_from(count).unwrap()];
        for block in drawn(pattern, count, draws) {
            seen[usize::try_from(block).unwrap()] += 1;
        }
        seen
    }

    #[test]
    fn random_blocks_cover_their_region_evenly() {
        let seen = counts(Pattern::Random, 1_000, 1_000_000);
        // Chi squared of 999 degrees of freedom: mean 999, standard deviation 45; five of them.
        let chi: f64 = seen.iter().map(|n| (*n as f64 - 1_000.0).powi(2) / 1_000.0).sum();
        assert!((775.0..=1_223.0).contains(&chi), "{chi}");
    }

    #[test]
    fn sequences_and_strides_visit_every_block() {
        assert_eq!(drawn(Pattern::Sequential, 3, 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(drawn(Pattern::Strided { blocks: 3 }, 8, 9), [0, 3, 6, 1, 4, 7, 2, 5, 0]);
        let all: BTreeSet<u64> = drawn(Pattern::Strided { blocks: 7 }, 100, 100).into_iter().collect();
        assert_eq!(all.len(), 100);
        // A stride longer than the region goes on block by block.
        assert_eq!(drawn(Pattern::Strided { blocks: 9 }, 3, 4), [0, 1, 2, 0]);
    }

    #[test]
    fn a_hot_spot_gets_its_share() {
        let seen = counts(Pattern::HotSpot { accesses_pct: 80.0, blocks_pct: 20.0 }, 100, 100_000);
        let hot: u64 = seen[..20].iter().sum();
        assert!((79_300..=80_700).contains(&hot), "{hot}");
        assert!(seen.iter().all(|n| *n > 0));
    }

    #[test]
    fn ranks_follow_the_law_of_zipf() {
        for theta in [0.5, 1.0, 1.2] {
            let zipf = Zipf::new(1_000, theta);
            let mut random = Seeded::new(3, 0);
            let mut seen = vec![0_u64; 1_001];
            for _ in 0..200_000 {
                seen[usize::try_from(zipf.rank(&mut random)).unwrap()] += 1;
            }
            let sum: f64 = (1..=1_000).map(|k| f64::from(k).powf(-theta)).sum();
            for k in [1_usize, 2, 10] {
                let expected = 200_000.0 * (k as f64).powf(-theta) / sum;
                let off = (seen[k] as f64 - expected).abs() / expected.sqrt();
                assert!(off < 5.0, "rank {k} at {theta}: {} for {expected}", seen[k]);
            }
        }
    }

    #[test]
    fn scattering_loses_no_block() {
        for count in [1, 2, 3, 100, 1_000, 4_097] {
            let scatter = Scatter::new(count);
            let all: BTreeSet<u64> = (0..count).map(|n| scatter.of(n)).collect();
            assert_eq!(all.len() as u64, count);
        }
        // The most wanted blocks are no neighbours.
        let scatter = Scatter::new(1 << 20);
        let mut first: Vec<u64> = (0..64).map(|n| scatter.of(n)).collect();
        first.sort_unstable();
        assert!(first.windows(2).filter(|w| w[1] - w[0] < 64).count() < 4, "{first:?}");
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        assert!(Pattern::Strided { blocks: 0 }.objection().is_some());
        assert!(Pattern::HotSpot { accesses_pct: 100.0, blocks_pct: 5.0 }.objection().is_some());
        assert!(Pattern::Zipf { theta: f64::NAN }.objection().is_some());
        assert!(Pattern::Zipf { theta: 1.1 }.objection().is_none());
    }
}
