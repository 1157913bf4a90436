//! A device curve from what was measured by any tool: the runs of one load each, by their rate.

use crate::curve::{CurveError, CurveLatency, CurvePoint, DeviceCurve};
use crate::load_rows::{LoadRow, is_summary, is_watched, whole_runs};
use crate::measured::{Measured, Point};
use crate::result::LatencyFrom;

/// A point has to bring so much more than the one before: beyond, latency is a matter of patience.
const GAIN: f64 = 1.005;

/// Share of the rate asked for that a device has to do to be said to keep up.
const KEPT_UP: f64 = 0.98;

/// A step up in load that brings less than this brings nothing: the knee is behind.
const KNEE_GAIN: f64 = 1.03;

/// What stands among the errors of a run that its tool ended with an error: its figures are those of the time before.
pub const ENDED_BY_ERROR: &str = "fio ended the job with error";

/// Runs of which a curve is made.
const MOST_RUNS: usize = 5_000;

impl DeviceCurve {
    /// The curve that results are: runs over the requests under way, the points of a matrix without large
    /// requests, the rate within a latency of a calibration. Files of one run may hold rates and latencies apart.
    ///
    /// # Errors
    /// In a sentence, where they are no curve.
    pub fn of_results(results: &[Measured]) -> Result<Self, CurveError> {
        Self::of(results, false)
    }

    /// The same of runs each of which asked for a rate: what the device does beyond the highest that it kept up with is not known.
    ///
    /// # Errors
    /// In a sentence, where they are no curve.
    pub fn of_rates(results: &[Measured]) -> Result<Self, CurveError> {
        Self::of(results, true)
    }

    fn of(results: &[Measured], by_rate: bool) -> Result<Self, CurveError> {
        if let [Measured { curve: Some(curve), .. }] = results {
            return curve.clone().checked();
        }
        if results.iter().any(is_watched) {
            return refuse(
                "iostat and sar say what a device did under the load of that time, and not what it can do: give runs over a \
                 rising load, of `spindle measure ramp` or of fio",
            );
        }
        let summaries = results.iter().filter(|m| is_summary(m)).count();
        if summaries > 1 {
            return refuse(&format!(
                "it holds {summaries} runs of Orion or of a matrix, each with its summary, perhaps of other devices: give the files of the one that is meant"
            ));
        }
        let runs: usize = results.iter().map(|m| m.points.len()).sum();
        if runs > MOST_RUNS {
            return refuse("it holds more runs than any curve has points; give those of one series");
        }
        let ended = |p: &Point| {
            p.result.streams.iter().flat_map(|s| &s.errors).any(|error| error.starts_with(ENDED_BY_ERROR))
        };
        let spoiled = |p: &Point| p.result.is_spoiled() || ended(p);
        let failing = results.iter().flat_map(|m| &m.points).filter(|p| spoiled(p)).count();
        let any_ended = results.iter().flat_map(|m| &m.points).any(ended);
        let kept: Vec<Measured>;
        let results = if failing == 0 {
            results
        } else {
            let whole = |m: &Measured| {
                let points = m.points.iter().filter(|p| !spoiled(p)).cloned().collect();
                Measured { points, ..m.clone() }
            };
            kept = results.iter().map(whole).collect();
            kept.as_slice()
        };
        if failing == runs && runs > 0 {
            if any_ended {
                return refuse(
                    "fio ended the jobs of every run in it with an error: what was done before is no figure of that load",
                );
            }
            return refuse(
                "requests of every run in it failed: what the others took is no figure of that load",
            );
        }
        let mut rows: Vec<LoadRow> = Vec::new();
        for row in results.iter().flat_map(whole_runs) {
            if row.parameters.phase.as_deref().is_some_and(|p| p.ends_with(" sessions")) {
                return refuse(
                    "SLOB's table says what a database waited for, and not what the device can do",
                );
            }
            add(&mut rows, row);
        }
        rows.retain(|row| {
            row.iops.is_some_and(|rate| rate > 0.0) && row.latency.mean.is_some_and(|us| us > 0.0)
        });
        let Some(first) = rows.first() else {
            return refuse(if results.iter().any(|m| m.calibration.is_some()) {
                "the calibration has no latency: it is missing, or printed as 0, which is less than half a millisecond; \
                 `spindle measure ramp --curve` measures one"
            } else {
                "no run in it has both a rate and a latency: of Orion give the files of rates and of latencies, each with \
                 --curve"
            });
        };
        for row in &rows {
            let said = |what: &str, a: String, b: String| {
                refuse(&format!("its runs differ in {what}, {a} and {b}: give those of one kind"))
            };
            if row.operation != first.operation {
                return said("what they do", first.operation.clone(), row.operation.clone());
            }
            let (a, b) = (&first.parameters, &row.parameters);
            if let Some((a, b)) = a.block_bytes.zip(b.block_bytes).filter(|(a, b)| a != b) {
                return said("the bytes of a request", a.to_string(), b.to_string());
            }
            if let Some((a, b)) = a.pattern.clone().zip(b.pattern.clone()).filter(|(a, b)| a != b) {
                return said("the order of addresses", a, b);
            }
            if row.latency_from != first.latency_from {
                return said(
                    "from when latency counts",
                    first.latency_from.name().into(),
                    row.latency_from.name().into(),
                );
            }
        }
        let most = rows.iter().max_by(|a, b| a.iops.unwrap_or(0.0).total_cmp(&b.iops.unwrap_or(0.0)));
        if let Some(rate) = most.filter(|row| row.parameters.paced && !by_rate).and_then(|row| row.iops) {
            return refuse(&format!(
                "the rate of its run with the most requests, {rate:.0} a second, was set by the tool (a rate, pauses, the \
                 times of a trace) and says nothing of what the device can do: give runs over a rising load without, \
                 or `spindle measure ramp --curve`"
            ));
        }
        let operation = first.operation.clone();
        let block_bytes = rows.iter().find_map(|r| r.parameters.block_bytes).map(|bytes| bytes as f64);
        let from = first.latency_from;
        let total = rows.len();
        let is_calibration = results.iter().any(|m| m.calibration.is_some());
        let ends_below_knee = !is_calibration && still_rises(&rows);
        let mut points = rising(rows);
        points.sort_by(|a, b| a.iops.total_cmp(&b.iops));
        let mut programs: Vec<&str> =
            results.iter().filter_map(|m| m.points.first()?.result.environment.program.as_deref()).collect();
        programs.dedup();
        let mut source = if programs.is_empty() { "measured".to_owned() } else { programs.join(", ") };
        if from == LatencyFrom::Submitted {
            source.push_str(", latency without the submission");
        }
        if points.len() < total {
            source.push_str(&format!(", {} of {total} runs, the others brought no more", points.len()));
        }
        if failing > 0 {
            source.push_str(&format!(
                ", {failing} of {runs} runs left out, since {} of them failed",
                if any_ended { "jobs or requests" } else { "requests" }
            ));
        }
        Self {
            kind: "curve".to_owned(),
            operation,
            block_bytes,
            points,
            source: Some(source),
            seed: None,
            ends_below_knee,
        }
        .checked()
    }
}

fn refuse<T>(why: &str) -> Result<T, CurveError> {
    Err(CurveError { why: why.to_owned(), point: None })
}

/// Adds a run; one that another file tells of with the same place in a matrix is completed.
fn add(rows: &mut Vec<LoadRow>, row: LoadRow) {
    let place = |r: &LoadRow| r.parameters.small.zip(r.parameters.large);
    let known = rows.iter_mut().find(|r| place(r).is_some() && place(r) == place(&row));
    match known {
        Some(known) if known.iops.is_none() || known.latency.mean.is_none() => {
            known.iops = known.iops.or(row.iops);
            if known.latency.mean.is_none() {
                known.latency = row.latency;
                known.latency_from = row.latency_from;
            }
            if known.operation == "unknown" {
                known.operation = row.operation;
            }
            let (known, other) = (&mut known.parameters, row.parameters);
            known.block_bytes = known.block_bytes.or(other.block_bytes);
            known.pattern = known.pattern.take().or(other.pattern);
        }
        _ => rows.push(row),
    }
}

/// Did the most that was under way still bring more, or was there but one such load? Where it is not known how many were
/// under way, more may be possible. Of rates that were asked for, one that was not kept up with shows the most.
fn still_rises(rows: &[LoadRow]) -> bool {
    let load = |row: &LoadRow| row.parameters.concurrency.or(row.parameters.small.map(f64::from));
    let is_free = |row: &&LoadRow| !row.parameters.paced && row.parameters.offered_iops.is_none();
    let free: Vec<&LoadRow> = rows.iter().filter(is_free).collect();
    if free.is_empty() {
        return !rows.iter().any(piled_up);
    }
    let loads: Option<Vec<(f64, f64)>> = free.iter().map(|row| Some((load(row)?, row.iops?))).collect();
    let Some(mut loads) = loads else { return true };
    loads.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let Some((most, rate)) = loads.last().copied() else { return false };
    loads.iter().filter(|(n, _)| *n < most).all(|(_, before)| rate >= before * KNEE_GAIN)
}

/// Requests of an open load that were served, and all that came; `None` where it is closed or not known.
fn came(row: &LoadRow) -> Option<(u64, u64)> {
    row.parameters.offered_iops?;
    let mut sums = (0, 0);
    for stream in &row.streams {
        let (served, left) = (stream.ios?, stream.unserved?);
        sums = (sums.0 + served, sums.1 + served + left);
    }
    (sums.1 > 0).then_some(sums)
}

/// Was more asked for than was done? What came by chance is not what was asked for: where it is known, that is what had
/// to be served.
fn piled_up(row: &LoadRow) -> bool {
    match came(row) {
        Some((served, came)) => (served as f64) < KEPT_UP * came as f64,
        None => row.parameters.offered_iops.zip(row.iops).is_some_and(|(asked, iops)| iops < KEPT_UP * asked),
    }
}

/// Points by rising load, those left out that bring no more.
fn rising(mut rows: Vec<LoadRow>) -> Vec<CurvePoint> {
    // One kind of load orders all: requests under way are not held against a rate.
    let under_way = |row: &LoadRow| row.parameters.concurrency.or(row.parameters.small.map(f64::from));
    let offered = |row: &LoadRow| row.parameters.offered_iops;
    let by_depth = rows.iter().all(|row| under_way(row).is_some());
    let load = |row: &LoadRow| if by_depth { under_way(row) } else { offered(row) };
    // Without a load that is known of all, the rate is their order.
    let known = rows.iter().all(|row| load(row).is_some());
    rows.sort_by(|a, b| {
        let by_load = if known {
            load(a).unwrap_or(0.0).total_cmp(&load(b).unwrap_or(0.0))
        } else {
            std::cmp::Ordering::Equal
        };
        by_load.then(a.iops.unwrap_or(0.0).total_cmp(&b.iops.unwrap_or(0.0)))
    });
    let mut points: Vec<CurvePoint> = Vec::new();
    for row in rows {
        let (Some(iops), Some(mean)) = (row.iops, row.latency.mean) else { continue };
        // Where more was asked for than was done, latency is a matter of how long the run went on.
        if piled_up(&row) || points.last().is_some_and(|last| iops < last.iops * GAIN) {
            continue;
        }
        let alike = row.percentiles_from == row.latency_from;
        let concurrency = row.parameters.concurrency.or(row.parameters.small.map(f64::from));
        let offered_iops = row.parameters.offered_iops;
        let bounds = row.latency.intervals.get("mean").copied().or_else(|| {
            // By Little's law: so many under way, so many done a second.
            let (low, high) = row.iops_interval.filter(|(low, _)| *low > 0.0)?;
            let under_way = concurrency.filter(|_| offered_iops.is_none())?;
            Some((under_way / high * 1e6, under_way / low * 1e6))
        });
        points.push(CurvePoint {
            concurrency,
            offered_iops,
            iops,
            latency_us: CurveLatency {
                mean,
                p50: row.latency.p50.filter(|_| alike),
                p99: row.latency.p99.filter(|_| alike),
                low: bounds.map(|(low, _)| low.min(mean)),
                high: bounds.map(|(_, high)| high.max(mean)),
                deviation: row.deviation_us.filter(|_| alike),
            },
        });
    }
    points
}
