//! The device of one latency and caps against arithmetic and against its own promises.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use spindle_io_simulate::{
    Completion, Device, LatencyCap, LatencyCapSpec, Operation, Picoseconds, Request, Run, closed_loop,
};

fn device(latency_us: f64, iops: Option<f64>, bytes_per_s: Option<f64>) -> LatencyCap {
    let latency = Picoseconds::from_us(latency_us);
    LatencyCap::new(&LatencyCapSpec { latency, iops, bytes_per_s }).unwrap()
}

fn request(bytes: u32) -> Request {
    Request { operation: Operation::Read, offset: 0, bytes }
}

fn run(mut device: LatencyCap, depth: usize, bytes: u32, count: usize) -> Run {
    closed_loop(&mut device, depth, std::iter::repeat_n(request(bytes), count)).unwrap()
}

#[track_caller]
fn is_close(measured: Option<f64>, computed: f64) {
    let measured = measured.unwrap();
    assert!((measured / computed - 1.0).abs() < 1e-9, "{measured} instead of {computed}");
}

#[test]
fn alone_a_request_takes_the_latency_and_from_depth_two_on_the_cap_paces() {
    for (depth, iops, latency_us) in
        [(1, 125.0, 8_000.0), (2, 150.0, 2e6 / 150.0), (8, 150.0, 8e6 / 150.0), (64, 150.0, 64e6 / 150.0)]
    {
        let run = run(device(8_000.0, Some(150.0), None), depth, 4_096, 1_000);
        is_close(run.iops(), iops);
        is_close(run.served.last().map(|s| s.latency().as_us()), latency_us);
    }
}

#[test]
fn without_a_cap_the_rate_grows_with_depth() {
    for depth in [1, 7, 256] {
        // Requests of one depth are done together, so whole rounds are counted.
        let run = run(device(500.0, None, None), depth, 8_192, depth * 100);
        let last = run.served.last().unwrap().done;
        assert_eq!(last, Picoseconds::from_us(50_000.0));
        assert!(run.served.iter().all(|s| s.latency() == Picoseconds::from_us(500.0)));
    }
}

#[test]
fn bytes_are_paced_for_themselves_and_the_tighter_cap_decides() {
    // 1 MiB at 100 MB/s is 10.5 ms, more than the latency: the cap is reached at depth 1 already.
    let large = run(device(8_000.0, Some(150.0), Some(100e6)), 1, 1 << 20, 1_000);
    is_close(large.bytes_per_s(), 100e6);
    let small = run(device(8_000.0, Some(150.0), Some(100e6)), 4, 8_192, 1_000);
    is_close(small.iops(), 150.0);
    // 2^20 bytes each of 150 a second would be 157 MB/s.
    let both = run(device(8_000.0, Some(150.0), Some(100e6)), 16, 1 << 20, 1_000);
    is_close(both.bytes_per_s(), 100e6);
}

#[test]
fn idle_time_earns_no_burst() {
    let mut device = device(1_000.0, Some(100.0), None);
    let start = Picoseconds(3_600 * Picoseconds::SECOND.0);
    for tag in 0..3 {
        device.submit(start, tag, request(512));
    }
    let mut completed = Vec::new();
    device.advance(Picoseconds::MAX, &mut completed);
    let after: Vec<f64> = completed.iter().map(|c| (c.at - start).as_us()).collect();
    assert_eq!(after, [1_000.0, 11_000.0, 21_000.0]);
}

#[test]
fn a_device_of_no_sense_is_refused() {
    let spec = LatencyCapSpec { latency: Picoseconds::ZERO, iops: None, bytes_per_s: None };
    assert!(LatencyCap::new(&spec).is_ok());
    for iops in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e13] {
        let refused = LatencyCap::new(&LatencyCapSpec { iops: Some(iops), ..spec }).unwrap_err();
        assert!(refused.to_string().contains("requests a second"), "{refused}");
        assert!(LatencyCap::new(&LatencyCapSpec { bytes_per_s: Some(iops), ..spec }).is_err());
    }
    let slow = LatencyCapSpec { latency: Picoseconds::from_us(3.7e9), ..spec };
    assert!(LatencyCap::new(&slow).is_err());
}

/// Requests by the time that passes between them.
fn arrivals() -> impl Strategy<Value = Vec<(u64, u32)>> {
    let gap = prop_oneof![Just(0), 0..20_000_000_000_u64, 0..1_000_u64];
    let bytes = prop_oneof![Just(512_u32), Just(8_192), 1..4_000_000_u32];
    prop::collection::vec((gap, bytes), 1..60)
}

/// The log of a device that is driven from event to event, and at these times as well.
fn log(mut device: LatencyCap, arrivals: &[(u64, u32)], also_at: &[u64]) -> Vec<Completion> {
    let mut looks = also_at.iter().map(|t| Picoseconds(*t)).collect::<Vec<_>>();
    looks.sort_unstable();
    let mut completed = Vec::new();
    let mut now = Picoseconds::ZERO;
    for (tag, (gap, bytes)) in (0..).zip(arrivals) {
        let next = now + Picoseconds(*gap);
        for look in looks.iter().filter(|t| (now..next).contains(t)) {
            device.advance(*look, &mut completed);
        }
        now = next;
        device.submit(now, tag, request(*bytes));
    }
    while let Some(next) = device.next_event() {
        device.advance(next, &mut completed);
    }
    completed
}

proptest! {
    #[test]
    fn promises_hold_for_any_arrivals(
        arrivals in arrivals(),
        latency_us in prop_oneof![Just(0.0), 0.0..20_000.0],
        iops in prop::option::of(50.0..1e6),
        bytes_per_s in prop::option::of(1e6..1e10),
        also_at in prop::collection::vec(0..300_000_000_000_u64, 0..20),
    ) {
        let device = || device(latency_us, iops, bytes_per_s);
        let log_alone = log(device(), &arrivals, &[]);
        // Every request once, in the order of submission: equal times keep it.
        let tags: Vec<u64> = log_alone.iter().map(|c| c.tag).collect();
        prop_assert_eq!(tags, (0..arrivals.len() as u64).collect::<Vec<_>>());
        // How often one looks changes nothing.
        prop_assert_eq!(&log_alone, &log(device(), &arrivals, &also_at));
        let mut submitted = 0;
        for ((gap, _), done) in arrivals.iter().zip(&log_alone) {
            submitted += gap;
            prop_assert!(done.at.0 >= submitted + Picoseconds::from_us(latency_us).0);
        }
        // From any request done to any later one: what lies between keeps to both caps.
        for (i, first) in log_alone.iter().enumerate() {
            let mut bytes = 0_u64;
            for (n, last) in log_alone[i..].iter().enumerate() {
                let seconds = (last.at - first.at).as_s() * (1.0 + 1e-12);
                prop_assert!(iops.is_none_or(|cap| n as f64 <= cap * seconds));
                prop_assert!(bytes_per_s.is_none_or(|cap| bytes as f64 <= cap * seconds));
                bytes += u64::from(arrivals[i + n].1);
            }
        }
    }

    #[test]
    fn a_loop_is_the_latency_or_the_pace_whichever_is_longer(
        latency_us in 1.0..50_000.0,
        iops in 10.0..1e6,
        depth in 1..64_usize,
    ) {
        let run = run(device(latency_us, Some(iops), None), depth, 8_192, depth * 20);
        let last = run.served.last().unwrap().latency().as_us();
        let computed = latency_us.max(depth as f64 * 1e6 / iops);
        // A picosecond of rounding each.
        prop_assert!((last - computed).abs() < 1e-6 * (depth + 2) as f64, "{last} instead of {computed}");
    }
}
