//! Workbooks that people argue over: inputs in yellow, everything else a formula with its result.

mod sheet;
mod size;

pub use size::size;
