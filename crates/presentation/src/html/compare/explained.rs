//! What explains the change of DB time: the waterfall and its table.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{bounds, signed, unit};
use crate::chart::{Fall, Waterfall};
use crate::escape::push_html;
use crate::palette;
use spindle_diagnosis::comparison::{Comparison, Step, StepKind, said};

/// Steps drawn; the rest is one.
const DRAWN: usize = 14;
/// Steps in the table.
const ROWS: usize = 16;

fn hue(step: &Step) -> &'static str {
    match step.kind {
        StepKind::Cpu => palette::CPU.css,
        StepKind::Plan => palette::of("").css,
        _ => palette::of(step.wait_class.as_deref().unwrap_or("")).css,
    }
}

pub(super) fn render(c: &Comparison) -> String {
    let mut out = section("", "explained", "What explains the change of DB time");
    let (factor, unit) = unit(c);
    out.push_str("<p class=q>In ");
    push_html(&mut out, &format!("{unit}; {}.", c.normalised.because));
    out.push_str(" An event's change is split at the midpoint into its volume, the number of waits (lighter), and its latency; all steps and what is not explained add up to the change of DB time.</p>");
    picture(&mut out, c, factor, unit);
    if c.waterfall.is_empty() {
        empty(&mut out, "No step: CPU and every wait are as before, or a side prints neither.");
        out.push_str("</section>");
        return out;
    }
    let mut table = Table::new(
        "",
        &["", "Step", "Wait class", ">Change", ">Bounds of rounding", ">Of the change (%)"],
        ROWS + 3,
    );
    let whole = c.db_time_delta_s.map(|d| d.value);
    let share = |delta: f64| whole.filter(|w| *w != 0.0).map(|w| 100.0 * delta / w);
    for step in c.waterfall.iter().take(ROWS) {
        table.row(
            "",
            &[
                Cell::Html(format!("<b class=\"sw {}\"></b>", hue(step))),
                Cell::Text(&step.cause),
                Cell::Text(step.wait_class.as_deref().unwrap_or("")),
                Cell::Number(signed(step.delta_s * factor)),
                Cell::Number(bounds(step.delta_s * factor, step.low_s * factor, step.high_s * factor)),
                Cell::known(share(step.delta_s), |p| crate::number::fixed(p, 1)),
            ],
        );
    }
    if c.waterfall.len() > ROWS {
        let rest: f64 = c.waterfall.iter().skip(ROWS).map(|s| s.delta_s).sum();
        table.row(
            "",
            &[
                Cell::Html(String::new()),
                Cell::Text("smaller steps"),
                Cell::Text(""),
                Cell::Number(signed(rest * factor)),
                Cell::Number(String::new()),
                Cell::known(share(rest), |p| crate::number::fixed(p, 1)),
            ],
        );
    }
    if let (Some(left), Some(delta)) = (c.unexplained_bounds_s, c.db_time_delta_s) {
        for (class, name, amount) in
            [("", "not explained by CPU or a printed wait", left), ("tot", "DB time", delta)]
        {
            table.row(
                class,
                &[
                    Cell::Html(String::new()),
                    Cell::Text(name),
                    Cell::Text(""),
                    Cell::Number(signed(amount.value * factor)),
                    Cell::Number(bounds(amount.value * factor, amount.low * factor, amount.high * factor)),
                    Cell::known(share(amount.value), |p| crate::number::fixed(p, 1)),
                ],
            );
        }
    }
    table.finish_with(&mut out, super::REST);
    out.push_str("</section>");
    out
}

fn picture(out: &mut String, c: &Comparison, factor: f64, unit: &str) {
    let (Some(delta), Some(left)) = (c.db_time_delta_s, c.unexplained_bounds_s) else {
        empty(out, "No picture: DB time is not known on both sides.");
        return;
    };
    if c.waterfall.is_empty() {
        return;
    }
    // The sums that the divisors leave: what DB time is on this basis.
    let Some(before) = c.before_normalised_s.map(|s| s * factor) else { return };
    let drawn: Vec<&Step> = c.waterfall.iter().take(DRAWN).collect();
    let mut falls: Vec<Fall<'_>> = drawn
        .iter()
        .map(|s| Fall {
            name: &s.cause,
            css: hue(s),
            light: s.kind == StepKind::Volume,
            delta: s.delta_s * factor,
            bounds: (s.low_s * factor, s.high_s * factor),
            text: signed(s.delta_s * factor),
            hover: format!("{}: {}", s.cause, signed(s.delta_s * factor)),
        })
        .collect();
    let rest: f64 = c.waterfall.iter().skip(DRAWN).map(|s| s.delta_s * factor).sum();
    let smaller = c.waterfall.len().saturating_sub(DRAWN);
    let many = format!("{smaller} smaller step{}", if smaller == 1 { "" } else { "s" });
    if c.waterfall.len() > DRAWN {
        falls.push(Fall {
            name: &many,
            css: palette::of("").css,
            light: false,
            delta: rest,
            bounds: (rest, rest),
            text: signed(rest),
            hover: many.clone(),
        });
    }
    falls.push(Fall {
        name: "not explained",
        css: palette::UNEXPLAINED.css,
        light: false,
        delta: left.value * factor,
        bounds: (left.low * factor, left.high * factor),
        text: signed(left.value * factor),
        hover: "neither CPU nor a printed wait".to_owned(),
    });
    let after = before + delta.value * factor;
    let words = |v: f64| said(c.normalised_by, v / factor);
    let verb = if delta.value < 0.0 { "fall" } else { "rise" };
    let by = words(delta.value.abs() * factor);
    let question = if c.two_databases {
        format!("What makes the difference of {by} in DB time?")
    } else {
        format!("Why did DB time {verb} by {by}?")
    };
    out.push_str(
        &Waterfall {
            question: &question,
            unit,
            before: (before, words(before)),
            after: (after, words(after)),
            steps: &falls,
        }
        .render(),
    );
}
