//! What a simulation found: streams in the result type of measurements, and where each process' time went.

use crate::{Picoseconds, Request};
use spindle_workload::{Environment, Job, LimitedBy, RunResult, StreamResult};

/// Where the time of a process went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// It waited for its requests.
    pub requests: Picoseconds,
    /// It computed.
    pub computing: Picoseconds,
    /// It waited for a processor.
    pub processor: Picoseconds,
    /// It waited to be told something.
    pub others: Picoseconds,
    /// It slept.
    pub sleeping: Picoseconds,
}

/// What a process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessFound {
    /// Its name.
    pub name: String,
    /// When it began.
    pub began: Picoseconds,
    /// When it was over, its last request done; `None` where the simulation ended before.
    pub ended: Option<Picoseconds>,
    /// Requests that it made.
    pub requests: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Where its time went, as far as it was done waiting.
    pub spent: Spent,
}

impl ProcessFound {
    /// From beginning to end.
    #[must_use]
    pub fn elapsed(&self) -> Option<Picoseconds> {
        self.ended.map(|ended| ended - self.began)
    }
}

/// A request that was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its number in the order in which all were asked, from 0.
    pub number: u64,
    /// Who asked.
    pub process: u32,
    /// Which volume.
    pub volume: usize,
    /// What was asked.
    pub request: Request,
    /// From when its latency counts.
    pub since: Picoseconds,
    /// When it was done.
    pub done: Picoseconds,
}

/// What a stream did.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamFound {
    /// In the type of measurements.
    pub result: StreamResult,
    /// Requests under way when the simulation ended.
    pub under_way: u64,
    /// Requests of each slice of the run, of one length, and the sum of their latencies, nanoseconds.
    pub slices: Vec<(u64, f64)>,
    /// The least latency, nanoseconds; nothing where none was recorded.
    pub least_ns: u64,
}

/// What a simulation found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Until the last regular process was over, or the end that was set.
    pub elapsed: Picoseconds,
    /// Streams, by their number.
    pub streams: Vec<StreamFound>,
    /// Processes, by their number.
    pub processes: Vec<ProcessFound>,
    /// Requests done.
    pub served: u64,
    /// Of which request of whom was done when: the same seed gives the same, on any machine.
    pub fingerprint: u64,
    /// The first requests that were done, as many as were asked for.
    pub log: Vec<Logged>,
    /// What the reader has to know.
    pub notes: Vec<String>,
}

impl Found {
    /// As the result of a run, streams that recorded nothing left out.
    #[must_use]
    pub fn result(&self, job: Option<Job>) -> RunResult {
        RunResult {
            job,
            environment: Environment { engine: Some("simulated".to_owned()), ..Environment::default() },
            streams: self.recorded().map(|stream| stream.result.clone()).collect(),
            limited_by: LimitedBy::Unknown,
            warnings: self.notes.clone(),
            hosts: None,
            ended_early: None,
        }
    }

    /// Streams that recorded something, or have requests under way.
    pub fn recorded(&self) -> impl Iterator<Item = &StreamFound> {
        self.streams.iter().filter(|stream| stream.result.ios != Some(0) || stream.under_way > 0)
    }

    /// The stream of a name.
    #[must_use]
    pub fn stream(&self, name: &str) -> Option<&StreamResult> {
        self.streams.iter().map(|stream| &stream.result).find(|result| result.name == name)
    }
}
