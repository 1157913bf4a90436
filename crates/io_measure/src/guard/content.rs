//! Is a device empty, or are all its bytes ours?

use super::marker::ours_or_zero;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::FileExt;

const MIB: u64 = 1 << 20;

/// Blocks between the first and the last MiB that are looked at.
const BLOCKS: u64 = 1_000;

/// Bytes of each.
const BLOCK: u64 = 4096;

/// Offset of the first byte range found that is neither zero nor ours.
///
/// The first and the last MiB are read whole; between them a thousand blocks, one at a random place of
/// each thousandth, so that no gap is longer than two of them.
pub(super) fn foreign(file: &File, bytes: u64) -> io::Result<Option<u64>> {
    let last = bytes.saturating_sub(MIB) / 512 * 512;
    for start in [0, last] {
        let mut buffer = vec![0; usize::try_from(MIB.min(bytes - start)).unwrap_or(0)];
        file.read_exact_at(&mut buffer, start)?;
        // The piece that is not ours, to the block.
        for (n, piece) in buffer.chunks(BLOCK as usize).enumerate() {
            if !ours_or_zero(piece) {
                return Ok(Some(start + n as u64 * BLOCK));
            }
        }
    }
    let between = last.saturating_sub(MIB) / BLOCK;
    let mut buffer = [0; BLOCK as usize];
    let random = RandomState::new();
    for n in 0..BLOCKS.min(between) {
        let (from, to) = (share(between, n), share(between, n + 1));
        let block = from + random.hash_one(n) % (to - from).max(1);
        let offset = MIB + block * BLOCK;
        file.read_exact_at(&mut buffer, offset)?;
        if !ours_or_zero(&buffer) {
            return Ok(Some(offset));
        }
    }
    Ok(None)
}

/// `n` of [`BLOCKS`] parts of a number.
fn share(of: u64, n: u64) -> u64 {
    let parts = BLOCKS.min(of);
    of / parts * n + of % parts * n / parts
}
