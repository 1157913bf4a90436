//! Cells and racks, as data (`profiles/racks.toml`).

use super::disk::LARGE_BYTES;
use super::outcome::{RackFit, RedundancyNeed};
use crate::tier::{Sourced, plain_number};
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
    cells: u32,
    disk_iops: Sourced,
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
    /// Each rack against the hardware requests of each redundancy.
    pub(super) fn fits(&self, needs: &[RedundancyNeed]) -> Vec<RackFit> {
        let mut found = Vec::new();
        for rack in &self.racks {
            let Some(disk_iops) = plain_number(&rack.disk_iops.value) else { continue };
            for need in needs {
                let Some(hardware_iops) = need.hardware_iops else { continue };
                let spare_iops = disk_iops - hardware_iops;
                found.push(RackFit {
                    rack: rack.name.clone(),
                    cells: f64::from(rack.cells),
                    disk_iops,
                    redundancy: need.name.clone(),
                    hardware_iops,
                    spare_iops,
                    // A figure of small requests that larger ones exceed is exceeded all the more.
                    enough: match need.request_bytes {
                        Some(bytes) if bytes > LARGE_BYTES && spare_iops >= 0.0 => None,
                        _ => Some(spare_iops >= 0.0),
                    },
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
            assert!(rack.disk_iops.origin.len() > 10);
        }
    }
}
