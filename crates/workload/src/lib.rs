//! The language of load: what a device answers at which load.
//!
//! So far the device curve and the queue that stands in for one; jobs, arrival processes and results
//! come with the measuring of devices.

mod curve;
mod queue;

pub use curve::{CurveError, CurveLatency, CurvePoint, DeviceCurve};
pub use queue::Queue;
