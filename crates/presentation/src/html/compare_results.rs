//! The page of two measurements of storage: the answer, where each load stood and stands, every figure of both
//! sides, and what could not be held against each other.

use super::table::{Cell, Table};
use super::{LIMIT, RESERVE, SCRIPT, STYLE, empty, push_warnings, section};
use crate::chart::{Shift, Shifted, put};
use crate::escape::{clip, push_html, push_prose};
use crate::{figures, number};
use spindle_workload::{ComparedFigure, ComparedRun, ResultComparison};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle compare --json</code>";
/// Loads of one side alone that are named.
const MOST_NAMED: usize = 40;
/// Figures in the table.
const MOST_ROWS: usize = 600;

/// Makes a part.
type Render = fn(&ResultComparison) -> String;

/// The page.
#[must_use]
pub fn compare_results(c: &ResultComparison) -> String {
    let mut out = String::with_capacity(40_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>Two measurements of storage, before and after");
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, c);
    let parts: [(&str, Render); 3] =
        [("the picture", picture), ("the figures", runs), ("what stands on one side alone", alone)];
    for (what, render) in parts {
        let html = render(c);
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Rates are a second; MB is 10<sup>6</sup> bytes. Intervals hold the true value in 95 of 100 runs, as far as the storage does not change. \"-\" is not known, never zero.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

fn first(out: &mut String, c: &ResultComparison) {
    out.push_str("<header><h1>Two measurements of storage</h1>");
    for (which, side) in [("Before", &c.before), ("After", &c.after)] {
        put!(out, "<p><b>{which}</b> ");
        push_html(out, &clip(&figures::side(side), 400));
        out.push_str("</p>");
    }
    out.push_str("</header>");
    push_warnings(out, &c.warnings, REST);
    out.push_str("<p class=answer>");
    push_prose(out, &clip(&c.verdict, 1200));
    out.push_str("</p><nav class=nv><a href=\"#picture\">Rate and latency</a> <a href=\"#runs\">Figures</a>");
    if !c.only_before.is_empty() || !c.only_after.is_empty() {
        out.push_str(" <a href=\"#alone\">On one side alone</a>");
    }
    out.push_str("</nav>");
}

fn figure<'a>(run: &'a ComparedRun, name: &str) -> Option<&'a ComparedFigure> {
    run.figures.iter().find(|f| f.name == name)
}

fn picture(c: &ResultComparison) -> String {
    let mut out = section("", "picture", "Rate and latency");
    let loads: Vec<Shifted<'_>> = c
        .runs
        .iter()
        .filter_map(|run| {
            let (rate, mean) = (figure(run, "iops")?, figure(run, "mean_us")?);
            let hover = format!(
                "{}: {} a second at {} ms before, {} at {} ms after",
                run.load,
                number::measure(rate.before),
                number::ms(mean.before),
                number::measure(rate.after),
                number::ms(mean.after)
            );
            Some(Shifted {
                name: &run.load,
                before: (rate.before, mean.before / 1e3),
                after: (rate.after, mean.after / 1e3),
                hover,
            })
        })
        .collect();
    let chart = Shift {
        question: "What does each load get now, and what does a request take?",
        x_unit: "requests a second, logarithmic",
        y_unit: "mean ms, logarithmic",
        loads: &loads,
    };
    match chart.render() {
        Some(chart) => out.push_str(&chart),
        None => empty(&mut out, "No load has a rate and a mean latency that count alike on both sides."),
    }
    out.push_str("</section>");
    out
}

fn runs(c: &ResultComparison) -> String {
    let mut out = section("", "runs", "Figures");
    let headings =
        ["Load", "Figure", ">Before", ">(95 %)", ">After", ">(95 %)", ">Times", "More than chance?"];
    let mut table = Table::new("", &headings, MOST_ROWS);
    for run in &c.runs {
        for (n, figure) in run.figures.iter().enumerate() {
            let (name, show) = figures::shown(figure);
            let bounds = |interval: Option<(f64, f64)>| {
                Cell::Number(
                    interval
                        .map_or_else(String::new, |(low, high)| format!("{} to {}", show(low), show(high))),
                )
            };
            table.row(
                if n == 0 { "grp" } else { "" },
                &[
                    Cell::Text(if n == 0 { &run.load } else { "" }),
                    Cell::Text(name),
                    Cell::Number(show(figure.before)),
                    bounds(figure.before_interval),
                    Cell::Number(show(figure.after)),
                    bounds(figure.after_interval),
                    Cell::known(figure.ratio, |r| number::fixed(r, 2)),
                    Cell::Text(figures::sure(figure)),
                ],
            );
        }
    }
    table.finish_with(&mut out, REST);
    if c.runs.iter().flat_map(|r| &r.figures).any(|f| f.differs.is_some()) {
        out.push_str("<p class=q>");
        push_html(&mut out, figures::SURE);
        out.push_str("</p>");
    }
    let not: Vec<(&ComparedRun, &String)> =
        c.runs.iter().flat_map(|run| run.not_compared.iter().map(move |why| (run, why))).collect();
    if !not.is_empty() {
        let mut table = Table::new("Not compared", &["Load", "Why"], 100);
        for (run, why) in not {
            table.row("", &[Cell::Text(&run.load), Cell::Prose(why)]);
        }
        table.finish_with(&mut out, REST);
    }
    out.push_str("</section>");
    out
}

fn alone(c: &ResultComparison) -> String {
    if c.only_before.is_empty() && c.only_after.is_empty() {
        return String::new();
    }
    let mut out = section("", "alone", "On one side alone");
    for (which, only) in [("before", &c.only_before), ("after", &c.only_after)] {
        if only.is_empty() {
            continue;
        }
        let mut table =
            Table::new("", &[if which == "before" { "Only before" } else { "Only after" }], MOST_NAMED);
        for load in only {
            table.row("", &[Cell::Text(load)]);
        }
        table.finish_with(&mut out, REST);
    }
    out.push_str("</section>");
    out
}
