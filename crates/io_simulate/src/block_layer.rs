//! The block layer of Linux before a device: plug, merging, a scheduler, and so many requests in the driver.
//!
//! ```text
//! request ─► cut at the limit ─► merged into one that waits ──────────────────┐
//!                              └► a request of its own ─► scheduler ─► (plug) ─┴► driver: the device below
//! ```
//!
//! - A request that ends where a waiting one begins, or begins where one ends, becomes part of it, as long as both together
//!   are not larger than the limit and the scheduler agrees. Each is told of as done when all of its parts are.
//! - *Plug*: a request that finds no other waiting is held back, so that others can join it: until so many wait, the time is
//!   up, somebody waits for one, or the driver has finished something. Who waits lets go of it when all that is asked for
//!   at one time is there, a picosecond later.
//! - Each way has so many requests; what comes when all are taken waits its turn before the layer, where the scheduler does
//!   not see it.
//!
//! Sources: the kernel of 2.6 (ll_rw_blk.c) and the multi-queue layer of today [R]; numbers as on the reference's page of
//! schedulers. Left out: joining two waiting requests when the gap between them is filled, barriers and flushes, the time of
//! the processor, more than one queue of hardware, splits by scatter lists.

use crate::schedulers::{Queued, Scheduler};
use crate::{Completion, Device, NoSuchDevice, Operation, Origin, Picoseconds, Request};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What is held back so that it may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugSpec {
    /// So many requests that wait let go.
    pub requests: u32,
    /// So long after the first, it lets go.
    pub delay: Picoseconds,
    /// Who waits for a request lets go: in 2.6 whoever sleeps on a page or a direct request; today the end of the plug of
    /// each process.
    pub waiting_lets_go: bool,
}

/// With what a request may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Nothing.
    Off,
    /// One that ends where it begins.
    Back,
    /// Or begins where it ends.
    BackAndFront,
}

/// What makes a [`BlockLayer`], besides its scheduler and device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLayerSpec {
    /// What is held back.
    pub plug: Option<PlugSpec>,
    /// What is merged.
    pub merging: Merging,
    /// Bytes of a request, at most.
    pub request_bytes: u32,
    /// Requests that the driver takes: tags of the device.
    pub driver_depth: u32,
    /// Requests of each way that the layer has, those in the driver included.
    pub requests: u32,
}

impl BlockLayerSpec {
    /// Linux 2.6: plugs for 4 requests or 3 ms [S], requests up to 512 KiB [S], 128 each way [R].
    #[must_use]
    pub fn linux_2_6(driver_depth: u32) -> Self {
        Self {
            plug: Some(PlugSpec { requests: 4, delay: Picoseconds(3_000_000_000), waiting_lets_go: true }),
            merging: Merging::BackAndFront,
            request_bytes: 512 << 10,
            driver_depth,
            requests: 128,
        }
    }

    /// Linux of today: each process plugs what it asks for at one time, up to 32 requests [R], up to 1,280 KiB each [R]; 256
    /// of each way [R].
    #[must_use]
    pub fn today(driver_depth: u32) -> Self {
        Self {
            plug: Some(PlugSpec { requests: 32, delay: Picoseconds(1), waiting_lets_go: true }),
            merging: Merging::BackAndFront,
            request_bytes: 1_280 << 10,
            driver_depth,
            requests: 256,
        }
    }
}

/// No part, or no owner.
const NONE: u32 = u32::MAX;

/// A request of the layer.
#[derive(Clone, Copy, Debug)]
struct Block {
    request: Queued,
    /// Its parts, as a list.
    first: u32,
    last: u32,
    /// It still waits.
    waits: bool,
}

/// A piece of what was asked for.
#[derive(Clone, Copy, Debug)]
struct Part {
    owner: u32,
    next: u32,
}

/// What was asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    tag: u64,
    pieces: u32,
}

/// Things by numbers that are used again.
#[derive(Debug)]
struct Slots<T> {
    all: Vec<T>,
    vacant: Vec<u32>,
}

impl<T: Copy> Slots<T> {
    const fn new() -> Self {
        Self { all: Vec::new(), vacant: Vec::new() }
    }

    fn put(&mut self, it: T) -> u32 {
        if let Some(number) = self.vacant.pop() {
            self.all[number as usize] = it;
            return number;
        }
        self.all.push(it);
        // As many as are under way, which memory bounds far below.
        u32::try_from(self.all.len() - 1).unwrap_or(NONE)
    }

    fn get(&mut self, number: u32) -> &mut T {
        &mut self.all[number as usize]
    }
}

/// A device behind a block layer.
#[derive(Debug)]
pub struct BlockLayer<S, D> {
    spec: BlockLayerSpec,
    scheduler: S,
    device: D,
    blocks: Slots<Block>,
    parts: Slots<Part>,
    asked: Slots<Asked>,
    /// Waiting requests by way and the byte where they end or begin. Only looked up: their order decides nothing.
    ends: FxHashMap<u64, u32>,
    begins: FxHashMap<u64, u32>,
    /// Pieces for which there is no request, of each way.
    outside: [VecDeque<(u32, Queued)>; 2],
    /// Requests of each way that are taken.
    taken: [u32; 2],
    waiting: u32,
    in_driver: u32,
    plugged_until: Option<Picoseconds>,
    /// The scheduler gave nothing then; only what happens later changes that.
    held_back: Option<Picoseconds>,
    merged: u64,
    sent: u64,
    answered: Vec<Completion>,
    done: VecDeque<Completion>,
    now: Picoseconds,
}

fn way(operation: Operation) -> usize {
    usize::from(operation == Operation::Write)
}

/// Way and byte in one number; bytes are below 2^63.
fn key(operation: Operation, at: u64) -> u64 {
    at << 1 | way(operation) as u64
}

impl<S: Scheduler, D: Device> BlockLayer<S, D> {
    /// A scheduler before a device.
    ///
    /// # Errors
    /// Where a request has no bytes, or the driver or the layer takes none.
    pub fn new(spec: BlockLayerSpec, scheduler: S, device: D) -> Result<Self, NoSuchDevice> {
        let no = |why: &str| Err(NoSuchDevice(why.to_owned()));
        if spec.request_bytes < 512 {
            return no("a block layer cuts requests at 512 bytes or more");
        }
        if spec.driver_depth == 0 || spec.requests == 0 {
            return no("a block layer for 0 requests carries none");
        }
        if spec.plug.is_some_and(|plug| plug.requests == 0) {
            return no("a plug for 0 requests is none");
        }
        Ok(Self {
            spec,
            scheduler,
            device,
            blocks: Slots::new(),
            parts: Slots::new(),
            asked: Slots::new(),
            ends: FxHashMap::default(),
            begins: FxHashMap::default(),
            outside: <[VecDeque<(u32, Queued)>; 2]>::default(),
            taken: [0; 2],
            waiting: 0,
            in_driver: 0,
            plugged_until: None,
            held_back: None,
            merged: 0,
            sent: 0,
            answered: Vec::new(),
            done: VecDeque::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// The scheduler.
    pub fn scheduler(&self) -> &S {
        &self.scheduler
    }

    /// Pieces that became part of a request that waited.
    #[must_use]
    pub fn merged(&self) -> u64 {
        self.merged
    }

    /// Requests that the device got.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// A waiting request that a piece may become part of, and what both are together.
    fn merge_partner(&self, piece: &Queued) -> Option<(u32, Queued)> {
        if self.waiting == 0 || self.spec.merging == Merging::Off {
            return None;
        }
        let fits = |number: &u32| {
            let old = &self.blocks.all[*number as usize].request;
            let bytes = (old.end - old.offset).saturating_add(piece.end - piece.offset);
            bytes <= u64::from(self.spec.request_bytes) && self.scheduler.may_merge(*number as usize, piece)
        };
        if let Some(number) = self.ends.get(&key(piece.operation, piece.offset)).filter(|n| fits(n)) {
            let old = self.blocks.all[*number as usize].request;
            return Some((*number, Queued { end: piece.end, ..old }));
        }
        if self.spec.merging == Merging::BackAndFront
            && let Some(number) = self.begins.get(&key(piece.operation, piece.end)).filter(|n| fits(n))
        {
            let old = self.blocks.all[*number as usize].request;
            return Some((*number, Queued { offset: piece.offset, ..old }));
        }
        None
    }

    /// A waiting request can be found by where it ends and begins.
    fn list(&mut self, number: u32) {
        if self.spec.merging != Merging::Off {
            let request = self.blocks.get(number).request;
            self.ends.insert(key(request.operation, request.end), number);
            self.begins.insert(key(request.operation, request.offset), number);
        }
    }

    /// It cannot any more. One of several that begin or end at one byte is not found then, either.
    fn unlist(&mut self, number: u32) {
        if self.spec.merging != Merging::Off {
            let request = self.blocks.get(number).request;
            for (list, at) in [(&mut self.ends, request.end), (&mut self.begins, request.offset)] {
                let key = key(request.operation, at);
                if list.get(&key) == Some(&number) {
                    list.remove(&key);
                }
            }
        }
    }

    /// A piece comes into the layer, or waits before it.
    fn admit(&mut self, owner: u32, piece: Queued) {
        if let Some((number, together)) = self.merge_partner(&piece) {
            self.unlist(number);
            let part = self.parts.put(Part { owner, next: NONE });
            let last = self.blocks.get(number).last;
            self.parts.get(last).next = part;
            let block = self.blocks.get(number);
            block.last = part;
            block.request = together;
            self.merged += 1;
            self.list(number);
            self.scheduler.grown(number as usize, &together);
            self.let_go_for(piece.from);
            return;
        }
        let way = way(piece.operation);
        if self.taken[way] == self.spec.requests {
            self.outside[way].push_back((owner, piece));
            return;
        }
        self.taken[way] += 1;
        let part = self.parts.put(Part { owner, next: NONE });
        let number = self.blocks.put(Block { request: piece, first: part, last: part, waits: true });
        self.list(number);
        if self.waiting == 0
            && let Some(plug) = self.spec.plug
        {
            self.plugged_until = Some(self.now + plug.delay);
        }
        self.waiting += 1;
        self.scheduler.add(self.now, number as usize, &piece);
        self.held_back = None;
        self.let_go_for(piece.from);
        if self.spec.plug.is_some_and(|plug| self.waiting >= plug.requests) {
            self.plugged_until = None;
        }
    }

    /// Somebody waits for what is plugged.
    fn let_go_for(&mut self, from: Origin) {
        let lets_go = from.waits && self.spec.plug.is_some_and(|plug| plug.waiting_lets_go);
        if let Some(until) = self.plugged_until.filter(|_| lets_go) {
            self.plugged_until = Some(until.min(self.now + Picoseconds(1)));
        }
    }

    /// Gives the driver what it takes.
    fn fill(&mut self) {
        while self.plugged_until.is_none() && self.waiting > 0 && self.in_driver < self.spec.driver_depth {
            let next = self.scheduler.next(self.now).and_then(|n| u32::try_from(n).ok());
            let Some(number) = next.filter(|n| self.blocks.all[*n as usize].waits) else {
                self.held_back = Some(self.now);
                return;
            };
            self.unlist(number);
            let block = self.blocks.get(number);
            block.waits = false;
            let Queued { operation, offset, end, from } = block.request;
            self.waiting -= 1;
            self.in_driver += 1;
            self.sent += 1;
            let bytes = u32::try_from(end - offset).unwrap_or(u32::MAX);
            let request = Request { operation, offset, bytes };
            self.device.submit_from(self.now, u64::from(number), from, request);
        }
    }

    /// The device has answered.
    fn answer(&mut self, number: u32) {
        let Block { request, first, .. } = *self.blocks.get(number);
        let mut next = first;
        while next != NONE {
            let part = *self.parts.get(next);
            self.parts.vacant.push(next);
            let asked = self.asked.get(part.owner);
            asked.pieces -= 1;
            if asked.pieces == 0 {
                self.done.push_back(Completion { tag: asked.tag, at: self.now });
                self.asked.vacant.push(part.owner);
            }
            next = part.next;
        }
        self.scheduler.done(self.now, number as usize);
        self.blocks.vacant.push(number);
        self.in_driver -= 1;
        self.held_back = None;
        let way = way(request.operation);
        self.taken[way] -= 1;
        while self.taken[way] < self.spec.requests
            && let Some((owner, piece)) = self.outside[way].pop_front()
        {
            self.admit(owner, piece);
        }
    }

    /// When the plug or the scheduler lets requests go.
    fn next_release(&self) -> Option<Picoseconds> {
        if self.waiting == 0 || self.in_driver == self.spec.driver_depth {
            return None;
        }
        if self.plugged_until.is_some() {
            return self.plugged_until;
        }
        let after = self.held_back?;
        self.scheduler.wakes().filter(|at| *at > after)
    }

    fn next_below(&self) -> Option<Picoseconds> {
        match (self.device.next_event(), self.next_release()) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Lets everything happen by then; at one time what the device does comes first.
    fn run(&mut self, until: Picoseconds) {
        while let Some(next) = self.next_below().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            let mut answered = std::mem::take(&mut self.answered);
            self.device.advance(self.now, &mut answered);
            if !answered.is_empty() {
                // What is held back for others does not wait for the plug once the driver has been at work.
                self.plugged_until = None;
            }
            for answer in answered.drain(..) {
                // Numbers are ours.
                if let Ok(number) = u32::try_from(answer.tag) {
                    self.answer(number);
                }
            }
            self.answered = answered;
            if self.plugged_until.is_some_and(|plugged| plugged <= self.now) {
                self.plugged_until = None;
            }
            self.fill();
        }
        self.now = self.now.max(until);
    }
}

impl<S: Scheduler, D: Device> Device for BlockLayer<S, D> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.submit_from(now, tag, Origin::default(), request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        // What happens until now comes first, whether somebody has looked or not.
        self.run(now);
        let limit = u64::from(self.spec.request_bytes);
        // Beyond lies no device.
        let offset = request.offset.min(1 << 62);
        let end = offset + u64::from(request.bytes);
        let pieces = u64::from(request.bytes).div_ceil(limit).max(1);
        let pieces = u32::try_from(pieces).unwrap_or(u32::MAX);
        let owner = self.asked.put(Asked { tag, pieces });
        let mut at = offset;
        for _ in 0..pieces {
            let piece_end = end.min(at + limit);
            self.admit(owner, Queued { operation: request.operation, offset: at, end: piece_end, from });
            at = piece_end;
        }
        self.fill();
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.run(now);
        self.scheduler.ended(self.now, process);
        self.device.ended(self.now, process);
        self.held_back = None;
        self.fill();
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
    use super::*;
    use crate::schedulers::{
        AnticipatorySpec, BfqSpec, CfqRoundsSpec, CfqSlicesSpec, DeadlineSpec, KyberSpec, MqDeadlineSpec,
        Noop, SchedulerSpec,
    };
    use crate::{LatencyCap, LatencyCapSpec};
    use proptest::prelude::*;

    const KIB: u64 = 1_024;

    /// Each request takes 1 ms and a microsecond for each KiB.
    fn device() -> LatencyCap {
        let latency = Picoseconds::from_us(1_000.0);
        LatencyCap::new(&LatencyCapSpec { latency, iops: None, bytes_per_s: Some(1.024e9) }).unwrap()
    }

    fn layer(change: impl Fn(&mut BlockLayerSpec)) -> BlockLayer<Noop, LatencyCap> {
        let mut spec = BlockLayerSpec::linux_2_6(8);
        change(&mut spec);
        BlockLayer::new(spec, Noop::default(), device()).unwrap()
    }

    const NOBODY: Origin = Origin { process: 7, waits: false };

    /// At us, at KiB, so many: reads that nobody waits for. Tags and microseconds of what is done, and requests sent.
    fn run(
        mut layer: BlockLayer<Noop, LatencyCap>,
        asked: &[(f64, u64, u64)],
        from: Origin,
    ) -> (Vec<(u64, f64)>, u64) {
        for (tag, (us, offset, kib)) in (0..).zip(asked) {
            let bytes = u32::try_from(kib * KIB).unwrap();
            let request = Request { operation: Operation::Read, offset: offset * KIB, bytes };
            layer.submit_from(Picoseconds::from_us(*us), tag, from, request);
        }
        let mut done = Vec::new();
        while let Some(next) = layer.next_event() {
            layer.advance(next, &mut done);
        }
        (done.iter().map(|c| (c.tag, c.at.as_us())).collect(), layer.sent())
    }

    #[test]
    fn a_plug_holds_for_3_ms() {
        let (done, _) = run(layer(|_| {}), &[(0.0, 0, 4)], NOBODY);
        assert_eq!(done, [(0, 4_000.0)]);
        let (done, _) = run(layer(|s| s.plug = None), &[(0.0, 0, 4)], NOBODY);
        assert_eq!(done, [(0, 1_000.0)]);
    }

    #[test]
    fn four_requests_let_go() {
        let four = [(0.0, 0, 4), (100.0, 100, 4), (200.0, 200, 4), (300.0, 300, 4)];
        assert_eq!(run(layer(|_| {}), &four, NOBODY).0[0], (0, 1_300.0));
        assert_eq!(run(layer(|_| {}), &four[..3], NOBODY).0[0], (0, 4_000.0));
        let two = |s: &mut BlockLayerSpec| {
            s.plug = Some(PlugSpec { requests: 2, ..s.plug.unwrap() });
        };
        assert_eq!(run(layer(two), &four[..3], NOBODY).0[0], (0, 1_100.0));
    }

    #[test]
    fn who_waits_lets_go() {
        let (done, _) = run(layer(|_| {}), &[(0.0, 0, 4)], Origin { waits: true, ..NOBODY });
        assert_eq!(done, [(0, 1_000.000_001)]);
        let deaf = |s: &mut BlockLayerSpec| {
            s.plug = Some(PlugSpec { waiting_lets_go: false, ..s.plug.unwrap() });
        };
        let (done, _) = run(layer(deaf), &[(0.0, 0, 4)], Origin { waits: true, ..NOBODY });
        assert_eq!(done, [(0, 4_000.0)]);
    }

    #[test]
    fn what_is_asked_for_at_one_time_is_there_before_who_waits_lets_go() {
        let (done, sent) = run(layer(|_| {}), &[(0.0, 0, 4), (0.0, 4, 4)], Origin { waits: true, ..NOBODY });
        assert_eq!((done.len(), sent), (2, 1));
    }

    #[test]
    fn neighbours_are_merged_from_the_back_and_from_the_front() {
        let back = [(0.0, 0, 64), (1.0, 64, 64)];
        let front = [(0.0, 64, 64), (1.0, 0, 64)];
        assert_eq!(run(layer(|_| {}), &back, NOBODY).1, 1);
        assert_eq!(run(layer(|_| {}), &front, NOBODY).1, 1);
        assert_eq!(run(layer(|s| s.merging = Merging::Back), &back, NOBODY).1, 1);
        assert_eq!(run(layer(|s| s.merging = Merging::Back), &front, NOBODY).1, 2);
        assert_eq!(run(layer(|s| s.merging = Merging::Off), &back, NOBODY).1, 2);
        // All parts are told of when the whole is done: 1 ms after the plug.
        assert_eq!(run(layer(|_| {}), &front, NOBODY).0, [(0, 4_000.0), (1, 4_000.0)]);
    }

    #[test]
    fn a_read_is_not_merged_with_a_write() {
        let mut layer = layer(|_| {});
        for (tag, operation) in [(0, Operation::Read), (1, Operation::Write)] {
            let request = Request { operation, offset: tag * 4 * KIB, bytes: 4_096 };
            layer.submit_from(Picoseconds::ZERO, tag, NOBODY, request);
        }
        layer.advance(Picoseconds::SECOND, &mut Vec::new());
        assert_eq!((layer.sent(), layer.merged()), (2, 0));
    }

    #[test]
    fn a_request_has_512_kib_at_most() {
        let five = [(0.0, 0, 128), (1.0, 128, 128), (2.0, 256, 128), (3.0, 384, 128), (4.0, 512, 128)];
        assert_eq!(run(layer(|_| {}), &five[..4], NOBODY).1, 1);
        assert_eq!(run(layer(|_| {}), &five, NOBODY).1, 2);
        // A larger one is cut, and done when its pieces are.
        let (done, sent) = run(layer(|_| {}), &[(0.0, 0, 1_100)], NOBODY);
        assert_eq!((done.len(), sent), (1, 3));
    }

    #[test]
    fn the_driver_takes_so_many() {
        let asked: Vec<(f64, u64, u64)> = (0..8).map(|i| (0.0, i * 100, 1)).collect();
        let done = |depth| run(layer(|s| s.driver_depth = depth), &asked, NOBODY).0.last().unwrap().1;
        assert!(done(8) < 2_000.0);
        assert!(done(1) >= 8_000.0);
    }

    #[test]
    fn what_has_no_request_waits_outside_where_the_scheduler_does_not_see_it() {
        // Three wait; with room for two the third, which lies lowest, is not seen when the second is chosen.
        let order = |requests| {
            let spec = BlockLayerSpec { plug: None, requests, ..BlockLayerSpec::linux_2_6(1) };
            let scheduler = SchedulerSpec::Deadline(DeadlineSpec::default()).build();
            let mut layer = BlockLayer::new(spec, scheduler, device()).unwrap();
            for (tag, offset) in [(0, 500), (1, 900), (2, 100)] {
                let request = Request { operation: Operation::Read, offset: offset * KIB, bytes: 4_096 };
                layer.submit(Picoseconds::ZERO, tag, request);
            }
            let mut done = Vec::new();
            layer.advance(Picoseconds::SECOND, &mut done);
            done.iter().map(|c| c.tag).collect::<Vec<_>>()
        };
        assert_eq!(order(128), [0, 2, 1]);
        assert_eq!(order(2), [0, 2, 1]);
        assert_eq!(order(1), [0, 1, 2]);
    }

    #[test]
    fn what_is_no_block_layer_says_why() {
        let refused = |change: &dyn Fn(&mut BlockLayerSpec)| {
            let mut spec = BlockLayerSpec::today(32);
            change(&mut spec);
            BlockLayer::new(spec, Noop::default(), device()).unwrap_err().0
        };
        assert!(refused(&|s| s.request_bytes = 0).contains("512 bytes or more"));
        assert!(refused(&|s| s.driver_depth = 0).contains("0 requests"));
        assert!(refused(&|s| s.plug.as_mut().unwrap().requests = 0).contains("plug"));
    }

    fn schedulers() -> Vec<SchedulerSpec> {
        vec![
            SchedulerSpec::Noop,
            SchedulerSpec::Deadline(DeadlineSpec::default()),
            SchedulerSpec::Anticipatory(AnticipatorySpec::default()),
            SchedulerSpec::CfqRounds(CfqRoundsSpec::default()),
            SchedulerSpec::CfqSlices(CfqSlicesSpec::default()),
            SchedulerSpec::MqDeadline(MqDeadlineSpec::default()),
            SchedulerSpec::Kyber(KyberSpec::default()),
            SchedulerSpec::Bfq(BfqSpec::default()),
        ]
    }

    #[derive(Clone, Copy, Debug)]
    struct Ask {
        gap_us: u64,
        process: u32,
        waits: bool,
        writes: bool,
        place: u64,
        blocks: u32,
        ends: bool,
    }

    fn asks() -> impl Strategy<Value = Vec<Ask>> {
        let gap = prop_oneof![4 => Just(0), 4 => 0..3_000_u64, 1 => 0..200_000_u64];
        let place = prop_oneof![3 => 0..64_u64, 1 => 0..1_000_000_u64];
        let ask = (gap, 0..4_u32, any::<bool>(), any::<bool>(), place, 0..300_u32, 0..20_u8).prop_map(
            |(gap_us, process, waits, writes, place, blocks, ends)| Ask {
                gap_us,
                process,
                waits,
                writes,
                place,
                blocks,
                ends: ends == 0,
            },
        );
        prop::collection::vec(ask, 1..120)
    }

    proptest! {
        #[test]
        fn every_request_is_done_once_however_often_one_looks(
            asks in asks(),
            looks in prop::collection::vec(0..2_000_000_u64, 0..30),
            (which, depth, requests) in (0..8_usize, 1..6_u32, 1..20_u32),
            (plugged, front) in (any::<bool>(), any::<bool>()),
        ) {
            let spec = BlockLayerSpec {
                plug: BlockLayerSpec::linux_2_6(1).plug.filter(|_| plugged),
                merging: if front { Merging::BackAndFront } else { Merging::Back },
                requests,
                ..BlockLayerSpec::linux_2_6(depth)
            };
            let mut looks = looks;
            looks.sort_unstable();
            let log = |looks: &[u64]| {
                let mut layer = BlockLayer::new(spec, schedulers()[which].build(), device()).unwrap();
                let (mut completed, mut now) = (Vec::new(), 0);
                for (tag, ask) in (0..).zip(&asks) {
                    let next = now + ask.gap_us;
                    for look in looks.iter().filter(|t| (now..=next).contains(*t)) {
                        layer.advance(Picoseconds::from_us(*look as f64), &mut completed);
                    }
                    now = next;
                    let at = Picoseconds::from_us(now as f64);
                    let operation = if ask.writes { Operation::Write } else { Operation::Read };
                    let request = Request { operation, offset: ask.place * 4_096, bytes: ask.blocks * 4_096 };
                    layer.submit_from(at, tag, Origin { process: ask.process, waits: ask.waits }, request);
                    if ask.ends {
                        layer.ended(at, ask.process);
                    }
                }
                while let Some(next) = layer.next_event() {
                    layer.advance(next, &mut completed);
                }
                completed
            };
            let alone = log(&[]);
            let mut tags: Vec<u64> = alone.iter().map(|c| c.tag).collect();
            tags.sort_unstable();
            prop_assert_eq!(tags, (0..asks.len() as u64).collect::<Vec<_>>());
            prop_assert!(alone.is_sorted_by_key(|c| c.at));
            prop_assert_eq!(alone, log(&looks));
        }
    }
}
