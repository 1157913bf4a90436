//! What writing to a file takes from others: room of its file system, or what stands under another name of it.

use super::refusal::Reason;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Share of a host file system that stays free.
const STAYS_FREE: u64 = 20;

/// Bytes of a file system, and those of them that may be had.
pub(super) struct Room {
    pub(super) total: u64,
    pub(super) free: u64,
}

impl Room {
    /// Of the file system that a file or folder lies in.
    pub(super) fn at(path: &Path) -> rustix::io::Result<Self> {
        let system = rustix::fs::statvfs(path)?;
        let total = system.f_blocks.saturating_mul(system.f_frsize);
        let available = system.f_bavail.saturating_mul(system.f_frsize);
        Ok(Self { total, free: available.saturating_sub(total / STAYS_FREE) })
    }
}

/// Has a file other names too?
pub(super) fn names(file: &Metadata) -> Option<Reason> {
    (file.nlink() > 1).then(|| Reason::HardLinks { names: file.nlink() })
}

/// Would filling the holes of a file leave too little of its file system?
pub(super) fn for_holes(path: &Path, file: &Metadata) -> Option<Reason> {
    let holes = file.len().saturating_sub(file.blocks().saturating_mul(512));
    if holes == 0 {
        return None;
    }
    let Room { total, free } = match Room::at(path) {
        Ok(room) => room,
        Err(error) => return Some(Reason::System(error.into())),
    };
    (holes > free).then_some(Reason::Holes { holes, free, total })
}
