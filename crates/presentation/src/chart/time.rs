//! Intervals on one time axis: stacked areas or step lines. A gap between intervals stays a gap.

use super::{Frame, Scale, at, pct, put};
use crate::escape::push_html;

/// An interval, seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// First second.
    pub begin: f64,
    /// Last second.
    pub end: f64,
}

/// One layer of a stack: a value for each interval.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Name.
    pub name: String,
    /// Style-sheet class of its colour.
    pub css: &'static str,
    /// Values, one a span; `None` where unknown.
    pub values: Vec<Option<f64>>,
}

/// One line: a value for each interval.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name.
    pub name: String,
    /// Style-sheet class of the stroke.
    pub css: &'static str,
    /// Values, one a span; `None` where unknown.
    pub values: Vec<Option<f64>>,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct TimeChart<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Unit of the vertical axis.
    pub y_unit: &'a str,
    /// The axis that all charts of the page share.
    pub axis: &'a Scale,
    /// Intervals, ascending.
    pub spans: &'a [Span],
    /// What each interval is called on hover.
    pub names: &'a [String],
    /// Stacked layers, bottom first.
    pub layers: Vec<Layer>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Interval that is named as the peak.
    pub peak: Option<(usize, String)>,
    /// Moments that are marked, seconds since 1970, and what is said of each on hover.
    pub marks: Vec<(f64, String)>,
}

impl TimeChart<'_> {
    /// The picture as HTML; nothing where no value is known.
    #[must_use]
    pub fn render(&self) -> Option<String> {
        let value = |values: &[Option<f64>], i: usize| values.get(i).copied().flatten();
        let stack = |i: usize| self.layers.iter().filter_map(|l| value(&l.values, i)).sum::<f64>();
        let highest = (0..self.spans.len())
            .flat_map(|i| self.lines.iter().filter_map(move |l| value(&l.values, i)).chain([stack(i)]))
            .fold(0.0, f64::max);
        if highest <= 0.0 {
            return None;
        }
        let y = Scale::linear_to(highest);
        let mut svg = String::new();
        let mut base = vec![0.0; self.spans.len()];
        for layer in &self.layers {
            let mut d = String::new();
            for (i, span) in self.spans.iter().enumerate() {
                let Some(v) = value(&layer.values, i).filter(|v| *v > 0.0) else { continue };
                let (from, to) = (1.0 - y.position(base[i]), 1.0 - y.position(base[i] + v));
                base[i] += v;
                if at(from) != at(to) {
                    let (left, right) = (self.axis.position(span.begin), self.axis.position(span.end));
                    put!(d, "M{} {}V{}H{}V{}z", at(left), at(from), at(to), at(right), at(from));
                }
            }
            put!(svg, "<path class={} d=\"{d}\"><title>", layer.css);
            push_html(&mut svg, &layer.name);
            svg.push_str("</title></path>");
        }
        for line in &self.lines {
            let mut d = String::new();
            let mut pen: Option<f64> = None;
            for (i, span) in self.spans.iter().enumerate() {
                let Some(v) = value(&line.values, i) else {
                    pen = None;
                    continue;
                };
                let (left, right) = (self.axis.position(span.begin), self.axis.position(span.end));
                let height = at(1.0 - y.position(v));
                // Only intervals that touch are joined.
                match pen {
                    Some(end) if (span.begin - end).abs() < 90.0 => {
                        put!(d, "V{height}H{}", at(right));
                    }
                    _ => {
                        put!(d, "M{} {height}H{}", at(left), at(right));
                    }
                }
                pen = Some(span.end);
            }
            put!(svg, "<path class=\"ln {}\" d=\"{d}\"/>", line.css);
        }
        // Invisible columns carry the words for hovering.
        if self.names.len() == self.spans.len() && self.spans.len() <= 200 {
            for (span, name) in self.spans.iter().zip(self.names) {
                let (left, right) = (self.axis.position(span.begin), self.axis.position(span.end));
                put!(svg, "<path class=hv d=\"M{} 0V1000H{}V0z\"><title>", at(left), at(right));
                push_html(&mut svg, name);
                svg.push_str("</title></path>");
            }
        }
        let mut over = String::new();
        for (from, to, seconds) in self.axis.breaks() {
            put!(
                over,
                "<u class=bk style=left:{}%;width:{}% title=\"no report for {}\"></u>",
                pct(from),
                pct(to - from),
                crate::number::duration(seconds)
            );
        }
        for (moment, text) in &self.marks {
            put!(over, "<u class=pk style=left:{}% title=\"", pct(self.axis.position(*moment)));
            push_html(&mut over, text);
            over.push_str("\"></u>");
        }
        if let Some((i, text)) = &self.peak
            && let Some(span) = self.spans.get(*i)
        {
            let middle = self.axis.position(f64::midpoint(span.begin, span.end));
            let side = if middle > 0.5 {
                format!("right:{}%", pct(1.0 - middle))
            } else {
                format!("left:{}%", pct(middle))
            };
            put!(over, "<u class=pk style=left:{}%></u><i class=pn style={side}>", pct(middle));
            push_html(&mut over, text);
            over.push_str("</i>");
        }
        let frame = Frame {
            question: self.question,
            height: 170,
            y: &y,
            y_unit: self.y_unit,
            x: self.axis,
            x_unit: &self.axis.time_unit(),
        };
        Some(frame.render(&self.key(), &svg, &over))
    }

    /// Which colour is what.
    fn key(&self) -> String {
        let mut out = String::from("<div class=ky>");
        let names = self
            .layers
            .iter()
            .rev()
            .map(|l| (&l.name, l.css))
            .chain(self.lines.iter().map(|l| (&l.name, l.css)));
        for (name, css) in names {
            put!(out, "<span><b class={css}></b>");
            push_html(&mut out, name);
            out.push_str("</span>");
        }
        out.push_str("</div>");
        out
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_change_was_in_the_table_alone_and_not_in_the_chart() {
        let spans: Vec<Span> =
            (0..4).map(|h| f64::from(h) * 3600.0).map(|b| Span { begin: b, end: b + 3600.0 }).collect();
        let stretches: Vec<(f64, f64)> = spans.iter().map(|s| (s.begin, s.end)).collect();
        let axis = Scale::time_over(&stretches).unwrap();
        let line = Line { name: "log write".to_owned(), css: "k-com", values: vec![Some(1.0); 4] };
        let chart = |marks: Vec<(f64, String)>| TimeChart {
            question: "",
            y_unit: "ms",
            axis: &axis,
            spans: &spans,
            names: &[],
            layers: Vec::new(),
            lines: vec![line.clone()],
            peak: None,
            marks,
        };
        let marked = chart(vec![(7_200.0, "02:00: \"log write\" 1 to 2 ms".to_owned())]).render().unwrap();
        assert!(marked.contains("left:50%"), "{marked}");
        assert!(marked.contains("title=\"02:00: &quot;log write&quot; 1 to 2 ms\""), "{marked}");
        assert!(!chart(Vec::new()).render().unwrap().contains("class=pk"));
    }
}
