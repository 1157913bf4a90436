//! SLOB's load on files of our own, and on an emulated device whose latency is set.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_emulate::{Content, EmulateError, Emulation, Order};
use spindle_io_measure::guard::{WriteTarget, create, marker, open_to_read};
use spindle_io_measure::{CannotRun, How, Target, Watch, run_slob};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_test_support::skipped;
use spindle_workload::{Hot, RunResult, Slob, StreamResult, Think};
use std::fs;
use std::sync::atomic::AtomicBool;

const MIB: u64 = 1 << 20;

fn load() -> Slob {
    Slob {
        update_pct: 25.0,
        threads: 4,
        scale_bytes: 8 * MIB,
        log_bytes: 2 * MIB,
        work_unit: 8,
        block_bytes: 8_192,
        think: None,
        hot: None,
        redo_bytes: 600,
        seed: 13,
        seconds: 1.0,
        warm_up_s: 0.0,
    }
}

fn run(load: &Slob, target: &Target) -> Result<RunResult, CannotRun> {
    let stop = AtomicBool::new(false);
    run_slob(load, target, &How::default(), &mut Watch::stopping(&stop))
}

fn own(folder: &tempfile::TempDir, name: &str) -> Target {
    let armed = create(&folder.path().join(name), 12 * MIB).and_then(WriteTarget::arm).unwrap();
    Target::writing(name, armed)
}

fn named<'a>(result: &'a RunResult, name: &str) -> &'a StreamResult {
    result.streams.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("{name}: {result:?}"))
}

#[test]
fn statements_read_change_and_commit_as_often_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let result = run(&load(), &own(&folder, "f")).unwrap();
    let ios = |name: &str| named(&result, name).ios.unwrap();
    let (statements, commits) = (ios("SQL statements"), ios("log file sync"));
    assert!(statements > 0 && commits > 0);
    // One time for all: the first write comes long after the first read, and a rate of its own time would be too high.
    let times: Vec<f64> = result.streams.iter().map(|s| s.elapsed_s.unwrap()).collect();
    assert!(times.iter().all(|s| (s - times[0]).abs() < 1e-6), "{times:?}");
    assert_eq!(
        named(&result, "db file sequential read").bytes.unwrap(),
        ios("db file sequential read") * 8_192
    );
    // Every statement that ended read all of its blocks; those of four sessions may be under way.
    assert!(ios("db file sequential read") >= statements * 8);
    assert_eq!(named(&result, "log file sync").bytes.unwrap(), commits * 8 * 600);
    if statements >= 400 {
        // A quarter, and five standard deviations.
        let share = commits as f64 / statements as f64;
        assert!((0.14..0.36).contains(&share), "{share}");
    }
    assert!(result.streams.iter().all(|s| s.errors.is_empty()), "{result:?}");
    let content = fs::read(folder.path().join("f")).unwrap();
    assert!(content[10 * (MIB as usize)..].iter().all(|b| *b == 0), "nothing behind the log");
    let log = &content[8 * (MIB as usize)..10 * (MIB as usize)];
    assert!(log.starts_with(&marker::MAGIC), "the log begins behind the data");
    assert!(marker::ours_or_zero(&content));
}

#[test]
fn a_hot_spot_and_pauses_hold() {
    let folder = tempfile::tempdir().unwrap();
    let hot = Some(Hot { every: 1, bytes: MIB, offset_bytes: 2 * MIB });
    let think = Some(Think { every: 1, min_us: 20_000.0, max_us: 40_000.0 });
    let result = run(&Slob { update_pct: 100.0, hot, think, ..load() }, &own(&folder, "f")).unwrap();
    // Four sessions that pause 20 ms at least: 50 a second each at most, and the one that had begun.
    let statements = named(&result, "SQL statements").ios.unwrap();
    assert!((1..=4 * 51).contains(&statements), "{statements}");
    let content = fs::read(folder.path().join("f")).unwrap();
    let mib = MIB as usize;
    assert!(content[..2 * mib].iter().chain(&content[3 * mib..8 * mib]).all(|b| *b == 0));
    assert!(content[2 * mib..3 * mib].iter().any(|b| *b != 0));
}

#[test]
fn who_only_reads_writes_nothing_and_who_may_only_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 12 << 20]).unwrap();
    let reading = || Target::reading("f", open_to_read(&path).unwrap());
    let result = run(&Slob { update_pct: 0.0, seconds: 0.3, ..load() }, &reading()).unwrap();
    let names: Vec<&str> = result.streams.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["db file sequential read", "SQL statements"]);
    let why = run(&load(), &reading()).unwrap_err().to_string();
    assert!(why.contains("opened for reading only"), "{why}");
    assert!(fs::read(&path).unwrap().iter().all(|b| *b == 7));
    let beyond = run(&Slob { scale_bytes: 64 * MIB, ..load() }, &own(&folder, "g")).unwrap_err().to_string();
    assert!(beyond.contains("beyond the end"), "{beyond}");
}

/// A device of this latency that keeps so many bytes: writes of more fail.
fn emulated(folder: &tempfile::TempDir, latency_us: f64, bytes: u64) -> Option<Emulation> {
    let spec = LatencyCapSpec { latency: Picoseconds::from_us(latency_us), iops: None, bytes_per_s: None };
    let order = Order {
        at: folder.path().join("device"),
        size_bytes: 12 * MIB,
        content: Content::Memory { bytes },
        watchdog: None,
        loop_device: false,
    };
    match Emulation::start(order, Box::new(LatencyCap::new(&spec).unwrap())) {
        Ok(served) => Some(served),
        Err(EmulateError::Unavailable(why)) => {
            skipped(&why);
            None
        }
        Err(EmulateError::Refused(why)) => panic!("{why}"),
    }
}

#[test]
fn commits_whose_log_write_failed_were_counted_as_done() {
    let folder = tempfile::tempdir().unwrap();
    let Some(served) = emulated(&folder, 2_000.0, 64 << 10) else { return };
    let permission = spindle_io_measure::guard::Permission::none();
    let armed = spindle_io_measure::guard::open_to_write(served.at(), &permission).and_then(WriteTarget::arm);
    let target = Target::writing("device", armed.unwrap()).direct().unwrap();
    let result = run(&Slob { update_pct: 100.0, work_unit: 1, seconds: 2.0, ..load() }, &target).unwrap();
    let (writes, commits) = (named(&result, "log file parallel write"), named(&result, "log file sync"));
    assert!(writes.failed() > 0, "its memory is full: {result:?}");
    // A write carries the commits of four sessions at most, and one that failed carries none.
    let done = writes.ios.unwrap();
    assert!(commits.ios.unwrap() <= done * 4, "{} commits, {done} writes done", commits.ios.unwrap());
    assert!(named(&result, "SQL statements").ios.unwrap() <= commits.ios.unwrap() + 4);
    // Nothing that was done took less than the device takes.
    for stream in [writes, commits] {
        let least = stream.latencies().filter(|all| !all.is_empty()).map(|all| all.min());
        assert!(least.is_none_or(|ns| ns >= 1_980_000), "{stream:?}");
    }
}

#[test]
fn reads_and_commits_take_what_was_set() {
    let folder = tempfile::tempdir().unwrap();
    let Some(served) = emulated(&folder, 3_000.0, 12 * MIB) else { return };
    let permission = spindle_io_measure::guard::Permission::none();
    let armed = spindle_io_measure::guard::open_to_write(served.at(), &permission).and_then(WriteTarget::arm);
    let target = Target::writing("device", armed.unwrap()).direct().unwrap();
    let result = run(&Slob { update_pct: 50.0, seconds: 2.0, ..load() }, &target).unwrap();
    let p50 = |name: &str| named(&result, name).latency_us.p50.unwrap();
    for event in ["db file sequential read", "log file parallel write", "db file parallel write"] {
        // Never early; late by what a busy machine adds.
        assert!((2_998.0..30_000.0).contains(&p50(event)), "{event}: {}", p50(event));
    }
    assert!(p50("log file sync") >= p50("log file parallel write") * 0.99);
    // Four sessions that read one at a time.
    assert!(named(&result, "db file sequential read").iops.unwrap() <= 4.0 * 334.0);
}
