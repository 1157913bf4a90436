//! The file over which the emulated one is mounted.
//!
//! A file system is mounted over something that exists. So a small file is made there that says what it
//! is, and removed at the end. Anything else that stands at the place is somebody's, and refused.

use crate::{EmulateError, mounts};
use nix::fcntl::{Flock, FlockArg, OFlag};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// What the file holds, before the sixteen digits of the run and a line end.
const HEAD: &str = "Holds the place of a device while `spindle emulate` serves it; may be removed. Run ";

/// A place that was taken.
pub(crate) struct Place {
    /// Without links and relative parts, as the kernel lists mounts.
    pub(crate) path: PathBuf,
    /// Tells the runs at one path apart.
    pub(crate) run: String,
    /// Two runs that start at once do not take the same place.
    _held: Flock<File>,
}

impl Place {
    /// Takes a path where nothing stands but what an emulation left.
    pub(crate) fn take(at: &Path) -> Result<Self, EmulateError> {
        let path = absolute(at)?;
        let shown = path.display();
        let run = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        // What a killed run left: its mount, without a server.
        while !mounts::ours_at(&path).is_empty() {
            let found = fs::symlink_metadata(&path);
            if found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotConnected) {
                mounts::detach_loops_of_dead(&path);
            }
            match found {
                Err(error) if error.kind() == ErrorKind::NotConnected && mounts::unmount(&path) => {}
                Err(error) if error.kind() == ErrorKind::NotConnected => {
                    return Err(EmulateError::Refused(format!(
                        "an emulation that was killed left its mount at `{shown}`; end it with `umount -l {shown}`"
                    )));
                }
                _ => {
                    return Err(EmulateError::Refused(format!(
                        "another `spindle emulate` serves `{shown}`; end it first, or name another file"
                    )));
                }
            }
        }
        let refuse = |error: std::io::Error| {
            EmulateError::Refused(match error.kind() {
                ErrorKind::AlreadyExists => format!(
                    "`{shown}` exists and `spindle emulate` did not make it, so it stays as it is; name a file that \
                     does not exist yet"
                ),
                _ => format!("`{shown}` cannot be made: {error}"),
            })
        };
        let file = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let made = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
                let mut made = made.map_err(refuse)?;
                made.write_all(text(&run).as_bytes()).map_err(|error| {
                    let _ = fs::remove_file(&path);
                    refuse(error)
                })?;
                made
            }
            Err(error) => return Err(refuse(error)),
            Ok(_) => left_by_us(&path).ok_or_else(|| refuse(ErrorKind::AlreadyExists.into()))?,
        };
        let held = Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|_| {
            EmulateError::Refused(format!("another `spindle emulate` is about to serve `{shown}`"))
        })?;
        held.write_all_at(text(&run).as_bytes(), 0).map_err(refuse)?;
        Ok(Self { path, run, _held: held })
    }
}

fn text(run: &str) -> String {
    format!("{HEAD}{run}\n")
}

fn absolute(at: &Path) -> Result<PathBuf, EmulateError> {
    let shown = at.display();
    let name = at.file_name().filter(|_| !at.as_os_str().as_encoded_bytes().ends_with(b"/"));
    let name = name.ok_or_else(|| EmulateError::Refused(format!("`{shown}` is no name of a file")))?;
    let parent = at.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parent = parent.canonicalize().map_err(|error| {
        EmulateError::Refused(format!("`{shown}`: its folder `{}` cannot be used: {error}", parent.display()))
    })?;
    Ok(parent.join(name))
}

/// The file at a path, if it is one that holds a place, and nothing else.
fn left_by_us(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    // A device or pipe at the place must not be waited for.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let file = options.read(true).write(true).custom_flags(flags.bits()).open(path).ok()?;
    let meta = file.metadata().ok()?;
    let bytes = HEAD.len() + 17;
    if !meta.file_type().is_file() || meta.nlink() != 1 || meta.len() != bytes as u64 {
        return None;
    }
    let mut content = vec![0; bytes];
    file.read_exact_at(&mut content, 0).ok()?;
    content.starts_with(HEAD.as_bytes()).then_some(file)
}

/// Removes the file that held the place of a run, if it is still that.
pub(crate) fn remove(path: &Path, run: &str) {
    let is_it = left_by_us(path).is_some_and(|file| {
        let mut content = vec![0; HEAD.len() + 17];
        file.read_exact_at(&mut content, 0).is_ok() && content == text(run).as_bytes()
    });
    if is_it {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Place, remove};
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_place_is_taken_once_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("device");
        let place = Place::take(&at).unwrap();
        let second = Place::take(&at).map(drop).unwrap_err();
        assert!(second.to_string().contains("is about to serve"), "{second}");
        remove(&place.path, "0123456789abcdef");
        assert!(at.exists(), "of another run");
        remove(&place.path, &place.run);
        assert!(!at.exists());
    }

    #[test]
    fn what_a_killed_run_left_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("device");
        let first = Place::take(&at).unwrap();
        let run = first.run.clone();
        drop(first);
        let second = Place::take(&at).unwrap();
        remove(&second.path, &run);
        assert!(at.exists());
        remove(&second.path, &second.run);
        assert!(!at.exists());
    }

    #[test]
    fn what_is_somebodys_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "data").unwrap();
        fs::write(path("empty"), "").unwrap();
        fs::create_dir(path("folder")).unwrap();
        symlink("nowhere", path("link")).unwrap();
        // A copy of the file that holds a place, with a second name.
        let copy = format!("{}{:016x}\n", super::HEAD, 1);
        fs::write(path("copy"), &copy).unwrap();
        fs::hard_link(path("copy"), path("name of the copy")).unwrap();
        for name in ["file", "empty", "folder", "link", "copy"] {
            let refused = Place::take(&path(name)).map(drop).unwrap_err().to_string();
            assert!(refused.contains("exists") && refused.contains(name), "{refused}");
        }
        assert_eq!(fs::read(path("file")).unwrap(), b"data");
        assert_eq!(fs::read(path("empty")).unwrap(), b"");
        assert_eq!(fs::read_to_string(path("copy")).unwrap(), copy);
        assert!(fs::symlink_metadata(path("link")).is_ok() && !path("nowhere").exists());
        for name in ["none/device", "file/device", "device/", ".."] {
            Place::take(&path(name)).map(drop).unwrap_err();
        }
    }
}
