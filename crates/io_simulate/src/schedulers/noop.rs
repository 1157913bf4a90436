//! First come, first served: noop of 2.6, and none of today.
//!
//! What is merged and plugged before it makes all the difference between the two. Left out of none: software queues
//! for each processor, which a busy device empties by turns.

use super::{Queued, Scheduler};
use crate::Picoseconds;
use std::collections::VecDeque;

/// The scheduler.
#[derive(Debug, Default)]
pub struct Noop {
    line: VecDeque<usize>,
}

impl Scheduler for Noop {
    fn add(&mut self, _now: Picoseconds, id: usize, _request: &Queued) {
        self.line.push_back(id);
    }

    fn grown(&mut self, _id: usize, _request: &Queued) {}

    fn next(&mut self, _now: Picoseconds) -> Option<usize> {
        self.line.pop_front()
    }

    fn wakes(&self) -> Option<Picoseconds> {
        None
    }

    fn done(&mut self, _now: Picoseconds, _id: usize) {}
}
