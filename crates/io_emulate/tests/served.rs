//! The file as programs meet it, on real FUSE; without it each test says that it is skipped.
//!
//! Latencies are checked from below exactly and from above generously, by medians: the machine may be
//! busy.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use spindle_io_emulate::{Content, EmulateError, Emulation, Order};
use spindle_io_simulate::{LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_test_support::{roomy_folder, skipped};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// A device and the folder that it stands in. The emulation goes first.
struct Served {
    emulation: Emulation,
    folder: TempDir,
}

fn order(folder: &TempDir) -> Order {
    Order {
        at: folder.path().join("device"),
        size_bytes: 64 * MIB,
        content: Content::Memory { bytes: 8 * MIB },
        watchdog: None,
        loop_device: false,
    }
}

fn serve(latency_ms: f64, iops: Option<f64>) -> Option<Served> {
    serve_as(latency_ms, iops, |_| ())
}

fn serve_as(latency_ms: f64, iops: Option<f64>, change: impl Fn(&mut Order)) -> Option<Served> {
    let folder = tempfile::tempdir().unwrap();
    let mut order = order(&folder);
    change(&mut order);
    let latency = Picoseconds::from_us(latency_ms * 1e3);
    let device = LatencyCap::new(&LatencyCapSpec { latency, iops, bytes_per_s: None }).unwrap();
    match Emulation::start(order, Box::new(device)) {
        Ok(emulation) => Some(Served { emulation, folder }),
        Err(EmulateError::Unavailable(why)) => {
            skipped(&why);
            None
        }
        Err(EmulateError::Refused(why)) => panic!("{why}"),
    }
}

impl Served {
    fn path(&self) -> PathBuf {
        self.emulation.at().to_owned()
    }

    fn open(&self) -> File {
        File::options().read(true).write(true).open(self.path()).unwrap()
    }

    /// The folder as it is after the end.
    fn left(self) -> usize {
        drop(self.emulation);
        fs::read_dir(self.folder.path()).unwrap().count()
    }
}

fn median(mut latencies: Vec<Duration>) -> Duration {
    latencies.sort_unstable();
    latencies[latencies.len() / 2]
}

#[test]
fn what_is_written_is_read_back_and_the_rest_is_zeros() {
    let Some(served) = serve(0.0, None) else { return };
    let file = served.open();
    let written: Vec<u8> = (0..3 * MIB).map(|n| (n % 251) as u8).collect();
    file.write_all_at(&written, 5_000).unwrap();
    let mut read = vec![9; 5 * MIB as usize];
    file.read_exact_at(&mut read, 0).unwrap();
    assert!(read[..5_000].iter().all(|b| *b == 0));
    assert!(read[5_000..][..written.len()] == written);
    assert!(read[5_000 + written.len()..].iter().all(|b| *b == 0));
    file.sync_all().unwrap();
    drop(file);
    assert_eq!(served.left(), 0);
}

#[test]
fn a_request_alone_takes_the_latency_and_hardly_more() {
    let Some(served) = serve(8.0, Some(150.0)) else { return };
    let file = served.open();
    let mut buffer = [0; 4_096];
    let read = |n: u64, buffer: &mut [u8]| {
        let begun = Instant::now();
        file.read_exact_at(buffer, n * 4_096).unwrap();
        begun.elapsed()
    };
    let reads: Vec<Duration> = (0..60).map(|n| read(n, &mut buffer)).collect();
    let write = |n: u64| {
        let begun = Instant::now();
        file.write_all_at(&[1; 512], n * 4_096).unwrap();
        begun.elapsed()
    };
    let writes: Vec<Duration> = (0..60).map(write).collect();
    for latencies in [reads, writes] {
        assert!(latencies.iter().all(|l| *l >= Duration::from_millis(8)));
        let median = median(latencies);
        assert!(median < Duration::from_millis(16), "{median:?}");
    }
    drop(file);
    let lateness = served.emulation.end();
    assert_eq!(lateness.answers(), 120);
    assert!(lateness.below_us(0.5).unwrap() <= 8_192);
}

#[test]
fn at_depth_the_cap_is_reached_and_never_passed() {
    let Some(served) = serve(8.0, Some(400.0)) else { return };
    let depth = 8;
    let each = 50;
    let barrier = Barrier::new(depth);
    let file = served.open();
    let begun = Instant::now();
    let mut done: Vec<Instant> = std::thread::scope(|scope| {
        let work = |thread: usize| {
            let (barrier, file) = (&barrier, &file);
            move || {
                let mut buffer = [0; 8_192];
                barrier.wait();
                let read = |n: usize| {
                    file.read_exact_at(&mut buffer, ((thread * each + n) * 8_192) as u64).unwrap();
                    Instant::now()
                };
                (0..each).map(read).collect::<Vec<_>>()
            }
        };
        let threads: Vec<_> = (0..depth).map(|n| scope.spawn(work(n))).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    done.sort_unstable();
    // However late answers are seen: the n-th is never seen before the device may have done n.
    for (n, done) in done.iter().enumerate() {
        assert!(*done - begun >= Duration::from_micros(8_000 + 2_500 * n as u64), "answer {n}");
    }
    let tenths = done.chunks_exact(40).map(|tenth| tenth[39] - tenth[0]).collect();
    let rate = 39.0 / median(tenths).as_secs_f64();
    assert!(rate > 300.0, "{rate} a second");
}

#[test]
fn fio_finds_the_latency_and_the_cap() {
    if std::process::Command::new("fio").arg("--version").output().is_err() {
        skipped("fio is not installed");
        return;
    }
    let Some(served) = serve(8.0, Some(150.0)) else { return };
    for (depth, lowest, highest) in [(1, 60.0, 125.0), (16, 100.0, 151.0)] {
        let mut fio = std::process::Command::new("fio");
        fio.args(["--name=r", "--rw=randread", "--bs=4k", "--direct=1", "--ioengine=libaio"]);
        fio.args(["--time_based", "--runtime=3", "--norandommap", "--output-format=terse"]);
        fio.arg(format!("--iodepth={depth}")).arg(format!("--filename={}", served.path().display()));
        let output = fio.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        // The eighth field of its third format: reads a second.
        let rate: f64 =
            text.split(';').nth(7).and_then(|f| f.parse().ok()).unwrap_or_else(|| panic!("{output:?}"));
        assert!((lowest..=highest).contains(&rate), "{rate} a second at depth {depth}");
    }
}

#[test]
fn the_end_of_the_device_is_the_end_of_a_disk() {
    let Some(served) = serve(0.0, None) else { return };
    let file = served.open();
    assert_eq!(file.metadata().unwrap().len(), 64 * MIB);
    let mut buffer = [7; 1_024];
    assert_eq!(file.read_at(&mut buffer, 64 * MIB).unwrap(), 0);
    assert_eq!(file.read_at(&mut buffer, 1 << 60).unwrap(), 0);
    assert_eq!(file.read_at(&mut buffer, 64 * MIB - 512).unwrap(), 512);
    assert_eq!(file.write_at(&buffer, 64 * MIB - 512).unwrap(), 512);
    let error = file.write_at(&buffer, 64 * MIB).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert_eq!(file.set_len(1).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(file.metadata().unwrap().len(), 64 * MIB);
}

#[test]
fn beyond_its_memory_the_device_is_full_and_keeps_what_it_has() {
    let Some(served) = serve(0.0, None) else { return };
    let file = served.open();
    let block = vec![3; MIB as usize];
    for n in 0..8 {
        file.write_all_at(&block, n * 2 * MIB).unwrap();
    }
    assert_eq!(file.write_all_at(&block, 50 * MIB).unwrap_err().kind(), ErrorKind::StorageFull);
    let mut read = block.clone();
    file.read_exact_at(&mut read, 14 * MIB).unwrap();
    assert!(read == block);
    file.read_exact_at(&mut read, 50 * MIB).unwrap();
    assert!(read.iter().all(|b| *b == 0), "a write without space leaves nothing");
    file.write_all_at(&block, 0).unwrap();
}

#[test]
fn owner_and_permissions_can_be_changed() {
    let Some(served) = serve(0.0, None) else { return };
    fs::set_permissions(served.path(), fs::Permissions::from_mode(0o640)).unwrap();
    let meta = fs::metadata(served.path()).unwrap();
    assert_eq!(meta.permissions().mode() & 0o7777, 0o640);
    if nix::unistd::getuid().is_root() {
        std::os::unix::fs::chown(served.path(), Some(65_534), Some(65_533)).unwrap();
        let meta = fs::metadata(served.path()).unwrap();
        assert_eq!((meta.uid(), meta.gid()), (65_534, 65_533));
    }
}

#[test]
fn a_place_that_is_taken_is_refused() {
    let Some(served) = serve(0.0, None) else { return };
    let device =
        LatencyCap::new(&LatencyCapSpec { latency: Picoseconds::ZERO, iops: None, bytes_per_s: None });
    let second = Emulation::start(order(&served.folder), Box::new(device.unwrap())).unwrap_err();
    assert!(
        matches!(&second, EmulateError::Refused(why) if why.contains("another `spindle emulate`")),
        "{second}"
    );
    served.open();
    assert_eq!(served.left(), 0);
}

#[test]
fn it_ends_while_somebody_has_it_open() {
    let Some(served) = serve(0.0, None) else { return };
    let file = served.open();
    file.write_all_at(b"kept", 0).unwrap();
    assert_eq!(served.left(), 0);
    let mut read = [0; 4];
    file.read_exact_at(&mut read, 0).unwrap();
    assert_eq!(&read, b"kept");
}

#[test]
fn content_can_be_kept_in_a_folder() {
    // A file system that is nearly full keeps the rest of its space.
    let folder = tempfile::tempdir_in(roomy_folder()).unwrap();
    let Some(served) = serve_as(0.0, None, |order| order.content = Content::Folder(folder.path().to_owned()))
    else {
        return;
    };
    let file = served.open();
    file.write_all_at(b"end", 64 * MIB - 3).unwrap();
    let mut read = [9; 5];
    file.read_exact_at(&mut read, 64 * MIB - 5).unwrap();
    assert_eq!(&read, b"\0\0end");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    drop(file);
    assert_eq!(served.left(), 0);
}

#[test]
fn a_mount_stayed_where_its_folder_was_renamed_to() {
    let base = tempfile::tempdir().unwrap();
    let (first, second) = (base.path().join("first"), base.path().join("second"));
    fs::create_dir(&first).unwrap();
    let Some(served) = serve_as(1.0, None, |order| order.at = first.join("device")) else { return };
    fs::rename(&first, &second).unwrap();
    // Somebody's, at the place where it was.
    fs::create_dir(&first).unwrap();
    fs::write(first.join("device"), "data").unwrap();
    drop(served.emulation);
    assert_eq!(fs::read_dir(&second).unwrap().count(), 0, "its place and its mount are gone");
    assert_eq!(fs::read(first.join("device")).unwrap(), b"data");
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains(base.path().to_str().unwrap()), "{mounts}");
}
