//! The ring and its memory, and questions about loop devices and leases: the only code of this crate that the compiler
//! cannot check.
//!
//! A [`Ring`] hands the kernel addresses into its own [`Memory`]. It counts what the kernel still holds,
//! and gives the memory back only when that is nothing: a request that never ends costs its memory, and no
//! byte of it is ever used for something else.
#![allow(unsafe_code)]

use crate::driver::{Backend, MOST_AWAITED, Part};
use crate::guard::marker;
use io_uring::{IoUring, cqueue, opcode, squeue, types};
use rustix::event::{EventfdFlags, eventfd};
use spindle_workload::Seeded;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// Alignment of the memory: no device asks for more, and registered memory is pinned by pages.
const PAGE: usize = 4096;
/// Entries of the submission queue at most; what is pushed beyond is handed over first.
const MOST_ENTRIES: u32 = 256;
/// Wakes a ring that waits.
const WAKE: u64 = u64::MAX;
/// Answers of cancelling.
const CANCEL: u64 = u64::MAX - 1;

/// What a loop device stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopBacking {
    /// Number of the device that the file's file system is on.
    pub(crate) device: u64,
    /// Number of the file there.
    pub(crate) inode: u64,
    /// Number of the block device that it stands on, 0 where that is a file.
    pub(crate) on_device: u64,
}

/// `struct loop_info64` of `linux/loop.h`.
#[repr(C)]
struct LoopInfo {
    device: u64,
    inode: u64,
    on_device: u64,
    /// Offset and size limit; numbers, kind of encryption and flags; names and key.
    rest: [u64; 26],
}

/// Asks the kernel what a loop device stands on.
pub(crate) fn loop_backing(device: &File) -> io::Result<LoopBacking> {
    const LOOP_GET_STATUS64: libc::Ioctl = 0x4C05;
    const { assert!(size_of::<LoopInfo>() == 232) };
    let mut info = LoopInfo { device: 0, inode: 0, on_device: 0, rest: [0; 26] };
    // SAFETY: the call writes one `loop_info64`, which is as large as this, and only numbers.
    let done = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_GET_STATUS64, &raw mut info) };
    if done != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(LoopBacking { device: info.device, inode: info.inode, on_device: info.on_device })
}

/// Takes a lease for writing on an ordinary file, which the kernel gives only where nobody else has it open. Whoever
/// opens it from then on, or cuts it by its name, is held up until it is given back or closed, at most as long as
/// `fs.lease-break-time` says. `EAGAIN` is somebody; other errors say nothing of that.
pub(crate) fn lease(file: &File) -> io::Result<()> {
    // Who waits is told to us by a signal. That of leases ends a process that does not wait for it; this one is ignored
    // unless somebody asks for it.
    fcntl(file, F_SETSIG, libc::SIGURG)?;
    fcntl(file, libc::F_SETLEASE, libc::F_WRLCK).map(drop)
}

/// Gives a lease back: who waits for the file goes on.
pub(crate) fn give_back(file: &File) -> io::Result<()> {
    fcntl(file, libc::F_SETLEASE, libc::F_UNLCK).map(drop)
}

/// Is a lease for writing held, and does nobody wait for the file?
pub(crate) fn is_leased(file: &File) -> bool {
    fcntl(file, libc::F_GETLEASE, 0).is_ok_and(|kind| kind == libc::F_WRLCK)
}

fn fcntl(file: &File, command: libc::c_int, value: libc::c_int) -> io::Result<libc::c_int> {
    // SAFETY: a call with numbers, on a descriptor that is open.
    match unsafe { libc::fcntl(file.as_raw_fd(), command, value) } {
        -1 => Err(io::Error::last_os_error()),
        answer => Ok(answer),
    }
}

/// As `asm-generic/fcntl.h` has it.
const F_SETSIG: libc::c_int = 10;

/// From here on what would be longer than a limit on the size of files (`ulimit -f`) fails as a full disk does, and
/// does not end the process with a file of ours left behind. Processes that are started inherit it.
pub fn file_limit_is_an_error() {
    // SAFETY: no function of ours is called when the signal comes, it is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// How the kernel brings answers to the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    /// By interrupting the thread.
    Plain,
    /// When the thread enters the kernel anyway.
    Cooperative,
    /// When the thread waits for them.
    Deferred,
}

impl Flags {
    /// What costs least as a rule first: on a virtio disk 9 % less than the second, on loop devices and files in memory
    /// as much, by trials.
    pub(crate) const ALL: [Self; 3] = [Self::Cooperative, Self::Deferred, Self::Plain];

    /// As the kernel's manual has them.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "no flags",
            Self::Cooperative => "COOP_TASKRUN",
            Self::Deferred => "SINGLE_ISSUER|DEFER_TASKRUN",
        }
    }
}

/// Memory on a page boundary.
struct Memory {
    start: *mut u8,
    layout: Layout,
}

// SAFETY: it owns what it points to, as a box does.
unsafe impl Send for Memory {}

impl Memory {
    fn new(bytes: usize) -> io::Result<Self> {
        let layout = Layout::from_size_align(bytes.max(1), PAGE)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        Ok(Self { start, layout })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout, and dropped once.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// What a ring is made for.
pub(crate) struct Order {
    /// The devices: one, or those of a volume.
    pub(crate) files: Vec<Arc<File>>,
    /// Pieces of a request under way at a time.
    pub(crate) pieces: u32,
    /// Requests under way at most.
    pub(crate) slots: u32,
    /// Bytes of the largest.
    pub(crate) slot_bytes: u32,
    /// Is anything written?
    pub(crate) writes: bool,
    /// Do all reads end in the same memory? Nobody looks at what they bring; only where the kernel copies it there.
    pub(crate) in_one_place: bool,
    pub(crate) seed: u64,
    pub(crate) flags: Flags,
}

/// An `io_uring` with registered file and memory.
pub(crate) struct Ring {
    ring: IoUring,
    /// `None` once it is left to the kernel.
    memory: Option<Memory>,
    /// Kept open as long as the kernel may use it.
    _files: Vec<Arc<File>>,
    wake: Arc<OwnedFd>,
    /// Is the memory registered?
    fixed: bool,
    slots: u32,
    slot_bytes: u32,
    /// Bytes from what is read by one slot to what is by the next.
    apart: usize,
    writes: bool,
    /// Requests that the kernel holds.
    under_way: u32,
    pushed: u32,
    written: Seeded,
    /// An error on the way to the kernel, given at the next `enter`.
    broken: Option<io::Error>,
}

/// Can a ring be had here? If not, why.
pub(crate) fn probe() -> Result<(), String> {
    let ring = IoUring::new(4).map_err(|e| why(&e))?;
    lacks(&ring).map_or(Ok(()), Err)
}

/// What the kernel's `io_uring` does not have and ours needs.
fn lacks(ring: &IoUring) -> Option<String> {
    let features = ring.params();
    (!features.is_feature_ext_arg() || !features.is_feature_nodrop())
        .then(|| "the kernel's io_uring is older than that of Linux 5.11".to_owned())
}

/// Why there is no ring, in words.
pub(crate) fn why(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOSYS) => "the kernel has no io_uring".to_owned(),
        Some(libc::EPERM | libc::EACCES) => {
            "io_uring is forbidden here (a container's rules, or kernel.io_uring_disabled)".to_owned()
        }
        Some(libc::ENOMEM) => "io_uring got no memory (ulimit -l says how much may be locked)".to_owned(),
        _ => format!("io_uring cannot be set up: {error}"),
    }
}

impl Ring {
    /// Sets up a ring, on the thread that will use it.
    pub(crate) fn new(order: &Order) -> io::Result<Self> {
        let mut builder = IoUring::builder();
        // Twice as many answers as can come: none overflows.
        builder
            .setup_cqsize(
                (order.slots.saturating_mul(order.pieces) + MOST_AWAITED as u32 + 1)
                    .saturating_mul(2)
                    .next_power_of_two(),
            )
            .setup_clamp()
            .dontfork();
        match order.flags {
            Flags::Plain => {}
            Flags::Cooperative => drop(builder.setup_coop_taskrun()),
            Flags::Deferred => drop(builder.setup_single_issuer().setup_defer_taskrun()),
        }
        let entries = order.slots.saturating_mul(2).next_power_of_two().clamp(8, MOST_ENTRIES);
        let ring: IoUring<squeue::Entry, cqueue::Entry> = builder.build(entries)?;
        if let Some(lack) = lacks(&ring) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, lack));
        }
        let files: Vec<_> = order.files.iter().map(|file| file.as_raw_fd()).collect();
        ring.submitter().register_files(&files)?;
        // Reads and writes have memory of their own: what was read is not written elsewhere.
        let halves = if order.writes { 2 } else { 1 };
        let bytes = order.slots as usize * order.slot_bytes as usize * halves;
        let memory = Memory::new(bytes)?;
        let registered = libc::iovec { iov_base: memory.start.cast(), iov_len: bytes };
        // SAFETY: the memory stays where it is until the ring is closed, and longer where the kernel holds it.
        let fixed = unsafe { ring.submitter().register_buffers(&[registered]) }.is_ok();
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let mut made = Self {
            ring,
            memory: Some(memory),
            _files: order.files.clone(),
            wake,
            fixed,
            slots: order.slots,
            slot_bytes: order.slot_bytes,
            apart: if order.in_one_place { 0 } else { order.slot_bytes as usize },
            writes: order.writes,
            under_way: 0,
            pushed: 0,
            written: Seeded::new(order.seed, u64::MAX),
            broken: None,
        };
        if order.writes {
            let mut random = Seeded::new(order.seed, u64::MAX - 1);
            for slot in 0..order.slots {
                let at = made.place(slot, true, 0);
                // SAFETY: of our own memory, in bounds, and the kernel holds none of it yet.
                let area = unsafe { std::slice::from_raw_parts_mut(at, order.slot_bytes as usize) };
                marker::fill(area, order.seed, &mut random);
            }
        }
        // It ends a wait for however many answers.
        for _ in 0..MOST_AWAITED {
            let poll = opcode::PollAdd::new(types::Fd(made.wake.as_raw_fd()), libc::POLLIN as u32);
            made.submit(&poll.build().user_data(WAKE));
        }
        Ok(made)
    }

    /// Writing to it ends a wait.
    pub(crate) fn wake(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.wake)
    }

    /// How requests are made, in words.
    pub(crate) fn describe(&self) -> &'static str {
        if self.fixed { "registered file and memory" } else { "registered file, memory not (ulimit -l)" }
    }

    /// Where a slot's memory lies.
    fn place(&self, slot: u32, write: bool, from: u32) -> *mut u8 {
        let start = self.memory.as_ref().map_or(std::ptr::null_mut(), |m| m.start);
        assert!(slot < self.slots && from <= self.slot_bytes && (self.writes || !write));
        let (slots, slot, slot_bytes) = (self.slots as usize, slot as usize, self.slot_bytes as usize);
        let at = if write { (slots + slot) * slot_bytes } else { slot * self.apart };
        // SAFETY: in bounds of the memory, by the assertion and the size that it was made with.
        unsafe { start.add(at + from as usize) }
    }

    fn submit(&mut self, entry: &squeue::Entry) {
        loop {
            // SAFETY: what the entry points to is of our memory, which outlives it; see the head.
            match unsafe { self.ring.submission().push(entry) } {
                Ok(()) => return self.pushed += 1,
                // Full: handed over first.
                Err(_) => match self.ring.submit() {
                    Ok(_) => self.pushed = 0,
                    Err(error) if error.raw_os_error() == Some(libc::EINTR) => {}
                    Err(error) => return self.broken = Some(error),
                },
            }
        }
    }
}

impl Backend for Ring {
    fn push(&mut self, part: Part) {
        let (slot, entry) = match part {
            Part::Read { slot, device, offset, from, bytes } => {
                let file = types::Fixed(device);
                assert!(u64::from(from) + u64::from(bytes) <= u64::from(self.slot_bytes));
                let at = self.place(slot, false, from);
                let entry = if self.fixed {
                    opcode::ReadFixed::new(file, at, bytes, 0).offset(offset).build()
                } else {
                    opcode::Read::new(file, at, bytes).offset(offset).build()
                };
                (slot, entry)
            }
            Part::Write { slot, device, offset, from, bytes, dsync, fresh } => {
                let file = types::Fixed(device);
                assert!(u64::from(from) + u64::from(bytes) <= u64::from(self.slot_bytes));
                let at = self.place(slot, true, from);
                if fresh {
                    // SAFETY: of our own memory, in bounds, and of a part that the kernel does not hold: those of a slot
                    // that are under way at a time lie apart.
                    let area = unsafe { std::slice::from_raw_parts_mut(at, bytes as usize) };
                    marker::vary(area, self.written.bits());
                }
                let flags = if dsync { libc::RWF_DSYNC } else { 0 };
                let entry = if self.fixed {
                    opcode::WriteFixed::new(file, at, bytes, 0).offset(offset).rw_flags(flags).build()
                } else {
                    opcode::Write::new(file, at, bytes).offset(offset).rw_flags(flags).build()
                };
                (slot, entry)
            }
            Part::Flush { slot } => {
                (slot, opcode::Fsync::new(types::Fixed(0)).flags(types::FsyncFlags::DATASYNC).build())
            }
        };
        self.under_way += 1;
        self.submit(&entry.user_data(u64::from(slot)));
    }

    fn enter(&mut self, least: usize, timeout: Option<Duration>) -> io::Result<()> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        if self.pushed == 0 && least == 0 {
            return Ok(());
        }
        let outcome = match timeout {
            Some(timeout) if least > 0 => {
                let length = types::Timespec::new().sec(timeout.as_secs()).nsec(timeout.subsec_nanos());
                let arguments = types::SubmitArgs::new().timespec(&length);
                self.ring.submitter().submit_with_args(least, &arguments)
            }
            _ => self.ring.submit_and_wait(least),
        };
        match outcome {
            Ok(handed) => {
                self.pushed = self.pushed.saturating_sub(u32::try_from(handed).unwrap_or(u32::MAX));
                Ok(())
            }
            // Time is up; a signal; answers have to be taken in first.
            Err(e)
                if matches!(
                    e.raw_os_error(),
                    Some(libc::ETIME | libc::EINTR | libc::EBUSY | libc::EAGAIN)
                ) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn collect(&mut self, into: &mut Vec<(u32, i32)>) {
        for answer in self.ring.completion() {
            if let Ok(slot) = u32::try_from(answer.user_data()) {
                self.under_way -= 1;
                into.push((slot, answer.result()));
            }
        }
    }

    fn cancel(&mut self) {
        let all = opcode::AsyncCancel2::new(types::CancelBuilder::any());
        self.submit(&all.build().user_data(CANCEL));
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        if self.under_way > 0 {
            // The kernel may still write to it.
            std::mem::forget(self.memory.take());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::print_stderr)]
    use super::*;
    use std::time::Instant;

    /// The end of a run would be waited for until as many answers have come.
    #[test]
    fn one_wake_ends_a_wait_for_several_answers() {
        let file = Arc::new(File::open(std::env::current_exe().unwrap()).unwrap());
        let order = |flags| Order {
            files: vec![Arc::clone(&file)],
            pieces: 1,
            slots: 64,
            slot_bytes: 4_096,
            writes: false,
            in_one_place: false,
            seed: 1,
            flags,
        };
        if let Err(why) = probe() {
            return eprintln!("skipped: {why}");
        }
        for flags in Flags::ALL {
            let mut ring = match Ring::new(&order(flags)) {
                Ok(ring) => ring,
                Err(error) => {
                    eprintln!("skipped: {}: {}", flags.name(), why(&error));
                    continue;
                }
            };
            let wake = ring.wake();
            let waker = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
                rustix::io::write(&*wake, &1_u64.to_ne_bytes()).unwrap();
            });
            let begun = Instant::now();
            ring.enter(MOST_AWAITED, Some(Duration::from_secs(60))).unwrap();
            waker.join().unwrap();
            assert!(begun.elapsed() < Duration::from_secs(30), "{}", flags.name());
        }
    }
}
