//! What may be written to, and what may not.
//!
//! A device holds someone's data, and the tools of the trade have destroyed it: written through a
//! link to a mounted disk, over an unmounted file system, over an ordinary file. So:
//!
//! - Reading needs nothing. [`open_to_read`] opens without any right to write.
//! - Writing needs a [`WriteTarget`], and that comes from two calls only. [`create`] makes a new file
//!   of our own. [`open_to_write`] takes what is there if nobody uses it and nothing is on it that we
//!   did not write.
//! - Even then no byte is written before [`WriteTarget::arm`], which looks at everything again.
//!   Trimming, allocating, preconditioning and replaying are writing.
//!
//! Everything is judged by the open descriptor that is written to later, never by a name: links lead
//! to the same device and inode, and a name that changes hands in between changes nothing. Block
//! devices are opened exclusively (`O_EXCL`), so that the kernel refuses what it has mounted, swaps
//! to, or has given to LVM, MD or multipath; nothing is ever opened with `O_TRUNC`.
//!
//! `O_EXCL` finds mounts and layers, not a process that opened a device plainly, as databases and virtual machines
//! do: so what processes have open is looked through, and of a file the kernel is asked by a lease. Where neither
//! tells of other users and containers, an owner has to say that it is free, as for what holds something. The lease is
//! kept until the file is closed ([`hold`]): who opens the file is held up, and what writes to it ends first.
//!
//! A file of an overlay, of FUSE or of another host stands for a file elsewhere, whose holders nothing here leads to:
//! there too an owner has to say that it is free.
//!
//! What is written to a loop device changes what it stands on, and so every other loop device there: the
//! rules hold for what stands below, down to the last.
//!
//! No signature is no proof of emptiness. What is small, and what is written of a file with holes where that is
//! not much, is read whole; of more, the first and the last MiB and a thousand blocks between. All of it has to
//! be zero or carry the [`marker`] that every block of ours begins with.
//!
//! What is in use is refused whatever is asked. What merely holds something, an old file system say,
//! is given free by [`Permission::overwriting`], which a command line has to name path by path.

mod content;
mod hidden;
mod hold;
mod kernel;
pub mod marker;
mod openers;
mod refusal;
mod room;
mod signature;
mod target;

pub(crate) use hold::Hold;
pub(crate) use kernel::settings_refused;
pub use openers::sees_all_processes;
pub use refusal::{Reason, Refusal};
pub(crate) use target::remove_name;
pub use target::{
    Armed, Kind, Permission, ReadTarget, WriteTarget, create, open_to_read, open_to_write, open_to_write_seen,
};
