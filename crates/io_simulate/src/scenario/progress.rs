//! How far a point of a scenario has come, for whoever watches it run.

use crate::{Completion, Device, Origin, Picoseconds, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// How far a point has come. It changes nothing of what comes out.
///
/// Shape: one a point. Unit: share of its way, 0 to 1. Missing: 0 where neither a time nor a number of requests ends it.
#[derive(Debug, Default)]
pub struct Progress(AtomicU32);

/// Parts of the whole way.
const WHOLE: f64 = 1e6;

impl Progress {
    /// Share of its way.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.0.load(Ordering::Relaxed)) / WHOLE
    }

    fn set(&self, share: f64) {
        // Within its bounds, as the share is.
        self.0.store((share.clamp(0.0, 1.0) * WHOLE) as u32, Ordering::Relaxed);
    }
}

/// A device that tells how far it has come.
pub(super) struct Followed {
    pub(super) device: Box<dyn Device>,
    pub(super) progress: Arc<Progress>,
    /// When the run ends, and after how many requests, where it does.
    pub(super) until: Option<Picoseconds>,
    pub(super) requests: Option<u64>,
    pub(super) done: u64,
}

/// It is told each so many requests.
const EACH: u64 = 1_024;

impl Device for Followed {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.device.submit(now, tag, request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        self.device.submit_from(now, tag, from, request);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.device.ended(now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.device.next_event()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        let before = completed.len();
        self.device.advance(now, completed);
        let done = self.done + (completed.len() - before) as u64;
        if done / EACH != self.done / EACH {
            let by_time = self.until.map_or(0.0, |until| now.as_s() / until.as_s().max(1e-12));
            let by_count = self.requests.map_or(0.0, |all| done as f64 / all.max(1) as f64);
            self.progress.set(by_time.max(by_count));
        }
        self.done = done;
    }
}
