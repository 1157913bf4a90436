//! An array of copies: a read goes to one of them, a write to all.

use super::{Array, Layout, Place, Plan, add, folded};
use crate::{Operation, Request};

/// Which copy a read goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadChoice {
    /// The first one, as ASM does without preference.
    First,
    /// The next one each time, for each set of copies apart. One request stays with one of them.
    RoundRobin,
    /// The one whose last request ended nearest, of several the first.
    Nearest,
    /// The first of these members that has one, else the first copy: disks that are close, or faster.
    Preferred(Vec<usize>),
}

/// Whose turn it is, for the copies that begin with one member.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// The last request that asked, from 1.
    request: u64,
    turn: usize,
}

/// A layout with a choice for reads.
#[derive(Clone, Debug)]
pub struct Copied<L> {
    layout: L,
    choice: ReadChoice,
    turns: Vec<Turn>,
    /// Where the last request to each member ended.
    ends: Vec<u64>,
    requests: u64,
    places: Vec<Place>,
}

impl<L: Layout> Copied<L> {
    /// The array of a layout.
    pub fn new(layout: L, choice: ReadChoice) -> Self {
        let members = layout.members();
        Self {
            layout,
            choice,
            turns: vec![Turn::default(); members],
            ends: vec![0; members],
            requests: 0,
            places: Vec::new(),
        }
    }

    /// The layout.
    pub fn layout(&self) -> &L {
        &self.layout
    }

    /// The place of which is read.
    fn chosen(&mut self) -> Option<Place> {
        let first = *self.places.first()?;
        Some(match &self.choice {
            ReadChoice::First => first,
            ReadChoice::RoundRobin => {
                let turn = &mut self.turns[first.member];
                if turn.request != self.requests {
                    *turn = Turn { request: self.requests, turn: (turn.turn + 1) % self.places.len() };
                }
                self.places[turn.turn % self.places.len()]
            }
            ReadChoice::Nearest => {
                let way = |place: &&Place| self.ends[place.member].abs_diff(place.offset);
                *self.places.iter().min_by_key(way).unwrap_or(&first)
            }
            ReadChoice::Preferred(members) => {
                *self.places.iter().find(|p| members.contains(&p.member)).unwrap_or(&first)
            }
        })
    }
}

impl<L: Layout> Array for Copied<L> {
    fn members(&self) -> usize {
        self.layout.members()
    }

    fn bytes(&self) -> u64 {
        self.layout.bytes()
    }

    fn plan(&mut self, request: Request, plan: &mut Plan) {
        plan.clear();
        self.requests += 1;
        for (mut at, mut left) in folded(request, self.layout.bytes()) {
            while left > 0 {
                let together = self.layout.places(at, &mut self.places);
                let bytes = u32::try_from(together).unwrap_or(u32::MAX).min(left);
                match request.operation {
                    Operation::Read => {
                        if let Some(place) = self.chosen() {
                            self.ends[place.member] = place.offset + u64::from(bytes);
                            add(&mut plan.first, Operation::Read, place, bytes);
                        }
                    }
                    Operation::Write => {
                        for place in &self.places {
                            self.ends[place.member] = place.offset + u64::from(bytes);
                            add(&mut plan.first, Operation::Write, *place, bytes);
                        }
                    }
                }
                at += u64::from(bytes);
                left -= bytes;
            }
        }
    }
}
