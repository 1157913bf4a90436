//! Loads that both of two measurements had, rate against latency: where each stood before, where it stands after.

use super::{Frame, Scale, at, names_beside, put};
use crate::escape::push_html;

/// One load.
#[derive(Clone, Debug)]
pub struct Shifted<'a> {
    /// Name.
    pub name: &'a str,
    /// Requests a second and milliseconds, before.
    pub before: (f64, f64),
    /// Likewise after.
    pub after: (f64, f64),
    /// Text shown on hover.
    pub hover: String,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Shift<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the horizontal axis.
    pub x_unit: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// Loads, most important first: the first few are named.
    pub loads: &'a [Shifted<'a>],
}

impl Shift<'_> {
    /// The picture as HTML; nothing where no load has all four values above 0.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let known = |p: (f64, f64)| p.0 > 0.0 && p.1 > 0.0 && p.0.is_finite() && p.1.is_finite();
        let loads: Vec<&Shifted<'_>> =
            self.loads.iter().filter(|l| known(l.before) && known(l.after)).collect();
        let x = Scale::log_around(loads.iter().flat_map(|l| [l.before.0, l.after.0]))?;
        let y = Scale::log_around(loads.iter().flat_map(|l| [l.before.1, l.after.1]))?;
        let place = |p: (f64, f64)| (at(x.position(p.0)), at(1.0 - y.position(p.1)));
        let mut svg = String::new();
        // The important ones are drawn last, on top.
        for load in loads.iter().rev() {
            let (from, to) = (place(load.before), place(load.after));
            let mut hover = String::new();
            push_html(&mut hover, &load.hover);
            put!(
                svg,
                "<path class=bl opacity=.35 d=\"M{} {}L{} {}\"><title>{hover}</title></path>",
                from.0,
                from.1,
                to.0,
                to.1
            );
            put!(
                svg,
                "<path class=\"dt k-oth\" d=\"M{} {}h0\"><title>{hover}</title></path>",
                from.0,
                from.1
            );
            put!(svg, "<path class=\"dt k-uio\" d=\"M{} {}h0\"><title>{hover}</title></path>", to.0, to.1);
        }
        let ends = loads.iter().map(|l| (l.name, x.position(l.after.0), y.position(l.after.1)));
        let over = names_beside(ends, 28);
        let frame = Frame {
            question: self.question,
            height: 240,
            y: &y,
            y_unit: self.y_unit,
            x: &x,
            x_unit: self.x_unit,
        };
        let key =
            "<div class=ky><span><b class=k-oth></b>before</span><span><b class=k-uio></b>after</span></div>";
        Some(frame.render(key, &svg, &over))
    }
}

#[cfg(test)]
mod tests {
    use super::{Shift, Shifted};

    fn drawn(loads: &[Shifted<'_>]) -> Option<String> {
        Shift { question: "q", x_unit: "x", y_unit: "y", loads }.render()
    }

    #[test]
    fn a_load_has_a_dot_for_each_side_and_a_line_between() {
        let load =
            Shifted { name: "<read>", before: (100.0, 8.0), after: (400.0, 2.0), hover: "a & b".into() };
        let html = drawn(std::slice::from_ref(&load)).unwrap_or_default();
        assert_eq!((html.matches("dt k-oth").count(), html.matches("dt k-uio").count()), (1, 1));
        assert!(html.contains("&lt;read&gt;") && html.contains("a &amp; b") && html.contains("class=bl"));
        // What is not known has no place.
        assert_eq!(drawn(&[Shifted { before: (0.0, 8.0), ..load }]), None);
    }
}
