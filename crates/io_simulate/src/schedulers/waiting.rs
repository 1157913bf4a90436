//! Requests that wait, in the order of their place and in that of their time: what every scheduler keeps.

use super::Queued;
use crate::Picoseconds;
use std::collections::{BTreeSet, VecDeque};

/// How far back a one-way elevator looks, and what a byte back costs of one forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookBack {
    /// Bytes.
    pub bytes: u64,
    /// Times the way forward.
    pub penalty: u64,
}

/// A request by its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) request: Queued,
    /// When it came.
    pub(super) since: Picoseconds,
    /// The how many-th it is; 0 when it does not wait.
    serial: u64,
    /// What the scheduler keeps it in.
    pub(super) place: usize,
}

/// All requests that are known, by their numbers, which are small and used again.
#[derive(Debug, Default)]
pub(super) struct Book {
    entries: Vec<Entry>,
    serial: u64,
}

impl Book {
    /// A request comes, and is kept in a place of the scheduler's.
    pub(super) fn enter(&mut self, now: Picoseconds, id: usize, request: &Queued, place: usize) {
        self.serial += 1;
        let entry = Entry { request: *request, since: now, serial: self.serial, place };
        if id >= self.entries.len() {
            self.entries.resize(id + 1, entry);
        }
        self.entries[id] = entry;
    }

    pub(super) fn get(&self, id: usize) -> &Entry {
        &self.entries[id]
    }

    /// It waits; else the driver has it, or it is about to.
    pub(super) fn waits(&self, id: usize) -> bool {
        self.entries[id].serial > 0
    }
}

/// Requests of one kind.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    by_place: BTreeSet<(u64, usize)>,
    /// Number and serial; some have gone already.
    by_time: VecDeque<(usize, u64)>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// Takes in what was entered.
    pub(super) fn add(&mut self, book: &Book, id: usize) {
        let entry = book.get(id);
        self.by_place.insert((entry.request.offset, id));
        if self.by_time.len() > 2 * self.by_place.len() + 32 {
            self.by_time.retain(|(id, serial)| book.get(*id).serial == *serial);
        }
        self.by_time.push_back((id, entry.serial));
    }

    /// It has grown.
    pub(super) fn grown(&mut self, book: &mut Book, id: usize, request: &Queued) {
        let entry = &mut book.entries[id];
        if entry.request.offset != request.offset {
            self.by_place.remove(&(entry.request.offset, id));
            self.by_place.insert((request.offset, id));
        }
        entry.request = *request;
    }

    /// It waits no more.
    pub(super) fn take(&mut self, book: &mut Book, id: usize) {
        let entry = &mut book.entries[id];
        entry.serial = 0;
        self.by_place.remove(&(entry.request.offset, id));
    }

    /// What has waited the longest.
    pub(super) fn oldest(&mut self, book: &Book) -> Option<usize> {
        while let Some((id, serial)) = self.by_time.front() {
            if book.get(*id).serial == *serial {
                return Some(*id);
            }
            self.by_time.pop_front();
        }
        None
    }

    /// What has waited for longer than a time.
    pub(super) fn expired(&mut self, book: &Book, now: Picoseconds, after: Picoseconds) -> Option<usize> {
        self.oldest(book).filter(|id| book.get(*id).since + after <= now)
    }

    /// The first at a byte or behind it.
    pub(super) fn at_or_after(&self, at: u64) -> Option<usize> {
        self.by_place.range((at, 0)..).next().map(|(_, id)| *id)
    }

    /// The one behind another that is still among them.
    pub(super) fn behind(&self, book: &Book, id: usize) -> Option<usize> {
        let place = (book.get(id).request.offset, id + 1);
        self.by_place.range(place..).next().map(|(_, id)| *id)
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.by_place.first().map(|(_, id)| *id)
    }

    /// The nearest for an arm at a byte: ahead, or not far back and closer by the penalty; else from the first again.
    pub(super) fn nearest(&self, at: u64, back: LookBack) -> Option<usize> {
        let ahead = self.by_place.range((at, 0)..).next();
        let behind = self.by_place.range(..(at, 0)).next_back().filter(|(o, _)| at - o <= back.bytes);
        match (ahead, behind) {
            (Some((ahead, id)), Some((behind, other))) => {
                let cost = (at - behind).saturating_mul(back.penalty);
                Some(if cost < ahead - at { *other } else { *id })
            }
            (Some((_, id)), None) | (None, Some((_, id))) => Some(*id),
            (None, None) => self.first(),
        }
    }
}

/// Puts requests in the order of one way from a byte on: those ahead of it first.
pub(super) fn one_way(book: &Book, at: u64, ids: &mut [usize]) {
    ids.sort_by_key(|id| {
        let offset = book.get(*id).request.offset;
        (offset < at, offset)
    });
}
