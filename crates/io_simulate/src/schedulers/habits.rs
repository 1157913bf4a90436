//! What a scheduler learns of a process: how long it thinks between requests, and how far it goes.
//!
//! Means that weigh each observation by an eighth and the past by seven: the kernel's, in whole numbers of 1/256.
//! Source: as-iosched.c of 2.6.12, from which cfq and bfq have them [S].

use super::Queued;
use crate::Picoseconds;

/// Bytes of a sector.
pub(super) const SECTOR: u64 = 512;

/// A mean that forgets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    /// Weight of what was seen, of 256.
    samples: u64,
    total: u64,
}

impl Mean {
    pub(super) fn add(&mut self, value: u64) {
        self.samples = (7 * self.samples + 256) / 8;
        self.total = (7 * self.total + 256 * value) / 8;
    }

    /// Nothing was seen yet.
    pub(super) fn is_empty(&self) -> bool {
        self.samples == 0
    }

    /// Weight of what was seen, of 256.
    pub(super) fn samples(&self) -> u64 {
        self.samples
    }

    /// The mean; 0 where nothing was seen.
    pub(super) fn mean(&self) -> u64 {
        (self.total + self.samples / 2).checked_div(self.samples).unwrap_or(0)
    }
}

/// What one process does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habits {
    /// From the end of a request to the next, picoseconds.
    pub(super) think: Mean,
    /// From the end of a request's place to the next, sectors.
    pub(super) seek: Mean,
    pub(super) last_end: Option<Picoseconds>,
    last_place: Option<u64>,
}

impl Habits {
    /// A request comes. Where others of the process wait already it did not think. Gives what was added, if anything:
    /// thought and distance.
    pub(super) fn asks(
        &mut self,
        now: Picoseconds,
        request: &Queued,
        others_wait: bool,
        longest: Picoseconds,
    ) -> Option<(u64, u64)> {
        let before = self.last_place.replace(request.end);
        if before.is_none() && self.last_end.is_none() {
            return None;
        }
        let thought = match self.last_end {
            Some(end) if !others_wait => (now - end).min(longest).0,
            _ => 0,
        };
        self.think.add(thought);
        let distance = request.offset.abs_diff(before.unwrap_or(0)) / SECTOR;
        // A stray request does not make a seeker of a process.
        let allowance = if self.seek.samples() <= 60 { 2 << 20 } else { 2 << 16 };
        let bounded = distance.min(self.seek.mean() * 4 + allowance);
        self.seek.add(bounded);
        Some((thought, distance))
    }

    /// Enough was seen to judge by.
    pub(super) fn known(&self) -> bool {
        self.think.samples() > 80
    }
}
