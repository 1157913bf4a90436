//! Block devices that must not be written to, on loop devices over files of our own.
//!
//! They need root and free loop devices; without them each test says that it is skipped.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_measure::guard::{Kind, Permission, Reason, Refusal, open_to_read, open_to_write};
use spindle_test_support::skipped;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MIB: u64 = 1 << 20;

/// A loop device over a file of zeros; gone when dropped.
struct Loop {
    folder: tempfile::TempDir,
    device: PathBuf,
}

impl Loop {
    fn file(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// `None`, said so, where there can be none.
    fn new(options: &[&str], fill: impl FnOnce(&File)) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disk");
        let file = File::options().create_new(true).read(true).write(true).open(&path).unwrap();
        file.set_len(32 * MIB).unwrap();
        fill(&file);
        drop(file);
        let output = Command::new("losetup").args(options).args(["--find", "--show"]).arg(&path).output();
        match output {
            Ok(Output { status, stdout, .. }) if status.success() => {
                let device = PathBuf::from(String::from_utf8(stdout).unwrap().trim());
                Some(Self { folder, device })
            }
            _ => {
                skipped("no loop device can be set up here (root and losetup are needed)");
                None
            }
        }
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("delpart").arg(&self.device).arg("1").output();
        let _ = Command::new("losetup").arg("-d").arg(&self.device).status();
    }
}

/// Runs a program of the system; `false`, said so, where that is not possible.
fn runs(program: &str, arguments: &[&std::ffi::OsStr]) -> bool {
    let done = Command::new(program).args(arguments).output().is_ok_and(|o| o.status.success());
    if !done {
        skipped(&format!("`{program}` does not run here"));
    }
    done
}

fn refused(path: &Path) -> Refusal {
    refused_with(path, &Permission::none())
}

fn refused_with(path: &Path, permission: &Permission) -> Refusal {
    match open_to_write(path, permission).and_then(spindle_io_measure::guard::WriteTarget::arm) {
        Ok(_) => panic!("{} may be written to", path.display()),
        Err(refusal) => refusal,
    }
}

fn everything(path: &Path) -> Permission {
    Permission::overwriting([path.to_owned()])
}

#[test]
fn an_empty_device_may_be_written_to() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let armed = open_to_write(&disk.device, &Permission::none()).unwrap().arm().unwrap();
    assert_eq!((armed.kind(), armed.bytes()), (Kind::BlockDevice, 32 * MIB));
}

#[test]
fn a_device_with_data_and_no_signature_is_refused() {
    let Some(disk) = Loop::new(&[], |f| f.write_all_at(&[9], 17 * MIB).unwrap()) else { return };
    // One block of 32 MiB may be missed, so look until it is found or as often as misses it once in 10^6.
    let found = (0..100).any(|_| {
        matches!(
            open_to_write(&disk.device, &Permission::none()).map(drop),
            Err(Refusal { reason: Reason::Content { .. }, .. })
        )
    });
    assert!(found);
}

#[test]
fn signatures_of_volumes_and_databases_are_named_and_can_be_overruled() {
    for (magic, offset, what) in [
        (b"ORCLDISK".as_slice(), 32, "Oracle ASM"),
        (b"LABELONE", 512, "LVM"),
        (&[0xfc, 0x4e, 0x2b, 0xa9], 4096, "MD"),
        (b"SWAPSPACE2", 4086, "swap"),
    ] {
        let Some(disk) = Loop::new(&[], |f| f.write_all_at(magic, offset).unwrap()) else { return };
        let refusal = refused(&disk.device);
        assert!(refusal.to_string().contains(what), "{refusal}");
        open_to_write(&disk.device, &everything(&disk.device)).unwrap().arm().unwrap();
    }
}

#[test]
fn an_unmounted_file_system_is_refused() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    if !runs("mkfs.ext4", &["-q".as_ref(), disk.device.as_ref()]) {
        return;
    }
    assert!(matches!(refused(&disk.device).reason, Reason::Signature { what } if what.contains("ext4")));
}

#[test]
fn a_mounted_device_is_refused_by_its_name_and_by_a_link_whatever_is_allowed() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    if !runs("mkfs.ext4", &["-q".as_ref(), disk.device.as_ref()]) {
        return;
    }
    let at = disk.folder.path().join("mount point");
    fs::create_dir(&at).unwrap();
    if !runs("mount", &[disk.device.as_ref(), at.as_ref()]) {
        return;
    }
    let link = disk.folder.path().join("link");
    symlink(&disk.device, &link).unwrap();
    let refusals = [&disk.device, &link].map(|p| refused_with(p, &everything(p)));
    assert!(Command::new("umount").arg(&at).status().unwrap().success());
    for refusal in refusals {
        assert!(matches!(&refusal.reason, Reason::Mounted { at: a, .. } if Path::new(a) == at), "{refusal}");
    }
}

#[test]
fn a_disk_with_a_partition_is_refused_and_for_good_while_that_is_mounted() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    // Known to the kernel alone: not a byte of the disk tells of it.
    let arguments = [disk.device.as_os_str(), "1".as_ref(), "2048".as_ref(), "61440".as_ref()];
    if !runs("addpart", &arguments) {
        return;
    }
    let part = PathBuf::from(format!("{}p1", disk.device.display()));
    if !part.exists() {
        skipped("no device node is made for the partition of a loop device here");
        return;
    }
    assert!(matches!(refused(&disk.device).reason, Reason::Partitions { count: 1 }));
    open_to_write(&part, &Permission::none()).unwrap().arm().unwrap();
    if !runs("mkfs.ext4", &["-q".as_ref(), part.as_ref()]) {
        return;
    }
    let at = disk.folder.path().join("mounted");
    fs::create_dir(&at).unwrap();
    if !runs("mount", &[part.as_ref(), at.as_ref()]) {
        return;
    }
    let refusals = [&disk.device, &part].map(|p| refused_with(p, &everything(p)));
    assert!(Command::new("umount").arg(&at).status().unwrap().success());
    for refusal in refusals {
        assert!(matches!(refusal.reason, Reason::Mounted { .. }), "{refusal}");
    }
}

#[test]
fn a_device_held_by_another_is_refused() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let held = File::options().read(true).custom_flags(O_EXCL).open(&disk.device).unwrap();
    let refusal = refused_with(&disk.device, &everything(&disk.device));
    assert!(matches!(refusal.reason, Reason::InUse { .. }), "{refusal}");
    drop(held);
    open_to_write(&disk.device, &Permission::none()).unwrap();
}

/// As on every Linux.
const O_EXCL: i32 = 0o200;

#[test]
fn what_a_loop_device_stands_on_is_refused() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let refusal = refused_with(&disk.file(), &everything(&disk.file()));
    assert!(
        matches!(&refusal.reason, Reason::LoopBacking { by } if Path::new(by) == disk.device),
        "{refusal}"
    );
}

#[test]
fn a_device_that_can_only_be_read_is_read_and_not_written() {
    let Some(disk) = Loop::new(&["--read-only"], |_| ()) else { return };
    assert!(matches!(refused(&disk.device).reason, Reason::ReadOnly | Reason::System(_)));
    assert_eq!(open_to_read(&disk.device).unwrap().bytes(), 32 * MIB);
}
