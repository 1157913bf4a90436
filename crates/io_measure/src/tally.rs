//! What a stream of a run has come to: shared by those who make its requests and the one who watches.
//!
//! It stands behind one lock, held for nanoseconds and never while a device is waited for; so what was
//! measured is at hand even where a device does not answer any more.

use crate::replay::{Coming, Replay};
use crate::scan::Scanning;
use crate::schedstat::CpuTime;
use spindle_workload::{COMMIT, Due, MOST_FAILED, Operation, Recorder, Request, Requests, Stream};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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

/// Arrivals that are drawn to say how many were not answered, at most.
const MOST_DRAWN: u64 = 10_000_000;

/// What is next.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "one a stream, and what is drawn is drawn a million times a second"
)]
pub(crate) enum Ahead {
    /// Drawn by chance or in an order.
    Drawn {
        requests: Requests,
        /// Arrivals of an open stream.
        schedule: Option<Schedule>,
    },
    /// As a trace has it.
    Replayed(Box<Replay>),
    /// Granule by granule.
    Scanned(Scanning),
}

/// A request that is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) request: Request,
    /// When it was due; `None` as soon as it can be made.
    pub(crate) due_ns: Option<u64>,
    /// Which of the files of a scan; 0 elsewhere.
    pub(crate) file: u32,
}

impl Ahead {
    /// When the next request of one of several who make them is to be made.
    #[inline]
    pub(crate) fn coming(&mut self, who: usize) -> Coming {
        match self {
            Self::Drawn { schedule: None, .. } => Coming::Now,
            Self::Drawn { schedule: Some(schedule), .. } => Coming::At(schedule.next_ns()),
            Self::Replayed(replay) => replay.coming(),
            Self::Scanned(scan) if scan.is_over(who) => Coming::Over,
            Self::Scanned(_) => Coming::Now,
        }
    }

    /// The next request, and when it was due; `None` where none is ready.
    #[inline]
    pub(crate) fn take(&mut self, who: usize) -> Option<Taken> {
        match self {
            Self::Drawn { requests, schedule } => Some(Taken {
                request: requests.draw(),
                due_ns: schedule.as_mut().map(Schedule::take),
                file: 0,
            }),
            Self::Replayed(replay) => {
                let (request, due_ns) = replay.take()?;
                Some(Taken { request, due_ns, file: 0 })
            }
            Self::Scanned(scan) => scan.take(who),
        }
    }

    /// A request taken was not made: the run ended before it was due.
    pub(crate) fn give_back(&mut self) {
        match self {
            Self::Drawn { schedule, .. } => {
                if let Some(schedule) = schedule {
                    schedule.give_back();
                }
            }
            Self::Replayed(replay) => replay.taken -= 1,
            // Its slave has gone on, and gives nothing back: nothing of a scan is due at a time.
            Self::Scanned(_) => {}
        }
    }

    fn is_over(&self) -> bool {
        matches!(self, Self::Replayed(replay) if replay.is_over())
    }
}

/// Arrivals of an open stream. Only the next one is kept: however many wait, memory stays the same.
#[derive(Debug)]
pub(crate) struct Schedule {
    due: Due,
    next_ns: u64,
    /// Requests that were taken.
    taken: u64,
}

impl Schedule {
    pub(crate) fn new(mut due: Due) -> Self {
        let next_ns = due.draw_ns() as u64;
        Self { due, next_ns, taken: 0 }
    }

    /// When the next request is due.
    pub(crate) fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Takes the next request and says when it was due.
    pub(crate) fn take(&mut self) -> u64 {
        self.taken += 1;
        std::mem::replace(&mut self.next_ns, self.due.draw_ns() as u64)
    }

    /// A request taken was not made: the run ended before it was due.
    pub(crate) fn give_back(&mut self) {
        self.taken -= 1;
    }

    /// Requests due until then; `None` where they are too many to count.
    pub(crate) fn arrived_by(&self, end_ns: u64) -> Option<u64> {
        let (mut due, mut next_ns) = (self.due.clone(), self.next_ns);
        for more in 0..MOST_DRAWN {
            if next_ns > end_ns {
                return Some(self.taken + more);
            }
            next_ns = due.draw_ns() as u64;
        }
        None
    }
}

/// What is recorded beside the requests of a stream: commits, waits.
#[derive(Debug)]
pub(crate) struct Beside {
    /// Of its own, or that of the stream and what it is.
    pub(crate) name: Option<&'static str>,
    pub(crate) operation: &'static str,
    pub(crate) recorder: Recorder,
}

impl Beside {
    /// Commits of a log.
    pub(crate) fn commits() -> Self {
        Self { name: None, operation: COMMIT, recorder: Recorder::new() }
    }

    pub(crate) fn named(name: &'static str, operation: &'static str) -> Self {
        Self { name: Some(name), operation, recorder: Recorder::new() }
    }
}

/// What a stream has come to.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) ahead: Ahead,
    pub(crate) recorder: Recorder,
    /// What is recorded beside its requests.
    pub(crate) besides: Vec<Beside>,
    /// Requests that may still begin once the warm-up is over.
    pub(crate) left: Option<u64>,
    pub(crate) under_way: u64,
    /// Requests that a thread took before they were due, and that are not answered.
    pub(crate) early: u64,
    /// Requests that ended before the run did, well or not, counted or not.
    pub(crate) answered: u64,
    /// When the first request was handed over: the time before, in which threads come up, is none of the device.
    pub(crate) first_ns: u64,
    /// When the last request that counts ended.
    pub(crate) last_ns: u64,
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) failed: u64,
    /// The engine itself failed.
    pub(crate) broken: bool,
    pub(crate) cpu: CpuTime,
    /// Lifetime of the threads that `cpu` is of.
    pub(crate) threads_ns: u64,
}

impl Tally {
    pub(crate) fn new(ahead: Ahead, left: Option<u64>) -> Self {
        Self {
            ahead,
            recorder: Recorder::new(),
            besides: Vec::new(),
            left,
            under_way: 0,
            early: 0,
            answered: 0,
            first_ns: u64::MAX,
            last_ns: 0,
            errors: BTreeMap::new(),
            failed: 0,
            broken: false,
            cpu: CpuTime::default(),
            threads_ns: 0,
        }
    }

    /// Of a stream: reads and writes of a mix are told apart.
    pub(crate) fn of(stream: &Stream, ahead: Ahead, left: Option<u64>) -> Self {
        let recorder = if stream.is_mix() { Recorder::apart() } else { Recorder::new() };
        Self { recorder, ..Self::new(ahead, left) }
    }

    /// May another request begin?
    #[inline]
    pub(crate) fn may_begin(&self) -> bool {
        self.left != Some(0) && self.failed < MOST_FAILED && !self.broken && !self.ahead.is_over()
    }

    /// All that there was to do is done: a count, or a trace.
    pub(crate) fn is_done(&self) -> bool {
        (self.left == Some(0) || self.ahead.is_over()) && self.under_way == 0
    }

    /// A request begins.
    #[inline]
    pub(crate) fn begin(&mut self, warming_up: bool) {
        if !warming_up && let Some(left) = &mut self.left {
            *left -= 1;
        }
        self.under_way += 1;
    }

    /// A request ended well. What ends before the warm-up or after the end does not count.
    #[inline]
    pub(crate) fn done(
        &mut self,
        clock: &RunClock,
        at_ns: u64,
        latency_ns: u64,
        (operation, bytes): (Operation, u32),
    ) {
        self.under_way -= 1;
        if at_ns > clock.end_ns() {
            return;
        }
        self.answered += 1;
        self.first_ns = self.first_ns.min(at_ns.saturating_sub(latency_ns));
        if at_ns >= clock.warm_ns {
            self.last_ns = self.last_ns.max(at_ns);
            self.recorder.record(at_ns - clock.warm_ns, latency_ns, bytes);
            if operation == Operation::Write {
                self.recorder.was_write(latency_ns, bytes);
            }
        }
    }

    /// Something ended well that is recorded beside the requests, where it counts.
    pub(crate) fn beside(&mut self, which: usize, clock: &RunClock, at_ns: u64, took_ns: u64, bytes: u32) {
        if let Some(one) = self.besides.get_mut(which)
            && (clock.warm_ns..=clock.end_ns()).contains(&at_ns)
        {
            one.recorder.record(at_ns - clock.warm_ns, took_ns, bytes);
        }
    }

    /// A request failed. It counts whenever that was.
    #[cold]
    pub(crate) fn failed(&mut self, why: String) {
        self.under_way -= 1;
        self.answered += 1;
        self.failed += 1;
        // When it began is not known here, and the time of an error counts.
        self.first_ns = 0;
        *self.errors.entry(why).or_default() += 1;
    }

    /// Nothing begins any more, and nothing is under way.
    pub(crate) fn is_over(&self) -> bool {
        !self.may_begin() && (self.under_way == 0 || self.broken)
    }

    /// From when the time of the run counts for this stream: not before its first request, where answers and not a
    /// clock let requests begin.
    pub(crate) fn counted_from_ns(&self, clock: &RunClock, closed: bool) -> u64 {
        match self.first_ns {
            first_ns if closed && first_ns < u64::MAX => clock.warm_ns.max(first_ns),
            _ => clock.warm_ns,
        }
    }

    /// Requests that have arrived by now and are not answered, where nobody waits for answers before more arrive.
    pub(crate) fn behind(&self, now_ns: u64) -> Option<u64> {
        let arrived = match &self.ahead {
            Ahead::Drawn { schedule, .. } => schedule.as_ref()?.arrived_by(now_ns)?,
            Ahead::Replayed(replay) => replay.known_by(now_ns)?,
            Ahead::Scanned(_) => return None,
        };
        Some(arrived.saturating_sub(self.answered + self.early))
    }

    /// Requests that had arrived by the end of an open stream, and how many of them were not answered.
    pub(crate) fn unserved(&mut self, end_ns: u64) -> Option<(u64, u64)> {
        let given_up = self.left == Some(0) || self.failed >= MOST_FAILED || self.broken;
        if given_up {
            return None;
        }
        let arrived = match &mut self.ahead {
            Ahead::Drawn { schedule, .. } => schedule.as_ref()?.arrived_by(end_ns)?,
            Ahead::Replayed(replay) => replay.arrived_by(end_ns)?,
            Ahead::Scanned(_) => return None,
        };
        Some((arrived, arrived.saturating_sub(self.answered)))
    }
}

/// Of a lock: what a thread that panicked left is whole, each change being one record.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Schedule;
    use spindle_workload::{Arrivals, Seeded};

    #[test]
    fn arrivals_are_counted_whether_taken_or_not() {
        let due = || Arrivals::Open { iops: 1_000.0, poisson: false }.due(Seeded::new(1, 0)).unwrap();
        let mut schedule = Schedule::new(due());
        assert_eq!(schedule.arrived_by(10_000_000), Some(10));
        assert_eq!((schedule.take(), schedule.take(), schedule.next_ns()), (1_000_000, 2_000_000, 3_000_000));
        assert_eq!(schedule.arrived_by(10_000_000), Some(10));
        schedule.take();
        schedule.give_back();
        assert_eq!(schedule.arrived_by(2_500_000), Some(2));
        assert_eq!(schedule.arrived_by(u64::MAX), None);
    }
}
