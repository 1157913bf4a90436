//! A device curve: latency by load, measured or simulated.

use serde::{Deserialize, Serialize};

/// Latency of one operation by load.
///
/// Shape: one a device, operation and block size; points by ascending rate. Unit: requests a second,
/// bytes, microseconds. Missing: `None`. Source: a load test or a simulation, as `source` says; what
/// lies above the last point is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceCurve {
    /// Always `curve`.
    pub kind: String,
    /// `read`, `write` or `mix`.
    pub operation: String,
    /// Bytes a request; `None` where the tool that measured does not say it.
    #[serde(default)]
    pub block_bytes: Option<f64>,
    /// Points.
    pub points: Vec<CurvePoint>,
    /// Who made it.
    #[serde(default)]
    pub source: Option<String>,
    /// Seed, where simulated.
    #[serde(default)]
    pub seed: Option<u64>,
    /// No load was found that brings no more: the device may do more than the last point says. `false` also where that
    /// is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_below_knee: bool,
}

/// What is said of a curve that ends below the knee.
pub const ENDS_BELOW_KNEE: &str =
    "the curve ends below the knee: no load was found that brings no more, so the device may do more";

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Requests under way.
    #[serde(default)]
    pub concurrency: Option<f64>,
    /// Requests a second asked for.
    #[serde(default)]
    pub offered_iops: Option<f64>,
    /// Requests a second done.
    pub iops: f64,
    /// What they took.
    pub latency_us: CurveLatency,
}

/// Latency at one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CurveLatency {
    pub mean: f64,
    #[serde(default)]
    pub p50: Option<f64>,
    #[serde(default)]
    pub p99: Option<f64>,
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
    /// Standard deviation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
}

/// Why a curve cannot be used, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveError {
    /// The sentence.
    pub why: String,
    /// The point it is about, as they stand in the file, from 0.
    pub point: Option<usize>,
}

impl std::fmt::Display for CurveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

/// Requests a second, and microseconds, that no device does.
const NO_RATE: f64 = 1e9;
const NO_LATENCY_US: f64 = 3.6e9;
/// How far the mean may fall at more load, as share: less is what one run differs from the next. Ours.
const NOISE: f64 = 0.1;

impl DeviceCurve {
    /// Checks the curve and orders its points.
    ///
    /// # Errors
    /// Where a number is no rate or latency, no point is there, one load has two latencies, or the latency falls as
    /// load rises.
    pub fn checked(mut self) -> Result<Self, CurveError> {
        let of_all = |why: String| CurveError { why, point: None };
        if self.kind != "curve" {
            return Err(of_all(format!("its kind is `{}`, not `curve`", self.kind)));
        }
        if self.points.is_empty() {
            return Err(of_all("it has no points".to_owned()));
        }
        for (number, point) in self.points.iter().enumerate() {
            let (iops, mean) = (point.iops, point.latency_us.mean);
            if !(iops > 0.0 && iops < NO_RATE && mean > 0.0 && mean < NO_LATENCY_US) {
                return Err(CurveError {
                    why: format!(
                        "a point has {iops:e} requests a second at {mean:e} microseconds; both must be above zero, and what \
                         a device can do"
                    ),
                    point: Some(number),
                });
            }
        }
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|a, b| self.points[*a].iops.total_cmp(&self.points[*b].iops));
        let mut highest = order[0];
        for pair in order.windows(2) {
            let (before, after) = (&self.points[pair[0]], &self.points[pair[1]]);
            if before.iops >= after.iops && before.latency_us.mean != after.latency_us.mean {
                return Err(CurveError {
                    why: format!(
                        "{} requests a second take {} microseconds and {} too; keep one of the two points",
                        short(after.iops),
                        short(before.latency_us.mean),
                        short(after.latency_us.mean)
                    ),
                    point: Some(pair[0].max(pair[1])),
                });
            }
            let most = &self.points[highest];
            if after.latency_us.mean < (1.0 - NOISE) * most.latency_us.mean {
                return Err(CurveError {
                    why: format!(
                        "{} requests a second take {} microseconds, and {} take {}: latency does not fall as load rises. \
                         Leave out points beyond saturation or before the device was warm, or measure again",
                        short(most.iops),
                        short(most.latency_us.mean),
                        short(after.iops),
                        short(after.latency_us.mean)
                    ),
                    point: Some(pair[1]),
                });
            }
            if after.latency_us.mean > most.latency_us.mean {
                highest = pair[1];
            }
        }
        self.points.sort_by(|a, b| a.iops.total_cmp(&b.iops));
        Ok(self)
    }

    /// Mean latency at a rate: the line between the neighbouring points, the first point below them;
    /// `None` above the last, where the device was never seen.
    #[must_use]
    pub fn latency_us(&self, iops: f64) -> Option<f64> {
        let after = self.points.iter().position(|p| p.iops >= iops)?;
        let next = &self.points[after];
        let Some(before) = after.checked_sub(1).map(|i| &self.points[i]) else {
            return Some(next.latency_us.mean);
        };
        let way = (iops - before.iops) / (next.iops - before.iops).max(f64::MIN_POSITIVE);
        Some(before.latency_us.mean + way * (next.latency_us.mean - before.latency_us.mean))
    }

    /// Highest rate that was seen.
    #[must_use]
    pub fn highest_iops(&self) -> f64 {
        self.points.last().map_or(0.0, |p| p.iops)
    }
}

/// A number in a sentence: a tenth of a request or a microsecond is enough.
fn short(value: f64) -> String {
    let text = if value < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Points by ascending rate without those whose requests took longer than at a higher rate, which load does not
/// explain; and the latter.
#[must_use]
pub fn undisturbed(mut points: Vec<CurvePoint>) -> (Vec<CurvePoint>, Vec<CurvePoint>) {
    let mut disturbed = Vec::new();
    let mut least = f64::INFINITY;
    for n in (0..points.len()).rev() {
        let mean = points[n].latency_us.mean;
        if mean * (1.0 - NOISE) > least {
            disturbed.insert(0, points.remove(n));
        } else {
            least = least.min(mean);
        }
    }
    (points, disturbed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn curve(points: &[(f64, f64)]) -> DeviceCurve {
        let point = |&(iops, mean): &(f64, f64)| CurvePoint {
            concurrency: None,
            offered_iops: None,
            iops,
            latency_us: CurveLatency { mean, p50: None, p99: None, low: None, high: None, deviation: None },
        };
        DeviceCurve {
            kind: "curve".into(),
            operation: "read".into(),
            block_bytes: Some(8192.0),
            points: points.iter().map(point).collect(),
            source: None,
            seed: None,
            ends_below_knee: false,
        }
    }

    #[test]
    fn a_mean_stood_in_a_sentence_with_thirteen_digits() {
        let why =
            curve(&[(1_448.0, 1_337.628_066_298), (3_514.0, 1_094.325_044_963)]).checked().unwrap_err().why;
        assert!(
            why.contains("1448 requests a second take 1337.6 microseconds, and 3514 take 1094.3:"),
            "{why}"
        );
    }

    #[test]
    fn between_points_a_line_and_nothing_beyond_the_last() {
        let curve = curve(&[(200.0, 9_000.0), (100.0, 5_000.0)]).checked().unwrap();
        assert_eq!(curve.latency_us(50.0), Some(5_000.0));
        assert_eq!(curve.latency_us(150.0), Some(7_000.0));
        assert_eq!(curve.latency_us(201.0), None);
    }

    #[test]
    fn a_curve_that_falls_was_believed() {
        let falling = curve(&[(100.0, 5_000.0), (50.0, 9_000.0)]).checked().unwrap_err();
        assert_eq!(falling.point, Some(0));
        assert!(falling.why.contains("Leave out points"), "{falling}");
        let two = curve(&[(100.0, 5_000.0), (100.0, 9_000.0)]).checked().unwrap_err();
        assert!(two.point == Some(1) && two.why.contains("keep one"), "{two}");
        // One run differs from the next.
        assert!(curve(&[(100.0, 5_000.0), (200.0, 4_900.0), (200.0, 4_900.0)]).checked().is_ok());
    }

    #[test]
    fn a_latency_of_three_hundred_digits_was_taken() {
        assert!(curve(&[(100.0, 1e300)]).checked().is_err());
        assert!(curve(&[(1e300, 100.0)]).checked().is_err());
        assert!(curve(&[(f64::INFINITY, 100.0)]).checked().is_err());
    }

    #[test]
    fn a_curve_without_sense_is_refused() {
        assert!(curve(&[]).checked().is_err());
        assert!(curve(&[(0.0, 100.0)]).checked().is_err());
        assert!(curve(&[(10.0, f64::NAN)]).checked().is_err());
    }
}
