//! What every sector that we write begins with, so that a later run knows its own.
//!
//! Sixteen bytes at the beginning of each 512 bytes, whatever the block size: random reads of any
//! alignment find it. The last eight are a number of the run that wrote them.

use spindle_workload::Seeded;

/// Bytes between two markers: the smallest sector that devices have.
pub const SECTOR: usize = 512;

/// First bytes of each sector.
pub const MAGIC: [u8; 8] = *b"\xa7SPINDL\x1e";

/// Marks every sector of a buffer that is to be written at a multiple of [`SECTOR`].
///
/// A rest shorter than a sector stays as it is.
pub fn mark(buffer: &mut [u8], run: u64) {
    for sector in buffer.chunks_exact_mut(SECTOR) {
        sector[..8].copy_from_slice(&MAGIC);
        sector[8..16].copy_from_slice(&run.to_le_bytes());
    }
}

/// Fills what is to be written: bits that no device makes less of by compressing, and in every sector that
/// it is ours.
pub(crate) fn fill(memory: &mut [u8], run: u64, random: &mut Seeded) {
    for chunk in memory.chunks_mut(8) {
        let bits = random.bits().to_le_bytes();
        chunk.copy_from_slice(&bits[..chunk.len()]);
    }
    mark(memory, run);
}

/// Makes what is filled differ from what was written from the same memory before, page by page, so that no
/// device finds it twice. The markers stay.
pub(crate) fn vary(memory: &mut [u8], number: u64) {
    for (page, chunk) in memory.chunks_mut(4096).enumerate() {
        if let Some(place) = chunk.get_mut(16..24) {
            place.copy_from_slice(&(number ^ page as u64).to_le_bytes());
        }
    }
}

/// Is all of this ours or empty? A rest shorter than a sector has to be zero.
#[must_use]
pub fn ours_or_zero(buffer: &[u8]) -> bool {
    let sectors = buffer.chunks_exact(SECTOR);
    let rest = sectors.remainder();
    sectors.into_iter().all(|s| s.starts_with(&MAGIC) || is_zero(s)) && is_zero(rest)
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |all, b| all | b) == 0
}

#[cfg(test)]
mod tests {
    use super::{SECTOR, fill, mark, ours_or_zero, vary};
    use proptest::prelude::*;
    use spindle_workload::Seeded;

    #[test]
    fn what_is_written_again_differs_and_stays_ours() {
        let mut buffer = vec![0; 16_384];
        fill(&mut buffer, 7, &mut Seeded::new(1, 0));
        let before = buffer.clone();
        vary(&mut buffer, 99);
        assert!(before.chunks(4_096).zip(buffer.chunks(4_096)).all(|(a, b)| a != b));
        assert!(ours_or_zero(&buffer));
    }

    proptest! {
        #[test]
        fn one_foreign_byte_in_any_sector_that_is_not_marked_shows(
            sectors in 1..20_usize,
            at in any::<prop::sample::Index>(),
            byte in 1..=255_u8,
        ) {
            let mut buffer = vec![0; sectors * SECTOR];
            prop_assert!(ours_or_zero(&buffer));
            buffer[at.index(sectors * SECTOR)] = byte;
            prop_assert!(!ours_or_zero(&buffer));
            mark(&mut buffer, 7);
            prop_assert!(ours_or_zero(&buffer));
        }
    }

    #[test]
    fn a_short_rest_counts() {
        let mut buffer = vec![0; SECTOR + 3];
        mark(&mut buffer, 1);
        assert!(ours_or_zero(&buffer));
        buffer[SECTOR + 2] = 1;
        assert!(!ours_or_zero(&buffer));
    }
}
