//! The only ways to a descriptor that can be written to.

use super::hold::Hold;
use super::openers::{self, Word};
use super::refusal::{Reason, Refusal};
use super::room::{self, Room};
use super::{content, hidden, kernel, signature};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What kind of thing is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file in a file system.
    File,
    /// A block device, whole or a part.
    BlockDevice,
}

/// What a command line allows.
#[derive(Clone, Debug, Default)]
pub struct Permission {
    overwrite: Vec<PathBuf>,
}

impl Permission {
    /// Only what is empty or ours.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Also these, whatever is on them, as long as nobody uses them. From the command line only, never
    /// from a file: a path counts as it was written, so that a link does not stand for what it leads to.
    #[must_use]
    pub fn overwriting(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { overwrite: paths.into_iter().collect() }
    }

    fn covers(&self, path: &Path) -> bool {
        self.overwrite.iter().any(|p| p == path)
    }
}

/// What is open for reading only.
#[derive(Debug)]
pub struct ReadTarget {
    file: File,
    kind: Kind,
    bytes: u64,
}

impl ReadTarget {
    /// The descriptor, which has no right to write.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn into_file(self) -> File {
        self.file
    }
}

/// What may be written to once it is armed.
#[derive(Debug)]
pub struct WriteTarget {
    path: PathBuf,
    file: Arc<File>,
    kind: Kind,
    bytes: u64,
    /// Content does not matter: overruled by the command line.
    overwrite: bool,
    /// Made here: without the right to write it goes again.
    new: bool,
    /// When it was written last, before anything was looked at: what came since nobody gave free.
    written: (i64, i64),
}

/// The right to write, given just before the first write.
#[derive(Debug)]
pub struct Armed {
    file: Arc<File>,
    kind: Kind,
    bytes: u64,
    hold: Hold,
}

impl Armed {
    /// The descriptor to write to.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Bytes it has; nothing is written beyond.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn into_parts(self) -> (Arc<File>, Hold) {
        (self.file, self.hold)
    }
}

/// Opens for reading.
///
/// # Errors
///
/// Where it is no storage, has no bytes, or cannot be opened.
pub fn open_to_read(path: &Path) -> Result<ReadTarget, Refusal> {
    let refuse = |reason| Refusal { path: path.to_owned(), reason };
    let kind = kind_of(path).map_err(refuse)?;
    // Opening a file that another measurement writes to would end that.
    if kind == Kind::File
        && let Ok(meta) = std::fs::metadata(path)
        && let Some(by) = openers::leased_by(meta.dev(), meta.ino())
    {
        return Err(refuse(Reason::InUse { by: Some(by) }));
    }
    let (file, kind) = open(path, kind, OFlags::RDONLY).map_err(refuse)?;
    let bytes = size(&file).map_err(refuse)?;
    if bytes == 0 {
        return Err(refuse(Reason::Empty));
    }
    Ok(ReadTarget { file, kind, bytes })
}

/// Opens what is there for writing, if nobody uses it and it holds nothing that is not ours.
///
/// # Errors
///
/// With the first reason found against it. Those that [can be overruled](Reason::can_be_overruled)
/// are, where the permission names this very path.
pub fn open_to_write(path: &Path, permission: &Permission) -> Result<WriteTarget, Refusal> {
    open_to_write_seen(path, permission, &mut || ())
}

/// Opens what is there, as [`open_to_write`] does, and calls `see` as often as the device has answered: who waits
/// for a slow one can tell it from one that hangs.
///
/// # Errors
///
/// As [`open_to_write`].
pub fn open_to_write_seen(
    path: &Path,
    permission: &Permission,
    see: &mut dyn FnMut(),
) -> Result<WriteTarget, Refusal> {
    let refuse = |reason| Refusal { path: path.to_owned(), reason };
    let kind = kind_of(path).map_err(refuse)?;
    // Who has it open may be waited for a moment, and write meanwhile.
    let written =
        std::fs::metadata(path).map(|meta| written_by(&meta)).map_err(|e| refuse(Reason::System(e)))?;
    // Who uses a device is looked up before the open, which only says that somebody does.
    if let Some(raw) = raw_device(path, kind)
        && let Some(reason) = kernel::block_device_in_use(raw, None).reason
    {
        return Err(refuse(reason));
    }
    // Opening a file that another measurement writes to would end that.
    if kind == Kind::File
        && let Ok(meta) = std::fs::metadata(path)
        && let Some(reason) = kernel::file_in_use(meta.dev(), meta.ino(), 0).reason
    {
        return Err(refuse(reason));
    }
    let exclusive = if kind == Kind::BlockDevice { OFlags::EXCL } else { OFlags::empty() };
    let (file, kind) = open(path, kind, OFlags::RDWR | exclusive).map_err(refuse)?;
    let bytes = size(&file).map_err(refuse)?;
    let target = WriteTarget {
        path: path.to_owned(),
        written,
        file: Arc::new(file),
        kind,
        bytes,
        overwrite: permission.covers(path),
        new: false,
    };
    // What it holds it lets go of again: who is to write may take its time.
    target.check(see).map_err(refuse)?;
    Ok(target)
}

/// Makes a new file of this size, all zeros. Nothing that exists is opened.
///
/// Its blocks are not allocated yet: who measures has to write it once first.
///
/// # Errors
///
/// Where the name is taken, or less than 5 % of the file system would stay free.
pub fn create(path: &Path, bytes: u64) -> Result<WriteTarget, Refusal> {
    let refuse = |reason| Refusal { path: path.to_owned(), reason };
    if bytes == 0 {
        return Err(refuse(Reason::Empty));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    room_for(folder, bytes).map_err(refuse)?;
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map(File::from).map_err(|e| {
        refuse(match e {
            Errno::EXIST | Errno::ISDIR if path.is_dir() => Reason::IsFolder,
            Errno::EXIST => Reason::Exists,
            other => system(other),
        })
    })?;
    if let Err(error) = file.set_len(bytes) {
        remove_name(path, &file);
        return Err(refuse(Reason::System(error)));
    }
    let written = written(&file).map_err(refuse)?;
    let file = Arc::new(file);
    Ok(WriteTarget {
        path: path.to_owned(),
        written,
        file,
        kind: Kind::File,
        bytes,
        overwrite: false,
        new: true,
    })
}

impl WriteTarget {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Looks at everything again, and gives the right to write. What was made and cannot be written to goes.
    ///
    /// # Errors
    ///
    /// With the first reason found against it.
    pub fn arm(self) -> Result<Armed, Refusal> {
        self.arm_seen(&mut || ())
    }

    /// Looks at everything again, as [`Self::arm`] does, and calls `see` as often as the device has answered.
    ///
    /// # Errors
    ///
    /// As [`Self::arm`].
    pub fn arm_seen(self, see: &mut dyn FnMut()) -> Result<Armed, Refusal> {
        match self.look_again(see) {
            Ok(hold) => Ok(Armed { file: self.file, kind: self.kind, bytes: self.bytes, hold }),
            Err(reason) => {
                if self.new {
                    remove_name(&self.path, &self.file);
                }
                Err(Refusal { path: self.path, reason })
            }
        }
    }

    fn look_again(&self, see: &mut dyn FnMut()) -> Result<Hold, Reason> {
        let now = std::fs::metadata(&self.path).map_err(|_| Reason::Changed)?;
        let then = self.file.metadata().map_err(Reason::System)?;
        if identity(&now) != identity(&then) || size(&self.file)? != self.bytes {
            return Err(Reason::Changed);
        }
        self.check(see)
    }

    /// What it lies in, where that hides who holds what it stands for. Nobody holds what was made a moment ago.
    fn hidden(&self, meta: &Metadata) -> Option<&'static str> {
        if self.new || self.kind == Kind::BlockDevice {
            return None;
        }
        hidden::within(&self.file, meta.dev())
    }

    /// What speaks against writing, judged by the open descriptor; a file is leased from here on where that is possible.
    fn check(&self, see: &mut dyn FnMut()) -> Result<Hold, Reason> {
        let meta = self.file.metadata().map_err(Reason::System)?;
        let blind;
        let mut leased = false;
        if self.kind == Kind::BlockDevice {
            let opened = kernel::block_device_in_use(meta.rdev(), Some(&self.file));
            if let Some(reason) = opened.reason {
                return Err(reason);
            }
            blind = opened.blind;
            if kernel::is_read_only(meta.rdev()) {
                return Err(Reason::ReadOnly);
            }
        } else {
            if let Some(reason) = room::names(&meta) {
                return Err(reason);
            }
            let opened = kernel::file_in_use(meta.dev(), meta.ino(), 1);
            if let Some(reason) = opened.reason {
                return Err(reason);
            }
            blind = match openers::word(&self.file) {
                Word::Somebody => return Err(Reason::InUse { by: Some(openers::UNNAMED.to_owned()) }),
                Word::Leased => {
                    leased = true;
                    false
                }
                // Nobody could know of a file that was made a moment ago, for its owner alone.
                Word::None => opened.blind && !self.new,
            };
        }
        if self.bytes == 0 {
            return Err(Reason::Empty);
        }
        if self.kind == Kind::File
            && !self.new
            && let Some(reason) = room::for_holes(&self.path, &meta)
        {
            return Err(reason);
        }
        let hold = Hold::new(&self.file, self.kind, leased, self.written);
        if self.overwrite {
            // What was there may be lost, not what came since.
            return hold.objection().map_or(Ok(hold), Err);
        }
        if let Some(what) = signature::find(&self.file, self.bytes) {
            return Err(Reason::Signature { what });
        }
        if self.kind == Kind::BlockDevice {
            let count = kernel::partitions(meta.rdev());
            if count > 0 {
                return Err(Reason::Partitions { count });
            }
        }
        if self.kind == Kind::File
            && let Some(at) = kernel::bound_at(meta.dev(), meta.ino())
        {
            return Err(Reason::Bound { at });
        }
        let mut see = || {
            see();
            hold.let_go();
        };
        if let Some(at) = content::foreign(&self.file, self.bytes, &mut see).map_err(Reason::System)? {
            return Err(Reason::Content { at });
        }
        // Reading takes its time: what was written behind it was not seen.
        if let Some(reason) = hold.objection() {
            return Err(reason);
        }
        // Last: what holds something is named before anybody is asked to overrule this.
        if blind {
            return Err(Reason::Unseen);
        }
        match self.hidden(&meta) {
            Some(within) => Err(Reason::Hidden { within }),
            None => Ok(hold),
        }
    }
}

/// File or block device, before anything is opened: an open alone rewinds a tape.
fn kind_of(path: &Path) -> Result<Kind, Reason> {
    let meta = std::fs::metadata(path).map_err(Reason::System)?;
    let kind = meta.file_type();
    if kind.is_file() {
        Ok(Kind::File)
    } else if kind.is_block_device() {
        Ok(Kind::BlockDevice)
    } else {
        Err(Reason::NotStorage { what: other_kind(FileType::from_raw_mode(meta.mode())) })
    }
}

fn other_kind(kind: FileType) -> &'static str {
    match kind {
        FileType::Directory => "a directory",
        FileType::CharacterDevice => "a character device",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        _ => "neither a file nor a device",
    }
}

fn raw_device(path: &Path, kind: Kind) -> Option<u64> {
    (kind == Kind::BlockDevice).then(|| std::fs::metadata(path).ok()).flatten().map(|m| m.rdev())
}

/// Opens, and holds what is open against what was found under the name before.
fn open(path: &Path, expected: Kind, flags: OFlags) -> Result<(File, Kind), Reason> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    let begun = Instant::now();
    let opened = loop {
        match rustix::fs::open(path, flags, Mode::empty()) {
            // Who has a lease is asked to let go. Of a process that has just ended the kernel takes it down a little later.
            Err(Errno::AGAIN) if begun.elapsed() < openers::A_MOMENT => {
                std::thread::sleep(openers::A_MOMENT / 10);
            }
            opened => break opened,
        }
    };
    let file = opened.map(File::from).map_err(|e| match e {
        Errno::BUSY | Errno::TXTBSY | Errno::AGAIN => Reason::InUse { by: None },
        Errno::ROFS => Reason::ReadOnly,
        other => system(other),
    })?;
    let kind = file.metadata().map_err(Reason::System)?.file_type();
    let found = if kind.is_file() {
        Kind::File
    } else if kind.is_block_device() {
        Kind::BlockDevice
    } else {
        return Err(Reason::Changed);
    };
    if found == expected { Ok((file, found)) } else { Err(Reason::Changed) }
}

/// Bytes of a file or a device.
fn size(file: &File) -> Result<u64, Reason> {
    let mut file = file;
    file.seek(SeekFrom::End(0)).map_err(Reason::System)
}

fn system(error: Errno) -> Reason {
    Reason::System(error.into())
}

/// Takes a name away, if it still leads to this file: another's that came to stand there stays.
pub(crate) fn remove_name(path: &Path, file: &File) -> bool {
    // The number of a file that is open is nobody else's.
    let own = file.metadata().map(|meta| identity(&meta));
    let there = std::fs::symlink_metadata(path).map(|meta| identity(&meta));
    own.is_ok_and(|own| there.is_ok_and(|there| there == own)) && std::fs::remove_file(path).is_ok()
}

/// When a file was written last, in seconds and nanoseconds.
pub(super) fn written(file: &File) -> Result<(i64, i64), Reason> {
    file.metadata().map(|meta| written_by(&meta)).map_err(Reason::System)
}

fn written_by(meta: &Metadata) -> (i64, i64) {
    (meta.mtime(), meta.mtime_nsec())
}

/// What stays the same while a name leads to the same thing.
fn identity(meta: &Metadata) -> (u64, u64, u64) {
    (meta.dev(), meta.ino(), meta.rdev())
}

fn room_for(folder: &Path, bytes: u64) -> Result<(), Reason> {
    let Room { total, free } = Room::at(folder).map_err(system)?;
    if bytes > free { Err(Reason::NoRoom { asked: bytes, free, total }) } else { Ok(()) }
}
