//! Several files as one volume: what is written lands where the layout says, by each engine.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use spindle_io_measure::guard::create;
use spindle_io_measure::{Engine, How, Target, Watch, run};
use spindle_workload::{Arrivals, End, Extent, Flush, Job, Pattern, Region, Size, Stream, Volume};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;

/// Writes this region of a volume of two files once, in requests of so many bytes; which KiB of each were.
fn written(volume: Volume, engine: Engine, region: (u64, u64), size: u64, name: &str) -> [Vec<bool>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let paths: [PathBuf; 2] = ["one", "two"].map(|file| folder.path().join(format!("{file}-{name}")));
    let open = |path: &PathBuf| {
        let armed = create(path, 2 * MIB).and_then(|t| t.arm()).unwrap();
        Target::writing(&path.display().to_string(), armed)
    };
    let target = Target::volume(volume, paths.iter().map(open).collect()).unwrap();
    assert_eq!(target.bytes(), 4 * MIB);
    let stream = Stream {
        name: "writes".into(),
        read_pct: 0.0,
        pattern: Pattern::Sequential,
        sizes: vec![Size { bytes: u32::try_from(size).unwrap(), weight: 1.0 }],
        region: Region { from: Extent::Bytes(region.0), length: Some(Extent::Bytes(region.1)) },
        arrivals: Arrivals::Closed { depth: 3, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    };
    let ios = region.1 / size;
    let end = End { ios: Some(ios), ..End::default() };
    let job = Job { name: "volume".into(), seed: 3, streams: vec![stream], end, warm_up_s: None };
    let stop = AtomicBool::new(false);
    let found = run(&job, &[target], &How::by(engine), &mut Watch::stopping(&stop)).unwrap();
    let result = &found.streams[0];
    assert_eq!((result.ios, result.bytes, result.errors.len()), (Some(ios), Some(region.1), 0), "{result:?}");
    assert_eq!(found.environment.devices.len(), 2);
    paths.map(|path| {
        let content = fs::read(path).unwrap();
        content.chunks(KIB as usize).map(|kib| kib.iter().any(|byte| *byte != 0)).collect()
    })
}

fn only(from_kib: u64, to_kib: u64) -> Vec<bool> {
    (0..2 * KIB).map(|kib| (from_kib..to_kib).contains(&kib)).collect()
}

#[test]
fn what_is_written_lands_where_the_layout_says() {
    let mut engines = vec![Engine::Sync];
    match spindle_io_measure::io_uring_here() {
        Ok(()) => engines.push(Engine::IoUring),
        Err(why) => spindle_test_support::skipped(&why),
    }
    for engine in engines {
        let raid = Volume::Raid0 { stripe_bytes: 64 * KIB };
        // Four stripes: two on each, whatever the requests are; those of 128 KiB are cut.
        for size in [16 * KIB, 64 * KIB, 128 * KIB, 256 * KIB] {
            let [one, two] = written(raid, engine, (0, 256 * KIB), size, "raid");
            assert!(one == only(0, 128) && two == only(0, 128), "{engine:?} {size}");
        }
        // From within the second stripe to the end of the third.
        let [one, two] = written(raid, engine, (96 * KIB, 96 * KIB), 96 * KIB, "across");
        assert!(one == only(64, 128) && two == only(32, 64), "{engine:?}");
        // Over the end of the first.
        let [one, two] = written(Volume::Concat, engine, (1_920 * KIB, 192 * KIB), 192 * KIB, "concat");
        assert!(one == only(1_920, 2_048) && two == only(0, 64), "{engine:?}");
    }
}

#[test]
fn a_volume_takes_no_log_and_no_scan() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let armed = create(&folder.path().join(name), 2 * MIB).and_then(|t| t.arm()).unwrap();
        Target::writing(name, armed)
    };
    let target = Target::volume(Volume::Concat, vec![open("one"), open("two")]).unwrap();
    let stop = AtomicBool::new(false);
    let stream = Stream {
        name: "writes".into(),
        read_pct: 0.0,
        pattern: Pattern::Sequential,
        sizes: vec![Size { bytes: 4_096, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: Flush::Fdatasync,
        trace: None,
    };
    let end = End { ios: Some(1), ..End::default() };
    let job = Job { name: "log".into(), seed: 3, streams: vec![stream], end, warm_up_s: None };
    let refused =
        run(&job, std::slice::from_ref(&target), &How::by(Engine::Sync), &mut Watch::stopping(&stop));
    assert!(refused.unwrap_err().to_string().contains("neither a log nor fdatasync"));
    let scan =
        spindle_workload::Scan { degree: 1, multiblock_bytes: 65_536, granule_bytes: MIB, under_way: 1 };
    let refused =
        spindle_io_measure::run_scan(&scan, &[target], &How::by(Engine::Sync), &mut Watch::stopping(&stop));
    assert!(refused.unwrap_err().to_string().contains("is not scanned"));
}
