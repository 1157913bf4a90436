//! How far a point of a scenario has come, for whoever watches it run.

use super::observed::Observed;
use crate::{Completion, Device, Picoseconds};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// How far a point has come. It changes nothing of what comes out.
///
/// Shape: one a point. Unit: share of its way, 0 to 1. Missing: `None` where nothing says yet how long it is.
#[derive(Debug, Default)]
pub struct Progress {
    /// As bits of a share, which may be very small.
    share: AtomicU64,
    stage: AtomicU8,
}

/// What a point is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// Its drives are filled and written over, so far.
    Filling(f64),
    /// It runs, so far.
    Running(f64),
    /// It runs until its figures are sure enough: how long that takes is not known.
    Open,
}

const RUNNING: u8 = 0;
const FILLING: u8 = 1;
const OPEN: u8 = 2;

impl Progress {
    /// What it is at, and how far it has come with that.
    #[must_use]
    pub fn stage(&self) -> Stage {
        let share = f64::from_bits(self.share.load(Ordering::Relaxed));
        match self.stage.load(Ordering::Relaxed) {
            FILLING => Stage::Filling(share),
            OPEN => Stage::Open,
            _ => Stage::Running(share),
        }
    }

    fn set(&self, share: f64) {
        self.share.store(share.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
    }

    /// Drives are filled, so far.
    pub(super) fn filled(&self, share: f64) {
        self.stage.store(FILLING, Ordering::Relaxed);
        self.set(share);
    }

    /// The run begins.
    pub(super) fn begins(&self, whole: &Whole) {
        self.set(0.0);
        let ends = whole.until.is_some() || whole.requests.is_some();
        self.stage.store(if ends { RUNNING } else { OPEN }, Ordering::Relaxed);
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
    Box::new(Observed::new(device, move |_, now: Picoseconds, completed: &[Completion]| {
        let done = before + completed.len() as u64;
        if done / EACH != before / EACH {
            let by_time = whole.until.map_or(0.0, |until| now.as_s() / until.as_s().max(1e-12));
            let by_count = whole.requests.map_or(0.0, |all| done as f64 / all.max(1) as f64);
            progress.set(by_time.max(by_count));
        }
        before = done;
    }))
}
