//! The scenarios that ship: each is read, every number of it says where it comes from, and what it sets beside published
//! numbers lies as close as it says itself.

#![allow(clippy::unwrap_used)]

use spindle_io_simulate::scenario::{Scenario, Traces};
use spindle_workload::SimulatedFound;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn read(name: &str, sweeps: &[(&str, &str)]) -> Scenario {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let sweeps: Vec<(String, String)> =
        sweeps.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Scenario::read(&text, name, &sweeps, None).unwrap_or_else(|errors| panic!("{errors}"))
}

fn found(scenario: &Scenario) -> SimulatedFound {
    let runs: Vec<_> =
        (0..scenario.points()).map(|n| Some(scenario.run(n).unwrap_or_else(|why| panic!("{why}")))).collect();
    scenario.found(&runs)
}

/// Runs a scenario; everything that is to lie within some bound does.
fn holds(name: &str, sweeps: &[(&str, &str)], compared: usize) -> SimulatedFound {
    let found = found(&read(name, sweeps));
    for row in &found.published {
        let figure = &found.figures[row.figure].name;
        assert_ne!(row.holds(), Some(false), "{name}, {figure} at {}: {row:?}", row.at);
    }
    assert_eq!(found.published.iter().filter(|row| row.holds().is_some()).count(), compared, "{name}");
    found
}

#[test]
fn every_number_of_every_scenario_says_where_it_comes_from() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        // None of it runs here.
        let found = read(&name, &[]).found(&[]);
        for parameter in &found.parameters {
            // Lengths of runs, and where a region begins, stand for nothing.
            let of_the_run = parameter.path.starts_with("end.") || parameter.path == "warm_up";
            let is_number = parameter.value.starts_with(|c: char| c.is_ascii_digit());
            let said = parameter.origin.is_some() || parameter.value.starts_with("0 %");
            let share_of_reads = parameter.path.ends_with(".reads");
            assert!(
                said || of_the_run || !is_number || share_of_reads,
                "{name}: `{}` = {} has no origin",
                parameter.path,
                parameter.value
            );
            if let Some(to) = parameter.fitted_to() {
                let known = found.published.iter().any(|row| row.fitted.contains(&parameter.path));
                assert!(known || parameter.of_catalogue, "{name}: `{}` was fitted to {to}", parameter.path);
            }
        }
        assert!(found.about.is_some() && found.experiment.is_some() && found.source.is_some(), "{name}");
    }
}

#[test]
fn write_amplification_is_that_of_the_formulas() {
    let found = holds("over-provisioning.toml", &[("over_provisioning", "7 %,15 %,50 %")], 6);
    assert_eq!(found.points.len(), 6);
}

#[test]
fn redundancy_costs_the_requests_of_the_sizing_rules() {
    let found = holds("redundancy.toml", &[], 4);
    let share = found.figures.iter().position(|f| f.name == "share").unwrap();
    let at = |name: &str| found.points.iter().find(|p| p.at[0].text == name).unwrap().values[share].unwrap();
    // Mirrors by their penalty; parity, whose second half lies where the first was, no worse than by its own.
    for (name, penalty) in [("asm_external", 1.0), ("asm_normal", 2.0), ("raid10", 2.0), ("asm_high", 3.0)] {
        assert!((at(name) * penalty - 1.0).abs() < 0.05, "{name}: {}", at(name));
    }
    assert!((1.0..1.2).contains(&(at("raid5") * 4.0)) && (1.0..1.2).contains(&(at("raid6") * 6.0)));
}

#[test]
fn reads_stay_and_writes_are_a_half_and_a_third_under_mirrors() {
    holds("slob-redundancy.toml", &[], 5);
}

#[test]
fn flash_in_a_mirror_reads_ten_times_as_much() {
    let found = holds("preferred-read.toml", &[], 2);
    assert!(found.published.iter().any(|row| !row.fitted.is_empty()));
    // One prediction: what rests on the fitted half, or is the same rate again, is none of its own.
    let predicted = found.published.iter().filter(|row| row.fitted.is_empty() && row.holds() == Some(true));
    assert_eq!(predicted.count(), 1);
}

#[test]
fn a_flash_cache_before_flash_brings_nothing() {
    let found = found(&read("flash-cache-before-flash.toml", &[]));
    // That flash alone is 6.8 times the cache before disks is not reproduced, and that stands there.
    let held: Vec<Option<bool>> = found.published.iter().map(|row| row.holds()).collect();
    assert_eq!(held, [Some(true), Some(false)]);
    assert!(found.notes.iter().any(|note| note.starts_with("Not reproduced")));
    let iops = |n: usize| found.points[n].values[0].unwrap();
    // Before disks it does.
    assert!(iops(3) > 1.5 * iops(2), "{} {}", iops(2), iops(3));
}

#[test]
fn a_shorter_stroke_reads_more() {
    let found = found(&read("short-stroke.toml", &[("end.time", "20 s")]));
    for points in found.points.chunks(6) {
        let rates: Vec<f64> = points.iter().map(|p| p.values[0].unwrap()).collect();
        assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
        assert!(rates[0] > 1.4 * rates[5], "{rates:?}");
    }
}

#[test]
fn short_stroking_is_predicted_at_the_inner_edge_and_fitted_for_one_at_each() {
    let found = holds("e1-short-stroking.toml", &[], 2);
    assert!(found.published.iter().all(|row| row.fitted.is_empty()));
    let fitted = holds("e1-short-stroking-fitted.toml", &[], 4);
    let row = fitted.published.iter().filter(|row| row.fitted.len() == 2);
    assert_eq!(row.count(), 2, "both processes, by both seeks");
}

#[test]
fn a_multiblock_read_occupies_as_many_disks_as_it_has_stripes() {
    let found = holds("e3-disks-a-read.toml", &[], 3);
    let disks = found.figures.iter().position(|f| f.name == "disks a read").unwrap();
    let all: Vec<f64> = found.points.iter().map(|p| p.values[disks].unwrap()).collect();
    assert_eq!(all, [8.0, 4.0, 2.0, 1.0, 1.0, 1.0, 4.0, 4.0, 2.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_second_user_waits_less_beside_reads_of_fewer_disks() {
    let found = found(&read("e3-blocking-reads.toml", &[("end.time", "60 s"), ("stripe", "64 KiB,512 KiB")]));
    let over = found.figures.iter().position(|f| f.name == "beside scans over alone").unwrap();
    let beside = |array: &str, stripe: &str| {
        let is = |text: &str, p: &spindle_workload::SimulatedPoint| p.at.iter().any(|at| at.text == text);
        let point = found.points.iter().find(|p| is(array, p) && is(stripe, p) && is("60 IOPS", p)).unwrap();
        point.values[over].unwrap() - 1.0
    };
    for (array, least) in [("striped", 2.5), ("mirrored", 1.5)] {
        let (shallow, deep) = (beside(array, "64 KiB"), beside(array, "512 KiB"));
        assert!(shallow > least * deep && deep > 0.0, "{array}: {shallow} {deep}");
    }
}

#[test]
fn a_parallel_scan_stays_flat_under_anticipatory() {
    let sweeps = [("scheduler", "anticipatory"), ("degree", "1,2")];
    let found = holds("e2-parallel-scan.toml", &sweeps, 2);
    let fitted: Vec<bool> = found.published.iter().take(2).map(|row| row.fitted.is_empty()).collect();
    assert_eq!(fitted, [false, false], "degrees 1 to 3 are fitted");
}

#[test]
fn a_controller_that_stripes_coarsely_reverses_the_order_of_schedulers() {
    let sweeps = [("layout", "controller"), ("stripe", "1 MiB"), ("scheduler", "noop,anticipatory")];
    let found = found(&read("e2-four-disks.toml", &sweeps));
    let seconds = |n: usize| found.points[n].values[0].unwrap();
    assert!(seconds(1) > 1.4 * seconds(0), "{} {}", seconds(0), seconds(1));
}

#[test]
fn small_reads_suffer_under_the_schedulers_that_scans_like() {
    let found =
        found(&read("e2-mixed.toml", &[("scheduler", "deadline,anticipatory"), ("end.time", "20 s")]));
    let mean = found.figures.iter().position(|f| f.name == "small read, mean").unwrap();
    let us = |n: usize| found.points[n].values[mean].unwrap();
    assert!(us(1) > 4.0 * us(0), "{} {}", us(0), us(1));
}

#[test]
fn commits_take_the_longer_the_longer_the_tail_of_one_and_the_same_mean_write() {
    let found = found(&read("log-write-tail.toml", &[("tail", "0,1,2")]));
    let figure = |name: &str| found.figures.iter().position(|f| f.name == name).unwrap();
    for (point, tail) in found.points.iter().zip([0.0, 1.0, 2.0]) {
        let value = |name: &str| point.values[figure(name)].unwrap();
        // Residual life: what is left of the write under way, and one's own.
        let by_hand = 1.0 + value("busy") / 100.0 * (1.0 + tail * tail) / 2.0;
        assert!(
            (value("commit over write") / by_hand - 1.0).abs() < 0.05,
            "{tail}: {} {by_hand}",
            value("commit over write")
        );
    }
}

#[test]
fn commits_lie_at_the_bounds_of_the_published_log_writes() {
    for name in ["e6-redo-before.toml", "e6-redo-after.toml"] {
        let found = holds(name, &[], 3);
        // The further writes spread, the longer a commit waits.
        let commits: Vec<f64> = found.points.iter().filter_map(|point| point.values[0]).collect();
        assert!(commits.len() == 5 && commits.is_sorted(), "{name}: {commits:?}");
    }
}

#[test]
#[ignore = "prints the figures of the scenario that SCENARIO names"]
#[allow(clippy::print_stdout)]
fn figures() {
    let Ok(name) = std::env::var("SCENARIO") else { return };
    let found = found(&read(&name, &[]));
    for point in &found.points {
        let at: Vec<&str> = point.at.iter().map(|value| value.text.as_str()).collect();
        let values = found.figures.iter().zip(&point.values);
        let values: Vec<String> =
            values.map(|(f, v)| format!("{} {:.1}", f.name, v.unwrap_or(f64::NAN))).collect();
        println!("{}: {}", at.join(", "), values.join("; "));
    }
}

/// Traces of the repository, by their names from its root.
fn traces() -> Traces {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Traces::new(move |name| Ok(Box::new(std::fs::File::open(root.join(name))?)))
}

#[test]
fn a_trace_comes_to_as_many_requests_on_disk_and_flash_and_takes_less_on_flash() {
    let scenario = read("trace.toml", &[]);
    let runs: Vec<_> = (0..scenario.points())
        .map(|n| Some(scenario.run_with(n, &traces(), None).unwrap_or_else(|why| panic!("{why}"))))
        .collect();
    let found = scenario.found(&runs);
    let value = |point: usize, figure: usize| found.points[point].values[figure].unwrap();
    assert!((0..4).all(|point| value(point, 2) == 60.0));
    // Disk and flash at the trace's times, and a hundred times as fast.
    assert!(value(0, 0) > 5.0 * value(2, 0) && value(1, 0) > value(0, 0), "{:?}", found.points);
}

#[test]
fn transactions_on_a_volume_of_a_cloud_get_as_many_operations_as_were_bought() {
    let found = found(&read("cloud-database.toml", &[("iops", "3000 IOPS,12000 IOPS"), ("end.time", "5 s")]));
    let at = |point: usize, figure: usize| found.points[point].values[figure].unwrap();
    // What the volume may do is asked of it, or less; with more, more transactions.
    assert!((0.9..1.001).contains(&(at(0, 4) / 3_000.0)), "{:?}", found.points);
    assert!(at(1, 0) > 1.5 * at(0, 0) && at(1, 2) < at(0, 2), "{:?}", found.points);
    // A look-up reads a leaf and four rows one after the other.
    assert!(at(1, 3) > 4.9 * 700.0, "{:?}", found.points);
}

#[test]
fn small_writes_cost_a_warehouse_on_raid_5_more_than_on_raid_10() {
    let found = found(&read("raid5-warehouse.toml", &[("end.time", "10 s")]));
    let at = |point: usize, figure: usize| found.points[point].values[figure].unwrap();
    // RAID 5 with few and many changes, RAID 10 with few and many.
    for point in 0..4 {
        assert!(at(point, 0) > 2_000.0 && at(point, 5) > 100.0, "{:?}", found.points);
    }
    // As much is written as is changed, but where the array does not get to it.
    assert!((0.7..1.1).contains(&(at(2, 4) / 20.0)), "{:?}", found.points);
    assert!(at(1, 0) > at(3, 0), "{:?}", found.points);
}
