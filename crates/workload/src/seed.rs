//! Random numbers that a seed repeats, bit for bit, on any machine.
//!
//! The generator is a library's; the distributions are ours, over `libm`, since those of libraries change
//! with their versions and those of the platform with the platform.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Seeded(Xoshiro256PlusPlus);

impl Seeded {
    /// The source of one purpose: streams of one job share its seed, and draw nothing of each other.
    #[must_use]
    pub fn new(seed: u64, purpose: u64) -> Self {
        // Odd multiplier of 2^64 over the golden ratio: neighbouring purposes lie far apart.
        Self(Xoshiro256PlusPlus::seed_from_u64(seed ^ purpose.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number from 0 up to but not `end`, each as likely; 0 where `end` is 0.
    #[allow(clippy::cast_possible_truncation, reason = "the halves of a product of 128 bits")]
    pub fn below(&mut self, end: u64) -> u64 {
        // Lemire, "Fast Random Integer Generation in an Interval", 2019: no bias, one division seldom.
        let draw = |bits: u64| u128::from(bits) * u128::from(end);
        let mut product = draw(self.bits());
        if (product as u64) < end {
            let least = end.wrapping_neg() % end.max(1);
            while (product as u64) < least {
                product = draw(self.bits());
            }
        }
        (product >> 64) as u64
    }

    /// A number from 0 up to but not 1, in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An exponential number of this mean: the time between Poisson arrivals.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }
}

/// The seed of one run of several that come from one seed: that seed itself for the first, and numbers of 53 bits,
/// which every reader of JSON keeps, for the others.
#[must_use]
pub fn seed_of(seed: u64, run: u64) -> u64 {
    if run == 0 { seed } else { Seeded::new(seed, u64::MAX / 2 + run).bits() >> 11 }
}

#[cfg(test)]
mod tests {
    use super::Seeded;

    #[test]
    fn a_seed_repeats_and_another_purpose_differs() {
        let draw = |seed, purpose| {
            let mut random = Seeded::new(seed, purpose);
            (0..8).map(|_| random.bits()).collect::<Vec<_>>()
        };
        assert_eq!(draw(13, 0), draw(13, 0));
        assert_ne!(draw(13, 0), draw(13, 1));
        assert_ne!(draw(13, 0), draw(14, 0));
    }

    #[test]
    fn whole_numbers_are_even_and_within() {
        let mut random = Seeded::new(7, 0);
        let mut seen = [0_u32; 10];
        for _ in 0..100_000 {
            seen[usize::try_from(random.below(10)).unwrap_or(usize::MAX)] += 1;
        }
        // 10,000 each, standard deviation 95: five of them.
        assert!(seen.iter().all(|n| (9_525..=10_475).contains(n)), "{seen:?}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }

    #[test]
    fn exponential_numbers_have_their_mean_and_spread() {
        let mut random = Seeded::new(1, 0);
        let drawn: Vec<f64> = (0..100_000).map(|_| random.exponential(8.0)).collect();
        let mean = drawn.iter().sum::<f64>() / 1e5;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        assert!((mean - 8.0).abs() < 0.15 && (variance.sqrt() - 8.0).abs() < 0.3, "{mean} {variance}");
        assert!(drawn.iter().all(|x| x.is_finite() && *x >= 0.0));
    }
}
