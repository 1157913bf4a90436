//! What every modelled device is to its clock.

use crate::Picoseconds;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Takes bytes from the device.
    Read,
    /// Puts bytes onto the device.
    Write,
}

/// A request to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What its owner knows it by; the device hands it back and thinks nothing of it.
    pub tag: u64,
    /// Read or write.
    pub operation: Operation,
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// That of the request.
    pub tag: u64,
    /// When the device was done with it.
    pub at: Picoseconds,
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
    /// Takes a request.
    fn submit(&mut self, now: Picoseconds, request: Request);

    /// When something happens next, if nothing more is submitted; `None` where nothing is under way.
    fn next_event(&self) -> Option<Picoseconds>;

    /// Lets everything happen that happens up to and at `now`, and adds what is done by then, in the
    /// order of its time.
    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>);
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn submit(&mut self, now: Picoseconds, request: Request) {
        (**self).submit(now, request);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        (**self).next_event()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        (**self).advance(now, completed);
    }
}
