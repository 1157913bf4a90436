//! A modelled drive held against the measured one.
//!
//! The trace is replayed as it was made: one request at a time, each as long after the end of the one before
//! as the host waited then. From an empty cache on, and every request counts. What is compared is the
//! distribution of response times, by the figure that Ruemmler and Wilkes call demerit: the root of the mean
//! square of the horizontal distance between the two curves.
//!
//! ```text
//! edges        E(0) = 0, E(i + 1) = E(i) + 1 + floor(E(i) / 100) microseconds, 1750 of them
//! F(i)         share of the requests whose whole microseconds are below E(i), to six decimals
//! x(p)         the time at which a curve of straight lines through (E(i), F(i)) comes to p
//! rms          sqrt(mean over p = 0.0001, 0.0002 ... 1 of (x simulated(p) - x measured(p))^2)
//! ```
//!
//! Single requests differ much more than the curves, since nobody knows where the platter was.
//!
//! Source: Ruemmler and Wilkes, IEEE Computer, March 1994; the buckets are those of DiskSim 4.0, so that figures
//! compare with its published ones.

use super::trace::MeasuredRequest;
use crate::devices::hard_disk::{DiskFault, HardDisk, HardDiskSpec};
use crate::{Device, Picoseconds, Request};

/// Edges of the buckets.
const EDGES: usize = 1_750;
/// Points at which the curves are compared.
const POINTS: usize = 10_000;

/// What a replay came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Response times of the model, microseconds, in the order of the trace.
    pub simulated_us: Vec<f64>,
    /// Mean of those measured, milliseconds.
    pub measured_mean_ms: f64,
    /// Mean of the model's, milliseconds.
    pub simulated_mean_ms: f64,
    /// Root of the mean square of the distance between the distributions, milliseconds.
    pub rms_ms: f64,
}

impl Validation {
    /// The distance as a share of the measured mean; `None` where that is 0.
    #[must_use]
    pub fn rms_of_mean_pct(&self) -> Option<f64> {
        (self.measured_mean_ms > 0.0).then(|| self.rms_ms / self.measured_mean_ms * 100.0)
    }
}

/// Replays a trace on a drive and compares.
///
/// # Errors
/// Where there is no such drive, the trace is empty, or a request lies outside the drive.
pub fn validate(spec: &HardDiskSpec, trace: &[MeasuredRequest]) -> Result<Validation, DiskFault> {
    let simulated_us = replay(spec, trace)?;
    let measured_us: Vec<f64> = trace.iter().map(|r| r.response_us).collect();
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64 / 1e3;
    Ok(Validation {
        measured_mean_ms: mean(&measured_us),
        simulated_mean_ms: mean(&simulated_us),
        rms_ms: rms_ms(&simulated_us, &measured_us),
        simulated_us,
    })
}

/// Response times of a trace on a drive, microseconds.
fn replay(spec: &HardDiskSpec, trace: &[MeasuredRequest]) -> Result<Vec<f64>, DiskFault> {
    let mut disk = HardDisk::new(spec)?;
    if trace.is_empty() {
        return Err(DiskFault("a trace of no requests compares nothing".to_owned()));
    }
    let mut now = Picoseconds::ZERO;
    let mut completed = Vec::with_capacity(1);
    let mut times = Vec::with_capacity(trace.len());
    for (number, request) in trace.iter().enumerate() {
        if request.block + u64::from(request.blocks) > disk.blocks() {
            return Err(DiskFault(format!(
                "request {number} (from 0) asks for {} blocks from {} on; the drive's zones hold {}",
                request.blocks,
                request.block,
                disk.blocks()
            )));
        }
        let asked = Request {
            operation: request.operation,
            offset: request.block * u64::from(spec.block_bytes),
            bytes: request.blocks.saturating_mul(spec.block_bytes),
        };
        disk.submit(now, number as u64, asked);
        let done = disk.next_event().unwrap_or(now);
        disk.advance(done, &mut completed);
        completed.clear();
        times.push((done - now).as_us());
        now = done + request.gap;
    }
    Ok(times)
}

/// Root of the mean square of the horizontal distance between two distributions, milliseconds; the times are
/// microseconds.
#[must_use]
pub fn rms_ms(simulated_us: &[f64], measured_us: &[f64]) -> f64 {
    let mut edges = vec![0u64];
    while let Some(&last) = edges.last()
        && edges.len() < EDGES
    {
        edges.push(last + 1 + last / 100);
    }
    let (simulated, measured) = (shares(simulated_us, &edges), shares(measured_us, &edges));
    let (mut at_simulated, mut at_measured) = (0, 0);
    let mut sum = 0.0;
    let step = 1.0 / POINTS as f64;
    let mut share = 0.0;
    for _ in 0..POINTS {
        share += step;
        let distance = time_at(share, &simulated, &edges, &mut at_simulated)
            - time_at(share, &measured, &edges, &mut at_measured);
        sum += distance * distance;
    }
    libm::sqrt(sum / POINTS as f64) / 1e3
}

/// Share of the times below each edge, to six decimals.
fn shares(times_us: &[f64], edges: &[u64]) -> Vec<f64> {
    let mut whole: Vec<u64> = times_us.iter().map(|t| *t as u64).collect();
    whole.sort_unstable();
    let count = whole.len() as f64;
    let below = edges.iter().map(|edge| whole.partition_point(|t| t < edge) as f64 / count);
    below.map(|share| (share * 1e6).round() / 1e6).collect()
}

/// Where a curve comes to a share; it is asked for rising shares, and goes on from the last edge.
fn time_at(share: f64, shares: &[f64], edges: &[u64], at: &mut usize) -> f64 {
    while *at + 1 < shares.len() && shares[*at] < share {
        *at += 1;
    }
    let far = edges[*at] as f64;
    let Some(before) = at.checked_sub(1) else { return far };
    let (near, low, high) = (edges[before] as f64, shares[before], shares[*at]);
    // The last edge may lie below the share where the longest times lie beyond it.
    if high < share || high <= low { far } else { near + (far - near) * (share - low) / (high - low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_distributions_lie_nowhere_apart() {
        let times: Vec<f64> = (1..1_000).map(|i| f64::from(i) * 13.7).collect();
        let mut reversed = times.clone();
        reversed.reverse();
        assert_eq!(rms_ms(&times, &reversed), 0.0);
    }

    #[test]
    fn a_shift_is_its_length_as_far_as_buckets_tell() {
        // Buckets are 1 % wide: 0.15 ms at 15 ms.
        let times: Vec<f64> = (0..10_000).map(|i| 5_000.0 + f64::from(i)).collect();
        let later: Vec<f64> = times.iter().map(|t| t + 1_000.0).collect();
        assert!((rms_ms(&later, &times) - 1.0).abs() < 0.02, "{}", rms_ms(&later, &times));
    }

    #[test]
    fn two_times_by_hand() {
        // Half of the requests at 10 us against 30 us, the other half alike: a difference of 20 us over half of the
        // shares, and buckets of one microsecond: sqrt(1/2) x 0.020 ms.
        let one: Vec<f64> = (0..100).map(|i| if i < 50 { 10.0 } else { 90.0 }).collect();
        let other: Vec<f64> = (0..100).map(|i| if i < 50 { 30.0 } else { 90.0 }).collect();
        let by_hand = f64::sqrt(0.5) * 0.020;
        assert!((rms_ms(&one, &other) - by_hand).abs() < 1e-5, "{}", rms_ms(&one, &other));
    }

    #[test]
    fn times_beyond_the_last_edge_end_there() {
        assert!(rms_ms(&[1e12], &[1e12, 1e12]) == 0.0);
    }
}
