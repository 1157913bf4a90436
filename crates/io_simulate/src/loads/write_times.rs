//! Log writes whose times are those of a histogram: all that is known of them are buckets and a mean.
//!
//! Buckets and a mean fix the mean square only within bounds, and with it what a commit waits. Of all distributions over
//! the buckets with that mean, the one with the least mean square has every write as near to one value as its bucket
//! allows; the one with the most has the highest buckets at their upper bounds and the others at their lower ones, and one bucket split
//! between both (a linear programme over the buckets, solved by exchange). What lies between is a mixture of the two.
//!
//! A commit that comes at any time waits `rho E[X^2] / (2 E[X]) + E[X]` on average, with `rho` the share of the time in which
//! the log writer writes: the residual life of renewal theory. It does not hold for commits that come together.

use super::{NoSuchLoad, check};
use crate::{Completion, Device, Picoseconds, Request, Seeded};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A bucket of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyBucket {
    /// From, microseconds. No write takes no time: the lowest bucket begins where the fastest writes do.
    pub low_us: f64,
    /// To, microseconds; the open last bucket has no upper bound, and can hold nothing here.
    pub high_us: Option<f64>,
    /// Share or number of writes.
    pub weight: f64,
}

/// Writes that all take the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    /// How long, microseconds.
    pub us: f64,
    /// Share of the writes.
    pub share: f64,
}

/// How long writes take: so many for so long.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteTimes(Vec<Atom>);

impl WriteTimes {
    /// Times and their shares, which are brought to 1 together.
    ///
    /// # Errors
    /// Where there are none, or a time or share is no number above zero.
    pub fn new(atoms: &[Atom]) -> Result<Self, NoSuchLoad> {
        let good = |x: f64| x.is_finite() && x > 0.0;
        let sum: f64 = atoms.iter().map(|atom| atom.share).sum();
        if !good(sum) || atoms.iter().any(|a| !good(a.us) || a.us > 3.6e9 || !(0.0..=sum).contains(&a.share))
        {
            return Err(NoSuchLoad("write times lie above 0 and within an hour, and have shares".to_owned()));
        }
        let held = atoms.iter().filter(|atom| atom.share > 0.0);
        Ok(Self(held.map(|atom| Atom { share: atom.share / sum, ..*atom }).collect()))
    }

    /// Every write as near to one value as its bucket allows.
    ///
    /// # Errors
    /// Where no distribution over the buckets has the mean.
    pub fn least_spread(buckets: &[LatencyBucket], mean_us: f64) -> Result<Self, NoSuchLoad> {
        let held = Held::of(buckets, mean_us)?;
        let at = |level: f64| -> Vec<Atom> {
            held.0.iter().map(|b| Atom { us: level.clamp(b.low, b.high), share: b.share }).collect()
        };
        let mean = |atoms: &[Atom]| atoms.iter().map(|a| a.us * a.share).sum::<f64>();
        let (mut below, mut above) = (0.0, held.0.iter().map(|b| b.high).fold(0.0, f64::max));
        for _ in 0..200 {
            let middle = f64::midpoint(below, above);
            if mean(&at(middle)) < mean_us { below = middle } else { above = middle }
        }
        Self::new(&at(above))
    }

    /// The highest buckets at their upper bounds, the others at their lower ones.
    ///
    /// # Errors
    /// Where no distribution over the buckets has the mean.
    pub fn most_spread(buckets: &[LatencyBucket], mean_us: f64) -> Result<Self, NoSuchLoad> {
        let held = Held::of(buckets, mean_us)?;
        let mut to_give = mean_us - held.mean_at_low();
        let mut atoms = Vec::new();
        for bucket in held.0.iter().rev() {
            let width = bucket.high - bucket.low;
            let given = to_give.min(bucket.share * width);
            to_give -= given;
            let at_high = if width > 0.0 { given / width } else { 0.0 };
            atoms.push(Atom { us: bucket.high, share: at_high });
            atoms.push(Atom { us: bucket.low, share: (bucket.share - at_high).max(0.0) });
        }
        Self::new(&atoms)
    }

    /// A share of the writes from another distribution, the rest from this one.
    ///
    /// # Errors
    /// Where the share does not lie between 0 and 1.
    pub fn mixed(&self, other: &Self, share: f64) -> Result<Self, NoSuchLoad> {
        if !(0.0..=1.0).contains(&share) {
            return Err(NoSuchLoad(format!("a share of {share} does not lie between 0 and 1")));
        }
        let part = |of: &Self, share: f64| -> Vec<Atom> {
            of.0.iter().map(|atom| Atom { share: atom.share * share, ..*atom }).collect()
        };
        Self::new(&[part(self, 1.0 - share), part(other, share)].concat())
    }

    /// Times and shares.
    #[must_use]
    pub fn atoms(&self) -> &[Atom] {
        &self.0
    }

    /// Mean, microseconds.
    #[must_use]
    pub fn mean_us(&self) -> f64 {
        self.0.iter().map(|a| a.us * a.share).sum()
    }

    /// Mean of the squares.
    #[must_use]
    pub fn second_moment_us2(&self) -> f64 {
        self.0.iter().map(|a| a.us * a.us * a.share).sum()
    }

    /// What a commit waits that comes at any time, microseconds, where the log writer writes this share of the time.
    #[must_use]
    pub fn commit_wait_us(&self, busy_share: f64) -> f64 {
        let mean = self.mean_us();
        busy_share * self.second_moment_us2() / (2.0 * mean) + mean
    }

    /// Wishes to have the log written, a second, at random times, that keep a log writer busy for this share of the time; `None`
    /// unless it lies between 0 and 1.
    ///
    /// A write begins when one ends during which somebody came, else when the next one comes, on average `1 / rate` later:
    /// `busy = E[X] / (E[X] + E[exp(-rate X)] / rate)`. Found by halving.
    #[must_use]
    pub fn rate_for(&self, busy_share: f64) -> Option<f64> {
        if !(busy_share > 0.0 && busy_share < 1.0) {
            return None;
        }
        let mean = self.mean_us();
        let busy = |per_us: f64| {
            let none: f64 = self.0.iter().map(|a| a.share * libm::exp(-per_us * a.us)).sum();
            mean / (mean + none / per_us)
        };
        let (mut low, mut high) = (1e-12, 1e3);
        for _ in 0..200 {
            let middle = libm::sqrt(low * high);
            if busy(middle) < busy_share { low = middle } else { high = middle }
        }
        Some(high * 1e6)
    }

    /// A volume whose requests take these times, each drawn apart, however many are under way.
    #[must_use]
    pub fn volume(&self, seed: u64) -> DrawnTimes {
        DrawnTimes {
            times: self.clone(),
            random: Seeded::new(seed, 0),
            under_way: BinaryHeap::new(),
            number: 0,
            now: Picoseconds::ZERO,
        }
    }
}

/// A bucket that holds writes.
struct Bucket {
    low: f64,
    high: f64,
    share: f64,
}

/// Buckets that hold writes, from the lowest to the highest.
struct Held(Vec<Bucket>);

impl Held {
    fn of(buckets: &[LatencyBucket], mean_us: f64) -> Result<Self, NoSuchLoad> {
        let sum: f64 = buckets.iter().map(|b| b.weight).sum();
        let mut held = Vec::new();
        for bucket in buckets.iter().filter(|b| b.weight > 0.0) {
            let high = bucket.high_us.unwrap_or(f64::INFINITY);
            check((!high.is_finite()).then(|| {
                "the open last bucket holds writes: nothing bounds their squares from above".to_owned()
            }))?;
            check((!(bucket.low_us > 0.0 && bucket.low_us <= high && high <= 3.6e9)).then(|| {
                format!(
                    "a bucket from {} to {high} us is none: a write takes some time, and no hour",
                    bucket.low_us
                )
            }))?;
            held.push(Bucket { low: bucket.low_us, high, share: bucket.weight / sum });
        }
        held.sort_by(|a, b| a.low.total_cmp(&b.low));
        let held = Self(held);
        let (least, most) = (held.mean_at_low(), held.0.iter().map(|b| b.high * b.share).sum::<f64>());
        if held.0.is_empty() || !(least..=most).contains(&mean_us) {
            return Err(NoSuchLoad(format!(
                "writes of these buckets take {least} to {most} us on average, and not {mean_us}"
            )));
        }
        Ok(held)
    }

    fn mean_at_low(&self) -> f64 {
        self.0.iter().map(|b| b.low * b.share).sum()
    }
}

/// The volume of [`WriteTimes::volume`].
#[derive(Debug)]
pub struct DrawnTimes {
    times: WriteTimes,
    random: Seeded,
    under_way: BinaryHeap<Reverse<(Picoseconds, u64, u64)>>,
    number: u64,
    now: Picoseconds,
}

impl Device for DrawnTimes {
    fn submit(&mut self, now: Picoseconds, tag: u64, _: Request) {
        self.now = self.now.max(now);
        let mut left = self.random.unit();
        let atoms = &self.times.0;
        let drawn = atoms.iter().find(|atom| {
            left -= atom.share;
            left < 0.0
        });
        let us = drawn.or(atoms.last()).map_or(0.0, |atom| atom.us);
        self.number += 1;
        self.under_way.push(Reverse((self.now + Picoseconds::from_us(us), self.number, tag)));
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.under_way.peek().map(|Reverse((at, _, _))| *at)
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.now = self.now.max(now);
        while let Some(Reverse((at, _, tag))) = self.under_way.peek().copied()
            && at <= self.now
        {
            self.under_way.pop();
            completed.push(Completion { tag, at });
        }
    }
}
