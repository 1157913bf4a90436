//! Runs a job on real targets: begins its streams, watches them, ends them, and says what came of it.
//!
//! The requests are made by an engine, on threads of its own. The thread that called only watches, so it
//! returns in bounded time even where a device never answers.

use crate::how::{Engine, How, Progress, Watch};
use crate::limits::limited;
use crate::schedstat::CpuTime;
use crate::tally::{RunClock, Tally, lock};
use crate::target::Target;
use crate::threads::{self, Ahead};
use spindle_workload::{
    DeviceFacts, Environment, Job, LatencyFrom, Recorder, RunResult, Stream, StreamResult,
};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the ends of the job are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How often who watches is told.
const TELL: Duration = Duration::from_millis(250);
/// How often the width of the intervals is looked at.
const LOOK_AT_INTERVALS: Duration = Duration::from_millis(500);

/// Why a job cannot be run on a target, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotRun(pub String);

impl std::fmt::Display for CannotRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotRun {}

/// A stream on a target, before it runs.
struct Planned<'a> {
    stream: &'a Stream,
    target: &'a Target,
    ahead: Ahead,
}

/// A stream on a target, while it runs.
struct Running<'a> {
    stream: &'a Stream,
    target: &'a Target,
    from: LatencyFrom,
    tally: Arc<Mutex<Tally>>,
    threads: Vec<JoinHandle<()>>,
}

/// Runs a job: every stream on every target, all at the same time.
///
/// It returns when the job ends or the watch stops it, with what was measured: at most [`How::patience`]
/// later, whatever the device does.
///
/// # Errors
/// Where the job makes no sense, does not fit a target, would write to one that may not be written to, or
/// the engine asked for cannot be had.
pub fn run(job: &Job, targets: &[Target], how: &How, watch: &mut Watch<'_>) -> Result<RunResult, CannotRun> {
    if let Some(objection) = job.objection() {
        return Err(CannotRun(objection));
    }
    let mut planned = Vec::new();
    for target in targets {
        for stream in &job.streams {
            planned.push(plan(job, planned.len() as u64, stream, target)?);
        }
    }
    if planned.is_empty() {
        return Err(CannotRun(format!(
            "job `{}` has nothing to run on: no device or file is named",
            job.name
        )));
    }
    if matches!(how.engine, Engine::IoUring | Engine::Null) {
        return Err(CannotRun(format!("the engine {:?} is not built in", how.engine)));
    }
    let clock = Arc::new(RunClock::start(job.warm_up_s.unwrap_or(0.0), job.end.seconds));
    let mut running = Vec::new();
    for one in planned {
        running.push(begin(job, one, &clock)?);
    }
    wait(job, &running, &clock, watch);
    let mut warnings = Vec::new();
    gather(&mut running, how.patience, &mut warnings);
    Ok(result(job, running, targets, &clock, warnings))
}

fn plan<'a>(
    job: &Job,
    number: u64,
    stream: &'a Stream,
    target: &'a Target,
) -> Result<Planned<'a>, CannotRun> {
    let refuse = |why: String| CannotRun(format!("stream `{}` on `{}`: {why}", stream.name, target.name));
    if stream.read_pct < 100.0 && !target.may_write {
        return Err(refuse("it writes, and this was opened for reading only".to_owned()));
    }
    let threads = threads::needed(stream);
    if threads > threads::MOST_THREADS {
        return Err(refuse(format!("a depth of {threads} is more than {} threads", threads::MOST_THREADS)));
    }
    let (size, align) = (stream.align(), target.align.unwrap_or(1) as u64);
    if size % align != 0 {
        return Err(refuse(format!(
            "requests of {size} bytes are no multiple of the {align} bytes that direct I/O takes here"
        )));
    }
    let requests = stream.requests(number, job.seed, target.bytes).map_err(refuse)?;
    let due = stream.due(number, job.seed);
    Ok(Planned { stream, target, ahead: Ahead { requests, due } })
}

/// Begins a stream.
fn begin<'a>(job: &Job, one: Planned<'a>, clock: &Arc<RunClock>) -> Result<Running<'a>, CannotRun> {
    let from = if one.ahead.due.is_some() { LatencyFrom::Intended } else { LatencyFrom::Submit };
    let tally =
        Arc::new(Mutex::new(Tally { recorder: Recorder::new(), left: job.end.ios, ..Tally::default() }));
    let shared = threads::Shared {
        stream: one.stream.clone(),
        target: one.target.clone(),
        seed: job.seed,
        clock: Arc::clone(clock),
        tally: Arc::clone(&tally),
        ahead: Mutex::new(one.ahead),
    };
    let threads = threads::start(shared).map_err(|error| {
        clock.end_now();
        CannotRun(format!("stream `{}`: its threads could not be started: {error}", one.stream.name))
    })?;
    Ok(Running { stream: one.stream, target: one.target, from, tally, threads })
}

/// Waits until the job ends, and tells how far it has come.
fn wait(job: &Job, running: &[Running<'_>], clock: &RunClock, watch: &mut Watch<'_>) {
    let mut next_look = clock.warm_ns.saturating_add(LOOK_AT_INTERVALS.as_nanos() as u64);
    let mut told_ns = 0;
    loop {
        if watch.stop.load(Ordering::Relaxed) || running.iter().all(|one| lock(&one.tally).is_over()) {
            clock.end_now();
        }
        if clock.is_over() {
            return;
        }
        let now_ns = clock.now_ns();
        if let Some(see) = &mut watch.see
            && now_ns >= told_ns + TELL.as_nanos() as u64
        {
            see(&progress(job, running, clock, now_ns, now_ns - told_ns));
            told_ns = now_ns;
        }
        if let Some(pct) = job.end.interval_pct
            && now_ns >= next_look
        {
            let elapsed_ns = now_ns - clock.warm_ns;
            next_look = now_ns + (LOOK_AT_INTERVALS.as_nanos() as u64).max(elapsed_ns / 20);
            if running.iter().all(|one| is_narrow(one, pct, elapsed_ns)) {
                clock.end_now();
                return;
            }
        }
        let left = Duration::from_nanos(clock.end_ns() - now_ns.min(clock.end_ns()));
        std::thread::sleep(LOOK.min(left).max(Duration::from_micros(100)));
    }
}

/// Is the interval of a stream's rate narrow enough?
fn is_narrow(one: &Running<'_>, pct: f64, elapsed_ns: u64) -> bool {
    let found = lock(&one.tally).recorder.rate_so_far(elapsed_ns);
    found.is_some_and(|(rate, (low, high))| high - low <= rate * pct / 100.0)
}

/// How far a run has come since it was last looked at.
fn progress(job: &Job, running: &[Running<'_>], clock: &RunClock, now_ns: u64, stretch_ns: u64) -> Progress {
    let warming_up = now_ns < clock.warm_ns;
    let elapsed_ns = if warming_up { now_ns } else { now_ns - clock.warm_ns };
    let mut seen = Progress { elapsed_s: elapsed_ns as f64 / 1e9, warming_up, ..Progress::default() };
    let mut latencies = None;
    let (mut ios, mut bytes, mut least) = (0, 0, f64::INFINITY);
    for one in running {
        let mut tally = lock(&one.tally);
        let stretch = tally.recorder.stretch();
        seen.ios += tally.recorder.ios();
        seen.bytes += tally.recorder.bytes();
        seen.errors += tally.failed;
        seen.under_way += tally.under_way;
        if let Some(asked) = job.end.ios {
            least = least.min(tally.recorder.ios() as f64 / asked as f64);
        }
        drop(tally);
        ios += stretch.ios;
        bytes += stretch.bytes;
        match &mut latencies {
            None => latencies = Some(stretch.latencies),
            // They grow by themselves.
            Some(all) => drop(all.add(&stretch.latencies)),
        }
    }
    let by_time = job.end.seconds.map(|s| seen.elapsed_s / s);
    let by_count = job.end.ios.map(|_| least);
    let share =
        by_time.into_iter().chain(by_count).fold(None, |a: Option<f64>, b| Some(a.unwrap_or(b).max(b)));
    seen.share = share.map(|s| if warming_up { 0.0 } else { s.clamp(0.0, 1.0) });
    seen.iops = ios as f64 * 1e9 / stretch_ns as f64;
    seen.mbps = bytes as f64 * 1e3 / stretch_ns as f64;
    let latencies = latencies.filter(|all| !all.is_empty());
    seen.p99_us = latencies.map(|all| all.value_at_percentile(99.0) as f64 / 1e3);
    seen
}

/// Waits for the threads of all streams, as long as patience lasts; who does not come is left behind.
fn gather(running: &mut [Running<'_>], patience: Duration, warnings: &mut Vec<String>) {
    let until = Instant::now() + patience;
    for one in running {
        while one.threads.iter().any(|t| !t.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        for thread in one.threads.drain(..).filter(JoinHandle::is_finished) {
            if thread.join().is_err() {
                warnings.push(format!("stream `{}`: a thread broke down: a bug of ours", one.stream.name));
            }
        }
        let under_way = lock(&one.tally).under_way;
        if under_way > 0 {
            warnings.push(format!(
                "`{}` did not answer {under_way} requests within {:.1} s after the end of the run: what was measured \
                 until then stands, and the device may hang",
                one.target.name,
                patience.as_secs_f64()
            ));
        }
    }
}

fn result(
    job: &Job,
    running: Vec<Running<'_>>,
    targets: &[Target],
    clock: &RunClock,
    mut warnings: Vec<String>,
) -> RunResult {
    let mut streams = Vec::new();
    let (mut cpu, mut threads_ns, mut latency_ns) = (CpuTime::default(), 0_u64, 0.0);
    for one in running {
        let mut tally = lock(&one.tally);
        cpu += tally.cpu;
        threads_ns += tally.threads_ns;
        // A count is over with its last request, not when somebody looked.
        let end_ns =
            if tally.left == Some(0) && tally.under_way == 0 { tally.last_ns } else { clock.end_ns() };
        let recorder = std::mem::take(&mut tally.recorder);
        let recorded = recorder.finish(end_ns.saturating_sub(clock.warm_ns));
        latency_ns += recorded.mean_ns().unwrap_or(0.0) * recorded.ios as f64;
        let operation = match one.stream.read_pct {
            all if all >= 100.0 => "read",
            none if none <= 0.0 => "write",
            _ => "mix",
        };
        let errors = tally.errors.iter().map(|(why, times)| format!("{times} times: {why}")).collect();
        let name = if targets.len() > 1 {
            format!("{}, {}", one.stream.name, one.target.name)
        } else {
            one.stream.name.clone()
        };
        let mut stream = StreamResult::of(&name, operation, one.from, &recorded, errors);
        stream.unserved = tally.unserved;
        streams.push(stream);
    }
    if clock.end_ns() < clock.warm_ns {
        warnings.push("it was stopped while it warmed up: nothing was recorded".to_owned());
    }
    let limited_by = limited(cpu, threads_ns, latency_ns, &mut warnings);
    for target in targets.iter().filter(|t| t.align.is_none()) {
        warnings.push(format!("`{}` was used through the page cache: memory may have answered", target.name));
    }
    RunResult { job: Some(job.clone()), environment: environment(targets), streams, limited_by, warnings }
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
