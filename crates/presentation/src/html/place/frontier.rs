//! What all tiers save by capacity of the first: the picture, what the next 100 GB buy, the table.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{REST, objects, range};
use crate::chart::{Frontier, Mark, Step, put};
use crate::escape::{clip, push_html};
use crate::number;
use spindle_planning::{FrontierPoint, Plan};

/// Points in the table.
const POINTS: usize = 60;
/// Objects named that the next 100 GB would take in.
const NAMED: usize = 5;

/// Unit of the axis: one in which the largest capacity has few digits.
fn unit(largest: f64) -> (&'static str, f64) {
    let gib = f64::from(1 << 30);
    if largest >= 4096.0 * gib {
        ("TiB", gib * 1024.0)
    } else if largest >= gib {
        ("GiB", gib)
    } else {
        ("MiB", gib / 1024.0)
    }
}

pub(super) fn render(plan: &Plan) -> String {
    let mut out = section("", "frontier", "What capacity buys");
    let first = plan.tiers.first();
    let tier = first.map_or("the fast tier", |t| t.name.as_str());
    let own = first.map(|t| t.capacity_bytes).filter(|c| *c > 0.0 && c.is_finite());
    let points = &plan.frontier;
    let largest = points.iter().map(|p| p.capacity_bytes).chain(own).fold(0.0, f64::max);
    let (name, bytes) = unit(largest);
    let steps: Vec<Step> = points
        .iter()
        .map(|p| Step {
            x: p.capacity_bytes / bytes,
            y: (p.saves_s.low, p.saves_s.mid, p.saves_s.high),
            hover: format!(
                "{}: saves {} s ({}), {}",
                number::bytes(p.capacity_bytes),
                number::measure(p.saves_s.mid),
                range(p.saves_s),
                objects(p.objects)
            ),
        })
        .collect();
    let knee = plan.knee.and_then(|k| points.iter().position(|p| *p == k));
    let marks: Vec<Mark> = own
        .iter()
        .map(|c| Mark {
            x: c / bytes,
            name: clip(&format!("{tier}: {}", number::bytes(*c)), 40).into_owned(),
        })
        .collect();
    let question = match plan.tiers.len() {
        1 => format!("How much would other sizes of {} save?", clip(tier, 60)),
        _ => format!("How much would all tiers save with other sizes of {}?", clip(tier, 60)),
    };
    let drawn = Frontier {
        question: &question,
        x_unit: &format!("capacity ({name})"),
        y_unit: "seconds of DB time saved",
        steps: &steps,
        knee: knee.map(|n| (n, format!("knee: {}", number::bytes(points[n].capacity_bytes)))),
        marks: &marks,
        joined: false,
    }
    .render();
    match drawn {
        None if plan.candidates.iter().any(|c| {
            c.tier.is_none()
                && c.excluded_because.is_none()
                && c.size_bytes.is_some()
                && c.saves_s.is_some_and(|s| s.mid > 0.0)
        }) =>
        {
            empty(
                &mut out,
                "No capacity is likely to save anything: what would gain asks more than a tier's caps allow. The reasons stand below.",
            );
        }
        None => empty(
            &mut out,
            "No capacity saves anything: no object of known size would gain on this tier. What is left out, and why, stands below.",
        ),
        Some(drawn) => {
            out.push_str(&drawn);
            words(&mut out, plan);
            table(&mut out, plan, knee, own);
        }
    }
    out.push_str("</section>");
    out
}

fn words(out: &mut String, plan: &Plan) {
    if let (Some(knee), Some(last)) = (plan.knee, plan.frontier.last()) {
        put!(
            out,
            "<p>The knee is at {}: {} s ({}). ",
            number::bytes(knee.capacity_bytes),
            number::measure(knee.saves_s.mid),
            range(knee.saves_s)
        );
        if knee.capacity_bytes < last.capacity_bytes && last.saves_s.mid > 0.0 {
            put!(
                out,
                "That is {} % of what all {} with a known size would save on {}.",
                number::percent(100.0 * knee.saves_s.mid / last.saves_s.mid),
                objects(last.objects),
                number::bytes(last.capacity_bytes)
            );
        } else {
            out.push_str("It takes every object with a known size that would gain; more room buys nothing until sizes of others are known.");
        }
        out.push_str("</p>");
    }
    match &plan.next_100_gb {
        None => out.push_str("<p class=empty>What the next 100 GB would buy was not computed.</p>"),
        Some(next) if next.saves_s.high <= 0.0 || next.objects.is_empty() => {
            put!(
                out,
                "<p>{} more would save nothing more: every object with a known size that gains has room already.</p>",
                number::bytes(next.bytes)
            );
        }
        Some(next) => {
            put!(
                out,
                "<p>{} more would save another {} s ({}), with ",
                number::bytes(next.bytes),
                number::measure(next.saves_s.mid),
                range(next.saves_s)
            );
            for (n, object) in next.objects.iter().take(NAMED).enumerate() {
                out.push_str(if n == 0 { "<code>" } else { ", <code>" });
                push_html(out, &clip(object, 120));
                out.push_str("</code>");
            }
            if next.objects.len() > NAMED {
                put!(out, " and {} more", next.objects.len() - NAMED);
            }
            out.push_str(".</p>");
        }
    }
    if plan.tiers.len() > 1 {
        out.push_str("<p class=q>All tiers together: only the size of the first changes, and each takes what is best for the sum. At 0 stands what the others save without it.</p>");
    }
}

fn table(out: &mut String, plan: &Plan, knee: Option<usize>, own: Option<f64>) {
    let folded = plan.frontier.len() > 12;
    if folded {
        put!(out, "<details><summary>The picture as a table, {} capacities</summary>", plan.frontier.len());
    }
    let mut table = Table::new(
        "",
        &[">Capacity (GiB)", ">Saves (s)", ">At least to at most (s)", ">Objects", ""],
        POINTS,
    );
    // The largest point that the tier of today reaches.
    let reached = own.and_then(|own| plan.frontier.iter().rposition(|p| p.capacity_bytes <= own));
    for (n, point) in plan.frontier.iter().enumerate() {
        let FrontierPoint { capacity_bytes, saves_s, objects } = *point;
        let is_knee = Some(n) == knee;
        let mut words = Vec::new();
        if is_knee {
            words.push("knee");
        }
        if Some(n) == reached {
            words.push(if Some(capacity_bytes) == own {
                "the tier as offered"
            } else {
                "as far as the tier reaches"
            });
        }
        table.row(
            if is_knee { "now" } else { "" },
            &[
                Cell::Number(number::gib(capacity_bytes)),
                Cell::Number(number::measure(saves_s.mid)),
                Cell::Number(range(saves_s)),
                Cell::Number(number::count(objects as f64)),
                Cell::Text(&words.join(", ")),
            ],
        );
    }
    table.finish_with(out, REST);
    out.push_str(if folded { "</details>" } else { "" });
}
