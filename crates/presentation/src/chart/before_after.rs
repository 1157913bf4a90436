//! Two bars on one axis, today above and afterwards below, with the range of the second drawn.

use super::share_bar::{axis, stack};
use super::{Part, pct, put};
use crate::escape::push_html;

/// One of the two bars.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// What stands above it: `now: 7,200 s`.
    pub label: String,
    /// Parts in drawing order; both bars keep one order.
    pub parts: Vec<Part<'a>>,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct BeforeAfter<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit, under the axis.
    pub unit: &'a str,
    /// Length of the axis.
    pub total: f64,
    /// Today.
    pub before: Side<'a>,
    /// Afterwards.
    pub after: Side<'a>,
    /// Where the second bar may end, lowest and highest, and the words on hover.
    pub end: (f64, f64, String),
    /// Words for what is missing from the second bar, and where they begin; empty where it is too
    /// narrow for them.
    pub saved: String,
}

impl BeforeAfter<'_> {
    /// The picture as HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = String::from("<figure class=\"ch sb\"><figcaption>");
        push_html(&mut out, self.question);
        out.push_str("</figcaption>");
        let (low, high, hover) = &self.end;
        for (side, is_after) in [(&self.before, false), (&self.after, true)] {
            out.push_str("<div class=bn>");
            push_html(&mut out, &side.label);
            out.push_str("</div><div class=bw>");
            stack(&mut out, &side.parts, self.total);
            if is_after {
                let free = 1.0 - high / self.total;
                // About 7 of 1,000 pixels a character.
                if !self.saved.is_empty() && free > 0.007 * self.saved.chars().count() as f64 + 0.02 {
                    put!(out, "<span class=sv style=left:{}%>", pct(high / self.total));
                    push_html(&mut out, &self.saved);
                    out.push_str("</span>");
                }
                put!(
                    out,
                    "<u class=rg style=left:{}%;width:{}% title=\"",
                    pct(low / self.total),
                    pct((high - low) / self.total)
                );
                push_html(&mut out, hover);
                out.push_str("\"></u>");
            }
            out.push_str("</div>");
        }
        axis(&mut out, self.total, self.unit);
        out.push_str("</figure>");
        out
    }
}
