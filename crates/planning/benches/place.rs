//! A plan over a day of reports with 5,000 segments each: the whole of it, from facts to plan.

#![allow(
    missing_docs,
    dead_code,
    reason = "the macro of criterion makes a public function; tests use the rest"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use spindle_facts::Report;
use spindle_planning::{PlaceOptions, Planner, Reduced, Tier};
use std::hint::black_box;

#[path = "../tests/made/mod.rs"]
mod made;

use made::{Hour, Segment, report, sizes, tier};

/// Hours of `segments` segments, whose reads fall off as a power law.
fn hours(count: usize, segments: usize) -> Vec<Hour> {
    let segment = |hour: usize, n: usize| {
        let shuffled = (n * 7_919 + hour * 31) % segments;
        Segment {
            name: format!("OBJECT_{n}"),
            is_index: n.is_multiple_of(3),
            tablespace: n % 3,
            reads: (5e6 / (1.0 + shuffled as f64)).floor() + 1.0,
            request_share: (!n.is_multiple_of(4)).then_some(0.05 + 0.9 * (n % 17) as f64 / 17.0),
            direct_share: n.is_multiple_of(5).then_some(0.5),
            bytes: f64::from(1 << (n % 14)) * 4e6 * (1.0 + (n % 97) as f64 / 97.0),
        }
    };
    (0..count)
        .map(|number| Hour {
            number,
            instance: 1,
            cpu_s: 9_000.0,
            single: (8e6, 48_000.0),
            multi: (4e5, 4_000.0),
            direct: (3e5, 3_000.0),
            temp: (1e5, 900.0),
            segments: (0..segments).map(|n| segment(number, n)).collect(),
        })
        .collect()
}

fn place(criterion: &mut Criterion) {
    let hours = hours(24, 5_000);
    let reports: Vec<Report> = hours.iter().map(report).collect();
    let collected = [sizes(&hours)];
    let options = PlaceOptions { sizes: vec![("temp".into(), 8e9)], ..PlaceOptions::default() };
    let mut group = criterion.benchmark_group("place");
    group.sample_size(10);
    group.bench_function("5,000 segments x 24 reports", |bencher| {
        bencher.iter(|| {
            let mut planner = Planner::default();
            for report in black_box(&reports) {
                planner.add(Reduced::of(report));
            }
            planner.plan(&[tier(2e12, 200.0)], &collected, &options).map(|p| p.saves_s.mid).ok()
        });
    });
    // The cheapest way and the dearest: caps that bind on one tier, and on two.
    let capped = |name: &str, bytes: f64, iops: f64| Tier {
        name: name.into(),
        iops_cap: Some(iops),
        mbps: Some(400.0),
        ..tier(bytes, 200.0)
    };
    for (name, tiers) in [
        ("caps bind on one tier", vec![capped("a", 2e12, 1_500.0)]),
        ("caps bind on two tiers", vec![capped("a", 2e12, 800.0), capped("b", 2e12, 500.0)]),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut planner = Planner::default();
                for report in black_box(&reports) {
                    planner.add(Reduced::of(report));
                }
                planner.plan(&tiers, &collected, &options).map(|p| p.saves_s.mid).ok()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, place);
criterion_main!(benches);
