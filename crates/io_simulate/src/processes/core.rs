//! What processes share while they run: the clock, requests under way, letters, processors, streams.

use super::found::{Logged, Spent};
use super::run::Fault;
use super::{Ask, First, StreamId, Then, Ticket};
use crate::{EventQueue, Origin, Picoseconds, Request};
use spindle_workload::{LatencyFrom, Operation, Recorder};
use std::collections::VecDeque;

/// Letters that wait for one process at most.
const MOST_LETTERS: usize = 1 << 20;
/// Notes that are kept.
const MOST_NOTES: usize = 1_000;
/// Times a process goes on at one time of the clock, all of them together, at most.
const MOST_AT_ONCE: u64 = 4_000_000;

/// What a process was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Number of who told it.
    pub from: u32,
    /// What.
    pub value: u64,
    /// When.
    pub at: Picoseconds,
}

/// What happens at a time that was set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A process begins.
    Begins(u32),
    /// The time that a process waits for, if it still waits for what it waited for then.
    Alarm { process: u32, wait: u64 },
    /// A process has computed.
    Computed(u32),
}

/// What a process waits for, as far as the loop has to know.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    at_most: Option<u32>,
    ticket: Option<Ticket>,
    told: bool,
    /// To whose account.
    account: Account,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Account {
    #[default]
    Sleeping,
    Requests,
    Others,
    Computing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    NotBegun,
    Ready,
    Waiting,
    Ended,
}

/// A process, without its own state.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub(super) name: String,
    /// Nobody waits for its end.
    pub(super) service: bool,
    pub(super) begun: Picoseconds,
    pub(super) ended: Option<Picoseconds>,
    stage: Stage,
    waiting: Waiting,
    /// How often it has waited: what tells an alarm of now from one of before.
    waits: u64,
    since: Picoseconds,
    pub(super) under_way: u32,
    pub(super) requests: u64,
    pub(super) bytes: u64,
    pub(super) spent: Spent,
    letters: VecDeque<Told>,
}

impl Lane {
    pub(super) fn new(name: &str, service: bool, begun: Picoseconds) -> Self {
        Self { name: name.to_owned(), service, begun, ..Self::default() }
    }
}

/// A request under way.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u64,
    process: u32,
    stream: StreamId,
    since: Picoseconds,
    request: Request,
    volume: u32,
    vacant: bool,
}

/// What is recorded of a stream.
#[derive(Debug)]
pub(super) struct StreamLog {
    pub(super) name: String,
    /// What its records are, where they are no requests.
    pub(super) beside: Option<&'static str>,
    pub(super) from: LatencyFrom,
    pub(super) recorder: Recorder,
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) under_way: u64,
    /// Others who wait and whose time is recorded once they need not; `None` where nobody counts them.
    pub(super) waiting: Option<u64>,
}

/// A request that is to be handed to its volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Submission {
    pub(super) volume: usize,
    pub(super) tag: u64,
    pub(super) from: Origin,
    pub(super) request: Request,
}

/// Processors, if there are so many only.
#[derive(Debug, Default)]
struct Processors {
    free: u32,
    queue: VecDeque<(u32, Picoseconds)>,
}

/// A note whose numbers are known at the end.
pub(super) struct NoteAtEnd(pub(super) Box<dyn Fn() -> String>);

impl std::fmt::Debug for NoteAtEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NoteAtEnd")
    }
}

/// What a process sees of the world while it goes on.
#[derive(Debug)]
pub struct Host {
    pub(super) now: Picoseconds,
    pub(super) volumes: usize,
    pub(super) lanes: Vec<Lane>,
    pub(super) streams: Vec<StreamLog>,
    pub(super) events: EventQueue<Event>,
    pub(super) ready: VecDeque<u32>,
    pub(super) submissions: Vec<Submission>,
    /// Regular processes that are not over.
    pub(super) living: usize,
    pub(super) record_from: Picoseconds,
    pub(super) most_under_way: usize,
    pub(super) fault: Option<Fault>,
    pub(super) fingerprint: u64,
    pub(super) served: u64,
    pub(super) log: Vec<Logged>,
    pub(super) log_most: usize,
    /// The last time at which a regular process was over.
    pub(super) over: Picoseconds,
    pub(super) end_now: bool,
    pub(super) notes: Vec<String>,
    pub(super) notes_at_end: Vec<NoteAtEnd>,
    slots: Vec<Slot>,
    vacant: Vec<usize>,
    asked: u64,
    processors: Option<Processors>,
    current: u32,
    at_once: u64,
}

impl Host {
    pub(super) fn new(volumes: usize, most_events: usize, most_under_way: usize) -> Self {
        Self {
            now: Picoseconds::ZERO,
            volumes,
            lanes: Vec::new(),
            streams: Vec::new(),
            events: EventQueue::new(most_events),
            ready: VecDeque::new(),
            submissions: Vec::new(),
            living: 0,
            record_from: Picoseconds::ZERO,
            most_under_way,
            fault: None,
            fingerprint: 0xCBF2_9CE4_8422_2325,
            served: 0,
            log: Vec::new(),
            log_most: 0,
            over: Picoseconds::ZERO,
            end_now: false,
            notes: Vec::new(),
            notes_at_end: Vec::new(),
            slots: Vec::new(),
            vacant: Vec::new(),
            asked: 0,
            processors: None,
            current: 0,
            at_once: 0,
        }
    }

    pub(super) fn set_processors(&mut self, processors: u32) {
        self.processors = Some(Processors { free: processors, queue: VecDeque::new() });
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Picoseconds {
        self.now
    }

    /// Number of the process that goes on.
    #[must_use]
    pub fn me(&self) -> u32 {
        self.current
    }

    /// Its requests that are not done.
    #[must_use]
    pub fn under_way(&self) -> u32 {
        self.lanes[self.current as usize].under_way
    }

    /// Does what it does now count? Before, it is a warm-up.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.now >= self.record_from
    }

    /// Asks a volume.
    pub fn ask(&mut self, ask: Ask) -> Ticket {
        let number = self.asked;
        self.asked += 1;
        let process = self.current;
        if ask.volume >= self.volumes || ask.stream.0 >= self.streams.len() {
            self.fault.get_or_insert(Fault::NoSuchVolume { process, volume: ask.volume });
            return Ticket { slot: usize::MAX, number };
        }
        let slot = Slot {
            number,
            process,
            stream: ask.stream,
            since: ask.since.unwrap_or(self.now),
            request: ask.request,
            volume: u32::try_from(ask.volume).unwrap_or(u32::MAX),
            vacant: false,
        };
        let at = match self.vacant.pop() {
            Some(at) => {
                self.slots[at] = slot;
                at
            }
            None => {
                if self.slots.len() >= self.most_under_way {
                    let fault = Fault::TooManyUnderWay { bound: self.most_under_way, now: self.now };
                    self.fault.get_or_insert(fault);
                }
                self.slots.push(slot);
                self.slots.len() - 1
            }
        };
        let lane = &mut self.lanes[process as usize];
        lane.under_way += 1;
        lane.requests += 1;
        lane.bytes += u64::from(ask.request.bytes);
        self.streams[ask.stream.0].under_way += 1;
        let from = Origin { process, waits: ask.waits };
        self.submissions.push(Submission { volume: ask.volume, tag: at as u64, from, request: ask.request });
        Ticket { slot: at, number }
    }

    /// Is a request done?
    #[must_use]
    pub fn is_done(&self, ticket: Ticket) -> bool {
        self.slots.get(ticket.slot).is_none_or(|slot| slot.vacant || slot.number != ticket.number)
    }

    /// Tells a process something. It goes on after this one, at the same time, if it waits to be told.
    pub fn tell(&mut self, process: u32, value: u64) {
        let told = Told { from: self.current, value, at: self.now };
        let Some(lane) = self.lanes.get_mut(process as usize) else {
            self.fault.get_or_insert(Fault::NoSuchProcess { process: self.current, told: process });
            return;
        };
        if lane.letters.len() >= MOST_LETTERS {
            self.fault.get_or_insert(Fault::TooManyLetters { process, bound: MOST_LETTERS });
            return;
        }
        lane.letters.push_back(told);
        if lane.stage == Stage::Waiting && lane.waiting.told {
            self.wake(process);
        }
    }

    /// The next thing that the process was told, in the order in which it was.
    pub fn told(&mut self) -> Option<Told> {
        self.lanes[self.current as usize].letters.pop_front()
    }

    /// Records something that took from `since` until now and is no request: a commit, a wait.
    pub fn record(&mut self, stream: StreamId, since: Picoseconds, bytes: u32) {
        let (now, from) = (self.now, self.record_from);
        let Some(log) = self.streams.get_mut(stream.0) else { return };
        log.waiting = log.waiting.map(|waiting| waiting.saturating_sub(1));
        if now >= from {
            log.recorder.record((now - from).0 / 1_000, (now - since).0 / 1_000, bytes);
        }
    }

    /// Somebody waits, whose time will be recorded in a stream: where it ends first, he is not served.
    pub fn comes(&mut self, stream: StreamId) {
        if let Some(log) = self.streams.get_mut(stream.0) {
            log.waiting = Some(log.waiting.unwrap_or(0) + 1);
        }
    }

    /// Requests a second of a stream since the warm-up, with least and most; `None` where it is too early to tell.
    #[must_use]
    pub fn rate_so_far(&self, stream: StreamId) -> Option<(f64, (f64, f64))> {
        let at = self.now - self.record_from;
        self.streams.get(stream.0)?.recorder.rate_so_far(at.0 / 1_000)
    }

    /// Requests of a stream that are done and count.
    #[must_use]
    pub fn recorded(&self, stream: StreamId) -> u64 {
        self.streams.get(stream.0).map_or(0, |log| log.recorder.ios())
    }

    /// Something that the reader of the results has to know, and that is known when all is over.
    pub fn note_at_end(&mut self, note: impl Fn() -> String + 'static) {
        if self.notes_at_end.len() < MOST_NOTES {
            self.notes_at_end.push(NoteAtEnd(Box::new(note)));
        }
    }

    /// Something that the reader of the results has to know.
    pub fn note(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }

    /// The process cannot go on: the simulation ends without a result.
    pub fn fail(&mut self, why: String) {
        let name = self.lanes[self.current as usize].name.clone();
        self.fault.get_or_insert(Fault::Failed { name, why });
    }

    /// The simulation ends now, once all that happens at this time has happened.
    pub fn end(&mut self) {
        self.end_now = true;
    }

    /// A process is to go on.
    fn wake(&mut self, process: u32) {
        let lane = &mut self.lanes[process as usize];
        let took = self.now - lane.since;
        match lane.waiting.account {
            Account::Sleeping => lane.spent.sleeping = lane.spent.sleeping + took,
            Account::Requests => lane.spent.requests = lane.spent.requests + took,
            Account::Others => lane.spent.others = lane.spent.others + took,
            Account::Computing => {}
        }
        lane.stage = Stage::Ready;
        self.ready.push_back(process);
    }

    /// A process begins to go on.
    pub(super) fn enter(&mut self, process: u32) {
        self.current = process;
        self.at_once += 1;
        if self.at_once > MOST_AT_ONCE {
            let name = self.lanes[process as usize].name.clone();
            self.fault.get_or_insert(Fault::NoEndAtOnce { name, now: self.now });
        }
    }

    /// The clock goes on, or does not where something else happens at the same time.
    pub(super) fn set_now(&mut self, now: Picoseconds) {
        if now > self.now {
            self.now = now;
            self.at_once = 0;
        } else {
            self.at_once += 1;
            if self.at_once > MOST_AT_ONCE {
                self.fault.get_or_insert(Fault::NoEndAtOnce { name: "a volume".to_owned(), now: self.now });
            }
        }
    }

    fn put(&mut self, at: Picoseconds, event: Event) {
        if let Err(full) = self.events.put(at, event) {
            self.fault.get_or_insert(Fault::TooManyEvents(full));
        }
    }

    /// A process has said what it waits for. Returns whether it has ended.
    pub(super) fn leave(&mut self, process: u32, then: Then) -> bool {
        let (wait, account) = match then {
            Then::AtMost(most) => (First { at_most: Some(most), ..First::default() }, Account::Requests),
            Then::Told => (First { told: true, ..First::default() }, Account::Others),
            Then::Until(at) => (First { by: Some(at), ..First::default() }, Account::Sleeping),
            Then::First(first) => {
                let account = match first {
                    First { at_most: Some(_), .. } => Account::Requests,
                    First { told: true, .. } => Account::Others,
                    First { .. } => Account::Sleeping,
                };
                (first, account)
            }
            Then::Done(ticket) => {
                let done = self.is_done(ticket);
                let lane = self.begin_wait(process);
                lane.waiting =
                    Waiting { ticket: Some(ticket), account: Account::Requests, ..Waiting::default() };
                if done {
                    self.wake(process);
                }
                return false;
            }
            Then::Compute(length) => {
                self.begin_wait(process).waiting.account = Account::Computing;
                self.compute(process, length);
                return false;
            }
            Then::Ended => {
                let now = self.now;
                let lane = &mut self.lanes[process as usize];
                lane.stage = Stage::Ended;
                lane.letters = VecDeque::new();
                if lane.under_way == 0 {
                    lane.ended = Some(now);
                    self.one_over(process);
                }
                return true;
            }
        };
        let now = self.now;
        let lane = self.begin_wait(process);
        lane.waiting = Waiting { at_most: wait.at_most, ticket: None, told: wait.told, account };
        let at_once = wait.at_most.is_some_and(|most| lane.under_way <= most)
            || (wait.told && !lane.letters.is_empty())
            || wait.by.is_some_and(|by| by <= now)
            || wait == First::default();
        let number = lane.waits;
        if at_once {
            self.wake(process);
        } else if let Some(by) = wait.by {
            self.put(by, Event::Alarm { process, wait: number });
        }
        false
    }

    fn begin_wait(&mut self, process: u32) -> &mut Lane {
        let now = self.now;
        let lane = &mut self.lanes[process as usize];
        lane.stage = Stage::Waiting;
        lane.waits += 1;
        lane.since = now;
        lane.waiting = Waiting::default();
        lane
    }

    fn one_over(&mut self, process: u32) {
        if !self.lanes[process as usize].service {
            self.living -= 1;
            self.over = self.now;
        }
    }

    fn compute(&mut self, process: u32, length: Picoseconds) {
        let spent = &mut self.lanes[process as usize].spent;
        spent.computing = spent.computing + length;
        match &mut self.processors {
            Some(Processors { free: 0, queue }) => {
                queue.push_back((process, length));
                return;
            }
            Some(processors) => processors.free -= 1,
            None => {}
        }
        self.put(self.now + length, Event::Computed(process));
    }

    /// What was set for this time happens.
    pub(super) fn happens(&mut self, event: Event) {
        match event {
            Event::Begins(process) => {
                let lane = &mut self.lanes[process as usize];
                lane.stage = Stage::Ready;
                self.ready.push_back(process);
            }
            Event::Alarm { process, wait } => {
                let lane = &self.lanes[process as usize];
                if lane.stage == Stage::Waiting && lane.waits == wait {
                    self.wake(process);
                }
            }
            Event::Computed(process) => {
                let next = match &mut self.processors {
                    Some(processors) => {
                        let next = processors.queue.pop_front();
                        if next.is_none() {
                            processors.free += 1;
                        }
                        next
                    }
                    None => None,
                };
                if let Some((other, length)) = next {
                    let lane = &mut self.lanes[other as usize];
                    lane.spent.processor = lane.spent.processor + (self.now - lane.since);
                    self.put(self.now + length, Event::Computed(other));
                }
                self.wake(process);
            }
        }
    }

    /// A request is done.
    pub(super) fn done(&mut self, tag: u64, at: Picoseconds) {
        let index = usize::try_from(tag).unwrap_or(usize::MAX);
        let Some(slot) = self.slots.get_mut(index).filter(|slot| !slot.vacant) else {
            self.fault.get_or_insert(Fault::DoneTwice { now: self.now });
            return;
        };
        slot.vacant = true;
        let slot = *slot;
        self.vacant.push(index);
        self.served += 1;
        for word in [slot.number, u64::from(slot.process), at.0] {
            // FNV-1a by words, turned so that high bits matter to low ones.
            let mixed = (self.fingerprint ^ word).wrapping_mul(0x0100_0000_01B3);
            self.fingerprint = mixed.rotate_left(29);
        }
        if self.log.len() < self.log_most {
            self.log.push(Logged {
                number: slot.number,
                process: slot.process,
                volume: slot.volume as usize,
                request: slot.request,
                since: slot.since,
                done: at,
            });
        }
        let from = self.record_from;
        let stream = &mut self.streams[slot.stream.0];
        stream.under_way -= 1;
        if at >= from {
            match slot.request.operation {
                Operation::Read => stream.reads += 1,
                Operation::Write => stream.writes += 1,
            }
            stream.recorder.record((at - from).0 / 1_000, (at - slot.since).0 / 1_000, slot.request.bytes);
        }
        let now = self.now;
        let lane = &mut self.lanes[slot.process as usize];
        lane.under_way -= 1;
        match lane.stage {
            Stage::Waiting => {
                let room = lane.waiting.at_most.is_some_and(|most| lane.under_way <= most);
                let this = lane.waiting.ticket.is_some_and(|ticket| ticket.number == slot.number);
                if room || this {
                    self.wake(slot.process);
                }
            }
            Stage::Ended if lane.under_way == 0 => {
                lane.ended = Some(now);
                self.one_over(slot.process);
            }
            _ => {}
        }
    }

    /// Requests of regular processes that are under way.
    pub(super) fn all_under_way(&self) -> usize {
        self.lanes.iter().map(|lane| lane.under_way as usize).sum()
    }

    /// Names of regular processes that are not over, a few of them.
    pub(super) fn who_waits(&self) -> Vec<String> {
        let waits = |lane: &&Lane| !lane.service && lane.ended.is_none();
        self.lanes.iter().filter(waits).take(3).map(|lane| lane.name.clone()).collect()
    }
}
