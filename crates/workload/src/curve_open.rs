//! A curve by requests under way, turned into one by rate: what requests take that come by themselves.
//!
//! A closed load sends the next request when one is answered; of its `n` requests under way a device does `X(n)` a second. Such
//! points know no queue: at half of the highest rate they have the latency of one request alone. Requests of users come whatever is
//! answered, and wait for each other. The device is taken as one server that does `X(n)` a second while `n` requests are there
//! (flow-equivalent server), before which requests arrive at random: a chain of births and deaths, solved as it stands.

use crate::curve::{CurveLatency, CurvePoint, DeviceCurve};

/// What a curve by requests under way says of requests that come by themselves.
///
/// Shape: one a curve. Unit: requests a second, microseconds. Missing: `None` where the curve does not say it. Source: flow-equivalent
/// servers (Chandy, Herzog and Woo, IBM J. Res. Dev. 19(1), 1975), exact where service times are exponential; else the wait is taken
/// times `(1 + c^2) / 2`, which is exact for one server of any service time (Pollaczek and Khinchine) and near for several (Allen and
/// Cunneen). Where more is done as more wait, and not by more servers, the device chooses: times of what is chosen differ more, and
/// `1 - c^2` is taken to shrink as the time of a request does (ours; simulated disks lie within 10 %). Valid for random arrivals;
/// what comes in bursts waits longer.
#[derive(Clone, Debug, PartialEq)]
pub struct ForArrivals {
    /// Latency by rate.
    pub curve: DeviceCurve,
    /// The most requests under way of any point.
    pub depth: f64,
    /// Squared standard deviation of the time of one request alone over its mean; `None` where the curve does not say it, and
    /// it is taken for 1.
    pub variation: Option<f64>,
    /// What it does with `n` requests there, from 1 on; with more it is taken to do as much as with the last.
    served: Vec<Served>,
}

/// What a device does with so many requests there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Served {
    per_s: f64,
    /// What the wait is taken times.
    waits: f64,
}

/// Rates of the curve, as shares of the highest.
const STEPS: u32 = 200;
/// The first of them: a request alone.
const FIRST: f64 = 1e-6;
/// The last: at 1 the queue has no end.
const LAST: f64 = 0.999;
/// Requests under way that are looked at one by one.
const MOST_DEPTH: f64 = 65_536.0;

impl DeviceCurve {
    /// Every point is of requests that were sent as others were answered.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let closed = |p: &CurvePoint| {
            p.offered_iops.is_none() && p.concurrency.is_some_and(|n| (1.0..=MOST_DEPTH).contains(&n))
        };
        !self.points.is_empty() && self.points.iter().all(closed)
    }

    /// Latency of requests that come by themselves; `None` where the curve is of such requests already, or does not say of what.
    #[must_use]
    pub fn for_arrivals(&self) -> Option<ForArrivals> {
        if !self.is_closed() {
            return None;
        }
        let mut points: Vec<(f64, &CurvePoint)> =
            self.points.iter().filter_map(|p| Some((p.concurrency?, p))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.iops.total_cmp(&b.1.iops)));
        let (depth, _) = *points.last()?;
        let rates = rates(&points)?;
        let alone = 1e6 / rates.first()?;
        let first = points.first().filter(|(n, _)| *n <= 1.0).map(|(_, p)| p);
        let deviation = first.and_then(|p| Some(p.latency_us.deviation? / p.latency_us.mean));
        let variation = deviation.map(|c| c * c).filter(|c| c.is_finite());
        let served = with_waits(&rates, variation.unwrap_or(1.0));
        let highest = served.last()?.per_s;
        let mut open = Vec::new();
        for step in 0..=STEPS {
            let share = (f64::from(step) / f64::from(STEPS)).clamp(FIRST, LAST);
            let rate = share * highest;
            let state = State::at(&served, rate)?;
            let mean = alone + state.waits * (state.latency_us - alone).max(0.0);
            open.push(CurvePoint {
                concurrency: None,
                offered_iops: Some(rate),
                iops: rate,
                latency_us: CurveLatency {
                    mean,
                    p50: None,
                    p99: None,
                    low: None,
                    high: None,
                    deviation: None,
                },
            });
        }
        let source = self.source.clone().map(|s| format!("{s}; for requests that come by themselves"));
        let curve = DeviceCurve { points: open, source, ..self.clone() };
        Some(ForArrivals { curve, depth, variation, served })
    }
}

impl ForArrivals {
    /// Share of the time in which more requests are there than the curve was made with; `None` at a rate that it does not do.
    #[must_use]
    pub fn beyond(&self, iops: f64) -> Option<f64> {
        Some(State::at(&self.served, iops)?.beyond)
    }

    /// The curve ends before the device does: its last point brought so much more than the one before, as share.
    #[must_use]
    pub fn still_rising(&self) -> bool {
        let half = self.served.get((self.served.len() / 2).saturating_sub(1));
        half.zip(self.served.last())
            .is_none_or(|(half, last)| self.served.len() < 2 || last.per_s > RISING * half.per_s)
    }
}

/// Twice as many requests under way that bring so much more are not the end of what a device does. Ours.
const RISING: f64 = 1.1;

/// What it does with each number of requests there: on the line between neighbouring points, and from nothing to the first, which
/// is the least that a device does whose points do not bend upward.
fn rates(points: &[(f64, &CurvePoint)]) -> Option<Vec<f64>> {
    let (depth, _) = *points.last()?;
    let mut out: Vec<f64> = Vec::new();
    let (mut below, mut at) = ((0.0, 0.0), 0);
    let mut n = 1.0;
    while n <= depth {
        while points.get(at).is_some_and(|(depth, _)| *depth < n) {
            below = (points[at].0, points[at].1.iops);
            at += 1;
        }
        let (next, point) = points.get(at)?;
        let way = (n - below.0) / (next - below.0).max(f64::MIN_POSITIVE);
        let rate = below.1 + way * (point.iops - below.1);
        // What is done does not fall where more is there, but for what one run differs from the next.
        out.push(out.last().map_or(rate, |last: &f64| last.max(rate)));
        n += 1.0;
    }
    (!out.is_empty()).then_some(out)
}

/// Servers side by side do so much of as many times what one does, at least. Ours.
const SIDE_BY_SIDE: f64 = 0.9;

/// With what the wait is taken times: by how much times differ of what is chosen among those there.
fn with_waits(rates: &[f64], variation: f64) -> Vec<Served> {
    let one = rates.first().copied().unwrap_or(0.0);
    let mut n = 0.0;
    // As long as each has a server there is no choice.
    let mut unchosen = one;
    let of = |rate: &f64| {
        n += 1.0;
        if *rate >= SIDE_BY_SIDE * n * one {
            unchosen = *rate;
        }
        let variation = 1.0 - (1.0 - variation) * unchosen / rate;
        Served { per_s: *rate, waits: f64::midpoint(1.0, variation) }
    };
    rates.iter().map(of).collect()
}

/// The chain at a rate.
struct State {
    latency_us: f64,
    /// What the wait is taken times, by how many are there.
    waits: f64,
    /// Share of the time with more requests there than any point has.
    beyond: f64,
}

impl State {
    /// `None` where as much or more arrives than is served.
    fn at(served: &[Served], rate: f64) -> Option<Self> {
        let last = served.last()?;
        let busy = rate / last.per_s;
        if !(busy > 0.0 && busy < 1.0) {
            return None;
        }
        // Weights of the states over that of nobody there; the largest so far is kept at 1, so that none is beyond a number.
        let (mut weight, mut all, mut there, mut waits) = (1.0_f64, 1.0_f64, 0.0_f64, 0.0_f64);
        let mut n = 0.0;
        for with in served {
            n += 1.0;
            weight *= rate / with.per_s;
            all += weight;
            there += n * weight;
            waits += n * weight * with.waits;
            if weight > 1e100 {
                (all, there, waits) = (all / weight, there / weight, waits / weight);
                weight = 1.0;
            }
        }
        // From the last point on each state has `busy` of the weight of the one before.
        let rest = weight * busy / (1.0 - busy);
        let beyond = rest * (n + 1.0 / (1.0 - busy));
        there += beyond;
        waits += beyond * last.waits;
        all += rest;
        Some(Self { latency_us: there / all / rate * 1e6, waits: waits / there, beyond: rest / all })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Queue;

    fn closed(points: &[(f64, f64)], deviation: Option<f64>) -> DeviceCurve {
        let point = |&(depth, iops): &(f64, f64)| CurvePoint {
            concurrency: Some(depth),
            offered_iops: None,
            iops,
            latency_us: CurveLatency {
                mean: depth / iops * 1e6,
                p50: None,
                p99: None,
                low: None,
                high: None,
                deviation: deviation.filter(|_| depth <= 1.0),
            },
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

    fn latency(curve: &DeviceCurve, rate: f64) -> f64 {
        curve.for_arrivals().unwrap().curve.checked().unwrap().latency_us(rate).unwrap()
    }

    #[test]
    fn one_server_is_the_queue_of_the_textbook() {
        let curve = closed(&[(1.0, 200.0), (4.0, 200.0)], None);
        let queue = Queue { servers: 1, service_us: 5_000.0 };
        for rate in [20.0, 100.0, 150.0, 190.0] {
            let wanted = queue.latency_us(rate).unwrap();
            assert!((latency(&curve, rate) / wanted - 1.0).abs() < 2e-3, "{rate}");
        }
        // Exactly half of the wait where the time of a request is constant (Pollaczek and Khinchine).
        let constant = closed(&[(1.0, 200.0), (4.0, 200.0)], Some(0.0));
        assert!((latency(&constant, 100.0) - 7_500.0).abs() < 10.0);
        assert!((latency(&constant, 160.0) - 15_000.0).abs() < 20.0);
    }

    #[test]
    fn several_servers_are_those_of_erlang() {
        let servers: Vec<(f64, f64)> = (1..=8).map(|n| (f64::from(n), 1_000.0 * f64::from(n))).collect();
        let queue = Queue { servers: 8, service_us: 1_000.0 };
        for rate in [100.0, 4_000.0, 7_000.0, 7_600.0] {
            let wanted = queue.latency_us(rate).unwrap();
            assert!((latency(&closed(&servers, None), rate) / wanted - 1.0).abs() < 3e-3, "{rate}");
        }
        // Points between others need not have been measured where the device goes on as it did.
        let few = closed(&[(2.0, 2_000.0), (8.0, 8_000.0)], None);
        assert!((latency(&few, 7_000.0) / queue.latency_us(7_000.0).unwrap() - 1.0).abs() < 3e-3);
    }

    #[test]
    fn latency_rises_with_the_rate_and_never_falls_below_one_request_alone() {
        let arrivals = closed(&[(1.0, 181.0), (2.0, 185.0), (8.0, 250.0), (64.0, 400.0)], Some(1_900.0));
        let arrivals = arrivals.for_arrivals().unwrap();
        let curve = arrivals.curve.clone().checked().unwrap();
        let mut last = 0.0;
        for step in 0..400 {
            let Some(us) = curve.latency_us(f64::from(step)) else { panic!("{step}") };
            assert!(us >= last && us >= 1e6 / 181.0 - 1e-6, "{step}: {us}");
            last = us;
        }
        assert!(arrivals.beyond(100.0).unwrap() < 1e-9);
        assert!(arrivals.beyond(399.0).unwrap() > 0.5);
        assert_eq!(arrivals.beyond(400.0), None);
        assert!(arrivals.still_rising());
    }

    #[test]
    fn deep_points_overflow_nothing() {
        let curve = closed(&[(1.0, 10_000.0), (4_096.0, 1e6), (65_536.0, 1.1e6)], None);
        let us = latency(&curve, 1.09e6);
        assert!(us.is_finite() && us > 1e3, "{us}");
    }

    #[test]
    fn a_curve_by_rate_is_left_as_it_is() {
        let mut curve = closed(&[(1.0, 200.0)], None);
        curve.points[0].offered_iops = Some(200.0);
        assert!(curve.for_arrivals().is_none());
        curve.points[0].offered_iops = None;
        assert!(curve.is_closed());
        curve.points[0].concurrency = None;
        assert!(curve.for_arrivals().is_none());
    }
}
