//! Two mixes: what a database asks of storage under transactions, and under decision support.
//!
//! "Like" TPC-C and TPC-H means: the kinds of requests, their shares and how they depend on each other. It is no benchmark: nothing here is
//! a transaction rate or a result that could be held against a published one.
//!
//! **Transactions** ([`Oltp`]): a session reads blocks one at a time, changes some, commits, pauses. A database writer writes what was
//! changed, a log writer the redo. [`Oltp::tpc_c_like`] has 1.9 reads to a write of data, at random places (Chen et al., "TPC-E vs.
//! TPC-C: characterizing the new TPC-E benchmark via an I/O comparison study", SIGMOD Record 39(3), 2010). Blocks a transaction and redo are estimates. Computing
//! is none unless it is given: nobody is to wait for a number that nobody wrote.
//!
//! **Decision support** ([`Dss`]): streams of queries, one after the other in each. A query scans a piece of the tables in parallel, may
//! spill a share of what it read to temp, and looks some rows up. [`Dss::tpc_h_like`] has 22 queries a stream (the benchmark's number); all shares
//! are estimates.

use super::temp::Spilling;
use super::{
    Area, CommitKind, DbWriter, LogWriter, NoSuchLoad, Redo, SpillKind, TempSpill, check, drawn,
    processes_objection,
};
use crate::processes::{Ask, Host, Simulation, StreamId, Then};
use crate::{Device, Operation, Picoseconds, Request, Seeded};
use spindle_workload::Pattern;

/// Sessions that run transactions, with the writers behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Oltp {
    /// Sessions.
    pub sessions: u32,
    /// Transactions of each; `None` until the simulation ends.
    pub transactions: Option<u64>,
    /// Which blocks are read.
    pub blocks: Pattern,
    /// Blocks that a transaction reads from storage, on average: a whole number next to it each time.
    pub reads: f64,
    /// Blocks of them that it changes, on average; more than it reads are changed in memory.
    pub changes: f64,
    /// Redo of a commit; who changes nothing does not commit.
    pub redo: Redo,
    /// What a transaction computes for each block.
    pub compute: Picoseconds,
    /// Pause of a session, on average (exponential).
    pub think: Picoseconds,
    /// Writes what is changed, where the data lie.
    pub db_writer: DbWriter,
    /// Writes the redo.
    pub log_writer: LogWriter,
}

impl Oltp {
    /// Like TPC-C, on data and a log.
    #[must_use]
    pub fn tpc_c_like(data: Area, log: Vec<Area>, sessions: u32) -> Self {
        Self {
            sessions,
            transactions: None,
            blocks: Pattern::Random,
            reads: 9.5,
            changes: 5.0,
            redo: Redo { bytes: 6_144, varies: true },
            compute: Picoseconds::ZERO,
            think: Picoseconds::ZERO,
            db_writer: DbWriter {
                area: data,
                block_bytes: 8_192,
                batch: 256,
                under_way: 64,
                begin_at: 1_024,
                every: Some(Picoseconds(3 * Picoseconds::SECOND.0)),
                most_dirty: 65_536,
                oldest: None,
                checkpoint_every: None,
                by_address: false,
            },
            log_writer: LogWriter {
                members: log,
                files: 1,
                block_bytes: 512,
                most_write_bytes: 1 << 20,
                compute: Picoseconds::ZERO,
                switch: Picoseconds::ZERO,
            },
        }
    }

    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        for (mean, what) in [(self.reads, "reads"), (self.changes, "changes")] {
            if !(0.0..=1e6).contains(&mean) {
                return Some(format!("{mean} {what} of a transaction are none"));
            }
        }
        if self.reads == 0.0 && self.changes == 0.0 {
            return Some("a transaction that reads and changes nothing is none".to_owned());
        }
        processes_objection(self.sessions, "sessions")
            .or_else(|| self.blocks.objection())
            .or_else(|| self.db_writer.objection())
            .or_else(|| self.log_writer.objection())
    }

    /// Adds sessions and writers; whole transactions are a stream of their own.
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
        let reads = simulation.stream(&format!("{name}, reads"));
        let transactions = simulation.waits(&format!("{name}, transactions"));
        let db_writer = self.db_writer.add(simulation, &format!("{name}, data writes"))?;
        let log_writer = self.log_writer.add(simulation)?;
        let data = self.db_writer.area;
        let block_bytes = self.db_writer.block_bytes;
        for session in 0..u64::from(self.sessions) {
            let mut session_state = Session {
                spec: self.clone(),
                reads,
                transactions,
                db_writer,
                log_writer,
                random: Seeded::new(seed, 2 * session),
                wanted: self.blocks.blocks(data.blocks(block_bytes), Seeded::new(seed, 2 * session + 1)),
                left: self.transactions,
                begun: Picoseconds::ZERO,
                stage: Stage::Begin,
                read: Vec::new(),
                changed: Vec::new(),
                redo: false,
            };
            simulation.add(&format!("{name}, session {}", session + 1), move |host: &mut Host| {
                session_state.go_on(host)
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
    Change,
    Changed,
    Commit,
    Committed,
}

struct Session {
    spec: Oltp,
    reads: StreamId,
    transactions: StreamId,
    db_writer: u32,
    log_writer: u32,
    random: Seeded,
    wanted: spindle_workload::Blocks,
    left: Option<u64>,
    begun: Picoseconds,
    stage: Stage,
    /// Blocks still to be read.
    read: Vec<u64>,
    /// Blocks still to be changed.
    changed: Vec<u64>,
    /// It has changed something.
    redo: bool,
}

impl Session {
    fn go_on(&mut self, host: &mut Host) -> Then {
        let (area, bytes) = (self.spec.db_writer.area, self.spec.db_writer.block_bytes);
        loop {
            match self.stage {
                Stage::Begin => {
                    if self.left == Some(0) {
                        return Then::Ended;
                    }
                    self.left = self.left.map(|left| left - 1);
                    self.begun = host.now();
                    let reads = drawn(self.spec.reads, &mut self.random);
                    let changes = drawn(self.spec.changes, &mut self.random);
                    self.read = (0..reads).map(|_| self.wanted.draw()).collect();
                    self.changed = self.read.iter().copied().take(changes as usize).collect();
                    while self.changed.len() < changes as usize {
                        self.changed.push(self.wanted.draw());
                    }
                    self.redo = changes > 0;
                    self.stage = Stage::Read;
                    if reads == 0 && changes == 0 {
                        // Nothing to wait for: it has computed, at least.
                        self.stage = Stage::Committed;
                        return Then::Compute(self.spec.compute.max(Picoseconds::from_us(1.0)));
                    }
                }
                Stage::Read => match self.read.pop() {
                    Some(block) => {
                        let offset = area.at(block, bytes);
                        let request = Request { operation: Operation::Read, offset, bytes };
                        host.ask(Ask::new(area.volume, self.reads, request));
                        self.stage = Stage::Compute;
                        return Then::ALL_DONE;
                    }
                    None => self.stage = Stage::Change,
                },
                Stage::Compute => {
                    self.stage = Stage::Read;
                    if self.spec.compute > Picoseconds::ZERO {
                        return Then::Compute(self.spec.compute);
                    }
                }
                Stage::Change => match self.changed.pop() {
                    Some(block) => {
                        host.tell(self.db_writer, block);
                        self.stage = Stage::Changed;
                        return Then::Told;
                    }
                    None if self.redo => self.stage = Stage::Commit,
                    None => self.stage = Stage::Committed,
                },
                Stage::Changed => {
                    host.told();
                    self.stage = Stage::Change;
                }
                Stage::Commit => {
                    let redo = self.spec.redo.draw(&mut self.random);
                    host.tell(self.log_writer, CommitKind::Commit.letter(redo));
                    self.stage = Stage::Committed;
                    return Then::Told;
                }
                Stage::Committed => {
                    host.told();
                    host.record(self.transactions, self.begun, 0);
                    self.stage = Stage::Begin;
                    if self.spec.think > Picoseconds::ZERO {
                        let pause = self.random.exponential(self.spec.think.as_us());
                        return Then::Until(host.now() + Picoseconds::from_us(pause));
                    }
                }
            }
        }
    }
}

/// Streams of queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dss {
    /// Where the tables lie.
    pub tables: Area,
    /// Where temp lies; each stream has an even part of it.
    pub temp: Area,
    /// Streams side by side.
    pub streams: u32,
    /// Queries of each.
    pub queries: u32,
    /// Share of the tables that a query scans: a piece in one place, 0 to 1.
    pub scan_share: f64,
    /// Bytes of a read of the scan.
    pub multiblock_bytes: u32,
    /// Reads of a scan under way at once: degree times what each slave keeps under way.
    pub under_way: u32,
    /// Share of the queries that spill, 0 to 1.
    pub spills: f64,
    /// Share of what it scanned that such a query spills, 0 to 1.
    pub spill_share: f64,
    /// Memory of a work area: runs are as long.
    pub memory_bytes: u64,
    /// Bytes of a request to temp.
    pub temp_bytes: u32,
    /// Single blocks that a query looks up, on average.
    pub look_ups: f64,
    /// Bytes of such a block.
    pub block_bytes: u32,
    /// What is computed with a read of the scan.
    pub compute: Picoseconds,
}

impl Dss {
    /// Like TPC-H, on tables and temp.
    #[must_use]
    pub fn tpc_h_like(tables: Area, temp: Area, streams: u32) -> Self {
        Self {
            tables,
            temp,
            streams,
            queries: 22,
            scan_share: 0.5,
            multiblock_bytes: 1 << 20,
            under_way: 8,
            spills: 0.25,
            spill_share: 0.2,
            memory_bytes: 256 << 20,
            temp_bytes: 256 << 10,
            look_ups: 1_000.0,
            block_bytes: 8_192,
            compute: Picoseconds::ZERO,
        }
    }

    /// Whole reads of a scan.
    fn scan_reads(&self) -> u64 {
        let all = self.tables.blocks(self.multiblock_bytes);
        ((all as f64 * self.scan_share).round() as u64).clamp(1, all.max(1))
    }

    fn temp_of(&self, stream: u32) -> Area {
        let part = self.temp.bytes / u64::from(self.streams.max(1));
        Area { from: self.temp.from + u64::from(stream) * part, bytes: part, ..self.temp }
    }

    fn spill(&self, stream: u32) -> TempSpill {
        let scanned = self.scan_reads() * u64::from(self.multiblock_bytes);
        let bytes = (scanned as f64 * self.spill_share) as u64;
        TempSpill {
            area: self.temp_of(stream),
            bytes: bytes.max(u64::from(self.temp_bytes)),
            kind: SpillKind::Sort {
                run_bytes: self.memory_bytes,
                width: u32::try_from(self.memory_bytes / u64::from(self.temp_bytes.max(1)))
                    .unwrap_or(u32::MAX)
                    .max(2),
            },
            io_bytes: self.temp_bytes,
            under_way: self.under_way,
            compute: Picoseconds::ZERO,
        }
    }

    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        for (share, what) in [
            (self.scan_share, "of the tables scanned"),
            (self.spills, "of the queries spilling"),
            (self.spill_share, "of what is scanned spilt"),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return Some(format!("a share of {share} {what} does not lie between 0 and 1"));
            }
        }
        if self.queries == 0 || self.under_way == 0 || !(0.0..=1e9).contains(&self.look_ups) {
            return Some("it needs queries, a read under way, and a number of look-ups".to_owned());
        }
        processes_objection(self.streams, "streams")
            .or_else(|| self.tables.objection(self.multiblock_bytes))
            .or_else(|| self.tables.objection(self.block_bytes))
            .or_else(|| if self.spills > 0.0 { self.spill(0).objection() } else { None })
    }

    /// Adds its streams; whole queries are a stream of their own.
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
        let scans = simulation.stream(&format!("{name}, scans"));
        let look_ups = simulation.stream(&format!("{name}, look-ups"));
        let temp = TempSpill::streams(simulation, &format!("{name}, temp"));
        let queries = simulation.waits(&format!("{name}, queries"));
        for stream in 0..self.streams {
            let mut query = Query {
                spec: *self,
                stream,
                random: Seeded::new(seed, u64::from(stream)),
                left: self.queries,
                begun: Picoseconds::ZERO,
                step: Step::Begin,
                asked: 0,
                to_compute: 0,
                ids: (scans, look_ups, temp, queries),
            };
            simulation
                .add(&format!("{name}, stream {}", stream + 1), move |host: &mut Host| query.go_on(host));
        }
        Ok(())
    }
}

enum Step {
    Begin,
    /// Reads of the scan: the next one, and how many are left.
    Scan(u64, u64),
    Spill(Box<Spilling>),
    LookUp(u32),
}

struct Query {
    spec: Dss,
    stream: u32,
    random: Seeded,
    left: u32,
    begun: Picoseconds,
    step: Step,
    asked: u32,
    to_compute: u64,
    ids: (StreamId, StreamId, (StreamId, StreamId), StreamId),
}

impl Query {
    fn go_on(&mut self, host: &mut Host) -> Then {
        let spec = self.spec;
        let (scans, look_ups, temp, queries) = self.ids;
        loop {
            match &mut self.step {
                Step::Begin => {
                    if self.left == 0 {
                        return Then::Ended;
                    }
                    self.left -= 1;
                    self.begun = host.now();
                    let (all, reads) = (spec.tables.blocks(spec.multiblock_bytes), spec.scan_reads());
                    self.step = Step::Scan(self.random.below(all - reads + 1), reads);
                    self.asked = 0;
                }
                Step::Scan(next, left) => {
                    self.to_compute += u64::from(self.asked - host.under_way());
                    while host.under_way() < spec.under_way && *left > 0 {
                        let offset = spec.tables.at(*next, spec.multiblock_bytes);
                        let request =
                            Request { operation: Operation::Read, offset, bytes: spec.multiblock_bytes };
                        host.ask(Ask::new(spec.tables.volume, scans, request));
                        (*next, *left) = (*next + 1, *left - 1);
                    }
                    self.asked = host.under_way();
                    let rows = std::mem::take(&mut self.to_compute);
                    if rows > 0 && spec.compute > Picoseconds::ZERO {
                        return Then::Compute(Picoseconds(spec.compute.0.saturating_mul(rows)));
                    }
                    if self.asked > 0 {
                        return Then::AtMost(self.asked - 1);
                    }
                    let spills = spec.spills > 0.0 && self.random.unit() < spec.spills;
                    self.step = if spills {
                        Step::Spill(Box::new(Spilling::new(spec.spill(self.stream), temp.0, temp.1)))
                    } else {
                        Step::LookUp(drawn(spec.look_ups, &mut self.random))
                    };
                }
                Step::Spill(spilling) => match spilling.go_on(host) {
                    Some(then) => return then,
                    None => self.step = Step::LookUp(drawn(spec.look_ups, &mut self.random)),
                },
                Step::LookUp(0) => {
                    host.record(queries, self.begun, 0);
                    self.step = Step::Begin;
                }
                Step::LookUp(left) => {
                    *left -= 1;
                    let block = self.random.below(spec.tables.blocks(spec.block_bytes));
                    let offset = spec.tables.at(block, spec.block_bytes);
                    let request = Request { operation: Operation::Read, offset, bytes: spec.block_bytes };
                    host.ask(Ask::new(spec.tables.volume, look_ups, request));
                    return Then::ALL_DONE;
                }
            }
        }
    }
}
