//! Least recently used: what was not asked for the longest goes.
//!
//! A cache of more pages holds all that one of fewer does (Mattson and others, "Evaluation techniques for
//! storage hierarchies", 1970), so its hit rate never falls with its size.

use super::shelves::Shelves;
use super::{Access, Cache, MOST_PAGES};

/// The policy.
#[derive(Clone, Debug)]
pub struct Lru {
    shelves: Shelves<1>,
    capacity: usize,
}

impl Lru {
    /// A cache of so many pages, at least 1 and at most 2^28.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { shelves: Shelves::new(), capacity: capacity.clamp(1, MOST_PAGES) }
    }
}

impl Cache for Lru {
    fn access(&mut self, page: u64) -> Access {
        if let Some(place) = self.shelves.find(page) {
            self.shelves.renew(place, 0);
            return Access::Hit;
        }
        let full = self.shelves.len(0) == self.capacity;
        let oldest = self.shelves.oldest(0).filter(|_| full);
        let evicted = oldest.map(|place| self.shelves.take(place));
        self.shelves.put(page, 0);
        Access::Miss { evicted }
    }

    fn forget(&mut self, page: u64) -> bool {
        self.shelves.find(page).map(|place| self.shelves.take(place)).is_some()
    }

    fn holds(&self, page: u64) -> bool {
        self.shelves.find(page).is_some()
    }

    fn len(&self) -> usize {
        self.shelves.len(0)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}
