//! What several forms need: one run after the other, sums over the streams of a run, and the knee.

use super::supervise::{Ran, Runner};
use spindle_workload::{
    Arrivals, COMMIT, DeviceCurve, End, Flush, Form, Job, Knee, MOST_FAILED, Measured, Parameters, Pattern,
    Point, Region, RunResult, Size, Stream, StreamResult, WAIT, seed_of,
};

/// Share of the highest rate at which more load is said to bring no more.
pub(super) const ENOUGH: f64 = 0.95;

/// How each run of a sweep is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Each {
    /// Length of a run, seconds.
    pub seconds: f64,
    /// How long requests are made before they count, seconds.
    pub warm_up_s: f64,
    /// Seed of all that is random.
    pub seed: u64,
}

impl Each {
    pub(super) fn job(&self, name: String, streams: Vec<Stream>) -> Job {
        Job {
            name,
            seed: self.seed,
            streams,
            end: End { seconds: Some(self.seconds), ..End::default() },
            warm_up_s: (self.warm_up_s > 0.0).then_some(self.warm_up_s),
        }
    }
}

/// A stream over whole devices.
pub(super) fn stream(name: &str, read_pct: f64, bytes: u32, pattern: Pattern, depth: u32) -> Stream {
    Stream {
        name: name.to_owned(),
        read_pct,
        pattern,
        sizes: vec![Size { bytes, weight: 1.0 }],
        region: Region::default(),
        arrivals: Arrivals::Closed { depth, think_us: 0.0 },
        flush: Flush::None,
        trace: None,
    }
}

/// A measurement of which nothing is done.
pub(super) fn begin(form: Form) -> Measured {
    Measured {
        form,
        command: String::new(),
        began_s: None,
        incomplete: None,
        points: Vec::new(),
        knee: None,
        verdict: String::new(),
        curve: None,
        calibration: None,
        matrix: None,
        log: None,
        zones: None,
        slob: None,
        scan: None,
        rates: None,
        simulated: None,
        seed: None,
        idle: std::collections::BTreeMap::new(),
        warnings: Vec::new(),
    }
}

/// Runs a job as the next point. `false` where the measurement ends with it.
///
/// Each point asks for places of its own: those of one before may stand in a cache by then.
///
/// # Errors
/// Where the first run is refused; later ones end the measurement, which keeps what it has.
pub(super) fn add(
    measured: &mut Measured,
    runner: &mut dyn Runner,
    parameters: Parameters,
    job: &Job,
) -> Result<bool, String> {
    let number = measured.points.len() as u64;
    if number == 0 {
        measured.seed = Some(job.seed);
    }
    let job = Job { seed: seed_of(job.seed, number), ..job.clone() };
    finish(measured, parameters, runner.run(&job))
}

/// Takes in a run as the next point, likewise.
///
/// # Errors
/// As [`add`].
pub(super) fn finish(
    measured: &mut Measured,
    parameters: Parameters,
    ran: Result<Ran, String>,
) -> Result<bool, String> {
    match ran {
        Ok(ran) => {
            let done: u64 = ran.result.streams.iter().filter_map(|s| s.ios).sum();
            let failed = ran.result.streams.iter().any(|s| !s.errors.is_empty());
            measured.incomplete = ran
                .cut
                .or_else(|| ran.result.ended_early.clone())
                .or_else(|| (done == 0 && failed).then(|| "every request failed".to_owned()))
                .or_else(|| ran.result.streams.iter().find_map(given_up))
                .or_else(|| spoiled(measured.form, &ran.result));
            measured.points.push(Point { parameters, result: ran.result });
            Ok(measured.incomplete.is_none())
        }
        Err(why) if measured.points.is_empty() => Err(why),
        Err(why) => {
            measured.incomplete = Some(why);
            Ok(false)
        }
    }
}

/// Forms that judge one load by the next: where requests fail, more load tells nothing more.
const SWEEPS: [Form; 5] = [Form::Ramp, Form::Calibrate, Form::Matrix, Form::Zones, Form::Log];

/// What is said of a run of which more than a few requests failed.
fn spoiled(form: Form, result: &RunResult) -> Option<String> {
    let (failed, done) = result.failed();
    (SWEEPS.contains(&form) && result.is_spoiled()).then(|| {
        format!("{} of {} requests of a run failed", number(failed as f64), number((failed + done) as f64))
    })
}

/// Runs whose requests were answered: what the others of a run took of which many failed is no figure of its load.
pub(super) fn whole(points: &[Point]) -> impl Iterator<Item = &Point> {
    points.iter().filter(|p| !p.result.is_spoiled())
}

/// What a verdict says of requests that failed; empty where none did.
pub(super) fn failures(points: &[Point]) -> String {
    let (failed, done) = points.iter().map(|p| p.result.failed()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    if failed == 0 {
        return String::new();
    }
    format!(" {} of {} requests failed.", number(failed as f64), number((failed + done) as f64))
}

/// Gives the measurement its curve, or says why there is none. The loads that were left out of it are named in `unit`.
pub(super) fn keep_curve(measured: &mut Measured, curve: Option<DeviceCurve>, disturbed: &[f64], unit: &str) {
    if !disturbed.is_empty() {
        let loads: Vec<String> = disturbed.iter().map(|load| number(*load)).collect();
        measured.warnings.push(format!(
            "left out of the curve: {} {unit}, where requests took longer than at higher rates, which load does not \
             explain: the device was not warm, or the machine was busy",
            loads.join(" and ")
        ));
    }
    match curve.map(DeviceCurve::checked).transpose() {
        Ok(curve) => measured.curve = curve,
        Err(why) => measured.warnings.push(format!("no curve was made: {why}")),
    }
}

/// What is said of a stream that ended because too many of its requests failed.
fn given_up(stream: &StreamResult) -> Option<String> {
    let failed = stream.failed();
    (failed >= MOST_FAILED).then(|| {
        format!(
            "{} of {} requests of `{}` failed",
            number(failed as f64),
            number((failed + stream.ios.unwrap_or(0)) as f64),
            stream.name
        )
    })
}

/// Figures of several streams as one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) ios: u64,
    pub(super) iops: f64,
    pub(super) mbps: f64,
    pub(super) mean_us: Option<f64>,
    pub(super) interval: Option<(f64, f64)>,
}

/// Adds the streams of a run that are chosen, without commits and waits, which are no requests: rates add up, latencies are weighted by requests, and
/// intervals are those of independent streams.
pub(super) fn sum(result: &RunResult, choose: impl Fn(&StreamResult) -> bool) -> Sum {
    let mut out = Sum::default();
    let (mut latency, mut timed) = (0.0, 0_u64);
    let mut squares = Some(0.0);
    for stream in
        result.streams.iter().filter(|s| ![COMMIT, WAIT].contains(&s.operation.as_str()) && choose(s))
    {
        let ios = stream.ios.unwrap_or(0);
        out.ios += ios;
        out.iops += stream.iops.unwrap_or(0.0);
        out.mbps += stream.mbps.unwrap_or(0.0);
        if let Some(mean) = stream.latency_us.mean {
            latency += mean * ios as f64;
            timed += ios;
        }
        squares =
            squares.zip(stream.interval).map(|(sum, i)| sum + ((i.iops_high - i.iops_low) / 2.0).powi(2));
    }
    out.mean_us = (timed > 0).then(|| latency / timed as f64);
    out.interval = squares
        .filter(|_| out.ios > 0)
        .map(|squares| ((out.iops - squares.sqrt()).max(0.0), out.iops + squares.sqrt()));
    out
}

/// One load and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    pub(super) concurrency: f64,
    pub(super) sum: Sum,
}

/// The least load that brings nearly all there is. `loads` by ascending concurrency.
pub(super) fn knee(loads: &[Load]) -> Option<Knee> {
    let known = || loads.iter().filter(|l| l.sum.iops > 0.0);
    let most = known().max_by(|a, b| a.sum.iops.total_cmp(&b.sum.iops))?;
    let bounds = |l: &Load| l.sum.interval.unwrap_or((l.sum.iops, l.sum.iops));
    let (least, highest) = bounds(most);
    let at = known().find(|l| l.sum.iops >= ENOUGH * most.sum.iops)?;
    let sure = loads.iter().all(|l| l.sum.interval.is_some());
    let from = known().find(|l| bounds(l).1 >= ENOUGH * least)?;
    let to = known().find(|l| bounds(l).0 >= ENOUGH * highest).unwrap_or(most);
    Some(Knee {
        concurrency: at.concurrency,
        interval: sure.then_some((from.concurrency, to.concurrency.max(at.concurrency))),
        iops: at.sum.iops,
        latency_us: at.sum.mean_us?,
        highest_iops: most.sum.iops,
    })
}

/// A number in a sentence.
pub(super) fn number(value: f64) -> String {
    // Three digits that count; whole ones are never rounded away.
    let decade = if value > 0.0 { value.log10().floor() } else { 0.0 };
    let digits = (2.0 - decade).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), ""), |(w, r)| (w, r.trim_end_matches('0')));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    if rest.is_empty() { out } else { format!("{out}.{rest}") }
}

/// Microseconds as milliseconds in a sentence.
pub(super) fn ms(us: f64) -> String {
    format!("{} ms", number(us / 1e3))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn load(concurrency: f64, iops: f64, half: f64) -> Load {
        let interval = Some((iops - half, iops + half));
        let sum = Sum { ios: 100, iops, mbps: 0.0, mean_us: Some(concurrency / iops * 1e6), interval };
        Load { concurrency, sum }
    }

    #[test]
    fn the_knee_is_the_least_load_that_brings_nearly_all() {
        let loads = [load(1.0, 125.0, 1.0), load(2.0, 149.0, 1.0), load(4.0, 150.0, 1.0)];
        let found = knee(&loads).unwrap();
        assert_eq!((found.concurrency, found.interval), (2.0, Some((2.0, 2.0))));
        assert_eq!(found.highest_iops, 150.0);
        // Noise of a fifth: it may lie anywhere.
        let loads = [load(1.0, 125.0, 25.0), load(2.0, 149.0, 25.0), load(4.0, 150.0, 25.0)];
        assert_eq!(knee(&loads).unwrap().interval, Some((1.0, 4.0)));
        assert_eq!(knee(&[]), None);
    }

    #[test]
    fn a_run_whose_file_was_cut_was_done() {
        let mut model = Model::new(1_000.0, None, None, 1);
        let mut measured = begin(Form::Run);
        let each = Each { seconds: 1.0, warm_up_s: 0.0, seed: 13 };
        let job = each.job("one".to_owned(), vec![stream("s", 100.0, 8_192, Pattern::Random, 1)]);
        let mut ran = model.run(&job).unwrap();
        ran.result.ended_early = Some("`data` was made shorter by another program".to_owned());
        let goes_on = finish(&mut measured, Parameters::default(), Ok(ran)).unwrap();
        assert!(!goes_on && measured.points.len() == 1);
        assert_eq!(measured.incomplete.as_deref(), Some("`data` was made shorter by another program"));
    }

    #[test]
    fn each_step_asked_for_the_places_of_the_one_before_and_found_them_in_a_cache() {
        let seeds = || {
            let mut model = Model::new(1_000.0, None, None, 1);
            let mut measured = begin(Form::Ramp);
            let each = Each { seconds: 1.0, warm_up_s: 0.0, seed: 13 };
            for depth in [1, 1, 2, 4, 8] {
                let one = stream("s", 100.0, 8_192, Pattern::Random, depth);
                let job = each.job("step".to_owned(), vec![one]);
                add(&mut measured, &mut model, Parameters::default(), &job).unwrap();
            }
            assert_eq!(measured.seed, Some(13));
            let of = |p: &Point| p.result.job.as_ref().unwrap().seed;
            measured.points.iter().map(of).collect::<Vec<_>>()
        };
        let first = seeds();
        assert_eq!(first, seeds(), "a seed repeats all of it");
        assert_eq!(first[0], 13);
        let apart: std::collections::BTreeSet<u64> = first.iter().copied().collect();
        assert_eq!(apart.len(), 5);
        // Nor do the places that come of them.
        let draw = |seed| {
            let one = stream("s", 100.0, 8_192, Pattern::Random, 1);
            let mut requests = one.requests(0, seed, 1 << 40).unwrap();
            (0..100).map(|_| requests.draw().offset).collect::<Vec<_>>()
        };
        let places: std::collections::BTreeSet<u64> = first.iter().flat_map(|seed| draw(*seed)).collect();
        assert!(places.len() > 490, "{}", places.len());
    }

    #[test]
    fn numbers_of_sentences() {
        assert_eq!([number(12_345.6), number(1.5), number(42.0), number(0.0)], ["12,346", "1.5", "42", "0"]);
        assert_eq!([ms(13_300.0), ms(8.0), ms(250.0)], ["13.3 ms", "0.008 ms", "0.25 ms"]);
    }
}
