//! What every sector that we write begins with, so that a later run knows its own.
//!
//! Thirty-two bytes at the beginning of each 512 bytes, whatever the block size: random reads of any
//! alignment find it. Eight say that it is ours, eight are a number of the run that wrote them, eight a number of
//! the write, and eight follow from all the other bytes: what somebody wrote over a part of a sector shows.

use spindle_workload::Seeded;
use std::ops::Range;

/// Bytes between two markers: the smallest sector that devices have.
pub const SECTOR: usize = 512;

/// First bytes of each sector.
pub const MAGIC: [u8; 8] = *b"\xa7SPINDL\x1e";

/// Where the number of the run, that of the write and the check stand.
const RUN: Range<usize> = 8..16;
const NUMBER: Range<usize> = 16..24;
const CHECK: Range<usize> = 24..32;

/// Odd, so that each number of a write gives another check; and what the check mixes words with.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Marks every sector of a buffer that is to be written at a multiple of [`SECTOR`].
///
/// A rest shorter than a sector stays as it is.
pub fn mark(buffer: &mut [u8], run: u64) {
    for sector in buffer.chunks_exact_mut(SECTOR) {
        sector[..MAGIC.len()].copy_from_slice(&MAGIC);
        sector[RUN].copy_from_slice(&run.to_le_bytes());
        let check = check(sector);
        sector[CHECK].copy_from_slice(&check.to_le_bytes());
    }
}

/// What follows from the other bytes of a sector. Each step can be taken back, so one word that differs always shows.
fn check(sector: &[u8]) -> u64 {
    let mixed = |all: u64, bytes: &[u8]| (all ^ word(bytes)).wrapping_mul(ODD).rotate_left(29);
    let rest = sector[CHECK.end..].chunks_exact(8).fold(mixed(0, &sector[RUN]), mixed);
    rest ^ of_number(word(&sector[NUMBER]))
}

fn of_number(number: u64) -> u64 {
    number.wrapping_mul(ODD)
}

/// The first eight bytes; those that are missing count as zero.
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
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
/// device finds it twice. It stays ours.
pub(crate) fn vary(memory: &mut [u8], number: u64) {
    for (page, chunk) in memory.chunks_mut(4096).enumerate() {
        let Some(marks) = chunk.get_mut(..CHECK.end) else { continue };
        let (before, now) = (word(&marks[NUMBER]), number ^ page as u64);
        let check = word(&marks[CHECK]) ^ of_number(before) ^ of_number(now);
        marks[NUMBER].copy_from_slice(&now.to_le_bytes());
        marks[CHECK].copy_from_slice(&check.to_le_bytes());
    }
}

/// Is all of this ours or empty? A rest shorter than a sector has to be zero.
#[must_use]
pub fn ours_or_zero(buffer: &[u8]) -> bool {
    let sectors = buffer.chunks_exact(SECTOR);
    let rest = sectors.remainder();
    sectors.into_iter().all(|s| is_ours(s) || is_zero(s)) && is_zero(rest)
}

fn is_ours(sector: &[u8]) -> bool {
    sector.starts_with(&MAGIC) && word(&sector[CHECK]) == check(sector)
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

    proptest! {
        #[test]
        fn bytes_written_over_a_part_of_our_sector_were_taken_for_ours(
            at in 0..4 * SECTOR,
            byte in 1..=255_u8,
            number in any::<u64>(),
        ) {
            let mut buffer = vec![0; 4 * SECTOR];
            fill(&mut buffer, 7, &mut Seeded::new(number, 0));
            vary(&mut buffer, number);
            prop_assert!(ours_or_zero(&buffer));
            buffer[at] ^= byte;
            prop_assert!(!ours_or_zero(&buffer));
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
