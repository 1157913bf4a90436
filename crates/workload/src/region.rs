//! Where on a device a stream works: by offset and length, in bytes or in percent.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place or length on a device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Bytes.
    Bytes(u64),
    /// Percent of the device.
    Percent(f64),
}

/// A part of a device.
///
/// Shape: one a stream. Unit: bytes or percent of the device. Missing: a `length` of `None` reaches to
/// the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Where it begins.
    pub from: Extent,
    /// How long it is.
    #[serde(default)]
    pub length: Option<Extent>,
}

impl Default for Region {
    fn default() -> Self {
        Self { from: Extent::Bytes(0), length: None }
    }
}

impl Region {
    /// Bytes of a device, both ends whole multiples of `block` within what was asked for.
    ///
    /// # Errors
    /// A sentence, where the region reaches beyond the device or holds no block.
    pub fn on(&self, device_bytes: u64, block: u64) -> Result<Range<u64>, String> {
        let block = block.max(1);
        let bytes = |extent: Extent| -> Result<u64, String> {
            match extent {
                Extent::Bytes(bytes) => Ok(bytes),
                Extent::Percent(pct) if (0.0..=100.0).contains(&pct) =>
                {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a share of it"
                    )]
                    Ok((device_bytes as f64 * pct / 100.0) as u64)
                }
                Extent::Percent(pct) => Err(format!("{pct} % of a device is not between 0 and 100")),
            }
        };
        let begin = bytes(self.from)?;
        let end = match self.length {
            None => device_bytes,
            Some(length) => begin.saturating_add(bytes(length)?),
        };
        // Percentages may round past the end by a byte.
        let end = if matches!(self.length, Some(Extent::Percent(_))) && end <= device_bytes.saturating_add(1)
        {
            end.min(device_bytes)
        } else {
            end
        };
        if begin > device_bytes {
            return Err(format!(
                "the region begins at byte {begin}, and the device has {device_bytes}: nothing lies there; begin it earlier"
            ));
        }
        if end > device_bytes {
            return Err(format!(
                "the region ends at byte {}, and the device has {device_bytes}: accesses beyond the end would read nothing; \
                 make it shorter",
                end
            ));
        }
        let (first, last) = (begin.div_ceil(block).saturating_mul(block), end / block * block);
        if first >= last {
            return Err(format!(
                "the region from byte {begin} to {end} holds no whole block of {block} bytes"
            ));
        }
        Ok(first..last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_and_bytes_lie_on_blocks() {
        let tenth = Region { from: Extent::Percent(10.0), length: Some(Extent::Percent(10.0)) };
        assert_eq!(tenth.on(100_000, 4_096), Ok(12_288..16_384));
        assert_eq!(Region::default().on(10_000, 4_096), Ok(0..8_192));
        let last = Region { from: Extent::Percent(33.3), length: Some(Extent::Percent(66.7)) };
        assert_eq!(last.on(1_000, 1), Ok(333..1_000));
    }

    #[test]
    fn a_region_beyond_the_end_is_refused() {
        // The reader of 2005: 262,144 blocks of 8 KiB on a partition of 2,008,093 KiB.
        let region = Region { from: Extent::Bytes(0), length: Some(Extent::Bytes(262_144 * 8_192)) };
        let why = region.on(2_008_093 * 1_024, 8_192);
        assert!(why.as_ref().is_err_and(|w| w.contains("2056287232")), "{why:?}");
        assert!(Region { from: Extent::Bytes(0), length: Some(Extent::Bytes(100)) }.on(4_096, 512).is_err());
        assert!(Region { from: Extent::Percent(101.0), length: None }.on(4_096, 512).is_err());
    }
}
