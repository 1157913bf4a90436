//! Mounts and loop devices: which are ours, and how they go.
//!
//! Nothing here touches the file that is served: with its server gone or stopped that could hang.

use crate::place;
use nix::errno::Errno;
use nix::mount::{MntFlags, umount2};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What stands as the source of a mount of ours, before the run.
const SOURCE: &str = "spindle-emulate-";

/// What stands as the source of the mount of a run.
pub(crate) fn source(run: &str) -> String {
    format!("{SOURCE}{run}")
}

/// Sources of the emulations mounted at a path, the topmost last.
pub(crate) fn ours_at(path: &Path) -> Vec<OsString> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let ours = |line: &[u8]| {
        let mut fields = line.split(|b| *b == b' ');
        let at = unescaped(fields.nth(4)?);
        let mut behind = fields.skip_while(|f| *f != b"-").skip(1);
        let is_fuse = behind.next()?.starts_with(b"fuse");
        let source = unescaped(behind.next()?);
        let is_ours = is_fuse && source.starts_with(SOURCE.as_bytes());
        (is_ours && at == path.as_os_str().as_bytes()).then(|| OsString::from_vec(source))
    };
    table.split(|b| *b == b'\n').filter_map(ours).collect()
}

/// `\040` and the like are bytes that would end a field.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|o| first == b'\\' && o.iter().all(|b| (b'0'..=b'7').contains(b)));
        if let Some(octal) = octal {
            plain.push(octal.iter().fold(0_u8, |n, b| n.wrapping_mul(8).wrapping_add(b - b'0')));
            rest = &after[3..];
        } else {
            plain.push(first);
            rest = after;
        }
    }
    plain
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

/// Detaches the loop devices on the file of a run, whoever put them there; one that is still in use goes
/// with its last user.
pub(crate) fn detach_loops(path: &Path, run: &str) {
    if ours_at(path).iter().any(|s| *s == *source(run)) {
        for device in loops_on(path) {
            quiet("losetup", &["-d".as_ref(), device.as_os_str()]);
        }
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
    detach_loops(path, run);
    let source = source(run);
    while ours_at(path).last().is_some_and(|top| *top == *source) {
        if !unmount(path) {
            return;
        }
    }
    place::remove(path, run);
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn blanks_in_names_are_told_from_those_between_fields() {
        assert_eq!(unescaped(br"/mnt/my\040disk\134"), br"/mnt/my disk\");
        assert_eq!(unescaped(br"\04"), br"\04");
    }
}
