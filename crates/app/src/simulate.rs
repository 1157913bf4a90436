//! `spindle simulate SCENARIO.toml`: the points of a scenario on all processors, as one measurement.

use spindle_io_simulate::scenario::{PointRun, Progress, Scenario, Traces};
use spindle_workload::{
    Arrivals, DeviceCurve, FigureUnit, Form, Measured, Parameters, Point, RunResult, SimulatedFound, Stream,
    SweptKey, SweptValue,
};
use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is asked of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioOrder {
    /// The file, as it is called in messages.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// Keys with lists or ranges, which take the place of the file's.
    pub sweeps: Vec<(String, String)>,
    /// Takes the place of the file's.
    pub seed: Option<u64>,
    /// The command that repeats it.
    pub command: String,
}

/// How often somebody is asked whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// What a processor hands over: the number of a point, and what came of it.
type Done = (usize, Result<PointRun, String>);

/// How far a scenario has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenarioProgress {
    /// Points that are done.
    pub done: usize,
    /// All of them.
    pub points: usize,
    /// Share of the whole way, with what points under way have behind them.
    pub share: f64,
}

/// Runs a scenario on all processors. `going` is told how far it has come, several times a second, and says whether to go on: where
/// not, the points that are done are the answer.
///
/// # Errors
/// With all that is wrong with the scenario, or what keeps a point from being run.
pub fn simulate(
    order: &ScenarioOrder,
    going: &mut dyn FnMut(ScenarioProgress) -> bool,
) -> Result<Measured, String> {
    let scenario = Scenario::read(&order.text, &order.name, &order.sweeps, order.seed);
    let scenario = Arc::new(scenario.map_err(|errors| errors.to_string())?);
    let points = scenario.points();
    let mut runs: Vec<Option<PointRun>> = vec![None; points];
    let mut incomplete = None;
    let (done, progress) = started(&scenario);
    let mut reported = vec![false; points];
    // The first error by the order of the points, not of the clocks: what comes before it is waited for.
    let mut failed: Option<(usize, String)> = None;
    let mut count = 0;
    loop {
        let wanted = failed.as_ref().map_or(points, |(point, _)| *point);
        if reported[..wanted].iter().all(|r| *r) {
            break;
        }
        match done.recv_timeout(LOOK) {
            Ok((point, result)) => {
                reported[point] = true;
                count += 1;
                match result {
                    Ok(run) => runs[point] = Some(run),
                    Err(why) if failed.as_ref().is_none_or(|(first, _)| point < *first) => {
                        failed = Some((point, why));
                    }
                    Err(_) => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err("a fault in the program: a point of the sweep was lost".to_owned());
            }
        }
        let under_way = progress.iter().zip(&reported).filter(|(_, reported)| !**reported);
        let behind: f64 = under_way.map(|(progress, _)| progress.share()).sum::<f64>() + count as f64;
        let so_far = ScenarioProgress { done: count, points, share: behind / points.max(1) as f64 };
        if !going(so_far) && count < points {
            incomplete = Some(format!("stopped after {count} of {points} points"));
            break;
        }
    }
    if let Some((_, why)) = failed {
        return Err(why);
    }
    Ok(measured(&scenario, runs, incomplete, order))
}

/// Starts the points; those that run when nobody listens any more end with the process.
fn started(scenario: &Arc<Scenario>) -> (mpsc::Receiver<Done>, Vec<Arc<Progress>>) {
    let (sender, receiver) = mpsc::channel();
    let all: Vec<Arc<Progress>> = (0..scenario.points()).map(|_| Arc::default()).collect();
    let traces = Arc::new(Traces::new(|name| Ok(Box::new(File::open(name)?))));
    let next = Arc::new(AtomicUsize::new(0));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // Points after one that failed need not be run.
    let failed: Arc<Mutex<Option<usize>>> = Arc::default();
    for _ in 0..processors.min(scenario.points()) {
        let (scenario, progress, next, sender, failed, traces) = (
            Arc::clone(scenario),
            all.clone(),
            Arc::clone(&next),
            sender.clone(),
            Arc::clone(&failed),
            Arc::clone(&traces),
        );
        std::thread::spawn(move || {
            loop {
                let point = next.fetch_add(1, Ordering::Relaxed);
                let stop = failed.lock().is_ok_and(|f| f.is_some_and(|f| f < point));
                if point >= scenario.points() || stop {
                    return;
                }
                let run = scenario.run_with(point, &traces, progress.get(point));
                if run.is_err()
                    && let Ok(mut failed) = failed.lock()
                {
                    *failed = Some(failed.map_or(point, |f| f.min(point)));
                }
                if sender.send((point, run)).is_err() {
                    return;
                }
            }
        });
    }
    (receiver, all)
}

fn measured(
    scenario: &Scenario,
    runs: Vec<Option<PointRun>>,
    incomplete: Option<String>,
    order: &ScenarioOrder,
) -> Measured {
    let found = scenario.found(&runs);
    let program = format!("spindle {}", env!("CARGO_PKG_VERSION"));
    let mut lags: Vec<Vec<String>> = Vec::new();
    let points: Vec<Point> = runs
        .into_iter()
        .enumerate()
        .filter_map(|(n, run)| {
            let PointRun { mut result, behind, .. } = run?;
            lags.push(behind);
            result.environment.program = Some(program.clone());
            let parameters = asked(scenario.parameters_of(n), &result);
            Some(Point { parameters, result })
        })
        .collect();
    let behind: Vec<&String> = lags.iter().flatten().collect();
    let behind = match behind.as_slice() {
        [] => None,
        [one] if points.len() == 1 => Some((*one).clone()),
        [first, ..] => Some(format!(
            "At {} of {} points storage does not keep up, and latency is none; the first: {first}",
            lags.iter().filter(|lag| !lag.is_empty()).count(),
            points.len()
        )),
    };
    let mut measured = Measured {
        form: Form::Simulate,
        command: order.command.clone(),
        began_s: None,
        incomplete,
        points,
        knee: None,
        verdict: behind.into_iter().chain([verdict(&found)]).collect::<Vec<_>>().join(" "),
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
        warnings: warnings(&found),
    };
    let runs = std::slice::from_ref(&measured);
    let by_rate = measured.points.iter().all(|point| point.parameters.offered_iops.is_some());
    let curve = if by_rate { DeviceCurve::of_rates(runs) } else { DeviceCurve::of_results(runs) };
    if measured.points.len() > 1
        && let Ok(mut curve) = curve
    {
        curve.source = Some(format!("{program}, simulated: {}", found.name));
        curve.seed = Some(found.seed);
        measured.curve = Some(curve);
    }
    measured.simulated = Some(Box::new(found));
    measured
}

/// What one stream of requests was asked for: so many under way, or so many a second.
fn asked(parameters: Parameters, result: &RunResult) -> Parameters {
    match result.job.as_ref().map(|job| job.streams.as_slice()) {
        Some([Stream { arrivals: Arrivals::Closed { depth, .. }, .. }]) => {
            Parameters { concurrency: Some(f64::from(*depth)), ..parameters }
        }
        Some([Stream { arrivals: Arrivals::Open { iops, .. }, .. }]) => {
            Parameters { offered_iops: Some(*iops), ..parameters }
        }
        _ => parameters,
    }
}

/// What has to be known of fitted parameters.
fn warnings(found: &SimulatedFound) -> Vec<String> {
    let mut warnings = Vec::new();
    for parameter in &found.parameters {
        let Some(to) = parameter.fitted_to() else { continue };
        let known = found.published.iter().any(|row| row.fitted.contains(&parameter.path));
        // Who reads it can change what the file says, and not what the catalogue does.
        if !known && !found.published.is_empty() && !parameter.of_catalogue {
            warnings.push(format!(
                "`{}` was fitted to \"{to}\", which is none of the results that the scenario publishes; where it is one, name it \
                 so (`result`)",
                parameter.path
            ));
        }
    }
    warnings
}

/// Three digits that count, thousands apart.
fn short(value: f64) -> String {
    let size = value.abs();
    let digits = match size {
        s if s >= 100.0 || s == 0.0 => 0,
        s if s >= 10.0 => 1,
        s if s >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{size:.digits$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (n, c) in whole.chars().enumerate() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let rest = rest.trim_end_matches('0');
    if rest.is_empty() { format!("{sign}{out}") } else { format!("{sign}{out}.{rest}") }
}

/// A value with its unit.
fn with_unit(unit: FigureUnit, value: f64) -> String {
    match unit.name() {
        "" => short(unit.shown(value)),
        name => format!("{} {name}", short(unit.shown(value))),
    }
}

/// The answer: the main figure over the sweep, then how much of what was published came out.
fn verdict(found: &SimulatedFound) -> String {
    let mut parts = Vec::new();
    if let Some(figure) = found.figures.get(found.main) {
        let known: Vec<(String, f64)> = found
            .points
            .iter()
            .filter_map(|p| {
                let word = |(key, value): (&SweptKey, &SweptValue)| match value.number {
                    Some(_) => format!("{} {}", key.label, value.text),
                    None => value.text.clone(),
                };
                let at: Vec<String> = found.keys.iter().zip(&p.at).map(word).collect();
                Some((at.join(", "), (*p.values.get(found.main)?)?))
            })
            .collect();
        let said = |(at, value): &(String, f64)| match at.as_str() {
            "" => with_unit(figure.unit, *value),
            at => format!("{} at {at}", with_unit(figure.unit, *value)),
        };
        parts.push(match known.as_slice() {
            [] => format!("{}: nothing came out.", figure.name),
            few if few.len() <= 4 => {
                format!("{}: {}.", figure.name, few.iter().map(said).collect::<Vec<_>>().join("; "))
            }
            many => {
                let by = |a: &&(String, f64), b: &&(String, f64)| a.1.total_cmp(&b.1);
                let (least, most) = (many.iter().min_by(by), many.iter().max_by(by));
                match least.zip(most) {
                    Some((least, most)) => {
                        format!(
                            "{}: from {} to {}, over {} points.",
                            figure.name,
                            said(least),
                            said(most),
                            many.len()
                        )
                    }
                    None => String::new(),
                }
            }
        });
    }
    parts.extend(published(found));
    parts.join(" ")
}

/// How much of what was published came out.
fn published(found: &SimulatedFound) -> Option<String> {
    let judged: Vec<_> = found
        .published
        .iter()
        .filter(|r| r.fitted.is_empty())
        .filter_map(|r| Some((r, r.holds()?)))
        .collect();
    let compared = found.published.iter().filter(|r| r.difference_pct.is_some()).count();
    let fitted = found.published.iter().filter(|r| !r.fitted.is_empty()).count();
    if compared == 0 {
        return None;
    }
    let held = judged.iter().filter(|(_, holds)| *holds).count();
    let mut text = match judged.len() {
        0 => format!("{compared} published numbers are set beside what came out."),
        all if held == all => format!(
            "{} within what was asked for.",
            if all == 1 {
                "The one number that is compared lies".to_owned()
            } else {
                format!("All {all} numbers that are compared lie")
            }
        ),
        all => format!("{held} of {all} numbers that are compared lie within what was asked for."),
    };
    let far =
        judged.iter().filter(|(_, holds)| !holds).filter_map(|(row, _)| Some((row, row.difference_pct?)));
    if let Some((row, difference)) = far.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
        let name = found.figures.get(row.figure).map_or("", |f| f.name.as_str());
        text.push_str(&format!(" Furthest off: {name} at {}, {difference:+.1} %.", row.at));
    }
    let unbound: Vec<f64> = found
        .published
        .iter()
        .filter(|r| r.fitted.is_empty() && r.holds().is_none())
        .filter_map(|r| r.difference_pct)
        .collect();
    let least = unbound.iter().copied().reduce(f64::min);
    let most = unbound.iter().copied().reduce(f64::max);
    if let Some((least, most)) = least.zip(most) {
        let (more, differ) = match (judged.len(), unbound.len()) {
            (0, 1) => (String::new(), "It differs"),
            (0, _) => (String::new(), "They differ"),
            (_, 1) => ("1 more, of which no bound was asked,".to_owned(), " differs"),
            (_, n) => (format!("{n} more, of which no bound was asked,"), " differ"),
        };
        text.push_str(&match unbound.len() {
            1 => format!(" {more}{differ} by {least:+.0} %."),
            _ => format!(" {more}{differ} by {least:+.0} to {most:+.0} %."),
        });
    }
    if fitted > 0 {
        text.push_str(&format!(
            " {fitted} more {} fitted and no prediction.",
            if fitted == 1 { "is" } else { "are" }
        ));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_count() {
        for (value, said) in [
            (2_398.6, "2,399"),
            (0.333_3, "0.333"),
            (7.019_9, "7.02"),
            (50.0, "50"),
            (1_234_567.8, "1,234,568"),
            (0.0, "0"),
            (-3.25, "-3.25"),
        ] {
            assert_eq!(short(value), said);
        }
    }
}
