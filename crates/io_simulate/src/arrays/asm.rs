//! A disk group of Oracle ASM as one file sees it: extents on disks of failure groups, coarse or fine stripes.
//!
//! - A file is made of *extents* of one allocation unit (AU). Each has its copies, one (external redundancy), two
//!   (normal), three (high), on disks of different failure groups. First copies go over all disks in turn; further ones to the
//!   disk of another failure group that has the most room, of several the next in turn. So every disk holds first and further
//!   copies alike, and reads of first copies alone load all.
//! - *Coarse*: the bytes of an extent follow each other, so a stripe is an AU. *Fine*: stripes of 128 KiB over eight
//!   extents by turns.
//! - Which copy is read is told apart ([`super::ReadChoice`]): the first, or one in the failure groups that are preferred
//!   (`asm_preferred_read_failure_groups`).
//!
//! Source: Oracle Automatic Storage Management Administrator's Guide, "ASM files, extents, striping, mirroring and failure groups".
//!
//! Left out: extents that grow with the file, partners limited to a few disks, disks of several sizes, rebalancing, files of
//! different redundancy beside each other, what a disk holds of ASM's own.

use super::{Layout, Place};
use crate::NoSuchDevice;

/// Extents of a file, at most; they take 16 bytes of memory a copy.
const MOST_EXTENTS: u64 = 1 << 24;
/// Bytes of a fine stripe, and extents over which they go.
const FINE_BYTES: u64 = 128 << 10;
const FINE_EXTENTS: u64 = 8;

/// Copies of each extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundancy {
    /// One: the storage below keeps its own.
    External,
    /// Two.
    Normal,
    /// Three.
    High,
}

impl Redundancy {
    /// How many.
    #[must_use]
    pub fn copies(self) -> usize {
        match self {
            Self::External => 1,
            Self::Normal => 2,
            Self::High => 3,
        }
    }
}

/// How bytes follow each other over extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Striping {
    /// Extent by extent.
    Coarse,
    /// 128 KiB of each of eight extents by turns.
    Fine,
}

/// What makes an [`Asm`]: every number is given by who asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmSpec {
    /// The failure group of each disk, by any number.
    pub failure_groups: Vec<u32>,
    /// Bytes of a disk; what is no whole allocation unit is left out.
    pub disk_bytes: u64,
    /// Bytes of an allocation unit, a multiple of 128 KiB.
    pub au_bytes: u64,
    /// Copies.
    pub redundancy: Redundancy,
    /// Stripes.
    pub striping: Striping,
}

/// The file over a whole disk group.
#[derive(Clone, Debug)]
pub struct Asm {
    disks: usize,
    au_bytes: u64,
    copies: usize,
    striping: Striping,
    /// The copies of each extent, one after the other.
    extents: Vec<Place>,
    bytes: u64,
}

impl Asm {
    /// A file as large as the disk group holds.
    ///
    /// # Errors
    /// Where there are fewer failure groups than copies, a disk is smaller than an AU, an AU is no multiple of 128 KiB or above
    /// 64 MiB, the group has room for no extent, or the file would have more than 16,777,216 of them.
    pub fn new(spec: &AsmSpec) -> Result<Self, NoSuchDevice> {
        let copies = spec.redundancy.copies();
        let mut groups = spec.failure_groups.clone();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < copies {
            return Err(NoSuchDevice(format!(
                "{} failure groups hold no {copies} copies apart from each other",
                groups.len()
            )));
        }
        if !(FINE_BYTES..=64 << 20).contains(&spec.au_bytes) || !spec.au_bytes.is_multiple_of(FINE_BYTES) {
            return Err(NoSuchDevice(format!(
                "an allocation unit of {} bytes is no multiple of 128 KiB up to 64 MiB",
                spec.au_bytes
            )));
        }
        let units = spec.disk_bytes / spec.au_bytes;
        let disks = spec.failure_groups.len();
        if units.saturating_mul(disks as u64) / copies as u64 > MOST_EXTENTS {
            return Err(NoSuchDevice(format!(
                "a disk group of {disks} disks of {units} allocation units has more than {MOST_EXTENTS} extents"
            )));
        }
        let extents = allocate(spec, units);
        let mut count = (extents.len() / copies) as u64;
        if spec.striping == Striping::Fine {
            count -= count % FINE_EXTENTS;
        }
        if count == 0 {
            return Err(NoSuchDevice(format!("{disks} disks of {units} allocation units hold no extents")));
        }
        let bytes = count * spec.au_bytes;
        Ok(Self { disks, au_bytes: spec.au_bytes, copies, striping: spec.striping, extents, bytes })
    }

    /// The disks of failure groups, to be preferred for reads.
    #[must_use]
    pub fn disks_of(spec: &AsmSpec, groups: &[u32]) -> Vec<usize> {
        let disks = spec.failure_groups.iter().enumerate();
        disks.filter(|(_, group)| groups.contains(group)).map(|(disk, _)| disk).collect()
    }
}

/// Copies of extents, until a copy finds no room.
fn allocate(spec: &AsmSpec, units: u64) -> Vec<Place> {
    let disks = spec.failure_groups.len();
    let mut used = vec![0_u64; disks];
    let mut extents = Vec::new();
    // Where the next first copy, and the next further one, begins to look.
    let (mut first, mut further) = (0, 0);
    loop {
        let begun = extents.len();
        for copy in 0..spec.redundancy.copies() {
            let taken: &[Place] = &extents[begun..];
            let is_apart = |disk: &usize| {
                taken.iter().all(|p| spec.failure_groups[p.member] != spec.failure_groups[*disk])
            };
            let turn = if copy == 0 { first } else { further };
            let in_turn =
                (turn..turn + disks).map(|d| d % disks).filter(|d| used[*d] < units).filter(is_apart);
            let disk = if copy == 0 { { in_turn }.next() } else { in_turn.min_by_key(|d| used[*d]) };
            let Some(disk) = disk else {
                extents.truncate(begun);
                return extents;
            };
            extents.push(Place { member: disk, offset: used[disk] * spec.au_bytes });
            used[disk] += 1;
            if copy == 0 { first = disk + 1 } else { further = disk + 1 }
        }
    }
}

impl Layout for Asm {
    fn members(&self) -> usize {
        self.disks
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    #[allow(clippy::cast_possible_truncation, reason = "below the number of extents, which are in memory")]
    fn places(&self, at: u64, places: &mut Vec<Place>) -> u64 {
        let (extent, within, together) = match self.striping {
            Striping::Coarse => (at / self.au_bytes, at % self.au_bytes, self.au_bytes - at % self.au_bytes),
            Striping::Fine => {
                let set = at / (FINE_EXTENTS * self.au_bytes);
                let (stripe, left) =
                    (at % (FINE_EXTENTS * self.au_bytes) / FINE_BYTES, FINE_BYTES - at % FINE_BYTES);
                let extent = set * FINE_EXTENTS + stripe % FINE_EXTENTS;
                (extent, stripe / FINE_EXTENTS * FINE_BYTES + at % FINE_BYTES, left)
            }
        };
        let begin = extent as usize * self.copies;
        places.clear();
        let copies = self.extents.iter().skip(begin).take(self.copies);
        places.extend(copies.map(|p| Place { offset: p.offset + within, ..*p }));
        together
    }
}
