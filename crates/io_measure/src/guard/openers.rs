//! Who has a file or a device open, or in its memory.
//!
//! `/proc` names processes, but those of other users only to root, and those of other containers to nobody in one.
//! A lease is the kernel's own word, across users and containers, but it is given for ordinary files of our own
//! alone. Where neither can be had, nobody knows, and that is no "nobody".

use super::kernel::{Number, Seen};
use super::refusal::Reason;
use crate::sys;
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A program that merely looks (the system at a new device, a scanner at a new file) is done by then.
pub(super) const A_MOMENT: Duration = Duration::from_millis(300);
/// The first namespace of processes, in which all others are seen: a number that the kernel never changes.
const ALL_PROCESSES: &str = "pid:[4026531836]";

/// Whoever the kernel knows and `/proc` does not show.
pub(super) const UNNAMED: &str =
    "a process that is not seen from here (another user's, or in another container)";

/// What is looked for among what processes have open.
pub(super) enum Sought<'a> {
    /// An ordinary file by its file system and number.
    File { device: u64, inode: u64 },
    /// Any of these devices.
    Devices(&'a [(Number, String)]),
}

impl Sought<'_> {
    fn is_at(&self, path: &Path) -> bool {
        Seen::at(path).is_some_and(|seen| match self {
            Self::File { device, inode } => seen.file == Some((*device, *inode)),
            Self::Devices(family) => seen.device.is_some_and(|found| family.iter().any(|(n, _)| *n == found)),
        })
    }

    /// Does a line of what a process maps tell of it?
    fn is_mapped(&self, line: &[u8]) -> bool {
        let Some((number, name)) = mapped(line) else { return false };
        match self {
            Self::File { inode, .. } => number == *inode && self.is_at(name),
            // Asked for by name, and a name elsewhere may be a server's that hangs.
            Self::Devices(_) => name.starts_with("/dev") && self.is_at(name),
        }
    }
}

/// What was found of who has something open.
#[derive(Debug, Default)]
pub(super) struct Openers {
    /// What speaks against writing.
    pub(super) reason: Option<Reason>,
    /// Could some processes not be looked at?
    pub(super) blind: bool,
}

impl From<Reason> for Openers {
    fn from(reason: Reason) -> Self {
        Self { reason: Some(reason), blind: false }
    }
}

/// Looks at all processes. `own` descriptors of this one do not count. Who holds it for a moment only is waited for.
pub(super) fn opened(sought: &Sought<'_>, own: usize) -> Openers {
    let begun = Instant::now();
    loop {
        let found = look(sought, own);
        // Another check of ours may look at it, too.
        if !matches!(found.reason, Some(Reason::InUse { .. } | Reason::OpenHere))
            || begun.elapsed() >= A_MOMENT
        {
            return found;
        }
        std::thread::sleep(A_MOMENT / 10);
    }
}

/// Are the processes of all users and containers seen from here? Elsewhere what nobody is known to use is written to
/// only where the command line names it, but for files whose owner asks.
#[must_use]
pub fn sees_all_processes() -> bool {
    !look(&Sought::Devices(&[]), 0).blind
}

fn look(sought: &Sought<'_>, own: usize) -> Openers {
    let mut found = Openers { reason: None, blind: !all_are_listed() };
    let me = std::process::id().to_string();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = process.file_name();
        if !id.as_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        let mut open = 0;
        for thread in threads(&process.path()) {
            match fs::read_dir(thread.join("fd")) {
                Ok(found) => open = open.max(found.flatten().filter(|fd| sought.is_at(&fd.path())).count()),
                Err(error) => found.blind |= error.kind() == ErrorKind::PermissionDenied,
            }
        }
        let is_me = id.as_bytes() == me.as_bytes();
        if is_me && open > own {
            found.reason = Some(Reason::OpenHere);
            return found;
        }
        if (!is_me && open > 0) || maps(&process.path(), sought) {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            let by = format!("process {} ({})", id.to_string_lossy(), name.trim());
            found.reason = Some(Reason::InUse { by: Some(by) });
            return found;
        }
    }
    found
}

/// The folders of the threads of a process. Each may have files of its own open, and those of the first are not shown
/// once it has ended before the others.
fn threads(process: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    let threads: Vec<PathBuf> = found.map(|thread| thread.path()).collect();
    if threads.is_empty() { vec![process.to_owned()] } else { threads }
}

/// Are the processes under `/proc` all that there are, of every user and container?
fn all_are_listed() -> bool {
    // Where the first process may not be looked into, others may be hidden altogether.
    fs::read_link("/proc/self/ns/pid").is_ok_and(|space| space.as_os_str() == ALL_PROCESSES)
        && fs::read_dir("/proc/1/fd").is_ok()
}

/// Does a process map it? Its descriptor may be closed long since.
fn maps(process: &Path, sought: &Sought<'_>) -> bool {
    // All threads share it, but for those that have ended.
    let tables = std::iter::once(process.to_owned()).chain(threads(process));
    let mut tables = tables.filter_map(|thread| fs::read(thread.join("maps")).ok());
    let table = tables.find(|table| !table.is_empty()).unwrap_or_default();
    table.split(|b| *b == b'\n').any(|line| sought.is_mapped(line))
}

/// Number and name of what is mapped: `7f..-7f.. rw-s 00000000 08:01 131 /name`.
fn mapped(line: &[u8]) -> Option<(u64, &Path)> {
    let mut fields = line.splitn(6, |b| *b == b' ');
    let number = std::str::from_utf8(fields.nth(4)?).ok()?.parse().ok()?;
    let name = fields.next()?.trim_ascii_start();
    (!name.is_empty()).then(|| (number, Path::new(std::ffi::OsStr::from_bytes(name))))
}

/// Who has a lease for writing on a file: it would be held up, or end, if the file were opened.
pub(super) fn leased_by(device: u64, inode: u64) -> Option<String> {
    // `1: LEASE  ACTIVE    WRITE 8125 fe:00:131 0 EOF`
    let number = format!("{:02x}:{:02x}:{inode}", rustix::fs::major(device), rustix::fs::minor(device));
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let id = locks.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace().skip(1);
        (words.next()? == "LEASE" && words.nth(1)? == "WRITE").then_some(())?;
        let id = words.next()?;
        (words.next()? == number && id != std::process::id().to_string()).then_some(id)
    })?;
    let name = fs::read_to_string(Path::new("/proc").join(id).join("comm")).unwrap_or_default();
    Some(format!("process {id} ({})", name.trim()))
}

/// The kernel's word on who has an ordinary file open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Nobody but this descriptor, which has a lease now: whoever opens the file waits until it is given back.
    Leased,
    /// Somebody.
    Somebody,
    /// It says nothing: the file is another user's, or its file system gives no leases.
    None,
}

/// Asks the kernel who has an ordinary file open beside this descriptor, by a lease.
pub(super) fn word(file: &File) -> Word {
    let begun = Instant::now();
    loop {
        match sys::lease(file) {
            Ok(()) => return Word::Leased,
            Err(error) if Errno::from_io_error(&error) != Some(Errno::AGAIN) || is_of_a_server(file) => {
                return Word::None;
            }
            Err(_) if begun.elapsed() >= A_MOMENT => return Word::Somebody,
            Err(_) => std::thread::sleep(A_MOMENT / 10),
        }
    }
}

/// Does a server keep the file? It refuses leases for reasons of its own.
fn is_of_a_server(file: &File) -> bool {
    // As `linux/magic.h` has them: NFS, SMB of three ages, AFS, Ceph, 9P.
    const SERVERS: [u32; 7] =
        [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x5346_414F, 0x00C3_6400, 0x0102_1997];
    rustix::fs::fstatfs(file).is_ok_and(|system| SERVERS.contains(&(system.f_type as u32)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Word, mapped, sys, word};
    use std::fs::File;
    use std::path::Path;

    #[test]
    fn the_kernel_tells_of_whoever_has_a_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let ours = File::options().create_new(true).read(true).write(true).open(&path).unwrap();
        if word(&ours) == Word::None {
            return spindle_test_support::skipped("the file system of this test gives no leases");
        }
        sys::give_back(&ours).unwrap();
        for writes in [false, true] {
            let other = File::options().read(true).write(writes).open(&path).unwrap();
            assert_eq!(word(&ours), Word::Somebody);
            drop(other);
            assert_eq!(word(&ours), Word::Leased);
            assert!(sys::is_leased(&ours));
            sys::give_back(&ours).unwrap();
            assert!(!sys::is_leased(&ours));
        }
    }

    #[test]
    fn what_is_mapped_is_known_by_its_number_and_may_have_blanks_in_its_name() {
        let line = b"7f5c00000000-7f5c00001000 rw-s 00000000 08:01 131                        /data/my file";
        assert_eq!(mapped(line), Some((131, Path::new("/data/my file"))));
        assert_eq!(mapped(b"7f5c-7f5d rw-p 00000000 00:00 0 "), None);
    }
}
