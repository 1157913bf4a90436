//! A hard disk in full detail: arm, platters, zones, skews, cache, bus and commands that wait.
//!
//! ```text
//! read, from the cache   overhead + blocks x bus
//! read, from the platter overhead + seek + rotation + one block, while the bus follows the head
//! write, written back    overhead + blocks x bus; the head writes afterwards
//! write, written through overhead + seek + rotation + blocks, while the bus runs ahead of the head
//! rotation = (angle of the block - angle of the platter at the end of the seek), of a turn
//! ```
//!
//! After a read the head reads on into the segment, through head switches and seeks to the next cylinder,
//! until its limit or the next request that needs it; that is what later reads hit. A write that is written back
//! holds up the next request that needs the head. The overhead of a command comes before its seek. A block
//! that a write brings too late is waited for a whole turn, and so is one that skew did not leave time for.
//!
//! Requests are served one at a time, in the order of [`ServiceOrder`]; each is computed when it begins, so
//! nothing is done block by block and a simulated request costs well under a microsecond. Time is whole
//! picoseconds and the platter's angle is kept as time, so the same requests give the same events anywhere.
//!
//! Sources: Ruemmler and Wilkes, "An introduction to disk drive modeling" (IEEE Computer, March 1994); the
//! parameters and rules of DiskSim 4.0 (CMU-PDL-08-101). Held against seven drives that were measured: see
//! `validation`.
//!
//! Left out: grown defects, errors and retries, thermal recalibration, writes that are reordered after they
//! were acknowledged, several requests on the bus and the head at once, and reading a track from where the
//! head happens to be. A request larger than a segment moves as if the segment held it.

mod data_sheet;
mod layout;
mod media;
mod order;
mod queue;
mod seek;
mod segments;
mod spec;
mod write_cache;

pub use data_sheet::DataSheet;
pub use layout::{HeadOrder, LayoutSpec, Skew, Sparing, ZoneSpec};
pub use order::ServiceOrder;
pub use seek::{ArmSpec, SeekCurve};
pub use spec::{After, BusSpec, CacheSpec, DiskFault, HardDiskSpec, OverheadSpec, ReadAhead};

use crate::{Completion, Device, Operation, Picoseconds, Request};
use layout::Layout;
use media::{Arriving, Mechanism, Pass, write_blocks};
use queue::{Command, Queue, Running, Start};
use seek::Arm;
use segments::{Found, Segments, State};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use write_cache::WriteCache;

/// The clock of the disk ends here, after 186 days: sums of times stay within 64 bits.
const LATEST_PS: u64 = u64::MAX - (1 << 61);

/// What the head does.
#[derive(Clone, Copy, Debug)]
enum Media {
    Idle,
    Reading {
        segment: usize,
        pass: Pass,
        /// The request's own blocks end here; beyond lies what is read ahead.
        wanted: u64,
    },
    Writing {
        segment: usize,
        pass: Pass,
        until: u64,
    },
    /// A piece of what was acknowledged before.
    Destaging {
        pass: Pass,
        until: u64,
    },
}

/// An answer that needs no head: its time and its number, tag, and the blocks of a write.
type Answer = (u64, u64, u64, Option<(u64, u64)>);

/// The disk.
#[derive(Debug)]
pub struct HardDisk {
    spec: HardDiskSpec,
    mechanism: Mechanism,
    segments: Segments,
    media: Media,
    /// Where the arm is, or was before the pass that is under way.
    arm: Arm,
    /// The last completed request was a write.
    after_write: bool,
    waiting: Queue,
    active: Option<Completion>,
    finished: VecDeque<Completion>,
    /// Answers on their way while the head does something else.
    answers: BinaryHeap<Reverse<Answer>>,
    answered: u64,
    writes: WriteCache,
    /// Of reads and writes that want the head, the last to have it was a write of the cache.
    wrote: bool,
    /// When the controller has taken up what came so far, where it does so while others are served.
    controller_free: u64,
    /// When the bus has brought the data of the writes so far, where it does so while others are served.
    bus_free: u64,
    /// Blocks of writes that wait for the head, of which the data has a place.
    promised: u64,
    now: u64,
    /// Passes of the read that begins; kept to save the allocation.
    passes: Vec<Pass>,
}

impl HardDisk {
    /// The disk of a specification: arm on the first cylinder, platter at its zero, cache empty.
    ///
    /// # Errors
    /// In a sentence, where a number is none that a disk can have.
    pub fn new(spec: &HardDiskSpec) -> Result<Self, DiskFault> {
        spec.check()?;
        let layout = Layout::new(&spec.layout, spec.turn.0)?;
        let cache = &spec.cache;
        Ok(Self {
            mechanism: Mechanism::new(layout, spec.arm.clone(), spec.turn.0),
            segments: Segments::new(
                cache.segments,
                cache.segment_blocks,
                cache.written_readable,
                cache.enabled,
                cache.almost_hits,
            ),
            media: Media::Idle,
            arm: Arm { cylinder: 0, head: 0 },
            after_write: false,
            waiting: Queue::new(spec.order, spec.queue_depth),
            active: None,
            finished: VecDeque::new(),
            answers: BinaryHeap::new(),
            answered: 0,
            writes: WriteCache::new(spec.order, cache.segments, cache.segment_blocks),
            wrote: false,
            controller_free: 0,
            bus_free: 0,
            promised: 0,
            now: 0,
            passes: Vec::new(),
            spec: spec.clone(),
        })
    }

    /// Blocks of the disk: what its zones hold.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.mechanism.layout.blocks()
    }

    /// Bytes of the disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.blocks().saturating_mul(u64::from(self.spec.block_bytes))
    }

    /// A request in blocks; what lies beyond the disk's last block is taken as that block.
    fn command(&self, arrived: u64, tag: u64, request: Request) -> Command {
        let block = u64::from(self.spec.block_bytes);
        let blocks = self.blocks();
        let first = (request.offset / block).min(blocks - 1);
        let end = request.offset.saturating_add(u64::from(request.bytes)).div_ceil(block);
        let end = end.clamp(first + 1, blocks);
        let write = request.operation == Operation::Write;
        Command { tag, write, first, end, arrived, ready: 0, data: u64::MAX }
    }

    /// The one controller takes up a command that comes; when it has.
    fn take_up(&mut self, now: u64, write: bool) -> u64 {
        let overheads = &self.spec.overheads;
        let time = match (write, self.spec.cache.write_back) {
            (false, _) => overheads.read_miss,
            (true, true) => overheads.write_hit,
            (true, false) => overheads.write_miss,
        };
        self.controller_free = self.controller_free.max(now.min(LATEST_PS)) + self.after(time);
        self.controller_free
    }

    /// Takes what needs no head, or not yet; the others are given back.
    fn take_aside(&mut self, mut command: Command) -> Option<Command> {
        let Command { write, first, end, .. } = command;
        let cache = &self.spec.cache;
        let blocks = end - first;
        if write && cache.write_back {
            self.writes.waiting.push_back(command);
            self.admit(self.now);
            return None;
        }
        if write {
            // Its data comes while others are served, as far as there is a place for it.
            if self.promised + blocks <= self.writes.capacity() {
                self.promised += blocks;
                command.data = self.over_bus(command.arrived.max(command.ready), blocks);
            }
            return Some(command);
        }
        let destaging = matches!(self.media, Media::Destaging { .. });
        if self.writes.holds(first, end) || destaging && self.segments.hold(first, end) {
            let from = self.now.min(LATEST_PS);
            let from = from + self.overhead(from, &command, self.spec.overheads.read_hit);
            let moved = blocks * self.spec.bus.read_block.0;
            self.answer(from + moved + self.spec.overheads.read_completion.0, command.tag, None);
            return None;
        }
        Some(command)
    }

    /// Data of a write comes from a time on, when the bus is free; when it begins to.
    fn over_bus(&mut self, from: u64, blocks: u64) -> u64 {
        let start = self.bus_free.max(from.min(LATEST_PS));
        self.bus_free = start + blocks * self.spec.bus.write_block.0;
        start
    }

    fn answer(&mut self, at: u64, tag: u64, written: Option<(u64, u64)>) {
        self.answered += 1;
        self.answers.push(Reverse((at, self.answered, tag, written)));
    }

    /// Gives writes room in the cache, as far as there is any.
    fn admit(&mut self, at: u64) {
        while let Some(&Command { tag, first, end, arrived, ready, .. }) = self.writes.waiting.front() {
            if !self.writes.admits(first, end) {
                return;
            }
            self.writes.waiting.pop_front();
            self.segments.forget(first, end, usize::MAX);
            let from = match self.spec.overheads.overlaps_waiting {
                true => ready.max(at),
                false => at.min(LATEST_PS) + self.after(self.spec.overheads.write_hit),
            };
            let there =
                self.over_bus(from.max(arrived), end - first) + (end - first) * self.spec.bus.write_block.0;
            self.answer(there + self.spec.overheads.write_completion.0, tag, Some((first, end)));
        }
    }

    /// The head begins to write something of the cache.
    fn destage(&mut self, at: u64) {
        let at = at.min(LATEST_PS);
        self.settle(at);
        let free = at + self.stop_reading(at);
        let arm = self.arm;
        let start = Start { at, free, arm, read_ps: 0, write_ps: 0, overlaps: true, running: None };
        let Some((first, end)) = self.writes.next(&start, &self.mechanism, &mut self.segments) else {
            return;
        };
        let pass = self.mechanism.reach(arm, first, free, true, 0);
        let to = end.min(pass.track_end);
        self.writes.begins(first, to, &self.mechanism, &self.segments);
        self.media = Media::Destaging { pass, until: pass.passed(to - first) };
    }

    /// It is on the platter, and there is room for more.
    fn destaged(&mut self, pass: Pass, at: u64) {
        self.arm = pass.at;
        self.media = Media::Idle;
        if let Some((first, end)) = self.writes.ended() {
            let segment = self.segments.for_write(first, end);
            self.segments.take(segment, first, true);
            self.segments.extend(segment, end);
            self.segments.forget(first, end, segment);
            self.segments.cleaned(segment);
        }
        self.admit(at);
    }

    /// Lets requests end, and the next begin, up to and at a time.
    fn run_to(&mut self, now: u64) {
        loop {
            let served = self.active.map_or(u64::MAX, |active| active.at.0);
            let (written, pass) = match self.media {
                Media::Destaging { pass, until } => (until, Some(pass)),
                _ => (u64::MAX, None),
            };
            let answered = self.answers.peek().map_or(u64::MAX, |Reverse(answer)| answer.0);
            let at = served.min(written).min(answered);
            if at > now || at == u64::MAX {
                return;
            }
            if at == served {
                self.finished.extend(self.active.take());
            } else if let Some(pass) = pass.filter(|_| at == written) {
                self.destaged(pass, at);
            } else if let Some(Reverse((_, _, tag, blocks))) = self.answers.pop() {
                self.finished.push_back(Completion { tag, at: Picoseconds(at) });
                if let Some((first, end)) = blocks {
                    self.writes.arrived(first, end, &self.mechanism, &self.segments);
                }
            }
            if self.active.is_none() {
                self.begin_next(at);
            }
        }
    }

    fn begin_next(&mut self, at: u64) {
        if matches!(self.media, Media::Destaging { .. }) {
            return;
        }
        // Reads go before what is in the cache; where writes wait for room in it, they take turns.
        let turn = !self.writes.waiting.is_empty() && !self.wrote;
        if self.writes.has_some() && (turn || self.waiting.is_empty()) {
            self.wrote = true;
            return self.destage(at);
        }
        if self.waiting.is_empty() {
            return;
        }
        self.wrote = false;
        let next = self.waiting.only(&self.mechanism, &self.segments);
        if let Some(command) = next.or_else(|| self.choose(at)) {
            let done = self.serve(at, command);
            self.after_write = command.write;
            self.active = Some(Completion { tag: command.tag, at: Picoseconds(done) });
        }
    }

    /// Which of several commands is next.
    fn choose(&mut self, at: u64) -> Option<Command> {
        self.settle(at);
        let arm = match self.media {
            Media::Reading { pass, .. } if pass.seek_start <= at => pass.at,
            Media::Writing { pass, .. } => pass.at,
            _ => self.arm,
        };
        let free = match self.media {
            Media::Writing { until, .. } => until.max(at),
            _ => at,
        };
        let running = match &self.media {
            Media::Reading { segment, pass, .. } if self.spec.cache.enabled => {
                let held = self.segments.get(*segment);
                let next_counts = self.spec.cache.almost_hits;
                let next_ps = pass.passed(held.end.saturating_sub(pass.first));
                Some(Running { first: held.first, end: held.end, next_ps, next_counts })
            }
            _ => None,
        };
        let overheads = &self.spec.overheads;
        let start = Start {
            at,
            free,
            arm,
            read_ps: self.after(overheads.read_miss),
            write_ps: self.after(if self.spec.cache.write_back {
                overheads.write_hit
            } else {
                overheads.write_miss
            }),
            overlaps: overheads.overlaps_waiting,
            running,
        };
        #[cfg(test)]
        let plainly = tests::chosen_plainly(self, &start);
        let chosen = self.waiting.chosen(&start, &self.mechanism, &mut self.segments);
        #[cfg(test)]
        assert_eq!((chosen, self.waiting.plainly().1), (Some(plainly.0), plainly.1));
        chosen
    }

    fn after(&self, time: After) -> u64 {
        if self.after_write { time.write.0 } else { time.read.0 }
    }

    /// Of a command that needs the head.
    fn platter_overhead(&self, command: &Command) -> After {
        match (command.write, self.spec.cache.write_back) {
            (false, _) => self.spec.overheads.read_miss,
            (true, true) => self.spec.overheads.write_hit,
            (true, false) => self.spec.overheads.write_miss,
        }
    }

    /// What of a command's overhead is left when its turn comes.
    fn overhead(&self, at: u64, command: &Command, time: After) -> u64 {
        if self.spec.overheads.overlaps_waiting {
            return command.ready.saturating_sub(at);
        }
        self.after(time)
    }

    /// Serves a command whose turn it is, and says when it is done.
    fn serve(&mut self, at: u64, command: Command) -> u64 {
        let at = at.min(LATEST_PS) + self.spec.overheads.request.0;
        self.settle(at);
        // What is being written back keeps the head until then.
        let written = match self.media {
            Media::Writing { until, .. } => Some(until),
            _ => None,
        };
        if command.write { self.write(at, command, written) } else { self.read(at, command, written) }
    }

    fn read(&mut self, at: u64, command: Command, written: Option<u64>) -> u64 {
        let Command { first, end, .. } = command;
        let hit = self.overhead(at, &command, self.spec.overheads.read_hit);
        let miss = self.overhead(at, &command, self.spec.overheads.read_miss);
        let preparation = self.spec.overheads.data_preparation.0;
        let left_bus = at + miss + self.after(self.spec.overheads.read_disconnect);
        let mut head_from = at + miss;
        if let Some(until) = written {
            // It waits off the bus, and looks into the cache when the head is free.
            self.settle(until);
            head_from = head_from.max(until);
        }
        let answer_from = match written {
            Some(until) => left_bus.max(until) + self.spec.overheads.reselect.0 + preparation,
            None => at + hit + preparation,
        };
        let found = self.segments.find(first, end);
        let reads_it = |media: &Media, number: usize| match media {
            Media::Reading { segment, .. } => *segment == number,
            _ => false,
        };
        let ready = match found {
            Found::All(segment) => {
                let running = reads_it(&self.media, segment);
                if !running {
                    head_from += self.stop_reading(at);
                }
                self.segments.touch(segment);
                self.raise_limit(segment, end);
                let held = self.segments.get(segment);
                if !running && self.spec.cache.restart_on_hit && held.end < held.limit {
                    self.start_reading(segment, held.end, head_from, end);
                }
                let moved = (end - first) * self.spec.bus.read_block.0;
                return answer_from + moved + self.spec.overheads.read_completion.0;
            }
            Found::Part(segment) => {
                if reads_it(&self.media, segment) {
                    if let Media::Reading { wanted, .. } = &mut self.media {
                        *wanted = (*wanted).max(end);
                    }
                    self.segments.touch(segment);
                    self.raise_limit(segment, end);
                } else {
                    head_from += self.stop_reading(at);
                    self.segments.touch(segment);
                    self.raise_limit(segment, end);
                    let from = self.segments.get(segment).end;
                    self.start_reading(segment, from, head_from, end);
                }
                self.plan(end);
                answer_from
            }
            Found::Nothing(segment) => {
                head_from += self.stop_reading(at);
                self.segments.take(segment, first, false);
                self.raise_limit(segment, end);
                self.start_reading(segment, first, head_from, end);
                self.plan(end);
                if self.spec.bus.never_disconnects {
                    at.max(written.unwrap_or(0)) + miss + preparation
                } else {
                    let mark = self.arrival((first + self.water_mark(end - first)).min(end) - 1);
                    left_bus.max(mark) + self.spec.overheads.reselect.0 + preparation
                }
            }
        };
        self.deliver(ready, first, end) + self.spec.overheads.read_completion.0
    }

    fn write(&mut self, at: u64, command: Command, written: Option<u64>) -> u64 {
        let Command { first, end, .. } = command;
        let overheads = &self.spec.overheads;
        let block_ps = self.spec.bus.write_block.0;
        let blocks = end - first;
        let start = at + self.overhead(at, &command, self.platter_overhead(&command));
        let preparation = overheads.data_preparation.0;
        let came = command.data < u64::MAX;
        if came {
            self.promised -= blocks;
        }
        let at_least = match self.spec.bus.write_waits_for_ten {
            false => 0,
            true if blocks >= 45 => 15,
            true => blocks.min(10),
        };
        if let Media::Writing { segment, pass, until } = self.media
            && self.spec.cache.joins_writes
            && self.spec.cache.write_back
            && first == self.segments.get(segment).end
            && !self.segments.full(segment)
        {
            let ready = start + preparation;
            let arriving = Arriving { start: ready, block_ps, at_least };
            let on = match first < pass.track_end {
                // On the same track, right behind.
                true => Pass { first, begin: until, ..pass },
                false => self.mechanism.reach(pass.at, first, until, true, 0),
            };
            let (pass, until) = write_blocks(&self.mechanism, on, end, arriving);
            self.segments.touch(segment);
            self.segments.extend(segment, end);
            self.media = Media::Writing { segment, pass, until };
            return ready + blocks * block_ps + overheads.write_completion.0;
        }
        let left_bus = start + overheads.write_disconnect.0;
        let least_seek = overheads.least_write_seek.0;
        let (ready, head_from) = match written {
            Some(until) => {
                let ready = left_bus.max(until) + overheads.reselect.0 + preparation;
                self.settle(until);
                (ready, start.max(until))
            }
            None => (start + preparation, start),
        };
        let ready = match (came, self.spec.cache.gathers_writes) {
            (true, _) => command.data,
            (false, true) => self.over_bus(ready, blocks),
            (false, false) => ready,
        };
        let segment = self.segments.for_write(first, end);
        let head_from = head_from + self.stop_reading(at);
        self.segments.take(segment, first, true);
        self.segments.extend(segment, end);
        self.segments.forget(first, end, segment);
        let pass = self.mechanism.reach(self.arm, first, head_from, true, head_from + least_seek);
        let arriving = Arriving { start: ready, block_ps, at_least };
        let (pass, until) = write_blocks(&self.mechanism, pass, end, arriving);
        self.media = Media::Writing { segment, pass, until };
        let overheads = &self.spec.overheads;
        let in_cache = ready + blocks * block_ps;
        if self.spec.cache.write_back {
            return in_cache + overheads.write_completion.0;
        }
        let off_bus = in_cache + overheads.write_disconnect.0;
        off_bus.max(until) + overheads.reselect.0 + overheads.write_completion.0
    }

    /// Lets the head go on up to a time.
    fn settle(&mut self, now: u64) {
        match &mut self.media {
            Media::Idle | Media::Destaging { .. } => {}
            Media::Writing { segment, pass, until } => {
                if *until <= now {
                    self.segments.cleaned(*segment);
                    self.arm = pass.at;
                    self.media = Media::Idle;
                }
            }
            Media::Reading { segment, pass, wanted } => loop {
                let limit = self.segments.get(*segment).limit.max(*wanted);
                let stop = pass.track_end.min(limit);
                let blocks = stop.saturating_sub(pass.first);
                let read = pass.blocks_by(now).min(blocks);
                self.segments.extend(*segment, pass.first + read);
                if read < blocks {
                    return;
                }
                self.arm = pass.at;
                if stop == limit {
                    self.segments.get_mut(*segment).state = State::Clean;
                    self.media = Media::Idle;
                    return;
                }
                *pass = self.mechanism.next(pass, false);
            },
        }
    }

    /// Stops reading ahead, and says by how much later the arm can go.
    ///
    /// A seek or head switch ends first, and so does the current sector where the drive does not stop within
    /// it. The disk adds that time to the overhead of the command instead of letting both run at once.
    fn stop_reading(&mut self, now: u64) -> u64 {
        let Media::Reading { segment, pass, .. } = self.media else {
            return 0;
        };
        self.media = Media::Idle;
        self.segments.get_mut(segment).state = State::Clean;
        if now < pass.seek_start {
            return 0;
        }
        self.arm = pass.at;
        if now < pass.seek_end {
            return pass.seek_end - now;
        }
        if self.spec.cache.stops_in_sector {
            return 0;
        }
        if now < pass.begin {
            return pass.begin - now;
        }
        let blocks = pass.blocks_by(now) + 1;
        self.segments.extend(segment, pass.first + blocks);
        pass.passed(blocks) - now
    }

    /// The head goes to a block to read from there into a segment.
    fn start_reading(&mut self, segment: usize, from: u64, start: u64, wanted: u64) {
        let pass = self.mechanism.reach(self.arm, from, start, false, 0);
        self.segments.get_mut(segment).state = State::Reading;
        self.media = Media::Reading { segment, pass, wanted };
    }

    /// How far a segment is to be read on after a request that ends here.
    fn raise_limit(&mut self, segment: usize, end: u64) {
        let blocks = self.blocks();
        let limit = match self.spec.cache.read_ahead {
            _ if !self.spec.cache.enabled => end,
            ReadAhead::None => end,
            ReadAhead::Blocks { blocks } => end.saturating_add(blocks),
            ReadAhead::Track { blocks } => {
                let track = self.mechanism.layout.place(end - 1);
                end.saturating_add(blocks).min(track.track_end)
            }
            ReadAhead::Cylinder { blocks } => {
                let wanted = end.saturating_add(blocks);
                let mut track = self.mechanism.layout.place(end - 1);
                while track.track_end < wanted.min(self.blocks()) {
                    let next = self.mechanism.layout.place(track.track_end);
                    if next.cylinder != track.cylinder {
                        break;
                    }
                    track = next;
                }
                wanted.min(track.track_end)
            }
            ReadAhead::TrackAndNext if end >= blocks => blocks,
            ReadAhead::TrackAndNext => {
                let place = self.mechanism.layout.place(end);
                let before = self.segments.get(segment).first < self.mechanism.layout.track_begin(end);
                place.track_end + if before { place.sectors } else { 0 }
            }
        };
        let held = self.segments.get_mut(segment);
        held.limit = held.limit.max(limit.min(blocks));
    }

    /// Lays out the passes in which the head reads up to a block.
    fn plan(&mut self, end: u64) {
        self.passes.clear();
        if let Media::Reading { mut pass, .. } = self.media {
            self.passes.push(pass);
            while pass.track_end < end {
                pass = self.mechanism.next(&pass, false);
                self.passes.push(pass);
            }
        }
    }

    /// When a block is in the cache, by the plan; at once where it is there.
    fn arrival(&self, block: u64) -> u64 {
        match self.passes.iter().find(|pass| block < pass.track_end) {
            Some(pass) if block >= pass.first => pass.passed(block + 1 - pass.first),
            _ => 0,
        }
    }

    /// First block that is not there at a time, by the plan.
    fn arrived(&self, now: u64, end: u64) -> u64 {
        for pass in &self.passes {
            let here = pass.first + pass.blocks_by(now);
            if here < pass.track_end.min(end) {
                return here;
            }
        }
        end
    }

    /// Blocks that have to be there before the disk comes back to the bus.
    fn water_mark(&self, blocks: u64) -> u64 {
        let bus = &self.spec.bus;
        let base = self.spec.cache.segment_blocks;
        let base = if bus.water_mark_of_request { base.min(blocks) } else { base };
        // Between 0 and the base, which is a whole number of at most 53 bits.
        ((base as f64 * bus.read_water_mark) as u64).max(1)
    }

    /// Sends the blocks of a read to the host as they come, from a time on; when the last one is there.
    fn deliver(&self, ready: u64, first: u64, end: u64) -> u64 {
        let block = self.spec.bus.read_block.0;
        let overheads = &self.spec.overheads;
        let mark = self.water_mark(end - first);
        let leave = self.after(overheads.read_disconnect);
        let come_back = overheads.reselect.0 + overheads.data_preparation.0;
        let held = self.spec.bus.held_by_reads || self.spec.bus.never_disconnects;
        if held || (leave + come_back == 0 && mark == 1) {
            // Each block goes when it is there and the one before has gone; over a pass, which is even, the first
            // or the last one decides.
            let mut done = ready + (end - first) * block;
            for pass in &self.passes {
                let (from, to) = (pass.first.max(first), pass.track_end.min(end));
                if from < to {
                    let first_one = pass.passed(from + 1 - pass.first) + (end - from) * block;
                    let last_one = pass.passed(to - pass.first) + (end - to + 1) * block;
                    done = done.max(first_one).max(last_one);
                }
            }
            return done;
        }
        let (mut now, mut sent) = (ready, first);
        loop {
            let here = self.arrived(now, end);
            if here > sent {
                now += (here - sent) * block;
                sent = here;
                if sent == end {
                    return now;
                }
            } else {
                let enough = (sent + mark).min(end) - 1;
                now = (now + leave).max(self.arrival(enough)) + come_back;
            }
        }
    }
}

impl Device for HardDisk {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.now = self.now.max(now.0);
        self.run_to(self.now);
        let mut command = self.command(self.now, tag, request);
        if self.spec.overheads.overlaps_waiting {
            command.ready = self.take_up(self.now, command.write);
        }
        if self.spec.cache.gathers_writes {
            match self.take_aside(command) {
                Some(other) => command = other,
                None => return,
            }
        }
        self.waiting.push(command, &self.mechanism, &self.segments);
        if self.active.is_none() {
            self.begin_next(self.now);
        }
    }

    fn next_event(&self) -> Option<Picoseconds> {
        if let Some(finished) = self.finished.front() {
            return Some(finished.at);
        }
        let served = self.active.map(|active| active.at);
        let answered = self.answers.peek().map(|Reverse(answer)| Picoseconds(answer.0));
        let waits = !self.waiting.is_empty() || !self.writes.waiting.is_empty();
        let written = match self.media {
            Media::Destaging { until, .. } if waits => Some(Picoseconds(until)),
            _ => None,
        };
        [served, answered, written].into_iter().flatten().min()
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.now = self.now.max(now.0);
        self.run_to(self.now);
        completed.extend(self.finished.drain(..));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
