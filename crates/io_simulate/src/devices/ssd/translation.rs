//! The translation layer of flash: which physical page holds a logical one, and what is moved to make room.
//!
//! Flash is written a page at a time, in order within a block, and erased a block at a time. So a page that is
//! written again goes elsewhere, the old copy becomes waste, and blocks are collected: what is still wanted in
//! them is written again, then they are erased.
//!
//! - *Map*: by page, in memory, without the cost of keeping it.
//! - *Where*: logical page `n` lives on plane `n mod planes`, channels first, then chips, dies, planes, so that
//!   neighbours lie side by side (order CWDP of MQSim, Tavakkol and others, FAST 2018). On a plane pages go to
//!   the one open block, those of the host and those that are moved.
//! - *When*: a plane collects as soon as its open block is full and only one free block is left; that one takes
//!   what is moved. So two blocks a plane hold no data for long, and the over-provisioning that counts is
//!   `(blocks - 1) / blocks` of the capacity over the logical one.
//! - *What*: greedy, the block with the fewest wanted pages, of several the one that has had so few for longest;
//!   or FIFO, the block that was filled first.
//!
//! Left out: wear (free blocks are used in turn, so none is spared), bad blocks, separate open blocks for hot
//! and cold pages, compression. Parity among dies counts as capacity that is not there: who has a drive with it
//! gives fewer blocks.

use super::super::latency_cap::NoSuchDevice;
use std::collections::VecDeque;

/// No page, or no block.
const NONE: u32 = u32::MAX;
/// Pages of a drive, at most; they take 8 bytes of memory each.
const MOST_PAGES: u64 = 1 << 29;

/// Which block is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// The one with the fewest pages that are still wanted.
    Greedy,
    /// The one that was filled first.
    Fifo,
}

/// The flash of a drive. Every number is given by who asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlashSpec {
    /// Channels of the controller.
    pub channels: u32,
    /// Chips on a channel.
    pub chips: u32,
    /// Dies of a chip.
    pub dies: u32,
    /// Planes of a die.
    pub planes: u32,
    /// Blocks of a plane.
    pub blocks: u32,
    /// Pages of a block.
    pub pages: u32,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Physical over logical capacity, less 1: 0.07 for 7 %.
    pub over_provisioning: f64,
    /// Which block is collected.
    pub collection: Collection,
}

impl FlashSpec {
    /// Dies of the drive.
    pub(super) fn all_dies(&self) -> u32 {
        self.channels * self.chips * self.dies
    }

    /// Physical pages of the drive.
    #[must_use]
    pub fn pages_in_all(&self) -> u64 {
        let factors = [self.channels, self.chips, self.dies, self.planes, self.blocks, self.pages];
        factors.iter().fold(1_u64, |all, n| all.saturating_mul(u64::from(*n)))
    }

    /// Why there is no such flash.
    fn check(&self) -> Result<u32, NoSuchDevice> {
        let parts = [
            ("channels", self.channels),
            ("chips", self.chips),
            ("dies", self.dies),
            ("planes", self.planes),
            ("pages", self.pages),
            ("bytes of a page", self.page_bytes),
        ];
        if let Some((what, number)) = parts.iter().find(|(_, n)| !(1..=1 << 20).contains(n)) {
            return Err(NoSuchDevice(format!("{number} {what} make no flash; between 1 and 1048576 do")));
        }
        let units = [self.chips, self.dies, self.planes]
            .iter()
            .fold(u64::from(self.channels), |all, n| all.saturating_mul(u64::from(*n)));
        let plane = u64::from(self.blocks) * u64::from(self.pages);
        let all = units.saturating_mul(plane);
        if units > 1 << 20 || all > MOST_PAGES {
            return Err(NoSuchDevice(format!(
                "flash of {units} planes and {all} pages is more than 1048576 planes or {MOST_PAGES} pages; take \
                 fewer planes, with as many blocks each: each plane collects for itself"
            )));
        }
        if !(0.001..=100.0).contains(&self.over_provisioning) {
            return Err(NoSuchDevice(format!(
                "an over-provisioning of {} is not between 0.001 and 100",
                self.over_provisioning
            )));
        }
        // Rounded down, and bounded by the above.
        let logical = (plane as f64 / (1.0 + self.over_provisioning)) as u64;
        let most = u64::from(self.blocks.saturating_sub(2)) * u64::from(self.pages);
        match u32::try_from(logical) {
            Ok(logical) if logical > 0 && u64::from(logical) <= most => Ok(logical),
            _ => Err(NoSuchDevice(format!(
                "planes of {} blocks leave fewer than two free with an over-provisioning of {}; take more blocks",
                self.blocks, self.over_provisioning
            ))),
        }
    }
}

/// What a write costs besides its own page, on the plane of that page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Pages read and written again.
    pub moved: u32,
    /// Blocks erased.
    pub erased: u32,
}

/// What was done since the count began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wear {
    /// Pages written by the host.
    pub host_pages: u64,
    /// Pages moved to make room.
    pub moved_pages: u64,
    /// Blocks erased.
    pub erased_blocks: u64,
}

impl Wear {
    /// Pages written to flash for each page written by the host; `None` where it wrote none.
    #[must_use]
    pub fn write_amplification(&self) -> Option<f64> {
        (self.host_pages > 0).then(|| 1.0 + self.moved_pages as f64 / self.host_pages as f64)
    }
}

/// The pages of one plane. Numbers of pages and blocks are those within it.
#[derive(Clone, Debug)]
struct Plane {
    pages: u32,
    /// Physical page of each logical one.
    map: Vec<u32>,
    /// Logical page of each physical one that is still wanted.
    owner: Vec<u32>,
    /// Wanted pages of each block.
    wanted: Vec<u32>,
    /// Blocks without data, in the order in which they are used.
    free: VecDeque<u32>,
    /// The block that is being filled, and how many of its pages are.
    open: u32,
    filled: u32,
    full: Full,
}

/// Full blocks, in the order in which they are collected.
#[derive(Clone, Debug)]
enum Full {
    Fifo(VecDeque<u32>),
    /// A list of blocks for each number of wanted pages, and the lowest number that may have one.
    Greedy {
        lists: Vec<(u32, u32)>,
        next: Vec<u32>,
        before: Vec<u32>,
        least: usize,
    },
}

impl Full {
    fn new(collection: Collection, blocks: u32, pages: u32) -> Self {
        match collection {
            Collection::Fifo => Self::Fifo(VecDeque::with_capacity(blocks as usize)),
            Collection::Greedy => Self::Greedy {
                lists: vec![(NONE, NONE); pages as usize + 1],
                next: vec![NONE; blocks as usize],
                before: vec![NONE; blocks as usize],
                least: pages as usize,
            },
        }
    }

    /// A block is full, with so many wanted pages.
    fn add(&mut self, block: u32, wanted: u32) {
        match self {
            Self::Fifo(order) => order.push_back(block),
            Self::Greedy { lists, next, before, least } => {
                let (first, last) = &mut lists[wanted as usize];
                next[block as usize] = NONE;
                before[block as usize] = *last;
                match *last {
                    NONE => *first = block,
                    last => next[last as usize] = block,
                }
                *last = block;
                *least = (*least).min(wanted as usize);
            }
        }
    }

    /// Takes a block out of the list of its number of wanted pages.
    fn remove(&mut self, block: u32, wanted: u32) {
        if let Self::Greedy { lists, next, before, .. } = self {
            let (after, ahead) = (next[block as usize], before[block as usize]);
            let (first, last) = &mut lists[wanted as usize];
            match ahead {
                NONE => *first = after,
                ahead => next[ahead as usize] = after,
            }
            match after {
                NONE => *last = ahead,
                after => before[after as usize] = ahead,
            }
        }
    }

    /// A page of a full block is wanted no more.
    fn less(&mut self, block: u32, wanted_before: u32) {
        if matches!(self, Self::Greedy { .. }) {
            self.remove(block, wanted_before);
            self.add(block, wanted_before - 1);
        }
    }

    /// The block to collect next, taken out.
    fn victim(&mut self) -> Option<u32> {
        match self {
            Self::Fifo(order) => order.pop_front(),
            Self::Greedy { lists, least, .. } => {
                while lists.get(*least).is_some_and(|(first, _)| *first == NONE) {
                    *least += 1;
                }
                let victim = lists.get(*least).map(|(first, _)| *first);
                let wanted = u32::try_from(*least).unwrap_or(NONE);
                if victim.is_none() {
                    *least = lists.len() - 1;
                }
                victim.inspect(|block| self.remove(*block, wanted))
            }
        }
    }
}

impl Plane {
    fn new(spec: &FlashSpec, logical: u32) -> Self {
        Self {
            pages: spec.pages,
            map: vec![NONE; logical as usize],
            owner: vec![NONE; spec.blocks as usize * spec.pages as usize],
            wanted: vec![0; spec.blocks as usize],
            free: (0..spec.blocks).collect(),
            open: NONE,
            filled: spec.pages,
            full: Full::new(spec.collection, spec.blocks, spec.pages),
        }
    }

    /// The copy of a logical page, if there is one, is wanted no more.
    fn forget(&mut self, logical: u32) -> bool {
        let physical = std::mem::replace(&mut self.map[logical as usize], NONE);
        if physical == NONE {
            return false;
        }
        self.owner[physical as usize] = NONE;
        let block = physical / self.pages;
        let wanted = &mut self.wanted[block as usize];
        *wanted -= 1;
        if block != self.open || self.filled == self.pages {
            self.full.less(block, *wanted + 1);
        }
        true
    }

    /// Writes a page to the open block, which has room.
    fn place(&mut self, logical: u32) {
        let physical = self.open * self.pages + self.filled;
        self.map[logical as usize] = physical;
        self.owner[physical as usize] = logical;
        self.wanted[self.open as usize] += 1;
        self.filled += 1;
        if self.filled == self.pages {
            self.full.add(self.open, self.wanted[self.open as usize]);
        }
    }

    fn open_next(&mut self) {
        if let Some(block) = self.free.pop_front() {
            (self.open, self.filled) = (block, 0);
        }
    }

    fn write(&mut self, logical: u32) -> Work {
        self.forget(logical);
        let mut work = Work::default();
        // Ends: fewer pages are wanted than full blocks have, so after one turn through all of them at most
        // a block is found that leaves room.
        while self.filled == self.pages {
            if self.free.len() > 1 {
                self.open_next();
                break;
            }
            let Some(victim) = self.full.victim() else { break };
            self.open_next();
            for physical in victim * self.pages..(victim + 1) * self.pages {
                let wanted = std::mem::replace(&mut self.owner[physical as usize], NONE);
                if wanted != NONE {
                    self.place(wanted);
                    work.moved += 1;
                }
            }
            self.wanted[victim as usize] = 0;
            self.free.push_back(victim);
            work.erased += 1;
        }
        self.place(logical);
        work
    }
}

/// The translation layer.
#[derive(Clone, Debug)]
pub struct TranslationLayer {
    planes: Vec<Plane>,
    logical_pages: u64,
    wear: Wear,
}

impl TranslationLayer {
    /// That of a specification, all pages unwritten.
    ///
    /// # Errors
    /// Where a part is missing, the drive has more pages than can be held in memory, or too few blocks a plane
    /// for its over-provisioning.
    pub fn new(spec: &FlashSpec) -> Result<Self, NoSuchDevice> {
        let logical = spec.check()?;
        let planes = (spec.all_dies() * spec.planes) as usize;
        Ok(Self {
            planes: vec![Plane::new(spec, logical); planes],
            logical_pages: u64::from(logical) * planes as u64,
            wear: Wear::default(),
        })
    }

    /// Logical pages of the drive.
    #[must_use]
    pub fn logical_pages(&self) -> u64 {
        self.logical_pages
    }

    /// The plane of a logical page; pages beyond the last begin again at the first.
    #[must_use]
    pub fn plane_of(&self, page: u64) -> usize {
        self.split(page).0
    }

    #[allow(clippy::cast_possible_truncation, reason = "below the number of planes, and of pages of a plane")]
    fn split(&self, page: u64) -> (usize, u32) {
        let page = if page < self.logical_pages { page } else { page % self.logical_pages };
        let planes = self.planes.len() as u64;
        ((page % planes) as usize, (page / planes) as u32)
    }

    /// Whether a logical page has been written and not trimmed since.
    #[must_use]
    pub fn is_written(&self, page: u64) -> bool {
        let (plane, local) = self.split(page);
        self.planes[plane].map[local as usize] != NONE
    }

    /// Writes a page; what had to be moved for it.
    pub fn write(&mut self, page: u64) -> Work {
        let (plane, local) = self.split(page);
        let work = self.planes[plane].write(local);
        self.wear.host_pages += 1;
        self.wear.moved_pages += u64::from(work.moved);
        self.wear.erased_blocks += u64::from(work.erased);
        work
    }

    /// Says that a page is wanted no more; whether it was there.
    pub fn trim(&mut self, page: u64) -> bool {
        let (plane, local) = self.split(page);
        self.planes[plane].forget(local)
    }

    /// What was done since the count began.
    #[must_use]
    pub fn wear(&self) -> Wear {
        self.wear
    }

    /// Begins to count anew: after the drive has been filled, say.
    pub fn count_anew(&mut self) {
        self.wear = Wear::default();
    }

    /// What must hold at any time: each written page has one copy, counts are right, a free block is left.
    #[cfg(test)]
    fn check(&self) {
        for plane in &self.planes {
            let mut wanted = vec![0; plane.wanted.len()];
            for (logical, physical) in plane.map.iter().enumerate().filter(|(_, p)| **p != NONE) {
                assert_eq!(plane.owner[*physical as usize] as usize, logical);
                wanted[(*physical / plane.pages) as usize] += 1;
            }
            assert_eq!(wanted, plane.wanted);
            let owned = plane.owner.iter().filter(|o| **o != NONE).count();
            assert_eq!(owned, plane.map.iter().filter(|p| **p != NONE).count());
            assert!(!plane.free.is_empty());
            assert!(plane.free.iter().all(|b| plane.wanted[*b as usize] == 0));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::formulas::{fifo_write_amplification, greedy_write_amplification};
    use super::*;
    use proptest::prelude::*;
    use spindle_workload::Seeded;

    fn flash(blocks: u32, pages: u32, over_provisioning: f64, collection: Collection) -> FlashSpec {
        FlashSpec {
            channels: 1,
            chips: 1,
            dies: 1,
            planes: 1,
            blocks,
            pages,
            page_bytes: 4_096,
            over_provisioning,
            collection,
        }
    }

    /// Write amplification of uniform random writes: fills the drive, writes `warm` times its size, measures
    /// over `measured` times its size.
    fn steady(spec: &FlashSpec, seed: u64, warm: u64, measured: u64) -> f64 {
        let mut layer = TranslationLayer::new(spec).unwrap();
        let size = layer.logical_pages();
        let mut random = Seeded::new(seed, 0);
        for page in 0..size {
            layer.write(page);
        }
        for _ in 0..warm * size {
            layer.write(random.below(size));
        }
        layer.count_anew();
        for _ in 0..measured * size {
            layer.write(random.below(size));
        }
        layer.check();
        layer.wear().write_amplification().unwrap()
    }

    #[track_caller]
    fn is_within_one_percent(spec: &FlashSpec, formula: Option<f64>) {
        let (found, formula) = (steady(spec, 13, 2, 2), formula.unwrap());
        assert!((found / formula - 1.0).abs() < 0.01, "{found} for {formula} at {}", spec.over_provisioning);
    }

    #[test]
    fn greedy_collection_amplifies_writes_as_the_formula_says() {
        for op in [0.07, 0.15, 0.28, 0.50] {
            let spec = flash(4_096, 64, op, Collection::Greedy);
            is_within_one_percent(&spec, greedy_write_amplification(op, 64));
        }
    }

    #[test]
    fn fifo_collection_amplifies_writes_as_the_formula_says() {
        for op in [0.07, 0.15, 0.28, 0.50] {
            is_within_one_percent(&flash(4_096, 64, op, Collection::Fifo), fifo_write_amplification(op));
        }
    }

    #[test]
    fn planes_side_by_side_amplify_like_one() {
        for (op, collection) in [(0.07, Collection::Greedy), (0.28, Collection::Fifo)] {
            let spec = FlashSpec { channels: 2, chips: 2, planes: 2, ..flash(2_048, 16, op, collection) };
            let formula = match collection {
                Collection::Greedy => greedy_write_amplification(op, 16),
                Collection::Fifo => fifo_write_amplification(op),
            };
            is_within_one_percent(&spec, formula);
        }
    }

    #[test]
    fn trimmed_space_counts_as_over_provisioning() {
        let spec = flash(2_048, 64, 0.07, Collection::Greedy);
        let mut layer = TranslationLayer::new(&spec).unwrap();
        let size = layer.logical_pages();
        for page in 0..size {
            layer.write(page);
        }
        let used = size * 4 / 5;
        assert!((used..size).all(|page| layer.trim(page)));
        let mut random = Seeded::new(5, 0);
        for _ in 0..2 * size {
            layer.write(random.below(used));
        }
        layer.count_anew();
        for _ in 0..2 * size {
            layer.write(random.below(used));
        }
        let found = layer.wear().write_amplification().unwrap();
        let formula = greedy_write_amplification(1.07 / 0.8 - 1.0, 64).unwrap();
        assert!((found / formula - 1.0).abs() < 0.01, "{found} {formula}");
    }

    #[test]
    fn writing_in_order_moves_nothing() {
        for collection in [Collection::Greedy, Collection::Fifo] {
            let mut layer = TranslationLayer::new(&flash(256, 32, 0.07, collection)).unwrap();
            let size = layer.logical_pages();
            for n in 0..5 * size {
                layer.write(n % size);
            }
            assert_eq!(layer.wear().moved_pages, 0, "{collection:?}");
        }
    }

    #[test]
    fn what_is_no_flash_says_why() {
        let refused = |change: &dyn Fn(&mut FlashSpec)| {
            let mut spec = flash(64, 32, 0.1, Collection::Greedy);
            change(&mut spec);
            TranslationLayer::new(&spec).unwrap_err().0
        };
        assert!(refused(&|s| s.channels = 0).contains("0 channels"));
        assert!(refused(&|s| s.pages = u32::MAX).contains("4294967295 pages"));
        assert!(
            refused(&|s| (s.channels, s.blocks, s.pages) = (1 << 20, 1 << 20, 1 << 20))
                .contains("fewer planes")
        );
        assert!(refused(&|s| s.over_provisioning = 0.0).contains("over-provisioning of 0"));
        assert!(refused(&|s| s.over_provisioning = f64::NAN).contains("over-provisioning of NaN"));
        assert!(refused(&|s| s.over_provisioning = 0.01).contains("take more blocks"));
        assert!(refused(&|s| s.blocks = 0).contains("take more blocks"));
    }

    proptest! {
        #[test]
        fn every_written_page_is_there_once(
            blocks in 4..24_u32,
            pages in 1..9_u32,
            planes in 1..4_u32,
            over_provisioning in 0.05..2.0,
            greedy in any::<bool>(),
            steps in prop::collection::vec((any::<u64>(), 0..8_u32), 0..600),
        ) {
            let collection = if greedy { Collection::Greedy } else { Collection::Fifo };
            let spec = FlashSpec { planes, ..flash(blocks, pages, over_provisioning, collection) };
            let Ok(mut layer) = TranslationLayer::new(&spec) else { return Ok(()) };
            let mut written = std::collections::BTreeSet::new();
            for (page, what) in steps {
                let page = page % layer.logical_pages();
                if what == 0 {
                    prop_assert_eq!(layer.trim(page), written.remove(&page));
                } else {
                    layer.write(page);
                    written.insert(page);
                }
                layer.check();
            }
            prop_assert!((0..layer.logical_pages()).all(|p| layer.is_written(p) == written.contains(&p)));
        }
    }
}
