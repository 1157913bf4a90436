//! Parallel scans of files of our own: every byte once, whatever the degree.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_measure::guard::open_to_read;
use spindle_io_measure::{CannotRun, Engine, How, Target, Watch, io_uring_here, run_scan};
use spindle_test_support::skipped;
use spindle_workload::{RunResult, Scan};
use std::fs;
use std::sync::atomic::AtomicBool;

const KIB: usize = 1 << 10;

fn scan(degree: u32) -> Scan {
    Scan { degree, multiblock_bytes: 256 << 10, granule_bytes: 1 << 20, under_way: 1 }
}

fn run(scan: &Scan, targets: &[Target]) -> Result<RunResult, CannotRun> {
    run_by(Engine::Auto, scan, targets)
}

fn run_by(engine: Engine, scan: &Scan, targets: &[Target]) -> Result<RunResult, CannotRun> {
    let stop = AtomicBool::new(false);
    run_scan(scan, targets, &How::by(engine), &mut Watch::stopping(&stop))
}

#[test]
fn every_byte_is_read_once_at_any_degree() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = [3 * 1024 * KIB, 5 * 1024 * KIB + 100 * KIB, 40 * KIB + 1];
    let targets: Vec<Target> = sizes
        .iter()
        .enumerate()
        .map(|(n, size)| {
            let path = folder.path().join(n.to_string());
            fs::write(&path, vec![7; *size]).unwrap();
            Target::reading(&n.to_string(), open_to_read(&path).unwrap())
        })
        .collect();
    let mut ways = vec![(Engine::Auto, 1), (Engine::Sync, 1)];
    match io_uring_here() {
        Ok(()) => ways.extend([(Engine::IoUring, 1), (Engine::IoUring, 5), (Engine::Auto, 2)]),
        Err(why) => skipped(&why),
    }
    for (degree, (engine, under_way)) in
        [1, 3, 16].into_iter().flat_map(|d| ways.iter().map(move |w| (d, *w)))
    {
        let result = run_by(engine, &Scan { under_way, ..scan(degree) }, &targets).unwrap();
        let words = result.environment.engine.clone().unwrap_or_default();
        assert_eq!(words.starts_with("io_uring"), engine == Engine::IoUring || under_way > 1, "{words}");
        let [stream] = result.streams.as_slice() else { panic!("{result:?}") };
        // Twelve reads of the first; twenty and one of the second, whose last granule is short; one of the third,
        // which is smaller than a read.
        assert_eq!(stream.ios, Some(12 + 21 + 1));
        assert_eq!(stream.bytes, Some(sizes.iter().sum::<usize>() as u64));
        assert_eq!((stream.name.as_str(), stream.operation.as_str()), ("scan", "read"));
        assert!(stream.errors.is_empty(), "{stream:?}");
    }
}

#[test]
fn a_scan_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 64 * KIB]).unwrap();
    let target = || Target::reading("f", open_to_read(&path).unwrap());
    let why = |scan: &Scan, targets: &[Target]| run(scan, targets).unwrap_err().to_string();
    assert!(why(&scan(0), &[target()]).contains("degree of 0"));
    assert!(why(&Scan { granule_bytes: 300 << 10, ..scan(1) }, &[target()]).contains("whole reads"));
    assert!(why(&scan(1), &[]).contains("no file is named"));
    let two = Scan { under_way: 2, ..scan(1) };
    let refused = run_by(Engine::Sync, &two, &[target()]).unwrap_err().to_string();
    assert!(refused.contains("one read of a slave at a time"), "{refused}");
}

#[test]
fn a_file_that_shrinks_under_a_scan_ends_it_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 4 << 20]).unwrap();
    let target = Target::reading("f", open_to_read(&path).unwrap());
    fs::File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
    let result = run(&scan(2), &[target]).unwrap();
    assert_eq!(result.streams[0].ios, Some(4));
    assert!(result.streams[0].errors[0].contains("0 of 262144 bytes"), "{result:?}");
}

#[test]
fn a_scan_that_makes_no_request_said_that_it_made_none_and_read_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 4 << 20]).unwrap();
    let target = Target::reading("f", open_to_read(&path).unwrap());
    // Where it read, it would find the file cut.
    fs::File::options().write(true).open(&path).unwrap().set_len(1).unwrap();
    let result = run_by(Engine::Null, &scan(2), &[target]).unwrap();
    assert_eq!((result.streams[0].ios, result.streams[0].errors.len()), (Some(16), 0), "{result:?}");
}

#[test]
fn slaves_with_reads_under_way_end_where_a_file_shrinks_and_where_they_are_stopped() {
    if let Err(why) = io_uring_here() {
        return skipped(&why);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, vec![7; 4 << 20]).unwrap();
    let target = || Target::reading("f", open_to_read(&path).unwrap());
    let four = Scan { under_way: 4, ..scan(2) };
    let stop = AtomicBool::new(true);
    let stopped = run_scan(&four, &[target()], &How::default(), &mut Watch::stopping(&stop)).unwrap();
    assert!(stopped.streams[0].ios <= Some(16) && stopped.streams[0].errors.is_empty(), "{stopped:?}");
    let target = target();
    fs::File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
    let result = run(&four, &[target]).unwrap();
    assert_eq!(result.streams[0].ios, Some(4));
    assert!(result.streams[0].errors[0].contains("0 of 262144 bytes"), "{result:?}");
}
