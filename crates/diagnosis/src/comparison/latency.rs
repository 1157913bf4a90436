//! Latency before and after: means, and histograms as distributions. A median or tail is only said to
//! have moved where the bounds of the buckets prove it.

use super::amount::Amount;
use super::side::{EventSum, SideTotal, wait_class};
use crate::latency::part;
use crate::words;
use serde::Serialize;
use spindle_facts::{Interval, Side, WaitHistogram, second_moment_us2};

/// Fewer waits than this have no tail worth a word.
const LEAST_WAITS: f64 = 100.0;
/// Where the tail begins: the first bound that at most this share of the slower side exceeds, percent.
const TAIL_PCT: f64 = 10.0;
/// Events shown.
const KEPT: usize = 24;

/// Latency of one side.
///
/// Shape: one an event and side of the comparison. Unit: microseconds. Missing: `None` where not
/// printed; the high end of a percentile in an open bucket is unbounded (null). Source: wait events,
/// wait histograms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencySide {
    /// Waits.
    pub waits: Option<f64>,
    /// Mean.
    pub avg_us: Option<f64>,
    /// Bounds of the mean that rounding leaves.
    pub avg_us_bounds: Option<Interval>,
    /// Median, as bounds.
    pub p50_us: Option<Interval>,
    /// 90th percentile, as bounds.
    pub p90_us: Option<Interval>,
    /// 99th percentile, as bounds.
    pub p99_us: Option<Interval>,
    /// Share of the waits beyond `tail_us`, percent, as bounds.
    pub beyond_tail_pct: Option<Interval>,
    /// Standard error of the mean from the spread within the interval, at most; waits are taken as
    /// independent.
    pub standard_error_us: Option<f64>,
    /// Least share of the waits beyond `tail_us` in the mean square of all, percent.
    #[serde(skip)]
    pub(crate) tail_of_square_pct: Option<f64>,
    /// Buckets: low, high (`None` open), waits; what a printed count of several buckets leaves open is
    /// spread over them.
    pub buckets: Vec<(f64, Option<f64>, f64)>,
}

/// How a latency moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// Faster, whatever rounding hides.
    Faster,
    /// Slower, whatever rounding hides.
    Slower,
    /// The bounds overlap: nothing is proven.
    NotShown,
}

/// What became of a distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// The median.
    pub median: Option<Move>,
    /// Median after over median before, as bounds.
    pub median_times: Option<Interval>,
    /// The tail.
    pub tail: Option<Move>,
    /// The mean, beyond rounding and the spread within the intervals.
    pub mean: Option<Move>,
    /// In a sentence.
    pub text: String,
}

/// One event on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LatencyChange {
    /// Event.
    pub event: String,
    /// Whose waits the means are of.
    pub side: Side,
    /// Wait class.
    pub wait_class: String,
    /// Where its tail begins, microseconds.
    pub tail_us: Option<f64>,
    /// Before.
    pub before: LatencySide,
    /// After.
    pub after: LatencySide,
    /// How it moved.
    pub shift: Shift,
}

/// Latencies of both sides, those with the most time first.
pub(crate) fn compare(before: &SideTotal, after: &SideTotal) -> Vec<LatencyChange> {
    let mut rows: Vec<(f64, LatencyChange)> = Vec::new();
    let keys: std::collections::BTreeSet<_> = before.events.keys().chain(after.events.keys()).collect();
    for (event, side) in keys {
        let (b, a) = (before.event(event, *side), after.event(event, *side));
        let Some(either) = b.or(a) else { continue };
        let class = wait_class([b, a]);
        let time = |e: Option<&EventSum>| e.map_or(0.0, |e| e.printed_s);
        // A histogram counts both sides of an event: it stands with the side that waits longer.
        let other_side = if *side == Side::Foreground { Side::Background } else { Side::Foreground };
        let own = time(b) + time(a);
        let other = time(before.event(event, other_side)) + time(after.event(event, other_side));
        let leads = own > other || (own == other && *side == Side::Foreground);
        let histogram = |side: &SideTotal| side.histograms.get(event).cloned().filter(|_| leads);
        let (hb, ha) = (histogram(before), histogram(after));
        let io = matches!(class, Some("User I/O" | "System I/O" | "Commit"));
        let shown = io || (*side == Side::Foreground && (hb.is_some() || ha.is_some()));
        let nothing = either.printed_s <= 0.0 && a.is_none_or(|a| a.printed_s <= 0.0);
        if nothing || !shown {
            continue;
        }
        // Where the other side has some of its waits, what is known of those of this one is less.
        let part_of = |total: &SideTotal, own: Option<&EventSum>, histogram: Option<&WaitHistogram>| {
            let waits = |e: &EventSum| e.waits.map(|waits| waits.value);
            let others = match total.event(event, other_side).filter(|other| other.printed_s > 0.0) {
                Some(other) => waits(other)?,
                None => 0.0,
            };
            let histogram = histogram?;
            if histogram.side == Side::All { part(own.and_then(waits), others, histogram) } else { Some(1.0) }
        };
        let (pb, pa) = (part_of(before, b, hb.as_ref()), part_of(after, a, ha.as_ref()));
        let (hb, ha) = (hb.filter(|_| pb.is_some()), ha.filter(|_| pa.is_some()));
        let (pb, pa) = (pb.unwrap_or(1.0), pa.unwrap_or(1.0));
        let tail_us = tail_us(hb.as_ref(), ha.as_ref());
        let (sb, sa) = (of_side(b, hb.as_ref(), pb, tail_us), of_side(a, ha.as_ref(), pa, tail_us));
        let shift = shift(&sb, &sa, tail_us);
        let change = LatencyChange {
            event: event.clone(),
            side: *side,
            wait_class: class.unwrap_or("Other").to_owned(),
            tail_us,
            before: sb,
            after: sa,
            shift,
        };
        rows.push((own, change));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.event.cmp(&b.1.event)));
    rows.truncate(KEPT);
    rows.into_iter().map(|r| r.1).collect()
}

/// What a side says, whose waits are such a part (0-1) of those of the histogram.
fn of_side(
    event: Option<&EventSum>,
    histogram: Option<&WaitHistogram>,
    part: f64,
    tail_us: Option<f64>,
) -> LatencySide {
    let [p50_us, p90_us, p99_us] =
        histogram.map_or([None; 3], |h| h.percentiles_of_part_us(part, [50.0, 90.0, 99.0]));
    // Of a part of the waits the tail cannot be told so closely.
    let whole = histogram.filter(|_| part == 1.0);
    let waits = event.and_then(|e| e.waits).filter(|w| w.value > 0.0);
    let time = event.and_then(|e| e.time_s);
    let mean: Option<Amount> = waits
        .filter(|w| w.low > 0.0)
        .zip(time)
        .map(|(w, t)| t.times(1e6).over(w))
        .filter(|_| waits.is_some());
    let standard_error_us = mean.zip(waits).and_then(|(mean, waits)| {
        let square = second_moment_us2(histogram?, mean.value)?;
        // Those of the other side may be of no length at all.
        let variance = (square.high / part - mean.value * mean.value).max(0.0);
        let error = (variance / waits.value).sqrt();
        error.is_finite().then_some(error)
    });
    LatencySide {
        waits: event.and_then(|e| e.waits).map(|w| w.value),
        avg_us: mean.map(|m| m.value),
        avg_us_bounds: mean.map(|m| Interval { low: m.low.max(0.0), high: m.high }),
        p50_us,
        p90_us,
        p99_us,
        beyond_tail_pct: histogram.zip(tail_us).and_then(|(h, bar)| h.share_above_pct(bar)).map(|all| {
            // All of the others may be beyond it, or none.
            let others = 100.0 * (1.0 - part);
            Interval { low: (all.low - others).max(0.0) / part, high: (all.high / part).min(100.0) }
        }),
        standard_error_us,
        tail_of_square_pct: whole
            .zip(tail_us)
            .zip(mean)
            .and_then(|((h, bar), mean)| least_tail_of_square(h, bar, mean.high)),
        buckets: histogram
            .map(|h| h.buckets.iter().map(|b| (b.low_us, b.high_us, b.waits)).collect())
            .unwrap_or_default(),
    }
}

/// The first bound of a bucket that at most a tenth of the waits of either side exceed.
fn tail_us(before: Option<&WaitHistogram>, after: Option<&WaitHistogram>) -> Option<f64> {
    let (b, a) = (before?, after?);
    if b.counted_waits() < LEAST_WAITS || a.counted_waits() < LEAST_WAITS {
        return None;
    }
    let bar = |h: &WaitHistogram| {
        let bounds = h.buckets.iter().map(|bucket| bucket.low_us).filter(|low| *low > 0.0);
        bounds.into_iter().find(|low| h.share_above_pct(*low).is_some_and(|s| s.mid() <= TAIL_PCT))
    };
    Some(bar(b)?.max(bar(a)?))
}

fn moved(before: Option<Interval>, after: Option<Interval>) -> Option<Move> {
    let (b, a) = (before?, after?);
    Some(if a.high <= b.low && a.low < b.high {
        Move::Faster
    } else if a.low >= b.high && a.high > b.low {
        Move::Slower
    } else {
        Move::NotShown
    })
}

/// As [`moved`], of shares: equal ends prove nothing, since a bucket may be empty, nor do last digits of a sum.
fn apart(before: Option<Interval>, after: Option<Interval>) -> Option<Move> {
    const DIGITS_PCT: f64 = 1e-6;
    let (b, a) = (before?, after?);
    Some(if a.high + DIGITS_PCT < b.low {
        Move::Faster
    } else if a.low - DIGITS_PCT > b.high {
        Move::Slower
    } else {
        Move::NotShown
    })
}

fn shift(before: &LatencySide, after: &LatencySide, tail_us: Option<f64>) -> Shift {
    let median = moved(before.p50_us, after.p50_us);
    let median_times = before.p50_us.zip(after.p50_us).map(|(b, a)| Interval {
        low: if b.high.is_finite() && b.high > 0.0 { a.low / b.high } else { 0.0 },
        high: if b.low > 0.0 { a.high / b.low } else { f64::INFINITY },
    });
    let tail = apart(before.beyond_tail_pct, after.beyond_tail_pct);
    // 1.96 standard errors on either side, and what rounding hides.
    let mean = before.avg_us_bounds.zip(after.avg_us_bounds).map(|(b, a)| {
        let error = |s: &LatencySide| s.standard_error_us.unwrap_or(0.0);
        let slack = 1.96 * error(before).hypot(error(after));
        // Equal means differ in the last digits of the sums that they are of.
        let grain = 1e-9 * b.high.max(a.high);
        if a.high + slack + grain < b.low {
            Move::Faster
        } else if a.low - slack - grain > b.high {
            Move::Slower
        } else {
            Move::NotShown
        }
    });
    let mut parts = Vec::new();
    if let (Some(b), Some(a)) = (before.avg_us, after.avg_us) {
        parts.push(format!("mean {} to {}", words::latency(b), words::latency(a)));
    }
    if let (Some(b), Some(a)) = (before.p50_us, after.p50_us) {
        parts.push(if b == a {
            format!("median within {} as before", span(b))
        } else {
            format!("median {} to {}", span(b), span(a))
        });
    }
    if let (Some(bar), Some(b), Some(a)) = (tail_us, before.beyond_tail_pct, after.beyond_tail_pct) {
        parts.push(format!("{} to {} over {}", share(b), share(a), words::latency(bar)));
    }
    Shift { median, median_times, tail, mean, text: parts.join(", ") }
}

/// A share as it was printed: the middle of its bounds, where they are narrow.
pub(crate) fn share(pct: Interval) -> String {
    if pct.high - pct.low <= 1.0 {
        words::percent(pct.mid())
    } else {
        format!("{:.1}-{:.1} %", pct.low, pct.high)
    }
}

/// Bounds of a latency in words.
pub(crate) fn span(us: Interval) -> String {
    if us.high.is_infinite() {
        format!("over {}", words::latency(us.low))
    } else if us.low <= 0.0 {
        format!("under {}", words::latency(us.high))
    } else if us.low == us.high {
        words::latency(us.low)
    } else {
        format!("{} to {}", words::latency(us.low), words::latency(us.high))
    }
}

/// The bucket whose share of the waits moved most, in the direction of `moved`: bounds and both shares.
pub(crate) fn most_moved(l: &LatencyChange, moved: Move) -> Option<String> {
    let share = |side: &LatencySide, of: (f64, Option<f64>)| -> Option<f64> {
        let all: f64 = side.buckets.iter().map(|b| b.2).sum();
        let own = side.buckets.iter().filter(|b| (b.0, b.1) == of).map(|b| b.2).sum::<f64>();
        (all > 0.0).then(|| 100.0 * own / all)
    };
    let worse = if moved == Move::Faster { &l.before } else { &l.after };
    let grown = |of: (f64, Option<f64>)| -> Option<(f64, f64, f64)> {
        let (b, a) = (share(&l.before, of)?, share(&l.after, of)?);
        Some((if moved == Move::Faster { b - a } else { a - b }, b, a))
    };
    let most = worse.buckets.iter().filter_map(|bucket| {
        let of = (bucket.0, bucket.1);
        Some((of, grown(of)?))
    });
    let ((low, high), (by, b, a)) = most.max_by(|x, y| x.1.0.total_cmp(&y.1.0))?;
    (by > 0.0).then(|| {
        let bounds = span(Interval { low, high: high.unwrap_or(f64::INFINITY) });
        format!("{bounds}: {} to {}", words::percent(b), words::percent(a))
    })
}

/// Least share that waits beyond `bar_us` have in the mean square of all, percent: what a commit that arrives
/// during a write waits goes by that square.
///
/// From what is printed alone: each bucket holds what its rounded share leaves at least or at most, waits stand
/// at either bound of their bucket, and the mean is not exceeded. The tail is least where its waits are as few
/// and as short as can be; the most that the others then make is bounded by weak duality of the linear
/// programme over both bounds of their buckets.
fn least_tail_of_square(histogram: &WaitHistogram, bar_us: f64, most_mean_us: f64) -> Option<f64> {
    let weights = histogram.weights();
    let bounds = || histogram.buckets.iter().zip(&weights);
    let middle: f64 = if histogram.buckets.iter().all(|b| b.share_bounds_pct.is_some()) {
        100.0
    } else {
        histogram.counted_waits()
    };
    let (mut tail, mut tail_time, mut tail_waits) = (0.0, 0.0, 0.0);
    let mut body: Vec<(f64, f64, Interval)> = Vec::new();
    for (bucket, weight) in bounds() {
        if bucket.low_us >= bar_us {
            tail += weight.low * bucket.low_us * bucket.low_us;
            tail_time += weight.low * bucket.low_us;
            tail_waits += weight.low;
        } else {
            body.push((bucket.low_us, bucket.high_us?, *weight));
        }
    }
    let most: f64 = body.iter().map(|b| b.2.high).sum();
    // What the body cannot hold stands at the bar.
    let over = (middle - tail_waits - most).max(0.0);
    (tail, tail_time, tail_waits) =
        (tail + over * bar_us * bar_us, tail_time + over * bar_us, tail_waits + over);
    let (waits, time) = (middle - tail_waits, middle * most_mean_us - tail_time);
    let edges: Vec<f64> = body.iter().flat_map(|b| [b.0, b.1]).collect();
    let mut prices: Vec<f64> = edges.iter().flat_map(|a| edges.iter().map(move |b| a + b)).collect();
    prices.push(0.0);
    prices.sort_by(f64::total_cmp);
    prices.dedup();
    let bound = |price: f64| -> f64 {
        let mut values: Vec<(f64, Interval)> = body
            .iter()
            .map(|(low, high, w)| ((low * (low - price)).max(high * (high - price)), *w))
            .collect();
        values.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut left = waits - values.iter().map(|v| v.1.low).sum::<f64>();
        let mut sum = price * time;
        for (value, weight) in values {
            let more = left.clamp(0.0, (weight.high - weight.low).max(0.0));
            left -= more;
            sum += value * (weight.low + more);
        }
        sum
    };
    let rest = prices.into_iter().map(bound).fold(f64::INFINITY, f64::min).max(0.0);
    (tail + rest > 0.0 && tail.is_finite()).then(|| 100.0 * tail / (tail + rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use spindle_facts::HistogramBucket;

    /// Whatever the waits were, the bound from their rounded shares and mean is no more than their tail.
    #[test]
    fn the_least_share_of_a_tail_is_never_above_the_true_one() {
        let mut state = 0x0dd_ba11_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let edges = [0.0, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 64_000.0, 1_024_000.0];
        let (mut close, mut tried) = (0, 0);
        for _ in 0..400 {
            // Mostly fast, with a tail of any weight.
            let (tail, long) = (0.1 * random(), 3.0 + 4.0 * random());
            let waits: Vec<f64> = (0..2000)
                .map(|_| if random() < tail { 4000.0 * (long * random()).exp() } else { 3900.0 * random() })
                .map(|us| us.min(1_023_999.0))
                .collect();
            let n = waits.len() as f64;
            let buckets: Vec<HistogramBucket> = edges
                .windows(2)
                .map(|edge| {
                    let count = waits.iter().filter(|w| **w >= edge[0] && **w < edge[1]).count() as f64;
                    let pct = (1000.0 * count / n).round() / 10.0;
                    let (low, high) =
                        if count == 0.0 { (0.0, 0.0) } else { ((pct - 0.05).max(0.0), pct + 0.05) };
                    HistogramBucket {
                        low_us: edge[0],
                        high_us: Some(edge[1]),
                        waits: count,
                        waits_low: (low * n / 100.0).floor(),
                        waits_high: (high * n / 100.0).ceil(),
                        share_pct: Some(pct),
                        share_bounds_pct: Some(Interval { low, high }),
                        line: 1,
                    }
                })
                .collect();
            let histogram = WaitHistogram {
                line: 1,
                section: 0,
                instance_number: None,
                event: "log file parallel write".into(),
                side: Side::All,
                waits: Some(n),
                buckets,
            };
            let squares = |over: f64| waits.iter().filter(|w| **w >= over).map(|w| w * w).sum::<f64>();
            let (bar, mean) = (4000.0, waits.iter().sum::<f64>() / n);
            let truth = 100.0 * squares(bar) / squares(0.0);
            let least = least_tail_of_square(&histogram, bar, mean).unwrap();
            assert!(least <= truth + 1e-9, "{least} above {truth}");
            tried += 1;
            close += usize::from(least > 0.5 * truth);
        }
        // A bound that is always nothing would hold as well.
        assert!(4 * close > tried, "{close} of {tried}");
    }
}
