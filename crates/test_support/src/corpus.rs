//! The real reports beside the workspace, and how a test says that it was skipped.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Folder of the corpus of real reports: beside the workspace, or beside its parent. Where it is
/// absent the test is skipped, and says so.
#[must_use]
pub fn corpus() -> Option<PathBuf> {
    beside("corpus")
}

/// Folder of the measured drives, likewise.
#[must_use]
pub fn validation() -> Option<PathBuf> {
    beside("validation")
}

fn beside(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = ["../shared", "../../shared"].map(|place| root.join(place).join(name));
    let found = places.into_iter().find(|place| place.is_dir());
    if found.is_none() {
        skipped(&format!("there is no ../shared/{name}"));
    }
    found
}

/// Says that the running test is skipped, past the test harness, which keeps the output of tests
/// that pass to itself.
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
}
