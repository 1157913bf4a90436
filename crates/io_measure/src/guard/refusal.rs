//! Why something is not written to, or not opened at all.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A path that was not opened, and why.
#[derive(Debug)]
pub struct Refusal {
    /// As it was given.
    pub path: PathBuf,
    /// What speaks against it.
    pub reason: Reason,
}

/// What speaks against writing to something, or opening it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Neither an ordinary file nor a block device.
    NotStorage {
        /// A directory, a character device, ...
        what: &'static str,
    },
    /// Mounted, or part of what is mounted.
    Mounted {
        /// The device of those at hand that is.
        device: String,
        /// Where.
        at: String,
    },
    /// The system swaps to it.
    Swap {
        /// Device or file as the system names it.
        device: String,
    },
    /// LVM, MD, multipath or another layer stands on it.
    Held {
        /// The device that is held.
        device: String,
        /// By whom.
        by: String,
    },
    /// A loop device stands on it.
    LoopBacking {
        /// The loop device.
        by: String,
    },
    /// A process has it open, or the kernel does not give it exclusively.
    InUse {
        /// The process where it could be found.
        by: Option<String>,
    },
    /// This process has it open already, or a disk or partition of it.
    OpenHere,
    /// Nothing speaks of anybody, but not all processes can be looked at.
    Unseen,
    /// It stands for a file elsewhere, and who has that one open cannot be seen.
    Hidden {
        /// What it lies in, with its article.
        within: &'static str,
    },
    /// It has other names too, so that somebody else may count on it.
    HardLinks {
        /// How many names.
        names: u64,
    },
    /// It is mounted by itself, so that somebody else may know it by that name.
    Bound {
        /// Where.
        at: String,
    },
    /// It may be read only.
    ReadOnly,
    /// It has no bytes.
    Empty,
    /// It holds something that we know.
    Signature {
        /// With its article.
        what: &'static str,
    },
    /// It has partitions.
    Partitions {
        /// How many.
        count: usize,
    },
    /// It holds something that we did not write.
    Content {
        /// Where the first of it was found, bytes.
        at: u64,
    },
    /// A file of that name is there already.
    Exists,
    /// A folder of that name is there: there is nothing to create.
    IsFolder,
    /// The file system would be left with too little.
    NoRoom {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that may be had.
        free: u64,
        /// Bytes of the file system.
        total: u64,
    },
    /// Filling its holes would leave the file system with too little.
    Holes {
        /// Bytes of it that are not allocated.
        holes: u64,
        /// Bytes that may be had.
        free: u64,
        /// Bytes of the file system.
        total: u64,
    },
    /// Something speaks against writing to what it stands on.
    Below {
        /// The file or device.
        on: String,
        /// What.
        reason: Box<Reason>,
    },
    /// What a loop device stands on could not be found out.
    Unknown,
    /// Between the first look and the first write the name has come to lead elsewhere, or nowhere.
    Changed,
    /// Somebody opened it between the first look and a write, or would have.
    Wanted,
    /// Somebody wrote to it between the first look and the first write.
    Written,
    /// The operating system said no.
    System(io::Error),
}

impl Reason {
    /// May a command line that names the path overrule this? Never where it is in use.
    #[must_use]
    pub fn can_be_overruled(&self) -> bool {
        matches!(
            self,
            Self::Signature { .. }
                | Self::Partitions { .. }
                | Self::Content { .. }
                | Self::Unseen
                | Self::Hidden { .. }
                | Self::Bound { .. }
        )
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not written to: {}", self.path.display(), self.reason)?;
        if self.reason.can_be_overruled() {
            write!(f, " If all of it may be lost, say so with `--overwrite {}`.", self.path.display())?;
        }
        Ok(())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStorage { what } => write!(f, "it is {what}. Name a file or a block device."),
            Self::Mounted { device, at } => {
                write!(f, "{device} is mounted at {at}. Name a device that nobody uses, or a new file.")
            }
            Self::Swap { device } => write!(f, "the system swaps to {device}. Name another device."),
            Self::Held { device, by } => {
                write!(f, "{device} belongs to {by}. Name that device, or one that is free.")
            }
            Self::LoopBacking { by } => write!(f, "{by} stands on it. Measure {by}, or detach it first."),
            Self::InUse { by: Some(by) } => write!(f, "{by} has it open. End that first, or name another."),
            Self::InUse { by: None } => {
                f.write_str("the system or a process holds it. Find out who (lsblk, fuser), or name another.")
            }
            Self::OpenHere => f.write_str(
                "this command has it open already: it, or its disk or a part of it, is named twice. Name each once.",
            ),
            Self::Unseen => f.write_str(
                "whether another user's process, or one in another container, has it open cannot be seen from here. \
                 Ask as root of the machine.",
            ),
            Self::Hidden { within } => write!(
                f,
                "it lies in {within}, where it stands for a file elsewhere: whether somebody has that one open cannot be \
                 seen from here. Name a new file, or one outside of it."
            ),
            Self::HardLinks { names } => {
                write!(f, "the file has {names} names, so others may count on it. Name a file with one.")
            }
            Self::Bound { at } => write!(
                f,
                "the file is mounted by itself at {at} (mount --bind), as containers have files of others. Name one that \
                 is not, or a new file."
            ),
            Self::ReadOnly => f.write_str("it can only be read. Measure reads, or name another."),
            Self::Empty => f.write_str("it has no bytes. Name a new file, with its size."),
            Self::Signature { what } => write!(f, "it holds {what}."),
            Self::Partitions { count: 1 } => f.write_str("it has a partition."),
            Self::Partitions { count } => write!(f, "it has {count} partitions."),
            Self::Content { at } => {
                write!(f, "it holds something that was not written by spindle (first seen at byte {at}).")
            }
            Self::IsFolder => {
                f.write_str("it is a folder. Name a file within it that is not there yet.")
            }
            Self::Exists => {
                f.write_str("a file of that name is there already. Name a new one, or leave the size out.")
            }
            // ramfs counts nothing, and takes what memory there is until the machine has none.
            Self::NoRoom { total: 0, .. } => f.write_str(
                "its file system does not say how much room it has, as those in memory (ramfs), so nothing could stay free. \
                 Name a place on another file system.",
            ),
            Self::NoRoom { asked, free, total } => write!(
                f,
                "{asked} bytes are asked for and {free} may be had, since 5 % of the file system ({total} bytes) \
                 stay free. Ask for less, or name a place on another file system."
            ),
            Self::Holes { holes, free, total } => write!(
                f,
                "{holes} bytes of it have no place in the file system yet, and {free} may be had, since 5 % of its \
                 {total} bytes stay free. Name a smaller file, or one on another file system."
            ),
            Self::Below { on, reason } => write!(f, "it stands on `{on}`, and of that: {reason}"),
            Self::Unknown => f.write_str(
                "what it is and who uses it cannot be found out here. Detach the loop device, or name another.",
            ),
            Self::Changed => f.write_str(
                "the name leads elsewhere than a moment ago. Look who moves it, then begin again.",
            ),
            Self::Wanted => f.write_str(
                "another program opened it meanwhile, or tried to. Look who uses it, or name another.",
            ),
            Self::Written => f.write_str(
                "somebody wrote to it while it was looked at, and nothing of that was written over. Look who uses it, or \
                 name another.",
            ),
            Self::System(error) => write!(f, "the system says: {error}."),
        }
    }
}

impl std::error::Error for Refusal {}
