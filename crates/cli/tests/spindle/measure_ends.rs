//! However a measurement ends, in whichever form: what was measured is said, and nothing of it stays, no process, no
//! file of ours, no request that still goes on.
#![cfg(target_os = "linux")]

use crate::emulate::{Serving, comes_true, kill};
use crate::world::{Ran, World};
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A disk that is slow enough for every form to be busy with it.
fn slow_disk(world: &World, more: &[&str]) -> Option<Serving> {
    let disk = ["emulate", "--latency", "8ms", "--cap", "150", "--size", "64M", "--at", "disk", "--json"];
    Serving::of(&mut world.command(&[&disk[..], more].concat()))
}

fn end(disk: Serving) {
    kill("-TERM", &disk.process());
    disk.end();
}

/// Every form, for much longer than the test takes, with the file that it makes.
const FORMS: [(&str, &[&str], Option<&str>); 10] = [
    ("run", &["run", "job.toml", "--on", "run.dat", "--create", "4M", "--buffered"], Some("run.dat")),
    ("read", &["read", "disk", "--random", "--count", "1000000"], None),
    ("calibrate", &["calibrate", "disk", "--num-disks", "1", "--time", "100s"], None),
    ("ramp", &["ramp", "disk", "--time", "100s"], None),
    ("arrivals", &["ramp", "disk", "--arrivals", "poisson", "--time", "100s"], None),
    ("matrix", &["matrix", "disk", "--time", "100s"], None),
    ("zones", &["zones", "disk", "--time", "100s"], None),
    ("log", &["log", "log.dat", "--create", "4M", "--buffered", "--time", "100s"], Some("log.dat")),
    ("slob", &["slob", "slob.dat", "--create", "4M", "--buffered", "--time", "100s"], Some("slob.dat")),
    (
        "scan",
        &["scan", "disk", "--degrees", "2", "--multiblock", "8K", "--granule", "1M", "--under-way", "4"],
        None,
    ),
];

const JOB: &str = "[end]\ntime = \"100 s\"\n[[stream]]\nname = \"s\"\nreads = \"50 %\"\n\
                   pattern = \"random\"\nblock = \"8 KiB\"\ndepth = 2\n";

fn started(world: &World, arguments: &[&str]) -> Child {
    let mut command = world.command(&[&["measure"], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The process that measures for this one.
fn measuring(process: u32) -> Option<String> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next().map(str::to_owned)
}

fn is_gone(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.is_empty() || state.contains(") Z ")
}

/// All forms at a time, once each of them measures.
fn all_forms(world: &World) -> Vec<(&'static str, Child, String, Option<&'static str>)> {
    world.put("job.toml", JOB);
    let begun: Vec<_> = FORMS
        .iter()
        .map(|(name, arguments, made)| (*name, started(world, &[*arguments, &["--json"]].concat()), *made))
        .collect();
    let all = begun.into_iter().map(|(name, child, made)| {
        comes_true(|| measuring(child.id()).is_some());
        let measuring = measuring(child.id()).unwrap();
        (name, child, measuring, made)
    });
    let all = all.collect();
    sleep(Duration::from_secs(5));
    all
}

#[test]
fn every_form_ends_with_what_it_measured_when_it_is_stopped() {
    let world = World::new("ends-stopped");
    let Some(disk) = slow_disk(&world, &[]) else { return };
    let forms = all_forms(&world);
    for (_, child, _, _) in &forms {
        kill("-INT", &child.id().to_string());
    }
    let mut measured = 0;
    for (name, child, measuring, made) in forms {
        let ran = Ran::from(child.wait_with_output().unwrap());
        // Some may still have written their file, or warmed up, which takes as long as the machine lets it.
        let nothing =
            ["nothing was measured", "no request was answered"].iter().any(|said| ran.err.contains(said));
        ran.exits(if nothing { 2 } else { 1 });
        assert!(nothing || ran.json()["incomplete"] == "it was stopped", "{name}: {ran:?}");
        measured += u32::from(!nothing);
        assert!(is_gone(&measuring), "{name}");
        assert!(made.is_none_or(|made| !world.path(made).exists()), "{name}");
        if name == "scan" && !nothing {
            let document = ran.json();
            assert!(document["scan"]["steps"][0]["seconds"].is_null(), "{document}");
            assert!(document["points"][0]["result"]["streams"][0]["ios"].as_u64() > Some(0), "{document}");
            assert!(ran.out.contains("io_uring") || ran.out.contains("sync"), "{ran:?}");
        }
    }
    assert!(measured > 0);
    end(disk);
}

#[test]
fn no_form_goes_on_when_the_one_who_watches_is_killed() {
    let world = World::new("ends-killed");
    let Some(disk) = slow_disk(&world, &[]) else { return };
    let mut forms = all_forms(&world);
    for (_, child, _, _) in &mut forms {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for (_, _, measuring, made) in forms {
        comes_true(|| is_gone(&measuring));
        comes_true(|| made.is_none_or(|made| !world.path(made).exists()));
    }
    end(disk);
}

#[test]
fn a_reader_that_goes_away_leaves_no_process_and_is_no_error() {
    let world = World::new("ends-pipe");
    let Some(disk) = slow_disk(&world, &[]) else { return };
    for format in [&["--json"][..], &[]] {
        let mut child = started(&world, &[&["read", "disk", "--random", "--count", "100"], format].concat());
        drop(child.stdout.take());
        comes_true(|| measuring(child.id()).is_some());
        let measuring = measuring(child.id()).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        ran.exits(0);
        assert!(is_gone(&measuring) && !ran.err.contains("error"), "{ran:?}");
    }
    end(disk);
}

#[test]
fn a_device_without_room_ends_a_run_with_the_reason() {
    let world = World::new("ends-full");
    let Some(disk) = slow_disk(&world, &["--memory", "1M"]) else { return };
    let writes = JOB.replace("50 %", "0 %").replace("100 s", "10 s").replace("depth = 2", "depth = 64");
    world.put("job.toml", writes.replace("time = ", "count = 3000\ntime = "));
    let ran = world.run(&["measure", "run", "job.toml", "--on", "disk", "--json"]);
    ran.exits(1).says("No space left on device");
    let errors = ran.json()["streams"][0]["errors"].to_string();
    assert!(errors.contains("No space left on device"), "{errors}");
    end(disk);
}

#[test]
fn a_server_that_hangs_elsewhere_does_not_keep_the_guard() {
    let world = World::new("ends-elsewhere");
    let Some(disk) = slow_disk(&world, &[]) else { return };
    // Somebody has a file open whose server answers no more: to ask for its attributes would take for ever. (Not this
    // process: what it starts would have to close it.)
    let mut other = std::process::Command::new("sh");
    let mut other = other.args(["-c", "exec sleep 600 < disk"]).current_dir(world.path("")).spawn().unwrap();
    world.put("job.toml", JOB.replace("100 s", "1 s"));
    sleep(Duration::from_millis(1_500));
    kill("-STOP", &disk.process());
    let run =
        ["measure", "run", "job.toml", "--on", "own.dat", "--create", "1M", "--buffered", "--give-up", "20s"];
    let ran = world.run(&run);
    kill("-CONT", &disk.process());
    other.kill().unwrap();
    other.wait().unwrap();
    ran.exits(0);
    end(disk);
}

/// A file system of so many bytes; gone when dropped.
struct Small(std::path::PathBuf);

impl Small {
    fn new(at: std::path::PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir(&at).unwrap();
        let options = format!("size={size}");
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "none"])
            .arg(&at)
            .output()
            .is_ok_and(|output| output.status.success());
        if mounted {
            return Some(Self(at));
        }
        spindle_test_support::skipped("no small file system can be mounted here (root is needed)");
        None
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_page_that_could_not_be_written_threw_the_measurement_away() {
    let world = World::new("ends-page");
    let Some(_small) = Small::new(world.path("small"), "8k") else { return };
    world.put("data", vec![0; 1 << 20]);
    let read = ["measure", "read", "data", "--random", "--count", "20", "--html", "small/p.html"];
    let ran = world.run(&read);
    ran.exits(1).says("the page was not written to `small/p.html`");
    assert!(ran.out.contains("20 random reads of 8,192 bytes"), "{ran:?}");
    let ran = world.run(&[&read[..], &["--json"]].concat());
    assert_eq!(ran.exits(1).json()["streams"][0]["ios"], 20);
    // A curve is small enough, and does not go with the page.
    let ramp = ["measure", "ramp", "data", "--time", "200ms", "--warm-up", "10ms", "--most", "2"];
    let outputs = ["--curve", "small/c.json", "--html", "small/p.html"];
    let ran = world.run(&[&ramp[..], &outputs].concat());
    ran.exits(1).says("curve written to small/c.json").says("the page was not written");
    assert!(ran.out.contains("Alone a request takes"), "{ran:?}");
}
