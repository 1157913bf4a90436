//! Measuring: what was set on an emulated disk is found, what must not be written to is not, and a run that
//! is ended, or whose device hangs, says what it measured.
//!
//! Rates are held from above nearly exactly, from below generously: the machine may be busy.
#![cfg(target_os = "linux")]

use crate::emulate::{Serving, comes_true, kill};
use crate::world::{Ran, World};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// 8 ms and 150 requests a second: 125 a second one at a time, 150 from two on.
fn slow_disk(world: &World) -> Option<Serving> {
    let arguments =
        ["emulate", "--latency", "8ms", "--cap", "150", "--size", "64M", "--at", "disk", "--json"];
    Serving::of(&mut world.command(&arguments))
}

fn end(disk: Serving) {
    kill("-TERM", &disk.process());
    disk.end();
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_reader_finds_the_latency_that_was_set() {
    let world = World::new("measure-read");
    let Some(disk) = slow_disk(&world) else { return };
    let ran = world.run(&["measure", "read", "disk", "--random", "--count", "100", "--seed", "7", "--json"]);
    let one = ran.exits(0).json();
    let stream = &one["streams"][0];
    assert_eq!((&stream["ios"], &stream["bytes"]), (&100.into(), &819_200.into()));
    assert!((8_000.0..60_000.0).contains(&number(&stream["latency_us"]["mean"])), "{stream}");
    assert_eq!(one["environment"]["devices"][0]["direct"], true);
    assert_eq!(one["command"], "spindle measure read disk --random --count 100 --seed 7 --json");
    // Two readers share the 150 a second.
    let two = ["measure", "read", "disk", "disk", "--random", "--boundary", "1000", "--count", "75"];
    let ran = world.run(&two);
    let all = ran.exits(0).out.lines().find(|l| l.starts_with("  all ")).unwrap_or_default();
    let cells: Vec<f64> = all.split_whitespace().skip(1).filter_map(|c| c.parse().ok()).collect();
    assert!(matches!(cells[..], [150.0, _, ms] if (12.0..100.0).contains(&ms)), "{ran:?}");
    let beyond = world.run(&["measure", "read", "disk", "--random", "--boundary", "8193", "--count", "1"]);
    beyond.exits(2).says("the region ends at byte 67117056, and the device has 67108864");
    let odd = world.run(&["measure", "read", "disk", "--random", "--size", "1000", "--count", "1"]);
    odd.exits(2).says("no multiple of the 512 bytes that direct I/O takes");
    end(disk);
}

#[test]
fn an_engine_that_makes_no_request_tells_our_own_cost_and_no_curve() {
    let world = World::new("measure-null");
    world.put("data", vec![0; 1 << 20]);
    let read = ["measure", "read", "data", "--random", "--count", "1000", "--buffered", "--engine", "null"];
    world.run(&read).exits(0).says("no request was made: the figures are this program's own cost");
    let ramp = ["measure", "ramp", "data", "--buffered", "--engine", "null", "--curve", "curve.json"];
    world.run(&ramp).exits(2).says("--engine null makes no request");
    assert!(!world.path("curve.json").exists());
}

/// Writes of eight requests, wherever they may go.
const EIGHT_WRITES: &str = "[end]\ncount = 8\n[[stream]]\nname = \"w\"\nreads = \"0 %\"\npattern = \"random\"\n\
                      block = \"4 KiB\"\ndepth = 1\n";

#[test]
fn a_file_that_another_users_process_had_open_was_written_to_by_its_owner() {
    let world = World::new("measure-lease");
    world.put("w.toml", EIGHT_WRITES);
    let path = world.path("own.img");
    fs::write(&path, vec![0; 1 << 20]).unwrap();
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let done = std::process::Command::new("chown").arg("65534:65534").arg(&path).status();
    if !done.is_ok_and(|s| s.success()) {
        return spindle_test_support::skipped("no file can be given to another user here (root is needed)");
    }
    // This process has it open, as root.
    let held = fs::File::options().read(true).write(true).open(&path).unwrap();
    let spindle = world.command(&[]);
    let run = |wrapper: &[&str]| {
        let mut command = std::process::Command::new(wrapper[0]);
        command.args(&wrapper[1..]).arg(spindle.get_program());
        command.args(["measure", "run", "w.toml", "--on", "own.img", "--overwrite", "own.img", "--buffered"]);
        command.current_dir(path.parent().unwrap()).output().unwrap()
    };
    let as_nobody = [&["setpriv"][..], &nobody].concat();
    for wrapper in [as_nobody.as_slice(), &["unshare", "-pf", "--mount-proc"]] {
        let ran = run(wrapper);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        if said.contains("ermission denied") || said.contains("unshare") {
            spindle_test_support::skipped(&said);
            continue;
        }
        assert_eq!(ran.status.code(), Some(2), "{wrapper:?}: {said}");
        assert!(said.contains("has it open"), "{wrapper:?}: {said}");
        assert!(fs::read(&path).unwrap().iter().all(|b| *b == 0), "{wrapper:?} wrote");
    }
    drop(held);
    let ran = run(&["unshare", "-pf", "--mount-proc"]);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.code() == Some(0) || said.contains("unshare"), "{said}");
}

#[test]
fn a_limit_on_the_size_of_files_left_an_empty_file_behind() {
    let world = World::new("measure-ulimit");
    world.put("w.toml", EIGHT_WRITES);
    let spindle = world.command(&[]);
    let ran = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1024; exec \"$0\" measure run w.toml --on new.dat --create 20M --buffered"])
        .arg(spindle.get_program())
        .current_dir(world.path("w.toml").parent().unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.code() == Some(2) && said.contains("too large"), "{said}");
    assert!(!world.path("new.dat").exists(), "{said}");
}

#[test]
fn a_mix_had_one_latency_and_a_trace_no_percentiles_on_the_screen() {
    let world = World::new("measure-mix");
    world.put("mix.toml", EIGHT_WRITES.replace("0 %", "50 %").replace("count = 8", "count = 400"));
    let arguments = ["measure", "run", "mix.toml", "--on", "new.dat", "--create", "4M", "--buffered"];
    let ran = world.run(&[&arguments[..], &["--json"]].concat());
    let found = ran.exits(0).json();
    let whole = &found["streams"][0];
    assert_eq!((&whole["operation"], &whole["ios"]), (&"mix".into(), &400.into()));
    let parts = whole["parts"].as_array().unwrap();
    let of = |key: &str| parts.iter().map(|p| number(&p[key])).sum::<f64>();
    assert_eq!((of("ios"), of("bytes")), (400.0, 400.0 * 4096.0));
    assert_eq!((&parts[0]["operation"], &parts[1]["operation"]), (&"read".into(), &"write".into()));
    assert!(parts.iter().all(|p| number(&p["latency_us"]["p50"]) > 0.0), "{parts:?}");
    let screen = world.run(&arguments);
    assert!(screen.exits(0).out.contains("w, reads ") && screen.out.contains("w, writes "), "{screen:?}");
    // Compared with its copy, each of the three is a pair.
    world.put("a.json", found.to_string());
    world.put("b.json", found.to_string());
    let pairs = world.run(&["compare", "a.json", "b.json", "--json"]);
    assert_eq!(pairs.exits(0).json()["runs"].as_array().map(Vec::len), Some(3), "{pairs:?}");
    let requests: String = (0..200).map(|n| format!("0,{},4096,r,0.0\n", n % 8 * 8)).collect();
    world.put("trace.csv", &requests);
    let replayed = ["measure", "run", "--trace", "trace.csv", "--on", "disk.dat", "--buffered"];
    fs::write(world.path("disk.dat"), vec![0; 1 << 20]).unwrap();
    let screen = world.run(&replayed);
    assert!(screen.exits(0).out.contains("p99 ms"), "{screen:?}");
}

#[test]
fn an_hour_was_measured_before_two_outputs_of_one_name_were_refused() {
    let world = World::new("measure-outputs");
    fs::write(world.path("disk.dat"), vec![0; 1 << 20]).unwrap();
    let ran = world.run(&["measure", "ramp", "disk.dat", "--time", "100s", "--curve", "x", "--html", "x"]);
    ran.exits(2).says("name one file");
}

#[test]
fn the_knee_is_found_and_place_and_size_take_the_curve() {
    let world = World::new("measure-ramp");
    let Some(disk) = slow_disk(&world) else { return };
    let ran = world.run(&[
        "measure",
        "ramp",
        "disk",
        "--time",
        "1500ms",
        "--warm-up",
        "200ms",
        "--curve",
        "curve.json",
        "--html",
        "page.html",
        "--json",
    ]);
    let found = ran.exits(0).json();
    let knee = &found["knee"];
    assert!((1.0..=4.0).contains(&number(&knee["concurrency"])), "{knee}");
    assert!((80.0..=152.0).contains(&number(&knee["highest_iops"])), "{knee}");
    assert!(found["points"].as_array().is_some_and(|p| p.len() >= 3), "{found}");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    assert!(page.contains("<title>measure ramp: disk - Spindle</title>") && page.len() < 400_000);
    for part in ["How long do requests take?", "Did the rate stay the same?", "[[stream]]", "depth = 2"] {
        assert!(page.contains(part), "{part}");
    }
    let sized = world
        .run(&["size", "--workload", "read=50,write=10", "--curve", "curve.json", "--json"])
        .exits(0)
        .json();
    assert!(sized["disk"]["origin"].as_str().is_some_and(|o| o.contains("measure ramp on disk")), "{sized}");
    assert!((80.0..=152.0).contains(&number(&sized["disk"]["iops"])), "{sized}");
    world.put("report.txt", crate::world::report());
    let place = ["place", "report.txt", "--tier", "fast=1T,0.3ms", "--curve", "curve.json", "--json"];
    assert_ne!(world.run(&place).exit, 2);
    // An earlier curve is replaced, and nothing else is.
    world.put("mine.json", "{}");
    let other = world.run(&["measure", "ramp", "disk", "--curve", "mine.json"]);
    other.exits(2).says("exists and is not a device curve");
    end(disk);
}

#[test]
fn calibration_finds_the_cap_and_what_follows() {
    let world = World::new("measure-calibrate");
    let Some(disk) = slow_disk(&world) else { return };
    let ran = world.run(&[
        "measure",
        "calibrate",
        "disk",
        "--max-latency",
        "60ms",
        "--time",
        "1s",
        "--warm-up",
        "100ms",
        "--json",
    ]);
    let document = ran.exits(0).json();
    let found = &document["calibration"];
    assert!((80.0..=155.0).contains(&number(&found["max_iops"])), "{found}");
    assert!((8_000.0..=60_000.0).contains(&number(&found["actual_latency_us"])), "{found}");
    assert_eq!(found["oracle"][0]["name"], "SREADTIM");
    assert!((8.0..60.0).contains(&number(&found["oracle"][0]["value"])), "{found}");
    assert_eq!(found["oracle"][2]["line"], "exec dbms_stats.set_system_stats('MBRC', 128)");
    let phases: Vec<&str> = document["points"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|p| p["parameters"]["phase"].as_str())
        .collect();
    assert!(phases.is_sorted_by(|a, b| a == b || (*a, *b) == ("small reads", "large reads")), "{phases:?}");
    end(disk);
}

#[test]
fn a_matrix_ends_in_the_lines_of_orion() {
    let world = World::new("measure-matrix");
    let Some(disk) = slow_disk(&world) else { return };
    let ran = world.run(&[
        "measure",
        "matrix",
        "disk",
        "--small",
        "2",
        "--large",
        "1",
        "--kind",
        "detailed",
        "--time",
        "700ms",
        "--warm-up",
        "100ms",
    ]);
    ran.exits(0);
    let line = |begin: &str| ran.out.lines().map(str::trim).find(|l| l.starts_with(begin)).map(str::to_owned);
    let iops = line("Maximum Small IOPS=").unwrap_or_else(|| panic!("{ran:?}"));
    assert!(iops.contains(" @ Small=") && iops.contains(" and Large=0"), "{iops}");
    assert!(line("Maximum Large MBPS=").is_some() && line("Minimum Small Latency=").is_some(), "{ran:?}");
    end(disk);
}

#[test]
fn a_log_finds_the_latency_that_was_set_alone_and_beside_reads() {
    let world = World::new("measure-log");
    let device = ["emulate", "--latency", "2ms", "--cap", "400", "--size", "8M", "--at", "disk", "--json"];
    let Some(disk) = Serving::of(&mut world.command(&device)) else { return };
    let run = ["measure", "log", "disk", "--committers", "1,6", "--background-reads", "8"];
    let short = ["--time", "1s", "--warm-up", "200ms"];
    let ran = world.run(&[&run[..], &short, &["--html", "page.html", "--json"]].concat());
    let found = ran.exits(0).json();
    let phases: Vec<&str> = found["points"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|p| p["parameters"]["phase"].as_str())
        .collect();
    assert_eq!(phases, ["reads alone", "log alone", "log alone", "log beside reads", "log beside reads"]);
    let steps = found["log"]["steps"].as_array().unwrap();
    for step in steps {
        let (writes, commits) = (&step["writes_per_s"]["value"], &step["commits_per_s"]["value"]);
        assert!(number(writes) <= 410.0 && number(&step["write_us"]["p50"]["value"]) >= 1_999.0, "{step}");
        // One alone, else three a write; the last write of the run may be cut off.
        let turns = if step["committers"] == 1 { 1.0 } else { 3.0 };
        let group = number(commits) / number(writes);
        assert!((group - turns).abs() < 0.5, "{step}");
        let at_least = if step["committers"] == 1 { 1_999.0 } else { 3_998.0 };
        assert!(number(&step["commit_us"]["p50"]["value"]) >= at_least, "{step}");
    }
    // Nine under way share 400 a second: 22 ms each, instead of 2.5 alone.
    assert!(number(&steps[2]["write_us"]["p50"]["value"]) > 15_000.0, "{}", steps[2]);
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    for part in ["What do reads beside it do", "log file parallel write", "committers = 6"] {
        assert!(page.contains(part), "{part}");
    }
    let screen = world.run(&[&run[..], &short, &["--width", "80"]].concat());
    assert!(screen.exits(0).out.lines().all(|l| l.chars().count() <= 80), "{screen:?}");
    assert!(screen.out.contains("  6 beside 8 reads"), "{screen:?}");
    // What is somebody's is not written to.
    world.put("data", "precious".repeat(1 << 17));
    let refused = ["measure", "log", "data", "--committers", "1", "--buffered"];
    world.run(&refused).exits(2).says("--overwrite data");
    end(disk);
}

#[test]
fn zones_and_the_short_stroke_of_a_disk_are_found() {
    let world = World::new("measure-zones");
    // A whole seek takes twenty times what a turn does: it shows on a busy machine, too.
    let device = ["emulate", "--latency", "1ms", "--zones", "60,20", "--seek", "1ms,40ms", "--size", "64M"];
    let place = ["--at", "disk", "--json"];
    let Some(disk) = Serving::of(&mut world.command(&[&device[..], &place].concat())) else { return };
    let run = ["measure", "zones", "disk", "--zones", "4", "--time", "600ms", "--warm-up", "50ms"];
    let ran = world.run(&[&run[..], &["--html", "page.html", "--json"]].concat());
    let document = ran.exits(0).json();
    let found = &document["zones"];
    ran.says("it is a file");
    let mbps = |n: usize| number(&found["zones"][n]["mbps"]["value"]);
    // Never faster than what was set, but for one read that began before: 60 at the first byte, 30 where the last
    // zone begins.
    assert!(mbps(0) <= 63.0 && mbps(3) <= 33.0 && mbps(0) > mbps(3), "{found}");
    let strokes = found["strokes"].as_array().unwrap();
    assert_eq!(strokes.len(), 11);
    let mean = |n: usize| number(&strokes[n]["read_us"]["mean"]["value"]);
    // 1 + 1 + 39 * 8 / 15 * sqrt(s) ms: 6.7 of the first twentieth, 22.9 of the whole.
    assert!(mean(0) > 5_000.0 && mean(10) > 19_000.0 && mean(10) > 1.5 * mean(0), "{found}");
    assert_eq!(found["seeks_show"], true);
    assert!(number(&found["full_seek_us"]["value"]) > 25_000.0, "{found}");
    assert!(found["sweet_spot"]["share_pct"].is_number(), "{found}");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    for part in ["sweet spot", "What does the way of the arm cost?", "How fast is it from the first byte"] {
        assert!(page.contains(part), "{part}");
    }
    end(disk);
    let wrong = ["emulate", "--latency", "1ms", "--size", "64M", "--at", "disk", "--zones", "60,20"];
    world.run(&wrong).exits(2).says("--seek");
    let backwards = [&wrong[..], &["--seek", "9ms,1ms"]].concat();
    world.run(&backwards).exits(2).says("takes longer than one over the whole disk");
}

#[test]
fn slob_is_told_as_an_awr_tells_it() {
    let world = World::new("measure-slob");
    let run =
        ["measure", "slob", "own.dat", "--create", "24M", "--buffered", "--threads", "4", "--work-unit", "8"];
    let short = ["--time", "1s", "--warm-up", "100ms"];
    let ran = world.run(&[&run[..], &short, &["--html", "page.html", "--json"]].concat());
    let found = &ran.exits(0).json()["slob"];
    assert_eq!((&found["load"]["update_pct"], &found["load"]["work_unit"]), (&25.into(), &8.into()));
    assert_eq!(
        (&found["load"]["scale_bytes"], &found["load"]["log_bytes"]),
        (&22_020_096.into(), &3_145_728.into())
    );
    for figure in ["physical_reads_per_s", "physical_writes_per_s", "transactions_per_s", "redo_writes_per_s"]
    {
        assert!(number(&found[figure]["value"]) > 0.0, "{figure}: {found}");
    }
    let events: Vec<&str> =
        found["events"].as_array().into_iter().flatten().filter_map(|e| e["event"].as_str()).collect();
    for event in ["db file sequential read", "log file sync", "log file parallel write"] {
        assert!(events.contains(&event), "{events:?}");
    }
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    assert!(page.contains("Waits, as an AWR of SLOB prints them") && page.contains("UPDATE_PCT 25"));
    assert!(!world.path("own.dat").exists());
    let screen = world.run(&[&run[..], &short, &["--update-pct", "0", "--width", "80"]].concat());
    assert!(screen.exits(0).out.lines().all(|l| l.chars().count() <= 80), "{screen:?}");
    assert!(!screen.out.contains("log file sync") && screen.out.contains("Physical reads"), "{screen:?}");
    assert!(screen.out.contains("--seed "), "{screen:?}");
    let large = world.run(&[&run[..], &["--scale", "24M"]].concat());
    large.exits(2).says("do not fit into 25165824 bytes");
    world.put("data", "precious".repeat(1 << 19));
    let refused = ["measure", "slob", "data", "--buffered", "--time", "1s"];
    world.run(&refused).exits(2).says("--overwrite data");
}

#[test]
fn a_scan_reads_all_files_once_at_each_degree() {
    let world = World::new("measure-scan");
    world.put("one", "x".repeat(3 << 20));
    world.put("two", "x".repeat(2 << 20));
    let run = ["measure", "scan", "one", "two", "--degrees", "1,4", "--granule", "1M", "--buffered"];
    let ran = world.run(&[&run[..], &["--multiblock", "256K,1M", "--html", "page.html", "--json"]].concat());
    let found = &ran.exits(0).json()["scan"];
    assert_eq!((&found["files"], &found["bytes"]), (&2.into(), &5_242_880.into()));
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 4);
    assert!(steps.iter().all(|s| s["bytes"] == 5_242_880 && number(&s["seconds"]) > 0.0), "{found}");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    assert!(page.contains("Seconds of a full scan, by degree"), "{page}");
    let screen = world.run(&[&run[..], &["--width", "80"]].concat());
    assert!(screen.exits(0).out.lines().all(|l| l.chars().count() <= 80), "{screen:?}");
    let nothing = world.run(&[&run[..], &["--change-settings"]].concat());
    nothing.exits(2).says("--change-settings goes with --schedulers or --read-ahead");
    let unasked = world.run(&[&run[..], &["--schedulers", "none"]].concat());
    unasked.exits(2).says("--change-settings");
    // What holds a mounted file system keeps its settings, whatever is asked; so does what lies on no disk.
    let change = ["--change-settings", "--read-ahead", "64K", "--journal", "journal"];
    let refused = world.run(&[&run[..], &change].concat());
    let why = &refused.exits(2).err;
    assert!(
        ["is mounted at", "lies on no disk", "by root alone"].iter().any(|w| why.contains(w)),
        "{refused:?}"
    );
    assert!(fs::read_dir(world.path("journal")).map_or(0, Iterator::count) == 0);
}

/// Settings of a loop device, as the kernel shows them.
fn settings(device: &str) -> [String; 3] {
    let name = device.trim_start_matches("/dev/");
    let read = |file: &str| {
        fs::read_to_string(format!("/sys/block/{name}/queue/{file}")).unwrap_or_default().trim().to_owned()
    };
    ["scheduler", "read_ahead_kb", "nr_requests"].map(read)
}

#[test]
fn settings_are_put_back_at_any_end_and_after_any_kill() {
    let world = World::new("measure-settings");
    let device =
        ["emulate", "--latency", "1ms", "--mbps", "8", "--size", "8M", "--at", "disk", "--loop", "--json"];
    let Some(disk) = Serving::of(&mut world.command(&device)) else { return };
    let loop_device = disk.loop_device();
    let before = settings(&loop_device);
    // What is tried differs from what is set.
    let (read_ahead, kib) = if before[1] == "64" { ("32K", "32") } else { ("64K", "64") };
    let run = ["measure", "scan", &loop_device, "--change-settings", "--read-ahead", read_ahead];
    let journal = ["--journal", "journal", "--json"];
    let short = [&run[..], &["--schedulers", "all", "--degrees", "2"], &journal].concat();
    let journals = || fs::read_dir(world.path("journal")).map_or(0, Iterator::count);
    let found = world.run(&short).exits(0).json();
    let device = &found["points"][0]["result"]["environment"]["devices"][0];
    assert_eq!(number(&device["read_ahead_bytes"]), kib.parse::<f64>().unwrap() * 1024.0, "{device}");
    assert_eq!((settings(&loop_device), journals()), (before.clone(), 0));
    // A scheduler that nobody offers: nothing is left changed.
    let unknown = [&run[..], &["--schedulers", "none-of-them"], &journal].concat();
    world.run(&unknown).exits(2).says("does not become none-of-them");
    assert_eq!((settings(&loop_device), journals()), (before.clone(), 0));
    assert!(!world.path("journal").exists(), "made for the journal, it is gone with it");
    // A scan takes a second; these, a minute.
    let many = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30";
    let long = [&run[..], &["--degrees", many], &journal].concat();
    let changed = || settings(&loop_device)[1] == kib;
    for signal in ["-INT", "-TERM"] {
        let child = started(&world, &long);
        comes_true(|| changed() && journals() == 1);
        sleep(Duration::from_millis(500));
        kill(signal, &child.id().to_string());
        let ran = Ran::from(child.wait_with_output().unwrap());
        ran.says("it was stopped");
        assert_eq!((settings(&loop_device), journals()), (before.clone(), 0), "{ran:?}");
    }
    // The one that watches is killed: the other puts back.
    let mut child = started(&world, &long);
    comes_true(|| changed() && journals() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    comes_true(|| settings(&loop_device) == before && journals() == 0);
    // The one that measures is killed: the one that watches does.
    let child = started(&world, &long);
    comes_true(|| changed() && journals() == 1);
    kill("-KILL", &measuring(child.id()).unwrap());
    child.wait_with_output().unwrap();
    assert_eq!((settings(&loop_device), journals()), (before.clone(), 0));
    // Both are: the journal is left, and the command does.
    let mut child = started(&world, &long);
    comes_true(|| changed() && journals() == 1);
    let measuring = measuring(child.id()).unwrap();
    kill("-STOP", &measuring);
    let live = world.run(&["measure", "restore", "--journal", "journal"]);
    live.exits(2).says("still measures");
    child.kill().unwrap();
    kill("-KILL", &measuring);
    child.wait().unwrap();
    comes_true(|| {
        let state = fs::read_to_string(format!("/proc/{measuring}/stat")).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    });
    assert!(changed() && journals() == 1);
    let restored = world.run(&["measure", "restore", "--journal", "journal"]);
    assert!(restored.exits(0).out.contains("read_ahead_kb is"), "{restored:?}");
    assert_eq!((settings(&loop_device), journals()), (before, 0));
    let again = world.run(&["measure", "restore", "--journal", "journal"]);
    assert!(again.exits(0).out.contains("there is no journal"), "{again:?}");
    end(disk);
}

const OPEN: &str = "seed = 7\n[end]\ntime = \"3 s\"\n[[stream]]\nname = \"web\"\nreads = \"100 %\"\n\
                    pattern = \"random\"\nblock = \"8 KiB\"\nrate = \"400 IOPS\"\n";

#[test]
fn a_rate_above_the_capacity_shows_the_delay() {
    let world = World::new("measure-open");
    let Some(disk) = slow_disk(&world) else { return };
    world.put("open.toml", OPEN);
    let ran = world.run(&["measure", "run", "open.toml", "--on", "disk", "--json"]);
    let found = ran.exits(0).json();
    let stream = &found["streams"][0];
    assert_eq!(stream["latency_from"], "intended");
    assert!(number(&stream["iops"]) <= 152.0, "{stream}");
    assert!(number(&stream["latency_us"]["max"]) > 1_000_000.0, "{stream}");
    end(disk);
}

fn started(world: &World, arguments: &[&str]) -> std::process::Child {
    let mut command = world.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The process that measures for this one.
fn measuring(process: u32) -> Option<String> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next().map(str::to_owned)
}

const LONG: [&str; 7] = ["measure", "read", "disk", "--random", "--count", "1000000", "--json"];

#[test]
fn ctrl_c_ends_with_what_was_measured() {
    let world = World::new("measure-ctrl-c");
    let Some(disk) = slow_disk(&world) else { return };
    let child = started(&world, &LONG);
    sleep(Duration::from_secs(3));
    kill("-INT", &child.id().to_string());
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.exits(1).says("it was stopped");
    let found = ran.json();
    assert!(number(&found["streams"][0]["ios"]) > 0.0, "{found}");
    assert_eq!(found["incomplete"], "it was stopped");
    end(disk);
}

#[test]
fn a_device_that_hangs_does_not_keep_the_answer() {
    let world = World::new("measure-hang");
    let Some(disk) = slow_disk(&world) else { return };
    let child = started(&world, &[&LONG[..], &["--give-up", "2s"]].concat());
    sleep(Duration::from_secs(3));
    kill("-STOP", &disk.process());
    let begun = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    let took = begun.elapsed();
    kill("-CONT", &disk.process());
    ran.exits(1).says("no request was answered");
    assert!(took < Duration::from_secs(90), "{took:?}");
    let stream = &ran.json()["streams"][0];
    assert!(number(&stream["ios"]) > 0.0, "{ran:?}");
    // What was answered before counts in full: its latencies were lost once.
    assert!(number(&stream["latency_us"]["p50"]) > 1_000.0, "{stream}");
    end(disk);
}

#[test]
fn ctrl_c_waited_for_a_device_that_hangs() {
    let world = World::new("measure-hang-ctrl-c");
    let Some(disk) = slow_disk(&world) else { return };
    let child = started(&world, &[&LONG[..], &["--give-up", "60s"]].concat());
    sleep(Duration::from_secs(3));
    kill("-STOP", &disk.process());
    sleep(Duration::from_secs(2));
    let begun = Instant::now();
    kill("-INT", &child.id().to_string());
    let ran = Ran::from(child.wait_with_output().unwrap());
    let took = begun.elapsed();
    kill("-CONT", &disk.process());
    ran.exits(1).says("it was stopped");
    // 16 seconds before: five for the requests, ten for a process that cannot end, one for its kill.
    assert!(took < Duration::from_secs(8), "{took:?}");
    let stream = &ran.json()["streams"][0];
    assert!(number(&stream["ios"]) > 0.0 && number(&stream["latency_us"]["p50"]) > 1_000.0, "{stream}");
    end(disk);
}

#[test]
fn a_device_that_hung_while_it_was_looked_at_was_waited_for() {
    let world = World::new("measure-hang-early");
    let Some(disk) = slow_disk(&world) else { return };
    world.put("job.toml", WRITES);
    kill("-STOP", &disk.process());
    let begun = Instant::now();
    let ran = world.run(&["measure", "run", "job.toml", "--on", "disk", "--give-up", "2s"]);
    let took = begun.elapsed();
    kill("-CONT", &disk.process());
    ran.exits(2).says("while it was opened and looked at");
    // Twenty times the patience before.
    assert!(took < Duration::from_secs(35), "{took:?}");
    end(disk);
}

#[test]
fn a_path_that_is_no_text_was_waited_for() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new("measure-no-text");
    let name = std::ffi::OsStr::from_bytes(b"q\xff.img");
    fs::write(world.path("").join(name), vec![0; 1 << 20]).unwrap();
    let mut command =
        world.command(&["measure", "read", "--random", "--count", "20", "--json", "--buffered"]);
    let ran = Ran::from(command.arg(name).output().unwrap());
    assert_eq!(number(&ran.exits(0).json()["streams"][0]["ios"]), 20.0, "{ran:?}");
}

#[test]
fn two_runs_without_a_seed_asked_for_the_same_places() {
    let world = World::plain("measure-seed");
    world.put("disk", "\0".repeat(1 << 20));
    world.put("job.toml", WRITES);
    let seed = |more: &[&str]| {
        let run =
            [&["measure", "run", "job.toml", "--on", "disk", "--buffered", "--json"][..], more].concat();
        let found = world.run(&run).exits(0).json();
        let seed = found["points"][0]["result"]["job"]["seed"].as_u64().or(found["job"]["seed"].as_u64());
        (seed.unwrap(), found["command"].to_string())
    };
    let drawn: Vec<_> = (0..3).map(|_| seed(&[])).collect();
    assert!(
        drawn.iter().all(|(s, command)| command.contains(&format!("run --seed {s} job.toml"))),
        "{drawn:?}"
    );
    assert!(drawn.iter().any(|(s, _)| *s != drawn[0].0), "{drawn:?}");
    assert_eq!(seed(&["--seed", "5"]).0, 5);
    world.put("job.toml", format!("seed = 7\n{WRITES}"));
    assert_eq!(seed(&[]).0, 7);
}

#[test]
fn nothing_goes_on_when_the_one_who_watches_is_killed() {
    let world = World::new("measure-killed");
    let Some(disk) = slow_disk(&world) else { return };
    let mut child = started(&world, &LONG);
    comes_true(|| measuring(child.id()).is_some());
    let measuring = measuring(child.id()).unwrap_or_default();
    sleep(Duration::from_secs(1));
    child.kill().unwrap();
    child.wait().unwrap();
    comes_true(|| {
        let state = fs::read_to_string(format!("/proc/{measuring}/stat")).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    });
    end(disk);
}

const WRITES: &str = "[end]\ncount = 200\n[[stream]]\nname = \"writes\"\nreads = \"50 %\"\n\
                      pattern = \"random\"\nblock = \"8 KiB\"\ndepth = 2\n";

#[test]
fn a_file_of_our_own_is_made_written_and_gone() {
    let world = World::plain("measure-create");
    world.put("job.toml", WRITES);
    let run = ["measure", "run", "job.toml", "--on", "own.dat", "--create", "2M", "--buffered"];
    let ran = world.run(&run);
    assert!(ran.exits(0).out.contains("THROUGH THE PAGE CACHE"), "{ran:?}");
    ran.says("page cache: memory may have answered");
    assert!(!world.path("own.dat").exists());
    world.run(&[&run[..], &["--keep"]].concat()).exits(0);
    let kept = fs::read(world.path("own.dat")).unwrap();
    assert_eq!(kept.len(), 2 << 20);
    assert!(kept.chunks(512).all(|sector| sector.starts_with(b"\xa7SPINDL\x1e")));
    // What we made we may write to again; made again it is not.
    world.run(&["measure", "run", "job.toml", "--on", "own.dat", "--buffered"]).exits(0);
    world.run(&run).exits(2).says("a file of that name is there already");
    assert_eq!(fs::read(world.path("own.dat")).unwrap().len(), 2 << 20);
}

#[test]
fn a_folder_was_a_file_that_is_there_already() {
    let world = World::plain("measure-create-folder");
    world.put("job.toml", WRITES);
    world.run(&["measure", "run", "job.toml", "--on", ".", "--create", "2M"]).exits(2).says("it is a folder");
}

#[test]
fn the_ring_was_taken_for_a_log_that_makes_its_writes_without_it() {
    let world = World::plain("measure-log-ring");
    let run = ["measure", "log", "redo.dat", "--create", "8M", "--buffered", "--engine", "io-uring"];
    world.run(&run).exits(2).says("one at a time").says("--background-reads");
    assert!(!world.path("redo.dat").exists());
}

#[test]
fn what_is_somebodys_is_not_written_to_unless_its_very_path_is_named() {
    let world = World::new("measure-refused");
    world.put("job.toml", WRITES);
    let precious = "precious".repeat(1 << 15);
    world.put("data", &precious);
    let run = ["measure", "run", "job.toml", "--on", "data", "--buffered"];
    world
        .run(&run)
        .exits(2)
        .says("it holds something that was not written by spindle")
        .says("--overwrite data");
    let other = world.run(&[&run[..], &["--overwrite", "other"]].concat());
    other.exits(2).says("--overwrite names `other`, which is not among the paths");
    assert_eq!(fs::read_to_string(world.path("data")).unwrap(), precious);
    world.run(&[&run[..], &["--html", "data"]].concat()).exits(2).says("it is what is measured");
    world.run(&[&run[..], &["--overwrite", "data"]].concat()).exits(0);
    assert_ne!(fs::read(world.path("data")).unwrap(), precious.as_bytes());
    // Reading needs no leave, and takes none.
    world.put("read", &precious);
    world.run(&["measure", "read", "read", "--serial", "--count", "5", "--buffered"]).exits(0);
    assert_eq!(fs::read_to_string(world.path("read")).unwrap(), precious);
}

#[test]
fn what_cannot_be_measured_says_why() {
    let world = World::new("measure-wrong");
    world.put("job.toml", WRITES.replace("depth", "depht"));
    world.run(&["measure", "run", "job.toml", "--on", "x"]).exits(2).says(
        "`job.toml`, line 8: `depht` is no key of a stream; the nearest is `depth`: requests under way",
    );
    world
        .run(&["measure", "run", "none.toml", "--on", "x"])
        .exits(2)
        .says("the job `none.toml` was not read");
    // A file without an end was read for ever.
    world.run(&["measure", "run", "/dev/zero", "--on", "x"]).exits(2).says("it holds more than 1 MiB");
    let read = |path: &str| world.run(&["measure", "read", path, "--random", "--count", "1"]);
    read("nothing").exits(2).says("`nothing` is not there").says("--create");
    read("/dev/null").exits(2).says("`/dev/null` is not read: it is a character device");
    read(".").exits(2).says("it is a directory");
    assert!(Path::new("/dev/null").exists());
}
