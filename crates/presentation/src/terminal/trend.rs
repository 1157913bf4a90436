//! A series on one screen: the answer, each change of level, what else changed there.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::{head, number};
use spindle_diagnosis::comparison::{ChangePoint, Elsewhen, Trend, Weekend};

/// Changes shown.
const CHANGES: usize = 14;
/// What changed at other times, shown beside each change.
const ELSEWHEN: usize = 3;
/// Warnings shown.
const WARNINGS: usize = 3;

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn trend(t: &Trend, look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> =
        wrap_to(&safe(&head::name(&t.identity)), columns, 2).iter().map(|l| look.bold(l)).collect();
    let when = head::interval(&t.identity).map(|i| format!("{i}, ")).unwrap_or_default();
    lines.extend(wrap(&safe(&format!("{when}{} intervals", t.intervals)), columns));
    for warning in t.warnings.iter().take(WARNINGS) {
        for (n, line) in wrap_to(&safe(warning), columns.saturating_sub(2), 2).iter().enumerate() {
            lines.push(look.bold(&format!("{}{line}", if n == 0 { "! " } else { "  " })));
        }
    }
    let more = super::compare::more_warnings(t.warnings.len(), WARNINGS);
    lines.extend(more.map(|line| look.bold(&line)));
    lines.push(String::new());
    lines.extend(wrap(&safe(&t.answer), columns).iter().map(|l| look.bold(l)));
    if !t.change_points.is_empty() {
        lines.push(String::new());
        let headings = format!(
            "{} {} {} {} {}",
            fit("Changed at", 16),
            fit("what", 24),
            right("before", 10),
            right("after", 10),
            right("p", 6)
        );
        lines.push(look.bold(&headings));
        let mut last: Option<&ChangePoint> = None;
        // Weekends have what the others leave.
        let mut shown: Vec<usize> = (0..t.change_points.len()).collect();
        shown.sort_by_key(|n| (t.change_points[*n].weekend.is_some(), *n));
        shown.truncate(CHANGES);
        shown.sort_unstable();
        for c in shown.into_iter().map(|n| &t.change_points[n]) {
            if let Some(before) = last.filter(|l| l.at != c.at) {
                lines.extend(beside(before, look));
            }
            last = Some(c);
            lines.push(row(c, look));
        }
        lines.extend(last.iter().flat_map(|c| beside(c, look)));
        lines.extend(marks(t, look));
        let more = t.change_points.len().saturating_sub(CHANGES);
        if more > 0 {
            lines.push(look.dim(&format!("  {more} more: --html FILE, --json")));
        }
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn row(c: &ChangePoint, look: Look) -> String {
    let value = |v: f64| if c.unit == "us" { number::ms(v) } else { number::measure(v) };
    let name = if c.unit == "us" { format!("{}, ms", c.metric) } else { c.metric.clone() };
    let text = format!(
        "{} {} {} {} {}{}",
        fit(&c.at.as_deref().map(number::time).unwrap_or_default(), 16),
        fit(&name, 24),
        right(&value(c.before), 10),
        right(&value(c.after), 10),
        right(&number::fixed(c.p_value, 3), 6),
        match (c.weekend, c.steady) {
            (Some(Weekend::Whole), _) => " weekend",
            (Some(Weekend::Part), _) => " part",
            (None, true) => " or slope",
            (None, false) => "",
        }
    );
    fit(&text, look.columns())
}

/// What the marks behind the rows mean.
fn marks(t: &Trend, look: Look) -> Vec<String> {
    let any = |is: fn(&ChangePoint) -> bool| t.change_points.iter().any(is);
    let mut said = Vec::new();
    if any(|c| c.weekend == Some(Weekend::Part)) {
        said.push("part: part of a weekend, of which the series does not show both ends");
    }
    if any(|c| c.weekend.is_none() && c.steady) {
        said.push("or slope: a steady rise or fall leaves about as much unexplained");
    }
    said.iter()
        .flat_map(|line| wrap_to(line, look.columns().saturating_sub(2), 2))
        .map(|l| look.dim(&format!("  {l}")))
        .collect()
}

/// What else changed at the same time.
fn beside(c: &ChangePoint, look: Look) -> Vec<String> {
    let mut parts: Vec<String> = c
        .changed
        .iter()
        .take(4)
        .map(|x| {
            let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "not listed".to_owned());
            format!("{}: {} to {}", x.name, value(&x.before), value(&x.after))
        })
        .collect();
    if c.changed.len() > 4 {
        parts.push(format!("{} more", c.changed.len() - 4));
    }
    if !c.plans.is_empty() {
        let names: Vec<&str> = c.plans.iter().take(3).map(|p| p.statement.as_str()).collect();
        parts.push(format!("other plans: {}", names.join(", ")));
    }
    let mut said = Vec::new();
    if let Some(or) = c.or_at.as_deref() {
        said.push(format!("or at {}, which so few days do not tell apart", number::time(or)));
    }
    if !parts.is_empty() {
        said.push(format!("with it: {}", parts.join("; ")));
    }
    if !c.elsewhen.is_empty() {
        let more = c.elsewhen.len().saturating_sub(ELSEWHEN);
        let mut others: Vec<String> = c.elsewhen.iter().take(ELSEWHEN).map(Elsewhen::said).collect();
        others.extend((more > 0).then(|| format!("{more} more")));
        said.push(format!("at other times: {}", others.join("; ")));
    }
    said.iter()
        .flat_map(|text| wrap_to(&safe(text), look.columns().saturating_sub(4), 2))
        .map(|l| look.dim(&format!("    {l}")))
        .collect()
}
