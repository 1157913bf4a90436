//! A curve by requests under way, turned into one of arrivals, against the same device with arrivals at random.

#![allow(clippy::unwrap_used)]

use spindle_io_simulate::scenario::Scenario;
use spindle_workload::{CurveLatency, CurvePoint, DeviceCurve, StreamResult};

fn stream(device: &str, load: &str, seconds: u32) -> StreamResult {
    let text = format!(
        "name = \"a device\"\nwarm_up = \"5 s\"\n[end]\ntime = \"{seconds} s\"\n[device.d]\n{device}\n[load.l]\non = \"d\"\nreads = \"100 %\"\n\
         pattern = \"random\"\nblock = \"8 KiB\"\n{load}\n"
    );
    let scenario = Scenario::read(&text, "s.toml", &[], None).unwrap_or_else(|errors| panic!("{errors}"));
    scenario.run(0).unwrap().result.streams.remove(0)
}

/// The curve over so many under way.
fn closed(device: &str, depths: &[u32], seconds: u32) -> DeviceCurve {
    let point = |depth: &u32| {
        let stream = stream(device, &format!("depth = {depth}"), seconds);
        let mean = stream.latency_us.mean.unwrap();
        let deviation = stream.deviation_us();
        CurvePoint {
            concurrency: Some(f64::from(*depth)),
            offered_iops: None,
            iops: stream.iops.unwrap(),
            latency_us: CurveLatency { mean, p50: None, p99: None, low: None, high: None, deviation },
        }
    };
    DeviceCurve {
        kind: "curve".to_owned(),
        operation: "read".to_owned(),
        block_bytes: Some(8_192.0),
        points: depths.iter().map(point).collect(),
        source: None,
        seed: None,
        ends_below_knee: false,
    }
}

/// Rates with what was computed and what comes of arrivals, ms.
fn compared(device: &str, depths: &[u32], rates: &[f64], seconds: u32) -> Vec<(f64, f64, f64)> {
    let arrivals = closed(device, depths, seconds).for_arrivals().unwrap();
    let one = |rate: &f64| {
        let computed = arrivals.curve.latency_us(*rate).unwrap() / 1e3;
        let seen =
            stream(device, &format!("rate = \"{rate} IOPS\""), 4 * seconds).latency_us.mean.unwrap() / 1e3;
        (*rate, computed, seen)
    };
    rates.iter().map(one).collect()
}

fn holds(found: &[(f64, f64, f64)], within: f64) {
    for (rate, computed, seen) in found {
        assert!((computed / seen - 1.0).abs() < within, "{rate}: {found:?}");
    }
}

#[test]
fn a_disk_that_serves_as_they_come_is_one_server() {
    let disk = "model = \"sas_600g_15k\"\norder = \"fcfs\"";
    holds(&compared(disk, &[1, 2, 8], &[60.0, 120.0, 150.0], 120), 0.04);
}

#[test]
fn a_disk_that_takes_the_nearest_first_gets_quicker_with_those_that_wait() {
    let disk = "model = \"sas_600g_15k\"";
    let found = compared(disk, &[1, 2, 4, 8, 16, 32], &[60.0, 100.0, 143.0, 183.0, 230.0], 120);
    holds(&found, 0.1);
    // The line between its points said 8 ms at 183 a second.
    assert!(found[3].1 > 11.5, "{found:?}");
}

#[test]
fn parallel_units_are_as_many_servers() {
    let nvme = "kind = \"nvme\"\ncapacity = \"100 GiB\"\nunits = 16\nread = \"0.1 ms\"\nread_rate = \"400 MB/s\"\nwrite = \"0.1 ms\"\n\
                write_rate = \"400 MB/s\"\npiece = \"128 KiB\"\nspread = 0.5";
    let highest = 16.0 / (100e-6 + 8_192.0 / 400e6);
    let rates = [0.3, 0.6, 0.9].map(|share| share * highest);
    holds(&compared(nvme, &[1, 2, 4, 8, 16, 32], &rates, 2), 0.1);
}
