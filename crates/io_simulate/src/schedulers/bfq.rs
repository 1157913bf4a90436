//! bfq of today: budgets of sectors by turns, and a wait for the process whose turn it is.
//!
//! - Each process has a line for what it waits for; what nobody waits for shares one line, and counts three times.
//! - A line's turn ends when its budget of 16 x 1,024 sectors is spent, or after 125 ms.
//! - When it runs empty before, and it is one that is waited for, nothing goes to the driver for up to 8 ms after its last
//!   request: unless the process thinks for longer than that on average, or has ended. For one that goes far (on average
//!   more than 8,192 sectors) the wait is 2 ms.
//! - Next is the line that would end first if all were served side by side, of those that had not had more than their share
//!   by now (B-WF2Q+, all of one weight).
//! - The best of a line is the nearest to its last request: up to 16 MiB back at twice the cost. Once a turn the oldest goes
//!   first, where it has waited for more than 125 ms (250 ms in the shared line).
//!
//! Source: bfq-iosched.c of 5.x [R]; numbers as on the reference's page of schedulers. Left out: weights and their raising for
//! what is interactive, budgets that follow what a process uses, lines that are merged, requests put in for others while a
//! line idles, lines that do not idle because the device is flash.

use super::habits::{Habits, SECTOR};
use super::waiting::{Book, LookBack, Waiting};
use super::{Queued, Scheduler, ms};
use crate::Picoseconds;
use rustc_hash::FxHashMap;

/// Its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BfqSpec {
    /// Sectors of a turn [S].
    pub budget_sectors: u64,
    /// Time of a turn [S].
    pub timeout: Picoseconds,
    /// How long it waits for the next request [S]. Zero: never.
    pub idle: Picoseconds,
    /// Of a process that goes far [R].
    pub far_idle: Picoseconds,
    /// Which goes further than this on average, sectors [R].
    pub far_sectors: u64,
    /// What somebody waits for goes first after so long [S].
    pub sync_expires: Picoseconds,
    /// What nobody waits for, likewise [S].
    pub async_expires: Picoseconds,
    /// How often a sector counts that nobody waits for [R].
    pub async_charge: u64,
    /// The elevator's look back [S].
    pub back: LookBack,
}

impl Default for BfqSpec {
    fn default() -> Self {
        Self {
            budget_sectors: 16 * 1_024,
            timeout: ms(125),
            idle: ms(8),
            far_idle: ms(2),
            far_sectors: 8_192,
            sync_expires: ms(125),
            async_expires: ms(250),
            async_charge: 3,
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
    last_end: u64,
    /// Where its turn would begin and end if all were served side by side, sectors.
    start: u64,
    finish: u64,
    is_busy: bool,
}

/// A turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    line: usize,
    /// From its first request on.
    ends: Option<Picoseconds>,
    /// Sectors so far, as they count.
    served: u64,
    looked: bool,
    idle_until: Option<Picoseconds>,
}

/// The shared line.
const SHARED: usize = 0;

/// The scheduler.
#[derive(Debug)]
pub struct Bfq {
    spec: BfqSpec,
    book: Book,
    lines: Vec<Line>,
    vacant: Vec<usize>,
    /// Only looked up by number: its order decides nothing.
    numbers: FxHashMap<u32, usize>,
    /// Lines with requests, and the one whose turn it is, in the order in which they came.
    busy: Vec<usize>,
    turn: Option<Turn>,
    /// Sectors that each line was entitled to so far.
    virtual_time: u64,
}

impl Bfq {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: BfqSpec) -> Self {
        Self {
            spec,
            book: Book::default(),
            lines: vec![Line::default()],
            vacant: Vec::new(),
            numbers: FxHashMap::default(),
            busy: Vec::new(),
            turn: None,
            virtual_time: 0,
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
        let unused = line.waiting.is_empty() && line.in_driver == 0 && !line.is_busy;
        if let Some(process) = line.process.filter(|_| line.has_ended && unused) {
            self.numbers.remove(&process);
            self.vacant.push(number);
        }
    }

    /// A line has requests again: what it did not use in time is gone.
    fn becomes_busy(&mut self, number: usize) {
        let line = &mut self.lines[number];
        if !line.is_busy {
            line.is_busy = true;
            line.start = line.finish.max(self.virtual_time);
            line.finish = line.start + self.spec.budget_sectors;
            self.busy.push(number);
        }
    }

    fn idle(&self, number: usize) -> Picoseconds {
        let line = &self.lines[number];
        let habits = &line.habits;
        let thinks_long = habits.known() && habits.think.mean() > self.spec.idle.0;
        if number == SHARED || line.has_ended || thinks_long {
            return Picoseconds::ZERO;
        }
        let goes_far = habits.known() && habits.seek.mean() > self.spec.far_sectors;
        if goes_far { self.spec.idle.min(self.spec.far_idle) } else { self.spec.idle }
    }

    fn end_turn(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        let budget = self.spec.budget_sectors;
        let line = &mut self.lines[turn.line];
        // It is charged what it used.
        line.finish = line.start + turn.served;
        if line.waiting.is_empty() {
            line.is_busy = false;
            self.busy.retain(|n| *n != turn.line);
            self.release(turn.line);
        } else {
            line.start = line.finish;
            line.finish = line.start + budget;
        }
    }

    /// Of those that have not had more than their share, the one that would end first.
    fn next_line(&mut self) -> Option<usize> {
        let earliest = self.busy.iter().map(|n| self.lines[*n].start).min()?;
        self.virtual_time = self.virtual_time.max(earliest);
        let now = self.virtual_time;
        let eligible = self.busy.iter().filter(|n| self.lines[**n].start <= now);
        eligible.min_by_key(|n| self.lines[**n].finish).copied()
    }

    fn select(&mut self, now: Picoseconds) -> Option<usize> {
        if let Some(turn) = self.turn {
            let line = &self.lines[turn.line];
            let spent = turn.served >= self.spec.budget_sectors;
            let over = spent || turn.ends.is_some_and(|ends| ends <= now);
            if !line.waiting.is_empty() && !over {
                return Some(turn.line);
            }
            let idle = self.idle(turn.line);
            if line.waiting.is_empty() && !over && idle > Picoseconds::ZERO {
                if line.in_driver > 0 {
                    return None;
                }
                let until = line.habits.last_end.unwrap_or(now) + idle;
                if until > now {
                    self.turn = Some(Turn { idle_until: Some(until), ..turn });
                    return None;
                }
            }
            self.end_turn();
        }
        let line = self.next_line()?;
        self.turn = Some(Turn { line, ends: None, served: 0, looked: false, idle_until: None });
        Some(line)
    }
}

impl Scheduler for Bfq {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        let number = self.line(request);
        self.book.enter(now, id, request, number);
        let longest = Picoseconds(self.spec.idle.0.saturating_mul(2));
        let line = &mut self.lines[number];
        line.has_ended = false;
        if number != SHARED {
            line.habits.asks(now, request, !line.waiting.is_empty(), longest);
        }
        line.waiting.add(&self.book, id);
        self.becomes_busy(number);
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        let number = self.book.get(id).place;
        self.lines[number].waiting.grown(&mut self.book, id, request);
    }

    fn may_merge(&self, id: usize, request: &Queued) -> bool {
        match self.lines[self.book.get(id).place].process {
            Some(process) => request.is_sync() && process == request.from.process,
            None => !request.is_sync(),
        }
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        let number = self.select(now)?;
        let turn = self.turn.as_mut()?;
        let (expires, charge) = match number {
            SHARED => (self.spec.async_expires, self.spec.async_charge),
            _ => (self.spec.sync_expires, 1),
        };
        let line = &mut self.lines[number];
        let oldest = if turn.looked { None } else { line.waiting.expired(&self.book, now, expires) };
        turn.looked = true;
        let id = oldest.or_else(|| line.waiting.nearest(line.last_end, self.spec.back))?;
        line.waiting.take(&mut self.book, id);
        line.in_driver += 1;
        let request = self.book.get(id).request;
        line.last_end = request.end;
        let sectors = (request.end - request.offset).div_ceil(SECTOR) * charge;
        turn.served += sectors;
        turn.ends.get_or_insert(now + self.spec.timeout);
        turn.idle_until = None;
        self.virtual_time += sectors / self.busy.len().max(1) as u64;
        Some(id)
    }

    fn wakes(&self) -> Option<Picoseconds> {
        // Others wait.
        if self.busy.len() > 1 { self.turn.and_then(|turn| turn.idle_until) } else { None }
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
