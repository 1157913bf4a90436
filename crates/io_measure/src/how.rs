//! How a run is made, and what its owner sees of it while it goes on.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What makes the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The one with the least cost that the kernel allows.
    #[default]
    Auto,
    /// `io_uring`: one thread a stream, however many requests are under way.
    IoUring,
    /// `pread` and `pwrite`: one thread for each request under way.
    Sync,
    /// Nothing: every request is done at once and the target is not touched. What is measured is our own
    /// cost.
    Null,
}

/// How a run is made; what it does is the job's.
#[derive(Clone, Debug)]
pub struct How {
    /// What makes the requests.
    pub engine: Engine,
    /// How long requests under way at the end are waited for. A run returns soon after, whatever a device
    /// does.
    pub patience: Duration,
}

impl Default for How {
    fn default() -> Self {
        Self { engine: Engine::Auto, patience: Duration::from_secs(5) }
    }
}

impl How {
    /// By this engine, all else as usual.
    #[must_use]
    pub fn by(engine: Engine) -> Self {
        Self { engine, ..Self::default() }
    }
}

/// Who watches a run.
pub struct Watch<'a> {
    /// Ends the run early, with what was measured.
    pub stop: &'a AtomicBool,
    /// Is called about four times a second, from the thread that called for the run.
    pub see: Option<&'a mut dyn FnMut(&Progress)>,
    /// Is called once all is set up and nothing is asked of the targets any more; the clock starts when it returns.
    /// Where it says why not, nothing is run.
    pub gate: Option<&'a mut dyn FnMut() -> Result<(), String>>,
}

impl<'a> Watch<'a> {
    /// Somebody who may stop the run and wants to see nothing.
    #[must_use]
    pub fn stopping(stop: &'a AtomicBool) -> Self {
        Self { stop, see: None, gate: None }
    }

    /// Somebody who may stop the run and sees it go on.
    #[must_use]
    pub fn seeing(stop: &'a AtomicBool, see: &'a mut dyn FnMut(&Progress)) -> Self {
        Self { stop, see: Some(see), gate: None }
    }
}

/// How far a run has come, over all of its streams.
///
/// Unit: in the names. Missing: figures of a stretch in which nothing was done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Since the warm-up ended; while it lasts, since the run began.
    pub elapsed_s: f64,
    /// Nothing counts yet.
    pub warming_up: bool,
    /// How much of the job is done, from 0 to 1; `None` where it ends by the width of an interval alone.
    pub share: Option<f64>,
    /// Requests done and counted so far.
    pub ios: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Requests that failed so far.
    pub errors: u64,
    /// Requests under way.
    pub under_way: u64,
    /// Requests a second since the last look.
    pub iops: f64,
    /// 10^6 bytes a second since the last look.
    pub mbps: f64,
    /// 99 of 100 requests since the last look took no longer.
    pub p99_us: Option<f64>,
}
