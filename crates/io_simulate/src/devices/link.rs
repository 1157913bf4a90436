//! A bus or a network before a device: so many bytes a second, a delay each way, so many requests at once.
//!
//! ```text
//! out    link: command, and the bytes of a write ─► delay ─► device
//! back   link: answer, and the bytes of a read   ─► delay ─► done
//! ```
//!
//! - Each way in the order in which it is asked for. *Half duplex* (parallel SCSI, FireWire): both ways share the bytes a
//!   second. *Full duplex* (Fibre Channel, SAS, Ethernet): each has its own.
//! - `overhead` is how long the link is busy for a command or answer without its bytes: arbitration, headers.
//! - With `depth` requests under way (from the command to the answer) others wait, in the order in which they came:
//!   tags of a bus, the window of an iSCSI session.
//! - Bytes come when the device has all of them, in one piece: nothing is sent while the rest is still being read.
//!
//! What follows: one request at a time of `s` at the device takes `s + 2 (delay + overhead) + bytes / rate`; a device
//! that is faster than the link gives the link's bytes a second.
//!
//! Several devices behind one link are an [`crate::arrays::ArrayDevice`] behind it. The numbers are given by who asks: FireWire
//! 400 carries 400 Mbit/s and takes 125 us a cycle, Ultra160 SCSI 160 MB/s, Fibre Channel of 4 Gbit/s 400 MB/s (from their
//! standards); what a bridge adds has to be measured.

use super::latency_cap::NoSuchDevice;
use crate::{Completion, Device, Operation, Origin, Picoseconds, Request};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What makes a [`Linked`] device, besides the device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSpec {
    /// Bytes a second, of each way if full duplex.
    pub bytes_per_s: f64,
    /// Time on the way, each way.
    pub delay: Picoseconds,
    /// Time for which the link is busy with a command or an answer, besides the bytes.
    pub overhead: Picoseconds,
    /// Whether both ways go on at once.
    pub full_duplex: bool,
    /// Requests under way at most; `None` for any number.
    pub depth: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A command has come to the device.
    Out(usize),
    /// An answer has come back.
    Back(usize),
}

/// A device behind a link.
#[derive(Debug)]
pub struct Linked<D> {
    spec: LinkSpec,
    device: D,
    /// When each way is free; of half duplex only the first counts.
    free: [Picoseconds; 2],
    /// What is on the way, by time and the order in which it was sent.
    events: BinaryHeap<Reverse<(Picoseconds, u64, Event)>>,
    sent: u64,
    under_way: Vec<(u64, Request, Origin)>,
    vacant: Vec<usize>,
    /// Requests that are under way, and those for which there is no room.
    count: u32,
    waiting: VecDeque<usize>,
    done: VecDeque<Completion>,
    /// What the device has done; kept to save the allocation.
    answered: Vec<Completion>,
    now: Picoseconds,
}

impl<D: Device> Linked<D> {
    /// A device behind a link.
    ///
    /// # Errors
    /// Where the rate is not between 1 and 10^15 bytes a second, a time is above an hour, or the depth is 0.
    pub fn new(spec: LinkSpec, device: D) -> Result<Self, NoSuchDevice> {
        if !(1.0..=1e15).contains(&spec.bytes_per_s) {
            return Err(NoSuchDevice(format!(
                "a link of {} bytes a second is none; it has at least 1 and at most 10^15",
                spec.bytes_per_s
            )));
        }
        if let Some(time) = [spec.delay, spec.overhead].iter().find(|t| t.as_s() > 3_600.0) {
            return Err(NoSuchDevice(format!("a delay of {time} is above an hour")));
        }
        if spec.depth == Some(0) {
            return Err(NoSuchDevice("a link for 0 requests at once carries none".to_owned()));
        }
        Ok(Self {
            spec,
            device,
            free: [Picoseconds::ZERO; 2],
            events: BinaryHeap::new(),
            sent: 0,
            under_way: Vec::new(),
            vacant: Vec::new(),
            count: 0,
            waiting: VecDeque::new(),
            done: VecDeque::new(),
            answered: Vec::new(),
            now: Picoseconds::ZERO,
        })
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Sends something one way, with so many bytes.
    fn send(&mut self, way: usize, bytes: u32, event: Event) {
        let way = if self.spec.full_duplex { way } else { 0 };
        let passes = Picoseconds((f64::from(bytes) * 1e12 / self.spec.bytes_per_s).ceil() as u64);
        self.free[way] = self.free[way].max(self.now) + self.spec.overhead + passes;
        self.sent += 1;
        self.events.push(Reverse((self.free[way] + self.spec.delay, self.sent, event)));
    }

    /// Sends commands, as far as there is room.
    fn fill(&mut self) {
        while self.spec.depth.is_none_or(|depth| self.count < depth)
            && let Some(slot) = self.waiting.pop_front()
        {
            self.count += 1;
            let request = self.under_way[slot].1;
            let bytes = if request.operation == Operation::Write { request.bytes } else { 0 };
            self.send(0, bytes, Event::Out(slot));
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Out(slot) => {
                let (_, request, from) = self.under_way[slot];
                self.device.submit_from(self.now, slot as u64, from, request);
            }
            Event::Back(slot) => {
                self.done.push_back(Completion { tag: self.under_way[slot].0, at: self.now });
                self.vacant.push(slot);
                self.count -= 1;
                self.fill();
            }
        }
    }

    fn next_below(&self) -> Option<Picoseconds> {
        let on_the_way = self.events.peek().map(|Reverse((at, ..))| *at);
        match (on_the_way, self.device.next_event()) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Lets everything happen by then; at one time what the device does comes first.
    fn run(&mut self, until: Picoseconds) {
        let mut answered = std::mem::take(&mut self.answered);
        while let Some(next) = self.next_below().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.device.advance(self.now, &mut answered);
            for answer in answered.drain(..) {
                // Slots are ours.
                if let Ok(slot) = usize::try_from(answer.tag) {
                    let request = self.under_way[slot].1;
                    let bytes = if request.operation == Operation::Read { request.bytes } else { 0 };
                    self.send(1, bytes, Event::Back(slot));
                }
            }
            if let Some(Reverse((at, _, event))) = self.events.peek().copied()
                && at <= self.now
            {
                self.events.pop();
                self.happen(event);
            }
        }
        self.answered = answered;
        self.now = self.now.max(until);
    }
}

impl<D: Device> Device for Linked<D> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.submit_from(now, tag, Origin::default(), request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        // What happens until now comes first, whether somebody has looked or not.
        self.run(now);
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.under_way[slot] = (tag, request, from);
                slot
            }
            None => {
                self.under_way.push((tag, request, from));
                self.under_way.len() - 1
            }
        };
        self.waiting.push_back(slot);
        self.fill();
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.run(now);
        self.device.ended(now, process);
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
    use crate::{LatencyCap, LatencyCapSpec, closed_loop};
    use proptest::prelude::*;

    /// 100 MB/s, 500 us each way, 20 us a command or answer.
    fn link() -> LinkSpec {
        LinkSpec {
            bytes_per_s: 100e6,
            delay: Picoseconds::from_us(500.0),
            overhead: Picoseconds::from_us(20.0),
            full_duplex: true,
            depth: None,
        }
    }

    fn behind(link: LinkSpec, us: f64) -> Linked<LatencyCap> {
        let latency = Picoseconds::from_us(us);
        let device = LatencyCap::new(&LatencyCapSpec { latency, iops: None, bytes_per_s: None }).unwrap();
        Linked::new(link, device).unwrap()
    }

    fn request(operation: Operation, bytes: u32) -> Request {
        Request { operation, offset: 0, bytes }
    }

    use Operation::{Read, Write};

    fn done(link: LinkSpec, us: f64, requests: &[Request]) -> Vec<f64> {
        let mut device = behind(link, us);
        for (tag, request) in (0..).zip(requests) {
            device.submit(Picoseconds::ZERO, tag, *request);
        }
        let mut completed = Vec::new();
        device.advance(Picoseconds::SECOND, &mut completed);
        completed.sort_by_key(|c| c.tag);
        completed.iter().map(|c| c.at.as_us()).collect()
    }

    #[test]
    fn requests_by_hand() {
        // 10,000 bytes take 100 us. There and back 2 x 520, 1,000 at the device.
        let alone = 1_000.0 + 2.0 * 520.0 + 100.0;
        assert_eq!(done(link(), 1_000.0, &[request(Read, 10_000)]), [alone]);
        assert_eq!(done(link(), 1_000.0, &[request(Write, 10_000)]), [alone]);
        // Two reads: the second command is 20 us behind, its bytes wait for those of the first.
        let two = done(link(), 1_000.0, &[request(Read, 10_000); 2]);
        assert_eq!(two, [alone, alone + 120.0]);
        // With one at a time the second begins when the first is done.
        let one = LinkSpec { depth: Some(1), ..link() };
        assert_eq!(done(one, 1_000.0, &[request(Read, 10_000); 2]), [alone, 2.0 * alone]);
    }

    #[test]
    fn a_fast_device_gives_what_the_link_carries_and_both_ways_at_once_if_full_duplex() {
        let rate = |full_duplex, mixed: bool| {
            let spec = LinkSpec { full_duplex, overhead: Picoseconds::ZERO, ..link() };
            let each = |n: u32| request(if mixed && n.is_multiple_of(2) { Write } else { Read }, 100_000);
            let run = closed_loop(&mut behind(spec, 10.0), 64, (0..4_000).map(each)).unwrap();
            run.bytes_per_s().unwrap()
        };
        for (full_duplex, mixed, expected) in
            [(true, false, 100e6), (false, false, 100e6), (true, true, 200e6), (false, true, 100e6)]
        {
            let found = rate(full_duplex, mixed);
            assert!((found / expected - 1.0).abs() < 0.02, "{full_duplex} {mixed}: {found}");
        }
    }

    #[test]
    fn a_window_bounds_the_rate_by_the_way() {
        // 8 requests each 1,000 + 2 x 520 + 41 us: what a longer way costs is rate, not only latency.
        let spec = LinkSpec { depth: Some(8), ..link() };
        let requests = std::iter::repeat_n(request(Read, 4_096), 20_000);
        let found = closed_loop(&mut behind(spec, 1_000.0), 64, requests).unwrap().iops().unwrap();
        let expected = 8e6 / (1_000.0 + 2.0 * 520.0 + 40.96);
        assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
    }

    #[test]
    fn what_is_no_link_says_why() {
        let refused = |change: &dyn Fn(&mut LinkSpec)| {
            let mut spec = link();
            change(&mut spec);
            let latency = LatencyCapSpec { latency: Picoseconds::ZERO, iops: None, bytes_per_s: None };
            Linked::new(spec, LatencyCap::new(&latency).unwrap()).unwrap_err().0
        };
        assert!(refused(&|s| s.bytes_per_s = f64::NAN).contains("NaN bytes a second"));
        assert!(refused(&|s| s.delay = Picoseconds::MAX).contains("above an hour"));
        assert!(refused(&|s| s.depth = Some(0)).contains("0 requests at once"));
    }

    proptest! {
        #[test]
        fn every_request_is_done_once_however_often_one_looks(
            arrivals in prop::collection::vec((0..2_000_000_000_u64, any::<bool>(), 1..200_000_u32), 1..80),
            looks in prop::collection::vec(0..100_000_000_000_u64, 0..20),
            full_duplex in any::<bool>(),
            depth in prop::option::of(1..5_u32),
            delay in prop_oneof![Just(0), 0..1_000_000_000_u64],
        ) {
            let spec = LinkSpec { full_duplex, depth, delay: Picoseconds(delay), ..link() };
            let log = |looks: &[u64]| {
                let (mut device, mut completed, mut now) = (behind(spec, 700.0), Vec::new(), 0);
                for (tag, (gap, is_read, bytes)) in (0..).zip(&arrivals) {
                    for look in looks.iter().filter(|t| (now..=now + gap).contains(*t)) {
                        device.advance(Picoseconds(*look), &mut completed);
                    }
                    now += gap;
                    device.submit(Picoseconds(now), tag, request(if *is_read { Read } else { Write }, *bytes));
                }
                while let Some(next) = device.next_event() {
                    device.advance(next, &mut completed);
                }
                completed
            };
            let mut looks = looks;
            looks.sort_unstable();
            let alone = log(&[]);
            let mut tags: Vec<u64> = alone.iter().map(|c| c.tag).collect();
            tags.sort_unstable();
            prop_assert_eq!(tags, (0..arrivals.len() as u64).collect::<Vec<_>>());
            prop_assert!(alone.is_sorted_by_key(|c| c.at));
            prop_assert_eq!(alone, log(&looks));
        }
    }
}
