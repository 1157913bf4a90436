//! One device after the other, as [`spindle_workload::Volume`] lays them for measuring.

use super::{Layout, Place};
use crate::NoSuchDevice;
use spindle_workload::Volume;

/// The layout.
#[derive(Clone, Debug)]
pub struct Concat {
    layout: spindle_workload::Layout,
    members: usize,
}

impl Concat {
    /// Devices of these sizes; what is no whole MiB of one is left out.
    ///
    /// # Errors
    /// Where there are fewer than two, or one is smaller than a MiB.
    pub fn new(sizes: &[u64]) -> Result<Self, NoSuchDevice> {
        let layout = Volume::Concat.over(sizes).map_err(NoSuchDevice)?;
        Ok(Self { layout, members: sizes.len() })
    }
}

impl Layout for Concat {
    fn members(&self) -> usize {
        self.members
    }

    fn bytes(&self) -> u64 {
        self.layout.bytes()
    }

    fn places(&self, at: u64, places: &mut Vec<Place>) -> u64 {
        places.clear();
        let Some(piece) = self.layout.piece(at, u64::MAX - at) else { return 1 };
        places.push(Place { member: piece.device, offset: piece.offset });
        piece.bytes
    }
}
