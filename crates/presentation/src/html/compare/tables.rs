//! What is real, load and work, statements, I/O, parameters.

use super::super::table::{Cell, Table};
use super::super::{empty, section};
use super::{signed, unit};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use spindle_diagnosis::comparison::{Changed, Comparison, Outcome, Pair};

/// Statements in the table.
const STATEMENTS: usize = 30;

/// Value, factor to the unit shown, unit.
fn shown(value: f64, unit: &str) -> String {
    if unit == "us" { number::ms(value) } else { number::measure(value) }
}

pub(super) fn tests(c: &Comparison) -> String {
    let mut out =
        section("", "real", if c.two_databases { "Do they differ beyond chance?" } else { "Is it real?" });
    if c.tests.is_empty() {
        let of_sums = [&c.before, &c.after].iter().any(|side| side.databases.len() > 1);
        empty(
            &mut out,
            if of_sums {
                "Nothing is tested: the sides are no sums of the same databases over the same intervals."
            } else {
                "No measure is printed on both sides."
            },
        );
        out.push_str("</section>");
        return out;
    }
    let several = c.tests.iter().any(|t| t.intervals != (1, 1));
    let mut table = Table::new(
        if several {
            "Medians of the intervals; the change is the median of all differences (Hodges-Lehmann), or that of the means where so many values are equal that it may be 0, tested by ranks (Mann-Whitney)"
        } else {
            "One interval each: its own figures, with what rounding and the spread of the waits leave open. How much such intervals vary by themselves is not known, so nothing here is tested by ranks"
        },
        &[
            "Measure",
            "Unit",
            ">Before",
            ">After",
            ">Change",
            ">Interval",
            ">Confidence (%)",
            ">p",
            "Verdict",
            "Why",
        ],
        30,
    );
    for t in &c.tests {
        let verdict = match t.verdict {
            Outcome::Rose => "rose",
            Outcome::Fell => "fell",
            Outcome::NotShown => "not shown",
            Outcome::OneEach => "differs, one interval each",
            Outcome::TooFew => "cannot be told",
            Outcome::OtherDays => "not told apart from the days of the week",
        };
        let scaled = |v: f64| if v < 0.0 { format!("-{}", shown(-v, t.unit)) } else { shown(v, t.unit) };
        table.row(
            "",
            &[
                Cell::Text(&t.metric),
                Cell::Text(if t.unit == "us" { "ms" } else { t.unit }),
                Cell::Number(shown(t.before, t.unit)),
                Cell::Number(shown(t.after, t.unit)),
                Cell::Number(scaled(t.effect)),
                Cell::Number(format!("{} to {}", scaled(t.interval.low), scaled(t.interval.high))),
                Cell::known(t.confidence_pct, |p| number::fixed(p, 0)),
                Cell::known(t.p_value, number::measure),
                Cell::Text(verdict),
                Cell::Prose(&t.because),
            ],
        );
    }
    table.finish_with(&mut out, super::REST);
    out.push_str("</section>");
    out
}

/// Ratios whose bounds are further apart than this part are shown by both ends.
const WIDE: f64 = 1.1;

pub(super) fn metrics(c: &Comparison) -> String {
    let mut out = section("", "load", "Load and work");
    for (per, caption) in [
        ("second", "A second"),
        ("transaction", "A transaction: what one does"),
        ("execution", "An execution"),
        ("share", "Shares"),
    ] {
        let rows: Vec<_> = c.metrics.iter().filter(|m| m.per == per).collect();
        if rows.is_empty() {
            continue;
        }
        let mut table = Table::new(caption, &["", "Unit", ">Before", ">After", ">Change (%)"], 40);
        for m in rows {
            let signed = |ratio: f64| {
                let pct = 100.0 * (ratio - 1.0);
                format!("{}{}", if pct > 0.0 { "+" } else { "" }, number::fixed(pct, 1))
            };
            // Of small rates rounding leaves much open.
            let change = m.ratio.map(|ratio| match m.ratio_low.zip(m.ratio_high) {
                Some((low, high)) if !high.is_finite() => format!("{} or more", signed(low)),
                Some((low, high)) if high > WIDE * low => format!("{} to {}", signed(low), signed(high)),
                _ => signed(ratio),
            });
            table.row(
                "",
                &[
                    Cell::Text(&m.name),
                    Cell::Text(m.unit),
                    Cell::known(m.before, number::measure),
                    Cell::known(m.after, number::measure),
                    Cell::Number(change.unwrap_or_else(|| number::UNKNOWN.to_owned())),
                ],
            );
        }
        table.finish_with(&mut out, super::REST);
    }
    out.push_str("</section>");
    out
}

fn pair(pair: Pair, show: fn(f64) -> String) -> Cell<'static> {
    if pair.before.is_none() && pair.after.is_none() {
        return Cell::Number(number::UNKNOWN.to_owned());
    }
    Cell::Number(format!(
        "{} → {}",
        number::or_unknown(pair.before, show),
        number::or_unknown(pair.after, show)
    ))
}

pub(super) fn statements(c: &Comparison) -> String {
    let mut out = section("", "statements", "Statements");
    if c.statements.is_empty() {
        empty(
            &mut out,
            "No statement is listed on both sides with other figures, or the sides name statements differently.",
        );
        out.push_str("</section>");
        return out;
    }
    let (factor, unit) = unit(c);
    let caption = format!(
        "Largest change of elapsed time first, in {unit}; parts of DB time, never added to the steps above. Before → after"
    );
    let mut table = Table::new(
        &caption,
        &[
            "Statement",
            "What happened",
            ">Change",
            ">from executions",
            ">from one execution",
            ">Executions",
            ">Elapsed, s each",
            ">CPU, s each",
            ">Buffer gets each",
            ">Blocks read each",
            "Plan",
        ],
        STATEMENTS,
    )
    .within(120_000);
    let known = |v: Option<f64>| v.map_or_else(|| number::UNKNOWN.to_owned(), |v| signed(v * factor));
    for s in &c.statements {
        let name = s.sql_id.clone().or_else(|| s.old_hash.map(|h| h.to_string())).unwrap_or_default();
        let plans = |plans: &[u64], shares: &[f64]| {
            let share = |n: usize| shares.get(n).filter(|_| plans.len() > 1);
            let one = |(n, plan): (usize, &u64)| {
                share(n).map_or(plan.to_string(), |pct| format!("{plan} ({} %)", number::plain(*pct)))
            };
            plans.iter().enumerate().take(3).map(one).collect::<Vec<_>>().join(" ")
        };
        let plan = match s.plan_changed {
            Some(false) if s.plans_before == s.plans_after => "same".to_owned(),
            Some(_) => format!(
                "{} → {}",
                plans(&s.plans_before, &s.plan_shares_before_pct),
                plans(&s.plans_after, &s.plan_shares_after_pct)
            ),
            None => number::UNKNOWN.to_owned(),
        };
        table.row(
            "",
            &[
                Cell::Text(&name),
                Cell::Html(what(&s.what, s.text.as_deref())),
                Cell::Number(known(s.delta_s.or(s.one_sided_s))),
                Cell::Number(known(s.volume_s)),
                Cell::Number(known(s.unit_s)),
                pair(s.executions, number::measure),
                pair(s.elapsed_s_per_execution, number::measure),
                pair(s.cpu_s_per_execution, number::measure),
                pair(s.buffer_gets_per_execution, number::measure),
                pair(s.physical_reads_per_execution, number::measure),
                Cell::Text(&plan),
            ],
        );
    }
    table.finish_with(&mut out, super::REST);
    out.push_str("</section>");
    out
}

/// What happened to a statement, and its text, folded.
fn what(what: &str, sql: Option<&str>) -> String {
    let mut out = String::from("<div class=wh>");
    push_prose(&mut out, what);
    out.push_str("</div>");
    let Some(sql) = sql else { return out };
    out.push_str("<details class=sqd><summary class=sql>");
    push_html(&mut out, &clip(sql, 32));
    out.push_str("</summary><pre>");
    push_html(&mut out, &clip(sql, 400));
    out.push_str("</pre></details>");
    out
}

pub(super) fn io(c: &Comparison) -> String {
    let mut out = section("", "io", "I/O by function, file type, tablespace and segment");
    if c.io.is_empty() {
        empty(&mut out, "No section of this kind is printed on both sides.");
        out.push_str("</section>");
        return out;
    }
    for (by, caption) in [
        ("function", "Functions, requests a second"),
        ("filetype", "File types, requests a second"),
        ("tablespace", "Tablespaces, requests a second"),
        ("segment", "Segments, blocks read a second; only the top of each side is listed"),
    ] {
        let rows: Vec<_> = c.io.iter().filter(|r| r.by == by).collect();
        if rows.is_empty() {
            continue;
        }
        let mut table = Table::new(
            caption,
            &[
                "",
                ">Reads before",
                ">after",
                ">Writes before",
                ">after",
                ">Mean read before (ms)",
                ">after (ms)",
            ],
            20,
        );
        for row in rows {
            table.row(
                "",
                &[
                    Cell::Text(&row.name),
                    Cell::known(row.reads_per_s.before, number::measure),
                    Cell::known(row.reads_per_s.after, number::measure),
                    Cell::known(row.writes_per_s.before, number::measure),
                    Cell::known(row.writes_per_s.after, number::measure),
                    Cell::known(row.avg_read_us.before, number::ms),
                    Cell::known(row.avg_read_us.after, number::ms),
                ],
            );
        }
        table.finish_with(&mut out, super::REST);
    }
    out.push_str("</section>");
    out
}

fn changes(out: &mut String, caption: &str, rows: &[Changed], absent: &str) {
    let mut table = Table::new(caption, &["", "Before", "After"], 60);
    for row in rows {
        let value = |v: &Option<String>| {
            v.as_deref().map_or_else(|| absent.to_owned(), |v| clip(v, 160).into_owned())
        };
        table.row(
            "",
            &[Cell::Text(&row.name), Cell::Text(&value(&row.before)), Cell::Text(&value(&row.after))],
        );
    }
    table.finish_with(out, super::REST);
}

pub(super) fn changed(c: &Comparison) -> String {
    let mut out = section("", "changed", "What else changed");
    if c.changed.is_empty() {
        empty(&mut out, "Database, release, host and memory are as before, as far as both sides print them.");
    } else {
        changes(&mut out, "Database, release, host, memory", &c.changed, "-");
    }
    if !c.parameters_compared {
        empty(&mut out, "Parameters cannot be compared: a side lists none.");
    } else if c.changed_parameters.is_empty() {
        empty(&mut out, "No parameter changed.");
    } else {
        put!(out, "<p class=q>A parameter that is not listed is at its default.</p>");
        changes(&mut out, "Parameters", &c.changed_parameters, "not listed");
    }
    out.push_str("</section>");
    out
}
