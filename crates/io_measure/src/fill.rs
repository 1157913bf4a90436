//! A new file is written once before it is measured: blocks that were never written are read too fast.

use crate::direct::Aligned;
use crate::guard::marker;
use crate::target::Target;
use spindle_workload::Seeded;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bytes of one write.
const PIECE: usize = 1 << 20;
/// How often who waits is told.
const TELL: Duration = Duration::from_millis(250);

/// Writes all of a target that may be written to, and has it on the device at the end. Each MiB is another:
/// no device makes one of many.
///
/// # Errors
/// Those of the system; where it is stopped; where the target may only be read.
pub fn fill(target: &Target, stop: &AtomicBool, see: &mut dyn FnMut(u64)) -> io::Result<()> {
    if !target.may_write {
        return Err(io::Error::other("it was opened for reading only"));
    }
    target.begin_writing().map_err(io::Error::other)?;
    let align = target.align.unwrap_or(1).max(marker::SECTOR);
    let mut memory = Aligned::new(PIECE, align);
    let mut random = Seeded::new(target.bytes, u64::MAX);
    let mut told = Instant::now();
    let mut at = 0;
    while at < target.bytes {
        if stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("it was stopped"));
        }
        if target.devices().iter().any(Target::is_wanted) {
            return Err(io::Error::other("another process opened it"));
        }
        let left = usize::try_from(target.bytes - at).unwrap_or(PIECE).min(PIECE);
        let piece = memory.bytes(left);
        marker::fill(piece, target.bytes, &mut random);
        target.file.write_all_at(piece, at)?;
        at += left as u64;
        if told.elapsed() >= TELL {
            told = Instant::now();
            see(at);
        }
    }
    target.file.sync_all()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::guard::{WriteTarget, create, open_to_read};

    #[test]
    fn all_of_a_new_file_is_written_and_known_as_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let armed = create(&path, 3 * (1 << 20) + 8_192).and_then(WriteTarget::arm).unwrap();
        fill(&Target::writing("f", armed), &AtomicBool::new(false), &mut |_| {}).unwrap();
        let content = std::fs::read(&path).unwrap();
        assert_eq!(content.len(), 3 * (1 << 20) + 8_192);
        assert!(content.chunks(512).all(|sector| sector.starts_with(&marker::MAGIC)));
        let pieces: std::collections::BTreeSet<&[u8]> = content.chunks(PIECE).collect();
        assert_eq!(pieces.len(), 4, "no two of them are alike");
        let reading = Target::reading("f", open_to_read(&path).unwrap());
        assert!(fill(&reading, &AtomicBool::new(false), &mut |_| {}).is_err());
    }
}
