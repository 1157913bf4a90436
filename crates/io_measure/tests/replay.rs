//! Traces that are replayed: on files of our own, whose bytes tell what was written where, and on an emulated
//! device whose figures are set.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_emulate::{Content, EmulateError, Emulation, Order};
use spindle_io_measure::guard::{create, open_to_read};
use spindle_io_measure::{Engine, How, Target, Watch, io_uring_here, run};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_test_support::skipped;
use spindle_workload::{
    Arrivals, Beyond, End, Flush, Job, LatencyFrom, Pattern, Region, RunResult, Size, Sources, Stream,
    StreamResult, Trace, survey,
};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const TIMED: Arrivals = Arrivals::Replay { speed: 1.0 };

fn closed(depth: u32) -> Arrivals {
    Arrivals::Closed { depth, think_us: 0.0 }
}

fn engines() -> Vec<Engine> {
    match io_uring_here() {
        Ok(()) => vec![Engine::Sync, Engine::IoUring],
        Err(why) => {
            skipped(&why);
            vec![Engine::Sync]
        }
    }
}

/// A job that replays this text, as SPC, on so many targets.
fn job(folder: &Path, text: &str, arrivals: Arrivals, change: impl FnOnce(&mut Trace)) -> Job {
    let file = folder.join("trace.spc");
    fs::write(&file, text).unwrap();
    let mut trace = Trace::of(&file.display().to_string());
    change(&mut trace);
    let found = survey(&trace, || File::open(&file)).unwrap();
    let mut stream = Stream {
        name: "trace".into(),
        read_pct: 0.0,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 512, weight: 1.0 }],
        region: Region::default(),
        arrivals,
        flush: Flush::None,
        trace: Some(Box::new(trace)),
    };
    stream.take_in(found).unwrap();
    Job { name: "t".into(), seed: 1, streams: vec![stream], end: End::default(), warm_up_s: None }
}

fn same(_: &mut Trace) {}

fn reading(path: &Path) -> Target {
    Target::reading(&path.display().to_string(), open_to_read(path).unwrap())
}

fn file(folder: &Path, bytes: usize) -> PathBuf {
    let path = folder.join("f");
    fs::write(&path, vec![7; bytes]).unwrap();
    path
}

/// A new file of zeros that may be written to.
fn new(folder: &Path, name: &str, bytes: u64) -> (PathBuf, Target) {
    let path = folder.join(name);
    let armed = create(&path, bytes).and_then(|t| t.arm()).unwrap();
    let target = Target::writing(&path.display().to_string(), armed);
    (path, target)
}

fn ran(engine: Engine, job: &Job, targets: &[Target]) -> Result<RunResult, String> {
    let stop = AtomicBool::new(false);
    run(job, targets, &How::by(engine), &mut Watch::stopping(&stop)).map_err(|why| why.0)
}

fn only(result: &RunResult) -> &StreamResult {
    assert_eq!(result.streams.len(), 1);
    &result.streams[0]
}

/// So many reads of 512 bytes, `each` nanoseconds apart.
fn reads(count: u64, each_ns: u64) -> String {
    (0..count).map(|n| format!("0,{},512,r,{:.9}\n", n % 64, (n * each_ns) as f64 / 1e9)).collect()
}

#[test]
fn a_trace_is_replayed_to_its_last_request() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        // More than is read ahead.
        let job = job(folder.path(), &reads(80_000, 0), closed(8), same);
        let result = ran(engine, &job, &[reading(&path)]).unwrap();
        let stream = only(&result);
        assert_eq!((stream.ios, stream.bytes), (Some(80_000), Some(80_000 * 512)), "{:?}", result.warnings);
        assert_eq!((stream.operation.as_str(), stream.latency_from), ("read", LatencyFrom::Submit));
        assert!(!result.warnings.iter().any(|w| w.contains("ended before")), "{:?}", result.warnings);
        let trace = result.job.unwrap().streams[0].trace.clone().unwrap();
        assert_eq!(trace.sha256.unwrap().len(), 64);
    }
}

#[test]
fn its_own_times_are_kept_and_hastened() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        for (speed, seconds) in [(1.0, 0.495), (5.0, 0.099)] {
            let job = job(folder.path(), &reads(100, 5_000_000), Arrivals::Replay { speed }, same);
            let result = ran(engine, &job, &[reading(&path)]).unwrap();
            let stream = only(&result);
            assert_eq!((stream.ios, stream.unserved), (Some(100), Some(0)));
            assert_eq!((stream.latency_from, stream.interval), (LatencyFrom::Intended, None));
            let took = stream.elapsed_s.unwrap();
            assert!((seconds..seconds + 20.0).contains(&took), "{took} s at {speed}");
        }
    }
}

#[test]
fn a_run_that_ends_before_its_trace_says_so() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let mut job = job(folder.path(), &reads(10_000, 5_000_000), TIMED, same);
        job.end.seconds = Some(0.3);
        let result = ran(engine, &job, &[reading(&path)]).unwrap();
        let stream = only(&result);
        assert!(stream.ios <= Some(61) && stream.unserved.is_some(), "{stream:?}");
        assert!(
            result.warnings.iter().any(|w| w.contains("ended before the trace")),
            "{:?}",
            result.warnings
        );
    }
}

#[test]
fn writes_come_to_lie_where_the_trace_has_them_and_nowhere_else() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let (path, target) = new(folder.path(), "new", 1 << 20);
        let text = "0,16,8192,w,0\n0,1000,512,W,0\n0,0,4096,r,0\n";
        let result = ran(engine, &job(folder.path(), text, closed(2), same), &[target]).unwrap();
        assert_eq!((only(&result).ios, only(&result).operation.as_str()), (Some(3), "mix"));
        let bytes = fs::read(&path).unwrap();
        let written: Vec<usize> = bytes
            .chunks(512)
            .enumerate()
            .filter(|(_, s)| s.iter().any(|b| *b != 0))
            .map(|(n, _)| n)
            .collect();
        assert_eq!(written, (16..32).chain([1_000]).collect::<Vec<_>>());
    }
}

#[test]
fn a_trace_that_writes_is_refused_where_nothing_may_be_written() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        let text = "0,16,8192,w,0\n0,0,4096,r,0\n";
        let why = ran(engine, &job(folder.path(), text, closed(1), same), &[reading(&path)]).unwrap_err();
        assert!(why.contains("opened for reading only"), "{why}");
        let reads = job(folder.path(), text, closed(1), |t| t.reads_only = true);
        assert_eq!(only(&ran(engine, &reads, &[reading(&path)]).unwrap()).ios, Some(1));
        assert_eq!(fs::read(&path).unwrap(), vec![7; 1 << 20]);
    }
}

#[test]
fn units_go_to_targets_or_one_behind_the_other() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let text = "1,2,512,w,0\n0,4,1024,w,0\n";
        let (a, first) = new(folder.path(), "a", 4 << 20);
        let (b, second) = new(folder.path(), "b", 4 << 20);
        let each = job(folder.path(), text, closed(1), same);
        ran(engine, &each, &[first, second]).unwrap();
        let written = |path: &Path| -> Vec<usize> {
            let bytes = fs::read(path).unwrap();
            bytes.chunks(512).enumerate().filter(|(_, s)| s.iter().any(|b| *b != 0)).map(|(n, _)| n).collect()
        };
        assert_eq!((written(&a), written(&b)), (vec![4, 5], vec![2]));
        let (c, third) = new(folder.path(), "c", 4 << 20);
        let joined = job(folder.path(), text, closed(1), |t| t.sources = Sources::Joined);
        ran(engine, &joined, &[third]).unwrap();
        assert_eq!(written(&c), [4, 5, 2_050]);
        let why = ran(engine, &each, &[new(folder.path(), "d", 4 << 20).1]).unwrap_err();
        assert!(why.contains("2 sources") && why.contains("joined"), "{why}");
    }
}

#[test]
fn addresses_beyond_the_end_are_refused_or_moved_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    let text = "0,0,512,r,0\n0,4000,512,r,0\n";
    for engine in engines() {
        let of = |beyond| {
            ran(engine, &job(folder.path(), text, closed(1), |t| t.beyond = beyond), &[reading(&path)])
        };
        let why = of(Beyond::Refuse).unwrap_err();
        assert!(why.contains("reaches to byte 2048512"), "{why}");
        for (beyond, says) in [(Beyond::Wrap, "began again"), (Beyond::Scale, "closer together")] {
            let result = of(beyond).unwrap();
            assert_eq!(only(&result).ios, Some(2));
            let told = result.warnings.iter().find(|w| w.contains(says));
            assert!(told.is_some_and(|w| w.contains("1 of 2 requests")), "{:?}", result.warnings);
        }
    }
}

#[test]
fn what_direct_io_does_not_take_is_rounded_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 1 << 20);
    for engine in engines() {
        let target = match reading(&path).direct() {
            Ok(target) => target,
            Err(why) => return skipped(&format!("{}: {why}", folder.path().display())),
        };
        // 100 bytes are whole blocks nowhere.
        let result =
            ran(engine, &job(folder.path(), "0,1,100,r,0\n0,2,100,r,0\n", closed(1), same), &[target])
                .unwrap();
        assert_eq!(only(&result).ios, Some(2), "{:?}", only(&result).errors);
        assert!(only(&result).bytes >= Some(1_024));
        assert!(result.warnings.iter().any(|w| w.contains("2 of 2 requests did not lie on whole blocks")));
    }
}

#[test]
fn a_trace_that_changed_since_it_was_read_is_not_followed() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 1 << 20);
        for other in ["0,0,8192,r,0\n", "0,0,512,w,0\n"] {
            let job = job(folder.path(), "0,0,512,r,0\n", closed(1), same);
            fs::write(folder.path().join("trace.spc"), format!("0,0,512,r,0\n{other}")).unwrap();
            let result = ran(engine, &job, &[reading(&path)]).unwrap();
            assert_eq!(only(&result).ios, Some(1));
            assert!(result.warnings.iter().any(|w| w.contains("not as it was")), "{:?}", result.warnings);
        }
        assert_eq!(fs::read(&path).unwrap(), vec![7; 1 << 20]);
    }
}

#[test]
fn on_a_slow_device_latency_counts_from_the_times_of_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    let spec =
        LatencyCapSpec { latency: Picoseconds::from_us(1_000.0), iops: Some(100.0), bytes_per_s: None };
    let order = Order {
        at: folder.path().join("device"),
        size_bytes: 1 << 20,
        content: Content::Memory { bytes: 1 << 20 },
        watchdog: None,
        loop_device: false,
    };
    let device = match Emulation::start(order, Box::new(LatencyCap::new(&spec).unwrap())) {
        Ok(device) => device,
        Err(EmulateError::Unavailable(why)) => return skipped(&why),
        Err(EmulateError::Refused(why)) => panic!("{why}"),
    };
    for engine in engines() {
        // 200 a second for half a second, of which 100 a second are served: the last waits half a second.
        let job = job(folder.path(), &reads(100, 5_000_000), TIMED, same);
        let result = ran(engine, &job, &[reading(device.at())]).unwrap();
        let stream = only(&result);
        assert_eq!(stream.ios, Some(100));
        let latency = &stream.latency_us;
        assert!(latency.max.unwrap() > 450_000.0 && latency.p50.unwrap() > 200_000.0, "{latency:?}");
        assert!(stream.elapsed_s.unwrap() > 0.95, "{stream:?}");
    }
}
