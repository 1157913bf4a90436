//! A drive of parallel units behind one queue: flash on NVMe as its latency and rates show it, without its insides.
//!
//! A request is cut into pieces of at most `piece_bytes`; each takes the first unit that is free, in the order in
//! which they came, for the time
//!
//! ```text
//! service = (latency + bytes / bytes_per_s) * x        x has mean 1: constant, exponential or log-normal
//! ```
//!
//! and the request is done with its last piece. Before that its bytes pass the link, one request after the other.
//! So it is an M/G/k queue where arrivals are Poisson: with one unit and exponential times M/M/1.
//!
//! `x` is not drawn but follows from a seed and the number of the piece, so that the same requests give the same
//! events. Chance is only in the order in which times come, not in who asks.
//!
//! What follows: at depth `n` of one-piece requests it does `min(n, k) / service` a second, at most the link's bytes.
//!
//! Left out: what collection does to writes and to reads beside them ([`super::ssd`] has it), caches, the cost of
//! interrupts and queues in the host. Unvalidated against a measured drive.

use super::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Operation, Picoseconds, Request};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How service times spread about their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Each is the mean.
    Constant,
    /// Exponential: a standard deviation as large as the mean.
    Exponential,
    /// Log-normal with this standard deviation over the mean.
    LogNormal {
        /// From 0 to 10.
        variation: f64,
    },
}

/// What one kind of operation takes of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceSpec {
    /// Of any piece.
    pub latency: Picoseconds,
    /// Bytes a second of one unit.
    pub bytes_per_s: f64,
    /// About the mean.
    pub spread: Spread,
}

/// What makes an [`Nvme`]: every number is given by who asks for the drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NvmeSpec {
    /// Units that work side by side.
    pub units: u32,
    /// Of reads.
    pub read: ServiceSpec,
    /// Of writes.
    pub write: ServiceSpec,
    /// Bytes that one unit serves of a request at most.
    pub piece_bytes: u32,
    /// Bytes a second of the link; `None` where it is no limit.
    pub link_bytes_per_s: Option<f64>,
    /// Decides which piece takes longer than the mean.
    pub seed: u64,
}

/// The drive.
#[derive(Debug)]
pub struct Nvme {
    spec: NvmeSpec,
    /// When each unit is free.
    units: BinaryHeap<Reverse<Picoseconds>>,
    link_free: Picoseconds,
    pieces: u64,
    arrived: u64,
    /// Under way: when done, number by arrival, tag.
    under_way: BinaryHeap<Reverse<(Picoseconds, u64, u64)>>,
    now: Picoseconds,
}

/// The finaliser of splitmix64 (Steele, Lea and Flood, 2014): 64 bits that look random.
fn mixed(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Above 0 up to 1.
fn share(bits: u64) -> f64 {
    ((bits >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

impl Spread {
    /// The factor of a number, mean 1.
    fn factor(self, seed: u64, number: u64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Exponential => -libm::log(share(mixed(seed, number))),
            Self::LogNormal { variation } => {
                let spread = libm::log1p(variation * variation);
                // Box and Muller, 1958.
                let length = (-2.0 * libm::log(share(mixed(seed, 2 * number)))).sqrt();
                let turn = std::f64::consts::TAU * share(mixed(seed, 2 * number + 1));
                libm::exp(length * libm::cos(turn) * spread.sqrt() - spread / 2.0)
            }
        }
    }
}

impl Nvme {
    /// The drive of a specification.
    ///
    /// # Errors
    /// Where it has no unit or more than 65,536, a piece has no bytes, a rate is not between 1 and 10^15 bytes a
    /// second, a latency is above an hour, or a spread beyond its range.
    pub fn new(spec: &NvmeSpec) -> Result<Self, NoSuchDevice> {
        if !(1..=65_536).contains(&spec.units) {
            return Err(NoSuchDevice(format!("{} units are none or too many; from 1 to 65536", spec.units)));
        }
        if spec.piece_bytes == 0 {
            return Err(NoSuchDevice("requests are cut into pieces of 0 bytes".to_owned()));
        }
        let rates = [Some(spec.read.bytes_per_s), Some(spec.write.bytes_per_s), spec.link_bytes_per_s];
        if let Some(rate) = rates.iter().flatten().find(|r| !(1.0..=1e15).contains(*r)) {
            return Err(NoSuchDevice(format!(
                "{rate} bytes a second is no rate; at least 1 and at most 10^15 are"
            )));
        }
        for service in [spec.read, spec.write] {
            if service.latency.as_s() > 3_600.0 {
                return Err(NoSuchDevice(format!("a latency of {} is above an hour", service.latency)));
            }
            if let Spread::LogNormal { variation } = service.spread
                && !(0.0..=10.0).contains(&variation)
            {
                return Err(NoSuchDevice(format!("a variation of {variation} is not between 0 and 10")));
            }
        }
        Ok(Self {
            spec: *spec,
            units: (0..spec.units).map(|_| Reverse(Picoseconds::ZERO)).collect(),
            link_free: Picoseconds::ZERO,
            pieces: 0,
            arrived: 0,
            under_way: BinaryHeap::new(),
            now: Picoseconds::ZERO,
        })
    }
}

impl Device for Nvme {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.now = self.now.max(now);
        let mut from = self.now;
        if let Some(rate) = self.spec.link_bytes_per_s {
            let passes = Picoseconds((f64::from(request.bytes) * 1e12 / rate).ceil() as u64);
            self.link_free = self.link_free.max(self.now) + passes;
            from = self.link_free;
        }
        let service = match request.operation {
            Operation::Read => self.spec.read,
            Operation::Write => self.spec.write,
        };
        let (mut left, mut done) = (request.bytes, from);
        loop {
            let piece = left.min(self.spec.piece_bytes);
            let mean_us = service.latency.as_us() + f64::from(piece) * 1e6 / service.bytes_per_s;
            let takes = Picoseconds::from_us(mean_us * service.spread.factor(self.spec.seed, self.pieces));
            self.pieces += 1;
            // There is at least one.
            if let Some(mut unit) = self.units.peek_mut() {
                let end = unit.0.max(from) + takes;
                unit.0 = end;
                done = done.max(end);
            }
            left -= piece;
            if left == 0 {
                break;
            }
        }
        self.under_way.push(Reverse((done, self.arrived, tag)));
        self.arrived += 1;
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.under_way.peek().map(|Reverse((at, ..))| *at)
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.now = self.now.max(now);
        while let Some(Reverse((at, _, tag))) =
            self.under_way.peek().copied().filter(|Reverse((at, ..))| *at <= self.now)
        {
            self.under_way.pop();
            completed.push(Completion { tag, at });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::closed_loop;
    use proptest::prelude::*;

    /// 100 us and 1 GB/s a unit.
    fn spec(units: u32, spread: Spread) -> NvmeSpec {
        let read = ServiceSpec { latency: Picoseconds::from_us(100.0), bytes_per_s: 1e9, spread };
        let write = ServiceSpec { latency: Picoseconds::from_us(20.0), ..read };
        NvmeSpec { units, read, write, piece_bytes: 100_000, link_bytes_per_s: None, seed: 7 }
    }

    fn request(operation: Operation, bytes: u32) -> Request {
        Request { operation, offset: 0, bytes }
    }

    use Operation::{Read, Write};

    fn done(spec: &NvmeSpec, requests: &[Request]) -> Vec<f64> {
        let mut drive = Nvme::new(spec).unwrap();
        let mut completed = Vec::new();
        for (tag, request) in (0..).zip(requests) {
            drive.submit(Picoseconds::ZERO, tag, *request);
        }
        drive.advance(Picoseconds::SECOND, &mut completed);
        completed.sort_by_key(|c| c.tag);
        completed.iter().map(|c| c.at.as_us()).collect()
    }

    #[test]
    fn requests_by_hand() {
        let two = spec(2, Spread::Constant);
        // 10,000 bytes take 10 us; the third waits for the first unit that is free: that of the write.
        let three = [request(Read, 10_000), request(Write, 10_000), request(Read, 10_000)];
        assert_eq!(done(&two, &three), [110.0, 30.0, 140.0]);
        // Three pieces on two units: the last, of 50,000 bytes, waits.
        assert_eq!(done(&two, &[request(Read, 250_000)]), [350.0]);
        // The link first: 10 us each.
        let link = NvmeSpec { link_bytes_per_s: Some(1e9), ..two };
        assert_eq!(done(&link, &[request(Read, 10_000), request(Read, 10_000)]), [120.0, 130.0]);
    }

    #[test]
    fn the_rate_grows_with_depth_up_to_the_units_and_the_link() {
        let rate = |spec: &NvmeSpec, depth: usize| {
            let requests = std::iter::repeat_n(request(Read, 10_000), 100_000);
            closed_loop(&mut Nvme::new(spec).unwrap(), depth, requests).unwrap().iops().unwrap()
        };
        for (depth, busy) in [(1, 1.0), (8, 8.0), (16, 16.0), (64, 16.0)] {
            for spread in [Spread::Constant, Spread::LogNormal { variation: 0.5 }, Spread::Exponential] {
                let found = rate(&spec(16, spread), depth);
                assert!((found / (busy * 1e6 / 110.0) - 1.0).abs() < 0.01, "{depth} {spread:?} {found}");
            }
        }
        let link = NvmeSpec { link_bytes_per_s: Some(5e8), ..spec(16, Spread::Constant) };
        assert!((rate(&link, 64) / 50_000.0 - 1.0).abs() < 0.001);
    }

    #[test]
    fn service_times_have_their_mean_and_spread() {
        for (spread, variation) in [
            (Spread::Exponential, 1.0),
            (Spread::LogNormal { variation: 0.3 }, 0.3),
            (Spread::LogNormal { variation: 1.5 }, 1.5),
        ] {
            let drawn: Vec<f64> = (0..400_000).map(|n| spread.factor(3, n)).collect();
            let mean = drawn.iter().sum::<f64>() / 4e5;
            let deviation = (drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4e5).sqrt();
            assert!(
                (mean - 1.0).abs() < 0.01 && (deviation / variation - 1.0).abs() < 0.03,
                "{mean} {deviation}"
            );
        }
    }

    #[test]
    fn what_is_no_drive_says_why() {
        let refused = |change: &dyn Fn(&mut NvmeSpec)| {
            let mut spec = spec(1, Spread::Constant);
            change(&mut spec);
            Nvme::new(&spec).unwrap_err().0
        };
        assert!(refused(&|s| s.units = 0).contains("0 units"));
        assert!(refused(&|s| s.piece_bytes = 0).contains("pieces of 0 bytes"));
        assert!(refused(&|s| s.read.bytes_per_s = f64::NAN).contains("NaN bytes a second"));
        assert!(refused(&|s| s.link_bytes_per_s = Some(0.0)).contains("0 bytes a second"));
        assert!(refused(&|s| s.write.latency = Picoseconds::MAX).contains("above an hour"));
        assert!(
            refused(&|s| s.read.spread = Spread::LogNormal { variation: 11.0 }).contains("variation of 11")
        );
    }

    proptest! {
        #[test]
        fn every_request_is_done_once_and_never_more_at_a_time_than_there_are_units(
            arrivals in prop::collection::vec((0..200_000_000_u64, 1..90_000_u32), 1..80),
            units in 1..6_u32,
            exponential in any::<bool>(),
        ) {
            let spec = spec(units, if exponential { Spread::Exponential } else { Spread::Constant });
            let mut drive = Nvme::new(&spec).unwrap();
            let (mut completed, mut now, mut submitted) = (Vec::new(), 0, Vec::new());
            for (tag, (gap, bytes)) in (0..).zip(&arrivals) {
                now += gap;
                submitted.push(now);
                drive.advance(Picoseconds(now), &mut completed);
                drive.submit(Picoseconds(now), tag, request(Read, *bytes));
            }
            while let Some(next) = drive.next_event() {
                drive.advance(next, &mut completed);
            }
            prop_assert!(completed.is_sorted_by_key(|c| c.at));
            completed.sort_by_key(|c| c.tag);
            prop_assert_eq!(completed.len(), arrivals.len());
            for (number, one) in (0..).zip(&completed) {
                prop_assert_eq!(one.tag, number as u64);
                let takes = (100.0 + f64::from(arrivals[number].1) / 1e3) * spec.read.spread.factor(7, number as u64);
                prop_assert!(one.at.as_us() >= Picoseconds(submitted[number]).as_us() + takes - 1e-3);
                // It begins at once, or when the unit that ends first of all before it is free.
                let begins = one.at.as_us() - takes;
                let busy = completed[..number].iter().filter(|c| c.at.as_us() > begins + 1e-3).count();
                prop_assert!(busy < units as usize, "{} {}", busy, units);
            }
        }
    }
}
