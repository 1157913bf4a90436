//! A runner on models of devices: figures that are known, and no time passes.

#![allow(clippy::unwrap_used)]

use super::messages::PutBack;
use super::supervise::{Ran, Runner};
use spindle_io_simulate::{Device, LatencyCap, LatencyCapSpec, Operation, Picoseconds, Request};
use spindle_workload::{
    Arrivals, COMMIT, Committers, DeviceFacts, Due, Environment, Job, LatencyFrom, LimitedBy, Recorder,
    Requests, RunResult, Scan, Slob, StreamResult,
};
use std::path::Path;

/// Makes the device of a run.
type Make = Box<dyn Fn() -> Box<dyn Device>>;

/// Devices of one model.
pub(super) struct Model {
    make: Make,
    bytes: Vec<u64>,
    runs: usize,
    /// The run after which it is stopped.
    pub(super) cut_after: Option<usize>,
    /// From this run on as many requests fail as are answered.
    pub(super) failing_from: Option<usize>,
    /// These runs are on another device.
    pub(super) slow: Vec<(usize, Model)>,
}

/// What a stream has come to on a device.
struct Flow {
    requests: Requests,
    committers: Option<Committers>,
    recorder: Recorder,
    commits: Recorder,
    left: u64,
    last_ns: f64,
    /// Intended starts of an open stream, and the next of them.
    due: Option<(Due, Picoseconds)>,
    arrived: u64,
    answered: u64,
}

impl Flow {
    /// The next arrival goes to the device, which it waits for from then on.
    fn arrive(&mut self, under: &mut Under, of: usize) {
        let Some((due, next)) = &mut self.due else { return };
        let now = std::mem::replace(next, Picoseconds::from_us(due.draw_ns() / 1e3));
        self.arrived += 1;
        under.submit(now, of, self);
    }
}

/// A device and what is under way on it.
struct Under {
    device: Box<dyn Device>,
    /// By tag: stream, when it was submitted, bytes.
    way: Vec<(usize, Picoseconds, u32)>,
}

impl Under {
    fn submit(&mut self, now: Picoseconds, of: usize, flow: &mut Flow) {
        if flow.left == 0 {
            return;
        }
        let request = match &mut flow.committers {
            None => flow.requests.draw(),
            // Committers without pauses: a write follows the other.
            Some(committers) => {
                let group = committers.begin(now.0 / 1_000, || flow.requests.draw_bytes()).unwrap();
                let bytes = group.bytes.next_multiple_of(512);
                Request { operation: Operation::Write, offset: 0, bytes }
            }
        };
        flow.left -= 1;
        self.device.submit(now, self.way.len() as u64, request);
        self.way.push((of, now, request.bytes));
    }
}

impl Model {
    pub(super) fn new(latency_us: f64, iops: Option<f64>, mbps: Option<f64>, targets: usize) -> Self {
        let latency = Picoseconds::from_us(latency_us);
        let spec = LatencyCapSpec { latency, iops, bytes_per_s: mbps.map(|m| m * 1e6) };
        Self::of(move || Box::new(LatencyCap::new(&spec).unwrap()), vec![1 << 30; targets])
    }

    /// Devices of these sizes, new for each run.
    pub(super) fn of(make: impl Fn() -> Box<dyn Device> + 'static, bytes: Vec<u64>) -> Self {
        Self { make: Box::new(make), bytes, runs: 0, cut_after: None, failing_from: None, slow: Vec::new() }
    }
}

impl Runner for Model {
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        assert_eq!(job.objection(), None);
        self.runs += 1;
        let runs = self.runs;
        if let Some((_, other)) = self.slow.iter_mut().find(|(run, _)| *run == runs) {
            return other.run(job);
        }
        let warm = job.warm_up_s.unwrap_or(0.0);
        let end_s = warm + job.end.seconds.unwrap_or(1e6);
        let mut streams = Vec::new();
        for (target, bytes) in self.bytes.iter().enumerate() {
            let flow = |(n, s): (usize, &spindle_workload::Stream)| {
                let number = (target * 8 + n) as u64;
                Flow {
                    requests: s.requests(number, job.seed, *bytes).unwrap(),
                    committers: s.committers(number, job.seed),
                    recorder: Recorder::new(),
                    commits: Recorder::new(),
                    left: job.end.ios.unwrap_or(u64::MAX),
                    last_ns: 0.0,
                    due: s.due(number, job.seed).map(|mut due| {
                        let first = Picoseconds::from_us(due.draw_ns() / 1e3);
                        (due, first)
                    }),
                    arrived: 0,
                    answered: 0,
                }
            };
            let mut flows: Vec<Flow> = job.streams.iter().enumerate().map(flow).collect();
            let mut under = Under { device: (self.make)(), way: Vec::new() };
            for (n, stream) in job.streams.iter().enumerate() {
                let depth = match stream.arrivals {
                    Arrivals::Closed { depth, .. } => depth,
                    Arrivals::Commits { think_us: 0.0, .. } => 1,
                    Arrivals::Open { .. } => 0,
                    _ => panic!("closed loops and logs without pauses only"),
                };
                for _ in 0..depth {
                    under.submit(Picoseconds::ZERO, n, &mut flows[n]);
                }
            }
            let mut done = Vec::new();
            let mut ended_s = end_s;
            loop {
                let next = flows.iter().enumerate();
                let next = next.filter_map(|(n, f)| Some((f.due.as_ref()?.1, n))).min();
                let event = under.device.next_event();
                if let Some((at, n)) =
                    next.filter(|(at, _)| event.is_none_or(|e| *at < e) && at.as_s() < end_s)
                {
                    flows[n].arrive(&mut under, n);
                    let behind = flows[n].arrived - flows[n].answered;
                    if at.as_s() >= warm && job.end.unserved.is_some_and(|most| behind >= most) {
                        ended_s = at.as_s();
                        break;
                    }
                    continue;
                }
                let Some(now) = event.filter(|t| t.as_s() < end_s) else { break };
                under.device.advance(now, &mut done);
                for one in done.drain(..) {
                    let (of, since, bytes) = under.way[usize::try_from(one.tag).unwrap()];
                    let flow = &mut flows[of];
                    flow.answered += 1;
                    let counts = one.at.as_s() >= warm;
                    let at_ns = (one.at.as_s() - warm).max(0.0) * 1e9;
                    if counts {
                        flow.recorder.record(at_ns as u64, ((one.at - since).as_us() * 1e3) as u64, bytes);
                        flow.last_ns = at_ns;
                    }
                    if let Some(committers) = &mut flow.committers {
                        let (requests, commits) = (&mut flow.requests, &mut flow.commits);
                        let end_ns = one.at.0 / 1_000;
                        committers.end(
                            end_ns,
                            || requests.draw_bytes(),
                            |asked, redo| {
                                if counts {
                                    commits.record(at_ns as u64, end_ns - asked, redo);
                                }
                            },
                        );
                    }
                    if flow.due.is_none() {
                        under.submit(one.at, of, flow);
                    }
                }
            }
            for (stream, flow) in job.streams.iter().zip(flows) {
                let elapsed_ns = job.end.seconds.map_or(flow.last_ns, |_| (ended_s - warm) * 1e9) as u64;
                let name = if self.bytes.len() > 1 {
                    format!("{}, disk{target}", stream.name)
                } else {
                    stream.name.clone()
                };
                let result = |name: &str, operation: &str, recorder: Recorder| {
                    let recorded = recorder.finish(elapsed_ns);
                    StreamResult::of(name, operation, LatencyFrom::Submit, &recorded, Vec::new())
                };
                let operation = if stream.read_pct >= 100.0 { "read" } else { "write" };
                let mut stream = result(&name, operation, flow.recorder);
                if self.failing_from.is_some_and(|from| self.runs >= from) {
                    stream.errors.push(StreamResult::error("no space left", stream.ios.unwrap_or(0)));
                }
                stream.unserved = flow.due.is_some().then(|| flow.arrived - flow.answered);
                streams.push(stream);
                if flow.committers.is_some() {
                    streams.push(result(&format!("{name}, commits"), COMMIT, flow.commits));
                }
            }
        }
        let devices = (0..self.bytes.len())
            .map(|n| DeviceFacts { path: format!("disk{n}"), ..DeviceFacts::default() })
            .collect();
        let result = RunResult {
            job: Some(job.clone()),
            environment: Environment { devices, ..Environment::default() },
            streams,
            limited_by: LimitedBy::Device,
            warnings: Vec::new(),
            hosts: None,
            ended_early: None,
        };
        let cut = (self.cut_after == Some(self.runs)).then(|| "it was stopped".to_owned());
        Ok(Ran { result, cut })
    }

    fn slob(&mut self, _: &Slob) -> Result<Ran, String> {
        Err("a model runs no sessions".to_owned())
    }

    fn scan(&mut self, _: &Scan) -> Result<Ran, String> {
        Err("a model has no slaves".to_owned())
    }

    fn schedulers(&mut self) -> Result<Vec<String>, String> {
        Err("a model has no scheduler".to_owned())
    }

    fn set(&mut self, _: &Path, _: Option<&str>, _: Option<u64>) -> Result<(), String> {
        Err("a model has no settings".to_owned())
    }

    fn put_back(&mut self) -> Result<PutBack, String> {
        Err("a model has no settings".to_owned())
    }

    fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}
