//! A device or file of a run.

use crate::direct::{self, NotDirect};
use crate::guard::{Armed, ReadTarget};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::fs::File;
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
    /// Alignment of direct I/O; `None` through the page cache.
    pub(crate) align: Option<usize>,
}

impl Target {
    /// A target that is read only.
    #[must_use]
    pub fn reading(name: &str, target: ReadTarget) -> Self {
        let bytes = target.bytes();
        let file = Arc::new(without_access_times(target.into_file()));
        Self { name: name.to_owned(), file, bytes, may_write: false, align: None }
    }

    /// A target that may be written to.
    #[must_use]
    pub fn writing(name: &str, target: Armed) -> Self {
        let bytes = target.bytes();
        let file = Arc::new(without_access_times(target.into_file()));
        Self { name: name.to_owned(), file, bytes, may_write: true, align: None }
    }

    /// Goes past the page cache.
    ///
    /// # Errors
    /// Where that is not possible.
    pub fn direct(mut self) -> Result<Self, NotDirect> {
        self.align = Some(direct::switch_on(&self.file)?);
        Ok(self)
    }

    /// Bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Reading is to leave no trace in a file system, and to cost nothing there. Only an owner may ask for that;
/// where it is refused, times of access are kept as ever.
fn without_access_times(file: File) -> File {
    if let Ok(flags) = fcntl_getfl(&file) {
        let _ = fcntl_setfl(&file, flags | OFlags::NOATIME);
    }
    file
}
