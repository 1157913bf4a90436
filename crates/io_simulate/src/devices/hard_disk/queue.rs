//! Commands that wait, kept so that the next one is found without a look at each.
//!
//! Those among which the disk chooses (as many as it queues) stand by cylinder, so that the nearest one is found by
//! halving; where a command lies is looked up once, when it comes among them.
//!
//! *Shortest positioning time first* goes outward from the arm, and ends where reaching a cylinder takes longer than
//! the best command found so far takes in all. A read that lies in the cache costs nothing and is known without a
//! look at the cache: it can have come there only by a segment that has changed since the last choice, so these are
//! looked at alone, against commands by their first block.
//!
//! What is chosen is what [`super::order`] says, which the tests hold this against at each choice.

use super::layout::Place;
use super::media::Mechanism;
use super::order::ServiceOrder;
use super::seek::Arm;
use super::segments::Segments;
use std::collections::VecDeque;

/// A command, in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) tag: u64,
    pub(super) write: bool,
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) arrived: u64,
    /// When the controller has taken it up, where it does so while others are served.
    pub(super) ready: u64,
    /// When the data of a write began to come while others were served; the largest number where it did not.
    pub(super) data: u64,
}

/// A command that may be chosen.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    command: Command,
    /// Of its first block.
    place: Place,
    /// How many came among the candidates before: of equal ones the lowest is served.
    number: u64,
    /// It is a read, and the cache held all of it when that was last looked at.
    held: bool,
}

/// Where a choice begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) at: u64,
    /// When the head is free, not before `at`.
    pub(super) free: u64,
    pub(super) arm: Arm,
    /// Overhead of a read, and of a write, that needs the head.
    pub(super) read_ps: u64,
    pub(super) write_ps: u64,
    /// The controller takes commands up while others are served.
    pub(super) overlaps: bool,
    /// What the head reads on into.
    pub(super) running: Option<Running>,
}

/// Blocks that a pass of the head has read and reads on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) first: u64,
    /// The block that comes next.
    pub(super) end: u64,
    /// When it is under the head.
    pub(super) next_ps: u64,
    /// A read may begin with that block.
    pub(super) next_counts: bool,
}

impl Running {
    /// When it brings what a command lacks, which is in part there or comes next; the head stays where it is.
    pub(super) fn brings(&self, command: &Command) -> Option<u64> {
        let lacks = !command.write && self.first <= command.first && command.end > self.end;
        match command.first.cmp(&self.end) {
            std::cmp::Ordering::Less if lacks => Some(0),
            std::cmp::Ordering::Equal if lacks && self.next_counts => Some(self.next_ps),
            _ => None,
        }
    }
}

impl Start {
    /// When the arm begins to move for a command.
    pub(super) fn of(&self, command: &Command) -> u64 {
        if self.overlaps {
            return self.free.max(command.ready);
        }
        self.free + if command.write { self.write_ps } else { self.read_ps }
    }

    /// When a command that needs no seek goes on, where what it needs is there at a time.
    pub(super) fn of_read(&self, command: &Command, there: u64) -> u64 {
        self.at.max(there).max(if self.overlaps { command.ready } else { 0 })
    }
}

/// Numbers of candidates by a key, ascending; of equal keys in the order in which they came.
#[derive(Debug, Default)]
struct Sorted(Vec<(u64, u32)>);

impl Sorted {
    /// How many have keys below this one.
    fn below(&self, key: u64) -> usize {
        self.0.partition_point(|entry| entry.0 < key)
    }

    fn add(&mut self, key: u64, slot: u32) {
        let at = self.0.partition_point(|entry| entry.0 <= key);
        self.0.insert(at, (key, slot));
    }

    fn remove(&mut self, key: u64, slot: u32) {
        let from = self.below(key);
        if let Some(way) = self.0[from..].iter().position(|entry| entry.1 == slot) {
            self.0.remove(from + way);
        }
    }

    /// The first with the key of the one before this position; `None` where there is none before.
    fn first_before(&self, at: usize) -> Option<(u64, u32)> {
        let key = self.0.get(at.checked_sub(1)?)?.0;
        self.0.get(self.below(key)).copied()
    }
}

/// The commands that wait.
#[derive(Debug)]
pub(super) struct Queue {
    order: ServiceOrder,
    depth: usize,
    /// Not among the candidates yet; all, where the first is served first.
    behind: VecDeque<Command>,
    candidates: Vec<Candidate>,
    vacant: Vec<u32>,
    by_cylinder: Sorted,
    /// For the shortest positioning time alone.
    by_block: Sorted,
    /// Those that the cache held.
    held: Vec<u32>,
    /// Candidates so far.
    numbered: u64,
    /// The arm goes up.
    upward: bool,
    /// Some of them may be reads that lie in the cache.
    has_reads: bool,
}

impl Queue {
    pub(super) fn new(order: ServiceOrder, depth: usize) -> Self {
        Self {
            // Of one there is no choice.
            order: if depth == 1 { ServiceOrder::Fcfs } else { order },
            depth,
            behind: VecDeque::new(),
            candidates: Vec::new(),
            vacant: Vec::new(),
            by_cylinder: Sorted::default(),
            by_block: Sorted::default(),
            held: Vec::new(),
            numbered: 0,
            upward: true,
            has_reads: true,
        }
    }

    /// Of writes alone, among all of which the disk chooses.
    pub(super) fn of_writes(order: ServiceOrder) -> Self {
        Self { has_reads: false, ..Self::new(order, usize::MAX) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.behind.is_empty() && self.by_cylinder.0.is_empty()
    }

    /// A command comes.
    pub(super) fn push(&mut self, command: Command, mechanism: &Mechanism, segments: &Segments) {
        if self.order != ServiceOrder::Fcfs && self.by_cylinder.0.len() < self.depth {
            self.admit(command, mechanism, segments);
        } else {
            self.behind.push_back(command);
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "no more commands are in memory")]
    fn admit(&mut self, command: Command, mechanism: &Mechanism, segments: &Segments) {
        let place = mechanism.layout.place(command.first);
        let by_position = self.order == ServiceOrder::Sptf;
        let held = by_position && !command.write && segments.hold(command.first, command.end);
        self.numbered += 1;
        let candidate = Candidate { command, place, number: self.numbered, held };
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.candidates[slot as usize] = candidate;
                slot
            }
            None => {
                self.candidates.push(candidate);
                self.candidates.len() as u32 - 1
            }
        };
        self.by_cylinder.add(place.cylinder, slot);
        if by_position {
            self.by_block.add(command.first, slot);
        }
        if held {
            self.held.push(slot);
        }
    }

    /// The command that is next where there is no choice: one order, or one command.
    pub(super) fn only(&mut self, mechanism: &Mechanism, segments: &Segments) -> Option<Command> {
        match (self.order, self.by_cylinder.0.as_slice()) {
            (ServiceOrder::Fcfs, _) => self.behind.pop_front(),
            (_, &[(_, slot)]) => Some(self.take(slot, mechanism, segments)),
            _ => None,
        }
    }

    /// The next command of several, by the order of the disk.
    pub(super) fn chosen(
        &mut self,
        start: &Start,
        mechanism: &Mechanism,
        segments: &mut Segments,
    ) -> Option<Command> {
        let slot = match self.order {
            ServiceOrder::Sptf => self.by_position(start, mechanism, segments),
            _ => self.nearest(start.arm.cylinder),
        };
        slot.map(|slot| self.take(slot, mechanism, segments))
    }

    /// Takes a candidate out, and lets the next command come among them.
    fn take(&mut self, slot: u32, mechanism: &Mechanism, segments: &Segments) -> Command {
        let Candidate { command, place, held, .. } = self.candidates[slot as usize];
        self.by_cylinder.remove(place.cylinder, slot);
        if self.order == ServiceOrder::Sptf {
            self.by_block.remove(command.first, slot);
        }
        if held {
            self.held.retain(|other| *other != slot);
        }
        self.vacant.push(slot);
        if let Some(next) = self.behind.pop_front() {
            self.admit(next, mechanism, segments);
        }
        command
    }

    /// By cylinder alone.
    fn nearest(&mut self, arm: u64) -> Option<u32> {
        let all = &self.by_cylinder;
        let from = all.below(arm);
        let ahead = all.0.get(from).copied();
        let behind = || all.first_before(from);
        let found = match self.order {
            ServiceOrder::CLook => ahead.or_else(|| all.0.first().copied()),
            ServiceOrder::Look => {
                // One under the arm is ahead either way.
                let downward = || ahead.filter(|a| a.0 == arm).or_else(behind);
                let found = if self.upward { ahead } else { downward() };
                found.or_else(|| {
                    self.upward = !self.upward;
                    if self.upward { ahead } else { downward() }
                })
            }
            ServiceOrder::Sstf | ServiceOrder::Sptf | ServiceOrder::Fcfs => match (ahead, behind()) {
                (Some(one), Some(other)) => {
                    let cost = |c: (u64, u32)| (c.0.abs_diff(arm), self.candidates[c.1 as usize].number);
                    Some(if cost(one) < cost(other) { one } else { other })
                }
                (one, other) => one.or(other),
            },
        };
        found.map(|(_, slot)| slot)
    }

    /// By the time until the head can begin.
    fn by_position(&mut self, start: &Start, mechanism: &Mechanism, segments: &mut Segments) -> Option<u32> {
        if self.has_reads {
            self.look_into_cache(segments);
        }
        // When the first block is under the head, the place in the order of coming, and which.
        let held = self.held.iter().map(|slot| {
            let it = &self.candidates[*slot as usize];
            (start.of_read(&it.command, 0), it.number, *slot)
        });
        let mut best = held.min().unwrap_or((u64::MAX, u64::MAX, 0));
        if let Some(running) = &start.running {
            // What the head is about to bring costs no way, and to leave it would cost a turn to come back.
            let from = self.by_block.below(running.first);
            for (_, slot) in self.by_block.0[from..].iter().take_while(|entry| entry.0 <= running.end) {
                let it = &self.candidates[*slot as usize];
                if let Some(there) = running.brings(&it.command).filter(|_| !it.held) {
                    best = best.min((start.of_read(&it.command, there), it.number, *slot));
                }
            }
        }
        let earliest = start.free + if start.overlaps { 0 } else { start.read_ps.min(start.write_ps) };
        let zero = mechanism.zero_by(start.free);
        let sorted = self.by_cylinder.0.as_slice();
        let arm = start.arm.cylinder;
        let mut above = self.by_cylinder.below(arm);
        let mut below = above;
        loop {
            let up = sorted.get(above).map(|entry| (entry.0 - arm, entry.1));
            let down = below.checked_sub(1).map(|at| (arm - sorted[at].0, sorted[at].1));
            let (way, slot) = match (up, down) {
                (Some(up), Some(down)) if down.0 < up.0 => {
                    below -= 1;
                    down
                }
                (Some(up), _) => {
                    above += 1;
                    up
                }
                (None, Some(down)) => {
                    below -= 1;
                    down
                }
                (None, None) => break,
            };
            if earliest + mechanism.least_seek_ps(way) > best.0 {
                break;
            }
            let candidate = &self.candidates[slot as usize];
            let comes = start.running.is_some_and(|running| running.brings(&candidate.command).is_some());
            if !candidate.held && !comes {
                let Candidate { command, place, number, .. } = candidate;
                let begin = mechanism.begin(start.arm, place, start.of(command), command.write, zero);
                if begin < best.0 || begin == best.0 && *number < best.1 {
                    best = (begin, *number, slot);
                }
            }
        }
        (best.1 < u64::MAX).then_some(best.2)
    }

    /// Finds out which reads lie in the cache, as far as that may have changed.
    fn look_into_cache(&mut self, segments: &mut Segments) {
        let candidates = &mut self.candidates;
        self.held.retain(|slot| {
            let it = &mut candidates[*slot as usize];
            it.held = segments.hold(it.command.first, it.command.end);
            it.held
        });
        while let Some((first, end)) = segments.next_changed() {
            let from = self.by_block.below(first);
            for (_, slot) in self.by_block.0[from..].iter().take_while(|entry| entry.0 < end) {
                let it = &mut candidates[*slot as usize];
                if !it.held && !it.command.write && it.command.end <= end {
                    it.held = true;
                    self.held.push(*slot);
                }
            }
        }
    }

    /// The candidates in the order in which they came, and where the arm goes: what tests compare.
    #[cfg(test)]
    pub(super) fn plainly(&self) -> (Vec<Command>, bool) {
        let mut all: Vec<&Candidate> =
            self.by_cylinder.0.iter().map(|(_, slot)| &self.candidates[*slot as usize]).collect();
        all.sort_by_key(|c| c.number);
        (all.iter().map(|c| c.command).collect(), self.upward)
    }
}
