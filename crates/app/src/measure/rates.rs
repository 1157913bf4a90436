//! `ramp --arrivals`: more and more requests a second, whether the storage keeps up or not, up to the rate that
//! it cannot serve.
//!
//! Latency counts from when a request was to start. Where more arrive than are served they pile up: such a run
//! ends as soon as that is clear, and what it served meanwhile is what the storage can do.

use super::ramp::operation;
use super::supervise::Runner;
use super::sweep::{Each, add, begin, failures, keep_curve, ms, number, stream};
use spindle_workload::{
    Arrivals, CurveLatency, CurvePoint, DeviceCurve, Figure, Form, Job, Measured, Parameters, Pattern, Point,
    RateStep, RatesFound, StreamResult, Times, undisturbed,
};

/// Where it begins: this share of what one request at a time brings.
const FIRST: f64 = 0.25;
/// From one rate to the next.
const STEP: f64 = 1.6;
/// More rates are not tried.
const MOST_STEPS: usize = 48;
/// Once more arrived than were served: rates below that, as shares of the highest served.
const BELOW: [f64; 4] = [0.8, 0.9, 0.95, 0.975];
/// Share of the arrivals that may be under way at the end, beside what the latency explains.
const OPEN_SHARE: f64 = 0.02;
/// A run ends when what is not answered is what arrives in so many seconds.
const BEHIND_S: f64 = 1.5;
/// A point of the curve brings at least this much more than the one before.
const CURVE_GAIN: f64 = 1.01;
/// Where this share of what arrived was served although requests piled up, they need not do so in another run.
const CHANCE: f64 = 0.9;
/// A rate below the highest served by less than this part is not held against it.
const BELOW_SERVED: f64 = 0.98;

/// What is asked of the storage at each rate.
#[derive(Clone, Debug, PartialEq)]
pub struct RatesOrder {
    /// At random times, or all at the same distance.
    pub poisson: bool,
    /// Share of reads, percent.
    pub read_pct: f64,
    /// Bytes a request.
    pub size: u32,
    /// Order of addresses.
    pub pattern: Pattern,
    /// Each run.
    pub each: Each,
}

/// Finds the highest rate that is served, and the latency by rate up to it.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn rates(runner: &mut dyn Runner, order: &RatesOrder) -> Result<Measured, String> {
    let mut measured = begin(Form::Ramp);
    let targets = runner.bytes().len().max(1) as f64;
    let alone = stream("one at a time", order.read_pct, order.size, order.pattern, 1);
    let job = order.each.job("one at a time".to_owned(), vec![alone]);
    let parameters = Parameters { phase: Some(ALONE.to_owned()), ..Parameters::default() };
    let mut on = add(&mut measured, runner, parameters, &job)?;
    let first = measured.points.first().filter(|p| !p.result.is_spoiled());
    let first = first.and_then(|p| all(&p.result.streams));
    let alone =
        first.as_ref().and_then(|s| Some((s.iops?, s.latency_us.mean?))).filter(|(rate, _)| *rate > 0.0);
    let one_by_one = first.as_ref().and_then(Figure::rate);
    let mut steps: Vec<RateStep> = Vec::new();
    if let Some((rate, alone_us)) = alone {
        let asked_of = |asked: f64| Asked { per_s: asked, alone_us, targets };
        let mut asked = rate * FIRST;
        // What piled up below what is served is no limit.
        while on && steps.len() < MOST_STEPS && steps.iter().all(|s| s.kept || s.stalled) {
            on = step(&mut measured, runner, order, &asked_of(asked), &mut steps)?;
            judge(&mut steps, one_by_one);
            asked *= STEP;
        }
        for share in BELOW {
            let kept = most(&steps, |s| s.kept.then_some(s.asked_per_s));
            let over = limits(&steps).fold(f64::INFINITY, f64::min);
            let served = most(&steps, |s| s.served_per_s.map(|f| f.value));
            let asked = share * served.max(one_by_one.map_or(0.0, |f| f.value));
            // Nothing between two that are as good as one.
            if on && over.is_finite() && asked > kept * 1.02 && asked < over * 0.98 {
                on = step(&mut measured, runner, order, &asked_of(asked), &mut steps)?;
                judge(&mut steps, one_by_one);
            }
        }
    }
    steps.sort_by(|a, b| a.asked_per_s.total_cmp(&b.asked_per_s));
    measured.points.sort_by(|a, b| {
        let of = |p: &Point| p.parameters.offered_iops.unwrap_or(0.0);
        of(a).total_cmp(&of(b))
    });
    let found = RatesFound {
        poisson: order.poisson,
        alone_us: alone.map(|(_, us)| us),
        knee_per_s: knee(&steps, one_by_one),
        steps,
    };
    let (curve, disturbed) = curve(order, &measured.points, &found);
    keep_curve(&mut measured, curve, &disturbed, "a second");
    measured.verdict = verdict(&found) + &failures(&measured.points);
    measured.rates = Some(found);
    Ok(measured)
}

/// Name of the first run.
const ALONE: &str = "one at a time";

/// What is asked of a run with a rate, and what it is judged by.
struct Asked {
    per_s: f64,
    /// Latency of one request alone.
    alone_us: f64,
    targets: f64,
}

/// Runs with a rate, over all targets. A rate at which requests pile up is run again: they also do while a path fails
/// over, or the machine stands still, and that says nothing of the rate.
fn step(
    measured: &mut Measured,
    runner: &mut dyn Runner,
    order: &RatesOrder,
    asked: &Asked,
    steps: &mut Vec<RateStep>,
) -> Result<bool, String> {
    let (on, first) = once(measured, runner, order, asked)?;
    let Some(first) = first else { return Ok(on) };
    if first.kept || !on {
        steps.push(first);
        return Ok(on);
    }
    let (on, second) = once(measured, runner, order, asked)?;
    let served = |s: &RateStep| s.served_per_s.map_or(0.0, |f| f.value);
    steps.push(match second {
        Some(second) if second.kept => {
            let why = if served(&first) >= CHANCE * asked.per_s {
                "so close to the most that is served that is a matter of chance"
            } else {
                "the storage, its path or this machine stood still for a time"
            };
            measured.warnings.push(format!(
                "at {} a second requests piled up in one run, {} a second were answered, and not in the next: {why}; the \
                 next run is the one that counts",
                number(asked.per_s),
                number(served(&first))
            ));
            second
        }
        Some(second) if served(&second) > served(&first) => second,
        _ => first,
    });
    Ok(on)
}

/// One run with a rate; the step is `None` where it was cut, which says nothing of whether it would have kept up.
fn once(
    measured: &mut Measured,
    runner: &mut dyn Runner,
    order: &RatesOrder,
    asked: &Asked,
) -> Result<(bool, Option<RateStep>), String> {
    let (per_s, targets) = (asked.per_s, asked.targets);
    let mut one = stream("rate", order.read_pct, order.size, order.pattern, 1);
    one.arrivals = Arrivals::Open { iops: per_s / targets, poisson: order.poisson };
    let mut job: Job = order.each.job(format!("{} a second", number(per_s)), vec![one]);
    let behind = (per_s / targets * BEHIND_S.max(order.each.warm_up_s + 0.5)).max(8.0);
    job.end.unserved = Some(behind as u64);
    let parameters = Parameters { offered_iops: Some(per_s), ..Parameters::default() };
    let before = measured.points.len();
    let on = add(measured, runner, parameters, &job)?;
    let streams = match measured.points.get(before) {
        Some(point) if on => &point.result.streams,
        _ => return Ok((on, None)),
    };
    let unserved = streams.iter().map(|s| s.unserved).sum::<Option<u64>>();
    let whole = streams.iter().all(|s| s.elapsed_s.is_some_and(|t| t >= 0.98 * order.each.seconds));
    let arrived = per_s * (order.each.seconds + order.each.warm_up_s);
    let explained = OPEN_SHARE * arrived + 3.0 * per_s * asked.alone_us / 1e6 + 4.0 * targets;
    let sum = all(streams);
    let step = RateStep {
        asked_per_s: per_s,
        served_per_s: sum.as_ref().and_then(Figure::rate),
        latency_us: sum.as_ref().map(Times::of).unwrap_or_default(),
        unserved,
        kept: whole && unserved.is_some_and(|n| n as f64 <= explained),
        stalled: false,
    };
    Ok((on, Some(step)))
}

/// The highest rate that any run served.
fn highest(steps: &[RateStep], one_by_one: Option<Figure>) -> f64 {
    most(steps, |s| s.served_per_s.map(|f| f.value)).max(one_by_one.map_or(0.0, |f| f.value))
}

/// Marks the rates at which requests piled up though more was served in another run.
fn judge(steps: &mut [RateStep], one_by_one: Option<Figure>) {
    let highest = highest(steps, one_by_one);
    for step in steps.iter_mut() {
        step.stalled = !step.kept && step.asked_per_s < BELOW_SERVED * highest;
    }
}

/// Rates that are too much.
fn limits(steps: &[RateStep]) -> impl Iterator<Item = f64> {
    steps.iter().filter(|s| !s.kept && !s.stalled).map(|s| s.asked_per_s)
}

/// The streams of all targets as one.
fn all(streams: &[StreamResult]) -> Option<StreamResult> {
    let (first, rest) = streams.split_first()?;
    rest.iter().try_fold(first.clone(), |sum, one| sum.merged(one).ok())
}

fn most(steps: &[RateStep], of: impl Fn(&RateStep) -> Option<f64>) -> f64 {
    steps.iter().filter_map(of).fold(0.0, f64::max)
}

/// The highest rate that was served; `None` where no rate was too much. Its bounds are those of the run that
/// served it, and no lower than what was served without delay.
fn knee(steps: &[RateStep], one_by_one: Option<Figure>) -> Option<Figure> {
    let over = limits(steps).min_by(f64::total_cmp)?;
    let served = |s: &&RateStep| s.served_per_s.map_or(0.0, |f| f.value);
    let best = steps.iter().filter(|s| !s.stalled).max_by(|a, b| served(a).total_cmp(&served(b)))?;
    let rate = best.served_per_s.filter(|rate| rate.value > 0.0)?;
    if let Some(alone) = one_by_one.filter(|alone| alone.value > rate.value) {
        // One request at a time was served faster than any rate.
        return Some(Figure::new(alone.value, Some((alone.value, over.max(alone.value)))));
    }
    if best.kept {
        // More was served below than when too much was asked: it lies between the two.
        return Some(Figure::new(rate.value, Some((rate.value, over.max(rate.value)))));
    }
    let kept =
        steps.iter().filter(|s| s.kept).filter_map(|s| s.served_per_s).map(|f| f.value).fold(0.0, f64::max);
    Some(Figure::new(rate.value, rate.bounds().map(|(low, high)| (low.max(kept).min(rate.value), high))))
}

/// Latency by rate, of the rates that were kept up with; and the rates that are left out of it, since their
/// requests took longer than those at higher ones.
fn curve(order: &RatesOrder, points: &[Point], found: &RatesFound) -> (Option<DeviceCurve>, Vec<f64>) {
    let mut kept: Vec<CurvePoint> = Vec::new();
    for step in found.steps.iter().filter(|s| s.kept) {
        let (Some(served), Some(mean)) = (step.served_per_s, step.latency_us.mean) else { continue };
        if served.value <= 0.0 || kept.last().is_some_and(|last| served.value < last.iops * CURVE_GAIN) {
            continue;
        }
        kept.push(CurvePoint {
            concurrency: None,
            offered_iops: Some(step.asked_per_s),
            iops: served.value,
            latency_us: CurveLatency {
                mean: mean.value,
                p50: step.latency_us.p50.map(|f| f.value),
                p99: step.latency_us.p99.map(|f| f.value),
                low: mean.low,
                high: mean.high,
                deviation: None,
            },
        });
    }
    let (kept, disturbed) = undisturbed(kept);
    let disturbed: Vec<f64> = disturbed.iter().map(|p| p.iops).collect();
    if kept.is_empty() {
        return (None, disturbed);
    }
    let devices: Vec<&str> = points
        .first()
        .map(|p| p.result.environment.devices.iter().map(|d| d.path.as_str()).collect())
        .unwrap_or_default();
    let how = if order.poisson { "at random times" } else { "at fixed times" };
    let curve = DeviceCurve {
        kind: "curve".to_owned(),
        operation: operation(order.read_pct).to_owned(),
        block_bytes: Some(f64::from(order.size)),
        points: kept,
        source: Some(format!("spindle measure ramp on {}, arrivals {how}", devices.join(", "))),
        seed: Some(order.each.seed),
        ends_below_knee: found.knee_per_s.is_none(),
    };
    (Some(curve), disturbed)
}

fn verdict(found: &RatesFound) -> String {
    let Some(alone) = found.alone_us else {
        return "No load brought any request to an end.".to_owned();
    };
    let alone = format!("Alone a request takes {}.", ms(alone));
    let kept = found.steps.iter().rev().find(|s| s.kept);
    let at = kept.and_then(|s| Some((s.asked_per_s, s.latency_us.mean?.value))).map_or_else(
        String::new,
        |(rate, us)| {
            let p99 = kept
                .and_then(|s| s.latency_us.p99)
                .map_or_else(String::new, |f| format!(", 99 of 100 within {}", ms(f.value)));
            format!(" At {} a second it takes {} from when it was to start{p99}.", number(rate), ms(us))
        },
    );
    let stood: Vec<String> =
        found.steps.iter().filter(|s| s.stalled).map(|s| number(s.asked_per_s)).collect();
    let stood = if stood.is_empty() {
        String::new()
    } else {
        format!(
            " At {} a second requests piled up in two runs, though more is served: the storage stood still then, and may \
             again; see the course of those runs.",
            stood.join(" and ")
        )
    };
    let Some(knee) = found.knee_per_s else {
        return match kept {
            Some(step) => format!(
                "{alone}{at} No rate was found that is too much, up to {} a second.{stood}",
                number(step.asked_per_s)
            ),
            None => alone + &stood,
        };
    };
    let between = match knee.bounds() {
        Some((low, high)) if low < high => format!(" (between {} and {})", number(low), number(high)),
        _ => String::new(),
    };
    let over = limits(&found.steps).next().unwrap_or(0.0);
    format!(
        "{alone}{at} {} a second{between} is the most that is served; at {} a second requests piled up.{stood}",
        number(knee.value),
        number(over)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn order(poisson: bool) -> RatesOrder {
        RatesOrder {
            poisson,
            read_pct: 100.0,
            size: 8_192,
            pattern: Pattern::Random,
            each: Each { seconds: 20.0, warm_up_s: 1.0, seed: 13 },
        }
    }

    #[test]
    fn the_rate_that_a_known_device_serves_is_found() {
        for (latency_us, cap, poisson) in [
            (8_000.0, 150.0, true),
            (8_000.0, 150.0, false),
            (500.0, 3_000.0, true),
            (20_000.0, 1_000.0, true),
        ] {
            let mut model = Model::new(latency_us, Some(cap), None, 1);
            let measured = rates(&mut model, &order(poisson)).unwrap();
            let found = measured.rates.clone().unwrap();
            let knee = found.knee_per_s.unwrap();
            assert!((knee.value / cap - 1.0).abs() < 0.01, "{cap}: {knee:?}");
            let (low, high) = knee.bounds().unwrap();
            assert!(low <= cap * 1.01 && high >= cap * 0.99 && low <= high, "{cap}: {knee:?}");
            let curve = measured.curve.clone().unwrap().checked().unwrap();
            assert!(curve.points.len() >= 4 && curve.highest_iops() > 0.85 * cap, "{curve:?}");
            // Nearly alone it takes what is set, and more the nearer the cap.
            assert!((curve.points[0].latency_us.mean / latency_us - 1.0).abs() < 0.3, "{curve:?}");
            assert!(
                curve.points.iter().all(|p| p.iops <= cap * 1.02 && p.latency_us.mean >= latency_us * 0.999)
            );
            let over = found.steps.iter().filter(|s| !s.kept).map(|s| s.asked_per_s).fold(f64::MAX, f64::min);
            assert!(over > 0.9 * cap, "{found:?}");
            assert!(measured.verdict.contains("requests piled up"), "{}", measured.verdict);
        }
    }

    #[test]
    fn latency_near_the_knee_is_that_of_a_queue() {
        // One server of 1 / cap: a request waits rho / (2 (1 - rho)) of its service, and takes at least the latency.
        let mut long = order(true);
        long.each.seconds = 400.0;
        let cap = 1_000.0;
        let measured = rates(&mut Model::new(100.0, Some(cap), None, 1), &long).unwrap();
        for step in measured.rates.unwrap().steps.iter().filter(|s| s.kept && s.asked_per_s < 0.92 * cap) {
            let rho = step.asked_per_s / cap;
            let waits_us = 1e6 / cap * rho / (2.0 * (1.0 - rho));
            let mean = step.latency_us.mean.unwrap().value;
            // It waits for its turn, and then takes the latency.
            assert!((mean / (waits_us + 100.0) - 1.0).abs() < 0.15, "{rho}: {mean} for {waits_us}");
        }
    }

    #[test]
    fn a_run_above_the_knee_ends_when_it_is_clear() {
        let measured = rates(&mut Model::new(8_000.0, Some(150.0), None, 1), &order(true)).unwrap();
        let over: Vec<&Point> = measured
            .points
            .iter()
            .filter(|p| p.parameters.offered_iops.is_some_and(|rate| rate > 1.2 * 150.0))
            .collect();
        assert!(!over.is_empty());
        for point in over {
            assert!(point.result.streams[0].elapsed_s.unwrap() < 15.0, "{:?}", point.parameters);
        }
    }

    /// A device of 300 a second that is one of 15 in these runs.
    fn standing_still(runs: &[usize]) -> Measured {
        let mut model = Model::new(4_000.0, Some(300.0), None, 1);
        model.slow = runs.iter().map(|run| (*run, Model::new(4_000.0, Some(15.0), None, 1))).collect();
        rates(&mut model, &order(true)).unwrap()
    }

    #[test]
    fn a_pause_in_one_run_made_a_device_of_300_one_of_15() {
        // The third run is the second rate; each of the first five may stand still.
        for run in 2..=6 {
            let measured = standing_still(&[run]);
            let found = measured.rates.clone().unwrap();
            let knee = found.knee_per_s.unwrap();
            assert!((knee.value / 300.0 - 1.0).abs() < 0.02, "{run}: {knee:?}, {}", measured.verdict);
            let (low, high) = knee.bounds().unwrap();
            assert!(low <= 303.0 && high >= 297.0, "{run}: {knee:?}");
            assert!(found.steps.iter().all(|s| !s.stalled), "{run}: {found:?}");
            let told = measured.warnings.iter().any(|w| w.contains("piled up in one run"));
            // The run above the knee piles up either way.
            assert!(told || run >= 6, "{run}: {:?}", measured.warnings);
        }
    }

    #[test]
    fn a_rate_that_piles_up_twice_below_what_is_served_is_no_limit() {
        let measured = standing_still(&[3, 4]);
        let found = measured.rates.clone().unwrap();
        assert!((found.knee_per_s.unwrap().value / 300.0 - 1.0).abs() < 0.02, "{}", measured.verdict);
        assert_eq!(found.steps.iter().filter(|s| s.stalled).count(), 1);
        assert!(
            measured.verdict.contains("piled up in two runs, though more is served"),
            "{}",
            measured.verdict
        );
        let curve = measured.curve.unwrap().checked().unwrap();
        assert!(curve.highest_iops() > 250.0, "{curve:?}");
    }

    #[test]
    fn two_targets_serve_twice_the_rate() {
        let measured = rates(&mut Model::new(8_000.0, Some(150.0), None, 2), &order(true)).unwrap();
        let knee = measured.rates.unwrap().knee_per_s.unwrap();
        assert!((knee.value / 300.0 - 1.0).abs() < 0.02, "{knee:?}");
    }

    #[test]
    fn one_disturbed_rate_cost_the_whole_curve() {
        let step = |rate: f64, us: f64| RateStep {
            asked_per_s: rate,
            served_per_s: Some(Figure::new(rate, None)),
            latency_us: Times { mean: Some(Figure::new(us, None)), ..Times::default() },
            unserved: Some(0),
            kept: true,
            stalled: false,
        };
        let steps =
            vec![step(30.0, 17_000.0), step(47.0, 14_000.0), step(70.0, 13_500.0), step(90.0, 28_000.0)];
        let found = RatesFound { poisson: true, alone_us: Some(8_000.0), knee_per_s: None, steps };
        let (curve, disturbed) = curve(&order(true), &[], &found);
        let curve = curve.unwrap().checked().unwrap();
        let rates: Vec<f64> = curve.points.iter().map(|p| p.iops).collect();
        assert_eq!((rates, disturbed), (vec![47.0, 70.0, 90.0], vec![30.0]));
    }

    #[test]
    fn what_is_stopped_keeps_its_rates_and_judges_none_that_was_cut() {
        let mut model = Model::new(8_000.0, Some(150.0), None, 1);
        model.cut_after = Some(3);
        let measured = rates(&mut model, &order(true)).unwrap();
        assert_eq!((measured.points.len(), measured.incomplete.as_deref()), (3, Some("it was stopped")));
        let found = measured.rates.unwrap();
        assert_eq!((found.steps.len(), found.knee_per_s), (1, None));
        assert!(measured.verdict.contains("No rate was found that is too much"), "{}", measured.verdict);
    }
}
