//! Measured drives: the files in which DiskSim's distribution holds them, and how well a model answers like
//! them.

mod drive;
mod syntax;
mod trace;
mod validation;

pub use drive::{BusTimes, MeasuredDrive, Open, Opened, read_drive, read_seek_curve};
pub use syntax::FileFault;
pub use trace::{MeasuredRequest, read_measured_trace};
pub use validation::{Validation, rms_ms, validate};
