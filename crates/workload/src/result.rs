//! What a run found: one type for measured and simulated devices, and for results that others' tools wrote.

use crate::course::Course;
use crate::hosts::HostsFound;
use crate::interval::CONFIDENCE_PCT;
use crate::job::Job;
use crate::record::Recorded;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run of a job.
///
/// Shape: one a run, with a row a stream. Unit: in the names. Missing: `None` where not known, as in
/// results of other tools. Source: a measurement, a simulation, or a file of fio, Orion and others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// What was asked for; `None` where another tool's file does not say it all.
    pub job: Option<Job>,
    /// Where it ran.
    pub environment: Environment,
    /// What each stream did.
    pub streams: Vec<StreamResult>,
    /// What set the figures.
    pub limited_by: LimitedBy,
    /// What the reader must know.
    pub warnings: Vec<String>,
    /// Where several hosts ran it at one instant: what each of them did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Box<HostsFound>>,
    /// Why it ended before it was done, in words that go on from "it ended early: "; `None` where it was done, or where
    /// who watched it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<String>,
}

/// What set the figures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum LimitedBy {
    Device,
    Cpu,
    Tool,
    #[default]
    Unknown,
}

/// Where a run took place: what is needed to hold it against another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Program and release.
    pub program: Option<String>,
    /// Host.
    pub host: Option<String>,
    /// Kernel and its release.
    pub kernel: Option<String>,
    /// CPUs that the program could use.
    pub cpus: Option<u32>,
    /// Devices or files.
    pub devices: Vec<DeviceFacts>,
    /// How requests were made: `io_uring`, `sync`, `simulated`.
    pub engine: Option<String>,
}

/// Share of the requests of a run that may fail: where more do, what the others took is no figure of the load that was
/// asked for. Ours.
const FEW_FAILED: f64 = 0.001;

impl RunResult {
    /// Requests that failed, and those that were answered well; commits and waits are none.
    #[must_use]
    pub fn failed(&self) -> (u64, u64) {
        let requests = self.streams.iter().filter(|s| ![COMMIT, WAIT].contains(&s.operation.as_str()));
        requests.fold((0, 0), |(failed, done), s| (failed + s.failed(), done + s.ios.unwrap_or(0)))
    }

    /// Did more than a few requests fail?
    #[must_use]
    pub fn is_spoiled(&self) -> bool {
        let (failed, done) = self.failed();
        failed as f64 > FEW_FAILED * (failed + done) as f64
    }
}

/// A device or file as the run found it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceFacts {
    /// Name as given.
    pub path: String,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Model as the device says.
    pub model: Option<String>,
    /// I/O scheduler.
    pub scheduler: Option<String>,
    /// Read-ahead, bytes.
    pub read_ahead_bytes: Option<u64>,
    /// Does it turn, as far as the kernel knows?
    pub rotational: Option<bool>,
    /// Past the page cache (`O_DIRECT`)?
    pub direct: Option<bool>,
    /// In a file system, rather than a device?
    #[serde(default)]
    pub is_file: Option<bool>,
}

/// From when latency counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyFrom {
    /// Submission.
    Submit,
    /// The time at which an open stream meant to submit.
    Intended,
    /// The end of the submission: the time that handing over takes is left out, as in fio's clat.
    Submitted,
    /// The entry into the kernel's queue of the device, as iostat and sar have it.
    Queue,
    /// Where the tool does not say it.
    Unknown,
}

/// Operation of the commits of a log, which are no requests of their own: the writes are.
pub const COMMIT: &str = "commit";

impl LatencyFrom {
    /// As the documents have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Intended => "intended",
            Self::Submitted => "submitted",
            Self::Queue => "queue",
            Self::Unknown => "unknown",
        }
    }
}

/// Operation of waits and statements that are no requests of their own either.
pub const WAIT: &str = "wait";

/// What a stream did.
///
/// Shape: one a stream and operation. Unit: in the names. Missing: `None` where not known. Source: what was
/// recorded here, or what a file of another tool prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct StreamResult {
    pub name: String,
    /// `read`, `write` or `mix`; [`COMMIT`] of those that wait for the writes of a log, [`WAIT`] of other waits; of
    /// other tools also `trim`, `sync` and `unknown`.
    pub operation: String,
    /// Requests done; `None` where a file of another tool does not say, as with the two below.
    pub ios: Option<u64>,
    pub bytes: Option<u64>,
    pub elapsed_s: Option<f64>,
    pub iops: Option<f64>,
    /// 10^6 bytes a second.
    pub mbps: Option<f64>,
    pub latency_from: LatencyFrom,
    pub latency_us: LatencyUs,
    /// From when the percentiles count, where not from the same time as mean and maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentiles_from: Option<LatencyFrom>,
    pub interval: Option<RateInterval>,
    /// Latencies in nanoseconds, `HdrHistogram` V2 in base64.
    pub histogram: Option<String>,
    /// Requests that failed: each reason once, with how often.
    pub errors: Vec<String>,
    /// Requests that had arrived by the end of an open stream and were not answered: what the device did
    /// not keep up with. `None` of closed streams, and where not known.
    #[serde(default)]
    pub unserved: Option<u64>,
    /// How the rate went over the time of the run.
    #[serde(default)]
    pub course: Option<Course>,
    /// Of a mix: its reads and its writes, each with a histogram of its own, all of them counted above as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<StreamResult>,
}

/// A stream of which so many requests failed ends.
pub const MOST_FAILED: u64 = 1_000;

/// Requests that a healthy open stream leaves under way at its end: this share of what arrived,
const LEFT_SHARE: f64 = 0.02;
/// those that arrive in so many times the least latency,
const LEFT_LATENCIES: f64 = 3.0;
/// and so many by chance.
const LEFT_BY_CHANCE: f64 = 4.0;

/// Latency of a stream, microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LatencyUs {
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p90: Option<f64>,
    pub p99: Option<f64>,
    pub p999: Option<f64>,
    pub max: Option<f64>,
    /// Least and most by the name of the percentile, or `mean`, where the run was long enough.
    pub intervals: BTreeMap<String, (f64, f64)>,
    /// Percentiles beside those above that another tool prints, by their number: `95`, `99.95`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_percentiles: BTreeMap<String, f64>,
}

/// How sure a rate is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RateInterval {
    pub iops_low: f64,
    pub iops_high: f64,
    pub confidence_pct: f64,
}

/// Percentiles of a result, with their names.
const PERCENTILES: [(&str, f64); 4] = [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("p999", 99.9)];

/// Why two results cannot be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotMerge(pub String);

impl std::fmt::Display for CannotMerge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotMerge {}

impl LatencyUs {
    fn of(histogram: &Histogram<u64>, mean_ns: Option<f64>) -> Self {
        let at = |pct: f64| (!histogram.is_empty()).then(|| histogram.value_at_percentile(pct) as f64 / 1e3);
        Self {
            mean: mean_ns.map(|ns| ns / 1e3),
            p50: at(50.0),
            p90: at(90.0),
            p99: at(99.0),
            p999: at(99.9),
            max: at(100.0),
            intervals: BTreeMap::new(),
            other_percentiles: BTreeMap::new(),
        }
    }
}

impl StreamResult {
    /// The result of what was recorded.
    #[must_use]
    pub fn of(
        name: &str,
        operation: &str,
        from: LatencyFrom,
        recorded: &Recorded,
        errors: Vec<String>,
    ) -> Self {
        let elapsed_s = recorded.elapsed_ns as f64 / 1e9;
        let mut latency_us = LatencyUs::of(&recorded.latencies, recorded.mean_ns());
        for (name, pct) in PERCENTILES {
            if let Some((low, high)) = recorded.percentile_interval_ns(pct) {
                latency_us.intervals.insert(name.to_owned(), (low / 1e3, high / 1e3));
            }
        }
        if let Some((low, high)) = recorded.mean_interval_ns() {
            latency_us.intervals.insert("mean".to_owned(), (low / 1e3, high / 1e3));
        }
        Self {
            name: name.to_owned(),
            operation: operation.to_owned(),
            ios: Some(recorded.ios),
            bytes: Some(recorded.bytes),
            elapsed_s: Some(elapsed_s),
            iops: recorded.iops(),
            mbps: (elapsed_s > 0.0).then(|| recorded.bytes as f64 / 1e6 / elapsed_s),
            latency_from: from,
            latency_us,
            percentiles_from: None,
            interval: recorded.iops_interval().map(|(iops_low, iops_high)| RateInterval {
                iops_low,
                iops_high,
                confidence_pct: CONFIDENCE_PCT,
            }),
            histogram: encoded(&recorded.latencies),
            errors,
            unserved: None,
            course: recorded.course(),
            parts: recorded.reads_and_writes().map_or_else(Vec::new, |(reads, writes)| {
                let part = |name, operation, of| Self {
                    course: None,
                    ..Self::of(name, operation, from, of, Vec::new())
                };
                vec![part("reads", "read", &reads), part("writes", "write", &writes)]
            }),
        }
    }

    /// A line of `errors`.
    #[must_use]
    pub fn error(why: &str, times: u64) -> String {
        format!("{times} times: {why}")
    }

    /// Requests that failed, as far as `errors` says how often.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.errors.iter().filter_map(|line| line.split_once(" times: ")?.0.parse::<u64>().ok()).sum()
    }

    /// Requests left unanswered at the end of an open stream that say that the device did not keep up. Some are under
    /// way at any instant of a healthy one: by Little's law what arrives in a latency. The least latency stands for
    /// that of a device without a queue.
    #[must_use]
    pub fn piled_up(&self) -> Option<u64> {
        let unserved = self.unserved?;
        let arrived = self.ios? as f64 + unserved as f64;
        let rate = arrived / self.elapsed_s.filter(|s| *s > 0.0)?;
        let least_us =
            self.latencies().filter(|all| !all.is_empty()).map_or(0.0, |all| all.min() as f64 / 1e3);
        let explained = LEFT_SHARE * arrived + LEFT_LATENCIES * rate * least_us / 1e6 + LEFT_BY_CHANCE;
        (unserved as f64 > explained).then_some(unserved)
    }

    /// The same stream run at the same time elsewhere, added: rates and counts add up, histograms are put
    /// together, and the intervals of rates are those of independent runs.
    ///
    /// # Errors
    /// Where they are not of one kind, or one of them has no histogram.
    pub fn merged(&self, other: &Self) -> Result<Self, CannotMerge> {
        if (&self.operation, self.latency_from, self.percentiles_from)
            != (&other.operation, other.latency_from, other.percentiles_from)
        {
            return Err(CannotMerge(format!(
                "`{}` and `{}` are not of one kind: operations, or from when latency counts, differ",
                self.name, other.name
            )));
        }
        let lacks = |r: &Self| CannotMerge(format!("the result of `{}` has no histogram to add", r.name));
        let mut all = self.latencies().ok_or_else(|| lacks(self))?;
        all.add(other.latencies().ok_or_else(|| lacks(other))?).map_err(|error| {
            CannotMerge(format!("the histograms of `{}` do not add up: {error}", self.name))
        })?;
        let (Some(own), Some(others)) = (self.ios, other.ios) else {
            return Err(CannotMerge(format!(
                "how many requests `{}` made is not known on both sides",
                self.name
            )));
        };
        let ios = own + others;
        let both = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        let weighted = |a: f64, b: f64| (a * own as f64 + b * others as f64) / ios as f64;
        let mean_us = match (self.latency_us.mean, other.latency_us.mean) {
            (Some(a), Some(b)) if ios > 0 => Some(weighted(a, b)),
            (Some(one), None) | (None, Some(one)) => Some(one),
            _ => None,
        };
        let iops = both(self.iops, other.iops);
        let interval = self.interval.zip(other.interval).zip(iops).map(|((a, b), iops)| {
            let half = |i: RateInterval| (i.iops_high - i.iops_low) / 2.0;
            let half = half(a).hypot(half(b));
            RateInterval {
                iops_low: (iops - half).max(0.0),
                iops_high: iops + half,
                confidence_pct: a.confidence_pct.min(b.confidence_pct),
            }
        });
        Ok(Self {
            name: self.name.clone(),
            operation: self.operation.clone(),
            ios: Some(ios),
            bytes: self.bytes.zip(other.bytes).map(|(a, b)| a + b),
            elapsed_s: self.elapsed_s.zip(other.elapsed_s).map(|(a, b)| a.max(b)),
            iops,
            mbps: both(self.mbps, other.mbps),
            latency_from: self.latency_from,
            latency_us: LatencyUs::of(&all, mean_us.map(|us| us * 1e3)),
            percentiles_from: self.percentiles_from,
            interval,
            histogram: encoded(&all),
            errors: self.errors.iter().chain(&other.errors).cloned().collect(),
            unserved: match (self.unserved, other.unserved) {
                (Some(a), Some(b)) => Some(a + b),
                _ => None,
            },
            // Their clocks are not one.
            course: None,
            parts: if self.parts.len() == other.parts.len() {
                let both = self.parts.iter().zip(&other.parts);
                both.map(|(a, b)| a.merged(b)).collect::<Result<_, _>>().unwrap_or_default()
            } else {
                Vec::new()
            },
        })
    }

    /// Standard deviation of the latencies, microseconds; `None` without a histogram, and where it counts from another
    /// time than the mean.
    #[must_use]
    pub fn deviation_us(&self) -> Option<f64> {
        let alike = self.percentiles_from.is_none_or(|from| from == self.latency_from);
        let all = self.latencies().filter(|all| alike && all.len() > 1)?;
        Some(all.stdev() / 1e3)
    }

    /// The histogram, where there is one that can be read.
    #[must_use]
    pub fn latencies(&self) -> Option<Histogram<u64>> {
        let bytes = STANDARD.decode(self.histogram.as_deref()?).ok()?;
        let mut histogram: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).ok()?;
        histogram.auto(true);
        Some(histogram)
    }
}

/// A histogram of latencies, nanoseconds with how many took that long, as a result holds it; `None` where it
/// cannot be one.
#[must_use]
pub fn histogram_of(latencies: &[(u64, u64)]) -> Option<String> {
    let mut histogram = Histogram::<u64>::new(3).ok()?;
    for (ns, count) in latencies {
        // Eleven days: no request takes longer.
        if *ns > 1_000_000_000_000_000 {
            return None;
        }
        histogram.record_n(*ns, *count).ok()?;
    }
    encoded(&histogram)
}

fn encoded(histogram: &Histogram<u64>) -> Option<String> {
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(histogram, &mut bytes).ok()?;
    Some(STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    use super::*;
    use crate::{Recorder, Seeded};

    fn run(seed: u64, mean_ns: f64) -> StreamResult {
        let mut random = Seeded::new(seed, 0);
        let mut recorder = Recorder::new();
        let mut at = 0.0;
        for _ in 0..20_000 {
            let latency = random.exponential(mean_ns);
            at += latency;
            recorder.record(at as u64, latency as u64, 8_192);
        }
        StreamResult::of("reads", "read", LatencyFrom::Submit, &recorder.finish(at as u64), Vec::new())
    }

    #[test]
    fn a_result_is_written_and_read_again() {
        let result = RunResult {
            job: None,
            environment: Environment::default(),
            streams: vec![run(1, 1e6)],
            limited_by: LimitedBy::Device,
            warnings: vec!["a warning".into()],
            hosts: None,
            ended_early: None,
        };
        let text = serde_json::to_string(&result).unwrap();
        let again: RunResult = serde_json::from_str(&text).unwrap();
        let (stream, first) = (&again.streams[0], &result.streams[0]);
        assert_eq!((again.limited_by, &again.warnings), (result.limited_by, &result.warnings));
        assert!(stream.histogram == first.histogram && stream.ios == first.ios);
        assert!((stream.iops.unwrap() - first.iops.unwrap()).abs() < 1e-9);
        assert_eq!(stream.latencies().unwrap().len(), 20_000);
        assert!(stream.interval.is_some() && stream.latency_us.intervals.contains_key("p99"));
        assert!((stream.mbps.unwrap() - stream.iops.unwrap() * 0.008_192).abs() < 1e-9);
    }

    #[test]
    fn results_of_two_hosts_add_up() {
        let (a, b) = (run(1, 1e6), run(2, 3e6));
        let both = a.merged(&b).unwrap();
        assert_eq!(both.ios, Some(40_000));
        assert!((both.iops.unwrap() - a.iops.unwrap() - b.iops.unwrap()).abs() < 1e-9);
        let mean = f64::midpoint(a.latency_us.mean.unwrap(), b.latency_us.mean.unwrap());
        assert!((both.latency_us.mean.unwrap() - mean).abs() < 1e-6);
        assert_eq!(both.latency_us.max, Some(b.latency_us.max.unwrap().max(a.latency_us.max.unwrap())));
        let width = |r: &StreamResult| r.interval.unwrap().iops_high - r.interval.unwrap().iops_low;
        assert!(width(&both) >= width(&a) && width(&both) < width(&a) + width(&b));
        assert_eq!(both.latency_us.p99, b.merged(&a).unwrap().latency_us.p99);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let (a, b) = (run(1, 1e6), run(2, 1e6));
        assert!(a.merged(&StreamResult { operation: "write".into(), ..b.clone() }).is_err());
        let other = StreamResult { latency_from: LatencyFrom::Intended, ..b.clone() };
        assert!(a.merged(&other).is_err());
        let none = StreamResult { histogram: Some("nonsense".into()), ..b };
        assert!(a.merged(&none).unwrap_err().to_string().contains("no histogram"));
    }
}
