//! Runs a job on real targets, one request a thread (`pread`, `pwrite`).
//!
//! Each stream has as many threads as requests under way. What is next, and what came of it, stand behind
//! one lock a stream, held for nanoseconds; a thread that waits for the device holds none.

use crate::direct::{self, Aligned, NotDirect};
use crate::guard::{Armed, ReadTarget, marker};
use crate::schedstat::CpuTime;
use spindle_workload::{
    Arrivals, DeviceFacts, Due, Environment, Job, LatencyFrom, LimitedBy, Operation, Recorder, Request,
    Requests, RunResult, Seeded, Stream, StreamResult,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Threads of an open stream: so many requests can be under way; beyond, they are late, and it shows.
const OPEN_THREADS: u32 = 64;
/// Threads of a closed stream at most; more are for an engine that needs none.
const MOST_THREADS: u32 = 1_024;
/// A stream whose requests fail so often ends.
const MOST_ERRORS: u64 = 1_000;
/// How often the ends of the job are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How often the width of the intervals is looked at: it takes a copy of what was recorded.
const LOOK_AT_INTERVALS: Duration = Duration::from_millis(500);
/// Share of their time that threads wait for a CPU, above which the CPU and not the device set the figures.
const WAITED_SHARE: f64 = 0.1;
/// Share of a request's time on the CPU, above which the program and not the device set the figures.
const OWN_SHARE: f64 = 0.5;

/// A device or file of a run.
#[derive(Debug)]
pub struct Target {
    name: String,
    file: File,
    bytes: u64,
    may_write: bool,
    /// Alignment of direct I/O; `None` through the page cache.
    align: Option<usize>,
}

impl Target {
    /// A target that is read only.
    #[must_use]
    pub fn reading(name: &str, target: ReadTarget) -> Self {
        let bytes = target.bytes();
        Self { name: name.to_owned(), file: target.into_file(), bytes, may_write: false, align: None }
    }

    /// A target that may be written to.
    #[must_use]
    pub fn writing(name: &str, target: Armed) -> Self {
        let bytes = target.bytes();
        Self { name: name.to_owned(), file: target.into_file(), bytes, may_write: true, align: None }
    }

    /// Goes past the page cache.
    ///
    /// # Errors
    /// Where that is not possible.
    pub fn direct(mut self) -> Result<Self, NotDirect> {
        self.align = Some(direct::switch_on(&self.file)?);
        Ok(self)
    }
}

/// Why a job cannot be run on a target, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotRun(pub String);

impl std::fmt::Display for CannotRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotRun {}

/// A stream on a target.
struct Running<'a> {
    stream: &'a Stream,
    target: &'a Target,
    from: LatencyFrom,
    state: Mutex<State>,
}

/// What the threads of a stream share.
struct State {
    requests: Requests,
    due: Option<Due>,
    /// Requests that may still begin.
    left: Option<u64>,
    under_way: u32,
    recorder: Recorder,
    /// When the last request ended, nanoseconds from the beginning.
    last_ns: u64,
    errors: BTreeMap<String, u64>,
    failed: u64,
    cpu: CpuTime,
    threads_ns: u64,
}

/// Runs a job: every stream on every target, all at the same time. `stop` ends it early, with what was
/// measured.
///
/// # Errors
/// Where the job makes no sense, does not fit a target, or would write to one that may not be written to.
pub fn run(job: &Job, targets: &[Target], stop: &AtomicBool) -> Result<RunResult, CannotRun> {
    if let Some(objection) = job.objection() {
        return Err(CannotRun(objection));
    }
    let mut running = Vec::new();
    for target in targets {
        for stream in &job.streams {
            running.push(begin(job, running.len() as u64, stream, target)?);
        }
    }
    if running.is_empty() {
        return Err(CannotRun(format!(
            "job `{}` has nothing to run on: no device or file is named",
            job.name
        )));
    }
    let ended = AtomicBool::new(false);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for one in &running {
            for number in 0..threads(one.stream) {
                let ended = &ended;
                let random = Seeded::new(job.seed, u64::MAX - u64::from(number));
                scope.spawn(move || work(one, begun, ended, job.seed, random));
            }
        }
        wait(job, &running, begun, &ended, stop);
        ended.store(true, Ordering::Relaxed);
    });
    Ok(result(job, running, targets, begun.elapsed()))
}

fn threads(stream: &Stream) -> u32 {
    match stream.arrivals {
        Arrivals::Closed { depth, .. } => depth,
        Arrivals::Open { .. } => OPEN_THREADS,
    }
}

fn begin<'a>(
    job: &Job,
    number: u64,
    stream: &'a Stream,
    target: &'a Target,
) -> Result<Running<'a>, CannotRun> {
    let refuse = |why: String| CannotRun(format!("stream `{}` on `{}`: {why}", stream.name, target.name));
    if stream.read_pct < 100.0 && !target.may_write {
        return Err(refuse("it writes, and this was opened for reading only".to_owned()));
    }
    if threads(stream) > MOST_THREADS {
        return Err(refuse(format!("a depth of {} is more than {MOST_THREADS} threads", threads(stream))));
    }
    let (size, align) = (stream.align(), target.align.unwrap_or(1) as u64);
    if size % align != 0 {
        return Err(refuse(format!(
            "requests of {size} bytes are no multiple of the {align} bytes that direct I/O takes here"
        )));
    }
    let requests = stream.requests(number, job.seed, target.bytes).map_err(refuse)?;
    let due = stream.due(number, job.seed);
    let from = if due.is_some() { LatencyFrom::Intended } else { LatencyFrom::Submit };
    let state = State {
        requests,
        due,
        left: job.end.ios,
        under_way: 0,
        recorder: Recorder::new(),
        last_ns: 0,
        errors: BTreeMap::new(),
        failed: 0,
        cpu: CpuTime::default(),
        threads_ns: 0,
    };
    Ok(Running { stream, target, from, state: Mutex::new(state) })
}

impl Running<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        // What a thread that panicked left is whole: each change is one record.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nanoseconds of a duration; 584 years are enough.
#[allow(clippy::cast_possible_truncation, reason = "see above")]
fn ns(duration: Duration) -> u64 {
    duration.as_nanos() as u64
}

/// One thread of a stream.
fn work(one: &Running<'_>, begun: Instant, ended: &AtomicBool, run: u64, mut random: Seeded) {
    let cpu = CpuTime::now();
    let from = Instant::now();
    let most = one.stream.sizes.iter().map(|s| s.bytes as usize).max().unwrap_or(0);
    let align = one.target.align.unwrap_or(1).max(marker::SECTOR);
    let mut read = Aligned::new(most, align);
    // Memory of its own: what was read is not written elsewhere.
    let mut written = Aligned::new(if one.stream.read_pct < 100.0 { most } else { 0 }, align);
    fill(written.bytes(most), run, &mut random);
    let think_us = match one.stream.arrivals {
        Arrivals::Closed { think_us, .. } => think_us,
        Arrivals::Open { .. } => 0.0,
    };
    while !ended.load(Ordering::Relaxed) {
        let mut state = one.lock();
        if state.left == Some(0) || state.failed >= MOST_ERRORS {
            break;
        }
        state.left = state.left.map(|left| left - 1);
        let request = state.requests.draw();
        let due_ns = state.due.as_mut().map(Due::draw_ns);
        state.under_way += 1;
        drop(state);
        let start = match due_ns {
            None => Some(Instant::now()),
            Some(due_ns) => wait_until(begun, due_ns, ended),
        };
        // Ended before it was due.
        let Some(start) = start else {
            one.lock().under_way -= 1;
            break;
        };
        let memory = match request.operation {
            Operation::Read => &mut read,
            Operation::Write => &mut written,
        };
        let outcome = make(&one.target.file, request, memory.bytes(request.bytes as usize));
        let done = Instant::now();
        let mut state = one.lock();
        state.under_way -= 1;
        let at_ns = ns(done.saturating_duration_since(begun));
        state.last_ns = state.last_ns.max(at_ns);
        match outcome {
            Ok(()) => {
                let latency_ns = ns(done.saturating_duration_since(start));
                state.recorder.record(at_ns, latency_ns, request.bytes);
            }
            Err(why) => {
                state.failed += 1;
                *state.errors.entry(why).or_default() += 1;
            }
        }
        drop(state);
        if think_us > 0.0 {
            std::thread::sleep(Duration::from_secs_f64(random.exponential(think_us) / 1e6));
        }
    }
    let mut state = one.lock();
    state.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(CpuTime::now()) {
        state.cpu += now.since(before);
    }
}

/// What is written: no device makes less of it by compressing or by finding it twice, and every sector
/// says that it is ours.
fn fill(memory: &mut [u8], run: u64, random: &mut Seeded) {
    for chunk in memory.chunks_mut(8) {
        let bits = random.bits().to_le_bytes();
        chunk.copy_from_slice(&bits[..chunk.len()]);
    }
    marker::mark(memory, run);
}

/// Waits until a request is due and gives that time; `None` where the run ends before.
fn wait_until(begun: Instant, due_ns: f64, ended: &AtomicBool) -> Option<Instant> {
    let due = begun + Duration::from_nanos(due_ns.min(1e18) as u64);
    loop {
        let left = due.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Some(due);
        }
        if ended.load(Ordering::Relaxed) {
            return None;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

/// Makes one request, whole.
fn make(file: &File, request: Request, memory: &mut [u8]) -> Result<(), String> {
    let short = |done: usize| {
        format!("{done} of {} bytes were done at byte {}, and no more", request.bytes, request.offset)
    };
    let outcome = match request.operation {
        Operation::Read => file.read_at(memory, request.offset),
        Operation::Write => file.write_at(memory, request.offset),
    };
    match outcome {
        Ok(done) if done == memory.len() => Ok(()),
        Ok(done) => Err(short(done)),
        Err(error) => Err(reason(&error)),
    }
}

/// An error without the place it happened at, so that equal ones are counted together.
fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// Waits until the job ends.
fn wait(job: &Job, running: &[Running<'_>], begun: Instant, ended: &AtomicBool, stop: &AtomicBool) {
    let end = job.end.seconds.map(Duration::from_secs_f64);
    let mut next_look = LOOK_AT_INTERVALS;
    loop {
        let elapsed = begun.elapsed();
        let over = |one: &Running<'_>| {
            let state = one.lock();
            (state.left == Some(0) || state.failed >= MOST_ERRORS) && state.under_way == 0
        };
        if stop.load(Ordering::Relaxed) || end.is_some_and(|e| elapsed >= e) || running.iter().all(over) {
            ended.store(true, Ordering::Relaxed);
            return;
        }
        if let Some(pct) = job.end.interval_pct
            && elapsed >= next_look
        {
            next_look = elapsed + LOOK_AT_INTERVALS.max(elapsed / 20);
            if running.iter().all(|one| is_narrow(one, pct, elapsed)) {
                ended.store(true, Ordering::Relaxed);
                return;
            }
        }
        let left = end.map_or(LOOK, |e| e.saturating_sub(elapsed));
        std::thread::sleep(LOOK.min(left).max(Duration::from_micros(100)));
    }
}

/// Is the interval of a stream's rate narrow enough?
fn is_narrow(one: &Running<'_>, pct: f64, elapsed: Duration) -> bool {
    let recorder = one.lock().recorder.clone();
    let recorded = recorder.finish(ns(elapsed));
    let width = recorded.iops_interval().map(|(low, high)| high - low);
    width.zip(recorded.iops()).is_some_and(|(width, iops)| width <= iops * pct / 100.0)
}

fn result(job: &Job, running: Vec<Running<'_>>, targets: &[Target], elapsed: Duration) -> RunResult {
    let mut streams = Vec::new();
    let (mut cpu, mut threads_ns, mut latency_ns) = (CpuTime::default(), 0_u64, 0.0);
    for one in running {
        let state = one.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        cpu += state.cpu;
        threads_ns += state.threads_ns;
        // A count is over with its last request, not when somebody looked.
        let end_ns = if job.end.ios.is_some() && state.left == Some(0) { state.last_ns } else { ns(elapsed) };
        let recorded = state.recorder.finish(end_ns);
        latency_ns += recorded.mean_ns().unwrap_or(0.0) * recorded.ios as f64;
        let operation = match one.stream.read_pct {
            all if all >= 100.0 => "read",
            none if none <= 0.0 => "write",
            _ => "mix",
        };
        let errors = state.errors.into_iter().map(|(why, times)| format!("{times} times: {why}")).collect();
        let name = if targets.len() > 1 {
            format!("{}, {}", one.stream.name, one.target.name)
        } else {
            one.stream.name.clone()
        };
        streams.push(StreamResult::of(&name, operation, one.from, &recorded, errors));
    }
    let mut warnings = Vec::new();
    let limited_by = limited(cpu, threads_ns, latency_ns, &mut warnings);
    for target in targets.iter().filter(|t| t.align.is_none()) {
        warnings.push(format!("`{}` was used through the page cache: memory may have answered", target.name));
    }
    RunResult { job: Some(job.clone()), environment: environment(targets), streams, limited_by, warnings }
}

/// Who set the figures: what threads waited for a CPU, and what they ran themselves, against what requests
/// took.
fn limited(cpu: CpuTime, threads_ns: u64, latency_ns: f64, warnings: &mut Vec<String>) -> LimitedBy {
    if threads_ns == 0 || cpu == CpuTime::default() {
        return LimitedBy::Unknown;
    }
    let waited = cpu.waited_ns as f64 / threads_ns as f64;
    if waited > WAITED_SHARE {
        warnings.push(format!(
            "its threads waited {:.0} % of their time for a CPU: the machine, not the device, set part of the figures",
            100.0 * waited
        ));
        return LimitedBy::Cpu;
    }
    if latency_ns > 0.0 && cpu.ran_ns as f64 > OWN_SHARE * latency_ns {
        warnings.push(format!(
            "{:.0} % of what requests took was this program and the kernel on the CPU, not the device",
            (100.0 * cpu.ran_ns as f64 / latency_ns).min(100.0)
        ));
        return LimitedBy::Tool;
    }
    LimitedBy::Device
}

fn environment(targets: &[Target]) -> Environment {
    let line = |path: &str| std::fs::read_to_string(path).ok().map(|t| t.trim().to_owned());
    Environment {
        program: Some(concat!("spindle ", env!("CARGO_PKG_VERSION")).to_owned()),
        host: line("/proc/sys/kernel/hostname"),
        kernel: line("/proc/sys/kernel/osrelease").map(|release| format!("Linux {release}")),
        cpus: std::thread::available_parallelism().ok().and_then(|n| u32::try_from(n.get()).ok()),
        devices: targets
            .iter()
            .map(|t| DeviceFacts {
                path: t.name.clone(),
                bytes: Some(t.bytes),
                direct: Some(t.align.is_some()),
                ..DeviceFacts::default()
            })
            .collect(),
        engine: Some("sync".to_owned()),
    }
}
