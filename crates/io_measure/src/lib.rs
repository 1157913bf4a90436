//! Loads on real devices.
//!
//! [`run`] makes the requests of a job; [`guard`] decides what may be written to, and no other code of
//! this workspace writes to a device or file that a user names for measuring.

mod direct;
mod driver;
mod facts;
mod fill;
pub mod guard;
mod how;
mod limits;
mod log;
mod null;
mod replay;
mod ring;
mod run;
mod scan;
mod schedstat;
mod settings;
mod slob;
mod sys;
mod tally;
mod target;
mod threads;

pub use direct::NotDirect;
pub use fill::fill;
pub use how::{Engine, How, Progress, Watch};
pub use run::{CannotRun, run};
pub use scan::run_scan;
pub use settings::{Restored, Settings, Which, restore, schedulers};
pub use slob::run_slob;
pub use sys::file_limit_is_an_error;
pub use target::Target;

/// Can the kernel's `io_uring` be used here? If not, why, in a sentence.
///
/// # Errors
/// Where it is forbidden, absent, or too old.
pub fn io_uring_here() -> Result<(), String> {
    sys::probe()
}
