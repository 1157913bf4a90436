//! What ends an emulation: signals, the death of who started it, an unmount from outside.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, getppid};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// Why an emulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By a signal: Ctrl-C, `kill`, the terminal that closed.
    Asked,
    /// The program that started this one ended.
    ParentDied,
    /// Somebody unmounted the file.
    Unmounted,
    /// After 200 days: picoseconds do not count much further.
    TooLong,
}

/// How often the parent is looked for, in milliseconds.
const LOOK: u16 = 250;

/// 200 days of looks.
const LOOKS: u64 = 200 * 86_400_000 / LOOK as u64;

/// Signals that end, except those that whoever started this process has it ignore (`nohup`).
fn ending() -> SigSet {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
    signals.into_iter().filter(|s| ignored >> (*s as u32 - 1) & 1 == 0).collect()
}

/// Signals held back in this thread and those that it starts, until they are let through.
pub(crate) struct Signals(SigSet);

impl Signals {
    pub(crate) fn hold() -> Self {
        let signals = ending();
        let _ = signals.thread_block();
        Self(signals)
    }

    /// Takes one that came.
    pub(crate) fn came(&self) -> bool {
        let descriptor = SignalFd::with_flags(&self.0, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK);
        descriptor.is_ok_and(|descriptor| matches!(descriptor.read_signal(), Ok(Some(_))))
    }

    /// From now on they end this process at once.
    pub(crate) fn let_through(&self) {
        let _ = self.0.thread_unblock();
    }
}

/// Waits for the first of all that ends an emulation.
pub(crate) fn wait(signals: &Signals, gone: &UnixStream, parent: Option<Pid>) -> Ended {
    let descriptor = SignalFd::with_flags(&signals.0, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK);
    for _ in 0..LOOKS {
        let mut sources = vec![PollFd::new(gone.as_fd(), PollFlags::POLLIN)];
        sources.extend(descriptor.iter().map(|d| PollFd::new(d.as_fd(), PollFlags::POLLIN)));
        match poll(&mut sources, PollTimeout::from(LOOK)) {
            Ok(0) | Err(Errno::EINTR) => {}
            Ok(_) if sources[0].any() == Some(true) => return Ended::Unmounted,
            Ok(_) => {
                // Taken, so that it does not end the process when signals are let through.
                while let Ok(descriptor) = &descriptor
                    && let Ok(Some(_)) = descriptor.read_signal()
                {}
                return Ended::Asked;
            }
            Err(_) => return Ended::Asked,
        }
        if parent.is_some_and(|parent| getppid() != parent) {
            return Ended::ParentDied;
        }
    }
    Ended::TooLong
}
