//! What a stream of a run has come to: shared by those who make its requests and the one who watches.
//!
//! It stands behind one lock, held for nanoseconds and never while a device is waited for; so what was
//! measured is at hand even where a device does not answer any more.

use crate::schedstat::CpuTime;
use spindle_workload::Recorder;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A stream whose requests fail so often ends.
const MOST_ERRORS: u64 = 1_000;

/// The time of a run: one clock for all of its streams, nanoseconds from its beginning.
#[derive(Debug)]
pub(crate) struct RunClock {
    begun: Instant,
    /// What ends before is not recorded.
    pub(crate) warm_ns: u64,
    end_ns: AtomicU64,
}

/// Nanoseconds of a duration; 584 years are enough.
#[allow(clippy::cast_possible_truncation, reason = "see above")]
pub(crate) fn ns(duration: Duration) -> u64 {
    duration.as_nanos() as u64
}

impl RunClock {
    pub(crate) fn start(warm_s: f64, seconds: Option<f64>) -> Self {
        let warm_ns = ns(Duration::try_from_secs_f64(warm_s).unwrap_or_default());
        let length = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).map_or(u64::MAX, ns);
        Self { begun: Instant::now(), warm_ns, end_ns: AtomicU64::new(warm_ns.saturating_add(length)) }
    }

    pub(crate) fn now_ns(&self) -> u64 {
        ns(self.begun.elapsed())
    }

    /// When the run ends, as far as that is known.
    pub(crate) fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::Relaxed)
    }

    pub(crate) fn end_now(&self) {
        self.end_ns.fetch_min(self.now_ns(), Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.now_ns() >= self.end_ns()
    }
}

/// What a stream has come to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) recorder: Recorder,
    /// Requests that may still begin once the warm-up is over.
    pub(crate) left: Option<u64>,
    pub(crate) under_way: u64,
    /// Requests that ended before the run did, well or not, counted or not.
    pub(crate) answered: u64,
    /// When the last request that counts ended.
    pub(crate) last_ns: u64,
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) failed: u64,
    /// Requests that had arrived by the end and were not answered; open streams only.
    pub(crate) unserved: Option<u64>,
    pub(crate) cpu: CpuTime,
    /// Lifetime of the threads that `cpu` is of.
    pub(crate) threads_ns: u64,
}

impl Tally {
    /// Takes a request that may begin.
    pub(crate) fn take(&mut self, warming_up: bool) -> bool {
        if self.failed >= MOST_ERRORS || self.left == Some(0) {
            return false;
        }
        if !warming_up && let Some(left) = &mut self.left {
            *left -= 1;
        }
        self.under_way += 1;
        true
    }

    /// A request ended well. What ends before the warm-up or after the end does not count.
    #[inline]
    pub(crate) fn done(&mut self, clock: &RunClock, at_ns: u64, latency_ns: u64, bytes: u32) {
        self.under_way -= 1;
        if at_ns > clock.end_ns() {
            return;
        }
        self.answered += 1;
        if at_ns >= clock.warm_ns {
            self.last_ns = self.last_ns.max(at_ns);
            self.recorder.record(at_ns - clock.warm_ns, latency_ns, bytes);
        }
    }

    /// A request failed. It counts whenever that was.
    #[cold]
    pub(crate) fn failed(&mut self, why: String) {
        self.under_way -= 1;
        self.answered += 1;
        self.failed += 1;
        *self.errors.entry(why).or_default() += 1;
    }

    /// Nothing begins any more, and nothing is under way.
    pub(crate) fn is_over(&self) -> bool {
        (self.left == Some(0) || self.failed >= MOST_ERRORS) && self.under_way == 0
    }
}

/// Of a lock: what a thread that panicked left is whole, each change being one record.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
