//! A log on files of our own, and on an emulated device whose latency is set.
//!
//! Without pauses what each write carries follows from the number of committers alone, so counts are exact
//! however busy the machine is.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_emulate::{Content, EmulateError, Emulation, Order};
use spindle_io_measure::guard::{Permission, WriteTarget, create, marker, open_to_read, open_to_write};
use spindle_io_measure::{Engine, How, Target, Watch};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_test_support::skipped;
use spindle_workload::{
    Arrivals, COMMIT, End, Extent, Flush, Job, Pattern, Region, RunResult, Size, Stream, StreamResult,
};
use std::fs;
use std::sync::atomic::AtomicBool;

const MIB: u64 = 1 << 20;

fn log(committers: u32, bytes: u32, flush: Flush) -> Stream {
    Stream {
        name: "log".into(),
        read_pct: 0.0,
        pattern: Pattern::Sequential,
        sizes: vec![Size { bytes, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Commits { committers, think_us: 0.0 },
        flush,
        trace: None,
    }
}

fn run(engine: Engine, streams: Vec<Stream>, end: End, target: &Target) -> RunResult {
    let job = Job { name: "test".into(), seed: 13, streams, end, warm_up_s: None };
    let stop = AtomicBool::new(false);
    let targets = std::slice::from_ref(target);
    spindle_io_measure::run(&job, targets, &How::by(engine), &mut Watch::stopping(&stop)).unwrap()
}

fn writes(count: u64) -> End {
    End { ios: Some(count), ..End::default() }
}

fn both(result: &RunResult) -> (&StreamResult, &StreamResult) {
    let [writes, commits] = result.streams.as_slice() else { panic!("{result:?}") };
    assert_eq!((writes.operation.as_str(), commits.operation.as_str()), ("write", COMMIT));
    assert_eq!(commits.name, "log, commits");
    (writes, commits)
}

#[test]
fn each_write_carries_all_who_wait_and_the_log_goes_round() {
    let folder = tempfile::tempdir().unwrap();
    for flush in [Flush::Dsync, Flush::Fdatasync] {
        let path = folder.path().join(format!("{flush:?}"));
        let armed = create(&path, 4 * MIB).and_then(WriteTarget::arm).unwrap();
        let target = Target::writing("log", armed);
        let mut stream = log(6, 700, flush);
        stream.region = Region { from: Extent::Bytes(MIB), length: Some(Extent::Bytes(MIB)) };
        let result = run(Engine::Auto, vec![stream], writes(1_000), &target);
        let (writes, commits) = both(&result);
        // By turns one and five: 700 bytes in two blocks of 512, 3,500 in seven.
        assert_eq!((writes.ios, writes.bytes), (Some(1_000), Some(500 * 1_024 + 500 * 3_584)));
        assert_eq!((commits.ios, commits.bytes), (Some(3_000), Some(3_000 * 700)));
        drop(target);
        let content = fs::read(&path).unwrap();
        let mib = usize::try_from(MIB).unwrap();
        // Twice round, with less than a write left over at the end; and nothing before or after.
        assert!(content[mib..2 * mib - 3_584].chunks(512).all(|s| s.starts_with(&marker::MAGIC)));
        assert!(content[..mib].iter().chain(&content[2 * mib..]).all(|b| *b == 0));
    }
}

/// A device of this latency, where there can be one.
fn device(folder: &tempfile::TempDir, latency_us: f64) -> Option<Emulation> {
    let spec = LatencyCapSpec { latency: Picoseconds::from_us(latency_us), iops: None, bytes_per_s: None };
    let order = Order {
        at: folder.path().join("device"),
        size_bytes: 8 * MIB,
        content: Content::Memory { bytes: 8 * MIB },
        watchdog: None,
        loop_device: false,
    };
    match Emulation::start(order, Box::new(LatencyCap::new(&spec).unwrap())) {
        Ok(emulation) => Some(emulation),
        Err(EmulateError::Unavailable(why)) => {
            skipped(&why);
            None
        }
        Err(EmulateError::Refused(why)) => panic!("{why}"),
    }
}

#[test]
fn a_write_takes_the_latency_that_was_set_and_a_commit_twice_as_long() {
    let folder = tempfile::tempdir().unwrap();
    let Some(served) = device(&folder, 2_000.0) else { return };
    let armed = open_to_write(served.at(), &Permission::none()).and_then(WriteTarget::arm).unwrap();
    let target = Target::writing("log", armed).direct().unwrap();
    for (committers, turns, took_us) in [(1, 1, 2_000.0), (8, 4, 4_000.0)] {
        let result = run(Engine::Auto, vec![log(committers, 500, Flush::Dsync)], writes(200), &target);
        let (writes, commits) = both(&result);
        assert_eq!((writes.ios, commits.ios), (Some(200), Some(200 * turns)));
        let median = |s: &StreamResult| s.latency_us.p50.unwrap();
        // Never early; late by what a busy machine adds.
        assert!((1_999.0..20_000.0).contains(&median(writes)), "{}", median(writes));
        assert!((took_us * 0.999..10.0 * took_us).contains(&median(commits)), "{}", median(commits));
        assert!(writes.iops.unwrap() <= 500.0);
        // Two turns of those who wait make one write each: half of them, and one write's time, to a commit.
        let little = f64::from(committers) / commits.iops.unwrap() * 1e6;
        let mean = commits.latency_us.mean.unwrap();
        assert!((mean / little - 1.0).abs() < 0.02, "{mean} {little}");
    }
}

#[test]
fn a_log_runs_beside_reads_by_any_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    let armed = create(&path, 4 * MIB).and_then(WriteTarget::arm).unwrap();
    let target = Target::writing("f", armed);
    let reads = Stream {
        name: "reads".into(),
        read_pct: 100.0,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
        arrivals: Arrivals::Closed { depth: 4, think_us: 0.0 },
        flush: Flush::None,
        ..log(1, 1, Flush::None)
    };
    for engine in [Engine::Sync, Engine::Auto] {
        let streams = vec![reads.clone(), log(3, 500, Flush::Dsync)];
        let result = run(engine, streams, writes(300), &target);
        let names: Vec<&str> = result.streams.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["reads", "log", "log, commits"]);
        assert_eq!((result.streams[0].ios, result.streams[1].ios), (Some(300), Some(300)));
        assert_eq!(result.streams[2].ios, Some(450));
    }
}

#[test]
fn a_log_writes_nothing_where_that_is_not_allowed_or_not_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 4 << 20]).unwrap();
    let target = Target::reading("f", open_to_read(&path).unwrap());
    let job = Job {
        name: "test".into(),
        seed: 13,
        streams: vec![log(4, 500, Flush::Dsync)],
        end: writes(10),
        warm_up_s: None,
    };
    let stop = AtomicBool::new(false);
    let how = How::by(Engine::Auto);
    let why = spindle_io_measure::run(&job, &[target], &how, &mut Watch::stopping(&stop)).unwrap_err();
    assert!(why.to_string().contains("opened for reading only"), "{why}");
    assert!(fs::read(&path).unwrap().iter().all(|b| *b == 7));
    // The engine that does nothing measures our own cost, and touches nothing.
    let own = folder.path().join("own");
    let armed = create(&own, 4 * MIB).and_then(WriteTarget::arm).unwrap();
    let result = run(Engine::Null, job.streams, writes(1_000), &Target::writing("own", armed));
    assert_eq!(both(&result).0.ios, Some(1_000));
    assert!(fs::read(&own).unwrap().iter().all(|b| *b == 0));
}
