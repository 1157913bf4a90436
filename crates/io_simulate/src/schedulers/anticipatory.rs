//! anticipatory of 2.6: after a read it waits a moment for the next read of the same process, which lies close by.
//!
//! ```text
//! read goes to the driver ─► waits for its end ─► waits for the process's next request, 6 ms at most ─► goes on
//! ```
//!
//! While it waits nothing goes to the driver, so one read at a time is there. It does not wait, or stops waiting, when
//!
//! - the same process asks;
//! - the time is up;
//! - the process has ended;
//! - the process has further requests queued (those that the driver has are not counted);
//! - another process asks close by: within 32 KiB at first, twice as far with each millisecond of waiting;
//! - the process thinks for longer than that on average (of a new one: processes did so far);
//! - another's request is nearer than the process goes on average.
//!
//! Reads, and writes that somebody waits for, go in batches of 500 ms, other writes in batches of 125 ms whose number of
//! requests is learnt; between batches the driver runs empty. Within a batch the nearest goes first, up to 512 MiB back at
//! twice the cost. Every 125 ms (reads) or 250 ms (writes) it is looked whether the oldest has waited that long; then it
//! goes first.
//!
//! Source: as-iosched.c of 2.6.12 [S].

use super::habits::{Habits, SECTOR};
use super::waiting::{Book, LookBack, Waiting};
use super::{Queued, Scheduler, ms};
use crate::Picoseconds;
use rustc_hash::FxHashMap;

/// Its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnticipatorySpec {
    /// Reads that have waited so long go first, looked at so often [S].
    pub read_expires: Picoseconds,
    /// Writes likewise [S].
    pub write_expires: Picoseconds,
    /// Length of a batch of reads while writes wait [S].
    pub read_batch: Picoseconds,
    /// Length of a batch of writes while reads wait [S].
    pub write_batch: Picoseconds,
    /// How long it waits for the next read: 1/150 s in whole ticks of 1 ms [S]. Zero: never.
    pub anticipates: Picoseconds,
    /// The elevator's look back [S].
    pub back: LookBack,
}

impl Default for AnticipatorySpec {
    fn default() -> Self {
        Self {
            read_expires: ms(125),
            write_expires: ms(250),
            read_batch: ms(500),
            write_batch: ms(125),
            anticipates: ms(6),
            back: LookBack { bytes: 512 << 20, penalty: 2 },
        }
    }
}

/// A thought longer than this counts as this.
const LONGEST_THOUGHT: Picoseconds = ms(19);
/// Within so many sectors another request is close, at first.
const CLOSE_SECTORS: u64 = 64;
/// After so many milliseconds everything is close.
const LAST_CLOSE_MS: u64 = 20;

const ASYNC: usize = 0;
const SYNC: usize = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anticipation {
    Off,
    /// For the end of the read that the driver has.
    ForEnd,
    /// For the process's next request.
    ForNext,
    /// It has just ended: the next request goes, whosever it is.
    Over,
}

#[derive(Clone, Copy, Debug, Default)]
struct Process {
    habits: Habits,
    queued: u32,
    has_ended: bool,
}

/// The scheduler.
#[derive(Debug)]
pub struct Anticipatory {
    spec: AnticipatorySpec,
    book: Book,
    waiting: [Waiting; 2],
    last_end: [u64; 2],
    looked: [Picoseconds; 2],
    /// Only looked up by number: its order decides nothing.
    processes: FxHashMap<u32, Process>,
    anticipation: Anticipation,
    /// The process of the last request, unless nobody waits for that.
    favourite: Option<u32>,
    /// That request is done, since then.
    favourite_done: Option<Picoseconds>,
    /// Think time and distance of processes that begin, of 256.
    new_think: u64,
    new_seek: u64,
    /// How likely a new process asks only once, of 256.
    asks_once: u64,
    batch: usize,
    batch_ends: Picoseconds,
    /// The batch has changed, and the driver has requests of the one before.
    changed: bool,
    /// A batch of reads whose first request is not done yet.
    fresh: bool,
    writes_left: u64,
    write_count: u64,
    write_idled: bool,
    in_driver: u32,
}

impl Anticipatory {
    /// With these numbers.
    #[must_use]
    pub fn new(spec: AnticipatorySpec) -> Self {
        // A tenth of the milliseconds of a batch, to begin with.
        let write_count = (spec.write_batch.0 / ms(10).0).max(2);
        Self {
            spec,
            book: Book::default(),
            waiting: <[Waiting; 2]>::default(),
            last_end: [0; 2],
            looked: [Picoseconds::ZERO; 2],
            processes: FxHashMap::default(),
            anticipation: Anticipation::Off,
            favourite: None,
            favourite_done: None,
            new_think: 0,
            new_seek: 0,
            asks_once: 0,
            batch: SYNC,
            batch_ends: spec.read_batch,
            changed: false,
            fresh: false,
            writes_left: 0,
            write_count,
            write_idled: false,
            in_driver: 0,
        }
    }

    fn is_waiting(&self) -> bool {
        matches!(self.anticipation, Anticipation::ForEnd | Anticipation::ForNext)
    }

    /// The wait for the next request ends by itself.
    fn time_is_up(&self, now: Picoseconds) -> bool {
        self.favourite_done.is_some_and(|since| since + self.spec.anticipates <= now)
    }

    /// Forgets a process that has ended and has nothing queued.
    fn release(&mut self, process: u32) {
        let unused = self.processes.get(&process).is_some_and(|p| p.has_ended && p.queued == 0);
        if unused && self.favourite != Some(process) {
            self.processes.remove(&process);
        }
    }

    fn asked_once(&mut self) {
        self.asks_once = (7 * self.asks_once + 256) / 8;
    }

    /// Another's request lies close to the last one.
    fn is_close(&self, now: Picoseconds, request: &Queued) -> bool {
        let waited = match self.favourite_done {
            Some(since) if self.anticipation != Anticipation::Off => (now - since).0 / ms(1).0,
            _ => 0,
        };
        let sectors = match waited {
            0 | 1 => CLOSE_SECTORS,
            waited if waited <= LAST_CLOSE_MS && ms(waited) <= self.spec.anticipates => {
                CLOSE_SECTORS << (waited - 1)
            }
            _ => return true,
        };
        let (last, bytes) = (self.last_end[self.batch], sectors * SECTOR);
        last.saturating_sub(bytes / 2) <= request.offset && request.offset <= last + bytes
    }

    /// There is no use in waiting for the favourite: this request may go, or whatever comes.
    fn may_go(&mut self, now: Picoseconds, candidate: Option<usize>) -> bool {
        let Some(favourite) = self.favourite else { return true };
        let candidate = candidate.map(|id| self.book.get(id).request);
        if candidate.is_some_and(|c| c.from.process == favourite && c.is_sync()) || self.time_is_up(now) {
            return true;
        }
        let Some(process) = self.processes.get(&favourite).copied() else { return true };
        let is_new = process.habits.think.is_empty();
        if process.has_ended {
            if is_new {
                self.asked_once();
            }
            return true;
        }
        if process.queued > 0 {
            return true;
        }
        if candidate.is_some_and(|c| c.is_sync() && self.is_close(now, &c)) {
            // They work together: as if it had been its own.
            if let Some(process) = self.processes.get_mut(&favourite) {
                process.habits.last_end = Some(now);
            }
            return true;
        }
        let thinks = if is_new { self.new_think / 256 } else { process.habits.think.mean() };
        if thinks > self.spec.anticipates.0 || (is_new && self.asks_once > 128) {
            return true;
        }
        let seek = &process.habits.seek;
        let goes = if seek.is_empty() { self.new_seek / 256 } else { seek.mean() };
        candidate.is_some_and(|c| goes > c.offset.abs_diff(self.last_end[SYNC]) / SECTOR)
    }

    /// Ends the wait where its time is up.
    fn look_at_time(&mut self, now: Picoseconds) {
        if self.anticipation == Anticipation::ForNext && self.time_is_up(now) {
            self.anticipation = Anticipation::Over;
            let new = |p: &Process| p.habits.think.is_empty();
            if self.favourite.and_then(|f| self.processes.get(&f)).is_some_and(new) {
                self.asked_once();
            }
        }
    }

    /// The oldest of a kind, where it is time to look and it has waited too long.
    fn expired(&mut self, now: Picoseconds, kind: usize) -> Option<usize> {
        let expires = if kind == SYNC { self.spec.read_expires } else { self.spec.write_expires };
        if now < self.looked[kind] + expires {
            return None;
        }
        self.looked[kind] = now;
        self.waiting[kind].expired(&self.book, now, expires)
    }

    fn batch_is_over(&self, now: Picoseconds) -> bool {
        if self.changed || self.fresh {
            return false;
        }
        now > self.batch_ends || (self.batch == ASYNC && self.writes_left == 0)
    }

    /// How many writes fit the time of a batch is learnt from the one that has ended.
    fn learn_writes(&mut self, now: Picoseconds) {
        let batch = self.spec.write_batch.0;
        let took = (now.0 + batch).saturating_sub(self.batch_ends.0);
        if took > batch && !self.write_idled {
            self.write_count = if took > 3 * batch { self.write_count / 2 } else { self.write_count - 1 };
        } else if took < batch && self.writes_left == 0 {
            let more = if batch > 3 * took { self.write_count * 2 } else { self.write_count + 1 };
            self.write_count = more.min(1 << 20);
        }
        self.write_count = self.write_count.max(1);
    }

    fn choose(&mut self, now: Picoseconds) -> Option<usize> {
        let (reads, writes) = (!self.waiting[SYNC].is_empty(), !self.waiting[ASYNC].is_empty());
        if self.batch == ASYNC && !reads && (self.writes_left == 0 || !writes) {
            self.write_idled = true;
        }
        if !(reads || writes) || self.is_waiting() || self.changed {
            return None;
        }
        let mut chosen = None;
        if !(reads && writes && self.batch_is_over(now)) {
            let nearest = self.waiting[self.batch].nearest(self.last_end[self.batch], self.spec.back);
            if self.batch == SYNC && self.spec.anticipates > Picoseconds::ZERO {
                if let Some(expired) = self.expired(now, SYNC) {
                    return Some(expired);
                }
                let may_wait = self.favourite.is_some() && self.anticipation != Anticipation::Over;
                if may_wait && !self.may_go(now, nearest) {
                    let done = self.favourite_done.is_some();
                    self.anticipation = if done { Anticipation::ForNext } else { Anticipation::ForEnd };
                    return None;
                }
            }
            if nearest.is_some() && reads && !writes {
                self.batch_ends = now + self.spec.read_batch;
            }
            chosen = nearest;
        }
        if chosen.is_none() {
            chosen = if reads && !(writes && self.batch == SYNC) {
                self.changed = self.changed || self.batch == ASYNC;
                self.batch = SYNC;
                self.looked[SYNC] = now;
                self.waiting[SYNC].oldest(&self.book)
            } else {
                if self.batch == SYNC {
                    self.changed = true;
                    self.fresh = false;
                }
                self.batch = ASYNC;
                self.writes_left = self.write_count;
                self.write_idled = false;
                self.waiting[ASYNC].nearest(self.last_end[ASYNC], self.spec.back)
            };
        }
        let chosen = self.expired(now, self.batch).or(chosen);
        if self.changed {
            if self.in_driver > 0 {
                return None;
            }
            self.batch_begins(now);
        }
        chosen
    }

    fn batch_begins(&mut self, now: Picoseconds) {
        self.changed = false;
        if self.batch == ASYNC {
            self.batch_ends = now + self.spec.write_batch;
        } else {
            self.fresh = true;
        }
    }
}

impl Scheduler for Anticipatory {
    fn add(&mut self, now: Picoseconds, id: usize, request: &Queued) {
        self.look_at_time(now);
        let kind = usize::from(request.is_sync());
        let process = self.processes.entry(request.from.process).or_default();
        process.has_ended = false;
        if kind == SYNC {
            let is_new = process.habits.think.is_empty();
            let others_wait = process.queued > 0;
            let learnt = process.habits.asks(now, request, others_wait, LONGEST_THOUGHT);
            if let Some((thought, distance)) = learnt.filter(|_| is_new) {
                self.new_think = (7 * self.new_think + 256 * thought) / 8;
                self.new_seek = (7 * self.new_seek + 256 * distance) / 8;
                self.asks_once = 7 * self.asks_once / 8;
            }
        }
        process.queued += 1;
        self.book.enter(now, id, request, kind);
        self.waiting[kind].add(&self.book, id);
        if self.is_waiting() && self.may_go(now, Some(id)) {
            self.anticipation = Anticipation::Over;
        }
    }

    fn grown(&mut self, id: usize, request: &Queued) {
        let kind = self.book.get(id).place;
        self.waiting[kind].grown(&mut self.book, id, request);
    }

    fn next(&mut self, now: Picoseconds) -> Option<usize> {
        self.look_at_time(now);
        let id = self.choose(now)?;
        let entry = *self.book.get(id);
        let kind = entry.place;
        self.anticipation = Anticipation::Off;
        self.last_end[kind] = entry.request.end;
        let favourite = (kind == SYNC).then_some(entry.request.from.process);
        if let Some(before) = std::mem::replace(&mut self.favourite, favourite) {
            self.release(before);
        }
        self.favourite_done = None;
        if kind == ASYNC {
            self.writes_left = self.writes_left.saturating_sub(1);
        }
        if let Some(process) = self.processes.get_mut(&entry.request.from.process) {
            process.queued = process.queued.saturating_sub(1);
        }
        self.in_driver += 1;
        self.waiting[kind].take(&mut self.book, id);
        Some(id)
    }

    fn wakes(&self) -> Option<Picoseconds> {
        let held_back = self.waiting.iter().any(|w| !w.is_empty());
        if held_back && self.anticipation == Anticipation::ForNext {
            return self.favourite_done.map(|since| since + self.spec.anticipates);
        }
        None
    }

    fn done(&mut self, now: Picoseconds, id: usize) {
        let entry = *self.book.get(id);
        self.in_driver = self.in_driver.saturating_sub(1);
        if self.changed && self.in_driver == 0 {
            self.batch_begins(now);
        }
        if self.fresh && self.batch == entry.place {
            self.learn_writes(now);
            self.batch_ends = now + self.spec.read_batch;
            self.fresh = false;
        }
        let process = entry.request.from.process;
        if self.favourite == Some(process) {
            self.favourite_done = Some(now);
            if self.anticipation == Anticipation::ForEnd {
                self.anticipation = Anticipation::ForNext;
            }
        }
        if entry.place == SYNC
            && let Some(process) = self.processes.get_mut(&process)
        {
            process.habits.last_end = Some(now);
        }
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.look_at_time(now);
        let Some(known) = self.processes.get_mut(&process) else { return };
        known.has_ended = true;
        if self.favourite == Some(process) && self.is_waiting() && self.may_go(now, None) {
            self.anticipation = Anticipation::Over;
        }
        self.release(process);
    }
}
