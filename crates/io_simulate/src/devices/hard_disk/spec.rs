//! What makes a hard disk: every parameter, with its unit.
//!
//! Where a number comes from is told by whoever fills it in: a drive's measured files (`disksim`), or its data
//! sheet and what was assumed beside it (`data_sheet`).

use super::layout::LayoutSpec;
use super::order::ServiceOrder;
use super::seek::ArmSpec;
use crate::Picoseconds;
use std::fmt;

/// Why there is no such disk, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskFault(pub String);

impl fmt::Display for DiskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DiskFault {}

/// A time by what the last completed request was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// A read; also where there was none yet.
    pub read: Picoseconds,
    /// A write.
    pub write: Picoseconds,
}

impl After {
    /// The same after both.
    #[must_use]
    pub fn both(time: Picoseconds) -> Self {
        Self { read: time, write: time }
    }
}

/// How far the disk reads on after what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAhead {
    /// Not at all.
    None,
    /// So many blocks at most, and to the end of the track.
    Track {
        /// Blocks.
        blocks: u64,
    },
    /// So many blocks at most, and to the end of the cylinder.
    Cylinder {
        /// Blocks.
        blocks: u64,
    },
    /// So many blocks.
    Blocks {
        /// Blocks.
        blocks: u64,
    },
    /// To the end of the track after the request; a track further where the segment began before that one.
    TrackAndNext,
}

/// The cache, and what is written when.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheSpec {
    /// Segments; at least one.
    pub segments: usize,
    /// Blocks of a segment.
    pub segment_blocks: u64,
    /// Reads may be answered from it.
    pub enabled: bool,
    /// What is read on.
    pub read_ahead: ReadAhead,
    /// A hit restarts reading ahead that had ended before its limit.
    pub restart_on_hit: bool,
    /// Reading ahead stops in the middle of a sector; else at its end, or when the first of a track comes.
    pub stops_in_sector: bool,
    /// A read of the block that is just being read waits for it; else the head goes round for it.
    pub almost_hits: bool,
    /// A write is done when its data is in the cache; else when it is on the platter.
    pub write_back: bool,
    /// What was written answers reads.
    pub written_readable: bool,
    /// A write that goes on where one is being written joins it.
    pub joins_writes: bool,
    /// Writes have the cache to themselves until the head has time: as many as fit are acknowledged, and the data of
    /// those that go through comes while others are served. Else the cache holds the one write that is under way, and the
    /// next request that needs the head waits for it: so DiskSim models the drives that it was held against.
    pub gathers_writes: bool,
}

/// The way to the host.
#[derive(Clone, Debug, PartialEq)]
pub struct BusSpec {
    /// A block to the host.
    pub read_block: Picoseconds,
    /// A block from the host.
    pub write_block: Picoseconds,
    /// The disk keeps the bus while a read waits for its first block.
    pub never_disconnects: bool,
    /// It keeps the bus while a read waits for further blocks; else it leaves and comes back.
    pub held_by_reads: bool,
    /// Share of the request (or segment) that is there before the disk comes back to the bus.
    pub read_water_mark: f64,
    /// That share is of the request; else of the segment.
    pub water_mark_of_request: bool,
    /// Blocks of a write that are there before the first goes to the platter: as the drives of HP have it,
    /// 10 of a request (15 of one of 45 and more), or all of a smaller one.
    pub write_waits_for_ten: bool,
}

/// What the controller takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverheadSpec {
    /// Each request.
    pub request: Picoseconds,
    /// A read that is answered from the cache.
    pub read_hit: After,
    /// A read that needs the head.
    pub read_miss: After,
    /// A write that is done when it is in the cache.
    pub write_hit: After,
    /// A write that is done when it is on the platter.
    pub write_miss: After,
    /// From a read's last block to its end.
    pub read_completion: Picoseconds,
    /// From a write's last block to its end.
    pub write_completion: Picoseconds,
    /// Before data moves.
    pub data_preparation: Picoseconds,
    /// To come back to the bus.
    pub reselect: Picoseconds,
    /// A read leaves the bus.
    pub read_disconnect: After,
    /// A write leaves the bus.
    pub write_disconnect: Picoseconds,
    /// A write whose seek is shorter starts so much later, unless it joins one that is being written.
    pub least_write_seek: Picoseconds,
    /// The controller takes up a command while the head serves another, one command after the other: what it takes is
    /// that of `read_miss`, `write_hit` or `write_miss`, and is paid once.
    pub overlaps_waiting: bool,
}

/// What makes a hard disk. Blocks are of 512 bytes unless `block_bytes` says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct HardDiskSpec {
    /// Bytes of a block: the sector.
    pub block_bytes: u32,
    /// One turn of the platters.
    pub turn: Picoseconds,
    /// Where blocks lie.
    pub layout: LayoutSpec,
    /// How the arm moves.
    pub arm: ArmSpec,
    /// What is kept, and when a write is done.
    pub cache: CacheSpec,
    /// How data moves to and from the host.
    pub bus: BusSpec,
    /// What the controller takes.
    pub overheads: OverheadSpec,
    /// Which waiting command is next.
    pub order: ServiceOrder,
    /// Commands that the disk chooses among; further ones wait in the order in which they came.
    pub queue_depth: usize,
}

impl HardDiskSpec {
    /// What is wrong with it, beside its layout and curve.
    pub(super) fn check(&self) -> Result<(), DiskFault> {
        let no = |why: String| Err(DiskFault(why));
        if !(Picoseconds::from_us(100.0)..=Picoseconds::SECOND).contains(&self.turn) {
            return no(format!("a turn takes 0.1 ms to 1 s, not {}", self.turn));
        }
        if self.block_bytes == 0 {
            return no("a block of 0 bytes holds nothing".to_owned());
        }
        if !(1..=100_000).contains(&self.cache.segments) {
            return no(format!("a cache has 1 to 100000 segments, not {}", self.cache.segments));
        }
        if self.cache.segment_blocks == 0 {
            return no("a segment of 0 blocks holds nothing".to_owned());
        }
        if self.queue_depth == 0 {
            return no("a queue of 0 commands serves none".to_owned());
        }
        if !(0.0..=1.0).contains(&self.bus.read_water_mark) {
            return no(format!("a water mark lies between 0 and 1, not at {}", self.bus.read_water_mark));
        }
        let o = &self.overheads;
        let times = [o.read_hit, o.read_miss, o.write_hit, o.write_miss, o.read_disconnect]
            .into_iter()
            .flat_map(|a| [a.read, a.write])
            .chain([o.request, o.read_completion, o.write_completion, o.data_preparation, o.reselect])
            .chain([o.write_disconnect, o.least_write_seek, self.bus.read_block, self.bus.write_block])
            .chain([self.arm.head_switch, Picoseconds(self.arm.write_settle_ps.unsigned_abs())]);
        match times.into_iter().find(|time| time.as_s() > 3_600.0) {
            Some(time) => no(format!("nothing that a disk does takes {time}")),
            None => Ok(()),
        }
    }
}
