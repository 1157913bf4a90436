//! A device with a cache before it: memory before an array, flash before disks.
//!
//! ```text
//! read     pages that are there     ─► front, each for itself ────────────────────► done when all are read
//!          first to last that is not ─► back, in one request ─► front: filled, nobody waits
//! write    around    back; what is there of it is dropped
//!          through   front and back, done when both are
//!          back      front; what leaves later is read from the front and written to the back, and who needs its
//!                    place waits for that
//! ```
//!
//! - Pages are whole: a miss reads all of each page, from its first byte.
//! - A page is there as soon as it was asked for, before its bytes have come.
//! - Part of a page that is not there is written to the back alone.
//! - Where 1,024 fills are under way the front does not keep up, and what comes is not kept.
//!
//! Left out: reading ahead, writing back before the room is needed, the policy's own time, loss of power.

use super::{Access, Cache};
use crate::devices::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Operation, Origin, Picoseconds, Request};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Fills under way, at most.
const MOST_FILLS: u32 = 1_024;

/// What a write does to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Passes it.
    Around,
    /// Goes to both.
    Through,
    /// Stays in it until the room is needed.
    Back,
}

/// What makes a [`CachedDevice`], besides its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedDeviceSpec {
    /// Bytes of a page; the front holds as many pages as the policy.
    pub page_bytes: u32,
    /// What a write does to the cache.
    pub writes: Writes,
}

/// Where a page is on the front.
#[derive(Clone, Copy, Debug)]
struct Kept {
    slot: u64,
    /// The back has older bytes.
    is_newer: bool,
}

/// A request to one of the two.
#[derive(Clone, Debug)]
struct Part {
    /// The request that waits for it.
    waits: Option<usize>,
    /// Who asked for what it belongs to.
    from: Origin,
    then: Then,
}

/// What follows when a part is done.
#[derive(Clone, Debug)]
enum Then {
    Nothing,
    /// These pages are written to the front.
    Fill(Vec<u64>),
    Filled,
    /// This page is written to the back.
    Save(u64),
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Front,
    Back,
}

/// The two as one.
#[derive(Debug)]
pub struct CachedDevice<C, F, B> {
    spec: CachedDeviceSpec,
    policy: C,
    front: F,
    back: B,
    /// Only looked up by page: its order decides nothing.
    kept: FxHashMap<u64, Kept>,
    /// Slots that were used and are free, and the first that never was.
    vacant_slots: Vec<u64>,
    next_slot: u64,
    /// Requests under way: tag, parts that they wait for, and who asked.
    under_way: Vec<(u64, u32, Origin)>,
    vacant: Vec<usize>,
    parts: Vec<Part>,
    vacant_parts: Vec<usize>,
    fills: u32,
    hits: u64,
    misses: u64,
    /// Memory that is used again: lists of pages that were missing, and what the two have done.
    lists: Vec<Vec<u64>>,
    parts_done: Vec<Completion>,
    done: VecDeque<Completion>,
    now: Picoseconds,
}

impl<C: Cache, F: Device, B: Device> CachedDevice<C, F, B> {
    /// A cache with its policy, on a front, before a back.
    ///
    /// # Errors
    /// Where a page has no bytes.
    pub fn new(spec: CachedDeviceSpec, policy: C, front: F, back: B) -> Result<Self, NoSuchDevice> {
        if spec.page_bytes == 0 {
            return Err(NoSuchDevice("a cache of pages without bytes is none".to_owned()));
        }
        Ok(Self {
            spec,
            policy,
            front,
            back,
            kept: FxHashMap::default(),
            vacant_slots: Vec::new(),
            next_slot: 0,
            under_way: Vec::new(),
            vacant: Vec::new(),
            parts: Vec::new(),
            vacant_parts: Vec::new(),
            fills: 0,
            hits: 0,
            misses: 0,
            lists: Vec::new(),
            parts_done: Vec::new(),
            done: VecDeque::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// Pages that reads found, of all that they asked for; `None` where there was no read.
    #[must_use]
    pub fn hit_rate(&self) -> Option<f64> {
        let all = self.hits + self.misses;
        (all > 0).then(|| self.hits as f64 / all as f64)
    }

    /// Pages that reads found, and all that they asked for.
    #[must_use]
    pub fn found_of(&self) -> (u64, u64) {
        (self.hits, self.hits + self.misses)
    }

    fn part(&mut self, side: Side, waits: Option<usize>, then: Then, request: Request) {
        let from = waits.map_or_else(Origin::default, |slot| self.under_way[slot].2);
        self.part_of(from, side, waits, then, request);
    }

    fn part_of(&mut self, from: Origin, side: Side, waits: Option<usize>, then: Then, request: Request) {
        let part = Part { waits, from, then };
        let number = match self.vacant_parts.pop() {
            Some(number) => {
                self.parts[number] = part;
                number
            }
            None => {
                self.parts.push(part);
                self.parts.len() - 1
            }
        };
        if let Some(slot) = waits {
            self.under_way[slot].1 += 1;
        }
        match side {
            Side::Front => self.front.submit_from(self.now, number as u64, from, request),
            Side::Back => self.back.submit_from(self.now, number as u64, from, request),
        }
    }

    /// Bytes of a request that lie in a page: the first, and how many.
    fn within(&self, request: Request, page: u64) -> (u64, u32) {
        let size = u64::from(self.spec.page_bytes);
        let from = request.offset.max(page.saturating_mul(size));
        let to = request.offset.saturating_add(u64::from(request.bytes)).min((page + 1).saturating_mul(size));
        (from, u32::try_from(to.saturating_sub(from)).unwrap_or(u32::MAX))
    }

    /// The bytes of a page on the front.
    fn on_front(&self, operation: Operation, kept: Kept, from: u64, bytes: u32) -> Request {
        let size = u64::from(self.spec.page_bytes);
        Request { operation, offset: kept.slot * size + from % size, bytes }
    }

    /// Asks the policy for a page; makes room for it where it was not there. Whether it was.
    fn ask(&mut self, waits: usize, page: u64) -> (bool, Kept) {
        let access = self.policy.access(page);
        if let Access::Miss { evicted: Some(gone) } = access
            && let Some(kept) = self.kept.remove(&gone)
        {
            self.vacant_slots.push(kept.slot);
            if kept.is_newer {
                let whole = self.on_front(Operation::Read, kept, 0, self.spec.page_bytes);
                self.part(Side::Front, Some(waits), Then::Save(gone), whole);
            }
        }
        if let Some(kept) = self.kept.get(&page) {
            return (true, *kept);
        }
        let slot = self.vacant_slots.pop().unwrap_or_else(|| {
            self.next_slot += 1;
            self.next_slot - 1
        });
        let kept = Kept { slot, is_newer: false };
        self.kept.insert(page, kept);
        (false, kept)
    }

    /// Drops a page that is not to be kept.
    fn drop_page(&mut self, page: u64) {
        self.policy.forget(page);
        if let Some(kept) = self.kept.remove(&page) {
            self.vacant_slots.push(kept.slot);
        }
    }

    fn read(&mut self, slot: usize, request: Request, pages: std::ops::Range<u64>) {
        let size = u64::from(self.spec.page_bytes);
        let mut missing = self.lists.pop().unwrap_or_default();
        for page in pages {
            let (was_there, kept) = self.ask(slot, page);
            if was_there {
                self.hits += 1;
                let (from, bytes) = self.within(request, page);
                let read = self.on_front(Operation::Read, kept, from, bytes);
                self.part(Side::Front, Some(slot), Then::Nothing, read);
            } else {
                self.misses += 1;
                missing.push(page);
            }
        }
        if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
            let bytes = u32::try_from((last + 1 - first).saturating_mul(size)).unwrap_or(u32::MAX);
            let offset = first.saturating_mul(size);
            let read = Request { operation: Operation::Read, offset, bytes };
            self.part(Side::Back, Some(slot), Then::Fill(missing), read);
        } else {
            self.lists.push(missing);
        }
    }

    fn write(&mut self, slot: usize, request: Request, pages: std::ops::Range<u64>) {
        if self.spec.writes != Writes::Back {
            self.part(Side::Back, Some(slot), Then::Nothing, request);
        }
        for page in pages {
            if self.spec.writes == Writes::Around {
                self.drop_page(page);
                continue;
            }
            let (from, bytes) = self.within(request, page);
            if bytes < self.spec.page_bytes && !self.policy.holds(page) {
                if self.spec.writes == Writes::Back {
                    let part = Request { operation: Operation::Write, offset: from, bytes };
                    self.part(Side::Back, Some(slot), Then::Nothing, part);
                }
                continue;
            }
            let (_, kept) = self.ask(slot, page);
            let write = self.on_front(Operation::Write, kept, from, bytes);
            self.part(Side::Front, Some(slot), Then::Nothing, write);
            if let Some(kept) = self.kept.get_mut(&page).filter(|_| self.spec.writes == Writes::Back) {
                kept.is_newer = true;
            }
        }
    }

    /// A part is done, and what follows from it begins.
    fn part_done(&mut self, number: usize) {
        let part = Part { waits: None, from: Origin::default(), then: Then::Nothing };
        let part = std::mem::replace(&mut self.parts[number], part);
        self.vacant_parts.push(number);
        let size = self.spec.page_bytes;
        match part.then {
            Then::Nothing => {}
            Then::Filled => self.fills -= 1,
            Then::Save(page) => {
                let offset = page.saturating_mul(u64::from(size));
                let write = Request { operation: Operation::Write, offset, bytes: size };
                self.part(Side::Back, part.waits, Then::Nothing, write);
            }
            Then::Fill(mut pages) => {
                for page in pages.drain(..) {
                    // Gone again already, or written meanwhile.
                    let Some(kept) = self.kept.get(&page).copied().filter(|k| !k.is_newer) else { continue };
                    if self.fills == MOST_FILLS {
                        self.drop_page(page);
                        continue;
                    }
                    self.fills += 1;
                    let fill = self.on_front(Operation::Write, kept, 0, size);
                    let from = Origin { waits: false, ..part.from };
                    self.part_of(from, Side::Front, None, Then::Filled, fill);
                }
                self.lists.push(pages);
            }
        }
        if let Some(slot) = part.waits {
            self.part_of_is_done(slot);
        }
    }

    fn part_of_is_done(&mut self, slot: usize) {
        let (tag, waiting, _) = &mut self.under_way[slot];
        *waiting -= 1;
        if *waiting == 0 {
            self.done.push_back(Completion { tag: *tag, at: self.now });
            self.vacant.push(slot);
        }
    }

    /// When one of the two does something next.
    fn next_below(&self) -> Option<Picoseconds> {
        match (self.front.next_event(), self.back.next_event()) {
            (Some(front), Some(back)) => Some(front.min(back)),
            (front, back) => front.or(back),
        }
    }

    /// Lets everything happen by then.
    fn run(&mut self, until: Picoseconds) {
        let mut done = std::mem::take(&mut self.parts_done);
        while let Some(next) = self.next_below().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.front.advance(self.now, &mut done);
            self.back.advance(self.now, &mut done);
            for part in done.drain(..) {
                // Numbers are ours.
                if let Ok(number) = usize::try_from(part.tag) {
                    self.part_done(number);
                }
            }
        }
        self.parts_done = done;
        self.now = self.now.max(until);
    }
}

impl<C: Cache, F: Device, B: Device> Device for CachedDevice<C, F, B> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.submit_from(now, tag, Origin::default(), request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        // What happens until now comes first, whether somebody has looked or not.
        self.run(now);
        let slot = match self.vacant.pop() {
            Some(slot) => slot,
            None => {
                self.under_way.push((0, 0, from));
                self.under_way.len() - 1
            }
        };
        // It waits for itself until all its parts are on their way.
        self.under_way[slot] = (tag, 1, from);
        let size = u64::from(self.spec.page_bytes);
        let first = request.offset / size;
        let end = request.offset.saturating_add(u64::from(request.bytes)).div_ceil(size).max(first + 1);
        match request.operation {
            Operation::Read => self.read(slot, request, first..end),
            Operation::Write => self.write(slot, request, first..end),
        }
        self.part_of_is_done(slot);
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.run(now);
        self.front.ended(self.now, process);
        self.back.ended(self.now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.done.front().map(|d| d.at).or_else(|| self.next_below())
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.run(now);
        completed.extend(self.done.drain(..));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Arc, Lru, S3Fifo, lru_hit_rate};
    use super::*;
    use crate::{LatencyCap, LatencyCapSpec, closed_loop};
    use proptest::prelude::*;
    use spindle_workload::{Pattern, Seeded};

    fn takes(us: f64) -> LatencyCap {
        let latency = Picoseconds::from_us(us);
        LatencyCap::new(&LatencyCapSpec { latency, iops: None, bytes_per_s: None }).unwrap()
    }

    /// Flash of 100 us before a disk of 8,000, pages of 8 KiB.
    fn cached(pages: usize, writes: Writes) -> CachedDevice<Lru, LatencyCap, LatencyCap> {
        let spec = CachedDeviceSpec { page_bytes: 8_192, writes };
        CachedDevice::new(spec, Lru::new(pages), takes(100.0), takes(8_000.0)).unwrap()
    }

    fn page(operation: Operation, page: u64) -> Request {
        Request { operation, offset: page * 8_192, bytes: 8_192 }
    }

    use Operation::{Read, Write};

    /// What requests take, one after the other.
    fn taken(device: &mut impl Device, requests: &[Request]) -> Vec<f64> {
        let run = closed_loop(device, 1, requests.iter().copied()).unwrap();
        run.served.iter().map(|s| s.latency().as_us()).collect()
    }

    #[test]
    fn a_page_comes_from_the_back_once() {
        let requests = [page(Read, 1), page(Read, 1), page(Read, 2), page(Read, 1)];
        let mut device = cached(10, Writes::Around);
        assert_eq!(taken(&mut device, &requests), [8_000.0, 100.0, 8_000.0, 100.0]);
        assert_eq!(device.hit_rate(), Some(0.5));
    }

    /// Who asked it, and who has ended.
    #[derive(Debug)]
    struct Told(LatencyCap, std::rc::Rc<std::cell::RefCell<Vec<(u32, bool)>>>);

    impl Device for Told {
        fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
            self.submit_from(now, tag, Origin::default(), request);
        }

        fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
            self.1.borrow_mut().push((from.process, from.waits));
            self.0.submit(now, tag, request);
        }

        fn ended(&mut self, _now: Picoseconds, process: u32) {
            self.1.borrow_mut().push((process, false));
        }

        fn next_event(&self) -> Option<Picoseconds> {
            self.0.next_event()
        }

        fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
            self.0.advance(now, completed);
        }
    }

    #[test]
    fn what_lies_below_hears_who_asks_and_who_has_ended() {
        let (front, back) = (std::rc::Rc::default(), std::rc::Rc::default());
        let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Around };
        let parts =
            [(100.0, &front), (8_000.0, &back)].map(|(us, log)| Told(takes(us), std::rc::Rc::clone(log)));
        let [first, second] = parts;
        let mut device = CachedDevice::new(spec, Lru::new(10), first, second).unwrap();
        for process in [7, 8] {
            device.submit_from(
                Picoseconds::ZERO,
                0,
                Origin { process, waits: true },
                page(Read, u64::from(process)),
            );
        }
        device.advance(Picoseconds::SECOND, &mut Vec::new());
        device.submit_from(Picoseconds::SECOND, 0, Origin { process: 8, waits: true }, page(Read, 7));
        device.ended(Picoseconds::SECOND, 7);
        // Nobody waits for what is filled.
        assert_eq!(*front.borrow(), [(7, false), (8, false), (8, true), (7, false)]);
        assert_eq!(*back.borrow(), [(7, true), (8, true), (7, false)]);
    }

    #[test]
    fn a_write_goes_around_through_or_back() {
        let requests = [page(Read, 1), page(Write, 1), page(Read, 1)];
        assert_eq!(taken(&mut cached(10, Writes::Around), &requests), [8_000.0, 8_000.0, 8_000.0]);
        assert_eq!(taken(&mut cached(10, Writes::Through), &requests), [8_000.0, 8_000.0, 100.0]);
        assert_eq!(taken(&mut cached(10, Writes::Back), &requests), [8_000.0, 100.0, 100.0]);
    }

    #[test]
    fn who_needs_the_place_of_a_newer_page_waits_until_it_is_saved() {
        let requests = [page(Write, 1), page(Write, 2), page(Read, 3), page(Read, 1)];
        // One page alone: read from the front and written to the back. The read of page 3 waits for that of
        // page 2 longer than for itself; page 3 is as the back has it and just goes.
        let times = taken(&mut cached(1, Writes::Back), &requests);
        assert_eq!(times, [100.0, 8_100.0, 8_100.0, 8_000.0]);
    }

    #[test]
    fn part_of_a_page_is_read_with_all_of_it_and_written_alone() {
        let part = |operation| Request { operation, offset: 3 * 8_192 + 512, bytes: 1_024 };
        let mut device = cached(10, Writes::Back);
        let times = taken(&mut device, &[part(Write), part(Read), page(Read, 3), part(Write)]);
        assert_eq!(times, [8_000.0, 8_000.0, 100.0, 100.0]);
    }

    #[test]
    fn a_request_over_several_pages_is_done_with_the_last_of_them() {
        let three = Request { operation: Read, offset: 8_192 + 100, bytes: 2 * 8_192 };
        let mut device = cached(10, Writes::Around);
        assert_eq!(taken(&mut device, &[page(Read, 2), three, three]), [8_000.0, 8_000.0, 100.0]);
        assert_eq!(device.hit_rate(), Some(4.0 / 7.0));
    }

    #[test]
    fn flash_before_disks_brings_what_its_hit_rate_says_and_before_flash_next_to_nothing() {
        let rate = |back_us: f64, front_us: f64| {
            let spec = CachedDeviceSpec { page_bytes: 8_192, writes: Writes::Around };
            let mut device =
                CachedDevice::new(spec, Lru::new(4_000), takes(front_us), takes(back_us)).unwrap();
            let mut blocks = Pattern::Zipf { theta: 1.0 }.blocks(20_000, Seeded::new(3, 0));
            let run = closed_loop(&mut device, 8, (0..80_000).map(|_| page(Read, blocks.draw()))).unwrap();
            // Once the cache has filled.
            run.served[40_000..].iter().map(|s| s.latency().as_us()).sum::<f64>() / 40_000.0
        };
        let weights: Vec<f64> = (1..=20_000).map(|k| 1.0 / f64::from(k)).collect();
        let hits = lru_hit_rate(&weights, 4_000).unwrap();
        let mean = rate(8_000.0, 100.0);
        assert!((mean / (hits * 100.0 + (1.0 - hits) * 8_000.0) - 1.0).abs() < 0.03, "{mean} {hits}");
        // Flash of 97 us before flash of 100.
        assert!((rate(100.0, 97.0) / 100.0 - 1.0).abs() < 0.03);
    }

    #[test]
    fn a_page_without_bytes_is_refused() {
        let spec = CachedDeviceSpec { page_bytes: 0, writes: Writes::Back };
        let refused = CachedDevice::new(spec, Lru::new(1), takes(1.0), takes(1.0)).unwrap_err();
        assert!(refused.0.contains("without bytes"));
    }

    fn log(which: u8, writes: Writes, arrivals: &[(u64, Request)], looks: &[u64]) -> Vec<Completion> {
        let policy: Box<dyn Cache> = match which {
            0 => Box::new(Lru::new(5)),
            1 => Box::new(Arc::new(5)),
            _ => Box::new(S3Fifo::new(5)),
        };
        let spec = CachedDeviceSpec { page_bytes: 8_192, writes };
        let slow =
            LatencyCapSpec { latency: Picoseconds::from_us(500.0), iops: Some(1_000.0), bytes_per_s: None };
        let mut device =
            CachedDevice::new(spec, policy, takes(100.0), LatencyCap::new(&slow).unwrap()).unwrap();
        let mut completed = Vec::new();
        let mut now = 0;
        for (tag, (gap, request)) in (0..).zip(arrivals) {
            for look in looks.iter().filter(|t| (now..=now + gap).contains(*t)) {
                device.advance(Picoseconds(*look), &mut completed);
            }
            now += gap;
            device.submit(Picoseconds(now), tag, *request);
        }
        while let Some(next) = device.next_event() {
            device.advance(next, &mut completed);
        }
        completed
    }

    proptest! {
        #[test]
        fn every_request_is_done_once_however_often_one_looks(
            which in 0..3_u8,
            writes in prop_oneof![Just(Writes::Around), Just(Writes::Through), Just(Writes::Back)],
            arrivals in prop::collection::vec(
                (prop_oneof![Just(0), 0..1_000_000_000_u64], any::<bool>(), 0..100_000_u64, 1..40_000_u32),
                1..100,
            ),
            looks in prop::collection::vec(0..50_000_000_000_u64, 0..30),
        ) {
            let arrivals: Vec<(u64, Request)> = arrivals
                .into_iter()
                .map(|(gap, read, offset, bytes)| {
                    (gap, Request { operation: if read { Read } else { Write }, offset, bytes })
                })
                .collect();
            let mut looks = looks;
            looks.sort_unstable();
            let alone = log(which, writes, &arrivals, &[]);
            let mut tags: Vec<u64> = alone.iter().map(|c| c.tag).collect();
            tags.sort_unstable();
            prop_assert_eq!(tags, (0..arrivals.len() as u64).collect::<Vec<_>>());
            prop_assert!(alone.is_sorted_by_key(|c| c.at));
            prop_assert_eq!(alone, log(which, writes, &arrivals, &looks));
        }
    }
}
