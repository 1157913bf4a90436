//! Short stroking, 2005 (experiment E1 of the reference): two processes, 1,000 random reads of 8 KiB each, both at the outer edge of a
//! disk, both at the inner, or one at each.
//!
//! The disk is that of the catalogue behind FireWire, whose figures are those of its standard; one command is under way at a time, as
//! the bridge has it. So the inner edge is predicted. The other two are not: what it takes to reproduce them is fitted to
//! them, and said to be.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::caches::{CachedDevice, CachedDeviceSpec, Lru, Writes};
use spindle_io_simulate::catalogue::catalogue;
use spindle_io_simulate::loads::run_job;
use spindle_io_simulate::{
    DataSheet, Device, HardDisk, LatencyCap, LatencyCapSpec, LinkSpec, Linked, Picoseconds,
};
use spindle_workload::{Arrivals, End, Extent, Flush, Job, Pattern, Region, Size, Stream};

/// The published cylinders, as the partition table counts them.
const CYLINDER: u64 = 255 * 63 * 512;
/// Cylinders 1 to 250, but for the first track, which no partition has.
const OUTER: (u64, u64) = (63 * 512, 2_008_093 << 10);
/// Cylinders 24,543 to 24,792.
const INNER: (u64, u64) = (24_542 * CYLINDER, 2_008_125 << 10);

/// Published: mean of both processes, seconds for 1,000 reads.
const OUTER_S: f64 = (11.323 + 11.536) / 2.0;
const INNER_S: f64 = (17.398 + 17.482) / 2.0;
const SPLIT_S: f64 = (32.673 + 32.926) / 2.0;

fn sheet() -> DataSheet {
    catalogue().unwrap().iter().find(|d| d.name == "maxtor_204g_firewire").unwrap().sheet.clone()
}

/// Seconds for 1,000 reads of both processes, on average over a few seeds. `memory` is a share of the outer partition that the
/// host answers from memory.
fn seconds(sheet: &DataSheet, places: [(u64, u64); 2], memory: f64) -> f64 {
    let spec = sheet.spec().unwrap();
    // 400 Mbit/s, and a cycle of 125 us for each way, by the standard.
    let link = LinkSpec {
        bytes_per_s: 50e6,
        delay: Picoseconds::ZERO,
        overhead: Picoseconds::from_us(125.0),
        full_duplex: false,
        depth: Some(1),
    };
    let streams = places.map(|(from, bytes)| Stream {
        name: "reads".into(),
        read_pct: 100.0,
        pattern: Pattern::Random,
        sizes: vec![Size { bytes: 8_192, weight: 1.0 }],
        region: Region { from: Extent::Bytes(from), length: Some(Extent::Bytes(bytes)) },
        arrivals: Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    });
    let mut all = Vec::new();
    for seed in 1..=5 {
        let disk = HardDisk::new(&spec).unwrap();
        let bytes = disk.bytes();
        let disk = Linked::new(link, disk).unwrap();
        let mut job = Job {
            name: "read".into(),
            seed,
            streams: streams.to_vec(),
            end: End { ios: Some(1_000), ..End::default() },
            warm_up_s: None,
        };
        let volume: Box<dyn Device> = if memory > 0.0 {
            // Until memory is full of what is read.
            job.warm_up_s = Some(600.0);
            let ram = LatencyCapSpec { latency: Picoseconds::from_us(20.0), iops: None, bytes_per_s: None };
            let pages = (OUTER.1 as f64 / 8_192.0 * memory) as usize;
            let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Through };
            let ram = LatencyCap::new(&ram).unwrap();
            Box::new(CachedDevice::new(spec, Lru::new(pages), ram, disk).unwrap())
        } else {
            Box::new(disk)
        };
        let result = run_job(&job, volume, bytes, Vec::new()).unwrap();
        all.extend(result.streams.iter().map(|s| s.latency_us.mean.unwrap() / 1e3));
    }
    all.iter().sum::<f64>() / all.len() as f64
}

fn off_pct(found: f64, published: f64) -> f64 {
    (found / published - 1.0) * 100.0
}

#[test]
fn the_inner_edge_is_predicted() {
    let found = seconds(&sheet(), [INNER, INNER], 0.0);
    let off = off_pct(found, INNER_S);
    assert!(off.abs() < 10.0, "{found}");
}

/// Wrong today: the outer edge comes out slower than it was, and the split much slower. A geometry that has the inner edge right cannot
/// have the outer one right, too: the seeks within two gigabytes are as short there, and half a turn is the same.
#[test]
fn the_outer_edge_and_the_split_are_not_predicted() {
    let (outer, split) = (seconds(&sheet(), [OUTER, OUTER], 0.0), seconds(&sheet(), [OUTER, INNER], 0.0));
    assert!((25.0..45.0).contains(&off_pct(outer, OUTER_S)), "{outer}");
    assert!((30.0..50.0).contains(&off_pct(split, SPLIT_S)), "{split}");
}

/// The seek over the whole disk is fitted to the split, and the average with it, so that short seeks stay what they were; the share
/// that is answered from memory, to the outer edge. Three figures by two parameters: a calibration and no prediction.
#[test]
fn what_has_to_be_fitted_for_the_other_two() {
    let fitted = DataSheet { full_seek_ms: 11.5, average_seek_ms: 7.0, ..sheet() };
    let split = seconds(&fitted, [OUTER, INNER], 0.0);
    let inner = seconds(&fitted, [INNER, INNER], 0.0);
    let outer = seconds(&fitted, [OUTER, OUTER], 0.0);
    let with_memory = seconds(&fitted, [OUTER, OUTER], 0.27);
    assert!(off_pct(split, SPLIT_S).abs() < 5.0, "{split}");
    assert!(off_pct(inner, INNER_S).abs() < 10.0, "{inner}");
    assert!(off_pct(outer, OUTER_S) > 25.0, "the arm has no part in it: {outer}");
    assert!(off_pct(with_memory, OUTER_S).abs() < 5.0, "{with_memory}");
}

/// A companion claim: the outer third of the tracks holds about half of the capacity. It holds 38 to 42 % on disks whose outer tracks hold
/// 1.5 to 2.2 times as much as their inner ones; half, only where it is seven times.
#[test]
fn the_outer_third_of_the_tracks_holds_less_than_half() {
    for disk in catalogue().unwrap() {
        let spec = disk.spec().unwrap();
        let zones = &spec.layout.zones;
        let all_cylinders = zones.last().unwrap().last_cylinder + 1;
        let third = all_cylinders / 3;
        let (mut outer, mut all) = (0, 0);
        for zone in zones {
            let within = |from: u64, to: u64| {
                (zone.last_cylinder + 1).min(to).saturating_sub(zone.first_cylinder.max(from))
            };
            all += within(0, all_cylinders) * zone.sectors_per_track;
            outer += within(0, third) * zone.sectors_per_track;
        }
        let share = outer as f64 / all as f64;
        assert!((0.36..0.43).contains(&share), "{}: {share}", disk.name);
    }
}
