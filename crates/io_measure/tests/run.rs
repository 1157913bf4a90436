//! Jobs on files of our own, and on an emulated device whose figures are set.
//!
//! Rates are checked against what was set from above exactly, from below generously: the machine may be
//! busy.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_emulate::{Content, EmulateError, Emulation, Order};
use spindle_io_measure::guard::{Permission, WriteTarget, create, marker, open_to_read, open_to_write};
use spindle_io_measure::{CannotRun, Engine, How, Progress, Target, Watch, io_uring_here};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_test_support::skipped;
use spindle_workload::{
    Arrivals, End, Extent, Flush, Job, LatencyFrom, LimitedBy, Pattern, Region, RunResult, Size, Stream,
    StreamResult,
};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

fn stream(read_pct: f64, depth: u32) -> Stream {
    Stream {
        name: "small".into(),
        read_pct,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    }
}

fn job(stream: Stream, end: End) -> Job {
    Job { name: "test".into(), seed: 13, streams: vec![stream], end, warm_up_s: None }
}

fn ios(count: u64) -> End {
    End { ios: Some(count), ..End::default() }
}

fn seconds(count: f64) -> End {
    End { seconds: Some(count), ..End::default() }
}

fn file(folder: &Path, bytes: usize) -> std::path::PathBuf {
    let path = folder.join("f");
    fs::write(&path, vec![7; bytes]).unwrap();
    path
}

fn reading(path: &Path) -> Target {
    Target::reading(&path.display().to_string(), open_to_read(path).unwrap())
}

/// Engines that can be had here.
fn engines() -> Vec<Engine> {
    match io_uring_here() {
        Ok(()) => vec![Engine::Sync, Engine::IoUring],
        Err(why) => {
            skipped(&why);
            vec![Engine::Sync]
        }
    }
}

fn run(engine: Engine, job: &Job, targets: &[Target], stop: &AtomicBool) -> Result<RunResult, CannotRun> {
    spindle_io_measure::run(job, targets, &How::by(engine), &mut Watch::stopping(stop))
}

fn done(engine: Engine, job: &Job, targets: &[Target]) -> RunResult {
    run(engine, job, targets, &AtomicBool::new(false)).unwrap()
}

fn only(result: &RunResult) -> &StreamResult {
    assert_eq!(result.streams.len(), 1);
    &result.streams[0]
}

#[test]
fn a_count_is_done_to_the_last_request() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 4 << 20);
        for depth in [1, 7] {
            let result = done(engine, &job(stream(100.0, depth), ios(1_000)), &[reading(&path)]);
            let stream = only(&result);
            assert_eq!((stream.ios, stream.bytes), (Some(1_000), Some(8_192_000)));
            assert_eq!((stream.operation.as_str(), stream.latency_from), ("read", LatencyFrom::Submit));
            assert!(stream.errors.is_empty() && stream.latency_us.p50 <= stream.latency_us.max);
            assert!(result.warnings.iter().any(|w| w.contains("page cache")), "{:?}", result.warnings);
        }
    }
}

#[test]
fn a_few_requests_had_a_rate_that_held_the_start_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    for engine in engines() {
        for count in [1, 3] {
            let result = done(engine, &job(stream(100.0, 1), ios(count)), &[reading(&path)]);
            let stream = only(&result);
            let took_us = stream.elapsed_s.unwrap() * 1e6;
            let latencies_us = stream.latency_us.mean.unwrap() * count as f64;
            assert!(took_us >= latencies_us - 0.01, "{engine:?}: {took_us} {latencies_us}");
            if count == 1 {
                assert!((took_us - latencies_us).abs() < 0.01, "{engine:?}: {took_us} {latencies_us}");
            }
            assert_eq!((stream.interval, result.limited_by), (None, LimitedBy::Unknown), "{engine:?}");
            assert!(result.warnings.iter().any(|w| w.contains("too few to tell")), "{:?}", result.warnings);
        }
        let few = done(engine, &job(stream(100.0, 64), ios(70)), &[reading(&path)]);
        let said = few.warnings.iter().find(|w| w.contains("70 requests are too few for a depth of 64"));
        assert!(said.is_some(), "{engine:?}: {:?}", few.warnings);
    }
}

#[test]
fn files_are_read_past_the_page_cache_where_that_is_possible() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 4 << 20);
        let target = match reading(&path).direct() {
            Ok(target) => target,
            Err(why) => return skipped(&format!("{}: {why}", folder.path().display())),
        };
        let targets = [target];
        let result = done(engine, &job(stream(100.0, 4), ios(500)), &targets);
        assert_eq!(only(&result).ios, Some(500));
        assert_eq!(result.environment.devices[0].direct, Some(true));
        assert!(!result.warnings.iter().any(|w| w.contains("page cache")), "{:?}", result.warnings);
        let odd = Stream { sizes: vec![Size { bytes: 100, weight: 1.0 }], ..stream(100.0, 1) };
        let why = run(engine, &job(odd, ios(1)), &targets, &AtomicBool::new(false)).unwrap_err();
        assert!(why.to_string().contains("direct I/O takes"), "{why}");
    }
}

#[test]
fn what_was_opened_for_reading_is_not_written_to() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let before = fs::read(&path).unwrap();
        let why = run(engine, &job(stream(99.0, 1), ios(10)), &[reading(&path)], &AtomicBool::new(false))
            .unwrap_err();
        assert!(why.to_string().contains("opened for reading only"), "{why}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn what_is_written_is_known_as_ours_and_nothing_that_was_read_elsewhere() {
    for engine in engines() {
        let folder = tempfile::tempdir_in(spindle_test_support::temporary_folder()).unwrap();
        let path = folder.path().join("f");
        let armed = create(&path, 4 * MIB).and_then(WriteTarget::arm).unwrap();
        let mut stream = stream(30.0, 3);
        stream.region = Region { from: Extent::Percent(25.0), length: Some(Extent::Percent(50.0)) };
        let result = done(engine, &job(stream, ios(2_000)), &[Target::writing("f", armed)]);
        assert_eq!((only(&result).ios, only(&result).operation.as_str()), (Some(2_000), "mix"));
        let content = fs::read(&path).unwrap();
        let quarter = usize::try_from(MIB).unwrap();
        assert_eq!(content.len(), 4 * quarter);
        assert!(content[..quarter].iter().chain(&content[3 * quarter..]).all(|b| *b == 0));
        // 1,400 writes over 256 blocks leave a block as it was once in two hundred. Reads between them once
        // filled the memory that was written from.
        let blocks = content[quarter..3 * quarter].chunks(8_192);
        let written = blocks.filter(|block| block.starts_with(&marker::MAGIC)).count();
        assert!(written > 240, "{written} of 256");
        open_to_write(&path, &Permission::none()).and_then(WriteTarget::arm).unwrap();
    }
}

#[test]
fn a_file_that_shrinks_under_a_run_ends_it_and_says_why() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 4 << 20);
        let target = reading(&path);
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let result = done(engine, &job(stream(100.0, 4), seconds(60.0)), &[target]);
        let stream = only(&result);
        assert_eq!(stream.ios, Some(0));
        assert!(!stream.errors.is_empty() && stream.errors.iter().all(|e| e.contains("0 of 8192 bytes")));
        assert!(stream.elapsed_s.unwrap() < 30.0 && stream.latency_us.mean.is_none());
    }
}

#[test]
fn a_run_that_is_stopped_keeps_what_it_measured() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let targets = [reading(&path)];
        let stop = AtomicBool::new(false);
        let mut see = |progress: &Progress| stop.store(progress.ios > 0, Ordering::Relaxed);
        let mut watch = Watch::seeing(&stop, &mut see);
        let begun = Instant::now();
        let endless = job(stream(100.0, 1), seconds(600.0));
        let result = spindle_io_measure::run(&endless, &targets, &How::by(engine), &mut watch).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(60) && only(&result).ios > Some(0));
    }
}

#[test]
fn jobs_that_do_not_fit_are_refused() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let refused =
            |job: Job, targets: &[Target]| run(engine, &job, targets, &AtomicBool::new(false)).unwrap_err().0;
        let beyond = Stream {
            region: Region { from: Extent::Bytes(0), length: Some(Extent::Bytes(2 << 20)) },
            ..stream(100.0, 1)
        };
        assert!(refused(job(beyond, ios(1)), &[reading(&path)]).contains("beyond the end"));
        assert!(refused(job(stream(100.0, 1), ios(1)), &[]).contains("nothing to run on"));
        assert!(
            refused(
                job(
                    Stream { sizes: vec![Size { bytes: 1 << 20, weight: 1.0 }], ..stream(100.0, 2_000) },
                    ios(1)
                ),
                &[reading(&path)]
            )
            .contains("depth of")
        );
        assert!(refused(job(stream(100.0, 1), End::default()), &[reading(&path)]).contains("never ends"));
    }
}

/// An emulated device; what it stands in goes with it.
struct Served {
    emulation: Emulation,
    _folder: tempfile::TempDir,
}

/// 8 ms and 150 requests a second: 125 a second one at a time.
fn slow_disk() -> Option<Served> {
    device(8e3, Some(150.0), 8 * MIB)
}

/// A device that keeps so many bytes of what is written.
fn device(latency_us: f64, iops: Option<f64>, bytes: u64) -> Option<Served> {
    let folder = tempfile::tempdir().unwrap();
    let spec = LatencyCapSpec { latency: Picoseconds::from_us(latency_us), iops, bytes_per_s: None };
    let order = Order {
        at: folder.path().join("device"),
        size_bytes: 64 * MIB,
        content: Content::Memory { bytes },
        watchdog: None,
        loop_device: false,
    };
    match Emulation::start(order, Box::new(LatencyCap::new(&spec).unwrap())) {
        Ok(emulation) => Some(Served { emulation, _folder: folder }),
        Err(EmulateError::Unavailable(why)) => {
            skipped(&why);
            None
        }
        Err(EmulateError::Refused(why)) => panic!("{why}"),
    }
}

#[test]
fn the_figures_of_a_slow_disk_are_found() {
    let Some(served) = slow_disk() else { return };
    for engine in engines() {
        for (depth, least, most) in [(1, 60.0, 125.0), (8, 100.0, 150.5)] {
            let targets = [reading(served.emulation.at())];
            let result = done(engine, &job(stream(100.0, depth), seconds(4.0)), &targets);
            let found = only(&result);
            let iops = found.iops.unwrap();
            assert!((least..=most).contains(&iops), "depth {depth}: {iops}");
            let median = found.latency_us.p50.unwrap();
            assert!(median >= 8_000.0 * 0.999, "depth {depth}: {median}");
            // By Little's law.
            let little = f64::from(depth) * 1e6 / found.latency_us.mean.unwrap();
            assert!((little / iops - 1.0).abs() < 0.1, "depth {depth}: {little} and {iops}");
        }
    }
}

#[test]
fn an_open_loop_above_the_capacity_shows_the_delay_that_a_closed_one_hides() {
    let Some(served) = slow_disk() else { return };
    for engine in engines() {
        let targets = [reading(served.emulation.at())];
        let open = |iops: f64| {
            let arrivals = Arrivals::Open { iops, poisson: true };
            let result = done(engine, &job(Stream { arrivals, ..stream(100.0, 1) }, seconds(4.0)), &targets);
            only(&result).clone()
        };
        let (below, above) = (open(75.0), open(300.0));
        assert_eq!(above.latency_from, LatencyFrom::Intended);
        assert!(above.iops.unwrap() <= 151.0);
        // Twice the capacity: after 4 s requests are 2 s late. Below it they are served in turn.
        assert!(above.latency_us.max.unwrap() > 1_500_000.0, "{:?}", above.latency_us);
        assert!(below.latency_us.p50.unwrap() < 500_000.0, "{:?}", below.latency_us);
    }
}

#[test]
fn what_is_done_while_it_warms_up_does_not_count() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let warm = Job { warm_up_s: Some(0.4), ..job(stream(100.0, 1), seconds(0.4)) };
        let mut seen = Vec::new();
        let stop = AtomicBool::new(false);
        let mut see = |progress: &Progress| seen.push(*progress);
        let targets = [reading(&path)];
        let mut watch = Watch::seeing(&stop, &mut see);
        let result = spindle_io_measure::run(&warm, &targets, &How::by(engine), &mut watch).unwrap();
        let found = only(&result);
        assert!((found.elapsed_s.unwrap() - 0.4).abs() < 1e-6, "{:?}", found.elapsed_s);
        // The first look falls within the warm-up, unless the machine stood still.
        assert!(seen.iter().all(|p| !p.warming_up || (p.ios == 0 && p.share == Some(0.0))), "{seen:?}");
        assert!(seen.iter().any(|p| !p.warming_up && p.ios > 0 && p.p99_us.is_some()), "{seen:?}");
        assert!(seen.iter().map(|p| p.ios).max() <= found.ios);
    }
}

#[test]
fn writes_end_when_they_are_on_the_device() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        for flush in [Flush::Dsync, Flush::Fdatasync] {
            let path = folder.path().join(format!("{engine:?}-{flush:?}"));
            let armed = create(&path, MIB).and_then(WriteTarget::arm).unwrap();
            let writes = Stream { flush, ..stream(0.0, 2) };
            let result = done(engine, &job(writes, ios(50)), &[Target::writing("f", armed)]);
            let said = &result.warnings;
            assert_eq!((only(&result).ios, &only(&result).errors), (Some(50), &Vec::new()), "{said:?}");
        }
    }
}

#[test]
fn nothing_is_asked_of_a_device_by_the_engine_that_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    let target = reading(&path);
    File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    let arrivals = Arrivals::Open { iops: 2_000.0, poisson: false };
    let open = Stream { arrivals, ..stream(100.0, 1) };
    let result = done(Engine::Null, &job(stream(100.0, 64), ios(100_000)), std::slice::from_ref(&target));
    assert_eq!((only(&result).ios, &only(&result).errors), (Some(100_000), &Vec::new()));
    assert!(result.environment.engine.as_ref().unwrap().starts_with("null"));
    let result = done(Engine::Null, &job(open, seconds(0.5)), &[target]);
    // 999 or 1,000 are due; a machine that stands still at the end answers fewer.
    assert!((800..=1_000).contains(&only(&result).ios.unwrap()), "{:?}", only(&result).ios);
}

#[test]
fn a_full_device_is_named_and_ends_the_run() {
    let Some(served) = device(200.0, None, 256 << 10) else { return };
    for engine in engines() {
        let armed = open_to_write(served.emulation.at(), &Permission::none()).and_then(WriteTarget::arm);
        let target = Target::writing("full", armed.unwrap());
        let result = done(engine, &job(stream(0.0, 8), seconds(60.0)), &[target]);
        let found = only(&result);
        assert_eq!(found.errors.len(), 1, "{:?}", found.errors);
        assert!(found.errors[0].contains("No space left on device"), "{:?}", found.errors);
        assert!(found.elapsed_s.unwrap() < 30.0);
    }
}

/// A device that hangs for good would keep this process, which serves it: it answers after six seconds.
#[test]
fn a_device_that_hangs_does_not_keep_the_run() {
    for engine in engines() {
        let Some(served) = device(6e6, None, MIB) else { return };
        let targets = [reading(served.emulation.at())];
        let how = How { patience: Duration::from_millis(300), ..How::by(engine) };
        let stop = AtomicBool::new(false);
        let hanging = job(stream(100.0, 3), seconds(0.4));
        let result = spindle_io_measure::run(&hanging, &targets, &how, &mut Watch::stopping(&stop)).unwrap();
        assert_eq!((only(&result).ios, &only(&result).errors), (Some(0), &Vec::new()));
        let said = "did not answer 3 requests within 0.3 s";
        assert!(result.warnings.iter().any(|w| w.contains(said)), "{engine:?}: {result:?}");
        std::thread::sleep(Duration::from_secs(7));
    }
}

#[test]
fn arrivals_that_a_device_does_not_answer_are_counted() {
    let Some(served) = slow_disk() else { return };
    for engine in engines() {
        let targets = [reading(served.emulation.at())];
        let arrivals = Arrivals::Open { iops: 400.0, poisson: false };
        let result = done(engine, &job(Stream { arrivals, ..stream(100.0, 1) }, seconds(2.0)), &targets);
        let found = only(&result);
        // 799 or 800 arrive, and each is answered or not.
        let all = found.ios.unwrap() + found.unserved.unwrap();
        assert!((799..=800).contains(&all), "{engine:?}: {all}");
        assert!(found.unserved.unwrap() >= 490, "{:?}", found.unserved);
        assert!(result.warnings.iter().any(|w| w.contains("were not answered")), "{:?}", result.warnings);
    }
}

#[test]
fn a_run_that_asks_for_it_ends_as_soon_as_too_many_wait() {
    let Some(served) = device(1e3, Some(100.0), MIB) else { return };
    for engine in engines() {
        let open = Stream { arrivals: Arrivals::Open { iops: 300.0, poisson: false }, ..stream(100.0, 1) };
        let end = End { unserved: Some(60), ..seconds(600.0) };
        let begun = Instant::now();
        let result = done(engine, &job(open, end), &[reading(served.emulation.at())]);
        let found = only(&result);
        assert!(begun.elapsed() < Duration::from_secs(120) && found.unserved >= Some(60), "{found:?}");
        // Threads that hold requests which are not due yet are not behind: at 300 a second 60 take 0.2 s at least.
        assert!(found.elapsed_s >= Some(0.2), "{found:?}");
        // Who asked for it is not told of it.
        assert!(!result.warnings.iter().any(|w| w.contains("had arrived")), "{:?}", result.warnings);
    }
}

#[test]
fn pauses_between_requests_lower_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    for engine in engines() {
        let arrivals = Arrivals::Closed { depth: 4, think_us: 20_000.0 };
        let result =
            done(engine, &job(Stream { arrivals, ..stream(100.0, 1) }, seconds(2.0)), &[reading(&path)]);
        // 4 in 20 ms are 200 a second; 400 in all, standard deviation 20. A busy machine does fewer.
        let ios = only(&result).ios.unwrap();
        assert!((150..=500).contains(&ios), "{engine:?}: {ios}");
        assert_eq!(only(&result).unserved, None);
    }
}

#[test]
fn a_file_in_memory_was_measured_as_if_a_device_had_answered() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
        skipped("there is no /dev/shm");
        return;
    };
    let kind = std::process::Command::new("stat").args(["-f", "-c", "%T", "/dev/shm"]).output();
    if !kind.is_ok_and(|kind| kind.stdout.starts_with(b"tmpfs")) {
        skipped("/dev/shm is no tmpfs");
        return;
    }
    let path = file(folder.path(), 1 << 20);
    let told = |result: &RunResult| result.warnings.iter().any(|w| w.contains("lies in memory (tmpfs)"));
    for engine in engines() {
        // Newer kernels take direct I/O there: then nothing else would tell.
        for target in [Some(reading(&path)), reading(&path).direct().ok()].into_iter().flatten() {
            let result = done(engine, &job(stream(100.0, 1), ios(50)), &[target]);
            assert!(told(&result), "{engine:?}: {:?}", result.warnings);
            assert_ne!(result.limited_by, LimitedBy::Device, "none answered");
        }
    }
    let elsewhere = tempfile::tempdir_in("/var/tmp").unwrap();
    let path = file(elsewhere.path(), 1 << 20);
    assert!(!told(&done(Engine::Sync, &job(stream(100.0, 1), ios(50)), &[reading(&path)])));
}

#[test]
fn what_others_did_to_the_file_meanwhile_was_not_told() {
    let told = |change: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 4 << 20);
        let target = reading(&path);
        let job = job(stream(100.0, 2), seconds(0.4));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| done(Engine::Sync, &job, std::slice::from_ref(&target)));
            std::thread::sleep(Duration::from_millis(150));
            change(&path);
            run.join()
                .unwrap()
                .warnings
                .into_iter()
                .filter(|w| w.contains("by another program"))
                .collect::<Vec<_>>()
        })
    };
    let cut = told(&|path| File::options().write(true).open(path).unwrap().set_len(1 << 20).unwrap());
    assert!(matches!(cut.as_slice(), [w] if w.contains("1048576 of its 4194304 bytes")), "{cut:?}");
    let removed = told(&|path| fs::remove_file(path).unwrap());
    assert!(matches!(removed.as_slice(), [w] if w.contains("removed or replaced")), "{removed:?}");
    let replaced = told(&|path| {
        let new = path.with_extension("new");
        fs::write(&new, vec![1; 4 << 20]).unwrap();
        fs::rename(new, path).unwrap();
    });
    assert!(matches!(replaced.as_slice(), [w] if w.contains("removed or replaced")), "{replaced:?}");
    // Another name of the same file, or more of it, changes nothing that was measured.
    let kept = told(&|path| fs::rename(path, path.with_extension("moved")).unwrap());
    assert_eq!(kept, Vec::<String>::new());
    // Moved away, and another put there.
    let moved = told(&|path| {
        fs::rename(path, path.with_extension("moved")).unwrap();
        fs::write(path, vec![1; 4 << 20]).unwrap();
    });
    assert!(matches!(moved.as_slice(), [w] if w.contains("removed or replaced")), "{moved:?}");
    // The name leads to it all the same.
    let linked = told(&|path| {
        fs::rename(path, path.with_extension("moved")).unwrap();
        std::os::unix::fs::symlink(path.with_extension("moved"), path).unwrap();
    });
    assert_eq!(linked, Vec::<String>::new());
    let longer = told(&|path| File::options().append(true).open(path).unwrap().set_len(8 << 20).unwrap());
    assert_eq!(longer, Vec::<String>::new());
}

/// A program that opened a file after the run had begun was written over, and nobody was told.
#[test]
fn who_opens_or_cuts_a_file_that_is_written_to_is_held_up_until_the_run_has_ended() {
    let write = |path: &Path| {
        File::options().write(true).open(path).unwrap().write_all_at(&[1; 4_096], 0).unwrap();
    };
    let cut = |path: &Path| drop(File::options().write(true).truncate(true).open(path).unwrap());
    let read = |path: &Path| drop(fs::read(path).unwrap());
    for engine in engines() {
        for (what, does) in [("write", &write as &(dyn Fn(&Path) + Sync)), ("cut", &cut), ("read", &read)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("written");
            let armed = create(&path, 64 * MIB).and_then(WriteTarget::arm).unwrap();
            let target = Target::writing("written", armed);
            let writes = job(stream(0.0, 4), seconds(30.0));
            let (began, targets) = (Instant::now(), std::slice::from_ref(&target));
            let result = std::thread::scope(|scope| {
                let run = scope.spawn(|| done(engine, &writes, targets));
                std::thread::sleep(Duration::from_millis(300));
                let other = scope.spawn(|| does(&path));
                let result = run.join().unwrap();
                other.join().unwrap();
                result
            });
            assert!(began.elapsed() < Duration::from_secs(20), "{engine:?} {what}: {:?}", began.elapsed());
            let told = |w: &String| {
                w.contains("another program opened") && w.contains("nothing that it writes is written over")
            };
            assert!(result.warnings.iter().any(told), "{engine:?} {what} {:?}", result.warnings);
            assert_eq!(
                result.ended_early.as_deref().unwrap(),
                "another program opened `written`, or tried to"
            );
            assert!(only(&result).errors.is_empty() && only(&result).ios > Some(0), "{engine:?} {what}");
            match what {
                "write" => assert_eq!(fs::read(&path).unwrap()[..4_096], [1; 4_096]),
                "cut" => assert_eq!(fs::metadata(&path).unwrap().len(), 0),
                _ => {}
            }
            // Whatever they did, nothing more is written; reading goes on.
            let why = run(engine, &writes, targets, &AtomicBool::new(false)).unwrap_err().to_string();
            assert!(why.starts_with("`written` is not written to: another program opened it"), "{why}");
            let reads = job(stream(100.0, 4), ios(1));
            assert!(what == "cut" || run(engine, &reads, targets, &AtomicBool::new(false)).is_ok());
        }
    }
}

#[test]
fn who_opens_a_file_that_nothing_is_written_to_does_not_wait_for_the_run() {
    for (engine, read_pct) in [(Engine::Sync, 100.0), (Engine::Null, 0.0)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let armed = create(&path, MIB).and_then(WriteTarget::arm).unwrap();
        let target = Target::writing("f", armed);
        let job = job(stream(read_pct, 4), seconds(4.0));
        let (result, took) = std::thread::scope(|scope| {
            let run = scope.spawn(|| done(engine, &job, std::slice::from_ref(&target)));
            std::thread::sleep(Duration::from_millis(200));
            let begun = Instant::now();
            fs::read(&path).unwrap();
            let took = begun.elapsed();
            (run.join().unwrap(), took)
        });
        assert!(took < Duration::from_secs(2), "{engine:?} {took:?}");
        assert_eq!(result.ended_early, None);
    }
}

#[test]
fn holes_of_a_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    File::options().write(true).open(&path).unwrap().set_len(4 << 20).unwrap();
    let result = done(Engine::Sync, &job(stream(100.0, 1), ios(10)), &[reading(&path)]);
    assert!(result.warnings.iter().any(|w| w.contains("75 % of it was never written")), "{result:?}");
}
