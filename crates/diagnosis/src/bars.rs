//! Bars: from where on a latency is called slow, by device class.

use serde::Serialize;

/// What kind of storage answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceClass {
    /// Spinning disks, or an array of them without much cache.
    Disk,
    /// Flash, known from names or parameters.
    Flash,
    /// Exadata: cells with flash cache before disks.
    Exadata,
    /// Fast, and nothing tells whether flash or a cache answers.
    FlashOrCache,
    /// Nothing printed tells.
    Unknown,
}

/// Bars of one device class.
///
/// Shape: one a class. Unit: microseconds a request, mean. Missing: every bar has a default.
/// Source: the reference of each constructor's doc.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bars {
    /// Single-block read worth a look.
    pub single_block_read_us: f64,
    /// Multi-block read worth a look.
    pub multi_block_read_us: f64,
    /// Log write worth a look.
    pub log_write_us: f64,
    /// Commit (log file sync) worth a look.
    pub log_sync_us: f64,
    /// Database writer batch worth a look.
    pub db_write_us: f64,
}

impl Bars {
    /// Default bars of a class. An average at the bar deserves a look; none is a law.
    ///
    /// | | disk, unknown | flash, cache, Exadata | source |
    /// |---|---|---|---|
    /// | single-block read | 10 ms | 1 ms | Oracle's help and ADDM's default; a flash tier needs 0.2-1 ms |
    /// | multi-block read | 20 ms | 5 ms | ours: one arm movement and 1 MB at 100 MB/s; 1 MB at 250 MB/s |
    /// | log write | 10 ms | 2 ms | practitioners: good under 1-2 ms, slow from 10 ms |
    /// | commit | 10 ms | 3 ms | practitioners: 3, 10, 20 ms are good, worth a look, bad |
    /// | database writer | 20 ms | 5 ms | ours: a batch is asynchronous and no latency, so twice a read's bar and more |
    ///
    /// Where only speed tells (flash or cache), the bar for single blocks is twice that of flash: a
    /// cache before disks answers in up to 2 ms on average, and what is slower but for that guess
    /// would be held to the bars of disks. Scans miss such a cache, so they keep the bar of disks.
    #[must_use]
    pub fn of(class: DeviceClass) -> Self {
        match class {
            DeviceClass::Disk | DeviceClass::Unknown => Self {
                single_block_read_us: 10_000.0,
                multi_block_read_us: 20_000.0,
                log_write_us: 10_000.0,
                log_sync_us: 10_000.0,
                db_write_us: 20_000.0,
            },
            DeviceClass::FlashOrCache => Self {
                single_block_read_us: 2_000.0,
                multi_block_read_us: 20_000.0,
                ..Self::of(DeviceClass::Flash)
            },
            DeviceClass::Flash | DeviceClass::Exadata => Self {
                single_block_read_us: 1_000.0,
                multi_block_read_us: 5_000.0,
                log_write_us: 2_000.0,
                log_sync_us: 3_000.0,
                db_write_us: 5_000.0,
            },
        }
    }
}
