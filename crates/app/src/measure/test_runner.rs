//! A runner on models of devices: figures that are known, and no time passes.

#![allow(clippy::unwrap_used)]

use super::supervise::{Ran, Runner};
use spindle_io_simulate::{Device, LatencyCap, LatencyCapSpec, Picoseconds};
use spindle_workload::{
    Arrivals, DeviceFacts, Environment, Job, LatencyFrom, LimitedBy, Recorder, RunResult, StreamResult,
};

/// Devices of one latency and caps.
pub(super) struct Model {
    spec: LatencyCapSpec,
    bytes: Vec<u64>,
    runs: usize,
    /// The run after which it is stopped.
    pub(super) cut_after: Option<usize>,
}

impl Model {
    pub(super) fn new(latency_us: f64, iops: Option<f64>, mbps: Option<f64>, targets: usize) -> Self {
        let latency = Picoseconds::from_us(latency_us);
        let spec = LatencyCapSpec { latency, iops, bytes_per_s: mbps.map(|m| m * 1e6) };
        Self { spec, bytes: vec![1 << 30; targets], runs: 0, cut_after: None }
    }
}

impl Runner for Model {
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        assert_eq!(job.objection(), None);
        self.runs += 1;
        let warm = job.warm_up_s.unwrap_or(0.0);
        let end_s = warm + job.end.seconds.unwrap_or(1e6);
        let mut streams = Vec::new();
        for target in 0..self.bytes.len() {
            let mut device = LatencyCap::new(&self.spec).unwrap();
            let mut requests: Vec<_> = job
                .streams
                .iter()
                .enumerate()
                .map(|(n, s)| s.requests((target * 8 + n) as u64, job.seed, self.bytes[target]).unwrap())
                .collect();
            let mut recorders: Vec<Recorder> = job.streams.iter().map(|_| Recorder::new()).collect();
            let mut left: Vec<u64> = job.streams.iter().map(|_| job.end.ios.unwrap_or(u64::MAX)).collect();
            // By tag: stream, when it was submitted, bytes.
            let mut under_way: Vec<(usize, Picoseconds, u32)> = Vec::new();
            let mut last = vec![0.0_f64; job.streams.len()];
            let mut submit = |device: &mut LatencyCap, now, of: usize, all: &mut Vec<_>| {
                if left[of] > 0 {
                    left[of] -= 1;
                    let request = requests[of].draw();
                    device.submit(now, all.len() as u64, request);
                    all.push((of, now, request.bytes));
                }
            };
            for (n, stream) in job.streams.iter().enumerate() {
                let Arrivals::Closed { depth, .. } = stream.arrivals else { panic!("closed loops only") };
                for _ in 0..depth {
                    submit(&mut device, Picoseconds::ZERO, n, &mut under_way);
                }
            }
            let mut done = Vec::new();
            while let Some(now) = device.next_event().filter(|t| t.as_s() < end_s) {
                device.advance(now, &mut done);
                for one in done.drain(..) {
                    let (of, since, bytes) = under_way[usize::try_from(one.tag).unwrap()];
                    if one.at.as_s() >= warm {
                        let at_ns = (one.at.as_s() - warm) * 1e9;
                        let took_ns = (one.at - since).as_us() * 1e3;
                        recorders[of].record(at_ns as u64, took_ns as u64, bytes);
                        last[of] = at_ns;
                    }
                    submit(&mut device, one.at, of, &mut under_way);
                }
            }
            for ((stream, recorder), last) in job.streams.iter().zip(recorders).zip(last) {
                let elapsed_ns = job.end.seconds.map_or(last, |s| s * 1e9);
                let recorded = recorder.finish(elapsed_ns as u64);
                let name = format!("{}, disk{target}", stream.name);
                streams.push(StreamResult::of(&name, "read", LatencyFrom::Submit, &recorded, Vec::new()));
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
        };
        let cut = (self.cut_after == Some(self.runs)).then(|| "it was stopped".to_owned());
        Ok(Ran { result, cut })
    }

    fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}
