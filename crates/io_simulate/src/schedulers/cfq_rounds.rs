//! cfq to 2.6.12: a line of requests for each process, by turns; no slices of time, and no waiting for anybody.
//!
//! - A round takes the best request of each process that has one, first of those that have none in the driver, and further
//!   rounds follow at once until there are 4. These go to the driver by place before anything else is looked at.
//! - The best of a process is the nearest to the last request: up to 16 MiB back at twice the cost. At most every 125 ms it
//!   is looked whether the process's oldest has waited for more than 500 ms (5 s a write that nobody waits for); then that
//!   is its best.
//! - Requests are merged with those of the same process alone, from the front; with anybody's, from the back.
//!
//! A process that asks for one thing at a time has nothing queued when its request is done, so the next request is another's:
//! two scans share the arm request by request.
//!
//! Source: cfq-iosched.c of 2.6.9 and 2.6.12 [S]. Left out: that processes are visited by the service they had.

use super::waiting::{Book, LookBack, Waiting, one_way};
use super::{Queued, Scheduler, ms};
use crate::Picoseconds;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfqRoundsSpec {
    /// Requests that rounds gather [S].
    pub quantum: u32,
    /// What somebody waits for goes first after so long [S].
    pub sync_expires: Picoseconds,
    /// What nobody waits for, likewise [S].
    pub async_expires: Picoseconds,
    /// How often that is looked at, for each process [S].
    pub looks: Picoseconds,
    /// The elevator's look back [S].
    pub back: LookBack,
}

impl Default for CfqRoundsSpec {
    fn default() -> Self {
        Self {
            quantum: 4,
            sync_expires: ms(500),
            async_expires: ms(5_000),
            looks: ms(125),
            back: LookBack { bytes: 16 << 20, penalty: 2 },
        }
    }
}

/// Requests of a process.
#[derive(Debug, Default)]
struct Line {
    process: u32,
    waiting: Waiting,
    in_driver: u32,
    /// An expired request was found then.
    found: Option<Picoseconds>,
    has_ended: bool,
}

/// The scheduler.
#[derive(Debug)]
pub struct CfqRounds {
    spec: CfqRoundsSpec,
    book: Book,
    lines: Vec<Line>,
    vacant: Vec<usize>,
    /// Only looked up by number: its order decides nothing.
    numbers: FxHashMap<u32, usize>,
    /// Lines with requests, by turns.
    turns: VecDeque<usize>,
    /// What the last rounds took, by place.
    taken: VecDeque<usize>,
    last_end: u64,
}

impl CfqRounds {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: CfqRoundsSpec) -> Self {
        Self {
            spec,
            book: Book::default(),
            lines: Vec::new(),
            vacant: Vec::new(),
            numbers: FxHashMap::default(),
            turns: VecDeque::new(),
            taken: VecDeque::new(),
            last_end: 0,
        }
    }

    fn line(&mut self, process: u32) -> usize {
        if let Some(number) = self.numbers.get(&process) {
            return *number;
        }
        let line = Line { process, ..Line::default() };
        let number = match self.vacant.pop() {
            Some(number) => {
                self.lines[number] = line;
                number
            }
            None => {
                self.lines.push(line);
                self.lines.len() - 1
            }
        };
        self.numbers.insert(process, number);
        number
    }

    /// Forgets a process that has ended, and has nothing under way.
    fn release(&mut self, number: usize) {
        let line = &self.lines[number];
        if line.has_ended && line.waiting.is_empty() && line.in_driver == 0 {
            self.numbers.remove(&line.process);
            self.vacant.push(number);
        }
    }

    /// Takes the best request of a process.
    fn take(&mut self, now: Picoseconds, number: usize) {
        let spec = self.spec;
        let line = &mut self.lines[number];
        let looks = line.found.is_none_or(|found| found + spec.looks <= now);
        let expired = line.waiting.oldest(&self.book).filter(|id| {
            let entry = self.book.get(*id);
            let expires = if entry.request.is_sync() { spec.sync_expires } else { spec.async_expires };
            looks && entry.since + expires < now
        });
        if expired.is_some() {
            line.found = Some(now);
        }
        if let Some(id) = expired.or_else(|| line.waiting.nearest(self.last_end, spec.back)) {
            line.waiting.take(&mut self.book, id);
            line.in_driver += 1;
            self.last_end = self.book.get(id).request.end;
            self.taken.push_back(id);
        }
    }

    fn rounds(&mut self, now: Picoseconds) {
        let at = self.last_end;
        let mut first = true;
        while !self.turns.is_empty() && (self.taken.len() as u64) < u64::from(self.spec.quantum) {
            for _ in 0..self.turns.len() {
                let Some(number) = self.turns.pop_front() else { break };
                if !first || self.lines[number].in_driver == 0 {
                    self.take(now, number);
                }
                if !self.lines[number].waiting.is_empty() {
                    self.turns.push_back(number);
                }
            }
            first = false;
        }
        one_way(&self.book, at, self.taken.make_contiguous());
    }
}

impl Scheduler for CfqRounds {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        let number = self.line(request.from.process);
        self.book.enter(now, id, request, number);
        let line = &mut self.lines[number];
        line.has_ended = false;
        if line.waiting.is_empty() {
            self.turns.push_back(number);
        }
        line.waiting.add(&self.book, id);
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        let number = self.book.get(id).place;
        self.lines[number].waiting.grown(&mut self.book, id, request);
    }

    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        let entry = self.book.get(id);
        let own = self.lines[entry.place].process == request.from.process;
        self.book.waits(id) && (own || entry.request.end == request.offset)
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        if self.taken.is_empty() {
            self.rounds(now);
        }
        self.taken.pop_front()
    }

    fn wakes(&self) -> Option<Picoseconds> {
        None
    }

    fn done(&mut self, _now: Picoseconds, id: usize) {
        let number = self.book.get(id).place;
        self.lines[number].in_driver = self.lines[number].in_driver.saturating_sub(1);
        self.release(number);
    }

    fn ended(&mut self, _now: Picoseconds, process: u32) {
        if let Some(number) = self.numbers.get(&process).copied() {
            self.lines[number].has_ended = true;
            self.release(number);
        }
    }
}
