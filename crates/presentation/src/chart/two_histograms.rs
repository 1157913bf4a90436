//! One latency before and after: shares of the waits on one logarithmic axis, two bars a bucket. Only
//! bounds that both histograms have are drawn, so the bars of a bucket always count the same waits.

use super::{Bucket, Frame, Scale, at, bucket_range, put};
use crate::number;

/// The picture.
#[derive(Clone, Debug)]
pub struct TwoHistograms<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Buckets before, ascending.
    pub before: &'a [Bucket],
    /// Buckets after, ascending.
    pub after: &'a [Bucket],
}

/// Bounds that differ by less are one: releases count a thousand or 1,024 microseconds as `1ms`.
const ONE: f64 = 0.08;

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= ONE * a.max(b)
}

impl TwoHistograms<'_> {
    /// Buckets that both sides have: low, high, shares before and after in percent.
    #[must_use]
    pub fn common(&self) -> Vec<(Bucket, f64, f64)> {
        let lows: Vec<f64> = self
            .after
            .iter()
            .map(|b| b.low_ms)
            .filter(|low| self.before.iter().any(|b| same(b.low_ms, *low)))
            .collect();
        let share = |buckets: &[Bucket], low: f64, high: Option<f64>| -> f64 {
            let total: f64 = buckets.iter().map(|b| b.waits).sum();
            let begins = |b: &&Bucket| {
                (b.low_ms >= low || same(b.low_ms, low))
                    && high.is_none_or(|h| b.low_ms < h && !same(b.low_ms, h))
            };
            if total > 0.0 {
                100.0 * buckets.iter().filter(begins).map(|b| b.waits).sum::<f64>() / total
            } else {
                0.0
            }
        };
        (0..lows.len())
            .map(|i| {
                let (low, high) = (lows[i], lows.get(i + 1).copied());
                (
                    Bucket { low_ms: low, high_ms: high, waits: 0.0 },
                    share(self.before, low, high),
                    share(self.after, low, high),
                )
            })
            .collect()
    }

    /// The picture as HTML; nothing where a side has no waits.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let buckets = self.common();
        let held = |b: &(Bucket, f64, f64)| b.1 > 0.0 || b.2 > 0.0;
        let (first, last) = (buckets.iter().position(held)?, buckets.iter().rposition(held)?);
        let drawn = &buckets[first..=last];
        let ends = |b: &Bucket| {
            let high = b.high_ms.unwrap_or(b.low_ms * 2.0).max(1e-6);
            (if b.low_ms > 0.0 { b.low_ms } else { high / 2.0 }, high)
        };
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for (bucket, _, _) in drawn {
            let (l, h) = ends(bucket);
            low = low.min(l);
            high = high.max(h);
        }
        let x = Scale::Log { low, high };
        let y = Scale::linear_to(drawn.iter().map(|b| b.1.max(b.2)).fold(0.0, f64::max));
        let mut svg = String::new();
        for (bucket, before, after) in drawn {
            let (from, to) = ends(bucket);
            let (left, right) = (x.position(from), x.position(to));
            let middle = f64::midpoint(left, right);
            for (share, l, r, css) in
                [(before, left + 0.002, middle, "k-oth"), (after, middle, right - 0.004, self.css)]
            {
                put!(
                    svg,
                    "<path class={css} d=\"M{} 1000V{}H{}V1000\"><title>{} ms: {} % before, {} % after</title></path>",
                    at(l),
                    at(1.0 - y.position(*share)),
                    at(r),
                    bucket_range(bucket),
                    number::percent(*before),
                    number::percent(*after)
                );
            }
        }
        let frame = Frame {
            question: self.question,
            height: 130,
            y: &y,
            y_unit: "% of waits",
            x: &x,
            x_unit: "wait, ms (logarithmic)",
        };
        Some(frame.render("", &svg, ""))
    }
}
