//! What one request costs from a process through the block layer of each scheduler to a device that costs next to nothing, in
//! time of the CPU, so that a busy machine counts less.
//!
//! `cargo bench -p spindle-io-simulate --bench block_layer`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::schedulers::SchedulerSpec;
use spindle_io_simulate::{
    BlockLayer, BlockLayerSpec, Device, LatencyCap, LatencyCapSpec, Operation, Origin, Picoseconds, Request,
    Seeded,
};
use std::hint::black_box;
use std::time::Duration;

const REQUESTS: usize = 100_000;
/// Processes with a request each.
const PROCESSES: u32 = 32;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn device() -> Option<LatencyCap> {
    let latency = Picoseconds::from_us(100.0);
    LatencyCap::new(&LatencyCapSpec { latency, iops: Some(10_000.0), bytes_per_s: None }).ok()
}

/// Each process has one request under way.
fn serve(device: &mut impl Device, requests: &[Request]) -> usize {
    let mut done = Vec::with_capacity(64);
    let mut waiting = requests.iter();
    let mut now = Picoseconds::ZERO;
    for (process, request) in (0..PROCESSES).zip(waiting.by_ref()) {
        device.submit_from(now, u64::from(process), Origin { process, waits: true }, *request);
    }
    let mut served = 0;
    while let Some(next) = device.next_event() {
        now = next;
        device.advance(now, &mut done);
        for completion in done.drain(..) {
            served += 1;
            if let Some(request) = waiting.next() {
                // Processes are few.
                let process = u32::try_from(completion.tag).unwrap_or(0);
                device.submit_from(now, completion.tag, Origin { process, waits: true }, *request);
            }
        }
    }
    served
}

fn block_layer(c: &mut Criterion) {
    let mut random = Seeded::new(1, 0);
    let requests: Vec<Request> = (0..REQUESTS)
        .map(|_| {
            let operation = if random.below(3) == 0 { Operation::Write } else { Operation::Read };
            Request { operation, offset: random.below(1 << 22) * 8_192, bytes: 8_192 }
        })
        .collect();
    let schedulers = [
        ("the device alone", None),
        ("noop", Some(SchedulerSpec::Noop)),
        ("deadline", Some(SchedulerSpec::Deadline(Default::default()))),
        ("anticipatory", Some(SchedulerSpec::Anticipatory(Default::default()))),
        ("cfq to 2.6.12", Some(SchedulerSpec::CfqRounds(Default::default()))),
        ("cfq to 2.6.18", Some(SchedulerSpec::CfqSlices(Default::default()))),
        ("mq-deadline", Some(SchedulerSpec::MqDeadline(Default::default()))),
        ("kyber", Some(SchedulerSpec::Kyber(Default::default()))),
        ("bfq", Some(SchedulerSpec::Bfq(Default::default()))),
    ];
    let mut group = c.benchmark_group("a hundred thousand requests of 32 processes");
    group.throughput(Throughput::Elements(REQUESTS as u64)).sample_size(10);
    for (name, scheduler) in schedulers {
        group.bench_function(name, |b| {
            b.iter_custom(|rounds| {
                let mut took = Duration::ZERO;
                for _ in 0..rounds {
                    let Some(mut device) = device() else { return took };
                    let before = used();
                    let served = match &scheduler {
                        None => serve(&mut device, &requests),
                        Some(scheduler) => {
                            let spec = BlockLayerSpec::linux_2_6(4);
                            let Ok(mut layer) = BlockLayer::new(spec, scheduler.build(), device) else {
                                return took;
                            };
                            serve(&mut layer, &requests)
                        }
                    };
                    took += used() - before;
                    black_box(served);
                }
                took
            });
        });
    }
    group.finish();
}

criterion_group!(benches, block_layer);
criterion_main!(benches);
