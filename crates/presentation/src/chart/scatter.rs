//! Load against latency, both logarithmic: what is busy stands right, what is slow stands high.

use super::{Frame, Scale, at, names_beside, put};
use crate::escape::push_html;

/// One thing.
#[derive(Clone, Debug)]
pub struct Dot<'a> {
    /// Name.
    pub name: &'a str,
    /// Requests a second.
    pub x: f64,
    /// Milliseconds.
    pub y: f64,
    /// Text shown on hover.
    pub hover: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Scatter<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the horizontal axis.
    pub x_unit: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Dots, most important first: the first few are named.
    pub dots: &'a [Dot<'a>],
    /// Bar applied, on the vertical axis.
    pub bar: Option<f64>,
}

impl Scatter<'_> {
    /// The picture as HTML; nothing where no dot has both values above 0.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let dots: Vec<&Dot<'_>> = self.dots.iter().filter(|d| d.x > 0.0 && d.y > 0.0).collect();
        let x = Scale::log_around(dots.iter().map(|d| d.x))?;
        let y = Scale::log_around(dots.iter().map(|d| d.y).chain(self.bar))?;
        let mut svg = String::new();
        if let Some(bar) = self.bar {
            put!(svg, "<path class=bl d=\"M0 {}H1000\"><title>bar</title></path>", at(1.0 - y.position(bar)));
        }
        // The important ones are drawn last, on top.
        for dot in dots.iter().rev() {
            put!(
                svg,
                "<path class=\"dt {}\" d=\"M{} {}h0\"><title>",
                self.css,
                at(x.position(dot.x)),
                at(1.0 - y.position(dot.y))
            );
            push_html(&mut svg, &dot.hover);
            svg.push_str("</title></path>");
        }
        let over = names_beside(dots.iter().map(|d| (d.name, x.position(d.x), y.position(d.y))), 24);
        let frame = Frame {
            question: self.question,
            height: 240,
            y: &y,
            y_unit: self.y_unit,
            x: &x,
            x_unit: self.x_unit,
        };
        Some(frame.render("", &svg, &over))
    }
}
