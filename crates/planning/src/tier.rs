//! A tier of storage that objects could move to.

mod parse;
mod profile;
mod quantity;

pub use profile::{Profile, Sourced, profiles};
pub(crate) use quantity::{
    bits as field_bits, bytes as field_bytes, iops as field_iops, mbps as field_mbps,
    microseconds as field_us, plain as plain_number,
};
use serde::Serialize;

/// A tier of storage.
///
/// Shape: one a tier offered. Unit: bytes; microseconds a small request (8 KiB); MB (10^6 bytes) a
/// second; price in the user's currency; bytes written over its life. Missing: `None` where not given.
/// Source: the user, or a profile with its own source.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tier {
    pub name: String,
    pub capacity_bytes: f64,
    pub read_latency_us: f64,
    /// As the reads where neither the user nor a profile says.
    pub write_latency_us: f64,
    /// Bandwidth; a large request takes its latency and its bytes over this.
    pub mbps: Option<f64>,
    pub iops_cap: Option<f64>,
    pub price: Option<f64>,
    pub endurance_bytes: Option<f64>,
    /// Profile that filled what was not given.
    pub profile: Option<String>,
}

/// What people call a tier of memory.
const MEMORY_NAMES: [&str; 8] = ["ram", "dram", "tmpfs", "shm", "dev_shm", "ramdisk", "ram_disk", "memory"];

impl Tier {
    /// Is it memory, by its profile, or else by its name?
    pub(crate) fn is_memory(&self) -> bool {
        match &self.profile {
            Some(profile) => profile == "ram",
            None => {
                // A second one is called `ram2`.
                let name = self.name.to_ascii_lowercase();
                let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-'));
                MEMORY_NAMES.contains(&name)
            }
        }
    }
}

/// Microseconds of a latency as people write it: `10ms`, `200us`.
///
/// # Errors
/// In a sentence, where it is none above zero.
pub fn parse_latency(text: &str) -> Result<f64, String> {
    let text = text.trim();
    quantity::microseconds(text).ok_or_else(|| none("time", text, "10ms or 200us"))
}

fn none(what: &str, text: &str, examples: &str) -> String {
    format!("`{text}` is no {what}: {}; write for example {examples}", quantity::why_not(text))
}

/// Requests a second as people write them: `150`, `16000IOPS`.
///
/// # Errors
/// In a sentence, where it is no rate above zero.
pub fn parse_iops(text: &str) -> Result<f64, String> {
    let text = text.trim();
    quantity::plain(text)
        .or_else(|| quantity::iops(text))
        .ok_or_else(|| format!("`{text}` is no rate of requests; write for example 150 or 16000IOPS"))
}

/// MB (10^6 bytes) a second as people write them: `200`, `200MB/s`, `1GiB/s`.
///
/// # Errors
/// In a sentence, where it is no rate above zero.
pub fn parse_mbps(text: &str) -> Result<f64, String> {
    let text = text.trim();
    quantity::plain(text).or_else(|| quantity::mbps(text)).ok_or_else(|| match quantity::bits(text) {
        Some(bits) => format!("`{text}` is no rate of bytes: {bits}"),
        None => format!("`{text}` is no rate of bytes; write for example 200 or 200MB/s"),
    })
}

/// Bytes of a size as people write it: `40G`, `1.5 TiB`; `G` and `GiB` are 2^30, as databases count, `GB` 10^9.
///
/// # Errors
/// In a sentence, where it is no size above zero.
pub fn parse_bytes(text: &str) -> Result<f64, String> {
    let text = text.trim();
    quantity::bytes(text).ok_or_else(|| none("size", text, "40G or 1.5T"))
}
