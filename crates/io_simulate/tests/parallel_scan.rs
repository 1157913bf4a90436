//! I/O schedulers under a parallel scan, 2006 (experiment E2 of the reference), and the questions that it left open.
//!
//! A table of just under 2 GB is read once by so many slaves, under the schedulers of Linux 2.6. The disk is that of the catalogue,
//! whose outer rate was fitted to degrees 1 to 3; nothing else is fitted. What was published is in expectations alone.
//!
//! `cargo test -p spindle-io-simulate --test parallel_scan -- --ignored --nocapture` prints the tables of `docs/simulating.md`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use spindle_io_simulate::arrays::{ArrayDevice, Copied, ReadChoice, Stripes};
use spindle_io_simulate::catalogue::catalogue;
use spindle_io_simulate::loads::{Area, Granules, ParallelScan};
use spindle_io_simulate::processes::Simulation;
use spindle_io_simulate::schedulers::SchedulerSpec;
use spindle_io_simulate::{
    BlockLayer, BlockLayerSpec, Device, FileCache, FileCacheSpec, HardDisk, HardDiskSpec, NotAhead,
    Picoseconds,
};
use spindle_workload::Scan;
use std::cell::Cell;

/// Bytes of the table.
const TABLE: u64 = 2_040_000_000;
/// Its extents.
const EXTENT: u64 = 256 << 20;
/// A read of a slave: 16 blocks of 8 KiB, one row each.
const READ: u32 = 128 << 10;
/// Granules that each slave gets, as Oracle has it.
const GRANULES: u64 = 13;
/// Commands that the driver gives to a disk.
const TAGS: u32 = 4;
/// Disks, where there are several.
const DISKS: u32 = 4;
/// Used of each disk, where there are several.
const OF_EACH: u64 = 16 << 30;

thread_local! {
    /// An outer rate in the place of the catalogue's, MB/s: what the fit varies.
    static OUTER_MBPS: Cell<Option<f64>> = const { Cell::new(None) };
}

fn cheetah() -> HardDiskSpec {
    let all = catalogue().unwrap();
    let mut sheet = all.iter().find(|d| d.name == "cheetah_st318404lc").unwrap().sheet.clone();
    sheet.outer_mbps = OUTER_MBPS.get().unwrap_or(sheet.outer_mbps);
    sheet.spec().unwrap()
}

/// Of 2.6.
fn schedulers() -> [(&'static str, SchedulerSpec); 5] {
    [
        ("noop", SchedulerSpec::Noop),
        ("deadline", SchedulerSpec::Deadline(Default::default())),
        ("cfq to 2.6.12", SchedulerSpec::CfqRounds(Default::default())),
        ("cfq to 2.6.18", SchedulerSpec::CfqSlices(Default::default())),
        ("anticipatory", anticipatory()),
    ]
}

fn anticipatory() -> SchedulerSpec {
    SchedulerSpec::Anticipatory(Default::default())
}

#[derive(Clone, Copy)]
enum Reads {
    /// Through the page cache, with so many bytes read ahead at most.
    Buffered(u32),
    /// Around it, so many under way for each slave.
    Direct(u32),
}

#[derive(Clone, Copy)]
enum Storage {
    OneDisk,
    /// Extents by turns on four disks, each with a scheduler.
    Separate,
    /// Four disks striped by the host: a scheduler for each below the stripes.
    ByHost(u64),
    /// Four disks striped by a controller: one scheduler, which sees one device.
    ByController(u64),
}

fn behind(scheduler: &SchedulerSpec, device: impl Device + 'static, tags: u32) -> Box<dyn Device> {
    Box::new(BlockLayer::new(BlockLayerSpec::linux_2_6(tags), scheduler.build(), device).unwrap())
}

fn volumes(storage: Storage, scheduler: &SchedulerSpec, reads: Reads) -> Vec<Box<dyn Device>> {
    let spec = cheetah();
    let disk = || HardDisk::new(&spec).unwrap();
    let stripes = |depth| Copied::new(Stripes::raid0(DISKS, depth, OF_EACH).unwrap(), ReadChoice::RoundRobin);
    let all: Vec<Box<dyn Device>> = match storage {
        Storage::OneDisk => vec![behind(scheduler, disk(), TAGS)],
        Storage::Separate => (0..DISKS).map(|_| behind(scheduler, disk(), TAGS)).collect(),
        Storage::ByHost(depth) => {
            let members = (0..DISKS).map(|_| behind(scheduler, disk(), TAGS)).collect();
            vec![Box::new(ArrayDevice::new(stripes(depth), members).unwrap())]
        }
        Storage::ByController(depth) => {
            let array = ArrayDevice::new(stripes(depth), (0..DISKS).map(|_| disk()).collect()).unwrap();
            vec![behind(scheduler, array, TAGS * DISKS)]
        }
    };
    let cached = |device: Box<dyn Device>| -> Box<dyn Device> {
        match reads {
            Reads::Direct(_) => device,
            Reads::Buffered(most) => {
                let spec = FileCacheSpec {
                    most_ahead_bytes: most,
                    not_ahead: NotAhead::WholeRead,
                    ..FileCacheSpec::linux_2_6(256 << 20)
                };
                Box::new(FileCache::new(spec, device).unwrap())
            }
        }
    };
    all.into_iter().map(cached).collect()
}

/// The table's extents, by turns on so many volumes.
fn extents(volumes: usize) -> Vec<Area> {
    let all = (0..TABLE.div_ceil(EXTENT)).map(|i| {
        let volume = i as usize % volumes;
        Area { volume, from: i / volumes as u64 * EXTENT, bytes: EXTENT.min(TABLE - i * EXTENT) }
    });
    all.collect()
}

fn add_scan(simulation: &mut Simulation, volumes: usize, degree: u32, under_way: u32, read: u32) {
    let granule = TABLE / (GRANULES * u64::from(degree));
    let granule_bytes = granule.div_ceil(u64::from(read)) * u64::from(read);
    let load = ParallelScan {
        scan: Scan { degree, multiblock_bytes: read, granule_bytes, under_way },
        extents: extents(volumes),
        granules: Granules::AsTheyCome,
        compute: Picoseconds::ZERO,
    };
    load.add(simulation, "scan").unwrap();
}

/// Seconds of the scan, in reads of so many bytes.
fn scan_of(storage: Storage, scheduler: &SchedulerSpec, reads: Reads, degree: u32, read: u32) -> f64 {
    let volumes = volumes(storage, scheduler, reads);
    let count = volumes.len();
    let mut simulation = Simulation::new(volumes);
    let under_way = if let Reads::Direct(under_way) = reads { under_way } else { 1 };
    add_scan(&mut simulation, count, degree, under_way, read);
    simulation.run(None).unwrap().elapsed.as_s()
}

fn scan(storage: Storage, scheduler: &SchedulerSpec, reads: Reads, degree: u32) -> f64 {
    scan_of(storage, scheduler, reads, degree, READ)
}

/// Reads of 128 KiB at once, nothing read ahead, over one disk.
fn read_ahead_0(scheduler: &SchedulerSpec, degree: u32) -> f64 {
    scan(Storage::OneDisk, scheduler, Reads::Buffered(0), degree)
}

fn within(found: f64, published: f64, share: f64) -> bool {
    (found / published - 1.0).abs() <= share
}

#[test]
fn noop_deadline_and_the_old_cfq_take_twice_as_long_from_degree_2_on() {
    for (name, scheduler) in &schedulers()[..3] {
        let (one, two) = (read_ahead_0(scheduler, 1), read_ahead_0(scheduler, 2));
        assert!(two >= 2.0 * one, "{name}: {one} {two}");
        assert!(read_ahead_0(scheduler, 8) > 1.7 * one, "{name}");
    }
    // The cfq that waits does not rise.
    let waits = &schedulers()[3].1;
    assert!(within(read_ahead_0(waits, 2), read_ahead_0(waits, 1), 0.1));
}

#[test]
fn anticipatory_stays_flat_up_to_degree_20() {
    let one = read_ahead_0(&anticipatory(), 1);
    for degree in [2, 3, 4, 5, 8, 20] {
        let found = read_ahead_0(&anticipatory(), degree);
        assert!(within(found, one, 0.1), "degree {degree}: {one} {found}");
    }
}

#[test]
fn at_the_limit_all_level_out() {
    let (noop, anticipatory) = (read_ahead_0(&SchedulerSpec::Noop, 80), read_ahead_0(&anticipatory(), 80));
    assert!(within(anticipatory, noop, 0.1), "{anticipatory} {noop}");
}

#[test]
fn published_seconds_with_nothing_read_ahead() {
    let found = [1, 2, 3, 4].map(|degree| read_ahead_0(&anticipatory(), degree));
    // One number is fitted to three: the outer rate of the disk, by least squares.
    for (found, published) in found.iter().zip([53.0, 60.0, 64.0]) {
        assert!(within(*found, published, 0.1), "{found} {published}");
    }
    // Each turn costs one seek and one rotation, whoever takes turns: nothing that is known of the host makes it more from degree
    // 2 to 3, and the step to 88 at degree 4 is not reproduced.
    assert!(within(found[2], found[1], 0.01), "{found:?}");
    assert!((0.3..0.35).contains(&(1.0 - found[3] / 88.0)), "{found:?}");
}

#[test]
fn published_seconds_with_2_mib_read_ahead() {
    let found =
        [1, 2, 3].map(|degree| scan(Storage::OneDisk, &anticipatory(), Reads::Buffered(2 << 20), degree));
    for (found, published) in found.iter().zip([61.0, 61.0, 64.0]) {
        assert!(within(*found, published, 0.1), "{found} {published}");
    }
}

#[test]
fn direct_reads_two_at_a_time_are_not_reproduced() {
    // Published 65, 101 and 110 s: with a read queued when one is done, the model keeps to a slave and stays flat.
    let found = [1, 2, 3].map(|degree| scan(Storage::OneDisk, &anticipatory(), Reads::Direct(2), degree));
    assert!(found.iter().all(|s| (56.0..60.0).contains(s)), "{found:?}");
}

#[test]
fn one_scheduler_before_a_coarse_stripe_of_a_controller_reverses_it() {
    // It waits for one slave's next read while three of the four disks have nothing to do.
    let seconds = |storage, scheduler: &SchedulerSpec| scan(storage, scheduler, Reads::Buffered(0), 4);
    let coarse = 1 << 20;
    let (noop, waits) = (SchedulerSpec::Noop, anticipatory());
    let by_controller = Storage::ByController(coarse);
    assert!(seconds(by_controller, &waits) > 1.4 * seconds(by_controller, &noop));
    // With a scheduler for each disk below the stripes it helps.
    let by_host = Storage::ByHost(coarse);
    assert!(1.5 * seconds(by_host, &waits) < seconds(by_host, &noop));
    // And before a fine stripe, of which each read needs two disks.
    let fine = Storage::ByController(64 << 10);
    assert!(2.5 * seconds(fine, &waits) < seconds(fine, &noop));
}

#[test]
#[ignore = "prints what the outer rate is fitted to"]
fn fit() {
    for tenths in (340..=420).step_by(2) {
        OUTER_MBPS.set(Some(f64::from(tenths) / 10.0));
        let found = [1, 2, 3].map(|degree| read_ahead_0(&anticipatory(), degree));
        let off = [0, 1, 2].map(|n| found[n] / [53.0, 60.0, 64.0][n] - 1.0);
        let squares: f64 = off.iter().map(|share| share * share).sum();
        println!("{:.1} MB/s: {found:.1?} s, {off:+.3?}, {squares:.5}", f64::from(tenths) / 10.0);
    }
}

/// A row for each scheduler, seconds.
fn rows<const N: usize>(what: &str, seconds: impl Fn(&SchedulerSpec) -> [f64; N]) {
    for (name, scheduler) in schedulers() {
        let row = seconds(&scheduler).map(|s| format!("{s:6.1}"));
        println!("{what:20}{name:14}{}", row.join(" "));
    }
}

#[test]
#[ignore = "prints a table of docs/simulating.md"]
fn table_of_degrees() {
    println!("nothing read ahead: degrees 1, 2, 3, 4, 5, 8, 20, 40, 80");
    rows("one disk", |scheduler| {
        [1, 2, 3, 4, 5, 8, 20, 40, 80].map(|degree| read_ahead_0(scheduler, degree))
    });
}

#[test]
#[ignore = "prints what docs/simulating.md says of other ways to read"]
fn table_of_other_ways() {
    for (way, reads) in [("2 MiB ahead", Reads::Buffered(2 << 20)), ("direct", Reads::Direct(2))] {
        let row = [1, 2, 3, 4]
            .map(|degree| format!("{:6.1}", scan(Storage::OneDisk, &anticipatory(), reads, degree)));
        println!("anticipatory, {way}: {}", row.join(" "));
    }
}

#[test]
#[ignore = "prints a table of docs/simulating.md"]
fn table_of_four_disks() {
    println!("four disks, degree 4: separate, host 1 MiB and 64 KiB, controller 1 MiB and 64 KiB");
    let storages = [
        Storage::Separate,
        Storage::ByHost(1 << 20),
        Storage::ByHost(64 << 10),
        Storage::ByController(1 << 20),
        Storage::ByController(64 << 10),
    ];
    rows("four disks", |scheduler| storages.map(|storage| scan(storage, scheduler, Reads::Buffered(0), 4)));
}

#[test]
#[ignore = "prints a table of docs/simulating.md"]
fn table_of_reading_ahead() {
    println!("read ahead, degree 4: 0, 16, 32, 64, 128, 256, 512, 1024, 2048 KiB");
    rows("one disk", |scheduler| {
        [0, 16, 32, 64, 128, 256, 512, 1_024, 2_048]
            .map(|kib: u32| scan(Storage::OneDisk, scheduler, Reads::Buffered(kib << 10), 4))
    });
}
