//! The bytes of a device: only what was written is kept, the rest is zeros.

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::statvfs::fstatvfs;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// Bytes kept together.
const PAGE: u64 = 4096;

/// Bytes read.
pub(crate) enum Bytes {
    /// So many zeros.
    Zeros(usize),
    /// These.
    These(Vec<u8>),
}

/// Where bytes are kept.
pub(crate) enum Store {
    Memory(Pages),
    File(File),
}

impl Store {
    pub(crate) fn memory(most: u64) -> Self {
        Self::Memory(Pages { pages: HashMap::new(), most: most / PAGE })
    }

    /// A file without a name: it goes with this process, however that ends.
    pub(crate) fn file(folder: &Path, bytes: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).mode(0o600);
        let unnamed = options.clone().custom_flags(OFlag::O_TMPFILE.bits()).open(folder);
        let file = match unnamed {
            Ok(file) => file,
            // Some file systems give every file a name.
            Err(error) if error.raw_os_error() == Some(Errno::EOPNOTSUPP as i32) => {
                let path = folder.join(format!(".spindle-emulate-{}", std::process::id()));
                let file = options.create_new(true).open(&path)?;
                std::fs::remove_file(&path)?;
                file
            }
            Err(error) => return Err(error),
        };
        file.set_len(bytes)?;
        Ok(Self::File(file))
    }

    pub(crate) fn read(&self, offset: u64, bytes: usize) -> io::Result<Bytes> {
        match self {
            Self::Memory(pages) => Ok(pages.read(offset, bytes)),
            Self::File(file) => {
                let mut buffer = vec![0; bytes];
                file.read_exact_at(&mut buffer, offset)?;
                Ok(Bytes::These(buffer))
            }
        }
    }

    /// Writes all of it, or nothing where there is no space left.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(pages) => pages.write(offset, bytes),
            Self::File(file) => {
                let space = fstatvfs(&*file)?;
                // Whole blocks, one more where it begins within one.
                let new = (bytes.len() as u64).div_ceil(space.fragment_size().max(1)) + 1;
                if space.blocks_available() < space.blocks() / 20 + new {
                    return Err(Errno::ENOSPC.into());
                }
                file.write_all_at(bytes, offset)
            }
        }
    }

    /// Bytes that never written places can still take; `None` where only the host knows.
    pub(crate) fn free(&self) -> Option<u64> {
        match self {
            Self::Memory(pages) => Some((pages.most - pages.pages.len() as u64) * PAGE),
            Self::File(_) => None,
        }
    }
}

/// Pages in memory.
pub(crate) struct Pages {
    pages: HashMap<u64, Box<[u8; PAGE as usize]>>,
    most: u64,
}

impl Pages {
    fn read(&self, offset: u64, bytes: usize) -> Bytes {
        if !pieces(offset, bytes).any(|piece| self.pages.contains_key(&piece.page)) {
            return Bytes::Zeros(bytes);
        }
        let mut buffer = Vec::with_capacity(bytes);
        for Piece { page, from, bytes } in pieces(offset, bytes) {
            match self.pages.get(&page) {
                Some(page) => buffer.extend_from_slice(&page[from..from + bytes]),
                None => buffer.resize(buffer.len() + bytes, 0),
            }
        }
        Bytes::These(buffer)
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let new = pieces(offset, bytes.len()).filter(|piece| !self.pages.contains_key(&piece.page)).count();
        if self.pages.len() as u64 + new as u64 > self.most {
            return Err(Errno::ENOSPC.into());
        }
        let mut rest = bytes;
        for Piece { page, from, bytes } in pieces(offset, bytes.len()) {
            let (these, behind) = rest.split_at(bytes);
            let page = self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE as usize]));
            page[from..from + bytes].copy_from_slice(these);
            rest = behind;
        }
        Ok(())
    }
}

/// A part of one page.
struct Piece {
    page: u64,
    from: usize,
    bytes: usize,
}

/// The pages that a stretch touches.
fn pieces(offset: u64, bytes: usize) -> impl Iterator<Item = Piece> {
    let end = offset + bytes as u64;
    let mut at = offset;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let (page, from) = (at / PAGE, at % PAGE);
            let taken = (PAGE - from).min(end - at);
            at += taken;
            Piece { page, from: from as usize, bytes: taken as usize }
        })
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Bytes, Store};
    use proptest::prelude::*;

    const SIZE: usize = 40_000;

    fn read(store: &Store, offset: usize, bytes: usize) -> Vec<u8> {
        match store.read(offset as u64, bytes).unwrap() {
            Bytes::Zeros(bytes) => vec![0; bytes],
            Bytes::These(bytes) => bytes,
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_and_what_has_no_space_changes_nothing(
            writes in prop::collection::vec((0..SIZE, 1..9_000_usize, 1..=255_u8), 0..20),
            pages in 0..12_u64,
        ) {
            let mut store = Store::memory(pages * 4_096 + 7);
            let mut bytes = vec![0; SIZE];
            for (offset, length, byte) in writes {
                let length = length.min(SIZE - offset);
                match store.write(offset as u64, &vec![byte; length]) {
                    Ok(()) => bytes[offset..offset + length].fill(byte),
                    Err(error) => prop_assert_eq!(error.kind(), std::io::ErrorKind::StorageFull),
                }
                prop_assert_eq!(read(&store, 0, SIZE), &bytes[..]);
                prop_assert_eq!(read(&store, offset, length), &bytes[offset..offset + length]);
            }
            let free = store.free().unwrap() / 4_096;
            prop_assert!(free <= pages);
            // Full only when nothing is free: one page of zeros takes its place.
            prop_assert_eq!(store.write(1 << 40, &[0]).is_ok(), free > 0);
        }
    }

    #[test]
    fn a_file_without_a_name_keeps_bytes_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::file(folder.path(), 1 << 40).unwrap();
        match store.write((1 << 40) - 3, b"end") {
            Ok(()) => assert_eq!(read(&store, (1 << 40) - 5, 5), b"\0\0end"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "a twentieth stays free"),
        }
        assert_eq!(read(&store, 0, 3), [0, 0, 0]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
