//! Mounts and loop devices: which are ours, and how they go.
//!
//! Nothing here touches the file that is served: with its server gone or stopped that could hang.

use crate::place;
use nix::errno::Errno;
use nix::mount::{MntFlags, umount2};
use spindle_mount_table::{EMULATION, mounts};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What stands as the source of the mount of a run.
pub(crate) fn source(run: &str) -> String {
    format!("{EMULATION}{run}")
}

/// Sources of the emulations mounted at a path, the topmost last.
pub(crate) fn ours_at(path: &Path) -> Vec<OsString> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let ours = mounts(&table).filter(|m| m.is_emulation() && m.at == path.as_os_str().as_bytes());
    ours.map(|m| OsString::from_vec(m.source)).collect()
}

/// Takes the topmost mount at a path away, at once and whoever uses it. `false` where that fails.
pub(crate) fn unmount(path: &Path) -> bool {
    match umount2(path, MntFlags::MNT_DETACH | MntFlags::UMOUNT_NOFOLLOW) {
        Ok(()) => true,
        Err(Errno::EPERM) => ["fusermount3", "fusermount"].iter().any(|program| {
            let arguments = ["-u".as_ref(), "-q".as_ref(), "-z".as_ref(), "--".as_ref(), path.as_os_str()];
            quiet(program, &arguments)
        }),
        Err(_) => false,
    }
}

/// Loop devices that stand on a file.
fn loops_on(path: &Path) -> Vec<PathBuf> {
    let on_it = |entry: fs::DirEntry| {
        let backing = fs::read(entry.path().join("loop/backing_file")).ok()?;
        let same = backing.trim_ascii_end() == path.as_os_str().as_bytes();
        same.then(|| Path::new("/dev").join(entry.file_name()))
    };
    fs::read_dir("/sys/block").into_iter().flatten().flatten().filter_map(on_it).collect()
}

/// Where the file of a run is mounted by now: the folder that it lies in may have got another name.
fn places_of(run: &str) -> Vec<PathBuf> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let source = source(run);
    let ours = mounts(&table).filter(|m| m.is_emulation() && m.source == source.as_bytes());
    let mut places: Vec<PathBuf> = ours.map(|m| PathBuf::from(OsString::from_vec(m.at))).collect();
    places.dedup();
    places
}

/// Detaches the loop devices on the file of a run, whoever put them there; one that is still in use goes
/// with its last user.
pub(crate) fn detach_loops(run: &str) {
    for path in places_of(run) {
        detach_loops_of_dead(&path);
    }
}

/// Loop devices on the file of a run with what is mounted from them: it stays mounted, on a device that is gone.
pub(crate) fn mounted_from(run: &str) -> Vec<(PathBuf, PathBuf)> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let mut found = Vec::new();
    for device in places_of(run).iter().flat_map(|path| loops_on(path)) {
        let name = device.file_name().unwrap_or_default();
        let number = fs::read_to_string(Path::new("/sys/block").join(name).join("dev")).unwrap_or_default();
        let here = mounts(&table).filter(|m| m.number == number.trim());
        found.extend(here.map(|m| (device.clone(), PathBuf::from(OsString::from_vec(m.at)))));
    }
    found
}

/// Takes the mounts of a run away that no longer stand where they were made.
pub(crate) fn unmount_moved(path: &Path, run: &str) {
    for moved in places_of(run).iter().filter(|place| *place != path) {
        clear_at(moved, run);
    }
}

/// Detaches the loop devices on the file of a run that is known to be ours, and over. While it is mounted: then
/// they have its name no more.
pub(crate) fn detach_loops_of_dead(path: &Path) {
    for device in loops_on(path) {
        quiet("losetup", &["-d".as_ref(), device.as_os_str()]);
    }
}

fn quiet(program: &str, arguments: &[&OsStr]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Takes away what a run left at a path: loop devices, mounts, the file that held the place. What is of
/// another run stays.
pub(crate) fn clear(path: &Path, run: &str) {
    detach_loops(run);
    unmount_moved(path, run);
    clear_at(path, run);
}

fn clear_at(path: &Path, run: &str) {
    let source = source(run);
    while ours_at(path).last().is_some_and(|top| *top == *source) {
        if !unmount(path) {
            return;
        }
    }
    place::remove(path, run);
}
