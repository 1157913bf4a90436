//! Block devices that must not be written to, on loop devices over files of our own.
//!
//! They need root and free loop devices; without them each test says that it is skipped.
#![allow(clippy::unwrap_used, missing_docs)]

use spindle_io_measure::guard::{
    Kind, Permission, Reason, Refusal, WriteTarget, open_to_read, open_to_write, sees_all_processes,
};
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
        if !sees_all_processes() {
            skipped("not all processes are seen here (root outside of containers is needed)");
            return None;
        }
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

/// Opens what nobody holds: a program that another test starts holds for a moment, until it is loaded, all that is
/// open here.
fn free(path: &Path, permission: &Permission) -> Result<WriteTarget, Refusal> {
    for _ in 0..6 {
        match open_to_write(path, permission) {
            Err(Refusal { reason: Reason::InUse { .. } | Reason::Below { .. }, .. }) => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            opened => return opened,
        }
    }
    open_to_write(path, permission)
}

fn refused(path: &Path) -> Refusal {
    refused_with(path, &Permission::none())
}

fn refused_with(path: &Path, permission: &Permission) -> Refusal {
    match free(path, permission).and_then(WriteTarget::arm) {
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
    let armed = free(&disk.device, &Permission::none()).unwrap().arm().unwrap();
    assert_eq!((armed.kind(), armed.bytes()), (Kind::BlockDevice, 32 * MIB));
}

#[test]
fn a_device_with_data_and_no_signature_is_refused() {
    let Some(disk) = Loop::new(&[], |f| f.write_all_at(&[9], 17 * MIB).unwrap()) else { return };
    assert!(matches!(refused(&disk.device).reason, Reason::Content { at } if at == 17 * MIB));
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
        free(&disk.device, &everything(&disk.device)).unwrap().arm().unwrap();
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
    free(&part, &Permission::none()).unwrap().arm().unwrap();
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
    assert!(matches!(refusal.reason, Reason::OpenHere), "{refusal}");
    drop(held);
    soon(|| open_to_write(&disk.device, &Permission::none()).is_ok());
}

/// A process that has something open, plainly, until it is dropped.
struct Holder(std::process::Child);

impl Holder {
    fn of(path: &Path, writes: bool) -> Self {
        let file = File::options().read(true).write(writes).open(path).unwrap();
        Self(Command::new("sleep").arg("60").stdin(file).spawn().unwrap())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_device_that_a_process_had_plainly_open_was_written_to() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    for writes in [false, true] {
        let holder = Holder::of(&disk.device, writes);
        let wanted = format!("process {} (sleep)", holder.0.id());
        let refusal = refused_with(&disk.device, &everything(&disk.device));
        assert!(matches!(&refusal.reason, Reason::InUse { by: Some(by) } if *by == wanted), "{refusal}");
        assert!(!refusal.to_string().contains("--overwrite"), "{refusal}");
        drop(holder);
        free(&disk.device, &Permission::none()).unwrap().arm().unwrap();
    }
    // Opened between the first look and the first write.
    let target = free(&disk.device, &Permission::none()).unwrap();
    let holder = Holder::of(&disk.device, true);
    assert!(matches!(target.arm().unwrap_err().reason, Reason::InUse { by: Some(_) }));
    drop(holder);
    // Through a loop device over it.
    let Some(second) = Second::over(&disk.device, &[]) else { return };
    let _holder = Holder::of(&disk.device, false);
    second.is_refused_for("(sleep) has it open");
}

/// What the first thread of a process has open is not shown once it has ended, nor what another has for itself.
#[test]
fn a_device_that_a_thread_of_its_own_has_open_was_written_to() {
    const PROGRAM: &str = "\
import ctypes, os, sys, threading, time
CLONE_FILES, SYS_exit = 0x400, 60
libc = ctypes.CDLL(None)
def hold():
    libc.unshare(CLONE_FILES)
    os.open(sys.argv[1], os.O_RDWR)
    print(flush=True)
    time.sleep(60)
threading.Thread(target=hold).start()
if sys.argv[2] == 'ended':
    libc.syscall(SYS_exit, 0)
";
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    for first in ["ended", "alive"] {
        let mut command = Command::new("python3");
        command.args(["-c", PROGRAM]).arg(&disk.device).arg(first).stdout(std::process::Stdio::piped());
        let Ok(mut child) = command.spawn() else { return skipped("there is no python3 here") };
        let mut told = [0];
        let ready = std::io::Read::read(child.stdout.as_mut().unwrap(), &mut told).unwrap_or(0) == 1;
        let holder = Holder(child);
        if !ready {
            return skipped("python3 here calls no `unshare`");
        }
        let refusal = refused_with(&disk.device, &everything(&disk.device));
        let wanted = format!("process {} (", holder.0.id());
        assert!(
            matches!(&refusal.reason, Reason::InUse { by: Some(by) } if by.starts_with(&wanted)),
            "{first}: {refusal}"
        );
    }
}

#[test]
fn a_device_that_the_system_looks_at_for_a_moment_is_waited_for() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let file = File::open(&disk.device).unwrap();
    let mut short = Command::new("sleep").arg("0.1").stdin(file).spawn().unwrap();
    let opened = open_to_write(&disk.device, &Permission::none());
    short.wait().unwrap();
    assert!(
        !matches!(&opened, Err(Refusal { reason: Reason::InUse { by: Some(by) }, .. }) if by.contains("sleep"))
    );
}

#[test]
fn settings_of_a_disk_that_another_holds_were_changed() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let target = spindle_io_measure::Target::reading("disk", open_to_read(&disk.device).unwrap());
    let journals = tempfile::tempdir().unwrap();
    let held = File::options().read(true).custom_flags(O_EXCL).open(&disk.device).unwrap();
    let refusal = spindle_io_measure::Settings::take_down(&[target], journals.path()).map(drop).unwrap_err();
    drop(held);
    assert!(refusal.contains("holds it"), "{refusal}");
    assert_eq!(fs::read_dir(journals.path()).unwrap().count(), 0);
}

#[test]
fn every_scan_had_the_read_ahead_that_was_in_force_when_the_file_was_opened() {
    let Some(disk) = Loop::new(&[], |f| f.write_all_at(&vec![7; 8 * MIB as usize], 0).unwrap()) else {
        return;
    };
    let target = spindle_io_measure::Target::reading("disk", open_to_read(&disk.device).unwrap());
    let targets = [target];
    let stat = Path::new("/sys/block").join(disk.device.file_name().unwrap()).join("stat");
    let reads =
        || -> u64 { fs::read_to_string(&stat).unwrap().split_whitespace().next().unwrap().parse().unwrap() };
    let journals = tempfile::tempdir().unwrap();
    let settings = match spindle_io_measure::Settings::take_down(&targets, journals.path()) {
        Ok(settings) => settings,
        Err(why) => return skipped(&why),
    };
    let requests = |kib: &str| {
        settings.change(spindle_io_measure::Which::ReadAhead, kib).unwrap();
        let scan = spindle_workload::Scan {
            degree: 1,
            under_way: 1,
            multiblock_bytes: 8_192,
            granule_bytes: 32 * MIB,
        };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let how = spindle_io_measure::How::default();
        let mut watch = spindle_io_measure::Watch::stopping(&stop);
        let before = reads();
        let result = spindle_io_measure::run_scan(&scan, &targets, &how, &mut watch).unwrap();
        assert_eq!(result.streams[0].bytes, Some(32 * MIB));
        reads() - before
    };
    let (none, some, much) = (requests("0"), requests("64"), requests("1024"));
    let _ = settings.put_back();
    // 32 MiB by pages, by 64 KiB, by 1 MiB.
    assert!(none >= 8_000 && (400..=1_000).contains(&some) && much <= 400, "{none} {some} {much}");
}

/// A program that another test starts at that moment has what is open here until it is another program.
#[track_caller]
fn soon(what: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !what() {
        assert!(begun.elapsed().as_secs() < 60, "it never came true");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
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

/// A partition that the kernel alone knows; `None`, said so, where there can be none.
fn partition(disk: &Loop) -> Option<PathBuf> {
    let arguments = [disk.device.as_os_str(), "1".as_ref(), "2048".as_ref(), "61440".as_ref()];
    let part = PathBuf::from(format!("{}p1", disk.device.display()));
    if !runs("addpart", &arguments) {
        return None;
    }
    if !part.exists() {
        skipped("no device node is made for the partition of a loop device here");
        return None;
    }
    Some(part)
}

#[test]
fn a_partition_of_a_held_disk_is_refused_and_so_is_the_disk_of_a_held_partition() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let Some(part) = partition(&disk) else { return };
    for (held, wanted) in [(&disk.device, &part), (&part, &disk.device)] {
        let by = File::options().read(true).custom_flags(O_EXCL).open(held).unwrap();
        let refusal = refused_with(wanted, &everything(wanted));
        assert!(matches!(refusal.reason, Reason::OpenHere), "{refusal}");
        drop(by);
        soon(|| open_to_write(&part, &Permission::none()).is_ok());
    }
}

#[test]
fn what_we_are_about_to_write_to_nobody_else_takes_meanwhile() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    if !runs("mkfs.ext4", &["-q".as_ref(), disk.device.as_ref()]) {
        return;
    }
    let target = free(&disk.device, &everything(&disk.device)).unwrap();
    let at = disk.folder.path().join("at");
    fs::create_dir(&at).unwrap();
    let taken = |program: &str, arguments: &[&std::ffi::OsStr]| {
        Command::new(program).args(arguments).output().is_ok_and(|o| o.status.success())
    };
    assert!(!taken("mount", &[disk.device.as_ref(), at.as_ref()]));
    assert!(File::options().read(true).custom_flags(O_EXCL).open(&disk.device).is_err());
    // Nor once it may be written to.
    let armed = target.arm().unwrap();
    assert!(!taken("mount", &[disk.device.as_ref(), at.as_ref()]));
    drop(armed);
    soon(|| taken("mount", &[disk.device.as_ref(), at.as_ref()]));
    assert!(taken("umount", &[at.as_ref()]));
}

#[test]
fn a_device_that_another_stands_on_is_refused_through_any_chain_of_links() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let output = Command::new("losetup").args(["--find", "--show"]).arg(&disk.device).output().unwrap();
    if !output.status.success() {
        return skipped("no loop device stands on another here");
    }
    let upper = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    let chain: Vec<PathBuf> = (0..5).map(|n| disk.folder.path().join(format!("link {n}"))).collect();
    symlink(&disk.device, &chain[0]).unwrap();
    for pair in chain.windows(2) {
        symlink(&pair[0], &pair[1]).unwrap();
    }
    let refusals = [&disk.device, &chain[4]].map(|p| refused_with(p, &everything(p)));
    let free = open_to_write(&upper, &Permission::none()).map(drop);
    assert!(Command::new("losetup").arg("-d").arg(&upper).status().unwrap().success());
    for refusal in refusals {
        let by = |by: &str| Path::new(by) == upper;
        assert!(
            matches!(&refusal.reason, Reason::LoopBacking { by: b } if by(b))
                || matches!(refusal.reason, Reason::InUse { .. }),
            "{refusal}"
        );
    }
    assert!(free.is_ok(), "{free:?}");
}

/// One more loop device over something; gone when dropped.
struct Second(PathBuf);

impl Second {
    fn over(below: &Path, options: &[&str]) -> Option<Self> {
        let output = Command::new("losetup").args(options).args(["--find", "--show"]).arg(below).output();
        let Some(output) = output.ok().filter(|o| o.status.success()) else {
            skipped("no second loop device can be set up here");
            return None;
        };
        Some(Self(PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())))
    }

    /// Refused whatever is allowed, for a reason below that is in these words.
    fn is_refused_for(&self, what: &str) {
        let refusal = refused_with(&self.0, &everything(&self.0));
        assert!(matches!(refusal.reason, Reason::Below { .. }), "{refusal}");
        assert!(
            refusal.to_string().contains(what) && !refusal.to_string().contains("--overwrite"),
            "{refusal}"
        );
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = Command::new("losetup").arg("-d").arg(&self.0).status();
    }
}

#[test]
fn a_mounted_file_system_was_written_to_through_another_loop_device_over_its_file() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let at = tempfile::tempdir().unwrap();
    if !runs("mkfs.ext4", &["-q".as_ref(), disk.device.as_ref()])
        || !runs("mount", &[disk.device.as_ref(), at.path().as_ref()])
    {
        return;
    }
    let file = disk.file();
    let seconds = [
        Second::over(&file, &[]),
        // A part of it that is empty.
        Second::over(&file, &["-o", "16777216", "--sizelimit", "4194304"]),
        Second::over(&disk.device, &[]),
        Second::over(&disk.device, &["-o", "8388608"]),
    ];
    let judged = std::panic::catch_unwind(|| {
        for second in seconds.iter().flatten() {
            second.is_refused_for("/dev/loop");
        }
    });
    drop(seconds);
    assert!(Command::new("umount").arg(at.path()).status().unwrap().success());
    judged.unwrap();
}

#[test]
fn a_loop_device_hid_that_its_file_is_open_or_has_other_names_or_another_loop_device() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let device = Second(disk.device.clone());
    let mut child = Command::new("sleep").arg("60").stdin(File::open(disk.file()).unwrap()).spawn().unwrap();
    let judged = std::panic::catch_unwind(|| device.is_refused_for("sleep"));
    child.kill().unwrap();
    child.wait().unwrap();
    judged.unwrap();
    let other = disk.folder.path().join("other name");
    fs::hard_link(disk.file(), &other).unwrap();
    device.is_refused_for("2 names");
    fs::remove_file(&other).unwrap();
    free(&disk.device, &Permission::none()).unwrap().arm().unwrap();
    let Some(second) = Second::over(&disk.file(), &[]) else { return };
    device.is_refused_for(&second.0.display().to_string());
    // Nor is it forgotten when the file has lost its name.
    fs::remove_file(disk.file()).unwrap();
    device.is_refused_for(&second.0.display().to_string());
    drop(second);
    device.is_refused_for("cannot be found out");
    std::mem::forget(device);
}

#[test]
fn holes_of_a_file_were_filled_until_its_file_system_was_full() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let at = tempfile::tempdir().unwrap();
    if !runs("mkfs.ext4", &["-q".as_ref(), disk.device.as_ref()])
        || !runs("mount", &[disk.device.as_ref(), at.path().as_ref()])
    {
        return;
    }
    let path = at.path().join("sparse");
    let judged = std::panic::catch_unwind(|| {
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        let refusal = refused_with(&path, &everything(&path));
        assert!(matches!(refusal.reason, Reason::Holes { .. }), "{refusal}");
        if let Some(second) = Second::over(&path, &[]) {
            second.is_refused_for("no place in the file system");
        }
        File::options().write(true).open(&path).unwrap().set_len(MIB).unwrap();
        free(&path, &Permission::none()).unwrap().arm().unwrap();
    });
    assert!(Command::new("umount").arg(at.path()).status().unwrap().success());
    judged.unwrap();
}

#[test]
fn a_file_under_a_loop_device_whose_name_ended_in_a_blank_was_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk \n");
    File::create(&path).unwrap().set_len(4 * MIB).unwrap();
    let output = Command::new("losetup").args(["--find", "--show"]).arg(&path).output();
    let Some(device) = output.ok().filter(|o| o.status.success()) else {
        return skipped("no loop device can be set up here (root and losetup are needed)");
    };
    let device = String::from_utf8(device.stdout).unwrap().trim().to_owned();
    let refusal = refused_with(&path, &everything(&path));
    assert!(Command::new("losetup").args(["-d", &device]).status().unwrap().success());
    assert!(matches!(&refusal.reason, Reason::LoopBacking { by } if *by == device), "{refusal}");
}

#[test]
fn what_a_loop_device_stands_on_is_refused_over_a_bind_mount() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let other = tempfile::tempdir().unwrap();
    if !runs("mount", &["--bind".as_ref(), disk.folder.path().as_ref(), other.path().as_ref()]) {
        return;
    }
    let path = other.path().join("disk");
    let refusal = refused_with(&path, &everything(&path));
    assert!(Command::new("umount").arg(other.path()).status().unwrap().success());
    assert!(
        matches!(&refusal.reason, Reason::LoopBacking { by } if Path::new(by) == disk.device),
        "{refusal}"
    );
}

/// Over the folder of the first device's file something is mounted: its name leads to another file.
#[test]
fn a_loop_device_whose_name_leads_elsewhere_hid_that_another_stands_on_the_same_file() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let (folder, other) = (disk.folder.path(), tempfile::tempdir().unwrap());
    if !runs("mount", &["--bind".as_ref(), folder.as_ref(), other.path().as_ref()]) {
        return;
    }
    let over = ["-t", "tmpfs", "none"].map(std::ffi::OsStr::new);
    let second = Second::over(&other.path().join("disk"), &[]);
    let covered = runs("mount", &[over[0], over[1], over[2], folder.as_ref()]);
    let judged = std::panic::catch_unwind(|| {
        if let (Some(second), true) = (&second, covered) {
            File::create(disk.file()).unwrap().set_len(MIB).unwrap();
            second.is_refused_for(&format!("{}, another loop device", disk.device.display()));
        }
    });
    drop(second);
    if covered {
        assert!(Command::new("umount").arg(folder).status().unwrap().success());
    }
    assert!(Command::new("umount").arg(other.path()).status().unwrap().success());
    judged.unwrap();
}

#[test]
fn what_the_system_swaps_to_is_refused_file_or_device() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("swap");
    // Swap takes no file with holes.
    fs::write(&file, vec![0; 2 * MIB as usize]).unwrap();
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    for path in [&disk.device, &file] {
        if !runs("mkswap", &["-q".as_ref(), path.as_ref()]) || !runs("swapon", &[path.as_ref()]) {
            continue;
        }
        let refusal = refused_with(path, &everything(path));
        assert!(Command::new("swapoff").arg(path).status().unwrap().success());
        assert!(matches!(refusal.reason, Reason::Swap { .. }), "{refusal}");
        // Afterwards it merely holds a signature.
        assert!(matches!(refused(path).reason, Reason::Signature { what } if what.contains("swap")));
    }
}

#[test]
fn a_file_that_a_process_has_only_in_its_memory_was_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    let libraries = [
        "/lib/x86_64-linux-gnu/libm.so.6",
        "/lib64/libm.so.6",
        "/usr/lib/libm.so.6",
        "/lib/aarch64-linux-gnu/libm.so.6",
    ];
    let Some(library) = libraries.iter().find(|l| Path::new(l).exists()) else {
        return skipped("no library is found that a process could map");
    };
    fs::copy(library, &path).unwrap();
    let mut child = Command::new("sleep").arg("60").env("LD_PRELOAD", &path).spawn().unwrap();
    let maps = format!("/proc/{}/maps", child.id());
    let begun = std::time::Instant::now();
    while !fs::read_to_string(&maps).unwrap_or_default().contains("library.so") {
        assert!(begun.elapsed().as_secs() < 60, "it is never mapped");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let refusal = refused_with(&path, &everything(&path));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(&refusal.reason, Reason::InUse { by: Some(by) } if by.contains("sleep")), "{refusal}");
    free(&path, &everything(&path)).unwrap().arm().unwrap();
}

#[test]
fn a_device_whose_file_is_cut_under_it_fails_and_is_not_measured_on() {
    let Some(disk) = Loop::new(&[], |_| ()) else { return };
    let target =
        spindle_io_measure::Target::reading("disk", open_to_read(&disk.device).unwrap()).direct().unwrap();
    File::options().write(true).open(disk.file()).unwrap().set_len(MIB).unwrap();
    let stream = spindle_workload::Stream {
        name: "s".into(),
        read_pct: 100.0,
        pattern: spindle_workload::Pattern::Sequential,
        sizes: vec![spindle_workload::Size { bytes: 65_536, weight: 1.0 }],
        region: spindle_workload::Region::default(),
        arrivals: spindle_workload::Arrivals::Closed { depth: 1, think_us: 0.0 },
        flush: spindle_workload::Flush::None,
        trace: None,
    };
    let end = spindle_workload::End { ios: Some(512), ..spindle_workload::End::default() };
    let job =
        spindle_workload::Job { name: "j".into(), seed: 1, streams: vec![stream], end, warm_up_s: None };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let how = spindle_io_measure::How::default();
    let result =
        spindle_io_measure::run(&job, &[target], &how, &mut spindle_io_measure::Watch::stopping(&stop))
            .unwrap();
    let found = &result.streams[0];
    // What is left of it is 16 requests.
    assert_eq!(found.ios, Some(16), "{result:?}");
    assert!(found.errors.iter().any(|e| e.contains("Input/output error")), "{result:?}");
    // The cache of its file was headed `past the page cache`.
    let dio =
        fs::read_to_string(Path::new("/sys/block").join(disk.device.file_name().unwrap()).join("loop/dio"));
    let told = result.warnings.iter().any(|w| w.contains("goes through the page cache of its file"));
    assert_eq!(told, dio.unwrap().trim() == "0", "{:?}", result.warnings);
}

/// An overlay over two folders; gone when dropped.
struct Overlay(tempfile::TempDir);

impl Overlay {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        for name in ["lower", "upper", "work", "merged"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let at = |name: &str| folder.path().join(name).display().to_string();
        let options = format!("lowerdir={},upperdir={},workdir={}", at("lower"), at("upper"), at("work"));
        let mounted = Command::new("mount")
            .args(["-t", "overlay", "overlay", "-o", &options, &at("merged")])
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            skipped("no overlay can be mounted here (root is needed)");
            return None;
        }
        Some(Self(folder))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path("merged")).status();
    }
}

#[test]
fn no_room_in_a_file_system_that_counts_none_was_said_in_bytes_of_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("memory");
    fs::create_dir(&at).unwrap();
    let at_it = [std::ffi::OsStr::new("-t"), "ramfs".as_ref(), "ramfs".as_ref(), at.as_os_str()];
    if !runs("mount", &at_it) {
        skipped("no ramfs can be mounted here (root is needed)");
        return;
    }
    let refusal = spindle_io_measure::guard::create(&at.join("f"), MIB);
    let left = fs::read_dir(&at).unwrap().count();
    assert!(runs("umount", &[at.as_os_str()]));
    let said = refusal.unwrap_err().reason.to_string();
    assert!(said.contains("does not say how much room it has") && !said.contains(" 0 "), "{said}");
    assert_eq!(left, 0);
}

#[test]
fn a_file_of_an_overlay_was_written_to_while_somebody_held_it_below() {
    let Some(overlay) = Overlay::new() else { return };
    let (below, above) = (overlay.path("upper/g"), overlay.path("merged/g"));
    fs::write(&below, vec![0; 1 << 20]).unwrap();
    let held = File::options().read(true).write(true).open(&below).unwrap();
    let refused = open_to_write(&above, &Permission::none()).unwrap_err();
    assert!(matches!(refused.reason, Reason::Hidden { .. }), "{refused}");
    let said = refused.to_string();
    assert!(said.contains("an overlay") && said.contains("--overwrite"), "{said}");
    // Whose file it is can say that it is free.
    assert!(open_to_write(&above, &Permission::overwriting([above.clone()])).is_ok());
    drop(held);
    // A new file is nobody's yet.
    let new = spindle_io_measure::guard::create(&overlay.path("merged/new"), MIB).unwrap();
    assert!(new.arm().is_ok());
}
