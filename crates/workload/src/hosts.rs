//! The same job on several hosts at one instant: what each of them did, what all did together, and who is slow.

use crate::course::Course;
use crate::interval::{CONFIDENCE_PCT, batches_as_one, half_width};
use crate::result::{
    COMMIT, CannotMerge, Environment, LatencyFrom, LimitedBy, RateInterval, RunResult, StreamResult, WAIT,
};
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Runs that differ in length by no more than this share ran alike long.
const ALIKE: f64 = 0.01;
/// A host is slow where it surely does less than this share of what the others do in the middle.
const SLOW: f64 = 0.95;

/// How hosts ran one job at one instant.
///
/// Shape: one a run on hosts. Unit: in the names. Missing: `None` where fewer than two hosts ran to the end.
/// Source: clocks of the hosts, compared over the connection to each; their own results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostsFound {
    /// All that were named, in their order.
    pub each: Vec<HostRun>,
    /// No two of those that count began further apart than this.
    pub began_within_us: Option<f64>,
    /// How long all of those that count were measured at the same time, at least.
    pub common_s: Option<f64>,
    /// What the spread and the slow hosts go by.
    pub judged_by: Option<JudgedBy>,
    /// From least to most of the hosts, percent of their mean.
    pub spread_pct: Option<f64>,
    /// Hosts that are slower than the others, and not by chance.
    pub slow: Vec<SlowHost>,
}

/// A figure by which hosts are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// Requests a second: as many as the host did.
    Iops,
    /// Mean latency, where requests come at a rate that was asked for.
    MeanUs,
}

/// A host that is slower than the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlowHost {
    /// Its name.
    pub host: String,
    /// What it was judged by.
    pub own: f64,
    /// The same of the others, in the middle.
    pub others: f64,
}

/// What one host did.
///
/// Unit: in the names. Missing: all figures of a host from which nothing came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRun {
    /// As it was named.
    pub host: String,
    /// Why it is not in the figures of all; `None` where it is.
    pub missing: Option<String>,
    /// Least round trip to it: its clock is known to half of that.
    pub round_trip_us: Option<f64>,
    /// How much later than the instant it began, by its own clock.
    pub late_us: Option<f64>,
    /// When it began, from the instant on: earliest and latest that it may have been.
    pub began_us: Option<(f64, f64)>,
    /// All of its streams.
    pub iops: Option<f64>,
    /// Least and most of it.
    pub iops_interval: Option<(f64, f64)>,
    /// 10^6 bytes a second.
    pub mbps: Option<f64>,
    /// Mean latency of all requests.
    pub mean_us: Option<f64>,
    /// 99 of 100 requests took no longer.
    pub p99_us: Option<f64>,
    /// Its own result; of one that is missing what it did until then, where that is known.
    pub result: Option<RunResult>,
}

/// Streams of requests, rather than of those that wait for them.
fn requests(result: &RunResult) -> impl Iterator<Item = &StreamResult> {
    result.streams.iter().filter(|s| ![COMMIT, WAIT].contains(&s.operation.as_str()))
}

impl HostRun {
    /// A host from which nothing came, and why.
    #[must_use]
    pub fn missing(host: &str, why: String) -> Self {
        Self { host: host.to_owned(), missing: Some(why), ..Self::default() }
    }

    /// A host with its result; the figures follow.
    #[must_use]
    pub fn of(host: &str, result: RunResult) -> Self {
        let sum = |of: fn(&StreamResult) -> Option<f64>| requests(&result).map(of).sum::<Option<f64>>();
        let iops = sum(|s| s.iops);
        let square = |s: &StreamResult| s.interval.map(|i| ((i.iops_high - i.iops_low) / 2.0).powi(2));
        let half = requests(&result).map(square).sum::<Option<f64>>().map(f64::sqrt);
        let timed = |s: &StreamResult| match s.ios? {
            0 => Some((0.0, 0.0)),
            ios => Some((s.latency_us.mean? * ios as f64, ios as f64)),
        };
        let (us, ios) = requests(&result)
            .map(timed)
            .try_fold((0.0, 0.0), |sum, one| one.map(|(us, ios)| (sum.0 + us, sum.1 + ios)))
            .unwrap_or_default();
        let histograms = requests(&result).filter(|s| s.ios != Some(0)).map(StreamResult::latencies);
        let all = histograms.reduce(|a, b| {
            let (mut a, b) = a.zip(b)?;
            a.add(b).ok().map(|()| a)
        });
        let p99 = |h: Histogram<u64>| (!h.is_empty()).then(|| h.value_at_percentile(99.0) as f64 / 1e3);
        Self {
            host: host.to_owned(),
            iops,
            iops_interval: iops.zip(half).map(|(iops, half)| ((iops - half).max(0.0), iops + half)),
            mbps: sum(|s| s.mbps),
            mean_us: (ios > 0.0).then(|| us / ios),
            p99_us: all.flatten().and_then(p99),
            result: Some(result),
            ..Self::default()
        }
    }

    /// Is it in the figures of all?
    #[must_use]
    pub fn counts(&self) -> bool {
        self.missing.is_none() && self.result.is_some()
    }
}

/// The result of all hosts that count, with what each did.
///
/// # Errors
/// Where none counts, or their streams do not belong together.
pub fn together(each: Vec<HostRun>) -> Result<RunResult, CannotMerge> {
    let counted: Vec<&HostRun> = each.iter().filter(|h| h.counts()).collect();
    let results: Vec<&RunResult> = counted.iter().filter_map(|h| h.result.as_ref()).collect();
    let Some(first) = results.first() else {
        let whys =
            each.iter().map(|h| format!("`{}`: {}", h.host, h.missing.as_deref().unwrap_or("nothing came")));
        return Err(CannotMerge(whys.collect::<Vec<_>>().join("; ")));
    };
    if let Some(other) = results.iter().position(|r| r.streams.len() != first.streams.len()) {
        return Err(CannotMerge(format!(
            "`{}` and `{}` ran different numbers of streams",
            counted[0].host, counted[other].host
        )));
    }
    let begins: Option<Vec<(f64, f64)>> = counted.iter().map(|h| h.began_us).collect();
    let apart_us = begins.filter(|_| counted.len() > 1).map(|all| {
        let least = all.iter().map(|b| b.0).fold(f64::INFINITY, f64::min);
        let most = all.iter().map(|b| b.1).fold(f64::NEG_INFINITY, f64::max);
        (most - least).max(0.0)
    });
    let mut warnings = Vec::new();
    let mut streams = Vec::new();
    let mut shortest: Option<f64> = None;
    for n in 0..first.streams.len() {
        let parts: Vec<&StreamResult> = results.iter().map(|r| &r.streams[n]).collect();
        let (stream, common_s) = one_stream(&parts, &mut warnings)?;
        shortest = match (shortest, common_s) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        streams.push(stream);
    }
    for host in &each {
        match (&host.missing, &host.result) {
            (Some(why), _) => warnings.push(format!(
                "host `{}` is missing: {why}. The figures of all are those of {} of {} hosts; where storage is shared, \
                 its load until then may still have slowed the others",
                host.host,
                counted.len(),
                each.len()
            )),
            (None, Some(result)) => {
                warnings.extend(result.warnings.iter().map(|w| format!("on `{}`: {w}", host.host)));
            }
            (None, None) => {}
        }
    }
    let limited = |by: LimitedBy| results.iter().any(|r| r.limited_by == by);
    let limited_by =
        [LimitedBy::Cpu, LimitedBy::Tool, LimitedBy::Unknown].into_iter().find(|by| limited(*by));
    let (judged_by, spread_pct, slow) = judged(&counted);
    let common_s = shortest.zip(apart_us).map(|(s, us)| (s - us / 1e6).max(0.0));
    let environment = environment(&counted);
    let job = first.job.clone();
    let ended_early = counted.iter().find_map(|h| {
        let why = h.result.as_ref()?.ended_early.as_ref()?;
        Some(format!("on `{}` {why}", h.host))
    });
    let hosts = HostsFound { began_within_us: apart_us, common_s, judged_by, spread_pct, slow, each };
    Ok(RunResult {
        job,
        environment,
        streams,
        limited_by: limited_by.unwrap_or(LimitedBy::Device),
        warnings,
        hosts: Some(Box::new(hosts)),
        ended_early,
    })
}

/// A stream over all hosts, and how long all of them ran it.
fn one_stream(
    parts: &[&StreamResult],
    warnings: &mut Vec<String>,
) -> Result<(StreamResult, Option<f64>), CannotMerge> {
    let mut parts_left = parts.iter();
    let Some(first) = parts_left.next() else { return Err(CannotMerge("no host ran".to_owned())) };
    let mut all = parts_left.try_fold((*first).clone(), |all, part| {
        if all.name != part.name {
            return Err(CannotMerge(format!("streams `{}` and `{}` are not the same", all.name, part.name)));
        }
        all.merged(part)
    })?;
    if parts.len() == 1 {
        return Ok((all, first.elapsed_s));
    }
    let lengths: Option<Vec<f64>> = parts.iter().map(|p| p.elapsed_s).collect();
    let Some(lengths) = lengths else { return Ok((all, None)) };
    let (least, most) =
        (lengths.iter().copied().fold(f64::INFINITY, f64::min), lengths.iter().copied().fold(0.0, f64::max));
    if most - least <= ALIKE * most {
        all.course = courses(parts);
        return Ok((all, Some(least)));
    }
    // Rates of different times do not add up: those of the time in which all ran do.
    let rates: Option<Vec<(f64, Option<f64>)>> = parts.iter().map(|p| rate_until(p, least)).collect();
    all.iops = rates.as_ref().map(|rates| rates.iter().map(|r| r.0).sum());
    let halves = rates.and_then(|r| r.iter().map(|r| r.1.map(|half| half * half)).sum::<Option<f64>>());
    all.interval = all.iops.zip(halves).map(|(iops, squares)| RateInterval {
        iops_low: (iops - squares.sqrt()).max(0.0),
        iops_high: iops + squares.sqrt(),
        confidence_pct: CONFIDENCE_PCT,
    });
    // Bytes of a part of the time are known where all requests are alike.
    let size = |p: &&StreamResult| match (p.bytes?, p.ios?) {
        (bytes, ios) if ios > 0 && bytes % ios == 0 => Some(bytes / ios),
        _ => None,
    };
    let alike = size(first).filter(|own| parts.iter().all(|p| size(p) == Some(*own)));
    all.mbps = all.iops.zip(alike).map(|(iops, bytes)| iops * bytes as f64 / 1e6);
    warnings.push(match all.iops {
        Some(_) => format!(
            "stream `{}` ended after {least:.2} s on one host and after {most:.2} s on another: its rate over all hosts \
             is that of the first {least:.2} s, in which all ran; counts and latencies are those of all requests",
            all.name
        ),
        None => format!(
            "stream `{}` ended after {least:.2} s on one host and after {most:.2} s on another: that is too short to say \
             what all did at the same time",
            all.name
        ),
    });
    Ok((all, Some(least)))
}

/// Rate of a stream in its first seconds, of whole slices, with half of its interval.
fn rate_until(part: &StreamResult, seconds: f64) -> Option<(f64, Option<f64>)> {
    let course = part.course.as_ref().filter(|c| c.slice_s > 0.0)?;
    let whole = ((seconds / course.slice_s + 1e-6).floor() as usize).min(course.iops.len());
    let slices = course.iops.get(..whole).filter(|s| !s.is_empty())?;
    let size = batches_as_one(slices);
    let batches: Vec<f64> = slices.chunks_exact(size).map(|c| c.iter().sum::<f64>() / size as f64).collect();
    Some((slices.iter().sum::<f64>() / whole as f64, half_width(&batches)))
}

/// The course of all, where their slices are of one length.
fn courses(parts: &[&StreamResult]) -> Option<Course> {
    let all: Vec<&Course> = parts.iter().map(|p| p.course.as_ref()).collect::<Option<_>>()?;
    let slice_s = all.first()?.slice_s;
    if all.iter().any(|c| (c.slice_s - slice_s).abs() > 1e-9) {
        return None;
    }
    let slices = all.iter().map(|c| c.iops.len()).min()?;
    Some(Course::of(slice_s, (0..slices).map(|n| all.iter().map(|c| c.iops[n]).sum()).collect()))
}

/// What hosts are judged by, how far they lie apart, and who is slow.
fn judged(counted: &[&HostRun]) -> (Option<JudgedBy>, Option<f64>, Vec<SlowHost>) {
    let open = |h: &&HostRun| {
        let streams = h.result.iter().flat_map(requests);
        streams.filter(|s| s.latency_from == LatencyFrom::Intended).count() > 0
    };
    let by = if counted.iter().any(open) { JudgedBy::MeanUs } else { JudgedBy::Iops };
    let figure = |h: &HostRun| if by == JudgedBy::Iops { h.iops } else { h.mean_us };
    let figures: Option<Vec<f64>> = counted.iter().map(|h| figure(h)).collect();
    let Some(figures) = figures.filter(|f| f.len() > 1) else { return (None, None, Vec::new()) };
    let mean = figures.iter().sum::<f64>() / figures.len() as f64;
    let (least, most) = (
        figures.iter().copied().fold(f64::INFINITY, f64::min),
        figures.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    let spread = (mean > 0.0).then(|| 100.0 * (most - least) / mean);
    let mut slow = Vec::new();
    for (n, host) in counted.iter().enumerate() {
        let others = figures.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, f)| *f);
        let others = median(others.collect());
        let is_slow = match by {
            JudgedBy::Iops => host.iops_interval.is_some_and(|(_, high)| high < SLOW * others),
            JudgedBy::MeanUs => least_mean_us(host).is_some_and(|low| low > others / SLOW),
        };
        if is_slow {
            slow.push(SlowHost { host: host.host.clone(), own: figures[n], others });
        }
    }
    (Some(by), spread, slow)
}

/// Lower bound of the mean latency of a host: all of its streams at theirs.
fn least_mean_us(host: &HostRun) -> Option<f64> {
    let low = |s: &StreamResult| {
        let ios = s.ios.filter(|ios| *ios > 0)? as f64;
        Some((s.latency_us.intervals.get("mean")?.0 * ios, ios))
    };
    let sums: Option<Vec<(f64, f64)>> =
        host.result.iter().flat_map(requests).filter(|s| s.ios != Some(0)).map(low).collect();
    let (us, ios) = sums?.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (ios > 0.0).then(|| us / ios)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    match all.len() {
        0 => 0.0,
        n if n % 2 == 1 => all[n / 2],
        n => f64::midpoint(all[n / 2 - 1], all[n / 2]),
    }
}

/// Where all of it took place.
fn environment(counted: &[&HostRun]) -> Environment {
    let all = || counted.iter().filter_map(|h| Some((&h.host, &h.result.as_ref()?.environment)));
    let listed = |of: fn(&Environment) -> Option<&String>| {
        let mut words: Vec<&str> = Vec::new();
        for word in all().filter_map(|(_, e)| of(e)) {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        (!words.is_empty()).then(|| words.join(", "))
    };
    let devices = all().flat_map(|(host, e)| {
        e.devices.iter().map(move |d| {
            let mut device = d.clone();
            device.path = format!("{host}:{}", d.path);
            device
        })
    });
    Environment {
        program: listed(|e| e.program.as_ref()),
        host: Some(counted.iter().map(|h| h.host.as_str()).collect::<Vec<_>>().join(", ")),
        kernel: listed(|e| e.kernel.as_ref()),
        cpus: None,
        devices: devices.collect(),
        engine: listed(|e| e.engine.as_ref()),
    }
}

/// What readers that read one after the other took: the measure of the reader program, seconds of all readers
/// over the reads of all.
///
/// Missing: `None` where it is not known of every reader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadersTime {
    /// Readers, over all hosts.
    pub readers: usize,
    /// Reads of all.
    pub reads: Option<u64>,
    /// Seconds of each reader, added.
    pub seconds: Option<f64>,
}

impl ReadersTime {
    /// Of all readers of a run.
    #[must_use]
    pub fn of(result: &RunResult) -> Self {
        Self::over(readers(result).into_iter().flatten())
    }

    /// Of one stream of a run, over all hosts.
    #[must_use]
    pub fn of_stream(result: &RunResult, number: usize) -> Self {
        Self::over(readers(result).into_iter().filter_map(|streams| streams.get(number)))
    }

    fn over<'a>(streams: impl Iterator<Item = &'a StreamResult> + Clone) -> Self {
        Self {
            readers: streams.clone().count(),
            reads: streams.clone().map(|s| s.ios).sum(),
            seconds: streams.map(|s| s.elapsed_s).sum(),
        }
    }

    /// Microseconds a read.
    #[must_use]
    pub fn per_read_us(&self) -> Option<f64> {
        let reads = self.reads.filter(|reads| *reads > 0)?;
        Some(self.seconds? * 1e6 / reads as f64)
    }
}

/// Streams of each host that counts, or of the run itself.
fn readers(result: &RunResult) -> Vec<&[StreamResult]> {
    match &result.hosts {
        None => vec![&result.streams],
        Some(hosts) => hosts
            .each
            .iter()
            .filter(|h| h.counts())
            .filter_map(|h| Some(h.result.as_ref()?.streams.as_slice()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    use super::*;
    use crate::{Recorder, Seeded};

    /// A closed loop of one request, exponential of this mean, until it has so many or the time is over.
    fn stream(seed: u64, mean_us: f64, count: u64, seconds: f64) -> StreamResult {
        let mut random = Seeded::new(seed, 0);
        let mut recorder = Recorder::new();
        let (mut at, mut last) = (0.0, 0.0);
        while recorder.ios() < count {
            let latency = random.exponential(mean_us * 1e3);
            at += latency;
            if at > seconds * 1e9 {
                break;
            }
            last = at;
            recorder.record(at as u64, latency as u64, 8_192);
        }
        let end = if recorder.ios() == count { last } else { seconds * 1e9 };
        StreamResult::of("reads", "read", LatencyFrom::Submit, &recorder.finish(end as u64), Vec::new())
    }

    fn host(name: &str, stream: StreamResult, began_us: (f64, f64)) -> HostRun {
        let result = RunResult {
            job: None,
            environment: Environment::default(),
            streams: vec![stream],
            limited_by: LimitedBy::Device,
            warnings: Vec::new(),
            hosts: None,
            ended_early: None,
        };
        HostRun { began_us: Some(began_us), ..HostRun::of(name, result) }
    }

    #[test]
    fn hosts_add_up_to_what_one_recorder_of_all_would_hold() {
        let parts =
            [stream(1, 1e3, u64::MAX, 10.0), stream(2, 2e3, u64::MAX, 10.0), stream(3, 1e3, u64::MAX, 10.0)];
        let each = parts.iter().zip(["a", "b", "c"]);
        let each = each.map(|(s, name)| host(name, s.clone(), (-200.0, 300.0))).collect();
        let all = together(each).unwrap();
        let found = all.hosts.as_deref().unwrap();
        let total = &all.streams[0];
        assert_eq!(total.ios, parts.iter().map(|p| p.ios).sum());
        assert!((total.iops.unwrap() - total.ios.unwrap() as f64 / 10.0).abs() < 1e-6);
        let mut direct = parts[0].latencies().unwrap();
        for part in &parts[1..] {
            direct.add(part.latencies().unwrap()).unwrap();
        }
        assert_eq!(total.latencies().unwrap(), direct);
        assert_eq!(total.latency_us.p99, Some(direct.value_at_percentile(99.0) as f64 / 1e3));
        assert_eq!(found.began_within_us, Some(500.0));
        assert!((found.common_s.unwrap() - 9.9995).abs() < 1e-9);
        let course = total.course.as_ref().unwrap();
        assert!(
            (course.iops.iter().sum::<f64>() / course.iops.len() as f64 / total.iops.unwrap() - 1.0).abs()
                < 0.02
        );
        // Half as fast as the others, and said so; nobody else is.
        let slow: Vec<&str> = found.slow.iter().map(|s| s.host.as_str()).collect();
        assert_eq!((slow, found.judged_by), (vec!["b"], Some(JudgedBy::Iops)));
        assert!((50.0..70.0).contains(&found.spread_pct.unwrap()), "{found:?}");
        assert_eq!(all.environment.host.as_deref(), Some("a, b, c"));
    }

    #[test]
    fn rates_of_hosts_that_end_at_different_times_are_those_of_the_common_time() {
        // 4,000 reads take 4 s here and 16 s there: 1,250 a second together, and not 500.
        let each = vec![
            host("a", stream(1, 1e3, 4_000, 1e9), (0.0, 0.0)),
            host("b", stream(2, 4e3, 4_000, 1e9), (0.0, 0.0)),
        ];
        let all = together(each).unwrap();
        let total = &all.streams[0];
        assert_eq!((total.ios, total.bytes), (Some(8_000), Some(65_536_000)));
        let iops = total.iops.unwrap();
        assert!((1_150.0..1_350.0).contains(&iops), "{iops}");
        assert!((total.mbps.unwrap() - iops * 0.008_192).abs() < 1e-9);
        let interval = total.interval.unwrap();
        assert!(interval.iops_low < 1_250.0 && interval.iops_high > 1_250.0, "{interval:?}");
        assert!(all.warnings[0].contains("in which all ran"), "{:?}", all.warnings);
        // The reader's measure: seconds of both over reads of both.
        let time = ReadersTime::of(&all);
        assert_eq!((time.readers, time.reads), (2, Some(8_000)));
        assert!((2_300.0..2_700.0).contains(&time.per_read_us().unwrap()), "{time:?}");
        assert_eq!(ReadersTime::of_stream(&all, 0), time);
    }

    #[test]
    fn a_missing_host_is_in_no_figure_of_all_and_is_named() {
        let own = stream(1, 1e3, u64::MAX, 2.0);
        let dead =
            HostRun { missing: Some("it ended".into()), ..host("b", stream(2, 1e3, 500, 2.0), (0.0, 0.0)) };
        let gone = HostRun::missing("c", "it was not reached".into());
        let all = together(vec![host("a", own.clone(), (0.0, 0.0)), dead.clone(), gone.clone()]).unwrap();
        assert_eq!((all.streams[0].ios, all.streams[0].iops), (own.ios, own.iops));
        let found = all.hosts.as_deref().unwrap();
        assert_eq!((found.each.len(), found.began_within_us, found.spread_pct), (3, None, None));
        assert!(
            all.warnings[0]
                .starts_with("host `b` is missing: it ended. The figures of all are those of 1 of 3")
        );
        assert_eq!(all.warnings.len(), 2);
        let why = together(vec![dead, gone]).unwrap_err().to_string();
        assert_eq!(why, "`b`: it ended; `c`: it was not reached");
    }

    #[test]
    fn an_unknown_time_of_a_reader_is_no_zero() {
        let mut unknown = stream(1, 1e3, 500, 2.0);
        unknown.elapsed_s = None;
        let mut result = host("a", stream(2, 1e3, 500, 2.0), (0.0, 0.0)).result.unwrap();
        result.streams.push(unknown);
        let time = ReadersTime::of(&result);
        assert_eq!((time.reads, time.seconds, time.per_read_us()), (Some(1_000), None, None));
        result.streams.clear();
        assert_eq!(ReadersTime::of(&result).per_read_us(), None);
    }

    #[test]
    fn hosts_of_an_open_load_are_judged_by_latency() {
        let open = |seed, mean_us| StreamResult {
            latency_from: LatencyFrom::Intended,
            ..stream(seed, mean_us, u64::MAX, 10.0)
        };
        let each = vec![
            host("a", open(1, 1e3), (0.0, 0.0)),
            host("b", open(2, 1e3), (0.0, 0.0)),
            host("c", open(3, 3e3), (0.0, 0.0)),
        ];
        let all = together(each).unwrap();
        let found = all.hosts.as_deref().unwrap();
        assert_eq!(found.judged_by, Some(JudgedBy::MeanUs));
        assert_eq!(found.slow.iter().map(|s| s.host.as_str()).collect::<Vec<_>>(), ["c"]);
    }

    #[test]
    fn equal_hosts_have_no_slow_one() {
        for seed in 0..20 {
            let each = (0..4)
                .map(|n| host(&format!("h{n}"), stream(seed * 4 + n, 1e3, u64::MAX, 5.0), (0.0, 0.0)))
                .collect();
            let all = together(each).unwrap();
            assert_eq!(all.hosts.unwrap().slow, [], "{seed}");
        }
    }
}
