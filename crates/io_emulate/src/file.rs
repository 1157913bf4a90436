//! The file system of one file, as the kernel asks for it.
//!
//! Whoever opens the file, with `O_DIRECT` or without, each read and write is a request of its own to the
//! device: the page cache is out. Reads and writes take their bytes when they come in and are answered
//! when the device is done; what overlaps in time has no order, as on a disk.

use crate::pacer::Pacer;
use crate::store::{Bytes, Store};
use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyOpen, ReplyStatfs, ReplyWrite,
    Request, TimeOrNow, WriteFlags,
};
use spindle_io_simulate::{Operation, Request as DeviceRequest};
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Largest request that the kernel sends in one piece.
const LARGEST: u32 = 1 << 20;

/// Most requests that the kernel keeps under way for programs that do not wait for each; reads of what was
/// written hold their bytes meanwhile.
const UNDER_WAY: u16 = 1_024;

/// Attributes change through the kernel alone, which may remember them.
const REMEMBERED: Duration = Duration::from_secs(3_600);

/// What is read where nothing was written.
static ZEROS: [u8; LARGEST as usize] = [0; LARGEST as usize];

/// What is handed to the kernel when a request is done.
pub(crate) enum Answer {
    Read(ReplyData, Bytes),
    Write(ReplyWrite, u32),
}

impl Answer {
    pub(crate) fn hand_over(self) {
        match self {
            Self::Read(reply, Bytes::Zeros(bytes)) => match ZEROS.get(..bytes) {
                Some(zeros) => reply.data(zeros),
                None => reply.data(&vec![0; bytes]),
            },
            Self::Read(reply, Bytes::These(bytes)) => reply.data(&bytes),
            Self::Write(reply, bytes) => reply.written(bytes),
        }
    }
}

/// The file.
pub(crate) struct DeviceFile {
    bytes: u64,
    store: Mutex<Store>,
    attributes: Mutex<FileAttr>,
    pacer: Arc<Pacer<Answer>>,
    /// Closed when the kernel has let go of the file.
    _gone: UnixStream,
}

impl DeviceFile {
    pub(crate) fn new(bytes: u64, store: Store, pacer: Arc<Pacer<Answer>>, gone: UnixStream) -> Self {
        let now = SystemTime::now();
        let attributes = FileAttr {
            ino: INodeNo::ROOT,
            size: bytes,
            // A device has all its blocks.
            blocks: bytes / 512,
            atime: now,
            mtime: now,
            ctime: now,
            crtime: now,
            kind: FileType::RegularFile,
            perm: 0o600,
            nlink: 1,
            uid: nix::unistd::getuid().as_raw(),
            gid: nix::unistd::getgid().as_raw(),
            rdev: 0,
            blksize: 4_096,
            flags: 0,
        };
        Self { bytes, store: Mutex::new(store), attributes: Mutex::new(attributes), pacer, _gone: gone }
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn attributes(&self) -> MutexGuard<'_, FileAttr> {
        self.attributes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much of a stretch lies on the device.
    fn within(&self, offset: u64, bytes: u32) -> u32 {
        u32::try_from(self.bytes.saturating_sub(offset)).unwrap_or(u32::MAX).min(bytes)
    }
}

impl Drop for DeviceFile {
    fn drop(&mut self) {
        self.pacer.end();
    }
}

impl Filesystem for DeviceFile {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        let cannot = |what: &str| io::Error::new(io::ErrorKind::Unsupported, what.to_owned());
        // Without it requests of one program follow one another, and no depth is ever seen.
        config
            .add_capabilities(InitFlags::FUSE_ASYNC_DIO)
            .map_err(|_| cannot("this kernel does no direct I/O side by side on FUSE"))?;
        config.set_max_write(LARGEST).map_err(|_| cannot("no writes of 1 MiB"))?;
        config.set_max_background(UNDER_WAY).map_err(|_| cannot("no such depth"))?;
        config.set_congestion_threshold(UNDER_WAY).map_err(|_| cannot("no such depth"))?;
        Ok(())
    }

    fn getattr(&self, _: &Request, _: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&REMEMBERED, &self.attributes());
    }

    /// Owner and permissions change, so that a database's user can be given the file; its size does not.
    fn setattr(
        &self,
        _: &Request,
        _: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        if size.is_some_and(|size| size != self.bytes) {
            return reply.error(Errno::EPERM);
        }
        let mut attributes = self.attributes();
        if let Some(mode) = mode {
            attributes.perm = (mode & 0o777) as u16;
        }
        attributes.uid = uid.unwrap_or(attributes.uid);
        attributes.gid = gid.unwrap_or(attributes.gid);
        reply.attr(&REMEMBERED, &attributes);
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        // Writes to one file follow one another unless the server says that they need not.
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES);
    }

    /// Reading at the end is the end of the file, as on a disk.
    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let came = self.pacer.now();
        let bytes = self.within(offset, size);
        if bytes == 0 {
            return reply.data(&[]);
        }
        let read = self.store().read(offset, bytes as usize);
        match read {
            Ok(read) => {
                let request = DeviceRequest { operation: Operation::Read, offset, bytes };
                self.pacer.submit(came, request, Answer::Read(reply, read));
            }
            Err(_) => reply.error(Errno::EIO),
        }
    }

    /// Writing at the end finds no space, as on a disk; writing across it writes what fits.
    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let came = self.pacer.now();
        // The kernel counts in 32 bits.
        let bytes = self.within(offset, u32::try_from(data.len()).unwrap_or(u32::MAX));
        if bytes == 0 {
            return if data.is_empty() { reply.written(0) } else { reply.error(Errno::ENOSPC) };
        }
        let written = self.store().write(offset, &data[..bytes as usize]);
        match written {
            Ok(()) => {
                let request = DeviceRequest { operation: Operation::Write, offset, bytes };
                self.pacer.submit(came, request, Answer::Write(reply, bytes));
            }
            Err(error) if error.kind() == io::ErrorKind::StorageFull => reply.error(Errno::ENOSPC),
            Err(_) => reply.error(Errno::EIO),
        }
    }

    /// What is written is on the device when the write is answered: there is nothing to flush.
    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        let blocks = self.bytes / 4_096;
        let free = self.store().free().map_or(blocks, |bytes| (bytes / 4_096).min(blocks));
        reply.statfs(blocks, free, free, 1, 0, 4_096, 255, 4_096);
    }
}
