//! Requests that arrive whatever the storage does: the rate that is served is found, and its curve is taken.
#![cfg(target_os = "linux")]

use crate::emulate::{Serving, kill};
use crate::world::World;
use std::fs;

#[test]
fn the_rate_that_is_served_is_found_and_size_and_place_take_the_curve() {
    let world = World::new("measure-rates");
    let device = ["emulate", "--latency", "8ms", "--cap", "150", "--size", "64M", "--at", "disk", "--json"];
    let Some(disk) = Serving::of(&mut world.command(&device)) else { return };
    let ramp = [
        "measure",
        "ramp",
        "disk",
        "--arrivals",
        "poisson",
        "--time",
        "2s",
        "--warm-up",
        "200ms",
        "--curve",
        "curve.json",
        "--html",
        "page.html",
        "--json",
    ];
    let ran = world.run(&ramp);
    let found = ran.exits(0).json();
    // From above nearly exactly, from below generously: the machine may be busy.
    let knee = found["rates"]["knee_per_s"]["value"].as_f64();
    assert!(knee.is_some_and(|rate| (75.0..=153.0).contains(&rate)), "{found}");
    let steps = found["rates"]["steps"].as_array().unwrap();
    assert!(steps.len() >= 3 && steps.iter().any(|s| s["kept"] == false), "{found}");
    assert!(steps.iter().all(|s| s["latency_us"]["mean"]["value"].as_f64() >= Some(7_990.0)), "{found}");
    let rates = || found["points"].as_array().unwrap().iter().filter(|p| p["parameters"]["phase"].is_null());
    assert!(rates().all(|p| p["result"]["streams"][0]["latency_from"] == "intended"), "{found}");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    for part in
        ["arrive at random times (Poisson)", "piled up", "unserved = ", "arrivals = &quot;poisson&quot;"]
    {
        assert!(page.contains(part), "{part}");
    }
    let size = ["size", "--workload", "read=20,write=2", "--curve", "curve.json", "--json"];
    let sized = world.run(&size).exits(0).json();
    assert!(
        sized["disk"]["origin"].as_str().is_some_and(|o| o.contains("arrivals at random times")),
        "{sized}"
    );
    world.put("report.txt", crate::world::report());
    let place = ["place", "report.txt", "--tier", "fast=1T,0.3ms", "--curve", "curve.json", "--json"];
    assert_ne!(world.run(&place).exit, 2);
    let both = ["measure", "ramp", "disk", "--arrivals", "fixed", "--most", "8"];
    world.run(&both).exits(2).says("cannot be used with");
    kill("-TERM", &disk.process());
    disk.end();
}
