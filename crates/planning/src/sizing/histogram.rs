//! How the time is spread over load: bars of hardware requests and of disks needed.

use super::need::Sized;
use super::outcome::HistogramBin;
use super::weighted::Weighted;

/// Bars aimed at.
const BARS: f64 = 20.0;

pub(super) fn histogram(sized: &Sized<'_>, percentile: f64) -> Vec<HistogramBin> {
    let mut bins = bars("hardware_iops", &sized.iops, percentile, false);
    bins.extend(bars("disks", &sized.disks, percentile, true));
    bins
}

/// A step of 1, 2 or 5 times a power of ten.
fn step(most: f64) -> f64 {
    let raw = (most / BARS).max(f64::MIN_POSITIVE);
    let decade = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * decade).find(|s| *s >= raw * (1.0 - 1e-9)).unwrap_or(raw)
}

fn bars(measure: &'static str, values: &Weighted, percentile: f64, whole: bool) -> Vec<HistogramBin> {
    let known = || values.values().iter().filter(|(v, ..)| v.is_finite());
    let most = known().next_back().map(|(v, ..)| *v);
    let (Some(most), Some((at, _))) = (most, values.at(percentile)) else { return Vec::new() };
    let step = if whole { step(most).max(1.0) } else { step(most) };
    if !(most.is_finite() && step.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let place = |v: f64| (v / step).floor();
    let mut bins: Vec<HistogramBin> = Vec::new();
    for (value, seconds, _) in known() {
        let low = place(*value) * step;
        match bins.last_mut() {
            Some(bin) if bin.low == low => {
                bin.intervals += 1;
                bin.seconds += seconds;
            }
            _ => bins.push(HistogramBin {
                measure,
                low,
                high: low + step,
                intervals: 1,
                seconds: *seconds,
                share_pct: 0.0,
                is_percentile: place(at) == place(*value),
            }),
        }
    }
    for bin in &mut bins {
        bin.share_pct = 100.0 * bin.seconds / values.total_s();
    }
    bins
}
