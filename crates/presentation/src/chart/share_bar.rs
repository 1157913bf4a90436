//! One bar from 0 to a total: parts, each split further, what no part claims left open.

use super::{pct, put};
use crate::escape::push_html;

/// One part of the bar.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Name, written where there is room.
    pub name: &'a str,
    /// Style-sheet class of its colour.
    pub css: &'a str,
    /// Size in the unit of the total.
    pub size: f64,
    /// Pieces it is made of, in drawing order; they may not reach `size`.
    pub pieces: Vec<Piece<'a>>,
    /// Text shown on hover.
    pub hover: String,
}

/// One piece of a part.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    /// Name, written where there is room.
    pub name: &'a str,
    /// Size in the unit of the total.
    pub size: f64,
    /// Text shown on hover.
    pub hover: String,
}

/// The bar.
#[derive(Clone, Debug)]
pub struct ShareBar<'a> {
    /// The question that it answers.
    pub question: &'a str,
    /// Length of the whole bar.
    pub total: f64,
    /// Unit, under the axis.
    pub unit: &'a str,
    /// Parts in drawing order.
    pub parts: Vec<Part<'a>>,
}

impl ShareBar<'_> {
    /// The bar as HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = String::from("<figure class=\"ch sb\"><figcaption>");
        push_html(&mut out, self.question);
        out.push_str("</figcaption>");
        stack(&mut out, &self.parts, self.total);
        axis(&mut out, self.total, self.unit);
        out.push_str("</figure>");
        out
    }
}

/// The parts from the left of a bar that is `total` long.
pub(super) fn stack(out: &mut String, parts: &[Part<'_>], total: f64) {
    out.push_str("<div class=bar>");
    for part in parts {
        let share = part.size / total;
        if share <= 0.0005 {
            continue;
        }
        put!(out, "<div class=\"{} pt\" style=width:{}% title=\"", part.css, pct(share));
        push_html(out, &part.hover);
        out.push_str("\">");
        for piece in &part.pieces {
            let of_part = piece.size / part.size;
            // A piece thinner than a pixel or two is only a smear.
            if share * of_part < 0.004 {
                continue;
            }
            put!(out, "<b style=width:{}% title=\"", pct(of_part));
            push_html(out, &piece.hover);
            out.push_str("\">");
            // About 6 of 1,000 pixels a character.
            if share * of_part > 0.006 * piece.name.chars().count() as f64 + 0.01 {
                out.push_str("<em>");
                push_html(out, piece.name);
                out.push_str("</em>");
            }
            out.push_str("</b>");
        }
        if share > 0.0065 * part.name.chars().count() as f64 + 0.008 {
            put!(out, "<span{}>", if share < 0.14 { " class=nw" } else { "" });
            push_html(out, part.name);
            if share >= 0.14 {
                put!(out, " {} %", crate::number::percent(100.0 * share));
            }
            out.push_str("</span>");
        }
        out.push_str("</div>");
    }
    out.push_str("</div>");
}

/// The axis under such a bar, from 0 to `total`.
pub(super) fn axis(out: &mut String, total: f64, unit: &str) {
    out.push_str("<div class=ax>");
    let scale = super::Scale::Linear { max: total };
    for (i, (p, label)) in scale.ticks(6).iter().enumerate() {
        put!(
            out,
            "<i class=\"xt{}\" style=left:{}%>{label}</i>",
            if i % 2 == 1 { " o" } else { "" },
            pct(*p)
        );
    }
    out.push_str("</div><div class=xu>");
    push_html(out, unit);
    out.push_str("</div>");
}
