//! Whatever a job describes, asked of a modelled volume: the same streams, draws and ends as a measurement has.
//!
//! Each stream is one process that keeps its depth under way, sends its requests when they are due whatever is answered,
//! writes a log for those who commit, or replays a trace. Latency of what is due at a time counts from then.

use super::{NoSuchLoad, check};
use crate::processes::{Ask, Fault, First, Host, Process, Simulation, StreamId, Then};
use crate::{Device, Operation, Picoseconds, Request, Seeded};
use spindle_workload::{Arrivals, Committers, Due, Job, Placement, Requests, RunResult, Stream, TraceReader};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::io::BufRead;
use std::rc::Rc;

/// The text of a trace.
pub type TraceInput = Box<dyn BufRead>;

/// A job and where it runs.
#[derive(Clone, Copy, Debug)]
pub struct JobLoad<'a> {
    /// What is asked.
    pub job: &'a Job,
    /// Number of the volume.
    pub volume: usize,
    /// Its bytes.
    pub volume_bytes: u64,
    /// Requests lie on whole multiples of this: those of a trace and of a log are rounded to it.
    pub unit_bytes: u32,
}

/// Why a job was not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobFault {
    /// It makes no sense.
    Load(NoSuchLoad),
    /// It came to no end.
    Fault(Fault),
}

impl fmt::Display for JobFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(why) => why.fmt(f),
            Self::Fault(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for JobFault {}

/// Runs a job on a volume; `traces` are the texts of the traces of its streams, in their order.
///
/// # Errors
/// Where the job makes no sense or does not fit the volume, or comes to no end.
pub fn run_job<D: Device>(
    job: &Job,
    volume: D,
    volume_bytes: u64,
    traces: Vec<TraceInput>,
) -> Result<RunResult, JobFault> {
    let mut simulation = Simulation::new(vec![volume]);
    let load = JobLoad { job, volume: 0, volume_bytes, unit_bytes: 512 };
    load.add(&mut simulation, traces).map_err(JobFault::Load)?;
    let found = simulation.run(load.until()).map_err(JobFault::Fault)?;
    let mut result = found.result(Some(job.clone()));
    let told =
        job.streams.iter().filter_map(|s| s.trace.as_ref()).flat_map(|t| t.told(&["volume".to_owned()]));
    result.warnings.extend(told);
    Ok(result)
}

fn from_ns(ns: f64) -> Picoseconds {
    Picoseconds::from_us(ns / 1e3)
}

impl JobLoad<'_> {
    /// When it ends, if it ends at a time.
    #[must_use]
    pub fn until(&self) -> Option<Picoseconds> {
        let seconds = self.job.end.seconds?;
        Some(from_ns((self.job.warm_up_s.unwrap_or(0.0) + seconds) * 1e9))
    }

    /// Adds its streams, and sets the warm-up of the simulation. Where it ends at a time ([`JobLoad::until`]), who runs the
    /// simulation ends it.
    ///
    /// # Errors
    /// Where it makes no sense or does not fit the volume.
    pub fn add<D: Device>(
        &self,
        simulation: &mut Simulation<D>,
        traces: Vec<TraceInput>,
    ) -> Result<(), NoSuchLoad> {
        let job = self.job;
        check(job.objection())?;
        if let Some(warm_up_s) = job.warm_up_s {
            simulation.record_from(from_ns(warm_up_s * 1e9));
        }
        let mut traces = traces.into_iter();
        let mut streams = Vec::new();
        for (number, stream) in (0..).zip(&job.streams) {
            let refused = |why: String| NoSuchLoad(format!("stream `{}`: {why}", stream.name));
            let open = matches!(stream.arrivals, Arrivals::Open { .. } | Arrivals::Replay { .. });
            let id =
                if open { simulation.open_stream(&stream.name) } else { simulation.stream(&stream.name) };
            streams.push(id);
            let ends = Ends { left: job.end.ios, unserved: job.end.unserved };
            if let Some(committers) = stream.committers(number, job.seed) {
                let commits = simulation.commits(&stream.name);
                let log = self.log(stream, number, committers, (id, commits), ends).map_err(refused)?;
                simulation.add(&stream.name, log);
                continue;
            }
            let source = if stream.trace.is_some() {
                let text =
                    traces.next().ok_or_else(|| refused("the text of its trace is missing".to_owned()))?;
                self.traced(stream, text).map_err(refused)?
            } else {
                let requests = stream.requests(number, job.seed, self.volume_bytes).map_err(refused)?;
                let due = stream.due(number, job.seed);
                Source::Drawn { requests: Box::new(requests), due }
            };
            let asks = Asks { volume: self.volume, stream: id };
            let name = &stream.name;
            match stream.arrivals {
                Arrivals::Closed { depth, think_us } => {
                    let random = Seeded::new(job.seed, number * 4 + 3);
                    simulation.add(name, Closed::new(source, asks, ends, depth, think_us, random));
                }
                _ => {
                    simulation.add(name, Open { source, asks, ends, next: None });
                }
            }
        }
        if let Some(pct) = job.end.interval_pct {
            simulation.add_service("end", judge(streams, pct));
        }
        Ok(())
    }

    fn traced(&self, stream: &Stream, text: TraceInput) -> Result<Source, String> {
        let trace = stream.trace.as_ref().ok_or("it has no trace")?;
        let found = trace.found.as_ref().ok_or("its trace was not read")?;
        let unit = u64::from(self.unit_bytes.max(1));
        let region = stream.region.on(self.volume_bytes, unit)?;
        let placement = trace.placement(0, 1, region, unit)?;
        let reader = TraceReader::new(text, found.format, found.event.unwrap_or('Q'), trace.block_bytes);
        let speed = match stream.arrivals {
            Arrivals::Replay { speed } => speed,
            _ => 1.0,
        };
        Ok(Source::Traced(Box::new(Traced {
            reader,
            placement,
            speed,
            first_ns: found.first_ns,
            file: trace.file.clone(),
            rounded: false,
            last_moved: false,
            counted: Rc::default(),
        })))
    }

    fn log(
        &self,
        stream: &Stream,
        number: u64,
        committers: Committers,
        (writes, commits): (StreamId, StreamId),
        mut ends: Ends,
    ) -> Result<impl Process + 'static, String> {
        let mut redo = stream.requests(number, self.job.seed, self.volume_bytes)?;
        let mut committers = committers;
        let volume = self.volume;
        let unit = u64::from(self.unit_bytes.max(1)).next_multiple_of(stream.align());
        let region = redo.region();
        let begin = region.start.next_multiple_of(unit);
        let mut at = begin;
        let mut writing = false;
        Ok(move |host: &mut Host| {
            let now_ns = host.now().0 / 1_000;
            if std::mem::take(&mut writing) {
                let told =
                    |asked_ns: u64, bytes: u32| host.record(commits, Picoseconds(asked_ns * 1_000), bytes);
                committers.end(now_ns, || redo.draw_bytes(), told);
            }
            if ends.over() {
                return Then::Ended;
            }
            let Some(group) = committers.begin(now_ns, || redo.draw_bytes()) else {
                return committers.next_ns().map_or(Then::Ended, |ns| Then::Until(Picoseconds(ns * 1_000)));
            };
            ends.one(host);
            let bytes = u64::from(group.bytes).next_multiple_of(unit);
            if at + bytes > region.end {
                at = begin;
            }
            // A write of the log is bounded.
            let bytes_32 = u32::try_from(bytes).unwrap_or(u32::MAX);
            let request = Request { operation: Operation::Write, offset: at, bytes: bytes_32 };
            at += bytes;
            host.ask(Ask::new(volume, writes, request));
            writing = true;
            Then::ALL_DONE
        })
    }
}

/// When a stream ends.
#[derive(Clone, Copy)]
struct Ends {
    /// Requests that may still begin once the warm-up is over.
    left: Option<u64>,
    unserved: Option<u64>,
}

impl Ends {
    fn over(self) -> bool {
        self.left == Some(0)
    }

    /// A request begins.
    fn one(&mut self, host: &Host) {
        if host.counts() {
            self.left = self.left.map(|left| left.saturating_sub(1));
        }
    }
}

/// Where requests come from.
enum Source {
    Drawn { requests: Box<Requests>, due: Option<Due> },
    Traced(Box<Traced>),
}

struct Traced {
    reader: TraceReader<TraceInput>,
    placement: Placement,
    speed: f64,
    first_ns: u64,
    file: String,
    /// What was said of it already.
    rounded: bool,
    /// Was the one that was taken last moved?
    last_moved: bool,
    counted: Rc<Cell<Counted>>,
}

/// Requests of a trace that were asked for, and those of them that went elsewhere than in the trace.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    asked: u64,
    moved: u64,
}

impl Source {
    /// The next request and when it is due; `None` at the end of a trace. Where it cannot be read on, the simulation fails.
    fn take(&mut self, host: &mut Host) -> Option<(Picoseconds, Request)> {
        match self {
            Self::Drawn { requests, due } => {
                let at = due.as_mut().map_or(Picoseconds::ZERO, |due| from_ns(due.draw_ns()));
                Some((at, requests.draw()))
            }
            Self::Traced(traced) => traced.take(host),
        }
    }

    /// What was taken last is asked for.
    fn asked(&mut self, host: &mut Host) {
        if let Self::Traced(traced) = self {
            traced.asked(host);
        }
    }
}

impl Traced {
    fn take(&mut self, host: &mut Host) -> Option<(Picoseconds, Request)> {
        loop {
            let next = match self.reader.next_request() {
                Ok(next) => next?,
                Err(error) => {
                    host.fail(format!("the trace `{}` could not be read to its end: {error}", self.file));
                    return None;
                }
            };
            let name = self.reader.name(next.source).unwrap_or_default();
            let Some(placed) = self.placement.place(&next, name) else { continue };
            if placed.rounded && !std::mem::replace(&mut self.rounded, true) {
                host.note(format!(
                    "`{}`: requests that do not lie on whole blocks ask for the blocks that they touch",
                    self.file
                ));
            }
            let after_ns = next.at_ns.saturating_sub(self.first_ns) as f64 / self.speed;
            if after_ns > LAST_NS {
                host.fail(format!(
                    "the trace `{}` goes on for {:.0} days at this speed, and {:.0} are the most that are simulated",
                    self.file,
                    after_ns / 86_400e9,
                    LAST_NS / 86_400e9
                ));
                return None;
            }
            self.last_moved = placed.moved;
            return Some((from_ns(after_ns), placed.request));
        }
    }

    /// The request that was taken last is asked for.
    fn asked(&mut self, host: &mut Host) {
        let mut counted = self.counted.get();
        counted.asked += 1;
        counted.moved += u64::from(self.last_moved);
        if self.last_moved && counted.moved == 1 {
            let (all, file) = (Rc::clone(&self.counted), self.file.clone());
            host.note_at_end(move || {
                let Counted { asked, moved } = all.get();
                format!("`{file}`: {moved} of {asked} requests went elsewhere than in the trace, which is longer than the region")
            });
        }
        self.counted.set(counted);
    }
}

/// The last time at which a request of a trace may come: times are whole picoseconds in 64 bits, and what comes last is served, too.
const LAST_NS: f64 = 1.8e16;

#[derive(Clone, Copy)]
struct Asks {
    volume: usize,
    stream: StreamId,
}

/// A stream that keeps so many requests under way.
struct Closed {
    source: Source,
    asks: Asks,
    ends: Ends,
    depth: u32,
    think_us: f64,
    random: Seeded,
    /// When those who pause ask again.
    pausing: BinaryHeap<Reverse<Picoseconds>>,
    /// Those who ask now.
    ready: u32,
    asked: u32,
}

impl Closed {
    fn new(source: Source, asks: Asks, ends: Ends, depth: u32, think_us: f64, random: Seeded) -> Self {
        let pausing = BinaryHeap::new();
        Self { source, asks, ends, depth, think_us, random, pausing, ready: depth, asked: 0 }
    }
}

impl Process for Closed {
    fn go_on(&mut self, host: &mut Host) -> Then {
        let now = host.now();
        for _ in host.under_way()..self.asked {
            if self.think_us > 0.0 {
                let pause = Picoseconds::from_us(self.random.exponential(self.think_us));
                self.pausing.push(Reverse(now + pause));
            } else {
                self.ready += 1;
            }
        }
        while self.pausing.peek().is_some_and(|Reverse(at)| *at <= now) {
            self.pausing.pop();
            self.ready += 1;
        }
        self.ready = self.ready.min(self.depth);
        while self.ready > 0 {
            if self.ends.over() {
                return Then::Ended;
            }
            let Some((_, request)) = self.source.take(host) else { return Then::Ended };
            self.ends.one(host);
            self.source.asked(host);
            host.ask(Ask::new(self.asks.volume, self.asks.stream, request));
            self.ready -= 1;
        }
        self.asked = host.under_way();
        let at_most = self.asked.checked_sub(1);
        Then::First(First { at_most, told: false, by: self.pausing.peek().map(|Reverse(at)| *at) })
    }
}

/// A stream whose requests are made when they are due.
struct Open {
    source: Source,
    asks: Asks,
    ends: Ends,
    next: Option<(Picoseconds, Request)>,
}

impl Process for Open {
    fn go_on(&mut self, host: &mut Host) -> Then {
        loop {
            if self.ends.over() {
                return Then::Ended;
            }
            let Some((due, request)) = self.next.take().or_else(|| self.source.take(host)) else {
                return Then::Ended;
            };
            if due > host.now() {
                self.next = Some((due, request));
                return Then::Until(due);
            }
            self.ends.one(host);
            self.source.asked(host);
            host.ask(Ask::new(self.asks.volume, self.asks.stream, request).since(due));
            if self.ends.unserved.is_some_and(|most| u64::from(host.under_way()) >= most) {
                host.end();
            }
        }
    }
}

/// Requests of a stream before its rate is judged.
const LEAST_JUDGED: u64 = 200;

/// Ends the simulation as soon as the intervals of all rates are narrow; looks a hundred times within each tenfold of time.
fn judge(streams: Vec<StreamId>, pct: f64) -> impl Process {
    move |host: &mut Host| {
        let narrow = |stream: &StreamId| {
            let rate = host.rate_so_far(*stream);
            // A handful of requests may lie evenly by chance.
            host.recorded(*stream) >= LEAST_JUDGED
                && rate.is_some_and(|(rate, (low, high))| high - low <= rate * pct / 100.0)
        };
        if streams.iter().all(narrow) {
            host.end();
            return Then::Ended;
        }
        let next = Picoseconds(host.now().0 / 40).max(Picoseconds::from_us(10_000.0));
        Then::Until(host.now() + next)
    }
}
