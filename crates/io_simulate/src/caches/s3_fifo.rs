//! S3-FIFO: three queues, so that what is asked for once leaves soon and a hit costs a mark alone.
//!
//! ```text
//! small   a tenth of the room: what is new       main   what was wanted again      ghost   numbers of what left small
//! hit     mark = min(mark + 1, 3)
//! miss    into main if its number is in ghost, else into small; mark 0
//! room    while small has its tenth: its oldest goes to main if it was hit more than once, else it leaves,
//!         its number goes to ghost;
//!         else the oldest of main leaves if its mark is 0, or goes round with one mark less
//! ```
//!
//! Ghost holds as many numbers as main pages at most. Source: Yang and others, "FIFO queues are all you need for cache
//! eviction", SOSP 2023, section 4 and algorithm 1; marks are cleared on the way to main, as its text says. The
//! algorithm lets one more page leave main when small moves one into a full main; here exactly one leaves for each
//! that comes, and main gives its surplus back with the next.

use super::shelves::Shelves;
use super::{Access, Cache, MOST_PAGES};

const SMALL: usize = 0;
const MAIN: usize = 1;
const GHOST: usize = 2;
/// A mark grows no further.
const MOST_MARK: u8 = 3;

/// The policy.
#[derive(Clone, Debug)]
pub struct S3Fifo {
    shelves: Shelves<3>,
    capacity: usize,
    small: usize,
}

impl S3Fifo {
    /// A cache of so many pages, at least 1 and at most 2^28.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, MOST_PAGES);
        Self { shelves: Shelves::new(), capacity, small: (capacity / 10).max(1) }
    }

    /// Pages of small and main, and numbers of ghost.
    #[must_use]
    pub fn lengths(&self) -> [usize; 3] {
        [SMALL, MAIN, GHOST].map(|list| self.shelves.len(list))
    }

    /// Lets one page leave. Ends: small loses a page in each round, and main a mark.
    fn evict(&mut self) -> Option<u64> {
        loop {
            if self.shelves.len(SMALL) >= self.small {
                let place = self.shelves.oldest(SMALL)?;
                let mark = self.shelves.mark_of(place);
                self.shelves.set_mark(place, 0);
                if mark > 1 {
                    self.shelves.renew(place, MAIN);
                    continue;
                }
                let page = self.shelves.page(place);
                self.shelves.renew(place, GHOST);
                if self.shelves.len(GHOST) > self.capacity - self.small {
                    let oldest = self.shelves.oldest(GHOST)?;
                    self.shelves.take(oldest);
                }
                return Some(page);
            }
            // Less than a tenth in small: main has the rest of a full cache.
            let place = self.shelves.oldest(MAIN)?;
            let mark = self.shelves.mark_of(place);
            if mark == 0 {
                return Some(self.shelves.take(place));
            }
            self.shelves.set_mark(place, mark - 1);
            self.shelves.renew(place, MAIN);
        }
    }
}

impl Cache for S3Fifo {
    fn access(&mut self, page: u64) -> Access {
        let found = self.shelves.find(page);
        let in_ghost = found.filter(|place| self.shelves.list_of(*place) == GHOST);
        if let Some(place) = found.filter(|_| in_ghost.is_none()) {
            let mark = self.shelves.mark_of(place);
            if mark < MOST_MARK {
                self.shelves.set_mark(place, mark + 1);
            }
            return Access::Hit;
        }
        // Out of ghost before somebody else's number pushes it out.
        if let Some(place) = in_ghost {
            self.shelves.lift(place);
        }
        let full = self.len() == self.capacity;
        let evicted = if full { self.evict() } else { None };
        match in_ghost {
            Some(place) => {
                self.shelves.set_mark(place, 0);
                self.shelves.lay(place, MAIN);
            }
            None => self.shelves.put(page, SMALL),
        }
        Access::Miss { evicted }
    }

    fn forget(&mut self, page: u64) -> bool {
        let Some(place) = self.shelves.find(page) else { return false };
        let was_there = self.shelves.list_of(place) != GHOST;
        self.shelves.take(place);
        was_there
    }

    fn holds(&self, page: u64) -> bool {
        self.shelves.find(page).is_some_and(|place| self.shelves.list_of(place) != GHOST)
    }

    fn len(&self) -> usize {
        self.shelves.len(SMALL) + self.shelves.len(MAIN)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}
