//! Streams on a thread of their own that keeps many requests under way: by `io_uring`, or by nothing.

use crate::driver::{BATCH, Backend, Driver};
use crate::null::Null;
use crate::schedstat::CpuTime;
use crate::sys::{self, Flags, Order, Ring};
use crate::tally::{Ahead, RunClock, Tally, lock, ns};
use crate::target::Target;
use rustix::time::{ClockId, clock_gettime};
use spindle_workload::{Arrivals, Seeded, Stream};
use std::fs::File;
use std::num::NonZeroU64;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it is looked whether somebody waits for the target.
const LOOK: Duration = Duration::from_millis(50);
/// Memory of a stream at most.
const MOST_MEMORY: u64 = 1 << 30;
/// Memory of a stream that stays in the caches of a processor anyway: for reads from the page cache one place does as
/// well, and costs 2 to 5 % less. Larger requests would look faster than those of a database, which keeps what it reads.
const MOST_IN_CACHE: u64 = 1 << 20;
/// Requests of an open stream under way at most; beyond, they are late, and it shows.
const OPEN_SLOTS: u64 = 1_024;
/// Memory of an open stream, as far as that leaves it one request.
const OPEN_MEMORY: u64 = 256 << 20;
/// A trial with fewer requests tells nothing, and on so slow a device flags do not matter.
const LEAST_IN_TRIAL: u64 = 200;
/// Requests of a trial under way at most.
const AT_ONCE_IN_TRIAL: u32 = 64;
/// A trial with so many has told enough: it costs CPU time of the run.
const MOST_IN_TRIAL: u64 = 400;
/// Others must cost less than those before by so much: trials are short, and the machine does other things, too.
const CHEAPER: f64 = 0.87;
/// Where none of the others looks cheaper by so much, they are not tried again.
const LOOKS_CHEAPER: f64 = 0.95;
/// Pieces of requests on a volume that can be under way.
const MOST_PIECES: u64 = 16_384;
/// Each set of flags is tried so often, at most, in turn.
const ROUNDS: usize = 4;

/// A stream that is to run.
pub(crate) struct Plan {
    pub(crate) stream: Stream,
    pub(crate) target: Target,
    /// The files that requests are made of: those of the target, or all of a scan.
    pub(crate) files: Vec<Arc<File>>,
    /// Which of several who take of the same requests.
    pub(crate) who: usize,
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) tally: Arc<Mutex<Tally>>,
    pub(crate) patience: Duration,
}

/// A stream that waits for the clock of the run.
pub(crate) struct Ready {
    pub(crate) thread: JoinHandle<()>,
    pub(crate) go: Sender<Arc<RunClock>>,
    /// Ends a wait for a device; `None` where there is nothing to wait for.
    pub(crate) wake: Option<Arc<OwnedFd>>,
    pub(crate) flags: Flags,
    pub(crate) words: String,
}

/// What the thread says when it is ready.
struct Said {
    wake: Option<Arc<OwnedFd>>,
    flags: Flags,
    words: String,
}

/// Requests that a stream can have under way.
pub(crate) fn slots(stream: &Stream) -> Result<u32, String> {
    let most = stream.sizes.iter().map(|s| u64::from(s.bytes)).max().unwrap_or(1).max(1);
    match stream.arrivals {
        Arrivals::Closed { depth, .. } if u64::from(depth) * most > MOST_MEMORY => Err(format!(
            "a depth of {depth} with requests of {most} bytes needs more than {} MiB of memory",
            MOST_MEMORY >> 20
        )),
        Arrivals::Closed { depth, .. } => Ok(depth),
        Arrivals::Commits { .. } => Ok(1),
        Arrivals::Open { .. } | Arrivals::Replay { .. } => {
            Ok(u32::try_from((OPEN_MEMORY / most).clamp(1, OPEN_SLOTS)).unwrap_or(u32::MAX))
        }
    }
}

/// Begins the thread of a stream, which sets up and then waits for the clock. Without flags it tries which
/// serve best, so long altogether; without time for that it takes the first.
pub(crate) fn by_ring(plan: Plan, flags: Option<Flags>, trial: Duration) -> Result<Ready, String> {
    start(plan, move |plan, slots, said, go| {
        let flags = flags.unwrap_or_else(|| choose(&plan, slots, trial));
        let order = order(&plan, slots, flags);
        let ring = match Ring::new(&order) {
            Ok(ring) => ring,
            Err(error) => return drop(said.send(Err(sys::why(&error)))),
        };
        let words = format!("io_uring: {}, batches of up to {BATCH}, {}", ring.describe(), flags.name());
        let _ = said.send(Ok(Said { wake: Some(ring.wake()), flags, words }));
        serve(&plan, slots, ring, &go);
    })
}

/// Begins the thread of a stream that touches nothing.
pub(crate) fn by_nothing(plan: Plan) -> Result<Ready, String> {
    start(plan, |plan, slots, said, go| {
        let words = "null: no request is made".to_owned();
        let _ = said.send(Ok(Said { wake: None, flags: Flags::Plain, words }));
        serve(&plan, slots, Null::new(slots), &go);
    })
}

fn start(
    plan: Plan,
    work: impl FnOnce(Plan, u32, Sender<Result<Said, String>>, Receiver<Arc<RunClock>>) + Send + 'static,
) -> Result<Ready, String> {
    let slots = slots(&plan.stream)?;
    let under_way = u64::from(slots) * u64::from(pieces(&plan));
    if plan.target.volume.is_some() && under_way > MOST_PIECES {
        return Err(format!(
            "its requests would be cut into {under_way} pieces under way, of at most {MOST_PIECES}: take larger stripes, \
             smaller requests or fewer of them"
        ));
    }
    let (says, said) = channel();
    let (go, goes) = channel();
    let target = plan.target.clone();
    let longest = Duration::from_secs(10) + plan.patience * 2;
    let thread = std::thread::Builder::new()
        .spawn(move || work(plan, slots, says, goes))
        .map_err(|error| format!("its thread could not be started: {error}"))?;
    let until = Instant::now() + longest;
    let said = loop {
        match said.recv_timeout(LOOK) {
            Ok(said) => break said?,
            Err(RecvTimeoutError::Timeout) if Instant::now() < until => target.let_go(),
            Err(_) => return Err(format!("`{}` did not answer its first requests", target.name)),
        }
    };
    Ok(Ready { thread, go, wake: said.wake, flags: said.flags, words: said.words })
}

fn order(plan: &Plan, slots: u32, flags: Flags) -> Order {
    let slot_bytes = plan.stream.sizes.iter().map(|s| s.bytes).max().unwrap_or(1);
    let writes = plan.stream.read_pct < 100.0;
    let cached = plan.target.align.is_none() && u64::from(slots) * u64::from(slot_bytes) <= MOST_IN_CACHE;
    Order {
        files: plan.files.clone(),
        pieces: pieces(plan),
        slots,
        slot_bytes,
        writes,
        in_one_place: cached && !writes,
        seed: plan.seed,
        flags,
    }
}

/// Pieces of a request that can be under way at a time.
fn pieces(plan: &Plan) -> u32 {
    let most = plan.stream.sizes.iter().map(|s| u64::from(s.bytes)).max().unwrap_or(1);
    let pieces = plan.target.volume.as_ref().map_or(1, |volume| volume.layout.most_pieces(most));
    u32::try_from(pieces).unwrap_or(u32::MAX)
}

/// Makes the requests of a stream as soon as the clock runs.
fn serve(plan: &Plan, slots: u32, backend: impl Backend, go: &Receiver<Arc<RunClock>>) {
    let Ok(clock) = go.recv() else { return };
    let paced = match plan.stream.arrivals {
        Arrivals::Closed { think_us, .. } => think_us > 0.0,
        Arrivals::Open { .. } | Arrivals::Commits { .. } | Arrivals::Replay { .. } => true,
    };
    if paced {
        // Woken when it is time, not up to 50 us later. Where it is refused, requests are a little late.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    }
    let (cpu, from) = (CpuTime::now(), Instant::now());
    let random = Seeded::new(plan.seed, u64::MAX - 2 - plan.number);
    let mut driver = Driver::new(backend, &plan.stream, slots, random, clock, Arc::clone(&plan.tally));
    driver.volume = plan.target.volume.clone();
    driver.who = plan.who;
    let outcome = driver.run(plan.patience);
    let mut tally = lock(&plan.tally);
    if let Err(error) = outcome {
        *tally.errors.entry(sys::why(&error)).or_default() += 1;
        tally.broken = true;
    }
    tally.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(CpuTime::now()) {
        tally.cpu += now.since(before);
    }
}

/// The flags with which a read of the stream's size and place costs this thread the least.
fn choose(plan: &Plan, slots: u32, trial: Duration) -> Flags {
    let each = trial / u32::try_from(ROUNDS * Flags::ALL.len()).unwrap_or(1);
    if each < Duration::from_millis(5) {
        return Flags::Plain;
    }
    // What comes first finds everything cold, and is not counted.
    if let Ok(None) = cost_ns(plan, slots, Flags::ALL[0], each, 0) {
        return Flags::Plain;
    }
    let mut costs = [0.0; Flags::ALL.len()];
    for round in 1..=ROUNDS {
        for (flags, sum) in Flags::ALL.into_iter().zip(&mut costs) {
            match cost_ns(plan, slots, flags, each, round as u64) {
                Ok(Some(cost)) => *sum += cost,
                // Too slow for flags to matter.
                Ok(None) => return Flags::Plain,
                // That a kernel lacks some says nothing of the others.
                Err(_) => *sum = f64::INFINITY,
            }
        }
        let [first, others @ ..] = &costs;
        if others.iter().all(|cost| *cost >= first * LOOKS_CHEAPER) {
            break;
        }
    }
    let mut best = (f64::INFINITY, Flags::Plain);
    for (flags, cost) in Flags::ALL.into_iter().zip(costs) {
        if cost < best.0 * CHEAPER {
            best = (cost, flags);
        }
    }
    best.1
}

/// CPU time of a read, by trial; `None` where too few were done to tell.
fn cost_ns(
    plan: &Plan,
    depth: u32,
    flags: Flags,
    length: Duration,
    round: u64,
) -> std::io::Result<Option<f64>> {
    // Few, so that a slow device is done with them soon.
    let slots = depth.min(AT_ONCE_IN_TRIAL);
    let reads = Stream {
        read_pct: 100.0,
        arrivals: Arrivals::Closed { depth: slots, think_us: 0.0 },
        ..plan.stream.clone()
    };
    let plan = Plan {
        // Other places than those of the run: it must not find what the trial read.
        seed: plan.seed ^ (0x5EED + round),
        stream: reads,
        target: plan.target.clone(),
        files: plan.files.clone(),
        who: plan.who,
        number: plan.number,
        tally: Arc::clone(&plan.tally),
        patience: plan.patience,
    };
    let Ok(requests) = plan.stream.requests(plan.number, plan.seed, plan.target.bytes) else {
        return Ok(None);
    };
    let ring = Ring::new(&order(&plan, slots, flags))?;
    let ahead = Ahead::Drawn { requests, schedule: None };
    let tally = Arc::new(Mutex::new(Tally::new(ahead, Some(MOST_IN_TRIAL))));
    let clock = Arc::new(RunClock::start(0.0, Some(length.as_secs_f64())));
    let random = Seeded::new(plan.seed, 0);
    let mut driver = Driver::new(ring, &plan.stream, slots, random, clock, Arc::clone(&tally));
    driver.volume = plan.target.volume.clone();
    driver.alone = true;
    let before = thread_ns();
    driver.run(plan.patience)?;
    let spent = thread_ns() - before;
    let done = lock(&tally).answered;
    Ok((done >= LEAST_IN_TRIAL).then(|| spent / done as f64))
}

/// CPU time of this thread.
fn thread_ns() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}
