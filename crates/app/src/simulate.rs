//! `spindle simulate SCENARIO.toml`: the points of a scenario on all processors, as one measurement.

use crate::measure::open_trace;
use spindle_io_simulate::scenario::{PointRun, Progress, Scenario, Stage, Traces};
use spindle_workload::{
    Arrivals, Beside, DeviceCurve, FigureUnit, Form, Measured, Parameters, Point, PublishedRow, RunResult,
    SimulatedFound, Stream, SweptKey, SweptValue,
};
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

/// What a scenario came to.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// As one measurement.
    pub measured: Measured,
    /// Why it is no device curve; `None` where it is one.
    pub no_curve: Option<String>,
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
    /// Share of the filling of drives, where that is all that is done just now.
    pub filling: Option<f64>,
    /// A point runs until its figures are sure enough, so that nobody knows how long.
    pub is_open: bool,
}

/// Runs a scenario on all processors. `going` is told how far it has come, several times a second, and says whether to go on: where
/// not, the points that are done are the answer.
///
/// # Errors
/// With all that is wrong with the scenario, or what keeps a point from being run.
pub fn simulate(
    order: &ScenarioOrder,
    going: &mut dyn FnMut(ScenarioProgress) -> bool,
) -> Result<Simulated, String> {
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
        let stages: Vec<Stage> = progress
            .iter()
            .zip(&reported)
            .filter(|(_, reported)| !**reported)
            .map(|(progress, _)| progress.stage())
            .collect();
        let so_far = so_far(&stages, count, points);
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

/// How far it is, by what the points are at that are not done.
fn so_far(stages: &[Stage], done: usize, points: usize) -> ScenarioProgress {
    let run = |stage: &Stage| if let Stage::Running(share) = stage { *share } else { 0.0 };
    let filled = |stage: &Stage| if let Stage::Filling(share) = stage { Some(*share) } else { None };
    let behind = stages.iter().map(run).sum::<f64>() + done as f64;
    let filling = stages.iter().filter_map(filled).reduce(f64::min);
    ScenarioProgress {
        done,
        points,
        share: behind / points.max(1) as f64,
        filling: filling.filter(|_| behind <= 0.0),
        is_open: stages.contains(&Stage::Open),
    }
}

/// Starts the points; those that run when nobody listens any more end with the process.
fn started(scenario: &Arc<Scenario>) -> (mpsc::Receiver<Done>, Vec<Arc<Progress>>) {
    let (sender, receiver) = mpsc::channel();
    let all: Vec<Arc<Progress>> = (0..scenario.points()).map(|_| Arc::default()).collect();
    let traces = Arc::new(Traces::new(|name| Ok(Box::new(open_trace(name)?))));
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
) -> Simulated {
    let found = scenario.found(&runs);
    let program = format!("spindle {}", env!("CARGO_PKG_VERSION"));
    let mut lags: Vec<Vec<String>> = Vec::new();
    let lagging: Vec<bool> =
        runs.iter().map(|run| run.as_ref().is_some_and(|run| !run.behind.is_empty())).collect();
    let mut changing: Vec<Vec<String>> = Vec::new();
    let points: Vec<Point> = runs
        .into_iter()
        .enumerate()
        .filter_map(|(n, run)| {
            let PointRun { mut result, behind, unsteady, .. } = run?;
            lags.push(behind);
            changing.push(unsteady);
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
    let unsteady: Vec<&String> = changing.iter().flatten().collect();
    let unsteady = match unsteady.as_slice() {
        [] => None,
        [one] if points.len() == 1 => Some((*one).clone()),
        [first, ..] if points.len() == 1 => Some(format!("{first} And so are {} more.", unsteady.len() - 1)),
        [first, ..] => Some(format!(
            "At {} of {} points a mean is over more than one state; the first: {first}",
            changing.iter().filter(|one| !one.is_empty()).count(),
            points.len()
        )),
    };
    let length = length_s(&points);
    let mut measured = Measured {
        form: Form::Simulate,
        command: order.command.clone(),
        began_s: None,
        incomplete,
        points,
        knee: None,
        verdict: behind
            .into_iter()
            .chain(unsteady)
            .chain([verdict(&found, &lagging, length)])
            .collect::<Vec<_>>()
            .join(" "),
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
        warnings: warnings(&found),
    };
    let stateless: Vec<bool> =
        lags.iter().zip(&changing).map(|(lag, change)| !lag.is_empty() || !change.is_empty()).collect();
    let no_curve = match curve(&measured, &stateless) {
        Ok(mut curve) => {
            curve.source = Some(format!("{program}, simulated: {}", found.name));
            curve.seed = Some(found.seed);
            measured.curve = Some(curve);
            None
        }
        Err(why) => Some(why),
    };
    measured.simulated = Some(Box::new(found));
    Simulated { measured, no_curve }
}

/// The device curve that the points are; what is of no one state, or not kept up with, is no point of it.
fn curve(measured: &Measured, stateless: &[bool]) -> Result<DeviceCurve, String> {
    const HOW: &str = "a curve is one kind of requests under a rising load; vary the depth or rate of one load, and nothing else";
    let all = measured.points.len();
    if all < 2 {
        return Err(format!("one point is none; {HOW}"));
    }
    let of_a_state = measured.points.iter().zip(stateless).filter(|(_, stateless)| !**stateless);
    let points: Vec<Point> = of_a_state.map(|(point, _)| point.clone()).collect();
    if points.is_empty() {
        return Err(format!(
            "at none of {all} points did storage keep up and latency stay the same over the run, as told above; a longer \
             `warm_up`, a longer run or a lower load has such points"
        ));
    }
    let left = all - points.len();
    let by_rate = points.iter().all(|point| point.parameters.offered_iops.is_some());
    let runs = [Measured { points, ..measured.clone() }];
    let curve = if by_rate { DeviceCurve::of_rates(&runs) } else { DeviceCurve::of_results(&runs) };
    curve.map_err(|error| {
        let without = match left {
            0 => String::new(),
            n => format!(" ({n} of {all} points were left out, which are of no one state)"),
        };
        let loads = measured
            .points
            .iter()
            .any(|point| point.parameters.concurrency.or(point.parameters.offered_iops).is_none());
        let how = if loads { format!("; {HOW}") } else { String::new() };
        format!("{}{without}{how}", error.why)
    })
}

/// How long the longest run was recorded, seconds.
fn length_s(points: &[Point]) -> Option<f64> {
    let streams = points.iter().flat_map(|point| &point.result.streams);
    streams.filter_map(|stream| stream.elapsed_s).reduce(f64::max)
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
fn verdict(found: &SimulatedFound, lagging: &[bool], length_s: Option<f64>) -> String {
    let mut parts = Vec::new();
    if let Some(figure) = found.figures.get(found.main) {
        // What a request takes where more comes than is served is as long as the run.
        let is_time = figure.unit == FigureUnit::Microseconds;
        let served = found
            .points
            .iter()
            .enumerate()
            .filter(|(n, _)| !(is_time && lagging.get(*n).copied().unwrap_or(false)));
        /// Where a figure stands, its value, and its interval where that is wide.
        type Known = (String, f64, Option<(f64, f64)>);
        let known: Vec<Known> = served
            .filter_map(|(_, p)| {
                let word = |(key, value): (&SweptKey, &SweptValue)| match value.number {
                    Some(_) => format!("{} {}", key.label, value.text),
                    None => value.text.clone(),
                };
                let at: Vec<String> = found.keys.iter().zip(&p.at).map(word).collect();
                Some((at.join(", "), (*p.values.get(found.main)?)?, p.wide_interval(found.main)))
            })
            .collect();
        let said = |(at, value, wide): &Known| {
            let shown = |value: f64| short(figure.unit.shown(value));
            let wide =
                wide.map_or_else(String::new, |(low, high)| format!(" ({} to {})", shown(low), shown(high)));
            match at.as_str() {
                "" => format!("{}{wide}", with_unit(figure.unit, *value)),
                at => format!("{}{wide} at {at}", with_unit(figure.unit, *value)),
            }
        };
        parts.push(match known.as_slice() {
            [] if lagging.contains(&true) => format!("{}: none, as said.", figure.name),
            [] if figure.unit == FigureUnit::Seconds => format!(
                "{}: not known, since `{}` had not come to its end when the run did{}.",
                figure.name,
                figure.of,
                length_s.map_or_else(String::new, |seconds| format!(", after {} s", short(seconds)))
            ),
            [] => format!("{}: not known.", figure.name),
            few if few.len() <= 4 => {
                format!("{}: {}.", figure.name, few.iter().map(said).collect::<Vec<_>>().join("; "))
            }
            many => {
                let (least, most) = (
                    many.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
                    many.iter().max_by(|a, b| a.1.total_cmp(&b.1)),
                );
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

/// How much of what was published came out; then what is no comparison: formulas, what went in, what was fitted.
fn published(found: &SimulatedFound) -> Option<String> {
    let compared: Vec<&PublishedRow> = found.published.iter().filter(|r| r.is_compared()).collect();
    let (fitted, rest): (Vec<&PublishedRow>, Vec<&PublishedRow>) =
        compared.into_iter().partition(|r| !r.fitted.is_empty());
    let of = |beside: Beside| rest.iter().copied().filter(|r| r.beside == beside).collect::<Vec<_>>();
    let mut parts = Vec::new();
    parts.extend(predicted(found, &of(Beside::Published)));
    let formulas = of(Beside::Formula);
    if !formulas.is_empty() {
        parts.push(match formulas.len() {
            1 => "1 number is held against a formula.".to_owned(),
            n => format!("{n} numbers are held against formulas."),
        });
        parts.extend(held(found, &formulas));
    }
    let inputs = of(Beside::Input);
    if !inputs.is_empty() {
        let one = inputs.len() == 1;
        parts.push(format!(
            "{} {} the scenario was given and that {} to come back.",
            inputs.len(),
            if one { "is a number that" } else { "are numbers that" },
            if one { "has" } else { "have" }
        ));
        parts.extend(missed(found, &inputs));
    }
    if !fitted.is_empty() {
        parts.push(match fitted.len() {
            1 => "1 is fitted and no prediction.".to_owned(),
            n => format!("{n} are fitted and no predictions."),
        });
        parts.extend(missed(found, &fitted));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// What was published and not put in.
fn predicted(found: &SimulatedFound, rows: &[&PublishedRow]) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let (judged, unbound): (Vec<&PublishedRow>, Vec<&PublishedRow>) =
        rows.iter().copied().partition(|r| r.holds().is_some());
    let mut parts: Vec<String> = held(found, &judged).into_iter().collect();
    let differences: Vec<f64> = unbound.iter().filter_map(|r| r.difference_pct).collect();
    let least = differences.iter().copied().reduce(f64::min);
    let most = differences.iter().copied().reduce(f64::max);
    if let Some((least, most)) = least.zip(most) {
        // A number that is held against several points is one.
        let mut numbers: Vec<(usize, &str, u64)> = unbound
            .iter()
            .filter_map(|r| Some((r.figure, r.origin.as_str(), r.published?.to_bits())))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let points = unbound.len();
        let more = if judged.is_empty() { "" } else { " more" };
        let what = match numbers.len() {
            1 if points > 1 => {
                format!("1{more} published number is set beside what came out at {points} points")
            }
            1 => format!("1{more} published number is set beside what came out"),
            n => format!("{n}{more} published numbers are set beside what came out"),
        };
        let by = match points {
            1 => format!("{least:+.0} %"),
            _ => format!("{least:+.0} to {most:+.0} %"),
        };
        parts.push(format!("{what}, without a bound; what came out differs by {by}."));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// How many of them lie within what was asked for, and the one that is furthest off.
fn held(found: &SimulatedFound, rows: &[&PublishedRow]) -> Option<String> {
    let judged: Vec<bool> = rows.iter().filter_map(|r| r.holds()).collect();
    let held = judged.iter().filter(|holds| **holds).count();
    let text = match judged.len() {
        0 => return None,
        1 if held == 1 => "The one number that is compared lies within what was asked for.".to_owned(),
        1 => "The one number that is compared does NOT lie within what was asked for.".to_owned(),
        all if held == all => format!("All {all} numbers that are compared lie within what was asked for."),
        all => format!("{held} of {all} numbers that are compared lie within what was asked for."),
    };
    Some(std::iter::once(text).chain(missed(found, rows)).collect::<Vec<_>>().join(" "))
}

/// The one that is furthest from what was asked for, where one is.
fn missed(found: &SimulatedFound, rows: &[&PublishedRow]) -> Option<String> {
    // What differs from nothing differs by no number of times.
    let far = |row: &PublishedRow| row.difference_pct.map_or(f64::INFINITY, f64::abs);
    let misses = rows.iter().filter(|r| r.holds() == Some(false));
    let row = misses.max_by(|a, b| far(a).total_cmp(&far(b)))?;
    let figure = found.figures.get(row.figure)?;
    let at = if row.at.is_empty() { String::new() } else { format!(" at {}", row.at) };
    Some(match row.difference_pct {
        Some(difference) => format!("Furthest off: {}{at}, {difference:+.1} %.", figure.name),
        None => format!(
            "Furthest off: {}{at}, {} where 0 was published.",
            figure.name,
            row.simulated.map_or_else(String::new, |v| with_unit(figure.unit, v))
        ),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn told(rows: &[(f64, f64, Option<f64>, bool, Beside)]) -> String {
        let rows: Vec<PublishedRow> = rows
            .iter()
            .map(|(published, simulated, within, fitted, beside)| PublishedRow {
                figure: 0,
                at: "degree 4".to_owned(),
                origin: format!("{published}"),
                published: Some(*published),
                simulated: Some(*simulated),
                difference_pct: PublishedRow::difference(*published, *simulated),
                within_pct: *within,
                fitted: if *fitted { vec!["device.d.rate".to_owned()] } else { Vec::new() },
                beside: *beside,
            })
            .collect();
        let found = SimulatedFound {
            name: String::new(),
            about: None,
            experiment: None,
            source: None,
            notes: Vec::new(),
            seed: 13,
            keys: Vec::new(),
            figures: vec![spindle_workload::SimulatedFigure {
                name: "rate".to_owned(),
                unit: FigureUnit::PerSecond,
                of: "l".to_owned(),
                how: None,
            }],
            main: 0,
            points: Vec::new(),
            published: rows,
            parameters: Vec::new(),
        };
        published(&found).unwrap_or_default()
    }

    #[test]
    fn what_was_fitted_was_counted_among_what_was_published() {
        let (unbound, fitted) = ((124.0, 62.0, None, false, Beside::Published), Beside::Published);
        let said = told(&[unbound, (100.0, 68.0, None, false, fitted), (100.0, 108.0, None, true, fitted)]);
        assert!(
            said.contains("2 published numbers are set beside") && said.contains("-50 to -32 %"),
            "{said}"
        );
        assert!(said.contains("1 is fitted and no prediction."), "{said}");
    }

    #[test]
    fn what_went_in_and_what_a_formula_gives_were_told_as_comparisons() {
        let said = told(&[
            (16.0, 16.6, Some(6.0), false, Beside::Formula),
            (10.664, 10.62, Some(2.0), false, Beside::Input),
            (68.0, 50.0, None, false, Beside::Published),
        ]);
        assert!(
            said.starts_with("1 published number is set beside what came out, without a bound"),
            "{said}"
        );
        assert!(said.contains("1 number is held against a formula.") && !said.contains("All"), "{said}");
        assert!(said.contains("1 is a number that the scenario was given"), "{said}");
        // A miss of such a number is told all the same.
        let said = told(&[(10.0, 20.0, Some(2.0), false, Beside::Input)]);
        assert!(said.contains("Furthest off: rate at degree 4, +100.0 %"), "{said}");
        let said = told(&[(10.0, 20.0, Some(2.0), true, Beside::Published)]);
        assert!(said.contains("Furthest off: rate at degree 4, +100.0 %"), "{said}");
    }

    #[test]
    fn a_published_nothing_was_not_counted_as_missed() {
        let said = told(&[(0.0, 1_000.0, Some(1.0), false, Beside::Published)]);
        assert!(
            said.contains("does NOT lie") && said.contains("1,000 a second where 0 was published"),
            "{said}"
        );
    }

    #[test]
    fn rates_that_were_all_served_were_missing_from_a_curve() {
        let text = "name = \"s\"\n[end]\ntime = \"60 s\"\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\n\
                    latency = \"1 ms\"\n[load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\n\
                    rate = \"10 IOPS\"\n";
        for seed in [1, 4, 5, 13] {
            let order = ScenarioOrder {
                name: "s.toml".to_owned(),
                text: text.to_owned(),
                sweeps: vec![("load.l.rate".to_owned(), "10 IOPS..100 IOPS:10 IOPS".to_owned())],
                seed: Some(seed),
                command: String::new(),
            };
            let curve = simulate(&order, &mut |_| true).unwrap().measured.curve.unwrap();
            let asked: Vec<f64> = curve.points.iter().filter_map(|p| p.offered_iops).collect();
            assert_eq!(asked, (1..=10).map(|n| f64::from(n) * 10.0).collect::<Vec<_>>(), "seed {seed}");
        }
    }

    /// A cache that is empty at first.
    const WARMING: &str = "name = \"s\"\n[end]\ntime = \"20 s\"\n[parameter]\nr = \"500 IOPS\"\n[device.s]\nkind = \"latency_cap\"\n\
        capacity = \"10 GB\"\nlatency = \"5 ms\"\n[device.f]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\nlatency = \"0.1 ms\"\n\
        [cache.c]\non = \"f\"\nbefore = \"s\"\npolicy = \"lru\"\ncapacity = \"400 MB\"\npage = \"8 KiB\"\nwrites = \"around\"\n\
        [load.l]\non = \"c\"\nreads = \"100 %\"\npattern = \"random\"\nregion = { from = \"0 %\", length = \"5 %\" }\n\
        block = \"8 KiB\"\nrate = \"$r\"\n";

    fn swept(text: &str, key: &str, values: &str) -> Simulated {
        let order = ScenarioOrder {
            name: "s.toml".to_owned(),
            text: text.to_owned(),
            sweeps: vec![(key.to_owned(), values.to_owned())],
            seed: None,
            command: String::new(),
        };
        simulate(&order, &mut |_| true).unwrap()
    }

    #[test]
    fn a_point_of_no_state_was_one_of_a_curve() {
        let cold = swept(WARMING, "r", "1500 IOPS, 2000 IOPS, 3000 IOPS");
        assert_eq!(cold.measured.curve, None);
        // The reason that was given said that something else than a load was varied.
        let why = cold.no_curve.unwrap();
        assert!(why.contains("at none of 3 points") && !why.contains("nothing else"), "{why}");
        let warm =
            swept(&WARMING.replace("[end]", "warm_up = \"200 s\"\n[end]"), "r", "1500 IOPS, 2000 IOPS");
        assert_eq!(warm.measured.curve.unwrap().points.len(), 2, "{:?}", warm.no_curve);
    }

    #[test]
    fn a_curve_that_falls_was_refused_for_another_reason() {
        let text = "name = \"s\"\n[end]\ntime = \"20 s\"\n[parameter]\nx = \"5 ms\"\n[device.d]\nkind = \"latency_cap\"\n\
                    capacity = \"1 GB\"\nlatency = \"$x\"\n[load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\n\
                    block = \"8 KiB\"\ndepth = 1\n";
        let why = swept(text, "x", "5 ms, 1 ms").no_curve.unwrap();
        assert!(why.contains("latency does not fall as load rises"), "{why}");
        let one = swept(text, "x", "5 ms").no_curve.unwrap();
        assert!(one.starts_with("one point is none"), "{one}");
    }

    #[test]
    fn a_load_that_had_not_ended_was_said_to_have_come_to_nothing() {
        let text = "name = \"s\"\n[end]\ntime = \"60 s\"\n[parameter]\nx = 1\n[device.d]\nkind = \"latency_cap\"\ncapacity = \"1 GB\"\n\
                    latency = \"5 ms\"\n[load.l]\non = \"d\"\nreads = \"100 %\"\npattern = \"random\"\nblock = \"8 KiB\"\ndepth = \"$x\"\n\
                    [[figure]]\nname = \"time\"\nof = \"l\"\nmeasure = \"elapsed\"\n";
        let said = swept(text, "x", "1").measured.verdict;
        assert!(
            said.contains("time: not known, since `l` had not come to its end when the run did, after 60 s."),
            "{said}"
        );
    }

    #[test]
    fn a_run_without_a_known_end_was_said_to_end_at_once() {
        let filling = so_far(&[Stage::Filling(0.25), Stage::Filling(0.5)], 0, 2);
        assert_eq!((filling.filling, filling.is_open), (Some(0.25), false));
        assert!(so_far(&[Stage::Open], 0, 1).is_open);
        // A share of one in 10^12 is one.
        assert_eq!(so_far(&[Stage::Running(1e-12)], 0, 1).share, 1e-12);
    }

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
