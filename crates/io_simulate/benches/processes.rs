//! What the loop of processes costs for a request, before devices that cost next to nothing, in time of the CPU, so
//! that a busy machine counts less.
//!
//! `cargo bench -p spindle-io-simulate --bench processes`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::processes::{Ask, Host, Simulation, Then};
use spindle_io_simulate::{Device, LatencyCap, LatencyCapSpec, Operation, Picoseconds, Request, Seeded};
use std::hint::black_box;
use std::time::Duration;

const REQUESTS: u64 = 1_000_000;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn volume() -> Option<Box<dyn Device>> {
    let spec =
        LatencyCapSpec { latency: Picoseconds::from_us(101.3), iops: Some(90_000.0), bytes_per_s: None };
    LatencyCap::new(&spec).ok().map(|volume| Box::new(volume) as Box<dyn Device>)
}

/// So many readers of random blocks on so many volumes, each one request at a time.
fn serve(volumes: usize, readers: u64) -> Option<u64> {
    let all: Option<Vec<_>> = (0..volumes).map(|_| volume()).collect();
    let mut simulation = Simulation::new(all?);
    let stream = simulation.stream("reads");
    for reader in 0..readers {
        let mut random = Seeded::new(7, reader);
        let mut left = REQUESTS / readers;
        let volume = (reader % volumes as u64) as usize;
        simulation.add("reader", move |host: &mut Host| {
            if left == 0 {
                return Then::Ended;
            }
            left -= 1;
            let offset = random.below(1 << 20) * 8_192;
            let request = Request { operation: Operation::Read, offset, bytes: 8_192 };
            host.ask(Ask::new(volume, stream, request));
            Then::ALL_DONE
        });
    }
    simulation.run(None).ok().map(|found| found.served)
}

fn processes(c: &mut Criterion) {
    let mut group = c.benchmark_group("a million requests");
    group.throughput(Throughput::Elements(REQUESTS)).sample_size(10);
    for (volumes, readers) in [(1, 1), (1, 64), (8, 64), (8, 1_000)] {
        group.bench_function(format!("{readers} processes on {volumes} volumes"), |b| {
            b.iter_custom(|rounds| {
                let mut took = Duration::ZERO;
                for _ in 0..rounds {
                    let before = used();
                    assert_eq!(black_box(serve(volumes, readers)), Some(REQUESTS));
                    took += used() - before;
                }
                took
            });
        });
    }
    group.finish();
}

criterion_group!(benches, processes);
criterion_main!(benches);
