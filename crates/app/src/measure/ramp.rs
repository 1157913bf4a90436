//! `ramp`: more and more requests under way, up to where more load brings only waiting.

use super::supervise::Runner;
use super::sweep::{
    ENOUGH, Each, Load, add, begin, failures, keep_curve, knee, ms, number, stream, sum, whole,
};
use spindle_workload::{
    CurveLatency, CurvePoint, DeviceCurve, Form, Knee, Measured, Parameters, Pattern, Point, StreamResult,
    undisturbed,
};

/// A step up that brings less than this brings nothing.
const GAIN: f64 = 1.03;
/// Runs between the last step below the knee and the first above.
const REFINEMENTS: usize = 4;
/// A point of the curve brings at least this much more than the one before.
const CURVE_GAIN: f64 = 1.01;

/// What is asked of the storage at each step.
#[derive(Clone, Debug, PartialEq)]
pub struct RampOrder {
    /// Share of reads, percent.
    pub read_pct: f64,
    /// Bytes a request.
    pub size: u32,
    /// Order of addresses.
    pub pattern: Pattern,
    /// Requests under way on each target at most.
    pub most_depth: u32,
    /// Each run.
    pub each: Each,
}

/// Finds the knee, and the latency by load.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn ramp(runner: &mut dyn Runner, order: &RampOrder) -> Result<Measured, String> {
    let mut measured = begin(Form::Ramp);
    let targets = runner.bytes().len().max(1) as f64;
    let mut step = |measured: &mut Measured, depth: u32| {
        let concurrency = f64::from(depth) * targets;
        let stream = stream("ramp", order.read_pct, order.size, order.pattern, depth);
        let job = order.each.job(format!("{} under way", number(concurrency)), vec![stream]);
        let parameters = Parameters { concurrency: Some(concurrency), ..Parameters::default() };
        add(measured, runner, parameters, &job)
    };
    let (mut depth, mut flat) = (1_u32, 0);
    let mut before: Option<f64> = None;
    let mut on = true;
    while depth <= order.most_depth && flat < 2 {
        on = step(&mut measured, depth)?;
        if !on {
            // A step that was cut, by a device that hangs or by Ctrl-C, shows nothing of its load.
            break;
        }
        let iops = measured.points.last().map(|p| sum(&p.result, |_| true).iops);
        flat = match (before, iops) {
            (Some(before), Some(iops)) if iops < before * GAIN => flat + 1,
            _ => 0,
        };
        before = iops;
        depth = match depth.checked_mul(2) {
            Some(next) if next > order.most_depth && depth < order.most_depth => order.most_depth,
            Some(next) => next,
            None => break,
        };
    }
    for _ in 0..if flat >= 2 { REFINEMENTS } else { 0 } {
        let found = loads(&measured.points);
        let most = found.iter().map(|l| l.sum.iops).fold(0.0, f64::max);
        let Some(above) = found.iter().position(|l| l.sum.iops >= ENOUGH * most) else { break };
        let Some(below) = above.checked_sub(1) else { break };
        let each = |l: &Load| (l.concurrency / targets).round();
        let (low, high) = (each(&found[below]), each(&found[above]));
        if !on || high - low < 2.0 || high < low * 1.1 {
            break;
        }
        on = step(&mut measured, f64::midpoint(low, high).floor() as u32)?;
    }
    measured.points.sort_by(|a, b| {
        let of = |p: &Point| p.parameters.concurrency.unwrap_or(0.0);
        of(a).total_cmp(&of(b))
    });
    let loads = loads(&measured.points);
    let highest = knee(&loads);
    // Where no step was flat, the highest rate is where the ramp ended, and not where the device does.
    measured.knee = highest.filter(|_| flat >= 2);
    let (curve, disturbed) = curve(order, &measured.points, &loads, measured.knee.is_none());
    keep_curve(&mut measured, curve, &disturbed, "under way");
    measured.verdict = verdict(&measured, &loads, highest, flat) + &failures(&measured.points);
    Ok(measured)
}

fn loads(points: &[Point]) -> Vec<Load> {
    let mut loads: Vec<Load> = whole(points)
        .filter_map(|p| Some(Load { concurrency: p.parameters.concurrency?, sum: sum(&p.result, |_| true) }))
        .collect();
    loads.sort_by(|a, b| a.concurrency.total_cmp(&b.concurrency));
    loads
}

/// Latency by rate, as far as more load brought more: beyond, latency is a matter of patience. And the loads that are
/// left out of it, since their requests took longer than those at higher rates.
fn curve(
    order: &RampOrder,
    points: &[Point],
    loads: &[Load],
    ends_below_knee: bool,
) -> (Option<DeviceCurve>, Vec<f64>) {
    let mut kept: Vec<CurvePoint> = Vec::new();
    for (point, load) in whole(points).zip(loads) {
        let (iops, Some(mean)) = (load.sum.iops, load.sum.mean_us) else { continue };
        if iops <= 0.0 || kept.last().is_some_and(|last| iops < last.iops * CURVE_GAIN) {
            continue;
        }
        // Streams of several targets have percentiles of their own.
        let stream = match point.result.streams.as_slice() {
            [one] => Some(one),
            _ => None,
        };
        let one = stream.map(|stream| &stream.latency_us);
        // By Little's law: so many under way, so many done a second.
        let bounds = load.sum.interval.filter(|(low, _)| *low > 0.0);
        let law = |rate: f64| load.concurrency / rate * 1e6;
        kept.push(CurvePoint {
            concurrency: Some(load.concurrency),
            offered_iops: None,
            iops,
            latency_us: CurveLatency {
                mean,
                p50: one.and_then(|l| l.p50),
                p99: one.and_then(|l| l.p99),
                low: bounds.map(|(_, high)| law(high).min(mean)),
                high: bounds.map(|(low, _)| law(low).max(mean)),
                deviation: stream.and_then(StreamResult::deviation_us),
            },
        });
    }
    let (kept, disturbed) = undisturbed(kept);
    let disturbed = disturbed.iter().filter_map(|p| p.concurrency).collect();
    if kept.is_empty() {
        return (None, disturbed);
    }
    let devices: Vec<&str> = points
        .first()
        .map(|p| p.result.environment.devices.iter().map(|d| d.path.as_str()).collect())
        .unwrap_or_default();
    let curve = DeviceCurve {
        kind: "curve".to_owned(),
        operation: operation(order.read_pct).to_owned(),
        block_bytes: Some(f64::from(order.size)),
        points: kept,
        source: Some(format!("spindle measure ramp on {}, closed loop", devices.join(", "))),
        seed: Some(order.each.seed),
        ends_below_knee,
    };
    (Some(curve), disturbed)
}

/// As a curve calls it.
pub(super) fn operation(read_pct: f64) -> &'static str {
    match read_pct {
        all if all >= 100.0 => "read",
        none if none <= 0.0 => "write",
        _ => "mix",
    }
}

fn verdict(measured: &Measured, loads: &[Load], highest: Option<Knee>, flat: u32) -> String {
    let Some(knee) = highest else {
        return match measured.points.is_empty() || loads.len() == measured.points.len() {
            true => "No load brought any request to an end.".to_owned(),
            false => "Requests failed at every load: what the others took is no figure of it.".to_owned(),
        };
    };
    let first = loads.first().and_then(|l| Some((l.sum.iops, l.sum.mean_us?)));
    let alone = first.map_or_else(String::new, |(iops, us)| {
        format!("Alone a request takes {} ({} a second). ", ms(us), number(iops))
    });
    if measured.knee.is_none() {
        let on = " Go on with more (--most).";
        let last = number(loads.last().map_or(0.0, |l| l.concurrency));
        let each = highest_us(loads).map_or_else(String::new, |us| format!(" at {} each", ms(us)));
        let most = format!("{} a second{each}", number(knee.highest_iops));
        if measured.incomplete.is_some() {
            return format!("{alone}No knee was found: it ended before one could be; at most {most}.");
        }
        return match (loads.len(), flat) {
            (1, _) => format!("{alone}No knee was found: only one load was run.{on}"),
            (_, 0) => {
                format!("{alone}No knee was found: {last} requests under way still brought more, {most}.{on}")
            }
            _ => format!(
                "{alone}No knee is sure: the last step, to {last} under way, brought no more, and one is too few to tell; at \
                 most {most}.{on}"
            ),
        };
    }
    let between = match knee.interval {
        Some((low, high)) if low < high => format!(" (between {} and {})", number(low), number(high)),
        _ => String::new(),
    };
    format!(
        "{alone}From {} under way{between} more load brings only waiting: {} requests a second at {} each, of at most {}.",
        number(knee.concurrency),
        number(knee.iops),
        ms(knee.latency_us),
        number(knee.highest_iops)
    )
}

/// What a request took where most were answered.
fn highest_us(loads: &[Load]) -> Option<f64> {
    loads.iter().max_by(|a, b| a.sum.iops.total_cmp(&b.sum.iops))?.sum.mean_us
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn order() -> RampOrder {
        RampOrder {
            read_pct: 100.0,
            size: 8_192,
            pattern: Pattern::Random,
            most_depth: 256,
            each: Each { seconds: 20.0, warm_up_s: 1.0, seed: 13 },
        }
    }

    #[test]
    fn the_knee_of_a_known_device_is_found() {
        // 8 ms and 150 a second: 1.2 under way would do.
        let measured = ramp(&mut Model::new(8_000.0, Some(150.0), None, 1), &order()).unwrap();
        let knee = measured.knee.unwrap();
        assert_eq!(knee.concurrency, 2.0);
        assert!((knee.highest_iops - 150.0).abs() < 1.0, "{knee:?}");
        let curve = measured.curve.clone().unwrap().checked().unwrap();
        assert_eq!(curve.points.len(), 2, "what lies beyond the knee is no point of it");
        assert!((curve.latency_us(125.0).unwrap() - 8_000.0).abs() < 20.0);
        assert!(measured.verdict.contains("From 2 under way"), "{}", measured.verdict);
        // 10 ms and 1,000 a second: at 10, between the powers of two.
        let measured = ramp(&mut Model::new(10_000.0, Some(1_000.0), None, 1), &order()).unwrap();
        assert_eq!(measured.knee.unwrap().concurrency, 10.0, "{}", measured.verdict);
        let depths: Vec<f64> = measured.points.iter().filter_map(|p| p.parameters.concurrency).collect();
        assert!(depths.is_sorted() && depths.contains(&9.0), "{depths:?}");
    }

    #[test]
    fn a_device_without_a_cap_has_no_knee_and_that_is_said() {
        let mut few = order();
        few.most_depth = 6;
        let measured = ramp(&mut Model::new(1_000.0, None, None, 1), &few).unwrap();
        assert!(measured.verdict.contains("No knee was found: 6 requests under way"), "{}", measured.verdict);
        assert_eq!(measured.points.len(), 4);
        assert_eq!(measured.knee, None, "the load at which the ramp ended stood as a knee, sure");
        assert!(measured.curve.unwrap().ends_below_knee);
        let whole = ramp(&mut Model::new(8_000.0, Some(150.0), None, 1), &order()).unwrap();
        assert!(whole.knee.is_some() && !whole.curve.unwrap().ends_below_knee);
        // One flat step is not enough to tell.
        let mut few = order();
        few.most_depth = 4;
        let measured = ramp(&mut Model::new(8_000.0, Some(150.0), None, 1), &few).unwrap();
        assert!(measured.verdict.contains("No knee is sure: the last step, to 4"), "{}", measured.verdict);
        assert!(measured.knee.is_none() && measured.curve.unwrap().ends_below_knee);
    }

    #[test]
    fn a_curve_of_the_reads_was_made_of_a_mix_whose_writes_failed() {
        let mut model = Model::new(1_000.0, None, None, 1);
        model.failing_from = Some(3);
        let mixed = RampOrder { read_pct: 50.0, ..order() };
        let measured = ramp(&mut model, &mixed).unwrap();
        assert_eq!(measured.points.len(), 3, "more load tells nothing more");
        assert!(measured.incomplete.as_deref().unwrap().contains("failed"), "{:?}", measured.incomplete);
        assert!(measured.verdict.contains("requests failed."), "{}", measured.verdict);
        assert_eq!(measured.knee, None);
        assert_eq!(measured.curve.unwrap().points.len(), 2, "those before it failed");
        let mut model = Model::new(1_000.0, None, None, 1);
        model.failing_from = Some(1);
        let measured = ramp(&mut model, &mixed).unwrap();
        assert_eq!(measured.curve, None);
        assert!(measured.verdict.starts_with("Requests failed at every load"), "{}", measured.verdict);
    }

    #[test]
    fn a_disturbed_load_made_a_curve_that_size_refuses() {
        let mut model = Model::new(1_000.0, None, None, 1);
        model.slow = vec![(2, Model::new(1_600.0, None, None, 1))];
        let mut few = order();
        few.most_depth = 8;
        let measured = ramp(&mut model, &few).unwrap();
        let curve = measured.curve.clone().unwrap().checked().unwrap();
        let kept: Vec<f64> = curve.points.iter().filter_map(|p| p.concurrency).collect();
        assert_eq!(kept, [1.0, 4.0, 8.0]);
        let said = measured.warnings.iter().any(|w| w.starts_with("left out of the curve: 2 under way"));
        assert!(said, "{:?}", measured.warnings);
    }

    #[test]
    fn two_targets_carry_twice_the_load() {
        let measured = ramp(&mut Model::new(8_000.0, Some(150.0), None, 2), &order()).unwrap();
        assert_eq!(measured.knee.unwrap().concurrency, 4.0);
        assert!((measured.knee.unwrap().highest_iops - 300.0).abs() < 2.0);
    }

    #[test]
    fn a_step_that_was_cut_was_said_to_have_brought_no_more() {
        let mut model = Model::new(8_000.0, Some(150.0), None, 1);
        model.cut_after = Some(2);
        let measured = ramp(&mut model, &order()).unwrap();
        assert_eq!((measured.points.len(), measured.incomplete.as_deref()), (2, Some("it was stopped")));
        assert!(measured.verdict.contains("it ended before one could be"), "{}", measured.verdict);
        assert!(!measured.verdict.is_empty());
    }
}
