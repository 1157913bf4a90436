//! The loop that runs processes on volumes.

use super::core::{Event, Host, Lane, StreamLog};
use super::found::{Found, ProcessFound, StreamFound};
use super::{Process, StreamId};
use crate::{Completion, Device, Picoseconds, Stalled, TooManyEvents};
use spindle_workload::{COMMIT, LatencyFrom, Recorder, StreamResult, WAIT};
use std::fmt;

/// Requests of a run: at a million a second of the processor they take hours.
pub(crate) const MOST_SERVED: u64 = 10_000_000_000;

/// Times that are set, and requests under way, at most.
const MOST: usize = 1 << 22;

/// Why a simulation came to no end: a fault of a device or a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A volume has requests and says that nothing will happen.
    Stalled(Stalled),
    /// Processes wait for what nobody brings; some of their names.
    Waiting(Vec<String>),
    /// A process asked a volume that there is not, or for a stream that was not made.
    #[allow(missing_docs, reason = "their numbers")]
    NoSuchVolume { process: u32, volume: usize },
    /// A process told one that there is not.
    #[allow(missing_docs, reason = "their numbers")]
    NoSuchProcess { process: u32, told: u32 },
    /// A volume said of a request that it was done, which it was before or which it never had.
    #[allow(missing_docs, reason = "the time")]
    DoneTwice { now: Picoseconds },
    /// More requests are under way than are allowed.
    #[allow(missing_docs, reason = "what is allowed, and the time")]
    TooManyUnderWay { bound: usize, now: Picoseconds },
    /// A process does not listen to what it is told.
    #[allow(missing_docs, reason = "its number, and what is kept")]
    TooManyLetters { process: u32, bound: usize },
    /// More times are set than are allowed.
    TooManyEvents(TooManyEvents),
    /// A process cannot go on.
    #[allow(missing_docs, reason = "its name, and why")]
    Failed { name: String, why: String },
    /// More requests were served than anybody waits for.
    #[allow(missing_docs, reason = "the time")]
    TooManyServed { now: Picoseconds },
    /// Processes go on and on, and the time does not.
    #[allow(missing_docs, reason = "one of them, and the time")]
    NoEndAtOnce { name: String, now: Picoseconds },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stalled(stalled) => stalled.fmt(f),
            Self::Waiting(names) => {
                write!(f, "nobody brings what is waited for by {}", names.join(", "))
            }
            Self::NoSuchVolume { process, volume } => {
                write!(f, "process {process} asks volume {volume}, and there is none, or none for its stream")
            }
            Self::NoSuchProcess { process, told } => {
                write!(f, "process {process} tells process {told}, and there is none")
            }
            Self::DoneTwice { now } => {
                write!(f, "a request is said to be done at {now} that is not under way")
            }
            Self::TooManyUnderWay { bound, now } => {
                write!(f, "more than {bound} requests are under way at {now}: more arrive than are served")
            }
            Self::TooManyLetters { process, bound } => {
                write!(f, "process {process} was told more than {bound} things and did not listen")
            }
            Self::TooManyEvents(full) => full.fmt(f),
            Self::Failed { name, why } => write!(f, "{name}: {why}"),
            Self::TooManyServed { now } => write!(
                f,
                "{MOST_SERVED} requests were served by {now}, and no more are simulated: end it earlier ([end])"
            ),
            Self::NoEndAtOnce { name, now } => write!(f, "{name} goes on and on at {now}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Stalled> for Fault {
    fn from(stalled: Stalled) -> Self {
        Self::Stalled(stalled)
    }
}

/// A volume, and when something happens to it next.
struct Volume<D> {
    device: D,
    next: Option<Picoseconds>,
}

/// Processes and the volumes that they ask.
pub struct Simulation<D = Box<dyn Device>> {
    volumes: Vec<Volume<D>>,
    bodies: Vec<Box<dyn Process>>,
    host: Host,
}

impl<D> fmt::Debug for Simulation<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("volumes", &self.volumes.len()).field("host", &self.host).finish()
    }
}

impl<D: Device> Simulation<D> {
    /// On these volumes, whose numbers are their places.
    #[must_use]
    pub fn new(volumes: Vec<D>) -> Self {
        let host = Host::new(volumes.len(), MOST, MOST);
        let volumes =
            volumes.into_iter().map(|device| Volume { next: device.next_event(), device }).collect();
        Self { volumes, bodies: Vec::new(), host }
    }

    /// What streams are called by, in their order: their names, or what they count where another stream has the name.
    #[must_use]
    pub fn stream_names(&self) -> Vec<&str> {
        let all = &self.host.streams;
        let twice = |name: &str| all.iter().filter(|log| log.name == name).count() > 1;
        let called = all.iter().map(|log| match log.beside {
            Some(beside) if twice(&log.name) => beside,
            None if twice(&log.name) => "write",
            _ => log.name.as_str(),
        });
        called.collect()
    }

    /// A stream of requests. Latency counts from submission unless an [`super::Ask`] says otherwise.
    pub fn stream(&mut self, name: &str) -> StreamId {
        self.add_stream(name, None, LatencyFrom::Submit)
    }

    /// A stream of requests whose latency counts from their intended start.
    pub fn open_stream(&mut self, name: &str) -> StreamId {
        self.add_stream(name, None, LatencyFrom::Intended)
    }

    /// A stream of commits, which processes record themselves.
    pub fn commits(&mut self, name: &str) -> StreamId {
        self.add_stream(name, Some(COMMIT), LatencyFrom::Submit)
    }

    /// A stream of other waits, which processes record themselves.
    pub fn waits(&mut self, name: &str) -> StreamId {
        self.add_stream(name, Some(WAIT), LatencyFrom::Submit)
    }

    fn add_stream(&mut self, name: &str, beside: Option<&'static str>, from: LatencyFrom) -> StreamId {
        self.host.streams.push(StreamLog {
            name: name.to_owned(),
            beside,
            from,
            recorder: Recorder::new(),
            reads: 0,
            writes: 0,
            under_way: 0,
            waiting: None,
        });
        StreamId(self.host.streams.len() - 1)
    }

    /// A process, from the beginning of time on; its number.
    pub fn add(&mut self, name: &str, process: impl Process + 'static) -> u32 {
        self.add_process(name, Picoseconds::ZERO, false, Box::new(process))
    }

    /// A process that begins later.
    pub fn add_at(&mut self, name: &str, begins: Picoseconds, process: impl Process + 'static) -> u32 {
        self.add_process(name, begins, false, Box::new(process))
    }

    /// A process that serves others: the simulation ends without waiting for it.
    pub fn add_service(&mut self, name: &str, process: impl Process + 'static) -> u32 {
        self.add_process(name, Picoseconds::ZERO, true, Box::new(process))
    }

    /// Streams so far: the number that the next one gets.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.host.streams.len()
    }

    /// The number that the next process gets.
    #[must_use]
    pub fn next_process(&self) -> u32 {
        u32::try_from(self.bodies.len()).unwrap_or(u32::MAX)
    }

    fn add_process(&mut self, name: &str, begun: Picoseconds, service: bool, body: Box<dyn Process>) -> u32 {
        let number = self.next_process();
        self.bodies.push(body);
        self.host.lanes.push(Lane::new(name, service, begun));
        self.host.living += usize::from(!service);
        if let Err(full) = self.host.events.put(begun, Event::Begins(number)) {
            self.host.fault.get_or_insert(Fault::TooManyEvents(full));
        }
        number
    }

    /// So many processors compute; without this, as many as are asked for.
    pub fn processors(&mut self, processors: u32) {
        self.host.set_processors(processors.max(1));
    }

    /// What is done before does not count; times of the results are from then on.
    pub fn record_from(&mut self, at: Picoseconds) {
        self.host.record_from = at;
    }

    /// Keeps the first so many requests that are done.
    pub fn keep_log(&mut self, most: usize) {
        self.host.log_most = most;
    }

    /// So many requests may be under way at once, of all processes together.
    pub fn most_under_way(&mut self, most: usize) {
        self.host.most_under_way = most.max(1);
    }

    /// Runs until all regular processes are over, or until a time.
    ///
    /// # Errors
    /// Where it comes to no end.
    pub fn run(mut self, until: Option<Picoseconds>) -> Result<Found, Fault> {
        let mut completed: Vec<Completion> = Vec::new();
        // Where all serve others, nobody's end is waited for: the time alone ends it.
        let until_then = until.filter(|_| self.host.living == 0);
        loop {
            while let Some(process) = self.host.ready.pop_front() {
                self.go_on(process);
                if let Some(fault) = self.host.fault.take() {
                    return Err(fault);
                }
            }
            if self.host.living == 0 && until_then.is_none() {
                break;
            }
            if self.host.end_now {
                self.host.over = self.host.now;
                break;
            }
            if self.host.served >= MOST_SERVED {
                return Err(Fault::TooManyServed { now: self.host.now });
            }
            let happens = self.host.events.next_at();
            let next = self.volumes.iter().filter_map(|v| v.next).chain(happens).min();
            let Some(next) = next.filter(|next| until.is_none_or(|until| *next <= until)) else {
                // Nothing more happens by then.
                let Some(until) = until.filter(|_| next.is_some() || until_then.is_some()) else {
                    return Err(self.nothing_happens());
                };
                self.host.set_now(until);
                self.host.over = until;
                break;
            };
            self.host.set_now(next);
            let now = self.host.now;
            for volume in &mut self.volumes {
                if volume.next.is_some_and(|next| next <= now) {
                    volume.device.advance(now, &mut completed);
                    volume.next = volume.device.next_event();
                    for done in completed.drain(..) {
                        self.host.done(done.tag, done.at);
                    }
                }
            }
            while let Some((_, event)) = self.host.events.take_by(now) {
                self.host.happens(event);
            }
        }
        Ok(self.found())
    }

    fn nothing_happens(&self) -> Fault {
        match self.host.all_under_way() {
            0 => Fault::Waiting(self.host.who_waits()),
            under_way => Fault::Stalled(Stalled { under_way }),
        }
    }

    /// Lets one process go on, and hands its requests to their volumes.
    fn go_on(&mut self, process: u32) {
        let now = self.host.now;
        self.host.enter(process);
        let then = self.bodies[process as usize].go_on(&mut self.host);
        let mut submissions = std::mem::take(&mut self.host.submissions);
        for one in submissions.drain(..) {
            let volume = &mut self.volumes[one.volume];
            volume.device.submit_from(now, one.tag, one.from, one.request);
            volume.next = volume.device.next_event();
        }
        self.host.submissions = submissions;
        if self.host.leave(process, then) {
            for volume in &mut self.volumes {
                volume.device.ended(now, process);
                volume.next = volume.device.next_event();
            }
        }
    }

    fn found(self) -> Found {
        let host = self.host;
        let elapsed = host.over;
        let elapsed_ns = (elapsed - host.record_from).0 / 1_000;
        let stream = |log: StreamLog| {
            let operation = log.beside.unwrap_or(match (log.reads, log.writes) {
                (_, 0) => "read",
                (0, _) => "write",
                _ => "mix",
            });
            let recorded = log.recorder.finish(elapsed_ns);
            let mut result = StreamResult::of(&log.name, operation, log.from, &recorded, Vec::new());
            result.unserved = log.waiting.or((log.from == LatencyFrom::Intended).then_some(log.under_way));
            // A bucket of the histogram may end above the longest time that fell into it.
            if let Some(longest) = result.latency_us.max {
                let us = &mut result.latency_us;
                for one in [&mut us.p50, &mut us.p90, &mut us.p99, &mut us.p999] {
                    *one = one.map(|us| us.min(longest));
                }
            }
            StreamFound {
                result,
                under_way: log.under_way,
                slices: recorded.latency_course(),
                least_ns: recorded.latencies.min(),
            }
        };
        let process = |lane: Lane| ProcessFound {
            name: lane.name,
            began: lane.begun,
            ended: lane.ended,
            requests: lane.requests,
            bytes: lane.bytes,
            spent: lane.spent,
        };
        Found {
            elapsed,
            streams: host.streams.into_iter().map(stream).collect(),
            processes: host.lanes.into_iter().map(process).collect(),
            served: host.served,
            fingerprint: host.fingerprint,
            log: host.log,
            notes: host.notes.into_iter().chain(host.notes_at_end.iter().map(|note| (note.0)())).collect(),
        }
    }
}
