//! What cleans up when the process that serves a file is killed.
//!
//! A second process, started before anything is mounted, waits until the pipe from the first closes, be
//! it by its end or its death, and then takes away what is left. It never touches the file.

use crate::{EmulateError, mounts};
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The other process, while it watches.
pub(crate) struct Watchdog(Child);

impl Watchdog {
    pub(crate) fn start(mut command: Command, path: &Path, run: &str) -> Result<Self, EmulateError> {
        command.arg(path).arg(run);
        // Away from the terminal's signals, and from pipes that somebody reads to their end.
        command.process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Self).map_err(|error| {
            EmulateError::Refused(format!(
                "the process that cleans up after a kill could not be started: {error}"
            ))
        })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Waits until standard input ends and takes away what the emulation `run` left at `path`: what the
/// program that [`Order::watchdog`](crate::Order::watchdog) names has to do.
pub fn watch(path: &Path, run: &OsStr) {
    let mut input = std::io::stdin().lock();
    let mut buffer = [0; 16];
    while !matches!(input.read(&mut buffer), Ok(0)) {}
    if let Some(run) = run.to_str() {
        mounts::clear(path, run);
    }
}
