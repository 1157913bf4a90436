//! SLOB's sessions: threads that read random blocks one at a time, change a share of them and commit; writers
//! of changed blocks; and one log writer, whose every write carries all who wait.
//!
//! What is changed and not yet written is bounded: a session that finds no room waits, as for a free buffer.
//! Nothing waits for the device with a lock held, and nothing longer than a moment for anything else.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::how::{Engine, How, Watch};
use crate::run::{CannotRun, Running, plan, to_the_end};
use crate::schedstat::CpuTime;
use crate::tally::{Beside, RunClock, Tally, lock, ns};
use crate::target::Target;
use crate::threads::make;
use spindle_workload::{
    Arrivals, COMMIT, End, Extent, Flush, Job, MOST_WRITE_BYTES, Operation, Pattern, Region, Request,
    RunResult, Seeded, Size, Slob, Stream, WAIT,
};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Changed blocks that may wait to be written.
const DIRTY: usize = 1_024;
/// Those who write them: writes under way at most.
const WRITERS: u32 = 16;
/// Who waits looks this often whether the run has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What all threads of a run share.
struct Database {
    slob: Slob,
    target: Target,
    clock: Arc<RunClock>,
    reads: Arc<Mutex<Tally>>,
    writes: Arc<Mutex<Tally>>,
    log: Arc<Mutex<Tally>>,
    /// Blocks to be written, by their first byte.
    dirty: Mutex<VecDeque<u64>>,
    dirtied: Condvar,
    cleaned: Condvar,
    redo: Mutex<Redo>,
    asked: Condvar,
    written: Condvar,
}

/// Commits, numbered in their order.
#[derive(Default)]
struct Redo {
    /// Bytes of those who wait.
    waiting: VecDeque<u32>,
    asked: u64,
    /// Up to this one a write was made of each, well or not.
    ended: u64,
    /// Those whose write failed; a run ends before they are many.
    failed: Vec<Range<u64>>,
}

impl Redo {
    /// A write that carried so many of those who waited longest has ended.
    fn end(&mut self, commits: u64, done: bool) {
        let first = self.ended + 1;
        self.ended += commits;
        if !done {
            self.failed.push(first..self.ended + 1);
        }
    }

    fn is_done(&self, commit: u64) -> bool {
        !self.failed.iter().any(|range| range.contains(&commit))
    }
}

/// What came of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    Done,
    /// It failed, and what follows from it is not done; more may be asked for.
    Failed,
    /// Nothing more is to be asked for.
    Over,
}

/// Places of what is recorded beside requests.
const FREE_BUFFERS: usize = 0;
const STATEMENTS: usize = 0;
const SYNC: usize = 0;

/// Runs SLOB's load on one target.
///
/// # Errors
/// Where the load makes no sense, does not fit the target, or that may not be written to.
pub fn run_slob(
    slob: &Slob,
    target: &Target,
    how: &How,
    watch: &mut Watch<'_>,
) -> Result<RunResult, CannotRun> {
    if target.volume.is_some() {
        return Err(CannotRun("SLOB's data lie in one file or device".to_owned()));
    }
    if let Some(objection) = slob.objection() {
        return Err(CannotRun(objection));
    }
    let job = job(slob);
    if let Some(objection) = job.objection() {
        return Err(CannotRun(objection));
    }
    let mut planned = Vec::new();
    for (number, stream) in job.streams.iter().enumerate() {
        planned.push(plan(&job, number as u64, stream, target)?);
    }
    // Who changes nothing has neither writers nor a log; their tallies are nobody's.
    let tally = |n: usize| {
        let one = planned.get(n).unwrap_or(&planned[0]);
        Arc::clone(&one.tally)
    };
    lock(&tally(0)).besides.push(Beside::named("SQL statements", WAIT));
    if planned.len() > 1 {
        lock(&tally(1)).besides.push(Beside::named("free buffer waits", WAIT));
        lock(&tally(2)).besides.push(Beside::named("log file sync", COMMIT));
    }
    let writes = slob.update_pct > 0.0;
    if writes {
        target.look_for_others().and_then(|()| target.begin_writing()).map_err(CannotRun)?;
    }
    let mut warnings = Vec::new();
    let machine = crate::schedstat::MachineTime::now();
    let clock = Arc::new(RunClock::start(slob.warm_up_s, Some(slob.seconds)));
    let database = Arc::new(Database {
        slob: *slob,
        target: target.clone(),
        clock: Arc::clone(&clock),
        reads: tally(0),
        writes: tally(1),
        log: tally(2),
        dirty: Mutex::default(),
        dirtied: Condvar::new(),
        cleaned: Condvar::new(),
        redo: Mutex::default(),
        asked: Condvar::new(),
        written: Condvar::new(),
    });
    let mut running = Vec::new();
    for (n, one) in planned.into_iter().enumerate() {
        let threads = match n {
            0 => start(&database, slob.threads, session),
            1 => start(&database, WRITERS.min(slob.threads * slob.work_unit), database_writer),
            _ => start(&database, 1, log_writer),
        };
        let threads = threads.map_err(|why| {
            clock.end_now();
            CannotRun(why)
        })?;
        running.push(Running::following(one, threads));
    }
    let words = format!(
        "sync: {} sessions{}",
        slob.threads,
        if writes { ", writers of changed blocks and a log writer" } else { "" }
    );
    let targets = std::slice::from_ref(target);
    // Its sessions make their requests themselves, whatever was asked for.
    let how = How { engine: Engine::Sync, ..how.clone() };
    let mut result = to_the_end(&job, running, targets, &clock, machine, &how, words, &mut warnings, watch);
    // It is no job of streams: what is repeated is the load itself.
    result.job = None;
    Ok(result)
}

/// The streams of the load, as those of a job: for what is checked of them, and their names.
fn job(slob: &Slob) -> Job {
    let stream = |name: &str, read_pct: f64, from: u64, length: u64| Stream {
        name: name.to_owned(),
        read_pct,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: slob.block_bytes, weight: 1.0 }],
        region: Region { from: Extent::Bytes(from), length: Some(Extent::Bytes(length)) },
        arrivals: Arrivals::Closed { depth: slob.threads, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    let mut streams = vec![stream("db file sequential read", 100.0, 0, slob.scale_bytes)];
    if slob.update_pct > 0.0 {
        streams.push(stream("db file parallel write", 0.0, 0, slob.scale_bytes));
        streams.push(Stream {
            pattern: Pattern::Sequential,
            arrivals: Arrivals::Commits { committers: slob.threads, think_us: 0.0 },
            flush: Flush::Dsync,
            ..stream("log file parallel write", 0.0, slob.scale_bytes, slob.log_bytes)
        });
    }
    Job {
        name: format!("SLOB, {} threads", slob.threads),
        seed: slob.seed,
        streams,
        end: End { seconds: Some(slob.seconds), ..End::default() },
        warm_up_s: (slob.warm_up_s > 0.0).then_some(slob.warm_up_s),
    }
}

fn start(
    database: &Arc<Database>,
    count: u32,
    work: fn(&Database, u32),
) -> Result<Vec<JoinHandle<()>>, String> {
    let mut threads = Vec::new();
    for number in 0..count {
        let here = Arc::clone(database);
        let spawned = std::thread::Builder::new().stack_size(256 << 10).spawn(move || work(&here, number));
        threads.push(spawned.map_err(|error| format!("its threads could not be started: {error}"))?);
    }
    Ok(threads)
}

/// Adds what a thread took to its tally, when it goes.
struct Time<'a>(&'a Mutex<Tally>, Option<CpuTime>, Instant);

impl<'a> Time<'a> {
    fn of(tally: &'a Mutex<Tally>) -> Self {
        Self(tally, CpuTime::now(), Instant::now())
    }
}

impl Drop for Time<'_> {
    fn drop(&mut self) {
        let mut tally = lock(self.0);
        tally.threads_ns += ns(self.2.elapsed());
        if let Some((before, now)) = self.1.zip(CpuTime::now()) {
            tally.cpu += now.since(before);
        }
    }
}

/// A session: one statement after the other.
fn session(db: &Database, number: u32) {
    let _time = Time::of(&db.reads);
    let slob = &db.slob;
    let block = u64::from(slob.block_bytes);
    let mut random = Seeded::new(slob.seed, u64::from(number) * 4 + 16);
    let mut memory =
        Aligned::new(slob.block_bytes as usize, db.target.align.unwrap_or(1).max(marker::SECTOR));
    let mut statements = 0_u32;
    while !db.clock.is_over() {
        statements = statements.wrapping_add(1);
        let begun_ns = db.clock.now_ns();
        let updates = random.unit() * 100.0 < slob.update_pct;
        let hot = slob.hot.filter(|hot| statements.is_multiple_of(hot.every));
        let (from, bytes) =
            hot.map_or((0, slob.scale_bytes), |hot| (hot.offset_bytes / block * block, hot.bytes));
        let mut done = true;
        for _ in 0..slob.work_unit {
            let offset = from + random.below(bytes / block) * block;
            match read(db, offset, &mut memory) {
                Came::Done if updates && !dirty(db, offset) => return,
                Came::Done => {}
                // A block that was not read is not changed.
                Came::Failed => done = false,
                Came::Over => return,
            }
        }
        if updates {
            match commit(db) {
                Came::Done => {}
                Came::Failed => done = false,
                Came::Over => return,
            }
        }
        // The time of an error is none of a statement.
        if done {
            let end_ns = db.clock.now_ns();
            lock(&db.reads).beside(STATEMENTS, &db.clock, end_ns, end_ns - begun_ns, 0);
        }
        if let Some(think) = slob.think.filter(|think| statements.is_multiple_of(think.every)) {
            let us = think.min_us + random.unit() * (think.max_us - think.min_us);
            pause(&db.clock, Duration::from_secs_f64(us / 1e6));
        }
    }
}

fn pause(clock: &RunClock, long: Duration) {
    let until = Instant::now() + long;
    while !clock.is_over() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

/// Makes a request and records it.
fn request(db: &Database, tally: &Mutex<Tally>, request: Request, flush: Flush, memory: &mut [u8]) -> Came {
    {
        let mut tally = lock(tally);
        if db.clock.is_over() || !tally.may_begin() {
            return Came::Over;
        }
        tally.begin(db.clock.now_ns() < db.clock.warm_ns);
    }
    let begun_ns = db.clock.now_ns();
    let outcome = make(&db.target.file, request, flush, memory);
    let end_ns = db.clock.now_ns();
    let mut tally = lock(tally);
    match outcome {
        Ok(()) => {
            tally.done(
                &db.clock,
                end_ns,
                end_ns.saturating_sub(begun_ns),
                (request.operation, request.bytes),
            );
            Came::Done
        }
        Err(why) => {
            tally.failed(why);
            Came::Failed
        }
    }
}

fn read(db: &Database, offset: u64, memory: &mut Aligned) -> Came {
    let bytes = db.slob.block_bytes;
    let asked = Request { operation: Operation::Read, offset, bytes };
    request(db, &db.reads, asked, Flush::None, memory.bytes(bytes as usize))
}

/// Leaves a changed block to the writers, as soon as there is room.
fn dirty(db: &Database, offset: u64) -> bool {
    let mut dirty = lock(&db.dirty);
    let begun_ns = db.clock.now_ns();
    let full = dirty.len() >= DIRTY;
    while dirty.len() >= DIRTY {
        if db.clock.is_over() || !lock(&db.writes).may_begin() {
            return false;
        }
        dirty = db.cleaned.wait_timeout(dirty, LOOK).unwrap_or_else(PoisonError::into_inner).0;
    }
    dirty.push_back(offset);
    drop(dirty);
    db.dirtied.notify_one();
    if full {
        let end_ns = db.clock.now_ns();
        lock(&db.writes).beside(FREE_BUFFERS, &db.clock, end_ns, end_ns - begun_ns, 0);
    }
    true
}

/// Commits a statement's changes and waits until they are written; one whose write failed is none.
fn commit(db: &Database) -> Came {
    let begun_ns = db.clock.now_ns();
    let bytes = db.slob.redo_bytes * db.slob.work_unit;
    let mut redo = lock(&db.redo);
    redo.waiting.push_back(bytes);
    redo.asked += 1;
    let own = redo.asked;
    db.asked.notify_one();
    while redo.ended < own {
        if db.clock.is_over() || !lock(&db.log).may_begin() {
            return Came::Over;
        }
        redo = db.written.wait_timeout(redo, LOOK).unwrap_or_else(PoisonError::into_inner).0;
    }
    let done = redo.is_done(own);
    drop(redo);
    if !done {
        return Came::Failed;
    }
    let end_ns = db.clock.now_ns();
    lock(&db.log).beside(SYNC, &db.clock, end_ns, end_ns - begun_ns, bytes);
    Came::Done
}

/// Memory to be written from: marked as ours, and other bits in every page.
fn filled(db: &Database, bytes: usize, purpose: u64) -> (Aligned, Seeded) {
    let mut random = Seeded::new(db.slob.seed, u64::MAX - purpose);
    let mut memory = Aligned::new(bytes, db.target.align.unwrap_or(1).max(marker::SECTOR));
    marker::fill(memory.bytes(bytes), db.slob.seed, &mut random);
    (memory, random)
}

/// Writes what sessions changed.
fn database_writer(db: &Database, number: u32) {
    let _time = Time::of(&db.writes);
    let bytes = db.slob.block_bytes;
    let (mut memory, mut random) = filled(db, bytes as usize, u64::from(number));
    while !db.clock.is_over() {
        let mut dirty = lock(&db.dirty);
        let Some(offset) = dirty.pop_front() else {
            drop(db.dirtied.wait_timeout(dirty, LOOK).unwrap_or_else(PoisonError::into_inner));
            continue;
        };
        drop(dirty);
        db.cleaned.notify_one();
        let memory = memory.bytes(bytes as usize);
        marker::vary(memory, random.bits());
        let asked = Request { operation: Operation::Write, offset, bytes };
        if request(db, &db.writes, asked, Flush::None, memory) == Came::Over {
            return;
        }
    }
}

/// Writes redo: what all who wait have asked for, one write at a time.
fn log_writer(db: &Database, _number: u32) {
    let _time = Time::of(&db.log);
    let unit = db.target.align.unwrap_or(1).max(marker::SECTOR);
    let (mut memory, mut random) = filled(db, MOST_WRITE_BYTES as usize, u64::MAX / 2);
    let begin = db.slob.scale_bytes.next_multiple_of(unit as u64);
    let end = db.slob.scale_bytes + db.slob.log_bytes;
    let mut at = begin;
    while !db.clock.is_over() {
        let mut redo = lock(&db.redo);
        let (mut bytes, mut commits) = (0, 0);
        while let Some(more) = redo.waiting.front()
            && (commits == 0 || bytes + more <= MOST_WRITE_BYTES)
        {
            bytes += more;
            commits += 1;
            redo.waiting.pop_front();
        }
        if commits == 0 {
            drop(db.asked.wait_timeout(redo, LOOK).unwrap_or_else(PoisonError::into_inner));
            continue;
        }
        drop(redo);
        let size = (bytes as usize).next_multiple_of(unit);
        if at + size as u64 > end {
            at = begin;
        }
        let memory = memory.bytes(size);
        marker::vary(memory, random.bits());
        #[allow(clippy::cast_possible_truncation, reason = "a write has 1 MiB at most")]
        let asked = Request { operation: Operation::Write, offset: at, bytes: size as u32 };
        let came = request(db, &db.log, asked, Flush::Dsync, memory);
        if came == Came::Over {
            return;
        }
        at += size as u64;
        lock(&db.redo).end(commits, came == Came::Done);
        db.written.notify_all();
    }
}
