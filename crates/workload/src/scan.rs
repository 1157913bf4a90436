//! A parallel full scan, as a database makes it.

use serde::{Deserialize, Serialize};

/// A scan of all of some files, once.
///
/// Shape: one a run. Unit: bytes. Source: options of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// Slaves that read side by side.
    pub degree: u32,
    /// Bytes of a read: multiblock count times block.
    pub multiblock_bytes: u32,
    /// Bytes that a slave takes at a time; by turns of all files.
    pub granule_bytes: u64,
    /// Reads that a slave keeps under way: one as `pread`, more as a database with asynchronous I/O.
    pub under_way: u32,
}

/// Memory of all slaves at most.
const MOST_MEMORY: u64 = 4 << 30;

impl Scan {
    /// Why it makes no sense, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<String> {
        if !(1..=1_024).contains(&self.degree) {
            return Some(format!("a degree of {} is not between 1 and 1,024", self.degree));
        }
        let (read, granule) = (u64::from(self.multiblock_bytes), self.granule_bytes);
        if !(1..=64).contains(&self.under_way) {
            return Some(format!("{} reads under way of a slave are not between 1 and 64", self.under_way));
        }
        if u64::from(self.degree) * u64::from(self.under_way) * read > MOST_MEMORY {
            return Some(format!(
                "a degree of {} with {} reads of {read} bytes under way each needs more than {} MiB of memory",
                self.degree,
                self.under_way,
                MOST_MEMORY >> 20
            ));
        }
        (read < 512 || granule < read || !granule.is_multiple_of(read))
            .then(|| format!("a granule of {granule} bytes does not hold whole reads of {read} bytes: make it a multiple of each of them"))
    }
}

#[cfg(test)]
mod tests {
    use super::Scan;

    #[test]
    fn a_granule_holds_whole_reads() {
        let good = Scan { degree: 4, multiblock_bytes: 512 << 10, granule_bytes: 16 << 20, under_way: 2 };
        assert_eq!(good.objection(), None);
        for wrong in [
            Scan { degree: 0, ..good },
            Scan { under_way: 0, ..good },
            Scan { degree: 1_024, multiblock_bytes: 16 << 20, ..good },
            Scan { multiblock_bytes: 500 << 10, ..good },
            Scan { granule_bytes: 256 << 10, ..good },
            Scan { multiblock_bytes: 0, granule_bytes: 0, ..good },
        ] {
            assert!(wrong.objection().is_some(), "{wrong:?}");
        }
    }
}
