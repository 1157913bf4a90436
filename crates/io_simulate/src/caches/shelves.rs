//! Pages in a few lists, found by number: what all policies are made of.
//!
//! What an access costs is the cache lines that it touches, so these are few: a page takes 16 bytes of a slab, its links
//! with the list and the mark in bits that a place does not need; the table by which it is found keeps half of each
//! page's hash beside its place, so that looking for a page which is not there, taking one out and moving others
//! together touch the table alone. The table is open addressed with linear probing, at most half full, and entries
//! move back where one is taken out (Knuth, "The Art of Computer Programming", volume 3, 6.4, algorithm R), so it does
//! not age. Its order decides nothing.

/// Bits of a place. There are fewer than 2^29 pages and numbers in all, so that places stay below [`NONE`].
const PLACE_BITS: u32 = 30;
/// No place.
const NONE: u32 = (1 << PLACE_BITS) - 1;
/// Slots of an empty table.
const FEWEST_SLOTS: usize = 16;

/// A page in a list. The upper two bits of a link are the mark (of `newer`) and the list (of `older`).
#[derive(Clone, Copy, Debug)]
struct Node {
    page: u64,
    newer: u32,
    older: u32,
}

impl Node {
    fn newer(self) -> u32 {
        self.newer & NONE
    }

    fn older(self) -> u32 {
        self.older & NONE
    }

    fn mark(self) -> u8 {
        (self.newer >> PLACE_BITS) as u8
    }

    fn list(self) -> usize {
        (self.older >> PLACE_BITS) as usize
    }

    fn set_newer(&mut self, at: u32) {
        self.newer = (self.newer & !NONE) | at;
    }

    fn set_older(&mut self, at: u32) {
        self.older = (self.older & !NONE) | at;
    }
}

/// A slot of the table: the upper half of a page's hash, and its place, or [`NONE`].
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    place: u32,
}

const EMPTY: Slot = Slot { hash: 0, place: NONE };

/// Fibonacci hashing (Knuth, the same volume, 6.4): the upper bits of a product with 2^64 over the golden ratio.
fn hash(page: u64) -> u32 {
    (page.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    newest: u32,
    oldest: u32,
    len: usize,
}

/// A page's place, until it is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

/// `N` lists of pages, at most four; a page is in one of them at most. Memory grows with what is in them.
#[derive(Clone, Debug)]
pub(super) struct Shelves<const N: usize> {
    slots: Vec<Slot>,
    /// The slot of a hash is its upper bits: so far it is shifted.
    shift: u32,
    nodes: Vec<Node>,
    lists: [Ends; N],
    /// The first of the places that were used and are free; `older` leads to the next.
    vacant: u32,
}

impl<const N: usize> Shelves<N> {
    pub(super) fn new() -> Self {
        const { assert!(N <= 4) };
        Self {
            slots: vec![EMPTY; FEWEST_SLOTS],
            shift: 32 - FEWEST_SLOTS.trailing_zeros(),
            nodes: Vec::new(),
            lists: [Ends { newest: NONE, oldest: NONE, len: 0 }; N],
            vacant: NONE,
        }
    }

    pub(super) fn len(&self, list: usize) -> usize {
        self.lists[list].len
    }

    pub(super) fn find(&self, page: u64) -> Option<Place> {
        let hash = hash(page);
        let mut at = (hash >> self.shift) as usize;
        // Ends: half of the slots are empty.
        loop {
            let slot = self.slots[at];
            if slot.place == NONE {
                return None;
            }
            if slot.hash == hash && self.nodes[slot.place as usize].page == page {
                return Some(Place(slot.place));
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    pub(super) fn list_of(&self, place: Place) -> usize {
        self.nodes[place.0 as usize].list()
    }

    /// A policy's own mark of a page, up to 3; 0 when it is put in.
    pub(super) fn mark_of(&self, place: Place) -> u8 {
        self.nodes[place.0 as usize].mark()
    }

    pub(super) fn set_mark(&mut self, place: Place, mark: u8) {
        let node = &mut self.nodes[place.0 as usize];
        node.newer = node.newer() | (u32::from(mark) << PLACE_BITS);
    }

    /// The page that was put into a list the longest ago.
    pub(super) fn oldest(&self, list: usize) -> Option<Place> {
        let oldest = self.lists[list].oldest;
        (oldest != NONE).then_some(Place(oldest))
    }

    /// Puts in a page that is in no list.
    #[allow(clippy::cast_possible_truncation, reason = "lists are bounded")]
    pub(super) fn put(&mut self, page: u64, list: usize) {
        let node = Node { page, newer: NONE, older: NONE };
        let at = if self.vacant == NONE {
            self.nodes.push(node);
            if 2 * self.nodes.len() > self.slots.len() {
                self.grow();
            }
            self.nodes.len() as u32 - 1
        } else {
            let at = self.vacant;
            self.vacant = self.nodes[at as usize].older();
            self.nodes[at as usize] = node;
            at
        };
        self.enter(Slot { hash: hash(page), place: at });
        self.link(at, list);
    }

    /// Makes a page the newest of a list.
    pub(super) fn renew(&mut self, place: Place, list: usize) {
        if self.lists[list].newest == place.0 {
            return;
        }
        self.unlink(place.0);
        self.link(place.0, list);
    }

    /// Takes a page off its list, and leaves its place as it is: [`Shelves::lay`] has to follow.
    pub(super) fn lift(&mut self, place: Place) {
        self.unlink(place.0);
    }

    /// Makes a page that was lifted the newest of a list.
    pub(super) fn lay(&mut self, place: Place, list: usize) {
        self.link(place.0, list);
    }

    /// Takes a page out.
    pub(super) fn take(&mut self, place: Place) -> u64 {
        self.unlink(place.0);
        let node = &mut self.nodes[place.0 as usize];
        node.set_older(self.vacant);
        self.vacant = place.0;
        let page = node.page;
        self.leave(page, place.0);
        page
    }

    /// The page of a place.
    pub(super) fn page(&self, place: Place) -> u64 {
        self.nodes[place.0 as usize].page
    }

    /// Puts a place into the first free slot from that of its hash on.
    fn enter(&mut self, slot: Slot) {
        let mut at = (slot.hash >> self.shift) as usize;
        while self.slots[at].place != NONE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    /// Takes a place out of the table; those that came to lie behind it move up.
    fn leave(&mut self, page: u64, place: u32) {
        let last = self.slots.len() - 1;
        let mut free = (hash(page) >> self.shift) as usize;
        while self.slots[free].place != place {
            free = (free + 1) & last;
        }
        let mut at = free;
        loop {
            at = (at + 1) & last;
            let slot = self.slots[at];
            if slot.place == NONE {
                break;
            }
            // It may not lie before the slot of its hash.
            let way = at.wrapping_sub((slot.hash >> self.shift) as usize) & last;
            if way >= at.wrapping_sub(free) & last {
                self.slots[free] = slot;
                free = at;
            }
        }
        self.slots[free] = EMPTY;
    }

    /// Doubles the table. Slots are taken in their order, so that memory is walked through and not jumped about in.
    fn grow(&mut self) {
        let twice = vec![EMPTY; 2 * self.slots.len()];
        let slots = std::mem::replace(&mut self.slots, twice);
        self.shift -= 1;
        for slot in slots.into_iter().filter(|slot| slot.place != NONE) {
            self.enter(slot);
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "there are at most four lists")]
    fn link(&mut self, at: u32, list: usize) {
        let ends = &mut self.lists[list];
        let before = std::mem::replace(&mut ends.newest, at);
        ends.len += 1;
        if before == NONE {
            ends.oldest = at;
        } else {
            self.nodes[before as usize].set_newer(at);
        }
        let node = &mut self.nodes[at as usize];
        node.set_newer(NONE);
        node.older = before | ((list as u32) << PLACE_BITS);
    }

    fn unlink(&mut self, at: u32) {
        let node = self.nodes[at as usize];
        let ends = &mut self.lists[node.list()];
        ends.len -= 1;
        match node.newer() {
            NONE => ends.newest = node.older(),
            newer => self.nodes[newer as usize].set_older(node.older()),
        }
        match node.older() {
            NONE => self.lists[node.list()].oldest = node.newer(),
            older => self.nodes[older as usize].set_newer(node.newer()),
        }
    }
}
