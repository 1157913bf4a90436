//! What a year of hourly reports costs: wall and CPU seconds and peak memory of `spindle size FOLDER`.
//!
//! `cargo xtask bench-year [FOLDER] [--reports N]` prints N (by default 8,760) hourly reports of about
//! 1.5 MB into FOLDER (by default `target/bench-year`), unless it holds as many, and runs the release
//! build over them. They take 13 GB for a whole year and are left there: remove them when done.

use crate::bench_many::{children_s, peak};
use crate::run;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Hours of a year.
const YEAR: u32 = 8_760;

/// Reads the words behind `bench-year`.
pub(crate) fn arguments(words: &[&str]) -> Result<(Option<PathBuf>, u32), String> {
    let (mut folder, mut reports) = (None, YEAR);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if *word == "--reports" {
            let number = words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
            reports = number.ok_or("--reports needs a number above 0")?;
        } else if folder.replace(PathBuf::from(word)).is_some() {
            return Err("usage: cargo xtask bench-year [FOLDER] [--reports N]".to_owned());
        }
    }
    Ok((folder, reports))
}

/// Builds, prints, runs and tells.
pub(crate) fn bench(root: &Path, folder: Option<PathBuf>, reports: u32) -> Result<(), String> {
    run(root, "cargo build --quiet --release --package spindle-cli")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = folder.unwrap_or_else(|| target.join("bench-year"));
    let held = fs::read_dir(&folder).map_or(0, |entries| entries.flatten().count());
    if held != usize::try_from(reports).unwrap_or(usize::MAX) {
        if held > 0 {
            return Err(format!(
                "{} holds {held} files, not {reports} reports: name another folder or remove it",
                folder.display()
            ));
        }
        let make = format!(
            "cargo run --quiet --package spindle-test-support --example make_year -- {} {reports}",
            folder.display()
        );
        run(root, &make)?;
    }
    let bytes: u64 = fs::read_dir(&folder)
        .map_err(|e| format!("{} could not be read: {e}", folder.display()))?
        .flatten()
        .filter_map(|f| f.metadata().ok())
        .map(|m| m.len())
        .sum();
    let before = children_s()?;
    let start = Instant::now();
    let mut command = Command::new(target.join("release/spindle"));
    command.arg("size").arg(&folder).args(["--disk", "disk_15k,600G", "--growth", "20%/year"]);
    let mut child = command
        .stdout(Stdio::inherit())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("spindle could not be started: {e}"))?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak_kib = 0;
    let exit = loop {
        peak_kib = peak_kib.max(peak(&status).unwrap_or(0));
        if let Some(exit) = child.try_wait().map_err(|e| e.to_string())? {
            break exit;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let wall = start.elapsed().as_secs_f64();
    let after = children_s()?;
    let (user, system) = (after.0 - before.0, after.1 - before.1);
    println!(
        "{reports} reports, {} MB: wall {wall:.1} s, CPU {:.1} s (user {user:.1}, system {system:.1}; {:.2} cores busy), peak {} MiB",
        bytes / 1_000_000,
        user + system,
        (user + system) / wall,
        peak_kib / 1_024
    );
    if exit.success() { Ok(()) } else { Err(format!("spindle ended with {exit}")) }
}
