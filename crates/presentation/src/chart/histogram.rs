//! A latency distribution on a logarithmic axis, percentiles as bands: a histogram only bounds
//! them, so no point is drawn where none is known.

use super::{Frame, Scale, at, pct, put};
use crate::escape::push_html;
use crate::number;

/// One bucket, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// Lower bound; 0 in the first one.
    pub low_ms: f64,
    /// Upper bound; `None` where open.
    pub high_ms: Option<f64>,
    /// Waits.
    pub waits: f64,
}

/// A percentile, known between bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// `p50`.
    pub name: &'static str,
    /// Lower bound.
    pub low_ms: f64,
    /// Upper bound; may be infinite.
    pub high_ms: f64,
    /// The bounds in words.
    pub text: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Histogram<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Buckets, ascending.
    pub buckets: &'a [Bucket],
    /// Percentiles.
    pub bands: &'a [Band],
    /// Mean.
    pub average_ms: Option<f64>,
    /// Bar applied.
    pub bar_ms: Option<f64>,
    /// What is counted: `waits`, `requests`.
    pub of: &'static str,
    /// Words under the horizontal axis.
    pub x_unit: &'a str,
}

impl Histogram<'_> {
    /// The picture as HTML; nothing where no bucket holds a wait.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let total: f64 = self.buckets.iter().map(|b| b.waits).sum();
        let first = self.buckets.iter().position(|b| b.waits > 0.0)?;
        let last = self.buckets.iter().rposition(|b| b.waits > 0.0)?;
        let drawn = &self.buckets[first..=last];
        // The first bucket begins at nothing and the last may be open: on a logarithmic axis each
        // is drawn one power of two wide.
        let ends = |b: &Bucket| {
            let high = b.high_ms.unwrap_or(b.low_ms * 2.0);
            (if b.low_ms > 0.0 { b.low_ms } else { high / 2.0 }, high)
        };
        let marks = [self.average_ms, self.bar_ms];
        let marks = marks.into_iter().flatten().filter(|v| *v > 0.0);
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for (l, h) in drawn.iter().map(ends).chain(marks.map(|v| (v / 1.2, v * 1.2))) {
            low = low.min(l);
            high = high.max(h);
        }
        let x = Scale::Log { low, high };
        let share = |b: &Bucket| 100.0 * b.waits / total;
        let y = Scale::linear_to(drawn.iter().map(share).fold(0.0, f64::max));
        let mut svg = String::new();
        for bucket in drawn {
            // What begins at nothing reaches to the end of the axis.
            let (from, high) = ends(bucket);
            let low = if bucket.low_ms > 0.0 { from } else { low };
            let (left, right, top) = (x.position(low), x.position(high), 1.0 - y.position(share(bucket)));
            put!(
                svg,
                "<path class={} d=\"M{} 1000V{}H{}V1000\"><title>",
                self.css,
                at(left),
                at(top),
                at(right - 0.003)
            );
            let range = bucket_range(bucket);
            put!(
                svg,
                "{range} ms: {} {}, {} %</title></path>",
                number::count(bucket.waits),
                self.of,
                number::percent(share(bucket))
            );
        }
        let mut over = String::new();
        if let Some(average) = self.average_ms.filter(|v| *v > 0.0) {
            put!(
                over,
                "<u class=av style=left:{}% title=\"average {} ms\"></u>",
                pct(x.position(average)),
                number::measure(average)
            );
        }
        if let Some(bar) = self.bar_ms {
            put!(
                over,
                "<u class=br style=left:{}% title=\"bar {} ms\"></u>",
                pct(x.position(bar)),
                number::plain(bar)
            );
        }
        let mut above = String::from("<div class=bands>");
        for band in self.bands {
            let left = x.position(band.low_ms.max(low));
            let right = if band.high_ms.is_finite() { x.position(band.high_ms) } else { 1.0 };
            // The words go where there is room: right of the band, or left of it.
            let words = if left > 0.5 {
                format!("right:{}%", pct(1.0 - left))
            } else {
                format!("left:{}%", pct(right))
            };
            put!(
                above,
                "<div class=bd><u class={} style=left:{}%;width:{}%></u><i style={words}>{} ",
                self.css,
                pct(left),
                pct((right - left).max(0.006)),
                band.name
            );
            push_html(&mut above, &band.text);
            above.push_str("</i></div>");
        }
        above.push_str("</div>");
        let frame = Frame {
            question: self.question,
            height: 130,
            y: &y,
            y_unit: &format!("% of {}", self.of),
            x: &x,
            x_unit: self.x_unit,
        };
        Some(frame.render(&above, &svg, &over))
    }
}

/// `4.1-8.19`, `under 0.51`, `over 1,049`.
pub(crate) fn bucket_range(bucket: &Bucket) -> String {
    let low = number::plain(bucket.low_ms);
    match bucket.high_ms {
        None => format!("over {low}"),
        Some(high) if bucket.low_ms <= 0.0 => format!("under {}", number::plain(high)),
        Some(high) => format!("{low}-{}", number::plain(high)),
    }
}
