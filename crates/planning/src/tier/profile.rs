//! The library of tier profiles: what common storage answers, each number with its source.

use super::quantity;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A number with its unit, and where it comes from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Sourced {
    pub value: String,
    /// Data sheet, vendor's page, or `assumed: ...`.
    pub origin: String,
}

/// What a kind of storage answers.
///
/// Missing: `None` where it depends on what was bought. A limit by GB counts GB of 2^30.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Profile {
    #[serde(skip)]
    pub name: String,
    /// What it is, in a few words.
    pub what: String,
    pub read_latency: Sourced,
    /// As the reads where not given.
    pub write_latency: Option<Sourced>,
    pub bandwidth: Option<Sourced>,
    pub bandwidth_per_gb: Option<Sourced>,
    pub iops_cap: Option<Sourced>,
    pub iops_per_gb: Option<Sourced>,
    pub price_per_gb: Option<Sourced>,
    /// In drive writes per day.
    pub endurance: Option<Sourced>,
    /// Requests that one device works on at once, where its latency bounds its rate: a disk's one arm.
    pub arms: Option<Sourced>,
    /// A volume of a cloud, whose provider keeps the copies.
    #[serde(skip)]
    pub volume: bool,
}

const GB: f64 = 1_073_741_824.0;

impl Profile {
    pub(crate) fn read_latency_us(&self) -> Option<f64> {
        quantity::microseconds(&self.read_latency.value)
    }

    pub(crate) fn write_latency_us(&self) -> Option<f64> {
        self.write_latency.as_ref().and_then(|s| quantity::microseconds(&s.value))
    }

    pub(crate) fn mbps(&self, capacity_bytes: f64) -> Option<f64> {
        let of = |s: &Option<Sourced>| s.as_ref().and_then(|s| quantity::mbps(&s.value));
        least(of(&self.bandwidth), of(&self.bandwidth_per_gb).map(|v| v * capacity_bytes / GB))
    }

    pub(crate) fn iops(&self, capacity_bytes: f64) -> Option<f64> {
        let of = |s: &Option<Sourced>| s.as_ref().and_then(|s| quantity::plain(&s.value));
        least(of(&self.iops_cap), of(&self.iops_per_gb).map(|v| v * capacity_bytes / GB))
    }

    pub(crate) fn arms(&self) -> Option<f64> {
        self.arms.as_ref().and_then(|s| quantity::plain(&s.value))
    }

    pub(crate) fn is_volume(&self) -> bool {
        self.volume
    }

    pub(super) fn price(&self, capacity_bytes: f64) -> Option<f64> {
        let price = self.price_per_gb.as_ref().and_then(|s| quantity::plain(&s.value));
        price.map(|v| v * capacity_bytes / GB)
    }

    pub(super) fn endurance_bytes(&self, capacity_bytes: f64) -> Option<f64> {
        self.endurance.as_ref().and_then(|s| quantity::endurance(&s.value, capacity_bytes))
    }
}

fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The files, kept beside the code so that a number is changed without touching it.
const FILES: [&str; 5] = [
    include_str!("../../profiles/disks.toml"),
    include_str!("../../profiles/arrays.toml"),
    include_str!("../../profiles/flash.toml"),
    include_str!("../../profiles/memory.toml"),
    include_str!("../../profiles/cloud.toml"),
];

/// Place of the file of cloud volumes.
const CLOUD: usize = 4;

/// The library, by name.
#[must_use]
pub fn profiles() -> Vec<Profile> {
    let mut all = Vec::new();
    for (number, file) in FILES.into_iter().enumerate() {
        let read: BTreeMap<String, Profile> =
            toml::from_str(file).expect("the profiles that ship are read by a test");
        let volume = number == CLOUD;
        all.extend(read.into_iter().map(|(name, profile)| Profile { name, volume, ..profile }));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_can_be_used_and_says_where_its_numbers_come_from() {
        let all = profiles();
        assert!(all.len() > 20);
        for p in &all {
            let name = &p.name;
            assert!(p.read_latency_us().is_some_and(|v| v > 0.0), "{name}");
            assert_eq!(p.write_latency.is_some(), p.write_latency_us().is_some(), "{name}");
            let capacity = 1e12;
            let has_mbps = p.bandwidth.is_some() || p.bandwidth_per_gb.is_some();
            assert_eq!(has_mbps, p.mbps(capacity).is_some(), "{name}");
            let has_iops = p.iops_cap.is_some() || p.iops_per_gb.is_some();
            assert_eq!(has_iops, p.iops(capacity).is_some(), "{name}");
            assert_eq!(p.endurance.is_some(), p.endurance_bytes(capacity).is_some(), "{name}");
            let sourced = [
                Some(&p.read_latency),
                p.write_latency.as_ref(),
                p.bandwidth.as_ref(),
                p.bandwidth_per_gb.as_ref(),
                p.iops_cap.as_ref(),
                p.iops_per_gb.as_ref(),
                p.price_per_gb.as_ref(),
                p.endurance.as_ref(),
                p.arms.as_ref(),
            ];
            for s in sourced.into_iter().flatten() {
                assert!(s.origin.len() > 10, "{name}: {s:?}");
            }
        }
    }

    #[test]
    fn a_limit_by_gb_grows_with_the_capacity_up_to_the_volumes_limit() {
        let all = profiles();
        let oci = all.iter().find(|p| p.name == "oci_balanced").unwrap_or_else(|| unreachable!());
        assert_eq!(oci.iops(100.0 * GB), Some(6_000.0));
        assert_eq!(oci.iops(10_000.0 * GB), Some(25_000.0));
    }
}
