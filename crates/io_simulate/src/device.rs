//! What every modelled device is to its clock.

use crate::Picoseconds;
use spindle_workload::Request;

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// That with which it was submitted.
    pub tag: u64,
    /// When the device was done with it.
    pub at: Picoseconds,
}

/// Who asks: what a scheduler knows of a request besides the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Number of the process.
    pub process: u32,
    /// Somebody waits for it: reads, and writes that must be on the device (`O_DIRECT`, `O_DSYNC`). What a
    /// writer of dirty pages sends later is waited for by nobody.
    pub waits: bool,
}

impl Default for Origin {
    /// One process that waits.
    fn default() -> Self {
        Self { process: 0, waits: true }
    }
}

/// A device that is told the time.
///
/// The clock is whoever calls: it submits requests at their time, asks when something happens next,
/// lets that time come and calls `advance`. Times given never go back; where one does, because two
/// threads ask, the device takes it for the latest it was told.
///
/// The events depend on the requests and their times alone, not on how often `advance` is called in
/// between; what happens at one time happens in the order in which it was submitted.
pub trait Device {
    /// Takes a request. The tag is what its owner knows it by; it is handed back and decides nothing.
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request);

    /// Takes a request of somebody. Devices do not care; what holds back or reorders requests by who sent
    /// them, and whatever hands requests on to such, does.
    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        let _ = from;
        self.submit(now, tag, request);
    }

    /// A process has ended and will ask for nothing more.
    fn ended(&mut self, now: Picoseconds, process: u32) {
        let _ = (now, process);
    }

    /// When something happens next, if nothing more is submitted; `None` where nothing is under way.
    fn next_event(&self) -> Option<Picoseconds>;

    /// Lets everything happen that happens up to and at `now`, and adds what is done by then, in the
    /// order of its time.
    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>);
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        (**self).submit(now, tag, request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        (**self).submit_from(now, tag, from, request);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        (**self).ended(now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        (**self).next_event()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        (**self).advance(now, completed);
    }
}
