//! Traces on the command line: replayed, told, kept with the result, refused.
#![cfg(target_os = "linux")]

use crate::world::World;
use std::fs;

/// Two units, one of which writes.
const SPC: &str = "0,0,4096,r,0.0\n1,8,512,w,0.01\nrubbish\n0,16,8192,R,0.02\n0,32,0,r,0.03\n";

/// A screen without its lines.
fn in_line(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_trace_runs_and_stands_with_its_result() {
    let world = World::new("replay");
    world.put("monday.spc", SPC);
    let ran = world.run(&[
        "measure",
        "run",
        "--trace",
        "monday.spc",
        "--on",
        "new",
        "--create",
        "4M",
        "--source",
        "joined",
        "--buffered",
        "--json",
        "--html",
        "page.html",
    ]);
    let found = ran.exits(1).json();
    let stream = &found["streams"][0];
    assert_eq!((&stream["ios"], &stream["latency_from"]), (&3.into(), &"intended".into()), "{found}");
    let trace = &found["job"]["streams"][0]["trace"];
    assert_eq!((&trace["file"], &trace["found"]["format"]), (&"monday.spc".into(), &"spc".into()));
    assert_eq!(trace["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(
        (&trace["found"]["damaged"], &trace["found"]["damaged_lines"][0]["line"]),
        (&1.into(), &3.into())
    );
    assert!(
        found["verdict"].as_str().is_some_and(|v| v.contains("SPC: 2 reads and 1 writes in 0.02 s")),
        "{found}"
    );
    ran.says("`monday.spc`: 1 of 5 lines are damaged")
        .says("1 requests of no bytes")
        .says("2 sources were laid");
    let page = fs::read_to_string(world.path("page.html")).unwrap();
    for part in ["The trace monday.spc", "SHA-256", "source = &quot;joined&quot;", "reach"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!world.path("new").exists());
    // What the page gives runs again, and only with this file.
    let hash = trace["sha256"].as_str().unwrap();
    let job = format!(
        "[[stream]]\nname = \"t\"\ntrace = \"monday.spc\"\nsha256 = \"{hash}\"\nsource = \"joined\"\ndepth = 2\n"
    );
    world.put("job.toml", job);
    let again = ["measure", "run", "job.toml", "--on", "new", "--create", "4M", "--buffered"];
    let ran = world.run(&again);
    assert!(in_line(&ran.exits(1).out).contains("2 under way, whatever its times"), "{ran:?}");
    world.put("monday.spc", SPC.replace("rubbish\n", ""));
    world.run(&again).exits(2).says("is another one than was asked for");
}

#[test]
fn a_trace_from_a_pipe_was_waited_for() {
    let world = World::new("replay-pipe");
    world.put("data", vec![0; 1 << 20]);
    let made = std::process::Command::new("mkfifo").arg(world.path("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    for trace in ["pipe", "-", "/dev/stdin"] {
        let run = ["measure", "run", "--trace", trace, "--on", "data", "--buffered"];
        world
            .run_with_input(&run, SPC.as_bytes())
            .exits(2)
            .says("it is no file, and a trace is read more than once");
    }
}

#[test]
fn what_cannot_be_replayed_is_refused_before_anything_is_written() {
    let world = World::new("replay-refused");
    world.put("monday.spc", SPC);
    world.put("data", vec![7; 1 << 20]);
    let run = |more: &[&str]| {
        let first = ["measure", "run", "--trace", "monday.spc", "--buffered"];
        world.run(&[&first[..], more].concat())
    };
    run(&["--on", "data"]).exits(2).says("2 sources (`0`, `1`)").says("source = \"joined\"");
    run(&["--on", "data", "--source", "9"]).exits(2).says("no source `9`");
    // Writes go through the guard.
    run(&["--on", "data", "--source", "joined", "--beyond", "wrap"]).exits(2).says("--overwrite");
    assert_eq!(fs::read(world.path("data")).unwrap(), vec![7; 1 << 20]);
    let reads = run(&["--on", "data", "--reads-only"]);
    reads.exits(1).says("1 writes");
    assert!(in_line(&reads.out).contains("its writes were left out"), "{reads:?}");
    assert_eq!(fs::read(world.path("data")).unwrap(), vec![7; 1 << 20]);
    world.put("far.spc", "0,4096,512,r,0\n");
    let far = ["measure", "run", "--trace", "far.spc", "--on", "new", "--create", "1M", "--buffered"];
    world.run(&far).exits(2).says("reaches to byte 2097664 and the region has 1048576");
    assert!(!world.path("new").exists());
    world.put("none.spc", "what is this\n");
    let none = ["measure", "run", "--trace", "none.spc", "--on", "data"];
    world.run(&none).exits(2).says("`none.spc` is no trace that is known");
    let gone = ["measure", "run", "--trace", "gone.spc", "--on", "data"];
    world.run(&gone).exits(2).says("`gone.spc` was not read");
    let both = ["measure", "run", "--trace", "far.spc", "--on", "data", "--speed", "2", "--depth", "3"];
    world.run(&both).exits(2).says("cannot be used with");
    world.run(&["measure", "run", "--on", "data", "--speed", "2"]).exits(2);
    // Either of the two is asked for.
    world.run(&["measure", "run", "--on", "data"]).exits(2).says("JOB.toml").says("--trace");
}

/// `--reads-only` beside a job of writes was taken and did nothing: the job wrote.
#[test]
fn what_goes_with_a_trace_was_ignored_beside_a_job() {
    let world = World::new("replay-beside-a-job");
    world.put(
        "job.toml",
        "[[stream]]\nname = \"w\"\nreads = \"0 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = 1\n\n[end]\ncount = 8\n",
    );
    world.put("data", vec![0; 1 << 20]);
    let run = ["measure", "run", "job.toml", "--on", "data", "--buffered"];
    let others: [&[&str]; 7] = [
        &["--reads-only"],
        &["--time", "1s"],
        &["--depth", "4"],
        &["--speed", "2"],
        &["--beyond", "wrap"],
        &["--lba", "4096"],
        &["--source", "joined"],
    ];
    let made = |world: &World| fs::metadata(world.path("data")).unwrap().modified().unwrap();
    let before = made(&world);
    for other in others {
        world.run(&[&run[..], other].concat()).exits(2).says("cannot be used with").says("JOB.toml");
    }
    assert_eq!(made(&world), before, "nothing was written");
    // By itself it is a job, and writes.
    world.run(&run).exits(0);
    assert_ne!(made(&world), before);
}

#[test]
fn the_example_of_a_trace_runs() {
    let world = World::new("replay-example");
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/jobs/");
    for name in ["trace.toml", "two-units.spc"] {
        world.put(&format!("examples/jobs/{name}"), fs::read(format!("{from}{name}")).unwrap());
    }
    let ran = world.run(&[
        "measure",
        "run",
        "examples/jobs/trace.toml",
        "--on",
        "new",
        "--create",
        "64M",
        "--buffered",
        "--json",
    ]);
    let found = ran.exits(0).json();
    assert_eq!(found["streams"][0]["ios"], 60, "{found}");
}
