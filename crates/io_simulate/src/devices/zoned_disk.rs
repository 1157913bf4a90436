//! A disk of zones with one arm: fast outside, slow inside, and the further the arm has to go the longer.
//!
//! One request at a time, in the order in which they come:
//!
//! ```text
//! done(n)    = max(submitted(n), done(n-1)) + position(n) + bytes(n) / rate(offset(n))
//! position   = 0 where a request begins where the last one ended, else
//!              latency + track + (full - track) * sqrt(distance / size)
//! rate(x)    = outer - (outer - inner) * x / size
//! ```
//!
//! `latency` is half a turn and what a command costs; `track` and `full` are seeks to the next track and over
//! the whole disk; distance is from the end of the last request to the begin of this one, the arm starts
//! at 0. The square root is the seek of an arm that speeds up half of the way and slows down on the other half
//! (Ruemmler and Wilkes, "An introduction to disk drive modeling", 1994, for seeks that are not long; a long
//! one coasts and grows linearly, which is left out).
//!
//! What follows: random requests over the first share `s` of the disk lie `s / 3` apart on average, and the
//! mean of the square root is `8 / 15 * sqrt(s)`; so a request takes `latency + track + (full - track) *
//! 8 / 15 * sqrt(s)` and its transfer.
//!
//! Left out: where the platter is in its turn, queues in another order than they came, the disk's cache and
//! read-ahead, steps between zones, bad sectors.

use super::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Picoseconds, Request};
use std::collections::VecDeque;

/// What makes a [`ZonedDisk`]: every number is given by who asks for the disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZonedDiskSpec {
    /// Half a turn and the cost of a command.
    pub latency: Picoseconds,
    /// Bytes a second at the first byte.
    pub outer_bytes_per_s: f64,
    /// Bytes a second at the last byte.
    pub inner_bytes_per_s: f64,
    /// Seek to the next track.
    pub track_seek: Picoseconds,
    /// Seek over the whole disk.
    pub full_seek: Picoseconds,
    /// Bytes of the disk.
    pub bytes: u64,
}

/// The disk.
#[derive(Debug)]
pub struct ZonedDisk {
    spec: ZonedDiskSpec,
    /// Where the last request ended.
    arm: u64,
    /// When the last request is done.
    free: Picoseconds,
    /// Under way, in the order in which they came.
    under_way: VecDeque<Completion>,
    now: Picoseconds,
}

impl ZonedDisk {
    /// The disk of a specification.
    ///
    /// # Errors
    /// Where it has no bytes, a rate is not between 1 and 10^12 bytes a second, a time is above an hour, or a
    /// seek to the next track takes longer than one over the whole disk.
    pub fn new(spec: &ZonedDiskSpec) -> Result<Self, NoSuchDevice> {
        let range = 1.0..=1e12;
        for rate in [spec.outer_bytes_per_s, spec.inner_bytes_per_s] {
            if !range.contains(&rate) {
                return Err(NoSuchDevice(format!(
                    "a zone of {rate} bytes a second is none; it has at least 1 and at most 10^12"
                )));
            }
        }
        for time in [spec.latency, spec.track_seek, spec.full_seek] {
            if time.as_s() > 3_600.0 {
                return Err(NoSuchDevice(format!("a latency or seek of {time} is above an hour")));
            }
        }
        if spec.track_seek > spec.full_seek {
            return Err(NoSuchDevice(format!(
                "a seek to the next track ({}) takes longer than one over the whole disk ({})",
                spec.track_seek, spec.full_seek
            )));
        }
        if spec.bytes == 0 {
            return Err(NoSuchDevice("a disk without bytes is none".to_owned()));
        }
        Ok(Self {
            spec: *spec,
            arm: 0,
            free: Picoseconds::ZERO,
            under_way: VecDeque::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// What a request takes once it is its turn.
    fn service(&self, request: Request) -> Picoseconds {
        let spec = &self.spec;
        let share = |bytes: u64| bytes as f64 / spec.bytes as f64;
        let position = if request.offset == self.arm {
            Picoseconds::ZERO
        } else {
            let far = share(request.offset.abs_diff(self.arm)).min(1.0).sqrt();
            let more = (spec.full_seek - spec.track_seek).as_us() * far;
            spec.latency + spec.track_seek + Picoseconds::from_us(more)
        };
        let slower = spec.outer_bytes_per_s - spec.inner_bytes_per_s;
        let rate = spec.outer_bytes_per_s - slower * share(request.offset).min(1.0);
        position + Picoseconds((f64::from(request.bytes) * 1e12 / rate).ceil() as u64)
    }
}

impl Device for ZonedDisk {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.now = self.now.max(now);
        let at = self.now.max(self.free) + self.service(request);
        self.arm = request.offset + u64::from(request.bytes);
        self.free = at;
        self.under_way.push_back(Completion { tag, at });
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.under_way.front().map(|first| first.at)
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.now = self.now.max(now);
        let done = self.under_way.partition_point(|one| one.at <= self.now);
        completed.extend(self.under_way.drain(..done));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Operation, closed_loop};
    use spindle_workload::Seeded;

    fn spec() -> ZonedDiskSpec {
        ZonedDiskSpec {
            latency: Picoseconds::from_us(4_000.0),
            outer_bytes_per_s: 200e6,
            inner_bytes_per_s: 100e6,
            track_seek: Picoseconds::from_us(1_000.0),
            full_seek: Picoseconds::from_us(16_000.0),
            bytes: 1 << 30,
        }
    }

    fn read(offset: u64, bytes: u32) -> Request {
        Request { operation: Operation::Read, offset, bytes }
    }

    #[test]
    fn a_request_by_hand() {
        let mut disk = ZonedDisk::new(&spec()).unwrap();
        // From 0 to a quarter: half of the way from track to full, 4 + 1 + 7.5 ms, at 175 MB/s.
        disk.submit(Picoseconds::ZERO, 0, read(1 << 28, 1_750_000));
        // On from there: its transfer alone, a little slower.
        disk.submit(Picoseconds::ZERO, 1, read((1 << 28) + 1_750_000, 1_750_000));
        let mut done = Vec::new();
        disk.advance(Picoseconds::SECOND, &mut done);
        assert_eq!(done[0].at, Picoseconds::from_us(12_500.0 + 10_000.0));
        let second = (done[1].at - done[0].at).as_us();
        assert!((10_000.0..10_020.0).contains(&second), "{second}");
    }

    #[test]
    fn random_reads_of_a_share_take_what_the_formula_says() {
        for share in [0.05, 0.25, 1.0] {
            let mut disk = ZonedDisk::new(&spec()).unwrap();
            let blocks = (share * (1 << 30) as f64 / 8_192.0) as u64;
            let mut random = Seeded::new(7, 0);
            let requests = (0..20_000).map(|_| read(random.below(blocks) * 8_192, 8_192));
            let run = closed_loop(&mut disk, 1, requests).unwrap();
            let mean = run.served.iter().map(|s| s.latency().as_us()).sum::<f64>() / 20_000.0;
            let seek = 1_000.0 + 15_000.0 * 8.0 / 15.0 * f64::sqrt(share);
            // 8 KiB at 100 to 200 MB/s: 41 to 82 us.
            let transfer = 8_192.0 / (200.0 - 100.0 * share / 2.0);
            assert!((mean / (4_000.0 + seek + transfer) - 1.0).abs() < 0.01, "{share}: {mean}");
        }
    }

    #[test]
    fn one_arm_serves_one_at_a_time() {
        let mut random = Seeded::new(7, 0);
        let requests: Vec<Request> = (0..500).map(|_| read(random.below(1 << 17) * 8_192, 8_192)).collect();
        let end = |depth: usize| {
            let mut disk = ZonedDisk::new(&spec()).unwrap();
            let run = closed_loop(&mut disk, depth, requests.iter().copied()).unwrap();
            assert_eq!(run.served.len(), 500);
            run.served.last().unwrap().done
        };
        assert_eq!(end(1), end(32));
    }

    #[test]
    fn what_is_no_disk_says_why() {
        let refused = |change: &dyn Fn(&mut ZonedDiskSpec)| {
            let mut spec = spec();
            change(&mut spec);
            ZonedDisk::new(&spec).unwrap_err().0
        };
        assert!(refused(&|s| s.inner_bytes_per_s = 0.0).contains("0 bytes a second"));
        assert!(refused(&|s| s.outer_bytes_per_s = f64::NAN).contains("NaN bytes a second"));
        assert!(refused(&|s| s.full_seek = Picoseconds::ZERO).contains("takes longer than one over"));
        assert!(refused(&|s| s.latency = Picoseconds::MAX).contains("above an hour"));
        assert!(refused(&|s| s.bytes = 0).contains("without bytes"));
    }
}
