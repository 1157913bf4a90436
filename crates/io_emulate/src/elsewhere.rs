//! Where there is no FUSE as on Linux: nothing can be emulated, and that is said.

use crate::{EmulateError, Lateness, Order};
use spindle_io_simulate::Device;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::path::Path;

/// Never made here.
#[derive(Debug)]
pub struct Emulation(Infallible);

/// Why an emulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as on Linux")]
pub enum Ended {
    Asked,
    ParentDied,
    Unmounted,
    TooLong,
}

/// Nothing here.
pub struct HeldSignals;

/// Nothing here.
#[derive(Clone, Copy, Debug)]
pub struct Parent;

#[allow(missing_docs, clippy::must_use_candidate, reason = "as on Linux")]
impl HeldSignals {
    pub fn hold() -> Self {
        Self
    }

    pub fn came(&self) -> bool {
        false
    }
}

#[allow(missing_docs, clippy::must_use_candidate, reason = "as on Linux")]
impl Parent {
    pub fn now() -> Self {
        Self
    }
}

#[allow(missing_docs, clippy::missing_errors_doc, clippy::must_use_candidate, reason = "as on Linux")]
impl Emulation {
    pub fn start(_: Order, _: Box<dyn Device + Send>) -> Result<Self, EmulateError> {
        Err(EmulateError::Unavailable("a device can be emulated on Linux alone".to_owned()))
    }

    pub fn at(&self) -> &Path {
        match self.0 {}
    }

    pub fn loop_device(&self) -> Option<&Path> {
        match self.0 {}
    }

    pub fn mounted(&self) -> Vec<(std::path::PathBuf, std::path::PathBuf)> {
        match self.0 {}
    }

    pub fn lateness(&self) -> Lateness {
        match self.0 {}
    }

    pub fn wait(&self, _: &HeldSignals, _: Option<Parent>) -> Ended {
        match self.0 {}
    }

    pub fn end(self) -> Lateness {
        match self.0 {}
    }
}

/// Does nothing here.
pub fn watch(_: &Path, _: &OsStr) {}
