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
    /// Bytes a request.
    pub block_bytes: f64,
    /// Points.
    pub points: Vec<CurvePoint>,
    /// Who made it.
    #[serde(default)]
    pub source: Option<String>,
    /// Seed, where simulated.
    #[serde(default)]
    pub seed: Option<u64>,
}

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
}

/// Why a curve cannot be used, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveError(pub String);

impl std::fmt::Display for CurveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl DeviceCurve {
    /// Checks the curve and orders its points.
    ///
    /// # Errors
    /// Where a number is no rate or latency, or no point is there.
    pub fn checked(mut self) -> Result<Self, CurveError> {
        if self.kind != "curve" {
            return Err(CurveError(format!("its kind is `{}`, not `curve`", self.kind)));
        }
        if self.points.is_empty() {
            return Err(CurveError("it has no points".to_owned()));
        }
        for point in &self.points {
            let (iops, mean) = (point.iops, point.latency_us.mean);
            if !(iops.is_finite() && iops > 0.0 && mean.is_finite() && mean > 0.0) {
                return Err(CurveError(format!(
                    "a point has {iops} requests a second at {mean} microseconds; both must be above zero"
                )));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn curve(points: &[(f64, f64)]) -> DeviceCurve {
        let point = |&(iops, mean): &(f64, f64)| CurvePoint {
            concurrency: None,
            offered_iops: None,
            iops,
            latency_us: CurveLatency { mean, p50: None, p99: None, low: None, high: None },
        };
        DeviceCurve {
            kind: "curve".into(),
            operation: "read".into(),
            block_bytes: 8192.0,
            points: points.iter().map(point).collect(),
            source: None,
            seed: None,
        }
    }

    #[test]
    fn between_points_a_line_and_nothing_beyond_the_last() {
        let curve = curve(&[(200.0, 9_000.0), (100.0, 5_000.0)]).checked().unwrap();
        assert_eq!(curve.latency_us(50.0), Some(5_000.0));
        assert_eq!(curve.latency_us(150.0), Some(7_000.0));
        assert_eq!(curve.latency_us(201.0), None);
    }

    #[test]
    fn a_curve_without_sense_is_refused() {
        assert!(curve(&[]).checked().is_err());
        assert!(curve(&[(0.0, 100.0)]).checked().is_err());
        assert!(curve(&[(10.0, f64::NAN)]).checked().is_err());
    }
}
