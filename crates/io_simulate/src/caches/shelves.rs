//! Pages in a few lists, found by number: what all policies are made of.

use rustc_hash::FxHashMap;

/// No place.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    page: u64,
    newer: u32,
    older: u32,
    list: u8,
    /// A policy's own.
    mark: u8,
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

/// `N` lists of pages; a page is in one of them at most. Memory grows with what is in them.
#[derive(Clone, Debug)]
pub(super) struct Shelves<const N: usize> {
    /// Only looked up by page: its order decides nothing.
    places: FxHashMap<u64, u32>,
    nodes: Vec<Node>,
    lists: [Ends; N],
    vacant: u32,
}

impl<const N: usize> Shelves<N> {
    pub(super) fn new() -> Self {
        Self {
            places: FxHashMap::default(),
            nodes: Vec::new(),
            lists: [Ends { newest: NONE, oldest: NONE, len: 0 }; N],
            vacant: NONE,
        }
    }

    pub(super) fn len(&self, list: usize) -> usize {
        self.lists[list].len
    }

    pub(super) fn find(&self, page: u64) -> Option<Place> {
        self.places.get(&page).map(|at| Place(*at))
    }

    pub(super) fn list_of(&self, place: Place) -> usize {
        usize::from(self.nodes[place.0 as usize].list)
    }

    pub(super) fn mark_of(&mut self, place: Place) -> &mut u8 {
        &mut self.nodes[place.0 as usize].mark
    }

    /// The page that was put into a list the longest ago.
    pub(super) fn oldest(&self, list: usize) -> Option<Place> {
        let oldest = self.lists[list].oldest;
        (oldest != NONE).then_some(Place(oldest))
    }

    /// Puts in a page that is in no list.
    #[allow(clippy::cast_possible_truncation, reason = "lists are bounded, the number of a list is small")]
    pub(super) fn put(&mut self, page: u64, list: usize) {
        let node = Node { page, newer: NONE, older: NONE, list: list as u8, mark: 0 };
        let at = if self.vacant == NONE {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let at = self.vacant;
            self.vacant = self.nodes[at as usize].older;
            self.nodes[at as usize] = node;
            at
        };
        self.places.insert(page, at);
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

    /// Takes a page out.
    pub(super) fn take(&mut self, place: Place) -> u64 {
        self.unlink(place.0);
        let node = &mut self.nodes[place.0 as usize];
        node.older = self.vacant;
        self.vacant = place.0;
        let page = node.page;
        self.places.remove(&page);
        page
    }

    /// The page of a place.
    pub(super) fn page(&self, place: Place) -> u64 {
        self.nodes[place.0 as usize].page
    }

    #[allow(clippy::cast_possible_truncation, reason = "the number of a list is small")]
    fn link(&mut self, at: u32, list: usize) {
        let ends = &mut self.lists[list];
        let before = std::mem::replace(&mut ends.newest, at);
        ends.len += 1;
        if before == NONE {
            ends.oldest = at;
        } else {
            self.nodes[before as usize].newer = at;
        }
        let node = &mut self.nodes[at as usize];
        (node.newer, node.older, node.list) = (NONE, before, list as u8);
    }

    fn unlink(&mut self, at: u32) {
        let Node { newer, older, list, .. } = self.nodes[at as usize];
        let ends = &mut self.lists[usize::from(list)];
        ends.len -= 1;
        match newer {
            NONE => ends.newest = older,
            newer => self.nodes[newer as usize].older = older,
        }
        match older {
            NONE => self.lists[usize::from(list)].oldest = newer,
            older => self.nodes[older as usize].newer = newer,
        }
    }
}
