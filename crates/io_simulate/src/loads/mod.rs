//! Loads: what asks modelled volumes, one kind a file.
//!
//! A load is a specification, every number of which is given by who asks for it. It adds processes and streams to a
//! [`crate::processes::Simulation`]; what is random in it is drawn from a seed. [`run_job`] runs whatever a [`spindle_workload::Job`]
//! describes; the others are what a database does: [`ParallelScan`], [`IndexReads`], [`DbWriter`], [`LogWriter`],
//! [`TempSpill`], and two mixes of them, [`Oltp`] and [`Dss`].

mod db_writer;
mod index_reads;
mod job;
mod log_writer;
mod mixes;
mod scan;
mod temp;
mod write_times;

pub use db_writer::{Changes, ChangesSoFar, DbWriter};
pub use index_reads::IndexReads;
pub use job::{JobLoad, TraceInput, run_job};
pub use log_writer::{CommitBursts, CommitKind, Committers, LogWriter, Redo};
pub use mixes::{Dss, Oltp};
pub use scan::{Granules, ParallelScan};
pub use temp::{SpillKind, TempSpill};
pub use write_times::{Atom, LatencyBucket, WriteTimes};

use std::fmt;

/// A part of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area {
    /// Number of the volume, from 0.
    pub volume: usize,
    /// Its first byte.
    pub from: u64,
    /// Its bytes.
    pub bytes: u64,
}

impl Area {
    /// Whole blocks of it.
    #[must_use]
    pub fn blocks(&self, block_bytes: u32) -> u64 {
        self.bytes / u64::from(block_bytes.max(1))
    }

    /// Byte of the volume at which a block begins.
    #[must_use]
    pub fn at(&self, block: u64, block_bytes: u32) -> u64 {
        self.from + block * u64::from(block_bytes)
    }

    /// Why it holds no block, in a sentence.
    fn objection(&self, block_bytes: u32) -> Option<String> {
        if block_bytes == 0 {
            return Some("a block of 0 bytes is none".to_owned());
        }
        if self.from.checked_add(self.bytes).is_none() {
            return Some(format!("{} bytes from byte {} on reach beyond any volume", self.bytes, self.from));
        }
        (self.blocks(block_bytes) == 0)
            .then(|| format!("an area of {} bytes holds no block of {block_bytes} bytes", self.bytes))
    }
}

/// Why there is no such load, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchLoad(pub String);

impl fmt::Display for NoSuchLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoSuchLoad {}

/// Refuses where there is an objection.
fn check(objection: Option<String>) -> Result<(), NoSuchLoad> {
    objection.map_or(Ok(()), |why| Err(NoSuchLoad(why)))
}

/// Processes of one load may be so many.
const MOST_PROCESSES: u32 = 65_536;

/// A number of processes that is one.
fn processes_objection(count: u32, what: &str) -> Option<String> {
    (!(1..=MOST_PROCESSES).contains(&count))
        .then(|| format!("{count} {what} are not between 1 and {MOST_PROCESSES}"))
}

/// A mean that is drawn as a whole number next to it, so that the mean stays.
fn drawn(mean: f64, random: &mut crate::Seeded) -> u32 {
    let whole = mean.floor();
    let more = u32::from(random.unit() < mean - whole);
    // Means are bounded by those who give them.
    whole as u32 + more
}

#[cfg(test)]
mod tests;
