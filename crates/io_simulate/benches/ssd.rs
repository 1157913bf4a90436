//! What one request to a simulated drive costs, in time of the CPU: 16 dies, 4 KiB at random, 32 under way; reads, and
//! writes once collection is in its stride.
//!
//! `cargo bench -p spindle-io-simulate --bench ssd`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::{
    Collection, Device, FlashSpec, Operation, Picoseconds, Request, Seeded, Ssd, SsdSpec,
};
use std::time::Duration;

const REQUESTS: u64 = 200_000;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn drive() -> Option<Ssd> {
    let us = Picoseconds::from_us;
    let mut drive = Ssd::new(&SsdSpec {
        flash: FlashSpec {
            channels: 8,
            chips: 2,
            dies: 1,
            planes: 2,
            blocks: 256,
            pages: 128,
            page_bytes: 4_096,
            over_provisioning: 0.28,
            collection: Collection::Greedy,
        },
        read: us(36.0),
        program: us(185.0),
        erase: us(3_000.0),
        channel_bytes_per_s: 667e6,
        command: us(5.0),
        link_bytes_per_s: 3.36e9,
        buffer_pages: 1_024,
        reads_first: true,
        suspend: None,
    })
    .ok()?;
    drive.precondition(1, 2.0);
    Some(drive)
}

fn ssd(c: &mut Criterion) {
    let Some(mut drive) = drive() else { return };
    let mut random = Seeded::new(2, 0);
    let pages = drive.bytes() / 4_096;
    let mut group = c.benchmark_group("200,000 requests");
    group.throughput(Throughput::Elements(REQUESTS)).sample_size(10);
    let (mut now, mut under_way, mut completed) = (Picoseconds::ZERO, 0, Vec::new());
    for (name, operation) in [("reads", Operation::Read), ("writes", Operation::Write)] {
        group.bench_function(name, |b| {
            b.iter_custom(|rounds| {
                let before = used();
                for tag in 0..rounds * REQUESTS {
                    if under_way == 32
                        && let Some(next) = drive.next_event()
                    {
                        now = now.max(next);
                        drive.advance(now, &mut completed);
                        while completed.is_empty()
                            && let Some(next) = drive.next_event()
                        {
                            now = now.max(next);
                            drive.advance(now, &mut completed);
                        }
                        under_way -= completed.len();
                        completed.clear();
                    }
                    let offset = random.below(pages) * 4_096;
                    drive.submit(now, tag, Request { operation, offset, bytes: 4_096 });
                    under_way += 1;
                }
                used() - before
            });
        });
    }
    group.finish();
}

criterion_group!(benches, ssd);
criterion_main!(benches);
