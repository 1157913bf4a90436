//! The catalogue of disks: `catalogue/disks.toml`, or a file of the same form.
//!
//! Every figure carries its unit and where it comes from; a figure in another unit than its key has is refused,
//! so that no number is taken for what it is not.

use crate::devices::hard_disk::{DataSheet, DiskFault, HardDiskSpec, ServiceOrder};
use serde::Deserialize;

/// The catalogue that comes with the program.
const DISKS: &str = include_str!("../catalogue/disks.toml");

/// A number, its unit, and its origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Where it comes from: data sheet, family, experiment, fitted to which result, estimate.
    pub origin: String,
}

/// A choice and its origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice<T> {
    /// What was chosen.
    pub value: T,
    /// Where it comes from.
    pub origin: String,
}

/// An order of service, as a file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderName {
    /// First come, first served.
    Fcfs,
    /// Shortest seek first.
    Sstf,
    /// Up and down.
    Look,
    /// Up, and from the beginning again.
    CLook,
    /// Shortest positioning time first.
    Sptf,
}

/// A disk of the catalogue: the figures of a [`DataSheet`], each with unit and origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "those of the data sheet, by their names")]
pub struct CatalogueDisk {
    /// What it is called in scenarios.
    pub name: String,
    /// What it is.
    pub about: String,
    pub capacity_bytes: Figure,
    pub rpm: Figure,
    pub surfaces: Figure,
    pub zones: Figure,
    pub outer_mbps: Figure,
    pub inner_mbps: Figure,
    pub track_seek_ms: Figure,
    pub average_seek_ms: Figure,
    pub full_seek_ms: Figure,
    pub write_settle_ms: Figure,
    pub head_switch_ms: Figure,
    pub overhead_ms: Figure,
    pub bus_mbps: Figure,
    pub cache_bytes: Figure,
    pub segments: Figure,
    pub write_back: Choice<bool>,
    pub queue_depth: Figure,
    pub order: Choice<OrderName>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    disk: Vec<CatalogueDisk>,
}

/// Reads a catalogue.
///
/// # Errors
/// With line and key, where it is none; with the disk and the figure, where a unit is another one.
pub fn read_catalogue(text: &str) -> Result<Vec<CatalogueDisk>, String> {
    let file: File = toml::from_str(text).map_err(|fault| fault.to_string())?;
    for disk in &file.disk {
        disk.sheet().map_err(|DiskFault(why)| format!("{}: {why}", disk.name))?;
    }
    Ok(file.disk)
}

/// The disks that come with the program.
///
/// # Errors
/// Never, as a test holds; in a sentence, all the same.
pub fn catalogue() -> Result<Vec<CatalogueDisk>, String> {
    read_catalogue(DISKS)
}

impl CatalogueDisk {
    /// Its figures, in the units of the data sheet.
    ///
    /// # Errors
    /// Where a figure has another unit, or counts parts of something whole.
    pub fn sheet(&self) -> Result<DataSheet, DiskFault> {
        let figure = |name: &str, figure: &Figure, unit: &str| {
            if figure.unit != unit {
                return Err(DiskFault(format!("`{name}` is in `{}`; it should be in `{unit}`", figure.unit)));
            }
            if figure.origin.trim().is_empty() {
                return Err(DiskFault(format!("`{name}` does not say where it comes from")));
            }
            Ok(figure.value)
        };
        let whole = |name: &str, of: &Figure, unit: &str| match figure(name, of, unit)? {
            value if (0.0..=1e9).contains(&value) && value.fract() == 0.0 => Ok(value as u64),
            value => Err(DiskFault(format!("`{name}` is {value}; it should be a whole number"))),
        };
        Ok(DataSheet {
            capacity_bytes: figure("capacity_bytes", &self.capacity_bytes, "bytes")?,
            rpm: figure("rpm", &self.rpm, "turns a minute")?,
            surfaces: whole("surfaces", &self.surfaces, "heads")?,
            zones: whole("zones", &self.zones, "zones")?,
            outer_mbps: figure("outer_mbps", &self.outer_mbps, "MB/s")?,
            inner_mbps: figure("inner_mbps", &self.inner_mbps, "MB/s")?,
            track_seek_ms: figure("track_seek_ms", &self.track_seek_ms, "ms")?,
            average_seek_ms: figure("average_seek_ms", &self.average_seek_ms, "ms")?,
            full_seek_ms: figure("full_seek_ms", &self.full_seek_ms, "ms")?,
            write_settle_ms: figure("write_settle_ms", &self.write_settle_ms, "ms")?,
            head_switch_ms: figure("head_switch_ms", &self.head_switch_ms, "ms")?,
            overhead_ms: figure("overhead_ms", &self.overhead_ms, "ms")?,
            bus_mbps: figure("bus_mbps", &self.bus_mbps, "MB/s")?,
            cache_bytes: figure("cache_bytes", &self.cache_bytes, "bytes")?,
            segments: whole("segments", &self.segments, "segments")?,
            write_back: self.write_back.value,
            queue_depth: whole("queue_depth", &self.queue_depth, "commands")?,
            order: match self.order.value {
                OrderName::Fcfs => ServiceOrder::Fcfs,
                OrderName::Sstf => ServiceOrder::Sstf,
                OrderName::Look => ServiceOrder::Look,
                OrderName::CLook => ServiceOrder::CLook,
                OrderName::Sptf => ServiceOrder::Sptf,
            },
        })
    }

    /// The disk.
    ///
    /// # Errors
    /// In a sentence, where its figures are those of no disk.
    pub fn spec(&self) -> Result<HardDiskSpec, DiskFault> {
        self.sheet()?.spec()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{HardDisk, Operation, Request, closed_loop};

    #[test]
    fn every_disk_of_the_catalogue_is_one_and_streams_at_its_rates() {
        let disks = catalogue().unwrap();
        assert!(disks.len() >= 4);
        for disk in &disks {
            let spec = disk.spec().unwrap();
            let bytes = HardDisk::new(&spec).unwrap().bytes();
            assert!(
                (1.0..1.001).contains(&(bytes as f64 / disk.capacity_bytes.value)),
                "{}: {bytes}",
                disk.name
            );
            for (from, mbps) in [(0, &disk.outer_mbps), (bytes - 500_000_000, &disk.inner_mbps)] {
                let mut drive = HardDisk::new(&spec).unwrap();
                let read =
                    |i| Request { operation: Operation::Read, offset: from + i * 131_072, bytes: 131_072 };
                let run = closed_loop(&mut drive, 1, (0..3_000u64).map(read)).unwrap();
                let found = run.bytes_per_s().unwrap() / 1e6;
                // One read at a time: its overhead and the bus bound the rate, too.
                let read_us = disk.overhead_ms.value * 1e3 + 131_072.0 / disk.bus_mbps.value;
                let by_sheet = mbps.value.min(131_072.0 / read_us);
                assert!((0.9..1.02).contains(&(found / by_sheet)), "{}: {found} MB/s, {by_sheet}", disk.name);
            }
        }
    }

    #[test]
    fn names_are_apart() {
        let disks = catalogue().unwrap();
        let mut names: Vec<&str> = disks.iter().map(|d| d.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), disks.len());
    }

    #[test]
    fn a_unit_that_is_not_that_of_the_key_is_refused() {
        let why = |from: &str, to: &str| read_catalogue(&DISKS.replacen(from, to, 1)).unwrap_err();
        assert_eq!(
            why("value = 9.3, unit = \"ms\"", "value = 9300, unit = \"us\""),
            "maxtor_204g_firewire: `average_seek_ms` is in `us`; it should be in `ms`"
        );
        assert!(
            why("origin = \"data sheet\"", "origin = \"\"")
                .contains("`rpm` does not say where it comes from")
        );
        assert!(why("surfaces = { value = 6,", "surfaces = { value = 6.5,").contains("`surfaces` is 6.5"));
        assert!(why("rpm = ", "rmp = ").contains("rmp"));
        assert!(why("\"fcfs\"", "\"scan\"").contains("scan"));
    }
}
