//! One quantity over another, a line for each of several configurations; and the same over words, as bars.

use super::{Frame, Scale, at, pct, put};
use crate::escape::push_html;

/// A line.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// What it is.
    pub name: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Points, ascending, each with its words on hover.
    pub points: &'a [(f64, f64, String)],
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the horizontal axis.
    pub x_unit: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// Lines.
    pub series: &'a [Series<'a>],
}

/// Values further apart than this are drawn on a logarithmic axis.
const LOG_FROM: f64 = 30.0;
/// More points than this are too narrow to be pointed at.
const HOVERED: usize = 400;

impl Lines<'_> {
    /// The picture as HTML; nothing where no line has two points.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let all = || self.series.iter().flat_map(|s| s.points.iter());
        let finite = |(x, y, _): &&(f64, f64, String)| x.is_finite() && y.is_finite() && *y >= 0.0;
        let xs = || all().filter(finite).map(|p| p.0);
        let (first, last) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
        let highest = all().filter(finite).map(|p| p.1).fold(0.0, f64::max);
        if self.series.iter().all(|s| s.points.len() < 2) || highest <= 0.0 || last <= first {
            return None;
        }
        let is_log = first > 0.0 && last / first > LOG_FROM;
        let x = if is_log { Scale::log_around([first, last].into_iter())? } else { Scale::linear_to(last) };
        let y = Scale::linear_to(highest);
        let mut svg = String::new();
        let mut count = 0;
        for series in self.series {
            let mut d = String::new();
            for (n, (px, py, _)) in series.points.iter().filter(finite).enumerate() {
                put!(
                    d,
                    "{}{} {}",
                    if n == 0 { 'M' } else { 'L' },
                    at(x.position(*px)),
                    at(1.0 - y.position(*py))
                );
            }
            put!(svg, "<path class=\"ln {}\" d=\"{d}\"/>", series.css);
            for (px, py, hover) in series.points.iter().filter(finite) {
                count += 1;
                if count > HOVERED {
                    break;
                }
                put!(
                    svg,
                    "<path class=\"dt {}\" d=\"M{} {}h0\"><title>",
                    series.css,
                    at(x.position(*px)),
                    at(1.0 - y.position(*py))
                );
                push_html(&mut svg, hover);
                svg.push_str("</title></path>");
            }
        }
        let mut key = String::from("<div class=ky>");
        for series in self.series.iter().filter(|s| !s.name.is_empty()) {
            put!(key, "<span><b class={}></b>", series.css);
            push_html(&mut key, series.name);
            key.push_str("</span>");
        }
        key.push_str("</div>");
        let frame = Frame {
            question: self.question,
            height: 250,
            y: &y,
            y_unit: self.y_unit,
            x: &x,
            x_unit: &format!("{}{}", self.x_unit, if is_log { ", logarithmic" } else { "" }),
        };
        Some(frame.render(&key, &svg, ""))
    }
}

/// A bar of [`Rows`].
#[derive(Clone, Debug)]
pub struct NamedBar<'a> {
    /// What it is.
    pub name: &'a str,
    /// How long it is.
    pub value: f64,
    /// In words.
    pub text: String,
}

/// One quantity of several things, a bar each.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit, under the bars.
    pub unit: &'a str,
    /// Style-sheet class of their colour.
    pub css: &'a str,
    /// Bars.
    pub bars: &'a [NamedBar<'a>],
}

impl Rows<'_> {
    /// The picture as HTML; nothing where no bar has a length.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let most = self.bars.iter().map(|b| b.value).filter(|v| v.is_finite()).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let mut out = String::from("<figure class=ch><figcaption>");
        push_html(&mut out, self.question);
        out.push_str("</figcaption>");
        for bar in self.bars {
            out.push_str("<div class=wr><span class=wn>");
            push_html(&mut out, bar.name);
            put!(
                out,
                "</span><div class=wt><u class={} style=left:0;width:{}%></u></div><span class=wv>",
                self.css,
                pct(bar.value / most)
            );
            push_html(&mut out, &bar.text);
            out.push_str("</span></div>");
        }
        out.push_str("<div class=xu>");
        push_html(&mut out, self.unit);
        out.push_str("</div></figure>");
        Some(out)
    }
}
