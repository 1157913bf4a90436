//! That what the guard gave free is still nobody else's, from its last look to the last request.
//!
//! Where the kernel gives a lease on a file it is kept: whoever opens the file, or cuts it by its name, is held up by
//! the kernel, and we are asked to let go. A run that writes ends first, so no byte of theirs is ever written over.
//! Elsewhere, and for devices, others are looked for again before each run.

use super::kernel;
use super::refusal::Reason;
use super::target::{Kind, written};
use crate::sys;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was seen when the guard had looked, and what keeps it so.
#[derive(Debug)]
pub(crate) struct Hold {
    file: Arc<File>,
    kind: Kind,
    /// The kernel holds up whoever opens it, until the lease is given back.
    leased: bool,
    /// When it was written last.
    written: (i64, i64),
    /// We have written to it since.
    begun: AtomicBool,
}

impl Hold {
    pub(super) fn new(file: &Arc<File>, kind: Kind, leased: bool, written: (i64, i64)) -> Self {
        Self { file: Arc::clone(file), kind, leased, written, begun: AtomicBool::new(false) }
    }

    /// Looks for others where no lease keeps them out; it may take a while where many processes run.
    pub(crate) fn look(&self) -> Option<Reason> {
        if self.leased {
            return None;
        }
        let Ok(meta) = self.file.metadata() else { return None };
        match self.kind {
            Kind::BlockDevice => kernel::block_device_in_use(meta.rdev(), Some(&self.file)),
            Kind::File => kernel::file_in_use(meta.dev(), meta.ino(), 1),
        }
        .reason
    }

    /// What speaks against the next request that writes, in the moment before it.
    pub(crate) fn objection(&self) -> Option<Reason> {
        if self.is_wanted() {
            return Some(Reason::Wanted);
        }
        let tells = self.kind == Kind::File && !self.begun.load(Ordering::Relaxed);
        (tells && written(&self.file).is_ok_and(|now| now != self.written)).then_some(Reason::Written)
    }

    /// From here on it is written to by us.
    pub(crate) fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    /// Is somebody held up by our lease, or was until the kernel took it from us?
    pub(crate) fn is_wanted(&self) -> bool {
        self.leased && !sys::is_leased(&self.file)
    }

    /// Lets them go on. Nothing of ours is to be under way any more, and no run that writes begins after it.
    pub(crate) fn let_go(&self) {
        if self.is_wanted() {
            self.give_back();
        }
    }

    fn give_back(&self) {
        if self.leased {
            // Where it fails there is none.
            let _ = sys::give_back(&self.file);
        }
    }
}

impl Drop for Hold {
    /// The file may stay open for a while: the kernel takes down a ring later, and that has it.
    fn drop(&mut self) {
        self.give_back();
    }
}
