//! Devices, one a file.

pub(crate) mod latency_cap;
pub(crate) mod zoned_disk;
