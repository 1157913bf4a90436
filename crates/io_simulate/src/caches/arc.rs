//! The adaptive replacement cache: pages asked for once beside pages asked for again, and how much room each
//! gets learnt from what was dropped too early.
//!
//! ```text
//! T1, T2   pages that are there, asked for once, more than once; most recent first
//! B1, B2   pages that were dropped from T1 and T2: their numbers alone
//! p        pages that T1 is to have
//! hit in B1   p = min(c, p + max(1, |B2| / |B1|))      hit in B2   p = max(0, p - max(1, |B1| / |B2|))
//! room     from T1 if it has more than p pages (or p, and the page asked for is in B2), else from T2
//! ```
//!
//! Always `|T1| + |T2| <= c`, `|T1| + |B1| <= c` and all four together `<= 2c`. `p` is a fraction here, as in the paper,
//! where many implementations round it.
//!
//! Source: Megiddo and Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003, figure 4. Dropping a
//! page on demand ([`Cache::forget`]) is not in the paper; room that it leaves is filled before anything goes.

use super::shelves::Shelves;
use super::{Access, Cache, MOST_PAGES};

const T1: usize = 0;
const T2: usize = 1;
const B1: usize = 2;
const B2: usize = 3;

/// The policy.
#[derive(Clone, Debug)]
pub struct Arc {
    shelves: Shelves<4>,
    capacity: usize,
    once: f64,
}

impl Arc {
    /// A cache of so many pages, at least 1 and at most 2^28.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { shelves: Shelves::new(), capacity: capacity.clamp(1, MOST_PAGES), once: 0.0 }
    }

    /// Pages that those asked for once are to have.
    #[must_use]
    pub fn once(&self) -> f64 {
        self.once
    }

    /// Pages of T1, T2, B1, B2.
    #[must_use]
    pub fn lengths(&self) -> [usize; 4] {
        [T1, T2, B1, B2].map(|list| self.shelves.len(list))
    }

    /// Makes room for one page if there is none: the oldest of T1 or T2 leaves its number behind.
    fn replace(&mut self, is_in_b2: bool) -> Option<u64> {
        let [t1, t2, ..] = self.lengths();
        if t1 + t2 < self.capacity {
            return None;
        }
        let many = t1 as f64 > self.once || is_in_b2 && t1 as f64 == self.once;
        let (from, to) = if t1 > 0 && (many || t2 == 0) { (T1, B1) } else { (T2, B2) };
        let place = self.shelves.oldest(from)?;
        self.shelves.renew(place, to);
        Some(self.shelves.page(place))
    }

    fn drop_oldest(&mut self, list: usize) -> Option<u64> {
        let place = self.shelves.oldest(list)?;
        Some(self.shelves.take(place))
    }
}

impl Cache for Arc {
    fn access(&mut self, page: u64) -> Access {
        let [t1, t2, b1, b2] = self.lengths();
        let Some(place) = self.shelves.find(page) else {
            let mut evicted = None;
            if t1 + b1 == self.capacity {
                if b1 > 0 {
                    self.drop_oldest(B1);
                    evicted = self.replace(false);
                } else {
                    evicted = self.drop_oldest(T1);
                }
            } else if t1 + t2 + b1 + b2 >= self.capacity {
                if t1 + t2 + b1 + b2 == 2 * self.capacity {
                    self.drop_oldest(B2);
                }
                evicted = self.replace(false);
            }
            self.shelves.put(page, T1);
            return Access::Miss { evicted };
        };
        let list = self.shelves.list_of(place);
        let ratio = |more: usize, fewer: usize| (more as f64 / fewer as f64).max(1.0);
        let evicted = match list {
            B1 => {
                self.once = (self.once + ratio(b2, b1)).min(self.capacity as f64);
                self.replace(false)
            }
            B2 => {
                self.once = (self.once - ratio(b1, b2)).max(0.0);
                self.replace(true)
            }
            _ => {
                self.shelves.renew(place, T2);
                return Access::Hit;
            }
        };
        self.shelves.renew(place, T2);
        Access::Miss { evicted }
    }

    fn forget(&mut self, page: u64) -> bool {
        let Some(place) = self.shelves.find(page) else { return false };
        let was_there = self.shelves.list_of(place) < B1;
        self.shelves.take(place);
        was_there
    }

    fn holds(&self, page: u64) -> bool {
        self.shelves.find(page).is_some_and(|place| self.shelves.list_of(place) < B1)
    }

    fn len(&self) -> usize {
        self.shelves.len(T1) + self.shelves.len(T2)
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}
