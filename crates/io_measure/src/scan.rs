//! A parallel full scan: slaves that take one granule after the other, round-robin over all files, and read
//! each from its beginning to its end in multiblock reads. Each is a thread: with a `pread` at a time, or with a
//! ring of its own that keeps several reads under way.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::how::{Engine, How, Watch};
use crate::ring::{self, Plan};
use crate::run::{CannotRun, Planned, Running, plan, to_the_end};
use crate::schedstat::MachineTime;
use crate::sys::{self, Flags};
use crate::tally::{Ahead, RunClock, Taken, Tally, lock, ns};
use crate::target::Target;
use crate::threads::make;
use rustix::fs::{Advice, fadvise};
use spindle_workload::{
    Arrivals, End, Flush, Job, Operation, Pattern, Region, Request, RunResult, Scan, Size, Stream,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// More granules are no scan of ours.
const MOST_GRANULES: u64 = 10_000_000;

/// A part of a file that one slave reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Granule {
    file: u32,
    from: u64,
    to: u64,
}

/// How far a scan has come.
#[derive(Debug)]
pub(crate) struct Scanning {
    granules: Vec<Granule>,
    /// Bytes of a read.
    bytes: u32,
    /// The first granule that nobody has taken.
    next: usize,
    /// What each slave has left of its own.
    slaves: Vec<Option<Granule>>,
}

impl Scanning {
    /// Is there nothing left for this slave?
    pub(crate) fn is_over(&self, slave: usize) -> bool {
        self.next == self.granules.len() && self.slaves.get(slave).is_none_or(Option::is_none)
    }

    /// The next read of a slave.
    pub(crate) fn take(&mut self, slave: usize) -> Option<Taken> {
        let own = self.slaves.get_mut(slave)?;
        if own.is_none() {
            *own = Some(*self.granules.get(self.next)?);
            self.next += 1;
        }
        let Granule { file, from, to } = (*own)?;
        #[allow(clippy::cast_possible_truncation, reason = "no more than a read has")]
        let bytes = (to - from).min(u64::from(self.bytes)) as u32;
        let left = Granule { file, from: from + u64::from(bytes), to };
        *own = (left.from < to).then_some(left);
        Some(Taken {
            request: Request { operation: Operation::Read, offset: from, bytes },
            due_ns: None,
            file,
        })
    }
}

/// What the slaves share.
struct Shared {
    targets: Vec<Target>,
    bytes: u32,
    clock: Arc<RunClock>,
    tally: Arc<Mutex<Tally>>,
}

/// Scans all targets once.
///
/// # Errors
/// Where the scan makes no sense or does not fit the targets.
pub fn run_scan(
    scan: &Scan,
    targets: &[Target],
    how: &How,
    watch: &mut Watch<'_>,
) -> Result<RunResult, CannotRun> {
    if let Some(objection) = scan.objection() {
        return Err(CannotRun(objection));
    }
    if targets.iter().any(|t| t.volume.is_some()) {
        return Err(CannotRun("a volume of several devices is not scanned".to_owned()));
    }
    let granules = granules(scan, targets).map_err(CannotRun)?;
    let size = u64::from(scan.multiblock_bytes);
    let reads: u64 = granules.iter().map(|g| (g.to - g.from).div_ceil(size)).sum();
    for target in targets {
        let align = target.align.unwrap_or(1) as u64;
        if !size.is_multiple_of(align) {
            return Err(CannotRun(format!(
                "`{}`: reads of {size} bytes are no multiple of the {align} bytes that direct I/O takes here: take a multiple, or go through the page cache (--buffered)",
                target.name
            )));
        }
    }
    // A file may be smaller than a read.
    let least = targets.iter().filter_map(|t| t.align).max().unwrap_or(1);
    let job = job(scan, u32::try_from(least).unwrap_or(1), reads);
    let mut planned = None;
    for target in targets {
        planned = planned.or(Some(plan(&job, 0, &job.streams[0], target)?));
    }
    let planned = planned.ok_or_else(|| CannotRun("no file is named that could be scanned".to_owned()))?;
    let mut warnings = Vec::new();
    for target in targets.iter().filter(|t| t.align.is_none()) {
        // Read-ahead is copied into an open file when it is opened; this takes the disk's anew, which may have changed.
        if let Err(error) = fadvise(&*target.file, 0, None, Advice::Normal) {
            warnings.push(format!(
                "`{}` is read with the read-ahead that its disk had when it was opened: {error}",
                target.name
            ));
        }
        // What was read before would be read from memory. Only clean pages go.
        if let Err(error) = fadvise(&*target.file, 0, None, Advice::DontNeed) {
            warnings.push(format!(
                "`{}` may be in memory already, which could not be emptied of it: {error}",
                target.name
            ));
        }
    }
    lock(&planned.tally).ahead = Ahead::Scanned(Scanning {
        granules,
        bytes: scan.multiblock_bytes,
        next: 0,
        slaves: vec![None; scan.degree as usize],
    });
    let slaves = format!("{} slave{}", scan.degree, if scan.degree == 1 { "" } else { "s" });
    let machine = MachineTime::now();
    let (running, clock, words) = match engine(scan, how)? {
        Engine::Sync => {
            let clock = Arc::new(RunClock::start(0.0, None));
            (by_threads(scan, targets, planned, &clock)?, clock, format!("sync: {slaves}"))
        }
        engine => {
            let (mut running, words) = by_rings(scan, targets, planned, engine, how)?;
            let clock = Arc::new(RunClock::start(0.0, None));
            running.go(&clock);
            (running, clock, format!("{words}; {slaves}, {} under way each", scan.under_way))
        }
    };
    let mut result =
        to_the_end(&job, vec![running], targets, &clock, machine, how, words, &mut warnings, watch);
    // One stream over all of them.
    for stream in &mut result.streams {
        job.streams[0].name.clone_into(&mut stream.name);
    }
    result.job = None;
    Ok(result)
}

/// What makes the reads. One at a time is what `pread` does, at the least cost.
fn engine(scan: &Scan, how: &How) -> Result<Engine, CannotRun> {
    match how.engine {
        Engine::Auto if scan.under_way == 1 => Ok(Engine::Sync),
        Engine::Sync if scan.under_way > 1 => Err(CannotRun(format!(
            "the engine sync makes one read of a slave at a time, and {} are asked for",
            scan.under_way
        ))),
        Engine::Auto | Engine::IoUring => sys::probe().map(|()| Engine::IoUring).map_err(CannotRun),
        other => Ok(other),
    }
}

/// Slaves that make one read after the other.
fn by_threads<'a>(
    scan: &Scan,
    targets: &[Target],
    planned: Planned<'a>,
    clock: &Arc<RunClock>,
) -> Result<Running<'a>, CannotRun> {
    let shared = Arc::new(Shared {
        targets: targets.to_vec(),
        bytes: scan.multiblock_bytes,
        clock: Arc::clone(clock),
        tally: Arc::clone(&planned.tally),
    });
    let mut threads = Vec::new();
    for number in 0..scan.degree as usize {
        let here = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().stack_size(256 << 10).spawn(move || slave(&here, number));
        threads.push(spawned.map_err(|error| {
            clock.end_now();
            CannotRun(format!("its threads could not be started: {error}"))
        })?);
    }
    Ok(Running::of(planned, threads))
}

/// Slaves with a ring each, or with none, that wait for the clock.
fn by_rings<'a>(
    scan: &Scan,
    targets: &[Target],
    planned: Planned<'a>,
    engine: Engine,
    how: &How,
) -> Result<(Running<'a>, String), CannotRun> {
    let stream = Stream {
        sizes: vec![Size { bytes: scan.multiblock_bytes, weight: 1.0 }],
        arrivals: Arrivals::Closed { depth: scan.under_way, think_us: 0.0 },
        ..job(scan, scan.multiblock_bytes, 1).streams.remove(0)
    };
    let mut all = Vec::new();
    for who in 0..scan.degree as usize {
        let plan = Plan {
            stream: stream.clone(),
            target: targets[0].clone(),
            files: targets.iter().map(|t| Arc::clone(&t.file)).collect(),
            who,
            seed: 0,
            number: who as u64,
            tally: Arc::clone(&planned.tally),
            patience: how.patience,
        };
        let ready = match engine {
            Engine::Null => ring::by_nothing(plan),
            // All is read once: nothing is tried.
            _ => ring::by_ring(plan, Some(Flags::Plain), Duration::ZERO),
        };
        all.push(ready.map_err(|why| CannotRun(format!("slave {}: {why}", who + 1)))?);
    }
    let words = all.first().map(|ready| ready.words.clone()).unwrap_or_default();
    Ok((Running::ready(planned, all), words))
}

/// The granules of all files by turns.
fn granules(scan: &Scan, targets: &[Target]) -> Result<Vec<Granule>, String> {
    let unit = |t: &Target| t.align.unwrap_or(1) as u64;
    let ends: Vec<u64> = targets.iter().map(|t| t.bytes / unit(t) * unit(t)).collect();
    let count: u64 = ends.iter().map(|end| end.div_ceil(scan.granule_bytes)).sum();
    if count > MOST_GRANULES {
        return Err(format!("{count} granules are too many: make them larger (--granule)"));
    }
    let most = ends.iter().map(|end| end.div_ceil(scan.granule_bytes)).max().unwrap_or(0);
    let mut all = Vec::new();
    for round in 0..most {
        for (file, end) in (0..).zip(&ends) {
            let from = round * scan.granule_bytes;
            if from < *end {
                all.push(Granule { file, from, to: (from + scan.granule_bytes).min(*end) });
            }
        }
    }
    Ok(all)
}

/// The scan as a job: for what is checked of it.
fn job(scan: &Scan, least: u32, reads: u64) -> Job {
    let stream = Stream {
        name: "scan".to_owned(),
        read_pct: 100.0,
        pattern: Pattern::Sequential,
        sizes: vec![Size { bytes: least, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth: scan.degree, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    Job {
        name: format!("degree {}", scan.degree),
        seed: 0,
        streams: vec![stream],
        end: End { ios: Some(reads), ..End::default() },
        warm_up_s: None,
    }
}

/// Reads one granule after the other until there are none.
fn slave(all: &Shared, number: usize) {
    let cpu = crate::schedstat::CpuTime::now();
    let from = Instant::now();
    let align = all.targets.iter().filter_map(|t| t.align).max().unwrap_or(1).max(marker::SECTOR);
    let mut memory = Aligned::new(all.bytes as usize, align);
    loop {
        let taken = {
            let mut tally = lock(&all.tally);
            if all.clock.is_over() || !tally.may_begin() {
                break;
            }
            let Some(taken) = tally.ahead.take(number) else { break };
            tally.begin(false);
            taken
        };
        let begun_ns = all.clock.now_ns();
        let (file, bytes) = (&all.targets[taken.file as usize].file, taken.request.bytes);
        let outcome = make(file, taken.request, Flush::None, memory.bytes(bytes as usize));
        let end_ns = all.clock.now_ns();
        let mut tally = lock(&all.tally);
        match outcome {
            Ok(()) => {
                tally.done(&all.clock, end_ns, end_ns.saturating_sub(begun_ns), (Operation::Read, bytes))
            }
            Err(why) => tally.failed(why),
        }
    }
    let mut tally = lock(&all.tally);
    tally.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(crate::schedstat::CpuTime::now()) {
        tally.cpu += now.since(before);
    }
}
