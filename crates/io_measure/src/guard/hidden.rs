//! File systems whose files stand for files elsewhere: in a layer below, behind a server in user space, on another host.
//!
//! Who has such a file open under that other name has another inode open, which neither a lease nor `/proc` leads to.

use rustix::fs::{fstatfs, major, minor};
use std::fs::{self, File};

/// By the numbers that `statfs(2)` gives. Source: `linux/magic.h`, and the file systems' own headers.
const KINDS: [(u32, &str); 23] = [
    (0x794c_7630, "an overlay (as containers use)"),
    (FUSE, "a FUSE file system"),
    (0xf15f, "an ecryptfs file system"),
    (0x6175_6673, "an aufs union"),
    (0x6969, "an NFS file system"),
    (0xff53_4d42, "a CIFS file system"),
    (0xfe53_4d42, "an SMB file system"),
    (0x0102_1997, "a 9p file system"),
    (0x00c3_6400, "a Ceph file system"),
    (0x7461_636f, "an OCFS2 file system"),
    (0x0116_1970, "a GFS2 file system"),
    (0x0bd0_0bd0, "a Lustre file system"),
    (0x6163_6673, "an ACFS file system"),
    (0x4750_4653, "a GPFS file system"),
    (0xa501_fcf5, "a VxFS file system"),
    (0x1983_0326, "a BeeGFS file system"),
    (0xaad7_aaea, "a PanFS file system"),
    (0xbeef_dead, "a StorNext file system"),
    (0x7375_7245, "a Coda file system"),
    (0x5346_414f, "an AFS file system"),
    (0x786f_4256, "a shared folder of VirtualBox"),
    (0xbacb_acbc, "a shared folder of VMware"),
    (0x7c7c_6673, "a shared folder of Parallels"),
];
const FUSE: u32 = 0x6573_5546;

/// What a file lies in, where that hides who holds it, or does not say what it is. An emulated device of ours hides
/// nobody: it keeps its content itself.
pub(super) fn within(file: &File, device: u64) -> Option<&'static str> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number has 32 bits")]
    let Ok(kind) = fstatfs(file).map(|s| s.f_type as u32) else {
        return Some("a file system that does not say what it is");
    };
    let (kind, name) = KINDS.into_iter().find(|(number, _)| *number == kind)?;
    (kind != FUSE || !is_emulation(device)).then_some(name)
}

fn is_emulation(device: u64) -> bool {
    let number = format!("{}:{}", major(device), minor(device));
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    spindle_mount_table::mounts(&table).any(|mount| mount.number == number && mount.is_emulation())
}
