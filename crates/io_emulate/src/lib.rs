//! Serves a modelled device as one real file, in real time.
//!
//! A [`Device`](spindle_io_simulate::Device) says when each request is done; an [`Emulation`] mounts a
//! file system of one file, through FUSE, over the file that was asked for, and answers each request
//! at that time. Programs open it, drive it at any depth, put a loop device and a file system on it,
//! and meet the device. Bytes written are kept and read back.
//!
//! What it takes beyond the model is told by [`Lateness`]. Page cache and read-ahead are out: all I/O
//! on the file is direct, whoever opens it. A request above 1 MiB reaches the device in pieces of
//! that, as disks have it too.
//!
//! Linux only; elsewhere an emulation cannot be started and says so.

mod error;
mod lateness;

#[cfg(target_os = "linux")]
mod emulation;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod file;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod pacer;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod store;
#[cfg(target_os = "linux")]
mod watchdog;

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod emulation;
#[cfg(not(target_os = "linux"))]
pub use emulation::watch;

pub use emulation::{Emulation, Ended, HeldSignals, Parent};
pub use error::EmulateError;
pub use lateness::Lateness;
#[cfg(target_os = "linux")]
pub use watchdog::watch;

use std::path::PathBuf;
use std::process::Command;

/// What is to be served, and where.
#[derive(Debug)]
pub struct Order {
    /// The file that appears. Nothing may be there, except what an emulation left.
    pub at: PathBuf,
    /// Size of the device, in whole sectors of 512 bytes.
    pub size_bytes: u64,
    /// Where what is written is kept.
    pub content: Content,
    /// A program that calls [`watch`] with the two arguments that are added to it; it cleans up if this
    /// process is killed. `None`: only the end of the [`Emulation`] cleans up.
    pub watchdog: Option<Command>,
    /// Put a loop device over the file (root only).
    pub loop_device: bool,
}

/// Where what is written to an emulated device is kept. What was never written is zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// In memory, up to so many bytes; beyond, the device has no space left.
    Memory {
        /// Most that is kept.
        bytes: u64,
    },
    /// In a file without a name in this folder, gone with the emulation. Its file system keeps a twentieth
    /// free; beyond, the device has no space left.
    Folder(PathBuf),
}
