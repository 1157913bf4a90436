//! A work area that does not fit into memory: what a sort or a hash join writes to temp and reads again.
//!
//! **Sort**: runs as large as memory are written one after the other. As long as there are more runs than can be merged at once, they
//! are merged in groups: read by turns from the runs of a group and written as one longer run elsewhere. The last merge only reads.
//! With `p = ceil(log(runs) / log(width))` merges, all bytes are written `p` times and read `p` times (at least once each).
//!
//! **Hash**: rows are written to partitions by turns, each partition in a place of its own, and then each partition is read from
//! beginning to end, once.
//!
//! Left out: runs of different lengths by replacement selection, hash partitions that are too large again, rows that arrive from a scan
//! meanwhile (add one).

use super::{Area, NoSuchLoad, check};
use crate::processes::{Ask, Host, Simulation, StreamId, Then};
use crate::{Device, Operation, Picoseconds, Request};

/// What spills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpillKind {
    /// A sort.
    Sort {
        /// Bytes of a run: the memory of the work area.
        run_bytes: u64,
        /// Runs merged at once at most.
        width: u32,
    },
    /// A hash join or aggregation.
    Hash {
        /// Partitions.
        partitions: u32,
    },
}

/// The work area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TempSpill {
    /// Where temp lies.
    pub area: Area,
    /// What spills, bytes.
    pub bytes: u64,
    /// How.
    pub kind: SpillKind,
    /// Bytes of a request.
    pub io_bytes: u32,
    /// Requests under way at once.
    pub under_way: u32,
    /// What is computed for each request.
    pub compute: Picoseconds,
}

/// Requests of one pass at most.
const MOST_REQUESTS: u64 = 10_000_000;

impl TempSpill {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if self.bytes == 0 || self.io_bytes == 0 || self.under_way == 0 {
            return Some(
                "what spills nothing, by requests of nothing, or none at a time, needs no temp".to_owned(),
            );
        }
        if self.bytes.div_ceil(u64::from(self.io_bytes)) > MOST_REQUESTS {
            return Some(format!("{} bytes in requests of {} are too many", self.bytes, self.io_bytes));
        }
        let needs = match self.kind {
            SpillKind::Sort { run_bytes: 0, .. } => return Some("a run of 0 bytes is none".to_owned()),
            SpillKind::Sort { width: 0 | 1, .. } => {
                return Some("a merge is of two runs at least".to_owned());
            }
            SpillKind::Hash { partitions: 0 } => return Some("a hash has a partition at least".to_owned()),
            SpillKind::Sort { run_bytes, .. } if run_bytes < u64::from(self.io_bytes) => {
                return Some(format!("a run of {run_bytes} bytes is less than a request"));
            }
            SpillKind::Sort { run_bytes, .. } if self.bytes <= run_bytes => {
                return Some(format!(
                    "a sort of {} bytes in {run_bytes} bytes of memory spills nothing: take less memory, or sort more",
                    self.bytes
                ));
            }
            SpillKind::Sort { run_bytes, width } => {
                // What is merged again is written elsewhere.
                let again = self.bytes.div_ceil(run_bytes) > u64::from(width);
                self.bytes.checked_mul(if again { 2 } else { 1 })
            }
            SpillKind::Hash { partitions } => {
                let partition = self.partition_bytes(partitions);
                partition.checked_mul(u64::from(partitions))
            }
        };
        if let Some(objection) = self.area.objection(1) {
            return Some(objection);
        }
        match needs {
            Some(needs) if needs <= self.area.bytes => None,
            needs => Some(format!(
                "temp of {} bytes does not hold the {} that are needed",
                self.area.bytes,
                needs.map_or_else(|| "too many".to_owned(), |needs| needs.to_string())
            )),
        }
    }

    /// Whole requests of a partition.
    fn partition_bytes(&self, partitions: u32) -> u64 {
        let io = u64::from(self.io_bytes);
        self.bytes.div_ceil(io).div_ceil(u64::from(partitions.max(1))) * io
    }

    /// Adds it, with one stream for writes and one for reads; the number of the process.
    ///
    /// # Errors
    /// Where it makes no sense.
    pub fn add<D: Device>(&self, simulation: &mut Simulation<D>, name: &str) -> Result<u32, NoSuchLoad> {
        check(self.objection())?;
        let (writes, reads) = Self::streams(simulation, name);
        let mut spilling = Spilling::new(*self, writes, reads);
        Ok(simulation.add(name, move |host: &mut Host| spilling.go_on(host).unwrap_or(Then::Ended)))
    }

    pub(super) fn streams<D: Device>(simulation: &mut Simulation<D>, name: &str) -> (StreamId, StreamId) {
        (simulation.stream(&format!("{name}, writes")), simulation.stream(&format!("{name}, reads")))
    }
}

/// A run or partition on temp.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u64,
    bytes: u64,
}

/// What comes next.
#[derive(Debug)]
enum Phase {
    Write,
    Merge(Vec<Run>),
    Over,
}

/// A spill on its way.
#[derive(Debug)]
pub(super) struct Spilling {
    spec: TempSpill,
    writes: StreamId,
    reads: StreamId,
    phase: Phase,
    /// Second half of temp, where the next merge writes.
    other_half: bool,
    /// Requests of this pass, the last one first.
    requests: Vec<Request>,
    asked: u32,
    to_compute: u64,
}

impl Spilling {
    pub(super) fn new(spec: TempSpill, writes: StreamId, reads: StreamId) -> Self {
        Self {
            spec,
            writes,
            reads,
            phase: Phase::Write,
            other_half: false,
            requests: Vec::new(),
            asked: 0,
            to_compute: 0,
        }
    }

    /// Goes on; `None` when it is over.
    pub(super) fn go_on(&mut self, host: &mut Host) -> Option<Then> {
        self.to_compute += u64::from(self.asked - host.under_way());
        self.asked = host.under_way();
        if self.to_compute > 0 && self.spec.compute > Picoseconds::ZERO {
            let requests = std::mem::take(&mut self.to_compute);
            return Some(Then::Compute(Picoseconds(self.spec.compute.0.saturating_mul(requests))));
        }
        self.to_compute = 0;
        if self.requests.is_empty() && host.under_way() == 0 {
            self.next_pass();
            if self.requests.is_empty() {
                return None;
            }
        }
        while host.under_way() < self.spec.under_way
            && let Some(request) = self.requests.pop()
        {
            let stream = if request.operation == Operation::Read { self.reads } else { self.writes };
            host.ask(Ask::new(self.spec.area.volume, stream, request));
        }
        self.asked = host.under_way();
        // A pass ends when all of it is done.
        Some(Then::AtMost(if self.requests.is_empty() { 0 } else { self.asked - 1 }))
    }

    /// The requests of the next pass.
    fn next_pass(&mut self) {
        let mut requests = Vec::new();
        let spec = self.spec;
        self.phase = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Write => {
                let runs = spec.runs();
                match spec.kind {
                    SpillKind::Sort { .. } => {
                        for run in &runs {
                            spec.pieces(*run).for_each(|piece| requests.push((Operation::Write, piece)));
                        }
                    }
                    SpillKind::Hash { .. } => {
                        by_turns(&spec, &runs, |piece| requests.push((Operation::Write, piece)));
                    }
                }
                Phase::Merge(runs)
            }
            Phase::Merge(runs) => match spec.kind {
                SpillKind::Hash { .. } => {
                    for run in &runs {
                        spec.pieces(*run).for_each(|piece| requests.push((Operation::Read, piece)));
                    }
                    Phase::Over
                }
                SpillKind::Sort { width, .. } if runs.len() <= width as usize => {
                    by_turns(&spec, &runs, |piece| requests.push((Operation::Read, piece)));
                    Phase::Over
                }
                SpillKind::Sort { width, .. } => {
                    self.other_half = !self.other_half;
                    let mut at = if self.other_half { spec.bytes } else { 0 };
                    let mut merged = Vec::new();
                    for group in runs.chunks(width as usize) {
                        let from = at;
                        by_turns(&spec, group, |piece| {
                            requests.push((Operation::Read, piece));
                            requests.push((Operation::Write, Run { from: at, ..piece }));
                            at += piece.bytes;
                        });
                        merged.push(Run { from, bytes: at - from });
                    }
                    Phase::Merge(merged)
                }
            },
            Phase::Over => Phase::Over,
        };
        let request = |(operation, piece): (Operation, Run)| Request {
            operation,
            offset: spec.area.from + piece.from,
            // No more than a request has.
            bytes: u32::try_from(piece.bytes).unwrap_or(spec.io_bytes),
        };
        self.requests = requests.into_iter().rev().map(request).collect();
    }
}

impl TempSpill {
    /// Runs or partitions as they are first written.
    fn runs(&self) -> Vec<Run> {
        let (size, apart) = match self.kind {
            SpillKind::Sort { run_bytes, .. } => (run_bytes, run_bytes),
            SpillKind::Hash { partitions } => {
                let size = self.partition_bytes(partitions);
                (size, size)
            }
        };
        let count = self.bytes.div_ceil(size.max(1));
        (0..count).map(|n| Run { from: n * apart, bytes: size.min(self.bytes - n * size) }).collect()
    }

    /// A run in requests.
    fn pieces(&self, run: Run) -> impl Iterator<Item = Run> {
        let io = u64::from(self.io_bytes);
        (0..run.bytes.div_ceil(io))
            .map(move |n| Run { from: run.from + n * io, bytes: io.min(run.bytes - n * io) })
    }
}

/// The pieces of several runs, one of each by turns.
fn by_turns(spec: &TempSpill, runs: &[Run], mut take: impl FnMut(Run)) {
    let mut all: Vec<_> = runs.iter().map(|run| spec.pieces(*run)).collect();
    while !all.is_empty() {
        all.retain_mut(|pieces| match pieces.next() {
            Some(piece) => {
                take(piece);
                true
            }
            None => false,
        });
    }
}
