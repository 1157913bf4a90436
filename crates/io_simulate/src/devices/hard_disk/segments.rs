//! The cache of a disk: segments, each a run of blocks, the least recently used first.
//!
//! A request looks at its first block alone, and takes the segment of the highest value, the least recently
//! used of several:
//!
//! | a read | value |
//! |---|---|
//! | its first block lies in a segment that is being read | 9, partly 5 |
//! | it is the block that is being read, where almost hits count | partly 5 |
//! | in a clean one, of reads, or of writes where these may be read | 8, partly 4 |
//! | empty, clean, being read | 3, 2, 1 |
//!
//! | a write | value |
//! |---|---|
//! | clean and overlapping | 4 |
//! | empty, clean, being read | 3, 2, 1 |
//!
//! Source: the rules of DiskSim 4.0 (CMU-PDL-08-101). Left out: several runs of blocks in a segment, blocks
//! gathered from two segments, a segment kept for writes.

/// What a segment is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Empty,
    Clean,
    /// The head reads into it.
    Reading,
    /// The head writes what it holds.
    Writing,
}

/// Blocks one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) state: State,
    /// What it holds was written.
    pub(crate) written: bool,
    /// Where reading ahead ends.
    pub(crate) limit: u64,
    /// It stands in the list of those that have changed.
    changed: bool,
}

/// What a read finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// All its blocks.
    All(usize),
    /// The first, and not the last.
    Part(usize),
    /// None; the segment is the one to take.
    Nothing(usize),
}

/// The segments.
#[derive(Debug)]
pub(crate) struct Segments {
    all: Vec<Segment>,
    /// Numbers of segments, the least recently used first.
    order: Vec<usize>,
    size: u64,
    written_readable: bool,
    caching: bool,
    almost_hits: bool,
    /// Those that may hold more than when somebody last asked.
    changed: Vec<usize>,
}

impl Segments {
    pub(crate) fn new(
        number: usize,
        size: u64,
        written_readable: bool,
        caching: bool,
        almost_hits: bool,
    ) -> Self {
        let empty =
            Segment { first: 0, end: 0, state: State::Empty, written: false, limit: 0, changed: false };
        Self {
            all: vec![empty; number],
            order: (0..number).collect(),
            size,
            written_readable,
            caching,
            almost_hits,
            changed: Vec::new(),
        }
    }

    pub(crate) fn get(&self, number: usize) -> &Segment {
        &self.all[number]
    }

    pub(crate) fn get_mut(&mut self, number: usize) -> &mut Segment {
        self.changes(number);
        &mut self.all[number]
    }

    /// From now on it may hold more.
    fn changes(&mut self, number: usize) {
        if !std::mem::replace(&mut self.all[number].changed, true) {
            self.changed.push(number);
        }
    }

    /// Whether reads may be answered from a segment.
    fn is_readable(&self, segment: &Segment) -> bool {
        let readable = match segment.state {
            State::Reading => true,
            State::Clean => self.written_readable || !segment.written,
            State::Empty | State::Writing => false,
        };
        self.caching && readable
    }

    /// Whether a read of these blocks finds all of them: [`Segments::find`] in short.
    pub(crate) fn hold(&self, first: u64, end: u64) -> bool {
        let holds = |s: &Segment| s.first <= first && end <= s.end && self.is_readable(s);
        self.all.iter().any(holds)
    }

    /// The blocks of one that may hold more than when this was last asked; `None` when all are told.
    pub(crate) fn next_changed(&mut self) -> Option<(u64, u64)> {
        while let Some(number) = self.changed.pop() {
            self.all[number].changed = false;
            let segment = &self.all[number];
            if self.is_readable(segment) {
                return Some((segment.first, segment.end));
            }
        }
        None
    }

    /// What a read of these blocks finds.
    pub(crate) fn find(&self, first: u64, end: u64) -> Found {
        let mut best = (0, Found::Nothing(0));
        for &number in &self.order {
            let segment = &self.all[number];
            let holds = self.caching && segment.first <= first && first < segment.end;
            let all = end <= segment.end;
            let hit = match segment.state {
                State::Reading if holds => 9,
                State::Reading if self.caching && self.almost_hits && first == segment.end => 9,
                State::Clean if holds && (self.written_readable || !segment.written) => 8,
                _ => 0,
            };
            let value = match (hit, segment.state) {
                (0, State::Empty) => (3, Found::Nothing(number)),
                (0, State::Clean) => (2, Found::Nothing(number)),
                (0, State::Reading) => (1, Found::Nothing(number)),
                (0, State::Writing) => continue,
                (hit, _) if all => (hit, Found::All(number)),
                (hit, _) => (hit - 4, Found::Part(number)),
            };
            if value.0 > best.0 {
                best = value;
            }
        }
        best.1
    }

    /// The segment that a write takes.
    pub(crate) fn for_write(&self, first: u64, end: u64) -> usize {
        let mut best = (0, 0);
        for &number in &self.order {
            let segment = &self.all[number];
            let value = match segment.state {
                State::Clean if segment.overlaps(first, end) => 4,
                State::Empty => 3,
                State::Clean => 2,
                State::Reading => 1,
                State::Writing => 0,
            };
            if value > best.0 {
                best = (value, number);
            }
        }
        best.1
    }

    /// Used now: it will be taken last.
    pub(crate) fn touch(&mut self, number: usize) {
        if let Some(at) = self.order.iter().position(|n| *n == number) {
            self.order[at..].rotate_left(1);
        }
    }

    /// Takes a segment for blocks from here on.
    pub(crate) fn take(&mut self, number: usize, first: u64, written: bool) {
        self.touch(number);
        let state = if written { State::Writing } else { State::Reading };
        self.changes(number);
        self.all[number] = Segment { first, end: first, state, written, limit: first, changed: true };
    }

    /// What is written is in no other segment any more.
    pub(crate) fn forget(&mut self, first: u64, end: u64, but: usize) {
        for (number, segment) in self.all.iter_mut().enumerate() {
            if number != but && segment.state == State::Clean && segment.overlaps(first, end) {
                segment.state = State::Empty;
                segment.end = segment.first;
            }
        }
    }

    /// Blocks up to here are in it; the oldest fall out of a full one.
    pub(crate) fn extend(&mut self, number: usize, end: u64) {
        self.changes(number);
        let segment = &mut self.all[number];
        segment.end = segment.end.max(end);
        segment.first = segment.first.max(segment.end.saturating_sub(self.size));
    }

    /// It can take no more without losing some.
    pub(crate) fn full(&self, number: usize) -> bool {
        self.all[number].end - self.all[number].first >= self.size
    }

    /// The head has written it.
    pub(crate) fn cleaned(&mut self, number: usize) {
        self.changes(number);
        let readable = self.written_readable;
        let segment = &mut self.all[number];
        segment.state = if readable { State::Clean } else { State::Empty };
        if !readable {
            segment.end = segment.first;
        }
    }
}

impl Segment {
    fn overlaps(&self, first: u64, end: u64) -> bool {
        self.first < end && first < self.end
    }
}
