//! What the kernel says of who uses a device or a file.
//!
//! All of it comes from `/proc` and `/sys`. The exclusive open of a block device is the stronger
//! check; this one says who holds it, and covers ordinary files, which `O_EXCL` does not.

use super::openers::{self, Openers, Sought};
use super::refusal::Reason;
use super::room;
use crate::sys;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, StatxFlags, statx};
use rustix::io::Errno;
use spindle_mount_table::unescaped;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// What speaks against writing to a block device: whoever uses it, its disk or its partitions, and whoever uses
/// what they stand on. `open` is a descriptor of it where there is one.
pub(super) fn block_device_in_use(raw: u64, open: Option<&File>) -> Openers {
    let family = Family::of(&Number::new(raw));
    if let Some(reason) = family_in_use(&family, None) {
        return reason.into();
    }
    // Raw devices of databases and disks of virtual machines are open without being held.
    let opened = openers::opened(&Sought::Devices(&family.members), usize::from(open.is_some()));
    if opened.reason.is_some() {
        return opened;
    }
    Openers { reason: disk_below_in_use(&family, open), ..opened }
}

/// What speaks against writing to what the disk of a device stands on.
fn disk_below_in_use(family: &Family, open: Option<&File>) -> Option<Reason> {
    let disk =
        family.members.iter().filter(|(number, _)| number.sys().is_some_and(|s| s.join("loop").exists()));
    // A loop device is its own disk, or that of its partitions.
    disk.take(1).find_map(|(number, name)| below_in_use(number, name, open, MOST_BELOW))
}

/// A kernel that need not ask a server answers by then.
const SOON: Duration = Duration::from_millis(500);
/// Loop devices that stand on each other, at most.
const MOST_BELOW: usize = 16;

/// Who uses a device, its disk or its partitions; a loop device that is known to stand on it does not count.
fn family_in_use(family: &Family, known: Option<&str>) -> Option<Reason> {
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
        if let Some(by) = loop_on(known, |seen| seen.device.as_ref() == Some(number)) {
            return Some(Reason::LoopBacking { by });
        }
    }
    None
}

/// What speaks against writing through a loop device: what is written changes what it stands on, and every other
/// loop device there. Each rule for a file or device holds for what stands below as well.
fn below_in_use(number: &Number, name: &str, open: Option<&File>, most: usize) -> Option<Reason> {
    let path =
        number.sys().and_then(|folder| backing(&folder)).map(|name| PathBuf::from(OsString::from_vec(name)));
    let on = path.as_ref().map_or_else(|| "something without a name".to_owned(), |p| p.display().to_string());
    let below = |reason| Some(Reason::Below { on: on.clone(), reason: Box::new(reason) });
    // The kernel's own word where the device is open; else by name, since asking could wait for a server that hangs.
    let seen = open.and_then(Seen::under).or_else(|| path.as_deref().and_then(Seen::at));
    let Some(seen) = seen.or_else(|| Seen::under(&open_device(name)?)) else {
        return below(Reason::Unknown);
    };
    if let Some((device, inode)) = seen.file {
        let is_it = |other: &Seen| other.file == seen.file;
        if let Some(other) = loop_on(Some(name), is_it) {
            return below(Reason::InUse { by: Some(format!("{other}, another loop device,")) });
        }
        if let Some(reason) = used_by_system_or_process(device, inode, 0).reason {
            return below(reason);
        }
        // The name may lead elsewhere by now; what it says of the file counts only if it is that.
        let file = path.as_deref().filter(|p| Seen::at(p).is_some_and(|s| is_it(&s)));
        let Some((path, meta)) = file.and_then(|p| Some((p, fs::metadata(p).ok()?))) else {
            return below(Reason::Unknown);
        };
        return room::names(&meta).or_else(|| room::for_holes(path, &meta)).and_then(below);
    }
    let device = seen.device?;
    let family = Family::of(&device);
    let opened = || openers::opened(&Sought::Devices(&family.members), 0).reason;
    let used = family_in_use(&family, Some(name)).or_else(opened).or_else(|| held_exclusively(&family));
    if let Some(reason) = used {
        return below(reason);
    }
    let (number, name) =
        family.members.iter().find(|(n, _)| n.sys().is_some_and(|s| s.join("loop").exists()))?;
    if most == 0 {
        return below(Reason::Unknown);
    }
    below_in_use(number, name, None, most - 1)
}

/// Does somebody hold a device, or its disk, exclusively?
fn held_exclusively(family: &Family) -> Option<Reason> {
    let exclusive = OFlags::RDONLY | OFlags::EXCL | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let taken =
        |name: &str| rustix::fs::open(name, exclusive, Mode::empty()).is_err_and(|e| e == Errno::BUSY);
    let (number, name) = family.members.first()?;
    (number.sys().is_some() && taken(name)).then_some(Reason::InUse { by: None })
}

fn open_device(name: &str) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::open(name, flags, Mode::empty()).ok().map(File::from)
}

/// What speaks against other settings of a disk: whoever uses it. A loop device over the file of an emulation of
/// ours may be mounted.
pub(crate) fn settings_refused(raw: u64) -> Option<Reason> {
    let family = Family::of(&Number::new(raw));
    let Some(reason) = family_in_use(&family, None) else { return held_exclusively(&family) };
    let ours = matches!(reason, Reason::Mounted { .. }) && is_loop_of_ours(&Number::new(raw));
    (!ours).then_some(reason)
}

/// Is it a loop device over the file that an emulation serves?
fn is_loop_of_ours(number: &Number) -> bool {
    let Some(backing) = number.sys().and_then(|folder| backing(&folder)) else { return false };
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    spindle_mount_table::mounts(&table).any(|m| m.is_emulation() && m.at == backing)
}

/// The loop device that stands on something; one that is known to does not count.
fn loop_on(known: Option<&str>, same: impl Fn(&Seen) -> bool) -> Option<String> {
    for entry in fs::read_dir("/sys/block").into_iter().flatten().flatten() {
        let Some(backing) = backing(&entry.path()) else { continue };
        let name = format!("/dev/{}", entry.file_name().to_string_lossy());
        if known == Some(name.as_str()) {
            continue;
        }
        // A file that has lost its name, or never had one here, is known by its number alone; and a name may lead
        // elsewhere by now, as where something was mounted over its folder.
        let by_name = Seen::at(Path::new(&OsString::from_vec(backing)));
        if by_name.is_some_and(|seen| same(&seen)) || asked(&name).is_some_and(|seen| same(&seen)) {
            return Some(name);
        }
    }
    None
}

/// What a loop device stands on in the kernel's own word, where that comes soon: the file's server may hang.
fn asked(device: &str) -> Option<Seen> {
    let (tell, told) = std::sync::mpsc::channel();
    let name = device.to_owned();
    let ask = move || {
        // The device is closed again before that is told: it would count as open here.
        let seen = open_device(&name).as_ref().and_then(Seen::under);
        drop(tell.send(seen));
    };
    std::thread::Builder::new().name("loop".to_owned()).spawn(ask).ok()?;
    told.recv_timeout(SOON).ok().flatten()
}

/// The file that a loop device stands on, by the device's folder under `/sys`. Its name may end in blanks.
fn backing(folder: &Path) -> Option<Vec<u8>> {
    let mut name = fs::read(folder.join("loop/backing_file")).ok()?;
    if name.last() == Some(&b'\n') {
        name.pop();
    }
    Some(name)
}

/// What stands under a name, as far as that is known without asking a server, which may hang.
pub(super) struct Seen {
    /// File system and number of an ordinary file.
    pub(super) file: Option<(u64, u64)>,
    /// Where it is a block device.
    pub(super) device: Option<Number>,
}

impl Seen {
    /// What an open loop device stands on, as the kernel has it.
    fn under(device: &File) -> Option<Self> {
        let below = sys::loop_backing(device).ok()?;
        let is_device = below.on_device != 0;
        Some(Self {
            file: (!is_device).then_some((below.device, below.inode)),
            device: is_device.then(|| Number::new(below.on_device)),
        })
    }

    pub(super) fn at(path: &Path) -> Option<Self> {
        let wanted = StatxFlags::TYPE | StatxFlags::INO;
        let found = statx(CWD, path, AtFlags::STATX_DONT_SYNC, wanted).ok()?;
        let kind = FileType::from_raw_mode(found.stx_mode.into());
        let on = rustix::fs::makedev(found.stx_dev_major, found.stx_dev_minor);
        let raw = rustix::fs::makedev(found.stx_rdev_major, found.stx_rdev_minor);
        Some(Self {
            file: (kind == FileType::RegularFile).then_some((on, found.stx_ino)),
            device: (kind == FileType::BlockDevice).then(|| Number::new(raw)),
        })
    }
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
/// open or in its memory. `own` descriptors of this process do not count.
pub(super) fn file_in_use(device: u64, inode: u64, own: usize) -> Openers {
    if let Some(by) = loop_on(None, |seen| seen.file == Some((device, inode))) {
        return Reason::LoopBacking { by }.into();
    }
    used_by_system_or_process(device, inode, own)
}

fn used_by_system_or_process(device: u64, inode: u64, own: usize) -> Openers {
    let same = |path: &Path| Seen::at(path).is_some_and(|seen| seen.file == Some((device, inode)));
    if let Some(swap) = swaps().iter().find(|s| same(&s.path)) {
        return Reason::Swap { device: swap.path.display().to_string() }.into();
    }
    openers::opened(&Sought::File { device, inode }, own)
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
    texts.flat_map(|text| spindle_mount_table::mounts(&text).map(on_device).collect::<Vec<_>>()).collect()
}

/// Where a file is mounted by itself (`mount --bind`), so that others know it by another name: a mount is asked what it
/// is only where it lies on the file's own device, which has answered already.
pub(super) fn bound_at(device: u64, inode: u64) -> Option<String> {
    let number = Number::new(device).0;
    let tables = [("/proc/self/mountinfo", "/"), ("/proc/1/mountinfo", "/proc/1/root")];
    tables.iter().find_map(|(table, root)| {
        let text = fs::read(table).ok()?;
        let bound = spindle_mount_table::mounts(&text).find(|mount| {
            let below = mount.at.strip_prefix(b"/").unwrap_or(&mount.at);
            let at = Path::new(root).join(OsString::from_vec(below.to_vec()));
            mount.number == number
                && !mount.is_emulation()
                && fs::symlink_metadata(at).is_ok_and(|meta| (meta.dev(), meta.ino()) == (device, inode))
        })?;
        Some(String::from_utf8_lossy(&bound.at).into_owned())
    })
}

/// A mount with the device that it lies on.
fn on_device(mount: spindle_mount_table::Mount) -> Mount {
    let mut devices = vec![Number(mount.number)];
    let source = PathBuf::from(OsString::from_vec(mount.source));
    if source.is_absolute() {
        devices.extend(Seen::at(&source).and_then(|seen| seen.device));
    }
    Mount { devices, at: String::from_utf8_lossy(&mount.at).into_owned() }
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
    lines.map(path).map(|path| Swap { device: Seen::at(&path).and_then(|seen| seen.device), path }).collect()
}
