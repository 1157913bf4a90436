//! How the rate of a run went over its time: whether it was steady, and where it stepped.

use serde::{Deserialize, Serialize};

/// How a stream's rate went over its time.
///
/// Shape: one a stream, with at most 128 slices of one length. Unit: requests a second, seconds from the
/// end of the warm-up. Missing: `steady` is `None` where the run is too short to tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Length of a slice.
    pub slice_s: f64,
    /// Requests a second of each slice.
    pub iops: Vec<f64>,
    /// Did the rate stay the same?
    pub steady: Option<bool>,
    /// Where it changed for good.
    pub steps: Vec<Step>,
}

/// A change of the rate that lasted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Step {
    pub at_s: f64,
    pub before_iops: f64,
    pub after_iops: f64,
}
