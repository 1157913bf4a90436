//! Do intervals hold the truth as often as they say? Seeded runs in virtual time, on queues whose truth is
//! known by arithmetic; latencies of neighbouring requests are alike, as on real devices.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_workload::{Recorded, Recorder, Seeded};

/// How often rate, median and 99th percentile had an interval, and how often it held the truth.
#[derive(Debug, Default)]
struct Held {
    given: [u32; 3],
    held: [u32; 3],
    /// Widths, as shares of the truth, on average.
    widths: [f64; 3],
}

fn held(runs: u32, truth: [f64; 3], run: impl Fn(u64) -> Recorded) -> Held {
    let mut held = Held::default();
    for seed in 0..runs {
        let found = run(u64::from(seed) + 1_000);
        let intervals =
            [found.iops_interval(), found.percentile_interval_ns(50.0), found.percentile_interval_ns(99.0)];
        for (n, truth) in truth.into_iter().enumerate() {
            // The tail of a run in which few congestions came has none, and that is said.
            let Some((low, high)) = intervals[n] else { continue };
            held.given[n] += 1;
            held.held[n] += u32::from((low..=high).contains(&truth));
            held.widths[n] += (high - low) / truth / f64::from(runs);
        }
    }
    held
}

/// One server, Poisson arrivals, exponential service: time in the system is exponential.
fn open_queue(seed: u64, arrivals_per_s: f64, service_ns: f64, seconds: f64) -> Recorded {
    let mut random = Seeded::new(seed, 0);
    let mut recorder = Recorder::new();
    let (mut arrival, mut free) = (0.0_f64, 0.0_f64);
    // In balance from the start, as after a warm-up: the queue found is that of a long run.
    let warm = 2e9;
    loop {
        arrival += random.exponential(1e9 / arrivals_per_s);
        free = arrival.max(free) + random.exponential(service_ns);
        if free - warm >= seconds * 1e9 {
            return recorder.finish((seconds * 1e9) as u64);
        }
        if free >= warm {
            recorder.record((free - warm) as u64, (free - arrival) as u64, 8_192);
        }
    }
}

/// A closed loop before one server: each request waits for those before it.
fn closed_queue(seed: u64, depth: usize, service_ns: f64, seconds: f64) -> Recorded {
    let mut random = Seeded::new(seed, 1);
    let mut recorder = Recorder::new();
    let mut done = vec![0.0_f64; depth];
    let (mut at, mut next) = (0.0, 0);
    loop {
        at += random.exponential(service_ns);
        if at >= seconds * 1e9 {
            return recorder.finish((seconds * 1e9) as u64);
        }
        recorder.record(at as u64, (at - done[next]) as u64, 8_192);
        done[next] = at;
        next = (next + 1) % depth;
    }
}

fn assert_held(held: &Held, runs: u32) {
    for (given, count) in held.given.into_iter().zip(held.held) {
        assert!(given * 10 >= runs * 8, "{held:?} of {runs}");
        // 95 of 100, less three standard deviations of such a count.
        let expected = 0.95 * f64::from(given);
        let least = expected - 3.0 * (expected * 0.05).sqrt();
        assert!(f64::from(count) >= least, "{held:?} of {runs}");
    }
}

const RUNS: u32 = 100;

#[test]
fn an_open_queue_at_half_of_its_capacity() {
    // Time in the system: mean 1 / (1000 - 500) s.
    let mean = 2e6;
    let truth = [500.0, mean * 2_f64.ln(), mean * 100_f64.ln()];
    let held = held(RUNS, truth, |seed| open_queue(seed, 500.0, 1e6, 30.0));
    assert_held(&held, RUNS);
}

#[test]
fn an_open_queue_near_its_capacity() {
    let mean = 1e9 / 300.0;
    let truth = [700.0, mean * 2_f64.ln(), mean * 100_f64.ln()];
    let held = held(RUNS, truth, |seed| open_queue(seed, 700.0, 1e6, 60.0));
    assert_held(&held, RUNS);
}

#[test]
fn a_closed_loop_of_eight() {
    // Latency: the sum of eight services, gamma of shape 8; its quantiles in services, from tables of the
    // chi-squared distribution with 16 degrees of freedom, halved.
    let truth = [1_000.0, 15.338_5 / 2.0 * 1e6, 31.999_9 / 2.0 * 1e6];
    let held = held(RUNS, truth, |seed| closed_queue(seed, 8, 1e6, 30.0));
    assert_held(&held, RUNS);
}
