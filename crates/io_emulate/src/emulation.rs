//! A device that is being served, from its mount to its end.

pub use crate::ends::Ended;
use crate::ends::{Signals, wait};
use crate::file::{Answer, DeviceFile};
use crate::pacer::Pacer;
use crate::place::Place;
use crate::store::Store;
use crate::watchdog::Watchdog;
use crate::{Content, EmulateError, Lateness, Order, mounts};
use fuser::{BackgroundSession, Config, MountOption, Session, SessionACL};
use nix::unistd::{Pid, getppid, getuid};
use spindle_io_simulate::Device;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// A device that is being served as a file. Dropped, it ends, and leaves nothing behind; who has the file
/// open keeps it until closing it or until this process ends.
pub struct Emulation {
    place: Place,
    pacer: Arc<Pacer<Answer>>,
    session: Option<BackgroundSession>,
    /// Ends when the kernel has let go of the file.
    gone: UnixStream,
    loop_device: Option<PathBuf>,
    watchdog: Option<Watchdog>,
}

impl Emulation {
    /// Mounts the file and serves it, in threads of its own.
    ///
    /// # Errors
    /// Where something else stands at the place, or FUSE cannot be used; nothing is left then.
    pub fn start(order: Order, device: Box<dyn Device + Send>) -> Result<Self, EmulateError> {
        if order.size_bytes == 0
            || !order.size_bytes.is_multiple_of(512)
            || order.size_bytes > i64::MAX as u64
        {
            return Err(EmulateError::Refused(format!(
                "a device of {} bytes is none: it has whole sectors of 512",
                order.size_bytes
            )));
        }
        if order.loop_device && !getuid().is_root() {
            return Err(EmulateError::Refused(
                "a loop device needs root; the file itself does not".to_owned(),
            ));
        }
        OpenOptions::new().read(true).write(true).open("/dev/fuse").map_err(|error| {
            EmulateError::Unavailable(format!(
                "/dev/fuse cannot be used ({error}); FUSE has to be in the kernel (modprobe fuse) and open to you"
            ))
        })?;
        let place = Place::take(&order.at)?;
        let (path, run) = (place.path.clone(), place.run.clone());
        Self::serve(order, device, place).inspect_err(|_| mounts::clear(&path, &run))
    }

    fn serve(order: Order, device: Box<dyn Device + Send>, place: Place) -> Result<Self, EmulateError> {
        let system = |error: io::Error| EmulateError::Refused(error.to_string());
        let store = match &order.content {
            Content::Memory { bytes } => Store::memory(*bytes),
            Content::Folder(folder) => Store::file(folder, order.size_bytes).map_err(|error| {
                EmulateError::Refused(format!("`{}` cannot keep the content: {error}", folder.display()))
            })?,
        };
        let watchdog =
            order.watchdog.map(|command| Watchdog::start(command, &place.path, &place.run)).transpose()?;
        let pacer = Pacer::start(device, Answer::hand_over).map_err(system)?;
        let (gone, kept) = UnixStream::pair().map_err(system)?;
        let file = DeviceFile::new(order.size_bytes, store, Arc::clone(&pacer), kept);
        let session = Session::new(file, &place.path, &config(&place.run)).map_err(cannot_mount)?;
        let session = session.spawn().map_err(system)?;
        let mut emulation = Self { place, pacer, session: Some(session), gone, loop_device: None, watchdog };
        if order.loop_device {
            emulation.loop_device = Some(attach(emulation.at())?);
        }
        Ok(emulation)
    }

    /// The file.
    #[must_use]
    pub fn at(&self) -> &Path {
        &self.place.path
    }

    /// The loop device over it, where one was asked for.
    #[must_use]
    pub fn loop_device(&self) -> Option<&Path> {
        self.loop_device.as_deref()
    }

    /// How late answers left so far.
    #[must_use]
    pub fn lateness(&self) -> Lateness {
        self.pacer.lateness()
    }

    /// Waits for what ends the emulation: a signal that was held, an unmount, or, with a parent, its
    /// death. From then on signals are let through again: a second one ends the process at once.
    pub fn wait(&self, signals: &HeldSignals, parent: Option<Parent>) -> Ended {
        let ended = wait(&signals.0, &self.gone, parent.map(|p| p.0));
        signals.0.let_through();
        ended
    }

    /// Loop devices over the file and where each is mounted: once this ends they stay so, on a device that is gone.
    #[must_use]
    pub fn mounted(&self) -> Vec<(PathBuf, PathBuf)> {
        mounts::mounted_from(&self.place.run)
    }

    /// Ends it and says how late answers left.
    pub fn end(self) -> Lateness {
        let lateness = self.lateness();
        drop(self);
        lateness
    }
}

impl Drop for Emulation {
    fn drop(&mut self) {
        // While it is still served: what a loop device holds back is written yet.
        mounts::detach_loops(&self.place.run);
        mounts::unmount_moved(&self.place.path, &self.place.run);
        drop(self.session.take());
        mounts::clear(&self.place.path, &self.place.run);
        drop(self.watchdog.take());
    }
}

impl std::fmt::Debug for Emulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Emulation").field("at", &self.place.path).finish_non_exhaustive()
    }
}

/// Signals that end an emulation, held back in this thread and in those that it starts from then on.
pub struct HeldSignals(Signals);

impl HeldSignals {
    /// Holds Ctrl-C, `kill` and the closing of the terminal back; to be called before anything is started.
    #[must_use]
    pub fn hold() -> Self {
        Self(Signals::hold())
    }

    /// Takes one that came, without waiting: was there one?
    #[must_use]
    pub fn came(&self) -> bool {
        self.0.came()
    }
}

/// The process that started this one.
#[derive(Clone, Copy, Debug)]
pub struct Parent(Pid);

impl Parent {
    /// As it is now.
    #[must_use]
    pub fn now() -> Self {
        Self(getppid())
    }
}

fn config(run: &str) -> Config {
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::FSName(mounts::source(run)),
        // So that the kernel checks owner and permissions of the file.
        MountOption::DefaultPermissions,
        MountOption::NoDev,
        MountOption::NoSuid,
        MountOption::NoExec,
        MountOption::NoAtime,
    ];
    // Others than root need leave from /etc/fuse.conf for that.
    config.acl = if getuid().is_root() { SessionACL::All } else { SessionACL::Owner };
    config
}

fn cannot_mount(error: io::Error) -> EmulateError {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound => EmulateError::Unavailable(format!(
            "FUSE cannot be mounted here ({error}); it needs root, or fusermount3 (package fuse3)"
        )),
        _ => EmulateError::Refused(format!("the file could not be mounted: {error}")),
    }
}

/// Puts a loop device over the file, with direct I/O: otherwise one request follows the other.
fn attach(path: &Path) -> Result<PathBuf, EmulateError> {
    let mut command = Command::new("losetup");
    command.args(["--direct-io=on", "--find", "--show"]).arg(path).stdin(Stdio::null());
    let refuse = |why: String| EmulateError::Refused(format!("no loop device: {}", why.trim()));
    let output = command.output().map_err(|error| refuse(format!("losetup does not run: {error}")))?;
    if !output.status.success() {
        return Err(refuse(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}
