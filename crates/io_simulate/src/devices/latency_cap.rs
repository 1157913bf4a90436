//! A device of one service time and caps: the smallest that answers honestly.
//!
//! Any number of requests are served side by side, each in the latency `L`. Caps pace what is done:
//!
//! ```text
//! done(n)  = max(submitted(n) + L, next_request, next_byte)
//! next_request = done(n) + 1 / IOPS             (rounded up to a picosecond)
//! next_byte    = done(n) + bytes(n) / (bytes/s) (rounded up to a picosecond)
//! ```
//!
//! This is a token bucket that holds one token (the generic cell rate algorithm without tolerance):
//! idle time earns nothing, so no stretch of time sees more than the cap and one request. Requests are
//! done in the order in which they came.
//!
//! What follows from it, for requests of one size in a closed loop at depth `n`, with `g` the larger of
//! the two gaps: each is done in `max(L, n g)`, so the device does `min(n / L, 1 / g)` a second. At 8 ms
//! and 150 IOPS: 125 at depth 1, 150 from depth 2 on.
//!
//! Errors: rounding up makes a cap slow by less than a picosecond a request, 1.5e-10 of it at 150 IOPS,
//! a millionth at 1,000,000. Left out: the place on the device, reads against writes, a transfer time of
//! its own (a large request alone takes `L`; the next one waits for its bytes), bursts and credits, cache.

use crate::{Completion, Device, Picoseconds, Request};
use std::collections::VecDeque;
use std::fmt;

/// What makes a [`LatencyCap`]: every number is given by who asks for the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyCapSpec {
    /// What a request takes at least.
    pub latency: Picoseconds,
    /// Requests a second at most; `None` for no such cap.
    pub iops: Option<f64>,
    /// Bytes a second at most; `None` for no such cap.
    pub bytes_per_s: Option<f64>,
}

/// Why there is no such device, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchDevice(pub String);

impl fmt::Display for NoSuchDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoSuchDevice {}

/// The device.
#[derive(Debug)]
pub struct LatencyCap {
    latency: Picoseconds,
    /// Time between two requests.
    gap: Picoseconds,
    bytes_per_s: Option<f64>,
    /// Earliest times by the two caps at which the next request may be done.
    next_request: Picoseconds,
    next_byte: Picoseconds,
    /// Under way, by the time at which they are done; that is the order in which they came.
    under_way: VecDeque<Completion>,
    now: Picoseconds,
}

impl LatencyCap {
    /// The device of a specification.
    ///
    /// # Errors
    /// Where a cap is not above zero, or allows less than one request or byte in eleven days or more than
    /// 10^12 a second, or the latency is above an hour.
    pub fn new(spec: &LatencyCapSpec) -> Result<Self, NoSuchDevice> {
        let range = 1e-6..=1e12;
        for (cap, what) in [(spec.iops, "requests"), (spec.bytes_per_s, "bytes")] {
            if let Some(cap) = cap.filter(|c| !range.contains(c)) {
                return Err(NoSuchDevice(format!(
                    "a cap of {cap} {what} a second is none; it is at least 0.000001 and at most 10^12"
                )));
            }
        }
        if spec.latency.as_s() > 3_600.0 {
            return Err(NoSuchDevice(format!("a latency of {} is above an hour", spec.latency)));
        }
        Ok(Self {
            latency: spec.latency,
            gap: spec.iops.map_or(Picoseconds::ZERO, |iops| pace(1.0, iops)),
            bytes_per_s: spec.bytes_per_s,
            next_request: Picoseconds::ZERO,
            next_byte: Picoseconds::ZERO,
            under_way: VecDeque::new(),
            now: Picoseconds::ZERO,
        })
    }
}

/// What so many take at so many a second, rounded up.
fn pace(amount: f64, per_s: f64) -> Picoseconds {
    Picoseconds((amount * 1e12 / per_s).ceil() as u64)
}

impl Device for LatencyCap {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.now = self.now.max(now);
        let at = (self.now + self.latency).max(self.next_request).max(self.next_byte);
        self.next_request = at + self.gap;
        if let Some(bytes_per_s) = self.bytes_per_s {
            self.next_byte = at + pace(f64::from(request.bytes), bytes_per_s);
        }
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
