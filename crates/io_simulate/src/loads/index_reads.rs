//! Reads through an index: down its levels to a leaf, then to the row's block, one block at a time.
//!
//! The index lies level by level, leaves first: `n` leaves, then `n / fan-out` blocks above them, and so on up to the
//! root. A look-up goes to a leaf by its pattern, and on each level above to the block over it. The uppermost levels are in memory. From the
//! leaf it goes to blocks of the table, drawn evenly: rows do not lie as their keys do.
//!
//! Left out: leaves and table blocks that happen to be in memory (put a cache before the volume).

use super::{Area, NoSuchLoad, check, drawn, processes_objection};
use crate::processes::{Ask, Host, Simulation, Then};
use crate::{Device, Operation, Picoseconds, Request, Seeded};
use spindle_workload::Pattern;

/// The readers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexReads {
    /// Where the index lies.
    pub index: Area,
    /// Where the table lies.
    pub table: Area,
    /// Bytes of a block.
    pub block_bytes: u32,
    /// Blocks that one block of a branch points to.
    pub fan_out: u32,
    /// Levels that are in memory, from the root down.
    pub cached_levels: u32,
    /// Which leaves are wanted.
    pub leaves: Pattern,
    /// Blocks of the table that a look-up reads, on average: a whole number next to it each time.
    pub table_blocks: f64,
    /// Sessions that look up, each one after the other.
    pub sessions: u32,
    /// Look-ups of each session; `None` until the simulation ends.
    pub look_ups: Option<u64>,
    /// Pause of a session after a look-up, on average (exponential).
    pub think: Picoseconds,
    /// What a session computes with a block.
    pub compute: Picoseconds,
}

impl IndexReads {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if self.fan_out < 2 {
            return Some(format!("a branch of {} makes no tree", self.fan_out));
        }
        if !(0.0..=1e6).contains(&self.table_blocks) {
            return Some(format!("{} blocks of the table a look-up are none", self.table_blocks));
        }
        processes_objection(self.sessions, "sessions")
            .or_else(|| self.index.objection(self.block_bytes))
            .or_else(|| self.table.objection(self.block_bytes))
            .or_else(|| self.leaves.objection())
            .or_else(|| {
                (self.read_levels().is_empty() && self.table_blocks == 0.0)
                    .then(|| "all levels are in memory, and no block of the table is read".to_owned())
            })
    }

    /// Levels of the index, leaves and root among them: blocks of each, from the leaves up.
    #[must_use]
    pub fn levels(&self) -> Vec<u64> {
        let all = self.index.blocks(self.block_bytes);
        let fan_out = u64::from(self.fan_out.max(2));
        // The most leaves that fit with what is above them.
        let with_branches = |leaves: u64| {
            let (mut level, mut sum) = (leaves, leaves);
            while level > 1 {
                level = level.div_ceil(fan_out);
                sum += level;
            }
            sum
        };
        let (mut fits, mut too_many) = (1, all + 1);
        while too_many - fits > 1 {
            let middle = u64::midpoint(fits, too_many);
            if with_branches(middle) <= all { fits = middle } else { too_many = middle }
        }
        let mut levels = vec![fits];
        while let Some(last) = levels.last().copied().filter(|last| *last > 1) {
            levels.push(last.div_ceil(fan_out));
        }
        levels
    }

    /// Levels that are read, from the leaves up: blocks of each and the block of the index at which it begins.
    fn read_levels(&self) -> Vec<(u64, u64)> {
        let levels = self.levels();
        let read = levels.len().saturating_sub(self.cached_levels as usize);
        let mut begins = 0;
        let mut all = Vec::new();
        for blocks in levels.into_iter().take(read) {
            all.push((blocks, begins));
            begins += blocks;
        }
        all
    }

    /// Adds its sessions, with one stream for blocks of the index, one for those of the table, and one for whole look-ups.
    ///
    /// # Errors
    /// Where it makes no sense.
    pub fn add<D: Device>(
        &self,
        simulation: &mut Simulation<D>,
        name: &str,
        seed: u64,
    ) -> Result<(), NoSuchLoad> {
        check(self.objection())?;
        let index = simulation.stream(&format!("{name}, index"));
        let table = simulation.stream(&format!("{name}, table"));
        let look_up = simulation.waits(&format!("{name}, look-up"));
        let spec = *self;
        let levels = self.read_levels();
        let fan_out = u64::from(self.fan_out);
        let table_blocks = self.table.blocks(self.block_bytes);
        for session in 0..u64::from(self.sessions) {
            let mut random = Seeded::new(seed, 2 * session);
            let leaves = levels.first().map_or(1, |(leaves, _)| *leaves);
            let mut wanted = self.leaves.blocks(leaves, Seeded::new(seed, 2 * session + 1));
            let levels = levels.clone();
            let mut left = self.look_ups;
            // What is read next: places of blocks, the last one first.
            let mut path: Vec<Ask> = Vec::new();
            let mut stage = Stage::Begin;
            let mut begun = Picoseconds::ZERO;
            simulation.add(&format!("{name}, session {}", session + 1), move |host: &mut Host| {
                loop {
                    match stage {
                        Stage::Begin => {
                            if left == Some(0) {
                                return Then::Ended;
                            }
                            left = left.map(|left| left - 1);
                            begun = host.now();
                            let read = |area: Area, block: u64| Request {
                                operation: Operation::Read,
                                offset: area.at(block, spec.block_bytes),
                                bytes: spec.block_bytes,
                            };
                            for _ in 0..drawn(spec.table_blocks, &mut random) {
                                let request = read(spec.table, random.below(table_blocks));
                                path.push(Ask::new(spec.table.volume, table, request));
                            }
                            let mut block = wanted.draw();
                            for (_, begins) in &levels {
                                let request = read(spec.index, begins + block);
                                path.push(Ask::new(spec.index.volume, index, request));
                                block /= fan_out;
                            }
                            stage = Stage::Read;
                        }
                        Stage::Read => match path.pop() {
                            Some(ask) => {
                                host.ask(ask);
                                stage = Stage::Compute;
                                return Then::ALL_DONE;
                            }
                            None => {
                                host.record(look_up, begun, 0);
                                stage = Stage::Begin;
                                if spec.think > Picoseconds::ZERO {
                                    let pause = random.exponential(spec.think.as_us());
                                    return Then::Until(host.now() + Picoseconds::from_us(pause));
                                }
                            }
                        },
                        Stage::Compute => {
                            stage = Stage::Read;
                            if spec.compute > Picoseconds::ZERO {
                                return Then::Compute(spec.compute);
                            }
                        }
                    }
                }
            });
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Stage {
    Begin,
    Read,
    Compute,
}
