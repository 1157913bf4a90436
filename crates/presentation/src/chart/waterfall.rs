//! Steps from a sum before to a sum after, one row a step: each bar begins where the one above ended,
//! with what rounding leaves open drawn at its end.

use super::{pct, put};
use crate::escape::push_html;
use crate::number;

/// One row.
#[derive(Clone, Debug)]
pub struct Fall<'a> {
    /// What it is.
    pub name: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Drawn lighter: a number of waits and no latency.
    pub light: bool,
    /// Change.
    pub delta: f64,
    /// Least and most that it may be.
    pub bounds: (f64, f64),
    /// The change in words.
    pub text: String,
    /// On hover.
    pub hover: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Waterfall<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit, under the axis.
    pub unit: &'a str,
    /// Before: where the first step begins, with its words.
    pub before: (f64, String),
    /// After: where the last step ends.
    pub after: (f64, String),
    /// Steps, in drawing order.
    pub steps: &'a [Fall<'a>],
}

impl Waterfall<'_> {
    /// The picture as HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let (mut low, mut high, mut level) =
            (self.before.0.min(self.after.0), self.before.0.max(self.after.0), self.before.0);
        for step in self.steps {
            low = low.min(level + step.bounds.0.min(step.delta));
            high = high.max(level + step.bounds.1.max(step.delta));
            level += step.delta;
            low = low.min(level);
            high = high.max(level);
        }
        // Steps that are small against the sums would be lost on an axis from zero: it is cut then, and
        // both sums are drawn torn and the unit says where it begins.
        let steps = high - low;
        let cut = low > 0.0 && steps < 0.4 * high;
        let low = if cut { (low - 0.3 * steps).max(0.0) } else { low.min(0.0) };
        let reach = high - low;
        let at = |v: f64| if reach > 0.0 { (v - low) / reach } else { 0.0 };
        let mut out = String::from("<figure class=\"ch wf\"><figcaption>");
        push_html(&mut out, self.question);
        out.push_str("</figcaption>");
        let sum = |out: &mut String, name: &str, (value, text): &(f64, String)| {
            put!(
                out,
                "<div class=\"wr ws\"><span class=wn>{name}</span><div class=wt><u class=\"k-oth{}\" style=left:{}%;width:{}%></u></div><span class=wv>",
                if cut { " wc" } else { "" },
                pct(at(0.0).max(0.0)),
                pct(at(*value) - at(0.0).max(0.0))
            );
            push_html(out, text);
            out.push_str("</span></div>");
        };
        sum(&mut out, "before", &self.before);
        let mut level = self.before.0;
        for step in self.steps {
            let (from, to) = (level, level + step.delta);
            let (left, right) = (at(from.min(to)), at(from.max(to)));
            out.push_str("<div class=wr title=\"");
            push_html(&mut out, &step.hover);
            out.push_str("\"><span class=wn>");
            push_html(&mut out, step.name);
            put!(
                out,
                "</span><div class=wt><u class=\"{}{}\" style=left:{}%;width:{}%></u>",
                step.css,
                if step.light { " wl" } else { "" },
                pct(left),
                pct((right - left).max(0.002))
            );
            let (least, most) = (at(level + step.bounds.0), at(level + step.bounds.1));
            if most - least > 0.004 {
                put!(out, "<u class=wb style=left:{}%;width:{}%></u>", pct(least), pct(most - least));
            }
            out.push_str("</div><span class=wv>");
            push_html(&mut out, &step.text);
            out.push_str("</span></div>");
            level = to;
        }
        sum(&mut out, "after", &self.after);
        put!(out, "<div class=\"xu\">");
        push_html(&mut out, self.unit);
        if cut {
            put!(out, "; the axis begins at {}", number::measure(low));
        }
        out.push_str("</div></figure>");
        out
    }
}
