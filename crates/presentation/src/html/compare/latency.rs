//! Latencies before and after, as distributions.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use crate::chart::{Bucket, TwoHistograms, put};
use crate::escape::{clip, push_html};
use crate::{head, number, palette};
use spindle_diagnosis::comparison::{Comparison, LatencyChange, Move};
use spindle_facts::Interval;

/// Pictures shown at once, and folded.
const OPEN: usize = 6;
const MOST: usize = 14;

fn moved(moved: Option<Move>) -> &'static str {
    match moved {
        Some(Move::Faster) => "faster",
        Some(Move::Slower) => "slower",
        Some(Move::NotShown) => "not shown",
        None => "-",
    }
}

fn span(us: Option<Interval>) -> String {
    us.map_or_else(
        || number::UNKNOWN.to_owned(),
        |us| number::range_ms(us).trim_end_matches(" ms").to_owned(),
    )
}

pub(super) fn render(c: &Comparison) -> String {
    let mut out = section("", "latency", "Latency before and after");
    if c.latency.is_empty() {
        empty(&mut out, "No I/O or commit event is printed on either side.");
        out.push_str("</section>");
        return out;
    }
    let mut table = Table::new(
        "Milliseconds; a percentile lies between the bounds of a bucket, and has only moved where those of both sides do not overlap",
        &[
            "Event",
            "Side",
            ">Mean before",
            ">after",
            ">p50 before",
            ">after",
            ">p99 before",
            ">after",
            "Mean",
            "Median",
            "Tail",
        ],
        40,
    );
    for l in &c.latency {
        table.row(
            "",
            &[
                Cell::Text(&l.event),
                Cell::Text(head::side(l.side)),
                Cell::Number(number::mean_ms(l.before.avg_us, l.before.avg_us_bounds)),
                Cell::Number(number::mean_ms(l.after.avg_us, l.after.avg_us_bounds)),
                Cell::Number(span(l.before.p50_us)),
                Cell::Number(span(l.after.p50_us)),
                Cell::Number(span(l.before.p99_us)),
                Cell::Number(span(l.after.p99_us)),
                Cell::Text(moved(l.shift.mean)),
                Cell::Text(moved(l.shift.median)),
                Cell::Text(moved(l.shift.tail)),
            ],
        );
    }
    table.finish_with(&mut out, super::REST);
    let pictures: Vec<String> =
        c.latency.iter().filter_map(|l| card(l, c.two_databases)).take(MOST).collect();
    if pictures.is_empty() {
        empty(&mut out, "No event has a histogram on both sides, so distributions cannot be drawn.");
    } else {
        out.push_str("<p class=ky><span><b class=k-oth></b>before</span><span>after in the colour of the wait class</span></p><div class=cards>");
        for (i, picture) in pictures.iter().enumerate() {
            if i == OPEN {
                put!(
                    out,
                    "</div><details><summary>{} more event{}</summary><div class=cards>",
                    pictures.len() - OPEN,
                    if pictures.len() - OPEN == 1 { "" } else { "s" }
                );
            }
            out.push_str(picture);
        }
        out.push_str(if pictures.len() > OPEN { "</div></details>" } else { "</div>" });
    }
    out.push_str("</section>");
    out
}

fn card(l: &LatencyChange, two_databases: bool) -> Option<String> {
    let buckets = |buckets: &[(f64, Option<f64>, f64)]| -> Vec<Bucket> {
        buckets
            .iter()
            .map(|(low, high, waits)| Bucket {
                low_ms: low / 1000.0,
                high_ms: high.map(|h| h / 1000.0),
                waits: *waits,
            })
            .collect()
    };
    let (before, after) = (buckets(&l.before.buckets), buckets(&l.after.buckets));
    if before.is_empty() || after.is_empty() {
        return None;
    }
    let question = if two_databases {
        format!("How does {} differ?", clip(&l.event, 80))
    } else {
        format!("Did {} get faster?", clip(&l.event, 80))
    };
    let chart = TwoHistograms {
        question: &question,
        css: palette::of(&l.wait_class).css,
        before: &before,
        after: &after,
    };
    let picture = chart.render()?;
    let mut out = String::from("<div class=card>");
    out.push_str(&picture);
    out.push_str("<p class=q>");
    push_html(&mut out, &clip(&l.shift.text, 300));
    out.push_str("</p><details><summary>Buckets</summary>");
    let mut table = Table::new("", &["Wait (ms)", ">Before (%)", ">After (%)"], 48);
    for (bucket, before, after) in chart.common() {
        table.row(
            "",
            &[
                Cell::Text(&crate::chart::bucket_range(&bucket)),
                Cell::Number(number::percent(before)),
                Cell::Number(number::percent(after)),
            ],
        );
    }
    table.finish_with(&mut out, super::REST);
    out.push_str("</details></div>");
    Some(out)
}
