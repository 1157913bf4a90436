//! Two measurements of storage on one screen: run by run, before and after.

use super::Look;
use super::wrap::{fit, right, wrap};
use crate::escape::terminal as safe;
use crate::{figures, number};
use spindle_workload::ResultComparison;

/// Width of a column of figures.
const COLUMN: usize = 12;
/// Runs of one side alone that are named.
const MOST_NAMED: usize = 8;
/// Runs that are shown; the document has all.
const MOST_RUNS: usize = 60;

/// The comparison as text.
#[must_use]
pub fn compare_results(c: &ResultComparison, look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> = vec![look.bold("Two measurements of storage")];
    for (name, side) in [("before", &c.before), ("after", &c.after)] {
        lines.extend(wrap(&safe(&format!("{name}: {}", figures::side(side))), columns));
    }
    lines.push(String::new());
    lines.extend(wrap(&safe(&c.verdict), columns));
    for run in c.runs.iter().take(MOST_RUNS) {
        lines.push(String::new());
        lines.extend(wrap(&safe(&run.load), columns).iter().map(|l| look.bold(l)));
        let width = columns.saturating_sub(4 * COLUMN).clamp(10, 24);
        // In a narrow terminal the last column goes.
        let most = (columns.saturating_sub(width) / COLUMN).clamp(2, 4);
        if !run.figures.is_empty() {
            let headings: String =
                ["before", "after", "times", ""].iter().take(most).map(|h| right(h, COLUMN)).collect();
            lines.push(look.dim(format!("{}{headings}", fit("", width)).trim_end()));
        }
        for figure in &run.figures {
            let (name, show) = figures::shown(figure);
            let ratio = number::or_unknown(figure.ratio, |r| number::fixed(r, 2));
            let cells = [show(figure.before), show(figure.after), ratio, figures::sure(figure).to_owned()];
            let cells: String = cells.iter().take(most).map(|c| right(c, COLUMN)).collect();
            lines.push(format!("{}{}", fit(&format!("  {name}"), width), cells.trim_end()));
        }
        for why in &run.not_compared {
            lines.extend(wrap(&safe(&format!("Not compared: {why}.")), columns).iter().map(|l| look.dim(l)));
        }
    }
    if c.runs.len() > MOST_RUNS {
        lines.push(String::new());
        lines.push(format!("{} more loads: --json", c.runs.len() - MOST_RUNS));
    }
    for (name, only) in [("before", &c.only_before), ("after", &c.only_after)] {
        if only.is_empty() {
            continue;
        }
        lines.push(String::new());
        let more = only.len().saturating_sub(MOST_NAMED);
        let mut text = format!("Only {name}: {}", only[..only.len().min(MOST_NAMED)].join("; "));
        if more > 0 {
            text.push_str(&format!("; and {more} more"));
        }
        lines.extend(wrap(&safe(&text), columns));
    }
    if c.runs.iter().flat_map(|r| &r.figures).any(|f| f.differs.is_some()) {
        lines.push(String::new());
        lines.extend(wrap(figures::SURE, columns).iter().map(|l| look.dim(l)));
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
