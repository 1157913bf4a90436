//! What exactly was read, as aligned text: every table, every section.

use super::Look;
use super::wrap::{fit, right, width, wrap};
use crate::escape::terminal as safe;
use crate::head;
use serde_json::Value;
use spindle_facts::{Report, Section, SectionStatus};

/// Texts longer than this are folded into lines of this width.
const TEXT_COLUMNS: usize = 60;

/// Every table of a report with its rows, columns without any value left out.
///
/// Fractions keep 15 digits, more than any report prints of one: the 16th is that of sums and differences in
/// binary. `only` keeps the named tables.
#[must_use]
pub fn facts_tables(report: &Report, only: &[&str], look: Look) -> String {
    let mut out = String::new();
    let Ok(Value::Object(tables)) = serde_json::to_value(&report.tables) else { return out };
    for (name, rows) in &tables {
        let Value::Array(rows) = rows else { continue };
        if rows.is_empty() || !(only.is_empty() || only.contains(&name.as_str())) {
            continue;
        }
        out.push_str(&look.bold(&format!("{name} ({})", counted(rows.len()))));
        out.push('\n');
        table(&mut out, rows, look);
        out.push('\n');
    }
    if only.is_empty() {
        for raw in &report.raw_tables {
            // Some say more than the rows that are read of them.
            let is_read = |s: &Section| s.title == raw.title && s.status == SectionStatus::Read;
            let title = format!(
                "{}: {} (line {}, {})",
                if report.sections.iter().any(is_read) { "as printed" } else { "not interpreted" },
                safe(&raw.title),
                raw.line,
                counted(raw.rows.len())
            );
            out.push_str(&look.bold(&title));
            out.push('\n');
            let cell = |c: Option<&str>| Cell { lines: vec![safe(c.unwrap_or(""))], number: false };
            let rows: Vec<Vec<Cell>> = raw.rows.iter().map(|row| row.map(cell).collect()).collect();
            let headings: Vec<String> = raw.headings.iter().map(|h| safe(h)).collect();
            aligned(&mut out, &headings, &rows, look);
            out.push('\n');
        }
    }
    let any = || tables.values().any(|rows| rows.as_array().is_some_and(|rows| !rows.is_empty()));
    if out.is_empty() && !only.is_empty() && any() {
        // Other tables of the report hold rows: these do not.
        out.push_str(&format!("No row of {} was read from this report.\n", only.join(", ")));
    } else if out.is_empty() {
        out.push_str("No table was read from this report.\n");
    }
    out
}

/// One cell: its lines, and whether it is a number.
struct Cell {
    lines: Vec<String>,
    number: bool,
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell { lines: vec![String::new()], number: true },
        Some(Value::Number(n)) => {
            // Identifiers and lines are integers; measures keep every digit but no `.0`.
            let text = match n.as_f64().filter(|_| n.is_f64()).map(without_noise) {
                Some(f) if f.fract() == 0.0 && f.abs() < 9e15 => format!("{f:.0}"),
                Some(f) => serde_json::Number::from_f64(f).unwrap_or_else(|| n.clone()).to_string(),
                None => n.to_string(),
            };
            Cell { lines: vec![text], number: true }
        }
        Some(Value::String(text)) => {
            let text = safe(text);
            let lines = if width(&text) > TEXT_COLUMNS { wrap(&text, TEXT_COLUMNS) } else { vec![text] };
            Cell { lines, number: false }
        }
        Some(Value::Bool(true)) => Cell { lines: vec!["yes".to_owned()], number: false },
        Some(Value::Bool(false)) => Cell { lines: vec!["no".to_owned()], number: false },
        Some(other) => Cell { lines: wrap(&safe(&other.to_string()), TEXT_COLUMNS), number: false },
    }
}

/// A fraction with 15 digits: 2765.85 for 2765.8500000000004, the bound of a figure that was printed as 2765.9. Whole
/// numbers are counts, as of bytes since the start, and keep all of theirs.
fn without_noise(number: f64) -> f64 {
    if number.fract() == 0.0 { number } else { format!("{number:.14e}").parse().unwrap_or(number) }
}

fn table(out: &mut String, rows: &[Value], look: Look) {
    let mut keys: Vec<&String> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for row in rows {
        for (key, value) in row.as_object().into_iter().flatten() {
            if !value.is_null() && known.insert(key) {
                keys.push(key);
            }
        }
    }
    let cells: Vec<Vec<Cell>> =
        rows.iter().map(|row| keys.iter().map(|key| cell(row.get(key.as_str()))).collect()).collect();
    let headings: Vec<String> = keys.into_iter().map(|k| safe(k)).collect();
    aligned(out, &headings, &cells, look);
}

/// Columns as wide as their widest cell; numbers to the right.
fn aligned(out: &mut String, headings: &[String], rows: &[Vec<Cell>], look: Look) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(headings.len());
    let widest = |i: usize| {
        let cells = rows.iter().filter_map(|r| r.get(i)).flat_map(|c| &c.lines).map(|l| width(l)).max();
        cells.unwrap_or(0).max(headings.get(i).map_or(0, |h| width(h)))
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let numeric: Vec<bool> =
        (0..columns).map(|i| rows.iter().filter_map(|r| r.get(i)).all(|c| c.number)).collect();
    let put = |out: &mut String, texts: &[&str]| {
        let line: Vec<String> = texts
            .iter()
            .zip(widths.iter().zip(&numeric))
            .map(|(text, (&columns, &number))| if number { right(text, columns) } else { fit(text, columns) })
            .collect();
        line.join("  ").trim_end().to_owned().clone_into(out);
    };
    let mut line = String::new();
    let texts: Vec<&str> = (0..columns).map(|i| headings.get(i).map_or("", String::as_str)).collect();
    put(&mut line, &texts);
    out.push_str(&look.dim(&line));
    out.push('\n');
    for row in rows {
        let height = row.iter().map(|c| c.lines.len()).max().unwrap_or(0);
        for n in 0..height {
            let texts: Vec<&str> = (0..columns)
                .map(|i| row.get(i).and_then(|c| c.lines.get(n)).map_or("", String::as_str))
                .collect();
            put(&mut line, &texts);
            out.push_str(&line);
            out.push('\n');
        }
    }
}

/// Every section of a report: line, what became of it, rows; then the notes.
#[must_use]
pub fn sections(report: &Report, look: Look) -> String {
    let mut out = String::new();
    out.push_str(&look.bold(&safe(&format!(
        "{}: {}",
        report.identity.source,
        head::Ledger::of(report).sentence()
    ))));
    out.push('\n');
    if report.sections.is_empty() {
        out.push_str("No section heading was recognised.\n");
    }
    let text = |t: String| Cell { lines: vec![t], number: false };
    let number = |t: String| Cell { lines: vec![t], number: true };
    // Rows that could not be read have a column where there are any.
    let any_lost = report.sections.iter().any(|s| s.lost > 0);
    let mut headings = vec!["line", "status", "rows", "section"];
    if any_lost {
        headings.insert(3, "lost");
    }
    let rows: Vec<Vec<Cell>> = report
        .sections
        .iter()
        .map(|s| {
            let mut row = vec![
                number(s.line.to_string()),
                text(head::status(s.status).to_owned()),
                number(s.rows.to_string()),
            ];
            if any_lost {
                row.push(number(if s.lost > 0 { s.lost.to_string() } else { String::new() }));
            }
            row.push(text(safe(&s.title)));
            row
        })
        .collect();
    if !rows.is_empty() {
        let headings: Vec<String> = headings.into_iter().map(str::to_owned).collect();
        aligned(&mut out, &headings, &rows, look);
    }
    for note in &report.notes {
        let place = match (&note.section, note.line) {
            (Some(section), Some(line)) => format!("\"{section}\", line {line}: "),
            (Some(section), None) => format!("\"{section}\": "),
            (None, Some(line)) => format!("line {line}: "),
            (None, None) => String::new(),
        };
        let text = safe(&format!("note: {place}{}; {}", note.message, note.effect));
        for (n, line) in wrap(&text, look.columns().saturating_sub(2)).iter().enumerate() {
            out.push_str(if n == 0 { "" } else { "  " });
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// `1 row`, `2 rows`.
fn counted(rows: usize) -> String {
    format!("{rows} row{}", if rows == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::cell;
    use serde_json::json;

    /// `2765.8500000000004` stood where half a digit around 2,765.9 begins.
    #[test]
    fn bounds_ended_in_the_noise_of_binary_arithmetic() {
        let shown = |value| cell(Some(&value)).lines.concat();
        assert_eq!(shown(json!(2_765.9 - 0.05 + 4.5e-13)), "2765.85");
        assert_eq!(shown(json!(0.1 + 0.2)), "0.3");
        assert_eq!(shown(json!(123_456_789.012_345)), "123456789.012345");
        assert_eq!(shown(json!(1_800.0)), "1800");
        assert_eq!(shown(json!(9_007_199_254_740_991_u64)), "9007199254740991");
        assert_eq!(shown(json!(1.5e-9)), "1.5e-9");
        assert_eq!(shown(json!(1_234_567_890_123_457.0)), "1234567890123457", "a count of 16 digits");
    }
}
