//! Where tests put files that they write to without being asked.

use std::path::{Path, PathBuf};

/// File systems whose files stand for files elsewhere, so that nobody sees who has them open.
const HIDING: [&str; 5] = ["overlay", "aufs", "9p", "nfs", "fuse"];

/// Room that tests need beside the twentieth of a file system that `measure` leaves free.
const NEEDED: u64 = 1 << 30;

/// The folder for temporary files; where it lies in a container's overlay or the like, or its file system is so full
/// that no file may be made for a measurement, another.
///
/// Missing: where there is no other, it is the usual one, and the test says what it lacks.
#[must_use]
pub fn temporary_folder() -> PathBuf {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let visible = || folders().filter(|folder| !hides(&mounts, folder));
    visible().find(|folder| has_room(folder)).or_else(|| visible().next()).unwrap_or_else(std::env::temp_dir)
}

/// The folder for temporary files, whatever its file system hides; where that is too full, another.
#[must_use]
pub fn roomy_folder() -> PathBuf {
    folders().find(|folder| has_room(folder)).unwrap_or_else(std::env::temp_dir)
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let folders = [std::env::temp_dir(), PathBuf::from("/dev/shm"), PathBuf::from("/var/tmp")];
    folders.into_iter().filter(|folder| folder.is_dir())
}

fn has_room(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|system| {
        let free = system.f_bavail.saturating_mul(system.f_frsize);
        free > system.f_blocks.saturating_mul(system.f_frsize) / 20 + NEEDED
    })
}

/// Lies a folder in such a file system? The mount with the longest name that holds it decides, the last of several.
fn hides(mounts: &str, folder: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let of = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let at = PathBuf::from(place.split(' ').nth(4)?);
        let kind = kind.split(' ').next()?.to_owned();
        folder.starts_with(&at).then_some((at.components().count(), kind))
    };
    let kind = mounts.lines().filter_map(of).max_by_key(|(depth, _)| *depth).map(|(_, kind)| kind);
    kind.is_some_and(|kind| HIDING.iter().any(|hiding| kind.starts_with(hiding)))
}

#[cfg(test)]
mod tests {
    use super::hides;
    use std::path::Path;

    #[test]
    fn the_innermost_mount_decides() {
        let mounts = "1 0 0:1 / / rw - overlay overlay rw\n2 1 0:2 / /no rw - tmpfs tmpfs rw\n\
                      3 2 0:3 / /no/such rw shared:1 - fuse.sshfs x rw";
        let found = ["/else", "/no/folder", "/no/such/folder"].map(|folder| hides(mounts, Path::new(folder)));
        assert_eq!(found, [true, false, true]);
    }
}
