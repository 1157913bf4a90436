//! What the head does: passes over tracks, block by block, and what arrives when.
//!
//! A pass begins when the arm has come and the first block is under the head, and delivers a block each
//! `turn / sectors of the track`. At the track's end the arm goes on to the next block's track at once.

use super::layout::{Layout, Place};
use super::seek::{Arm, ArmSpec, SeekTable};

/// The arm is at a place in time where a wait of a whole turn less so much is none: sums of rounded times.
const NEAR_PS: u64 = 1_000;

/// A stay on one track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// First block that is read or written.
    pub(crate) first: u64,
    /// First block behind those of the track.
    pub(crate) track_end: u64,
    pub(crate) at: Arm,
    pub(crate) sectors: u64,
    pub(crate) turn_ps: u64,
    pub(crate) seek_start: u64,
    pub(crate) seek_end: u64,
    /// The first block is under the head.
    pub(crate) begin: u64,
}

impl Pass {
    /// When so many blocks have passed.
    pub(crate) fn passed(&self, blocks: u64) -> u64 {
        // A track has fewer than 2^31 sectors and a turn is at most 10^12: this may not fit for tracks that
        // no disk has, and is then late instead of wrong in sign.
        self.begin + blocks.saturating_mul(self.turn_ps) / self.sectors
    }

    /// Blocks that have passed by then.
    pub(crate) fn blocks_by(&self, now: u64) -> u64 {
        match now.checked_sub(self.begin) {
            // The largest i with floor(i turn / sectors) <= now - begin.
            Some(time) => ((time + 1).saturating_mul(self.sectors) - 1) / self.turn_ps,
            None => 0,
        }
    }
}

/// The mechanism: what stays the same of it.
#[derive(Debug)]
pub(crate) struct Mechanism {
    pub(crate) layout: Layout,
    pub(crate) arm: ArmSpec,
    pub(crate) seeks: SeekTable,
    pub(crate) turn_ps: u64,
}

impl Mechanism {
    pub(crate) fn new(layout: Layout, arm: ArmSpec, turn_ps: u64) -> Self {
        let seeks = SeekTable::new(&arm.curve, layout.last_cylinder());
        Self { layout, arm, seeks, turn_ps }
    }

    /// What the arm takes at least over so many cylinders and more.
    pub(crate) fn least_seek_ps(&self, cylinders: u64) -> u64 {
        self.arm.least_seek_ps(&self.seeks, cylinders)
    }

    /// The last time, up to and at this one, at which the platter was at its zero.
    pub(crate) fn zero_by(&self, time: u64) -> u64 {
        time - time % self.turn_ps
    }

    /// When a place is under the head, the arm starting at a time, and the platter at its zero at or before then.
    pub(crate) fn begin(&self, from: Arm, place: &Place, start: u64, write: bool, zero: u64) -> u64 {
        let at = Arm { cylinder: place.cylinder, head: place.head };
        self.under(place, start + self.arm.seek_ps(&self.seeks, from, at, write), zero)
    }

    /// When a place comes under the head that is on its track from a time on; at another one before, the platter was at
    /// its zero.
    fn under(&self, place: &Place, from: u64, zero: u64) -> u64 {
        let mut angle = from - zero;
        if angle >= self.turn_ps {
            angle -= self.turn_ps;
            if angle >= self.turn_ps {
                angle %= self.turn_ps;
            }
        }
        let mut wait = place.angle_ps + self.turn_ps - angle;
        if wait >= self.turn_ps {
            wait -= self.turn_ps;
        }
        if wait > self.turn_ps - NEAR_PS {
            wait = 0;
        }
        from + wait
    }

    /// The arm goes from here to a block, starting at a time, and no sooner there than `not_before`.
    pub(crate) fn reach(&self, from: Arm, block: u64, start: u64, write: bool, not_before: u64) -> Pass {
        self.pass(from, block, &self.layout.place(block), start, write, not_before)
    }

    pub(crate) fn pass(
        &self,
        from: Arm,
        block: u64,
        place: &Place,
        start: u64,
        write: bool,
        not_before: u64,
    ) -> Pass {
        let at = Arm { cylinder: place.cylinder, head: place.head };
        let seek_end = (start + self.arm.seek_ps(&self.seeks, from, at, write)).max(not_before);
        Pass {
            first: block,
            track_end: place.track_end,
            at,
            sectors: place.sectors,
            turn_ps: self.turn_ps,
            seek_start: start,
            seek_end,
            begin: self.under(place, seek_end, self.zero_by(seek_end)),
        }
    }

    /// The pass that follows one which ended at its track's end.
    pub(crate) fn next(&self, pass: &Pass, write: bool) -> Pass {
        let end = pass.passed(pass.track_end - pass.first);
        self.reach(pass.at, pass.track_end, end, write, 0)
    }
}

/// Blocks of a write on their way from the host into the cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arriving {
    /// When the first begins to come.
    pub(crate) start: u64,
    /// What each takes.
    pub(crate) block_ps: u64,
    /// Blocks that have to be there before the first is written.
    pub(crate) at_least: u64,
}

impl Arriving {
    /// When the block of this number (from 0) may be written.
    fn ready(&self, number: u64) -> u64 {
        self.start + (number + 1).max(self.at_least) * self.block_ps
    }
}

/// Writes blocks from a pass on, as they arrive. Gives the last pass and its end.
///
/// A block that is not there when its sector comes is waited for a whole turn.
pub(crate) fn write_blocks(
    mechanism: &Mechanism,
    mut pass: Pass,
    end: u64,
    arriving: Arriving,
) -> (Pass, u64) {
    let first = pass.first;
    loop {
        let blocks = pass.track_end.min(end) - pass.first;
        let number = pass.first - first;
        let waits = |i: u64| arriving.ready(number + i) > pass.passed(i);
        // Blocks arrive at an even pace and pass at another: those that are waited for are the first or the last.
        let in_time = if waits(0) {
            0
        } else if !waits(blocks - 1) {
            blocks
        } else {
            let (mut low, mut high) = (1, blocks - 1);
            while low < high {
                let middle = (low + high) / 2;
                if waits(middle) { high = middle } else { low = middle + 1 }
            }
            low
        };
        if in_time == blocks {
            let last = pass.passed(blocks);
            if pass.first + blocks == end {
                return (pass, last);
            }
            pass = mechanism.next(&pass, true);
            continue;
        }
        // The block comes round again, as often as it takes.
        let missed = pass.passed(in_time);
        let lacking = arriving.ready(number + in_time).saturating_sub(missed);
        let turns = lacking.div_ceil(pass.turn_ps).max(1);
        pass.first += in_time;
        pass.begin = missed + turns * pass.turn_ps;
    }
}
