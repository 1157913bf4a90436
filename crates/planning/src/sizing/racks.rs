//! Cells and racks, as data (`profiles/racks.toml`).

use super::disk::LARGE_BYTES;
use super::outcome::{GrowthYear, RackFit, RackGrown, RedundancyNeed};
use crate::tier::{Profile, Sourced, plain_number};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cell: Cell,
    rack: Vec<Rack>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    disks: Sourced,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rack {
    name: String,
    /// Profile of its disks.
    disk: String,
    cells: u32,
    disk_iops: Sourced,
    sold: Sourced,
}

pub(super) struct Library {
    pub(super) disks_per_cell: f64,
    racks: Vec<Rack>,
}

pub(super) fn library() -> Library {
    let file: File = toml::from_str(include_str!("../../profiles/racks.toml"))
        .expect("the racks that ship are read by a test");
    Library { disks_per_cell: plain_number(&file.cell.disks.value).unwrap_or(12.0), racks: file.rack }
}

impl Library {
    /// Each rack against the hardware requests and bytes of each redundancy. Bytes of its disks are those
    /// of their profile, all disks together: nobody's figure. `behind_flash` are the hardware requests that
    /// flash leaves of each.
    pub(super) fn fits(
        &self,
        needs: &[RedundancyNeed],
        behind_flash: &[Option<f64>],
        profiles: &[Profile],
        grown: Option<&GrowthYear>,
    ) -> Vec<RackFit> {
        let mut found = Vec::new();
        for rack in &self.racks {
            let Some(disk_iops) = plain_number(&rack.disk_iops.value) else { continue };
            let disks = f64::from(rack.cells) * self.disks_per_cell;
            let of_one = profiles.iter().find(|p| p.name == rack.disk).and_then(|p| p.mbps(f64::NAN));
            let disk_mbps = of_one.map(|one| disks * one);
            for (n, need) in needs.iter().enumerate() {
                let Some(hardware_iops) = need.hardware_iops else { continue };
                // Of so many times the load; bytes that are the least they can be may be more.
                let spare = |factor: f64| {
                    let spare_iops = disk_iops - factor * hardware_iops;
                    let spare_mbps =
                        disk_mbps.zip(need.hardware_mbps).map(|(have, need)| have - factor * need);
                    let enough_mbps = spare_mbps
                        .map(|s| s >= 0.0)
                        .filter(|enough| !*enough || !need.hardware_mbps_is_least);
                    // A figure of small requests that larger ones exceed is exceeded all the more.
                    let enough = match need.request_bytes {
                        _ if enough_mbps == Some(false) => Some(false),
                        Some(bytes) if bytes > LARGE_BYTES && spare_iops >= 0.0 => None,
                        _ => Some(spare_iops >= 0.0),
                    };
                    (spare_iops, spare_mbps, enough_mbps, enough)
                };
                let (spare_iops, spare_mbps, enough_mbps, enough) = spare(1.0);
                let left = behind_flash.get(n).copied().flatten();
                let grown = grown.map(|year| {
                    let (spare_iops, spare_mbps, _, enough) = spare(year.factor);
                    RackGrown {
                        year: year.year,
                        hardware_iops: year.factor * hardware_iops,
                        spare_iops,
                        hardware_mbps: need.hardware_mbps.map(|mbps| year.factor * mbps),
                        spare_mbps,
                        enough,
                    }
                });
                found.push(RackFit {
                    grown,
                    hardware_iops_behind_flash: left,
                    enough_behind_flash: left.map(|left| disk_iops >= left),
                    sold: rack.sold.value.clone(),
                    rack: rack.name.clone(),
                    cells: f64::from(rack.cells),
                    disk_iops,
                    redundancy: need.name.clone(),
                    hardware_iops,
                    spare_iops,
                    disks,
                    disk_mbps,
                    hardware_mbps: need.hardware_mbps,
                    spare_mbps,
                    enough_mbps,
                    enough,
                    origin: rack.disk_iops.origin.clone(),
                });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_rack_has_a_figure_and_its_source() {
        let library = super::library();
        assert!(library.disks_per_cell > 0.0 && !library.racks.is_empty());
        for rack in &library.racks {
            assert!(crate::tier::plain_number(&rack.disk_iops.value).is_some() && rack.cells > 0);
            assert!(rack.disk_iops.origin.len() > 10 && rack.sold.origin.len() > 10);
            let profiles = crate::tier::profiles();
            let disk = profiles.iter().find(|p| p.name == rack.disk);
            assert!(disk.and_then(|p| p.mbps(f64::NAN)).is_some_and(|m| m > 0.0), "{}", rack.disk);
        }
    }
}
