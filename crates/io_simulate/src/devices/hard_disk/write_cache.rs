//! Writes that are done and not on the platter yet, where a disk holds as many as fit.
//!
//! A run is blocks one after the other; a write that begins within a run or at its end joins it. Runs are as many as the
//! cache has segments, and their blocks as many as it holds: a write that does not fit waits until something is written.
//! What is on the platter next is chosen among the runs by the order of the disk, and written a piece at a time: to the end
//! of a track, and at most half of the cache, so that there is room for what comes meanwhile.
//!
//! Left out: what reads left in the cache is counted apart, and not given up for writes.

use super::media::Mechanism;
use super::order::ServiceOrder;
use super::queue::{Command, Queue, Start};
use super::segments::Segments;
use std::collections::{BTreeMap, VecDeque};

/// Blocks one after the other, from the key of the run on.
#[derive(Clone, Copy, Debug)]
struct Run {
    end: u64,
    /// Up to here they have come over the bus.
    there: u64,
    /// It is among those that may be written next.
    queued: bool,
}

/// The writes.
#[derive(Debug)]
pub(super) struct WriteCache {
    runs: BTreeMap<u64, Run>,
    /// Runs that may be written, by their first block.
    queue: Queue,
    /// What the head is writing.
    piece: Option<(u64, u64)>,
    /// Of all runs and of the piece.
    blocks: u64,
    capacity: u64,
    most_runs: usize,
    /// Writes without room, in the order in which they came.
    pub(super) waiting: VecDeque<Command>,
}

impl WriteCache {
    pub(super) fn new(order: ServiceOrder, segments: usize, segment_blocks: u64) -> Self {
        Self {
            runs: BTreeMap::new(),
            queue: Queue::of_writes(order),
            piece: None,
            blocks: 0,
            capacity: segment_blocks.saturating_mul(segments as u64),
            most_runs: segments,
            waiting: VecDeque::new(),
        }
    }

    pub(super) fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Something may be written.
    pub(super) fn has_some(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The run that such a write joins.
    fn joined(&mut self, first: u64) -> Option<&mut Run> {
        self.runs.range_mut(..=first).next_back().map(|(_, run)| run).filter(|run| first <= run.end)
    }

    /// Whether the write that has waited longest fits; it has its room then.
    pub(super) fn admits(&mut self, first: u64, end: u64) -> bool {
        let (blocks, capacity) = (self.blocks, self.capacity);
        if let Some(run) = self.joined(first) {
            let more = end.saturating_sub(run.end);
            if blocks > 0 && blocks.saturating_add(more) > capacity {
                return false;
            }
            run.end += more;
            self.blocks += more;
            return true;
        }
        let full = self.runs.len() >= self.most_runs || blocks.saturating_add(end - first) > capacity;
        // One that is larger than the cache goes through an empty one.
        if full && blocks > 0 {
            return false;
        }
        self.runs.insert(first, Run { end, there: first, queued: false });
        self.blocks += end - first;
        true
    }

    /// The data of a write that was admitted has come.
    pub(super) fn arrived(&mut self, first: u64, end: u64, mechanism: &Mechanism, segments: &Segments) {
        let mut from = first;
        while from < end {
            let next = self.runs.range(from + 1..).next().map_or(end, |(key, _)| end.min(*key));
            if self.joined(from).is_none_or(|run| run.end == from) {
                // It went into a run that has been written meanwhile: written once more.
                self.blocks += next - from;
                match self.joined(from) {
                    Some(run) => run.end = next,
                    None => {
                        self.runs.insert(from, Run { end: next, there: from, queued: false });
                    }
                }
            }
            let Some((key, run)) = self.runs.range_mut(..=from).next_back() else { return };
            run.there = run.there.max(end.min(run.end));
            let (key, newly) = (*key, !std::mem::replace(&mut run.queued, true));
            from = run.end;
            if newly {
                self.may_go(key, mechanism, segments);
            }
        }
    }

    fn may_go(&mut self, first: u64, mechanism: &Mechanism, segments: &Segments) {
        let command =
            Command { tag: 0, write: true, first, end: first + 1, arrived: 0, ready: 0, data: u64::MAX };
        self.queue.push(command, mechanism, segments);
    }

    /// Whether it holds all of these blocks.
    pub(super) fn holds(&self, first: u64, end: u64) -> bool {
        let run = self.runs.range(..=first).next_back().is_some_and(|(_, run)| end <= run.there);
        run || self.piece.is_some_and(|(from, to)| from <= first && end <= to)
    }

    /// Chooses what is written next: first block, and the one behind the last that may be written at once.
    pub(super) fn next(
        &mut self,
        start: &Start,
        mechanism: &Mechanism,
        segments: &mut Segments,
    ) -> Option<(u64, u64)> {
        let only = self.queue.only(mechanism, segments);
        let first = only.or_else(|| self.queue.chosen(start, mechanism, segments))?.first;
        let end = self.runs.get(&first)?.there;
        Some((first, end.min(first + (self.capacity / 2).max(1))))
    }

    /// The head begins to write the run that was chosen, up to a block.
    pub(super) fn begins(&mut self, first: u64, to: u64, mechanism: &Mechanism, segments: &Segments) {
        let Some(run) = self.runs.remove(&first) else { return };
        self.piece = Some((first, to));
        if run.end <= to {
            return;
        }
        let rest = self.runs.entry(to).or_insert(Run { end: to, there: to, queued: false });
        // What was in both is held once.
        self.blocks -= (run.end - to) + (rest.end - to) - (run.end.max(rest.end) - to);
        (rest.end, rest.there) = (rest.end.max(run.end), rest.there.max(run.there));
        if rest.there > to && !std::mem::replace(&mut rest.queued, true) {
            self.may_go(to, mechanism, segments);
        }
    }

    /// The piece is on the platter; which it was.
    pub(super) fn ended(&mut self) -> Option<(u64, u64)> {
        let (first, to) = self.piece.take()?;
        self.blocks -= to - first;
        Some((first, to))
    }
}
