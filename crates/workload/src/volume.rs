//! Several devices as one: where an address of the whole lies.

use serde::{Deserialize, Serialize};

/// How devices make one volume, as Orion's `-simulate` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Volume {
    /// Stripes lie on the devices by turns.
    Raid0 {
        /// Bytes of a stripe.
        stripe_bytes: u64,
    },
    /// One device after the other.
    Concat,
}

/// A piece of a request that lies on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Device, from 0.
    pub device: usize,
    /// Where on it, bytes.
    pub offset: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Addresses of a volume of devices whose sizes are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    volume: Volume,
    devices: u64,
    /// First byte of each device in a concatenation, and the end of the last.
    starts: Vec<u64>,
    bytes: u64,
}

/// Devices are used up to a multiple of this.
const WHOLE_BYTES: u64 = 1 << 20;

impl Volume {
    /// A volume of devices of these sizes. In RAID 0 each device counts as the smallest; what is no whole
    /// stripe at the end of a device, or no whole MiB where they follow each other, is left out.
    ///
    /// # Errors
    /// In a sentence, where they make none.
    pub fn over(self, sizes: &[u64]) -> Result<Layout, String> {
        if sizes.len() < 2 {
            return Err("a volume has two devices or more".to_owned());
        }
        let whole = match self {
            Self::Raid0 { stripe_bytes: 0 } => return Err("a stripe has no bytes".to_owned()),
            Self::Raid0 { stripe_bytes } => stripe_bytes,
            Self::Concat => WHOLE_BYTES,
        };
        let least = sizes.iter().copied().min().unwrap_or(0) / whole * whole;
        if least == 0 {
            return Err(format!("a device of the volume is smaller than {whole} bytes"));
        }
        let of = |size: u64| if self == Self::Concat { size / whole * whole } else { least };
        let mut starts = vec![0];
        let mut bytes = 0_u64;
        for size in sizes {
            bytes = bytes.checked_add(of(*size)).ok_or("the volume is beyond any address")?;
            starts.push(bytes);
        }
        Ok(Layout { volume: self, devices: sizes.len() as u64, starts, bytes })
    }

    /// In words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Raid0 { .. } => "RAID 0",
            Self::Concat => "one after the other",
        }
    }
}

impl Layout {
    /// Bytes of the volume.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The piece at the beginning of a request, all of it where it lies on one device; `None` beyond the end.
    #[must_use]
    pub fn piece(&self, offset: u64, bytes: u64) -> Option<Piece> {
        if offset >= self.bytes {
            return None;
        }
        Some(match self.volume {
            Volume::Raid0 { stripe_bytes } => {
                let (stripe, within) = (offset / stripe_bytes, offset % stripe_bytes);
                Piece {
                    device: (stripe % self.devices) as usize,
                    offset: stripe / self.devices * stripe_bytes + within,
                    bytes: bytes.min(stripe_bytes - within),
                }
            }
            Volume::Concat => {
                let device = self.starts.partition_point(|start| *start <= offset) - 1;
                let bytes = bytes.min(self.starts[device + 1] - offset);
                Piece { device, offset: offset - self.starts[device], bytes }
            }
        })
    }

    /// Pieces that a request of so many bytes has at most.
    #[must_use]
    pub fn most_pieces(&self, bytes: u64) -> u64 {
        match self.volume {
            Volume::Raid0 { stripe_bytes } => bytes.div_ceil(stripe_bytes) + 1,
            Volume::Concat => self.devices,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Seeded;

    #[test]
    fn each_byte_of_a_volume_has_one_place_and_each_place_one_byte() {
        const K: u64 = 1 << 10;
        for (volume, sizes) in [
            (Volume::Raid0 { stripe_bytes: 4 * K }, vec![40 * K, 50 * K, 41 * K]),
            (Volume::Raid0 { stripe_bytes: 8 * K }, vec![40 * K, 40 * K]),
        ] {
            let layout = volume.over(&sizes).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            for byte in 0..layout.bytes() {
                let piece = layout.piece(byte, 1).unwrap();
                assert!(piece.bytes == 1 && piece.offset < sizes[piece.device]);
                assert!(seen.insert((piece.device, piece.offset)), "{byte}");
            }
            assert_eq!(layout.bytes(), 40 * K * sizes.len() as u64);
        }
        let layout = Volume::Concat.over(&[3 << 20, (2 << 20) + 5, 1 << 20]).unwrap();
        assert_eq!(layout.bytes(), 6 << 20);
        let at = |offset: u64| layout.piece(offset, 1 << 30);
        assert_eq!(at(0), Some(Piece { device: 0, offset: 0, bytes: 3 << 20 }));
        assert_eq!(at((3 << 20) - 1), Some(Piece { device: 0, offset: (3 << 20) - 1, bytes: 1 }));
        assert_eq!(at(3 << 20), Some(Piece { device: 1, offset: 0, bytes: 2 << 20 }));
        assert_eq!(at(5 << 20), Some(Piece { device: 2, offset: 0, bytes: 1 << 20 }));
        assert_eq!(at(6 << 20), None);
    }

    #[test]
    fn the_pieces_of_a_request_are_the_request() {
        let mut random = Seeded::new(3, 0);
        let volumes = [
            Volume::Raid0 { stripe_bytes: 1 << 16 },
            Volume::Raid0 { stripe_bytes: 1 << 20 },
            Volume::Concat,
        ];
        for volume in volumes {
            let layout = volume.over(&[5 << 20, 3 << 20, 4 << 20]).unwrap();
            for _ in 0..2_000 {
                let bytes = 1 + random.below(3 << 20);
                let from = random.below(layout.bytes() - bytes);
                let (mut at, mut pieces) = (from, 0);
                while at < from + bytes {
                    let piece = layout.piece(at, from + bytes - at).unwrap();
                    // Each byte of it lies where it would alone.
                    let last = layout.piece(at + piece.bytes - 1, 1).unwrap();
                    assert_eq!((last.device, last.offset), (piece.device, piece.offset + piece.bytes - 1));
                    at += piece.bytes;
                    pieces += 1;
                }
                assert!(
                    at == from + bytes && pieces <= layout.most_pieces(bytes),
                    "{volume:?} {from} {bytes}"
                );
            }
        }
    }

    #[test]
    fn what_makes_no_volume_is_refused() {
        let raid = Volume::Raid0 { stripe_bytes: 1 << 20 };
        assert!(raid.over(&[1 << 30]).is_err() && raid.over(&[1 << 30, 1 << 19]).is_err());
        assert!(Volume::Raid0 { stripe_bytes: 0 }.over(&[1 << 30; 2]).is_err());
        assert!(Volume::Concat.over(&[u64::MAX; 2]).is_err());
    }
}
