//! Devices, one a file.

pub(crate) mod cloud_volume;
pub(crate) mod hard_disk;
pub(crate) mod latency_cap;
pub(crate) mod link;
pub(crate) mod nvme;
pub(crate) mod ssd;
pub(crate) mod zoned_disk;
