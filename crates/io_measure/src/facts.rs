//! Where a run takes place: what is needed to hold it against another.

use crate::target::Target;
use spindle_workload::{DeviceFacts, Environment};
use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The machine and its devices; `engine` says how requests were made.
pub(crate) fn environment(targets: &[Target], engine: String) -> Environment {
    Environment {
        program: Some(concat!("spindle ", env!("CARGO_PKG_VERSION")).to_owned()),
        host: line(Path::new("/proc/sys/kernel/hostname")),
        kernel: line(Path::new("/proc/sys/kernel/osrelease")).map(|release| format!("Linux {release}")),
        cpus: std::thread::available_parallelism().ok().and_then(|n| u32::try_from(n.get()).ok()),
        devices: targets.iter().flat_map(Target::devices).map(device).collect(),
        engine: Some(engine),
    }
}

/// A device, or the one that a file lies on; what the kernel does not say stays unknown.
fn device(target: &Target) -> DeviceFacts {
    let disk = disk(target);
    let of_disk = |name: &str| line(&disk.as_ref()?.join(name));
    DeviceFacts {
        path: target.name.clone(),
        bytes: Some(target.bytes),
        model: of_disk("device/model"),
        // `none [mq-deadline] kyber`: the one in brackets.
        scheduler: of_disk("queue/scheduler").map(|all| {
            let chosen = all.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0.to_owned()));
            chosen.unwrap_or(all)
        }),
        read_ahead_bytes: of_disk("queue/read_ahead_kb").and_then(|kb| Some(kb.parse::<u64>().ok()? * 1_024)),
        rotational: of_disk("queue/rotational").map(|yes| yes == "1"),
        direct: Some(target.align.is_some()),
        is_file: target.file.metadata().ok().map(|meta| meta.is_file()),
    }
}

/// What is said of a file that has fewer blocks than bytes: what was never written is read as zeros, and no
/// device is asked. Blocks that are allocated and not written yet are not told apart.
pub(crate) fn thin(target: &Target) -> Option<String> {
    let meta = target.file.metadata().ok()?;
    let missing = target.bytes.saturating_sub(meta.blocks().saturating_mul(512));
    (meta.is_file() && missing > target.bytes / 100).then(|| {
        format!(
            "`{}` has holes: {:.0} % of it was never written, and reading that asks no device",
            target.name,
            100.0 * missing as f64 / target.bytes as f64
        )
    })
}

/// What is said of a file that lies in memory: newer kernels take direct I/O there, and no device is asked.
pub(crate) fn in_memory(target: &Target) -> Option<String> {
    // Source: `linux/magic.h`.
    const KINDS: [(u32, &str); 3] =
        [(0x0102_1994, "tmpfs"), (0x8584_58f6, "ramfs"), (0x9584_58f6, "hugetlbfs")];
    target.file.metadata().ok().filter(fs::Metadata::is_file)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number has 32 bits")]
    let kind = rustix::fs::fstatfs(&*target.file).ok()?.f_type as u32;
    let (_, name) = KINDS.into_iter().find(|(number, _)| *number == kind)?;
    Some(format!("`{}` lies in memory ({name}): no device answered", target.name))
}

/// What is said of a loop device, or what lies on one, that makes its requests through the page cache of its file,
/// however they come in.
pub(crate) fn on_cached_loop(target: &Target) -> Option<String> {
    let disk = disk(target)?;
    (line(&disk.join("loop/dio"))? == "0").then(|| {
        let name = disk.file_name().unwrap_or_default().to_string_lossy();
        format!(
            "`{}` is on the loop device {name}, which goes through the page cache of its file: memory may have answered; \
             losetup --direct-io=on passes it by",
            target.name
        )
    })
}

/// Between two looks at a file that seems to have become shorter.
const A_MOMENT: std::time::Duration = std::time::Duration::from_millis(5);

/// A file as it stood when a run began. What others do to it meanwhile does not show in its requests alone: a file that
/// was taken away or replaced is measured on, and one that was cut has requests that fail or are answered by no device.
pub(crate) struct Stood<'a> {
    target: &'a Target,
    /// The run writes: a file that is cut may be made longer again by it.
    writes: bool,
    had_a_name: bool,
    /// Where it was.
    was_at: Option<PathBuf>,
    /// Bytes that had a place on the device.
    had_bytes: u64,
    /// Bytes that were left when it was first seen to be shorter.
    left: std::cell::Cell<Option<u64>>,
    /// Somebody was seen to wait for it.
    wanted: std::cell::Cell<bool>,
}

impl<'a> Stood<'a> {
    pub(crate) fn at_the_beginning(target: &'a Target, writes: bool) -> Option<Self> {
        let now = is(target)?;
        let (left, wanted) = (std::cell::Cell::new(None), std::cell::Cell::new(false));
        let (had_a_name, had_bytes, was_at) = (now.names > 0, now.placed, is_at(target));
        Some(Self { target, writes, had_a_name, was_at, had_bytes, left, wanted })
    }

    /// Does somebody wait for the file, to whom the kernel gives it once we let go?
    pub(crate) fn is_wanted(&self) -> bool {
        let wanted = self.target.is_wanted();
        self.wanted.set(self.wanted.get() || wanted);
        wanted
    }

    /// Is it shorter than it was, or was it, and writes have made it as long again? Those leave holes in it.
    pub(crate) fn is_shorter(&self) -> bool {
        let Some(mut now) = is(self.target) else { return false };
        if now.placed < self.had_bytes / 2 {
            // Where ext4 gives a place to what waited for one, there is a moment in which neither counts.
            std::thread::sleep(A_MOMENT);
            let Some(again) = is(self.target) else { return false };
            now = again;
        }
        let left = match now.placed < self.had_bytes / 2 {
            true => now.placed.min(now.bytes),
            false if now.bytes < self.target.bytes => now.bytes,
            false => return false,
        };
        self.left.set(Some(self.left.get().map_or(left, |least| least.min(left))));
        true
    }

    /// What was seen of it that ended a run that writes; asked before [`changed`](Self::changed) looks again.
    pub(crate) fn ended(&self) -> Option<String> {
        let name = &self.target.name;
        if self.wanted.get() {
            return Some(format!("another program opened `{name}`, or tried to"));
        }
        self.left.get().map(|_| format!("`{name}` was made shorter by another program"))
    }

    /// What was done to it since; `answered` where nothing of ours is under way any more.
    pub(crate) fn changed(&self, answered: bool) -> Option<String> {
        let ended = if self.left.get().is_some() { ", which ended the run" } else { "" };
        self.is_shorter();
        let (now, name, bytes) = (is(self.target)?, &self.target.name, self.target.bytes);
        if self.wanted.get() {
            let then = match answered {
                true => "nothing that it writes is written over",
                false => {
                    "what it writes may be written over by requests that the device has not answered yet"
                }
            };
            return Some(format!(
                "another program opened `{name}`, or tried to, while it was measured, which ended the run: {then}; \
                 measure again when nobody uses it"
            ));
        }
        if let Some(left) = self.left.get() {
            // What was written behind the cut before it was seen counts as left.
            let left = if self.writes { format!("at most {left}") } else { left.to_string() };
            return Some(format!(
                "`{name}` was made shorter by another program while it was measured{ended}: {left} of its {bytes} \
                 bytes were left, and what was asked for behind them failed or was answered without the device; \
                 measure again when nobody changes it"
            ));
        }
        (self.had_a_name && (now.names == 0 || self.is_replaced())).then(|| {
            format!(
                "`{name}` was removed or replaced by another program while it was measured: the figures are those of the \
                 file that stood there at the beginning"
            )
        })
    }

    /// Was it moved away, and does something else stand in its place?
    fn is_replaced(&self) -> bool {
        let (Some(was_at), Some(is_at)) = (&self.was_at, is_at(self.target)) else { return false };
        *was_at != is_at && number_at(was_at).is_some_and(|there| number_of(&self.target.file) != Some(there))
    }
}

/// What the kernel numbers a file by, and what a name leads to, without asking who serves them.
fn number_of(file: &fs::File) -> Option<(u32, u32, u64)> {
    use rustix::fs::{AtFlags, StatxFlags};
    let how = AtFlags::EMPTY_PATH | AtFlags::STATX_DONT_SYNC;
    let found = rustix::fs::statx(file, c"", how, StatxFlags::INO).ok()?;
    Some((found.stx_dev_major, found.stx_dev_minor, found.stx_ino))
}

fn number_at(path: &Path) -> Option<(u32, u32, u64)> {
    use rustix::fs::{AtFlags, CWD, StatxFlags};
    let found = rustix::fs::statx(CWD, path, AtFlags::STATX_DONT_SYNC, StatxFlags::INO).ok()?;
    Some((found.stx_dev_major, found.stx_dev_minor, found.stx_ino))
}

/// Where the kernel has a file, without asking who serves it.
fn is_at(target: &Target) -> Option<PathBuf> {
    fs::read_link(format!("/proc/self/fd/{}", target.file.as_raw_fd())).ok()
}

struct Is {
    bytes: u64,
    placed: u64,
    names: u32,
}

/// Size and names of a file, as the kernel has them: asking who serves it might never be answered where that hangs.
fn is(target: &Target) -> Option<Is> {
    use rustix::fs::{AtFlags, FileType, StatxFlags};
    let how = AtFlags::EMPTY_PATH | AtFlags::STATX_DONT_SYNC;
    let what = StatxFlags::TYPE | StatxFlags::SIZE | StatxFlags::BLOCKS | StatxFlags::NLINK;
    let found = rustix::fs::statx(&*target.file, c"", how, what).ok()?;
    let is_file = FileType::from_raw_mode(u32::from(found.stx_mode)) == FileType::RegularFile;
    is_file.then_some(Is { bytes: found.stx_size, placed: 512 * found.stx_blocks, names: found.stx_nlink })
}

/// The disk's folder under `/sys`; that of a partition is in the disk's.
pub(crate) fn disk(target: &Target) -> Option<PathBuf> {
    let meta = target.file.metadata().ok()?;
    let number = if meta.file_type().is_block_device() { meta.rdev() } else { meta.dev() };
    let name = format!("{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    let folder = fs::canonicalize(Path::new("/sys/dev/block").join(name)).ok()?;
    if folder.join("partition").exists() { folder.parent().map(Path::to_owned) } else { Some(folder) }
}

fn line(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
