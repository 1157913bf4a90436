//! cfq from 2.6.13 to 2.6.18: slices of time by turns, and a wait for the process whose slice it is.
//!
//! - Each process has a line for what it waits for; what nobody waits for shares one line.
//! - A line's turn is a slice of 100 ms, from its first request on; of 40 ms and at most 16 requests for the shared one.
//! - When the line runs empty within its slice, and it is one that is waited for, nothing goes to the driver for up to 8 ms
//!   after its last request: unless the process thinks for longer than that on average, or has ended. For one that goes
//!   more than 64 MiB on average the wait is 2 ms.
//! - Up to 4 requests at a time go to the driver, by place.
//! - The best of a line is the nearest to the last request: up to 16 MiB back at twice the cost. Once a turn the oldest goes
//!   first, where it has waited for more than 125 ms (250 ms in the shared line).
//! - A request that somebody waits for ends the turn of the shared line.
//!
//! Source: cfq-iosched.c of these versions [R]; numbers as on the reference's page of schedulers. Left out: priorities,
//! what is left of a slice that was given up, several lines of one process group.

use super::habits::Habits;
use super::waiting::{Book, LookBack, Waiting, one_way};
use super::{Queued, Scheduler, ms};
use crate::Picoseconds;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfqSlicesSpec {
    /// Slice of a process [R].
    pub sync_slice: Picoseconds,
    /// Slice of what nobody waits for [R].
    pub async_slice: Picoseconds,
    /// Requests of that slice, at most [R].
    pub async_requests: u32,
    /// How long it waits for the next request [R]. Zero: never.
    pub idle: Picoseconds,
    /// Of a process that goes far [R].
    pub far_idle: Picoseconds,
    /// Which goes further than this on average, bytes [R].
    pub far: u64,
    /// Requests that go to the driver at a time [R].
    pub quantum: u32,
    /// What somebody waits for goes first after so long [R].
    pub sync_expires: Picoseconds,
    /// What nobody waits for, likewise [R].
    pub async_expires: Picoseconds,
    /// The elevator's look back [R].
    pub back: LookBack,
}

impl Default for CfqSlicesSpec {
    fn default() -> Self {
        Self {
            sync_slice: ms(100),
            async_slice: ms(40),
            async_requests: 16,
            idle: ms(8),
            far_idle: ms(2),
            far: 64 << 20,
            quantum: 4,
            sync_expires: ms(125),
            async_expires: ms(250),
            back: LookBack { bytes: 16 << 20, penalty: 2 },
        }
    }
}

/// Requests of a process, or those that nobody waits for.
#[derive(Debug, Default)]
struct Line {
    /// `None` of the shared one.
    process: Option<u32>,
    waiting: Waiting,
    in_driver: u32,
    habits: Habits,
    has_ended: bool,
}

/// A turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    line: usize,
    /// From the first request on.
    ends: Option<Picoseconds>,
    requests: u32,
    /// The oldest was looked at.
    looked: bool,
    /// Until when it waits for the next request of the line.
    idle_until: Option<Picoseconds>,
}

/// The shared line.
const SHARED: usize = 0;

/// The scheduler.
#[derive(Debug)]
pub struct CfqSlices {
    spec: CfqSlicesSpec,
    book: Book,
    lines: Vec<Line>,
    vacant: Vec<usize>,
    /// Only looked up by number: its order decides nothing.
    numbers: FxHashMap<u32, usize>,
    /// Lines with requests whose turn it is not.
    turns: VecDeque<usize>,
    turn: Option<Turn>,
    /// What was taken for the driver, by place.
    taken: VecDeque<usize>,
    last_end: u64,
}

impl CfqSlices {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: CfqSlicesSpec) -> Self {
        Self {
            spec,
            book: Book::default(),
            lines: vec![Line::default()],
            vacant: Vec::new(),
            numbers: FxHashMap::default(),
            turns: VecDeque::new(),
            turn: None,
            taken: VecDeque::new(),
            last_end: 0,
        }
    }

    fn line(&mut self, request: &Queued) -> usize {
        if !request.is_sync() {
            return SHARED;
        }
        let process = request.from.process;
        if let Some(number) = self.numbers.get(&process) {
            return *number;
        }
        let line = Line { process: Some(process), ..Line::default() };
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
        let unused = line.waiting.is_empty() && line.in_driver == 0;
        if let Some(process) = line.process
            && line.has_ended
            && unused
            && self.turn.is_none_or(|turn| turn.line != number)
        {
            self.numbers.remove(&process);
            self.vacant.push(number);
        }
    }

    /// How long it is worth to wait for the next request of a line.
    fn idle(&self, number: usize) -> Picoseconds {
        let line = &self.lines[number];
        let habits = &line.habits;
        let thinks_long = habits.known() && habits.think.mean() > self.spec.idle.0;
        if number == SHARED || line.has_ended || thinks_long {
            return Picoseconds::ZERO;
        }
        let goes_far = habits.known() && habits.seek.mean().saturating_mul(512) > self.spec.far;
        if goes_far { self.spec.idle.min(self.spec.far_idle) } else { self.spec.idle }
    }

    fn end_turn(&mut self) {
        if let Some(turn) = self.turn.take() {
            if self.lines[turn.line].waiting.is_empty() {
                self.release(turn.line);
            } else {
                self.turns.push_back(turn.line);
            }
        }
    }

    /// Whose turn it is now; `None` where none has requests, or it is waited for one.
    fn select(&mut self, now: Picoseconds) -> Option<usize> {
        if let Some(turn) = self.turn {
            let line = &self.lines[turn.line];
            let over = turn.ends.is_some_and(|ends| ends <= now);
            let all = turn.line == SHARED && turn.requests >= self.spec.async_requests;
            // A request for which it was waited goes, even if the slice ended meanwhile.
            if !line.waiting.is_empty() && !all && (!over || turn.idle_until.is_some()) {
                return Some(turn.line);
            }
            let idle = self.idle(turn.line);
            if line.waiting.is_empty() && !over && idle > Picoseconds::ZERO {
                if line.in_driver > 0 {
                    return None;
                }
                let since = line.habits.last_end.unwrap_or(now);
                let until = (since + idle).min(turn.ends.unwrap_or(Picoseconds::MAX));
                if until > now {
                    self.turn = Some(Turn { idle_until: Some(until), ..turn });
                    return None;
                }
            }
            self.end_turn();
        }
        let line = self.turns.pop_front()?;
        self.turn = Some(Turn { line, ends: None, requests: 0, looked: false, idle_until: None });
        Some(line)
    }

    /// Takes up to a quantum of requests of a line.
    fn take(&mut self, now: Picoseconds, number: usize) {
        let Some(turn) = &mut self.turn else { return };
        let (expires, slice) = match number {
            SHARED => (self.spec.async_expires, self.spec.async_slice),
            _ => (self.spec.sync_expires, self.spec.sync_slice),
        };
        let at = self.last_end;
        let line = &mut self.lines[number];
        for _ in 0..self.spec.quantum.max(1) {
            let expired = match turn.looked {
                true => None,
                false => line.waiting.expired(&self.book, now, expires),
            };
            turn.looked = true;
            let nearest = || line.waiting.nearest(self.last_end, self.spec.back);
            let Some(id) = expired.or_else(nearest) else { break };
            line.waiting.take(&mut self.book, id);
            line.in_driver += 1;
            turn.requests += 1;
            self.last_end = self.book.get(id).request.end;
            self.taken.push_back(id);
        }
        turn.ends.get_or_insert(now + slice);
        turn.idle_until = None;
        one_way(&self.book, at, self.taken.make_contiguous());
    }
}

impl Scheduler for CfqSlices {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        let number = self.line(request);
        self.book.enter(now, id, request, number);
        let longest = Picoseconds(self.spec.idle.0.saturating_mul(2));
        let line = &mut self.lines[number];
        line.has_ended = false;
        if number != SHARED {
            line.habits.asks(now, request, !line.waiting.is_empty(), longest);
        }
        let turn = self.turn.map(|turn| turn.line);
        if line.waiting.is_empty() && turn != Some(number) {
            self.turns.push_back(number);
        }
        line.waiting.add(&self.book, id);
        if turn == Some(SHARED) && number != SHARED {
            self.end_turn();
            // Who waits goes before.
            if let Some(at) = self.turns.iter().position(|n| *n == number) {
                self.turns.remove(at);
                self.turns.push_front(number);
            }
        }
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        let number = self.book.get(id).place;
        self.lines[number].waiting.grown(&mut self.book, id, request);
    }

    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        let own = match self.lines[self.book.get(id).place].process {
            Some(process) => request.is_sync() && process == request.from.process,
            None => !request.is_sync(),
        };
        own && self.book.waits(id)
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        if self.taken.is_empty() {
            let number = self.select(now)?;
            self.take(now, number);
        }
        self.taken.pop_front()
    }

    fn wakes(&self) -> Option<Picoseconds> {
        if self.turns.is_empty() { None } else { self.turn.and_then(|turn| turn.idle_until) }
    }

    fn done(&mut self, now: Picoseconds, id: usize) {
        let number = self.book.get(id).place;
        let line = &mut self.lines[number];
        line.in_driver = line.in_driver.saturating_sub(1);
        line.habits.last_end = Some(now);
        self.release(number);
    }

    fn ended(&mut self, _now: Picoseconds, process: u32) {
        let Some(number) = self.numbers.get(&process).copied() else { return };
        self.lines[number].has_ended = true;
        if self.turn.is_some_and(|turn| turn.line == number)
            && self.lines[number].waiting.is_empty()
            && self.lines[number].in_driver == 0
        {
            self.end_turn();
        } else {
            self.release(number);
        }
    }
}
