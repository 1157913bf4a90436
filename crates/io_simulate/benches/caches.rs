//! What one request to a cache costs, in time of the CPU, so that a busy machine counts less: Zipf with exponent
//! 0.9 over a million pages, a tenth of them kept.
//!
//! `cargo bench -p spindle-io-simulate --bench caches`
#![allow(missing_docs, reason = "the macro of criterion makes a public function")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rustix::time::{ClockId, clock_gettime};
use spindle_io_simulate::caches::{Access, Arc, Cache, Lru, S3Fifo};
use spindle_workload::{Pattern, Seeded};
use std::hint::black_box;
use std::time::Duration;

const PAGES: u64 = 1_000_000;
const REQUESTS: usize = 1_000_000;

/// What this thread has used of the CPU.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn one(c: &mut Criterion, pages: &[u64], name: &str, mut cache: impl Cache) {
    let mut group = c.benchmark_group("a million requests");
    group.throughput(Throughput::Elements(REQUESTS as u64)).sample_size(10);
    group.bench_function(name, |b| {
        b.iter_custom(|rounds| {
            let before = used();
            for _ in 0..rounds {
                black_box(pages.iter().filter(|page| cache.access(**page) == Access::Hit).count());
            }
            used() - before
        });
    });
    group.finish();
}

fn caches(c: &mut Criterion) {
    let mut blocks = Pattern::Zipf { theta: 0.9 }.blocks(PAGES, Seeded::new(1, 0));
    let pages: Vec<u64> = (0..REQUESTS).map(|_| blocks.draw()).collect();
    one(c, &pages, "lru", Lru::new(100_000));
    one(c, &pages, "arc", Arc::new(100_000));
    one(c, &pages, "s3_fifo", S3Fifo::new(100_000));
}

criterion_group!(benches, caches);
criterion_main!(benches);
