//! A trace that is replayed: read ahead by a thread of its own, so that no request waits for a file, within
//! bounded memory.

use spindle_workload::{Arrivals, Beyond, Operation, Placement, Request, Stream, Trace, TraceReader};
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// Requests handed over by the thread at once.
const BATCH: usize = 1_024;
/// Batches read ahead.
const BATCHES: usize = 64;
/// A file whose beginning does not come within this is not replayed.
const FIRST: Duration = Duration::from_secs(10);
/// Counting what was due and not made takes this long at most.
const COUNTING: Duration = Duration::from_secs(2);

/// A request that is ready.
#[derive(Clone, Copy, Debug)]
struct Ready {
    request: Request,
    /// Nanoseconds from the beginning of the run; 0 where it does not matter.
    due_ns: u64,
    rounded: bool,
    moved: bool,
}

/// What the thread hands over.
enum Read {
    More(Vec<Ready>),
    /// Nothing comes behind these.
    Last(Vec<Ready>),
    Broken(String),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coming {
    /// A request, as soon as it can be made.
    Now,
    /// A request at this time.
    At(u64),
    /// Something, once it is read.
    Soon,
    /// Nothing more.
    Over,
}

/// A trace on its way to one target.
#[derive(Debug)]
pub(crate) struct Replay {
    read: Receiver<Read>,
    ready: VecDeque<Ready>,
    /// The thread has handed over all.
    ended: bool,
    /// Why it handed over no more.
    pub(crate) broken: Option<String>,
    timed: bool,
    pub(crate) taken: u64,
    rounded: u64,
    moved: u64,
    /// Times at which a request could have been made and was not read yet.
    waited: u64,
    align: u64,
    beyond: Beyond,
}

impl Replay {
    /// Begins to read.
    pub(crate) fn begin(
        stream: &Stream,
        trace: &Trace,
        placement: Placement,
        align: u64,
    ) -> Result<Self, String> {
        let found = trace.found.as_ref().ok_or("its trace was not read")?;
        let speed = match stream.arrivals {
            Arrivals::Replay { speed } => Some(speed),
            _ => None,
        };
        let file = File::open(&trace.file)
            .map_err(|error| format!("the trace `{}` was not read: {error}", trace.file))?;
        let input = BufReader::with_capacity(256 << 10, file);
        let reader = TraceReader::new(input, found.format, found.event.unwrap_or('Q'), trace.block_bytes);
        let (sender, read) = sync_channel(BATCHES);
        let way = Way {
            placement,
            speed,
            first_ns: found.first_ns,
            most_bytes: stream.sizes.iter().map(|s| s.bytes).max().unwrap_or(0),
            may_write: stream.read_pct < 100.0,
        };
        // Ends when the file does, or nobody takes any more.
        std::thread::Builder::new()
            .spawn(move || hand_over(reader, &way, &sender))
            .map_err(|error| format!("its thread could not be started: {error}"))?;
        let mut replay = Self {
            read,
            ready: VecDeque::new(),
            ended: false,
            broken: None,
            timed: speed.is_some(),
            taken: 0,
            rounded: 0,
            moved: 0,
            waited: 0,
            align,
            beyond: trace.beyond,
        };
        match replay.read.recv_timeout(FIRST) {
            Ok(first) => replay.take_in(first),
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("the beginning of the trace `{}` did not come", trace.file));
            }
            Err(RecvTimeoutError::Disconnected) => replay.ended = true,
        }
        match replay.broken.take() {
            Some(why) => Err(format!("the trace `{}` was not read: {why}", trace.file)),
            None => Ok(replay),
        }
    }

    fn take_in(&mut self, read: Read) {
        match read {
            Read::More(batch) => self.ready = batch.into(),
            Read::Last(batch) => {
                self.ready = batch.into();
                self.ended = true;
            }
            Read::Broken(why) => {
                self.broken = Some(why);
                self.ended = true;
            }
        }
    }

    /// What comes next.
    pub(crate) fn coming(&mut self) -> Coming {
        loop {
            match self.ready.front() {
                Some(_) if !self.timed => return Coming::Now,
                Some(next) => return Coming::At(next.due_ns),
                None if self.ended => return Coming::Over,
                None => match self.read.try_recv() {
                    Ok(read) => self.take_in(read),
                    Err(TryRecvError::Empty) => {
                        self.waited += 1;
                        return Coming::Soon;
                    }
                    Err(TryRecvError::Disconnected) => self.ended = true,
                },
            }
        }
    }

    /// The request that comes next, and when it was due; `None` where none is ready.
    pub(crate) fn take(&mut self) -> Option<(Request, Option<u64>)> {
        let ready = self.ready.pop_front()?;
        self.taken += 1;
        self.rounded += u64::from(ready.rounded);
        self.moved += u64::from(ready.moved);
        Some((ready.request, self.timed.then_some(ready.due_ns)))
    }

    /// Is there nothing more to take?
    pub(crate) fn is_over(&self) -> bool {
        self.ended && self.ready.is_empty()
    }

    /// Requests due until then as far as they are read, those taken among them; `None` where times do not matter.
    pub(crate) fn known_by(&self, now_ns: u64) -> Option<u64> {
        let due = self.ready.partition_point(|one| one.due_ns <= now_ns);
        self.timed.then_some(self.taken + due as u64)
    }

    /// Requests due until then, those taken among them; `None` of a trace whose times do not matter, or where
    /// counting takes too long. Nothing can be taken any more.
    pub(crate) fn arrived_by(&mut self, end_ns: u64) -> Option<u64> {
        let until = Instant::now() + COUNTING;
        let mut arrived = self.taken;
        while self.timed {
            let due = self.ready.iter().filter(|one| one.due_ns <= end_ns).count();
            arrived += due as u64;
            if due < self.ready.len() || self.ended {
                return Some(arrived);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.read.recv_timeout(left) {
                Ok(read) => self.take_in(read),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => return Some(arrived),
            }
        }
        None
    }

    /// What the reader of the result must know, in sentences; `name` is the stream's.
    pub(crate) fn told(&self, name: &str, trace: &Trace) -> Vec<String> {
        let mut told = Vec::new();
        let taken = self.taken;
        if let Some(why) = &self.broken {
            told.push(format!(
                "stream `{name}`: the trace `{}` could not be read to its end: {why}",
                trace.file
            ));
        } else if !self.is_over() {
            told.push(format!(
                "stream `{name}`: the run ended before the trace, after {taken} requests of it"
            ));
        }
        if self.rounded > 0 {
            told.push(format!(
                "stream `{name}`: {} of {taken} requests did not lie on whole blocks of {} bytes, which direct I/O takes \
                 here: the blocks that they touch were asked for",
                self.rounded, self.align
            ));
        }
        if self.moved > 0 {
            let how = match self.beyond {
                Beyond::Wrap => "addresses beyond the end began again at the beginning",
                _ => "all addresses were brought closer together",
            };
            told.push(format!(
                "stream `{name}`: {} of {taken} requests went elsewhere than in the trace, which is longer than the region: \
                 {how}",
                self.moved
            ));
        }
        if self.waited > 0 {
            told.push(format!(
                "stream `{name}`: the trace could not be read as fast as it was replayed ({} waits): requests were late by \
                 that, and not for the device alone",
                self.waited
            ));
        }
        told
    }
}

/// What becomes of the requests of a trace.
struct Way {
    placement: Placement,
    speed: Option<f64>,
    first_ns: u64,
    /// Memory of a request.
    most_bytes: u32,
    may_write: bool,
}

/// Reads requests and hands them over until the file ends or nobody takes them.
fn hand_over(mut reader: TraceReader<BufReader<File>>, way: &Way, to: &SyncSender<Read>) {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        match reader.next_request() {
            Ok(Some(traced)) => {
                let name = reader.name(traced.source).unwrap_or_default();
                let Some(placed) = way.placement.place(&traced, name) else { continue };
                let writes = placed.request.operation == Operation::Write;
                if placed.request.bytes > way.most_bytes || (writes && !way.may_write) {
                    // Memory and permission are those of the file as it was.
                    let _ = to.send(Read::More(batch));
                    return drop(
                        to.send(Read::Broken("it is not as it was when the run was planned".to_owned())),
                    );
                }
                let due_ns = way.speed.map_or(0, |speed| {
                    let since = traced.at_ns.saturating_sub(way.first_ns);
                    // A cast from floating point stays within the bounds of the integer.
                    if speed == 1.0 { since } else { (since as f64 / speed) as u64 }
                });
                batch.push(Ready {
                    request: placed.request,
                    due_ns,
                    rounded: placed.rounded,
                    moved: placed.moved,
                });
                if batch.len() == BATCH {
                    let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
                    if to.send(Read::More(full)).is_err() {
                        return;
                    }
                }
            }
            Ok(None) => return drop(to.send(Read::Last(batch))),
            Err(error) => {
                let _ = to.send(Read::More(batch));
                return drop(to.send(Read::Broken(error.to_string())));
            }
        }
    }
}
