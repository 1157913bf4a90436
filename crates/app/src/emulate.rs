//! `spindle emulate`: a modelled device as a real file.

use crate::json;
use serde::Serialize;
use spindle_io_emulate::{Content, Emulation, Order};
use spindle_io_simulate::{
    Device, LatencyCap, LatencyCapSpec, NoSuchDevice, Picoseconds, ZonedDisk, ZonedDiskSpec,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sizes are cut to whole blocks of this.
const BLOCK_BYTES: u64 = 4_096;

/// A device to be served, as it is asked for.
#[derive(Debug)]
pub struct EmulationOrder {
    /// Where the file appears.
    pub at: PathBuf,
    /// Size; cut to whole blocks of 4 KiB.
    pub size_bytes: f64,
    /// What a request takes at least.
    pub latency_us: f64,
    /// Requests a second at most.
    pub iops_cap: Option<f64>,
    /// MB (10^6 bytes) a second at most.
    pub mbps_cap: Option<f64>,
    /// A disk of zones with one arm, in place of caps.
    pub zones: Option<Zones>,
    /// Where what is written is kept.
    pub content: Content,
    /// Put a loop device over the file.
    pub loop_device: bool,
    /// The program that cleans up after a kill.
    pub watchdog: Option<Command>,
}

/// Zones of a disk, and the way of its arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Zones {
    /// MB (10^6 bytes) a second at the first byte.
    pub outer_mbps: f64,
    /// And at the last.
    pub inner_mbps: f64,
    /// Seek to the next track.
    pub track_seek_us: f64,
    /// Seek over the whole disk.
    pub full_seek_us: f64,
}

/// What is served, as the document of `spindle emulate --json`.
///
/// Shape: one an emulation, written once the file can be opened. Unit: as the names say; MB are 10^6
/// bytes. Missing: `None` where there is no such cap, loop device or bound. Source: what was asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EmulationDocument {
    pub file: String,
    pub loop_device: Option<String>,
    pub process: u32,
    pub size_bytes: u64,
    pub latency_us: f64,
    pub iops_cap: Option<f64>,
    pub mbps_cap: Option<f64>,
    pub zones: Option<Zones>,
    pub memory_bytes: Option<u64>,
    pub backing_folder: Option<String>,
}

/// Serves a device, and says what is served.
///
/// # Errors
/// In a sentence, where nothing is.
pub fn emulate(order: EmulationOrder) -> Result<(Emulation, EmulationDocument), String> {
    // A cast from floating point stays within the bounds of the integer.
    let size_bytes = order.size_bytes as u64 / BLOCK_BYTES * BLOCK_BYTES;
    if size_bytes == 0 {
        return Err(format!(
            "a device has {BLOCK_BYTES} bytes at least, and {} were asked for",
            order.size_bytes
        ));
    }
    let device = device(&order, size_bytes).map_err(|NoSuchDevice(why)| why)?;
    let (memory_bytes, backing_folder) = match &order.content {
        // More than the device has is never needed.
        Content::Memory { bytes } => (Some((*bytes).min(size_bytes)), None),
        Content::Folder(folder) => (None, Some(shown(folder))),
    };
    let order_of_file = Order {
        at: order.at,
        size_bytes,
        content: order.content,
        watchdog: order.watchdog,
        loop_device: order.loop_device,
    };
    let served = Emulation::start(order_of_file, device);
    let emulation = served.map_err(|error| error.to_string())?;
    let document = EmulationDocument {
        file: shown(emulation.at()),
        loop_device: emulation.loop_device().map(shown),
        process: std::process::id(),
        size_bytes,
        latency_us: order.latency_us,
        iops_cap: order.iops_cap,
        mbps_cap: order.mbps_cap,
        zones: order.zones,
        memory_bytes,
        backing_folder,
    };
    Ok((emulation, document))
}

fn device(order: &EmulationOrder, bytes: u64) -> Result<Box<dyn Device + Send>, NoSuchDevice> {
    let latency = Picoseconds::from_us(order.latency_us);
    if let Some(zones) = order.zones {
        let spec = ZonedDiskSpec {
            latency,
            outer_bytes_per_s: zones.outer_mbps * 1e6,
            inner_bytes_per_s: zones.inner_mbps * 1e6,
            track_seek: Picoseconds::from_us(zones.track_seek_us),
            full_seek: Picoseconds::from_us(zones.full_seek_us),
            bytes,
        };
        return Ok(Box::new(ZonedDisk::new(&spec)?));
    }
    let spec =
        LatencyCapSpec { latency, iops: order.iops_cap, bytes_per_s: order.mbps_cap.map(|mbps| mbps * 1e6) };
    Ok(Box::new(LatencyCap::new(&spec)?))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Writes what is served as the document of `spindle emulate --json`.
///
/// # Errors
/// Those of the writer.
pub fn write_emulation(mut writer: impl Write, document: &EmulationDocument) -> io::Result<()> {
    json::write(&mut writer, document)?;
    writer.write_all(b"\n")
}
