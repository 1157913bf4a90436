//! What a write costs the disks. The library is a file (`profiles/redundancy.toml`); any other is
//! `NAME=PENALTY` or `NAME=PENALTY:COPIES`.

use super::load::Measures;
use crate::tier::{Sourced, plain_number};
use serde::Deserialize;

/// A way of keeping data safe.
///
/// Shape: one a kind. Unit: requests of disks for one small write; raw capacity for usable. Missing:
/// `full_stripe_penalty` where whole stripes cost no less, `copies` where only the penalty was given: parity of the
/// same penalty holds far less. Source: each number's own.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Redundancy {
    pub name: String,
    pub what: String,
    pub write_penalty: f64,
    pub full_stripe_penalty: Option<f64>,
    pub copies: Option<f64>,
    pub least_disks: u32,
    pub disks_in_step: u32,
    pub failure_groups: u32,
    pub origin: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    what: String,
    write_penalty: Sourced,
    full_stripe_penalty: Option<Sourced>,
    copies: Sourced,
    #[serde(default = "one")]
    least_disks: u32,
    #[serde(default = "one")]
    disks_in_step: u32,
    #[serde(default = "one")]
    failure_groups: u32,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Library {
    redundancy: Vec<Written>,
}

/// The library, in the order in which it is shown.
#[must_use]
pub fn redundancies() -> Vec<Redundancy> {
    let library: Library = toml::from_str(include_str!("../../profiles/redundancy.toml"))
        .expect("the redundancies that ship are read by a test");
    let number = |s: &Sourced| plain_number(&s.value).unwrap_or(f64::NAN);
    library
        .redundancy
        .into_iter()
        .map(|w| Redundancy {
            write_penalty: number(&w.write_penalty),
            full_stripe_penalty: w.full_stripe_penalty.as_ref().map(number),
            copies: Some(number(&w.copies)),
            origin: w.write_penalty.origin,
            name: w.name,
            what: w.what,
            least_disks: w.least_disks,
            disks_in_step: w.disks_in_step,
            failure_groups: w.failure_groups,
        })
        .collect()
}

impl Redundancy {
    /// Reads one `--redundancy` option: a name of the library, `NAME=PENALTY` or `NAME=PENALTY:COPIES`.
    ///
    /// # Errors
    /// In a sentence with an example.
    pub fn parse(text: &str) -> Result<Self, String> {
        let shown: String = text.chars().flat_map(char::escape_debug).take(200).collect();
        let library = redundancies();
        if let Some((name, penalty)) = text.split_once('=') {
            let name = name.trim();
            let wrong = |why: &str| format!("--redundancy {shown}: {why}; write it as --redundancy mine=2.5");
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(wrong("it has no name"));
            }
            let plain = |s: &str| s.trim().to_lowercase().replace(['-', '_', ' '], "");
            if library.iter().any(|r| plain(&r.name) == plain(name)) {
                return Err(wrong("that name has a penalty of its own"));
            }
            let (penalty, copies) =
                penalty.split_once(':').map_or((penalty, None), |(penalty, copies)| (penalty, Some(copies)));
            let copies = copies
                .map(|copies| {
                    let read = plain_number(copies.trim()).filter(|c| (1.0..=1000.0).contains(c));
                    read.ok_or_else(|| wrong("the raw bytes for one of data are no number from 1 to 1000"))
                })
                .transpose()?;
            let write_penalty = plain_number(penalty.trim())
                .filter(|p| (1.0..=1000.0).contains(p))
                .ok_or_else(|| wrong("the penalty is no number from 1 to 1000"))?;
            return Ok(Self {
                name: name.to_owned(),
                what: "as given".to_owned(),
                write_penalty,
                full_stripe_penalty: None,
                copies,
                least_disks: 1,
                disks_in_step: 1,
                failure_groups: 1,
                origin: "given".to_owned(),
            });
        }
        let plain = |s: &str| s.trim().to_lowercase().replace(['-', '_', ' '], "");
        let known = library.iter().map(|r| r.name.as_str()).collect::<Vec<_>>().join(", ");
        library
            .iter()
            .find(|r| plain(&r.name) == plain(text))
            .cloned()
            .ok_or_else(|| format!("--redundancy {shown}: there are {known}; or give NAME=PENALTY[:COPIES]"))
    }

    /// What the disks do for a load: reads, and each write so often. Every write counts as a small one.
    #[must_use]
    pub fn hardware_iops(&self, load: &Measures) -> Option<f64> {
        Some(load.read_iops? + self.write_penalty * load.write_iops?)
    }

    /// The same, large (multi-block) writes filling whole stripes: the least it can be.
    #[must_use]
    pub fn hardware_iops_full_stripe(&self, load: &Measures) -> Option<f64> {
        let full = self.full_stripe_penalty?;
        let (small, large) = (load.small_write_iops?, load.large_write_iops?);
        Some(load.read_iops? + self.write_penalty * small + full * large)
    }

    /// Bytes that the disks move for a load, of the same requests as [`Self::hardware_iops`]: a small write
    /// moves its own size with each of the requests that it costs. Where the bytes of only reads or only
    /// writes are known, the least that it can be.
    #[must_use]
    pub fn hardware_mbps(&self, load: &Measures) -> Option<f64> {
        Self::mbps_at(self.write_penalty, load)
    }

    /// The same, every write filling whole stripes: the least it can be.
    #[must_use]
    pub fn hardware_mbps_full_stripe(&self, load: &Measures) -> Option<f64> {
        Self::mbps_at(self.full_stripe_penalty?, load)
    }

    fn mbps_at(penalty: f64, load: &Measures) -> Option<f64> {
        load.read_mbps.or(load.write_mbps)?;
        Some(load.read_mbps.unwrap_or(0.0) + penalty * load.write_mbps.unwrap_or(0.0))
    }

    /// The next number of disks that can be built.
    #[must_use]
    pub fn buildable(&self, disks: f64) -> f64 {
        let step = f64::from(self.disks_in_step.max(1));
        whole(disks.max(f64::from(self.least_disks)) / step) * step
    }
}

/// The next whole number; what is whole but for its last digits stays.
#[must_use]
pub(crate) fn whole(value: f64) -> f64 {
    let near = value.round();
    if (value - near).abs() <= 1e-9 * near.abs().max(1.0) { near } else { value.ceil() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_library_is_complete_and_says_where_its_numbers_come_from() {
        let all = redundancies();
        let names: Vec<&str> = all.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names, ["external", "normal", "high", "raid10", "raid5", "raid6"]);
        for r in &all {
            assert!(
                r.write_penalty >= 1.0 && r.copies.is_some_and(|c| c >= 1.0) && r.origin.len() > 10,
                "{r:?}"
            );
            assert!(r.full_stripe_penalty.is_none_or(|f| (1.0..r.write_penalty).contains(&f)), "{r:?}");
        }
    }

    #[test]
    fn any_other_is_a_name_and_a_penalty() {
        assert_eq!(Redundancy::parse("mine=2.5").unwrap().write_penalty, 2.5);
        assert_eq!(Redundancy::parse("RAID-5").unwrap().name, "raid5");
        for wrong in ["", "raid7", "=2", "x=", "x=0", "x=-1", "x=NaN", "x=inf", "x=1e9", "a\nb=2"] {
            let error = Redundancy::parse(wrong).unwrap_err();
            assert!(error.starts_with("--redundancy ") && !error.contains('\n'), "{error}");
        }
    }

    proptest! {
        /// More copies never ask less of the disks, and a full stripe never more than small writes.
        #[test]
        fn hardware_iops_grow_with_the_penalty(
            read in 0.0..1e6_f64, small in 0.0..1e6_f64, large in 0.0..1e6_f64, a in 1.0..10.0_f64, b in 1.0..10.0_f64,
        ) {
            let load = Measures {
                read_iops: Some(read), write_iops: Some(small + large),
                small_write_iops: Some(small), large_write_iops: Some(large), ..Measures::default()
            };
            let with = |p: f64| Redundancy::parse(&format!("x={p}")).unwrap().hardware_iops(&load).unwrap();
            prop_assert!(with(a.min(b)) <= with(a.max(b)));
            for r in redundancies() {
                let all = r.hardware_iops(&load).unwrap();
                prop_assert!(all >= read + small + large - 1e-6);
                if let Some(least) = r.hardware_iops_full_stripe(&load) {
                    prop_assert!(least <= all + 1e-6);
                }
            }
        }
    }
}
