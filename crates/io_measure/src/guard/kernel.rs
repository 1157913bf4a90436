//! What the kernel says of who uses a device or a file.
//!
//! All of it comes from `/proc` and `/sys`. The exclusive open of a block device is the stronger
//! check; this one says who holds it, and covers ordinary files, which `O_EXCL` does not.

use super::refusal::Reason;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// A block device by its number, as the kernel writes it: `8:1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number(String);

impl Number {
    pub(super) fn new(raw: u64) -> Self {
        Self(format!("{}:{}", rustix::fs::major(raw), rustix::fs::minor(raw)))
    }

    /// Its folder under `/sys`.
    fn sys(&self) -> Option<PathBuf> {
        fs::canonicalize(Path::new("/sys/dev/block").join(&self.0)).ok()
    }
}

/// A device, the disk that it is a part of, and the parts that it has.
#[derive(Debug)]
struct Family {
    /// Numbers with names; the device itself first.
    members: Vec<(Number, String)>,
    /// Partitions of it.
    partitions: usize,
}

impl Family {
    fn of(device: &Number) -> Self {
        let mut family =
            Self { members: vec![(device.clone(), format!("device {}", device.0))], partitions: 0 };
        let Some(folder) = device.sys() else { return family };
        family.members[0].1 = dev_name(&folder);
        if folder.join("partition").exists() {
            family.members.extend(folder.parent().and_then(member));
        } else {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                if entry.path().join("partition").exists() {
                    family.members.extend(member(&entry.path()));
                    family.partitions += 1;
                }
            }
        }
        family
    }
}

/// Number and name of a device by its folder under `/sys`.
fn member(folder: &Path) -> Option<(Number, String)> {
    let number = fs::read_to_string(folder.join("dev")).ok()?;
    Some((Number(number.trim().to_owned()), dev_name(folder)))
}

fn dev_name(folder: &Path) -> String {
    format!("/dev/{}", folder.file_name().unwrap_or_default().to_string_lossy().replace('!', "/"))
}

/// What speaks against writing to a block device, its disk and its partitions.
pub(super) fn block_device_in_use(raw: u64) -> Option<Reason> {
    let family = Family::of(&Number::new(raw));
    let mounts = mounts();
    let swaps = swaps();
    for (number, name) in &family.members {
        if let Some(mount) = mounts.iter().find(|m| m.devices.contains(number)) {
            return Some(Reason::Mounted { device: name.clone(), at: mount.at.clone() });
        }
        if swaps.iter().any(|s| s.device.as_ref() == Some(number)) {
            return Some(Reason::Swap { device: name.clone() });
        }
        if let Some(by) = holder(number) {
            return Some(Reason::Held { device: name.clone(), by });
        }
        let backs =
            |meta: &fs::Metadata| meta.file_type().is_block_device() && Number::new(meta.rdev()) == *number;
        if let Some(by) = loop_on(backs) {
            return Some(Reason::LoopBacking { by });
        }
    }
    None
}

/// What speaks against other settings of a disk: whoever uses it. A loop device over the file of an emulation of
/// ours may be mounted.
pub(crate) fn settings_refused(raw: u64) -> Option<Reason> {
    let reason = block_device_in_use(raw)?;
    let ours = matches!(reason, Reason::Mounted { .. }) && is_loop_of_ours(&Number::new(raw));
    (!ours).then_some(reason)
}

/// Sources of the mounts of emulations begin so.
const EMULATION: &[u8] = b"spindle-emulate-";

/// Is it a loop device over the file that an emulation serves?
fn is_loop_of_ours(number: &Number) -> bool {
    let backing = number.sys().and_then(|folder| fs::read(folder.join("loop/backing_file")).ok());
    let Some(backing) = backing else { return false };
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    table.split(|b| *b == b'\n').any(|line| {
        let mut fields = line.split(|b| *b == b' ');
        let at = fields.nth(4).map(unescaped);
        let source = fields.skip_while(|f| *f != b"-").nth(2);
        at.as_deref() == Some(backing.trim_ascii_end())
            && source.is_some_and(|source| source.starts_with(EMULATION))
    })
}

/// The loop device that stands on something.
fn loop_on(same: impl Fn(&fs::Metadata) -> bool) -> Option<String> {
    for entry in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
        let Ok(backing) = fs::read(entry.path().join("loop/backing_file")) else { continue };
        let path = OsString::from_vec(backing.trim_ascii_end().to_vec());
        if fs::metadata(Path::new(&path)).is_ok_and(|m| same(&m)) {
            return Some(format!("/dev/{}", entry.file_name().to_string_lossy()));
        }
    }
    None
}

/// Partitions of a block device.
pub(super) fn partitions(raw: u64) -> usize {
    Family::of(&Number::new(raw)).partitions
}

/// Does the kernel take a block device for one that can only be read?
pub(super) fn is_read_only(raw: u64) -> bool {
    let flag = Number::new(raw).sys().and_then(|s| fs::read_to_string(s.join("ro")).ok());
    flag.is_some_and(|ro| ro.trim() == "1")
}

/// What speaks against writing to an ordinary file: swap, a loop device on it, a process that has it
/// open. `own` descriptors of this process do not count.
pub(super) fn file_in_use(device: u64, inode: u64, own: usize) -> Option<Reason> {
    let is_it = |m: &fs::Metadata| m.file_type().is_file() && (m.dev(), m.ino()) == (device, inode);
    let same = |path: &Path| fs::metadata(path).is_ok_and(|m| is_it(&m));
    if let Some(swap) = swaps().iter().find(|s| same(&s.path)) {
        return Some(Reason::Swap { device: swap.path.display().to_string() });
    }
    if let Some(by) = loop_on(is_it) {
        return Some(Reason::LoopBacking { by });
    }
    opened_by(own, same).map(|by| Reason::InUse { by: Some(by) })
}

/// A process that has a file open. Those of other users are not seen without root.
fn opened_by(own: usize, same: impl Fn(&Path) -> bool) -> Option<String> {
    let me = std::process::id().to_string();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = process.file_name();
        if !id.as_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        let open = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        let count = open.filter(|fd| same(&fd.path())).count();
        let allowed = if id.as_bytes() == me.as_bytes() { own } else { 0 };
        if count > allowed {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!("process {} ({})", id.to_string_lossy(), name.trim()));
        }
    }
    None
}

/// Who stands on a device: LVM, MD, multipath, encryption.
fn holder(number: &Number) -> Option<String> {
    let holders = fs::read_dir(number.sys()?.join("holders")).ok()?;
    let first = holders.flatten().next()?;
    Some(dev_name(&first.path()))
}

/// A mount.
#[derive(Debug)]
struct Mount {
    /// The device as the kernel numbers it, and the one that stands as its source: Btrfs and others
    /// mount under a number that is no device's.
    devices: Vec<Number>,
    at: String,
}

/// All mounts that this process sees, and those of the first process, where it may look.
fn mounts() -> Vec<Mount> {
    let tables = ["/proc/self/mountinfo", "/proc/1/mountinfo"];
    let texts = tables.iter().filter_map(|path| fs::read(path).ok());
    texts.flat_map(|text| text.split(|b| *b == b'\n').filter_map(mount).collect::<Vec<_>>()).collect()
}

/// One line: `36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw`.
fn mount(line: &[u8]) -> Option<Mount> {
    let mut fields = line.split(|b| *b == b' ');
    let number = String::from_utf8(fields.nth(2)?.to_vec()).ok()?;
    let at = unescaped(fields.nth(1)?);
    let source = fields.skip_while(|f| *f != b"-").nth(2).map(unescaped);
    let mut devices = vec![Number(number)];
    if let Some(meta) = source.and_then(|s| fs::metadata(PathBuf::from(OsString::from_vec(s))).ok())
        && meta.file_type().is_block_device()
    {
        devices.push(Number::new(meta.rdev()));
    }
    Some(Mount { devices, at: String::from_utf8_lossy(&at).into_owned() })
}

/// A swap area.
#[derive(Debug)]
struct Swap {
    path: PathBuf,
    /// Where it is a device.
    device: Option<Number>,
}

fn swaps() -> Vec<Swap> {
    let text = fs::read("/proc/swaps").unwrap_or_default();
    let lines = text.split(|b| *b == b'\n').skip(1).filter(|l| !l.is_empty());
    let path = |line: &[u8]| {
        let end = line.iter().position(|b| b" \t".contains(b)).unwrap_or(line.len());
        PathBuf::from(OsString::from_vec(unescaped(&line[..end])))
    };
    lines
        .map(path)
        .map(|path| {
            let meta = fs::metadata(&path).ok().filter(|m| m.file_type().is_block_device());
            Swap { device: meta.map(|m| Number::new(m.rdev())), path }
        })
        .collect()
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{mount, unescaped};

    #[test]
    fn blanks_in_names_are_told_from_those_between_fields() {
        assert_eq!(unescaped(br"/mnt/my\040disk\134"), br"/mnt/my disk\");
        assert_eq!(unescaped(br"\04"), br"\04");
    }

    #[test]
    fn a_line_with_many_or_no_options_tells_where() {
        let many =
            mount(br"36 35 98:0 / /mnt\040a rw,noatime master:1 shared:2 - ext3 none rw,errors=continue")
                .unwrap();
        assert_eq!((many.devices[0].0.as_str(), many.at.as_str()), ("98:0", "/mnt a"));
        let none = mount(b"36 35 0:42 / /b rw - btrfs none rw").unwrap();
        assert_eq!((none.devices[0].0.as_str(), none.at.as_str()), ("0:42", "/b"));
        assert!(mount(b"").is_none());
    }
}
