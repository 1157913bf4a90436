//! A parallel full scan: slaves that take one granule after the other, round-robin over all files, and read
//! each from its beginning to its end in multiblock reads.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::how::{How, Watch};
use crate::run::{CannotRun, Running, plan, to_the_end};
use crate::schedstat::MachineTime;
use crate::tally::{RunClock, Tally, lock, ns};
use crate::target::Target;
use crate::threads::make;
use rustix::fs::{Advice, fadvise};
use spindle_workload::{
    Arrivals, End, Flush, Job, Operation, Pattern, Region, Request, RunResult, Scan, Size, Stream,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// More granules are no scan of ours.
const MOST_GRANULES: u64 = 10_000_000;

/// A part of a file that one slave reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Granule {
    file: usize,
    from: u64,
    to: u64,
}

/// What the slaves share.
struct Shared {
    targets: Vec<Target>,
    granules: Vec<Granule>,
    next: AtomicUsize,
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
                "`{}`: reads of {size} bytes are no multiple of the {align} bytes that direct I/O takes here",
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
        // What was read before would be read from memory. Only clean pages go.
        if let Err(error) = fadvise(&*target.file, 0, None, Advice::DontNeed) {
            warnings.push(format!(
                "`{}` may be in memory already, which could not be emptied of it: {error}",
                target.name
            ));
        }
    }
    let machine = MachineTime::now();
    let clock = Arc::new(RunClock::start(0.0, None));
    let shared = Arc::new(Shared {
        targets: targets.to_vec(),
        granules,
        next: AtomicUsize::new(0),
        bytes: scan.multiblock_bytes,
        clock: Arc::clone(&clock),
        tally: Arc::clone(&planned.tally),
    });
    let mut threads = Vec::new();
    for _ in 0..scan.degree {
        let here = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().stack_size(256 << 10).spawn(move || slave(&here));
        threads.push(spawned.map_err(|error| {
            clock.end_now();
            CannotRun(format!("its threads could not be started: {error}"))
        })?);
    }
    let running = vec![Running::of(planned, threads)];
    let words = format!("sync: {} slave{}", scan.degree, if scan.degree == 1 { "" } else { "s" });
    let mut result = to_the_end(&job, running, targets, &clock, machine, how, words, &mut warnings, watch);
    // One stream over all of them.
    for stream in &mut result.streams {
        job.streams[0].name.clone_into(&mut stream.name);
    }
    result.job = None;
    Ok(result)
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
        for (file, end) in ends.iter().enumerate() {
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
fn slave(all: &Shared) {
    let cpu = crate::schedstat::CpuTime::now();
    let from = Instant::now();
    let align = all.targets.iter().filter_map(|t| t.align).max().unwrap_or(1).max(marker::SECTOR);
    let mut memory = Aligned::new(all.bytes as usize, align);
    'granules: while let Some(granule) = all.granules.get(all.next.fetch_add(1, Ordering::Relaxed)) {
        let mut at = granule.from;
        while at < granule.to {
            {
                let mut tally = lock(&all.tally);
                if all.clock.is_over() || !tally.may_begin() {
                    break 'granules;
                }
                tally.begin(false);
            }
            #[allow(clippy::cast_possible_truncation, reason = "no more than a read has")]
            let bytes = (granule.to - at).min(u64::from(all.bytes)) as u32;
            let request = Request { operation: Operation::Read, offset: at, bytes };
            let begun_ns = all.clock.now_ns();
            let file = &all.targets[granule.file].file;
            let outcome = make(file, request, Flush::None, memory.bytes(bytes as usize));
            let end_ns = all.clock.now_ns();
            let mut tally = lock(&all.tally);
            match outcome {
                Ok(()) => tally.done(&all.clock, end_ns, end_ns.saturating_sub(begun_ns), bytes),
                Err(why) => tally.failed(why),
            }
            at += u64::from(bytes);
        }
    }
    let mut tally = lock(&all.tally);
    tally.threads_ns += ns(from.elapsed());
    if let Some((before, now)) = cpu.zip(crate::schedstat::CpuTime::now()) {
        tally.cpu += now.since(before);
    }
}
