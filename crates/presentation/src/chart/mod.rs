//! The few pictures that the page needs, as static SVG that stretches with the page.
//!
//! The marks are drawn in a 1000 by 1000 box that the browser stretches to the room there is;
//! words and numbers are plain HTML placed by percent, so they keep their size at 390 pixels and
//! in print. Lines keep their thickness and points stay round (`non-scaling-stroke`). Colours
//! are style-sheet classes: dark mode and print change them without another picture.

mod bars;
mod before_after;
mod frontier;
mod histogram;
mod lines;
mod scale;
mod scatter;
mod share_bar;
mod shift;
mod time;
mod two_histograms;
mod waterfall;

pub use bars::{Bar, Bars};
pub use before_after::{BeforeAfter, Side};
pub use frontier::{Frontier, Mark, Step};
pub(crate) use histogram::bucket_range;
pub use histogram::{Band, Bucket, Histogram};
pub use lines::{Lines, NamedBar, Rows, Series};
pub use scale::{Scale, seconds_of};
pub use scatter::{Dot, Scatter};
pub use share_bar::{Part, Piece, ShareBar};
pub use shift::{Shift, Shifted};
pub use time::{Layer, Line, Span, TimeChart};
pub use two_histograms::TwoHistograms;
pub use waterfall::{Fall, Waterfall};

use crate::escape::{clip, push_html};

/// Appends formatted text; writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        use std::fmt::Write as _;
        let _ = write!($out, $($arg)*);
    }};
}
pub(crate) use put;

/// Position in the box, short: `123.4`.
fn at(share: f64) -> String {
    let text = format!("{:.1}", share.clamp(-0.01, 1.01) * 1000.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A percentage for a style, short: `12.3`.
fn pct(share: f64) -> String {
    let text = format!("{:.2}", share.clamp(0.0, 1.0) * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Points that get their name written.
const NAMED: usize = 8;

/// Names beside points, those of the first few; each with its place to the right and up, and cut to so many
/// characters. Names that meet are left out.
fn names_beside<'a>(points: impl Iterator<Item = (&'a str, f64, f64)>, longest: usize) -> String {
    let mut out = String::new();
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for (name, left, up) in points.take(NAMED) {
        let name = clip(name, longest);
        // About 7 pixels a character in a plot that is 500 wide.
        let room = name.chars().count() as f64 * 0.014 + 0.02;
        let begin = if left > 0.6 { left - room } else { left };
        let meets = |(b, e, u): &(f64, f64, f64)| begin < *e && *b < begin + room && (up - u).abs() < 0.07;
        if taken.iter().any(meets) {
            continue;
        }
        taken.push((begin, begin + room, up));
        let side =
            if left > 0.6 { format!("right:{}%", pct(1.0 - left)) } else { format!("left:{}%", pct(left)) };
        put!(out, "<i class=nm style={side};bottom:{}%>", pct(up));
        push_html(&mut out, &name);
        out.push_str("</i>");
    }
    out
}

/// What every chart has around its marks.
struct Frame<'a> {
    /// The question that it answers.
    question: &'a str,
    /// Height of the plot, pixels.
    height: u32,
    /// Vertical scale and its unit.
    y: &'a Scale,
    y_unit: &'a str,
    /// Horizontal scale and its unit.
    x: &'a Scale,
    x_unit: &'a str,
}

impl Frame<'_> {
    /// Grid, ticks and units around marks; `over` is placed above the picture, `above` before it.
    fn render(&self, above: &str, marks: &str, over: &str) -> String {
        let mut out = String::with_capacity(marks.len() + 1500);
        out.push_str("<figure class=ch><figcaption>");
        push_html(&mut out, self.question);
        out.push_str("</figcaption><div class=yu>");
        push_html(&mut out, self.y_unit);
        put!(
            out,
            "</div>{above}<div class=pl style=height:{}px><svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=none role=img aria-label=\"",
            self.height
        );
        push_html(&mut out, self.question);
        out.push_str("\"><path class=gr d=\"");
        let y_ticks = self.y.ticks(4);
        for (p, _) in &y_ticks {
            put!(out, "M0 {}H1000", at(1.0 - p));
        }
        let x_ticks = self.x.ticks(8);
        for (p, _) in &x_ticks {
            put!(out, "M{} 0V1000", at(*p));
        }
        put!(out, "\"/>{marks}</svg>");
        for (p, label) in &y_ticks {
            put!(out, "<i class=yt style=bottom:{}%>{label}</i>", pct(*p));
        }
        for (i, (p, label)) in x_ticks.iter().enumerate() {
            // Every other label gives way on a narrow screen.
            put!(
                out,
                "<i class=\"xt{}\" style=left:{}%>{label}</i>",
                if i % 2 == 1 && x_ticks.len() > 5 { " o" } else { "" },
                pct(*p)
            );
        }
        put!(out, "{over}</div><div class=xu>");
        push_html(&mut out, self.x_unit);
        out.push_str("</div></figure>");
        out
    }
}
