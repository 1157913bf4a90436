//! What happens when: the one loop that keeps the requests of a stream under way, whatever makes them.
//!
//! It begins requests in batches, waits, takes in what has ended, and begins what follows. Clock and lock
//! cost once a batch, not once a request: all of a batch is handed over at one time, and all that is found
//! done was done at the time of looking. Nothing is allocated while it goes on.

use crate::replay::Coming;
use crate::tally::{RunClock, Tally, lock};
use crate::target::Members;
use crate::threads::short;
use spindle_workload::{Arrivals, Flush, Operation, Seeded, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Requests handed over at once, at most.
pub(crate) const BATCH: usize = 32;
/// Answers that a wait is for, at most.
pub(crate) const MOST_AWAITED: usize = 16;
/// Of the requests under way so large a part, at most, may have ended before a wait does.
const AWAITED_PART: usize = 16;
/// A wait for several answers may take so much longer than one for the first of them, by the rate at which they come.
const MOST_LATER_NS: u64 = 16_000;
/// Answers that follow each other so soon end a wait by themselves.
const FAST_NS: u64 = 100_000;
/// Answers by which that rate is known.
const RATE_OF: u64 = 64;
/// Waiting after the end, or for cancelled requests, is looked at this often.
const LOOK: Duration = Duration::from_millis(20);
/// A trace that is not read yet is looked at again after this.
const READ_AGAIN_NS: u64 = 500_000;
/// How long cancelled requests are waited for.
const CANCELLING: Duration = Duration::from_millis(200);

/// A part of a request, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Read { slot: u32, device: u32, offset: u64, from: u32, bytes: u32 },
    Write { slot: u32, device: u32, offset: u64, from: u32, bytes: u32, dsync: bool, fresh: bool },
    Flush { slot: u32 },
}

/// What makes requests.
pub(crate) trait Backend {
    /// Takes a part; it is handed over with the next `enter`. Parts of a slot that are under way at a time lie on
    /// different places of its memory.
    fn push(&mut self, part: Part);
    /// Hands over what was pushed, and waits until so many parts have ended or the time is up; not at all for none.
    fn enter(&mut self, least: usize, timeout: Option<Duration>) -> io::Result<()>;
    /// Adds what has ended: slots, with bytes done or an error's number below zero.
    fn collect(&mut self, into: &mut Vec<(u32, i32)>);
    /// Asks for what is under way to be given up.
    fn cancel(&mut self);
}

/// A request under way.
#[derive(Clone, Copy)]
struct Slot {
    start_ns: u64,
    offset: u64,
    bytes: u32,
    done: u32,
    operation: Operation,
    flushing: bool,
    /// Which of several files.
    file: u32,
    /// Pieces on the devices of a volume that are under way; 0 where it is whole.
    pieces: u32,
    /// The first error of a piece, below zero.
    error: i32,
}

/// Keeps the requests of one stream under way.
pub(crate) struct Driver<B> {
    backend: B,
    clock: Arc<RunClock>,
    tally: Arc<Mutex<Tally>>,
    flush: Flush,
    open: bool,
    think_ns: f64,
    random: Seeded,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Slots that pause, by the time at which they go on.
    pausing: BinaryHeap<Reverse<(u64, u32)>>,
    ended: Vec<(u32, i32)>,
    batch: Vec<u32>,
    /// Requests under way.
    under_way: usize,
    pace: Pace,
    /// They are given up: their errors are ours.
    giving_up: bool,
    /// The devices that requests are cut over.
    pub(crate) volume: Option<Arc<Members>>,
    /// Which of several who take of the same requests.
    pub(crate) who: usize,
    /// Nobody ends a wait when the run ends: it ends by itself.
    pub(crate) alone: bool,
}

/// How fast answers come.
#[derive(Default)]
struct Pace {
    /// Answers since then.
    count: u64,
    since_ns: u64,
    /// Time from one to the next; 0 is not known.
    each_ns: u64,
}

impl Pace {
    fn ended(&mut self, answers: u64, now_ns: u64) {
        self.count += answers;
        if self.count >= RATE_OF {
            self.each_ns = (now_ns.saturating_sub(self.since_ns) / self.count).max(1);
            (self.count, self.since_ns) = (0, now_ns);
        }
    }

    /// Do answers come fast enough that none need be waited for with a time?
    fn is_known(&self) -> bool {
        (1..=FAST_NS).contains(&self.each_ns)
    }

    /// Answers that a wait is for. Each costs a wait, and handing over what follows it, unless some are taken
    /// together; but the first of them is seen later than it came. So that they take long is no reason to wait.
    fn awaited(&self, under_way: usize) -> usize {
        let soon = MOST_LATER_NS.checked_div(self.each_ns).unwrap_or(0) as usize;
        soon.min(under_way / AWAITED_PART).clamp(1, MOST_AWAITED)
    }
}

/// What is to be done next.
enum Next {
    Begin(u32),
    /// Nothing before this time.
    At(u64),
    /// Nothing before something has ended.
    Wait,
}

impl<B: Backend> Driver<B> {
    pub(crate) fn new(
        backend: B,
        stream: &Stream,
        slots: u32,
        random: Seeded,
        clock: Arc<RunClock>,
        tally: Arc<Mutex<Tally>>,
    ) -> Self {
        let empty = Slot {
            start_ns: 0,
            offset: 0,
            bytes: 0,
            done: 0,
            operation: Operation::Read,
            flushing: false,
            file: 0,
            pieces: 0,
            error: 0,
        };
        let (open, think_us) = match stream.arrivals {
            Arrivals::Closed { think_us, .. } => (false, think_us),
            Arrivals::Open { .. } | Arrivals::Commits { .. } | Arrivals::Replay { .. } => (true, 0.0),
        };
        let count = slots as usize;
        Self {
            backend,
            clock,
            tally,
            flush: stream.flush,
            open,
            think_ns: think_us * 1e3,
            random,
            slots: vec![empty; count],
            free: (0..slots).rev().collect(),
            pausing: BinaryHeap::with_capacity(count),
            ended: Vec::with_capacity(count + 2),
            batch: Vec::with_capacity(BATCH),
            under_way: 0,
            pace: Pace::default(),
            giving_up: false,
            volume: None,
            who: 0,
            alone: false,
        }
    }

    /// Makes requests until the run ends, and waits for those under way as long as patience lasts.
    pub(crate) fn run(&mut self, patience: Duration) -> io::Result<()> {
        let outcome = self.work();
        let until = Duration::from_nanos(self.clock.now_ns()) + patience;
        self.drain(until)?;
        if self.under_way > 0 {
            self.giving_up = true;
            self.backend.cancel();
            self.drain(until + CANCELLING)?;
        }
        outcome
    }

    fn work(&mut self) -> io::Result<()> {
        let tally = Arc::clone(&self.tally);
        let clock = Arc::clone(&self.clock);
        loop {
            let now_ns = clock.now_ns();
            let mut wake_ns = None;
            {
                let mut tally = lock(&tally);
                self.settle(&mut tally, now_ns);
                if now_ns >= clock.end_ns() {
                    return Ok(());
                }
                while self.batch.len() < BATCH {
                    match self.next(&mut tally, now_ns) {
                        Next::Begin(slot) => self.begin(&mut tally, slot, now_ns < clock.warm_ns),
                        Next::At(at_ns) => {
                            wake_ns = Some(at_ns);
                            break;
                        }
                        Next::Wait => break,
                    }
                }
                // Its count is done, or its errors are too many.
                if self.batch.is_empty() && self.under_way == 0 && wake_ns.is_none() {
                    return Ok(());
                }
            }
            let full = self.batch.len() == BATCH;
            if !self.batch.is_empty() {
                if !self.open {
                    let start_ns = clock.now_ns();
                    for slot in &self.batch {
                        self.slots[*slot as usize].start_ns = start_ns;
                    }
                }
                self.batch.clear();
            }
            // Only what begins at a time is waited for with one: it costs, and the end of the run wakes us.
            if self.alone && !self.pace.is_known() {
                wake_ns = Some(wake_ns.unwrap_or(u64::MAX).min(clock.end_ns()));
            }
            let timeout = wake_ns.map(|at_ns| Duration::from_nanos(at_ns.saturating_sub(clock.now_ns())));
            let least = match (full, timeout) {
                (true, _) => 0,
                // Something is to begin then, however few have ended.
                (false, Some(_)) => 1,
                (false, None) => self.pace.awaited(self.under_way),
            };
            self.backend.enter(least, timeout)?;
            self.backend.collect(&mut self.ended);
        }
    }

    /// Waits for what is under way.
    fn drain(&mut self, until: Duration) -> io::Result<()> {
        let tally = Arc::clone(&self.tally);
        loop {
            let now_ns = self.clock.now_ns();
            self.settle(&mut lock(&tally), now_ns);
            if self.under_way == 0 || Duration::from_nanos(now_ns) >= until {
                return Ok(());
            }
            self.backend.enter(1, Some(LOOK))?;
            self.backend.collect(&mut self.ended);
        }
    }

    /// What begins next.
    fn next(&mut self, tally: &mut Tally, now_ns: u64) -> Next {
        if !tally.may_begin() {
            return Next::Wait;
        }
        if let Some(Reverse((at_ns, slot))) = self.pausing.peek().copied() {
            // Pauses are of requests that are drawn: there is always another.
            if at_ns <= now_ns {
                self.pausing.pop();
                return Next::Begin(slot);
            }
            if self.free.is_empty() {
                return Next::At(at_ns);
            }
        }
        let Some(slot) = self.free.last().copied() else { return Next::Wait };
        match tally.ahead.coming(self.who) {
            Coming::At(at_ns) if at_ns > now_ns => Next::At(at_ns),
            Coming::Soon => Next::At(now_ns + READ_AGAIN_NS),
            Coming::Over => Next::Wait,
            Coming::At(_) | Coming::Now => {
                self.free.pop();
                Next::Begin(slot)
            }
        }
    }

    fn begin(&mut self, tally: &mut Tally, slot: u32, warming_up: bool) {
        let Some(taken) = tally.ahead.take(self.who) else { return self.free.push(slot) };
        let request = taken.request;
        tally.begin(warming_up);
        self.slots[slot as usize] = Slot {
            start_ns: taken.due_ns.unwrap_or(0),
            offset: request.offset,
            bytes: request.bytes,
            done: 0,
            operation: request.operation,
            flushing: false,
            file: taken.file,
            pieces: 0,
            error: 0,
        };
        self.push(slot);
        self.batch.push(slot);
        self.under_way += 1;
    }

    /// Hands over what is left of a request.
    fn push(&mut self, slot: u32) {
        if self.volume.is_some() {
            return self.push_pieces(slot);
        }
        let one = self.slots[slot as usize];
        self.push_part(slot, one.file, one.offset + u64::from(one.done), one.done, one.bytes - one.done);
    }

    fn push_part(&mut self, slot: u32, device: u32, offset: u64, from: u32, bytes: u32) {
        let one = self.slots[slot as usize];
        let dsync = self.flush == Flush::Dsync;
        self.backend.push(match one.operation {
            Operation::Read => Part::Read { slot, device, offset, from, bytes },
            Operation::Write => {
                Part::Write { slot, device, offset, from, bytes, dsync, fresh: one.done == 0 }
            }
        });
    }

    /// Hands over what is left of a request, cut where it goes on on another device.
    #[cold]
    fn push_pieces(&mut self, slot: u32) {
        let Some(volume) = self.volume.clone() else { return };
        let one = self.slots[slot as usize];
        let mut from = one.done;
        let mut pieces = 0;
        while from < one.bytes {
            // No request goes beyond the volume, by its size.
            let Some(piece) = volume.layout.piece(one.offset + u64::from(from), u64::from(one.bytes - from))
            else {
                break;
            };
            let bytes = u32::try_from(piece.bytes).unwrap_or(one.bytes - from);
            self.push_part(slot, u32::try_from(piece.device).unwrap_or(0), piece.offset, from, bytes);
            from += bytes;
            pieces += 1;
        }
        self.slots[slot as usize].pieces = if pieces > 1 { pieces } else { 0 };
    }

    /// Takes in a piece of a request; what all of them came to, once the last has ended.
    fn settle_piece(one: &mut Slot, outcome: i32) -> Option<i32> {
        one.pieces -= 1;
        if outcome < 0 && one.error == 0 {
            one.error = outcome;
        }
        one.done = (one.done + outcome.max(0).unsigned_abs()).min(one.bytes);
        if one.pieces > 0 {
            return None;
        }
        let whole = one.done == one.bytes;
        Some(match std::mem::take(&mut one.error) {
            0 if whole => one.bytes.cast_signed(),
            // Which of its bytes were done is not kept: it cannot go on, and can begin anew.
            0 => 0,
            interrupted if interrupted == -libc::EINTR => {
                one.done = 0;
                interrupted
            }
            error => error,
        })
    }

    /// Takes in what has ended.
    fn settle(&mut self, tally: &mut Tally, now_ns: u64) {
        let mut ended = std::mem::take(&mut self.ended);
        self.pace.ended(ended.len() as u64, now_ns);
        for (slot, outcome) in ended.drain(..) {
            self.settle_one(tally, slot, outcome, now_ns);
        }
        self.ended = ended;
    }

    #[inline]
    fn settle_one(&mut self, tally: &mut Tally, slot: u32, outcome: i32, now_ns: u64) {
        let one = &mut self.slots[slot as usize];
        let mut outcome = outcome;
        if one.pieces > 0 {
            match Self::settle_piece(one, outcome) {
                Some(all) => outcome = all,
                None => return,
            }
        }
        if !one.flushing && outcome > 0 {
            one.done = (one.done + outcome.unsigned_abs()).min(one.bytes);
        }
        let whole = one.flushing || (outcome > 0 && one.done == one.bytes);
        if whole && outcome >= 0 {
            if one.operation == Operation::Write && self.flush == Flush::Fdatasync && !one.flushing {
                one.flushing = true;
                return self.backend.push(Part::Flush { slot });
            }
            tally.done(&self.clock, now_ns, now_ns.saturating_sub(one.start_ns), (one.operation, one.bytes));
        } else if outcome > 0 || outcome == -libc::EINTR {
            // Done in part: the rest follows.
            return self.push(slot);
        } else if self.giving_up {
            // Not answered, and said so of the run.
            self.under_way -= 1;
            return;
        } else {
            // The end of a file, which is no whole number of sectors, within a direct read.
            let at_end = outcome == 0 || (one.done > 0 && outcome == -libc::EINVAL);
            tally.failed(if at_end {
                short(one.done as usize, one.bytes)
            } else {
                io::Error::from_raw_os_error(-outcome).to_string()
            });
        }
        self.under_way -= 1;
        if self.think_ns > 0.0 {
            let pause_ns = self.random.exponential(self.think_ns) as u64;
            self.pausing.push(Reverse((now_ns.saturating_add(pause_ns), slot)));
        } else {
            self.free.push(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::tally::Ahead;
    use spindle_workload::{Pattern, Region, Size, Volume};
    use std::time::Instant;

    /// One that takes the answers of slow requests for those of fast ones shows what a cache answers too late.
    #[test]
    fn several_answers_are_waited_for_only_where_they_come_at_once() {
        let awaited = |each_ns: u64, under_way: usize| {
            let mut pace = Pace::default();
            for round in 1..=8 {
                pace.ended(16, round * 16 * each_ns);
            }
            pace.awaited(under_way)
        };
        assert_eq!(
            (awaited(1_000, 64), awaited(1_000, 31), awaited(1_000, 32), awaited(1_000, 1)),
            (4, 1, 2, 1)
        );
        assert_eq!((awaited(5_000, 64), awaited(9_000, 64), awaited(8_000_000, 1_024)), (3, 1, 1));
        assert_eq!((awaited(10, 1_024), Pace::default().awaited(1_024)), (16, 1));
        // It has become slow.
        let mut pace = Pace::default();
        for at_us in (1..=64).chain((1..=64).map(|n| 64 + n * 1_000)) {
            pace.ended(1, at_us * 1_000);
        }
        assert_eq!((pace.awaited(64), pace.is_known()), (1, false));
    }

    /// Answers each part as it is told to; `None` never.
    struct Scripted<F> {
        answer: F,
        pushed: Vec<Part>,
        ended: Vec<(u32, i32)>,
        cancelled: bool,
    }

    impl<F: FnMut(Part) -> Option<i32>> Backend for Scripted<F> {
        fn push(&mut self, part: Part) {
            let (Part::Read { slot, .. } | Part::Write { slot, .. } | Part::Flush { slot }) = part;
            self.pushed.push(part);
            self.ended.extend((self.answer)(part).map(|outcome| (slot, outcome)));
        }

        fn enter(&mut self, least: usize, timeout: Option<Duration>) -> io::Result<()> {
            if least > 0 && self.ended.is_empty() {
                std::thread::sleep(timeout.unwrap_or(LOOK).min(LOOK));
            }
            Ok(())
        }

        fn collect(&mut self, into: &mut Vec<(u32, i32)>) {
            into.append(&mut self.ended);
        }

        fn cancel(&mut self) {
            self.cancelled = true;
        }
    }

    /// What was pushed, whether it was cancelled, and what it came to.
    fn driven(
        read_pct: f64,
        flush: Flush,
        ios: u64,
        answer: impl FnMut(Part) -> Option<i32>,
    ) -> (Vec<Part>, bool, Tally) {
        let stream = Stream {
            name: "s".into(),
            read_pct,
            pattern: Pattern::Random,
            sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
            region: Region::default(),
            arrivals: Arrivals::Closed { depth: 3, think_us: 0.0 },
            flush,
            trace: None,
        };
        let requests = stream.requests(0, 1, 1 << 20).unwrap();
        let tally = Arc::new(Mutex::new(Tally::new(Ahead::Drawn { requests, schedule: None }, Some(ios))));
        let clock = Arc::new(RunClock::start(0.0, Some(0.2)));
        let backend = Scripted { answer, pushed: Vec::new(), ended: Vec::new(), cancelled: false };
        let random = Seeded::new(1, 0);
        let mut driver = Driver::new(backend, &stream, 3, random, clock, Arc::clone(&tally));
        driver.alone = true;
        driver.run(Duration::from_millis(50)).unwrap();
        let Driver { backend, tally: held, .. } = driver;
        drop(held);
        let tally = Arc::into_inner(tally).unwrap().into_inner().unwrap();
        (backend.pushed, backend.cancelled, tally)
    }

    #[test]
    fn what_is_done_in_part_is_done_to_its_end() {
        let (pushed, _, tally) = driven(100.0, Flush::None, 10, |part| match part {
            Part::Read { from: 0, .. } => Some(512),
            Part::Read { from: 512, bytes: 7_680, .. } => Some(7_680),
            _ => None,
        });
        assert_eq!((pushed.len(), tally.recorder.ios(), tally.recorder.bytes()), (20, 10, 81_920));
        assert_eq!((tally.failed, tally.under_way), (0, 0));
    }

    #[test]
    fn a_write_that_is_flushed_is_one_request() {
        let (pushed, _, tally) = driven(0.0, Flush::Fdatasync, 10, |part| match part {
            Part::Flush { .. } => Some(0),
            Part::Write { dsync: false, bytes, .. } => Some(bytes.cast_signed()),
            _ => None,
        });
        let flushes = pushed.iter().filter(|p| matches!(p, Part::Flush { .. })).count();
        assert_eq!((flushes, pushed.len(), tally.recorder.ios()), (10, 20, 10));
    }

    #[test]
    fn errors_are_counted_by_name_and_end_a_stream() {
        let mut number = 0;
        let (pushed, _, tally) = driven(100.0, Flush::None, 5_000, |_| {
            number += 1;
            Some(if number % 2 == 0 { -libc::EIO } else { 0 })
        });
        // Those that were under way when the thousandth failed fail, too.
        assert!((1_000..1_003).contains(&tally.failed) && pushed.len() < 1_003, "{}", tally.failed);
        let names: Vec<&str> = tally.errors.keys().map(String::as_str).collect();
        assert_eq!(names, ["0 of 8192 bytes were done, and no more", "Input/output error (os error 5)"]);
        assert_eq!(tally.recorder.ios(), 0);
    }

    #[test]
    fn a_flush_that_fails_is_no_write_done() {
        let (_, _, tally) = driven(0.0, Flush::Fdatasync, 4, |part| match part {
            Part::Flush { .. } => Some(-libc::ENOSPC),
            _ => Some(8_192),
        });
        assert_eq!((tally.recorder.ios(), tally.failed), (0, 4));
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let begun = Instant::now();
        let mut number = 0;
        let (_, cancelled, tally) = driven(100.0, Flush::None, 1_000, |_| {
            number += 1;
            (number != 2).then_some(8_192)
        });
        assert!(cancelled && begun.elapsed() >= Duration::from_millis(250));
        assert_eq!((tally.recorder.ios(), tally.under_way, tally.failed), (999, 1, 0));
    }

    /// Reads of 192 KiB over two devices with stripes of 64 KiB: three pieces each.
    fn driven_over_two(mut answer: impl FnMut(usize, Part) -> Option<i32>) -> (Vec<Part>, Tally) {
        let stream = Stream {
            name: "s".into(),
            read_pct: 100.0,
            pattern: Pattern::Sequential,
            sizes: vec![Size { bytes: 196_608, weight: 1.0 }],
            region: Region::default(),
            arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
            flush: Flush::None,
            trace: None,
        };
        let layout = Volume::Raid0 { stripe_bytes: 65_536 }.over(&[1 << 20; 2]).unwrap();
        let requests = stream.requests(0, 1, layout.bytes()).unwrap();
        let tally = Arc::new(Mutex::new(Tally::new(Ahead::Drawn { requests, schedule: None }, Some(4))));
        let clock = Arc::new(RunClock::start(0.0, Some(0.5)));
        let mut number = 0;
        let answer = move |part| {
            number += 1;
            answer(number, part)
        };
        let backend = Scripted { answer, pushed: Vec::new(), ended: Vec::new(), cancelled: false };
        let mut driver = Driver::new(backend, &stream, 1, Seeded::new(1, 0), clock, Arc::clone(&tally));
        driver.volume = Some(Arc::new(Members { layout, all: Vec::new() }));
        driver.alone = true;
        driver.run(Duration::from_millis(50)).unwrap();
        let Driver { backend, tally: held, .. } = driver;
        drop(held);
        (backend.pushed, Arc::into_inner(tally).unwrap().into_inner().unwrap())
    }

    #[test]
    fn a_request_over_stripes_is_done_when_all_of_its_pieces_are() {
        let whole = |_, part| match part {
            Part::Read { bytes, .. } => Some(bytes.cast_signed()),
            _ => None,
        };
        let (pushed, tally) = driven_over_two(whole);
        assert_eq!((tally.recorder.ios(), tally.recorder.bytes(), tally.under_way), (4, 4 * 196_608, 0));
        let places: Vec<(u32, u64, u32)> = pushed
            .iter()
            .filter_map(|part| match part {
                Part::Read { device, offset, from, bytes: 65_536, .. } => Some((*device, *offset, *from)),
                _ => None,
            })
            .collect();
        let first = [(0, 0, 0), (1, 0, 65_536), (0, 65_536, 131_072)];
        let second = [(1, 65_536, 0), (0, 131_072, 65_536), (1, 131_072, 131_072)];
        assert_eq!((places.len(), &places[..3], &places[3..6]), (12, &first[..], &second[..]));
        // The second piece of the first request is never answered: nothing of it counts, and nothing follows.
        let (pushed, tally) = driven_over_two(|n, part| if n == 2 { None } else { whole(n, part) });
        assert_eq!((pushed.len(), tally.recorder.ios(), tally.under_way), (3, 0, 1));
        // One that fails, or is cut short, fails the request.
        let (_, tally) = driven_over_two(|n, part| if n == 2 { Some(-libc::EIO) } else { whole(n, part) });
        assert_eq!((tally.failed, tally.recorder.ios()), (1, 3));
        let (_, tally) = driven_over_two(|n, part| if n == 6 { Some(512) } else { whole(n, part) });
        let names: Vec<&str> = tally.errors.keys().map(String::as_str).collect();
        assert_eq!((tally.recorder.ios(), names), (3, vec!["131584 of 196608 bytes were done, and no more"]));
        // One that was interrupted is made anew, and counts once.
        let (pushed, tally) =
            driven_over_two(|n, part| if n == 1 { Some(-libc::EINTR) } else { whole(n, part) });
        assert_eq!((pushed.len(), tally.failed, tally.recorder.ios()), (15, 0, 4));
    }
}
