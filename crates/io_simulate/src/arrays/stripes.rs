//! Stripes over columns, each of one device or several that hold the same: RAID 0, RAID 1, RAID 10.
//!
//! ```text
//! stripe = at / depth      column = stripe mod columns      offset = stripe / columns * depth + at mod depth
//! ```
//!
//! The copies of column `c` are members `c * copies` and those after it. The depth is what lies on one device before
//! the next one's turn; a read of at most one depth, at a multiple of it, occupies one device.

use super::{Layout, Place};
use crate::NoSuchDevice;

/// The layout.
#[derive(Clone, Copy, Debug)]
pub struct Stripes {
    columns: u64,
    copies: usize,
    depth: u64,
    bytes: u64,
}

impl Stripes {
    /// Columns of so many copies each, of devices of `member_bytes`; what is no whole stripe at their end is left out.
    ///
    /// # Errors
    /// Where there is no column or copy, a stripe has no bytes, a device is smaller than a stripe, or the whole is
    /// beyond any address.
    pub fn raid10(
        columns: u32,
        copies: u32,
        depth_bytes: u64,
        member_bytes: u64,
    ) -> Result<Self, NoSuchDevice> {
        if columns == 0 || copies == 0 {
            return Err(NoSuchDevice(format!("{columns} columns of {copies} copies make no array")));
        }
        if depth_bytes == 0 || member_bytes < depth_bytes {
            return Err(NoSuchDevice(format!(
                "a stripe of {depth_bytes} bytes does not lie on devices of {member_bytes}"
            )));
        }
        let bytes = (member_bytes / depth_bytes * depth_bytes).checked_mul(u64::from(columns));
        let bytes = bytes.ok_or_else(|| NoSuchDevice("the array is beyond any address".to_owned()))?;
        Ok(Self { columns: u64::from(columns), copies: copies as usize, depth: depth_bytes, bytes })
    }

    /// Stripes over devices without copies.
    ///
    /// # Errors
    /// As [`Stripes::raid10`].
    pub fn raid0(members: u32, depth_bytes: u64, member_bytes: u64) -> Result<Self, NoSuchDevice> {
        Self::raid10(members, 1, depth_bytes, member_bytes)
    }

    /// Devices that all hold the same.
    ///
    /// # Errors
    /// As [`Stripes::raid10`].
    pub fn mirror(members: u32, member_bytes: u64) -> Result<Self, NoSuchDevice> {
        Self::raid10(1, members, member_bytes, member_bytes)
    }
}

impl Layout for Stripes {
    #[allow(clippy::cast_possible_truncation, reason = "from 32 bits")]
    fn members(&self) -> usize {
        self.columns as usize * self.copies
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    #[allow(clippy::cast_possible_truncation, reason = "below the number of columns")]
    fn places(&self, at: u64, places: &mut Vec<Place>) -> u64 {
        let (stripe, within) = (at / self.depth, at % self.depth);
        let first = (stripe % self.columns) as usize * self.copies;
        let offset = stripe / self.columns * self.depth + within;
        places.clear();
        places.extend((first..first + self.copies).map(|member| Place { member, offset }));
        self.depth - within
    }
}
