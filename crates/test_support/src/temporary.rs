//! Where tests put files that they write to without being asked.

use std::path::{Path, PathBuf};

/// File systems whose files stand for files elsewhere, so that nobody sees who has them open.
const HIDING: [&str; 5] = ["overlay", "aufs", "9p", "nfs", "fuse"];

/// The folder for temporary files; where it lies in a container's overlay or the like, another that does not.
///
/// Missing: where there is no other, it is the usual one, and the test says what it lacks.
#[must_use]
pub fn temporary_folder() -> PathBuf {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let usual = std::env::temp_dir();
    let folders = [usual.clone(), PathBuf::from("/dev/shm"), PathBuf::from("/var/tmp")];
    folders.into_iter().find(|folder| folder.is_dir() && !hides(&mounts, folder)).unwrap_or(usual)
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
