//! Several devices as one volume, as Orion simulates them: the addresses say which device a request goes to.
//!
//! Rates are held from above nearly exactly, from below generously: the machine may be busy.
#![cfg(target_os = "linux")]

use crate::emulate::{Serving, kill};
use crate::world::World;
use serde_json::Value;

fn disk(world: &World, at: &str, limits: &[&str]) -> Option<Serving> {
    let arguments = [&["emulate", "--size", "64M", "--at", at, "--json"], limits].concat();
    Serving::of(&mut world.command(&arguments))
}

fn end(disks: Vec<Serving>) {
    for disk in disks {
        kill("-TERM", &disk.process());
        disk.end();
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A matrix of one point over both disks.
fn point(world: &World, more: &[&str]) -> Value {
    let run = ["measure", "matrix", "one", "two", "--kind", "point", "--time", "2s", "--warm-up", "200ms"];
    world.run(&[&run[..], more, &["--json"]].concat()).exits(0).json()
}

#[test]
fn two_devices_in_raid0_do_twice_and_in_a_row_what_the_addresses_say() {
    let world = World::new("volume-raid0");
    let limits = ["--latency", "8ms", "--cap", "150"];
    let Some(one) = disk(&world, "one", &limits) else { return };
    let Some(two) = disk(&world, "two", &limits) else { return end(vec![one]) };
    let small = ["--small", "12", "--large", "0"];
    let large = ["--small", "0", "--large", "12", "--serial", "--size-large", "64K"];
    let raid = ["--simulate", "raid0"];
    // Small reads anywhere: both are busy, 300 a second together, in a row as well.
    for simulate in [&raid[..], &["--simulate", "concat"]] {
        let found = point(&world, &[&small[..], simulate].concat());
        let iops = number(&found["matrix"]["max_small_iops"][0]);
        assert!((180.0..=305.0).contains(&iops), "{simulate:?}: {found}");
        assert_eq!(found["points"][0]["result"]["streams"].as_array().map(Vec::len), Some(1));
        assert_eq!(found["points"][0]["result"]["environment"]["devices"].as_array().map(Vec::len), Some(2));
    }
    // Reads that follow each other: with stripes of their size by turns on both.
    let iops = |found: &Value| number(&found["points"][0]["result"]["streams"][0]["iops"]);
    let striped = point(&world, &[&large[..], &raid, &["--stripe", "64K"]].concat());
    assert_eq!(striped["matrix"]["volume"], serde_json::json!({"kind": "raid0", "stripe_bytes": 65_536}));
    // More than one of them can do.
    assert!(iops(&striped) > 155.0, "{striped}");
    // In a row they stay on the first for its 1,024 places, which two seconds at 150 a second do not reach the
    // end of.
    let in_a_row = point(&world, &[&large[..], &["--simulate", "concat"]].concat());
    assert!(iops(&in_a_row) <= 152.0, "{in_a_row}");
    assert!(in_a_row["verdict"].as_str().is_some_and(|v| v.contains("one after the other")), "{in_a_row}");
    end(vec![one, two]);
}

#[test]
fn a_request_over_two_stripes_is_done_when_the_slower_device_is() {
    let world = World::new("volume-split");
    let Some(fast) = disk(&world, "one", &["--latency", "2ms"]) else { return };
    let Some(slow) = disk(&world, "two", &["--latency", "40ms"]) else { return end(vec![fast]) };
    for engine in ["sync", "auto"] {
        let large = ["--small", "0", "--large", "1", "--size-large", "128K", "--engine", engine];
        let found = point(&world, &[&large[..], &["--simulate", "raid0", "--stripe", "64K"]].concat());
        let stream = &found["points"][0]["result"]["streams"][0];
        // Each has a piece on both. None is done before the slower one; histograms are kept to a thousandth.
        assert!(number(&stream["latency_us"]["p50"]) >= 39_900.0, "{stream}");
        assert_eq!(number(&stream["bytes"]) / number(&stream["ios"]), 131_072.0);
    }
    end(vec![fast, slow]);
}

#[test]
fn what_makes_no_volume_is_refused() {
    let world = World::new("volume-refused");
    world.put("one", vec![7; 2 << 20]);
    world.put("two", vec![7; 512 << 10]);
    let run = |more: &[&str]| world.run(&[&["measure", "matrix", "--buffered"], more].concat());
    run(&["one", "--simulate", "raid0"]).exits(2).says("of several files, and one is named");
    run(&["one", "one", "--simulate", "raid0"]).exits(2).says("named twice");
    run(&["one", "two", "--simulate", "concat", "--stripe", "1M"]).exits(2).says("--simulate raid0");
    run(&["one", "two", "--stripe", "1M"]).exits(2).says("--simulate");
    run(&["one", "two", "--simulate", "raid0", "--stripe", "5K"]).exits(2).says("whole pages of 4 KiB");
    run(&["one", "two", "--simulate", "raid0"]).exits(2).says("smaller than 1048576 bytes");
    let advanced = ["one", "--run", "advanced", "--kind", "point", "--small", "1", "--large", "1"];
    let screen = run(&[&advanced[..], &["--time", "300ms", "--warm-up", "10ms"]].concat());
    assert!(screen.exits(0).out.contains("Small=1 and Large=1"), "{screen:?}");
}
