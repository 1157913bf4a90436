//! A full scan, serial or by parallel slaves that take granules.
//!
//! Degree 1 is the session itself, which reads extent by extent from beginning to end. From degree 2 on the extents are cut
//! into granules, and each slave reads one granule after the other: every so many-th, or the next one that nobody has taken. A read
//! ends where its granule or its extent does. Whether reads pass a file cache is a matter of the volume: a database that reads
//! directly from degree 2 on has another volume then.
//!
//! Left out: the coordinator's own time, sending rows, slaves that start one after the other.

use super::{Area, NoSuchLoad, check};
use crate::processes::{Ask, Host, Simulation, Then};
use crate::{Device, Operation, Picoseconds, Request};
use spindle_workload::Scan;
use std::cell::Cell;
use std::rc::Rc;

/// Which granule a slave takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granules {
    /// Of `n` slaves the `i`-th takes the granules `i`, `i + n`, and so on.
    ByTurns,
    /// The next one that nobody has taken, whoever is done first.
    AsTheyCome,
}

/// The scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParallelScan {
    /// Degree, bytes of a read (multiblock count times block), bytes of a granule, reads that a slave keeps under way.
    pub scan: Scan,
    /// Extents of what is scanned, in their order.
    pub extents: Vec<Area>,
    /// Who takes which granule.
    pub granules: Granules,
    /// What a slave computes with the rows of one read.
    pub compute: Picoseconds,
}

/// Granules of one scan at most.
const MOST_GRANULES: u64 = 10_000_000;

impl ParallelScan {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if let Some(objection) = self.scan.objection() {
            return Some(objection);
        }
        if self.extents.is_empty() {
            return Some("a scan without extents reads nothing".to_owned());
        }
        if let Some(objection) = self.extents.iter().find_map(|area| area.objection(1)) {
            return Some(objection);
        }
        let count: u64 = self.extents.iter().map(|e| e.bytes.div_ceil(self.granule_of(e))).sum();
        (count > MOST_GRANULES).then(|| format!("{count} granules are more than {MOST_GRANULES}"))
    }

    fn granule_of(&self, extent: &Area) -> u64 {
        if self.scan.degree == 1 { extent.bytes } else { self.scan.granule_bytes }
    }

    /// What slaves take, in order.
    fn cut(&self) -> Vec<Area> {
        let mut all = Vec::new();
        for extent in &self.extents {
            let size = self.granule_of(extent);
            let mut at = 0;
            while at < extent.bytes {
                let bytes = size.min(extent.bytes - at);
                all.push(Area { from: extent.from + at, bytes, ..*extent });
                at += bytes;
            }
        }
        all
    }

    /// Adds its slaves and their stream; the numbers of the processes.
    ///
    /// # Errors
    /// Where it makes no sense.
    pub fn add<D: Device>(&self, simulation: &mut Simulation<D>, name: &str) -> Result<Vec<u32>, NoSuchLoad> {
        check(self.objection())?;
        let stream = simulation.stream(name);
        let granules: Rc<[Area]> = self.cut().into();
        let next = Rc::new(Cell::new(0));
        let degree = self.scan.degree as usize;
        let mut numbers = Vec::new();
        for slave in 0..degree {
            let mut reader = Slave {
                granules: Rc::clone(&granules),
                turn: match self.granules {
                    Granules::ByTurns => Turn::Own { next: slave, step: degree },
                    Granules::AsTheyCome => Turn::Shared(Rc::clone(&next)),
                },
                left: None,
                read_bytes: self.scan.multiblock_bytes,
                under_way: self.scan.under_way,
                compute: self.compute,
                asked: 0,
                to_compute: 0,
            };
            let name = if degree == 1 { name.to_owned() } else { format!("{name}, slave {}", slave + 1) };
            numbers.push(simulation.add(&name, move |host: &mut Host| {
                reader.go_on(host, |area, at, bytes| {
                    let request = Request { operation: Operation::Read, offset: at, bytes };
                    Ask::new(area.volume, stream, request)
                })
            }));
        }
        Ok(numbers)
    }
}

/// Whose granule is next.
enum Turn {
    Own { next: usize, step: usize },
    Shared(Rc<Cell<usize>>),
}

impl Turn {
    fn take(&mut self) -> usize {
        match self {
            Self::Own { next, step } => {
                let taken = *next;
                *next += *step;
                taken
            }
            Self::Shared(next) => next.replace(next.get() + 1),
        }
    }
}

struct Slave {
    granules: Rc<[Area]>,
    turn: Turn,
    /// What is left of its granule.
    left: Option<Area>,
    read_bytes: u32,
    under_way: u32,
    compute: Picoseconds,
    /// Reads that were under way when it last waited.
    asked: u32,
    /// Reads whose rows wait to be worked on.
    to_compute: u64,
}

impl Slave {
    fn next_read(&mut self) -> Option<(Area, u64, u32)> {
        let area = match self.left.take() {
            Some(area) => area,
            None => *self.granules.get(self.turn.take())?,
        };
        let bytes = u64::from(self.read_bytes).min(area.bytes);
        if bytes < area.bytes {
            self.left = Some(Area { from: area.from + bytes, bytes: area.bytes - bytes, ..area });
        }
        // No more than a read has.
        Some((area, area.from, u32::try_from(bytes).unwrap_or(self.read_bytes)))
    }

    fn go_on(&mut self, host: &mut Host, ask: impl Fn(Area, u64, u32) -> Ask) -> Then {
        let done = self.asked - host.under_way();
        self.asked = host.under_way();
        self.to_compute += u64::from(done);
        // The next reads go on while it computes; one at a time is read and worked on by turns.
        let mut over = false;
        while host.under_way() < self.under_way && (self.under_way > 1 || self.to_compute == 0) {
            let Some((area, at, bytes)) = self.next_read() else {
                over = true;
                break;
            };
            host.ask(ask(area, at, bytes));
        }
        self.asked = host.under_way();
        if self.to_compute > 0 {
            let rows = std::mem::take(&mut self.to_compute);
            if self.compute > Picoseconds::ZERO {
                return Then::Compute(Picoseconds(self.compute.0.saturating_mul(rows)));
            }
            if self.under_way == 1 {
                return self.go_on(host, ask);
            }
        }
        if over && self.asked == 0 { Then::Ended } else { Then::AtMost(self.asked - 1) }
    }
}
