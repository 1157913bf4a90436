//! What each capacity buys: steps with the band of what is at least and at most to be expected.
//!
//! Between two points the picture keeps the smaller one: what fits at the next point may not fit
//! before it. Points that were measured are joined by a line instead.

use super::{Frame, Scale, at, pct, put};
use crate::escape::push_html;

/// Gain at one capacity.
#[derive(Clone, Debug)]
pub struct Step {
    /// Capacity, unit of the horizontal axis.
    pub x: f64,
    /// At least, likely, at most.
    pub y: (f64, f64, f64),
    /// Text shown on hover.
    pub hover: String,
}

/// A capacity that is named.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What it is called.
    pub name: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Frontier<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the horizontal axis.
    pub x_unit: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// Steps, ascending.
    pub steps: &'a [Step],
    /// The step where the curve bends, and what it is called.
    pub knee: Option<(usize, String)>,
    /// Capacities that are named.
    pub marks: &'a [Mark],
    /// Points were measured, and what lies between two is likely between them: a line joins them.
    pub joined: bool,
}

/// Capacities further apart than this are drawn on a logarithmic axis: on a linear one the small
/// ones, which save most a byte, would be one line.
const LOG_FROM: f64 = 30.0;

/// More steps than this are too narrow to be pointed at.
const HOVERED: usize = 200;

impl Frontier<'_> {
    /// The picture as HTML; nothing where no step gains.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let highest = self.steps.iter().map(|s| s.y.2).fold(0.0, f64::max);
        let xs = || self.steps.iter().map(|s| s.x).chain(self.marks.iter().map(|m| m.x));
        let last = xs().fold(0.0, f64::max);
        let first = xs().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
        if highest <= 0.0 || last <= 0.0 || !highest.is_finite() || !last.is_finite() {
            return None;
        }
        let is_log = last / first > LOG_FROM;
        let x = if is_log { Scale::log_around([first, last].into_iter())? } else { Scale::linear_to(last) };
        // Room for the names above the curve.
        let y = Scale::linear_to(highest * 1.12);
        let corners = |value: fn(&Step) -> f64| -> Vec<(f64, f64)> {
            let mut out = Vec::with_capacity(self.steps.len() * 2 + 1);
            let mut before: Option<f64> = None;
            for step in self.steps {
                let (left, down) = (x.position(step.x), 1.0 - y.position(value(step)));
                if let Some(before) = before.filter(|_| !self.joined) {
                    out.push((left, before));
                }
                out.push((left, down));
                before = Some(down);
            }
            // More room than all objects need gains nothing more.
            out.extend(before.map(|down| (x.position(last), down)));
            out
        };
        let path = |points: &[(f64, f64)]| {
            let mut d = String::new();
            for (n, (left, down)) in points.iter().enumerate() {
                put!(d, "{}{} {}", if n == 0 { 'M' } else { 'L' }, at(*left), at(*down));
            }
            d
        };
        let mut band = corners(|s| s.y.2);
        band.extend(corners(|s| s.y.0).into_iter().rev());
        let mut svg = format!(
            "<path class=fb d=\"{}z\"/><path class=\"ln fl\" d=\"{}\"/>",
            path(&band),
            path(&corners(|s| s.y.1))
        );
        if let Some(step) = self.knee.as_ref().and_then(|(n, _)| self.steps.get(*n)) {
            put!(
                svg,
                "<path class=\"dt fl\" d=\"M{} {}h0\"/>",
                at(x.position(step.x)),
                at(1.0 - y.position(step.y.1))
            );
        }
        // Invisible columns carry the words for hovering.
        for (n, step) in self.steps.iter().enumerate().filter(|_| self.steps.len() <= HOVERED) {
            let (left, right) = (
                x.position(step.x),
                self.steps.get(n + 1).map_or_else(|| x.position(last), |next| x.position(next.x)),
            );
            if right > left {
                put!(svg, "<path class=hv d=\"M{} 0V1000H{}V0z\"><title>", at(left), at(right));
                push_html(&mut svg, &step.hover);
                svg.push_str("</title></path>");
            }
        }
        let frame = Frame {
            question: self.question,
            height: 250,
            y: &y,
            y_unit: self.y_unit,
            x: &x,
            x_unit: &format!("{}{}", self.x_unit, if is_log { ", logarithmic" } else { "" }),
        };
        Some(frame.render(KEY, &svg, &self.names(&x)))
    }

    /// Vertical lines with their names, each a line lower than the one before.
    fn names(&self, x: &Scale) -> String {
        let knee = self.knee.iter().filter_map(|(n, name)| Some((self.steps.get(*n)?.x, name)));
        let mut out = String::new();
        for (row, (value, name)) in self.marks.iter().map(|m| (m.x, &m.name)).chain(knee).enumerate() {
            let place = x.position(value);
            let side = if place > 0.5 {
                format!("right:{}%", pct(1.0 - place))
            } else {
                format!("left:{}%", pct(place))
            };
            put!(
                out,
                "<u class=pk style=left:{}%></u><i class=pn style={side};top:{}px>",
                pct(place),
                row * 15 + 2
            );
            push_html(&mut out, name);
            out.push_str("</i>");
        }
        out
    }
}

/// What line and band are.
const KEY: &str = "<div class=ky><span><b class=fk></b>most likely</span><span><b class=fbk></b>at least to at most</span></div>";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Frontier, Step};

    #[test]
    fn a_rate_in_proportion_was_drawn_as_if_it_jumped_at_the_last_point() {
        let steps: Vec<Step> =
            [1.0, 2.0, 4.0].into_iter().map(|x| Step { x, y: (x, x, x), hover: String::new() }).collect();
        let picture = |joined: bool| {
            let chart = Frontier {
                question: "?",
                x_unit: "requests under way",
                y_unit: "requests a second",
                steps: &steps,
                knee: None,
                marks: &[],
                joined,
            };
            let html = chart.render().unwrap();
            let line = html.split_once("class=\"ln fl\" d=\"").unwrap().1;
            line.split_once('"').unwrap().0.to_owned()
        };
        // Corners lie at points alone, but for the last one, from which the line goes no further.
        assert_eq!(picture(true).matches('L').count(), 3);
        assert_eq!(picture(false).matches('L').count(), 5);
    }
}
