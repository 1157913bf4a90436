//! A device that is watched from outside while it works, and behaves as without.

use crate::{Completion, Device, Origin, Picoseconds, Request};

/// A device, and what is told of it each time it has gone on: the device, the time and what was done.
pub(super) struct Observed<D, F> {
    device: D,
    told: F,
}

impl<D: Device, F: FnMut(&D, Picoseconds, &[Completion])> Observed<D, F> {
    pub(super) fn new(device: D, told: F) -> Self {
        Self { device, told }
    }
}

impl<D: Device, F: FnMut(&D, Picoseconds, &[Completion])> Device for Observed<D, F> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.device.submit(now, tag, request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        self.device.submit_from(now, tag, from, request);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.device.ended(now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.device.next_event()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        let before = completed.len();
        self.device.advance(now, completed);
        (self.told)(&self.device, now, &completed[before..]);
    }
}
