//! Caches: what is kept of what was asked for, one policy a file.
//!
//! A policy knows pages by their number and keeps no bytes and no time; so one serves for the cache of a file
//! system, of an array, and for flash before disks ([`CachedDevice`]).

mod arc;
mod che;
mod device;
mod lru;
mod s3_fifo;
mod shelves;

pub use arc::Arc;
pub use che::lru_hit_rate;
pub use device::{CachedDevice, CachedDeviceSpec, Writes};
pub use lru::Lru;
pub use s3_fifo::S3Fifo;

/// Pages of a cache, at most.
const MOST_PAGES: usize = 1 << 28;

/// What came of asking for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It was there.
    Hit,
    /// It was not, and is now.
    Miss {
        /// What had to go for it.
        evicted: Option<u64>,
    },
}

/// What is kept, by a rule of its own. One page goes at most for each that comes.
pub trait Cache {
    /// Asks for a page; afterwards it is there.
    fn access(&mut self, page: u64) -> Access;

    /// Drops a page, and all that is remembered of it; whether it was there.
    fn forget(&mut self, page: u64) -> bool;

    /// Whether a page is there. Decides nothing.
    fn holds(&self, page: u64) -> bool;

    /// Pages that are there.
    fn len(&self) -> usize;

    /// Nothing is there.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pages that may be there.
    fn capacity(&self) -> usize;
}

impl<C: Cache + ?Sized> Cache for Box<C> {
    fn access(&mut self, page: u64) -> Access {
        (**self).access(page)
    }

    fn forget(&mut self, page: u64) -> bool {
        (**self).forget(page)
    }

    fn holds(&self, page: u64) -> bool {
        (**self).holds(page)
    }

    fn len(&self) -> usize {
        (**self).len()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }
}

#[cfg(test)]
mod tests;
