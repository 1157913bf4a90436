//! What a folder of reports costs: CPU seconds and peak memory of `spindle diagnose FOLDER --html PAGE`.
//!
//! `cargo xtask bench-many [FOLDER]` copies the HTML reports of 1 to 1.8 MB below FOLDER (by default
//! `../shared/corpus`) in turn until there are a hundred, or those of `examples` where there are none,
//! and runs the release build over them. CPU time is what the kernel accounts to the program, so that
//! other work on the machine matters little.

use crate::{files, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const REPORTS: usize = 100;
const RUNS: u32 = 11;
const BYTES: std::ops::Range<u64> = 1_000_000..1_800_000;

/// Builds, copies, runs and prints.
pub(crate) fn bench(root: &Path, folder: Option<&str>) -> Result<(), String> {
    run(root, "cargo build --quiet --release --package spindle-cli")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let below = folder.map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let inputs = target.join("bench-many");
    let page = target.join("bench-many.html");
    let bytes = copy(&below, &root.join("examples"), &inputs)?;
    let before = children_s()?;
    let mut peak_kib = 0;
    for _ in 0..RUNS {
        let mut command = Command::new(target.join("release/spindle"));
        command.arg("diagnose").arg(&inputs).arg("--html").arg(&page);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("spindle could not be started: {e}"))?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        while child.try_wait().map_err(|e| e.to_string())?.is_none() {
            peak_kib = peak_kib.max(peak(&status).unwrap_or(0));
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    let after = children_s()?;
    let runs = f64::from(RUNS);
    let (user, system) = ((after.0 - before.0) / runs, (after.1 - before.1) / runs);
    let page_bytes = fs::metadata(&page).map_err(|e| format!("no page was written: {e}"))?.len();
    println!(
        "{REPORTS} reports, {:.1} MB: {:.3} CPU s (user {user:.3}, system {system:.3}; mean of {RUNS} runs), \
         peak {:.1} MiB, page {} KB",
        thousandths(bytes / 1_000),
        user + system,
        thousandths(peak_kib * 1_000 / 1_024),
        page_bytes / 1_000
    );
    Ok(())
}

fn thousandths(n: u64) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX)) / 1_000.0
}

/// Fills `to` with copies of large reports; returns their bytes.
fn copy(below: &Path, examples: &Path, to: &Path) -> Result<u64, String> {
    let large = |p: &PathBuf| fs::metadata(p).is_ok_and(|m| BYTES.contains(&m.len()));
    let mut reports: Vec<PathBuf> = files(below, &[".html", ".htm"]).into_iter().filter(large).collect();
    if reports.is_empty() {
        println!("no HTML report of 1 to 1.8 MB below {}: the examples are taken", below.display());
        reports = files(examples, &[".html"]);
    }
    if to.exists() {
        fs::remove_dir_all(to).map_err(|e| format!("{} could not be emptied: {e}", to.display()))?;
    }
    fs::create_dir_all(to).map_err(|e| format!("{} could not be made: {e}", to.display()))?;
    let mut bytes = 0;
    for (number, report) in reports.iter().cycle().take(REPORTS).enumerate() {
        let name = to.join(format!("{number:03}.html"));
        // Read and written, not copied: a report that nobody may change would give files like it.
        let text = fs::read(report).map_err(|e| format!("{} could not be read: {e}", report.display()))?;
        fs::write(&name, &text).map_err(|e| format!("{} could not be written: {e}", name.display()))?;
        bytes += text.len() as u64;
    }
    Ok(bytes)
}

/// User and system time of all programs that this one has run, in seconds.
pub(crate) fn children_s() -> Result<(f64, f64), String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|e| format!("needs Linux: {e}"))?;
    // Fields 16 and 17 of proc(5), in hundredths; counting begins behind the name in brackets.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let times: Vec<f64> = fields.skip(13).take(2).filter_map(|f| f.parse().ok()).collect();
    match times.as_slice() {
        [user, system] => Ok((user / 100.0, system / 100.0)),
        _ => Err("/proc/self/stat holds no times".to_owned()),
    }
}

/// Most memory that a running program has held so far, in KiB.
pub(crate) fn peak(status: &Path) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}
