//! A device or file of a run.

use crate::direct::{self, NotDirect};
use crate::guard::{Armed, Hold, ReadTarget, Reason, Refusal, remove_name};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use spindle_workload::{Layout, Volume};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// A device or file of a run.
///
/// Clones share one descriptor: a request that never ends keeps it open, and the run need not wait.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) name: String,
    pub(crate) file: Arc<File>,
    pub(crate) bytes: u64,
    pub(crate) may_write: bool,
    /// What keeps others from what is written to; of a volume, its devices have it.
    pub(crate) hold: Option<Arc<Hold>>,
    /// Alignment of direct I/O; `None` through the page cache.
    pub(crate) align: Option<usize>,
    /// The devices of a volume; then `file` is that of the first.
    pub(crate) volume: Option<Arc<Members>>,
}

/// Devices that make a volume.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) layout: Layout,
    pub(crate) all: Vec<Target>,
}

impl Target {
    /// A target that is read only.
    #[must_use]
    pub fn reading(name: &str, target: ReadTarget) -> Self {
        let bytes = target.bytes();
        let file = Arc::new(target.into_file());
        without_access_times(&file);
        Self { name: name.to_owned(), file, bytes, may_write: false, hold: None, align: None, volume: None }
    }

    /// A target that may be written to.
    #[must_use]
    pub fn writing(name: &str, target: Armed) -> Self {
        let bytes = target.bytes();
        let (file, hold) = target.into_parts();
        without_access_times(&file);
        Self {
            name: name.to_owned(),
            file,
            bytes,
            may_write: true,
            hold: Some(Arc::new(hold)),
            align: None,
            volume: None,
        }
    }

    /// Goes past the page cache.
    ///
    /// # Errors
    /// Where that is not possible.
    pub fn direct(mut self) -> Result<Self, NotDirect> {
        self.align = Some(direct::switch_on(&self.file)?);
        Ok(self)
    }

    /// One target of several: a request goes to the devices that its addresses lie on, all pieces at once, and
    /// is done when all of them are. For streams of requests; logs, scans and SLOB's sessions take none.
    ///
    /// # Errors
    /// In a sentence, where they make no volume.
    pub fn volume(volume: Volume, all: Vec<Self>) -> Result<Self, String> {
        let sizes: Vec<u64> = all.iter().map(|t| t.bytes).collect();
        let layout = volume.over(&sizes)?;
        let Some(first) = all.first() else { return Err("a volume has devices".to_owned()) };
        if all.iter().any(|t| t.align.is_some() != first.align.is_some()) {
            return Err("some of the devices are gone past the page cache, and some are not".to_owned());
        }
        let align = all.iter().filter_map(|t| t.align).max();
        if let (Volume::Raid0 { stripe_bytes }, Some(align)) = (volume, align)
            && !stripe_bytes.is_multiple_of(align as u64)
        {
            return Err(format!(
                "stripes of {stripe_bytes} bytes are no multiple of the {align} bytes that direct I/O takes here"
            ));
        }
        let names: Vec<&str> = all.iter().map(|t| t.name.as_str()).collect();
        Ok(Self {
            name: format!("{} ({})", names.join(" + "), volume.name()),
            file: Arc::clone(&first.file),
            bytes: layout.bytes(),
            may_write: all.iter().all(|t| t.may_write),
            hold: None,
            align,
            volume: Some(Arc::new(Members { layout, all })),
        })
    }

    /// The devices: itself, or those of a volume.
    pub(crate) fn devices(&self) -> &[Self] {
        self.volume.as_ref().map_or(std::slice::from_ref(self), |volume| volume.all.as_slice())
    }

    /// Has somebody come to use one of the devices where no lease keeps them out? Looking may take a while.
    pub(crate) fn look_for_others(&self) -> Result<(), String> {
        self.held(Hold::look)
    }

    /// What speaks against writing in the moment before the first request that does. From here on what is written is
    /// ours.
    pub(crate) fn begin_writing(&self) -> Result<(), String> {
        self.held(Hold::objection)?;
        self.devices().iter().filter_map(|one| one.hold.as_ref()).for_each(|hold| hold.begin());
        Ok(())
    }

    fn held(&self, objection: impl Fn(&Hold) -> Option<Reason>) -> Result<(), String> {
        for one in self.devices() {
            if let Some(reason) = one.hold.as_ref().and_then(|hold| objection(hold)) {
                return Err(Refusal { path: one.name.clone().into(), reason }.to_string());
            }
        }
        Ok(())
    }

    /// Does somebody wait for this device until we let go of it?
    pub(crate) fn is_wanted(&self) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.is_wanted())
    }

    /// Lets whoever waits for one of its devices go on, where nothing of ours that writes is under way; from then on it
    /// is not written to. To be called often by who opens several and takes his time.
    pub fn let_go(&self) {
        self.devices().iter().filter_map(|one| one.hold.as_ref()).for_each(|hold| hold.let_go());
    }

    /// Takes the name of a file that was made away, if it still leads to it. The file goes with its last user.
    pub fn remove_name(&self, path: &Path) -> bool {
        remove_name(path, &self.file)
    }

    /// Bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Reading is to leave no trace in a file system, and to cost nothing there. Only an owner may ask for that;
/// where it is refused, times of access are kept as ever.
fn without_access_times(file: &File) {
    if let Ok(flags) = fcntl_getfl(file) {
        let _ = fcntl_setfl(file, flags | OFlags::NOATIME);
    }
}
