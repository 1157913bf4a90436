//! Loads on real devices.
//!
//! [`run`] makes the requests of a job; [`guard`] decides what may be written to, and no other code of
//! this workspace writes to a device or file that a user names for measuring.

mod direct;
pub mod guard;
mod how;
mod limits;
mod run;
mod schedstat;
mod tally;
mod target;
mod threads;

pub use direct::NotDirect;
pub use how::{Engine, How, Progress, Watch};
pub use run::{CannotRun, run};
pub use target::Target;
