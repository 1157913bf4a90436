//! Stripes with parity: RAID 5 and RAID 6.
//!
//! A row has one stripe on each of `n` members; `p` of them (1 or 2) are parity, the others data. Left-symmetric, as
//! Linux md does by default:
//!
//! ```text
//! row    = at / depth / (n - p)              d = at / depth mod (n - p)        offset = row * depth + at mod depth
//! parity = n - 1 - row mod n (and the next)      data d on (parity + p + d) mod n
//! ```
//!
//! A write of part of a row changes parity as well, which needs what the array holds. Per row, either
//!
//! - *modify*: read the old bytes of what is written and of parity, then write both: 1 + p reads and 1 + p writes for a
//!   small write, 4 in all on RAID 5 and 6 on RAID 6; or
//! - *reconstruct*: read what is not written of the other data, then write: `n - p - 1` reads and 1 + p writes.
//!
//! A row that is written whole is read nothing of: `n` writes for `n - p` stripes of data. A write within one stripe
//! changes as many bytes of parity, one over several stripes all of it.
//!
//! Sources: Patterson, Gibson and Katz, "A case for redundant arrays of inexpensive disks", 1988; Chen and others, "RAID:
//! high-performance, reliable secondary storage", 1994; drivers/md/raid5.c of Linux for layout and choice.
//!
//! Left out: rows kept in memory between requests, the log of open rows, other layouts.

use super::{Array, MemberRequest, Place, Plan, add, folded};
use crate::{NoSuchDevice, Operation, Request};

/// How a row is written of which only a part changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialWrites {
    /// From the old bytes and the old parity.
    Modify,
    /// From all other bytes of the row.
    Reconstruct,
    /// What needs fewer reads; of equals, modify.
    Fewer,
}

/// What makes a [`Parity`] array: every number is given by who asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParitySpec {
    /// Devices.
    pub members: u32,
    /// Parity stripes of a row: 1 for RAID 5, 2 for RAID 6.
    pub parity: u32,
    /// Bytes of a stripe on one device.
    pub depth_bytes: u64,
    /// Bytes of a device; what is no whole stripe at the end is left out.
    pub member_bytes: u64,
    /// How a row is written of which only a part changes.
    pub partial: PartialWrites,
}

/// The array.
#[derive(Clone, Debug)]
pub struct Parity {
    spec: ParitySpec,
    bytes: u64,
}

impl Parity {
    /// The array of a specification.
    ///
    /// # Errors
    /// Where parity is not 1 or 2, fewer than two members are data, a stripe has no bytes or more than 2^31, a device is
    /// smaller than a stripe, or the whole is beyond any address.
    pub fn new(spec: &ParitySpec) -> Result<Self, NoSuchDevice> {
        if !(1..=2).contains(&spec.parity) || spec.members < spec.parity + 2 {
            return Err(NoSuchDevice(format!(
                "{} members with {} of parity make no array; RAID 5 has 1 and at least 3 members, RAID 6 has 2 and at \
                 least 4",
                spec.members, spec.parity
            )));
        }
        if !(1..=1 << 31).contains(&spec.depth_bytes) || spec.member_bytes < spec.depth_bytes {
            return Err(NoSuchDevice(format!(
                "a stripe of {} bytes does not lie on devices of {}",
                spec.depth_bytes, spec.member_bytes
            )));
        }
        let rows = spec.member_bytes / spec.depth_bytes * spec.depth_bytes;
        let bytes = rows.checked_mul(u64::from(spec.members - spec.parity));
        let bytes = bytes.ok_or_else(|| NoSuchDevice("the array is beyond any address".to_owned()))?;
        Ok(Self { spec: *spec, bytes })
    }

    fn data(&self) -> u64 {
        u64::from(self.spec.members - self.spec.parity)
    }

    /// The member of parity of a row, from 0, and of data from there on.
    #[allow(clippy::cast_possible_truncation, reason = "below the number of members")]
    fn member(&self, row: u64, from_parity: u64) -> usize {
        let members = u64::from(self.spec.members);
        ((members - 1 - row % members + from_parity) % members) as usize
    }

    /// Where a byte lies, and for how many bytes on.
    #[must_use]
    pub fn place(&self, at: u64) -> (Place, u64) {
        let depth = self.spec.depth_bytes;
        let (stripe, within) = (at / depth, at % depth);
        let (row, d) = (stripe / self.data(), stripe % self.data());
        let member = self.member(row, u64::from(self.spec.parity) + d);
        (Place { member, offset: row * depth + within }, depth - within)
    }

    /// Where the parity of a byte lies.
    pub fn parity_of(&self, at: u64) -> impl Iterator<Item = Place> {
        let depth = self.spec.depth_bytes;
        let (row, within) = (at / depth / self.data(), at % depth);
        (0..u64::from(self.spec.parity))
            .map(move |p| Place { member: self.member(row, p), offset: row * depth + within })
    }

    /// Adds what reads or writes `from..to` of stripe `d` of a row, counted from the first of parity.
    fn stripe(
        &self,
        requests: &mut Vec<MemberRequest>,
        operation: Operation,
        row: u64,
        d: u64,
        part: (u64, u64),
    ) {
        let (from, to) = part;
        if let Some(bytes) = to.checked_sub(from).and_then(|b| u32::try_from(b).ok()).filter(|b| *b > 0) {
            let place = Place { member: self.member(row, d), offset: row * self.spec.depth_bytes + from };
            add(requests, operation, place, bytes);
        }
    }

    /// Writes bytes of one row: `from..to` of its data.
    fn write_row(&self, row: u64, from: u64, to: u64, plan: &mut Plan) {
        let (depth, parity) = (self.spec.depth_bytes, u64::from(self.spec.parity));
        // What is written of stripe `d`, within it.
        let written =
            |d: u64| (from.max(d * depth) - d * depth, to.min((d + 1) * depth).saturating_sub(d * depth));
        let (first, last) = (from / depth, (to - 1) / depth);
        let is_written = |d: u64| (first..=last).contains(&d);
        let changed = if first == last { written(first) } else { (0, depth) };
        let others = (0..self.data()).filter(|d| !is_written(*d) || written(*d) != changed);
        let reads_to_reconstruct: u64 = others
            .map(|d| match written(d) {
                _ if !is_written(d) => 1,
                (a, b) => u64::from(a > changed.0) + u64::from(b < changed.1),
            })
            .sum();
        let modify = match self.spec.partial {
            _ if reads_to_reconstruct == 0 => false,
            PartialWrites::Modify => true,
            PartialWrites::Reconstruct => false,
            PartialWrites::Fewer => last - first + 1 + parity <= reads_to_reconstruct,
        };
        if modify {
            for d in first..=last {
                self.stripe(&mut plan.first, Operation::Read, row, parity + d, written(d));
            }
            for p in 0..parity {
                self.stripe(&mut plan.first, Operation::Read, row, p, changed);
            }
        } else {
            for d in 0..self.data() {
                if is_written(d) {
                    let (a, b) = written(d);
                    self.stripe(&mut plan.first, Operation::Read, row, parity + d, (changed.0, a));
                    self.stripe(&mut plan.first, Operation::Read, row, parity + d, (b, changed.1));
                } else {
                    self.stripe(&mut plan.first, Operation::Read, row, parity + d, changed);
                }
            }
        }
        for d in first..=last {
            self.stripe(&mut plan.then, Operation::Write, row, parity + d, written(d));
        }
        for p in 0..parity {
            self.stripe(&mut plan.then, Operation::Write, row, p, changed);
        }
    }
}

impl Array for Parity {
    fn members(&self) -> usize {
        self.spec.members as usize
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn plan(&mut self, request: Request, plan: &mut Plan) {
        plan.clear();
        let row_bytes = self.data() * self.spec.depth_bytes;
        for (mut at, mut left) in folded(request, self.bytes) {
            while left > 0 {
                let together = match request.operation {
                    Operation::Read => self.place(at).1,
                    Operation::Write => row_bytes - at % row_bytes,
                };
                let bytes = u32::try_from(together).unwrap_or(u32::MAX).min(left);
                match request.operation {
                    Operation::Read => add(&mut plan.first, Operation::Read, self.place(at).0, bytes),
                    Operation::Write => {
                        let from = at % row_bytes;
                        self.write_row(at / row_bytes, from, from + u64::from(bytes), plan);
                    }
                }
                at += u64::from(bytes);
                left -= bytes;
            }
        }
        // Nothing to wait for.
        if plan.first.is_empty() {
            std::mem::swap(&mut plan.first, &mut plan.then);
        }
    }
}
