//! Processes on volumes: who asks, waits, computes, sleeps and tells others, and the loop that lets them.
//!
//! A [`Process`] is a state machine. Each time it goes on it may ask volumes for requests and tell other processes
//! something, and then says what it waits for ([`Then`]). A [`Simulation`] runs many of them on several volumes:
//!
//! - what happens at one time happens in this order: volumes by their number, then timers and processors in the order
//!   in which they were set, then the processes in the order in which what they wait for came about;
//! - volumes hear who asks and whether somebody waits ([`crate::Origin`]), and who has ended;
//! - computing takes a processor if there are so many only: first come, first served, each kept to the end of what is
//!   computed (a time slice is left out);
//! - telling takes no time.
//!
//! Nothing is drawn by chance here: who draws has a [`crate::Seeded`] of its own. All is bounded: what would go on without end
//! at one time, wait for what nobody brings, or pile up, ends with a [`Fault`].

mod core;
mod found;
mod run;
#[cfg(test)]
mod tests;

pub use self::core::{Host, Told};
pub use found::{Found, Logged, ProcessFound, Spent, StreamFound};
pub use run::{Fault, Simulation};

use crate::{Picoseconds, Request};

/// What a simulation runs: a reader, a writer, a session, a server.
pub trait Process {
    /// Goes on until it waits for something; called at its beginning and each time what it waited for has come about.
    fn go_on(&mut self, host: &mut Host) -> Then;
}

impl<F: FnMut(&mut Host) -> Then> Process for F {
    fn go_on(&mut self, host: &mut Host) -> Then {
        self(host)
    }
}

/// What a process waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// At most so many of its requests are under way: 0 waits for all, a depth less one for room.
    AtMost(u32),
    /// This request is done.
    Done(Ticket),
    /// Somebody tells it something, or has.
    Told,
    /// This time has come.
    Until(Picoseconds),
    /// It has computed for so long, on a processor.
    Compute(Picoseconds),
    /// The first of several.
    First(First),
    /// Nothing any more. It is over when the requests that it still has under way are done.
    Ended,
}

impl Then {
    /// All of its requests are done.
    pub const ALL_DONE: Self = Self::AtMost(0);
}

/// Several things of which the first one lets a process go on; with none of them it goes on at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// At most so many of its requests are under way.
    pub at_most: Option<u32>,
    /// Somebody tells it something, or has.
    pub told: bool,
    /// This time has come.
    pub by: Option<Picoseconds>,
}

/// A request that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    slot: usize,
    number: u64,
}

/// A stream of results: where latencies are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(usize);

impl StreamId {
    /// Its number, from 0 in the order in which streams were made: that of the results.
    #[must_use]
    pub fn number(self) -> usize {
        self.0
    }
}

/// A request to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Number of the volume, from 0.
    pub volume: usize,
    /// Where its latency is recorded.
    pub stream: StreamId,
    /// What is asked.
    pub request: Request,
    /// Somebody waits for it, as volumes are told.
    pub waits: bool,
    /// From when its latency counts; `None` from now.
    pub since: Option<Picoseconds>,
}

impl Ask {
    /// A request that somebody waits for.
    #[must_use]
    pub fn new(volume: usize, stream: StreamId, request: Request) -> Self {
        Self { volume, stream, request, waits: true, since: None }
    }

    /// Nobody waits for it: a writer of dirty pages, a read ahead.
    #[must_use]
    pub fn unawaited(self) -> Self {
        Self { waits: false, ..self }
    }

    /// Latency counts from an intended start.
    #[must_use]
    pub fn since(self, at: Picoseconds) -> Self {
        Self { since: Some(at), ..self }
    }
}
