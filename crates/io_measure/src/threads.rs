//! Requests by `pread` and `pwrite`, one thread for each that is under way.
//!
//! What is next, and what came of it, stand behind a lock that is held for nanoseconds; a thread that
//! waits for the device does not hold it. Threads own all that they use: one that a device never lets go is
//! left behind, and harms nobody.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::replay::Coming;
use crate::schedstat::CpuTime;
use crate::tally::{RunClock, Tally, lock, ns};
use crate::target::Target;
use rustix::io::{Errno, ReadWriteFlags};
use spindle_workload::{Arrivals, Flush, Operation, Request, Seeded, Stream};
use std::fs::File;
use std::io::{self, IoSlice};
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Threads of an open stream: so many requests can be under way; beyond, they are late, and it shows.
const OPEN_THREADS: u32 = 64;
/// Threads of a closed stream at most; more are for an engine that needs none.
const MOST_THREADS: u32 = 1_024;
/// A trace that is not read yet is looked at again after this.
const READ_AGAIN: Duration = Duration::from_micros(500);
/// A thread that waits for the next arrival looks this often whether the run has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What the threads of one stream share.
pub(crate) struct Shared {
    pub(crate) stream: Stream,
    pub(crate) target: Target,
    pub(crate) seed: u64,
    pub(crate) clock: Arc<RunClock>,
    pub(crate) tally: Arc<Mutex<Tally>>,
}

/// Threads that a stream needs.
fn needed(stream: &Stream) -> u32 {
    match stream.arrivals {
        Arrivals::Closed { depth, .. } => depth,
        Arrivals::Open { .. } | Arrivals::Replay { .. } => OPEN_THREADS,
        Arrivals::Commits { .. } => 1,
    }
}

/// Begins a stream. The random numbers of pauses and of what is written are of other purposes than those
/// of what is asked for.
pub(crate) fn start(shared: Shared) -> Result<Vec<JoinHandle<()>>, String> {
    let needed = needed(&shared.stream);
    if needed > MOST_THREADS {
        return Err(format!("a depth of {needed} is more than {MOST_THREADS} threads"));
    }
    let shared = Arc::new(shared);
    let mut threads = Vec::new();
    for number in 0..needed {
        let shared_here = Arc::clone(&shared);
        let spawned =
            std::thread::Builder::new().stack_size(256 << 10).spawn(move || work(&shared_here, number));
        match spawned {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                shared.clock.end_now();
                return Err(format!("its threads could not be started: {error}"));
            }
        }
    }
    Ok(threads)
}

/// One thread of a stream.
fn work(one: &Shared, number: u32) {
    let cpu = CpuTime::now();
    let from = Instant::now();
    let mut random = Seeded::new(one.seed, u64::MAX - u64::from(number));
    let most = one.stream.sizes.iter().map(|s| s.bytes as usize).max().unwrap_or(0);
    let align = one.target.align.unwrap_or(1).max(marker::SECTOR);
    let mut read = Aligned::new(most, align);
    // Memory of its own: what was read is not written elsewhere.
    let mut written = Aligned::new(if one.stream.read_pct < 100.0 { most } else { 0 }, align);
    marker::fill(written.bytes(most), one.seed, &mut random);
    let think_us = match one.stream.arrivals {
        Arrivals::Closed { think_us, .. } => think_us,
        Arrivals::Open { .. } | Arrivals::Commits { .. } | Arrivals::Replay { .. } => 0.0,
    };
    if think_us > 0.0 || matches!(one.stream.arrivals, Arrivals::Open { .. } | Arrivals::Replay { .. }) {
        // Woken when it is time, not up to 50 us later. Where it is refused, requests are a little late.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    }
    while !one.clock.is_over() {
        let (request, due_ns, early) = {
            let mut tally = lock(&one.tally);
            if !tally.may_begin() {
                break;
            }
            if tally.ahead.coming(0) == Coming::Over {
                break;
            }
            let Some(next) = tally.ahead.take(0) else {
                drop(tally);
                std::thread::sleep(READ_AGAIN);
                continue;
            };
            let now_ns = one.clock.now_ns();
            tally.begin(now_ns < one.clock.warm_ns);
            let early = u64::from(next.due_ns.is_some_and(|due_ns| due_ns > now_ns));
            tally.early += early;
            (next.request, next.due_ns, early)
        };
        let start_ns = match due_ns {
            None => Some(one.clock.now_ns()),
            Some(due_ns) => wait_until(&one.clock, due_ns),
        };
        // Ended before it was due.
        let Some(start_ns) = start_ns else {
            let mut tally = lock(&one.tally);
            tally.under_way -= 1;
            tally.early -= early;
            tally.ahead.give_back();
            break;
        };
        let memory = match request.operation {
            Operation::Read => &mut read,
            Operation::Write => &mut written,
        };
        let memory = memory.bytes(request.bytes as usize);
        if request.operation == Operation::Write {
            marker::vary(memory, random.bits());
        }
        let outcome = make_on(&one.target, request, one.stream.flush, memory);
        let at_ns = one.clock.now_ns();
        let mut tally = lock(&one.tally);
        tally.early -= early;
        match outcome {
            Ok(()) => tally.done(
                &one.clock,
                at_ns,
                at_ns.saturating_sub(start_ns),
                (request.operation, request.bytes),
            ),
            Err(why) => tally.failed(why),
        }
        drop(tally);
        if think_us > 0.0 && !one.clock.is_over() {
            std::thread::sleep(Duration::from_secs_f64(random.exponential(think_us) / 1e6));
        }
    }
    let mut tally = lock(&one.tally);
    tally.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(CpuTime::now()) {
        tally.cpu += now.since(before);
    }
}

/// Waits until a request is due and gives that time; `None` where the run ends before.
fn wait_until(clock: &RunClock, due_ns: u64) -> Option<u64> {
    loop {
        let left = Duration::from_nanos(due_ns.saturating_sub(clock.now_ns()));
        if left.is_zero() {
            return Some(due_ns);
        }
        if clock.is_over() {
            return None;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

/// Makes one request, on a volume all of its pieces at once.
fn make_on(target: &Target, request: Request, flush: Flush, memory: &mut [u8]) -> Result<(), String> {
    let Some(volume) = &target.volume else { return make(&target.file, request, flush, memory) };
    let mut pieces = Vec::new();
    let (mut at, mut rest) = (request.offset, memory);
    while !rest.is_empty() {
        let beyond = || "a request goes beyond the volume".to_owned();
        let piece = volume.layout.piece(at, rest.len() as u64).ok_or_else(beyond)?;
        let bytes = u32::try_from(piece.bytes).map_err(|_| beyond())?;
        let (own, more) = rest.split_at_mut(bytes as usize);
        let part = Request { offset: piece.offset, bytes, ..request };
        let device = volume.all.get(piece.device).ok_or_else(beyond)?;
        pieces.push((&device.file, part, own));
        at += piece.bytes;
        rest = more;
    }
    std::thread::scope(|scope| {
        let last = pieces.pop();
        let others: Vec<_> = pieces
            .into_iter()
            .map(|(file, part, own)| {
                std::thread::Builder::new()
                    .stack_size(64 << 10)
                    .spawn_scoped(scope, move || make(file, part, flush, own))
            })
            .collect();
        let mut outcome = last.map_or(Ok(()), |(file, part, own)| make(file, part, flush, own));
        for other in others {
            let ended = match other {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|_| Err("a thread broke down: a bug of ours".to_owned()))
                }
                Err(error) => Err(format!("a thread for a piece could not be started: {error}")),
            };
            outcome = outcome.and(ended);
        }
        outcome
    })
}

/// Makes one request, whole.
pub(crate) fn make(file: &File, request: Request, flush: Flush, memory: &mut [u8]) -> Result<(), String> {
    let mut done = 0;
    while done < memory.len() {
        let at = request.offset + done as u64;
        let outcome = match request.operation {
            Operation::Read => file.read_at(&mut memory[done..], at),
            Operation::Write if flush == Flush::Dsync => {
                let part = [IoSlice::new(&memory[done..])];
                rustix::io::pwritev2(file, &part, at, ReadWriteFlags::DSYNC).map_err(io::Error::from)
            }
            Operation::Write => file.write_at(&memory[done..], at),
        };
        match outcome {
            Ok(0) => return Err(short(done, request.bytes)),
            Ok(more) => done += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // The end of a file, which is no whole number of sectors, within a direct read.
            Err(error) if done > 0 && Errno::from_io_error(&error) == Some(Errno::INVAL) => {
                return Err(short(done, request.bytes));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    if request.operation == Operation::Write && flush == Flush::Fdatasync {
        file.sync_data().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What a request is that found an end. No place: equal ones are counted together.
pub(crate) fn short(done: usize, bytes: u32) -> String {
    format!("{done} of {bytes} bytes were done, and no more")
}
