//! A device as a file: how it comes, and that nothing of it stays, however it ends.
//!
//! On real FUSE; without it each test says that it is skipped.
#![cfg(target_os = "linux")]

use crate::world::{Ran, World};
use spindle_test_support::skipped;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const DEVICE: [&str; 6] = ["emulate", "--latency", "1ms", "--size", "16M", "--json"];

/// A command that serves, once the file can be opened.
pub(crate) struct Serving {
    child: Child,
    document: serde_json::Value,
}

impl Serving {
    pub(crate) fn start(world: &World, more: &[&str]) -> Option<Self> {
        let mut command = world.command(&[&DEVICE[..], &["--at", "device"], more].concat());
        Self::of(&mut command)
    }

    pub(crate) fn of(command: &mut Command) -> Option<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        if line.is_empty() {
            let ran = Ran::from(child.wait_with_output().unwrap());
            let cannot = ["/dev/fuse cannot be used", "FUSE cannot be mounted", "loop device"];
            assert!(cannot.iter().any(|c| ran.err.contains(c)), "{ran:?}");
            skipped(ran.err.trim());
            return None;
        }
        Some(Self { child, document: serde_json::from_str(&line).unwrap() })
    }

    pub(crate) fn process(&self) -> String {
        self.document["process"].to_string()
    }

    /// The loop device, as `/dev/loop3`.
    pub(crate) fn loop_device(&self) -> String {
        self.document["loop_device"].as_str().unwrap().to_owned()
    }

    pub(crate) fn end(self) -> Ran {
        let output: Output = self.child.wait_with_output().unwrap();
        Ran::from(output)
    }
}

/// What runs in the background of a shell or behind `nohup` ignores SIGINT or SIGHUP, and so does what it starts.
pub(crate) fn kill(signal: &str, process: &str) {
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        _ => 0,
    };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let is_ignored = number > 0 && u64::from_str_radix(ignored, 16).unwrap() >> (number - 1) & 1 == 1;
    if is_ignored {
        skipped(&format!("{signal} is ignored by what runs these tests: -TERM stands for it"));
    }
    let signal = if is_ignored { "-TERM" } else { signal };
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

fn mounted(path: &Path) -> bool {
    fs::read_to_string("/proc/self/mountinfo").unwrap().contains(&format!(" {} ", path.display()))
}

/// Waits for what another process does after its parent died.
#[track_caller]
pub(crate) fn comes_true(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never did");
        sleep(Duration::from_millis(20));
    }
}

fn gone(path: &Path) -> bool {
    !mounted(path) && fs::symlink_metadata(path).is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound)
}

#[test]
fn signals_end_it_cleanly_also_while_it_is_used() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let world = World::new(&format!("emulate{signal}"));
        let Some(serving) = Serving::start(&world, &["--cap", "500", "--mbps", "100MB/s"]) else { return };
        let path = world.path("device");
        let document = &serving.document;
        assert_eq!(document["file"], path.canonicalize().unwrap().to_str().unwrap());
        assert_eq!((&document["size_bytes"], &document["iops_cap"]), (&(16 << 20).into(), &500.into()));
        let file = File::options().read(true).write(true).open(&path).unwrap();
        file.write_all_at(b"kept", 8_192).unwrap();
        let mut read = [0; 4];
        file.read_exact_at(&mut read, 8_192).unwrap();
        assert_eq!(&read, b"kept");
        kill(signal, &serving.process());
        serving.end().exits(0).says("2 requests answered");
        assert!(gone(&path));
        assert!(file.read_at(&mut read, 0).is_err(), "its server is gone");
    }
}

#[test]
fn killed_it_leaves_no_mount() {
    let world = World::new("emulate-killed");
    let Some(serving) = Serving::start(&world, &[]) else { return };
    let path = world.path("device").canonicalize().unwrap();
    let file = File::open(&path).unwrap();
    assert!(mounted(&path));
    kill("-KILL", &serving.process());
    assert_eq!(serving.end().exit, -1);
    comes_true(|| gone(&path));
    assert!(file.read_at(&mut [0], 0).is_err());
    // The place is free again.
    let Some(again) = Serving::start(&world, &[]) else { return };
    kill("-TERM", &again.process());
    again.end().exits(0);
}

#[test]
fn killed_together_with_what_cleans_up_the_next_one_cleans_up() {
    let world = World::new("emulate-both-killed");
    let Some(serving) = Serving::start(&world, &[]) else { return };
    let path = world.path("device").canonicalize().unwrap();
    let children = format!("/proc/{0}/task/{0}/children", serving.process());
    let watchdog = fs::read_to_string(children).unwrap();
    kill("-KILL", watchdog.trim());
    kill("-KILL", &serving.process());
    assert_eq!(serving.end().exit, -1);
    assert!(mounted(&path));
    let Some(again) = Serving::start(&world, &[]) else { return };
    assert_eq!(fs::metadata(&path).unwrap().len(), 16 << 20);
    kill("-TERM", &again.process());
    again.end().exits(0);
    assert!(gone(&path));
}

#[test]
fn a_loop_device_stayed_where_both_were_killed() {
    let world = World::new("emulate-both-killed-loop");
    let Some(serving) = Serving::start(&world, &["--loop"]) else { return };
    let device = serving.loop_device();
    let children = format!("/proc/{0}/task/{0}/children", serving.process());
    kill("-KILL", fs::read_to_string(children).unwrap().trim());
    kill("-KILL", &serving.process());
    serving.end();
    let Some(again) = Serving::start(&world, &[]) else { return };
    comes_true(|| !fs::exists(Path::new("/sys/block").join(&device[5..]).join("loop")).unwrap());
    kill("-TERM", &again.process());
    again.end().exits(0);
}

/// A shell that starts the command in the background, leaves standard output to it, and ends when its
/// input does.
fn by_a_shell(world: &World, more: &str) -> Command {
    let arguments = DEVICE.join(" ");
    let program = env!("CARGO_BIN_EXE_spindle");
    let script =
        format!("'{program}' {arguments} --at device {more} </dev/null & exec >/dev/null; read line");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(world.path("."));
    shell
}

#[test]
fn it_ends_with_the_program_that_started_it() {
    let world = World::new("emulate-parent");
    let Some(mut serving) = Serving::of(&mut by_a_shell(&world, "")) else { return };
    let path = world.path("device").canonicalize().unwrap();
    serving.child.kill().unwrap();
    serving.end().says("the program that started this one ended");
    assert!(gone(&path));
}

#[test]
fn told_to_stay_it_stays() {
    let world = World::new("emulate-stay");
    let Some(mut serving) = Serving::of(&mut by_a_shell(&world, "--stay")) else { return };
    let path = world.path("device").canonicalize().unwrap();
    writeln!(serving.child.stdin.take().unwrap()).unwrap();
    serving.child.wait().unwrap();
    // Twice as long as it would take to see that the shell is gone.
    sleep(Duration::from_millis(500));
    assert_eq!(fs::metadata(&path).unwrap().len(), 16 << 20);
    kill("-TERM", &serving.process());
    comes_true(|| gone(&path));
}

#[test]
fn an_unmount_ends_it() {
    let world = World::new("emulate-unmount");
    let Some(serving) = Serving::start(&world, &[]) else { return };
    let path = world.path("device").canonicalize().unwrap();
    let unmounted = ["umount", "fusermount3"].iter().any(|program| {
        let mut command = Command::new(program);
        if *program != "umount" {
            command.arg("-u");
        }
        command.arg(&path).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    });
    assert!(unmounted);
    serving.end().exits(0).says("somebody unmounted the file");
    assert!(gone(&path));
}

#[test]
fn what_is_there_is_never_overwritten() {
    let world = World::new("emulate-exists");
    world.put("device", "data");
    let ran = world.run(&[&DEVICE[..], &["--at", "device"]].concat());
    if ran.err.contains("FUSE") || ran.err.contains("/dev/fuse") {
        skipped(ran.err.trim());
        return;
    }
    ran.exits(2).says("exists and `spindle emulate` did not make it");
    assert_eq!(fs::read(world.path("device")).unwrap(), b"data");
}

#[test]
fn no_device_is_made_of_nonsense() {
    let world = World::new("emulate-nonsense");
    for (arguments, why) in [
        (["--latency", "8", "--size", "4G"], "is no time"),
        (["--latency", "8ms", "--size", "1000"], "no size"),
        (["--latency", "2000s", "--size", "1K"], "has 4096 bytes at least, and 1024 were asked for"),
        (["--latency", "4000s", "--size", "4G"], "above an hour"),
    ] {
        let ran = world.run(&[&["emulate", "--at", "device"][..], &arguments].concat());
        ran.exits(2).says(why);
        assert!(!world.path("device").exists());
    }
    world
        .run(&[&DEVICE[..], &["--at", "device", "--cap", "0"]].concat())
        .exits(2)
        .says("no rate of requests");
}

/// Loop devices on a file.
fn loops_on(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir("/sys/block").unwrap().flatten();
    let on_it = |e: &fs::DirEntry| {
        fs::read_to_string(e.path().join("loop/backing_file")).is_ok_and(|b| Path::new(b.trim()) == path)
    };
    entries.filter(on_it).map(|e| e.path()).collect()
}

#[test]
fn a_loop_device_stands_on_it_and_goes_with_it() {
    for signal in ["-INT", "-KILL"] {
        let world = World::new(&format!("emulate-loop{signal}"));
        let Some(serving) = Serving::start(&world, &["--loop"]) else { return };
        let path = world.path("device").canonicalize().unwrap();
        let device = serving.document["loop_device"].as_str().unwrap().to_owned();
        let disk = File::options().read(true).write(true).open(&device).unwrap();
        disk.write_all_at(&[7; 4_096], 4_096).unwrap();
        disk.sync_all().unwrap();
        let mut read = [0; 4_096];
        File::open(&path).unwrap().read_exact_at(&mut read, 4_096).unwrap();
        assert_eq!(read, [7; 4_096]);
        drop(disk);
        kill(signal, &serving.process());
        serving.end();
        comes_true(|| gone(&path) && loops_on(&path).is_empty());
        comes_true(|| !fs::exists(Path::new("/sys/block").join(&device[5..]).join("loop")).unwrap());
    }
}
