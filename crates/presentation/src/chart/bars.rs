//! Bars over equal steps of a quantity: in how much of the time it was how high.

use super::{Frame, Scale, at, pct, put};
use crate::escape::push_html;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Height.
    pub share_pct: f64,
    /// What it says on hover.
    pub hover: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the horizontal axis.
    pub x_unit: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// Bars, ascending.
    pub bars: &'a [Bar],
    /// A value that is marked, with its name.
    pub mark: Option<(f64, String)>,
}

impl Bars<'_> {
    /// The picture as HTML; nothing where there are no bars.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let last = self.bars.last()?;
        let x = Scale::linear_to(last.high.max(self.mark.as_ref().map_or(0.0, |(v, _)| *v)));
        let y = Scale::linear_to(self.bars.iter().map(|b| b.share_pct).fold(0.0, f64::max));
        let mut svg = String::new();
        for bar in self.bars {
            let (left, right) = (x.position(bar.low), x.position(bar.high));
            // What is seldom is drawn nevertheless: the rare intervals are what one sizes for.
            let top = 1.0 - y.position(bar.share_pct).max(0.012);
            put!(
                svg,
                "<path class=k-uio d=\"M{} 1000V{}H{}V1000z\"><title>",
                at(left + 0.001),
                at(top),
                at((right - 0.002).max(left + 0.002))
            );
            push_html(&mut svg, &bar.hover);
            svg.push_str("</title></path>");
        }
        let mut over = String::new();
        if let Some((value, name)) = &self.mark {
            let place = x.position(*value);
            let side = if place > 0.5 {
                format!("right:{}%", pct(1.0 - place))
            } else {
                format!("left:{}%", pct(place))
            };
            put!(over, "<u class=pk style=left:{}%></u><i class=pn style={side}>", pct(place));
            push_html(&mut over, name);
            over.push_str("</i>");
        }
        let frame = Frame {
            question: self.question,
            height: 150,
            y: &y,
            y_unit: self.y_unit,
            x: &x,
            x_unit: self.x_unit,
        };
        Some(frame.render("", &svg, &over))
    }
}
