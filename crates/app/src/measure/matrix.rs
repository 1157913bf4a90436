//! `matrix`: small and large requests beside each other, over a grid of both, as Orion has it.

use super::supervise::Runner;
use super::sweep::{Each, add, begin, failures, number, stream, sum, whole};
use spindle_workload::{Form, Matrix, Measured, Parameters, Pattern, Point, Volume};

/// Bytes of a MB as Orion counts them.
const ORION_MB: f64 = 1_048_576.0;
/// Rows or columns at most; a longer axis is thinned out.
const MOST_STEPS: usize = 11;

/// Which points of the grid are run. As Orion's `-matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixKind {
    /// Small alone and large alone.
    Basic,
    /// Every combination.
    Detailed,
    /// One combination.
    Point,
    /// Large as given, small from none up.
    Row,
    /// Small as given, large from none up.
    Col,
    /// The combinations with as many of one of them as there are.
    Max,
}

impl MatrixKind {
    fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Detailed => "detailed",
            Self::Point => "point",
            Self::Row => "row",
            Self::Col => "col",
            Self::Max => "max",
        }
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixOrder {
    /// Which points.
    pub kind: MatrixKind,
    /// Small requests under way at most, over all targets.
    pub small: u32,
    /// Large requests under way at most, over all targets.
    pub large: u32,
    /// Bytes of each.
    pub sizes: (u32, u32),
    /// Large requests follow each other instead of lying anywhere.
    pub sequential: bool,
    /// Share of writes, percent.
    pub write_pct: f64,
    /// Each run.
    pub each: Each,
    /// The targets are one volume, which the runner takes for one target.
    pub volume: Option<Volume>,
}

const SMALL: &str = "small";
const LARGE: &str = "large";

/// Runs the grid.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn matrix(runner: &mut dyn Runner, order: &MatrixOrder) -> Result<Measured, String> {
    let mut measured = begin(Form::Matrix);
    let targets = u32::try_from(runner.bytes().len().max(1)).unwrap_or(1);
    for (small, large) in grid(order, targets) {
        let read_pct = 100.0 - order.write_pct;
        let pattern = if order.sequential { Pattern::Sequential } else { Pattern::Random };
        let mut streams = Vec::new();
        if small > 0 {
            streams.push(stream(SMALL, read_pct, order.sizes.0, Pattern::Random, small));
        }
        if large > 0 {
            streams.push(stream(LARGE, read_pct, order.sizes.1, pattern, large));
        }
        let (small, large) = (small * targets, large * targets);
        let job = order.each.job(format!("small {small}, large {large}"), streams);
        let parameters = Parameters { small: Some(small), large: Some(large), ..Parameters::default() };
        if !add(&mut measured, runner, parameters, &job)? {
            break;
        }
    }
    for (asked, option) in [(order.small, "--small"), (order.large, "--large")] {
        let shared = asked.div_ceil(targets) * targets;
        if shared != asked {
            measured.warnings.push(format!(
                "{option} {asked} does not divide over {targets} devices: up to {shared} were under way, as many on each"
            ));
        }
    }
    let found = conclude(order, &measured.points);
    measured.verdict = verdict(&found) + &failures(&measured.points);
    measured.matrix = Some(found);
    Ok(measured)
}

/// Points of the grid, requests under way on each target.
fn grid(order: &MatrixOrder, targets: u32) -> Vec<(u32, u32)> {
    let (small, large) = (order.small.div_ceil(targets), order.large.div_ceil(targets));
    let (columns, rows) = (steps(small), steps(large));
    let all = rows.iter().flat_map(|l| columns.iter().map(move |s| (*s, *l)));
    let chosen: Vec<(u32, u32)> = match order.kind {
        MatrixKind::Basic => all.filter(|(s, l)| *s == 0 || *l == 0).collect(),
        MatrixKind::Detailed => all.collect(),
        MatrixKind::Point => vec![(small, large)],
        MatrixKind::Row => columns.iter().map(|s| (*s, large)).collect(),
        MatrixKind::Col => rows.iter().map(|l| (small, *l)).collect(),
        MatrixKind::Max => all.filter(|(s, l)| *s == small || *l == large).collect(),
    };
    chosen.into_iter().filter(|point| *point != (0, 0)).collect()
}

/// From 0 up to a number, all of them while they are few, else in even steps.
fn steps(most: u32) -> Vec<u32> {
    let few = u32::try_from(MOST_STEPS - 1).unwrap_or(10);
    let mut steps: Vec<u32> = match most {
        most if most <= few => (0..=most).collect(),
        most => (0..=few).map(|n| (u64::from(n) * u64::from(most) / u64::from(few)) as u32).collect(),
    };
    if most > few {
        // One request alone is what every other load is held against.
        steps.insert(1, 1);
        steps.dedup();
    }
    steps
}

fn of(point: &Point, kind: &str) -> super::sweep::Sum {
    sum(&point.result, |s| s.name == kind || s.name.starts_with(&format!("{kind}, ")))
}

fn conclude(order: &MatrixOrder, points: &[Point]) -> Matrix {
    let loads = |p: &Point| (p.parameters.small.unwrap_or(0), p.parameters.large.unwrap_or(0));
    let mut found = Matrix { kind: order.kind.name().to_owned(), volume: order.volume, ..Matrix::default() };
    // The first of equals, as Orion has it.
    for point in whole(points) {
        let (small, large) = loads(point);
        let (s, l) = (of(point, SMALL), of(point, LARGE));
        if l.ios > 0 && found.max_large_mbps.is_none_or(|(most, ..)| l.mbps > most) {
            found.max_large_mbps = Some((l.mbps, small, large));
        }
        if s.ios > 0 && found.max_small_iops.is_none_or(|(most, ..)| s.iops > most) {
            found.max_small_iops = Some((s.iops, small, large));
        }
        if let Some(us) = s.mean_us
            && found.min_small_latency_us.is_none_or(|(least, ..)| us < least)
        {
            found.min_small_latency_us = Some((us, small, large));
        }
    }
    if let Some((mbps, small, large)) = found.max_large_mbps {
        let orion = mbps * 1e6 / ORION_MB;
        found.summary.push(format!("Maximum Large MBPS={orion:.2} @ Small={small} and Large={large}"));
    }
    if let Some((iops, small, large)) = found.max_small_iops {
        found.summary.push(format!("Maximum Small IOPS={iops:.0} @ Small={small} and Large={large}"));
    }
    if let Some((us, small, large)) = found.min_small_latency_us {
        found
            .summary
            .push(format!("Minimum Small Latency={:.3} usecs @ Small={small} and Large={large}", us));
    }
    found
}

fn verdict(found: &Matrix) -> String {
    let at = |small: u32, large: u32| format!("(small {small}, large {large})");
    let mut parts = Vec::new();
    if let Some((mbps, small, large)) = found.max_large_mbps {
        parts.push(format!("Large requests reach {} MB/s {}.", number(mbps), at(small, large)));
    }
    if let Some((iops, small, large)) = found.max_small_iops {
        parts.push(format!("Small ones reach {} a second {}", number(iops), at(small, large)));
    }
    if let Some((us, small, large)) = found.min_small_latency_us {
        parts.push(format!("and take {} at least {}.", super::sweep::ms(us), at(small, large)));
    }
    if parts.is_empty() {
        return "No request was answered.".to_owned();
    }
    match found.volume {
        None => {}
        Some(Volume::Raid0 { stripe_bytes }) => {
            parts.push(format!(
                "All files were one volume, RAID 0 with stripes of {} KiB.",
                number(stripe_bytes as f64 / 1024.0)
            ));
        }
        Some(Volume::Concat) => parts.push("All files were one volume, one after the other.".to_owned()),
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn order(kind: MatrixKind, small: u32, large: u32) -> MatrixOrder {
        MatrixOrder {
            kind,
            small,
            large,
            sizes: (8_192, 1 << 20),
            sequential: false,
            write_pct: 0.0,
            each: Each { seconds: 10.0, warm_up_s: 1.0, seed: 13 },
            volume: None,
        }
    }

    #[test]
    fn each_kind_runs_its_points() {
        let points = |kind, small, large| grid(&order(kind, small, large), 1);
        assert_eq!(points(MatrixKind::Basic, 2, 1), [(1, 0), (2, 0), (0, 1)]);
        assert_eq!(points(MatrixKind::Detailed, 1, 1), [(1, 0), (0, 1), (1, 1)]);
        assert_eq!(points(MatrixKind::Point, 4, 2), [(4, 2)]);
        assert_eq!(points(MatrixKind::Row, 2, 3), [(0, 3), (1, 3), (2, 3)]);
        assert_eq!(points(MatrixKind::Col, 2, 1), [(2, 0), (2, 1)]);
        assert_eq!(points(MatrixKind::Max, 1, 1), [(1, 0), (0, 1), (1, 1)]);
        assert_eq!(steps(20), [0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
        assert!(steps(1_000).len() <= MOST_STEPS + 1 && steps(1_000).contains(&1_000));
        // Two targets carry half each.
        assert_eq!(grid(&order(MatrixKind::Point, 5, 2), 2), [(3, 1)]);
    }

    #[test]
    fn the_summary_is_what_orion_prints() {
        let mut device = Model::new(8_000.0, Some(150.0), Some(100.0), 1);
        let measured = matrix(&mut device, &order(MatrixKind::Basic, 5, 2)).unwrap();
        let found = measured.matrix.unwrap();
        let (mbps, small, large) = found.max_large_mbps.unwrap();
        assert!((mbps - 100.0).abs() < 1.0 && (small, large) == (0, 1), "{found:?}");
        let (us, small, large) = found.min_small_latency_us.unwrap();
        assert!((us - 8_000.0).abs() < 20.0 && (small, large) == (1, 0), "{found:?}");
        assert!(found.summary[0].starts_with("Maximum Large MBPS=95."), "{:?}", found.summary);
        assert!(found.summary[0].ends_with(" @ Small=0 and Large=1"));
        assert!(found.summary[1].starts_with("Maximum Small IOPS=15"), "{:?}", found.summary);
    }

    #[test]
    fn large_requests_poison_small_ones() {
        let mut device = Model::new(2_000.0, Some(300.0), Some(100.0), 1);
        let measured = matrix(&mut device, &order(MatrixKind::Detailed, 1, 1)).unwrap();
        let small = |p: &Point| of(p, SMALL).mean_us;
        let (alone, beside) = (small(&measured.points[0]).unwrap(), small(&measured.points[2]).unwrap());
        assert!(beside > 2.0 * alone, "{alone} {beside}");
    }
}
