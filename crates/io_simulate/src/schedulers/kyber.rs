//! kyber of today: reads and writes in lines of their own, and fewer at once of those that can bear it.
//!
//! - Each way is first come, first served. Up to 16 reads go, then up to 8 writes, and again.
//! - At most 256 reads and 128 writes are in the driver.
//! - Ten times a second, where at least 500 requests were seen or a second has passed, latencies are looked at: targets are
//!   2 ms for a read, 10 ms for a write. Where the 90th percentile of one way's time in the device is above its target the
//!   device is congested, and the other's depth is cut to the share of its target that the 99th percentile of its time from
//!   queueing to end takes; a way whose 99th percentile is above its target gets more, up to the double, again.
//!
//! Latencies are kept in eighths of two targets. The kernel's other two ways, discards and the rest, with depths of 64 and
//! 16, have no requests here.
//!
//! Source: kyber-iosched.c of 4.20 and later [R]; depths and targets as on the reference's page of schedulers. Left out:
//! what waits while tokens are spent is looked at again when a request is done, not by a timer.

use super::deadline::way;
use super::{Queued, Scheduler, ms};
use crate::Picoseconds;
use std::collections::VecDeque;

/// Its numbers; reads first, then writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KyberSpec {
    /// Latencies to hold [S].
    pub targets: [Picoseconds; 2],
    /// Requests in the driver, at most [S].
    pub depths: [u32; 2],
    /// Requests one after the other, at most [R].
    pub batches: [u32; 2],
    /// How often latencies are looked at [R].
    pub looks: Picoseconds,
    /// Requests that are enough to look at [R].
    pub enough: u32,
    /// Or so long after the first of them [R].
    pub after: Picoseconds,
}

impl Default for KyberSpec {
    fn default() -> Self {
        Self {
            targets: [ms(2), ms(10)],
            depths: [256, 128],
            batches: [16, 8],
            looks: ms(100),
            enough: 500,
            after: ms(1_000),
        }
    }
}

/// Eighths of two targets; those from the fifth on are above the target.
const BUCKETS: usize = 8;
const GOOD: usize = 4;

/// Latencies, by quarters of the target.
#[derive(Debug, Default)]
struct Latencies {
    counts: [u32; BUCKETS],
    first: Option<Picoseconds>,
}

impl Latencies {
    fn add(&mut self, now: Picoseconds, took: Picoseconds, target: Picoseconds) {
        let quarter = (target.0 / 4).max(1);
        let bucket =
            usize::try_from(took.0.saturating_sub(1) / quarter).map_or(BUCKETS - 1, |b| b.min(BUCKETS - 1));
        self.counts[bucket] += 1;
        self.first.get_or_insert(now);
    }

    /// The bucket of a percentile, where enough was seen; then it begins anew.
    fn percentile(&mut self, spec: &KyberSpec, now: Picoseconds, percent: u32) -> Option<usize> {
        let all: u32 = self.counts.iter().sum();
        let long = self.first.is_some_and(|first| first + spec.after <= now);
        if all == 0 || (all < spec.enough && !long) {
            return None;
        }
        let mut wanted = (u64::from(all) * u64::from(percent)).div_ceil(100);
        let mut bucket = BUCKETS - 1;
        for (number, count) in self.counts.iter().enumerate() {
            if u64::from(*count) >= wanted {
                bucket = number;
                break;
            }
            wanted -= u64::from(*count);
        }
        *self = Self::default();
        Some(bucket)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    way: usize,
    queued: Picoseconds,
    began: Picoseconds,
}

/// The scheduler.
#[derive(Debug)]
pub struct Kyber {
    spec: KyberSpec,
    lines: [VecDeque<usize>; 2],
    times: Vec<Times>,
    depths: [u32; 2],
    in_driver: [u32; 2],
    way: usize,
    batched: u32,
    /// From queueing to end, and in the device.
    total: [Latencies; 2],
    inside: [Latencies; 2],
    /// The 99th percentiles that were not acted upon.
    kept: [Option<usize>; 2],
    look_at: Option<Picoseconds>,
}

impl Kyber {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: KyberSpec) -> Self {
        Self {
            spec,
            lines: <[VecDeque<usize>; 2]>::default(),
            times: Vec::new(),
            depths: spec.depths,
            in_driver: [0; 2],
            way: 0,
            batched: 0,
            total: <[Latencies; 2]>::default(),
            inside: <[Latencies; 2]>::default(),
            kept: [None; 2],
            look_at: None,
        }
    }

    /// Reads and writes that may be in the driver now.
    #[must_use]
    pub fn depths(&self) -> [u32; 2] {
        self.depths
    }

    fn look(&mut self, now: Picoseconds) {
        if self.look_at.is_none_or(|at| now < at) {
            return;
        }
        self.look_at = None;
        let mut congested = false;
        for way in 0..2 {
            let slow = self.inside[way].percentile(&self.spec, now, 90).is_some_and(|b| b >= GOOD);
            congested = congested || slow;
        }
        for way in 0..2 {
            let mut found = self.total[way].percentile(&self.spec, now, 99);
            if congested {
                // What was not acted upon before counts now, once.
                let kept = self.kept[way].take();
                found = found.or(kept);
            } else if found.is_some() {
                self.kept[way] = found;
            }
            if let Some(bucket) = found.filter(|b| congested || *b >= GOOD) {
                let depth = u64::from(self.depths[way]) * (bucket as u64 + 1) / 4;
                self.depths[way] =
                    u32::try_from(depth).unwrap_or(u32::MAX).clamp(1, self.spec.depths[way].max(1));
            }
        }
    }

    fn of_way(&mut self, way: usize) -> Option<usize> {
        if self.in_driver[way] >= self.depths[way] { None } else { self.lines[way].pop_front() }
    }
}

impl Scheduler for Kyber {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        if id >= self.times.len() {
            self.times.resize(id + 1, Times::default());
        }
        let way = way(request);
        self.times[id] = Times { way, queued: now, began: now };
        self.lines[way].push_back(id);
    }

    fn grown(&mut self, _id: usize, _request: &Queued) {}

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        self.look(now);
        let going_on = if self.batched < self.spec.batches[self.way] { self.of_way(self.way) } else { None };
        let id = going_on.or_else(|| {
            self.batched = 0;
            (0..2).find_map(|_| {
                self.way = 1 - self.way;
                self.of_way(self.way)
            })
        })?;
        self.batched += 1;
        self.in_driver[self.way] += 1;
        self.times[id].began = now;
        Some(id)
    }

    fn wakes(&self) -> Option<Picoseconds> {
        None
    }

    fn done(&mut self, now: Picoseconds, id: usize) {
        self.look(now);
        let Times { way, queued, began } = self.times[id];
        self.in_driver[way] = self.in_driver[way].saturating_sub(1);
        let target = self.spec.targets[way];
        self.total[way].add(now, now - queued, target);
        self.inside[way].add(now, now - began, target);
        let at = now + self.spec.looks;
        self.look_at = Some(self.look_at.map_or(at, |look_at| look_at.min(at)));
    }
}
