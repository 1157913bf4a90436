//! The devices of an array, and which of them does something next.
//!
//! When each one's next event comes is kept, and over these a tree of the earlier of each two: what happens next is its
//! root, a member that was asked for something is looked up again, and only members with something to do are told the
//! time. So an event costs a few steps however many members there are. That nobody else has to be told is what a
//! [`Device`] promises: its events do not depend on how often it is.

use crate::{Completion, Device, Origin, Picoseconds, Request};

/// When a member does something next; after all times, where nothing is under way there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    At(Picoseconds),
    Never,
}

/// The devices.
#[derive(Debug)]
pub(super) struct Members<D> {
    devices: Vec<D>,
    /// Below place `i` stand `2 i` and `2 i + 1`, from place 1 on; the last `leaves` are those of members, in their order.
    tree: Vec<Next>,
    leaves: usize,
}

impl<D: Device> Members<D> {
    pub(super) fn new(devices: Vec<D>) -> Self {
        let leaves = devices.len().next_power_of_two();
        let mut it = Self { devices, tree: vec![Next::Never; 2 * leaves], leaves };
        // They may come with something under way.
        (0..it.devices.len()).for_each(|member| it.look(member));
        it
    }

    pub(super) fn submit(
        &mut self,
        now: Picoseconds,
        member: usize,
        tag: u64,
        from: Origin,
        request: Request,
    ) {
        self.devices[member].submit_from(now, tag, from, request);
        self.look(member);
    }

    pub(super) fn ended(&mut self, now: Picoseconds, process: u32) {
        for member in 0..self.devices.len() {
            self.devices[member].ended(now, process);
            self.look(member);
        }
    }

    /// When one of them does something next.
    pub(super) fn next_event(&self) -> Option<Picoseconds> {
        match self.tree[1] {
            Next::At(at) => Some(at),
            Next::Never => None,
        }
    }

    /// Lets everything happen by then, member by member.
    pub(super) fn advance(&mut self, now: Picoseconds, done: &mut Vec<Completion>) {
        self.advance_below(1, now, done);
    }

    fn advance_below(&mut self, place: usize, now: Picoseconds, done: &mut Vec<Completion>) {
        if self.tree[place] > Next::At(now) {
            return;
        }
        if place >= self.leaves {
            let device = &mut self.devices[place - self.leaves];
            device.advance(now, done);
            self.tree[place] = next_of(device);
            return;
        }
        self.advance_below(2 * place, now, done);
        self.advance_below(2 * place + 1, now, done);
        self.tree[place] = self.tree[2 * place].min(self.tree[2 * place + 1]);
    }

    /// Something was asked of a member.
    fn look(&mut self, member: usize) {
        let mut place = self.leaves + member;
        let mut next = next_of(&self.devices[member]);
        // Up as far as it changes anything.
        while self.tree[place] != next {
            self.tree[place] = next;
            if place == 1 {
                return;
            }
            next = next.min(self.tree[place ^ 1]);
            place /= 2;
        }
    }
}

fn next_of(device: &impl Device) -> Next {
    device.next_event().map_or(Next::Never, Next::At)
}
