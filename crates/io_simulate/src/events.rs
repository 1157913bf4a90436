//! What happens when: events in the order of their time, and at one time in the order in which they were
//! put in.
//!
//! The core of a simulation with several parts: each part puts in what will happen to it, and the loop
//! takes out what happens next, which is the only clock. The queue is bounded: what fills it without end
//! is a fault of the model, and is told instead of eating the memory.

use crate::Picoseconds;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;

/// An event that waits for its time.
#[derive(Clone, Debug)]
struct Waiting<E> {
    at: Picoseconds,
    /// How many were put in before: what orders events of one time.
    number: u64,
    event: E,
}

impl<E> PartialEq for Waiting<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Waiting<E> {}

impl<E> PartialOrd for Waiting<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Waiting<E> {
    /// The heap gives the greatest first; the earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

/// More events wait than the queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEvents {
    /// What the queue holds.
    pub bound: usize,
    /// The time of the clock.
    pub now: Picoseconds,
}

impl fmt::Display for TooManyEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} events wait at {}", self.bound, self.now)
    }
}

impl std::error::Error for TooManyEvents {}

/// Events, and the clock that they move.
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    waiting: BinaryHeap<Waiting<E>>,
    bound: usize,
    number: u64,
    now: Picoseconds,
}

impl<E> EventQueue<E> {
    /// An empty one at the start of time, for so many events at once.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self {
            waiting: BinaryHeap::with_capacity(bound.min(1_024)),
            bound,
            number: 0,
            now: Picoseconds::ZERO,
        }
    }

    /// The time of the last event that was taken.
    #[must_use]
    pub fn now(&self) -> Picoseconds {
        self.now
    }

    /// Events that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Puts an event in; one that lies before the clock happens now.
    ///
    /// # Errors
    /// Where the queue is full.
    pub fn put(&mut self, at: Picoseconds, event: E) -> Result<(), TooManyEvents> {
        if self.waiting.len() >= self.bound {
            return Err(TooManyEvents { bound: self.bound, now: self.now });
        }
        self.waiting.push(Waiting { at: at.max(self.now), number: self.number, event });
        self.number += 1;
        Ok(())
    }

    /// When something happens next.
    #[must_use]
    pub fn next_at(&self) -> Option<Picoseconds> {
        self.waiting.peek().map(|w| w.at)
    }

    /// Takes what happens next, and moves the clock there.
    pub fn take(&mut self) -> Option<(Picoseconds, E)> {
        let next = self.waiting.pop()?;
        self.now = next.at;
        Some((next.at, next.event))
    }

    /// Takes what happens next if it happens by then; else the clock stays.
    pub fn take_by(&mut self, latest: Picoseconds) -> Option<(Picoseconds, E)> {
        if self.next_at()? <= latest { self.take() } else { None }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_event_of_the_past_happens_now_and_after_those_of_now() {
        let mut queue = EventQueue::new(8);
        queue.put(Picoseconds(5), 'a').unwrap();
        queue.put(Picoseconds(5), 'b').unwrap();
        assert_eq!(queue.take(), Some((Picoseconds(5), 'a')));
        queue.put(Picoseconds(3), 'c').unwrap();
        assert_eq!(queue.take_by(Picoseconds(4)), None);
        assert_eq!(queue.take(), Some((Picoseconds(5), 'b')));
        assert_eq!(queue.take(), Some((Picoseconds(5), 'c')));
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn a_full_queue_says_so() {
        let mut queue = EventQueue::new(1);
        queue.put(Picoseconds(5), 'a').unwrap();
        let refused = queue.put(Picoseconds(6), 'b').unwrap_err();
        assert_eq!(refused.to_string(), "more than 1 events wait at 0 us");
    }

    proptest! {
        /// What comes out is a stable sort of what went in.
        #[test]
        fn the_order_is_that_of_time_and_then_of_putting_in(times in prop::collection::vec(0u64..20, 0..200)) {
            let mut queue = EventQueue::new(times.len());
            for (number, at) in times.iter().enumerate() {
                queue.put(Picoseconds(*at), number).unwrap();
            }
            let taken: Vec<usize> = std::iter::from_fn(|| queue.take()).map(|(_, number)| number).collect();
            let mut sorted: Vec<usize> = (0..times.len()).collect();
            sorted.sort_by_key(|number| times[*number]);
            prop_assert_eq!(taken, sorted);
        }
    }
}
