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
    /// Default bars of a class.
    ///
    /// Disk: single-block read 10 ms (Oracle's own help; ADDM's default), log write 10 ms, commit
    /// 10 ms. Flash: 1 ms reads (a flash tier needs 0.2-1 ms), log write 2 ms, commit 3 ms.
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
            DeviceClass::Flash | DeviceClass::FlashOrCache | DeviceClass::Exadata => Self {
                single_block_read_us: 1_000.0,
                multi_block_read_us: 5_000.0,
                log_write_us: 2_000.0,
                log_sync_us: 3_000.0,
                db_write_us: 5_000.0,
            },
        }
    }
}
