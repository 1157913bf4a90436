//! A closed loop: so many requests under way, each one done makes room for the next at once.

use crate::{Device, Picoseconds, Request};
use rustc_hash::FxHashMap;
use std::fmt;

/// A request that was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Its number in the order of submission, from 0.
    pub number: u64,
    /// What was asked.
    pub request: Request,
    /// When the device got it.
    pub submitted: Picoseconds,
    /// When it was done.
    pub done: Picoseconds,
}

impl Served {
    /// What it took, from submission.
    #[must_use]
    pub fn latency(&self) -> Picoseconds {
        self.done - self.submitted
    }
}

/// What a loop saw, in the order in which requests were done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Every request, once.
    pub served: Vec<Served>,
}

impl Run {
    /// Requests a second from the first to the last that was done; the first counts as the start and not
    /// as work. `None` where fewer than two were done, or all at one time.
    #[must_use]
    pub fn iops(&self) -> Option<f64> {
        let took = self.served.last()?.done - self.served.first()?.done;
        (took > Picoseconds::ZERO).then(|| (self.served.len() - 1) as f64 / took.as_s())
    }

    /// Bytes a second, likewise.
    #[must_use]
    pub fn bytes_per_s(&self) -> Option<f64> {
        let bytes: f64 = self.served.iter().skip(1).map(|s| f64::from(s.request.bytes)).sum();
        self.iops().map(|iops| iops * bytes / (self.served.len() - 1) as f64)
    }
}

/// A device has requests under way and says that nothing will happen: a fault of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stalled {
    /// Requests that were never done.
    pub under_way: usize,
}

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the device never serves {} of the requests that it has", self.under_way)
    }
}

impl std::error::Error for Stalled {}

/// Keeps `depth` requests under way on a new device until `requests` ends and all are served.
///
/// # Errors
/// Where the device stalls.
pub fn closed_loop(
    device: &mut impl Device,
    depth: usize,
    requests: impl IntoIterator<Item = Request>,
) -> Result<Run, Stalled> {
    // Only looked up by number: its order decides nothing.
    let mut under_way: FxHashMap<u64, Served> = FxHashMap::default();
    let mut requests = (0..).zip(requests);
    let mut run = Run::default();
    let mut completed = Vec::new();
    let mut now = Picoseconds::ZERO;
    loop {
        while under_way.len() < depth.max(1)
            && let Some((number, request)) = requests.next()
        {
            device.submit(now, number, request);
            under_way.insert(number, Served { number, request, submitted: now, done: now });
        }
        if under_way.is_empty() {
            return Ok(run);
        }
        now = device.next_event().ok_or(Stalled { under_way: under_way.len() })?.max(now);
        device.advance(now, &mut completed);
        for done in completed.drain(..) {
            if let Some(served) = under_way.remove(&done.tag) {
                run.served.push(Served { done: done.at, ..served });
            }
        }
    }
}
