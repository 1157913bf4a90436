//! Over time: several reports on one axis, instances apart and together, gaps as gaps, the peak
//! named.

use super::empty;
use super::table::{Cell, Table};
use crate::chart::{Layer, Line, Scale, Span, TimeChart, put, seconds_of};
use crate::escape::{clip, push_html};
use crate::{Subject, number, palette};
use spindle_diagnosis::{ResponseSide, Series, SeriesRow};
use std::collections::{BTreeMap, HashMap};

/// Intervals drawn of a lane; of more, the busiest of each stretch is drawn.
const DRAWN: usize = 400;
/// Lanes drawn: databases, or instances of one.
const LANES: usize = 6;
/// Snapshots of instances that belong together are taken within this.
const TOLERANCE_S: f64 = 120.0;

/// One interval with what is drawn of it.
struct Point<'a> {
    span: Span,
    row: &'a SeriesRow,
    /// Foreground side of each report that the row adds up.
    sides: Vec<&'a ResponseSide>,
}

/// The charts, one set for each instance and one for all instances of a database together.
pub(super) fn render(subjects: &[Subject<'_>], series: &Series) -> String {
    let mut out = String::from("<section id=time><h2>Over time</h2>");
    remarks(&mut out, series);
    let mut by_source: HashMap<&str, Vec<&Subject<'_>>> = HashMap::new();
    for subject in subjects {
        by_source.entry(subject.report.identity.source.as_str()).or_default().push(subject);
    }
    let mut lanes: BTreeMap<String, Vec<Point<'_>>> = BTreeMap::new();
    let mut drawn = 0;
    for row in &series.rows {
        let seconds = |t: &Option<String>| t.as_deref().and_then(seconds_of);
        let (Some(begin), Some(end)) = (seconds(&row.begin_time), seconds(&row.end_time)) else { continue };
        if begin >= end {
            continue;
        }
        let near = |s: &&&Subject<'_>| {
            let begins = s.report.identity.begin_time.as_deref().and_then(seconds_of);
            begins.is_some_and(|b| (b - begin).abs() <= TOLERANCE_S)
        };
        let sides = row
            .sources
            .iter()
            .filter_map(|source| by_source.get(source.as_str())?.iter().find(near))
            .map(|s| &s.diagnosis.response_time.foreground)
            .collect();
        drawn += usize::from(row.sources.len() == 1);
        lanes.entry(lane_name(row)).or_default().push(Point { span: Span { begin, end }, row, sides });
    }
    if drawn < subjects.len() {
        let missing = subjects.len() - drawn;
        empty(
            &mut out,
            &format!(
                "{missing} of {} reports print no times or no database name, or were given twice, and are not drawn.",
                subjects.len()
            ),
        );
    }
    // The lanes of a database share its axis; databases need not be of the same time.
    let mut axes: BTreeMap<Option<&str>, Vec<(f64, f64)>> = BTreeMap::new();
    for point in lanes.values().flatten() {
        axes.entry(point.row.db_name.as_deref()).or_default().push((point.span.begin, point.span.end));
    }
    let axes: BTreeMap<Option<&str>, Scale> =
        axes.into_iter().filter_map(|(db, spans)| Some((db, Scale::time_over(&spans)?))).collect();
    let many = lanes.len();
    for (n, (name, points)) in lanes.into_iter().enumerate() {
        if n == LANES {
            empty(
                &mut out,
                &format!(
                    "{} more databases or instances are not drawn; the table above lists their reports.",
                    many - LANES
                ),
            );
            break;
        }
        if many > 1 {
            out.push_str("<h3>");
            push_html(&mut out, &clip(&name, 120));
            out.push_str("</h3>");
        }
        if let Some(axis) = points.first().and_then(|p| axes.get(&p.row.db_name.as_deref())) {
            lane(&mut out, points, axis);
        }
    }
    out.push_str("</section>");
    out
}

fn lane_name(row: &SeriesRow) -> String {
    let mut out = row.db_name.clone().unwrap_or_else(|| "database not named".to_owned());
    if let Some(container) = &row.container {
        out.push_str(&format!(" / {container}"));
    }
    match row.instance_number {
        Some(n) => out.push_str(&format!(", instance {n}")),
        None if row.instances > 1 => out.push_str(", all instances together"),
        None => {}
    }
    out
}

fn remarks(out: &mut String, series: &Series) {
    if series.remarks.is_empty() {
        return;
    }
    let n = series.remarks.len();
    put!(
        out,
        "<details><summary>{n} remark{} on the time axis: gaps, overlaps, duplicates</summary>",
        if n == 1 { "" } else { "s" }
    );
    let mut table = Table::new("", &["", "From", "To", ">Instance", "What"], 30);
    let when = |t: &Option<String>| t.as_deref().map(number::time).unwrap_or_default();
    for remark in &series.remarks {
        let instance = remark.instance_number.map_or_else(String::new, |n| n.to_string());
        table.row(
            "",
            &[
                Cell::Text(remark.kind),
                Cell::Text(&when(&remark.begin_time)),
                Cell::Text(&when(&remark.end_time)),
                Cell::Number(instance),
                Cell::Text(&remark.message),
            ],
        );
    }
    table.finish(out);
    out.push_str("</details>");
}

/// The busiest point of each of [`DRAWN`] stretches.
fn thin(points: Vec<Point<'_>>) -> Vec<Point<'_>> {
    let each = points.len().div_ceil(DRAWN);
    let load = |p: &Point<'_>| p.row.average_active_sessions.unwrap_or(0.0);
    let mut out: Vec<Point<'_>> = Vec::with_capacity(DRAWN);
    for (i, point) in points.into_iter().enumerate() {
        match out.last_mut() {
            Some(last) if i % each != 0 => {
                if load(&point) > load(last) {
                    *last = point;
                }
            }
            _ => out.push(point),
        }
    }
    out
}

/// Layers of DB time by class as average active sessions: CPU, classes by size, what is left.
fn layers(points: &[Point<'_>]) -> Vec<Layer> {
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    for class in points.iter().flat_map(|p| &p.sides).flat_map(|s| &s.classes) {
        *classes.entry(class.wait_class.as_str()).or_default() += class.time_s;
    }
    let mut order: Vec<(&str, f64)> = classes.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    // A sum over instances is known only where every instance prints its part.
    let of = |name: &str, css: &'static str, pick: &dyn Fn(&ResponseSide) -> Option<f64>| Layer {
        name: name.to_owned(),
        css,
        values: points
            .iter()
            .map(|p| {
                let elapsed = p.row.elapsed_s.filter(|e| *e > 0.0)?;
                (!p.sides.is_empty()).then_some(())?;
                let seconds = p.sides.iter().map(|s| pick(s)).sum::<Option<f64>>()?;
                Some(seconds / elapsed)
            })
            .collect(),
    };
    let mut layers = vec![of("CPU", palette::CPU.css, &|s| s.cpu_s)];
    for (name, _) in order.into_iter().take(14) {
        layers.push(of(name, palette::of(name).css, &|s| {
            Some(s.classes.iter().find(|c| c.wait_class == name).map_or(0.0, |c| c.time_s))
        }));
    }
    layers.push(of("not explained", palette::UNEXPLAINED.css, &|s| s.unexplained_s));
    layers.retain(|l| l.values.iter().any(|v| v.is_some_and(|v| v > 0.0)));
    layers
}

fn lane(out: &mut String, points: Vec<Point<'_>>, axis: &Scale) {
    let all = points.len();
    let points = if all > DRAWN { thin(points) } else { points };
    if points.len() < all {
        empty(out, &format!("{all} intervals: the busiest of every {} is drawn.", all.div_ceil(DRAWN)));
    }
    let spans: Vec<Span> = points.iter().map(|p| p.span).collect();
    let when = |t: &Option<String>| t.as_deref().map(number::time).unwrap_or_default();
    let names: Vec<String> = points
        .iter()
        .map(|p| {
            let load = number::or_unknown(p.row.average_active_sessions, number::measure);
            let source = p.row.sources.first().map_or("", String::as_str);
            let more = if p.row.sources.len() > 1 { " and others" } else { "" };
            let (begin, end) = (when(&p.row.begin_time), when(&p.row.end_time));
            format!("{begin} to {end}: {load} average active sessions ({}{more})", clip(source, 80))
        })
        .collect();
    let peak = (0..points.len())
        .filter_map(|i| Some((i, points[i].row.average_active_sessions?)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        .filter(|_| points.len() > 1)
        .map(|(i, v)| (i, format!("peak {}: {}", when(&points[i].row.begin_time), number::measure(v))));
    let chart = |question: &'static str, y_unit: &'static str, layers, lines, peak| {
        TimeChart { question, y_unit, axis, spans: &spans, names: &names, layers, lines, peak, marks: vec![] }
            .render()
    };
    let line = |name: &str, class: &str, factor: f64, pick: fn(&SeriesRow) -> Option<f64>| Line {
        name: name.to_owned(),
        css: palette::of(class).css,
        values: points.iter().map(|p| pick(p.row).map(|v| v * factor)).collect(),
    };
    let pictures = [
        (
            chart(
                "When was the database busy, and with what?",
                "average active sessions",
                layers(&points),
                vec![],
                peak,
            ),
            "No interval prints DB time by class.",
        ),
        (
            chart(
                "How many requests a second?",
                "requests/s",
                vec![],
                vec![
                    line("reads", "User I/O", 1.0, |r| r.read_iops),
                    line("writes, redo included", "Commit", 1.0, |r| r.write_iops),
                ],
                None,
            ),
            "No interval prints I/O requests.",
        ),
        (
            chart(
                "How many bytes a second?",
                "MB/s",
                vec![],
                vec![
                    line("read", "User I/O", 1.0, |r| r.read_mbps),
                    line("written, redo included", "Commit", 1.0, |r| r.write_mbps),
                ],
                None,
            ),
            "No interval prints bytes read or written.",
        ),
        (
            chart(
                "How long did I/O take?",
                "mean weighted by waits, ms",
                vec![],
                vec![
                    line("single-block read", "User I/O", 0.001, |r| r.single_block_read_us),
                    line("log write", "System I/O", 0.001, |r| r.log_write_us),
                ],
                None,
            ),
            "No interval prints read or log write times.",
        ),
    ];
    for (picture, why) in pictures {
        match picture {
            Some(picture) => out.push_str(&picture),
            None => empty(out, why),
        }
    }
    let headings = [
        "Begin",
        ">Active sessions",
        ">CPU (s)",
        ">Wait class User I/O (s)",
        ">Reads/s",
        ">Writes/s",
        ">Read MB/s",
        ">Written MB/s",
        ">Single-block read (ms)",
        ">Log write (ms)",
    ];
    put!(out, "<details><summary>The numbers of these charts</summary>");
    let mut table = Table::new("", &headings, 60);
    for point in &points {
        let row = point.row;
        table.row(
            if row.is_peak { "peak" } else { "" },
            &[
                Cell::Text(&when(&row.begin_time)),
                Cell::known(row.average_active_sessions, number::measure),
                Cell::known(row.cpu_s, number::measure),
                Cell::known(row.user_io_wait_s, number::measure),
                Cell::known(row.read_iops, number::measure),
                Cell::known(row.write_iops, number::measure),
                Cell::known(row.read_mbps, number::measure),
                Cell::known(row.write_mbps, number::measure),
                Cell::known(row.single_block_read_us, number::ms),
                Cell::known(row.log_write_us, number::ms),
            ],
        );
    }
    table.finish(out);
    out.push_str("</details>");
}
