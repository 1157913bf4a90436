//! What one simulated request to a disk in full detail costs, in time of the CPU, so that a busy machine counts
//! less.
//!
//! `cargo bench -p spindle-io-simulate --bench hard_disk`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::catalogue::catalogue;
use spindle_io_simulate::{
    Device, HardDisk, HardDiskSpec, Operation, Picoseconds, Request, Seeded, ServiceOrder,
};
use std::hint::black_box;
use std::time::Duration;

const REQUESTS: usize = 100_000;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Keeps so many requests under way.
fn serve(disk: &mut HardDisk, requests: &[Request], depth: usize) -> usize {
    let mut done = Vec::with_capacity(depth);
    let mut now = Picoseconds::ZERO;
    let (mut under_way, mut served) = (0, 0);
    let mut waiting = requests.iter();
    loop {
        while under_way < depth
            && let Some(request) = waiting.next()
        {
            disk.submit(now, 0, *request);
            under_way += 1;
        }
        let Some(next) = disk.next_event() else { return served };
        now = next;
        disk.advance(now, &mut done);
        under_way -= done.len();
        served += done.len();
        done.clear();
    }
}

fn one(c: &mut Criterion, name: &str, spec: &HardDiskSpec, depth: usize, requests: &[Request]) {
    let mut group = c.benchmark_group("a hundred thousand requests");
    group.throughput(Throughput::Elements(REQUESTS as u64)).sample_size(20);
    group.bench_function(name, |b| {
        b.iter_custom(|rounds| {
            let mut took = Duration::ZERO;
            for _ in 0..rounds {
                let Ok(mut disk) = HardDisk::new(spec) else { return took };
                let before = used();
                black_box(serve(&mut disk, requests, depth));
                took += used() - before;
            }
            took
        });
    });
    group.finish();
}

fn hard_disk(c: &mut Criterion) {
    let disks = catalogue().unwrap_or_default();
    let Some(cheetah) = disks.iter().find(|d| d.name == "cheetah_st318404lc") else { return };
    let Ok(spec) = cheetah.spec() else { return };
    let fcfs = HardDiskSpec { order: ServiceOrder::Fcfs, queue_depth: 1, ..spec.clone() };
    let written_back = HardDiskSpec {
        cache: spindle_io_simulate::CacheSpec { write_back: true, ..fcfs.cache.clone() },
        ..fcfs.clone()
    };
    let mut random = Seeded::new(1, 0);
    let mut some = |write: bool| -> Vec<Request> {
        (0..REQUESTS)
            .map(|_| {
                let writes = write && random.below(3) == 0;
                let operation = if writes { Operation::Write } else { Operation::Read };
                Request { operation, offset: random.below(18_000_000_000 / 8_192) * 8_192, bytes: 8_192 }
            })
            .collect()
    };
    let (reads, mixed) = (some(false), some(true));
    let scan: Vec<Request> = (0..REQUESTS as u64)
        .map(|i| Request { operation: Operation::Read, offset: i * 131_072 % 18_000_000_000, bytes: 131_072 })
        .collect();
    one(c, "random reads of 8 KiB", &fcfs, 1, &reads);
    one(c, "a third of them writes, through", &fcfs, 1, &mixed);
    one(c, "a third of them writes, back", &written_back, 1, &mixed);
    one(c, "a scan of 128 KiB", &fcfs, 1, &scan);
    for (name, order, waiting) in [
        ("32 waiting, shortest positioning first", ServiceOrder::Sptf, 32),
        ("256 waiting, shortest positioning first", ServiceOrder::Sptf, 256),
        ("32 waiting, shortest seek first", ServiceOrder::Sstf, 32),
        ("256 waiting, shortest seek first", ServiceOrder::Sstf, 256),
        ("32 waiting, up and down", ServiceOrder::Look, 32),
        ("256 waiting, up and down", ServiceOrder::Look, 256),
        ("32 waiting, up and again", ServiceOrder::CLook, 32),
        ("256 waiting, up and again", ServiceOrder::CLook, 256),
    ] {
        one(c, name, &HardDiskSpec { order, queue_depth: waiting, ..spec.clone() }, waiting, &reads);
    }
    let written = HardDiskSpec { queue_depth: 32, ..written_back.clone() };
    let mixed_sptf = HardDiskSpec { order: ServiceOrder::Sptf, ..written };
    one(c, "32 waiting, a third of them writes, back, shortest positioning first", &mixed_sptf, 32, &mixed);
}

criterion_group!(benches, hard_disk);
criterion_main!(benches);
