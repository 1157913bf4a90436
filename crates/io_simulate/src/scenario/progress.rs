//! How far a point of a scenario has come, for whoever watches it run.

use super::observed::Observed;
use crate::{Completion, Device, Picoseconds};
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

/// When the run ends, and after how many requests, where it does.
pub(super) struct Whole {
    pub(super) until: Option<Picoseconds>,
    pub(super) requests: Option<u64>,
}

/// It is told each so many requests.
const EACH: u64 = 1_024;

/// A device that tells how far it has come.
pub(super) fn followed(device: Box<dyn Device>, progress: Arc<Progress>, whole: Whole) -> Box<dyn Device> {
    let mut before = 0;
    Box::new(Observed::new(device, move |_: &Box<dyn Device>, now: Picoseconds, completed: &[Completion]| {
        let done = before + completed.len() as u64;
        if done / EACH != before / EACH {
            let by_time = whole.until.map_or(0.0, |until| now.as_s() / until.as_s().max(1e-12));
            let by_count = whole.requests.map_or(0.0, |all| done as f64 / all.max(1) as f64);
            progress.set(by_time.max(by_count));
        }
        before = done;
    }))
}
