//! Loads on real devices.
//!
//! [`run`] makes the requests of a job; [`guard`] decides what may be written to, and no other code of
//! this workspace writes to a device or file that a user names for measuring.

mod direct;
pub mod guard;
mod run;
mod schedstat;

pub use direct::NotDirect;
pub use run::{CannotRun, Target, run};
