//! Choosing among thousands of segments. `cargo bench -p spindle-planning`.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use spindle_planning::choice::{Item, Problem, choose, frontier};
use std::hint::black_box;

/// Segments of 64 KiB to 10 TB whose savings lie six orders of magnitude apart.
fn database(items: usize, capacities: &[u64]) -> Problem {
    let mut seed = 1_u64;
    let mut share = || {
        // Steele and Vigna's multiplier.
        seed = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let items = (0..items)
        .map(|n| {
            let value = 0.01 * 1e6_f64.powf(share());
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let blocks = (1.5e8_f64.powf(share())).ceil() as u64;
            let value = (0..capacities.len()).map(|_| Some(value * (0.7 + 0.3 * share()))).collect();
            Item { size: blocks * 65_536, value, key: format!("S{n}"), ..Item::default() }
        })
        .collect();
    Problem { items, capacities: capacities.to_vec() }
}

fn choosing(criterion: &mut Criterion) {
    let one = database(5_000, &[400 << 30]);
    criterion.bench_function("one tier, 5000 segments", |b| b.iter(|| choose(black_box(&one)).unwrap()));
    let three = database(2_000, &[200 << 30, 1 << 40, 6 << 40]);
    criterion.bench_function("three tiers, 2000 segments", |b| b.iter(|| choose(black_box(&three)).unwrap()));
    let capacities: Vec<u64> = (1..=40).map(|n| n * (100 << 30)).collect();
    criterion.bench_function("frontier of 40, 5000 segments", |b| {
        b.iter(|| frontier(black_box(&one), 0, &capacities).unwrap());
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = choosing
}
criterion_main!(benches);
