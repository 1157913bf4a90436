//! Is a device empty, or are all its bytes ours?

use super::marker::ours_or_zero;
use rustix::fs::{SeekFrom, seek};
use rustix::io::Errno;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

const MIB: u64 = 1 << 20;

/// Written bytes up to which all are read.
const WHOLE: u64 = 256 * MIB;

/// Blocks of what is more that are looked at, besides its ends.
const BLOCKS: u64 = 1_000;

/// Bytes of each.
const BLOCK: u64 = 4096;

/// Written parts of a file that are told apart at most; the last then goes on to the end.
const MOST_PARTS: usize = 100_000;

/// Offset of the first byte range found that is neither zero nor ours.
///
/// Holes of a file are zero. Of what is written, everything is read up to [`WHOLE`]; of more, the first and the last
/// MiB of the device, and a thousand blocks, one at a random place of each thousandth of what is written, so that no
/// gap is longer than two of them. `see` is called for each step.
pub(super) fn foreign(file: &File, bytes: u64, see: &mut dyn FnMut()) -> io::Result<Option<u64>> {
    let written = written(file, bytes)?;
    let all: u64 = written.iter().map(|part| part.end - part.start).sum();
    let mut buffer = vec![0; MIB as usize];
    if all <= WHOLE {
        return first_of(written, |part| foreign_in(file, part, &mut buffer, see));
    }
    let last = bytes.saturating_sub(MIB) / 512 * 512;
    let ends = [0..MIB.min(bytes), last..bytes];
    if let Some(at) = first_of(ends, |part| foreign_in(file, part, &mut buffer, see))? {
        return Ok(Some(at));
    }
    let random = RandomState::new();
    let blocks = all / BLOCK;
    let places = (0..BLOCKS).map(|n| {
        let (from, to) = (share(blocks, n), share(blocks, n + 1));
        (from + random.hash_one(n) % (to - from).max(1)) * BLOCK
    });
    // Places among the written bytes, in order, and so the parts that they lie in.
    let mut parts = written.iter();
    let mut part = parts.next();
    let mut before = 0;
    for place in places {
        while let Some(here) = part
            && place >= before + (here.end - here.start)
        {
            before += here.end - here.start;
            part = parts.next();
        }
        let Some(here) = part else { break };
        let start = here.start + (place - before);
        let block = start..(start + BLOCK).min(here.end);
        if let Some(at) = foreign_in(file, block, &mut buffer, see)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// The first that is found.
fn first_of(
    parts: impl IntoIterator<Item = Range<u64>>,
    mut find: impl FnMut(Range<u64>) -> io::Result<Option<u64>>,
) -> io::Result<Option<u64>> {
    for part in parts {
        if let Some(at) = find(part)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Reads a part whole. Sectors are told from its start, or from the last multiple of one before it.
fn foreign_in(
    file: &File,
    part: Range<u64>,
    buffer: &mut [u8],
    see: &mut dyn FnMut(),
) -> io::Result<Option<u64>> {
    let mut at = part.start / BLOCK * BLOCK;
    while at < part.end {
        see();
        let room = usize::try_from(part.end - at).unwrap_or(usize::MAX).min(buffer.len());
        let piece = &mut buffer[..room];
        file.read_exact_at(piece, at)?;
        if let Some(n) = piece.chunks(BLOCK as usize).position(|block| !ours_or_zero(block)) {
            return Ok(Some(at + n as u64 * BLOCK));
        }
        at += room as u64;
    }
    Ok(None)
}

/// The parts of a file that are not holes; all of what cannot say.
fn written(file: &File, bytes: u64) -> io::Result<Vec<Range<u64>>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes && parts.len() < MOST_PARTS {
        let start = match seek(file, SeekFrom::Data(at)) {
            Ok(start) => start,
            Err(Errno::NXIO) => return Ok(parts),
            Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => at,
            Err(error) => return Err(error.into()),
        };
        let end = match seek(file, SeekFrom::Hole(start)) {
            Ok(end) if end > start => end.min(bytes),
            // What is cut meanwhile ends there.
            Err(Errno::NXIO) => return Ok(parts),
            _ => bytes,
        };
        if start < bytes {
            parts.push(start..end);
        }
        at = end;
    }
    if at < bytes {
        parts.push(at..bytes);
    }
    Ok(parts)
}

/// `n` of [`BLOCKS`] parts of a number that is larger.
fn share(of: u64, n: u64) -> u64 {
    of / BLOCKS * n + of % BLOCKS * n / BLOCKS
}
