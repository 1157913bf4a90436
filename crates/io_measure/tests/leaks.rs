//! What is left of a run that ends well, is stopped, or is refused: no thread and no descriptor. Alone in its
//! process, so that both can be counted.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_measure::guard::{WriteTarget, create, open_to_read};
use spindle_io_measure::{Engine, How, Progress, Target, Watch, io_uring_here, run};
use spindle_test_support::skipped;
use spindle_workload::{Arrivals, End, Flush, Job, Pattern, Region, Size, Stream};
use std::fs::{self, File};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn job(read_pct: f64, end: End) -> Job {
    let stream = Stream {
        name: "s".into(),
        read_pct,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 4_096, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth: 8, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    Job { name: "test".into(), seed: 13, streams: vec![stream.clone(), stream], end, warm_up_s: None }
}

fn held() -> (usize, usize) {
    let count = |folder| fs::read_dir(folder).unwrap().count();
    (count("/proc/self/fd"), count("/proc/self/task"))
}

#[test]
fn nothing_is_left_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("read");
    fs::write(&path, vec![7; 1 << 20]).unwrap();
    let mut engines = vec![Engine::Sync, Engine::Null];
    match io_uring_here() {
        Ok(()) => engines.push(Engine::IoUring),
        Err(why) => skipped(&why),
    }
    let before = held();
    for engine in engines {
        let how = How::by(engine);
        let stop = AtomicBool::new(false);
        let reading = || [Target::reading("f", open_to_read(&path).unwrap())];
        // To its end.
        let counted = job(100.0, End { ios: Some(1_000), ..End::default() });
        let result = run(&counted, &reading(), &how, &mut Watch::stopping(&stop)).unwrap();
        assert_eq!(result.streams.iter().filter_map(|s| s.ios).sum::<u64>(), 2_000);
        // Stopped, as by Ctrl-C.
        let mut see = |progress: &Progress| stop.store(progress.ios > 0, Ordering::Relaxed);
        let endless = job(100.0, End { seconds: Some(600.0), ..End::default() });
        let stopped = run(&endless, &reading(), &how, &mut Watch::seeing(&stop, &mut see)).unwrap();
        assert!(
            stopped.streams.iter().all(|s| s.ios > Some(0)) && stopped.streams[0].elapsed_s.unwrap() < 60.0
        );
        // Writing: a file of ours keeps its length.
        let written = folder.path().join(format!("{engine:?}"));
        let target = Target::writing("w", create(&written, 1 << 20).and_then(WriteTarget::arm).unwrap());
        let writes = job(0.0, End { ios: Some(100), ..End::default() });
        stop.store(false, Ordering::Relaxed);
        let result = run(&writes, &[target], &how, &mut Watch::stopping(&stop)).unwrap();
        assert_eq!(result.streams.iter().filter_map(|s| s.ios).sum::<u64>(), 200);
        assert_eq!(File::open(&written).unwrap().metadata().unwrap().len(), 1 << 20);
        // Refused after it was opened.
        let why = run(&writes, &reading(), &how, &mut Watch::stopping(&stop)).unwrap_err();
        assert!(why.to_string().contains("opened for reading only"), "{why}");
        // The kernel takes a ring down after its descriptor is closed, and may take its time.
        let begun = Instant::now();
        while held() != before && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(held(), before, "{engine:?}");
    }
}
