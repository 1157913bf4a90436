//! What one request to devices made of devices costs, in time of the CPU: stripes over few and many disks, mirrors behind a
//! link, flash before disks; 64 requests of 8 KiB under way, a third of them writes.
//!
//! `cargo bench -p spindle-io-simulate --bench arrays`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::arrays::{
    ArrayDevice, Copied, Parity, ParitySpec, PartialWrites, ReadChoice, Stripes,
};
use spindle_io_simulate::caches::{Arc, CachedDevice, CachedDeviceSpec, Writes};
use spindle_io_simulate::{
    Device, LatencyCap, LatencyCapSpec, LinkSpec, Linked, NoSuchDevice, Operation, Picoseconds, Request,
    Seeded, closed_loop,
};
use std::hint::black_box;
use std::time::Duration;

const REQUESTS: u64 = 50_000;
const MEMBER_BYTES: u64 = 1 << 30;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn one<D: Device>(c: &mut Criterion, name: &str, device: impl Fn() -> Result<D, NoSuchDevice>) {
    let mut random = Seeded::new(1, 0);
    let requests: Vec<Request> = (0..REQUESTS)
        .map(|_| Request {
            operation: if random.below(3) == 0 { Operation::Write } else { Operation::Read },
            offset: random.below(MEMBER_BYTES / 8_192) * 8_192,
            bytes: 8_192,
        })
        .collect();
    let mut group = c.benchmark_group("50,000 requests");
    group.throughput(Throughput::Elements(REQUESTS)).sample_size(10);
    group.bench_function(name, |b| {
        b.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let Ok(mut device) = device() else { return took };
                let before = used();
                black_box(
                    closed_loop(&mut device, 64, requests.iter().copied()).map_or(0, |r| r.served.len()),
                );
                took += used() - before;
            }
            took
        });
    });
    group.finish();
}

fn disk(us: f64) -> Result<LatencyCap, NoSuchDevice> {
    LatencyCap::new(&LatencyCapSpec {
        latency: Picoseconds::from_us(us),
        iops: Some(1e6 / us),
        bytes_per_s: None,
    })
}

fn disks(number: u32) -> Result<Vec<LatencyCap>, NoSuchDevice> {
    // Of a pace of their own each, so that they are not done at one time.
    (0..number).map(|n| disk(5_000.0 + f64::from(n) * 7.3)).collect()
}

fn stripes(number: u32) -> Result<impl Device, NoSuchDevice> {
    let layout = Stripes::raid10(number, 1, 8_192, MEMBER_BYTES)?;
    ArrayDevice::new(Copied::new(layout, ReadChoice::First), disks(number)?)
}

fn mirrors_behind_a_link() -> Result<impl Device, NoSuchDevice> {
    let layout = Stripes::raid10(8, 2, 65_536, MEMBER_BYTES)?;
    let link = LinkSpec {
        bytes_per_s: 400e6,
        delay: Picoseconds::from_us(5.0),
        overhead: Picoseconds::from_us(2.0),
        full_duplex: true,
        depth: Some(32),
    };
    Linked::new(link, ArrayDevice::new(Copied::new(layout, ReadChoice::RoundRobin), disks(16)?)?)
}

fn raid5() -> Result<impl Device, NoSuchDevice> {
    let spec = ParitySpec {
        members: 8,
        parity: 1,
        depth_bytes: 65_536,
        member_bytes: MEMBER_BYTES,
        partial: PartialWrites::Fewer,
    };
    ArrayDevice::new(Parity::new(&spec)?, disks(8)?)
}

fn flash_before_a_disk() -> Result<impl Device, NoSuchDevice> {
    let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Back };
    CachedDevice::new(spec, Arc::new(20_000), disk(100.0)?, disk(5_000.0)?)
}

fn arrays(c: &mut Criterion) {
    one(c, "one disk", || disk(5_000.0));
    one(c, "stripes over 4 disks", || stripes(4));
    one(c, "stripes over 100 disks", || stripes(100));
    one(c, "8 mirrors of two behind a link", mirrors_behind_a_link);
    one(c, "RAID 5 of 8", raid5);
    one(c, "flash before a disk, written back", flash_before_a_disk);
}

criterion_group!(benches, arrays);
criterion_main!(benches);
