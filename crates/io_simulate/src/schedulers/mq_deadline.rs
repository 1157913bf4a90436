//! mq-deadline of today: deadline's numbers, batches that need not be sequential, and classes of processes.
//!
//! - A batch is 16 requests of one way, by place; only then it is asked who has waited.
//! - A new batch begins where the last one of its way ended, or with the request that has waited the longest: where that
//!   has waited for more than 500 ms (a read) or 5 s (a write), or nothing lies further on.
//! - Reads go before writes, which are passed over twice.
//! - Of processes in three classes the highest goes first; what a lower class has waited for 10 s goes before all.
//!
//! Source: mq-deadline.c of 5.16 and later [R]. Left out: the share of the queue that writes which nobody waits for may fill.

use super::deadline::way;
use super::waiting::{Book, Waiting};
use super::{DeadlineSpec, Queued, Scheduler, ms};
use crate::Picoseconds;

/// Class of a process, as `ionice` sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// First of all.
    RealTime,
    /// The others.
    BestEffort,
    /// When nobody else asks.
    Idle,
}

/// Its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MqDeadlineSpec {
    /// Those that it has from deadline.
    pub deadline: DeadlineSpec,
    /// What a lower class has waited for so long goes first [R].
    pub ageing: Picoseconds,
    /// Processes of another class than [`Class::BestEffort`].
    pub classes: Vec<(u32, Class)>,
}

impl Default for MqDeadlineSpec {
    fn default() -> Self {
        Self { deadline: DeadlineSpec::default(), ageing: ms(10_000), classes: Vec::new() }
    }
}

/// Requests of a class.
#[derive(Debug, Default)]
struct OfClass {
    waiting: [Waiting; 2],
    /// Where the last request of each way ended.
    at: [u64; 2],
}

impl OfClass {
    fn is_empty(&self) -> bool {
        self.waiting.iter().all(Waiting::is_empty)
    }
}

/// The scheduler.
#[derive(Debug)]
pub struct MqDeadline {
    spec: MqDeadlineSpec,
    book: Book,
    classes: [OfClass; 3],
    way: usize,
    batched: u32,
    passed_over: u32,
}

impl MqDeadline {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: MqDeadlineSpec) -> Self {
        Self {
            spec,
            book: Book::default(),
            classes: <[OfClass; 3]>::default(),
            way: 0,
            batched: 0,
            passed_over: 0,
        }
    }

    fn class(&self, process: u32) -> Class {
        let found = self.spec.classes.iter().find(|(p, _)| *p == process);
        found.map_or(Class::BestEffort, |(_, class)| *class)
    }

    /// The next of a class, of those alone that came by a time.
    fn of_class(&mut self, class: usize, now: Picoseconds, by: Option<Picoseconds>) -> Option<usize> {
        let spec = &self.spec.deadline;
        let OfClass { waiting, at } = &mut self.classes[class];
        let following = waiting[self.way].at_or_after(at[self.way]);
        let in_batch = following.filter(|_| self.batched < spec.batch);
        let (way, id, goes_on) = match in_batch {
            Some(id) => (self.way, id, true),
            None => {
                let way = match (waiting[0].is_empty(), waiting[1].is_empty()) {
                    (true, true) => return None,
                    (false, true) => 0,
                    (true, false) => 1,
                    (false, false) => usize::from(self.passed_over >= spec.writes_starved),
                };
                let expires = if way == 0 { spec.read_expires } else { spec.write_expires };
                let further = waiting[way].at_or_after(at[way]);
                let expired = waiting[way].expired(&self.book, now, expires);
                let id = expired.or(further).or_else(|| waiting[way].oldest(&self.book))?;
                (way, id, false)
            }
        };
        if by.is_some_and(|by| self.book.get(id).since > by) {
            return None;
        }
        if !goes_on {
            let both = waiting.iter().all(|w| !w.is_empty());
            self.passed_over = if way == 0 { self.passed_over + u32::from(both) } else { 0 };
            self.way = way;
            self.batched = 0;
        }
        self.batched += 1;
        at[way] = self.book.get(id).request.end;
        waiting[way].take(&mut self.book, id);
        Some(id)
    }
}

impl Scheduler for MqDeadline {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        let class = self.class(request.from.process) as usize;
        self.book.enter(now, id, request, class);
        self.classes[class].waiting[way(request)].add(&self.book, id);
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        let class = self.book.get(id).place;
        self.classes[class].waiting[way(request)].grown(&mut self.book, id, request);
    }

    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        self.book.get(id).place == self.class(request.from.process) as usize
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        let busy = self.classes.iter().filter(|c| !c.is_empty()).count();
        if busy > 1 && now >= self.spec.ageing {
            let by = now - self.spec.ageing;
            for class in [Class::BestEffort as usize, Class::Idle as usize] {
                if let Some(aged) = self.of_class(class, now, Some(by)) {
                    return Some(aged);
                }
            }
        }
        (0..3).find_map(|class| self.of_class(class, now, None))
    }

    fn wakes(&self) -> Option<Picoseconds> {
        None
    }

    fn done(&mut self, _now: Picoseconds, _id: usize) {}
}
