//! An array of devices in time: plans carried out, the second half when the first has ended.
//!
//! Left out: the controller's own time and its bus; a cache before it is [`crate::caches::CachedDevice`].

use super::members::Members;
use super::{Array, MemberRequest, Plan};
use crate::{Completion, Device, NoSuchDevice, Origin, Picoseconds, Request};
use std::collections::VecDeque;

/// A request that is under way.
#[derive(Clone, Debug, Default)]
struct UnderWay {
    tag: u64,
    from: Origin,
    /// Requests to members that it waits for.
    waiting: usize,
    then: Vec<MemberRequest>,
}

/// The devices as one.
#[derive(Debug)]
pub struct ArrayDevice<A, D> {
    array: A,
    members: Members<D>,
    under_way: Vec<UnderWay>,
    vacant: Vec<usize>,
    done: VecDeque<Completion>,
    plan: Plan,
    /// What members have done; kept to save the allocation.
    parts: Vec<Completion>,
    /// Requests to members so far.
    asked: u64,
    now: Picoseconds,
}

impl<A: Array, D: Device> ArrayDevice<A, D> {
    /// An array on its members.
    ///
    /// # Errors
    /// Where there are more or fewer devices than the array has members.
    pub fn new(array: A, members: Vec<D>) -> Result<Self, NoSuchDevice> {
        if members.len() != array.members() {
            return Err(NoSuchDevice(format!(
                "an array of {} members is not made of {} devices",
                array.members(),
                members.len()
            )));
        }
        Ok(Self {
            array,
            members: Members::new(members),
            under_way: Vec::new(),
            vacant: Vec::new(),
            done: VecDeque::new(),
            plan: Plan::default(),
            parts: Vec::new(),
            asked: 0,
            now: Picoseconds::ZERO,
        })
    }

    /// Requests that members got so far.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked
    }

    fn begin(&mut self, slot: usize, requests: &[MemberRequest]) {
        self.under_way[slot].waiting = requests.len();
        let from = self.under_way[slot].from;
        self.asked += requests.len() as u64;
        for one in requests {
            self.members.submit(self.now, one.member, slot as u64, from, one.request);
        }
    }

    fn part_done(&mut self, slot: usize) {
        let it = &mut self.under_way[slot];
        it.waiting -= 1;
        if it.waiting > 0 {
            return;
        }
        if it.then.is_empty() {
            self.done.push_back(Completion { tag: it.tag, at: self.now });
            self.vacant.push(slot);
        } else {
            let mut then = std::mem::take(&mut it.then);
            self.begin(slot, &then);
            // Its memory is used again; nothing is left to follow.
            then.clear();
            self.under_way[slot].then = then;
        }
    }

    /// Lets everything happen by then.
    fn run(&mut self, until: Picoseconds) {
        let mut parts = std::mem::take(&mut self.parts);
        while let Some(next) = self.members.next_event().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.members.advance(self.now, &mut parts);
            for part in parts.drain(..) {
                // Slots are ours.
                if let Ok(slot) = usize::try_from(part.tag) {
                    self.part_done(slot);
                }
            }
        }
        self.parts = parts;
        self.now = self.now.max(until);
    }
}

impl<A: Array, D: Device> Device for ArrayDevice<A, D> {
    fn submit(&mut self, now: Picoseconds, tag: u64, request: Request) {
        self.submit_from(now, tag, Origin::default(), request);
    }

    fn submit_from(&mut self, now: Picoseconds, tag: u64, from: Origin, request: Request) {
        // What happens until now comes first, whether somebody has looked or not.
        self.run(now);
        let mut plan = std::mem::take(&mut self.plan);
        self.array.plan(request, &mut plan);
        let slot = match self.vacant.pop() {
            Some(slot) => slot,
            None => {
                self.under_way.push(UnderWay::default());
                self.under_way.len() - 1
            }
        };
        self.under_way[slot].tag = tag;
        self.under_way[slot].from = from;
        self.under_way[slot].then.clone_from(&plan.then);
        self.begin(slot, &plan.first);
        self.plan = plan;
    }

    fn ended(&mut self, now: Picoseconds, process: u32) {
        self.run(now);
        self.members.ended(now, process);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.done.front().map(|d| d.at).or_else(|| self.members.next_event())
    }

    fn advance(&mut self, now: Picoseconds, completed: &mut Vec<Completion>) {
        self.run(now);
        completed.extend(self.done.drain(..));
    }
}
