//! Runs a job on real targets: begins its streams, watches them, ends them, and says what came of it.
//!
//! The requests are made by an engine, on threads of its own. The thread that called only watches, so it
//! returns in bounded time even where a device never answers.

use crate::facts;
use crate::how::{Engine, How, Progress, Watch};
use crate::limits::{Spent, limited};
use crate::log;
use crate::replay::Replay;
use crate::ring::{self, Plan, Ready};
use crate::schedstat::MachineTime;
use crate::sys::{self, Flags};
use crate::tally::{Ahead, RunClock, Schedule, Tally, lock, ns};
use crate::target::Target;
use crate::threads;
use spindle_workload::{
    Arrivals, Flush, Job, LatencyFrom, LimitedBy, Recorded, RunResult, Size, Stream, StreamResult, Trace,
};
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the ends of the job are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How often who watches is told.
const TELL: Duration = Duration::from_millis(250);
/// How often the width of the intervals is looked at.
const LOOK_AT_INTERVALS: Duration = Duration::from_millis(500);

/// So long are requests under way waited for where somebody asked the run to end: he is not to wait for a device that
/// hangs.
const PATIENCE_STOPPED: Duration = Duration::from_secs(1);
/// What an engine that is asked to give up takes at most.
const GIVING_UP: Duration = Duration::from_millis(500);
/// Share of the run that the choice of flags may take, and its limit.
const TRIAL_SHARE: f64 = 0.05;
const TRIAL: Duration = Duration::from_millis(300);

/// Share of a depth that is to be under way on average, for the run to be one of that depth.
const FILLED: f64 = 0.9;
/// So many requests for each of the depth make its beginning and its end short beside the rest.
const COUNT_FOR_DEPTH: u64 = 20;

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
pub(crate) struct Planned<'a> {
    stream: &'a Stream,
    target: &'a Target,
    number: u64,
    from: LatencyFrom,
    pub(crate) tally: Arc<Mutex<Tally>>,
}

/// A stream on a target, while it runs.
pub(crate) struct Running<'a> {
    stream: &'a Stream,
    target: &'a Target,
    number: u64,
    from: LatencyFrom,
    tally: Arc<Mutex<Tally>>,
    threads: Vec<JoinHandle<()>>,
    wake: Vec<Arc<OwnedFd>>,
    go: Vec<Sender<Arc<RunClock>>>,
    /// A thread makes requests without waiting for each.
    one_thread: bool,
    /// Its requests come of what others do: until its first one nothing was to be done, and that time counts.
    follows: bool,
}

impl<'a> Running<'a> {
    /// A stream whose requests these threads make.
    pub(crate) fn of(one: Planned<'a>, threads: Vec<JoinHandle<()>>) -> Self {
        let Planned { stream, target, number, from, tally } = one;
        let one_thread = stream.commits();
        Self {
            stream,
            target,
            number,
            from,
            tally,
            threads,
            wake: Vec::new(),
            go: Vec::new(),
            one_thread,
            follows: false,
        }
    }

    /// A stream whose requests come of what other streams do.
    pub(crate) fn following(one: Planned<'a>, threads: Vec<JoinHandle<()>>) -> Self {
        Self { follows: true, ..Self::of(one, threads) }
    }

    /// A stream whose requests these threads make once they are told to.
    pub(crate) fn ready(one: Planned<'a>, all: Vec<Ready>) -> Self {
        let mut running = Self { one_thread: true, ..Self::of(one, Vec::new()) };
        for ready in all {
            running.threads.push(ready.thread);
            running.wake.extend(ready.wake);
            running.go.push(ready.go);
        }
        running
    }

    /// Starts what waits for the clock.
    pub(crate) fn go(&mut self, clock: &Arc<RunClock>) {
        for go in self.go.drain(..) {
            // A thread that is gone broke down, which is said at the end.
            let _ = go.send(Arc::clone(clock));
        }
    }
}

/// Runs a job: every stream on every target, all at the same time.
///
/// It returns when the job ends or the watch stops it, with what was measured: at most [`How::patience`]
/// and half a second later, whatever the device does.
///
/// # Errors
/// Where the job makes no sense, does not fit a target, would write to one that may not be written to, or
/// the engine asked for cannot be had.
pub fn run(job: &Job, targets: &[Target], how: &How, watch: &mut Watch<'_>) -> Result<RunResult, CannotRun> {
    if let Some(objection) = job.objection() {
        return Err(CannotRun(objection));
    }
    let streams = fitted(job, targets);
    let mut planned = Vec::new();
    for (which, target) in targets.iter().enumerate() {
        for stream in &streams {
            let number = planned.len() as u64;
            planned.push(match &stream.trace {
                None => plan(job, number, stream, target)?,
                Some(trace) => plan_replay(job, number, stream, trace, target, (which, targets.len()))?,
            });
        }
    }
    if planned.is_empty() {
        return Err(CannotRun(format!(
            "job `{}` has nothing to run on: no device or file is named",
            job.name
        )));
    }
    let mut warnings = Vec::new();
    let engine = match how.engine {
        Engine::Auto => match sys::probe() {
            Ok(()) => Engine::IoUring,
            Err(why) => {
                warnings
                    .push(format!("{why}: requests were made by one thread each instead, at more CPU time"));
                Engine::Sync
            }
        },
        Engine::IoUring => sys::probe().map(|()| Engine::IoUring).map_err(CannotRun)?,
        other => other,
    };
    // A log makes its own requests, one at a time, whatever makes those of the others.
    let (logs, planned): (Vec<_>, Vec<_>) = planned.into_iter().partition(|one| one.stream.commits());
    let (mut running, mut words) = match engine {
        Engine::Sync => (Vec::new(), "sync: one thread a request under way".to_owned()),
        _ => prepare(job, &planned, engine, how, watch)?,
    };
    if planned.is_empty() {
        words = "sync: one write of a log at a time".to_owned();
    }
    let writes = engine != Engine::Null && job.writes();
    let written_to = || targets.iter().filter(|_| writes);
    written_to().try_for_each(Target::look_for_others).map_err(CannotRun)?;
    if let Some(gate) = &mut watch.gate {
        gate().map_err(CannotRun)?;
    }
    written_to().try_for_each(Target::begin_writing).map_err(CannotRun)?;
    let machine = MachineTime::now();
    let clock = Arc::new(RunClock::start(job.warm_up_s.unwrap_or(0.0), job.end.seconds));
    if engine == Engine::Sync {
        for one in planned {
            running.push(begin(job, one, &clock)?);
        }
    }
    for one in logs {
        running.push(begin_log(job, one, &clock, engine != Engine::Null)?);
    }
    // As the job has them: by target, then by stream.
    running.sort_by_key(|one| one.number);
    running.iter_mut().for_each(|one| one.go(&clock));
    Ok(to_the_end(job, running, targets, &clock, machine, how, words, &mut warnings, watch))
}

/// Watches what runs until it ends, and says what came of it. `warnings` are those that are known by now.
#[allow(clippy::too_many_arguments, reason = "all that a run consists of once it goes on")]
pub(crate) fn to_the_end(
    job: &Job,
    mut running: Vec<Running<'_>>,
    targets: &[Target],
    clock: &RunClock,
    machine: Option<MachineTime>,
    how: &How,
    words: String,
    warnings: &mut Vec<String>,
    watch: &mut Watch<'_>,
) -> RunResult {
    // Asked while the device answers: of one that hangs by then, nothing is known either way.
    let environment = facts::environment(targets, words);
    let devices = || targets.iter().flat_map(Target::devices);
    let in_memory: Vec<String> = devices().filter_map(facts::in_memory).collect();
    let others = devices().filter_map(facts::on_cached_loop).chain(devices().filter_map(facts::thin));
    let what_answers: Vec<String> = others.collect();
    let touched = how.engine != Engine::Null;
    let stood: Vec<facts::Stood<'_>> = devices()
        .filter(|_| touched)
        .filter_map(|one| facts::Stood::at_the_beginning(one, job.writes()))
        .collect();
    // Where no device is asked nothing is written.
    let writes = touched && job.writes();
    wait(job, &running, clock, watch, (targets, &stood, writes));
    let stopped = watch.stop.load(Ordering::Relaxed);
    gather(&mut running, if stopped { how.patience.min(PATIENCE_STOPPED) } else { how.patience }, warnings);
    let machine = machine.zip(MachineTime::now()).map(|(before, now)| now.since(before));
    let (streams, spent) = results(job, &running, targets.len() > 1, clock, warnings);
    if clock.end_ns() < clock.warm_ns {
        warnings.push("it was stopped while it warmed up: nothing was recorded".to_owned());
    }
    // Where no device answered, none set the figures.
    let limited_by = match limited(&spent, machine, warnings) {
        LimitedBy::Device if !in_memory.is_empty() => LimitedBy::Unknown,
        other => other,
    };
    if how.engine == Engine::Null {
        warnings.push("no request was made: the figures are this program's own cost".to_owned());
    } else {
        for target in targets.iter().filter(|t| t.align.is_none()) {
            warnings
                .push(format!("`{}` was used through the page cache: memory may have answered", target.name));
        }
    }
    warnings.extend(in_memory);
    warnings.extend(what_answers);
    let ended_early = stood.iter().find_map(facts::Stood::ended);
    let answered = running.iter().all(|one| lock(&one.tally).under_way == 0);
    warnings.extend(stood.iter().filter_map(|one| one.changed(answered)));
    // Of requests that were never answered nobody knows when they are: then the kernel decides how long others wait.
    if answered {
        targets.iter().for_each(Target::let_go);
    }
    let warnings = std::mem::take(warnings);
    let job = Some(job.clone());
    RunResult { job, environment, streams, limited_by, warnings, hosts: None, ended_early }
}

/// The streams of a job with the memory that a trace needs on the blocks of these targets.
fn fitted(job: &Job, targets: &[Target]) -> Vec<Stream> {
    let mut streams = job.streams.clone();
    for stream in &mut streams {
        let Some(trace) = &stream.trace else { continue };
        let bytes = targets.iter().map(|t| trace.most_bytes(t.align.unwrap_or(1) as u64)).max();
        let bytes = bytes.and_then(|b| u32::try_from(b).ok()).unwrap_or(u32::MAX);
        stream.sizes = vec![Size { bytes, weight: 1.0 }];
    }
    streams
}

/// A stream that replays a trace, on target `which.0` of `which.1`.
fn plan_replay<'a>(
    job: &Job,
    number: u64,
    stream: &'a Stream,
    trace: &Trace,
    target: &'a Target,
    which: (usize, usize),
) -> Result<Planned<'a>, CannotRun> {
    let refuse = |why: String| CannotRun(format!("stream `{}` on `{}`: {why}", stream.name, target.name));
    if stream.read_pct < 100.0 && !target.may_write {
        return Err(refuse("its trace writes, and this was opened for reading only".to_owned()));
    }
    let align = target.align.unwrap_or(1) as u64;
    let region = stream.region.on(target.bytes, align).map_err(refuse)?;
    let placement = trace.placement(which.0, which.1, region, align).map_err(refuse)?;
    let replay = Replay::begin(stream, trace, placement, align).map_err(refuse)?;
    let from = if stream.arrivals.due_by_trace() { LatencyFrom::Intended } else { LatencyFrom::Submit };
    let tally = Arc::new(Mutex::new(Tally::of(stream, Ahead::Replayed(Box::new(replay)), job.end.ios)));
    Ok(Planned { stream, target, number, from, tally })
}

pub(crate) fn plan<'a>(
    job: &Job,
    number: u64,
    stream: &'a Stream,
    target: &'a Target,
) -> Result<Planned<'a>, CannotRun> {
    let refuse = |why: String| CannotRun(format!("stream `{}` on `{}`: {why}", stream.name, target.name));
    if stream.read_pct < 100.0 && !target.may_write {
        return Err(refuse("it writes, and this was opened for reading only".to_owned()));
    }
    if target.volume.is_some() && (stream.commits() || stream.flush == Flush::Fdatasync) {
        return Err(refuse("a volume of several devices takes neither a log nor fdatasync".to_owned()));
    }
    let (size, align) = (stream.align(), target.align.unwrap_or(1) as u64);
    // A log rounds its writes up.
    if size % align != 0 && !stream.commits() {
        return Err(refuse(format!(
            "requests of {size} bytes are no multiple of the {align} bytes that direct I/O takes here: take a multiple, or go \
             through the page cache (--buffered)"
        )));
    }
    let requests = stream.requests(number, job.seed, target.bytes).map_err(refuse)?;
    let schedule = stream.due(number, job.seed).map(Schedule::new);
    let from = if schedule.is_some() { LatencyFrom::Intended } else { LatencyFrom::Submit };
    let tally = Arc::new(Mutex::new(Tally::of(stream, Ahead::Drawn { requests, schedule }, job.end.ios)));
    Ok(Planned { stream, target, number, from, tally })
}

/// Sets up the threads of all streams, which wait for the clock.
fn prepare<'a>(
    job: &Job,
    planned: &[Planned<'a>],
    engine: Engine,
    how: &How,
    watch: &Watch<'_>,
) -> Result<(Vec<Running<'a>>, String), CannotRun> {
    // A count of requests is a count: nothing is tried.
    let trial = match (job.end.seconds, job.end.interval_pct) {
        (Some(seconds), _) => Duration::try_from_secs_f64(seconds * TRIAL_SHARE).unwrap_or(TRIAL).min(TRIAL),
        (None, Some(_)) => TRIAL,
        (None, None) => Duration::ZERO,
    };
    let mut flags: Option<Flags> = None;
    let mut running = Vec::new();
    let mut words = String::new();
    for one in planned {
        if watch.stop.load(Ordering::Relaxed) {
            flags = flags.or(Some(Flags::Plain));
        }
        let plan = Plan {
            stream: one.stream.clone(),
            target: one.target.clone(),
            files: one.target.devices().iter().map(|d| Arc::clone(&d.file)).collect(),
            who: 0,
            seed: job.seed,
            number: one.number,
            tally: Arc::clone(&one.tally),
            patience: how.patience,
        };
        let ready =
            if engine == Engine::Null { ring::by_nothing(plan) } else { ring::by_ring(plan, flags, trial) };
        let ready = ready.map_err(|why| {
            CannotRun(format!("stream `{}` on `{}`: {why}", one.stream.name, one.target.name))
        })?;
        // Tried once a run, not once a disk of many.
        flags = Some(ready.flags);
        words.clone_from(&ready.words);
        let one = Planned {
            stream: one.stream,
            target: one.target,
            number: one.number,
            from: one.from,
            tally: Arc::clone(&one.tally),
        };
        running.push(Running::ready(one, vec![ready]));
    }
    Ok((running, words))
}

/// Begins a stream with a thread for each request under way.
fn begin<'a>(job: &Job, one: Planned<'a>, clock: &Arc<RunClock>) -> Result<Running<'a>, CannotRun> {
    let shared = threads::Shared {
        stream: one.stream.clone(),
        target: one.target.clone(),
        seed: job.seed,
        clock: Arc::clone(clock),
        tally: Arc::clone(&one.tally),
    };
    let threads = threads::start(shared).map_err(|why| {
        clock.end_now();
        CannotRun(format!("stream `{}` on `{}`: {why}", one.stream.name, one.target.name))
    })?;
    Ok(Running::of(one, threads))
}

/// Begins a log.
fn begin_log<'a>(
    job: &Job,
    one: Planned<'a>,
    clock: &Arc<RunClock>,
    touch: bool,
) -> Result<Running<'a>, CannotRun> {
    let shared = threads::Shared {
        stream: one.stream.clone(),
        target: one.target.clone(),
        seed: job.seed,
        clock: Arc::clone(clock),
        tally: Arc::clone(&one.tally),
    };
    let refuse = |why: String| {
        clock.end_now();
        CannotRun(format!("stream `{}` on `{}`: {why}", one.stream.name, one.target.name))
    };
    let committers = one.stream.committers(one.number, job.seed);
    let committers = committers.ok_or_else(|| refuse("it has no committers".to_owned()))?;
    let requests = match &lock(&one.tally).ahead {
        Ahead::Drawn { requests, .. } => Some(requests.clone()),
        Ahead::Replayed(_) | Ahead::Scanned(_) => None,
    };
    let requests = requests.ok_or_else(|| refuse("a trace is no log".to_owned()))?;
    let thread = log::start(shared, committers, requests, touch).map_err(refuse)?;
    Ok(Running::of(one, vec![thread]))
}

/// Waits until the job ends, and tells how far it has come.
fn wait(
    job: &Job,
    running: &[Running<'_>],
    clock: &RunClock,
    watch: &mut Watch<'_>,
    (targets, stood, writes): (&[Target], &[facts::Stood<'_>], bool),
) {
    let mut next_look = clock.warm_ns.saturating_add(ns(LOOK_AT_INTERVALS));
    let mut told_ns = 0;
    loop {
        if watch.stop.load(Ordering::Relaxed) || running.iter().all(|one| lock(&one.tally).is_over()) {
            clock.end_now();
        }
        // What somebody comes to use is not written to any more. Writes behind the end of a file that was cut would make
        // it whole again, which whoever cut it did not want.
        let touched = || stood.iter().filter(|one| one.is_wanted() | one.is_shorter()).count() > 0;
        if writes && !clock.is_over() && touched() {
            clock.end_now();
        }
        if !writes {
            targets.iter().for_each(Target::let_go);
        }
        if clock.is_over() {
            return;
        }
        let now_ns = clock.now_ns();
        if let Some(see) = &mut watch.see
            && now_ns >= told_ns + ns(TELL)
        {
            see(&progress(job, running, clock, now_ns, now_ns - told_ns));
            told_ns = now_ns;
        }
        if let Some(most) = job.end.unserved
            && now_ns >= clock.warm_ns
            && running.iter().any(|one| lock(&one.tally).behind(now_ns).is_some_and(|n| n >= most))
        {
            clock.end_now();
            return;
        }
        if let Some(pct) = job.end.interval_pct
            && now_ns >= next_look
        {
            let elapsed_ns = now_ns - clock.warm_ns;
            next_look = now_ns + (ns(LOOK_AT_INTERVALS)).max(elapsed_ns / 20);
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
    for wake in running.iter().flat_map(|one| &one.wake) {
        // Its counter cannot be full.
        let _ = rustix::io::write(wake, &1_u64.to_ne_bytes());
    }
    let until = Instant::now() + patience + GIVING_UP;
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

/// What the streams found, and what they spent.
fn results(
    job: &Job,
    running: &[Running<'_>],
    name_targets: bool,
    clock: &RunClock,
    warnings: &mut Vec<String>,
) -> (Vec<StreamResult>, Vec<Spent>) {
    let (mut streams, mut all_spent) = (Vec::new(), Vec::new());
    for one in running {
        let mut tally = lock(&one.tally);
        // A count or a trace is over with its last request, not when somebody looked.
        let end_ns = if tally.is_done() { tally.last_ns } else { clock.end_ns() };
        let recorder = std::mem::take(&mut tally.recorder);
        let closed = matches!(one.stream.arrivals, Arrivals::Closed { .. }) && !one.follows;
        let from_ns = tally.counted_from_ns(clock, closed).min(end_ns).saturating_sub(clock.warm_ns);
        let to_ns = end_ns.saturating_sub(clock.warm_ns);
        let recorded = recorder.finish_from(from_ns, to_ns);
        let latency_ns = recorded.mean_ns().unwrap_or(0.0) * recorded.ios as f64;
        all_spent.push(Spent {
            cpu: tally.cpu,
            threads_ns: tally.threads_ns,
            latency_ns,
            one_thread: one.one_thread,
            ios: tally.answered,
            ran_ns: end_ns,
        });
        let operation = match one.stream.read_pct {
            all if all >= 100.0 => "read",
            none if none <= 0.0 => "write",
            _ => "mix",
        };
        let errors = tally.errors.iter().map(|(why, times)| StreamResult::error(why, *times)).collect();
        let name = if name_targets {
            format!("{}, {}", one.stream.name, one.target.name)
        } else {
            one.stream.name.clone()
        };
        let mut stream = StreamResult::of(&name, operation, one.from, &recorded, errors);
        if let Some((arrived, unserved)) = tally.unserved(end_ns) {
            stream.unserved = Some(unserved);
            // Who asked for an end by it knows.
            if job.end.unserved.is_none() && stream.piled_up().is_some() {
                warnings.push(format!(
                    "stream `{name}`: {unserved} of {arrived} requests that had arrived were not answered at the end: the \
                     device does less than was asked, or the run is too short for its latency"
                ));
            }
        }
        if tally.is_done() {
            warnings.extend(too_few(&name, one.stream, &recorded, latency_ns));
        }
        if let (Some(trace), Ahead::Replayed(replay)) = (&one.stream.trace, &tally.ahead) {
            warnings.extend(replay.told(&name, trace));
            if one.stream.arrivals.due_by_trace() {
                // The trace sets the rate, and another run has the same.
                stream.interval = None;
            }
        } else {
            // A trace asks for what it asks for, steady or not.
            warnings.extend(unsteady(&stream));
        }
        streams.push(stream);
        for beside in std::mem::take(&mut tally.besides) {
            let recorded = beside.recorder.finish_from(from_ns, to_ns);
            let name = beside.name.map_or_else(|| format!("{name}, commits"), str::to_owned);
            streams.push(StreamResult::of(
                &name,
                beside.operation,
                LatencyFrom::Submit,
                &recorded,
                Vec::new(),
            ));
        }
    }
    (streams, all_spent)
}

/// What is said of a count of requests that is too small for its depth: while the first and the last ones are under
/// way there are fewer, and the rate is that of a lower depth. By Little's law.
fn too_few(name: &str, stream: &Stream, recorded: &Recorded, latency_ns: f64) -> Option<String> {
    let Arrivals::Closed { depth, think_us: 0.0 } = stream.arrivals else { return None };
    let under_way = latency_ns / recorded.elapsed_ns as f64;
    let few = depth > 1 && recorded.ios > 0 && under_way < FILLED * f64::from(depth);
    // Of many something else kept the depth from being reached, and that is said where the limits are told.
    (few && recorded.ios < COUNT_FOR_DEPTH * u64::from(depth)).then(|| {
        format!(
            "stream `{name}`: {} requests are too few for a depth of {depth}: {under_way:.1} were under way on average, \
             and rate and latency are those of that",
            recorded.ios
        )
    })
}

/// What is said of a rate that did not stay the same.
fn unsteady(stream: &StreamResult) -> Option<String> {
    let course = stream.course.as_ref().filter(|c| c.steady == Some(false))?;
    let name = &stream.name;
    Some(match course.steps.first() {
        Some(step) => format!(
            "stream `{name}` stepped from {:.0} to {:.0} requests a second after {:.1} s{}: burst credits, a cache that \
             filled, or another load; its figures mix both",
            step.before_iops,
            step.after_iops,
            step.at_s,
            match course.steps.len() {
                1 => String::new(),
                more => format!(", the first of {more} steps"),
            }
        ),
        None => format!(
            "stream `{name}` was not steady: its rate moved by more than 20 % of its mean, or drifted by more than 10 %"
        ),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::guard::{WriteTarget, create};
    use spindle_workload::{End, Pattern, Region};
    use std::fs::File;
    use std::sync::atomic::AtomicBool;

    /// Writes made the file as long again, and nothing was told.
    #[test]
    fn a_file_that_was_cut_where_no_lease_keeps_others_out_was_made_whole_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("written");
        let mut target =
            Target::writing("written", create(&path, 256 << 20).and_then(WriteTarget::arm).unwrap());
        target.hold = None;
        let stream = Stream {
            name: "writes".to_owned(),
            read_pct: 0.0,
            pattern: Pattern::Random,
            sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
            region: Region::default(),
            arrivals: Arrivals::Closed { depth: 4, think_us: 0.0 },
            flush: Flush::None,
            trace: None,
        };
        let end = End { seconds: Some(30.0), ..End::default() };
        let job = Job { name: "cut".to_owned(), seed: 1, streams: vec![stream], end, warm_up_s: None };
        let (stop, began) = (AtomicBool::new(false), Instant::now());
        let result = std::thread::scope(|scope| {
            let ran = scope.spawn(|| {
                run(&job, std::slice::from_ref(&target), &How::default(), &mut Watch::stopping(&stop))
                    .unwrap()
            });
            std::thread::sleep(Duration::from_millis(300));
            File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
            ran.join().unwrap()
        });
        let told = |w: &String| w.contains("made shorter") && w.contains("ended the run: at most");
        assert!(result.warnings.iter().any(told), "{:?}", result.warnings);
        assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
        assert!(result.ended_early.unwrap().starts_with("`written` was made shorter"));
    }
}
