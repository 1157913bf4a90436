//! The hit rate of a cache by formula, where each request is drawn for itself.
//!
//! ```text
//! sum over pages (1 - e^(-q t)) = capacity     gives t, the time that a page stays without being asked for
//! hit rate = sum over pages q (1 - e^(-q t))
//! ```
//!
//! with `q` the share of requests that ask for a page. Source: Che, Tung and Wang, "Hierarchical Web caching systems:
//! modeling, design and experimental results", 2002; why it is so close: Fricker, Robert and Roberts, "A versatile and accurate
//! approximation for LRU cache performance", 2012. Not valid where requests depend on each other: scans, bursts.

/// Share of requests that a least-recently-used cache answers.
///
/// Shape: one a cache. Unit: share, 0 to 1. Missing: `None` where a weight is below 0 or not finite, all are 0, or the
/// cache has no pages. Source: head of this file. `weights` are in proportion to how often each page is asked for.
#[must_use]
pub fn lru_hit_rate(weights: &[f64], capacity: usize) -> Option<f64> {
    let sum: f64 = weights.iter().sum();
    if weights.iter().any(|w| !(w.is_finite() && *w >= 0.0))
        || !(sum.is_finite() && sum > 0.0)
        || capacity == 0
    {
        return None;
    }
    if weights.iter().filter(|w| **w > 0.0).count() <= capacity {
        return Some(1.0);
    }
    // Shares of the pages that are there, and of the requests that they answer, at a time.
    let there = |t: f64| weights.iter().map(|w| -libm::expm1(-w / sum * t)).sum::<f64>();
    let (mut low, mut high) = (0.0, capacity as f64);
    // What is there grows with time up to the number of pages wanted, which is above the capacity.
    while there(high) < capacity as f64 && high < 1e300 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if there(middle) < capacity as f64 { low = middle } else { high = middle }
    }
    Some(weights.iter().map(|w| w / sum * -libm::expm1(-w / sum * high)).sum())
}
