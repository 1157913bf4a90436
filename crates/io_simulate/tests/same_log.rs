//! The same seed gives the same events, on any machine: logs of a mixed load against their fingerprints.
//!
//! A fingerprint changes where a rule of a model changes, and then it is written anew, with the reason in the commit. It
//! must not change with the machine, the compiler, its options or the run.
#![allow(clippy::unwrap_used)]

use spindle_io_simulate::arrays::{
    ArrayDevice, Copied, Parity, ParitySpec, PartialWrites, ReadChoice, Stripes,
};
use spindle_io_simulate::caches::{Arc, CachedDevice, CachedDeviceSpec, S3Fifo, Writes};
use spindle_io_simulate::{
    BucketSpec, CloudVolume, CloudVolumeSpec, Collection, DataSheet, Device, FlashSpec, HardDisk, LatencyCap,
    LatencyCapSpec, Nvme, NvmeSpec, Operation, Picoseconds, Request, Seeded, ServiceOrder, ServiceSpec,
    Spread, Ssd, SsdSpec, closed_loop,
};

fn us(us: f64) -> Picoseconds {
    Picoseconds::from_us(us)
}

/// 20,000 requests of 4 to 64 KiB over 64 MiB, a third of them writes, 16 under way; FNV-1a over who was done when.
fn fingerprint(device: &mut impl Device) -> u64 {
    let mut random = Seeded::new(23, 0);
    let requests = (0..20_000).map(|_| Request {
        operation: if random.below(3) == 0 { Operation::Write } else { Operation::Read },
        offset: random.below(1 << 14) * 4_096,
        bytes: 4_096 << random.below(5),
    });
    let run = closed_loop(device, 16, requests).unwrap();
    assert_eq!(run.served.len(), 20_000);
    run.served
        .iter()
        .flat_map(|s| [s.number, s.done.0])
        .flat_map(u64::to_le_bytes)
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn ssd() -> Ssd {
    let flash = FlashSpec {
        channels: 4,
        chips: 2,
        dies: 1,
        planes: 2,
        blocks: 48,
        pages: 32,
        page_bytes: 4_096,
        over_provisioning: 0.28,
        collection: Collection::Greedy,
    };
    let mut drive = Ssd::new(&SsdSpec {
        flash,
        read: us(41.3),
        program: us(187.7),
        erase: us(3_001.1),
        channel_bytes_per_s: 333e6,
        command: us(4.9),
        link_bytes_per_s: 2.9e9,
        buffer_pages: 64,
        reads_first: true,
        suspend: Some(us(7.3)),
    })
    .unwrap();
    drive.precondition(3, 2.0);
    drive
}

fn nvme(seed: u64) -> Nvme {
    let service =
        ServiceSpec { latency: us(83.1), bytes_per_s: 1.1e9, spread: Spread::LogNormal { variation: 0.7 } };
    Nvme::new(&NvmeSpec {
        units: 8,
        read: service,
        write: ServiceSpec { spread: Spread::Exponential, ..service },
        piece_bytes: 16_384,
        link_bytes_per_s: Some(3.3e9),
        seed,
    })
    .unwrap()
}

fn disk() -> LatencyCap {
    let spec = LatencyCapSpec { latency: us(4_700.3), iops: Some(171.7), bytes_per_s: Some(97.1e6) };
    LatencyCap::new(&spec).unwrap()
}

fn volume() -> CloudVolume {
    let bucket = |base_per_s: f64, credits: f64| BucketSpec {
        base_per_s,
        burst_per_s: 7.3 * base_per_s,
        credits,
        full: 0.7,
    };
    CloudVolume::new(&CloudVolumeSpec {
        read_latency: us(701.3),
        write_latency: us(903.7),
        operations: Some(bucket(313.7, 5_000.0)),
        bytes: Some(bucket(17.9e6, 90e6)),
        unit_bytes: 16_384,
        merges: true,
    })
    .unwrap()
}

fn raid10_behind_memory() -> impl Device {
    let array = Copied::new(Stripes::raid10(3, 2, 65_536, 32 << 20).unwrap(), ReadChoice::Nearest);
    let array = ArrayDevice::new(array, (0..6).map(|_| disk()).collect()).unwrap();
    let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Back };
    let memory = LatencyCapSpec { latency: us(50.1), iops: None, bytes_per_s: None };
    CachedDevice::new(spec, Arc::new(1_000), LatencyCap::new(&memory).unwrap(), array).unwrap()
}

fn raid6_behind_flash() -> impl Device {
    let array = Parity::new(&ParitySpec {
        members: 7,
        parity: 2,
        depth_bytes: 32_768,
        member_bytes: 32 << 20,
        partial: PartialWrites::Fewer,
    })
    .unwrap();
    let array = ArrayDevice::new(array, (0..7).map(|_| disk()).collect()).unwrap();
    let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Through };
    CachedDevice::new(spec, S3Fifo::new(2_000), nvme(9), array).unwrap()
}

#[test]
fn each_device_leaves_the_log_that_it_always_left() {
    let found = [
        ("ssd", fingerprint(&mut ssd())),
        ("nvme", fingerprint(&mut nvme(5))),
        ("cloud volume", fingerprint(&mut volume())),
        ("RAID 10 behind memory", fingerprint(&mut raid10_behind_memory())),
        ("RAID 6 behind flash", fingerprint(&mut raid6_behind_flash())),
    ];
    let stored = [
        ("ssd", 0x70B7_3794_36B8_9842),
        ("nvme", 0x15B5_2EA2_CDF6_96D6),
        ("cloud volume", 0xD37B_BD6E_D242_3D44),
        ("RAID 10 behind memory", 0x940D_E07E_EA6E_FD48),
        ("RAID 6 behind flash", 0xF34C_151B_CC03_65CC),
    ];
    assert_eq!(found, stored, "{found:#x?}");
}

/// A disk in full detail that chooses among 12 commands, writing back or not: none of the catalogue, whose figures may be
/// fitted anew.
fn in_order(order: ServiceOrder, write_back: bool) -> HardDisk {
    let sheet = DataSheet {
        capacity_bytes: 18.37e9,
        rpm: 10_000.0,
        surfaces: 6,
        zones: 12,
        outer_mbps: 38.6,
        inner_mbps: 26.0,
        track_seek_ms: 0.6,
        average_seek_ms: 5.2,
        full_seek_ms: 10.0,
        write_settle_ms: 0.2,
        head_switch_ms: 0.5,
        overhead_ms: 0.3,
        bus_mbps: 160.0,
        cache_bytes: 4_194_304.0,
        segments: 16,
        write_back,
        queue_depth: 12,
        order,
    };
    HardDisk::new(&sheet.spec().unwrap()).unwrap()
}

/// LOOK's log without write-back changed when data of writes that go through began to come while others are served, and by that
/// alone: of 20,000 requests one write, the 5,415th to be done, lies right behind the request before it, has its data by then, and
/// no longer loses a turn of 6 ms; what was done before stands as it did. The other orders have no such write.
#[test]
fn a_disk_serves_each_order_as_it_always_did() {
    use ServiceOrder::{CLook, Fcfs, Look, Sptf, Sstf};
    let found = [Fcfs, Sstf, Look, CLook, Sptf].map(|order| {
        (order, fingerprint(&mut in_order(order, false)), fingerprint(&mut in_order(order, true)))
    });
    let stored = [
        (Fcfs, 0x298D_13CF_456A_8806, 0x4B96_2200_F763_2D4F),
        (Sstf, 0xF1BA_8025_645C_C763, 0x3968_71C6_DD38_5628),
        (Look, 0x5BA8_B62A_F0AC_FC2C, 0xC48A_DBEF_2785_83D1),
        (CLook, 0x7548_0ED0_787A_FB3C, 0x8431_84F4_AE35_0224),
        (Sptf, 0xE7C0_8461_B592_DFAE, 0x53C5_E5DE_54E5_42DC),
    ];
    assert_eq!(found, stored, "{found:#x?}");
}

#[test]
fn another_seed_leaves_another_log() {
    assert_ne!(fingerprint(&mut nvme(5)), fingerprint(&mut nvme(6)));
}
