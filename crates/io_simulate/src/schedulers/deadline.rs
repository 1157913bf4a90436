//! deadline of 2.6: batches in the order of place, and none waits for ever.
//!
//! - Reads go before writes; where writes wait they are passed over twice, and then it is their turn.
//! - Within a way requests go by place, upwards, and from the lowest again.
//! - A batch goes on without asking who has waited while the next request begins where the last one ended, for 16
//!   requests. After that, and after every other request, the one that has waited the longest of its way goes first
//!   if it has waited longer than 500 ms (a read) or 5 s (a write).
//!
//! Source: deadline-iosched.c before 2.6.24, which let batches go on that are not sequential [R]; numbers as on the
//! reference's page of schedulers.

use super::waiting::{Book, Waiting};
use super::{Queued, Scheduler, ms};
use crate::{Operation, Picoseconds};

/// Its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadlineSpec {
    /// A read that has waited so long goes first [R].
    pub read_expires: Picoseconds,
    /// A write likewise [R].
    pub write_expires: Picoseconds,
    /// How often reads go before writes that wait [R].
    pub writes_starved: u32,
    /// Requests of a batch [R].
    pub batch: u32,
}

impl Default for DeadlineSpec {
    fn default() -> Self {
        Self { read_expires: ms(500), write_expires: ms(5_000), writes_starved: 2, batch: 16 }
    }
}

/// Reads are way 0, writes way 1.
pub(super) fn way(request: &Queued) -> usize {
    usize::from(request.operation == Operation::Write)
}

/// The scheduler.
#[derive(Debug)]
pub struct Deadline {
    spec: DeadlineSpec,
    book: Book,
    waiting: [Waiting; 2],
    /// What follows the last request on its way.
    following: Option<usize>,
    last_end: u64,
    batched: u32,
    passed_over: u32,
}

impl Deadline {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: DeadlineSpec) -> Self {
        Self {
            spec,
            book: Book::default(),
            waiting: <[Waiting; 2]>::default(),
            following: None,
            last_end: 0,
            batched: 0,
            passed_over: 0,
        }
    }

    fn choose(&mut self, now: Picoseconds) -> Option<usize> {
        if let Some(next) = self.following {
            if self.book.get(next).request.offset != self.last_end {
                self.batched = self.batched.saturating_add(self.spec.batch);
            }
            if self.batched < self.spec.batch {
                return Some(next);
            }
        }
        let way = match (self.waiting[0].is_empty(), self.waiting[1].is_empty()) {
            (true, true) => return None,
            (false, true) => 0,
            (true, false) => 1,
            (false, false) => {
                self.passed_over += 1;
                usize::from(self.passed_over > self.spec.writes_starved)
            }
        };
        let expires = if way == 0 { self.spec.read_expires } else { self.spec.write_expires };
        if way == 1 {
            self.passed_over = 0;
        }
        if let Some(expired) = self.waiting[way].expired(&self.book, now, expires) {
            self.batched = 0;
            return Some(expired);
        }
        if let Some(next) = self.following.filter(|id| self.book.get(*id).place == way) {
            return Some(next);
        }
        self.batched = 0;
        self.waiting[way].first()
    }
}

impl Scheduler for Deadline {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        let way = way(request);
        self.book.enter(now, id, request, way);
        self.waiting[way].add(&self.book, id);
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        self.waiting[way(request)].grown(&mut self.book, id, request);
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        let id = self.choose(now)?;
        self.batched = self.batched.saturating_add(1);
        let entry = self.book.get(id);
        let way = entry.place;
        self.last_end = entry.request.end;
        self.following = self.waiting[way].behind(&self.book, id);
        self.waiting[way].take(&mut self.book, id);
        Some(id)
    }

    fn wakes(&self) -> Option<Picoseconds> {
        None
    }

    fn done(&mut self, _now: Picoseconds, _id: usize) {}
}
