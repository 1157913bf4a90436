//! I/O schedulers of Linux: which of the waiting requests goes to the driver next, or none yet. One a file.
//!
//! | kernel | schedulers |
//! |---|---|
//! | 2.6 | [`Noop`], [`Deadline`], [`Anticipatory`], [`CfqRounds`] to 2.6.12, [`CfqSlices`] from 2.6.13 to 2.6.18 |
//! | today | none (which is [`Noop`] behind another plug), [`MqDeadline`], [`Kyber`], [`Bfq`] |
//!
//! A scheduler knows requests by a number, where they lie, who sent them and the time; it has no device. What plugs and
//! merges before it and holds so many requests behind it is [`crate::BlockLayer`].
//!
//! Marks of numbers: [S] a source was read, the kernel's own text of that version; [R] well known, from the literature,
//! not checked again. Time goes on evenly here, while the kernel of 2.6 counts ticks of 1 to 10 ms.

mod anticipatory;
mod bfq;
mod cfq_rounds;
mod cfq_slices;
mod deadline;
mod habits;
mod kyber;
mod mq_deadline;
mod noop;
#[cfg(test)]
mod tests;
mod waiting;

pub use anticipatory::{Anticipatory, AnticipatorySpec};
pub use bfq::{Bfq, BfqSpec};
pub use cfq_rounds::{CfqRounds, CfqRoundsSpec};
pub use cfq_slices::{CfqSlices, CfqSlicesSpec};
pub use deadline::{Deadline, DeadlineSpec};
pub use kyber::{Kyber, KyberSpec};
pub use mq_deadline::{Class, MqDeadline, MqDeadlineSpec};
pub use noop::Noop;
pub use waiting::LookBack;

use crate::{Operation, Origin, Picoseconds};

/// A request as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// What it does.
    pub operation: Operation,
    /// First byte on the device.
    pub offset: u64,
    /// First byte after it.
    pub end: u64,
    /// Who sent it; where several were merged, who sent the first.
    pub from: Origin,
}

impl Queued {
    /// Somebody waits for it: every read, and writes that are said to be waited for.
    #[must_use]
    pub fn is_sync(&self) -> bool {
        self.operation == Operation::Read || self.from.waits
    }
}

/// Decides which request is next. Requests are known by the number with which they came, until they are done.
pub trait Scheduler: std::fmt::Debug + Send {
    /// A request has come.
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued);

    /// A waiting request begins earlier or ends later than it did: another one was merged into it.
    fn grown(&mut self, id: usize, request: &Queued);

    /// Whether a request of somebody may become part of one that waits.
    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        let _ = (id, request);
        true
    }

    /// The next request for the driver, which has room. `None` where none waits, or where those that wait are held
    /// back: until another comes, one is done, or [`Scheduler::wakes`].
    fn next(&mut self, now: Picoseconds) -> Option<usize>;

    /// When requests that are held back may go, if nothing else happens.
    fn wakes(&self) -> Option<Picoseconds>;

    /// A request that the driver had is done.
    fn done(&mut self, now: Picoseconds, id: usize);

    /// A process has ended.
    fn ended(&mut self, now: Picoseconds, process: u32) {
        let _ = (now, process);
    }
}

impl<S: Scheduler + ?Sized> Scheduler for Box<S> {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        (**self).add(now, id, request);
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        (**self).grown(id, request);
    }

    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        (**self).may_merge(id, request)
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        (**self).next(now)
    }

    fn wakes(&self) -> Option<Picoseconds> {
        (**self).wakes()
    }

    fn done(&mut self, now: Picoseconds, id: usize) {
        (**self).done(now, id);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        (**self).ended(now, process);
    }
}

/// A scheduler with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum SchedulerSpec {
    /// First come, first served: noop of 2.6, none of today.
    Noop,
    /// deadline of 2.6.
    Deadline(DeadlineSpec),
    /// anticipatory of 2.6.
    Anticipatory(AnticipatorySpec),
    /// cfq to 2.6.12.
    CfqRounds(CfqRoundsSpec),
    /// cfq from 2.6.13 to 2.6.18.
    CfqSlices(CfqSlicesSpec),
    /// mq-deadline of today.
    MqDeadline(MqDeadlineSpec),
    /// kyber of today.
    Kyber(KyberSpec),
    /// bfq of today.
    Bfq(BfqSpec),
}

impl SchedulerSpec {
    /// The scheduler.
    #[must_use]
    pub fn build(&self) -> Box<dyn Scheduler> {
        match self {
            Self::Noop => Box::new(Noop::default()),
            Self::Deadline(spec) => Box::new(Deadline::new(*spec)),
            Self::Anticipatory(spec) => Box::new(Anticipatory::new(*spec)),
            Self::CfqRounds(spec) => Box::new(CfqRounds::new(*spec)),
            Self::CfqSlices(spec) => Box::new(CfqSlices::new(*spec)),
            Self::MqDeadline(spec) => Box::new(MqDeadline::new(spec.clone())),
            Self::Kyber(spec) => Box::new(Kyber::new(*spec)),
            Self::Bfq(spec) => Box::new(Bfq::new(*spec)),
        }
    }
}

/// So many milliseconds.
const fn ms(ms: u64) -> Picoseconds {
    Picoseconds(ms * 1_000_000_000)
}
