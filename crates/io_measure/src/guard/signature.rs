//! What stands on a device that is not empty: file systems, partitions, volumes, databases.
//!
//! A signature only makes the refusal say more: whatever is not empty is refused without one. Magic
//! numbers and offsets are those that libblkid looks for, and Oracle's own.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Where a magic number stands.
#[derive(Clone, Copy, Debug)]
enum At {
    Start(u64),
    End(u64),
}
use At::{End, Start};

/// Name, place, magic number.
const SIGNATURES: &[(&str, At, &[u8])] = &[
    ("an Oracle ASM disk", Start(32), b"ORCLDISK"),
    ("an ext2, ext3 or ext4 file system", Start(0x438), &[0x53, 0xef]),
    ("an XFS file system", Start(0), b"XFSB"),
    ("a Btrfs file system", Start(0x1_0040), b"_BHRfS_M"),
    ("an F2FS file system", Start(1024), &[0x10, 0x20, 0xf5, 0xf2]),
    ("an OCFS2 file system", Start(0x800), b"OCFSV2"),
    ("an OCFS2 file system", Start(0x1000), b"OCFSV2"),
    ("an OCFS2 file system", Start(0x2000), b"OCFSV2"),
    ("a GFS2 file system", Start(0x1_0000), &[0x01, 0x16, 0x19, 0x70]),
    ("a JFS file system", Start(0x8000), b"JFS1"),
    ("a ReiserFS file system", Start(0x1_0034), b"ReIsEr"),
    ("an NTFS file system", Start(3), b"NTFS    "),
    ("a FAT file system", Start(0x52), b"FAT32   "),
    ("a FAT file system", Start(0x36), b"FAT1"),
    ("an exFAT file system", Start(3), b"EXFAT   "),
    ("an ISO 9660 file system", Start(0x8001), b"CD001"),
    ("a SquashFS file system", Start(0), b"hsqs"),
    ("a VMFS volume", Start(0x20_0000), &[0x5e, 0xf1, 0xab, 0x2f]),
    ("a swap area", Start(4096 - 10), b"SWAPSPACE2"),
    ("a swap area", Start(65_536 - 10), b"SWAPSPACE2"),
    ("a swap area", Start(4096 - 10), b"SWAP-SPACE"),
    ("an LVM physical volume", Start(0), b"LABELONE"),
    ("an LVM physical volume", Start(512), b"LABELONE"),
    ("an LVM physical volume", Start(1024), b"LABELONE"),
    ("an LVM physical volume", Start(1536), b"LABELONE"),
    ("a member of an MD array", Start(0), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("a member of an MD array", Start(4096), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("a member of an MD array", End(8192), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("a member of an MD array", End(65_536), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("an encrypted (LUKS) volume", Start(0), b"LUKS\xba\xbe"),
    ("a ZFS pool", Start(0x2_0000), &[0x0c, 0xb1, 0xba, 0x00]),
    ("a Ceph device", Start(0), b"bluestore block device"),
    ("a bcache device", Start(4096 + 24), &[0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca]),
    ("a GPT partition table", Start(512), b"EFI PART"),
    ("a GPT partition table", Start(4096), b"EFI PART"),
    ("a GPT partition table", End(512), b"EFI PART"),
    ("a GPT partition table", End(4096), b"EFI PART"),
    ("a partition table or boot record", Start(510), &[0x55, 0xaa]),
    ("an Oracle data file", Start(0), &[0x00, 0xa2]),
    ("an Oracle redo log", Start(0), &[0x00, 0x22]),
    ("an Oracle control file", Start(0), &[0x00, 0xc2]),
];

/// The first of the signatures found, as a noun with its article.
pub(super) fn find(file: &File, bytes: u64) -> Option<&'static str> {
    SIGNATURES
        .iter()
        .find(|(_, at, magic)| stands_at(file, bytes, *at, magic))
        .map(|s| s.0)
        .or_else(|| md_1_0(file, bytes))
}

/// MD metadata 1.0 stands 8 to 12 KiB before the end, on a multiple of 4 KiB.
fn md_1_0(file: &File, bytes: u64) -> Option<&'static str> {
    let at = (bytes / 512).checked_sub(16)? / 8 * 8 * 512;
    stands_at(file, bytes, Start(at), &[0xfc, 0x4e, 0x2b, 0xa9]).then_some("a member of an MD array")
}

fn stands_at(file: &File, bytes: u64, at: At, magic: &[u8]) -> bool {
    let offset = match at {
        Start(offset) => Some(offset),
        End(before) => bytes.checked_sub(before),
    };
    let mut found = [0; 32];
    let found = &mut found[..magic.len()];
    let within = |o: &u64| o + magic.len() as u64 <= bytes;
    offset.filter(within).is_some_and(|o| file.read_exact_at(found, o).is_ok() && found == magic)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{End, SIGNATURES, Start, find};
    use std::os::unix::fs::FileExt;

    #[test]
    fn every_signature_is_found_where_it_stands_and_named() {
        for (name, at, magic) in SIGNATURES {
            let file = tempfile::tempfile().unwrap();
            let bytes = 4 << 20;
            file.set_len(bytes).unwrap();
            assert_eq!(find(&file, bytes), None);
            let offset = match at {
                Start(offset) => *offset,
                End(before) => bytes - before,
            };
            file.write_all_at(magic, offset).unwrap();
            assert_eq!(find(&file, bytes), Some(*name), "{at:?}");
        }
    }

    #[test]
    fn a_device_shorter_than_a_place_is_looked_at_as_far_as_it_goes() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"LABELONE", 512).unwrap();
        assert_eq!(find(&file, 520), Some("an LVM physical volume"));
        assert_eq!(find(&file, 100), None);
    }
}
