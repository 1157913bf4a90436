//! A database writer: blocks that were changed in memory, written in batches of scattered writes.
//!
//! Sessions tell it which block they changed. A block that waits to be written and is changed again is written once. The writer
//! begins when so many blocks wait, at a checkpoint, when a block has waited long enough (the incremental checkpoint: those alone are
//! written then), or when a time has passed (all that waits then is written, in as many batches as that takes); it writes those that were changed first, a batch at
//! a time, several writes side by side, and nobody waits for a single one. A checkpoint writes all that waits when it begins.
//! Memory holds so many changed blocks: who changes another one then waits until a batch is done.
//!
//! Streams: the writes; `db file parallel write`, whole batches; `free buffer waits`; `checkpoint`, whole ones.
//!
//! Left out: redo that has to be written first, several writers, blocks that lie side by side written as one.

use super::{Area, NoSuchLoad, check};
use crate::processes::{Ask, First, Host, Simulation, StreamId, Then};
use crate::{Device, Operation, Picoseconds, Request, Seeded};
use rustc_hash::FxHashSet;
use spindle_workload::Pattern;
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DbWriter {
    /// Where the blocks lie.
    pub area: Area,
    /// Bytes of a block.
    pub block_bytes: u32,
    /// Blocks of a batch at most.
    pub batch: u32,
    /// Writes under way at once at most.
    pub under_way: u32,
    /// It begins when so many blocks wait.
    pub begin_at: u64,
    /// Or when so much time has passed since it last looked: all that waits then.
    pub every: Option<Picoseconds>,
    /// Changed blocks that memory holds.
    pub most_dirty: u64,
    /// So long a changed block waits at most before it is written.
    pub oldest: Option<Picoseconds>,
    /// From one checkpoint to the next.
    pub checkpoint_every: Option<Picoseconds>,
    /// The blocks of a batch are written by address, rather than in the order in which they were changed.
    pub by_address: bool,
}

/// Changes at a rate: blocks by a pattern, at random times (Poisson). Who has to wait for memory is late with all that follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Changes {
    /// Blocks changed a second.
    pub per_s: f64,
    /// Which blocks.
    pub blocks: Pattern,
    /// How many; `None` until the simulation ends.
    pub count: Option<u64>,
}

/// How far changes at a rate have come: whether the writer keeps up with them is seen at the end.
///
/// Shape: one a source of changes. Unit: changes, and the time of the simulation. Source: the source itself, while it runs.
#[derive(Clone, Debug, Default)]
pub struct ChangesSoFar(Rc<Cell<(u64, Picoseconds)>>);

impl ChangesSoFar {
    /// Changes for which memory was found.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.0.get().0
    }

    /// When the one that waits for memory, or the next one, was or is due.
    #[must_use]
    pub fn due(&self) -> Picoseconds {
        self.0.get().1
    }
}

impl DbWriter {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if self.batch == 0 || self.under_way == 0 {
            return Some("a batch of no blocks, or no write under way, writes nothing".to_owned());
        }
        if !(1..=1 << 24).contains(&self.most_dirty) || self.begin_at > self.most_dirty {
            return Some(format!(
                "memory for {} changed blocks, of which writing begins at {}, is none: give 1 to 16,777,216, and begin at \
                 no more than that",
                self.most_dirty, self.begin_at
            ));
        }
        let never = |time: Option<Picoseconds>| time == Some(Picoseconds::ZERO);
        if never(self.every) || never(self.checkpoint_every) || never(self.oldest) {
            return Some("what happens every 0 us never ends".to_owned());
        }
        self.area.objection(self.block_bytes)
    }

    /// Adds the writer, which serves until the simulation ends; its number. A session tells it the number of a block that it
    /// changed and waits to be told.
    ///
    /// # Errors
    /// Where it makes no sense.
    pub fn add<D: Device>(&self, simulation: &mut Simulation<D>, name: &str) -> Result<u32, NoSuchLoad> {
        check(self.objection())?;
        let mut writer = Writer {
            spec: *self,
            blocks: self.area.blocks(self.block_bytes),
            writes: simulation.stream(name),
            batches: simulation.waits("db file parallel write"),
            free: simulation.waits("free buffer waits"),
            checkpoints: simulation.waits("checkpoint"),
            dirty: VecDeque::new(),
            waiting: FxHashSet::default(),
            blocked: VecDeque::new(),
            batch: Vec::new(),
            in_batch: 0,
            batch_begun: Picoseconds::ZERO,
            checkpoint: None,
            next_checkpoint: self.checkpoint_every,
            look: self.every,
            looked: 0,
        };
        Ok(simulation.add_service(name, move |host: &mut Host| writer.go_on(host)))
    }
}

struct Writer {
    spec: DbWriter,
    blocks: u64,
    writes: StreamId,
    batches: StreamId,
    free: StreamId,
    checkpoints: StreamId,
    /// Blocks that wait to be written and since when, the first changed first.
    dirty: VecDeque<(u64, Picoseconds)>,
    /// The same, to be looked up.
    waiting: FxHashSet<u64>,
    /// Who waits for memory, since when, with which block.
    blocked: VecDeque<(u32, Picoseconds, u64)>,
    /// What is left of the batch, the last first.
    batch: Vec<u64>,
    /// Blocks of the batch that is under way.
    in_batch: u64,
    batch_begun: Picoseconds,
    /// Since when a checkpoint is under way, and blocks that it still has to write.
    checkpoint: Option<(Picoseconds, u64)>,
    next_checkpoint: Option<Picoseconds>,
    /// When it looks next, whatever waits.
    look: Option<Picoseconds>,
    /// Blocks, the first changed first, that waited when it looked and are still to be written.
    looked: usize,
}

impl Writer {
    fn has_memory(&self) -> bool {
        self.dirty.len() as u64 + self.in_batch < self.spec.most_dirty
    }

    fn go_on(&mut self, host: &mut Host) -> Then {
        let now = host.now();
        while let Some(told) = host.told() {
            let block = told.value % self.blocks;
            if self.waiting.contains(&block) {
                host.tell(told.from, 0);
            } else if self.has_memory() && self.blocked.is_empty() {
                self.changed(block, told.at);
                host.tell(told.from, 0);
            } else {
                self.blocked.push_back((told.from, told.at, block));
            }
        }
        if self.in_batch > 0 && self.batch.is_empty() && host.under_way() == 0 {
            self.batch_done(host);
        }
        if let Some(due) = self.next_checkpoint.filter(|due| *due <= now) {
            self.next_checkpoint = self.spec.checkpoint_every.map(|every| due + every);
            // One that is still under way goes on with what has come since.
            let begun = self.checkpoint.map_or(now, |(begun, _)| begun);
            self.checkpoint = Some((begun, self.dirty.len() as u64 + self.in_batch));
            self.checkpoint_done(host, 0);
        }
        if self.in_batch == 0 {
            let late = self.look.is_some_and(|look| look <= now);
            let wanted = late || self.checkpoint.is_some() || !self.blocked.is_empty();
            let aged = self.aged(now);
            if late {
                self.looked = self.dirty.len();
            }
            if !self.dirty.is_empty() && (wanted || self.dirty.len() as u64 >= self.spec.begin_at) {
                self.begin_batch(now, self.dirty.len());
            } else if aged.max(self.looked) > 0 {
                self.begin_batch(now, aged.max(self.looked));
            } else if late {
                self.look = self.spec.every.map(|every| now + every);
            }
        }
        while host.under_way() < self.spec.under_way
            && let Some(block) = self.batch.pop()
        {
            let offset = self.spec.area.at(block, self.spec.block_bytes);
            let request = Request { operation: Operation::Write, offset, bytes: self.spec.block_bytes };
            host.ask(Ask::new(self.spec.area.volume, self.writes, request).unawaited());
        }
        let look = if self.in_batch == 0 { self.look } else { None };
        let ages = if self.in_batch == 0 { self.next_aged() } else { None };
        let by = [look, ages, self.next_checkpoint].into_iter().flatten().min();
        let under_way = host.under_way();
        let room = if self.batch.is_empty() { 0 } else { under_way.saturating_sub(1) };
        Then::First(First { at_most: (under_way > 0).then_some(room), told: true, by })
    }

    fn changed(&mut self, block: u64, at: Picoseconds) {
        self.dirty.push_back((block, at));
        self.waiting.insert(block);
    }

    /// When the block that has waited longest has waited long enough.
    fn next_aged(&self) -> Option<Picoseconds> {
        let (_, since) = self.dirty.front()?;
        Some(*since + self.spec.oldest?)
    }

    /// Blocks that have.
    fn aged(&self, now: Picoseconds) -> usize {
        match self.spec.oldest {
            Some(oldest) => self.dirty.partition_point(|(_, since)| *since + oldest <= now),
            None => 0,
        }
    }

    fn begin_batch(&mut self, now: Picoseconds, most: usize) {
        let many = (self.spec.batch as usize).min(most);
        self.batch.extend(self.dirty.drain(..many).map(|(block, _)| block));
        for block in &self.batch {
            self.waiting.remove(block);
        }
        if self.spec.by_address {
            self.batch.sort_unstable();
        }
        // The last one is taken first.
        self.batch.reverse();
        self.in_batch = many as u64;
        self.looked = self.looked.saturating_sub(many);
        self.batch_begun = now;
        self.look = self.spec.every.map(|every| now + every);
    }

    fn batch_done(&mut self, host: &mut Host) {
        host.record(self.batches, self.batch_begun, 0);
        let written = std::mem::take(&mut self.in_batch);
        self.checkpoint_done(host, written);
        while self.has_memory()
            && let Some((process, since, block)) = self.blocked.pop_front()
        {
            if !self.waiting.contains(&block) {
                self.changed(block, host.now());
            }
            host.record(self.free, since, 0);
            host.tell(process, 0);
        }
    }

    fn checkpoint_done(&mut self, host: &mut Host, written: u64) {
        if let Some((begun, left)) = self.checkpoint {
            let left = left.saturating_sub(written);
            self.checkpoint = (left > 0).then_some((begun, left));
            if left == 0 {
                host.record(self.checkpoints, begun, 0);
            }
        }
    }
}

impl Changes {
    /// Why they make no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        (!(1e-9..=1e9).contains(&self.per_s))
            .then(|| format!("{} changes a second are none", self.per_s))
            .or_else(|| self.blocks.objection())
    }

    /// Adds their source before a writer of so many blocks; how far it has come is seen from outside.
    ///
    /// # Errors
    /// Where they make no sense.
    pub fn add<D: Device>(
        &self,
        simulation: &mut Simulation<D>,
        writer: (u32, DbWriter),
        seed: u64,
    ) -> Result<ChangesSoFar, NoSuchLoad> {
        check(self.objection())?;
        let (number, writer) = writer;
        let mut wanted = self.blocks.blocks(writer.area.blocks(writer.block_bytes), Seeded::new(seed, 1));
        let mut random = Seeded::new(seed, 0);
        let gap = 1e6 / self.per_s;
        let mut left = self.count;
        let mut due = Picoseconds::from_us(random.exponential(gap));
        let mut waits = false;
        let mut made = 0;
        let so_far = ChangesSoFar::default();
        let told = so_far.clone();
        let source = move |host: &mut Host| {
            if std::mem::take(&mut waits) {
                host.told();
                made += 1;
                told.0.set((made, due));
            }
            if left == Some(0) {
                return Then::Ended;
            }
            if due > host.now() {
                return Then::Until(due);
            }
            told.0.set((made, due));
            due = due + Picoseconds::from_us(random.exponential(gap));
            left = left.map(|left| left - 1);
            host.tell(number, wanted.draw());
            waits = true;
            Then::Told
        };
        if self.count.is_some() {
            simulation.add("changes", source);
        } else {
            simulation.add_service("changes", source);
        }
        Ok(so_far)
    }
}
