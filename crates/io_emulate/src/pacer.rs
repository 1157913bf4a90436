//! A modelled device on the real clock: each answer leaves when the device is done.
//!
//! One thread waits for the next event, sleeping until shortly before and then watching the clock, for
//! sleeping alone is late by what the scheduler takes. A device that has nothing to do costs nothing.

use crate::Lateness;
use spindle_io_simulate::{Device, Picoseconds, Request};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The clock is watched for so long before an event. Waking up takes 50 microseconds more often than
/// not; more watching would take processor time from the programs that use the device.
const WATCH: Duration = Duration::from_micros(60);

/// A device on the real clock. Answers are whatever is handed over when a request is done.
pub(crate) struct Pacer<A> {
    begun: Instant,
    state: Mutex<State<A>>,
    changed: Condvar,
    /// Held while answers are handed over: who got one finds it counted.
    lateness: Mutex<Lateness>,
}

struct State<A> {
    device: Box<dyn Device + Send>,
    waiting: HashMap<u64, A>,
    next_tag: u64,
    ended: bool,
}

impl<A: Send + 'static> Pacer<A> {
    /// Starts the thread that hands over answers.
    pub(crate) fn start(
        device: Box<dyn Device + Send>,
        hand_over: impl Fn(A) + Send + 'static,
    ) -> std::io::Result<Arc<Self>> {
        let state = State { device, waiting: HashMap::new(), next_tag: 0, ended: false };
        let pacer = Arc::new(Self {
            begun: Instant::now(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            lateness: Mutex::default(),
        });
        let own = Arc::clone(&pacer);
        std::thread::Builder::new().name("pacer".to_owned()).spawn(move || {
            // However the thread ends, nobody waits for it any more.
            let _end = End(&own);
            own.run(&hand_over);
        })?;
        Ok(pacer)
    }

    /// The time of the device.
    pub(crate) fn now(&self) -> Picoseconds {
        self.begun.elapsed().into()
    }

    /// Gives the device a request that came in at some time; the answer is handed over when it is done, or
    /// dropped where that will never be.
    pub(crate) fn submit(&self, came: Picoseconds, request: Request, answer: A) {
        let mut state = self.lock();
        if state.ended {
            return;
        }
        let tag = state.next_tag;
        state.next_tag += 1;
        let before = state.device.next_event();
        state.device.submit(came, tag, request);
        state.waiting.insert(tag, answer);
        if state.device.next_event() != before {
            self.changed.notify_one();
        }
    }

    pub(crate) fn lateness(&self) -> Lateness {
        self.counted().clone()
    }

    /// Ends the thread; answers that wait are dropped.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State<A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counted(&self) -> MutexGuard<'_, Lateness> {
        self.lateness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, hand_over: &impl Fn(A)) {
        // Without this the kernel adds up to 50 microseconds to every sleep.
        let _ = nix::sys::prctl::set_timerslack(1);
        let mut completed = Vec::new();
        let mut answers = Vec::new();
        let mut state = self.lock();
        while !state.ended {
            state.device.advance(self.now(), &mut completed);
            if !completed.is_empty() {
                let waiting = &mut state.waiting;
                answers.extend(completed.drain(..).filter_map(|c| Some((c.at, waiting.remove(&c.tag)?))));
                drop(state);
                let mut lateness = self.counted();
                for (at, answer) in answers.drain(..) {
                    hand_over(answer);
                    lateness.count(self.begun.elapsed().saturating_sub(at.to_duration()));
                }
                drop(lateness);
                state = self.lock();
                continue;
            }
            state = match state.device.next_event() {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(next) => {
                    let left = (next - self.now()).to_duration();
                    if left > WATCH {
                        let waited = self.changed.wait_timeout(state, left - WATCH);
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    } else {
                        drop(state);
                        while self.now() < next {
                            std::hint::spin_loop();
                        }
                        self.lock()
                    }
                }
            };
        }
    }
}

/// Ends a pacer with the thread that has it.
struct End<'a, A: Send + 'static>(&'a Pacer<A>);

impl<A: Send + 'static> Drop for End<'_, A> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Pacer;
    use spindle_io_simulate::{
        Completion, Device, LatencyCap, LatencyCapSpec, Operation, Picoseconds, Request,
    };
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    const READ: Request = Request { operation: Operation::Read, offset: 0, bytes: 512 };

    #[test]
    fn answers_come_in_the_order_of_the_device_and_never_early() {
        let spec =
            LatencyCapSpec { latency: Picoseconds::from_us(3_000.0), iops: Some(1_000.0), bytes_per_s: None };
        let (done, all_done) = channel();
        let device = Box::new(LatencyCap::new(&spec).unwrap());
        let pacer = Pacer::start(device, move |n: u32| done.send(n).unwrap()).unwrap();
        let begun = pacer.now();
        for n in 0..20 {
            pacer.submit(pacer.now(), READ, n);
        }
        for n in 0..20 {
            assert_eq!(all_done.recv_timeout(Duration::from_secs(60)).unwrap(), n);
            assert!(pacer.now() >= begun + Picoseconds::from_us(3_000.0 + 1_000.0 * f64::from(n)));
        }
        pacer.end();
        pacer.submit(pacer.now(), READ, 20);
        // The thread ends and drops what it hands answers over with.
        assert!(all_done.recv_timeout(Duration::from_secs(60)).is_err());
        assert!(pacer.lateness().answers() <= 20);
    }

    struct Faulty;

    impl Device for Faulty {
        fn submit(&mut self, _: Picoseconds, _: u64, _: Request) {}

        fn next_event(&self) -> Option<Picoseconds> {
            Some(Picoseconds::ZERO)
        }

        fn advance(&mut self, _: Picoseconds, _: &mut Vec<Completion>) {
            std::thread::sleep(Duration::from_millis(50));
            std::panic::resume_unwind(Box::new("a fault of the device"));
        }
    }

    #[test]
    fn a_device_that_fails_lets_nobody_wait() {
        let (done, all_done) = channel::<()>();
        let pacer = Pacer::start(Box::new(Faulty), |_| ()).unwrap();
        // Dropped, the answer says so; here as in the kernel's.
        for _ in 0..2 {
            pacer.submit(pacer.now(), READ, done.clone());
            std::thread::sleep(Duration::from_millis(100));
        }
        drop(done);
        assert!(all_done.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Disconnected));
    }
}
