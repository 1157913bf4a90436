//! Past the page cache: whether a target can be read and written so, and the alignment that it wants.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Alignments that devices ask for.
const ALIGNMENTS: [usize; 4] = [512, 1024, 2048, 4096];

/// Memory whose first byte lies on a multiple of an alignment.
#[derive(Debug)]
pub(crate) struct Aligned {
    memory: Vec<u8>,
    from: usize,
    bytes: usize,
}

impl Aligned {
    pub(crate) fn new(bytes: usize, align: usize) -> Self {
        let memory = vec![0; bytes + align];
        let from = memory.as_ptr().align_offset(align);
        // A pointer that cannot be aligned is not known on any platform of ours.
        Self { from: from.min(align), memory, bytes }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> &mut [u8] {
        &mut self.memory[self.from..self.from + count.min(self.bytes)]
    }
}

/// Why a target cannot be used past the page cache.
#[derive(Debug)]
pub enum NotDirect {
    /// Its file system or driver knows no direct I/O.
    Unsupported,
    /// Something else failed.
    System(io::Error),
}

impl std::fmt::Display for NotDirect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported => f.write_str(
                "it cannot be read past the page cache (O_DIRECT); with --buffered it is read through it, and memory, \
                 not the device, may answer",
            ),
            Self::System(error) => write!(f, "direct I/O could not be switched on: {error}"),
        }
    }
}

impl std::error::Error for NotDirect {}

/// Switches a descriptor to direct I/O and finds the smallest alignment that it takes, by reading.
///
/// # Errors
/// Where it knows none, or the first block cannot be read.
pub(crate) fn switch_on(file: &File) -> Result<usize, NotDirect> {
    let system = |e: Errno| NotDirect::System(e.into());
    let flags = fcntl_getfl(file).map_err(system)?;
    match fcntl_setfl(file, flags | OFlags::DIRECT) {
        Err(Errno::INVAL) => return Err(NotDirect::Unsupported),
        other => other.map_err(system)?,
    }
    for align in ALIGNMENTS {
        // Twice the alignment on odd multiples of it: what a larger one would take by chance fails.
        let mut memory = Aligned::new(3 * align, 2 * align);
        let odd = &mut memory.bytes(2 * align)[align..];
        match file.read_at(odd, align as u64) {
            Err(e) if Errno::from_io_error(&e) == Some(Errno::INVAL) => {}
            Err(e) => return Err(NotDirect::System(e)),
            Ok(_) => return Ok(align),
        }
    }
    Err(NotDirect::Unsupported)
}

#[cfg(test)]
mod tests {
    use super::Aligned;

    #[test]
    fn memory_lies_on_its_alignment() {
        for align in [512, 4096, 8192] {
            let mut memory = Aligned::new(10_000, align);
            assert_eq!(memory.bytes(10_000).as_ptr() as usize % align, 0);
            assert_eq!(memory.bytes(20_000).len(), 10_000);
        }
    }
}
