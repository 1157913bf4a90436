//! A measurement on one screen: what was found, each run or stream in a row, what follows.

use super::Look;
use super::wrap::{fit, right, wrap, wrap_to};
use crate::escape::terminal as safe;
use crate::forms::{self, Listing};
use crate::measured::{self, Row};
use crate::number;
use spindle_workload::{Calibration, Form, Measured};

/// Width of a column of numbers.
const COLUMN: usize = 10;

/// A column: its heading and the cell of a row.
type Column = (&'static str, fn(&Row) -> String);

/// The screen, as lines that end with a line feed.
#[must_use]
pub fn measure(m: &Measured, look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> =
        wrap_to(&safe(&measured::title(m)), columns, 2).iter().map(|l| look.bold(l)).collect();
    lines.extend(wrap(&safe(&measured::place(m)), columns));
    lines.push(String::new());
    if let Some(why) = &m.incomplete {
        let text = format!(
            "Ended early: {}. What follows is what was measured until then.",
            safe(why.trim_end_matches('.'))
        );
        lines.extend(wrap(&text, columns).iter().map(|l| look.bold(l)));
    }
    lines.extend(wrap(&safe(&m.verdict), columns).iter().map(|l| look.bold(l)));
    lines.push(String::new());
    let listings = forms::listings(m);
    for listing in &listings {
        lines.extend(listed(listing, look));
        lines.push(String::new());
    }
    // What a form has tables of its own for need not stand twice; of a trace they hold its sources alone.
    if listings.is_empty() || m.form == Form::Run {
        lines.extend(table(m, look));
        lines.push(String::new());
    }
    for listing in forms::hosts::listings(m) {
        lines.extend(listed(&listing, look));
        lines.push(String::new());
    }
    if let Some(found) = &m.calibration {
        lines.extend(calibration(found, look));
    }
    if let Some(matrix) = &m.matrix {
        lines.extend(grids(m, look));
        lines.extend(matrix.summary.iter().map(|line| format!("  {line}")));
        lines.push(String::new());
    }
    let rest = "Distributions, the course over time and all else: --html FILE, --json";
    let repeat = measured::repeat(m);
    for text in [measured::limited(m), measured::counted_from(m), &repeat, rest] {
        lines.extend(wrap(text, columns).iter().map(|l| look.dim(l)));
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn table(m: &Measured, look: Look) -> Vec<String> {
    let read: [Column; 8] = [
        ("reads", |r| number::or_unknown(r.ios, number::count)),
        ("seconds", |r| number::or_unknown(r.elapsed_s, number::measure)),
        ("ms a read", |r| number::or_unknown(r.per_read_us, number::ms)),
        ("MB/s", |r| number::or_unknown(r.mbps, number::measure)),
        ("p50 ms", |r| number::or_unknown(r.p50_us, number::ms)),
        ("p99 ms", |r| number::or_unknown(r.p99_us, number::ms)),
        ("max ms", |r| number::or_unknown(r.max_us, number::ms)),
        ("IOPS", |r| number::or_unknown(r.iops, number::measure)),
    ];
    let other: [Column; 8] = [
        ("IOPS", |r| number::or_unknown(r.iops, number::measure)),
        ("+/- %", |r| number::or_unknown(measured::half_pct(r), number::measure)),
        ("MB/s", |r| number::or_unknown(r.mbps, number::measure)),
        ("mean ms", |r| number::or_unknown(r.mean_us, number::ms)),
        ("p50 ms", |r| number::or_unknown(r.p50_us, number::ms)),
        ("p99 ms", |r| number::or_unknown(r.p99_us, number::ms)),
        ("p99.9 ms", |r| number::or_unknown(r.p999_us, number::ms)),
        ("max ms", |r| number::or_unknown(r.max_us, number::ms)),
    ];
    let cells = if measured::is_read(m) { &read } else { &other };
    let rows = measured::rows(m);
    let widest = rows.iter().map(|r| r.name.chars().count() + 4).max().unwrap_or(0).clamp(20, 40);
    let fitting = (look.columns().saturating_sub(widest) / COLUMN).clamp(1, cells.len());
    let shown = &cells[..fitting];
    let headings: String = shown.iter().map(|(name, _)| right(name, COLUMN)).collect();
    let what = if m.points.len() > 1 { "Load" } else { "Stream" };
    let mut lines = vec![format!("{}{}", look.bold(&fit(what, widest)), look.dim(&headings))];
    for row in &rows {
        let cells: String = shown.iter().map(|(_, cell)| right(&cell(row), COLUMN)).collect();
        lines.push(format!("{}{cells}", fit(&format!("  {}", safe(&row.name)), widest)));
    }
    if let Some(all) = measured::all_readers(m) {
        let mut line = fit("  all", widest);
        line.push_str(&right(&number::or_unknown(all.reads.map(|n| n as f64), number::count), COLUMN));
        line.push_str(&right(&number::or_unknown(all.seconds, number::measure), COLUMN));
        line.push_str(&right(&number::or_unknown(all.per_read_us(), number::ms), COLUMN));
        lines.push(look.bold(&line));
    }
    lines
}

/// A table of a form: as many columns as fit, then what has to be known of it.
fn listed(listing: &Listing, look: Look) -> Vec<String> {
    let columns = look.columns();
    let name = |row: &str| safe(row).chars().count() + 4;
    // One column of numbers fits always.
    let most = (columns * 9 / 20).max(40).min(columns.saturating_sub(COLUMN)).max(14);
    let widest = listing.rows.iter().map(|(n, _)| name(n)).max().unwrap_or(0).clamp(14, most);
    let fitting = (columns.saturating_sub(widest) / COLUMN).clamp(1, listing.columns.len().max(1));
    let mut lines: Vec<String> = wrap(&safe(&listing.title), columns).iter().map(|l| look.bold(l)).collect();
    let headings: String = listing.columns.iter().take(fitting).map(|h| right(h, COLUMN)).collect();
    lines.push(look.dim(&format!("{}{headings}", fit(&format!("  {}", listing.what), widest))));
    for (n, (row, cells)) in listing.rows.iter().enumerate() {
        let cells: String = cells.iter().take(fitting).map(|c| right(&c.short, COLUMN)).collect();
        let line = format!("{}{cells}", fit(&format!("  {}", safe(row)), widest));
        lines.push(if listing.marked == Some(n) { look.bold(&line) } else { line });
    }
    for note in &listing.notes {
        lines.extend(wrap(&safe(note), columns - 2).iter().map(|l| look.dim(&format!("  {l}"))));
    }
    lines
}

fn calibration(found: &Calibration, look: Look) -> Vec<String> {
    let columns = look.columns();
    let mut lines = vec![look.bold(&format!(
        "CALIBRATE_IO, num_physical_disks {}, max_latency {} ms",
        number::or_unknown(found.num_disks.map(f64::from), number::count),
        number::or_unknown(found.max_latency_us, number::ms_plain)
    ))];
    let interval = found.max_iops_interval.map_or_else(String::new, |(low, high)| {
        format!("   ({} to {})", number::measure(low), number::measure(high))
    });
    let whole = |v: Option<f64>| number::or_unknown(v.map(f64::round), |v| number::fixed(v, 0));
    lines.push(format!("  max_iops       {}{interval}", right(&whole(found.max_iops), 9)));
    lines.push(format!("  max_mbps       {}", right(&whole(found.max_mbps), 9)));
    lines.push(format!(
        "  actual_latency {} ms",
        right(&number::or_unknown(found.actual_latency_us, number::ms), 9)
    ));
    for (title, settings) in
        [("Oracle, system statistics", &found.oracle), ("PostgreSQL, postgresql.conf", &found.postgres)]
    {
        lines.push(String::new());
        lines.push(look.bold(title));
        for setting in settings {
            let head = if setting.line.is_empty() {
                format!("{}: not known", setting.name)
            } else {
                setting.line.clone()
            };
            lines.push(format!("  {head}"));
            lines.extend(wrap(&setting.how, columns - 6).iter().map(|l| look.dim(&format!("      {l}"))));
        }
    }
    lines.push(String::new());
    lines
}

/// A grid for each quantity of a matrix: large downwards, small to the right.
fn grids(m: &Measured, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    let fitting = (look.columns().saturating_sub(12) / 9).max(1);
    for grid in measured::grids(m) {
        let left_out = grid.columns.len().saturating_sub(fitting);
        let more =
            if left_out > 0 { format!(" ({left_out} columns more on the page)") } else { String::new() };
        lines.push(format!("{}{}", look.bold(grid.title), look.dim(&more)));
        let head: String = grid.columns.iter().take(fitting).map(|n| right(&n.to_string(), 9)).collect();
        lines.push(look.dim(&format!("{}{head}", fit("large\\small", 12))));
        for (large, cells) in &grid.rows {
            let cells: String = cells
                .iter()
                .take(fitting)
                .map(|v| right(&v.map_or_else(String::new, number::measure), 9))
                .collect();
            lines.push(format!("{}{cells}", fit(&format!("  {large}"), 12)));
        }
        lines.push(String::new());
    }
    lines
}
