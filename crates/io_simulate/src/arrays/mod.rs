//! Arrays: what a request to several devices as one becomes on each of them, one kind a file.
//!
//! An array is arithmetic: from a request to a [`Plan`], what is done first and what when that has ended. It has no
//! time; [`ArrayDevice`] lets devices carry plans out. All members are there: degraded arrays are left out.

mod asm;
mod concat;
mod copied;
mod device;
mod members;
mod parity;
mod stripes;

pub use asm::{Asm, AsmSpec, Redundancy, Striping};
pub use concat::Concat;
pub use copied::{Copied, ReadChoice};
pub use device::ArrayDevice;
pub use parity::{Parity, ParitySpec, PartialWrites};
pub use stripes::Stripes;

use crate::{Operation, Request};

/// Where a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Member of the array, from 0.
    pub member: usize,
    /// Byte of the member.
    pub offset: u64,
}

/// A request to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRequest {
    /// Member of the array, from 0.
    pub member: usize,
    /// What is asked of it.
    pub request: Request,
}

/// What a request does to the members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Begins at once, all side by side.
    pub first: Vec<MemberRequest>,
    /// Begins when all of the first have ended.
    pub then: Vec<MemberRequest>,
}

impl Plan {
    /// Nothing, with the memory that it has.
    pub fn clear(&mut self) {
        self.first.clear();
        self.then.clear();
    }
}

/// Adds to requests; what goes on where an earlier one of the member ended is one with it.
fn add(requests: &mut Vec<MemberRequest>, operation: Operation, place: Place, bytes: u32) {
    let last = requests.iter_mut().rev().find(|r| r.member == place.member);
    if let Some(last) = last.map(|l| &mut l.request)
        && last.operation == operation
        && last.offset + u64::from(last.bytes) == place.offset
        && let Some(together) = last.bytes.checked_add(bytes)
    {
        last.bytes = together;
        return;
    }
    let request = Request { operation, offset: place.offset, bytes };
    requests.push(MemberRequest { member: place.member, request });
}

/// A layout in which each byte is in one place or in several that hold the same.
pub trait Layout {
    /// Devices below.
    fn members(&self) -> usize;

    /// Bytes of the whole, above 0.
    fn bytes(&self) -> u64;

    /// The places of a byte below [`Layout::bytes`], the first one first; and for how many bytes, at least 1, they
    /// go on side by side.
    fn places(&self, at: u64, places: &mut Vec<Place>) -> u64;
}

/// An array: how requests become requests to members.
pub trait Array {
    /// Devices below.
    fn members(&self) -> usize;

    /// Bytes of the whole; what lies beyond begins again at the first.
    fn bytes(&self) -> u64;

    /// What a request becomes. Choices between copies depend on the requests before; nothing else does.
    fn plan(&mut self, request: Request, plan: &mut Plan);
}

/// The parts of a request that lie before the end of the whole, as offset and bytes; one but for requests that begin again.
fn folded(request: Request, bytes: u64) -> impl Iterator<Item = (u64, u32)> {
    let mut at = request.offset % bytes;
    let mut left = request.bytes.max(1);
    std::iter::from_fn(move || {
        let part = u32::try_from(bytes - at).unwrap_or(u32::MAX).min(left);
        let here = at;
        at = 0;
        left -= part;
        (part > 0).then_some((here, part))
    })
}

#[cfg(test)]
mod tests;
