//! Devices, one a file.

pub(crate) mod latency_cap;
